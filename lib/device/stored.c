/* SPDX-License-Identifier: MIT */
/*
 * What the kernel has kept from a hang: i915's error state, a file of the card's node whose text is
 * "No error state collected" if there is none, and the same file in debugfs; and a device core
 * dump, which exists only while it is kept (Documentation/ABI/testing/sysfs-class-devcoredump).
 */
#include "device/internal.h"

#include "util/number.h"
#include "util/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <unistd.h>

#define SYSFS_DRM "/sys/class/drm"
#define SYSFS_CORES "/sys/class/devcoredump"
#define CORES_MAX 64

/* "0x1912", or -1. */
static int read_id(const char *folder, const char *link, const char *file)
{
	char path[PATH_MAX], text[16];
	uint64_t id;

	return string_set(path, "%s/%s/%s", folder, link, file) < PATH_MAX &&
	       file_line(path, text, sizeof(text)) && gsc_parse_number(text, &id) &&
	       id <= UINT16_MAX ? (int)id : -1;
}

enum gsc_source_form device_kept(const char *path, int *id, int *revision)
{
	static const struct {
		const char *file, *folder, *link;
		enum gsc_source_form form;
	} kept[] = {
		{ "error", "card", "device", GSC_SOURCE_ERROR_STATE },
		{ "i915_error_state", "", NULL, GSC_SOURCE_ERROR_STATE },
		{ "data", "devcd", "failing_device", GSC_SOURCE_DEVCOREDUMP },
	};
	char real[PATH_MAX], *file, *folder;
	int vendor;

	*id = *revision = -1;
	if (!realpath(path, real) || strncmp(real, "/sys/", 5))
		return GSC_SOURCE_NONE;
	file = strrchr(real, '/');
	*file++ = 0;
	folder = strrchr(real, '/') + 1;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		if (strcmp(file, kept[i].file) ||
		    strncmp(folder, kept[i].folder, strlen(kept[i].folder)))
			continue;
		if (!kept[i].link)
			return kept[i].form;
		vendor = read_id(real, kept[i].link, "vendor");
		if (vendor != 0x8086)		/* of other makers, or not readable */
			return vendor < 0 ? kept[i].form : GSC_SOURCE_NONE;
		*id = read_id(real, kept[i].link, "device");
		*revision = read_id(real, kept[i].link, "revision");
		return kept[i].form;
	}
	return GSC_SOURCE_NONE;
}

enum dump_holding dump_held(const char *path)
{
	static const char none[] = "o error state collected";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char text[64];
	ssize_t length;

	if (fd < 0)
		return errno == EACCES || errno == EPERM ? DUMP_UNREADABLE : DUMP_NONE;
	length = read(fd, text, sizeof(text));
	close(fd);
	return length > 0 && !memmem(text, (size_t)length, none, strlen(none)) ? DUMP_HELD
									       : DUMP_NONE;
}

/* In sysfs it belongs to root; debugfs may be mounted so that others can read it. */
static bool error_state(const char *bdf, size_t *i, struct gsc_stored *stored)
{
	char nodes[128], *save, *node, debug[sizeof(stored->path)];

	sysfs_nodes(bdf, nodes, sizeof(nodes));
	for (node = strtok_r(nodes, " ", &save); node; node = strtok_r(NULL, " ", &save)) {
		enum dump_holding holding;

		if (strncmp(node, "card", 4) ||
		    string_set(stored->path, SYSFS_DRM "/%s/error", node) >=
			    (int)sizeof(stored->path))
			continue;
		holding = dump_held(stored->path);
		string_set(debug, DEBUGFS_DRI "/%s/i915_error_state",
			   node + strcspn(node, "0123456789"));
		if (holding == DUMP_UNREADABLE && dump_held(debug) == DUMP_HELD)
			strcpy(stored->path, debug);
		if (!holding || (*i)--)
			continue;
		stored->kind = "i915 error state";
		stored->form = GSC_SOURCE_ERROR_STATE;
		return true;
	}
	return false;
}

static int core_filter(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "devcd", 5) && isdigit((unsigned char)entry->d_name[5]) &&
	       strlen(entry->d_name) < 24;
}

static bool core_dump(const char *bdf, size_t *i, struct gsc_stored *stored)
{
	char link[128], failed[64];
	struct dirent **entries;
	int count = scandir(SYSFS_CORES, &entries, core_filter, versionsort);
	bool found = false;

	if (count < 0)
		return false;
	for (int at = 0; at < count; at++) {
		const char *name = entries[at]->d_name;

		if (!found && at < CORES_MAX) {
			snprintf(link, sizeof(link), SYSFS_CORES "/%.24s/failing_device", name);
			snprintf(stored->path, sizeof(stored->path), SYSFS_CORES "/%.24s/data",
				 name);
			if (link_target(link, failed, sizeof(failed)) && !strcmp(failed, bdf) &&
			    dump_held(stored->path))
				found = !(*i)--;
		}
		free(entries[at]);
	}
	free(entries);
	stored->kind = "Xe devcoredump";
	stored->form = GSC_SOURCE_DEVCOREDUMP;
	return found;
}

bool device_stored(const struct device *device, size_t i, struct gsc_stored *stored)
{
	*stored = (struct gsc_stored){ .saved = -1 };
	if (error_state(device->bdf, &i, stored) || core_dump(device->bdf, &i, stored))
		return true;
	*stored = (struct gsc_stored){ .saved = -1 };
	return false;
}

/*
 * Files of debugfs about the GuC and HuC, i915's and xe's. Not guc_log_dmesg, which writes the log
 * of the kernel when it is read. Reading any would wake the device.
 */
bool device_guc_file(const struct device *device, size_t i, char *path, size_t size)
{
	char pattern[PATH_MAX], nodes[128] = "";
	unsigned card;
	glob_t found;
	bool any;

	sysfs_nodes(device->bdf, nodes, sizeof(nodes));
	if (sscanf(nodes, "card%u", &card) != 1 || sysfs_suspended(device->bdf))
		return false;
	string_set(pattern, DEBUGFS_DRI "/%u/gt*/uc/{guc_ctb,guc_log,guc_log_lfd,guc_log_dump,"
		   "guc_info,guc_load_err_log_dump,guc_registered_contexts,huc_info}", card);
	if (glob(pattern, GLOB_BRACE, NULL, &found))
		return false;
	any = i < found.gl_pathc;
	if (any)
		snprintf(path, size, "%s", found.gl_pathv[i]);
	globfree(&found);
	return any;
}
