/* SPDX-License-Identifier: MIT */
/* gpu-snap: its options, and its subcommands. */
#ifndef SNAP_H
#define SNAP_H

#include "common/common.h"

#define SNAP_SCHEMA "gpuscope.snap/1"

struct snap {
	struct common common;
	const char *output;		/* -o, or NULL */
	struct strings memory;		/* A+LEN */
	bool no_ggtt, redact;
};

run_fn save_run, info_run;

#endif
