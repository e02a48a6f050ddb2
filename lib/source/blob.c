/* SPDX-License-Identifier: MIT */
/* The bytes of an input: read, mapped, or inflated into memory or an unlinked temporary file. */
#include "device/device.h"
#include "text/clean.h"
#include "source/inflate.h"
#include "source/part.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SMALL_SIZE (64 << 10)		/* read rather than mapped, whatever it is */
#define TEXT_SIZE (64 << 20)		/* text up to this is read: an editor may truncate it */
#define HEAD_SIZE (1 << 20)		/* the part that `accept` sees */
#define SPOOL_HEAP (8 << 20)		/* beyond this, a temporary file */
#define SPOOL_MEMORY (UINT64_C(1) << 30)	/* where no file can be made, so much in memory */
#define ZERO_RUN 4096

/*
 * Compressed bytes, zeros aside, that unpack to more than RATIO times as many and GRACE are a bomb;
 * and a folder for temporary files is not filled: a sixteenth of its file system, or RESERVE, is
 * left.
 */
#define RATIO 1000
#define GRACE (UINT64_C(256) << 20)
#define RESERVE (UINT64_C(1) << 30)
#define PIPE_MOST (UINT64_C(1) << 30)	/* a pipe may never end */
#define ROOM_ASKED (UINT64_C(16) << 20)	/* free space is checked as often */

/*
 * The name of a process is any bytes but zeros, and drivers print it unchanged: a few odd ones do
 * not make a text binary.
 */
bool bytes_are_text(const uint8_t *data, size_t size)
{
	size_t odd = 0;

	size = MIN(size, (size_t)4096);
	for (size_t i = 0; i < size; i++) {
		uint8_t c = data[i];

		if (!c)
			return false;
		odd += (c < ' ' && !(c >= '\b' && c <= '\r') && c != 0x1b) || c == 0x7f ||
		       c >= 0xfe;
	}
	return size && odd <= size / 32;
}

/* ---- a spool: bytes of unknown number ----------------------------------------------------- */

struct spool {
	struct sink sink;
	const char *name;
	blob_accept accept;
	const struct maker *maker;	/* or NULL */
	bool asked, refused;
	VEC(uint8_t) heap;
	int fd;				/* the temporary file, or -1 */
	uint64_t size, inflated, most;	/* `most`: of what is inflated, or read */
	uint64_t packed;		/* bytes that are unpacked; 0: they come as they are */
	uint64_t stored, room;		/* bytes that are not zeros; and that may still be stored */
	const char *stopped;		/* why the rest is not read, or NULL */
};

int gsc_temporary(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if ((size_t)snprintf(path, sizeof(path), "%s/gpuscope-XXXXXX", folder) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static bool skip(int fd, uint64_t size)
{
	return lseek(fd, (off_t)size, SEEK_CUR) >= 0;
}

/* Zeros become holes: an image is mostly zeros, and a hostile one may be nothing else. */
static bool write_sparse(int fd, const uint8_t *data, size_t size)
{
	if (bytes_are_zero(data, size))
		return skip(fd, size);
	while (size) {
		size_t run = MIN(size, (size_t)ZERO_RUN);

		if (bytes_are_zero(data, run) ? !skip(fd, run) : !fd_write(fd, data, run))
			return false;
		data += run;
		size -= run;
	}
	return true;
}

/* No data: zeros. */
static bool spool_put(struct spool *spool, const uint8_t *data, uint64_t size)
{
	const struct maker *maker = spool->maker;
	uint8_t *to;

	if (spool->fd < 0 && size <= SPOOL_HEAP - spool->heap.count) {
		if (!vec_reserve(&spool->heap, (size_t)size)) {
			errno = ENOMEM;
			return false;
		}
		to = spool->heap.items + spool->heap.count;
		if (data)
			memcpy(to, data, (size_t)size);
		else
			memset(to, 0, (size_t)size);
		spool->heap.count += (size_t)size;
		return true;
	}
	if (spool->fd < 0) {
		spool->fd = maker && maker->make ? maker->make(maker->context) : gsc_temporary();
		/* A confined program cannot create files any more, but it has memory. */
		if (spool->fd < 0 && (errno == EACCES || errno == EPERM)) {
			spool->fd = memfd_create("gpuscope", MFD_CLOEXEC);
			spool->most = SPOOL_MEMORY;
		}
		if (spool->fd < 0 || !write_sparse(spool->fd, spool->heap.items, spool->heap.count))
			return false;
		vec_free(&spool->heap);
	}
	return data ? write_sparse(spool->fd, data, (size_t)size) : skip(spool->fd, size);
}

static enum gsc_status temporary_failed(struct gsc_error *err)
{
	if (errno == ENOMEM)
		return err_memory(err);
	return err_set(err, GSC_FAILED, "temporary file",
		       "%s (set TMPDIR to use another directory)", strerror(errno));
}

static enum gsc_status too_much(const struct spool *spool, uint64_t most, struct gsc_error *err)
{
	return err_set(err, GSC_FAILED, spool->name, "holds more than %llu GB", LL(most >> 30));
}

static enum gsc_status spool_add(struct spool *spool, const uint8_t *data, uint64_t size,
				 struct gsc_error *err)
{
	if (size > INFLATED_ZEROS_MAX - spool->size)
		return too_much(spool, INFLATED_ZEROS_MAX, err);
	if (!spool_put(spool, data, size))
		return temporary_failed(err);
	spool->size += size;
	if (spool->asked || !spool->accept || spool->size < HEAD_SIZE)
		return GSC_OK;
	/* If nobody wants it, reading on may never end: the head is kept. */
	spool->asked = true;
	spool->refused = !is_compressed(spool->heap.items, spool->heap.count) &&
			 !spool->accept(spool->heap.items, spool->heap.count);
	return spool->refused ? GSC_FAILED : GSC_OK;
}

/* Zeros are holes, and cost only the time that they take to arrive. */
static bool may_store(struct spool *spool, const uint8_t *data, size_t size)
{
	bool zeros = bytes_are_zero(data, size);
	struct statvfs fs;

	if (zeros && spool->packed)
		return true;
	spool->stored += size;
	if (spool->packed && spool->stored > GRACE && spool->stored / RATIO > spool->packed)
		spool->stopped = "unpacks to more than 1000 times its size: the rest is not read "
				 "(unpack it with zstd -d or gzip -d)";
	if (!spool->packed && spool->stored > PIPE_MOST)
		spool->stopped = "is longer than 1 GB: the rest is not read (save it to a file and "
				 "name the file)";
	if (spool->fd < 0 || zeros || spool->stopped)
		return !spool->stopped;
	if (spool->room < size) {
		bool known = !fstatvfs(spool->fd, &fs) && fs.f_blocks;
		uint64_t all = known ? (uint64_t)fs.f_blocks * fs.f_frsize : 0;
		uint64_t left = known ? (uint64_t)fs.f_bavail * fs.f_frsize : UINT64_MAX;
		uint64_t reserve = MIN(all / 16, RESERVE);

		spool->room = left > reserve ? MIN(left - reserve, ROOM_ASKED) : 0;
	}
	if (spool->room < size)
		spool->stopped = "the directory for temporary files is nearly full: the rest is "
				 "not read (set TMPDIR to use another one)";
	else
		spool->room -= size;
	return !spool->stopped;
}

static enum gsc_status spool_write(struct sink *sink, const uint8_t *data, size_t size,
				   struct gsc_error *err)
{
	struct spool *spool = (struct spool *)sink;

	if (!size)
		return GSC_OK;
	if (!may_store(spool, data, size))
		return GSC_FAILED;
	if (size > spool->most - spool->inflated)
		return too_much(spool, spool->most, err);
	spool->inflated += size;
	return spool_add(spool, data, size, err);
}

static enum gsc_status spool_zeros(struct sink *sink, uint64_t size, struct gsc_error *err)
{
	return spool_add((struct spool *)sink, NULL, size, err);
}

static void spool_begin(struct spool *spool, const char *name, blob_accept accept,
			const struct maker *maker)
{
	*spool = (struct spool){ .sink = { spool_write, spool_zeros }, .name = name,
				 .accept = accept, .maker = maker, .most = INFLATED_MAX };
	spool->fd = -1;
}

static void spool_drop(struct spool *spool)
{
	vec_free(&spool->heap);
	if (spool->fd >= 0)
		close(spool->fd);
	spool->fd = -1;
}

/*
 * The descriptor is -1 if the blob has taken it: a file with holes stays open, because a mapping
 * does not show where they are. Readahead makes pages of them, many times the size of the data.
 */
static enum gsc_status map_file(struct blob *blob, int *fd, uint64_t size, struct gsc_error *err)
{
	struct stat st;
	void *data;

	if (size > SIZE_MAX)
		return err_errno(err, blob->name, EFBIG);
	data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, *fd, 0);
	if (data == MAP_FAILED)
		return err_errno(err, blob->name, errno);
	if (!fstat(*fd, &st) && (uint64_t)st.st_blocks * 512 < size) {
		if ((uint64_t)st.st_blocks * 512 < size / 2)
			madvise(data, (size_t)size, MADV_RANDOM);
		blob->fd = *fd;
		*fd = -1;
	}
	blob->data = data;
	blob->size = size;
	blob->mapped = true;
	return GSC_OK;
}

/* Passes the bytes on; the spool is empty afterwards. */
static enum gsc_status spool_end(struct spool *spool, struct blob *blob, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	if (spool->fd < 0) {
		blob->data = spool->heap.items;
		blob->size = spool->heap.count;
		blob->owned = true;
		return GSC_OK;
	}
	if (ftruncate(spool->fd, (off_t)spool->size))
		status = temporary_failed(err);
	else
		status = map_file(blob, &spool->fd, spool->size, err);
	spool_drop(spool);
	return status;
}

/* ---- files -------------------------------------------------------------------------------- */

static enum gsc_status spool_file(struct blob *blob, int fd, blob_accept accept,
				  const struct maker *maker, struct gsc_error *err)
{
	uint8_t *buffer = malloc(SMALL_SIZE);
	enum gsc_status status = buffer ? GSC_OK : err_memory(err);
	struct spool spool;

	spool_begin(&spool, blob->name, accept, maker);
	while (!status) {
		ssize_t got = read(fd, buffer, SMALL_SIZE);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			status = err_errno(err, spool.name, errno);
		if (got <= 0)
			break;
		status = spool_write(&spool.sink, buffer, (size_t)got, err);
	}
	free(buffer);
	blob->damage = spool.stopped;
	blob->damage_at = spool.size;
	if (!status || spool.refused || spool.stopped)
		return spool_end(&spool, blob, err);
	spool_drop(&spool);
	return status;
}

/* The bytes as they are in the file. An image or a core that cannot be mapped keeps it open. */
static enum gsc_status load_file(struct blob *blob, int *fd, blob_accept accept,
				 const struct maker *maker, struct gsc_error *err)
{
	uint8_t head[4096];
	ssize_t got;
	struct stat st;
	bool maps;

	if (fstat(*fd, &st))
		return err_errno(err, blob->name, errno);
	if (S_ISDIR(st.st_mode))
		return err_set(err, GSC_FAILED, blob->name, "a directory, not a file");
	if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(*fd)))
		return err_set(err, GSC_FAILED, blob->name, "a device node, not a file");
	/* Files of sysfs, debugfs and procfs have a size of 0 or of a page, whatever they hold. */
	maps = *fd != STDIN_FILENO && S_ISREG(st.st_mode) && st.st_size > SMALL_SIZE;
	got = maps && accept ? pread(*fd, head, sizeof(head), 0) : 0;
	if (!maps || (accept && st.st_size <= TEXT_SIZE && got > 0 &&
		      bytes_are_text(head, (size_t)got)))
		return spool_file(blob, *fd, accept, maker, err);
	if (map_file(blob, fd, (uint64_t)st.st_size, NULL) == GSC_OK)
		return GSC_OK;
	/* /proc/kcore is as long as the address space. */
	if (accept && (got < 4 || memcmp(head, "\177ELF", 4) != 0))
		return spool_file(blob, *fd, accept, maker, err);
	blob->size = (uint64_t)st.st_size;
	blob->fd = *fd;
	*fd = -1;
	return GSC_OK;
}

void blob_close(struct blob *blob)
{
	if (blob->mapped)
		munmap((void *)(uintptr_t)blob->data, (size_t)blob->size);
	else if (blob->owned)
		free((void *)(uintptr_t)blob->data);
	if (blob->fd >= 0)
		close(blob->fd);
	blob->data = NULL;
	blob->size = 0;
	blob->mapped = blob->owned = false;
	blob->fd = -1;
}

static enum gsc_status inflate_blob(struct blob *blob, blob_accept accept,
				    const struct maker *maker, struct gsc_error *err)
{
	struct inflation job = { .name = blob->name, .data = blob->data, .size = blob->size };
	struct blob whole = { .name = blob->name, .fd = -1 };
	struct slice name = slice_string(blob->name);
	struct spool spool;
	enum gsc_status status;

	spool_begin(&spool, blob->name, accept, maker);
	spool.packed = blob->size;
	job.sink = &spool.sink;
	status = inflate_all(&job, err);
	if (spool.refused || spool.stopped)
		status = GSC_OK;
	if (spool.stopped) {
		job.damage = spool.stopped;
		job.damage_at = job.taken;
	}
	/* An image may begin with the magic by chance: then it is not valid to its end. */
	if (!status && !spool.stopped && !accept && job.damage && job.damage_at < job.size &&
	    !slice_ends(name, ".gz") && !slice_ends(name, ".zst")) {
		spool_drop(&spool);
		return GSC_OK;
	}
	if (!status && job.damage && !spool.size)
		status = err_set(err, GSC_FAILED, blob->name, "%s at byte %llu", job.damage,
				 LL(job.damage_at));
	if (!status)
		status = spool_end(&spool, &whole, err);
	else
		spool_drop(&spool);
	if (status)
		return status;
	blob_close(blob);
	*blob = whole;
	blob->damage = job.damage;
	blob->damage_at = job.damage_at;
	return GSC_OK;
}

static enum gsc_status finish(struct blob *blob, blob_accept accept, const struct maker *maker,
			      struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	if (blob->data && is_compressed(blob->data, blob->size))
		status = inflate_blob(blob, accept, maker, err);
	if (!status && !blob->size)
		status = err_set(err, GSC_FAILED, blob->name, "empty");
	return status;
}

enum gsc_status blob_open(struct blob *blob, const char *path, blob_accept accept,
			  const struct maker *maker, struct gsc_error *err)
{
	bool standard = !strcmp(path, "-");
	enum gsc_status status;
	int fd;

	*blob = (struct blob){ .name = standard ? "standard input" : path, .fd = -1 };
	if (maker && maker->open)
		fd = maker->open(maker->context, path);
	else
		fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return strcmp(path, KCORE) != 0 ? err_errno(err, blob->name, errno) :
		       refusal_file(err, KCORE, errno, "reading the kernel's memory");
	status = load_file(blob, &fd, accept, maker, err);
	if (fd > STDIN_FILENO)
		close(fd);
	return status ? status : finish(blob, accept, maker, err);
}

bool blob_accept_any(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return true;
}

enum gsc_status blob_from_memory(struct blob *blob, const char *name, const void *data, size_t size,
				 blob_accept accept, const struct maker *maker,
				 struct gsc_error *err)
{
	*blob = (struct blob){ .name = name, .data = data, .size = size, .fd = -1 };
	return finish(blob, accept, maker, err);
}

enum gsc_status blob_clean(struct blob *blob, const struct clean_words *words,
			   struct gsc_error *err)
{
	size_t size = (size_t)blob->size, cleaned;
	char *text;

	if (!blob->data || (!text_is_wide(blob->data, size) && !bytes_are_text(blob->data, size)))
		return GSC_OK;
	if (!text_clean(words, blob->data, size, &text, &cleaned))
		return err_memory(err);
	if (!text)
		return GSC_OK;
	blob_close(blob);
	blob->data = (const uint8_t *)text;
	blob->size = cleaned;
	blob->owned = true;
	return GSC_OK;
}

uint64_t file_run(int fd, uint64_t offset, uint64_t length, bool *hole)
{
	off_t from = (off_t)offset, next;

	*hole = false;
	if (fd < 0 || offset > INT64_MAX)
		return length;
	next = lseek(fd, from, SEEK_DATA);
	/* A hole up to the end; what was cut off is not a hole. */
	if (next < 0 && errno == ENXIO)
		next = lseek(fd, 0, SEEK_END);
	*hole = next > from;
	if (next == from)
		next = lseek(fd, from, SEEK_HOLE);
	return next > from ? MIN(length, (uint64_t)(next - from)) : length;
}

bool blob_read(const struct blob *blob, uint64_t offset, void *buf, size_t size)
{
	if (offset > blob->size || size > blob->size - offset)
		return false;
	if (blob->data) {
		memcpy(buf, blob->data + offset, size);
		return true;
	}
	return offset <= INT64_MAX && pread(blob->fd, buf, size, (off_t)offset) == (ssize_t)size;
}
