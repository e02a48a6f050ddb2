/* SPDX-License-Identifier: MIT */
/* Lines from standard input as they come: a script, or a terminal without editing. */
#include "sh.h"

#include <errno.h>
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

/* An interrupt drops the line that was begun. */
static bool interrupted(struct shell *shell)
{
	if (!shell->interactive || errno != EINTR || signal_ends())
		return false;
	clearerr(stdin);
	signal_forget();
	put("\n");
	return true;
}

enum gsc_status plain_run(struct shell *shell)
{
	enum gsc_status status = GSC_OK, now;
	size_t room = 0;
	char *line = NULL;

	for (unsigned number = 1; !shell->quit && !signal_ends(); number++) {
		if (shell->interactive) {
			signal_forget();
			put_prompt(shell);
		}
		errno = 0;
		if (getline(&line, &room, stdin) < 0) {
			if (interrupted(shell))
				continue;
			break;
		}
		now = shell_text(shell, shell->interactive ? NULL : "standard input", line,
				 number);
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
