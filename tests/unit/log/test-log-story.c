/* SPDX-License-Identifier: MIT */
/* What a log says as a whole, and where the addresses in it lead. */
#include "gpu-for.h"
#include "hang/hang.h"
#include "hang/log-summary.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

struct bench {
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_log_summary *story;
	struct gsc_event events[MOST];
	size_t count;
	const struct gsc_translation *translation;	/* of the last walk */
	char why[200];
};

/* With a source, which may be NULL and otherwise is closed at the end. */
static void begin(struct bench *b, struct gsc_source *source, const char *platform,
		  const struct gsc_hang_options *options, const char *text)
{
	struct gsc_db *db = shared_definitions();
	char *copy = strdup(text);
	struct gsc_event event;
	struct gsc_log *log;

	memset(b, 0, sizeof(*b));
	b->source = source;
	if (platform)
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b->view, db, platform_of(platform).index, -1,
						   NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_log_summary_new(&b->story, db, source, gpu_for(source, b->view),
					    options, NULL),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, db, b->view, copy, strlen(copy), NULL), GSC_OK);
	while (gsc_log_next(log, &event)) {
		CU_ASSERT_FATAL(b->count < MOST);
		b->events[b->count++] = event;
		gsc_log_summary_add(b->story, &event);
	}
	gsc_log_free(log);
	free(copy);
}

static void end(struct bench *b)
{
	gsc_log_summary_free(b->story);
	gsc_view_free(b->view);
	gsc_source_close(b->source);
}

static const struct gsc_walk *walked(struct bench *b, size_t i)
{
	CU_ASSERT_FATAL(i < b->count);
	return gsc_log_summary_walk(b->story, &b->events[i], &b->translation, b->why, sizeof(b->why));
}

static void not_walked(struct bench *b, size_t i, const char *why)
{
	CU_ASSERT_PTR_NULL(walked(b, i));
	CU_ASSERT_PTR_NOT_NULL(strstr(b->why, why));
	if (!strstr(b->why, why))
		printf("\n\"%s\" is not in \"%s\"\n", why, b->why);
}

/* ---- the sentence --------------------------------------------------------------------------- */

#define HANG "i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85dffffb, in x [5], hang on rcs0\n"
#define UNDERRUN "i915 0000:00:02.0: [drm] *ERROR* CPU pipe A FIFO underrun\n"
#define WAIT "Asynchronous wait on fence i915:Xorg[63]/0:a timed out (hint:x [i915])\n"

static void check(const char *text, const char *signature, const char *verdict)
{
	struct bench b;

	begin(&b, NULL, NULL, NULL, text);
	CU_ASSERT_STRING_EQUAL(gsc_log_summary_signature(b.story), signature);
	CU_ASSERT_STRING_EQUAL(gsc_log_summary_verdict(b.story), verdict);
	if (strcmp(gsc_log_summary_verdict(b.story), verdict))
		printf("\n\"%s\"\n", gsc_log_summary_verdict(b.story));
	end(&b);
}

static void sentences(void)
{
	check("", "-/-/-/none", "No fault, hang or reset of an Intel GPU in this log.");
	check("[drm] GPU crash dump saved to x\n", "-/-/-/dump",
	      "The GPU failed, but this log does not say how: the kernel kept 1 dump (line 1).");
	check("no progress on blitter ring\n", "-/bcs0/-/hang",
	      "First (line 1): bcs0 makes no progress; the log has no other event of a GPU.");
	check("[ 1.5] no progress on blitter ring\n[ 2.0] no progress on render ring\n"
	      "[ 3.0] no progress on render ring\n[ 4.0] Resetting rcs0 for x\n",
	      "-/bcs0/-/hang",
	      "First (line 1, 1.5): bcs0 makes no progress; then came 2 hangs and 1 reset.");
}

#define LOAD "xe 0000:03:00.0: [drm] *ERROR* GT0: GuC initialization failed -5\n"
#define WEDGED "xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.\n"
#define DMC "i915 0000:00:02.0: Direct firmware load for i915/x_dmc.bin failed with error -2\n"

/*
 * The first cause of a wedge begins the story; what stops nothing begins it only if there is
 * nothing else.
 */
static void ranks(void)
{
	check(DMC LOAD WEDGED, "-/-/-/guc-load",
	      "First (line 2): the driver could not start the GuC firmware (error -5); the "
	      "driver gave up on the GPU (line 3); before that (line 1, 0000:00:02.0): the DMC firmware is missing, or "
	      "cannot be read, i915/x_dmc.bin (error -2).");
	check(DMC, "-/-/-/firmware-file", "First (line 1): the DMC firmware is missing, or cannot be read, "
	      "i915/x_dmc.bin (error -2); the log has no other event of a GPU.");
	check("dmar_fault: 3 callbacks suppressed\n", "-/-/-/none",
	      "No fault, hang or reset of an Intel GPU in this log; in addition (line 1): the kernel left out 3 "
	      "more messages of dmar_fault (suppressed).");
}

#define AMD "amdgpu 0000:28:00.0: amdgpu: GPU reset begin!\n"
#define MESA "i965: Failed to submit batchbuffer: Input/output error\n"

/* Trouble of another GPU is named, but is not Intel's; the kernel knows more than programs do. */
static void of_others(void)
{
	check("i915 0000:00:02.0: [drm] *ERROR* CPU pipe A FIFO underrun\n" AMD, "-/-/-/none",
	      "Nothing in this log stopped the GPU; in addition (line 2): amdgpu, the driver of another "
	      "GPU: a reset of the GPU; in addition, the display had 1 underrun, which flickers: CPU pipe A since "
	      "line 1 (1 time).");
	check(AMD "[drm] no progress on blitter ring\n" AMD, "-/bcs0/-/hang",
	      "First (line 2): bcs0 makes no progress; the log has no other event of a GPU; in addition (line 1): amdgpu, "
	      "the driver of another GPU: a reset of the GPU.");
	check(MESA "no progress on blitter ring\n", "-/bcs0/-/hang",
	      "First (line 2): bcs0 makes no progress; before that (line 1): Mesa "
	      "could not submit a batch, as the kernel does after a hang.");
	check(MESA, "-/-/-/hang", "First (line 1): Mesa could not submit a batch, as the kernel does "
	      "after a hang; the log has no other event of a GPU.");
}

/* Codes of hangs leave some platforms, and two of them fewer. */
static void candidates(void)
{
	static const char last[] = " Going by this log, the platform is one of xehpsdv, dg2, mtl, "
				   "arl; name it with -p.";
	const char *verdict;
	struct bench b;

	begin(&b, NULL, NULL, NULL, "GPU HANG: ecode 12:1:85dffffb\nGPU HANG: ecode 12:10:85dffffb\n");
	verdict = gsc_log_summary_verdict(b.story);
	CU_ASSERT_FATAL(strlen(verdict) > strlen(last));
	CU_ASSERT_STRING_EQUAL(verdict + strlen(verdict) - strlen(last), last);
	end(&b);
	begin(&b, NULL, "tgl", NULL, "GPU HANG: ecode 12:1:85dffffb\n");
	CU_ASSERT_PTR_NULL(strstr(gsc_log_summary_verdict(b.story), "one of"));
	end(&b);
}

/* Late data of the display is not why an engine hangs. */
static void underruns(void)
{
	struct bench b;

	check(UNDERRUN UNDERRUN, "-/-/-/none",
	      "Nothing in this log stopped the GPU, but the display had 2 underruns, which flicker: CPU pipe A since line 1 (2 times).");
	begin(&b, NULL, NULL, NULL, UNDERRUN HANG);
	CU_ASSERT_STRING_EQUAL(gsc_log_summary_signature(b.story), "-/rcs0/-/hang");
	CU_ASSERT_EQUAL(strncmp(gsc_log_summary_verdict(b.story), "First (line 2): the GPU hung", 28), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_log_summary_verdict(b.story),
				      "; in addition, the display had 1 underrun, which flickers: CPU pipe A since line 1 (1 time)."));
	end(&b);
}

/* The first sign of a hang names no engine; the hang itself does. */
static void engine_later(void)
{
	struct bench b;

	begin(&b, NULL, NULL, NULL, "Hangcheck timer elapsed... GPU hung\n" HANG);
	CU_ASSERT_STRING_EQUAL(gsc_log_summary_signature(b.story), "-/rcs0/-/hang");
	end(&b);
}

/* Whoever waits for a fence notices that work is late: the hang is the reason, and there is one. */
static void waits(void)
{
	struct bench b;

	begin(&b, NULL, NULL, NULL, WAIT HANG);
	CU_ASSERT_STRING_EQUAL(gsc_log_summary_signature(b.story), "-/rcs0/-/hang");
	CU_ASSERT_EQUAL(strncmp(gsc_log_summary_verdict(b.story), "First (line 2): the GPU hung", 28), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_log_summary_verdict(b.story),
				      "; before that (line 1): a fence timed out"));
	end(&b);
}

/* ---- walks ---------------------------------------------------------------------------------- */

#define FAULT(engine)                                                                              \
	"i915 0000:00:02.0: [drm] " engine "Unexpected fault\n\tAddr: 0x00000000_00001000\n"       \
	"\tAddress space: PPGTT\n\tEngine ID: 0\n\tSource ID: 9\n\tType: 0\n"

static void whose_tables(void)
{
	const char *demo = "demo:skl-hang";
	const struct gsc_translation *first;
	struct bench b;

	begin(&b, open_specs(&demo, 1, NULL), "skl", NULL,
	      FAULT("") FAULT("GT1: ") "Resetting rcs0 for x\n" FAULT(""));
	CU_ASSERT_EQUAL_FATAL(b.count, 4);
	CU_ASSERT_PTR_NOT_NULL(walked(&b, 0));
	first = b.translation;
	CU_ASSERT_EQUAL(gsc_translation_root(first)->mode, GSC_MODE_PML4);
	not_walked(&b, 1, "it is unknown whose access it was");
	not_walked(&b, 2, "");
	/* Opened once. */
	CU_ASSERT_PTR_NOT_NULL(walked(&b, 3));
	CU_ASSERT_PTR_EQUAL(b.translation, first);
	end(&b);
}

static void reasons(void)
{
	const struct gsc_hang_options options = { .no_walk = true };
	const char *demo = "demo:skl-hang";
	struct bench b;

	begin(&b, NULL, "skl", NULL, FAULT(""));
	CU_ASSERT_PTR_NULL(log_summary_source(b.story));
	not_walked(&b, 0, "no source of page tables was given");
	end(&b);
	begin(&b, open_specs(&demo, 1, NULL), NULL, NULL, FAULT(""));
	not_walked(&b, 0, "the platform is unknown");
	end(&b);
	begin(&b, open_specs(&demo, 1, NULL), "skl", &options, FAULT(""));
	not_walked(&b, 0, "walks were turned off");
	end(&b);
}

#define DMA(access, rest) "DMAR: [DMA " access "] Request device " rest "\n"

static const char tables[] =
	"Device 0000:00:02.0 @0x1017f8000\n"
	"IOVA_PFN PML5E PML4E PDPE PDE PTE\n"
	"0x0000000000001 | 0x0000000000000000 0x00000001017f9003 0x00000001017fa003 "
	"0x00000001017fb003 0x0000000098d90001\n";

static void begin_dma(struct bench *b, const char *text)
{
	char *path = temporary_file(tables, sizeof(tables) - 1);

	begin(b, open_spec("%s", path, "kbl"), "kbl", NULL, text);
	remove(path);
	free(path);
}

/* Only what may come from the given tables is looked up in them. */
static void dma_tables(void)
{
	const struct gsc_walk *walk;
	struct bench b;

	begin_dma(&b, "i915 0000:03:00.0: x\n"
		  DMA("Write", "[00:02.0] fault addr 1000 [fault reason 05] x")
		  DMA("Read", "[00:02.0] PASID 1 fault addr 1000 [fault reason 06] x")
		  DMA("Read", "[00:02.0] fault addr 0x1000 [fault reason 0x71] x")
		  DMA("Read", "[03:00.0] fault addr 0x1000 [fault reason 0x06] x")
		  DMA("Read", "[00:02.0] fault addr 0x2000 [fault reason 0x79] x"));
	CU_ASSERT_EQUAL_FATAL(b.count, 5);
	walk = walked(&b, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(walk);
	CU_ASSERT_EQUAL(walk->mode, GSC_MODE_VTD);
	CU_ASSERT_EQUAL(walk->stop, GSC_STOP_NOT_PERMITTED);
	not_walked(&b, 1, "this request had PASID 0x1");
	not_walked(&b, 2, "fault reason 0x71 does not concern them");
	not_walked(&b, 3, "the source has none of 03:00.0");
	CU_ASSERT_PTR_NOT_NULL(walked(&b, 4));
	end(&b);
}

/* A fault that the tables do not show is doubtful. */
static void doubts(void)
{
	struct gsc_breach doubt;
	struct bench b;

	begin_dma(&b, DMA("Read", "[00:02.0] fault addr 1000 [fault reason 06] x")
		  DMA("Write", "[00:02.0] fault addr 1000 [fault reason 05] x"));
	CU_ASSERT_FATAL(gsc_log_summary_doubt(b.story, &b.events[0], &doubt));
	CU_ASSERT_STRING_EQUAL(doubt.rule, "mapped-now");
	CU_ASSERT_STRING_EQUAL(doubt.where, "line 1");
	CU_ASSERT_PTR_NOT_NULL(strstr(doubt.text, "0x1000 is mapped now"));
	CU_ASSERT_FALSE(gsc_log_summary_doubt(b.story, &b.events[1], &doubt));
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_log_summary_verdict(b.story),
				      "; the source's tables map that address now; then came"));
	end(&b);
}

/* ---- as text -------------------------------------------------------------------------------- */

/* Neither garbage in place of the time nor the line itself controls a terminal. */
static void harmless(void)
{
	static const char text[] =
		"i915 0\x1b" "00:00:02.0: [drm] *ERROR* GuC engine reset request failed on 0:0 "
		"(rcs0) because 0x00000000 \xc2\x9b\x07";
	struct gsc_log_summary *story;
	struct gsc_event event;
	struct gsc_log *log;
	struct gsc_out *out;
	const char *data;
	size_t size;

	CU_ASSERT_EQUAL_FATAL(gsc_out_new(&out, -1, false, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_log_summary_new(&story, shared_definitions(), NULL, NULL, NULL, NULL),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_log_new(&log, shared_definitions(), NULL, text, strlen(text), NULL),
			      GSC_OK);
	while (gsc_log_next(log, &event))
		gsc_text_event(out, &event, story, GSC_TEXT_VERBOSE);
	gsc_log_free(log);
	gsc_out_bytes(out, "", 1);
	data = gsc_out_data(out, &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(data);
	CU_ASSERT_PTR_NOT_NULL(strstr(data, "[0?00:00:02.0:]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(data, "because 0x00000000 ???"));
	CU_ASSERT_PTR_NULL(strpbrk(data, "\x1b\x07\x9b"));
	gsc_log_summary_free(story);
	gsc_out_free(out);
}

SUITE(log_story, { "sentences", sentences }, { "underruns", underruns },
      { "ranks", ranks }, { "of others", of_others }, { "candidates", candidates },
      { "engine later", engine_later },
      { "waits for fences", waits }, { "whose tables", whose_tables }, { "reasons", reasons },
      { "DMA tables", dma_tables }, { "doubts", doubts }, { "harmless", harmless })
