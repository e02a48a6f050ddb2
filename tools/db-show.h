/* SPDX-License-Identifier: MIT */
/* gpu-db show: its two forms of output. */
#ifndef DB_SHOW_H
#define DB_SHOW_H

#include "db.h"

/* Where the registers of a definition lie on the platform of the view: all of them in a row. */
struct show_regs {
	const struct gsc_view *view;
	uint32_t def;
	size_t next;
};

bool show_reg_next(struct show_regs *regs, struct gsc_reg *reg);

void show_text(const struct common *common, const struct gsc_item *item);
void show_json(const struct common *common, struct gsc_json *json, const struct gsc_item *item);

#endif
