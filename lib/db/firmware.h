/* SPDX-License-Identifier: MIT */
/* The firmware that drivers want, by platform and kernel, and the packages that have it. */
#ifndef GSC_FIRMWARE_H
#define GSC_FIRMWARE_H

#include "db/item.h"
#include "util/text.h"

/* A file; or a package, whose kind is FIRMWARE_PACKAGE. */
struct gsc_firmware_file {
	struct gsc_item item;		/* name: path or package; doc: where alone, or the system */
	enum firmware_kind kind;
	const char *word;		/* for it */
	const char *driver;		/* NULL: both */
	const char *wants, *least;	/* "70.44.1"; NULL: any */
	const char *kernel;		/* "6.12..7.3"; of a package words, or NULL */
};

/* The one after *at, which begins as 0; a driver tries them in this order. */
GSC_API bool gsc_firmware_next(const struct gsc_db *db, size_t *at, struct gsc_firmware_file *f);

/* By its name: "i915/tgl_guc_70.bin"; FIRMWARE_KINDS: none. */
enum firmware_kind firmware_kind(struct slice path);
/* The platforms that load files of such a name, a bit each; 0: unknown. */
GSC_API uint64_t firmware_platforms(const struct gsc_db *db, struct slice path);

/* The next version in a text, "70.5.1", with at least one dot; the text is advanced past it. */
bool firmware_version(struct slice *text, struct slice *version);
/* Below, above or equal, by as many numbers as both have. */
int firmware_compare(const char *a, const char *b);
/* Whether "6.12..7.3" has a kernel. */
bool firmware_kernel(const char *range, const char *kernel);

#endif
