/* SPDX-License-Identifier: MIT */
/*
 * cli/: what every command provides to its user, written once: the option table and its help and
 * addresses with their space (options), operands that are sources (operands), commands to paste
 * (hints), the course of a command and its exit status (run: options, rights given up, operands,
 * the command, the output closed), definitions, source and platform as the options say (source,
 * config), files as bytes (input), standard output with colour and pager (output), files that
 * are written and their names by the time (file), which rights are given up before anything is
 * read (confine; syscalls runs in the build), also by children (child), what still needs a path
 * (outside), progress, what a signal must clean up (stop). Nothing here knows what a command
 * does. writing.h has what the commands share that write registers.
 */
#ifndef COMMON_H
#define COMMON_H

#include "out/out.h"
#include "util/util.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "out/keys.h"

struct gsc_breach;

#define SHELL_NAME "gpu-sh"

struct common;
struct passwd;
typedef enum gsc_status run_fn(struct common *common, struct gsc_error *err);

enum option_kind {
	OPTION_FLAG,			/* bool */
	OPTION_HELP,			/* enum help; "=all" may follow */
	OPTION_COUNT,			/* unsigned, how often it was given */
	OPTION_STRING,			/* const char * */
	OPTION_LIST,			/* struct strings, may be repeated */
	OPTION_CHOICE,			/* unsigned, the index in `argument`, "auto|always|never" */
	OPTION_NUMBER,			/* uint64_t */
	OPTION_ADDRESS,			/* struct address */
	OPTION_SECONDS,			/* uint64_t, milliseconds */
};

struct strings {
	const char **items;
	size_t count;
};

/*
 * What is possible in one place of the command line, given once for every completion: words, and in
 * capitals what is looked up: DEFINITIONS (files), DEVICE, ENGINE, FILE, FOLDER, ITEM (a command,
 * structure or instruction), LEVEL, NONE (nothing), PIXELS, PLATFORM, REGISTER, SOURCE.
 * sh/complete.c and the scripts in completions/ have a function for each of them.
 */
#define IN_HELP "HELP"			/* the words in the option's help, after its colon */

struct option_row {
	char letter;			/* or 0 */
	const char *name, *argument;	/* argument NULL: it takes none */
	enum option_kind kind;
	size_t offset;			/* in the command's own struct common */
	const char *help;		/* NULL: it is accepted, to be refused */
	const char *value;		/* possible arguments; of a flag: possible operands */
	bool often;			/* in the short --help, which fits a screen */
};

/* A word that comes first among a command's operands: "gpu-db show". */
struct subcommand {
	const char *name, *help;
	const char *value;		/* possible operands */
	run_fn *run;
	size_t least, most;		/* operands */
	unsigned take;			/* enum take */
	const char *options;		/* the command's own options that go with it */
};

/* For the table of a command that reads devices: its reads may hang them, or change something. */
#define UNSAFE_OPTION                                                         \
	{ 0, "unsafe", NULL, OPTION_FLAG, offsetof(struct common, unsafe),    \
	  "also read registers whose reads may hang the GPU or change state" }

/*
 * `name` cannot be combined with any of `others` ("list watch"); or, with `needs`, only with one of
 * them.
 */
struct option_rule {
	const char *name, *others;
	bool needs;
};

/* Which operands stand for --from; a number never does. */
enum take {
	TAKE_SPECS = 1 << 0,		/* demo:NAME, bar:PATH and similar, devices */
	TAKE_KNOWN = 1 << 1,		/* files of a known kind */
	TAKE_SURE = 1 << 2,		/* those that are more than lines of two numbers */
	TAKE_PATHS = 1 << 3,		/* anything with a slash: no name has one */
	TAKE_FILES = 1 << 4,		/* every file that exists */
	TAKE_STDIN = 1 << 5,		/* "-" */
	TAKE_ALL = 1 << 6,		/* nothing else is possible */
	TAKE_ALONE = 1 << 7,		/* operands are sources already: no session adds to them */
	TAKE_KCORE = 1 << 8,		/* the memory of this machine is a source, too */
};

/* Where names, numbers or nothing are expected. */
#define TAKE_BESIDE_NAMES (TAKE_SPECS | TAKE_KNOWN | TAKE_PATHS | TAKE_STDIN)
#define TAKE_BESIDE_NUMBERS (TAKE_BESIDE_NAMES | TAKE_FILES)
#define TAKE_ANY (TAKE_BESIDE_NUMBERS | TAKE_ALL)

/* Which of enum take applies with the given options. */
typedef unsigned take_fn(const struct common *common);

struct command {
	const char *name, *purpose;
	/*
	 * What follows the name, one line each; NULL ends, "" ends the lines of the short --help.
	 */
	const char *const *usage;
	size_t size;			/* of its own struct, which begins with struct common */
	/* Before rights are given up, with the options read; or NULL. */
	void (*prepare)(struct common *common);
	run_fn *run;			/* a failure with nothing in *err has been reported */
	const struct option_row *options;
	size_t option_count;
	const struct option_rule *rules;
	size_t rule_count;
	bool opens;			/* files that it is told of later: its children read them */
	const char *saves;		/* the verb that names a file itself without -o; "": any */
	const char *value;		/* possible operands */
	const struct subcommand *subcommands;	/* its first operand is one of them */
	size_t subcommand_count;
	take_fn *take;			/* NULL: no operand is a source */
	/* With a platform named, and no source, does it read none? NULL: this machine's GPU. */
	bool (*reads_none)(const struct common *common);
};

enum help { HELP_NONE, HELP_SHORT, HELP_ALL };

enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* What the shell passes to a command that it runs: it applies where the typed words say nothing. */
struct session {
	const char *name;		/* in messages: "gpu-sh", "gpu-sh: FILE:LINE" */
	const char *verb;		/* what was typed */
	struct strings from;		/* for a command that names no source */
	const char *platform;
	const struct common *options;	/* of the shell: those that every command has, */
	bool wakes;			/* --wake among them */
};

struct complaint;

/* A copy in memory of what can be read only once. */
struct kept_file {
	char *path;
	int fd;
};

struct common {
	const struct command *command;
	const struct session *session;	/* NULL: run by itself */
	const char *name;		/* in messages: the command's, or its caller's */
	bool in_session;		/* it reads what the shell reads */
	bool child;			/* of the shell: it opens only what is named */

	/* As given. */
	struct strings from, defines;
	const char *platform_name;
	const char *verb;		/* in the shell: what was typed, or ""; else NULL */
	bool platform_guessed;		/* one of several: it is not named */
	bool platform_warned;		/* about -p if the source says otherwise */
	bool json, ndjson, no_user_config, no_pager, quiet, version;
	bool unsafe;			/* of commands that have UNSAFE_OPTION */
	bool write;			/* of the shell: the source must be writable */
	bool guc;			/* it uses messages of a GuC that a driver gives */
	bool without_registers;		/* it continues if those of a device are refused */
	unsigned verbose, wake, colour;	/* wake: enum gsc_wake; colour: enum colour_mode */
	unsigned help;			/* enum help */
	uint64_t given;			/* a bit for each option, the command's own first */
	const char *const *operands;	/* without those that are sources */
	size_t operand_count;
	const char **words;		/* holds them */

	/* Derived from that. */
	struct gsc_db *db;
	struct gsc_source *source;	/* NULL if none was needed */
	struct gsc_gpu *gpu;		/* NULL: the platform is unknown */
	int device, revision;		/* or -1 */
	bool live;			/* a device is read */
	bool rereads;			/* it may open the same source again */
	struct kept_file *kept;
	size_t kept_count;
	char not_kept[100];		/* why the last was not, or "" */
	struct outside {		/* the process of outside.c */
		bool begun;
		int socket;
		pid_t pid;
	} outside;
	bool confined, confined_wholly;	/* for reading; permanently */
	int landlock;			/* its version; 0: there is none */
	bool filtered;			/* system calls are filtered */
	bool device_left;		/* rights kept: a device may be read */
	bool capable;			/* and files that need a capability */
	struct gsc_out *out;
	char *hints, *extract;		/* what gsc_out.options and prefix were given */
	bool hides_folders;		/* in them: they are printed for others */
	pid_t pager;
	int pager_fd;
	struct complaint *complaints;	/* lines for stderr, after the output */
	size_t complaint_count;
	unsigned message_width;		/* of the terminal of stderr; 0: it is none */
	uint64_t progress_from, progress_shown;
};

/* Of the GPU; NULL if the platform is unknown. */
static inline const struct gsc_view *view_of(const struct common *common)
{
	return common->gpu ? gsc_gpu_view(common->gpu) : NULL;
}

/* Likewise; without a name. */
static inline const struct gsc_platform *platform_of(const struct common *common)
{
	static const struct gsc_platform unknown;

	return common->gpu ? gsc_gpu_platform(common->gpu) : &unknown;
}

/* The whole of a command, from its words to its exit status. */
int command_run(const struct command *command, int argc, char **argv,
		const struct session *session);

/* ---- options.c ------------------------------------------------------------------------------ */

enum gsc_status options_read(struct common *common, int argc, char **argv, struct gsc_error *err);
void options_free(struct common *common);
/* Was an option given? By its long name. */
bool option_given(const struct common *common, const char *name);
/* The value of a string option; NULL: it was not given. */
const char *option_text(const struct common *common, const char *name);
/* The next row of a command's options that --help lists, its own first; NULL after the last. */
const struct option_row *option_next(const struct command *command, size_t *i);
/* Words and capitals, or "". */
const char *option_value(const struct option_row *row);
/* The next of them; false after the last. */
bool value_next(const char **value, char *word, size_t size);
/* Every option, or those that fit a screen. */
void help_write(struct gsc_out *out, const struct command *command, bool all);

/* ---- addresses, in options.c ---------------------------------------------------------------- */

/* "0x1000", or with a space, as addresses are printed: "ggtt:0x1000", "ppgtt:0x1000". */
struct address {
	uint64_t at;
	const char *name;		/* of the space; NULL: none is named */
	enum gsc_space space;
};

/* The length of "ggtt:" at the beginning of a text, or 0; *address gets the space. */
size_t address_prefix(const char *text, struct address *address);
bool address_read(const char *text, struct address *address);
/* Does it name this space? */
bool address_in(const struct address *address, enum gsc_space space);
/* GSC_USAGE about `what`: it names a space that is neither the global one nor one of processes. */
enum gsc_status address_graphics(const struct address *address, const char *what,
				 struct gsc_error *err);

/* ---- operands.c, hints.c -------------------------------------------------------------------- */

/* NULL: it is none of them. */
const struct subcommand *subcommand_find(const struct command *command, const char *word);
/* Operands that are plainly sources come before those of --from. */
enum gsc_status operands_take(struct common *common, struct gsc_error *err);
/* A word as sh(1) and the shell read it back; FILE for standard input. */
const char *shell_quoted(const char *word, char *buf, size_t size);
/*
 * Commands that common->out prints must read the same source: `first`, unless it is NULL, and what
 * --from says, unless that is `alone`.
 */
void hints_set(struct common *common, const char *first, bool alone);
/* Those of a dump in the source: "gpu-snap extract -s FILE PART | gpu-batch -s -". */
void hints_inside(struct common *common, const char *first, const char *part);
/* The beginning of such a command, by the name without its "gpu-": "gpu-batch -s FILE". */
const char *hint_command(const struct common *common, const char *name, char *buf, size_t size);
#define HINT_SIZE 1000

/* ---- errors --------------------------------------------------------------------------------- */

/* err_set() for what the user could have written otherwise. */
#define usage_error(err, what, ...) err_set(err, GSC_USAGE, what, __VA_ARGS__)
/* For an option with an impossible value. */
enum gsc_status option_error(const char *option, const char *value, const char *why,
			     struct gsc_error *err);
/* The worse of two: 1, 2, 4, 5, 3, 6, 0. */
enum gsc_status worse(enum gsc_status a, enum gsc_status b);
/* A line on stderr, now. */
void warn(const struct common *common, const char *what, const char *why);
/* A failure, likewise. */
void tell(const struct common *common, const struct gsc_error *err);
/*
 * A line on stderr, after the output. If the command ends with GSC_PARTIAL, up to 20 of them are
 * shown; with another failure, the first one of that status.
 */
void complain(struct common *common, enum gsc_status status, const char *what, const char *why);

/* ---- source.c, config.c --------------------------------------------------------------------- */

/* The definitions: built-in, --define and the user's own; once. */
enum gsc_status definitions_open(struct common *common, struct gsc_error *err);
/* FILE, which may be NULL, and what --from adds to it, to be freed; NULL: memory is out. */
const char **specs_with(const struct common *common, const char *file, size_t *count);
/* A source by its specs, opened as the options say; none: the GPU of this machine. */
enum gsc_status source_open(struct common *common, const char *const *specs, size_t count,
			    bool identity_only, struct gsc_source **source, struct gsc_error *err);
/*
 * Closes what source_open() gave, or NULL; with gsc_source_close() alone a signal might find it
 * half closed.
 */
void source_close(struct gsc_source *source);
/* Definitions, and what --from says or this machine's GPU as common->source. */
enum gsc_status common_source(struct common *common, bool identity_only, struct gsc_error *err);
/* The same, and the GPU that it shows. */
enum gsc_status common_open(struct common *common, struct gsc_error *err);
/* Only one command reads logs: GSC_UNKNOWN, naming it, if common->source is one. */
enum gsc_status refuse_log(struct common *common, struct gsc_error *err);
/* The same for commands that read nothing: the platform alone. */
enum gsc_status common_open_platform(struct common *common, struct gsc_error *err);
/* The platform alone, if the definitions are loaded. */
enum gsc_status platform_open(struct common *common, struct gsc_error *err);
/*
 * The sources; or one FILE, which is a source or whatever `open` takes it for. Then the platform is
 * needed too, and a source only if one is named. content: "dwords".
 */
enum gsc_status common_open_file(struct common *common, run_fn *open, const char *content,
				 bool identity_only, struct gsc_error *err);
/* A GPU without a source: a platform, or -1, of common->device and revision. */
enum gsc_status common_definitions(struct common *common, int platform, struct gsc_error *err);
/* The GPU that a source shows. */
enum gsc_status common_gpu(struct common *common, struct gsc_source *source, struct gsc_error *err);
void common_gpu_close(struct common *common);
/* Says what was damaged in a source, or NULL; GSC_PARTIAL if anything was. */
enum gsc_status complain_damage(struct common *common, const struct gsc_source *source);
/* With common->without_registers: says what is missing because of it. */
enum gsc_status complain_refusal(struct common *common);
/* Likewise, if nothing but registers would do: the refusal, into *err. */
enum gsc_status refused(const struct common *common, struct gsc_error *err);
/* Why they are refused, without what to do about it. */
const char *refusal_reason(const struct gsc_error *refusal, char *buf, size_t size);
/* The names of its parts; free() the array. */
const char **source_names(const struct gsc_source *source, size_t *count);

/*
 * Whether a file of configuration, or one in this folder, may be read: it belongs to the user who
 * runs the command or to root, and nobody else can write it. If others can, a warning says so.
 */
bool config_trusted(const struct common *common, const char *path, const struct stat *st);
void user_definitions(struct common *common);
/* Makes this call for its folder and each of the files, which may be links. */
void user_definitions_list(struct common *common, void (*take)(void *context, const char *path),
			   void *context);
/* Under sudo and similar HOME may still be that of the calling user. */
bool another_user(void);
/* SUDO_UID and similar: decimal. */
bool calling_id(const char *variable, uint32_t *id);
/* Who called sudo or pkexec; NULL: nobody, or an unknown user. */
const struct passwd *calling_user(void);

/* The built-in dumps, one per line. */
void demos_write(struct gsc_out *out);

/* ---- output.c ------------------------------------------------------------------------------- */

/* TERM=dumb: it supports only plain lines. */
bool terminal_is_dumb(void);
/* COLUMNS, or what the terminal reports itself. */
unsigned terminal_width(int fd);
/* Opens common->out: standard output, through the pager if it is a terminal and `page`. */
enum gsc_status output_open(struct common *common, bool page, struct gsc_error *err);
/* Text for a terminal, without a pager: has its beginning left the screen? */
bool output_scrolled(const struct common *common);
/* Starts a pager that waits for output, if one may be needed. */
void pager_prepare(struct common *common);
static inline bool wants_json(const struct common *common)
{
	return common->json || common->ndjson;
}

/* Text begins with a line of these names, unless -q is given. */
void title_begin(const struct common *common, const char *const *sources, size_t count);
/* A document as the options say: schema, platform, device, source. */
void document_begin(const struct common *common, const char *schema, const char *const *sources,
		    size_t count, struct gsc_json *json);
/* The same with the names of common->source, which may be NULL. */
void source_title(const struct common *common);
void source_document(const struct common *common, const char *schema, struct gsc_json *json);
/* What a rule has found: a line, or an element of the open list. False: nobody reads it. */
bool finding_put(const struct common *common, struct gsc_json *json,
		 const struct gsc_breach *breach);
/* -q and -v, for gsc_text_rows() and its like. */
unsigned text_flags(const struct common *common);
/* Writes what is left and waits for the pager; a closed pipe is GSC_OK, and *closed. */
enum gsc_status output_close(struct common *common, bool *closed, struct gsc_error *err);

/* ---- confine.c ------------------------------------------------------------------------------ */

/*
 * Before anything is read: from here on only what the command line names can be opened, for
 * reading, and what the GPU of this machine needs if one may be read. It does nothing for the shell
 * itself, which reads no source: its children are confined.
 */
void confine_to_sources(struct common *common);
/*
 * Sources are open: if none of them is a device, the rights for one are given up, and every
 * capability. output_open() and file_save() call it, and children that do neither; -vv says how far
 * that went.
 */
void confine(struct common *common);

/* ---- child.c -------------------------------------------------------------------------------- */

/* Memory that a child shares, zeros; or NULL. */
void *shared_new(size_t size);
void shared_free(void *memory, size_t size);
/* In a child: it reads these sources and no others, as a command that was given them. */
void child_confine(struct common *common, const char **specs, size_t count);
/* The failure that a child tells of, which may have been taken over by what it has read. */
enum gsc_status child_error(const struct gsc_error *told, enum gsc_status status,
			    struct gsc_error *err);

/* ---- outside.c ------------------------------------------------------------------------------ */

/*
 * confine_to_sources() calls it: starts the process that makes and names files for the confined
 * command. If it cannot be started, a confined command writes no file. `saves`: a file is written,
 * `path`, or NULL if the command names it; `folder`: of --kernels.
 */
void outside_begin(struct common *common, bool saves, const char *path, const char *folder);
/* A file without a name by now gets none. */
void outside_end(struct common *common);
/* A file that gets its name when it is committed. */
enum gsc_status outside_save(struct common *common, const char *path, mode_t mode, int *fd,
			     struct gsc_error *err);
/* It gets its name, or is removed; an error number, or 0. */
int outside_end_file(struct common *common, bool commit);
/*
 * A new file in the folder of --kernels, which is created if necessary; or -1, and errno: 0 if
 * `name` is "" and the folder exists.
 */
int outside_make(struct common *common, const char *folder, const char *name);
/* Removes the last of them. */
void outside_remove(struct common *common);
/* For gsc_source_options: `context` is the struct common. */
int outside_temporary(void *context);

/* ---- file.c --------------------------------------------------------------------------------- */

/* errno says why a write failed, if the status is about that; otherwise it is 0. */
typedef enum gsc_status file_write_fn(struct common *common, int fd, const char *path,
				      struct gsc_error *err);

/* Modes of a new file, less the umask: what describes a machine is not for all of its users. */
#define FILE_PRIVATE 0600
#define FILE_SHARED 0666

/*
 * A file as a whole, or none; "-" is standard output. If only a part was available, or the source
 * is damaged, that part is still written, with a message.
 */
enum gsc_status file_save(struct common *common, const char *path, mode_t mode,
			  file_write_fn *write, struct gsc_error *err);
/* Standard output, under any name, if it is a terminal: no place for bytes. */
bool file_is_terminal(const char *path);
/* Makes something that can be read only once available under a name that can be opened again. */
enum gsc_status file_keep(int from, const char *what, char *name, size_t size,
			  struct gsc_error *err);
/*
 * For gsc_source_options: context is the struct common. What can be read only once, standard input
 * too, is kept if common->rereads: it can be opened again by the same name, also by the commands
 * of a session that has opened it.
 */
int file_open(void *context, const char *path);
/* After gsc_source_open() of such options: why something was not kept. */
enum gsc_status file_opened(const struct common *common, enum gsc_status status,
			    struct gsc_error *err);
void file_kept_free(struct common *common);
/* A pipe: whoever it is, its writer expects one reader. */
bool file_is_pipe(const char *path);

/* ---- names by the time, in file.c ----------------------------------------------------------- */

/* Seconds since 1970, or the value of SOURCE_DATE_EPOCH; GSC_USAGE: that is no time. */
enum gsc_status clock_now(time_t *now, struct gsc_error *err);
/* For a file without a given name: "gpuscope-skl-20261121-130000" and `end`. */
void clock_name(const struct common *common, time_t now, const char *end, char *buf, size_t size);

/* ---- stop.c --------------------------------------------------------------------------------- */

/* Called in a signal handler: only what signal-safety(7) allows. */
typedef void stop_fn(void *context);

/* From now on a signal that ends the command first calls everything that was added. */
void stop_prepare(void);
/* False if there is no room. Nothing is called at a normal end. */
bool stop_add(stop_fn *put, void *context);
/* One that may take time: it is called after the others. */
void stop_add_last(stop_fn *put, void *context);
void stop_remove(const void *context);
/*
 * What the handler does: everything that was added; then the process ends as the signal would have
 * ended it.
 */
void stop_put_right(void);
void stop_now(int number);

/* ---- progress.c ----------------------------------------------------------------------------- */

/* From now on, work that takes long shows it, until progress_clear(). */
void progress_begin(const struct common *common);
/* For gsc_rows_options: context is the struct common. */
void progress_show(void *context, uint64_t done, uint64_t total);
void progress_clear(struct common *common);
uint64_t milliseconds_now(void);

#endif
