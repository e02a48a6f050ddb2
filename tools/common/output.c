/* SPDX-License-Identifier: MIT */
/* Standard output: colour and a pager where it is a terminal, and every failure noticed. */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return term && !strcmp(term, "dumb");
}

static bool wants_colour(const struct common *common, bool terminal)
{
	const char *no_colour = getenv("NO_COLOR");

	if (common->colour != COLOUR_AUTO)
		return common->colour == COLOUR_ALWAYS;
	return terminal && !(no_colour && *no_colour) && !terminal_is_dumb();
}

/* Starts the pager on the reading end of a pipe; -1 if there is none. */
static pid_t spawn_pager(int input, const char *pager)
{
	char *shell[] = { "sh", "-c", (char *)pager, NULL };
	char *less[] = { "less", "-FRX", NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t ignored;
	pid_t pid = -1;

	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &ignored);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (posix_spawnp(&pid, pager ? "sh" : "less", &actions, &attributes, pager ? shell : less,
			 environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return pid;
}

/*
 * Interrupted while it writes: the terminal stays the pager's, with what was written so far, as
 * after the end. Two readers of one terminal would each get some of the keys.
 */
static void leave_to_pager(void *context)
{
	const struct common *common = context;

	close(common->pager_fd);
	while (waitpid(common->pager, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The descriptor to write to: the pager's, or standard output where there is none to be had. */
static int open_pager(struct common *common)
{
	const char *pager = getenv("PAGER");
	int ends[2];

	if ((pager && !*pager) || pipe2(ends, O_CLOEXEC))
		return STDOUT_FILENO;
	common->pager = spawn_pager(ends[0], pager);
	close(ends[0]);
	if (common->pager > 0) {
		common->pager_fd = ends[1];
		stop_add_last(leave_to_pager, common);
		return ends[1];
	}
	common->pager = 0;
	close(ends[1]);
	return STDOUT_FILENO;
}

enum gsc_status output_open(struct common *common, bool page, struct gsc_error *err)
{
	bool terminal = isatty(STDOUT_FILENO), colour = wants_colour(common, terminal);
	int fd = STDOUT_FILENO;

	if (page && terminal && !common->no_pager && !terminal_is_dumb())
		fd = open_pager(common);
	confine(common);
	return gsc_out_new(&common->out, fd, colour, err);
}

/*
 * The terminal is the pager's until it ends; interrupting it must not end us first. False: there
 * was none, as the shell that started it says.
 */
static bool wait_pager(struct common *common)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	int status = 0;

	sigaction(SIGINT, &ignore, NULL);
	stop_remove(common);
	close(common->pager_fd);
	while (waitpid(common->pager, &status, 0) < 0 && errno == EINTR)
		;
	common->pager = 0;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

static enum gsc_status no_pager(struct gsc_error *err)
{
	*err = (struct gsc_error){ GSC_FAILED, "PAGER", "" };
	snprintf(err->why, sizeof(err->why), "%.100s cannot be run: nothing is shown (or use "
		 "--no-pager)", getenv("PAGER") ? getenv("PAGER") : "less");
	return GSC_FAILED;
}

enum gsc_status output_close(struct common *common, bool *closed, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	int error;

	if (!common->out)
		return GSC_OK;
	status = gsc_out_flush(common->out, err);
	error = gsc_out_error(common->out);
	gsc_out_free(common->out);
	common->out = NULL;
	if (common->pager && !wait_pager(common))
		return no_pager(err);
	else if (!status && close(STDOUT_FILENO) && errno != EBADF)
		error = errno;
	*closed = error == EPIPE;
	if (!error || *closed)
		return GSC_OK;
	*err = (struct gsc_error){ GSC_FAILED, "standard output", "" };
	snprintf(err->why, sizeof(err->why), "%s", strerror(error));
	return GSC_FAILED;
}

void title_begin(const struct common *common, const char *const *sources, size_t count)
{
	if (common->quiet || common->untitled)
		return;
	gsc_text_title(common->out, common->command->name,
		       common->platform_guessed ? NULL : common->platform.name, common->device,
		       common->revision, sources, count);
}

void document_begin(const struct common *common, const char *schema, const char *const *sources,
		    size_t count, struct gsc_json *json)
{
	gsc_json_begin(json, common->out, common->ndjson);
	gsc_json_head(json, schema,
		      common->view && !common->platform_guessed ? common->platform.name : NULL,
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

unsigned text_flags(const struct common *common)
{
	return (common->quiet ? GSC_TEXT_QUIET : 0) |
	       (common->verbose && !common->quiet ? GSC_TEXT_VERBOSE : 0);
}
