/* SPDX-License-Identifier: MIT */
/*
 * The auxiliary table of Gen12, which gives for each 64 KB or 1 MB of graphics addresses the place
 * of their compression data: mesa intel_aux_map.c; gmmlib GmmHw.h GMM_AUXTTL3e to GMM_AUXTTL1e,
 * GmmAuxTable.cpp. Both agree on everything used here.
 */
#include "db/view.h"
#include "gtt/gtt.h"
#include "source/part.h"
#include "tile/tile.h"
#include "db/words.h"

#define REGISTER_TAIL "AUX_TABLE_BASE_ADDR"
#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)
#define TABLE_MASK (ADDRESS_MASK & ~UINT64_C(7))
#define VALID 1
#define SCALE 256			/* bytes that a byte of auxiliary data describes */

/* The level, the address bits that select its entry, and the lowest bit of the address in that. */
struct level {
	unsigned hi, lo, address_lo;
};

static const struct level gen12_levels[] = { { 47, 36, 15 }, { 35, 24, 13 }, { 23, 16, 8 } };
static const struct level gen125_levels[] = { { 47, 36, 15 }, { 35, 24, 11 }, { 23, 20, 12 } };

#define LEVELS 3

/* ---- words ---------------------------------------------------------------------------------- */

const char *gsc_aux_depth_word(unsigned depth)
{
	static const char *const words[] = { "16 bits", "10-bit video", "12-bit video",
					     "by format", "8 bits", "32 bits", "64 bits",
					     "128 bits" };

	return depth < ARRAY_SIZE(words) ? words[depth] : NULL;
}

const char *gsc_aux_tile_mode_word(unsigned tile_mode)
{
	static const char *const words[] = { "ys", "y" };

	return tile_mode < ARRAY_SIZE(words) ? words[tile_mode] : NULL;
}

/* ---- where it begins ------------------------------------------------------------------------ */

/* The next register that names a table, on that engine if one is requested. */
static bool next_register(const struct gsc_view *view, const char *engine, size_t *i,
			  struct gsc_reg *reg)
{
	for (; *i < gsc_view_count(view); ++*i) {
		size_t length;

		gsc_view_reg(view, *i, reg);
		length = strlen(reg->name);
		if (length < strlen(REGISTER_TAIL) || !reg->engine ||
		    strcmp(reg->name + length - strlen(REGISTER_TAIL), REGISTER_TAIL) ||
		    (engine && name_compare(engine, reg->engine)))
			continue;
		++*i;
		return true;
	}
	return false;
}

enum gsc_status gsc_aux_supported(const struct gsc_view *view, struct gsc_error *err)
{
	struct gsc_reg reg;
	size_t i = 0;

	if (next_register(view, NULL, &i, &reg))
		return GSC_OK;
	return err_set(err, GSC_USAGE, "auxiliary table", "this platform has none");
}

/* The first of them that names a table; else *err says what the first has. */
enum gsc_status gsc_aux_root(const struct gsc_gpu *gpu, const char *engine, uint64_t *root,
			     char *from, size_t size, struct gsc_error *err)
{
	enum gsc_status status = gsc_aux_supported(gpu->view, err);
	struct gsc_reg reg;
	char name[64];
	size_t i = 0;

	if (status)
		return status;
	while (next_register(gpu->view, engine, &i, &reg)) {
		uint64_t value = 0;
		enum gsc_read read = gsc_gpu_read(gpu, &reg, &value);

		value &= TABLE_MASK;
		gsc_reg_full_name(&reg, name, sizeof(name));
		if (read == GSC_READ_OK && value) {
			*root = value;
			snprintf(from, size, "%s", name);
			return GSC_OK;
		}
		if (status)
			continue;
		status = read ? gsc_read_status(read) : GSC_UNKNOWN;
		err_set(err, status, name, "%s",
			read == GSC_READ_OK ? "0: there is no table"
			: read == GSC_READ_ABSENT
				? "not in the source; give it with --aux table:ADDR"
				: read_failure(read));
	}
	return status ? status : err_set(err, GSC_USAGE, engine, "no engine with such a table");
}

/* ---- a walk --------------------------------------------------------------------------------- */

static bool stop(struct gsc_aux_walk *walk, enum gsc_stop why)
{
	walk->stop = why;
	walk->status = GSC_UNKNOWN;
	return false;
}

/* Continues in the table that the entry names. */
static bool take_entry(struct gsc_translation *translation, const struct level *level,
		       uint64_t *table, struct gsc_aux_walk *walk)
{
	uint64_t bits = walk->address >> level->lo;
	struct gsc_aux_step *step = &walk->steps[walk->count];
	uint8_t bytes[8];

	*step = (struct gsc_aux_step){ .level = LEVELS - (unsigned)walk->count, .table = *table };
	step->index = (unsigned)(bits & ((UINT64_C(1) << (level->hi - level->lo + 1)) - 1));
	step->address = (*table + step->index * sizeof(bytes)) & ADDRESS_MASK;
	if (gsc_translated_read(translation, step->address, bytes, sizeof(bytes)) < sizeof(bytes))
		return stop(walk, GSC_STOP_NO_MEMORY);
	step->entry = load_le(bytes, sizeof(bytes));
	walk->count++;
	if (!(step->entry & VALID)) {
		string_set(walk->why, "L%u entry 0x%llx is not valid", step->level,
			   LL(step->entry));
		return stop(walk, GSC_STOP_NOT_PRESENT);
	}
	*table = step->entry & ADDRESS_MASK & ~((UINT64_C(1) << level->address_lo) - 1);
	return true;
}

enum gsc_status gsc_aux_walk(struct gsc_translation *translation, uint64_t root, uint64_t address,
			     struct gsc_aux_walk *walk, struct gsc_error *err)
{
	const struct gsc_gpu *gpu = translation->gpu;
	const struct level *levels;
	uint64_t high = address >> ADDRESS_BITS, entry;
	struct gsc_walk pages;
	char why[200];

	*walk = (struct gsc_aux_walk){ .address = address };
	if (gsc_aux_supported(gpu->view, err))
		return GSC_USAGE;
	levels = platform_has(&gpu->platform, PROPERTY_AUX_1M) ? gen125_levels : gen12_levels;
	walk->covers = UINT64_C(1) << levels[LEVELS - 1].lo;
	walk->size = walk->covers / SCALE;
	if (high && (high != UINT64_MAX >> ADDRESS_BITS || !(address >> (ADDRESS_BITS - 1) & 1))) {
		string_set(walk->why, "bits 63:48 are neither zero nor a copy of bit 47");
		stop(walk, GSC_STOP_NOT_CANONICAL);
		return GSC_OK;
	}
	walk->address &= ADDRESS_MASK;
	root &= TABLE_MASK;
	for (size_t i = 0; i < LEVELS && !walk->stop; i++)
		take_entry(translation, &levels[i], &root, walk);
	if (walk->stop == GSC_STOP_NO_MEMORY) {
		entry = walk->steps[walk->count].address;
		gsc_walk(translation, entry, GSC_INTENT_READ, &pages);
		walk->status = gsc_walk_why(translation, &pages, why, sizeof(why));
		string_set(walk->why, "L%u entry at 0x%llx: %s", LEVELS - (unsigned)walk->count,
			   LL(entry), why);
	}
	if (walk->stop)
		return GSC_OK;
	walk->mapped = true;
	walk->auxiliary = root;
	if (levels != gen12_levels)
		return GSC_OK;
	entry = walk->steps[LEVELS - 1].entry;
	walk->tile_mode = entry >> 52 & 3;
	walk->depth = entry >> 54 & 7;
	walk->chroma = entry >> 57 & 1;
	walk->format = (unsigned)(entry >> 58);
	walk->has_format = true;
	return GSC_OK;
}
