/* SPDX-License-Identifier: MIT */
/* The firmware that a driver found, and the one that it wants. */
#ifndef GSC_HANG_FIRMWARE_H
#define GSC_HANG_FIRMWARE_H

#include "db/firmware.h"
#include "formats/facts.h"

/* What a log or a dump says about one file, and what the definitions add. "": unknown. */
struct gsc_firmware {
	enum firmware_kind kind;
	char path[64], found[32];
	char wanted[64];		/* a version, or the path of a file of any version */
	char driver[8], kernel[32];
	const char *state;		/* "as wanted", "too old", "newer than wanted", ... */
};

#define FIRMWARE_MOST 12

struct gsc_firmwares {
	struct gsc_firmware items[FIRMWARE_MOST];
	size_t count;
	char packages[600];		/* that have it: "intel-gpu-firmware (Fedora), ..." */
	bool one_system;		/* only those of the kernel's distribution */
};

/*
 * Reads a source and a log, of which either may be NULL. `platforms`: that the GPU can be of, a bit
 * each; 0: any.
 */
void firmware_read(struct gsc_firmwares *all, const struct gsc_db *db,
		   const struct gsc_source *source, struct slice log, uint64_t platforms);
/* "i915/tgl_guc_70.bin: xe of Linux 6.12 wants 70.29.2, found 70.20.0: too old" */
const char *firmware_text(const struct gsc_firmware *f, char *buf, size_t size);
/* Whether it may have to do with what the signature names. */
bool firmware_matters(const struct gsc_firmware *f, const char *signature);

#endif
