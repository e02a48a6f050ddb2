/* SPDX-License-Identifier: MIT */
/* Commands made from their definitions, with only what the library says about them. */
#ifndef COMMAND_MAKER_H
#define COMMAND_MAKER_H

#include "db/item.h"

#define MADE_MAX 1100		/* dwords of a command that is made */

struct made_command {
	struct gsc_item item;
	unsigned lo, hi;	/* documented lengths in dwords; 0: any */
	unsigned need;		/* dwords that contain its fields */
	unsigned at, group;	/* from there on, whole groups of this many dwords */
};

/* The commands of one class of engines of a platform. */
struct maker {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_platform platform;
	unsigned engine_class;
	struct made_command *commands;
	size_t count;
	uint32_t seed;
};

/* False: that platform has no command there, or nothing is known. */
bool maker_open(struct maker *m, struct gsc_db *db, unsigned platform, unsigned engine_class,
		uint32_t seed);
void maker_close(struct maker *m);

uint32_t maker_random(struct maker *m);

/* Lengths for a command: the i-th, or 0 after the last. */
unsigned maker_length(const struct made_command *c, unsigned i);

enum maker_fill {
	MAKER_NOISE,		/* every bit that nothing fixes */
	MAKER_LEGAL,		/* documented values, and zero where that is required */
};

/* One command of `length` dwords. False: a more specific one hides it, whatever its other bits. */
bool maker_make(struct maker *m, const struct made_command *c, unsigned length,
		enum maker_fill fill, uint32_t words[MADE_MAX]);

/* The command that a header belongs to by the definitions alone, or NULL. */
const struct made_command *maker_owner(const struct maker *m, uint32_t header);

/* The bits of a field, taken one by one. */
uint64_t maker_bits(const uint32_t *words, size_t count, const struct gsc_field *field);

#endif
