/* SPDX-License-Identifier: MIT */
/*
 * `on=`: the platforms and steppings to which something applies, as a bit mask and a revision
 * range.
 */
#include "dbc/build.h"
#include "util/number.h"
#include "util/text.h"

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

/* Steppings with a letter and a number compare by these, as in the drivers. */
static int compare_steppings(const char *name, const struct word *other)
{
	size_t length = strlen(name);
	int difference = name_compare_n(name, other->text, MIN(length, other->length));

	return difference ? difference : (length > other->length) - (length < other->length);
}

static int find_platform(const struct build *b, const struct word *word)
{
	for (unsigned i = 0; i < build_platform_count(b); i++)
		if (platform_has_name(b, build_platform(b, i), word))
			return (int)i;
	return -1;
}

/* gfx>=12.70, media<13, display==9 */
static bool comparison(const struct build *b, const struct word *word, uint64_t *mask)
{
	static const struct { const char *word; enum axis axis; } axes[] = {
		{ "gfx", AXIS_GRAPHICS }, { "media", AXIS_MEDIA }, { "display", AXIS_DISPLAY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(axes); i++) {
		struct slice rest = slice_of(word->text, word->length);
		unsigned lo, hi;
		bool equal;
		char op;

		if (!take_text(&rest, axes[i].word) || rest.at == rest.end ||
		    !strchr("<>=", *rest.at))
			continue;
		op = *rest.at++;
		equal = take_text(&rest, "=");
		if ((op == '=' && !equal) || !version_parse(rest.at, slice_length(rest), &lo, &hi))
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

uint32_t platform_flag(const struct word *word)
{
	return word_is(word, "atom")	   ? GSC_PLATFORM_ATOM
	       : word_is(word, "discrete") ? GSC_PLATFORM_DISCRETE
	       : word_is(word, "lmem")	   ? GSC_PLATFORM_LMEM : 0;
}

static bool property(const struct build *b, const struct word *word, uint64_t *mask)
{
	uint32_t flag = platform_flag(word);

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

static bool parse_end_of(const struct build *b, const struct word *word, struct end *end)
{
	int platform;

	end->is_gen = word->length > 2 && !memcmp(word->text, "gen", 3) &&
		      version_parse(word->text + 3, word->length - 3, &end->lo, &end->hi);
	if (end->is_gen)
		return true;
	platform = find_platform(b, word);
	end->lo = end->hi = (unsigned)platform;
	return platform >= 0;
}

static uint64_t bits_from_to(unsigned lo, unsigned hi)
{
	uint64_t upto = hi >= 63 ? UINT64_MAX : (UINT64_C(1) << (hi + 1)) - 1;

	return lo > hi ? 0 : upto & ~((UINT64_C(1) << lo) - 1);
}

/* "a+", "a..b" or "a": its ends, which may be the same; true: it is open. */
static bool take_ends(const struct word *word, struct word *from, struct word *to)
{
	bool open = word->length && word->text[word->length - 1] == '+';

	if (open || !word_split(word, "..", from, to)) {
		*from = *word;
		from->length -= open;
		*to = *from;
	}
	return open;
}

static bool range(const struct build *b, const struct word *word, uint64_t *mask)
{
	struct word first, last;
	struct end from, to;
	bool open = take_ends(word, &first, &last);

	if (!parse_end_of(b, &first, &from) || !parse_end_of(b, &last, &to) ||
	    from.is_gen != to.is_gen)
		return false;
	if (open)
		to.hi = from.is_gen ? VERSION_MAX : build_platform_count(b) - 1;
	*mask = from.is_gen ? version_mask(b, AXIS_GRAPHICS, from.lo, to.hi)
			    : bits_from_to(from.lo, to.hi);
	return true;
}

/* The PCI revisions of a stepping: there may be several. */
static bool find_revision(const struct build *b, const struct b_platform *p,
			  const struct word *word, unsigned *lo, unsigned *hi)
{
	bool found = false;

	for (uint32_t i = 0; i < p->steppings.count; i++) {
		const struct b_stepping *s = build_stepping(b, p->steppings.first + i);

		if (compare_steppings(build_platform_text(b, s->name), word))
			continue;
		*lo = found ? MIN(*lo, s->revision) : s->revision;
		*hi = found ? MAX(*hi, s->revision) : s->revision;
		found = true;
	}
	return found;
}

/* snb:a0, snb:b0+, snb:a0..b2 */
static bool stepping(const struct build *b, const struct word *platform_name,
		     const struct word *name, struct b_where *where)
{
	int platform = find_platform(b, platform_name);
	const struct b_platform *p;
	unsigned lo, hi, ignored;
	struct word from, to;
	bool open = take_ends(name, &from, &to);

	if (platform < 0)
		return false;
	p = build_platform(b, (unsigned)platform);
	if (!find_revision(b, p, &from, &lo, &ignored) || !find_revision(b, p, &to, &ignored, &hi))
		return false;
	*where = where_revisions((unsigned)platform, lo, open ? UINT8_MAX : hi);
	/* Revisions need not be in the order of their steppings: only those named are meant. */
	for (uint32_t i = 0; i < p->steppings.count; i++) {
		const struct b_stepping *s = build_stepping(b, p->steppings.first + i);
		const char *text = build_platform_text(b, s->name);
		bool named = compare_steppings(text, &from) >= 0 &&
			     (open || compare_steppings(text, &to) <= 0);

		if (named != (s->revision >= where->rev_lo && s->revision <= where->rev_hi))
			return false;
	}
	return lo <= where->rev_hi;
}

static bool term(const struct build *b, const struct word *word, struct b_where *where)
{
	struct word platform, name;

	if (word_split(word, ":", &platform, &name))
		return stepping(b, &platform, &name, where);
	return comparison(b, word, &where->platforms) || property(b, word, &where->platforms) ||
	       range(b, word, &where->platforms);
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

void where_narrow(struct build *b, const struct word *word, struct b_where *where,
		  const struct b_where *by)
{
	const struct b_where from = *where;
	uint64_t both = from.platforms & by->platforms, stepped = both & from.stepped & by->stepped;
	uint8_t lo = MAX(from.rev_lo, by->rev_lo), hi = MIN(from.rev_hi, by->rev_hi);

	*where = (struct b_where){ both & ~from.stepped & ~by->stepped, 0, 0, UINT8_MAX, { 0 } };
	if (!add_stepped(where, lo > hi ? 0 : stepped, lo, hi) ||
	    !add_stepped(where, both & from.stepped & ~stepped, from.rev_lo, from.rev_hi) ||
	    !add_stepped(where, both & by->stepped & ~stepped, by->rev_lo, by->rev_hi))
		expected(b, word, "steppings that select the same revisions on every platform");
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

bool parse_where(struct build *b, const struct word *list, struct b_where *where)
{
	struct b_where found = { .rev_hi = UINT8_MAX };
	bool first = true;

	for (struct word part = { 0 }; word_part(list, ',', &part);) {
		bool negative = part.length && *part.text == '!';
		struct word word = word_from(&part, negative);
		struct b_where one = { 0 };

		if (!term(b, &word, &one)) {
			expected(b, &part,
				 "a platform, a range (skl+, snb..bdw), genN, gfx>=N, or steppings "
				 "of the platform in ascending order of revision");
			return false;
		}
		if (first && negative)
			found.platforms = bits_from_to(0, build_platform_count(b) - 1);
		if (!add_term(&found, &one, negative)) {
			expected(b, &part, "steppings that together form one range of revisions");
			return false;
		}
		first = false;
	}
	where_narrow(b, list, where, &found);
	return true;
}
