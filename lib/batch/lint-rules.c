/* SPDX-License-Identifier: MIT */
/*
 * The table of rules. A rule applies to the generations that its document covers: rules of the
 * Sandy Bridge manuals to Gen6, or to all earlier generations too where their text is older; rules
 * of later manuals, quoted by public drivers, to the generations that the drivers name.
 */
#include "batch/lint.h"

#define P1 "snb-p1"
#define P2 "snb-p2"
#define P3 "snb-p3"
#define I915 "i915"
#define MESA "mesa"
#define MESA_XML "mesa-genxml"

#define CROCUS_CONTROL MESA, "crocus_state.c, crocus_emit_raw_pipe_control"
#define IRIS_CONTROL MESA, "iris_state.c, iris_emit_raw_pipe_control"
#define SNB_CONTROL I915, "gt/gen6_engine_cs.c, gen6_emit_post_sync_nonzero_flush"
#define GEN7_PARSER I915, "i915_cmd_parser.c, gen7_common_cmds and gen7_render_cmds"

/* "Where these bits of dword D ..." */
#define ONLY(d, m) .only = { BITS_ANY, d, m, 0 }
#define UNLESS(d, m) .only = { BITS_NONE, d, m, 0 }
#define WHERE(d, m, v) .only = { BITS_EQUAL, d, m, v }
/* "... these bits of dword D must be" */
#define SOME(d, m) .bits = { BITS_ANY, d, m, 0 }
#define CLEAR(d, m) .bits = { BITS_NONE, d, m, 0 }
#define EQUAL(d, m, v) .bits = { BITS_EQUAL, d, m, v }

#define BIT(n) (1u << (n))

/* PIPE_CONTROL, dword 1. */
#define FLUSH_LLC BIT(26)
#define GLOBAL_GTT BIT(24)
#define DATA_INDEX BIT(21)
#define CS_STALL BIT(20)
#define COUNT_RESET BIT(19)
#define TLB BIT(18)
#define MEDIA_CLEAR BIT(16)
#define POST_SYNC (3u << 14)
#define DEPTH_STALL BIT(13)
#define RENDER_FLUSH BIT(12)
#define POINTERS_OFF BIT(9)
#define NOTIFY BIT(8)
#define DC_FLUSH BIT(5)
#define VERTICES BIT(4)
#define STATE BIT(2)
#define SCOREBOARD BIT(1)
#define DEPTH_FLUSH BIT(0)

#define FLUSH(kind) .check = lint_flush, .flush = FLUSH_##kind

/* Base addresses, and offsets from them. */
#define REISSUE(command_name, before)                                                              \
	.command = "STATE_BASE_ADDRESS", .check = lint_rebased, .other = command_name, .due = before

const struct lint_rule lint_rules[] = {
	/* Commands as such. */
	{ { "unknown-command", "gen4..gen6", P1, "5.2 Command Map" }, .check = lint_unknown },
	{ { "unknown-command", "gen3,gen7+" }, .check = lint_unknown },
	{ { "truncated", "gen4..gen6", P2, "5.3.4.2 Ring Buffer Registers" },
	  .check = lint_truncated },
	{ { "truncated", "gen3,gen7+" }, .check = lint_truncated },
	{ { "bad-length", NULL }, .check = lint_length },
	{ { "reserved-bits", NULL }, .check = lint_reserved },
	{ { "reserved-value", NULL }, .check = lint_values },
	{ { "reserved-value", "gen4", P1, "3.3 Pipeline Selection" },
	  .command = "PIPELINE_SELECT", CLEAR(0, BIT(1)),
	  .text = "PIPELINE_SELECT (bits 1:0) has a reserved value" },
	{ { "reserved-value", "gen6", P1, "3.6.1 MEMORY_OBJECT_CONTROL_STATE" },
	  .check = lint_object_state },
	{ { "long-length", "gen4..gen6", P1, "Table 5-1. RCP Command Header Format" },
	  .check = lint_mi_length },
	{ { "long-length", "gen6..gen7", MESA_XML,
	  "MFX commands of gen60, gen70, gen75: DWord Length" }, .check = lint_codec_length },
	{ { "reserved-bits", "gen6", P3, "1.3.7 MI_SET_CONTEXT" }, .command = "MI_SET_CONTEXT",
	  EQUAL(1, BIT(8), BIT(8)), .text = "dword 1 bit 8 must be one" },
	{ { "noop-identification", "gen6", P3, "1.3.3 MI_NOOP" }, .command = "MI_NOOP",
	  UNLESS(0, BIT(22)), CLEAR(0, 0x3fffff),
	  .text = "has an identification number, but bit 22, which enables writing it, is clear" },

	/* Privilege. */
	{ { "privileged", "gen4..gen6", P3, "1.2.5.2 Privileged Commands" },
	  .place = IN_UNPRIVILEGED, .check = lint_privileged },
	{ { "privileged", "gen7+" }, .place = IN_UNPRIVILEGED, .check = lint_privileged },
#define GLOBAL_GTT_RULE(name, number, bit, ...)                                                    \
	{ { "global-gtt", __VA_ARGS__ }, .command = name, .place = IN_UNPRIVILEGED,                \
	  CLEAR(number, bit),                                                                      \
	  .text = "uses the global GTT, which needs a privileged batch" }
	GLOBAL_GTT_RULE("MI_STORE_DATA_IMM", 0, BIT(22), "gen6", P3, "1.3.8 MI_STORE_DATA_IMM"),
	GLOBAL_GTT_RULE("MI_STORE_REGISTER_MEM", 0, BIT(22), "gen6", P3,
			"1.3.10 MI_STORE_REGISTER_MEM"),
	GLOBAL_GTT_RULE("MI_SEMAPHORE_MBOX", 0, BIT(22), "gen6", P3, "1.3.6 MI_SEMAPHORE_MBOX"),
	GLOBAL_GTT_RULE("MI_STORE_DATA_IMM", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_STORE_REGISTER_MEM", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_LOAD_REGISTER_MEM", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_CLFLUSH", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_CONDITIONAL_BATCH_BUFFER_END", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_REPORT_PERF_COUNT", 1, BIT(0), "gen7", GEN7_PARSER),
	{ { "global-gtt", "gen7", GEN7_PARSER }, .place = IN_UNPRIVILEGED,
	  .command = "PIPE_CONTROL", ONLY(1, POST_SYNC), CLEAR(1, GLOBAL_GTT),
	  .text = "writes through the global GTT, which needs a privileged batch" },

	/* Rings, batches, their ends. */
	{ { "ring-only", "gen6", P3, "1.2.3 MI_ARB_CHECK" }, .place = IN_BATCH,
	  .command = "MI_ARB_CHECK", .check = lint_always,
	  .text = "is permitted only in ring buffers before Gen7, not in a batch" },
	{ { "ring-only", "gen6", P3, "1.3.5 MI_REPORT_HEAD" }, .place = IN_BATCH,
	  .command = "MI_REPORT_HEAD", .check = lint_always,
	  .text = "must not be executed from a batch" },
	{ { "ring-only", "gen4..gen6", P2, "5.8.1.2 Intra-Ring Context Switch" }, .place = IN_BATCH,
	  .command = "MI_SET_CONTEXT", .check = lint_always,
	  .text = "is permitted only in ring buffers, not in a batch" },
	{ { "no-end", "gen4..gen6", P3, "1.2.5 MI_BATCH_BUFFER_START" }, .command = LINT_END,
	  .check = lint_no_end },
	{ { "no-end", "gen3,gen7+" }, .command = LINT_END, .check = lint_no_end },
	{ { "qword-padding", "gen4..gen6", P1, "5.1 Command Formats" }, .command = LINT_END,
	  .check = lint_padding },
	{ { "batch-alignment", "gen4..gen6", P1, "5.1 Command Formats" },
	  .command = "MI_BATCH_BUFFER_START", CLEAR(1, BIT(2)),
	  .text = "the address of the batch is not QWord-aligned" },
	{ { "arbitration-off", "gen4..gen6", P2, "5.3.7.1 Arbitration Policies and Rationale" },
	  .command = LINT_END, .check = lint_arbitration },
	{ { "ring-wrap", "gen4..gen6", P2, "5.3.4.5 Ring Buffer Use" }, .check = lint_wrap },
	{ { "needs-noop", "gen4..gen6", P3, "1.3.7 MI_SET_CONTEXT" }, .command = "MI_SET_CONTEXT",
	  .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "ivb,vlv", I915,
	  "gt/intel_ring_submission.c, mi_set_context: WaMiSetContext_Hang" },
	  .command = "MI_SET_CONTEXT", .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "gen6", P3, "1.2.5 MI_BATCH_BUFFER_START" }, .place = IN_BATCH,
	  .command = "MI_BATCH_BUFFER_START", .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT" }, .command = "MI_WAIT_FOR_EVENT",
	  .check = lint_after, .other = "MI_WAIT_FOR_EVENT" },
	{ { "needs-noop", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT" }, .command = LINT_END,
	  .check = lint_wait_last, .other = "MI_WAIT_FOR_EVENT" },

	/* Flushes. */
	{ { "missing-flush", "gen4..gen6", P1, "3.3 Pipeline Selection" },
	  .command = "PIPELINE_SELECT", FLUSH(PIPE), .text = "no MI_FLUSH or PIPE_CONTROL" },
	{ { "missing-flush", "gen7+", MESA, "iris_state.c, emit_pipeline_select" },
	  .command = "PIPELINE_SELECT", FLUSH(PIPE), .text = "no PIPE_CONTROL" },
	{ { "missing-flush", "gen4..gen5", P2, "5.3.8 Graphics Engine Synchronization" },
	  .command = "MEDIA_STATE_POINTERS", FLUSH(PIPE), .text = "no MI_FLUSH or PIPE_CONTROL" },
	{ { "missing-flush", "gen4..gen5", P1, "3.10 Command Ordering Rules" },
	  .command = "URB_FENCE", .check = lint_fence_early, .flush = FLUSH_PIPE,
	  .text = "no MI_FLUSH or PIPE_CONTROL for the other pipeline" },
	{ { "missing-flush", "gen4..gen6", P2, "5.3.8 Graphics Engine Synchronization" },
	  .command = "MI_DISPLAY_FLIP", FLUSH(RENDER), .text = "no flush of the render cache" },
	{ { "missing-flush", "gen4..gen6", P2, "5.3.8 Graphics Engine Synchronization" },
	  .command = "MI_OVERLAY_FLIP", FLUSH(RENDER), .text = "no flush of the render cache" },
	{ { "missing-flush", "gen6", P3, "1.3.12 MI_UPDATE_GTT" }, .command = "MI_UPDATE_GTT",
	  FLUSH(PIPE), .text = "no MI_FLUSH or PIPE_CONTROL" },
	{ { "missing-flush", "gen6", P3, "1.3.2 MI_LOAD_REGISTER_IMM" },
	  .command = "MI_LOAD_REGISTER_IMM", FLUSH(STALL), .text = "no stalling flush" },
	{ { "missing-flush", "gen6", P3, "1.2.5 MI_BATCH_BUFFER_START" },
	  .command = "MI_BATCH_BUFFER_START", ONLY(0, BIT(11)), FLUSH(STALL),
	  .text = "starts a clear command buffer, but there was no MI_FLUSH or PIPE_CONTROL with "
		  "CS stall" },
	{ { "flush-disabled", "gen6", P3, "1.3.1 MI_FLUSH" }, .command = "MI_FLUSH",
	  .check = lint_flush_enable },

	/* State that must be sent again, or in order. */
	{ { "not-reissued", "gen4..gen5", P1, "3.7.1 STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_PIPELINED_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen4..gen6", P1, "3.7.1 STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_BINDING_TABLE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen4..gen5", P1, "3.7.1 STATE_BASE_ADDRESS" },
	  REISSUE("MEDIA_STATE_POINTERS", EFFECT_MEDIA) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	  REISSUE("3DSTATE_CC_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	  REISSUE("3DSTATE_SAMPLER_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	  REISSUE("3DSTATE_VIEWPORT_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "state-not-invalidated", "gen8", MESA,
	  "crocus_state.c, flush_after_state_base_change" }, REISSUE("PIPE_CONTROL", EFFECT_WORK),
	  SOME(1, STATE), .text = " that invalidates the state cache" },
	{ { "urb-not-fenced", "gen4..gen5", P1, "3.10.7 URB_FENCE" }, .command = "CS_URB_STATE",
	  .check = lint_urb_changed, .other = "URB_FENCE", .due = EFFECT_WORK | EFFECT_CONSTANTS },
	{ { "constants-lost", "gen4..gen5", P1, "3.10.8 CONSTANT_BUFFER" }, .command = "URB_FENCE",
	  .check = lint_curbe_lost, ONLY(0, BIT(13)), .other = "CONSTANT_BUFFER",
	  .due = EFFECT_WORK },
	{ { "wrong-pipeline", "gen4..gen6", P1, "3.3 Pipeline Selection" },
	  .check = lint_pipeline },
	{ { "urb-fence-line", "gen4..gen5", MESA, "crocus_state.c, crocus_upload_urb_fence" },
	  .command = "URB_FENCE", .check = lint_fence_line },
	{ { "urb-fence-order", "gen4..gen5", P1, "3.10.7 URB_FENCE" }, .command = "URB_FENCE",
	  .check = lint_fence_order },
	{ { "bound-below-base", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	  .command = "STATE_BASE_ADDRESS", .check = lint_bounds },

	/* Fields of MI commands. */
	{ { "many-events", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT" }, .command = "MI_WAIT_FOR_EVENT",
	  .check = lint_events },
	{ { "qword-alignment", "gen6", P3, "1.3.8 MI_STORE_DATA_IMM" },
	  .command = "MI_STORE_DATA_IMM", .length = 5, CLEAR(2, BIT(2)),
	  .text = "stores a QWord at an address that is not aligned to a QWord" },
	{ { "qword-alignment", "gen6", P3, "1.3.9 MI_STORE_DATA_INDEX" },
	  .command = "MI_STORE_DATA_INDEX", .length = 4, CLEAR(1, BIT(2)),
	  .text = "stores a QWord at an offset that is not aligned to a QWord" },
	{ { "status-page", "gen6", P3, "1.3.9 MI_STORE_DATA_INDEX" },
	  .command = "MI_STORE_DATA_INDEX", .check = lint_below, UNLESS(0, BIT(21)),
	  .bits = { BITS_EQUAL, 1, 0xffc, 0x80 },
	  .text = "the first 32 dwords of the status page are reserved: software must not write "
		  "them" },
	{ { "undefined-register", "gen6", P3, "1.3.10 MI_STORE_REGISTER_MEM" },
	  .command = "MI_STORE_REGISTER_MEM", .check = lint_register },
	{ { "no-operation", "gen6", P3, "1.3.6 MI_SEMAPHORE_MBOX" }, .command = "MI_SEMAPHORE_MBOX",
	  UNLESS(0, BIT(20)), SOME(0, BIT(21)), .text = "neither compares nor updates" },
	{ { "restore-flags", "gen6", P3, "1.3.7 MI_SET_CONTEXT" }, .command = "MI_SET_CONTEXT",
	  ONLY(1, BIT(1)), CLEAR(1, BIT(0)), .text = "both forces the restore and inhibits it" },
	{ { "per-process-update", "gen6", P3, "1.3.12 MI_UPDATE_GTT" }, .command = "MI_UPDATE_GTT",
	  SOME(0, BIT(22)), .text = "per-process entries cannot be updated: bit 22 must be one" },
	{ { "surface-fault", "gen6", P3, "1.3.4 Surface Probing" }, .command = "MI_PROBE",
	  .check = lint_surface_fault },
	{ { "surface-fault", "gen6", P3, "1.3.4 Surface Probing" }, .command = "MI_UNPROBE",
	  .check = lint_surface_fault },
#define ASYNC_FLIP .command = "MI_DISPLAY_FLIP", WHERE(2, 3, 1)
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP" }, ASYNC_FLIP, SOME(0, BIT(22)),
	  .text = "is an asynchronous flip, but the indicator in bit 22 of the header is clear" },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP" }, ASYNC_FLIP, SOME(1, BIT(0)),
	  .text = "asynchronous flips are for X-tiled buffers only" },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP" }, ASYNC_FLIP, CLEAR(2, 0x7000),
	  .text = "the buffer of an asynchronous flip is not aligned to 32 KB" },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP" }, ASYNC_FLIP, .check = lint_always,
	  .length = 4, .text = "dword 3 must not be sent with asynchronous flips" },
	{ { "flush-dw", "gen6+", I915, "gt/gen6_engine_cs.c, mi_flush_dw" },
	  .command = "MI_FLUSH_DW", ONLY(0, TLB), SOME(0, BIT(14)),
	  .text = "invalidates TLBs, which needs a post-sync operation of 1 or 3" },

	/* PIPE_CONTROL. */
	{ { "stall-alone", "gen6", SNB_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | NOTIFY),
	  .text = "CS stall without a flush, a stall, a post-sync operation or notification" },
	{ { "stall-alone", "gen7..gen8", CROCUS_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | DC_FLUSH),
	  .text = "CS stall without a flush, a stall or a post-sync operation" },
	{ { "missing-flush", "gen6", SNB_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, RENDER_FLUSH), FLUSH(POST_SYNC),
	  .text = "flushes the render cache, but there was no PIPE_CONTROL with a post-sync "
		  "operation" },
	{ { "missing-flush", "gen6", SNB_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, DEPTH_STALL),
	  FLUSH(POST_SYNC), .text = "has a depth stall, but there was no PIPE_CONTROL with a "
				    "post-sync operation" },
	{ { "depth-stall", "gen6,ivb,vlv", CROCUS_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, DEPTH_STALL), CLEAR(1, RENDER_FLUSH | DEPTH_FLUSH),
	  .text = "depth stall together with a flush of the render or depth cache" },
	{ { "post-sync", "gen6+", IRIS_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, RENDER_FLUSH | SCOREBOARD), CLEAR(1, BIT(15)),
	  .text = "writes a depth count or timestamp together with a render flush or pixel stall" },
	{ { "render-not-flushed", "gen6..gen9", IRIS_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, SCOREBOARD), CLEAR(1, RENDER_FLUSH),
	  .text = "stalls at the pixel scoreboard: the render cache is not flushed" },
	{ { "post-sync", "gen6+", IRIS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, DATA_INDEX),
	  SOME(1, POST_SYNC), .text = "store data index without a post-sync operation" },
	{ { "post-sync", "gen6..gen7", CROCUS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, TLB),
	  SOME(1, POST_SYNC), .text = "invalidates TLBs without a post-sync operation" },
	{ { "post-sync", "gen8..gen9", IRIS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, VERTICES),
	  SOME(1, POST_SYNC),
	  .text = "invalidates the vertex cache without a post-sync operation" },
	{ { "post-sync", "gen9+", IRIS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, FLUSH_LLC),
	  EQUAL(1, POST_SYNC, BIT(14)), .text = "flushes the LLC without writing immediate data" },
	{ { "needs-stall", "gen7..gen8", CROCUS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, TLB),
	  SOME(1, CS_STALL), .text = "invalidates TLBs without CS stall" },
	{ { "needs-stall", "gen9+", IRIS_CONTROL }, .command = "PIPE_CONTROL", ONLY(1, TLB),
	  SOME(1, CS_STALL | POST_SYNC),
	  .text = "invalidates TLBs with neither CS stall nor a post-sync operation" },
	{ { "needs-stall", "gen6..gen12", IRIS_CONTROL }, .command = "PIPE_CONTROL",
	  ONLY(1, MEDIA_CLEAR | POINTERS_OFF), SOME(1, CS_STALL),
	  .text = "clears media state or state pointers without CS stall" },
	{ { "needs-stall", "gen7..gen8", CROCUS_CONTROL }, .command = "PIPE_CONTROL",
	  WHERE(1, STATE | CS_STALL, STATE), FLUSH(STALL),
	  .text = "invalidates the state cache, but there was no PIPE_CONTROL with CS stall" },
	{ { "count-reset", "gen6..gen12.10", IRIS_CONTROL }, .command = "PIPE_CONTROL",
	  CLEAR(1, COUNT_RESET), .text = "the reset of global snapshot counts must not be used" },
	{ { "fourth-stall", "ivb,vlv", I915, "gt/gen6_engine_cs.c, gen7_emit_flush_rcs" },
	  .command = "PIPE_CONTROL", .check = lint_fourth_stall,
	  .text = "the fourth PIPE_CONTROL in a row without CS stall" },
	{ { "null-control", "gen9", IRIS_CONTROL }, .command = "PIPE_CONTROL",
	  .check = lint_null_control, ONLY(1, VERTICES),
	  .text = "invalidates the vertex cache without a PIPE_CONTROL of all zeros before it" },

	/* State of the 3D pipeline that needs a flush first. */
#define DEPTH_STATE(name)                                                                          \
	{ { "missing-flush", "gen6,ivb,vlv", MESA,                                                 \
	  "crocus_pipe_control.c, crocus_emit_depth_stall_flushes" }, .command = name,             \
	  FLUSH(DEPTH), .text = "no PIPE_CONTROL with a depth stall" }
	DEPTH_STATE("3DSTATE_DEPTH_BUFFER"),
	DEPTH_STATE("3DSTATE_STENCIL_BUFFER"),
	DEPTH_STATE("3DSTATE_HIER_DEPTH_BUFFER"),
	DEPTH_STATE("3DSTATE_CLEAR_PARAMS"),
#define VERTEX_STATE(name)                                                                         \
	{ { "missing-flush", "ivb", MESA, "vulkan_hasvk/genX_pipeline.c, emit_urb_setup" },        \
	  .command = name, FLUSH(VERTEX),                                                          \
	  .text = "no PIPE_CONTROL with a depth stall that writes immediate data" }
	VERTEX_STATE("3DSTATE_VS"),
	VERTEX_STATE("3DSTATE_URB_VS"),
	VERTEX_STATE("3DSTATE_CONSTANT_VS"),
	VERTEX_STATE("3DSTATE_BINDING_TABLE_POINTERS_VS"),
	VERTEX_STATE("3DSTATE_SAMPLER_STATE_POINTERS_VS"),
	{ { "stall-after", "ivb", MESA, "crocus_state.c, crocus_alloc_push_constants" },
	  .command = "3DSTATE_PUSH_CONSTANT_ALLOC_PS", .check = lint_follows,
	  .other = "PIPE_CONTROL", SOME(1, CS_STALL), .due = EFFECT_WORK,
	  .text = " with CS stall" },
};

const unsigned lint_rule_count = ARRAY_SIZE(lint_rules);

_Static_assert(ARRAY_SIZE(lint_rules) <= LINT_RULES_MOST, "sets of rules have room for all");
