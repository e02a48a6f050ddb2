/* SPDX-License-Identifier: MIT */
/* Keys of drivers' dumps: where they are read, on every platform. */
#include "db/view.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

#define ALL 255

/* Of graphics versions `lo` to `hi`; relative to the base of the engine. */
static const struct {
	const char *key;
	uint8_t lo, hi;
	bool relative;
	uint32_t address;
} keys[] = {
	{ "IER", 8, ALL, false, 0x4446c },
	{ "IER", 4, 4, false, 0x20a0 },
	{ "GTIER[0]", 11, ALL, false, 0x190030 },
	{ "GTIER[1]", 11, ALL, false, 0x190034 },
	{ "GTIER[2]", 11, ALL, false, 0x190038 },
	{ "GTIER[3]", 11, ALL, false, 0x19003c },
	{ "GTIER[4]", 11, ALL, false, 0x190040 },
	{ "GTIER[5]", 11, ALL, false, 0x190044 },
	{ "GTIER[0]", 8, 10, false, 0x4430c },
	{ "GTIER[1]", 8, 10, false, 0x4431c },
	{ "GTIER[2]", 8, 10, false, 0x4432c },
	{ "GTIER[3]", 8, 10, false, 0x4433c },
	{ "GTIER[0]", 5, 7, false, 0x4401c },
	{ "GTIER", 5, 7, false, 0x4401c },
	{ "PGTBL_ER", 4, ALL, false, 0x2024 },
	{ "FORCEWAKE", 7, ALL, false, 0xa188 },
	{ "FORCEWAKE", 6, 6, false, 0xa18c },
	{ "FAULT_REG", 12, ALL, false, 0xcec4 },
	{ "GFX_MODE", 6, 6, true, 0x29c },
	{ "PP_DIR_BASE", 6, 6, true, 0x518 },
	{ "SC_INSTDONE", 4, 6, false, 0x207c },
	{ "SYNC_0", 6, 7, true, 0x40 },
	{ "SYNC_1", 6, 7, true, 0x44 },
	{ "SYNC_2", 6, 7, true, 0x48 },
	{ "INDIRECT_RING_STATE", 12, ALL, true, 0x108 },
	{ "INSTDONE", 4, ALL, true, 0x6c },
	{ "INSTDONE1", 4, 7, false, 0x207c },
	{ "INSTDONE_0", 4, ALL, true, 0x6c },
	{ "INSTDONE_1", 4, 6, false, 0x207c },
	{ "INSTDONE_1", 7, ALL, false, 0x7100 },
	{ "INSTDONE_2", 7, ALL, false, 0xe160 },
	{ "INSTDONE_3", 7, ALL, false, 0xe164 },
	{ "ERROR", 12, ALL, false, 0x40a0 },
	{ "DONE_REG", 12, ALL, false, 0x40b0 },
	{ "GTT_CACHE_EN", 12, ALL, false, 0x4024 },
	{ "FORCEWAKE_GT", 12, ALL, false, 0xa188 },
	{ "RCU_MODE", 12, ALL, false, 0x14800 },
	{ "RING_START_UDW", 12, ALL, true, 0x48 },
	{ "PWR_WELL_CTL2", 7, 9, false, 0x45404 },
};

/* The units A and B, which all platforms have except Valleyview and Cherryview. */
static const struct {
	const char *block, *key;
	uint8_t lo, hi;
	uint32_t address;
} display_keys[] = {
	{ "Pipe", "CONF", 4, ALL, 0x70008 },	{ "Pipe", "SRC", 4, ALL, 0x6001c },
	{ "Pipe", "STAT", 4, 4, 0x70024 },	{ "Pipe", "HTOTAL", 4, ALL, 0x60000 },
	{ "Pipe", "HBLANK", 4, ALL, 0x60004 },	{ "Pipe", "HSYNC", 4, ALL, 0x60008 },
	{ "Pipe", "VTOTAL", 4, ALL, 0x6000c },	{ "Pipe", "VBLANK", 4, ALL, 0x60010 },
	{ "Pipe", "VSYNC", 4, ALL, 0x60014 },	{ "Plane", "CNTR", 4, ALL, 0x70180 },
	{ "Plane", "ADDR", 4, 7, 0x70184 },	{ "Plane", "STRIDE", 4, ALL, 0x70188 },
	{ "Plane", "SURF", 4, ALL, 0x7019c },	{ "Plane", "TILEOFF", 4, ALL, 0x701a4 },
	{ "Cursor", "CNTR", 4, ALL, 0x70080 },	{ "Cursor", "BASE", 4, ALL, 0x70084 },
	{ "Cursor", "POS", 4, ALL, 0x70088 },
};

struct kit {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_platform platform;
	unsigned version;
};

static void kit_begin(struct kit *kit, const char *platform)
{
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&kit->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(kit->db, platform, &kit->platform, &(int){ 0 },
						NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&kit->view, kit->db, kit->platform.index, -1, NULL),
			      GSC_OK);
	kit->version = kit->platform.graphics / 100;
}

static void kit_end(struct kit *kit)
{
	gsc_view_free(kit->view);
	gsc_db_free(kit->db);
}

static uint64_t address_of(const struct kit *kit, const char *engine, const char *key)
{
	uint64_t address;

	return print_find(kit->view, engine, key, &address) ? address : 0;
}

static void check_keys(const struct kit *kit, const char *engine, uint32_t base)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		uint32_t address = keys[i].address + (keys[i].relative ? base : 0);

		if (kit->version < keys[i].lo || kit->version > keys[i].hi)
			continue;
		if (address_of(kit, engine, keys[i].key) != address) {
			printf("%s %s %s is not at 0x%x\n", kit->platform.name, engine,
			       keys[i].key, address);
			CU_FAIL("a key is lost");
		}
	}
}

static void check_display(const struct kit *kit)
{
	bool valleyview = !strcmp(kit->platform.name, "vlv") ||
			  !strcmp(kit->platform.name, "chv");

	for (size_t i = 0; i < 2 * ARRAY_SIZE(display_keys); i++) {
		const char *block = display_keys[i / 2].block;
		bool near = !strcmp(block, "Cursor") && (kit->version < 7 || valleyview);
		uint32_t address = display_keys[i / 2].address + (valleyview ? 0x180000 : 0) +
				   (i % 2 ? near ? 0x40 : 0x1000 : 0);
		char key[40];

		if (kit->version < display_keys[i / 2].lo || kit->version > display_keys[i / 2].hi)
			continue;
		snprintf(key, sizeof(key), "%s %c %s", block, i % 2 ? 'B' : 'A',
			 display_keys[i / 2].key);
		if (address_of(kit, "", key) != address) {
			printf("%s %s is not at 0x%x\n", kit->platform.name, key, address);
			CU_FAIL("a key is lost");
		}
	}
}

static void check_platform(const char *name)
{
	struct gsc_engine_place is = { 0 };
	const char *engine;
	struct kit kit;

	kit_begin(&kit, name);
	gsc_platform_engine(kit.db, kit.platform.index, 0, &is);
	if (is.base == 0x2000)
		check_keys(&kit, "", is.base);
	for (size_t i = 0;
	     (engine = gsc_platform_engine(kit.db, kit.platform.index, i, &is)); i++)
		check_keys(&kit, engine, is.base);
	if (kit.platform.display)
		check_display(&kit);
	kit_end(&kit);
}

static void test_every_platform(void)
{
	struct gsc_platform platform;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (unsigned i = 0; gsc_platform_at(db, i, &platform); i++)
		check_platform(platform.name);
	gsc_db_free(db);
}

static void check_one(const char *platform, const char *engine, const char *key, uint64_t address)
{
	struct kit kit;

	kit_begin(&kit, platform);
	CU_ASSERT_EQUAL(address_of(&kit, engine, key), address);
	kit_end(&kit);
}

/* i915_gpu_error.c, gt_record_display_regs(); i915_reg.h: VLV_IER. */
static void test_exceptions(void)
{
	check_one("ilk", "", "IER", 0x4400c);
	check_one("hsw", "", "IER", 0x4400c);
	check_one("vlv", "", "IER", 0x1820a0);
	check_one("chv", "", "IER", 0x4446c);
	check_one("vlv", "", "DERRMR", 0x44050);
	check_one("chv", "", "DERRMR", 0x44050);
	check_one("ilk", "", "DERRMR", 0);
	check_one("chv", "", "Pipe C CONF", 0x1f4008);
	check_one("chv", "", "Pipe C HTOTAL", 0x1e3000);
	check_one("chv", "", "Cursor C POS", 0x1f00e8);
	check_one("hsw", "", "Pipe EDP CONF", 0x7f008);
	check_one("skl", "", "Pipe EDP VSYNC", 0x6f014);
	check_one("skl", "", "Pipe DSI0 CONF", 0);
	check_one("skl", "", "Plane C SURF", 0x7219c);
	check_one("snb", "", "Pipe C CONF", 0);
	check_one("snb", "vcs7", "SYNC_0", 0);
	check_one("snb", "", "ier", 0);
	check_one("skl", "", "GTIER[4]", 0);
}

/* gpu-db shows the definitions, key by key. */
static void test_listed(void)
{
	struct gsc_match match;
	struct gsc_print print;
	struct gsc_item item;
	struct kit kit;

	kit_begin(&kit, "chv");
	CU_ASSERT_EQUAL_FATAL(gsc_db_find(kit.db, "DE_MISC_IER", &match, 1), 1);
	CU_ASSERT_FATAL(gsc_item_by_def(kit.db, GSC_REGISTER, match.def, &item));
	CU_ASSERT_FATAL(gsc_item_print(kit.db, &item, 0, &print));
	CU_ASSERT_STRING_EQUAL(print.key, "IER");
	CU_ASSERT(print.placed && !print.relative);
	CU_ASSERT_EQUAL(print.offset, 0x4446c);
	CU_ASSERT(print.platforms >> kit.platform.index & 1);
	CU_ASSERT_FALSE(item.platforms >> kit.platform.index & 1);
	CU_ASSERT_FALSE(gsc_item_print(kit.db, &item, 1, &print));
	CU_ASSERT_FATAL(gsc_item_at(kit.db, GSC_COMMAND, 0, &item));
	CU_ASSERT_FALSE(gsc_item_print(kit.db, &item, 0, &print));
	kit_end(&kit);
}

SUITE(dump_keys, { "every platform", test_every_platform }, { "exceptions", test_exceptions },
      { "listed", test_listed });
