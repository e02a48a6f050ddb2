/* SPDX-License-Identifier: MIT */
/*
 * The bytes of buffers in a driver's dump: base 85, compressed or not, and single dwords; now, or
 * when they are read.
 */
#include "formats/dump.h"

#define STEP (64 << 10)			/* characters that are unpacked at a time */
#define LONG_LINE 60			/* only for base 85: it continues the previous line */
#define PAGE 4096

void dump_bytes_begin(struct dump_reading *reading, struct dump_bytes *bytes, bool zlib,
		      uint64_t expected)
{
	bytes->decoder = (struct ascii85){ 0 };
	bytes->open = true;
	bytes->zlib = zlib;
	bytes->ended = bytes->damaged = false;
	bytes->quotes = reading->quotes;
	bytes->logged = reading->logged;
	bytes->expected = expected;
	if (!zlib)
		return;
	if (!reading->unpacker && !reading->no_unpacker) {
		struct gsc_error err;

		reading->unpacker = unpacker_new(&err);
		reading->no_unpacker = !reading->unpacker;
		if (reading->no_unpacker)
			source_note(reading->source, "%s: buffers left out: %s: %s",
				    reading->part->blob.name, err.what, err.why);
	}
	if (reading->no_unpacker)
		bytes->damaged = true;
	else if (!unpacker_begin(reading->unpacker))
		reading->memory_out = true;
}

static void unpack(struct dump_reading *reading, struct dump_bytes *bytes)
{
	size_t before = bytes->bytes.count;
	uint64_t limit = MIN(before + reading->unpacked_max, (uint64_t)SIZE_MAX / 4);

	switch (unpacker_feed(reading->unpacker, bytes->packed.items,
			      (unsigned)bytes->packed.count, &bytes->bytes, (size_t)limit)) {
	case UNPACK_MORE:
		break;
	case UNPACK_END:
		bytes->ended = true;
		break;
	case UNPACK_DAMAGED:
		bytes->damaged = true;
		dump_damage(reading, &reading->packed);
		break;
	case UNPACK_FULL:
		bytes->damaged = true;
		dump_damage(reading, &reading->bomb);
		break;
	case UNPACK_NO_MEMORY:
		reading->memory_out = true;
		break;
	}
	reading->unpacked_max -= MIN(reading->unpacked_max, bytes->bytes.count - before);
	bytes->packed.count = 0;
}

/* Reserves only what is needed: a text has at least five digits for each dword that is not zero. */
static void reserve(struct dump_bytes *bytes, size_t characters)
{
	if (!bytes->zlib && !bytes->bytes.items && characters > STEP)
		bytes->bytes.items = malloc(bytes->bytes.room = characters / 5 * 4 + STEP * 4);
	if (!bytes->bytes.items)
		bytes->bytes.room = 0;
}

void dump_bytes_text(struct dump_reading *reading, struct dump_bytes *bytes, struct slice text)
{
	byte_vec *out = bytes->zlib ? &bytes->packed : &bytes->bytes;

	bytes->length = slice_length(text);
	bytes->line = reading->lines.number;
	bytes->at = line_start(&reading->lines);
	reserve(bytes, slice_length(text));
	while (slice_length(text) && !bytes->damaged && !bytes->ended && !reading->memory_out) {
		size_t step = MIN(slice_length(text), (size_t)STEP);
		size_t good = ascii85_decode(&bytes->decoder, text.at, step, out);

		reading->memory_out |= bytes->decoder.memory_out;
		if (bytes->zlib && out->count)
			unpack(reading, bytes);
		if (good < step && !bytes->ended && !bytes->damaged && !reading->memory_out) {
			bytes->damaged = true;
			dump_damage(reading, &reading->text);
		}
		text.at += good;
	}
}

void dump_bytes_dword(struct dump_reading *reading, struct dump_bytes *bytes, uint32_t dword)
{
	uint8_t *at;

	if (!vec_reserve(&bytes->bytes, 4)) {
		reading->memory_out = true;
		return;
	}
	at = bytes->bytes.items + bytes->bytes.count;
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(dword >> 8 * i);
	bytes->bytes.count += 4;
}

/* The line, with no more quoting removed than from the line where they began. */
static struct slice raw_line(const struct dump_reading *reading, const struct dump_bytes *bytes)
{
	struct slice raw = reading->lines.text;
	unsigned quotes = 0;

	if (bytes->logged)
		return reading->line;
	while (quotes < bytes->quotes && raw.at < raw.end && (*raw.at == '>' || is_blank(*raw.at)))
		quotes += *raw.at++ == '>';
	return slice_trim(raw);
}

static bool goes_on(const struct dump_bytes *bytes, struct slice line)
{
	size_t held = bytes->bytes.count;

	/* A line that was not broken is not continued. */
	if (bytes->expected ? held >= bytes->expected :
	    !bytes->zlib && (bytes->length < LONG_LINE || (held % PAGE == 0 &&
			     !bytes->decoder.digits && slice_length(line) < LONG_LINE)))
		return false;
	if (slice_begins(line, "i915.") || slice_begins(line, "****"))
		return false;
	for (const char *at = line.at; at < line.end; at++)
		if (!is_ascii85(*at))
			return false;
	return line.at < line.end;
}

bool dump_bytes_continue(struct dump_reading *reading, struct dump_bytes *bytes)
{
	struct slice line;

	if (!bytes->open || bytes->ended || bytes->damaged)
		return false;
	line = raw_line(reading, bytes);
	if (!goes_on(bytes, line))
		return false;
	dump_bytes_text(reading, bytes, line);
	return true;
}

static unsigned damage_flags(const struct dump_bytes *bytes)
{
	size_t held = bytes->bytes.count;
	bool cut = bytes->damaged || (bytes->decoder.digits && !bytes->ended) ||
		   held < bytes->expected;

	/* Some kernels did not end the stream, but they compressed whole pages. */
	if (bytes->zlib && !bytes->ended && held % PAGE)
		cut = true;
	return cut ? GSC_BUFFER_CUT : 0;
}

const uint8_t *dump_bytes_end(struct dump_reading *reading, struct dump_bytes *bytes,
			      uint64_t *length, unsigned *flags)
{
	struct part *part = reading->part;
	uint8_t *data = NULL;

	*flags = damage_flags(bytes);
	if (*flags && !bytes->damaged && !reading->cut.count++) {
		reading->cut.line = bytes->line;
		reading->cut.at = bytes->at;
	}
	*length = bytes->bytes.count;
	bytes->open = bytes->zlib = bytes->ended = bytes->damaged = false;
	bytes->expected = 0;
	bytes->decoder = (struct ascii85){ 0 };
	bytes->packed.count = 0;
	if (!*length)
		return NULL;
	data = realloc(bytes->bytes.items, bytes->bytes.count);
	data = data ? data : bytes->bytes.items;
	bytes->bytes.items = NULL;
	bytes->bytes.count = bytes->bytes.room = 0;
	if (part_own(part, data, free))
		return data;
	reading->memory_out = true;
	return NULL;
}

/* ---- what is decoded when it is read -------------------------------------------------------- */

/* What is wrong is noted when somebody reads it: nobody may. */
static void decode(struct dump *dump, struct dump_text *text)
{
	struct ascii85 decoder = { 0 };
	size_t length = slice_length(text->text), good;
	uint8_t *fits;

	text->decoded = true;
	vec_reserve(&text->bytes, (size_t)text->length + 4 * MIN(length, (size_t)STEP));
	good = ascii85_decode(&decoder, text->text.at, length, &text->bytes);
	fits = text->bytes.count ? realloc(text->bytes.items, text->bytes.count) : NULL;
	if (fits) {
		text->bytes.items = fits;
		text->bytes.room = text->bytes.count;
	}
	dump->memory_out |= decoder.memory_out;
	if (good < length || text->bytes.count < text->length)
		source_note(dump->source, "%s: line %zu: %s", dump->name, text->line,
			    decoder.memory_out ? "not enough memory for its bytes"
					       : "not base 85: the buffer ends there");
}

/* The text with the byte at an offset. */
static struct dump_text *find_text(struct dump *dump, uint64_t offset)
{
	size_t low = 0, high = dump->texts.count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (dump->texts.items[middle].start <= offset)
			low = middle;
		else
			high = middle;
	}
	return &dump->texts.items[low];
}

static const uint8_t *packed_bytes(struct packed *packed, uint64_t offset, uint64_t *length)
{
	struct dump *dump = (struct dump *)packed;
	struct dump_text *text = find_text(dump, offset);
	uint64_t at = offset - text->start;

	if (!text->decoded)
		decode(dump, text);
	*length = at < text->bytes.count ? text->bytes.count - at : 0;
	return *length ? text->bytes.items + at : NULL;
}

/* It may go on in the next text. */
static size_t packed_read(struct packed *packed, uint64_t offset, void *buf, size_t size)
{
	const uint8_t *data;
	uint64_t length;
	size_t done = 0;

	while (done < size && (data = packed_bytes(packed, offset + done, &length))) {
		length = MIN(length, size - done);
		memcpy((uint8_t *)buf + done, data, (size_t)length);
		done += (size_t)length;
	}
	return done;
}

bool dump_bytes_later(struct dump_reading *reading, struct slice text, uint64_t expected,
		      uint64_t *packed)
{
	struct dump *dump = reading->dump;
	const struct dump_text *last = dump->texts.count ?
		&dump->texts.items[dump->texts.count - 1] : NULL;
	struct dump_text *added;

	*packed = last ? last->start + last->length : 0;
	if (!expected || ascii85_bytes(text.at, slice_length(text)) != expected)
		return false;
	added = vec_add(&dump->texts);
	reading->memory_out |= !added;
	if (!added)
		return false;
	*added = (struct dump_text){ .start = *packed, .length = expected, .text = text,
				     .line = reading->lines.number };
	dump->packed.read = packed_read;
	dump->packed.bytes = packed_bytes;
	dump->source = reading->source;
	dump->name = reading->part->blob.name;
	reading->part->packed = &dump->packed;
	return true;
}

const uint8_t *dump_buffer_data(struct dump *dump, struct dump_buffer *buffer)
{
	uint64_t length;

	if (buffer->data)
		return buffer->data;
	buffer->data = packed_bytes(&dump->packed, buffer->packed, &length);
	if (length < buffer->length) {
		buffer->length = length;
		buffer->flags |= GSC_BUFFER_CUT;
	}
	return buffer->data;
}
