/* SPDX-License-Identifier: MIT */
/* Definitions that are refused, and the words for it. */
#include "definitions.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static void test_syntax_faults(void)
{
	one_finding("", 1, 1, "format 1");
	one_finding("reg X @0 rw\n", 1, 1, "format 1");
	one_finding("format 2\n", 1, 8, "newer");
	one_finding(HEAD "bogus X\n", 3, 1, "expected reg, group");
	one_finding(HEAD "reg X @0 ro \"text\n", 3, 13, "closing");
	one_finding(HEAD "reg X @0 ro \"a\"b\n", 3, 16, "closing quote");
	one_finding(HEAD "reg X @zz ro\n", 3, 7, "an address");
	one_finding(HEAD "reg X @0 ro frob\n", 3, 13, "@ADDRESS");
	one_finding(HEAD "reg X @0\n", 3, 9, "an access");
	one_finding(HEAD "reg X @0 rq\n", 3, 10, "@ADDRESS");
	one_finding(HEAD "reg X ro\n", 3, 9, "@ADDRESS, +OFFSET or");
	one_finding(HEAD "reg X +0x30 rw\n", 3, 1, "engine=");
	one_finding(HEAD "reg X[4] @0 rw\n", 3, 15, "stride=");
	one_finding(HEAD "reg X @0 rw on=nope\n", 3, 16, "a platform");
	one_finding(HEAD "reg X @0 rw on=gen4..mid\n", 3, 16, "a platform");
	one_finding(HEAD "reg X @0 rw\n\tfield 1 2\n\tfield F 3:5\n", 5, 10, "bits");
	one_finding(HEAD "reg X @0 rw\n\tfield F 3 addr:moon\n", 4, 12, "addr:");
	one_finding(HEAD "reg X @0 rw\n\tfield F 3 enum:none\n", 4, 12, "not defined");
	one_finding(HEAD "reg X @0 rw\n\tfield F 3 when=G=1\n", 4, 17, "another field");
	one_finding(HEAD "reg X @0 rw\n\tfield G 2:0\n\tfield F 3 when=G=1|64\n", 5, 17, "below 64");
	one_finding(HEAD "reg X @0 rw\n\tfield G 2:0\n\tfield F 3 when=G=1|\n", 5, 17, "below 64");
	one_finding(HEAD "reg X @0 rw\n\t\tfield F 3\n\tfield G 4\n", 5, 9, "expected 16");
	one_finding(HEAD "reg X @0 rw\n\thazard burn \"x\"\n", 4, 9, "read, hang or write");
	one_finding(HEAD "reg X @0 rw\n\thazard read bits=3 \"x\"\n", 4, 19, "of a write");
	one_finding(HEAD "range 0x10-0x20 hang \"x\"\n", 3, 7, "a range");
	one_finding(HEAD "range @0x20-0x10 hang \"x\"\n", 3, 7, "a range");
	one_finding(HEAD "range @0x10-0x1f sleeps on=mid\n", 3, 18, "wake= with `sleeps`");
	one_finding(HEAD "range @0x10-0x1f hang wake=gt\n", 3, 18, "wake= with `sleeps`");
	one_finding(HEAD "range @0x10-0x1f steered wake=gt\n", 3, 18, "wake= with `sleeps`");
	one_finding(HEAD "range @0x10-0x1f steers\n", 3, 18, "sleeps or steered");
	one_finding(HEAD "range @0x10-0x1f owner on=mid\n", 3, 30, "the \"name\" of the owner");
	one_finding(HEAD "range +0x10-0x1f owner \"x\"\n", 3, 7, "with engine=");
	one_finding(HEAD "range +0x10-0x1f hang engine=rcs\n", 3, 7, "with engine=");
	one_finding(HEAD "range @0x10-0x1f owner space=io \"x\"\n", 3, 7, "without space=");
	one_finding(HEAD "reg X @0 rw wake=gt\n", 3, 13, "@ADDRESS");
	one_finding(HEAD "group g wake=gt\n", 3, 9, "on=, engine=, space=");
	one_finding("format 1\norigin none \"s\"\n", 2, 8, "a document");
	one_finding(HEAD "command C engine=rcs\n\tmatch 31:29=9\n\tlength 1\n", 4, 8, "fits");
	one_finding(HEAD "command C engine=rcs\n\tmatch 31:29=1\n", 3, 21, "`length`");
	one_finding(HEAD "command C engine=rcs\n\tmatch 31:29=1 on=nowhere\n\tlength 1\n", 4, 19,
		    "a platform");
	one_finding(HEAD "command C engine=rcs\n\tlength 1\n"
			 "\tmatch 7:0=0\n\tmatch 7:0=1\n\tmatch 7:0=2\n\tmatch 7:0=3\n\tmatch 7:0=4\n"
			 "\tmatch 7:0=5\n\tmatch 7:0=6\n\tmatch 7:0=7\n\tmatch 7:0=8\n", 13, 2,
		    "no more `match`");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tfield A 0\n\tvalid B\n", 5, 8,
		    "a field of this entry");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tfield A 0\n\tvalid A=x\n", 5, 8,
		    "FIELD=VALUE");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tindex 9:1 every=0\n", 4, 18, "every=");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tindex 9:1 each=2\n", 4, 12, "every=");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tnext a\n\tnext b\n\tnext c\n"
			 "\tnext d\n", 7, 7, "at most three");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tfield A 0\n\tnext a B=1\n", 5, 9,
		    "a field of this entry");
	one_finding(HEAD "entry E mode=m level=l bits=64\n\tignore 3\n", 4, 2, "ignored");
	one_finding(HEAD "fact level=pte \"text\"\n", 3, 20, "mode= and a");
	one_finding(HEAD "topic T\n", 3, 8, "a \"text\"");
	one_finding(HEAD "topic T \"t\"\n\tdoc \"x\"\n", 4, 0, "note, origin or alias");
	one_finding(HEAD "topic T \"t\"\n\tnote\n", 4, 0, "a \"text\"");
	one_finding(HEAD "fact mode=pml4 how=1 \"text\"\n", 3, 16, "mode=, level=");
	one_finding(HEAD "fact mode=pml4 about=x \"text\"\n", 3, 22, "about= with result");
	one_finding(HEAD "fact mode=pml4 when=A \"text\"\n", 3, 21, "when=FIELD=VALUE");
	one_finding(HEAD "fact mode=pml4 when=A=64 \"text\"\n", 3, 21, "below 64");
	one_finding(HEAD "fact mode=pml4 when=A=1,B!=2,C=3 \"text\"\n", 3, 21, "at most two");
	one_finding(HEAD "message broken \"text\"\n", 3, 9, "the \"words\"");
	one_finding(HEAD "message \"words of it\"\n", 3, 20, "a \"text\" that says what");
	one_finding(HEAD "message \"words of it\" by=nobody \"text\"\n", 3, 26, "by= with i915_fault");
	one_finding(HEAD "message \"words of it\" rank=harmless \"text\"\n", 3, 28,
		    "main lesser aside");
	one_finding(HEAD "with kind=bang\n\tmessage \"words of it\" \"text\"\n", 3, 11, "kind= with fault");
	one_finding(HEAD "message \"words 7\" \"text\"\n", 3, 9, "8 to 60 bytes");
	one_finding(HEAD "harmless \"0123456789012345678901234567890123456789012345678901234567890\" "
			 "\"text\"\n", 3, 10, "8 to 60 bytes");
	one_finding(HEAD "cache C kind=tlb\n", 3, 17, "a \"title\"");
	one_finding(HEAD "cache C \"c\"\n", 3, 10, "kind=");
	one_finding(HEAD "cache C \"c\" kind=tlb entries=0\n", 3, 30, "from 1");
	one_finding(HEAD "invalidation X by=event\n", 3, 24, "by= and takes=");
	one_finding(HEAD "invalidation X takes=tlb\n", 3, 25, "by= and takes=");
	one_finding(HEAD "invalidation X by=event takes=tlb how=1\n", 3, 35, "kind= or by=");
	one_finding(HEAD "firmware i915/x.bin kernel=6.1\n", 3, 10, "a path such as");
	one_finding(HEAD "firmware tgl_guc_70.bin kernel=6.1\n", 3, 10, "a path such as");
	one_finding(HEAD "firmware i915/tgl_guc_70.bin\n", 3, 29, "kernel=VERSIONS");
	one_finding(HEAD "firmware i915/tgl_guc_70.bin kernel=6.1..\n", 3, 30, "versions such as");
	one_finding(HEAD "firmware i915/tgl_guc_70.bin kernel=6.1 wants=70\n", 3, 30,
		    "versions such as");
	one_finding(HEAD "firmware i915/tgl_guc_70.bin kernel=6.1 how=1\n", 3, 41, "driver=");
	one_finding(HEAD "package p\n", 3, 10, "the \"system\"");
	one_finding("format 1\nfirmware i915/tgl_guc_70.bin kernel=6.1\n", 2, 1, "no origin");
}

/* One property of those that the library requires, and what is said about the others. */
#define PROPERTY HEAD "property execlists \"x\""

static void test_property_faults(void)
{
	one_finding(HEAD "property\n", 3, 9, "the library asks for");
	one_finding(HEAD "property nope on=new \"x\"\n", 3, 10, "the library asks for");
	one_finding(HEAD "property execlists on=new\n", 3, 26, "a \"text\"");
	one_finding(HEAD "property execlists on=nope \"x\"\n", 3, 23, "a platform");
	one_finding(HEAD "property execlists on=mid:a0 \"x\"\n", 3, 31, "without steppings");
	one_finding(HEAD "property execlists engine=rcs \"x\"\n", 3, 20, "on= or a");
	one_finding(PROPERTY "\n", 3, 21, "`value` lines");
	one_finding(PROPERTY "\n\tvalue 0\n", 4, 8, "1 to 65535");
	one_finding(PROPERTY "\n\tvalue 65536\n", 4, 8, "1 to 65535");
	one_finding(PROPERTY "\n\tvalue many\n", 4, 8, "a number");
	one_finding(PROPERTY "\n\tvalue 1 of=new\n", 4, 10, "on=");
	one_finding(PROPERTY "\n\tvalue 1 on=new now\n", 4, 17, "end of line");
	one_finding(PROPERTY "\n\tvalue 1 on=new\n\tvalue 2 on=new\n", 5, 1,
		    "all platforms of this line already");
	one_finding(PROPERTY "\n\tvalue 1\n\tat 2\n", 5, 2, "value or origin");
}

/* A text that lacks one property is refused; so is one without origin, or with one twice. */
static void test_properties(void)
{
	static const char *const all[] = {
#define PROPERTY_NAME(id, name) name,
		PROPERTY_LIST(PROPERTY_NAME)
#undef PROPERTY_NAME
	};
	const struct b_property *p;
	char text[64 * PROPERTIES + 256] = HEAD;
	struct build b;

	for (unsigned i = 1; i < PROPERTIES; i++)
		sprintf(text + strlen(text), "property %s on=old \"x\"\n", all[i]);
	one_finding(text, 3, 0, "no property \"execlists\"");
	strcat(text, "property execlists \"what it is\" on=mid,new\n"
		     "\tvalue 300 on=new\n\tvalue 7\n\torigin doc \"here\"\n");
	build_text_check(&b, text);
	CU_ASSERT_EQUAL(b.findings.count, 0);
	p = &b.properties[PROPERTY_EXECLISTS];
	CU_ASSERT(p->value[0] == 0 && p->value[1] == 7 && p->value[2] == 300);
	CU_ASSERT_STRING_EQUAL(build_text(&b, p->text), "what it is");
	build_free(&b);
	strcat(text, "property execlists on=new \"x\"\n");
	one_finding(text, PROPERTIES + 6, 10, "not defined yet");
	build_text_check(&b, "format 1\nproperty execlists on=new \"x\"\n");
	CU_ASSERT(b.findings.count && strstr(b.findings.items[0].text, "has no origin"));
	build_free(&b);
}

static void test_meaning_faults(void)
{
	one_finding("format 1\nreg X @0 rw\n", 2, 0, "no origin");
	one_finding(HEAD "reg X @0 rw\n\tfield A 3:1\n\tfield B 4:3\n", 3, 0, "overlaps");
	one_finding(HEAD "reg X @0 rw\n\tfield K 7:4\n\tfield A 3:1 when=K=0|3..5\n"
			 "\tfield B 3:1 when=K=5..6\n", 3, 0, "overlaps");
	one_finding(HEAD "reg X @0 8 rw\n\tfield A 8\n", 3, 0, "reaches bit 8");
	one_finding(HEAD "reg X @0 rw\n\tfield A 0\n\t\t0 off\n\t\t2 on\n", 3, 0, "a value 2");
	one_finding(HEAD "reg X @0 rw\n\tfield A 1:0\n\t\t0..2 a\n\t\t2 b\n", 3, 0, "two names");
	one_finding(HEAD "reg X @0 rw\nreg Y @0 rw\n", 4, 0, "overlaps X");
	one_finding(HEAD "reg X @0 64 rw\nreg Y @4 rw\n", 4, 0, "overlaps X");
	one_finding(HEAD "reg X @0 rw space=sideband\nreg Y @1 rw space=sideband\n"
			 "reg Z @1 rw space=sideband\n", 5, 0, "overlaps Y");
	one_finding(HEAD "reg X @0 16 rw space=sideband\n", 3, 0, "expected the 32");
	one_finding(HEAD "reg X @0 rw\nreg X @8 rw\n", 4, 0, "also belongs to");
	one_finding(HEAD "reg X @0 rw\nreg Y @8 rw\n\talias X\n", 4, 0, "also belongs to");
	one_finding(HEAD "reg X @0 rw on=gen5\n\tdoc \"d\"\n", 3, 0, "no platform");
	one_finding(HEAD "reg X +0 rw engine=vecs\n", 3, 0, "no place");
	one_finding(HEAD "reg X @2 rw\n", 3, 0, "aligned");
	one_finding(HEAD "reg X @0 rw masked\n\tfield A 16:15\n", 3, 0, "write mask");
	one_finding(HEAD "reg X @0 rw reset=4\n\tmbz 2\n", 3, 0, "must be zero");
	one_finding(HEAD "reg X @0 rw\n\tat @8 on=gen5\n", 3, 0, "no platform");
	one_finding(HEAD "command A engine=rcs\n\tmatch 31:29=1\n\tlength 1\n"
			 "command B engine=rcs,bcs\n\tmatch 31:29=1\n\tlength 2\n", 6, 0,
		    "cannot be distinguished");
	one_finding(HEAD "struct S bytes=4\n\tfield A dw1.0\n", 3, 0, "reaches bit 32");
}

/* One entry of a mode, with these lines, and a table below it. */
#define TABLE(lines)                                                                               \
	HEAD "entry E mode=pml4 level=top bits=64\n\tindex 29:21\n\tfield A 0\n\tfield B 3:2\n"        \
	     lines                                                                                 \
	     "entry T mode=pml4 level=pte bits=64\n\tindex 20:12\n\tleaf always size=4K\n"

static void test_entry_faults(void)
{
	one_finding(TABLE("\tnext pte\n\tnext pte A=1\n"), 3, 0, "never leads to the table pte");
	one_finding(TABLE("\tnext pte A=1\n\tnext pte A=1\n"), 3, 0, "never leads");
	one_finding(TABLE("\tleaf A=1 size=2M\n\tnext pte A=1\n\tnext pte\n"), 3, 0, "never leads");
	one_finding(TABLE("\tvalid B=4\n\tnext pte\n"), 3, 0, "does not fit in the field B");
	one_finding(TABLE("\tnext pte A=2\n\tnext pte\n"), 3, 0, "not fit in the field A");
	one_finding(TABLE("\tnext none A=1\n\tnext pte\n"), 3, 0, "mode pml4 has on old");
	one_finding(TABLE("\tleaf A=1\n\tnext pte\n"), 3, 0, "its size=");
	one_finding(TABLE("\tleaf A=1 size=4K\n\tnext pte\n"), 3, 0, "smaller");
	one_finding(TABLE("\tleaf A=1 size=3M\n\tnext pte\n"), 3, 0, "power of two");
	one_finding(TABLE("\tleaf A=1 size=2M as=pte\n\tnext pte\n"), 3, 0, "expected 29");
	one_finding(TABLE(""), 7, 0, "has two top levels, top and pte");
	one_finding(TABLE("\tnext pte\n") "entry U mode=pml4 level=pte bits=64\n"
		    "\tindex 20:12\n\tleaf always size=4K\n", 11, 0, "which T already");
	one_finding(TABLE("\tnext pte\n") "entry U mode=pml4 level=x bits=64\n\tindex 5:1\n", 11, 0,
		    "has two top levels");
	one_finding(HEAD "entry E mode=odd level=l bits=64\n", 3, 0, "no known mode");
	one_finding(TABLE("\tnext pte\n") "fact mode=pdp32 \"t\"\n", 11, 0, "about pdp32");
	one_finding(TABLE("\tnext pte\n") "fact mode=pml4 level=pte,x \"t\"\n", 11, 0, "about x");
	one_finding(TABLE("\tnext pte\n") "fact mode=pml4 when=X=1 \"t\"\n", 11, 0, "when= names X");
	one_finding("format 1\nfact mode=pml4 \"t\"\n", 2, 0, "no origin");
	one_finding(TABLE("\tnext pte\n") "cache C \"c\" kind=tlb mode=pdp32\n", 11, 0,
		    "about pdp32");
	one_finding(TABLE("\tnext pte\n") "cache C \"c\" kind=walk mode=pml4 level=root,x\n",
		    11, 0, "about x");
	no_findings(TABLE("\tnext pte\n") "cache C \"c\" kind=walk mode=pml4 level=root,top\n");
	one_finding(HEAD "entry E mode=vtd level=l bits=64\n\tfield A 0\n\tignored 1:0\n", 3, 0,
		    "overlaps");
}

/* Different engines, predicates or steppings keep equal names or addresses apart. */
/* The platform text has one range, 0x2000 to 0x2fff of mid, whose one domain is gt. */
static void test_range_faults(void)
{
	static const char bare[] =
		"format 1\ndocument doc \"A document\"\norigin doc \"s\"\n"
		"platform one \"One\" gfx=9 media=9 display=9\n"
		"\tengine rcs0=0x2000\n\twake render request=0xa278 ack=0xd84\n";
	struct build b;

	no_findings(HEAD "range @0x3000-0x30ff sleeps on=mid wake=gt\n"
		    "range @0x1000-0x1fff sleeps on=mid wake=gt,gt\n"
		    "range @0x2000-0x20ff hang \"x\"\nrange @0x2000-0x20ff reserved\n");
	no_findings(HEAD "range @0x10-0x1f owner \"a\"\nrange @0x0-0xfff owner \"b\"\n"
		    "range +0x0-0xff owner engine=rcs,vcs \"c\"\n");
	one_finding("format 1\nrange @0x10-0x1f hang\n", 2, 0, "no origin");
	one_finding("format 1\nrange @0x10-0x1f owner \"x\"\n", 2, 0, "no origin");
	one_finding(HEAD "range @0x10-0x1f hang on=mid,!atom\n", 3, 0, "no platform");
	one_finding(HEAD "range @0x2ffc-0x30ff sleeps on=mid wake=gt\n", 3, 0,
		    "0x2ffc-0x30ff overlaps another `sleeps` range on mid");
	one_finding(HEAD "range @0x1000-0x2003 sleeps on=mid wake=gt\n", 15, 0, "overlaps");
	one_finding(HEAD "range @0x4000-0x7fff sleeps on=mid wake=gt\n"
		    "range @0x4100-0x41ff sleeps on=mid wake=gt\n", 4, 0, "overlaps");
	one_finding(HEAD "range @0x4000-0x7fff sleeps on=mid wake=gt\n"
		    "range @0x4100-0x41ff sleeps on=mid wake=gt\n"
		    "range @0x8000-0x80ff sleeps on=mid wake=gt\n", 4, 0, "overlaps");
	one_finding(HEAD "range @0x10-0x1f sleeps on=mid wake=render\n", 3, 0, "not every domain");
	one_finding(HEAD "range @0x10-0x1f sleeps on=mid wake=gt,\n", 3, 0, "not every domain");
	one_finding(HEAD "range @0x10-0x1f sleeps on=old wake=gt\n", 3, 0, "wake= exists on old");
	one_finding(HEAD "range @0x12-0x1f sleeps on=mid wake=gt\n", 3, 0, "whole dwords");
	one_finding(HEAD "range @0x10-0x20 sleeps on=mid wake=gt\n", 3, 0, "whole dwords");
	one_finding(HEAD "range @0x10-0x1f sleeps on=mid:a0..b0 wake=gt\n"
		    "range @0x10-0x1f sleeps on=mid:b0+ wake=gt\n", 4, 0, "overlaps");
	no_findings(HEAD "range @0x10-0x1f sleeps on=mid:a0 wake=gt\n"
		    "range @0x10-0x1f sleeps on=mid:b0+ wake=gt\n");
	build_init(&b, NULL);
	CU_ASSERT_FATAL(build_parse(&b, "bare.def", bare, sizeof(bare) - 1));
	CU_ASSERT_FATAL(build_finish(&b));
	build_check(&b);
	CU_ASSERT_EQUAL(b.findings.count, 1);
	if (b.findings.count)
		CU_ASSERT_PTR_NOT_NULL(strstr(b.findings.items[0].text, "one has forcewake"));
	build_free(&b);
}

static void test_workaround_faults(void)
{
	no_findings(HEAD "reg X +0x30 rw engine=rcs\n\talias Y on=mid+\n"
		    "reg A[4] @0x100 rw masked stride=4\n"
		    "workaround Wa_1,Wa_2 engine X mask=0xffffffff value=0x80000000 engine=rcs\n"
		    "workaround W gt Y mask=3 value=1 on=mid:a0 unchecked \"only now\"\n"
		    "workaround W context A[3] mask=0x8000 value=0\n"
		    "workaround W other \"instead\" on=mid\n"
		    "workaround W whitelist X mask=0x30000003 value=0x10000000 engine=rcs\n");
	one_finding(HEAD "workaround W\n", 3, 13, "gt, engine, context, whitelist or other");
	one_finding(HEAD "workaround W gpu X mask=1 value=1\n", 3, 14, "gt, engine, context");
	one_finding(HEAD "workaround W gt X[ mask=1 value=1\n", 3, 17, "an element");
	one_finding(HEAD "workaround W gt X[0x] mask=1 value=1\n", 3, 17, "an element");
	one_finding(HEAD "workaround W gt \"X\" mask=1 value=1\n", 3, 17, "a register's name");
	one_finding(HEAD "workaround W other on=mid\n", 3, 26, "what the driver does");
	one_finding(HEAD "workaround W other \"x\" mask=1\n", 3, 30, "what the driver does");
	one_finding(HEAD "workaround W gt\n", 3, 16, "a register's name");
	one_finding(HEAD "workaround W gt X value=1\n", 3, 26, "mask= and value=");
	one_finding(HEAD "workaround W gt X mask=1\n", 3, 25, "mask= and value=");
	one_finding(HEAD "workaround W gt X mask=1 value=0xffffffffffffffff\n", 3, 32,
		    "value= from 0");
	one_finding(HEAD "workaround W, gt X mask=1 value=1\n", 3, 14, "a name");
	one_finding(HEAD "workaround ,W gt X mask=1 value=1\n", 3, 12, "a name");
	one_finding(HEAD "workaround V,@$ gt X mask=1 value=1\n", 3, 14, "a name");
	one_finding(HEAD "workaround W gt X mask=1 value=1 why=2\n", 3, 34, "unchecked or an");
	one_finding(HEAD "reg X @0 16 rw\nworkaround W gt X mask=0x10000 value=0\n", 4, 0,
		    "fewer bits than mask=");
	one_finding(HEAD "reg X @0 rw masked\nworkaround W gt X mask=0x10000 value=0\n", 4, 0,
		    "fewer bits than mask=");
	one_finding(HEAD "reg X @0 rw\nworkaround W gt X mask=1 value=3\n", 4, 0, "not in mask=");
	one_finding(HEAD "reg X @0 rw on=mid\nworkaround W gt X mask=1 value=1\n", 4, 0,
		    "on old");
	one_finding(HEAD "reg X @0 rw\n\talias Y on=mid\nworkaround W gt Y mask=1 value=1 on=mid+\n",
		    5, 0, "on new");
	one_finding(HEAD "reg X +0 rw engine=rcs\nworkaround W gt X mask=1 value=1 engine=bcs\n", 4,
		    0, "on old");
	one_finding(HEAD "reg X[2] @0 rw stride=4\nworkaround W gt X[2] mask=1 value=1\n", 4, 0,
		    "no such element");
	one_finding(HEAD "reg X @0 rw\nworkaround W gt X mask=1 value=1 on=gen5\n", 4, 0,
		    "no platform");
	one_finding("format 1\nreg X @0 rw\n\torigin doc \"s\"\nworkaround W gt X mask=1 value=1\n", 4, 0,
		    "no origin");
}

static void test_message_faults(void)
{
	one_finding("format 1\nmessage \"words of it\" \"text\"\n", 2, 0, "has no origin");
	one_finding(HEAD "message \"words of it\" driver=xe \"text\"\n"
			 "with driver=xe \"text\"\n\tharmless \"words of it\"\n", 5, 0,
		    "is also in t.def:3");
	no_findings(HEAD "message \"words of it\" \"text\"\n"
			 "message \"words of it\" driver=xe \"text\"\n");
}

static void test_cache_faults(void)
{
#define ITEMS                                                                                      \
	HEAD "reg R @0 rw on=mid+\n\tfield F 1:0\n"                                                 \
	     "command C engine=rcs\n\tmatch 31:29=1\n\tlength 1\n\tfield G 0\n"                    \
	     "struct S bytes=4\n\tfield H dw0.7:0\n"                                               \
	     "cache K \"k\" kind=data on=mid\n"

	no_findings(ITEMS "invalidation R.F=3 by=register takes=K on=mid\n"
		    "invalidation C by=command engine=rcs takes=tlb,walk\n"
		    "invalidation S.H=255 by=guc takes=gtt,context,pasid,data\n"
		    "invalidation \"an event\" by=event takes=K on=mid\n");
	one_finding(ITEMS "invalidation X.F by=register takes=tlb on=mid\n", 12, 0,
		    "no register, command");
	one_finding(ITEMS "invalidation R.G by=register takes=tlb on=mid\n", 12, 0,
		    "R.G is no item with this field and value on mid");
	one_finding(ITEMS "invalidation R.F=4 by=register takes=tlb on=mid\n", 12, 0, "on mid");
	one_finding(ITEMS "invalidation R.F=x by=register takes=tlb on=mid\n", 12, 0, "on mid");
	one_finding(ITEMS "invalidation X by=guc takes=tlb\n", 12, 0, "no register, command");
	one_finding(ITEMS "invalidation X by=event takes=K,J on=mid\n", 12, 0, "unknown cache: J");
	one_finding(HEAD "cache K \"k\" kind=tlb on=gen5\n", 3, 0, "no platform");
	one_finding("format 1\ncache K \"k\" kind=tlb\n", 2, 0, "no origin");
}

/* Whatever is cut off or changed, there are findings or none, but no crash. */
static void test_hostile(void)
{
	static const char text[] =
		ENTRIES "fact mode=pml4 level=pde,pte on=new about=order when=A=1|3..5 \"t\"\n"
		     "cache K \"k\" kind=tlb entries=2 bytes=4K client=x mode=pml4 level=root \"t\""
		     "\n"
		     "invalidation R_A.F=3 by=register takes=K,walk engine=rcs mode=pml4 \"t\"\n"
		     "enum e\n\t0 a\n\t1..3 \"b c\"\n"
		     "group g \"G\" on=mid+ engine=rcs\n"
		     "\treg R_{A,B}[4] +0x30 64 rw w1c masked reset=0x1 stride=8,16 volatile\n"
		     "\t\talias S T\n\t\tdoc \"x \\\" y\"\n\t\thazard read on=mid:a0..c0 \"z\"\n"
		     "\t\tat @0x100 on=new engine=rcs count=2 stride=4 space=io\n"
		     "\t\tfield F 31:12 addr:ppgtt <<12 join=J target=T base=dynamic "
		     "count=G*4 most=8 end=F if=G!=1 \"d\"\n"
		     "\t\tfield G 1:0 u4.8 +1 *3 /2 unit=ns when=F!=3 enum:e\n"
		     "\t\tmbz 63:32\n"
		     "command C engine=rcs,bcs privileged\n\tmatch 31:29=1 28:23=0x22\n"
		     "\tlength 7:0 +2 expect 3..5\n\trepeat P at=dw1 size=2 count=rest\n"
		     "\t\tfield V dw0.31:0\n"
		     "range @0x10-0x20 hang on=!old \"x\"\n"
		     "workaround W gt R_A[1] mask=3 value=1 unchecked on=mid+ \"only x\"\n";
	char copy[sizeof(text)];

	for (size_t cut = 0; cut < sizeof(text); cut++) {
		struct build b;

		build_init(&b, NULL);
		build_parse(&b, "p", platforms, sizeof(platforms) - 1);
		build_parse(&b, "t", text, cut);
		build_finish(&b);
		build_check(&b);
		build_free(&b);
	}
	for (unsigned i = 0; i < 20000; i++) {
		struct build b;

		memcpy(copy, text, sizeof(text));
		for (unsigned k = 0; k < 1 + i % 3; k++)
			copy[(i * 7919u + k * 104729u) % (sizeof(text) - 1)] ^=
				(char)(1u << (i / 3 + k) % 7);
		build_init(&b, NULL);
		build_parse(&b, "p", platforms, sizeof(platforms) - 1);
		build_parse(&b, "t", copy, sizeof(text) - 1);
		build_finish(&b);
		build_check(&b);
		build_free(&b);
	}
	CU_PASS("no crash");
}

SUITE(faults,
      { "syntax faults", test_syntax_faults }, { "meaning faults", test_meaning_faults },
      { "workaround faults", test_workaround_faults },
      { "cache faults", test_cache_faults }, { "message faults", test_message_faults },
      { "range faults", test_range_faults }, { "entry faults", test_entry_faults },
      { "property faults", test_property_faults }, { "properties", test_properties },
      { "hostile text", test_hostile })
