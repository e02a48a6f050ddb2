/* SPDX-License-Identifier: MIT */
/* Findings: named, placed, and bounded in number. */
#include "gtt/check.h"

#include <stdio.h>

static const struct {
	const char *name, *document, *section;
	bool note;			/* it is legal */
} rules[RULES] = {
	[RULE_RESERVED] = { "reserved-bits", NULL, NULL },
	[RULE_MISALIGNED] = { "misaligned", NULL, NULL },
	[RULE_OUTSIDE] = { "outside-memory", NULL, NULL },
	[RULE_MISSING] = { "missing-table", NULL, NULL },
	[RULE_LOOP] = { "self-reference", NULL, NULL },
	[RULE_IGNORED] = { "ignored-entry", NULL, NULL },
	[RULE_MEMORY_TYPE] = { "memory-type", NULL, NULL },
	[RULE_TABLE_MAPPED] = { "page-table-mapped", NULL, NULL },
	[RULE_GGTT_ALIAS] = { "ggtt-alias", NULL, NULL, true },
	[RULE_SAME_ADDRESS] = { "same-address", "snb-p2", "1.3.4 PPGTT vs GGTT limitation" },
	[RULE_GTT_CACHE] = { "gtt-cache", "icl-vol6", "GTT Cache" },
	[RULE_64K_HINT] = { "64k-hint", "i915", "gt/gen8_ppgtt.c xehp_ppgtt_insert_huge" },
	[RULE_GSM_MAPPED] = { "gsm-mapped", NULL, NULL },
	[RULE_TABLE_STOLEN] = { "table-stolen", NULL, NULL },
};

static bool give(struct checker *checker, struct gsc_breach *breach, enum rule rule,
		 const struct format *f)
{
	breach->rule = rules[rule].name;
	breach->note = rules[rule].note && !breach->unchecked;
	breach->document = f ? f->item.document : rules[rule].document;
	breach->section = f ? f->item.section : rules[rule].section;
	checker->ended = !checker->each(checker->context, breach);
	return !checker->ended;
}

static uint64_t most_of(enum rule rule)
{
	return rules[rule].note ? NOTES_MOST : FINDINGS_MOST;
}

bool check_tell(struct checker *checker, enum rule rule, const struct format *f, const char *where,
		const char *format, ...)
{
	struct gsc_breach breach = { .unchecked = false };
	va_list args;

	if (++checker->told[rule] > most_of(rule))
		return true;
	snprintf(breach.where, sizeof(breach.where), "%s", where);
	va_start(args, format);
	vsnprintf(breach.text, sizeof(breach.text), format, args);
	va_end(args);
	return give(checker, &breach, rule, f);
}

bool check_tell_unchecked(struct checker *checker, enum rule rule, const char *where,
			  const char *why)
{
	struct gsc_breach breach = { .unchecked = true };

	snprintf(breach.where, sizeof(breach.where), "%s", where);
	snprintf(breach.text, sizeof(breach.text), "%s", why);
	return give(checker, &breach, rule, NULL);
}

bool check_tell_rest(struct checker *checker)
{
	for (unsigned rule = 0; rule < RULES; rule++) {
		struct gsc_breach breach = { .where = "elsewhere" };

		if (checker->told[rule] <= most_of((enum rule)rule))
			continue;
		snprintf(breach.text, sizeof(breach.text), "%llu more %s of this rule",
			 (unsigned long long)(checker->told[rule] - most_of((enum rule)rule)),
			 rules[rule].note ? "notes" : "findings");
		if (!give(checker, &breach, (enum rule)rule, NULL))
			return false;
	}
	return true;
}

void check_where(char *buf, size_t size, const struct scan_entry *entry)
{
	const struct format *f = entry->level->format;
	uint64_t index = entry->va >> f->index_lo &
			 (UINT64_MAX >> (63 - (f->index_hi - f->index_lo)));

	snprintf(buf, size, "%s %llu at %s0x%llx, for 0x%llx", f->level,
		 (unsigned long long)index * f->every,
		 entry->space == GSC_PHYS ? "" :
		 entry->space == GSC_GGTT ? "ggtt:" : "lmem:",
		 (unsigned long long)entry->address, (unsigned long long)entry->va);
}
