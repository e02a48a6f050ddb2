/* SPDX-License-Identifier: MIT */
/*
 * batch-make raw|trace PLATFORM BYTES FILE: a batch of the render engine, made of all its defined
 * commands in random order, with documented values in their fields; as dwords, or as a memory trace
 * (Gen11+) with one submission, page tables, a context and a ring that starts it.
 */
#include "command-maker.h"
#include "db/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END 0x05000000u
#define MORE 5			/* how often repeating parts repeat */

static FILE *file;

static void die(const char *what)
{
	fprintf(stderr, "batch-make: %s\n", what);
	exit(1);
}

static void put(const void *data, size_t size)
{
	if (fwrite(data, 1, size, file) != size)
		die("cannot write");
}

/* ---- the batch ------------------------------------------------------------------------------ */

/*
 * Nothing that leads out of the batch; nothing that aubinator does not know on Gen12, because it
 * takes the dwords of such a command for commands, and the first that looks like a batch start for
 * one.
 */
static bool wanted(const struct made_command *c)
{
	static const char *const out[] = {
		"MI_BATCH_BUFFER_END", "MI_BATCH_BUFFER_START", "MI_BATCH_BUFFER",
		"MI_CONDITIONAL_BATCH_BUFFER_END",
		"3DSTATE_AMFS", "3DSTATE_AMFS_TEXTURE_POINTERS", "3DSTATE_CONSTANT_TS_POINTER",
		"3DSTATE_PTBR_TILE_PASS_INFO", "GPGPU_CSR_BASE_ADDRESS", "MI_UPDATE_GTT",
		"STATE_CONTEXT_DATA_BASE_ADDRESS",
	};

	for (size_t i = 0; i < sizeof(out) / sizeof(*out); i++)
		if (!strcmp(c->item.name, out[i]))
			return false;
	return true;
}

/* The shortest possible length, and some with a few more of what repeats. */
static unsigned length_of(struct maker *m, const struct made_command *c)
{
	unsigned lo = maker_length(c, 0), hi = maker_length(c, 1), length;
	struct gsc_field_iter it;
	struct gsc_repeat repeat;

	if (!hi || !gsc_item_repeat(m->db, m->view, &c->item, 0, &repeat, &it) || !repeat.size)
		return lo;
	length = lo + maker_random(m) % MORE * repeat.size;
	return length < hi ? length : lo;
}

static size_t make_batch(struct maker *m, uint32_t *words, size_t count)
{
	size_t used = 0;

	while (used + MADE_MAX + 1 < count) {
		const struct made_command *c = &m->commands[maker_random(m) % m->count];

		if (wanted(c)) {
			unsigned length = length_of(m, c);

			if (maker_make(m, c, length, MAKER_LEGAL, words + used))
				used += length;
		}
	}
	while (used + 1 < count)
		words[used++] = 0;
	words[used++] = END;
	return used;
}

/* ---- the trace ------------------------------------------------------------------------------ */

enum { GGTT, PHYSICAL = 2, GGTT_ENTRY = 4 };

#define PAGE 4096u
#define RING 0x10000u		/* graphics addresses in the global table, and physical */
#define CONTEXT 0x20000u
#define PML4 0x100000u
#define BATCH 0x1000000u	/* per-process and physical */

static void word(uint32_t value)
{
	put(&value, sizeof(value));
}

static void version(void)
{
	char text[64];
	size_t size;

	snprintf(text, sizeof(text), "PCI-ID=0x9a49\n");
	size = (strlen(text) + 3) / 4;
	word(0xf70e0000 | (uint32_t)(4 + size));
	word(1);
	word(0);
	word(0);
	word(0);
	memset(text + strlen(text), 0, sizeof(text) - strlen(text));
	put(text, size * 4);
}

static void memory(unsigned space, uint64_t address, const void *data, uint32_t size)
{
	word(0xf7060000 | (4 + size / 4));
	word((uint32_t)address);
	word((uint32_t)(address >> 32));
	word(space << 28);
	word(size);
	put(data, size);
}

static void reg(uint32_t offset, uint32_t value)
{
	word(0xf7030005);
	word(offset);
	word(0x00020000);
	word(0xffffffff);
	word(0);
	word(value);
}

static void entry(unsigned space, uint64_t address, uint64_t value)
{
	memory(space, address, &value, 8);
}

static void tables(size_t bytes)
{
	entry(PHYSICAL, PML4, (PML4 + PAGE) | 3);
	entry(PHYSICAL, PML4 + PAGE, (PML4 + 2 * PAGE) | 3);
	for (size_t at = 0; at < bytes; at += PAGE) {
		uint64_t address = BATCH + at, directory = address >> 21;
		uint64_t table = PML4 + (3 + (directory - (BATCH >> 21))) * PAGE;

		if (!at || !(address & 0x1fffff))
			entry(PHYSICAL, PML4 + 2 * PAGE + directory * 8, table | 3);
		entry(PHYSICAL, table + (address >> 12 & 511) * 8, address | 3);
	}
	entry(GGTT_ENTRY, RING / PAGE * 8, RING | 1);
	for (uint32_t i = 0; i < 4; i++)
		entry(GGTT_ENTRY, (CONTEXT / PAGE + i) * 8, (CONTEXT + i * PAGE) | 1);
}

/* The lists of registers where every context of Gen12 has them. */
static void context(uint32_t tail)
{
	static const uint32_t pairs[][2] = {
		{ 2, 0x2244 }, { 4, 0x2034 }, { 6, 0x2030 }, { 8, 0x2038 }, { 10, 0x203c },
		{ 48, 0x2274 }, { 50, 0x2270 },
	};
	uint32_t image[PAGE / 4] = { [1] = 0x11001009, [47] = 0x11001003, [52] = END };

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		image[pairs[i][0]] = pairs[i][1];
	image[7] = tail;
	image[9] = RING;
	image[11] = 1;
	image[51] = PML4;
	memory(GGTT, CONTEXT + PAGE, image, sizeof(image));
}

static void trace(const uint32_t *words, size_t count)
{
	static const uint32_t ring[] = { 0x18800101, BATCH, 0, 0 };

	version();
	tables(count * 4);
	for (size_t at = 0; at < count; at += PAGE / 4) {
		size_t left = count - at < PAGE / 4 ? count - at : PAGE / 4;

		memory(PHYSICAL, BATCH + at * 4, words + at, (uint32_t)left * 4);
	}
	context(sizeof(ring));
	memory(GGTT, RING, ring, sizeof(ring));
	reg(0x2510, CONTEXT | 0x339);
	reg(0x2514, 0);
	reg(0x2550, 1);
}

int main(int argc, char **argv)
{
	size_t bytes = argc == 5 ? strtoul(argv[3], NULL, 0) & ~UINT64_C(3) : 0;
	struct gsc_platform platform;
	struct maker m;
	struct gsc_db *db;
	uint32_t *words;
	int device;

	if (bytes < 16384 || (strcmp(argv[1], "raw") && strcmp(argv[1], "trace")))
		die("usage: batch-make raw|trace PLATFORM BYTES FILE");
	words = malloc(bytes);
	file = fopen(argv[4], "wb");
	if (!words || !file || gsc_db_new(&db, NULL) ||
	    gsc_platform_find(db, argv[2], &platform, &device, NULL) ||
	    !maker_open(&m, db, platform.index, 0, 20080))
		die("cannot begin");
	make_batch(&m, words, bytes / 4);
	if (!strcmp(argv[1], "raw"))
		put(words, bytes);
	else
		trace(words, bytes / 4);
	if (fclose(file))
		die("cannot write");
	maker_close(&m);
	gsc_db_free(db);
	free(words);
	return 0;
}
