/* SPDX-License-Identifier: MIT */
/* Lines from standard input as they come: a script, or a terminal without editing. */
#include "sh.h"

#include "cli/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* "demo:skl-hang skl(rw)> ": the source, the platform, and what is not in its default state. */
void prompt_text(const struct shell *shell, char *buf, size_t size)
{
	static const char *const wakes[] = { "", "wake=driver", "wake=registers", "wake=none" };
	const char *name = shell->from.count ? shell->from.items[0] : "live";
	const char *slash = strrchr(name, '/');
	unsigned wake = shell->common.wake;
	bool live = session_live(shell);
	char modes[80] = "";

	*buf = 0;
	if (shell->opened && shell->identity) {
		string_addf(buf, size, "%.40s", slash && slash[1] ? slash + 1 : name);
		if (shell->from.count > 1)
			string_addf(buf, size, "+%zu", shell->from.count - 1);
		string_addf(buf, size, " ");
		gsc_text_clean(buf);
	}
	if (shell->opened && live && wake && wake < ARRAY_SIZE(wakes))
		append_word(modes, sizeof(modes), ",", wakes[wake]);
	if (shell->force)
		append_word(modes, sizeof(modes), ",", "force");
	if (shell->dry_run || (shell->writes && live))
		append_word(modes, sizeof(modes), ",", shell->dry_run ? "dry-run" : "rw");
	string_addf(buf, size, "%s%s%s%s> ",
		    shell->opened ? platform_of(&shell->common)->name : SHELL_NAME,
		    *modes ? "(" : "", modes, *modes ? ")" : "");
}

static void put(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		return;
}

/* ---- a terminal ----------------------------------------------------------------------------- */

#define TYPED_MAX 4097			/* the longest line of a terminal, with its NUL */

/*
 * At an interrupt a terminal drops the line that poll() has just reported: a read must not wait for
 * it. On a separate descriptor, because programs started by the shell read from the same input.
 */
static int open_terminal(void)
{
	int terminal = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return terminal < 0 ? STDIN_FILENO : terminal;
}

/* The length of a line, which a terminal gives as a whole; 0: it ended, -1: it was interrupted. */
static ssize_t read_terminal(int terminal, char *line, size_t size)
{
	struct pollfd input = { terminal, POLLIN, 0 };
	ssize_t length = -1;
	sigset_t open;
	int ready;

	*line = 0;
	while (length < 0) {
		signals_hold(&open);
		do
			ready = signal_seen ? -1 : ppoll(&input, 1, NULL, &open);
		while (ready < 0 && errno == EINTR && !signal_seen);
		sigprocmask(SIG_SETMASK, &open, NULL);
		if (ready <= 0) {
			put("\n");
			return -1;
		}
		length = read(terminal, line, size - 1);
		if (length < 0 && errno != EAGAIN && errno != EINTR)
			return 0;
	}
	line[length] = 0;
	return length;
}

bool ask(const char *question)
{
	int terminal = open_terminal();
	char answer[64];

	put(question);
	put(" [y/N] ");
	read_terminal(terminal, answer, sizeof(answer));
	if (terminal != STDIN_FILENO)
		close(terminal);
	return *answer == 'y' || *answer == 'Y';
}

/* An interrupt drops the line that was begun. */
static void run_typed(struct shell *shell)
{
	int terminal = open_terminal();
	char prompt[PROMPT_SIZE], line[TYPED_MAX];
	ssize_t length = -1;

	while (length && !shell->quit && !signal_ends) {
		signal_seen = 0;
		prompt_text(shell, prompt, sizeof(prompt));
		put(prompt);
		length = read_terminal(terminal, line, sizeof(line));
		if (length > 0)
			shell_text(shell, NULL, line, 1);
	}
	if (!shell->quit)
		put("\n");
	if (terminal != STDIN_FILENO)
		close(terminal);
}

/* ---- a script ------------------------------------------------------------------------------- */

enum gsc_status input_run(struct shell *shell)
{
	static const char name[] = "standard input";
	enum gsc_status status = GSC_OK, now;
	struct gsc_error err;
	char *line = NULL, what[40];
	size_t room = 0;
	ssize_t length;

	if (shell->interactive) {
		run_typed(shell);
		return GSC_OK;
	}
	for (unsigned number = 1; !shell->quit && !signal_seen; number++) {
		length = getline(&line, &room, stdin);
		if (length <= 0)
			break;
		/* Anything after a zero byte in its line would be lost: no script has one. */
		if (strlen(line) != (size_t)length) {
			string_set(what, "%s:%u", name, number);
			now = err_set(&err, GSC_FAILED, what, NO_SCRIPT);
			tell(&shell->common, &err);
		} else {
			now = shell_text(shell, name, line, number);
		}
		status = now ? now : status;
		if (status && status != GSC_PARTIAL)
			break;
	}
	free(line);
	return status;
}
