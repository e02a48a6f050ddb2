/* SPDX-License-Identifier: MIT */
/*
 * build-demo: a program that makes the captures of `demo:` from first principles. It models a
 * machine: address spaces with some stretches held (machine.c), page tables (tables.c), commands
 * and rings (emit.c), engines (engine.c), and one file for each scenario. Nothing here is read from
 * a dump or shared with the decoders that read the result; it runs only at build time.
 */
#ifndef DEMO_MACHINE_H
#define DEMO_MACHINE_H

#include "db/words.h"
#include "util/util.h"

#define PAGE_SIZE 4096u
#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)

/* A stretch of an address space that will be in the capture; the rest of the space is unknown. */
struct window {
	enum gsc_space space;
	uint64_t start, length;
	uint8_t *data;
};

struct hole {
	uint64_t start, length;
	enum gsc_read status;
};

struct machine {
	const char *platform, *story;
	uint16_t device;
	uint8_t revision;
	uint64_t memory;		/* where free memory begins */
	uint64_t pages;			/* allocated so far */
	VEC(struct window) windows;
	VEC(struct hole) holes;		/* registers that could not be read */
};

void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* Makes a stretch known, as zeros. */
void hold(struct machine *m, enum gsc_space space, uint64_t start, uint64_t length);
/* Registers that the capturing program could not read. */
void hold_status(struct machine *m, uint64_t start, uint64_t length, enum gsc_read status);

/*
 * Little-endian values of 1 to 8 bytes in held stretches; elsewhere they are an error of the
 * scenario.
 */
void poke(struct machine *m, enum gsc_space space, uint64_t address, unsigned size, uint64_t value);
uint64_t peek(const struct machine *m, enum gsc_space space, uint64_t address, unsigned size);

struct setting {
	uint32_t offset, value;
};

void poke_all(struct machine *m, enum gsc_space space, uint32_t base,
	      const struct setting *settings, size_t count);

/* { offset, value }, ...: each 32-bit value at base + offset. */
#define SETTINGS(m, space, base, ...)                                                              \
	poke_all(m, space, base, (const struct setting[]){ __VA_ARGS__ },                          \
		 ARRAY_SIZE(((const struct setting[]){ __VA_ARGS__ })))
#define REGISTERS(m, base, ...) SETTINGS(m, GSC_MMIO, base, __VA_ARGS__)
#define CONFIG(m, ...) SETTINGS(m, GSC_CONFIG, 0, __VA_ARGS__)

/*
 * A free page of physical memory: held, or only an address. Neighbours are not given out in order,
 * as in a system that has run for a while.
 */
uint64_t page_alloc(struct machine *m, bool held);

/* A buffer, as the driver sees it: some pages, and the graphics address that they got. */
struct object {
	struct machine *m;
	uint64_t address;
	unsigned count;
	uint64_t page[64];
};

/* The first `held` pages will be in the capture; of the others it has only the addresses. */
void object_create(struct object *object, struct machine *m, unsigned pages, unsigned held);
void object_write(struct object *object, uint64_t offset, unsigned size, uint64_t value);
uint64_t object_read(const struct object *object, uint64_t offset, unsigned size);

/* The capture; false when writing failed. */
bool machine_write(struct machine *m, int fd);
void machine_free(struct machine *m);

/* The scenarios. */
void snb_hang(struct machine *m);
void skl_hang(struct machine *m);
void icl_trtt(struct machine *m);

#endif
