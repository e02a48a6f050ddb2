/* SPDX-License-Identifier: MIT */
/* gpu-snap convert: another form of what a dump holds. */
#include "snap.h"
#include "open/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (256u << 10)

/* ---- bar ------------------------------------------------------------------------------------ */

/* What could not be read is not zero, but an image has nothing else for it. */
static enum gsc_status tell_unread(const struct common *common, struct gsc_error *err)
{
	unsigned long long unread = 0;
	struct gsc_piece piece;

	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_piece(common->source, part, i, &piece); i++)
			if (piece.space == GSC_MMIO && piece.status != GSC_READ_OK &&
			    piece.status != GSC_READ_SKIPPED && piece.status != GSC_READ_ABSENT)
				unread += piece.length;
	if (!unread)
		return GSC_OK;
	return err_set(err, GSC_PARTIAL, "registers",
		       "%llu bytes could not be read when they were saved: written as zeros",
		       unread);
}

static bool write_at(int fd, const uint8_t *data, size_t size, uint64_t at)
{
	while (size) {
		ssize_t done = pwrite(fd, data, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		data += done;
		at += (size_t)done;
		size -= (size_t)done;
	}
	return true;
}

/* Not what precedes it in standard output. */
static bool can_have_holes(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_size && !lseek(fd, 0, SEEK_CUR) &&
	       !(fcntl(fd, F_GETFL) & O_APPEND);
}

/* A file gets holes where there is nothing, or only zeros; a pipe gets zeros. */
static bool write_image(struct common *common, int fd, uint64_t size)
{
	bool sparse = can_have_holes(fd) && !ftruncate(fd, (off_t)size), done = true;
	uint8_t *buf = malloc(CHUNK);
	uint64_t start, length, at = 0;

	errno = buf ? 0 : ENOMEM;
	while (buf && done && at < size) {
		size_t want = size - at < CHUNK ? (size_t)(size - at) : CHUNK, filled = 0;

		if (sparse && (!gsc_extent(common->source, GSC_MMIO, at, &start, &length) ||
			       start >= size))
			break;
		if (sparse && start - at >= CHUNK) {
			at = start / CHUNK * CHUNK;
			continue;
		}
		while (filled < want)
			filled += space_take(common->source, GSC_MMIO, at + filled, buf + filled,
					     want - filled, NULL);
		if (!sparse)
			done = fd_write(fd, buf, want);
		else if (!bytes_are_zero(buf, want))
			done = write_at(fd, buf, want, at);
		at += want;
	}
	free(buf);
	if (sparse)
		lseek(fd, (off_t)size, SEEK_SET);
	return buf && done;
}

static enum gsc_status bar_write(struct common *common, int fd, const char *path,
				 struct gsc_error *err)
{
	uint64_t start, length, size = platform_of(common)->bar_size;

	errno = 0;
	if (!size || !gsc_extent(common->source, GSC_MMIO, 0, &start, &length) || start >= size)
		return err_set(err, GSC_UNKNOWN, "registers",
			       "the source holds no register of the BAR");
	if (!write_image(common, fd, size)) {
		int error = errno ? errno : EIO;

		err_errno(err, path, error);
		errno = error;
		return err->status;
	}
	return tell_unread(common, err);
}

/* ---- aub ------------------------------------------------------------------------------------ */

static enum gsc_status trace_write(struct common *common, int fd, const char *path,
				   struct gsc_error *err)
{
	enum gsc_status status = gsc_save_trace(common->gpu, fd, err);
	int error = errno;

	if (status && status != GSC_PARTIAL && error)
		err_errno(err, path, error);
	errno = error;
	return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

static file_write_fn *writer_of(const char *to)
{
	static const struct {
		const char *name;
		file_write_fn *write;
	} formats[] = {
		{ "capture", capture_write }, { "aub", trace_write }, { "bar", bar_write },
	};

	for (size_t i = 0; to && i < ARRAY_SIZE(formats); i++)
		if (!strcmp(to, formats[i].name))
			return formats[i].write;
	return NULL;
}

enum gsc_status convert_run(struct common *common, struct gsc_error *err)
{
	struct snap *snap = (struct snap *)common;
	file_write_fn *write_to = writer_of(snap->to);
	enum gsc_status status;

	if (!write_to)
		return usage_error(err, "--to", "expected capture, aub or bar");
	if (write_to != capture_write && (snap->redact || snap->memory.count || snap->no_ggtt ||
					  option_given(common, "compress")))
		return usage_error(err, "--to", "--redact, --mem, --no-ggtt and --compress need "
						"--to capture");
	if (!snap->output || !*snap->output)
		return usage_error(err, "convert", "needs -o FILE");
	if (file_is_terminal(snap->output))
		return usage_error(err, "standard output", "is a terminal: give a file with -o");
	status = write_to == capture_write ? clock_now(&snap->created, err) : GSC_OK;
	if (!status)
		status = common_source(common, false, err);
	if (!status)
		status = common_gpu(common, common->source, err);
	return status ? status : file_save(common, snap->output, FILE_PRIVATE, write_to, err);
}
