/* SPDX-License-Identifier: MIT */
/* gpu-snap convert: another form of what a dump holds. */
#include "snap.h"
#include "open/open.h"
#include "save/save.h"

#include <errno.h>

/* ---- bar ------------------------------------------------------------------------------------ */

static enum gsc_status bar_write(struct common *common, int fd, const char *path,
				 struct gsc_error *err)
{
	uint64_t start, length, size = platform_of(common)->bar_size, unread = 0;
	struct missing missing = { 0 };
	struct gsc_piece piece;

	errno = 0;
	if (!size || !gsc_extent(common->source, GSC_MMIO, 0, &start, &length) || start >= size)
		return err_set(err, GSC_UNKNOWN, "registers",
			       "the source holds no register of the BAR");
	if (!stretch_write(common, fd, GSC_MMIO, 0, size, &missing)) {
		int error = errno ? errno : EIO;

		err_errno(err, path, error);
		errno = error;
		return err->status;
	}
	/* What could not be read is not zero, but an image has nothing else for it. */
	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_piece(common->source, part, i, &piece); i++)
			if (piece.space == GSC_MMIO && piece.status != GSC_READ_OK &&
			    piece.status != GSC_READ_SKIPPED && piece.status != GSC_READ_ABSENT)
				unread += piece.length;
	return !unread ? GSC_OK
		       : err_set(err, GSC_PARTIAL, "registers", "%llu bytes could not be read when "
				 "they were saved: written as zeros", LL(unread));
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

enum gsc_status convert_run(struct common *common, struct gsc_error *err)
{
	static const struct {
		const char *name;
		file_write_fn *write;
	} formats[] = {
		{ "capture", capture_write }, { "aub", trace_write }, { "bar", bar_write },
	};
	struct snap *snap = (struct snap *)common;
	file_write_fn *write_to = NULL;
	enum gsc_status status;

	for (size_t i = 0; snap->to && i < ARRAY_SIZE(formats); i++)
		if (!strcmp(snap->to, formats[i].name))
			write_to = formats[i].write;
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
