/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <stdio.h>

static void check(struct gpuscope_error *error)
{
	if (error)
		errx(gpuscope_error_status(error), "%s: %s",
		     gpuscope_error_what(error), gpuscope_error_why(error));
}

/* PROGRAM SOURCE: what went wrong, and what each engine was doing */
int main(int argc, char **argv)
{
	struct gpuscope_gpu *gpu;
	struct gpuscope_hang *hang;
	const struct gpuscope_engine *e;

	if (argc != 2)
		errx(GPUSCOPE_USAGE, "give SOURCE");
	check(gpuscope_open((const char *const *)&argv[1], 1, NULL, &gpu));
	check(gpuscope_hang_new(gpu, &hang));
	printf("%s\n%s\n", hang->signature, hang->verdict);
	for (size_t i = 0; (e = hang->engines[i]); i++)
		printf("%s %s %s\n", e->name, gpuscope_engine_state_word(e->state),
		       e->command ? e->command : "-");
	gpuscope_hang_free(hang);
	gpuscope_gpu_free(gpu);
	return 0;
}
