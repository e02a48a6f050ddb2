/* SPDX-License-Identifier: MIT */
/* A stream of bytes packed by gzip or zstd, by the libraries that are there. */
#include "save/pack.h"

#include "util/dynlib.h"
#include "util/util.h"

#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

#define OUTPUT_SIZE (128u << 10)

struct packer {
	tar_write write;
	void *context, *library;
	/* `last`: nothing comes after these bytes. */
	bool (*pack)(struct packer *packer, const void *data, size_t size, bool last);
	void (*free)(struct packer *packer);
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
		int (*end)(z_stream *z);
	} zlib;
	z_stream zlib_stream;
#endif
	uint8_t out[OUTPUT_SIZE];
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
	if (p->zstd_stream && !p->zstd.is_error(p->zstd.init(p->zstd_stream, ZSTD_LEVEL)))
		return true;
	err_memory(err);
	return false;
}
#else
static bool zstd_begin(struct packer *p, struct gsc_error *err)
{
	(void)p;
	err_set(err, GSC_FAILED, "zstd", "this build writes no zstd files");
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

static void gzip_free(struct packer *p)
{
	p->zlib.end(&p->zlib_stream);
}

static bool gzip_begin(struct packer *p, struct gsc_error *err)
{
	static const char *const names[] = { "deflateInit2_", "deflate", "deflateEnd" };

	p->library = dynlib_open("libz.so.1", names, &p->zlib, ARRAY_SIZE(names), err);
	if (!p->library)
		return false;
	p->pack = gzip_pack;
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
	err_set(err, GSC_FAILED, "gzip", "this build writes no gzip files");
	return false;
}
#endif

/* ---- either --------------------------------------------------------------------------------- */

static bool plain_pack(struct packer *p, const void *data, size_t size, bool last)
{
	(void)last;
	return !size || p->write(p->context, data, size);
}

static void let_go(struct packer *p)
{
	if (p->free)
		p->free(p);
	dynlib_close(p->library);
	p->free = NULL;
	p->library = NULL;
}

static bool begin(struct packer *p, enum gsc_packing packing, struct gsc_error *err)
{
	switch (packing) {
	case GSC_PACK_ZSTD:
		return zstd_begin(p, err);
	case GSC_PACK_GZIP:
		return gzip_begin(p, err);
	case GSC_PACK_BEST:
		return begin(p, gsc_packing_best(), err);
	default:
		break;
	}
	p->pack = plain_pack;
	return true;
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
		struct packer *packer = packer_new(all[i], write_nothing, NULL, NULL);

		packer_free(packer);
		if (packer)
			return all[i];
	}
	return GSC_PACK_NONE;
}

struct packer *packer_new(enum gsc_packing packing, tar_write write, void *context,
			  struct gsc_error *err)
{
	struct packer *p = calloc(1, sizeof(*p));

	if (!p) {
		err_memory(err);
		return NULL;
	}
	p->write = write;
	p->context = context;
	if (begin(p, packing, err))
		return p;
	packer_free(p);
	return NULL;
}

bool packer_write(void *packer, const void *data, size_t size)
{
	struct packer *p = packer;

	return p->pack(p, data, size, false);
}

bool packer_end(struct packer *packer)
{
	return packer->pack(packer, "", 0, true);
}

void packer_free(struct packer *packer)
{
	if (packer)
		let_go(packer);
	free(packer);
}
