/* SPDX-License-Identifier: MIT */
/* The order in which a source is examined, and the reading of registers for every part of that. */
#include "hang/engine.h"
#include "hang/reach.h"

#include "batch/batch.h"
#include "log/ecode.h"
#include "regs/regs.h"

/* ---- reading -------------------------------------------------------------------------------- */

bool hang_read_reg(const struct gsc_hang *hang, const struct gsc_reg *reg, uint64_t *value)
{
	enum gsc_read read = gsc_gpu_read(hang->gpu, reg, value);
	struct hang_tally *tally = hang->tally;
	uint64_t *asked;

	/* It counts once, however often it is asked. */
	for (size_t i = 0; i < tally->asked.count; i++)
		if (tally->asked.items[i] == reg->offset)
			return read == GSC_READ_OK;
	asked = read != GSC_READ_ABSENT ? vec_add(&tally->asked) : NULL;
	if (asked)
		*asked = reg->offset;
	tally->of[read]++;
	tally->woken += read == GSC_READ_OK && reg->wake;
	return read == GSC_READ_OK;
}

bool hang_read(const struct gsc_hang *hang, const char *engine, const char *name, int index,
	       struct gsc_reg *reg, uint64_t *value)
{
	struct gsc_reg own;

	reg = reg ? reg : &own;
	return gpu_find(hang->gpu, engine, name, index, reg) && hang_read_reg(hang, reg, value);
}

bool hang_root(const struct gsc_hang *hang, const char *engine, struct gsc_root *root)
{
	return !gsc_root_engine(hang->gpu, engine, root, NULL);
}

/* ---- engines -------------------------------------------------------------------------------- */

bool hang_detail(struct hang_engine *engine, enum gsc_detail_kind kind, const char *name,
		 const char *format, ...)
{
	struct gsc_detail *detail = vec_add(&engine->details);
	va_list args;

	if (!detail)
		return false;
	/* By kind, in whatever order they were added. */
	for (; detail > engine->details.items && detail[-1].kind > kind; detail--)
		detail[0] = detail[-1];
	memset(detail, 0, sizeof(*detail));
	detail->kind = kind;
	string_set(detail->name, "%s", name);
	va_start(args, format);
	vsnprintf(detail->text, sizeof(detail->text), format, args);
	va_end(args);
	return true;
}

/* The fence registers that the source has. */
static enum gsc_status read_fences(struct gsc_hang *hang, struct gsc_error *err)
{
	struct gsc_reg reg;
	uint64_t raw;

	for (unsigned i = 0; i < hang->gpu->platform.fences; i++) {
		struct gsc_fence *fence;

		if (!hang_read(hang, NULL, "FENCE", (int)i, &reg, &raw))
			continue;
		fence = vec_add(&hang->fences);
		if (!fence)
			return err_memory(err);
		gsc_fence_decode(hang->gpu->view, i, raw, fence);
	}
	return GSC_OK;
}

/* Its platform has more than the GPU: the driver does not list it, and it has no register here. */
static bool is_absent(const struct gsc_hang *hang, const char *name)
{
	struct gsc_reg reg;
	uint64_t value;

	return !driver_may_have_engine(hang->gpu->source, name) &&
	       (!gpu_find(hang->gpu, name, "RING_BUFFER_HEAD", -1, &reg) ||
		gsc_gpu_read(hang->gpu, &reg, &value) == GSC_READ_ABSENT);
}

static enum gsc_status list_engines(struct gsc_hang *hang, struct gsc_error *err)
{
	const struct gsc_view *view = hang->gpu->view;
	struct hang_engine one = { .hang = hang };
	struct gsc_engine_place found;
	const char *name;

	for (size_t i = 0; (name = gsc_platform_engine(view->db, view->platform, i, &found)); i++) {
		struct hang_engine *engine;

		if (is_absent(hang, name))
			continue;
		engine = vec_add(&hang->engines);
		if (!engine)
			return err_memory(err);
		*engine = one;
		engine->e.name = name;
		engine->class = found.engine_class;
		engine->instance = found.instance;
		engine->base = found.base;
	}
	return GSC_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* If no engine has IPEHR, the code of the hang is all that is known about the command. */
static enum gsc_status tell_code(struct gsc_hang *hang, struct gsc_error *err)
{
	const struct gsc_view *view = hang->gpu->view;
	const char *headline = hang->facts.headline;
	struct driver_fact *fact;
	struct gsc_ecode ecode;
	size_t next;

	for (size_t n = 0; n < hang->engines.count; n++)
		if (hang->engines.items[n].e.known & GSC_KNOWN_IPEHR)
			return GSC_OK;
	if (!gsc_ecode_read(view->db, view, headline, strlen(headline), &ecode, &next))
		return GSC_OK;
	fact = vec_add(&hang->facts.about);
	if (!fact)
		return err_memory(err);
	*fact = (struct driver_fact){ .a.name = "code" };
	gsc_ecode_text(view->db, &ecode, fact->a.text, sizeof(fact->a.text));
	return GSC_OK;
}

static enum gsc_status ask(struct gsc_hang *hang, struct gsc_error *err)
{
	static enum gsc_status (*const questions[])(struct gsc_hang *, struct gsc_error *) = {
		list_engines, hang_faults, hang_errors, hang_requests, hang_engines,
		hang_stopped, read_fences, hang_places, hang_endless, hang_objects,
	};
	enum gsc_status status = driver_facts_read(&hang->facts, hang->gpu->source, err);
	const char *log;
	size_t size = 0;

	for (size_t i = 0; !status && i < ARRAY_SIZE(questions); i++)
		status = questions[i](hang, err);
	for (size_t i = 0; !status && i < hang->engines.count; i++)
		status = hang_side_registers(hang, &hang->engines.items[i], err);
	if (!status)
		status = tell_code(hang, err);
	if (!status)
		status = hang_guc(hang, err);
	if (!status) {
		hang_limits(hang);
		hang_verdict(hang);
		log = gsc_source_log(hang->gpu->source, &size);
		firmware_read(&hang->firmware, hang->gpu->view->db, hang->gpu->source,
			      slice_of(log, size), UINT64_C(1) << hang->gpu->platform.index);
	}
	return status;
}

/* NULL if memory is out. */
static struct gsc_hang *hang_of(const struct gsc_gpu *gpu)
{
	struct gsc_hang *hang = calloc(1, sizeof(*hang));

	if (!hang)
		return NULL;
	hang->tally = calloc(1, sizeof(*hang->tally));
	if (!hang->tally) {
		free(hang);
		return NULL;
	}
	hang->gpu = gpu;
	return hang;
}

enum gsc_status hang_motion(const struct gsc_gpu *gpu, motion_fn *fn, void *context,
			    struct gsc_error *err)
{
	struct gsc_hang *hang = hang_of(gpu);
	enum gsc_status status = hang ? list_engines(hang, err) : err_memory(err);

	if (!status)
		status = engines_watch(hang, err);
	for (size_t i = 0; !status && i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];

		if (engine->motion != MOTION_UNKNOWN)
			fn(context, engine->e.name, engine->motion == MOTION_MOVES,
			   engine->watched);
	}
	gsc_hang_free(hang);
	return status;
}

enum gsc_status gsc_hang_new(struct gsc_hang **out, const struct gsc_gpu *gpu,
			     const struct gsc_hang_options *options, struct gsc_error *err)
{
	enum gsc_status status = gpu_needs_source(gpu, err);
	struct gsc_error own = { 0 };	/* what is absent is not an error of the whole */
	struct gsc_hang *hang;

	*out = NULL;
	if (status)
		return status;
	hang = hang_of(gpu);
	if (!hang)
		return err_memory(err);
	if (options)
		hang->options = *options;
	status = gsc_commands_new(&hang->set, gpu, &own);
	if (!status)
		status = ask(hang, &own);
	if (!status && hang->set->memory_out)
		status = err_memory(&own);
	if (status) {
		if (err)
			*err = own;
		gsc_hang_free(hang);
		return status;
	}
	*out = hang;
	return GSC_OK;
}

void gsc_hang_free(struct gsc_hang *hang)
{
	if (!hang)
		return;
	for (size_t i = 0; i < hang->engines.count; i++) {
		vec_free(&hang->engines.items[i].details);
		vec_free(&hang->engines.items[i].done);
		free(hang->engines.items[i].words);
	}
	vec_free(&hang->engines);
	hang_causes_free(hang);
	gsc_commands_free(hang->set);
	hang_tables_free(&hang->tables);
	vec_free(&hang->faults);
	vec_free(&hang->errors);
	vec_free(&hang->fences);
	driver_facts_free(&hang->facts);
	vec_free(&hang->tally->asked);
	free(hang->tally);
	free(hang);
}

/* ---- what was found ------------------------------------------------------------------------- */

/* If registers sleep, those that never do still have values, which say nothing. */
size_t gsc_hang_reads(const struct gsc_hang *hang, enum gsc_read status)
{
	if (status == GSC_READ_OK && hang->tally->of[GSC_READ_ASLEEP])
		return hang->tally->woken;
	return (unsigned)status < ARRAY_SIZE(hang->tally->of) ? hang->tally->of[status] : 0;
}

const char *gsc_hang_signature(const struct gsc_hang *hang)
{
	return hang->signature;
}

const char *gsc_hang_verdict(const struct gsc_hang *hang)
{
	return hang->verdict;
}

const char *gsc_engine_state_word(enum gsc_engine_state state)
{
	static const char *const words[] = {
		[GSC_ENGINE_UNKNOWN] = "unknown", [GSC_ENGINE_IDLE] = "idle",
		[GSC_ENGINE_RUNNING] = "running", [GSC_ENGINE_WAITING] = "waiting",
		[GSC_ENGINE_HUNG] = "hung",
	};

	return (unsigned)state < ARRAY_SIZE(words) ? words[state] : NULL;
}
