/* SPDX-License-Identifier: MIT */
/* Words, numbers and names of a kernel's messages, and the times in front of them. */
#include "log/log.h"

#include <ctype.h>
#include <stdio.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t length_of(struct stretch text)
{
	return (size_t)(text.end - text.at);
}

/* ---- words ---------------------------------------------------------------------------------- */

bool text_begins(struct stretch text, const char *words)
{
	size_t length = strlen(words);

	return length_of(text) >= length && !memcmp(text.at, words, length);
}

bool text_after(struct stretch text, const char *words, struct stretch *rest)
{
	size_t length = strlen(words);

	for (const char *at = text.at; (size_t)(text.end - at) >= length; at++) {
		at = memmem(at, (size_t)(text.end - at), words, length);
		if (!at)
			return false;
		if (at > text.at && is_word(*words) && is_word(at[-1]))
			continue;
		*rest = (struct stretch){ at + length, text.end };
		return true;
	}
	return false;
}

bool text_has(struct stretch text, const char *words)
{
	struct stretch rest;

	return text_after(text, words, &rest);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	return is_digit(c) ? c - '0' : isxdigit((unsigned char)c) ? (c | 32) - 'a' + 10 : -1;
}

/* Digits to the end of their word; false where there are none, too many, or others in it. */
bool take_hex(struct stretch *text, uint64_t *value)
{
	const char *at = text->at;
	unsigned digits = 0;

	if (text->end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x')
		at += 2;
	*value = 0;
	for (; at < text->end && (hex_digit(*at) >= 0 || (*at == '_' && digits)); at++) {
		if (*at == '_')
			continue;
		if (*value >> 60)
			return false;
		*value = *value << 4 | (uint64_t)hex_digit(*at);
		digits++;
	}
	if (!digits || (at < text->end && is_word(*at)))
		return false;
	text->at = at;
	return true;
}

bool take_decimal(struct stretch *text, uint64_t *value)
{
	const char *at = text->at;

	*value = 0;
	for (; at < text->end && is_digit(*at); at++) {
		if (*value > (UINT64_MAX - 9) / 10)
			return false;
		*value = *value * 10 + (uint64_t)(*at - '0');
	}
	if (at == text->at || (at < text->end && is_word(*at)))
		return false;
	text->at = at;
	return true;
}

void take_blanks(struct stretch *text)
{
	while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
		text->at++;
}

bool text_hex(struct stretch text, const char *words, uint64_t *value)
{
	struct stretch rest;

	if (!text_after(text, words, &rest))
		return false;
	take_blanks(&rest);
	return take_hex(&rest, value);
}

bool text_decimal(struct stretch text, const char *words, uint64_t *value)
{
	struct stretch rest;

	if (!text_after(text, words, &rest))
		return false;
	take_blanks(&rest);
	return take_decimal(&rest, value);
}

/* ---- engines -------------------------------------------------------------------------------- */

/* i915's names before Linux 4.10. */
static const struct {
	const char *words, *engine;
} old_engines[] = {
	{ "render ring", "rcs0" }, { "blitter ring", "bcs0" }, { "blt ring", "bcs0" },
	{ "bsd ring", "vcs0" }, { "bsd2 ring", "vcs1" },
	{ "video enhancement ring", "vecs0" },
};

/* "rcs0", "vcs'1", "ccs": letters of a class and perhaps a small number. */
static bool engine_at(struct stretch text, char *buf, size_t size)
{
	static const char *const classes[] = { "rcs", "bcs", "vcs", "vecs", "ccs" };
	struct stretch rest;
	uint64_t instance;

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!text_begins(text, classes[i]))
			continue;
		rest = (struct stretch){ text.at + strlen(classes[i]), text.end };
		if (rest.at == rest.end || (!is_word(*rest.at) && *rest.at != '\'')) {
			snprintf(buf, size, "%s", classes[i]);
			return true;
		}
		rest.at += *rest.at == '\'';
		if (!take_decimal(&rest, &instance) || instance > 15)
			return false;
		snprintf(buf, size, "%s%u", classes[i], (unsigned)instance);
		return true;
	}
	return false;
}

bool text_engine(struct stretch text, char *buf, size_t size)
{
	for (const char *at = text.at; at < text.end; at++)
		if ((at == text.at || !is_word(at[-1])) &&
		    engine_at((struct stretch){ at, text.end }, buf, size))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(old_engines); i++) {
		if (!text_has(text, old_engines[i].words))
			continue;
		snprintf(buf, size, "%s", old_engines[i].engine);
		return true;
	}
	return false;
}

/* ---- processes ------------------------------------------------------------------------------ */

/* Names may have blanks and brackets in them: the last bracket with a number counts. */
bool text_process(struct stretch text, const char *words, char *buf, size_t size)
{
	struct stretch name, number;
	uint64_t pid;

	if (!text_after(text, words, &name))
		return false;
	for (const char *at = name.at; at < name.end && at - name.at < 40; at++) {
		if (*at != '[')
			continue;
		number = (struct stretch){ at + 1, name.end };
		if (!take_decimal(&number, &pid) || pid > INT32_MAX || number.at == number.end ||
		    *number.at != ']')
			continue;
		while (at > name.at && at[-1] == ' ')
			at--;
		if (at == name.at)
			return false;
		snprintf(buf, size, "%.*s [%u]", (int)(at - name.at), name.at, (unsigned)pid);
		for (char *c = buf; *c; c++)
			if (iscntrl((unsigned char)*c))
				*c = '?';
		return true;
	}
	return false;
}

/* ---- PCI functions -------------------------------------------------------------------------- */

static bool digits_of(struct stretch *text, unsigned least, unsigned most, unsigned *value)
{
	unsigned count = 0;

	if (text->end - text->at > 2 && text->at[0] == '0' && text->at[1] == 'x')
		text->at += 2;
	for (*value = 0; text->at < text->end && hex_digit(*text->at) >= 0; text->at++) {
		if (++count > most)
			return false;
		*value = *value << 4 | (unsigned)hex_digit(*text->at);
	}
	return count >= least;
}

static bool take_char(struct stretch *text, char c)
{
	if (text->at == text->end || *text->at != c)
		return false;
	text->at++;
	return true;
}

/* "0000:00:02.0", "00:02.0", "0x00:0x02.0" */
static bool function_at(struct stretch text, char *buf, size_t size)
{
	unsigned domain = 0, bus, device, function;
	struct stretch rest = text;

	if (digits_of(&rest, 4, 4, &domain) && rest.at - text.at == 4 && take_char(&rest, ':'))
		text = rest;
	else
		domain = 0;
	if (!digits_of(&text, 2, 2, &bus) || !take_char(&text, ':') ||
	    !digits_of(&text, 2, 2, &device) || device > 31 || !take_char(&text, '.') ||
	    !digits_of(&text, 1, 1, &function) || function > 7 ||
	    (text.at < text.end && is_word(*text.at)))
		return false;
	snprintf(buf, size, "%04x:%02x:%02x.%u", domain, bus, device, function);
	return true;
}

bool text_function(struct stretch text, char *buf, size_t size)
{
	for (const char *at = text.at; at < text.end; at++)
		if ((at == text.at || (!is_word(at[-1]) && at[-1] != ':')) &&
		    function_at((struct stretch){ at, text.end }, buf, size))
			return true;
	return false;
}

/* ---- times ---------------------------------------------------------------------------------- */

/* "[   20.279445]" */
static bool seconds_at(struct stretch text, struct gsc_event *event)
{
	const char *start;
	uint64_t whole, part;

	if (!take_char(&text, '['))
		return false;
	take_blanks(&text);
	start = text.at;
	if (!take_decimal(&text, &whole) || !take_char(&text, '.') ||
	    !take_decimal(&text, &part) || text.at == text.end ||
	    (*text.at != ']' && *text.at != ' ') || text.at - start > 24)
		return false;
	snprintf(event->stamp, sizeof(event->stamp), "%.*s", (int)(text.at - start), start);
	event->time = strtod(event->stamp, NULL);
	event->has_time = true;
	return true;
}

/* "6,1234,20279445,-;" of /dev/kmsg: microseconds. */
static bool record_at(struct stretch text, struct gsc_event *event)
{
	uint64_t number;

	if (!take_decimal(&text, &number) || !take_char(&text, ',') ||
	    !take_decimal(&text, &number) || !take_char(&text, ',') ||
	    !take_decimal(&text, &number) || !take_char(&text, ','))
		return false;
	event->has_time = true;
	event->time = (double)number / 1e6;
	snprintf(event->stamp, sizeof(event->stamp), "%llu.%06u",
		 (unsigned long long)(number / 1000000), (unsigned)(number % 1000000));
	return true;
}

static bool is_clock(const char *at, const char *end)
{
	static const char form[] = "dd:dd:dd";

	if (end - at < 8 || (end - at > 8 && is_digit(at[8])))
		return false;
	for (unsigned i = 0; i < 8; i++)
		if (form[i] == 'd' ? !is_digit(at[i]) : at[i] != ':')
			return false;
	return true;
}

static const char *word_start(const char *at, const char *start)
{
	while (at > start && at[-1] != ' ' && at[-1] != '[' && at[-1] != '>')
		at--;
	return at;
}

/* "Mmm dd hh:mm:ss", "2026-11-21T17:12:00,279445+01:00", "17:12:00". */
static void date_at(struct stretch prefix, const char *clock, struct gsc_event *event)
{
	const char *from = word_start(clock, prefix.at), *to = clock + 8;
	const char *day;

	while (to < prefix.end && *to != ' ' && *to != ']' && *to != '\t')
		to++;
	if (from == clock && from - prefix.at >= 4 && from[-1] == ' ' && is_digit(from[-2])) {
		day = word_start(from - 1, prefix.at);
		from = day;
		while (day > prefix.at && day[-1] == ' ')
			day--;
		day = word_start(day, prefix.at);
		if (day < from && isalpha((unsigned char)*day))
			from = day;
	}
	if (to - from < (int)sizeof(event->stamp))
		snprintf(event->stamp, sizeof(event->stamp), "%.*s", (int)(to - from), from);
}

void text_time(struct stretch prefix, struct gsc_event *event)
{
	const char *clock = NULL;

	for (const char *at = prefix.at; at < prefix.end; at++) {
		if (*at == '[' && seconds_at((struct stretch){ at, prefix.end }, event))
			return;
		if (!clock && is_clock(at, prefix.end) &&
		    (at == prefix.at || (!is_digit(at[-1]) && at[-1] != ':')))
			clock = at;
	}
	if (clock)
		date_at(prefix, clock, event);
	else
		record_at(prefix, event);
}
