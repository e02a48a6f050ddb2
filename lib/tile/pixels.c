/* SPDX-License-Identifier: MIT */
/*
 * Formats of elements that can be shown: mesa isl_format_layout.csv, the position of each channel.
 */
#include "tile/tile.h"

#include <strings.h>

/* Red, green, blue, alpha: lowest bit and how many. What is not a colour is shown as a grey. */
static const struct gsc_pixel_format formats[] = {
	{ "B8G8R8A8", 32, { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } },
	{ "B8G8R8X8", 32, { 16, 8 }, { 8, 8 }, { 0, 8 }, { 0, 0 } },
	{ "R8G8B8A8", 32, { 0, 8 }, { 8, 8 }, { 16, 8 }, { 24, 8 } },
	{ "R8G8B8X8", 32, { 0, 8 }, { 8, 8 }, { 16, 8 }, { 0, 0 } },
	{ "R10G10B10A2", 32, { 0, 10 }, { 10, 10 }, { 20, 10 }, { 30, 2 } },
	{ "R10G10B10X2", 32, { 0, 10 }, { 10, 10 }, { 20, 10 }, { 0, 0 } },
	{ "B10G10R10A2", 32, { 20, 10 }, { 10, 10 }, { 0, 10 }, { 30, 2 } },
	{ "B10G10R10X2", 32, { 20, 10 }, { 10, 10 }, { 0, 10 }, { 0, 0 } },
	{ "B5G6R5", 16, { 11, 5 }, { 5, 6 }, { 0, 5 }, { 0, 0 } },
	{ "B5G5R5A1", 16, { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } },
	{ "B5G5R5X1", 16, { 10, 5 }, { 5, 5 }, { 0, 5 }, { 0, 0 } },
	{ "B4G4R4A4", 16, { 8, 4 }, { 4, 4 }, { 0, 4 }, { 12, 4 } },
	{ "A1B5G5R5", 16, { 11, 5 }, { 6, 5 }, { 1, 5 }, { 0, 1 } },
	{ "A4B4G4R4", 16, { 12, 4 }, { 8, 4 }, { 4, 4 }, { 0, 4 } },
	{ "L16A16", 32, { 0, 16 }, { 0, 16 }, { 0, 16 }, { 16, 16 } },
	{ "L8A8", 16, { 0, 8 }, { 0, 8 }, { 0, 8 }, { 8, 8 } },
	{ "L16", 16, { 0, 16 }, { 0, 16 }, { 0, 16 }, { 0, 0 } },
	{ "I16", 16, { 0, 16 }, { 0, 16 }, { 0, 16 }, { 0, 0 } },
	{ "A16", 16, { 0, 16 }, { 0, 16 }, { 0, 16 }, { 0, 0 } },
	{ "R16", 16, { 0, 16 }, { 0, 16 }, { 0, 16 }, { 0, 0 } },
	{ "R8", 8, { 0, 8 }, { 0, 8 }, { 0, 8 }, { 0, 0 } },
	{ "L8", 8, { 0, 8 }, { 0, 8 }, { 0, 8 }, { 0, 0 } },
	{ "I8", 8, { 0, 8 }, { 0, 8 }, { 0, 8 }, { 0, 0 } },
	{ "A8", 8, { 0, 8 }, { 0, 8 }, { 0, 8 }, { 0, 0 } },
};

const struct gsc_pixel_format *gsc_pixel_format_at(size_t i)
{
	return i < ARRAY_SIZE(formats) ? &formats[i] : NULL;
}

/* Floats and signed numbers are not shades; linear and sRGB are shown alike. */
const struct gsc_pixel_format *gsc_pixel_format_by_name(const char *name)
{
	static const char *const kinds[] = { "", "_UNORM", "_UNORM_SRGB", "_UINT" };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		size_t length = strlen(formats[i].name);

		if (strncasecmp(name, formats[i].name, length))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
			if (!strcasecmp(name + length, kinds[k]))
				return &formats[i];
	}
	return NULL;
}
