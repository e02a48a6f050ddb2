/* SPDX-License-Identifier: MIT */
/*
 * How a page is accessed: what its entry, the PAT entry that it selects and a MOCS say, and the
 * facts that these choose. Software sets the tables up, so only the registers of the source can say
 * what an index means.
 */
#include "gtt/gtt.h"

#include "db/view.h"
#include "source/source.h"
#include "util/text.h"

#include <ctype.h>

/* ---- a register as words -------------------------------------------------------------------- */

/* What precedes the meaning of a field whose name ends so; NULL: it is called by its name. */
static const struct { const char *field, *before; } meanings[] = {
	{ "MEMORY_TYPE", "" },		{ "TARGET_CACHE", "" },
	{ "COHERENCY_MODE", "" },	{ "L4_POLICY", "L4 " },
	{ "L3_POLICY", "L3 " },		{ "SNOOP", "snooped: " },
	{ "IG_PAT", "instead of the PAT: " }, { "LE_CACHEABILITY", "LLC " },
	{ "LE_TGT_CACHE", "target " },	{ "L4_CACHE_POLICY", "L4 " },
	{ "L3_CACHE_POLICY", "L3 " },	{ "L3_CACHEABILITY", "L3 " },
	{ "IDX_CACHEABILITY", "L3 " },	{ "GLBGO", "writes observed in " },
	{ "LKUP", "looked up in L3: " }, { "LLC_CACHEABILITY_CONTROL", "LLC: " },
	{ "L3_CACHEABILITY_CONTROL", "L3: " }, { "CACHEABILITY_CONTROL", "" },
	{ "", NULL },
};

/* The name of a field without what says which part of the register it is in. */
static const char *plain_name(const struct gsc_decider *d, const char *name)
{
	bool front = d->hi - d->lo == 7 || !strncmp(name, "LE_", 3);

	return front && strchr(name, '_') ? strchr(name, '_') + 1 : name;
}

static bool has_ending(const char *name, const char *ending)
{
	size_t length = strlen(name), part = strlen(ending);

	return length >= part && !strcmp(name + length - part, ending);
}

/* The fields of the register or structure; of a register its part only. */
static void fields_begin(const struct gsc_view *view, const struct gsc_decider *d,
			 struct gsc_field_iter *it)
{
	if (d->item.name)
		gsc_item_fields(view->db, view, &d->item, d->words, d->count, it);
	else
		gsc_reg_fields(view, &d->reg, d->value, it);
}

static bool fields_next(const struct gsc_decider *d, struct gsc_field_iter *it,
			struct gsc_field *field)
{
	while (gsc_field_next(it, field))
		if (d->item.name || (field->lo >= d->lo && field->hi <= d->hi))
			return true;
	return false;
}

static void put_field(struct text *t, const char *before, const char *name,
		      const struct gsc_field *field)
{
	if (before) {
		text_add(t, "%s%s", before, field->text ? field->text : "");
		return;
	}
	for (; *name; name++)
		text_add(t, "%c", *name == '_' ? ' ' : tolower((unsigned char)*name));
	if (field->hi != field->lo)
		text_add(t, " %llu", LL(field->value));
}

/* "write-back, LLC only (PRIVATE_PAT_LO 0x00000009)"; false: why it is unknown. */
static bool put_decider(struct text *t, const struct gsc_gpu *gpu, const struct gsc_decider *d)
{
	char name[64] = "";
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t begin = t->used, i;

	if (!d->item.name)
		gsc_reg_full_name(&d->reg, name, sizeof(name));
	if (d->status != GSC_READ_OK) {
		text_add(t, !gpu->source ? "%s decides" : d->status == GSC_READ_ABSENT
			    ? "%s is not in this dump" : "%s is %s", name,
			 gsc_read_word(d->status));
		return false;
	}
	for (size_t m = 0; m < ARRAY_SIZE(meanings); m++) {
		fields_begin(gpu->view, d, &it);
		while (fields_next(d, &it, &field)) {
			for (i = 0; !has_ending(field.name, meanings[i].field);)
				i++;
			if (field.flags || i != m || (!meanings[m].before && !field.value))
				continue;
			text_add(t, "%s", t->used > begin ? ", " : "");
			put_field(t, meanings[m].before, plain_name(d, field.name), &field);
		}
	}
	if (*name)
		text_add(t, "%s(%s%s 0x%08llx)", t->used > begin ? " " : "", name,
			 d->reg.flags & GSC_REG_MULTICAST && gsc_source_live(gpu->source)
				 ? ", one copy" : "", LL(d->value));
	return true;
}

/* ---- registers of the source ---------------------------------------------------------------- */

/* At first eight PAT entries in two registers, a byte each; later a register each. */
static bool pat_register(const struct gsc_gpu *gpu, unsigned index, struct gsc_decider *d)
{
	*d = (struct gsc_decider){ .hi = 63 };
	if (!gpu_find(gpu, NULL, "PRIVATE_PAT_LO", -1, &d->reg))
		return gpu_find(gpu, NULL, index < 8 ? "PAT_INDEX" : "PAT_INDEX_UPPER",
				(int)(index < 8 ? index : index - 8), &d->reg);
	d->lo = index % 4 * 8;
	d->hi = d->lo + 7;
	return index < 8 && gpu_find(gpu, NULL, index < 4 ? "PRIVATE_PAT_LO" : "PRIVATE_PAT_HI",
				     -1, &d->reg);
}

static void decider_read(const struct gsc_gpu *gpu, struct gsc_decider *d)
{
	d->there = true;
	d->status = gsc_gpu_read(gpu, &d->reg, &d->value);
}

bool pat_put(struct text *t, const struct gsc_gpu *gpu, unsigned index)
{
	struct gsc_decider pat;

	if (pat_register(gpu, index, &pat)) {
		decider_read(gpu, &pat);
		return put_decider(t, gpu, &pat);
	}
	text_add(t, "%s", pat_register(gpu, 0, &pat) ?
			  "the page-attribute table has no such entry" :
			  "there is no page-attribute table before Gen8");
	return false;
}

static bool find_state(const struct gsc_view *view, struct gsc_item *item)
{
	for (size_t i = 0; gsc_item_at(view->db, GSC_STRUCTURE, i, item); i++)
		if (!strcmp(item->name, "MEMORY_OBJECT_CONTROL_STATE") &&
		    gsc_view_sees(view, item->platforms, &item->revisions))
			return true;
	item->name = NULL;
	return false;
}

/* Commands have the state itself at first; from Gen9 on an index into tables. */
static void mocs_read(struct gsc_facts *f, const struct gsc_mocs *mocs)
{
	struct gsc_decider *state = &f->by[BY_MOCS], *l3 = &f->by[BY_L3];
	int index = (int)mocs->index;

	if (mocs->index > 127)
		return;
	state->hi = 31;
	if (gpu_find(f->gpu, mocs->engine ? mocs->engine : "rcs0", "MOCS", index, &state->reg) ||
	    gpu_find(f->gpu, NULL, "GLOBAL_MOCS", index, &state->reg))
		decider_read(f->gpu, state);
	l3->lo = (unsigned)index % 2 * 16;
	l3->hi = l3->lo + 15;
	if (gpu_find(f->gpu, NULL, "LNCFCMOCS", index / 2, &l3->reg))
		decider_read(f->gpu, l3);
	if (gpu_find(f->gpu, NULL, "LNCFCMOCS", 0, &(struct gsc_reg){ 0 }) ||
	    gpu_find(f->gpu, NULL, "GLOBAL_MOCS", 0, &(struct gsc_reg){ 0 }))
		return;
	state->there = find_state(f->gpu->view, &state->item);
	state->words[0] = (uint32_t)index;
	state->count = 1;
}

static void put_mocs(struct text *t, const struct gsc_facts *f)
{
	for (size_t i = BY_MOCS; i <= BY_L3; i++) {
		if (!f->by[i].there)
			continue;
		text_add(t, "%s", t->used ? "; " : "");
		put_decider(t, f->gpu, &f->by[i]);
	}
	if (!t->used)
		text_add(t, "this platform has no such entry");
}

/* ---- entries -------------------------------------------------------------------------------- */

bool gsc_entry_pat(const struct gsc_view *view, const struct gsc_entry *entry, unsigned *index)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	bool has = false;

	*index = 0;
	if (!entry->bytes)
		return false;
	gsc_item_fields(view->db, view, &entry->item, entry->words, entry->bytes / 4, &it);
	while (gsc_field_next(&it, &field)) {
		struct gsc_form form;

		gsc_field_form(&it, &form);
		if (!form.join || strcmp(form.join, "PAT_INDEX") || form.shift > 31)
			continue;
		*index |= (unsigned)field.value << form.shift;
		has = true;
	}
	return has;
}

/* The index that it selects; the entries of the global table select entry 0 before they can. */
static bool selects_pat(const struct gsc_gpu *gpu, const struct gsc_entry *entry, unsigned *index)
{
	struct gsc_decider pat;

	return gsc_entry_pat(gpu->view, entry, index) ||
	       (entry->mode == GSC_MODE_GGTT && pat_register(gpu, 0, &pat));
}

bool gsc_entry_memory_type(const struct gsc_gpu *gpu, const struct gsc_entry *entry, char *buf,
			   size_t size)
{
	struct text t = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned index;

	if (entry_value(gpu->view, entry, "NULL"))
		return false;
	/* Before Gen8 the entry itself says how its page is cached. */
	gsc_item_fields(gpu->view->db, gpu->view, &entry->item, entry->words, GSC_ENTRY_WORDS, &it);
	while (gsc_field_next(&it, &field)) {
		if (!strcmp(field.name, "MAPPING_TYPE") ||
		    !strcmp(field.name, "CACHEABILITY_CONTROL"))
			text_add(&t, "%s%s", t.used ? ", " : "", field.text ? field.text : "");
		else if (!strcmp(field.name, "SNOOPED"))
			text_add(&t, "%ssnooped: %s", t.used ? ", " : "",
				 field.value ? "yes" : "no");
	}
	if (!selects_pat(gpu, entry, &index))
		return t.used;
	text_add(&t, "PAT %u: ", index);
	if (entry->mode == GSC_MODE_IA32E) {
		text_add(&t, "the context has a table of its own, in its extended context or PASID "
			 "entry");
		return false;
	}
	return pat_put(&t, gpu, index);
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* The next fact about a level, from number *at of all on; about ABOUTS: whatever it is about. */
static const struct b_fact *fact_from(const struct gsc_view *view, enum gsc_mode mode,
				      const char *level, unsigned about, size_t *at,
				      struct gsc_fact *fact)
{
	size_t first = 0;

	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);
		size_t end = first + layer_count(l, B_FACTS);

		for (; *at < end; ++*at) {
			const struct b_fact *f = LAYER_ITEM(l, B_FACTS, struct b_fact, *at - first);

			if ((about < ABOUTS && f->about != about) ||
			    !where_holds(&f->where, view->bit, view->revision) ||
			    !list_has(layer_text(l, f->modes), gsc_mode_name(mode)) ||
			    (f->levels && !list_has(layer_text(l, f->levels), level)))
				continue;
			fact->layer = l;
			fact->about = about_words[f->about];
			fact->condition = f->condition ? layer_text(l, f->condition) : NULL;
			fact->text = layer_text(l, f->text);
			layer_origin(l, f->origin, &fact->document, &fact->section);
			++*at;
			return f;
		}
		first = end;
	}
	return NULL;
}

bool gsc_fact(const struct gsc_view *view, enum gsc_mode mode, const char *level, size_t *at,
	      struct gsc_fact *fact)
{
	return fact_from(view, mode, level, ABOUTS, at, fact);
}

void gsc_facts_begin(struct gsc_facts *f, const struct gsc_gpu *gpu, const struct gsc_entry *entry,
		     const struct gsc_mocs *mocs)
{
	struct gsc_decider *own = &f->by[BY_ENTRY];

	memset(f, 0, sizeof(*f));
	f->gpu = gpu;
	f->entry = entry;
	own->there = entry->bytes;
	own->item = entry->item;
	own->count = entry->bytes / 4;
	memcpy(own->words, entry->words, sizeof(own->words));
	f->page = entry->bytes && entry->valid && entry->leaf &&
		  !entry_value(gpu->view, entry, "NULL");
	f->has_pat = f->page && entry->mode != GSC_MODE_IA32E && selects_pat(gpu, entry, &f->pat);
	if (f->has_pat && pat_register(gpu, f->pat, &f->by[BY_PAT]))
		decider_read(gpu, &f->by[BY_PAT]);
	if (!f->page || !mocs || !mocs->given)
		return;
	string_set(f->mocs, "MOCS %llu", LL(mocs->index));
	mocs_read(f, mocs);
}

/*
 * Whether a condition holds. If a register that decides it could not be read, *unread becomes that
 * register, and it might. One about a field that the platform has not never holds.
 */
static bool may_hold(const struct gsc_facts *f, const struct b_when *when, const char *name,
		     const struct gsc_decider **unread)
{
	const struct gsc_decider *d = f->by;
	struct gsc_field_iter it;
	struct gsc_field field;

	if (!strcmp(name, "PAT_INDEX"))
		return f->has_pat && when->values >> (f->pat & 63) & 1;
	if (!strncmp(name, "MOCS.", 5)) {
		d = &f->by[BY_MOCS];
		name += 5;
	}
	for (; d < f->by + ARRAY_SIZE(f->by); d++) {
		if (!d->there)
			continue;
		fields_begin(f->gpu->view, d, &it);
		while (fields_next(d, &it, &field)) {
			if (strcmp(plain_name(d, field.name), name) && strcmp(field.name, name))
				continue;
			if (d->status != GSC_READ_OK)
				*unread = d;
			return d->status != GSC_READ_OK ||
			       (field.value < 64 && when->values >> field.value & 1) != when->not;
		}
	}
	return false;
}

/* The registers come first: the type that the entry selects, and the MOCS. */
static bool register_next(struct gsc_facts *f, struct gsc_fact *fact)
{
	struct text text = text_of(f->text);

	*fact = (struct gsc_fact){ .about = "memory type", .text = f->text };
	if (f->page && !f->type_told) {
		f->type_told = true;
		gsc_entry_memory_type(f->gpu, f->entry, f->text, sizeof(f->text));
		if (*f->text)
			return true;
	}
	if (!*f->mocs || f->mocs_told)
		return false;
	f->mocs_told = true;
	fact->about = f->mocs;
	put_mocs(&text, f);
	return true;
}

/* Whether all conditions of a fact hold, or might. */
static bool fact_holds(const struct gsc_facts *f, const struct b_fact *b,
		       const struct gsc_fact *fact, const struct gsc_decider **unread)
{
	/* What drivers usually write does not matter where it can be read. */
	if (b->about == ABOUT_DRIVERS && f->by[BY_PAT].status == GSC_READ_OK)
		return false;
	for (unsigned i = 0; i < FACT_WHENS && b->when[i].field; i++)
		if (!may_hold(f, &b->when[i], layer_text(fact->layer, b->when[i].field), unread))
			return false;
	return !*unread || b->about;
}

bool gsc_facts_next(struct gsc_facts *f, struct gsc_fact *fact)
{
	struct text text = text_of(f->text);
	const struct b_fact *b;

	if (register_next(f, fact))
		return true;
	for (; f->turn < ABOUTS; f->turn++, f->next = 0) {
		unsigned about = (f->turn + 1) % ABOUTS;

		while ((f->page || !about) &&
		       (b = fact_from(f->gpu->view, f->entry->mode, f->entry->level, about,
				      &f->next, fact))) {
			const struct gsc_decider *unread = NULL;

			if (!fact_holds(f, b, fact, &unread))
				continue;
			if (unread) {
				put_decider(&text, f->gpu, unread);
				*fact = (struct gsc_fact){ .about = fact->about, .text = f->text };
			}
			f->next = about ? SIZE_MAX : f->next;
			return true;
		}
	}
	return false;
}
