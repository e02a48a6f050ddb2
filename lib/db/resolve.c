/* SPDX-License-Identifier: MIT */
/* Which engines and registers of a view a name means, and what to say if it means none. */
#include "db/resolve.h"

#include "db/engine.h"
#include "util/number.h"
#include "util/text.h"

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

/* A bit for each engine of the platform that is meant; "": all. */
static uint64_t engine_bits(const struct gsc_view *view, const char *text)
{
	const struct b_engine *engine;
	uint64_t bits = 0;
	char wanted[24];

	if (!*text)
		return UINT64_MAX;
	engine_plain_name(text, wanted, sizeof(wanted));
	for (uint32_t i = 0; (engine = platform_engine(view, i)) && i < 64; i++)
		if (engine_is(layer_text(view->db->base, engine->name), wanted))
			bits |= UINT64_C(1) << i;
	return bits;
}

/* ---- names ---------------------------------------------------------------------------------- */

const char *reg_name_parse(struct reg_name *name, const char *text)
{
	struct slice rest = slice_string(text), word = take_until(&rest, ":"), index;
	const char *dot, *open;
	uint64_t number;

	*name = (struct reg_name){ .text = text, .group = *text == '@', .index = -1 };
	if (name->group)
		return text[1] && slice_copy(slice_string(text + 1), name->name, sizeof(name->name))
			       ? NULL : "expected the name of a group after the @";
	if (take_text(&rest, ":") &&
	    (rest.at == rest.end || !slice_copy(rest, name->field, sizeof(name->field))))
		return "expected a field name after the :";
	dot = slice_char(word, '.');
	if (dot && (dot == word.at || !slice_copy((struct slice){ word.at, dot }, name->engine,
						  sizeof(name->engine))))
		return "expected an engine before the .";
	if (dot)
		word.at = dot + 1;
	open = slice_char(word, '[');
	index = (struct slice){ open, word.end };
	if (open) {
		word.end = open;
		index.at++;
		if (!slice_ends(index, "]"))
			return "expected a number between [ and ]";
		index.end--;
		if (slice_number(index, &number) && number < UINT16_MAX)
			name->index = (int)number;
		else if (!slice_is(index, "*"))
			return "expected a number between [ and ]";
	}
	if (word.at == word.end || !slice_copy(word, name->name, sizeof(name->name)))
		return "expected a register name";
	return NULL;
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

/* The name or one of the aliases fits. */
static bool reg_fits(const struct gsc_view *view, size_t reg,
		     bool (*fits)(const char *pattern, const char *name), const char *pattern)
{
	const struct c_reg *def = inst_def(view, reg);

	if (fits(pattern, layer_text(inst_layer(view, reg), def->name)))
		return true;
	for (uint32_t i = 0; i < def->alias_count; i++) {
		const char *alias = inst_alias(view, reg, i);

		if (alias && fits(pattern, alias))
			return true;
	}
	return false;
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
				done = reg_add(regs, i);
	free(matches);
	if (regs->count > first)
		qsort(regs->items + first, regs->count - first, sizeof(*regs->items), compare_regs);
	for (size_t i = first; i < regs->count; i++)
		if (kept == first || regs->items[i] != regs->items[kept - 1])
			regs->items[kept++] = regs->items[i];
	regs->count = kept;
	return done;
}

/* ---- names as drivers have them -------------------------------------------------------------- */

static bool collect_spelling(const struct gsc_view *view, const struct spelling *s, reg_vec *regs)
{
	size_t before = regs->count, kept = before;
	bool done = s->family || collect_exact(view, s->name, regs);

	for (size_t reg = 0; done && s->family && reg < view->count; reg++)
		if (reg_fits(view, reg, name_is_member, s->name))
			done = reg_add(regs, reg);
	for (size_t i = before; i < regs->count; i++) {
		const struct c_inst *inst = &view->insts[regs->items[i]];

		if ((s->index < 0 || inst->index == s->index) &&
		    (!s->base || (inst->engine != UINT8_MAX &&
				  platform_engine(view, inst->engine)->base == s->base)))
			regs->items[kept++] = regs->items[i];
	}
	regs->count = kept;
	return done;
}

/* For a name that is unknown as it is: all spellings that exist must mean the same. */
static enum gsc_status collect_spellings(const struct gsc_view *view, const struct reg_name *name,
					 reg_vec *regs, struct gsc_error *err)
{
	struct spellings all;
	char list[200];

	reg_spellings(name->name, &all);
	for (size_t i = 0; i < all.count; i++) {
		size_t before = regs->count;

		if (!collect_spelling(view, &all.items[i], regs))
			return err_memory(err);
		if (!before || regs->count == before)
			continue;
		if (regs->count != 2 * before ||
		    memcmp(regs->items, regs->items + before, before * sizeof(*regs->items))) {
			regs_list(view, regs, list, sizeof(list));
			return err_set(err, GSC_USAGE, name->text, "is ambiguous: name one of %s",
				       list);
		}
		regs->count = before;
	}
	return GSC_OK;
}

/* ---- unknown names -------------------------------------------------------------------------- */

bool reg_name_known(const struct gsc_db *db, const char *name)
{
	struct spellings all;

	if (gsc_db_find(db, name, NULL, 0))
		return true;
	reg_spellings(name, &all);
	for (size_t i = 0; i < all.count; i++)
		if (!all.items[i].family && gsc_db_find(db, all.items[i].name, NULL, 0))
			return true;
	return false;
}

/* The platforms that know a name, or "". */
static const char *list_platforms(const struct gsc_db *db, const char *name, char *buf, size_t size)
{
	struct gsc_match matches[64];
	size_t count = MIN(gsc_db_find(db, name, matches, ARRAY_SIZE(matches)),
			   ARRAY_SIZE(matches)), listed = 0;
	struct text text = text_begin(buf, size);
	uint64_t platforms = 0;

	for (size_t i = 0; i < count; i++)
		platforms |= matches[i].platforms;
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

static enum gsc_status unknown_name(const struct gsc_view *view, const struct reg_name *name,
				    struct gsc_error *err)
{
	char near[400], platforms[100], wanted[sizeof(name->name)];
	struct suggestions s = { .wanted = wanted };

	if (!err)
		return GSC_UNKNOWN;
	if (!name->group && has_wildcard(name->name))
		return err_set(err, GSC_UNKNOWN, name->text, "matches no register of %s",
			       platform_name(view));
	string_set(wanted, "%.*s", (int)strcspn(name->name, "("), name->name);
	/* Of registers of an array, which are adjacent, one is enough. */
	for (size_t reg = 0; reg < view->count; reg++) {
		const struct c_reg *def = inst_def(view, reg);

		if (name->group && inst_group(view, reg))
			suggest(&s, inst_group(view, reg));
		if (name->group || (reg && inst_def(view, reg - 1) == def))
			continue;
		suggest(&s, layer_text(inst_layer(view, reg), def->name));
		for (uint32_t i = 0; i < def->alias_count; i++) {
			const char *alias = inst_alias(view, reg, i);

			if (alias)
				suggest(&s, alias);
		}
	}
	suggestions_text(&s, near, sizeof(near));
	if (name->group)
		return err_set(err, GSC_UNKNOWN, name->text,
			       "is not a group of registers on %s%s", platform_name(view), near);
	if (*list_platforms(view->db, name->name, platforms, sizeof(platforms)))
		return err_set(err, GSC_UNKNOWN, name->text,
			       "is not a register of %s, but of %s%s", platform_name(view),
			       platforms, near);
	return err_set(err, GSC_UNKNOWN, name->text, "unknown register of %s%s",
		       platform_name(view), near);
}

static const char *field_name(const struct gsc_view *view, size_t reg, uint32_t i)
{
	return layer_text(inst_layer(view, reg), inst_field(view, reg, i)->name);
}

static enum gsc_status unknown_field(const struct gsc_view *view, const struct reg_name *name,
				     const reg_vec *regs, struct gsc_error *err)
{
	struct suggestions s = { .wanted = name->field };
	uint32_t count = regs->count ? inst_def(view, regs->items[0])->field_count : 0, i;
	unsigned named = 0;
	char near[400];

	for (size_t r = 0; r < regs->count; r++)
		for (i = 0; i < inst_def(view, regs->items[r])->field_count; i++)
			suggest(&s, field_name(view, regs->items[r], i));
	if (!*suggestions_text(&s, near, sizeof(near)) && count) {
		struct text list = text_of(near);

		for (i = 0; i < count && named < FIELDS_NAMED; i++) {
			const char *field = field_name(view, regs->items[0], i);

			if (strcmp(field, "RESERVED"))
				text_add(&list, "%s %s", named++ ? "," : "; it has", field);
		}
		if (i < count)
			text_put(&list, ", ...");
	}
	return err_set(err, GSC_UNKNOWN, name->text, "%s has no field %s%s",
		       *name->name ? name->name : "it", name->field, near);
}

static enum gsc_status unknown_index(const struct gsc_view *view, const struct reg_name *name,
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
		return err_set(err, GSC_UNKNOWN, name->text, "%s is not an array", name->name);
	return err_set(err, GSC_UNKNOWN, name->text, "the indexes of %s are %u to %u", name->name,
		       least, most);
}

/* ---- from names to registers ----------------------------------------------------------------- */

enum gsc_status regs_named(const struct gsc_view *view, const struct reg_name *name, reg_vec *regs,
			   struct gsc_error *err)
{
	bool pattern = has_wildcard(name->name);
	enum gsc_status status = GSC_OK;
	bool done = true;

	if (!engine_bits(view, name->engine))
		return no_engine(view, name->text, name->engine, err);
	if (!name->group && !pattern)
		done = collect_exact(view, name->name, regs);
	for (size_t reg = 0; done && (name->group || pattern) && reg < view->count; reg++) {
		const char *group = name->group ? inst_group(view, reg) : NULL;

		if (name->group ? group && glob_match(name->name, group)
				: reg_fits(view, reg, glob_match, name->name))
			done = reg_add(regs, reg);
	}
	if (!done)
		return err_memory(err);
	if (!regs->count && !name->group && !pattern)
		status = collect_spellings(view, name, regs, err);
	return status || regs->count ? status : unknown_name(view, name, err);
}

struct narrowing {
	const struct gsc_view *view;
	const struct reg_name *name;
	uint64_t engines;
};

static bool of_engine(const struct narrowing *n, uint32_t reg)
{
	uint8_t engine = n->view->insts[reg].engine;

	return engine < 64 && n->engines >> engine & 1;
}

static bool of_index(const struct narrowing *n, uint32_t reg)
{
	return n->view->insts[reg].index == n->name->index;
}

static bool with_field(const struct narrowing *n, uint32_t reg)
{
	const struct layer *l = inst_layer(n->view, reg);

	for (uint32_t i = 0; i < inst_def(n->view, reg)->field_count; i++) {
		const struct c_field *f = inst_field(n->view, reg, i);

		if (field_holds(n->view, l, f) &&
		    glob_match(n->name->field, layer_text(l, f->name)))
			return true;
	}
	return false;
}

/* False, with the list unchanged, if none would be left. */
static bool keep(const struct narrowing *n, bool (*fits)(const struct narrowing *n, uint32_t reg),
		 reg_vec *regs)
{
	size_t kept = 0;

	for (size_t i = 0; i < regs->count; i++)
		if (fits(n, regs->items[i]))
			regs->items[kept++] = regs->items[i];
	if (kept)
		regs->count = kept;
	return kept;
}

enum gsc_status regs_narrow(const struct gsc_view *view, const struct reg_name *name,
			    reg_vec *regs, struct gsc_error *err)
{
	struct narrowing n = { view, name, engine_bits(view, name->engine) };

	if (*name->engine && !keep(&n, of_engine, regs))
		return err_set(err, GSC_UNKNOWN, name->text,
			       "%s is not a register of engine %s", name->name, name->engine);
	if (name->index >= 0 && !keep(&n, of_index, regs))
		return unknown_index(view, name, regs, err);
	if (*name->field && !keep(&n, with_field, regs))
		return unknown_field(view, name, regs, err);
	return GSC_OK;
}

bool regs_at(const struct gsc_view *view, enum gsc_space space, uint64_t address, reg_vec *regs)
{
	size_t i = gsc_view_seek(view, space, address);

	for (; i < view->count && view->insts[i].space == space && view->insts[i].offset == address;
	     i++)
		if (!reg_add(regs, i))
			return false;
	return true;
}

size_t regs_list(const struct gsc_view *view, const reg_vec *regs, char *buf, size_t size)
{
	struct text list = text_begin(buf, size);
	char name[REG_NAME_MAX];
	struct gsc_reg reg;
	size_t i = 0;

	for (; i < regs->count; i++) {
		gsc_view_reg(view, regs->items[i], &reg);
		if (list.used + gsc_reg_full_name(&reg, name, sizeof(name)) + 8 > size)
			break;
		text_join(&list, ", ", name);
	}
	return i;
}

/* ---- one register ---------------------------------------------------------------------------- */

/* More than one definition has a name if they are for different platforms. */
#define DEFINITIONS_MAX 32

bool view_find(const struct gsc_view *view, const char *engine, const char *name, int index,
	       struct gsc_reg *reg)
{
	struct gsc_match matches[DEFINITIONS_MAX];
	size_t count = MIN(gsc_db_find(view->db, name, matches, ARRAY_SIZE(matches)),
			   ARRAY_SIZE(matches));
	uint32_t best = UINT32_MAX;

	for (size_t m = 0; m < count; m++)
		for (uint32_t i = inst_first(view, matches[m].def); i < best; i = view->next[i])
			if (inst_matches(view, i, &matches[m]) && inst_is(view, i, engine, index))
				best = i;
	if (best == UINT32_MAX)
		return false;
	gsc_view_reg(view, best, reg);
	return true;
}

bool view_structure(const struct gsc_view *view, const char *name, struct gsc_item *item)
{
	for (size_t i = 0; gsc_item_at(view->db, GSC_STRUCTURE, i, item); i++)
		if (gsc_view_sees(view, item->platforms, &item->revisions) &&
		    !name_compare(item->name, name))
			return true;
	return false;
}

/* ---- keys of dumps: `print` lines ------------------------------------------------------------ */

/* A register without an engine is looked up for the render engine. */
#define NO_ENGINE "rcs0"

/* The register's own address on an engine; one that belongs to no engine has the same for all. */
static bool own_place(const struct gsc_view *view, const struct layer *l, uint32_t item,
		      const struct b_engine *engine, uint64_t *address)
{
	const struct c_reg *reg = LAYER_ITEM(l, B_REGS, struct c_reg, item);
	const struct c_place *found = NULL;

	for (uint32_t i = 0; i < reg->place_count; i++) {
		const struct c_place *place = LAYER_ITEM(l, B_PLACES, struct c_place,
							 reg->places + i);

		if (place->space != GSC_MMIO ||
		    !where_holds(layer_where(l, place->where), view->bit, view->revision))
			continue;
		if (!place->engines || (engine && place->engines & 1u << engine->class &&
		     (place->instance < 0 || place->instance == engine->instance))) {
			found = place;
			break;
		}
		if (!place->relative && !found)
			found = place;
	}
	if (!found)
		return false;
	*address = (found->relative ? engine->base : 0) + (uint64_t)found->offset + reg->element;
	return true;
}

bool print_find(const struct gsc_view *view, const char *engine, const char *key, uint64_t *address)
{
	const struct b_engine *of;
	uint32_t e = 0;

	while ((of = platform_engine(view, e)) &&
	       strcmp(layer_text(view->db->base, of->name), *engine ? engine : NO_ENGINE))
		e++;
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t i = layer_seek(l, B_PRINTS, sizeof(struct c_print), key, strcmp);
		     i < layer_count(l, B_PRINTS); i++) {
			const struct c_print *print = LAYER_ITEM(l, B_PRINTS, struct c_print, i);

			if (strcmp(layer_text(l, print->key), key))
				break;
			if (!where_holds(layer_where(l, print->where), view->bit, view->revision) ||
			    (print->relative && !of))
				continue;
			if (!print->placed && !own_place(view, l, print->item, of, address))
				continue;
			if (print->placed)
				*address = (print->relative ? of->base : 0) +
					   (uint64_t)print->offset;
			return true;
		}
	}
	return false;
}

bool gsc_item_print(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		    struct gsc_print *print)
{
	const struct layer *l = def_layer(db, item->def);

	if (item->kind != GSC_REGISTER)
		return false;
	for (uint32_t k = 0; k < layer_count(l, B_PRINTS); k++) {
		const struct c_print *from = LAYER_ITEM(l, B_PRINTS, struct c_print, k);

		if (from->item != def_index(item->def) || i--)
			continue;
		*print = (struct gsc_print){
			.key = layer_text(l, from->key),
			.platforms = layer_where(l, from->where)->platforms,
			.revisions = where_stepped(layer_where(l, from->where)),
			.placed = from->placed,
			.relative = from->relative,
			.offset = from->offset,
		};
		return true;
	}
	return false;
}
