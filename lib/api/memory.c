/* SPDX-License-Identifier: MIT */
/* Reading addresses, whatever is defined there; what the sources hold; the GPU's windows. */
#include "api/api.h"

#include "db/view.h"
#include "gtt/gtt.h"
#include "gtt/windows.h"
#include "regs/regs.h"
#include "source/part.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

/* The state of what was read, and why it is none, unless `reason` says it. */
static enum gpuscope_state read_done(struct gpuscope_gpu *gpu, enum gsc_read state,
				     enum gpuscope_space space, uint64_t address,
				     const char *reason, const char **why)
{
	struct gsc_row row = { .status = state, .why = reason };
	char text[ROW_WHY_MAX];

	keep_clear(&gpu->said);
	if (!why)
		return (enum gpuscope_state)state;
	if (state == GSC_READ_ASLEEP)
		row.reg.wake = view_wake(gpu->gpu->view, (enum gsc_space)space, address);
	*why = keep_text(&gpu->said, gsc_row_why(&row, text, sizeof(text)));
	return (enum gpuscope_state)state;
}

/* Why an address cannot even be asked for, or NULL. */
static const char *no_address(const struct gpuscope_gpu *gpu, enum gpuscope_space space)
{
	if ((unsigned)space > GPUSCOPE_SPACE_STOLEN)
		return "there is no such space";
	return gpu->source ? NULL : "the GPU has no source, only definitions";
}

enum gpuscope_state gpuscope_read(struct gpuscope_gpu *gpu, enum gpuscope_space space,
				  uint64_t address, unsigned bytes, uint64_t *value,
				  const char **why)
{
	const char *wrong = no_address(gpu, space);
	enum gsc_read state = GSC_READ_ABSENT;

	if (!wrong && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
		wrong = "expected 1, 2, 4 or 8 bytes";
	if (!wrong && space != GPUSCOPE_SPACE_SIDEBAND && address % bytes)
		wrong = "the address is not a multiple of the size";
	if (!wrong)
		state = gsc_read(gpu->source, (enum gsc_space)space, address, bytes, value);
	return read_done(gpu, state, space, address, wrong, why);
}

enum gpuscope_state gpuscope_read_memory(struct gpuscope_gpu *gpu, enum gpuscope_space space,
					 uint64_t address, void *buf, size_t length, size_t *got,
					 const char **why)
{
	const char *wrong = no_address(gpu, space);
	enum gsc_read state = length ? GSC_READ_ABSENT : GSC_READ_OK;
	size_t count = 0;

	if (!wrong && space == GPUSCOPE_SPACE_SIDEBAND)
		wrong = "its addresses are those of registers, not of bytes";
	if (!wrong)
		count = source_copy(gpu->source, (enum gsc_space)space, address, buf, length,
				    &state);
	if (got)
		*got = count;
	return read_done(gpu, state, space, address + count, wrong, why);
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
