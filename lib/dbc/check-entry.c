/* SPDX-License-Identifier: MIT */
/* Checks page-table entries against each other: every level that one leads to exists, and fits. */
#include "dbc/build.h"
#include "db/db.h"

#include <stdio.h>
#include <string.h>

/* An entry of these files, or a built-in one that applies beside them. */
struct level {
	const struct b_entry *e;
	const char *strings;
	const struct b_field *fields;	/* of these files, */
	const struct layer *base;	/* or of the built-in definitions */
	bool own;
};

struct levels {
	struct build *b;
	VEC(struct level) list;
	const char *mode;		/* the entry being checked, */
	struct b_where here;		/* on one platform, of one revision */
};

static const char *text_of(const struct level *level, str_t s)
{
	return level->strings + s;
}

static const struct c_field *base_field(const struct level *level, uint32_t i)
{
	return LAYER_ITEM(level->base, B_FIELDS, struct c_field, level->e->fields.first + i);
}

static const struct b_where *field_where(const struct level *level, uint32_t i)
{
	return level->own ? &level->fields[i].where
			  : layer_where(level->base, base_field(level, i)->where);
}

static void tell(struct levels *l, const struct level *level, const char *rule, const char *what,
		 const char *about)
{
	finding_in(l->b, rule, text_of(level, level->e->file), level->e->line, "%s %s%s",
		   text_of(level, level->e->name), what, about);
}

static void collect(struct levels *l)
{
	struct build *b = l->b;
	const struct layer *base = b->base && !b->platforms.count ? db_base(b->base) : NULL;

	for (size_t i = 0; i < b->entries.count; i++)
		b->failed |= !vec_push(&l->list, (struct level){
			&b->entries.items[i], b->strings.items,
			b->fields.items + b->entries.items[i].fields.first, NULL, true });
	for (uint32_t i = 0; base && i < layer_count(base, B_ENTRIES); i++) {
		const struct b_entry *e = LAYER_ITEM(base, B_ENTRIES, struct b_entry, i);

		b->failed |= !vec_push(&l->list, (struct level){ e, layer_text(base, 0), NULL, base,
								 false });
	}
}

/* ---- one entry ---------------------------------------------------------------------------- */

static void check_value(struct levels *l, const struct level *level, uint32_t field, uint64_t value)
{
	const struct b_field *f;

	if (field == NONE)
		return;
	f = &level->fields[field];
	if (f->hi - f->lo < 63 && value >> (f->hi - f->lo + 1u))
		tell(l, level, "condition", "requires a value that does not fit in the field ",
		     build_text(l->b, f->name));
}

/*
 * The first lead that applies wins: one after an unconditional one, or equal to an earlier one,
 * never does.
 */
static void check_leads(struct levels *l, const struct level *level)
{
	const struct b_entry *e = level->e;
	bool always = e->leaf_kind == LEAF_ALWAYS;

	check_value(l, level, e->valid_field, e->valid_value);
	if (e->leaf_kind == LEAF_FIELD)
		check_value(l, level, e->leaf_field, e->leaf_value);
	for (size_t i = 0; i < ENTRY_NEXTS && e->next[i].level; i++) {
		const struct b_next *next = &e->next[i];
		bool again = e->leaf_kind == LEAF_FIELD && next->field == e->leaf_field &&
			     next->value == e->leaf_value;

		for (size_t k = 0; k < i; k++)
			again |= e->next[k].field == next->field && next->field != NONE &&
				 e->next[k].value == next->value;
		if (always || again)
			tell(l, level, "unreachable",
			     "other conditions always apply first, so it never leads to the table ",
			     text_of(level, next->level));
		always |= next->field == NONE;
		check_value(l, level, next->field, next->value);
	}
}

/* A page is as large as the address bits below the index reach, unless several entries form one. */
static void check_page(struct levels *l, const struct level *level)
{
	const struct b_entry *e = level->e;

	if (e->leaf_kind == LEAF_NEVER)
		return;
	if (!e->leaf_size)
		tell(l, level, "page", "maps a page, expected its size=", "");
	else if (e->leaf_size & (e->leaf_size - 1))
		tell(l, level, "page", "maps a page whose size= is no power of two", "");
	else if (e->index_hi && (e->index_lo > 63 || e->leaf_size >> e->index_lo == 0))
		tell(l, level, "page", "maps a page that is smaller than the range of the address "
				       "bits below its index", "");
}

/* ---- among the others --------------------------------------------------------------------- */

static bool has_mode(const struct level *level, const char *mode)
{
	return list_has(text_of(level, level->e->modes), mode);
}

static bool is_here(const struct levels *l, const struct level *level)
{
	return wheres_meet(&level->e->where, &l->here) && has_mode(level, l->mode);
}

/* The entry of a level; entries of the files come before built-in ones. */
static const struct level *find_level(const struct levels *l, const char *name)
{
	for (size_t i = 0; i < l->list.count; i++) {
		const struct level *level = &l->list.items[i];

		if (is_here(l, level) && !strcmp(text_of(level, level->e->level), name))
			return level;
	}
	return NULL;
}

static const char *platform_name(const struct levels *l)
{
	unsigned platform = (unsigned)__builtin_ctzll(l->here.platforms);

	return build_platform_text(l->b, build_platform(l->b, platform)->name);
}

/* Where an entry leads, and what the index of the level there must be; false: all is well. */
static bool lead_fault(struct levels *l, const struct level *from, str_t to, bool page)
{
	const struct level *level = find_level(l, text_of(from, to));
	unsigned hi = page ? from->e->index_hi : from->e->index_lo - 1;
	const char *name = text_of(from, from->e->name);

	if (!level)
		finding_in(l->b, "level", text_of(from, from->e->file), from->e->line,
			   "%s leads to %s, expected a level that mode %s has on %s", name,
			   text_of(from, to), l->mode, platform_name(l));
	else if (from->e->index_hi && level->e->index_hi && level->e->index_hi != hi)
		finding_in(l->b, "index", text_of(from, from->e->file), from->e->line,
			   "%s leads to %s, whose index begins at bit %u, expected %u", name,
			   text_of(level, level->e->name), level->e->index_hi, hi);
	else
		return false;
	return true;
}

/* A condition on a field that the platform lacks is never true. */
static bool can_hold(const struct levels *l, const struct level *level, uint32_t field)
{
	for (uint32_t i = 0; field != NONE && i < level->e->fields.count; i++)
		if (wheres_meet(field_where(level, i), &l->here) &&
		    (level->own ? level->fields[i].name == level->fields[field].name
				: base_field(level, i)->name == base_field(level, field)->name))
			return true;
	return field == NONE;
}

static bool leads_fault(struct levels *l, const struct level *from)
{
	const struct b_entry *e = from->e;
	bool fault = e->leaf_as && can_hold(l, from, e->leaf_field) &&
		     lead_fault(l, from, e->leaf_as, true);

	for (size_t i = 0; i < ENTRY_NEXTS && e->next[i].level; i++)
		fault |= can_hold(l, from, e->next[i].field) &&
			 lead_fault(l, from, e->next[i].level, false);
	return fault;
}

static bool leads_to(const struct level *from, const char *name)
{
	if (from->e->leaf_as && !strcmp(text_of(from, from->e->leaf_as), name))
		return true;
	for (size_t i = 0; i < ENTRY_NEXTS && from->e->next[i].level; i++)
		if (!strcmp(text_of(from, from->e->next[i].level), name))
			return true;
	return false;
}

/* A level found by address that no entry leads to: the root of the mode, if it is the only one. */
static const struct level *orphan(const struct levels *l, const struct level *after)
{
	size_t i = after ? (size_t)(after - l->list.items) + 1 : 0;

	for (; i < l->list.count; i++) {
		const struct level *level = &l->list.items[i];
		const char *name = text_of(level, level->e->level);
		bool found = !is_here(l, level) || !level->e->index_hi;

		for (size_t k = 0; k < l->list.count && !found; k++)
			found = is_here(l, &l->list.items[k]) && leads_to(&l->list.items[k], name);
		if (!found)
			return level;
	}
	return NULL;
}

/* Each fault is reported once, for the first platform and revision that has it. */
static void check_mode_at(struct levels *l, bool *told)
{
	const struct level *root = told[l->list.count] ? NULL : orphan(l, NULL);
	const struct level *other = root ? orphan(l, root) : NULL;
	const struct level *own = other && other->own ? other : root;

	if (other && own->own) {
		told[l->list.count] = true;
		finding_in(l->b, "level", text_of(own, own->e->file), own->e->line,
			   "mode %s has two top levels, %s and %s, on %s, expected one that no "
			   "other leads to", l->mode, text_of(root, root->e->level),
			   text_of(other, other->e->level), platform_name(l));
	}
	for (size_t i = 0; i < l->list.count; i++) {
		const struct level *level = &l->list.items[i], *first;
		const char *name = text_of(level, level->e->level);

		if (told[i] || !level->own || !is_here(l, level))
			continue;
		first = find_level(l, name);
		told[i] = first != level || leads_fault(l, level);
		if (first != level)
			finding_in(l->b, "level", text_of(level, level->e->file), level->e->line,
				   "%s defines level %s of mode %s, which %s already defines, on "
				   "%s", text_of(level, level->e->name), name, l->mode,
				   text_of(first, first->e->name), platform_name(l));
	}
}

/* The first wrong word of a list, in `word`; false: none. "root" leads to the first level. */
static bool unknown_word(const struct levels *l, uint64_t platforms, const char *list,
			 char *word, size_t size)
{
	bool found = true;

	while (*list && found) {
		size_t length = strcspn(list, ",");

		snprintf(word, size, "%.*s", (int)length, list);
		found = !strcmp(word, CACHE_ROOT);
		for (size_t i = 0; i < l->list.count && !found; i++) {
			const struct level *level = &l->list.items[i];

			found = level->e->where.platforms & platforms &&
				(has_mode(level, word) ||
				 !strcmp(text_of(level, level->e->level), word));
		}
		list += length + (list[length] == ',');
	}
	return !found;
}

/* A field of any item, as registers with several entries have PAT0_SNOOP; a join. */
static bool is_field(const struct build *b, const char *name)
{
	name += strncmp(name, "MOCS.", 5) ? 0 : 5;
	for (size_t i = 0; i < b->fields.count; i++) {
		const struct b_field *f = &b->fields.items[i];
		const char *field = build_text(b, f->name), *rest = strchr(field, '_');

		if (!strcmp(field, name) || !strcmp(rest ? rest + 1 : "", name) ||
		    !strcmp(build_text(b, f->form.join), name))
			return true;
	}
	return false;
}

/* Entries of the platforms have these modes and levels. */
static void check_about(struct levels *l, const char *what, const struct b_where *where,
			str_t modes, str_t levels, str_t file, uint32_t line)
{
	char word[64];

	if (unknown_word(l, where->platforms, build_text(l->b, modes), word, sizeof(word)) ||
	    unknown_word(l, where->platforms, build_text(l->b, levels), word, sizeof(word)))
		finding_in(l->b, "level", build_text(l->b, file), line,
			   "%s is about %s, expected a mode or level of an entry there", what,
			   word);
}

static void check_fact(struct levels *l, const struct b_fact *fact)
{
	const char *file = build_text(l->b, fact->file);

	/* The fields of built-in items are not here if there is a base. */
	for (unsigned i = 0; !l->b->base && i < FACT_WHENS && fact->when[i].field; i++)
		if (!is_field(l->b, build_text(l->b, fact->when[i].field)))
			finding_in(l->b, "field", file, fact->line, "when= names %s, expected a "
				   "field of an entry, of the PAT or of a MOCS",
				   build_text(l->b, fact->when[i].field));

	if (fact->origin == NONE)
		finding_in(l->b, "origin", file, fact->line,
			   "a fact has no origin, expected an `origin` line before it");
	else
		check_about(l, "a fact", &fact->where, fact->modes, fact->levels, fact->file,
			    fact->line);
}

void check_levels(struct build *b)
{
	struct levels l = { .b = b };
	struct revisions revisions = { 0 };

	collect(&l);
	for (size_t i = 0; i < l.list.count; i++) {
		const struct level *level = &l.list.items[i];

		revisions_mark(&revisions, &level->e->where);
		for (uint32_t k = 0; k < level->e->fields.count; k++)
			revisions_mark(&revisions, field_where(level, k));
	}
	for (size_t i = 0; i < l.list.count && !b->failed; i++) {
		const struct level *level = &l.list.items[i];
		bool known = false;

		if (!level->own)
			continue;
		for (unsigned m = 0; m < GSC_MODES; m++)
			known |= has_mode(level, gsc_mode_name((enum gsc_mode)m));
		if (!known)
			tell(&l, level, "mode", "has no known mode: ",
			     text_of(level, level->e->modes));
		check_leads(&l, level);
		check_page(&l, level);
	}
	for (unsigned m = 0; m < GSC_MODES && b->entries.count && !b->failed; m++) {
		bool *told = calloc(l.list.count + 1, sizeof(*told));

		b->failed |= !told;
		l.mode = gsc_mode_name((enum gsc_mode)m);
		for (unsigned i = 0; told && i < build_platform_count(b); i++)
			for (int rev = 0; rev >= 0; rev = revision_after(&revisions, rev)) {
				l.here = where_revisions(i, (unsigned)rev, (unsigned)rev);
				check_mode_at(&l, told);
			}
		free(told);
	}
	for (size_t i = 0; i < b->facts.count && !b->failed; i++)
		check_fact(&l, &b->facts.items[i]);
	for (size_t i = 0; i < b->caches.count && !b->failed; i++)
		check_about(&l, build_text(b, b->caches.items[i].name), &b->caches.items[i].where,
			    b->caches.items[i].modes, b->caches.items[i].levels,
			    b->caches.items[i].file, b->caches.items[i].line);
	vec_free(&l.list);
}
