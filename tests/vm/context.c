/* SPDX-License-Identifier: MIT */
/*
 * What happens when work is handed over: the context's image is found through the GGTT and its
 * registers are loaded, as far as they stand in MI_LOAD_REGISTER_IMM commands at its beginning.
 * Nothing is executed.
 */
#include "gpu.h"

#include <string.h>

enum {
	LOAD_REGISTER_IMM = 0x22u << 23,
	RELATIVE = 1u << 19,		/* to the engine's registers */
	BATCH_BUFFER_END = 0x0au << 23,
	IMAGE_DWORDS = 256,
};

static bool image_dword(struct gpu *gpu, uint32_t image, uint32_t i, uint32_t *value)
{
	const uint8_t *bytes = graphics_at(gpu, image + 4 * i, 4);

	if (bytes)
		memcpy(value, bytes, 4);
	return bytes != NULL;
}

static void load_register(struct gpu *gpu, uint32_t base, bool relative, uint32_t offset,
			  uint32_t value)
{
	offset &= relative ? 0xffc : 0x1ffffc;
	if (relative)
		offset += base;
	/* The tail would hand work over again. */
	if (offset == base + 0x30)
		gpu->bar0[offset / 4] = value;
	else
		register_write(gpu, offset, value);
}

/* Page 0 of a context is its status page, page 1 begins with its registers. */
void context_load(struct gpu *gpu, uint32_t base, uint32_t context)
{
	uint32_t image = (context & 0xfffff000) + 4096, command, offset, value;

	for (uint32_t i = 0; i < IMAGE_DWORDS; i++) {
		if (!image_dword(gpu, image, i, &command) || command == BATCH_BUFFER_END)
			return;
		if ((command & 0xff800000) != LOAD_REGISTER_IMM)
			continue;
		for (uint32_t pairs = ((command & 0xff) + 1) / 2; pairs; pairs--, i += 2)
			if (image_dword(gpu, image, i + 1, &offset) &&
			    image_dword(gpu, image, i + 2, &value))
				load_register(gpu, base, command & RELATIVE, offset, value);
	}
}
