/* SPDX-License-Identifier: MIT */
/* All that the library finds in a source, to compare two that should show the same GPU. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "source/source.h"

/* What was found, in numbers that depend on all of it. */
struct found {
	uint64_t registers, statuses, maps, ranges, commands, names, steps;
	char signature[256], verdict[512];
	bool hang, follows;
};

struct found find_all(struct gsc_source *source);
/* `whole`: also what is in tables that are there only in part. */
void check_same(const struct found *found, const struct found *expected, bool whole);

#endif
