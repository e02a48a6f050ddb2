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

/* PROGRAM SOURCE REGISTER: its value and its fields */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv;
	const struct gpuscope_register *reg;
	const struct gpuscope_field *field;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint64_t value;
	const char *why;

	if (argc != 3)
		errx(GPUSCOPE_STATUS_USAGE, "give SOURCE REGISTER");
	check(gpuscope_open(words + 1, 1, NULL, &gpu));
	check(gpuscope_register_find(gpu, words[2], &reg));
	if (gpuscope_register_read(gpu, reg, &value, &why))
		errx(GPUSCOPE_STATUS_UNKNOWN, "%s: %s",
		     reg->name, why);
	printf("%s 0x%" PRIx64 "\n", reg->name, value);
	check(gpuscope_register_fields(gpu, reg, value, &list));
	while ((field = gpuscope_next(list)))
		printf("%s 0x%" PRIx64 " is %s\n", field->name,
		       field->value,
		       field->text ? field->text : "a number");
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	return 0;
}
