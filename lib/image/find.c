/* SPDX-License-Identifier: MIT */
/* The bytes of an image from a source: what a dump has of it, or where registers say it is. */
#include "image/image.h"

#include "batch/follow.h"
#include "gtt/context.h"
#include "open/open.h"
#include "regs/regs.h"

#define PAGE 0x1000u
/* No ring is longer (RING_BUFFER_CONTROL counts 512 pages), and no known context. */
#define RING_MOST (UINT64_C(512) << 12)
#define CONTEXT_MOST (UINT64_C(64) << 12)
#define OA_MOST (UINT64_C(16) << 20)
#define CT_MOST (UINT64_C(1) << 20)
#define LOG_MOST (UINT64_C(32) << 20)

/* ---- where registers say it lies ------------------------------------------------------------ */

bool image_register(const struct gsc_image *image, const char *name, int index,
		    struct gsc_reg *reg, uint64_t *value)
{
	return !gpu_read_named(&image->gpu, image->about.engine, name, index, reg, value);
}

static bool place_hwsp(struct gsc_image *image, struct image_place *place)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;

	if (!image_register(image, "HWS_PGA", -1, &place->reg, &place->value))
		return false;
	gsc_reg_fields(image->gpu.view, &place->reg, place->value, &it);
	while (gsc_field_next(&it, &field)) {
		gsc_field_form(&it, &form);
		place->physical |= form.address && !strcmp(form.address, "phys");
	}
	place->address = place->value & ~UINT64_C(0xfff);
	if (place->physical)
		place->address |= (place->value >> 4 & 0xf) << 32;
	place->size = PAGE;
	return place->address;
}

static bool place_context(struct gsc_image *image, struct image_place *place)
{
	static const struct {
		const char *name;
		int index;
	} says[] = { { "CCID", -1 }, { "EXECLIST_SQ_CONTENTS", 0 },
		     { "EXECLIST_SUBMIT_PORT", -1 } };

	for (size_t i = 0; i < ARRAY_SIZE(says); i++) {
		if (!image_register(image, says[i].name, says[i].index, &place->reg,
				    &place->value) || !(place->value & DESCRIPTOR_VALID))
			continue;
		place->address = place->value & GSC_LRCA;
		place->size = CONTEXT_MOST;
		return true;
	}
	return false;
}

static bool place_oa(struct gsc_image *image, struct image_place *place)
{
	static const char *const says[] = { "OABUFFER", "OAG_OABUFFER" };
	uint64_t global, size = 0;

	for (size_t i = 0; i < ARRAY_SIZE(says); i++) {
		if (!image_register(image, says[i], -1, &place->reg, &place->value) ||
		    !(place->value & ~UINT64_C(0x3f)))
			continue;
		place->address = place->value & ~UINT64_C(0x3f);
		place->process = gsc_gpu_field(&image->gpu, &place->reg, place->value,
					       "MEMORY_SELECT", &global) && !global;
		gsc_gpu_field(&image->gpu, &place->reg, place->value, "BUFFER_SIZE", &size);
		place->size = UINT64_C(0x20000) << size;
		return true;
	}
	return false;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

static const struct {
	enum gsc_buffer_kind buffer;	/* of a dump */
	uint64_t most;			/* bytes */
	bool (*find)(struct gsc_image *image, struct image_place *place);
	const char *explains;		/* registers, by patterns */
	const char *member;		/* a dump's file with that end is one */
} kinds[GSC_IMAGE_KINDS] = {
	[GSC_IMAGE_HWSP] = {
		GSC_BUFFER_HWSP, PAGE, place_hwsp, "HWS_PGA HWSTAM CONTEXT_STATUS_POINTER" },
	[GSC_IMAGE_CONTEXT] = {
		GSC_BUFFER_CONTEXT, CONTEXT_MOST, place_context,
		"CCID CXT_SIZE EXECLIST_STATUS_LO EXECLIST_STATUS_HI "
		"EXECLIST_SQ_CONTENTS EXECLIST_CONTROL CONTEXT_REQUEST_MESSAGE "
		"CONTEXT_REPLY_MESSAGE ELEMENT_DESCRIPTOR PDP?_DESCRIPTOR" },
	[GSC_IMAGE_OA] = {
		GSC_BUFFER_OTHER, OA_MOST, place_oa,
		"OACONTROL OAG_OACONTROL OAR_OACONTROL OASTATUS* OAG_OASTATUS "
		"OASTARTTRIG? OAREPORTTRIG? OAG_OASTARTTRIG? OAG_OAREPORTTRIG? CEC?_? "
		"OAG_CEC?_? OABUFFER OAG_OABUFFER OAHEADPTR OATAILPTR OAG_OAHEADPTR "
		"OAG_OATAILPTR OANOASELECT OACTXCONTROL OAG_OAGLBCTXCTRL" },
	[GSC_IMAGE_RING] = {
		GSC_BUFFER_RING, RING_MOST, image_ring_place,
		"RING_BUFFER_HEAD RING_BUFFER_TAIL RING_BUFFER_START RING_BUFFER_CONTROL ACTHD "
		"ACTHD_UDW" },
	[GSC_IMAGE_GUC_CT] = {
		GSC_BUFFER_OTHER, CT_MOST, NULL, "SOFT_SCRATCH_* GUC_STATUS", "guc-ct.bin" },
	[GSC_IMAGE_GUC_LOG] = { GSC_BUFFER_OTHER, LOG_MOST, NULL, "", "guc-log.bin" },
	[GSC_IMAGE_GUC_CAPTURE] = { GSC_BUFFER_OTHER, LOG_MOST, NULL, "", "guc-log.bin" },
	[GSC_IMAGE_FIRMWARE] = { GSC_BUFFER_OTHER, LOG_MOST, NULL, "", NULL },
	[GSC_IMAGE_GUC_LFD] = { GSC_BUFFER_OTHER, LOG_MOST, NULL, "", "guc_log_lfd" },
};

static enum gsc_status make_room(struct gsc_image *image, uint64_t size, struct gsc_error *err)
{
	free(image->words);
	image->words = calloc((size_t)size / 4 + 2, 4);
	return image_done(image->words, err);
}

/* ---- what a dump has ------------------------------------------------------------------------ */

void image_mark(struct gsc_image *image, const char *name, uint64_t address)
{
	struct gsc_image_about *about = &image->about;

	if (about->mark_count < ARRAY_SIZE(about->marks))
		about->marks[about->mark_count++] = (struct gsc_mark){ name, address };
}

/* The first that fits; the blamed one first, if no engine was requested. */
static bool find_buffer(const struct gsc_image *image, struct gsc_buffer_origin *found)
{
	struct gsc_buffer_origin b;
	bool any = false;

	for (size_t part = 0; part < gsc_source_count(image->gpu.source); part++) {
		for (size_t i = 0; gsc_source_buffer(image->gpu.source, part, i, &b); i++) {
			if (b.kind != kinds[image->about.kind].buffer || !b.data ||
			    image->about.kind == GSC_IMAGE_OA ||
			    (image->engine_given && strcmp(b.engine, image->about.engine)) ||
			    (any && !(b.flags & GSC_BUFFER_HUNG)))
				continue;
			*found = b;
			any = true;
			if (b.flags & GSC_BUFFER_HUNG)
				return true;
		}
	}
	return any;
}

/* Nothing is left out silently. If the length is known, the rest belongs to something else. */
static bool tell_rest(struct gsc_image *image, uint64_t given, bool own_length)
{
	if (image->bytes >= given)
		return true;
	if (own_length)
		return image_note(image, "only the first %zu of %llu bytes belong to it; the rest "
				  "is left out", image->bytes, LL(given));
	snprintf(image->about.cut, sizeof(image->about.cut),
		 "only the first %zu of %llu bytes are decoded", image->bytes, LL(given));
	return true;
}

static enum gsc_status take_buffer(struct gsc_image *image, const struct gsc_buffer_origin *b,
				   struct gsc_error *err)
{
	size_t size = (size_t)MIN(b->length, kinds[image->about.kind].most);
	enum gsc_status status = make_room(image, size, err);

	if (status)
		return status;
	memcpy(image->words, b->data, size);
	image->bytes = size;
	image->count = size / 4;
	if (*b->engine && image_engine(image, b->engine))
		image->engine_given = true;
	image->about.placed = b->space == GSC_GTTMEM;
	image->about.address = b->address;
	snprintf(image->about.from, sizeof(image->about.from), "%s of %s", b->name,
		 *b->engine ? b->engine : "an unnamed engine");
	if (!tell_rest(image, b->length, image->about.kind == GSC_IMAGE_HWSP))
		return err_memory(err);
	if (b->flags & GSC_BUFFER_CUT && size == b->length)
		snprintf(image->about.cut, sizeof(image->about.cut),
			 "the dump ends at byte 0x%zx of it", size);
	return image->about.kind == GSC_IMAGE_RING ? image_done(image_ring_buffer(image, b), err)
						   : GSC_OK;
}

/* ---- what is there --------------------------------------------------------------------------- */

static enum gsc_status read_place(struct gsc_image *image, const struct image_place *place,
				  struct gsc_error *err)
{
	struct graphics_memory memory;
	struct gsc_root root;
	uint64_t value;
	char name[64];
	bool known = !gsc_root_engine(&image->gpu, image->about.engine, &root, NULL);
	enum gsc_status status = make_room(image, place->size, err);

	if (status)
		return status;
	status = graphics_open(&memory, &image->gpu, known ? &root : NULL, err);
	if (status)
		return status;
	if (!place->physical)
		image->bytes = graphics_read(&memory, place->process, place->address, image->words,
					     (size_t)place->size);
	for (; place->physical && image->bytes < place->size; image->bytes += 4) {
		if (gsc_read(image->gpu.source, GSC_PHYS, place->address + image->bytes, 4, &value))
			break;
		image->words[image->bytes / 4] = (uint32_t)value;
	}
	gsc_reg_full_name(&place->reg, name, sizeof(name));
	snprintf(image->about.from, sizeof(image->about.from), "%.60s 0x%08llx", name,
		 LL(place->value));
	if (!image->bytes && !place->physical) {
		char why[200];

		graphics_why(&memory, place->process, place->address, why, sizeof(why));
		status = err_set(err, GSC_UNKNOWN, gsc_image_word(image->about.kind), "%s: %s",
				 image->about.from, why);
	} else if (!image->bytes) {
		status = err_set(err, GSC_UNKNOWN, gsc_image_word(image->about.kind),
				 "%s: no source holds this address", image->about.from);
	}
	graphics_close(&memory);
	image->count = image->bytes / 4;
	image->open_end = image->about.kind == GSC_IMAGE_CONTEXT;
	if (!image->open_end)
		image_cut(image, place->size);
	image->about.placed = !place->physical;
	image->about.address = place->address;
	return status;
}

/* A ring's registers say how long it is, and where. */
enum gsc_status image_copy(struct gsc_image *image, const void *data, size_t size,
			   struct gsc_error *err)
{
	bool own_length = image->about.kind == GSC_IMAGE_HWSP;
	struct image_place place = { .size = kinds[image->about.kind].most };
	enum gsc_status status;

	if (image->about.kind == GSC_IMAGE_RING && image->gpu.source &&
	    image_ring_place(image, &place)) {
		own_length = true;
		image->about.placed = true;
		image->about.address = place.address;
	}
	image->bytes = (size_t)MIN(size, place.size);
	status = make_room(image, image->bytes, err);
	if (status)
		return status;
	memcpy(image->words, data, image->bytes);
	image->count = image->bytes / 4;
	if (image->about.placed)
		image_cut(image, place.size);
	return image_done(tell_rest(image, size, own_length), err);
}

/* Of any engine that has one, if none was requested. */
static bool any_place(struct gsc_image *image, struct image_place *place)
{
	const struct gsc_view *view = image->gpu.view;
	const char *name;

	*place = (struct image_place){ .size = 0 };
	if (!kinds[image->about.kind].find)
		return false;
	if (image->engine_given)
		return kinds[image->about.kind].find(image, place);
	for (size_t i = 0; (name = gsc_platform_engine(view->db, view->platform, i, NULL)); i++) {
		*place = (struct image_place){ .size = 0 };
		if (image_engine(image, name) && kinds[image->about.kind].find(image, place)) {
			image->engine_given = true;
			return true;
		}
	}
	return false;
}

/* What a dump keeps as a file of its own: "gt0/guc-ct.bin". */
static bool find_member(const struct gsc_image *image, struct gsc_member *member)
{
	const char *end = kinds[image->about.kind].member;

	for (size_t part = 0; end && part < gsc_source_count(image->gpu.source); part++)
		for (member->next = 0; gsc_capture_member(image->gpu.source, part, member);)
			if (slice_ends(slice_string(member->name), end) && member->held)
				return true;
	return false;
}

enum gsc_status image_find(struct gsc_image *image, struct gsc_error *err)
{
	struct gsc_member member = { .next = 0 };
	struct gsc_buffer_origin b;
	struct image_place place;
	enum gsc_status status;

	if (!image->gpu.source)
		return err_set(err, GSC_USAGE, gsc_image_word(image->about.kind),
			       "neither bytes nor a source was given");
	if (find_member(image, &member)) {
		string_set(image->about.from, "%.90s", member.name);
		status = image_copy(image, member.data, (size_t)member.held, err);
		if (!status && member.held < member.size)
			image_cut(image, member.size);
		return status;
	}
	if (find_buffer(image, &b))
		return take_buffer(image, &b, err);
	if (any_place(image, &place))
		return read_place(image, &place, err);
	return err_set(err, GSC_UNKNOWN, gsc_image_word(image->about.kind),
		       "the source has no such image%s%s, and no register in it has the address of "
		       "one", image->engine_given ? " of " : "",
		       image->engine_given ? image->about.engine : "");
}

/* ---- registers that explain ----------------------------------------------------------------- */

bool image_aside(struct gsc_image *image)
{
	struct gsc_row row = { .status = GSC_READ_OK };
	struct gsc_image_part *part = NULL;

	for (size_t i = 0; i < gsc_view_count(image->gpu.view); i++) {
		gsc_view_reg(image->gpu.view, i, &row.reg);
		if (!row.reg.name || !glob_list(kinds[image->about.kind].explains, row.reg.name) ||
		    (row.reg.engine && strcmp(row.reg.engine, image->about.engine)))
			continue;
		if (!image_register(image, row.reg.name, row.reg.index, &row.reg, &row.value))
			continue;
		if (!part && !(part = image_add(image, "REGISTERS", -1, 0, 0)))
			return false;
		part->aside = true;
		if (!image_add_row(image, &row))
			return false;
		part = &image->parts.items[image->parts.count - 1];
	}
	return true;
}
