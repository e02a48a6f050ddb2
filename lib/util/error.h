/* SPDX-License-Identifier: MIT */
/* Statuses and errors; and the mark of what the commands may call. */
#ifndef GSC_ERROR_H
#define GSC_ERROR_H

#include <stdbool.h>

/* What the commands call of a room: the library exports it. */
#define GSC_API __attribute__((visibility("default")))

/* What every function that can fail returns. */
enum gsc_status {
	GSC_OK = 0,
	GSC_FAILED = 1,		/* cannot open, not recognised, damaged beyond use, no GPU */
	GSC_USAGE = 2,		/* the request makes no sense */
	GSC_UNKNOWN = 3,	/* an unknown name, an address that no source holds */
	GSC_DENIED = 4,		/* the kernel refused */
	GSC_GONE = 5,		/* device asleep, suspended or removed */
	GSC_PARTIAL = 6,	/* done, but not all of it */
};

/* What went wrong. A message consists of the member `what`, a colon and the member `why`. */
struct gsc_error {
	enum gsc_status status;
	char what[256];		/* the thing: a file, an option, an address */
	char why[512];		/* the reason, and the way out if there is one */
};

/* Fills the error and returns its status, so that a caller can `return err_set(...)`. */
GSC_API enum gsc_status err_set(struct gsc_error *err, enum gsc_status status, const char *what,
			const char *why, ...) __attribute__((format(printf, 4, 5)));

/* The same from errno, with the matching status (EACCES and EPERM: denied). */
GSC_API enum gsc_status err_errno(struct gsc_error *err, const char *what, int number);

/* Out of memory. */
GSC_API enum gsc_status err_memory(struct gsc_error *err);
GSC_API bool err_is_memory(const struct gsc_error *err);

#endif
