/* SPDX-License-Identifier: MIT */
/*
 * ustar archives: a reader over bytes in memory and a writer that streams. It also reads base-256
 * sizes (members past 8 GiB), and the path and size records that GNU tar and pax put before a
 * member; it also writes pax's path for names that do not fit. Members with holes are recognised. A
 * library for this would bring XML and Unicode into every start-up.
 */
#ifndef GSC_TAR_H
#define GSC_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAR_BLOCK 512
#define TAR_SPARSE 'S'

struct tar_reader {
	const uint8_t *data;
	size_t size;
	size_t offset;			/* of the next header; where a damaged archive ends */
};

struct tar_member {
	char name[256];			/* without a leading "./"; longer ones are truncated */
	char type;			/* '0' is a file, TAR_SPARSE one whose holes are left out */
	uint64_t size;
	const uint8_t *data;
	size_t held;			/* existing bytes: fewer if the archive is truncated */
	size_t at;			/* byte of the archive where the data begins */
};

enum tar_result { TAR_MEMBER, TAR_END, TAR_BROKEN };

/* Is this the first block of an archive? */
bool tar_matches(const uint8_t *data, size_t size);
enum tar_result tar_next(struct tar_reader *tar, struct tar_member *member);

/* Takes all the bytes or fails. */
typedef bool (*tar_write)(void *context, const void *data, size_t size);
typedef bool (*tar_zeros)(void *context, uint64_t size);

struct tar_writer {
	tar_write write;
	tar_zeros zeros;		/* for tar_member_zeros() */
	void *context;
	uint64_t mtime;			/* of every member, seconds */
	uint64_t left;			/* bytes that the member still needs */
	unsigned padding;
	bool failed;
};

/* A member is its header, then exactly `size` bytes in any number of calls. */
bool tar_member_begin(struct tar_writer *tar, const char *name, uint64_t size);
bool tar_member_data(struct tar_writer *tar, const void *data, size_t size);
/* This many zeros of its bytes: more than anybody wants to pass. */
bool tar_member_zeros(struct tar_writer *tar, uint64_t size);
bool tar_end(struct tar_writer *tar);

#endif
