/* SPDX-License-Identifier: MIT */
/* A Skylake with a few registers for the tests, and a BAR image that holds them. */
#ifndef REGS_HELPERS_H
#define REGS_HELPERS_H

#include "gpu-for.h"

#define IMAGE_START 0x700000
#define IMAGE_SIZE 0x200

struct bench {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_source *source;
	char *definitions, *image;
};

/* The image is all zero except for `words`, pairs of address and value, ended by 0. */
void bench_open(struct bench *bench, const uint32_t *words);
void bench_close(struct bench *bench);

/* Of selectors separated by blanks; must succeed. */
struct gsc_selection *bench_select(const struct bench *bench, const char *selectors);
struct gsc_rows *bench_read(const struct bench *bench, const struct gsc_selection *selection,
			    bool unsafe);

#endif
