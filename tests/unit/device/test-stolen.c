/* SPDX-License-Identifier: MIT */
/* Stolen memory and the aperture of a device whose windows are plain memory. */
#include "device/internal.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REGISTERS 0x200000
#define ENTRIES 64
#define STOLEN UINT64_C(0x7c000000)
#define STOLEN_PAGES 16
#define APERTURE_PAGES 32

struct fake {
	struct device device;
	uint8_t *registers, *aperture;
	uint64_t ggtt[ENTRIES];
	char *iomem, *kcore, *mem;
	struct memory_paths paths;
};

static void poke(struct fake *fake, uint64_t address, uint32_t value)
{
	memcpy(fake->registers + address, &value, 4);
}

/* A page of the aperture whose first words identify it. */
static void fill_aperture(struct fake *fake)
{
	for (uint64_t page = 0; page < APERTURE_PAGES; page++) {
		uint64_t words[2] = { 0xa0000000 | page, page << 32 | 0x5555 };

		memcpy(fake->aperture + page * GPU_PAGE, words, sizeof(words));
	}
}

static void no_memory(struct fake *fake)
{
	static const char map[] = "00001000-00001fff : System RAM\n"
				  "7b000000-7cffffff : Reserved\n";
	uint8_t *mem = calloc(1, 1);

	fake->iomem = temporary_file(map, strlen(map));
	fake->kcore = temporary_file(mem, 1);
	fake->mem = temporary_file(mem, 1);
	CU_ASSERT_EQUAL_FATAL(truncate(fake->mem, 0x7d000000), 0);
	fake->paths = (struct memory_paths){ fake->iomem, fake->kcore, fake->mem };
	memory_begin(&fake->device.memory, &fake->paths, &fake->device.problems);
	free(mem);
}

static struct fake *begin(const char *platform)
{
	struct fake *fake = calloc(1, sizeof(*fake));
	struct device *device = &fake->device;

	fake->registers = calloc(1, REGISTERS);
	fake->aperture = calloc(APERTURE_PAGES, GPU_PAGE);
	fill_aperture(fake);
	strcpy(device->bdf, "ffff:ff:1f.7");
	device->db = shared_definitions();
	device->layout = platform_of(platform);
	device->laid_out = true;
	device->registers = (struct window){ fake->registers, REGISTERS };
	device->bar.size = 0x1000000;
	device->ggtt_tried = true;
	device->ggtt = (struct window){ (volatile uint8_t *)fake->ggtt, sizeof(fake->ggtt) };
	device->stolen = (struct stolen){
		.asked = true,
		.closed = STOLEN - 0x100000,
		.start = STOLEN,
		.size = STOLEN_PAGES * GPU_PAGE,
		.aperture_tried = true,
		.aperture = { fake->aperture, APERTURE_PAGES * GPU_PAGE },
	};
	no_memory(fake);
	return fake;
}

static void end(struct fake *fake)
{
	fake->device.stolen.aperture = (struct window){ 0 };
	stolen_release(&fake->device.stolen);
	gsc_view_free(fake->device.view);
	memory_end(&fake->device.memory);
	vec_free(&fake->device.problems.list);
	drop_file(fake->iomem);
	drop_file(fake->kcore);
	drop_file(fake->mem);
	free(fake->registers);
	free(fake->aperture);
	free(fake);
}

static void map(struct fake *fake, unsigned slot, unsigned page)
{
	fake->ggtt[slot] = (STOLEN + page * GPU_PAGE) | 1;
}

static void expect(struct fake *fake, enum gsc_space space, uint64_t address, unsigned size,
		   uint64_t wanted)
{
	uint64_t value = 0;

	CU_ASSERT_EQUAL(device_read(&fake->device, space, address, size, &value),
			GSC_READ_OK);
	CU_ASSERT_EQUAL(value, wanted);
}

static void refuse(struct fake *fake, enum gsc_space space, uint64_t address, enum gsc_read status)
{
	uint64_t value = 7;

	CU_ASSERT_EQUAL(device_read(&fake->device, space, address, 4, &value), status);
	CU_ASSERT_EQUAL(value, 7);
}

static bool problem_has(struct fake *fake, const char *why)
{
	const struct gsc_error *problem = device_problem(&fake->device);

	return problem && strstr(problem->why, why) && !device_problem(&fake->device);
}

/* ---- by physical address -------------------------------------------------------------------- */

static void through_the_aperture(void)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	map(fake, 6, 3);
	map(fake, 31, 15);
	map(fake, 32, 14);
	map(fake, 33, 0);
	fake->ggtt[8] = (STOLEN + 2 * GPU_PAGE);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, 0xa0000005);
	expect(fake, GSC_PHYS, STOLEN + 0x3008, 8, UINT64_C(0x500005555));
	expect(fake, GSC_PHYS, STOLEN + 0x300c, 2, 5);
	expect(fake, GSC_PHYS, STOLEN + 0xf000, 1, 0x1f);
	CU_ASSERT_PTR_NULL(device_problem(&fake->device));
	refuse(fake, GSC_PHYS, STOLEN + 0xe000, GSC_READ_ABSENT);
	CU_ASSERT(problem_has(fake, "closed to the CPU"));
	refuse(fake, GSC_PHYS, STOLEN + 0x2000, GSC_READ_ABSENT);
	refuse(fake, GSC_PHYS, STOLEN, GSC_READ_ABSENT);
	refuse(fake, GSC_PHYS, STOLEN - 0x1000, GSC_READ_ABSENT);
	refuse(fake, GSC_PHYS, STOLEN - 0x100000, GSC_READ_ABSENT);
	CU_ASSERT_PTR_NULL(device_problem(&fake->device));
	expect(fake, GSC_PHYS, STOLEN - 0x101000, 4, 0);
	expect(fake, GSC_PHYS, STOLEN + STOLEN_PAGES * GPU_PAGE, 4, 0);
	end(fake);
}

static void entries_change(void)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, 0xa0000005);
	fake->ggtt[5] = 0;
	map(fake, 9, 3);
	refuse(fake, GSC_PHYS, STOLEN + 0x3000, GSC_READ_ABSENT);
	fake->device.stolen.scanned -= INT64_C(2000000000);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, 0xa0000009);
	end(fake);
}

static void fences(void)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	map(fake, 6, 3);
	map(fake, 7, 4);
	poke(fake, 0x100008, 0x00004001);
	poke(fake, 0x10000c, 0x00005003);
	poke(fake, 0x100010, 0x00007000);
	poke(fake, 0x100014, 0x00007003);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, 0xa0000006);
	expect(fake, GSC_PHYS, STOLEN + 0x4000, 4, 0xa0000007);
	poke(fake, 0x100010, 0x00007001);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, 0xa0000006);
	refuse(fake, GSC_PHYS, STOLEN + 0x4000, GSC_READ_ABSENT);
	end(fake);

	fake = begin("ilk");
	poke(fake, 0x3008, 0x00000001);
	CU_ASSERT_EQUAL(fake->device.layout.ggtt_entry, 4);
	fake->ggtt[0] = (STOLEN + 0x1000) << 32 | STOLEN | UINT64_C(0x100000001);
	refuse(fake, GSC_PHYS, STOLEN, GSC_READ_ABSENT);
	expect(fake, GSC_PHYS, STOLEN + 0x1000, 4, 0xa0000001);
	end(fake);

	/* The second run of Gen3: 1 MB from 0 on. */
	fake = begin("pnv");
	fake->ggtt[0] = STOLEN | 1;
	expect(fake, GSC_PHYS, STOLEN, 4, 0xa0000000);
	poke(fake, 0x301c, 0x00000001);
	fake->device.stolen.visited = 0;
	refuse(fake, GSC_PHYS, STOLEN, GSC_READ_ABSENT);
	end(fake);
}

static void kept_from(enum gsc_read ggtt, enum gsc_read aperture, enum gsc_read expected)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	fake->device.ggtt_status = ggtt;
	fake->device.stolen.aperture_status = aperture;
	refuse(fake, GSC_PHYS, STOLEN + 0x3000, expected);
	CU_ASSERT_FALSE(stolen_extent(&fake->device, 0, &(uint64_t){ 0 }, &(uint64_t){ 0 }));
	end(fake);
}

static void refusals(void)
{
	kept_from(GSC_READ_SKIPPED, GSC_READ_OK, GSC_READ_SKIPPED);
	kept_from(GSC_READ_DENIED, GSC_READ_OK, GSC_READ_DENIED);
	kept_from(GSC_READ_OK, GSC_READ_DENIED, GSC_READ_DENIED);
	kept_from(GSC_READ_OK, GSC_READ_ABSENT, GSC_READ_ABSENT);
	kept_from(GSC_READ_ABSENT, GSC_READ_OK, GSC_READ_ABSENT);
}

/* If the place of stolen memory is unknown, anything that is not RAM may be it. */
static void unknown_place(void)
{
	struct fake *fake = begin("skl");

	fake->device.stolen.status = GSC_READ_DENIED;
	refuse(fake, GSC_PHYS, STOLEN + 0x3000, GSC_READ_DENIED);
	refuse(fake, GSC_PHYS, STOLEN - 0x200000, GSC_READ_DENIED);
	refuse(fake, GSC_PHYS, 0x1000, GSC_READ_ABSENT);
	CU_ASSERT(problem_has(fake, "ELF"));
	end(fake);
}

static void asleep(void)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	memset(fake->aperture + 5 * GPU_PAGE, 0xff, GPU_PAGE);
	expect(fake, GSC_PHYS, STOLEN + 0x3000, 4, UINT32_MAX);
	memset(fake->registers, 0xff, REGISTERS);
	fake->device.layout.fences = 0;
	refuse(fake, GSC_PHYS, STOLEN + 0x3000, GSC_READ_ALL_ONES);
	end(fake);
}

static void extents(void)
{
	struct fake *fake = begin("skl");
	uint64_t start, length;

	map(fake, 5, 3);
	map(fake, 6, 4);
	map(fake, 7, 9);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, 0, &start, &length));
	CU_ASSERT(start == 0x7b000000 && length == 0xf00000);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, start + length, &start, &length));
	CU_ASSERT(start == STOLEN + 0x3000 && length == 0x2000);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, STOLEN + 0x3800, &start, &length));
	CU_ASSERT(start == STOLEN + 0x3800 && length == 0x1800);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, STOLEN + 0x5000, &start, &length));
	CU_ASSERT(start == STOLEN + 0x9000 && length == 0x1000);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, STOLEN + 0xa000, &start, &length));
	CU_ASSERT(start == STOLEN + 0x10000 && length == 0xff0000);
	CU_ASSERT_FALSE(device_extent(&fake->device, GSC_PHYS, start + length, &start, &length));
	end(fake);
}

/* ---- by graphics address -------------------------------------------------------------------- */

static void graphics_addresses(void)
{
	struct fake *fake = begin("skl");

	map(fake, 5, 3);
	map(fake, 40, 3);
	map(fake, 41, 8);
	fake->ggtt[6] = 0x7b000001;
	fake->ggtt[7] = 0x90000001;
	expect(fake, GSC_GTTMEM, 0x5008, 8, UINT64_C(0x500005555));
	expect(fake, GSC_GTTMEM, 0x28000, 4, 0xa0000005);
	expect(fake, GSC_GTTMEM, 0x6010, 4, 0);
	refuse(fake, GSC_GTTMEM, 0x29000, GSC_READ_ABSENT);
	refuse(fake, GSC_GTTMEM, 0x7000, GSC_READ_ABSENT);
	refuse(fake, GSC_GTTMEM, 0x8000, GSC_READ_ABSENT);
	refuse(fake, GSC_GTTMEM, ENTRIES * GPU_PAGE, GSC_READ_ABSENT);
	refuse(fake, GSC_GTTMEM, UINT64_MAX - 3, GSC_READ_ABSENT);
	poke(fake, 0x100000, 0x00005001);
	poke(fake, 0x100004, 0x00005003);
	fake->device.stolen.visited = 0;
	refuse(fake, GSC_GTTMEM, 0x5008, GSC_READ_ABSENT);
	end(fake);
}

static void behind_iommu(void)
{
	struct fake *fake = begin("skl");

	fake->device.iommu_asked = fake->device.iommu = true;
	map(fake, 5, 3);
	fake->ggtt[6] = 0x7b000001;
	expect(fake, GSC_GTTMEM, 0x5000, 4, 0xa0000005);
	refuse(fake, GSC_GTTMEM, 0x6010, GSC_READ_ABSENT);
	CU_ASSERT(problem_has(fake, "IOMMU"));
	expect(fake, GSC_PHYS, 0x7b000010, 4, 0);
	end(fake);
}

/* BAR 2 is stolen memory itself; entries that mean it are marked, and count from the table on. */
static void direct(void)
{
	struct fake *fake = begin("lnl");
	uint8_t *bar = calloc(1, 0x804000);
	uint64_t start, length;

	memcpy(bar + 0x802000, "\x12\x34\x56\x78", 4);
	fake->device.stolen.aperture = (struct window){ bar, 0x804000 };
	fake->device.stolen.direct = true;
	fake->ggtt[5] = 0x802003;
	fake->ggtt[6] = STOLEN + 0x2001;
	expect(fake, GSC_PHYS, STOLEN + 0x2000, 4, 0x78563412);
	expect(fake, GSC_GTTMEM, 0x5000, 4, 0x78563412);
	expect(fake, GSC_GTTMEM, 0x6000, 4, 0x78563412);
	refuse(fake, GSC_PHYS, STOLEN + 0x4000, GSC_READ_ABSENT);
	CU_ASSERT(device_extent(&fake->device, GSC_PHYS, STOLEN - 1, &start, &length));
	CU_ASSERT(start == STOLEN && length == 0x4000);
	fake->device.ggtt_status = GSC_READ_SKIPPED;
	refuse(fake, GSC_PHYS, STOLEN + 0x2000, GSC_READ_SKIPPED);
	refuse(fake, GSC_GTTMEM, 0x5000, GSC_READ_SKIPPED);
	end(fake);
	free(bar);
}

/* ---- hazards of a platform ------------------------------------------------------------------ */

static void blocks(void)
{
	struct fake *fake = begin("skl");
	uint8_t bytes[2 * GPU_PAGE];
	static const uint32_t places[] = { 0x2080, 0x2034, 0x2038 };

	map(fake, 5, 3);
	map(fake, 6, 4);
	fake->ggtt[9] = 0x1001;
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 3 * GPU_PAGE, bytes,
				     sizeof(bytes)), GPU_PAGE);
	CU_ASSERT_EQUAL(memcmp(bytes, fake->aperture + 5 * GPU_PAGE, GPU_PAGE), 0);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 3 * GPU_PAGE + 3, bytes, 10),
			10);
	CU_ASSERT_EQUAL(memcmp(bytes, fake->aperture + 5 * GPU_PAGE + 3, 10), 0);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 5 * GPU_PAGE, bytes, 16), 0);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN - GPU_PAGE, bytes, 16), 0);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN - 0x100000 - 8, bytes, 16), 8);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_LMEM, 0, bytes, 16), 0);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_MMIO, 0, bytes, 16), 0);

	/* All ones are no bytes once the device is gone. */
	memset(fake->aperture + 5 * GPU_PAGE + 16, 0xff, 32);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 3 * GPU_PAGE, bytes, 64), 64);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		poke(fake, places[i], UINT32_MAX);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 3 * GPU_PAGE + 4, bytes, 60),
			12);
	CU_ASSERT_EQUAL(device_block(&fake->device, GSC_PHYS, STOLEN + 3 * GPU_PAGE + 16, bytes, 8),
			0);
	end(fake);
}

static void extent_is(struct fake *fake, uint64_t from, uint64_t start, uint64_t length)
{
	uint64_t at = 0, bytes = 0;

	CU_ASSERT_EQUAL(device_extent(&fake->device, GSC_GTTMEM, from, &at, &bytes), length != 0);
	CU_ASSERT_EQUAL(at, length ? start : 0);
	CU_ASSERT_EQUAL(bytes, length);
}

/* By graphics address: what is mapped and readable, and nothing is said about the rest. */
static void graphics_extents(void)
{
	struct fake *fake = begin("skl");

	map(fake, 3, 2);
	map(fake, 4, 7);
	map(fake, 6, 2);
	fake->ggtt[7] = 0x80001000 | 1;	/* no memory at all */
	map(fake, ENTRIES - 1, 2);	/* beyond the aperture, but slot 3 has it too */
	map(fake, ENTRIES - 2, 9);	/* beyond the aperture */
	extent_is(fake, 0, 3 * GPU_PAGE, 2 * GPU_PAGE);
	extent_is(fake, 4 * GPU_PAGE + 8, 4 * GPU_PAGE + 8, GPU_PAGE - 8);
	extent_is(fake, 5 * GPU_PAGE, 6 * GPU_PAGE, GPU_PAGE);
	extent_is(fake, 7 * GPU_PAGE, (ENTRIES - 1) * GPU_PAGE, GPU_PAGE);
	extent_is(fake, ENTRIES * GPU_PAGE, 0, 0);
	CU_ASSERT_PTR_NULL(device_problem(&fake->device));
	end(fake);
}

static const char *hazard_of(const struct gsc_db *db, const char *platform)
{
	struct device device = { .db = db, .layout = platform_of(platform), .laid_out = true };

	return ggtt_hazard(&device);
}

static void hazards(void)
{
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	CU_ASSERT_PTR_NOT_NULL(hazard_of(db, "mtl"));
	CU_ASSERT_PTR_NOT_NULL(hazard_of(db, "arl"));
	CU_ASSERT_PTR_NULL(hazard_of(db, "tgl"));
	CU_ASSERT_PTR_NULL(hazard_of(db, "lnl"));
	CU_ASSERT_PTR_NULL(hazard_of(db, "snb"));
	gsc_db_free(db);
}

SUITE(stolen,
      { "through the aperture", through_the_aperture },
      { "entries change", entries_change },
      { "fences", fences },
      { "refusals", refusals },
      { "unknown place", unknown_place },
      { "asleep", asleep },
      { "extents", extents },
      { "blocks", blocks },
      { "graphics extents", graphics_extents },
      { "graphics addresses", graphics_addresses },
      { "behind an IOMMU", behind_iommu },
      { "BAR 2 itself", direct },
      { "hazards", hazards })
