/* SPDX-License-Identifier: MIT */
/*
 * A dump may have been made to take over who decodes it. Once its sources are open a command that
 * reads no device needs nothing more of the system, and gives up the rest: landlock(7), as far as
 * the kernel knows it, and PR_SET_NO_NEW_PRIVS. Where the kernel knows nothing of it nothing is
 * lost, and nothing said.
 */
#include "common.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Of <linux/landlock.h>, which is older than the kernel, or missing, on many a system. The numbers
 * are those of every architecture that Intel GPUs are found with.
 */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define ASK_VERSION 1u			/* LANDLOCK_CREATE_RULESET_VERSION */
#define PATH_BENEATH 1			/* LANDLOCK_RULE_PATH_BENEATH */

/* LANDLOCK_ACCESS_FS_* */
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_DIR (UINT64_C(1) << 3)
#define REMOVE_FILE (UINT64_C(1) << 5)
#define MAKE_REG (UINT64_C(1) << 8)

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

struct ruleset {
	uint64_t files, net, scoped;
};

struct beneath {
	uint64_t access;
	int32_t parent;
} __attribute__((packed));

/* All that a version of the interface can forbid. */
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

/* The shell opens what it is told to, at any time; so does what it runs. */
static bool is_free(const struct common *common)
{
	return common->live || common->untitled || !common->command || common->command->opens;
}

static void add_rule(const struct confinement *c, const char *path, uint64_t access)
{
	struct beneath rule = { access, open(path, O_PATH | O_CLOEXEC) };
	struct stat st;

	if (rule.parent < 0)
		return;
	if (access == READ_FILE && !fstat(rule.parent, &st) && S_ISDIR(st.st_mode))
		rule.access = READ_DIR;		/* opened, it is told from a file */
	syscall(SYS_landlock_add_rule, c->ruleset, PATH_BENEATH, &rule, 0);
	close(rule.parent);
}

/* What names the lines of a sanitizer's report lies anywhere. */
static void add_sanitizer(const struct confinement *c)
{
	if (SANITIZED)
		add_rule(c, "/", READ_FILE | READ_DIR);
}

/* A ruleset that grants nothing yet. */
static void begin(struct confinement *c)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
	const struct version *v;

	c->begun = true;
	c->ruleset = -1;
	if (abi < 1)
		return;
	c->abi = (int)abi;
	v = &versions[(size_t)abi < ARRAY_SIZE(versions) ? (size_t)abi : ARRAY_SIZE(versions) - 1];
	c->ruleset = (int)syscall(SYS_landlock_create_ruleset, &v->all, v->size, 0);
	if (c->ruleset >= 0)
		add_sanitizer(c);
}

void confine_allow(struct common *common, const char *path, enum confine_right right)
{
	static const uint64_t rights[] = {
		[CONFINE_READ] = READ_FILE,
		[CONFINE_REPLACE] = MAKE_REG | REMOVE_FILE,
		[CONFINE_FILL] = MAKE_REG | REMOVE_FILE | WRITE_FILE,
	};
	struct confinement *c = &common->confinement;

	if (c->done || is_free(common))
		return;
	if (!c->begun)
		begin(c);
	if (c->ruleset >= 0)
		add_rule(c, path, rights[right]);
}

static void tell_confined(const struct common *common, bool confined)
{
	char why[60];

	if (common->verbose < 2)
		return;
	if (confined)
		snprintf(why, sizeof(why), "Landlock, version %d", common->confinement.abi);
	warn(common, confined ? "confined" : "not confined", confined ? why : common->live ?
	     "it reads a device" : "no Landlock here");
}

void confine(struct common *common)
{
	struct confinement *c = &common->confinement;
	bool confined = false;

	if (c->done)
		return;
	c->done = true;
	if (!is_free(common)) {
		if (!c->begun)
			begin(c);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		confined = c->ruleset >= 0 && !syscall(SYS_landlock_restrict_self, c->ruleset, 0);
	}
	if (c->begun && c->ruleset >= 0)
		close(c->ruleset);
	if (common->command && !common->untitled)
		tell_confined(common, confined);
}
