/* SPDX-License-Identifier: MIT */
/* What was read is saved, as a capture or a trace, and read again. */
#include "fuzz.h"
#include "save/save.h"
#include "source/source.h"

/* A separate file: the source that is saved is mapped from the others. */
static struct gsc_source *read_again(void)
{
	const char *path = fuzz_path(FUZZ_SAVED);
	struct gsc_source *source = fuzz_open(&path, 1, NULL);

	FUZZ_REQUIRE(source);
	fuzz_look(source);
	return source;
}

static bool is_saved(enum gsc_status status, const struct gsc_error *err)
{
	if (status)
		fuzz_check_error(err, status);
	return !status || status == GSC_PARTIAL;
}

/* A redacted capture without memory has nobody's pictures and passwords. */
static void check_redacted(struct gsc_source *source)
{
	static const enum gsc_space spaces[] = { GSC_PHYS, GSC_LMEM, GSC_GTTMEM, GSC_PPGTTMEM };
	uint64_t start, length;

	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++)
		FUZZ_REQUIRE(!gsc_extent(source, spaces[i], 0, &start, &length));
}

void fuzz_save(struct gsc_source *source, const struct gsc_view *view, unsigned how)
{
	struct gsc_save_options options = {
		.redact = how & 1, .tables = how & 2, .unsafe = how & 4,
		.packing = (enum gsc_packing)(how >> 3 & 3),
	};
	int fd = fuzz_new_file(FUZZ_SAVED);
	struct gsc_error err = { 0 };

	if (!is_saved(gsc_save(fuzz_gpu(source, view), fd, &options, &err), &err))
		return;
	source = read_again();
	if (options.redact)
		check_redacted(source);
	gsc_source_close(source);
}

void fuzz_save_trace(struct gsc_source *source, const struct gsc_view *view)
{
	int fd = fuzz_new_file(FUZZ_SAVED);
	struct gsc_error err = { 0 };

	if (!is_saved(gsc_save_trace(fuzz_gpu(source, view), fd, &err), &err))
		return;
	source = read_again();
	fuzz_follow(source, view);
	gsc_source_close(source);
}
