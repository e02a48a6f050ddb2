/* SPDX-License-Identifier: MIT */
/* syscalls.c: what the kernel does for a confined command. */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdbool.h>

/*
 * From here on only system calls of a list, with their arguments checked; `device`: with those that
 * reading a device takes; `writing`: it is written to, too. PR_SET_NO_NEW_PRIVS is set. False: the
 * kernel has no filters, or this build wants none.
 */
bool syscalls_limit(bool device, bool writing);
/* Would it? A sanitizer calls what no command does. */
bool syscalls_filtered(void);

#endif
