/* SPDX-License-Identifier: MIT */
/*
 * Page tables of every mode. Input: platform, mode, flags, three pages for roots, then records of
 * one entry each, so that few bytes make tables that lead to each other.
 */
#include "fuzz.h"
#include "gtt/walk.h"
#include "source/source.h"

#include <string.h>

#define PAGES 24
#define PAGE 4096
#define BYTES (PAGES * PAGE)
#define LOW_BITS UINT64_C(0xfff)

enum flag {
	SECOND_LEVEL = 1 << 0,
	TILED = 1 << 1,
	DWORDS = 1 << 2,		/* entries of the records have 4 bytes */
	ENTRIES = 1 << 3,		/* also read them one by one */
	PASID = 1 << 6,			/* the first page is the root table of an IOMMU, too */
};

static void put(uint8_t *memory, uint64_t address, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		memory[address + i] = (uint8_t)(value >> 8 * i);
}

/*
 * Bits 15 of the place: the entry is given whole. Otherwise it leads to a page, mostly one of
 * these.
 */
static uint64_t take_entry(struct fuzz_input *in, uint64_t place)
{
	uint64_t low, page, high;

	if (place & 0x8000)
		return fuzz_take(in, 8);
	low = fuzz_take(in, 2);
	page = fuzz_take(in, 1);
	high = low >> 12 & 0xf;
	return high << 60 | (page < PAGES ? page : page * 0x1235) << 12 | (low & LOW_BITS);
}

static void fill(struct fuzz_input *in, uint8_t *memory, unsigned size)
{
	while (in->size >= 4) {
		uint64_t place = fuzz_take(in, 2), page = fuzz_take(in, 1);
		uint64_t at = page % PAGES * PAGE + place % (PAGE / size) * size;
		uint64_t entry = take_entry(in, place);
		unsigned count = page & 0x80 ? 1 + (page >> 5 & 3) * 40 : 1;

		/* Neighbours, each one page further. */
		for (; count-- && at + size <= BYTES; at += size, entry += PAGE)
			put(memory, at, entry, size);
	}
}

static struct gsc_source *open_memory(const uint8_t *memory, const struct gsc_platform *platform)
{
	char specs[2][80];
	const char *list[] = { specs[0], specs[1] };
	bool local = platform->flags & GSC_PLATFORM_LMEM;

	snprintf(specs[0], sizeof(specs[0]), "%s%s", local ? "lmem:" : "mem:",
		 fuzz_file(0, memory, BYTES));
	snprintf(specs[1], sizeof(specs[1]), "ggtt:%s", fuzz_file(1, memory, 4 * PAGE));
	return fuzz_open(list, 2, platform->name);
}

static void set_root(struct gsc_root *root, struct fuzz_input *in)
{
	for (unsigned i = 0; i < 3; i++)
		root->value[i] = fuzz_take(in, 1) % (PAGES + 2) * PAGE;
	root->value[3] = root->value[1];
	root->count = root->mode == GSC_MODE_PDP32 ? 4 : 1;
	if (root->mode == GSC_MODE_FLAT)
		root->value[0] |= 3;
	if (root->mode == GSC_MODE_2LEVEL)
		root->value[0] <<= 10 - 12 + 6;
	if (root->mode == GSC_MODE_VTD) {
		root->value[1] = 3 + (root->value[1] >> 12) % 3;
		root->count = 2;
	}
}

static void set_layers(struct gsc_translation_options *options, unsigned flags)
{
	const uint64_t *value = options->root.value;

	options->vtd.on = flags & SECOND_LEVEL && options->root.mode != GSC_MODE_VTD;
	options->vtd.root = value[2] & ~LOW_BITS;
	options->vtd.levels = 3 + flags % 3;
	options->trtt = (struct gsc_tiled){
		.on = flags & TILED && (options->root.mode == GSC_MODE_PML4 ||
					options->root.mode == GSC_MODE_IA32E),
		.l3 = value[1] & ~LOW_BITS, .null = 0, .invalid = 1, .has_null = true,
		.has_invalid = true, .physical = flags & 0x20, .va = flags & 0x10 ? 0xf0 : 0xf1,
	};
}

/* One entry as gpu-pte shows it, at each level of its mode. */
static void show_entry(const struct gsc_view *view, enum gsc_mode mode, const uint8_t *memory)
{
	const struct gsc_gpu *gpu = fuzz_gpu(fuzz_demo(), view);
	struct gsc_mocs mocs = { .given = memory[0] & 1, .index = memory[0] >> 1 };
	struct gsc_out *out = fuzz_out();
	struct gsc_json json;
	const char *level;

	gsc_json_begin(&json, out, false);
	gsc_json_array(&json, "entries");
	for (size_t i = 0; (level = gsc_mode_level(view, mode, i)); i++) {
		struct gsc_error err = { 0 };
		struct gsc_entry entry;
		uint32_t words[GSC_ENTRY_WORDS];
		char text[256];

		memcpy(words, memory + i * sizeof(words), sizeof(words));
		if (gsc_entry_decode(view, mode, level, words, GSC_ENTRY_WORDS, &entry, &err)) {
			fuzz_check_error(&err, err.status);
			continue;
		}
		gsc_text_entry(out, gpu, &entry, &mocs, GSC_TEXT_VERBOSE);
		gsc_json_object(&json, NULL);
		gsc_json_entry(&json, gpu, &entry, &mocs);
		gsc_json_object_end(&json);
		for (size_t k = 0; gsc_entry_problem(view, &entry, k, text, sizeof(text)); k++)
			gsc_out_text(out, text);
	}
	gsc_json_array_end(&json);
	gsc_json_finish(&json);
	fuzz_out_end(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t memory[BYTES];
	struct fuzz_input in = { data, size };
	unsigned platform = fuzz_platform(fuzz_take(&in, 1));
	struct gsc_translation_options options = { .vtd.on = false };
	const struct gsc_view *view = fuzz_view(platform);
	struct gsc_platform facts;
	struct gsc_source *source;
	unsigned flags;

	options.root.mode = (enum gsc_mode)(fuzz_take(&in, 1) % GSC_MODES);
	flags = (unsigned)fuzz_take(&in, 1);
	set_root(&options.root, &in);
	set_layers(&options, flags);
	memset(memory, 0, sizeof(memory));
	fill(&in, memory, flags & DWORDS ? 4 : 8);
	gsc_platform_at(fuzz_db(), platform, &facts);
	source = open_memory(memory, &facts);
	FUZZ_REQUIRE(source);
	fuzz_tables(source, view, &options);
	if (flags & PASID)
		for (unsigned i = 0; i < 4; i++)
			fuzz_pasid(source, view, options.root.value[0] | i << 10,
				   flags & TILED ? 0x3a7 : 0x10, flags & DWORDS ? 65 : 7);
	if (flags & ENTRIES)
		show_entry(view, options.root.mode, memory);
	gsc_source_close(source);
	return 0;
}
