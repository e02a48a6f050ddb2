/* SPDX-License-Identifier: MIT */
/* saving.c: a file gets its name when it is complete. */
#ifndef SAVING_H
#define SAVING_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

struct saving {
	int folder;			/* O_PATH; at first -1 */
	bool made;			/* `temporary` exists */
	char name[NAME_MAX + 1], temporary[NAME_MAX + 1];
};

/* A descriptor to write to, or -1 and errno. `mode` is that of a new file, less the umask. */
int saving_begin(struct saving *saving, const char *path, mode_t mode);
/*
 * A new file in a folder. If root runs the command for a user of sudo(8), it belongs to that user,
 * unless the user could not have created it there or it replaces another user's file.
 */
int saving_create(int folder, const char *name, int flags, mode_t mode, const struct stat *old);
/* The file gets its name; an error number, or 0. */
int saving_commit(struct saving *saving);
/* Leaves no file. Async-signal-safe; what was not begun is not dropped. */
void saving_drop(struct saving *saving);

#endif
