/* SPDX-License-Identifier: MIT */
/* Standard output: colour and a pager if it is a terminal, and every failure noticed. */
#include "cli.h"
#include "db/rule.h"
#include "out/keys.h"
#include "out/out.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return term && !strcmp(term, "dumb");
}

/* Without any pager, the output is still shown. */
static void copy_on(void)
{
	char buf[65536];
	ssize_t got;

	while ((got = read(STDIN_FILENO, buf, sizeof(buf))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || !fd_write(STDOUT_FILENO, buf, (size_t)got))
			return;
	}
}

/* A path that names no program; what else sh makes of it cannot be known in advance. */
static bool is_missing(const char *pager)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "/._-+";
	size_t length = strspn(pager, plain);
	char word[PATH_MAX];

	if ((pager[length] && pager[length] != ' ') || length >= sizeof(word))
		return false;
	string_set(word, "%.*s", (int)length, pager);
	return strchr(word, '/') && access(word, X_OK) != 0;
}

/* It waits for output: not every command pages, and later none can start one. */
static void become_pager(int input, const char *pager)
{
	struct pollfd ready = { .fd = input, .events = POLLIN };
	struct sigaction action;

	/* Signals as they were before; what a parent ignores stays ignored. */
	for (int number = 1; number < NSIG; number++)
		if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_DFL &&
		    (action.sa_handler != SIG_IGN || number == SIGPIPE || number == SIGXFSZ))
			signal(number, SIG_DFL);
	while (poll(&ready, 1, -1) < 0 && errno == EINTR)
		;
	if (!(ready.revents & POLLIN))
		_exit(0);
	dup2(input, STDIN_FILENO);
	if (pager && is_missing(pager)) {
		fprintf(stderr, "%s: PAGER: %s cannot be run\n", program_invocation_short_name,
			pager);
		copy_on();
		_exit(0);
	}
	if (pager)
		execlp("sh", "sh", "-c", pager, (char *)NULL);
	else
		execlp("less", "less", "-FRX", (char *)NULL);
	if (pager)
		_exit(127);
	copy_on();
	_exit(0);
}

/*
 * If interrupted while it writes: the terminal stays with the pager, with what was written so far,
 * as after the end. Two readers of one terminal would each get some of the keys.
 */
static void leave_to_pager(void *context)
{
	const struct common *common = context;

	close(common->pager_fd);
	while (waitpid(common->pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Its status. */
static int pager_end(struct common *common)
{
	int status = 0;

	close(common->pager_fd);
	while (waitpid(common->pager, &status, 0) < 0 && errno == EINTR)
		;
	common->pager = 0;
	return status;
}

void pager_prepare(struct common *common)
{
	const char *pager = getenv("PAGER");
	int ends[2];

	if (common->no_pager || (pager && !*pager) || !isatty(STDOUT_FILENO) ||
	    terminal_is_dumb() || pipe2(ends, O_CLOEXEC))
		return;
	common->pager = fork();
	if (!common->pager) {
		close(ends[1]);
		if (common->outside.begun)
			close(common->outside.socket);
		become_pager(ends[0], pager);
	}
	close(ends[0]);
	common->pager_fd = ends[1];
	if (common->pager < 0) {
		common->pager = 0;
		close(ends[1]);
	}
}

/* What the environment says, or the terminal itself; 0: neither does. */
static long terminal_size(int fd, const char *variable)
{
	const char *text = getenv(variable);
	struct winsize size = { .ws_col = 0 };
	long given = text ? strtol(text, NULL, 10) : 0;

	if (given > 0 || ioctl(fd, TIOCGWINSZ, &size))
		return given;
	return *variable == 'C' ? size.ws_col : size.ws_row;
}

unsigned terminal_width(int fd)
{
	long width = terminal_size(fd, "COLUMNS");

	return width <= 0 ? 80 : (unsigned)(width < 40 ? 40 : width > 1000 ? 1000 : width);
}

/* The prompt takes a line, too. */
bool output_scrolled(const struct common *common)
{
	long lines = common->pager ? 0 : terminal_size(STDOUT_FILENO, "LINES");

	return lines > 0 && gsc_out_lines(common->out) >= (size_t)lines;
}

enum gsc_status output_open(struct common *common, bool page, struct gsc_error *err)
{
	const char *no_colour = getenv("NO_COLOR");
	bool terminal = isatty(STDOUT_FILENO), colour = common->colour == COLOUR_ALWAYS;
	enum gsc_status status;

	progress_clear(common);
	if (page && terminal && !common->pager)
		pager_prepare(common);
	if (page && terminal && common->pager)
		stop_add_last(leave_to_pager, common);
	else if (common->pager)
		pager_end(common);		/* nothing was shown to it */
	confine(common);
	if (common->colour == COLOUR_AUTO)
		colour = terminal && !(no_colour && *no_colour) && !terminal_is_dumb();
	status = gsc_out_new(&common->out, common->pager ? common->pager_fd : STDOUT_FILENO, colour,
			     err);
	if (!status && terminal && !wants_json(common))
		common->out->width = terminal_width(STDOUT_FILENO);
	return status;
}

enum gsc_status output_close(struct common *common, bool *closed, struct gsc_error *err)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	enum gsc_status status = GSC_OK;
	int error, ended = 0;

	if (!common->out)
		return GSC_OK;
	status = gsc_out_flush(common->out, err);
	error = gsc_out_error(common->out);
	gsc_out_free(common->out);
	common->out = NULL;
	/* The terminal belongs to the pager until it ends; an interrupt must not end us first. */
	if (common->pager) {
		sigaction(SIGINT, &ignore, NULL);
		stop_remove(common);
		ended = pager_end(common);
	}
	/* There was none, as the shell that started it says. */
	if (WIFEXITED(ended) && (WEXITSTATUS(ended) == 126 || WEXITSTATUS(ended) == 127))
		return err_set(err, GSC_FAILED, "PAGER", "%.100s cannot be run: nothing is shown "
			       "(or use --no-pager)", getenv("PAGER") ? getenv("PAGER") : "less");
	if (!status && close(STDOUT_FILENO) && errno != EBADF)
		error = errno;
	*closed = error == EPIPE;
	if (!error || *closed)
		return GSC_OK;
	return err_set(err, GSC_FAILED, "standard output", "%s", strerror(error));
}

void title_begin(const struct common *common, const char *const *sources, size_t count)
{
	if (common->quiet || common->session)
		return;
	gsc_text_title(common->out, common->command->name,
		       common->platform_guessed ? NULL : platform_of(common)->name, common->device,
		       common->revision, sources, count);
}

void document_begin(const struct common *common, const char *schema, const char *const *sources,
		    size_t count, struct gsc_json *json)
{
	gsc_json_begin(json, common->out, common->ndjson);
	gsc_json_head(json, schema, common->platform_guessed ? NULL : platform_of(common)->name,
		      common->device, sources, count);
}

void source_title(const struct common *common)
{
	size_t count;
	const char **sources = source_names(common->source, &count);

	title_begin(common, sources, count);
	free(sources);
}

void source_document(const struct common *common, const char *schema, struct gsc_json *json)
{
	size_t count;
	const char **sources = source_names(common->source, &count);

	document_begin(common, schema, sources, count, json);
	free(sources);
}

bool finding_put(const struct common *common, struct gsc_json *json,
		 const struct gsc_breach *breach)
{
	if (wants_json(common)) {
		ITEM(gsc_json_breach(json, common->db, breach, breach->where));
	} else {
		gsc_text_breach(common->out, breach);
	}
	return !gsc_out_error(common->out);
}

unsigned text_flags(const struct common *common)
{
	return (common->quiet ? GSC_TEXT_QUIET : 0) |
	       (common->verbose && !common->quiet ? GSC_TEXT_VERBOSE : 0);
}
