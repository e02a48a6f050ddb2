/* SPDX-License-Identifier: MIT */
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const struct gsc_walk *walk)
{
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_step *step = &walk->steps[i];

		printf("%-8s %s 0x%" PRIx64 "\n", step->entry.level,
		       gsc_space_name(step->space), step->address);
	}
	printf("0x%" PRIx64, walk->address);
	if (walk->mapped)
		printf(" -> 0x%" PRIx64 "\n", walk->physical);
	else
		printf(": %s\n", walk->stop_text);
}

/* PROGRAM SOURCE ADDRESS */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	struct gsc_walk walk;
	struct gsc_translation_options options = { .root.count = 0 };
	struct gsc_translation *translation = NULL;
	struct gsc_gpu *gpu = NULL;
	uint64_t address = 0;
	char *end = NULL;
	struct gsc_error err = { GSC_USAGE, "give",
				 "SOURCE ADDRESS" };

	if (argc == 3)
		address = strtoull(argv[2], &end, 0);
	if (!end || end == argv[2] || *end ||
	    gsc_gpu_open(&gpu, words, 1, NULL, &err) ||
	    gsc_root_engine(gpu, NULL, &options.root, &err) ||
	    gsc_translation_new(&translation, gpu, &options, &err)) {
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	} else {
		gsc_walk(translation, address, GSC_INTENT_READ,
			 &walk);
		show(&walk);
		err.status = walk.mapped ? GSC_OK : GSC_UNKNOWN;
	}
	gsc_translation_free(translation);
	gsc_gpu_close(gpu);
	return err.status;
}
