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
#include <limits.h>

#define REGISTER_TURNS 2u

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

/* The next field in its part of a register. */
static bool fields_next(const struct gsc_decider *d, struct gsc_field_iter *it,
			struct gsc_field *field)
{
	while (gsc_field_next(it, field))
		if (field->lo >= d->lo && field->hi <= d->hi)
			return true;
	return false;
}

/* "write-back, LLC only (PRIVATE_PAT_LO 0x00000009)", or why it is unknown. */
static void put_decider(struct text *t, const struct gsc_gpu *gpu, const struct gsc_decider *d)
{
	char name[64] = "";
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t begin = t->used, i;

	if (d->reg.name)
		gsc_reg_full_name(&d->reg, name, sizeof(name));
	if (d->status != GSC_READ_OK) {
		text_add(t, !gpu->source ? "%s decides" : d->status == GSC_READ_ABSENT
			    ? "%s is not in this dump" : "%s is %s", name,
			 gsc_read_word(d->status));
		return;
	}
	for (size_t m = 0; m < ARRAY_SIZE(meanings); m++) {
		for (it = d->fields; fields_next(d, &it, &field);) {
			const char *before = meanings[m].before, *c = plain_name(d, field.name);

			for (i = 0; !has_ending(field.name, meanings[i].field);)
				i++;
			if (field.flags || i != m || (!before && !field.value))
				continue;
			text_add(t, "%s%s%s", t->used > begin ? ", " : "", before ? before : "",
				 before && field.text ? field.text : "");
			for (; !before && *c; c++)
				text_add(t, "%c", *c == '_' ? ' ' : tolower((unsigned char)*c));
			if (!before && field.hi != field.lo)
				text_add(t, " %llu", LL(field.value));
		}
	}
	if (*name)
		text_add(t, "%s(%s%s 0x%08llx)", t->used > begin ? " " : "", name,
			 d->reg.flags & GSC_REG_MULTICAST && gsc_source_live(gpu->source)
				 ? ", one copy" : "", LL(d->value));
}

/* ---- what decides --------------------------------------------------------------------------- */

/* False: the platform has no such register. */
static bool decider_read(const struct gsc_gpu *gpu, const char *engine, const char *name, int index,
			 struct gsc_decider *d)
{
	d->there = gpu_find(gpu, engine, name, index, &d->reg);
	if (!d->there)
		return false;
	d->status = gsc_gpu_read(gpu, &d->reg, &d->value);
	gsc_reg_fields(gpu->view, &d->reg, d->value, &d->fields);
	return true;
}

/* At first eight PAT entries in two registers, a byte each; later a register each. */
static bool pat_read(const struct gsc_gpu *gpu, uint64_t pat, struct gsc_decider *d)
{
	int index = (int)MIN(pat, 64u);		/* no table has as many */

	*d = (struct gsc_decider){ .hi = 63 };
	if (!gpu_find(gpu, NULL, "PRIVATE_PAT_LO", -1, &d->reg))
		return decider_read(gpu, NULL, index < 8 ? "PAT_INDEX" : "PAT_INDEX_UPPER",
				    index < 8 ? index : index - 8, d);
	d->lo = (unsigned)index % 4 * 8;
	d->hi = d->lo + 7;
	return index < 8 && decider_read(gpu, NULL, index < 4 ? "PRIVATE_PAT_LO" : "PRIVATE_PAT_HI",
					 -1, d);
}

/* Commands have the state itself at first; from Gen9 on an index into tables. */
static void mocs_read(struct gsc_facts *f, const struct gsc_mocs *mocs)
{
	struct gsc_decider *state = &f->by[BY_MOCS], *l3 = &f->by[BY_L3];
	const struct gsc_gpu *gpu = f->gpu;
	int index = (int)mocs->index;
	struct gsc_item item;
	struct gsc_reg reg;

	if (mocs->index > 127)
		return;
	state->hi = UINT_MAX;
	if (!decider_read(gpu, mocs->engine ? mocs->engine : "rcs0", "MOCS", index, state))
		decider_read(gpu, NULL, "GLOBAL_MOCS", index, state);
	l3->lo = mocs->index % 2 * 16;
	l3->hi = l3->lo + 15;
	decider_read(gpu, NULL, "LNCFCMOCS", index / 2, l3);
	if (gpu_find(gpu, NULL, "LNCFCMOCS", 0, &reg) ||
	    gpu_find(gpu, NULL, "GLOBAL_MOCS", 0, &reg))
		return;
	f->state = mocs->index;
	state->there = view_structure(gpu->view, "MEMORY_OBJECT_CONTROL_STATE", &item);
	if (state->there)
		gsc_item_fields(gpu->view->db, gpu->view, &item, &f->state, 1, &state->fields);
}

void gsc_facts_begin(struct gsc_facts *f, const struct gsc_gpu *gpu, const struct gsc_entry *entry,
		     const struct gsc_mocs *mocs)
{
	struct gsc_decider *own = &f->by[BY_ENTRY], *pat = &f->by[BY_PAT];

	memset(f, 0, sizeof(*f));
	f->gpu = gpu;
	f->entry = entry;
	own->there = entry->bytes;
	own->hi = UINT_MAX;
	if (own->there)
		gsc_item_fields(gpu->view->db, gpu->view, &entry->item, entry->words,
				entry->bytes / 4, &own->fields);
	f->page = own->there && entry->valid && entry->leaf &&
		  !gsc_entry_value(gpu->view, entry, "NULL", &f->has_pat);
	if (!f->page)
		return;
	f->pat = gsc_entry_value(gpu->view, entry, "PAT_INDEX", &f->has_pat);
	/* Entries of the global table select entry 0 before they can. */
	f->has_pat |= entry->mode == GSC_MODE_GGTT && pat_read(gpu, 0, pat);
	if (f->has_pat && entry->mode != GSC_MODE_IA32E)
		pat_read(gpu, f->pat, pat);
	if (!mocs || !mocs->given)
		return;
	string_set(f->mocs, "MOCS %llu", LL(mocs->index));
	mocs_read(f, mocs);
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* Before Gen8 the entry itself says how its page is cached. */
static void put_type(struct text *t, const struct gsc_facts *f)
{
	struct gsc_field_iter it = f->by[BY_ENTRY].fields;
	struct gsc_field field;

	while (gsc_field_next(&it, &field)) {
		if (!strcmp(field.name, "MAPPING_TYPE") ||
		    !strcmp(field.name, "CACHEABILITY_CONTROL"))
			text_join(t, ", ", field.text ? field.text : "");
		else if (!strcmp(field.name, "SNOOPED"))
			text_join(t, ", ", field.value ? "snooped: yes" : "snooped: no");
	}
	if (!f->has_pat)
		return;
	text_add(t, "PAT %llu: ", LL(f->pat));
	if (f->by[BY_PAT].there)
		put_decider(t, f->gpu, &f->by[BY_PAT]);
	else
		text_add(t, "%s", f->entry->mode == GSC_MODE_IA32E ?
			 "the context has a table of its own, in its extended context or PASID "
			 "entry" : "the page-attribute table has no such entry");
}

bool gsc_fact(const struct gsc_view *view, enum gsc_mode mode, const char *level, size_t *at,
	      struct gsc_fact *fact)
{
	while (gsc_fact_next(view->db, at, fact))
		if (where_holds(&fact->of->where, view->bit, view->revision) &&
		    list_has(fact->modes, gsc_mode_name(mode)) &&
		    (!fact->levels || list_has(fact->levels, level)))
			return true;
	return false;
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
		return f->has_pat && (f->pat < 64 && when->values >> f->pat & 1) != when->not;
	if (!strncmp(name, "MOCS.", 5)) {
		d = &f->by[BY_MOCS];
		name += 5;
	}
	for (; d < f->by + ARRAY_SIZE(f->by); d++) {
		for (it = d->fields; d->there && fields_next(d, &it, &field);) {
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

/* Whether all conditions of a fact hold, or might. */
static bool fact_holds(const struct gsc_facts *f, const struct gsc_fact *fact,
		       const struct gsc_decider **unread)
{
	const struct b_when *when = fact->of->when;

	/* What drivers usually write does not matter where it can be read. */
	if (fact->of->about == ABOUT_DRIVERS && f->by[BY_PAT].status == GSC_READ_OK)
		return false;
	for (unsigned i = 0; i < FACT_WHENS && when[i].field; i++)
		if (!may_hold(f, &when[i], layer_text(fact->layer, when[i].field), unread))
			return false;
	return !*unread || fact->of->about;
}

bool gsc_facts_next(struct gsc_facts *f, struct gsc_fact *fact)
{
	struct text text = text_of(f->text);

	/* The registers come first: the type that the entry selects, and the MOCS. */
	while (f->page && f->turn < REGISTER_TURNS) {
		*fact = (struct gsc_fact){ .about = f->turn ? f->mocs : "memory type",
					   .text = f->text };
		if (!f->turn++)
			put_type(&text, f);
		else if (*f->mocs) {
			for (size_t i = BY_MOCS; i <= BY_L3; i++)
				if (f->by[i].there) {
					text_join(&text, "; ", "");
					put_decider(&text, f->gpu, &f->by[i]);
				}
			if (!text.used)
				text_add(&text, "this platform has no such entry");
		}
		if (text.used)
			return true;
	}
	for (f->turn = MAX(f->turn, REGISTER_TURNS); f->turn < REGISTER_TURNS + ABOUTS;
	     f->turn++, f->next = 0) {
		unsigned about = (f->turn - REGISTER_TURNS + 1) % ABOUTS;

		while ((f->page || !about) && gsc_fact(f->gpu->view, f->entry->mode,
						       f->entry->level, &f->next, fact)) {
			const struct gsc_decider *unread = NULL;

			if (fact->of->about != about || !fact_holds(f, fact, &unread))
				continue;
			if (unread) {
				put_decider(&text, f->gpu, unread);
				*fact = (struct gsc_fact){ .about = fact->about, .text = f->text };
			}
			f->turn += about > 0;
			f->next = about ? 0 : f->next;
			return true;
		}
	}
	return false;
}
