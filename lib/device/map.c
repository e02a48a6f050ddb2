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

/* Bytes of the BAR that the file really has. */
static uint64_t file_end(int fd, const struct bar *bar)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_size < 0)
		return 0;
	return MIN(bar->size, (uint64_t)st.st_size);
}

static int map_file(struct window *window, int fd, uint64_t offset, uint64_t length, int protection)
{
	void *base = mmap(NULL, length, protection, MAP_SHARED, fd, (off_t)offset);

	if (base == MAP_FAILED)
		return errno;
	window->base = base;
	window->length = length;
	return 0;
}

enum gsc_status window_map(struct window *window, const char *bdf, const struct bar *bar,
			   uint64_t offset, uint64_t length, bool writable, struct gsc_error *err)
{
	int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
	int number = 0, fd;
	char name[16];
	uint64_t end;

	*window = (struct window){ 0 };
	snprintf(name, sizeof(name), "resource%u", bar->number);
	fd = sysfs_open(bdf, name, writable ? O_RDWR : O_RDONLY);
	if (fd < 0)
		return refusal_explain(err, bdf, bar, errno);
	end = file_end(fd, bar);
	if (offset < end)
		number = map_file(window, fd, offset, MIN(length, end - offset), protection);
	close(fd);
	return number ? refusal_explain(err, bdf, bar, number) : GSC_OK;
}

void window_unmap(struct window *window)
{
	if (window->base)
		munmap((void *)window->base, window->length);
	*window = (struct window){ 0 };
}

bool window_holds(const struct window *window, uint64_t address, unsigned size)
{
	return size <= window->length && address <= window->length - size;
}

uint32_t window_load32(const struct window *window, uint64_t address)
{
	return le32toh(*(const volatile uint32_t *)(window->base + address));
}

uint64_t window_load64(const struct window *window, uint64_t address)
{
	return le64toh(*(const volatile uint64_t *)(window->base + address));
}

uint64_t window_load(const struct window *window, uint64_t address, unsigned size)
{
	if (size == 8)
		return window_load64(window, address);
	return window_load32(window, address & ~UINT64_C(3)) >> (address & 3) * 8 &
	       size_mask(size);
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

uint8_t window_load8(const struct window *window, uint64_t address)
{
	return window->base[address];
}

void window_store8(const struct window *window, uint64_t address, uint8_t value)
{
	window->base[address] = value;
}

void window_store32(const struct window *window, uint64_t address, uint32_t value)
{
	*(volatile uint32_t *)(window->base + address) = htole32(value);
}

void window_store64(const struct window *window, uint64_t address, uint64_t value)
{
	*(volatile uint64_t *)(window->base + address) = htole64(value);
}
