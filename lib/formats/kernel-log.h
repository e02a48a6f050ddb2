/* SPDX-License-Identifier: MIT */
/* Lines of a kernel's log, by their form. */
#ifndef GSC_KERNEL_LOG_H
#define GSC_KERNEL_LOG_H

#include "db/platform.h"
#include "text/clean.h"

/* What i915 and xe write, for those who undo what mails and terminals made of it. */
extern const struct clean_words kernel_log_words;

/* It begins with a time of the kernel, or is a driver's message. */
bool kernel_log_line(struct slice line);
/* "[  100.1]", "i915 0000:00:02.0: ": what precedes a message, but is in none. */
bool kernel_log_front(struct slice text);
/* The next file of firmware of which a driver tells, as "i915/tgl_guc_70.bin". */
bool kernel_log_firmware(struct slice log, struct slice *rest, struct slice *path);

/*
 * By the PCI id of a GPU that the log names (in *device, or -1), or by the firmware that it loads.
 */
bool kernel_log_platform(const struct gsc_db *db, struct slice log, struct gsc_platform *platform,
			 int *device);

#endif
