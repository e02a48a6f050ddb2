/* SPDX-License-Identifier: MIT */
/* Findings: named, located, and limited in number. */
#include "gtt/check.h"

#include <stdio.h>

static const struct {
	struct rule rule;
	bool note;
} rules[RULES] = {
#define RULE_ROW(id, note, ...) [RULE_##id] = { { __VA_ARGS__ }, note },
	TABLE_RULES(RULE_ROW)
#undef RULE_ROW
};

bool check_applies(const struct checker *checker, enum table_rule rule)
{
	return platform_is(&checker->t->gpu->platform, rules[rule].rule.only);
}

static bool give(struct checker *checker, enum table_rule rule, struct gsc_breach *breach)
{
	breach->note = rules[rule].note && !breach->unchecked;
	checker->ended = !checker->each(checker->context, breach);
	return !checker->ended;
}

static uint64_t most_of(enum table_rule rule)
{
	return rules[rule].note ? NOTES_MOST : FINDINGS_MOST;
}

bool check_tell(struct checker *checker, enum table_rule rule, const char *where,
		const char *format, ...)
{
	struct gsc_breach breach;
	va_list args;

	if (++checker->told[rule] > most_of(rule))
		return true;
	va_start(args, format);
	breach = rule_found(&rules[rule].rule, where, format, args);
	va_end(args);
	return give(checker, rule, &breach);
}

/* "pte 5 at 0x12028, for 0x5000". */
static void entry_where(char *buf, size_t size, const struct scan_entry *entry)
{
	const struct format *f = entry->level->format;
	uint64_t index = entry->va >> f->index_lo &
			 (UINT64_MAX >> (63 - (f->index_hi - f->index_lo)));

	snprintf(buf, size, "%s %llu at %s0x%llx, for 0x%llx", f->level, LL(index) * f->every,
		 entry->space == GSC_PHYS ? "" :
		 entry->space == GSC_GGTT ? "ggtt:" : "lmem:", LL(entry->address), LL(entry->va));
}

bool check_tell_entry(struct checker *checker, enum table_rule rule,
		      const struct scan_entry *entry, const char *format, ...)
{
	const struct gsc_item *item = &entry->level->format->item;
	struct gsc_breach breach;
	char where[96];
	va_list args;

	if (++checker->told[rule] > most_of(rule))
		return true;
	entry_where(where, sizeof(where), entry);
	va_start(args, format);
	breach = rule_found(&rules[rule].rule, where, format, args);
	va_end(args);
	breach.document = item->document;
	breach.section = item->section;
	return give(checker, rule, &breach);
}

bool check_tell_unchecked(struct checker *checker, enum table_rule rule, const char *where,
			  const char *why)
{
	struct gsc_breach breach = rule_finding(&rules[rule].rule);

	breach.unchecked = true;
	snprintf(breach.where, sizeof(breach.where), "%s", where);
	snprintf(breach.text, sizeof(breach.text), "%s", why);
	return give(checker, rule, &breach);
}

bool check_tell_rest(struct checker *checker)
{
	for (enum table_rule rule = 0; rule < RULES; rule++) {
		struct gsc_breach breach = rule_finding(&rules[rule].rule);

		if (checker->told[rule] <= most_of(rule))
			continue;
		snprintf(breach.where, sizeof(breach.where), "elsewhere");
		snprintf(breach.text, sizeof(breach.text), "%llu more %s of this rule",
			 LL(checker->told[rule] - most_of(rule)),
			 rules[rule].note ? "notes" : "findings");
		if (!give(checker, rule, &breach))
			return false;
	}
	return true;
}
