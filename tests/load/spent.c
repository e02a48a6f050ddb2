/* SPDX-License-Identifier: MIT */
/*
 * spent FILE COMMAND...: runs it, and writes to FILE how much processor time it took, in
 * milliseconds, and the maximum of its own memory, in kB; ends with the command's status.
 * Wall-clock time would measure the machine, and its other load.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(const struct rusage *used)
{
	return (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000 +
	       (used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1000;
}

/* Of /proc/PID/status: pages of mapped files do not count, those of tmpfs and memfd do. */
static long memory_of(pid_t pid)
{
	static const char *const words[] = { "RssAnon:", "RssShmem:" };
	char path[40], line[200];
	long sum = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (!strncmp(line, words[i], strlen(words[i])))
				sum += atol(line + strlen(words[i]));
	if (file)
		fclose(file);
	return sum;
}

int main(int argc, char **argv)
{
	struct timespec pause = { 0, 2000000 };
	struct rusage used = { 0 };
	long most = 0, now;
	int status = 0;
	FILE *file;
	pid_t pid;

	if (argc < 3)
		return 2;
	pid = fork();
	if (!pid) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	while (pid > 0 && !wait4(pid, &status, WNOHANG, &used)) {
		now = memory_of(pid);
		most = now > most ? now : most;
		nanosleep(&pause, NULL);
	}
	file = fopen(argv[1], "we");
	if (pid < 0 || !file || fprintf(file, "%ld %ld\n", milliseconds(&used), most) < 0 ||
	    fclose(file))
		return 126;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
