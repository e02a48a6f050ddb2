/* SPDX-License-Identifier: MIT */
/* gpu-db: ranges of addresses, and what is at an address. */
#include "gpu-db.h"

#include "regs/regs.h"
#include "util/text.h"

bool db_range_at(const struct common *common, size_t i, struct gsc_range *range)
{
	return common->gpu ? gsc_view_range_at(view_of(common), i, range)
			   : gsc_range_at(common->db, i, range);
}

KEYS(addressRange, "First and last byte. kind: the word of the definition. text: of an owner its "
     "name, of another range the reason, or null. engine: from whose bases it counts without a "
     "platform; on one, whose it is. wake: of `sleeps` the forcewake domains, by commas.")
void db_json_range(const struct common *common, struct gsc_json *json,
		   const struct gsc_range *range)
{
	char text[600];

	KEY(hex, "start", range->start);
	KEY(hex, "last", range->last);
	KEY(text, "kind", range->kind);
	KEY(text_or_null, "text", range->why);
	db_json_engines(json, range->engines, range->instance);
	KEY(text_or_null, "wake", range->wake);
	KEY(text, "platforms", db_where(common->db, range->platforms, &range->revisions, text,
					sizeof(text)));
	db_json_origin(common, json, range->document, range->section);
}

/* ---- an address ----------------------------------------------------------------------------- */

bool db_address_reg(const struct gsc_view *view, uint64_t address, struct gsc_reg *reg)
{
	for (size_t i = gsc_view_seek(view, GSC_MMIO, address > 7 ? address - 7 : 0);
	     i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, reg);
		if (reg->space != GSC_MMIO || reg->offset > address)
			return false;
		if (address - reg->offset < reg->bits / 8)
			return true;
	}
	return false;
}

bool db_address_known(const struct gsc_view *view, uint64_t address)
{
	struct gsc_range range;
	struct gsc_reg reg;

	return db_address_reg(view, address, &reg) || gsc_view_range(view, address, &range) ||
	       gsc_view_owner(view, GSC_MMIO, address, &range);
}

/* The last register that ends before an address, or the first that begins after it. */
static bool neighbour(const struct gsc_view *view, uint64_t address, bool above,
		      struct gsc_reg *reg)
{
	size_t i = gsc_view_seek(view, GSC_MMIO, address + above);

	if (above) {
		if (i < gsc_view_count(view))
			gsc_view_reg(view, i, reg);
		return i < gsc_view_count(view) && reg->space == GSC_MMIO;
	}
	while (i-- > 0) {
		gsc_view_reg(view, i, reg);
		if (reg->space == GSC_MMIO && reg->offset + reg->bits / 8 <= address)
			return true;
	}
	return false;
}

static unsigned rank(const struct gsc_range *range)
{
	return range->use == RANGE_STEERED && range->why ? RANGE_OWNED : range->use;
}

/* What decides about reads, then the owners, then wells and the like; each from the narrowest. */
static int by_use(const void *a, const void *b)
{
	const struct gsc_range *x = a, *y = b;
	unsigned rank_x = rank(x), rank_y = rank(y);
	uint64_t size_x = x->last - x->start, size_y = y->last - y->start;

	if (rank_x != rank_y)
		return rank_x < rank_y ? -1 : 1;
	return size_x < size_y ? -1 : size_x > size_y;
}

typedef VEC(struct gsc_range) range_vec;

static void ranges_around(const struct gsc_view *view, uint64_t address, range_vec *ranges)
{
	struct gsc_range range;

	for (size_t i = 0; gsc_view_range_at(view, i, &range); i++)
		if (address >= range.start && address <= range.last && !vec_push(ranges, range))
			break;
	if (ranges->count)
		qsort(ranges->items, ranges->count, sizeof(range), by_use);
}

/* What selects the copy of a replicated register there; its name is NULL if it is no such place. */
static struct gsc_reg selector_of(const struct gsc_view *view, uint64_t address)
{
	struct gsc_reg reg = { .space = GSC_MMIO, .offset = address,
			       .flags = GSC_REG_MULTICAST }, selector;

	if (!gsc_reg_steering(view, &reg, &selector))
		selector.name = NULL;
	return selector;
}

void db_address_text(const struct common *common, uint64_t address, unsigned label,
		     unsigned column)
{
	static const char *const sides[] = { "prev", "next" };
	const struct gsc_view *view = view_of(common);
	struct gsc_out *out = common->out;
	range_vec ranges = { 0 };
	struct gsc_reg reg;
	char text[900], part[RANGE_TEXT_MAX];

	ranges_around(view, address, &ranges);
	gsc_out_pad(out, label);
	gsc_out_text(out, "in");
	if (!ranges.count)
		db_wrap(out, column, "no documented range");
	for (size_t i = 0; i < ranges.count; i++) {
		const struct gsc_range *range = &ranges.items[i];

		string_set(text, "0x%06llx-0x%06llx  %s", LL(range->start), LL(range->last),
			   gsc_range_text(range, part, sizeof(part)));
		reg = selector_of(view, address);
		if (range->use == RANGE_STEERED && reg.name)
			string_add(text, ", selected by %s", reg.name);
		if (range->document)
			string_add(text, " (%s, %s)", range->document, range->section);
		db_wrap(out, column, text);
	}
	for (unsigned above = 0; above < ARRAY_SIZE(sides); above++) {
		if (!neighbour(view, address, above, &reg))
			continue;
		gsc_out_pad(out, label);
		gsc_out_text(out, sides[above]);
		gsc_reg_full_name(&reg, part, sizeof(part));
		string_set(text, "0x%06llx  %s", LL(reg.offset), part);
		db_wrap(out, column, text);
	}
	vec_free(&ranges);
}

KEYS(neighbour, "The next register.")
static void json_neighbour(struct gsc_json *json, const struct gsc_reg *reg)
{
	char name[192];

	gsc_reg_full_name(reg, name, sizeof(name));
	KEY(text, "name", name);
	KEY(hex, "offset", reg->offset);
}

KEYS(address, "What is known about an address of MMIO. name: of the register there, or null. "
     "ranges: all that contain it, those of one kind from the narrowest on. steering: the register "
     "that selects the copy of a replicated one, or null.")
void db_address_json(const struct common *common, struct gsc_json *json,
		     const struct db_name *name)
{
	const struct gsc_view *view = view_of(common);
	struct gsc_reg below, above, reg;
	range_vec ranges = { 0 };
	bool steered = false;
	char text[192];

	ranges_around(view, name->address, &ranges);
	for (size_t i = 0; i < ranges.count; i++)
		steered |= ranges.items[i].use == RANGE_STEERED;
	KEY(text, "asked", name->text);
	KEY(text, "kind", "address", ONE_OF("address"));
	KEY(hex, "offset", name->address);
	KEY(text_or_null, "name", db_address_reg(view, name->address, &reg)
		? (gsc_reg_full_name(&reg, text, sizeof(text)), text) : NULL);
	gsc_json_owner(json, view, GSC_MMIO, name->address);
	KEY(text_or_null, "steering", steered ? selector_of(view, name->address).name : NULL);
	KEY_EACH(object, "ranges", for (size_t i = 0; i < ranges.count; i++),
		 db_json_range(common, json, &ranges.items[i]));
	KEY_OR_NULL(neighbour(view, name->address, false, &below), object, "below",
		    json_neighbour(json, &below));
	KEY_OR_NULL(neighbour(view, name->address, true, &above), object, "above",
		    json_neighbour(json, &above));
	vec_free(&ranges);
}
