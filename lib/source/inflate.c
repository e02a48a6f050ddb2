/* SPDX-License-Identifier: MIT */
/*
 * Unpacks gzip and zstd, with the libraries that are there, up to the limits. gzip by zlib, not by
 * libdeflate, which is faster but only takes a whole stream into memory: it returns nothing of one
 * that is truncated or damaged, or that i915 did not end, and of those the beginning is what there
 * is. Unpacking takes 1 to 4 % of the time of a log or an error state.
 */
#include "source/inflate.h"

#include "text/clean.h"
#include "util/dynlib.h"

#include <string.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

#define OUTPUT_SIZE (256 << 10)

static bool is_gzip(const uint8_t *data, size_t size)
{
	return size >= 4 && data[0] == 0x1f && data[1] == 0x8b && data[2] == 8 && !(data[3] & 0xe0);
}

bool is_compressed(const uint8_t *data, size_t size)
{
	/* A frame of zstd, or a skippable one, which pzstd writes first. */
	return is_gzip(data, size) ||
	       (size >= 4 && data[0] == 0x28 && !memcmp(data + 1, "\xb5\x2f\xfd", 3)) ||
	       (size >= 4 && (data[0] & 0xf0) == 0x50 && !memcmp(data + 1, "\x2a\x4d\x18", 3));
}

#define PACKED_LEAST 12			/* characters of base 85: a zlib stream is not shorter */

/* A compressed buffer of an error state: a colon and base 85, whatever a mail has put around it. */
static bool has_packed_buffer(const uint8_t *data, size_t size)
{
	const uint8_t *at = data, *end = data + size;

	while ((at = memchr(at, ':', (size_t)(end - at)))) {
		const uint8_t *from = ++at;

		while (at < end && *at > ' ' && *at < 0x7f)
			at++;
		if (at - from >= PACKED_LEAST)
			return true;
	}
	return false;
}

unsigned gsc_libraries_wanted(const void *bytes, size_t size)
{
	const uint8_t *data = bytes;

	if (size > 12 && (!memcmp(data, "KDUMP   ", 8) || !memcmp(data, "makedumpfile", 12)))
		return GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD;
	/* A file, and what is in a tar archive, begins at a multiple of 512. */
	for (size_t at = 0; at < size; at += 512)
		if (is_compressed(data + at, size - at))
			return GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD;
	return text_is_wide(data, size) || has_packed_buffer(data, size) ||
			       memmem(data, size, "ase64", 5) || memmem(data, size, "ASE64", 5)
		       ? GSC_LIBRARY_ZLIB : 0;
}

#if HAVE_ZLIB || HAVE_ZSTD
static void damaged(struct inflation *job, const char *what, size_t at)
{
	job->damage = what;
	job->damage_at = at;
}

/*
 * Frames of zstd and members of gzip are independent: one that is, byte for byte, equal to the last
 * one that contained only zeros is as many zeros. That is how the holes of an image are compressed.
 */
struct frames {
	size_t start;			/* of the one being unpacked */
	uint64_t size;			/* bytes of it so far */
	bool other;			/* one of them is not zero */
	size_t zeros, length;		/* the last one of zeros alone: where it is, and how long */
	uint64_t holds;
};

static enum gsc_status deliver(struct inflation *job, struct frames *frames, const uint8_t *data,
			       size_t size, struct gsc_error *err)
{
	frames->size += size;
	frames->other = frames->other || !bytes_are_zero(data, size);
	return job->sink->write(job->sink, data, size, err);
}

/* At the end of a frame; `at` moves past those after it that need not be unpacked. */
static enum gsc_status end_frame(struct inflation *job, struct frames *frames, size_t *at,
				 struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	if (!frames->other && frames->size) {
		frames->zeros = frames->start;
		frames->length = *at - frames->start;
		frames->holds = frames->size;
	}
	while (!status && frames->length && job->size - *at >= frames->length &&
	       !memcmp(job->data + *at, job->data + frames->zeros, frames->length)) {
		status = job->sink->zeros(job->sink, frames->holds, err);
		*at += frames->length;
	}
	frames->start = *at;
	frames->size = 0;
	frames->other = false;
	return status;
}
#endif

#if HAVE_ZLIB
static const char *const zlib_names[] = { "inflateInit2_", "inflate", "inflateReset",
					   "inflateEnd" };

struct zlib {
	int (*init)(z_stream *z, int bits, const char *version, int size);
	int (*inflate)(z_stream *z, int flush);
	int (*reset)(z_stream *z);
	int (*end)(z_stream *z);
};

static enum gsc_status run_zlib(struct inflation *job, const struct zlib *zlib, z_stream *z,
				uint8_t *out, struct gsc_error *err)
{
	struct frames frames = { 0 };
	size_t taken = 0;

	for (;;) {
		size_t slice = MIN(job->size - taken, (size_t)1 << 30);
		enum gsc_status status;
		int result;

		/* zlib does not write to its input. */
		z->next_in = (Bytef *)(uintptr_t)(job->data + taken);
		z->avail_in = (uInt)slice;
		z->next_out = out;
		z->avail_out = OUTPUT_SIZE;
		result = zlib->inflate(z, Z_NO_FLUSH);
		taken += slice - z->avail_in;
		job->taken = taken;
		status = deliver(job, &frames, out, OUTPUT_SIZE - z->avail_out, err);
		if (!status && result == Z_STREAM_END)
			status = end_frame(job, &frames, &taken, err);
		if (status)
			return status;
		if (result == Z_MEM_ERROR)
			return err_memory(err);
		if (result == Z_STREAM_END) {
			/* Another member, padding, or something that does not belong here. */
			if (is_gzip(job->data + taken, job->size - taken)) {
				if (zlib->reset(z) == Z_OK)
					continue;
				return GSC_OK;
			}
			while (taken < job->size && !job->data[taken])
				taken++;
			if (taken < job->size)
				damaged(job, "bytes after the end of the gzip data", taken);
			return GSC_OK;
		} else if (result == Z_BUF_ERROR || (result == Z_OK && taken == job->size &&
						     z->avail_out)) {
			damaged(job, "gzip data is truncated", job->size);
			return GSC_OK;
		} else if (result != Z_OK) {
			damaged(job, "gzip data is damaged", taken);
			return GSC_OK;
		}
	}
}

static enum gsc_status inflate_gzip(struct inflation *job, uint8_t *out, struct gsc_error *err)
{
	struct zlib zlib;
	z_stream z = { 0 };
	enum gsc_status status;
	void *library = dynlib_open("libz.so.1", zlib_names, &zlib, ARRAY_SIZE(zlib_names), err);

	if (!library)
		return GSC_FAILED;
	if (zlib.init(&z, 15 + 16, ZLIB_VERSION, (int)sizeof(z)) == Z_OK) {
		status = run_zlib(job, &zlib, &z, out, err);
		zlib.end(&z);
	} else {
		status = err_memory(err);
	}
	dynlib_close(library);
	return status;
}

struct unpacker {
	struct zlib zlib;
	z_stream stream;
	void *library;
	bool begun;
};

struct unpacker *unpacker_new(struct gsc_error *err)
{
	struct unpacker *unpacker = calloc(1, sizeof(*unpacker));

	if (!unpacker) {
		err_memory(err);
		return NULL;
	}
	unpacker->library = dynlib_open("libz.so.1", zlib_names, &unpacker->zlib,
					ARRAY_SIZE(zlib_names), err);
	if (!unpacker->library) {
		free(unpacker);
		return NULL;
	}
	return unpacker;
}

void unpacker_free(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	if (unpacker->begun)
		unpacker->zlib.end(&unpacker->stream);
	dynlib_close(unpacker->library);
	free(unpacker);
}

bool unpacker_begin(struct unpacker *unpacker)
{
	if (unpacker->begun)
		return unpacker->zlib.reset(&unpacker->stream) == Z_OK;
	unpacker->begun = unpacker->zlib.init(&unpacker->stream, 15, ZLIB_VERSION,
					      (int)sizeof(unpacker->stream)) == Z_OK;
	return unpacker->begun;
}

enum unpacked unpacker_feed(struct unpacker *unpacker, const uint8_t *data, unsigned size,
			    byte_vec *out, size_t limit)
{
	z_stream *z = &unpacker->stream;

	z->next_in = (Bytef *)(uintptr_t)data;
	z->avail_in = size;
	for (;;) {
		size_t room = MIN(limit - MIN(limit, out->count), (size_t)OUTPUT_SIZE);
		int result;

		if (!vec_reserve(out, room + 1))
			return UNPACK_NO_MEMORY;
		/* One byte more than allowed shows that there is more. */
		z->next_out = out->items + out->count;
		z->avail_out = (uInt)room + 1;
		result = unpacker->zlib.inflate(z, Z_NO_FLUSH);
		out->count += room + 1 - z->avail_out;
		if (out->count > limit) {
			out->count = limit;
			return UNPACK_FULL;
		}
		if (result == Z_STREAM_END)
			return UNPACK_END;
		if (result == Z_MEM_ERROR)
			return UNPACK_NO_MEMORY;
		if (result != Z_OK && result != Z_BUF_ERROR)
			return UNPACK_DAMAGED;
		if (!z->avail_in && z->avail_out)
			return UNPACK_MORE;
	}
}
#else
struct unpacker *unpacker_new(struct gsc_error *err)
{
	err_set(err, GSC_FAILED, "zlib", "this build cannot read zlib data");
	return NULL;
}

void unpacker_free(struct unpacker *unpacker)
{
	(void)unpacker;
}

bool unpacker_begin(struct unpacker *unpacker)
{
	(void)unpacker;
	return false;
}

enum unpacked unpacker_feed(struct unpacker *unpacker, const uint8_t *data, unsigned size,
			    byte_vec *out, size_t limit)
{
	(void)unpacker, (void)data, (void)size, (void)out, (void)limit;
	return UNPACK_DAMAGED;
}

static enum gsc_status inflate_gzip(struct inflation *job, uint8_t *out, struct gsc_error *err)
{
	(void)out;
	return err_set(err, GSC_FAILED, job->name, "this build cannot read gzip files");
}
#endif

#if HAVE_ZSTD
static const char *const zstd_names[] = { "ZSTD_createDStream", "ZSTD_decompressStream",
					   "ZSTD_isError", "ZSTD_freeDStream" };

struct zstd {
	ZSTD_DStream *(*create)(void);
	size_t (*decompress)(ZSTD_DStream *z, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
	unsigned (*is_error)(size_t code);
	size_t (*free)(ZSTD_DStream *z);
};

static enum gsc_status run_zstd(struct inflation *job, const struct zstd *zstd, ZSTD_DStream *z,
				uint8_t *buffer, struct gsc_error *err)
{
	ZSTD_inBuffer in = { job->data, job->size, 0 };
	struct frames frames = { 0 };

	for (;;) {
		ZSTD_outBuffer out = { buffer, OUTPUT_SIZE, 0 };
		size_t result = zstd->decompress(z, &out, &in);
		enum gsc_status status;

		job->taken = in.pos;
		status = deliver(job, &frames, buffer, out.pos, err);
		if (!status && !result)
			status = end_frame(job, &frames, &in.pos, err);
		if (status)
			return status;
		if (zstd->is_error(result)) {
			damaged(job, "zstd data is damaged", in.pos);
			return GSC_OK;
		}
		if (!result && in.pos == in.size)
			return GSC_OK;
		if (in.pos == in.size && out.pos < out.size) {
			damaged(job, "zstd data is truncated", job->size);
			return GSC_OK;
		}
	}
}

static enum gsc_status inflate_zstd(struct inflation *job, uint8_t *out, struct gsc_error *err)
{
	struct zstd zstd;
	ZSTD_DStream *z;
	enum gsc_status status;
	void *library = dynlib_open("libzstd.so.1", zstd_names, &zstd, ARRAY_SIZE(zstd_names), err);

	if (!library)
		return GSC_FAILED;
	z = zstd.create();
	status = z ? run_zstd(job, &zstd, z, out, err) : err_memory(err);
	zstd.free(z);
	dynlib_close(library);
	return status;
}
#else
static enum gsc_status inflate_zstd(struct inflation *job, uint8_t *out, struct gsc_error *err)
{
	(void)out;
	return err_set(err, GSC_FAILED, job->name, "this build cannot read zstd files");
}
#endif

enum gsc_status inflate_all(struct inflation *job, struct gsc_error *err)
{
	uint8_t *out = malloc(OUTPUT_SIZE);
	enum gsc_status status;

	if (!out)
		return err_memory(err);
	if (is_gzip(job->data, job->size))
		status = inflate_gzip(job, out, err);
	else
		status = inflate_zstd(job, out, err);
	free(out);
	return status;
}
