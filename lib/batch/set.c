/* SPDX-License-Identifier: MIT */
/* The commands that the engines of one platform know, found by their first dword. */
#include "batch/batch.h"

#include "gpu/gpu.h"

enum { TYPE_MI = 0, TYPE_2D = 2, TYPE_3D = 3, TYPE_STATE = 4, TYPE_BARRIER = 5 };

/* Which bits of a header select its bucket: none if the hardware has no such type. */
static const struct {
	uint32_t first, shift, mask;
} kinds[8] = {
	[TYPE_MI] = { 0, 23, BUCKETS_MI - 1 },
	[1] = { BUCKETS },
	[TYPE_2D] = { BUCKETS_MI, 22, BUCKETS_2D - 1 },
	[TYPE_3D] = { BUCKETS_MI + BUCKETS_2D, 16, BUCKETS_3D - 1 },
	[TYPE_STATE] = { BUCKETS_MI + BUCKETS_2D + BUCKETS_3D, 26, BUCKETS_STATE - 1 },
	[TYPE_BARRIER] = { BUCKETS_MI + BUCKETS_2D + BUCKETS_3D + BUCKETS_STATE, 26,
			   BUCKETS_BARRIER - 1 },
	[6] = { BUCKETS },
	[7] = { BUCKETS },
};

/*
 * A header that leaves bits of the bucket open is in several buckets. In the chain of each, more
 * fixed bits come first, and among equals the user's definitions.
 */
static bool add_command(struct command_index *index, const struct known_command *command)
{
	uint32_t mask = command->mask, value = command->value;
	unsigned type = value >> 29, shift = kinds[type].shift;
	uint32_t bits = kinds[type].mask << shift, open = bits & ~mask, some = 0;

	if (!kinds[type].mask || (mask & 0xe0000000) != 0xe0000000)
		return true;
	do {
		unsigned bucket = kinds[type].first + (((value & bits & mask) | some) >> shift);
		uint16_t *at = &index->bucket[bucket];
		struct known_command *added, *items;

		added = index->items.count < UINT16_MAX ? vec_add(&index->items) : NULL;
		if (!added)
			return false;
		*added = *command;
		items = index->items.items;
		while (*at && __builtin_popcount(mask) <= __builtin_popcount(items[*at].mask))
			at = &items[*at].next;
		added->next = *at;
		*at = (uint16_t)(index->items.count - 1);
		some = (some - open) & open;
	} while (some);
	return true;
}

static void expected_length(const struct gsc_view *view, struct known_command *command)
{
	const struct b_slice expects = command->def->expects;

	for (uint32_t i = 0; i < expects.count; i++) {
		const struct b_expect *e = LAYER_ITEM(command->layer, B_EXPECTS, struct b_expect,
						      expects.first + i);

		if (!where_holds(&e->where, view->bit, view->revision))
			continue;
		command->expect_lo = e->lo;
		command->expect_hi = e->hi;
		return;
	}
}

static bool add_layer(struct command_index *index, const struct gsc_view *view, size_t number,
		      unsigned engine_class)
{
	const struct layer *l = db_layer(view->db, number);

	for (uint32_t i = 0; i < layer_count(l, B_COMMANDS); i++) {
		const struct b_command *def = LAYER_ITEM(l, B_COMMANDS, struct b_command, i);
		struct known_command command = {
			.mask = def->mask,
			.value = def->value,
			.length = def->length,
			.expect_hi = UINT32_MAX,
			.group_at = UINT32_MAX,
			.name = layer_text(l, def->name),
			.def = def,
			.layer = l,
			.id = def_make(number, i),
		};
		struct b_slice repeats;

		if (!(def->engines & 1u << engine_class) ||
		    !where_holds(&def->where, view->bit, view->revision))
			continue;
		command.name_length = (uint32_t)strlen(command.name);
		command.role = (uint8_t)role_of(command.name);
		if (def->length_kind == LENGTH_FIELD) {
			command.length_lo = (uint8_t)def->length_lo;
			command.length_mask = UINT32_MAX >> (31 - (def->length_hi -
								   def->length_lo));
		}
		expected_length(view, &command);
		/* If the lengths of a command are documented, half a group is not a valid one. */
		repeats = command.def->repeats;
		for (uint32_t k = 0; command.expect_hi < UINT32_MAX && k < repeats.count; k++) {
			const struct b_repeat *r = LAYER_ITEM(command.layer, B_REPEATS,
							      struct b_repeat, repeats.first + k);

			if (r->kind != REPEAT_REST || !r->size)
				continue;
			command.group_at = r->at;
			command.group = r->size;
		}
		if (!add_command(index, &command))
			return false;
	}
	return true;
}

static void index_free(struct command_index *index)
{
	if (!index)
		return;
	for (size_t i = 1; i < index->items.count; i++)
		plan_free(index->items.items[i].plan);
	vec_free(&index->items);
	free(index);
}

enum gsc_status gsc_commands_new(struct gsc_commands **set, const struct gsc_gpu *gpu,
				 struct gsc_error *err)
{
	*set = calloc(1, sizeof(**set));
	if (!*set)
		return err_memory(err);
	(*set)->view = gpu->view;
	return GSC_OK;
}

void gsc_commands_free(struct gsc_commands *set)
{
	if (!set)
		return;
	for (unsigned i = 0; i < ENGINE_CLASSES; i++)
		index_free(set->index[i]);
	structures_free(set);
	free(set);
}

/* Not inline: command_find() would save registers for it on every call. */
static __attribute__((noinline)) const struct command_index *index_make(struct gsc_commands *set,
									unsigned engine_class)
{
	struct command_index *index = calloc(1, sizeof(*index));
	struct known_command *none = index ? vec_add(&index->items) : NULL;
	bool done = none;

	if (none)
		memset(none, 0, sizeof(*none));
	for (size_t i = 0; done && i < db_layer_count(set->view->db); i++)
		done = add_layer(index, set->view, i, engine_class);
	if (!done) {
		index_free(index);
		index = NULL;
	}
	set->memory_out |= !index;
	set->index[engine_class] = index;
	return index;
}

const struct known_command *command_find(struct gsc_commands *set, unsigned engine_class,
					 uint32_t header)
{
	const struct command_index *index = set->index[engine_class];
	const struct known_command *items;
	unsigned type = header >> 29, bucket;

	if (!index)
		index = index_make(set, engine_class);
	if (!index)
		return NULL;
	items = index->items.items;
	bucket = kinds[type].first + (header >> kinds[type].shift & kinds[type].mask);
	for (uint16_t at = index->bucket[bucket]; at; at = items[at].next)
		if ((header & items[at].mask) == items[at].value)
			return &items[at];
	return NULL;
}

/*
 * The rule of the command streamer: MI opcodes below 10h are one dword long, all others have a
 * length in bits 5:0 (MI) or 7:0, minus two; of the other types only 4 and 5 are used, from Xe2 on.
 */
unsigned unknown_length(uint32_t header)
{
	unsigned type = header >> 29;

	if (type == TYPE_MI)
		return (header >> 23 & 0x3f) < 0x10 ? 1 : (header & 0x3f) + 2;
	return type == TYPE_2D || type == TYPE_3D ? (header & 0xff) + 2 : 1;
}

const struct plan *command_plan(struct gsc_commands *set, const struct known_command *command)
{
	struct known_command *own = (struct known_command *)command;

	if (own->plan)
		return own->plan;
	own->plan = plan_new(set, own->layer, own->def->fields, own->def->repeats);
	for (unsigned i = 0; own->plan && i < ROLE_KEYS; i++)
		own->plan->key[i] = fields_named(&own->plan->fields, role_key(own->role, i));
	return own->plan;
}
