/* SPDX-License-Identifier: MIT */
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

/* PROGRAM SOURCE REGISTER: its value, "rcs0.RING_BUFFER_HEAD" */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	enum gsc_read read = GSC_READ_ABSENT;
	struct gsc_error err = { .status = GSC_USAGE };
	struct gsc_gpu *gpu = NULL;
	struct gsc_reg reg;
	uint64_t value;

	if (argc != 3 || gsc_gpu_open(&gpu, words, 1, NULL, &err))
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	else if (gsc_gpu_find(gpu, argv[2], &reg))
		read = gsc_gpu_read(gpu, &reg, &value);
	if (read == GSC_READ_OK)
		printf("%s 0x%" PRIx64 "\n", argv[2], value);
	gsc_gpu_close(gpu);
	return read == GSC_READ_OK ? GSC_OK : GSC_UNKNOWN;
}
