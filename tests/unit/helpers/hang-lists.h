/* SPDX-License-Identifier: MIT */
/* Copies of what an analysis has found, by number; false past the last. */
#ifndef HANG_LISTS_H
#define HANG_LISTS_H

#include "hang/hang.h"

#define HANG_LIST(name, type, list, member)                                                        \
	static inline bool name##_at(const struct gsc_hang *hang, size_t i, type *out)             \
	{                                                                                          \
		if (i >= hang->list.count)                                                         \
			return false;                                                              \
		*out = hang->list.items[i] member;                                                 \
		return true;                                                                       \
	}

HANG_LIST(about, struct gsc_about, facts.about, .a)
HANG_LIST(fault, struct gsc_fault, faults, )
HANG_LIST(error, struct gsc_trouble, errors, )
HANG_LIST(engine, struct gsc_engine, engines, .e)
HANG_LIST(fence, struct gsc_fence, fences, )
HANG_LIST(request, struct gsc_request, facts.requests, .r)
HANG_LIST(object, struct gsc_object, facts.objects, )

static inline bool detail_at(const struct gsc_hang *hang, size_t i, size_t detail,
			     struct gsc_detail *out)
{
	if (i >= hang->engines.count || detail >= hang->engines.items[i].details.count)
		return false;
	*out = hang->engines.items[i].details.items[detail];
	return true;
}

#endif
