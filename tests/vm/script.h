/* SPDX-License-Identifier: MIT */
/*
 * Test scripts: one directive per line. Some act (boot, run, set, ...), others judge what the last
 * command printed and what the hardware saw of it. README.md lists them.
 */
#ifndef VM_SCRIPT_H
#define VM_SCRIPT_H

#include "machine.h"

struct gsc_db;

struct session {
	struct machine machine;
	struct reply last;
	struct gsc_db *db;
	const char *cache;		/* where the kernels and images of rig.sh are */
	const char *directory;		/* what is written goes there */
	char snapshot[64];		/* name for files of the moment work is first handed over */
	const char *script;
	unsigned line, checks, failures;
	char *command;			/* run last */
	char problem[1024];		/* of the directive that failed */
};

/* Failures are printed and counted. */
void script_run(struct session *session, const char *path);

struct directive {
	const char *name;
	bool (*run)(struct session *session, char *rest);	/* false with a problem set */
};

/*
 * act.c: if one of these fails, the rest of the script makes no sense. Each table ends without a
 * name.
 */
extern const struct directive acts[];
/* printed.c: what the last command printed; seen.c: what the hardware saw of it. */
extern const struct directive printed_checks[], seen_checks[];

bool fail(struct session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct gpu *first_gpu(struct session *session);
void show_text(const char *title, const struct text *text);

/* The next word of a text, or NULL. */
char *word(char **text);
bool number(const char *text, uint64_t *value);

#endif
