/* SPDX-License-Identifier: MIT */
/* Commands of Gen3 to Gen7.5, compared with the output of libdrm's decoder for the same dwords. */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "command-maker.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <intel_bufmgr.h>

#define BASE 0x1000u
#define END 0x05000000u
#define BATCH 4096u		/* dwords */
#define STARTS 2048u

static const struct {
	const char *platform;
	uint32_t device;
} parts[] = {
	{ "g33", 0x29c2 }, { "pnv", 0xa001 }, { "brw", 0x2a02 },
	{ "elk", 0x2e22 }, { "ilk", 0x0042 },
	{ "snb", 0x0112 }, { "ivb", 0x0162 }, { "hsw", 0x0412 },
};

static const char *const engines[] = { "rcs", "bcs" };

/* ---- what libdrm says ----------------------------------------------------------------------- */

/* The dwords that it takes for headers, and what is there. */
struct said {
	char *text;
	size_t count;
	struct {
		uint32_t at;
		const char *name;
		size_t length;
	} starts[STARTS];
};

/* "0xADDRESS: MARK 0xDWORD: NAME..."; other dwords of a command are further right. */
static void take_line(struct said *said, char *line)
{
	char *word = strncmp(line, "0x", 2) || strlen(line) < 12 ? NULL : strstr(line + 11, " 0x");
	const char *name = word && strlen(word) >= 13 ? word + 13 : NULL;

	if (!name || *name == ' ' || said->count == STARTS)
		return;
	said->starts[said->count].at = ((uint32_t)strtoul(line, NULL, 16) - BASE) / 4;
	said->starts[said->count].name = name;
	said->starts[said->count++].length = strcspn(name, " :,(");
}

static void ask(struct said *said, uint32_t device, uint32_t *words, size_t count)
{
	struct drm_intel_decode *decode = drm_intel_decode_context_alloc(device);
	size_t size;
	FILE *file;

	memset(said, 0, sizeof(*said));
	file = open_memstream(&said->text, &size);
	CU_ASSERT_FATAL(decode && file);
	drm_intel_decode_set_head_tail(decode, UINT32_MAX, UINT32_MAX);
	drm_intel_decode_set_batch_pointer(decode, words, BASE, (int)count);
	drm_intel_decode_set_output_file(decode, file);
	drm_intel_decode(decode);
	drm_intel_decode_context_free(decode);
	fclose(file);
	/* It forgets to end the lines of ignored dwords. */
	for (char *at = said->text; (at = strstr(at, "ignored0x")); at++)
		at[6] = '\n';
	for (char *next, *line = said->text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		take_line(said, line);
	}
}

static bool says(const struct said *said, size_t i, const char *name)
{
	return said->starts[i].length == strlen(name) &&
	       !memcmp(said->starts[i].name, name, said->starts[i].length);
}

static bool knows(const struct said *said)
{
	return said->count && !strstr(said->starts[0].name, "UNKNOWN");
}

/* ---- differences that are known ------------------------------------------------------------- */

/* Other names for the same; ours are from the documents. */
static const char *const names[][2] = {
	{ "3DSTATE_CONSTANT_GS", "3DSTATE_CONSTANT_GS_STATE" },	/* Gen6 only */
	{ "3DSTATE_CONSTANT_PS", "3DSTATE_CONSTANT_PS_STATE" },
	{ "3DSTATE_CONSTANT_VS", "3DSTATE_CONSTANT_VS_STATE" },
	{ "3DSTATE_SCISSOR_STATE_POINTERS", "3DSTATE_SCISSOR_POINTERS" },
	{ "MI_DISPLAY_FLIP", "MI_DISPLAY_BUFFER_INFO" },
	{ "PIPELINE_SELECT", "3DSTATE_PIPELINE_SELECT" },
	{ "XY_TEXT_BLT", "Y_TEXT_BLT" },
	{ "3DPRIMITIVE_INDIRECT_SEQUENTIAL", "3DPRIMITIVE" },
	{ "3DPRIMITIVE_INDIRECT_ELEMENTS", "3DPRIMITIVE" },
	{ "3DPRIMITIVE_INDIRECT_ELEMENTS_ODD", "3DPRIMITIVE" },
	{ "3DSTATE_MAP_PALETTE_LOAD_32", "3DSTATE_MAP_PALLETE_LOAD_32" },
	/*
	 * Its decoder does not distinguish engines: 26h is MI_FLUSH_DW on all except the render
	 * engine.
	 */
	{ "MI_REPORT_PERF_COUNT", "MI_FLUSH_DW" },
};

/* What it gives another length, or takes for something else. */
static const struct {
	const char *name;
	unsigned length;	/* from this one on */
	uint32_t bits;		/* where any of these is set in the header; 0: always */
	const char *why;
} passed_over[] = {
	{ "MI_LOAD_REGISTER_IMM", 66, 0, "it looks at six bits of the length only" },
	{ "3DSTATE_PIXEL_SHADER_PROGRAM", 258, 0, "it looks at eight bits of the length only" },
	{ "3DSTATE_SO_DECL_LIST", 258, 0, "it looks at eight bits of the length only" },
	{ "GPGPU_CSR_BASE_ADDRESS", 0, 0, "it takes that for Gen4's PIPELINE_SELECT" },
	{ "3DSTATE_DRAWING_RECTANGLE", 0, 0xc000, "it takes Haswell's core mode for the length" },
};

static bool is_passed_over(const char *name, unsigned length, uint32_t header)
{
	for (size_t i = 0; i < sizeof(passed_over) / sizeof(*passed_over); i++)
		if (!strcmp(passed_over[i].name, name) && length >= passed_over[i].length &&
		    (!passed_over[i].bits || header & passed_over[i].bits))
			return true;
	return false;
}

static bool same_name(const struct said *said, size_t i, const char *ours)
{
	if (says(said, i, ours))
		return true;
	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
		if (!strcmp(names[n][0], ours) && says(said, i, names[n][1]))
			return true;
	return false;
}

static unsigned differences;

static void differ(const char *platform, const char *ours, unsigned length, const char *theirs,
		   unsigned their_length)
{
	if (differences++ < 20)
		fprintf(stderr, "\n%s: ours %s %u, libdrm %.60s %u", platform, ours, length, theirs,
			their_length);
}

static bool maker_of(struct maker *m, struct gsc_db *db, size_t part, size_t engine)
{
	struct gsc_platform platform;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, parts[part].platform, &platform, &device, NULL),
			      GSC_OK);
	return maker_open(m, db, platform.index, engine_class_of(engines[engine]),
			  (uint32_t)(0x5eed + part * 2 + engine));
}

/* ---- the tests ------------------------------------------------------------------------------ */

/* Alone in a batch. True: libdrm knows it. */
static bool check_one(struct maker *m, uint32_t device, const struct made_command *c,
		      unsigned length)
{
	uint32_t words[MADE_MAX + 2];
	struct said said;
	bool known;

	if (!maker_make(m, c, length, MAKER_LEGAL, words))
		return false;
	words[length] = 0;
	words[length + 1] = END;
	ask(&said, device, words, length + 2);
	known = knows(&said);
	if (known && !is_passed_over(c->item.name, length, words[0])) {
		/* It ends where it sees the end of the batch. */
		uint32_t end = said.count > 1 ? said.starts[1].at
					      : (uint32_t)(words[0] == END ? 1 : 0);

		if (!same_name(&said, 0, c->item.name) || end != length)
			differ(m->platform.name, c->item.name, length, said.starts[0].name, end);
	}
	free(said.text);
	return known;
}

static void each_command_has_libdrms_name_and_length(void)
{
	unsigned known = 0;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	differences = 0;
	for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++)
		for (size_t engine = 0; engine < 2; engine++) {
			struct maker m;

			if (maker_of(&m, db, part, engine))
				for (size_t i = 0; i < m.count; i++)
					for (unsigned l = 0, n; (n = maker_length(&m.commands[i], l));
					     l++)
						known += check_one(&m, parts[part].device,
								   &m.commands[i], n);
			maker_close(&m);
		}
	CU_ASSERT_EQUAL(differences, 0);
	CU_ASSERT_TRUE(known > 500);
	gsc_db_free(db);
}

/* A batch of commands that libdrm knows, in the order of the table. */
static size_t random_batch(struct maker *m, uint32_t device, uint32_t *words)
{
	size_t used = 0;

	while (used + MADE_MAX + 2 < BATCH) {
		const struct made_command *c = &m->commands[maker_random(m) % m->count];
		unsigned length = maker_length(c, maker_random(m) & 1);
		uint32_t made[MADE_MAX + 1];
		struct said said;

		if (!length || !maker_make(m, c, length, MAKER_LEGAL, made) || made[0] == END ||
		    is_passed_over(c->item.name, length, made[0]))
			continue;
		made[length] = END;
		ask(&said, device, made, length + 1);
		if (knows(&said)) {
			memcpy(words + used, made, length * 4);
			used += length;
		}
		free(said.text);
	}
	words[used++] = END;
	return used;
}

static void compare_batch(struct gsc_commands *set, const struct maker *m, uint32_t device,
			  uint32_t *words, size_t count)
{
	struct gsc_stream s = { .set = set, .engine_class = m->engine_class, .words = words,
				.count = count };
	struct gsc_command c;
	struct said said;
	size_t i = 0;

	ask(&said, device, words, count);
	for (; gsc_stream_next(&s, &c); i++) {
		uint32_t at = (uint32_t)(c.words - words);

		if (i >= said.count || said.starts[i].at != at || !same_name(&said, i, c.name)) {
			differ(m->platform.name, c.name, at,
			       i < said.count ? said.starts[i].name : "no more",
			       i < said.count ? said.starts[i].at : 0);
			break;
		}
	}
	CU_ASSERT_TRUE(i > 20);
	free(said.text);
}

static void random_batches_are_cut_as_libdrm_cuts_them(void)
{
	static uint32_t words[BATCH];
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	differences = 0;
	for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++)
		for (size_t engine = 0; engine < 2; engine++) {
			struct gsc_commands *set;
			struct maker m;

			if (maker_of(&m, db, part, engine) && !gsc_commands_new(&set, gpu_for(NULL, m.view), NULL)) {
				for (unsigned round = 0; round < 10; round++)
					compare_batch(set, &m, parts[part].device, words,
						      random_batch(&m, parts[part].device, words));
				gsc_commands_free(set);
			}
			maker_close(&m);
		}
	CU_ASSERT_EQUAL(differences, 0);
	gsc_db_free(db);
}

/* Its tables hardly distinguish platforms: any of them may know what it does. */
static void check_header(const struct kit *kits, size_t part, uint32_t header)
{
	uint32_t words[260] = { header };
	struct said said;
	bool found = false;

	words[259] = END;
	ask(&said, parts[part].device, words, 260);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && knows(&said) && !found; i++)
		for (size_t e = 0; e < 2 && !found; e++)
			found = command_find(kits[i].set, engine_class_of(engines[e]), header);
	if (knows(&said) && !found)
		differ(parts[part].platform, "UNKNOWN", header, said.starts[0].name, 0);
	free(said.text);
}

static void all_that_libdrm_knows_is_known(void)
{
	struct kit kits[sizeof(parts) / sizeof(*parts)];

	differences = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		kit_open(&kits[i], parts[i].platform);
	for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++) {
		for (uint32_t opcode = 0; opcode < 64; opcode++)
			check_header(kits, part, opcode << 23 | (opcode >= 16));
		for (uint32_t opcode = 0; opcode < 128; opcode++)
			check_header(kits, part, 0x40000000 | opcode << 22 | 4);
		for (uint32_t opcode = 0; opcode < 8192; opcode++)
			check_header(kits, part, 0x60000000 | opcode << 16 | 1);
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		kit_close(&kits[i]);
	CU_ASSERT_EQUAL(differences, 0);
}

SUITE(batch_oracle,
      { "each command has libdrm's name and length", each_command_has_libdrms_name_and_length },
      { "random batches are cut as libdrm cuts them", random_batches_are_cut_as_libdrm_cuts_them },
      { "all that libdrm knows is known", all_that_libdrm_knows_is_known })
