/* SPDX-License-Identifier: MIT */
/*
 * The orders of elements in tiles, as data: for each bit of a byte's place in its tile, highest
 * first, what it counts: a byte column (x), a row (y), a slice (z) or a sample (s). Bits of one
 * letter keep their order, so that the letters are enough.
 */
#include "tile/tile.h"

static const char *const names[GSC_TILINGS] = { "linear", "x",	"y",	 "w",
						"yf",	  "ys", "tile4", "tile64" };

/* Other names of a tiling. */
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

/*
 * Yf and Ys are those of Gen9 and Gen10: Gen11 has a different mapping (RENDER_SURFACE_STATE, Tile
 * Address Mapping Mode), and its manual gives no order.
 */
static const char *const only[GSC_TILINGS] = {
	[GSC_TILING_Y] = "tile-y",	[GSC_TILING_W] = "tile-w",
	[GSC_TILING_YF] = "tile-yf", [GSC_TILING_YS] = "tile-yf",
	[GSC_TILING_4] = "tile-4",	[GSC_TILING_64] = "tile-4",
};

bool tiling_is_of(enum gsc_tiling tiling, const struct gsc_platform *p)
{
	return platform_is(p, only[tiling]);
}

/* ---- the orders ----------------------------------------------------------------------------- */

#define BITS_ALL 0xf8			/* of an element: 8 | 16 | 32 | 64 | 128 */
#define BITS_64_128 (64 | 128)
#define BITS_16_32 (16 | 32)

#define LEGACY "skl-vol5", "Tiling Algorithm"
#define MANUAL "skl-vol5", "TileYS, TileYF 2D and MSAA Tile address swizzling functions"
#define GMMLIB "gmmlib", "Utility/CpuSwizzleBlt/CpuSwizzleBlt.c INTEL_TILE_*"

/* Xe2 has other orders of samples and slices. */
#define XE "tile64-four"
#define XE2 "!tile64-four"

static const struct order orders[] = {
	{ GSC_TILING_X, BITS_ALL, 1, 2, NULL, "yyyxxxxxxxxx", LEGACY },
	{ GSC_TILING_Y, BITS_ALL, 1, 2, NULL, "xxxyyyyyxxxx", LEGACY },
	{ GSC_TILING_W, 8, 1, 2, NULL, "xxxyyyyxyxyx", LEGACY },

	{ GSC_TILING_YF, BITS_64_128, 1, 2, NULL, "xyxyxxyyxxxx", MANUAL },
	{ GSC_TILING_YF, BITS_16_32, 1, 2, NULL, "xyxyxyyyxxxx", MANUAL },
	{ GSC_TILING_YF, 8, 1, 2, NULL, "xyxyyyyyxxxx", MANUAL },

	{ GSC_TILING_YS, BITS_64_128, ON_TOP, 2, NULL, "xyxyxyxyxxyyxxxx", MANUAL },
	{ GSC_TILING_YS, BITS_16_32, ON_TOP, 2, NULL, "xyxyxyxyxyyyxxxx", MANUAL },
	{ GSC_TILING_YS, 8, ON_TOP, 2, NULL, "xyxyxyxyyyyyxxxx", MANUAL },

	{ GSC_TILING_YF, BITS_64_128, 1, 3, NULL, "yzxxzzyyxxxx", GMMLIB },
	{ GSC_TILING_YF, 32, 1, 3, NULL, "yzxyzzyyxxxx", GMMLIB },
	{ GSC_TILING_YF, 8 | 16, 1, 3, NULL, "yzyzzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, BITS_64_128, 1, 3, NULL, "xyzxyzxxzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, 32, 1, 3, NULL, "xyzxyzxyzzyyxxxx", GMMLIB },
	{ GSC_TILING_YS, 8 | 16, 1, 3, NULL, "xyzxyzyzzzyyxxxx", GMMLIB },

	{ GSC_TILING_4, BITS_ALL, 1, 2, NULL, "yyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 2, NULL, "yxxxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 1, 2, NULL, "yyxxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 1, 2, NULL, "yyyxyyxyxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 2, 2, XE, "yxxxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 2, 2, XE, "yyxxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 2, 2, XE, "yyyxyyxysxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 4, 2, XE, "yxxxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 4, 2, XE, "yyxxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 4, 2, XE, "yyyxyyxssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 3, XE, "zzyxxxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32, 1, 3, XE, "zzyxyxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 16, 1, 3, XE, "zzzyyxzyzxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 1, 3, XE, "zzzxyyzyzxyyxxxx", GMMLIB },

	{ GSC_TILING_64, 128, 2, 2, XE2, "yxxxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 64, 2, 2, XE2, "yyxxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 2, 2, XE2, "yyyxyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 2, 2, XE2, "yyyyyyxsxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 4, 2, XE2, "yxxxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_16_32, 4, 2, XE2, "yyxxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 4, 2, XE2, "yyyxyyssxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32 | 64 | 128, 8, 2, XE2, "yyxxyxsssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8 | 16, 8, 2, XE2, "yyyxyxsssxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 128, 16, 2, XE2, "yxxxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, 16 | 32 | 64, 16, 2, XE2, "yyxxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8, 16, 2, XE2, "yyyxyxssssyyxxxx", GMMLIB },
	{ GSC_TILING_64, BITS_64_128, 1, 3, XE2, "zzyxxyzzxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 32, 1, 3, XE2, "zzyxyyzzxxyyxxxx", GMMLIB },
	{ GSC_TILING_64, 8 | 16, 1, 3, XE2, "zzzyyyzzxxyyxxxx", GMMLIB },
};

/* mesa isl_tiling_get_info: X, Y and Tile4 also take elements of three channels. */
bool order_is_plain(enum gsc_tiling tiling)
{
	return tiling == GSC_TILING_X || tiling == GSC_TILING_Y || tiling == GSC_TILING_4;
}

/* isl_tiling_get_info(): Tile64 before Xe2 has at most four. */
unsigned samples_held(const struct gsc_platform *p, const struct gsc_surface *s)
{
	return s->tiling == GSC_TILING_64 && platform_has(p, PROPERTY_TILE64_FOUR)
		       ? MIN(s->samples, 4) : s->samples;
}

const struct order *order_find(const struct gsc_platform *p, const struct gsc_surface *s)
{
	unsigned bits = s->bits % 3 ? s->bits : s->bits / 3;

	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		const struct order *o = &orders[i];

		if (o->tiling == s->tiling && o->bits & bits &&
		    (o->samples == samples_held(p, s) || o->samples == ON_TOP) &&
		    o->dimensions == s->dimensions && platform_is(p, o->only))
			return o;
	}
	return NULL;
}
