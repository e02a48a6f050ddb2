/* SPDX-License-Identifier: MIT */
/* Typed lines, with readline: editing, completion, history. */
#include "sh.h"

#if HAVE_READLINE

#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#define HISTORY_MAX 1000
#define GROUPS_MAX 256

/* readline passes no context to its callbacks. */
static struct {
	struct shell *shell;
	char *line;
	bool done;			/* a line is there, or the end of input */
	struct words found;
	size_t next;
	bool files;
} typing;

/* ---- completion ----------------------------------------------------------------------------- */

/* "bar:PATH": the file is what follows. */
static char *next_file(const char *text, int state)
{
	static const char *const kinds[] = { "bar:", "ggtt:", "mem:", "lmem:", "elf:", "config:",
					     "guc-capture:" };
	size_t kind = 0;
	char *name, *full;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			kind = strlen(kinds[i]);
	name = rl_filename_completion_function(text + kind, state);
	if (!name || !kind)
		return name;
	if (asprintf(&full, "%.*s%s", (int)kind, text, name) < 0)
		full = NULL;
	free(name);
	return full;
}

static char *next_found(const char *text, int state)
{
	static int files;

	if (!state)
		files = 0;
	if (typing.next < typing.found.count)
		return strdup(typing.found.items[typing.next++]);
	return typing.files ? next_file(text, files++) : NULL;
}

static char **attempt(const char *text, int start, int end)
{
	char **matches;

	complete(typing.shell, rl_line_buffer, (size_t)start, (size_t)end, &typing.found,
		 &typing.files);
	typing.next = 0;
	rl_attempted_completion_over = 1;
	rl_completion_append_character = ' ';
	rl_filename_completion_desired = typing.files && !typing.found.count;
	matches = rl_completion_matches(text, next_found);
	/* A name with this end needs another one. */
	if (matches && !matches[1] && **matches && strchr(".:", matches[0][strlen(matches[0]) - 1]))
		rl_completion_append_character = 0;
	words_free(&typing.found);
	return matches;
}

/* ---- the history, in $XDG_STATE_HOME/gpuscope ----------------------------------------------- */

/* Under sudo that file belongs to the caller: it is accessed only between these two. */
struct history {
	bool other, changed;
	uid_t uid;
	gid_t gid, groups[GROUPS_MAX];
	int count;
};

/* Without its own id the shell must not continue. */
static void history_end(const struct history *history)
{
	if (history->changed &&
	    (seteuid(history->uid) || setegid(history->gid) ||
	     setgroups((size_t)history->count, history->groups)))
		abort();
}

/*
 * The files of the user who called sudo are handled as that user: the kernel refuses what the user
 * may not do, and new files belong to that user.
 */
static bool history_begin(struct history *history)
{
	const struct passwd *user = calling_user();

	*history = (struct history){ .other = another_user(), .uid = geteuid() };
	if (!history->other)
		return true;
	history->gid = getegid();
	history->count = getgroups(GROUPS_MAX, history->groups);
	if (!user || history->uid || history->count < 0 || setgroups(1, &user->pw_gid))
		return false;
	history->changed = true;
	if (!setegid(user->pw_gid) && !seteuid(user->pw_uid))
		return true;
	history_end(history);
	return false;
}

/* Completion has left blanks at the end. */
static void remember(char *line, const char *path)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
	size_t length = strlen(line);
	struct history history;

	while (length && strchr(BLANKS, line[length - 1]))
		line[--length] = 0;
	if (!line[strspn(line, BLANKS)] || (last && !strcmp(last->line, line)))
		return;
	add_history(line);
	if (path && history_begin(&history)) {
		append_history(1, path);
		history_end(&history);
	}
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void take_line(char *line)
{
	typing.line = line;
	typing.done = true;
	rl_callback_handler_remove();
}

static void wait_key(const sigset_t *open)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	sigset_t held;

	if (ppoll(&input, 1, NULL, open) > 0) {
		/*
		 * While a terminal drops its input for an interrupt it may seem to have some:
		 * unless signals are let in first, the read would wait for another key.
		 */
		sigprocmask(SIG_SETMASK, open, &held);
		sigprocmask(SIG_SETMASK, &held, NULL);
		if (!signal_seen)
			rl_callback_read_char();
	} else if (window_changed) {
		window_changed = 0;
		rl_resize_terminal();
	}
	if (!typing.done && was_resumed) {
		was_resumed = 0;
		rl_deprep_terminal();
		rl_prep_terminal(1);
		rl_forced_update_display();
	}
}

/* A line, NULL at the end of input. An interrupt drops the line that was begun: it is empty. */
static char *read_line(const sigset_t *open)
{
	char prompt[PROMPT_SIZE];

	prompt_text(typing.shell, prompt, sizeof(prompt));
	typing.line = NULL;
	typing.done = false;
	signal_seen = 0;
	rl_callback_handler_install(prompt, take_line);
	while (!typing.done) {
		wait_key(open);
		if (typing.done || !signal_seen)
			continue;
		rl_free_line_state();
		rl_callback_sigcleanup();
		rl_callback_handler_remove();
		if (write(STDOUT_FILENO, "\n", 1) < 0 || signal_ends)
			return NULL;
		return strdup("");
	}
	return typing.line;
}

/*
 * readline reads INPUTRC or ~/.inputrc at its first use; keys bound there type commands. If one is
 * not trusted, the system's is used.
 */
static void read_bindings(const struct shell *shell)
{
	const char *named = getenv("INPUTRC"), *home = getenv("HOME");
	char path[4096], *before = named ? strdup(named) : NULL;
	struct stat st;
	bool trusted;

	string_set(path, "%s%s", named ? named : home ? home : "", named ? "" : "/.inputrc");
	trusted = stat(path, &st) || (!another_user() && config_trusted(&shell->common, path, &st));
	if (!trusted)
		setenv("INPUTRC", "/etc/inputrc", 1);
	rl_initialize();
	if (!trusted && before)
		setenv("INPUTRC", before, 1);
	else if (!trusted)
		unsetenv("INPUTRC");
	free(before);
}

bool edit_run(struct shell *shell)
{
	const char *term = getenv("TERM");
	const struct passwd *user = calling_user();
	struct history history;
	char path[4096], *line;
	sigset_t open;
	bool kept;

	if (!term || !*term || terminal_is_dumb())
		return false;
	typing.shell = shell;
	rl_readline_name = SHELL_NAME;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_attempted_completion_function = attempt;
	rl_completer_word_break_characters = " \t=|&^><;\"'";
	rl_completer_quote_characters = "\"'";
	rl_filename_quote_characters = " \t\"'\\;|&<>#";
	read_bindings(shell);
	rl_variable_bind("completion-ignore-case", "on");
	using_history();
	stifle_history(HISTORY_MAX);
	/* The lines of earlier sessions. */
	kept = history_begin(&history);
	if (kept) {
		kept = state_path(&shell->common, getenv("XDG_STATE_HOME"),
				  user ? user->pw_dir : getenv("HOME"), "history", path,
				  sizeof(path));
		if (kept)
			read_history(path);
		history_end(&history);
	}
	/* Signals are handled while a key is awaited, and while commands run: not in readline. */
	while (!shell->quit && !signal_ends) {
		signals_hold(&open);
		line = read_line(&open);
		sigprocmask(SIG_SETMASK, &open, NULL);
		if (!line)
			break;
		remember(line, kept ? path : NULL);
		shell_text(shell, NULL, line, 1);
		free(line);
	}
	if (!shell->quit && write(STDOUT_FILENO, "\n", 1) < 0)
		kept = false;
	if (kept && history_begin(&history)) {
		history_truncate_file(path, HISTORY_MAX);
		history_end(&history);
	}
	clear_history();
	return true;
}

#else

bool edit_run(struct shell *shell)
{
	(void)shell;
	return false;
}

#endif
