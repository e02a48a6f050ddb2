/* SPDX-License-Identifier: MIT */
/*
 * log/: events in kernel logs. Others use event.h and ecode.h. log.c goes through the text from one
 * event to the next, find.c finds the words that may begin one, words.c reads numbers, names and
 * what precedes a message; i915.c, xe.c, uc.c (firmware), hw.c and dmar.c know the messages,
 * crash.c those of the kernel about a driver's code, others.c those of others, engine.c the
 * registers printed with them; ecode.c explains the code that i915 gives a hang. quote.c quotes
 * what none of them knows. What the events mean together is for hang/ (log-summary.c). The words of
 * a driver belong here.
 */
#ifndef GSC_LOG_H
#define GSC_LOG_H

#include "log/ecode.h"
#include "log/event.h"
#include "util/util.h"

#include <string.h>

/* ---- numbers and names in messages ----------------------------------------------------------- */

/* The drivers of Intel's GPUs. */
#define LOG_DRIVERS 2
extern const char log_drivers[LOG_DRIVERS][8];

/* After the first occurrence of the words, but not at the end of a longer word. */
bool text_after(struct slice text, const char *words, struct slice *rest);
bool text_has(struct slice text, const char *words);
/* One of the words of a list with `|` between them. */
bool text_has_any(struct slice text, const char *list);
/* "KEY 0x12": the number after the words. */
bool text_hex(struct slice text, const char *words, uint64_t *value);
bool text_decimal(struct slice text, const char *words, uint64_t *value);
/* Adds the first code of an error to what the event says: " (-ENOENT)", " (error -2)". */
void log_add_code(struct gsc_event *event, struct slice rest);
/* The first name of an engine in a text, new or old: "rcs0", "render ring", "engine_class=bcs". */
bool text_engine(struct slice text, char *buf, size_t size);
/* "NAME [PID]" after the words; kernel threads and "no process" have none. */
bool text_process(struct slice text, const char *words, char *buf, size_t size);
/* The first PCI function in a text as "0000:00:02.0"; one without a domain is in domain 0. */
bool text_function(struct slice text, char *buf, size_t size);
/* "GT1: ", "Tile1: GT0: ", "GT0 [GT OTHER] ": which part of the GPU a line is about. */
void text_gt(struct slice text, char *buf, size_t size);
/* The time at the beginning of a line. */
void text_time(struct slice prefix, struct gsc_event *event);

/* All of a log, as it was cleaned. */
struct slice log_cleaned(const struct gsc_log *log);

/* ---- a log, and its messages ----------------------------------------------------------------- */

#define FOLLOWS 4			/* this many lines later it may still belong to an event */
#define BLOCK_MOST 24			/* lines around one that belong to it */

/* A GPU of the log. */
struct log_gpu {
	char function[16];		/* "0000:03:00.0" */
	const char *driver;
};

#define RECENT 6			/* events that may come again */
#define RECENT_ROWS 4

/* Not yet reported. Lines about one failure differ in words: the most frequent ones count it. */
struct log_recent {
	struct gsc_event event;
	size_t line;			/* the last one with it, */
	double time;			/* and the time there */
	struct {
		size_t message;
		unsigned count;
	} rows[RECENT_ROWS];
};

struct log {
	const struct gsc_db *db;
	const struct gsc_view *view;
	const char *text, *end;
	struct slice line;		/* of the scan; long ones are truncated */
	struct slice prefix;		/* the part of it before the words found */
	const char *line_start, *line_end;	/* of the same line, complete */
	bool whole;			/* it was not truncated */
	size_t number;			/* of that line, from 1 */
	struct gsc_message words;	/* whose words were found, */
	size_t found;			/* and its number */
	const char *next;		/* the scan continues here */
	const char *message;		/* the end of the last event */
	struct gsc_event *out;		/* for gsc_log_next(), until it has one */
	struct log_recent recent[RECENT];	/* the last one last */
	unsigned recents;
	uint64_t underran;		/* display pipes whose underruns are told, a bit for each */
	struct gsc_ecode ecode;		/* the one put into words last */
	char ecode_text[400];
	struct gsc_event quote;		/* of the line of the scan, unless a rule knows it */
	bool has_quote;
	size_t harmless;		/* a line that is not to be quoted */
	bool only_harmless;		/* such lines are the events, and others are none */
	const char *no_code;		/* lines before it were searched for functions in vain */
	size_t crashed;			/* the line of the last crash of somebody else's code */
	size_t dumped;			/* the last line with the state of engines of a lost GPU */
	bool gpus_known, others_known, is_others;
	VEC(struct log_gpu) gpus;	/* of the drivers in the log */
};

/*
 * Looks at a line that contains a handler's words; `rest` is what follows them. The event comes
 * with its line, time and device; true if it is one.
 */
typedef bool log_handler(struct log *log, struct slice rest, struct gsc_event *event);

#define LOG_DECLARE(name) log_handler name;
MESSAGE_ALONE(LOG_DECLARE) MESSAGE_COMPLETES(LOG_DECLARE)
#undef LOG_DECLARE

/*
 * Puts what the message says into an event: text, driver, engine; false: the line is somebody
 * else's.
 */
bool log_take_words(struct log *log, struct gsc_event *event);
/* Says the text of the message, with the engine that is known. */
void log_say_words(const struct log *log, struct gsc_event *event);

/*
 * The surrounding lines that belong together: earlier ones with one of the words of the list
 * `head`, later ones with one of `tail`. The event begins at the first of them; the scan continues
 * after them. A long line stays alone.
 */
struct slice log_block(struct log *log, const char *head, const char *tail,
		       struct gsc_event *event);
/* An earlier line becomes the first of an event. */
void log_begin_at(struct slice line, struct gsc_event *event);
/* The line before the start of another, or after its end; false: none, or too long. */
bool log_line_before(const struct log *log, const char *start, struct slice *line);
bool log_line_after(const struct log *log, const char *end, struct slice *line);
/* Whether the log has i915 or xe at this PCI function; 00:02.0 is always theirs. */
bool log_is_gpu(struct log *log, const char *function);
/* "i915 0000:00:02.0: ", "xe 0000:03:00.0: " in front of a message. */
void log_device(struct slice prefix, struct gsc_event *event);
/* The driver of a line that does not name it: the one of the log, or i915. */
const char *log_driver(struct log *log);
/* What a documented value of a field means, by the names of definition and field. */
bool log_meaning(const struct gsc_db *db, enum gsc_kind kind, const char *name, const char *field,
		 uint64_t value, struct gsc_value *meaning);
/* A register's value in the lines; false: there is no more room. */
bool log_value(struct gsc_event *event, const char *name, uint64_t value);
/* The one of that name, or 0. */
uint64_t log_value_of(const struct gsc_event *event, const char *name);
/* The previous event, if it is not reported yet; or NULL. */
struct gsc_event *log_last(struct log *log);
/*
 * Whether a text has messages of the drivers, with or without what a log puts in front of them. The
 * source of a program that prints them has none.
 */
bool log_has_messages(const struct gsc_db *db, const void *text, size_t size);
/* What an event means; and more about it. */
#define log_say(event, ...)                                                                        \
	snprintf((event)->fault.text, sizeof((event)->fault.text), __VA_ARGS__)
#define log_add(event, ...) string_add((event)->fault.text, __VA_ARGS__)

/* ---- messages that no row knows -------------------------------------------------------------- */

/* The type of an event that only quotes the driver. */
#define LOG_REPORT "reported"

/* i915 or xe, by the beginning of a function's name; NULL: neither. */
const char *log_driver_of_function(struct slice function);
/* What follows the device, and what DRM puts after it, in a line. */
struct slice log_message(struct slice line);
/* The first words of a message, as a part of a signature: "failed-to-reset-guc". */
void log_slug(const char *text, char *buf, size_t size);

/* ---- finding the words of rows --------------------------------------------------------------- */

/* The next place at or after `at` with the words of a message; `end` if there is none. */
const char *finder_next(const struct gsc_db *db, const char *at, const char *end);
/*
 * The number of the message whose words are there: of this driver or any, otherwise of another one;
 * of several the longest.
 */
size_t finder_message(const struct gsc_db *db, const char *at, const char *end, const char *driver);

/* ---- types of events, and the drivers of others ---------------------------------------------- */

/* The type of an event that is an underrun of the display. */
#define LOG_UNDERRUN "underrun"

/* The type of what drivers of other makers' GPUs say. */
#define LOG_OTHER "other GPU"

/* The type of what a driver printed about an engine: it is no dump that the kernel has kept. */
#define LOG_ENGINE "engine"

/* A catastrophic error of a memory access, which is no page fault. */
#define LOG_CAT "cat"

/* The kernel has dropped the dump again. */
#define LOG_DELETED "deleted"

/* What a user or the driver did on purpose. */
#define LOG_ASKED "requested"

/* A reset was tried in vain, and why it failed; work was cancelled: none of them is a reset. */
#define LOG_TRIED "reset-tried"
#define LOG_FAILED_RESET "reset-failed"
#define LOG_CANCELLED "work-cancelled"

/* The driver gave up on the GPU, the kernel crashed: the verdict says so by itself. */
#define LOG_WEDGED "wedged"
#define LOG_PANIC "panic"

/* The driver did not start; the trace of a driver's own check. */
#define LOG_PROBE "probe"
#define LOG_WARN "warn"

/* Appends the names of the bits that are set in a register's value; false: unknown. */
bool log_add_bits(const struct log *log, struct gsc_event *event, const char *engine,
		  const char *name, int index, uint64_t value);

/* The driver of another GPU or device that a line names, or NULL. */
const char *log_others(struct slice line);
/* Whether a function is of another GPU's driver; and whether the log is of such drivers alone. */
bool log_others_function(struct slice function);
bool log_is_others(struct log *log);

/* Whether a fault of the IOMMU may come from second-level tables, by its reason. */
bool log_second_level(const struct gsc_event *event);

#endif
