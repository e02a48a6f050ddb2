/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <stdio.h>

static void check(struct gpuscope_error *e)
{
	if (e)
		errx(gpuscope_error_status(e), "%s: %s",
		     gpuscope_error_what(e), gpuscope_error_why(e));
}

/* PROGRAM SOURCE: what went wrong, what each engine was doing */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	const struct gpuscope_engine *e;
	struct gpuscope_hang *hang;
	struct gpuscope_gpu *gpu;

	if (argc != 2)
		errx(GPUSCOPE_STATUS_USAGE, "give SOURCE");
	check(gpuscope_open(words + 1, 1, NULL, &gpu));
	check(gpuscope_hang_new(gpu, &hang));
	printf("%s\n%s\n", hang->signature, hang->verdict);
	for (size_t i = 0; (e = hang->engines[i]); i++)
		printf("%s %s %s\n", e->name,
		       gpuscope_engine_state_word(e->state),
		       e->command ? e->command : "-");
	gpuscope_hang_free(hang);
	gpuscope_gpu_free(gpu);
	return 0;
}
