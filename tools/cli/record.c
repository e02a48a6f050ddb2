/* SPDX-License-Identifier: MIT */
/* Every write, recorded before it is done, in $XDG_STATE_HOME/gpuscope. */
#include "writing.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#define RECORD "journal"
#define RECORD_MOST (1 << 20)		/* bytes */

bool state_path(const struct common *common, const char *state, const char *home, const char *name,
		char *path, size_t size)
{
	struct stat st;
	int length, fd;
	bool ours;

	if (state && *state == '/')
		length = snprintf(path, size, "%s/gpuscope/%s", state, name);
	else if (home && *home == '/')
		length = snprintf(path, size, "%s/.local/state/gpuscope/%s", home, name);
	else
		return false;
	if ((size_t)length >= size)
		return false;
	/* All folders on the way to it, for their owner alone. */
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool made;

		*slash = 0;
		made = !mkdir(path, 0700) || errno == EEXIST;
		*slash = '/';
		if (!made)
			return false;
	}
	fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	ours = !fstat(fd, &st) && S_ISREG(st.st_mode) && config_trusted(common, path, &st);
	close(fd);
	return ours;
}

/* ---- writes --------------------------------------------------------------------------------- */

void record_open(const struct common *common, struct record *record)
{
	/* What is written under sudo belongs to root, wherever HOME points. */
	const struct passwd *user = another_user() ? getpwuid(geteuid()) : NULL;
	char path[4096] = "", old[sizeof(path) + 8];
	struct stat st;
	char *slash;
	int folder;

	*record = (struct record){ .fd = -1 };
	errno = EACCES;
	if (state_path(common, getenv("XDG_STATE_HOME"), user ? user->pw_dir : getenv("HOME"),
		       RECORD, path, sizeof(path))) {
		/* A long file is renamed; the one before it is kept. */
		if (!stat(path, &st) && st.st_size >= RECORD_MOST) {
			string_set(old, "%s.old", path);
			rename(path, old);
		}
		record->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
				  0600);
	}
	record->error = record->fd < 0 ? errno : 0;
	if (!record->error) {
		slash = strrchr(path, '/');
		*slash = 0;
		folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		*slash = '/';
		record->error = folder < 0 || fsync(folder) ? errno : 0;
		if (folder >= 0)
			close(folder);
	}
	string_set(record->path, "%.250s", *path ? path : "journal");
}

void record_close(struct record *record)
{
	if (record->fd >= 0)
		close(record->fd);
	record->fd = -1;
}

enum gsc_status record_write(const struct record *record, const char *line, struct gsc_error *err)
{
	size_t length = strlen(line);

	errno = record->error;
	if (!errno && write(record->fd, line, length) == (ssize_t)length && !fsync(record->fd))
		return GSC_OK;
	return err_set(err, GSC_FAILED, record->path,
		       "no writes, as the journal cannot be written: %s; XDG_STATE_HOME=FOLDER "
		       "puts it elsewhere", strerror(errno ? errno : ENOSPC));
}
