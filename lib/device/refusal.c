/* SPDX-License-Identifier: MIT */
/* Why the kernel refused, in one line with what to do about it; and problems reported later. */
#include "device/internal.h"

#include "util/text.h"

#include <errno.h>
#include <unistd.h>

#define SECURITYFS "/sys/kernel/security"
#define LOCKDOWN SECURITYFS "/lockdown"
#define WAKE_DRIVER "--wake=driver"

/* "none [integrity] confidentiality": the one in brackets is in force. */
void gsc_lockdown(char *buf, size_t size)
{
	char line[128];
	const char *start = file_line(LOCKDOWN, line, sizeof(line)) ? strchr(line, '[') : NULL;
	const char *end = start ? strchr(start, ']') : NULL;

	snprintf(buf, size, "%.*s", end ? (int)(end - start) - 1 : 0, end ? start + 1 : "");
}

static enum gsc_status explain_permission(struct gsc_error *err, const char *what)
{
	if (geteuid())
		return err_set(err, GSC_DENIED, what, "permission denied: run as root");
	return err_set(err, GSC_DENIED, what,
		       "permission denied although root: run outside this container");
}

static enum gsc_status explain_lockdown(struct gsc_error *err, const char *what, const char *use)
{
	char mode[32];

	gsc_lockdown(mode, sizeof(mode));
	if (!mode[0])
		return err_set(err, GSC_DENIED, what,
			       "operation not permitted: lockdown, a container or a security "
			       "module forbids %s; to see whether it is lockdown: mount -t "
			       "securityfs none " SECURITYFS, use);
	if (!strcmp(mode, "none"))
		return err_set(err, GSC_DENIED, what,
			       "operation not permitted: a container or a security module forbids "
			       "%s", use);
	return err_set(err, GSC_DENIED, what,
		       "kernel lockdown (%s) forbids %s: disable Secure Boot, or boot without "
		       "lockdown=", mode, use);
}

/* Without root, the kernel returns EPERM before it checks lockdown. */
enum gsc_status refusal_file(struct gsc_error *err, const char *what, int number, const char *use)
{
	if (number == EACCES || (number == EPERM && geteuid()))
		return explain_permission(err, what);
	return number == EPERM ? explain_lockdown(err, what, use) : err_errno(err, what, number);
}

/*
 * Strict devmem and a conflict of caching types give the same errno: if nobody has claimed the BAR,
 * it is the latter. Who has claimed a part of it: the line below that of the function.
 */
static enum gsc_status explain_invalid(struct gsc_error *err, const char *bdf,
				       const struct bar *bar)
{
	char owner[64] = "", driver[32];
	iomem_vec lines = { 0 };
	bool listed = false;

	iomem_read("/proc/iomem", &lines);
	for (size_t i = 0; !listed && i < lines.count; i++) {
		const struct iomem_line *line = &lines.items[i];

		listed = line->start == bar->start && !strcmp(line->name, bdf);
		if (listed && i + 1 < lines.count && line[1].depth > line->depth)
			string_set(owner, "%s", line[1].name);
	}
	vec_free(&lines);
	if (*owner)
		return err_set(err, GSC_DENIED, bdf,
			       "%s has claimed the BAR and the kernel's strict devmem forbids "
			       "mapping it: unbind that driver, or boot with iomem=relaxed", owner);
	if (sysfs_link(bdf, "driver", driver, sizeof(driver)))
		return err_set(err, GSC_DENIED, bdf,
			       "PAT conflict: %s maps the BAR with another kind of caching: "
			       "unbind it, or boot with nopat", driver);
	if (listed)
		return err_set(err, GSC_DENIED, bdf,
			       "PAT conflict: another program maps the BAR with another kind of "
			       "caching: stop it, or boot with nopat");
	return err_set(err, GSC_DENIED, bdf,
		       "the kernel refused to map the BAR because of strict devmem or a PAT "
		       "conflict: boot with iomem=relaxed or nopat");
}

enum gsc_status refusal_explain(struct gsc_error *err, const char *bdf, const struct bar *bar,
				int number)
{
	switch (number) {
	case EACCES:
		return explain_permission(err, bdf);
	case EPERM:
		return explain_lockdown(err, bdf, "mapping PCI memory");
	case EINVAL:
		return explain_invalid(err, bdf, bar);
	case ENOENT:
		return err_set(err, GSC_FAILED, bdf,
			       "cannot be mapped: this kernel has no file " SYSFS_PCI
			       "/%s/resource%u", bdf, bar->number);
	default:
		return err_errno(err, bdf, number);
	}
}

enum gsc_status refusal_wake(struct gsc_error *err, const char *bdf, int number)
{
	char mode[32], driver[32];

	gsc_lockdown(mode, sizeof(mode));
	if (geteuid())
		return err_set(err, GSC_DENIED, WAKE_DRIVER,
			       "permission denied: run as root, which owns debugfs");
	if (number == EPERM && mode[0] && strcmp(mode, "none"))
		return err_set(err, GSC_DENIED, WAKE_DRIVER,
			       "kernel lockdown (%s, as under Secure Boot) closes debugfs: disable "
			       "Secure Boot, or boot without lockdown=", mode);
	if (number == EPERM || number == EACCES)
		return err_set(err, GSC_DENIED, WAKE_DRIVER,
			       "permission denied although root: run outside this container");
	if (number != ENOENT)
		return err_errno(err, WAKE_DRIVER, number);
	if (!sysfs_link(bdf, "driver", driver, sizeof(driver)))
		return err_set(err, GSC_FAILED, WAKE_DRIVER,
			       "no driver is bound to %s: load i915 or xe, or try --wake=registers",
			       bdf);
	if (access(DEBUGFS_DRI, F_OK))
		return err_set(err, GSC_FAILED, WAKE_DRIVER, "there is no " DEBUGFS_DRI
			       ": mount -t debugfs none /sys/kernel/debug");
	return err_set(err, GSC_FAILED, WAKE_DRIVER,
		       "the driver %s has no forcewake file for %s in " DEBUGFS_DRI
		       "; only i915 and xe have one: try --wake=registers", driver, bdf);
}

void problem_add(struct problems *problems, const struct gsc_error *why)
{
	for (size_t i = 0; i < problems->list.count; i++)
		if (!strcmp(problems->list.items[i].what, why->what) &&
		    !strcmp(problems->list.items[i].why, why->why))
			return;
	(void)vec_push(&problems->list, *why);
}

enum gsc_read problem_read(struct problems *problems, const struct gsc_error *why)
{
	problem_add(problems, why);
	return why->status == GSC_DENIED ? GSC_READ_DENIED : GSC_READ_ABSENT;
}
