/* SPDX-License-Identifier: MIT */
/*
 * Pictures as PNG. Written by hand: libpng would be another library for a hundred lines, and the
 * picture must also work without zlib, as stored blocks.
 */
#include "out/out.h"
#include "tile/tile.h"

#include "util/dynlib.h"

#if HAVE_ZLIB
#include <zlib.h>
#endif

#define CHUNK (64u << 10)		/* bytes of an IDAT chunk */
#define STORED_MAX 65535		/* of a stored block */
#define SIZE_LIMIT 0x7fffffff		/* of width and height */
#define ADLER 65521
#define ADLER_RUN 5552			/* bytes until its sums must be reduced */

enum { GREY = 0, RGB = 2, GREY_ALPHA = 4, RGB_ALPHA = 6 };

struct gsc_png {
	struct gsc_out *out;
	const struct gsc_pixel_format *format;
	uint64_t width, left;		/* rows to come */
	unsigned kind, bytes;		/* of a pixel here */
	uint32_t crc_table[256];
	uint32_t adler_a, adler_b;
	bool failed;
	uint8_t *row;			/* with its filter in front */
	uint8_t chunk[CHUNK];
	size_t used;
	void *library;
#if HAVE_ZLIB
	struct zlib_png {
		int (*init)(z_stream *z, int level, const char *version, int size);
		int (*deflate)(z_stream *z, int flush);
		int (*end)(z_stream *z);
	} zlib;
	z_stream stream;
#endif
};

/* ---- chunks --------------------------------------------------------------------------------- */

static void put_be32(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void put_chunk(struct gsc_png *png, const char *name, const uint8_t *data, size_t size)
{
	uint8_t head[8], tail[4];
	uint32_t c = UINT32_MAX;
	struct gsc_error err;

	put_be32(head, (uint32_t)size);
	memcpy(head + 4, name, 4);
	for (size_t i = 4; i < 8; i++)
		c = png->crc_table[(c ^ head[i]) & 0xff] ^ c >> 8;
	for (size_t i = 0; i < size; i++)
		c = png->crc_table[(c ^ data[i]) & 0xff] ^ c >> 8;
	put_be32(tail, ~c);
	gsc_out_bytes(png->out, head, sizeof(head));
	gsc_out_bytes(png->out, data, size);
	gsc_out_bytes(png->out, tail, sizeof(tail));
	if (gsc_out_flush(png->out, &err))
		png->failed = true;
}

static void flush_chunk(struct gsc_png *png)
{
	if (png->used)
		put_chunk(png, "IDAT", png->chunk, png->used);
	png->used = 0;
}

/* ---- stored blocks -------------------------------------------------------------------------- */

static void chunk_bytes(struct gsc_png *png, const uint8_t *data, size_t size)
{
	while (size) {
		size_t part = MIN(size, CHUNK - png->used);

		memcpy(png->chunk + png->used, data, part);
		png->used += part;
		data += part;
		size -= part;
		if (png->used == CHUNK)
			flush_chunk(png);
	}
}

static void store(struct gsc_png *png, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size;) {
		size_t end = MIN(size, i + ADLER_RUN);

		for (; i < end; i++) {
			png->adler_a += data[i];
			png->adler_b += png->adler_a;
		}
		png->adler_a %= ADLER;
		png->adler_b %= ADLER;
	}
	while (size) {
		uint16_t part = (uint16_t)MIN(size, STORED_MAX), not = (uint16_t)~part;
		uint8_t head[5] = { 0, (uint8_t)part, (uint8_t)(part >> 8), (uint8_t) not,
				    (uint8_t)(not>> 8) };

		chunk_bytes(png, head, sizeof(head));
		chunk_bytes(png, data, part);
		data += part;
		size -= part;
	}
}

/* ---- zlib ----------------------------------------------------------------------------------- */

#if HAVE_ZLIB
#define LEVEL 4

/* Without zlib it is stored. */
static void pack_begin(struct gsc_png *png)
{
	static const char *const names[] = { "deflateInit_", "deflate", "deflateEnd" };
	struct gsc_error ignored;

	png->library = dynlib_open("libz.so.1", names, &png->zlib, ARRAY_SIZE(names), &ignored);
	if (!png->library)
		return;
	if (png->zlib.init(&png->stream, LEVEL, ZLIB_VERSION, (int)sizeof(png->stream)) == Z_OK)
		return;
	dynlib_close(png->library);
	png->library = NULL;
}

static void pack(struct gsc_png *png, uint8_t *data, size_t size, bool last)
{
	z_stream *z = &png->stream;
	int result;

	z->next_in = data;
	z->avail_in = (uInt)size;
	do {
		z->next_out = png->chunk + png->used;
		z->avail_out = (uInt)(CHUNK - png->used);
		result = png->zlib.deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
		png->used = CHUNK - z->avail_out;
		if (png->used == CHUNK)
			flush_chunk(png);
	} while (result == Z_OK && (z->avail_in || last));
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		png->failed = true;
}

#else
static void pack(struct gsc_png *png, uint8_t *data, size_t size, bool last)
{
	(void)png, (void)data, (void)size, (void)last;
}
#endif

/* ---- pixels --------------------------------------------------------------------------------- */

static uint8_t channel(uint32_t element, const struct gsc_channel *c)
{
	uint32_t most = (1u << c->bits) - 1;

	if (!c->bits)
		return 0;
	return (uint8_t)(((element >> c->lo & most) * 255 + most / 2) / most);
}

void gsc_png_row(struct gsc_png *png, const void *elements, const uint8_t *known)
{
	size_t size = 1 + (size_t)png->width * png->bytes;
	unsigned bytes = png->format->bits / 8;
	const struct gsc_pixel_format *f = png->format;
	const uint8_t *at = elements;
	uint8_t *to = png->row + 1;

	if (!png->left) {
		png->failed = true;
		return;
	}
	png->left--;
	for (uint64_t i = 0; i < png->width; i++) {
		uint32_t element = 0;

		for (unsigned b = 0; b < bytes; b++)
			element |= (uint32_t)*at++ << 8 * b;
		*to++ = channel(element, &f->red);
		if (png->kind & RGB) {
			*to++ = channel(element, &f->green);
			*to++ = channel(element, &f->blue);
		}
		if (png->kind & GREY_ALPHA)
			*to++ = known && !known[i] ? 0 : f->alpha.bits ?
				channel(element, &f->alpha) : 255;
	}
	if (png->library)
		pack(png, png->row, size, false);
	else
		store(png, png->row, size);
}

/* ---- a picture ------------------------------------------------------------------------------ */

enum gsc_status gsc_png_new(struct gsc_png **png, struct gsc_out *out,
			    const struct gsc_pixel_format *format, uint64_t width, uint64_t height,
			    unsigned flags, struct gsc_error *err)
{
	static const uint8_t magic[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	static const uint8_t stored[] = { 0x78, 0x01 };	/* of zlib's format */
	uint8_t head[13] = { [8] = 8 };
	struct gsc_png *p;

	*png = NULL;
	if (!width || !height || width > SIZE_LIMIT || height > SIZE_LIMIT)
		return err_set(err, GSC_USAGE, "PNG", "has 1 to 2147483647 columns and rows");
	p = calloc(1, sizeof(*p));
	if (!p)
		return err_memory(err);
	p->out = out;
	p->format = format;
	p->width = width;
	p->left = height;
	p->adler_a = 1;
	p->kind = format->red.lo == format->green.lo ? GREY : RGB;
	p->kind |= format->alpha.bits || flags & GSC_PNG_HOLES ? GREY_ALPHA : GREY;
	p->bytes = (p->kind & RGB ? 3 : 1) + (p->kind & GREY_ALPHA ? 1 : 0);
	p->row = calloc((size_t)width + 1, p->bytes);
	if (!p->row) {
		free(p);
		return err_memory(err);
	}
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (unsigned bit = 0; bit < 8; bit++)
			c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
		p->crc_table[i] = c;
	}
#if HAVE_ZLIB
	if (flags & GSC_PNG_PACKED)
		pack_begin(p);
#endif
	put_be32(head, (uint32_t)width);
	put_be32(head + 4, (uint32_t)height);
	head[9] = (uint8_t)p->kind;
	gsc_out_bytes(out, magic, sizeof(magic));
	put_chunk(p, "IHDR", head, sizeof(head));
	if (!p->library)
		chunk_bytes(p, stored, sizeof(stored));
	*png = p;
	return GSC_OK;
}

bool gsc_png_end(struct gsc_png *png)
{
	uint8_t end[9] = { 1, 0, 0, 0xff, 0xff };	/* an empty block, the last one */

	put_be32(end + 5, png->adler_b << 16 | png->adler_a);
	if (png->library)
		pack(png, png->row, 0, true);
	else
		chunk_bytes(png, end, sizeof(end));
	flush_chunk(png);
	put_chunk(png, "IEND", NULL, 0);
	return !png->failed && !png->left && !gsc_out_error(png->out);
}

void gsc_png_free(struct gsc_png *png)
{
	if (!png)
		return;
#if HAVE_ZLIB
	if (png->library)
		png->zlib.end(&png->stream);
	if (png->library)
		dynlib_close(png->library);
#endif
	free(png->row);
	free(png);
}
