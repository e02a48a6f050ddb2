/* SPDX-License-Identifier: MIT */
/* Libraries that only some inputs need, loaded when they are, so that no start-up pays for them. */
#ifndef GSC_DYNLIB_H
#define GSC_DYNLIB_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>

struct gsc_error;

/*
 * Loads a library and looks up functions by name, in order, into `functions`: a struct of `count`
 * function pointers. NULL on failure, with err filled; otherwise what dynlib_close() takes.
 */
void *dynlib_open(const char *soname, const char *const *names, void *functions, size_t count,
		  struct gsc_error *err);
void dynlib_close(void *library);

/* Libraries that are loaded when needed. */
enum gsc_libraries {
	GSC_LIBRARY_ZLIB = 1 << 0,
	GSC_LIBRARY_ZSTD = 1 << 1,
	GSC_LIBRARIES_DEVICE = 1 << 2,	/* libpciaccess, libdrm */
};

/* Loads them now, for a program that gives up opening files. A missing one is reported later. */
GSC_API void gsc_load_libraries(unsigned libraries);

#endif
