/* SPDX-License-Identifier: MIT */
/*
 * The page of gpu-report about a file of any kind: valid markup, with the file's contents only as
 * text, which loads and runs only what its policy allows.
 */
#include "report/report.h"
#include "tools.h"
#include "fuzz.h"

#include <string.h>

static void check_page(const struct gsc_out *page)
{
	static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\" "
				     "content=\"default-src 'none'; style-src 'sha256-";
	static const char *const once[] = { policy, "<script", "<style", "<body", "<main", "<footer",
					    "</html>" };
	const char *text, *found;
	size_t size;

	text = gsc_out_data(page, &size);
	for (size_t i = 0; i < ARRAY_SIZE(once); i++) {
		found = memmem(text, size, once[i], strlen(once[i]));
		FUZZ_REQUIRE(found);
		found++;
		FUZZ_REQUIRE(!memmem(found, (size_t)(text + size - found), once[i],
				     strlen(once[i])));
	}
	fuzz_markup(text, size);
}

static void close_common(struct common *common)
{
	gsc_source_close(common->source);
	free(common->complaints);
	free(common->hints);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report r = { .now = 1700000000 };
	struct common *common = report_common(&r);
	enum gsc_status worst = GSC_OK, status;
	struct gsc_error err = { 0 };
	const struct gsc_view *view;

	common->command = &report_command;
	common->name = report_command.name;
	common->quiet = true;
	common->db = (struct gsc_db *)fuzz_db();
	common->source = fuzz_open_bytes("", data, size, size & 1 ? NULL : "skl");
	if (!common->source || gsc_source_platform(common->source) < 0) {
		close_common(common);
		return 0;
	}
	common->device = gsc_source_device(common->source);
	common->revision = gsc_source_revision(common->source);
	view = fuzz_view((unsigned)gsc_source_platform(common->source));
	common->gpu = (struct gsc_gpu *)fuzz_gpu(common->source, view);
	status = report_gather(&r, &worst, &err);
	if (!status) {
		FUZZ_REQUIRE(!report_write(&r, &err));
		check_page(r.out);
		fuzz_out_end(r.out);
		r.out = NULL;
	} else if (status != GSC_GONE) {
		fuzz_check_error(&err, status);
	}
	report_free(&r);
	close_common(common);
	return 0;
}
