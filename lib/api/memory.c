/* SPDX-License-Identifier: MIT */
/* Reading addresses, whatever is defined there; what the sources hold; the GPU's windows. */
#include "api/api.h"

#include "gtt/gtt.h"
#include "gtt/windows.h"
#include "source/part.h"

enum gpuscope_state gpuscope_read(struct gpuscope_gpu *gpu, enum gpuscope_space space,
				  uint64_t address, unsigned bytes, uint64_t *value)
{
	bool misaligned = space != GPUSCOPE_SPACE_SIDEBAND && bytes && address % bytes;

	if (!gpu->source || misaligned)
		return GPUSCOPE_STATE_ABSENT;
	return (enum gpuscope_state)gsc_read(gpu->source, (enum gsc_space)space, address, bytes,
					     value);
}

size_t gpuscope_read_memory(struct gpuscope_gpu *gpu, enum gpuscope_space space, uint64_t address,
			    void *buf, size_t length)
{
	if (!gpu->source || (unsigned)space > GPUSCOPE_SPACE_STOLEN ||
	    space == GPUSCOPE_SPACE_SIDEBAND)
		return 0;
	return source_copy(gpu->source, (enum gsc_space)space, address, buf, length);
}

/* ---- extents --------------------------------------------------------------------------------- */

struct extents_list {
	struct gpuscope_list list;
	enum gsc_space space;
	uint64_t from;
	bool ended;			/* at the end of the space */
};

static const void *extent_next(struct gpuscope_list *list)
{
	struct extents_list *at = (struct extents_list *)list;
	/* A register of the sideband is 4 bytes of an extent. */
	unsigned unit = at->space == GSC_SIDEBAND ? 4 : 1;
	struct gpuscope_extent *extent;
	uint64_t start, length;

	if (!list->gpu->source || at->ended ||
	    !gsc_extent(list->gpu->source, at->space, at->from, &start, &length))
		return NULL;
	at->from = start + length;
	at->ended = at->from <= start;
	extent = keep_new(&list->keep, struct gpuscope_extent);
	if (!extent)
		return NULL;
	extent->start = start / unit;
	extent->length = length / unit;
	return extent;
}

struct gpuscope_error *gpuscope_extents(struct gpuscope_gpu *gpu, enum gpuscope_space space,
					struct gpuscope_list **out)
{
	struct extents_list *list;

	*out = NULL;
	if ((unsigned)space > GPUSCOPE_SPACE_STOLEN)
		return error_make(GPUSCOPE_STATUS_USAGE, "space", "there is no space %d",
				  (int)space);
	list = list_new(sizeof(*list), extent_next, NULL, gpu, NULL);
	if (!list)
		return error_memory();
	list->space = (enum gsc_space)space;
	*out = &list->list;
	return NULL;
}

/* ---- windows --------------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_windows(struct gpuscope_gpu *gpu, struct gpuscope_list **out)
{
	struct gsc_window *windows = NULL;
	struct made_list *list;
	enum gsc_status status;
	struct gsc_error err;
	struct keep *keep;
	size_t count = 0;

	*out = NULL;
	status = gsc_windows(gpu->gpu, &windows, &count, &err);
	list = made_list_new(gpu, NULL);
	keep = list ? made_list_keep(list) : NULL;
	for (size_t i = 0; list && !status && i < count; i++) {
		struct gpuscope_window *window = keep_new(keep, struct gpuscope_window);
		const struct gsc_window *from = &windows[i];

		if (window) {
			window->name = from->name;
			window->state = (enum gpuscope_state)from->status;
			window->start = keep_number(keep, from->start || from->length,
						    from->start);
			window->length = keep_number(keep, from->length || !(from->start ||
						     from->status), from->length);
			window->from = keep_text(keep, from->from);
			window->problem = keep_text(keep, from->problem);
		}
		made_list_add(list, window);
	}
	free(windows);
	return made_list_done(list, status, &err, out);
}
