/* SPDX-License-Identifier: MIT */
/*
 * A file on disk as a whole or not at all, and standard output; making input that can be read only
 * once readable again.
 */
#include "cli.h"
#include "open/open.h"
#include "util/number.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * To a descriptor that is open, or a file that gets its name when all of it is written. A reader
 * that has seen enough is not a failure.
 */
static enum gsc_status save_to(struct common *common, int fd, const char *path, bool named,
			       file_write_fn *write_to, struct gsc_error *err)
{
	enum gsc_status status, damage;
	int error = 0;
	bool good;

	confine(common);
	status = write_to(common, fd, path, err);
	if (status && status != GSC_PARTIAL && errno == EPIPE) {
		*err = (struct gsc_error){ 0 };
		status = GSC_OK;
	}
	good = !status || status == GSC_PARTIAL;
	if (good && named && fsync(fd) && errno != EINVAL && errno != EROFS)
		error = errno;
	if (close(fd) && good && !error)
		error = errno;
	if (named) {
		int failed = outside_end_file(common, good && !error);

		error = error ? error : failed;
	}
	if (!good)
		return status;
	if (error)
		return err_errno(err, path, error);
	/* What was saved is useful even if some of it is missing. */
	if (status == GSC_PARTIAL)
		complain(common, status, err->what, err->why);
	*err = (struct gsc_error){ 0 };
	damage = complain_damage(common, common->source);
	return status ? status : damage;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Under another name: /dev/stdout, /proc/self/fd/1, the terminal. */
static bool is_stdout(const char *path)
{
	struct stat st, out;

	return !strcmp(path, "-") ||
	       (!stat(path, &st) && !fstat(STDOUT_FILENO, &out) && same_file(&st, &out));
}

bool file_is_terminal(const char *path)
{
	return is_stdout(path) && isatty(STDOUT_FILENO);
}

/* Is it the file being read? A source is not kept in memory, and would be overwritten. */
static bool is_source(const struct common *common, const struct stat *st)
{
	bool found = false;

	for (size_t i = 0; i <= common->from.count && !found; i++) {
		const char *spec = i < common->from.count ? common->from.items[i] :
				   common->operand_count ? common->operands[0] : NULL;
		char *path = NULL;
		struct stat from;

		if (spec)
			gsc_spec_kind(spec, &path);
		found = path && !stat(path, &from) && same_file(&from, st);
		free(path);
	}
	return found;
}

enum gsc_status file_save(struct common *common, const char *path, mode_t mode,
			  file_write_fn *write_to, struct gsc_error *err)
{
	enum gsc_status status;
	struct stat st;
	bool exists;
	int fd = -1;

	if (is_stdout(path))
		return save_to(common, STDOUT_FILENO, "standard output", false, write_to, err);
	exists = !stat(path, &st);
	if (!exists && errno != ENOENT)
		return err_errno(err, path, errno);
	if (exists && S_ISDIR(st.st_mode))
		return err_errno(err, path, EISDIR);
	if (exists && S_ISREG(st.st_mode) && is_source(common, &st))
		return err_set(err, GSC_FAILED, path,
			       "is also the input: give another file with -o");
	status = outside_save(common, path, mode, &fd, err);
	return status ? status : save_to(common, fd, path, true, write_to, err);
}

/* ---- what can be read once ------------------------------------------------------------------ */

/* It is kept in memory, and may never end. */
#define KEPT_MOST (UINT64_C(1) << 30)

static bool copy_all(int from, int to)
{
	uint64_t all = 0;
	char buf[65536];
	ssize_t got;

	while ((got = read(from, buf, sizeof(buf))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || !fd_write(to, buf, (size_t)got))
			return false;
		all += (uint64_t)got;
		if (all > KEPT_MOST) {
			errno = EFBIG;
			return false;
		}
	}
	return true;
}

/* A copy in memory, or -1 and *err. */
static int keep_copy(int from, const char *what, struct gsc_error *err)
{
	int fd = memfd_create("gpuscope", MFD_CLOEXEC), error;

	if (fd >= 0 && copy_all(from, fd) && !lseek(fd, 0, SEEK_SET))
		return fd;
	error = errno;
	if (fd >= 0)
		close(fd);
	if (error == EFBIG)
		err_set(err, GSC_FAILED, what, "more than %llu GB: save it to a file and name the "
			"file", LL(KEPT_MOST >> 30));
	else
		err_errno(err, what, error);
	return -1;
}

enum gsc_status file_keep(int from, const char *what, char *name, size_t size,
			  struct gsc_error *err)
{
	int fd = keep_copy(from, what, err);

	if (fd < 0)
		return err->status;
	snprintf(name, size, "/dev/fd/%d", fd);
	return GSC_OK;
}

bool file_is_pipe(const char *path)
{
	struct stat st;

	return !stat(path, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* A descriptor of its own for what was kept, from the beginning; or -1, and errno. */
static int again(const struct kept_file *kept)
{
	int fd = fcntl(kept->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

int file_open(void *context, const char *path)
{
	struct common *common = context;
	bool standard = !strcmp(path, "-");
	struct kept_file *grown, kept;
	struct gsc_error err = { 0 };
	struct stat st;
	int fd;

	/* What the session has kept is also found. */
	for (const struct common *c = common; c; c = c->session ? c->session->options : NULL)
		for (size_t i = 0; i < c->kept_count; i++)
			if (!strcmp(c->kept[i].path, path))
				return again(&c->kept[i]);
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || !common->rereads || fstat(fd, &st) ||
	    (!standard && !S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode)))
		return fd;
	kept.path = strdup(path);
	grown = kept.path ? realloc(common->kept, (common->kept_count + 1) * sizeof(*grown)) : NULL;
	kept.fd = grown ? keep_copy(fd, path, &err) : -1;
	if (grown)
		common->kept = grown;
	if (!standard)
		close(fd);
	if (kept.fd < 0) {
		string_set(common->not_kept, "%.99s", err.why);
		free(kept.path);
		errno = grown ? EFBIG : ENOMEM;
		return -1;
	}
	common->kept[common->kept_count++] = kept;
	return again(&kept);
}

enum gsc_status file_opened(const struct common *common, enum gsc_status status,
			    struct gsc_error *err)
{
	if (status && *common->not_kept)
		string_set(err->why, "%s", common->not_kept);
	return status;
}

void file_kept_free(struct common *common)
{
	for (size_t i = 0; i < common->kept_count; i++) {
		close(common->kept[i].fd);
		free(common->kept[i].path);
	}
	free(common->kept);
}

/* ---- names by the time ----------------------------------------------------------------------- */

enum gsc_status clock_now(time_t *now, struct gsc_error *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint64_t seconds;
	struct tm tm;

	*now = time(NULL);
	if (!epoch || !*epoch)
		return GSC_OK;
	if (gsc_parse_number(epoch, &seconds) && seconds <= INT64_MAX) {
		*now = (time_t)seconds;
		if ((uint64_t)*now == seconds && gmtime_r(now, &tm))
			return GSC_OK;
	}
	return usage_error(err, "SOURCE_DATE_EPOCH", "expected seconds since 1970");
}

void clock_name(const struct common *common, time_t now, const char *end, char *buf, size_t size)
{
	char date[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "-%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "gpuscope-%s%s%s", platform_of(common)->name, date, end);
}
