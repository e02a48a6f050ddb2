/* SPDX-License-Identifier: MIT */
/* The program around one of the commands, COMMAND. */
#include "tools.h"

int main(int argc, char **argv)
{
	return command_run(&COMMAND, argc, argv, NULL);
}
