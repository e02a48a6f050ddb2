/* SPDX-License-Identifier: MIT */
/* Gathered writes to a file descriptor. */
#include "save/outlet.h"

#include "source/capture.h"

#include <errno.h>

bool outlet_flush(struct outlet *outlet)
{
	size_t used = outlet->used;

	outlet->used = 0;
	errno = 0;
	if (!outlet->error && !capture_write_fd(&outlet->fd, outlet->buffer, used))
		outlet->error = errno ? errno : EIO;
	return !outlet->error;
}

/* Never straight from a mapped file: were it cut short, it would look like a failed write. */
bool outlet_write(void *context, const void *data, size_t size)
{
	struct outlet *outlet = context;
	const uint8_t *at = data;

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
