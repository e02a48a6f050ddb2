/* SPDX-License-Identifier: MIT */
/*
 * First dwords of commands, without their length. Layout: bits 31:29 are the client (0 MI,
 * 2 blitter, 3 render); MI has its opcode in 28:23, the blitter in 28:22, render a pipeline in
 * 28:27, an opcode in 26:24 and a sub-opcode in 23:16. The length field of all but the one-dword
 * commands holds the dwords that follow the second.
 */
#ifndef DEMO_COMMANDS_H
#define DEMO_COMMANDS_H

#define MI(opcode) ((uint32_t)(opcode) << 23)
#define BLT(opcode) (2u << 29 | (uint32_t)(opcode) << 22)
#define RENDER(pipeline, opcode, sub)                                                              \
	(3u << 29 | (uint32_t)(pipeline) << 27 | (uint32_t)(opcode) << 24 | (uint32_t)(sub) << 16)

/* One dword, no length. */
#define MI_NOOP MI(0x00)
#define MI_USER_INTERRUPT MI(0x02)
#define MI_FLUSH MI(0x04)
#define MI_ARB_CHECK MI(0x05)
#define MI_ARB_ON_OFF MI(0x08)
#define MI_ARB_ENABLE (1 << 0)
#define MI_BATCH_BUFFER_END MI(0x0a)
#define PIPELINE_SELECT RENDER(1, 1, 0x04)
#define PIPELINE_3D 0
#define PIPELINE_MASK (3 << 8)			/* Gen9 on: which of the low bits are used */
#define _3DSTATE_VF_STATISTICS RENDER(1, 0, 0x0b)

#define MI_SET_CONTEXT MI(0x18)
#define MI_SEMAPHORE_WAIT MI(0x1c)
#define MI_SEMAPHORE_POLL (1 << 15)
#define MI_SEMAPHORE_SAD_GTE_SDD (1 << 12)	/* continue when memory >= operand */
#define MI_STORE_DATA_IMM MI(0x20)
#define MI_USE_GGTT (1 << 22)
#define MI_STORE_DATA_INDEX MI(0x21)
#define MI_LOAD_REGISTER_IMM MI(0x22)
#define MI_LRI_FORCE_POSTED (1 << 12)
#define MI_LRI_CS_MMIO (1 << 19)		/* Gen11 on: offsets are relative to the engine */
#define MI_FLUSH_DW MI(0x26)
#define MI_FLUSH_DW_STORE_DWORD (1 << 14)
#define MI_FLUSH_DW_USE_GGTT (1 << 2)		/* in the address */
#define MI_BATCH_BUFFER_START MI(0x31)
#define MI_BATCH_PPGTT (1 << 8)
#define MI_BATCH_SECOND_LEVEL (1 << 22)		/* returns to the batch that started it */

#define XY_COLOR_BLT BLT(0x50)
#define XY_SRC_COPY_BLT BLT(0x53)
#define BLT_WRITE_RGBA (3 << 20)
#define BLT_TILED_DESTINATION (1 << 11)
#define BLT_DEPTH_32 (3 << 24)			/* in dword 1, with the raster operation */
#define BLT_ROP_SOURCE (0xcc << 16)
#define BLT_ROP_PATTERN (0xf0 << 16)

#define STATE_BASE_ADDRESS RENDER(0, 1, 0x01)
#define BASE_MODIFY (1 << 0)
#define STATE_SIP RENDER(0, 1, 0x02)

#define _3DSTATE_BINDING_TABLE_POINTERS RENDER(3, 0, 0x01)	/* to Gen6 */
#define _3DSTATE_SAMPLER_STATE_POINTERS RENDER(3, 0, 0x02)	/* to Gen6 */
#define _3DSTATE_VIEWPORT_STATE_POINTERS RENDER(3, 0, 0x0d)	/* Gen6 */
#define _3DSTATE_URB RENDER(3, 0, 0x05)				/* Gen6 */
#define _3DSTATE_VERTEX_BUFFERS RENDER(3, 0, 0x08)
#define _3DSTATE_VERTEX_ELEMENTS RENDER(3, 0, 0x09)
#define _3DSTATE_CC_STATE_POINTERS RENDER(3, 0, 0x0e)
#define _3DSTATE_VS RENDER(3, 0, 0x10)
#define _3DSTATE_CLIP RENDER(3, 0, 0x12)
#define _3DSTATE_SAMPLE_MASK RENDER(3, 0, 0x18)
#define _3DSTATE_VF_TOPOLOGY RENDER(3, 0, 0x4b)			/* Gen8 on */
#define _3DSTATE_DRAWING_RECTANGLE RENDER(3, 1, 0x00)
#define _3DSTATE_MULTISAMPLE RENDER(3, 1, 0x0d)			/* Gen6 */
#define PIPE_CONTROL RENDER(3, 2, 0x00)
#define _3DPRIMITIVE RENDER(3, 3, 0x00)

enum topology { TOPOLOGY_TRILIST = 4, TOPOLOGY_TRISTRIP = 5 };

/* PIPE_CONTROL, dword 1. */
enum {
	PIPE_DEPTH_CACHE_FLUSH = 1 << 0,
	PIPE_STATE_CACHE_INVALIDATE = 1 << 2,
	PIPE_CONSTANT_CACHE_INVALIDATE = 1 << 3,
	PIPE_VF_CACHE_INVALIDATE = 1 << 4,
	PIPE_DC_FLUSH = 1 << 5,			/* Gen7 on */
	PIPE_FLUSH_ENABLE = 1 << 7,		/* Gen7 on */
	PIPE_TEXTURE_CACHE_INVALIDATE = 1 << 10,
	PIPE_RENDER_TARGET_FLUSH = 1 << 12,
	PIPE_WRITE_QWORD = 1 << 14,
	PIPE_WRITE_TIMESTAMP = 3 << 14,
	PIPE_CS_STALL = 1 << 20,
	PIPE_USE_GGTT = 1 << 24,		/* Gen7 on; Gen6 has it in bit 2 of the address */
};

#endif
