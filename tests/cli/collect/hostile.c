/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: what gpu-collect has to do with is hostile. Environment:
 *
 *   HOSTILE_CHILD  what its child does in place of its work: "fill N" fills the memory that it
 *                  shares with its parent with a byte, and ends well; "wait" ignores signals and
 *                  stays
 *   HOSTILE_KMSG   a file with one record a line that is read as /dev/kmsg
 *   HOSTILE_DIES   the process is killed before its Nth call that changes a file or waits for
 *                  its child; if there are fewer, HOSTILE_DONE is created
 */
#undef _FILE_OFFSET_BITS		/* both open() and open64() must exist here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static bool is_child;

#define REAL(name) static __typeof__(&name) real; real = real ? real : dlsym(RTLD_NEXT, #name)

/* ---- the child ------------------------------------------------------------------------------- */

static void fill(int byte)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1000];

	while (maps && fgets(line, sizeof(line), maps)) {
		unsigned long first, last;

		if (strstr(line, " rw-s ") && strstr(line, "/dev/zero") &&
		    sscanf(line, "%lx-%lx", &first, &last) == 2)
			memset((void *)first, byte, last - first);
	}
	_exit(0);
}

pid_t fork(void)
{
	const char *what = getenv("HOSTILE_CHILD");
	pid_t pid;
	REAL(fork);

	pid = real();
	if (pid)
		return pid;
	is_child = true;
	if (what && !strncmp(what, "fill ", 5))
		fill(atoi(what + 5));
	if (what && !strcmp(what, "wait"))
		for (signal(SIGTERM, SIG_IGN), signal(SIGALRM, SIG_IGN);;)
			pause();
	return 0;
}

/* Its parent is not patient. */
int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *most)
{
	const struct timespec soon = { .tv_nsec = 100000000 };
	REAL(sigtimedwait);

	return real(set, info, getenv("HOSTILE_CHILD") ? &soon : most);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	static time_t later;
	int result;
	REAL(clock_gettime);

	result = real(clock, now);
	if (getenv("HOSTILE_CHILD") && clock == CLOCK_MONOTONIC && !is_child)
		now->tv_sec += later += 50;
	return result;
}

/* ---- the log --------------------------------------------------------------------------------- */

static int open_log(void)
{
	FILE *file = fopen(getenv("HOSTILE_KMSG"), "r");
	char line[8192];
	int ends[2];

	if (!file || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
		abort();
	while (fgets(line, sizeof(line), file))
		if (send(ends[1], line, strlen(line), MSG_DONTWAIT) < 0)
			abort();
	fclose(file);
	close(ends[1]);
	return ends[0];
}

/* ---- its end --------------------------------------------------------------------------------- */

static unsigned calls;

static void count_call(void)
{
	const char *dies = getenv("HOSTILE_DIES");

	if (dies && !is_child && ++calls == (unsigned)atoi(dies))
		kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void survived(void)
{
	const char *dies = getenv("HOSTILE_DIES"), *done = getenv("HOSTILE_DONE");

	if (dies && !is_child && calls < (unsigned)atoi(dies))
		close(creat(done, 0600));
}

static int do_open(int (*real)(int, const char *, int, ...), int folder, const char *path,
		   int flags, mode_t mode)
{
	if (!strcmp(path, "/dev/kmsg") && getenv("HOSTILE_KMSG"))
		return open_log();
	if (flags & O_CREAT)
		count_call();
	return real(folder, path, flags, mode);
}

#define OPEN_AT(name)                                                                              \
	int name(int folder, const char *path, int flags, ...)                                     \
	{                                                                                          \
		va_list more;                                                                      \
		mode_t mode;                                                                       \
		REAL(name);                                                                        \
												   \
		va_start(more, flags);                                                             \
		mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                 \
		va_end(more);                                                                      \
		return do_open(real, folder, path, flags, mode);                                   \
	}

OPEN_AT(openat)
OPEN_AT(openat64)

#define OPEN(name, name_at)                                                                        \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		va_list more;                                                                      \
		mode_t mode;                                                                       \
		REAL(name_at);                                                                     \
												   \
		va_start(more, flags);                                                             \
		mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                 \
		va_end(more);                                                                      \
		return do_open(real, AT_FDCWD, path, flags, mode);                                 \
	}

OPEN(open, openat)
OPEN(open64, openat64)

#define CHANGES(type, name, parameters, arguments)                                                 \
	type name parameters                                                                       \
	{                                                                                          \
		REAL(name);                                                                        \
												   \
		count_call();                                                                      \
		return real arguments;                                                             \
	}

CHANGES(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
CHANGES(int, fsync, (int fd), (fd))
CHANGES(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
CHANGES(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
CHANGES(int, linkat, (int from, const char *old, int to, const char *new, int flags),
	(from, old, to, new, flags))
CHANGES(int, mkdir, (const char *path, mode_t mode), (path, mode))
CHANGES(pid_t, waitpid, (pid_t pid, int *ended, int options), (pid, ended, options))
CHANGES(ssize_t, sendto, (int fd, const void *data, size_t size, int flags,
	const struct sockaddr *to, socklen_t length), (fd, data, size, flags, to, length))
