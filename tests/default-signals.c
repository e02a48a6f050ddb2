/* SPDX-License-Identifier: MIT */
/* default-signals COMMAND...: runs it with all signals as they are by default; for skip.sh */
#include "default-signals.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	default_signals();
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
