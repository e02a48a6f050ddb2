/* SPDX-License-Identifier: MIT */
/* Compiled definitions that another process returns: sound ones are taken, and no others harm. */
#include "db/view.h"
#include "definitions.h"
#include "gtt/cache.h"
#include "log/event.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* Something of every section that a user's file can have. */
static const char user[] =
	"format 1\norigin i915 \"here\"\nenum levels\n\t0 off \"none\"\n\t0x10000 wide\n"
	"group lab \"Of the lab\"\n"
	"\treg LAB_{A,B} 64 rw masked on=skl:a0..c0,kbl+ stride=0x10\n\t\tat +0x9f0 engine=rcs\n"
	"\t\tat @0x9f000 on=kbl count=3 stride=0x100 run=2:0x1000\n\t\tprint LAB_{A,B}\n"
	"\t\talias OLD_{A,B} on=skl\n\t\thazard write bits=3 \"burns\"\n"
	"\t\tfield MODE 3:0 enum:levels\n\t\tfield SIZE 7:4 when=MODE=1|4 u2.2\n"
	"\t\tfield BASE 31:12 addr:ggtt <<12 target=LAB_STATE count=SIZE unit=pages\n\t\t\t0 none\n"
	"range @0x9e000-0x9efff hang \"why\"\n"
	"command LAB_COMMAND engine=rcs\n\tmatch 31:29=3 28:16=0x1abc\n\tlength 7:0 +2\n"
	"\texpect 3..5\n\talias LAB_C\n\tfield N dw0.15:8\n"
	"\trepeat P at=dw1 size=2 count=N\n\t\tfield V dw0.63:2 addr:ppgtt\n"
	"struct LAB_STATE bytes=8\n\tfield KIND 1:0\n\trepeat Q at=dw1 size=1 count=rest\n"
	"\t\tfield W 7:0 float when=X=1\n\t\tfield X 9:8\n"
	"entry LAB_ENTRY mode=pml4 level=lab bits=64\n\tindex 29:21 every=2\n\tfield P 0\n"
	"\tfield L 8:7\n\tvalid P\n\tleaf L=1 size=2M as=pte\n\tnext pte L=0\n\tnext pde\n"
	"fact mode=pml4 level=lab \"known\"\n"
	"cache LAB_TLB \"TLB\" kind=tlb entries=4 mode=pml4 level=lab engine=vcs1 \"known\"\n"
	"invalidation LAB_A.MODE=1 by=register takes=LAB_TLB,walk on=kbl mode=pml4 \"known\"\n"
	"workaround Lab_1,Lab_2 engine LAB_A[1] mask=3 value=1 on=kbl unchecked \"only here\"\n"
	"message \"the lab burns\" driver=xe type=lab kind=hang by=xe_job certain \"a fire\"\n"
	"harmless \"the lab is calm\" \"no fire\"\n"
	"instruction lab 0x7e sources=2 form=send\n";

/* Everything that is looked up in the user's definitions. */
static size_t use(const struct gsc_db *db, const struct gsc_view *view)
{
	static const uint32_t words[] = { UINT32_MAX, 0x101, 3 };
	struct gsc_cache cache;
	struct gsc_item item;
	size_t seen = 0;
	char users[64];

	for (unsigned kind = GSC_REGISTER; kind <= GSC_INSTRUCTION; kind++)
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item) &&
		     item.flags & GSC_REG_USER; i++) {
			struct gsc_field_iter it;
			struct gsc_lengths lengths;
			struct gsc_hazard hazard;
			struct gsc_repeat repeat;
			struct gsc_field field;
			struct gsc_value value;
			struct gsc_place place;
			struct gsc_print print;
			struct gsc_form form;
			struct gsc_lead lead;
			const char *alias;

			seen += strlen(item.name) + strlen(item.file);
			for (size_t k = 0; (alias = gsc_item_alias(db, &item, k, NULL)); k++)
				seen += strlen(alias);
			for (size_t k = 0; gsc_item_place(db, &item, k, &place); k++)
				seen += place.offset & 1;
			for (size_t k = 0; gsc_item_length(db, &item, k, &lengths); k++)
				seen += lengths.lo;
			for (size_t k = 0; gsc_item_hazard(db, &item, k, &hazard); k++)
				seen += strlen(hazard.why);
			for (size_t k = 0; gsc_item_print(db, &item, k, &print); k++)
				seen += strlen(print.key);
			for (size_t k = 0; gsc_item_lead(db, &item, k, &lead); k++)
				seen += lead.level ? strlen(lead.level) : 1;
			gsc_item_fields(db, view, &item, words, ARRAY_SIZE(words), &it);
			for (size_t k = 0;;) {
				while (gsc_field_next(&it, &field)) {
					gsc_field_form(&it, &form);
					seen += strlen(field.name) + strlen(form.type);
					seen += field.text ? strlen(field.text) : 0;
					for (size_t v = 0; v < 4 && gsc_field_value(&it, v, &value);
					     v++)
						seen += strlen(value.name);
				}
				if (!gsc_item_repeat(db, view, &item, k++, &repeat, &it))
					break;
				seen += strlen(repeat.name);
			}
		}
	for (size_t i = 0; i < 8 && gsc_cache_next(db, &i, &cache);)
		seen += strlen(gsc_cache_users(&cache, users, sizeof(users))) + strlen(cache.kind) +
			strlen(cache.item.name) + (cache.takes ? strlen(cache.takes) : 0);
	return seen;
}

/* Its messages find lines, and their handlers read these. */
static size_t use_messages(const struct gsc_db *db)
{
	static const char lines[] = "xe 0000:03:00.0: [drm] *ERROR* the lab burns: 1 2 on rcs0\n"
				    "xe 0000:03:00.0: [drm] the lab is calm, no error\n";
	struct gsc_event event;
	struct gsc_log *log;
	size_t seen = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, db, NULL, lines, sizeof(lines) - 1, NULL), GSC_OK);
	while (gsc_log_next(log, &event))
		seen += strlen(event.fault.text) + strlen(gsc_event_word(event.kind));
	gsc_log_free(log);
	return seen;
}

static void use_view(const struct gsc_db *db)
{
	struct gsc_platform p;
	struct gsc_error err;
	struct gsc_view *view;
	struct gsc_reg reg;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "kbl", &p, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, &err), GSC_OK);
	for (size_t i = 0; i < gsc_view_count(view); i++)
		if (inst_layer(view, i) != db->base)
			gsc_view_reg(view, i, &reg);
	use(db, view);
	use_messages(db);
	gsc_view_free(view);
}

static void *compile(const struct gsc_db *db, size_t *size)
{
	struct gsc_error err;
	struct build b;
	void *blob;

	build_init(&b, db);
	CU_ASSERT_FATAL(build_parse(&b, "lab.def", user, sizeof(user) - 1) && build_finish(&b));
	CU_ASSERT_EQUAL(b.findings.count, 0);
	if (b.findings.count)
		fprintf(stderr, "\n%u: %s\n", b.findings.items[0].line, b.findings.items[0].text);
	CU_ASSERT_EQUAL_FATAL(build_blob(&b, &blob, size, &err), GSC_OK);
	build_free(&b);
	return blob;
}

static bool take(const uint8_t *bytes, size_t size, bool view)
{
	struct gsc_error err;
	struct gsc_db *db;
	bool taken;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	taken = !db_add_blob(db, bytes, size, &err);
	if (taken)
		use(db, NULL);
	if (taken && view)
		use_view(db);
	gsc_db_free(db);
	return taken;
}

static void test_returned(void)
{
	struct gsc_error err;
	struct gsc_db *db;
	uint8_t *blob;
	size_t size;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	blob = compile(db, &size);
	CU_ASSERT(take(blob, size, true));
	CU_ASSERT_FALSE(take(blob, size - 1, true));
	CU_ASSERT_FALSE(take(blob, 0, true));
	CU_ASSERT_EQUAL(db_add_blob(db, blob, size, &err), GSC_OK);
	CU_ASSERT(use(db, NULL) > 200);
	CU_ASSERT_EQUAL(use_messages(db), strlen("a fire on rcs0" "hang"));
	free(blob);
	gsc_db_free(db);
}

/* Every byte but those of the texts: refused, or as harmless as definitions that say so. */
static void test_damaged(void)
{
	size_t size, taken = 0, refused = 0, first, end;
	const struct blob_header *header;
	struct gsc_error err;
	struct gsc_db *db;
	uint8_t *blob;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	blob = compile(db, &size);
	header = (const struct blob_header *)blob;
	first = header->section[B_STRINGS].offset;
	end = first + header->section[B_STRINGS].count - 1;
	for (size_t i = 0; i < size; i++) {
		static const uint8_t flips[] = { 0xff, 1, 0x80 };

		for (size_t k = 0; k < ARRAY_SIZE(flips) && (i < first || i >= end); k++) {
			bool sound;

			blob[i] ^= flips[k];
			sound = take(blob, size, i % 4 == k);
			taken += sound;
			refused += !sound;
			blob[i] ^= flips[k];
		}
	}
	CU_ASSERT(taken > size / 4 && refused > size / 4);
	free(blob);
	gsc_db_free(db);
}

SUITE(blob, { "returned by a process", test_returned }, { "damaged", test_damaged })
