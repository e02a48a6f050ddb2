/* SPDX-License-Identifier: MIT */
/* gpu-snap save: a capture now. */
#include "snap.h"
#include "save/save.h"
#include "util/number.h"
#include "util/text.h"

#include <errno.h>

/* ---- writing -------------------------------------------------------------------------------- */

bool parse_stretch(const char *text, struct gsc_memory *memory)
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

/* By the file's name; a name without a known end gets the smallest. */
static enum gsc_packing packing_of(const struct snap *snap, const char *path)
{
	static const enum gsc_packing asked[] = { GSC_PACK_BEST, GSC_PACK_ZSTD, GSC_PACK_GZIP,
						  GSC_PACK_NONE };
	static const struct {
		const char *end;
		enum gsc_packing packing;
	} names[] = {
		{ ".tar", GSC_PACK_NONE }, { ".zst", GSC_PACK_ZSTD }, { ".tzst", GSC_PACK_ZSTD },
		{ ".gz", GSC_PACK_GZIP }, { ".tgz", GSC_PACK_GZIP },
	};

	for (size_t i = 0; snap->compress == COMPRESS_AUTO && i < ARRAY_SIZE(names); i++)
		if (slice_ends(slice_string(path), names[i].end))
			return names[i].packing;
	return asked[snap->compress];
}

static void tell_memory(void *context, const char *what, const char *why)
{
	struct common *common = context;

	progress_clear(common);
	if (common->verbose)
		warn(common, what, why);
}

enum gsc_status capture_write(struct common *common, int fd, const char *path,
			      struct gsc_error *err)
{
	const struct snap *snap = (const struct snap *)common;
	struct gathered gathered = { .count = 0 };
	struct gsc_memory *memory = NULL;
	struct gsc_save_options options = {
		.no_ggtt = snap->no_ggtt,
		.tables = snap->tables,
		.unsafe = common->unsafe,
		.redact = snap->redact,
		.created = (uint64_t)snap->created,
		.memory_count = snap->memory.count,
		.packing = packing_of(snap, path),
		.progress = progress_show,
		.context = common,
		.left_out = tell_memory,
	};
	enum gsc_status status = GSC_OK;
	int error = 0;

	memory = calloc(snap->memory.count + 1, sizeof(*memory));
	if (!memory)
		status = err_memory(err);
	for (size_t i = 0; !status && i < snap->memory.count; i++)
		if (!parse_stretch(snap->memory.items[i], &memory[i]))
			status = usage_error(err, snap->memory.items[i],
					     "expected ADDRESS+LENGTH after --mem");
	if (!status)
		status = gather(common, &gathered, err);
	if (!status) {
		options.memory = memory;
		options.extras = gathered.items;
		options.extra_count = gathered.count;
		status = gsc_save(common->gpu, fd, &options, err);
		error = errno;
	}
	free(memory);
	progress_clear(common);
	if (status && status != GSC_PARTIAL && error)
		err_errno(err, path, error);
	else
		for (size_t i = 0; common->verbose && i < gathered.count; i++)
			if (gathered.items[i].why)
				warn(common, gathered.items[i].name, gathered.items[i].why);
	gathered_free(&gathered);
	errno = error;
	return status;
}

/* ---- the command ---------------------------------------------------------------------------- */

enum gsc_status save_run(struct common *common, struct gsc_error *err)
{
	static const char *const ends[] = { [GSC_PACK_NONE] = ".tar", [GSC_PACK_GZIP] = ".tar.gz",
					    [GSC_PACK_ZSTD] = ".tar.zst" };
	struct snap *snap = (struct snap *)common;
	enum gsc_status status, told = GSC_OK;
	char name[160];

	if (wants_json(common))
		return usage_error(err, "save",
				   "cannot write JSON; info shows what is in a capture");
	if (snap->output && !*snap->output)
		return usage_error(err, "--output", "expected a file name");
	if (snap->output && file_is_terminal(snap->output))
		return usage_error(err, "standard output", "is a terminal: give a file with -o");
	status = clock_now(&snap->created, err);
	if (!status)
		status = common_open(common, err);
	if (status)
		return status;
	if (snap->output)
		return file_save(common, snap->output, FILE_PRIVATE, capture_write, err);
	clock_name(common, snap->created,
		   ends[snap->compress == COMPRESS_AUTO ? gsc_packing_best() :
				packing_of(snap, "")], name, sizeof(name));
	status = file_save(common, name, FILE_PRIVATE, capture_write, err);
	if ((!status || status == GSC_PARTIAL) && !common->quiet) {
		told = output_open(common, false, err);
		if (!told)
			gsc_out_format(common->out, "%s\n", name);
	}
	return told ? told : status;
}
