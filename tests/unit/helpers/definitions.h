/* SPDX-License-Identifier: MIT */
/* Definitions as text: the findings of their compiler. */
#ifndef DEFINITIONS_H
#define DEFINITIONS_H

#include "dbc/build.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static const char platforms[] =
	"format 1\n"
	"document doc \"A document\"\n"
	"origin doc \"platforms\"\n"
	"platform old \"Old One\" gfx=4 media=4 display=4\n"
	"\talias DevOLD\n"
	"\tid 0x1000 \"desktop\"\n"
	"\tengine rcs0=0x2000\n"
	"platform mid \"Middle\" gfx=7.5 media=7.5 display=7\n"
	"\tid 0x2000\n"
	"\tid 0x2001\n"
	"\tstepping a0=0 b0=2 b0=3 c0=5\n"
	"\tengine rcs0=0x2000 bcs0=0x22000 vcs0=0x12000 vcs1=0x1c000\n"
	"\twake gt request=0xa188 ack=0x130044\n"
	"\tflag atom\n"
	"range @0x2000-0x2fff sleeps on=mid wake=gt\n"
	"platform new \"New\" gfx=12.70 media=13 display=14\n"
	"\tid 0x3000\n"
	"\tengine rcs0=0x2000 ccs0=0x1a000\n"
	"\tflag discrete lmem\n";

/* Parses the platforms above and then `text`; finishes and checks. */
static inline void build_text_check(struct build *b, const char *text)
{
	build_init(b, NULL);
	CU_ASSERT_FATAL(build_parse(b, "platforms.def", platforms, sizeof(platforms) - 1));
	CU_ASSERT_FATAL(build_parse(b, "t.def", text, strlen(text)));
	CU_ASSERT_FATAL(build_finish(b));
	if (!b->findings.count)
		build_check(b);
}

/* The only finding of a text is at a line and column and mentions `about`. */
static inline void one_finding(const char *text, unsigned line, unsigned column, const char *about)
{
	struct build b;

	build_text_check(&b, text);
	CU_ASSERT_EQUAL(b.findings.count, 1);
	if (b.findings.count != 1 || b.findings.items[0].line != line ||
	    (column && b.findings.items[0].column != column) ||
	    !strstr(b.findings.items[0].text, about)) {
		CU_FAIL("finding differs");
		for (size_t i = 0; i < b.findings.count; i++)
			fprintf(stderr, "\n%s: got %u:%u: %s\n", about, b.findings.items[i].line,
				b.findings.items[i].column, b.findings.items[i].text);
	}
	build_free(&b);
}

static inline void no_findings(const char *text)
{
	struct build b;

	build_text_check(&b, text);
	CU_ASSERT_EQUAL(b.findings.count, 0);
	if (b.findings.count)
		fprintf(stderr, "\n%s\n", b.findings.items[0].text);
	build_free(&b);
}

#define HEAD "format 1\norigin doc \"s\"\n"

/* A directory over tables of three kinds; only one platform has the last. */
#define ENTRIES HEAD                                                                               \
	"entry D mode=pml4,pdp32 level=pde bits=64\n\tindex 29:21\n\tvalid P\n"                     \
	"\tleaf PS=1 size=2M as=big\n\tnext rare R=1\n\tnext pte64k IPS=1\n\tnext pte\n"             \
	"\tfield P 0\n\tfield PS 7\n\tfield IPS 11\n\tfield R 6 on=new\n"                              \
	"entry B mode=pml4,pdp32 level=big bits=64\n\tindex 29:21\n\tleaf always size=2M\n"         \
	"entry S mode=pml4,pdp32 level=pte64k bits=64\n\tindex 20:16 every=16\n"                    \
	"\tvalid P=0\n\tleaf always size=64K\n\tfield P 1:0\n"                                      \
	"entry T mode=pml4,pdp32 level=pte bits=64\n\tindex 20:12\n\tleaf always size=4K\n"         \
	"entry R mode=pml4,pdp32 level=rare bits=64 on=new\n\tindex 20:16\n"                        \
	"\tleaf always size=64K\n"

#endif
