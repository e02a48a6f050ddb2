/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

static void check(const struct gpuscope_error *e)
{
	if (e)
		errx(gpuscope_error_status(e), "%s: %s",
		     gpuscope_error_what(e), gpuscope_error_why(e));
}

/* PROGRAM SOURCE ENGINE: what the tables of an engine map */
int main(int argc, char **argv)
{
	struct gpuscope_tables_options in = { .size = sizeof(in) };
	struct gpuscope_gpu *gpu;
	struct gpuscope_tables *tables;
	struct gpuscope_list *list;
	const struct gpuscope_range *range;

	if (argc != 3)
		errx(GPUSCOPE_STATUS_USAGE, "give SOURCE ENGINE");
	in.engine = argv[2];
	check(gpuscope_open((const char *const *)&argv[1], 1, NULL,
			    &gpu));
	check(gpuscope_tables_new(gpu, &in, &tables));
	check(gpuscope_map(tables, 0, &list));
	while ((range = gpuscope_next(list)))
		printf("0x%" PRIx64 " 0x%" PRIx64 " %s %s\n",
		       range->start, range->physical,
		       gpuscope_shape_word(range->shape),
		       range->flags);
	check(gpuscope_list_error(list));
	gpuscope_list_free(list);
	gpuscope_tables_free(tables);
	gpuscope_gpu_free(gpu);
	return 0;
}
