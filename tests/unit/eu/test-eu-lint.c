/* SPDX-License-Identifier: MIT */
/* Each rule about instructions: a program that breaks it, and one that just does not. */
#include "test.h"
#include "eu/program.h"

#include <stdlib.h>
#include <string.h>

#define MOST 3

static const struct linted {
	const char *platform, *rule;	/* rule NULL: nothing is found */
	uint32_t words[MOST][4];
} rows[] = {
	/* mov(8) g10<1>F g2<0,1,0>F; add(8) g10<1>D g2<8,8,1>D 3D */
	{ "skl", NULL, { { 0x00600001, 0x21403ae8, 0x00000040, 0x00000000 },
			 { 0x00600040, 0x21400a28, 0x0e8d0040, 0x00000003 } } },
	/* mov(4) g10<1>F g2<8,8,1>F */
	{ "hsw", "region-width", { { 0x00400001, 0x214003bd, 0x008d0040, 0x00000000 } } },
	/* mov(8) g10<1>F g2<4,8,1>F */
	{ "hsw", "region-rows", { { 0x00600001, 0x214003bd, 0x006d0040, 0x00000000 } } },
	{ "snb", "region-rows", { { 0x00600001, 0x214003bd, 0x006d0040, 0x00000000 } } },
	{ "ilk", NULL, { { 0x00600001, 0x214003bd, 0x006d0040, 0x00000000 } } },
	/* mov(8) g10<1>F g2<8,1,1>F */
	{ "hsw", "region-columns", { { 0x00600001, 0x214003bd, 0x00810040, 0x00000000 } } },
	/* mov(1) g10<1>F g2<1,1,0>F */
	{ "hsw", "region-scalar", { { 0x00000201, 0x214003bd, 0x00200040, 0x00000000 } } },
	{ "snb", "region-scalar", { { 0x00000201, 0x214003bd, 0x00200040, 0x00000000 } } },
	{ "ilk", NULL, { { 0x00000201, 0x214003bd, 0x00200040, 0x00000000 } } },
	/* mov(8) g10<1>F g2<0,4,0>F */
	{ "hsw", "region-repeated", { { 0x00600001, 0x214003bd, 0x00080040, 0x00000000 } } },
	/* mov(8) g10<1>F g2.4<8,8,1>F */
	{ "hsw", "region-crosses", { { 0x00600001, 0x214003bd, 0x008d0050, 0x00000000 } } },
	/* mov(16) g10<2>F g2<8,8,1>F; mov(16) g10<1>D g2<8,8,1>W */
	{ "hsw", "destination-spans", { { 0x00800001, 0x414003bd, 0x008d0040, 0x00000000 } } },
	{ "skl", NULL, { { 0x00800001, 0x21401a28, 0x008d0040, 0x00000000 } } },
	/* mov(8) g10<1>W g2<8,8,1>D; mov(8) g10<2>W g2<8,8,1>D */
	{ "hsw", "destination-narrow", { { 0x00600001, 0x214000ad, 0x008d0040, 0x00000000 } } },
	{ "skl", NULL, { { 0x00600001, 0x41400a68, 0x008d0040, 0x00000000 } } },
	/* math inv(8) g10<1>F g2<8,8,1>F null<8,8,1>Q: null is no source of it */
	{ "skl", NULL, { { 0x01600038, 0x21403ae8, 0x488d0040, 0x008d0000 } } },
	/* add(8) g10<1>UB g2<8,8,1>UW g3<8,8,1>UW; mov(8) g10<1>UB g2<16,8,2>UB */
	{ "hsw", "packed-bytes", { { 0x00600040, 0x21402531, 0x008d0040, 0x008d0060 } } },
	{ "skl", NULL, { { 0x00600001, 0x21402288, 0x00ae0040, 0x00000000 } } },
	/* send(8) null g123 0x00080017, then with 5 registers from g126 and g123, the last with EOT */
	{ "skl", "message-length", { { 0x06600031, 0x20003ae0, 0x068d0f60, 0x00080017 } } },
	{ "skl", "message-registers", { { 0x06600031, 0x20003ae0, 0x068d0fc0, 0x0a080017 } } },
	{ "skl", NULL, { { 0x06600031, 0x20003ae0, 0x068d0f60, 0x8a080017 } } },
	/* send(16) g12UD g127UD nullUD 0x08840001, where a thread may have 256 registers and before */
	{ "tgl", "message-registers", { { 0x00049031, 0x0c440000, 0x20027f24, 0x01000000 } } },
	{ "dg2", NULL, { { 0x00049031, 0x0c440000, 0x20027f24, 0x01000000 } } },
	/* The same from g100. */
	{ "skl", "last-message", { { 0x06600031, 0x20003ae0, 0x068d0c80, 0x8a080017 } } },
	/* send(1) nullUD g29UD { EOT }, which Xe3 allows; shl(32) of 64 bits, which Xe3P allows. */
	{ "ptl", NULL, { { 0x80004331, 0x00040004, 0x30001d0c, 0x00000000 } } },
	{ "ptl", "source-spans", { { 0x00140069, 0x08058770, 0x05100404, 0x00020002 } } },
	{ "cri", NULL, { { 0x00140069, 0x08058770, 0x05100404, 0x00020002 } } },
	/* sends(8) nullUD g34UD g36UD, of 2 and 4 registers; g35UD */
	{ "skl", NULL, { { 0x0c600033, 0x00024010, 0x00000444, 0x04035001 } } },
	{ "skl", "payloads-overlap", { { 0x0c600033, 0x00023010, 0x00000444, 0x04035001 } } },
	/* mov(8) g10<1>F g2<8,8,1>F { NoDDClr }, { NoDDChk }; mov(8) g11<1>F g10<8,8,1>F */
	{ "hsw", "dependency-open", { { 0x00600401, 0x214003bd, 0x008d0040, 0x00000000 },
				      { 0x00600001, 0x216003bd, 0x008d0140, 0x00000000 } } },
	{ "hsw", NULL, { { 0x00600401, 0x214003bd, 0x008d0040, 0x00000000 },
			 { 0x00600801, 0x214003bd, 0x008d0040, 0x00000000 },
			 { 0x00600001, 0x216003bd, 0x008d0140, 0x00000000 } } },
	/* math inv(8) g10<1>F g2<8,8,1>F { $3 }; mov(8) g11<1>F g10<8,8,1>F, also { $3.dst } */
	{ "tgl", "token-read", { { 0x00039338, 0x0a050aa0, 0x1a460205, 0x00460001 },
				 { 0x00030061, 0x0b050aa0, 0x00460a05, 0x00000000 } } },
	{ "tgl", NULL, { { 0x00039338, 0x0a050aa0, 0x1a460205, 0x00460001 },
			 { 0x00032361, 0x0b050aa0, 0x00460a05, 0x00000000 } } },
	/* sync nop(1) { $3.dst } between them */
	{ "tgl", NULL, { { 0x00039338, 0x0a050aa0, 0x1a460205, 0x00460001 },
			 { 0x80002301, 0x00000000, 0x00000000, 0x00000000 },
			 { 0x00030061, 0x0b050aa0, 0x00460a05, 0x00000000 } } },
	/* mov(8) g2<1>F g20<8,8,1>F after it, also { $3.src } */
	{ "tgl", "token-write", { { 0x00039338, 0x0a050aa0, 0x1a460205, 0x00460001 },
				  { 0x00030061, 0x02050aa0, 0x00461405, 0x00000000 } } },
	{ "tgl", NULL, { { 0x00039338, 0x0a050aa0, 0x1a460205, 0x00460001 },
			 { 0x00033361, 0x02050aa0, 0x00461405, 0x00000000 } } },
};

static bool take(void *context, const struct gsc_breach *breach)
{
	struct gsc_breach *first = context;

	if (!first->rule)
		*first = *breach;
	CU_ASSERT_PTR_NOT_NULL(breach->document);
	CU_ASSERT(*breach->where && *breach->text);
	return true;
}

static void check(struct gsc_db *db, const struct linted *row)
{
	uint32_t words[MOST * 4];
	struct gsc_breach first = { .rule = NULL };
	struct gsc_platform platform;
	struct gsc_program *program;
	struct gsc_error err;
	struct gsc_view *view;
	struct gsc_eu *eu;
	size_t count = 0;
	int device;

	while (count < MOST && row->words[count][0])
		count++;
	memcpy(words, row->words, sizeof(words));
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, row->platform, &platform, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, platform.index, -1, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_eu_new(&eu, view, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_program_new(&program, eu, words, count * 16, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_program_lint(program, 0x1000, take, &first, &err), GSC_OK);
	if (!row->rule && first.rule)
		fprintf(stderr, "%s: %s %s: %s\n", row->platform, first.rule, first.where, first.text);
	CU_ASSERT_STRING_EQUAL(first.rule ? first.rule : "nothing", row->rule ? row->rule : "nothing");
	gsc_program_free(program);
	gsc_eu_free(eu);
	gsc_view_free(view);
}

static void test_rules(void)
{
	struct gsc_error err;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(db, &rows[i]);
	gsc_db_free(db);
}

SUITE(eu_lint, { "rules about instructions", test_rules })
