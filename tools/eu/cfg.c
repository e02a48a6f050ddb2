/* SPDX-License-Identifier: MIT */
/*
 * gpu-eu --cfg: basic blocks. One begins at the start, at the target of a jump, and after an
 * instruction that jumps or ends the thread; channels that do not jump continue with the next.
 */
#include "gpu-eu.h"
#include "batch/run.h"
#include "eu/program.h"

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
			if (!vec_push(&b->at, (struct block){ .start = in.offset,
							      .to = { -1, -1, -1 } }))
				return false;
			block = &b->at.items[b->at.count - 1];
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

/* The block that begins there, from 0; `count`: none does. */
static size_t block_at(const struct blocks *b, int64_t offset)
{
	size_t at = SEEK(i, 0, b->at.count, (int64_t)b->at.items[i].start < offset);

	return at < b->at.count && (int64_t)b->at.items[at].start == offset ? at : b->at.count;
}

/* Successor number i is the same as an earlier one. */
static bool block_repeats(const struct block *block, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (block->to[k] == block->to[i])
			return true;
	return false;
}

void eu_put_blocks(struct eu *eu, const struct blocks *b, uint64_t address)
{
	for (size_t i = 0; i < b->at.count && !gsc_out_error(eu->common.out); i++) {
		static const char *const how[] = { "", " (UIP)", " (JIP)" };
		const struct block *block = &b->at.items[i];
		const char *between = "  to ";

		/* " 2 0x00000040-0x00000060 to 3, 5 (UIP) (+f0.0) if(8) ..." */
		gsc_out_format(eu->common.out, "%4zu  ", i);
		gsc_out_hex(eu->common.out, address + block->start, 8);
		gsc_out_text(eu->common.out, "-");
		gsc_out_hex(eu->common.out, address + block->end, 8);
		for (unsigned k = 0; k < ARRAY_SIZE(how); k++) {
			size_t to = block_at(b, block->to[k]);

			if (block->to[k] < 0 || block_repeats(block, k))
				continue;
			gsc_out_text(eu->common.out, between);
			between = ", ";
			if (to < b->at.count)
				gsc_out_format(eu->common.out, "%zu%s", to, how[k]);
			else
				gsc_out_format(eu->common.out, "0x%llx%s, outside",
					       LL(block->to[k]), how[k]);
		}
		if (*block->last) {
			gsc_out_pad(eu->common.out, 56);
			text_styled(eu->common.out, GSC_STYLE_DIM, block->last);
		}
		gsc_out_end(eu->common.out);
	}
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

		for (unsigned i = 0; i < ARRAY_SIZE(to) && !status; i++)
			if (there[i] && !vec_push(&b->targets, to[i]))
				status = err_memory(err);
	}
	vec_sort(&b->targets, compare);
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

/* ---- drawn ----------------------------------------------------------------------------------- */

/*
 * A box for each basic block, in order. Forward jumps are on the left, backward jumps on the right;
 * what continues with the next block is a line between the two.
 */

enum {
	WIDTH = 960, BOX_X = 250, BOX_WIDTH = 520, BOX_HEIGHT = 40, STEP = 62, TITLE = 44,
	LANE = 14, LANES = 15,
	FITTING = 68,			/* characters of the font of .last in a box */
};

static const char style[] =
	"<style>svg{background:#fff}text{font:13px ui-monospace,monospace;fill:#1c1c1c}"
	".title{font:600 15px system-ui,sans-serif}.last{font-size:12px;fill:#595959}"
	"rect{fill:#eceff1;stroke:#5b5b9b}path{fill:none;stroke:#0b4f8a;stroke-width:1.5}"
	".back{stroke:#b00020}.next{stroke:#767676}"
	"@media(prefers-color-scheme:dark){svg{background:#1b1d21}text{fill:#e6e6e6}"
	".last{fill:#b0b0b0}rect{fill:#2a2d33}path{stroke:#7fb2e5}.back{stroke:#ff8a95}}</style>";

/* From the middle of one box to another: the farther, the farther out. */
static void put_arc(struct gsc_out *out, uint64_t from, uint64_t to)
{
	bool back = to <= from;
	uint64_t span = (back ? from - to : to - from) / STEP;
	int lane = LANE * (int)(span < LANES ? span + 1 : LANES);
	int x = back ? BOX_X + BOX_WIDTH : BOX_X, far = back ? x + lane : x - lane;
	unsigned long long begin = from + BOX_HEIGHT - 8, end = to + 10;

	gsc_out_format(out, "<path%s marker-end=\"url(#a)\" ", back ? " class=\"back\"" : "");
	gsc_out_line(out, "d=\"M%d %lluC%d %llu %d %llu %d %llu\"/>", x, begin, far, begin, far,
		     end, x, end);
}

/* A box and its jumps. In the box, what jumps: without the blanks that align columns, and cut. */
static void draw_block(struct gsc_out *out, const struct blocks *b, size_t i, uint64_t top,
		       uint64_t address)
{
	const struct block *block = &b->at.items[i];
	unsigned long long y = top + i * STEP;
	char text[80], last[FITTING + 1];
	const char *from = block->last;
	size_t used = 0;

	gsc_out_line(out, "<rect x=\"%u\" y=\"%llu\" width=\"%u\" height=\"%u\" rx=\"4\"/>",
		     BOX_X, y, BOX_WIDTH, BOX_HEIGHT);
	string_set(text, "%zu  0x%08llx-0x%08llx", i, LL(address + block->start),
		   LL(address + block->end));
	gsc_svg_text(out, BOX_X + 10, y + 16, "place", text);
	for (; *from && used < FITTING; from++)
		if (*from != ' ' || (used && last[used - 1] != ' '))
			last[used++] = *from;
	last[used] = '\0';
	if (*from)
		memcpy(last + FITTING - 3, "...", 3);
	gsc_svg_text(out, BOX_X + 10, y + 33, "last", last);
	for (unsigned k = 0; k < ARRAY_SIZE(block->to); k++) {
		size_t to = block_at(b, block->to[k]);

		if (block->to[k] < 0 || to == b->at.count || block_repeats(block, k))
			continue;
		if (k || to != i + 1) {
			put_arc(out, y, top + to * STEP);
			continue;
		}
		gsc_out_line(out, "<path class=\"next\" marker-end=\"url(#a)\" "
			     "d=\"M%u %lluv%u\"/>",
			     BOX_X + BOX_WIDTH / 2, y + BOX_HEIGHT, STEP - BOX_HEIGHT - 2);
	}
}

enum gsc_status eu_draw_blocks(struct eu *eu, const struct blocks *b, const char *title,
			       uint64_t address, struct gsc_error *err)
{
	uint64_t top = eu->drawn + TITLE;
	enum gsc_status status = GSC_OK;

	if (!eu->drawing)
		status = gsc_out_new(&eu->drawing, -1, false, err);
	if (status)
		return status;
	gsc_svg_text(eu->drawing, 20, eu->drawn + 28, "title", title);
	for (size_t i = 0; i < b->at.count; i++)
		draw_block(eu->drawing, b, i, top, address);
	eu->drawn = top + b->at.count * STEP;
	return GSC_OK;
}

void eu_drawing_end(struct eu *eu)
{
	struct gsc_out *out = eu->common.out;
	const char *data;
	size_t size;

	if (!eu->drawing)
		return;
	gsc_out_line(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%u\" "
		     "height=\"%llu\">", WIDTH, LL(eu->drawn) + 20);
	gsc_out_text(out, style);
	gsc_out_text(out, "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
		     "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
		     "<path d=\"M0 0 8 4 0 8\"/></marker></defs>");
	gsc_out_end(out);
	data = gsc_out_data(eu->drawing, &size);
	gsc_out_bytes(out, data, size);
	gsc_out_line(out, "</svg>");
	gsc_out_free(eu->drawing);
}
