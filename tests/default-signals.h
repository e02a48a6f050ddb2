/* SPDX-License-Identifier: MIT */
/*
 * Every signal as it is by default, neither ignored nor blocked, whoever started the tests: under
 * nohup or in a CI they would not be what they are for a user, and a shell cannot change what was
 * ignored when it started.
 */
#ifndef DEFAULT_SIGNALS_H
#define DEFAULT_SIGNALS_H

#include <signal.h>
#include <stddef.h>

static inline void default_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;
	sigset_t none;

	for (int number = 1; number <= SIGRTMAX; number++)
		if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_IGN)
			sigaction(number, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

#endif
