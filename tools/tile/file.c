/* SPDX-License-Identifier: MIT */
/* gpu-tile IN -o OUT: a surface in a file becomes rows or a picture, or rows become a surface. */
#include "gpu-tile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FILL_MAX (UINT64_C(4) << 30)	/* missing bytes */

struct input {
	int fd;
	const char *name;
	uint64_t at;			/* how far it has been read */
	uint64_t size;			/* 0: not known */
	mode_t mode;			/* of the result: not readable for anybody else */
	int error;
};

/* ---- input ---------------------------------------------------------------------------------- */

static void input_close(struct input *in)
{
	if (in->fd != STDIN_FILENO)
		close(in->fd);
}

static enum gsc_status input_open(struct input *in, const char *path, struct gsc_error *err)
{
	struct stat st;

	*in = (struct input){ .fd = STDIN_FILENO, .name = "standard input", .mode = FILE_SHARED };
	if (strcmp(path, "-")) {
		in->name = path;
		in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	}
	if (in->fd < 0)
		return err_errno(err, path, errno);
	if (fstat(in->fd, &st) || S_ISDIR(st.st_mode)) {
		int number = fstat(in->fd, &st) ? errno : EISDIR;

		input_close(in);
		return err_errno(err, path, number);
	}
	if (S_ISREG(st.st_mode) && !st.st_size) {
		input_close(in);
		return err_set(err, GSC_FAILED, in->name, "empty");
	}
	if (S_ISREG(st.st_mode))
		in->mode &= st.st_mode;
	if (S_ISREG(st.st_mode) && in->fd != STDIN_FILENO)
		in->size = (uint64_t)st.st_size;
	return GSC_OK;
}

/* As much as there is; less at the end, or with an error. */
static size_t input_take(struct input *in, uint8_t *buf, size_t size)
{
	size_t used = 0;

	while (used < size && !in->error) {
		ssize_t got = read(in->fd, buf + used, size - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			in->error = errno;
		if (got <= 0)
			break;
		used += (size_t)got;
	}
	in->at += used;
	return used;
}

/* ---- to rows -------------------------------------------------------------------------------- */

/* Zeros follow a truncated file: to the end of what was requested, within reason. */
static size_t read_file(struct image *image, uint64_t offset, uint8_t *buf, size_t size,
			uint8_t *blocks)
{
	struct input *in = image->context;
	const struct tile *tile = image->tile;
	uint64_t bytes = gsc_layout_bytes(&tile->layout, tile->height);
	uint8_t skipped[65536];
	size_t got = 1;

	/* A pipe is read up to the place. */
	while (in->at < offset && got)
		got = input_take(in, skipped, (size_t)MIN(offset - in->at, sizeof(skipped)));
	got = got ? input_take(in, buf, size) : 0;
	image->error = in->error;
	if (got == size || in->error ||
	    (image->endless ? !got : (bytes > in->at ? bytes - in->at : bytes) > FILL_MAX))
		return got;
	if (!image->missing) {
		image->hole_at = in->at;
		image->hole_status = GSC_UNKNOWN;
		string_set(image->hole_why, "the file ends");
	}
	image_hole(image, buf, blocks, got, size - got);
	return size;
}

static enum gsc_status detile(struct tile *tile, struct input *in, struct gsc_error *err)
{
	struct image image = { .tile = tile, .read = read_file, .context = in, .name = in->name,
			       .endless = !tile->height, .mode = in->mode };
	uint64_t band = gsc_layout_bytes(&tile->layout, tile->layout.height);

	/* A picture says first how many rows it has: as many as the file has tiles for. */
	if (image.endless && wants_png(tile)) {
		if (!in->size)
			return usage_error(err, "--size", "a picture needs its rows in advance");
		tile->height = (in->size / band + !!(in->size % band)) * tile->layout.height;
		image.endless = false;
	}
	image.holes = !in->size || slices_before(tile) || tile->slice ||
		      in->size < gsc_layout_bytes(&tile->layout, tile->height);
	return image_write(&image, err);
}

/* ---- to tiles ------------------------------------------------------------------------------- */

/* What an end within the rows means, if this many bytes were still to be written. */
static enum gsc_status row_cut(const struct input *in, uint64_t missing, struct gsc_error *err)
{
	bool fill = missing <= FILL_MAX;

	errno = 0;
	if (in->error)
		return err_errno(err, in->name, in->error);
	return err_set(err, fill ? GSC_PARTIAL : GSC_FAILED, in->name, "ends after %llu bytes%s",
		       LL(in->at), fill ? ": the rest is zeros" : "; over 4 GB are missing");
}

/* Tiles of slices before the requested one: zeros, which are a hole if possible. */
static bool put_before(const struct tile *tile, int fd, uint8_t *tiled, size_t size)
{
	const struct gsc_layout *l = &tile->layout;
	uint64_t rows = tile->height / l->height + !!(tile->height % l->height);
	uint64_t count = slices_before(tile) * rows;
	struct stat st;

	/* A new file, or the end of one, can have one. */
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) >= st.st_size &&
	    !(fcntl(fd, F_GETFL) & O_APPEND) && count <= INT64_MAX / size &&
	    lseek(fd, (off_t)(count * size), SEEK_CUR) >= 0)
		return true;
	memset(tiled, 0, size);
	for (uint64_t i = 0; i < count; i++)
		if (!fd_write(fd, tiled, size))
			return false;
	return true;
}

/* Row of tiles by row of tiles; if IN has fewer rows than --size says, the others are zeros. */
static enum gsc_status put_tiled(struct common *common, int fd, const char *path,
				 struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	struct input *in = tile->image->context;
	const struct gsc_layout *l = &tile->layout;
	size_t size = (size_t)gsc_layout_bytes(l, l->height);
	size_t pitch = (size_t)tile->width * (l->surface.bits / 8);
	uint8_t *linear = calloc(l->height, pitch), *tiled = malloc(size);
	uint64_t left = tile->height ? tile->height : UINT64_MAX;
	struct gsc_rectangle r = { .width = tile->width, .z = tile->slice % l->depth,
				   .sample = tile->sample % l->samples };
	enum gsc_status status = linear && tiled ? GSC_OK : err_memory(err), cut = GSC_OK;

	errno = 0;
	if (!status && !put_before(tile, fd, tiled, size))
		status = err_errno(err, path, errno);
	while (left && !status) {
		size_t wanted, got;

		r.height = left < l->height ? left : l->height;
		wanted = (size_t)r.height * pitch;
		got = cut ? 0 : input_take(in, linear, wanted);
		if (!got && !tile->height && !in->error)
			break;
		memset(linear + got, 0, l->height * pitch - got);
		memset(tiled, 0, size);
		status = gsc_tile(l, tiled, size, &r, linear, pitch, err);
		if (!status && !cut && got < wanted && (tile->height || got % pitch || in->error))
			cut = row_cut(in, gsc_layout_bytes(l, tile->height ? left : 0), err);
		if (cut && cut != GSC_PARTIAL)
			status = cut;
		if (!status && !fd_write(fd, tiled, size))
			status = err_errno(err, path, errno);
		left -= r.height;
	}
	if (!status)
		errno = 0;
	status = status ? status : cut;
	free(linear);
	free(tiled);
	return status;
}

/* ---- both ----------------------------------------------------------------------------------- */

enum gsc_status tile_file_run(struct common *common, struct gsc_error *err)
{
	struct tile *tile = (struct tile *)common;
	enum gsc_status status = surface_options(tile, err);
	struct input in;
	struct image image = { .tile = tile, .context = &in };

	if (!status)
		status = swizzle_choose(tile, err);
	if (!status && tile->surface.swizzle & SWIZZLE_17)
		status = usage_error(err, "--tiling",
				     "the swizzle with bit 17 depends on the physical page "
				     "address, which a file does not have");
	if (!status)
		status = gsc_layout_init(&tile->layout, platform_of(common), &tile->surface, err);
	if (!status)
		status = width_choose(tile, err);
	if (!status)
		status = input_open(&in, common->operands[0], err);
	if (status)
		return status;
	tile->image = &image;
	if (!tile->retile)
		status = detile(tile, &in, err);
	else if (wants_png(tile))
		status = usage_error(err, "--output", "--tile writes a surface, not a picture");
	else if (!slice_fits(tile, err))
		status = err->status;
	else if (gsc_layout_bytes(&tile->layout, tile->layout.height) > BAND_MAX)
		status = usage_error(err, "--pitch", "a row of tiles would be over 256 MB");
	else
		status = file_save(common, tile->output, in.mode, put_tiled, err);
	input_close(&in);
	return status;
}
