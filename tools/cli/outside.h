/* SPDX-License-Identifier: MIT */
/* outside.c: what needs a path in a command that has confined itself. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "saving.h"

struct common;

struct outside {
	bool begun;
	int socket;
	pid_t pid;
};

/*
 * Starts the process that does it, before the command is confined. If it cannot be started, a
 * confined command writes no file. `saves`: a file is written, `path`, or NULL if the command names
 * it; `folder`: of --kernels.
 */
void outside_begin(struct common *common, bool saves, const char *path, const char *folder);
/* A file without a name by now gets none. */
void outside_end(struct common *common);

#endif
