/* SPDX-License-Identifier: MIT */
/* gpu-snap save: a capture now, on disk as a whole or not at all. */
#include "snap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of a file in the making; for a signal handler, too. */
static char temporary[PATH_MAX];

static void remove_temporary(void *path)
{
	unlink(path);
}

static enum gsc_status file_error(struct gsc_error *err, const char *path, int number)
{
	*err = (struct gsc_error){ .status = number == EACCES || number == EPERM ? GSC_DENIED
										  : GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%s", path);
	snprintf(err->why, sizeof(err->why), "%s", strerror(number));
	return err->status;
}

/* ---- writing -------------------------------------------------------------------------------- */

static uint64_t now(void)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;

	return epoch && gsc_parse_number(epoch, &seconds) ? seconds : (uint64_t)time(NULL);
}

/* "0x10000+8K" */
static bool parse_memory(const char *text, struct gsc_memory *memory)
{
	const char *plus = strchr(text, '+');
	char start[40];

	if (!plus || (size_t)(plus - text) >= sizeof(start))
		return false;
	snprintf(start, sizeof(start), "%.*s", (int)(plus - text), text);
	return gsc_parse_number(start, &memory->start) &&
	       gsc_parse_number(plus + 1, &memory->length) && memory->length &&
	       memory->length <= UINT64_MAX - memory->start;
}

static enum gsc_status parse_memories(const struct snap *snap, struct gsc_memory **memory,
				      struct gsc_error *err)
{
	*memory = calloc(snap->memory.count + 1, sizeof(**memory));
	if (!*memory)
		return memory_error(err);
	for (size_t i = 0; i < snap->memory.count; i++)
		if (!parse_memory(snap->memory.items[i], &(*memory)[i]))
			return usage_error(err, snap->memory.items[i],
					   "expected ADDRESS+LENGTH after --mem");
	return GSC_OK;
}

static enum gsc_status write_capture(struct common *common, int fd, const char *path,
				     struct gsc_error *err)
{
	const struct snap *snap = (const struct snap *)common;
	struct gsc_memory *memory = NULL;
	struct gsc_save_options options = {
		.no_ggtt = snap->no_ggtt,
		.unsafe = common->unsafe,
		.redact = snap->redact,
		.created = now(),
		.memory_count = snap->memory.count,
		.progress = progress_show,
		.context = common,
	};
	enum gsc_status status = parse_memories(snap, &memory, err);
	int error = 0;

	if (!status) {
		options.memory = memory;
		status = gsc_save(common->source, common->view, fd, &options, err);
		error = errno;
	}
	free(memory);
	progress_clear(common);
	if (status && status != GSC_PARTIAL && error)
		file_error(err, path, error);
	errno = error;
	return status;
}

/* What was saved is worth having although some of it is missing. */
static enum gsc_status saved(struct common *common, enum gsc_status status, struct gsc_error *err)
{
	enum gsc_status damage;

	if (status == GSC_PARTIAL)
		complain(common, status, err->what, err->why);
	*err = (struct gsc_error){ 0 };
	damage = complain_damage(common, common->source);
	return status ? status : damage;
}

/* A reader that has seen enough is no failure. */
static enum gsc_status save_stdout(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = write_capture(common, STDOUT_FILENO, "standard output", err);

	if (status && status != GSC_PARTIAL && errno == EPIPE) {
		*err = (struct gsc_error){ 0 };
		return GSC_OK;
	}
	if (status && status != GSC_PARTIAL)
		return status;
	if (close(STDOUT_FILENO))
		return file_error(err, "standard output", errno);
	return saved(common, status, err);
}

/* Not a file of its own, such as a device: it cannot be replaced. */
static enum gsc_status save_in_place(struct common *common, const char *path,
				     struct gsc_error *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	enum gsc_status status;

	if (fd < 0)
		return file_error(err, path, errno);
	status = write_capture(common, fd, path, err);
	if (close(fd) && (!status || status == GSC_PARTIAL))
		return file_error(err, path, errno);
	return status && status != GSC_PARTIAL ? status : saved(common, status, err);
}

static int create_temporary(const char *path)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!stop_add(remove_temporary, temporary)) {
		errno = ENOMEM;
		return -1;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	else
		stop_remove(temporary);
	return fd;
}

static enum gsc_status save_file(struct common *common, const char *path, struct gsc_error *err)
{
	int fd = create_temporary(path), error = 0;
	enum gsc_status status;

	if (fd < 0)
		return file_error(err, path, errno);
	status = write_capture(common, fd, path, err);
	if (!status || status == GSC_PARTIAL)
		error = fsync(fd) && errno != EINVAL ? errno : 0;
	if (close(fd) && !error)
		error = errno;
	if ((!status || status == GSC_PARTIAL) && !error && rename(temporary, path))
		error = errno;
	if (error || (status && status != GSC_PARTIAL))
		unlink(temporary);
	stop_remove(temporary);
	if (status && status != GSC_PARTIAL)
		return status;
	return error ? file_error(err, path, error) : saved(common, status, err);
}

/* ---- the command ---------------------------------------------------------------------------- */

static void default_name(const struct common *common, char *buf, size_t size)
{
	time_t seconds = (time_t)now();
	char date[32] = "capture";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "gpuscope-%s-%s.tar", common->platform.name, date);
}

static enum gsc_status save_to(struct common *common, const char *path, struct gsc_error *err)
{
	char *target = realpath(path, NULL);
	enum gsc_status status;
	struct stat st;

	if (target && !stat(target, &st) && S_ISDIR(st.st_mode))
		status = file_error(err, path, EISDIR);
	else if (target && !S_ISREG(st.st_mode))
		status = save_in_place(common, target, err);
	else
		status = save_file(common, target ? target : path, err);
	free(target);
	return status;
}

static enum gsc_status tell_name(struct common *common, const char *path, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, false, err);

	if (!status) {
		gsc_out_text(common->out, path);
		gsc_out_end(common->out);
	}
	return status;
}

enum gsc_status save_run(struct common *common, struct gsc_error *err)
{
	const struct snap *snap = (const struct snap *)common;
	enum gsc_status status, told = GSC_OK;
	char name[160];

	if (wants_json(common))
		return usage_error(err, "save", "has no JSON: info shows what is in a capture");
	if (snap->output && !*snap->output)
		return usage_error(err, "--output", "expected a file name");
	if (snap->output && !strcmp(snap->output, "-") && isatty(STDOUT_FILENO))
		return usage_error(err, "standard output", "is a terminal: give a file with -o");
	status = common_open(common, err);
	if (status)
		return status;
	if (snap->output && !strcmp(snap->output, "-"))
		return save_stdout(common, err);
	if (snap->output)
		return save_to(common, snap->output, err);
	default_name(common, name, sizeof(name));
	status = save_to(common, name, err);
	if ((!status || status == GSC_PARTIAL) && !common->quiet)
		told = tell_name(common, name, err);
	return told ? told : status;
}
