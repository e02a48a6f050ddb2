/* SPDX-License-Identifier: MIT */
/* The registers of a command streamer. */
#ifndef DEMO_ENGINE_H
#define DEMO_ENGINE_H

#include "machine.h"

/* Offsets from the MMIO base of an engine. */
enum engine_register {
	RING_TAIL = 0x30,
	RING_HEAD = 0x34,
	RING_START = 0x38,
	RING_CONTROL = 0x3c,
	ACTHD_UPPER = 0x5c,		/* Gen8 on, like all upper halves */
	FETCH_UPPER = 0x60,
	IPEIR = 0x64,
	IPEHR = 0x68,
	INSTDONE = 0x6c,
	INSTPS = 0x70,
	ACTHD = 0x74,
	DMA_FADD = 0x78,
	HWS_PGA = 0x80,			/* Gen8 on; Gen6 has it at 2080h */
	HWSTAM = 0x98,
	MI_MODE = 0x9c,
	IMR = 0xa8,
	EIR = 0xb0,
	EMR = 0xb4,
	ESR = 0xb8,
	RCS_R_PWR_CLK_STATE = 0xc8,
	BB_STATE = 0x110,
	SBB_ADDR = 0x114,
	SBB_STATE = 0x118,
	SBB_ADDR_UPPER = 0x11c,
	BB_ADDR = 0x140,
	BB_ADDR_UPPER = 0x168,
	CCID = 0x180,
	EXECLIST_STATUS_LOW = 0x234,
	EXECLIST_STATUS_HIGH = 0x238,
	CONTEXT_CONTROL = 0x244,
	PDP0_LOWER = 0x270,
	PDP0_UPPER = 0x274,
	GFX_MODE = 0x29c,
	TIMESTAMP = 0x358,
	CONTEXT_STATUS_BUFFER = 0x370,
	CONTEXT_STATUS_POINTER = 0x3a0,
	CONTEXT_TIMESTAMP = 0x3a8,
	SUBMIT_QUEUE = 0x510,		/* Gen11 on */
};

enum {
	RING_ENABLE = 1 << 0,
	RING_WAIT_SEMAPHORE = 1 << 10,
	MODE_RINGS_IDLE = 1 << 9,
	BB_VALID = 1 << 0,
	BB_PPGTT = 1 << 5,
};

struct engine {
	uint32_t base;
	bool wide;			/* Gen8 on: 48-bit addresses, status page at +80h */
	uint32_t ring, pages;		/* graphics address and size */
	uint32_t head, tail, wraps;
	uint32_t wait;			/* RING_WAIT_SEMAPHORE */
	uint32_t status_page;
	uint64_t batch;			/* running, or 0: the parser is in the ring */
	uint64_t second_level;		/* started by `batch`, or 0 */
	uint64_t active;		/* the command in it that is being parsed */
	uint32_t header;		/* of the last command */
	uint32_t instdone, mode, interrupt_mask;
	uint64_t timestamp;
};

/* Holds base .. base + length and fills in what every engine has. */
void engine_registers(struct machine *m, const struct engine *engine, uint32_t length);

#endif
