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

bool db_reg_near(const struct gsc_view *view, uint64_t address, int side, struct gsc_reg *reg)
{
	struct gsc_reg now;
	bool any = false;

	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &now);
		if (now.space != GSC_MMIO ||
		    (side < 0 ? now.offset + now.bits / 8 > address : side > 0
			      ? now.offset <= address : address - now.offset >= now.bits / 8))
			continue;
		*reg = now;
		any = true;
		if (side >= 0)
			break;
	}
	return any;
}

bool db_address_known(const struct gsc_view *view, uint64_t address)
{
	struct gsc_range range;
	struct gsc_reg reg;

	return db_reg_near(view, address, 0, &reg) || gsc_view_range(view, address, &range) ||
	       gsc_view_owner(view, GSC_MMIO, address, &range);
}

/* The next range around an address, from number *i on. */
static bool around_next(const struct gsc_view *view, uint64_t address, size_t *i,
			struct gsc_range *range)
{
	while (gsc_view_range_at(view, (*i)++, range))
		if (address >= range->start && address <= range->last)
			return true;
	return false;
}

void db_address_text(const struct common *common, uint64_t address, unsigned label,
		     unsigned column)
{
	const struct gsc_view *view = view_of(common);
	struct gsc_out *out = common->out;
	char text[900], part[RANGE_TEXT_MAX];
	struct gsc_range range;
	struct gsc_reg reg;
	bool any = false;

	gsc_out_pad(out, label);
	gsc_out_text(out, "in");
	for (size_t i = 0; around_next(view, address, &i, &range); any = true) {
		string_set(text, "0x%06llx-0x%06llx  %s", LL(range.start), LL(range.last),
			   gsc_range_text(&range, part, sizeof(part)));
		reg = (struct gsc_reg){ .offset = address, .flags = GSC_REG_MULTICAST };
		if (range.use == RANGE_STEERED && gsc_reg_steering(view, &reg, &reg))
			string_add(text, ", selected by %s", reg.name);
		if (range.document)
			string_add(text, " (%s, %s)", range.document, range.section);
		db_wrap(out, column, text);
	}
	if (!any)
		db_wrap(out, column, "no documented range");
	for (int side = -1; side <= 1; side += 2) {
		if (!db_reg_near(view, address, side, &reg))
			continue;
		gsc_out_pad(out, label);
		gsc_out_text(out, side < 0 ? "prev" : "next");
		gsc_reg_full_name(&reg, part, sizeof(part));
		string_set(text, "0x%06llx  %s", LL(reg.offset), part);
		db_wrap(out, column, text);
	}
}

/* NULL: there is none. */
static const char *name_near(const struct gsc_view *view, uint64_t address, int side, char *buf,
			     size_t size)
{
	struct gsc_reg reg;

	if (!db_reg_near(view, address, side, &reg))
		return NULL;
	gsc_reg_full_name(&reg, buf, size);
	return buf;
}

KEYS(address, "What is known about an address of MMIO. name: of the register there, or null. "
     "ranges: all that contain it. below, above: the next registers.")
void db_address_json(const struct common *common, struct gsc_json *json,
		     const struct db_name *name)
{
	const struct gsc_view *view = view_of(common);
	uint64_t address = name->address;
	struct gsc_range range;
	char text[192];
	size_t i = 0;

	KEY(text, "asked", name->text);
	KEY(text, "kind", "address", ONE_OF("address"));
	KEY(hex, "offset", address);
	KEY(text_or_null, "name", name_near(view, address, 0, text, sizeof(text)));
	gsc_json_owner(json, view, GSC_MMIO, address);
	KEY_EACH(object, "ranges", while (around_next(view, address, &i, &range)),
		 db_json_range(common, json, &range));
	KEY(text_or_null, "below", name_near(view, address, -1, text, sizeof(text)));
	KEY(text_or_null, "above", name_near(view, address, 1, text, sizeof(text)));
}
