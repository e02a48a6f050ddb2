/* SPDX-License-Identifier: MIT */
/* The places of the registers and buffers of a driver's dump. */
#include "db/view.h"
#include "formats/dump.h"

#include <stdlib.h>

#define COMPARED 4096			/* bytes of packed buffers at a time, */
#define COMPARED_MAX (4 << 20)		/* and of each: they may be long, and forged */

/* ---- registers ------------------------------------------------------------------------------ */

struct placing {
	struct gsc_source *source;
	struct part *part;
	struct dump *dump;
	const struct gsc_platform *platform;	/* NULL: unknown */
	const struct gsc_view *view;
	value_vec values;
	VEC(uint64_t) shared;			/* addresses that have the value of only one unit */
	bool ier_summed;			/* what it calls IER is no register */
	size_t foreigners;			/* engines that the platform lacks, */
	const char *foreign;			/* and the first of them */
};

/* A value without a place is still kept, as something that the dump says. */
static bool keep_as_property(struct placing *p, const struct dump_register *reg)
{
	return part_property(p->part, slice_length(reg->block) ? reg->block :
			     dump_engine_words(p->dump, reg->engine), reg->key, reg->text);
}

/*
 * Linux before GTIER had a separate line printed DEIER | GTIER as IER (i915_gpu_error.c of 3.10:
 * i915_capture_error_state()), on platforms with both.
 */
static bool is_ier_summed(const struct placing *p)
{
	struct gsc_reg reg;

	if (!p->view || !view_find(p->view, NULL, "GTIER", -1, &reg) ||
	    (!view_find(p->view, NULL, "DEIER", -1, &reg) &&
	     !view_find(p->view, NULL, "VLV_IER", -1, &reg)))
		return false;
	for (size_t i = 0; i < p->dump->registers.count; i++)
		if (slice_begins(p->dump->registers.items[i].key, "GTIER"))
			return false;
	return slice_length(part_says(p->part, "Kernel"));
}

/* If many units share an address, it shows the first one. */
static bool is_taken(struct placing *p, const struct dump_place *place, bool *memory)
{
	uint64_t *added;

	if (!place->shared)
		return false;
	for (size_t i = 0; i < p->shared.count; i++)
		if (p->shared.items[i] == place->address[0])
			return true;
	added = vec_add(&p->shared);
	if (added)
		*added = place->address[0];
	*memory = added;
	return false;
}

static bool place_register(struct placing *p, const struct dump_register *reg)
{
	struct dump_place place = { .count = 0 };
	bool memory = true;

	if (!p->view || (p->ier_summed && !reg->engine && slice_is(reg->key, "IER")) ||
	    !dump_find(p->view, p->platform, p->dump, reg, &place) ||
	    is_taken(p, &place, &memory)) {
		p->dump->unplaced += !place.count;
		return keep_as_property(p, reg);
	}
	/* Its key says which unit is the first one. */
	if (place.shared)
		memory = memory && keep_as_property(p, reg);
	for (unsigned i = 0; i < place.count && memory; i++) {
		memory = values_add(&p->values, GSC_MMIO, place.address[i], place.size[i],
				    GSC_READ_OK, place.value[i]);
		if (memory)
			values_name(&p->values, reg->key);
	}
	return memory;
}

/* ---- buffers -------------------------------------------------------------------------------- */

static const struct dump_register *find_key(const struct dump *dump, const char *key)
{
	for (size_t i = 0; i < dump->registers.count; i++)
		if (slice_is(dump->registers.items[i].key, key))
			return &dump->registers.items[i];
	return NULL;
}

/*
 * i915 has per-process page tables from Gen8 on, and on Gen6 and 7 ones that repeat the global
 * table (intel_device_info's ppgtt_type), unless the dump says otherwise.
 */
static enum dump_ppgtt guess_ppgtt(const struct placing *p)
{
	const struct dump_register *mode = find_key(p->dump, "GFX_MODE");
	uint64_t address;

	if (p->dump->ppgtt != PPGTT_UNTOLD)
		return p->dump->ppgtt;
	if (p->platform && !platform_has(p->platform, PROPERTY_PROCESS_TABLES))
		return PPGTT_NONE;
	if (p->platform ? platform_has(p->platform, PROPERTY_OWN_TABLES) :
	    find_key(p->dump, "PDP0") || find_key(p->dump, "PDP0_LDW"))
		return PPGTT_FULL;
	/* On Gen6 the driver reads another register by this name. */
	if (p->view && print_find(p->view, "rcs0", "GFX_MODE", &address))
		mode = NULL;
	return mode && !(mode->value & GFX_MODE_PPGTT) ? PPGTT_NONE : PPGTT_ALIASING;
}

static int by_address(const void *a, const void *b, void *context)
{
	const struct dump_buffer *items = ((const struct dump *)context)->buffers.items;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	const struct dump_buffer *x = &items[i], *y = &items[j];

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return i < j ? -1 : i > j;
}

static bool differ(struct dump *dump, struct dump_buffer *cover, struct dump_buffer *buffer)
{
	const uint8_t *below = dump_buffer_data(dump, cover);
	const uint8_t *above = dump_buffer_data(dump, buffer);
	uint64_t offset = buffer->address - cover->address, length;
	bool same = true;

	length = offset < cover->length ? MIN(cover->length - offset, buffer->length) : 0;
	if (below && above)
		return memcmp(below + offset, above, (size_t)length) != 0;
	length = MIN(length, (uint64_t)COMPARED_MAX);
	for (uint64_t at = 0; same && at < length; at += COMPARED) {
		size_t size = (size_t)MIN(length - at, (uint64_t)COMPARED);
		uint8_t bytes[2][COMPARED];

		if (dump_buffer_read(dump, cover, offset + at, bytes[0], size) < size ||
		    dump_buffer_read(dump, buffer, at, bytes[1], size) < size)
			break;
		same = !memcmp(bytes[0], bytes[1], size);
	}
	return !same;
}

/* Adjacent buffers in order; each is compared with the one that extends farthest. */
static void note_conflicts(struct placing *p, const size_t *order)
{
	struct dump_buffer *items = p->dump->buffers.items, *cover = NULL, *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < p->dump->buffers.count; i++) {
		struct dump_buffer *b = &items[order[i]];
		bool meets = cover && cover->space == b->space &&
			     b->address - cover->address < cover->length;

		if (meets && differ(p->dump, cover, b) && !count++)
			first = b;
		if (!meets || cover->address + cover->length < b->address + b->length)
			cover = b;
	}
	if (count)
		source_note(p->source,
			    "%s: %zu buffer%s, %s at 0x%llx%s, with an address that another buffer "
			    "has, perhaps of another process: reads return the first in the file",
			    p->part->blob.name, count, count > 1 ? "s" : "", first->name,
			    (unsigned long long)first->address, count > 1 ? " first" : "");
}

static bool add_bytes(struct placing *p, enum gsc_space space, const struct dump_buffer *b)
{
	return b->data ? part_add(p->part, space, b->address, b->length, b->data)
		       : part_add_packed(p->part, space, b->address, b->length, b->packed);
}

static bool place_buffers(struct placing *p)
{
	struct dump *dump = p->dump;
	size_t count = dump->buffers.count, *order = calloc(count + 1, sizeof(*order));
	enum dump_ppgtt ppgtt = guess_ppgtt(p);
	bool done = order;

	for (size_t i = 0; i < count; i++) {
		struct dump_buffer *b = &dump->buffers.items[i];

		b->space = b->process && ppgtt != PPGTT_NONE ? GSC_PPGTTMEM : GSC_GTTMEM;
		if (done)
			order[i] = i;
	}
	/* Pieces that are added later override earlier ones. */
	for (size_t i = count; done && i-- > 0;) {
		const struct dump_buffer *b = &dump->buffers.items[i];
		bool process = b->space == GSC_PPGTTMEM;

		done = (!process || add_bytes(p, GSC_PPGTTMEM, b)) &&
		       ((process && ppgtt == PPGTT_FULL) || add_bytes(p, GSC_GTTMEM, b));
	}
	if (done) {
		qsort_r(order, count, sizeof(*order), by_address, dump);
		note_conflicts(p, order);
	}
	free(order);
	return done;
}

/* ---- engines -------------------------------------------------------------------------------- */

/*
 * i915 counts the existing engines of a class, for its users (gt/intel_engine_user.c,
 * engine_rename()): the second of vcs0 and vcs2 is its vcs1.
 */
static bool name_engine(struct placing *p, struct dump_engine *engine)
{
	size_t length = strcspn(engine->name, "0123456789");
	unsigned left = (unsigned)atoi(engine->name + length), class, instance;
	char plain[sizeof(engine->name)];
	bool taken = false;
	const char *name;
	uint32_t base;

	/* The engine of that number in its class on the platform, whatever it is called. */
	for (size_t i = 0; (name = gsc_platform_engine(p->source->db, p->platform->index, i,
						       &class, &instance, &base)); i++)
		if (!strncmp(name, engine->name, length) && is_digit(name[length]) && !left--)
			break;
	for (size_t i = 0; i < p->dump->engines.count; i++)
		taken |= name && !strcmp(p->dump->engines.items[i].name, name);
	if (!name || strlen(name) != strlen(engine->name) || taken) {
		p->foreign = p->foreigners++ ? p->foreign : engine->name;
		return true;
	}
	memcpy(plain, engine->name, sizeof(plain));
	strcpy(engine->name, name);
	return part_say(p->part, engine->name, "i915 name", "%s", plain);
}

static bool name_engines(struct placing *p)
{
	bool done = true;

	if (!p->platform || !p->part->reader->i915_names)
		return true;
	for (size_t i = 0; i < p->dump->engines.count && done; i++)
		if (!dump_platform_has(p->source->db, p->platform->index,
				       p->dump->engines.items[i].name, NULL))
			done = name_engine(p, &p->dump->engines.items[i]);
	if (p->foreigners)
		source_note(p->source, "%s: %zu engine%s, %s%s, that %s does not have: the "
			    "registers have no address", p->part->blob.name, p->foreigners,
			    p->foreigners > 1 ? "s" : "", p->foreign,
			    p->foreigners > 1 ? " first" : "", p->platform->name);
	return done;
}

enum gsc_status dump_place(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct placing p = { .source = source, .part = part, .dump = part->dump };
	size_t count = part->dump->registers.count;
	struct gsc_platform platform;
	enum gsc_status status;
	bool done;

	if (source->platform >= 0 &&
	    gsc_platform_at(source->db, (unsigned)source->platform, &platform))
		p.platform = &platform;
	if (!p.platform && source->db && count && part->pci_device >= 0)
		source_note(source, "%s: unknown PCI id 0x%04x, so its %zu registers have no "
			    "address: give -p", part->blob.name, (unsigned)part->pci_device, count);
	else if (!p.platform && source->db && count)
		source_note(source, "%s: no PCI id, so its %zu registers have no address: give -p",
			    part->blob.name, count);
	done = (!p.platform || !source_view(source, &p.view, NULL)) && name_engines(&p) &&
	       place_buffers(&p) && !p.dump->memory_out;
	p.ier_summed = done && is_ier_summed(&p);
	for (size_t i = 0; done && i < p.dump->registers.count; i++)
		done = place_register(&p, &p.dump->registers.items[i]);
	vec_free(&p.shared);
	status = values_end(&p.values, part, done, err);
	return status || pieces_resolve(&part->pieces) ? status : err_memory(err);
}
