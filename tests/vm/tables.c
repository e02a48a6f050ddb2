/* SPDX-License-Identifier: MIT */
/* Page tables of processes, as i915 and xe write them (gen6_ppgtt.c, gen8_ppgtt.c, xe_pt.c). */
#include "engine.h"

#include <string.h>

#define ADDRESS UINT64_C(0x7ffffff000)

/* An entry as it is used, stored in `to`; false: it is not valid. */
static bool take_entry(struct gpu *gpu, struct reached *to, int level, uint64_t physical,
		       uint64_t *entry)
{
	unsigned size = gpu->platform->gen < 8 ? 4 : 8;

	*entry = 0;
	to->level = level;
	to->entries[level] = memory_at(gpu, physical, size);
	if (to->entries[level])
		memcpy(entry, to->entries[level], size);
	return *entry & 1;
}

/* A null page (xe's scratch) reads as 0, and writes to it are lost. */
static void reach(struct gpu *gpu, struct reached *to, uint64_t physical, bool null)
{
	to->bytes = null ? memset(gpu->nothing, 0, 4) : memory_at(gpu, physical, 4);
	to->level = to->bytes ? 0 : -1;
}

/* Two levels: a directory of 512 entries inside the GGTT's own table, tables of 1024. */
static struct reached gen6_process_at(struct gpu *gpu, const struct engine *engine,
				      uint64_t address)
{
	uint32_t directory = *engine_register(gpu, engine, RING_PP_DIR_BASE) >> 16 << 6;
	uint32_t at = (directory + 4 * (uint32_t)(address >> 22 & 511)) % gpu->platform->ggtt_size;
	struct reached to = { .level = 1 };
	uint64_t entry;

	to.entries[1] = (uint8_t *)&gpu->bar0[(gpu->platform->ggtt_offset + at) / 4];
	entry = gpu->bar0[(gpu->platform->ggtt_offset + at) / 4];
	if ((entry & 1) && take_entry(gpu, &to, 0, entry_address(gpu, entry) +
					      4 * (address >> 12 & 1023), &entry))
		reach(gpu, &to, entry_address(gpu, entry) | (address & 4095), false);
	return to;
}

enum { LARGE = 1 << 7, NULL_PAGE = 1 << 9, PAGES_64K = 1 << 11 };

/* Four levels (from Xe2 on five) from the first pointer; of a context of 32 bits, two from one of four. */
static struct reached gen8_process_at(struct gpu *gpu, const struct engine *engine,
				      uint64_t address)
{
	bool four = (engine->running[0] >> 3 & 3) == 3;
	const uint32_t *pointer = engine_register(gpu, engine, RING_PDP +
						  (four ? 0 : 8 * (address >> 30 & 3)));
	uint64_t entry = pointer[0] | (uint64_t)pointer[1] << 32;
	uint64_t local = gpu->platform->local ? LOCAL_BASE : 0;
	struct reached to = { 0 };

	for (int level = !four ? 1 : gpu->platform->release ? 4 : 3; level >= 0; level--) {
		unsigned shift = 12 + 9 * (unsigned)level, index = address >> shift & 511;
		bool pages_64k = !local && !level && (entry & PAGES_64K);
		uint64_t inside = (UINT64_C(1) << (pages_64k ? 16 : shift)) - 1;

		if (pages_64k)
			index &= ~15u;
		if (!take_entry(gpu, &to, level, local + (entry & ADDRESS) + 8 * index, &entry))
			break;
		if (!level || (level < 3 && (entry & LARGE))) {
			reach(gpu, &to, (entry & PAGES_64K ? local : 0) |
			      (entry & ADDRESS & ~inside) | (address & inside),
			      gpu->platform->gen >= 12 && (entry & NULL_PAGE));
			break;
		}
	}
	return to;
}

struct reached process_at(struct gpu *gpu, const struct engine *engine, uint64_t address)
{
	return gpu->platform->gen < 8 ? gen6_process_at(gpu, engine, address & ~3ull)
				      : gen8_process_at(gpu, engine, address & ~3ull);
}
