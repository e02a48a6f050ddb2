/* SPDX-License-Identifier: MIT */
/*
 * The size of the file behind a BAR is checked before it is mapped: a load past the end of a file
 * shorter than its BAR would be a SIGBUS. Registers and GGTT are mapped separately because the
 * driver maps the GGTT write-combined, and one mapping cannot have two kinds of caching.
 */
#include "device/internal.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum gsc_status window_map(struct window *window, const char *bdf, const struct bar *bar,
			   uint64_t offset, uint64_t length, bool writable, struct gsc_error *err)
{
	int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	struct stat st = { .st_size = 0 };
	int number = 0, fd;
	char name[16];
	uint64_t end;
	void *base;

	*window = (struct window){ 0 };
	snprintf(name, sizeof(name), "resource%u", bar->number);
	fd = sysfs_open(bdf, name, writable ? O_RDWR : O_RDONLY);
	if (fd < 0)
		return refusal_explain(err, bdf, bar, errno);
	/* Bytes of the BAR that the file really has. */
	end = fstat(fd, &st) || st.st_size < 0 ? 0 : MIN(bar->size, (uint64_t)st.st_size);
	if (offset < end) {
		length = MIN(length, end - offset);
		base = mmap(NULL, length, protection, MAP_SHARED, fd, (off_t)offset);
		if (base == MAP_FAILED)
			number = errno;
		else
			*window = (struct window){ .base = base, .length = length };
	}
	close(fd);
	return number ? refusal_explain(err, bdf, bar, number) : GSC_OK;
}

void window_unmap(struct window *window)
{
	if (window->base)
		munmap((void *)window->base, window->length);
	*window = (struct window){ 0 };
}

size_t window_copy(const struct window *window, uint64_t address, void *buf, size_t size)
{
	uint64_t end = MIN(window->length & ~UINT64_C(7), address + MIN(size, window->length));
	uint8_t *out = buf;
	size_t done = 0;

	while (address < end) {
		uint64_t value = htole64(window_load64(window, address & ~UINT64_C(7)));
		size_t skip = address & 7, part = MIN(8 - skip, (size_t)(end - address));

		memcpy(out + done, (const uint8_t *)&value + skip, part);
		done += part;
		address += part;
	}
	return done;
}
