/* SPDX-License-Identifier: MIT */
/* What GGC and a GGTT entry mean on each platform, without definitions. */
#include "db/ggtt.h"

#define MIB (UINT64_C(1) << 20)
#define PAGE UINT64_C(4096)
#define LOCAL_MEMORY (UINT64_C(1) << 1)
#define VALID UINT64_C(1)

/* ---- entries -------------------------------------------------------------------------------- */

bool ggtt_entry_valid(uint64_t entry)
{
	return entry & VALID;
}

/* Entries of 32 bits keep what is above address bit 31 in bits 4 and up. */
uint64_t ggtt_entry_address(const struct gsc_platform *platform, uint64_t entry)
{
	uint64_t mask = (UINT64_C(1) << platform->address_bits) - PAGE;

	if (platform->ggtt_entry == 4)
		entry = (entry & 0xfffff000) | (entry & 0xff0) << 28;
	return entry & mask;
}

bool ggtt_entry_local(const struct gsc_platform *platform, uint64_t entry)
{
	return (platform->flags & GSC_PLATFORM_LMEM || platform->graphics >= 1270) &&
	       entry & LOCAL_MEMORY;
}

/* ---- GGC ------------------------------------------------------------------------------------ */

static bool is_atom(const struct gsc_platform *platform)
{
	return platform->flags & GSC_PLATFORM_ATOM;
}

static uint64_t gen4_data_bytes(uint32_t ggc)
{
	static const uint16_t mib[16] = { 0, 1, 4, 8, 16, 32, 48, 64, 128, 256, 96, 160, 224, 352 };

	return mib[ggc >> 4 & 0xf] * MIB;
}

static uint64_t gen6_data_bytes(uint32_t ggc)
{
	return (ggc >> 3 & 0x1f) * 32 * MIB;
}

static uint64_t chv_data_bytes(uint32_t ggc)
{
	uint64_t code = ggc >> 3 & 0x1f;

	if (code <= 0x10)
		return code * 32 * MIB;
	if (code <= 0x16)
		return (8 + (code - 0x11) * 4) * MIB;
	return code <= 0x1d ? (36 + (code - 0x17) * 4) * MIB : 0;
}

static uint64_t gen8_data_bytes(const struct gsc_platform *platform, uint32_t ggc)
{
	uint64_t code = ggc >> 8 & 0xff;

	if (platform->graphics < 900 || code < 0xf0)
		return code * 32 * MIB;
	return code < 0xff ? (code - 0xf0 + 1) * 4 * MIB : 0;
}

uint64_t ggc_data_bytes(const struct gsc_platform *platform, uint32_t ggc)
{
	if (platform->graphics < 600)
		return gen4_data_bytes(ggc);
	if (platform->graphics < 800)
		return gen6_data_bytes(ggc);
	if (platform->graphics < 900 && is_atom(platform))
		return chv_data_bytes(ggc);
	return gen8_data_bytes(platform, ggc);
}

static uint64_t g45_table_bytes(uint32_t ggc)
{
	switch (ggc >> 8 & 0xf) {
	case 1:
	case 9:
		return MIB;
	case 10:
		return MIB + MIB / 2;
	case 3:
	case 11:
		return 2 * MIB;
	default:
		return 0;
	}
}

uint64_t ggc_table_bytes(const struct gsc_platform *platform, uint32_t ggc)
{
	unsigned code = ggc >> 6 & 3;

	if (platform->graphics < 450)
		return 0;
	if (platform->graphics < 600)
		return g45_table_bytes(ggc);
	if (platform->graphics < 800)
		return (ggc >> 8 & 3) % 3 * MIB;
	if (platform->graphics < 900 && is_atom(platform))
		code = ggc >> 8 & 3;
	return code ? MIB << code : 0;
}
