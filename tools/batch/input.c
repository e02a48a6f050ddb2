/* SPDX-License-Identifier: MIT */
/* The FILE of gpu-batch: a source of any kind, text of "OFFSET : VALUE" lines, or dwords. */
#include "gpu-batch.h"
#include "text/lines.h"

#include <stdlib.h>

#define BAD_LINES_TOLD 5

/* ---- text ----------------------------------------------------------------------------------- */

/* "[0x]HEX : [0x]HEX" and nothing else. */
static bool parse_line(struct slice line, uint64_t *offset, uint64_t *word)
{
	struct slice place = slice_trim(take_until(&line, ":"));

	return take_text(&line, ":") && slice_hex(place, offset) &&
	       slice_hex(slice_trim(line), word) && *word <= UINT32_MAX;
}

static bool looks_like_text(const uint8_t *data, size_t size)
{
	struct lines lines = { .data = data, .size = size };
	uint64_t offset, word;

	while (is_text(data, size) && lines_next(&lines))
		if (slice_length(lines.text))
			return parse_line(lines.text, &offset, &word);
	return false;
}

/* A dword continues where the previous one ended, or begins a new stretch. */
static enum gsc_status read_text(struct batch *batch, const char *name, const uint8_t *data,
				 size_t size, struct gsc_error *err)
{
	struct lines lines = { .data = data, .size = size };
	struct input *input = &batch->input;
	struct gsc_words *last = NULL;
	size_t used = 0, bad = 0;
	char what[300];

	while (lines_next(&lines)) {
		uint64_t offset, word;
		uint32_t *own;

		if (!slice_length(lines.text))
			continue;
		if (!parse_line(lines.text, &offset, &word)) {
			input->damaged = true;
			string_set(what, "%.200s:%zu", name, lines.number);
			if (bad++ < BAD_LINES_TOLD)
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
		*own = (uint32_t)word;
		last->count++;
	}
	if (!last) {
		err->status = GSC_FAILED;
		string_set(err->what, "%.200s", name);
		string_set(err->why, "no line is OFFSET : VALUE");
		return GSC_FAILED;
	}
	for (size_t i = 0; i < input->stretches.count; i++) {
		input->stretches.items[i].words = input->own.items + used;
		used += input->stretches.items[i].count;
	}
	return GSC_OK;
}

enum gsc_status input_open(struct common *common, struct gsc_error *err)
{
	struct batch *batch = (struct batch *)common;
	struct input *input = &batch->input;
	struct held_file *file = &input->file;
	const char *path = common->operands[0];
	enum gsc_status status = held_open(common, path, NULL, batch->format == FORMAT_AUTO, file,
					   err);

	if (status || common->source)
		return status;
	batch->has_input = true;
	if (batch->format == FORMAT_TEXT ||
	    (batch->format == FORMAT_AUTO && looks_like_text(file->data, file->size)))
		return read_text(batch, input_name(path), file->data, file->size, err);
	if (!vec_push(&input->stretches, (struct gsc_words){
		.words = (const uint32_t *)(const void *)file->data,
		.count = file->size / 4,
	}))
		return err_memory(err);
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
