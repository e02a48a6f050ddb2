/* SPDX-License-Identifier: MIT */
#include "gpu-for.h"
#include "gtt/map.h"
#include "gtt/walk.h"
#include "open/open.h"
#include "space-builder.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096u

const struct space_kind space_kinds[] = {
	{ "skl", GSC_MODE_PML4, 4, 8, { 9, 9, 9, 9 }, 48, 39, true, true },
	{ "tgl", GSC_MODE_PML4, 4, 8, { 9, 9, 9, 9 }, 48, 46, true, true },
	{ "bdw", GSC_MODE_PML4, 4, 8, { 9, 9, 9, 9 }, 48, 39, true, false },
	{ "icl", GSC_MODE_IA32E, 4, 8, { 9, 9, 9, 9 }, 48, 39, true, true },
	{ "skl", GSC_MODE_PDP32, 3, 8, { 2, 9, 9 }, 32, 39, false, true },
	{ "lnl", GSC_MODE_PML4, 5, 8, { 9, 9, 9, 9, 9 }, 48, 46, true, false },
	{ "snb", GSC_MODE_2LEVEL, 2, 4, { 9, 10 }, 31, 40, false, false },
	{ "hsw", GSC_MODE_2LEVEL, 2, 4, { 9, 10 }, 31, 39, false, false },
	{ "brw", GSC_MODE_FLAT, 1, 4, { 18 }, 30, 36, false, false },
	{ "skl", GSC_MODE_GGTT, 1, 8, { 20 }, 32, 39, false, false },
	{ "snb", GSC_MODE_GGTT, 1, 4, { 19 }, 31, 40, false, false },
	{ "ctg", GSC_MODE_GGTT, 1, 4, { 19 }, 31, 36, false, false },
};
const size_t space_kind_count = sizeof(space_kinds) / sizeof(space_kinds[0]);

#define FLAT_BYTES 0x20000u		/* PGTBL_CTL2 size 0 is 64 KB, 1 is 128 KB */
#define DIRECTORY 0x1c0000u		/* of 2level, in bytes of the global table */

/* ---- the space ---------------------------------------------------------------------------- */

uint32_t space_random(struct space *space, uint32_t below)
{
	space->seed ^= space->seed << 13;
	space->seed ^= space->seed >> 17;
	space->seed ^= space->seed << 5;
	return (uint32_t)((uint64_t)space->seed * below >> 32);
}

static uint64_t random_physical(struct space *space, uint64_t size)
{
	uint64_t high = space_random(space, UINT32_MAX), low = space_random(space, UINT32_MAX);

	return (high << 32 | low) & ((UINT64_C(1) << space->kind->address_bits) - 1) & ~(size - 1);
}

static void take_image(struct space *space, uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address / PAGE; page < (address + bytes) / PAGE; page++) {
		space->used[page] = true;
		space->used_count++;
	}
}

void space_new(struct space *space, const struct space_kind *kind, uint32_t seed)
{
	memset(space, 0, sizeof(*space));
	space->kind = kind;
	space->seed = seed * 2654435761u + 1;
	space->image = calloc(IMAGE_PAGES, PAGE);
	if (kind->mode == GSC_MODE_GGTT || kind->mode == GSC_MODE_2LEVEL) {
		space->ggtt_bytes = kind->mode == GSC_MODE_2LEVEL ?
					    0x200000 :
					    ((size_t)1 << kind->bits[0]) * kind->bytes;
		space->ggtt = calloc(1, space->ggtt_bytes);
	} else if (kind->mode == GSC_MODE_FLAT) {
		space->roots[0] = 0x40000;
		take_image(space, 0x40000, FLAT_BYTES);
	} else if (kind->mode != GSC_MODE_PDP32) {
		space->roots[0] = space_table(space);
	}
	for (unsigned i = 0; kind->mode == GSC_MODE_PDP32 && i < 4; i++)
		space->roots[i] = space_table(space);
}

void space_free(struct space *space)
{
	free(space->image);
	free(space->ggtt);
	free(space->pages);
	memset(space, 0, sizeof(*space));
}

uint64_t space_table(struct space *space)
{
	/* Page 0 stays free: an entry of zeros must not lead anywhere. */
	unsigned page = 1 + space_random(space, IMAGE_PAGES - 1);

	if (space->used_count > IMAGE_PAGES - 8)
		return 0;
	while (space->used[page] || !page)
		page = (page + 1) % IMAGE_PAGES;
	space->used[page] = true;
	space->used_count++;
	return page * PAGE;
}

/* Entries of the global table have addresses beyond those of memory. */
#define IN_GGTT (UINT64_C(1) << 62)

static uint8_t *entry_at(const struct space *space, uint64_t address)
{
	return address & IN_GGTT ? space->ggtt + (address & ~IN_GGTT) : space->image + address;
}

void space_store(struct space *space, uint64_t address, uint64_t value)
{
	memcpy(entry_at(space, address), &value, space->kind->bytes);
}

uint64_t space_load(const struct space *space, uint64_t address)
{
	uint64_t value = 0;

	memcpy(&value, entry_at(space, address), space->kind->bytes);
	return value;
}

/* ---- entries ------------------------------------------------------------------------------ */

static uint64_t encode(const struct space *space, uint64_t physical, uint64_t flags)
{
	const char *platform = space->kind->platform;

	if (space->kind->bytes == 8)
		return physical | flags;
	if (!strcmp(platform, "brw") || !strcmp(platform, "ctg"))
		return (physical & 0xfffff000) | (physical >> 32 & 0xf) << 4 | flags;
	if (!strcmp(platform, "hsw"))
		return (physical & 0xfffff000) | (physical >> 32 & 0x7f) << 4 | flags;
	return (physical & 0xfffff000) | (physical >> 32 & 0xff) << 4 | flags;
}

static uint64_t decode(const struct space *space, uint64_t entry)
{
	if (space->kind->bytes == 8)
		return entry & ((UINT64_C(1) << space->kind->address_bits) - PAGE);
	return (entry & 0xfffff000) | (entry & 0xff0) << 28;
}

static uint64_t pointer_flags(const struct space *space)
{
	if (space->kind->mode == GSC_MODE_IA32E)
		return 7;
	return space->kind->bytes == 8 ? 3 : 1;
}

static unsigned low_bit(const struct space_kind *kind, unsigned level)
{
	unsigned low = 12;

	while (++level < kind->levels)
		low += kind->bits[level];
	return low;
}

static uint64_t root_table(const struct space *space, uint64_t va, unsigned *level)
{
	*level = 0;
	switch (space->kind->mode) {
	case GSC_MODE_PDP32:
		*level = 1;
		return space->roots[va >> 30];
	case GSC_MODE_GGTT:
		return IN_GGTT;
	case GSC_MODE_2LEVEL:
		return IN_GGTT | DIRECTORY;
	default:
		return space->roots[0];
	}
}

/* Where the entry of an address is at a level; missing tables are created. 0: impossible. */
static uint64_t entry_address(struct space *space, uint64_t va, unsigned wanted)
{
	const struct space_kind *kind = space->kind;
	unsigned level;
	uint64_t table = root_table(space, va, &level);

	for (;; level++) {
		uint64_t index = va >> low_bit(kind, level) &
				 ((UINT64_C(1) << kind->bits[level]) - 1);
		uint64_t at = table + index * kind->bytes, entry = space_load(space, at);

		if (level == wanted)
			return at;
		if (!(entry & 1)) {
			table = space_table(space);
			if (!table)
				return 0;
			entry = encode(space, table, pointer_flags(space));
			space_store(space, at, entry);
		}
		/* A large page, or a table of 64 KB pages. */
		if (kind->bytes == 8 && entry & (level + 2 == kind->levels ? 0x880 : 0x80))
			return 0;
		table = decode(space, entry);
	}
}

/* ---- pages -------------------------------------------------------------------------------- */

static void add_page(struct space *space, struct space_page page)
{
	if (space->count == space->room) {
		space->room = space->room ? space->room * 2 : 256;
		space->pages = realloc(space->pages, space->room * sizeof(*space->pages));
	}
	space->pages[space->count++] = page;
}

static bool map_medium(struct space *space, uint64_t va, uint64_t entry)
{
	const struct space_kind *kind = space->kind;
	uint64_t at = entry_address(space, va, kind->levels - 2), directory, slot;

	if (!at)
		return false;
	directory = space_load(space, at);
	if (directory & 1 && !(directory & 0x800))
		return false;
	if (!(directory & 1)) {
		uint64_t table = space_table(space);

		if (!table)
			return false;
		directory = encode(space, table, pointer_flags(space) | 0x800);
		space_store(space, at, directory);
	}
	slot = decode(space, directory) + (va >> 16 & 31) * 16 * 8;
	if (space_load(space, slot) & 1)
		return false;
	space_store(space, slot, entry);
	/* The contents of the slots in between do not matter. */
	space_store(space, slot + 8, space_random(space, UINT32_MAX));
	return true;
}

static uint64_t space_limit(const struct space_kind *kind)
{
	return kind->mode == GSC_MODE_FLAT ? FLAT_BYTES / 4 * PAGE : UINT64_C(1) << kind->va_bits;
}

bool space_map(struct space *space, uint64_t va, uint64_t size, uint64_t physical,
	       uint64_t flags)
{
	const struct space_kind *kind = space->kind;
	unsigned level = kind->levels - (size == PAGE ? 1 : size == 1 << 21 ? 2 : 3);
	uint64_t entry = encode(space, physical, flags | (size > 1 << 16 ? 0x80 : 0)), at;

	if (va >= space_limit(kind) || va & (size - 1))
		return false;
	if (size == 1 << 16) {
		if (!map_medium(space, va, entry))
			return false;
	} else {
		at = entry_address(space, va, level);
		if (!at || space_load(space, at) & 1)
			return false;
		space_store(space, at, entry);
	}
	/* Bit 9 of 64-bit legacy leaves: nothing is behind the page. */
	if (flags & 0x200)
		physical = 0;
	add_page(space, (struct space_page){ va, size, physical, entry });
	return true;
}

static uint64_t random_flags(struct space *space)
{
	static const uint64_t pml4[] = { 3, 3, 3, 1, 0x1b, 0x203 };
	static const uint64_t ia32e[] = { 7, 7, 5, 0xf, 0x67 };
	static const uint64_t narrow[] = { 1, 1, 3, 5 };
	const struct space_kind *kind = space->kind;

	if (kind->mode == GSC_MODE_GGTT && kind->bytes == 8)
		return 1;
	if (kind->bytes == 4)
		return narrow[space_random(space, 4)];
	if (kind->mode == GSC_MODE_IA32E)
		return ia32e[space_random(space, 5)];
	return pml4[space_random(space, 6)];
}

static uint64_t random_size(struct space *space)
{
	unsigned choice = space_random(space, 8);

	if (space->kind->large && choice == 0)
		return UINT64_C(1) << 30;
	if (space->kind->large && choice <= 2)
		return UINT64_C(1) << 21;
	if (space->kind->medium && choice <= 4)
		return UINT64_C(1) << 16;
	return PAGE;
}

/*
 * A stretch of pages: contiguous, all one, anywhere, in short rows, with other flags now and then.
 */
static void fill_run(struct space *space, uint64_t va, uint64_t size)
{
	unsigned manner = space_random(space, 6), pages = 1 + space_random(space, 40);
	uint64_t physical = random_physical(space, size), flags = random_flags(space);

	if (space_random(space, 8) == 0)
		pages = 1 + space_random(space, size == PAGE ? 1500 : 600);
	for (unsigned i = 0; i < pages; i++, va += size) {
		unsigned row = manner == 4 ? 1 + space_random(space, 12) : 3;

		space_map(space, va, size, physical, flags);
		if (manner == 0)
			physical = random_physical(space, size);
		else if (manner == 3 && i % 50 == 49)
			flags = random_flags(space);
		if ((manner == 4 || manner == 5) && i % row == 0)
			physical = random_physical(space, size);
		else if (manner > 1)
			physical += size;
		physical &= (UINT64_C(1) << space->kind->address_bits) - 1;
	}
}

void space_fill(struct space *space)
{
	uint64_t limit = space_limit(space->kind), va = 0;
	unsigned runs = 1 + space_random(space, 12);

	for (unsigned i = 0; i < runs; i++) {
		uint64_t size = random_size(space);
		uint64_t high = space_random(space, UINT32_MAX);

		/* Anywhere, or where the last run began or a little further. */
		if (!i || space_random(space, 3) == 0)
			va = (high << 32 | space_random(space, UINT32_MAX)) % limit;
		else
			va += space_random(space, 4) * UINT64_C(0x200000);
		fill_run(space, va & ~(size - 1), size);
	}
}

bool space_flags_differ(const struct space *space, uint64_t a, uint64_t b)
{
	if (space->kind->bytes == 4)
		return (a ^ b) & 0xf;
	return (a ^ b) & ~((UINT64_C(1) << space->kind->address_bits) - PAGE);
}

/* Below an entry that occurs twice: what is added there is added in two places. */
static bool is_shared(const struct space *space, uint64_t va)
{
	for (unsigned i = 0; i < space->alias_count; i++)
		if (va - space->aliases[i].from < space->aliases[i].span ||
		    va - space->aliases[i].to < space->aliases[i].span)
			return true;
	return false;
}

void space_alias(struct space *space)
{
	const struct space_kind *kind = space->kind;
	unsigned first = kind->mode == GSC_MODE_PDP32, level;
	const struct space_page *some = &space->pages[space_random(space, (uint32_t)space->count)];
	uint64_t span, from, to, at, entry;
	size_t count = space->count;

	if (kind->levels < first + 2)
		return;
	level = first + space_random(space, kind->levels - 1 - first);
	span = UINT64_C(1) << low_bit(kind, level);
	if (span < some->size || (span == some->size && level + 1 < kind->levels))
		return;
	from = some->va & ~(span - 1);
	to = from + span * (1 + space_random(space, 3));
	if (to >= space_limit(kind) || (kind->mode == GSC_MODE_PDP32 && from >> 30 != to >> 30))
		return;
	if (is_shared(space, to) || space->alias_count == 4)
		return;
	entry = space_load(space, entry_address(space, from, level));
	at = entry_address(space, to, level);
	if (!at || space_load(space, at) & 1)
		return;
	space_store(space, at, entry);
	space->aliases[space->alias_count].from = from;
	space->aliases[space->alias_count].to = to;
	space->aliases[space->alias_count++].span = span;
	for (size_t i = 0; i < count; i++) {
		struct space_page page = space->pages[i];

		if (page.va < from || page.va - from >= span)
			continue;
		page.va += to - from;
		add_page(space, page);
	}
}

static int by_va(const void *a, const void *b)
{
	const struct space_page *x = a, *y = b;

	return x->va < y->va ? -1 : x->va > y->va;
}

void space_sort(struct space *space)
{
	qsort(space->pages, space->count, sizeof(*space->pages), by_va);
}

/* The page that contains an address. */
const struct space_page *space_find(const struct space *space, uint64_t va)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct space_page *page = &space->pages[middle];

		if (va >= page->va && va - page->va < page->size)
			return page;
		if (page->va > va)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* ---- reading it --------------------------------------------------------------------------- */

static void need(enum gsc_status status, const struct gsc_error *err)
{
	if (status) {
		fprintf(stderr, "\n%s: %s\n", err->what, err->why);
		abort();
	}
}

static struct gsc_root root_of(const struct space *space)
{
	struct gsc_root root = { .mode = space->kind->mode, .count = 1 };

	memcpy(root.value, space->roots, sizeof(root.value));
	if (root.mode == GSC_MODE_PDP32)
		root.count = 4;
	if (root.mode == GSC_MODE_2LEVEL)
		root.value[0] = (uint64_t)DIRECTORY << 10;
	if (root.mode == GSC_MODE_FLAT)
		root.value[0] |= 1 << 1 | 1;
	return root;
}

static size_t write_specs(const struct space *space, size_t image_bytes, char specs[2][64],
			  char *paths[2])
{
	size_t count = 0;

	if (image_bytes && space->kind->mode != GSC_MODE_GGTT) {
		paths[count] = temporary_file(space->image, image_bytes);
		/* Integrated from Gen20 on, too, keeps its tables in system memory. */
		snprintf(specs[count], sizeof(specs[count]), "mem:%s", paths[count]);
		count++;
	}
	if (space->ggtt) {
		paths[count] = temporary_file(space->ggtt, space->ggtt_bytes);
		snprintf(specs[count], sizeof(specs[count]), "ggtt:%s", paths[count]);
		count++;
	}
	return count;
}

void space_open(struct space_reader *reader, const struct space *space, size_t image_bytes,
		const struct gsc_translation_options *options)
{
	struct gsc_source_options how = { .platform = space->kind->platform };
	struct gsc_translation_options all = { 0 };
	char texts[2][64], *paths[2];
	const char *specs[2] = { texts[0], texts[1] };
	size_t count = write_specs(space, image_bytes, texts, paths);
	struct gsc_platform platform;
	struct gsc_error err;
	int device;

	if (options)
		all = *options;
	else
		all.root = root_of(space);
	need(gsc_db_new(&reader->db, &err), &err);
	how.db = reader->db;
	need(gsc_source_open(&reader->source, specs, count, &how, &err), &err);
	need(gsc_platform_find(reader->db, space->kind->platform, &platform, &device, &err), &err);
	need(gsc_view_new(&reader->view, reader->db, platform.index, -1, &err), &err);
	need(gsc_translation_new(&reader->translation, gpu_for(reader->source, reader->view), &all,
				 &err),
	     &err);
	while (count-- > 0) {
		unlink(paths[count]);
		free(paths[count]);
	}
}

void space_close(struct space_reader *reader)
{
	gsc_translation_free(reader->translation);
	gsc_view_free(reader->view);
	gsc_source_close(reader->source);
	gsc_db_free(reader->db);
}

/* ---- maps in pieces ------------------------------------------------------------------------- */

struct comparing {
	const struct gsc_mapping *maps;
	size_t room, count, at, different;
};

static bool compare_mapping(void *context, const struct gsc_mapping *is)
{
	struct comparing *c = context;
	const struct gsc_mapping *wanted = &c->maps[c->at % c->room];

	if (c->at < c->count && c->count - c->at <= c->room)
		c->different += is->start != wanted->start || is->end != wanted->end ||
				is->kind != wanted->kind || is->physical != wanted->physical ||
				is->pages != wanted->pages || is->level != wanted->level ||
				is->page_size != wanted->page_size || is->of != wanted->of ||
				is->writable != wanted->writable || is->stolen != wanted->stolen;
	c->at++;
	return true;
}

void space_check_pieces(struct gsc_translation *translation, unsigned flags,
			const struct gsc_mapping *maps, size_t room, size_t count, bool all)
{
	struct comparing c = { .maps = maps, .room = room, .count = count };
	struct map_pieces *pieces = map_pieces_new(translation, flags);
	struct gsc_error err;
	bool more = true;

	CU_ASSERT_PTR_NOT_NULL_FATAL(pieces);
	while (more && (all || c.at < count))
		CU_ASSERT_EQUAL(map_piece(pieces, compare_mapping, &c, &more, &err), GSC_OK);
	CU_ASSERT(all ? c.at == count : c.at >= count);
	CU_ASSERT_EQUAL(c.different, 0);
	map_pieces_free(pieces);
}
