/* SPDX-License-Identifier: MIT */
/*
 * A driver's dump without what is private: only lines are taken over in which nothing of the kind
 * can be. Those are "key: value" where the value is numbers and words of the drivers' own, and
 * titles. Bytes of buffers, names of processes, paths and whatever else there is go, and a last
 * line says how many lines went.
 */
#include "save/save.h"

#include "text/lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LINE_MOST 200
#define WORD_MOST 24			/* longer ones are bytes in base 85, or hex */

struct text {
	const char *at;
	size_t length;
};

static bool begins(struct text text, const char *with)
{
	size_t length = strlen(with);

	return text.length >= length && !memcmp(text.at, with, length);
}

static struct text trimmed(const char *at, size_t length)
{
	while (length && isspace((unsigned char)*at)) {
		at++;
		length--;
	}
	while (length && isspace((unsigned char)at[length - 1]))
		length--;
	return (struct text){ at, length };
}

static bool same_word(struct text word, const char *known)
{
	size_t length = strlen(known);

	if (word.length != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (tolower((unsigned char)word.at[i]) != known[i])
			return false;
	return true;
}

static bool is_hex(struct text word)
{
	size_t i = word.length > 2 && word.at[0] == '0' && (word.at[1] | 32) == 'x' ? 2 : 0;

	for (; i < word.length; i++)
		if (!isxdigit((unsigned char)word.at[i]))
			return false;
	return word.length <= 18 && (isdigit((unsigned char)word.at[0]) || word.length == 8);
}

/* Words of values that i915_gpu_error.c, intel_device_info.c and xe_devcoredump.c print. */
static bool is_known(struct text word)
{
	static const char *const known[] = {
		"yes", "no", "true", "false", "enabled", "disabled", "s", "us", "ms", "ns", "hz",
		"khz", "mhz", "jiffies", "ago", "mask", "total", "head", "tail", "start", "prio",
		"seqno", "guilty", "active", "runtime", "avg", "busy", "idle", "none", "upper",
		"lower", "null", "graphics", "media", "display", "gen", "logical", "instance",
		"slice", "slices", "subslice", "subslices", "eu", "wanted", "found", "bytes",
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (same_word(word, known[i]))
			return true;
	return false;
}

/* Numbers, and words that are no names. */
static bool is_plain(struct text value)
{
	for (size_t i = 0, end; i < value.length; i = end) {
		end = i + 1;
		if (!isalnum((unsigned char)value.at[i]) && value.at[i] != '_')
			continue;
		while (end < value.length && isalnum((unsigned char)value.at[end]))
			end++;
		if (value.at[i] == '_' && end == i + 1)
			continue;
		if (value.at[i] == '_')
			i++;
		if (end - i > WORD_MOST || (!is_hex((struct text){ value.at + i, end - i }) &&
					    !is_known((struct text){ value.at + i, end - i })))
			return false;
	}
	return true;
}

/* A colon within parentheses, "4096 0041 uncached (name: 1)", ends no key. */
static bool is_key(struct text key)
{
	int open = 0;

	if (!key.length || key.length > 64)
		return false;
	for (size_t i = 0; i < key.length; i++) {
		if (!isalnum((unsigned char)key.at[i]) && !strchr(" _-[](),.#?/'", key.at[i]))
			return false;
		open += (key.at[i] == '(') - (key.at[i] == ')');
	}
	return !open;
}

static bool is_one_of(struct text key, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (key.length == strlen(keys[i]) && begins(key, keys[i]))
			return true;
	return false;
}

/* Keys whose values are the driver's or the GPU's own words. */
static bool names_hardware(struct text key)
{
	static const char *const keys[] = { "Platform", "platform", "Driver", "module" };

	return is_one_of(key, keys, ARRAY_SIZE(keys));
}

/* Whose machine it is, and when it was used. */
static bool names_machine(struct text key)
{
	static const char *const keys[] = { "PCI Subsystem", "Time", "Snapshot time" };

	return is_one_of(key, keys, ARRAY_SIZE(keys));
}

/* Memory, and who it belongs to. */
static bool names_owner(struct text line)
{
	static const char *const starts[] = { "Active ", "Process", "Name", "comm", "[", ":",
					      "User", "i915.", "xe." };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (begins(line, starts[i]))
			return true;
	return memmem(line.at, line.length, " --- ", 5) != NULL ||
	       memmem(line.at, line.length, " pid ", 5) != NULL;
}

/* "00000000 :  7a000003": dwords of a buffer. */
static bool is_dword(struct text line)
{
	size_t i = 0;

	while (i < line.length && isxdigit((unsigned char)line.at[i]))
		i++;
	return i >= 8 && i + 1 < line.length && line.at[i] == ' ' && line.at[i + 1] == ':';
}

static bool may_stay(struct text line)
{
	const char *separator = memchr(line.at, ':', line.length);
	struct text key, value;

	if (line.length > LINE_MOST || names_owner(line) || is_dword(line))
		return false;
	if (begins(line, "****"))
		return is_key(trimmed(line.at + 4, line.length - MIN(line.length, (size_t)8)));
	if (!separator)
		separator = memchr(line.at, '=', line.length);
	if (!separator)
		return false;
	key = trimmed(line.at, (size_t)(separator - line.at));
	value = trimmed(separator + 1, line.length - (size_t)(separator + 1 - line.at));
	if (names_machine(key))
		return false;
	return is_key(key) && (is_plain(value) || (names_hardware(key) && is_key(value)));
}

/* "GPU HANG: ecode 9:1:0x85dffffb, in Xorg [1981]": as far as it is of the GPU. */
static struct text hang_line(struct text line)
{
	static const char hang[] = "GPU HANG: ecode ";
	size_t i = sizeof(hang) - 1;

	if (!begins(line, hang))
		return (struct text){ NULL, 0 };
	while (i < line.length && (isxdigit((unsigned char)line.at[i]) || line.at[i] == ':' ||
				   line.at[i] == 'x'))
		i++;
	return (struct text){ line.at, i };
}

static bool add(capture_text *out, const char *text, size_t length)
{
	if (!vec_reserve(out, length + 1))
		return false;
	memcpy(out->items + out->count, text, length);
	out->count += length;
	out->items[out->count++] = '\n';
	return true;
}

bool redact_dump(const uint8_t *text, size_t size, capture_text *out)
{
	struct lines lines = { .data = text, .size = size };
	size_t dropped = 0;
	bool done = true;
	char last[64];

	while (done && lines_next(&lines)) {
		struct text line = trimmed(lines.text, lines.length), hang = hang_line(line);

		if (!line.length)
			continue;
		if (hang.at) {
			done = add(out, hang.at, hang.length);
		} else if (begins(line, "Kernel: ") || begins(line, "kernel: ")) {
			done = add(out, line.at[0] == 'K' ? "Kernel: redacted" : "kernel: redacted",
				   16);
		} else if (may_stay(line)) {
			/* With its blanks in front: they tell what belongs to an engine. */
			done = add(out, lines.text, (size_t)(line.at - lines.text) + line.length);
		} else {
			dropped++;
		}
	}
	snprintf(last, sizeof(last), "Redacted: %zu lines left out", dropped);
	return done && add(out, last, strlen(last));
}
