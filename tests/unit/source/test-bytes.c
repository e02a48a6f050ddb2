/* SPDX-License-Identifier: MIT */
/* Sources of bytes that the caller has in memory. */
#include "findings.h"
#include "formats/demo.h"
#include "open/open.h"
#include "source-helpers.h"
#include "source/part.h"
#include "source/source.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

static struct blob demo_bytes(const char *name)
{
	struct gsc_error err;
	struct blob blob;

	CU_ASSERT_EQUAL_FATAL(demo_open(&blob, name, &err), GSC_OK);
	return blob;
}

static void test_bytes(void)
{
	struct blob blob = demo_bytes("skl-hang");
	const struct gsc_input input = { .spec = "a capture", .data = blob.data,
					 .size = (size_t)blob.size };
	char *path = temporary_file(blob.data, (size_t)blob.size);
	struct gsc_source *file = open_spec("%s", path, NULL);
	struct gsc_source *source = open_inputs(&input, 1, NULL);
	struct found expected = find_all(file), found = find_all(source);
	struct gsc_property a, b;

	check_same(&found, &expected, true);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(source, 0), gsc_source_kind(file, 0));
	CU_ASSERT_STRING_EQUAL(gsc_source_name(source, 0), "a capture");
	for (size_t i = 0; gsc_source_property(file, 0, i, &a); i++) {
		CU_ASSERT_TRUE(gsc_source_property(source, 0, i, &b));
		CU_ASSERT_STRING_EQUAL(a.value, b.value);
	}
	gsc_source_close(source);
	gsc_source_close(file);
	drop_file(path);
	blob_close(&blob);
}

/* A name says what bytes are, as it does of a file, but names nothing that is not bytes. */
static void test_named_bytes(void)
{
	static const char *const names[] = { "live", "demo:skl-hang", "hang:1", "-", "none" };
	static const char log[] = "[  1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, "
				  "in glxgears [1234]\n";
	uint8_t *bytes = pattern(PAGE);
	const struct gsc_input inputs[] = {
		{ .spec = "mem:ram@0x1000", .data = bytes, .size = PAGE },
		{ .spec = "ggtt:table", .data = bytes, .size = PAGE },
		{ .spec = "bar:registers@0x2000", .data = bytes, .size = PAGE },
		{ .spec = "lmem:vram", .data = bytes, .size = PAGE },
	};
	struct gsc_input odd = { .spec = "mem:ram@0xfffffffffffffff0", .data = bytes,
				 .size = PAGE };
	struct gsc_source *source = open_inputs(inputs, ARRAY_SIZE(inputs), "skl");
	struct gsc_error err;
	size_t length;

	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x1018, 8), load_le(bytes + 0x18, 8));
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, 0x18, 8), load_le(bytes + 0x18, 8));
	CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, 0x2018, 4), load_le(bytes + 0x18, 4));
	CU_ASSERT_EQUAL(value_at(source, GSC_LMEM, 0x18, 8), load_le(bytes + 0x18, 8));
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x18, 8), GSC_READ_ABSENT);
	/* In place. */
	CU_ASSERT_PTR_EQUAL(gsc_span(source, GSC_PHYS, 0x1010, &length), bytes + 0x10);
	gsc_source_close(source);

	CU_ASSERT_EQUAL(try_inputs(&source, &odd, 1, "skl", &err), GSC_USAGE);
	odd = (struct gsc_input){ .spec = "mem:ram", .data = bytes };
	CU_ASSERT_EQUAL(try_inputs(&source, &odd, 1, "skl", &err), GSC_FAILED);
	CU_ASSERT_STRING_EQUAL(err.why, "empty");
	odd = (struct gsc_input){ .spec = "noise", .data = bytes, .size = PAGE };
	CU_ASSERT_EQUAL(try_inputs(&source, &odd, 1, "skl", &err), GSC_FAILED);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "not recognised"));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		odd = (struct gsc_input){ .spec = names[i], .data = log,
					  .size = sizeof(log) - 1 };
		source = open_inputs(&odd, 1, NULL);
		CU_ASSERT_EQUAL(gsc_source_form(source, 0), GSC_SOURCE_LOG);
		gsc_source_close(source);
	}
	free(bytes);
}

SUITE(bytes, { "a capture", test_bytes }, { "names", test_named_bytes })
