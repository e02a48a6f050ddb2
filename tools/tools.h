/* SPDX-License-Identifier: MIT */
/*
 * Every command as a function: for its own main(), and for the shell and the static program, which
 * run them all; and their options, which the shell completes.
 */
#ifndef TOOLS_H
#define TOOLS_H

#include "cli/cli.h"

typedef int tool_main(int argc, char **argv);

tool_main batch_main, db_main, fault_main, pte_main, ptwalk_main, regdump_main, report_main,
	sh_main, snap_main, tile_main;

extern const struct command batch_command, db_command, fault_command, pte_command, ptwalk_command,
	regdump_command, report_command, sh_command, snap_command, tile_command;

#endif
