/* SPDX-License-Identifier: MIT */
/*
 * The FILE of gpu-eu: a source, or bytes, or text of hexadecimal words as xxd, hexdump, od, dumps
 * of drivers and programmers write them. The number of digits says what a word is: two are a byte,
 * four are 16 bits, eight a dword; more than 16 are bytes.
 */
#include "gpu-eu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD_LINES_TOLD 5

struct line {
	const char *at, *end;
	bool colon;			/* an offset with a colon was in front */
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_between(char c)
{
	return c && strchr(" \t\r,;{}", c);
}

static void skip_between(struct line *line)
{
	while (line->at < line->end && is_between(*line->at))
		line->at++;
}

/* The digits of the next word, and its length with "0x"; 0: it is no number. */
static unsigned digits_of(const struct line *line, size_t *length)
{
	const char *at = line->at, *first;

	if (line->end - at > 2 && at[0] == '0' && (at[1] | 32) == 'x')
		at += 2;
	for (first = at; at < line->end && isxdigit((unsigned char)*at); at++)
		;
	*length = (size_t)(at - line->at);
	if (at < line->end && !is_between(*at) && *at != ':' && *at != ']')
		return 0;
	return first != line->at && at - first > 16 ? 0 : (unsigned)(at - first);
}

static uint64_t number_of(const char *at, const char *end)
{
	uint64_t value = 0;

	for (at += end - at > 2 && (at[1] | 32) == 'x' ? 2 : 0; at < end; at++) {
		unsigned c = (unsigned char)*at | 32;

		value = value << 4 | (c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return value;
}

/* "00000010:", "[0x10]", "0000020". */
static void skip_offset(struct line *line)
{
	struct line next = *line;
	bool bracket = line->at < line->end && *line->at == '[', prefixed;
	unsigned digits, second;
	size_t length;

	next.at += bracket;
	digits = digits_of(&next, &length);
	prefixed = length != digits;
	next.at += length;
	if (!digits)
		return;
	next.at += bracket && next.at < next.end && *next.at == ']';
	skip_between(&next);
	line->colon = next.at < next.end && *next.at == ':';
	second = digits_of(&next, &length);
	/* Without them, numbers of digits and "0x" tell an offset from the word after it. */
	if (bracket || line->colon ||
	    (second && (prefixed ? length == second
				 : digits == 5 || digits == 6 || digits == 7 ||
					   (digits == 8 && second <= 4))))
		line->at = next.at + line->colon;
}

/*
 * The words of a line, into room for half as many bytes as it has characters and 8 more. Anything
 * else ends them; after an offset of xxd, so do two blanks.
 */
static size_t take_words(struct line *line, uint8_t *to)
{
	uint8_t *const begin = to;

	skip_between(line);
	skip_offset(line);
	for (bool first = true;; first = false) {
		const char *before = line->at;
		unsigned digits, bytes;
		uint64_t value;
		size_t length;
		bool in_order;

		skip_between(line);
		digits = digits_of(line, &length);
		if (!digits || (line->at + length < line->end && !is_between(line->at[length])))
			break;
		/* "4000600028b8": two digits per byte, as xxd -p writes them. */
		if (digits > 16 && digits % 2 == 0) {
			for (unsigned i = 0; i < digits; i += 2)
				*to++ = (uint8_t)number_of(line->at + i, line->at + i + 2);
			line->at += length;
			continue;
		}
		if (length == digits && digits != 2 && digits != 4 && digits != 8 && digits != 16)
			break;
		bytes = digits == 2 ? 1 : digits == 4 ? 2 : digits > 8 ? 8 : 4;
		if (!first && line->colon && bytes <= 2 && line->at - before > 1)
			break;
		value = number_of(line->at, line->at + length);
		in_order = bytes == 2 && line->colon && length == digits;
		for (unsigned i = 0; i < bytes; i++)
			*to++ = (uint8_t)(value >> (in_order ? bytes - 1 - i : i) * 8);
		line->at += length;
	}
	return (size_t)(to - begin);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool next_line(const char **at, const char *stop, struct line *line)
{
	const char *end;

	if (*at >= stop)
		return false;
	end = memchr(*at, '\n', (size_t)(stop - *at));
	*line = (struct line){ *at, end ? end : stop, false };
	*at = line->end + 1;
	return true;
}

static bool is_comment(struct line line)
{
	skip_between(&line);
	return line.at == line.end || *line.at == '#' ||
	       (line.end - line.at > 1 && line.at[0] == '/' && line.at[1] == '/');
}

/* Its first line has words, and only what a dump prints next to them. */
static bool looks_like_words(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data;
	uint8_t bytes[512];
	struct line line;

	if (!is_text(data, size))
		return false;
	while (next_line(&at, (const char *)data + size, &line)) {
		if (is_comment(line))
			continue;
		return line.end - line.at < 400 && take_words(&line, bytes) >= 4;
	}
	return false;
}

/* hexdump and od end with an offset, od's in octal. */
static bool is_end(const struct line *line, size_t size)
{
	const char *digits = "0123456789abcdef";
	uint64_t hex = 0, octal = 0;
	const char *at = line->at;

	for (; at < line->end && isxdigit((unsigned char)*at) && at - line->at < 16; at++) {
		uint64_t digit = (uint64_t)(strchr(digits, *at | 32) - digits);

		hex = hex << 4 | digit;
		octal = octal << 3 | (digit & 7);
	}
	return at - line->at >= 6 && (at == line->end || *at == '\r') &&
	       (hex == size || octal == size);
}

static enum gsc_status read_words(struct eu *eu, const char *name, struct gsc_error *err)
{
	struct eu_input *input = &eu->input;
	const char *at = (const char *)input->file.data, *stop = at + input->file.size;
	size_t number = 0, bad = 0;
	struct line line;
	char what[300];

	/* "0x1 " has four characters and four bytes; nothing has more. */
	input->own = malloc(input->file.size + 8);
	if (!input->own)
		return err_memory(err);
	input->data = input->own;
	while (next_line(&at, stop, &line)) {
		bool repeats;
		size_t got;

		number++;
		if (is_comment(line) || is_end(&line, input->size))
			continue;
		repeats = *line.at == '*';
		got = take_words(&line, input->own + input->size);
		input->size += got;
		if (got)
			continue;
		input->damaged = true;
		snprintf(what, sizeof(what), "%.200s:%zu", name, number);
		if (bad++ < BAD_LINES_TOLD)
			complain(&eu->common, GSC_PARTIAL, what,
				 repeats ? "lines are missing here: run hexdump or od with -v, so "
					   "that it prints all of them"
					 : "no hexadecimal words, skipped");
	}
	if (input->size)
		return GSC_OK;
	err->status = GSC_FAILED;
	snprintf(err->what, sizeof(err->what), "%.200s", name);
	snprintf(err->why, sizeof(err->why), "no line has hexadecimal words");
	return GSC_FAILED;
}

/* ---- all of it ------------------------------------------------------------------------------- */

enum gsc_status eu_input_open(struct eu *eu, const char *path, struct gsc_error *err)
{
	struct eu_input *input = &eu->input;
	struct common *common = &eu->common;
	enum gsc_status status = held_open(common, path, looks_like_words, eu->format == EU_AUTO,
					   &input->file, err);

	if (status || common->source)
		return status;
	eu->has_input = true;
	if (eu->format == EU_TEXT ||
	    (eu->format == EU_AUTO && is_text(input->file.data, input->file.size)))
		return read_words(eu, input_name(path), err);
	input->data = input->file.data;
	input->size = input->file.size;
	if (eu->format != EU_AUTO || input->size < 4 || memcmp(input->data, "\177ELF", 4))
		return GSC_OK;
	/* A compiler's output has a section of instructions for each kernel. */
	err->status = GSC_FAILED;
	snprintf(err->what, sizeof(err->what), "%.200s", input_name(path));
	snprintf(err->why, sizeof(err->why), "an ELF file: take its instructions out of it; try: "
		 "objcopy -I elf64-little -O binary --only-section=.text.KERNEL %.300s KERNEL.bin",
		 input_name(path));
	return GSC_FAILED;
}

void eu_input_close(struct eu_input *input)
{
	held_close(&input->file);
	free(input->own);
}
