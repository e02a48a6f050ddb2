/* SPDX-License-Identifier: MIT */
/*
 * Which fields of a command, or of state, hold graphics addresses that are used, and in which table
 * these are looked up.
 */
#include "batch/state.h"

/* ---- whose table ---------------------------------------------------------------------------- */

/*
 * Bits that select the table: i915, gt/intel_gpu_commands.h, MI_USE_GGTT, MI_SRM_LRM_GLOBAL_GTT,
 * MI_FLUSH_DW_USE_GTT, PIPE_CONTROL_GLOBAL_GTT and its _IVB; Mesa genxml, MI_ATOMIC and
 * MI_SEMAPHORE_WAIT (Memory Type), MI_COPY_MEM_MEM, MI_BATCH_BUFFER_START.
 */
static const struct {
	const char *address;		/* NULL: whatever its name is */
	const char *beside;		/* the field that selects the table */
	uint64_t global;		/* its value for the global tables */
} selectors[] = {
	{ "SOURCE_MEMORY_ADDRESS", "USE_GLOBAL_GTT_SOURCE", 1 },
	{ "DESTINATION_MEMORY_ADDRESS", "USE_GLOBAL_GTT_DESTINATION", 1 },
	{ "BATCH_BUFFER_START_ADDRESS", "ADDRESS_SPACE_INDICATOR", 0 },
	{ NULL, "USE_GLOBAL_GTT", 1 },
	{ NULL, "MEMORY_TYPE", 1 },
	{ NULL, "DESTINATION_ADDRESS_TYPE", 1 },
};

/* The space of an address field: "ggtt", "ppgtt", or NULL if no other field decides it. */
static const char *access_space(const struct plan_fields *fields, const struct plan_field *f,
				const uint32_t *words, size_t count)
{
	if (f->form->addr != A_GFX)
		return f->form->addr == A_GGTT ? "ggtt" : "ppgtt";
	for (size_t i = 0; i < ARRAY_SIZE(selectors); i++) {
		const struct plan_field *beside;

		if (selectors[i].address && strcmp(selectors[i].address, f->name))
			continue;
		beside = fields_named(fields, selectors[i].beside);
		if (beside)
			return plan_value(beside, words, count) == selectors[i].global
				       ? "ggtt" : "ppgtt";
	}
	return NULL;
}

/* ---- what is not used ----------------------------------------------------------------------- */

/*
 * Every field of type addr:gfx, ggtt or ppgtt has been checked; an address that is in none of these
 * tables is used by its command, or by the commands that follow. These are not used: the page whose
 * entry MI_UPDATE_GTT writes (SNB Vol 1 Part 3, 1.3.12); what flips name, which the display reads;
 * bounds, which are the first address after what may be used (SNB Vol 1 Part 1, 3.7.1.1,
 * "exclusive"); halves of an address; offsets from bases that other commands set (scratch: the same
 * part, General State Base Address); an address within the HuC (Mesa genxml, HUC_DMEM_STATE).
 */
static const char *const untouched[] = {	/* "*X": every name that ends so */
	"ENTRY_ADDRESS",
	"*DISPLAY_BUFFER_BASE_ADDRESS",
	"REGISTER_UPDATE_ADDRESS",
	"*_UPPER_BOUND",
	"SURFACE_END_ADDRESS",
	"PAGE_BASE_ADDRESS_HIGH",
	"GLOBAL_CONSTANT_BUFFER_ADDRESS",
	"GLOBAL_CONSTANT_BUFFER_ADDRESS_HIGH",
	"*_DATA_START_ADDRESS",
	"INDIRECT_STREAM_IN_ADDRESS",
	"INDIRECT_STREAM_OUT_ADDRESS",
	"SCRATCH_SPACE_BASE_POINTER",
	"HUC_DATA_DESTINATION_ADDRESS",
};

/*
 * A field is not used if another field beside it has this value, or does not have it. No write:
 * PIPE_CONTROL, MI_FLUSH_DW, COMPUTE_WALKER (their Post Sync Operation 0; i915, gvt/cmd_parser.c,
 * cmd_handler_pipe_control). An index counts from the status page (i915, gt/intel_gpu_commands.h,
 * PIPE_CONTROL_STORE_DATA_INDEX), and a register is not memory (PIPE_CONTROL_MMIO_WRITE,
 * MI_SEMAPHORE_REGISTER_POLL). A base whose Modify Enable is clear is not set (SNB Vol 1 Part 1,
 * 3.7.1.1). SURFTYPE_NULL is 7 from Gen4 on. Bits that enable a single buffer: Mesa genxml, at the
 * commands.
 */
enum { IS, IS_NOT };

static const struct {
	const char *address;		/* "*X": every name that ends so; NULL: any */
	const char *beside;		/* "*X": the name of the address, and X */
	unsigned how;
	uint64_t value;
} unused[] = {
	{ "ADDRESS", "POST_SYNC_OPERATION", IS, 0 },
	{ "ADDRESS", "STORE_DATA_INDEX", IS, 1 },
	{ "ADDRESS", "LRI_POST_SYNC_OPERATION", IS, 1 },
	{ "ADDRESS", "MEMORY_ADDRESS_TYPE", IS, 0 },
	{ "POST_SYNC_DESTINATION_ADDRESS", "POST_SYNC_OPERATION", IS, 0 },
	{ "COMPUTE_WALKER_BODY_POST_SYNC_DESTINATION_ADDRESS",
	  "COMPUTE_WALKER_BODY_POST_SYNC_OPERATION", IS, 0 },
	{ "SEMAPHORE_ADDRESS", "REGISTER_POLL_MODE", IS, 1 },

	{ NULL, "*_MODIFY_ENABLE", IS, 0 },
	{ NULL, "*_ENABLE", IS, 0 },
	{ NULL, "SURFACE_TYPE", IS, 7 },
	{ NULL, "NULL_VERTEX_BUFFER", IS, 1 },
	{ NULL, "ADDRESS_MODIFY_ENABLE", IS, 0 },
	{ "SURFACE_BASE_ADDRESS", "STENCIL_BUFFER_ENABLE", IS, 0 },
	{ "SURFACE_BASE_ADDRESS", "SO_BUFFER_ENABLE", IS, 0 },
	{ "*_SURFACE_BASE_ADDRESS", "SO_BUFFER_INDEX_STATE_BODY_SO_BUFFER_ENABLE", IS, 0 },
	{ "BINDING_TABLE_POOL_BASE_ADDRESS", "BINDING_TABLE_POOL_ENABLE", IS, 0 },
	{ "GATHER_POOL_BASE_ADDRESS", "GATHER_POOL_ENABLE", IS, 0 },
	{ "COUNT_BUFFER_ADDRESS", "COUNT_BUFFER_INDIRECT_ENABLE", IS, 0 },
	{ "EXTENDED_STATE_POINTER", "EXTENDED_STATE_ENABLE", IS, 0 },
	{ "AUXILIARY_SURFACE_BASE_ADDRESS", "AUXILIARY_SURFACE_MODE", IS, 0 },
	{ "AUXILIARY_SURFACE_BASE_ADDRESS", "MCS_ENABLE", IS, 0 },
	{ "APPEND_COUNTER_ADDRESS", "APPEND_COUNTER_ENABLE", IS, 0 },
	{ "APPEND_COUNTER_ADDRESS", "AUXILIARY_SURFACE_MODE", IS_NOT, 1 },
	{ "SOURCE_CLEAR_ADDRESS", "SOURCE_CLEAR_VALUE_ENABLE", IS, 0 },
	{ "DESTINATION_CLEAR_ADDRESS", "DESTINATION_CLEAR_VALUE_ENABLE", IS, 0 },
	{ "INDIRECT_PAYLOAD_INDIRECT_PAYLOAD_BASE_ADDRESS", "INDIRECT_PAYLOAD_ENABLE", IS, 0 },
	{ "RESOURCE_BARRIER_BODY_BARRIER_ID_ADDRESS", "RESOURCE_BARRIER_BODY_BARRIER_TYPE", IS, 0 },
	{ "IECP_STATE_POINTER", "GLOBAL_IECP_ENABLE", IS, 0 },
	{ "LACE_LUT_TABLE_STATE_POINTER", "LACE_CORRECTION_ENABLE", IS, 0 },
	{ "GAMMA_CORRECTION_VALUES_ADDRESS", "FORWARD_GAMMA_CORRECTION_ENABLE", IS, 0 },
};

static bool is_named(const char *name, const char *pattern)
{
	size_t size = strlen(name), end;

	if (!pattern || *pattern != '*')
		return !pattern || !strcmp(name, pattern);
	end = strlen(pattern + 1);
	return size >= end && !strcmp(name + size - end, pattern + 1);
}

/* False: a bound, a half, an offset, or an address for somebody else. */
static bool access_touched(const struct plan_field *f)
{
	for (size_t i = 0; i < ARRAY_SIZE(untouched); i++)
		if (is_named(f->name, untouched[i]))
			return false;
	return true;
}

bool access_used(const struct layer *l, const struct plan_fields *fields,
		 const struct plan_field *f, const uint32_t *words, size_t count)
{
	const struct plan_field *beside;
	const struct b_pointer *how;

	for (size_t i = 0; i < ARRAY_SIZE(unused); i++) {
		const char *name = unused[i].beside;

		if (!is_named(f->name, unused[i].address))
			continue;
		beside = *name == '*' ? NULL : fields_named(fields, name);
		for (unsigned k = 0; *name == '*' && !beside && k < fields->count; k++)
			if (!strncmp(fields->items[k].name, f->name, f->name_length) &&
			    !strcmp(fields->items[k].name + f->name_length, name + 1))
				beside = &fields->items[k];
		if (beside && (plan_value(beside, words, count) == unused[i].value) ==
			      (unused[i].how == IS))
			return false;
	}
	if (!f->form->pointer)
		return true;
	/* What the definition says of the target: when it exists, or its length. */
	how = LAYER_ITEM(l, B_POINTERS, struct b_pointer, f->form->pointer - 1);
	beside = how->if_field ? fields_named(fields, layer_text(l, how->if_field)) : NULL;
	if (beside && (plan_value(beside, words, count) == how->if_value) == how->if_not)
		return false;
	beside = how->count.field ? fields_named(fields, layer_text(l, how->count.field)) : NULL;
	return !beside || plan_meaning(beside, words, count);
}

/* ---- the addresses of a command -------------------------------------------------------------- */

/* A value that counts from a base is an offset, whatever it looks like. */
static bool is_address(const struct layer *l, const struct plan_field *f)
{
	const struct c_form *form = f->form;

	if (form->type != F_ADDRESS ||
	    (form->addr != A_GFX && form->addr != A_GGTT && form->addr != A_PPGTT) ||
	    !access_touched(f))
		return false;
	return !form->pointer ||
	       LAYER_ITEM(l, B_POINTERS, struct b_pointer, form->pointer - 1)->base == BASE_NONE;
}

/* The fields of one group, whose first dword is number `at` of the whole. */
static bool next_of(struct addresses *a, const struct plan_fields *fields, size_t at, size_t count,
		    struct gsc_command_address *out)
{
	const uint32_t *words = a->words + at;

	while (a->field < fields->count) {
		const struct plan_field *f = &fields->items[a->field++];

		if (!is_address(a->plan->layer, f) ||
		    f->dword + (f->lo + f->width - 1u) / 32 >= count ||
		    !plan_applies(fields, f, words, count) ||
		    !access_used(a->plan->layer, fields, f, words, count))
			continue;
		*out = (struct gsc_command_address){
			.name = f->name,
			.dword = (unsigned)at + f->dword,
			.address = plain_address(plan_address(f, words, count)),
			.space = access_space(fields, f, words, count),
		};
		return true;
	}
	return false;
}

void addresses_begin(struct addresses *a, const struct plan *plan, const uint32_t *words,
		     size_t count)
{
	*a = (struct addresses){ .plan = plan, .words = words, .count = count };
}

bool addresses_next(struct addresses *a, struct gsc_command_address *out)
{
	const struct plan *plan = a->plan;

	for (;;) {
		const struct plan_repeat *r = a->repeat ? &plan->repeats[a->repeat - 1] : NULL;
		size_t at = r ? a->at + a->time * r->size : 0;
		size_t left = a->count - at;

		if (next_of(a, r ? &r->fields : &plan->fields, at, r ? MIN(r->size, left) : left,
			    out))
			return true;
		a->field = 0;
		a->time++;
		/* There may be many groups without an address field: they are skipped. */
		while (a->time >= a->times) {
			bool any = false;

			if (a->repeat == plan->repeat_count)
				return false;
			r = &plan->repeats[a->repeat++];
			for (unsigned i = 0; i < r->fields.count; i++)
				any |= is_address(plan->layer, &r->fields.items[i]);
			a->time = 0;
			a->times = any ? plan_times(plan, r, a->words, a->count, &a->at) : 0;
		}
	}
}

bool gsc_command_address(struct gsc_commands *set, const struct gsc_command *command, size_t i,
			 struct gsc_command_address *address)
{
	const struct plan *plan = command->known ? command_plan(set, command->known) : NULL;
	struct addresses a;

	if (!plan)
		return false;
	addresses_begin(&a, plan, command->words, command->count);
	while (addresses_next(&a, address))
		if (!i--)
			return true;
	return false;
}
