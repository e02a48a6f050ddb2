/* SPDX-License-Identifier: MIT */
/* Opening a GPU of named sources, bytes of the program, and what the program reads itself. */
#include "api/api.h"

#include "hang/hang.h"
#include "open/open.h"
#include "source/part.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)GPUSCOPE_WAKE_AUTO == (int)GSC_WAKE_AUTO &&
	       (int)GPUSCOPE_WAKE_DRIVER == (int)GSC_WAKE_DRIVER &&
	       (int)GPUSCOPE_WAKE_REGISTERS == (int)GSC_WAKE_REGISTERS &&
	       (int)GPUSCOPE_WAKE_NONE == (int)GSC_WAKE_NONE, "enum gpuscope_wake");

/* What a GPU is opened from; the parts are copies, the bytes are the program's. */
struct opening {
	struct gpuscope_options options;
	VEC(struct gsc_input) inputs;
	struct keep keep;		/* names of parts */
	struct gsc_callbacks callbacks;
	struct gsc_piece extents[2];
};

static struct gpuscope_error *add_input(struct opening *o, struct gsc_input input)
{
	return !o->keep.failed && vec_push(&o->inputs, input) ? NULL : error_memory();
}

/* As if it were a file with these bytes: "mem:ram@0x1000". */
static struct gpuscope_error *add_bytes(struct opening *o, const struct gpuscope_bytes *given)
{
	static const struct {
		const char *kind;
		bool placed;		/* its bytes are at an address */
	} kinds[] = {
		{ "bar", true }, { "ggtt", true }, { "mem", true }, { "lmem", true },
		{ "config", false }, { "elf", false },
	};
	struct gpuscope_bytes bytes;
	struct gpuscope_error *error = options_copy(&bytes, sizeof(bytes), given, "bytes");
	const char *name = !error && bytes.name ? bytes.name : "bytes", *spec;
	size_t kind = 0;

	if (error)
		return error;
	if (!bytes.data)
		return error_make(GPUSCOPE_STATUS_USAGE, name, "there are no bytes: data is NULL");
	while (bytes.kind && kind < ARRAY_SIZE(kinds) && strcmp(kinds[kind].kind, bytes.kind))
		kind++;
	if (kind == ARRAY_SIZE(kinds))
		return error_make(GPUSCOPE_STATUS_USAGE, name, "no kind of bytes is called \"%s\": "
				  "expected bar, ggtt, mem, lmem, config or elf", bytes.kind);
	if (bytes.address && !(bytes.kind && kinds[kind].placed))
		return error_make(GPUSCOPE_STATUS_USAGE, name,
				  "only bytes of the kinds bar, ggtt, mem "
				  "and lmem have an address");
	if (!bytes.kind)
		spec = keep_text(&o->keep, name);
	else if (kinds[kind].placed)
		spec = keep_format(&o->keep, "%s:%s@0x%llx", bytes.kind, name, LL(bytes.address));
	else
		spec = keep_format(&o->keep, "%s:%s", bytes.kind, name);
	return add_input(o, (struct gsc_input){ .spec = spec, .data = bytes.data,
						.size = bytes.length });
}

static enum gsc_read read_memory(void *context, enum gsc_space space, uint64_t address, void *buf,
				 size_t size)
{
	const struct gpuscope_memory *memory = &((struct gpuscope_gpu *)context)->memory;

	return (enum gsc_read)memory->read(memory->context, (enum gpuscope_space)space, address,
					   buf, size);
}

static struct gpuscope_error *add_memory(struct opening *o, struct gpuscope_gpu *gpu)
{
	struct gpuscope_memory *memory = &gpu->memory;
	struct gpuscope_error *error = options_copy(memory, sizeof(*memory), o->options.memory,
						    "memory");
	const uint64_t lengths[] = { memory->phys_length, memory->lmem_length };
	struct gsc_callbacks *callbacks = &o->callbacks;

	if (error)
		return error;
	if (!memory->read)
		return error_make(GPUSCOPE_STATUS_USAGE, "memory",
				  "there is no function to read it");
	if (!memory->spaces || memory->spaces >> GSC_SPACES)
		return error_make(GPUSCOPE_STATUS_USAGE, "memory",
				  "spaces is a sum of 1 << GPUSCOPE_SPACE_PHYS and the like");
	*callbacks = (struct gsc_callbacks){
		.read = read_memory,
		.context = gpu,
		.spaces = (unsigned)memory->spaces,
		.extents = o->extents,
		.harmless = memory->harmless,
	};
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (lengths[i])
			o->extents[callbacks->extent_count++] = (struct gsc_piece){
				.space = i ? GSC_LMEM : GSC_PHYS, .length = lengths[i] };
	return add_input(o, (struct gsc_input){ .spec = "memory", .callbacks = callbacks });
}

static struct gpuscope_error *add_all(struct opening *o, struct gpuscope_gpu *gpu,
				      const char *const *sources, size_t count)
{
	const struct gpuscope_bytes *const *bytes = o->options.bytes;
	struct gpuscope_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++)
		error = add_input(o, (struct gsc_input){ .spec = sources[i] });
	for (; bytes && *bytes && !error; bytes++)
		error = add_bytes(o, *bytes);
	return !error && o->options.memory ? add_memory(o, gpu) : error;
}

static enum gsc_status definitions_only(struct gpuscope_gpu *gpu, const char *name,
					struct gsc_error *err)
{
	struct gsc_platform platform;
	int device;
	enum gsc_status status = gsc_platform_find(gpu->db->db, name, &platform, &device, err);

	if (!status)
		status = gsc_gpu_definitions(&gpu->gpu, gpu->db->db, platform.index, -1, err);
	return status;
}

/*
 * A dump that names no platform, but has what only few platforms have, is read as the first of
 * them, as gpu-fault does; a note says so.
 */
static enum gsc_status open_guessed(struct gpuscope_gpu *gpu, const struct opening *o,
				    struct gsc_source_options *inner, struct gsc_error *err)
{
	struct gsc_platform first;
	char list[200], by[160];
	uint64_t platforms;
	enum gsc_status status;

	if (gsc_source_platform(gpu->source) >= 0 || gsc_source_live(gpu->source))
		return GSC_OK;
	platforms = gsc_hang_platforms(gpu->source, by, sizeof(by));
	if (!platforms ||
	    !gsc_platform_at(gpu->db->db, (unsigned)__builtin_ctzll(platforms), &first))
		return GSC_OK;
	inner->platform = first.name;
	gsc_platforms_text(gpu->db->db, platforms, ", ", list, sizeof(list));
	gsc_source_close(gpu->source);
	gpu->source = NULL;
	status = gsc_source_open_inputs(&gpu->source, o->inputs.items, o->inputs.count, inner,
					err);
	if (!status)
		source_note(gpu->source, "platform: not in the dump; its %s fits %s: it is read "
			    "as %s; the options can name another", by, list, inner->platform);
	return status;
}

/*
 * A log is useful even without a platform, but no register of it can be decoded then: its GPU has
 * definitions that nobody asks for, and no source. What the rooms say about an unknown platform
 * names an option of the commands.
 */
struct gpuscope_error *gpu_join(struct gpuscope_gpu *gpu)
{
	int device = gsc_source_device(gpu->source);
	struct gsc_error err;

	if (gsc_source_platform(gpu->source) >= 0)
		return error_of(gsc_gpu_new(&gpu->gpu, gpu->source, NULL, &err), &err);
	gpu->unnamed = gsc_source_has(gpu->source, GSC_SOURCE_LOG);
	if (gpu->unnamed)
		return error_of(gsc_gpu_definitions(&gpu->gpu, gpu->db->db, 0, -1, &err), &err);
	if (device < 0)
		return error_make(GPUSCOPE_STATUS_USAGE, "platform",
				  "unknown: name it in the options");
	return error_make(GPUSCOPE_STATUS_USAGE, "platform",
			  "unknown PCI id 0x%04x: name it in the options", (unsigned)device);
}

struct gpuscope_error *gpuscope_open(const char *const *sources, size_t count,
				     const struct gpuscope_options *given,
				     struct gpuscope_gpu **out)
{
	struct gsc_source_options inner = { .registers = GSC_REGISTERS_WANTED };
	struct opening o = { .inputs = { 0 } };
	struct gpuscope_gpu *gpu = NULL;
	enum gsc_status status = GSC_OK;
	struct gpuscope_error *error;
	struct gsc_error err;

	error = options_copy(&o.options, sizeof(o.options), given, "options");
	if (!error && (unsigned)o.options.wake > GPUSCOPE_WAKE_NONE)
		error = error_make(GPUSCOPE_STATUS_USAGE, "wake", "there is no way %d of keeping a "
				   "device awake", (int)o.options.wake);
	if (!error)
		error = gpu_begin(o.options.db, NULL, &gpu);
	if (!error)
		error = add_all(&o, gpu, sources, count);
	if (!error) {
		gpu->unsafe = o.options.unsafe;
		inner.db = gpu->db->db;
		inner.platform = o.options.platform;
		inner.wake = (enum gsc_wake)o.options.wake;
		inner.unsafe = o.options.unsafe;
		if (!o.inputs.count && inner.platform)
			status = definitions_only(gpu, inner.platform, &err);
		else
			status = gsc_source_open_inputs(&gpu->source, o.inputs.items,
							o.inputs.count, &inner, &err);
		if (!status && !gpu->gpu && !inner.platform)
			status = open_guessed(gpu, &o, &inner, &err);
		error = error_of(status, &err);
	}
	if (!error && !gpu->gpu)
		error = gpu_join(gpu);
	vec_free(&o.inputs);
	keep_free(&o.keep);
	return gpu_done(gpu, error, out);
}
