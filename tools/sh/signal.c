/* SPDX-License-Identifier: MIT */
/*
 * An interrupt stops what the shell does and not the shell; other signals end it, but through its
 * normal end, where writes may be undone. So handlers only take note.
 */
#include "sh.h"

static volatile sig_atomic_t seen, ends, resized, resumed;

static const int noted[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void on_signal(int number)
{
	seen = number;
	if (number == SIGTERM || number == SIGHUP)
		ends = 1;
}

/* Only to end a wait. */
static void on_child(int number)
{
	(void)number;
}

static void on_window(int number)
{
	(void)number;
	resized = 1;
}

static void on_resume(int number)
{
	(void)number;
	resumed = 1;
}

/* Calls that wait must be interrupted: no SA_RESTART. */
void signals_catch(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;

	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		if (!sigaction(noted[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(noted[i], &action, NULL);
	action.sa_handler = on_window;
	sigaction(SIGWINCH, &action, NULL);
	action.sa_handler = on_resume;
	sigaction(SIGCONT, &action, NULL);
	action.sa_handler = on_child;
	sigaction(SIGCHLD, &action, NULL);
}

void signals_hold(sigset_t *open)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		sigaddset(&held, noted[i]);
	sigaddset(&held, SIGWINCH);
	sigaddset(&held, SIGCONT);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, open);
}

void signals_default(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL }, before;
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		if (!sigaction(noted[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(noted[i], &action, NULL);
	sigaction(SIGWINCH, &action, NULL);
	sigaction(SIGCONT, &action, NULL);
	sigaction(SIGCHLD, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int signal_seen(void)
{
	return seen;
}

void signal_forget(void)
{
	seen = 0;
}

bool signal_ends(void)
{
	return ends;
}

bool window_changed(void)
{
	bool changed = resized;

	resized = 0;
	return changed;
}

bool was_resumed(void)
{
	bool was = resumed;

	resumed = 0;
	return was;
}
