/* SPDX-License-Identifier: MIT */
/* Writing commands into buffers. */
#ifndef DEMO_EMIT_H
#define DEMO_EMIT_H

#include "commands.h"
#include "machine.h"

/* Where the next command goes. */
struct emitter {
	struct object *object;
	uint32_t offset;
	bool ring;
	unsigned wraps;
};

/* Addresses of 48 bits are written to commands with bit 47 repeated above. */
#define CANONICAL(address) ((uint64_t)((int64_t)((uint64_t)(address) << 16) >> 16))
#define LOWER(address) ((uint32_t)CANONICAL(address))
#define UPPER(address) ((uint32_t)(CANONICAL(address) >> 32))

static inline uint64_t emit_address(const struct emitter *e)
{
	return e->object->address + e->offset;
}

/* Room in one piece; if a ring lacks it, it is filled with MI_NOOP and continues at its start. */
void emit_room(struct emitter *e, unsigned dwords);
/* A command of one dword, without a length. */
void emit(struct emitter *e, uint32_t dword);
/* A command with its length: header and `count` dwords; returns its offset. */
uint32_t emit_command(struct emitter *e, uint32_t header, const uint32_t *operands, size_t count);

#define COMMAND(e, header, ...)                                                                    \
	emit_command(e, header, (const uint32_t[]){ __VA_ARGS__ },                                 \
		     ARRAY_SIZE(((const uint32_t[]){ __VA_ARGS__ })))

/* The same, with a fixed number of operands, most of which are 0. */
#define COMMAND_SIZED(e, header, count, ...)                                                       \
	emit_command(e, header, (const uint32_t[count]){ __VA_ARGS__ }, count)

#endif
