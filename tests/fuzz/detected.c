/* SPDX-License-Identifier: MIT */
/* A file in a detected format, or in the one that FUZZ_PREFIX names: the seeds decide. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_explore(fuzz_open_bytes(FUZZ_PREFIX, data, size, NULL), data, size);
	return 0;
}
