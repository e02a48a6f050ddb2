/* SPDX-License-Identifier: MIT */
/* gpu-db: workarounds, one by one, in lists and below the register that they write. */
#include "cli/text.h"
#include "gpu-db.h"
#include "util/text.h"

/* "vcs1.NAME[3]", "rcs,ccs.NAME": which register, of which engines. */
static const char *target_text(const struct gsc_workaround *w, char *buf, size_t size)
{
	db_engines(w->engines, w->instance, ",", buf, size);
	string_addf(buf, size, "%s%s", w->engines ? "." : "", w->reg);
	if (w->index >= 0)
		string_addf(buf, size, "[%d]", w->index);
	return buf;
}

/* Bits of the first register with the name that a platform of the workaround has: "FIELD 1". */
static const char *fields_text(const struct common *common, const struct gsc_item *item,
			       const struct gsc_workaround *w, char *buf, size_t size)
{
	struct gsc_match matches[32];
	size_t count = gsc_db_find(common->db, w->reg, matches, ARRAY_SIZE(matches));
	struct gsc_field_iter it;
	struct gsc_item reg;

	*buf = 0;
	for (size_t i = 0; w->kind != WORKAROUND_WHITELIST && !*buf &&
	     i < MIN(count, ARRAY_SIZE(matches)); i++) {
		if (!(matches[i].platforms & item->platforms) ||
		    !gsc_item_by_def(common->db, GSC_REGISTER, matches[i].def, &reg))
			continue;
		gsc_item_fields(common->db, NULL, &reg, NULL, 0, &it);
		gsc_fields_text(&it, item->platforms, w->mask, w->value, buf, size);
	}
	return buf;
}

/* After the name: when, which register, which bits; the platforms if there is not one; why. */
void db_workaround_line(const struct common *common, const struct gsc_item *item, unsigned column)
{
	struct gsc_out *out = common->out;
	struct gsc_workaround w;
	char text[300];

	gsc_item_workaround(common->db, item, &w);
	gsc_out_pad(out, column);
	gsc_out_text(out, w.when);
	gsc_out_pad(out, column + 11);
	gsc_out_text(out, target_text(&w, text, sizeof(text)));
	gsc_out_pad(out, column + 47);
	gsc_out_format(out, "0x%llx = 0x%llx", LL(w.mask), LL(w.value));
	gsc_out_pad(out, column + 71);
	gsc_out_text(out, item->document ? item->document : "-");
	gsc_out_pad(out, column + 77);
	if (!common->gpu)
		gsc_out_text(out, db_where(common->db, item->platforms, &item->revisions, text,
					   sizeof(text)));
	if (item->doc)
		gsc_out_format(out, "%s%s", common->gpu ? "" : "; ", item->doc);
}

const char *db_workaround_text(const struct common *common, const struct gsc_item *item,
			       enum workaround_part part, char *buf, size_t size)
{
	static const char *const moments[] = {
		"when the driver starts the GT", "at each reset of the engine",
		"in each context image", "programs may write it",
	};
	struct gsc_workaround w;
	char fields[600];

	gsc_item_workaround(common->db, item, &w);
	if (part == WORKAROUND_TARGET) {
		target_text(&w, buf, size);
		string_addf(buf, size, ", %s%s", moments[w.kind],
			    w.unchecked ? "; the driver does not verify it" : "");
		return buf;
	}
	fields_text(common, item, &w, fields, sizeof(fields));
	snprintf(buf, size, "0x%llx = 0x%llx%s%s", LL(w.mask), LL(w.value), *fields ? ": " : "",
		 fields);
	return buf;
}

KEYS(workaround, "names: those that the driver gives. when: it is written once (gt), at each reset "
     "of the engine, in each context image, or programs may write the register. engine is empty "
     "for all that have it. mask and value: the bits, and what they are afterwards; of a "
     "whitelist, the access bits of its slot. unchecked: the driver does not verify it. only: a "
     "condition that platforms do not express.")
void db_json_workaround(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item)
{
	struct gsc_workaround w;
	const char *name = item->name;
	char text[600];

	gsc_item_workaround(common->db, item, &w);
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("workaround"));
	KEY_EACH(text, "names",
		 for (size_t i = 0; name; name = gsc_item_alias(common->db, item, i++, NULL)),
		 name, MIN_ITEMS(1));
	KEY(text, "when", w.when, ONE_OF("gt", "engine", "context", "whitelist"));
	KEY(text, "register", w.reg);
	KEY_OR_NULL(w.index >= 0, number, "index", (uint64_t)w.index);
	db_json_engines(json, w.engines, w.instance);
	KEY(hex, "mask", w.mask);
	KEY(hex, "value", w.value);
	KEY(some_text, "fields", fields_text(common, item, &w, text, sizeof(text)));
	KEY(flag, "unchecked", w.unchecked);
	KEY(text_or_null, "only", item->doc);
	KEY(text, "platforms", db_where(common->db, item->platforms, &item->revisions, text,
					sizeof(text)));
	db_json_origin(common, json, item->document, item->section);
}
