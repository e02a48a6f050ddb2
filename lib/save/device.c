/* SPDX-License-Identifier: MIT */
/* What a device gives: registers one by one, the rest in stretches. */
#include "save/save.h"

/* ---- devices -------------------------------------------------------------------------------- */

/* Neighbouring places with one status, with their bytes. */
struct run {
	enum gsc_space space;
	enum gsc_read status;
	uint64_t start, end;
	VEC(uint8_t) bytes;
};

static void run_flush(struct saving *s, struct run *run)
{
	if (run->start < run->end && run->status == GSC_READ_OK)
		capture_piece(&s->capture, run->space, run->start, run->bytes.items,
			      run->bytes.count);
	else if (run->status != GSC_READ_ABSENT || s->quiet)
		save_status(s, run->space, run->start, run->end, run->status);
	run->bytes.count = 0;
	run->start = run->end;
}

static void run_add(struct saving *s, struct run *run, uint64_t address, enum gsc_read status,
		    uint64_t value, unsigned size)
{
	if (address != run->end || status != run->status) {
		run_flush(s, run);
		run->start = run->end = address;
		run->status = status;
	}
	run->end += size;
	if (status != GSC_READ_OK)
		return;
	if (!vec_reserve(&run->bytes, size)) {
		s->capture.memory_out = true;
		return;
	}
	for (unsigned i = 0; i < size; i++, value >>= 8)
		run->bytes.items[run->bytes.count++] = (uint8_t)value;
}

/* Bytes that were read. */
static void run_add_block(struct saving *s, struct run *run, uint64_t address, const void *bytes,
			  size_t size)
{
	if (run->bytes.count >= PIECE)
		run_flush(s, run);
	run_add(s, run, address, GSC_READ_OK, 0, 0);
	run->end += size;
	if (!vec_reserve(&run->bytes, size)) {
		s->capture.memory_out = true;
		return;
	}
	memcpy(run->bytes.items + run->bytes.count, bytes, size);
	run->bytes.count += size;
}

/* One register, as far as it is at or after `from`; returns where it ends. */
static uint64_t save_register(struct saving *s, struct run *run, const struct gsc_reg *reg,
			      uint64_t from)
{
	uint64_t at = MAX(reg->offset & ~UINT64_C(3), from);
	uint64_t end = (reg->offset + reg->bits / 8 + 3) & ~UINT64_C(3);
	enum gsc_read worst = GSC_READ_OK;

	while (at < end) {
		unsigned size = end - at == 8 && !(at & 7) ? 8 : 4;
		enum gsc_read status = GSC_READ_SKIPPED;
		uint64_t value = 0;

		if (!save_hazardous(s, at, size))
			status = gsc_read(s->gpu->source, GSC_MMIO, at, size, &value);
		run_add(s, run, at, status, value, size);
		worst = MAX(worst, status);
		at += size;
	}
	s->missed[MISSED_REGISTERS][worst]++;
	return MAX(end, from);
}

static void save_registers(struct saving *s)
{
	struct run run = { .space = GSC_MMIO };
	size_t i = gsc_view_seek(s->gpu->view, GSC_MMIO, 0);
	uint64_t done = 0;
	struct gsc_reg reg;

	for (; i < gsc_view_count(s->gpu->view) && !s->capture.tar.failed; i++) {
		gsc_view_reg(s->gpu->view, i, &reg);
		if (reg.space != GSC_MMIO || reg.offset >= save_end(s, GSC_MMIO))
			break;
		done = save_register(s, &run, &reg, done);
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/* A device that is gone is read for one entry of a page: each may take time. */
static uint64_t save_gone(struct saving *s, struct run *run, uint64_t at, uint64_t end,
			  unsigned size)
{
	end = MIN(end, (at | (PAGE - 1)) + 1);
	s->missed[run->space == GSC_GGTT ? MISSED_ENTRIES : MISSED_CONFIG][GSC_READ_ALL_ONES] +=
		(end - at) / size;
	run_add(s, run, at, GSC_READ_ALL_ONES, 0, (unsigned)(end - at));
	return end - at;
}

/* What is held of a stretch of a space, `size` bytes at a time. */
static void save_space(struct saving *s, enum gsc_space space, unsigned size, uint64_t from,
		       uint64_t end)
{
	struct run run = { .space = space };
	size_t *missed = s->missed[space == GSC_GGTT ? MISSED_ENTRIES : MISSED_CONFIG];
	uint64_t start, length, done;

	from &= ~(uint64_t)(size - 1);
	while (from < end && gsc_extent(s->gpu->source, space, from, &start,
					&length) && start < end) {
		length = MIN(length, end - start);
		for (uint64_t at = 0; at < length && !s->capture.tar.failed; at += done) {
			uint64_t value = 0;
			enum gsc_read status = gsc_read(s->gpu->source, space, start + at, size,
							&value);

			done = size;
			if (status == GSC_READ_ALL_ONES) {
				done = save_gone(s, &run, start + at, start + length, size);
			} else {
				run_add(s, &run, start + at, status, value, size);
				missed[status] += status != GSC_READ_OK;
			}
			if (!(at % CHUNK))
				save_step(s, MIN(CHUNK, length - at));
		}
		from = start + length;
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/*
 * Memory in blocks. The kernel grants or refuses it by pages: if a block fails, so does its page.
 */
static void save_stretch(struct saving *s, struct run *run, uint64_t at, uint64_t end)
{
	while (at < end && !s->capture.tar.failed && !s->capture.memory_out) {
		size_t size = (size_t)MIN(end - at, CHUNK - at % CHUNK);
		size_t got = source_block(s->gpu->source, run->space, at, s->chunk, size);
		enum gsc_read status = GSC_READ_OK;
		uint64_t value = 0;

		if (got) {
			run_add_block(s, run, at, s->chunk, got);
			size = got;
		} else {
			status = gsc_read(s->gpu->source, run->space, at, 1, &value);
			size = status ? MIN(size, PAGE - at % PAGE) : 1;
			run_add(s, run, at, status, value, (unsigned)size);
			s->missed[MISSED_MEMORY][status] +=
				status == GSC_READ_ALL_ONES || (status && !s->quiet);
		}
		at += size;
		save_step(s, size);
	}
}

/* What was requested, as far as it exists. */
static void save_memory(struct saving *s, const struct gsc_memory *memory)
{
	struct run run = { .space = GSC_PHYS };
	uint64_t from = memory->start, end = from + memory->length, start, length;

	while (from < end && gsc_extent(s->gpu->source, run.space, from, &start, &length) &&
	       start < end) {
		length = MIN(length, end - start);
		save_stretch(s, &run, start, start + length);
		from = start + length;
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/* On some platforms the table must not be read through the BAR: it is not even tried. */
static void save_ggtt(struct saving *s)
{
	enum gsc_read status = GSC_READ_SKIPPED;
	uint64_t value;

	if (s->options->no_ggtt)
		return;
	if (!save_hazardous(s, s->gpu->platform.ggtt_offset, 8))
		status = gsc_read(s->gpu->source, GSC_GGTT, 0, 4, &value);
	if (status == GSC_READ_DENIED || status == GSC_READ_SKIPPED)
		save_status(s, GSC_GGTT, 0, s->gpu->platform.ggtt_max, status);
	else
		save_space(s, GSC_GGTT, s->gpu->platform.ggtt_entry == 8 ? 8 : 4, 0, UINT64_MAX);
}

/* The part of a stretch that is not requested anyway: that is saved separately. */
static void save_beside(struct saving *s, struct run *run, uint64_t at, uint64_t end)
{
	for (size_t i = 0; i < s->asked.count && run->space == GSC_PHYS; i++) {
		const struct gsc_memory *asked = &s->asked.items[i];

		if (asked->start >= end)
			break;
		if (asked->start > at)
			save_stretch(s, run, at, asked->start);
		at = MAX(at, asked->start + asked->length);
	}
	save_stretch(s, run, at, end);
}

/* What the analysis has read, or tried to; for the latter the reason is kept. */
static void save_reached(struct saving *s, enum gsc_space space)
{
	memory_vec stretches = { 0 };

	if (!record_stretches(&s->record, space, &stretches))
		s->capture.memory_out = true;
	s->quiet = true;
	for (size_t i = 0; i < stretches.count; i++) {
		const struct gsc_memory *memory = &stretches.items[i];
		struct run run = { .space = space };

		save_beside(s, &run, memory->start, memory->start + memory->length);
		run_flush(s, &run);
		vec_free(&run.bytes);
	}
	s->quiet = false;
	vec_free(&stretches);
}

/*
 * What changes soonest comes first: a driver resets what hangs, frees the batch and unmaps it,
 * while a GGTT takes seconds to read.
 */
void save_device(struct saving *s)
{
	save_space(s, GSC_CONFIG, 4, 0, UINT64_MAX);
	save_registers(s);
	if (!s->options->redact) {
		save_reached(s, GSC_PHYS);
		save_reached(s, GSC_LMEM);
	}
	save_ggtt(s);
	for (size_t i = 0; !s->options->redact && i < s->asked.count; i++)
		save_memory(s, &s->asked.items[i]);
}
