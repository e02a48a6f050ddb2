/* SPDX-License-Identifier: MIT */
/*
 * Messages in records: journalctl -o json, json-pretty, export and verbose, dmesg --json. Each
 * becomes the line that dmesg shows, where its text was; of the other fields only the line ends are
 * left. Records in one line stay in one.
 */
#include "text/clean.h"

#include <ctype.h>

#define FIELDS_MOST 64

static struct slice without_blanks(struct slice s)
{
	while (s.at < s.end && (is_blank(*s.at) || *s.at == 0x1e))
		s.at++;
	return s;
}

/* After `"KEY" :`; false: the text has no such key. */
static bool value_of(struct slice s, const char *key, struct slice *value)
{
	while ((s.at = slice_find(s, key))) {
		s.at += strlen(key);
		*value = without_blanks(s);
		if (take_text(value, ":")) {
			*value = without_blanks(*value);
			return true;
		}
	}
	return false;
}

/* "{...", "[{...": a record of JSON, or several of them. */
static bool is_object(struct slice s)
{
	return slice_begins(s, "{") || slice_begins(s, "[{");
}

/* A number or a string of one. */
static bool take_number(struct slice *s, uint64_t *number)
{
	struct slice rest = *s, digits;

	take_text(&rest, "\"");
	digits = slice_first(rest, 18);
	digits = take_while(&digits, is_digit);
	s->at = digits.end;
	return slice_number(digits, number);
}

/*
 * Microseconds since the boot; the kernel's own time is better than the time when it was read.
 * True: that is all of the line.
 */
static bool take_time(struct slice s, uint64_t *time)
{
	static const char names[][32] = { "__MONOTONIC_TIMESTAMP", "_SOURCE_MONOTONIC_TIMESTAMP" };
	bool object = is_object(s), alone = false;
	struct slice value;
	uint64_t number;
	char key[sizeof(names[0]) + 4];

	if (object)
		*time = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		string_set(key, "\"%.31s\"", names[i]);
		if ((slice_begins(s, "\"") || object) && value_of(s, key, &value)) {
			if (take_number(&value, &number))
				*time = number;
			continue;
		}
		string_set(key, "%.31s=", names[i]);
		value = s;
		if (take_text(&value, key)) {
			alone = true;
			if (take_number(&value, &number))
				*time = number;
		}
	}
	if (!(object || slice_begins(s, "\"time\"")) || !value_of(s, "\"time\"", &value) ||
	    !take_number(&value, &number) || number > UINT32_MAX)
		return alone;
	*time = number * 1000000;
	if (take_text(&value, "."))
		for (unsigned unit = 100000; value.at < value.end && is_digit(*value.at);
		     unit /= 10)
			*time += unit * (unsigned)(*value.at++ - '0');
	return alone;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* What "\n", "\"", "\u00e9" mean: none of it is longer than its escape. */
static char *take_escape(char *out, struct slice *s)
{
	uint64_t value = 0;
	char c;

	s->at++;
	if (s->at == s->end)
		return out;
	c = *s->at++;
	if (c != 'u') {
		*out++ = c && strchr("ntrbf", c) ? ' ' : c;
		return out;
	}
	take_digits(s, 4, &value);
	*out++ = value >= ' ' && value < 0x7f ? (char)value : value < ' ' ? ' ' : '?';
	return out;
}

static char *take_string(char *out, struct slice s)
{
	while (s.at < s.end && *s.at != '"') {
		if (*s.at == '\\')
			out = take_escape(out, &s);
		else
			*out++ = *s.at++;
	}
	return out;
}

/* "[105,57,49,53]": bytes, if a text has others than characters. */
static char *take_bytes(char *out, struct slice s)
{
	uint64_t byte;

	while (s.at < s.end && *s.at != ']') {
		if (!is_digit(*s.at)) {
			s.at++;
			continue;
		}
		take_number(&s, &byte);
		take_while(&s, is_digit);
		*out++ = byte >= ' ' && byte < 0x7f ? (char)byte : ' ';
	}
	return out;
}

/* Where the message begins; `plain`: it extends to the end of the line. */
static bool find_message(struct slice line, struct slice *message, bool *plain)
{
	static const char keys[][12] = { "\"MESSAGE\"", "\"msg\"" };
	struct slice s = without_blanks(line);
	bool field = slice_begins(s, "\"");

	*message = s;
	*plain = take_text(message, "MESSAGE=");
	if (*plain)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(keys) && (field || is_object(s)); i++)
		if ((!field || slice_begins(s, keys[i])) && value_of(s, keys[i], message) &&
		    (slice_begins(*message, "\"") || slice_begins(*message, "[")))
			return true;
	return false;
}

/* A record so far. */
struct record {
	const char *end;		/* of the text */
	uint64_t time;			/* or UINT64_MAX */
	int level;			/* of syslog, or -1 */
};

/* "PRIORITY":"3", PRIORITY=3 of a journal, "pri": 3 of dmesg, if the line has it. */
static bool take_level(struct slice line, int *level)
{
	static const char keys[][12] = { "\"PRIORITY\"", "\"pri\"" };
	struct slice s = without_blanks(line), value = s;
	bool found = take_text(&value, "PRIORITY=");
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(keys) && !found; i++)
		found = (slice_begins(s, keys[i]) || is_object(s)) && value_of(s, keys[i], &value);
	if (!found || !take_number(&value, &number))
		return false;
	*level = (int)(number & 7);
	return true;
}

/* "},": what encloses records, or an empty line between them. */
static bool is_border(struct slice line)
{
	while (line.at < line.end && strchr("{}[], \t", *line.at))
		line.at++;
	return line.at == line.end;
}

/* "PRIORITY=6", "\"pri\": 6,": another field of a record. */
static bool is_field(struct slice line)
{
	struct slice s = without_blanks(line), rest = s;

	if (slice_begins(s, "\""))
		return slice_find(s, "\":");
	while (rest.at < rest.end &&
	       (isupper((unsigned char)*rest.at) || is_digit(*rest.at) || *rest.at == '_'))
		rest.at++;
	return rest.at > s.at && slice_begins(rest, "=");
}

/* What is removed before it, here and in earlier lines, leaves room for the level and the time. */
static char *put_message(char *out, struct slice message, struct text_line line, bool plain,
			 const struct record *record)
{
	unsigned long long time = record->time;
	struct slice rest = { line.next, record->end }, other;
	struct text_line next = line;
	int level = record->level;
	char stamp[48] = "";
	bool ignored;

	/* The level may be in a field before the message or after it: "<3>" of the kernel's log. */
	if (!take_level(line.text, &level) && !is_object(without_blanks(line.text)))
		for (unsigned i = 0; i < FIELDS_MOST && level < 0 && take_line(&rest, &next) &&
		     is_field(next.text) && !find_message(next.text, &other, &ignored); i++)
			take_level(next.text, &level);
	if (level >= 0)
		string_set(stamp, "<%d>", level);
	string_add(stamp, "[%5llu.%06llu] ", time / 1000000, time % 1000000);
	if (record->time != UINT64_MAX && message.at - out >= (ptrdiff_t)strlen(stamp))
		out = clean_copy(out, slice_string(stamp));
	message.end = line.text.end;
	if (plain)
		return clean_copy(out, message);
	return *message.at == '"' ? take_string(out, slice_from(message, 1)) :
				    take_bytes(out, slice_from(message, 1));
}

/* One record, or a line of one, or prose; it contains no line end. */
static char *take_record(char *out, struct text_line line, struct record *record)
{
	struct slice s = without_blanks(line.text), message;
	bool plain;

	if (is_border(line.text) || is_object(s))
		record->level = -1;
	if (take_time(s, &record->time))
		return out;
	if (find_message(s, &message, &plain))
		return put_message(out, message, line, plain, record);
	if (take_level(s, &record->level) || is_border(line.text) || is_field(s))
		return out;
	record->level = -1;
	return clean_copy(out, line.text);
}

void clean_records(struct cleaning *text)
{
	struct record record = { .time = UINT64_MAX, .level = -1 };
	struct slice rest = clean_text(text), message;
	struct text_line line, part;
	bool found = false, plain;
	char *out;

	while (!found && take_line(&rest, &line))
		found = find_message(line.text, &message, &plain);
	out = found ? clean_own(text) : NULL;
	if (!out)
		return;
	rest = clean_text(text);
	record.end = rest.end;
	while (take_line(&rest, &line)) {
		const char *joint = slice_find(line.text, "}, {") ? "}, {" : "},{";
		bool several = is_object(line.text);

		/* "{...}, {...}": each has its own time. */
		part = line;
		while (several && (part.text.end = slice_find(part.text, joint))) {
			out = take_record(out, part, &record);
			*out++ = ' ';
			part.text = (struct slice){ part.text.end + strlen(joint) - 1,
						    line.text.end };
		}
		part.text.end = line.text.end;
		out = take_record(out, part, &record);
		if (line.next[-1] == '\n')
			*out++ = '\n';
	}
	text->size = (size_t)(out - text->own);
}
