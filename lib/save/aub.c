/* SPDX-License-Identifier: MIT */
/*
 * Writes AUB traces of one moment: first the state (GGTT entries, memory, registers), then the work
 * of each engine. Memory known only by its GGTT address goes into records of classic traces,
 * because the others would need a table.
 */
#include "batch/follow.h"
#include "batch/ring.h"
#include "db/engine.h"
#include "formats/aub-format.h"
#include "formats/aub.h"
#include "gtt/context.h"
#include "gtt/walk.h"
#include "open/open.h"
#include "save/saving.h"
#include "util/text.h"

#include <errno.h>

#define CHUNK (64u << 10)

/* A register through which an engine gets its work: writing it submits the work. */
struct work {
	uint64_t start, end;
	bool written;
};

struct tracing {
	const struct gsc_gpu *gpu;
	struct graphics_memory memory;
	unsigned submissions;
	unsigned outside;		/* rings without HEAD or TAIL */
	bool has_table;			/* entries are written: then the others are zero */
	VEC(struct work) work;		/* in order */
	uint64_t homeless[GSC_SPACES];	/* bytes that have no place in a trace */
	uint64_t unread[GSC_SPACES];	/* bytes that a trace has although they were not read */
	uint64_t lost;			/* bytes of registers that could not be read */
	int guessed;			/* the invented device id, or -1 */
	uint8_t chunk[CHUNK];
	struct outlet outlet;
};

/* ---- records -------------------------------------------------------------------------------- */

static void put(struct tracing *t, const void *data, size_t size)
{
	outlet_write(&t->outlet, data, size);
}

/* Records are whole dwords. */
static void put_bytes(struct tracing *t, const void *data, size_t size)
{
	static const uint8_t zeros[4];

	put(t, data, size);
	put(t, zeros, -size & 3);
}

static void put_version(struct tracing *t)
{
	char text[32] = "";
	int device = gsc_source_device(t->gpu->source);
	uint32_t head[5] = { 0, 1 };
	unsigned dwords, platform;
	const char *name;
	uint16_t id;

	/* A reader has nothing else to recognise the platform by. */
	t->guessed = -1;
	for (size_t i = 0; device < 0 && t->gpu->source->db &&
			   gsc_platform_id(t->gpu->source->db, i, &id, &platform, &name); i++)
		if (platform == t->gpu->platform.index)
			t->guessed = device = id;
	snprintf(text, sizeof(text), "PCI-ID=0x%04X gpuscope", (unsigned)MAX(device, 0));
	dwords = 5 + (unsigned)(strlen(text) + 4) / 4;
	head[0] = aub_header(OPCODE_MEMTRACE, MEMTRACE_VERSION, dwords);
	put(t, head, sizeof(head));
	put(t, text, (dwords - 5) * 4);
}

static void put_memory(struct tracing *t, unsigned space, uint64_t address, const void *data,
		       size_t size)
{
	const uint32_t head[] = {
		aub_header(OPCODE_MEMTRACE, MEMTRACE_MEMORY_WRITE, 5 + ((unsigned)size + 3) / 4),
		(uint32_t)address, (uint32_t)(address >> 32), space << 28, (uint32_t)size,
	};

	put(t, head, sizeof(head));
	put_bytes(t, data, size);
}

static struct work *work_at(struct tracing *t, uint64_t offset)
{
	for (size_t i = 0; i < t->work.count; i++)
		if (offset >= t->work.items[i].start && offset < t->work.items[i].end)
			return &t->work.items[i];
	return NULL;
}

static void put_register(struct tracing *t, uint64_t offset, uint32_t value)
{
	const uint32_t words[] = {
		aub_header(OPCODE_MEMTRACE, MEMTRACE_REGISTER_WRITE, 6), (uint32_t)offset,
		2u << 16,		/* 32 bits, of MMIO */
		UINT32_MAX, 0,		/* all of them */
		value,
	};
	struct work *work = work_at(t, offset);

	if (work)
		work->written = true;
	put(t, words, sizeof(words));
}

static void put_block(struct tracing *t, unsigned operation, unsigned kind, uint64_t address,
		      const void *data, size_t size)
{
	bool wide = t->gpu->platform.virtual_bits > 32;

	const uint32_t head[] = {
		aub_header(OPCODE_CLASSIC, CLASSIC_BLOCK, wide ? 6u : 5u), operation | kind << 8, 0,
		(uint32_t)address, (uint32_t)size, (uint32_t)(address >> 32),
	};

	put(t, head, sizeof(head) - (wide ? 0 : 4));
	put_bytes(t, data, size);
}

/* ---- what there is -------------------------------------------------------------------------- */

static size_t take(struct tracing *t, enum gsc_space space, uint64_t address, size_t size)
{
	size_t done = 0;

	while (done < size) {
		size_t got = source_block(t->gpu->source, space, address + done, t->chunk + done,
					  size - done);
		uint64_t value;

		if (!got && !gsc_read(t->gpu->source, space, address + done, 1, &value)) {
			t->chunk[done] = (uint8_t)value;
			got = 1;
		}
		if (!got)
			break;
		done += got;
	}
	return done;
}

/* In chunks that end at round addresses; zeros are in a trace anyway. */
static void put_stretch(struct tracing *t, enum gsc_space space, uint64_t start, uint64_t length)
{
	while (length && !t->outlet.error) {
		size_t size = (size_t)MIN(length, AUB_PAGE * 4 - start % (AUB_PAGE * 4));
		size_t got = take(t, space, start, size);

		if (!got)
			return;
		if (space == GSC_GTTMEM)
			put_block(t, BLOCK_DATA, 0, start, t->chunk, got);
		else if (space != GSC_GGTT || !t->has_table || !bytes_are_zero(t->chunk, got))
			put_memory(t, space == GSC_GGTT ? SPACE_GTT_ENTRY : space == GSC_LMEM
				   ? SPACE_LOCAL : SPACE_NONLOCAL, start, t->chunk, got);
		t->has_table |= space == GSC_GGTT;
		start += got;
		length -= got;
	}
}

/* A trace has whole pages, and a whole table: their unread bytes are zero there. */
static void put_space(struct tracing *t, enum gsc_space space)
{
	uint64_t from = 0, whole = 0, start, length, begin;

	while (!t->outlet.error && gsc_extent(t->gpu->source, space, from, &start, &length)) {
		if (start > UINT64_MAX - AUB_PAGE || length > UINT64_MAX - AUB_PAGE - start)
			return;
		put_stretch(t, space, start, length);
		begin = MAX(whole, start & ~(uint64_t)(AUB_PAGE - 1));
		if (space != GSC_GGTT)
			t->unread[space] += start > begin ? start - begin : 0;
		/* The rest of the previous page: up to there if this one begins on it. */
		if (space != GSC_GGTT && whole > from)
			t->unread[space] += MIN(whole, start) - from;
		from = start + length;
		whole = (from + AUB_PAGE - 1) & ~(uint64_t)(AUB_PAGE - 1);
	}
	if (space != GSC_GGTT)
		t->unread[space] += whole - from;
}

/* Registers through which an engine gets its work are written when it gets it. */
static bool find_work(struct tracing *t)
{
	const char *const names[] = { "EXECLIST_SUBMIT_PORT", "EXECLIST_SQ_CONTENTS",
				      "EXECLIST_CONTROL", ring_register_name(RING_TAIL) };
	bool lists = platform_has(&t->gpu->platform, PROPERTY_EXECLISTS);
	const struct gsc_view *view = t->gpu->view;
	struct gsc_reg reg;

	for (size_t i = gsc_view_seek(view, GSC_MMIO, 0); i < gsc_view_count(view); i++) {
		bool gives = false;

		gsc_view_reg(view, i, &reg);
		if (reg.space != GSC_MMIO)
			break;
		for (size_t k = lists ? 0 : 3; !gives && k < (lists ? 3 : 4); k++)
			gives = !strcmp(reg.name, names[k]);
		if (gives && !vec_push(&t->work, (struct work){ .start = reg.offset,
				       .end = reg.offset + reg.bits / 8 }))
			return false;
	}
	return true;
}

/* The GGTT is the upper part of the register BAR: it has been written as that. */
static void put_registers(struct tracing *t)
{
	const struct gsc_platform *p = &t->gpu->platform;
	uint64_t end = p->bar_size > p->ggtt_offset ? p->ggtt_offset : UINT32_MAX;
	uint64_t at = 0, start, length, value;

	while (!t->outlet.error && at < end &&
	       gsc_extent(t->gpu->source, GSC_MMIO, at, &start, &length) && start < end) {
		uint64_t last = start + MIN(length, end - start);

		t->homeless[GSC_MMIO] += MIN(-start & 3, last - start);
		for (at = (start + 3) & ~UINT64_C(3); at + 4 <= last; at += 4)
			if (!work_at(t, at) && !gsc_read(t->gpu->source, GSC_MMIO, at, 4, &value))
				put_register(t, at, (uint32_t)value);
		t->homeless[GSC_MMIO] += last > at ? last - at : 0;
		at = last;
	}
}

/* What of the source is not in the trace, or is there without having been read. */
static void count_losses(struct tracing *t)
{
	struct gsc_source *source = t->gpu->source;
	uint64_t table = t->gpu->platform.ggtt_max, held = 0, start, length, value;

	for (uint64_t from = 0; from < table &&
	     gsc_extent(source, GSC_GGTT, from, &start, &length) && start < table;
	     from = start + length) {
		length = MIN(length, table - start);
		held += length;
	}
	if (t->has_table)
		t->unread[GSC_GGTT] = table - held;
	for (unsigned space = 0; space < GSC_SPACES; space++) {
		bool has_place = space == GSC_GGTT || space == GSC_PHYS || space == GSC_LMEM ||
				 space == GSC_GTTMEM || space == GSC_MMIO;

		for (uint64_t from = 0; !has_place && gsc_extent(source, (enum gsc_space)space,
								 from, &start, &length);
		     from = start + length) {
			t->homeless[space] += length;
			if (length > UINT64_MAX - start)
				break;
		}
	}
	/* Registers that could not be read. */
	for (size_t i = 0; i < source->lookups.count; i++) {
		const piece_vec *pieces = &source->lookups.items[i].pieces;

		for (size_t k = 0; k < pieces->count; k++) {
			const struct piece *piece = &pieces->items[k];

			if (piece->space == GSC_MMIO && piece->status != GSC_READ_OK &&
			    piece->status != GSC_READ_SKIPPED && piece->status != GSC_READ_ABSENT)
				t->lost += piece->length;
		}
	}
	/* Those of engines that get no work. */
	for (size_t i = 0; i < t->work.count; i++) {
		const struct work *work = &t->work.items[i];

		for (uint64_t at = work->start; at < work->end && !work->written; at += 4)
			if (!gsc_read(source, GSC_MMIO, at, 4, &value))
				t->homeless[GSC_MMIO] += 4;
	}
}

/* ---- work ----------------------------------------------------------------------------------- */

/* An engine, and its ring by the registers. */
struct worker {
	const char *engine;
	unsigned engine_class;
	uint32_t base;			/* of its registers */
	bool known;			/* everything that follows */
	uint32_t place[RING_REGISTERS], value[RING_REGISTERS];
	struct ring ring;
};

static bool read_register(struct tracing *t, const char *engine, const char *name, int index,
			  uint64_t *offset, uint64_t *value)
{
	struct gsc_reg reg;

	if (!gpu_find(t->gpu, engine, name, index, &reg))
		return false;
	*offset = reg.offset;
	reg.bits = 32;
	return !gsc_gpu_read(t->gpu, &reg, value);
}

/* The command that started the running batch is before HEAD: the trace begins with it. */
static uint32_t started_at(struct gsc_commands *set, unsigned engine_class, const uint32_t *words,
			   uint32_t head)
{
	struct gsc_stream stream = { .set = set, .engine_class = engine_class, .words = words,
				     .count = head / 4 };
	struct gsc_command command;

	while (stream.count && gsc_stream_next(&stream, &command))
		if (!strcmp(command.name, "MI_BATCH_BUFFER_START"))
			head = (uint32_t)command.address;
	return head;
}

static void read_ring(struct tracing *t, struct gsc_commands *set, struct worker *w)
{
	const uint64_t *values[RING_REGISTERS];
	uint64_t value[RING_REGISTERS];
	uint32_t *words, head, back;
	struct gsc_reg reg;

	for (unsigned i = 0; i < RING_REGISTERS; i++) {
		if (!ring_find(t->gpu->view, w->engine, i, &reg) ||
		    gsc_gpu_read(t->gpu, &reg, &value[i]))
			return;
		w->place[i] = (uint32_t)reg.offset - w->base;
		w->value[i] = (uint32_t)value[i];
		values[i] = &value[i];
	}
	ring_of_registers(&w->ring, t->gpu->view, w->engine, values);
	w->known = w->ring.enabled;
	head = (uint32_t)w->ring.head;
	words = w->known ? malloc(head + 4) : NULL;
	if (words && head < w->ring.bytes &&
	    graphics_read(&t->memory, false, w->ring.start, words, head) == head) {
		back = started_at(set, w->engine_class, words, head);
		if (back != head)
			w->value[RING_HEAD] = back;
	}
	free(words);
}

/* The context that the engine has loaded, or 0. */
static uint64_t find_descriptor(struct tracing *t, const char *engine)
{
	uint64_t value, high, offset, mode;
	struct gsc_root root;

	if (read_register(t, engine, "EXECLIST_SQ_CONTENTS", 0, &offset, &value) && value & 1)
		return gsc_read(t->gpu->source, GSC_MMIO, offset + 4, 4, &high) ? value
									   : high << 32 | value;
	if (!read_register(t, engine, "CCID", -1, &offset, &value) || !(value & 1) ||
	    gsc_root_engine(t->gpu, engine, &root, NULL))
		return 0;
	mode = root.mode == GSC_MODE_PML4 ? DESCRIPTOR_LEGACY | DESCRIPTOR_48BIT
	       : root.mode == GSC_MODE_PDP32 ? DESCRIPTOR_LEGACY : 0;
	return (value & GSC_LRCA) | DESCRIPTOR_VALID | DESCRIPTOR_PRIVILEGED | mode;
}

static void submit_context(struct tracing *t, const struct worker *w)
{
	uint64_t descriptor = find_descriptor(t, w->engine), physical, length;
	uint64_t address = (descriptor & GSC_LRCA) + CONTEXT_STATE;
	uint8_t state[CONTEXT_STATE_BYTES];
	struct gsc_reg reg, load;
	enum gsc_space space;
	uint32_t first;
	size_t size;

	if (!descriptor || graphics_read(&t->memory, false, address, &first, 4) != 4)
		return;
	/* As the engine would write its image now: its registers are further along than that. */
	size = w->known ? graphics_read(&t->memory, false, address, state, sizeof(state)) & ~3u : 0;
	for (unsigned i = 0; w->known && i < RING_REGISTERS; i++)
		context_change(state, size, w->place[i], w->value[i]);
	if (size && !gsc_resolve(t->memory.global, address, &space, &physical, &length) &&
	    space != GSC_SPACES)
		put_memory(t, space == GSC_LMEM ? SPACE_LOCAL : SPACE_NONLOCAL, physical, state,
			   (size_t)MIN(size, length));
	if (gpu_find(t->gpu, w->engine, "EXECLIST_SUBMIT_PORT", -1, &reg)) {
		put_register(t, reg.offset, 0);
		put_register(t, reg.offset, 0);
		put_register(t, reg.offset, (uint32_t)(descriptor >> 32));
		put_register(t, reg.offset, (uint32_t)descriptor);
	} else if (gpu_find(t->gpu, w->engine, "EXECLIST_SQ_CONTENTS", 0, &reg) &&
		   gpu_find(t->gpu, w->engine, "EXECLIST_CONTROL", -1, &load)) {
		put_register(t, reg.offset, (uint32_t)descriptor);
		put_register(t, reg.offset + 4, (uint32_t)(descriptor >> 32));
		put_register(t, load.offset, 1);
	} else {
		return;
	}
	t->submissions++;
}

static void put_commands(struct tracing *t, const struct gsc_buffer_origin *b, uint64_t from,
			 uint64_t to)
{
	unsigned ring = 2;		/* that of rendering */

	if (from >= to)
		return;
	engine_number(b->engine, ENGINE_AUB, &ring);
	put_block(t, BLOCK_COMMANDS, ring, b->address + from,
		  (const uint8_t *)b->data + from, (size_t)(to - from));
	t->submissions++;
}

/* Commands that wrap are two pieces: no command does. */
static void submit_buffer(struct tracing *t, struct gsc_commands *set,
			  const struct gsc_buffer_origin *b)
{
	uint32_t head = b->flags & GSC_BUFFER_HEAD ? (uint32_t)b->head : 0;
	uint64_t tail = b->flags & GSC_BUFFER_TAIL ? b->tail : b->length;
	uint32_t *words = NULL;
	enum engine_class class;

	if (head > b->length || tail > b->length) {
		t->outside++;
		return;
	}
	/* It runs in the ring itself if ACTHD is there. */
	if (head && !(b->flags & GSC_BUFFER_ACTHD && b->acthd >= b->address &&
		      b->acthd - b->address < b->length))
		words = malloc(head);
	if (words) {
		memcpy(words, b->data, head);
		class = engine_class_of(b->engine);
		head = started_at(set, class < ENGINE_CLASSES ? class : ENGINE_RCS, words, head);
	}
	free(words);
	if (head > tail) {
		put_commands(t, b, head, b->length);
		head = 0;
	}
	put_commands(t, b, head, tail);
}

static enum gsc_status submit(struct tracing *t, struct gsc_error *err)
{
	struct gsc_commands *set;
	struct gsc_buffer_origin b;
	struct worker w = { 0 };
	const struct gsc_view *view = t->gpu->view;
	struct gsc_engine_place engine;
	unsigned submitted;
	enum gsc_status status = gsc_commands_new(&set, t->gpu, err);

	if (status)
		return status;
	for (size_t i = 0;
	     (w.engine = gsc_platform_engine(view->db, view->platform, i, &engine)); i++) {
		uint64_t start, length;

		w.engine_class = engine.engine_class;
		w.base = engine.base;
		read_ring(t, set, &w);
		if (platform_has(&t->gpu->platform, PROPERTY_EXECLISTS)) {
			submit_context(t, &w);
		} else if (w.known && gsc_extent(t->gpu->source, GSC_GGTT, 0, &start, &length)) {
			put_register(t, w.base + w.place[RING_HEAD], w.value[RING_HEAD]);
			put_register(t, w.base + w.place[RING_TAIL], w.value[RING_TAIL]);
			t->submissions++;
		}
		w = (struct worker){ 0 };
	}
	submitted = t->submissions;
	/* Rings that a driver's dump has by their GGTT address. */
	for (size_t part = 0; !submitted && part < t->gpu->source->parts.count; part++)
		for (size_t i = 0; gsc_source_buffer(t->gpu->source, part, i, &b); i++)
			if (b.kind == GSC_BUFFER_RING && b.data)
				submit_buffer(t, set, &b);
	status = set->memory_out ? err_memory(err) : GSC_OK;
	gsc_commands_free(set);
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* "8192 bytes of config, 12 of io" */
static bool say_spaces(struct text *words, const uint64_t bytes[GSC_SPACES], const char *between)
{
	bool any = false;

	for (unsigned space = 0; space < GSC_SPACES; space++) {
		if (!bytes[space])
			continue;
		text_add(words, "%s%llu%s of %s", any ? ", " : words->used ? between : "",
			 LL(bytes[space]), any ? "" : " bytes",
			 gsc_space_name((enum gsc_space)space));
		any = true;
	}
	return any;
}

/* What was not read is not zero, and what has no place in a trace is lost: both are reported. */
static enum gsc_status tell_losses(const struct tracing *t, struct gsc_error *err)
{
	char text[sizeof(err->why)];
	struct text words = text_of(text);

	if (t->outside)
		text_add(&words,
			 "%u ring%s HEAD or TAIL outside the memory in the source: not submitted",
			 t->outside, t->outside == 1 ? " has its" : "s have their");
	else if (!t->submissions)
		text_add(&words,
			 "no engine has a running context or ring: the trace submits nothing");
	if (say_spaces(&words, t->homeless, "; "))
		text_add(&words, " cannot be stored in a trace");
	if (say_spaces(&words, t->unread, "; "))
		text_add(&words, " were not read: they are zero in the trace");
	if (t->lost)
		text_add(&words, "%s%llu bytes of registers could not be read: they are missing in "
				 "the trace", words.used ? "; " : "", LL(t->lost));
	if (t->guessed >= 0)
		text_add(&words,
			 "%sthe device id is unknown: the trace has 0x%04x, the first id of %s",
			 words.used ? "; " : "", (unsigned)t->guessed, t->gpu->platform.name);
	return words.used ? err_set(err, GSC_PARTIAL, "trace", "%s", text) : GSC_OK;
}

static enum gsc_status trace(struct tracing *t, struct gsc_error *err)
{
	enum gsc_status status = graphics_open(&t->memory, t->gpu, NULL, err);

	if (status)
		return status;
	if (!find_work(t))
		return err_memory(err);
	put_version(t);
	put_space(t, GSC_GGTT);
	put_space(t, GSC_PHYS);
	put_space(t, GSC_LMEM);
	put_space(t, GSC_GTTMEM);
	put_registers(t);
	status = submit(t, err);
	if (!outlet_flush(&t->outlet))
		return err_errno(err, "trace", t->outlet.error);
	if (status)
		return status;
	count_losses(t);
	return tell_losses(t, err);
}

enum gsc_status gsc_save_trace(const struct gsc_gpu *gpu, int fd, struct gsc_error *err)
{
	enum gsc_status status = gpu_needs_source(gpu, err);
	struct tracing *t;
	int error;

	if (status)
		return status;
	t = calloc(1, sizeof(*t));
	if (!t)
		return err_memory(err);
	t->gpu = gpu;
	t->outlet.fd = fd;
	status = trace(t, err);
	error = t->outlet.error;
	graphics_close(&t->memory);
	vec_free(&t->work);
	free(t);
	errno = error;
	return status;
}
