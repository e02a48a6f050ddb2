/* SPDX-License-Identifier: MIT */
/* Structures by name, prepared for the platform when they are first met. */
#include "batch/batch.h"

const struct known_structure *structure_find(struct gsc_commands *set, const char *name)
{
	const struct gsc_view *view = set->view;
	struct known_structure *s, **slot;

	for (size_t i = 0; i < set->structures.count; i++) {
		s = set->structures.items[i];
		if (s->name == name || !strcmp(s->name, name))
			return s->plan ? s : NULL;
	}
	s = calloc(1, sizeof(*s));
	slot = s ? vec_add(&set->structures) : NULL;
	if (!slot) {
		free(s);
		return NULL;
	}
	*slot = s;
	s->name = name;
	for (size_t i = 0; !s->layer && i < db_layer_count(view->db); i++) {
		const struct layer *l = db_layer(view->db, i);

		for (uint32_t k = 0; !s->layer && k < layer_count(l, B_STRUCTS); k++) {
			const struct b_struct *def = LAYER_ITEM(l, B_STRUCTS, struct b_struct, k);

			if (strcmp(layer_text(l, def->name), name) ||
			    !where_holds(&def->where, view->bit, view->revision))
				continue;
			s->layer = l;
			s->id = def_make(i, k);
			s->bytes = def->bytes;
			s->plan = plan_new(set, l, def->fields, def->repeats);
		}
	}
	return s->plan ? s : NULL;
}

void structures_free(struct gsc_commands *set)
{
	for (size_t i = 0; i < set->structures.count; i++) {
		plan_free(set->structures.items[i]->plan);
		free(set->structures.items[i]);
	}
	vec_free(&set->structures);
}
