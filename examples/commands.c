/* SPDX-License-Identifier: MIT */
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;

	(void)context;
	printf("%s %s 0x%" PRIx64 "\n", run->engine,
	       gsc_run_kind_word(run->kind), run->address);
	return true;
}

static bool take(void *context, const struct gsc_followed *item)
{
	(void)context;
	if (item->write->kind == GSC_WRITE_VALUE)
		printf("    0x%" PRIx64 " %s 0x%" PRIx32
		       " = 0x%" PRIx32 "\n",
		       item->command->address, item->command->name,
		       item->write->offset, item->write->value);
	return true;
}

/* PROGRAM SOURCE */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	struct gsc_listener listener = { .begin = begin,
					 .write = take };
	struct gsc_follow_options options = { .engine = NULL };
	struct gsc_commands *set = NULL;
	struct gsc_gpu *gpu = NULL;
	struct gsc_error err = { GSC_USAGE, "give", "SOURCE" };

	if (argc == 2)
		err.status = gsc_gpu_open(&gpu, words, 1, NULL,
					  &err);
	if (!err.status)
		err.status = gsc_commands_new(&set, gpu, &err);
	if (!err.status)
		err.status = gsc_follow_all(set, gpu, &options,
					    &listener, &err);
	if (err.status)
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	gsc_commands_free(set);
	gsc_gpu_close(gpu);
	/* Some buffers may be missing: what there was is printed. */
	return err.status == GSC_PARTIAL ? GSC_OK : err.status;
}
