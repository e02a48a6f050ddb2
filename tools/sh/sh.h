/* SPDX-License-Identifier: MIT */
/*
 * gpu-sh: a session. A line is split into words and a table of verbs decides; commands that only
 * read and decode run in a child, so that an interrupt stops them and not the shell. The shell's
 * process has what has state: sources, writes and their journal.
 */
#ifndef SH_H
#define SH_H

#include "cli/cli.h"
#include "cli/writing.h"
#include "tools.h"

#include <signal.h>

struct shell;

/* ---- line.c: lines and words ----------------------------------------------------------------- */

struct words {
	char **items;
	size_t count;
};

void words_free(struct words *words);
/* A copy of the text; false: memory is out. */
bool words_add(struct words *words, const char *text, size_t length);

#define NO_SCRIPT "not a script: it has a zero byte"

enum outlet { OUTLET_SAME, OUTLET_PIPE, OUTLET_FILE, OUTLET_APPEND };

struct line {
	char *text;			/* without what is below */
	enum outlet outlet;
	char *target;			/* of the outlet: shell commands, or a file */
	bool ignore;			/* a leading "-": the script continues if it fails */
};

/* How many bytes of the text belong to its first command; its terminator follows. */
size_t line_length(const char *text);
/* How many bytes precede the comment. */
size_t comment_start(const char *text);
/* A copy of it, in one line. */
char *line_copy(const char *text, size_t length);
/* The innermost command: what is repeated, or forced. */
const char *inner_command(const char *text);
/* How many bytes precede the | or > that redirects the output: all, if there is none. */
size_t outlet_at(const char *text);
/* A \ at the end of the line continues it. */
bool line_continues(const char *text);
/* No words: nothing to do. */
enum gsc_status line_read(struct line *line, const char *text, size_t length,
			  struct gsc_error *err);
void line_free(struct line *line);
enum gsc_status words_split(struct words *words, const char *text, struct gsc_error *err);
/* Past the first word and the blanks after it. */
const char *past_word(const char *text);

/* Past a quoted stretch, a parenthesis or a plain character; NULL: the quote has no end. */
const char *past_piece(const char *p);
/* "NAME:FIELD |= V", "$NAME = V"; the pointers may be NULL. */
bool assigns(const char *text, enum gsc_write_operation *operation, const char **value);
/* The same with copies, to be freed. */
bool assignment_read(const char *text, char **target, enum gsc_write_operation *operation,
		     char **value);
const char *operation_word(enum gsc_write_operation operation);

/* ---- verbs.c --------------------------------------------------------------------------------- */

enum verb_flag {
	VERB_FROM = 1 << 0,		/* its command takes the session's sources and platform, */
	VERB_WAKE = 1 << 1,		/* and --wake */
	VERB_NUMBERS = 1 << 2,		/* operands are numbers, or expressions */
	VERB_EXPRESSION = 1 << 3,	/* what follows is one: | and > are operators in it */
	VERB_COMMAND = 1 << 4,		/* a command follows, which is expanded when it runs */
	VERB_FORMAT = 1 << 5,		/* "print/x" */
};

struct verb {
	const char *name, *usage;
	const char *help;		/* a line */
	bool often;			/* in the short help, which fits a screen */
	const char *more;		/* examples and remarks, lines; or NULL */
	const struct command *command;	/* run in a child, with `before` before the words */
	const char *before;
	enum gsc_status (*run)(struct shell *shell, const char *rest, struct gsc_error *err);
	unsigned flags;
	/* Changes the words that its command gets, or NULL. */
	enum gsc_status (*adapt)(struct shell *shell, const struct verb *verb,
				 struct words *words, struct gsc_error *err);
	/*
	 * What its words can be, as for an option's value; a comma goes to the next word. NULL: as
	 * in the command. In a session registers are those of its source: SOURCE is not offered
	 * next to them.
	 */
	const char *value;
};

const struct verb *verb_at(size_t i);	/* NULL past the last */
const struct verb *verb_find(const char *name, size_t length);
/* For the first word of a line, as a verb: "?NAME", "!cmd" and "print/x" need no blank. */
size_t verb_length(const char *text);
/* GSC_UNKNOWN, with the nearest verbs. */
enum gsc_status verb_unknown(const char *name, struct gsc_error *err);
/* What reads registers: a line that begins with no verb. */
const struct verb *verb_read(void);

/* ---- help.c ---------------------------------------------------------------------------------- */

#define OPERATOR_CHARACTERS "=|&^><!;\\#~+-*/%"
enum gsc_status help_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- run.c: carrying out --------------------------------------------------------------------- */

/* All commands of a text, until one fails; first: number of its first line in the file. */
enum gsc_status shell_text(struct shell *shell, const char *name, const char *text,
			   unsigned first);
enum gsc_status shell_file(struct shell *shell, const char *path,
			   const struct strings *arguments, struct gsc_error *err);
/* One command that is neither an alias nor within `if`, with its failure reported. */
enum gsc_status shell_line(struct shell *shell, const char *text, struct gsc_error *err);
/* A failure, after the output that precedes it. */
void shell_tell(struct shell *shell, const struct gsc_error *err);
/* A file as a text; free() it. */
char *script_read(const char *path, struct gsc_error *err);
/* For a text that has ended with this status: GSC_USAGE if an `if` has no end. */
enum gsc_status blocks_end(struct shell *shell, enum gsc_status status, size_t base,
			   struct gsc_error *err);
enum gsc_status repeat_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status force_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status block_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status source_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status system_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status quit_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- say.c ----------------------------------------------------------------------------------- */

enum gsc_status print_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status echo_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status sleep_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- memory.c: x ----------------------------------------------------------------------------- */

extern const struct command memory_command;

/* ---- operand.c: registers as values ---------------------------------------------------------- */

/* Of an expression; registers in it are read. */
enum gsc_status value_of(struct shell *shell, const char *text, uint64_t *value,
			 struct gsc_error *err);
/* Of a register alone, without an upper half; its name may be its address. */
enum gsc_status register_value(struct shell *shell, const char *name, uint64_t *value,
			       struct gsc_error *err);
/* Expressions among the words become numbers where the command takes one. */
enum gsc_status number_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err);
enum gsc_status decode_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err);
/* "rcs0.MI_MODE.STOP_RINGS" is a selector with a colon. */
enum gsc_status selector_words(struct shell *shell, const struct verb *verb,
			       struct words *words, struct gsc_error *err);
enum gsc_status memory_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err);
bool takes_number(const struct option_row *row);

/* ---- names.c: variables, arguments of scripts, aliases --------------------------------------- */

struct named {
	char *name;
	uint64_t value;			/* of a variable */
	char *text;			/* of an alias */
};

struct named_list {
	struct named *items;
	size_t count;
};

void named_free(struct named_list *list);
/* The length of the name of a variable or an alias at the beginning of a text, or 0. */
size_t name_size(const char *text);
/* `target` is "$NAME". */
enum gsc_status variable_set(struct shell *shell, const char *target,
			     enum gsc_write_operation operation, const char *text,
			     struct gsc_error *err);
/* A copy with values for $NAME, $1, $# and $(EXPRESSION), to be freed in any case. */
enum gsc_status expand(struct shell *shell, const char *text, char **expanded,
		       struct gsc_error *err);
/* The value of an expression that has these. */
enum gsc_status expanded_value(struct shell *shell, const char *text, uint64_t *value,
			       struct gsc_error *err);
/* A copy of a command with the meaning of its first word, or NULL. */
char *alias_expand(const struct shell *shell, const char *text, size_t length);
enum gsc_status alias_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status unalias_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- find.c: what there is ------------------------------------------------------------------- */

/* "*STOP*" also matches fields. */
enum gsc_status list_words(struct shell *shell, const struct verb *verb, struct words *words,
			   struct gsc_error *err);
/* "STOP_RINGS" and "0x209c" become the names of registers. */
enum gsc_status show_words(struct shell *shell, const struct verb *verb, struct words *words,
			   struct gsc_error *err);
enum gsc_status apropos_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- child.c: other processes ---------------------------------------------------------------- */

enum gsc_status child_tool(struct shell *shell, const struct verb *verb, const char *rest,
			   struct gsc_error *err);
/* By sh -c. */
enum gsc_status child_system(struct shell *shell, const char *commands, struct gsc_error *err);

struct outlet_state {
	int saved;			/* standard output as it was, or -1 */
	pid_t pid;			/* of the reader of the pipe, or 0 */
};

/* "~/file", as users expect: in `buf`, or the name unchanged. */
const char *path_home(const char *name, char *buf, size_t size);
enum gsc_status outlet_open(const struct shell *shell, const struct line *line,
			    struct outlet_state *state, struct gsc_error *err);
enum gsc_status outlet_close(const struct line *line, struct outlet_state *state,
			     struct gsc_error *err);

/*
 * Work on a device, in a child: touching a mapping of a device that is gone is a SIGBUS, and that
 * must not end the session with its journal. The context comes from child_context(), which both
 * sides see. `confined`: it only reads, and its inputs may include files. False: it did not end
 * normally.
 */
typedef void child_fn(struct shell *shell, void *context);
bool child_work(struct shell *shell, bool confined, child_fn *work, void *context);
void *child_context(size_t size);	/* zeros, or NULL */
void child_context_free(void *context, size_t size);

/* ---- json.c: what the shell itself tells, as JSON -------------------------------------------- */

/* The document of the running command, with its list of events; events_end() closes it. */
void events_begin(struct shell *shell);
struct gsc_json *event_begin(struct shell *shell);
#define SH_SCHEMA "gpuscope.sh/1"
void event_end(struct shell *shell);
void events_end(struct shell *shell);
struct deed;
/* Number i of the journal, counted from 1; 0: it is not in there. */
void event_deed(struct shell *shell, const struct deed *deed, size_t number);
void event_value(struct shell *shell, const char *expression, uint64_t value);
/* Nothing was written, and why. */
void event_refused(struct shell *shell, const char *name, const char *operation, const char *given,
		   enum gsc_status status, const struct gsc_error *err);

/* ---- session.c ------------------------------------------------------------------------------- */

/* definitions.c: those of the options and of the user, compiled by a confined child. */
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
/* The sources of the session, which are opened when something needs them. */
enum gsc_status session_keep(struct shell *shell, const char *const *specs, size_t count,
			     struct gsc_error *err);
/* Replaces the sources; the old ones stay if it fails. */
enum gsc_status session_switch(struct shell *shell, const char *const *specs, size_t count,
			       const char *platform, struct gsc_error *err);
void session_free(struct shell *shell);
enum gsc_status platform_run(struct shell *shell, const char *rest, struct gsc_error *err);
/* "-p" and "--platform", before the sources of from. */
bool is_platform_option(const char *word);
enum gsc_status from_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status set_run(struct shell *shell, const char *rest, struct gsc_error *err);
/* Number i of the settings, or NULL; *value is its place. */
const char *setting_at(struct shell *shell, size_t i, bool **value);
void session_tell(struct shell *shell);
/* "live", "a.tar b.bin": free() it. */
char *session_sources(const struct shell *shell);

/* ---- value.c: what is written, and what is waited for ---------------------------------------- */

/* A number, the word for a value of the field, or an expression. */
enum gsc_status target_value(struct shell *shell, const struct target *target, const char *text,
			     uint64_t *value, struct gsc_error *err);
/* "1s", "500ms" */
bool parse_time(const char *text, uint64_t *milliseconds);
enum gsc_status wait_run(struct shell *shell, const char *rest, struct gsc_error *err);

/* ---- write.c, journal.c ---------------------------------------------------------------------- */

struct deed {
	char *target, *word;		/* as given; word: of its value */
	enum gsc_write_operation operation;
	struct gsc_written written;
	char *sources;			/* of the session then */
	char *problem;			/* what was wrong with it, or NULL */
	size_t undoes;			/* the number of another one, or 0 */
	bool undone;
	bool forced;			/* it would have been refused without force */
	bool looked;			/* a read that wrote an index: nothing else should change */
};

/* "NAME = V", if the text has that form; else *is is false. */
enum gsc_status write_line(struct shell *shell, const char *text, bool *is, struct gsc_error *err);
/* Would it be refused? In a dry run, the accesses of a hazard are shown. */
enum gsc_status write_check(struct shell *shell, const char *target,
			    enum gsc_write_operation operation, const char *value,
			    struct gsc_error *err);
/*
 * Runs a plan and reports it; the deed gets the result, and is in the journal then, if anything was
 * stored. `insist`: an undo even of what has changed since.
 */
enum gsc_status write_plan(struct shell *shell, struct gsc_write_plan *plan, struct deed *deed,
			   bool insist, struct gsc_error *err);
/* A plan, as --dry-run shows it. */
void plan_shown(struct shell *shell, const struct gsc_write_plan *plan);
void deed_free(struct deed *deed);
/* Keeps copies of its strings. */
bool journal_add(struct shell *shell, const struct deed *deed);
enum gsc_status journal_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status undo_run(struct shell *shell, const char *rest, struct gsc_error *err);
enum gsc_status undo_all(struct shell *shell, struct gsc_error *err);
enum gsc_status replay_run(struct shell *shell, const char *rest, struct gsc_error *err);
/* There is a write that is not undone. */
bool journal_pending(const struct shell *shell);

/* ---- look.c ---------------------------------------------------------------------------------- */

/* Runs a command; one that reads registers gets the rights that it needs to read them. */
enum gsc_status look_run_tool(struct shell *shell, const struct verb *verb, const char *rest,
			      struct gsc_error *err);
/* GSC_USAGE: reading these needs a write, which is not allowed. */
enum gsc_status look_allowed(const struct shell *shell, const struct gsc_selection *selection,
			     const char *name, struct gsc_error *err);

/* ---- complete.c ------------------------------------------------------------------------------ */

/* What the word from `start` to `end` of the line may become; *files: also names of files. */
void complete(struct shell *shell, const char *line, size_t start, size_t end,
	      struct words *found, bool *files);

/* ---- edit.c, plain.c: where lines come from -------------------------------------------------- */

/* Typed lines; false: there is no editing here. */
bool edit_run(struct shell *shell);
enum gsc_status plain_run(struct shell *shell);
void prompt_text(const struct shell *shell, char *buf, size_t size);
#define PROMPT_SIZE 160
#define PROMPT_MORE "> "		/* of a continued line */
/* Whether the user at the terminal answers with yes. */
bool ask(const char *question);

/* ---- history.c ------------------------------------------------------------------------------- */

/* Where the typed lines are kept; false: nowhere. The file exists then. */
bool history_path(const struct common *common, char *path, size_t size);
#define HISTORY_GROUPS 256
/* Under sudo that file belongs to the caller: it is accessed only between these two. */
struct history {
	bool other, changed;
	uid_t uid;
	gid_t gid, groups[HISTORY_GROUPS];
	int count;
};
bool history_begin(struct history *history);
void history_end(struct history *history);

/* ---- signal.c -------------------------------------------------------------------------------- */

void signals_catch(void);
/* Until *open is restored, or used to wait, no signal arrives: so none is missed. */
void signals_hold(sigset_t *open);
/* As a program expects them. */
void signals_default(void);
int signal_seen(void);			/* the last one meant to stop something, or 0 */
void signal_forget(void);
bool signal_ends(void);			/* it was meant to end the shell, too */
bool window_changed(void);		/* since it was last asked */
bool was_resumed(void);			/* likewise: stopped, and continued */

/* ---- the shell ------------------------------------------------------------------------------- */

#define BLOCKS_MAX 16

struct shell {
	struct common common;
	/* Options. */
	bool writes, dry_run, force, undo_on_exit;
	struct strings commands;	/* of each -c, in their order */
	const char *file;		/* -f: what follows are its arguments */

	bool interactive, quit;
	bool looks;			/* the command may write in order to read */
	bool stdin_taken;		/* the commands come from there */
	bool to_file;			/* what the command prints */
	struct words from;		/* the session's sources */
	char *platform;			/* as given for them, or NULL */
	bool opened;
	struct identity *identity;	/* of the sources, or NULL: a platform alone */
	unsigned depth;			/* of files within files, and repeats */
	enum gsc_status last;		/* of the command before */
	struct named_list variables, aliases;
	struct strings arguments;	/* of the script that runs */
	struct block {			/* of `if` */
		bool runs, taken, otherwise;	/* taken: a part of it was run; else was there */
		char place[300];
	} blocks[BLOCKS_MAX];
	size_t block_count, block_base;	/* base: those that are not of the file that runs */
	char place[300];		/* "gpu-sh", "gpu-sh: FILE:LINE": for messages */

	struct gsc_json json;		/* the document of the command that runs, */
	bool json_begun;		/* if it has one */

	struct deed *deeds;
	size_t deed_count;
};

#endif
