/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

static void check(struct gpuscope_error *error)
{
	if (error)
		errx(gpuscope_error_status(error), "%s: %s",
		     gpuscope_error_what(error), gpuscope_error_why(error));
}

/* PROGRAM SOURCE: rings, batches, and what their commands load */
int main(int argc, char **argv)
{
	struct gpuscope_gpu *gpu;
	struct gpuscope_list *list;
	const struct gpuscope_run *run = NULL;
	const struct gpuscope_command *c;
	const struct gpuscope_register_access *a;

	if (argc != 2)
		errx(GPUSCOPE_USAGE, "give SOURCE");
	check(gpuscope_open((const char *const *)&argv[1], 1, NULL, &gpu));
	check(gpuscope_commands(gpu, NULL, &list));
	while ((c = gpuscope_next(list))) {
		if (c->run != run)
			printf("%s %s 0x%" PRIx64 "\n", c->run->engine,
			       gpuscope_run_kind_word(c->run->kind), c->run->address);
		run = c->run;
		for (size_t i = 0; (a = c->registers[i]); i++)
			if (a->use == GPUSCOPE_LOADS_VALUE)
				printf("    0x%" PRIx64 " %s = 0x%" PRIx64 "\n", c->address,
				       a->reg ? a->reg->name : "?", *a->value);
	}
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	return 0;
}
