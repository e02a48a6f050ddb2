/* SPDX-License-Identifier: MIT */
/*
 * What a command does with paths after it has confined itself: output files are created and get
 * their names, and nameless ones are created for unpacked data. A second process does this; it
 * starts earlier and reads no input. A name from the user is passed before, from the command line;
 * a name made by the command must have a form that the process checks.
 *
 * A rule of Landlock for the folder of the output would not do: it cannot tell names apart, so that
 * a command which is taken over could replace every other file in that folder.
 */
#include "cli.h"
#include "source/inflate.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINKS_MAX 40			/* as many as the kernel follows */
#define ATTEMPTS_MAX 100
#define PROC_MAGIC 0x9fa0		/* from <linux/magic.h> */

/* What the library calls a file without a name. */
#define NAME_START "gpuscope-"

/* ---- a file and its name --------------------------------------------------------------------- */

/*
 * A file being written. The folder that contains it is held open, and everything is done in that
 * folder by the last part of the name: links created meanwhile change nothing.
 */
struct saving {
	int folder;			/* O_PATH; at first -1 */
	bool made;			/* `temporary` exists */
	char name[NAME_MAX + 1], temporary[NAME_MAX + 1];
};

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

/*
 * A new file in a folder. If root runs the command for a user of sudo(8), it belongs to that user,
 * unless the user could not have created it there or it replaces another user's file.
 */
static int saving_create(int folder, const char *name, int flags, mode_t mode,
			 const struct stat *old)
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

/* A descriptor to write to, or -1 and errno. `mode` is that of a new file, less the umask. */
static int saving_begin(struct saving *saving, const char *path, mode_t mode)
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

/* Leaves no file. Async-signal-safe; what was not begun is not dropped. */
static void saving_drop(struct saving *saving)
{
	if (saving->made)
		unlinkat(saving->folder, saving->temporary, 0);
	saving->made = false;
	leave_folder(saving);
}

/* The file gets its name; an error number, or 0. */
static int saving_commit(struct saving *saving)
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

/* ---- the deeds ------------------------------------------------------------------------------ */

enum deed {
	DEED_SAVE,			/* begins the file of -o, or one with this name */
	DEED_COMMIT, DEED_DROP,
	DEED_MAKE,			/* a new file in the folder of --kernels */
	DEED_REMOVE,			/* the last one of those */
	DEED_TEMPORARY,
};

struct request {
	enum deed deed;
	mode_t mode;
	char name[160];			/* or "" */
};

/* The process that does it; or this one, if it is not confined. */
struct worker {
	bool saves;			/* a file, with its own name if `path` is NULL */
	const char *path, *folder_path;	/* of -o and --kernels, or NULL */
	struct saving saving;
	int folder;			/* of --kernels, once it exists */
	char last[160];
};

static bool is_plain_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

/* Without a name, the folder alone, which is created if necessary; -1 and errno. */
static int make_in_folder(struct worker *w, const struct request *request)
{
	int fd;

	errno = EPERM;
	if (!w->folder_path || (*request->name && !is_plain_name(request->name)))
		return -1;
	if (w->folder < 0 && mkdir(w->folder_path, 0777) && errno != EEXIST)
		return -1;
	if (w->folder < 0)
		w->folder = open(w->folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->folder < 0)
		return -1;
	errno = 0;
	if (!*request->name)
		return -1;
	fd = saving_create(w->folder, request->name, O_WRONLY, request->mode, NULL);
	string_set(w->last, "%s", fd < 0 ? "" : request->name);
	return fd;
}

/* The descriptor, or -1; *error, or 0. */
static int do_it(struct worker *w, const struct request *request, int *error)
{
	const char *path = w->path ? w->path : request->name;
	int fd = -1;

	*error = 0;
	errno = EPERM;
	switch (request->deed) {
	case DEED_SAVE:
		/* No older file has a name such as a command makes by chance. */
		if (w->saves && w->saving.folder < 0 &&
		    (w->path || (is_plain_name(path) && !strncmp(path, NAME_START,
								 strlen(NAME_START)))))
			fd = saving_begin(&w->saving, path, request->mode);
		break;
	case DEED_COMMIT:
		*error = saving_commit(&w->saving);
		return -1;
	case DEED_DROP:
		saving_drop(&w->saving);
		return -1;
	case DEED_MAKE:
		fd = make_in_folder(w, request);
		break;
	case DEED_REMOVE:
		if (*w->last)
			unlinkat(w->folder, w->last, 0);
		*w->last = 0;
		return -1;
	case DEED_TEMPORARY:
		fd = gsc_temporary();
		break;
	}
	*error = fd < 0 ? errno : 0;
	return fd;
}

/* ---- the other process ---------------------------------------------------------------------- */

union room {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static bool send_answer(int to, int error, int fd)
{
	struct iovec part = { &error, sizeof(error) };
	union room room = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	struct cmsghdr *control;

	if (fd >= 0) {
		message.msg_control = room.bytes;
		message.msg_controllen = sizeof(room.bytes);
		control = CMSG_FIRSTHDR(&message);
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(control), &fd, sizeof(int));
	}
	return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(error);
}

/* Until the command is gone; then a file that did not get its name is gone, too. */
static void serve(struct worker *w, int from)
{
	struct request request;
	ssize_t got;

	while ((got = recv(from, &request, sizeof(request), 0)) != 0) {
		int error = 0, fd;

		if (got < 0 && errno == EINTR)
			continue;
		if (got != (ssize_t)sizeof(request))
			break;
		request.name[sizeof(request.name) - 1] = 0;
		fd = do_it(w, &request, &error);
		if (!send_answer(from, error, fd))
			break;
		if (fd >= 0)
			close(fd);
	}
	saving_drop(&w->saving);
}

/* A signal ends the command: the unfinished file is gone before the end is noticed. */
static void wait_for_end(void *context)
{
	struct outside *o = context;

	close(o->socket);
	while (waitpid(o->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void outside_begin(struct common *common, bool saves, const char *path, const char *folder)
{
	struct outside *o = &common->outside;
	struct worker w = { .saves = saves, .path = path, .folder_path = folder, .folder = -1,
			    .saving.folder = -1 };
	sigset_t all;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return;
	o->pid = fork();
	if (!o->pid) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		close(ends[0]);
		serve(&w, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (o->pid < 0) {
		close(ends[0]);
		return;
	}
	o->socket = ends[0];
	o->begun = stop_add(wait_for_end, o);
	if (!o->begun)
		wait_for_end(o);
}

void outside_end(struct common *common)
{
	struct outside *o = &common->outside;

	if (!o->begun)
		return;
	o->begun = false;
	stop_remove(o);
	wait_for_end(o);
}

/* ---- this process --------------------------------------------------------------------------- */

static int ask(int to, const struct request *request, int *error)
{
	struct iovec out = { (void *)(uintptr_t)request, sizeof(*request) };
	struct iovec in = { error, sizeof(*error) };
	union room room = { .bytes = { 0 } };
	struct msghdr asking = { .msg_iov = &out, .msg_iovlen = 1 };
	struct msghdr answering = { .msg_iov = &in, .msg_iovlen = 1, .msg_control = room.bytes,
				    .msg_controllen = sizeof(room.bytes) };
	struct cmsghdr *control;
	ssize_t got;
	int fd = -1;

	while ((got = sendmsg(to, &asking, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	if (got >= 0)
		while ((got = recvmsg(to, &answering, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
			;
	if (got != (ssize_t)sizeof(*error)) {
		*error = EPIPE;
		return -1;
	}
	control = CMSG_FIRSTHDR(&answering);
	if (control && control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS &&
	    control->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(&fd, CMSG_DATA(control), sizeof(int));
	return fd;
}

/* A shell does its own work by itself. */
static struct worker here = { .saves = true, .folder = -1, .saving.folder = -1 };

static void drop_here(void *context)
{
	saving_drop(&((struct worker *)context)->saving);
}

static int get_done(struct common *common, const struct request *request, int *error)
{
	if (common->outside.begun)
		return ask(common->outside.socket, request, error);
	return do_it(&here, request, error);
}

enum gsc_status outside_save(struct common *common, const char *path, mode_t mode, int *fd,
			     struct gsc_error *err)
{
	struct request request = { .deed = DEED_SAVE, .mode = mode };
	int error;

	if ((size_t)string_set(request.name, "%s", path) >= sizeof(request.name))
		*request.name = 0;
	here.path = path;
	if (!common->outside.begun && !stop_add(drop_here, &here))
		return err_memory(err);
	*fd = get_done(common, &request, &error);
	if (*fd < 0)
		stop_remove(&here);
	return *fd < 0 ? err_errno(err, path, error) : GSC_OK;
}

int outside_end_file(struct common *common, bool commit)
{
	const struct request request = { .deed = commit ? DEED_COMMIT : DEED_DROP };
	int error;

	get_done(common, &request, &error);
	stop_remove(&here);
	return error;
}

int outside_make(struct common *common, const char *folder, const char *name)
{
	struct request request = { .deed = DEED_MAKE, .mode = 0666 };
	int error, fd;

	string_set(request.name, "%s", name);
	here.folder_path = folder;
	fd = get_done(common, &request, &error);
	errno = error;
	return fd;
}

void outside_remove(struct common *common)
{
	const struct request request = { .deed = DEED_REMOVE };
	int error;

	get_done(common, &request, &error);
}

int outside_temporary(void *context)
{
	struct common *common = context;
	const struct request request = { .deed = DEED_TEMPORARY };
	int error, fd;

	if (!common->outside.begun && common->confined) {
		errno = EACCES;
		return -1;
	}
	if (!common->outside.begun)
		return gsc_temporary();
	fd = ask(common->outside.socket, &request, &error);
	errno = error;
	return fd;
}
