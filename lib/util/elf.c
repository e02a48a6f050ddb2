/* SPDX-License-Identifier: MIT */
/* The headers of ELF cores of either class, as one; every offset in them is checked. */
#include "util/elf.h"

#include <elf.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "headers are used as they lie");

union header {
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;
};

union section {
	Elf64_Shdr wide;
	Elf32_Shdr narrow;
};

union program {
	Elf64_Phdr wide;
	Elf32_Phdr narrow;
};

#define SIZE(core, u) ((core)->wide ? sizeof((u).wide) : sizeof((u).narrow))
#define FIELD(core, u, field) ((core)->wide ? (u).wide.field : (u).narrow.field)

const char *elf_core_open(struct elf_core *core)
{
	uint8_t ident[EI_NIDENT];
	union program program;
	union section section;
	union header header;
	uint64_t at;

	if (!core->read(core->context, 0, ident, sizeof(ident)) || memcmp(ident, ELFMAG, SELFMAG))
		return "not an ELF file";
	if (ident[EI_DATA] != ELFDATA2LSB ||
	    (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32))
		return "not a little-endian ELF file";
	core->wide = ident[EI_CLASS] == ELFCLASS64;
	if (!core->read(core->context, 0, &header, SIZE(core, header)))
		return "ends in the ELF header";
	if (FIELD(core, header, e_type) != ET_CORE)
		return "an ELF file, but not a core";
	core->phoff = FIELD(core, header, e_phoff);
	core->phentsize = FIELD(core, header, e_phentsize);
	core->phnum = FIELD(core, header, e_phnum);
	core->flags = FIELD(core, header, e_flags);
	/* More than 65534 program headers: their number is in the first section header. */
	if (core->phnum == PN_XNUM) {
		at = FIELD(core, header, e_shoff);
		if (!at || !core->read(core->context, at, &section, SIZE(core, section)))
			return "ends in the ELF section headers";
		core->phnum = FIELD(core, section, sh_info);
	}
	if (core->phentsize < SIZE(core, program))
		return "its ELF program headers are too small";
	return NULL;
}

bool elf_core_segment(const struct elf_core *core, uint64_t i, struct elf_segment *segment)
{
	union program program;
	uint64_t at;

	if (__builtin_mul_overflow(i, core->phentsize, &at) ||
	    __builtin_add_overflow(at, core->phoff, &at) ||
	    !core->read(core->context, at, &program, SIZE(core, program)))
		return false;
	segment->load = FIELD(core, program, p_type) == PT_LOAD;
	segment->note = FIELD(core, program, p_type) == PT_NOTE;
	segment->offset = FIELD(core, program, p_offset);
	segment->paddr = FIELD(core, program, p_paddr);
	segment->filesz = FIELD(core, program, p_filesz);
	segment->memsz = FIELD(core, program, p_memsz);
	if (!core->wide && segment->paddr == UINT32_MAX)
		segment->paddr = UINT64_MAX;
	return true;
}
