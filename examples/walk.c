/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(struct gpuscope_error *e)
{
	if (e)
		errx(gpuscope_error_status(e), "%s: %s",
		     gpuscope_error_what(e), gpuscope_error_why(e));
}

/* PROGRAM SOURCE ADDRESS: where it leads, level by level */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	struct gpuscope_gpu *gpu;
	struct gpuscope_tables *tables;
	struct gpuscope_list *list;
	const struct gpuscope_entry *entry;
	const struct gpuscope_walk *walk;

	if (argc != 3)
		errx(GPUSCOPE_STATUS_USAGE, "give SOURCE ADDRESS");
	check(gpuscope_open(words + 1, 1, NULL, &gpu));
	check(gpuscope_tables_new(gpu, NULL, &tables));
	walk = gpuscope_walk(tables, strtoull(words[2], NULL, 0),
			     GPUSCOPE_ACCESS_READ);
	check(gpuscope_walk_entries(walk, &list));
	while ((entry = gpuscope_next(list)))
		printf("%-6s 0x%" PRIx64 "\n", entry->level,
		       entry->entry);
	if (!walk->mapped)
		errx(GPUSCOPE_STATUS_UNKNOWN, "%s", walk->stop_text);
	printf("0x%" PRIx64 " %s\n", walk->physical,
	       gpuscope_walk_flags(walk));
	gpuscope_list_free(list);
	gpuscope_tables_free(tables);
	gpuscope_gpu_free(gpu);
	return 0;
}
