/* SPDX-License-Identifier: MIT */
/* A file that a reader is found for, or that FUZZ_PREFIX names one for: what it is, seeds tell. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_explore(fuzz_open_bytes(FUZZ_PREFIX, data, size, NULL), data, size);
	return 0;
}
