/* SPDX-License-Identifier: MIT */
/*
 * Tiled surfaces with any numbers that a user can give: points and copies, in both directions.
 * Then, from the second byte of the same input on, a surface state, and auxiliary tables.
 */
#include "fuzz.h"
#include "source/source.h"
#include "tile/tile.h"

#include <string.h>

#define TILED_MAX 0x20000
#define LINEAR_MAX 0x8000
#define STATE_WORDS 16
#define PAGE 4096
#define MEMORY_MAX 0x20000
#define RECORDS_MAX 64

static bool any_breach(void *context, const struct gsc_breach *breach)
{
	*(unsigned *)context += breach->text[0];
	return true;
}

static void check_points(const struct gsc_layout *layout, struct fuzz_input *in)
{
	struct gsc_point point = { .x = fuzz_take(in, 4), .y = fuzz_take(in, 4) }, back;
	uint64_t offset, again;

	point.z = fuzz_take(in, 1);
	point.sample = (unsigned)fuzz_take(in, 1);
	if (gsc_layout_offset(layout, &point, &offset)) {
		gsc_layout_point(layout, offset, &back);
		FUZZ_REQUIRE(back.x == point.x && back.sample == point.sample && !back.byte);
		FUZZ_REQUIRE(layout->surface.dimensions > 2 || back.y == point.y);
	}
	offset = fuzz_take(in, 8);
	gsc_layout_point(layout, offset, &back);
	back.byte = 0;
	if (gsc_layout_offset(layout, &back, &again))
		FUZZ_REQUIRE(again / (layout->surface.bits / 8) ==
			     offset / (layout->surface.bits / 8));
	gsc_layout_bytes(layout, fuzz_take(in, 8));
}

/* Mostly small, and anything now and then. */
static uint64_t take_length(struct fuzz_input *in)
{
	uint64_t length = fuzz_take(in, 1);

	return length < 0xf0 ? length : fuzz_take(in, length & 7);
}

static void check_copies(const struct gsc_layout *layout, struct fuzz_input *in)
{
	static uint8_t linear[LINEAR_MAX], back[LINEAR_MAX];
	struct gsc_rectangle r = { .x = take_length(in), .y = take_length(in) };
	size_t size = (size_t)(fuzz_take(in, 3) % TILED_MAX), pitch;
	uint8_t *tiled = calloc(1, size + 1);
	struct gsc_error err = { 0 };
	uint64_t row;

	FUZZ_REQUIRE(tiled);
	r.width = take_length(in);
	r.height = take_length(in);
	r.z = fuzz_take(in, 1) & 3;
	r.sample = (unsigned)fuzz_take(in, 1) & 3;
	pitch = (size_t)fuzz_take(in, 2);
	/* The rows must exist: that is the caller's responsibility. */
	if (!__builtin_mul_overflow(r.width, layout->surface.bits / 8, &row) && row <= pitch &&
	    r.height <= LINEAR_MAX / (pitch ? pitch : 1)) {
		for (size_t i = 0; i < LINEAR_MAX; i++)
			linear[i] = (uint8_t)(i * 167 + 1);
		memset(back, 0, sizeof(back));
		if (gsc_tile(layout, tiled, size, &r, linear, pitch, &err))
			fuzz_check_error(&err, err.status);
		else if (!gsc_detile(layout, tiled, size, &r, back, pitch, &err))
			for (uint64_t y = 0; y < r.height; y++)
				FUZZ_REQUIRE(!memcmp(linear + y * pitch, back + y * pitch, row));
	}
	free(tiled);
}

static void check_fence(const struct gsc_platform *platform, struct fuzz_input *in)
{
	struct gsc_point point;
	struct gsc_fence fence;
	struct gsc_error err = { 0 };
	uint64_t offset;

	gsc_fence_decode(fuzz_view(platform->index), (unsigned)fuzz_take(in, 1), fuzz_take(in, 8),
			 &fence);
	if (gsc_fence_translate(platform, &fence, (uint32_t)fuzz_take(in, 3), fuzz_take(in, 5),
				&point, &offset, &err))
		fuzz_check_error(&err, err.status);
}

static void check_placement(const struct gsc_platform *platform, const struct gsc_surface *surface,
			    struct fuzz_input *in)
{
	struct gsc_placement placement = { .surface = *surface };
	struct gsc_fence fences[3];
	unsigned sum = 0;

	placement.fences = fences;
	placement.fence_count = fuzz_take(in, 1) & 3;
	for (unsigned i = 0; i < placement.fence_count; i++)
		gsc_fence_decode(fuzz_view(platform->index), i, fuzz_take(in, 8), &fences[i]);
	placement.client = (enum gsc_client)(fuzz_take(in, 1) % GSC_CLIENTS);
	placement.has_base = fuzz_take(in, 1) & 1;
	placement.base = fuzz_take(in, 6);
	placement.width = take_length(in);
	placement.height = take_length(in);
	gsc_placement_check(platform, &placement, any_breach, &sum);
}

static void check_state(const struct gsc_platform *platform, struct fuzz_input in)
{
	const struct gsc_view *view = fuzz_view(platform->index);
	struct gsc_surface_state state = { .note_count = 0 };
	struct gsc_error err = { 0 };
	uint32_t words[STATE_WORDS];
	unsigned step;
	struct gsc_layout layout;
	struct gsc_point point;
	uint64_t offset;
	size_t count;

	FUZZ_REQUIRE(gsc_surface_state_size(view, &step) <= sizeof(words));
	for (size_t i = 0; i < STATE_WORDS; i++)
		words[i] = (uint32_t)fuzz_take(&in, 4);
	count = fuzz_take(&in, 1) & 0x80 ? 3 : STATE_WORDS;
	if (gsc_surface_of_state(view, words, count, &state, &err)) {
		fuzz_check_error(&err, err.status);
		return;
	}
	FUZZ_REQUIRE(state.note_count <= sizeof(state.notes) / sizeof(*state.notes));
	FUZZ_REQUIRE(memchr(state.type, 0, sizeof(state.type)) &&
		     memchr(state.format, 0, sizeof(state.format)));
	for (size_t i = 0; i < state.note_count; i++)
		FUZZ_REQUIRE(memchr(state.notes[i], 0, sizeof(state.notes[i])));
	if (gsc_layout_init(&layout, platform, &state.surface, &err)) {
		fuzz_check_error(&err, err.status);
		return;
	}
	point = (struct gsc_point){ .x = state.x, .y = state.y };
	gsc_layout_offset(&layout, &point, &offset);
	point = (struct gsc_point){ .x = state.width - 1, .y = state.height - 1 };
	gsc_layout_offset(&layout, &point, &offset);
}

/* Mostly valid ones, that lead to each other. */
static void fill_tables(uint8_t *memory, struct fuzz_input *in)
{
	for (unsigned n = 0; n < RECORDS_MAX && in->size; n++) {
		uint64_t place = fuzz_take(in, 2) * 8 % MEMORY_MAX, page = fuzz_take(in, 1);
		uint64_t entry = page & 0x40 ? fuzz_take(in, 8) : page << 11 | !(page & 0x80);

		for (unsigned i = 0; i < 8; i++)
			memory[place + i] = (uint8_t)(entry >> 8 * i);
	}
}

static struct gsc_source *open_tables(const struct gsc_platform *platform, struct fuzz_input *in)
{
	static uint8_t memory[MEMORY_MAX], ggtt[MEMORY_MAX / PAGE * 8];
	bool local = platform->flags & GSC_PLATFORM_LMEM;
	const char *list[2];
	char specs[2][80];

	memset(memory, 0, sizeof(memory));
	memset(ggtt, 0, sizeof(ggtt));
	fill_tables(memory, in);
	for (size_t i = 0; i < MEMORY_MAX / PAGE; i++) {
		ggtt[i * 8] = local ? 3 : 1;
		ggtt[i * 8 + 1] = (uint8_t)(i << 4);
		ggtt[i * 8 + 2] = (uint8_t)(i >> 4);
	}
	snprintf(specs[0], sizeof(specs[0]), "%s%s", local ? "lmem:" : "mem:",
		 fuzz_file(0, memory, sizeof(memory)));
	snprintf(specs[1], sizeof(specs[1]), "ggtt:%s", fuzz_file(1, ggtt, sizeof(ggtt)));
	list[0] = specs[0];
	list[1] = specs[1];
	return fuzz_open(list, 2, platform->name);
}

static void check_walk(struct gsc_translation *translation, uint64_t root, uint64_t address)
{
	struct gsc_error err = { 0 };
	struct gsc_aux_walk walk;

	if (gsc_aux_walk(translation, root, address, &walk, &err)) {
		fuzz_check_error(&err, err.status);
		return;
	}
	FUZZ_REQUIRE(walk.count <= 3 && walk.mapped == !walk.stop);
	FUZZ_REQUIRE(!walk.mapped || (walk.count == 3 && !(walk.auxiliary >> 48)));
	FUZZ_REQUIRE(walk.mapped != !!walk.why[0] && memchr(walk.why, 0, sizeof(walk.why)));
	for (size_t i = 0; i < walk.count; i++)
		FUZZ_REQUIRE(walk.steps[i].level == 3 - i && !(walk.steps[i].address >> 48));
	if (walk.has_format) {
		gsc_aux_depth_word(walk.depth);
		gsc_aux_tile_mode_word(walk.tile_mode);
	}
}

/* Few bytes of an address select the entry of each level; a whole one may be anything. */
static void check_tables(const struct gsc_platform *platform, struct fuzz_input in)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	const struct gsc_view *view = fuzz_view(platform->index);
	uint64_t root = fuzz_take(&in, 1) << 11, addresses[4], high;
	struct gsc_translation *translation;
	struct gsc_error err = { 0 };
	struct gsc_source *source;

	if (platform->graphics < 1200)
		return;
	for (size_t i = 0; i < 3; i++) {
		high = fuzz_take(&in, 1);
		addresses[i] = high << 36 | fuzz_take(&in, 1) << 24 | fuzz_take(&in, 2) << 8;
	}
	addresses[3] = fuzz_take(&in, 8);
	source = open_tables(platform, &in);
	FUZZ_REQUIRE(source);
	if (gsc_translation_new(&translation, fuzz_gpu(source, view), &options, &err)) {
		fuzz_check_error(&err, err.status);
	} else {
		for (size_t i = 0; i < 4; i++)
			check_walk(translation, root, addresses[i]);
		gsc_translation_free(translation);
	}
	gsc_source_close(source);
}

/* A picture of the remaining bytes, as gpu-tile writes one. */
static void draw(struct fuzz_input in)
{
	const struct gsc_pixel_format *format = NULL;
	uint64_t width, height, number = fuzz_take(&in, 1), row;
	unsigned flags = (unsigned)fuzz_take(&in, 1);
	uint8_t elements[64 * 16], known[64];
	struct gsc_out *out = fuzz_out();
	struct gsc_error err = { 0 };
	struct gsc_png *png;

	for (size_t i = 0; i <= number % 16 && (i == 0 || format); i++)
		format = gsc_pixel_format_at(i);
	width = 1 + fuzz_take(&in, 1) % 64;
	height = 1 + fuzz_take(&in, 1) % 64;
	if (!format || gsc_png_new(&png, out, format, width, height, flags & 3, &err)) {
		if (format)
			fuzz_check_error(&err, err.status);
		gsc_out_free(out);
		return;
	}
	/* Bit 2: rows are missing. */
	for (row = 0; row < height - (flags >> 2 & 1); row++) {
		for (size_t i = 0; i < sizeof(elements); i++)
			elements[i] = (uint8_t)fuzz_take(&in, 1);
		for (size_t i = 0; i < sizeof(known); i++)
			known[i] = elements[i] & 1;
		gsc_png_row(png, elements, flags & GSC_PNG_HOLES ? known : NULL);
	}
	FUZZ_REQUIRE(gsc_png_end(png) == (row == height));
	gsc_png_free(png);
	gsc_out_free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned bits[] = { 8, 16, 32, 64, 128, 24, 0, 256 };
	struct fuzz_input in = { data, size }, again;
	struct gsc_error err = { 0 };
	struct gsc_platform platform;
	struct gsc_surface surface;
	struct gsc_layout layout;

	gsc_platform_at(fuzz_db(), fuzz_platform(fuzz_take(&in, 1)), &platform);
	again = in;
	check_state(&platform, again);
	check_tables(&platform, again);
	draw(again);
	surface = (struct gsc_surface){
		.tiling = (enum gsc_tiling)(fuzz_take(&in, 1) % GSC_TILINGS),
		.bits = bits[fuzz_take(&in, 1) & 7],
		.samples = 1u << (fuzz_take(&in, 1) & 15) % 5,
		.dimensions = 2 + (fuzz_take(&in, 1) & 1),
		.pitch = fuzz_take(&in, 1),
	};
	/* Mostly whole tiles. */
	surface.pitch = surface.pitch < 0xf0 ? surface.pitch * 128 : fuzz_take(&in, 8);
	surface.rows = take_length(&in);
	surface.swizzle = (uint32_t)fuzz_take(&in, 1) << 9;
	check_fence(&platform, &in);
	check_placement(&platform, &surface, &in);
	if (gsc_layout_init(&layout, &platform, &surface, &err)) {
		fuzz_check_error(&err, err.status);
		return 0;
	}
	check_points(&layout, &in);
	check_copies(&layout, &in);
	return 0;
}
