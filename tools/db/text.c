/* SPDX-License-Identifier: MIT */
/* gpu-db: how parts of definitions are written. */
#include "cli/text.h"
#include "gpu-db.h"
#include "out/walk.h"
#include "util/text.h"

#define RIGHT_EDGE 79

static const char *platform_name(const struct gsc_db *db, unsigned i)
{
	struct gsc_platform p;

	return gsc_platform_at(db, i, &p) ? p.name : "?";
}

const char *db_platforms(const struct gsc_db *db, uint64_t platforms, char *buf, size_t size)
{
	unsigned count = gsc_platform_count(db), last;
	bool all = true;

	*buf = 0;
	for (unsigned i = 0; i < count; i++)
		all &= platforms >> i & 1;
	if (all)
		return snprintf(buf, size, "all"), buf;
	for (unsigned i = 0; i < count; i = last + 1) {
		last = i;
		if (!(platforms >> i & 1))
			continue;
		while (last + 1 < count && platforms >> (last + 1) & 1)
			last++;
		append_word(buf, size, ", ", platform_name(db, i));
		if (last + 1 == count && last > i)
			string_addf(buf, size, "+");
		else if (last > i)
			string_addf(buf, size, "%s%s", last == i + 1 ? ", " : "..",
			       platform_name(db, last));
	}
	if (!*buf)
		snprintf(buf, size, "none");
	return buf;
}

const char *db_where(const struct gsc_db *db, uint64_t platforms,
		     const struct gsc_revisions *revisions, char *buf, size_t size)
{
	uint64_t stepped = platforms & revisions->platforms;
	char list[200];

	*buf = 0;
	if (platforms != stepped || !platforms)
		db_platforms(db, platforms & ~stepped, buf, size);
	if (!stepped)
		return buf;
	append_word(buf, size, ", ", db_platforms(db, stepped, list, sizeof(list)));
	if (revisions->hi == UINT8_MAX)
		string_addf(buf, size, " from revision 0x%02x", revisions->lo);
	else if (revisions->lo == revisions->hi)
		string_addf(buf, size, " revision 0x%02x", revisions->lo);
	else
		string_addf(buf, size, " revisions 0x%02x to 0x%02x", revisions->lo, revisions->hi);
	return buf;
}

const char *db_engines(unsigned engines, int instance, const char *between, char *buf, size_t size)
{
	const char *class;

	*buf = 0;
	for (unsigned bit = 0; (class = gsc_engine_class(bit)); bit++) {
		if (!(engines >> bit & 1))
			continue;
		append_word(buf, size, between, class);
		if (instance >= 0)
			string_addf(buf, size, "%d", instance);
	}
	return buf;
}

const char *db_access(unsigned access, char *buf, size_t size)
{
	*buf = 0;
	for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1)
		if (access & bit)
			append_word(buf, size, ",", gsc_access_word((enum gsc_access)bit));
	return buf;
}

const char *db_place(const struct gsc_place *place, char *buf, size_t size)
{
	bool mmio = place->space == GSC_MMIO;

	snprintf(buf, size, "%s%s%s0x%llx", mmio ? "" : gsc_space_name(place->space),
		 mmio ? "" : ":", place->relative ? "+" : "", LL(place->offset));
	return buf;
}

const char *db_reg_place(const struct gsc_reg *reg, char *buf, size_t size)
{
	bool mmio = reg->space == GSC_MMIO;

	snprintf(buf, size, "%s%s0x%06llx", mmio ? "" : gsc_space_name(reg->space),
		 mmio ? "" : ":", LL(reg->offset));
	return buf;
}

const char *db_length(const struct gsc_item *item, char *buf, size_t size)
{
	if (item->length_hi < 0)
		snprintf(buf, size, "%u", item->length);
	else
		snprintf(buf, size, "dw0[%d:%d]+%u", item->length_hi, item->length_lo,
			 item->length);
	return buf;
}

const char *db_title(const struct gsc_db *db, const char *document)
{
	const char *key, *title;

	for (size_t i = 0; document && gsc_document_at(db, i, &key, &title); i++)
		if (!strcmp(key, document))
			return title;
	return NULL;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

SCHEMA(db, DB_SCHEMA, "gpu-db --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of that list; of export, which has several, the elements of "
       "all, told apart by kind.",
       FORMS(check, listRegisters, listPlatforms, listProperties, listGroups, listCommands,
	     listStructures, listInstructions, listDocuments, listIds, listRules, listRanges,
	     listTlbs, listInvalidations, listWorkarounds, show, which, stats, export))

KEYS()
void db_json_origin(const struct common *common, struct gsc_json *json, const char *document,
		    const char *section)
{
	char text[600];

	KEY(text_or_null, "origin",
	    named_origin(common->db, document, section, text, sizeof(text)));
}

KEYS()
void db_json_engines(struct gsc_json *json, unsigned engines, int instance)
{
	char text[16];

	KEY_EACH(text, "engine",
		 for (unsigned bit = 0; gsc_engine_class(bit); bit++) if (engines >> bit & 1),
		 db_engines(1u << bit, instance, "", text, sizeof(text)),
		 "Classes, or one instance as vcs1.", UNIQUE,
		 PATTERN("^(rcs|bcs|vcs|vecs|ccs|gsccs)[0-9]*$"));
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

KEYS()
void db_json_command(struct gsc_json *json, const struct gsc_item *item, unsigned engines)
{
	char text[64];

	db_json_engines(json, engines, -1);
	KEY(flag, "privileged", item->privileged,
	    "Of a command: for rings and privileged batches only.");
	KEY(hex, "mask", item->mask);
	KEY(hex, "value", item->value);
	KEY(text, "length", db_length(item, text, sizeof(text)),
	    "Of a command, in dwords: a number, or the bits of its first dword that say it and "
	    "what is added.", PATTERN("^([0-9]+|dw0\\[[0-9]+:[0-9]+\\]\\+[0-9]+)$"));
}

const char *db_target(const struct gsc_item *w, char *buf, size_t size)
{
	db_engines(w->engines, w->instance, ",", buf, size);
	string_addf(buf, size, "%s%s", w->engines ? "." : "", w->reg);
	if (w->index >= 0)
		string_addf(buf, size, "[%d]", w->index);
	return buf;
}

KEYS(workaround, "names: those that the driver gives. when: it is written once (gt), at each reset "
     "of the engine, in each context image; programs may write the register (whitelist); or the "
     "driver does what `instead` says (other). engine is empty for all that have it. mask and "
     "value: the bits, and what they are afterwards; of a whitelist, the access bits of its slot. "
     "unchecked: the driver does not verify it. only: a condition that platforms do not express.")
void db_json_workaround(const struct common *common, struct gsc_json *json,
			const struct gsc_item *w)
{
	const char *name = w->name, *fields;
	bool other = w->moment == WORKAROUND_OTHER;
	char text[900];

	KEY(text, "kind", gsc_kind_word(w->kind), ONE_OF("workaround"));
	KEY_EACH(text, "names",
		 for (size_t i = 0; name; name = gsc_item_alias(common->db, w, i++, NULL)),
		 name, MIN_ITEMS(1));
	KEY(text, "when", w->when, ONE_OF("gt", "engine", "context", "whitelist", "other"));
	KEY(some_text, "register", other ? NULL : w->reg);
	KEY_OR_NULL(w->index >= 0, number, "index", (uint64_t)w->index);
	db_json_engines(json, w->engines, w->instance);
	KEY(hex, "mask", w->mask);
	KEY(hex, "value", w->value);
	fields = strstr(gsc_workaround_bits(common->db, w, w->platforms, text, sizeof(text)), ": ");
	KEY(some_text, "fields", fields ? fields + 2 : NULL);
	KEY(flag, "unchecked", w->unchecked);
	KEY(text_or_null, "only", other ? NULL : w->doc);
	KEY(text_or_null, "instead", other ? w->doc : NULL);
	KEY(text, "platforms", db_where(common->db, w->platforms, &w->revisions, text,
					sizeof(text)));
	db_json_origin(common, json, w->document, w->section);
}

KEYS()
void db_json_instruction(struct gsc_json *json, const struct gsc_item *item)
{
	KEY(hex, "opcode", item->opcode);
	KEY(text, "form", item->form, "How the rest of its bits is encoded.");
	KEY(number, "sources", item->sources, MAX(3), "Of a branch its labels.");
}

/* ---- text ----------------------------------------------------------------------------------- */

void db_wrap(struct gsc_out *out, unsigned column, const char *text)
{
	unsigned at = column;

	gsc_out_pad(out, column);
	while (*text) {
		size_t word = strcspn(text, " ");

		if (at > column && at + 1 + word > RIGHT_EDGE) {
			gsc_out_end(out);
			gsc_out_pad(out, column);
			at = column;
		}
		if (at > column) {
			gsc_out_bytes(out, " ", 1);
			at++;
		}
		gsc_out_bytes(out, text, word);
		at += (unsigned)word;
		text += word;
		text += strspn(text, " ");
	}
	gsc_out_end(out);
}

bool db_sees(const struct common *common, uint64_t platforms, const struct gsc_revisions *revisions)
{
	return !common->gpu || gsc_view_sees(view_of(common), platforms, revisions);
}

unsigned db_platform_engines(const struct common *common)
{
	const unsigned platform = platform_of(common)->index;
	struct gsc_engine_place engine;
	unsigned engines = 0;

	for (size_t i = 0; gsc_platform_engine(common->db, platform, i, &engine); i++)
		engines |= 1u << engine.engine_class;
	return engines;
}
