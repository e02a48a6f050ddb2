/* SPDX-License-Identifier: MIT */
/*
 * The FILE of gpu-eu: a source, or bytes, or text of hexadecimal words as xxd, hexdump, od, dumps
 * of drivers and programmers write them. The number of digits says what a word is: two are a byte,
 * four are 16 bits, eight a dword; more than 16 are bytes.
 */
#include "gpu-eu.h"
#include "text/lines.h"

#define BAD_LINES_TOLD 5

struct line {
	struct slice rest;
	bool colon;			/* an offset with a colon was in front */
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_between(char c)
{
	return c && strchr(" \t\r,;{}", c);
}

/* The digits of the next word, and its length with "0x"; 0: it is no number. */
static unsigned digits_of(struct slice line, size_t *length)
{
	const bool prefixed = slice_has_0x(line);
	struct slice rest = slice_from(line, prefixed ? 2 : 0);
	size_t digits = slice_length(take_while(&rest, is_hex));

	*length = (size_t)(rest.at - line.at);
	if (rest.at < rest.end && !is_between(*rest.at) && *rest.at != ':' && *rest.at != ']')
		return 0;
	return prefixed && digits > 16 ? 0 : (unsigned)digits;
}

/* "00000010:", "[0x10]", "0000020". */
static void skip_offset(struct line *line)
{
	struct slice next = line->rest;
	bool bracket = take_text(&next, "["), prefixed;
	unsigned digits, second;
	size_t length;

	digits = digits_of(next, &length);
	prefixed = length != digits;
	next.at += length;
	if (!digits)
		return;
	if (bracket)
		take_text(&next, "]");
	take_while(&next, is_between);
	line->colon = slice_begins(next, ":");
	second = digits_of(next, &length);
	/* Without them, numbers of digits and "0x" tell an offset from the word after it. */
	if (bracket || line->colon ||
	    (second && (prefixed ? length == second
				 : digits == 5 || digits == 6 || digits == 7 ||
					   (digits == 8 && second <= 4))))
		line->rest.at = next.at + line->colon;
}

/*
 * The words of a line, into room for half as many bytes as it has characters and 8 more. Anything
 * else ends them; after an offset of xxd, so do two blanks.
 */
static size_t take_words(struct slice text, uint8_t *to)
{
	struct line line = { .rest = text };
	uint8_t *const begin = to;

	take_while(&line.rest, is_between);
	skip_offset(&line);
	for (bool first = true;; first = false) {
		const char *before = line.rest.at, *word;
		unsigned digits, bytes;
		uint64_t value;
		size_t length;
		bool in_order;

		take_while(&line.rest, is_between);
		word = line.rest.at;
		digits = digits_of(line.rest, &length);
		if (!digits || (word + length < line.rest.end && !is_between(word[length])))
			break;
		line.rest.at += length;
		/* "4000600028b8": two digits per byte, as xxd -p writes them. */
		if (digits > 16 && digits % 2 == 0) {
			for (unsigned i = 0; i < digits; i += 2, *to++ = (uint8_t)value)
				slice_hex(slice_of(word + i, 2), &value);
			continue;
		}
		if (length == digits && digits != 2 && digits != 4 && digits != 8 && digits != 16)
			break;
		bytes = digits == 2 ? 1 : digits == 4 ? 2 : digits > 8 ? 8 : 4;
		if (!first && line.colon && bytes <= 2 && word - before > 1)
			break;
		slice_hex(slice_of(word, length), &value);
		in_order = bytes == 2 && line.colon && length == digits;
		for (unsigned i = 0; i < bytes; i++)
			*to++ = (uint8_t)(value >> (in_order ? bytes - 1 - i : i) * 8);
	}
	return (size_t)(to - begin);
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool is_comment(struct slice line)
{
	take_while(&line, is_between);
	return line.at == line.end || *line.at == '#' || slice_begins(line, "//");
}

/* Its first line has words, and only what a dump prints next to them. */
static bool looks_like_words(const uint8_t *data, size_t size)
{
	struct lines lines = { .data = data, .size = size };
	uint8_t bytes[512];

	while (is_text(data, size) && lines_next(&lines))
		if (!is_comment(lines.text))
			return slice_length(lines.text) < 400 && take_words(lines.text, bytes) >= 4;
	return false;
}

/* hexdump and od end with an offset, od's in octal. */
static bool is_end(struct slice line, size_t size)
{
	struct slice digits = take_while(&line, is_hex);
	uint64_t hex = 0, octal = 0;

	for (const char *at = digits.at; at < digits.end; at++)
		octal = octal << 3 | (*at & 7);
	return slice_length(digits) >= 6 && line.at == line.end && slice_hex(digits, &hex) &&
	       (hex == size || octal == size);
}

/* ---- all of it ------------------------------------------------------------------------------- */

enum gsc_status eu_input_open(struct common *common, struct gsc_error *err)
{
	struct eu *eu = (struct eu *)common;
	struct eu_input *input = &eu->input;
	const char *path = common->operands[0];
	enum gsc_status status = held_open(common, path, looks_like_words, eu->format == EU_AUTO,
					   &input->file, err);

	if (status || common->source)
		return status;
	eu->has_input = true;
	if (eu->format == EU_TEXT ||
	    (eu->format == EU_AUTO && is_text(input->file.data, input->file.size))) {
		const char *name = input_name(path);
		struct lines lines = { .data = input->file.data, .size = input->file.size };
		size_t bad = 0;
		char what[300];

		/* "0x1 " has four characters and four bytes; nothing has more. */
		input->own = malloc(input->file.size + 8);
		if (!input->own)
			return err_memory(err);
		input->data = input->own;
		while (lines_next(&lines)) {
			size_t got;

			if (is_comment(lines.text) || is_end(lines.text, input->size))
				continue;
			got = take_words(lines.text, input->own + input->size);
			input->size += got;
			if (got)
				continue;
			input->damaged = true;
			string_set(what, "%.200s:%zu", name, lines.number);
			if (bad++ < BAD_LINES_TOLD)
				complain(&eu->common, GSC_PARTIAL, what,
					 *lines.text.at == '*' ? "lines are missing here: run "
								 "hexdump or od with -v, so "
								 "that it prints all of them"
							       : "no hexadecimal words, skipped");
		}
		if (input->size)
			return GSC_OK;
		return err_set(err, GSC_FAILED, name, "no line has hexadecimal words");
	}
	input->data = input->file.data;
	input->size = input->file.size;
	if (eu->format != EU_AUTO || input->size < 4 || memcmp(input->data, "\177ELF", 4))
		return GSC_OK;
	/* A compiler's output has a section of instructions for each kernel. */
	return err_set(err, GSC_FAILED, input_name(path), "an ELF file: take its instructions out "
		       "of it; try: objcopy -I elf64-little -O binary "
		       "--only-section=.text.KERNEL %.300s KERNEL.bin", input_name(path));
}

void eu_input_close(struct eu_input *input)
{
	held_close(&input->file);
	free(input->own);
}
