/* SPDX-License-Identifier: MIT */
/* The known names nearest to a wrong one. */
#include "regs/regs.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

/* Edits that still count as a typing error. */
static unsigned tolerance(const char *wanted)
{
	size_t length = strlen(wanted);

	return length < 4 ? 1 : (unsigned)MIN(2 + length / 8, 5);
}

/* The beginning of a name up to one of its `_` counts as the name, if the rest is only missing. */
static unsigned distance_to_start(const char *wanted, const char *candidate)
{
	char start[64];
	unsigned nearest = UINT32_MAX - 1;

	for (const char *end = candidate; (end = strchr(end, '_')); end++)
		if (slice_copy((struct slice){ candidate, end }, start, sizeof(start)))
			nearest = MIN(nearest, name_distance(wanted, start));
	return nearest + 1;
}

/* A name of which the user wrote a part is also near. */
static unsigned distance_to(const struct suggestions *s, const char *candidate)
{
	unsigned distance = MIN(name_distance(s->wanted, candidate),
				distance_to_start(s->wanted, candidate));
	size_t length = strlen(s->wanted);

	if (distance > tolerance(s->wanted) && length >= 4 && strcasestr(candidate, s->wanted))
		return tolerance(s->wanted);
	return distance;
}

void suggest(struct suggestions *s, const char *candidate)
{
	unsigned distance = distance_to(s, candidate);
	size_t at = s->count;

	if (distance > tolerance(s->wanted) || distance >= strlen(s->wanted))
		return;
	for (size_t i = 0; i < s->count; i++)
		if (!name_compare(s->best[i].name, candidate))
			return;
	while (at && s->best[at - 1].distance > distance)
		at--;
	if (at == SUGGESTIONS)
		return;
	if (s->count < SUGGESTIONS)
		s->count++;
	memmove(&s->best[at + 1], &s->best[at], (s->count - at - 1) * sizeof(s->best[0]));
	s->best[at].name = candidate;
	s->best[at].distance = distance;
}

const char *suggestions_text(const struct suggestions *s, char *buf, size_t size)
{
	struct text text = text_begin(buf, size);

	for (size_t i = 0; i < s->count; i++) {
		const char *before = i == 0 ? "; did you mean " : i + 1 == s->count ? " or " : ", ";

		text_add(&text, "%s%s%s", before, s->best[i].name, i + 1 == s->count ? "?" : "");
	}
	return buf;
}

const char *gsc_names_near(const char *name, const char *(*next)(void *context), void *context,
			   char *buf, size_t size)
{
	struct suggestions s = { .wanted = name };
	const char *candidate;

	while ((candidate = next(context)))
		suggest(&s, candidate);
	return suggestions_text(&s, buf, size);
}

enum gsc_status gsc_name_unknown(const char *name, const char *(*next)(void *context),
				 void *context, struct gsc_error *err)
{
	char near[400];

	return err_set(err, GSC_UNKNOWN, name, "unknown name%s",
		       gsc_names_near(name, next, context, near, sizeof(near)));
}
