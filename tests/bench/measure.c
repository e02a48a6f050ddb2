/* SPDX-License-Identifier: MIT */
/*
 * measure [-p] RUNS COMMAND... -- COMMAND... [-- ...]: runs the commands in turn, RUNS times each,
 * with their output thrown away, and prints a line each: median and least wall-clock time of the
 * whole process in milliseconds, with -p its time on the processor, in it and in the kernel, and
 * the median in relation to that of the first command.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COMMANDS_MAX 8
#define RUNS_MAX 100000

extern char **environ;

struct command {
	char **argv;
	double *times;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "measure: %s: %s\n", what, why);
	exit(1);
}

static double milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double on_processor(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1e3 +
	       (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e3;
}

static double run(char **argv, const posix_spawn_file_actions_t *actions, bool processor)
{
	struct rusage used;
	double start = milliseconds();
	int status, error;
	pid_t pid;

	error = posix_spawnp(&pid, argv[0], actions, NULL, argv, environ);
	if (error)
		die(argv[0], strerror(error));
	if (wait4(pid, &status, 0, &used) != pid)
		die(argv[0], strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		die(argv[0], "did not end with status 0");
	return processor ? on_processor(&used) : milliseconds() - start;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static size_t split(char **argv, struct command *commands)
{
	size_t count = 0;

	while (*argv && count < COMMANDS_MAX) {
		commands[count++].argv = argv;
		while (*argv && strcmp(*argv, "--"))
			argv++;
		if (*argv)
			*argv++ = NULL;
	}
	return count;
}

static void print(const struct command *command, size_t runs, double base)
{
	double median = command->times[runs / 2];
	char line[200] = "";

	for (char **word = command->argv; *word; word++) {
		const char *slash = strrchr(*word, '/');
		size_t used = strlen(line);

		/* The last part of a path: "bar:/tmp/x/bar" is bar:bar. */
		snprintf(line + used, sizeof(line) - used, "%s%.*s%s", used ? " " : "",
			 (int)strcspn(*word, "/"), *word, slash ? slash + 1 : "");
	}
	printf("%10.3f ms  (least %8.3f)  x %-8.3f %s\n", median, command->times[0], median / base,
	       line);
}

int main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX] = { 0 };
	posix_spawn_file_actions_t actions;
	bool processor = argc > 1 && !strcmp(argv[1], "-p");
	char **words = argv + 1 + processor;
	size_t runs = argc > 2 ? strtoul(words[0], NULL, 10) : 0, count;

	if (argc < 3 + processor || !runs || runs > RUNS_MAX)
		die("usage", "measure [-p] RUNS COMMAND... -- COMMAND... [-- ...]");
	count = split(words + 1, commands);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	for (size_t c = 0; c < count; c++) {
		commands[c].times = calloc(runs, sizeof(double));
		if (!commands[c].times)
			die("memory", "not enough of it");
		run(commands[c].argv, &actions, processor);
	}
	for (size_t i = 0; i < runs; i++)
		for (size_t c = 0; c < count; c++)
			commands[c].times[i] = run(commands[c].argv, &actions, processor);
	for (size_t c = 0; c < count; c++)
		qsort(commands[c].times, runs, sizeof(double), by_size);
	for (size_t c = 0; c < count; c++)
		print(&commands[c], runs, commands[0].times[runs / 2]);
	return 0;
}
