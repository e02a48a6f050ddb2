/* SPDX-License-Identifier: MIT */
/* syscalls.c: what the kernel does for a confined command. */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdbool.h>

/*
 * From here on only system calls of a list, with their arguments checked; `device`: with those that
 * reading a device takes; `loading`: with those that load libraries, whose memory is either written
 * or code. PR_SET_NO_NEW_PRIVS is set. False: the kernel has no filters, or this
 * build wants none.
 */
bool syscalls_limit(bool device, bool loading);
/* Would it? A sanitizer calls what no command does. */
bool syscalls_filtered(void);

#endif
