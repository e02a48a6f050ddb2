/* SPDX-License-Identifier: MIT */
/* The program headers of ELF cores: little-endian ones of either class. */
#ifndef GSC_ELF_H
#define GSC_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_core {
	/* Whole reads only. */
	bool (*read)(const void *context, uint64_t offset, void *buf, size_t size);
	const void *context;

	/* Filled by elf_core_open(). */
	bool wide;			/* ELFCLASS64 */
	uint64_t phoff, phentsize, phnum, flags;
};

/* What the two classes have in common, as 64-bit numbers. */
struct elf_segment {
	bool load, note;		/* PT_LOAD, PT_NOTE */
	uint64_t offset, paddr;		/* paddr: all ones if the core does not know it */
	uint64_t filesz, memsz;
};

/* Reads the header; NULL, or what is wrong with it. */
const char *elf_core_open(struct elf_core *core);
/* Program header i; false if the file ends before its end. */
bool elf_core_segment(const struct elf_core *core, uint64_t i, struct elf_segment *segment);

#endif
