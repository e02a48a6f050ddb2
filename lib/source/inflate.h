/* SPDX-License-Identifier: MIT */
/* Compressed inputs: which they are, and inflating them through libraries loaded when needed. */
#ifndef GSC_INFLATE_H
#define GSC_INFLATE_H

#include "util/util.h"

/* Takes all inflated bytes in order; a status other than GSC_OK stops. */
struct sink {
	enum gsc_status (*write)(struct sink *sink, const uint8_t *data, size_t size,
				 struct gsc_error *err);
};

struct inflation {
	const char *name;		/* of the input, for errors */
	const uint8_t *data;
	size_t size;
	struct sink *sink;
	const char *damage;		/* set where the data is cut or broken */
	uint64_t damage_at;
};

bool is_compressed(const uint8_t *data, size_t size);

/* GSC_OK too where the data is damaged: what came before has gone to the sink. */
enum gsc_status inflate_all(struct inflation *job, struct gsc_error *err);

#endif
