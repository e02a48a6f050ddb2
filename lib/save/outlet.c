/* SPDX-License-Identifier: MIT */
/* Gathers writes to a file descriptor. */
#include "save/outlet.h"

#include "formats/capture.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOLE_MIN (1u << 16)		/* fewer are not worth the time to find out */

bool outlet_flush(struct outlet *outlet)
{
	size_t used = outlet->used;

	outlet->used = 0;
	errno = 0;
	if (!outlet->error && !capture_write_fd(&outlet->fd, outlet->buffer, used))
		outlet->error = errno ? errno : EIO;
	return !outlet->error;
}

/* Never directly from a mapped file: if it were truncated, that would look like a failed write. */
bool outlet_write(void *context, const void *data, size_t size)
{
	struct outlet *outlet = context;
	const uint8_t *at = data;

	if (outlet->error)
		return false;
	while (size) {
		size_t part = MIN(size, sizeof(outlet->buffer) - outlet->used);

		memcpy(outlet->buffer + outlet->used, at, part);
		outlet->used += part;
		at += part;
		size -= part;
		if (outlet->used == sizeof(outlet->buffer) && !outlet_flush(outlet))
			return false;
	}
	return true;
}

/* Only at the end of a regular file: elsewhere something else may be there already. */
static bool make_hole(int fd, uint64_t size)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	return at >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size == at &&
	       size <= (uint64_t)(INT64_MAX - at) && !ftruncate(fd, at + (off_t)size) &&
	       lseek(fd, (off_t)size, SEEK_CUR) >= 0;
}

bool outlet_zeros(void *context, uint64_t size)
{
	struct outlet *outlet = context;

	if (size >= HOLE_MIN && outlet_flush(outlet) && make_hole(outlet->fd, size))
		return true;
	while (size && !outlet->error) {
		size_t part = (size_t)MIN(size, (uint64_t)(sizeof(outlet->buffer) - outlet->used));

		memset(outlet->buffer + outlet->used, 0, part);
		outlet->used += part;
		size -= part;
		if (outlet->used == sizeof(outlet->buffer))
			outlet_flush(outlet);
	}
	return !outlet->error;
}
