/* SPDX-License-Identifier: MIT */
/* Fields of whatever has a definition: those of an item with dwords, or fields that are there. */
#include "api/api.h"

#include "batch/run.h"
#include "out/out.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_FIELD_MBZ == (int)GSC_FIELD_MBZ &&
	       (int)GPUSCOPE_FIELD_MBO == (int)GSC_FIELD_MBO &&
	       (int)GPUSCOPE_FIELD_IGNORED == (int)GSC_FIELD_IGNORED &&
	       (int)GPUSCOPE_FIELD_OVERLAY == (int)GSC_FIELD_OVERLAY, "enum gpuscope_field_flag");

/* Every field that programs see is one of these. */
struct known_field {
	struct gpuscope_field field;
	const void *blob;		/* where its documented values are, */
	uint32_t next;			/* and of which field, as in an iterator */
};

struct gpuscope_field *field_of(struct keep *keep, const struct gsc_field *field,
				const struct gsc_field_iter *it)
{
	struct known_field *known = keep_bytes(keep, sizeof(*known));

	if (!known)
		return NULL;
	*known = (struct known_field){
		.field = {
			.size = sizeof(known->field),
			.name = field->name,
			.doc = field->doc,
			.dword = field->dword,
			.hi = field->hi,
			.lo = field->lo,
			.flags = field->flags,
			.value = field->value,
			.text = keep_text(keep, field->text),
			.problem = field->problem,
		},
		.blob = it ? it->blob : NULL,
		.next = it ? it->next : 0,
	};
	return &known->field;
}

const struct gpuscope_decoded *decoded_of(struct keep *keep, struct gpuscope_gpu *gpu,
					  const struct gsc_item *item, const uint32_t *words,
					  size_t count)
{
	struct gpuscope_decoded *decoded = keep_bytes(keep, sizeof(*decoded));

	if (decoded)
		*decoded = (struct gpuscope_decoded){ .gpu = gpu, .item = *item, .words = words,
						      .count = count };
	return decoded;
}

/* ---- fields of an item ----------------------------------------------------------------------- */

struct fields_list {
	struct gpuscope_list list;
	struct gsc_state state;		/* the item with a copy of its dwords */
	uint32_t *words;
	struct state_groups groups;
	struct state_group group;	/* the one of which fields are listed */
	bool in_group;
	size_t repeat;			/* of a definition alone: the next group that repeats */
};

/* The next group, with the fields of `it`; a definition alone has each that repeats once. */
static bool fields_group(struct fields_list *fields)
{
	struct state_group *group = &fields->group;
	struct gsc_repeat repeat;
	bool more;

	if (fields->list.gpu)
		return state_groups_next(&fields->groups, group);
	*group = (struct state_group){ .size = SIZE_MAX };
	if (!fields->groups.begun) {
		fields->groups.begun = true;
		gsc_item_fields(fields->list.db->db, NULL, &fields->state.item, NULL, 0,
				&group->it);
		return true;
	}
	more = gsc_item_repeat(fields->list.db->db, NULL, &fields->state.item, fields->repeat++,
			       &repeat, &group->it);
	group->at = more ? repeat.at : 0;
	return more;
}

static const void *fields_next(struct gpuscope_list *list)
{
	struct fields_list *fields = (struct fields_list *)list;
	struct state_group *group = &fields->group;
	struct gpuscope_field *out;
	struct gsc_field field;

	while (fields->in_group || fields_group(fields)) {
		fields->in_group = gsc_field_next(&group->it, &field);
		/* A field beyond the dwords that are there has no value. */
		if (!fields->in_group || field.dword + field.hi / 32 >= group->size)
			continue;
		out = field_of(&list->keep, &field, &group->it);
		if (out)
			out->dword += (unsigned)group->at;
		return out;
	}
	return NULL;
}

static void fields_free(struct gpuscope_list *list)
{
	free(((struct fields_list *)list)->words);
}

static struct gpuscope_error *item_fields(const struct gpuscope_decoded *decoded,
					  struct gpuscope_list **out)
{
	struct fields_list *fields = list_new(sizeof(*fields), fields_next, fields_free,
					      decoded->gpu, decoded->db);

	if (!fields)
		return error_memory();
	/* The dwords may be gone by then. */
	fields->words = malloc((decoded->count + 1) * sizeof(*fields->words));
	if (!fields->words) {
		gpuscope_list_free(&fields->list);
		return error_memory();
	}
	if (decoded->count)
		memcpy(fields->words, decoded->words, decoded->count * sizeof(*fields->words));
	fields->state = (struct gsc_state){ .item = decoded->item, .words = fields->words,
					    .count = decoded->count };
	fields->groups.state = &fields->state;
	if (decoded->gpu)
		fields->groups.view = decoded->gpu->gpu->view;
	*out = &fields->list;
	return NULL;
}

/* ---- fields that are there already ----------------------------------------------------------- */

static struct gpuscope_error *copy_fields(const struct gpuscope_decoded *decoded,
					  struct gpuscope_list **out)
{
	struct made_list *list = made_list_new(decoded->gpu, decoded->db);
	struct keep *keep = list ? made_list_keep(list) : NULL;

	for (size_t i = 0; list && decoded->fields[i]; i++) {
		const struct known_field *known = (const struct known_field *)decoded->fields[i];
		struct known_field *copy = keep_bytes(keep, sizeof(*copy));

		if (copy) {
			*copy = *known;
			copy->field.name = keep_text(keep, known->field.name);
			copy->field.doc = keep_text(keep, known->field.doc);
			copy->field.structure = keep_text(keep, known->field.structure);
			copy->field.text = keep_text(keep, known->field.text);
			copy->field.problem = keep_text(keep, known->field.problem);
		}
		made_list_add(list, copy);
	}
	return made_list_done(list, GSC_OK, NULL, out);
}

struct gpuscope_error *gpuscope_fields(const struct gpuscope_decoded *decoded,
				       struct gpuscope_list **out)
{
	*out = NULL;
	if (!decoded)
		return error_make(GPUSCOPE_STATUS_USAGE, "fields", "nothing was decoded");
	return decoded->fields ? copy_fields(decoded, out) : item_fields(decoded, out);
}

struct gpuscope_error *gpuscope_field_choices(const struct gpuscope_field *field,
					      struct gpuscope_list **out)
{
	const struct known_field *known = (const struct known_field *)field;
	/* All at once: the field may be gone before its values are asked for. */
	struct made_list *list = made_list_new(NULL, NULL);
	struct keep *keep = list ? made_list_keep(list) : NULL;
	struct gsc_field_iter it = { .blob = known->blob, .next = known->next };
	struct gsc_value value;

	for (size_t i = 0; list && it.blob && gsc_field_value(&it, i, &value); i++) {
		struct gpuscope_choice *choice = keep_new(keep, struct gpuscope_choice);

		if (choice) {
			choice->lo = value.lo;
			choice->hi = value.hi;
			choice->name = keep_text(keep, value.name);
			choice->doc = keep_text(keep, value.doc);
		}
		made_list_add(list, choice);
	}
	return made_list_done(list, GSC_OK, NULL, out);
}
