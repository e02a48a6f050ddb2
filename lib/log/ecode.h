/* SPDX-License-Identifier: MIT */
/* The code of a hang as i915 writes it, for the readers of logs and dumps. */
#ifndef GSC_LOG_ECODE_H
#define GSC_LOG_ECODE_H

#include "log/log.h"

struct ecode {
	uint64_t generation, engines, code;
	bool has_generation, has_engines, has_code;
	bool classes;			/* `engines` is a mask of them, else a number */
};

/* Takes it from the beginning of a text. */
struct ecode ecode_take(struct slice *text);
/* With the rest of its line, and everything that follows from both. */
void ecode_fill(const struct gsc_db *db, const struct gsc_view *view, const struct ecode *e,
		struct slice rest, struct gsc_ecode *ecode);

#endif
