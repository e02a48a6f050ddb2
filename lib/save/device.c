/* SPDX-License-Identifier: MIT */
/* What a device gives: registers one by one, the rest in stretches. */
#include "save/saving.h"

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

/* What is held of a space, `size` bytes at a time. */
static void save_space(struct saving *s, enum gsc_space space, unsigned size)
{
	struct run run = { .space = space };
	size_t *missed = s->missed[space == GSC_GGTT ? MISSED_ENTRIES : MISSED_CONFIG];
	uint64_t from = 0, start, length, done;

	for (; gsc_extent(s->gpu->source, space, from, &start, &length); from = start + length) {
		for (uint64_t at = 0; at < length && !s->capture.tar.failed; at += done) {
			uint64_t value = 0;
			enum gsc_read status = gsc_read(s->gpu->source, space, start + at, size,
							&value);

			done = size;
			/* One that is gone is read for one entry of a page: each may take time. */
			if (status == GSC_READ_ALL_ONES)
				done = MIN(length - at, PAGE - (start + at) % PAGE);
			run_add(s, &run, start + at, status, value, (unsigned)done);
			if (status != GSC_READ_OK)
				missed[status] += done / size;
			if (!(at % CHUNK))
				save_step(s, MIN(CHUNK, length - at));
		}
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
			if (run->bytes.count >= PIECE)
				run_flush(s, run);
			run_add(s, run, at, GSC_READ_OK, 0, 0);
			run->end += got;
			s->capture.memory_out |= !vec_reserve(&run->bytes, got);
			if (s->capture.memory_out)
				return;
			memcpy(run->bytes.items + run->bytes.count, s->chunk, got);
			run->bytes.count += got;
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

/* What the analysis has read, or tried to; for the latter the reason is kept. */
static void save_reached(struct saving *s, enum gsc_space space)
{
	memory_vec stretches = { 0 };

	if (!record_stretches(&s->record, space, &stretches))
		s->capture.memory_out = true;
	s->quiet = true;
	for (size_t i = 0; i < stretches.count; i++) {
		uint64_t at = stretches.items[i].start, end = at + stretches.items[i].length;
		struct run run = { .space = space };

		/* What is requested anyway is saved separately. */
		for (size_t k = 0; k < s->asked.count && space == GSC_PHYS; k++) {
			const struct gsc_memory *asked = &s->asked.items[k];

			if (asked->start >= end)
				break;
			if (asked->start > at)
				save_stretch(s, &run, at, asked->start);
			at = MAX(at, asked->start + asked->length);
		}
		save_stretch(s, &run, at, end);
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
	struct run registers = { .space = GSC_MMIO };
	enum gsc_read status = GSC_READ_SKIPPED;
	struct gsc_source *source = s->gpu->source;
	uint64_t done = 0, start, length;
	struct gsc_reg reg;

	save_space(s, GSC_CONFIG, 4);
	for (size_t i = gsc_view_seek(s->gpu->view, GSC_MMIO, 0);
	     i < gsc_view_count(s->gpu->view) && !s->capture.tar.failed; i++) {
		gsc_view_reg(s->gpu->view, i, &reg);
		if (reg.space != GSC_MMIO || reg.offset >= save_end(s, GSC_MMIO))
			break;
		done = save_register(s, &registers, &reg, done);
	}
	run_flush(s, &registers);
	vec_free(&registers.bytes);
	if (!s->options->redact) {
		save_reached(s, GSC_PHYS);
		save_reached(s, GSC_LMEM);
	}
	/* On some platforms the table must not be read through the BAR: it is not even tried. */
	if (!s->options->no_ggtt && !save_hazardous(s, s->gpu->platform.ggtt_offset, 8))
		status = gsc_read(source, GSC_GGTT, 0, 4, &start);
	if (!s->options->no_ggtt && (status == GSC_READ_DENIED || status == GSC_READ_SKIPPED))
		save_status(s, GSC_GGTT, 0, s->gpu->platform.ggtt_max, status);
	else if (!s->options->no_ggtt)
		save_space(s, GSC_GGTT, s->gpu->platform.ggtt_entry == 8 ? 8 : 4);
	/* What was requested, as far as it exists. */
	for (size_t i = 0; !s->options->redact && i < s->asked.count; i++) {
		uint64_t from = s->asked.items[i].start, end = from + s->asked.items[i].length;
		struct run run = { .space = GSC_PHYS };

		for (; from < end && gsc_extent(source, GSC_PHYS, from, &start, &length) &&
		       start < end; from = start + length) {
			length = MIN(length, end - start);
			save_stretch(s, &run, start, start + length);
		}
		run_flush(s, &run);
		vec_free(&run.bytes);
	}
}
