/* SPDX-License-Identifier: MIT */
/*
 * Messages in records: journalctl -o json, json-pretty, export and verbose, dmesg --json. Each
 * becomes the line that dmesg shows, where its text was; of the other fields only the line ends are
 * left. Records in one line stay in one.
 */
#include "text/clean.h"

#include <ctype.h>
#include <stdio.h>

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t' || *at == 0x1e))
		at++;
	return at;
}

static bool begins(const char *at, const char *end, const char *words)
{
	size_t length = strlen(words);

	return (size_t)(end - at) >= length && !memcmp(at, words, length);
}

/* After `"KEY" :`, or NULL. */
static const char *value_of(const char *at, const char *end, const char *key)
{
	size_t length = strlen(key);

	while ((at = memmem(at, (size_t)(end - at), key, length))) {
		const char *value = skip_blanks(at + length, end);

		at += length;
		if (value < end && *value == ':')
			return skip_blanks(value + 1, end);
	}
	return NULL;
}

/* "{...", "[{...": a record of JSON, or several of them. */
static bool is_object(const char *at, const char *end)
{
	return begins(at, end, "{") || begins(at, end, "[{");
}

/* ---- times ---------------------------------------------------------------------------------- */

static bool take_number(const char *at, const char *end, uint64_t *number)
{
	const char *digits;

	at += at < end && *at == '"';
	*number = 0;
	for (digits = at; at < end && at - digits < 18 && isdigit((unsigned char)*at); at++)
		*number = *number * 10 + (unsigned)(*at - '0');
	return at > digits;
}

/*
 * Microseconds since the boot; the kernel's own time is better than the time when it was read.
 * True: that is all of the line.
 */
static bool take_time(const char *at, const char *end, uint64_t *time)
{
	static const char *const keys[] = {
		"\"__MONOTONIC_TIMESTAMP\"", "\"_SOURCE_MONOTONIC_TIMESTAMP\"",
	};
	static const char *const names[] = {
		"__MONOTONIC_TIMESTAMP=", "_SOURCE_MONOTONIC_TIMESTAMP=",
	};
	const char *value;
	uint64_t number;
	bool alone = false;

	if (is_object(at, end))
		*time = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(keys) && at < end; i++) {
		value = *at == '"' || is_object(at, end) ? value_of(at, end, keys[i]) : NULL;
		if (!value && begins(at, end, names[i])) {
			value = at + strlen(names[i]);
			alone = true;
		}
		if (value && take_number(value, end, &number))
			*time = number;
	}
	value = is_object(at, end) || begins(at, end, "\"time\"") ?
			value_of(at, end, "\"time\"") : NULL;
	if (!value || !take_number(value, end, &number) || number > UINT32_MAX)
		return alone;
	*time = number * 1000000;
	for (value += *value == '"'; value < end && isdigit((unsigned char)*value); value++)
		;
	if (value == end || *value != '.')
		return alone;
	for (unsigned unit = 100000; ++value < end && isdigit((unsigned char)*value); unit /= 10)
		*time += unit * (unsigned)(*value - '0');
	return alone;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* What "\n", "\"", "\u00e9" mean: none of it is longer than its escape. */
static char *take_escape(char *out, const char **at, const char *end)
{
	unsigned value = 0;
	const char *c = *at + 1;

	if (c == end)
		return out;
	*at = c + 1;
	if (*c != 'u') {
		*out++ = strchr("ntrbf", *c) ? ' ' : *c;
		return out;
	}
	for (c++; c < end && c - *at < 4 && isxdigit((unsigned char)*c); c++)
		value = value << 4 | (isdigit((unsigned char)*c) ? (unsigned)*c - '0' :
				      ((unsigned)*c | 32) - 'a' + 10);
	*at = c;
	*out++ = value >= ' ' && value < 0x7f ? (char)value : value < ' ' ? ' ' : '?';
	return out;
}

static char *take_string(char *out, const char *at, const char *end)
{
	while (at < end && *at != '"') {
		if (*at == '\\')
			out = take_escape(out, &at, end);
		else
			*out++ = *at++;
	}
	return out;
}

/* "[105,57,49,53]": bytes, if a text has others than characters. */
static char *take_bytes(char *out, const char *at, const char *end)
{
	uint64_t byte;

	for (; at < end && *at != ']'; at++) {
		if (!isdigit((unsigned char)*at))
			continue;
		take_number(at, end, &byte);
		while (at + 1 < end && isdigit((unsigned char)at[1]))
			at++;
		*out++ = byte >= ' ' && byte < 0x7f ? (char)byte : ' ';
	}
	return out;
}

/* Where the message begins, or NULL; `plain`: it extends to the end of the line. */
static const char *find_message(struct text_line line, bool *plain)
{
	static const char *const keys[] = { "\"MESSAGE\"", "\"msg\"" };
	const char *at = skip_blanks(line.at, line.end);
	const char *value;

	*plain = begins(at, line.end, "MESSAGE=");
	if (*plain)
		return at + 8;
	if (!begins(at, line.end, "\"") && !is_object(at, line.end))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (*at == '"' && !begins(at, line.end, keys[i]))
			continue;
		value = value_of(at, line.end, keys[i]);
		if (value && value < line.end && (*value == '"' || *value == '['))
			return value;
	}
	return NULL;
}

/* A record so far. */
struct record {
	const char *end;		/* of the text */
	uint64_t time;			/* or UINT64_MAX */
	int level;			/* of syslog, or -1 */
};

/* "PRIORITY":"3", PRIORITY=3 of a journal, "pri": 3 of dmesg, if the line has it. */
static bool take_level(struct text_line line, int *level)
{
	static const char *const keys[] = { "\"PRIORITY\"", "\"pri\"" };
	const char *at = skip_blanks(line.at, line.end);
	const char *value = begins(at, line.end, "PRIORITY=") ? at + strlen("PRIORITY=") : NULL;
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(keys) && !value; i++)
		value = begins(at, line.end, keys[i]) || is_object(at, line.end) ?
				value_of(at, line.end, keys[i]) : NULL;
	if (!value || !take_number(value, line.end, &number))
		return false;
	*level = (int)(number & 7);
	return true;
}

/* "},": what encloses records, or an empty line between them. */
static bool is_border(struct text_line line)
{
	const char *at = line.at;

	while (at < line.end && strchr("{}[], \t", *at))
		at++;
	return at == line.end;
}

/* "PRIORITY=6", "\"pri\": 6,": another field of a record. */
static bool is_field(struct text_line line)
{
	const char *at = skip_blanks(line.at, line.end), *to = at;

	if (at < line.end && *at == '"')
		return memmem(at, (size_t)(line.end - at), "\":", 2);
	while (to < line.end && (isupper((unsigned char)*to) || isdigit((unsigned char)*to) ||
				 *to == '_'))
		to++;
	return to > at && to < line.end && *to == '=';
}

#define FIELDS_MOST 64

/* The level may be in a field before the message or after it: "<3>" of the kernel's log. */
static int level_text(struct text_line line, const struct record *record, char *buf, size_t size)
{
	int level = record->level;
	bool plain;

	if (!take_level(line, &level) && !is_object(skip_blanks(line.at, line.end), line.end))
		for (unsigned i = 0; i < FIELDS_MOST && level < 0 &&
		     text_line(line.next, record->end, &line) && is_field(line) &&
		     !find_message(line, &plain); i++)
			take_level(line, &level);
	return level < 0 ? 0 : snprintf(buf, size, "<%d>", level);
}

/* What is removed before it, here and in earlier lines, leaves room for the level and the time. */
static char *put_message(char *out, const char *message, struct text_line line, bool plain,
			 const struct record *record)
{
	char stamp[48];
	int length = level_text(line, record, stamp, sizeof(stamp));
	uint64_t time = record->time;

	length += snprintf(stamp + length, sizeof(stamp) - (size_t)length, "[%5llu.%06llu] ",
			   (unsigned long long)(time / 1000000),
			   (unsigned long long)(time % 1000000));
	if (time != UINT64_MAX && message - out >= length) {
		memcpy(out, stamp, (size_t)length);
		out += length;
	}
	if (plain) {
		memmove(out, message, (size_t)(line.end - message));
		return out + (line.end - message);
	}
	return *message == '"' ? take_string(out, message + 1, line.end) :
				 take_bytes(out, message + 1, line.end);
}

static bool has_messages(const struct cleaning *text)
{
	const char *end = text->at + text->size;
	struct text_line line;
	bool plain;

	for (const char *at = text->at; text_line(at, end, &line); at = line.next)
		if (find_message(line, &plain))
			return true;
	return false;
}

/* One record, or a line of one, or prose; it contains no line end. */
static char *take_record(char *out, struct text_line line, struct record *record)
{
	const char *message;
	bool plain;

	if (is_border(line) || is_object(skip_blanks(line.at, line.end), line.end))
		record->level = -1;
	if (take_time(skip_blanks(line.at, line.end), line.end, &record->time))
		return out;
	message = find_message(line, &plain);
	if (message)
		return put_message(out, message, line, plain, record);
	if (take_level(line, &record->level) || is_border(line) || is_field(line))
		return out;
	record->level = -1;
	memmove(out, line.at, (size_t)(line.end - line.at));
	return out + (line.end - line.at);
}

void clean_records(struct cleaning *text)
{
	struct record record = { .time = UINT64_MAX, .level = -1 };
	struct text_line line;
	const char *at;
	char *out;

	if (!has_messages(text))
		return;
	out = clean_own(text);
	if (!out)
		return;
	at = out;
	record.end = at + text->size;
	for (; text_line(at, record.end, &line); at = line.next) {
		struct text_line part = line;
		const char *joint = memmem(line.at, (size_t)(line.end - line.at), "}, {", 4) ?
						   "}, {" : "},{";
		bool several = is_object(line.at, line.end);

		/* "{...}, {...}": each has its own time. */
		while (several &&
		       (part.end = memmem(part.at, (size_t)(line.end - part.at), joint,
					  strlen(joint)))) {
			out = take_record(out, part, &record);
			*out++ = ' ';
			part.at = part.end + strlen(joint) - 1;
		}
		part.end = line.end;
		out = take_record(out, part, &record);
		if (line.next[-1] == '\n')
			*out++ = '\n';
	}
	text->size = (size_t)(out - text->own);
}
