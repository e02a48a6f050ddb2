/* SPDX-License-Identifier: MIT */
/*
 * Rules that tables break: what one entry shows by itself, and ranges for what several show
 * together.
 */
#include "gtt/check.h"

#include "source/part.h"
#include "source/source.h"
#include "util/text.h"

#define LARGE (UINT64_C(2) << 20)
#define HINT_ENTRIES 16

/* ---- findings ----------------------------------------------------------------------------- */

const struct table_rule table_rules[TABLE_RULE_COUNT] = {
#define RULE_ROW(id, note, ...) [RULE_##id] = { { __VA_ARGS__ }, note },
	TABLE_RULES(RULE_ROW)
#undef RULE_ROW
};

const struct rule *gsc_table_rule(size_t i)
{
	return i < TABLE_RULE_COUNT ? &table_rules[i].rule : NULL;
}

/* So many of a rule are told one by one. */
static uint64_t most_of(unsigned rule)
{
	return table_rules[rule].note ? NOTES_MOST : FINDINGS_MOST;
}

bool check_found(struct checker *checker, unsigned rule, const struct scan_entry *entry,
		 const char *where, const char *format, ...)
{
	struct gsc_breach breach;
	va_list args;

	if (++checker->found[rule] > most_of(rule))
		return true;
	va_start(args, format);
	breach = rule_found(&table_rules[rule].rule, where ? where : "", format, args);
	va_end(args);
	breach.note = table_rules[rule].note;
	if (entry) {
		const struct format *f = entry->level->format;
		uint64_t index = entry->va >> f->index_lo &
				 (UINT64_MAX >> (63 - (f->index_hi - f->index_lo)));

		breach.document = f->item.document;
		breach.section = f->item.section;
		string_set(breach.where, "%s %llu at %s0x%llx, for 0x%llx", f->level,
			   LL(index * f->every), entry->space == GSC_PHYS ? "" :
			   entry->space == GSC_GGTT ? "ggtt:" : "lmem:", LL(entry->address),
			   LL(entry->va));
	}
	return findings_add(&checker->findings, &breach);
}

bool check_impossible(struct checker *checker, unsigned rule, const char *where, const char *why)
{
	struct gsc_breach breach = rule_finding(&table_rules[rule].rule);

	breach.unchecked = true;
	string_set(breach.where, "%s", where);
	string_set(breach.text, "%s", why);
	return findings_add(&checker->findings, &breach);
}

/* ---- bits of one entry -------------------------------------------------------------------- */

/* Address bits below the page, unless they are something else. */
static uint64_t stray_bits(const struct scan_level *l)
{
	const struct format *f = l->format;

	if (f->page_size <= 4096)
		return 0;
	return (f->page_size - 1) & ~UINT64_C(0xfff) & ~l->attributes & ~f->one_mask &
	       ~f->address_mask;
}

/* Bits that are address bits on machines with wider addresses. */
static uint64_t high_bits(const struct checker *checker, const struct scan_level *l)
{
	const struct format *f = l->format;
	uint64_t above = (UINT64_C(1) << 52) - (UINT64_C(1) << checker->t->haw);

	if (f->bytes != 8 || f->graphics)
		return 0;
	return above & ~l->attributes & ~f->zero_mask & ~f->one_mask & ~f->flags_mask;
}

static bool tell_stray(struct checker *checker, const struct scan_entry *entry, uint64_t stray)
{
	return check_found(checker, RULE_MISALIGNED, entry, NULL,
			   "0x%llx: address bits 0x%llx are set in a page of 0x%llx bytes",
			   LL(entry->raw), LL(stray), LL(entry->level->format->page_size));
}

static bool check_reserved(struct scan *scan, const struct scan_entry *entry)
{
	struct checker *checker = scan->context;
	const struct format *f = entry->level->format;
	uint64_t set = entry->raw & f->zero_mask, clear = ~entry->raw & f->one_mask;
	uint64_t stray = set & stray_bits(entry->level);

	if (stray)
		return tell_stray(checker, entry, stray);
	return check_found(checker, RULE_RESERVED, entry, NULL, "0x%llx: bits 0x%llx must be %s",
			   LL(entry->raw), LL(set ? set : clear), set ? "zero" : "one");
}

static bool check_high(struct scan *scan, const struct scan_entry *entry)
{
	struct checker *checker = scan->context;
	uint64_t high = entry->raw & high_bits(checker, entry->level);

	return !high ||
	       check_found(checker, RULE_OUTSIDE, entry, NULL,
			   "0x%llx: address bits 0x%llx are above the %u that this machine "
			   "has, and are ignored", LL(entry->raw), LL(high), checker->t->haw);
}

/* ---- pages -------------------------------------------------------------------------------- */

static bool check_stray(struct scan *scan, const struct chunk *chunk)
{
	struct checker *checker = scan->context;
	uint64_t bits = stray_bits(chunk->level) | high_bits(checker, chunk->level);

	for (unsigned i = 0; bits && i < chunk->count; i++) {
		struct scan_entry entry = chunk_entry(chunk, i);
		uint64_t stray = entry.raw & stray_bits(chunk->level);

		if (!bits_test(chunk->bits.valid, i) || !(entry.raw & bits))
			continue;
		if (!check_high(scan, &entry) || (stray && !tell_stray(checker, &entry, stray)))
			return false;
	}
	return true;
}

/* Entries that do not count, but differ from the one that does. */
static bool check_between(struct checker *checker, const struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	const struct format *f = l->format;

	for (unsigned i = 0; f->every > 1 && i < chunk->count; i++) {
		struct scan_entry entry = chunk_entry(chunk, i);
		uint64_t target = leaf_target(l, entry.raw);

		for (unsigned k = 1; bits_test(chunk->bits.valid, i) && k < f->every; k++) {
			uint64_t raw = entry_load(l, chunk->data + i * l->stride + k * f->bytes);

			if (!format_valid(f, raw) || leaf_target(l, raw) == target)
				continue;
			if (!check_found(checker, RULE_IGNORED, &entry, NULL,
					 "entry %u after this one is 0x%llx; it points "
					 "outside the page at 0x%llx and is ignored", k,
					 LL(raw), LL(target)))
				return false;
			break;
		}
	}
	return true;
}

/* Several entries that form one page: consecutive, and aligned. */
static bool check_group(struct checker *checker, const struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	unsigned group = (unsigned)(l->format->page_size / l->span);

	for (unsigned i = 0; group > 1 && i + group <= chunk->count; i += group) {
		struct scan_entry entry = chunk_entry(chunk, i);

		if (!bits_test(chunk->bits.valid, i) ||
		    (!(leaf_target(l, entry.raw) & (l->format->page_size - 1)) &&
		     bits_next_clear(chunk->bits.linear, i + 1, i + group) == i + group))
			continue;
		if (!check_found(checker, RULE_MISALIGNED, &entry, NULL,
				 "0x%llx: the %u entries of a page of 0x%llx bytes are not "
				 "one aligned range of memory", LL(entry.raw), group,
				 LL(l->format->page_size)))
			return false;
	}
	return true;
}

/* Sixteen entries say that they map 64 KB in one piece: all of them must, or none. */
static const char *bad_hint(const struct chunk *chunk, unsigned from)
{
	const struct scan_level *l = chunk->level;
	uint64_t first = chunk_entry(chunk, from).raw, all = l->format->hint_mask, any = 0;

	for (unsigned i = from; i < from + HINT_ENTRIES; i++) {
		uint64_t raw = bits_test(chunk->bits.valid, i) ? chunk_entry(chunk, i).raw : 0;

		all &= raw;
		any |= raw & l->format->hint_mask;
	}
	if (!any)
		return NULL;
	if (!all)
		return "not all 16 entries of these 64 KB have it";
	if (first & l->format->null_mask)
		return NULL;
	if (bits_next_clear(chunk->bits.linear, from + 1, from + HINT_ENTRIES) <
	    from + HINT_ENTRIES)
		return "the 16 entries do not map one block of memory with the same attributes";
	return leaf_target(l, first) % (HINT_ENTRIES * l->span) ?
		       "they map memory that is not aligned to 64 KB" : NULL;
}

static bool check_hints(struct scan *scan, const struct chunk *chunk)
{
	const struct scan_level *l = chunk->level;
	unsigned from = (unsigned)(-(chunk->va / l->span) % HINT_ENTRIES);

	/* Nothing can be said about an incomplete table. */
	if (!l->format->hint_mask || scan->partial)
		return true;
	for (; from + HINT_ENTRIES <= chunk->count; from += HINT_ENTRIES) {
		struct scan_entry entry = chunk_entry(chunk, from);
		const char *why = bad_hint(chunk, from);

		if (why && !check_found(scan->context, RULE_64K_HINT, &entry, NULL,
					"PAGE_64K_HINT is set, but %s", why))
			return false;
	}
	return true;
}

static bool check_chunk(struct scan *scan, struct chunk *chunk)
{
	struct checker *checker = scan->context;

	checker->large |= chunk->level->format->page_size >= LARGE;
	return check_stray(scan, chunk) && check_between(checker, chunk) &&
	       check_group(checker, chunk) && check_hints(scan, chunk) &&
	       runs_of_chunk(scan, chunk);
}

/*
 * A tile is the page that it leads to, under another address: the check sees that page itself, if
 * it is there.
 */
static bool check_run(struct scan *scan, const struct run *run)
{
	return !trtt_holds(&scan->t->options.trtt, run->of) || runs_add(scan, run);
}

static bool check_constant(struct scan *scan, uint64_t va, uint64_t length,
			   const struct summary *page)
{
	return trtt_holds(&scan->t->options.trtt, va) || runs_constant(scan, va, length, page);
}

/* ---- tables ------------------------------------------------------------------------------- */

static bool check_missing(struct scan *scan, const struct scan_table *table)
{
	struct checker *checker = scan->context;
	char where[96];

	/* Dumps have only the used part of the global table. */
	if (table->space == GSC_GGTT && !scan->gone)
		return true;
	scan_table_text(scan, table, table->va, where, sizeof(where));
	return check_found(checker, RULE_MISSING, NULL, where, "%s", scan->why);
}

static bool check_loop(struct scan *scan, const struct scan_table *table)
{
	char where[96];

	scan_table_text(scan, table, table->va, where, sizeof(where));
	return check_found(scan->context, RULE_LOOP, NULL, where,
			   "a table that leads to itself: its entries are read at several levels");
}

static const struct scan_visitor check_visitor = {
	.chunk = check_chunk,
	.run = check_run,
	.constant = check_constant,
	.entry = check_high,
	.reserved = check_reserved,
	.missing = check_missing,
	.loop = check_loop,
};

/* ---- ranges ------------------------------------------------------------------------------- */

static bool keep_range(void *context, const struct run *run)
{
	struct checker *checker = context;
	bool constant = run->kind == GSC_MAPPING_CONSTANT;
	uint64_t bytes = constant ? run->step : run->length;

	if (run->kind == GSC_MAPPING_REPEAT || run->entry & run->leaf->format->null_mask)
		return true;
	checker->too_many |= checker->ranges.count == RANGES_MOST;
	if (checker->too_many)
		return true;
	if (run->physical + bytes <= checker->held[run->space])
		checker->inside[run->space] += bytes / run->step;
	else
		checker->outside[run->space] += bytes / run->step;
	checker->failed |= !vec_push(&checker->ranges, (struct range){
		run->physical, run->physical + bytes, run->va, run->entry, run->leaf, run->space,
		run->denied, constant });
	return !checker->failed;
}

static const struct scan_visitor collect_visitor = {
	.run = check_run,
	.constant = check_constant,
};

enum gsc_status check_scan(struct checker *checker, struct scan *scan, struct gsc_translation *t,
			   const struct scan_visitor *checks, struct gsc_error *err)
{
	enum gsc_status status;

	checker->t = t;
	scan->fold = (struct fold){ .apart = true, .each = keep_range, .context = checker };
	status = scan_run(scan, t, checks ? checks : &collect_visitor, checker, err);
	return checker->failed ? err_memory(err) : status;
}

/* ---- an earlier capture ------------------------------------------------------------------- */

/* Whether an engine had this root then, too; also if the source has no such root. */
static bool ran_before(const struct gsc_translation *t)
{
	struct gsc_root *roots = NULL;
	size_t count = 0, others = 0, i = 0;

	gsc_roots(t->options.before, &roots, &count, NULL);
	for (; i < count && (roots[i].mode != GSC_MODE_2LEVEL ||
			     roots[i].value[0] != t->options.root.value[0]); i++)
		others += roots[i].mode == GSC_MODE_2LEVEL;
	free(roots);
	return i < count || !others;
}

/* Engines cache entries of the directory, and the manual does not say for how long. */
static void check_directory(struct checker *checker)
{
	struct gsc_translation *t = checker->t;
	const struct gsc_gpu *before = t->options.before;
	unsigned lacking = 0;
	struct cursor c;
	char where[96];

	if (!before || t->mode == GSC_MODE_GGTT)
		return;
	if (t->mode != GSC_MODE_2LEVEL ||
	    !platform_is(&t->gpu->platform, table_rules[RULE_DIRECTORY].rule.only)) {
		check_impossible(checker, RULE_DIRECTORY, gsc_mode_name(t->mode),
				 "only directories of Gen6 and Gen7 are compared");
		return;
	}
	if (!ran_before(t)) {
		check_impossible(checker, RULE_DIRECTORY, "2level",
				 "no engine of the earlier capture uses this directory");
		return;
	}
	for (uint64_t va = 0; !tables_begin(t, STAGE_TABLES, va, &c);
	     va += UINT64_C(1) << c.format->index_lo) {
		uint64_t at = cursor_entry(&c);
		uint32_t now, then;

		if (source_copy(t->gpu->source, c.space, at, &now, 4, NULL) < 4 ||
		    source_copy(before->source, c.space, at, &then, 4, NULL) < 4) {
			lacking++;
		} else if (now != then) {
			string_set(where, "%s %u at ggtt:0x%llx, for 0x%llx", c.format->level,
				   c.index, LL(at), LL(va));
			check_found(checker, RULE_DIRECTORY, NULL, where,
				    "0x%x, and was 0x%x: a context that runs may still use the old "
				    "one", now, then);
		}
	}
	string_set(where, "not both captures have these entries: %u", lacking);
	if (lacking)
		check_impossible(checker, RULE_DIRECTORY, "2level", where);
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The memory of a file that begins at 0 and has no holes may be all that there is. */
static void learn_held(struct checker *checker, enum gsc_space space)
{
	struct gsc_source *source = checker->t->gpu->source;
	uint64_t start, length, next;

	if (gsc_source_live(source) || !gsc_extent(source, space, 0, &start, &length))
		return;
	if (start)
		checker->unsure[space] = "the memory of the source does not begin at 0";
	else if (gsc_extent(source, space, length, &next, &next))
		checker->unsure[space] = "the memory of the source has holes";
	/* Images of memory end at round numbers, truncated ones anywhere. */
	else if (length % 0x10000)
		checker->unsure[space] = "the memory in the source does not end at a multiple of "
					 "64 KB";
	else
		checker->held[space] = length;
}

enum gsc_status gsc_check_tables(struct gsc_translation *t, struct gsc_global_ranges **shared,
				 gsc_breach_fn *each, void *context, struct gsc_error *err)
{
	struct checker checker = { .findings = { each, context }, .t = t };
	struct scan *scan = calloc(1, sizeof(*scan));
	enum gsc_status status;

	if (!scan)
		return err_memory(err);
	learn_held(&checker, GSC_PHYS);
	learn_held(&checker, GSC_LMEM);
	status = check_scan(&checker, scan, t, &check_visitor, err);
	/* Large pages and advanced contexts need the cache of table lines off. */
	if (!status && !checker.findings.ended && t->gtt_cache && t->mode != GSC_MODE_GGTT &&
	    (checker.large || t->mode == GSC_MODE_IA32E))
		check_found(&checker, RULE_GTT_CACHE, NULL, "register 0x4024",
			    "the GTT cache is on (0x%x) with %s", t->gtt_cache,
			    checker.large ? "pages of 2 MB or 1 GB" : "an advanced context");
	if (!status && !checker.findings.ended)
		check_directory(&checker);
	if (!status && !checker.findings.ended) {
		if (check_ranges(&checker, scan, shared)) {
			/* How many were not told. */
			for (unsigned rule = 0; rule < TABLE_RULE_COUNT && !checker.findings.ended;
			     rule++) {
				struct gsc_breach breach = rule_finding(&table_rules[rule].rule);

				if (checker.found[rule] <= most_of(rule))
					continue;
				breach.note = table_rules[rule].note;
				string_set(breach.where, "elsewhere");
				string_set(breach.text, "%llu more %s of this rule",
					   LL(checker.found[rule] - most_of(rule)),
					   breach.note ? "notes" : "findings");
				findings_add(&checker.findings, &breach);
			}
		}
		if (checker.failed)
			status = err_memory(err);
		else if (checker.too_many)
			status = err_set(err, GSC_PARTIAL, "tables", "more than %u ranges: the "
					 "rest was not compared", RANGES_MOST);
	}
	vec_free(&checker.ranges);
	scan_free(scan);
	free(scan);
	return status;
}
