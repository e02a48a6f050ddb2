/* SPDX-License-Identifier: MIT */
/*
 * Saving a source as a capture. Where definitions say that reading is not harmless a device, and
 * an image that stands for one, is not read: the capture says so instead.
 */
#include "device/device.h"
#include "regs/regs.h"
#include "source/capture.h"

#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define CHUNK (64u << 10)
#define PAGE 4096u
#define PCI_CONFIG_MAX 4096

/* Of memory no more is gathered into one piece. */
#define PIECE (16u << 20)

/* Thousands of registers are small writes: they are gathered. */
struct sink {
	int fd, error;			/* errno of the first failure */
	size_t used;
	uint8_t buffer[CHUNK];
};

struct saving {
	struct gsc_source *source;
	const struct gsc_view *view;
	const struct gsc_save_options *options;
	struct gsc_platform platform;	/* of the view */
	struct capture capture;
	struct sink sink;
	hazard_vec hazards;		/* of the register space; none unless careful */
	bool careful;
	uint64_t done, total;		/* bytes */
	size_t missed[GSC_READ_ALL_ONES + 1];
	uint64_t memory_missed;		/* bytes */
	uint8_t chunk[CHUNK];
};

static bool sink_flush(struct sink *sink)
{
	size_t used = sink->used;

	sink->used = 0;
	errno = 0;
	if (capture_write_fd(&sink->fd, sink->buffer, used))
		return true;
	sink->error = errno ? errno : EIO;
	return false;
}

/* Never straight from a mapped file: were it cut short, it would look like a failed write. */
static bool sink_write(void *context, const void *data, size_t size)
{
	struct sink *sink = context;
	const uint8_t *at = data;

	while (size) {
		size_t part = MIN(size, sizeof(sink->buffer) - sink->used);

		memcpy(sink->buffer + sink->used, at, part);
		sink->used += part;
		at += part;
		size -= part;
		if (sink->used == sizeof(sink->buffer) && !sink_flush(sink))
			return false;
	}
	return true;
}

static void step(struct saving *s, uint64_t bytes)
{
	s->done += bytes;
	if (s->options->progress)
		s->options->progress(s->options->context, s->done, s->total);
}

/* ---- what to leave out ---------------------------------------------------------------------- */

/* The GGTT is the upper part of the register BAR: it is saved as the GGTT, and once. */
static uint64_t space_end(const struct saving *s, enum gsc_space space)
{
	if (space == GSC_GGTT && s->options->no_ggtt)
		return 0;
	if (space == GSC_MMIO && s->platform.bar_size > s->platform.ggtt_offset)
		return s->platform.ggtt_offset;
	return UINT64_MAX;
}

static void save_status(struct saving *s, enum gsc_space space, uint64_t start, uint64_t end,
			enum gsc_read status)
{
	end = MIN(end, space_end(s, space));
	if (start < end)
		capture_status(&s->capture, space, start, end - start, status);
}

static void save_hazards(struct saving *s)
{
	uint64_t place;

	if (!s->careful)
		return;
	for (size_t i = 0; i < s->hazards.count; i++)
		save_status(s, GSC_MMIO, s->hazards.items[i].start, s->hazards.items[i].last + 1,
			    GSC_READ_SKIPPED);
	for (size_t i = 0; i < s->view->count; i++) {
		const struct b_inst *inst = &s->view->insts[i];

		if (inst->space != GSC_MMIO && hazard_of_reg(s->view, i) &&
		    space_place((enum gsc_space)inst->space, inst->offset, &place))
			save_status(s, (enum gsc_space)inst->space, place,
				    place + inst_traits(s->view, i)->bits / 8u, GSC_READ_SKIPPED);
	}
}

/* ---- files ---------------------------------------------------------------------------------- */

/* What a file no longer has is no value: zeros fill the place, and a status lies over them. */
static void copy_file(struct saving *s, const struct piece *piece, uint64_t start, uint64_t length)
{
	for (uint64_t at = 0, size; at < length; at += size) {
		uint64_t offset = piece->offset + (start - piece->start) + at;
		ssize_t got = 0;

		size = MIN(length - at, (uint64_t)CHUNK);
		if (offset <= INT64_MAX)
			got = pread(piece->fd, s->chunk, (size_t)size, (off_t)offset);
		got = MAX(got, 0);
		memset(s->chunk + got, 0, (size_t)size - (size_t)got);
		capture_data(&s->capture, s->chunk, (size_t)size);
		if ((uint64_t)got < size)
			save_status(s, piece->space, start + at + (uint64_t)got, start + at + size,
				    GSC_READ_ABSENT);
		step(s, size);
	}
}

static void copy_bytes(struct saving *s, const struct piece *piece, uint64_t start, uint64_t end)
{
	end = MIN(end, space_end(s, piece->space));
	if (start >= end)
		return;
	capture_piece_begin(&s->capture, piece->space, start, end - start);
	if (!piece->data) {
		copy_file(s, piece, start, end - start);
		return;
	}
	for (uint64_t at = start, size; at < end && !s->capture.tar.failed; at += size) {
		size = MIN(end - at, (uint64_t)16 * CHUNK);
		capture_data(&s->capture, piece->data + (at - piece->start), (size_t)size);
		step(s, size);
	}
}

/* A piece without the stretches that are not to be read. */
static void copy_piece(struct saving *s, const struct piece *piece)
{
	uint64_t at = piece->start, end = piece->start + piece->length;

	while (piece->space == GSC_MMIO && at < end) {
		const struct hazard *hazard = hazard_from(&s->hazards, at);

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

/* A stretch without bytes, as far as no other part of the source has them. */
static void copy_status(struct saving *s, const struct piece *piece)
{
	uint64_t at = piece->start, end = piece->start + piece->length, start, length;

	while (at < end && gsc_extent(s->source, piece->space, at, &start, &length) &&
	       start < end) {
		save_status(s, piece->space, at, start, piece->status);
		if (length >= end - start)
			return;
		at = start + length;
	}
	save_status(s, piece->space, at, end, piece->status);
}

/* Of physical memory perhaps only what was asked for. */
static void copy_memory(struct saving *s, const struct piece *piece)
{
	uint64_t end = piece->start + piece->length;

	for (size_t i = 0; i < s->options->memory_count; i++) {
		const struct gsc_memory *memory = &s->options->memory[i];

		copy_bytes(s, piece, MAX(piece->start, memory->start),
			   MIN(end, memory->start + memory->length));
	}
}

static void save_pieces(struct saving *s, const struct lookup *lookup)
{
	for (size_t i = 0; i < lookup->pieces.count && !s->capture.tar.failed; i++) {
		const struct piece *piece = &lookup->pieces.items[i];

		if (piece->status != GSC_READ_OK)
			copy_status(s, piece);
		else if (piece->space == GSC_PHYS && s->options->memory_count)
			copy_memory(s, piece);
		else
			copy_piece(s, piece);
	}
}

/* ---- devices -------------------------------------------------------------------------------- */

/* Neighbouring places of one status, with their bytes. */
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
	else if (run->status != GSC_READ_ABSENT)
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

static bool hazardous(const struct saving *s, uint64_t address, unsigned size)
{
	const struct hazard *hazard = hazard_from(&s->hazards, address);

	return hazard && hazard->start < address + size;
}

/* One register as far as it lies at or after `from`; returns where it ends. */
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

		if (!hazardous(s, at, size))
			status = gsc_read_gated(s->source, reg->wake, GSC_MMIO, at, size, &value);
		run_add(s, run, at, status, value, size);
		worst = MAX(worst, status);
		at += size;
	}
	s->missed[worst]++;
	return MAX(end, from);
}

static void save_registers(struct saving *s)
{
	struct run run = { .space = GSC_MMIO };
	size_t i = gsc_view_seek(s->view, GSC_MMIO, 0);
	uint64_t done = 0;
	struct gsc_reg reg;

	for (; i < gsc_view_count(s->view) && !s->capture.tar.failed; i++) {
		gsc_view_reg(s->view, i, &reg);
		if (reg.space != GSC_MMIO || reg.offset >= space_end(s, GSC_MMIO))
			break;
		done = save_register(s, &run, &reg, done);
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/* What is held of a stretch of a space, `size` bytes at a time. */
static void save_space(struct saving *s, enum gsc_space space, unsigned size, uint64_t from,
		       uint64_t end)
{
	struct run run = { .space = space };
	uint64_t start, length;

	from &= ~(uint64_t)(size - 1);
	while (from < end && gsc_extent(s->source, space, from, &start, &length) && start < end) {
		length = MIN(length, end - start);
		for (uint64_t at = 0; at < length && !s->capture.tar.failed; at += size) {
			uint64_t value = 0;
			enum gsc_read status = gsc_read(s->source, space, start + at, size, &value);

			run_add(s, &run, start + at, status, value, size);
			s->missed[status] += status != GSC_READ_OK;
			if (!(at % CHUNK))
				step(s, MIN(CHUNK, length - at));
		}
		from = start + length;
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/* Memory by blocks. The kernel gives or refuses it by pages: so does what a page has none of. */
static void save_stretch(struct saving *s, struct run *run, uint64_t at, uint64_t end)
{
	while (at < end && !s->capture.tar.failed && !s->capture.memory_out) {
		size_t size = (size_t)MIN(end - at, CHUNK - at % CHUNK);
		size_t got = source_block(s->source, run->space, at, s->chunk, size);
		enum gsc_read status = GSC_READ_OK;
		uint64_t value = 0;

		if (got) {
			run_add_block(s, run, at, s->chunk, got);
			size = got;
		} else {
			status = gsc_read(s->source, run->space, at, 1, &value);
			size = status ? MIN(size, PAGE - at % PAGE) : 1;
			run_add(s, run, at, status, value, (unsigned)size);
			s->missed[status] += status != GSC_READ_OK;
		}
		at += size;
		step(s, size);
	}
}

static void save_memory(struct saving *s, const struct gsc_memory *memory)
{
	struct run run = { .space = GSC_PHYS };
	uint64_t from = memory->start, end = from + memory->length, start, length;

	while (from < end && gsc_extent(s->source, run.space, from, &start, &length) &&
	       start < end) {
		length = MIN(length, end - start);
		save_stretch(s, &run, start, start + length);
		from = start + length;
	}
	run_flush(s, &run);
	vec_free(&run.bytes);
}

/* On some platforms the table must not be read where the BAR has it: it is not even asked for. */
static void save_ggtt(struct saving *s)
{
	enum gsc_read status = GSC_READ_SKIPPED;
	uint64_t value;

	if (s->options->no_ggtt)
		return;
	if (!s->careful || !hazardous(s, s->platform.ggtt_offset, 8))
		status = gsc_read(s->source, GSC_GGTT, 0, 4, &value);
	if (status == GSC_READ_DENIED || status == GSC_READ_SKIPPED)
		save_status(s, GSC_GGTT, 0, s->platform.ggtt_max, status);
	else
		save_space(s, GSC_GGTT, s->platform.ggtt_entry == 8 ? 8 : 4, 0, UINT64_MAX);
}

static void save_device(struct saving *s)
{
	save_space(s, GSC_CONFIG, 4, 0, UINT64_MAX);
	save_registers(s);
	save_ggtt(s);
	for (size_t i = 0; i < s->options->memory_count; i++)
		save_memory(s, &s->options->memory[i]);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void info_driver(struct saving *s, const struct device *device)
{
	struct gsc_gpu *gpus;
	size_t count;

	capture_info(&s->capture, "bdf", "%s", device_bdf(device));
	if (gsc_gpus(s->source->db, &gpus, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(gpus[i].bdf, device_bdf(device)) && *gpus[i].driver)
			capture_info(&s->capture, "driver", "%s", gpus[i].driver);
	free(gpus);
}

static void info_created(struct saving *s)
{
	time_t created = (time_t)s->options->created;
	struct tm tm;
	char text[64];

	if (created && gmtime_r(&created, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		capture_info(&s->capture, "created", "%s", text);
}

static void info_machine(struct saving *s)
{
	const struct gsc_source *source = s->source;
	struct utsname names;

	info_created(s);
	for (size_t i = 0; i < source->parts.count; i++) {
		capture_info(&s->capture, "source", "%.200s (%s)", source->parts.items[i].name,
			     source->parts.items[i].kind);
		if (source->parts.items[i].device)
			info_driver(s, source->parts.items[i].device);
	}
	if (gsc_source_live(source) && !uname(&names))
		capture_info(&s->capture, "kernel", "%s", names.release);
}

static void save_info(struct saving *s)
{
	const struct gsc_source *source = s->source;

	capture_info(&s->capture, "platform", "%s", s->platform.name);
	if (source->pci_device >= 0)
		capture_info(&s->capture, "device", "0x%04x", (unsigned)source->pci_device);
	if (source->revision >= 0)
		capture_info(&s->capture, "revision", "0x%02x", (unsigned)source->revision);
	capture_info(&s->capture, "tool", "gpuscope %s", gsc_version());
	if (!s->options->redact)
		info_machine(s);
}

/* Later pieces lie over earlier ones, so what wins goes last. */
static void save_all(struct saving *s)
{
	capture_begin(&s->capture, sink_write, &s->sink,
		      s->options->redact ? 0 : s->options->created);
	save_info(s);
	for (size_t i = s->source->lookups.count; i-- > 0;) {
		const struct lookup *lookup = &s->source->lookups.items[i];

		if (lookup->device)
			save_device(s);
		else
			save_pieces(s, lookup);
	}
	save_hazards(s);
}

/* Of a device about as much as it may be: asking it has effects. */
static uint64_t total_bytes(const struct saving *s)
{
	uint64_t total = 0;

	for (size_t i = 0; i < s->source->lookups.count; i++) {
		const struct lookup *lookup = &s->source->lookups.items[i];

		if (lookup->device)
			total += PCI_CONFIG_MAX + s->platform.ggtt_max;
		for (size_t k = 0; k < lookup->pieces.count; k++) {
			const struct piece *piece = &lookup->pieces.items[k];

			if (piece->status == GSC_READ_OK)
				total += piece->length;
		}
	}
	return total;
}

/* Reads of a device, and of an image that may be one. */
static bool reads_hardware(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].device || !strcmp(source->parts.items[i].kind, "bar"))
			return true;
	return false;
}

/* Bytes of a stretch of memory that the source holds. */
static uint64_t memory_held(struct gsc_source *source, const struct gsc_memory *memory)
{
	uint64_t at = memory->start, end = at + memory->length, held = 0, start, length;

	while (at < end && gsc_extent(source, GSC_PHYS, at, &start, &length) && start < end) {
		length = MIN(length, end - start);
		held += length;
		at = start + length;
	}
	return held;
}

static enum gsc_status no_memory(struct saving *s, const struct gsc_memory *memory,
				 const char *what, struct gsc_error *err)
{
	size_t notes = gsc_source_note_count(s->source);
	enum gsc_read read;
	const char *note;
	uint64_t value;

	read = gsc_read(s->source, GSC_PHYS, memory->start & ~UINT64_C(7), 8, &value);
	note = gsc_source_note(s->source, notes);
	return err_set(err, read == GSC_READ_DENIED ? GSC_DENIED : GSC_UNKNOWN, what, "%s%s%s",
		       read == GSC_READ_DENIED ? "not permitted" : "no source holds this memory",
		       note ? ": " : "", note ? note : "");
}

static enum gsc_status check_memory(struct saving *s, struct gsc_error *err)
{
	for (size_t i = 0; i < s->options->memory_count; i++) {
		const struct gsc_memory *memory = &s->options->memory[i];
		uint64_t held;
		char what[64];

		snprintf(what, sizeof(what), "0x%llx+0x%llx", (unsigned long long)memory->start,
			 (unsigned long long)memory->length);
		if (!memory->length || !range_fits(memory->start, memory->length))
			return err_set(err, GSC_USAGE, what, "no stretch of memory");
		held = memory_held(s->source, memory);
		if (!held)
			return no_memory(s, memory, what, err);
		s->memory_missed += memory->length - held;
	}
	return GSC_OK;
}

static enum gsc_status prepare(struct saving *s, struct gsc_error *err)
{
	gsc_platform_at(s->source->db, gsc_view_platform(s->view), &s->platform);
	s->total = total_bytes(s);
	if (!s->total)
		return err_set(err, GSC_UNKNOWN, gsc_source_name(s->source, 0),
			       "there is nothing in it to save");
	s->careful = !s->options->unsafe && reads_hardware(s->source);
	if (s->careful && !hazards_find(&s->hazards, s->view))
		return err_memory(err);
	return check_memory(s, err);
}

static enum gsc_status tell_missed(const struct saving *s, struct gsc_error *err)
{
	static const struct { enum gsc_read read; const char *words; } misses[] = {
		{ GSC_READ_ASLEEP, "asleep" },
		{ GSC_READ_DENIED, "not permitted" },
		{ GSC_READ_ALL_ONES, "all ones" },
	};
	char text[200], memory[80] = "";
	size_t used = 0;

	for (size_t i = 0; i < ARRAY_SIZE(misses); i++)
		if (s->missed[misses[i].read])
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%zu %s",
						 used ? ", " : "", s->missed[misses[i].read],
						 misses[i].words);
	if (s->memory_missed)
		snprintf(memory, sizeof(memory), "no source holds %llu bytes of %s",
			 (unsigned long long)s->memory_missed, used ? "the memory" : "it");
	if (used)
		return err_set(err, GSC_PARTIAL, "registers", "%s: saved without a value%s%s", text,
			       *memory ? "; " : "", memory);
	return *memory ? err_set(err, GSC_PARTIAL, "memory", "%s", memory) : GSC_OK;
}

static enum gsc_status write_all(struct saving *s, struct gsc_error *err)
{
	bool written;

	save_all(s);
	written = capture_end(&s->capture) && sink_flush(&s->sink);
	if (written)
		return tell_missed(s, err);
	if (!s->sink.error)
		return err_memory(err);
	return err_errno(err, "capture", s->sink.error);
}

enum gsc_status gsc_save(struct gsc_source *source, const struct gsc_view *view, int fd,
			 const struct gsc_save_options *options, struct gsc_error *err)
{
	static const struct gsc_save_options none;
	struct saving *s = calloc(1, sizeof(*s));
	enum gsc_status status;
	int error;

	if (!s)
		return err_memory(err);
	s->source = source;
	s->view = view;
	s->options = options ? options : &none;
	s->sink.fd = fd;
	status = prepare(s, err);
	if (!status)
		status = write_all(s, err);
	error = s->sink.error;
	vec_free(&s->hazards);
	free(s);
	errno = error;
	return status;
}
