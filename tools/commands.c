/* SPDX-License-Identifier: MIT */
/* The list of all commands. */
#include "tools.h"

const struct command *const all_commands[] = {
	&fault_command, &regdump_command, &ptwalk_command, &batch_command, &pte_command,
	&eu_command,	&tile_command,	  &snap_command,   &report_command, &sh_command,
	&collect_command, &db_command,
	NULL,
};
