/* SPDX-License-Identifier: MIT */
/* A file of definitions, as gpu-db check and --define take it. */
#include "fuzz.h"
#include "dbc/files.h"

static void check(const char *path)
{
	const struct gsc_finding *finding;
	struct gsc_findings *findings;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_check_files(&findings, fuzz_db(), &path, 1, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	for (size_t i = 0; (finding = gsc_finding_at(findings, i)); i++)
		FUZZ_REQUIRE(finding->file && finding->rule && finding->text);
	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		gsc_findings_items(findings, path, (enum gsc_kind)kind);
	gsc_findings_free(findings);
}

static void show_fields(struct gsc_out *out, struct gsc_field_iter *it)
{
	struct gsc_value value;
	struct gsc_field field;
	struct gsc_form form;

	while (gsc_field_next(it, &field)) {
		FUZZ_REQUIRE(field.hi >= field.lo);
		gsc_text_field(out, &field);
		gsc_field_form(it, &form);
		for (size_t i = 0; gsc_field_value(it, i, &value); i++)
			gsc_out_hex(out, value.lo ^ value.hi, 1);
	}
}

/* `view` NULL: as written down. */
static void show_item(const struct gsc_db *db, const struct gsc_view *view,
		      const struct gsc_item *item, struct gsc_out *out)
{
	static const uint32_t words[4] = { 0x12345678, UINT32_MAX, 0, 0x80000001 };
	struct gsc_field_iter it;
	struct gsc_repeat repeat;
	struct gsc_lead lead;
	struct gsc_place place;
	struct gsc_lengths lengths;
	struct gsc_hazard hazard;
	struct gsc_print print;
	uint64_t platforms;

	gsc_item_fields(db, view, item, words, 4, &it);
	show_fields(out, &it);
	for (size_t i = 0; gsc_item_repeat(db, view, item, i, &repeat, &it); i++)
		show_fields(out, &it);
	for (size_t i = 0; gsc_item_alias(db, item, i, &platforms); i++)
		gsc_out_hex(out, platforms, 1);
	for (size_t i = 0; gsc_item_print(db, item, i, &print); i++)
		gsc_out_text(out, print.key);
	for (size_t i = 0; gsc_item_lead(db, item, i, &lead); i++)
		gsc_out_hex(out, lead.page_size, 1);
	for (size_t i = 0; gsc_item_place(db, item, i, &place); i++)
		gsc_out_hex(out, place.offset, 1);
	for (size_t i = 0; gsc_item_length(db, item, i, &lengths); i++)
		gsc_out_hex(out, lengths.hi, 1);
	for (size_t i = 0; gsc_item_hazard(db, item, i, &hazard); i++)
		gsc_out_text(out, hazard.why ? hazard.why : "");
}

static void show_view(const struct gsc_db *db, struct gsc_out *out)
{
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_error err = { 0 };
	struct gsc_item item;
	struct gsc_gpu *gpu;
	struct gsc_commands *set;
	int device;

	if (gsc_platform_find(db, "skl", &platform, &device, &err))
		return;
	if (gsc_view_new(&view, db, platform.index, -1, &err)) {
		fuzz_check_error(&err, err.status);
		return;
	}
	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item) &&
		     item.flags & GSC_REG_USER; i++)
			show_item(db, view, &item, out);
	if (!gsc_gpu_new(&gpu, NULL, view, &err) && !gsc_commands_new(&set, gpu, &err))
		gsc_commands_free(set);
	gsc_gpu_close(gpu);
	gsc_view_free(view);
}

static void use(const char *path)
{
	struct gsc_error err = { 0 };
	struct gsc_item item;
	struct gsc_out *out;
	struct gsc_db *db;
	enum gsc_status status;

	FUZZ_REQUIRE(!gsc_db_new(&db, &err));
	status = gsc_db_add_file(db, path, &err);
	if (status) {
		fuzz_check_error(&err, status);
		gsc_db_free(db);
		return;
	}
	out = fuzz_out();
	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item) &&
		     item.flags & GSC_REG_USER; i++)
			show_item(db, NULL, &item, out);
	show_view(db, out);
	gsc_out_free(out);
	gsc_db_free(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(0, data, size);

	check(path);
	use(path);
	return 0;
}
