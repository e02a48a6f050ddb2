/* SPDX-License-Identifier: MIT */
/* On which platforms a rule applies, by generation or property; what it reports if broken. */
#include "db/rule.h"

#include "util/number.h"

const char *const property_names[PROPERTIES] = {
#define PROPERTY_NAME(id, name) [PROPERTY_##id] = name,
	PROPERTY_LIST(PROPERTY_NAME)
#undef PROPERTY_NAME
};

/* "gen6", "gen6..gen7.5", "gen6+" */
static bool is_generation(const struct gsc_platform *p, struct slice term, bool *is)
{
	const char *dots = slice_find(term, "..gen");
	bool open = slice_ends(term, "+");
	const char *end = dots ? dots : term.end - open;
	unsigned lo, hi, ignored;

	if (!take_text(&term, "gen") ||
	    !version_parse(term.at, (size_t)(end - term.at), &lo, &hi) ||
	    (dots && !version_parse(dots + 5, (size_t)(term.end - dots) - 5, &ignored, &hi)))
		return false;
	*is = p->graphics >= lo && (open || p->graphics <= hi);
	return true;
}

static bool term_holds(const struct gsc_platform *p, struct slice term)
{
	bool is;

	if (is_generation(p, term, &is))
		return is;
	for (unsigned i = 0; i < PROPERTIES; i++)
		if (slice_is(term, property_names[i]))
			return platform_has(p, (enum property)i);
	return slice_is(term, p->name);
}

bool platform_is(const struct gsc_platform *platform, const char *only)
{
	struct slice rest = slice_string(only ? only : "");
	bool is = !only || *only == '!';

	while (rest.at < rest.end) {
		bool negative = take_text(&rest, "!");

		if (term_holds(platform, take_until(&rest, ",")))
			is = !negative;
		take_text(&rest, ",");
	}
	return is;
}

struct gsc_breach rule_found(const struct rule *rule, const char *where, const char *format,
			     va_list args)
{
	struct gsc_breach found = rule_finding(rule);

	string_set(found.where, "%s", where);
	vsnprintf(found.text, sizeof(found.text), format, args);
	return found;
}
