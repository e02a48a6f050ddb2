/* SPDX-License-Identifier: MIT */
/* The progress of work, on stderr, once it lasts longer than a second. */
#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER 1000
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

void progress_show(void *context, uint64_t done, uint64_t total)
{
	struct common *common = context;
	uint64_t now = milliseconds_now();
	char text[80];

	if (!common->progress_from)
		common->progress_from = now;
	if (now - common->progress_from < FIRST_AFTER ||
	    now - common->progress_shown < AGAIN_AFTER || !isatty(STDERR_FILENO) ||
	    terminal_is_dumb() || !total)
		return;
	common->progress_shown = now;
	snprintf(text, sizeof(text), "\r%s: %u %%", common->name,
		 (unsigned)(done * 100 / total));
	write_line(text);
}

void progress_clear(struct common *common)
{
	if (common->progress_shown)
		write_line("\r\033[K");
	common->progress_shown = 0;
}
