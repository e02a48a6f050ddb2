/* SPDX-License-Identifier: MIT */
/* Other processes: the commands themselves, in a child; sh; where output goes; and signals. */
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals -------------------------------------------------------------------------------- */

/*
 * An interrupt stops what the shell does and not the shell; other signals end it, but through its
 * normal end, where writes may be undone. So handlers only take note.
 */
volatile sig_atomic_t signal_seen, signal_ends, window_changed, was_resumed;

/* The others only end a wait; SIGCHLD does nothing else. */
static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static const int waking[] = { SIGWINCH, SIGCONT, SIGCHLD };

static void on_signal(int number)
{
	if (number == SIGWINCH) {
		window_changed = 1;
	} else if (number == SIGCONT) {
		was_resumed = 1;
	} else if (number != SIGCHLD) {
		signal_seen = number;
		if (number == SIGTERM || number == SIGHUP)
			signal_ends = 1;
	}
}

/* Calls that wait must be interrupted: no SA_RESTART. */
void signals_catch(bool ours)
{
	struct sigaction action = { .sa_handler = ours ? on_signal : SIG_DFL }, before;

	for (size_t i = 0; i < ARRAY_SIZE(stopping); i++)
		if (!sigaction(stopping[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(stopping[i], &action, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(waking); i++)
		sigaction(waking[i], &action, NULL);
}

void signals_hold(sigset_t *open)
{
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < ARRAY_SIZE(stopping); i++)
		sigaddset(&held, stopping[i]);
	for (size_t i = 0; i < ARRAY_SIZE(waking); i++)
		sigaddset(&held, waking[i]);
	sigprocmask(SIG_BLOCK, &held, open);
}

void signals_default(void)
{
	sigset_t none;

	signals_catch(false);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
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
		if (!told && (signal_ends || (works && signal_seen)))
			told = !kill(pid, SIGTERM);
		else
			sigsuspend(&open);
	}
	sigprocmask(SIG_SETMASK, &open, NULL);
	return status;
}

/* ---- the commands --------------------------------------------------------------------------- */

/*
 * The typed words, after those that the verb stands for. "watch NAME" is every second, "diff A" is
 * A and what the session reads, "x/4" is a format.
 */
static enum gsc_status make_argv(const struct shell *shell, const struct verb *verb,
				 const struct words *words, struct words *argv,
				 struct gsc_error *err)
{
	const char *first = words->count ? words->items[0] : "", *before = verb->before;
	const char *source = shell->from.count ? shell->from.items[0] : "live";
	const char *made[6] = { shell->place };
	size_t count = 1, operands = 0, from = 0;
	char format[64];
	bool ok = true;

	if (shell->indexes)
		made[count++] = "--write";
	if (before)
		made[count++] = before;
	if (before && !strcmp(before, "--watch") &&
	    (!*first || !strchr("0123456789.", *first) || !strncmp(first, "0x", 2)))
		made[count++] = "1";
	if (verb->command == &memory_command && *first == '/') {
		string_set(format, "--format=%s", first + 1);
		made[count++] = format;
		from = 1;
	}
	*argv = (struct words){ 0 };
	for (size_t i = 0; ok && i < count; i++)
		ok = words_add(argv, made[i], strlen(made[i]));
	for (size_t i = from; ok && i < words->count; i++) {
		operands += *words->items[i] != '-';
		ok = words_add(argv, words->items[i], strlen(words->items[i]));
	}
	if (ok && before && !strcmp(before, "--diff") && operands == 1 && shell->from.count < 2)
		ok = words_add(argv, source, strlen(source));
	return ok ? GSC_OK : err_memory(err);
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
	gsc_text_title(common->out, "gpu-regdump", platform_of(common)->name, common->device,
		       common->revision, names, count);
	gsc_out_flush(common->out, &ignored);
	gsc_out_free(common->out);
	free(names);
}

enum gsc_status child_tool(struct shell *shell, const struct verb *verb,
			   const struct words *words, struct gsc_error *err)
{
	struct session session = {
		.name = shell->place,
		.verb = verb->name,
		.options = &shell->common,
		.wakes = verb->flags & VERB_WAKE,
	};
	struct words argv;
	enum gsc_status status = make_argv(shell, verb, words, &argv, err);
	sigset_t open_signals;
	pid_t pid;
	int ended;

	if (verb->flags & VERB_FROM) {
		session.from = (struct strings){ (const char **)shell->from.items,
						 shell->from.count };
		session.platform = shell->platform;
	}
	signals_hold(&open_signals);
	if (!status && signal_seen)
		status = GSC_FAILED;
	pid = status ? -1 : fork();
	if (!pid) {
		signals_default();
		if (shell->stdin_taken)
			dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
		if (verb == verb_read() && shell->to_file)
			put_head(shell);
		_exit(command_run(verb->command, (int)argv.count, argv.items, &session));
	}
	child_started(pid, &open_signals);
	words_free(&argv);
	if (status)
		return status;
	if (pid < 0)
		return err_set(err, GSC_FAILED, verb->name, "%s", strerror(errno));
	/* A command has reported its own failures, but not the signal that ended it. */
	ended = wait_for(pid, false);
	if (WIFEXITED(ended))
		return (enum gsc_status)WEXITSTATUS(ended);
	return WTERMSIG(ended) == SIGINT ? GSC_FAILED :
	       err_set(err, GSC_FAILED, verb->name, "ended by signal %d", WTERMSIG(ended));
}

/* ---- work on a device ----------------------------------------------------------------------- */

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
			child_confine(&shell->common, (const char **)shell->from.items,
				      shell->from.count);
		shell->common.from.count = 0;
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

static pid_t spawn_sh(const char *commands, int input)
{
	char *argv[] = { "sh", "-c", (char *)commands, SHELL_NAME, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t ignored, none, open;
	pid_t pid = -1;
	int error;

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
	error = signal_seen ? EINTR : posix_spawnp(&pid, "sh", &actions, &attributes, argv,
						     environ);
	child_started(error ? -1 : pid, &open);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	errno = error;
	return error ? -1 : pid;
}

/* An error for the way in which sh ended; SIGPIPE and SIGINT are no errors. */
static enum gsc_status wait_sh(pid_t pid, const char *commands, struct gsc_error *err)
{
	int status = wait_for(pid, false);
	bool signalled = WIFSIGNALED(status);
	int number = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
	char what[208];

	if (!status || (signalled && (number == SIGPIPE || number == SIGINT)) ||
	    (!signalled && number == 128 + SIGINT))
		return GSC_OK;
	string_set(what, "%.200s", commands);
	return err_set(err, GSC_FAILED, what, "%s %d", signalled ? "ended by signal" :
		       "exit status", number);
}

enum gsc_status child_system(struct shell *shell, const char *commands, struct gsc_error *err)
{
	int input = shell->stdin_taken ? open("/dev/null", O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	pid_t pid = spawn_sh(commands, input);
	int error = errno;

	if (input > STDIN_FILENO)
		close(input);
	if (pid < 0)
		return signal_seen ? GSC_FAILED : err_set(err, GSC_FAILED, "sh", "%s",
							    strerror(error));
	return wait_sh(pid, commands, err);
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

enum gsc_status outlet_open(const struct line *line, struct outlet_state *state,
			    struct gsc_error *err)
{
	int flags = line->outlet == OUTLET_APPEND ? O_APPEND : O_TRUNC, fd, pipes[2], error;
	char path[4096];

	*state = (struct outlet_state){ .saved = -1 };
	if (line->outlet == OUTLET_SAME)
		return GSC_OK;
	if (line->outlet != OUTLET_PIPE) {
		fd = open(path_home(line->target, path, sizeof(path)),
			  O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
		error = errno;
	} else if (pipe2(pipes, O_CLOEXEC)) {
		fd = -1;
		error = errno;
	} else {
		fd = pipes[1];
		state->pid = spawn_sh(line->target, pipes[0]);
		error = errno;
		close(pipes[0]);
		if (state->pid < 0) {
			close(fd);
			fd = -1;
		}
	}
	if (fd < 0)
		return err_set(err, GSC_FAILED, line->target, "%s", strerror(error));
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
	return state->pid ? wait_sh(state->pid, line->target, err) : GSC_OK;
}
