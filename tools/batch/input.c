/* SPDX-License-Identifier: MIT */
/* The FILE of gpu-batch: a source of any kind, text of "OFFSET : VALUE" lines, or dwords. */
#include "gpu-batch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD_LINES_TOLD 5

/* ---- text ----------------------------------------------------------------------------------- */

static bool take_hex_number(const char **at, const char *end, uint64_t *value, unsigned digits)
{
	unsigned count = 0;

	if (end - *at > 2 && (*at)[0] == '0' && ((*at)[1] | 32) == 'x')
		*at += 2;
	*value = 0;
	while (*at < end && isxdigit((unsigned char)**at) && count++ < digits) {
		int c = **at | 32;

		*value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
		++*at;
	}
	return count && (*at == end || !isxdigit((unsigned char)**at));
}

/* What a line begins with does not matter; one of nothing else is left out. */
static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t' || **at == '\r'))
		++*at;
}

/* "[0x]HEX : [0x]HEX" and nothing else. */
static bool parse_line(const char *at, const char *end, uint64_t *offset, uint32_t *word)
{
	uint64_t value;

	skip_blanks(&at, end);
	if (!take_hex_number(&at, end, offset, 16))
		return false;
	skip_blanks(&at, end);
	if (at == end || *at++ != ':')
		return false;
	skip_blanks(&at, end);
	if (!take_hex_number(&at, end, &value, 8))
		return false;
	skip_blanks(&at, end);
	*word = (uint32_t)value;
	return at == end;
}

static bool looks_like_text(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *stop = at + size, *end;
	uint64_t offset;
	uint32_t word;

	if (!is_text(data, size))
		return false;
	for (; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end)
			end = stop;
		skip_blanks(&at, end);
		if (at < end)
			return parse_line(at, end, &offset, &word);
	}
	return false;
}

/* A dword continues where the previous one ended, or begins a new stretch. */
static enum gsc_status read_text(struct batch *batch, const char *name, const uint8_t *data,
				 size_t size, struct gsc_error *err)
{
	const char *at = (const char *)data, *stop = at + size, *end;
	struct input *input = &batch->input;
	struct gsc_words *last = NULL;
	size_t used = 0, bad = 0;
	char what[300];

	for (size_t line = 1; at < stop; at = end + 1, line++) {
		uint64_t offset;
		uint32_t word, *own;

		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end)
			end = stop;
		skip_blanks(&at, end);
		if (at == end)
			continue;
		if (!parse_line(at, end, &offset, &word)) {
			input->damaged = true;
			if (bad++ >= BAD_LINES_TOLD)
				continue;
			snprintf(what, sizeof(what), "%.200s:%zu", name, line);
			complain(&batch->common, GSC_PARTIAL, what,
				 "not OFFSET : VALUE, skipped");
			continue;
		}
		if (!last || offset != last->address + (uint64_t)last->count * 4) {
			last = vec_add(&input->stretches);
			if (last)
				*last = (struct gsc_words){ .address = offset };
		}
		own = last ? vec_add(&input->own) : NULL;
		if (!own)
			return err_memory(err);
		*own = word;
		last->count++;
	}
	if (!last) {
		err->status = GSC_FAILED;
		snprintf(err->what, sizeof(err->what), "%.200s", name);
		snprintf(err->why, sizeof(err->why), "no line is OFFSET : VALUE");
		return GSC_FAILED;
	}
	for (size_t i = 0; i < input->stretches.count; i++) {
		input->stretches.items[i].words = input->own.items + used;
		used += input->stretches.items[i].count;
	}
	return GSC_OK;
}

enum gsc_status input_open(struct batch *batch, const char *path, bool *is_source,
			   struct gsc_error *err)
{
	struct input *input = &batch->input;
	struct held_file *file = &input->file;
	struct gsc_words *all;
	enum gsc_status status = held_open(&batch->common, path, NULL,
					   batch->format == FORMAT_AUTO, file, err);

	*is_source = batch->common.source;
	if (status || *is_source)
		return status;
	batch->has_input = true;
	if (batch->format == FORMAT_TEXT ||
	    (batch->format == FORMAT_AUTO && looks_like_text(file->data, file->size)))
		return read_text(batch, input_name(path), file->data, file->size, err);
	all = vec_add(&input->stretches);
	if (!all)
		return err_memory(err);
	*all = (struct gsc_words){
		.words = (const uint32_t *)(const void *)file->data,
		.count = file->size / 4,
	};
	input->tail = file->size % 4;
	memcpy(input->tail_bytes, file->data + file->size - input->tail, input->tail);
	return GSC_OK;
}

void input_close(struct input *input)
{
	held_close(&input->file);
	vec_free(&input->stretches);
	vec_free(&input->own);
}
