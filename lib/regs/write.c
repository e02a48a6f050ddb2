/* SPDX-License-Identifier: MIT */
/* Writes, computed from the definitions. */
#include "regs/regs.h"

enum gsc_status gsc_write_plan_new(struct gsc_write_plan **plan, const struct gsc_view *view,
				   const struct gsc_write *write, struct gsc_error *err)
{
	(void)plan;
	(void)view;
	return err_set(err, GSC_USAGE, write->target, "not there");
}

void gsc_write_plan_free(struct gsc_write_plan *plan)
{
	(void)plan;
}

bool gsc_write_step_at(const struct gsc_write_plan *plan, size_t i, struct gsc_write_step *step)
{
	(void)plan;
	(void)i;
	(void)step;
	return false;
}

enum gsc_status gsc_write_run(struct gsc_write_plan *plan, struct gsc_source *source,
			      struct gsc_written *written, struct gsc_error *err)
{
	(void)plan;
	(void)source;
	(void)written;
	return err_set(err, GSC_USAGE, "write", "not there");
}

enum gsc_status gsc_write_undo(struct gsc_write_plan **plan, const struct gsc_view *view,
			       const struct gsc_written *written, struct gsc_error *err)
{
	(void)plan;
	(void)view;
	return err_set(err, GSC_USAGE, written->name, "not there");
}

const char *gsc_write_plan_name(const struct gsc_write_plan *plan)
{
	(void)plan;
	return "";
}
