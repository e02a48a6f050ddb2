/* SPDX-License-Identifier: MIT */
/* Lines from standard input as they come: a script, or a terminal without editing. */
#include "sh.h"

#include "cli/text.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_STEP 4096

/* "demo:skl-hang ", "hang.txt+1 " */
static void source_label(const struct shell *shell, char *buf, size_t size)
{
	const char *name = shell->from.count ? shell->from.items[0] : "live", *slash;
	char more[24] = "";

	*buf = 0;
	if (!shell->opened || !shell->identity)
		return;
	slash = strrchr(name, '/');
	if (shell->from.count > 1)
		snprintf(more, sizeof(more), "+%zu", shell->from.count - 1);
	snprintf(buf, size, "%.40s%s ", slash && slash[1] ? slash + 1 : name, more);
	gsc_text_clean(buf);
}

/* What is not in its default state. */
static void add_mode(char *buf, size_t size, const char *word)
{
	string_addf(buf, size, "%s%s", *buf ? "," : "(", word);
}

void prompt_text(const struct shell *shell, char *buf, size_t size)
{
	static const char *const wakes[] = { "", "wake=driver", "wake=registers", "wake=none" };
	unsigned wake = shell->common.wake;
	char modes[80] = "", source[64];

	if (shell->block_count)
		add_mode(modes, sizeof(modes), "if");
	if (shell->opened && session_live(shell) && wake && wake < ARRAY_SIZE(wakes))
		add_mode(modes, sizeof(modes), wakes[wake]);
	if (shell->force)
		add_mode(modes, sizeof(modes), "force");
	if (shell->dry_run || (shell->writes && session_live(shell)))
		add_mode(modes, sizeof(modes), shell->dry_run ? "dry-run" : "rw");
	source_label(shell, source, sizeof(source));
	snprintf(buf, size, "%s%s%s%s> ", source,
		 shell->opened ? platform_of(&shell->common)->name : SHELL_NAME, modes,
		 *modes ? ")" : "");
}

static void put(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;
}

static void put_prompt(const struct shell *shell)
{
	char prompt[PROMPT_SIZE];

	prompt_text(shell, prompt, sizeof(prompt));
	put(prompt);
}

/* A terminal gives whole lines: after this there is one, or the end of input. */
static bool wait_line(int terminal)
{
	struct pollfd input = { terminal, POLLIN, 0 };
	sigset_t open;
	int ready;

	signals_hold(&open);
	do
		ready = signal_seen() ? -1 : ppoll(&input, 1, NULL, &open);
	while (ready < 0 && errno == EINTR && !signal_seen());
	sigprocmask(SIG_SETMASK, &open, NULL);
	return ready > 0;
}

/*
 * At an interrupt a terminal drops the line that poll() has just reported: a read must not wait for
 * it. On a separate descriptor, because programs started by the shell read from the same input.
 */
static int open_terminal(void)
{
	int terminal = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return terminal < 0 ? STDIN_FILENO : terminal;
}

bool ask(const char *question)
{
	int terminal = open_terminal();
	char answer[64] = "";

	put(question);
	put(" [y/N] ");
	if (wait_line(terminal)) {
		if (read(terminal, answer, sizeof(answer) - 1) < 0)
			*answer = 0;
	} else {
		put("\n");
	}
	if (terminal != STDIN_FILENO)
		close(terminal);
	return *answer == 'y' || *answer == 'Y';
}

static bool make_room(char **line, size_t *room, size_t wanted)
{
	char *more;

	if (*room >= wanted)
		return true;
	more = realloc(*line, wanted + LINE_STEP);
	if (!more)
		return false;
	*line = more;
	*room = wanted + LINE_STEP;
	return true;
}

/* False at the end of input. An interrupt drops the line that was begun: it is empty then. */
static bool read_typed(const struct shell *shell, int terminal, char **line, size_t *room,
		       size_t *length)
{
	ssize_t got;

	signal_forget();
	put_prompt(shell);
	*length = 0;
	while (make_room(line, room, *length + 2)) {
		if (!wait_line(terminal)) {
			put("\n");
			**line = 0;
			*length = 0;
			return !signal_ends();
		}
		got = read(terminal, *line + *length, *room - *length - 1);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		*length += got > 0 ? (size_t)got : 0;
		(*line)[*length] = 0;
		if (got > 0 && line_continues(*line)) {
			put(PROMPT_MORE);
			continue;
		}
		if (got <= 0 || (*line)[*length - 1] == '\n')
			return *length > 0;
	}
	return false;
}

/* Anything after a zero byte in its line would be lost: no script has one. */
static enum gsc_status check_text(struct shell *shell, const char *line, size_t length,
				  unsigned number)
{
	struct gsc_error err;

	if (strlen(line) == length)
		return GSC_OK;
	err = (struct gsc_error){ .status = GSC_FAILED, .why = NO_SCRIPT };
	snprintf(err.what, sizeof(err.what), "standard input:%u", number);
	tell(&shell->common, &err);
	return GSC_FAILED;
}

/* A line of standard input, with its continuation lines. */
static bool read_script(char **line, size_t *room, size_t *length, unsigned *lines)
{
	size_t more_room = 0;
	char *more = NULL;
	ssize_t got = getline(line, room, stdin);

	*length = got < 0 ? 0 : (size_t)got;
	for (*lines = 1; got > 0 && line_continues(*line); ++*lines) {
		got = getline(&more, &more_room, stdin);
		if (got <= 0 || !make_room(line, room, *length + (size_t)got + 1))
			break;
		memcpy(*line + *length, more, (size_t)got + 1);
		*length += (size_t)got;
	}
	free(more);
	return *length > 0;
}

enum gsc_status plain_run(struct shell *shell)
{
	enum gsc_status status = GSC_OK, now;
	const char *name = shell->interactive ? NULL : "standard input";
	int terminal = shell->interactive ? open_terminal() : STDIN_FILENO;
	size_t room = 0, length;
	unsigned lines = 1;
	struct gsc_error err = { 0 };
	char *line = NULL;

	for (unsigned number = 1; !shell->quit && !signal_ends(); number += lines) {
		if (shell->interactive ? !read_typed(shell, terminal, &line, &room, &length) :
					 !read_script(&line, &room, &length, &lines))
			break;
		now = check_text(shell, line, length, number);
		if (!now)
			now = shell_text(shell, name, line, number);
		if (shell->interactive)
			continue;
		status = now ? now : status;
		if (signal_seen() || (status && status != GSC_PARTIAL))
			break;
	}
	status = blocks_end(shell, status, 0, &err);
	if (*err.why)
		tell(&shell->common, &err);
	if (shell->interactive && !shell->quit)
		put("\n");
	if (terminal != STDIN_FILENO)
		close(terminal);
	free(line);
	return status;
}
