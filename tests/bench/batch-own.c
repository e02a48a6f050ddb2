/* SPDX-License-Identifier: MIT */
/* batch-own COMMAND...: the maximum of its anonymous memory, sampled every millisecond. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long own_memory(pid_t pid)
{
	char name[64], line[200];
	long size = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "RssAnon:", 8))
			size = strtol(line + 8, NULL, 10);
	if (file)
		fclose(file);
	return size;
}

int main(int argc, char **argv)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	long most = 0, now;
	pid_t pid = argc > 1 ? fork() : -1;
	int status;

	if (!pid) {
		if (dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) >= 0)
			execvp(argv[1], argv + 1);
		_exit(127);
	}
	while (pid > 0 && !waitpid(pid, &status, WNOHANG)) {
		now = own_memory(pid);
		most = now > most ? now : most;
		nanosleep(&moment, NULL);
	}
	if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return 1;
	printf("%10ld KiB\n", most);
	return 0;
}
