/* SPDX-License-Identifier: MIT */
/*
 * What i915 prints about an engine (gt/intel_engine_cs.c, intel_engine_dump(), of Linux 4.15 and
 * later), in its log or in a file of debugfs (i915_engine_info, gt0/engines):
 *   heartbeat rcs0 heartbeat {seqno:8:1, prio:-8} not ticking
 *   heartbeat       RING_START: 0x00012000
 * The log has it at a hang, when the driver gives up on the GPU, and when an engine does not come
 * to rest; the first word is that of drm_dbg_printer(). devcoredump.c reads those of xe.
 */
#include "formats/readers.h"
#include "db/engine.h"
#include "formats/capture.h"
#include "formats/dump.h"

#define ANCHOR "RING_START: 0x"
#define SCORE_BYTES (16 << 20)
#define SCORE_ANCHORS 8
#define BLOCK_BYTES (64 << 10)		/* the requests of an engine, between its name and this */

/* intel_engine_print_registers() prints RING_MI_MODE as RING_MODE. */
static const char *const keys[] = {
	"CCID", "EL_STAT_HI", "EL_STAT_LO", "RING_START", "RING_HEAD", "RING_TAIL", "RING_CTL",
	"RING_MODE", "SYNC_0", "SYNC_1", "SYNC_2", "RING_IMR", "RING_ESR", "RING_EMR", "RING_EIR",
	"ACTHD", "BBADDR", "DMA_FADDR", "IPEIR", "IPEHR", "PP_DIR_BASE", "PP_DIR_BASE_READ",
	"PP_DIR_DCLV",
};

enum line_kind { LINE_OTHER, LINE_ENGINE, LINE_REGISTER, LINE_STATUS, LINE_BASE };

struct reading {
	struct dump_reading r;
	uint8_t engine;			/* the engine whose lines follow, or 0 */
	bool has[UINT8_MAX + 1];	/* registers of that engine */
};

/* ---- lines ---------------------------------------------------------------------------------- */

/* "rcs0", "rcs'0", "rcs0 heartbeat {...} not ticking" */
static bool is_header(struct slice text, bool *stopped)
{
	char name[ENGINE_NAME];

	*stopped = false;
	if (!take_engine(&text, name) || !is_digit(text.at[-1]))
		return false;
	*stopped = slice_begins(text, " heartbeat ");
	return text.at == text.end || *stopped;
}

static enum line_kind classify(struct slice text, size_t *row, struct slice *value)
{
	struct slice key;
	bool stopped;

	if (is_header(text, &stopped))
		return LINE_ENGINE;
	if (!dump_split(text, &key, value))
		return LINE_OTHER;
	if (slice_is(key, "Execlist status"))
		return LINE_STATUS;
	if (slice_is(key, "MMIO base"))
		return LINE_BASE;
	for (*row = 0; *row < ARRAY_SIZE(keys); ++*row)
		if (slice_is(key, keys[*row]))
			return LINE_REGISTER;
	return LINE_OTHER;
}

/* The line without its first word, which is in *word, or empty. */
static enum line_kind take_apart(struct slice *text, struct slice *word, size_t *row,
				 struct slice *value)
{
	/* "[drm:__drm_printfn_dbg [i915]] " */
	const char *end = slice_begins(*text, "[drm:") ? slice_char(slice_first(*text, 80), ']')
						       : NULL;
	struct slice front;
	enum line_kind kind;

	*word = (struct slice){ text->at, text->at };
	text->at = end ? end : text->at;
	while (end && take_text(text, "]"))
		;
	*text = slice_trim(*text);
	kind = classify(*text, row, value);
	if (kind != LINE_OTHER)
		return kind;
	front = slice_first(*text, 40);
	front = take_while(&front, is_word);
	if (front.at == front.end || front.end == text->end || !is_blank(*front.end))
		return LINE_OTHER;
	*word = front;
	*text = slice_trim((struct slice){ front.end, text->end });
	return classify(*text, row, value);
}

/* ---- is it one? ----------------------------------------------------------------------------- */

/* From an engine's name on to its first registers. */
static bool has_engine(const char *from, const char *anchor)
{
	struct dump_reading reading = { .lines = { .data = (const uint8_t *)from,
						   .size = (size_t)(anchor - from) } };
	struct slice text, word, value;
	bool found = false;
	size_t row;

	while (dump_line(&reading)) {
		text = reading.line;
		found |= take_apart(&text, &word, &row, &value) == LINE_ENGINE;
		/* That is xe's. */
		if (slice_find(slice_first(text, 80), " (physical), logical instance="))
			found = false;
	}
	return found;
}

static unsigned score(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end = text + MIN(size, (size_t)SCORE_BYTES);
	const char *at = text;

	if (!bytes_are_text(data, size))
		return 0;
	for (unsigned i = 0; i < SCORE_ANCHORS; i++) {
		const char *from;

		at = memmem(at, (size_t)(end - at), ANCHOR, strlen(ANCHOR));
		if (!at)
			return 0;
		from = at - text > BLOCK_BYTES ? at - BLOCK_BYTES : text;
		if (has_engine(from, at))
			return 85;
		at += strlen(ANCHOR);
	}
	return 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* An engine may be printed again: the first time counts, before resets. */
static void take_header(struct reading *s, struct slice text, struct slice word)
{
	struct slice key = slice_string("blamed");
	bool stopped;

	(void)is_header(text, &stopped);
	s->engine = dump_engine(&s->r, text);
	if (!s->engine || s->has[s->engine]) {
		s->engine = 0;
		return;
	}
	if (stopped)
		dump_property(&s->r, dump_engine_words(s->r.dump, s->engine), key,
			      slice_string("its heartbeat stopped"));
	else if (slice_is(word, "hangcheck"))
		dump_property(&s->r, dump_engine_words(s->r.dump, s->engine), key,
			      slice_string("hangcheck found it hung"));
}

static void add_register(struct reading *s, const char *name, struct slice value)
{
	struct dump_register reg = { .offset = UINT32_MAX, .text = value, .engine = s->engine,
				     .key = slice_string(name) };

	/* "ffffffff", as in Linux 4.15 and 4.16 */
	if (!dump_number(value, &reg) &&
	    (slice_length(value) != 8 || !slice_hex(value, &reg.value)))
		return;
	dump_register(&s->r, &reg);
	s->has[s->engine] = true;
}

static void take_line(struct reading *s)
{
	struct slice text = s->r.line, word, value;
	size_t row;

	switch (take_apart(&text, &word, &row, &value)) {
	case LINE_ENGINE:
		take_header(s, text, word);
		break;
	case LINE_REGISTER:
		if (s->engine)
			add_register(s, strcmp(keys[row], "RING_MODE") ? keys[row] : "RING_MI_MODE",
				     value);
		break;
	case LINE_STATUS:
		/* "0x00018001 00000000; CSB read:0, ...": the lower half first. */
		if (!s->engine || !slice_begins(value, "0x") || slice_length(value) < 19 ||
		    value.at[10] != ' ')
			break;
		add_register(s, "EL_STAT_LO", slice_of(value.at, 10));
		add_register(s, "EL_STAT_HI", slice_of(value.at + 11, 8));
		break;
	case LINE_BASE:
		if (s->engine)
			dump_property(&s->r, dump_engine_words(s->r.dump, s->engine),
				      slice_string("MMIO base"), value);
		break;
	case LINE_OTHER:
		break;
	}
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct reading s = { .engine = 0 };

	if (!dump_begin(&s.r, source, part))
		return err_memory(err);
	while (dump_line(&s.r))
		take_line(&s);
	return dump_end(&s.r, err);
}

const struct reader reader_engine_dump = {
	"i915 engine dump", GSC_SOURCE_ENGINE_DUMP, score, load,
	.i915_names = true,
	.holds_log = true,
	.file = CAPTURE_ERROR_STATE,
};
