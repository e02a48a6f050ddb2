/* SPDX-License-Identifier: MIT */
/* What the image of a logical context says of its page tables. */
#include "gtt/context.h"

#include "db/view.h"
#include "gtt/gtt.h"
#include "source/source.h"

#include <stdio.h>

#define MI_NOOP 0x00
#define MI_LOAD_REGISTER_IMM 0x22
#define REGISTER_PAGE 0x1000		/* each engine's registers begin at a multiple of it */
#define MI_OFFSET 0x7ffffc
#define PASID_MASK 0xfffff

/* ---- bytes of the image --------------------------------------------------------------------- */

static enum gsc_status ggtt_translation(struct gsc_translation **translation,
					struct gsc_source *source, const struct gsc_view *view,
					struct gsc_error *err)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };

	return gsc_translation_new(translation, source, view, &options, err);
}

/* Some sources know memory by its graphics address alone. */
static size_t read_named(struct gsc_source *source, uint64_t address, uint8_t *buf, size_t size)
{
	size_t done = 0;
	uint64_t value;

	while (done + 4 <= size && !gsc_read(source, GSC_GTTMEM, address + done, 4, &value)) {
		for (unsigned i = 0; i < 4; i++)
			buf[done++] = (uint8_t)(value >> 8 * i);
	}
	return done;
}

/* The memory that the walk ends in, or the table that it stops at, may be there, but not for us. */
static enum gsc_status miss_status(struct gsc_source *source, const struct gsc_walk *walk)
{
	const struct gsc_step *step;
	uint64_t value;

	if (walk->mapped)
		return status_of_read(gsc_read(source, walk->space, walk->physical, 4, &value));
	if (walk->stop != GSC_STOP_NO_MEMORY || walk->stop_step < 0)
		return GSC_UNKNOWN;
	step = &walk->steps[walk->stop_step];
	return status_of_read(gsc_read(source, step->space, step->address, 4, &value));
}

/* Why the walk gives nothing, in its own words. */
static enum gsc_status not_there(struct gsc_translation *translation, uint64_t address,
				 const char *what, struct gsc_error *err)
{
	struct gsc_walk *walk = malloc(sizeof(*walk));
	enum gsc_status status;

	if (!walk)
		return err_memory(err);
	gsc_walk(translation, address, GSC_INTENT_READ, walk);
	status = miss_status(translation->source, walk);
	if (walk->mapped)
		status = err_set(err, status, what,
				 "%s its state, %s:0x%llx (graphics address 0x%llx)",
				 status == GSC_DENIED ? "nobody lets us read" :
				 status == GSC_GONE ? "the device does not give" :
						      "no source holds",
				 gsc_space_name(walk->space),
				 (unsigned long long)walk->physical, (unsigned long long)address);
	else
		status = err_set(err, status, what, "its state at graphics address 0x%llx: %s",
				 (unsigned long long)address, walk->stop_text);
	free(walk);
	return status;
}

static enum gsc_status read_state(struct gsc_source *source, const struct gsc_view *view,
				  uint64_t address, uint8_t *buf, size_t *size,
				  struct gsc_error *err)
{
	struct gsc_translation *translation;
	enum gsc_status status;
	char what[40];

	*size = read_named(source, address, buf, CONTEXT_STATE_BYTES);
	if (*size)
		return GSC_OK;
	status = ggtt_translation(&translation, source, view, err);
	if (status)
		return status;
	*size = gsc_translated_read(translation, address, buf, CONTEXT_STATE_BYTES) & ~(size_t)3;
	snprintf(what, sizeof(what), "context 0x%08llx",
		 (unsigned long long)address - CONTEXT_STATE);
	if (!*size)
		status = not_there(translation, address, what, err);
	gsc_translation_free(translation);
	return status;
}

/* ---- its lists of registers ----------------------------------------------------------------- */

/* Takes the pairs of one list; all registers of the image are those of one engine. */
static void take_list(struct context_image *image, const uint8_t *pairs, size_t count,
		      uint64_t *base)
{
	for (size_t i = 0; i < count && image->count < ARRAY_SIZE(image->registers); i++) {
		uint32_t offset = (uint32_t)load_le(pairs + 8 * i, 4) & MI_OFFSET;

		if (*base == UINT64_MAX)
			*base = offset & ~(REGISTER_PAGE - 1u);
		if ((offset & ~(REGISTER_PAGE - 1u)) != *base)
			continue;
		image->registers[image->count++] = (struct context_register){
			offset % REGISTER_PAGE, (uint32_t)load_le(pairs + 8 * i + 4, 4) };
	}
}

/* MI_LOAD_REGISTER_IMM lists with MI_NOOP between them, up to anything else. */
static void take_lists(struct context_image *image, const uint8_t *state, size_t size)
{
	uint64_t base = UINT64_MAX;

	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t header = (uint32_t)load_le(state + at, 4);
		size_t dwords = (header & 0xff) + 1, pairs;

		if (header >> 23 == MI_NOOP)
			continue;
		if (header >> 23 != MI_LOAD_REGISTER_IMM)
			return;
		pairs = MIN(dwords, (size - at - 4) / 4) / 2;
		take_list(image, state + at + 4, pairs, &base);
		at += dwords * 4;
	}
}

enum gsc_status context_read(struct gsc_source *source, const struct gsc_view *view,
			     uint64_t descriptor, struct context_image *image,
			     struct gsc_error *err)
{
	uint8_t state[CONTEXT_STATE_BYTES];
	enum gsc_status status;
	char what[40];
	size_t size;

	image->address = descriptor & DESCRIPTOR_LRCA;
	image->count = 0;
	status = read_state(source, view, image->address + CONTEXT_STATE, state, &size, err);
	if (status)
		return status;
	take_lists(image, state, size);
	if (image->count)
		return GSC_OK;
	snprintf(what, sizeof(what), "context 0x%08llx", (unsigned long long)image->address);
	return err_set(err, GSC_UNKNOWN, what,
		       "no image of a context: no MI_LOAD_REGISTER_IMM at graphics address 0x%llx",
		       (unsigned long long)image->address + CONTEXT_STATE);
}

bool context_value(const struct context_image *image, uint32_t offset, uint32_t *value)
{
	for (size_t i = image->count; i-- > 0;) {
		if (image->registers[i].offset != offset)
			continue;
		*value = image->registers[i].value;
		return true;
	}
	return false;
}

/* ---- its root ------------------------------------------------------------------------------- */

enum gsc_status root_of_pointers(const uint64_t pointers[4], uint64_t descriptor,
				 struct gsc_root *root, struct gsc_error *err)
{
	bool says = descriptor_says_mode(descriptor);
	bool four = pointers[1] || pointers[2] || pointers[3];

	if (says && !(descriptor & DESCRIPTOR_LEGACY)) {
		root->mode = GSC_MODE_IA32E;
		root->value[0] = pointers[0] & PASID_MASK;
		root->count = 0;
		return err_set(err, GSC_UNKNOWN, root->from,
			       "an advanced context of PASID %llu: its tables are found through "
			       "VT-d: --pasid %llu --rtaddr VALUE",
			       (unsigned long long)root->value[0],
			       (unsigned long long)root->value[0]);
	}
	if (says)
		four = !(descriptor & DESCRIPTOR_48BIT);
	root->mode = four ? GSC_MODE_PDP32 : GSC_MODE_PML4;
	root->count = four ? 4 : 1;
	for (unsigned i = 0; i < root->count; i++)
		root->value[i] = pointers[i];
	return GSC_OK;
}

/* A register's place among those of its engine; that of an engine will do for all. */
static bool relative_place(const struct gsc_view *view, const char *name, int index,
			   uint32_t *offset)
{
	unsigned engine_class, instance;
	struct gsc_reg reg;
	uint32_t base;
	const char *engine = gsc_platform_engine(view->db, view->platform, 0, &engine_class,
						 &instance, &base);

	if (!engine || !view_find(view, engine, name, index, &reg))
		return false;
	*offset = (uint32_t)reg.offset - base;
	return true;
}

static bool image_pointer(const struct gsc_view *view, const struct context_image *image, int i,
			  uint64_t *pointer)
{
	uint32_t low_at, high_at, low, high;

	if (!relative_place(view, "RING_PDP_LDW", i, &low_at) ||
	    !relative_place(view, "RING_PDP_UDW", i, &high_at) ||
	    !context_value(image, low_at, &low) || !context_value(image, high_at, &high))
		return false;
	*pointer = (uint64_t)high << 32 | low;
	return true;
}

static enum gsc_status image_root(const struct gsc_view *view, const struct context_image *image,
				  uint64_t descriptor, struct gsc_root *root,
				  struct gsc_error *err)
{
	uint64_t pointers[4] = { 0 };

	if (!image_pointer(view, image, 0, &pointers[0]))
		return err_set(err, GSC_UNKNOWN, root->from,
			       "its image has %zu registers, but RING_PDP_LDW[0] and "
			       "RING_PDP_UDW[0] are not among them", image->count);
	for (int i = 1; i < 4; i++)
		image_pointer(view, image, i, &pointers[i]);
	return root_of_pointers(pointers, descriptor, root, err);
}

enum gsc_status gsc_root_context(struct gsc_source *source, const struct gsc_view *view,
				 uint64_t descriptor, struct gsc_root *root, struct gsc_error *err)
{
	struct context_image *image;
	struct gsc_platform p;
	enum gsc_status status;

	memset(root, 0, sizeof(*root));
	snprintf(root->from, sizeof(root->from), "context 0x%08x",
		 (unsigned)(descriptor & DESCRIPTOR_LRCA));
	if (gsc_platform_at(view->db, view->platform, &p) && p.graphics < 800)
		return err_set(err, GSC_USAGE, root->from,
			       "contexts of %s do not tell their page tables (Gen8 and later do)",
			       p.name);
	image = malloc(sizeof(*image));
	if (!image)
		return err_memory(err);
	status = context_read(source, view, descriptor, image, err);
	if (!status)
		status = image_root(view, image, descriptor, root, err);
	free(image);
	return status;
}
