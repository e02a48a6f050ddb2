/* SPDX-License-Identifier: MIT */
/* Cleans text: its encoding, names of processes, and the order of the steps. */
#include "text/clean.h"

#define HEAD 4096
#define NAMES_HEAD (1 << 20)		/* names precede the bytes of buffers */
#define NAME_MOST 16			/* with a blank before the number */
#define ROUNDS_MOST 4

char *clean_own(struct cleaning *text)
{
	if (text->own || text->memory_out)
		return text->own;
	text->own = malloc(text->size + 1);
	if (!text->own) {
		text->memory_out = true;
		return NULL;
	}
	memcpy(text->own, text->at, text->size);
	text->at = text->own;
	return text->own;
}

void clean_replace(struct cleaning *text, char *own, size_t size)
{
	free(text->own);
	text->own = own;
	text->at = own;
	text->size = size;
}

char *clean_copy(char *out, struct slice bytes)
{
	memmove(out, bytes.at, slice_length(bytes));
	return out + slice_length(bytes);
}

bool text_is_listed(struct slice text, const char *list, bool whole)
{
	for (const char *word = list;; word++) {
		const char *at = text.at;

		for (; *word && at < text.end && *word == *at && *word != '|'; at++)
			word++;
		if ((!*word || *word == '|') && (at == text.end || !whole))
			return true;
		word = strchr(word, '|');
		if (!word)
			return false;
	}
}

bool text_is_dense(struct slice text)
{
	/* Back from where a long word would end: a blank shows that there is none. */
	while (text.end - text.at > LONG_WORD) {
		const char *last = text.at + LONG_WORD;

		while (last >= text.at && !is_blank(*last))
			last--;
		if (last < text.at)
			return true;
		text.at = last + 1;
	}
	return false;
}

/* ---- UTF-16 --------------------------------------------------------------------------------- */

/* The position of the zeros, 0 or 1, or -1. A byte order mark alone may be any bytes. */
static int wide_order(const uint8_t *data, size_t size)
{
	size = MIN(size, (size_t)HEAD) & ~(size_t)1;
	for (unsigned zero = 0; size >= 4 && zero < 2; zero++) {
		bool mark = data[zero] == 0xfe && data[!zero] == 0xff;
		size_t plain = 0;

		for (size_t i = 0; i < size; i += 2) {
			uint8_t c = data[i + !zero];

			plain += !data[i + zero] &&
				 ((c >= ' ' && c < 0x7f) || (c >= '\t' && c <= '\r'));
		}
		if (plain >= (mark ? size / 3 : size * 15 / 32))
			return (int)zero;
	}
	return -1;
}

bool text_is_wide(const uint8_t *data, size_t size)
{
	return wide_order(data, size) >= 0;
}

static void decode_wide(struct cleaning *text)
{
	static const uint8_t marks[] = { [2] = 0xc0, [3] = 0xe0, [4] = 0xf0 };
	const uint8_t *data = (const uint8_t *)text->at;
	int zero = wide_order(data, text->size);
	unsigned bytes;
	char *out, *at;

	if (zero < 0 || text->size > SIZE_MAX / 2)
		return;
	out = at = malloc(text->size / 2 * 3 + 1);
	if (!out) {
		text->memory_out = true;
		return;
	}
	for (size_t i = 0; i + 1 < text->size; i += 2) {
		uint32_t c = (uint32_t)data[i + (unsigned)zero] << 8 | data[i + !zero], low;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < text->size) {
			low = (uint32_t)data[i + 2 + (unsigned)zero] << 8 | data[i + 2 + !zero];
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
				i += 2;
			}
		}
		if (!c || c == 0xfeff)
			continue;
		if (c < 0x80) {
			*at++ = (char)c;
			continue;
		}
		bytes = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
		for (unsigned k = bytes - 1; k; k--, c >>= 6)
			at[k] = (char)(0x80 | (c & 0x3f));
		*at = (char)(marks[bytes] | c);
		at += bytes;
	}
	clean_replace(text, out, (size_t)(at - out));
}

/* ---- names of processes --------------------------------------------------------------------- */

/* "[1981]" */
static bool is_number(struct slice s)
{
	struct slice digits;

	if (!take_text(&s, "["))
		return false;
	digits = take_while(&s, is_digit);
	return digits.at < digits.end && slice_begins(s, "]");
}

/*
 * The name of a process is up to 15 bytes of any kind, and drivers print it unchanged before its
 * number: "Process: game [1981]". A newline in it would make a line of what follows, with any key.
 * In a kernel log such words follow a time and a driver, and a newline in a name is escaped.
 */
static void join_names(struct cleaning *text)
{
	size_t next = 0;

	while (next < MIN(text->size, (size_t)NAMES_HEAD)) {
		const char *start = text->at;
		struct slice rest = { start + next, start + text->size }, first, name;
		struct text_line line;
		char *own;

		if (!take_line(&rest, &line))
			return;
		next = (size_t)(rest.at - start);
		for (name = line.text; (name.at = slice_char(name, '[')) && !is_number(name);)
			name.at++;
		first = line.text;
		while (take_text(&first, " "))
			;
		/* Folded before the name: "in", and then " Xorg [1981]". */
		if (!text_begins_any(first, text->words->names) || name.at ||
		    (slice_begins(rest, " ") && slice_length(line.text) > 3 &&
		     slice_ends(line.text, " in")))
			continue;
		for (name = slice_first(rest, NAME_MOST); name.at < name.end; name.at++)
			if (is_number((struct slice){ name.at, rest.end }))
				break;
		own = name.at < name.end ? clean_own(text) : NULL;
		for (const char *at = line.next - 1; own && at < name.at; at++)
			if (*at == '\n')
				own[at - start] = ' ';
	}
}

/* ---- the steps ------------------------------------------------------------------------------ */

bool text_clean(const struct clean_words *words, const void *data, size_t size, char **out,
		size_t *out_size)
{
	static void (*const first[])(struct cleaning *text) = {
		decode_wide, join_names, clean_journal,
	};
	static void (*const steps[])(struct cleaning *text) = {
		clean_all_lines, clean_mail, clean_bytes, clean_lines, clean_records,
	};
	struct cleaning text = { .words = words, .at = data, .size = size };
	size_t before = SIZE_MAX;

	*out = NULL;
	*out_size = size;
	if (!size)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(first) && !text.memory_out; i++)
		first[i](&text);
	/* Mails are quoted, and the quoted text has been a mail: until nothing more is removed. */
	for (unsigned round = 0; round < ROUNDS_MOST && text.size < before; round++) {
		before = text.size;
		for (size_t i = 0; i < ARRAY_SIZE(steps) && !text.memory_out; i++)
			steps[i](&text);
	}
	if (!text.memory_out)
		clean_wrap(&text);
	if (text.memory_out) {
		free(text.own);
		return false;
	}
	*out = text.own;
	*out_size = text.size;
	return true;
}
