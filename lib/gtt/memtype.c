/* SPDX-License-Identifier: MIT */
/*
 * What PAT and MOCS indexes stand for. Software sets these tables up, so only the registers of the
 * source can say what an index means.
 */
#include "gtt/gtt.h"

#include "db/engine.h"
#include "db/view.h"
#include "util/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- one register as words ------------------------------------------------------------------ */

/* What precedes the meaning of a field; other fields are called by their names. */
static const struct { const char *field, *before; } meanings[] = {
	{ "MEMORY_TYPE", "" },		{ "TARGET_CACHE", "" },
	{ "COHERENCY_MODE", "" },	{ "L4_POLICY", "L4 " },
	{ "L3_POLICY", "L3 " },		{ "L4_CACHE_POLICY", "L4 " },
	{ "L3_CACHE_POLICY", "L3 " },	{ "L3_CACHEABILITY", "L3 " },
	{ "LE_CACHEABILITY", "" },	{ "LE_TGT_CACHE", "target " },
	{ "SNOOP", "snooped: " },
};

static bool is_meaning(const char *field)
{
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (!strcmp(meanings[i].field, field))
			return true;
	return false;
}

/* LE_COS: "le cos" */
static void put_other(struct text *t, const char *name, const struct gsc_field *field)
{
	if (!field->value)
		return;
	text_add(t, "%s", t->used ? ", " : "");
	for (; *name; name++)
		text_add(t, "%c", *name == '_' ? ' ' : tolower((unsigned char)*name));
	if (field->hi != field->lo)
		text_add(t, " %llu", LL(field->value));
}

enum part { PART_WHOLE, PART_PREFIX, PART_EVEN, PART_ODD };

/* The entry of a table: a register, or some fields of one. */
struct type_register {
	const char *name, *engine;
	int index;
	enum part part;
	char prefix[16];
};

/*
 * The field's name within the entry, in `room` if need be; NULL: it belongs to another one. Two
 * entries share a register: the even one's fields, or the odd one's, with the same names.
 */
static const char *own_name(const char *name, enum part part, const char *prefix, char *room,
			    size_t size)
{
	static const char *const halves[] = { "L3_UPPER_IDX_", "L3_UPPER_", "L3_" };
	size_t i = 0;

	if (part == PART_PREFIX)
		return strncmp(name, prefix, strlen(prefix)) ? NULL : name + strlen(prefix);
	if (part == PART_WHOLE)
		return name;
	while (i < ARRAY_SIZE(halves) && strncmp(name, halves[i], strlen(halves[i])))
		i++;
	if (i == ARRAY_SIZE(halves) || (part == PART_ODD) == (i == ARRAY_SIZE(halves) - 1))
		return NULL;
	snprintf(room, size, "L3_%s", name + strlen(halves[i]));
	return room;
}

/* Fields with the requested meanings, in the order of `meanings`; then the others. */
static void put_meaning(struct text *t, const struct gsc_view *view, const struct gsc_reg *reg,
			uint64_t value, const struct type_register *from, size_t meaning)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	char room[64];

	gsc_reg_fields(view, reg, value, &it);
	while (gsc_field_next(&it, &field)) {
		const char *name = own_name(field.name, from->part, from->prefix, room,
					    sizeof(room));

		if (!name || field.flags)
			continue;
		if (meaning == ARRAY_SIZE(meanings) && !is_meaning(name))
			put_other(t, name, &field);
		else if (meaning < ARRAY_SIZE(meanings) && !strcmp(meanings[meaning].field, name))
			text_add(t, "%s%s%s", t->used ? ", " : "", meanings[meaning].before,
				 field.text ? field.text : "");
	}
}

/* ---- registers of the source ---------------------------------------------------------------- */

/* "write-back, LLC (PAT_INDEX[0] 0x00000007)", or why not; false: the latter. */
static bool put_type(struct text *t, const struct gsc_gpu *gpu, const struct type_register *from)
{
	struct gsc_reg reg;
	struct text words;
	enum gsc_read status;
	char name[64];
	uint64_t value;

	if (!gpu_find(gpu, from->engine, from->name, from->index, &reg)) {
		text_add(t, "this platform has no %s", from->name);
		return false;
	}
	gsc_reg_full_name(&reg, name, sizeof(name));
	status = gpu_read(gpu, &reg, &value);
	if (status != GSC_READ_OK) {
		text_add(t, "%s is %s", name,
			 status == GSC_READ_ABSENT ? "not in the source" : gsc_read_word(status));
		return false;
	}
	words = text_begin(t->at + t->used, t->size - t->used);
	for (size_t i = 0; i <= ARRAY_SIZE(meanings); i++)
		put_meaning(&words, gpu->view, &reg, value, from, i);
	t->used += words.used;
	text_add(t, "%s(%s%s 0x%08llx)", words.used ? " " : "", name,
		 reg.flags & GSC_REG_MULTICAST && gsc_source_live(gpu->source) ? ", one copy" : "",
		 LL(value));
	return true;
}

/* At first eight entries in two registers, a byte each; later a register each. */
static bool pat_register(const struct gsc_gpu *gpu, unsigned index, struct type_register *from)
{
	struct gsc_reg reg;

	*from = (struct type_register){ .index = -1 };
	if (gpu_find(gpu, NULL, "PRIVATE_PAT_LO", -1, &reg)) {
		from->name = index < 4 ? "PRIVATE_PAT_LO" : "PRIVATE_PAT_HI";
		from->part = PART_PREFIX;
		snprintf(from->prefix, sizeof(from->prefix), "PAT%u_", index);
		return index < 8;
	}
	from->name = index < 8 ? "PAT_INDEX" : "PAT_INDEX_UPPER";
	from->index = (int)(index < 8 ? index : index - 8);
	return gpu_find(gpu, NULL, from->name, from->index, &reg);
}

static bool put_pat(struct text *t, const struct gsc_gpu *gpu, unsigned index)
{
	struct type_register from;

	if (!pat_register(gpu, 0, &from)) {
		text_add(t, "there is no page-attribute table before Gen8");
		return false;
	}
	if (!pat_register(gpu, index, &from)) {
		text_add(t, "the page-attribute table has no such entry");
		return false;
	}
	return put_type(t, gpu, &from);
}

bool gsc_memory_type(const struct gsc_gpu *gpu, unsigned pat_index, char *buf, size_t size)
{
	struct text t = text_begin(buf, size);

	return put_pat(&t, gpu, pat_index);
}

/* ---- MOCS ----------------------------------------------------------------------------------- */

bool gsc_mocs_type(const struct gsc_gpu *gpu, const char *engine, unsigned index, char *buf,
		   size_t size)
{
	struct type_register control = { .name = "GLOBAL_MOCS", .index = (int)MIN(index, 4096u) };
	struct type_register l3 = { .name = "LNCFCMOCS", .index = control.index / 2,
			    .part = index & 1 ? PART_ODD : PART_EVEN };
	enum engine_class class = engine ? engine_class_of(engine) : ENGINE_RCS;
	struct text t = text_begin(buf, size);
	bool known = false;
	struct gsc_reg reg;

	if (!gpu_find(gpu, engine, control.name, control.index, &reg)) {
		control.name = "MOCS";
		control.engine = engine;
	}
	if (gpu_find(gpu, control.engine, control.name, control.index, &reg))
		known = put_type(&t, gpu, &control);
	/* Only the render and compute engines use the L3. */
	if ((class == ENGINE_RCS || class == ENGINE_CCS) &&
	    gpu_find(gpu, NULL, l3.name, l3.index, &reg)) {
		text_add(&t, "%s", t.used ? "; " : "");
		known |= put_type(&t, gpu, &l3);
	}
	if (t.used)
		return known;
	text_add(&t, gpu_find(gpu, NULL, "GLOBAL_MOCS", 0, &reg) ||
		     gpu_find(gpu, NULL, "MOCS", 0, &reg) ||
		     gpu_find(gpu, NULL, "LNCFCMOCS", 0, &reg) ?
			     "the MOCS table has no such entry" :
			     "there are no MOCS tables before Gen9");
	return false;
}

/* ---- entries -------------------------------------------------------------------------------- */

/* Before Gen8 the entry itself says how its page is cached. */
static bool put_own_bits(struct text *t, const struct gsc_field *field)
{
	if (!strcmp(field->name, "MAPPING_TYPE") || !strcmp(field->name, "CACHEABILITY_CONTROL"))
		text_add(t, "%s%s", t->used ? ", " : "", field->text ? field->text : "");
	else if (!strcmp(field->name, "SNOOPED"))
		text_add(t, "%ssnooped: %s", t->used ? ", " : "", field->value ? "yes" : "no");
	else
		return false;
	return true;
}

bool gsc_entry_memory_type(const struct gsc_gpu *gpu, const struct gsc_entry *entry, char *buf,
			   size_t size)
{
	struct type_register first;
	bool has_pat = entry->mode == GSC_MODE_GGTT && pat_register(gpu, 0, &first), own = false;
	struct text t = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned index = 0;

	gsc_item_fields(gpu->db, gpu->view, &entry->item, entry->words, GSC_ENTRY_WORDS, &it);
	while (gsc_field_next(&it, &field)) {
		struct gsc_form form;

		gsc_field_form(&it, &form);
		if (!strcmp(field.name, "NULL") && field.value)
			return false;
		own |= put_own_bits(&t, &field);
		if (!form.join || strcmp(form.join, "PAT_INDEX") || form.shift > 31)
			continue;
		index |= (unsigned)field.value << form.shift;
		has_pat = true;
	}
	if (!has_pat)
		return own;
	text_add(&t, "PAT %u: ", index);
	return put_pat(&t, gpu, index);
}
