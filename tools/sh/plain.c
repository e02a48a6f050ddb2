/* SPDX-License-Identifier: MIT */
/* Lines from standard input as they come: a script, or a terminal without editing. */
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_STEP 4096

void prompt_text(const struct shell *shell, char *buf, size_t size)
{
	const char *mode = shell->dry_run ? "(dry-run)" : shell->writes ? "(rw)" : "";

	snprintf(buf, size, "%s%s> ",
		 shell->opened ? platform_of(&shell->common)->name : SHELL_NAME, mode);
}

static void put(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;
}

static void put_prompt(const struct shell *shell)
{
	char prompt[64];

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
 * At an interrupt a terminal drops the line that poll() has just told of: a read must not wait
 * for it. Of its own, for what the shell starts reads from the same.
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

static bool make_room(char **line, size_t *room, size_t length)
{
	char *more;

	if (*room - length > 1)
		return true;
	more = realloc(*line, *room + LINE_STEP);
	if (!more)
		return false;
	*line = more;
	*room += LINE_STEP;
	return true;
}

static void begin_line(const struct shell *shell, size_t *length)
{
	signal_forget();
	put_prompt(shell);
	*length = 0;
}

/* False at the end of input. An interrupt drops the line that was begun. */
static bool read_typed(const struct shell *shell, int terminal, char **line, size_t *room,
		       size_t *length)
{
	ssize_t got;

	begin_line(shell, length);
	while (make_room(line, room, *length)) {
		if (!wait_line(terminal)) {
			put("\n");
			if (signal_ends())
				return false;
			begin_line(shell, length);
			continue;
		}
		got = read(terminal, *line + *length, *room - *length - 1);
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		*length += got > 0 ? (size_t)got : 0;
		(*line)[*length] = 0;
		if (got <= 0 || (*line)[*length - 1] == '\n')
			return *length > 0;
	}
	return false;
}

/* What follows a zero byte in its line would be passed over: no script has one. */
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

static bool read_script(char **line, size_t *room, size_t *length)
{
	ssize_t got = getline(line, room, stdin);

	*length = got < 0 ? 0 : (size_t)got;
	return got >= 0;
}

enum gsc_status plain_run(struct shell *shell)
{
	enum gsc_status status = GSC_OK, now;
	const char *name = shell->interactive ? NULL : "standard input";
	int terminal = shell->interactive ? open_terminal() : STDIN_FILENO;
	size_t room = 0, length;
	char *line = NULL;

	for (unsigned number = 1; !shell->quit && !signal_ends(); number++) {
		if (shell->interactive ? !read_typed(shell, terminal, &line, &room, &length) :
					 !read_script(&line, &room, &length))
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
	if (shell->interactive && !shell->quit)
		put("\n");
	if (terminal != STDIN_FILENO)
		close(terminal);
	free(line);
	return status;
}
