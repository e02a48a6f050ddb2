/* SPDX-License-Identifier: MIT */
/*
 * gpu-eu --cfg: basic blocks. One begins at the start, at the target of a jump, and after an
 * instruction that jumps or ends the thread; channels that do not jump continue with the next.
 */
#include "gpu-eu.h"

#include <stdlib.h>
#include <string.h>

static struct block *add_block(struct blocks *b, uint64_t start)
{
	struct block *grown;

	if (b->count == b->room) {
		b->room = b->room ? b->room * 2 : 16;
		grown = reallocarray(b->items, b->room, sizeof(*grown));
		if (!grown)
			return NULL;
		b->items = grown;
	}
	b->items[b->count] = (struct block){ .start = start, .end = start, .to = { -1, -1, -1 } };
	return &b->items[b->count++];
}

/* Whether the next instruction may follow: not for all channels, but for some of them. */
static bool goes_on(const struct gsc_instruction *in, const char *text)
{
	static const char *const always[] = { "jmpi", "ret" };

	if (in->ends)
		return false;
	for (size_t i = 0; in->opcode && i < ARRAY_SIZE(always); i++)
		if (!strcmp(in->opcode, always[i]))
			return *text == '(';
	return true;
}

static bool leaves(const struct gsc_instruction *in)
{
	static const char *const by_operand[] = { "jmpi", "ret", "call", "calla" };

	for (size_t i = 0; in->opcode && i < ARRAY_SIZE(by_operand); i++)
		if (!strcmp(in->opcode, by_operand[i]))
			return true;
	return in->ends || in->has_jip || in->has_uip;
}

static bool add_target(struct blocks *b, bool there, int64_t offset)
{
	int64_t *grown;

	if (!there)
		return true;
	if (b->target_count == b->target_room) {
		b->target_room = b->target_room ? b->target_room * 2 : 16;
		grown = reallocarray(b->targets, b->target_room, sizeof(*grown));
		if (!grown)
			return false;
		b->targets = grown;
	}
	b->targets[b->target_count++] = offset;
	return true;
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool find_targets(struct blocks *b, struct gsc_program *program)
{
	struct gsc_instruction in;

	while (gsc_program_next(program, &in))
		if (!add_target(b, in.has_uip, in.uip) || !add_target(b, in.has_jip, in.jip))
			return false;
	if (b->target_count)
		qsort(b->targets, b->target_count, sizeof(*b->targets), compare);
	return true;
}

static bool is_target(const struct blocks *b, uint64_t offset)
{
	int64_t at = (int64_t)offset;

	return b->target_count &&
	       bsearch(&at, b->targets, b->target_count, sizeof(at), compare);
}

static bool find_blocks(struct blocks *b, struct gsc_program *program)
{
	struct gsc_instruction in;
	struct block *block = NULL;
	char text[sizeof(block->last)];

	while (gsc_program_next(program, &in)) {
		bool target = is_target(b, in.offset);

		if (block && target)
			block->to[0] = (int64_t)in.offset;
		if (!block || target)
			block = add_block(b, in.offset);
		if (!block)
			return false;
		block->end = in.offset + in.size;
		if (!leaves(&in))
			continue;
		gsc_program_text(program, text, sizeof(text));
		memcpy(block->last, text, sizeof(text));
		if (goes_on(&in, text))
			block->to[0] = (int64_t)block->end;
		block->to[1] = in.has_uip ? in.uip : -1;
		block->to[2] = in.has_jip ? in.jip : -1;
		block = NULL;
	}
	return true;
}

size_t block_at(const struct blocks *b, int64_t offset)
{
	size_t low = 0, high = b->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((int64_t)b->items[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->count && (int64_t)b->items[low].start == offset ? low : b->count;
}

bool block_repeats(const struct block *block, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (block->to[k] == block->to[i])
			return true;
	return false;
}

static void put_targets(struct gsc_out *out, const struct blocks *b, const struct block *block)
{
	static const char *const how[] = { "", " (UIP)", " (JIP)" };
	const char *between = "  to ";

	for (unsigned i = 0; i < ARRAY_SIZE(how); i++) {
		size_t to = block_at(b, block->to[i]);

		if (block->to[i] < 0 || block_repeats(block, i))
			continue;
		gsc_out_text(out, between);
		between = ", ";
		if (to < b->count)
			gsc_out_format(out, "%zu%s", to, how[i]);
		else
			gsc_out_format(out, "0x%llx%s, outside", (unsigned long long)block->to[i],
				       how[i]);
	}
}

/* "  2  0x00000040-0x00000060  to 3, 5 (UIP)   (+f0.0) if(8) ..." */
static void put_block(struct gsc_out *out, const struct blocks *b, size_t i, uint64_t address)
{
	const struct block *block = &b->items[i];

	gsc_out_format(out, "%4zu  ", i);
	gsc_out_hex(out, address + block->start, 8);
	gsc_out_text(out, "-");
	gsc_out_hex(out, address + block->end, 8);
	put_targets(out, b, block);
	if (*block->last) {
		gsc_out_pad(out, 56);
		gsc_out_style(out, GSC_STYLE_DIM);
		gsc_out_text(out, block->last);
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
	gsc_out_end(out);
}

void eu_put_blocks(struct eu *eu, const struct blocks *b, uint64_t address)
{
	for (size_t i = 0; i < b->count && !gsc_out_error(eu->common.out); i++)
		put_block(eu->common.out, b, i, address);
}

enum gsc_status blocks_find(struct blocks *b, struct eu *eu, const struct gsc_kernel *kernel,
			    struct gsc_error *err)
{
	struct gsc_program *first = NULL, *second = NULL;
	enum gsc_status status = gsc_program_new(&first, eu->set, kernel->data, kernel->size, err);

	*b = (struct blocks){ .count = 0 };
	if (!status)
		status = gsc_program_new(&second, eu->set, kernel->data, kernel->size, err);
	if (!status && (!find_targets(b, first) || !find_blocks(b, second)))
		status = err_memory(err);
	gsc_program_free(first);
	gsc_program_free(second);
	return status;
}

void blocks_free(struct blocks *b)
{
	free(b->targets);
	free(b->items);
}
