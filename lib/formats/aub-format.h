/* SPDX-License-Identifier: MIT */
/*
 * The numbers of AUB traces, for the reader and the writer: a record is a header dword with type 7,
 * opcode, sub-opcode and length, then its data. Layouts as in Mesa's intel_aub.h, aub_read.c and
 * aub_write.c and compute-runtime's aub_services.h.
 */
#ifndef GSC_AUB_FORMAT_H
#define GSC_AUB_FORMAT_H

#include <stdint.h>

#define TYPE_AUB 7u
#define OPCODE_CLASSIC 0x01u
#define OPCODE_MEMTRACE 0x2eu

static inline unsigned aub_opcode(uint32_t header)
{
	return header >> 23 & 0x3f;
}

static inline unsigned aub_sub(uint32_t header)
{
	return header >> 16 & 0x7f;
}

/* Dwords of a record that its length, bits 15:0, does not count. */
static inline unsigned aub_uncounted(unsigned opcode)
{
	return opcode == OPCODE_CLASSIC ? 2 : 1;
}

/* The header of a record of this many dwords; for a classic block the data are not included. */
static inline uint32_t aub_header(unsigned opcode, unsigned sub, unsigned dwords)
{
	return TYPE_AUB << 29 | opcode << 23 | sub << 16 | (dwords - aub_uncounted(opcode));
}

enum {
	CLASSIC_HEADER = 0x05,
	CLASSIC_BLOCK = 0x41,
};

enum {
	MEMTRACE_OLD_VERSION = 0x00,
	MEMTRACE_REGISTER_WRITE = 0x03,
	MEMTRACE_MEMORY_WRITE = 0x06,
	MEMTRACE_SCATTERED_WRITE = 0x0b,
	MEMTRACE_VERSION = 0x0e,
	MEMTRACE_LAST = 0x10,
};

/* Operations and address spaces of a classic block. */
enum { BLOCK_DATA = 1, BLOCK_COMMANDS = 2, BLOCK_REGISTER = 3 };
enum { CLASSIC_GTT, CLASSIC_LOCAL, CLASSIC_NONLOCAL, CLASSIC_PCI, CLASSIC_GTT_ENTRY };

/* Address spaces of a memory trace. Entries of per-process tables have physical addresses. */
enum {
	SPACE_GTT = 0, SPACE_LOCAL = 1, SPACE_NONLOCAL = 2, SPACE_GTT_ENTRY = 4,
	SPACE_PPGTT_ENTRY = 6, SPACE_GTT_BEYOND_APERTURE = 7, SPACE_PDP_ENTRY = 8,
	SPACE_PD_ENTRY = 9, SPACE_PML4_ENTRY = 10,
};

#endif
