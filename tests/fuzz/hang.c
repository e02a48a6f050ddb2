/* SPDX-License-Identifier: MIT */
/*
 * The state of a GPU, as a hang leaves it: platform, then records of a register and its value, and
 * after a record of zeros the memory that the GGTT shows, page for page.
 */
#include "fuzz.h"

#include <string.h>

#define PAGE 4096
#define MEMORY_MAX 0x8000

struct parts {
	uint8_t *registers, *memory, *ggtt;
	size_t ggtt_size;
};

static void fill_ggtt(struct parts *parts, unsigned entry)
{
	parts->ggtt_size = MEMORY_MAX / PAGE * entry;
	for (size_t i = 0; i < MEMORY_MAX / PAGE; i++) {
		parts->ggtt[i * entry] = 1;
		parts->ggtt[i * entry + 1] = (uint8_t)(i << 4);
	}
}

static struct gsc_source *open_parts(const struct parts *parts, const struct gsc_platform *p)
{
	char specs[3][80];
	const char *list[] = { specs[0], specs[1], specs[2] };

	snprintf(specs[0], sizeof(specs[0]), "bar:%s",
		 fuzz_file(0, parts->registers, FUZZ_REGISTERS));
	snprintf(specs[1], sizeof(specs[1]), "ggtt:%s",
		 fuzz_file(1, parts->ggtt, parts->ggtt_size));
	snprintf(specs[2], sizeof(specs[2]), "mem:%s", fuzz_file(2, parts->memory, MEMORY_MAX));
	return fuzz_open(list, 3, p->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t registers[FUZZ_REGISTERS], memory[MEMORY_MAX], ggtt[MEMORY_MAX / PAGE * 8];
	struct parts parts = { .registers = registers, .memory = memory, .ggtt = ggtt };
	struct fuzz_input in = { data, size };
	unsigned platform = fuzz_platform(fuzz_take(&in, 1));
	struct gsc_source *source;
	struct gsc_platform facts;

	memset(memory, 0, sizeof(memory));
	memset(ggtt, 0, sizeof(ggtt));
	gsc_platform_at(fuzz_db(), platform, &facts);
	fuzz_registers(&in, fuzz_view(platform), registers);
	memcpy(memory, in.data, in.size < MEMORY_MAX ? in.size : MEMORY_MAX);
	fill_ggtt(&parts, facts.ggtt_entry);
	source = open_parts(&parts, &facts);
	FUZZ_REQUIRE(source);
	fuzz_hang(source, fuzz_view(platform));
	fuzz_explore(source, data, size);
	return 0;
}
