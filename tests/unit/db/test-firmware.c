/* SPDX-License-Identifier: MIT */
/* Firmware: versions that may be anything, kernels, paths, and the built-in definitions of all. */
#include "db/firmware.h"
#include "test.h"

static bool takes(const char *text, const char *version)
{
	struct slice s = slice_string(text), taken;

	return firmware_version(&s, &taken) && slice_is(taken, version) && s.at == taken.end;
}

static bool none(const char *text)
{
	struct slice s = slice_string(text), taken;

	return !firmware_version(&s, &taken);
}

static void versions(void)
{
	char long_one[200];

	CU_ASSERT_TRUE(takes(" version 70.36.0", "70.36.0"));
	CU_ASSERT_TRUE(takes(" (v2.20)", "2.20"));
	CU_ASSERT_TRUE(takes("i915/tgl_guc_70.1.1.bin version 70.1", "70.1"));
	CU_ASSERT_TRUE(takes("6.12.95+deb13-amd64", "6.12.95"));
	CU_ASSERT_TRUE(takes("70.5.", "70.5"));
	CU_ASSERT_TRUE(none("i915/tgl_guc_70.bin"));
	CU_ASSERT_TRUE(none("i915/adlp_dmc_ver2_16.bin"));
	CU_ASSERT_TRUE(none("70"));
	CU_ASSERT_TRUE(none(""));
	memset(long_one, '1', sizeof(long_one));
	memcpy(long_one, "70.", 3);
	long_one[sizeof(long_one) - 1] = 0;
	CU_ASSERT_TRUE(none(long_one));

	CU_ASSERT_TRUE(firmware_compare("70.20.0", "70.44.1") < 0);
	CU_ASSERT_TRUE(firmware_compare("70.44.10", "70.44.9") > 0);
	CU_ASSERT_EQUAL(firmware_compare("2.08", "2.8"), 0);
	CU_ASSERT_EQUAL(firmware_compare("70.1", "70.1.1"), 0);
	CU_ASSERT_EQUAL(firmware_compare("", "70.1.1"), -1);
	CU_ASSERT_TRUE(firmware_compare("4294967296.0", "70.1") > 0);
	CU_ASSERT_TRUE(firmware_compare("70.99999999999999999999999999", "70.44") > 0);

	CU_ASSERT_TRUE(firmware_kernel("6.7..7.0", "6.12.95"));
	CU_ASSERT_TRUE(firmware_kernel("6.7..7.0", "7.0.13"));
	CU_ASSERT_FALSE(firmware_kernel("6.7..7.0", "7.1"));
	CU_ASSERT_FALSE(firmware_kernel("6.7..7.0", "6.6.99"));
	CU_ASSERT_TRUE(firmware_kernel("5.10", "5.10.223"));
	CU_ASSERT_FALSE(firmware_kernel("5.1", "5.10"));
	CU_ASSERT_FALSE(firmware_kernel("5.10", ""));
}

static void paths(void)
{
	static const struct {
		const char *path, *platforms;
	} of[] = {
		{ "i915/tgl_guc_70.bin", "tgl rkl adls adln rpls" },
		{ "i915/kbl_huc_ver02_00_1810.bin", "kbl cfl cml" },
		{ "i915/icl_dmc_ver1_07.bin", "icl ehl jsl" }, { "xe/bmg_guc_70.bin", "bmg" },
		{ "i915/xe2lpd_dmc.bin", "lnl" }, { "i915/pvc_guc_70.bin", "pvc" },
		{ "i915/x.bin", "" }, { "", "" },
	};
	char names[400];
	struct gsc_db *db;

	CU_ASSERT_FATAL(!gsc_db_new(&db, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		gsc_platforms_text(db, firmware_platforms(db, slice_string(of[i].path)), " ",
				   names, sizeof(names));
		CU_ASSERT_STRING_EQUAL(names, of[i].platforms);
	}
	gsc_db_free(db);
	CU_ASSERT_EQUAL(firmware_kind(slice_string("i915/mtl_huc_gsc.bin")), FIRMWARE_HUC);
	CU_ASSERT_EQUAL(firmware_kind(slice_string("i915/mtl_gsc_1.bin")), FIRMWARE_GSC);
	CU_ASSERT_EQUAL(firmware_kind(slice_string("xe3p_lpd_dmc.bin")), FIRMWARE_KINDS);
}

/* Every file is one of its own stem's platforms; the first of a kind is the newest. */
static void built_in(void)
{
	struct gsc_firmware_file f;
	struct gsc_db *db;
	size_t files = 0, packages = 0;

	CU_ASSERT_FATAL(!gsc_db_new(&db, NULL));
	for (size_t i = 0; gsc_firmware_next(db, &i, &f);) {
		packages += f.kind == FIRMWARE_PACKAGE;
		files += f.kind != FIRMWARE_PACKAGE;
		CU_ASSERT_PTR_NOT_NULL(f.item.section);
		CU_ASSERT_TRUE(f.kind == FIRMWARE_PACKAGE ? f.item.doc != NULL : f.kernel != NULL);
		CU_ASSERT_TRUE(f.kind == FIRMWARE_PACKAGE ||
			       !(f.item.platforms &
				 ~firmware_platforms(db, slice_string(f.item.name))));
		CU_ASSERT_TRUE(!f.least || firmware_compare(f.least, f.wants) <= 0);
	}
	CU_ASSERT_TRUE(files > 100);
	CU_ASSERT_TRUE(packages > 4);
	gsc_db_free(db);
}

SUITE(firmware,
	{ "versions", versions },
	{ "paths", paths },
	{ "built in", built_in })
