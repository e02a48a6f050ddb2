/* SPDX-License-Identifier: MIT */
/* Structures by name, prepared for the platform when they are first met. */
#include "batch/batch.h"

#include <string.h>

static bool look_in(const struct gsc_view *view, size_t number, const char *name,
		    const struct b_struct **found, uint32_t *id)
{
	const struct layer *l = db_layer(view->db, number);

	for (uint32_t i = 0; i < layer_count(l, B_STRUCTS); i++) {
		const struct b_struct *def = LAYER_ITEM(l, B_STRUCTS, struct b_struct, i);

		if (strcmp(layer_text(l, def->name), name) ||
		    !where_holds(&def->where, view->bit, view->revision))
			continue;
		*found = def;
		*id = def_make(number, i);
		return true;
	}
	return false;
}

static struct known_structure *structure_new(struct gsc_commands *set, const char *name)
{
	struct known_structure *s = calloc(1, sizeof(*s));
	const struct b_struct *def;

	if (!s)
		return NULL;
	s->name = name;
	for (size_t i = 0; i < db_layer_count(set->view->db); i++) {
		if (!look_in(set->view, i, name, &def, &s->id))
			continue;
		s->layer = db_layer(set->view->db, i);
		s->bytes = def->bytes;
		s->plan = plan_new(set, s->layer, def->fields, def->repeats);
		break;
	}
	return s;
}

const struct known_structure *structure_find(struct gsc_commands *set, const char *name)
{
	struct known_structure *s, **slot;

	for (size_t i = 0; i < set->structures.count; i++) {
		s = set->structures.items[i];
		if (s->name == name || !strcmp(s->name, name))
			return s->plan ? s : NULL;
	}
	s = structure_new(set, name);
	slot = s ? vec_add(&set->structures) : NULL;
	if (!slot) {
		plan_free(s ? s->plan : NULL);
		free(s);
		return NULL;
	}
	*slot = s;
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
