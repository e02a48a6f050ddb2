/* SPDX-License-Identifier: MIT */
/*
 * For LD_PRELOAD: when a command opens the first file that it was given, before it has read a byte
 * of it, and again when it ends, this tries what a subverted command would try, and writes to
 * descriptor 9 a line for each: "open" or "end", what, and "done" or the error. Environment:
 * CONFINED_DIR, a folder with "file" and "folder"; CONFINED_INPUT, how the paths of the input
 * begin. What is opened with O_NONBLOCK is only compared with the signatures of compressed data, to
 * see whether libraries are needed.
 */
#undef _FILE_OFFSET_BITS		/* both open() and open64() must exist here */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *moment;
static char folder[4096];

/* A file in the folder. */
static const char *in(const char *name)
{
	static char paths[2][4200];
	static unsigned next;
	char *path = paths[next++ % 2];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static int opens(const char *path, int flags)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int makes_socket(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int executes(void)
{
	char *nothing[] = { NULL };
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	int status = 0;

	if (!pid) {
		execve("/bin/true", nothing, nothing);
		_exit(errno);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 ? errno : WEXITSTATUS(status);
}

/* Otherwise execveat() would be refused for another reason: an empty path leads to nothing. */
static int executes_in_place(void)
{
	int fd = memfd_create("probe", MFD_CLOEXEC), error;
	char *nothing[] = { NULL };

	syscall(SYS_execveat, fd, "", nothing, nothing, AT_EMPTY_PATH);
	error = errno == ENOEXEC || errno == EACCES ? 0 : errno;
	close(fd);
	return error;
}

static int maps(int protection)
{
	void *at = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		return errno == ENOMEM ? EPERM : errno;		/* musl says so for EPERM */
	return munmap(at, 4096);
}

static int protects(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int error = mprotect(at, 4096, PROT_READ | PROT_EXEC) ? errno : 0;

	munmap(at, 4096);
	return error;
}

static int types(void)
{
	int fd = (int)syscall(SYS_dup, 0);

	if (ioctl(fd, TIOCSTI, "x") && errno != ENOTTY && errno != EIO) {
		int error = errno;

		close(fd);
		return error;
	}
	close(fd);
	return 0;
}

/* Any capability except the one for reading files. */
static int has_capabilities(void)
{
	struct {
		unsigned version;
		int pid;
	} header = { 0x20080522, 0 };
	struct {
		unsigned effective, permitted, inheritable;
	} sets[2];

	if (syscall(SYS_capget, &header, sets))
		return errno;
	return ((sets[0].permitted & ~4u) | sets[1].permitted) ? 0 : EPERM;
}

static void tell(const char *what, int error)
{
	dprintf(9, "%s %s %s\n", moment, what, !error ? "done" : error == EACCES ||
		error == EPERM ? "refused" : strerror(error));
}

#define TRY(what, call) tell(what, (call) ? errno : 0)

static const struct timespec times[2];

static void try_writing(void)
{
	tell("read", opens(in("file"), O_RDONLY));
	tell("read-passwd", opens("/etc/passwd", O_RDONLY));
	tell("read-folder", opens(in("."), O_RDONLY | O_DIRECTORY));
	tell("read-proc", opens("/proc/self/environ", O_RDONLY));
	tell("write", opens(in("file"), O_WRONLY));
	tell("write-proc", opens("/proc/self/mem", O_RDWR));
	tell("write-device", opens("/sys/bus/pci/devices/0000:00:02.0/resource0", O_RDWR));
	tell("append", opens(in("file"), O_WRONLY | O_APPEND));
	tell("create", opens(in("new"), O_WRONLY | O_CREAT));
	tell("create-tmp", opens("/tmp", O_TMPFILE | O_RDWR));
	TRY("mkdir", mkdir(in("new"), 0700));
	TRY("fifo", mkfifo(in("new"), 0600));
	TRY("symlink", symlink("file", in("new")));
	TRY("link", link(in("file"), in("new")));
	TRY("rename", rename(in("file"), in("new")));
	TRY("unlink", unlink(in("file")));
	TRY("rmdir", rmdir(in("folder")));
	TRY("truncate", truncate(in("file"), 0));
	TRY("chmod", chmod(in("file"), 0777));
	TRY("chown", chown(in("file"), geteuid(), getegid()));
	TRY("xattr", setxattr(in("file"), "user.x", "x", 1, 0) && errno != ENOTSUP);
	TRY("utimes", utimensat(AT_FDCWD, in("file"), times, 0));
}

static void try_all(void)
{
	const char *dir = getenv("CONFINED_DIR");

	/* Paths that are opened later may be relative to the working folder: it stays. */
	snprintf(folder, sizeof(folder), "%s", dir);
	try_writing();
	tell("execute", executes());
	tell("execute-memory", executes_in_place());
	tell("tcp", makes_socket(AF_INET, SOCK_STREAM, 0));
	tell("udp", makes_socket(AF_INET, SOCK_DGRAM, 0));
	tell("unix", makes_socket(AF_UNIX, SOCK_STREAM, 0));
	tell("netlink", makes_socket(AF_NETLINK, SOCK_RAW, 0));
	tell("map-wx", maps(PROT_READ | PROT_WRITE | PROT_EXEC));
	tell("map-x", maps(PROT_READ | PROT_EXEC));
	tell("protect-x", protects());
	tell("type", types());
	tell("capabilities", has_capabilities());
	TRY("unshare", unshare(CLONE_NEWUSER));
	TRY("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0) < 0);
	TRY("kill", kill(getppid(), 0));
}

static bool is_input(const char *path, int flags)
{
	const char *begins = getenv("CONFINED_INPUT");

	return begins && !(flags & (O_PATH | O_NONBLOCK | O_DIRECTORY)) &&
	       !strncmp(path, begins, strlen(begins));
}

static void opened(const char *path, int flags)
{
	static pid_t once;

	if (once == getpid() || !getenv("CONFINED_DIR") || !is_input(path, flags))
		return;
	once = getpid();
	moment = "open";
	try_all();
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...) __attribute__((visibility("default")));
#ifndef open64				/* musl's is the same */
int open64(const char *path, int flags, ...) __attribute__((visibility("default")));
#endif

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	opened(path, flags);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#ifndef open64
int open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	opened(path, flags);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#endif

__attribute__((destructor)) static void at_end(void)
{
	if (!getenv("CONFINED_DIR"))
		return;
	moment = "end";
	try_all();
}
