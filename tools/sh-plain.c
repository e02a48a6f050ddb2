/* SPDX-License-Identifier: MIT */
/* Lines from standard input as they come: a script, or a terminal without editing. */
#include "sh.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void prompt_text(const struct shell *shell, char *buf, size_t size)
{
	const char *mode = shell->dry_run ? "(dry-run)" : shell->writes ? "(rw)" : "";

	snprintf(buf, size, "%s%s> ",
		 shell->opened ? shell->common.platform.name : SHELL_NAME, mode);
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
static bool wait_line(void)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
	sigset_t open;
	int ready;

	signals_hold(&open);
	do
		ready = signal_seen() ? -1 : ppoll(&input, 1, NULL, &open);
	while (ready < 0 && errno == EINTR && !signal_seen());
	sigprocmask(SIG_SETMASK, &open, NULL);
	return ready > 0;
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

/* False at the end of input. An interrupt drops the line that was begun. */
static bool read_line(struct shell *shell, char **line, size_t *room, size_t *length)
{
	ssize_t got;

	while (shell->interactive) {
		signal_forget();
		put_prompt(shell);
		if (wait_line())
			break;
		put("\n");
		if (signal_ends())
			return false;
	}
	got = getline(line, room, stdin);
	*length = got < 0 ? 0 : (size_t)got;
	return got >= 0;
}

enum gsc_status plain_run(struct shell *shell)
{
	enum gsc_status status = GSC_OK, now;
	const char *name = shell->interactive ? NULL : "standard input";
	size_t room = 0, length;
	char *line = NULL;

	for (unsigned number = 1; !shell->quit && !signal_ends(); number++) {
		if (!read_line(shell, &line, &room, &length))
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
	free(line);
	return status;
}
