/* SPDX-License-Identifier: MIT */
/*
 * Names as i915 writes them: TRANS_DDI_FUNC_CTL(A), RING_HEAD(RENDER_RING_BASE), PP_STATUS_0, and
 * DDI_BUF_CTL for all of them. This file gives their possible spellings here; others check whether
 * they exist.
 */
#include "regs/regs.h"

#include "util/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- arguments ------------------------------------------------------------------------------ */

#define ARGUMENTS_MAX 2

struct argument {
	char word[16];			/* "A", "1", "EDP"; without what precedes it */
	bool is_number;			/* it was one, and so counts from 0 */
	uint64_t number;
};

struct call {
	char stem[sizeof(((struct gsc_spelling *)NULL)->name)];
	struct argument arguments[ARGUMENTS_MAX];
	size_t count;
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

static uint64_t ring_base(const char *text, size_t length)
{
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++)
		if (strlen(bases[i].name) == length && !strncasecmp(bases[i].name, text, length))
			return bases[i].base;
	return number_parse(text, length, &number) && number >= BASE_FIRST ? number : 0;
}

/* "TRANSCODER_A" is A; "TRANSCODER_DSI_0" is DSI0. */
static bool parse_argument(struct argument *a, const char *text, size_t length)
{
	static const char *const kinds[] = { "TRANSCODER_", "PIPE_", "TC_PORT_", "HPD_PORT_",
					     "PORT_", "PHY_", "PLANE_", "DPLL_ID_" };
	size_t used = 0;

	a->is_number = number_parse(text, length, &a->number) && a->number < 100;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (length > strlen(kinds[i]) && !strncasecmp(text, kinds[i], strlen(kinds[i]))) {
			text += strlen(kinds[i]);
			length -= strlen(kinds[i]);
			break;
		}
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '_')
			continue;
		if (!isalnum((unsigned char)text[i]) || used + 1 >= sizeof(a->word))
			return false;
		a->word[used++] = (char)toupper((unsigned char)text[i]);
	}
	return used > 0;
}

static void trim(const char **text, size_t *length)
{
	for (; *length && **text == ' '; (*length)--)
		(*text)++;
	while (*length && (*text)[*length - 1] == ' ')
		(*length)--;
}

/* False if it is not NAME(ARGUMENT) or NAME(ARGUMENT,ARGUMENT). *base: of the ring, or 0. */
static bool parse_call(struct call *c, const char *name, uint64_t *base)
{
	const char *open = strchr(name, '('), *text;
	size_t length = strlen(name), stem;

	*base = 0;
	if (!open || open == name || name[length - 1] != ')')
		return false;
	stem = (size_t)(open - name);
	if (stem >= sizeof(c->stem))
		return false;
	memcpy(c->stem, name, stem);
	c->stem[stem] = 0;
	text = open + 1;
	length -= stem + 2;
	while (c->count < ARGUMENTS_MAX) {
		const char *comma = memchr(text, ',', length), *word = text;
		size_t letters = comma ? (size_t)(comma - text) : length;

		text += letters + 1;
		length -= letters + (comma != NULL);
		trim(&word, &letters);
		if (!comma && !c->count)
			*base = ring_base(word, letters);
		if (!*base && !parse_argument(&c->arguments[c->count], word, letters))
			return false;
		c->count++;
		if (!comma)
			return true;
	}
	return false;
}

/* ---- spellings ------------------------------------------------------------------------------ */

static bool is_letter(const struct argument *a)
{
	return isalpha((unsigned char)a->word[0]) && !a->word[1];
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
static size_t infix_at(const char *stem)
{
	static const char *const words[] = { "PIPE", "DSP", "CUR", "SPR", "DVS", "DPLL" };
	const char *under = strchr(stem, '_');

	for (const char *at = stem; at; at = at == stem && under ? under + 1 : NULL)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (!strncasecmp(at, words[i], strlen(words[i])) && at[strlen(words[i])])
				return (size_t)(at - stem) + strlen(words[i]);
	return 0;
}

static bool spell(struct gsc_spelling *s, int index, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(s->name, sizeof(s->name), format, args);
	va_end(args);
	s->index = index;
	return length > 0 && (size_t)length < sizeof(s->name);
}

static int index_of(const struct argument *a)
{
	if (a->is_number)
		return (int)a->number;
	return is_letter(a) ? a->word[0] - 'A' : -1;
}

/* False: there is no such form, or not for such an argument. */
static bool spell_one(const struct call *c, size_t form, struct gsc_spelling *s)
{
	const struct argument *a = &c->arguments[0];
	size_t infix = infix_at(c->stem);
	char buf[2];
	const char *letter = letter_of(a, buf);

	switch (form) {
	case 0:
		return spell(s, -1, "%s_%s", c->stem, a->word);
	case 1:
		return spell(s, -1, "%s%s", c->stem, a->word);
	case 2:
		return index_of(a) >= 0 && spell(s, index_of(a), "%s", c->stem);
	case 3:
		return a->is_number && spell(s, -1, "%s_%s", c->stem, letter);
	case 4:
		return infix && spell(s, -1, "%.*s%s%s", (int)infix, c->stem, letter,
				      c->stem + infix);
	case 5:
		return infix && a->is_number &&
		       spell(s, -1, "%.*s%s%s", (int)infix, c->stem, a->word, c->stem + infix);
	case 6:
		return !strncmp(a->word, "TC", 2) &&
		       spell(s, -1, "%s_USBC%s", c->stem, a->word + 2);
	}
	return false;
}

/* The driver counts planes and scalers from 0, the manuals from 1. */
static bool spell_two(const struct call *c, size_t form, struct gsc_spelling *s)
{
	const struct argument *b = &c->arguments[1];
	char buf[2], number[24];
	const char *letter = letter_of(&c->arguments[0], buf), *word = b->word;

	if (b->is_number) {
		snprintf(number, sizeof(number), "%u", (unsigned)b->number + 1);
		word = number;
	}
	switch (form) {
	case 0:
		return spell(s, -1, "%s_%s_%s", c->stem, word, letter);
	case 1:
		return spell(s, -1, "%s_%s_%s", c->stem, letter, word);
	case 2:
		return b->is_number && spell(s, (int)b->number, "%s_%s", c->stem, letter);
	}
	return false;
}

/* "PP_STATUS_0" and "FENCE0" for an array. */
static bool spell_element(const char *name, struct gsc_spelling *s)
{
	size_t length = strlen(name), stem = length;
	uint64_t number;

	while (stem && isdigit((unsigned char)name[stem - 1]))
		stem--;
	if (stem == length || !number_parse(name + stem, length - stem, &number) ||
	    number >= UINT16_MAX)
		return false;
	if (stem && name[stem - 1] == '_')
		stem--;
	return stem && spell(s, (int)number, "%.*s", (int)stem, name);
}

#define FORMS 8

bool gsc_name_spelling(const char *name, size_t i, struct gsc_spelling *s)
{
	struct call c = { .count = 0 };
	bool call = parse_call(&c, name, &(uint64_t){ 0 });

	*s = (struct gsc_spelling){ .index = -1 };
	if (i >= FORMS)
		return false;
	if (!call) {
		s->family = i == 1;
		if (i > 1 || strchr(name, '(') ||
		    !(i ? spell(s, -1, "%s", name) : spell_element(name, s)))
			s->name[0] = 0;
		return true;
	}
	parse_call(&(struct call){ .count = 0 }, name, &s->base);
	if (s->base ? i || !spell(s, -1, "%s", c.stem)
		    : !(c.count == 1 ? spell_one : spell_two)(&c, i, s))
		s->name[0] = 0;
	return true;
}

/* "A", "1", "EDP", "DSI0", "TC1", "USBC1" */
static bool is_member_word(const char *text, size_t length)
{
	static const char *const words[] = { "EDP", "DSI", "TC", "USBC", "WD" };
	size_t letters = 0;

	while (letters < length && isalpha((unsigned char)text[letters]))
		letters++;
	for (size_t i = letters; i < length; i++)
		if (!isdigit((unsigned char)text[i]))
			return false;
	if (!length || letters < 2)
		return length > 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == letters && !strncasecmp(text, words[i], letters))
			return true;
	return false;
}

bool name_is_member(const char *family, const char *name)
{
	size_t length = strlen(family);

	if (strncasecmp(name, family, length) || name[length] != '_')
		return false;
	for (const char *at = name + length; *at; ) {
		size_t word = strcspn(++at, "_");

		if (!is_member_word(at, word))
			return false;
		at += word;
	}
	return true;
}
