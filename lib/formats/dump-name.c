/* SPDX-License-Identifier: MIT */
/*
 * Which register a driver means by what it prints: definitions say it (`print` lines), or it is the
 * register's name.
 */
#include "db/engine.h"
#include "db/resolve.h"
#include "formats/dump.h"

#include <stdio.h>

#define RENDER_BASE 0x2000
#define NAME_MAX_LENGTH 48

/* A key without its index, and without the generation with which some kernels begin it. */
struct name {
	char text[NAME_MAX_LENGTH];
	int index;			/* or -1 */
	bool steered;			/* "[1][0]": one of many units that share an address */
};

/* "GTIER[3]", "GTIER gt 3", "SC_INSTDONE[1][0]" */
static bool take_name(struct slice key, struct name *name)
{
	const char *open = slice_char(key, '['), *close;
	const char *gt = slice_find(key, " gt ");
	const char *end = open ? open : gt ? gt : key.end;
	struct slice number;
	uint64_t value;

	*name = (struct name){ .index = -1 };
	if (end == key.at ||
	    !slice_copy((struct slice){ key.at, end }, name->text, sizeof(name->text)))
		return false;
	if (!open && !gt)
		return true;
	number = (struct slice){ end + (open ? 1 : 4), key.end };
	close = open ? slice_char(number, ']') : NULL;
	if (open && !close)
		return false;
	name->steered = open && close + 1 < key.end;
	if (close)
		number.end = close;
	if (!slice_number(number, &value) || value > 1023)
		return false;
	name->index = (int)value;
	return true;
}

static void put(struct dump_place *place, uint64_t address, unsigned bits, uint64_t value)
{
	place->address[place->count] = address;
	place->size[place->count] = bits / 8;
	place->value[place->count++] = value;
}

/* The registers that drivers print by that key, by the definitions. */
static bool find_printed(const struct gsc_view *view, const char *engine, const struct name *name,
			 uint64_t value, struct dump_place *place)
{
	char key[NAME_MAX_LENGTH + 16];
	uint64_t address;

	if (name->index >= 0)
		snprintf(key, sizeof(key), "%s[%d]", name->text, name->index);
	else
		snprintf(key, sizeof(key), "%s", name->text);
	if (!print_find(view, engine, key, &address))
		return false;
	put(place, address, 32, value);
	return true;
}

/*
 * "Pipe [1]", "CPU transcoder: A", "CPU transcoder: EDP": the last word, as definitions spell it.
 */
static bool display_unit(struct slice block, char unit[4])
{
	char last = slice_length(block) ? block.end[-1] : 0;

	if (slice_ends(block, ": EDP") || slice_ends(block, ": P")) {
		strcpy(unit, "EDP");
		return true;
	}
	if (last == ']' && slice_length(block) > 2 && block.end[-3] == '[')
		last = (char)(block.end[-2] - '0' + 'A');
	if (last < 'A' || last > 'D')
		return false;
	unit[0] = last;
	unit[1] = 0;
	return true;
}

/* A transcoder of the CPU has what once belonged to a pipe. */
static bool find_display(const struct gsc_view *view, const struct dump_register *reg,
			 struct dump_place *place)
{
	static const char *const blocks[][2] = { { "Pipe", "Pipe" },
						 { "CPU transcoder", "Pipe" },
						 { "Plane", "Plane" },
						 { "Cursor", "Cursor" } };
	char key[2 * NAME_MAX_LENGTH], unit[4];
	uint64_t address;

	if (!display_unit(reg->block, unit) || slice_length(reg->key) >= NAME_MAX_LENGTH)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		if (!slice_begins(reg->block, blocks[i][0]))
			continue;
		snprintf(key, sizeof(key), "%s %s %.*s", blocks[i][1], unit,
			 SLICE(reg->key));
		if (!print_find(view, "", key, &address))
			return false;
		put(place, address, 32, reg->value);
		return true;
	}
	return false;
}

/* "PDP0: 0x0000000123456000", "PDP0_LDW", "PDP0_UDW" */
static bool find_pdp(const struct gsc_view *view, const char *engine, struct slice key,
		     uint64_t value, struct dump_place *place)
{
	int index = key.at[3] - '0';
	struct slice half = slice_from(key, 4);
	bool lower = slice_is(half, "_LDW"), upper = slice_is(half, "_UDW");
	struct gsc_reg low, high;

	if (index < 0 || index > 3 || (slice_length(key) != 4 && !lower && !upper) ||
	    !view_find(view, engine, "RING_PDP_LDW", index, &low) ||
	    !view_find(view, engine, "RING_PDP_UDW", index, &high))
		return false;
	if (!upper)
		put(place, low.offset, 32, value & UINT32_MAX);
	if (!lower)
		put(place, high.offset, 32, upper ? value : value >> 32);
	return true;
}

static bool find_named(const struct gsc_view *view, const char *engine, const struct name *name,
		       uint64_t value, struct dump_place *place)
{
	const struct driver_key *key = driver_key(name->text);
	const char *text = key ? key->name : name->text, *upper = key ? key->upper : NULL;
	const char *whose = *engine ? engine : NULL;
	int index = name->steered ? -1 : name->index;
	struct name other = { .index = -1 };
	struct gsc_reg reg;

	place->shared = name->steered;
	if (!view_find(view, whose, text, index, &reg)) {
		place->shared |= index >= 0;
		if (!view_find(view, whose, text, index < 0 ? 0 : -1, &reg))
			return false;
	}
	if (reg.space != GSC_MMIO || (reg.bits < 64 && value >> reg.bits && !upper))
		return false;
	put(place, reg.offset, reg.bits, reg.bits < 64 ? value & ((UINT64_C(1) << reg.bits) - 1) :
							 value);
	if (reg.bits >= 64 || !upper)
		return true;
	/* The half of the value that is in a separate register, if there is one. */
	if (view_find(view, whose, upper, -1, &reg)) {
		put(place, reg.offset, 32, value >> 32);
	} else {
		memcpy(other.text, upper, strlen(upper));
		find_printed(view, engine, &other, value >> 32, place);
	}
	return true;
}

/*
 * On a separate media GT, the same registers are elsewhere. A dump is about one GT
 * (i915_gpu_error.c, __err_print_to_sgl()): registers without an engine belong to it.
 */
static void move_to_media(const struct gsc_platform *p, const struct dump *dump,
			  const char *engine, struct dump_place *place)
{
	bool media = *engine ? engine_is_media(engine) : dump->engines.count;

	for (size_t i = 0; i < dump->engines.count && !*engine; i++)
		media &= engine_is_media(dump->engines.items[i].name);
	if (!media || !platform_has(p, PROPERTY_MEDIA_GT))
		return;
	for (unsigned i = 0; i < place->count; i++)
		if (place->address[i] < MEDIA_GT_LENGTH)
			place->address[i] += MEDIA_GT_START;
}

static bool find_by_name(const struct gsc_view *view, const char *engine,
			 const struct dump_register *reg, struct dump_place *place)
{
	static const char *const marks[] = { "GEN6_", "GEN7_", "GEN8_", "GEN12_", "XEHP_", "HSW_" };
	struct slice key = reg->key;
	uint64_t value = reg->pair ? reg->upper << 32 | reg->value : reg->value;
	struct dump_place first = { .count = 0 };
	struct gsc_reg low, high;
	struct name name;
	size_t mark = 0;

	while (mark < ARRAY_SIZE(marks) && !take_text(&key, marks[mark]))
		mark++;
	if (mark == ARRAY_SIZE(marks) && slice_ends(key, "_GEN6"))
		key.end -= strlen("_GEN6");
	if (!take_name(key, &name))
		return false;
	/* "FAULT_TLB_DATA: 0xDATA1 0xDATA0" */
	if (!strcmp(name.text, "FAULT_TLB_DATA")) {
		if (!reg->pair || !view_find(view, NULL, "FAULT_TLB_DATA0", -1, &low) ||
		    !view_find(view, NULL, "FAULT_TLB_DATA1", -1, &high))
			return false;
		put(place, low.offset, 32, reg->value);
		put(place, high.offset, 32, reg->upper);
		return true;
	}
	if (slice_begins(key, "PDP") && slice_length(key) >= 4 && *engine)
		return find_pdp(view, engine, key, value, place);
	if (find_printed(view, engine, &name, value, place))
		return true;
	/* If definitions have the indexes with which it is printed, others have no register. */
	if (name.index > 0) {
		struct name zero = name;

		zero.index = 0;
		if (find_printed(view, engine, &zero, 0, &first))
			return false;
	}
	return find_named(view, engine, &name, value, place);
}

/* Today's drivers print 64 bits even for old engines, which have no upper half. */
bool dump_find(const struct gsc_view *view, const struct gsc_platform *platform,
	       const struct dump *dump, const struct dump_register *reg, struct dump_place *place)
{
	const char *engine = dump_engine_words(dump, reg->engine).at;
	uint32_t base = reg->relative ? RENDER_BASE : 0;

	*place = (struct dump_place){ .count = 0 };
	if (slice_length(reg->block))
		return find_display(view, reg, place);
	if (reg->offset == UINT32_MAX) {
		if (!find_by_name(view, engine, reg, place))
			return false;
	} else {
		if ((reg->relative && *engine &&
		     !dump_platform_has(view->db, view->platform, engine, &base)) ||
		    reg->offset % 4 || reg->offset > (8 << 20))
			return false;
		put(place, base + reg->offset, 32, reg->value);
	}
	move_to_media(platform, dump, engine, place);
	return true;
}
