/* SPDX-License-Identifier: MIT */
/* One register of a view by its name. */
#include "db/view.h"

/* More than one definition has a name if they are for different platforms. */
#define DEFINITIONS_MAX 32

/* The first register from such a definition, before `best`; otherwise that. */
static uint32_t first_of(const struct gsc_view *view, const struct gsc_match *match,
			 const char *engine, int index, uint32_t best)
{
	for (uint32_t i = inst_first(view, match->def); i < best; i = view->next[i])
		if (inst_matches(view, i, match) && inst_is(view, i, engine, index))
			return i;
	return best;
}

bool view_find(const struct gsc_view *view, const char *engine, const char *name, int index,
	       struct gsc_reg *reg)
{
	struct gsc_match matches[DEFINITIONS_MAX];
	size_t count = MIN(gsc_db_find(view->db, name, matches, ARRAY_SIZE(matches)),
			   ARRAY_SIZE(matches));
	uint32_t best = UINT32_MAX;

	for (size_t m = 0; m < count; m++)
		best = first_of(view, &matches[m], engine, index, best);
	if (best == UINT32_MAX)
		return false;
	gsc_view_reg(view, best, reg);
	return true;
}
