/* SPDX-License-Identifier: MIT */
#include "emit.h"

static void put(struct emitter *e, uint32_t dword)
{
	object_write(e->object, e->offset, 4, dword);
	e->offset += 4;
}

void emit_room(struct emitter *e, unsigned dwords)
{
	uint32_t size = e->object->count * PAGE_SIZE;

	if (!e->ring || e->offset + dwords * 4 < size)
		return;
	while (e->offset < size)
		put(e, MI_NOOP);
	e->offset = 0;
	e->wraps++;
}

void emit(struct emitter *e, uint32_t dword)
{
	emit_room(e, 1);
	put(e, dword);
}

uint32_t emit_command(struct emitter *e, uint32_t header, const uint32_t *operands, size_t count)
{
	uint32_t at;

	emit_room(e, (unsigned)count + 1);
	at = e->offset;
	put(e, header | (uint32_t)(count - 1));
	for (size_t i = 0; i < count; i++)
		put(e, operands[i]);
	return at;
}
