/* SPDX-License-Identifier: MIT */
/*
 * Base 85 as kernels print memory: each dword as five digits from `!` on, the highest first, and
 * zero as `z`. Text may arrive in pieces that end anywhere.
 */
#ifndef GSC_ASCII85_H
#define GSC_ASCII85_H

#include "util/util.h"

typedef VEC(uint8_t) byte_vec;

struct ascii85 {
	uint64_t value;			/* of the digits of an incomplete group */
	unsigned digits;
	bool memory_out;
};

/* A digit, or the short form of zero. */
static inline bool is_ascii85(char c)
{
	return (c >= '!' && c <= 'u') || c == 'z';
}

/*
 * Appends the little-endian dwords of a text; blanks in it do not count. Returns how many
 * characters were good: the next one is no digit, or its group is more than a dword.
 */
size_t ascii85_decode(struct ascii85 *state, const char *text, size_t length, byte_vec *out);
/* How many bytes that is, or 0 if it contains anything else. Groups are not looked at. */
uint64_t ascii85_bytes(const char *text, size_t length);

#endif
