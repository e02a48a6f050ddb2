/* SPDX-License-Identifier: MIT */
/* What sampling returns where parts of a surface or of its auxiliary one are not mapped. */
#include "tile/tile.h"

#define AUX "skl-vol5", "Auxiliary Surfaces for Sampled Tiled Resources"
#define NULL_TEXT \
	"all zeros; the null pixel mask, if requested, marks them: only the surface decides"
#define LOST_TEXT "tiles of the auxiliary surface must stay mapped as long as those they describe"

static const struct gsc_aux_response responses[] = {
	{ "hiz", true, true, "normal", "a sample of the depth surface", AUX },
	{ "hiz", true, false, "undefined", LOST_TEXT, AUX },
	{ "hiz", false, true, "null", NULL_TEXT, AUX },
	{ "hiz", false, false, "null", NULL_TEXT, AUX },
	{ "ccs", true, true, "normal", "a sample of the colour surface", AUX },
	{ "ccs", true, false, "undefined", LOST_TEXT, AUX },
	{ "ccs", false, true, "null", NULL_TEXT, AUX },
	{ "ccs", false, false, "null", NULL_TEXT, AUX },
	{ "mcs", true, true, "normal", "a sample of the multisampled surface", AUX },
	{ "mcs", true, false, "undefined", LOST_TEXT, AUX },
	{ "mcs", false, true, "null", NULL_TEXT, AUX },
	{ "mcs", false, false, "null", NULL_TEXT, AUX },
};

bool gsc_aux_response_at(size_t i, struct gsc_aux_response *response)
{
	if (i >= ARRAY_SIZE(responses))
		return false;
	*response = responses[i];
	return true;
}
