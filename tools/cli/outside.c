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
#include "saving.h"
#include "source/inflate.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the library calls a file without a name. */
#define NAME_START "gpuscope-"

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

/* ---- the deeds ------------------------------------------------------------------------------ */

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
