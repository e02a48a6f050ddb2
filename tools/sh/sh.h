/* SPDX-License-Identifier: MIT */
/*
 * gpu-sh: a session. sh.c begins and ends it; input.c and edit.c read lines; run.c cuts them into
 * commands, for which line.c knows quotes and outlets; a table in verbs.c decides what carries one
 * out. Commands that only read and decode run in a child, so that an interrupt stops them and not
 * the shell. The shell's process has what has state: sources, writes and their journal.
 */
#ifndef SH_H
#define SH_H

#include "cli/cli.h"
#include "cli/writing.h"
#include "regs/write.h"
#include "tools.h"
#include "util/text.h"
#include "util/util.h"

#include <signal.h>

#define BLANKS " \t"

struct shell;
struct words;
typedef enum gsc_status verb_fn(struct shell *shell, const struct words *words,
				struct gsc_error *err);

/* ---- line.c: lines and words ----------------------------------------------------------------- */

struct words {
	char **items;			/* a NULL follows them */
	size_t count;
};

void words_free(struct words *words);
/* A copy of the text; false: memory is out. */
bool words_add(struct words *words, const char *text, size_t length);
enum gsc_status words_split(struct words *words, const char *text, struct gsc_error *err);
/* From one on, with a blank between them; free() it. NULL: memory is out. */
char *words_join(const struct words *words, size_t first, size_t end);

enum outlet { OUTLET_SAME, OUTLET_PIPE, OUTLET_FILE, OUTLET_APPEND };

struct line {
	char *text;			/* without what is below; "": nothing to do */
	enum outlet outlet;
	char *target;			/* of the outlet: shell commands, or a file */
	bool ignore;			/* a leading "-": the script continues if it fails */
};

/* How many bytes of the text belong to its first command; its terminator follows. */
size_t line_length(const char *text);
/* How many bytes precede the comment. */
size_t comment_start(const char *text);
/* What is forced, or the text. */
const char *inner_command(const char *text);
/* Where the output is redirected, or the end. */
const char *outlet_find(const char *text);
enum gsc_status line_read(struct line *line, const char *text, size_t length,
			  struct gsc_error *err);
void line_free(struct line *line);

/* "NAME:FIELD |= V": the length of the target, and where the value begins. */
bool assigns(const char *text, size_t *length, enum gsc_write_operation *operation,
	     const char **value);
const char *operation_word(enum gsc_write_operation operation);

/* ---- verbs.c --------------------------------------------------------------------------------- */

enum verb_flag {
	VERB_FROM = 1 << 0,		/* its command takes the session's sources and platform, */
	VERB_WAKE = 1 << 1,		/* and --wake */
};

struct verb {
	const char *name, *usage;
	const char *help;		/* a line */
	bool often;			/* in the short help, which fits a screen */
	const char *more;		/* examples and remarks, lines; or NULL */
	const struct command *command;	/* run in a child, with `before` before the words */
	const char *before;
	verb_fn *run;			/* or this, with so many words, or the user is told: */
	size_t least, most;
	const char *expected;		/* NULL: it counts itself. Or the rest as it was typed: */
	enum gsc_status (*raw)(struct shell *shell, const char *rest, struct gsc_error *err);
	unsigned flags;
	/*
	 * What its words can be, as for an option's value; a comma goes to the next word. NULL: as
	 * in the command. In a session registers are those of its source: SOURCE is not offered
	 * next to them.
	 */
	const char *value;
};

const struct verb *verb_at(size_t i);	/* NULL past the last */
const struct verb *verb_find(const char *name, size_t length);
/* For the first word of a line, as a verb: "?NAME", "!cmd" and "x/4" need no blank. */
size_t verb_length(const char *text);
/* GSC_UNKNOWN, with the nearest verbs. */
enum gsc_status verb_unknown(const char *name, struct gsc_error *err);
/* What reads registers: a line that begins with no verb. */
const struct verb *verb_read(void);
bool verb_forces(const struct verb *verb);
bool verb_waits(const struct verb *verb);
verb_fn help_run;

/* ---- run.c: carrying out --------------------------------------------------------------------- */

/* One command, without an outlet. */
enum gsc_status command_do(struct shell *shell, const char *text, struct gsc_error *err);
/* One command, with output of its own and its failure reported. */
enum gsc_status line_run(struct shell *shell, const struct line *line, struct gsc_error *err);
/* All commands of a text, until one fails; first: number of its first line in the file. */
enum gsc_status shell_text(struct shell *shell, const char *name, const char *text, unsigned first);
enum gsc_status shell_file(struct shell *shell, const char *path, struct gsc_error *err);
/* A failure, after the output that precedes it; *err is empty then. */
void shell_tell(struct shell *shell, struct gsc_error *err);
/* "gpu-sh: FILE:LINE", for messages. */
void take_place(struct shell *shell, const char *file, unsigned line);
/* A file as a text; free() it. */
char *script_read(const char *path, struct gsc_error *err);
#define NO_SCRIPT "not a script: it has a zero byte"

/* ---- memory.c: x ----------------------------------------------------------------------------- */

extern const struct command memory_command;

/* ---- child.c: other processes, and signals --------------------------------------------------- */

enum gsc_status child_tool(struct shell *shell, const struct verb *verb,
			   const struct words *words, struct gsc_error *err);
/* By sh -c. */
enum gsc_status child_system(struct shell *shell, const char *commands, struct gsc_error *err);

struct outlet_state {
	int saved;			/* standard output as it was, or -1 */
	pid_t pid;			/* of the reader of the pipe, or 0 */
};

/* "~/file", as users expect: in `buf`, or the name unchanged. */
const char *path_home(const char *name, char *buf, size_t size);
enum gsc_status outlet_open(const struct line *line, struct outlet_state *state,
			    struct gsc_error *err);
enum gsc_status outlet_close(const struct line *line, struct outlet_state *state,
			     struct gsc_error *err);

/*
 * Work on a device, in a child: touching a mapping of a device that is gone is a SIGBUS, and that
 * must not end the session with its journal. The context comes from shared_new(). `confined`: it
 * only reads, and its inputs may include files. False: it did not end normally.
 */
typedef void child_fn(struct shell *shell, void *context);
bool child_work(struct shell *shell, bool confined, child_fn *work, void *context);

/* By noting them, or as a program expects them. */
void signals_catch(bool ours);
/* Until *open is restored, or used to wait, no signal arrives: so none is missed. */
void signals_hold(sigset_t *open);
/* The latter, and none is held or ignored. */
void signals_default(void);
extern volatile sig_atomic_t signal_seen,	/* the last one meant to stop something, or 0 */
	signal_ends,			/* it was meant to end the shell, too */
	window_changed, was_resumed;	/* until that is dealt with */

/* ---- session.c ------------------------------------------------------------------------------- */

/* Definitions of the options and of the user, compiled by a confined child. */
enum gsc_status session_definitions(struct shell *shell, struct gsc_error *err);
/* The session's platform and view, opened if that was not done. */
enum gsc_status session_need(struct shell *shell, struct gsc_error *err);
/* Is a device of this machine read? */
bool session_live(const struct shell *shell);
/* The names of what is read; free() the array. */
const char **session_names(const struct shell *shell, size_t *count);
/* The GPU of the session's sources, opened for reading and, if requested, for writing. */
enum gsc_status session_open(struct shell *shell, bool write, struct gsc_gpu **gpu,
			     struct gsc_error *err);
void session_close(struct gsc_gpu *gpu);
/* Replaces the sources; the old ones stay if it fails. `now`: they are opened, too. */
enum gsc_status session_switch(struct shell *shell, const char *const *specs, size_t count,
			       const char *platform, bool now, struct gsc_error *err);
void session_free(struct shell *shell);
void session_tell(struct shell *shell);
/* "live", "a.tar b.bin": free() it. */
char *session_sources(const struct shell *shell);
/* "-p" and "--platform", before the sources of from. */
bool is_platform_option(const char *word);
verb_fn from_run, platform_run, set_run;

/* ---- write.c: what stores -------------------------------------------------------------------- */

struct write_record {
	char *target, *word;		/* as given; word: of its value */
	enum gsc_write_operation operation;
	struct gsc_written written;
	char *sources;			/* of the session then */
	char *problem;			/* what was wrong with it, or NULL */
	size_t undoes;			/* the number of another one, or 0 */
	bool undone;
	bool forced;			/* it would have been refused without force */
	bool was_read;			/* a read that wrote an index: nothing else should change */
};

/* "NAME = V" */
enum gsc_status write_line(struct shell *shell, const char *text, struct gsc_error *err);
/* Would it be refused? In a dry run, the accesses of a hazard are shown. */
enum gsc_status write_check(struct shell *shell, const char *target,
			    enum gsc_write_operation operation, const char *value,
			    struct gsc_error *err);
/*
 * Runs a plan and reports it; the record gets the result, and is in the journal then, if anything
 * was stored. `insist`: an undo even of what has changed since.
 */
enum gsc_status write_plan(struct shell *shell, struct gsc_write_plan *plan,
			   struct write_record *record, bool insist, struct gsc_error *err);
/*
 * Runs a command; one that reads registers behind an index or a doorbell, which takes writes, gets
 * the rights for them.
 */
enum gsc_status tool_run(struct shell *shell, const struct verb *verb, const struct words *words,
			 struct gsc_error *err);
/* GSC_USAGE: reading these needs a write, which is not allowed. */
enum gsc_status read_allowed(const struct shell *shell, const struct gsc_selection *selection,
			     const char *name, struct gsc_error *err);

/* ---- journal.c, replay.c --------------------------------------------------------------------- */

void write_record_free(struct write_record *record);
/* Keeps copies of its strings. */
bool journal_add(struct shell *shell, const struct write_record *record);
/* There is a write that is not undone. */
bool journal_pending(const struct shell *shell);
enum gsc_status undo_all(struct shell *shell, struct gsc_error *err);
verb_fn journal_run, undo_run, replay_run;

/* As JSON, the document of the running command, with its list of events; events_end() closes it. */
#define SH_SCHEMA "gpuscope.sh/1"
void events_begin(struct shell *shell);
struct gsc_json *event_begin(struct shell *shell);
void event_end(struct shell *shell);
void events_end(struct shell *shell);
/* Number i of the journal, counted from 1; 0: it is not in there. */
void event_record(struct shell *shell, const struct write_record *record, size_t number);
/* Nothing was written, and why. */
void event_refused(struct shell *shell, const char *name, const char *operation, const char *given,
		   enum gsc_status status, const struct gsc_error *err);

/* ---- wait.c ---------------------------------------------------------------------------------- */

verb_fn wait_run;
/* The register of a target, whole, as it is now. */
enum gsc_status register_read(struct shell *shell, const struct target *target, const char *name,
			      uint64_t *value, struct gsc_error *err);

/* ---- complete.c ------------------------------------------------------------------------------ */

/* What the word from `start` to `end` of the line may become; *files: also names of files. */
void complete(struct shell *shell, const char *line, size_t start, size_t end,
	      struct words *found, bool *files);

/* ---- input.c, edit.c: where lines come from -------------------------------------------------- */

/* Typed lines; false: there is no editing here. */
bool edit_run(struct shell *shell);
/* Lines from standard input as they come. */
enum gsc_status input_run(struct shell *shell);
void prompt_text(const struct shell *shell, char *buf, size_t size);
#define PROMPT_SIZE 160
/* Whether the user at the terminal answers with yes. */
bool ask(const char *question);

/* ---- the shell ------------------------------------------------------------------------------- */

struct shell {
	struct common common;
	/* Options. */
	bool writes, dry_run, force, undo_on_exit;
	struct strings commands;	/* of each -c, in their order */

	bool interactive, quit;
	bool indexes;			/* the command may write in order to read */
	bool stdin_taken;		/* the commands come from there */
	bool to_file;			/* what the command prints */
	struct words from;		/* the session's sources */
	char *platform;			/* as given for them, or NULL */
	bool opened;
	struct identity *identity;	/* of the sources, or NULL: a platform alone */
	unsigned depth;			/* of files within files, and of force */
	char place[300];		/* "gpu-sh", "gpu-sh: FILE:LINE": for messages */

	struct gsc_json json;		/* the document of the command that runs, */
	bool json_begun;		/* if it has one */

	VEC(struct write_record) journal;
};

#endif
