/* SPDX-License-Identifier: MIT */
/*
 * The places of the registers and buffers of a driver's dump. Which register a driver means by what
 * it prints, definitions say (`print` lines), or it is the register's name.
 */
#include "db/engine.h"
#include "db/resolve.h"
#include "db/view.h"
#include "formats/dump.h"

#define COMPARED 4096			/* bytes of packed buffers at a time, */
#define COMPARED_MAX (4 << 20)		/* and of each: they may be long, and forged */

/* ---- which register ------------------------------------------------------------------------- */

#define RENDER_BASE 0x2000
#define NAME_MAX_LENGTH 48

/* A register of a driver's dump: one place, or two if the halves are separate registers. */
struct dump_place {
	uint64_t address[2];
	uint64_t value[2];
	unsigned size[2], count;
	bool shared;			/* by many units, each with its own value */
};

/* A key without its index, and without the generation with which some kernels begin it. */
struct name {
	char text[NAME_MAX_LENGTH];
	int index;			/* or -1 */
	bool steered;			/* "[1][0]": one of many units that share an address */
};

/* "GTIER[3]", "GTIER gt 3", "SC_INSTDONE[1][0]" */
static bool take_name(struct slice key, struct name *name)
{
	const char *open = slice_char(key, '['), *close;
	const char *gt = slice_find(key, " gt ");
	const char *end = open ? open : gt ? gt : key.end;
	struct slice number;
	uint64_t value;

	*name = (struct name){ .index = -1 };
	if (end == key.at ||
	    !slice_copy((struct slice){ key.at, end }, name->text, sizeof(name->text)))
		return false;
	if (!open && !gt)
		return true;
	number = (struct slice){ end + (open ? 1 : 4), key.end };
	close = open ? slice_char(number, ']') : NULL;
	if (open && !close)
		return false;
	name->steered = open && close + 1 < key.end;
	if (close)
		number.end = close;
	if (!slice_number(number, &value) || value > 1023)
		return false;
	name->index = (int)value;
	return true;
}

static void put(struct dump_place *place, uint64_t address, unsigned bits, uint64_t value)
{
	place->address[place->count] = address;
	place->size[place->count] = bits / 8;
	place->value[place->count++] = value;
}

/* The registers that drivers print by that key, by the definitions. */
static bool find_printed(const struct gsc_view *view, const char *engine, const struct name *name,
			 uint64_t value, struct dump_place *place)
{
	char key[NAME_MAX_LENGTH + 16];
	uint64_t address;

	if (name->index >= 0)
		snprintf(key, sizeof(key), "%s[%d]", name->text, name->index);
	else
		snprintf(key, sizeof(key), "%s", name->text);
	if (!print_find(view, engine, key, &address))
		return false;
	put(place, address, 32, value);
	return true;
}

/* A transcoder of the CPU has what once belonged to a pipe. */
static bool find_display(const struct gsc_view *view, const struct dump_register *reg,
			 struct dump_place *place)
{
	static const char *const blocks[][2] = {
		{ "Pipe", "Pipe" }, { "CPU transcoder", "Pipe" }, { "Plane", "Plane" },
		{ "Cursor", "Cursor" },
	};
	struct slice block = reg->block;
	char key[2 * NAME_MAX_LENGTH], last = block.end[-1], unit[4] = "EDP";
	uint64_t address;

	/* "Pipe [1]", "CPU transcoder: A", "CPU transcoder: EDP": as definitions spell it. */
	if (last == ']' && slice_length(block) > 2 && block.end[-3] == '[')
		last = (char)(block.end[-2] - '0' + 'A');
	if (!slice_ends(block, ": EDP") && !slice_ends(block, ": P"))
		snprintf(unit, sizeof(unit), "%c", last);
	if ((strcmp(unit, "EDP") && (last < 'A' || last > 'D')) ||
	    slice_length(reg->key) >= NAME_MAX_LENGTH)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		if (!slice_begins(reg->block, blocks[i][0]))
			continue;
		snprintf(key, sizeof(key), "%s %s %.*s", blocks[i][1], unit, SLICE(reg->key));
		if (!print_find(view, "", key, &address))
			return false;
		put(place, address, 32, reg->value);
		return true;
	}
	return false;
}

/* "PDP0: 0x0000000123456000", "PDP0_LDW", "PDP0_UDW" */
static bool find_pdp(const struct gsc_view *view, const char *engine, struct slice key,
		     uint64_t value, struct dump_place *place)
{
	int index = key.at[3] - '0';
	struct slice half = slice_from(key, 4);
	bool lower = slice_is(half, "_LDW"), upper = slice_is(half, "_UDW");
	struct gsc_reg low, high;

	if (index < 0 || index > 3 || (slice_length(key) != 4 && !lower && !upper) ||
	    !view_find(view, engine, "RING_PDP_LDW", index, &low) ||
	    !view_find(view, engine, "RING_PDP_UDW", index, &high))
		return false;
	if (!upper)
		put(place, low.offset, 32, value & UINT32_MAX);
	if (!lower)
		put(place, high.offset, 32, upper ? value : value >> 32);
	return true;
}

static bool find_named(const struct gsc_view *view, const char *engine, const struct name *name,
		       uint64_t value, struct dump_place *place)
{
	const struct driver_key *key = driver_key(name->text);
	const char *text = key ? key->name : name->text, *upper = key ? key->upper : NULL;
	const char *whose = *engine ? engine : NULL;
	int index = name->steered ? -1 : name->index;
	struct name other = { .index = -1 };
	struct gsc_reg reg;

	place->shared = name->steered;
	if (!view_find(view, whose, text, index, &reg)) {
		place->shared |= index >= 0;
		if (!view_find(view, whose, text, index < 0 ? 0 : -1, &reg))
			return false;
	}
	if (reg.space != GSC_MMIO || (reg.bits < 64 && value >> reg.bits && !upper))
		return false;
	put(place, reg.offset, reg.bits, value & bits_below(reg.bits));
	if (reg.bits >= 64 || !upper)
		return true;
	/* The half of the value that is in a separate register, if there is one. */
	if (view_find(view, whose, upper, -1, &reg)) {
		put(place, reg.offset, 32, value >> 32);
	} else {
		memcpy(other.text, upper, strlen(upper));
		find_printed(view, engine, &other, value >> 32, place);
	}
	return true;
}

static bool find_by_name(const struct gsc_view *view, const char *engine,
			 const struct dump_register *reg, struct dump_place *place)
{
	static const char *const marks[] = { "GEN6_", "GEN7_", "GEN8_", "GEN12_", "XEHP_", "HSW_" };
	struct slice key = reg->key;
	uint64_t value = reg->pair ? reg->upper << 32 | reg->value : reg->value;
	struct dump_place first = { .count = 0 };
	struct gsc_reg low, high;
	struct name name;
	size_t mark = 0;

	while (mark < ARRAY_SIZE(marks) && !take_text(&key, marks[mark]))
		mark++;
	if (mark == ARRAY_SIZE(marks) && slice_ends(key, "_GEN6"))
		key.end -= strlen("_GEN6");
	if (!take_name(key, &name))
		return false;
	/* "FAULT_TLB_DATA: 0xDATA1 0xDATA0" */
	if (!strcmp(name.text, "FAULT_TLB_DATA")) {
		if (!reg->pair || !view_find(view, NULL, "FAULT_TLB_DATA0", -1, &low) ||
		    !view_find(view, NULL, "FAULT_TLB_DATA1", -1, &high))
			return false;
		put(place, low.offset, 32, reg->value);
		put(place, high.offset, 32, reg->upper);
		return true;
	}
	if (slice_begins(key, "PDP") && slice_length(key) >= 4 && *engine)
		return find_pdp(view, engine, key, value, place);
	if (find_printed(view, engine, &name, value, place))
		return true;
	/* If definitions have the indexes with which it is printed, others have no register. */
	if (name.index > 0) {
		struct name zero = name;

		zero.index = 0;
		if (find_printed(view, engine, &zero, 0, &first))
			return false;
	}
	return find_named(view, engine, &name, value, place);
}

/* Today's drivers print 64 bits even for old engines, which have no upper half. */
static bool dump_find(const struct gsc_view *view, const struct gsc_platform *platform,
	       const struct dump *dump, const struct dump_register *reg, struct dump_place *place)
{
	const char *engine = dump_engine_words(dump, reg->engine).at;
	uint32_t base = reg->relative ? RENDER_BASE : 0;
	bool media = *engine ? engine_is_media(engine) : dump->engines.count;

	*place = (struct dump_place){ .count = 0 };
	if (slice_length(reg->block))
		return find_display(view, reg, place);
	if (reg->offset == UINT32_MAX) {
		if (!find_by_name(view, engine, reg, place))
			return false;
	} else {
		if ((reg->relative && *engine &&
		     !dump_platform_has(view->db, view->platform, engine, &base)) ||
		    reg->offset % 4 || reg->offset > (8 << 20))
			return false;
		put(place, base + reg->offset, 32, reg->value);
		place->shared = reg->shared;
	}
	/*
	 * On a separate media GT, the same registers are elsewhere. A dump is about one GT
	 * (i915_gpu_error.c, __err_print_to_sgl()): registers without an engine belong to it.
	 */
	for (size_t i = 0; i < dump->engines.count && !*engine; i++)
		media &= engine_is_media(dump->engines.items[i].name);
	for (unsigned i = 0; media && i < place->count; i++)
		if (platform_has(platform, PROPERTY_MEDIA_GT) &&
		    place->address[i] < MEDIA_GT_LENGTH)
			place->address[i] += MEDIA_GT_START;
	return true;
}

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

static bool place_register(struct placing *p, const struct dump_register *reg)
{
	struct dump_place place = { .count = 0 };
	bool found = p->view && !(p->ier_summed && !reg->engine && slice_is(reg->key, "IER")) &&
		     dump_find(p->view, p->platform, p->dump, reg, &place), memory = true;

	/* If many units share an address, it shows the first one. */
	for (size_t i = 0; found && place.shared && i < p->shared.count; i++)
		found = p->shared.items[i] != place.address[0];
	if (!found) {
		p->dump->unplaced += !place.count;
		return keep_as_property(p, reg);
	}
	/* Its key says which unit is the first one. */
	if (place.shared)
		memory = vec_push(&p->shared, place.address[0]) && keep_as_property(p, reg);
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
			    LL(first->address), count > 1 ? " first" : "");
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
	unsigned left = (unsigned)atoi(engine->name + length);
	char plain[sizeof(engine->name)];
	bool taken = false;
	const char *name;

	/* The engine of that number in its class on the platform, whatever it is called. */
	for (size_t i = 0;
	     (name = gsc_platform_engine(p->source->db, p->platform->index, i, NULL)); i++)
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
	done = (!p.platform || !source_view(source, &p.view, NULL)) && name_engines(&p);
	status = done ? dump_capture(source, part, p.view, p.platform, err) : GSC_OK;
	if (status)
		return status;
	done = done && place_buffers(&p) && !p.dump->memory_out;
	p.ier_summed = done && is_ier_summed(&p);
	for (size_t i = 0; done && i < p.dump->registers.count; i++)
		done = place_register(&p, &p.dump->registers.items[i]);
	vec_free(&p.shared);
	status = values_end(&p.values, part, done, err);
	return status || pieces_resolve(&part->pieces) ? status : err_memory(err);
}
