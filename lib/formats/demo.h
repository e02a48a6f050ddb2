/* SPDX-License-Identifier: MIT */
/* The built-in captures, made by tests/demo and embedded by the build. */
#ifndef GSC_DEMO_H
#define GSC_DEMO_H

#include "private.h"

extern const struct gsc_demo demo_table[];
extern const size_t demo_count;

struct blob;

/* One of them as an input. */
enum gsc_status demo_open(struct blob *blob, const char *name, struct gsc_error *err);

#endif
