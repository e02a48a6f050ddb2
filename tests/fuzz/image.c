/* SPDX-License-Identifier: MIT */
/* What hardware writes to memory, as bytes: platform, kind, layout, and the bytes. */
#include "fuzz.h"
#include "image/image.h"

static void show(const struct gsc_image *image)
{
	struct gsc_image_counts counts = { 0 };
	struct gsc_error err = { 0 };
	struct gsc_image_part part;
	struct gsc_out *out = fuzz_out();
	struct gsc_json json;
	enum gsc_status status;

	for (size_t i = 0; gsc_image_part(image, i, &part); i++)
		FUZZ_REQUIRE(part.count <= image->about.size / 4 || part.aside);
	status = gsc_text_image(out, image, GSC_TEXT_VERBOSE, &counts, &err);
	if (status)
		fuzz_check_error(&err, status);
	gsc_json_begin(&json, out, false);
	err = (struct gsc_error){ 0 };
	status = gsc_json_image(&json, image, &counts, &err);
	if (status)
		fuzz_check_error(&err, status);
	gsc_json_finish(&json);
	fuzz_out_end(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = { NULL, "lrc", "state", "pphwsp", "probe-list", "A13",
					       "C4_B8", "A36u64_B8_C8" };
	static const char *const engines[] = { NULL, "rcs0", "vcs0", "bcs0" };
	struct fuzz_input in = { data, size };
	unsigned platform = fuzz_platform(fuzz_take(&in, 1));
	struct gsc_image_options options = {
		.kind = (enum gsc_image_kind)(fuzz_take(&in, 1) % GSC_IMAGE_KINDS),
	};
	struct gsc_error err = { 0 };
	struct gsc_image *image;

	options.format = formats[fuzz_take(&in, 1) & 7];
	options.engine = engines[fuzz_take(&in, 1) & 3];
	options.data = in.data;
	options.size = in.size;
	if (gsc_image_new(&image, fuzz_commands(platform), &options, &err)) {
		fuzz_check_error(&err, err.status);
		return 0;
	}
	show(image);
	gsc_image_free(image);
	return 0;
}
