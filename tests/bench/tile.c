/* SPDX-License-Identifier: MIT */
/*
 * tile RUNS: how fast surfaces are copied, with memcpy() in between, so that both run under the
 * same conditions. A line is the order of tiles, bits of an element, and milliseconds of memcpy(),
 * out of tiles and into them: minima of processor time, so that other processes do not count.
 */
#include "db/db.h"
#include "tile/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE ((size_t)64 << 20)
#define PITCH 8192

static const struct measured {
	const char *name, *platform;
	enum gsc_tiling tiling;
	unsigned bits[6];
	uint32_t swizzle;
} orders[] = {
	{ "x", "skl", GSC_TILING_X, { 8, 16, 32, 64, 128 }, 0 },
	{ "swizzled-x", "snb", GSC_TILING_X, { 32 }, 1 << 9 | 1 << 10 },
	{ "y", "skl", GSC_TILING_Y, { 8, 16, 32, 64, 128 }, 0 },
	{ "swizzled-y", "snb", GSC_TILING_Y, { 32 }, 1 << 9 },
	{ "w", "skl", GSC_TILING_W, { 8 }, 0 },
	{ "yf", "skl", GSC_TILING_YF, { 8, 16, 32, 64, 128 }, 0 },
	{ "ys", "skl", GSC_TILING_YS, { 8, 16, 32, 64, 128 }, 0 },
	{ "tile4", "dg2", GSC_TILING_4, { 8, 16, 32, 64, 128 }, 0 },
	{ "tile64", "dg2", GSC_TILING_64, { 8, 16, 32, 64, 128 }, 0 },
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double less(double a, double b)
{
	return a < b ? a : b;
}

static void measure(const struct measured *o, const struct gsc_layout *l, int runs, char *a, char *b)
{
	unsigned bits = l->surface.bits;
	struct gsc_rectangle r = { .width = PITCH / (bits / 8), .height = SIZE / PITCH };
	double plain = 1e9, out = 1e9, in = 1e9;
	struct gsc_error err;

	for (int i = 0; i < runs; i++) {
		double from = now();

		memcpy(b, a, SIZE);
		__asm__ volatile("" : : "r"(b) : "memory");
		plain = less(plain, now() - from);
		from = now();
		if (gsc_detile(l, a, SIZE, &r, b, PITCH, &err))
			exit(1);
		out = less(out, now() - from);
		from = now();
		if (gsc_tile(l, b, SIZE, &r, a, PITCH, &err))
			exit(1);
		in = less(in, now() - from);
	}
	printf("%s %u %.3f %.3f %.3f\n", o->name, bits, plain * 1e3, out * 1e3, in * 1e3);
}

int main(int argc, char **argv)
{
	int runs = argc > 1 ? atoi(argv[1]) : 15, device;
	char *a = aligned_alloc(4096, SIZE), *b = aligned_alloc(4096, SIZE);
	struct gsc_platform p;
	struct gsc_layout l;
	struct gsc_error err;
	struct gsc_db *db;

	if (!a || !b || gsc_db_new(&db, &err))
		return 1;
	memset(a, 1, SIZE);
	memset(b, 2, SIZE);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		for (const unsigned *bits = orders[i].bits; *bits; bits++) {
			const struct measured *o = &orders[i];
			struct gsc_surface s = { o->tiling, *bits, 1, 2, PITCH, 0, o->swizzle };

			if (gsc_platform_find(db, o->platform, &p, &device, &err) ||
			    gsc_layout_init(&l, &p, &s, &err))
				return 1;
			measure(o, &l, runs, a, b);
		}
	}
	gsc_db_free(db);
	free(a);
	free(b);
	return 0;
}
