/* SPDX-License-Identifier: MIT */
/* Executes a plan. */
#include "regs/write.h"
#include "source/source.h"

#include <time.h>

static enum gsc_status unread(const struct gsc_write_plan *plan, enum gsc_read why,
			      struct gsc_error *err)
{
	enum gsc_status status = why == GSC_READ_DENIED ? GSC_DENIED
				 : why == GSC_READ_ABSENT ? GSC_UNKNOWN
							  : GSC_GONE;

	return err_set(err, status, plan->target.name,
		       plan->look_only ? "it could not be read: %s"
				       : "not written, as the current value could not be read: %s",
		       gsc_read_word(why));
}

/* A reserved bit that is not set is not set by chance, either. */
static enum gsc_status check_agreed(const struct gsc_write_plan *plan,
				    const struct gsc_written *written, struct gsc_error *err)
{
	uint64_t bits = plan->change.agreed & ~written->old;

	if (!bits)
		return GSC_OK;
	return err_set(err, GSC_USAGE, plan->target.name,
		       "bits 0x%llx: reserved and now zero, so they are not set; --force sets them "
		       "anyway",
		       (unsigned long long)bits);
}

/* Whoever has made an entry uses it; nobody misses one that is not valid. */
static enum gsc_status check_entry(const struct gsc_write_plan *plan,
				   const struct gsc_written *written, struct gsc_error *err)
{
	if (!plan->careful || !(written->old & 1))
		return GSC_OK;
	return err_set(err, GSC_USAGE, plan->target.name,
		       "not without --force: the entry is valid (0x%llx), so something may use it",
		       (unsigned long long)written->old);
}

/* An undo would destroy what somebody else has written since. */
static enum gsc_status check_since(const struct gsc_write_plan *plan,
				   const struct gsc_write_options *options,
				   struct gsc_written *written, struct gsc_error *err)
{
	written->changed = (written->old ^ plan->left) & plan->since;
	if (!written->changed || options->insist)
		return GSC_OK;
	return err_set(err, GSC_USAGE, plan->target.name,
		       "it has changed since: 0x%llx was left there, 0x%llx is there now; --force "
		       "restores it anyway", (unsigned long long)plan->left,
		       (unsigned long long)written->old);
}

static enum gsc_status open_stores(const struct gsc_write_plan *plan, struct gsc_source *source,
				   struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < plan->count; i++) {
		const struct gsc_write_step *a = &plan->steps[i].access;

		if (a->write)
			status = source_store_open(source, a->space, a->address, a->size, err);
	}
	return status;
}

/* Every objection, before anything is written. */
static enum gsc_status prepare(const struct gsc_write_plan *plan, struct gsc_source *source,
			       struct gsc_error *err)
{
	int platform = gsc_source_platform(source);

	if (platform >= 0 && (unsigned)platform != plan->target.view->platform)
		return err_set(err, GSC_USAGE, plan->target.name,
			       "planned for a different platform from that of the source");
	return open_stores(plan, source, err);
}

/* ---- steps ----------------------------------------------------------------------------------- */

#define WAIT_NANOSECONDS 10000000	/* as long as i915 waits for the sideband */

struct run {
	struct gsc_write_plan *plan;
	struct gsc_source *source;
	struct gsc_written *written;
	uint64_t saved;
	bool has_saved;
	bool moved;			/* the steps that move are 0x20 lower */
	const char *busy;		/* why a step failed, if by waiting */
};

static uint64_t step_address(const struct run *run, const struct write_step *step)
{
	return step->access.address - (step->moves && run->moved ? 0x20 : 0);
}

static enum gsc_read load(const struct run *run, const struct write_step *step, uint64_t *value)
{
	return source_load(run->source, step->access.space, step_address(run, step),
			   step->access.size, value);
}

static uint64_t store(const struct run *run, const struct write_step *step, uint64_t there)
{
	const struct gsc_write_step *a = &step->access;
	uint64_t value = a->value | (there & a->keep) | (~there & a->flip);

	source_store(run->source, a->space, step_address(run, step), a->size, value);
	return value;
}

static enum gsc_read do_old(struct run *run, const struct write_step *step)
{
	uint64_t part = 0;
	enum gsc_read status = load(run, step, &part);

	run->written->old |= part << step->shift;
	return status;
}

static enum gsc_read do_back(struct run *run, const struct write_step *step)
{
	uint64_t part = 0;
	enum gsc_read status = load(run, step, &part);

	run->written->back |= part << step->shift;
	return status;
}

/* What was not read cannot be restored. */
static enum gsc_read do_plain(struct run *run, const struct write_step *step)
{
	if (run->has_saved || !step->access.keep)
		store(run, step, run->saved);
	return GSC_READ_OK;
}

static enum gsc_read do_store(struct run *run, const struct write_step *step)
{
	run->written->stored = true;
	run->written->value |= store(run, step, run->written->old >> step->shift) << step->shift;
	return GSC_READ_OK;
}

/* The value of a posting read is ignored. */
static enum gsc_read do_post(struct run *run, const struct write_step *step)
{
	uint64_t value;

	load(run, step, &value);
	return GSC_READ_OK;
}

static enum gsc_read do_save(struct run *run, const struct write_step *step)
{
	enum gsc_read status = load(run, step, &run->saved);

	run->has_saved = !status;
	return status;
}

static enum gsc_read do_mode(struct run *run, const struct write_step *step)
{
	uint64_t value = 0;
	enum gsc_read status = load(run, step, &value);

	run->moved = !(value & 1);
	return status;
}

/* One last read comes after the time is over: we may have been asleep. */
static enum gsc_read do_wait(struct run *run, const struct write_step *step)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + WAIT_NANOSECONDS;
	enum gsc_read status;
	uint64_t value;
	bool over;

	do {
		over = clock_ns(CLOCK_MONOTONIC) > end;
		status = load(run, step, &value);
	} while (!status && value & step->until && !over);
	run->busy = !status && value & step->until ? step->busy : NULL;
	return run->busy ? GSC_READ_ASLEEP : status;
}

static enum gsc_read (*const doers[])(struct run *run, const struct write_step *step) = {
	[WRITE_OLD] = do_old, [WRITE_PLAIN] = do_plain, [WRITE_STORE] = do_store,
	[WRITE_POST] = do_post, [WRITE_BACK] = do_back, [WRITE_SAVE] = do_save,
	[WRITE_MODE] = do_mode, [WRITE_WAIT] = do_wait,
};

/* Up to one that fails. */
static enum gsc_read run_steps(struct run *run, size_t from, size_t to)
{
	enum gsc_read status = GSC_READ_OK;

	for (size_t i = from; !status && i < to; i++) {
		const struct write_step *step = &run->plan->steps[i];

		status = doers[step->what](run, step);
	}
	return status;
}

static enum gsc_status look(struct run *run, struct gsc_error *err)
{
	enum gsc_read status = run_steps(run, 0, run->plan->looks);

	if (!status)
		return GSC_OK;
	if (run->busy)
		return err_set(err, GSC_GONE, run->plan->target.name, "%s", run->busy);
	return unread(run->plan, status, err);
}

static void put_back(struct run *run)
{
	run_steps(run, run->plan->after, run->plan->count);
}

enum gsc_status look_run(struct gsc_write_plan *plan, struct gsc_source *source, uint64_t *value,
			 struct gsc_error *err)
{
	struct gsc_written written = { .reg = plan->target.reg };
	struct run run = { .plan = plan, .source = source, .written = &written };
	enum gsc_status status = prepare(plan, source, err);

	if (status)
		return status;
	status = look(&run, err);
	put_back(&run);
	*value = written.old;
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* What went wrong after something was stored: has it arrived? */
static enum gsc_status after_stores(const struct gsc_write_plan *plan, struct gsc_source *source,
				    struct gsc_error *err)
{
	struct gsc_error why;

	if (!open_stores(plan, source, &why))
		return GSC_OK;
	return err_set(err, GSC_GONE, plan->target.name,
		       "the device went away during the write, which may or may not have reached "
		       "it: "
		       "%s", why.why);
}

/* Halves that were not written are unchanged. */
static void fill_value(const struct gsc_write_plan *plan, struct gsc_written *written)
{
	uint64_t stored = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (plan->steps[i].what == WRITE_STORE)
			stored |= bits_below(plan->steps[i].access.size * 8)
				  << plan->steps[i].shift;
	written->value |= written->old & ~stored & bits_below(plan->target.reg.bits);
}

static uint64_t lost_bits(const struct gsc_write_plan *plan, const struct gsc_written *written)
{
	const struct write_bits *bits = &plan->bits;
	uint64_t cleared = bits->w1c & written->value & written->back;

	return written->bits & (((written->value ^ written->back) & ~(bits->w1c | bits->wo)) |
				cleared);
}

/* Why there is no value after the stores: it went away, it did not answer, it is not readable. */
static enum gsc_status not_back(const struct run *run, struct gsc_error *err)
{
	enum gsc_status status = after_stores(run->plan, run->source, err);

	if (status)
		return status;
	if (run->busy)
		return err_set(err, GSC_PARTIAL, run->plan->target.name,
			       "it is not known whether it is written: %s", run->busy);
	return err_set(err, GSC_PARTIAL, run->plan->target.name,
		       "written, but it cannot be read back");
}

static enum gsc_status change(struct run *run, struct gsc_error *err)
{
	struct gsc_write_plan *plan = run->plan;
	struct gsc_written *written = run->written;
	enum gsc_read read;

	read = run_steps(run, plan->looks, plan->after);
	put_back(run);
	fill_value(plan, written);
	if (read)
		return not_back(run, err);
	if (plan->bits.blind)
		return after_stores(plan, run->source, err);
	written->has_back = true;
	written->lost = lost_bits(plan, written);
	/* What changes by itself has changed, or has done what it was written for. */
	if (!written->lost || plan->target.reg.flags & GSC_REG_VOLATILE)
		return GSC_OK;
	return err_set(err, GSC_PARTIAL, plan->target.name, "it does not read back as written: "
		       "bits 0x%llx differ",
		       (unsigned long long)written->lost);
}

/* Every objection, once the current value is known. */
static enum gsc_status allow(const struct run *run, const struct gsc_write_options *options,
			     struct gsc_error *err)
{
	struct gsc_written *written = run->written;
	enum gsc_status status = check_agreed(run->plan, written, err);

	written->has_old = !run->plan->bits.blind;
	written->time = clock_ns(CLOCK_REALTIME);
	if (!status)
		status = check_entry(run->plan, written, err);
	if (!status && written->has_old)
		status = check_since(run->plan, options, written, err);
	if (!status && options->before)
		status = options->before(options->context, written, err);
	return status;
}

enum gsc_status gsc_write_run(struct gsc_write_plan *plan, const struct gsc_gpu *gpu,
			      const struct gsc_write_options *options,
			      struct gsc_written *written, struct gsc_error *err)
{
	static const struct gsc_write_options none;
	struct run run = { .plan = plan, .source = gpu->source, .written = written };
	enum gsc_status status = plan->hazard ? write_hazard(plan, err) : GSC_OK;

	*written = (struct gsc_written){ .reg = plan->target.reg, .forced = plan->force,
					 .bits = plan->change.asked,
					 .bar_alias = plan->target.alias };
	strcpy(written->name, plan->target.name);
	if (!status)
		status = gpu_needs_source(gpu, err);
	if (!status)
		status = prepare(plan, gpu->source, err);
	if (status)
		return status;
	status = look(&run, err);
	if (!status)
		status = allow(&run, options ? options : &none, err);
	if (!status)
		return change(&run, err);
	put_back(&run);
	return status;
}
