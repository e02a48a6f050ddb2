/* SPDX-License-Identifier: MIT */
/* What drivers write into registers, and whether it is there: as text, and as JSON. */
#include "hang/workaround.h"
#include "out/keys.h"
#include "out/out.h"
#include "util/text.h"

#define NAME_COLUMN 12

/* ---- of a register -------------------------------------------------------------------------- */

static bool next_of(const struct gsc_view *view, const struct gsc_reg *reg, size_t *i,
		    struct gsc_item *w)
{
	while (reg->name && gsc_workaround_next(view->db, view, reg->def, i, w))
		if (w->index == reg->index && (!reg->engine || w->moment == WORKAROUND_WHITELIST ||
					       workaround_of_engine(w, reg->engine_class,
								    reg->engine_instance)))
			return true;
	return false;
}

void text_workarounds(struct gsc_out *out, const struct gsc_view *view, const struct gsc_reg *reg)
{
	const char *label = "workaround";
	struct gsc_item w;

	for (size_t i = 0; next_of(view, reg, &i, &w); label = "")
		gsc_out_line(out, "    %-10s %s of %s (%s) 0x%llx = 0x%llx", label, w.name,
			     w.document ? w.document : "?", w.when, LL(w.mask), LL(w.value));
}

KEYS(registerWorkaround)
static void json_one(struct gsc_json *json, const struct gsc_item *w)
{
	KEY(text, "name", w->name);
	KEY(text_or_null, "driver", w->document);
	KEY(text, "when", w->when, ONE_OF("gt", "engine", "context", "whitelist"));
	KEY(hex, "mask", w->mask);
	KEY(hex, "value", w->value);
}

KEYS()
void json_workarounds(struct gsc_json *json, const struct gsc_view *view, const struct gsc_reg *reg)
{
	struct gsc_item w;
	size_t i = 0;

	if (!next_of(view, reg, &i, &w))
		return;
	i = 0;
	KEY_EACH(object, "workarounds", while (next_of(view, reg, &i, &w)), json_one(json, &w),
		 OF(registerWorkaround), MIN_ITEMS(1), OPTIONAL);
}

/* ---- checks --------------------------------------------------------------------------------- */

/* Of its register; what only the driver lists may have none. */
static const char *check_name(const struct gsc_workaround_check *check, char *buf, size_t size)
{
	if (check->reg.name)
		gsc_reg_full_name(&check->reg, buf, size);
	else
		snprintf(buf, size, "0x%llx", LL(check->reg.offset));
	return buf;
}

static void check_text(struct gsc_out *out, const struct gsc_view *view,
		       const struct gsc_workaround_check *check)
{
	const char *in = check->no_slot && !check->why ? ": in no RING_FORCE_TO_NONPRIV" :
			 check->item.moment == WORKAROUND_WHITELIST ? " in RING_FORCE_TO_NONPRIV" :
			 check->in_image ? " in the context image" : NULL;
	char text[900];

	text_styled(out, check->state <= GSC_WORKAROUND_DIFFERENT ? GSC_STYLE_RED : GSC_STYLE_DIM,
		    gsc_workaround_word(check->state));
	gsc_out_pad(out, NAME_COLUMN);
	gsc_out_format(out, "%-36s  %s", *check->item.name ? check->item.name :
		       "only in the driver's list", check_name(check, text, sizeof(text)));
	if (in)
		gsc_out_format(out, "%s of %s", in, check->engine);
	if (check->state == GSC_WORKAROUND_UNREADABLE)
		gsc_out_format(out, ": %s", check->why);
	else if (!check->why && !check->no_slot)
		gsc_out_format(out, " 0x%llx", LL(check->value));
	gsc_out_end(out);
	if (check->state >= GSC_WORKAROUND_UNREADABLE || check->no_slot)
		return;
	gsc_workaround_bits(view->db, &check->item, view->bit, text, sizeof(text));
	if (check->item.doc)
		string_add(text, "; %s", check->item.doc);
	text_wrapped(out, NAME_COLUMN, NAME_COLUMN, "expected ", text);
}

/* Names that only the driver lists, or that it does not; not those of a condition. */
static void list_text(struct gsc_out *out, const struct gsc_workarounds *all)
{
	static const char *const labels[] = { "only in the driver's list: ",
					      "not in the driver's list: " };
	const char *last[] = { "", "" };
	char texts[2][4000] = { "" }, place[80];

	for (size_t i = 0; i < all->lists.names.count; i++)
		if (!all->lists.names.items[i].known)
			string_add(texts[0], "%s%s", *texts[0] ? ", " : "",
				   all->lists.names.items[i].name);
	for (size_t i = 0; i < all->checks.count; i++) {
		const struct gsc_workaround_check *check = &all->checks.items[i];
		const char *name = check->item.name;
		bool ours = *name;

		if (ours && (check->state != GSC_WORKAROUND_UNLISTED || check->item.doc))
			continue;
		if (!ours)
			name = check_name(check, place, sizeof(place));
		if (strcmp(last[ours], name))
			string_add(texts[ours], "%s%s", *texts[ours] ? ", " : "", name);
		last[ours] = ours ? name : "";
	}
	for (size_t i = 0; i < ARRAY_SIZE(labels); i++)
		if (*texts[i])
			text_wrapped(out, 0, NAME_COLUMN, labels[i], texts[i]);
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
	gsc_out_format(out, "%zu register%s of workarounds of %s in %s%s: ", all->checks.count,
		       all->checks.count == 1 ? "" : "s", all->driver, WORKAROUNDS_FROM,
		       all->assumed ? ", which usually drives this platform" : "");
	for (unsigned state = 0; state < GSC_WORKAROUND_STATES; state++)
		if (all->counts[state]) {
			gsc_out_format(out, "%s%zu %s", between, all->counts[state],
				       state == GSC_WORKAROUND_ABSENT ? "not in this dump" :
				       state == GSC_WORKAROUND_UNLISTED ?
				       "not in the driver's list" : gsc_workaround_word(state));
			between = ", ";
		}
	gsc_out_end(out);
	if (!(flags & GSC_TEXT_QUIET))
		list_text(out, all);
}

KEYS(workaroundCheck, "A register of a workaround, for one engine. names: of the workaround; none: "
     "only the driver's list has it. state: missing: none of the bits, or one is not set; "
     "different: other bits are wrong; maybe: wrong, but perhaps `only` is not the case; "
     "unchecked: wrong, but the driver does not verify it either; unlisted: the driver's own list "
     "does not have it. place: register, that of a context in its image, or slot of a whitelist. "
     "reason: why there is no value. mask and expected: the bits, and what they should be.")
void gsc_json_workaround(struct gsc_json *json, const struct gsc_view *view,
			 const struct gsc_workaround_check *check)
{
	const char *name = check->item.name;
	char text[900];

	KEY(text, "state", gsc_workaround_word(check->state), ONE_OF(gsc_workaround_word));
	KEY_EACH(text, "names",
		 for (size_t i = 0; name && *name;
		      name = gsc_item_alias(view->db, &check->item, i++, NULL)), name);
	KEY(text, "when", check->item.when, ONE_OF("gt", "engine", "context", "whitelist"));
	KEY(text, "register", check_name(check, text, sizeof(text)));
	KEY(hex, "offset", check->reg.offset);
	KEY(text, "place", check->item.moment == WORKAROUND_WHITELIST ? "slot" :
			   check->in_image ? "image" : "register",
	    ONE_OF("register", "image", "slot"));
	KEY(text_or_null, "engine", check->engine ? check->engine : check->reg.engine);
	KEY_OR_NULL(!check->why && !check->no_slot, hex, "value", check->value,
		    "Of the register, or of its slot; null: no slot has its address.");
	KEY(text_or_null, "reason", check->why);
	KEY(hex, "mask", check->item.mask);
	KEY(hex, "expected", check->item.value);
	KEY(text, "bits", gsc_workaround_bits(view->db, &check->item, view->bit, text,
					       sizeof(text)));
	KEY(text_or_null, "only", check->item.doc);
}

KEYS()
void gsc_json_workaround_counts(struct gsc_json *json, const struct gsc_workarounds *all)
{
	KEY(some_text, "driver", all->driver, "Whose workarounds they are.");
	KEY(text, "kernel", WORKAROUNDS_FROM, "Whose drivers write these.");
	KEY(flag, "assumed", all->assumed, "The source does not say which driver it is.");
	KEY(number, "count", all->checks.count);
	KEY(number, "missing", all->counts[GSC_WORKAROUND_MISSING]);
	KEY(number, "different", all->counts[GSC_WORKAROUND_DIFFERENT]);
	KEY(number, "maybe", all->counts[GSC_WORKAROUND_MAYBE]);
	KEY(number, "unchecked", all->counts[GSC_WORKAROUND_UNCHECKED]);
	KEY(number, "not_readable", all->counts[GSC_WORKAROUND_UNREADABLE]);
	KEY(number, "unlisted", all->counts[GSC_WORKAROUND_UNLISTED]);
	KEY_EACH(text, "unknown_names",
		 for (size_t i = 0; i < all->lists.names.count; i++)
			 if (!all->lists.names.items[i].known),
		 all->lists.names.items[i].name, "In the driver's list, without a definition.");
	KEY(number, "absent", all->counts[GSC_WORKAROUND_ABSENT]);
	KEY(number, "ok", all->counts[GSC_WORKAROUND_RIGHT]);
}
