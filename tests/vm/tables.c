/* SPDX-License-Identifier: MIT */
/* Page tables of processes, as i915 and xe write them (gen6_ppgtt.c, gen8_ppgtt.c, xe_pt.c). */
#include "engine.h"

#include <string.h>

#define ADDRESS UINT64_C(0x7ffffff000)

static bool entry_at(struct gpu *gpu, uint64_t physical, unsigned size, uint64_t *entry)
{
	const uint8_t *bytes = memory_at(gpu, physical, size);

	*entry = 0;
	if (bytes)
		memcpy(entry, bytes, size);
	return *entry & 1;
}

static struct reached reached(struct gpu *gpu, uint64_t physical)
{
	uint8_t *bytes = memory_at(gpu, physical, 4);

	return (struct reached){ bytes, bytes ? 0 : -1 };
}

/* Two levels: a directory of 512 entries inside the GGTT's own table, tables of 1024. */
static struct reached gen6_process_at(struct gpu *gpu, const struct engine *engine,
				      uint64_t address)
{
	uint32_t directory = *engine_register(gpu, engine, RING_PP_DIR_BASE) >> 16 << 6;
	uint64_t entry;

	entry = gpu->bar0[(gpu->platform->ggtt_offset +
			   (directory + 4 * (address >> 22 & 511)) % gpu->platform->ggtt_size) / 4];
	if (!(entry & 1))
		return (struct reached){ NULL, 1 };
	if (!entry_at(gpu, entry_address(gpu, entry) + 4 * (address >> 12 & 1023), 4, &entry))
		return (struct reached){ NULL, 0 };
	return reached(gpu, entry_address(gpu, entry) | (address & 4095));
}

enum { LARGE = 1 << 7, PAGES_64K = 1 << 11 };

/* Four levels from the first pointer; of a context of 32 bits, three from one of four. */
static struct reached gen8_process_at(struct gpu *gpu, const struct engine *engine,
				      uint64_t address)
{
	bool four = (engine->running[0] >> 3 & 3) == 3;
	const uint32_t *pointer = engine_register(gpu, engine, RING_PDP +
						  (four ? 0 : 8 * (address >> 30 & 3)));
	uint64_t entry = pointer[0] | (uint64_t)pointer[1] << 32;

	for (int level = four ? 3 : 1; level >= 0; level--) {
		unsigned shift = 12 + 9 * (unsigned)level;
		unsigned index = address >> shift & 511;
		uint64_t offset = address & ((UINT64_C(1) << shift) - 1);
		bool pages_64k = !level && (entry & PAGES_64K);

		if (pages_64k)
			index &= ~15u;
		if (!entry_at(gpu, (entry & ADDRESS) + 8 * index, 8, &entry))
			return (struct reached){ NULL, level };
		if (level && level < 3 && (entry & LARGE))
			return reached(gpu, (entry & ADDRESS & ~((UINT64_C(1) << shift) - 1)) | offset);
		if (pages_64k)
			return reached(gpu, (entry & ADDRESS & ~UINT64_C(0xffff)) |
						    (address & 0xffff));
	}
	return reached(gpu, (entry & ADDRESS) | (address & 4095));
}

struct reached process_at(struct gpu *gpu, const struct engine *engine, uint64_t address)
{
	return gpu->platform->gen < 8 ? gen6_process_at(gpu, engine, address & ~3ull)
				      : gen8_process_at(gpu, engine, address & ~3ull);
}
