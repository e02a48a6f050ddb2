/* SPDX-License-Identifier: MIT */
/*
 * Saves a source as a capture. If definitions say that reading is not harmless, a device, or an
 * image that stands for one, is not read: the capture says so instead.
 */
#include "save/saving.h"

#include "hang/reach.h"
#include "formats/aub.h"
#include "util/text.h"

#include <errno.h>

void save_step(struct saving *s, uint64_t bytes)
{
	s->done += bytes;
	if (s->options->progress)
		s->options->progress(s->options->context, s->done, s->total);
}

/* ---- what to leave out ---------------------------------------------------------------------- */

/* The GGTT is the upper part of the register BAR: it is saved as the GGTT, and once. */
uint64_t save_end(const struct saving *s, enum gsc_space space)
{
	if ((s->options->no_ggtt && (space == GSC_GGTT || space == GSC_GTTMEM ||
				     space == GSC_PPGTTMEM)) ||
	    (is_memory(space) && s->options->redact))
		return 0;
	if (space == GSC_MMIO && s->gpu->platform.bar_size > s->gpu->platform.ggtt_offset)
		return s->gpu->platform.ggtt_offset;
	return UINT64_MAX;
}

void save_status(struct saving *s, enum gsc_space space, uint64_t start, uint64_t end,
		 enum gsc_read status)
{
	end = MIN(end, save_end(s, space));
	if (start < end)
		capture_status(&s->capture, space, start, end - start, status);
}

/* There are none unless it is careful. */
bool save_hazardous(const struct saving *s, uint64_t address, unsigned size)
{
	const struct span *hazard = span_from(&s->hazards, address);

	return hazard && hazard->start < address + size;
}

static void save_hazards(struct saving *s)
{
	const struct gsc_view *view = s->gpu->view;

	if (!s->careful)
		return;
	for (size_t i = 0; i < s->hazards.count; i++)
		save_status(s, GSC_MMIO, s->hazards.items[i].start, s->hazards.items[i].last + 1,
			    GSC_READ_SKIPPED);
	for (size_t i = 0; i < view->count; i++) {
		enum gsc_space space = (enum gsc_space)view->insts[i].space;
		unsigned size = inst_traits(view, i)->bits / 8u;
		uint64_t place, start, length;

		if (space == GSC_MMIO || !hazard_of_reg(view, i) ||
		    !space_place(space, view->insts[i].offset, &place))
			continue;
		/*
		 * When a device is saved, ports and registers behind an index are not read; an
		 * image has none.
		 */
		if (gsc_source_live(s->gpu->source)
			    ? space == GSC_CONFIG
			    : gsc_extent(s->gpu->source, space, place, &start, &length) &&
				      start - place < size)
			save_status(s, space, place, place + size, GSC_READ_SKIPPED);
	}
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool lies_within(const uint8_t *data, const uint8_t *bytes, uint64_t size)
{
	return bytes && data >= bytes && (uint64_t)(data - bytes) < size;
}

/* Like file_run(), for the part of a piece from `at` to `end`. */
static uint64_t run_of(const struct saving *s, const struct piece *piece, uint64_t at, uint64_t end,
		       bool *hole)
{
	const uint8_t *data = piece->data ? piece->data + (at - piece->start) : NULL;

	if (!data)
		return file_run(piece->fd, piece->offset + (at - piece->start), end - at, hole);
	for (size_t i = 0; i < s->gpu->source->parts.count; i++) {
		const struct blob *blob = &s->gpu->source->parts.items[i].blob;
		uint64_t offset;

		if (blob->fd < 0 || !lies_within(data, blob->data, blob->size))
			continue;
		offset = (uint64_t)(data - blob->data);
		return file_run(blob->fd, offset, MIN(end - at, blob->size - offset), hole);
	}
	*hole = false;
	return end - at;
}

static void copy_bytes(struct saving *s, const struct piece *piece, uint64_t start, uint64_t end)
{
	end = MIN(end, save_end(s, piece->space));
	if (start >= end)
		return;
	capture_piece_begin(&s->capture, piece->space, start, end - start);
	for (uint64_t at = start, size; at < end && !s->capture.tar.failed; at += size) {
		bool hole;

		size = run_of(s, piece, at, end, &hole);
		if (!hole)
			size = MIN(size, piece->data ? (uint64_t)16 * CHUNK :
				   piece->packed ? 4096 - at % 4096 : CHUNK);
		if (hole)
			capture_zeros(&s->capture, size);
		else if (piece->data)
			capture_data(&s->capture, piece->data + (at - piece->start), (size_t)size);
		if (!hole && !piece->data) {
			/*
			 * If a file no longer has a byte, there is no value: zeros fill the place,
			 * and a status overrides them.
			 */
			size_t got = piece_read(piece, at, s->chunk, (size_t)size);

			memset(s->chunk + got, 0, (size_t)size - got);
			capture_data(&s->capture, s->chunk, (size_t)size);
			save_status(s, piece->space, at + got, at + size, GSC_READ_ABSENT);
		}
		save_step(s, size);
	}
}

/* A piece without the stretches that must not be read. */
static void copy_piece(struct saving *s, const struct piece *piece)
{
	uint64_t at = piece->start, end = piece->start + piece->length;

	while (piece->space == GSC_MMIO && at < end) {
		const struct span *hazard = span_from(&s->hazards, at);

		if (!hazard || hazard->start >= end)
			break;
		if (hazard->start > at)
			copy_bytes(s, piece, at, hazard->start);
		if (hazard->last >= end)
			return;
		at = hazard->last + 1;
	}
	copy_bytes(s, piece, at, end);
}

/* A stretch without bytes, unless another part of the source has them. */
static void copy_status(struct saving *s, const struct piece *piece)
{
	uint64_t at = piece->start, end = piece->start + piece->length, start, length;

	while (at < end && gsc_extent(s->held, piece->space, at, &start, &length) &&
	       start < end) {
		save_status(s, piece->space, at, start, piece->status);
		if (length >= end - start)
			return;
		at = start + length;
	}
	save_status(s, piece->space, at, end, piece->status);
}

/* Of physical memory perhaps only what was requested. */
static void copy_memory(struct saving *s, const struct piece *piece)
{
	const struct gsc_memory *asked = s->asked.items;
	/* The first requested stretch that does not end before it. */
	size_t i = SEEK(k, 0, s->asked.count, asked[k].start + asked[k].length <= piece->start);

	for (; i < s->asked.count; i++) {
		const struct gsc_memory *memory = &asked[i];
		uint64_t start = MAX(piece->start, memory->start);
		uint64_t end = MIN(piece->start + piece->length, memory->start + memory->length);
		struct piece cut = *piece;

		if (start >= end)
			return;
		cut.start = start;
		cut.length = end - start;
		if (piece->status == GSC_READ_OK)
			copy_bytes(s, piece, start, end);
		else
			copy_status(s, &cut);
	}
}

/* Traces that are included have their bytes for every moment. */
static bool of_trace(const struct saving *s, const struct piece *piece)
{
	for (size_t i = 0; i < s->gpu->source->parts.count; i++) {
		const struct part *part = &s->gpu->source->parts.items[i];
		const struct aub *aub = part->aub;

		if (aub && piece->data && save_file_name(s, part) &&
		    (lies_within(piece->data, aub->data, aub->size) ||
		     lies_within(piece->data, aub->own.items, aub->own.count) ||
		     lies_within(piece->data, aub->zeros, aub->zero_bytes)))
			return true;
	}
	return false;
}

static void save_pieces(struct saving *s, const struct lookup *lookup)
{
	bool live = gsc_source_live(s->gpu->source);

	for (size_t i = 0; i < lookup->pieces.count && !s->capture.tar.failed; i++) {
		const struct piece *piece = &lookup->pieces.items[i];

		if (of_trace(s, piece))
			continue;
		else if (piece->space == GSC_PHYS && s->asked.count && live)
			continue;		/* save_device() has asked all sources for it */
		else if (piece->space == GSC_PHYS && s->asked.count)
			copy_memory(s, piece);
		else if (piece->status != GSC_READ_OK)
			copy_status(s, piece);
		else
			copy_piece(s, piece);
	}
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Later pieces override earlier ones, so what wins comes last. */
static void save_all(struct saving *s)
{
	const struct gsc_source *source = s->gpu->source;

	capture_begin(&s->capture, packer_write, s->packer,
		      s->options->redact ? 0 : s->options->created);
	s->capture.tar.zeros = packer_zeros;
	save_info(s);
	if (!save_extras(s))
		s->capture.memory_out = true;
	for (size_t i = save_file_alone(s) ? 0 : s->held->lookups.count; i-- > 0;) {
		const struct lookup *lookup = &s->held->lookups.items[i];

		if (lookup->device)
			save_device(s);
		else
			save_pieces(s, lookup);
	}
	save_hazards(s);
	/* Files that are included list it themselves. The names of a text may be anybody's. */
	for (size_t i = 0; i < source->listed.count && !s->capture.tar.failed; i++) {
		const struct listed *listed = &source->listed.items[i];

		if (!save_file_name(s, &source->parts.items[listed->part]))
			capture_listed(&s->capture, listed,
				       s->options->redact ? NULL : listed->name);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct gsc_memory *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Overlapping stretches would become overlapping members, of which tar unpacks one. */
static void merge(memory_vec *stretches)
{
	struct gsc_memory *to = stretches->items;

	qsort(stretches->items, stretches->count, sizeof(*stretches->items), by_start);
	for (size_t i = 1; i < stretches->count; i++) {
		const struct gsc_memory *from = &stretches->items[i];

		if (from->start > to->start + to->length)
			*++to = *from;
		else
			to->length = MAX(to->length, from->start + from->length - to->start);
	}
	stretches->count = (size_t)(to - stretches->items) + 1;
}

static enum gsc_status check_memory(struct saving *s, struct gsc_error *err)
{
	for (size_t i = 0; i < s->options->memory_count; i++) {
		const struct gsc_memory *memory = &s->options->memory[i];
		uint64_t at = memory->start, end = at + memory->length, held = 0, start, length;
		char what[64];

		if (!vec_push(&s->asked, *memory))
			return err_memory(err);
		string_set(what, "0x%llx+0x%llx", LL(memory->start), LL(memory->length));
		if (!memory->length || !range_fits(memory->start, memory->length))
			return err_set(err, GSC_USAGE, what, "expected a range of memory");
		for (; at < end && gsc_extent(s->gpu->source, GSC_PHYS, at, &start, &length) &&
		       start < end; at = start + length) {
			length = MIN(length, end - start);
			held += length;
		}
		if (!held) {
			size_t notes = gsc_source_note_count(s->gpu->source);
			enum gsc_read read = gsc_read(s->gpu->source, GSC_PHYS,
						      memory->start & ~UINT64_C(7), 8, &held);
			const char *note = gsc_source_note(s->gpu->source, notes);

			return err_set(err, read == GSC_READ_DENIED ? GSC_DENIED : GSC_UNKNOWN,
				       what, "%s%s%s", read == GSC_READ_DENIED ? "not permitted" :
				       read == GSC_READ_EXCLUDED ? "excluded from the dump" :
				       "no source holds this memory",
				       note ? ": " : "", note ? note : "");
		}
		s->memory_missed += memory->length - held;
	}
	if (s->asked.count)
		merge(&s->asked);
	return GSC_OK;
}

const struct part *save_kernel(const struct saving *s)
{
	const struct gsc_source *source = s->gpu->source;

	for (size_t i = 0; i < source->parts.count && !s->options->redact; i++)
		if (source->parts.items[i].kernel.count)
			return &source->parts.items[i];
	return NULL;
}

/* A file that is the memory of a machine, not what an earlier capture has of one. */
static bool has_machine(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (gsc_source_form(source, i) == GSC_SOURCE_MEMORY &&
		    !source->parts.items[i].owner)
			return true;
	return false;
}

/*
 * Of a machine's memory, what the GPU's engines lead to is enough, and what says what its driver
 * knows.
 */
static enum gsc_status reach(struct saving *s, struct gsc_error *err)
{
	bool machine = has_machine(s->gpu->source), done;
	const struct part *kernel = save_kernel(s);
	enum gsc_status status;
	uint64_t value;
	size_t notes;

	if (!machine && (!gsc_source_live(s->gpu->source) ||
			 (s->options->no_ggtt && !s->options->tables)))
		return GSC_OK;
	/* What is wrong with the table itself is reported. */
	if (!machine && !save_hazardous(s, s->gpu->platform.ggtt_offset, 8))
		gsc_read(s->gpu->source, GSC_GGTT, 0, 4, &value);
	notes = s->gpu->source->notes.count;
	status = reach_memory(s->gpu, s->options->tables, &s->record, err);
	/* If something is not permitted, the capture says so: nobody asked for it by name. */
	while (s->gpu->source->notes.count > notes) {
		char *note = s->gpu->source->notes.items[--s->gpu->source->notes.count];

		if (s->options->left_out)
			s->options->left_out(s->options->context, "memory", note);
		if (!vec_push(&s->refused, note))
			free(note);
	}
	if (status || !machine)
		return status;
	done = record_stretches(&s->record, GSC_PHYS, &s->asked);
	for (size_t i = 0; kernel && done && i < kernel->kernel.count; i++)
		done = vec_push(&s->asked, kernel->kernel.items[i]);
	if (!done)
		return err_memory(err);
	if (!s->asked.count && !s->options->extra_count)
		return err_set(err, GSC_UNKNOWN, gsc_source_name(s->gpu->source, 0),
			       "nothing says which of this memory is the GPU's; add what has its "
			       "registers (-s bar:FILE, an error state, a capture), or name "
			       "memory: --mem A+LEN");
	/* Beside a stored dump none of it is needed: an empty range is not all of it. */
	if (!s->asked.count && !vec_push(&s->asked, (struct gsc_memory){ 0, 0 }))
		return err_memory(err);
	merge(&s->asked);
	s->total = 0;
	for (size_t i = 0; i < s->asked.count; i++)
		s->total += s->asked.items[i].length;
	return GSC_OK;
}

static enum gsc_status prepare(struct saving *s, struct gsc_error *err)
{
	const struct gsc_source *source = s->gpu->source;
	enum gsc_status status;
	uint64_t total = 0;

	/* A file is included unchanged: nothing can be removed from it. */
	for (size_t i = 0; i < source->parts.count && !s->options->redact; i++) {
		const struct part *part = &source->parts.items[i];

		if ((part->aub || (part->dump && part->blob.data)) && s->options->no_ggtt)
			return err_set(err, GSC_USAGE, part->name, "the %s is saved whole: its "
				       "GGTT cannot be left out", part->reader->kind);
		if (s->options->memory_count && part->aub)
			return err_set(err, GSC_USAGE, part->name, "the %s is saved whole: no part "
				       "of its memory can be chosen", part->reader->kind);
	}
	/* For a device an estimate: reading all of it would have effects. */
	for (size_t i = 0; i < s->gpu->source->lookups.count; i++) {
		const struct lookup *lookup = &s->gpu->source->lookups.items[i];

		if (lookup->device)
			total += PCI_CONFIG_MAX + s->gpu->platform.ggtt_max;
		for (size_t k = 0; k < lookup->pieces.count; k++) {
			const struct piece *piece = &lookup->pieces.items[k];

			if (piece->status == GSC_READ_OK)
				total += piece->length;
		}
	}
	s->total = total;
	if (!s->total)
		return err_set(err, GSC_UNKNOWN, gsc_source_name(s->gpu->source, 0),
			       "it has nothing to save");
	s->careful = !s->options->unsafe && source_is_hardware(s->gpu->source);
	if (s->careful && !hazards_find(&s->hazards, s->gpu->view, 0, UINT64_MAX))
		return err_memory(err);
	/* The other parts as they are where a trace that wins has nothing at its beginning. */
	s->rest = (struct gsc_source){ .db = s->gpu->view->db, .platform = source->platform };
	s->held = &s->rest;
	for (size_t i = 0; i < source->parts.count; i++)
		if (!save_trace_first(s, &source->parts.items[i]) &&
		    !vec_push(&s->rest.parts, source->parts.items[i]))
			return err_memory(err);
	status = lookups_build(&s->rest, err);
	if (status || s->options->redact)
		return status;
	status = check_memory(s, err);
	return status ? status : reach(s, err);
}

static enum gsc_status tell_missed(const struct saving *s, struct gsc_error *err)
{
	static const char *const kinds[MISSED_KINDS] = {
		[MISSED_REGISTERS] = "registers",
		[MISSED_CONFIG] = "dwords of config space",
		[MISSED_ENTRIES] = "GGTT entries",
		[MISSED_MEMORY] = "ranges of memory",
	};
	static const struct { enum gsc_read read; const char *words; } misses[] = {
		{ GSC_READ_ASLEEP, "asleep" },
		{ GSC_READ_DENIED, "not permitted" },
		{ GSC_READ_ALL_ONES, "read as all ones" },
	};
	char text[320] = "", memory[80] = "";
	const char *what = NULL;

	/* "3 asleep, 2 read as all ones; GGTT entries: 4 asleep" */
	for (unsigned kind = 0; kind < MISSED_KINDS; kind++) {
		const char *before = what ? "; " : "", *name = what ? kinds[kind] : "";

		for (size_t i = 0; i < ARRAY_SIZE(misses); i++) {
			size_t count = s->missed[kind][misses[i].read];

			if (!count)
				continue;
			string_add(text, "%s%s%s%zu %s", before, name, *name ? ": " : "", count,
				   misses[i].words);
			before = ", ";
			name = "";
			what = what ? what : kinds[kind];
		}
	}
	if (s->memory_missed)
		snprintf(memory, sizeof(memory), "no source holds %llu bytes of %s",
			 LL(s->memory_missed), *text ? "the memory" : "it");
	if (what)
		return err_set(err, GSC_PARTIAL, what, "%s: saved without a value%s%s", text,
			       *memory ? "; " : "", memory);
	return *memory ? err_set(err, GSC_PARTIAL, "memory", "%s", memory) : GSC_OK;
}

static void free_names(name_vec *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	vec_free(names);
}

enum gsc_status gsc_save(const struct gsc_gpu *gpu, int fd, const struct gsc_save_options *options,
			 struct gsc_error *err)
{
	static const struct gsc_save_options none;
	enum gsc_status status = gpu_needs_source(gpu, err);
	struct saving *s;
	int error;

	if (status)
		return status;
	s = calloc(1, sizeof(*s));
	if (!s)
		return err_memory(err);
	s->gpu = gpu;
	s->options = options ? options : &none;
	s->outlet.fd = fd;
	status = prepare(s, err);
	if (!status) {
		s->packer = packer_new(s->options->packing, outlet_write, outlet_zeros, &s->outlet,
				       err);
		status = s->packer ? GSC_OK : GSC_FAILED;
	}
	if (!status) {
		save_all(s);
		if (capture_end(&s->capture) && packer_end(s->packer) && outlet_flush(&s->outlet))
			status = tell_missed(s, err);
		else if (s->outlet.error)
			status = err_errno(err, "capture", s->outlet.error);
		else
			status = s->capture.memory_out ? err_memory(err) :
				 err_set(err, GSC_FAILED, "capture",
					 "not enough memory to compress it");
	}
	error = s->outlet.error;
	packer_free(s->packer);
	record_free(&s->record);
	vec_free(&s->hazards);
	for (size_t i = 0; i < s->rest.lookups.count; i++)
		lookup_free(&s->rest.lookups.items[i]);
	vec_free(&s->rest.lookups);
	vec_free(&s->rest.parts);
	vec_free(&s->asked);
	free_names(&s->refused);
	free_names(&s->names);
	free(s);
	errno = error;
	return status;
}
