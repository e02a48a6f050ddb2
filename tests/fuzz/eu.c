/* SPDX-License-Identifier: MIT */
/* Instructions: platform, then bytes. They are decoded to their end, as text and as JSON. */
#include "fuzz.h"
#include "eu/program.h"

#define PROGRAM_MAX 0x8000

static bool take_breach(void *context, const struct gsc_breach *breach)
{
	(void)context;
	return breach->rule;
}

static void show(struct gsc_eu *eu, const struct fuzz_input *in,
		 bool json)
{
	const struct gsc_program_style style = { .addresses = true, .raw = true, .fields = true };
	struct gsc_out *out = fuzz_out();
	struct gsc_program_counts counts;
	struct gsc_program *program;
	struct gsc_json document;
	struct gsc_error err = { 0 };

	FUZZ_REQUIRE(!gsc_program_new(&program, eu, in->data, in->size, &err));
	gsc_json_begin(&document, out, false);
	if (json) {
		gsc_json_object(&document, NULL);
		gsc_json_program(&document, program, &counts);
		gsc_json_object_end(&document);
	} else {
		gsc_text_program(out, program, &style, &counts);
	}
	FUZZ_REQUIRE(counts.end <= in->size && in->size - counts.end < 16);
	FUZZ_REQUIRE(counts.unknown <= counts.instructions);
	FUZZ_REQUIRE(counts.instructions * 8 <= in->size);
	FUZZ_REQUIRE(!gsc_program_lint(program, 0x1000, take_breach, NULL, &err));
	gsc_program_free(program);
	fuzz_out_end(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size > PROGRAM_MAX ? PROGRAM_MAX : size };
	const struct gsc_view *view = fuzz_view(fuzz_platform(fuzz_take(&in, 1)));
	struct gsc_error err = { 0 };
	struct gsc_eu *eu;
	enum gsc_status status = gsc_eu_new(&eu, view, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return 0;
	}
	show(eu, &in, false);
	show(eu, &in, true);
	if (!gsc_eu_set_syntax(eu, GSC_EU_IGA, &err))
		show(eu, &in, false);
	gsc_eu_free(eu);
	return 0;
}
