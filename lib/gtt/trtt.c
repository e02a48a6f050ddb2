/* SPDX-License-Identifier: MIT */
/*
 * Tiled resources: three levels of tables in front of the normal ones, which map 64 KB tiles of one
 * part of the graphics address space to graphics addresses of the rest. The tables lie in graphics
 * address space themselves; a register could put them into memory, on hardware that there is not.
 */
#include "gtt/gtt.h"

#include "source/source.h"

/* 47:44 of an address are compared with the data where the mask has ones. */
bool trtt_holds(const struct gsc_tiled *tiled, uint64_t address)
{
	unsigned mask = tiled->va >> 4 & 0xf, data = tiled->va & 0xf;

	return tiled->on && mask && !((address >> 44 ^ data) & mask) && !(address >> 48);
}

/* ---- what an entry says -------------------------------------------------------------------- */

/* L1 entries are compared with registers, the others have bits. */
static enum gsc_stop tile_stop(struct gsc_translation *t, const struct gsc_entry *entry)
{
	const struct gsc_tiled *tiled = &t->options.trtt;
	uint32_t raw = entry->words[0];

	if (!entry->leaf) {
		if (entry_value(t->view, entry, "INVALID"))
			return GSC_STOP_INVALID_TILE;
		return entry_value(t->view, entry, "NULL") ? GSC_STOP_NULL_TILE : GSC_STOP_NONE;
	}
	if (tiled->has_null && raw == tiled->null)
		return GSC_STOP_NULL_TILE;
	return tiled->has_invalid && raw == tiled->invalid ? GSC_STOP_INVALID_TILE : GSC_STOP_NONE;
}

static void stop_at(struct gsc_walk *walk, enum gsc_stop stop, const struct gsc_step *step)
{
	const struct gsc_entry *entry = &step->entry;
	unsigned long long raw = entry->words[0] | (uint64_t)entry->words[1] << 32;

	walk_stop(walk, stop, "%s %u at 0x%llx is 0x%llx: %s tile%s: reads give zero, writes are "
		  "dropped%s", entry->level, step->index, (unsigned long long)step->address, raw,
		  stop == GSC_STOP_NULL_TILE ? "a null" : "an invalid",
		  entry->leaf ? " by the detection register" : "",
		  stop == GSC_STOP_NULL_TILE ? "" : ", an interrupt tells");
}

/* ---- as steps ------------------------------------------------------------------------------ */

static uint64_t first_table(const struct gsc_translation *t)
{
	unsigned low = t->platform.graphics < 1200 ? 16 : 12;

	return t->options.trtt.l3 >> low << low & UINT64_C(0xffffffffffff);
}

/* A page that is mapped to nothing reads as zero. */
static bool zero_entry(struct gsc_walk *walk, const struct format *f, unsigned index,
		       struct gsc_step **step)
{
	static const uint32_t zero[2];

	*step = walk_step(walk);
	if (!*step)
		return false;
	(*step)->depth = 1;
	(*step)->index = index;
	(*step)->space = GSC_PHYS;
	entry_fill(&(*step)->entry, f, zero, f->bytes / 4);
	walk_note(walk, "the page of the %s table is a null page, which reads as zero", f->level);
	return true;
}

/* The entry lies at a graphics address that the normal tables translate first. */
static bool virtual_entry(struct gsc_translation *t, struct gsc_walk *walk, const struct format *f,
			  uint64_t table, unsigned index, struct gsc_step **step)
{
	uint64_t address = table + (uint64_t)index * f->bytes, physical;

	if (trtt_holds(&t->options.trtt, address))
		walk_note(walk, "the %s table at 0x%llx lies in the tiled space itself, where "
			  "tables may not be", f->level, (unsigned long long)table);
	if (!walk_tables(t, walk, address, 2, &physical))
		return false;
	if (walk->null)
		return zero_entry(walk, f, index, step);
	return walk_entry(t, walk, f, 1, walk->space, physical - (uint64_t)index * f->bytes,
			  physical, index, step);
}

static bool take_entry(struct gsc_translation *t, struct gsc_walk *walk, const struct format *f,
		       uint64_t table, uint64_t address, struct gsc_step **step)
{
	unsigned index = format_index(f, address);

	if (t->options.trtt.physical)
		return walk_entry(t, walk, f, 1, GSC_PHYS, table,
				  table + (uint64_t)index * f->bytes, index, step);
	return virtual_entry(t, walk, f, table, index, step);
}

static void note_oddities(struct gsc_translation *t, struct gsc_walk *walk)
{
	const struct gsc_tiled *tiled = &t->options.trtt;
	unsigned mask = tiled->va >> 4 & 0xf;

	if (mask != 0xf)
		walk_note(walk, "the mask of TRVADR is 0x%x; hardware supports 0 and 0xf", mask);
	if (tiled->physical)
		walk_note(walk, "TRTTE bit 1 is 0, tile tables in memory: no hardware supports it");
	if (tiled->l3 != first_table(t))
		walk_note(walk, "of the L3 pointer 0x%llx only 0x%llx counts",
			  (unsigned long long)tiled->l3, (unsigned long long)first_table(t));
	if (tiled->has_null && tiled->has_invalid && tiled->null == tiled->invalid)
		walk_note(walk, "null and invalid tiles have one value, 0x%x, which is not allowed",
			  tiled->null);
}

bool trtt_walk(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
	       uint64_t *target)
{
	const struct format *f = format_get(t->formats, GSC_MODE_TRTT, "trtt-l3");
	uint64_t table = first_table(t);

	note_oddities(t, walk);
	for (unsigned level = 0; f && level < LEVELS_MAX; level++) {
		struct gsc_step *step;
		enum gsc_stop stop;

		if (!take_entry(t, walk, f, table, address, &step))
			return false;
		stop = tile_stop(t, &step->entry);
		if (stop) {
			stop_at(walk, stop, step);
			return false;
		}
		if (step->entry.leaf) {
			*target = step->entry.address |
				  (address & ((UINT64_C(1) << f->index_lo) - 1));
			return true;
		}
		table = step->entry.address;
		f = format_below(f, 0);
	}
	walk_stop(walk, GSC_STOP_NOT_PRESENT, "this platform has no tables of tiled resources");
	return false;
}

/* ---- silently ------------------------------------------------------------------------------ */

/* Where a table of tiles lies in memory. */
static enum gsc_stop find_table(struct gsc_translation *t, uint64_t address,
				enum gsc_space *space, uint64_t *physical)
{
	uint64_t length;

	if (!t->options.trtt.physical)
		return tables_resolve(t, address, space, physical, &length);
	*space = GSC_PHYS;
	*physical = address;
	return t->options.vtd.on ? vtd_resolve(t, address, physical, &length) : GSC_STOP_NONE;
}

static enum gsc_stop read_tile(struct gsc_translation *t, const struct format *f, uint64_t address,
			       struct gsc_entry *entry)
{
	uint32_t words[2] = { 0 };
	enum gsc_space space;
	uint64_t physical, raw = 0;
	enum gsc_stop stop = find_table(t, address, &space, &physical);

	if (stop)
		return stop;
	if (space != GSC_SPACES && gsc_read(t->source, space, physical, f->bytes, &raw))
		return GSC_STOP_NO_MEMORY;
	words[0] = (uint32_t)raw;
	words[1] = (uint32_t)(raw >> 32);
	entry_fill(entry, f, words, f->bytes / 4);
	return tile_stop(t, entry);
}

enum gsc_stop trtt_resolve(struct gsc_translation *t, uint64_t address, uint64_t *target,
			   uint64_t *length)
{
	const struct format *f = format_get(t->formats, GSC_MODE_TRTT, "trtt-l3");
	uint64_t table = first_table(t);

	for (unsigned level = 0; f && level < LEVELS_MAX; level++) {
		uint64_t at = table + (uint64_t)format_index(f, address) * f->bytes;
		struct gsc_entry entry;
		enum gsc_stop stop = read_tile(t, f, at, &entry);

		if (stop)
			return stop;
		if (entry.leaf) {
			uint64_t within = (UINT64_C(1) << f->index_lo) - 1;

			*target = entry.address | (address & within);
			*length = within + 1 - (address & within);
			return GSC_STOP_NONE;
		}
		table = entry.address;
		f = format_below(f, 0);
	}
	return GSC_STOP_NOT_PRESENT;
}
