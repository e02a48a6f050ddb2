/* SPDX-License-Identifier: MIT */
/* gpu-tile: where the elements of tiled surfaces are, and what surfaces show. */
#include "cli/text.h"
#include "gpu-tile.h"
#include "tools.h"
#include "tile/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const usage[] = {
	"[options] -f TILING --pitch BYTES X Y...",
	"[options] -f TILING --pitch BYTES --offset N...",
	"[options] -f TILING --pitch BYTES --detile|--tile IN -o OUT",
	"[options] --fence VALUE ADDR...",
	"[options] --state ADDR [-o OUT] [SOURCE]",
	"",
	"[options] -f TILING --pitch BYTES --height N --surface ADDR",
	"[options] -f TILING --pitch BYTES [--fence VALUE] --check",
	"[options] --aux hiz|ccs|mcs|all [SOURCE]",
	"[options] --aux-table [--aux-root ADDR] [SOURCE] ADDR...",
	NULL,
};

#define MEMBER(member) offsetof(struct tile, member)
#define DIMENSIONS "2d|3d"
#define CLIENTS "any|display|render|depth|stencil|sampler|blitter|sparse"

static const struct option_row options[] = {
	{ 'f', "tiling", "TILING", OPTION_STRING, MEMBER(tiling_name),
	  "x y w yf ys tile4 tile64 linear", IN_HELP, true },
	{ 0, "pitch", "BYTES", OPTION_NUMBER, MEMBER(pitch), "bytes from one row to the next",
	  NULL, true },
	{ 0, "bpp", "N", OPTION_NUMBER, MEMBER(bpp), "bits per element (8; w: always 8)",
	  "8 16 32 64 128", true },
	{ 0, "samples", "N", OPTION_NUMBER, MEMBER(samples), "samples per element: 1 2 4 8 16",
	  IN_HELP },
	{ 0, "sample", "S", OPTION_NUMBER, MEMBER(sample), "which sample (0)" },
	{ 0, "dim", DIMENSIONS, OPTION_CHOICE, MEMBER(dimensions),
	  "3d: tiles with depth, X Y Z instead of X Y" },
	{ 0, "slice", "Z", OPTION_NUMBER, MEMBER(slice), "slice of an image with depth (0)" },
	{ 0, "width", "N", OPTION_NUMBER, MEMBER(width),
	  "elements per row (default: as many as fit the pitch)", NULL, true },
	{ 0, "height", "N", OPTION_NUMBER, MEMBER(height), "rows (3d: rows of a slice)", NULL,
	  true },
	{ 0, "swizzle", "BITS", OPTION_STRING, MEMBER(swizzle_name),
	  "none 9 9/10 9/11 9/10/11 9/17 9/10/17", IN_HELP, true },
	{ 0, "offset", NULL, OPTION_FLAG, MEMBER(to_points), "operands are offsets: show X Y",
	  NULL, true },
	{ 0, "fence", "VALUE", OPTION_LIST, MEMBER(fences), "value of a fence register", NULL,
	  true },
	{ 0, "detile", NULL, OPTION_FLAG, MEMBER(detile), "IN is a surface, OUT its rows" },
	{ 0, "tile", NULL, OPTION_FLAG, MEMBER(tile), "IN is rows, OUT a surface" },
	{ 'o', "output", "OUT", OPTION_STRING, MEMBER(output),
	  "file to write, or -; *.png is a picture", "FILE", true },
	{ 0, "png", NULL, OPTION_FLAG, MEMBER(png), "OUT is a picture" },
	{ 0, "pixels", "FORMAT", OPTION_STRING, MEMBER(pixels_name),
	  "pixel format: B8G8R8X8, B5G6R5, R8, ...", "PIXELS" },
	{ 0, "surface", "ADDR", OPTION_NUMBER, MEMBER(surface_at),
	  "show the surface at this graphics address" },
	{ 0, "state", "ADDR", OPTION_NUMBER, MEMBER(state_at),
	  "show the surface of this RENDER_SURFACE_STATE" },
	{ 0, "submission", "N", OPTION_NUMBER, MEMBER(submission),
	  "with a trace: show the surface as it was at submission N" },
	{ 'm', "mode", "MODE", OPTION_STRING, MEMBER(roots.mode_name),
	  "tables that translate ADDR: ggtt flat 2level pml4 ...",
	  "ggtt flat 2level pdp32 pml4 ia32e vtd" },
	{ 0, "root", "VALUE", OPTION_STRING, MEMBER(roots.root),
	  "value of the mode's root register" },
	{ 0, "context", "LRCA", OPTION_NUMBER, MEMBER(roots.context),
	  "use the root in a logical context" },
	{ 0, "engine", "NAME", OPTION_STRING, MEMBER(roots.engine),
	  "use the root in an engine's registers", "ENGINE" },
	{ 0, "check", NULL, OPTION_FLAG, MEMBER(check), "find rules that the surface breaks" },
	{ 0, "base", "ADDR", OPTION_NUMBER, MEMBER(base), "address of the surface to check" },
	{ 0, "client", CLIENTS, OPTION_CHOICE, MEMBER(client), "who will use the surface" },
	{ 0, "remapped", NULL, OPTION_FLAG, MEMBER(remapped),
	  "the processor and the client have separate page tables" },
	{ 0, "aux", "hiz|ccs|mcs|all", OPTION_CHOICE, MEMBER(aux),
	  "show what sampling returns where tiles of the surface or of "
	  "this auxiliary surface are not mapped" },
	{ 0, "aux-table", NULL, OPTION_FLAG, MEMBER(aux_table),
	  "find the auxiliary data of addresses" },
	{ 0, "aux-root", "ADDR", OPTION_NUMBER, MEMBER(aux_root),
	  "graphics address of the auxiliary table" },
	UNSAFE_OPTION,
};

#define IMAGES "detile tile surface state"
#define ADDRESSES "surface state aux-table"

static const struct option_rule rules[] = {
	{ "aux", "tiling pitch offset fence detile tile surface state check", false },
	{ "aux-table", "aux tiling pitch offset fence detile tile surface state check", false },
	{ "aux-root", "aux-table", true },
	{ "submission", ADDRESSES, true },
	{ "check", "offset detile tile surface state", false },
	{ "detile", "tile surface state offset fence", false },
	{ "tile", "surface state offset fence png pixels", false },
	{ "surface", "state offset fence", false },
	{ "state", "offset fence tiling pitch samples dim", false },
	{ "offset", "fence sample", false },
	{ "output", IMAGES, true },
	{ "output", "json ndjson", false },
	{ "png", "output", true },
	{ "pixels", "output", true },
	{ "slice", IMAGES, true },
	{ "base", "check", true },
	{ "client", "check", true },
	{ "remapped", "check", true },
	{ "mode", ADDRESSES, true },
	{ "root", ADDRESSES, true },
	{ "context", ADDRESSES, true },
	{ "engine", ADDRESSES, true },
	{ "root", "context engine", false },
	{ "context", "engine", false },
	{ "width", IMAGES " check", true },
	{ "sample", "samples state", true },
};

static bool at_address(const struct tile *tile)
{
	return option_given(&tile->common, "surface") || option_given(&tile->common, "state");
}

/* IN may be any file; X Y, offsets and addresses are numbers, or "-". */
static unsigned take(const struct common *common)
{
	const struct tile *tile = (const struct tile *)common;

	if (tile->detile || tile->tile)
		return TAKE_SPECS;
	if (at_address(tile) || tile->check || option_given(common, "aux"))
		return TAKE_ANY;
	return TAKE_BESIDE_NUMBERS & ~TAKE_STDIN;
}

static bool reads_none(const struct common *common)
{
	const struct tile *tile = (const struct tile *)common;

	return !at_address(tile) && !tile->aux_table;
}

/* ---- the surface ---------------------------------------------------------------------------- */

static enum gsc_status wrong_number(const char *option, uint64_t value, const char *why,
				    struct gsc_error *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return option_error(option, text, why, err);
}

enum gsc_status surface_options(struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	struct gsc_surface *s = &tile->surface;
	char why[40];

	if (!tile->tiling_name)
		return usage_error(err, "-f", "expected a tiling: x, y, w, yf, ys, tile4, tile64");
	if (!gsc_tiling_by_name(tile->tiling_name, &s->tiling))
		return option_error("tiling", tile->tiling_name,
				    "expected x, y, w, yf, ys, tile4, tile64 or linear", err);
	if (!option_given(common, "pitch"))
		return usage_error(err, "--pitch", "needed: the bytes from one row to the next");
	s->pitch = tile->pitch;
	s->bits = option_given(common, "bpp") ? tile_narrow(tile->bpp) : 8;
	s->samples = option_given(common, "samples") ? tile_narrow(tile->samples) : 1;
	s->dimensions = tile->dimensions ? 3 : 2;
	s->rows = tile->height;
	if (!s->bits)
		return wrong_number("bpp", tile->bpp, "expected 8, 16, 32, 64 or 128", err);
	snprintf(why, sizeof(why), s->samples > 1 ? "expected 0 to %u" : "expected 0",
		 s->samples - 1);
	return tile->sample < s->samples || !s->samples
		       ? GSC_OK
		       : wrong_number("sample", tile->sample, why, err);
}

/* Some surfaces are not swizzled, whatever was requested. */
static enum gsc_status swizzle_check(struct tile *tile, const struct gsc_gpu *definitions,
				     struct gsc_error *err)
{
	uint32_t found;
	char why[160];

	if (tile->surface.swizzle &&
	    gsc_swizzle_find(definitions, tile->surface.tiling, &found, why, sizeof(why)) && !found)
		return option_error("swizzle", tile->swizzle_name, why, err);
	return GSC_OK;
}

enum gsc_status swizzle_choose(struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	uint32_t *swizzle = &tile->surface.swizzle;
	struct gsc_gpu *definitions;
	enum gsc_status status;

	if (tile->swizzle_name && !gsc_swizzle_by_name(tile->swizzle_name, swizzle))
		return option_error("swizzle", tile->swizzle_name,
				    "expected none, 9, 9/10, 9/11, 9/10/11, 9/17 or 9/10/17", err);
	snprintf(tile->swizzle_why, sizeof(tile->swizzle_why), "as given");
	status = gsc_gpu_new(&definitions, NULL, view_of(common), err);
	if (status)
		return status;
	if (tile->swizzle_name)
		status = swizzle_check(tile, definitions, err);
	else
		gsc_swizzle_find(common->from.count ? tile_gpu(tile) : definitions,
				 tile->surface.tiling, swizzle, tile->swizzle_why,
				 sizeof(tile->swizzle_why));
	gsc_gpu_close(definitions);
	tile->swizzle = *swizzle;
	return status;
}

static const char *usual_pixels(unsigned bits)
{
	return bits == 32 ? "B8G8R8X8" : bits == 16 ? "B5G6R5" : "R8";
}

enum gsc_status pixels_choose(struct tile *tile, struct gsc_error *err)
{
	const char *name = tile->pixels_name;
	char why[400] = "expected";

	tile->pixels = gsc_pixel_format_by_name(name ? name : usual_pixels(tile->surface.bits));
	if (name && !tile->pixels) {
		for (size_t i = 0; gsc_pixel_format_at(i); i++)
			append(why, sizeof(why), " %s", gsc_pixel_format_at(i)->name);
		return option_error("pixels", name, why, err);
	}
	if (tile->pixels->bits == tile->surface.bits)
		return GSC_OK;
	snprintf(why, sizeof(why), "has %u bits, but an element has %u", tile->pixels->bits,
		 tile->surface.bits);
	return name ? option_error("pixels", name, why, err)
		    : wrong_number("bpp", tile->surface.bits, "no pixel format has elements of "
			"this size", err);
}

bool wants_png(const struct tile *tile)
{
	size_t length = tile->output ? strlen(tile->output) : 0;

	return tile->png || (length > 4 && !strcasecmp(tile->output + length - 4, ".png"));
}

/* ---- output --------------------------------------------------------------------------------- */

static unsigned samples_of(const struct tile *tile)
{
	return tile->state.samples ? tile->state.samples : tile->layout.surface.samples;
}

void put_submission_text(const struct tile *tile)
{
	if (!tile->moment)
		return;
	gsc_out_format(tile->common.out, "# submission %llu, %s",
		       (unsigned long long)tile->submission, tile->submitted.engine);
	gsc_out_end(tile->common.out);
}

KEYS()
void put_submission_json(struct tile *tile)
{
	struct gsc_json *json = &tile->json;

	if (tile->moment)
		KEY(number, "submission", tile->submission, MIN(1), OPTIONAL,
		    "In a trace: the submission at which memory was read; absent: the end of the "
		    "trace.");
}

static void put_head_text(struct tile *tile)
{
	const struct common *common = &tile->common;
	const struct gsc_layout *l = &tile->layout;

	if (common->quiet || common->session)
		return;
	source_title(common);
	put_submission_text(tile);
	gsc_out_format(common->out, "# %s, pitch %llu, %u bits, %u sample%s, swizzle %s (%s)",
		       gsc_tiling_name(l->surface.tiling), (unsigned long long)l->surface.pitch,
		       l->surface.bits, samples_of(tile), samples_of(tile) > 1 ? "s" : "",
		       gsc_swizzle_name(tile->swizzle), tile->swizzle_why);
	gsc_out_end(common->out);
	if (!common->verbose)
		return;
	gsc_out_format(common->out, "# a tile is %u bytes, %u rows, %u slice%s: %s, %s", l->width,
		       l->height, l->depth, l->depth > 1 ? "s" : "", l->document, l->section);
	gsc_out_end(common->out);
}

SCHEMA(tile, TILE_SCHEMA, "gpu-tile --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of it.", PLATFORM,
       FORMS(results, placement, surfaces, responses, lookups))

KEYS(tile, "Bytes, rows and slices of one tile.")
static void put_tile_json(struct gsc_json *json, const struct gsc_layout *l)
{
	KEY(number, "width", l->width);
	KEY(number, "height", l->height);
	KEY(number, "depth", l->depth);
}

KEYS()
static void put_head_json(struct tile *tile)
{
	const struct gsc_layout *l = &tile->layout;
	struct gsc_json *json = &tile->json;

	put_submission_json(tile);
	KEY(text, "tiling", gsc_tiling_name(l->surface.tiling), ONE_OF(gsc_tiling_name));
	KEY(number, "pitch", l->surface.pitch);
	KEY(number, "bpp", l->surface.bits, MIN(8), MAX(256), MULTIPLE_OF(8));
	KEY(number, "samples", samples_of(tile), ONE_OF(1, 2, 4, 8, 16));
	KEY(text, "swizzle", gsc_swizzle_name(tile->swizzle), ONE_OF(gsc_swizzle_name));
	KEY(object, "tile", put_tile_json(json, l));
}

KEYS()
enum gsc_status tile_begin(struct tile *tile, const char *list, struct gsc_error *err)
{
	struct common *common = &tile->common;
	enum gsc_status status = output_open(common, true, err);

	if (status)
		return status;
	if (!wants_json(common)) {
		put_head_text(tile);
		return GSC_OK;
	}
	source_document(common, TILE_SCHEMA, &tile->json);
	put_head_json(tile);
	gsc_json_list(&tile->json, list);
	return GSC_OK;
}

void tile_end(struct tile *tile)
{
	if (!wants_json(&tile->common))
		return;
	gsc_json_list_end(&tile->json);
	gsc_json_finish(&tile->json);
}

/* ---- the command ---------------------------------------------------------------------------- */

static run_fn *choose_run(const struct tile *tile)
{
	if (option_given(&tile->common, "aux"))
		return aux_run;
	if (tile->aux_table)
		return aux_table_run;
	if (tile->check)
		return tile_check_run;
	if (at_address(tile))
		return surface_run;
	if (tile->detile || tile->tile)
		return tile_image_run;
	return tile->fences.count ? fence_run : points_run;
}

/* A fence alone describes the surface; what --check needs may be given in addition. */
static enum gsc_status check_fence(const struct tile *tile, struct gsc_error *err)
{
	static const char *const others[] = { "bpp", "samples", "dim", "height" };
	char what[16];

	for (size_t i = 0; tile->fences.count && !tile->check && i < ARRAY_SIZE(others); i++)
		if (option_given(&tile->common, others[i])) {
			snprintf(what, sizeof(what), "--%s", others[i]);
			return usage_error(err, what, "can be combined with --fence only if "
						      "--check is given");
		}
	return GSC_OK;
}

static enum gsc_status check_output(const struct tile *tile, struct gsc_error *err)
{
	if (!tile->output)
		return GSC_OK;
	if (!*tile->output)
		return usage_error(err, "--output ''", "expected a file name");
	if (file_is_terminal(tile->output))
		return usage_error(err, "standard output", "is a terminal: give a file with -o");
	if (tile->pixels_name && !wants_png(tile))
		return usage_error(err, "--pixels", "needs a picture: --png or -o OUT.png");
	return GSC_OK;
}

static enum gsc_status check_sizes(const struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;

	if (option_given(common, "height") && !tile->height)
		return wrong_number("height", 0, "expected at least one row", err);
	if (option_given(common, "width") && !tile->width)
		return wrong_number("width", 0, "expected at least one element", err);
	return GSC_OK;
}

static enum gsc_status check_operands(const struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	bool file = tile->detile || tile->tile;
	bool none = at_address(tile) || tile->check || option_given(common, "aux");

	if (none && common->operand_count)
		return usage_error(err, common->operands[0], "unexpected argument");
	if (file && common->operand_count != 1)
		return usage_error(err, "IN", "expected one file, or -");
	if (file && !tile->output)
		return usage_error(err, "--output", "needs -o FILE");
	if (!none && !common->operand_count)
		return usage_error(err, tile->fences.count || tile->aux_table ? "ADDR" : "X Y",
				   tile->aux_table ? "expected addresses"
				   : tile->to_points || tile->fences.count
					   ? "expected numbers, or - to read them"
					   : "expected pairs of numbers, or - to read them");
	return GSC_OK;
}

/* A trace is read as it is at its end; the tables that translate are those of then, too. */
static enum gsc_status choose_moment(struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	char what[40];

	if (!option_given(common, "submission") ||
	    !gsc_gpu_at(&tile->moment, common->gpu, tile->submission, &tile->submitted, err)) {
		tile->roots.gpu = tile->moment;
		tile->roots.descriptor = tile->submitted.contexts[0];
		return GSC_OK;
	}
	snprintf(what, sizeof(what), "--submission %llu", (unsigned long long)tile->submission);
	if (err->status == GSC_USAGE)
		snprintf(err->what, sizeof(err->what), "%s", what);
	return err->status;
}

/* Registers that give the swizzle are read if a source is named. */
static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	enum gsc_status status = check_operands(tile, err);

	if (!status)
		status = check_fence(tile, err);
	if (!status)
		status = check_output(tile, err);
	if (!status)
		status = check_sizes(tile, err);
	if (!status)
		status = roots_check(&tile->roots, common, err);
	if (!status)
		status = at_address(tile) || tile->aux_table || common->from.count
				 ? common_open(common, err)
				 : common_open_platform(common, err);
	if (!status)
		status = choose_moment(tile, err);
	if (!status)
		status = choose_run(tile)(common, err);
	gsc_gpu_close(tile->moment);
	tile->moment = NULL;
	free(tile->fence);
	return status;
}

const struct command tile_command = {
	.name = "gpu-tile",
	.purpose = "find the elements of a tiled surface, and show surfaces",
	.size = sizeof(struct tile),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
	.reads_none = reads_none,
};
