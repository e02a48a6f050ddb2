/* SPDX-License-Identifier: MIT */
/*
 * The table of rules. A rule holds for the generations that its document speaks of: those of the
 * Sandy Bridge manuals for Gen6, or for all before it where their text is older; what public
 * drivers quote of later manuals for the ones that they name.
 */
#include "batch/lint.h"

#define GEN3 300, 300
#define GEN4_5 400, 500
#define GEN4_6 400, 600
#define GEN6 600, 600
#define ALL 0, 9999

#define P1 .document = "snb-p1", .section
#define P2 .document = "snb-p2", .section
#define P3 .document = "snb-p3", .section
#define I915 .document = "i915", .section
#define MESA .document = "mesa", .section
#define MESA_XML .document = "mesa-genxml", .section

#define CROCUS_CONTROL MESA = "crocus_state.c, crocus_emit_raw_pipe_control"
#define IRIS_CONTROL MESA = "iris_state.c, iris_emit_raw_pipe_control"
#define SNB_CONTROL I915 = "gt/gen6_engine_cs.c, gen6_emit_post_sync_nonzero_flush"
#define GEN7_PARSER I915 = "i915_cmd_parser.c, gen7_common_cmds and gen7_render_cmds"

/* "Where these bits of dword D ..." */
#define ONLY(d, m) .only = { BITS_ANY, d, m, 0 }
#define UNLESS(d, m) .only = { BITS_NONE, d, m, 0 }
#define WHERE(d, m, v) .only = { BITS_EQUAL, d, m, v }
/* "... these of dword D have to be" */
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

/* Base addresses and what counts from them. */
#define REISSUE(command_name, before)                                                              \
	.command = "STATE_BASE_ADDRESS", .check = lint_rebased, .other = command_name, .due = before

const struct lint_rule lint_rules[] = {
	/* Commands as such. */
	{ "unknown-command", GEN3, .check = lint_unknown },
	{ "unknown-command", GEN4_6, .check = lint_unknown, P1 = "5.2 Command Map" },
	{ "unknown-command", 700, 9999, .check = lint_unknown },
	{ "truncated", GEN3, .check = lint_truncated },
	{ "truncated", GEN4_6, .check = lint_truncated, P2 = "5.3.4.2 Ring Buffer Registers" },
	{ "truncated", 700, 9999, .check = lint_truncated },
	{ "bad-length", ALL, .check = lint_length },
	{ "reserved-bits", ALL, .check = lint_reserved },
	{ "reserved-value", ALL, .check = lint_values },
	{ "reserved-value", GEN4_6, .command = "PIPELINE_SELECT", .check = lint_dword,
	  CLEAR(0, BIT(1)), .text = "PIPELINE_SELECT (bits 1:0) has a reserved value",
	  P1 = "3.3 Pipeline Selection" },
	{ "reserved-value", GEN6, .check = lint_object_state,
	  P1 = "3.6.1 MEMORY_OBJECT_CONTROL_STATE" },
	{ "long-length", GEN4_6, .check = lint_mi_length,
	  P1 = "Table 5-1. RCP Command Header Format" },
	{ "long-length", 600, 750, .check = lint_codec_length,
	  MESA_XML = "MFX commands of gen60, gen70, gen75: DWord Length" },
	{ "reserved-bits", GEN6, .command = "MI_SET_CONTEXT", .check = lint_dword,
	  EQUAL(1, BIT(8), BIT(8)), .text = "dword 1 bit 8 must be one",
	  P3 = "1.3.7 MI_SET_CONTEXT" },
	{ "noop-identification", GEN6, .command = "MI_NOOP", .check = lint_dword,
	  UNLESS(0, BIT(22)), CLEAR(0, 0x3fffff),
	  .text = "has an identification number, but bit 22, that writes it, is clear",
	  P3 = "1.3.3 MI_NOOP" },

	/* Privilege. */
	{ "privileged", 400, 600, .place = IN_UNPRIVILEGED, .check = lint_privileged,
	  P3 = "1.2.5.2 Privileged Commands" },
	{ "privileged", 700, 9999, .place = IN_UNPRIVILEGED, .check = lint_privileged },
#define UNPRIVILEGED_GGTT                                                                          \
	.place = IN_UNPRIVILEGED, .check = lint_dword, CLEAR(0, BIT(22)),                          \
	.text = "asks for the global GTT, which a batch without privilege does not get"
	{ "global-gtt", GEN6, .command = "MI_STORE_DATA_IMM", UNPRIVILEGED_GGTT,
	  P3 = "1.3.8 MI_STORE_DATA_IMM" },
	{ "global-gtt", GEN6, .command = "MI_STORE_REGISTER_MEM", UNPRIVILEGED_GGTT,
	  P3 = "1.3.10 MI_STORE_REGISTER_MEM" },
	{ "global-gtt", GEN6, .command = "MI_SEMAPHORE_MBOX", UNPRIVILEGED_GGTT,
	  P3 = "1.3.6 MI_SEMAPHORE_MBOX" },
	{ "global-gtt", 700, 750, .command = "MI_STORE_DATA_IMM", UNPRIVILEGED_GGTT, GEN7_PARSER },
	{ "global-gtt", 700, 750, .command = "MI_STORE_REGISTER_MEM", UNPRIVILEGED_GGTT,
	  GEN7_PARSER },
	{ "global-gtt", 700, 750, .command = "MI_LOAD_REGISTER_MEM", UNPRIVILEGED_GGTT,
	  GEN7_PARSER },
	{ "global-gtt", 700, 750, .command = "MI_CLFLUSH", UNPRIVILEGED_GGTT, GEN7_PARSER },
	{ "global-gtt", 700, 750, .command = "MI_CONDITIONAL_BATCH_BUFFER_END", UNPRIVILEGED_GGTT,
	  GEN7_PARSER },
	{ "global-gtt", 700, 750, .place = IN_UNPRIVILEGED, .command = "MI_REPORT_PERF_COUNT",
	  .check = lint_dword, CLEAR(1, BIT(0)),
	  .text = "asks for the global GTT, which a batch without privilege does not get",
	  GEN7_PARSER },
	{ "global-gtt", 700, 750, .place = IN_UNPRIVILEGED, .command = "PIPE_CONTROL",
	  .check = lint_dword, ONLY(1, POST_SYNC), CLEAR(1, GLOBAL_GTT),
	  .text = "writes by the global GTT, which a batch without privilege does not get",
	  GEN7_PARSER },

	/* Rings, batches, their ends. */
	{ "ring-only", GEN6, .place = IN_BATCH, .command = "MI_ARB_CHECK", .check = lint_always,
	  .text = "before Gen7 in ring buffers only, not in a batch", P3 = "1.2.3 MI_ARB_CHECK" },
	{ "ring-only", GEN6, .place = IN_BATCH, .command = "MI_REPORT_HEAD", .check = lint_always,
	  .text = "must not be executed from a batch", P3 = "1.3.5 MI_REPORT_HEAD" },
	{ "ring-only", GEN4_6, .place = IN_BATCH, .command = "MI_SET_CONTEXT",
	  .check = lint_always, .text = "permitted in ring buffers only, not in a batch",
	  P2 = "5.8.1.2 Intra-Ring Context Switch" },
	{ "no-end", GEN3, .command = LINT_END, .check = lint_no_end },
	{ "no-end", GEN4_6, .command = LINT_END, .check = lint_no_end,
	  P3 = "1.2.5 MI_BATCH_BUFFER_START" },
	{ "no-end", 700, 9999, .command = LINT_END, .check = lint_no_end },
	{ "qword-padding", GEN4_6, .command = LINT_END, .check = lint_padding,
	  P1 = "5.1 Command Formats" },
	{ "batch-alignment", GEN4_6, .command = "MI_BATCH_BUFFER_START", .check = lint_dword,
	  CLEAR(1, BIT(2)), .text = "the batch does not begin at a QWord",
	  P1 = "5.1 Command Formats" },
	{ "arbitration-off", GEN4_6, .command = LINT_END, .check = lint_arbitration,
	  P2 = "5.3.7.1 Arbitration Policies and Rationale" },
	{ "ring-wrap", GEN4_6, .check = lint_wrap, P2 = "5.3.4.5 Ring Buffer Use" },
	{ "needs-noop", GEN4_6, .command = "MI_SET_CONTEXT", .check = lint_next,
	  .other = "MI_NOOP", P3 = "1.3.7 MI_SET_CONTEXT" },
	{ "needs-noop", 700, 700, .command = "MI_SET_CONTEXT", .check = lint_next,
	  .other = "MI_NOOP",
	  I915 = "gt/intel_ring_submission.c, mi_set_context: WaMiSetContext_Hang" },
	{ "needs-noop", GEN6, .place = IN_BATCH, .command = "MI_BATCH_BUFFER_START",
	  .check = lint_next, .other = "MI_NOOP", P3 = "1.2.5 MI_BATCH_BUFFER_START" },
	{ "needs-noop", GEN6, .command = "MI_WAIT_FOR_EVENT", .check = lint_after,
	  .other = "MI_WAIT_FOR_EVENT", P3 = "1.3.14 MI_WAIT_FOR_EVENT" },
	{ "needs-noop", GEN6, .command = LINT_END, .check = lint_wait_last,
	  .other = "MI_WAIT_FOR_EVENT", P3 = "1.3.14 MI_WAIT_FOR_EVENT" },

	/* Flushes. */
	{ "missing-flush", GEN4_6, .command = "PIPELINE_SELECT", .check = lint_flush,
	  .flush = FLUSH_PIPE, .text = "no MI_FLUSH or PIPE_CONTROL",
	  P1 = "3.3 Pipeline Selection" },
	{ "missing-flush", 700, 9999, .command = "PIPELINE_SELECT", .check = lint_flush,
	  .flush = FLUSH_PIPE, .text = "no PIPE_CONTROL",
	  MESA = "iris_state.c, emit_pipeline_select" },
	{ "missing-flush", GEN4_5, .command = "MEDIA_STATE_POINTERS", .check = lint_flush,
	  .flush = FLUSH_PIPE, .text = "no MI_FLUSH or PIPE_CONTROL",
	  P2 = "5.3.8 Graphics Engine Synchronization" },
	{ "missing-flush", GEN4_5, .command = "URB_FENCE", .check = lint_fence_early,
	  .flush = FLUSH_PIPE, .text = "the other pipeline: no MI_FLUSH or PIPE_CONTROL",
	  P1 = "3.10 Command Ordering Rules" },
	{ "missing-flush", GEN4_6, .command = "MI_DISPLAY_FLIP", .check = lint_flush,
	  .flush = FLUSH_RENDER, .text = "no flush of the render cache",
	  P2 = "5.3.8 Graphics Engine Synchronization" },
	{ "missing-flush", GEN4_6, .command = "MI_OVERLAY_FLIP", .check = lint_flush,
	  .flush = FLUSH_RENDER, .text = "no flush of the render cache",
	  P2 = "5.3.8 Graphics Engine Synchronization" },
	{ "missing-flush", GEN6, .command = "MI_UPDATE_GTT", .check = lint_flush,
	  .flush = FLUSH_PIPE, .text = "no MI_FLUSH or PIPE_CONTROL", P3 = "1.3.12 MI_UPDATE_GTT" },
	{ "missing-flush", GEN6, .command = "MI_LOAD_REGISTER_IMM", .check = lint_flush,
	  .flush = FLUSH_STALL, .text = "no stalling flush", P3 = "1.3.2 MI_LOAD_REGISTER_IMM" },
	{ "missing-flush", GEN6, .command = "MI_BATCH_BUFFER_START", .check = lint_flush,
	  ONLY(0, BIT(11)), .flush = FLUSH_STALL,
	  .text = "a clear command buffer, and no MI_FLUSH or PIPE_CONTROL with CS stall",
	  P3 = "1.2.5 MI_BATCH_BUFFER_START" },
	{ "flush-disabled", GEN6, .command = "MI_FLUSH", .check = lint_flush_enable,
	  P3 = "1.3.1 MI_FLUSH" },

	/* State that has to come again, or in order. */
	{ "not-reissued", GEN4_5, REISSUE("3DSTATE_PIPELINED_POINTERS", EFFECT_DRAWS),
	  P1 = "3.7.1 STATE_BASE_ADDRESS" },
	{ "not-reissued", GEN4_6, REISSUE("3DSTATE_BINDING_TABLE_POINTERS", EFFECT_DRAWS),
	  P1 = "3.7.1 STATE_BASE_ADDRESS" },
	{ "not-reissued", GEN4_5, REISSUE("MEDIA_STATE_POINTERS", EFFECT_MEDIA),
	  P1 = "3.7.1 STATE_BASE_ADDRESS" },
	{ "not-reissued", GEN6, REISSUE("3DSTATE_CC_STATE_POINTERS", EFFECT_DRAWS),
	  P1 = "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	{ "not-reissued", GEN6, REISSUE("3DSTATE_SAMPLER_STATE_POINTERS", EFFECT_DRAWS),
	  P1 = "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	{ "not-reissued", GEN6, REISSUE("3DSTATE_VIEWPORT_STATE_POINTERS", EFFECT_DRAWS),
	  P1 = "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },
	{ "state-not-invalidated", 800, 800, REISSUE("PIPE_CONTROL", EFFECT_WORK), SOME(1, STATE),
	  .text = " that invalidates the state cache",
	  MESA = "crocus_state.c, flush_after_state_base_change" },
	{ "urb-not-fenced", GEN4_5, .command = "CS_URB_STATE", .check = lint_urb_changed,
	  .other = "URB_FENCE", .due = EFFECT_WORK | EFFECT_CONSTANTS,
	  P1 = "3.10.7 URB_FENCE" },
	{ "constants-lost", GEN4_5, .command = "URB_FENCE", .check = lint_curbe_lost,
	  ONLY(0, BIT(13)), .other = "CONSTANT_BUFFER", .due = EFFECT_WORK,
	  P1 = "3.10.8 CONSTANT_BUFFER" },
	{ "wrong-pipeline", GEN4_6, .check = lint_pipeline, P1 = "3.3 Pipeline Selection" },
	{ "urb-fence-line", GEN4_5, .command = "URB_FENCE", .check = lint_fence_line,
	  MESA = "crocus_state.c, crocus_upload_urb_fence" },
	{ "urb-fence-order", GEN4_5, .command = "URB_FENCE", .check = lint_fence_order,
	  P1 = "3.10.7 URB_FENCE" },
	{ "bound-below-base", GEN6, .command = "STATE_BASE_ADDRESS", .check = lint_bounds,
	  P1 = "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]" },

	/* Fields of MI commands. */
	{ "many-events", GEN6, .command = "MI_WAIT_FOR_EVENT", .check = lint_events,
	  P3 = "1.3.14 MI_WAIT_FOR_EVENT" },
	{ "qword-alignment", GEN6, .command = "MI_STORE_DATA_IMM", .check = lint_dword,
	  .length = 5, CLEAR(2, BIT(2)), .text = "stores a QWord at an address that is no QWord's",
	  P3 = "1.3.8 MI_STORE_DATA_IMM" },
	{ "qword-alignment", GEN6, .command = "MI_STORE_DATA_INDEX", .check = lint_dword,
	  .length = 4, CLEAR(1, BIT(2)), .text = "stores a QWord at an offset that is no QWord's",
	  P3 = "1.3.9 MI_STORE_DATA_INDEX" },
	{ "status-page", GEN6, .command = "MI_STORE_DATA_INDEX", .check = lint_below,
	  UNLESS(0, BIT(21)), .bits = { BITS_EQUAL, 1, 0xffc, 0x80 },
	  .text = "the first 32 dwords of the status page are not for software",
	  P3 = "1.3.9 MI_STORE_DATA_INDEX" },
	{ "undefined-register", GEN6, .command = "MI_STORE_REGISTER_MEM", .check = lint_register,
	  P3 = "1.3.10 MI_STORE_REGISTER_MEM" },
	{ "no-operation", GEN6, .command = "MI_SEMAPHORE_MBOX", .check = lint_dword,
	  UNLESS(0, BIT(20)), SOME(0, BIT(21)), .text = "neither compares nor updates",
	  P3 = "1.3.6 MI_SEMAPHORE_MBOX" },
	{ "restore-flags", GEN6, .command = "MI_SET_CONTEXT", .check = lint_dword,
	  ONLY(1, BIT(1)), CLEAR(1, BIT(0)), .text = "both forces the restore and inhibits it",
	  P3 = "1.3.7 MI_SET_CONTEXT" },
	{ "per-process-update", GEN6, .command = "MI_UPDATE_GTT", .check = lint_dword,
	  SOME(0, BIT(22)), .text = "per-process entries cannot be updated: bit 22 must be one",
	  P3 = "1.3.12 MI_UPDATE_GTT" },
	{ "surface-fault", GEN6, .command = "MI_PROBE", .check = lint_surface_fault,
	  P3 = "1.3.4 Surface Probing" },
	{ "surface-fault", GEN6, .command = "MI_UNPROBE", .check = lint_surface_fault,
	  P3 = "1.3.4 Surface Probing" },
#define ASYNC_FLIP .command = "MI_DISPLAY_FLIP", P3 = "1.3 MI_DISPLAY_FLIP", WHERE(2, 3, 1)
	{ "async-flip", GEN6, ASYNC_FLIP, .check = lint_dword, SOME(0, BIT(22)),
	  .text = "asynchronous, and the indicator in bit 22 of the header is clear" },
	{ "async-flip", GEN6, ASYNC_FLIP, .check = lint_dword, SOME(1, BIT(0)),
	  .text = "asynchronous flips are for X-tiled buffers only" },
	{ "async-flip", GEN6, ASYNC_FLIP, .check = lint_dword, CLEAR(2, 0x7000),
	  .text = "the buffer of an asynchronous flip is not at a multiple of 32 KB" },
	{ "async-flip", GEN6, ASYNC_FLIP, .check = lint_always, .length = 4,
	  .text = "dword 3 must not be sent with asynchronous flips" },
	{ "flush-dw", 600, 9999, .command = "MI_FLUSH_DW", .check = lint_dword, ONLY(0, TLB),
	  SOME(0, BIT(14)), .text = "invalidates TLBs, which takes a post-sync operation of 1 or 3",
	  I915 = "gt/gen6_engine_cs.c, mi_flush_dw" },

	/* PIPE_CONTROL. */
	{ "stall-alone", GEN6, .command = "PIPE_CONTROL", .check = lint_dword, ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | NOTIFY),
	  .text = "CS stall without a flush, a stall, a post-sync operation or notification",
	  SNB_CONTROL },
	{ "stall-alone", 700, 800, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | DC_FLUSH),
	  .text = "CS stall without a flush, a stall or a post-sync operation", CROCUS_CONTROL },
	{ "missing-flush", GEN6, .command = "PIPE_CONTROL", .check = lint_flush,
	  ONLY(1, RENDER_FLUSH), .flush = FLUSH_POST_SYNC,
	  .text = "flushes the render cache, and no PIPE_CONTROL with a post-sync operation",
	  SNB_CONTROL },
	{ "missing-flush", GEN6, .command = "PIPE_CONTROL", .check = lint_flush,
	  ONLY(1, DEPTH_STALL), .flush = FLUSH_POST_SYNC,
	  .text = "depth stall, and no PIPE_CONTROL with a post-sync operation", SNB_CONTROL },
	{ "depth-stall", 600, 700, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, DEPTH_STALL), CLEAR(1, RENDER_FLUSH | DEPTH_FLUSH),
	  .text = "depth stall together with a flush of the render or depth cache",
	  CROCUS_CONTROL },
	{ "post-sync", 600, 9999, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, RENDER_FLUSH | SCOREBOARD), CLEAR(1, BIT(15)),
	  .text = "writes a depth count or time stamp together with a render flush or pixel stall",
	  IRIS_CONTROL },
	{ "render-not-flushed", 600, 900, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, SCOREBOARD), CLEAR(1, RENDER_FLUSH),
	  .text = "stalls at the pixel scoreboard: the render cache is not flushed", IRIS_CONTROL },
	{ "post-sync", 600, 9999, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, DATA_INDEX), SOME(1, POST_SYNC),
	  .text = "store data index without a post-sync operation", IRIS_CONTROL },
	{ "post-sync", 600, 750, .command = "PIPE_CONTROL", .check = lint_dword, ONLY(1, TLB),
	  SOME(1, POST_SYNC), .text = "invalidates TLBs without a post-sync operation",
	  CROCUS_CONTROL },
	{ "post-sync", 800, 900, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, VERTICES), SOME(1, POST_SYNC),
	  .text = "invalidates the vertex cache without a post-sync operation", IRIS_CONTROL },
	{ "post-sync", 900, 9999, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, FLUSH_LLC), EQUAL(1, POST_SYNC, BIT(14)),
	  .text = "flushes the LLC without writing immediate data", IRIS_CONTROL },
	{ "needs-stall", 700, 800, .command = "PIPE_CONTROL", .check = lint_dword, ONLY(1, TLB),
	  SOME(1, CS_STALL), .text = "invalidates TLBs without CS stall", CROCUS_CONTROL },
	{ "needs-stall", 900, 9999, .command = "PIPE_CONTROL", .check = lint_dword, ONLY(1, TLB),
	  SOME(1, CS_STALL | POST_SYNC),
	  .text = "invalidates TLBs with neither CS stall nor a post-sync operation",
	  IRIS_CONTROL },
	{ "needs-stall", 600, 1274, .command = "PIPE_CONTROL", .check = lint_dword,
	  ONLY(1, MEDIA_CLEAR | POINTERS_OFF), SOME(1, CS_STALL),
	  .text = "clears media state or state pointers without CS stall", IRIS_CONTROL },
	{ "needs-stall", 700, 800, .command = "PIPE_CONTROL", .check = lint_flush,
	  WHERE(1, STATE | CS_STALL, STATE), .flush = FLUSH_STALL,
	  .text = "invalidates the state cache, and no PIPE_CONTROL with CS stall",
	  CROCUS_CONTROL },
	{ "count-reset", 600, 1210, .command = "PIPE_CONTROL", .check = lint_dword,
	  CLEAR(1, COUNT_RESET), .text = "the reset of global snapshot counts must not be used",
	  IRIS_CONTROL },
	{ "fourth-stall", 700, 700, .command = "PIPE_CONTROL", .check = lint_fourth_stall,
	  .text = "the fourth without CS stall",
	  I915 = "gt/gen6_engine_cs.c, gen7_emit_flush_rcs" },
	{ "null-control", 900, 900, .command = "PIPE_CONTROL", .check = lint_null_control,
	  ONLY(1, VERTICES),
	  .text = "invalidates the vertex cache, and none with all bits zero came before",
	  IRIS_CONTROL },

	/* State of the 3D pipeline that wants a flush first. */
#define DEPTH_STATE(name)                                                                          \
	{ "missing-flush", 600, 700, .command = name, .check = lint_flush, .flush = FLUSH_DEPTH,   \
	  .text = "no PIPE_CONTROL with a depth stall",                                            \
	  MESA = "crocus_pipe_control.c, crocus_emit_depth_stall_flushes" }
	DEPTH_STATE("3DSTATE_DEPTH_BUFFER"),
	DEPTH_STATE("3DSTATE_STENCIL_BUFFER"),
	DEPTH_STATE("3DSTATE_HIER_DEPTH_BUFFER"),
	DEPTH_STATE("3DSTATE_CLEAR_PARAMS"),
#define VERTEX_STATE(name)                                                                         \
	{ "missing-flush", 700, 700, .big_core = true, .command = name, .check = lint_flush,       \
	  .flush = FLUSH_VERTEX,                                                                   \
	  .text = "no PIPE_CONTROL with a depth stall that writes immediate data",                 \
	  MESA = "vulkan_hasvk/genX_pipeline.c, emit_urb_setup" }
	VERTEX_STATE("3DSTATE_VS"),
	VERTEX_STATE("3DSTATE_URB_VS"),
	VERTEX_STATE("3DSTATE_CONSTANT_VS"),
	VERTEX_STATE("3DSTATE_BINDING_TABLE_POINTERS_VS"),
	VERTEX_STATE("3DSTATE_SAMPLER_STATE_POINTERS_VS"),
	{ "stall-after", 700, 700, .big_core = true, .command = "3DSTATE_PUSH_CONSTANT_ALLOC_PS",
	  .check = lint_follows, .other = "PIPE_CONTROL", SOME(1, CS_STALL), .due = EFFECT_WORK,
	  .text = " with CS stall", MESA = "crocus_state.c, crocus_alloc_push_constants" },
};

const unsigned lint_rule_count = ARRAY_SIZE(lint_rules);

_Static_assert(ARRAY_SIZE(lint_rules) <= LINT_RULES_MOST, "sets of rules have room for all");
