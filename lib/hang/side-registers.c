/* SPDX-License-Identifier: MIT */
/* The smaller traces that an engine leaves: one line each, and only if there is one. */
#include "hang/engine.h"

#include "batch/batch.h"
#include "util/text.h"

struct asking {
	const struct gsc_hang *hang;
	struct hang_engine *engine;
	struct gsc_reg reg;		/* the register reported, and its value */
	uint64_t value;
	char text[sizeof(((struct gsc_detail *)NULL)->text)];
};

#define add(a, ...) string_add((a)->text, __VA_ARGS__)

static bool read_other(const struct asking *a, const char *name, uint64_t *value)
{
	return hang_read(a->hang, a->engine->e.name, name, -1, NULL, value);
}

static uint64_t address_of(const struct asking *a, const char *upper)
{
	uint64_t high = 0;

	read_other(a, upper, &high);
	return graphics_address(&a->hang->gpu->platform, high << 32 | a->value);
}

static uint64_t own_field(const struct asking *a, const char *name)
{
	uint64_t bits = 0;

	gsc_gpu_field(a->hang->gpu, &a->reg, a->value, name, &bits);
	return bits;
}

/* ---- fields that are set -------------------------------------------------------------------- */

/* "PER_PROCESS_GTT_ENABLE, TLB_INVALIDATE_MODE explicit"; `only` is a list of names, or NULL. */
static void add_fields(struct asking *a, const char *only)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_reg_fields(a->hang->gpu->view, &a->reg, a->value, &it);
	while (gsc_field_next(&it, &field)) {
		bool one = field.hi == field.lo;

		if (!field.name || !field.value || field.flags || !strcmp(field.name, "MASK") ||
		    (only && !list_has(only, field.name)))
			continue;
		add(a, "%s%s", *a->text ? ", " : "", field.name);
		if (field.text && (!one || strcmp(field.text, "yes")))
			add(a, " %s", field.text);
		else if (!field.text && !one)
			add(a, " 0x%llx", LL(field.value));
	}
}

static void say_mode(struct asking *a)
{
	add_fields(a, "STOP_RINGS,SUSPEND_FLUSH");
	if (engine_has_work(&a->engine->e))
		add_fields(a, "RINGS_IDLE");
}

static void say_parser(struct asking *a)
{
	add_fields(a, "SYNC_FLUSH_ENABLE,TLB_INVALIDATE,BLT_INSTRUCTION_DISABLE,"
		   "MEDIA_INSTRUCTION_DISABLE,3D_RENDERING_INSTRUCTION_DISABLE,"
		   "3D_STATE_INSTRUCTION_DISABLE,TEXTURE_PALETTE_LOAD_INSTRUCTION_DISABLE");
}

static void say_fields(struct asking *a)
{
	add_fields(a, NULL);
}

/* ---- values --------------------------------------------------------------------------------- */

static void say_breadcrumb(struct asking *a)
{
	if (a->value)
		add(a, "the last MI_NOOP that carried a number had 0x%llx",
		    LL(own_field(a, "IDENTIFICATION_NUMBER")));
}

static void say_value(struct asking *a)
{
	if (a->value)
		add(a, "0x%llx: %s", LL(a->value), a->reg.doc ? a->reg.doc : "");
}

static void say_watchdog(struct asking *a)
{
	uint64_t count, most;

	if (a->value || !read_other(a, "PR_CTR", &count) || !read_other(a, "PR_CTR_THRSH", &most))
		return;
	add(a, "the watchdog runs: %llu of %llu clocks", LL(count), LL(most));
	if (count >= most)
		add(a, ", it has expired");
}

static void say_pending_head(struct asking *a)
{
	if (own_field(a, "HEAD_POINTER_VALID"))
		add(a, "a pre-emption is pending: the ring goes on at 0x%llx after the next "
		    "MI_ARB_CHECK", LL(own_field(a, "HEAD_POINTER_ADDRESS") << 3));
}

static void say_batch(struct asking *a)
{
	uint64_t state, address = address_of(a, "BB_ADDR_UDW");

	if (!own_field(a, "VALID"))
		return;
	add(a, "fetches the batch at 0x%llx", LL(address & ~UINT64_C(3)));
	if (read_other(a, "BB_STATE", &state))
		add(a, "; BB_STATE 0x%llx: %s", LL(state), state & 1u << 5 ? "ppgtt" : "ggtt");
}

static void say_second_batch(struct asking *a)
{
	uint64_t address = address_of(a, "SBB_ADDR_UDW");

	if (address & ~UINT64_C(3))
		add(a, "fetches the second-level batch at 0x%llx", LL(address & ~UINT64_C(3)));
}

static void say_fetch(struct asking *a)
{
	const struct gsc_engine *e = &a->engine->e;
	uint64_t address = address_of(a, "DMA_FADD_UDW");

	if (!address || e->state == GSC_ENGINE_IDLE)
		return;
	add(a, "fetches commands at 0x%llx", LL(address));
	if (e->known & GSC_KNOWN_ACTHD && address - e->acthd < 4096)
		add(a, ", 0x%llx bytes ahead of ACTHD", LL(address - e->acthd));
}

static void say_context(struct asking *a)
{
	if (a->value & 1)
		add(a, "context at 0x%llx", LL(a->value & UINT32_C(0xfffff000)));
}

/* ---- several registers in a line ------------------------------------------------------------ */

static void say_predicate(struct asking *a)
{
	static const char *const sources[] = { "MI_PREDICATE_SRC0", "MI_PREDICATE_SRC1",
					       "MI_PREDICATE_DATA" };
	uint64_t value[ARRAY_SIZE(sources)] = { 0 }, any = a->value;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (read_other(a, sources[i], &value[i]))
			any |= value[i];
	if (any)
		add(a, "result %llu; sources 0x%llx and 0x%llx, data 0x%llx", LL(a->value & 1),
		    LL(value[0]), LL(value[1]), LL(value[2]));
}

static void say_statistics(struct asking *a)
{
	static const char *const counts[] = {
		"IA_VERTICES", "IA_PRIMITIVES", "VS_INVOCATION", "HS_INVOCATION", "DS_INVOCATION",
		"GS_INVOCATION", "GS_PRIMITIVES", "CL_INVOCATION", "CL_PRIMITIVES",
		"PS_INVOCATION", "PS_DEPTH",
	};
	char name[40];
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		string_set(name, "%s_COUNT", counts[i]);
		if (read_other(a, name, &value) && value)
			add(a, "%s%s %llu", *a->text ? ", " : "", counts[i], LL(value));
	}
}

/* The event that the scheduler of the engine wrote last. */
static void say_event(struct asking *a)
{
	uint64_t written = own_field(a, "WRITE_POINTER");
	const char *name = written < 6 ? "CONTEXT_STATUS_BUF" : "CONTEXT_STATUS_BUF2";

	if (!hang_read(a->hang, a->engine->e.name, name, (int)(written % 6), &a->reg, &a->value) ||
	    !a->value)
		return;
	add_fields(a, "WAIT_ON_SCANLINE,WAIT_ON_SEMAPHORE,WAIT_ON_VBLANK,WAIT_ON_SYNC_FLIP,"
		   "CONTEXT_COMPLETE,ACTIVE_TO_IDLE,ELEMENT_SWITCH,PREEMPTED,IDLE_TO_ACTIVE,"
		   "LITE_RESTORE,SWITCH_DETAIL,SWITCHED_TO_NEW_QUEUE");
}

/* ---- time ----------------------------------------------------------------------------------- */

/* "19.2 MHz" to 19200000, whatever the locale. */
static uint64_t megahertz(const char *text)
{
	uint64_t value = 0, unit = 1000000;
	bool fraction = false;

	for (; *text && *text != ' '; text++) {
		if (*text == '.') {
			fraction = true;
			continue;
		}
		if (*text < '0' || *text > '9' || value > UINT32_MAX)
			return 0;
		value = value * 10 + (uint64_t)(*text - '0');
		if (fraction)
			unit /= 10;
	}
	return value * unit;
}

/*
 * Ticks in a second, or 0: as i915 gt/intel_gt_clock_utils.c finds them. A crystal common to a
 * family is a property; otherwise RPM_CONFIG0 gives it.
 */
static uint64_t tick_rate(const struct asking *a)
{
	const struct gsc_hang *hang = a->hang;
	uint64_t crystal = platform_value(&hang->gpu->platform, PROPERTY_CRYSTAL_KHZ) * 1000;
	uint64_t mode, config, source, shift, divider = 0, denominator = 0;
	struct gsc_reg reg, other;
	struct gsc_field_iter it;
	struct gsc_field field;

	if (!hang_read(hang, NULL, "CTC_MODE", -1, &reg, &mode) ||
	    !gsc_gpu_field(hang->gpu, &reg, mode, "CTC_SOURCE_PARAMETER", &source))
		return 0;
	if (source) {
		if (!hang_read(hang, NULL, "TIMESTAMP_OVERRIDE", -1, &other, &config))
			return 0;
		gsc_gpu_field(hang->gpu, &other, config, "US_COUNTER_DIVIDER", &divider);
		gsc_gpu_field(hang->gpu, &other, config, "US_COUNTER_DENOMINATOR", &denominator);
		return (divider + 1) * 1000000 + 1000000 / (denominator + 1);
	}
	if (crystal)
		return gsc_gpu_field(hang->gpu, &reg, mode, "CTC_SHIFT_PARAMETER", &shift)
			       ? crystal >> (3 - (shift & 3)) : 0;
	if (!hang_read(hang, NULL, "RPM_CONFIG0", -1, &other, &config) ||
	    !gsc_gpu_field(hang->gpu, &other, config, "CTC_SHIFT_PARAMETER", &shift))
		return 0;
	gsc_reg_fields(hang->gpu->view, &other, config, &it);
	while (gsc_field_next(&it, &field))
		if (field.name && field.text && !strcmp(field.name, "CRYSTAL_CLOCK_FREQ"))
			crystal = megahertz(field.text);
	return crystal >> (3 - (shift & 3));
}

/* The meaning of the field is in ns if the definition knows the tick, otherwise in ticks. */
static void say_time(struct asking *a)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	uint64_t rate, divide, multiply;

	gsc_reg_fields(a->hang->gpu->view, &a->reg, a->value, &it);
	while (gsc_field_next(&it, &field)) {
		if (!field.name || strcmp(field.name, a->reg.name) || !field.value)
			continue;
		gsc_field_form(&it, &form);
		divide = form.divide ? form.divide : 1;
		multiply = form.multiply ? form.multiply : 1;
		if (!form.unit || strcmp(form.unit, "ns"))
			rate = tick_rate(a);
		else
			rate = divide <= UINT32_MAX ? 1000000000 * divide / multiply : 0;
		if (rate)
			add(a, "%llu.%06llu s", LL(field.value / rate),
			    LL(field.value % rate * 1000000 / rate));
		return;
	}
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* `idle`: also reported for an engine without work. */
static const struct {
	const char *name;
	bool idle;
	void (*say)(struct asking *a);
	const char *title;		/* if the line needs more than the register, or NULL */
	bool minor;
} side_registers[] = {
	{ "NOPID", true, say_breadcrumb },
	{ "IPEIR", false, say_value },
	{ "EXCC", true, say_fields },
	{ "MI_MODE", true, say_mode },
	{ "INSTPM", true, say_parser },
	{ "RESET_CTL", true, say_fields },
	{ "UHPTR", true, say_pending_head },
	{ "BB_PREEMPT_ADDR", false, say_value },
	{ "RING_BUFFER_HEAD_PREEMPT_REG", false, say_value },
	{ "RVSYNC", false, say_value },
	{ "RBSYNC", false, say_value },
	{ "RVESYNC", false, say_value },
	{ "VBSYNC", false, say_value },
	{ "VRSYNC", false, say_value },
	{ "VVESYNC", false, say_value },
	{ "BRSYNC", false, say_value },
	{ "BVSYNC", false, say_value },
	{ "BVESYNC", false, say_value },
	{ "VEBSYNC", false, say_value },
	{ "VERSYNC", false, say_value },
	{ "VEVSYNC", false, say_value },
	{ "PR_CTR_CTL", false, say_watchdog },
	{ "BB_ADDR", false, say_batch },
	{ "SBB_ADDR", false, say_second_batch },
	{ "DMA_FADD", false, say_fetch, .minor = true },
	{ "CCID", false, say_context },
	{ "GFX_MODE", false, say_fields, .minor = true },
	{ "CONTEXT_STATUS_PTR", false, say_event, "last-context-event" },
	{ "MI_PREDICATE_RESULT", false, say_predicate, "predicate" },
	{ "IA_VERTICES_COUNT", false, say_statistics, "statistics", true },
	{ "TIMESTAMP", false, say_time },
};

/*
 * Who saved the registers, and when. The GuC does it before it resets an engine; xe's driver, if
 * nothing of the GuC's fits the job that timed out (xe_guc_submit.c, guc_exec_queue_timedout_job():
 * "Manual"), and only what it finds then shows whether the engine was still at that job.
 */
static bool capture_of_dump(struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct driver_request *queue = engine_context(engine);
	char buffer[sizeof(((struct gsc_detail *)NULL)->text)];
	struct text text = text_of(buffer);

	if (!*own->coverage)
		return true;
	if (!*own->capture_source || !strcmp(own->capture_source, "GuC"))
		text_add(&text, "the GuC saved the registers before it reset the engine (");
	else
		text_add(&text, "the driver read the registers%s (",
			 !engine_in_dump(engine->hang) ? "" :
			 engine->other ? " while another queue was on the engine" :
			 engine->reset ? " after the engine was reset" :
			 engine_has_work(&engine->e) && engine_ring_of_queue(engine) == RING_OWN ?
			 " while the queue was on the engine, before any reset" :
			 "; whether before a reset, the dump does not show");
	if (*own->capture_source)
		text_add(&text, "Capture_source: %s, ", own->capture_source);
	text_add(&text, "Coverage: %s)", own->coverage);
	if (!strncmp(own->coverage, "partial", 7))
		text_add(&text, ": registers that are missing here are unknown");
	if (*own->context_id)
		text_add(&text, "; GuC-Context-Id %s", own->context_id);
	if (*own->lrca)
		text_add(&text, ", LRCA %s", own->lrca);
	/* xe finds the GuC's capture by these two, and prints only them. */
	if (queue)
		text_add(&text, "; %s of the GuC, LRCA 0x%08llx", queue->r.name,
			 LL(queue->r.context & UINT64_C(0xfffff000)));
	return hang_detail(engine, GSC_DETAIL_WITNESS, "capture", "%s", buffer);
}

enum gsc_status hang_side_registers(struct gsc_hang *hang, struct hang_engine *engine,
			       struct gsc_error *err)
{
	struct hang_buffers at = { .source = hang->gpu->source };
	bool fine = true;

	/* Old dumps have the ring and its address, but not the register. */
	if (engine->e.known && !(engine->e.known & GSC_KNOWN_START))
		while (hang_buffer_next(&at))
			if (at.b.kind == GSC_BUFFER_RING && !strcmp(at.b.engine, engine->e.name)) {
				fine = hang_detail(engine, GSC_DETAIL_WITNESS, "RING_BUFFER_START",
						   "not in this dump, which has the ring at "
						   "ggtt:0x%llx", LL(at.b.address));
				break;
			}
	if (!fine || !capture_of_dump(engine))
		return err_memory(err);
	for (size_t i = 0; i < ARRAY_SIZE(side_registers) && engine->e.known; i++) {
		const char *title = side_registers[i].title ?: side_registers[i].name;
		struct asking a = { .hang = hang, .engine = engine };

		if ((!side_registers[i].idle && engine->e.state == GSC_ENGINE_IDLE) ||
		    !hang_read(hang, engine->e.name, side_registers[i].name, -1, &a.reg, &a.value))
			continue;
		side_registers[i].say(&a);
		if (!*a.text)
			continue;
		if (!hang_detail(engine, GSC_DETAIL_WITNESS, title, "%s", a.text))
			return err_memory(err);
		engine->details.items[engine->details.count - 1].minor = side_registers[i].minor;
	}
	return GSC_OK;
}
