/* SPDX-License-Identifier: MIT */
/* Rings: commands, and where head and tail are in them. */
#include "image/image.h"

#include "formats/contents.h"

static bool tell_ring(struct gsc_image *image, const struct ring *ring)
{
	bool head_out = ring->head >= ring->bytes;

	if (head_out || ring->tail >= ring->bytes)
		return image_note(image, "ring of %llu bytes at ggtt:0x%llx: %s 0x%llx lies "
				  "outside of it", LL(ring->bytes), LL(ring->start),
				  head_out ? "head" : "tail",
				  LL(head_out ? ring->head : ring->tail));
	return image_note(image, "ring of %llu bytes at ggtt:0x%llx: head 0x%llx, tail 0x%llx%s: "
			  "%llu bytes used, %llu free%s", LL(ring->bytes), LL(ring->start),
			  LL(ring->head), LL(ring->tail),
			  ring->tail < ring->head ? " (wrapped)" : "", LL(ring->used),
			  LL(ring->free), ring->enabled ? "" : "; the ring is not enabled");
}

bool image_ring_note(struct gsc_image *image, uint64_t start, uint64_t control, uint64_t head,
		     uint64_t tail)
{
	const uint64_t *const values[RING_REGISTERS] = {
		[RING_START] = &start, [RING_CONTROL] = &control,
		[RING_HEAD] = &head, [RING_TAIL] = &tail,
	};
	struct ring ring = { 0 };

	ring_of_registers(&ring, image->gpu.view, image->about.engine, values);
	return tell_ring(image, &ring);
}

bool image_ring_buffer(struct gsc_image *image, const struct gsc_buffer_origin *b)
{
	const unsigned both = GSC_BUFFER_HEAD | GSC_BUFFER_TAIL;
	struct ring ring = { .start = b->address, .bytes = b->length, .enabled = true };
	uint64_t control;
	const uint64_t *const values[RING_REGISTERS] = { [RING_CONTROL] = &control };

	if (image_register(image, "RING_BUFFER_CONTROL", -1, NULL, &control))
		ring_of_registers(&ring, image->gpu.view, image->about.engine, values);
	else if (b->flags & GSC_BUFFER_CUT)
		ring.bytes = 0;
	ring.head = b->head;
	ring.tail = b->tail;
	image_cut(image, ring.bytes);
	if (b->flags & GSC_BUFFER_HEAD)
		image_mark(image, "HEAD", b->address + b->head);
	if (b->flags & GSC_BUFFER_TAIL)
		image_mark(image, "TAIL", b->address + b->tail);
	if (b->flags & GSC_BUFFER_ACTHD)
		image_mark(image, "ACTHD", b->acthd);
	if ((b->flags & both) != both)
		return image_note(image, "the dump has no head or tail of this ring");
	if (!ring.bytes)
		return image_note(image,
				  "head 0x%llx, tail 0x%llx; the length of the ring is not known",
				  LL(b->head), LL(b->tail));
	ring_measure(&ring);
	return tell_ring(image, &ring);
}

bool image_ring_place(struct gsc_image *image, struct image_place *place)
{
	struct ring ring = { 0 };
	uint64_t control, head, tail;
	const uint64_t *values[RING_REGISTERS] = {
		[RING_START] = &place->value, [RING_CONTROL] = &control,
	};

	if (!image_register(image, "RING_BUFFER_START", -1, &place->reg, &place->value) ||
	    !image_register(image, "RING_BUFFER_CONTROL", -1, NULL, &control))
		return false;
	if (image_register(image, "RING_BUFFER_HEAD", -1, NULL, &head))
		values[RING_HEAD] = &head;
	if (image_register(image, "RING_BUFFER_TAIL", -1, NULL, &tail))
		values[RING_TAIL] = &tail;
	ring_of_registers(&ring, image->gpu.view, image->about.engine, values);
	if (!ring.enabled)
		return false;
	place->address = ring.start;
	place->size = ring.bytes;
	if (!values[RING_HEAD] || !values[RING_TAIL])
		return image_note(image, "head and tail of the ring are not known");
	image_mark(image, "HEAD", place->address + ring.head);
	image_mark(image, "TAIL", place->address + ring.tail);
	return tell_ring(image, &ring);
}

enum gsc_status image_ring(struct gsc_image *image, struct gsc_error *err)
{
	struct gsc_image_part *part;

	if (!image->count)
		return err_set(err, GSC_FAILED, "ring", "there are fewer than 4 bytes");
	if (image->bytes % 4)
		image_cut(image, (image->bytes + 3) & ~UINT64_C(3));
	part = image_add(image, "RING", -1, 0, (uint64_t)image->count * 4);
	if (!part)
		return err_memory(err);
	part->commands = true;
	return GSC_OK;
}
