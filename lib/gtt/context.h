/* SPDX-License-Identifier: MIT */
/* Images of logical contexts (Gen8 and later): the registers that they restore. */
#ifndef GSC_CONTEXT_H
#define GSC_CONTEXT_H

#include "gtt/root.h"

/* The image begins with the per-process status page; registers follow, at least one page. */
#define CONTEXT_STATE 0x1000
#define CONTEXT_STATE_BYTES 0x1000

/* Registers are in lists: MI_LOAD_REGISTER_IMM by its bits 31:23, and the bits of an offset. */
#define MI_LOAD_REGISTER_IMM 0x22
#define LOAD_OFFSET 0x7ffffcu

/* Offsets are relative to the registers of the context's engine. */
struct context_register {
	uint32_t offset, value;
};

struct context_image {
	uint64_t address;		/* GGTT */
	size_t count;
	struct context_register registers[CONTEXT_STATE_BYTES / 8];
};

/* From an LRCA or whole descriptor to an image. GSC_UNKNOWN if it is not there, or is no image. */
enum gsc_status context_read(const struct gsc_gpu *gpu, uint64_t descriptor,
			     struct context_image *image, struct gsc_error *err);
/* The tables of the context that this is an image of. */
enum gsc_status context_image_root(const struct gsc_gpu *gpu, const struct context_image *image,
				   uint64_t descriptor, struct gsc_root *root,
				   struct gsc_error *err);
/* The last value that it gives a register. */
bool context_value(const struct context_image *image, uint32_t offset, uint32_t *value);
/* Gives a register another value wherever `state`, which follows the status page, has it. */
void context_change(uint8_t *state, size_t size, uint32_t offset, uint32_t value);

/* Bits of a context descriptor. Those of an LRCA alone are all 0. */
#define DESCRIPTOR_VALID (1u << 0)
#define DESCRIPTOR_LEGACY (1u << 3)
#define DESCRIPTOR_48BIT (1u << 4)	/* of a legacy context */
#define DESCRIPTOR_PRIVILEGED (1u << 8)

/* Does it say how the context's addresses are translated? */
static inline bool descriptor_says_mode(uint64_t descriptor)
{
	return descriptor & 0xfff;
}

/* The four pointers as a root: its mode comes from the descriptor, or else from the pointers. */
enum gsc_status root_of_pointers(const uint64_t pointers[4], uint64_t descriptor,
				 struct gsc_root *root, struct gsc_error *err);

#endif
