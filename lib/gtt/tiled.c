/* SPDX-License-Identifier: MIT */
/*
 * Tables of tiled resources in a pass. They lie at graphics addresses; where those lead is found
 * for each of them, so that one page of memory that stands for many tables is looked at once.
 */
#include "gtt/fold.h"

#include <string.h>

#define LEAST_PAGE 4096u

bool scan_place_tiled(struct scan *scan, struct scan_table *table)
{
	struct found found;

	if (scan->t->options.trtt.physical)
		return true;
	if (!scan_find(scan, table->address, &found))
		return false;
	table->graphics = false;
	/* What is mapped to nothing reads as zero. */
	table->zeros = found.null;
	table->space = found.space;
	table->address = found.address;
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
		struct found found;

		if (!scan_find(scan, target + done, &found)) {
			done += LEAST_PAGE;
			continue;
		}
		run.va = va + done;
		run.length = MIN(found.left, TRTT_TILE - done);
		run.space = found.space;
		run.physical = found.address;
		run.of = target + done;
		run.leaf = found.level;
		run.entry = found.entry;
		run.size = MIN(found.level->format->page_size, TRTT_TILE);
		run.step = MIN(found.level->span, TRTT_TILE);
		run.denied = found.denied;
		run.stolen = run_is_stolen(scan, &run);
		if (!scan->visitor->run(scan, &run))
			return false;
		add_to_summary(scan, sum, &run);
		done += run.length;
	}
	return true;
}

/* As many tiles more, which are like the one before. */
static bool scan_more_tiles(struct scan *scan, uint64_t va, uint64_t target, unsigned count,
			    const struct summary *tile)
{
	struct summary all = *tile, ignored;

	if (!count || !tile->pages)
		return true;
	if (tile->uniform && tile->covered == TRTT_TILE)
		return scan->visitor->constant(scan, va, count * TRTT_TILE, tile);
	if (!scan->expand) {
		all.pages *= count;
		return scan->visitor->repeat(scan, va, count * TRTT_TILE, va - TRTT_TILE, &all);
	}
	while (count-- > 0) {
		memset(&ignored, 0, sizeof(ignored));
		if (!scan_tile(scan, va, target, &ignored))
			return false;
		va += TRTT_TILE;
	}
	return true;
}

static bool is_no_tile(const struct gsc_tiled *tiled, uint64_t raw)
{
	return (tiled->has_null && raw == tiled->null) ||
	       (tiled->has_invalid && raw == tiled->invalid);
}

/* A value that means both is a null tile. */
static enum blank_kind blank_of_tile(const struct gsc_tiled *tiled, uint64_t raw)
{
	return tiled->has_null && raw == tiled->null ? BLANK_NULL_TILE : BLANK_INVALID_TILE;
}

bool scan_tiles(struct scan *scan, const struct scan_table *table, const uint8_t *data,
		unsigned from, unsigned to, struct summary *sum)
{
	const struct scan_level *l = table->level;

	for (unsigned i = from, row; i < to; i += row) {
		uint64_t raw = entry_load(l, data + i * l->stride), va = table->va + i * l->span;
		struct summary tile = { 0 };

		for (row = 1; i + row < to; row++)
			if (entry_load(l, data + (i + row) * l->stride) != raw)
				break;
		if (is_no_tile(&scan->t->options.trtt, raw)) {
			scan_blank(scan, blank_of_tile(&scan->t->options.trtt, raw), va,
				   row * l->span, NULL);
			continue;
		}
		if (!scan_tile(scan, va, format_address(l->format, raw), &tile) ||
		    !scan_more_tiles(scan, va + TRTT_TILE, format_address(l->format, raw), row - 1,
				     &tile))
			return false;
		summary_add(sum, &tile, row);
	}
	return true;
}

/* ---- the range ---------------------------------------------------------------------------- */

/* The pointer has no bits 15:12 before Gen12. */
static uint64_t first_table(const struct gsc_translation *t)
{
	uint64_t low = t->platform.graphics < 1200 ? 0xffff : 0xfff;

	return t->options.trtt.l3 & ((UINT64_C(1) << 48) - 1) & ~low;
}

bool scan_tiled(struct scan *scan, uint64_t va)
{
	struct scan_table table = {
		.level = scan_level(scan, format_get(scan->t->formats, GSC_MODE_TRTT, "trtt-l3")),
		.space = GSC_PHYS,
		.address = first_table(scan->t),
		.va = va,
		.groups = UINT32_MAX,
		.tiled = true,
		.graphics = !scan->t->options.trtt.physical,
	};
	struct summary ignored;

	scan->window_start = va;
	scan->window_end = va + (UINT64_C(1) << 44);
	return !table.level || scan_below(scan, &table, &ignored);
}
