/* SPDX-License-Identifier: MIT */
/*
 * An ELF core as physical memory: a vmcore from kdump, makedumpfile or QEMU, /proc/kcore. Program
 * headers say where in physical memory (p_paddr) each stretch of the file belongs. What a segment
 * has in memory but not in the file was excluded when it was written.
 */
#include "formats/core.h"
#include "formats/readers.h"
#include "util/elf.h"

#define INCOMPLETE 1			/* e_flags; makedumpfile, IMPLEMENTATION */
#define SEGMENTS_LOOKED_AT 64		/* of a file that nobody calls a core */
#define NOTES_MAX 65536

static bool read_file(const void *context, uint64_t offset, void *buf, size_t size)
{
	return core_read(context, offset, buf, size);
}

/* Segments that cannot be used as they are, for one note. */
struct losses {
	unsigned long long cut, beyond;
};

/* The kernel's notes in a segment. */
static enum gsc_status take_notes(struct part *part, const struct core *file,
				  const struct elf_segment *segment, struct gsc_error *err)
{
	static const char name[12] = "VMCOREINFO";
	uint64_t at = segment->offset, end;
	uint32_t head[3];
	char found[sizeof(name)];

	if (__builtin_add_overflow(at, segment->filesz, &end))
		end = UINT64_MAX;
	for (unsigned i = 0; i < NOTES_MAX && at < end && core_read(file, at, head, sizeof(head));
	     i++) {
		uint64_t text = at + sizeof(head) + ((head[0] + UINT64_C(3)) & ~UINT64_C(3));

		if (head[0] == strlen(name) + 1 &&
		    core_read(file, at + sizeof(head), found, sizeof(found)) &&
		    !memcmp(found, name, sizeof(name) - 1))
			return core_vmcoreinfo(file, part, text, head[1], err);
		at = text + ((head[1] + UINT64_C(3)) & ~UINT64_C(3));
	}
	return GSC_OK;
}

/* What a filter left out follows what it kept. */
static bool add_segment(struct part *part, const struct core *file,
			const struct elf_segment *segment, struct losses *losses)
{
	uint64_t held = core_held(file, segment->offset, segment->filesz);
	uint64_t size = MAX(segment->memsz, segment->filesz);

	losses->cut += held < segment->filesz;
	if (!range_fits(segment->paddr, held)) {
		losses->beyond++;
		return true;
	}
	if (range_fits(segment->paddr, size) && size > segment->filesz &&
	    !part_add_status(part, GSC_PHYS, segment->paddr + segment->filesz,
			     size - segment->filesz, GSC_READ_EXCLUDED))
		return false;
	return core_add(file, part, segment->paddr, segment->offset, held);
}

static enum gsc_status add_segments(struct part *part, const struct core *file,
				    const struct elf_core *core, uint64_t count, uint64_t at_zero,
				    struct losses *losses, struct gsc_error *err)
{
	for (uint64_t i = 0; i < count; i++) {
		struct elf_segment segment;

		if (!elf_core_segment(core, i, &segment))
			continue;
		if (segment.note && !part->properties.count &&
		    take_notes(part, file, &segment, err))
			return GSC_FAILED;
		if (!segment.load || segment.paddr == UINT64_MAX || (!segment.paddr && at_zero > 1))
			continue;
		if (!add_segment(part, file, &segment, losses))
			return err_memory(err);
	}
	return GSC_OK;
}

static enum gsc_status load_file(struct gsc_source *source, struct part *part,
				 const struct core *file, struct gsc_error *err)
{
	struct elf_core core = { .read = read_file, .context = file };
	const char *wrong = elf_core_open(&core);
	struct losses losses = { 0 };
	uint64_t count = 0, at_zero = 0;
	struct elf_segment segment;
	enum gsc_status status;
	bool memory = false;

	if (wrong)
		return err_set(err, GSC_FAILED, file->name, "%s", wrong);
	/* A kernel core gives its virtual mappings physical address 0 or ~0. */
	for (; count < core.phnum && elf_core_segment(&core, count, &segment); count++)
		at_zero += segment.load && segment.filesz && !segment.paddr;
	status = add_segments(part, file, &core, count, at_zero, &losses, err);
	if (status)
		return status;
	for (size_t i = 0; i < part->pieces.count; i++)
		memory |= part->pieces.items[i].status == GSC_READ_OK;
	if (!memory)
		return err_set(err, GSC_FAILED, file->name, "%s",
			       count < core.phnum || losses.cut ?
			       "ends before the first byte of memory" :
			       "an ELF core without physical memory");
	if (losses.cut)
		source_note(source, "%s: ends at byte %llu, in or before %llu segments",
			    file->name, LL(file->file_size), losses.cut);
	if (losses.beyond)
		source_note(source, "%s: %llu segments reach past the 64-bit address space",
			    file->name, losses.beyond);
	if (count < core.phnum)
		source_note(source, "%s: program headers end after %llu of %llu", file->name,
			    LL(count), LL(core.phnum));
	if (core.flags & INCOMPLETE)
		source_note(source, "%s: incomplete: there was no room for all of it when it was "
			    "written", file->name);
	return GSC_OK;
}

enum gsc_status elf_load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct core file;
	enum gsc_status status = core_open(&file, source, part, err);

	if (!status)
		status = load_file(source, part, &file, err);
	core_close(&file);
	return status;
}

/* ---- recognised ----------------------------------------------------------------------------- */

static bool read_head(const void *context, uint64_t offset, void *buf, size_t size)
{
	return blob_read(context, offset, buf, size);
}

/* The core of a process has no physical addresses: they are all 0. */
static unsigned score(const uint8_t *data, size_t size)
{
	struct blob head = { .data = data, .size = size };
	struct elf_core core = { .read = read_head, .context = &head };
	struct elf_segment segment;

	if (elf_core_open(&core))
		return 0;
	for (uint64_t i = 0; i < MIN(core.phnum, SEGMENTS_LOOKED_AT) &&
	     elf_core_segment(&core, i, &segment); i++)
		if (segment.load && segment.paddr && segment.paddr != UINT64_MAX)
			return 100;
	return 0;
}

const struct reader reader_elf = { "ELF vmcore", GSC_SOURCE_MEMORY, score, elf_load };
