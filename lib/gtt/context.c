/* SPDX-License-Identifier: MIT */
/* What the image of a logical context says about its page tables. */
#include "gtt/context.h"

#include "db/view.h"
#include "gtt/gtt.h"
#include "source/part.h"

#include <stdio.h>
#include <string.h>

#define MI_NOOP 0x00
#define REGISTER_PAGE 0x1000		/* each engine's registers begin at a multiple of it */
#define PASID_MASK 0xfffff

/* ---- bytes of the image --------------------------------------------------------------------- */

/* Some sources know memory by its graphics address alone. If a walk fails, it says why. */
static enum gsc_status read_state(const struct gsc_gpu *gpu, uint64_t address, uint8_t *buf,
				  size_t *size, struct gsc_error *err)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_translation *translation;
	enum gsc_status status = gpu_needs_source(gpu, err);
	struct gsc_walk walk;
	char what[40], why[sizeof(walk.stop_text) + 64];
	uint64_t value;

	*size = 0;
	if (status)
		return status;
	for (; *size < CONTEXT_STATE_BYTES; *size += 4) {
		if (gsc_read(gpu->source, GSC_GTTMEM, address + *size, 4, &value))
			break;
		memcpy(buf + *size, &value, 4);
	}
	if (*size)
		return GSC_OK;
	status = gsc_translation_new(&translation, gpu, &options, err);
	if (status)
		return status;
	*size = gsc_translated_read(translation, address, buf, CONTEXT_STATE_BYTES) & ~(size_t)3;
	if (!*size) {
		snprintf(what, sizeof(what), "context 0x%08llx", LL(address) - CONTEXT_STATE);
		gsc_walk(translation, address, GSC_INTENT_READ, &walk);
		status = gsc_walk_why(translation, &walk, why, sizeof(why));
		err_set(err, status, what, "its state at graphics address 0x%llx: %s",
			LL(address), why);
	}
	gsc_translation_free(translation);
	return status;
}

/* ---- its lists of registers ----------------------------------------------------------------- */

/*
 * The registers of a state: MI_LOAD_REGISTER_IMM lists with MI_NOOP between them, up to anything
 * else. Only those of the engine that the first one belongs to count; there may be others among
 * them.
 */
struct loads {
	const uint8_t *state;
	size_t size;
	size_t at, pairs;		/* the next pair, and how many pairs its list has left */
	size_t end;			/* of the list */
	uint32_t page;			/* of the engine's registers */
	bool begun;			/* it is known */
	/* The last one. */
	uint32_t offset;		/* in the page */
	size_t value;			/* where its value is */
};

/* False after the last list. */
static bool next_load(struct loads *l)
{
	for (;;) {
		uint32_t word;

		if (!l->pairs) {
			if (l->end + 4 > l->size)
				return false;
			word = (uint32_t)load_le(l->state + l->end, 4);
			l->end += 4;
			l->at = l->end;
			if (word >> 23 == MI_NOOP)
				continue;
			if (word >> 23 != MI_LOAD_REGISTER_IMM)
				return false;
			l->end += ((word & 0xff) + 1) * 4;
			l->pairs = (MIN(l->end, l->size) - l->at) / 8;
			continue;
		}
		l->pairs--;
		word = (uint32_t)load_le(l->state + l->at, 4) & LOAD_OFFSET;
		l->value = l->at + 4;
		l->at += 8;
		if (!l->begun)
			l->page = word / REGISTER_PAGE;
		l->begun = true;
		l->offset = word % REGISTER_PAGE;
		if (word / REGISTER_PAGE == l->page)
			return true;
	}
}

void context_change(uint8_t *state, size_t size, uint32_t offset, uint32_t value)
{
	struct loads l = { .state = state, .size = size };

	while (next_load(&l))
		if (l.offset == offset)
			memcpy(state + l.value, &value, 4);
}

enum gsc_status context_read(const struct gsc_gpu *gpu, uint64_t descriptor,
			     struct context_image *image, struct gsc_error *err)
{
	uint8_t state[CONTEXT_STATE_BYTES];
	struct loads l = { .state = state };
	enum gsc_status status;
	char what[40];

	image->address = descriptor & GSC_LRCA;
	image->count = 0;
	status = read_state(gpu, image->address + CONTEXT_STATE, state, &l.size, err);
	if (status)
		return status;
	while (image->count < ARRAY_SIZE(image->registers) && next_load(&l))
		image->registers[image->count++] = (struct context_register){
			l.offset, (uint32_t)load_le(state + l.value, 4) };
	if (image->count)
		return GSC_OK;
	snprintf(what, sizeof(what), "context 0x%08llx", LL(image->address));
	return err_set(err, GSC_UNKNOWN, what,
		       "no image of a context: no MI_LOAD_REGISTER_IMM at graphics address 0x%llx",
		       LL(image->address) + CONTEXT_STATE);
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
			       "VT-d: --pasid %llu --rtaddr VALUE", LL(root->value[0]),
			       LL(root->value[0]));
	}
	if (says)
		four = !(descriptor & DESCRIPTOR_48BIT);
	root->mode = four ? GSC_MODE_PDP32 : GSC_MODE_PML4;
	root->count = four ? 4 : 1;
	for (unsigned i = 0; i < root->count; i++)
		root->value[i] = pointers[i];
	return GSC_OK;
}

/* Half of a pointer; any engine's registers lie at the same offsets. */
static bool image_half(const struct gsc_view *view, const struct context_image *image,
		       const char *name, int i, uint32_t *value)
{
	struct gsc_engine_place first;
	struct gsc_reg reg;
	const char *engine = gsc_platform_engine(view->db, view->platform, 0, &first);

	return engine && view_find(view, engine, name, i, &reg) &&
	       context_value(image, (uint32_t)reg.offset - first.base, value);
}

static enum gsc_status root_begin(const struct gsc_gpu *gpu, uint64_t descriptor,
				  struct gsc_root *root, struct gsc_error *err)
{
	memset(root, 0, sizeof(*root));
	snprintf(root->from, sizeof(root->from), "context 0x%08x",
		 (unsigned)(descriptor & GSC_LRCA));
	if (platform_has(&gpu->platform, PROPERTY_EXECLISTS))
		return GSC_OK;
	return err_set(err, GSC_USAGE, root->from,
		       "contexts of %s do not hold their page tables (those of Gen8 and later do)",
		       gpu->platform.name);
}

enum gsc_status context_image_root(const struct gsc_gpu *gpu, const struct context_image *image,
				   uint64_t descriptor, struct gsc_root *root,
				   struct gsc_error *err)
{
	enum gsc_status status = root_begin(gpu, descriptor, root, err);
	uint64_t pointers[4] = { 0 };

	if (status)
		return status;
	for (int i = 0; i < 4; i++) {
		uint32_t low, high;

		if (image_half(gpu->view, image, "RING_PDP_LDW", i, &low) &&
		    image_half(gpu->view, image, "RING_PDP_UDW", i, &high))
			pointers[i] = (uint64_t)high << 32 | low;
		else if (!i)
			return err_set(err, GSC_UNKNOWN, root->from,
				       "its image has %zu registers, but RING_PDP_LDW[0] and "
				       "RING_PDP_UDW[0] are not among them", image->count);
	}
	return root_of_pointers(pointers, descriptor, root, err);
}

enum gsc_status gsc_root_context(const struct gsc_gpu *gpu, uint64_t descriptor,
				 struct gsc_root *root, struct gsc_error *err)
{
	struct context_image *image;
	enum gsc_status status = root_begin(gpu, descriptor, root, err);

	if (status)
		return status;
	image = malloc(sizeof(*image));
	if (!image)
		return err_memory(err);
	status = context_read(gpu, descriptor, image, err);
	if (!status)
		status = context_image_root(gpu, image, descriptor, root, err);
	free(image);
	return status;
}
