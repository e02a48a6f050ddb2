/* SPDX-License-Identifier: MIT */
/*
 * Registers in the image of a context, which the driver writes as MI_LOAD_REGISTER_IMM commands at
 * its beginning: loaded when the context is switched in, written back when it is switched out.
 */
#include "engine.h"

#include <string.h>

enum {
	LOAD_REGISTER_IMM = 0x22u << 23,
	RELATIVE = 1u << 19,		/* to the engine's registers */
	BATCH_BUFFER_END = 0x0au << 23,
	IMAGE_DWORDS = 256,
};

typedef void visit(struct gpu *gpu, uint32_t base, uint32_t offset, uint8_t *value);

static bool image_dword(struct gpu *gpu, uint32_t image, uint32_t i, uint32_t *value)
{
	const uint8_t *bytes = graphics_at(gpu, image + 4 * i, 4);

	if (bytes)
		memcpy(value, bytes, 4);
	return bytes != NULL;
}

/* Page 0 of a context is its status page, page 1 begins with its registers. */
static void each_register(struct gpu *gpu, uint32_t base, uint32_t context, visit *each)
{
	uint32_t image = (context & 0xfffff000) + 4096, command, offset;

	for (uint32_t i = 0; i < IMAGE_DWORDS; i++) {
		if (!image_dword(gpu, image, i, &command) || command == BATCH_BUFFER_END)
			return;
		if ((command & 0xff800000) != LOAD_REGISTER_IMM)
			continue;
		for (uint32_t pairs = ((command & 0xff) + 1) / 2; pairs; pairs--, i += 2) {
			uint8_t *value = graphics_at(gpu, image + 4 * (i + 2), 4);

			if (!image_dword(gpu, image, i + 1, &offset) || !value)
				return;
			offset = command & RELATIVE ? base + (offset & 0xffc) : offset & 0x7ffffc;
			each(gpu, base, offset, value);
		}
	}
}

static void load(struct gpu *gpu, uint32_t base, uint32_t offset, uint8_t *value)
{
	uint32_t number;

	memcpy(&number, value, 4);
	/* The tail would submit work again. */
	if (offset == base + RING_TAIL)
		gpu->bar0[offset / 4] = number;
	else
		register_write(gpu, offset, number);
}

/* What advances while a context runs; the rest belongs to the driver. */
static void save(struct gpu *gpu, uint32_t base, uint32_t offset, uint8_t *value)
{
	uint32_t own = offset - base;

	if (own == RING_HEAD || own == RING_BB_STATE || own == RING_BB_ADDR ||
	    own == RING_BB_ADDR_UDW || own == RING_SBBADDR || own == RING_SBBADDR_UDW ||
	    own == RING_CTX_TIMESTAMP || (own >= RING_GPR && own < RING_GPR + 128))
		memcpy(value, &gpu->bar0[offset / 4], 4);
}

void context_load(struct gpu *gpu, uint32_t base, uint32_t context)
{
	each_register(gpu, base, context, load);
}

void context_save(struct gpu *gpu, uint32_t base, uint32_t context)
{
	each_register(gpu, base, context, save);
}
