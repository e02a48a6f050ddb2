/* SPDX-License-Identifier: MIT */
/*
 * Commands: platform, engine, flags, then dwords. They are at 0x1000, and in memory to which global
 * and process addresses up to 64 KB lead, so that batches start each other and state is found.
 */
#include "fuzz.h"
#include "batch/run.h"
#include "source/source.h"

#include <string.h>

#define WORDS 2048
#define ADDRESS 0x1000
#define MEMORY 0x10000
#define PAGE 4096

enum flag {
	IN_MEMORY = 1 << 0,		/* a batch of the source, otherwise given dwords */
	PAST_END = 1 << 1,
	NO_FOLLOW = 1 << 2,
	MARKED = 1 << 3,
};

/* Each page of the global table is the one of that number. */
static void identity(uint8_t *ggtt, size_t size, unsigned entry)
{
	memset(ggtt, 0, size);
	for (size_t i = 0; i < MEMORY / PAGE; i++) {
		ggtt[i * entry] = 1;
		ggtt[i * entry + 1] = (uint8_t)(i << 4);
		ggtt[i * entry + 2] = (uint8_t)(i >> 4);
	}
}

static struct gsc_source *open_memory(const uint32_t *words, const struct gsc_platform *platform)
{
	static uint8_t memory[MEMORY], ggtt[MEMORY / PAGE * 8];
	char specs[2][80];
	const char *list[] = { specs[0], specs[1] };

	identity(ggtt, sizeof(ggtt), platform->ggtt_entry);
	for (size_t at = ADDRESS; at + WORDS * 4 <= MEMORY; at += WORDS * 4)
		memcpy(memory + at, words, WORDS * 4);
	snprintf(specs[0], sizeof(specs[0]), "mem:%s", fuzz_file(0, memory, MEMORY));
	snprintf(specs[1], sizeof(specs[1]), "ggtt:%s",
		 fuzz_file(1, ggtt, MEMORY / PAGE * platform->ggtt_entry));
	return fuzz_open(list, 2, platform->name);
}

static const char *engine_of(unsigned platform, unsigned number)
{
	unsigned count = 0;

	while (gsc_platform_engine(fuzz_db(), platform, count, NULL))
		count++;
	return count ? gsc_platform_engine(fuzz_db(), platform, number % count, NULL) : NULL;
}

static void follow(struct gsc_source *source, unsigned platform, const uint32_t *words,
		   size_t count, unsigned flags, const struct gsc_follow_options *options)
{
	const struct gsc_gpu *gpu = fuzz_gpu(source, fuzz_view(platform));
	struct gsc_commands *set = fuzz_commands(platform);
	struct gsc_error err = { 0 };
	struct gsc_listener listener;
	struct fuzz_told told;
	enum gsc_status status;

	fuzz_told_begin(&told, &listener, fuzz_view(platform), set);
	if (flags & IN_MEMORY)
		status = gsc_follow_address(set, gpu, ADDRESS, false, options, &listener, &err);
	else
		status = gsc_follow_words(set, gpu, ADDRESS, words, count, options, &listener,
					  &err);
	if (status)
		fuzz_check_error(&err, status);
	fuzz_told_end(&told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint32_t words[WORDS];
	const struct gsc_mark marks[] = { { "HEAD", ADDRESS + 4 }, { "ACTHD", ADDRESS + 64 } };
	struct gsc_follow_options options = { .mark_count = 0 };
	struct fuzz_input in = { data, size };
	unsigned platform = fuzz_platform(fuzz_take(&in, 1)), flags;
	struct gsc_platform facts;
	struct gsc_source *source;
	size_t count;

	options.engine = engine_of(platform, (unsigned)fuzz_take(&in, 1));
	flags = (unsigned)fuzz_take(&in, 2);
	options.past_end = flags & PAST_END;
	options.no_follow = flags & NO_FOLLOW;
	options.marks = flags & MARKED ? marks : NULL;
	options.mark_count = flags & MARKED ? 2 : 0;
	count = in.size / 4 < WORDS ? in.size / 4 : WORDS;
	memset(words, 0, sizeof(words));
	memcpy(words, in.data, count * 4);
	gsc_platform_at(fuzz_db(), platform, &facts);
	source = open_memory(words, &facts);
	FUZZ_REQUIRE(source);
	follow(source, platform, words, count, flags, &options);
	gsc_source_close(source);
	return 0;
}
