/* SPDX-License-Identifier: MIT */
/* What can be tested of device/ without a device; tests/live/ has the rest. */
#include "device/internal.h"
#include "test.h"

#include <errno.h>
#include <string.h>

static const struct bar bar = { .start = 0xfd000000, .size = 0x1000000 };

static void test_names(void)
{
	CU_ASSERT_TRUE(device_name_matches("live"));
	CU_ASSERT_TRUE(device_name_matches("00:02.0"));
	CU_ASSERT_TRUE(device_name_matches("0000:00:02.0"));
	CU_ASSERT_TRUE(device_name_matches("/dev/dri/renderD128"));
	CU_ASSERT_FALSE(device_name_matches("Live"));
	CU_ASSERT_FALSE(device_name_matches(""));
	CU_ASSERT_FALSE(device_name_matches("live "));
	CU_ASSERT_FALSE(device_name_matches("/dev/drive"));
	CU_ASSERT_FALSE(device_name_matches("card0"));
}

static void test_bdf(void)
{
	static const char *const wrong[] = {
		"",	    "0",	     "00:02",	     "00:02.",	     "00:02.8",
		"00:20.0",  "0:02.0",	     "00:02.00",     "000:00:02.0",  "00000:00:02.0",
		"00-02.0",  "00:02:0",	     "0000.00:02.0", "0g:02.0",	     "00:02.0 ",
		" 00:02.0", "0000:00:02.0x", "00:02.-",	     "-1:02.0",	     "\xff\xff:02.0",
	};
	char bdf[BDF_MAX];

	CU_ASSERT_TRUE(bdf_parse("00:02.0", bdf));
	CU_ASSERT_STRING_EQUAL(bdf, "0000:00:02.0");
	CU_ASSERT_TRUE(bdf_parse("ABCD:fF:1F.7", bdf));
	CU_ASSERT_STRING_EQUAL(bdf, "abcd:ff:1f.7");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		CU_ASSERT_FALSE(bdf_parse(wrong[i], bdf));
}

static void test_window(void)
{
	volatile uint64_t memory[2] = { 0x1122334455667788, 0 };
	struct window window = { .base = (volatile uint8_t *)memory, .length = 14 };

	CU_ASSERT_TRUE(window_holds(&window, 0, 8));
	CU_ASSERT_TRUE(window_holds(&window, 10, 4));
	CU_ASSERT_FALSE(window_holds(&window, 11, 4));
	CU_ASSERT_FALSE(window_holds(&window, 14, 1));
	CU_ASSERT_FALSE(window_holds(&window, UINT64_MAX, 1));
	CU_ASSERT_FALSE(window_holds(&window, UINT64_MAX - 3, 8));
	CU_ASSERT_FALSE(window_holds(&(struct window){ 0 }, 0, 4));

	CU_ASSERT_EQUAL(window_load32(&window, 0), 0x55667788);
	CU_ASSERT_EQUAL(window_load32(&window, 4), 0x11223344);
	CU_ASSERT_EQUAL(window_load64(&window, 0), 0x1122334455667788);
	window_store(&window, 4, 0xa0b0c0d0, 4);
	CU_ASSERT_EQUAL(memory[0], 0xa0b0c0d055667788);
	CU_ASSERT_EQUAL(memory[1], 0);
}

/* A function that no machine has. */
#define NOWHERE "ffff:ff:1f.7"

static void test_no_device(void)
{
	struct window window = { .length = 1 };
	struct gsc_error err = { 0 };
	char text[64] = "before";

	CU_ASSERT_EQUAL(window_map(&window, NOWHERE, &bar, 0, 4096, false, &err), GSC_FAILED);
	CU_ASSERT_EQUAL(window.length, 0);
	CU_ASSERT_STRING_EQUAL(err.what, NOWHERE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "resource0"));
	CU_ASSERT_FALSE(sysfs_line(NOWHERE, "vendor", text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_FALSE(sysfs_link(NOWHERE, "driver", text, sizeof(text)));
	sysfs_nodes(NOWHERE, text, sizeof(text));
	CU_ASSERT_STRING_EQUAL(text, "");
	CU_ASSERT_FALSE(sysfs_suspended(NOWHERE));
}

static void test_refusals(void)
{
	struct gsc_error err = { 0 };

	CU_ASSERT_EQUAL(refusal_explain(&err, NOWHERE, &bar, EACCES), GSC_DENIED);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "permission denied"));
	CU_ASSERT_EQUAL(refusal_explain(&err, NOWHERE, &bar, EPERM), GSC_DENIED);
	CU_ASSERT_EQUAL(refusal_explain(&err, NOWHERE, &bar, EINVAL), GSC_DENIED);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "iomem=relaxed"));
	CU_ASSERT_EQUAL(refusal_explain(&err, NOWHERE, &bar, ENOENT), GSC_FAILED);
	CU_ASSERT_EQUAL(refusal_explain(&err, NOWHERE, &bar, ENODEV), GSC_FAILED);
	CU_ASSERT_EQUAL(refusal_explain(NULL, NOWHERE, &bar, EIO), GSC_FAILED);
}

static void test_nodes(void)
{
	struct gsc_error err = { 0 };
	char bdf[BDF_MAX];

	CU_ASSERT_EQUAL(drm_node_bdf("/dev/dri/no such node", bdf, &err), GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.what, "/dev/dri/no such node");
	CU_ASSERT_EQUAL(drm_node_bdf("/", bdf, &err), GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.why, "not a DRM node");
	CU_ASSERT_EQUAL(drm_node_bdf("/dev/null", bdf, &err), GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.why, "not a node of a PCI device");
}

SUITE(device,
      { "names", test_names },
      { "bdf", test_bdf },
      { "window", test_window },
      { "no device", test_no_device },
      { "refusals", test_refusals },
      { "nodes", test_nodes })
