/* SPDX-License-Identifier: MIT */
/*
 * A driver's dump without private data: it keeps only lines that cannot contain any. These are
 * "key: value" lines whose value is numbers and words of the drivers, and titles. Bytes of buffers,
 * names of processes, paths and everything else are removed, and a last line says how many lines
 * that were.
 */
#include "save/saving.h"
#include "text/clean.h"
#include "text/lines.h"

#include <ctype.h>

#define LINE_MOST 200
#define WORD_MOST 24			/* longer ones are bytes in base 85, or hex */

static bool is_space(char c)
{
	return isspace((unsigned char)c);
}

static struct slice trimmed(struct slice s)
{
	take_while(&s, is_space);
	while (s.end > s.at && is_space(s.end[-1]))
		s.end--;
	return s;
}

static bool is_number(struct slice word)
{
	struct slice rest = word;

	if (slice_has_0x(rest))
		rest.at += 2;
	take_while(&rest, is_hex);
	return rest.at == rest.end && slice_length(word) <= 18 &&
	       (is_digit(*word.at) || slice_length(word) == 8);
}

/* Words in values that i915_gpu_error.c, intel_device_info.c and xe_devcoredump.c print. */
static bool is_known(struct slice word)
{
	static const char *const known[] = {
		"yes", "no", "true", "false", "enabled", "disabled", "s", "us", "ms", "ns", "hz",
		"khz", "mhz", "jiffies", "ago", "mask", "total", "head", "tail", "start", "prio",
		"seqno", "guilty", "active", "runtime", "avg", "busy", "idle", "none", "upper",
		"lower", "null", "graphics", "media", "display", "gen", "logical", "instance",
		"slice", "slices", "subslice", "subslices", "eu", "wanted", "found", "bytes",
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (slice_named(word, known[i]))
			return true;
	return false;
}

/* Numbers, and words that are not names. */
static bool is_plain(struct slice value)
{
	while (value.at < value.end) {
		const char *start = value.at;
		struct slice word;

		if (!is_word(*start)) {
			value.at++;
			continue;
		}
		take_text(&value, "_");
		word = take_while(&value, is_alphanumeric);
		if (word.at == word.end)
			continue;
		if (slice_length(word) > WORD_MOST || (!is_number(word) && !is_known(word)))
			return false;
	}
	return true;
}

/* A colon within parentheses, "4096 0041 uncached (name: 1)", ends no key. */
static bool is_key(struct slice key)
{
	int open = 0;

	if (key.at == key.end || slice_length(key) > 64)
		return false;
	for (; key.at < key.end; key.at++) {
		if (!is_alphanumeric(*key.at) && !strchr(" _-[](),.#?/'", *key.at))
			return false;
		open += (*key.at == '(') - (*key.at == ')');
	}
	return !open;
}

static bool may_stay(struct slice line)
{
	/* Keys whose values are the driver's or the GPU's own words. */
	static const char hardware[] = "Platform|platform|Driver|module";
	/* Whose machine it is, and when it was used. */
	static const char machine[] = "PCI Subsystem|Time|Snapshot time";
	/* Memory, and whose it is. */
	static const char owners[] = "Active |Process|Name|comm|[|:|--- |User|i915.|xe.";
	const char *separator = slice_char(line, ':');
	struct slice rest = line, word = take_while(&rest, is_alphanumeric), key, value;

	if (slice_length(line) > LINE_MOST || slice_find(line, " --- ") ||
	    slice_find(line, " pid ") || text_begins_any(line, owners))
		return false;
	/* "00000000 :  7a000003", "0x00012000:  0x7a000003: ...": dwords of a buffer. */
	take_blanks(&rest);
	if (word.at < word.end && is_number(word) && slice_begins(rest, ":"))
		return false;
	if (slice_begins(line, "****"))
		return slice_length(line) > 8 &&
		       is_key(trimmed((struct slice){ line.at + 4, line.end - 4 }));
	if (!separator)
		separator = slice_char(line, '=');
	/*
	 * Where mail has broken base 85, any part of it may look like "t=3" or "Ab:". It has no
	 * blanks, and drivers put one after a separator, or have one in a title.
	 */
	if (!separator || (separator + 1 < line.end ? !is_space(separator[1])
						    : !slice_char(line, ' ')))
		return false;
	key = trimmed((struct slice){ line.at, separator });
	value = trimmed((struct slice){ separator + 1, line.end });
	return !text_is_any(key, machine) && is_key(key) &&
	       (is_plain(value) || (text_is_any(key, hardware) && is_key(value)));
}

static bool in_ecode(char c)
{
	return is_hex(c) || c == ':' || c == 'x';
}

static bool add(capture_text *out, struct slice line)
{
	size_t length = slice_length(line);

	if (!vec_reserve(out, length + 1))
		return false;
	memcpy(out->items + out->count, line.at, length);
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
		struct slice line = trimmed(lines.text), rest = line;

		if (line.at == line.end)
			continue;
		if (take_text(&rest, "GPU HANG: ecode ")) {
			/* "GPU HANG: ecode 9:1:0x85dffffb, in Xorg [1981]": what is of the GPU. */
			take_while(&rest, in_ecode);
			done = add(out, (struct slice){ line.at, rest.at });
		} else if (slice_begins(line, "Kernel: ") || slice_begins(line, "kernel: ")) {
			done = add(out, slice_string(*line.at == 'K' ? "Kernel: redacted"
								     : "kernel: redacted"));
		} else if (may_stay(line)) {
			/* With its indentation, which shows what belongs to an engine. */
			done = add(out, (struct slice){ lines.text.at, line.end });
		} else {
			dropped++;
		}
	}
	snprintf(last, sizeof(last), "Redacted: %zu lines left out", dropped);
	return done && add(out, slice_string(last));
}
