/* SPDX-License-Identifier: MIT */
/* A capture: a tar whose headers have correct sums, or those of the input. */
#include "fuzz.h"
#include "source/source.h"

#include <string.h>

#define BLOCK 512
#define SUM_AT 148

/* So that the data after a header is reached, although the header was changed. */
static void set_sum(uint8_t *header)
{
	unsigned sum = 0;

	memset(header + SUM_AT, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += header[i];
	for (unsigned i = 0; i < 6; i++)
		header[SUM_AT + i] = (uint8_t)('0' + (sum >> 3 * (5 - i) & 7));
	header[SUM_AT + 6] = 0;
}

static void set_sums(uint8_t *data, size_t size)
{
	for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
		if (!memcmp(data + at + 257, "ustar", 5))
			set_sum(data + at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gsc_source *source;
	uint8_t *copy = malloc(size + 1);

	FUZZ_REQUIRE(copy);
	memcpy(copy, data, size);
	if (size % 8)
		set_sums(copy, size);
	source = fuzz_open_bytes("", copy, size, NULL);
	if (source && gsc_source_platform(source) >= 0 && size % 3 == 0)
		fuzz_save(source, fuzz_view((unsigned)gsc_source_platform(source)),
			  (unsigned)size / 3);
	fuzz_explore(source, copy, size);
	free(copy);
	return 0;
}
