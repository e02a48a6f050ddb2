/* SPDX-License-Identifier: MIT */
/* Lines of a kernel's log, by their shape. */
#ifndef GSC_KERNEL_LOG_H
#define GSC_KERNEL_LOG_H

#include "gpuscope.h"

#include "util/text.h"

/* A time of the kernel stands in front, or it is a driver's message. */
bool kernel_log_line(struct slice line);

/* By the PCI id of a GPU that the log names, or -1 in *device, or by the firmware that it loads. */
bool kernel_log_platform(const struct gsc_db *db, struct slice log, struct gsc_platform *platform,
			 int *device);

#endif
