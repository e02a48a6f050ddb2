/* SPDX-License-Identifier: MIT */
#include "gpu-for.h"
#include "gtt/walk.h"
#include "table-helpers.h"

#include "source-helpers.h"
#include "source/part.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096

void image_init(struct image *m, uint64_t base, uint64_t size)
{
	*m = (struct image){ .bytes = calloc(1, size), .base = base, .size = size };
	CU_ASSERT_PTR_NOT_NULL_FATAL(m->bytes);
}

void image_free(struct image *m)
{
	free(m->bytes);
	m->bytes = NULL;
}

uint64_t image_page(struct image *m)
{
	uint64_t address = m->base + m->used;

	CU_ASSERT_FATAL(m->size - m->used >= PAGE);
	m->used += PAGE;
	return address;
}

static uint8_t *place(const struct image *m, uint64_t address, unsigned size)
{
	CU_ASSERT_FATAL(address >= m->base && address - m->base <= m->size - size);
	return m->bytes + (address - m->base);
}

void image_put(struct image *m, uint64_t address, unsigned size, uint64_t value)
{
	uint8_t *at = place(m, address, size);

	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

uint64_t image_get(const struct image *m, uint64_t address, unsigned size)
{
	return load_le(place(m, address, size), size);
}

/* ---- sources ---------------------------------------------------------------------------- */

static struct rig rig_of(struct gsc_source *source)
{
	struct rig rig = { .source = source };
	struct gsc_error err;

	if (gsc_view_new(&rig.view, (struct gsc_db *)source->db,
			 (unsigned)gsc_source_platform(source), 0, &err))
		CU_FAIL_FATAL("no view");
	return rig;
}

struct rig rig_open(const struct image *m, const char *platform)
{
	char *path = temporary_file(m->bytes, m->size), format[64];
	struct gsc_source *source;

	snprintf(format, sizeof(format), "mem:%%s@0x%llx", (unsigned long long)m->base);
	source = open_spec(format, path, platform);
	drop_file(path);
	return rig_of(source);
}

struct rig rig_demo(const char *spec)
{
	return rig_of(open_specs(&spec, 1, NULL));
}

void rig_close(struct rig *rig)
{
	gsc_view_free(rig->view);
	gsc_source_close(rig->source);
}

struct gsc_translation *rig_translation(const struct rig *rig,
					const struct gsc_translation_options *options)
{
	struct gsc_translation *t;
	struct gsc_error err;

	if (gsc_translation_new(&t, gpu_for(rig->source, rig->view), options, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		CU_FAIL_FATAL("no translation");
	}
	return t;
}

/* ---- spaces ----------------------------------------------------------------------------- */

/* Tables anywhere below: far apart, and not in order. */
#define STRIDE UINT64_C(0x40003000)

static uint64_t new_table(struct space *s)
{
	uint64_t page = image_page(s->m), address = page;

	CU_ASSERT_FATAL(s->count < SPACE_TABLES);
	if (s->below && s->shift) {
		address = page + s->shift;
	} else if (s->below) {
		address = s->next;
		s->next = (s->next + STRIDE) & UINT64_C(0x7ffffff000);
		space_set(s->below, address, 12, page | 3);
	}
	s->tables[s->count].address = address;
	s->tables[s->count++].place = page;
	return address;
}

static uint64_t table_place(const struct space *s, uint64_t address)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->tables[i].address == address)
			return s->tables[i].place;
	CU_FAIL_FATAL("no such table");
	return 0;
}

void space_init(struct space *s, struct image *m, struct space *below, unsigned top,
		uint64_t flags)
{
	*s = (struct space){ .m = m, .below = below, .top = top, .flags = flags,
			     .next = 0x2345678000 };
	s->root = 0;
}

uint64_t space_entry(struct space *s, uint64_t address, unsigned low)
{
	uint64_t table;

	if (!s->root)
		s->root = new_table(s);
	table = s->root;
	for (unsigned at = s->top;; at -= 9) {
		uint64_t entry = table_place(s, table) + (address >> at & 511) * 8;

		if (at <= low)
			return entry;
		if (!image_get(s->m, entry, 8))
			image_put(s->m, entry, 8, new_table(s) | s->flags);
		table = image_get(s->m, entry, 8) & UINT64_C(0xffffffffff000);
	}
}

void space_set(struct space *s, uint64_t address, unsigned low, uint64_t entry)
{
	image_put(s->m, space_entry(s, address, low), 8, entry);
}
