/* SPDX-License-Identifier: MIT */
/*
 * The orders of elements in tiles, as data: of each bit of a byte's place in its tile, highest
 * first, what it counts up: a byte column (x), a row (y), a slice (z) or a sample (s). Bits of one
 * letter keep their order, so that the letters say it all.
 */
#include "tile/tile.h"

#include <stdio.h>
#include <string.h>

static const char *const names[GSC_TILINGS] = { "linear", "x",	"y",	 "w",
						"yf",	  "ys", "tile4", "tile64" };

/* What a tiling is called elsewhere. */
static const struct {
	const char *name;
	enum gsc_tiling tiling;
} aliases[] = {
	{ "tilex", GSC_TILING_X }, { "tiley", GSC_TILING_Y }, { "tilew", GSC_TILING_W },
	{ "tileyf", GSC_TILING_YF }, { "tileys", GSC_TILING_YS }, { "4", GSC_TILING_4 },
	{ "64", GSC_TILING_64 }, { "none", GSC_TILING_LINEAR },
};

const char *gsc_tiling_name(enum gsc_tiling tiling)
{
	return tiling < GSC_TILINGS ? names[tiling] : NULL;
}

bool gsc_tiling_by_name(const char *name, enum gsc_tiling *tiling)
{
	for (unsigned i = 0; i < GSC_TILINGS; i++) {
		if (name_compare(name, names[i]))
			continue;
		*tiling = (enum gsc_tiling)i;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (name_compare(name, aliases[i].name))
			continue;
		*tiling = aliases[i].tiling;
		return true;
	}
	return false;
}

/* ---- which platforms ------------------------------------------------------------------------ */

#define ANY_VERSION 99999

/*
 * By graphics version. Yf and Ys are those of Gen9: Gen11 has a mapping of its own
 * (RENDER_SURFACE_STATE, Tile Address Mapping Mode), and its manual gives no order.
 */
static const struct {
	unsigned from, to;
} versions[GSC_TILINGS] = {
	[GSC_TILING_LINEAR] = { 0, ANY_VERSION },
	[GSC_TILING_X] = { 0, ANY_VERSION },
	[GSC_TILING_Y] = { 0, 1254 },
	[GSC_TILING_W] = { 500, 1199 },
	[GSC_TILING_YF] = { 900, 999 },
	[GSC_TILING_YS] = { 900, 999 },
	[GSC_TILING_4] = { 1250, ANY_VERSION },
	[GSC_TILING_64] = { 1250, ANY_VERSION },
};

bool tiling_is_of(enum gsc_tiling tiling, const struct gsc_platform *p)
{
	return p->graphics >= versions[tiling].from && p->graphics <= versions[tiling].to;
}

/* ---- the orders ----------------------------------------------------------------------------- */

#define BITS_ALL 0xf8			/* of an element: 8 | 16 | 32 | 64 | 128 */
#define BITS_64_128 (64 | 128)
#define BITS_16_32 (16 | 32)

#define LEGACY "skl-vol5", "Tiling Algorithm"
#define MANUAL "skl-vol5", "TileYS, TileYF 2D and MSAA Tile address swizzling functions"
#define GMMLIB "gmmlib", "Utility/CpuSwizzleBlt/CpuSwizzleBlt.c INTEL_TILE_*"

/* Xe2 has other orders of samples and slices. */
static const struct order orders[] = {
	{ GSC_TILING_X, BITS_ALL, 1, 2, 0, ANY_VERSION, "yyyxxxxxxxxx", LEGACY },
	{ GSC_TILING_Y, BITS_ALL, 1, 2, 0, ANY_VERSION, "xxxyyyyyxxxx", LEGACY },
	{ GSC_TILING_W, 8, 1, 2, 0, ANY_VERSION, "xxxyyyyxyxyx", LEGACY },

	{ GSC_TILING_YF, BITS_64_128, 1, 2, 0, ANY_VERSION, "xyxyxxyyxxxx", MANUAL },
	{ GSC_TILING_YF, BITS_16_32, 1, 2, 0, ANY_VERSION, "xyxyxyyyxxxx", MANUAL },
	{ GSC_TILING_YF, 8, 1, 2, 0, ANY_VERSION, "xyxyyyyyxxxx", MANUAL },

	{ GSC_TILING_YS, BITS_64_128, ON_TOP, 2, 0, ANY_VERSION, "xyxyxyxyxxyyxxxx", MANUAL },
	{ GSC_TILING_YS, BITS_16_32, ON_TOP, 2, 0, ANY_VERSION, "xyxyxyxyxyyyxxxx", MANUAL },
	{ GSC_TILING_YS, 8, ON_TOP, 2, 0, ANY_VERSION, "xyxyxyxyyyyyxxxx", MANUAL },

	{ GSC_TILING_YF, BITS_64_128, 1, 3, 0, ANY_VERSION, "yzxxzzyyxxxx", GMMLIB },
	{ GSC_TILING_YF, 32, 1, 3, 0, ANY_VERSION, "yzxyzzyyxxxx", GMMLIB },
	{ GSC_TILING_YF, 8 | 16, 1, 3, 0, ANY_VERSION, "yzyzzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, BITS_64_128, 1, 3, 0, ANY_VERSION, "xyzxyzxxzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, 32, 1, 3, 0, ANY_VERSION, "xyzxyzxyzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, 8 | 16, 1, 3, 0, ANY_VERSION, "xyzxyzyzzzyyxxxx", GMMLIB },

	{ GSC_TILING_4, BITS_ALL, 1, 2, 0, ANY_VERSION, "yyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 2, 0, ANY_VERSION, "yxxxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 1, 2, 0, ANY_VERSION, "yyxxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 1, 2, 0, ANY_VERSION, "yyyxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 2, 2, 0, 1999, "yxxxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 2, 2, 0, 1999, "yyxxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 2, 2, 0, 1999, "yyyxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 4, 2, 0, 1999, "yxxxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 4, 2, 0, 1999, "yyxxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 4, 2, 0, 1999, "yyyxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 3, 0, 1999, "zzyxxxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32, 1, 3, 0, 1999, "zzyxyxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 16, 1, 3, 0, 1999, "zzzyyxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 1, 3, 0, 1999, "zzzxyyzyzxyyxxxx", GMMLIB },

	{ GSC_TILING_64, 128, 2, 2, 2000, ANY_VERSION, "yxxxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 64, 2, 2, 2000, ANY_VERSION, "yyxxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 2, 2, 2000, ANY_VERSION, "yyyxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 2, 2, 2000, ANY_VERSION, "yyyyyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 4, 2, 2000, ANY_VERSION, "yxxxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 4, 2, 2000, ANY_VERSION, "yyxxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 4, 2, 2000, ANY_VERSION, "yyyxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32 | 64 | 128, 8, 2, 2000, ANY_VERSION, "yyxxyxsssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8 | 16, 8, 2, 2000, ANY_VERSION, "yyyxyxsssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 128, 16, 2, 2000, ANY_VERSION, "yxxxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, 16 | 32 | 64, 16, 2, 2000, ANY_VERSION, "yyxxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 16, 2, 2000, ANY_VERSION, "yyyxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 3, 2000, ANY_VERSION, "zzyxxyzzxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32, 1, 3, 2000, ANY_VERSION, "zzyxyyzzxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8 | 16, 1, 3, 2000, ANY_VERSION, "zzzyyyzzxxyyxxxx", GMMLIB },
};

/* mesa isl_tiling_get_info: X, Y and Tile4 also take elements of three channels. */
bool order_is_plain(enum gsc_tiling tiling)
{
	return tiling == GSC_TILING_X || tiling == GSC_TILING_Y || tiling == GSC_TILING_4;
}

/* isl_tiling_get_info(): Tile64 before Xe2 has no more than four. */
unsigned samples_held(const struct gsc_platform *p, const struct gsc_surface *s)
{
	return s->tiling == GSC_TILING_64 && p->graphics < 2000 ? MIN(s->samples, 4) : s->samples;
}

const struct order *order_find(const struct gsc_platform *p, const struct gsc_surface *s)
{
	unsigned bits = s->bits % 3 ? s->bits : s->bits / 3;

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		const struct order *o = &orders[i];

		if (o->tiling == s->tiling && o->bits & bits &&
		    (o->samples == samples_held(p, s) || o->samples == ON_TOP) &&
		    o->dimensions == s->dimensions && p->graphics >= o->from &&
		    p->graphics <= o->to)
			return o;
	}
	return NULL;
}
