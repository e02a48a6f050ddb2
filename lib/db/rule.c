/* SPDX-License-Identifier: MIT */
/* On which platforms a rule applies, by generation or property; what it reports if broken. */
#include "db/rule.h"

#include "util/number.h"

#include <stdio.h>
#include <string.h>

const char *const property_names[PROPERTIES] = {
#define PROPERTY_NAME(id, name) [PROPERTY_##id] = name,
	PROPERTY_LIST(PROPERTY_NAME)
#undef PROPERTY_NAME
};

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !memcmp(text, word, length);
}

/* "gen6", "gen6..gen7.5", "gen6+" */
static bool is_generation(const struct gsc_platform *p, const char *text, size_t length, bool *is)
{
	const char *dots = memmem(text, length, "..gen", 5);
	bool open = length && text[length - 1] == '+';
	size_t first = dots ? (size_t)(dots - text) : length - open;
	unsigned lo, hi, ignored;

	if (first < 3 || memcmp(text, "gen", 3) || !version_parse(text + 3, first - 3, &lo, &hi) ||
	    (dots && !version_parse(dots + 5, length - first - 5, &ignored, &hi)))
		return false;
	*is = p->graphics >= lo && (open || p->graphics <= hi);
	return true;
}

static bool term_holds(const struct gsc_platform *p, const char *text, size_t length)
{
	bool is;

	if (is_generation(p, text, length, &is))
		return is;
	for (unsigned i = 0; i < PROPERTIES; i++)
		if (is_word(text, length, property_names[i]))
			return platform_has(p, (enum property)i);
	return is_word(text, length, p->name);
}

bool platform_is(const struct gsc_platform *platform, const char *only)
{
	bool is = !only || *only == '!';

	while (only && *only) {
		bool negative = *only == '!';
		size_t length = strcspn(only += negative, ",");

		if (term_holds(platform, only, length))
			is = !negative;
		only += length + (only[length] == ',');
	}
	return is;
}

struct gsc_breach rule_found(const struct rule *rule, const char *where, const char *format,
			     va_list args)
{
	struct gsc_breach found = rule_finding(rule);

	snprintf(found.where, sizeof(found.where), "%s", where);
	vsnprintf(found.text, sizeof(found.text), format, args);
	return found;
}
