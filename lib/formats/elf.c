/* SPDX-License-Identifier: MIT */
/*
 * An ELF core as physical memory: kdump's vmcore, /proc/kcore. Program headers say where in
 * physical memory (p_paddr) each stretch of the file lies.
 */
#include "formats/readers.h"
#include "util/elf.h"

static enum gsc_status bad(const struct blob *blob, const char *why, struct gsc_error *err)
{
	return err_set(err, GSC_FAILED, blob->name, "%s", why);
}

static bool read_blob(const void *context, uint64_t offset, void *buf, size_t size)
{
	return blob_read(context, offset, buf, size);
}

/* Segments that are there; a kernel core gives its virtual mappings physical address 0 or ~0. */
static uint64_t count_segments(const struct elf_core *core, uint64_t *at_zero)
{
	struct elf_segment segment;
	uint64_t i;

	*at_zero = 0;
	for (i = 0; i < core->phnum && elf_core_segment(core, i, &segment); i++)
		if (segment.load && segment.filesz && !segment.paddr)
			++*at_zero;
	return i;
}

/* How many bytes of a segment are in the file. */
static uint64_t held_bytes(const struct blob *blob, const struct elf_segment *segment)
{
	uint64_t size = blob->size;
	uint64_t left = segment->offset < size ? size - segment->offset : 0;

	return MIN(segment->filesz, left);
}

static bool add_segment(struct part *part, const struct elf_segment *segment, uint64_t held)
{
	const struct blob *blob = &part->blob;

	if (blob->data)
		return part_add(part, GSC_PHYS, segment->paddr, held, blob->data + segment->offset);
	return part_add_file(part, GSC_PHYS, segment->paddr, held, blob->fd, segment->offset);
}

/* Segments that cannot be used as they stand, for one note. */
struct losses {
	unsigned long long cut, beyond;
};

static bool add_segments(struct part *part, const struct elf_core *core, uint64_t count,
			 uint64_t at_zero, struct losses *losses)
{
	for (uint64_t i = 0; i < count; i++) {
		struct elf_segment segment;
		uint64_t held;

		if (!elf_core_segment(core, i, &segment) || !segment.load ||
		    segment.paddr == UINT64_MAX || (!segment.paddr && at_zero > 1))
			continue;
		held = held_bytes(&part->blob, &segment);
		losses->cut += held < segment.filesz;
		if (!range_fits(segment.paddr, held))
			losses->beyond++;
		else if (held && !add_segment(part, &segment, held))
			return false;
	}
	return true;
}

static void note_losses(struct gsc_source *source, const struct blob *blob,
			const struct losses *losses, uint64_t count, uint64_t all)
{
	const char *name = blob->name;

	if (losses->cut)
		source_note(source, "%s: ends at byte %llu, in or before %llu segments", name,
			    (unsigned long long)blob->size, losses->cut);
	if (losses->beyond)
		source_note(source, "%s: %llu segments reach past the 64-bit address space", name,
			    losses->beyond);
	if (count < all)
		source_note(source, "%s: program headers end after %llu of %llu", name,
			    (unsigned long long)count, (unsigned long long)all);
}

enum gsc_status elf_load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct elf_core core = { .read = read_blob, .context = &part->blob };
	const char *wrong = elf_core_open(&core);
	struct losses losses = { 0 };
	uint64_t count, at_zero;

	if (wrong)
		return bad(&part->blob, wrong, err);
	count = count_segments(&core, &at_zero);
	if (!add_segments(part, &core, count, at_zero, &losses))
		return err_memory(err);
	if (!part->pieces.count && (count < core.phnum || losses.cut))
		return bad(&part->blob, "ends before any of its memory",
			   err);
	if (!part->pieces.count)
		return bad(&part->blob, "an ELF core without physical memory", err);
	note_losses(source, &part->blob, &losses, count, core.phnum);
	return GSC_OK;
}
