/* SPDX-License-Identifier: MIT */
/*
 * A file of definitions, as gpu-db check and --define take it; or, after "patch", what is changed in
 * compiled ones, which gpu-sh takes from a process that may have been subverted.
 */
#include "fuzz.h"

#include "batch/command.h"
#include "db/db.h"

#include <string.h>
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

static void show_all(struct gsc_db *db)
{
	struct gsc_out *out = fuzz_out();
	struct gsc_item item;

	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item) &&
		     item.flags & GSC_REG_USER; i++)
			show_item(db, NULL, &item, out);
	show_view(db, out);
	gsc_out_free(out);
	gsc_db_free(db);
}

static void use(const char *path)
{
	struct gsc_error err = { 0 };
	struct gsc_db *db;
	enum gsc_status status;

	FUZZ_REQUIRE(!gsc_db_new(&db, &err));
	status = gsc_db_add_file(db, path, &err);
	if (!status) {
		show_all(db);
		return;
	}
	fuzz_check_error(&err, status);
	gsc_db_free(db);
}

/* Records of a place, four bytes, and what is added to the four bytes there. */
static void use_patched(struct fuzz_input *in)
{
	static const char text[] =
		"format 1\norigin i915 \"here\"\nenum levels\n\t0 off \"none\"\n\t0x10000 wide\n"
		"reg LAB_{A,B} 64 rw masked on=skl:a0..c0,kbl+ stride=0x10\n"
		"\tat +0x9f0 engine=rcs\n\tat @0x9f000 on=kbl count=3 stride=0x100\n"
		"\tprint LAB_{A,B}\n\talias OLD_{A,B} on=skl\n\thazard write bits=3 \"burns\"\n"
		"\tfield MODE 3:0 enum:levels\n\tfield SIZE 7:4 when=MODE=1|4 u2.2\n"
		"\tfield BASE 31:12 addr:ggtt <<12 target=LAB_STATE count=SIZE\n"
		"command LAB engine=rcs\n\tmatch 31:29=3 28:16=0x1abc\n\tlength 7:0 +2\n"
		"\tfield N dw0.15:8\n\trepeat P at=dw1 size=2 count=N\n\t\tfield V dw0.63:2 hex\n"
		"struct LAB_STATE bytes=8\n\tfield KIND 1:0\n"
		"entry LAB_ENTRY mode=pml4 level=lab bits=64\n\tindex 29:21\n\tfield P 0\n"
		"\tvalid P\n\tleaf P=1 size=2M\n\tnext pde\n";
	struct gsc_error err = { 0 };
	struct gsc_db *from, *db;
	const struct blob_header *header;
	enum gsc_status status;
	uint8_t *blob;

	FUZZ_REQUIRE(!gsc_db_new(&from, &err) && !gsc_db_new(&db, &err));
	FUZZ_REQUIRE(!gsc_db_add_file(from, fuzz_file(0, text, sizeof(text) - 1), &err));
	header = db_layer(from, 0)->header;
	blob = malloc(header->size);
	FUZZ_REQUIRE(blob);
	memcpy(blob, header, header->size);
	while (in->size) {
		size_t at = fuzz_take(in, 4) % (header->size / 4) * 4;
		uint32_t word;

		memcpy(&word, blob + at, 4);
		word += (uint32_t)fuzz_take(in, 4);
		memcpy(blob + at, &word, 4);
	}
	status = db_add_blob(db, blob, header->size, &err);
	free(blob);
	gsc_db_free(from);
	if (!status) {
		show_all(db);
		return;
	}
	fuzz_check_error(&err, status);
	gsc_db_free(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path;

	if (size > 5 && !memcmp(data, "patch", 5)) {
		use_patched(&(struct fuzz_input){ data + 5, size - 5 });
		return 0;
	}
	path = fuzz_file(0, data, size);
	check(path);
	use(path);
	return 0;
}
