/* SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <string.h>

uint32_t ggtt_entries(const struct gpu *gpu)
{
	return gpu->platform->ggtt_size / gpu->platform->entry;
}

uint64_t ggtt_entry(const struct gpu *gpu, uint32_t index)
{
	const uint32_t *entries = &gpu->bar0[gpu->platform->ggtt_offset / 4];

	if (gpu->platform->entry == 4)
		return entries[index];
	return entries[2 * index] | (uint64_t)entries[2 * index + 1] << 32;
}

/* Bits 11:4 of a 32-bit entry are bits 39:32 of the address (Haswell: 10:4 are 38:32). */
uint64_t entry_address(const struct gpu *gpu, uint64_t entry)
{
	uint64_t high = gpu->platform->device == 0x0412 ? 0x7f0 : 0xff0;

	if (gpu->platform->local && (entry & 2))
		return LOCAL_BASE | (entry & UINT64_C(0x7ffffff000));
	if (gpu->platform->entry == 8)
		return entry & UINT64_C(0x7ffffff000);
	return (entry & 0xfffff000) | (entry & high) << 28;
}

static bool within(uint64_t address, unsigned size, uint64_t start, uint64_t length)
{
	return address >= start && address - start <= length - size;
}

uint8_t *memory_at(struct gpu *gpu, uint64_t physical, unsigned size)
{
	if (within(physical, size, STOLEN_BASE, STOLEN_SIZE))
		return gpu->stolen + (physical - STOLEN_BASE);
	if (gpu->local && within(physical, size, LOCAL_BASE, gpu->platform->local))
		return gpu->local + (physical - LOCAL_BASE);
	for (size_t i = 0; i < RAM_REGIONS; i++) {
		struct ram *ram = &gpu->ram[i];

		if (ram->bytes && ram->size >= size &&
		    within(physical, size, ram->start, ram->size))
			return ram->bytes + (physical - ram->start);
	}
	return NULL;
}

uint8_t *graphics_at(struct gpu *gpu, uint32_t address, unsigned size)
{
	uint32_t index = address / 4096;
	uint64_t entry;

	if (index >= ggtt_entries(gpu))
		return NULL;
	entry = ggtt_entry(gpu, index);
	if (!(entry & 1))
		return NULL;
	return memory_at(gpu, entry_address(gpu, entry) | (address & 4095), size);
}
