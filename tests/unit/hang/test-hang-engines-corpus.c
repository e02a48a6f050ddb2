/* SPDX-License-Identifier: MIT */
/* What engines of the corpus were doing. */
#include "hang-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char *corpus(const char *name)
{
	static char path[512];
	const char *folder = getenv("GPUSCOPE_CORPUS");

	if (!folder || !*folder) {
		printf("no corpus given, skipped ");
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

/* As intel_error_decode prints them. */
static const char *const gm45_busy[] = {
	"INSTDONE:ROW_0_EU_1_DONE", "INSTDONE:ROW_0_EU_2_DONE", "INSTDONE:ROW_0_EU_3_DONE",
	"INSTDONE:ROW_1_EU_0_DONE", "INSTDONE:ROW_1_EU_1_DONE", "INSTDONE:ROW_1_EU_2_DONE",
	"INSTDONE:ROW_1_EU_3_DONE", "INSTDONE:SE_DONE", "INSTDONE:WM_DONE", "INSTDONE1:CS_DONE",
	"INSTDONE1:MASF_DONE", "INSTDONE1:RC_DONE", "INSTDONE1:SVSM_DONE", "INSTDONE1:SI_DONE",
	"INSTDONE1:WIZ_DONE", "INSTDONE1:SF_DONE", "INSTDONE1:GS_DONE", "INSTDONE1:VF_DONE",
};

static void test_gm45(void)
{
	const char *path = corpus("error-state/gm45-0x2a42-2013-i915_error_state.txt");
	const size_t units = sizeof(gm45_busy) / sizeof(*gm45_busy);
	struct gsc_engine e;
	struct patient p;

	if (!path)
		return;
	admit(&p, open_spec("%s", path, NULL));
	e = engine_of(&p, "rcs0");
	CU_ASSERT_EQUAL(e.state, GSC_ENGINE_HUNG);
	CU_ASSERT_EQUAL(e.ring_bytes, 131072);
	CU_ASSERT_EQUAL(e.wraps, 244);
	CU_ASSERT_EQUAL(e.head_offset, 0x1e9b0);
	CU_ASSERT_EQUAL(e.used, 0x1ed40 - 0x1e9b0);
	CU_ASSERT_FATAL(e.stopped);
	CU_ASSERT_STRING_EQUAL(e.command.name, "CONSTANT_BUFFER");
	CU_ASSERT_EQUAL(e.command.address, 0x10c56558);
	CU_ASSERT_EQUAL(e.command.words[0], 0x60020100);
	CU_ASSERT_EQUAL(e.offset, 8);
	CU_ASSERT(e.agrees);
	CU_ASSERT_EQUAL(e.run.address, 0x10c53000);
	CU_ASSERT_FALSE(e.run.process);
	CU_ASSERT(e.run.started);
	CU_ASSERT_EQUAL(e.run.from, 0x1f9a8);
	CU_ASSERT_EQUAL(details_of(&p, "rcs0", GSC_DETAIL_BUSY), units);
	for (size_t i = 0; i < units; i++)
		CU_ASSERT(*detail_of(&p, "rcs0", GSC_DETAIL_BUSY, gm45_busy[i]));
	CU_ASSERT_EQUAL(engine_of(&p, "vcs0").state, GSC_ENGINE_IDLE);
	CU_ASSERT_EQUAL(details_of(&p, "vcs0", GSC_DETAIL_BUSY), 0);
	discharge(&p);
}

static void test_tgl(void)
{
	const char *path = corpus("error-state/tgl-0x9a49-linux5.15-head.txt");
	struct patient p;

	if (!path)
		return;
	admit(&p, open_spec("%s", path, NULL));
	CU_ASSERT_EQUAL(engine_of(&p, "rcs0").state, GSC_ENGINE_UNKNOWN);
	expect_has(detail_of(&p, "rcs0", GSC_DETAIL_EVIDENCE, "no-registers"),
		   "no register of");
	discharge(&p);
}

/* The rings of Gen4 are those of Gen3. Fields of a row are hexadecimal, but for the last. */
static void check_lockup(const char *line, size_t *checked)
{
	unsigned tail, head, control, count;
	char last[16] = "", text[160];
	struct gsc_engine e;
	struct patient p;

	if (sscanf(line, "%*s %*s %*s %*s %x %x %x %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		   "%15s", &tail, &head, &control, last) < 3)
		return;
	snprintf(text, sizeof(text), "0x2030 0x%x\n0x2034 0x%x\n0x203c 0x%x\n", tail, head,
		 control);
	admit_text(&p, text, "brw");
	e = engine_of(&p, "rcs0");
	CU_ASSERT(e.known & GSC_KNOWN_RING);
	CU_ASSERT_EQUAL(e.ring_bytes, 131072);
	if (sscanf(last, "%u", &count) == 1) {
		CU_ASSERT_EQUAL(e.used, count * 4);
		CU_ASSERT_EQUAL(e.free, e.used + 8 < 131072 ? 131072 - 8 - e.used : 0);
		++*checked;
	}
	discharge(&p);
}

static void test_lockups(void)
{
	const char *path = corpus("ring-dump/gen2-gen3-xorg-lockup-registers.tsv");
	size_t checked = 0;
	char line[512];
	FILE *file;

	if (!path)
		return;
	file = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	while (fgets(line, sizeof(line), file))
		check_lockup(line, &checked);
	fclose(file);
	CU_ASSERT_EQUAL(checked, 7);
}

SUITE(hang_engines_corpus,
      { "gm45", test_gm45 }, { "tgl", test_tgl }, { "lockups", test_lockups })
