/* SPDX-License-Identifier: MIT */
/* PCI configuration space: bytes of it, and the text of lspci -xxx. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_explore(fuzz_open_bytes("config:", data, size, NULL), data, size);
	fuzz_explore(fuzz_open_bytes("", data, size, NULL), data, size);
	return 0;
}
