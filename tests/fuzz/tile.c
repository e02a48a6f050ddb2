/* SPDX-License-Identifier: MIT */
/* Tiled surfaces of any numbers that a user can give: points and copies, there and back. */
#include "fuzz.h"

#include <string.h>

#define TILED_MAX 0x20000
#define LINEAR_MAX 0x8000


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

/* Small mostly, and anything now and then. */
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
	/* The rows have to be there: that is the caller's business. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned bits[] = { 8, 16, 32, 64, 128, 24, 0, 256 };
	struct fuzz_input in = { data, size };
	struct gsc_error err = { 0 };
	struct gsc_platform platform;
	struct gsc_surface surface;
	struct gsc_layout layout;

	gsc_platform_at(fuzz_db(), fuzz_platform(fuzz_take(&in, 1)), &platform);
	surface = (struct gsc_surface){
		.tiling = (enum gsc_tiling)(fuzz_take(&in, 1) % GSC_TILINGS),
		.bits = bits[fuzz_take(&in, 1) & 7],
		.samples = 1u << (fuzz_take(&in, 1) & 15) % 5,
		.dimensions = 2 + (fuzz_take(&in, 1) & 1),
		.pitch = fuzz_take(&in, 1),
	};
	/* Whole tiles mostly. */
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
