/* SPDX-License-Identifier: MIT */
/*
 * Kernels: programs of the execution units. Nothing gives their length; a kernel ends with the SEND
 * whose end-of-thread bit is set.
 */
#include "batch/state.h"

#include "gtt/root.h"

/* No kernel is longer than this. */
#define KERNEL_MAX (1u << 20)
#define STEP (16u << 10)

/* An instruction is 16 bytes, or 8 if it is compacted; one that ends a thread never is. */
#define OPCODE 0x7fu
#define COMPACTED (UINT64_C(1) << 29)

/*
 * How far a kernel extends in the available bytes: *ended if its end is among them. It stops at an
 * instruction that is incomplete, or that is none (opcode 0).
 */
static size_t kernel_length(const struct gsc_platform *platform, const uint8_t *bytes, size_t size,
			    size_t at, bool *ended, bool *stuck)
{
	bool compacts = platform_has(platform, PROPERTY_COMPACT_INSTRUCTIONS);
	bool splits = platform_has(platform, PROPERTY_SPLIT_SENDS);
	const unsigned bit = platform_value(platform, PROPERTY_EOT_BIT);
	const unsigned long_bit = platform_value(platform, PROPERTY_LONG_SEND_EOT_BIT);
	uint64_t half[2] = { 0 };

	while (!*ended && !*stuck && at + 8 <= size) {
		size_t length;
		unsigned opcode;

		memcpy(half, bytes + at, 8);
		length = compacts && half[0] & COMPACTED ? 8 : 16;
		if (at + length > size)
			break;
		if (length == 16)
			memcpy(half, bytes + at, 16);
		*stuck = !(half[0] & OPCODE);
		if (*stuck)
			break;
		/*
		 * SEND and SENDC may end the thread; on some platforms also SENDS and SENDSC, on
		 * others SENDG, SENDGC, SENDGX and SENDGXC.
		 */
		opcode = length == 16 ? half[0] & OPCODE : 0;
		if (opcode == 0x31 || opcode == 0x32 ||
		    (splits && (opcode == 0x33 || opcode == 0x34)))
			*ended = half[bit / 64 & 1] >> bit % 64 & 1;
		else if (long_bit && opcode >= 0x33 && opcode <= 0x36)
			*ended = half[long_bit / 64 & 1] >> long_bit % 64 & 1;
		at += length;
	}
	return at;
}

/* The bytes of a kernel, to be freed by the caller, or NULL if there are none. */
static uint8_t *kernel_read(struct graphics_memory *memory, const struct gsc_platform *platform,
			    bool process, const struct state_address *place,
			    struct gsc_kernel *kernel)
{
	bool ended = false, stuck = false, more = true;
	uint64_t limit = MIN(place->limit - place->address, KERNEL_MAX);
	uint8_t *bytes = NULL;
	size_t held = 0;

	while (more && !ended && !stuck && held < limit) {
		size_t want = (size_t)MIN(STEP, limit - held), got;
		uint8_t *longer = realloc(bytes, held + want);

		if (!longer)
			break;
		bytes = longer;
		got = graphics_read(memory, process, place->address + held, bytes + held, want);
		held += got;
		more = got == want;
		kernel->size = kernel_length(platform, bytes, held, kernel->size, &ended, &stuck);
	}
	kernel->cut = !ended;
	kernel->data = kernel->size ? bytes : NULL;
	if (stuck)
		string_set(kernel->problem, "no instruction at 0x%llx",
			   LL(place->address + kernel->size));
	else if (!ended && held < limit)
		graphics_why(memory, process, place->address + held, kernel->problem,
			     sizeof(kernel->problem));
	else if (!ended)
		string_set(kernel->problem, "no end in %zu bytes", held);
	return bytes;
}

static bool bit(const struct pointing *p, const char *name)
{
	const struct plan_field *f = fields_named(p->fields, name);

	return f && plan_value(f, p->words, p->count);
}

/*
 * Pixels come in groups of 8, 16 and 32, each with a kernel. If one size is enabled its kernel is
 * the first; if several are, the second is for 32 and the third for 16 (Mesa,
 * intel_batch_decoder.c decode_ps_kern). Gen4 has one for all.
 */
static bool is_dispatched(const struct pointing *p)
{
	bool by8 = bit(p, "N8_PIXEL_DISPATCH_ENABLE"), by16 = bit(p, "N16_PIXEL_DISPATCH_ENABLE"),
	     by32 = bit(p, "N32_PIXEL_DISPATCH_ENABLE");
	bool contiguous = bit(p, "CONTIGUOUS_32_PIXEL_DISPATCH_ENABLE") ||
			  bit(p, "CONTIGUOUS_64_PIXEL_DISPATCH_ENABLE");
	bool any = by8 || by16 || by32 || contiguous, several = by8 + by16 + by32 > 1;
	size_t length = strlen(p->field->name);

	if (!fields_named(p->fields, "N8_PIXEL_DISPATCH_ENABLE") || length < 2)
		return true;
	switch (p->field->name[length - 1]) {
	case '0':
		return by8 || (any && (!several || !fields_named(p->fields,
								 "KERNEL_START_POINTER_1")));
	case '1':
		return several && by32;
	case '2':
		return several && by16;
	default:
		return contiguous;
	}
}

/* Channels of a thread, by the value of a field next to the pointer. */
static const struct width { const char *stage, *field; uint8_t channels[4]; } widths[] = {
	{ "vs", "SIMD8_DISPATCH_ENABLE", { 0, 8 } },
	{ "ds", "DISPATCH_MODE", { 0, 8, 8 } },
	{ "gs", "DISPATCH_MODE", { 0, 0, 0, 8 } },
	{ NULL, "SIMD_SIZE", { 8, 16, 32 } },
	{ NULL, "COMPUTE_WALKER_BODY_SIMD_SIZE", { 8, 16, 32 } },
};

static unsigned kernel_width(const struct pointing *p, const char *stage)
{
	static const char *const names[] = { "KERNEL_0_SIMD_WIDTH", "KERNEL_1_SIMD_WIDTH" };
	bool by8, by16, by32;
	char last;

	for (size_t i = 0; strcmp(stage, "ps") && i < ARRAY_SIZE(widths); i++) {
		const struct plan_field *f = fields_named(p->fields, widths[i].field);

		if (f && (!widths[i].stage || !strcmp(stage, widths[i].stage)))
			return widths[i].channels[plan_value(f, p->words, p->count) & 3];
	}
	if (strcmp(stage, "ps"))
		return 0;
	by8 = bit(p, "N8_PIXEL_DISPATCH_ENABLE");
	by16 = bit(p, "N16_PIXEL_DISPATCH_ENABLE");
	by32 = bit(p, "N32_PIXEL_DISPATCH_ENABLE");
	last = p->field->name[strlen(p->field->name) - 1];
	if ((last == '0' || last == '1') && fields_named(p->fields, names[last - '0']))
		return bit(p, names[last - '0']) ? 32 : 16;
	if (last == '1' || last == '2')
		return last == '1' ? 32 : 16;
	if (last != '0' || (by8 + by16 + by32 > 1 && !fields_named(p->fields,
								   "KERNEL_START_POINTER_1")))
		return 0;
	return by8 ? 8 : by16 ? 16 : by32 ? 32 : 0;
}

bool kernel_tell(struct look *look, const struct pointing *p, const char *stage)
{
	const struct gsc_listener *l = look->f->listener;
	uint64_t offset = plan_address(p->field, p->words, p->count);
	struct gsc_kernel kernel = { .stage = stage, .simd = kernel_width(p, stage) };
	struct gsc_followed item = { look->run, look->command, .kernel = &kernel };
	struct state_address place;
	uint8_t *bytes;
	bool more;

	if (!l->kernel || (!strcmp(stage, "ps") && !is_dispatched(p)))
		return true;
	if (!bases_place(look, p->how->base, offset, &place, kernel.problem,
			 sizeof(kernel.problem))) {
		kernel.address = place.address ? place.address : offset;
		kernel.cut = true;
		return l->kernel(l->context, &item);
	}
	if (!look_once(look, KERNEL_ID, place.address))
		return true;
	kernel.address = place.address;
	bytes = kernel_read(look->f->memory, &look->platform, look->run->process, &place, &kernel);
	more = l->kernel(l->context, &item);
	free(bytes);
	return more;
}

enum gsc_status gsc_kernel_read(struct gsc_kernel *kernel, const struct gsc_gpu *gpu,
				const char *engine, bool process, uint64_t address,
				struct gsc_error *err)
{
	struct state_address place = { .address = plain_address(address), .limit = UINT64_MAX };
	struct graphics_memory memory;
	struct gsc_root root;
	bool has_root = !gsc_root_engine(gpu, engine, &root, NULL);
	enum gsc_status status;

	*kernel = (struct gsc_kernel){ .stage = "", .address = place.address };
	status = graphics_open(&memory, gpu, has_root ? &root : NULL, err);
	if (!status)
		kernel->data = kernel_read(&memory, &gpu->platform, process, &place, kernel);
	graphics_close(&memory);
	return status;
}
