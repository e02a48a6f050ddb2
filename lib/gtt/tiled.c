/* SPDX-License-Identifier: MIT */
/*
 * Tables of tiled resources in a pass. They have graphics addresses, each of which is translated,
 * so that one page of memory that serves as many tables is examined once.
 */
#include "gtt/scan.h"

#define LEAST_PAGE 4096u

static const struct walker silent;

bool scan_place_tiled(struct scan *scan, struct scan_table *table)
{
	struct page page;

	if (scan->t->options.trtt.physical)
		return true;
	if (descend(scan->t, STAGE_TABLES, table->address, &silent, &page))
		return false;
	table->graphics = false;
	/* A null page reads as zero. */
	table->zeros = page.null;
	table->space = page.space;
	table->address = page.address;
	return true;
}

/* ---- tiles -------------------------------------------------------------------------------- */

static void add_to_summary(const struct scan *scan, struct summary *sum, const struct run *run)
{
	uint64_t start = leaf_target(run->leaf, run->entry) +
			 page_base(scan->t, run->leaf->format, run->entry);
	struct summary page = { 1, run->length, run->entry, run->leaf, run->denied,
				run->length == run->leaf->span && run->physical == start, false };

	summary_add(sum, &page, 1);
}

/* What the ordinary tables have for a tile, page by page. */
static bool scan_tile(struct scan *scan, uint64_t va, uint64_t target, struct summary *sum)
{
	uint64_t done = 0;

	while (done < TRTT_TILE) {
		struct run run = { .kind = GSC_MAPPING_LINEAR };
		const struct scan_level *level;
		struct page page;

		if (descend(scan->t, STAGE_TABLES, target + done, &silent, &page)) {
			done += LEAST_PAGE;
			continue;
		}
		level = scan_level(scan, page.format);
		if (!level) {
			done += LEAST_PAGE;
			continue;
		}
		run.va = va + done;
		run.length = MIN(page.left, TRTT_TILE - done);
		run.space = page.space;
		run.physical = page.address;
		run.of = target + done;
		run.leaf = level;
		run.entry = page.entry;
		run.size = MIN(level->format->page_size, TRTT_TILE);
		run.step = MIN(level->span, TRTT_TILE);
		run.denied = page.denied;
		run.stolen = run_is_stolen(scan, &run);
		if (!(scan->visitor->run ? scan->visitor->run : runs_add)(scan, &run))
			return false;
		add_to_summary(scan, sum, &run);
		done += run.length;
	}
	return true;
}

bool scan_tiles(struct scan *scan, const struct scan_table *table, const uint8_t *data,
		unsigned from, unsigned to, struct summary *sum)
{
	const struct scan_level *l = table->level;

	for (unsigned i = from, row; i < to; i += row) {
		uint64_t raw = entry_load(l, data + i * l->stride), va = table->va + i * l->span;
		uint64_t target = format_address(l->format, raw);
		struct summary tile = { 0 }, ignored;
		enum gsc_stop stop;
		bool traverse;

		for (row = 1; i + row < to; row++)
			if (entry_load(l, data + (i + row) * l->stride) != raw)
				break;
		stop = trtt_tile(&scan->t->options.trtt, raw);
		if (stop) {
			scan_blank(scan, stop == GSC_STOP_NULL_TILE ? BLANK_NULL_TILE
								    : BLANK_INVALID_TILE,
				   va, row * l->span, NULL);
			continue;
		}
		/* The others are like the first. */
		if (!scan_tile(scan, va, target, &tile) ||
		    !scan_alike(scan, va + TRTT_TILE, row - 1, TRTT_TILE, va, &tile, &traverse))
			return false;
		for (unsigned n = 1; traverse && n < row; n++) {
			memset(&ignored, 0, sizeof(ignored));
			if (!scan_tile(scan, va + n * TRTT_TILE, target, &ignored))
				return false;
		}
		summary_add(sum, &tile, row);
	}
	return true;
}

/* ---- the range ---------------------------------------------------------------------------- */

bool scan_tiled(struct scan *scan, uint64_t va)
{
	struct scan_table table = {
		.level = scan_level(scan, scan->t->tile_top),
		.space = GSC_PHYS,
		.address = trtt_table(scan->t),
		.va = va,
		.groups = UINT32_MAX,
		.tiled = true,
		.graphics = !scan->t->options.trtt.physical,
	};
	struct summary ignored;

	scan->window_start = MAX(va, scan->from);
	scan->window_end = va + (UINT64_C(1) << 44);
	if (scan->to)
		scan->window_end = MIN(scan->window_end, scan->to);
	if (scan->window_start >= scan->window_end)
		return true;
	return !table.level || scan_below(scan, &table, &ignored);
}
