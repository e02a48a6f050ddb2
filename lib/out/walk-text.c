/* SPDX-License-Identifier: MIT */
/*
 * A walk as text: first where it lands, or why it does not; then the entries that lead there, one
 * per line, those that only serve to reach another one indented further. An entry alone: the raw
 * value and what it is, its fields, what is wrong with it.
 */
#include "out/walk.h"

#include "gtt/cache.h"
#include "log/event.h"
#include "util/text.h"

enum { LEVEL, INDEX, TABLE, ENTRY, RAW, ADDRESS, FLAGS, COLUMNS };

#define CELL_MAX WORDS_TEXT_MAX
#define INDENT 2
#define DETAIL 6
#define GAP 2			/* between columns; 1 where a terminal is too narrow */

struct cells {
	char cell[COLUMNS][CELL_MAX];
};

struct widths {
	size_t column[COLUMNS];
	unsigned gap;
};

/* ---- an entry ------------------------------------------------------------------------------- */

/* Bytes of an entry beyond which all its digits make too long a line. */
#define DIGITS_MOST 16

/* Bits that are set and belong to no field, by their numbers. */
static void put_rest(struct gsc_out *out, const uint32_t rest[GSC_ENTRY_WORDS], unsigned indent)
{
	bool any = false;

	for (unsigned bit = GSC_ENTRY_WORDS * 32; bit-- > 0;) {
		unsigned hi = bit;

		if (!(rest[bit / 32] >> bit % 32 & 1))
			continue;
		while (bit && rest[(bit - 1) / 32] >> (bit - 1) % 32 & 1)
			bit--;
		if (!any) {
			gsc_out_pad(out, indent);
			gsc_out_text(out, "    bits without definition:");
		}
		gsc_out_format(out, hi > bit ? "%s %u:%u" : "%s %u", any ? "," : "", hi, bit);
		any = true;
	}
	if (any)
		gsc_out_end(out);
}

/* `indent` further than those of a register; reserved ones only if `verbose`. */
static void text_entry_fields(struct gsc_out *out, const struct gsc_view *view,
			      const struct gsc_entry *entry, unsigned indent, bool verbose)
{
	uint32_t rest[GSC_ENTRY_WORDS];
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t index;
	bool has;

	memcpy(rest, entry->words, sizeof(rest));
	entry_fields(view, entry, &it);
	while (entry_field_next(&it, &field)) {
		for (unsigned bit = field.lo; bit <= field.hi; bit++)
			rest[bit / 32] &= ~(UINT32_C(1) << bit % 32);
		if (!verbose && !field.problem && field_reserved(&field))
			continue;
		if (indent)
			gsc_out_pad(out, indent);
		gsc_text_field(out, &field);
	}
	put_rest(out, rest, indent);
	/* Its bits are in several fields, which nobody wants to add up. */
	index = gsc_entry_value(view, entry, "PAT_INDEX", &has);
	if (!has)
		return;
	gsc_out_pad(out, indent);
	gsc_out_line(out, "    PAT index: %llu", LL(index));
}

/* "4K page at 0x12345000", "pte table at 0x12345000"; tables of tiles may be null, too. */
static void put_meaning(struct gsc_out *out, const struct gsc_view *view,
			const struct gsc_entry *entry)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	char size[24], place[48];

	entry_fields(view, entry, &it);
	while (entry_field_next(&it, &field)) {
		if (strcmp(field.name, "NULL") || !field.value)
			continue;
		if (entry->page_size)
			gsc_out_format(out, "%s page, null",
				       size_short(entry->page_size, size, sizeof(size)));
		else
			gsc_out_text(out, "null tiles, no table");
		return;
	}
	place_text(entry->space, false, entry->address, place, sizeof(place));
	if (entry->page_size)
		gsc_out_format(out, "%s page at %s",
			       size_short(entry->page_size, size, sizeof(size)), place);
	else if (entry->next)
		gsc_out_format(out, "%s table at %s", entry->next, place);
	else
		gsc_out_format(out, "address %s", place);
}

/* What its bits do not show alone. */
static void put_facts(struct gsc_out *out, const struct gsc_gpu *gpu, const struct gsc_entry *entry,
		      const struct gsc_mocs *mocs, unsigned indent)
{
	struct gsc_facts facts;
	struct gsc_fact fact;
	char label[40];

	gsc_facts_begin(&facts, gpu, entry, mocs);
	while (gsc_facts_next(&facts, &fact)) {
		string_set(label, fact.about ? "%s: " : "- ", fact.about);
		text_wrapped(out, indent, indent + 2, label, fact.text);
	}
}

void gsc_text_entry(struct gsc_out *out, const struct gsc_gpu *gpu, const struct gsc_entry *entry,
		    const struct gsc_mocs *mocs, unsigned flags)
{
	const struct gsc_view *view = gpu->view;
	bool wide = entry->bytes > DIGITS_MOST;
	const struct gsc_item *item = &entry->item;
	char raw[WORDS_TEXT_MAX], problem[256], origin[400];

	gsc_out_text(out, words_text(entry, !wide, raw));
	gsc_out_pad(out, wide ? (unsigned)strlen(raw) + 2 : entry->bytes * 2 + 4);
	text_styled(out, GSC_STYLE_BOLD, entry->level);
	if (wide)
		gsc_out_text(out, "  ");
	else
		gsc_out_pad(out, entry->bytes * 2 + 13);
	text_styled(out, entry->valid ? GSC_STYLE_PLAIN : GSC_STYLE_YELLOW,
		    entry->valid ? "valid" : "not valid");
	if (entry->valid) {
		gsc_out_text(out, ", ");
		put_meaning(out, view, entry);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_VERBOSE) {
		gsc_out_line(out, "    %s%s%s", item->name, item->doc ? ": " : "",
			     item->doc ? item->doc : "");
		if (named_origin(view->db, item->document, item->section, origin, sizeof(origin)))
			gsc_out_line(out, "    origin: %s", origin);
	}
	if (!(flags & GSC_TEXT_QUIET))
		text_entry_fields(out, view, entry, 0, flags & GSC_TEXT_VERBOSE);
	for (size_t i = 0; gsc_entry_problem(view, entry, i, problem, sizeof(problem)); i++) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_text(out, "    problem: ");
		gsc_out_text(out, problem);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
	if (flags & GSC_TEXT_VERBOSE)
		put_facts(out, gpu, entry, mocs, DETAIL - INDENT);
}

/* ---- the entries ---------------------------------------------------------------------------- */

static void add_word(char *cell, const char *word)
{
	string_addf(cell, CELL_MAX, "%s%s", *cell ? "," : "", word);
}

static void flag_cell(const struct gsc_translation *t, const struct gsc_entry *entry, char *cell)
{
	const struct format *format = format_get(t->formats, entry->mode, entry->level);
	uint64_t raw = entry->words[0] | (uint64_t)entry->words[1] << 32;
	const char *flag;
	char buf[32];

	if (!format)
		return;
	/* An entry that leads to a table: what it permits. */
	if (!entry->leaf && format->write_mask)
		add_word(cell, raw & format->write_mask ? "rw" : "ro");
	if (!entry->leaf && format->user_mask)
		add_word(cell, raw & format->user_mask ? "user" : "supervisor");
	if (!entry->leaf && raw & format->no_execute_mask)
		add_word(cell, "xd");
	for (size_t i = 0; entry->leaf &&
	     (flag = entry_flag(t->gpu->view, format, raw, i, buf, sizeof(buf))); i++)
		add_word(cell, flag);
	if (raw & format->accessed_mask)
		add_word(cell, "accessed");
	if (raw & format->dirty_mask)
		add_word(cell, "dirty");
}

static void fill_line(const struct gsc_translation *t, const struct gsc_walk *walk, size_t i,
		      struct cells *line)
{
	const struct gsc_step *step = &walk->steps[i];
	const struct gsc_entry *entry = &step->entry;

	memset(line, 0, sizeof(*line));
	snprintf(line->cell[LEVEL], CELL_MAX, "%*s%s", (int)step_depth(step), "", entry->level);
	snprintf(line->cell[INDEX], CELL_MAX, "%u", step->index);
	place_text(step->space, step->guest, step->table, line->cell[TABLE], CELL_MAX);
	place_text(step->space, step->guest, step->address, line->cell[ENTRY], CELL_MAX);
	words_text(entry, false, line->cell[RAW]);
	if (entry->valid) {
		place_text(entry->space, false, entry->address, line->cell[ADDRESS], CELL_MAX);
		flag_cell(t, entry, line->cell[FLAGS]);
	}
	if (walk->stop && walk->stop_step == (int)i)
		snprintf(line->cell[FLAGS], CELL_MAX, "%s", gsc_stop_word(walk->stop));
}

static void heading_line(struct cells *line)
{
	static const char *const names[] = { "level", "index", "table", "entry", "raw", "address",
					     "flags" };

	for (unsigned c = 0; c < COLUMNS; c++)
		snprintf(line->cell[c], CELL_MAX, "%s", names[c]);
}

static void widen(struct widths *widths, const struct cells *line)
{
	for (unsigned c = 0; c < COLUMNS; c++)
		widths->column[c] = MAX(widths->column[c], strlen(line->cell[c]));
}

/* In a narrow terminal, why a walk stopped begins where the address would, which it has none of. */
static void put_line(struct gsc_out *out, const struct cells *line, const struct widths *widths)
{
	size_t blanks = INDENT;
	unsigned last = COLUMNS - 1;

	while (last && !*line->cell[last])
		last--;
	for (unsigned c = 0; c <= last; c++) {
		size_t length = strlen(line->cell[c]), free = widths->column[c] - length;

		if (c == ADDRESS && !length && widths->gap < GAP)
			continue;
		gsc_out_format(out, "%*s%s", (int)(c == INDEX ? blanks + free : blanks), "",
			       line->cell[c]);
		blanks = widths->gap + (c == INDEX ? 0 : free);
	}
}

static void put_steps(struct gsc_out *out, const struct gsc_translation *t,
		      const struct gsc_walk *walk, unsigned flags)
{
	struct widths widths = { .gap = GAP };
	size_t all = INDENT + (COLUMNS - 1) * GAP;
	struct cells line;

	heading_line(&line);
	widen(&widths, &line);
	for (size_t i = 0; i < walk->count; i++) {
		fill_line(t, walk, i, &line);
		widen(&widths, &line);
	}
	for (unsigned c = 0; c < COLUMNS; c++)
		all += widths.column[c];
	if (out_columns(out) && all > out_columns(out))
		widths.gap = 1;
	heading_line(&line);
	gsc_out_style(out, GSC_STYLE_DIM);
	put_line(out, &line, &widths);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_entry *entry = &walk->steps[i].entry;
		bool stopped = walk->stop && walk->stop_step == (int)i;
		char label[80];

		fill_line(t, walk, i, &line);
		if (stopped || step_depth(&walk->steps[i]))
			gsc_out_style(out, stopped ? GSC_STYLE_RED : GSC_STYLE_DIM);
		put_line(out, &line, &widths);
		if (stopped || step_depth(&walk->steps[i]))
			gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
		/* What the entry is, and its fields. */
		if (flags & GSC_TEXT_VERBOSE && entry->bytes) {
			string_set(label, "%s%s", entry->item.name, entry->item.doc ? ": " : "");
			gsc_out_style(out, GSC_STYLE_DIM);
			text_wrapped(out, DETAIL, DETAIL + 2, label,
				     entry->item.doc ? entry->item.doc : "");
			gsc_out_style(out, GSC_STYLE_PLAIN);
			text_entry_fields(out, t->gpu->view, entry, DETAIL - INDENT, false);
		}
	}
}

/* ---- the result ----------------------------------------------------------------------------- */

#define NAME_WIDEST 32

/*
 * The caches that may have these entries: "L3_TLB  L3 TLB, 768 entries, of rcs: data port, ...";
 * and what empties all or some of them.
 */
static void put_caches(struct gsc_out *out, const struct gsc_translation *t,
		       const struct gsc_walk *walk)
{
	const char *engine = gsc_translation_root(t)->engine;
	struct gsc_cached cached[GSC_CACHED_MOST];
	size_t count = gsc_cached(t->gpu->view, walk, engine, cached), caches = 0, widest = 0;
	char line[1200], label[200], buf[64];

	for (; caches < count && !cached[caches].cache.takes; caches++)
		widest = MAX(widest, strlen(cached[caches].cache.item.name));
	if (count)
		gsc_out_line(out, "%*scached%s%s in", INDENT, "", *engine ? " for " : "", engine);
	for (size_t i = 0; i < count; i++) {
		const struct gsc_cache *c = &cached[i].cache;
		unsigned width = i < caches ? (unsigned)MIN(widest, NAME_WIDEST) : NAME_WIDEST;
		uint64_t taken = cached[i].taken;
		struct text s = text_of(line);

		if (i == caches)
			gsc_out_line(out, "%*sinvalidated by", INDENT, "");
		text_put(&s, c->title);
		if (c->entries)
			text_add(&s, ", %u entries", c->entries);
		if (c->bytes)
			text_add(&s, ", %s", size_short(c->bytes, buf, sizeof(buf)));
		if (!taken && !*engine && *gsc_cache_users(c, buf, sizeof(buf)))
			text_add(&s, ", of %s", buf);
		if (!taken && c->item.level)
			text_add(&s, ", has %s", cached[i].levels);
		for (size_t k = 0; k < caches && taken && taken + 1 != UINT64_C(1) << caches; k++)
			if (taken >> k & 1)
				text_join(&s, ", ", cached[k].cache.item.name);
		if (c->item.doc)
			text_add(&s, "%s%s", s.used ? ": " : "", c->item.doc);
		string_set(label, "%-*s%s", s.used ? (int)width : 0, c->item.name,
			   s.used ? "  " : "");
		text_wrapped(out, INDENT + 2, INDENT + 4 + width, label, line);
	}
}

void gsc_text_walk(struct gsc_out *out, const struct gsc_translation *t,
		   const struct gsc_walk *walk, unsigned flags)
{
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_hex(out, walk->address, 1);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (walk->mapped) {
		const char *flag;
		char buf[64];

		gsc_out_text(out, "  -> ");
		text_styled(out, GSC_STYLE_BOLD,
			    walk->null ? "nothing"
				       : place_text(walk->space, false, walk->physical, buf,
						    sizeof(buf)));
		gsc_out_format(out, "  %s page", size_short(walk->page_size, buf, sizeof(buf)));
		if (walk->null)
			gsc_out_text(out, ", null: reads return zero");
		else
			gsc_out_format(out, " of %s memory",
				       memory_word(walk->space, walk->stolen));
		for (size_t i = 0; (flag = gsc_walk_flag(t, walk, i, buf, sizeof(buf))); i++) {
			gsc_out_text(out, i ? "," : "  ");
			gsc_out_text(out, flag);
		}
	} else {
		gsc_out_text(out, "  ");
		text_styled(out, GSC_STYLE_RED, gsc_stop_outcome(walk->stop));
		gsc_out_format(out, ": %s", walk->stop_text);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_QUIET)
		return;
	if (walk->count)
		put_steps(out, t, walk, flags);
	if (*walk->written)
		text_wrapped(out, INDENT, INDENT + 2, "written back: ", walk->written);
	if (*walk->note)
		text_wrapped(out, INDENT, INDENT + 2, "note: ", walk->note);
	if (flags & GSC_TEXT_VERBOSE && walk_last(walk))
		put_facts(out, t->gpu, walk_last(walk), &t->options.mocs, INDENT);
	if (flags & GSC_TEXT_VERBOSE && walk->mapped)
		put_caches(out, t, walk);
}

void text_fault_walk(struct gsc_out *out, unsigned indent, const struct gsc_translation *t,
		     const struct gsc_walk *walk, const struct gsc_fault *fault, unsigned flags)
{
	char text[640];

	out_indent(out, indent);
	gsc_text_walk(out, t, walk, flags);
	if (fault->valid && gsc_cache_older(t, walk, fault->engine, text, sizeof(text)))
		text_wrapped(out, INDENT, INDENT + 2, "this entry is valid: the TLB may hold an "
			     "older entry; it is invalidated by ", text);
	out_indent(out, 0);
}

/* ---- where it begins ------------------------------------------------------------------------ */

void gsc_text_root(struct gsc_out *out, const struct gsc_translation *t)
{
	const struct gsc_translation_options *options = &t->options;
	const struct gsc_tiled *tiled = &options->trtt;
	const struct gsc_root *root = gsc_translation_root(t);
	char buf[ROOT_TEXT_MAX];
	const char *text = gsc_root_text(root, buf, sizeof(buf));

	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", gsc_mode_name(root->mode));
	if (text)
		gsc_out_format(out, " root %s", text);
	if (*root->from)
		gsc_out_format(out, text ? ", from %s" : ", %s", root->from);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	if (options->vtd.on) {
		gsc_out_line(out, "# second level: root 0x%llx, %u levels",
			       LL(options->vtd.root), options->vtd.levels);
	}
	if (!tiled->on)
		return;
	gsc_out_line(out, "# tiled resources from 0x%llx on: L3 table 0x%llx",
		       LL(tiled->va & 0xf) << 44, LL(tiled->l3));
	gsc_out_text(out, "#   L1 entries: ");
	if (tiled->has_null)
		gsc_out_format(out, "null 0x%x, ", tiled->null);
	if (tiled->has_invalid)
		gsc_out_format(out, "invalid 0x%x, ", tiled->invalid);
	gsc_out_text(out, tiled->has_null || tiled->has_invalid ? "every other one is a tile" :
								  "each is a tile");
	if (*tiled->from)
		gsc_out_format(out, "; from %s", tiled->from);
	gsc_out_end(out);
}
