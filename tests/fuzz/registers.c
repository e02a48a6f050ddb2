/* SPDX-License-Identifier: MIT */
/* Register text: as a source, and pasted. */
#include "fuzz.h"

static void paste(const struct gsc_view *view, const void *text, size_t size)
{
	struct gsc_error err = { 0 };
	struct gsc_rows *rows;
	struct gsc_out *out;
	enum gsc_status status = gsc_rows_pasted(&rows, fuzz_gpu(NULL, view), text, size, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	out = fuzz_out();
	gsc_text_rows(out, rows, 0);
	for (size_t i = 0; gsc_rows_note(rows, i); i++)
		FUZZ_REQUIRE(*gsc_rows_note(rows, i));
	fuzz_out_end(out);
	gsc_rows_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const platforms[] = { "snb", "skl", "tgl", "brw" };
	struct gsc_platform platform;
	int device;

	FUZZ_REQUIRE(!gsc_platform_find(fuzz_db(), platforms[size % 4], &platform, &device, NULL));
	fuzz_explore(fuzz_open_bytes("", data, size, NULL), data, size);
	paste(fuzz_view(platform.index), data, size);
	return 0;
}
