/* SPDX-License-Identifier: MIT */
/* The program around one of the commands: TOOL is its function. */
#include "tools.h"

int main(int argc, char **argv)
{
	return TOOL(argc, argv);
}
