/* SPDX-License-Identifier: MIT */
/* Typed lines, with readline: editing, completion, history. */
#include "sh.h"

#if HAVE_READLINE

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#define HISTORY_MAX 1000

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
static size_t kind_length(const char *text)
{
	static const char *const kinds[] = { "bar:", "ggtt:", "mem:", "lmem:", "elf:", "config:" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strncmp(text, kinds[i], strlen(kinds[i])))
			return strlen(kinds[i]);
	return 0;
}

static char *next_file(const char *text, int state)
{
	size_t kind = kind_length(text), size;
	char *name = rl_filename_completion_function(text + kind, state), *full;

	if (!name || !kind)
		return name;
	size = kind + strlen(name) + 1;
	full = malloc(size);
	if (full)
		snprintf(full, size, "%.*s%s", (int)kind, text, name);
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

/* A line with this end needs another one. */
static bool is_open(const char *word)
{
	size_t length = strlen(word);

	return length && strchr(".:", word[length - 1]);
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
	if (matches && !matches[1] && is_open(matches[0]))
		rl_completion_append_character = 0;
	words_free(&typing.found);
	return matches;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void take_line(char *line)
{
	typing.line = line;
	typing.done = true;
	rl_callback_handler_remove();
}

/* An interrupt drops the line that was begun. */
static bool drop_line(void)
{
	if (!signal_seen())
		return false;
	rl_free_line_state();
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	if (write(STDOUT_FILENO, "\n", 1) < 0)
		return true;
	return true;
}

/*
 * While a terminal drops its input for an interrupt it may seem to have some: unless signals are
 * let in first, the read would wait for another key.
 */
static void read_key(const sigset_t *open)
{
	sigset_t held;

	sigprocmask(SIG_SETMASK, open, &held);
	sigprocmask(SIG_SETMASK, &held, NULL);
	if (!signal_seen())
		rl_callback_read_char();
}

static void wait_key(const sigset_t *open)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };

	if (ppoll(&input, 1, NULL, open) > 0)
		read_key(open);
	else if (window_changed())
		rl_resize_terminal();
	if (!typing.done && was_resumed()) {
		rl_deprep_terminal();
		rl_prep_terminal(1);
		rl_forced_update_display();
	}
}

/* A line, NULL at the end of input; a signal that drops it leaves an empty one. */
static char *read_part(const char *prompt, const sigset_t *open)
{
	typing.line = NULL;
	typing.done = false;
	signal_forget();
	rl_callback_handler_install(prompt, take_line);
	while (!typing.done) {
		wait_key(open);
		if (!typing.done && drop_line())
			return signal_ends() ? NULL : strdup("");
	}
	return typing.line;
}

/* The same, with its continuation lines. */
static char *read_line(const sigset_t *open)
{
	char prompt[PROMPT_SIZE], *line, *more, *whole;
	bool goes_on = true;

	prompt_text(typing.shell, prompt, sizeof(prompt));
	line = read_part(prompt, open);
	while (line && goes_on) {
		if (asprintf(&whole, "%s\n", line) < 0)
			break;
		goes_on = line_continues(whole);
		more = goes_on ? read_part(PROMPT_MORE, open) : NULL;
		if (more && *more) {
			free(line);
			if (asprintf(&line, "%s%s", whole, more) < 0)
				line = NULL;
		} else {
			/* A dropped line takes the others with it. */
			if (goes_on)
				*line = 0;
			goes_on = false;
		}
		free(more);
		free(whole);
	}
	return line;
}

/* Completion has left blanks at the end. */
static void remember(char *line, const char *path)
{
	HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
	size_t length = strlen(line);
	struct history history = { 0 };

	while (length && strchr(" \t", line[length - 1]))
		line[--length] = 0;
	for (size_t i = 1; i < length; i++)
		if (line[i] == '\n')	/* of a continued line */
			line[i - 1] = line[i] = ' ';
	if (!line[strspn(line, " \t")] || (last && !strcmp(last->line, line)))
		return;
	add_history(line);
	if (path && history_begin(&history))
		append_history(1, path);
	history_end(&history);
}

/* Signals are handled while a key is awaited, and while commands run, but not inside readline. */
static void read_lines(struct shell *shell, const char *path)
{
	sigset_t open;
	char *line;

	while (!shell->quit && !signal_ends()) {
		signals_hold(&open);
		line = read_line(&open);
		sigprocmask(SIG_SETMASK, &open, NULL);
		if (!line)
			break;
		remember(line, path);
		shell_text(shell, NULL, line, 1);
		free(line);
	}
	if (!shell->quit && write(STDOUT_FILENO, "\n", 1) < 0)
		return;
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

	snprintf(path, sizeof(path), "%s%s", named ? named : home ? home : "",
		 named ? "" : "/.inputrc");
	trusted = stat(path, &st) ||
		  (!another_user() && config_trusted(&shell->common, path, &st));
	if (!trusted)
		setenv("INPUTRC", "/etc/inputrc", 1);
	rl_initialize();
	if (!trusted && before)
		setenv("INPUTRC", before, 1);
	else if (!trusted)
		unsetenv("INPUTRC");
	free(before);
}

static void prepare(struct shell *shell)
{
	typing.shell = shell;
	rl_readline_name = SHELL_NAME;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_attempted_completion_function = attempt;
	rl_completer_word_break_characters = " \t=|&^><;\"'(+,";
	rl_completer_quote_characters = "\"'";
	rl_filename_quote_characters = " \t\"'\\;|&<>#";
	read_bindings(shell);
	rl_variable_bind("completion-ignore-case", "on");
	using_history();
	stifle_history(HISTORY_MAX);
}

bool edit_run(struct shell *shell)
{
	const char *term = getenv("TERM");
	struct history history = { 0 };
	char path[4096];
	bool kept;

	if (!term || !*term || terminal_is_dumb())
		return false;
	prepare(shell);
	kept = history_path(&shell->common, path, sizeof(path));
	if (kept && history_begin(&history))
		read_history(path);
	history_end(&history);
	read_lines(shell, kept ? path : NULL);
	if (kept && history_begin(&history))
		history_truncate_file(path, HISTORY_MAX);
	history_end(&history);
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
