/* SPDX-License-Identifier: MIT */
/*
 * Unpacks single pages: zlib and zstd with their libraries, LZO1X and Snappy here, because their
 * streams are simple. Origin: Linux, Documentation/staging/lzo.rst; Snappy, format_description.txt.
 */
#include "source/page.h"

#include "util/dynlib.h"
#include "util/util.h"

#include <string.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif

struct page_unpacker {
	enum packing packing;
	void *library;
	void (*function)(void);		/* of the library */
};

/* ---- what both of ours have in common ------------------------------------------------------- */

struct stream {
	const uint8_t *in, *in_end;
	uint8_t *begin, *out, *out_end;
};

static bool take(struct stream *s, unsigned size, size_t *value)
{
	*value = 0;
	if ((size_t)(s->in_end - s->in) < size)
		return false;
	for (unsigned i = 0; i < size; i++)
		*value |= (size_t)*s->in++ << 8 * i;
	return true;
}

static bool copy_literals(struct stream *s, size_t length)
{
	if (length > (size_t)(s->in_end - s->in) || length > (size_t)(s->out_end - s->out))
		return false;
	memcpy(s->out, s->in, length);
	s->in += length;
	s->out += length;
	return true;
}

/* Byte by byte: the copied bytes may be those that have just been written. */
static bool copy_back(struct stream *s, size_t distance, size_t length)
{
	if (!distance || distance > (size_t)(s->out - s->begin) ||
	    length > (size_t)(s->out_end - s->out))
		return false;
	for (; length; length--, s->out++)
		*s->out = s->out[-(ptrdiff_t)distance];
	return true;
}

/* ---- LZO1X ---------------------------------------------------------------------------------- */

/* A length in the low bits of an instruction; 0: zeros follow, 255 each, and another byte. */
static bool lzo_length(struct stream *s, size_t low, size_t most, size_t *length)
{
	*length = low;
	if (low)
		return true;
	for (*length = most; s->in < s->in_end && !*s->in; s->in++)
		*length += 255;
	if (s->in == s->in_end)
		return false;
	*length += *s->in++;
	return true;
}

/* `state`: how many literals the last instruction copied, 4 for more than 3. */
static bool lzo_short(struct stream *s, size_t code, unsigned *state)
{
	size_t length, high;

	if (!*state) {
		*state = 4;
		return lzo_length(s, code, 15, &length) && copy_literals(s, length + 3);
	}
	if (!take(s, 1, &high))
		return false;
	length = *state == 4 ? 3 : 2;
	high = (high << 2) + (code >> 2) + (*state == 4 ? 2049 : 1);
	*state = code & 3;
	return copy_back(s, high, length) && copy_literals(s, *state);
}

static bool lzo_near(struct stream *s, size_t code, unsigned *state)
{
	size_t length = code >= 128 ? 5 + (code >> 5 & 3) : 3 + (code >> 5 & 1), high;

	*state = code & 3;
	return take(s, 1, &high) && copy_back(s, (high << 3) + (code >> 2 & 7) + 1, length) &&
	       copy_literals(s, *state);
}

/* end: it is the end mark. */
static bool lzo_far(struct stream *s, size_t code, unsigned *state, bool *end)
{
	size_t most = code >= 32 ? 31 : 7, length, word, distance;

	if (!lzo_length(s, code & most, most, &length) || !take(s, 2, &word))
		return false;
	distance = word >> 2;
	distance += code >= 32 ? 1 : 16384 + ((code & 8) << 11);
	*end = distance == 16384 && code < 32;
	*state = word & 3;
	return *end || (copy_back(s, distance, length + 2) && copy_literals(s, *state));
}

static bool unpack_lzo(struct stream *s)
{
	unsigned state = 0;
	bool end = false;
	size_t code;

	/* The first byte may be a run of literals. */
	if (s->in < s->in_end && *s->in > 17) {
		code = (size_t)*s->in++ - 17;
		state = code > 3 ? 4 : (unsigned)code;
		if (!copy_literals(s, code))
			return false;
	}
	while (!end)
		if (!take(s, 1, &code) ||
		    !(code < 16 ? lzo_short(s, code, &state) :
		      code < 64 ? lzo_far(s, code, &state, &end) : lzo_near(s, code, &state)))
			return false;
	return true;
}

/* ---- Snappy --------------------------------------------------------------------------------- */

static bool unpack_snappy(struct stream *s)
{
	size_t code = 0x80, size = 0, length, distance;
	bool done = true;

	for (unsigned shift = 0; code & 0x80; shift += 7) {
		if (shift > 28 || !take(s, 1, &code))
			return false;
		size |= (code & 0x7f) << shift;
	}
	if (size != (size_t)(s->out_end - s->out))
		return false;
	while (done && s->in < s->in_end) {
		if (!take(s, 1, &code))
			return false;
		length = code >> 2;
		if (!(code & 3))
			done = (length < 60 || take(s, (unsigned)length - 59, &length)) &&
			       copy_literals(s, length + 1);
		else if ((code & 3) == 1)
			done = take(s, 1, &distance) &&
			       copy_back(s, (code >> 5 << 8) + distance, 4 + (length & 7));
		else
			done = take(s, (code & 3) == 2 ? 2 : 4, &distance) &&
			       copy_back(s, distance, length + 1);
	}
	return done;
}

/* ---- libraries ------------------------------------------------------------------------------ */

#if HAVE_ZLIB
static bool unpack_zlib(const struct page_unpacker *unpacker, struct stream *s)
{
	int (*function)(Bytef *, uLongf *, const Bytef *, uLong) =
		(int (*)(Bytef *, uLongf *, const Bytef *, uLong))unpacker->function;
	uLongf size = (uLongf)(s->out_end - s->out);

	if (function(s->out, &size, s->in, (uLong)(s->in_end - s->in)) != Z_OK)
		return false;
	s->out += size;
	return true;
}
#endif

#if HAVE_ZSTD
/* Errors are numbers that no size can be. */
static bool unpack_zstd(const struct page_unpacker *unpacker, struct stream *s)
{
	size_t (*function)(void *, size_t, const void *, size_t) =
		(size_t (*)(void *, size_t, const void *, size_t))unpacker->function;
	size_t room = (size_t)(s->out_end - s->out);
	size_t size = function(s->out, room, s->in, (size_t)(s->in_end - s->in));

	s->out += MIN(size, room);
	return size <= room;
}
#endif

static const struct {
	char name[8], library[16], function[20];
	bool (*unpack)(const struct page_unpacker *unpacker, struct stream *s);
	bool (*own)(struct stream *s);
} packings[PACKINGS] = {
#if HAVE_ZLIB
	[PACKING_ZLIB] = { "zlib", "libz.so.1", "uncompress", unpack_zlib, NULL },
#else
	[PACKING_ZLIB] = { "zlib", "", "", NULL, NULL },
#endif
#if HAVE_ZSTD
	[PACKING_ZSTD] = { "zstd", "libzstd.so.1", "ZSTD_decompress", unpack_zstd, NULL },
#else
	[PACKING_ZSTD] = { "zstd", "", "", NULL, NULL },
#endif
	[PACKING_LZO] = { "lzo", "", "", NULL, unpack_lzo },
	[PACKING_SNAPPY] = { "snappy", "", "", NULL, unpack_snappy },
};

enum gsc_status page_unpacker_new(struct page_unpacker **out, enum packing packing,
				  struct gsc_error *err)
{
	const char *name = packings[packing].function;
	struct page_unpacker *unpacker;

	*out = NULL;
	if (!packings[packing].own && !*name)
		return err_set(err, GSC_FAILED, packings[packing].name,
			       "this build cannot read pages compressed by it");
	unpacker = calloc(1, sizeof(*unpacker));
	if (!unpacker)
		return err_memory(err);
	unpacker->packing = packing;
	if (*name)
		unpacker->library = dynlib_open(packings[packing].library, &name,
						&unpacker->function, 1, err);
	if (*name && !unpacker->library) {
		free(unpacker);
		return GSC_FAILED;
	}
	*out = unpacker;
	return GSC_OK;
}

void page_unpacker_free(struct page_unpacker *unpacker)
{
	if (unpacker)
		dynlib_close(unpacker->library);
	free(unpacker);
}

bool page_unpack(const struct page_unpacker *unpacker, const uint8_t *data, size_t size,
		 uint8_t *page, size_t page_size)
{
	struct stream s = { data, data + size, page, page, page + page_size };
	bool done = packings[unpacker->packing].own
			    ? packings[unpacker->packing].own(&s)
			    : packings[unpacker->packing].unpack(unpacker, &s);

	return done && s.out == s.out_end;
}
