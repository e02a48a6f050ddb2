/* SPDX-License-Identifier: MIT */
/* The map of a whole address space: the pass over its tables, turned into ranges. */
#include "gtt/scan.h"

#include "util/text.h"

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

/* A pass, for which fold, blanks and limits are set. */
static enum gsc_status map_pass(struct scan *scan, struct gsc_translation *t,
				struct gsc_map_holes *holes, struct gsc_error *err)
{
	enum gsc_status status;

	scan->expand = scan->fold.flags & (GSC_MAP_PAGES | GSC_MAP_ALL);
	scan->ahead = NULL;
	status = scan_run(scan, t, &map_visitor, NULL, err);
	if (holes)
		*holes = scan->holes;
	scan_free(scan);
	return status;
}

/* All of it. */
static enum gsc_status map_whole(struct gsc_translation *t, const struct fold *fold,
				 struct blanks *blanks, struct gsc_map_holes *holes,
				 struct gsc_error *err)
{
	struct scan *scan = calloc(1, sizeof(*scan));
	enum gsc_status status;

	if (!scan)
		return err_memory(err);
	scan->fold = *fold;
	scan->blanks = blanks;
	status = map_pass(scan, t, holes, err);
	free(scan);
	return status;
}

enum gsc_status gsc_map(struct gsc_translation *translation, unsigned flags, gsc_mapping_fn *each,
			void *context, struct gsc_map_holes *holes, struct gsc_error *err)
{
	struct mapper mapper = { &translation->options.root, each, context };
	struct fold fold = { .flags = flags, .each = tell, .context = &mapper };

	if (holes)
		memset(holes, 0, sizeof(*holes));
	vec_free(&translation->blanks);
	translation->blanks.left_out = 0;
	return map_whole(translation, &fold, &translation->blanks, holes, err);
}

/* ---- in pieces ------------------------------------------------------------------------------ */

/* No page is larger, so none crosses the end of a piece. */
#define PIECE_BITS 30

/* Pieces in which anything is mapped. */
struct mapped {
	uint64_t first, last;
	bool whole;			/* they are one: a constant range is told at once */
};

struct map_pieces {
	struct gsc_translation *t;
	struct scan scan;		/* its fold and its levels go on */
	struct mapper mapper;
	struct gsc_map_holes holes;
	VEC(struct mapped) mapped;	/* in order */
	bool begun, failed;
	size_t at;
	uint64_t next;			/* piece, if it is not before mapped.items[at].first */
};

struct map_pieces *map_pieces_new(struct gsc_translation *translation, unsigned flags)
{
	struct map_pieces *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->t = translation;
	p->mapper.root = &translation->options.root;
	p->scan.fold = (struct fold){ .flags = flags, .each = tell, .context = &p->mapper };
	return p;
}

const struct gsc_map_holes *map_pieces_holes(const struct map_pieces *pieces)
{
	return &pieces->holes;
}

void map_pieces_free(struct map_pieces *pieces)
{
	if (!pieces)
		return;
	vec_free(&pieces->mapped);
	free(pieces);
}

/* Ranges come in order; what is before this one has its pieces already. */
static bool note_mapped(void *context, const struct gsc_mapping *mapping)
{
	struct map_pieces *p = context;
	uint64_t first = mapping->start >> PIECE_BITS, last = (mapping->end - 1) >> PIECE_BITS;
	bool whole = mapping->kind == GSC_MAPPING_CONSTANT && !(p->scan.fold.flags & GSC_MAP_ALL);
	struct mapped *before = p->mapped.count ? &p->mapped.items[p->mapped.count - 1] : NULL;

	first = before ? MAX(first, before->last + 1) : first;
	if (first > last)
		return true;
	if (before && !before->whole && !whole && first == before->last + 1) {
		before->last = last;
		return true;
	}
	p->failed |= !vec_push(&p->mapped, (struct mapped){ first, last, whole });
	return !p->failed;
}

/* Where anything is mapped: the map without single pages is as short as the tables. */
static enum gsc_status find_pieces(struct map_pieces *p, struct gsc_error *err)
{
	struct mapper mapper = { p->mapper.root, note_mapped, p };
	struct fold fold = { .each = tell, .context = &mapper };

	enum gsc_status status = map_whole(p->t, &fold, NULL, &p->holes, err);

	return p->failed ? err_memory(err) : status;
}

enum gsc_status map_piece(struct map_pieces *p, gsc_mapping_fn *each, void *context, bool *more,
			  struct gsc_error *err)
{
	bool by_pages = p->scan.fold.flags & (GSC_MAP_PAGES | GSC_MAP_ALL);
	const struct mapped *mapped;
	enum gsc_status status;
	uint64_t piece;

	p->mapper.each = each;
	p->mapper.context = context;
	*more = false;
	if (!by_pages)
		return map_pass(&p->scan, p->t, &p->holes, err);
	if (!p->begun) {
		p->begun = true;
		*more = true;
		return find_pieces(p, err);
	}
	if (p->at == p->mapped.count) {
		fold_end(&p->scan.fold);
		return GSC_OK;
	}
	mapped = &p->mapped.items[p->at];
	piece = MAX(p->next, mapped->first);
	p->next = (mapped->whole ? mapped->last : piece) + 1;
	p->at += p->next > mapped->last;
	p->scan.from = piece << PIECE_BITS;
	p->scan.to = p->next << PIECE_BITS;
	status = map_pass(&p->scan, p->t, NULL, err);
	*more = !status && fold_pause(&p->scan.fold);
	return status;
}

/* ---- words ---------------------------------------------------------------------------------- */

bool gsc_map_doubt(const struct gsc_map_holes *holes, size_t i, struct gsc_error *doubt)
{
	bool several = holes->missing > 1;

	*doubt = (struct gsc_error){ .status = GSC_PARTIAL };
	if (holes->missing && !i--) {
		string_set(doubt->what, "%s", holes->first_table);
		if (several)
			string_set(doubt->what, "%llu tables", LL(holes->missing));
		string_set(doubt->why, "%s%s%s%s", several ? "the first is the " : "",
			   several ? holes->first_table : "", several ? ": " : "",
			   holes->first_why);
		return true;
	}
	if (holes->reserved && !i--) {
		string_set(doubt->what, "%llu %s", LL(holes->reserved),
			   holes->reserved > 1 ? "entries" : "entry");
		string_set(doubt->why, "reserved bits are set");
		return true;
	}
	if (!holes->loops || i)
		return false;
	several = holes->loops > 1;
	string_set(doubt->what, "%llu %s", LL(holes->loops), several ? "tables" : "table");
	string_set(doubt->why, "%s; read as the hardware would",
		   several ? "refer to themselves" : "refers to itself");
	return true;
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
