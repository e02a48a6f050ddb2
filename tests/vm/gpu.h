/* SPDX-License-Identifier: MIT */
/*
 * A modelled Intel GPU: config space, register BAR with its GGTT, aperture, forcewake. It is driven
 * by accesses, as silicon is, and does not know how they arrive (proxy.c) or what they test
 * (script.c). A table says what each register does (registers.c), another what each platform has
 * (platform.c).
 */
#ifndef VM_GPU_H
#define VM_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- platform.c --------------------------------------------------------------------------- */

struct domain {
	const char *name;
	uint32_t request, ack;
	bool plain;			/* one bit for everyone, not masked by the upper half */
};

/* Registers [first, last] answer only while all of these domains are awake; a bit for each. */
struct sleeping {
	uint32_t first, last;
	unsigned domains;
	bool guess;			/* no source says that these are enough */
};

struct platform {
	const char *name;
	uint16_t device;
	uint8_t revision;
	unsigned gen;
	unsigned release, media;	/* of its IP (2004 is 20.04), from which it has its own numbers; 0 */
	uint32_t bar0_size, ggtt_offset, ggtt_size;
	uint64_t local;			/* bytes of memory of its own, behind BAR2; 0: shares the machine's */
	unsigned entry;			/* bytes of a GGTT entry */
	uint16_t ggc;			/* graphics control, config space 0x50 */
	const struct domain *domains;	/* up to one without a name */
	const struct sleeping *sleeping;	/* up to one without domains */
	const uint32_t *engines;	/* MMIO bases, up to 0 */
};

const struct platform *platform_find(const char *name);

/* ---- log.c: every access ------------------------------------------------------------------ */

enum space { SPACE_BAR0, SPACE_BAR2, SPACE_CONFIG };

struct access {
	double time;			/* seconds since the model began */
	bool write;
	bool hazard;			/* a read that has a side effect */
	bool entry;			/* of the GGTT */
	uint8_t gpu, space, size;
	uint32_t offset;
	uint64_t value;
	const char *note;		/* "asleep", "masked", ... or NULL */
};

struct log {
	struct access *items;
	size_t count, room;
	size_t mark;			/* when the command run last began */
	size_t folded;			/* the last ones, which are not in the file */
	FILE *file;
};

double seconds(void);
void log_add(struct log *log, const struct access *access);
void log_text(struct log *log, const char *text);

/* ---- memory.c: what graphics addresses lead to -------------------------------------------- */

struct ram {
	uint64_t start, size;
	uint8_t *bytes;
};

#define RAM_REGIONS 8

/* ---- gpu.c -------------------------------------------------------------------------------- */

#define CONFIG_SIZE 256
#define BAR2_SIZE (64u << 20)
#define STOLEN_BASE 0xcc000000u
/* Its own memory among physical addresses here, where no other is. */
#define LOCAL_BASE (UINT64_C(1) << 45)
#define STOLEN_SIZE (32u << 20)

/* A second GT, of media, has the registers of the first at these offsets. */
#define GTS 2
#define GT_SIZE 0x40000u
#define MEDIA_GT 0x380000u

struct gpu;

/*
 * Answers nothing until it is loaded again; never starts again. Before a reset keeps nothing; has room for
 * a part; has none, and says so.
 */
enum guc_health { GUC_WELL, GUC_SILENT, GUC_BROKEN, GUC_FORGETFUL, GUC_SCANTY, GUC_FULL };

/* What a register does instead of being memory; NULL where it is. */
struct behaviour {
	const char *note;
	uint32_t (*read)(struct gpu *gpu, uint32_t offset);
	void (*write)(struct gpu *gpu, uint32_t offset, uint32_t value);
	bool awake;			/* never sleeps, wherever it is */
};

struct gpu {
	const struct platform *platform;
	unsigned index;			/* which GPU of the machine */
	struct log *log;
	uint8_t config[CONFIG_SIZE];
	uint32_t *bar0;			/* registers, then from ggtt_offset on the GGTT */
	uint8_t *kind;			/* of each dword: index of its behaviour, 0 is memory */
	uint8_t *hazard;		/* of each dword: a read has a side effect */
	uint8_t *stolen;
	uint8_t *local;			/* its own memory */
	struct ram ram[RAM_REGIONS];
	uint8_t nothing[4];		/* the target of a null page */
	unsigned awake;			/* domains, a bit for each */
	unsigned held;			/* ... kept awake by the test, not by a request */
	unsigned lose_every, lose_left;	/* reads of what sleeps until all of it falls asleep; 0: never */
	uint32_t asleep_value;		/* what sleeping registers return */
	bool gone, bars_gone;		/* answers all ones: everything, or all but config space */
	uint32_t lost_at;		/* disappears with an access to that dword of BAR0, */
	unsigned lost_after;		/* the Nth one; 0: never */
	uint32_t port[4];		/* written to the submission port last, the newest last */
	unsigned port_writes;
	struct {
		uint32_t number, value;
	} units[16];			/* registers of the sideband that have been written */
	bool started;			/* work has been submitted */
	uint64_t submission;		/* context descriptor of the first, if it has one */
	void (*submitted)(struct gpu *gpu, void *data);	/* called once, then */
	void *submitted_data;
	struct engine *engines;		/* those that execute, up to one without a kind */
	struct guc *gucs[GTS];		/* one for each GT; NULL: has none */
	enum guc_health guc_health;	/* of all of them */
	uint32_t identity[2];		/* interrupts of Gen11, a bank each */
	bool interrupting;		/* the line is active */
	void (*interrupt)(struct gpu *gpu, void *data);	/* called when it rises */
	void *interrupt_data;
};

struct gpu *gpu_new(const struct platform *platform, unsigned index, struct log *log);
void gpu_free(struct gpu *gpu);
void gpu_reset(struct gpu *gpu);

uint32_t gpu_config_read(struct gpu *gpu, uint32_t offset, unsigned size);
void gpu_config_write(struct gpu *gpu, uint32_t offset, uint32_t value, unsigned size);

/* Where an interrupt's message goes, and its value; false: it has a line. */
bool gpu_message(const struct gpu *gpu, uint32_t *address, uint16_t *data);

/* By guest-physical address, as the bus has it. */
uint64_t gpu_memory_read(struct gpu *gpu, uint64_t address, unsigned size);
void gpu_memory_write(struct gpu *gpu, uint64_t address, uint64_t value, unsigned size);

/* ---- registers.c -------------------------------------------------------------------------- */

/* Which dwords are more than memory, and the values after reset. */
void registers_prepare(struct gpu *gpu);
void registers_reset(struct gpu *gpu);
const struct behaviour *register_behaviour(const struct gpu *gpu, uint32_t offset);
void register_write(struct gpu *gpu, uint32_t offset, uint32_t value);
/* Where a register sleeps; NULL: it never does. Its domains, a bit for each; 0. */
const struct sleeping *register_sleeping(const struct gpu *gpu, uint32_t offset);
unsigned register_domains(const struct gpu *gpu, uint32_t offset);
bool register_asleep(const struct gpu *gpu, uint32_t offset);
/* These domains are kept awake by somebody, whatever is requested. */
void registers_hold(struct gpu *gpu, unsigned domains);
/* Nobody keeps anything awake any more: neither the test nor a request. */
void registers_lose(struct gpu *gpu);
/* The hardware meets a fault of the engine with that number: recorded if none is yet. */
bool register_fault(struct gpu *gpu, unsigned engine, uint32_t fault, uint32_t data0,
		    uint32_t data1);
void registers_forget_fault(struct gpu *gpu);

/* ---- memory.c ----------------------------------------------------------------------------- */

uint64_t ggtt_entry(const struct gpu *gpu, uint32_t index);
uint32_t ggtt_entries(const struct gpu *gpu);
/* The address in an entry of the GGTT, or of a process's table on Gen6 and 7. */
uint64_t entry_address(const struct gpu *gpu, uint64_t entry);
/* Where an address of physical memory is here; NULL if `size` bytes are missing. */
uint8_t *memory_at(struct gpu *gpu, uint64_t physical, unsigned size);
/* Where a graphics address leads through the GGTT, or NULL. */
uint8_t *graphics_at(struct gpu *gpu, uint32_t address, unsigned size);

/* ---- engine.c ----------------------------------------------------------------------------- */

struct engine;

void engines_prepare(struct gpu *gpu);
/* Work is submitted: two contexts, 0 if there is none, or up to the ring's new tail. */
void engine_submit(struct gpu *gpu, uint32_t base, uint64_t first, uint64_t second);
void engine_ring(struct gpu *gpu, uint32_t base);
void engine_events_pointer(struct gpu *gpu, uint32_t base, uint32_t value);
/* Those of a GT with a bit of this in its GDRST. */
void engines_reset(struct gpu *gpu, unsigned gt, uint32_t domains);
/* How long the context on an engine has run, in the units of its register; 0: none is on. */
uint32_t engine_time(struct gpu *gpu, uint32_t base);
/* Continues what waits or is long; true: something is left, and this must be called again. */
bool engines_tick(struct gpu *gpu);
bool engines_active(const struct gpu *gpu);

/* ---- guc.c -------------------------------------------------------------------------------- */

struct guc;

/* What the driver writes: DMA's control; a message in registers; a notice of a message. */
void guc_load(struct gpu *gpu, unsigned gt, uint32_t control);
void guc_message(struct gpu *gpu, unsigned gt);
void guc_notify(struct gpu *gpu, unsigned gt);
/* They tell their driver that they have crashed. */
void guc_crash(struct gpu *gpu);
/* Submits what waits for an idle engine, and reports what has stopped. */
void guc_schedule(struct gpu *gpu);
void guc_reset(struct gpu *gpu, unsigned gt);

/* ---- interrupt.c -------------------------------------------------------------------------- */

uint32_t interrupt_master(struct gpu *gpu);
/* Signals what has become pending, if that is allowed. */
void interrupt_update(struct gpu *gpu);
/* Gen11: which engine of a bank the processor asks for; its bits in the bank are cleared. */
void interrupt_select(struct gpu *gpu, unsigned bank, uint32_t mask);
void interrupt_clear(struct gpu *gpu, unsigned bank, uint32_t mask);

/* ---- context.c ---------------------------------------------------------------------------- */

/* Registers of the engine at `base` from the image of a context (its graphics address), and back. */
void context_load(struct gpu *gpu, uint32_t base, uint32_t context);
void context_save(struct gpu *gpu, uint32_t base, uint32_t context);

#endif
