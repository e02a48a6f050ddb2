/* SPDX-License-Identifier: MIT */
/* Words, numbers and names of a kernel's messages, and the times in front of them. */
#include "log/log.h"

#include "db/engine.h"

#include <ctype.h>
#include <stdio.h>

/* ---- words ---------------------------------------------------------------------------------- */

bool text_after(struct slice text, const char *words, struct slice *rest)
{
	size_t length = strlen(words);

	for (const char *at = text.at; (size_t)(text.end - at) >= length; at++) {
		at = memmem(at, (size_t)(text.end - at), words, length);
		if (!at)
			return false;
		if (at > text.at && is_word(*words) && is_word(at[-1]))
			continue;
		*rest = (struct slice){ at + length, text.end };
		return true;
	}
	return false;
}

bool text_has(struct slice text, const char *words)
{
	struct slice rest;

	return text_after(text, words, &rest);
}

/* ---- numbers -------------------------------------------------------------------------------- */

bool text_hex(struct slice text, const char *words, uint64_t *value)
{
	struct slice rest;

	if (!text_after(text, words, &rest))
		return false;
	take_blanks(&rest);
	return take_hex(&rest, value);
}

bool text_decimal(struct slice text, const char *words, uint64_t *value)
{
	struct slice rest;

	if (!text_after(text, words, &rest))
		return false;
	take_blanks(&rest);
	return take_decimal(&rest, value);
}

/* ---- codes of errors ------------------------------------------------------------------------ */

/* "NOENT" */
static int word_length(struct slice text)
{
	int length = 0;

	while (length < 20 && text.at + length < text.end &&
	       isalnum((unsigned char)text.at[length]))
		length++;
	return length;
}

/* "(error -2)", "error -2", "(-ENOENT)", "-ENXIO", "(-5)", "failed: -5" */
void log_add_code(struct gsc_event *event, struct slice rest)
{
	struct slice error = rest;
	uint64_t number;

	while (text_after(error, "-", &error)) {
		if (error.at - rest.at >= 2 && !strchr(" (", error.at[-2]))
			continue;
		if (slice_begins(error, "E") && word_length(error) > 2)
			log_add(event, " (-%.*s)", word_length(error), error.at);
		else if (take_decimal(&error, &number) && number < 4096)
			log_add(event, " (error -%llu)", (unsigned long long)number);
		else
			continue;
		return;
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

/* An engine or a class, and the word ends there. */
static bool engine_at(struct slice text, char name[ENGINE_NAME])
{
	return take_engine(&text, name) && (text.at == text.end || !is_word(*text.at));
}

/* Kernels before Linux 4.10 call it a "bsd ring". */
static bool old_engine_at(struct slice text, char name[ENGINE_NAME])
{
	return take_engine_alias(&text, name) && slice_begins(text, " ring");
}

bool text_engine(struct slice text, char *buf, size_t size)
{
	bool (*const forms[])(struct slice text, char name[ENGINE_NAME]) = { engine_at,
									     old_engine_at };
	char name[ENGINE_NAME];

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		for (const char *at = text.at; at < text.end; at++)
			if ((at == text.at || !is_word(at[-1])) &&
			    forms[i]((struct slice){ at, text.end }, name)) {
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
static bool function_at(struct slice text, char *buf, size_t size)
{
	uint64_t domain = 0, bus, device, function;
	struct slice rest = text;

	if (digits_of(&rest, 4, &domain) && rest.at - text.at == 4 && take_text(&rest, ":"))
		text = rest;
	else
		domain = 0;
	if (!digits_of(&text, 2, &bus) || !take_text(&text, ":") ||
	    !digits_of(&text, 2, &device) || device > 31 || !take_text(&text, ".") ||
	    !digits_of(&text, 1, &function) || function > 7 ||
	    (text.at < text.end && is_word(*text.at)))
		return false;
	snprintf(buf, size, "%04x:%02x:%02x.%u", (unsigned)domain, (unsigned)bus,
		 (unsigned)device, (unsigned)function);
	return true;
}

bool text_function(struct slice text, char *buf, size_t size)
{
	for (const char *at = text.at; at < text.end; at++)
		if ((at == text.at || (!is_word(at[-1]) && at[-1] != ':')) &&
		    function_at((struct slice){ at, text.end }, buf, size))
			return true;
	return false;
}

/* ---- times ---------------------------------------------------------------------------------- */

/* "[   20.279445]" */
static bool seconds_at(struct slice text, struct gsc_event *event)
{
	const char *start;
	uint64_t whole, part;

	if (!take_text(&text, "["))
		return false;
	take_blanks(&text);
	start = text.at;
	if (!take_decimal(&text, &whole) || !take_text(&text, ".") ||
	    !take_decimal(&text, &part) || text.at == text.end ||
	    (*text.at != ']' && *text.at != ' ') || text.at - start > 24)
		return false;
	snprintf(event->stamp, sizeof(event->stamp), "%.*s", (int)(text.at - start), start);
	event->time = strtod(event->stamp, NULL);
	event->has_time = true;
	return true;
}

/* "6,1234,20279445,-;" of /dev/kmsg: microseconds. */
static bool record_at(struct slice text, struct gsc_event *event)
{
	uint64_t number;

	if (!take_decimal(&text, &number) || !take_text(&text, ",") ||
	    !take_decimal(&text, &number) || !take_text(&text, ",") ||
	    !take_decimal(&text, &number) || !take_text(&text, ","))
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
		snprintf(event->stamp, sizeof(event->stamp), "%.*s", (int)(to - from), from);
}

void text_time(struct slice prefix, struct gsc_event *event)
{
	const char *clock = NULL;

	for (const char *at = prefix.at; at < prefix.end; at++) {
		if (*at == '[' && seconds_at((struct slice){ at, prefix.end }, event))
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
