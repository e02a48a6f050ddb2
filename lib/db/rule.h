/* SPDX-License-Identifier: MIT */
/*
 * Tables of rules: the head that the rows of each have, and what a broken rule reports. What a rule
 * asks stands in the table of its room.
 */
#ifndef GSC_RULE_H
#define GSC_RULE_H

#include "db/properties.h"

#include <stdarg.h>

struct rule {
	const char *name;
	const char *only;		/* as platform_is() has it */
	const char *document, *section;	/* NULL: what the definition says, or plain sense */
};

/*
 * A condition as on= has it: "gen4..gen6,!ilk" or "gen7+"; also a property, "display-y". NULL: all
 * platforms. Of platforms it knows the names, no aliases and no ranges.
 */
bool platform_is(const struct gsc_platform *platform, const char *only);

/* What a rule has found, its place and text still to be said; or both of them. */
static inline struct gsc_breach rule_finding(const struct rule *rule)
{
	return (struct gsc_breach){ .rule = rule->name, .document = rule->document,
				    .section = rule->section };
}

struct gsc_breach rule_found(const struct rule *rule, const char *where, const char *format,
			     va_list args) __attribute__((format(printf, 3, 0)));

#endif
