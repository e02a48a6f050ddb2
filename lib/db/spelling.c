/* SPDX-License-Identifier: MIT */
/*
 * Names that are not ours: TRANS_DDI_FUNC_CTL(A), RING_HEAD(RENDER_RING_BASE), PP_STATUS_0 and
 * DDI_BUF_CTL for all of them, as i915's source has them; the keys of its dumps; typing errors.
 * Possible meanings are given here; resolve.c checks which of them exist.
 */
#include "db/resolve.h"

#include "util/number.h"
#include "util/text.h"

#include <ctype.h>

/* ---- arguments ------------------------------------------------------------------------------ */

struct argument {
	char word[16];			/* "A", "1", "EDP"; without what precedes it */
	bool is_number;			/* it was one, and so counts from 0 */
	uint64_t number;
};

/* i915_reg.h, *_RING_BASE. */
static const struct {
	const char *name;
	uint32_t base;
} bases[] = {
	{ "RENDER_RING_BASE", 0x2000 }, { "BSD_RING_BASE", 0x4000 },
	{ "GEN6_BSD_RING_BASE", 0x12000 }, { "GEN8_BSD2_RING_BASE", 0x1c000 },
	{ "GEN11_BSD_RING_BASE", 0x1c0000 }, { "GEN11_BSD2_RING_BASE", 0x1c4000 },
	{ "GEN11_BSD3_RING_BASE", 0x1d0000 }, { "GEN11_BSD4_RING_BASE", 0x1d4000 },
	{ "XEHP_BSD5_RING_BASE", 0x1e0000 }, { "XEHP_BSD6_RING_BASE", 0x1e4000 },
	{ "XEHP_BSD7_RING_BASE", 0x1f0000 }, { "XEHP_BSD8_RING_BASE", 0x1f4000 },
	{ "VEBOX_RING_BASE", 0x1a000 }, { "GEN11_VEBOX_RING_BASE", 0x1c8000 },
	{ "GEN11_VEBOX2_RING_BASE", 0x1d8000 }, { "XEHP_VEBOX3_RING_BASE", 0x1e8000 },
	{ "XEHP_VEBOX4_RING_BASE", 0x1f8000 }, { "MTL_GSC_RING_BASE", 0x11a000 },
	{ "GEN12_COMPUTE0_RING_BASE", 0x1a000 }, { "GEN12_COMPUTE1_RING_BASE", 0x1c000 },
	{ "GEN12_COMPUTE2_RING_BASE", 0x1e000 }, { "GEN12_COMPUTE3_RING_BASE", 0x26000 },
	{ "BLT_RING_BASE", 0x22000 },
};

/* Smaller numbers count transcoders, ports or planes. */
#define BASE_FIRST 0x1000

/* The base of an engine, or 0. */
static uint64_t ring_base(struct slice text)
{
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++)
		if (slice_named(text, bases[i].name))
			return bases[i].base;
	return slice_number(text, &number) && number >= BASE_FIRST ? number : 0;
}

/* "TRANSCODER_A" is A; "TRANSCODER_DSI_0" is DSI0. */
static bool parse_argument(struct argument *a, struct slice text)
{
	static const char *const kinds[] = { "TRANSCODER_", "PIPE_", "TC_PORT_", "HPD_PORT_",
					     "PORT_", "PHY_", "PLANE_", "DPLL_ID_" };
	size_t used = 0;

	a->is_number = slice_number(text, &a->number) && a->number < 100;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t length = strlen(kinds[i]);

		if (slice_length(text) <= length ||
		    !slice_named(slice_first(text, length), kinds[i]))
			continue;
		text = slice_from(text, length);
		break;
	}
	for (; text.at < text.end; text.at++) {
		if (*text.at == '_')
			continue;
		if (!is_alphanumeric(*text.at) || used + 1 >= sizeof(a->word))
			return false;
		a->word[used++] = (char)toupper((unsigned char)*text.at);
	}
	a->word[used] = 0;
	return used > 0;
}

/* ---- spellings ------------------------------------------------------------------------------ */

static void spell(struct spellings *list, int index, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* One that is too long for a name is left out. */
static void spell(struct spellings *list, int index, const char *format, ...)
{
	struct spelling *s = &list->items[list->count];
	va_list args;
	int length;

	*s = (struct spelling){ .index = index };
	va_start(args, format);
	length = vsnprintf(s->name, sizeof(s->name), format, args);
	va_end(args);
	list->count += length > 0 && (size_t)length < sizeof(s->name);
}

/* The names of a transcoder, pipe or port that may be given by number. */
static const char *letter_of(const struct argument *a, char buf[2])
{
	if (!a->is_number || a->number > 'Z' - 'A')
		return a->word;
	buf[0] = (char)('A' + a->number);
	buf[1] = 0;
	return buf;
}

/* Names with the letter or the number after their first word: PIPEASRC, DPLL0_CFGCR0. */
static int infix_at(const char *stem)
{
	static const char *const words[] = { "PIPE", "DSP", "CUR", "SPR", "DVS", "DPLL" };
	const char *under = strchr(stem, '_');

	for (const char *at = stem; at; at = at == stem && under ? under + 1 : NULL)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			size_t length = strlen(words[i]);

			if (!name_compare_n(at, words[i], length) && at[length])
				return (int)(at - stem + (ptrdiff_t)length);
		}
	return 0;
}

static void spell_one(struct spellings *list, const char *stem, const struct argument *a)
{
	bool is_letter = isalpha((unsigned char)a->word[0]) && !a->word[1];
	int index = a->is_number ? (int)a->number : is_letter ? a->word[0] - 'A' : -1;
	int infix = infix_at(stem);
	char buf[2];
	const char *letter = letter_of(a, buf);

	spell(list, -1, "%s_%s", stem, a->word);
	spell(list, -1, "%s%s", stem, a->word);
	if (index >= 0)
		spell(list, index, "%s", stem);
	if (a->is_number)
		spell(list, -1, "%s_%s", stem, letter);
	if (infix)
		spell(list, -1, "%.*s%s%s", infix, stem, letter, stem + infix);
	if (infix && a->is_number)
		spell(list, -1, "%.*s%s%s", infix, stem, a->word, stem + infix);
	if (!strncmp(a->word, "TC", 2))
		spell(list, -1, "%s_USBC%s", stem, a->word + 2);
}

/* The driver counts planes and scalers from 0, the manuals from 1. */
static void spell_two(struct spellings *list, const char *stem, const struct argument *a)
{
	const char *word = a[1].word, *letter;
	char buf[2], number[24];

	letter = letter_of(&a[0], buf);
	if (a[1].is_number) {
		string_set(number, "%u", (unsigned)a[1].number + 1);
		word = number;
	}
	spell(list, -1, "%s_%s_%s", stem, word, letter);
	spell(list, -1, "%s_%s_%s", stem, letter, word);
	if (a[1].is_number)
		spell(list, (int)a[1].number, "%s_%s", stem, letter);
}

/* NAME(ARGUMENT) or NAME(ARGUMENT,ARGUMENT). */
static void spell_call(struct spellings *list, const char *name, const char *open)
{
	struct slice rest = slice_string(open + 1), word;
	char stem[sizeof(list->items[0].name)];
	struct argument arguments[2];
	uint64_t base = 0;
	size_t count = 0;

	if (open == name || !slice_ends(rest, ")") ||
	    !slice_copy((struct slice){ name, open }, stem, sizeof(stem)))
		return;
	for (rest.end--;; rest.at++, count++) {
		word = slice_trim(take_until(&rest, ","));
		if (!count && rest.at == rest.end)
			base = ring_base(word);
		if (base) {
			spell(list, -1, "%s", stem);
			list->items[0].base = base;
			return;
		}
		if (count == ARRAY_SIZE(arguments) || !parse_argument(&arguments[count], word))
			return;
		if (rest.at == rest.end)
			break;
	}
	if (count)
		spell_two(list, stem, arguments);
	else
		spell_one(list, stem, arguments);
}

void reg_spellings(const char *name, struct spellings *list)
{
	struct slice stem = slice_string(name);
	const char *open = strchr(name, '(');
	uint64_t number;

	list->count = 0;
	if (open) {
		spell_call(list, name, open);
		return;
	}
	/* "PP_STATUS_0" and "FENCE0" for an array. */
	while (stem.at < stem.end && is_digit(stem.end[-1]))
		stem.end--;
	if (*stem.end && number_parse(stem.end, strlen(stem.end), &number) && number < UINT16_MAX) {
		if (slice_ends(stem, "_"))
			stem.end--;
		if (stem.at < stem.end)
			spell(list, (int)number, "%.*s", SLICE(stem));
	}
	spell(list, -1, "%s", name);
	for (size_t i = 0; i < list->count; i++)
		list->items[i].family = list->items[i].index < 0;
}

/* "A", "1", "EDP", "DSI0", "TC1", "USBC1" */
static bool is_member_word(struct slice word)
{
	static const char *const words[] = { "EDP", "DSI", "TC", "USBC", "WD" };
	struct slice rest = word, letters = take_while(&rest, is_letter);

	take_while(&rest, is_digit);
	if (word.at == word.end || rest.at < rest.end)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (slice_named(letters, words[i]))
			return true;
	return slice_length(letters) < 2;
}

bool name_is_member(const char *family, const char *name)
{
	size_t length = strlen(family);
	struct slice rest;

	if (name_compare_n(name, family, length) || name[length] != '_')
		return false;
	rest = slice_string(name + length);
	while (take_text(&rest, "_"))
		if (!is_member_word(take_until(&rest, "_")))
			return false;
	return true;
}

/* ---- keys of dumps and logs ------------------------------------------------------------------ */

const struct driver_key *driver_key(const char *key)
{
	static const struct driver_key keys[] = {
		{ "START", "RING_BUFFER_START", "RING_START_UDW" },
		{ "RING_START", "RING_BUFFER_START", "RING_START_UDW" },
		{ "HEAD", "RING_BUFFER_HEAD", NULL },
		{ "TAIL", "RING_BUFFER_TAIL", NULL },
		{ "CTL", "RING_CTL", NULL },
		{ "MODE", "RING_MI_MODE", NULL },
		{ "HWS", "RING_HWS_PGA", NULL },
		{ "ACTHD", "ACTHD", "ACTHD_UDW" },
		{ "ACTHD_LDW", "ACTHD", NULL },
		{ "BBADDR", "BB_ADDR", "BB_ADDR_UDW" },
		{ "RING_BBADDR", "BB_ADDR", "BB_ADDR_UDW" },
		{ "RING_BBADDR_LOW32", "BB_ADDR", NULL },
		{ "RING_BBADDR_UP32", "BB_ADDR_UDW", NULL },
		{ "FADDR", "DMA_FADD", "DMA_FADD_UDW" },
		{ "DMA_FADDR", "DMA_FADD", "DMA_FADD_UDW" },
		{ "RING_DMA_FADD", "DMA_FADD", "DMA_FADD_UDW" },
		{ "RING_DMA_FADD_LDW", "DMA_FADD", NULL },
		{ "RING_DMA_FADD_UDW", "DMA_FADD_UDW", NULL },
		{ "DMA_FADDR_LO", "DMA_FADD", NULL },
		{ "DMA_FADDR_HI", "DMA_FADD_UDW", NULL },
		{ "RC PSMI", "RING_PSMI_CTL", NULL },
		{ "FAULT_REG", "RING_FAULT_REG", NULL },
		{ "RING_NOPID", "NOPID", NULL },
		{ "RING_CONTEXT_CONTROL", "CTX_SR_CTL", NULL },
		{ "RING_EXECLIST_STATUS", "EXECLIST_STATUS_LO", "EXECLIST_STATUS_HI" },
		{ "INSTDONE_GEOM_SVGUNIT", "INSTDONE_GEOM", NULL },
		{ "GEOM_SVGUNIT_INSTDONE", "INSTDONE_GEOM", NULL },
		{ "fence", "FENCE", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].key, key))
			return &keys[i];
	return NULL;
}

/* ---- typing errors --------------------------------------------------------------------------- */

/*
 * Edits between two names. The beginning of a name up to one of its `_` counts as the name, if the
 * rest is only missing; a name of which the user wrote a part is also near.
 */
static unsigned distance_to(const char *wanted, const char *candidate, unsigned tolerance)
{
	unsigned nearest = name_distance(wanted, candidate);
	char start[64];

	for (const char *end = candidate; (end = strchr(end, '_')); end++)
		if (slice_copy((struct slice){ candidate, end }, start, sizeof(start)))
			nearest = MIN(nearest, name_distance(wanted, start) + 1);
	return nearest > tolerance && strlen(wanted) >= 4 && strcasestr(candidate, wanted)
		       ? tolerance : nearest;
}

void suggest(struct suggestions *s, const char *candidate)
{
	size_t length = strlen(s->wanted), at = s->count;
	/* Edits that still count as a typing error. */
	unsigned tolerance = length < 4 ? 1 : (unsigned)MIN(2 + length / 8, 5);
	unsigned distance = distance_to(s->wanted, candidate, tolerance);

	if (distance > tolerance || distance >= length)
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

		text_add(&text, "%s%s%s%s", before, s->prefix ? s->prefix : "", s->best[i].name,
			 i + 1 == s->count ? "?" : "");
	}
	return buf;
}

enum gsc_status gsc_name_unknown(const char *name, const char *(*next)(void *context),
				 void *context, struct gsc_error *err)
{
	struct suggestions s = { .wanted = name };
	const char *candidate;
	char near[400];

	while ((candidate = next(context)))
		suggest(&s, candidate);
	return err_set(err, GSC_UNKNOWN, name, "unknown name%s",
		       suggestions_text(&s, near, sizeof(near)));
}
