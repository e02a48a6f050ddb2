/* SPDX-License-Identifier: MIT */
/* A program that is read. */
#ifndef GSC_EU_PROGRAM_H
#define GSC_EU_PROGRAM_H

#include "eu/labels.h"

struct gsc_eu {
	struct eu_isa *isa;
	enum gsc_eu_syntax syntax;
	VEC(struct gsc_item) structures;	/* EU_*, those of the platform */
};

struct gsc_program {
	const struct gsc_eu *eu;
	const uint8_t *data;
	size_t size, at;
	struct eu_labels labels;
	struct eu_instruction in;	/* that which was given last */
	struct eu_message message;	/* of it */
};

#endif
