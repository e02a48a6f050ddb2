/* SPDX-License-Identifier: MIT */
/* A kernel log, alone and beside a source. */
#include "fuzz.h"
#include "hang/log-summary.h"

static void read_log(struct gsc_source *source, const struct gsc_view *view, const void *text,
		     size_t size)
{
	struct gsc_hang_options options = { .now = false };
	struct gsc_error err = { 0 };
	struct gsc_out *out = fuzz_out();
	struct gsc_log_summary *story;
	struct gsc_event event;
	struct gsc_json json;
	struct gsc_log *log;

	FUZZ_REQUIRE(!gsc_log_summary_new(&story, fuzz_db(), source, fuzz_gpu(source, view),
				    &options, &err));
	gsc_json_begin(&json, out, false);
	gsc_json_array(&json, "events");
	if (gsc_log_new(&log, fuzz_db(), view, text, size, &err))
		fuzz_check_error(&err, err.status);
	while (log && gsc_log_next(log, &event)) {
		FUZZ_REQUIRE(event.line && event.value_count <= GSC_EVENT_VALUES);
		gsc_log_summary_add(story, &event);
		gsc_text_event(out, &event, story, 0);
		gsc_json_object(&json, NULL);
		gsc_json_event(&json, &event, story);
		gsc_json_object_end(&json);
	}
	gsc_log_free(log);
	gsc_json_array_end(&json);
	gsc_json_log_summary(&json, story);
	gsc_json_finish(&json);
	gsc_text_log_summary(out, story, 0);
	FUZZ_REQUIRE(gsc_log_summary_signature(story) && gsc_log_summary_verdict(story));
	gsc_log_summary_free(story);
	fuzz_out_end(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gsc_source *demo = fuzz_demo();
	struct gsc_platform platform;
	struct gsc_log *log;
	int device;

	read_log(NULL, NULL, data, size);
	if (!gsc_log_new(&log, fuzz_db(), NULL, data, size, NULL) &&
	    gsc_log_platform(log, &platform, &device))
		read_log(NULL, fuzz_view(platform.index), data, size);
	gsc_log_free(log);
	read_log(demo, fuzz_view((unsigned)gsc_source_platform(demo)), data, size);
	return 0;
}
