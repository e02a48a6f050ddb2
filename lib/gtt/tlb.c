/* SPDX-License-Identifier: MIT */
/* Facts about entries that none of their bits shows: what caches them, and when it forgets. */
#include "db/view.h"
#include "gtt/gtt.h"

bool gsc_fact(const struct gsc_view *view, enum gsc_mode mode, const char *level, size_t i,
	      struct gsc_fact *fact)
{
	for (size_t layer = 0; layer < db_layer_count(view->db); layer++) {
		const struct layer *l = db_layer(view->db, layer);

		for (uint32_t k = 0; k < layer_count(l, B_FACTS); k++) {
			const struct b_fact *f = LAYER_ITEM(l, B_FACTS, struct b_fact, k);

			if (!where_holds(&f->where, view->bit, view->revision) ||
			    !list_has(layer_text(l, f->modes), gsc_mode_name(mode)) ||
			    (f->levels && !list_has(layer_text(l, f->levels), level)) || i--)
				continue;
			fact->text = layer_text(l, f->text);
			layer_origin(l, f->origin, &fact->document, &fact->section);
			return true;
		}
	}
	return false;
}
