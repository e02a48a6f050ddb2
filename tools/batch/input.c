/* SPDX-License-Identifier: MIT */
/* The FILE of gpu-batch: a source of any kind, text of "OFFSET : VALUE" lines, or dwords. */
#include "gpu-batch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD_LINES_TOLD 5

/* ---- text ----------------------------------------------------------------------------------- */

struct text {
	struct batch *batch;
	const char *name;
	size_t line, bad;
	size_t words, room, stretches, stretch_room;
};

static bool take_hex(const char **at, const char *end, uint64_t *value, unsigned digits)
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
	if (!take_hex(&at, end, offset, 16))
		return false;
	skip_blanks(&at, end);
	if (at == end || *at++ != ':')
		return false;
	skip_blanks(&at, end);
	if (!take_hex(&at, end, &value, 8))
		return false;
	skip_blanks(&at, end);
	*word = (uint32_t)value;
	return at == end;
}

static bool is_blank(const char *at, const char *end)
{
	skip_blanks(&at, end);
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
		if (!is_blank(at, end))
			return parse_line(at, end, &offset, &word);
	}
	return false;
}

/* A dword continues where the previous one ended, or begins a new stretch. */
static bool add_word(struct text *t, uint64_t offset, uint32_t word)
{
	struct input *input = &t->batch->input;
	struct gsc_words *last = t->stretches ? &input->stretches[t->stretches - 1] : NULL;

	if (t->words == t->room) {
		size_t room = t->room ? t->room * 2 : 4096;
		uint32_t *grown = reallocarray(input->own, room, sizeof(*grown));

		if (!grown)
			return false;
		input->own = grown;
		t->room = room;
	}
	if (!last || offset != last->address + (uint64_t)last->count * 4) {
		if (t->stretches == t->stretch_room) {
			size_t room = t->stretch_room ? t->stretch_room * 2 : 16;
			struct gsc_words *grown = reallocarray(input->stretches, room,
							     sizeof(*grown));

			if (!grown)
				return false;
			input->stretches = grown;
			t->stretch_room = room;
		}
		last = &input->stretches[t->stretches++];
		*last = (struct gsc_words){ .address = offset };
	}
	input->own[t->words++] = word;
	last->count++;
	return true;
}

static void bad_line(struct text *t)
{
	char what[300];

	t->batch->input.damaged = true;
	if (t->bad++ >= BAD_LINES_TOLD)
		return;
	snprintf(what, sizeof(what), "%.200s:%zu", t->name, t->line);
	complain(&t->batch->common, GSC_PARTIAL, what, "not OFFSET : VALUE, skipped");
}

static enum gsc_status read_text(struct batch *batch, const char *name, const uint8_t *data,
				 size_t size, struct gsc_error *err)
{
	struct text t = { .batch = batch, .name = name };
	const char *at = (const char *)data, *stop = at + size, *end;
	struct input *input = &batch->input;
	size_t used = 0;

	for (; at < stop; at = end + 1) {
		uint64_t offset;
		uint32_t word;

		end = memchr(at, '\n', (size_t)(stop - at));
		if (!end)
			end = stop;
		t.line++;
		if (is_blank(at, end))
			continue;
		if (!parse_line(at, end, &offset, &word))
			bad_line(&t);
		else if (!add_word(&t, offset, word))
			return err_memory(err);
	}
	if (!t.words) {
		err->status = GSC_FAILED;
		snprintf(err->what, sizeof(err->what), "%.200s", name);
		snprintf(err->why, sizeof(err->why), "no line is OFFSET : VALUE");
		return GSC_FAILED;
	}
	input->count = t.stretches;
	for (size_t i = 0; i < input->count; i++) {
		input->stretches[i].words = input->own + used;
		used += input->stretches[i].count;
	}
	return GSC_OK;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static enum gsc_status read_dwords(struct input *input, const uint8_t *data, size_t size,
				   struct gsc_error *err)
{
	input->stretches = calloc(1, sizeof(*input->stretches));
	if (!input->stretches)
		return err_memory(err);
	input->count = 1;
	input->stretches[0] = (struct gsc_words){
		.words = (const uint32_t *)(const void *)data,
		.count = size / 4,
	};
	input->tail = size % 4;
	memcpy(input->tail_bytes, data + size - input->tail, input->tail);
	return GSC_OK;
}

enum gsc_status input_open(struct batch *batch, const char *path, bool *is_source,
			   struct gsc_error *err)
{
	struct held_file *file = &batch->input.file;
	enum gsc_status status = held_open(&batch->common, path, NULL,
					   batch->format == FORMAT_AUTO, file, err);

	*is_source = batch->common.source;
	if (status || *is_source)
		return status;
	batch->has_input = true;
	if (batch->format == FORMAT_TEXT ||
	    (batch->format == FORMAT_AUTO && looks_like_text(file->data, file->size)))
		return read_text(batch, input_name(path), file->data, file->size, err);
	return read_dwords(&batch->input, file->data, file->size, err);
}

void input_close(struct input *input)
{
	gsc_source_close(input->file.holder);
	free(input->stretches);
	free(input->own);
}
