/* SPDX-License-Identifier: MIT */
/*
 * Every command: for its own main(), and for the shell, the static program and the completions,
 * which go through them all.
 */
#ifndef TOOLS_H
#define TOOLS_H

#include "cli/cli.h"

extern const struct command batch_command, collect_command, db_command, eu_command, fault_command,
	pte_command, ptwalk_command, regdump_command, report_command, sh_command, snap_command,
	tile_command;

extern const struct command *const all_commands[];	/* NULL ends */

#endif
