/* SPDX-License-Identifier: MIT */
/*
 * gpu-eu --cfg: basic blocks. One begins at the start, at the target of a jump, and after an
 * instruction that jumps or ends the thread; channels that do not jump continue with the next.
 */
#include "gpu-eu.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool find_blocks(struct blocks *b, struct gsc_program *program)
{
	/* These jump as an operand says; after the first two only a predicate lets others go on. */
	static const char *const by_operand[] = { "jmpi", "ret", "call", "calla" };
	struct gsc_instruction in;
	struct block *block = NULL;

	while (gsc_program_next(program, &in)) {
		int64_t at = (int64_t)in.offset;
		bool target = b->targets.count && bsearch(&at, b->targets.items, b->targets.count,
							  sizeof(at), compare);
		size_t i = 0;

		if (block && target)
			block->to[0] = at;
		if (!block || target) {
			block = vec_add(&b->at);
			if (!block)
				return false;
			*block = (struct block){ .start = in.offset, .to = { -1, -1, -1 } };
		}
		block->end = in.offset + in.size;
		while (i < ARRAY_SIZE(by_operand) &&
		       (!in.opcode || strcmp(in.opcode, by_operand[i])))
			i++;
		if (i == ARRAY_SIZE(by_operand) && !in.ends && !in.has_jip && !in.has_uip)
			continue;
		gsc_program_text(program, block->last, sizeof(block->last));
		if (!in.ends && (i > 1 || *block->last == '('))
			block->to[0] = (int64_t)block->end;
		block->to[1] = in.has_uip ? in.uip : -1;
		block->to[2] = in.has_jip ? in.jip : -1;
		block = NULL;
	}
	return true;
}

size_t block_at(const struct blocks *b, int64_t offset)
{
	size_t low = 0, high = b->at.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((int64_t)b->at.items[middle].start < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < b->at.count && (int64_t)b->at.items[low].start == offset ? low : b->at.count;
}

bool block_repeats(const struct block *block, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (block->to[k] == block->to[i])
			return true;
	return false;
}

/* "  2  0x00000040-0x00000060  to 3, 5 (UIP)   (+f0.0) if(8) ..." */
static void put_block(struct gsc_out *out, const struct blocks *b, size_t i, uint64_t address)
{
	static const char *const how[] = { "", " (UIP)", " (JIP)" };
	const struct block *block = &b->at.items[i];
	const char *between = "  to ";

	gsc_out_format(out, "%4zu  ", i);
	gsc_out_hex(out, address + block->start, 8);
	gsc_out_text(out, "-");
	gsc_out_hex(out, address + block->end, 8);
	for (unsigned k = 0; k < ARRAY_SIZE(how); k++) {
		size_t to = block_at(b, block->to[k]);

		if (block->to[k] < 0 || block_repeats(block, k))
			continue;
		gsc_out_text(out, between);
		between = ", ";
		if (to < b->at.count)
			gsc_out_format(out, "%zu%s", to, how[k]);
		else
			gsc_out_format(out, "0x%llx%s, outside", LL(block->to[k]), how[k]);
	}
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
	for (size_t i = 0; i < b->at.count && !gsc_out_error(eu->common.out); i++)
		put_block(eu->common.out, b, i, address);
}

enum gsc_status blocks_find(struct blocks *b, struct eu *eu, const struct gsc_kernel *kernel,
			    struct gsc_error *err)
{
	struct gsc_program *first = NULL, *second = NULL;
	struct gsc_instruction in;
	enum gsc_status status = gsc_program_new(&first, eu->set, kernel->data, kernel->size, err);

	*b = (struct blocks){ .at.count = 0 };
	if (!status)
		status = gsc_program_new(&second, eu->set, kernel->data, kernel->size, err);
	while (!status && gsc_program_next(first, &in)) {
		const int64_t to[] = { in.uip, in.jip };
		const bool there[] = { in.has_uip, in.has_jip };

		for (unsigned i = 0; i < ARRAY_SIZE(to) && !status; i++) {
			int64_t *slot = there[i] ? vec_add(&b->targets) : NULL;

			if (slot)
				*slot = to[i];
			else if (there[i])
				status = err_memory(err);
		}
	}
	if (b->targets.count)
		qsort(b->targets.items, b->targets.count, sizeof(*b->targets.items), compare);
	if (!status && !find_blocks(b, second))
		status = err_memory(err);
	gsc_program_free(first);
	gsc_program_free(second);
	return status;
}

void blocks_free(struct blocks *b)
{
	vec_free(&b->targets);
	vec_free(&b->at);
}
