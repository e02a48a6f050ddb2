/* SPDX-License-Identifier: MIT */
/* Compares mapped ranges of memory with each other, with the tables, and with the GGTT. */
#include "gtt/check.h"

#include "source/part.h"
#include "source/source.h"
#include "util/text.h"

/* ---- order -------------------------------------------------------------------------------- */

static int by_memory(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->va < y->va ? -1 : x->va > y->va;
}

static void sort(range_vec *ranges)
{
	vec_sort(ranges, by_memory);
}

static bool overlap(const struct range *a, const struct range *b)
{
	return a->space == b->space && a->start < b->end && b->start < a->end;
}

static uint64_t va_of(const struct range *range, uint64_t physical)
{
	return range->va + (physical - range->start);
}

static void range_where(char *buf, size_t size, const struct range *range, uint64_t start,
			uint64_t end)
{
	const char *name = range->space == GSC_PHYS ? "" : gsc_space_name(range->space);

	snprintf(buf, size, "%s%s0x%llx-0x%llx", name, *name ? ":" : "", LL(start), LL(end));
}

/* ---- in one space ------------------------------------------------------------------------- */

/* "llc", "pat3": what the entry says about caching. */
static void type_of(const struct checker *checker, const struct range *range, char *out,
		    size_t size)
{
	static const char *const permissions[] = { "rw", "ro", "user", "supervisor", "xd",
						   "local", "stolen" };
	struct text text = text_begin(out, size);
	char word[64];

	for (size_t i = 0; entry_flag(checker->t->gpu->view, range->leaf->format, range->entry, i,
				      word, sizeof(word)); i++) {
		size_t k = 0;

		while (k < ARRAY_SIZE(permissions) && strcmp(permissions[k], word))
			k++;
		if (k == ARRAY_SIZE(permissions))
			text_join(&text, ",", word);
	}
}

/* Permissions may differ. */
static bool compare_pair(struct checker *checker, const struct range *a, const struct range *b)
{
	const struct format *f = a->leaf->format;
	uint64_t permissions = f->write_mask | f->user_mask | f->no_execute_mask | f->local_mask |
			       f->stolen_mask;
	uint64_t start = MAX(a->start, b->start);
	char where[96], types[2][64];

	if (a->leaf == b->leaf && !((a->entry ^ b->entry) & a->leaf->attributes & ~permissions))
		return true;
	type_of(checker, a, types[0], sizeof(types[0]));
	type_of(checker, b, types[1], sizeof(types[1]));
	if (!strcmp(types[0], types[1]))
		return true;
	range_where(where, sizeof(where), a, start, MIN(a->end, b->end));
	return check_found(checker, RULE_MEMORY_TYPE, NULL, where,
			   "mapped as %s at 0x%llx and as %s at 0x%llx", types[0],
			   LL(va_of(a, start)), types[1], LL(va_of(b, start)));
}

/* Sorted: each with the earlier one that reaches furthest. Scratch pages are not errors. */
static bool check_overlaps(struct checker *checker)
{
	const range_vec *ranges = &checker->ranges;
	const struct range *widest = NULL;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct range *range = &ranges->items[i];

		if (range->constant)
			continue;
		if (widest && overlap(widest, range) && !compare_pair(checker, widest, range))
			return false;
		if (!widest || widest->space != range->space || range->end > widest->end)
			widest = range;
	}
	return true;
}

/* If most pages are in the memory that the source has, that is all memory. */
static bool check_outside(struct checker *checker)
{
	static const enum gsc_space memories[] = { GSC_PHYS, GSC_LMEM };

	for (size_t i = 0; i < ARRAY_SIZE(memories); i++) {
		enum gsc_space space = memories[i];
		const char *why = checker->unsure[space];

		if (!why && checker->held[space] &&
		    checker->inside[space] <= checker->outside[space])
			why = "most pages point past the end of the memory that the source has";
		if (why && checker->outside[space] &&
		    !check_impossible(checker, RULE_OUTSIDE, gsc_space_name(space), why))
			return false;
	}
	for (size_t i = 0; i < checker->ranges.count; i++) {
		const struct range *range = &checker->ranges.items[i];
		uint64_t held = checker->held[range->space];
		char where[96];

		if (!held || range->end <= held ||
		    checker->inside[range->space] <= checker->outside[range->space])
			continue;
		range_where(where, sizeof(where), range, range->start, range->end);
		if (!check_found(checker, RULE_OUTSIDE, NULL, where,
				 "mapped at 0x%llx by the entry 0x%llx; the memory in the source "
				 "ends at 0x%llx", LL(range->va), LL(range->entry), LL(held)))
			return false;
	}
	return true;
}

/* ---- the tables themselves ---------------------------------------------------------------- */

struct table_place {
	enum gsc_space space;
	uint64_t address;
};

static int by_place(const void *a, const void *b)
{
	const struct table_place *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/*
 * Where the tables of the pass are in memory, sorted, each once; without those that the GPU may
 * write: tables of tiled resources have graphics addresses, and are written through them.
 */
static size_t find_tables(struct scan *scan, struct table_place *places)
{
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < scan->memo.nodes.count; i++) {
		const struct node *node = &scan->memo.nodes.items[i];
		struct table_place *place = &places[count];
		uint64_t length;

		if (scan->levels[node->level].format->mode == GSC_MODE_TRTT &&
		    !scan->t->options.trtt.physical)
			continue;
		place->space = node->local ? GSC_LMEM : GSC_PHYS;
		place->address = node->address;
		if (node->local || scan_host(scan, node->address, &place->address, &length))
			count++;
	}
	if (count)
		qsort(places, count, sizeof(*places), by_place);
	for (size_t i = 0; i < count; i++)
		if (!kept || by_place(&places[kept - 1], &places[i]))
			places[kept++] = places[i];
	return kept;
}

static bool is_writable(const struct range *range)
{
	const struct format *f = range->leaf->format;

	return !(range->denied & DENIED_WRITE) && (!f->write_mask || range->entry & f->write_mask);
}

/* The directory of two-level tables consists of slots of the global table, and maps nothing. */
static bool is_directory(const struct checker *checker, uint64_t va)
{
	const struct gsc_translation *t = checker->t;

	return t->mode == GSC_MODE_2LEVEL &&
	       va - t->root_table[0] / 4 * 4096 < (uint64_t)512 * 4096;
}

static bool tell_mapped(struct checker *checker, const struct table_place *place, uint64_t va,
			bool global)
{
	char where[96];

	if (global && is_directory(checker, va))
		return true;
	snprintf(where, sizeof(where), "table at %s0x%llx", place->space == GSC_LMEM ? "lmem:" : "",
		 LL(place->address));
	return check_found(checker, RULE_TABLE_MAPPED, NULL, where,
			   "the GPU can write to it at %s:0x%llx", global ? "ggtt" : "ppgtt",
			   LL(va));
}

static bool check_mapped(struct checker *checker, const struct table_place *places, size_t count)
{
	const range_vec *ranges = &checker->ranges;
	size_t at = 0;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct range *range = &ranges->items[i];
		struct table_place from = { range->space, range->start };

		while (at < count && by_place(&places[at], &from) < 0)
			at++;
		for (size_t k = at; k < count && is_writable(range) &&
		     places[k].space == range->space && places[k].address < range->end; k++)
			if (!tell_mapped(checker, &places[k], va_of(range, places[k].address),
					 false))
				return false;
		if (checker->found[RULE_TABLE_MAPPED] > FINDINGS_COUNTED)
			break;
	}
	return true;
}

/* ---- stolen memory ------------------------------------------------------------------------ */

/* Firmware reserved it for graphics, and no driver keeps a process's tables there. */
static bool check_places(struct checker *checker, const struct table_place *places, size_t count)
{
	const struct gsc_translation *t = checker->t;
	char where[96];

	for (size_t i = 0; i < count; i++) {
		uint64_t at = places[i].address;
		bool table = at - t->gsm_start < t->gsm_end - t->gsm_start;

		if (places[i].space != GSC_PHYS ||
		    (!table && at - t->stolen_start >= t->stolen_end - t->stolen_start))
			continue;
		snprintf(where, sizeof(where), "table at 0x%llx", LL(at));
		if (!check_found(checker, RULE_TABLE_STOLEN, NULL, where,
				 "it lies in stolen memory, in the part for %s",
				 table ? "the global table" : "firmware and display"))
			return false;
	}
	return true;
}

/* Writes there change the global table unnoticed. */
static bool check_gsm(struct checker *checker)
{
	const struct gsc_translation *t = checker->t;

	for (size_t i = 0; i < checker->ranges.count; i++) {
		const struct range *range = &checker->ranges.items[i];
		bool offset = range->space == GSC_STOLEN;
		uint64_t from = offset ? 0 : t->gsm_start, to = offset ? GSM_BYTES : t->gsm_end;
		uint64_t start = MAX(range->start, from), end = MIN(range->end, to);
		char where[96];

		if ((range->space != GSC_PHYS && !offset) || start >= end || !is_writable(range))
			continue;
		range_where(where, sizeof(where), range, start, end);
		if (!check_found(checker, RULE_GSM_MAPPED, NULL, where,
				 "the GPU can write to it at %s:0x%llx: the global table lies "
				 "there", t->mode == GSC_MODE_GGTT ? "ggtt" : "ppgtt",
				 LL(va_of(range, start))))
			return false;
	}
	return true;
}

/* ---- the global table --------------------------------------------------------------------- */

/* The ranges of the global table: in order of its addresses, and of memory without overlaps. */
struct gsc_global_ranges {
	struct checker checker;
	struct scan scan;
	range_vec shown;		/* all except pages with many addresses */
	range_vec writable;
};

/* Sorted and disjoint: a range that begins inside an earlier one begins where that ends. */
static void flatten(range_vec *ranges)
{
	size_t kept = 0;

	sort(ranges);
	for (size_t i = 0; i < ranges->count; i++) {
		struct range range = ranges->items[i];
		const struct range *last = kept ? &ranges->items[kept - 1] : NULL;

		if (last && last->space == range.space && last->end > range.start) {
			range.va += last->end - range.start;
			range.start = last->end;
		}
		if (range.start < range.end)
			ranges->items[kept++] = range;
	}
	ranges->count = kept;
}

static enum gsc_status global_ranges_new(struct gsc_global_ranges **out,
					 struct gsc_translation *translation, struct gsc_error *err)
{
	struct gsc_global_ranges *g = calloc(1, sizeof(*g));
	enum gsc_status status;
	bool kept;

	*out = NULL;
	if (!g) {
		gsc_translation_free(translation);
		return err_memory(err);
	}
	g->checker.t = translation;
	status = check_scan(&g->checker, &g->scan, translation, NULL, err);
	kept = vec_reserve(&g->shown, g->checker.ranges.count) &&
	       vec_reserve(&g->writable, g->checker.ranges.count);
	for (size_t i = 0; kept && i < g->checker.ranges.count; i++) {
		const struct range *range = &g->checker.ranges.items[i];

		if (!range->constant)
			g->shown.items[g->shown.count++] = *range;
		if (is_writable(range))
			g->writable.items[g->writable.count++] = *range;
	}
	flatten(&g->shown);
	flatten(&g->writable);
	if (!status && !kept)
		status = err_memory(err);
	if (status)
		gsc_global_ranges_free(g);
	else
		*out = g;
	return status;
}

void gsc_global_ranges_free(struct gsc_global_ranges *g)
{
	if (!g)
		return;
	gsc_translation_free(g->checker.t);
	scan_free(&g->scan);
	vec_free(&g->checker.ranges);
	vec_free(&g->shown);
	vec_free(&g->writable);
	free(g);
}

/* The first one that ends after an address. */
static size_t find_range(const range_vec *ranges, enum gsc_space space, uint64_t place)
{
	const struct range *items = ranges->items;

	return SEEK(i, 0, ranges->count, items[i].space != space ? items[i].space < space
								  : items[i].end <= place);
}

static bool check_global_mapped(struct checker *checker, const range_vec *global,
				const struct table_place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = find_range(global, places[i].space, places[i].address);
		const struct range *range = &global->items[at];

		if (at < global->count && range->space == places[i].space &&
		    range->start <= places[i].address &&
		    !tell_mapped(checker, &places[i], va_of(range, places[i].address), true))
			return false;
	}
	return true;
}

static bool check_aliases(struct checker *checker, const range_vec *global)
{
	const range_vec *own = &checker->ranges;

	for (size_t i = 0; i < own->count; i++) {
		const struct range *range = &own->items[i];

		if (range->constant)
			continue;
		for (size_t k = find_range(global, range->space, range->start);
		     k < global->count && overlap(range, &global->items[k]); k++) {
			const struct range *other = &global->items[k];
			uint64_t start = MAX(range->start, other->start);
			char where[96];

			range_where(where, sizeof(where), range, start,
				    MIN(range->end, other->end));
			if (!check_found(checker, RULE_GGTT_ALIAS, NULL, where,
					 "mapped at 0x%llx and in the GGTT at 0x%llx",
					 LL(va_of(range, start)), LL(va_of(other, start))))
				return false;
		}
		if (checker->found[RULE_GGTT_ALIAS] > FINDINGS_COUNTED)
			break;
	}
	return true;
}

static uint64_t va_end(const struct range *range)
{
	return range->va + (range->end - range->start);
}

/* Consecutive addresses that lead to one place here and to another in the GGTT. */
struct differing {
	uint64_t start, end;		/* equal: none */
	uint64_t here, there;		/* of the first */
};

static bool tell_differing(struct checker *checker, struct differing *run)
{
	struct differing all = *run;
	char where[96];

	*run = (struct differing){ 0 };
	if (all.start == all.end)
		return true;
	snprintf(where, sizeof(where), "0x%llx-0x%llx", LL(all.start), LL(all.end));
	return check_found(checker, RULE_SAME_ADDRESS, NULL, where,
			   "leads to 0x%llx here and to 0x%llx in the GGTT; TLBs do not "
			   "distinguish the two", LL(all.here), LL(all.there));
}

/* Both lists in order of graphics addresses. */
static bool check_same_address(struct checker *checker, const range_vec *global)
{
	const range_vec *own = &checker->ranges;
	struct differing run = { .start = 0 };
	size_t i = 0, k = 0;

	while (i < own->count && k < global->count) {
		const struct range *a = &own->items[i], *b = &global->items[k];
		uint64_t va = MAX(a->va, b->va), end = MIN(va_end(a), va_end(b));
		uint64_t here = a->start + (va - a->va), there = b->start + (va - b->va);

		if (va < end && !is_directory(checker, b->va) && !a->constant && !b->constant &&
		    here != there) {
			if (run.end != va && !tell_differing(checker, &run))
				return false;
			if (run.start == run.end)
				run = (struct differing){ va, va, here, there };
			run.end = end;
		}
		if (va_end(a) < va_end(b))
			i++;
		else
			k++;
	}
	return tell_differing(checker, &run);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool compare_tables(struct checker *checker, struct scan *scan,
			   const struct gsc_global_ranges *global)
{
	struct table_place *places = calloc(scan->memo.nodes.count + 1, sizeof(*places));
	const char *only = table_rules[RULE_SAME_ADDRESS].rule.only;
	bool more = places != NULL;
	size_t count;

	checker->failed |= !places;
	if (more && global && checker->t->mode == GSC_MODE_2LEVEL &&
	    platform_is(&checker->t->gpu->platform, only))
		more = check_same_address(checker, &global->checker.ranges);
	if (more) {
		sort(&checker->ranges);
		count = find_tables(scan, places);
		more = check_outside(checker) && check_overlaps(checker) && check_gsm(checker) &&
		       check_places(checker, places, count) &&
		       check_mapped(checker, places, count);
	}
	if (more && global) {
		checker->too_many |= global->checker.too_many;
		more = check_global_mapped(checker, &global->writable, places, count) &&
		       check_aliases(checker, &global->shown);
	}
	free(places);
	return more;
}

bool check_ranges(struct checker *checker, struct scan *scan, struct gsc_global_ranges **shared)
{
	struct gsc_translation_options options = { .root = { .mode = GSC_MODE_GGTT } };
	const struct gsc_translation *own = checker->t;
	struct gsc_translation *t;
	struct gsc_error err = { 0 };

	if (own->mode == GSC_MODE_GGTT || own->mode == GSC_MODE_VTD || own->options.vtd.on ||
	    own->iommu || !source_may_hold(own->gpu->source, GSC_GGTT))
		return compare_tables(checker, scan, NULL);
	if (!*shared && (gsc_translation_new(&t, own->gpu, &options, &err) ||
			 global_ranges_new(shared, t, &err))) {
		checker->failed |= err_is_memory(&err);
		return !checker->failed &&
		       check_impossible(checker, RULE_GGTT_ALIAS, "ggtt", err.why) &&
		       compare_tables(checker, scan, NULL);
	}
	return compare_tables(checker, scan, *shared);
}
