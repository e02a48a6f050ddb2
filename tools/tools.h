/* SPDX-License-Identifier: MIT */
/* Every command as a function: for its own main(), and for the shell, which runs them all. */
#ifndef TOOLS_H
#define TOOLS_H

typedef int tool_main(int argc, char **argv);

tool_main batch_main, db_main, fault_main, pte_main, ptwalk_main, regdump_main, sh_main, snap_main;

#endif
