/* SPDX-License-Identifier: MIT */
/* The map of a whole address space: the pass over its tables, turned into ranges. */
#include "gtt/scan.h"

#include <string.h>

struct mapper {
	const struct gsc_root *root;
	gsc_mapping_fn *each;
	void *context;
};

/* Tables that occur again are ranges of their own. */
static bool map_repeat(struct scan *scan, uint64_t va, uint64_t length, uint64_t of,
		       const struct summary *below)
{
	struct run run = run_of_summary(scan, below, va, length);
	uint64_t length_there;

	run.kind = GSC_MAPPING_REPEAT;
	run.of = of;
	run.pages = below->pages;
	run.sizes = below->sizes;
	if (run_is_nested(scan, &run) &&
	    scan_host(scan, run.physical, &run.physical, &length_there))
		run.denied |= scan->guest_denied;
	return fold_add(&scan->fold, &run);
}

static const struct scan_visitor map_visitor = { .repeat = map_repeat };

/* ---- what is told ------------------------------------------------------------------------- */

static bool tell(void *context, const struct run *run)
{
	struct mapper *mapper = context;
	const struct format *f = run->leaf->format;
	bool repeat = run->kind == GSC_MAPPING_REPEAT;
	uint64_t gone = 0, set = 0, entry;
	struct gsc_mapping mapping;

	/* The permissions that are left. An XD that does not count takes none away. */
	if (!root_execute_counts(mapper->root))
		gone |= f->no_execute_mask;
	if (run->denied & DENIED_READ)
		gone |= format_read_mask(f);
	if (run->denied & DENIED_WRITE)
		gone |= f->write_mask;
	if (run->denied & DENIED_USER)
		gone |= f->user_mask;
	if (run->denied & DENIED_EXECUTE)
		set = f->no_execute_mask;
	entry = (run->entry & ~gone) | set;
	mapping = (struct gsc_mapping){
		.start = run->va,
		.end = run->va + run->length,
		.kind = run->kind,
		.space = run->space,
		.physical = run->physical,
		.pages = repeat ? run->pages : (run->length + run->size - 1) / run->size,
		.page_size = repeat && run->sizes ? 0 : run->size,
		.of = repeat ? run->of : 0,
		.stolen = run->stolen,
		.readable = !(run->denied & DENIED_READ) && !(~entry & format_read_mask(f)),
		.writable = !(run->denied & DENIED_WRITE) && !(~entry & f->write_mask),
		.entry = entry,
		.level = f->level,
	};
	return mapper->each(mapper->context, &mapping);
}

enum gsc_status gsc_map(struct gsc_translation *translation, unsigned flags, gsc_mapping_fn *each,
			void *context, struct gsc_map_holes *holes, struct gsc_error *err)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	struct mapper mapper = { &translation->options.root, each, context };
	enum gsc_status status;

	if (holes)
		memset(holes, 0, sizeof(*holes));
	if (!scan)
		return err_memory(err);
	scan->expand = flags & (GSC_MAP_PAGES | GSC_MAP_ALL);
	vec_free(&translation->blanks);
	translation->blanks.left_out = 0;
	scan->blanks = &translation->blanks;
	scan->fold = (struct fold){ .flags = flags, .each = tell, .context = &mapper };
	status = scan_run(scan, translation, &map_visitor, &mapper, err);
	if (holes)
		*holes = scan->holes;
	scan_free(scan);
	free(scan);
	return status;
}

const char *gsc_mapping_flag(const struct gsc_translation *translation,
			     const struct gsc_mapping *mapping, size_t i, char *buf, size_t size)
{
	const struct format *f = format_get(translation->formats, translation->mode,
					    mapping->level);

	struct access access = { mapping->readable, mapping->writable };

	return f ? page_flag(translation->gpu->view, f, mapping->entry, access, i, buf,
			     size) : NULL;
}

const char *gsc_mapping_word(enum gsc_mapping_kind kind)
{
	static const char *const words[] = {
		[GSC_MAPPING_LINEAR] = "linear",
		[GSC_MAPPING_CONSTANT] = "constant",
		[GSC_MAPPING_SCATTERED] = "scattered",
		[GSC_MAPPING_REPEAT] = "repeat",
	};

	return (unsigned)kind < ARRAY_SIZE(words) ? words[kind] : "?";
}
