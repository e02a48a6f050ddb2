/* SPDX-License-Identifier: MIT */
/*
 * Engines that execute what drivers hand over. An engine is driven by register writes and by
 * engines_tick(); all it does, it does in memory and registers, so nobody who watches these can
 * tell it from silicon but by its speed. No code and no definition of the library is in it: it is
 * the second opinion.
 *
 *	engine.c	submission, context switches, their events, resets
 *	streamer.c	the command streamer: fetches, executes, waits, faults
 *	commands.c	what each command does: one table
 *	tables.c	addresses of a process, through page tables of every generation
 *	guc.c		who hands over instead of the driver, if it loads a GuC
 *	guc-capture.c	what that stores of an engine before it resets it
 *	interrupt.c	what the processor is told
 */
#ifndef VM_ENGINE_H
#define VM_ENGINE_H

#include "gpu.h"

/* Registers, from an engine's base. */
enum {
	RING_TAIL = 0x30, RING_HEAD = 0x34, RING_START = 0x38, RING_CTL = 0x3c,
	RING_ACTHD_UDW = 0x5c, RING_DMA_FADD_UDW = 0x60, RING_IPEIR = 0x64, RING_IPEHR = 0x68,
	RING_INSTDONE = 0x6c, RING_INSTPS = 0x70, RING_ACTHD = 0x74, RING_DMA_FADD = 0x78,
	RING_HWS_PGA = 0x80, RING_ENGINE_ID = 0x8c, RING_MI_MODE = 0x9c, RING_IMR = 0xa8, RING_EIR = 0xb0,
	RING_EMR = 0xb4, RING_RESET_CTL = 0xd0, RING_BB_STATE = 0x110, RING_SBBADDR = 0x114,
	RING_SBBADDR_UDW = 0x11c, RING_BB_ADDR = 0x140, RING_BB_ADDR_UDW = 0x168, RING_CCID = 0x180,
	RING_BB_PER_CTX = 0x1c0,
	RING_PP_DIR_BASE = 0x228, RING_STATUS_LO = 0x234, RING_STATUS_HI = 0x238,
	RING_PDP = 0x270, RING_ASID = 0x278, RING_CSB = 0x370, RING_CSB_POINTER = 0x3a0, RING_CTX_TIMESTAMP = 0x3a8,
	RING_CSB_MORE = 0x3c0, RING_TIMESTAMP = 0x358, RING_PREDICATE_SRC0 = 0x400,
	RING_PREDICATE_SRC1 = 0x408, RING_PREDICATE_RESULT = 0x418, RING_GPR = 0x600,
};

/* Where a GuC's registers begin: an engine only to interrupts. */
#define GUC_BASE 0xc000u
#define MEDIA_GUC_BASE (MEDIA_GT + GUC_BASE)

static inline uint32_t guc_base(unsigned gt)
{
	return gt ? MEDIA_GUC_BASE : GUC_BASE;
}

/* Classes of engines that the code knows, as the hardware numbers them. */
enum { OTHER = 4, COMPUTE = 5 };

/* What distinguishes one engine from another. */
struct engine_kind {
	const char *name;
	uint32_t base;
	uint32_t status_page;		/* offset of HWS_PGA; 0: from the base */
	unsigned fault_id;		/* its number in fault registers */
	unsigned reset;			/* its bit in GDRST */
	unsigned bank, bit;		/* of its interrupts */
	unsigned class, instance;	/* in the identity of an interrupt (Gen11) */
	unsigned gt;			/* to which it belongs */
};

struct batch {
	uint64_t at;
	bool ggtt;
};

enum halt { RUNS, WAITS, LOOPS, FAULTED };

struct engine {
	const struct engine_kind *kind;
	uint64_t running[2];		/* descriptors of contexts, the first is on; 0: none */
	uint64_t queued[2];		/* submitted and not yet taken */
	bool has_queued, active;
	struct batch batch[2];		/* first and second level, as far as `depth` says */
	unsigned depth;			/* 0: in the ring */
	bool no_arbitration, may_switch;	/* MI_ARB_ON_OFF; has met a point to be preempted at */
	enum halt halt;
	uint64_t fault_address;		/* that halted it */
	unsigned fault_level;		/* of tables: 0 is a page's entry */
	bool fault_write;
	unsigned csb_write;
	bool events;			/* of context switches, not yet signalled */
	uint32_t vector;		/* interrupts not yet read (Gen11) */
	double began;			/* when the context was switched in */
};

/* ---- engine.c ------------------------------------------------------------------------------- */

struct engine *engine_at(struct gpu *gpu, uint32_t base);
/* Removes what is running, if it allows preemption. */
bool engine_leave(struct gpu *gpu, struct engine *engine);
uint32_t *engine_register(struct gpu *gpu, const struct engine *engine, uint32_t offset);
void engine_log(struct gpu *gpu, const struct engine *engine, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- tables.c ------------------------------------------------------------------------------- */

/* What an address leads to; NULL: the entry of `level` is missing, 0 that of a page and upwards. */
struct reached {
	uint8_t *bytes;
	int level;			/* -1: the entry is there, the memory is not */
	uint8_t *entries[5];		/* the entries that it passed, by level */
};

struct reached process_at(struct gpu *gpu, const struct engine *engine, uint64_t address);

/* ---- streamer.c ----------------------------------------------------------------------------- */

/* Executes at most this many commands. True: everything is done up to the tail. */
bool streamer_run(struct gpu *gpu, struct engine *engine, unsigned commands);
/* Executes a batch of the driver's in the GGTT, before anything else of a context. */
void streamer_prologue(struct gpu *gpu, struct engine *engine, uint64_t at);

/* For commands: dword `i` of the one being executed, and memory. */
uint32_t streamer_dword(struct gpu *gpu, struct engine *engine, unsigned i);
uint32_t streamer_load(struct gpu *gpu, struct engine *engine, bool ggtt, uint64_t address);
void streamer_store(struct gpu *gpu, struct engine *engine, bool ggtt, uint64_t address,
		    uint32_t value);
void streamer_advance(struct gpu *gpu, struct engine *engine, unsigned dwords);
bool streamer_in_process(const struct engine *engine);
/* The streamer cannot continue until it is reset: EIR says why. */
void streamer_error(struct gpu *gpu, struct engine *engine);

/* ---- commands.c ----------------------------------------------------------------------------- */

enum outcome { NEXT, JUMPED, NOT_YET };

unsigned command_length(uint32_t header);
enum outcome command_execute(struct gpu *gpu, struct engine *engine, uint32_t header);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

enum { USER_INTERRUPT = 1 << 0, SWITCH_INTERRUPT = 1 << 8, GUC_INTERRUPT = 1 << 15 };

void interrupt_raise(struct gpu *gpu, struct engine *engine, uint32_t bits);

#endif
