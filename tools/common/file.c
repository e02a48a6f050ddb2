/* SPDX-License-Identifier: MIT */
/*
 * A file on disk as a whole or not at all, and standard output; what can be read once, so that it
 * can be read again.
 */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a file in the making; for a signal handler, too. */
static char temporary[PATH_MAX];

static void remove_temporary(void *path)
{
	unlink(path);
}

enum gsc_status file_error(struct gsc_error *err, const char *path, int number)
{
	*err = (struct gsc_error){ .status = number == EACCES || number == EPERM ? GSC_DENIED
										  : GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%s", path);
	snprintf(err->why, sizeof(err->why), "%s", strerror(number));
	return err->status;
}

bool write_whole(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		size -= (size_t)done;
	}
	return true;
}

/* What was saved is worth having although some of it is missing. */
static enum gsc_status saved(struct common *common, enum gsc_status status, struct gsc_error *err)
{
	enum gsc_status damage;

	if (status == GSC_PARTIAL)
		complain(common, status, err->what, err->why);
	*err = (struct gsc_error){ 0 };
	damage = complain_damage(common, common->source);
	return status ? status : damage;
}

/* A reader that has seen enough is no failure. */
static enum gsc_status save_stdout(struct common *common, file_write_fn *write_to,
				   struct gsc_error *err)
{
	enum gsc_status status = write_to(common, STDOUT_FILENO, "standard output", err);

	if (status && status != GSC_PARTIAL && errno == EPIPE) {
		*err = (struct gsc_error){ 0 };
		return GSC_OK;
	}
	if (status && status != GSC_PARTIAL)
		return status;
	if (close(STDOUT_FILENO))
		return file_error(err, "standard output", errno);
	return saved(common, status, err);
}

/* Not a file of its own, such as a device: it cannot be replaced. */
static enum gsc_status save_in_place(struct common *common, const char *path,
				     file_write_fn *write_to, struct gsc_error *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	enum gsc_status status;

	if (fd < 0)
		return file_error(err, path, errno);
	status = write_to(common, fd, path, err);
	if (close(fd) && (!status || status == GSC_PARTIAL))
		return file_error(err, path, errno);
	return status && status != GSC_PARTIAL ? status : saved(common, status, err);
}

static int create_temporary(const char *path)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!stop_add(remove_temporary, temporary)) {
		errno = ENOMEM;
		return -1;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd >= 0)
		fchmod(fd, 0666 & ~mask);
	else
		stop_remove(temporary);
	return fd;
}

static enum gsc_status save_file(struct common *common, const char *path, file_write_fn *write_to,
				 struct gsc_error *err)
{
	int fd = create_temporary(path), error = 0;
	enum gsc_status status;

	if (fd < 0)
		return file_error(err, path, errno);
	status = write_to(common, fd, path, err);
	if (!status || status == GSC_PARTIAL)
		error = fsync(fd) && errno != EINVAL ? errno : 0;
	if (close(fd) && !error)
		error = errno;
	if ((!status || status == GSC_PARTIAL) && !error && rename(temporary, path))
		error = errno;
	if (error || (status && status != GSC_PARTIAL))
		unlink(temporary);
	stop_remove(temporary);
	if (status && status != GSC_PARTIAL)
		return status;
	return error ? file_error(err, path, error) : saved(common, status, err);
}

static enum gsc_status save_to(struct common *common, const char *path, file_write_fn *write_to,
			       struct gsc_error *err)
{
	char *target = realpath(path, NULL);
	enum gsc_status status;
	struct stat st;

	if (target && !stat(target, &st) && S_ISDIR(st.st_mode))
		status = file_error(err, path, EISDIR);
	else if (target && !S_ISREG(st.st_mode))
		status = save_in_place(common, target, write_to, err);
	else
		status = save_file(common, target ? target : path, write_to, err);
	free(target);
	return status;
}

enum gsc_status file_save(struct common *common, const char *path, file_write_fn *write_to,
			  struct gsc_error *err)
{
	return strcmp(path, "-") ? save_to(common, path, write_to, err)
				 : save_stdout(common, write_to, err);
}

/* ---- what can be read once ------------------------------------------------------------------ */

static bool copy_all(int from, int to)
{
	char buf[65536];
	ssize_t got;

	while ((got = read(from, buf, sizeof(buf))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || !write_whole(to, buf, (size_t)got))
			return false;
	}
	return true;
}

enum gsc_status file_keep(int from, const char *what, char *name, size_t size,
			  struct gsc_error *err)
{
	int fd = memfd_create("gpuscope", MFD_CLOEXEC), error;

	if (fd < 0)
		return file_error(err, what, errno);
	if (!copy_all(from, fd)) {
		error = errno;
		close(fd);
		return file_error(err, what, error);
	}
	snprintf(name, size, "/dev/fd/%d", fd);
	return GSC_OK;
}
