/* SPDX-License-Identifier: MIT */
/* The context images of real traces (GPUSCOPE_CORPUS), against what is known of them. */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "image/image.h"
#include "source-helpers.h"
#include "source/source.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The names in chain.tsv for our registers. */
static const struct {
	const char *theirs, *ours;
	int index;
} names[] = {
	{ "CTX_CONTEXT_CONTROL", "CTX_SR_CTL", -1 },
	{ "RING_HEAD", "RING_BUFFER_HEAD", -1 },
	{ "RING_TAIL", "RING_BUFFER_TAIL", -1 },
	{ "RING_START", "RING_BUFFER_START", -1 },
	{ "RING_CTL", "RING_BUFFER_CONTROL", -1 },
	{ "BB_ADDR_U", "BB_ADDR_UDW", -1 },
	{ "BB_ADDR", "BB_ADDR", -1 },
	{ "PDP3_UDW", "RING_PDP_UDW", 3 },
	{ "PDP0_UDW", "RING_PDP_UDW", 0 },
	{ "PDP0_LDW", "RING_PDP_LDW", 0 },
};

/* How often the lists of an image load a register of rcs0, and the last value. */
static unsigned loads(const struct gsc_image *image, const char *name, int index, uint64_t *value)
{
	struct gsc_image_part part;
	struct gsc_row row;
	unsigned count = 0;

	for (size_t i = 0; gsc_image_part(image, i, &part); i++) {
		for (size_t j = 0; !part.aside && gsc_image_register(image, i, j, &row); j++) {
			if (!row.reg.name || strcmp(row.reg.name, name) || row.reg.index != index)
				continue;
			CU_ASSERT_STRING_EQUAL(row.reg.engine, "rcs0");
			*value = row.value;
			count++;
		}
	}
	return count;
}

static unsigned check_rows(const struct gsc_image *image, FILE *chain)
{
	char line[400], name[64];
	unsigned long long wanted;
	unsigned checked = 0;

	while (fgets(line, sizeof(line), chain)) {
		uint64_t value = 0;

		if (sscanf(line, "context_image %63s %llx", name, &wanted) != 2)
			continue;
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
			if (strcmp(names[i].theirs, name))
				continue;
			CU_ASSERT_EQUAL(loads(image, names[i].ours, names[i].index, &value), 1);
			CU_ASSERT_EQUAL(value, wanted);
			checked++;
		}
	}
	return checked;
}

static void check_trace(const char *folder, const char *stem, const char *platform)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_CONTEXT };
	struct gsc_image_about about;
	struct gsc_source *source;
	struct gsc_image *image;
	struct gsc_error err;
	char path[512];
	struct kit kit;
	FILE *chain;

	snprintf(path, sizeof(path), "%s/aub/%s.aub", folder, stem);
	source = open_spec("%s", path, NULL);
	kit_open(&kit, platform);
	options.gpu = gpu_for(source, kit.view);
	CU_ASSERT_EQUAL_FATAL(gsc_image_new(&image, kit.set, &options, &err), GSC_OK);
	about = image->about;
	CU_ASSERT(about.placed && about.address == 0x2000);
	CU_ASSERT_STRING_EQUAL(about.cut, "");
	snprintf(path, sizeof(path), "%s/aub/%s.chain.tsv", folder, stem);
	chain = fopen(path, "r");
	CU_ASSERT_FATAL(chain != NULL);
	CU_ASSERT_EQUAL(check_rows(image, chain), 10);
	fclose(chain);
	gsc_image_free(image);
	kit_close(&kit);
	gsc_source_close(source);
}

static void test_traces(void)
{
	const char *folder = getenv("GPUSCOPE_CORPUS");

	if (!folder || !*folder) {
		printf("no corpus given, skipped ");
		return;
	}
	check_trace(folder, "gen8-bdw-162e", "bdw");
	check_trace(folder, "gen8-chv-22b3", "chv");
	check_trace(folder, "gen9-skl-1912", "skl");
	check_trace(folder, "gen11-icl-8a52", "icl");
}

SUITE(images_corpus,
	{ "context images of traces", test_traces })
