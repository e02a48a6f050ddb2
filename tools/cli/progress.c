/* SPDX-License-Identifier: MIT */
/*
 * The progress of work, on stderr, once it lasts longer than two seconds: how much is done, where
 * that is known; before, how long it takes. A timer shows that, because a long input spends its
 * time in one call of the library.
 */
#include "cli.h"
#include "util/text.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#define FIRST_AFTER 2000
#define AGAIN_AFTER 200

uint64_t milliseconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void write_line(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

static const char *name;		/* for the handler, which gets no arguments */
static volatile sig_atomic_t seconds, on_screen;

static void set_timer(time_t first, time_t again)
{
	const struct itimerval times = { { again, 0 }, { first, 0 } };

	setitimer(ITIMER_REAL, &times, NULL);
}

/* Only what signal-safety(7) allows. */
static void show_time(int number)
{
	static const char text[] = ": reading, ";
	char digits[16], *at = digits + sizeof(digits);

	(void)number;
	on_screen = 1;
	*--at = 0;
	*--at = 's';
	*--at = ' ';
	for (int left = seconds++; left || at == digits + sizeof(digits) - 3; left /= 10)
		*--at = (char)('0' + left % 10);
	write_line("\r");
	write_line(name);
	write_line(text);
	write_line(at);
}

void progress_begin(const struct common *common)
{
	struct sigaction action = { .sa_handler = show_time, .sa_flags = SA_RESTART };

	if (common->quiet || common->session || common->command->opens || !common->message_width)
		return;
	name = common->name;
	seconds = FIRST_AFTER / 1000;
	sigaction(SIGALRM, &action, NULL);
	set_timer(FIRST_AFTER / 1000, 1);
}

void progress_show(void *context, uint64_t done, uint64_t total)
{
	struct common *common = context;
	uint64_t now = milliseconds_now();
	char text[80];

	if (!common->progress_from)
		common->progress_from = now;
	if (now - common->progress_from < FIRST_AFTER ||
	    now - common->progress_shown < AGAIN_AFTER || !common->message_width || !total)
		return;
	if (name)
		set_timer(0, 0);
	common->progress_shown = now;
	string_set(text, "\r%s: %u %%", common->name, (unsigned)(done * 100 / total));
	write_line(text);
}

void progress_clear(struct common *common)
{
	if (name)
		set_timer(0, 0);
	if (common->progress_shown || on_screen)
		write_line("\r\033[K");
	common->progress_shown = 0;
	on_screen = 0;
}
