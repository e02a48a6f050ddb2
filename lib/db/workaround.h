/* SPDX-License-Identifier: MIT */
/* Workarounds and the registers of a view that they write. */
#ifndef GSC_DB_WORKAROUND_H
#define GSC_DB_WORKAROUND_H

#include "db/resolve.h"

/* All registers of the view with the name and index, whatever their engine; false: no memory. */
bool workaround_regs(const struct gsc_view *view, const struct gsc_workaround *w, reg_vec *regs);

/* Is it for an engine with this class and number? A register of no engine: class ENGINE_CLASSES. */
static inline bool workaround_of_engine(const struct gsc_workaround *w, unsigned class,
					unsigned instance)
{
	return !w->engines || (w->engines >> class & 1 &&
			       (w->instance < 0 || (unsigned)w->instance == instance));
}

#endif
