/* SPDX-License-Identifier: MIT */
/*
 * The built-in captures match the descriptions in data/demo/README.md. Every table is walked by
 * hand.
 */
#include "test.h"
#include "formats/demo.h"
#include "open/open.h"

#include <string.h>

#define NOTHING UINT64_MAX

struct demo {
	struct gsc_db *db;
	struct gsc_source *source;
};

static struct demo demo_begin(const char *spec)
{
	struct demo d = { 0 };
	struct gsc_error err = { 0 };
	struct gsc_source_options options = { 0 };

	if (gsc_db_new(&d.db, &err) != GSC_OK)
		CU_FAIL_FATAL("no definitions");
	options.db = d.db;
	if (gsc_source_open(&d.source, &spec, 1, &options, &err) != GSC_OK)
		CU_FAIL_FATAL("the demo does not open");
	return d;
}

static void demo_end(struct demo *d)
{
	CU_ASSERT_EQUAL(gsc_source_note_count(d->source), 0);
	gsc_source_close(d->source);
	gsc_db_free(d->db);
}

static uint64_t value(const struct demo *d, enum gsc_space space, uint64_t address, unsigned size)
{
	uint64_t v = NOTHING;

	return gsc_read(d->source, space, address, size, &v) == GSC_READ_OK ? v : NOTHING;
}

static uint32_t reg(const struct demo *d, uint32_t offset)
{
	return (uint32_t)value(d, GSC_MMIO, offset, 4);
}

static uint64_t reg64(const struct demo *d, uint32_t low, uint32_t high)
{
	return (uint64_t)reg(d, high) << 32 | reg(d, low);
}

static uint64_t config(const struct demo *d, uint32_t offset, unsigned size)
{
	return value(d, GSC_CONFIG, offset, size);
}

static void check_identity(const struct demo *d, const char *platform, int device, int revision)
{
	struct gsc_platform p;
	int index = gsc_source_platform(d->source);

	CU_ASSERT_FATAL(index >= 0 && gsc_platform_at(d->db, (unsigned)index, &p));
	CU_ASSERT_STRING_EQUAL(p.name, platform);
	CU_ASSERT_EQUAL(gsc_source_device(d->source), device);
	CU_ASSERT_EQUAL(gsc_source_revision(d->source), revision);
	CU_ASSERT_FALSE(gsc_source_live(d->source));
	CU_ASSERT_EQUAL(config(d, 0, 2), 0x8086);
	CU_ASSERT_EQUAL(config(d, 2, 2), (uint64_t)device);
	CU_ASSERT_EQUAL(config(d, 8, 1), (uint64_t)revision);
}

/* ---- walks: the physical address, or NOTHING at the first entry that is not valid ----------- */

static uint64_t gen6_target(uint64_t entry)
{
	return (entry & 0xfffff000) | (entry & 0xff0) << 28;
}

static uint64_t gen6_ggtt(const struct demo *d, uint32_t address)
{
	uint64_t pte = value(d, GSC_GGTT, address / 4096 * 4, 4);

	return pte & 1 ? gen6_target(pte) + address % 4096 : NOTHING;
}

static uint64_t gen6_pde(const struct demo *d, uint32_t address)
{
	return value(d, GSC_GGTT, (reg(d, 0x2518) >> 10) + (address >> 22) * 4, 4);
}

static uint64_t gen6_pte(const struct demo *d, uint32_t address)
{
	return value(d, GSC_PHYS,
		     gen6_target(gen6_pde(d, address)) + (address >> 12 & 1023) * 4, 4);
}

static uint64_t gen6_walk(const struct demo *d, uint32_t address)
{
	uint64_t pte;

	if (!(gen6_pde(d, address) & 1))
		return NOTHING;
	pte = gen6_pte(d, address);
	return pte & 1 ? gen6_target(pte) + address % 4096 : NOTHING;
}

static uint64_t gen8_ggtt(const struct demo *d, uint32_t address)
{
	uint64_t pte = value(d, GSC_GGTT, address / 4096 * 8, 8);

	return pte & 1 ? (pte & 0x7ffffff000) + address % 4096 : NOTHING;
}

/* The entry at a level, 4 (PML4) to 1 (PTE); 0 below an entry that is not present. */
static uint64_t gen8_entry(const struct demo *d, uint64_t address, unsigned level)
{
	uint64_t entry = reg64(d, 0x2270, 0x2274) | 1;

	for (unsigned l = 4; l >= level && l; l--) {
		if (!(entry & 1))
			return 0;
		entry = value(d, GSC_PHYS,
			      (entry & 0x7ffffff000) + (address >> (3 + 9 * l) & 511) * 8, 8);
	}
	return entry;
}

static uint64_t gen8_walk(const struct demo *d, uint64_t address)
{
	uint64_t pte = gen8_entry(d, address, 1);

	return pte & 1 ? (pte & 0x7ffffff000) + address % 4096 : NOTHING;
}

static uint32_t gen8_dword(const struct demo *d, uint64_t address)
{
	return (uint32_t)value(d, GSC_PHYS, gen8_walk(d, address), 4);
}

/* ---- snb-hang ------------------------------------------------------------------------------- */

static void test_snb_machine(void)
{
	struct demo d = demo_begin("demo:snb-hang");

	check_identity(&d, "snb", 0x0126, 9);
	CU_ASSERT_EQUAL(config(&d, 0x10, 8), 0xf5400004);
	CU_ASSERT_EQUAL(config(&d, 0x50, 2), 0x0211);
	CU_ASSERT_EQUAL(config(&d, 0x5c, 4), 0xbba00001);
	CU_ASSERT_EQUAL(reg(&d, 0x1080c0), 0xbba00001);
	CU_ASSERT_EQUAL(reg(&d, 0x130090), 1);
	CU_ASSERT_EQUAL(reg(&d, 0x2520), 0x2200);
	/* 0x40000 to 0x45ffff, 44 * 128 bytes a row, X; 0x500000 to 0x51ffff, 8 * 128, Y. */
	CU_ASSERT_EQUAL(value(&d, GSC_MMIO, 0x100000, 8), 0x0045f02b00040001);
	CU_ASSERT_EQUAL(value(&d, GSC_MMIO, 0x100018, 8), 0x0051f00700500003);
	CU_ASSERT_EQUAL(value(&d, GSC_MMIO, 0x100008, 8), 0);
	/* The framebuffer is in stolen memory, uncached; elsewhere there is one scratch page. */
	CU_ASSERT_EQUAL(value(&d, GSC_GGTT, 0x40 * 4, 4), 0xbba00003);
	CU_ASSERT_EQUAL(value(&d, GSC_GGTT, 0x45f * 4, 4), 0xbbe1f003);
	CU_ASSERT_EQUAL(value(&d, GSC_GGTT, 0x460 * 4, 4), value(&d, GSC_GGTT, 0, 4));
	CU_ASSERT_EQUAL(value(&d, GSC_GGTT, 0x600 * 4, 4), NOTHING);
	demo_end(&d);
}

static void test_snb_ring(void)
{
	struct demo d = demo_begin("demo:snb-hang");
	uint64_t start;

	CU_ASSERT_EQUAL(reg(&d, 0x2038), 0x8000);
	CU_ASSERT_EQUAL(reg(&d, 0x203c), 0x3001);
	CU_ASSERT_EQUAL(reg(&d, 0x2034), 0x00603db8);
	CU_ASSERT_EQUAL(reg(&d, 0x2030), 0x3e28);
	/* Before the head: the start of the batch, in the per-process space. */
	start = gen6_ggtt(&d, 0x8000 + 0x3db0);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, start, 4), 0x18800100);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, start + 4, 4), 0x10000);
	/* The status page has the number of the request before. */
	CU_ASSERT_EQUAL(reg(&d, 0x4080), 0x1000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_ggtt(&d, 0x1100), 4), 0x5d39);
	/* Blitter and video have nothing to do. */
	CU_ASSERT_EQUAL(reg(&d, 0x22030), reg(&d, 0x22034));
	CU_ASSERT_EQUAL(reg(&d, 0x12030), reg(&d, 0x12034));
	CU_ASSERT_EQUAL(reg(&d, 0x2209c), 0x200);
	demo_end(&d);
}

static void test_snb_batch(void)
{
	struct demo d = demo_begin("demo:snb-hang");
	uint32_t acthd = reg(&d, 0x2074);

	CU_ASSERT_EQUAL(reg(&d, 0x2518), 0x7fe00000);
	CU_ASSERT_EQUAL(acthd, 0x10108);
	CU_ASSERT_EQUAL(reg(&d, 0x2140), 0x10109);
	CU_ASSERT_EQUAL(reg(&d, 0x2068), 0x7b001004);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_walk(&d, acthd), 4), 0x7b001004);
	/* Pages past 4 GB: PIPE_CONTROL is the first command, a triangle list of 3 the last. */
	CU_ASSERT_TRUE(gen6_walk(&d, 0x10000) > UINT64_C(0x100000000));
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_walk(&d, 0x10000), 4), 0x7a000003);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_walk(&d, acthd + 4), 4), 3);
	/* Four dwords of vertex buffer, five of elements and one of statistics before it. */
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_walk(&d, acthd - 0x2c), 4), 0x78080003);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen6_walk(&d, acthd - 0x24), 4), 0xa40000);
	demo_end(&d);
}

static void test_snb_fault(void)
{
	struct demo d = demo_begin("demo:snb-hang");
	uint32_t fault = reg(&d, 0x4094);

	CU_ASSERT_EQUAL(fault & 1, 1);
	CU_ASSERT_EQUAL(fault & 0x800, 0);		/* PPGTT */
	CU_ASSERT_EQUAL(fault & 0xfffff000, 0xa40000);
	CU_ASSERT_EQUAL(reg(&d, 0x4194), 0);
	CU_ASSERT_EQUAL(reg(&d, 0x20b0), 0x10);
	CU_ASSERT_EQUAL(gen6_pde(&d, 0xa40000) & 1, 1);
	CU_ASSERT_EQUAL(gen6_pte(&d, 0xa40000), 0);
	CU_ASSERT_NOT_EQUAL(gen6_walk(&d, 0x800000), NOTHING);
	CU_ASSERT_EQUAL(gen6_pde(&d, 0xc00000), 0);
	demo_end(&d);
}

/* ---- skl-hang ------------------------------------------------------------------------------- */

static void test_skl_machine(void)
{
	struct demo d = demo_begin("demo:skl-hang");
	uint64_t unused = 0x1234;

	check_identity(&d, "skl", 0x1912, 6);
	CU_ASSERT_EQUAL(config(&d, 0x50, 2), 0x02c1);
	CU_ASSERT_EQUAL(reg(&d, 0x40e0), 0x00030907);
	CU_ASSERT_EQUAL(reg(&d, 0x40e4), 0x3b2b1b0b);
	CU_ASSERT_EQUAL(reg(&d, 0xc808), 0x3b);		/* MOCS[2]: write-back, both caches */
	CU_ASSERT_EQUAL(reg(&d, 0xb020), 0x00300010);
	CU_ASSERT_EQUAL(reg(&d, 0xd84), 1);
	CU_ASSERT_EQUAL(reg(&d, 0x130044), 1);
	CU_ASSERT_EQUAL(reg(&d, 0xd88), 0);
	/* Media sleeps. */
	CU_ASSERT_EQUAL(gsc_read(d.source, GSC_MMIO, 0x12030, 4, &unused), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(gsc_read(d.source, GSC_MMIO, 0x1a074, 4, &unused), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(unused, 0x1234);
	CU_ASSERT_EQUAL(gsc_read(d.source, GSC_MMIO, 0x15000, 4, &unused), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value(&d, GSC_GGTT, 0x100 * 8, 8), 0x8b800001);
	demo_end(&d);
}

static void test_skl_ring(void)
{
	struct demo d = demo_begin("demo:skl-hang");
	uint64_t start;

	CU_ASSERT_EQUAL(reg(&d, 0x2038), 0x8000);
	CU_ASSERT_EQUAL(reg(&d, 0x2034), 0x00600bf0);
	CU_ASSERT_EQUAL(reg(&d, 0x2030), 0xc98);
	CU_ASSERT_EQUAL(reg(&d, 0x229c), 0x8000);
	CU_ASSERT_EQUAL(reg(&d, 0x2234), 0x54012);
	CU_ASSERT_EQUAL(reg(&d, 0x2238), 5);
	/* The address of the batch has bit 47 set, so the command has all above it set. */
	start = gen8_ggtt(&d, 0x8000 + 0xbf0 - 12);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, start, 4), 0x18800101);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, start + 4, 4), 0xfffd0000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, start + 8, 4), 0xfffffffe);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen8_ggtt(&d, 0x1100), 4), 0x2c416);
	CU_ASSERT_EQUAL(reg(&d, 0x22030), 0x300);
	CU_ASSERT_EQUAL(reg(&d, 0x22034), 0x00200300);
	demo_end(&d);
}

/* First level, second level, the command that is stuck. */
static void test_skl_batch(void)
{
	struct demo d = demo_begin("demo:skl-hang");
	uint64_t batch = reg64(&d, 0x2140, 0x2168), second = reg64(&d, 0x2114, 0x211c);
	uint64_t acthd = reg64(&d, 0x2074, 0x205c);

	CU_ASSERT_EQUAL(batch, 0xfffefffd00a9);
	CU_ASSERT_EQUAL(second, 0x10002003d);
	CU_ASSERT_EQUAL(acthd, 0x10002003c);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0xfffefffd0000), 0x7a000004);
	/* The first level continues after a start of the second level. */
	CU_ASSERT_EQUAL(gen8_dword(&d, batch - 13), 0x18c00101);
	CU_ASSERT_EQUAL(gen8_dword(&d, batch - 9), 0x00020000);
	CU_ASSERT_EQUAL(gen8_dword(&d, batch - 5), 1);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd), 0x7a000004);
	CU_ASSERT_EQUAL(reg(&d, 0x2068), 0x7a000004);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 4), 0x0010c000);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 8), 0x05603000);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 12), 0x7a11);
	demo_end(&d);
}

static void test_skl_fault(void)
{
	struct demo d = demo_begin("demo:skl-hang");
	uint64_t address = (uint64_t)(reg(&d, 0x4b14) & 0xf) << 44 | (uint64_t)reg(&d, 0x4b10) << 12;

	CU_ASSERT_EQUAL(reg(&d, 0x4094), 0x12b);	/* type 1, unit 37, engine 0 */
	CU_ASSERT_EQUAL(reg(&d, 0x4b14) & 0x10, 0);	/* PPGTT */
	CU_ASSERT_EQUAL(address, 0x7a1105603000);
	CU_ASSERT_EQUAL(gen8_entry(&d, address, 4) & 1, 1);
	CU_ASSERT_EQUAL(gen8_entry(&d, address, 3) & 1, 1);
	CU_ASSERT_EQUAL(gen8_entry(&d, address, 2), 0);
	CU_ASSERT_NOT_EQUAL(gen8_walk(&d, 0x7a1105000000), NOTHING);
	demo_end(&d);
}

static void test_skl_pages(void)
{
	struct demo d = demo_begin("demo:skl-hang");

	/* 2 MB: a leaf in the directory. */
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x300000000, 2), 0x180800083);
	/* 64 KB: bit 11 of the directory entry, and 4080h allows it; every 16th entry counts. */
	CU_ASSERT_EQUAL(reg(&d, 0x4080), 0xf);
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x200000000, 2) & 0x803, 0x803);
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x200000000, 1), 0x180410083);
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x200010000, 1), 0);
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x100020000, 2) & 0x883, 0x003);
	demo_end(&d);
}

static void test_skl_context(void)
{
	struct demo d = demo_begin("demo:skl-hang");
	uint64_t state;

	CU_ASSERT_EQUAL(reg(&d, 0x2180), 0x20001);
	CU_ASSERT_EQUAL(reg(&d, 0x2080), 0x1000);
	state = gen8_ggtt(&d, 0x21000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 1 * 4, 4), 0x1100101b);	/* 14 registers */
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 4 * 4, 4), 0x2034);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 5 * 4, 4), 0xbc8);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 7 * 4, 4), 0xc98);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 9 * 4, 4), 0x8000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 11 * 4, 4), 0x3001);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 48 * 4, 4), 0x2274);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 49 * 4, 4), reg(&d, 0x2274));
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 51 * 4, 4), reg(&d, 0x2270));
	/* Lists of 1 and 44 registers follow, then the end. */
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 65 * 4, 4), 0x11000001);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 81 * 4, 4), 0x11001057);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 170 * 4, 4), 0x05000000);
	/* Four events, the last a new tail for context 5, in registers and status page. */
	CU_ASSERT_EQUAL(reg(&d, 0x23a0), 0x303);
	CU_ASSERT_EQUAL(value(&d, GSC_MMIO, 0x2388, 8), 0x500008000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen8_ggtt(&d, 0x1058), 8), 0x500008000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen8_ggtt(&d, 0x107c), 4), 3);
	demo_end(&d);
}

/* ---- icl-trtt ------------------------------------------------------------------------------- */

static void test_icl_machine(void)
{
	static const uint32_t bases[] = { 0x22000, 0x1c0000, 0x1d0000, 0x1c8000 };
	struct demo d = demo_begin("demo:icl-trtt");

	check_identity(&d, "icl", 0x8a52, 7);
	CU_ASSERT_EQUAL(config(&d, 0x10, 8), 0x604a000004);
	CU_ASSERT_EQUAL(config(&d, 0xc0, 8), 0x4f800001);
	for (unsigned i = 0; i < 4; i++) {
		uint32_t head = reg(&d, bases[i] + 0x34);

		CU_ASSERT_EQUAL(head & 0x1ffffc, reg(&d, bases[i] + 0x30));
		CU_ASSERT_EQUAL(reg(&d, bases[i] + 0x3c), 1);
		CU_ASSERT_EQUAL(reg(&d, bases[i] + 0x80), 0x2000 + i * 0x1000);
	}
	CU_ASSERT_EQUAL(reg(&d, 0xd50) & reg(&d, 0xd58) & reg(&d, 0xd70) & reg(&d, 0xd84), 1);
	CU_ASSERT_EQUAL(reg(&d, 0x190010), 0x80000001);
	CU_ASSERT_EQUAL(reg(&d, 0x190018), 1);
	CU_ASSERT_EQUAL(reg(&d, 0x190060), 0x80000800);
	CU_ASSERT_EQUAL(reg(&d, 0x229c), 8);
	/* The queue: render class, software id 3, counter 1, image at 0x20000. */
	CU_ASSERT_EQUAL(value(&d, GSC_MMIO, 0x2510, 8), 0x0080006000020119);
	demo_end(&d);
}

static void test_icl_wait(void)
{
	struct demo d = demo_begin("demo:icl-trtt");
	uint64_t acthd = reg64(&d, 0x2074, 0x205c);

	CU_ASSERT_EQUAL(reg(&d, 0x2034), 0x00201138);
	CU_ASSERT_EQUAL(reg(&d, 0x2030), 0x1178);
	CU_ASSERT_EQUAL(reg(&d, 0x203c), 0x1401);	/* two pages, waiting, enabled */
	CU_ASSERT_EQUAL(acthd, 0x600100100);
	CU_ASSERT_EQUAL(reg(&d, 0x2068), 0x0e009002);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd), 0x0e009002);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 4), 0x12);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 8), 0x00050000);
	CU_ASSERT_EQUAL(gen8_dword(&d, acthd + 12), 6);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x600050000), 0x11);
	CU_ASSERT_EQUAL(reg(&d, 0x4094), 0);
	demo_end(&d);
}

/* The L3 and L2 entries of a tile are 64 bits, the L1 entry 32; NOTHING from marked tables. */
static uint64_t tile(const struct demo *d, uint64_t address)
{
	uint64_t l3 = reg64(d, 0x4de0, 0x4de4), l2, l1;

	l2 = value(d, GSC_PHYS, gen8_walk(d, l3 + (address >> 35 & 511) * 8), 8);
	if (l2 & 3)
		return NOTHING - (l2 & 3);
	l1 = value(d, GSC_PHYS, gen8_walk(d, l2 + (address >> 26 & 511) * 8), 8);
	if (l1 & 3)
		return NOTHING - (l1 & 3);
	return gen8_dword(d, l1 + (address >> 16 & 1023) * 4);
}

static void test_icl_tiles(void)
{
	const uint64_t sparse = 0x500000000000;
	struct demo d = demo_begin("demo:icl-trtt");

	CU_ASSERT_EQUAL(reg(&d, 0x4df0), 0xf5);		/* bits 47:44 are 5 */
	CU_ASSERT_EQUAL(reg(&d, 0x4df4), 3);
	CU_ASSERT_EQUAL(reg(&d, 0x4dfc), 1);
	CU_ASSERT_EQUAL(reg64(&d, 0x4de0, 0x4de4), 0x100000000);
	CU_ASSERT_EQUAL(reg(&d, 0x4de8), 1);		/* null */
	CU_ASSERT_EQUAL(reg(&d, 0x4dec), 0);		/* invalid */
	CU_ASSERT_EQUAL(tile(&d, sparse), 0x20004);
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x10000), 1);
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x20000), 0x20005);
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x30000), 0);
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x12345650000), 0x20006);
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x4000000), NOTHING - 2);	/* L2: null */
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x8000000), NOTHING - 1);	/* L2: invalid */
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x800000000), NOTHING - 2);	/* L3: null */
	CU_ASSERT_EQUAL(tile(&d, sparse + 0x1000000000), NOTHING - 1);	/* L3: invalid */
	/* The first tile's memory is a page of 64 KB; it begins with -1.0, -1.0, 0.0. */
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x200040000, 2) & 0x803, 0x803);
	CU_ASSERT_EQUAL(gen8_entry(&d, 0x200040000, 1), 0x190040083);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x200040000), 0xbf800000);
	/* The batch draws from the first tile, and from the null one. */
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x600100090), 0x78080003);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x600100098), 0);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x60010009c), 0x5000);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x6001000c8), 0x78080003);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x6001000d0), 0x10000);
	CU_ASSERT_EQUAL(gen8_dword(&d, 0x6001000d4), 0x5000);
	demo_end(&d);
}

static void test_icl_context(void)
{
	struct demo d = demo_begin("demo:icl-trtt");
	uint64_t state = gen8_ggtt(&d, 0x21000);

	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 1 * 4, 4), 0x1108101d);	/* 15 registers */
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 9 * 4, 4), 0xc000);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 49 * 4, 4), 3);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 51 * 4, 4), reg(&d, 0x2270));
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, state + 68 * 4, 4), 0x05000001);
	/* The write pointer of the events is at dword 47 on Gen11. */
	CU_ASSERT_EQUAL(reg(&d, 0x23a0), 0x202);
	CU_ASSERT_EQUAL(value(&d, GSC_PHYS, gen8_ggtt(&d, 0x10bc), 4), 2);
	demo_end(&d);
}

/* ---- the table of demos --------------------------------------------------------------------- */

static void test_list(void)
{
	static const char *const names[] = { "snb-hang", "skl-hang", "icl-trtt" };
	struct gsc_demo demo;

	for (size_t i = 0; i < 3; i++) {
		CU_ASSERT_FATAL(gsc_demo_at(i, &demo));
		CU_ASSERT_STRING_EQUAL(demo.name, names[i]);
		CU_ASSERT_TRUE(strlen(demo.title) > 10);
	}
	CU_ASSERT_FALSE(gsc_demo_at(3, &demo));
}

static void test_unknown(void)
{
	const char *spec = "demo:snb-hand";
	struct gsc_source *source = NULL;
	struct gsc_source_options options = { 0 };
	struct gsc_error err = { 0 };
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	options.db = db;
	CU_ASSERT_EQUAL(gsc_source_open(&source, &spec, 1, &options, &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NULL(source);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "snb-hang"));
	gsc_db_free(db);
}

SUITE(demo,
      { "list", test_list },
      { "an unknown name", test_unknown },
      { "snb-hang: machine", test_snb_machine },
      { "snb-hang: ring", test_snb_ring },
      { "snb-hang: batch", test_snb_batch },
      { "snb-hang: fault", test_snb_fault },
      { "skl-hang: machine", test_skl_machine },
      { "skl-hang: ring", test_skl_ring },
      { "skl-hang: batches", test_skl_batch },
      { "skl-hang: fault", test_skl_fault },
      { "skl-hang: large pages", test_skl_pages },
      { "skl-hang: context", test_skl_context },
      { "icl-trtt: machine", test_icl_machine },
      { "icl-trtt: semaphore", test_icl_wait },
      { "icl-trtt: tiles", test_icl_tiles },
      { "icl-trtt: context", test_icl_context })
