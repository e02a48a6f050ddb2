/* SPDX-License-Identifier: MIT */
/* Maps through second-level tables and tables of tiled resources; what checks find. */
#include "space-builder.h"
#include "table-checks.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_PAGES (IMAGE_PAGES + 64)

static unsigned failures;

static bool holds(bool condition, const char *what, uint64_t where)
{
	if (!condition && failures++ < 10)
		fprintf(stderr, "\n%s at 0x%llx", what, (unsigned long long)where);
	return condition;
}

/* ---- a second level ----------------------------------------------------------------------- */

/*
 * Guest memory of 512 GB: the image, in pages of 4 KB anywhere in the host's; the rest of the first
 * 2 MB nowhere, of the first 1 GB in pages of 2 MB, then in pages of 1 GB. Some are missing.
 */
struct host {
	uint8_t image[HOST_PAGES * PAGE];
	uint16_t small[512];		/* host page of each guest page */
	uint16_t middle[512], large[512];	/* 0: not mapped */
};

enum { SL_ROOT = IMAGE_PAGES, SL_POINTERS, SL_DIRECTORY, SL_TABLE };

static void store(struct host *host, unsigned page, unsigned index, uint64_t entry)
{
	memcpy(host->image + page * PAGE + index * 8, &entry, 8);
}

static void shuffle(struct space *space, uint16_t *list)
{
	for (unsigned i = 0; i < 512; i++)
		list[i] = (uint16_t)i;
	for (unsigned i = 511; i; i--) {
		unsigned other = space_random(space, i + 1);
		uint16_t kept = list[i];

		list[i] = list[other];
		list[other] = kept;
	}
}

static void make_host(struct host *host, struct space *space)
{
	shuffle(space, host->small);
	shuffle(space, host->middle);
	shuffle(space, host->large);
	store(host, SL_ROOT, 0, SL_POINTERS * PAGE | 3);
	store(host, SL_POINTERS, 0, SL_DIRECTORY * PAGE | 3);
	store(host, SL_DIRECTORY, 0, SL_TABLE * PAGE | 3);
	for (unsigned i = 0; i < 512; i++) {
		store(host, SL_TABLE, i, host->small[i] * (uint64_t)PAGE | 3);
		if (i && host->middle[i])
			store(host, SL_DIRECTORY, i, (uint64_t)host->middle[i] << 21 | 0x83);
		if (i && host->large[i])
			store(host, SL_POINTERS, i, (uint64_t)host->large[i] << 30 | 0x83);
		memcpy(host->image + host->small[i] * PAGE, space->image + i * PAGE, PAGE);
	}
}

static bool host_of(const struct host *host, uint64_t guest, uint64_t *physical, uint64_t *size)
{
	if (guest >> 21 == 0) {
		*size = PAGE;
		*physical = host->small[guest >> 12] * (uint64_t)PAGE;
	} else if (guest >> 30 == 0) {
		*size = 1 << 21;
		*physical = (uint64_t)host->middle[guest >> 21] << 21;
	} else {
		*size = 1 << 30;
		*physical = (uint64_t)host->large[guest >> 30 & 511] << 30;
	}
	*physical += guest & (*size - 1);
	return *size == PAGE || *physical >= *size;
}

/* The pages as they are after the second level: not larger than its own. */
static struct space_page *nested_pages(const struct space *space, const struct host *host,
				       size_t *count)
{
	struct space_page *pages = NULL;
	size_t room = 0;

	*count = 0;
	for (size_t i = 0; i < space->count; i++) {
		const struct space_page *page = &space->pages[i];
		bool null = page->entry & 0x200;
		uint64_t size;

		for (uint64_t done = 0; done < page->size; done += size) {
			struct space_page piece = *page;

			piece.va += done;
			size = page->size;
			if (!null && !host_of(host, page->physical + done, &piece.physical, &size)) {
				size = size < page->size ? size : page->size;
				continue;
			}
			size = size < page->size ? size : page->size;
			piece.size = size;
			if (*count == room) {
				room = room * 2 + 64;
				pages = realloc(pages, room * sizeof(*pages));
			}
			pages[(*count)++] = piece;
		}
	}
	return pages;
}

struct comparing {
	const struct space_page *pages;
	size_t count, at;
};

static bool compare_page(void *context, const struct gsc_mapping *m)
{
	struct comparing *c = context;
	const struct space_page *page = &c->pages[c->at];

	return holds(c->at < c->count, "a page too many", m->start) &&
	       holds(m->start == page->va && m->end - m->start == page->size &&
		     m->page_size == page->size, "place", page->va) &&
	       holds(m->physical == page->physical, "target", page->va) && ++c->at;
}

/* Every address of a range leads where the range says. */
static bool probe_range(void *context, const struct gsc_mapping *m)
{
	struct gsc_translation *translation = context;
	uint64_t step = m->page_size ? m->page_size : PAGE;

	for (unsigned i = 0; i < 40; i++) {
		uint64_t va = m->start + (i * m->pages / 40) * step, physical, length, other;
		enum gsc_space space, where;
		bool mapped;

		if (va >= m->end)
			continue;
		mapped = !gsc_resolve(translation, va, &space, &physical, &length);
		if (m->kind == GSC_MAPPING_REPEAT) {
			uint64_t of = va - m->start + m->of;

			holds(mapped == !gsc_resolve(translation, of, &where, &other, &length) &&
			      (!mapped || other == physical), "repeat", va);
		} else {
			holds(mapped, "not mapped", va);
			if (m->kind == GSC_MAPPING_LINEAR)
				holds(physical == m->physical + (va - m->start) ||
				      space == GSC_SPACES, "linear", va);
			if (m->kind == GSC_MAPPING_CONSTANT)
				holds(physical == m->physical, "constant", va);
		}
	}
	return true;
}

static void open_host(struct space_reader *reader, const struct space *space, struct host *host,
		      struct gsc_translation_options *options)
{
	struct space whole = *space;

	options->root.mode = space->kind->mode;
	options->root.count = space->kind->mode == GSC_MODE_PDP32 ? 4 : 1;
	memcpy(options->root.value, space->roots, sizeof(space->roots));
	whole.image = host->image;
	space_open(reader, &whole, sizeof(host->image), options);
}

static void nested(void)
{
	struct host *host = calloc(1, sizeof(*host));

	failures = 0;
	for (unsigned seed = 1; seed <= 60; seed++) {
		struct gsc_translation_options options = {
			.vtd = { .on = true, .root = SL_ROOT * PAGE, .levels = 4 },
		};
		struct comparing c = { 0 };
		struct space_reader reader;
		struct space_page *pages;
		struct space space;
		struct gsc_error err;
		unsigned before = failures;

		memset(host, 0, sizeof(*host));
		/* The first five kinds but tgl: its pages lie past 512 GB. */
		space_new(&space, &space_kinds[seed % 4 == 1 ? 4 : seed % 4], seed);
		space_fill(&space);
		space_sort(&space);
		make_host(host, &space);
		pages = nested_pages(&space, host, &c.count);
		c.pages = pages;
		open_host(&reader, &space, host, &options);
		gsc_map(reader.translation, GSC_MAP_PAGES | GSC_MAP_ALL, compare_page, &c, NULL,
			&err);
		holds(c.at == c.count, "pages missing", c.at);
		gsc_map(reader.translation, 0, probe_range, reader.translation, NULL, &err);
		if (failures > before && failures < 10)
			fprintf(stderr, " (seed %u)", seed);
		space_close(&reader);
		free(pages);
		space_free(&space);
	}
	free(host);
	CU_ASSERT_EQUAL(failures, 0);
}

/* ---- tiled resources ---------------------------------------------------------------------- */

#define TILED (UINT64_C(5) << 44)
#define TILE 0x10000u

struct tiles {
	uint64_t l3, l2, l1;		/* graphics addresses of tables */
	uint64_t in_l3, in_l2, in_l1;	/* and their places */
};

static uint64_t tile_table(struct space *space, uint64_t va)
{
	uint64_t table = space_table(space);

	CU_ASSERT_FATAL(space_map(space, va, PAGE, table, 3));
	return table;
}

static void store32(struct space *space, uint64_t address, uint32_t value)
{
	memcpy(space->image + address, &value, 4);
}

static void make_tiles(struct space *space, struct tiles *t)
{
	*t = (struct tiles){ 0x100000000, 0x100001000, 0x100002000, 0, 0, 0 };
	t->in_l3 = tile_table(space, t->l3);
	t->in_l2 = tile_table(space, t->l2);
	t->in_l1 = tile_table(space, t->l1);
	for (unsigned i = 0; i < 512; i++) {
		space_store(space, t->in_l3 + i * 8, i % 2 ? 2 : 1);	/* null, invalid */
		space_store(space, t->in_l2 + i * 8, 1);
	}
	for (unsigned i = 0; i < 1024; i++)
		store32(space, t->in_l1 + i * 4, 0xffffffff);
	space_store(space, t->in_l3 + 3 * 8, t->l2);
	space_store(space, t->in_l2 + 4 * 8, t->l1);
	space_store(space, t->in_l2 + 6 * 8, t->l1);
}

static struct gsc_translation_options tiled_options(const struct space *space,
						    const struct tiles *t)
{
	struct gsc_translation_options options = {
		.root = { .mode = space->kind->mode, .count = 1 },
		.trtt = { .on = true, .l3 = t->l3, .null = 0xfffffffe, .invalid = 0xffffffff,
			  .has_null = true, .has_invalid = true, .va = 0xf5 },
	};

	memcpy(options.root.value, space->roots, sizeof(options.root.value));
	return options;
}

struct got {
	struct gsc_mapping maps[64];
	size_t count;
};

static bool keep(void *context, const struct gsc_mapping *mapping)
{
	struct got *got = context;

	got->maps[got->count++] = *mapping;
	return got->count < 64;
}

static void tiled(void)
{
	const uint64_t first = TILED + (UINT64_C(3) << 35) + (UINT64_C(4) << 26);
	struct gsc_translation_options options;
	struct space_reader reader;
	struct space space;
	struct tiles tiles;
	struct gsc_error err;
	struct got got = { .count = 0 };
	const uint64_t big = first + 64 * TILE;

	failures = 0;
	space_new(&space, kind_of("skl", GSC_MODE_PML4), 21);
	make_tiles(&space, &tiles);
	for (unsigned i = 0; i < 48; i++)
		space_map(&space, 0x200000000 + i * PAGE, PAGE, 0x30000000 + i * PAGE, 3);
	space_map(&space, 0x300000000, 1 << 21, 0x40000000, 3);
	space_map(&space, UINT64_C(7) << 44, PAGE, 0x77000, 3);
	/* Tiles 0 and 1 in a row, 2 null, 3 with its end not mapped; 64 to 66 one 2 MB page. */
	store32(&space, tiles.in_l1 + 0 * 4, 0x200000000 >> 16);
	store32(&space, tiles.in_l1 + 1 * 4, (0x200000000 >> 16) + 1);
	store32(&space, tiles.in_l1 + 2 * 4, 0xfffffffe);
	store32(&space, tiles.in_l1 + 3 * 4, (0x200000000 >> 16) + 2);
	for (unsigned i = 64; i < 67; i++)
		store32(&space, tiles.in_l1 + i * 4, (0x300000000 >> 16) + 3);
	/* What the ordinary tables have in the tiled range is out of reach. */
	space_map(&space, TILED + 0x1000, PAGE, 0x66000, 3);
	options = tiled_options(&space, &tiles);
	space_open(&reader, &space, WHOLE, &options);
	CU_ASSERT_EQUAL(gsc_map(reader.translation, 0, keep, &got, NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(got.count, 9);
	/* Three of the ordinary tables come first. */
	CU_ASSERT(got.maps[3].start == first && got.maps[3].end == first + 2 * TILE &&
		  got.maps[3].physical == 0x30000000 && got.maps[3].pages == 32 &&
		  got.maps[3].kind == GSC_MAPPING_LINEAR);
	CU_ASSERT(got.maps[4].start == first + 3 * TILE && got.maps[4].end == first + 4 * TILE);
	CU_ASSERT(got.maps[5].start == big && got.maps[5].physical == 0x40030000 &&
		  got.maps[5].page_size == TILE && got.maps[5].pages == 1);
	CU_ASSERT(got.maps[6].kind == GSC_MAPPING_REPEAT && got.maps[6].of == big &&
		  got.maps[6].end == big + 3 * TILE && got.maps[6].pages == 2);
	CU_ASSERT(got.maps[7].kind == GSC_MAPPING_REPEAT && got.maps[7].of == first &&
		  got.maps[7].start == first + (2 << 26) && got.maps[7].pages == 51);
	CU_ASSERT_EQUAL(got.maps[8].start, UINT64_C(7) << 44);
	gsc_map(reader.translation, 0, probe_range, reader.translation, NULL, &err);
	gsc_map(reader.translation, GSC_MAP_PAGES, probe_range, reader.translation, NULL, &err);
	CU_ASSERT_EQUAL(failures, 0);
	space_close(&reader);
	space_free(&space);
}

/* Tables of tiles full of noise, in a space where every address leads to one of a few pages. */
static void tiled_noise(void)
{
	struct gsc_translation_options options;
	struct space_reader reader;
	struct space space;
	struct tiles tiles;
	struct gsc_error err;
	struct gsc_map_holes holes;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 22);
	make_tiles(&space, &tiles);
	for (unsigned i = 0; i < 512; i++) {
		uint64_t noise = (uint64_t)space_random(&space, UINT32_MAX) << 12;

		space_store(&space, tiles.in_l3 + i * 8, noise % (UINT64_C(1) << 39) & ~0xfffull);
		space_store(&space, tiles.in_l2 + i * 8, noise % (UINT64_C(1) << 39) & ~0xfffull);
		store32(&space, tiles.in_l1 + i * 8, (uint32_t)(noise >> 16) & 0x7fffff);
		/* All of the first 512 GB leads to the three tables. */
		space_store(&space, space.roots[0] + 8 * 20, 0);
	}
	for (unsigned i = 0; i < 512; i++) {
		uint64_t pointers = space_load(&space, space.roots[0]) & ~0xfffull;
		uint64_t directory = space_load(&space, pointers + 4 * 8) & ~0xfffull;
		uint64_t table = space_load(&space, directory) & ~0xfffull;

		if (i >= 3)
			space_store(&space, table + i * 8, space_load(&space, table + i % 3 * 8));
		space_store(&space, directory + i * 8, table | 3);
		space_store(&space, pointers + i * 8, directory | 3);
	}
	options = tiled_options(&space, &tiles);
	space_open(&reader, &space, WHOLE, &options);
	failures = 0;
	CU_ASSERT_EQUAL(gsc_map(reader.translation, 0, probe_range, reader.translation, &holes,
				&err), GSC_OK);
	CU_ASSERT_EQUAL(failures, 0);
	space_close(&reader);
	space_free(&space);
}

/* ---- checks ------------------------------------------------------------------------------- */
static void checks_of_tiles(void)
{
	struct gsc_translation_options options;
	struct space space;
	struct tiles tiles;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 36);
	make_tiles(&space, &tiles);
	space_map(&space, 0x300000000, 1 << 21, 0x40000000, 3);
	for (unsigned i = 0; i < 32; i++)
		store32(&space, tiles.in_l1 + i * 4, (0x300000000 >> 16) + i);
	for (unsigned i = 0; i < 5; i++)
		space_map(&space, 0x310000000 + i * PAGE, PAGE, 0x50000000 + i * PAGE, 3);
	options = tiled_options(&space, &tiles);
	CU_ASSERT_EQUAL(check_part(&space, WHOLE, &options)->count, 0);
	/* A missing table of tiles is reported with its graphics address. */
	space_store(&space, tiles.in_l3 + 9 * 8, 0x7700000000);
	CU_ASSERT_EQUAL(check_part(&space, WHOLE, &options)->count, 1);
	CU_ASSERT_STRING_EQUAL(check_part(&space, WHOLE, &options)->breaches[0].where,
			       "trtt-l2 table at gpu:0x7700000000, for 0x504800000000");
	space_free(&space);
}

/* ---- the second level's own map, and its permissions ---------------------------------------- */

/* Flags of a range, and of a walk to its beginning, which may be refused. */
static bool told_flags(const struct gsc_translation *t, const struct gsc_mapping *m,
		       const char *wanted)
{
	char text[100] = "", word[32];

	for (size_t i = 0; gsc_mapping_flag(t, m, i, word, sizeof(word)); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "," : "",
			 word);
	return !strcmp(text, wanted);
}

static bool walk_agrees(struct gsc_translation *t, const struct gsc_mapping *m)
{
	struct gsc_walk walk;
	char word[32];

	gsc_walk(t, m->start, GSC_INTENT_WRITE, &walk);
	if (walk.mapped != m->writable)
		return false;
	gsc_walk(t, m->start, GSC_INTENT_READ, &walk);
	if (walk.mapped != m->readable)
		return false;
	return !walk.mapped || (walk.writable == m->writable && walk.physical == m->physical &&
				gsc_walk_flag(t, &walk, 0, word, sizeof(word)) &&
				!strcmp(word, m->writable ? "rw" : "ro"));
}

static bool keep_reached(void *context, const struct gsc_reached *reached)
{
	struct gsc_reached *list = context;
	size_t i = 0;

	while (list[i].pages)
		i++;
	list[i] = *reached;
	return i < 14;
}

/* SL_TABLE: three pages that may be read and written, read, written; then nothing. */
static void make_second(struct host *host)
{
	store(host, SL_ROOT, 0, SL_POINTERS * PAGE | 3);
	store(host, SL_POINTERS, 0, SL_DIRECTORY * PAGE | 3);
	store(host, SL_DIRECTORY, 0, SL_TABLE * PAGE | 3);
	store(host, SL_DIRECTORY, 1, SL_TABLE * PAGE | 1);
	store(host, SL_DIRECTORY, 2, 0x80000000 | 0x83);
	for (unsigned i = 0; i < 3; i++)
		store(host, SL_TABLE, i + 16, 0x40000000 | i * PAGE | (i ? i : 3));
}

static void second_alone(void)
{
	static const struct space_kind kind = { "skl", GSC_MODE_VTD };
	struct gsc_translation_options options = {
		.root = { .mode = GSC_MODE_VTD, .value = { SL_ROOT * PAGE, 4 }, .count = 2 },
	};
	struct gsc_reached reached[16] = { { .pages = 0 } };
	struct host *host = calloc(1, sizeof(*host));
	struct space space = { .kind = &kind, .image = host->image };
	static const char *const flags[] = { "rw", "ro", "wo", "ro", "rw" };
	struct space_reader reader;
	struct got got = { .count = 0 };
	struct gsc_error err;

	make_second(host);
	space_open(&reader, &space, sizeof(host->image), &options);
	CU_ASSERT_EQUAL(gsc_map(reader.translation, GSC_MAP_PAGES, keep, &got, NULL, &err), GSC_OK);
	/* In the table below the read-only entry, the write-only page is no page. */
	CU_ASSERT_EQUAL_FATAL(got.count, 6);
	for (unsigned i = 0; i < 5; i++) {
		const struct gsc_mapping *m = &got.maps[i < 4 ? i : 5];

		CU_ASSERT(told_flags(reader.translation, m, flags[i]));
		CU_ASSERT(walk_agrees(reader.translation, m));
	}
	CU_ASSERT(got.maps[4].start == 0x211000 && got.maps[4].physical == 0x40001000 &&
		  !got.maps[4].writable);
	CU_ASSERT(got.maps[5].start == 0x400000 && got.maps[5].page_size == 1 << 21);
	CU_ASSERT_EQUAL(gsc_reverse(reader.translation, GSC_PHYS, 0x40001234, keep_reached, reached,
				    NULL, &err), GSC_OK);
	CU_ASSERT(reached[0].address == 0x11234 && reached[1].address == 0x211234 &&
		  !reached[2].pages);
	space_close(&reader);
	free(host);
}

/* What both levels permit; an own page of 2 MB has as many permissions as pieces. */
static void nested_permissions(void)
{
	struct gsc_translation_options options = {
		.vtd = { .on = true, .root = SL_ROOT * PAGE, .levels = 4 },
	};
	static const char *const flags[] = { "rw,pat0", "ro,pat0", "wo,pat0", "ro,pat0" };
	struct host *host = calloc(1, sizeof(*host));
	struct gsc_reached reached[16] = { { .pages = 0 } };
	struct gsc_global_ranges *shared = NULL;
	struct space_reader reader;
	struct space space;
	struct gsc_map_holes holes;
	struct found found = { .count = 0 };
	struct got got = { .count = 0 };
	struct gsc_error err;
	unsigned pages = 0;

	space_new(&space, kind_of("skl", GSC_MODE_PML4), 38);
	space_map(&space, 0, 1 << 21, 0, 3);
	space_map(&space, 0x40000000, PAGE, 16 * PAGE, 1);
	/* The tables are where the second level is read-only, so that none can be written. */
	for (unsigned i = 0; i < IMAGE_PAGES; i++)
		if (space.used[i])
			store(host, SL_TABLE, i, i * PAGE | 1);
	memcpy(host->image, space.image, WHOLE);
	make_second(host);
	for (unsigned i = 0; i < IMAGE_PAGES; i++)
		if (space.used[i])
			store(host, SL_TABLE, i, i * PAGE | 1);
	/* One table is missing: it has a guest address with nothing behind it. */
	memcpy(host->image + space.roots[0] + 8 * 8, &(uint64_t){ 0x7000003 }, 8);
	open_host(&reader, &space, host, &options);
	CU_ASSERT_EQUAL(gsc_map(reader.translation, GSC_MAP_PAGES, keep, &got, &holes, &err),
			GSC_OK);
	for (size_t i = 0; i < got.count; i++) {
		const struct gsc_mapping *m = &got.maps[i];

		CU_ASSERT(walk_agrees(reader.translation, m));
		if (m->physical >> 30 == 1)
			CU_ASSERT(told_flags(reader.translation, m, flags[pages++]));
	}
	CU_ASSERT_EQUAL(pages, 4);
	CU_ASSERT_STRING_EQUAL(holes.first_table,
			       "pdpe table at guest:0x7000000, for 0x40000000000");
	CU_ASSERT_STRING_EQUAL(holes.first_why, "the second level does not map it");
	CU_ASSERT_EQUAL(gsc_check_tables(reader.translation, &shared, keep_breach, &found, &err),
			GSC_OK);
	gsc_global_ranges_free(shared);
	for (size_t i = 0; i < found.count; i++)
		CU_ASSERT_STRING_NOT_EQUAL(found.breaches[i].rule, "page-table-mapped");
	memset(&holes, 0, sizeof(holes));
	CU_ASSERT_EQUAL(gsc_reverse(reader.translation, GSC_PHYS, 0x40000010, keep_reached, reached,
				    &holes, &err), GSC_OK);
	CU_ASSERT(reached[0].address == 0x10010 && reached[1].address == 0x40000010 &&
		  !reached[2].pages);
	CU_ASSERT(holes.missing == 1);
	space_close(&reader);
	space_free(&space);
	free(host);
}

SUITE(map_nested,
      { "behind a second level", nested }, { "tiled resources", tiled },
      { "noise as tables of tiles", tiled_noise }, { "checks of tiles", checks_of_tiles },
      { "the second level alone", second_alone },
      { "permissions of both levels", nested_permissions })
