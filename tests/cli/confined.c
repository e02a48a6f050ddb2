/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: when a command ends, with all of its work done, this tries what one that was
 * taken over would try, and writes to descriptor 9 a line for each: what, and "done" or the error.
 * Environment: CONFINED_DIR, a folder with "file" and "folder".
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* TCP to a port that nobody listens at: refused, unless it is forbidden. */
static int connects(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(1) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		return errno;
	error = connect(fd, (struct sockaddr *)&at, sizeof(at)) ? errno : 0;
	close(fd);
	return error == ECONNREFUSED ? 0 : error;
}

/* Its abstract name is free again when the process is gone. */
static int listener = -1;

static socklen_t name_of(struct sockaddr_un *at)
{
	*at = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(at->sun_path + 1, sizeof(at->sun_path) - 1, "gpuscope-test-%ld", (long)getpid());
	return sizeof(*at);
}

__attribute__((constructor)) static void listen_first(void)
{
	struct sockaddr_un at;
	socklen_t length = name_of(&at);

	if (!getenv("CONFINED_DIR"))
		return;
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&at, length) || listen(listener, 1))
		listener = -1;
}

/* Somebody's who is not confined. */
static int speaks(void)
{
	struct sockaddr_un at;
	socklen_t length = name_of(&at);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0 || listener < 0)
		return errno;
	error = connect(fd, (struct sockaddr *)&at, length) ? errno : 0;
	close(fd);
	return error;
}

static int executes(void)
{
	char *nothing[] = { NULL };
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		execle("/bin/true", "true", NULL, nothing);	/* which shall not try again */
		_exit(errno);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 ? errno : WEXITSTATUS(status);
}

static void tell(const char *what, int error)
{
	dprintf(9, "%s %s\n", what, !error ? "done" : error == EACCES ? "EACCES" :
		error == EPERM ? "EPERM" : strerror(error));
}

#define TRY(what, call) tell(what, (call) ? errno : 0)

__attribute__((destructor)) static void try_all(void)
{
	const char *dir = getenv("CONFINED_DIR");

	if (!dir)
		return;
	if (chdir(dir)) {
		tell("chdir", errno);
		return;
	}
	tell("read", opens("file", O_RDONLY));
	tell("read-passwd", opens("/etc/passwd", O_RDONLY));
	tell("read-folder", opens(".", O_RDONLY | O_DIRECTORY));
	tell("read-proc", opens("/proc/self/environ", O_RDONLY));
	tell("write", opens("file", O_WRONLY));
	tell("write-proc", opens("/proc/self/mem", O_RDWR));
	tell("append", opens("file", O_WRONLY | O_APPEND));
	tell("create", opens("new", O_WRONLY | O_CREAT));
	tell("create-tmp", opens("/tmp", O_TMPFILE | O_RDWR));
	TRY("mkdir", mkdir("new", 0700));
	TRY("fifo", mkfifo("new", 0600));
	TRY("symlink", symlink("file", "new"));
	TRY("link", link("file", "new"));
	TRY("rename", rename("file", "new"));
	TRY("unlink", unlink("file"));
	TRY("rmdir", rmdir("folder"));
	TRY("truncate", truncate("file", 0));
	tell("execute", executes());
	tell("connect", connects());
	tell("speak", speaks());
	TRY("kill", kill(getppid(), 0));
}
