/* SPDX-License-Identifier: MIT */
/*
 * i915 error states of all ages (i915_debugfs.c of Linux 2.6.3x to 3.10, i915_gpu_error.c since),
 * unchanged or as mail and bug trackers left them. After "key: value" lines there are blocks:
 * "render command stream:" and the names and values of its registers; "rcs0 --- batch = 0x00000000
 * 00012000" and the bytes from there on, as "00000000 : 7a000003" lines, as "[0000] 1 2 3 4" rows,
 * or as base 85 after a `:` (compressed by zlib) or a `~`. It also reads the output of
 * intel_error_decode: "batch (render ring) at 0x00000000_00012000", "0x00012000: 0x7a000003:
 * PIPE_CONTROL".
 */
#include "db/platform.h"
#include "formats/readers.h"
#include "formats/capture.h"
#include "formats/dump.h"
#include "formats/facts.h"
#include "text/lines.h"

#include <ctype.h>

#define SCORE_BYTES (1 << 20)
#define SCORE_LINES 20000
#define DWORDS_MAX 4			/* of a row */

/* ---- lines ---------------------------------------------------------------------------------- */

enum line_kind {
	LINE_OTHER,
	LINE_ENGINE,			/* rcs0 command stream: */
	LINE_BUFFER,			/* rcs0 --- batch = 0x00000000 00012000 */
	LINE_PACKED,			/* :... or ~... */
	LINE_DWORDS,			/* 00000000 :  7a000003; [0000] 1 2 3 4 */
	LINE_DAMAGED,			/* one of these, truncated */
	LINE_BLOCK,			/* Pipe [0]: and others that are no engine's */
	LINE_KEY,			/* key: value */
};

struct line {
	enum line_kind kind;
	struct slice left, key, value;	/* left: the owner of the buffer or block */
	uint64_t address;		/* of a buffer; offset of dwords */
	uint32_t dwords[DWORDS_MAX];
	unsigned count;
	bool absolute;			/* the address is not an offset */
};

/* "00000000 :  7a000003": old dumps have little else, a million lines for a batch of 4 MiB. */
static bool parse_dword(struct slice text, struct line *line)
{
	uint32_t offset;

	if (slice_length(text) < 18 || !take_dword(&text, &offset))
		return false;
	take_blanks(&text);
	if (!take_text(&text, ":"))
		return false;
	take_blanks(&text);
	if (slice_length(text) != 8 || !take_dword(&text, &line->dwords[0]))
		return false;
	line->kind = LINE_DWORDS;
	line->address = offset;
	line->count = 1;
	return true;
}

/* "[0000] 00000001 00000002 00000003 00000004" */
static bool parse_row(struct slice text, struct line *line)
{
	const char *close = slice_char(slice_first(text, 12), ']');

	if (!close || *text.at != '[' ||
	    !slice_hex((struct slice){ text.at + 1, close }, &line->address))
		return false;
	text.at = close + 1;
	for (line->count = 0; line->count < DWORDS_MAX; line->count++)
		if (!take_text(&text, " ") || !take_dword(&text, &line->dwords[line->count]))
			break;
	if (!line->count || text.at != text.end)
		return false;
	line->kind = LINE_DWORDS;
	return true;
}

/* "0x00012000:      0x7a000003: PIPE_CONTROL", "0x00012000: HEAD 0x7a000003: ..." */
static bool parse_decoded(struct slice text, struct line *line)
{
	const char *colon = slice_char(slice_first(text, 20), ':');
	struct slice rest = { colon ? colon : text.end, text.end };
	const char *value = slice_find(slice_first(rest, 24), " 0x");

	if (!slice_begins(text, "0x") || !value ||
	    !slice_hex((struct slice){ text.at, colon }, &line->address))
		return false;
	rest.at = value + 3;
	if (!take_dword(&rest, &line->dwords[0]))
		return false;
	line->kind = LINE_DWORDS;
	line->count = 1;
	line->absolute = true;
	return true;
}

/* "batch (render ring) at 0x00000000_00012000; HEAD points to: ..." */
static bool parse_decoded_buffer(struct slice text, struct line *line)
{
	const char *open = slice_find(text, " ("), *at = slice_find(text, ") at 0x");
	struct dump_register number = { .value = 0 };

	if (!open || !at || at < open ||
	    !dump_number((struct slice){ at + 5, text.end }, &number) || !number.pair)
		return false;
	line->kind = LINE_BUFFER;
	line->key = (struct slice){ text.at, open };
	line->left = (struct slice){ open + 2, at };
	line->address = number.upper << 32 | number.value;
	return true;
}

/* "rcs0 --- batch = 0x00000000 00012000", "Semaphore page = 0x00011000" */
static bool parse_buffer(struct slice text, struct line *line)
{
	const char *dashes = slice_find(text, "--- "), *equals;
	struct dump_register number = { .value = 0 };

	if (dashes) {
		line->left = slice_trim((struct slice){ text.at, dashes });
		text = (struct slice){ dashes + 4, text.end };
	} else if (!slice_begins(text, "Semaphore page")) {
		return false;
	}
	equals = slice_char(text, '=');
	if (!equals)
		return false;
	line->key = slice_trim((struct slice){ text.at, equals });
	if (!dump_number(slice_trim((struct slice){ equals + 1, text.end }), &number))
		return false;
	line->address = number.pair ? number.upper << 32 | number.value : number.value;
	line->kind = LINE_BUFFER;
	return true;
}

static void parse_line(struct slice text, struct line *line)
{
	static const char capture[] = "GuC Error Capture on ";
	static const char *const blocks[] = {
		"Active [", "Pinned [", "Active (", "Pinned (", "vm[", "Pipe [", "Plane [",
		"Cursor [", "CPU transcoder", "Overlay", "GuC firmware", "HuC firmware",
		"available engines", "pipe [", "Transcoder",
	};
	const char *of;
	struct slice rest = text;
	uint32_t number;

	line->kind = LINE_OTHER;
	line->absolute = false;
	if (parse_dword(text, line) || parse_row(text, line) || parse_decoded(text, line))
		return;
	if (take_dword(&rest, &number) && (rest.at == rest.end || *rest.at == ' ')) {
		line->kind = LINE_DAMAGED;
		return;
	}
	if (*text.at == ':' || *text.at == '~') {
		line->kind = LINE_PACKED;
		return;
	}
	if (slice_length(text) > 512)
		return;
	line->left = (struct slice){ text.at, text.at };
	if (slice_ends(text, "command stream:")) {
		/* "rcs0 command stream:", "global --- GuC Error Capture on rcs0 command stream:" */
		of = slice_find(text, capture);
		line->left = (struct slice){ of ? of + strlen(capture) : text.at, text.end };
		line->kind = LINE_ENGINE;
		return;
	}
	if (parse_buffer(text, line) || parse_decoded_buffer(text, line))
		return;
	if (slice_begins_any(text, blocks, ARRAY_SIZE(blocks)) || slice_find(text, " --- ")) {
		line->left = text;
		line->kind = LINE_BLOCK;
	} else if (!slice_begins(text, "0x") && dump_split(text, &line->key, &line->value) &&
		   !slice_char(line->key, ',')) {
		line->kind = LINE_KEY;
	}
}

/* ---- is it one? ----------------------------------------------------------------------------- */

/* What only a line of an error state has: a bit each. */
static unsigned feature_of(const struct line *line)
{
	static const char *const keys[] = {
		"PCI ID", "PGTBL_ER", "GPU HANG", "fence[0]", "EIR", "IPEHR", "DERRMR", "ACTHD",
		"INSTDONE", "IOMMU enabled?", "Reset count", "FAULT_TLB_DATA", "RegListType",
	};

	if (line->kind == LINE_ENGINE)
		return 1;
	if (line->kind == LINE_BUFFER)
		return 2;
	if (line->kind != LINE_KEY)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (slice_is(line->key, keys[i]))
			return 4u << i;
	return slice_begins(line->key, "Active process (on ring") ? 1u << 31 : 0;
}

/* One heading is enough for a part of a dump; keys alone may be quoted anywhere. */
static unsigned score(const uint8_t *data, size_t size)
{
	struct dump_reading reading = { .lines = { .data = data,
						   .size = MIN(size, (size_t)SCORE_BYTES) } };
	unsigned features = 0, count;
	struct line line;

	if (!bytes_are_text(data, size))
		return 0;
	for (size_t i = 0; i < SCORE_LINES && dump_line(&reading); i++) {
		parse_line(reading.line, &line);
		features |= feature_of(&line);
		count = (unsigned)__builtin_popcount(features);
		if (count >= 4 && (features & 3 || count >= 6))
			return 100;
	}
	count = (unsigned)__builtin_popcount(features);
	if (features & 3)
		return count > 1 ? 90 : 75;
	return count >= 3 ? 80 : 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
	struct dump_reading r;
	uint8_t engine;			/* the engine whose registers follow, or 0 */
	bool indented;			/* like all lines of this engine's block */
	bool instance;			/* offsets in place of names count from the engine's base */
	struct slice block;		/* another block, whose keys are not registers */
	bool headed;			/* an engine has had a heading */
	bool rows;			/* its lines are not keys: "  02540000     4096 0050 ..." */
	bool display;			/* its keys are registers of a pipe, plane or cursor */
	bool in_buffer, decoded;
	struct slice left, name;	/* of the buffer */
	uint64_t address, next;		/* of the buffer; offset that comes next */
	struct left_out missing, damaged;	/* gaps in buffers; lines of dwords */
	struct dump_bytes bytes;
};

static const struct {
	const char *name;
	enum gsc_buffer_kind kind;
	bool process;
} buffer_kinds[] = {
	{ "batch", GSC_BUFFER_BATCH, true },
	{ "gtt_offset", GSC_BUFFER_BATCH, true },
	{ "user", GSC_BUFFER_USER, true },
	{ "ring", GSC_BUFFER_RING, false },
	{ "ringbuffer", GSC_BUFFER_RING, false },
	{ "HW context", GSC_BUFFER_CONTEXT, false },
	{ "NULL context", GSC_BUFFER_CONTEXT, false },
	{ "HW Status", GSC_BUFFER_HWSP, false },
	{ "WA batchbuffer", GSC_BUFFER_WA_BATCH, false },
	{ "WA context", GSC_BUFFER_WA_CONTEXT, false },
	{ "WA ctx batch buffer", GSC_BUFFER_WA_CONTEXT, false },
};

static void set_kind(const struct reading *s, struct dump_buffer *buffer)
{
	for (size_t i = 0; i < ARRAY_SIZE(buffer_kinds); i++) {
		if (!slice_named(s->name, buffer_kinds[i].name))
			continue;
		buffer->kind = buffer_kinds[i].kind;
		buffer->process = buffer_kinds[i].process;
	}
	if (buffer->kind == GSC_BUFFER_BATCH && slice_ends(s->left, "(w/a)")) {
		buffer->kind = GSC_BUFFER_WA_BATCH;
		buffer->process = false;
	}
}

/* What the GuC has logged is for its own tools. */
static const char *member_name(const struct reading *s)
{
	if (slice_is(s->name, "GuC log buffer"))
		return "guc-log.bin";
	return slice_is(s->name, "GuC CT buffer") ? "guc-ct.bin" : NULL;
}

/* Everything read so far becomes a buffer; `more`: a gap follows, and then more of it. */
static void end_buffer(struct reading *s, bool more)
{
	uint64_t length, packed;
	unsigned flags;
	const uint8_t *data = dump_bytes_end(&s->r, &s->bytes, &length, &flags, &packed);
	struct dump_buffer *buffer;

	if (!length)
		return;
	buffer = dump_add_buffer(&s->r, s->name, s->address + s->next - length);
	if (!buffer)
		return;
	set_kind(s, buffer);
	buffer->data = data;
	buffer->packed = packed;
	buffer->length = MIN(length, (UINT64_C(1) << 48) - buffer->address);
	buffer->flags = flags | (more ? GSC_BUFFER_CUT : 0);
	buffer->engine = dump_engine(&s->r, s->left);
	if (member_name(s))
		dump_add_member(&s->r, member_name(s), data, (size_t)length, (size_t)length);
}

static void close_buffer(struct reading *s)
{
	if (s->in_buffer && s->bytes.open)
		s->next = dump_bytes_count(&s->bytes);
	if (s->in_buffer)
		end_buffer(s, false);
	s->in_buffer = false;
}

static void take_dwords(struct reading *s, const struct line *line)
{
	uint64_t offset = line->absolute ? line->address - s->address : line->address;

	if (!s->in_buffer || s->bytes.open)
		return;
	s->decoded |= line->absolute;
	if (offset != s->next) {
		end_buffer(s, true);
		dump_damage(&s->r, &s->missing);
		s->next = offset;
	}
	for (unsigned i = 0; i < line->count; i++)
		dump_bytes_dword(&s->r, &s->bytes, line->dwords[i]);
	s->next += 4 * line->count;
}

static void take_packed(struct reading *s)
{
	struct dump_buffer buffer = { .kind = GSC_BUFFER_OTHER };
	struct slice text = s->r.line;

	if (!s->in_buffer || s->bytes.open || s->next)
		return;
	set_kind(s, &buffer);
	/* Who reads memory gets the others when they are unpacked. */
	s->bytes.whole = member_name(s) || (buffer.kind != GSC_BUFFER_OTHER &&
					    buffer.kind != GSC_BUFFER_USER);
	dump_bytes_begin(&s->r, &s->bytes, *text.at == ':', 0);
	dump_bytes_text(&s->r, &s->bytes, slice_from(text, 1));
}

/* ---- key: value ----------------------------------------------------------------------------- */

/* "INSTDONE", "RC PSMI", "SC_INSTDONE[0][1]", "GTIER gt 3", "REG-0x2034"; "ring->head" is prose. */
static bool is_in_capitals(struct slice words)
{
	const char *gt = slice_find(words, " gt ");
	size_t length = gt ? (size_t)(gt - words.at) : slice_length(words);

	for (size_t i = slice_begins(words, "REG-0x") ? length : 0; i < length; i++)
		if (islower((unsigned char)words.at[i]))
			return false;
	return isupper((unsigned char)*words.at);
}

static bool is_register(struct reading *s, struct slice key, struct slice value,
			struct dump_register *reg)
{
	struct slice digits = value;
	uint64_t fence;
	uint32_t number;

	*reg = (struct dump_register){ .key = key, .text = value, .offset = UINT32_MAX };
	if (slice_begins(key, "fence[") && slice_hex(value, &fence)) {
		reg->value = fence;
		return true;
	}
	/* intel_display_print_error_state() writes eight digits and no 0x. */
	if ((s->display || slice_is(key, "PWR_WELL_CTL2")) && slice_length(value) == 8 &&
	    is_in_capitals(key) && take_dword(&digits, &number)) {
		reg->value = number;
		reg->block = s->display ? s->block : (struct slice){ NULL, NULL };
		return true;
	}
	if (slice_length(s->block) || !is_in_capitals(key) || slice_begins(key, "PCI ") ||
	    !dump_number(value, reg))
		return false;
	/* Before engines had blocks, the values of the render engine had no heading. */
	reg->engine = s->engine;
	if (!s->engine && (slice_is(key, "ACTHD") || slice_is(key, "HEAD") ||
			   slice_is(key, "TAIL") || slice_is(key, "START")))
		reg->engine = dump_engine(&s->r, slice_string("rcs0"));
	if (slice_begins(key, "REG-0x")) {
		struct dump_register offset = { .value = 0 };

		if (!dump_number(slice_from(key, 4), &offset) || offset.value >= UINT32_MAX)
			return false;
		reg->offset = (uint32_t)offset.value;
		reg->relative = s->instance;
	}
	return true;
}

/* The driver's word for how processes see memory; the last one in a file is the most reliable. */
static void take_ppgtt(struct reading *s, struct slice key, struct slice value)
{
	enum dump_ppgtt *ppgtt = &s->r.dump->ppgtt;
	int digit = slice_length(value) == 1 ? *value.at - '0' : -1;

	if ((slice_is(key, "ppgtt-type") || slice_is(key, "i915.enable_ppgtt")) && digit >= 0 &&
	    digit <= 3)
		*ppgtt = digit > PPGTT_FULL ? PPGTT_FULL : (enum dump_ppgtt)digit;
	else if (slice_begins(key, "has_full_") && slice_find(key, "ppgtt") &&
		 slice_is(value, "yes"))
		*ppgtt = PPGTT_FULL;
	else if (slice_is(key, "has_aliasing_ppgtt") && slice_is(value, "yes") &&
		 *ppgtt == PPGTT_UNTOLD)
		*ppgtt = PPGTT_ALIASING;
}

/* "0x00000058 [0x00000000]": after HEAD and TAIL, where the hanging request begins and ends. */
static void take_request(struct reading *s, struct slice key, struct slice value)
{
	const char *open = slice_char(value, '[');
	bool head = slice_is(key, "HEAD");

	if (!s->engine || !open || (!head && !slice_is(key, "TAIL")))
		return;
	value = (struct slice){ open + 1, value.end };
	if (slice_ends(value, "]"))
		value.end--;
	key = head ? slice_string("request head") : slice_string("request tail");
	dump_property(&s->r, dump_engine_words(s->r.dump, s->engine), key, value);
}

/*
 * A state that ends with its fences lacks the driver's lines on engines, device and options:
 * somebody has removed them, or it was truncated.
 */
static void note_cut(struct reading *s)
{
	static const char no_engines[] = "it ends before the engines",
			  no_options[] = "it ends before the device and the driver's options";
	static const char *const options[] = { "has_", "is_", "i915." };
	const struct part *part = s->r.part;
	const struct dump *dump = s->r.dump;
	bool engines = s->headed || dump->buffers.count, last;
	struct slice kernel = part_says(part, "Kernel");
	uint64_t major, minor;

	if (!slice_length(kernel))
		return;
	/* From 4.15 on i915_gpu_error.c ends with device and options. */
	last = take_decimal(&kernel, &major) && take_text(&kernel, ".") &&
	       take_decimal(&kernel, &minor) && (major > 4 || (major == 4 && minor >= 15));
	for (size_t i = 0; i < part->properties.count; i++) {
		struct slice key = part->properties.items[i].key;

		if (slice_is(key, "gen") || slice_begins_any(key, options, ARRAY_SIZE(options)))
			return;
	}
	for (size_t i = 0; i < dump->registers.count; i++)
		engines |= dump->registers.items[i].engine != 0;
	if (!engines || last)
		dump_property(&s->r, slice_string(""), slice_string("cut"),
			      slice_string(engines ? no_options : no_engines));
}

static void take_key(struct reading *s, const struct line *line)
{
	struct slice prefix = s->block;
	struct part *part = s->r.part;
	struct dump_register reg;
	struct gsc_platform p;
	char name[32];
	static const char active[] = "Active process (on ring ";
	uint8_t engine;

	/* A key that was already in front of the blocks does not belong to the engine. */
	if (s->r.indented && s->engine)
		s->indented = true;
	else if (s->indented)
		s->engine = 0;
	if (!s->r.indented && slice_length(s->block) &&
	    (!slice_find(s->block, "uC firmware") || slice_begins(line->key, "GuC "))) {
		s->block.end = s->block.at;
		prefix = s->block;
		s->rows = s->display = false;
	}
	if (slice_is(line->key, "RegListType"))
		s->instance = slice_is(line->value, "Engine-Instance");
	dump_identity(&s->r, line->key, line->value);
	/* "Platform: TIGERLAKE"; a PCI id says more, but it may be cut off. */
	if (s->r.source->db && part->platform < 0 && slice_is(line->key, "Platform") &&
	    slice_copy(line->value, name, sizeof(name)) &&
	    !gsc_platform_find(s->r.source->db, name, &p, &(int){ 0 }, NULL))
		part->platform = (int)p.index;
	take_ppgtt(s, line->key, line->value);
	/* "Hang on rcs0", "stuck on render ring", "hangcheck: hung" */
	engine = driver_blames(line->key, line->value) ? s->engine : 0;
	if (slice_is(line->key, "GPU HANG"))
		engine = dump_engine(&s->r, driver_named_engine(line->value));
	if (engine)
		s->r.dump->engines.items[engine - 1].flags |= GSC_BUFFER_HUNG;
	/* "Active process (on ring vcs1): ffmpeg [3825]": a dump that is cut has nothing more. */
	engine = slice_begins(line->key, active) ?
		 dump_engine(&s->r, slice_from(line->key, strlen(active))) : 0;
	if (engine)
		dump_property(&s->r, dump_engine_words(s->r.dump, engine),
			      slice_string("active process"), line->value);
	take_request(s, line->key, line->value);
	if (is_register(s, line->key, line->value, &reg)) {
		dump_register(&s->r, &reg);
		return;
	}
	if (s->engine)
		prefix = dump_engine_words(s->r.dump, s->engine);
	dump_property(&s->r, prefix, line->key, line->value);
}

static void take_block(struct reading *s, const struct line *line)
{
	static const char *const displays[] = { "Pipe [", "Plane [", "Cursor [", "CPU transcoder" };
	static const char *const lists[] = { "Active ", "Pinned " };
	static const char overlay[] = "Overlay, ";
	const char *colon = slice_char(line->left, ':');
	struct slice key, value;

	close_buffer(s);
	s->engine = 0;
	s->block = line->left;
	s->display = slice_begins_any(line->left, displays, ARRAY_SIZE(displays));
	s->rows = slice_begins_any(line->left, lists, ARRAY_SIZE(lists)) ||
		  slice_ends(line->left, " requests") || slice_ends(line->left, " waiters");
	/* "GuC firmware: i915/tgl_guc_70.bin" */
	if (colon && slice_find(line->left, "uC firmware"))
		dump_property(&s->r, slice_string(""), (struct slice){ line->left.at, colon },
			      slice_trim((struct slice){ colon + 1, line->left.end }));
	/* "CPU transcoder: A" */
	if (colon && colon + 1 == line->left.end)
		s->block.end--;
	else if (colon && !s->display)
		s->block.end = colon;
	if (!slice_begins(line->left, overlay))
		return;
	s->block.end = s->block.at + strlen("Overlay");
	if (dump_split(slice_from(line->left, strlen(overlay)), &key, &value))
		dump_property(&s->r, s->block, key, value);
}

/* Lines of an engine without a colon; the rest of the line is the value. */
static void take_prose(struct reading *s)
{
	static const char *const beginnings[] = {
		"context timeline seqno", "No matching ee-node", "Missing GuC capture node for ",
		"i915-Eng-Lookup Fail!", "Has logical contexts?",
	};
	struct slice line = s->r.line, prefix = s->block;

	/* Instead of a heading. */
	if (slice_begins(line, beginnings[2]))
		s->engine = dump_engine(&s->r, slice_from(line, strlen(beginnings[2])));
	if (s->engine)
		prefix = dump_engine_words(s->r.dump, s->engine);
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
		struct slice key = slice_string(beginnings[i]), rest = line;

		if (take_text(&rest, beginnings[i]))
			dump_property(&s->r, prefix, slice_trim(key), slice_trim(rest));
	}
}

static void take_line(struct reading *s, const struct line *line)
{
	struct slice rest = s->r.line, key;

	/* "  02540000     4096 0050 0000 000c9559 dirty", "  seqno 0x000c9559, tail 0x40" */
	if (s->rows && (line->kind == LINE_OTHER || line->kind == LINE_DAMAGED ||
			(line->kind == LINE_KEY && s->r.indented))) {
		key = take_until(&rest, " ");
		dump_property(&s->r, s->block, key, slice_trim(rest));
		return;
	}
	switch (line->kind) {
	case LINE_ENGINE:
		close_buffer(s);
		s->headed = true;
		s->engine = dump_engine(&s->r, line->left);
		/* Registers of an unknown engine must not become those of another. */
		s->block = s->engine ? slice_string("") : line->left;
		s->rows = s->display = s->indented = s->instance = false;
		break;
	case LINE_BUFFER:
		close_buffer(s);
		s->in_buffer = true;
		s->left = line->left;
		s->name = line->key;
		s->address = line->address;
		s->next = 0;
		s->engine = 0;
		s->block = slice_string("");
		s->decoded = s->rows = s->display = false;
		break;
	case LINE_PACKED:
		take_packed(s);
		break;
	case LINE_DWORDS:
		take_dwords(s, line);
		break;
	case LINE_BLOCK:
		take_block(s, line);
		break;
	case LINE_KEY:
		if (s->in_buffer && (slice_is(line->key, "gtt_page_sizes") ||
				     (s->decoded && slice_is(line->key, "ERROR"))))
			break;
		close_buffer(s);
		take_key(s, line);
		break;
	case LINE_DAMAGED:
		if (s->in_buffer && !s->bytes.open)
			dump_damage(&s->r, &s->damaged);
		break;
	case LINE_OTHER:
		take_prose(s);
		break;
	}
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct reading s = { .engine = 0 };
	struct line line;

	if (!dump_begin(&s.r, source, part))
		return err_memory(err);
	while (dump_line(&s.r)) {
		if (dump_bytes_continue(&s.r, &s.bytes))
			continue;
		parse_line(s.r.line, &line);
		take_line(&s, &line);
	}
	close_buffer(&s);
	note_cut(&s);
	vec_free(&s.bytes.bytes);
	vec_free(&s.bytes.packed);
	note_left_out(source, part, &s.damaged, "a damaged line of dwords, left out");
	note_left_out(source, part, &s.missing, "dwords are missing before this line");
	return dump_end(&s.r, err);
}

/* ---- in a pasted text ----------------------------------------------------------------------- */

static bool is_own(struct slice line)
{
	static const char *const words[] = {
		"PCI ID: 0x", "EIR: 0x", "PGTBL_ER: 0x", "DERRMR: 0x", "Active process (on ring",
		"fence[0] = ", "IPEHR: 0x", "render command stream:", "rcs0 command stream:",
	};

	return slice_begins_any(line, words, ARRAY_SIZE(words)) ||
	       slice_find(slice_first(line, 80), "command stream:");
}

/*
 * "GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]" begins an error state if the next lines are the
 * driver's kernel and time; alone it is from a log.
 */
static bool begins(const struct lines *line)
{
	static const char *const next[] = {
		"Kernel:", "Driver:", "Time:", "Boottime:", "Uptime:", "Capture:", "Epoch:",
		"Active process", "Reset count:", "Suspend count:", "Platform:", "Subplatform:",
	};
	struct lines after = *line;

	if (!slice_begins(line->text, "GPU HANG: ecode "))
		return is_own(line->text);
	do {
		if (!lines_next(&after))
			return false;
	} while (after.text.at == after.text.end);
	take_blanks(&after.text);
	return slice_begins_any(after.text, next, ARRAY_SIZE(next)) || is_own(after.text);
}

const struct reader reader_error_state = {
	"i915 error state", GSC_SOURCE_ERROR_STATE, score, load,
	.hang = true,
	.i915_names = true,
	.holds_log = true,
	.file = CAPTURE_ERROR_STATE,
	.begins = begins,
};
