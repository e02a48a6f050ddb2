/* SPDX-License-Identifier: MIT */
/*
 * gpu-collect: hangs, collected when they happen. A hang has a number and three files in the store:
 * its record, hang-N.fields, the capture, and the lines of the kernel's log around it. What the
 * kernel has kept is untrusted: only a child that has confined itself looks into it (look.c), and
 * the parent checks what the child says, as it checks what a store holds.
 */
#ifndef COLLECT_H
#define COLLECT_H

#include "cli/cli.h"
#include "util/text.h"

#include <limits.h>
#include <string.h>

#define COLLECT_SCHEMA "gpuscope.collect/1"

/* ---- store.c --------------------------------------------------------------------------------- */

/* What is known about a hang: lines of its record, and fields of its entry in the journal. */
enum field {
	HANG_NUMBER,
	HANG_TIME, HANG_LAST,		/* seconds since 1970: the first of its kind, the last */
	HANG_COUNT,
	HANG_SIGNATURE, HANG_VERDICT, HANG_PLATFORM, HANG_ENGINE, HANG_PROCESS,
	HANG_DEVICE, HANG_PCI_ID, HANG_DRIVER,
	HANG_KERNEL,			/* its release */
	HANG_BOOT,			/* the id of the boot */
	HANG_UPTIME,			/* of the last line of the log then; seconds */
	HANG_CODE,			/* what the kernel's log calls it: "ecode 9:1:85dffffb" */
	HANG_DUMP,			/* which of the kernel's dumps it was, by its time */
	HANG_DUE,			/* how often the log reported it before its dump existed */
	HANG_REDACTED,			/* "yes" */
	HANG_CAPTURE,			/* its file in the store, or "" */
	HANG_WHY,			/* why there is none */
	FIELDS
};

extern const char *const field_names[FIELDS];

#define FIELD_SIZE 1000

struct hang {
	char text[FIELDS][FIELD_SIZE];
	bool changed, gone;		/* since the last commit */
};

void hang_set(struct hang *hang, enum field field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint64_t hang_number(const struct hang *hang, enum field field);	/* or 0 */
/*
 * "36.828770", to *end: seconds since the boot. -1: it is none, or more than any machine runs.
 * "1e9", "nan" and "0x1.8" are none.
 */
double seconds_since_boot(const char *text, const char **end);
/* What the clock of the kernel's log can show at most. */
double latest_uptime(void);
static inline bool hang_same(const struct hang *a, const struct hang *b, enum field field)
{
	return !strcmp(a->text[field], b->text[field]);
}

/* /etc/gpuscope/collect.conf */
struct limits {
	uint64_t use, age, files;	/* bytes, seconds, captures */
	bool redact;
	bool release, release_given;	/* the kernel releases what was saved */
};

/* What was collected in this boot, whether or not a record of it is left. */
#define DUMPS_MAX 16
#define DUMP_SIZE 160
struct seen {
	char boot[64];
	double uptime;			/* lines of the log up to then */
	uint64_t clock;			/* by which captures expire; seconds since 1970 */
	double ran;			/* seconds since the boot when that was so */
	char dumps[DUMPS_MAX][DUMP_SIZE];	/* the last ones */
};

struct store {
	char path[PATH_MAX];
	int folder;			/* or -1 */
	int lock;			/* or -1 */
	struct hang *hangs;		/* by number */
	size_t count;
	uint64_t last;			/* number of a record, whether or not it can be read */
	struct seen seen;
};

struct collect {
	struct common common;		/* first */
	const char *dir, *config, *sysfs, *log, *journal, *output;	/* as given, or NULL */
	bool all;
	struct limits limits;
	struct store store;
	time_t now;
	struct export *export;		/* of export */
};

/*
 * Opens it and reads the records; for changes, creates and locks it, does what a killed process has
 * left to do, and removes leftovers.
 */
enum gsc_status store_open(struct collect *c, bool change, struct gsc_error *err);
void store_close(struct store *store);
/* Files of the store, which no process needs to share its lock and folder to read. */
void store_leave(struct store *store);
/* A new file in the store without its name yet, which store_name() gives it; -1 and errno. */
int store_make(struct store *store, const char *temporary);
int store_name(struct store *store, const char *temporary, const char *name);
#define STORE_CAPTURE ".capture"
#define STORE_LOG ".log"
/* A file of the store to read, if it is one, and no link, pipe or device; -1. */
int store_file(const struct store *store, const char *name);
/*
 * Writes the records of all hangs that have changed, and what was seen: all of it, whenever this
 * process is killed, or nothing. Returns an error number, or 0.
 */
int store_commit(struct collect *c);
/* The one with the next number, or NULL. */
struct hang *store_add(struct store *store);
/* Removes a hang, or only its files except the record. */
void store_remove(struct store *store, struct hang *hang, bool record);
/* The name of its capture; "": there is none, or the record claims another file. Does it exist? */
const char *store_capture(const struct hang *hang);
bool store_present(const struct store *store, const struct hang *hang);
/* The newest of this boot with that text; NULL: none. */
struct hang *store_find(const struct store *store, enum field field, const char *text);
/*
 * The time by which captures expire, for which one jump of the clock is not enough; true: it should
 * be remembered.
 */
bool store_clock(struct store *store, time_t now);
#define DAY 86400
void store_limit(struct store *store, const struct limits *limits, uint64_t now);
void seen_dump(struct seen *seen, const char *dump);
bool seen_has(const struct seen *seen, const char *dump);
int store_remember(struct store *store);

/* ---- collect.c ------------------------------------------------------------------------------- */

void limits_read(struct collect *c);

/* ---- look.c ---------------------------------------------------------------------------------- */

#define EVENTS_MAX 64
#define LINES_MOST (64u << 10)		/* of the log around a hang */

/* What the child found. */
struct look {
	enum gsc_status status;		/* of the dump: HANG_WHY says what is wrong with it */
	int stored;			/* a capture was written */
	int error;			/* an error number: why none was written, or 0 */
	struct hang hang;
	struct hang events[EVENTS_MAX];	/* of the log; if some do not fit, the last one counts */
	size_t event_count;
	char lines[LINES_MOST + 1];	/* of the log, about graphics */
	size_t line_size;
};

/* The text of the kernel's log. */
struct kernel_log {
	const char *text;
	size_t size;
};

/*
 * A dump of the kernel's, into look->hang, of which the caller has filled in what it knows; a
 * capture to the descriptor unless a similar one is stored.
 */
bool look_dump(struct collect *c, const char *path, int capture, struct look *look);
/* Adds the hangs in a log since it was last read, and takes its relevant lines. */
enum gsc_status look_log(struct collect *c, const struct kernel_log *log, struct look *look,
			 struct gsc_error *err);

typedef enum gsc_status apart_fn(struct collect *c, void *context, struct gsc_error *err);
/* In a child that can read only this source, or NULL; returns its status. */
enum gsc_status apart(struct collect *c, const char *source, apart_fn *work, void *context);

/* ---- save.c, journal.c, list.c, export.c ----------------------------------------------------- */

run_fn hang_save_run, hang_watch_run, hang_list_run, hang_info_run, hang_report_run,
	hang_export_run, hang_clean_run;

void journal_send(struct collect *c, const struct hang *hang);
/* The last one that matches what the user says; NULL: none, and *err. */
struct hang *hang_chosen(struct collect *c, struct gsc_error *err);
/* "hang:/var/lib/gpuscope/3" */
const char *hang_spec(const struct store *store, const struct hang *hang, char *buf, size_t size);

#endif
