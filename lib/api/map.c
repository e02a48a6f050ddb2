/* SPDX-License-Identifier: MIT */
/* All addresses at once: maps, reverse lookups, and checks of the tables. */
#include "api/api.h"

#include "gtt/check.h"
#include "gtt/gtt.h"
#include "out/walk.h"

_Static_assert((int)GPUSCOPE_SHAPE_LINEAR == (int)GSC_MAPPING_LINEAR &&
	       (int)GPUSCOPE_SHAPE_CONSTANT == (int)GSC_MAPPING_CONSTANT &&
	       (int)GPUSCOPE_SHAPE_SCATTERED == (int)GSC_MAPPING_SCATTERED &&
	       (int)GPUSCOPE_SHAPE_REPEAT == (int)GSC_MAPPING_REPEAT,
	       "shapes are those of the rooms");
_Static_assert((int)GPUSCOPE_MAP_PAGES == (int)GSC_MAP_PAGES &&
	       (int)GPUSCOPE_MAP_ALL == (int)GSC_MAP_ALL, "flags are those of the rooms");

const char *gpuscope_shape_word(enum gpuscope_shape shape)
{
	return (unsigned)shape <= GPUSCOPE_SHAPE_REPEAT
		       ? gsc_mapping_word((enum gsc_mapping_kind)shape) : NULL;
}

/* ---- maps ----------------------------------------------------------------------------------- */

struct map_list {
	struct gpuscope_list list;
	struct gpuscope_tables *tables;
	struct map_pieces *pieces;
	bool more;			/* pieces that were not asked for yet */
	VEC(struct gsc_mapping) ranges;	/* of the last piece */
	size_t next;
	bool failed;			/* there was no memory for one of them */
	struct gsc_mapping_words words;
};

static bool take_range(void *context, const struct gsc_mapping *mapping)
{
	struct map_list *map = context;
	bool kept = vec_push(&map->ranges, *mapping);

	map->failed |= !kept;
	return kept;
}

static const void *map_next(struct gpuscope_list *list)
{
	struct map_list *map = (struct map_list *)list;
	struct gpuscope_range *range;
	const struct gsc_mapping *m;
	enum gsc_status status;
	struct gsc_error err;

	while (map->next == map->ranges.count) {
		if (!map->more)
			return gsc_map_doubt(map_pieces_holes(map->pieces), 0, &err) ?
				       list_end(list, err.status, &err) : NULL;
		map->ranges.count = map->next = 0;
		status = map_piece(map->pieces, take_range, map, &map->more, &err);
		if (map->failed)
			status = err_memory(&err);
		if (status)
			return list_end(list, status, &err);
	}
	m = &map->ranges.items[map->next++];
	range = keep_new(&list->keep, struct gpuscope_range);
	if (!range)
		return list_end(list, err_memory(&err), &err);
	*range = (struct gpuscope_range){
		.size = sizeof(*range),
		.start = m->start,
		.end = m->end,
		.shape = (enum gpuscope_shape)m->kind,
		.space = (enum gpuscope_space)m->space,
		.null = mapping_null(map->tables->translation, m),
		.physical = m->physical,
		.pages = m->pages,
		.page_size = m->page_size,
		.of = m->of,
		.stolen = m->stolen,
		.readable = m->readable,
		.writable = m->writable,
		.entry = m->entry,
		.level = m->level,
		.flags = keep_text(&list->keep, mapping_words(map->tables->translation, m,
							      &map->words)),
	};
	return range;
}

static void map_free(struct gpuscope_list *list)
{
	struct map_list *map = (struct map_list *)list;

	map_pieces_free(map->pieces);
	vec_free(&map->ranges);
	gpuscope_tables_free(map->tables);
}

struct gpuscope_error *gpuscope_map(struct gpuscope_tables *tables, unsigned flags,
				    struct gpuscope_list **out)
{
	struct map_list *map;

	*out = NULL;
	if (flags & ~(unsigned)(GPUSCOPE_MAP_PAGES | GPUSCOPE_MAP_ALL))
		return error_make(GPUSCOPE_STATUS_USAGE, "flags", "0x%x has bits that mean nothing",
				  flags);
	map = list_new(sizeof(*map), map_next, map_free, NULL, NULL);
	if (!map)
		return error_memory();
	map->tables = tables_hold(tables);
	map->more = true;
	map->pieces = map_pieces_new(tables->translation, flags);
	if (!map->pieces) {
		gpuscope_list_free(&map->list);
		return error_memory();
	}
	*out = &map->list;
	return NULL;
}

/* ---- the other direction -------------------------------------------------------------------- */

static bool take_reached(void *context, const struct gsc_reached *reached)
{
	struct made_list *list = context;
	struct gpuscope_reached *out = keep_new(made_list_keep(list), struct gpuscope_reached);

	if (out)
		*out = (struct gpuscope_reached){
			.size = sizeof(*out),
			.address = reached->address,
			.pages = reached->pages,
			.page_size = reached->page_size,
			.repeat = reached->repeat,
			.start = reached->start,
			.end = reached->end,
			.of = reached->of,
		};
	made_list_add(list, out);
	return !made_list_keep(list)->failed;
}

struct gpuscope_error *gpuscope_reverse(struct gpuscope_tables *tables, enum gpuscope_space space,
					uint64_t physical, struct gpuscope_list **out)
{
	struct made_list *list;
	struct gsc_map_holes holes;
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	if (space != GPUSCOPE_SPACE_PHYS && space != GPUSCOPE_SPACE_LMEM &&
	    space != GPUSCOPE_SPACE_STOLEN)
		return error_make(GPUSCOPE_STATUS_USAGE, "space",
				  "expected phys, lmem or stolen: pages are in no other");
	list = made_list_new(tables->gpu, NULL);
	if (!list)
		return error_memory();
	status = gsc_reverse(tables->translation, (enum gsc_space)space, physical, take_reached,
			     list, &holes, &err);
	if (!status && gsc_map_doubt(&holes, 0, &err))
		status = err.status;
	return made_list_done(list, status, &err, out);
}

/* ---- checks --------------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_tables_check(struct gpuscope_tables *tables,
					     struct gpuscope_list **out)
{
	struct gpuscope_gpu *gpu = tables->gpu;
	const char *absence = gsc_tables_absence(gsc_gpu_source(gpu->gpu),
						 (enum gsc_mode)tables->root.mode);
	struct gsc_global_ranges *shared = NULL;
	struct made_list *list;
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	if (absence)
		return error_make(GPUSCOPE_STATUS_UNKNOWN, "tables", "%s", absence);
	list = made_list_new(gpu, NULL);
	if (!list)
		return error_memory();
	status = gsc_check_tables(tables->translation, &shared, made_list_breach, list, &err);
	gsc_global_ranges_free(shared);
	return made_list_done(list, status, &err, out);
}
