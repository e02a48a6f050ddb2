/* SPDX-License-Identifier: MIT */
/* gpu-tile with numbers: elements to offsets, offsets to elements, addresses through a fence. */
#include "gpu-tile.h"
#include "util/number.h"

#include <unistd.h>

#define LINE_MAX_BYTES 4096
#define NUMBERS_MAX 3			/* numbers that belong together: X Y Z */
#define SEPARATORS " \t\r\n,"
#define TOLD_MAX 19			/* of bad lines, one more says how many there are */

/* What becomes of the numbers that belong together. */
struct answer {
	struct gsc_point point;
	uint64_t given, offset;		/* `given`: the address, with a fence */
	bool missed;			/* not in the fence */
	char why[160];			/* it is, or what is reached is odd */
};

struct asking {
	struct tile *tile;
	unsigned together;		/* numbers */
	enum gsc_status (*ask)(struct tile *tile, const uint64_t *numbers, struct answer *answer,
			       struct gsc_error *err);
	size_t asked, missed;
	uint64_t line, bad;
	bool begun;			/* to write: not before there is an answer */
	struct gsc_error first_bad;
	struct answer first_missed;
};

/* ---- the three questions -------------------------------------------------------------------- */

static enum gsc_status ask_offset(struct tile *tile, const uint64_t *numbers,
				  struct answer *answer, struct gsc_error *err)
{
	struct gsc_point *p = &answer->point;
	char what[80];

	*p = (struct gsc_point){ .x = numbers[0], .y = numbers[1] };
	p->z = tile->surface.dimensions > 2 ? numbers[2] : 0;
	p->sample = (unsigned)tile->sample;
	string_set(what, tile->surface.dimensions > 2 ? "%llu %llu %llu" : "%llu %llu", LL(p->x),
		   LL(p->y), LL(p->z));
	if (tile->height && p->y >= tile->height)
		return usage_error(err, what, "Y is beyond the height");
	if (tile->depth && p->z >= tile->depth)
		return usage_error(err, what, "Z is beyond the depth");
	if (gsc_layout_offset(&tile->layout, p, &answer->offset))
		return GSC_OK;
	if (p->x >= tile->surface.pitch / (tile->surface.bits / 8))
		return usage_error(err, what, "X is beyond the pitch");
	if (!tile->height && (slices_before(tile) || p->z))
		return usage_error(err, what, slices_before(tile)
					? "--size xROWS is needed to find the tile of its sample"
					: "--size xROWSx is needed to find the slices");
	return usage_error(err, what, "out of range");
}

static enum gsc_status ask_point(struct tile *tile, const uint64_t *numbers,
				 struct answer *answer, struct gsc_error *err)
{
	(void)err;
	answer->offset = numbers[0];
	gsc_layout_point(&tile->layout, answer->offset, &answer->point);
	return GSC_OK;
}

static enum gsc_status ask_fence(struct tile *tile, const uint64_t *numbers,
				 struct answer *answer, struct gsc_error *err)
{
	enum gsc_status status;

	answer->given = numbers[0];
	answer->why[0] = 0;
	status = gsc_fence_translate(platform_of(&tile->common), tile->fence, tile->surface.swizzle,
				     numbers[0], &answer->point, &answer->offset, err);
	if (!status && tile->fence->start + answer->offset >= tile->fence->end)
		string_set(answer->why, "past the end of the fence, 0x%llx-0x%llx",
			   LL(tile->fence->start), LL(tile->fence->end));
	if (status != GSC_UNKNOWN)
		return status;
	answer->missed = true;
	string_set(answer->why, "%.150s", err->why);
	return GSC_OK;
}

/* ---- output --------------------------------------------------------------------------------- */

/* "X Y OFFSET", "OFFSET X Y +BYTE", "ADDRESS TILED X Y OFFSET" */
static void put_text(struct tile *tile, const struct answer *a)
{
	struct gsc_out *out = tile->common.out;
	const struct gsc_point *p = &a->point;

	if (tile->fences.count)
		gsc_out_format(out, "0x%llx ", LL(a->given));
	if (a->missed) {
		gsc_out_line(out, "%s", a->why);
		return;
	}
	if (tile->fences.count)
		gsc_out_format(out, "0x%llx ", LL(tile->fence->start + a->offset));
	if (tile->to_points) {
		gsc_out_hex(out, a->offset, 1);
		gsc_out_text(out, " ");
	}
	gsc_out_decimal(out, p->x);
	gsc_out_text(out, " ");
	gsc_out_decimal(out, p->y);
	if (tile->surface.dimensions > 2)
		gsc_out_format(out, " %llu", LL(p->z));
	if (tile->surface.samples > 1)
		gsc_out_format(out, " %u", p->sample);
	if (!tile->to_points) {
		gsc_out_text(out, " ");
		gsc_out_hex(out, a->offset, 1);
	} else if (p->byte) {
		gsc_out_format(out, " +%u", p->byte);
	}
	if (*a->why)
		gsc_out_format(out, "  %s", a->why);
	gsc_out_end(out);
}

KEYS(result, "x counts elements, y rows; byte is a place in the element. With --fence: address is "
     "as given, tiled is the address that it reaches; x and y are bytes and rows from the start of "
     "the fence, and offset is relative to it. They are null if the address is outside the fence. "
     "problem: the address, or tiled, is outside.",
     RULE("'dependentRequired': {'address': ['tiled'], 'tiled': ['address']}"))
static void put_json(struct gsc_json *json, const struct tile *tile, const struct answer *a)
{
	bool fence = tile->fences.count, there = !a->missed;

	if (fence)
		KEY(hex, "address", a->given, OPTIONAL);
	KEY_OR_NULL(there, number, "x", a->point.x);
	KEY_OR_NULL(there, number, "y", a->point.y);
	if (there && tile->surface.dimensions > 2)
		KEY(number, "z", a->point.z, OPTIONAL);
	KEY_OR_NULL(there, number, "sample", a->point.sample);
	KEY_OR_NULL(there, hex, "offset", a->offset);
	if (fence || !there)
		KEY_OR_NULL(there, hex, "tiled", tile->fence->start + a->offset, OPTIONAL);
	else
		KEY(number, "byte", a->point.byte, OPTIONAL);
	if (*a->why)
		KEY(text, "problem", a->why, OPTIONAL);
}

static void show(struct asking *a, const struct answer *answer)
{
	struct tile *tile = a->tile;
	struct gsc_json *json = &tile->json;

	a->asked++;
	if (answer->missed && !a->missed++)
		a->first_missed = *answer;
	if (wants_json(&tile->common))
		ITEM(put_json(json, tile, answer));
	else
		put_text(tile, answer);
}

KEYS(results)
static enum gsc_status results_begin(struct tile *tile, struct gsc_error *err)
{
	return tile_begin(tile, KEY_NAME(array, "results", OF(result)), err);
}

/* ---- numbers from operands ------------------------------------------------------------------ */

static enum gsc_status from_operands(struct asking *a, struct gsc_error *err)
{
	const struct common *common = &a->tile->common;
	const char *const *words = common->operands;
	size_t count = common->operand_count;
	uint64_t *numbers = calloc(count, sizeof(*numbers));
	struct answer *answers = calloc(count, sizeof(*answers));
	enum gsc_status status = numbers && answers ? GSC_OK : err_memory(err);

	for (size_t i = 0; !status && i < count; i++)
		if (!gsc_parse_number(words[i], &numbers[i]))
			status = usage_error(err, *words[i] ? words[i] : "''", "expected a number");
	if (!status && count % a->together)
		status = usage_error(err, words[count - 1],
				     a->together == 3 ? "expected X Y Z, three numbers per element"
						      : "expected X Y, two numbers per element");
	for (size_t i = 0; !status && i < count / a->together; i++)
		status = a->ask(a->tile, numbers + i * a->together, &answers[i], err);
	if (!status)
		status = results_begin(a->tile, err);
	for (size_t i = 0; !status && i < count / a->together; i++)
		show(a, &answers[i]);
	if (!status)
		tile_end(a->tile);
	free(numbers);
	free(answers);
	return status;
}

/* ---- numbers from standard input ------------------------------------------------------------ */

static void bad_line(struct asking *a, const char *what, const char *why)
{
	char where[200];

	if (++a->bad > TOLD_MAX)
		return;
	string_set(where, "standard input:%llu: %.100s", LL(a->line), what);
	if (a->bad == 1)
		err_set(&a->first_bad, GSC_FAILED, where, "%s", why);
	complain(&a->tile->common, GSC_PARTIAL, where, why);
}

/* Any number of elements on a line. */
static enum gsc_status take_line(struct asking *a, char *line, FILE *in, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	uint64_t numbers[NUMBERS_MAX];
	size_t length = strlen(line);
	unsigned count = 0;
	char *rest = line, *word;
	struct answer answer;

	a->line++;
	if (length + 1 == LINE_MAX_BYTES && line[length - 1] != '\n') {
		int c;

		while ((c = getc(in)) != EOF && c != '\n')
			;
		bad_line(a, "a line", "too long, or not text");
		return GSC_OK;
	}
	line[strcspn(line, "#")] = 0;
	while (!status && (word = strsep(&rest, SEPARATORS))) {
		if (!*word)
			continue;
		if (!gsc_parse_number(word, &numbers[count])) {
			bad_line(a, word, rest && rest[strspn(rest, SEPARATORS)]
					  ? "expected a number: the rest of the line is ignored"
					  : "expected a number");
			return GSC_OK;
		}
		if (++count < a->together)
			continue;
		count = 0;
		answer = (struct answer){ 0 };
		if (a->ask(a->tile, numbers, &answer, err)) {
			bad_line(a, err->what, err->why);
			continue;
		}
		if (!a->begun)
			status = results_begin(a->tile, err);
		a->begun = true;
		if (!status)
			show(a, &answer);
	}
	if (count)
		bad_line(a, "a line", "numbers are missing at the end");
	return status;
}

static enum gsc_status from_input(struct asking *a, struct gsc_error *err)
{
	const struct common *common = &a->tile->common;
	char line[LINE_MAX_BYTES];
	enum gsc_status status = GSC_OK;

	while (!status && fgets(line, sizeof(line), stdin)) {
		status = take_line(a, line, stdin, err);
		if (a->begun && (gsc_out_error(common->out) ||
				 (isatty(STDIN_FILENO) && gsc_out_flush(common->out, err))))
			return GSC_OK;	/* reported when the output is closed */
	}
	if (status)
		return status;
	if (ferror(stdin))
		return err_set(err, GSC_FAILED, "standard input", "cannot be read");
	if (!a->bad && !a->begun) {
		status = results_begin(a->tile, err);
		a->begun = true;
	}
	if (!status && a->begun)
		tile_end(a->tile);
	if (status || !a->bad)
		return status;
	if (!a->asked) {
		*err = a->first_bad;
		return GSC_FAILED;
	}
	if (a->bad > TOLD_MAX) {
		string_set(line, "standard input: %llu more lines", LL(a->bad - TOLD_MAX));
		complain(&a->tile->common, GSC_PARTIAL, line, "cannot be used");
	}
	return GSC_PARTIAL;
}

enum gsc_status points_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	bool fence = tile->fences.count;
	bool input = common->operand_count == 1 && !strcmp(common->operands[0], "-");
	struct asking a = { .tile = tile, .together = 1, .ask = fence ? ask_fence : ask_point };
	enum gsc_status status = fence ? fence_ready(tile, err) : surface_options(tile, err);
	char what[80];

	if (!fence && !status)
		status = swizzle_choose(tile, err);
	if (!fence && !status)
		status = gsc_layout_init(&tile->layout, platform_of(common), &tile->surface, err);
	if (status)
		return status;
	if (!fence && !tile->to_points) {
		a.together = tile->surface.dimensions;
		a.ask = ask_offset;
	}
	status = input ? from_input(&a, err) : from_operands(&a, err);
	if ((status && status != GSC_PARTIAL) || !a.missed)
		return status;
	string_set(what, "0x%llx", LL(a.first_missed.given));
	if (a.missed == 1)
		return err_set(err, GSC_UNKNOWN, what, "%s", a.first_missed.why);
	string_set(what, "%zu of %zu addresses", a.missed, a.asked);
	return err_set(err, GSC_UNKNOWN, what, "not in the fence");
}
