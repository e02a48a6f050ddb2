/* SPDX-License-Identifier: MIT */
/*
 * A file being written, and its name. The folder that contains it is held open, and everything is
 * done in that folder by the last part of the name: links created meanwhile change nothing.
 */
#include "saving.h"

#include "cli.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40			/* as many as the kernel follows */
#define ATTEMPTS_MAX 100
#define PROC_MAGIC 0x9fa0		/* from <linux/magic.h> */

static void leave_folder(struct saving *saving)
{
	if (saving->folder >= 0)
		close(saving->folder);
	saving->folder = -1;
}

/* From the folder that is open, or the working one, to that of a path: *name is what is left. */
static bool enter_folder(struct saving *saving, const char *path, char *name, size_t size)
{
	const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
	char folder[PATH_MAX];
	int fd, from = saving->folder < 0 ? AT_FDCWD : saving->folder;

	errno = ENAMETOOLONG;
	if ((size_t)snprintf(name, size, "%s", last) >= size ||
	    (size_t)string_set(folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
			       slash ? path : ".") >= sizeof(folder))
		return false;
	fd = openat(from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	leave_folder(saving);
	saving->folder = fd;
	if (*name)
		return true;
	errno = EISDIR;
	return false;
}

/*
 * In a folder that everyone may write, such as /tmp, a file that belongs neither to us nor to the
 * folder's owner was put there by somebody else: it is not followed and not written to, whatever
 * fs.protected_symlinks and fs.protected_fifos say (proc(5)).
 */
static bool is_planted(const struct saving *saving, const struct stat *st)
{
	struct stat folder;

	if (fstat(saving->folder, &folder))
		return true;
	return folder.st_mode & S_IWOTH && st->st_uid != geteuid() && st->st_uid != folder.st_uid;
}

/*
 * To where a chain of links ends, or would; a single one is left for the system to follow. False:
 * errno says why.
 */
static bool follow_links(struct saving *saving, const char *path, struct stat *st, bool *exists)
{
	char link[PATH_MAX];
	struct statfs fs;

	if (!enter_folder(saving, path, saving->name, sizeof(saving->name)))
		return false;
	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t length;

		*exists = !fstatat(saving->folder, saving->name, st, AT_SYMLINK_NOFOLLOW);
		if (!*exists && errno != ENOENT)
			return false;
		/* Links of /proc/self/fd say where they lead, but only the system gets there. */
		if (!*exists || !S_ISLNK(st->st_mode) ||
		    (!fstatfs(saving->folder, &fs) && fs.f_type == PROC_MAGIC))
			return true;
		if (is_planted(saving, st)) {
			errno = EACCES;
			return false;
		}
		length = readlinkat(saving->folder, saving->name, link, sizeof(link) - 1);
		if (length < 0)
			return false;
		link[length] = 0;
		if (!enter_folder(saving, link, saving->name, sizeof(saving->name)))
			return false;
	}
	errno = ELOOP;
	return false;
}

int saving_create(int folder, const char *name, int flags, mode_t mode, const struct stat *old)
{
	uint32_t user = 0, group;
	gid_t own = getegid();
	int fd, error;

	flags |= O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	/* Root may run the command for somebody else. */
	if (!calling_id("SUDO_UID", &user) || !calling_id("SUDO_GID", &group) || !user ||
	    geteuid() || getuid() || (old && old->st_uid != user))
		return openat(folder, name, flags, mode);
	/*
	 * What the calling user could have made is made as that user, with no more rights: a
	 * descriptor that is handed over afterwards might be in a folder of somebody else.
	 */
	setfsgid(group);
	setfsuid(user);
	fd = openat(folder, name, flags, mode);
	error = errno;
	setfsuid(0);
	setfsgid(own);
	errno = error;
	return fd < 0 && error == EACCES ? openat(folder, name, flags, mode) : fd;
}

/* An unused name beside the final one. */
static int create_temporary(struct saving *saving, const struct stat *old)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	unsigned char some[6];

	for (int i = 0; i < ATTEMPTS_MAX; i++) {
		int fd, length;

		if (getrandom(some, sizeof(some), 0) != sizeof(some))
			return -1;
		for (size_t j = 0; j < sizeof(some); j++)
			some[j] = (unsigned char)letters[some[j] % (sizeof(letters) - 1)];
		length = string_set(saving->temporary, "%s.%.6s", saving->name, (const char *)some);
		if ((size_t)length >= sizeof(saving->temporary)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = saving_create(saving->folder, saving->temporary, O_RDWR, 0600, old);
		if (fd >= 0) {
			saving->made = true;
			return fd;
		}
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* A device or a pipe, or the target of a link in /proc. */
static int open_in_place(const struct saving *saving, const struct stat *end)
{
	bool link = S_ISLNK(end->st_mode);
	int fd = openat(saving->folder, saving->name,
			O_WRONLY | O_CLOEXEC | O_NOCTTY | (link ? 0 : O_NOFOLLOW));
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && (link ? !S_ISREG(st.st_mode) || !ftruncate(fd, 0)
				     : st.st_dev == end->st_dev && st.st_ino == end->st_ino))
		return fd;
	close(fd);
	errno = EAGAIN;				/* something else took its place meanwhile */
	return -1;
}

int saving_begin(struct saving *saving, const char *path, mode_t mode)
{
	struct stat st = { .st_mode = 0 }, made;
	mode_t mask;
	bool exists = false;
	int fd = -1, error;

	*saving = (struct saving){ .folder = -1 };
	if (!follow_links(saving, path, &st, &exists))
		fd = -1;
	else if (!exists || S_ISREG(st.st_mode))
		fd = create_temporary(saving, exists ? &st : NULL);
	else if (is_planted(saving, &st))
		errno = EACCES;
	else
		fd = open_in_place(saving, &st);
	error = errno;
	/*
	 * Who may read it: if a file of the same user is replaced, whoever could before. One of
	 * somebody else may be there to be filled.
	 */
	if (fd >= 0 && saving->made) {
		mask = umask(0);
		umask(mask);
		mode &= ~mask;
		if (exists && !fstat(fd, &made) && st.st_uid == made.st_uid) {
			mode = st.st_mode & 0777;
			/* The new group are others. */
			if (fchown(fd, (uid_t)-1, st.st_gid))
				mode &= ~(mode_t)S_IRWXG | mode << 3;
		}
		fchmod(fd, mode);
	}
	if (fd < 0)
		leave_folder(saving);
	errno = error;
	return fd;
}

int saving_commit(struct saving *saving)
{
	int error = 0;

	if (saving->made &&
	    renameat(saving->folder, saving->temporary, saving->folder, saving->name))
		error = errno;
	if (!error)
		saving->made = false;
	saving_drop(saving);
	return error;
}

void saving_drop(struct saving *saving)
{
	if (saving->made)
		unlinkat(saving->folder, saving->temporary, 0);
	saving->made = false;
	leave_folder(saving);
}
