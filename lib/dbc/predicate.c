/* SPDX-License-Identifier: MIT */
/*
 * `on=`: the platforms and steppings to which something applies, as a bit mask and a revision
 * range.
 */
#include "dbc/build.h"
#include "util/number.h"

#include <stddef.h>
#include <string.h>

#define VERSION_MAX 0xffffff

/* The offset of a version in struct b_platform. */
enum axis {
	AXIS_GRAPHICS = offsetof(struct b_platform, graphics),
	AXIS_MEDIA = offsetof(struct b_platform, media),
	AXIS_DISPLAY = offsetof(struct b_platform, display),
};

static uint64_t version_mask(const struct build *b, enum axis axis, unsigned lo, unsigned hi)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < build_platform_count(b); i++) {
		uint32_t version = *(const uint32_t *)((const char *)build_platform(b, i) + axis);

		if (version >= lo && version <= hi)
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

static bool starts_with(const char *text, size_t length, const char *prefix)
{
	size_t n = strlen(prefix);

	return length >= n && !memcmp(text, prefix, n);
}

static int find_platform(const struct build *b, const char *text, size_t length)
{
	struct word word = { text, (uint32_t)length, 0, false };

	for (unsigned i = 0; i < build_platform_count(b); i++)
		if (platform_has_name(b, build_platform(b, i), &word))
			return (int)i;
	return -1;
}

/* gfx>=12.70, media<13, display==9 */
static bool comparison(const struct build *b, const char *text, size_t length, uint64_t *mask)
{
	static const struct { const char *word; enum axis axis; } axes[] = {
		{ "gfx", AXIS_GRAPHICS }, { "media", AXIS_MEDIA }, { "display", AXIS_DISPLAY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(axes); i++) {
		size_t at = strlen(axes[i].word);
		unsigned lo, hi;
		char op;
		bool equal;

		if (!starts_with(text, length, axes[i].word) || at >= length ||
		    !strchr("<>=", text[at]))
			continue;
		op = text[at++];
		equal = at < length && text[at] == '=';
		at += equal;
		if ((op == '=' && !equal) || !version_parse(text + at, length - at, &lo, &hi))
			return false;
		if (op == '>')
			*mask = version_mask(b, axes[i].axis, equal ? lo : hi + 1, VERSION_MAX);
		else if (op == '<')
			*mask = lo || equal ? version_mask(b, axes[i].axis, 0, equal ? hi : lo - 1)
					    : 0;
		else
			*mask = version_mask(b, axes[i].axis, lo, hi);
		return true;
	}
	return false;
}

uint32_t platform_flag(const char *text, size_t length)
{
	static const struct { const char *word; uint32_t flag; } flags[] = {
		{ "atom", GSC_PLATFORM_ATOM },
		{ "discrete", GSC_PLATFORM_DISCRETE },
		{ "lmem", GSC_PLATFORM_LMEM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (text_is(flags[i].word, text, length))
			return flags[i].flag;
	return 0;
}

static bool property(const struct build *b, const char *text, size_t length, uint64_t *mask)
{
	uint32_t flag = platform_flag(text, length);

	*mask = 0;
	for (unsigned p = 0; p < build_platform_count(b); p++)
		if (build_platform(b, p)->flags & flag)
			*mask |= UINT64_C(1) << p;
	return flag;
}

/* One end of a range: a platform gives its position in the order, a gen its version. */
struct end {
	bool is_gen;
	unsigned lo, hi;
};

static bool parse_end(const struct build *b, const char *text, size_t length, struct end *end)
{
	int platform;

	end->is_gen = starts_with(text, length, "gen") &&
		      version_parse(text + 3, length - 3, &end->lo, &end->hi);
	if (end->is_gen)
		return true;
	platform = find_platform(b, text, length);
	end->lo = end->hi = (unsigned)platform;
	return platform >= 0;
}

static uint64_t bits_from_to(unsigned lo, unsigned hi)
{
	uint64_t upto = hi >= 63 ? UINT64_MAX : (UINT64_C(1) << (hi + 1)) - 1;

	return lo > hi ? 0 : upto & ~((UINT64_C(1) << lo) - 1);
}

static bool range(const struct build *b, const char *text, size_t length, uint64_t *mask)
{
	struct end from, to;
	size_t first = length;
	bool open = length && text[length - 1] == '+';

	for (size_t i = 0; !open && i + 1 < length; i++)
		if (text[i] == '.' && text[i + 1] == '.') {
			first = i;
			break;
		}
	if (!parse_end(b, text, open ? length - 1 : first, &from))
		return false;
	to = from;
	if (open)
		to.hi = from.is_gen ? VERSION_MAX : build_platform_count(b) - 1;
	else if (first < length && !parse_end(b, text + first + 2, length - first - 2, &to))
		return false;
	if (from.is_gen != to.is_gen)
		return false;
	*mask = from.is_gen ? version_mask(b, AXIS_GRAPHICS, from.lo, to.hi)
			    : bits_from_to(from.lo, to.hi);
	return true;
}

/* The PCI revisions of a stepping: there may be several. */
static bool find_revision(const struct build *b, const struct b_platform *p, const char *text,
			  size_t length, unsigned *lo, unsigned *hi)
{
	bool found = false;

	for (uint32_t i = 0; i < p->steppings.count; i++) {
		const struct b_stepping *s = build_stepping(b, p->steppings.first + i);
		const char *name = build_platform_text(b, s->name);

		if (strlen(name) != length || name_compare_n(name, text, length))
			continue;
		*lo = found ? MIN(*lo, s->revision) : s->revision;
		*hi = found ? MAX(*hi, s->revision) : s->revision;
		found = true;
	}
	return found;
}

/* Steppings with a letter and a number compare by these, as in the drivers. */
static int compare_steppings(const char *name, const struct word *other)
{
	size_t length = strlen(name);
	int difference = name_compare_n(name, other->text, MIN(length, other->length));

	return difference ? difference : (length > other->length) - (length < other->length);
}

/* Revisions need not be in the order of their steppings: the range must cover only those named. */
static bool are_named(const struct build *b, const struct b_platform *p,
		      const struct b_where *where, const struct word *from, const struct word *to)
{
	for (uint32_t i = 0; i < p->steppings.count; i++) {
		const struct b_stepping *s = build_stepping(b, p->steppings.first + i);
		const char *name = build_platform_text(b, s->name);
		bool named = compare_steppings(name, from) >= 0 &&
			     (!to || compare_steppings(name, to) <= 0);

		if (named != (s->revision >= where->rev_lo && s->revision <= where->rev_hi))
			return false;
	}
	return true;
}

/* snb:a0, snb:b0+, snb:a0..b2 */
static bool stepping(const struct build *b, const char *text, size_t length, struct b_where *where)
{
	const char *colon = memchr(text, ':', length), *name = colon + 1;
	size_t rest = length - (size_t)(name - text);
	bool open = rest && name[rest - 1] == '+';
	struct word from = { .text = name, .length = (uint32_t)(open ? rest - 1 : rest) }, to;
	int platform = find_platform(b, text, (size_t)(colon - text));
	const struct b_platform *p;
	unsigned lo, hi, ignored;

	if (platform < 0)
		return false;
	p = build_platform(b, (unsigned)platform);
	for (uint32_t i = 0; !open && i + 1 < rest; i++)
		if (name[i] == '.' && name[i + 1] == '.') {
			from.length = i;
			break;
		}
	to = from;
	if (!open && from.length < rest)
		to = (struct word){ .text = name + from.length + 2,
				    .length = (uint32_t)rest - from.length - 2 };
	if (!find_revision(b, p, from.text, from.length, &lo, &ignored) ||
	    !find_revision(b, p, to.text, to.length, &ignored, &hi))
		return false;
	*where = where_revisions((unsigned)platform, lo, open ? UINT8_MAX : hi);
	return lo <= where->rev_hi && are_named(b, p, where, &from, open ? NULL : &to);
}

static bool term(const struct build *b, const char *text, size_t length, struct b_where *where)
{
	if (memchr(text, ':', length))
		return stepping(b, text, length, where);
	return comparison(b, text, length, &where->platforms) ||
	       property(b, text, length, &where->platforms) ||
	       range(b, text, length, &where->platforms);
}

/* Some platforms limited by revision; false: others are already limited, by other revisions. */
static bool add_stepped(struct b_where *where, uint64_t platforms, uint8_t lo, uint8_t hi)
{
	if (!platforms)
		return true;
	if (where->stepped && (where->rev_lo != lo || where->rev_hi != hi))
		return false;
	where->platforms |= platforms;
	where->stepped |= platforms;
	where->rev_lo = lo;
	where->rev_hi = hi;
	return true;
}

void where_narrow(struct build *b, const struct line *line, struct b_where *where,
		  const struct b_where *by)
{
	const struct b_where from = *where;
	uint64_t both = from.platforms & by->platforms, stepped = both & from.stepped & by->stepped;
	uint8_t lo = MAX(from.rev_lo, by->rev_lo), hi = MIN(from.rev_hi, by->rev_hi);

	*where = (struct b_where){ both & ~from.stepped & ~by->stepped, 0, 0, UINT8_MAX, { 0 } };
	if (!add_stepped(where, lo > hi ? 0 : stepped, lo, hi) ||
	    !add_stepped(where, both & from.stepped & ~stepped, from.rev_lo, from.rev_hi) ||
	    !add_stepped(where, both & by->stepped & ~stepped, by->rev_lo, by->rev_hi))
		expected(b, line, NULL,
			 "steppings that select the same revisions on every platform");
}

/* The rest of a platform without some of its revisions; false: that is no range. */
static bool without(const struct b_where *one, unsigned *lo, unsigned *hi)
{
	*lo = one->rev_lo ? 0 : one->rev_hi + 1u;
	*hi = one->rev_lo ? one->rev_lo - 1u : UINT8_MAX;
	return (!one->rev_lo || one->rev_hi == UINT8_MAX) && *lo <= *hi;
}

/* One more term of a list. */
static bool add_term(struct b_where *found, const struct b_where *one, bool negative)
{
	uint64_t whole = found->platforms & ~found->stepped;
	unsigned lo, hi;

	if (found->stepped & one->stepped)
		return false;
	if (!negative && one->stepped)
		return add_stepped(found, one->stepped & ~whole, one->rev_lo, one->rev_hi);
	if (!negative) {
		found->platforms |= one->platforms;
		found->stepped &= ~one->platforms;
		return true;
	}
	found->platforms &= ~one->platforms;
	found->stepped &= ~one->platforms;
	return !(whole & one->stepped) ||
	       (without(one, &lo, &hi) &&
		add_stepped(found, one->stepped, (uint8_t)lo, (uint8_t)hi));
}

void revisions_mark(struct revisions *revisions, const struct b_where *where)
{
	revisions->differ[where->rev_lo] = true;
	if (where->rev_hi < UINT8_MAX)
		revisions->differ[where->rev_hi + 1] = true;
}

int revision_after(const struct revisions *revisions, int revision)
{
	while (++revision <= UINT8_MAX)
		if (revisions->differ[revision])
			return revision;
	return -1;
}

bool parse_where(struct build *b, const struct line *line, const struct word *word,
		 struct b_where *where)
{
	struct b_where found = { .rev_hi = UINT8_MAX };
	bool first = true;

	for (struct word part = { 0 }; word_part(word, ',', &part);) {
		bool negative = part.length && *part.text == '!';
		struct b_where one = { 0 };

		if (!term(b, part.text + negative, part.length - negative, &one)) {
			expected(b, line, &part,
				 "a platform, a range (skl+, snb..bdw), genN, gfx>=N, or steppings "
				 "of the platform in ascending order of revision");
			return false;
		}
		if (first && negative)
			found.platforms = bits_from_to(0, build_platform_count(b) - 1);
		if (!add_term(&found, &one, negative)) {
			expected(b, line, &part,
				 "steppings that together form one range of revisions");
			return false;
		}
		first = false;
	}
	where_narrow(b, line, where, &found);
	return true;
}
