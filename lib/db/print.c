/* SPDX-License-Identifier: MIT */
/* What drivers call registers in their dumps: `print` lines, by key and by register. */
#include "db/view.h"

#include <string.h>

/* A register without an engine is looked up for the render engine. */
#define NO_ENGINE "rcs0"

static const struct b_engine *find_engine(const struct gsc_view *view, const char *name)
{
	const struct b_slice engines = db_platform(view->db, view->platform)->engines;
	const struct layer *l = view->db->base;

	for (uint32_t i = 0; i < engines.count; i++) {
		const struct b_engine *engine = LAYER_ITEM(l, B_ENGINES, struct b_engine,
							   engines.first + i);

		if (!strcmp(layer_text(l, engine->name), *name ? name : NO_ENGINE))
			return engine;
	}
	return NULL;
}

static bool is_of_engine(const struct c_place *place, const struct b_engine *engine)
{
	if (!place->engines)
		return true;
	return engine && place->engines & 1u << engine->class &&
	       (place->instance < 0 || place->instance == engine->instance);
}

/* The register's own address on an engine; one that belongs to no engine has the same for all. */
static bool own_place(const struct gsc_view *view, const struct layer *l, uint32_t item,
		      const struct b_engine *engine, uint64_t *address)
{
	const struct c_reg *reg = LAYER_ITEM(l, B_REGS, struct c_reg, item);
	const struct c_place *found = NULL;

	for (uint32_t i = 0; i < reg->place_count; i++) {
		const struct c_place *place = LAYER_ITEM(l, B_PLACES, struct c_place,
							 reg->places + i);

		if (place->space != GSC_MMIO ||
		    !where_holds(layer_where(l, place->where), view->bit, view->revision))
			continue;
		if (is_of_engine(place, engine)) {
			found = place;
			break;
		}
		if (!place->relative && !found)
			found = place;
	}
	if (!found)
		return false;
	*address = (found->relative ? engine->base : 0) + (uint64_t)found->offset + reg->element;
	return true;
}

static bool print_place(const struct gsc_view *view, const struct layer *l,
			const struct c_print *print, const char *engine, uint64_t *address)
{
	const struct b_engine *of = find_engine(view, engine);

	if (!where_holds(layer_where(l, print->where), view->bit, view->revision))
		return false;
	if (!print->placed)
		return own_place(view, l, print->item, of, address);
	if (print->relative && !of)
		return false;
	*address = (print->relative ? of->base : 0) + (uint64_t)print->offset;
	return true;
}

bool print_find(const struct gsc_view *view, const char *engine, const char *key,
		uint64_t *address)
{
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t i = layer_seek(l, B_PRINTS, sizeof(struct c_print), key, strcmp);
		     i < layer_count(l, B_PRINTS); i++) {
			const struct c_print *print = LAYER_ITEM(l, B_PRINTS, struct c_print, i);

			if (strcmp(layer_text(l, print->key), key))
				break;
			if (print_place(view, l, print, engine, address))
				return true;
		}
	}
	return false;
}

bool gsc_item_print(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		    struct gsc_print *print)
{
	const struct layer *l = def_layer(db, item->def);

	if (item->kind != GSC_REGISTER)
		return false;
	for (uint32_t k = 0; k < layer_count(l, B_PRINTS); k++) {
		const struct c_print *from = LAYER_ITEM(l, B_PRINTS, struct c_print, k);

		if (from->item != def_index(item->def) || i--)
			continue;
		*print = (struct gsc_print){
			.key = layer_text(l, from->key),
			.platforms = layer_where(l, from->where)->platforms,
			.revisions = where_stepped(layer_where(l, from->where)),
			.placed = from->placed,
			.relative = from->relative,
			.offset = from->offset,
		};
		return true;
	}
	return false;
}
