/* SPDX-License-Identifier: MIT */
/*
 * The table of rules, and before it the checks that it names. A rule applies to the generations
 * that its document covers: rules of the Sandy Bridge manuals to Gen6, or to all earlier
 * generations too where their text is older; rules of later manuals, quoted by public drivers, to
 * the generations that the drivers name.
 */
#include "batch/lint.h"

#include "db/engine.h"

/* ---- a command by itself --------------------------------------------------------------------- */

static bool lint_unknown(const struct lint_look *look)
{
	return !look->command->known &&
	       lint_give(look, "no command of %s has the header 0x%08x", look->run->engine,
			 lint_word(look, 0));
}

static bool lint_truncated(const struct lint_look *look)
{
	const struct gsc_command *c = look->command;

	return c->count < c->length &&
	       lint_give(look, "%zu of its %u dwords are there", c->count, c->length);
}

static bool lint_length(const struct lint_look *look)
{
	const struct known_command *known = look->known->known;
	unsigned said;

	if (!known || look->command->status != GSC_COMMAND_BAD_LENGTH)
		return false;
	said = known_length(known, lint_word(look, 0));
	if (known->expect_lo == known->expect_hi)
		return lint_give(look, "%u dwords, documented are %u", said, known->expect_lo);
	return lint_give(look, "%u dwords, documented are %u to %u", said, known->expect_lo,
			 known->expect_hi);
}

/* Opcodes of MI from 10h on have a length, of six bits by the table of headers. */
static bool lint_mi_length(const struct lint_look *look)
{
	const struct known_command *known = look->known->known;
	uint32_t header = lint_word(look, 0);

	return known && !(header >> 29) && (header >> 23 & 0x3f) >= 0x10 &&
	       (header & 0xff) > 0x3f && known->def->length_kind != LENGTH_FIXED &&
	       known->def->length_hi >= 6 && known->def->length_hi <= 7 &&
	       lint_give(look, "the length 0x%x has more than six bits", header & 0xff);
}

/* Commands of the video codec engine: type 3, subtype 2. */
static bool lint_codec_length(const struct lint_look *look)
{
	uint32_t header = lint_word(look, 0);

	return look->known->known && engine_class_of(look->run->engine) == ENGINE_VCS &&
	       header >> 27 == 0xe && header & 0xf000 &&
	       lint_give(look, "bits 15:12 are 0x%x; the length ends at bit 11",
			 header >> 12 & 0xf);
}

/* ---- dwords ---------------------------------------------------------------------------------- */

static bool lint_below(const struct lint_look *look)
{
	const struct lint_bits *bits = &look->rule->bits;
	uint32_t value = lint_word(look, bits->dword) & bits->mask;

	return value < bits->value && lint_give(look, "0x%x: %s", value, look->rule->rule.text);
}

static bool lint_privileged(const struct lint_look *look)
{
	const struct known_command *known = look->known->known;

	return known && known->def->flags & COMMAND_PRIVILEGED;
}

static bool lint_events(const struct lint_look *look)
{
	const struct gsc_command *c = look->command;
	const struct plan *plan = command_plan(look->f->set, look->known->known);
	unsigned events = 0;

	for (unsigned i = 0; plan && i < plan->fields.count; i++)
		events += !plan->fields.items[i].reserved &&
			  plan_value(&plan->fields.items[i], c->words, c->count);
	return events > 1 &&
	       lint_give(look, "waits for %u events, but only one may be selected", events);
}

static bool lint_fence_line(const struct lint_look *look)
{
	return look->command->address % 64 + (uint64_t)look->command->length * 4 > 64 &&
	       lint_give(look, "starts at byte 0x%llx of a 64-byte cache line and crosses its end",
			 LL(look->command->address % 64));
}

struct fence { const char *unit; unsigned bit, end; };

#define FENCES 5

/*
 * The fences that are set: of the vertex, geometry, clip and setup units, and of constants, in the
 * order of the URB.
 */
static unsigned fences_set(const struct lint_look *look, struct fence set[FENCES])
{
	uint32_t first = lint_word(look, 1), second = lint_word(look, 2);
	const struct fence fences[FENCES] = {
		{ "VS", 8, first & 0x3ff }, { "GS", 9, first >> 10 & 0x3ff },
		{ "CLIP", 10, first >> 20 & 0x3ff }, { "SF", 11, second & 0x3ff },
		{ "CS", 13, second >> 20 & 0x7ff },
	};
	unsigned count = 0;

	for (unsigned i = 0; look->command->count >= 3 && i < FENCES; i++)
		if (lint_word(look, 0) & 1u << fences[i].bit)
			set[count++] = fences[i];
	return count;
}

static bool lint_fence_order(const struct lint_look *look)
{
	struct fence set[FENCES];
	unsigned count = fences_set(look, set);

	for (unsigned i = 1; i < count; i++)
		if (set[i].end < set[i - 1].end)
			return lint_give(look, "the fence of %s is at %u, below that of %s at %u",
					 set[i].unit, set[i].end, set[i - 1].unit, set[i - 1].end);
	return false;
}

/* The entries of constants have to fit between the fence before theirs and theirs. */
static bool lint_fence_fits(const struct lint_look *look)
{
	uint32_t state = look->lint->has_urb_state ? look->lint->urb_state : 0;
	unsigned rows = platform_value(&look->lint->platform, PROPERTY_URB_ROWS);
	unsigned entries = state & 7, size = (state >> 4 & 0x1f) + 1;
	struct fence set[FENCES];
	unsigned count = fences_set(look, set);
	const struct fence *last = count ? &set[count - 1] : NULL;

	if (last && last->end > rows)
		return lint_give(look, "the fence of %s is at %u, but the URB has %u rows",
				 last->unit, last->end, rows);
	return count > 1 && !strcmp(last->unit, "CS") && last->end >= last[-1].end &&
	       last->end - last[-1].end < entries * size &&
	       lint_give(look, "CS has %u rows for %u entries of %u rows, of CS_URB_STATE",
			 last->end - last[-1].end, entries, size);
}

/* Registers that cannot be stored to memory. */
static bool lint_register(const struct lint_look *look)
{
	static const struct { uint32_t start, last; const char *what; } ranges[] = {
		{ 0x0, 0xfff, "a VGA register" },
		{ 0x2020, 0x2023, "PGTBL_CTL0" },
		{ 0x100000, 0x10007f, "a FENCE register" },
	};
	uint32_t offset = lint_word(look, 1) & 0x3fffffc;

	for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++)
		if (offset >= ranges[i].start && offset <= ranges[i].last)
			return lint_give(look, "0x%x is %s: what is stored is undefined", offset,
					 ranges[i].what);
	return false;
}

/* A bit of a register is clear; what nobody can read, or what sleeps, shows nothing. */
static bool bit_is_clear(const struct lint_look *look, const char *name, uint64_t bit)
{
	const struct graphics_memory *memory = look->f->memory;
	uint64_t value;

	return memory && memory->gpu &&
	       !gpu_read_named(memory->gpu, "rcs0", name, -1, NULL, &value) && !(value & bit);
}

static bool lint_flush_enable(const struct lint_look *look)
{
	return !look->lint->flush_enabled && bit_is_clear(look, "MI_MODE", 1u << 12);
}

/* The rule names a register, and its bits. */
static bool lint_register_clear(const struct lint_look *look)
{
	return bit_is_clear(look, look->rule->other, look->rule->bits.mask);
}

/* ---- commands that have to come after others ------------------------------------------------- */

static bool lint_follows(const struct lint_look *look)
{
	size_t i = (size_t)(look->rule - lint_rules);

	look->lint->pending[i / 64] |= UINT64_C(1) << i % 64;
	look->lint->since[i] = look->command->address;
	return false;
}

static bool lint_rebased(const struct lint_look *look)
{
	const struct bases *before = &look->lint->bases;
	struct bases after = *before;

	bases_change(look->f, &after, look->command);
	return (after.known != before->known ||
		memcmp(after.base, before->base, sizeof(after.base))) && lint_follows(look);
}

/* Directly after URB_FENCE is enough: Mesa does so (crocus_state.c), and it works. */
static bool lint_urb_changed(const struct lint_look *look)
{
	const struct lint *lint = look->lint;

	return lint->has_urb_state && lint->urb_state != lint_word(look, 1) &&
	       (!lint->last.name || strcmp(lint->last.name, look->rule->other)) &&
	       lint_follows(look);
}

static bool lint_curbe_lost(const struct lint_look *look)
{
	return look->lint->has_constants && lint_follows(look);
}

/* Only for batches: given dwords that start a batch are more likely a ring. */
static bool lint_next(const struct lint_look *look)
{
	if (look->rule->place == ANYWHERE || look->run->kind != GSC_RUN_DWORDS)
		look->lint->next = look->rule;
	return false;
}

static bool lint_after(const struct lint_look *look)
{
	const struct lint_command *last = &look->lint->last;

	return last->name && !strcmp(last->name, look->rule->other) &&
	       lint_give(look, "immediately follows %s at 0x%llx", last->name, LL(last->address));
}

/* ---- flushes --------------------------------------------------------------------------------- */

static bool lint_flush(const struct lint_look *look)
{
	const struct lint_command *work = &look->lint->work;

	return look->lint->due[look->rule->flush] &&
	       lint_give(look, "%s since %s at 0x%llx", look->rule->rule.text,
			 work->name ? work->name : "work", LL(work->address));
}

/* Fences of one pipeline, while work of the other pipeline still holds its entries. */
static bool lint_fence_early(const struct lint_look *look)
{
	const struct lint *lint = look->lint;
	unsigned other = lint->pipeline ? EFFECT_DRAWS : EFFECT_MEDIA;

	return lint->pipeline >= 0 && lint->work_effects & other && lint_flush(look);
}

static bool lint_fourth_stall(const struct lint_look *look)
{
	uint32_t word = lint_word(look, 1);

	if (look->lint->controls < 3 || word & PC_CS_STALL || (word && !(word & ~PC_READ_ONLY)))
		return false;
	look->lint->controls = 0;
	return true;
}

static bool lint_null_control(const struct lint_look *look)
{
	return !look->lint->null_control;
}

static bool lint_pipeline(const struct lint_look *look)
{
	unsigned effects = look->known->effects;
	int pipeline = look->lint->pipeline;

	if (effects & EFFECT_DRAWS && pipeline > 0)
		return lint_give(look, "the media pipeline is selected");
	return effects & EFFECT_MEDIA && !pipeline &&
	       lint_give(look, "the 3D pipeline is selected");
}

/* ---- rings and ends -------------------------------------------------------------------------- */

/* A ring has whole pages: if it ends within a page, it ends within a command. */
static bool lint_wrap(const struct lint_look *look)
{
	const struct lint *lint = look->lint;

	return look->run->kind == GSC_RUN_RING && lint->last.name &&
	       look->command->address < lint->last.address && lint->last_end % 4096 &&
	       lint_give(look, "the ring wraps around inside %s at 0x%llx", lint->last.name,
			 LL(lint->last.address));
}

static bool lint_no_end(const struct lint_look *look)
{
	return look->run->end == GSC_RUN_OUT && look->lint->last.name && !look->lint->like_ring;
}

/* Given dwords are complete: nothing comes after them. */
static bool lint_padding(const struct lint_look *look)
{
	const struct gsc_run *run = look->run;

	return run->kind == GSC_RUN_DWORDS && run->end == GSC_RUN_ENDED && !run->left &&
	       (run->address + run->length) % 8 &&
	       lint_give(look, "the batch is %llu dwords long, not padded to a QWord",
			 LL(run->length) / 4);
}

static bool lint_arbitration(const struct lint_look *look)
{
	return look->run->kind != GSC_RUN_RING && look->run->end == GSC_RUN_ENDED &&
	       look->lint->arbitration_off;
}

static bool lint_wait_last(const struct lint_look *look)
{
	const struct lint *lint = look->lint;
	const struct lint_command *last = lint->last.name ? &lint->last : &lint->at_tail;

	return look->run->kind == GSC_RUN_RING && look->run->end == GSC_RUN_ENDED && last->name &&
	       !strcmp(last->name, look->rule->other);
}

/* Commands are fetched ahead: also those past the end. */
static bool lint_fetches_past(const struct lint_look *look)
{
	const struct gsc_run *run = look->run;
	const struct gsc_platform *p = &look->lint->platform;
	uint64_t end = run->address + run->length, page = (end + 4095) & ~UINT64_C(4095);
	unsigned bytes = platform_value(p, look->f->engine_class == ENGINE_RCS
						   ? PROPERTY_BATCH_FETCH_RENDER
						   : PROPERTY_BATCH_FETCH);

	return run->kind >= GSC_RUN_BATCH && look->f->memory &&
	       (run->end == GSC_RUN_ENDED || run->end == GSC_RUN_CHAINED) && page < end + bytes &&
	       graphics_unmapped(look->f->memory, run->process, page) &&
	       lint_give(look, "the batch ends at 0x%llx, and the page at 0x%llx is not mapped: "
			 "up to %u bytes past the end are fetched", LL(end), LL(page), bytes);
}

/* Once for a ring: drivers set the same context for each request, and rely on it. */
static bool lint_same_context(const struct lint_look *look)
{
	struct lint *lint = look->lint;
	uint64_t before = lint->context_set;

	if (!lint->context || lint->context != (lint_word(look, 1) & ~0x7ffu) || !before)
		return false;
	lint->context_set = 0;
	return lint_give(look, "this context is current since 0x%llx: without Force Restore "
			 "(bit 1) nothing is saved or restored", LL(before));
}

/* ---- the table ------------------------------------------------------------------------------- */

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
#define NEVER EQUAL(0, 0, 1)
/* "Not while these bits of a register are clear" */
#define REGISTER(name, m) .check = lint_register_clear, .other = name, .bits = { .mask = m }

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
#define REISSUE(command_name, before) .check = lint_rebased, .other = command_name, .due = before

/* The manuals have it for a few generations; it holds for all. */
#define FOR_ALL(name, others, document, section, text, about, ...)                                 \
	{ { name, "gen4..gen6", document, section, text, about }, __VA_ARGS__ },                   \
	{ { name, others, NULL, NULL, text, about }, __VA_ARGS__ }

const struct lint_rule lint_rules[] = {
	/* Commands as such. */
	FOR_ALL("unknown-command", "gen3,gen7+", P1, "5.2 Command Map",
		"no command of the engine has this header", NULL, .check = lint_unknown),
	FOR_ALL("truncated", "gen3,gen7+", P2, "5.3.4.2 Ring Buffer Registers",
		"not all of its dwords are there", NULL, .check = lint_truncated),
	{ { "bad-length", NULL, .text = "its length is not a documented one" },
	  .check = lint_length },
	{ { "reserved-bits", NULL, .text = "a reserved field is not what it must be" },
	  .check = lint_reserved },
	{ { "reserved-value", NULL, .text = "a field has a reserved value" },
	  .check = lint_values },
	{ { "reserved-value", "gen4", P1, "3.3 Pipeline Selection",
	    "PIPELINE_SELECT (bits 1:0) has a reserved value", "PIPELINE_SELECT" },
	  CLEAR(0, BIT(1)) },
	{ { "reserved-value", "gen6", P1, "3.6.1 MEMORY_OBJECT_CONTROL_STATE",
	    "the cacheability of a memory object is reserved" }, .check = lint_object_state },
	{ { "long-length", "gen4..gen6", P1, "Table 5-1. RCP Command Header Format",
	    "the length of an MI command has more than six bits" }, .check = lint_mi_length },
	{ { "long-length", "gen6..gen7", MESA_XML, "MFX commands of gen60, gen70, gen75: DWord "
	    "Length", "bits 15:12 are not zero; the length ends at bit 11" },
	  .check = lint_codec_length },
	{ { "reserved-bits", "gen6", P3, "1.3.7 MI_SET_CONTEXT", "dword 1 bit 8 must be one",
	    "MI_SET_CONTEXT" }, EQUAL(1, BIT(8), BIT(8)) },
	{ { "noop-identification", "gen6", P3, "1.3.3 MI_NOOP",
	    "has an identification number, but bit 22, which enables writing it, is clear",
	    "MI_NOOP" }, UNLESS(0, BIT(22)), CLEAR(0, 0x3fffff) },

	/* Privilege. */
	FOR_ALL("privileged", "gen7+", P3, "1.2.5.2 Privileged Commands",
		"is privileged, but the batch is not: the command should have no effect", NULL,
		.place = IN_UNPRIVILEGED, .check = lint_privileged),
#define GLOBAL_GTT_RULE(name, number, bit, ...)                                                    \
	{ { "global-gtt", __VA_ARGS__, "uses the global GTT, which needs a privileged batch",      \
	    name }, .place = IN_UNPRIVILEGED, CLEAR(number, bit) }
	GLOBAL_GTT_RULE("MI_STORE_DATA_IMM", 0, BIT(22), "gen6", P3, "1.3.8 MI_STORE_DATA_IMM"),
	GLOBAL_GTT_RULE("MI_STORE_REGISTER_MEM", 0, BIT(22), "gen6", P3,
			"1.3.10 MI_STORE_REGISTER_MEM"),
	GLOBAL_GTT_RULE("MI_SEMAPHORE_MBOX", 0, BIT(22), "gen6", P3, "1.3.6 MI_SEMAPHORE_MBOX"),
	GLOBAL_GTT_RULE("MI_STORE_DATA_IMM MI_*_REGISTER_MEM MI_CLFLUSH "
			"MI_CONDITIONAL_BATCH_BUFFER_END", 0, BIT(22), "gen7", GEN7_PARSER),
	GLOBAL_GTT_RULE("MI_REPORT_PERF_COUNT", 1, BIT(0), "gen7", GEN7_PARSER),
	{ { "global-gtt", "gen7", GEN7_PARSER, "writes through the global GTT, which needs a "
	    "privileged batch", "PIPE_CONTROL" },
	  .place = IN_UNPRIVILEGED, ONLY(1, POST_SYNC), CLEAR(1, GLOBAL_GTT) },

	/* Rings, batches, their ends. */
	{ { "ring-only", "gen6", P3, "1.2.3 MI_ARB_CHECK", "is permitted only in ring buffers "
	    "before Gen7, not in a batch", "MI_ARB_CHECK" },
	  .place = IN_BATCH, NEVER },
	{ { "ring-only", "gen6", P3, "1.3.5 MI_REPORT_HEAD", "must not be executed from a batch",
	    "MI_REPORT_HEAD" }, .place = IN_BATCH, NEVER },
	{ { "ring-only", "gen4..gen6", P2, "5.8.1.2 Intra-Ring Context Switch",
	    "is permitted only in ring buffers, not in a batch", "MI_SET_CONTEXT" },
	  .place = IN_BATCH, NEVER },
	FOR_ALL("no-end", "gen3,gen7+", P3, "1.2.5 MI_BATCH_BUFFER_START",
		"neither MI_BATCH_BUFFER_END nor a chained batch follows", LINT_END,
		.check = lint_no_end),
	{ { "qword-padding", "gen4..gen6", P1, "5.1 Command Formats",
	    "the batch is not padded to a QWord", LINT_END }, .check = lint_padding },
	{ { "batch-alignment", "gen4..gen6", P1, "5.1 Command Formats",
	    "the address of the batch is not QWord-aligned", "MI_BATCH_BUFFER_START" },
	  CLEAR(1, BIT(2)) },
	{ { "arbitration-off", "gen4..gen6", P2, "5.3.7.1 Arbitration Policies and Rationale",
	    "the batch ends with arbitration still off", LINT_END }, .check = lint_arbitration },
	{ { "page-after-batch", "gen4..gen6", P3, "1.2.5 MI_BATCH_BUFFER_START",
	    "the page after the batch is not mapped, but fetched ahead", LINT_END },
	  .check = lint_fetches_past },
	{ { "page-after-batch", "gen7+", MESA,
	    "src/intel/dev/intel_device_info.c, intel_device_info_calc_engine_prefetch",
	    "the page after the batch is not mapped, but fetched ahead", LINT_END },
	  .check = lint_fetches_past },
	{ { "ring-wrap", "gen4..gen6", P2, "5.3.4.5 Ring Buffer Use",
	    "the ring wraps around inside a command" }, .check = lint_wrap },
	{ { "needs-noop", "gen4..gen6", P3, "1.3.7 MI_SET_CONTEXT", "must be followed by MI_NOOP",
	    "MI_SET_CONTEXT" }, .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "ivb,vlv", I915, "gt/intel_ring_submission.c, mi_set_context: "
	    "WaMiSetContext_Hang", "must be followed by MI_NOOP", "MI_SET_CONTEXT" },
	  .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "gen6", P3, "1.2.5 MI_BATCH_BUFFER_START", "must be followed by MI_NOOP",
	    "MI_BATCH_BUFFER_START" }, .place = IN_BATCH, .check = lint_next, .other = "MI_NOOP" },
	{ { "needs-noop", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT",
	    "immediately follows MI_WAIT_FOR_EVENT", "MI_WAIT_FOR_EVENT" },
	  .check = lint_after, .other = "MI_WAIT_FOR_EVENT" },
	{ { "needs-noop", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT",
	    "this is the last command before TAIL: an MI_NOOP must follow it", LINT_END },
	  .check = lint_wait_last, .other = "MI_WAIT_FOR_EVENT" },

	/* Flushes. */
	{ { "missing-flush", "gen4..gen6", P1, "3.3 Pipeline Selection",
	    "no MI_FLUSH or PIPE_CONTROL", "PIPELINE_SELECT" }, FLUSH(PIPE) },
	{ { "missing-flush", "gen7+", MESA, "iris_state.c, emit_pipeline_select", "no PIPE_CONTROL",
	    "PIPELINE_SELECT" }, FLUSH(PIPE) },
	{ { "missing-flush", "gen4..gen5", P2, "5.3.8 Graphics Engine Synchronization",
	    "no MI_FLUSH or PIPE_CONTROL", "MEDIA_STATE_POINTERS" }, FLUSH(PIPE) },
	{ { "missing-flush", "gen4..gen5", P1, "3.10 Command Ordering Rules",
	    "no MI_FLUSH or PIPE_CONTROL for the other pipeline", "URB_FENCE" },
	  .check = lint_fence_early, .flush = FLUSH_PIPE },
	{ { "missing-flush", "gen4..gen6", P2, "5.3.8 Graphics Engine Synchronization",
	    "no flush of the render cache", "MI_DISPLAY_FLIP MI_OVERLAY_FLIP" }, FLUSH(RENDER) },
	{ { "missing-flush", "gen6", P3, "1.3.12 MI_UPDATE_GTT", "no MI_FLUSH or PIPE_CONTROL",
	    "MI_UPDATE_GTT" }, FLUSH(PIPE) },
	{ { "missing-flush", "gen6", P3, "1.3.2 MI_LOAD_REGISTER_IMM", "no stalling flush",
	    "MI_LOAD_REGISTER_IMM" }, FLUSH(STALL) },
	{ { "missing-flush", "gen6", P3, "1.2.5 MI_BATCH_BUFFER_START",
	    "starts a clear command buffer, but there was no MI_FLUSH or PIPE_CONTROL with CS "
	    "stall", "MI_BATCH_BUFFER_START" }, ONLY(0, BIT(11)), FLUSH(STALL) },
	{ { "flush-disabled", "gen6", P3, "1.3.1 MI_FLUSH",
	    "bit 12 of MI_MODE is clear: the parser stalls", "MI_FLUSH" },
	  .check = lint_flush_enable },

	/* State that must be sent again, or in order. */
	{ { "not-reissued", "gen4..gen5", P1, "3.7.1 STATE_BASE_ADDRESS",
	    "no 3DSTATE_PIPELINED_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_PIPELINED_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen4..gen6", P1, "3.7.1 STATE_BASE_ADDRESS",
	    "no 3DSTATE_BINDING_TABLE_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_BINDING_TABLE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen4..gen5", P1, "3.7.1 STATE_BASE_ADDRESS",
	    "no MEDIA_STATE_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("MEDIA_STATE_POINTERS", EFFECT_MEDIA) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]",
	    "no 3DSTATE_CC_STATE_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_CC_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]",
	    "no 3DSTATE_SAMPLER_STATE_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_SAMPLER_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "not-reissued", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]",
	    "no 3DSTATE_VIEWPORT_STATE_POINTERS follows before work", "STATE_BASE_ADDRESS" },
	  REISSUE("3DSTATE_VIEWPORT_STATE_POINTERS", EFFECT_DRAWS) },
	{ { "state-not-invalidated", "gen8", MESA, "crocus_state.c, flush_after_state_base_change",
	    "no PIPE_CONTROL that invalidates the state cache follows before work",
	    "STATE_BASE_ADDRESS" },
	  REISSUE("PIPE_CONTROL", EFFECT_WORK), SOME(1, STATE),
	  .with = " that invalidates the state cache" },
	{ { "urb-not-fenced", "gen4..gen5", P1, "3.10.7 URB_FENCE",
	    "has changed, and no URB_FENCE follows before work", "CS_URB_STATE" },
	  .check = lint_urb_changed, .other = "URB_FENCE", .due = EFFECT_WORK | EFFECT_CONSTANTS },
	{ { "constants-lost", "gen4..gen5", P1, "3.10.8 CONSTANT_BUFFER",
	    "changes what constants use, and no CONSTANT_BUFFER follows before work", "URB_FENCE" },
	  .check = lint_curbe_lost, ONLY(0, BIT(13)), .other = "CONSTANT_BUFFER",
	  .due = EFFECT_WORK },
	{ { "wrong-pipeline", "gen4..gen6", P1, "3.3 Pipeline Selection",
	    "work is for the pipeline that is not selected" }, .check = lint_pipeline },
	{ { "urb-fence-line", "gen4..gen5", MESA, "crocus_state.c, crocus_upload_urb_fence",
	    "crosses the end of a 64-byte cache line", "URB_FENCE" }, .check = lint_fence_line },
	{ { "urb-fence-order", "gen4..gen5", P1, "3.10.7 URB_FENCE",
	    "the fence of a unit is below that of one before it", "URB_FENCE" },
	  .check = lint_fence_order },
	{ { "urb-size", "gen4..gen5", P1, "3.10.7 URB_FENCE",
	    "a fence is beyond the URB, or the entries of CS_URB_STATE do not fit", "URB_FENCE" },
	  .check = lint_fence_fits },
	{ { "urb-entries", "gen4..gen5", MESA, "crocus_state.c, limits",
	    "has more than 4 entries", "CS_URB_STATE" }, ONLY(1, 3), CLEAR(1, BIT(2)) },
	{ { "urb-entries", "gen6", MESA, "i965, gen6_urb.c, gen6_upload_urb",
	    "the number of VS entries is not a multiple of 4", "3DSTATE_URB" }, CLEAR(1, 3) },
	{ { "urb-entries", "gen6", MESA, "i965, gen6_urb.c, gen6_upload_urb",
	    "the number of GS entries is not a multiple of 4", "3DSTATE_URB" }, CLEAR(2, 3 << 8) },
	{ { "urb-entries", "gen6", MESA, "i965, gen6_urb.c, gen6_upload_urb",
	    "an entry of VS has more than 5 rows", "3DSTATE_URB" },
	  ONLY(1, 3 << 16), CLEAR(1, 0xfc << 16) },
	{ { "urb-entries", "gen7+", MESA, "src/intel/common/intel_urb_config.c, granularity",
	    "the number of entries below 9 rows is not a multiple of 8", "3DSTATE_URB_?S" },
	  UNLESS(1, 0x1f8 << 16), CLEAR(1, 7) },
	FOR_ALL("not-modified", "gen7+", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]",
		"an address, bound or size is given without its modify enable: it is ignored",
		"STATE_BASE_ADDRESS", .check = lint_not_modified),
	{ { "bound-below-base", "gen6", P1, "3.7.1.1 STATE_BASE_ADDRESS [DevSNB]",
	    "an upper bound is not above its base", "STATE_BASE_ADDRESS" }, .check = lint_bounds },

	/* Fields of MI commands. */
	{ { "many-events", "gen6", P3, "1.3.14 MI_WAIT_FOR_EVENT",
	    "waits for several events, but only one may be selected", "MI_WAIT_FOR_EVENT" },
	  .check = lint_events },
	{ { "qword-alignment", "gen6", P3, "1.3.8 MI_STORE_DATA_IMM",
	    "stores a QWord at an address that is not aligned to a QWord", "MI_STORE_DATA_IMM" },
	  .length = 5, CLEAR(2, BIT(2)) },
	{ { "qword-alignment", "gen6", P3, "1.3.9 MI_STORE_DATA_INDEX",
	    "stores a QWord at an offset that is not aligned to a QWord", "MI_STORE_DATA_INDEX" },
	  .length = 4, CLEAR(1, BIT(2)) },
	{ { "status-page", "gen6", P3, "1.3.9 MI_STORE_DATA_INDEX",
	    "the first 32 dwords of the status page are reserved: software must not write them",
	    "MI_STORE_DATA_INDEX" },
	  .check = lint_below, UNLESS(0, BIT(21)), .bits = { BITS_EQUAL, 1, 0xffc, 0x80 } },
	{ { "no-process-tables", "gen6", P3, "1.3.8 MI_STORE_DATA_IMM, 1.3.10 "
	    "MI_STORE_REGISTER_MEM", "GFX_MODE turns per-process tables off: bit 22 must be one",
	    "MI_STORE_DATA_IMM MI_STORE_REGISTER_MEM" },
	  .place = IN_PRIVILEGED, UNLESS(0, BIT(22)), REGISTER("GFX_MODE", BIT(9)) },
	{ { "status-page", "gen6", P3, "1.3.9 MI_STORE_DATA_INDEX",
	    "HWS_PGA is 0: there is no status page to write to",
	    "MI_STORE_DATA_INDEX MI_REPORT_HEAD" },
	  UNLESS(0, BIT(21)), REGISTER("HWS_PGA", 0xfffff000) },
	{ { "byte-disables", "gen6", P3, "1.3.2 MI_LOAD_REGISTER_IMM", "disables some bytes, but "
	    "the register is written wholly unless all four are disabled",
	    "MI_LOAD_REGISTER_IMM" }, ONLY(0, 0xf << 8), EQUAL(0, 0xf << 8, 0xf << 8) },
	{ { "undefined-register", "gen6", P3, "1.3.10 MI_STORE_REGISTER_MEM",
	    "the register cannot be stored: what is stored is undefined", "MI_STORE_REGISTER_MEM" },
	  .check = lint_register },
	{ { "no-operation", "gen6", P3, "1.3.6 MI_SEMAPHORE_MBOX", "neither compares nor updates",
	    "MI_SEMAPHORE_MBOX" }, UNLESS(0, BIT(20)), SOME(0, BIT(21)) },
	{ { "same-context", "gen4..gen6", P3, "1.3.7 MI_SET_CONTEXT",
	    "the context is current already: without Force Restore nothing is restored",
	    "MI_SET_CONTEXT" }, .note = true, .check = lint_same_context, UNLESS(1, 3) },
	{ { "restore-flags", "gen6", P3, "1.3.7 MI_SET_CONTEXT",
	    "both forces the restore and inhibits it", "MI_SET_CONTEXT" },
	  ONLY(1, BIT(1)), CLEAR(1, BIT(0)) },
	{ { "per-process-update", "gen6", P3, "1.3.12 MI_UPDATE_GTT",
	    "per-process entries cannot be updated: bit 22 must be one", "MI_UPDATE_GTT" },
	  SOME(0, BIT(22)) },
	{ { "surface-fault", "gen6", P3, "1.3.4 Surface Probing",
	    "the surface fault enable of GFX_MODE (bit 12) is clear", "MI_PROBE MI_UNPROBE" },
	  REGISTER("GFX_MODE", BIT(12)) },
#define ASYNC_FLIP WHERE(2, 3, 1)
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP",
	    "is an asynchronous flip, but the indicator in bit 22 of the header is clear",
	    "MI_DISPLAY_FLIP" }, ASYNC_FLIP, SOME(0, BIT(22)) },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP",
	    "asynchronous flips are for X-tiled buffers only", "MI_DISPLAY_FLIP" },
	  ASYNC_FLIP, SOME(1, BIT(0)) },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP",
	    "the buffer of an asynchronous flip is not aligned to 32 KB", "MI_DISPLAY_FLIP" },
	  ASYNC_FLIP, CLEAR(2, 0x7000) },
	{ { "async-flip", "gen6", P3, "1.3 MI_DISPLAY_FLIP",
	    "dword 3 must not be sent with asynchronous flips", "MI_DISPLAY_FLIP" },
	  ASYNC_FLIP, NEVER, .length = 4 },
	{ { "flush-dw", "gen6+", I915, "gt/gen6_engine_cs.c, mi_flush_dw",
	    "invalidates TLBs, which needs a post-sync operation of 1 or 3", "MI_FLUSH_DW" },
	  ONLY(0, TLB), SOME(0, BIT(14)) },

	{ { "blit-pitch", "gen4+", "skl-vol5", "Tiled Surface Parameters",
	    "the pitch of a tiled surface is not a multiple of the width of a tile", "XY_*" },
	  .check = lint_blit_pitch },

	/* PIPE_CONTROL. */
	{ { "stall-alone", "gen6", SNB_CONTROL, "CS stall without a flush, a stall, a post-sync "
	    "operation or notification", "PIPE_CONTROL" },
	  ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | NOTIFY) },
	{ { "stall-alone", "gen7..gen8", CROCUS_CONTROL, "CS stall without a flush, a stall or a "
	    "post-sync operation", "PIPE_CONTROL" },
	  ONLY(1, CS_STALL),
	  SOME(1, RENDER_FLUSH | DEPTH_FLUSH | SCOREBOARD | DEPTH_STALL | POST_SYNC | DC_FLUSH) },
	{ { "missing-flush", "gen6", SNB_CONTROL, "flushes the render cache, but there was no "
	    "PIPE_CONTROL with a post-sync operation", "PIPE_CONTROL" },
	  ONLY(1, RENDER_FLUSH), FLUSH(POST_SYNC) },
	{ { "missing-flush", "gen6", SNB_CONTROL, "has a depth stall, but there was no "
	    "PIPE_CONTROL with a post-sync operation", "PIPE_CONTROL" },
	  ONLY(1, DEPTH_STALL), FLUSH(POST_SYNC) },
	{ { "depth-stall", "gen4..gen5", P2, "5.3.10.1 Rendering Cache", "depth stall together "
	    "with a flush of the write cache, which then may not happen", "PIPE_CONTROL" },
	  ONLY(0, DEPTH_STALL), CLEAR(0, RENDER_FLUSH) },
	{ { "depth-stall", "gen6,ivb,vlv", CROCUS_CONTROL, "depth stall together with a flush of "
	    "the render or depth cache", "PIPE_CONTROL" },
	  ONLY(1, DEPTH_STALL), CLEAR(1, RENDER_FLUSH | DEPTH_FLUSH) },
	{ { "post-sync", "gen6+", IRIS_CONTROL, "writes a depth count or timestamp together with a "
	    "render flush or pixel stall", "PIPE_CONTROL" },
	  ONLY(1, RENDER_FLUSH | SCOREBOARD), CLEAR(1, BIT(15)) },
	{ { "render-not-flushed", "gen6..gen9", IRIS_CONTROL,
	    "stalls at the pixel scoreboard: the render cache is not flushed", "PIPE_CONTROL" },
	  ONLY(1, SCOREBOARD), CLEAR(1, RENDER_FLUSH) },
	{ { "post-sync", "gen6+", IRIS_CONTROL, "store data index without a post-sync operation",
	    "PIPE_CONTROL" }, ONLY(1, DATA_INDEX), SOME(1, POST_SYNC) },
	{ { "post-sync", "gen6..gen7", CROCUS_CONTROL,
	    "invalidates TLBs without a post-sync operation", "PIPE_CONTROL" },
	  ONLY(1, TLB), SOME(1, POST_SYNC) },
	{ { "post-sync", "gen8..gen9", IRIS_CONTROL, "invalidates the vertex cache without a "
	    "post-sync operation", "PIPE_CONTROL" }, ONLY(1, VERTICES), SOME(1, POST_SYNC) },
	{ { "post-sync", "gen9+", IRIS_CONTROL, "flushes the LLC without writing immediate data",
	    "PIPE_CONTROL" }, ONLY(1, FLUSH_LLC), EQUAL(1, POST_SYNC, BIT(14)) },
	{ { "needs-stall", "gen7..gen8", CROCUS_CONTROL, "invalidates TLBs without CS stall",
	    "PIPE_CONTROL" }, ONLY(1, TLB), SOME(1, CS_STALL) },
	{ { "needs-stall", "gen9+", IRIS_CONTROL, "invalidates TLBs with neither CS stall nor a "
	    "post-sync operation", "PIPE_CONTROL" }, ONLY(1, TLB), SOME(1, CS_STALL | POST_SYNC) },
	{ { "needs-stall", "gen6..gen12", IRIS_CONTROL, "clears media state or state pointers "
	    "without CS stall", "PIPE_CONTROL" },
	  ONLY(1, MEDIA_CLEAR | POINTERS_OFF), SOME(1, CS_STALL) },
	{ { "needs-stall", "gen7..gen8", CROCUS_CONTROL, "invalidates the state cache, but there "
	    "was no PIPE_CONTROL with CS stall", "PIPE_CONTROL" },
	  WHERE(1, STATE | CS_STALL, STATE), FLUSH(STALL) },
	{ { "count-reset", "gen6..gen12.10", IRIS_CONTROL, "the reset of global snapshot counts "
	    "must not be used", "PIPE_CONTROL" }, CLEAR(1, COUNT_RESET) },
	{ { "fourth-stall", "ivb,vlv", I915, "gt/gen6_engine_cs.c, gen7_emit_flush_rcs",
	    "the fourth PIPE_CONTROL in a row without CS stall", "PIPE_CONTROL" },
	  .check = lint_fourth_stall },
	{ { "null-control", "gen9", IRIS_CONTROL, "invalidates the vertex cache without a "
	    "PIPE_CONTROL of all zeros before it", "PIPE_CONTROL" },
	  .check = lint_null_control, ONLY(1, VERTICES) },

	/* State of the 3D pipeline that needs a flush first. */
	{ { "missing-flush", "gen6,ivb,vlv", MESA,
	    "crocus_pipe_control.c, crocus_emit_depth_stall_flushes",
	    "no PIPE_CONTROL with a depth stall", "3DSTATE_*DEPTH_BUFFER 3DSTATE_STENCIL_BUFFER "
	    "3DSTATE_CLEAR_PARAMS" }, FLUSH(DEPTH) },
	{ { "missing-flush", "ivb", MESA, "vulkan_hasvk/genX_pipeline.c, emit_urb_setup",
	    "no PIPE_CONTROL with a depth stall that writes immediate data",
	    "3DSTATE_VS 3DSTATE_URB_VS 3DSTATE_CONSTANT_VS 3DSTATE_*_POINTERS_VS" },
	  FLUSH(VERTEX) },
	{ { "stall-after", "ivb", MESA, "crocus_state.c, crocus_alloc_push_constants",
	    "no PIPE_CONTROL with CS stall follows before work", "3DSTATE_PUSH_CONSTANT_ALLOC_PS" },
	  .check = lint_follows, .other = "PIPE_CONTROL", SOME(1, CS_STALL), .due = EFFECT_WORK,
	  .with = " with CS stall" },
};

const unsigned lint_rule_count = ARRAY_SIZE(lint_rules);

_Static_assert(ARRAY_SIZE(lint_rules) <= LINT_RULES_MOST, "sets of rules have room for all");

const struct rule *gsc_command_rule(size_t i)
{
	return i < ARRAY_SIZE(lint_rules) ? &lint_rules[i].rule : NULL;
}
