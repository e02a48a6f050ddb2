/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include "formats/capture.h"

#include <stdio.h>

/* One moment for all members, so that the same source gives the same bytes. */
#define CAPTURE_TIME 1735689600		/* 2025-01-01 */

void die(const char *format, ...)
{
	va_list args;

	fputs("build-demo: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static bool overlaps(const struct window *w, enum gsc_space space, uint64_t start, uint64_t length)
{
	return w->space == space && start < w->start + w->length && w->start < start + length;
}

void hold(struct machine *m, enum gsc_space space, uint64_t start, uint64_t length)
{
	struct window *w;

	for (size_t i = 0; i < m->windows.count; i++)
		if (overlaps(&m->windows.items[i], space, start, length))
			die("%s 0x%llx is held twice", gsc_space_name(space),
			    (unsigned long long)start);
	w = vec_add(&m->windows);
	if (!w)
		die("out of memory");
	*w = (struct window){ .space = space, .start = start, .length = length };
	w->data = calloc(1, length);
	if (!w->data)
		die("out of memory");
}

void hold_status(struct machine *m, uint64_t start, uint64_t length, enum gsc_read status)
{
	struct hole *hole = vec_add(&m->holes);

	if (!hole)
		die("out of memory");
	*hole = (struct hole){ start, length, status };
}

static uint8_t *find_bytes(const struct machine *m, enum gsc_space space, uint64_t address,
			   unsigned size)
{
	for (size_t i = 0; i < m->windows.count; i++) {
		const struct window *w = &m->windows.items[i];

		if (w->space == space && address >= w->start &&
		    address + size <= w->start + w->length)
			return w->data + (address - w->start);
	}
	die("%s 0x%llx is not held", gsc_space_name(space), (unsigned long long)address);
}

void poke(struct machine *m, enum gsc_space space, uint64_t address, unsigned size, uint64_t value)
{
	uint8_t *byte = find_bytes(m, space, address, size);

	for (; size; size--, value >>= 8)
		*byte++ = (uint8_t)value;
}

uint64_t peek(const struct machine *m, enum gsc_space space, uint64_t address, unsigned size)
{
	const uint8_t *byte = find_bytes(m, space, address, size);
	uint64_t value = 0;

	while (size)
		value = value << 8 | byte[--size];
	return value;
}

void poke_all(struct machine *m, enum gsc_space space, uint32_t base,
	      const struct setting *settings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		poke(m, space, base + settings[i].offset, 4, settings[i].value);
}

uint64_t page_alloc(struct machine *m, bool held)
{
	uint64_t number = (m->pages & ~UINT64_C(31)) | (m->pages * 13 & 31);
	uint64_t address = m->memory + number * PAGE_SIZE;

	m->pages++;
	if (held)
		hold(m, GSC_PHYS, address, PAGE_SIZE);
	return address;
}

void object_create(struct object *object, struct machine *m, unsigned pages, unsigned held)
{
	*object = (struct object){ .m = m, .count = pages };
	if (pages > ARRAY_SIZE(object->page))
		die("an object of %u pages", pages);
	for (unsigned i = 0; i < pages; i++)
		object->page[i] = page_alloc(m, i < held);
}

static uint64_t object_place(const struct object *object, uint64_t offset)
{
	if (offset / PAGE_SIZE >= object->count)
		die("offset 0x%llx lies outside of its object", (unsigned long long)offset);
	return object->page[offset / PAGE_SIZE] + offset % PAGE_SIZE;
}

void object_write(struct object *object, uint64_t offset, unsigned size, uint64_t value)
{
	poke(object->m, GSC_PHYS, object_place(object, offset), size, value);
}

uint64_t object_read(const struct object *object, uint64_t offset, unsigned size)
{
	return peek(object->m, GSC_PHYS, object_place(object, offset), size);
}

static int compare_windows(const void *a, const void *b)
{
	const struct window *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* How many windows from the first on are contiguous; *length is their size. */
static size_t run_length(const struct window *w, size_t count, uint64_t *length)
{
	size_t n = 1;

	*length = w[0].length;
	while (n < count && w[n].space == w[0].space && w[n].start == w[0].start + *length)
		*length += w[n++].length;
	return n;
}

static void write_windows(const struct machine *m, struct capture *capture)
{
	size_t run;

	for (size_t i = 0; i < m->windows.count; i += run) {
		const struct window *w = &m->windows.items[i];
		uint64_t length;

		run = run_length(w, m->windows.count - i, &length);
		capture_piece_begin(capture, w->space, w->start, length);
		for (size_t k = 0; k < run; k++)
			capture_data(capture, w[k].data, (size_t)w[k].length);
	}
}

bool machine_write(struct machine *m, int fd)
{
	struct capture capture;

	qsort(m->windows.items, m->windows.count, sizeof(struct window), compare_windows);
	capture_begin(&capture, capture_write_fd, &fd, CAPTURE_TIME);
	capture_info(&capture, "platform", "%s", m->platform);
	capture_info(&capture, "device", "0x%04x", m->device);
	capture_info(&capture, "revision", "0x%02x", m->revision);
	capture_info(&capture, "story", "%s", m->story);
	capture_info(&capture, "tool", "gpuscope, built-in demo");
	write_windows(m, &capture);
	for (size_t i = 0; i < m->holes.count; i++)
		capture_status(&capture, GSC_MMIO, m->holes.items[i].start,
			       m->holes.items[i].length, m->holes.items[i].status);
	return capture_end(&capture);
}

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->windows.count; i++)
		free(m->windows.items[i].data);
	vec_free(&m->windows);
	vec_free(&m->holes);
}
