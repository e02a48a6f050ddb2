/* SPDX-License-Identifier: MIT */
/* Registers: what selectors mean, the results of reading, where readings differ, given values. */
#include "regs-helpers.h"
#include "regs/regs.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

/* ---- the form of selectors ------------------------------------------------------------------ */

static void selector_names(void)
{
	struct selector s;

	CU_ASSERT_EQUAL(selector_read(&s, NULL, "PP_CONTROL", NULL), GSC_OK);
	CU_ASSERT(s.kind == SELECTOR_NAME && s.name.index == -1 && !*s.name.engine && !*s.name.field);
	CU_ASSERT_STRING_EQUAL(s.name.name, "PP_CONTROL");
	CU_ASSERT_EQUAL(selector_read(&s, NULL, "rcs0.FENCE[0x1f]:VALID", NULL), GSC_OK);
	CU_ASSERT_STRING_EQUAL(s.name.engine, "rcs0");
	CU_ASSERT_STRING_EQUAL(s.name.name, "FENCE");
	CU_ASSERT_STRING_EQUAL(s.name.field, "VALID");
	CU_ASSERT_EQUAL(s.name.index, 31);
	CU_ASSERT_EQUAL(selector_read(&s, NULL, "FENCE[*]", NULL), GSC_OK);
	CU_ASSERT_EQUAL(s.name.index, -1);
	CU_ASSERT_EQUAL(selector_read(&s, NULL, "3DPRIM_BASE_VERTEX", NULL), GSC_OK);
	CU_ASSERT_EQUAL(s.kind, SELECTOR_NAME);
	CU_ASSERT_EQUAL(selector_read(&s, NULL, "mmio-sr:SR01:SCREEN_OFF", NULL), GSC_OK);
	CU_ASSERT(s.kind == SELECTOR_NAME && s.space == GSC_VGA_SR && s.alias);
	CU_ASSERT_STRING_EQUAL(s.name.name, "SR01");
	CU_ASSERT_STRING_EQUAL(s.name.field, "SCREEN_OFF");
	CU_ASSERT_EQUAL(selector_read(&s, NULL, "@ring", NULL), GSC_OK);
	CU_ASSERT(s.kind == SELECTOR_GROUP && !strcmp(s.name.name, "ring"));
}

static void selector_addresses(void)
{
	static const struct {
		const char *text;
		enum selector_kind kind;
		enum gsc_space space;
		uint64_t start, last;
	} good[] = {
		{ "0x2030", SELECTOR_ADDRESS, GSC_MMIO, 0x2030, 0x2033 },
		{ "8240", SELECTOR_ADDRESS, GSC_MMIO, 0x2030, 0x2033 },
		{ "0X2030-0X203c", SELECTOR_RANGE, GSC_MMIO, 0x2030, 0x203f },
		{ "0x2030-0x203f", SELECTOR_RANGE, GSC_MMIO, 0x2030, 0x203f },
		{ "0x2030-0x2030", SELECTOR_RANGE, GSC_MMIO, 0x2030, 0x2033 },
		{ "0x2030+16", SELECTOR_RANGE, GSC_MMIO, 0x2030, 0x203f },
		{ "0+4K", SELECTOR_RANGE, GSC_MMIO, 0, 0xfff },
		{ "config:0x50", SELECTOR_ADDRESS, GSC_CONFIG, 0x50, 0x53 },
		{ "config:0-0x3c", SELECTOR_RANGE, GSC_CONFIG, 0, 0x3f },
		{ "vga-sr:0x1", SELECTOR_ADDRESS, GSC_VGA_SR, 1, 1 },
		{ "VGA-SR:0x1", SELECTOR_ADDRESS, GSC_VGA_SR, 1, 1 },
		{ "mmio:0x2030-0x203c", SELECTOR_RANGE, GSC_MMIO, 0x2030, 0x203f },
		{ "mmio16:0x2032", SELECTOR_ADDRESS, GSC_MMIO, 0x2032, 0x2033 },
		{ "mmio8:0x2033", SELECTOR_ADDRESS, GSC_MMIO, 0x2033, 0x2033 },
		{ "mmio8:0x3cc", SELECTOR_ADDRESS, GSC_IO, 0x3cc, 0x3cc },
		{ "mmio8:0x3ac", SELECTOR_ADDRESS, GSC_MMIO, 0x3ac, 0x3ac },
		{ "portio:0x3cc", SELECTOR_ADDRESS, GSC_IO, 0x3cc, 0x3cc },
		{ "io:4", SELECTOR_ADDRESS, GSC_IO, 4, 7 },
		{ "punit:0xd8", SELECTOR_ADDRESS, GSC_SIDEBAND, 0x400d8, 0x400d8 },
		{ "0x04:0xd8", SELECTOR_ADDRESS, GSC_SIDEBAND, 0x400d8, 0x400d8 },
		{ "ccu:0xffff", SELECTOR_ADDRESS, GSC_SIDEBAND, 0xa9ffff, 0xa9ffff },
		{ "sideband:0x1b0001", SELECTOR_ADDRESS, GSC_SIDEBAND, 0x1b0001, 0x1b0001 },
		{ "0x180000:0x2100+8", SELECTOR_RANGE, GSC_MMIO, 0x182100, 0x182107 },
	};
	struct selector s;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CU_ASSERT_EQUAL(selector_read(&s, NULL, good[i].text, NULL), GSC_OK);
		CU_ASSERT_EQUAL(s.kind, good[i].kind);
		CU_ASSERT_EQUAL(s.space, good[i].space);
		CU_ASSERT_EQUAL(s.start, good[i].start);
		CU_ASSERT_EQUAL(s.last, good[i].last);
	}
}

static void selector_faults(void)
{
	static const char *const bad[] = {
		"", "@", ".NAME", "rcs0.", "NAME:", "NAME[", "NAME[]", "NAME[x]", "NAME[3", "NAME[70000]",
		"NAME[3]x", "[3]", "0x2031", "0x2032", "0x", "0x20g0", "0x2030-", "0x2030-0x2031",
		"0x2030-0x2032", "0x2030-0x202c", "0x2031-0x2040", "0x2030+", "0x2030+0", "0x2030+3",
		"0x2030+1G", "0-0xffffffff", "0xfffffffffffffffc+8", "0x1ffffffffffffffff0",
		"vga-sr:0-4", "config:0x51-0x60", "mmio:", "mmio16:0x2031", "mmio8:0x2030-0x2033",
		"punit:0x10000", "punit:0-4", "io:1", "0x04:NAME", "0x04:", "0x2030:",
		"0xfffffffffffffffc:0x4",
		"ENGINE_THAT_IS_FAR_TOO_LONG.NAME",
	};
	struct selector s;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CU_ASSERT_EQUAL(selector_read(&s, NULL, bad[i], NULL), GSC_USAGE);
}

static void selector_noise(void)
{
	static const char alphabet[] = "0xAF_.:[]@-+*?19rcs";
	struct bench b;
	uint32_t seed = 7;

	bench_open(&b, NULL);
	for (unsigned round = 0; round < 3000; round++) {
		char text[24];
		size_t length = next_random(&seed) % sizeof(text);
		const char *words[] = { text };
		struct gsc_selection *selection;

		for (size_t i = 0; i < length; i++)
			text[i] = alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];
		text[length ? length - 1 : 0] = 0;
		gsc_select(&selection, gpu_for(NULL, b.view), round & 1, words, 1, NULL);
		gsc_selection_free(selection);
	}
	bench_close(&b);
}

/* ---- what they mean ------------------------------------------------------------------------- */

static size_t count_of(const struct bench *b, const char *selectors)
{
	struct gsc_selection *selection = bench_select(b, selectors);
	struct gsc_rows *rows = bench_read(b, selection, false);
	size_t count = gsc_rows_count(rows);

	gsc_rows_free(rows);
	gsc_selection_free(selection);
	return count;
}

static void select_counts(void)
{
	struct bench b;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL(count_of(&b, "T_PLAIN"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "t_plain"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "T_OTHER"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "T_PLAIN T_OTHER 0x700000 T_PL*"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "T_ARRAY"), 4);
	CU_ASSERT_EQUAL(count_of(&b, "T_ARRAY[2]"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "T_*"), 9);
	CU_ASSERT_EQUAL(count_of(&b, "T_?LAIN"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "@testing"), 9);
	CU_ASSERT_EQUAL(count_of(&b, "@TESTING T_PLAIN"), 9);
	CU_ASSERT_EQUAL(count_of(&b, "0x700100-0x70011f"), 8);
	CU_ASSERT_EQUAL(count_of(&b, "0x700104"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "RING_TAIL"), 5);
	CU_ASSERT_EQUAL(count_of(&b, "rcs0.RING_TAIL"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "vcs.RING_TAIL"), 2);
	CU_ASSERT_EQUAL(count_of(&b, "bsd.RING_TAIL"), 2);
	CU_ASSERT_EQUAL(count_of(&b, "bsd1.RING_TAIL"), 1);
	CU_ASSERT_EQUAL(count_of(&b, "render.RING_TAIL blt.RING_TAIL vebox.RING_TAIL"), 3);
	CU_ASSERT_EQUAL(count_of(&b, "v*.RING_TAIL"), 3);
	CU_ASSERT_EQUAL(count_of(&b, ""), gsc_view_count(b.view));
	bench_close(&b);
}

static void refuse(const struct bench *b, const char *selector, const char *why)
{
	struct gsc_selection *selection;
	struct gsc_error err = { 0 };

	CU_ASSERT_EQUAL(gsc_select(&selection, gpu_for(NULL, b->view), 0, &selector, 1, &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NULL(selection);
	CU_ASSERT_STRING_EQUAL(err.what, selector);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, why));
}

static void select_unknown(void)
{
	const char *nowhere = "0x700080";
	struct gsc_selection *selection;
	struct gsc_error err;
	struct bench b;

	bench_open(&b, NULL);
	refuse(&b, "T_PLAIM", "did you mean T_PLAIN?");
	refuse(&b, "T_OHTER", "did you mean T_OTHER?");
	refuse(&b, "T_PLAIN:HIHG", "T_PLAIN has no field HIHG; did you mean HIGH?");
	refuse(&b, "T_ARRAY[4]", "the indexes of T_ARRAY are 0 to 3");
	refuse(&b, "T_PLAIN[0]", "T_PLAIN is not an array");
	refuse(&b, "rcs0.T_PLAIN", "T_PLAIN is not a register of engine rcs0");
	refuse(&b, "ccs0.RING_TAIL", "skl has no engine ccs0; it has rcs0");
	refuse(&b, "T_Z*", "matches no register of skl");
	refuse(&b, "@testin", "did you mean testing?");
	CU_ASSERT_EQUAL(gsc_select(&selection, gpu_for(NULL, b.view), GSC_SELECT_DEFINED, &nowhere, 1, &err),
			GSC_UNKNOWN);
	CU_ASSERT_STRING_EQUAL(err.why, "no register of skl is defined at this address");
	bench_close(&b);
}

/* A name that only other platforms know names them. */
static void select_elsewhere(void)
{
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_selection *selection;
	struct gsc_error err;
	const char *name = "T_PLAIN";
	struct bench b;
	int device;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL(gsc_platform_find(b.db, "snb", &platform, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL(gsc_view_new(&view, b.db, platform.index, -1, NULL), GSC_OK);
	CU_ASSERT_EQUAL(gsc_select(&selection, gpu_for(NULL, view), 0, &name, 1, &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "is not a register of snb, but of skl"));
	gsc_view_free(view);
	bench_close(&b);
}

static void select_fields(void)
{
	struct gsc_selection *selection;
	struct gsc_rows *rows;
	struct gsc_row row;
	struct bench b;

	bench_open(&b, NULL);
	selection = bench_select(&b, "T_PLAIN:mode T_*:KIND T_PLAIN:HIGH T_ARRAY[1]:UP T_ARRAY[1]");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL(gsc_rows_count(rows), 3);
	gsc_rows_at(rows, 0, &row);
	CU_ASSERT_EQUAL_FATAL(row.field_count, 2);
	CU_ASSERT_STRING_EQUAL(row.fields[0], "MODE");
	CU_ASSERT_STRING_EQUAL(row.fields[1], "HIGH");
	gsc_rows_at(rows, 1, &row);
	CU_ASSERT(row.field_count == 1 && !strcmp(row.fields[0], "KIND"));
	gsc_rows_at(rows, 2, &row);
	CU_ASSERT_EQUAL(row.field_count, 0);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	bench_close(&b);
}

/* ---- suggestions ---------------------------------------------------------------------------- */

static void suggestions(void)
{
	struct suggestions s = { .wanted = "RING_TIAL" };
	char text[200];

	CU_ASSERT_STRING_EQUAL(suggestions_text(&s, text, sizeof(text)), "");
	suggest(&s, "SOMETHING_ELSE");
	suggest(&s, "RING_HEAL");
	suggest(&s, "RING_TAIL");
	suggest(&s, "ring_tail");
	CU_ASSERT_STRING_EQUAL(suggestions_text(&s, text, sizeof(text)),
			       "; did you mean RING_TAIL or RING_HEAL?");
	suggest(&s, "RING_DIAL");
	suggest(&s, "RING_TIALS");
	CU_ASSERT_STRING_EQUAL(suggestions_text(&s, text, sizeof(text)),
			       "; did you mean RING_TAIL, RING_DIAL or RING_TIALS?");
}

/* ---- reading -------------------------------------------------------------------------------- */

static const uint32_t image[] = {
	0x700000, 0xabcd0013, 0x700010, 7, 0x700020, 8, 0x700024, 9, 0x700040, 10,
	0x700050, 11, 0x700100, 1, 0x700104, 2, 0,
};

static enum gsc_read status_of(struct gsc_rows *rows, size_t i, uint64_t *value, const char **why)
{
	struct gsc_row row;

	gsc_rows_at(rows, i, &row);
	*value = row.value;
	*why = row.why;
	return row.status;
}

static void read_registers(void)
{
	struct gsc_selection *selection;
	struct gsc_rows *rows;
	struct gsc_tally tally;
	const char *why;
	uint64_t value;
	struct bench b;

	bench_open(&b, image);
	selection = bench_select(&b, "T_PLAIN T_CLEARS T_HANGS T_ARRAY[0] 0x10a2030");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL(status_of(rows, 0, &value, &why), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0xabcd0013);
	CU_ASSERT_EQUAL(status_of(rows, 1, &value, &why), GSC_READ_SKIPPED);
	CU_ASSERT_STRING_EQUAL(why, "a read clears it");
	CU_ASSERT_EQUAL(value, 0);
	CU_ASSERT_EQUAL(status_of(rows, 2, &value, &why), GSC_READ_SKIPPED);
	CU_ASSERT_STRING_EQUAL(why, "it hangs");
	CU_ASSERT_EQUAL(status_of(rows, 3, &value, &why), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, UINT64_C(0x200000001));
	CU_ASSERT_EQUAL(status_of(rows, 4, &value, &why), GSC_READ_ABSENT);
	gsc_rows_tally(rows, &tally);
	CU_ASSERT_EQUAL(tally.total, 5);
	CU_ASSERT(tally.count[GSC_READ_OK] == 2 && tally.first[GSC_READ_OK] == 0);
	CU_ASSERT(tally.count[GSC_READ_SKIPPED] == 2 && tally.first[GSC_READ_SKIPPED] == 1);
	CU_ASSERT(tally.count[GSC_READ_ABSENT] == 1 && tally.first[GSC_READ_ABSENT] == 4);
	gsc_rows_free(rows);
	rows = bench_read(&b, selection, true);
	CU_ASSERT_EQUAL(status_of(rows, 1, &value, &why), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 8);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	bench_close(&b);
}

/* What was read before is shown, whatever a new read would give. */
static void read_recorded(void)
{
	static const char text[] = "# gpu-regdump 1.0 platform skl\n0x700020  0x00000008  T_CLEARS\n";
	struct gsc_selection *selection;
	struct gsc_source *source;
	struct gsc_rows *rows;
	const char *why;
	uint64_t value;
	struct bench b;

	bench_open(&b, NULL);
	source = open_bytes(text, sizeof(text) - 1);
	selection = bench_select(&b, "T_CLEARS");
	CU_ASSERT_EQUAL_FATAL(gsc_rows_read(&rows, selection, gpu_for(source, b.view), NULL, NULL),
			      GSC_OK);
	CU_ASSERT_EQUAL(status_of(rows, 0, &value, &why), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 8);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	gsc_source_close(source);
	bench_close(&b);
}

/* A range dword by dword, in place and as it was kept. */
static void read_range(void)
{
	for (unsigned keep = 0; keep < 2; keep++) {
		struct gsc_rows_options options = { .keep = keep };
		struct gsc_selection *selection;
		struct gsc_rows *rows;
		struct gsc_row row;
		struct gsc_tally tally;
		struct bench b;

		bench_open(&b, image);
		selection = bench_select(&b, "0x700000-0x70020c T_PLAIN");
		CU_ASSERT_EQUAL_FATAL(gsc_rows_read(&rows, selection, gpu_for(b.source, b.view), &options, NULL),
				      GSC_OK);
		CU_ASSERT_EQUAL(gsc_rows_count(rows), 0x210 / 4 + 1);
		for (size_t i = 0; i < 0x210 / 4; i++) {
			uint64_t address = 0x700000 + i * 4;
			bool skipped = address == 0x700020 || address == 0x700024 ||
				       (address >= 0x700040 && address < 0x700050);
			enum gsc_read want = address >= 0x700200 ? GSC_READ_ABSENT
					     : skipped		 ? GSC_READ_SKIPPED
								 : GSC_READ_OK;

			gsc_rows_at(rows, i, &row);
			CU_ASSERT(row.raw);
			CU_ASSERT_EQUAL(row.reg.offset, address);
			CU_ASSERT_EQUAL(row.status, want);
		}
		gsc_rows_at(rows, 0x104 / 4, &row);
		CU_ASSERT(row.value == 2 && row.part && row.part_lo == 32 && row.part_hi == 63);
		CU_ASSERT_STRING_EQUAL(row.reg.name, "T_ARRAY");
		gsc_rows_at(rows, 0x100 / 4, &row);
		CU_ASSERT(row.value == 1 && row.reg.bits == 64);
		CU_ASSERT_STRING_EQUAL(row.reg.name, "T_ARRAY");
		gsc_rows_at(rows, 0x40 / 4, &row);
		CU_ASSERT_STRING_EQUAL(row.why, "nobody there");
		gsc_rows_at(rows, 0x210 / 4, &row);
		CU_ASSERT(!row.raw && row.value == 0xabcd0013);
		gsc_rows_tally(rows, &tally);
		CU_ASSERT_EQUAL(tally.count[GSC_READ_SKIPPED], 6);
		CU_ASSERT_EQUAL(tally.count[GSC_READ_ABSENT], 4);
		CU_ASSERT_EQUAL(tally.total, 0x210 / 4 + 1);
		gsc_rows_free(rows);
		gsc_selection_free(selection);
		bench_close(&b);
	}
}

static void read_end_of_space(void)
{
	struct gsc_selection *selection;
	struct gsc_tally tally;
	struct gsc_rows *rows;
	struct bench b;

	bench_open(&b, NULL);
	selection = bench_select(&b, "0xfffffffffffffff0-0xffffffffffffffff");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL(gsc_rows_count(rows), 4);
	gsc_rows_tally(rows, &tally);
	CU_ASSERT_EQUAL(tally.count[GSC_READ_ABSENT], 4);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	bench_close(&b);
}

/* ---- hazards -------------------------------------------------------------------------------- */

static void hazards(void)
{
	span_vec list = { 0 };
	const struct span *h;
	struct bench b;

	bench_open(&b, NULL);
	CU_ASSERT(hazards_find(&list, b.view, 0, UINT64_MAX));
	for (size_t i = 1; i < list.count; i++)
		CU_ASSERT(list.items[i].start > list.items[i - 1].last);
	h = span_from(&list, 0x700000);
	CU_ASSERT(h && h->start == 0x700020 && h->last == 0x700023);
	h = span_from(&list, 0x70004f);
	CU_ASSERT(h && h->start == 0x700040 && h->last == 0x70004f);
	CU_ASSERT_PTR_NULL(span_from(&list, UINT64_MAX));
	vec_free(&list);
	list = (span_vec){ 0 };
	CU_ASSERT(hazards_find(&list, b.view, 0x700023, 0x700023));
	h = span_from(&list, 0x700023);
	CU_ASSERT(h && h->start == 0x700020 && h->last == 0x700023);
	vec_free(&list);
	bench_close(&b);
}

/* ---- differences ---------------------------------------------------------------------------- */

static void expect_field(struct difference_iter *it, const char *name, uint64_t a, uint64_t b)
{
	struct field_difference field;

	CU_ASSERT_FATAL(difference_next(it, &field));
	CU_ASSERT_STRING_EQUAL(field.name, name);
	CU_ASSERT_EQUAL(field.a, a);
	CU_ASSERT_EQUAL(field.b, b);
}

static void expect_no_field(struct difference_iter *it)
{
	struct field_difference field;

	CU_ASSERT(!difference_next(it, &field));
}

static void differences(void)
{
	static const uint32_t words_a[] = { 0x700000, 0xabcd0013, 0x700030, 0x11, 0x700104, 5, 0 };
	static const uint32_t words_b[] = { 0x700000, 0xabcd0101, 0x700030, 0xf20, 0x700104, 5,
					    0x700080, 3, 0 };
	struct gsc_selection *selection;
	struct gsc_difference d;
	struct difference_iter it;
	struct gsc_rows *rows_a, *rows_b;
	struct gsc_diff *diff;
	struct bench a, b;

	bench_open(&a, words_a);
	bench_open(&b, words_b);
	selection = bench_select(&a, "@testing 0x700070-0x70008c");
	rows_a = bench_read(&a, selection, false);
	rows_b = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_new(&diff, rows_a, rows_b, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_count(diff), 3);
	gsc_diff_at(diff, 0, &d);
	CU_ASSERT_STRING_EQUAL(d.b.reg.name, "T_PLAIN");
	CU_ASSERT_EQUAL(d.bits, 0x112);
	difference_fields(a.view, &d, &it);
	expect_field(&it, "RESERVED", 1, 0x10);
	expect_field(&it, "MODE", 1, 0);
	expect_no_field(&it);
	CU_ASSERT_EQUAL(it.rest, 0);
	/* A field that applies to only one of the values is also compared. */
	gsc_diff_at(diff, 1, &d);
	difference_fields(a.view, &d, &it);
	expect_field(&it, "TWO", 1, 0xf2);
	expect_field(&it, "ONE", 1, 2);
	expect_field(&it, "KIND", 1, 0);
	expect_no_field(&it);
	gsc_diff_at(diff, 2, &d);
	CU_ASSERT(d.b.raw && d.b.reg.offset == 0x700080 && d.a.value == 0 && d.b.value == 3);
	gsc_diff_free(diff);
	gsc_rows_free(rows_a);
	gsc_rows_free(rows_b);
	gsc_selection_free(selection);
	bench_close(&a);
	bench_close(&b);
}

static void difference_from_reset(void)
{
	static const uint32_t words[] = { 0x700000, 0x3, 0x700010, 9, 0 };
	struct gsc_selection *selection;
	struct gsc_difference d;
	struct gsc_rows *rows;
	struct gsc_diff *diff;
	struct bench b;

	bench_open(&b, words);
	selection = bench_select(&b, "T_PLAIN");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_new(&diff, NULL, rows, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_count(diff), 1);
	gsc_diff_at(diff, 0, &d);
	CU_ASSERT(d.a.value == 1 && d.b.value == 3 && d.bits == 2);
	gsc_diff_free(diff);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	/* The counter has no reset value; of T_PLAIN only a field is requested that is 1. */
	selection = bench_select(&b, "T_PLAIN:ENABLE T_COUNTER");
	rows = bench_read(&b, selection, false);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_new(&diff, NULL, rows, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_diff_count(diff), 1);
	gsc_diff_at(diff, 0, &d);
	CU_ASSERT_STRING_EQUAL(d.b.reg.name, "T_COUNTER");
	CU_ASSERT(d.a.status == GSC_READ_ABSENT && d.b.status == GSC_READ_OK);
	gsc_diff_free(diff);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	bench_close(&b);
}

/* ---- given values --------------------------------------------------------------------------- */

static void given_words(void)
{
	static const char *const words[] = { "T_PLAIN=0x10", "0x700010=5", "rcs0.RING_TAIL=1K",
					     "T_ARRAY[3]=0x1_0000_0000" };
	static const struct {
		const char *word;
		enum gsc_status status;
	} bad[] = {
		{ "T_PLAIN", GSC_USAGE },	     { "T_PLAIN=", GSC_USAGE },
		{ "T_PLAIN=x", GSC_USAGE },	     { "T_PLAIN=0x100000000", GSC_USAGE },
		{ "=1", GSC_USAGE },		     { "@testing=1", GSC_USAGE },
		{ "0x700000-0x700010=1", GSC_USAGE }, { "T_PLAIN:MODE=1", GSC_USAGE },
		{ "0x700001=1", GSC_USAGE },	     { "NOBODY=1", GSC_UNKNOWN },
		{ "0x700080=1", GSC_UNKNOWN },
	};
	struct gsc_rows *rows;
	struct gsc_row row;
	struct bench b;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL_FATAL(rows_given(&rows, gpu_for(NULL, b.view), words, 4, NULL), GSC_OK);
	CU_ASSERT_EQUAL(gsc_rows_count(rows), 4);
	gsc_rows_at(rows, 1, &row);
	CU_ASSERT(row.status == GSC_READ_OK && row.value == 5);
	CU_ASSERT_STRING_EQUAL(row.reg.name, "T_COUNTER");
	gsc_rows_at(rows, 3, &row);
	CU_ASSERT(row.reg.index == 3 && row.value == UINT64_C(0x100000000));
	gsc_rows_free(rows);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CU_ASSERT_EQUAL(rows_given(&rows, gpu_for(NULL, b.view), &bad[i].word, 1, NULL),
				bad[i].status);
		CU_ASSERT_PTR_NULL(rows);
	}
	bench_close(&b);
}

static void given_lines(void)
{
	static const char text[] =
		"Somebody wrote: 12 of them, and 0x12 too\r\n"
		"> T_PLAIN=16\n"
		"                       FOREIGN (0x00700010): 0x00000007 (seven)\n"
		"0x700030: 0x00000021\n"
		"T_ARRAY[1] 0x1122334455667788\n"
		"NOBODY: 0x1\n"
		"NOBODY: 0x2\n"
		"seqno: 0x3\n"
		"0x700090: 0x4\n"
		"blt command stream:\n"
		"  TAIL: 0x00000150\n"
		"  T_PLAIN: 0x1\n"
		"T_CHOICE: 0x1ffffffff\n";
	static const struct {
		const char *name;
		uint64_t offset, value;
	} want[] = {
		{ "T_PLAIN", 0x700000, 16 },
		{ "T_COUNTER", 0x700010, 7 },
		{ "T_CHOICE", 0x700030, 0x21 },
		{ "T_ARRAY", 0x700108, UINT64_C(0x1122334455667788) },
		{ NULL, 0x700090, 4 },
		{ "RING_BUFFER_TAIL", 0x22030, 0x150 },
		{ "T_PLAIN", 0x700000, 1 },
	};
	struct gsc_rows *rows;
	struct gsc_row row;
	struct bench b;

	bench_open(&b, NULL);
	CU_ASSERT_EQUAL_FATAL(gsc_rows_pasted(&rows, gpu_for(NULL, b.view), text, sizeof(text) - 1, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_rows_count(rows), ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		gsc_rows_at(rows, i, &row);
		CU_ASSERT_EQUAL(row.reg.offset, want[i].offset);
		CU_ASSERT_EQUAL(row.value, want[i].value);
		CU_ASSERT(want[i].name ? !strcmp(row.reg.name, want[i].name) : !row.reg.name);
	}
	CU_ASSERT_STRING_EQUAL(gsc_rows_note(rows, 0), "line 6: NOBODY: unknown register");
	CU_ASSERT_STRING_EQUAL(gsc_rows_note(rows, 1),
			       "line 9: 0x700090: no register is defined at this address");
	CU_ASSERT_STRING_EQUAL(gsc_rows_note(rows, 2),
			       "line 13: T_CHOICE: 0x1ffffffff does not fit in 32 bits");
	CU_ASSERT_STRING_EQUAL(gsc_rows_note(rows, 3),
			       "2 lines have values, but were not understood: the first is line 1");
	CU_ASSERT_PTR_NULL(gsc_rows_note(rows, 4));
	gsc_rows_free(rows);
	bench_close(&b);
}

/* One line: the first row's value, and how many rows and notes it gave. */
static void given_line(void)
{
	static const struct {
		const char *line;
		uint64_t value;
		size_t rows, notes;
	} lines[] = {
		/* Eight digits with a letter or a leading zero are no decimal number. */
		{ "T_PLAIN: 8a030002", 0x8a030002, 1, 0 },
		{ "T_PLAIN 00000010", 0x10, 1, 0 },
		{ "T_PLAIN deadbeef", 0xdeadbeef, 1, 0 },
		{ "T_PLAIN: 8a", 0x8a, 1, 0 },
		{ "T_PLAIN: 1", 1, 1, 0 },
		{ "T_PLAIN = 0x2", 2, 1, 0 },
		{ "T_PLAIN=16", 16, 1, 0 },
		{ "T_PLAIN=1K", 1024, 1, 0 },
		{ "fence[3] = 100000000001000", UINT64_C(0x100000000001000), 1, 0 },
		/* These may be either, or a word. */
		{ "T_PLAIN: 16", 0, 0, 1 },
		{ "T_PLAIN = 16", 0, 0, 1 },
		{ "T_PLAIN=12345678", 0, 0, 1 },
		{ "T_PLAIN: 1e5", 0, 0, 0 },
		{ "T_PLAIN bad", 0, 0, 0 },
		{ "T_PLAIN: 3.2.0", 0, 0, 0 },
		{ "T_PLAIN: 0x10-0x1f", 0, 0, 0 },
		/* Whatever precedes and follows. */
		{ "[   12.345678] i915 0000:00:02.0: [drm] *ERROR* T_PLAIN: 0x5", 5, 1, 0 },
		{ "T_PLAIN=0x10,T_CHOICE=0x20", 0x10, 2, 0 },
		{ "(T_PLAIN 0x11)", 0x11, 1, 0 },
		{ "rcs0 RING_TAIL: 0x00000150", 0x150, 1, 0 },
		{ "vcs77.RING_TAIL=0x1", 0, 0, 1 },
		{ "write reg 0x700000, val 0x12", 0x12, 1, 0 },
		{ "x: read reg=0x700108, len=8, val=(0x2, 0x1)", UINT64_C(0x100000002), 1, 0 },
		{ "xreg 0x700000, val 0x12", 0, 0, 0 },
		{ "T_P* 0x12", 0, 0, 0 },
	};
	struct gsc_rows *rows;
	struct gsc_row row;
	struct bench b;

	bench_open(&b, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		size_t notes = 0, length = strlen(lines[i].line);

		CU_ASSERT_EQUAL_FATAL(gsc_rows_pasted(&rows, gpu_for(NULL, b.view), lines[i].line, length, NULL),
				      GSC_OK);
		while (gsc_rows_note(rows, notes))
			notes++;
		if (gsc_rows_count(rows) != lines[i].rows || notes != lines[i].notes)
			printf("%s: %zu rows, %zu notes\n", lines[i].line, gsc_rows_count(rows),
			       notes);
		CU_ASSERT_EQUAL(gsc_rows_count(rows), lines[i].rows);
		CU_ASSERT_EQUAL(notes, lines[i].notes);
		if (gsc_rows_count(rows)) {
			gsc_rows_at(rows, 0, &row);
			CU_ASSERT_EQUAL(row.value, lines[i].value);
		}
		gsc_rows_free(rows);
	}
	bench_close(&b);
}

/* Truncated anywhere and with any byte changed, a paste is only ever less of a paste. */
static void given_noise(void)
{
	static const char text[] = "fence[0] = 1f5700001f4800d\nrender command stream:\n"
				   "  TAIL: 0x00000150\n0x002030: 0x1 0x2 absent\n"
				   "T_PLAIN (0x00700000): 0x00000001\nconfig:0x50  0x0211  GGC\n";
	char copy[sizeof(text)];
	uint32_t seed = 3;
	struct gsc_rows *rows;
	struct bench b;

	bench_open(&b, NULL);
	for (size_t length = 0; length < sizeof(text); length++) {
		char *exact = malloc(length + 1);

		memcpy(exact, text, length);
		CU_ASSERT_EQUAL(gsc_rows_pasted(&rows, gpu_for(NULL, b.view), exact, length, NULL), GSC_OK);
		gsc_rows_free(rows);
		free(exact);
	}
	for (unsigned round = 0; round < 2000; round++) {
		memcpy(copy, text, sizeof(text));
		for (unsigned i = 0; i < 3; i++)
			copy[next_random(&seed) % (sizeof(text) - 1)] = (char)next_random(&seed);
		CU_ASSERT_EQUAL(gsc_rows_pasted(&rows, gpu_for(NULL, b.view), copy, sizeof(text) - 1, NULL),
				GSC_OK);
		gsc_rows_free(rows);
	}
	bench_close(&b);
}

SUITE(regs,
      { "selectors: names", selector_names },
      { "selectors: addresses", selector_addresses },
      { "selectors: faults", selector_faults },
      { "selectors: noise", selector_noise },
      { "select: what is meant", select_counts },
      { "select: unknown names", select_unknown },
      { "select: names of other platforms", select_elsewhere },
      { "select: fields", select_fields },
      { "suggestions", suggestions },
      { "read: registers", read_registers },
      { "read: what was recorded", read_recorded },
      { "read: ranges", read_range },
      { "read: the end of the address space", read_end_of_space },
      { "hazards", hazards },
      { "differences", differences },
      { "differences from reset values", difference_from_reset },
      { "given: words", given_words },
      { "given: pasted lines", given_lines },
      { "given: a line", given_line },
      { "given: damaged lines", given_noise })
