/* SPDX-License-Identifier: MIT */
/*
 * Somebody at a terminal: types into a command and waits for what it shows.
 *
 *	pty COMMAND... <SCRIPT
 *
 * A line of SCRIPT is one of
 *	type TEXT	\t \n \\ and \xHH are as in C
 *	expect TEXT	in what has been shown since the last one that was met
 *	lacks TEXT	there is none of it in what was shown up to the last one that was met
 *	size ROWS COLUMNS
 *	end STATUS	the command ends so
 *	within MS	so many milliseconds at most from the start to the last one that was met
 * Nothing is timed but by `within`: what is expected may take half a minute.
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 30000
#define SHOWN_MAX (1u << 20)

static char shown[SHOWN_MAX];
static size_t shown_size, met, met_before;
static long long started, met_at;
static unsigned line_number;
static int terminal;
static pid_t child;

static long long microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void fail(const char *what, const char *text)
{
	printf("line %u: %s: %s\n---- shown:\n%.*s\n----\n", line_number, what, text,
	       (int)(shown_size - met_before), shown + met_before);
	kill(child, SIGKILL);
	exit(1);
}

/* False at the end of the output, or if nothing comes. */
static int read_more(int patience)
{
	struct pollfd ready = { terminal, POLLIN, 0 };
	ssize_t got;

	if (patience <= 0 || poll(&ready, 1, patience) <= 0 || shown_size == SHOWN_MAX)
		return 0;
	got = read(terminal, shown + shown_size, SHOWN_MAX - shown_size);
	if (got <= 0)
		return 0;
	shown_size += (size_t)got;
	return 1;
}

static void expect(const char *text)
{
	long long until = microseconds() + PATIENCE * 1000LL;
	char *at;

	while (!(at = memmem(shown + met, shown_size - met, text, strlen(text))))
		if (!read_more((int)((until - microseconds()) / 1000)))
			fail("not shown", text);
	met_at = microseconds();
	met_before = met;
	met = (size_t)(at - shown) + strlen(text);
}

static void lacks(const char *text)
{
	if (memmem(shown + met_before, met - met_before, text, strlen(text)))
		fail("is shown", text);
}

static void end(const char *text)
{
	int status = 0, left = PATIENCE;

	while (read_more(PATIENCE))
		;
	for (; !waitpid(child, &status, WNOHANG); left -= 10) {
		if (left <= 0)
			fail("has not ended, with status", text);
		poll(NULL, 0, 10);
	}
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (status != atoi(text)) {
		char got[20];

		snprintf(got, sizeof(got), "%d", status);
		fail("ended with status", got);
	}
}

static size_t unescape(char *text)
{
	char *to = text, *begin = text;
	unsigned code;

	for (; *text; text++) {
		if (*text != '\\') {
			*to++ = *text;
			continue;
		}
		text++;
		if (*text == 't') {
			*to++ = '\t';
		} else if (*text == 'n') {
			*to++ = '\r';
		} else if (*text == 'x' && sscanf(text + 1, "%2x", &code) == 1) {
			*to++ = (char)code;
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	return (size_t)(to - begin);
}

static void type(char *text)
{
	size_t size = unescape(text);

	if (write(terminal, text, size) != (ssize_t)size)
		fail("cannot type", strerror(errno));
}

static void resize(const char *text)
{
	struct winsize size = { 0 };

	if (sscanf(text, "%hu %hu", &size.ws_row, &size.ws_col) != 2 ||
	    ioctl(terminal, TIOCSWINSZ, &size))
		fail("no size", text);
}

static void within(const char *text)
{
	char took[60];

	snprintf(took, sizeof(took), "it took %lld us", met_at - started);
	if (met_at - started > 1000LL * atoi(text))
		fail("too late", took);
	if (getenv("PTY_VERBOSE"))
		puts(took);
}

static void carry_out(char *line)
{
	static const struct {
		const char *word;
		void (*run)(const char *text);
	} words[] = {
		{ "expect ", expect }, { "lacks ", lacks }, { "size ", resize },
		{ "end ", end },       { "within ", within },
	};

	line[strcspn(line, "\n")] = 0;
	if (!*line || *line == '#')
		return;
	if (!strncmp(line, "type ", 5)) {
		type(line + 5);
		return;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncmp(line, words[i].word, strlen(words[i].word))) {
			words[i].run(line + strlen(words[i].word));
			return;
		}
	fail("not understood", line);
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	char line[4096];

	if (argc < 2)
		return 2;
	started = microseconds();
	child = forkpty(&terminal, NULL, NULL, &size);
	if (child < 0)
		return 2;
	if (!child) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (fgets(line, sizeof(line), stdin)) {
		line_number++;
		carry_out(line);
	}
	kill(child, SIGHUP);
	return 0;
}
