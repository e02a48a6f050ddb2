/* SPDX-License-Identifier: MIT */
/*
 * What PAT indexes stand for. Software sets their table up, so only the registers of the source can
 * say what an index means.
 */
#include "gtt/gtt.h"

#include "db/view.h"
#include "source/source.h"
#include "util/text.h"

#include <ctype.h>

/* ---- one register as words ------------------------------------------------------------------ */

/* What precedes the meaning of a field; other fields are called by their names. */
static const struct { const char *field, *before; } meanings[] = {
	{ "MEMORY_TYPE", "" },		{ "TARGET_CACHE", "" },
	{ "COHERENCY_MODE", "" },	{ "L4_POLICY", "L4 " },
	{ "L3_POLICY", "L3 " },		{ "SNOOP", "snooped: " },
};

/* Fields with the requested meaning; after the last meaning the others: LE_COS as "le cos". */
static void put_meaning(struct text *t, const struct gsc_view *view, const struct gsc_reg *reg,
			uint64_t value, const char *prefix, size_t meaning)
{
	size_t length = strlen(prefix), i;
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_reg_fields(view, reg, value, &it);
	while (gsc_field_next(&it, &field)) {
		const char *name = field.name + length;

		if (field.flags || strncmp(field.name, prefix, length))
			continue;
		for (i = 0; i < ARRAY_SIZE(meanings) && strcmp(meanings[i].field, name);)
			i++;
		if (i != meaning || (i == ARRAY_SIZE(meanings) && !field.value))
			continue;
		text_add(t, "%s", t->used ? ", " : "");
		if (i < ARRAY_SIZE(meanings)) {
			text_add(t, "%s%s", meanings[i].before, field.text ? field.text : "");
			continue;
		}
		for (; *name; name++)
			text_add(t, "%c", *name == '_' ? ' ' : tolower((unsigned char)*name));
		if (field.hi != field.lo)
			text_add(t, " %llu", LL(field.value));
	}
}

/* ---- registers of the source ---------------------------------------------------------------- */

/*
 * At first eight entries in two registers, a byte each, whose fields have a prefix; later a
 * register each.
 */
static bool pat_register(const struct gsc_gpu *gpu, unsigned index, struct gsc_reg *reg,
			 char prefix[16])
{
	*prefix = 0;
	if (!gpu_find(gpu, NULL, "PRIVATE_PAT_LO", -1, reg))
		return gpu_find(gpu, NULL, index < 8 ? "PAT_INDEX" : "PAT_INDEX_UPPER",
				(int)(index < 8 ? index : index - 8), reg);
	snprintf(prefix, 16, "PAT%u_", index);
	return index < 8 && gpu_find(gpu, NULL, index < 4 ? "PRIVATE_PAT_LO" : "PRIVATE_PAT_HI",
				     -1, reg);
}

bool pat_put(struct text *t, const struct gsc_gpu *gpu, unsigned index)
{
	char name[64], prefix[16];
	enum gsc_read status;
	struct gsc_reg reg;
	struct text words;
	uint64_t value;

	if (!pat_register(gpu, 0, &reg, prefix) || !pat_register(gpu, index, &reg, prefix)) {
		text_add(t, "%s", pat_register(gpu, 0, &reg, prefix) ?
				  "the page-attribute table has no such entry" :
				  "there is no page-attribute table before Gen8");
		return false;
	}
	gsc_reg_full_name(&reg, name, sizeof(name));
	status = gsc_gpu_read(gpu, &reg, &value);
	if (status != GSC_READ_OK) {
		text_add(t, "%s is %s", name,
			 status == GSC_READ_ABSENT ? "not in the source" : gsc_read_word(status));
		return false;
	}
	words = text_begin(t->at + t->used, t->size - t->used);
	for (size_t i = 0; i <= ARRAY_SIZE(meanings); i++)
		put_meaning(&words, gpu->view, &reg, value, prefix, i);
	t->used += words.used;
	text_add(t, "%s(%s%s 0x%08llx)", words.used ? " " : "", name,
		 reg.flags & GSC_REG_MULTICAST && gsc_source_live(gpu->source) ? ", one copy" : "",
		 LL(value));
	return true;
}

/* ---- entries -------------------------------------------------------------------------------- */

bool gsc_entry_memory_type(const struct gsc_gpu *gpu, const struct gsc_entry *entry, char *buf,
			   size_t size)
{
	struct gsc_reg reg;
	char prefix[16];
	bool has_pat = entry->mode == GSC_MODE_GGTT && pat_register(gpu, 0, &reg, prefix);
	bool own = false;
	struct text t = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned index = 0;

	gsc_item_fields(gpu->view->db, gpu->view, &entry->item, entry->words, GSC_ENTRY_WORDS, &it);
	while (gsc_field_next(&it, &field)) {
		struct gsc_form form;

		gsc_field_form(&it, &form);
		if (!strcmp(field.name, "NULL") && field.value)
			return false;
		/* Before Gen8 the entry itself says how its page is cached. */
		if (!strcmp(field.name, "MAPPING_TYPE") ||
		    !strcmp(field.name, "CACHEABILITY_CONTROL")) {
			text_add(&t, "%s%s", t.used ? ", " : "", field.text ? field.text : "");
			own = true;
		} else if (!strcmp(field.name, "SNOOPED")) {
			text_add(&t, "%ssnooped: %s", t.used ? ", " : "",
				 field.value ? "yes" : "no");
			own = true;
		}
		if (!form.join || strcmp(form.join, "PAT_INDEX") || form.shift > 31)
			continue;
		index |= (unsigned)field.value << form.shift;
		has_pat = true;
	}
	if (!has_pat)
		return own;
	text_add(&t, "PAT %u: ", index);
	return pat_put(&t, gpu, index);
}
