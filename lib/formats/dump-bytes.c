/* SPDX-License-Identifier: MIT */
/*
 * The bytes of buffers in a driver's dump: base 85, compressed or not, and single dwords; now, or
 * when they are read. Compressed ones have no length in the dump: all are unpacked once, to count
 * them.
 */
#include "formats/dump.h"

#define STEP (64 << 10)			/* characters that are unpacked at a time */
#define LONG_LINE 60			/* only for base 85: it continues the previous line */
#define PAGE 4096

#define FEED 4096			/* bytes of zlib data: unpacked a thousand times as many */
#define WINDOW (4 << 20)		/* unpacked bytes of one stream, before the last FEED */
#define WINDOWS_MAX (UINT64_C(20) << 20)	/* of all: two are compared */

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
	if (!reading->dump->unpacker && !reading->no_unpacker) {
		struct gsc_error err;

		reading->dump->unpacker = unpacker_new(&err);
		reading->no_unpacker = !reading->dump->unpacker;
		if (reading->no_unpacker)
			source_note(reading->source, "%s: buffers left out: %s: %s",
				    reading->part->blob.name, err.what, err.why);
	}
	if (reading->no_unpacker)
		bytes->damaged = true;
	else if (!unpacker_begin(reading->dump->unpacker))
		reading->memory_out = true;
}

uint64_t dump_bytes_count(const struct dump_bytes *bytes)
{
	return bytes->dropped + bytes->bytes.count;
}

static uint64_t *kept_max(struct dump_reading *reading, const struct dump_bytes *bytes)
{
	return bytes->whole ? &reading->whole_max : &reading->kept_max;
}

static void unpack_some(struct dump_reading *reading, struct dump_bytes *bytes)
{
	size_t before = bytes->bytes.count, size = MIN(bytes->packed.count - bytes->fed,
						       (size_t)FEED);
	uint64_t limit = MIN(before + reading->unpacked_max, (uint64_t)SIZE_MAX / 4);

	switch (unpacker_feed(reading->dump->unpacker, bytes->packed.items + bytes->fed,
			      (unsigned)size, &bytes->bytes, (size_t)limit)) {
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
	bytes->fed += size;
	reading->unpacked_max -= MIN(reading->unpacked_max, bytes->bytes.count - before);
	if (!bytes->dropped && bytes->bytes.count <= *kept_max(reading, bytes))
		return;
	bytes->dropped += bytes->bytes.count;
	vec_free(&bytes->bytes);
}

void dump_bytes_text(struct dump_reading *reading, struct dump_bytes *bytes, struct slice text)
{
	byte_vec *out = bytes->zlib ? &bytes->packed : &bytes->bytes;

	bytes->length = slice_length(text);
	bytes->line = reading->lines.number;
	bytes->at = line_start(&reading->lines);
	/* Only what is needed: a text has at least five digits for each dword that is not zero. */
	if (!bytes->zlib && !bytes->bytes.items && slice_length(text) > STEP)
		bytes->bytes.items = malloc(bytes->bytes.room = slice_length(text) / 5 * 4 +
								STEP * 4);
	if (!bytes->bytes.items)
		bytes->bytes.room = 0;
	while (slice_length(text) && !bytes->damaged && !bytes->ended && !reading->memory_out) {
		size_t step = MIN(slice_length(text), (size_t)STEP);
		size_t good = ascii85_decode(&bytes->decoder, text.at, step, out);

		reading->memory_out |= bytes->decoder.memory_out;
		while (bytes->zlib && bytes->fed < bytes->packed.count && !bytes->ended &&
		       !bytes->damaged && !reading->memory_out)
			unpack_some(reading, bytes);
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

bool dump_bytes_continue(struct dump_reading *reading, struct dump_bytes *bytes)
{
	uint64_t held = dump_bytes_count(bytes);
	struct slice line = reading->lines.text;
	unsigned quotes = 0;

	if (!bytes->open || bytes->ended || bytes->damaged)
		return false;
	/* With no more quoting removed than from the line where they began. */
	while (quotes < bytes->quotes && line.at < line.end &&
	       (*line.at == '>' || is_blank(*line.at)))
		quotes += *line.at++ == '>';
	line = bytes->logged ? reading->line : slice_trim(line);
	/* A line that was not broken is not continued. */
	if (bytes->expected ? held >= bytes->expected :
	    !bytes->zlib && (bytes->length < LONG_LINE || (held % PAGE == 0 &&
			     !bytes->decoder.digits && slice_length(line) < LONG_LINE)))
		return false;
	if (line.at == line.end || slice_begins(line, "i915.") || slice_begins(line, "****"))
		return false;
	for (const char *at = line.at; at < line.end; at++)
		if (!is_ascii85(*at))
			return false;
	dump_bytes_text(reading, bytes, line);
	return true;
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

static void drop_window(struct dump *dump, struct dump_text *text)
{
	dump->unpacked -= text->bytes.count;
	text->from += text->bytes.count;
	text->bytes.count = 0;
}

/* More bytes behind those of the window, which gives way to them if it is full. */
static bool move_window(struct dump *dump, struct dump_text *text)
{
	size_t size = MIN(text->zlib.count - dump->fed, (size_t)FEED), before;
	enum unpacked result;

	if (text->bytes.count >= WINDOW && !text->decoded)
		drop_window(dump, text);
	before = text->bytes.count;
	if (!size || dump->again > dump->again_max)
		return false;
	result = unpacker_feed(dump->unpacker, text->zlib.items + dump->fed, (unsigned)size,
			       &text->bytes, SIZE_MAX / 4);
	dump->fed += size;
	dump->unpacked += text->bytes.count - before;
	dump->again += text->bytes.count - before;
	if (dump->again > dump->again_max)
		source_note(dump->source, "%s: line %zu: more than %llu MB unpacked while buffers "
			    "were read: further bytes are left out", dump->name, text->line,
			    LL(dump->again_max >> 20));
	dump->memory_out |= result == UNPACK_NO_MEMORY;
	return text->bytes.count > before || result == UNPACK_MORE || result == UNPACK_END;
}

static void stream_begin(struct dump *dump, struct dump_text *text)
{
	drop_window(dump, text);
	text->from = dump->fed = 0;
	dump->stream = unpacker_begin(dump->unpacker) ? text : NULL;
}

/* As a text that is decoded; false: there is no more room for such. */
static bool unpack_whole(struct dump *dump, struct dump_text *text)
{
	if (text->length > dump->whole_max)
		return false;
	stream_begin(dump, text);
	text->decoded = true;
	while (dump->stream && text->bytes.count < text->length && move_window(dump, text))
		;
	text->decoded = text->bytes.count >= text->length;
	if (!text->decoded)
		return false;
	dump->unpacked -= text->bytes.count;
	text->bytes.count = (size_t)text->length;
	dump->whole_max -= text->length;
	dump->stream = NULL;
	return true;
}

/* The unpacked bytes of a stream from there on, valid until another is read. */
static const uint8_t *window(struct dump *dump, struct dump_text *text, uint64_t at,
			     uint64_t *length)
{
	bool there = at >= text->from && at - text->from < text->bytes.count, full;

	if (!there && (dump->stream != text || at < text->from))
		stream_begin(dump, text);
	while (!there && dump->stream && move_window(dump, text))
		there = at - text->from < text->bytes.count;
	full = dump->unpacked > WINDOWS_MAX;
	for (size_t i = 0; full && i < dump->texts.count; i++) {
		struct dump_text *other = &dump->texts.items[i];

		if (!other->zlib.count || other->decoded || other == text)
			continue;
		drop_window(dump, other);
		vec_free(&other->bytes);
	}
	*length = there ? text->bytes.count - (at - text->from) : 0;
	return there ? text->bytes.items + (at - text->from) : NULL;
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

	*length = 0;
	if (!text->decoded && text->zlib.count && !unpack_whole(dump, text))
		return NULL;
	if (!text->decoded)
		decode(dump, text);
	*length = at < text->bytes.count ? text->bytes.count - at : 0;
	return *length ? text->bytes.items + at : NULL;
}

/* It may go on in the next text. */
static size_t packed_read(struct packed *packed, uint64_t offset, void *buf, size_t size)
{
	struct dump *dump = (struct dump *)packed;
	size_t done = 0;

	while (done < size) {
		struct dump_text *text = find_text(dump, offset + done);
		uint64_t at = offset + done - text->start, length;
		const uint8_t *data;

		if (at >= text->length)
			break;
		data = text->zlib.count ? window(dump, text, at, &length)
					: packed_bytes(packed, offset + done, &length);
		if (!data)
			break;
		length = MIN(MIN(length, text->length - at), size - done);
		memcpy((uint8_t *)buf + done, data, (size_t)length);
		done += (size_t)length;
	}
	return done;
}

/* ---- the end of them ------------------------------------------------------------------------ */

/* Another text of the dump's packed memory; its bytes follow those of the last one. */
static struct dump_text *add_text(struct dump_reading *reading, uint64_t length)
{
	struct dump *dump = reading->dump;
	const struct dump_text *last = dump->texts.count ?
		&dump->texts.items[dump->texts.count - 1] : NULL;
	uint64_t start = last ? last->start + last->length : 0;
	struct dump_text *added = vec_add(&dump->texts);

	reading->memory_out |= !added;
	if (!added)
		return NULL;
	*added = (struct dump_text){ .start = start, .length = length,
				     .line = reading->lines.number };
	dump->packed.read = packed_read;
	dump->packed.bytes = packed_bytes;
	dump->source = reading->source;
	dump->name = reading->part->blob.name;
	reading->part->packed = &dump->packed;
	return added;
}

/* What is packed stays, as short as it is. */
static void leave_packed(struct dump_reading *reading, struct dump_bytes *bytes, uint64_t *length,
			 uint64_t *packed)
{
	struct dump_text *text = add_text(reading, *length);
	uint8_t *fits;

	vec_free(&bytes->bytes);
	if (!text) {
		*length = 0;
		return;
	}
	fits = realloc(bytes->packed.items, bytes->packed.count);
	text->zlib = bytes->packed;
	text->zlib.items = fits ? fits : text->zlib.items;
	bytes->packed = (byte_vec){ 0 };
	*packed = text->start;
}

const uint8_t *dump_bytes_end(struct dump_reading *reading, struct dump_bytes *bytes,
			      uint64_t *length, unsigned *flags, uint64_t *packed)
{
	struct part *part = reading->part;
	bool later = bytes->dropped, zlib = bytes->zlib;
	uint64_t held = dump_bytes_count(bytes);
	uint8_t *data = NULL;
	bool cut = bytes->damaged || (bytes->decoder.digits && !bytes->ended) ||
		   held < bytes->expected;

	/* Some kernels did not end the stream, but they compressed whole pages. */
	cut |= zlib && !bytes->ended && held % PAGE;
	*flags = cut ? GSC_BUFFER_CUT : 0;
	if (*flags && !bytes->damaged) {
		reading->cut.at = reading->cut.count ? reading->cut.at : bytes->at;
		leave_out(&reading->cut, bytes->line);
	}
	*length = held;
	*packed = bytes->dropped = 0;
	if (later && bytes->whole) {
		dump_damage(reading, &reading->left);
		*length = 0;
	} else if (later) {
		leave_packed(reading, bytes, length, packed);
	}
	bytes->open = bytes->zlib = bytes->ended = bytes->damaged = false;
	bytes->expected = 0;
	bytes->decoder = (struct ascii85){ 0 };
	bytes->packed.count = bytes->fed = 0;
	if (!*length || later)
		return NULL;
	if (zlib)
		*kept_max(reading, bytes) -= bytes->bytes.count;
	data = realloc(bytes->bytes.items, bytes->bytes.count);
	data = data ? data : bytes->bytes.items;
	bytes->bytes.items = NULL;
	bytes->bytes.count = bytes->bytes.room = 0;
	if (part_own(part, data, free))
		return data;
	reading->memory_out = true;
	*length = 0;
	return NULL;
}

bool dump_bytes_later(struct dump_reading *reading, struct slice text, uint64_t expected,
		      uint64_t *packed)
{
	struct dump_text *added;

	if (!expected || ascii85_bytes(text.at, slice_length(text)) != expected)
		return false;
	added = add_text(reading, expected);
	if (!added)
		return false;
	added->text = text;
	*packed = added->start;
	return true;
}

const uint8_t *dump_buffer_data(struct dump *dump, struct dump_buffer *buffer)
{
	uint64_t length;

	if (buffer->data)
		return buffer->data;
	buffer->data = packed_bytes(&dump->packed, buffer->packed, &length);
	if (length < buffer->length && !find_text(dump, buffer->packed)->zlib.count) {
		buffer->length = length;
		buffer->flags |= GSC_BUFFER_CUT;
	}
	return buffer->data;
}

size_t dump_buffer_read(struct dump *dump, const struct dump_buffer *buffer, uint64_t offset,
			void *buf, size_t size)
{
	if (!buffer->data)
		return packed_read(&dump->packed, buffer->packed + offset, buf, size);
	memcpy(buf, buffer->data + offset, size);
	return size;
}
