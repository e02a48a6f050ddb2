/* SPDX-License-Identifier: MIT */
/*
 * syscalls ARCHITECTURE: the system calls that a confined command may make, as filters of
 * seccomp(2); it runs when gpuscope is built, and prints C. A list of allowed calls; all others
 * fail with EPERM, which the C libraries can handle. libseccomp makes the filters here rather than
 * in every command, because loading it takes a twentieth of a start.
 */
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

enum when { ALWAYS, DEVICE, WRITING };	/* if a device is read; if that also writes to it */

/* The argument, under a mask, is one of these: as an int, since C libraries differ in the rest. */
struct check {
	unsigned argument;
	uint32_t mask;
	size_t count;
	uint32_t values[6];
};

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)
#define DRM_IOCTL(number, size) _IOC(_IOC_READ | _IOC_WRITE, 'd', number, size)

static const struct check opens_to_read = { 1, WRITES, 1, { 0 } };
static const struct check opens_at_to_read = { 2, WRITES, 1, { 0 } };
static const struct check makes_no_code = { 2, PROT_EXEC, 1, { 0 } };
static const struct check is_own_process = { 0, UINT32_MAX, 1, { OWN_PROCESS } };
static const struct check descriptor_command = {
	1, UINT32_MAX, 5, { F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC },
};
/*
 * Is it a terminal, and how wide: TCGETS, TCGETS2; which device a node belongs to. Never TIOCSTI,
 * which types on a terminal.
 */
static const struct check terminal_request = {
	1, UINT32_MAX, 3, { TIOCGWINSZ, 0x5401, 0x802c542a },
};
/* DRM_IOCTL_VERSION and DRM_IOCTL_I915_GETPARAM, with pointers of 64 bits and of 32. */
static const struct check drm_request = {
	1, UINT32_MAX, 4, { DRM_IOCTL(0x00, 64), DRM_IOCTL(0x00, 36), DRM_IOCTL(0x46, 16),
			    DRM_IOCTL(0x46, 8) },
};

/* No architecture has all of them; libseccomp leaves out the others. */
static const struct rule {
	int call;
	enum when when;
	const struct check *check;	/* or NULL */
} rules[] = {
	/* Descriptors that are open. */
	{ SCMP_SYS(read) }, { SCMP_SYS(write) }, { SCMP_SYS(readv) }, { SCMP_SYS(writev) },
	{ SCMP_SYS(pread64) }, { SCMP_SYS(pwrite64) }, { SCMP_SYS(lseek) }, { SCMP_SYS(_llseek) },
	{ SCMP_SYS(close) }, { SCMP_SYS(fsync) }, { SCMP_SYS(fdatasync) }, { SCMP_SYS(ftruncate) },
	{ SCMP_SYS(ftruncate64) }, { SCMP_SYS(fallocate) }, { SCMP_SYS(dup) }, { SCMP_SYS(dup2) },
	{ SCMP_SYS(dup3) }, { SCMP_SYS(flock), DEVICE },
	{ SCMP_SYS(fcntl), ALWAYS, &descriptor_command },
	{ SCMP_SYS(fcntl64), ALWAYS, &descriptor_command },
	{ SCMP_SYS(ioctl), ALWAYS, &terminal_request }, { SCMP_SYS(ioctl), ALWAYS, &drm_request },
	/* The process that works with paths. */
	{ SCMP_SYS(sendmsg) }, { SCMP_SYS(recvmsg) },
	/* Files, for stat and reading: Landlock says which. */
	{ SCMP_SYS(open), ALWAYS, &opens_to_read }, { SCMP_SYS(open), WRITING },
	{ SCMP_SYS(openat), ALWAYS, &opens_at_to_read }, { SCMP_SYS(openat), WRITING },
	{ SCMP_SYS(access) }, { SCMP_SYS(faccessat) }, { SCMP_SYS(faccessat2) },
	{ SCMP_SYS(readlink) }, { SCMP_SYS(readlinkat) }, { SCMP_SYS(getdents) },
	{ SCMP_SYS(getdents64) }, { SCMP_SYS(getcwd) }, { SCMP_SYS(stat) }, { SCMP_SYS(stat64) },
	{ SCMP_SYS(lstat) }, { SCMP_SYS(lstat64) }, { SCMP_SYS(fstat) }, { SCMP_SYS(fstat64) },
	{ SCMP_SYS(newfstatat) }, { SCMP_SYS(fstatat64) }, { SCMP_SYS(statx) },
	{ SCMP_SYS(statfs) }, { SCMP_SYS(fstatfs) }, { SCMP_SYS(memfd_create) },
	/* Memory, none of which can become code. */
	{ SCMP_SYS(brk) }, { SCMP_SYS(munmap) }, { SCMP_SYS(mremap) }, { SCMP_SYS(madvise) },
	{ SCMP_SYS(msync) }, { SCMP_SYS(mprotect), ALWAYS, &makes_no_code },
	{ SCMP_SYS(mmap), ALWAYS, &makes_no_code }, { SCMP_SYS(mmap2), ALWAYS, &makes_no_code },
	/* Time, and waiting. */
	{ SCMP_SYS(clock_gettime) }, { SCMP_SYS(clock_gettime64) }, { SCMP_SYS(clock_getres) },
	{ SCMP_SYS(clock_getres_time64) }, { SCMP_SYS(clock_nanosleep) },
	{ SCMP_SYS(clock_nanosleep_time64) }, { SCMP_SYS(nanosleep) }, { SCMP_SYS(setitimer) },
	{ SCMP_SYS(gettimeofday) }, { SCMP_SYS(time) }, { SCMP_SYS(poll) }, { SCMP_SYS(ppoll) },
	{ SCMP_SYS(ppoll_time64) }, { SCMP_SYS(select) }, { SCMP_SYS(_newselect) },
	{ SCMP_SYS(pselect6) }, { SCMP_SYS(pselect6_time64) }, { SCMP_SYS(futex) },
	{ SCMP_SYS(futex_time64) }, { SCMP_SYS(sched_yield) }, { SCMP_SYS(waitpid) },
	{ SCMP_SYS(wait4) }, { SCMP_SYS(waitid) }, { SCMP_SYS(restart_syscall) },
	/* Signals to itself, and its end. */
	{ SCMP_SYS(rt_sigaction) }, { SCMP_SYS(rt_sigprocmask) }, { SCMP_SYS(rt_sigsuspend) },
	{ SCMP_SYS(rt_sigreturn) }, { SCMP_SYS(sigreturn) }, { SCMP_SYS(sigaltstack) },
	{ SCMP_SYS(exit) }, { SCMP_SYS(exit_group) }, { SCMP_SYS(kill), ALWAYS, &is_own_process },
	{ SCMP_SYS(tgkill), ALWAYS, &is_own_process },
	/* What it is, and where; qsort(3) asks for the size of memory. */
	{ SCMP_SYS(getpid) }, { SCMP_SYS(gettid) }, { SCMP_SYS(getuid) }, { SCMP_SYS(getuid32) },
	{ SCMP_SYS(geteuid) }, { SCMP_SYS(geteuid32) }, { SCMP_SYS(getgid) },
	{ SCMP_SYS(getgid32) }, { SCMP_SYS(getegid) }, { SCMP_SYS(getegid32) },
	{ SCMP_SYS(uname) }, { SCMP_SYS(sysinfo) }, { SCMP_SYS(sched_getaffinity) },
	{ SCMP_SYS(getrandom) },
	/* To confine itself further. */
	{ SCMP_SYS(capget) }, { SCMP_SYS(capset) }, { SCMP_SYS(seccomp) },
	{ SCMP_SYS(landlock_create_ruleset) }, { SCMP_SYS(landlock_add_rule) },
	{ SCMP_SYS(landlock_restrict_self) },
	/* The kernel's log. */
	{ SCMP_SYS(syslog), DEVICE },
};

static void check_done(int result)
{
	if (!result)
		return;
	fprintf(stderr, "syscalls: %s\n", strerror(result < 0 ? -result : result));
	exit(1);
}

static void make_filter(uint32_t architecture, enum when most, const char *name)
{
	const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
	scmp_filter_ctx filter = seccomp_init(refuse);
	FILE *file = tmpfile();
	struct filter_step at;

	check_done(filter ? 0 : ENOMEM);
	if (architecture != seccomp_arch_native()) {
		check_done(seccomp_arch_add(filter, architecture));
		check_done(seccomp_arch_remove(filter, SCMP_ARCH_NATIVE));
	}
	check_done(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, refuse));
	/* A tree, because the kernel runs the filter for every number at every start. */
	check_done(seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2));
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct check *check = rules[i].check;
		int call = rules[i].call;

		/* The arguments of the older mmap() are in memory, where no filter sees them. */
		if (rules[i].when > most ||
		    (architecture == SCMP_ARCH_X86 && call == SCMP_SYS(mmap)))
			continue;
		if (!check)
			check_done(seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0));
		for (size_t k = 0; check && k < check->count; k++)
			check_done(seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
						    SCMP_CMP(check->argument, SCMP_CMP_MASKED_EQ,
							     check->mask, check->values[k])));
	}
	check_done(file ? seccomp_export_bpf(filter, fileno(file)) : errno);
	rewind(file);
	printf("static struct filter_step %s[] = {\n", name);
	while (fread(&at, sizeof(at), 1, file))
		printf("\t{ 0x%02x, %u, %u, 0x%08x },\n", at.code, at.yes, at.no, at.value);
	printf("};\n");
	fclose(file);
	seccomp_release(filter);
}

int main(int argc, char **argv)
{
	/* By a name that meson and libseccomp have in common. */
	uint32_t architecture = argc == 2 ? seccomp_arch_resolve_name(argv[1]) : 0;

	check_done(architecture ? 0 : EINVAL);
	make_filter(architecture, ALWAYS, "calls_without_device");
	make_filter(architecture, DEVICE, "calls_with_device");
	make_filter(architecture, WRITING, "calls_writing_device");
	return 0;
}
