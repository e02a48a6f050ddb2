/* SPDX-License-Identifier: MIT */
/* Words, numbers and names of a kernel's messages, and the times in front of them. */
#include "log/log.h"

#include "db/engine.h"
#include "text/clean.h"
#include "text/front.h"

#include <ctype.h>

const char log_drivers[LOG_DRIVERS][8] = { "i915", "xe" };

/* ---- words ---------------------------------------------------------------------------------- */

static bool find_after(struct slice text, struct slice words, struct slice *rest)
{
	size_t length = slice_length(words);

	for (const char *at = text.at; (size_t)(text.end - at) >= length; at++) {
		at = memmem(at, (size_t)(text.end - at), words.at, length);
		if (!at)
			return false;
		if (at > text.at && is_word(*words.at) && is_word(at[-1]))
			continue;
		*rest = (struct slice){ at + length, text.end };
		return true;
	}
	return false;
}

bool text_after(struct slice text, const char *words, struct slice *rest)
{
	return find_after(text, slice_string(words), rest);
}

bool text_has(struct slice text, const char *words)
{
	struct slice rest;

	return text_after(text, words, &rest);
}

bool text_has_any(struct slice text, const char *list)
{
	struct slice words = slice_string(list), word, rest;

	while (words.at < words.end) {
		word = take_until(&words, "|");
		take_text(&words, "|");
		if (find_after(text, word, &rest))
			return true;
	}
	return false;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool number_after(struct slice text, const char *words,
			 bool (*take)(struct slice *text, uint64_t *value), uint64_t *value)
{
	struct slice rest;

	if (!text_after(text, words, &rest))
		return false;
	take_blanks(&rest);
	return take(&rest, value);
}

bool text_hex(struct slice text, const char *words, uint64_t *value)
{
	return number_after(text, words, take_hex, value);
}

bool text_decimal(struct slice text, const char *words, uint64_t *value)
{
	return number_after(text, words, take_decimal, value);
}

/* ---- codes of errors ------------------------------------------------------------------------ */

/* "(error -2)", "error -2", "(-ENOENT)", "-ENXIO", "(-5)", "failed: -5" */
void log_add_code(struct gsc_event *event, struct slice rest)
{
	struct slice error = rest, word, name;
	uint64_t number;

	while (text_after(error, "-", &error)) {
		if (error.at - rest.at >= 2 && !strchr(" (", error.at[-2]))
			continue;
		word = slice_first(error, 20);
		name = take_while(&word, is_alphanumeric);
		if (slice_begins(name, "E") && slice_length(name) > 2)
			log_add(event, " (-%.*s)", SLICE(name));
		else if (take_decimal(&error, &number) && number < 4096)
			log_add(event, " (error -%llu)", LL(number));
		else
			continue;
		return;
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

bool text_engine(struct slice text, char *buf, size_t size)
{
	char name[ENGINE_NAME];

	/* First an engine or a class, where the word ends; else what Linux up to 4.9 calls them. */
	for (unsigned old = 0; old < 2; old++)
		for (const char *at = text.at; at < text.end; at++) {
			struct slice rest = { at, text.end };

			if ((at > text.at && is_word(at[-1])) ||
			    !(old ? take_engine_alias(&rest, name) && slice_begins(rest, " ring") :
				    take_engine(&rest, name) &&
				    (rest.at == rest.end || !is_word(*rest.at))))
				continue;
			snprintf(buf, size, "%s", name);
			return true;
		}
	return false;
}

/* ---- processes ------------------------------------------------------------------------------ */

/* Names may contain blanks and brackets: the last bracket with a number counts. */
bool text_process(struct slice text, const char *words, char *buf, size_t size)
{
	struct slice name, number;
	uint64_t pid;

	if (!text_after(text, words, &name))
		return false;
	for (const char *at = name.at; at < name.end && at - name.at < 40; at++) {
		if (*at != '[')
			continue;
		number = (struct slice){ at + 1, name.end };
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

/* This many digits and no more, with 0x or without. */
static bool digits_of(struct slice *text, unsigned count, uint64_t *value)
{
	if (slice_length(*text) > 2)
		take_text(text, "0x");
	return take_digits(text, count, value) == count &&
	       !(text->at < text->end && is_hex(*text->at));
}

/* "0000:00:02.0", "00:02.0", "0x00:0x02.0" */
bool text_function(struct slice text, char *buf, size_t size)
{
	for (const char *at = text.at; at < text.end; at++) {
		struct slice rest = { at, text.end }, own = rest;
		uint64_t domain = 0, bus, device, function;

		if (at > text.at && (is_word(at[-1]) || at[-1] == ':'))
			continue;
		if (digits_of(&rest, 4, &domain) && rest.at - at == 4 && take_text(&rest, ":"))
			own = rest;
		else
			domain = 0;
		if (!digits_of(&own, 2, &bus) || !take_text(&own, ":") ||
		    !digits_of(&own, 2, &device) || device > 31 || !take_text(&own, ".") ||
		    !digits_of(&own, 1, &function) || function > 7 ||
		    (own.at < own.end && is_word(*own.at)))
			continue;
		snprintf(buf, size, "%04x:%02x:%02x.%u", (unsigned)domain, (unsigned)bus,
			 (unsigned)device, (unsigned)function);
		return true;
	}
	return false;
}

/* ---- parts of a GPU ------------------------------------------------------------------------- */

void text_gt(struct slice text, char *buf, size_t size)
{
	struct slice rest = text;
	uint64_t number, tile = 0;

	if (text_decimal(text, "Tile", &tile) && tile && tile < 64)
		snprintf(buf, size, "Tile%u", (unsigned)tile);
	while (text_after(rest, "GT", &rest))
		if (take_decimal(&rest, &number) && number < 64 &&
		    text_begins_any(rest, ":| [")) {
			string_addf(buf, size, "%sGT%u", *buf ? " " : "", (unsigned)number);
			return;
		}
}

/* ---- times ---------------------------------------------------------------------------------- */

static void take_stamp(struct gsc_event *event, struct slice stamp)
{
	string_set(event->stamp, "%.*s", SLICE(stamp));
}

static const char *word_start(const char *at, const char *start)
{
	while (at > start && at[-1] != ' ' && at[-1] != '[' && at[-1] != '>')
		at--;
	return at;
}

/* "Mmm dd hh:mm:ss", "2026-11-21T17:12:00,279445+01:00", "17:12:00". */
static void date_at(struct slice prefix, const char *clock, struct gsc_event *event)
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
		take_stamp(event, (struct slice){ from, to });
}

void text_time(struct slice prefix, struct gsc_event *event)
{
	struct slice rest = prefix, number;
	const char *clock = NULL;
	unsigned level;
	uint64_t time;

	for (; rest.at < rest.end; rest.at++) {
		struct slice after = rest;

		/* A time since the line before would have a sign. */
		if (*rest.at == '[' && take_seconds(&after, &number) &&
		    number.at[-1] != '+' && (*after.at == ']' || *after.at == ' ') &&
		    slice_length(number) <= 24) {
			take_stamp(event, number);
			event->time = strtod(event->stamp, NULL);
			event->has_time = true;
			return;
		}
		if (!clock && slice_has_form(rest, "99:99:99") &&
		    !(slice_length(rest) > 8 && is_digit(rest.at[8])) &&
		    (rest.at == prefix.at || (!is_digit(rest.at[-1]) && rest.at[-1] != ':')))
			clock = rest.at;
	}
	if (clock) {
		date_at(prefix, clock, event);
	} else if (take_record(&prefix, &level, &time)) {
		event->has_time = true;
		event->time = (double)time / 1e6;
		string_set(event->stamp, "%llu.%06u",
			 (unsigned long long)(time / 1000000), (unsigned)(time % 1000000));
	}
}
