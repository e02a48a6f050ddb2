/* SPDX-License-Identifier: MIT */
/* A stream of bytes, compressed by gzip or zstd with the libraries that are there, to a file. */
#include "save/pack.h"

#include "formats/capture.h"
#include "util/dynlib.h"
#include "util/util.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

#define OUTPUT_SIZE (128u << 10)
#define TEST_MIN 4096			/* bytes worth a check whether all are 0 */
#define FRAME_ZEROS (4u << 20)

struct packer {
	tar_write write;
	tar_zeros zeros;
	void *context, *library;
	/* `last`: nothing follows these bytes, except perhaps another frame. */
	bool (*pack)(struct packer *packer, const void *data, size_t size, bool last);
	bool (*again)(struct packer *packer);
	void (*free)(struct packer *packer);
	uint64_t waiting;		/* zeros that are not compressed yet */
	VEC(uint8_t) frame;		/* FRAME_ZEROS of them, compressed */
#if HAVE_ZSTD
	struct zstd_out {
		ZSTD_CStream *(*create)(void);
		size_t (*init)(ZSTD_CStream *z, int level);
		size_t (*compress)(ZSTD_CStream *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
		size_t (*end)(ZSTD_CStream *z, ZSTD_outBuffer *out);
		unsigned (*is_error)(size_t code);
		size_t (*free)(ZSTD_CStream *z);
	} zstd;
	ZSTD_CStream *zstd_stream;
#endif
#if HAVE_ZLIB
	struct zlib_out {
		int (*init)(z_stream *z, int level, int method, int bits, int memory, int strategy,
			    const char *version, int size);
		int (*deflate)(z_stream *z, int flush);
		int (*reset)(z_stream *z);
		int (*end)(z_stream *z);
	} zlib;
	z_stream zlib_stream;
#endif
	uint8_t out[OUTPUT_SIZE], nothing[OUTPUT_SIZE];
};

/* ---- zstd ----------------------------------------------------------------------------------- */

#if HAVE_ZSTD
#define ZSTD_LEVEL 3

static bool zstd_pack(struct packer *p, const void *data, size_t size, bool last)
{
	ZSTD_inBuffer in = { data, size, 0 };
	size_t left = 0;

	do {
		ZSTD_outBuffer out = { p->out, sizeof(p->out), 0 };

		if (in.pos < in.size)
			left = p->zstd.compress(p->zstd_stream, &out, &in);
		else
			left = p->zstd.end(p->zstd_stream, &out);
		if (p->zstd.is_error(left) || (out.pos && !p->write(p->context, p->out, out.pos)))
			return false;
	} while (in.pos < in.size || (last && left));
	return true;
}

static bool zstd_again(struct packer *p)
{
	return !p->zstd.is_error(p->zstd.init(p->zstd_stream, ZSTD_LEVEL));
}

static void zstd_free(struct packer *p)
{
	p->zstd.free(p->zstd_stream);
}

static bool zstd_begin(struct packer *p, struct gsc_error *err)
{
	static const char *const names[] = { "ZSTD_createCStream", "ZSTD_initCStream",
					     "ZSTD_compressStream", "ZSTD_endStream",
					     "ZSTD_isError", "ZSTD_freeCStream" };

	p->library = dynlib_open("libzstd.so.1", names, &p->zstd, ARRAY_SIZE(names), err);
	if (!p->library)
		return false;
	p->zstd_stream = p->zstd.create();
	p->free = zstd_free;
	p->pack = zstd_pack;
	p->again = zstd_again;
	if (p->zstd_stream && zstd_again(p))
		return true;
	err_memory(err);
	return false;
}
#else
static bool zstd_begin(struct packer *p, struct gsc_error *err)
{
	(void)p;
	err_set(err, GSC_FAILED, "zstd", "this build cannot write zstd files");
	return false;
}
#endif

/* ---- gzip ----------------------------------------------------------------------------------- */

#if HAVE_ZLIB
#define GZIP_LEVEL 6
#define GZIP_BITS (15 + 16)		/* the largest window, with a header of gzip */
#define GZIP_MEMORY 8

static bool gzip_pack(struct packer *p, const void *data, size_t size, bool last)
{
	z_stream *z = &p->zlib_stream;
	const uint8_t *at = data;
	int result = Z_OK;

	do {
		size_t part = MIN(size, (size_t)1 << 30);

		z->next_in = (uint8_t *)(uintptr_t)at;
		z->avail_in = (unsigned)part;
		do {
			size_t made;

			z->next_out = p->out;
			z->avail_out = sizeof(p->out);
			result = p->zlib.deflate(z, last && part == size ? Z_FINISH : Z_NO_FLUSH);
			made = sizeof(p->out) - z->avail_out;
			if (result == Z_STREAM_ERROR ||
			    (made && !p->write(p->context, p->out, made)))
				return false;
		} while (!z->avail_out);
		at += part;
		size -= part;
	} while (size);
	return !last || result == Z_STREAM_END;
}

static bool gzip_again(struct packer *p)
{
	return p->zlib.reset(&p->zlib_stream) == Z_OK;
}

static void gzip_free(struct packer *p)
{
	p->zlib.end(&p->zlib_stream);
}

static bool gzip_begin(struct packer *p, struct gsc_error *err)
{
	static const char *const names[] = { "deflateInit2_", "deflate", "deflateReset",
					     "deflateEnd" };

	p->library = dynlib_open("libz.so.1", names, &p->zlib, ARRAY_SIZE(names), err);
	if (!p->library)
		return false;
	p->pack = gzip_pack;
	p->again = gzip_again;
	if (p->zlib.init(&p->zlib_stream, GZIP_LEVEL, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY, ZLIB_VERSION, sizeof(p->zlib_stream)) != Z_OK) {
		err_memory(err);
		return false;
	}
	p->free = gzip_free;
	return true;
}
#else
static bool gzip_begin(struct packer *p, struct gsc_error *err)
{
	(void)p;
	err_set(err, GSC_FAILED, "gzip", "this build cannot write gzip files");
	return false;
}
#endif

/* ---- either --------------------------------------------------------------------------------- */

static bool plain_pack(struct packer *p, const void *data, size_t size, bool last)
{
	(void)last;
	return !size || p->write(p->context, data, size);
}

static bool write_nothing(void *context, const void *data, size_t size)
{
	(void)context, (void)data, (void)size;
	return true;
}

enum gsc_packing gsc_packing_best(void)
{
	static const enum gsc_packing all[] = { GSC_PACK_ZSTD, GSC_PACK_GZIP };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct packer *packer = packer_new(all[i], write_nothing, NULL, NULL, NULL);

		packer_free(packer);
		if (packer)
			return all[i];
	}
	return GSC_PACK_NONE;
}

struct packer *packer_new(enum gsc_packing packing, tar_write write, tar_zeros zeros, void *context,
			  struct gsc_error *err)
{
	struct packer *p = calloc(1, sizeof(*p));
	bool done = true;

	if (packing == GSC_PACK_BEST)
		packing = gsc_packing_best();
	if (!p) {
		err_memory(err);
		return NULL;
	}
	p->write = write;
	p->zeros = zeros;
	p->context = context;
	p->pack = plain_pack;
	if (packing != GSC_PACK_NONE)
		done = packing == GSC_PACK_ZSTD ? zstd_begin(p, err) : gzip_begin(p, err);
	if (done)
		return p;
	packer_free(p);
	return NULL;
}

/* ---- zeros ---------------------------------------------------------------------------------- */

static bool pack_zeros(struct packer *p, uint64_t size)
{
	for (uint64_t part; size; size -= part) {
		part = MIN(size, (uint64_t)sizeof(p->nothing));
		if (!p->pack(p, p->nothing, (size_t)part, false))
			return false;
	}
	return true;
}

static bool keep_frame(void *context, const void *data, size_t size)
{
	struct packer *p = context;

	if (!vec_reserve(&p->frame, size))
		return false;
	memcpy(p->frame.items + p->frame.count, data, size);
	p->frame.count += size;
	return true;
}

/* Finishes what was waiting; then other bytes may come. */
static bool put_waiting(struct packer *p)
{
	uint64_t size = p->waiting;
	tar_write write = p->write;
	void *context = p->context;
	bool made = true;

	p->waiting = 0;
	if (!p->again && p->zeros)
		return !size || p->zeros(p->context, size);
	/* Both formats are frames, or members, one after another: zeros have their own. */
	if (p->again && size >= FRAME_ZEROS) {
		if (!p->pack(p, "", 0, true) || !p->again(p))
			return false;
		/* A frame, or member, of zeros: made like any other, written again and again. */
		if (!p->frame.count) {
			p->write = keep_frame;
			p->context = p;
			made = pack_zeros(p, FRAME_ZEROS) && p->pack(p, "", 0, true) && p->again(p);
			p->write = write;
			p->context = context;
		}
		if (!made)
			return false;
		for (; size >= FRAME_ZEROS; size -= FRAME_ZEROS)
			if (!p->write(p->context, p->frame.items, p->frame.count))
				return false;
	}
	return pack_zeros(p, size);
}

bool packer_zeros(void *packer, uint64_t size)
{
	struct packer *p = packer;

	if (size > UINT64_MAX - p->waiting && !put_waiting(p))
		return false;
	p->waiting += size;
	return true;
}

bool packer_write(void *packer, const void *data, size_t size)
{
	struct packer *p = packer;

	if (size >= TEST_MIN && bytes_are_zero(data, size))
		return packer_zeros(p, size);
	return put_waiting(p) && p->pack(p, data, size, false);
}

bool packer_end(struct packer *packer)
{
	return put_waiting(packer) && packer->pack(packer, "", 0, true);
}

void packer_free(struct packer *packer)
{
	if (packer) {
		if (packer->free)
			packer->free(packer);
		dynlib_close(packer->library);
		vec_free(&packer->frame);
	}
	free(packer);
}

/* ---- where it goes --------------------------------------------------------------------------- */

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

bool outlet_zeros(void *context, uint64_t size)
{
	struct outlet *outlet = context;
	struct stat st;
	off_t at;

	/* Only at the end of a regular file: elsewhere something else may be there already. */
	if (size >= HOLE_MIN && outlet_flush(outlet)) {
		at = lseek(outlet->fd, 0, SEEK_CUR);
		if (at >= 0 && !fstat(outlet->fd, &st) && S_ISREG(st.st_mode) && st.st_size == at &&
		    size <= (uint64_t)(INT64_MAX - at) &&
		    !ftruncate(outlet->fd, at + (off_t)size) &&
		    lseek(outlet->fd, (off_t)size, SEEK_CUR) >= 0)
			return true;
	}
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
