/* SPDX-License-Identifier: MIT */
/* A GuC, as its own files share it: guc.c hears and answers, guc-capture.c keeps what a reset clears. */
#ifndef VM_GUC_H
#define VM_GUC_H

#include "engine.h"

/* A context that is registered with it. */
struct client {
	uint32_t number;
	struct engine *engine;		/* NULL: nobody is registered with this number */
	uint64_t descriptor;
	bool enabled, ready;		/* may run; has work */
	bool reported;			/* that it has stopped at a fault */
	uint32_t quantum, patience;	/* microseconds: runs beside others, then has to yield; 0: for ever */
	double waiting;			/* for its engine since then; 0: does not */
};

#define CLIENTS 256

struct guc {
	struct gpu *gpu;
	unsigned gt;
	uint32_t keys[16];
	bool rings;			/* are in use */
	bool asked;			/* by a message in registers */
	struct client clients[CLIENTS];
};

/* A register of its GT, by the offset that it has in the first. */
uint32_t *guc_register(struct guc *guc, uint32_t offset);
uint32_t guc_load_dword(struct guc *guc, uint32_t address);
void guc_store_dword(struct guc *guc, uint32_t address, uint32_t value);
/* Into the log: what it does, where in a ring or region (dwords), and the dwords. */
void guc_note(struct guc *guc, const char *what, uint32_t place, const uint32_t *words,
	      unsigned count);
/* The number by which it knows a class of engines. */
unsigned guc_class(const struct engine_kind *kind);

/* Says in its log how large the parts of that are, as the driver has set them. */
void guc_begin_log(struct guc *guc);
/* Stores the registers that the driver has listed, before a reset; false: it has listed none. */
bool guc_capture(struct guc *guc, const struct client *client);

#endif
