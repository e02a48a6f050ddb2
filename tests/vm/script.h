/* SPDX-License-Identifier: MIT */
/*
 * Test scripts: a directive a line. Those that act (boot, run, set, ...) and those that judge what
 * the command run last printed and what the hardware saw of it. README.md lists them.
 */
#ifndef VM_SCRIPT_H
#define VM_SCRIPT_H

#include "machine.h"

struct gsc_db;

struct session {
	struct machine machine;
	struct reply last;
	struct gsc_db *db;
	const char *kernel[2], *initrd[2];	/* without and with the driver */
	const char *directory;		/* what is written goes there */
	const char *script;
	unsigned line, checks, failures;
	char *command;			/* run last */
	char problem[1024];		/* of the directive that failed */
};

/* False if something in it failed; then it has been told on stdout. */
bool script_run(struct session *session, const char *path);

/* Each makes true or false of its arguments; false with session->problem set. */
bool check_seen(struct session *session, char *patterns);
bool check_never(struct session *session, char *patterns);
bool check_width(struct session *session, char *nothing);
bool check_entries(struct session *session, char *nothing);
bool fail(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next word of a text, or NULL. */
char *word(char **text);
bool number(const char *text, uint64_t *value);

#endif
