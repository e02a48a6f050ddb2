/* SPDX-License-Identifier: MIT */
/* How fast surfaces are copied, with memcpy() in between: both meet the same machine. */
#include <gpuscope.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE ((size_t)64 << 20)
#define PITCH 8192

static const struct order {
	const char *name, *platform;
	enum gsc_tiling tiling;
	unsigned bits;
	uint32_t swizzle;
} orders[] = {
	{ "y", "skl", GSC_TILING_Y, 32, 0 },
	{ "y, swizzled", "snb", GSC_TILING_Y, 32, 1 << 9 },
	{ "x", "skl", GSC_TILING_X, 32, 0 },
	{ "x, swizzled", "snb", GSC_TILING_X, 32, 1 << 9 | 1 << 10 },
	{ "w", "skl", GSC_TILING_W, 8, 0 },
	{ "yf", "skl", GSC_TILING_YF, 32, 0 },
	{ "ys", "skl", GSC_TILING_YS, 32, 0 },
	{ "tile4", "dg2", GSC_TILING_4, 32, 0 },
	{ "tile64", "dg2", GSC_TILING_64, 32, 0 },
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double less(double a, double b)
{
	return a < b ? a : b;
}

static void measure(const struct order *o, const struct gsc_layout *l, int runs, char *a, char *b)
{
	struct gsc_rectangle r = { .width = PITCH / (o->bits / 8), .height = SIZE / PITCH };
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
	printf("%-12s memcpy %6.2f GB/s   out of tiles %6.2f GB/s  x %.2f   into them %6.2f GB/s  "
	       "x %.2f\n",
	       o->name, (double)SIZE / plain / 1e9, (double)SIZE / out / 1e9, plain / out,
	       (double)SIZE / in / 1e9, plain / in);
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
		const struct order *o = &orders[i];
		struct gsc_surface s = { o->tiling, o->bits, 1, 2, PITCH, 0, o->swizzle };

		if (gsc_platform_find(db, o->platform, &p, &device, &err) ||
		    gsc_layout_init(&l, &p, &s, &err))
			return 1;
		measure(o, &l, runs, a, b);
	}
	gsc_db_free(db);
	free(a);
	free(b);
	return 0;
}
