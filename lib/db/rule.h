/* SPDX-License-Identifier: MIT */
/*
 * Tables of rules: the head that all rows share, and what a broken rule reports. What a rule tests
 * is in the table of its room. There a check returns true if the text of its row says what is
 * wrong; one that has more to say reports it itself, and returns false. Each room lists its rows
 * for `gpu-db list --rules`.
 */
#ifndef GSC_RULE_H
#define GSC_RULE_H

#include "db/properties.h"
#include "util/text.h"

#include <stdarg.h>

struct rule {
	const char *name;
	const char *only;		/* as platform_is() takes it */
	const char *document, *section;	/* NULL: the definition itself, or common sense */
	const char *text;		/* what is wrong if it is broken */
	const char *about;		/* the commands that it is about; NULL or "": all, none */
};

/*
 * A condition as on= has it: "gen4..gen6,!ilk" or "gen7+"; also a property, "display-y". NULL: all
 * platforms. It knows the names of platforms, but no aliases and no ranges.
 */
GSC_API bool platform_is(const struct gsc_platform *platform, const char *only);

/* Something that breaks a rule. */
struct gsc_breach {
	const char *rule;		/* "reserved-bits", "misaligned", ... */
	bool unchecked;			/* the rule could not be checked: `text` says why */
	bool note;			/* it breaks no rule, but is noteworthy */
	char where[96], text[256];
	const char *document, *section;	/* origin of the rule, or NULL */
};

/* Takes a breach; false ends the check. */
typedef bool gsc_breach_fn(void *context, const struct gsc_breach *breach);

/* What a rule has found, before its place and text are added; or with both. */
static inline struct gsc_breach rule_finding(const struct rule *rule)
{
	return (struct gsc_breach){ .rule = rule->name, .document = rule->document,
				    .section = rule->section };
}

struct gsc_breach rule_found(const struct rule *rule, const char *where, const char *format,
			     va_list args) __attribute__((format(printf, 3, 0)));

/* Who is told what rules find, until he wants no more. */
struct findings {
	gsc_breach_fn *each;
	void *context;
	bool ended;
};

/* Tells of one; false: no more are wanted. */
static inline bool findings_add(struct findings *findings, const struct gsc_breach *breach)
{
	findings->ended |= !findings->each(findings->context, breach);
	return !findings->ended;
}

#endif
