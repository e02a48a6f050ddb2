/* SPDX-License-Identifier: MIT */
/* batch-libdrm DEVICE FILE: the output of libdrm's decoder for a file of dwords. */
#include <fcntl.h>
#include <intel_bufmgr.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[2], O_RDONLY) : -1;
	struct drm_intel_decode *decode;
	struct stat st;
	void *data;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	decode = drm_intel_decode_context_alloc((uint32_t)strtoul(argv[1], NULL, 16));
	if (data == MAP_FAILED || !decode)
		return 1;
	drm_intel_decode_set_head_tail(decode, UINT32_MAX, UINT32_MAX);
	drm_intel_decode_set_batch_pointer(decode, data, 0x10000, (int)(st.st_size / 4));
	drm_intel_decode_set_output_file(decode, stdout);
	drm_intel_decode(decode);
	return 0;
}
