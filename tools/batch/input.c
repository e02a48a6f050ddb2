/* SPDX-License-Identifier: MIT */
/*
 * The FILE of gpu-batch: a source of whatever kind, or text of "OFFSET : VALUE" lines, or dwords.
 * Standard input is kept in memory, so that it can be looked at more than once.
 */
#include "batch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 4096
#define BAD_LINES_TOLD 5

/* ---- bytes ---------------------------------------------------------------------------------- */

static enum gsc_status input_failed(struct gsc_error *err, const char *path)
{
	snprintf(err->what, sizeof(err->what), "%.200s", path);
	snprintf(err->why, sizeof(err->why), "%s", strerror(errno));
	return err->status = GSC_FAILED;
}

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/* A file of nobody's format is held as if it were memory; what is packed is unpacked. */
static enum gsc_status hold_bytes(struct batch *batch, const char *path, const uint8_t **data,
				  size_t *size, struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = batch->common.db,
		.platform = batch->common.platform_name ? batch->common.platform_name : "brw",
		.registers = GSC_REGISTERS_NONE,
		.temporary = outside_temporary,
		.context = batch,
	};
	const char *spec;
	enum gsc_status status;
	char text[4200];

	snprintf(text, sizeof(text), "mem:%s@0", path);
	spec = text;
	status = gsc_source_open(&batch->input.holder, &spec, 1, &options, err);
	if (status)
		return status;
	*data = gsc_span(batch->input.holder, GSC_PHYS, 0, size);
	if (!*data)
		*size = 0;
	return GSC_OK;
}

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

static bool printable(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size && i < HEAD; i++)
		if ((data[i] < 0x20 && !strchr("\t\n\r", data[i])) || data[i] >= 0x7f || !data[i])
			return false;
	return size;
}

static bool looks_like_text(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *stop = at + size, *end;
	uint64_t offset;
	uint32_t word;

	if (!printable(data, size))
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

/* A dword goes on where the one before ended, or begins a new stretch. */
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
			return memory_error(err);
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
		return memory_error(err);
	input->count = 1;
	input->stretches[0] = (struct gsc_words){
		.words = (const uint32_t *)(const void *)data,
		.count = size / 4,
	};
	input->tail = size % 4;
	memcpy(input->tail_bytes, data + size - input->tail, input->tail);
	return GSC_OK;
}

static enum gsc_status open_as_source(struct batch *batch, const char *path, struct gsc_error *err)
{
	struct common *common = &batch->common;
	const char **specs = calloc(common->from.count + 1, sizeof(*specs));
	enum gsc_status status;

	if (!specs)
		return memory_error(err);
	specs[0] = path;
	for (size_t i = 0; i < common->from.count; i++)
		specs[i + 1] = common->from.items[i];
	status = source_open(common, specs, common->from.count + 1, false, &common->source, err);
	free(specs);
	return status;
}

enum gsc_status input_open(struct batch *batch, const char *path, bool *is_source,
			   struct gsc_error *err)
{
	const char *name = input_name(path);
	bool standard = name != path;
	char kept[64] = "";
	enum gsc_status status = file_reopenable(path, kept, sizeof(kept), err);
	const uint8_t *data;
	size_t size;

	if (status)
		return status;
	if (*kept)
		path = kept;
	*is_source = false;
	if (batch->format == FORMAT_AUTO) {
		status = open_as_source(batch, path, err);
		*is_source = !status;
		if (!status || status != GSC_FAILED || !strstr(err->why, "not recognised"))
			return status;
		*err = (struct gsc_error){ 0 };
		if (standard && lseek(STDIN_FILENO, 0, SEEK_SET))
			return input_failed(err, name);
	}
	status = hold_bytes(batch, path, &data, &size, err);
	if (status)
		return status;
	batch->has_input = true;
	if (batch->format == FORMAT_TEXT ||
	    (batch->format == FORMAT_AUTO && looks_like_text(data, size)))
		return read_text(batch, name, data, size, err);
	return read_dwords(&batch->input, data, size, err);
}

void input_close(struct input *input)
{
	gsc_source_close(input->holder);
	free(input->stretches);
	free(input->own);
}
