/* SPDX-License-Identifier: MIT */
/* Where an entry of the GGTT points, without definitions. */
#include "db/ggtt.h"

#include "db/properties.h"

#define PAGE UINT64_C(4096)
#define LOCAL_MEMORY (UINT64_C(1) << 1)
#define VALID UINT64_C(1)

bool ggtt_entry_valid(uint64_t entry)
{
	return entry & VALID;
}

/* Entries of 32 bits keep the part above address bit 31 in bits 4 and up. */
uint64_t ggtt_entry_address(const struct gsc_platform *platform, uint64_t entry)
{
	uint64_t mask = (UINT64_C(1) << platform->address_bits) - PAGE;

	if (platform->ggtt_entry == 4)
		entry = (entry & 0xfffff000) | (entry & 0xff0) << 28;
	return entry & mask;
}

bool ggtt_entry_local(const struct gsc_platform *platform, uint64_t entry)
{
	return platform_has(platform, PROPERTY_GGTT_LOCAL) && entry & LOCAL_MEMORY;
}
