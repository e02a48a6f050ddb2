/* SPDX-License-Identifier: MIT */
/* One register of a view by its name. */
#include "db/view.h"

/* More than one definition has a name where they are of different platforms. */
#define DEFINITIONS_MAX 32

static bool is_of(const struct gsc_view *view, const struct gsc_reg *reg,
		  const struct gsc_match *match, const char *engine, int index)
{
	if (!gsc_reg_matches(view, reg, match) || reg->index != index)
		return false;
	return !engine || !reg->engine || !name_compare(reg->engine, engine);
}

bool view_find(const struct gsc_view *view, const char *engine, const char *name, int index,
	       struct gsc_reg *reg)
{
	struct gsc_match matches[DEFINITIONS_MAX];
	size_t count = MIN(gsc_db_find(view->db, name, matches, ARRAY_SIZE(matches)),
			   ARRAY_SIZE(matches));
	uint64_t filter = 0;	/* a bit for the last six of each index: most are passed over */

	for (size_t m = 0; m < count; m++)
		filter |= UINT64_C(1) << (matches[m].def & 63);
	for (size_t i = 0; count && i < view->count; i++) {
		uint32_t def;

		if (!(filter >> (view->insts[i].reg & 63) & 1))
			continue;
		def = inst_def_id(view, i);
		for (size_t m = 0; m < count; m++) {
			if (matches[m].def != def)
				continue;
			gsc_view_reg(view, i, reg);
			if (is_of(view, reg, &matches[m], engine, index))
				return true;
		}
	}
	return false;
}
