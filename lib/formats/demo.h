/* SPDX-License-Identifier: MIT */
/* The built-in captures, made by tests/demo and embedded by the build. */
#ifndef GSC_DEMO_H
#define GSC_DEMO_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

/* The built-in captures. */
struct gsc_demo { const char *name, *title; };

GSC_API bool gsc_demo_at(size_t i, struct gsc_demo *demo);

/*
 * A file, packed, because most of it is zeros: runs, each a dword with the number of bytes that
 * follow, these bytes, and a dword with the number of zeros after them.
 */
struct packed_demo {
	struct gsc_demo demo;
	const uint8_t *packed;
	size_t size;			/* packed */
};

extern const struct packed_demo demo_table[];
extern const size_t demo_count;

struct blob;

/* One of them as an input. */
enum gsc_status demo_open(struct blob *blob, const char *name, struct gsc_error *err);

#endif
