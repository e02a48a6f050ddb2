/* SPDX-License-Identifier: MIT */
/* gpu-db show: its two forms of output. */
#ifndef DB_SHOW_H
#define DB_SHOW_H

#include "gpu-db.h"

/* The registers of a definition on the platform of a view; perhaps only those with a name. */
struct show_regs {
	const struct gsc_view *view;
	const struct db_name *name;	/* or NULL */
	uint32_t def;
	size_t next;
};

bool show_reg_next(struct show_regs *regs, struct gsc_reg *reg);
/* Is it replicated? The register that steers its reads; its name is NULL without a platform. */
bool show_steering(const struct common *common, const struct gsc_item *item,
		   struct gsc_reg *selector);
/*
 * One per line, "0x002030 rcs0, forcewake render", an array as its first and last element; false if
 * there are none.
 */
bool show_regs_text(struct gsc_out *out, struct show_regs *regs, unsigned column);
void show_regs_json(struct gsc_json *json, struct show_regs *regs);

void show_text(const struct common *common, const struct gsc_item *item);
void show_json(const struct common *common, struct gsc_json *json, const struct gsc_item *item);

#endif
