/* SPDX-License-Identifier: MIT */
#include "gen8.h"

/* Arbitration (pre-emption) is allowed only in the batch. */
static uint32_t start_batch(struct emitter *ring, uint64_t batch)
{
	uint32_t after;

	emit(ring, MI_ARB_ON_OFF | MI_ARB_ENABLE);
	COMMAND(ring, MI_BATCH_BUFFER_START | MI_BATCH_PPGTT, LOWER(batch), UPPER(batch));
	after = ring->offset;
	emit(ring, MI_ARB_ON_OFF);
	emit(ring, MI_NOOP);
	return after;
}

uint32_t gen8_render_request(struct emitter *ring, uint64_t batch, uint32_t seqno_address,
			     uint32_t seqno)
{
	uint32_t after;

	emit_room(ring, 26);
	gen8_pipe_control(ring, PIPE_CS_STALL | PIPE_TEXTURE_CACHE_INVALIDATE |
			  PIPE_CONSTANT_CACHE_INVALIDATE | PIPE_STATE_CACHE_INVALIDATE, 0, 0);
	after = start_batch(ring, batch);
	gen8_pipe_control(ring, PIPE_CS_STALL | PIPE_RENDER_TARGET_FLUSH | PIPE_DEPTH_CACHE_FLUSH |
			  PIPE_DC_FLUSH, 0, 0);
	gen8_pipe_control(ring, PIPE_CS_STALL | PIPE_FLUSH_ENABLE | PIPE_WRITE_QWORD |
			  PIPE_USE_GGTT, seqno_address, seqno);
	emit(ring, MI_USER_INTERRUPT);
	emit(ring, MI_ARB_ON_OFF | MI_ARB_ENABLE);
	return after;
}

uint32_t gen8_copy_request(struct emitter *ring, uint64_t batch, uint32_t seqno_address,
			   uint32_t seqno)
{
	uint32_t after;

	emit_room(ring, 12);
	after = start_batch(ring, batch);
	COMMAND(ring, MI_FLUSH_DW | MI_FLUSH_DW_STORE_DWORD, seqno_address | MI_FLUSH_DW_USE_GGTT,
		0, seqno);
	emit(ring, MI_USER_INTERRUPT);
	emit(ring, MI_ARB_ON_OFF | MI_ARB_ENABLE);
	return after;
}

void gen8_state_base_address(struct emitter *e, unsigned gen, uint64_t surface, uint64_t dynamic,
			     uint64_t instructions, uint32_t mocs)
{
	uint32_t control = mocs << 5, set = control | BASE_MODIFY, size = 0xfffff000 | BASE_MODIFY;
	uint32_t operands[21] = {
		set, 0,					/* general state */
		mocs << 17,				/* accesses without state */
		LOWER(surface) | set, UPPER(surface),
		LOWER(dynamic) | set, UPPER(dynamic),
		set, 0,					/* indirect objects */
		LOWER(instructions) | set, UPPER(instructions),
		size, size, size, size,
		control, 0, 0,				/* bindless surfaces: left as they are */
		control, 0, 0,				/* bindless samplers */
	};

	emit_command(e, STATE_BASE_ADDRESS, operands, gen >= 10 ? 21 : 18);
}

void gen8_vertex_buffer(struct emitter *e, unsigned index, uint64_t address, uint32_t size,
			uint32_t pitch, uint32_t mocs)
{
	COMMAND(e, _3DSTATE_VERTEX_BUFFERS, index << 26 | mocs << 17 | 1 << 14 | pitch,
		LOWER(address), UPPER(address), size);
}

uint32_t gen8_draw(struct emitter *e, enum topology topology, uint32_t vertices)
{
	COMMAND(e, _3DSTATE_VF_TOPOLOGY, topology);
	return COMMAND(e, _3DPRIMITIVE, topology, vertices, 0, 1, 0, 0);
}

uint32_t gen8_pipe_control(struct emitter *e, uint32_t flags, uint64_t address, uint32_t data)
{
	return COMMAND(e, PIPE_CONTROL, flags, LOWER(address), UPPER(address), data, 0);
}

void gen8_store(struct emitter *e, uint64_t address, uint32_t data)
{
	COMMAND(e, MI_STORE_DATA_IMM, LOWER(address), UPPER(address), data);
}

static void set_entry(struct machine *m, const uint32_t *bases, size_t base_count, unsigned index,
		      const struct mocs *entry)
{
	for (size_t i = 0; i < base_count; i++)
		poke(m, GSC_MMIO, bases[i] + index * 4, 4, entry->control);
	poke(m, GSC_MMIO, 0xb020 + index * 2, 2, entry->l3);
}

void mocs_registers(struct machine *m, const uint32_t *bases, size_t base_count,
		    const struct mocs *entries, size_t count)
{
	for (size_t i = 0; i < base_count; i++)
		hold(m, GSC_MMIO, bases[i], 64 * 4);
	hold(m, GSC_MMIO, 0xb020, 32 * 4);
	for (size_t i = 0; i < count; i++)
		for (unsigned index = entries[i].first; index <= entries[i].last; index++)
			set_entry(m, bases, base_count, index, &entries[i]);
}
