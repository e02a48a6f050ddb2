/* SPDX-License-Identifier: MIT */
/*
 * A dump may be crafted to attack whoever decodes it. Before a command looks into anything, it
 * gives up what it does not need: by landlock(7) all files except those that its command line
 * names, which it can only read; by a filter of system calls, which syscalls.c made, everything
 * else that the kernel does; and capabilities. Another process makes files (outside.c). If a device
 * of this machine may be read, its files stay accessible until the sources are open, and after that
 * only if one of them is a device. If the kernel supports less, less is given up, and -vv says so.
 */
#include "cli.h"
#include "syscalls.h"
#include "open/open.h"
#include "source/inflate.h"
#include "util/dynlib.h"
#include "util/text.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The filters of a build with libseccomp; programs of 32 bits on x86-64 have other numbers. */
#if HAVE_SECCOMP && !(defined(__x86_64__) && defined(__ILP32__))
#include "syscalls-filters.h"
#define HAVE_FILTERS 1
#else
#define HAVE_FILTERS 0
#endif

/*
 * From <linux/landlock.h>, which is older than the kernel, or missing, on many systems. The numbers
 * are the same on every architecture with Intel GPUs.
 */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* A sanitizer makes calls that no command makes. */
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

#define ASK_VERSION 1u			/* LANDLOCK_CREATE_RULESET_VERSION */
#define PATH_BENEATH 1			/* LANDLOCK_RULE_PATH_BENEATH */

/* LANDLOCK_ACCESS_FS_* */
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_DIR (UINT64_C(1) << 3)
#define IOCTL_DEV (UINT64_C(1) << 15)

/* From <linux/capability.h>. */
#define CAPABILITY_VERSION 0x20080522
#define CAPABILITY(number) (UINT64_C(1) << (number))
#define CAP_DAC_READ_SEARCH CAPABILITY(2)
#define CAP_SYS_RAWIO CAPABILITY(17)		/* memory and ports */
#define CAP_SYS_ADMIN CAPABILITY(21)		/* config space, and addresses in /proc/iomem */
#define CAP_SYSLOG CAPABILITY(34)
#define OF_KERNEL (CAP_SYS_RAWIO | CAP_SYS_ADMIN | CAP_SYSLOG)

struct ruleset {
	uint64_t files, net, scoped;
};

struct beneath {
	uint64_t access;
	int32_t parent;
} __attribute__((packed));

/* Everything that a version of the interface can forbid. */
static const struct version {
	size_t size;			/* of struct ruleset, as that version knows it */
	struct ruleset all;
} versions[] = {
	[1] = { 8, { 0x1fff, 0, 0 } },
	[2] = { 8, { 0x3fff, 0, 0 } },		/* REFER */
	[3] = { 8, { 0x7fff, 0, 0 } },		/* TRUNCATE */
	[4] = { 16, { 0x7fff, 3, 0 } },		/* BIND_TCP, CONNECT_TCP */
	[5] = { 16, { 0xffff, 3, 0 } },		/* IOCTL_DEV */
	[6] = { 24, { 0xffff, 3, 3 } },		/* ABSTRACT_UNIX_SOCKET, SIGNAL */
};

/* What the command line names. */
struct named {
	struct common *common;
	int ruleset;
	uint64_t handled;
	bool source;			/* something to read that is not a device */
	bool input;			/* and is untrusted: a file, or standard input */
	bool device, writing;		/* which may be written to */
	unsigned libraries;		/* the libraries that unpacking it may need */
	bool files;			/* any file: as root, also those of others */
	bool of_kernel;			/* a file that needs capabilities when it is opened */
};

/* ---- Landlock ------------------------------------------------------------------------------- */

/* A ruleset that allows nothing yet; -1: there is no Landlock. */
static int ruleset_new(struct common *common, uint64_t *handled)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
	const struct version *v;
	int ruleset;

	if (abi < 1)
		return -1;
	v = &versions[(size_t)abi < ARRAY_SIZE(versions) ? (size_t)abi : ARRAY_SIZE(versions) - 1];
	*handled = v->all.files;
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &v->all, v->size, 0);
	common->landlock = ruleset < 0 ? 0 : (int)abi;
	return ruleset;
}

/* False: it does not exist. */
static bool add_rule(struct named *n, const char *path, uint64_t access)
{
	static const unsigned long of_kernel[] = {	/* from <linux/magic.h> */
		0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x73636673,
	};
	struct beneath rule = { access, open(path, O_PATH | O_CLOEXEC) };
	struct statfs fs;
	struct stat st;

	if (rule.parent < 0)
		return false;
	n->files = true;
	if (access == READ_FILE && !fstat(rule.parent, &st) && S_ISDIR(st.st_mode))
		rule.access = READ_DIR;		/* an open descriptor shows which it is */
	for (size_t i = 0; access == READ_FILE && !fstatfs(rule.parent, &fs) &&
	     i < ARRAY_SIZE(of_kernel); i++)
		n->of_kernel |= (unsigned long)fs.f_type == of_kernel[i];
	rule.access &= n->handled;
	if (n->ruleset >= 0)
		syscall(SYS_landlock_add_rule, n->ruleset, PATH_BENEATH, &rule, 0);
	close(rule.parent);
	return true;
}

static void restrict_by(struct named *n)
{
	if (n->ruleset < 0)
		return;
	if (syscall(SYS_landlock_restrict_self, n->ruleset, 0))
		n->common->landlock = 0;
	close(n->ruleset);
}

/* The program that symbolizes a sanitizer's report may be anywhere. */
static void add_sanitizer(struct named *n)
{
	if (SANITIZED)
		add_rule(n, "/", READ_FILE | READ_DIR);
}

/* ---- system calls --------------------------------------------------------------------------- */

#if HAVE_FILTERS
static bool filter_calls(struct filter_step *steps, size_t count)
{
	const struct {
		unsigned short count;
		struct filter_step *steps;
	} program = { (unsigned short)count, steps };

	for (size_t i = 0; i < count; i++)
		if (steps[i].value == OWN_PROCESS)
			steps[i].value = (uint32_t)getpid();
	return !syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, 0, &program);
}
#endif

/*
 * From here on only listed system calls. Filters add up: a later one can only take away more.
 * PR_SET_NO_NEW_PRIVS is set. False: this kernel or this build has none.
 */
static bool limit_calls(bool device, bool writing)
{
#if HAVE_FILTERS
	if (SANITIZED)
		return false;
	if (writing)
		return filter_calls(calls_writing_device, ARRAY_SIZE(calls_writing_device));
	if (device)
		return filter_calls(calls_with_device, ARRAY_SIZE(calls_with_device));
	return filter_calls(calls_without_device, ARRAY_SIZE(calls_without_device));
#else
	(void)device, (void)writing;
	return false;
#endif
}

/* ---- capabilities --------------------------------------------------------------------------- */

/* At most these capabilities are kept. */
static void drop_capabilities(uint64_t left)
{
	struct {
		uint32_t version;
		int pid;
	} header = { CAPABILITY_VERSION, 0 };
	struct {
		uint32_t effective, permitted, inheritable;
	} sets[2] = { { 0 } };

	if (syscall(SYS_capget, &header, sets))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++, left >>= 32) {
		sets[i].effective &= (uint32_t)left;
		sets[i].permitted &= (uint32_t)left;
		sets[i].inheritable = 0;
	}
	syscall(SYS_capset, &header, sets);
}

/* ---- what is named -------------------------------------------------------------------------- */

#define LIBRARIES_PACKED (GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD)
#define IMAGE_LOOK 512			/* of plain bytes */
#define LOOK (1 << 20)

/*
 * Libraries are loaded before, and take as long as everything else: only those that are needed.
 * This does not parse an untrusted file: its bytes are compared with a few others, and no length or
 * offset is taken from them.
 */
static unsigned libraries_of(const char *path, bool image)
{
	unsigned libraries = LIBRARIES_PACKED;
	void *data = MAP_FAILED;
	size_t size = 0;
	struct stat st;
	int fd;

	/* Who writes to a pipe would see its only reader go. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return libraries;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (image || st.st_size <= LOOK))
		size = image && st.st_size > IMAGE_LOOK ? IMAGE_LOOK : (size_t)st.st_size;
	if (size)
		data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data != MAP_FAILED) {
		libraries = gsc_libraries_wanted(data, size);
		munmap(data, size);
	}
	close(fd);
	return libraries;
}

static void allow_file(struct named *n, const char *path, bool image)
{
	static const char *const links[] = { "device", "failing_device" };
	static const char *const files[] = { "vendor", "device", "revision" };
	char folder[PATH_MAX], file[PATH_MAX + 40];

	if (access(path, F_OK) || !add_rule(n, path, READ_FILE))
		return;
	/* Of a dump that the kernel keeps: which device it is about. */
	if (realpath(path, folder) && !strncmp(folder, "/sys/", 5)) {
		*strrchr(folder, '/') = 0;
		for (size_t i = 0; i < ARRAY_SIZE(links) * ARRAY_SIZE(files); i++) {
			string_set(file, "%s/%s/%s", folder, links[i / ARRAY_SIZE(files)],
				   files[i % ARRAY_SIZE(files)]);
			add_rule(n, file, READ_FILE);
		}
	}
	n->source = n->input = true;
	if (n->libraries != LIBRARIES_PACKED)
		n->libraries |= libraries_of(path, image);
}

static void allow_spec(struct named *n, const char *spec)
{
	const char *at = strrchr(spec, '@');
	char *path;
	enum gsc_spec_kind kind = gsc_spec_kind(spec, &path);

	n->device |= kind == GSC_SPEC_DEVICE;
	n->source |= kind == GSC_SPEC_OTHER || kind == GSC_SPEC_HANG;
	n->input |= kind == GSC_SPEC_OTHER && strchr(spec, '-') && strncmp(spec, "demo:", 5);
	n->input |= kind == GSC_SPEC_HANG;
	if (n->input && (kind == GSC_SPEC_OTHER || kind == GSC_SPEC_HANG))
		n->libraries = LIBRARIES_PACKED;
	if (kind == GSC_SPEC_HANG && path)
		add_rule(n, path, READ_FILE | READ_DIR);
	else if (path)
		allow_file(n, path, strcmp(path, spec) && strncmp(spec, "guc-capture:", 12));
	if (kind == GSC_SPEC_FILE && path && strcmp(path, spec))
		allow_file(n, spec, false);
	free(path);
	/* "FILE@WHAT", as some operands are. */
	path = at > spec ? strndup(spec, (size_t)(at - spec)) : NULL;
	if (path)
		allow_file(n, path, false);
	free(path);
}

static void allow_user_file(void *context, const char *path)
{
	add_rule(context, path, READ_FILE);
}

static void allow_named(struct named *n)
{
	struct common *common = n->common;
	const struct session *session = common->session;
	const struct command *command = common->command;
	const char *before = option_text(common, "before");

	for (size_t i = 0; i < common->from.count; i++)
		allow_spec(n, common->from.items[i]);
	for (size_t i = 0; session && i < session->from.count; i++)
		allow_spec(n, session->from.items[i]);
	for (size_t i = 0; i < common->operand_count; i++)
		allow_spec(n, common->operands[i]);
	for (size_t i = 0; i < common->defines.count; i++)
		add_rule(n, common->defines.items[i], READ_FILE);
	user_definitions_list(common, allow_user_file, n);
	/* On this machine, if no source is named: its platform, if nothing else. */
	n->device |= !n->source && !common->help && !common->version &&
		     (!common->platform_name || !command->reads_none ||
		      !command->reads_none(common));
	if (before)
		allow_spec(n, before);
	n->writing = n->device && (common->wake == GSC_WAKE_REGISTERS ||
				   option_given(common, "write"));
}

/* The kernel's files for devices, for memory and for what it has kept. */
static void allow_device(struct named *n)
{
	static const struct {
		const char *path;
		bool written;
		uint64_t access;
	} files[] = {
		{ "/sys", false, READ_FILE | READ_DIR },
		{ "/sys/devices", true, READ_FILE | READ_DIR },
		{ "/sys/bus/pci/devices", true, READ_FILE | READ_DIR },
		{ "/proc/iomem", false, READ_FILE },
		{ "/proc/kcore", false, READ_FILE },
		{ "/dev/mem", false, READ_FILE },
		{ "/dev/kmsg", false, READ_FILE },
		{ "/dev/port", true, READ_FILE },
		{ "/dev/dri", false, READ_FILE | READ_DIR | IOCTL_DEV },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		add_rule(n, files[i].path, files[i].access |
			 (files[i].written && n->writing ? WRITE_FILE : 0));
	n->libraries |= GSC_LIBRARIES_DEVICE | GSC_LIBRARY_ZLIB;	/* error states */
}

/* ---- the whole ------------------------------------------------------------------------------ */

void confine_to_sources(struct common *common)
{
	struct named n = { .common = common, .ruleset = -1 };
	const char *output = option_text(common, "output");
	const char *folder = option_text(common, "kernels");
	const char *verb = common->command->saves;
	bool saves = output ? *output && strcmp(output, "-")
			    : verb && (!*verb || (common->operand_count &&
						  !strcmp(common->operands[0], verb)));

	if (common->command->opens && !common->child)
		return;
	n.ruleset = ruleset_new(common, &n.handled);
	allow_named(&n);
	if (n.device)
		allow_device(&n);
	add_sanitizer(&n);
	/* What will need a path, as far as it is known by now. */
	if (saves)
		n.libraries |= LIBRARIES_PACKED;
	if (saves || folder || n.libraries & GSC_LIBRARY_ZSTD)
		outside_begin(common, saves, output, folder);
	pager_prepare(common);
	gsc_load_libraries(n.libraries);
	common->confined = true;
	common->device_left = n.device;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	restrict_by(&n);
	common->capable = n.files;
	drop_capabilities((n.files ? CAP_DAC_READ_SEARCH : 0) |
			  (n.device || n.of_kernel ? OF_KERNEL : 0));
	common->filtered = limit_calls(n.device, n.writing);
}

void confine(struct common *common)
{
	struct named none = { .common = common };
	char landlock[40] = "no Landlock here";
	const char *what = common->live ? "confined to reading the device" : "confined";
	char why[100];

	if (common->confined_wholly)
		return;
	common->confined_wholly = true;
	if (common->confined && !common->live) {
		if (common->device_left) {
			none.ruleset = ruleset_new(common, &none.handled);
			add_sanitizer(&none);
			restrict_by(&none);
			limit_calls(false, false);
		}
		if (common->capable)
			drop_capabilities(0);
	}
	if (common->verbose < 2)
		return;
	if (!common->landlock && !common->filtered)
		what = "not confined";
	if (common->landlock)
		string_set(landlock, "Landlock, version %d", common->landlock);
	string_set(why, "%s; %s", landlock, common->filtered ? "system calls filtered"
							     : "system calls not filtered");
	warn(common, what, common->confined ? why : "its children, which read sources, are");
}
