/* SPDX-License-Identifier: MIT */
/* Codes of hangs: what they are computed from, and the commands that they fit. */
#include "source-helpers.h"
#include "test.h"
#include "log/ecode.h"
#include "log/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take(const char *text, const char *platform, struct gsc_ecode *ecode, size_t *next)
{
	struct gsc_view *view = NULL;
	size_t size = strlen(text);
	char *copy = malloc(size + 1);
	bool found;

	memcpy(copy, text, size + 1);
	if (platform)
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, shared_definitions(),
						   platform_of(platform).index, -1, NULL), GSC_OK);
	found = gsc_ecode_read(shared_definitions(), view, copy, size, ecode, next);
	gsc_view_free(view);
	free(copy);
	return found;
}

static bool on(const struct gsc_ecode *ecode, const char *platform)
{
	return ecode->platforms >> platform_of(platform).index & 1;
}

/* Every form that a driver has printed, alone and in its line. */
static void forms(void)
{
	static const struct {
		const char *text;
		uint32_t code;
		int generation;		/* -1: none */
		const char *engine;
	} rows[] = {
		{ "9:1:85dffffb", 0x85dffffb, 9, "rcs" },
		{ "ecode 12:4:277ffefe", 0x277ffefe, 12, "vcs" },
		{ "[ 1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:84dffffb, in X [123]",
		  0x84dffffb, 12, "rcs" },
		{ "ecode 9:1:0x85dffffb, in X [1], hang on rcs0", 0x85dffffb, 9, "rcs0" },
		{ "ecode 7:0:0xf3cffffe, in X [1], reason: Ring hung, action: reset", 0xf3cffffe, 7,
		  "rcs0" },
		{ "ecode 1:0xa8eeeb7e, in X [1], reason: Ring hung, action: reset", 0xa8eeeb7e, -1,
		  "vcs0" },
		{ "0x85dffffb", 0x85dffffb, -1, "" },
		{ "85dffffb", 0x85dffffb, -1, "" },
		{ "\"12:10:00000001\",", 1, 12, "ccs" },
	};
	struct gsc_ecode ecode;
	size_t next;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_FATAL(take(rows[i].text, NULL, &ecode, &next));
		CU_ASSERT_EQUAL(ecode.code, rows[i].code);
		CU_ASSERT_EQUAL(ecode.has_generation ? (int)ecode.generation : -1,
				rows[i].generation);
		CU_ASSERT_STRING_EQUAL(ecode.engine, rows[i].engine);
	}
	CU_ASSERT(!take("", NULL, &ecode, &next));
	CU_ASSERT(!take("0000:00:02.0 10:11:12 2025-11-03T10:11:12 [ 1.000000] Xorg", NULL, &ecode,
			&next));
	CU_ASSERT(!take("9:1:", NULL, &ecode, &next));
	CU_ASSERT(!take("9:1:123456789abcdef01", NULL, &ecode, &next));
}

static void several(void)
{
	static const char text[] = "9:1:85dffffb, in a [1] 12:2:00000001 ecode 8:4:8cffbffd, in b [2]";
	static const uint32_t codes[] = { 0x85dffffb, 1, 0x8cffbffd };
	struct gsc_ecode ecode;
	const char *at = text;
	size_t next;

	for (size_t i = 0; i < 3; i++, at += next) {
		CU_ASSERT_FATAL(take(at, NULL, &ecode, &next));
		CU_ASSERT_EQUAL(ecode.code, codes[i]);
	}
	CU_ASSERT_STRING_EQUAL(ecode.process, "b [2]");
	CU_ASSERT(!take(at, NULL, &ecode, &next));
}

static void platforms(void)
{
	struct gsc_ecode ecode;
	size_t next;

	CU_ASSERT(take("9:1:85dffffb", NULL, &ecode, &next));
	CU_ASSERT(on(&ecode, "skl") && on(&ecode, "glk") && on(&ecode, "cml"));
	CU_ASSERT(!on(&ecode, "icl") && !on(&ecode, "bdw"));
	CU_ASSERT(take("7:1:85dffffb", NULL, &ecode, &next));
	CU_ASSERT(on(&ecode, "ivb") && on(&ecode, "vlv") && on(&ecode, "hsw"));
	CU_ASSERT(take("12:10:85dffffb", NULL, &ecode, &next));
	CU_ASSERT(on(&ecode, "dg2") && on(&ecode, "mtl") && !on(&ecode, "tgl"));
	CU_ASSERT(take("9:1:85dffffb", "kbl", &ecode, &next));
	CU_ASSERT_EQUAL(ecode.platforms, UINT64_C(1) << platform_of("kbl").index);
	CU_ASSERT(take("9:1:85dffffb", "tgl", &ecode, &next));
	CU_ASSERT_EQUAL(ecode.platforms, 0);
	CU_ASSERT(take("99:1:85dffffb", NULL, &ecode, &next));
	CU_ASSERT_EQUAL(ecode.platforms, 0);
}

/* Whether the command is among those that fit, and where. */
static int rank_of(const char *text, const char *command, size_t *count)
{
	struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES];
	struct gsc_ecode ecode;
	size_t next;

	CU_ASSERT_FATAL(take(text, NULL, &ecode, &next));
	*count = gsc_ecode_guess(shared_definitions(), &ecode, guesses);
	for (size_t i = 0; i < *count; i++) {
		CU_ASSERT_EQUAL(guesses[i].header ^ guesses[i].instdone, ecode.code);
		if (!strcmp(guesses[i].command ? guesses[i].command : "", command))
			return (int)i;
	}
	return -1;
}

/* IPEHR xor an INSTDONE of its age, with the units seen busy while such commands hung. */
static void commands(void)
{
	static const struct {
		const char *text, *command;
		int rank;		/* at most */
		uint32_t ipehr, instdone;
	} rows[] = {
		{ "12:1:84dffffb", "3DPRIMITIVE", 0, 0x7b000005, 0xffdffffe },
		{ "9:1:85dffffb", "PIPE_CONTROL", 0, 0x7a000004, 0xffdfffff },
		{ "12:1:85def5fb", "PIPE_CONTROL", 0, 0x7a000a04, 0xffdeffff },
		{ "9:1:8fdcfffd", "MEDIA_INTERFACE_DESCRIPTOR_LOAD", 3, 0x70020002, 0xffdeffff },
		{ "8:1:8fdaffff", "MEDIA_STATE_FLUSH", 0, 0x70040000, 0xffdeffff },
		{ "8:4:8cffbffd", "HCP_BSD_OBJECT", 5, 0x73a00001, 0xff5fbffc },
		{ "12:1:e75ffefe", "MI_BATCH_BUFFER_START", 0, 0x18800101, 0xffdfffff },
		{ "9:4:a77ffefe", "MI_BATCH_BUFFER_START", 0, 0x18800101, 0xbfffffff },
		{ "9:1:f1ff3ffc", "MI_SEMAPHORE_WAIT", 0, 0x0e00c002, 0xfffffffe },
		{ "12:1:00600000", "", 0, 0xffffffff, 0xff9fffff },
	};
	size_t count;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int rank = rank_of(rows[i].text, rows[i].command, &count);

		CU_ASSERT_EQUAL(rows[i].ipehr ^ rows[i].instdone,
				(uint32_t)strtoul(strrchr(rows[i].text, ':') + 1, NULL, 16));
		CU_ASSERT(rank >= 0 && rank <= rows[i].rank);
		CU_ASSERT(count <= GSC_ECODE_GUESSES);
		if (rank < 0 || rank > rows[i].rank)
			printf("\n%s of %s: %d\n", rows[i].command, rows[i].text, rank);
	}
}

/* What fits nothing, or everything, names none. */
static void nothing(void)
{
	static const char *const rows[] = {
		"12:1:00000000", "12:0:00000000", "12:10:cd64c000", "11:4:50141414", "9:0:0x00000000",
		"0x85dffffb", "0:0x87d3bffa", "99:1:85dffffb", "12:20:85dffffb", "6:2:0x12345678",
	};
	size_t count;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_EQUAL(rank_of(rows[i], "3DPRIMITIVE", &count), -1);
		CU_ASSERT_EQUAL(count, 0);
		if (count)
			printf("\n%s fits %zu\n", rows[i], count);
	}
}

static void words(void)
{
	static const struct {
		const char *text, *platform, *words;
	} rows[] = {
		{ "12:1:84dffffb", NULL, "0x84dffffb fits 3DPRIMITIVE or PIPE_CONTROL" },
		{ "12:0:00000000", NULL, "0 means that the driver captured no registers of a hung "
		  "engine, and names no engine" },
		{ "12:1:00000000", NULL, "0 means that the driver captured no registers of a hung "
		  "engine" },
		{ "12:10:cd64c000", NULL, "0xcd64c000 does not show the command" },
		{ "12:0:85dffffb", NULL, "0x85dffffb names no engine" },
		{ "9:1:85dffffb", "tgl", "0x85dffffb is not a hang code of this platform" },
		{ "9:1:00280000", NULL, "0x00280000 fits a header of all ones, which is no command" },
	};
	struct gsc_ecode ecode;
	char text[400];
	size_t next;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CU_ASSERT_FATAL(take(rows[i].text, rows[i].platform, &ecode, &next));
		gsc_ecode_text(shared_definitions(), &ecode, text, sizeof(text));
		CU_ASSERT_STRING_EQUAL(text, rows[i].words);
		if (strcmp(text, rows[i].words))
			printf("\n\"%s\"\n", text);
	}
}

SUITE(ecode, { "forms", forms }, { "several", several }, { "platforms", platforms },
      { "commands", commands }, { "nothing", nothing }, { "words", words })
