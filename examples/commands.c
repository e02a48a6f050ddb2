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
	struct gsc_error err = { .status = GSC_USAGE };

	if (argc != 2)
		return err.status;
	if (gsc_gpu_open(&gpu, words, 1, NULL, &err) ||
	    gsc_commands_new(&set, gpu, &err))
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	else
		err.status = gsc_follow_all(set, gpu, &options,
					    &listener, &err);
	gsc_commands_free(set);
	gsc_gpu_close(gpu);
	return err.status == GSC_PARTIAL ? GSC_OK : err.status;
}
