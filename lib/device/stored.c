/* SPDX-License-Identifier: MIT */
/*
 * What the kernel has kept from a hang: i915's error state, a file of the card's node whose text is
 * "No error state collected" if there is none, and the same file in debugfs; and a device core
 * dump, which exists only while it is kept (Documentation/ABI/testing/sysfs-class-devcoredump).
 */
#include "device/internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SYSFS_DRM "/sys/class/drm"
#define SYSFS_CORES "/sys/class/devcoredump"
#define CORES_MAX 64

/* UNREADABLE: opening it will show why. */
enum holding { NOTHING, UNREADABLE, HELD };

static enum holding look_into(const char *path)
{
	static const char none[] = "o error state collected";
	char text[64];
	ssize_t length;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return errno == EACCES || errno == EPERM ? UNREADABLE : NOTHING;
	length = read(fd, text, sizeof(text));
	close(fd);
	return length > 0 && !memmem(text, (size_t)length, none, strlen(none)) ? HELD : NOTHING;
}

/* In sysfs it belongs to root; debugfs may be mounted so that others can read it. */
static bool node_error(const char *node, struct gsc_stored *stored)
{
	char debug[sizeof(stored->path)];
	enum holding holding;

	if (snprintf(stored->path, sizeof(stored->path), SYSFS_DRM "/%s/error", node) >=
	    (int)sizeof(stored->path))
		return false;
	holding = look_into(stored->path);
	snprintf(debug, sizeof(debug), DEBUGFS_DRI "/%s/i915_error_state",
		 node + strcspn(node, "0123456789"));
	if (holding != UNREADABLE || look_into(debug) != HELD)
		return holding;
	strcpy(stored->path, debug);
	return true;
}

static bool error_state(const char *bdf, size_t *i, struct gsc_stored *stored)
{
	char nodes[128], *save, *node;

	sysfs_nodes(bdf, nodes, sizeof(nodes));
	for (node = strtok_r(nodes, " ", &save); node; node = strtok_r(NULL, " ", &save)) {
		if (strncmp(node, "card", 4) || !node_error(node, stored) || (*i)--)
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
			    look_into(stored->path))
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
	const char *bdf = device_bdf(device);

	*stored = (struct gsc_stored){ .saved = -1 };
	if (error_state(bdf, &i, stored) || core_dump(bdf, &i, stored))
		return true;
	*stored = (struct gsc_stored){ .saved = -1 };
	return false;
}
