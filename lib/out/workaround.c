/* SPDX-License-Identifier: MIT */
/* What drivers write into registers, and whether it is there: as text, and as JSON. */
#include "hang/workaround.h"
#include "out/keys.h"
#include "out/out.h"
#include "util/text.h"

#define NAME_COLUMN 12
#define REGISTER_COLUMN 50

/* "0x2 = 0x2: FIELD 1" */
static const char *bits_text(const struct gsc_view *view, const struct gsc_reg *reg,
			     const struct gsc_workaround *w, char *buf, size_t size)
{
	struct gsc_field_iter it;
	char fields[300] = "";

	gsc_reg_fields(view, reg, w->value, &it);
	if (w->kind != WORKAROUND_WHITELIST)
		gsc_fields_text(&it, view->bit, w->mask, w->value, fields, sizeof(fields));
	snprintf(buf, size, "0x%llx = 0x%llx%s%s", LL(w->mask), LL(w->value), *fields ? ": " : "",
		 fields);
	return buf;
}

/* ---- of a register -------------------------------------------------------------------------- */

static bool next_of(const struct gsc_view *view, const struct gsc_reg *reg, size_t *i,
		    struct gsc_item *item, struct gsc_workaround *w)
{
	struct gsc_item of;
	bool found = reg->name && gsc_item_by_def(view->db, GSC_REGISTER, reg->def, &of);

	while (found && (found = gsc_workaround_next(view->db, view, &of, i, item, w)))
		if (w->index == reg->index && (!reg->engine || w->kind == WORKAROUND_WHITELIST ||
					       workaround_of_engine(w, reg->engine_class,
								    reg->engine_instance)))
			break;
	return found;
}

void text_workarounds(struct gsc_out *out, const struct gsc_view *view, const struct gsc_reg *reg)
{
	struct gsc_item item;
	struct gsc_workaround w;

	for (size_t i = 0, n = 0; next_of(view, reg, &i, &item, &w); n++)
		gsc_out_line(out, "    %s %s of %s (%s) 0x%llx = 0x%llx", n ? "          " :
			     "workaround", item.name, item.document ? item.document : "?", w.when,
			     LL(w.mask), LL(w.value));
}

KEYS(registerWorkaround)
static void json_one(struct gsc_json *json, const struct gsc_item *item,
		     const struct gsc_workaround *w)
{
	KEY(text, "name", item->name);
	KEY(text_or_null, "driver", item->document);
	KEY(text, "when", w->when, ONE_OF("gt", "engine", "context", "whitelist"));
	KEY(hex, "mask", w->mask);
	KEY(hex, "value", w->value);
}

KEYS()
void json_workarounds(struct gsc_json *json, const struct gsc_view *view, const struct gsc_reg *reg)
{
	struct gsc_item item;
	struct gsc_workaround w;
	size_t i = 0, n = 0;

	while (next_of(view, reg, &i, &item, &w)) {
		if (!n++)
			KEY_ARRAY("workarounds", OF(registerWorkaround), MIN_ITEMS(1), OPTIONAL);
		ITEM(json_one(json, &item, &w));
	}
	if (n)
		gsc_json_array_end(json);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void check_text(struct gsc_out *out, const struct gsc_view *view,
		       const struct gsc_workaround_check *check)
{
	char name[REG_NAME_MAX], text[700];

	text_styled(out, check->state <= GSC_WORKAROUND_DIFFERENT ? GSC_STYLE_RED : GSC_STYLE_DIM,
		    gsc_workaround_word(check->state));
	gsc_out_pad(out, NAME_COLUMN);
	gsc_out_text(out, check->item.name);
	gsc_out_pad(out, REGISTER_COLUMN);
	gsc_reg_full_name(&check->reg, name, sizeof(name));
	gsc_out_text(out, name);
	if (check->no_slot)
		gsc_out_format(out, ": in no RING_FORCE_TO_NONPRIV of %s", check->engine);
	else if (check->w.kind == WORKAROUND_WHITELIST)
		gsc_out_format(out, " in RING_FORCE_TO_NONPRIV of %s", check->engine);
	else if (check->in_image)
		gsc_out_format(out, " in the context image of %s", check->engine);
	if (check->state == GSC_WORKAROUND_UNREADABLE)
		gsc_out_format(out, ": %s", check->why);
	else if (!check->why && !check->no_slot)
		gsc_out_format(out, " 0x%llx", LL(check->value));
	gsc_out_end(out);
	if (check->state >= GSC_WORKAROUND_UNREADABLE || check->no_slot)
		return;
	string_set(text, "%s%s%s", bits_text(view, &check->reg, &check->w, name, sizeof(name)),
		   check->item.doc ? "; " : "", check->item.doc ? check->item.doc : "");
	text_wrapped(out, NAME_COLUMN, NAME_COLUMN, "expected ", text);
}

void gsc_text_workarounds(struct gsc_out *out, const struct gsc_view *view,
			  const struct gsc_workarounds *all, unsigned flags)
{
	unsigned states = flags & GSC_TEXT_VERBOSE ? GSC_WORKAROUND_STATES
						   : GSC_WORKAROUND_DIFFERENT + 1;
	const char *between = "";

	for (unsigned state = 0; state < states && !(flags & GSC_TEXT_QUIET); state++)
		for (size_t i = 0; i < all->checks.count && all->counts[state]; i++)
			if (all->checks.items[i].state == state)
				check_text(out, view, &all->checks.items[i]);
	gsc_out_format(out, "%zu workarounds of %s%s: ", all->checks.count, all->driver,
		       all->assumed ? ", which usually drives this platform" : "");
	for (unsigned state = 0; state < GSC_WORKAROUND_STATES; state++) {
		if (!all->counts[state])
			continue;
		gsc_out_format(out, "%s%zu %s", between, all->counts[state],
			       state == GSC_WORKAROUND_ABSENT ? "not in this dump"
							      : gsc_workaround_word(state));
		between = ", ";
	}
	gsc_out_end(out);
}

KEYS(workaroundCheck, "A register of a workaround, for one engine. names: of the workaround. "
     "state: missing: none of the bits, or one is not set; different: other bits are wrong; maybe: "
     "wrong, but perhaps `only` is not the case; unchecked: wrong, but the driver does not verify "
     "it either. place: register, that of a context in its image, or slot of a whitelist. reason: "
     "why there is no value. mask and expected: the bits, and what they should be.")
void gsc_json_workaround(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_workaround_check *check)
{
	const char *name = check->item.name;
	char full[REG_NAME_MAX], text[400];

	KEY(text, "state", gsc_workaround_word(check->state), ONE_OF(gsc_workaround_word));
	KEY_EACH(text, "names",
		 for (size_t i = 0; name; name = gsc_item_alias(view->db, &check->item, i++, NULL)),
		 name, MIN_ITEMS(1));
	KEY(text, "when", check->w.when, ONE_OF("gt", "engine", "context", "whitelist"));
	gsc_reg_full_name(&check->reg, full, sizeof(full));
	KEY(text, "register", full);
	KEY(hex, "offset", check->reg.offset);
	KEY(text, "place", check->w.kind == WORKAROUND_WHITELIST ? "slot" :
			   check->in_image ? "image" : "register",
	    ONE_OF("register", "image", "slot"));
	KEY(text_or_null, "engine", check->engine ? check->engine : check->reg.engine);
	KEY_OR_NULL(!check->why && !check->no_slot, hex, "value", check->value,
		    "Of the register, or of its slot; null: no slot has its address.");
	KEY(text_or_null, "reason", check->why);
	KEY(hex, "mask", check->w.mask);
	KEY(hex, "expected", check->w.value);
	KEY(text, "bits", bits_text(view, &check->reg, &check->w, text, sizeof(text)));
	KEY(text_or_null, "only", check->item.doc);
}

KEYS()
void gsc_json_workaround_counts(struct gsc_json *json, const struct gsc_workarounds *all)
{
	KEY(some_text, "driver", all->driver, "Whose workarounds they are.");
	KEY(flag, "assumed", all->assumed, "The source does not say which driver it is.");
	KEY(number, "count", all->checks.count);
	KEY(number, "missing", all->counts[GSC_WORKAROUND_MISSING]);
	KEY(number, "different", all->counts[GSC_WORKAROUND_DIFFERENT]);
	KEY(number, "maybe", all->counts[GSC_WORKAROUND_MAYBE]);
	KEY(number, "unchecked", all->counts[GSC_WORKAROUND_UNCHECKED]);
	KEY(number, "not_readable", all->counts[GSC_WORKAROUND_UNREADABLE]);
	KEY(number, "absent", all->counts[GSC_WORKAROUND_ABSENT]);
	KEY(number, "ok", all->counts[GSC_WORKAROUND_RIGHT]);
}
