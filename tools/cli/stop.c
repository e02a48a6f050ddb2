/* SPDX-License-Identifier: MIT */
/*
 * If a signal ends the command, the handler itself cleans up what must not outlive it: a device
 * kept awake is released, an unfinished file is removed. A flag that is checked between registers
 * would be too late, because a command may be waiting for a pipe that nobody reads, or for a pager;
 * signals that are blocked while a device is held awake would make --watch and long dumps deaf to
 * ^C. So what is added here must be async-signal-safe, and able to handle any moment.
 */
#include "cli.h"

#include <signal.h>

#define RIGHTS_MAX 9

struct right {
	stop_fn *volatile put;
	void *volatile context;
};

/* For the handler, which gets no arguments. The first is called last. */
static struct right rights[RIGHTS_MAX];

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

void stop_put_right(void)
{
	for (size_t i = ARRAY_SIZE(rights); i-- > 0;)
		if (rights[i].put)
			rights[i].put(rights[i].context);
}

/* The signal is blocked while its handler runs, and has its default effect afterwards. */
void stop_now(int number)
{
	stop_put_right();
	signal(number, SIG_DFL);
	raise(number);
}

/* One that was ignored (nohup) stays so. */
void stop_prepare(void)
{
	struct sigaction action = { .sa_handler = stop_now }, before;

	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		sigaddset(&action.sa_mask, ending[i]);
	for (size_t i = 0; i < ARRAY_SIZE(ending); i++)
		if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
}

bool stop_add(stop_fn *put, void *context)
{
	for (size_t i = 1; i < ARRAY_SIZE(rights); i++) {
		if (rights[i].put)
			continue;
		rights[i].context = context;
		rights[i].put = put;
		return true;
	}
	return false;
}

void stop_add_last(stop_fn *put, void *context)
{
	rights[0].context = context;
	rights[0].put = put;
}

void stop_remove(const void *context)
{
	for (size_t i = 0; i < ARRAY_SIZE(rights); i++)
		if (rights[i].context == context)
			rights[i].put = NULL;
}
