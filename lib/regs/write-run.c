/* SPDX-License-Identifier: MIT */
/* Doing what a plan says. */
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
		       "not written, as what is there could not be read: %s", gsc_read_word(why));
}

/* A reserved bit that is not set is not set by chance, either. */
static enum gsc_status check_agreed(const struct gsc_write_plan *plan,
				    const struct gsc_written *written, struct gsc_error *err)
{
	uint64_t bits = plan->change.agreed & ~written->old;

	if (!bits)
		return GSC_OK;
	return err_set(err, GSC_USAGE, plan->target.name,
		       "bits 0x%llx: must be zero, and are; --force writes them all the same",
		       (unsigned long long)bits);
}

static enum gsc_status open_stores(const struct gsc_write_plan *plan, struct gsc_source *source,
				   struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < plan->count; i++) {
		const struct gsc_write_step *a = &plan->steps[i].access;

		if (a->write)
			status = source_store_open(source, plan->steps[i].wake, a->space,
						   a->address, a->size, err);
	}
	return status;
}

/* Everything that can stand against it, before anything is written. */
static enum gsc_status prepare(const struct gsc_write_plan *plan, struct gsc_source *source,
			       struct gsc_error *err)
{
	int platform = gsc_source_platform(source);

	if (platform >= 0 && (unsigned)platform != plan->target.view->platform)
		return err_set(err, GSC_USAGE, plan->target.name,
			       "planned for another platform than the source is");
	return open_stores(plan, source, err);
}

static enum gsc_status load(struct gsc_write_plan *plan, struct gsc_source *source,
			    enum write_what what, uint64_t *value, struct gsc_error *err)
{
	*value = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct write_step *step = &plan->steps[i];
		enum gsc_read status;
		uint64_t part;

		if (step->what != what)
			continue;
		status = source_load(source, step->wake, step->access.space, step->access.address,
				     step->access.size, &part);
		if (status)
			return unread(plan, status, err);
		*value |= part << step->shift;
	}
	return GSC_OK;
}

static void store(const struct write_step *step, struct gsc_source *source,
		  struct gsc_written *written)
{
	const struct gsc_write_step *a = &step->access;
	uint64_t there = written->old >> step->shift;
	uint64_t value = a->value | (there & a->keep) | (~there & a->flip);

	source_store(source, step->wake, a->space, a->address, a->size, value);
	if (step->what == WRITE_STORE)
		written->value |= value << step->shift;
}

/* What a posting read gives is of no interest. */
static void store_all(struct gsc_write_plan *plan, struct gsc_source *source,
		      struct gsc_written *written)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct write_step *step = &plan->steps[i];
		uint64_t value;

		if (step->access.write)
			store(step, source, written);
		else if (step->what == WRITE_POST)
			source_load(source, step->wake, step->access.space, step->access.address,
				    step->access.size, &value);
	}
}

/* What went wrong once something was stored: has it arrived? */
static enum gsc_status after_stores(const struct gsc_write_plan *plan, struct gsc_source *source,
				    struct gsc_error *err)
{
	struct gsc_error why;

	if (!open_stores(plan, source, &why))
		return GSC_OK;
	return err_set(err, GSC_GONE, plan->target.name,
		       "the device went away while it was written, so nobody knows whether it is: "
		       "%s", why.why);
}

/* Halves that were not written stand as they were. */
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

enum gsc_status gsc_write_run(struct gsc_write_plan *plan, struct gsc_source *source,
			      struct gsc_written *written, struct gsc_error *err)
{
	enum gsc_status status = prepare(plan, source, err);
	bool blind = plan->bits.blind;
	struct timespec now;

	*written = (struct gsc_written){ .reg = plan->target.reg, .forced = plan->force,
					 .bits = plan->change.asked };
	strcpy(written->name, plan->target.name);
	if (!status)
		status = load(plan, source, WRITE_OLD, &written->old, err);
	if (!status)
		status = check_agreed(plan, written, err);
	if (status)
		return status;
	written->has_old = !blind;
	clock_gettime(CLOCK_REALTIME, &now);
	written->time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	written->stored = true;
	store_all(plan, source, written);
	fill_value(plan, written);
	if (blind)
		return after_stores(plan, source, err);
	if (load(plan, source, WRITE_BACK, &written->back, err)) {
		status = after_stores(plan, source, err);
		return status ? status : err_set(err, GSC_PARTIAL, plan->target.name,
						 "written, but it cannot be read back");
	}
	written->has_back = true;
	written->lost = lost_bits(plan, written);
	return GSC_OK;
}
