/* SPDX-License-Identifier: MIT */
/*
 * The system calls that a confined command may make, as a filter of seccomp(2). Written out, so
 * that it needs no library and is the same in every build: a list of allowed calls; all others fail
 * with EPERM, which the C libraries can handle. Filters add up: a later one can only take away
 * more.
 */
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* AUDIT_ARCH_* from <linux/audit.h>; there is no filter for others. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE UINT32_C(0xc000003e)
#elif defined(__i386__)
#define ARCHITECTURE UINT32_C(0x40000003)
#elif defined(__aarch64__)
#define ARCHITECTURE UINT32_C(0xc00000b7)
#endif

#define LOAD 0x20			/* BPF_LD | BPF_W | BPF_ABS */
#define LOAD_VALUE 0x00			/* BPF_LD | BPF_IMM */
#define TO_INDEX 0x07			/* BPF_MISC | BPF_TAX */
#define AND 0x54			/* BPF_ALU | BPF_AND | BPF_K */
#define SHIFT_RIGHT 0x74		/* BPF_ALU | BPF_RSH | BPF_K */
#define SHIFT_BY_INDEX 0x6c		/* BPF_ALU | BPF_LSH | BPF_X */
#define JUMP_EQUAL 0x15			/* BPF_JMP | BPF_JEQ | BPF_K */
#define JUMP_BITS 0x45			/* BPF_JMP | BPF_JSET | BPF_K */
#define JUMP_BITS_OF_INDEX 0x4d		/* BPF_JMP | BPF_JSET | BPF_X */
#define RETURN 0x06			/* BPF_RET | BPF_K */
#define ALLOW UINT32_C(0x7fff0000)	/* SECCOMP_RET_ALLOW */
#define REFUSE (UINT32_C(0x00050000) | EPERM)	/* SECCOMP_RET_ERRNO */
#define AT_NUMBER 0			/* in struct seccomp_data */
#define AT_ARCHITECTURE 4
#define AT_ARGUMENT 16

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

bool syscalls_filtered(void)
{
	return !SANITIZED;
}

struct instruction {
	uint16_t code;
	uint8_t yes, no;
	uint32_t value;
};

struct program {
	unsigned short count;
	struct instruction *items;
};

#ifdef ARCHITECTURE

enum condition {
	ALWAYS,
	DEVICE,				/* only if a device is read */
	WRITING,			/* only if that also writes to it */
	NO_BITS,			/* an argument has none of these bits */
	ONE_OF,				/* it is one of a list that ends in 0 */
	OWN,				/* it is the number of this process */
};

struct rule {
	int number;
	enum condition condition;
	unsigned argument;
	uint32_t bits;			/* NO_BITS */
	const uint32_t *list;
};

#define WRITES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

static const uint32_t descriptor_commands[] = { F_GETFD, F_SETFD, F_GETFL, F_SETFL,
						F_DUPFD_CLOEXEC, 0 };
/* The arguments of DRM_IOCTL_VERSION and DRM_IOCTL_I915_GETPARAM, from <drm/drm.h> and similar. */
struct drm_version {
	int version[3];
	struct {
		size_t size;
		char *text;
	} name, date, title;
};

struct drm_parameter {
	int number;
	int *value;
};

/*
 * Is it a terminal, and how wide: TCGETS, TCGETS2; which device a node belongs to. Never TIOCSTI,
 * which types on a terminal.
 */
static const uint32_t requests[] = {
	TIOCGWINSZ, 0x5401, 0x802c542a, _IOWR('d', 0x00, struct drm_version),
	_IOWR('d', 0x46, struct drm_parameter), 0,
};

#ifdef SYS_socketcall
static const uint32_t socket_calls[] = { 16, 17, 0 };	/* SYS_SENDMSG, SYS_RECVMSG */
#endif

/* Not every machine has all of them. */
static const struct rule rules[] = {
	/* Descriptors that are open. */
	{ SYS_read }, { SYS_write }, { SYS_readv }, { SYS_writev }, { SYS_pread64 },
	{ SYS_pwrite64 }, { SYS_lseek }, { SYS_close }, { SYS_fsync }, { SYS_fdatasync },
	{ SYS_ftruncate }, { SYS_fallocate }, { SYS_dup }, { SYS_dup3 },
#ifdef SYS__llseek
	{ SYS__llseek }, { SYS_ftruncate64 },
#endif
#ifdef SYS_dup2
	{ SYS_dup2 },
#endif
	{ SYS_fcntl, ONE_OF, 1, 0, descriptor_commands },
#ifdef SYS_fcntl64
	{ SYS_fcntl64, ONE_OF, 1, 0, descriptor_commands },
#endif
	{ SYS_flock, DEVICE },
	{ SYS_ioctl, ONE_OF, 1, 0, requests },
	/* The process that works with paths. */
	{ SYS_sendmsg }, { SYS_recvmsg },
#ifdef SYS_socketcall
	{ SYS_socketcall, ONE_OF, 0, 0, socket_calls },
#endif
	/* Files, for stat and reading: Landlock says which. */
	{ SYS_openat, WRITING }, { SYS_openat, NO_BITS, 2, WRITES, NULL },
#ifdef SYS_open
	{ SYS_open, WRITING }, { SYS_open, NO_BITS, 1, WRITES, NULL }, { SYS_access },
	{ SYS_readlink }, { SYS_stat }, { SYS_lstat }, { SYS_getdents },
#endif
	{ SYS_faccessat }, { SYS_readlinkat }, { SYS_getdents64 }, { SYS_fstat }, { SYS_getcwd },
	{ SYS_statfs }, { SYS_fstatfs },
#ifdef SYS_faccessat2
	{ SYS_faccessat2 },
#endif
#ifdef SYS_newfstatat
	{ SYS_newfstatat },
#endif
#ifdef SYS_fstatat64
	{ SYS_fstatat64 }, { SYS_fstat64 }, { SYS_stat64 }, { SYS_lstat64 },
#endif
#ifdef SYS_statx
	{ SYS_statx },
#endif
	{ SYS_memfd_create },
	/* Memory, none of which can become code. */
	{ SYS_brk }, { SYS_munmap }, { SYS_mremap }, { SYS_madvise }, { SYS_msync },
	{ SYS_mprotect, NO_BITS, 2, PROT_EXEC, NULL },
#ifdef SYS_mmap2
	{ SYS_mmap2, NO_BITS, 2, PROT_EXEC, NULL },
#else
	{ SYS_mmap, NO_BITS, 2, PROT_EXEC, NULL },
#endif
	/* Time, and waiting. */
	{ SYS_clock_gettime }, { SYS_clock_getres }, { SYS_clock_nanosleep }, { SYS_nanosleep },
	{ SYS_setitimer },
	{ SYS_gettimeofday }, { SYS_ppoll }, { SYS_pselect6 }, { SYS_futex }, { SYS_sched_yield },
	{ SYS_wait4 }, { SYS_waitid }, { SYS_restart_syscall },
#ifdef SYS_poll
	{ SYS_poll }, { SYS_time },
#endif
#ifdef SYS_select
	{ SYS_select },
#endif
#ifdef SYS__newselect
	{ SYS__newselect }, { SYS_waitpid },
#endif
#ifdef SYS_clock_gettime64
	{ SYS_clock_gettime64 }, { SYS_clock_nanosleep_time64 }, { SYS_futex_time64 },
	{ SYS_ppoll_time64 }, { SYS_pselect6_time64 }, { SYS_clock_getres_time64 },
#endif
	/* Signals to itself, and its end. */
	{ SYS_rt_sigaction }, { SYS_rt_sigprocmask }, { SYS_rt_sigreturn }, { SYS_rt_sigsuspend },
	{ SYS_sigaltstack }, { SYS_exit }, { SYS_exit_group },
#ifdef SYS_sigreturn
	{ SYS_sigreturn },
#endif
	{ SYS_kill, OWN, 0 }, { SYS_tgkill, OWN, 0 },
	/* What it is, and where; qsort(3) asks for the size of memory. */
	{ SYS_getpid }, { SYS_gettid }, { SYS_getuid }, { SYS_geteuid }, { SYS_getgid },
	{ SYS_getegid }, { SYS_uname }, { SYS_sysinfo }, { SYS_sched_getaffinity },
	{ SYS_getrandom },
#ifdef SYS_getuid32
	{ SYS_getuid32 }, { SYS_geteuid32 }, { SYS_getgid32 }, { SYS_getegid32 },
#endif
	/* To confine itself further. */
	{ SYS_capget }, { SYS_capset }, { SYS_seccomp }, { 444 }, { 445 }, { 446 },
	/* The kernel's log. */
	{ SYS_syslog, DEVICE },
};

/*
 * A bit for each number that may be called whatever its arguments are. Few instructions, because
 * the kernel translates the filter at every start: that is most of its cost.
 */
#define WORDS 16

struct builder {
	uint32_t allowed[WORDS];
	uint32_t process;
	struct instruction items[200];
	size_t count;
};

static bool applies(const struct rule *rule, bool device, bool writing)
{
	return (rule->condition != DEVICE || device) && (rule->condition != WRITING || writing);
}

static void add(struct builder *b, uint16_t code, uint32_t value, unsigned yes, unsigned no)
{
	b->items[b->count++] = (struct instruction){ code, (uint8_t)yes, (uint8_t)no, value };
}

/* With the number loaded; what follows is for other numbers. */
static void add_condition(struct builder *b, const struct rule *rule)
{
	size_t jump = b->count;

	add(b, JUMP_EQUAL, (uint32_t)rule->number, 0, 0);
	add(b, LOAD, AT_ARGUMENT + 8 * rule->argument, 0, 0);
	if (rule->condition == NO_BITS)
		add(b, JUMP_BITS, rule->bits, 1, 0);
	else if (rule->condition == OWN)
		add(b, JUMP_EQUAL, b->process, 0, 1);
	for (size_t i = 0; rule->condition == ONE_OF && rule->list[i]; i++) {
		add(b, JUMP_EQUAL, rule->list[i], 0, 1);
		add(b, RETURN, ALLOW, 0, 0);
	}
	if (rule->condition != ONE_OF)
		add(b, RETURN, ALLOW, 0, 0);
	add(b, RETURN, REFUSE, 0, 0);
	b->items[jump].no = (uint8_t)(b->count - jump - 1);
}

/* With the number loaded: the bit for it is in a word of them, or in none. */
static void add_bits(struct builder *b)
{
	unsigned left = 0;

	add(b, AND, 31, 0, 0);
	add(b, TO_INDEX, 0, 0, 0);
	add(b, LOAD_VALUE, 1, 0, 0);
	add(b, SHIFT_BY_INDEX, 0, 0, 0);
	add(b, TO_INDEX, 0, 0, 0);
	add(b, LOAD, AT_NUMBER, 0, 0);
	add(b, SHIFT_RIGHT, 5, 0, 0);
	for (uint32_t i = 0; i < WORDS; i++)
		left += b->allowed[i] ? 3 : 0;
	for (uint32_t i = 0; i < WORDS; i++) {
		if (!b->allowed[i])
			continue;
		left -= 3;
		add(b, JUMP_EQUAL, i, 0, 2);
		add(b, LOAD_VALUE, b->allowed[i], 0, 0);
		add(b, JUMP_BITS_OF_INDEX, 0, left + 1, left);
	}
	add(b, RETURN, REFUSE, 0, 0);
	add(b, RETURN, ALLOW, 0, 0);
}

bool syscalls_limit(bool device, bool writing)
{
	struct builder b = { .process = (uint32_t)getpid() };
	struct program program;

	if (SANITIZED)
		return false;
	add(&b, LOAD, AT_ARCHITECTURE, 0, 0);
	add(&b, JUMP_EQUAL, ARCHITECTURE, 1, 0);
	add(&b, RETURN, REFUSE, 0, 0);
	add(&b, LOAD, AT_NUMBER, 0, 0);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		uint32_t *word = &b.allowed[rules[i].number / 32];
		uint32_t bit = UINT32_C(1) << rules[i].number % 32;

		if (!applies(&rules[i], device, writing) || *word & bit)
			continue;		/* the first that applies to a number counts */
		if (rules[i].condition <= WRITING)
			*word |= bit;
		else
			add_condition(&b, &rules[i]);
	}
	add_bits(&b);
	program = (struct program){ (unsigned short)b.count, b.items };
	return !syscall(SYS_seccomp, 1, 0, &program);
}

#else

bool syscalls_limit(bool device, bool writing)
{
	(void)device, (void)writing;
	return false;
}

#endif
