/* SPDX-License-Identifier: MIT */
/* A kernel log, alone and beside a source. */
#include "fuzz.h"

struct teller {
	struct gsc_out *out;
	struct gsc_json json;
	struct gsc_story *story;
};

static bool tell(void *context, const struct gsc_event *event)
{
	struct teller *teller = context;

	FUZZ_REQUIRE(event->line && event->value_count <= GSC_EVENT_VALUES);
	FUZZ_REQUIRE(gsc_story_add(teller->story, event));
	gsc_text_event(teller->out, event, teller->story, 0);
	gsc_json_object(&teller->json, NULL);
	gsc_json_event(&teller->json, event, teller->story);
	gsc_json_object_end(&teller->json);
	return true;
}

static void read_log(struct gsc_source *source, const struct gsc_view *view, const void *text,
		     size_t size)
{
	struct gsc_hang_options options = { .now = false };
	struct gsc_error err = { 0 };
	struct teller teller = { .out = fuzz_out() };
	enum gsc_status status;

	FUZZ_REQUIRE(!gsc_story_new(&teller.story, fuzz_db(), source, fuzz_gpu(source, view),
				    &options, &err));
	gsc_json_begin(&teller.json, teller.out, false);
	gsc_json_array(&teller.json, "events");
	status = gsc_log_read(fuzz_db(), view, text, size, tell, &teller, &err);
	if (status)
		fuzz_check_error(&err, status);
	gsc_json_array_end(&teller.json);
	gsc_json_story(&teller.json, teller.story);
	gsc_json_finish(&teller.json);
	gsc_text_story(teller.out, teller.story, 0);
	FUZZ_REQUIRE(gsc_story_signature(teller.story) && gsc_story_verdict(teller.story));
	gsc_story_free(teller.story);
	fuzz_out_end(teller.out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gsc_source *demo = fuzz_demo();
	struct gsc_platform platform;
	int device;

	read_log(NULL, NULL, data, size);
	if (gsc_log_platform(fuzz_db(), data, size, &platform, &device))
		read_log(NULL, fuzz_view(platform.index), data, size);
	read_log(demo, fuzz_view((unsigned)gsc_source_platform(demo)), data, size);
	return 0;
}
