/* SPDX-License-Identifier: MIT */
/* Which registers of a view a name means, and what to say if it means none. */
#include "regs/regs.h"

#include "db/engine.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define FIELDS_NAMED 8		/* of a register, if a name is like none of its fields */

static const struct b_engine *platform_engine(const struct gsc_view *view, uint32_t i)
{
	const struct b_platform *p = db_platform(view->db, view->platform);

	if (i >= p->engines.count)
		return NULL;
	return LAYER_ITEM(view->db->base, B_ENGINES, struct b_engine, p->engines.first + i);
}

static const char *platform_name(const struct gsc_view *view)
{
	return layer_text(view->db->base, db_platform(view->db, view->platform)->name);
}

/* ---- engines -------------------------------------------------------------------------------- */

static bool engine_is(const char *name, const char *wanted)
{
	size_t class = strcspn(name, "0123456789");

	return glob_match(wanted, name) ||
	       (strlen(wanted) == class && !name_compare_n(wanted, name, class));
}

bool engine_meant(const char *text, const char *name)
{
	char wanted[24];

	engine_plain_name(text, wanted, sizeof(wanted));
	return engine_is(name, wanted);
}

static enum gsc_status no_engine(const struct gsc_view *view, const char *what,
				 const char *wanted, struct gsc_error *err)
{
	const struct b_engine *engine;
	char list[200];
	struct text text = text_of(list);

	for (uint32_t i = 0; (engine = platform_engine(view, i)); i++)
		text_join(&text, ", ", layer_text(view->db->base, engine->name));
	return err_set(err, GSC_UNKNOWN, what, "%s has no engine %s; it has %s",
		       platform_name(view), wanted, list);
}

enum gsc_status engine_by_name(const struct gsc_view *view, const char *text, const char **name,
			       struct gsc_error *err)
{
	const struct b_engine *engine;
	char wanted[24] = "*";

	if (text)
		engine_plain_name(text, wanted, sizeof(wanted));
	for (uint32_t i = 0; (engine = platform_engine(view, i)); i++) {
		*name = layer_text(view->db->base, engine->name);
		if (engine_is(*name, wanted))
			return GSC_OK;
	}
	return no_engine(view, text, text, err);
}

/* A bit for each engine of the platform that is meant. */
static enum gsc_status find_engines(const struct gsc_view *view, const struct selector *selector,
				    uint64_t *engines, struct gsc_error *err)
{
	const struct b_engine *engine;
	char wanted[24];

	*engines = UINT64_MAX;
	if (!*selector->engine)
		return GSC_OK;
	*engines = 0;
	engine_plain_name(selector->engine, wanted, sizeof(wanted));
	for (uint32_t i = 0; (engine = platform_engine(view, i)) && i < 64; i++)
		if (engine_is(layer_text(view->db->base, engine->name), wanted))
			*engines |= UINT64_C(1) << i;
	return *engines ? GSC_OK : no_engine(view, selector->text, selector->engine, err);
}

/* ---- definitions by name -------------------------------------------------------------------- */

static bool has_wildcard(const char *text)
{
	return strpbrk(text, "*?") != NULL;
}

/* Alias number i of the definition if it belongs to this register, else NULL. */
static const char *inst_alias(const struct gsc_view *view, size_t reg, uint32_t i)
{
	const struct layer *l = inst_layer(view, reg);
	const struct c_alias *alias = LAYER_ITEM(l, B_ALIASES, struct c_alias,
						 inst_def(view, reg)->aliases + i);

	if (!where_holds(layer_where(l, alias->where), view->bit, view->revision) ||
	    !inst_of_engines(view, reg, alias->engines, alias->instance))
		return NULL;
	return layer_text(l, alias->name);
}

static bool reg_named(const struct gsc_view *view, size_t reg, const char *pattern)
{
	const struct c_reg *def = inst_def(view, reg);

	if (glob_match(pattern, layer_text(inst_layer(view, reg), def->name)))
		return true;
	for (uint32_t i = 0; i < def->alias_count; i++) {
		const char *alias = inst_alias(view, reg, i);

		if (alias && glob_match(pattern, alias))
			return true;
	}
	return false;
}

static bool reg_in_group(const struct gsc_view *view, size_t reg, const char *pattern)
{
	const struct layer *l = inst_layer(view, reg);
	uint32_t group = inst_traits(view, reg)->group;

	return group != NONE && glob_match(pattern, layer_text(l, LAYER_ITEM(l, B_GROUPS,
						struct b_group, group)->name));
}

static bool add(reg_vec *regs, size_t reg)
{
	uint32_t *slot = vec_add(regs);

	if (slot)
		*slot = (uint32_t)reg;
	return slot != NULL;
}

static int compare_regs(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* What a whole name means is looked up, not searched; one register may be found twice. */
static bool collect_exact(const struct gsc_view *view, const char *name, reg_vec *regs)
{
	size_t count = gsc_db_find(view->db, name, NULL, 0), first = regs->count, kept = first;
	struct gsc_match *matches = calloc(count + 1, sizeof(*matches));
	bool done = matches != NULL;

	if (done && count)
		gsc_db_find(view->db, name, matches, count);
	for (size_t m = 0; done && m < count; m++)
		for (uint32_t i = inst_first(view, matches[m].def); done && i < view->count;
		     i = view->next[i])
			if (inst_matches(view, i, &matches[m]))
				done = add(regs, i);
	free(matches);
	if (regs->count > first)
		qsort(regs->items + first, regs->count - first, sizeof(*regs->items),
		      compare_regs);
	for (size_t i = first; i < regs->count; i++)
		if (kept == first || regs->items[i] != regs->items[kept - 1])
			regs->items[kept++] = regs->items[i];
	regs->count = kept;
	return done;
}

static bool collect(const struct gsc_view *view, const struct selector *selector, reg_vec *regs)
{
	bool group = selector->kind == SELECTOR_GROUP;

	if (!group && !has_wildcard(selector->name))
		return collect_exact(view, selector->name, regs);
	for (size_t reg = 0; reg < view->count; reg++)
		if ((group ? reg_in_group : reg_named)(view, reg, selector->name) &&
		    !add(regs, reg))
			return false;
	return true;
}

/* ---- names as the driver has them ------------------------------------------------------------ */

static bool member_named(const struct gsc_view *view, size_t reg, const char *family)
{
	const struct c_reg *def = inst_def(view, reg);

	if (name_is_member(family, layer_text(inst_layer(view, reg), def->name)))
		return true;
	for (uint32_t i = 0; i < def->alias_count; i++) {
		const char *alias = inst_alias(view, reg, i);

		if (alias && name_is_member(family, alias))
			return true;
	}
	return false;
}

static bool spelling_fits(const struct gsc_view *view, size_t reg, const struct gsc_spelling *s)
{
	const struct c_inst *inst = &view->insts[reg];

	if (s->index >= 0 && inst->index != s->index)
		return false;
	return !s->base || (inst->engine != UINT8_MAX &&
			    platform_engine(view, inst->engine)->base == s->base);
}

static bool collect_spelling(const struct gsc_view *view, const struct gsc_spelling *s,
			     reg_vec *regs)
{
	size_t before = regs->count, kept = before;
	bool done = true;

	if (!*s->name)
		return true;
	if (s->family) {
		for (size_t reg = 0; done && reg < view->count; reg++)
			if (member_named(view, reg, s->name))
				done = add(regs, reg);
	} else {
		done = collect_exact(view, s->name, regs);
	}
	for (size_t i = before; i < regs->count; i++)
		if (spelling_fits(view, regs->items[i], s))
			regs->items[kept++] = regs->items[i];
	regs->count = kept;
	return done;
}

static bool same_regs(const reg_vec *regs, size_t first)
{
	if (regs->count != 2 * first)
		return false;
	for (size_t i = 0; i < first; i++)
		if (regs->items[i] != regs->items[first + i])
			return false;
	return true;
}

/* The full names of registers, as many as fit; how many those are. */
size_t reg_names(const struct gsc_view *view, const reg_vec *regs, char *buf, size_t size)
{
	struct text list = text_begin(buf, size);
	char name[192];
	size_t i = 0;

	for (; i < regs->count; i++) {
		struct gsc_reg reg;

		gsc_view_reg(view, regs->items[i], &reg);
		if (list.used + gsc_reg_full_name(&reg, name, sizeof(name)) + 8 > size)
			break;
		text_join(&list, ", ", name);
	}
	return i;
}

/* For a name that is unknown as it is. */
static enum gsc_status collect_driver(const struct gsc_view *view,
				      const struct selector *selector, reg_vec *regs,
				      struct gsc_error *err)
{
	struct gsc_spelling s;
	char list[200];

	for (size_t i = 0; gsc_name_spelling(selector->name, i, &s); i++) {
		size_t before = regs->count;

		if (!collect_spelling(view, &s, regs))
			return err_memory(err);
		if (!before || regs->count == before)
			continue;
		if (!same_regs(regs, before)) {
			reg_names(view, regs, list, sizeof(list));
			return err_set(err, GSC_USAGE, selector->text,
				       "is ambiguous: name one of %s", list);
		}
		regs->count = before;
	}
	return GSC_OK;
}

/* ---- unknown names -------------------------------------------------------------------------- */

static void suggest_regs(const struct gsc_view *view, struct suggestions *s)
{
	for (size_t reg = 0; reg < view->count; reg++) {
		const struct c_reg *def = inst_def(view, reg);

		/* Those of an array are adjacent. */
		if (reg && inst_def(view, reg - 1) == def)
			continue;
		suggest(s, layer_text(inst_layer(view, reg), def->name));
		for (uint32_t i = 0; i < def->alias_count; i++) {
			const char *alias = inst_alias(view, reg, i);

			if (alias)
				suggest(s, alias);
		}
	}
}

static void suggest_groups(const struct gsc_view *view, struct suggestions *s)
{
	for (size_t reg = 0; reg < view->count; reg++) {
		const struct layer *l = inst_layer(view, reg);
		uint32_t group = inst_traits(view, reg)->group;

		if (group != NONE)
			suggest(s, layer_text(l, LAYER_ITEM(l, B_GROUPS, struct b_group,
							    group)->name));
	}
}

/* The platforms that know a name. */
static uint64_t platforms_of(const struct gsc_db *db, const char *name)
{
	struct gsc_match matches[64];
	size_t count = MIN(gsc_db_find(db, name, matches, ARRAY_SIZE(matches)),
			   ARRAY_SIZE(matches));
	uint64_t platforms = 0;

	for (size_t i = 0; i < count; i++)
		platforms |= matches[i].platforms;
	return platforms;
}

static const char *list_platforms(const struct gsc_db *db, uint64_t platforms, char *buf,
				  size_t size)
{
	struct text text = text_begin(buf, size);
	size_t listed = 0;

	for (unsigned i = 0; i < gsc_platform_count(db); i++) {
		if (!(platforms >> i & 1))
			continue;
		if (listed++ == 6) {
			text_add(&text, " ...");
			break;
		}
		text_join(&text, " ", layer_text(db->base, db_platform(db, i)->name));
	}
	return buf;
}

static enum gsc_status unknown_name(const struct gsc_view *view, const struct selector *selector,
				    struct gsc_error *err)
{
	char near[400], list[100], wanted[sizeof(selector->name)];
	struct suggestions s = { .wanted = wanted };
	uint64_t platforms;

	snprintf(wanted, sizeof(wanted), "%.*s", (int)strcspn(selector->name, "("),
		 selector->name);
	if (selector->kind == SELECTOR_GROUP) {
		suggest_groups(view, &s);
		return err_set(err, GSC_UNKNOWN, selector->text,
			       "is not a group of registers on %s%s",
			       platform_name(view), suggestions_text(&s, near, sizeof(near)));
	}
	if (has_wildcard(selector->name))
		return err_set(err, GSC_UNKNOWN, selector->text, "matches no register of %s",
			       platform_name(view));
	platforms = platforms_of(view->db, selector->name);
	suggest_regs(view, &s);
	suggestions_text(&s, near, sizeof(near));
	if (platforms)
		return err_set(err, GSC_UNKNOWN, selector->text,
			       "is not a register of %s, but of %s%s", platform_name(view),
			       list_platforms(view->db, platforms, list, sizeof(list)), near);
	return err_set(err, GSC_UNKNOWN, selector->text, "unknown register of %s%s",
		       platform_name(view), near);
}

/* "; it has A, B and 3 others": if no name is like the wanted one. */
static void list_fields(const struct gsc_view *view, size_t reg, char *buf, size_t size)
{
	const struct layer *l = inst_layer(view, reg);
	const struct c_reg *def = inst_def(view, reg);
	struct text list = text_begin(buf, size);
	uint32_t i = 0;

	if (def->field_count)
		text_put(&list, "; it has");
	for (; i < def->field_count && i < FIELDS_NAMED; i++)
		text_add(&list, "%s %s", i ? "," : "",
			 layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
						  def->fields + i)->name));
	if (i < def->field_count)
		text_put(&list, ", ...");
}

static enum gsc_status unknown_field(const struct gsc_view *view, const struct selector *selector,
				     const reg_vec *regs, struct gsc_error *err)
{
	struct suggestions s = { .wanted = selector->field };
	char near[400];

	for (size_t r = 0; r < regs->count; r++) {
		const struct layer *l = inst_layer(view, regs->items[r]);
		const struct c_reg *def = inst_def(view, regs->items[r]);

		for (uint32_t i = 0; i < def->field_count; i++)
			suggest(&s, layer_text(l, LAYER_ITEM(l, B_FIELDS, struct c_field,
							     def->fields + i)->name));
	}
	suggestions_text(&s, near, sizeof(near));
	if (!*near && regs->count)
		list_fields(view, regs->items[0], near, sizeof(near));
	return err_set(err, GSC_UNKNOWN, selector->text, "%s has no field %s%s",
		       *selector->name ? selector->name : "it", selector->field, near);
}

static enum gsc_status unknown_index(const struct gsc_view *view, const struct selector *selector,
				     const reg_vec *regs, struct gsc_error *err)
{
	unsigned least = UINT16_MAX, most = 0;

	for (size_t i = 0; i < regs->count; i++) {
		uint16_t index = view->insts[regs->items[i]].index;

		if (index == UINT16_MAX)
			continue;
		least = MIN(least, index);
		most = MAX(most, index);
	}
	if (least > most)
		return err_set(err, GSC_UNKNOWN, selector->text, "%s is not an "
			"array", selector->name);
	return err_set(err, GSC_UNKNOWN, selector->text, "the indexes of %s are %u to %u",
		       selector->name, least, most);
}

/* ---- narrowing ------------------------------------------------------------------------------ */

struct narrowing {
	const struct gsc_view *view;
	const struct selector *selector;
	uint64_t engines;
};

typedef bool keep_fn(const struct narrowing *n, uint32_t reg);

static bool of_engine(const struct narrowing *n, uint32_t reg)
{
	uint8_t engine = n->view->insts[reg].engine;

	return engine < 64 && n->engines >> engine & 1;
}

static bool of_index(const struct narrowing *n, uint32_t reg)
{
	return n->view->insts[reg].index == n->selector->index;
}

/* Ports of VGA registers are also reached by bytes of the BAR. */
static bool of_way(const struct narrowing *n, uint32_t reg)
{
	const struct selector *s = n->selector;
	const struct c_inst *inst = &n->view->insts[reg];
	unsigned bits = s->way->bits;

	if (bits && inst_traits(n->view, reg)->bits != bits)
		return false;
	if (inst->space != s->space)
		return s->alias && s->space == GSC_MMIO && inst->space == GSC_IO;
	return inst->offset >= s->base && inst->offset <= s->base_last;
}

static bool with_field(const struct narrowing *n, uint32_t reg)
{
	const struct layer *l = inst_layer(n->view, reg);
	const struct c_reg *def = inst_def(n->view, reg);

	for (uint32_t i = 0; i < def->field_count; i++) {
		const struct c_field *f = LAYER_ITEM(l, B_FIELDS, struct c_field, def->fields + i);

		if (field_holds(n->view, l, f) &&
		    glob_match(n->selector->field, layer_text(l, f->name)))
			return true;
	}
	return false;
}

/* False, with the list unchanged, if none would be left. */
static bool keep(const struct narrowing *n, keep_fn *fits, reg_vec *regs)
{
	size_t kept = 0;

	for (size_t i = 0; i < regs->count; i++)
		if (fits(n, regs->items[i]))
			kept++;
	if (!kept)
		return false;
	kept = 0;
	for (size_t i = 0; i < regs->count; i++)
		if (fits(n, regs->items[i]))
			regs->items[kept++] = regs->items[i];
	regs->count = kept;
	return true;
}

enum gsc_status select_field(const struct gsc_view *view, const struct selector *selector,
			     reg_vec *regs, struct gsc_error *err)
{
	struct narrowing n = { view, selector, 0 };

	return keep(&n, with_field, regs) ? GSC_OK : unknown_field(view, selector, regs, err);
}

enum gsc_status select_names(const struct gsc_view *view, const struct selector *selector,
			     reg_vec *regs, struct gsc_error *err)
{
	struct narrowing n = { view, selector, 0 };
	enum gsc_status status = find_engines(view, selector, &n.engines, err);

	if (status)
		return status;
	if (!collect(view, selector, regs))
		return err_memory(err);
	if (!regs->count && selector->kind == SELECTOR_NAME && !has_wildcard(selector->name))
		status = collect_driver(view, selector, regs, err);
	if (status)
		return status;
	if (!regs->count)
		return unknown_name(view, selector, err);
	if (selector->way && !keep(&n, of_way, regs))
		return err_set(err, GSC_UNKNOWN, selector->text, "%s is not a register of %s",
			       selector->name, selector->way->name);
	if (*selector->engine && !keep(&n, of_engine, regs))
		return err_set(err, GSC_UNKNOWN, selector->text, "%s is not a register of engine "
			"%s",
			       selector->name, selector->engine);
	if (selector->index >= 0 && !keep(&n, of_index, regs))
		return unknown_index(view, selector, regs, err);
	return *selector->field ? select_field(view, selector, regs, err) : GSC_OK;
}
