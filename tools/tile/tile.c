/* SPDX-License-Identifier: MIT */
/* gpu-tile: where the elements of tiled surfaces are, and what surfaces show. */
#include "gpu-tile.h"
#include "tools.h"
#include "util/number.h"

#include <strings.h>

static const char *const usage[] = {
	"[options] -f TILING --pitch BYTES X Y...",
	"[options] -f TILING --pitch BYTES --offset N...",
	"[options] -f TILING --pitch BYTES [--tile] IN -o OUT",
	"[options] --fence VALUE ADDR...",
	"[options] --surface ADDR [-o OUT] [SOURCE]",
	"",
	"[options] -f TILING --pitch BYTES --size xROWS --surface ADDR",
	"[options] -f TILING --pitch BYTES [--fence VALUE] --check CLIENT",
	"[options] --aux hiz|ccs|mcs|all [SOURCE]",
	"[options] --aux table[:ADDR] [SOURCE] ADDR...",
	NULL,
};

#define MEMBER(member) offsetof(struct tile, member)
#define CLIENTS "any|display|render|depth|stencil|sampler|blitter|sparse"

static const struct option_row options[] = {
	{ 'f', "tiling", "TILING[:SWIZZLE]", OPTION_STRING, MEMBER(tiling_text),
	  "x y w yf ys tile4 tile64 linear", IN_HELP, true },
	{ 0, "pitch", "BYTES", OPTION_NUMBER, MEMBER(pitch), "bytes from one row to the next",
	  NULL, true },
	{ 0, "bpp", "FORMAT", OPTION_STRING, MEMBER(bpp_text),
	  "bits per element (8), or its pixel format",
	  "8 16 32 64 128 PIXELS", true },
	{ 0, "samples", "N[:S]", OPTION_STRING, MEMBER(samples_text),
	  "samples per element: 1 2 4 8 16; which one (0)", "1 2 4 8 16" },
	{ 0, "size", "WxH[xD][:Z]", OPTION_STRING, MEMBER(size_text),
	  "elements per row, rows, slices; which slice", NULL,
	  true },
	{ 0, "offset", NULL, OPTION_FLAG, MEMBER(to_points), "operands are offsets: show X Y",
	  NULL, true },
	{ 0, "fence", "VALUE", OPTION_LIST, MEMBER(fences), "value of a fence register", NULL,
	  true },
	{ 0, "tile", NULL, OPTION_FLAG, MEMBER(retile), "IN is rows, OUT a surface" },
	{ 'o', "output", "OUT", OPTION_STRING, MEMBER(output),
	  "file to write, or -; *.png is a picture", "FILE", true },
	{ 0, "surface", "[SPACE:]ADDR[@N]", OPTION_STRING, MEMBER(surface_text),
	  "show the surface at this graphics address; without -f, the one that the "
	  "RENDER_SURFACE_STATE there describes; @N: in a trace, as it was at submission N" },
	{ 0, "check", CLIENTS, OPTION_CHOICE, MEMBER(client),
	  "find rules that the surface breaks for this client" },
	{ 0, "aux", "KIND", OPTION_STRING, MEMBER(aux_text),
	  "hiz ccs mcs all: show what sampling returns where tiles of the surface or of this "
	  "auxiliary surface are not mapped; table[:ADDR]: find the auxiliary data of addresses",
	  "hiz ccs mcs all table" },
};

static const struct option_rule rules[] = {
	{ "aux", "tiling pitch offset fence tile surface check", false },
	{ "check", "offset tile output", false },
	{ "tile", "surface offset fence", false },
	{ "surface", "offset", false },
	{ "offset", "fence", false },
	{ "output", "json ndjson offset fence aux", false },
};

static bool shows_memory(const struct tile *tile)
{
	return tile->surface_text && !option_given(&tile->common, "check");
}

static bool converts_file(const struct tile *tile)
{
	return tile->retile || (tile->output && !tile->surface_text);
}

/* "table", "table:0x1000" */
static bool walks_table(const struct tile *tile)
{
	return tile->aux_text && !strncmp(tile->aux_text, "table", 5) &&
	       (!tile->aux_text[5] || tile->aux_text[5] == ':');
}

/* The only operands of these modes are sources. */
static bool takes_none(const struct tile *tile)
{
	return shows_memory(tile) || option_given(&tile->common, "check") ||
	       (tile->aux_text && !walks_table(tile));
}

/* IN may be any file; X Y, offsets and addresses are numbers, or "-". */
static unsigned take(const struct common *common)
{
	const struct tile *tile = (const struct tile *)common;

	if (converts_file(tile))
		return TAKE_SPECS;
	return takes_none(tile) ? TAKE_ANY : TAKE_BESIDE_NUMBERS & ~TAKE_STDIN;
}

static bool reads_none(const struct common *common)
{
	const struct tile *tile = (const struct tile *)common;

	return !shows_memory(tile) && !walks_table(tile);
}

/* ---- options -------------------------------------------------------------------------------- */

/* "32", "B8G8R8X8" */
static enum gsc_status read_bpp(struct tile *tile, struct gsc_error *err)
{
	const struct gsc_pixel_format *format;
	char why[500] = "expected a number of bits, or";
	uint64_t bits = 8;

	if (tile->bpp_text && !gsc_parse_number(tile->bpp_text, &bits)) {
		format = gsc_pixel_format_by_name(tile->bpp_text);
		for (size_t i = 0; !format && gsc_pixel_format_at(i); i++)
			string_addf(why, sizeof(why), " %s", gsc_pixel_format_at(i)->name);
		if (!format)
			return option_error("bpp", tile->bpp_text, why, err);
		tile->pixels_name = tile->bpp_text;
		bits = format->bits;
	}
	tile->surface.bits = bits > UINT32_MAX ? 0 : (unsigned)bits;
	return tile->surface.bits ? GSC_OK : option_error("bpp", tile->bpp_text,
							  "expected 8, 16, 32, 64 or 128", err);
}

/* "4", "4:3", ":3" */
static enum gsc_status read_samples(struct tile *tile, struct gsc_error *err)
{
	const char *text = tile->samples_text, *colon = text ? strchr(text, ':') : NULL;
	char count[32];

	if (!text)
		return GSC_OK;
	string_set(count, "%.*s", colon ? (int)(colon - text) : 31, text);
	if ((*count && (!gsc_parse_number(count, &tile->samples) || !tile->samples ||
			tile->samples > UINT32_MAX)) ||
	    (colon && !gsc_parse_number(colon + 1, &tile->sample)))
		return option_error("samples", text, "expected N or N:SAMPLE", err);
	return GSC_OK;
}

/* "1920x1080", "x64", "64x64x8:3", ":3"; a third number, even if it is not given, means depth. */
static enum gsc_status read_size(struct tile *tile, struct gsc_error *err)
{
	uint64_t *const numbers[] = { &tile->width, &tile->height, &tile->depth };
	char copy[100], *rest = copy, *slice, *part;
	unsigned i = 0;
	bool good;

	tile->surface.dimensions = 2;
	if (!tile->size_text)
		return GSC_OK;
	good = (size_t)string_set(copy, "%s", tile->size_text) < sizeof(copy);
	slice = strchr(copy, ':');
	if (slice)
		*slice++ = 0;
	for (; good && (part = strsep(&rest, "x")); i++)
		good = i < ARRAY_SIZE(numbers) &&
		       (!*part || (gsc_parse_number(part, numbers[i]) && *numbers[i]));
	if (!good || (slice && !gsc_parse_number(slice, &tile->slice)))
		return option_error("size", tile->size_text, "expected WIDTHxHEIGHT, or "
				    "WIDTHxHEIGHTxDEPTH:SLICE, none of them 0 but the slice", err);
	tile->surface.dimensions = i > 2 ? 3 : 2;
	return GSC_OK;
}

/*
 * "0x1000", "ggtt:0x1000", "rcs0:0x1000", "pml4=0x5000:0x1000", each with "@3" for a submission:
 * the tables of addresses, and one of them.
 */
static enum gsc_status read_place(struct tile *tile, const char *option, const char *text,
				  struct gsc_error *err)
{
	struct roots *roots = &tile->roots;
	char *at = tile->place, *end, *equal;
	enum gsc_mode mode;
	struct address place;

	if (!text || (size_t)snprintf(at, sizeof(tile->place), "%s", text) >= sizeof(tile->place))
		return text ? option_error(option, text, "too long", err) : GSC_OK;
	end = strrchr(at, '@');
	if (end) {
		*end = 0;
		tile->has_submission = gsc_parse_number(end + 1, &tile->submission);
		if (!tile->has_submission)
			return option_error(option, text, "expected a submission after @", err);
	}
	end = strrchr(at, ':');
	if (end && address_prefix(at, &place)) {
		roots->place = place;
	} else if (end) {
		*end = 0;
		equal = strchr(at, '=');
		if (equal) {
			*equal = 0;
			roots->root = equal + 1;
		}
		if (equal || gsc_mode_by_name(at, &mode))
			roots->mode_name = at;
		else
			roots->engine = at;
	}
	at = end ? end + 1 : at;
	tile->has_address = gsc_parse_number(at, &tile->address);
	if (!tile->has_address && (*at || !tile->aux_text))
		return option_error(option, text, "expected an address, or SPACE:ADDRESS", err);
	roots->place.at = tile->address;
	return GSC_OK;
}

static enum gsc_status read_options(struct tile *tile, struct gsc_error *err)
{
	const char *tiling = tile->tiling_text ? tile->tiling_text : "";
	size_t length = strcspn(tiling, ":");
	enum gsc_status status = read_bpp(tile, err);

	string_set(tile->tiling_name, "%.*s", (int)length, tiling);
	tile->swizzle_name = tiling[length] ? tiling + length + 1 : NULL;
	if (!status)
		status = read_samples(tile, err);
	if (!status)
		status = read_size(tile, err);
	if (!status)
		status = read_place(tile, "surface", tile->surface_text, err);
	if (!status && walks_table(tile))
		status = read_place(tile, "aux",
				    tile->aux_text[5] ? tile->aux_text + 6 : NULL, err);
	return status;
}

/* ---- the surface ---------------------------------------------------------------------------- */

enum gsc_status surface_options(struct tile *tile, struct gsc_error *err)
{
	struct gsc_surface *s = &tile->surface;
	const char *name = tile->tiling_name;
	char number[32], why[40];

	if (!*name)
		return usage_error(err, "-f", "expected a tiling: x, y, w, yf, ys, tile4, tile64");
	if (!gsc_tiling_by_name(name, &s->tiling))
		return option_error("tiling", name,
				    "expected x, y, w, yf, ys, tile4, tile64 or linear", err);
	if (!option_given(&tile->common, "pitch"))
		return usage_error(err, "--pitch", "needed: the bytes from one row to the next");
	s->pitch = tile->pitch;
	s->samples = tile->samples ? (unsigned)tile->samples : 1;
	s->rows = tile->height;
	string_set(number, "%llu", LL(tile->sample));
	string_set(why, s->samples > 1 ? "expected 0 to %u" : "expected 0", s->samples - 1);
	if (tile->sample < s->samples)
		return GSC_OK;
	return option_error("samples", number, why, err);
}

/* Some surfaces are not swizzled, whatever was requested. */
enum gsc_status swizzle_choose(struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	const char *name = tile->swizzle_name;
	uint32_t *swizzle = &tile->surface.swizzle, found;
	struct gsc_gpu *definitions;
	enum gsc_status status;

	if (name && !gsc_swizzle_by_name(name, swizzle))
		return option_error("tiling", tile->tiling_text, "expected a swizzle after the "
				    "colon: none, 9, 9/10, 9/11, 9/10/11, 9/17 or 9/10/17", err);
	status = gsc_gpu_new(&definitions, NULL, view_of(common), err);
	if (status)
		return status;
	if (!name)
		gsc_swizzle_find(common->from.count ? tile_gpu(tile) : definitions,
				 tile->surface.tiling, swizzle, tile->swizzle_why,
				 sizeof(tile->swizzle_why));
	else if (*swizzle && gsc_swizzle_find(definitions, tile->surface.tiling, &found,
					      tile->swizzle_why, sizeof(tile->swizzle_why)) &&
		 !found)
		status = option_error("tiling", tile->tiling_text, tile->swizzle_why, err);
	else
		string_set(tile->swizzle_why, "as given");
	gsc_gpu_close(definitions);
	tile->swizzle = *swizzle;
	return status;
}

enum gsc_status width_choose(struct tile *tile, struct gsc_error *err)
{
	uint64_t most = tile->surface.pitch / (tile->surface.bits / 8);

	if (!tile->width)
		tile->width = most;
	if (tile->width <= most)
		return GSC_OK;
	return usage_error(err, "--size", "a row would be longer than the pitch");
}

bool wants_png(const struct tile *tile)
{
	size_t length = tile->output ? strlen(tile->output) : 0;

	return length > 4 && !strcasecmp(tile->output + length - 4, ".png");
}

bool address_short(uint64_t *address)
{
	uint64_t high = *address >> (ADDRESS_BITS - 1);

	if (high > 1 && high != UINT64_MAX >> (ADDRESS_BITS - 1))
		return false;
	*address &= (UINT64_C(1) << ADDRESS_BITS) - 1;
	return true;
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
	gsc_out_line(tile->common.out, "# submission %llu, %s", LL(tile->submission),
		     tile->submitted.engine);
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
	gsc_out_line(common->out, "# %s, pitch %llu, %u bits, %u sample%s, swizzle %s (%s)",
		     gsc_tiling_name(l->surface.tiling), LL(l->surface.pitch), l->surface.bits,
		     samples_of(tile), samples_of(tile) > 1 ? "s" : "",
		     gsc_swizzle_name(tile->swizzle), tile->swizzle_why);
	if (!common->verbose)
		return;
	gsc_out_line(common->out, "# a tile is %u bytes, %u rows, %u slice%s: %s, %s", l->width,
		     l->height, l->depth, l->depth > 1 ? "s" : "", l->document, l->section);
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
enum gsc_status tile_begin(struct tile *tile, const char *list, struct gsc_error *err)
{
	const struct gsc_layout *l = &tile->layout;
	struct gsc_json *json = &tile->json;
	struct common *common = &tile->common;
	enum gsc_status status = output_open(common, true, err);

	if (status)
		return status;
	if (!wants_json(common)) {
		put_head_text(tile);
		return GSC_OK;
	}
	source_document(common, TILE_SCHEMA, json);
	put_submission_json(tile);
	KEY(text, "tiling", gsc_tiling_name(l->surface.tiling), ONE_OF(gsc_tiling_name));
	KEY(number, "pitch", l->surface.pitch);
	KEY(number, "bpp", l->surface.bits, MIN(8), MAX(256), MULTIPLE_OF(8));
	KEY(number, "samples", samples_of(tile), ONE_OF(1, 2, 4, 8, 16));
	KEY(text, "swizzle", gsc_swizzle_name(tile->swizzle), ONE_OF(gsc_swizzle_name));
	KEY(object, "tile", put_tile_json(json, l));
	gsc_json_list(json, list);
	return GSC_OK;
}

void tile_end(struct tile *tile)
{
	if (!wants_json(&tile->common))
		return;
	gsc_json_finish(&tile->json);
}

static enum gsc_status check_operands(const struct tile *tile, struct gsc_error *err)
{
	const struct common *common = &tile->common;
	bool table = walks_table(tile);

	if (takes_none(tile))
		return common->operand_count ? usage_error(err, common->operands[0],
							   "unexpected argument") : GSC_OK;
	if (converts_file(tile) && common->operand_count != 1)
		return usage_error(err, "IN", "expected one file, or -");
	if (converts_file(tile) && !tile->output)
		return usage_error(err, "--tile", "needs -o FILE");
	if (common->operand_count)
		return GSC_OK;
	return usage_error(err, tile->fences.count || table ? "ADDR" : "X Y",
			   table ? "expected addresses"
			   : tile->to_points || tile->fences.count
				   ? "expected numbers, or - to read them"
				   : "expected pairs of numbers, or - to read them");
}

/* Registers that give the swizzle are read if a source is named. */
static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	static const char *const others[] = { "bpp", "samples", "size", "surface" };
	bool check = option_given(common, "check"), fence = tile->fences.count && !check;
	enum gsc_status status = read_options(tile, err);
	char what[16];

	if (!status)
		status = check_operands(tile, err);
	/* A fence alone describes the surface; what --check needs may be given in addition. */
	for (size_t i = 0; fence && !status && i < ARRAY_SIZE(others); i++) {
		string_set(what, "--%s", others[i]);
		if (option_given(common, others[i]))
			status = usage_error(err, what, "can be combined with --fence only if "
							"--check is given");
	}
	if (!status && tile->output && !*tile->output)
		status = usage_error(err, "--output ''", "expected a file name");
	if (!status && tile->output && file_is_terminal(tile->output))
		status = usage_error(err, "standard output", "is a terminal: give a file with -o");
	if (!status)
		status = roots_check(&tile->roots, common, err);
	/* That a platform has no such tables is said before a GPU is looked for. */
	if (!status && walks_table(tile) && common->platform_name && !common->from.count) {
		status = common_open_platform(common, err);
		if (!status)
			status = gsc_aux_supported(view_of(common), err);
	}
	if (!status)
		status = !reads_none(common) || common->from.count
				 ? common_open(common, err)
				 : common_open_platform(common, err);
	/* A trace is read as it is at its end; tables that translate are those of then, too. */
	if (!status && tile->has_submission) {
		status = gsc_gpu_at(&tile->moment, common->gpu, tile->submission,
				    &tile->submitted, err);
		tile->roots.gpu = tile->moment;
		tile->roots.descriptor = tile->submitted.contexts[0];
		if (status == GSC_USAGE)
			string_set(err->what, "submission %llu", LL(tile->submission));
	}
	if (!status && tile->aux_text)
		status = (walks_table(tile) ? aux_table_run : aux_run)(common, err);
	else if (!status && check)
		status = tile_check_run(common, err);
	else if (!status && tile->surface_text)
		status = surface_run(common, err);
	else if (!status)
		status = (converts_file(tile) ? tile_file_run : points_run)(common, err);
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
