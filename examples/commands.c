/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

static void check(struct gpuscope_error *e)
{
	if (e)
		errx(gpuscope_error_status(e), "%s: %s",
		     gpuscope_error_what(e), gpuscope_error_why(e));
}

/* PROGRAM SOURCE: rings, batches, registers that they load */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	const struct gpuscope_register_access *a;
	const struct gpuscope_command *c;
	const struct gpuscope_run *run = NULL;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;

	if (argc != 2)
		errx(GPUSCOPE_STATUS_USAGE, "give SOURCE");
	check(gpuscope_open(words + 1, 1, NULL, &gpu));
	check(gpuscope_commands(gpu, NULL, &list));
	for (; (c = gpuscope_next(list)); run = c->run) {
		if (c->run != run)
			printf("%s 0x%" PRIx64 "\n", c->run->engine,
			       c->run->address);
		for (size_t i = 0; (a = c->registers[i]); i++)
			if (a->reg && a->value)
				printf("    %s = 0x%" PRIx64 "\n",
				       a->reg->name, *a->value);
	}
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	return 0;
}
