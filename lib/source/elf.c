/* SPDX-License-Identifier: MIT */
/*
 * An ELF core as physical memory: kdump's vmcore, /proc/kcore. Program headers say where in
 * physical memory (p_paddr) each stretch of the file lies.
 */
#include "source/source.h"

#include <elf.h>

/* What the two classes have in common, as 64-bit numbers. */
struct segment {
	uint64_t type, offset, paddr, filesz;
};

struct core {
	const struct blob *blob;
	bool wide;			/* ELFCLASS64 */
	uint64_t phoff, phentsize, phnum;
};

static uint64_t read_field(const uint8_t *bytes, size_t wide_at, size_t at, bool wide,
			   unsigned wide_size, unsigned size)
{
	return wide ? load_le(bytes + wide_at, wide_size) : load_le(bytes + at, size);
}

#define FIELD(bytes, wide, header, field)                                                          \
	read_field(bytes, offsetof(Elf64_##header, field), offsetof(Elf32_##header, field), wide,  \
		   sizeof(((Elf64_##header *)0)->field), sizeof(((Elf32_##header *)0)->field))

static enum gsc_status bad(const struct core *core, const char *why, struct gsc_error *err)
{
	return err_set(err, GSC_FAILED, core->blob->name, "%s", why);
}

/* More than 65534 program headers: their number is in the first section header. */
static bool extended_count(struct core *core, const uint8_t *header)
{
	uint64_t at = FIELD(header, core->wide, Ehdr, e_shoff);
	uint8_t section[sizeof(Elf64_Shdr)] = { 0 };
	size_t size = core->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (!at || !blob_read(core->blob, at, section, size))
		return false;
	core->phnum = FIELD(section, core->wide, Shdr, sh_info);
	return true;
}

static enum gsc_status read_header(struct core *core, struct gsc_error *err)
{
	uint8_t header[sizeof(Elf64_Ehdr)] = { 0 };
	size_t least;

	if (!blob_read(core->blob, 0, header, EI_NIDENT) || memcmp(header, ELFMAG, SELFMAG))
		return bad(core, "not an ELF file", err);
	if (header[EI_DATA] != ELFDATA2LSB ||
	    (header[EI_CLASS] != ELFCLASS64 && header[EI_CLASS] != ELFCLASS32))
		return bad(core, "not a little-endian ELF file", err);
	core->wide = header[EI_CLASS] == ELFCLASS64;
	if (!blob_read(core->blob, 0, header, core->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
		return bad(core, "breaks off in the ELF header", err);
	if (FIELD(header, core->wide, Ehdr, e_type) != ET_CORE)
		return bad(core, "an ELF file, but not a core", err);
	core->phoff = FIELD(header, core->wide, Ehdr, e_phoff);
	core->phentsize = FIELD(header, core->wide, Ehdr, e_phentsize);
	core->phnum = FIELD(header, core->wide, Ehdr, e_phnum);
	if (core->phnum == PN_XNUM && !extended_count(core, header))
		return bad(core, "breaks off in the ELF section headers", err);
	least = core->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	if (core->phentsize < least)
		return bad(core, "its ELF program headers are too small", err);
	return GSC_OK;
}

static bool read_segment(const struct core *core, uint64_t i, struct segment *segment)
{
	uint8_t header[sizeof(Elf64_Phdr)] = { 0 };
	uint64_t at;

	if (__builtin_mul_overflow(i, core->phentsize, &at) ||
	    __builtin_add_overflow(at, core->phoff, &at) ||
	    !blob_read(core->blob, at, header,
		       core->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return false;
	segment->type = FIELD(header, core->wide, Phdr, p_type);
	segment->offset = FIELD(header, core->wide, Phdr, p_offset);
	segment->paddr = FIELD(header, core->wide, Phdr, p_paddr);
	segment->filesz = FIELD(header, core->wide, Phdr, p_filesz);
	if (!core->wide && segment->paddr == UINT32_MAX)
		segment->paddr = UINT64_MAX;
	return true;
}

/* Segments that are there; a kernel core gives its virtual mappings physical address 0 or ~0. */
static uint64_t count_segments(const struct core *core, uint64_t *at_zero)
{
	struct segment segment;
	uint64_t i;

	*at_zero = 0;
	for (i = 0; i < core->phnum && read_segment(core, i, &segment); i++)
		if (segment.type == PT_LOAD && segment.filesz && !segment.paddr)
			++*at_zero;
	return i;
}

/* How many bytes of a segment are in the file. */
static uint64_t held_bytes(const struct core *core, const struct segment *segment)
{
	uint64_t size = core->blob->size;
	uint64_t left = segment->offset < size ? size - segment->offset : 0;

	return MIN(segment->filesz, left);
}

static bool add_segment(struct part *part, const struct core *core, const struct segment *segment,
			uint64_t held)
{
	const struct blob *blob = core->blob;

	if (blob->data)
		return part_add(part, GSC_PHYS, segment->paddr, held, blob->data + segment->offset);
	return part_add_file(part, GSC_PHYS, segment->paddr, held, blob->fd, segment->offset);
}

/* Segments that cannot be used as they stand, for one note. */
struct losses {
	unsigned long long cut, beyond;
};

static bool add_segments(struct part *part, const struct core *core, uint64_t count,
			 uint64_t at_zero, struct losses *losses)
{
	for (uint64_t i = 0; i < count; i++) {
		struct segment segment;
		uint64_t held;

		if (!read_segment(core, i, &segment) || segment.type != PT_LOAD ||
		    segment.paddr == UINT64_MAX || (!segment.paddr && at_zero > 1))
			continue;
		held = held_bytes(core, &segment);
		losses->cut += held < segment.filesz;
		if (!range_fits(segment.paddr, held))
			losses->beyond++;
		else if (held && !add_segment(part, core, &segment, held))
			return false;
	}
	return true;
}

static void note_losses(struct gsc_source *source, const struct core *core,
			const struct losses *losses, uint64_t count)
{
	const char *name = core->blob->name;

	if (losses->cut)
		source_note(source, "%s: breaks off at byte %zu, in or before %llu segments", name,
			    core->blob->size, losses->cut);
	if (losses->beyond)
		source_note(source, "%s: %llu segments reach past the 64-bit address space", name,
			    losses->beyond);
	if (count < core->phnum)
		source_note(source, "%s: program headers break off after %llu of %llu", name,
			    (unsigned long long)count, (unsigned long long)core->phnum);
}

enum gsc_status elf_load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct core core = { .blob = &part->blob };
	enum gsc_status status = read_header(&core, err);
	struct losses losses = { 0 };
	uint64_t count, at_zero;

	if (status)
		return status;
	count = count_segments(&core, &at_zero);
	if (!add_segments(part, &core, count, at_zero, &losses))
		return err_memory(err);
	note_losses(source, &core, &losses, count);
	if (!part->pieces.count)
		return bad(&core, "an ELF core that holds no physical memory", err);
	return GSC_OK;
}
