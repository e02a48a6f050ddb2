/* SPDX-License-Identifier: MIT */
/* Other processes: the commands themselves, in a child; sh; and where output goes. */
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static enum gsc_status system_error(struct gsc_error *err, const char *what)
{
	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%s", what);
	snprintf(err->why, sizeof(err->why), "%s", strerror(errno));
	return GSC_FAILED;
}

/* ---- the beginning and the end of a child --------------------------------------------------- */

/* Passes on an interrupt that came before the child could receive it. */
static void child_started(pid_t pid, const sigset_t *open)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	if (pid > 0 && sigismember(&pending, SIGINT))
		kill(pid, SIGINT);
	sigprocmask(SIG_SETMASK, open, NULL);
}

/* The terminal sends its signals to the child, too; what is sent to the shell is passed on. */
static int wait_for(pid_t pid, bool works)
{
	bool told = false;
	int status = 0;
	sigset_t open;

	signals_hold(&open);
	while (!waitpid(pid, &status, WNOHANG)) {
		if (!told && (signal_ends() || (works && signal_seen())))
			told = !kill(pid, SIGTERM);
		else
			sigsuspend(&open);
	}
	sigprocmask(SIG_SETMASK, &open, NULL);
	return status;
}

/* An error for the way in which sh ended; SIGPIPE and SIGINT are no errors. */
static enum gsc_status sh_status(int status, const char *commands, struct gsc_error *err)
{
	bool signalled = WIFSIGNALED(status);
	int number = signalled ? WTERMSIG(status) : WEXITSTATUS(status);

	if (!status || (signalled && (number == SIGPIPE || number == SIGINT)) ||
	    (!signalled && number == 128 + SIGINT))
		return GSC_OK;
	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%.200s", commands);
	if (signalled)
		snprintf(err->why, sizeof(err->why), "ended by signal %d", number);
	else
		snprintf(err->why, sizeof(err->why), "exit status %d", number);
	return GSC_FAILED;
}

/* A command has reported its own failures, but not the signal that ended it. */
static enum gsc_status tool_status(int status, const char *verb, struct gsc_error *err)
{
	if (WIFEXITED(status))
		return (enum gsc_status)WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGINT)
		return GSC_FAILED;
	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%s", verb);
	snprintf(err->why, sizeof(err->why), "ended by signal %d", WTERMSIG(status));
	return GSC_FAILED;
}

/* ---- the words of a command ----------------------------------------------------------------- */

static bool add(struct words *words, const char *text)
{
	return words_add(words, text, strlen(text));
}

static bool is_before(const struct verb *verb, const char *option)
{
	return verb->before && !strcmp(verb->before, option);
}

/* "watch NAME" is every second. */
static bool lacks_seconds(const struct verb *verb, const struct words *words)
{
	return is_before(verb, "--watch") &&
	       !(words->count && strchr("0123456789.", *words->items[0]) &&
		 strncmp(words->items[0], "0x", 2));
}

/* "diff A" is A and what the session reads. */
static const char *lacks_source(const struct shell *shell, const struct verb *verb,
				const struct words *words)
{
	size_t operands = 0;

	for (size_t i = 0; i < words->count; i++)
		operands += *words->items[i] != '-';
	if (!is_before(verb, "--diff") || operands != 1 || shell->from.count > 1)
		return NULL;
	return shell->from.count ? shell->from.items[0] : "live";
}

/* The typed words, after those that the verb stands for. */
static enum gsc_status make_argv(struct shell *shell, const struct verb *verb, const char *rest,
				 struct words *argv, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	const char *source;
	bool ok;

	*argv = (struct words){ 0 };
	if (!status)
		status = (verb->adapt ? verb->adapt : number_words)(shell, verb, &words, err);
	if (status) {
		words_free(&words);
		return status;
	}
	ok = add(argv, shell->place) && (!shell->looks || add(argv, "--write")) &&
	     (!verb->before || add(argv, verb->before)) &&
	     (!lacks_seconds(verb, &words) || add(argv, "1"));
	for (size_t i = 0; ok && i < words.count; i++)
		ok = add(argv, words.items[i]);
	source = lacks_source(shell, verb, &words);
	ok = ok && (!source || add(argv, source));
	words_free(&words);
	return ok ? GSC_OK : err_memory(err);
}

/* ---- the commands --------------------------------------------------------------------------- */

static void no_stdin(void)
{
	int fd = open("/dev/null", O_RDONLY);

	if (fd >= 0) {
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
}

/* Output in a file can be loaded again if it says what it is about. */
static void put_head(struct shell *shell)
{
	struct common *common = &shell->common;
	struct gsc_error ignored;
	const char **names;
	size_t count;

	if (wants_json(common) || session_need(shell, &ignored) ||
	    output_open(common, false, &ignored))
		return;
	names = session_names(shell, &count);
	gsc_text_head(common->out, platform_of(common)->name, common->device, common->revision,
		      names,
		      count);
	gsc_out_flush(common->out, &ignored);
	gsc_out_free(common->out);
	free(names);
}

enum gsc_status child_tool(struct shell *shell, const struct verb *verb, const char *rest,
			   struct gsc_error *err)
{
	struct session session = {
		.name = shell->place,
		.verb = verb->name,
		.options = &shell->common,
		.wakes = verb->flags & VERB_WAKE,
	};
	struct words argv;
	enum gsc_status status = make_argv(shell, verb, rest, &argv, err);
	sigset_t open;
	pid_t pid;

	if (verb->flags & VERB_FROM) {
		session.from = (struct strings){ (const char **)shell->from.items,
						 shell->from.count };
		session.platform = shell->platform;
	}
	signals_hold(&open);
	if (!status && signal_seen())
		status = GSC_FAILED;
	pid = status ? -1 : fork();
	if (!pid) {
		signals_default();
		if (shell->stdin_taken)
			no_stdin();
		if (verb == verb_read() && shell->to_file)
			put_head(shell);
		_exit(command_run(verb->command, (int)argv.count, argv.items, &session));
	}
	child_started(pid, &open);
	if (!status)
		status = pid < 0 ? system_error(err, verb->name)
				 : tool_status(wait_for(pid, false), verb->name, err);
	words_free(&argv);
	return status;
}

/* ---- work on a device ----------------------------------------------------------------------- */

void *child_context(size_t size)
{
	void *context = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return context == MAP_FAILED ? NULL : context;
}

void child_context_free(void *context, size_t size)
{
	munmap(context, size);
}

/* Like a command that was given the session's sources. */
static void confine_child(struct shell *shell)
{
	struct common *common = &shell->common;

	common->child = true;
	common->from = (struct strings){ (const char **)shell->from.items, shell->from.count };
	common->operand_count = 0;
	confine_to_sources(common);
	common->from.count = 0;
}

/* It handles signals as the shell does, so that a write is completed. */
bool child_work(struct shell *shell, bool confined, child_fn *work, void *context)
{
	sigset_t open;
	pid_t pid;

	signals_hold(&open);
	pid = fork();
	if (!pid) {
		signal(SIGBUS, SIG_DFL);
		sigprocmask(SIG_SETMASK, &open, NULL);
		if (confined)
			confine_child(shell);
		work(shell, context);
		outside_end(&shell->common);
		_exit(0);
	}
	child_started(pid, &open);
	if (pid < 0)
		complain(&shell->common, GSC_FAILED, "cannot start a process", strerror(errno));
	return pid > 0 && !wait_for(pid, true);
}

/* ---- sh ------------------------------------------------------------------------------------- */

/* The arguments of a script are also those of its sh. */
static pid_t spawn_sh(const struct shell *shell, const char *commands, int input)
{
	const struct strings *arguments = &shell->arguments;
	const char **argv = calloc(arguments->count + 5, sizeof(*argv));
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t ignored, none, open;
	pid_t pid = -1;
	int error;

	if (!argv)
		return -1;
	argv[0] = "sh";
	argv[1] = "-c";
	argv[2] = commands;
	argv[3] = SHELL_NAME;
	for (size_t i = 0; i < arguments->count; i++)
		argv[4 + i] = arguments->items[i];
	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawn_file_actions_init(&actions);
	if (input != STDIN_FILENO)
		posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	signals_hold(&open);
	error = signal_seen() ? EINTR : posix_spawnp(&pid, "sh", &actions, &attributes,
						     (char **)argv, environ);
	child_started(error ? -1 : pid, &open);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free(argv);
	errno = error;
	return error ? -1 : pid;
}

enum gsc_status child_system(struct shell *shell, const char *commands, struct gsc_error *err)
{
	int input = shell->stdin_taken ? open("/dev/null", O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	pid_t pid = spawn_sh(shell, commands, input);
	int status = pid < 0 ? 0 : wait_for(pid, false);

	if (input > STDIN_FILENO)
		close(input);
	if (pid < 0)
		return signal_seen() ? GSC_FAILED : system_error(err, "sh");
	return sh_status(status, commands, err);
}

/* ---- where output goes ---------------------------------------------------------------------- */

const char *path_home(const char *name, char *buf, size_t size)
{
	const char *home = getenv("HOME");

	if (strncmp(name, "~/", 2) || !home ||
	    (size_t)snprintf(buf, size, "%s%s", home, name + 1) >= size)
		return name;
	return buf;
}

static int open_target(const struct line *line)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC |
		    (line->outlet == OUTLET_APPEND ? O_APPEND : O_TRUNC);
	char path[4096];

	return open(path_home(line->target, path, sizeof(path)), flags, 0666);
}

static int open_pipe(const struct shell *shell, const struct line *line,
		     struct outlet_state *state)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	state->pid = spawn_sh(shell, line->target, ends[0]);
	error = errno;
	close(ends[0]);
	if (state->pid > 0)
		return ends[1];
	close(ends[1]);
	state->pid = 0;
	errno = error;
	return -1;
}

enum gsc_status outlet_open(const struct shell *shell, const struct line *line,
			    struct outlet_state *state, struct gsc_error *err)
{
	int fd;

	*state = (struct outlet_state){ .saved = -1 };
	if (line->outlet == OUTLET_SAME)
		return GSC_OK;
	fd = line->outlet == OUTLET_PIPE ? open_pipe(shell, line, state) : open_target(line);
	if (fd < 0)
		return system_error(err, line->target);
	state->saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	dup2(fd, STDOUT_FILENO);
	close(fd);
	return GSC_OK;
}

enum gsc_status outlet_close(const struct line *line, struct outlet_state *state,
			     struct gsc_error *err)
{
	if (line->outlet == OUTLET_SAME)
		return GSC_OK;
	if (state->saved >= 0) {
		dup2(state->saved, STDOUT_FILENO);
		close(state->saved);
	} else {
		close(STDOUT_FILENO);
	}
	return state->pid ? sh_status(wait_for(state->pid, false), line->target, err) : GSC_OK;
}
