/* SPDX-License-Identifier: MIT */
/* Sizes for the eye. */
#ifndef HUMAN_SIZE_H
#define HUMAN_SIZE_H

#include <stddef.h>
#include <stdint.h>

/* "168 bytes", "16 KB": for the eye. */
const char *human_size(uint64_t bytes, char *buf, size_t size);

#endif
