/* SPDX-License-Identifier: MIT */
#include <err.h>
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

/* PROGRAM SOURCE REGISTER: its value, "rcs0.RING_BUFFER_HEAD" */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	struct gsc_error e = { .what = "give:",
			       .why = "SOURCE REGISTER" };
	struct gsc_gpu *gpu;
	struct gsc_reg reg;
	uint64_t value;
	enum gsc_read read = GSC_READ_ABSENT;

	if (argc != 3 || gsc_gpu_open(&gpu, words, 1, NULL, &e))
		errx(1, "%s %s", e.what, e.why);
	if (!gsc_gpu_find(gpu, argv[2], &reg))
		errx(GSC_UNKNOWN, "%s: unknown register", argv[2]);
	read = gsc_gpu_read(gpu, &reg, &value);
	if (read != GSC_READ_OK)
		errx(GSC_UNKNOWN, "%s: %s", argv[2],
		     gsc_read_word(read));
	printf("%s 0x%" PRIx64 "\n", argv[2], value);
	gsc_gpu_close(gpu);
	return 0;
}
