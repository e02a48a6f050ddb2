/* SPDX-License-Identifier: MIT */
/* What the maker of the filters of system calls (syscalls.c) and the commands agree on. */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdint.h>

/* struct sock_filter; <linux/filter.h> is missing where a C library has its own folder. */
struct filter_step {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

/* Where the filters compare with the number of the process, which only a command knows. */
#define OWN_PROCESS 0x7fbadc0d

#endif
