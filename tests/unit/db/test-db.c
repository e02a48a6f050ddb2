/* SPDX-License-Identifier: MIT */
/* The definition language: what it accepts, what it refuses and in which words, what it means. */
#include "dbc/build.h"
#include "db/db.h"
#include "db/view.h"
#include "definitions.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_sound(void)
{
	static const char *const texts[] = {
		HEAD "reg X @0 rw on=old\nreg X @0 ro on=mid+\n",
		HEAD "reg X @0 ro overlay\nreg Y @0 wo\n",
		HEAD "reg X @0 rw on=mid:a0\nreg X @0 rw on=mid:b0+\n",
		HEAD "reg A @0 rw\n\talias SAME\nreg B @8 rw\n\talias SAME\n",
		HEAD "reg X @0 rw\n\tfield A 3:0 on=old\n\tfield B 3:0 on=mid+\n",
		HEAD "reg X @0 rw\n\tfield K 0\n\tfield A 3:1 when=K=0\n\tfield B 3:1 when=K!=0\n",
		HEAD "reg X @0 rw\n\tfield K 7:0\n\tfield A 9:8 when=K=0|3..5\n"
		     "\tfield A 9:8 when=K=1..2|6\n\tfield B 9:8 when=K!=0..63\n",
		HEAD "command A engine=rcs\n\tmatch 31:29=1\n\tlength 7:0 +2\n\texpect 3..5\n"
		     "\tfield N 15:8\n\trepeat P at=dw1 size=2 count=N\n\t\tfield V dw0.63:2 addr:ppgtt\n"
		     "command B engine=rcs\n\tmatch 31:29=1 28:23=2\n\tlength 1\n",
		ENTRIES,
		ENTRIES "fact mode=pml4,pdp32 level=pde,big \"text\"\nfact mode=pdp32 \"text\"\n",
		HEAD "entry E mode=vtd level=a bits=64\n\tfield P 0\nentry F mode=vtd level=b "
		     "bits=64\n\tfield P 0\n",
		HEAD "entry E mode=flat level=l bits=32\n\tindex 29:12\n\tmbz 3\n\tmbo 4\n"
		     "\tignored 7:5\n\tleaf always size=32K\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct build b;

		build_text_check(&b, texts[i]);
		CU_ASSERT_EQUAL(b.findings.count, 0);
		if (b.findings.count)
			fprintf(stderr, "\n%zu: %s\n", i, b.findings.items[0].text);
		build_free(&b);
	}
}

/* Each `match` is an opcode of the command, where its `on=` says. */
static void test_matches(void)
{
	const struct b_command *c;
	struct build b;

	build_text_check(&b, HEAD "command C engine=rcs\n\tmatch 31:29=1 28:23=2\n\tlength 1\n"
				  "\tmatch 31:29=1 28:23=4 on=mid+\n\tfield F 3:0\n");
	CU_ASSERT_EQUAL(b.findings.count, 0);
	CU_ASSERT_EQUAL_FATAL(b.commands.count, 2);
	c = b.commands.items;
	CU_ASSERT_EQUAL(c[0].value, 0x21000000);
	CU_ASSERT_EQUAL(c[1].value, 0x22000000);
	CU_ASSERT_EQUAL(c[0].mask, c[1].mask);
	CU_ASSERT_EQUAL(c[0].where.platforms & 7, 7);
	CU_ASSERT_EQUAL(c[1].where.platforms & 7, 6);
	CU_ASSERT_EQUAL(c[0].fields.first, c[1].fields.first);
	CU_ASSERT_EQUAL(c[1].fields.count, 1);
	build_free(&b);
}

static void check_predicate(const char *on, uint64_t platforms_mask)
{
	char text[200];
	struct build b;

	snprintf(text, sizeof(text), HEAD "reg X @0 rw on=%s\n", on);
	build_text_check(&b, text);
	CU_ASSERT_EQUAL_FATAL(b.regs.count, 1);
	if ((b.regs.items[0].where.platforms & 7) != platforms_mask)
		fprintf(stderr, "\n%s\n", on);
	CU_ASSERT_EQUAL(b.regs.items[0].where.platforms & 7, platforms_mask);
	build_free(&b);
}

static void test_predicates(void)
{
	check_predicate("old", 1);
	check_predicate("DevOld", 1);
	check_predicate("mid+", 6);
	check_predicate("old..mid", 3);
	check_predicate("gen4", 1);
	check_predicate("gen7", 2);
	check_predicate("gen7.5", 2);
	check_predicate("gen7+", 6);
	check_predicate("gen4..gen7", 3);
	check_predicate("gen12", 4);
	check_predicate("gfx>=12.70", 4);
	check_predicate("gfx>12.70", 0);
	check_predicate("gfx<7.5", 1);
	check_predicate("gfx<=7", 3);
	check_predicate("media>=13", 4);
	check_predicate("display==7", 2);
	check_predicate("!mid", 5);
	check_predicate("gen4+,!new", 3);
	check_predicate("old,new", 5);
	check_predicate("atom", 2);
	check_predicate("lmem", 4);
	check_predicate("gen7.0", 0);
}

/* Places without a definition have no name; truncated ones say how long they would be. */
static void test_full_name(void)
{
	struct gsc_reg reg = { .space = GSC_MMIO, .offset = 0x2034, .index = -1 };
	char name[16];

	CU_ASSERT_EQUAL(gsc_reg_full_name(&reg, name, sizeof(name)), 6);
	CU_ASSERT_STRING_EQUAL(name, "0x2034");
	CU_ASSERT_EQUAL(gsc_reg_full_name(&reg, name, 4), 6);
	CU_ASSERT_STRING_EQUAL(name, "0x2");
	CU_ASSERT_EQUAL(gsc_reg_full_name(&reg, NULL, 0), 6);
	reg.space = GSC_CONFIG;
	CU_ASSERT_EQUAL(gsc_reg_full_name(&reg, name, sizeof(name)), 13);
	CU_ASSERT_STRING_EQUAL(name, "config:0x2034");
	reg.space = GSC_MMIO;
	reg.name = "TAIL";
	reg.engine = "rcs0";
	reg.index = 3;
	CU_ASSERT_EQUAL(gsc_reg_full_name(&reg, name, sizeof(name)), 12);
	CU_ASSERT_STRING_EQUAL(name, "rcs0.TAIL[3]");
}

static void test_stepping(void)
{
	static const char *const refused[] = { "mid:b0..a0", "mid:a0,mid:c0", "mid:d0", "old:a0",
					       "mid,!mid:b0", "mid:a0+,!mid:b0" };
	char text[200];
	struct build b;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		snprintf(text, sizeof(text), "%sreg X @0 rw on=%s\n", HEAD, refused[i]);
		build_text_check(&b, text);
		CU_ASSERT_NOT_EQUAL(b.findings.count, 0);
		build_free(&b);
	}
	build_text_check(&b, HEAD "reg X @0 rw on=old,mid:b0\nreg Y @4 rw on=!mid:a0\n");
	CU_ASSERT_EQUAL(b.findings.count, 0);
	CU_ASSERT_EQUAL(b.regs.items[0].where.platforms & ~b.regs.items[0].where.stepped,
			UINT64_C(1));
	CU_ASSERT_EQUAL(b.regs.items[0].where.stepped, UINT64_C(2));
	CU_ASSERT_EQUAL(b.regs.items[1].where.stepped, UINT64_C(2));
	CU_ASSERT_EQUAL(b.regs.items[1].where.rev_lo, 1);
	CU_ASSERT_EQUAL(b.regs.items[1].where.rev_hi, 255);
	build_free(&b);

	build_text_check(&b, HEAD "reg X @0 rw on=mid:b0\nreg Y @4 rw on=mid:b0..c0\nreg Z @8 rw on=mid:b0+\n");
	CU_ASSERT_EQUAL(b.regs.items[0].where.rev_lo, 2);
	CU_ASSERT_EQUAL(b.regs.items[0].where.rev_hi, 3);
	CU_ASSERT_EQUAL(b.regs.items[1].where.rev_hi, 5);
	CU_ASSERT_EQUAL(b.regs.items[2].where.rev_hi, 255);
	build_free(&b);
}

/* The instances of a text on a platform, as "engine index@offset" in order. */
static void check_instances(const char *text, unsigned platform, const char *want)
{
	char got[1000] = "";
	struct build b;
	struct b_slice insts;

	build_text_check(&b, text);
	insts = b.views.items[platform].insts;
	for (uint32_t i = 0; i < insts.count; i++) {
		const struct b_inst *inst = &b.insts.items[insts.first + i];
		const struct b_platform *p = &b.platforms.items[platform];
		size_t n = strlen(got);

		snprintf(got + n, sizeof(got) - n, "%s%s.%s[%d]@%x", n ? " " : "",
			 inst->engine == UINT8_MAX
				 ? "-"
				 : build_text(&b, b.engines.items[p->engines.first + inst->engine].name),
			 build_text(&b, b.regs.items[inst->reg].name),
			 inst->index == UINT16_MAX ? -1 : inst->index, inst->offset);
	}
	CU_ASSERT_STRING_EQUAL(got, want);
	if (strcmp(got, want))
		fprintf(stderr, "\ngot  %s\nwant %s\n", got, want);
	build_free(&b);
}

static void test_instances(void)
{
	check_instances(HEAD "reg T +0x30 rw engine=rcs,vcs\n", 1,
			"rcs0.T[-1]@2030 vcs0.T[-1]@12030 vcs1.T[-1]@1c030");
	check_instances(HEAD "reg T +0x30 rw engine=vcs1\n", 1, "vcs1.T[-1]@1c030");
	check_instances(HEAD "reg T +0x30 rw engine=rcs,vcs\n", 0, "rcs0.T[-1]@2030");
	check_instances(HEAD "reg F[3] @0x100 64 rw stride=8\n", 0,
			"-.F[0]@100 -.F[1]@108 -.F[2]@110");
	check_instances(HEAD "reg F[5] rw stride=4\n\tat @0x100 run=2:0x1000\n", 0,
			"-.F[0]@100 -.F[1]@104 -.F[2]@1100 -.F[3]@1104 -.F[4]@2100");
	check_instances(HEAD "reg P_{A,B}_{1,2} @0x100 rw stride=0x1000,0x10\n", 0,
			"-.P_A_1[-1]@100 -.P_A_2[-1]@110 -.P_B_1[-1]@1100 -.P_B_2[-1]@1110");
	check_instances(HEAD "reg P_{A,B,E}_{1,2} @0x100 rw stride=0:0x1000:0xf000,4\n\tonly E,2 on=mid\n", 0,
			"-.P_A_1[-1]@100 -.P_B_1[-1]@1100");
	check_instances(HEAD "reg P_{A,E} @0x100 rw stride=0:0xf000\n\tonly E on=mid\n", 1,
			"-.P_A[-1]@100 -.P_E[-1]@f100");
	check_instances(HEAD "reg H rw engine=rcs,vcs\n\tat @0x4080 on=mid engine=rcs\n"
			     "\tat +0x80\n", 1,
			"rcs0.H[-1]@4080 vcs0.H[-1]@12080 vcs1.H[-1]@1c080");
	check_instances(HEAD "group g \"G\" on=mid+\n\twith on=gen4..gen7\n\t\treg X @0 rw\n\treg Y @4 rw\n",
			2, "-.Y[-1]@4");
}

/* Aliases follow the lists of the name that they belong to. */
static void test_alias_lists(void)
{
	struct build b;

	build_text_check(&b, HEAD "reg P_{A,B}_{1,2} @0 rw stride=0x100,4\n\talias Q{1,2}_{X,Y} ALL\n");
	CU_ASSERT_EQUAL(b.findings.count, 0);
	CU_ASSERT_EQUAL_FATAL(b.regs.count, 4);
	CU_ASSERT_STRING_EQUAL(build_text(&b, b.regs.items[2].name), "P_B_1");
	CU_ASSERT_STRING_EQUAL(
		build_text(&b, b.aliases.items[b.regs.items[2].aliases.first].c.name), "Q2_X");
	CU_ASSERT_STRING_EQUAL(
		build_text(&b, b.aliases.items[b.regs.items[2].aliases.first + 1].c.name), "ALL");
	build_free(&b);
	one_finding(HEAD "reg P_{A,B} @0 rw stride=4\n\talias Q_{X}\n", 3, 0, "aliases with");
	one_finding(HEAD "reg P_{A,B} @0 rw\n", 3, 5, "one stride=");
	one_finding(HEAD "reg P_{A,B} @0 rw stride=0:4:8:x\n", 3, 0, "the places");
	one_finding(HEAD "reg P_{A,B,C} @0 rw stride=0:4\n", 3, 0, "a place for each");
	one_finding(HEAD "reg P[4] rw stride=4\n\tat @0 run=2\n", 4, 0, "run=8:0x1000");
	one_finding(HEAD "reg P[4] rw stride=4\n\tat @0 run=0:8\n", 4, 0, "run=8:0x1000");
	one_finding(HEAD "command A engine=rcs\n\tmatch 31:29=1\n\tlength 7:0 +2\n"
			 "\trepeat P at=after size=1 count=rest\n\t\tfield V dw0.31:0\n", 6, 11, "a group before");
	one_finding(HEAD "reg P_{A,B} @0 rw stride=4\n\tonly C on=mid\n", 4, 0, "elements of");
	one_finding(HEAD "reg P_{A,B} @0 rw stride=4\n\tonly A\n", 4, 0, "only ELEMENT");
}

/* Highest bits first, and conditions still refer to the field that they name. */
static void test_field_order(void)
{
	struct build b;
	const struct b_field *f;

	build_text_check(&b, HEAD "reg X @0 rw\n\tfield V 0\n\tfield A 7:1 when=V=1\n"
				  "\tfield B 15:8 when=A=3\n\tfield C 15:8 when=A!=3\n");
	f = b.fields.items + b.regs.items[0].fields.first;
	CU_ASSERT_STRING_EQUAL(build_text(&b, f[0].name), "B");
	CU_ASSERT_STRING_EQUAL(build_text(&b, f[1].name), "C");
	CU_ASSERT_STRING_EQUAL(build_text(&b, f[2].name), "A");
	CU_ASSERT_STRING_EQUAL(build_text(&b, f[3].name), "V");
	CU_ASSERT_EQUAL(f[0].form.when_field, 2);
	CU_ASSERT_EQUAL(f[1].form.when_field, 2);
	CU_ASSERT_EQUAL(f[2].form.when_field, 3);
	CU_ASSERT_EQUAL(f[3].form.when_field, NONE);
	build_free(&b);
}

static const char *field_name(const struct build *b, const struct b_entry *e, uint32_t field)
{
	return field == NONE ? "" : build_text(b, b->fields.items[e->fields.first + field].name);
}

/* Conditions still refer to their fields after these have been sorted. */
static void test_entry_conditions(void)
{
	const struct b_entry *e;
	struct build b;

	build_text_check(&b, ENTRIES);
	CU_ASSERT_EQUAL_FATAL(b.findings.count, 0);
	e = &b.entries.items[0];
	CU_ASSERT_STRING_EQUAL(field_name(&b, e, e->valid_field), "P");
	CU_ASSERT_EQUAL(e->valid_value, 1);
	CU_ASSERT_STRING_EQUAL(field_name(&b, e, e->leaf_field), "PS");
	CU_ASSERT_STRING_EQUAL(field_name(&b, e, e->next[0].field), "R");
	CU_ASSERT_STRING_EQUAL(field_name(&b, e, e->next[1].field), "IPS");
	CU_ASSERT_EQUAL(e->next[2].field, NONE);
	CU_ASSERT_STRING_EQUAL(build_text(&b, e->next[2].level), "pte");
	CU_ASSERT_EQUAL(e->index_every, 1);
	CU_ASSERT_EQUAL(b.entries.items[2].index_every, 16);
	CU_ASSERT_EQUAL(b.entries.items[2].valid_value, 0);
	build_free(&b);
}

static bool lead_is(const struct gsc_db *db, const struct gsc_item *item, size_t i,
		    const char *field, uint64_t page_size, const char *level)
{
	struct gsc_lead lead;

	return gsc_item_lead(db, item, i, &lead) && lead.page_size == page_size &&
	       (field ? lead.field && !strcmp(lead.field, field) && lead.value == 1 : !lead.field) &&
	       (level ? lead.level && !strcmp(lead.level, level) : !lead.level);
}

static void test_entry_leads(void)
{
	struct gsc_lead lead;
	struct gsc_item item;
	struct gsc_db *db;
	unsigned met = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (size_t i = 0; gsc_item_at(db, GSC_ENTRY, i, &item); i++) {
		if (!strcmp(item.name, "GEN8_PDE")) {
			CU_ASSERT_TRUE(lead_is(db, &item, 0, "PAGE_SIZE", 2 << 20, "pde2m"));
			CU_ASSERT_TRUE(lead_is(db, &item, 1, "COMPACT_64K", 0, "pte64kc"));
			CU_ASSERT_TRUE(lead_is(db, &item, 2, "IPS", 0, "pte64k"));
			CU_ASSERT_TRUE(lead_is(db, &item, 3, NULL, 0, "pte"));
			CU_ASSERT_FALSE(gsc_item_lead(db, &item, 4, &lead));
			CU_ASSERT_STRING_EQUAL(item.valid, "PRESENT");
			CU_ASSERT_EQUAL(item.valid_value, 1);
			met++;
		} else if (!strcmp(item.name, "IA32E_PTE64K")) {
			CU_ASSERT_TRUE(lead_is(db, &item, 0, NULL, 64 << 10, NULL));
			CU_ASSERT_FALSE(gsc_item_lead(db, &item, 1, &lead));
			CU_ASSERT_EQUAL(item.index_every, 16);
			met++;
		}
	}
	CU_ASSERT_EQUAL(met, 2);
	gsc_db_free(db);
}

static void test_reset_from_fields(void)
{
	struct build b;

	build_text_check(&b, HEAD "reg X @0 rw reset=0x10 resetmask=0xf0\n\tfield A 3:2 reset=2\n");
	CU_ASSERT_EQUAL(b.regs.items[0].traits.reset, 0x18);
	CU_ASSERT_EQUAL(b.regs.items[0].traits.reset_mask, 0xfc);
	build_free(&b);
}

/* What is at the target of a field. */
static void test_pointers(void)
{
	const struct b_pointer *p;
	struct build b;

	build_text_check(&b, HEAD "struct S bytes=8\n"
				  "\tfield N dw0.3:0\n"
				  "\tfield P dw1.31:6 <<6 target=T base=binding-table bytes=N*32 "
				  "most=4 if=N!=2\n"
				  "\tfield Q dw0.31:16 target=T count=3 end=N if=N\n"
				  "\tfield R dw0.15:8 target=T\n");
	CU_ASSERT_EQUAL(b.findings.count, 0);
	CU_ASSERT_EQUAL_FATAL(b.pointers.count, 2);
	p = &b.pointers.items[b.fields.items[1].form.pointer - 1];
	CU_ASSERT_EQUAL(p->base, BASE_BINDING_TABLE);
	CU_ASSERT_STRING_EQUAL(build_text(&b, p->count.field), "N");
	CU_ASSERT_EQUAL(p->count.number, 32);
	CU_ASSERT_TRUE(p->in_bytes);
	CU_ASSERT_EQUAL(p->most.field, 0);
	CU_ASSERT_EQUAL(p->most.number, 4);
	CU_ASSERT_STRING_EQUAL(build_text(&b, p->if_field), "N");
	CU_ASSERT_EQUAL(p->if_value, 2);
	CU_ASSERT_TRUE(p->if_not);
	p = &b.pointers.items[b.fields.items[2].form.pointer - 1];
	CU_ASSERT_EQUAL(p->base, BASE_NONE);
	CU_ASSERT_EQUAL(p->count.field, 0);
	CU_ASSERT_EQUAL(p->count.number, 3);
	CU_ASSERT_FALSE(p->in_bytes);
	CU_ASSERT_STRING_EQUAL(build_text(&b, p->end_field), "N");
	CU_ASSERT_EQUAL(p->if_value, 0);
	CU_ASSERT_TRUE(p->if_not);
	CU_ASSERT_EQUAL(b.fields.items[0].form.pointer, 0);
	CU_ASSERT_EQUAL(b.fields.items[3].form.pointer, 0);
	build_free(&b);
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T base=moon\n", 4, 33,
		    "base= with general");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 base=dynamic\n", 4, 0, "target=");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T count=0\n", 4, 0,
		    "FIELD*NUMBER");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T most=*4\n", 4, 0,
		    "FIELD*NUMBER");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T bytes=F*\n", 4, 0,
		    "FIELD*NUMBER");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T if==1\n", 4, 0, "if=FIELD");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T if=F!=x\n", 4, 0,
		    "if=FIELD");
	one_finding(HEAD "struct S bytes=4\n\tfield F dw0.31:0 target=T count=NONE\n", 3, 0,
		    "S:F refers to NONE");
	one_finding(HEAD "struct S bytes=4\n\tfield N dw0.31:0\n"
			 "\trepeat G at=dw0 size=1 count=rest\n"
			 "\t\tfield F dw0.31:0 target=T count=N\n", 3, 0, "S:F refers to N");
}

/* The names of a view's register at an address, each followed by a blank. */
static void names_at(const struct gsc_view *view, uint64_t offset, char *out)
{
	struct gsc_reg reg;
	const char *alias;

	*out = 0;
	gsc_view_reg(view, gsc_view_seek(view, GSC_MMIO, offset), &reg);
	for (size_t i = 0; (alias = gsc_reg_alias(view, &reg, i)); i++)
		strcat(strcat(out, alias), " ");
}

/* If a driver's name means another address, it is not the register's name. */
static void test_alias_platforms(void)
{
	struct gsc_platform old, recent;
	struct gsc_error err;
	struct gsc_view *a, *b;
	struct gsc_reg reg;
	struct gsc_db *db;
	char names[200];
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "tgl", &recent, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "bdw", &old, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&a, db, recent.index, -1, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b, db, old.index, -1, &err), GSC_OK);
	names_at(a, 0xceb8, names);
	CU_ASSERT_STRING_EQUAL(names, "GEN12_FAULT_TLB_DATA0 ");
	names_at(b, 0x4b10, names);
	CU_ASSERT_STRING_EQUAL(names, "GEN8_FAULT_TLB_DATA0 ");
	CU_ASSERT(!view_find(a, NULL, "GEN8_FAULT_TLB_DATA0", -1, &reg));
	CU_ASSERT(view_find(b, NULL, "GEN8_FAULT_TLB_DATA0", -1, &reg) && reg.offset == 0x4b10);
	CU_ASSERT(view_find(a, NULL, "GEN12_FAULT_TLB_DATA0", -1, &reg) && reg.offset == 0xceb8);
	gsc_view_free(a);
	gsc_view_free(b);
	gsc_db_free(db);

	no_findings(HEAD "reg A @0 rw\n\talias S on=old\nreg S @8 rw on=mid+\n");
	no_findings(HEAD "reg P_{A,B} @0 rw stride=4\n\tonly B on=mid\n\talias Q_{A,B} on=old\n");
	one_finding(HEAD "reg A @0 rw\n\talias S on=mid+\nreg S @8 rw on=mid\n", 5, 0, "also belongs to");
	one_finding(HEAD "reg A @0 rw on=mid\n\talias S on=old\n", 3, 0, "S holds on no");
	one_finding(HEAD "reg P_{A,B} @0 rw on=mid stride=4\n\talias Q_{A,B} on=old\n", 3, 0,
		    "Q_A holds on no");
	one_finding(HEAD "reg A +0 rw engine=rcs,ccs\n\talias ccs.S on=mid\n", 3, 0, "S holds on no");
	one_finding(HEAD "reg A @0 rw\n\talias on=mid\n", 4, 0, "a name");
	one_finding(HEAD "reg A @0 rw\n\talias on=mid S\n", 4, 8, "a name");
	one_finding(HEAD "command C engine=rcs\n\tmatch 31:29=1\n\tlength 1\n\talias S on=mid\n", 6, 10,
		    "a name");
}

/* What drivers print. */
static void test_prints(void)
{
	static const char *const sound[] = {
		HEAD "reg A @0 rw\n\tprint K \"K 2\" L[3]\n",
		HEAD "reg A @0 rw on=mid\n\tprint K @8 on=old\n",
		HEAD "reg A @0 rw\n\tprint K on=old\nreg B @8 rw\n\tprint K on=mid+\n",
		HEAD "reg A +0 rw engine=rcs\n\tprint K\nreg B +0 rw engine=bcs\n\tprint K\n",
		HEAD "reg P_{A,B} @0 rw stride=4\n\tprint \"K {1,2}\" {L,}\n",
	};
	struct build b;

	for (size_t i = 0; i < ARRAY_SIZE(sound); i++)
		no_findings(sound[i]);
	build_text_check(&b, sound[4]);
	CU_ASSERT_EQUAL_FATAL(b.printed.count, 3);
	CU_ASSERT_STRING_EQUAL(build_text(&b, b.printed.items[0].c.key), "K 1");
	CU_ASSERT_STRING_EQUAL(build_text(&b, b.printed.items[1].c.key), "K 2");
	CU_ASSERT_STRING_EQUAL(build_text(&b, b.printed.items[2].c.key), "L");
	CU_ASSERT_EQUAL(b.printed.items[2].c.item, 0);
	build_free(&b);
	one_finding(HEAD "reg A @0 rw\n\tprint\n", 4, 0, "a key that");
	one_finding(HEAD "reg A @0 rw\n\tprint @8\n", 4, 8, "a key that");
	one_finding(HEAD "reg A @0 rw\n\tprint \"\"\n", 4, 8, "a key that");
	one_finding(HEAD "reg A @0 rw\n\tprint K @\n", 4, 10, "an address after @");
	one_finding(HEAD "reg A @0 rw\n\tprint K @8 @9\n", 4, 13, "keys of a driver's dump");
	one_finding(HEAD "reg A @0 rw\n\tprint K @0x100000000\n", 4, 10, "an address after @");
	one_finding(HEAD "reg A @0 rw\n\tprint K engine=rcs\n", 4, 10, "keys of a driver's dump");
	one_finding(HEAD "reg A @0 rw\n\tprint K on=nowhere\n", 4, 0, "nowhere");
	one_finding(HEAD "reg A @0 rw on=mid\n\tprint K on=old\n", 3, 0, "K applies to no");
	one_finding(HEAD "reg A @0 rw space=config\n\tprint K\n", 3, 0, "K applies to no");
	one_finding(HEAD "reg A @0 rw\n\tprint K @6\n", 3, 0, "a multiple of 4");
	one_finding(HEAD "reg A @0 rw\n\tprint K K\n", 3, 0, "the key K is also that of A");
	one_finding(HEAD "reg A @0 rw\n\tprint K\nreg B @8 rw\n\tprint K\n", 5, 0, "the key K is also that of A");
	one_finding(HEAD "reg P_{A,B} @0 rw stride=4\n\tprint K\n", 3, 0, "the key K is also that of P_A");
	one_finding(HEAD "reg P_{A,B} @0 rw stride=4\n\tprint K_{X}\n", 3, 0, "keys to print with");
}

/* The built-in data through the public interface, with literal facts. */
static void test_builtin(void)
{
	struct gsc_error err;
	struct gsc_platform p;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_platform_find(db, "0x1912", &p, &device, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(p.name, "skl");
	CU_ASSERT_EQUAL(device, 0x1912);
	CU_ASSERT_EQUAL(p.ggtt_offset, 8 << 20);
	CU_ASSERT_EQUAL(gsc_platform_find(db, "DevSNB", &p, &device, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(p.name, "snb");
	CU_ASSERT_EQUAL(device, -1);
	CU_ASSERT_EQUAL(gsc_platform_find(db, "sandybrige", &p, &device, &err), GSC_UNKNOWN);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "sandybridge"));
	CU_ASSERT_EQUAL(gsc_platform_find(db, "0xa011", &p, &device, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(p.name, "pnv");
	CU_ASSERT_EQUAL(p.ggtt_bar, 3);
	CU_ASSERT_EQUAL(p.ggtt_offset, p.bar_size);
	CU_ASSERT_EQUAL(gsc_platform_find(db, "0x29c2", &p, &device, &err), GSC_OK);
	CU_ASSERT_STRING_EQUAL(p.name, "g33");
	CU_ASSERT_EQUAL(gsc_platform_find(db, "0x1913", &p, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_platform_find(db, "0xffff", &p, &device, &err), GSC_UNKNOWN);
	gsc_db_free(db);
}

/* A user's register replaces the built-in one of its name and those at its address. */
static void test_layers(void)
{
	static const char user[] = "format 1\nreg RING_BUFFER_TAIL @0x2030 ro on=snb\n"
				   "\tfield MINE 7:0 dec\nreg NEW_ONE @0x5fff0 rw\n";
	char *file = temporary_file(user, sizeof(user) - 1);
	struct gsc_error err;
	struct gsc_platform p;
	struct gsc_view *view;
	struct gsc_field field;
	struct gsc_field_iter it;
	struct gsc_reg reg;
	struct gsc_db *db;
	int device;
	size_t i;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(db, file, &err), GSC_OK);
	gsc_platform_find(db, "snb", &p, &device, &err);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, &err), GSC_OK);
	i = gsc_view_seek(view, GSC_MMIO, 0x2030);
	gsc_view_reg(view, i, &reg);
	CU_ASSERT_STRING_EQUAL(reg.name, "RING_BUFFER_TAIL");
	CU_ASSERT(reg.flags & GSC_REG_USER);
	gsc_reg_fields(view, &reg, 0x1234, &it);
	CU_ASSERT_FATAL(gsc_field_next(&it, &field));
	CU_ASSERT_STRING_EQUAL(field.name, "MINE");
	CU_ASSERT_STRING_EQUAL(field.text, "52");
	CU_ASSERT_FALSE(gsc_field_next(&it, &field));
	gsc_view_reg(view, gsc_view_seek(view, GSC_MMIO, 0x5fff0), &reg);
	CU_ASSERT_STRING_EQUAL(reg.name, "NEW_ONE");
	gsc_view_free(view);
	gsc_db_free(db);
	unlink(file);
	free(file);
}

/* An address that moved with a stepping; the latest counts if the revision is unknown. */
static void test_stepped_places(void)
{
	static const char user[] = "format 1\norigin i915 \"s\"\nreg LAB rw\n"
				   "\tprint LABEL\n\talias EARLY on=skl:a0..c0\n"
				   "\tat @0x9f00 on=skl:a0..b0\n\tat @0x9f04 on=skl\n"
				   "\tfield OLD 0 on=kbl,skl:a0\n\tfield NEW 1 on=skl+,!skl:a0\n";
	static const struct { int revision; uint64_t offset; const char *field; bool early; } want[] = {
		{ 0, 0x9f00, "OLD", true }, { 1, 0x9f00, "NEW", true }, { 2, 0x9f04, "NEW", true },
		{ 3, 0x9f04, "NEW", false }, { -1, 0x9f04, "NEW", false },
	};
	char *file = temporary_file(user, sizeof(user) - 1);
	struct gsc_platform platform;
	struct gsc_error err;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(db, file, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "skl", &platform, &device, &err), GSC_OK);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct gsc_field_iter it;
		struct gsc_field field;
		struct gsc_view *view;
		struct gsc_reg reg;
		uint64_t address = 0;
		size_t found = 0;

		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, platform.index, want[i].revision, &err),
				      GSC_OK);
		for (size_t k = 0; k < gsc_view_count(view); k++) {
			struct gsc_reg one;

			gsc_view_reg(view, k, &one);
			if (strcmp(one.name, "LAB"))
				continue;
			reg = one;
			found++;
		}
		CU_ASSERT_EQUAL_FATAL(found, 1);
		CU_ASSERT_EQUAL(reg.offset, want[i].offset);
		CU_ASSERT_EQUAL(gsc_reg_alias(view, &reg, 0) != NULL, want[i].early);
		CU_ASSERT(print_find(view, "", "LABEL", &address));
		CU_ASSERT_EQUAL(address, want[i].offset);
		gsc_reg_fields(view, &reg, 0, &it);
		CU_ASSERT_FATAL(gsc_field_next(&it, &field));
		CU_ASSERT_STRING_EQUAL(field.name, want[i].field);
		CU_ASSERT_FALSE(gsc_field_next(&it, &field));
		gsc_view_free(view);
	}
	gsc_db_free(db);
	unlink(file);
	free(file);
}

/* Whose an address is: the narrowest, a page of an engine, else the units of its well. */
static void test_owners(void)
{
	static const char user[] =
		"format 1\ndocument d \"D\"\norigin d \"1\"\n"
		"range @0x100000-0x10ffff owner \"wide\" on=skl\n"
		"range @0x101000-0x101fff owner \"narrow\" on=skl\n"
		"range @0x101800-0x1018ff owner \"elsewhere\" on=tgl\n"
		"range @0x101900-0x1019ff reserved on=skl \"a hole\"\n"
		"range +0x200-0x20f owner \"mine\" on=skl engine=vcs1\n";
	static const struct {
		uint64_t address;
		const char *text;
	} want[] = {
		{ 0x10ffff, "wide, 0x100000-0x10ffff" },
		{ 0x101000, "narrow, 0x101000-0x101fff" },
		{ 0x101800, "narrow, 0x101000-0x101fff" },
		{ 0x101900, "narrow, 0x101000-0x101fff; reserved: a hole, 0x101900-0x1019ff" },
		{ 0x12200, "vcs0: engine, with its command streamer, 0x12000-0x12fff" },
		{ 0x1c20f, "vcs1: mine, 0x1c200-0x1c20f" },
		{ 0x1c210, "vcs1: engine, with its command streamer, 0x1c000-0x1cfff" },
		{ 0x8a00, "GT units, forcewake gt, 0x8a00-0x8bff" },
		{ 0x17fffc, "null: software may use it as the null range, 0x170000-0x17ffff" },
		{ 0x130000, "in no documented range" },
	};
	char *file = temporary_file(user, sizeof(user) - 1), text[ADDRESS_TEXT_MAX];
	struct gsc_platform platform;
	struct gsc_range range;
	struct gsc_view *view;
	struct gsc_error err;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(db, file, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, "skl", &platform, &device, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, platform.index, -1, &err), GSC_OK);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CU_ASSERT_STRING_EQUAL(gsc_address_text(view, want[i].address, text, sizeof(text)),
				       want[i].text);
	CU_ASSERT_FALSE(gsc_view_range(view, RANGE_OWNED, GSC_CONFIG, 0x101000, &range));
	gsc_view_free(view);
	gsc_db_free(db);
	unlink(file);
	free(file);
}

static void test_broken_user_file(void)
{
	static const char user[] = "format 1\nreg A @0 rw\nreg B @zz rw\nreg C\n";
	char *file = temporary_file(user, sizeof(user) - 1), where[80];
	struct gsc_error err;
	struct gsc_platform p;
	struct gsc_db *db;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_db_add_file(db, file, &err), GSC_FAILED);
	snprintf(where, sizeof(where), "%s:3:7", file);
	CU_ASSERT_STRING_EQUAL(err.what, where);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "2 more: gpu-db check /tmp/"));
	CU_ASSERT_EQUAL(gsc_platform_find(db, "skl", &p, &device, &err), GSC_OK);
	gsc_db_free(db);
	unlink(file);
	free(file);
}

/* Every value of 16 bits as a fixed-point number, and some of 24, equals the output of printf. */
static bool fixed_holds(const struct c_form *f, unsigned width, uint64_t value)
{
	int64_t number = (int64_t)(value << (64 - width)) >> (64 - width);
	double real = f->type == F_UFIXED ? (double)value : (double)number;
	char text[FIELD_TEXT_MAX], want[40];

	snprintf(want, sizeof(want), "%.9g", real / (double)(UINT64_C(1) << f->fraction));
	*form_number(text, f, width, value) = 0;
	if (!strcmp(text, want))
		return true;
	fprintf(stderr, "%#llx with %u of %u bits behind the point: %s, not %s\n",
		(unsigned long long)value, f->fraction, width, text, want);
	return false;
}

static void test_fixed_point(void)
{
	static const uint8_t types[] = { F_UFIXED, F_SFIXED };
	static const struct {
		uint16_t width, step;
	} sizes[] = { { 16, 1 }, { 24, 2503 } };
	unsigned wrong = 0;

	for (unsigned t = 0; t < 2; t++)
		for (unsigned size = 0; size < 2; size++)
			for (uint8_t fraction = 0; fraction <= 9; fraction++) {
				struct c_form f = { .type = types[t], .fraction = fraction,
						    .multiply = 1, .divide = 1 };

				for (uint64_t v = 0; v >> sizes[size].width == 0 && wrong < 10;
				     v += sizes[size].step)
					wrong += !fixed_holds(&f, sizes[size].width, v);
			}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE(db,
      { "sound texts", test_sound }, { "several opcodes of a command", test_matches },
      { "predicates", test_predicates }, { "steppings", test_stepping },
      { "full names", test_full_name }, { "instances", test_instances },
      { "entry conditions", test_entry_conditions }, { "entry leads", test_entry_leads },
      { "alias lists", test_alias_lists }, { "alias platforms", test_alias_platforms },
      { "prints", test_prints }, { "stepped places", test_stepped_places },
      { "field order", test_field_order }, { "fixed point", test_fixed_point },
      { "pointers", test_pointers }, { "reset from fields", test_reset_from_fields },
      { "built-in data", test_builtin }, { "layers", test_layers },
      { "owners of addresses", test_owners }, { "broken user file", test_broken_user_file })
