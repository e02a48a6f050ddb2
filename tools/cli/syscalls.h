/* SPDX-License-Identifier: MIT */
/* syscalls.c: what the kernel still does for a confined command. */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdbool.h>

/*
 * From here on only listed system calls, with their arguments checked; `device`: including those
 * for reading a device; `writing`: it is also written to. PR_SET_NO_NEW_PRIVS is set. False: the
 * kernel has no filters, or this build wants none.
 */
bool syscalls_limit(bool device, bool writing);
/* Would it? A sanitizer makes calls that no command makes. */
bool syscalls_filtered(void);

#endif
