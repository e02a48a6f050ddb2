/* SPDX-License-Identifier: MIT */
/* Compressed inputs: which they are, and unpacking them with libraries loaded when needed. */
#ifndef GSC_INFLATE_H
#define GSC_INFLATE_H

#include "text/ascii85.h"

/* Takes all unpacked bytes in order, or this many zeros; a status other than GSC_OK stops. */
struct sink {
	enum gsc_status (*write)(struct sink *sink, const uint8_t *data, size_t size,
				 struct gsc_error *err);
	enum gsc_status (*zeros)(struct sink *sink, uint64_t size, struct gsc_error *err);
};

struct inflation {
	const char *name;		/* of the input, for errors */
	const uint8_t *data;
	size_t size;
	struct sink *sink;
	uint64_t taken;			/* bytes of the data, when the sink last got some */
	const char *damage;		/* set if the data is truncated or damaged */
	uint64_t damage_at;
};

bool is_compressed(const uint8_t *data, size_t size);

/* Also GSC_OK if the data is damaged: what came before has gone to the sink. */
enum gsc_status inflate_all(struct inflation *job, struct gsc_error *err);

/* zlib streams inside an input, one after the other, each fed in pieces. */
struct unpacker;

enum unpacked {
	UNPACK_MORE,			/* everything was taken: there is more to come */
	UNPACK_END,
	UNPACK_DAMAGED,
	UNPACK_FULL,			/* it would be more than the limit */
	UNPACK_NO_MEMORY,
};

struct unpacker *unpacker_new(struct gsc_error *err);
void unpacker_free(struct unpacker *unpacker);
bool unpacker_begin(struct unpacker *unpacker);
/* Appends to `out`, which grows to at most `limit` bytes. */
enum unpacked unpacker_feed(struct unpacker *unpacker, const uint8_t *data, unsigned size,
			    byte_vec *out, size_t limit);

/*
 * Those that unpacking a file may need, by its bytes: the first 512 for an image, otherwise all of
 * them. The bytes are compared, nothing in them is followed.
 */
GSC_API unsigned gsc_libraries_wanted(const void *data, size_t size);
/* An open file without a name in TMPDIR or /tmp; or -1, and errno. */
GSC_API int gsc_temporary(void);

#endif
