/* SPDX-License-Identifier: MIT */
/* Lines of a kernel's log, by their shape. */
#ifndef GSC_KERNEL_LOG_H
#define GSC_KERNEL_LOG_H

#include "gpuscope.h"

#include <stdbool.h>
#include <stddef.h>

/* A time of the kernel stands in front, or it is a driver's message. */
bool kernel_log_line(const char *text, size_t length);

/* The PCI id of the first GPU that the log names and the database knows, or -1. */
int kernel_log_device(const struct gsc_db *db, const char *text, size_t size);

#endif
