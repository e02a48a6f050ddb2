/* SPDX-License-Identifier: MIT */
/* Files and links of a PCI function in sysfs. */
#include "device/internal.h"

#include "util/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <unistd.h>

static bool sysfs_path(char path[PATH_MAX], const char *bdf, const char *name)
{
	return snprintf(path, PATH_MAX, SYSFS_PCI "/%s/%s", bdf, name) < PATH_MAX;
}

/* `digits` of them, then the character `end`. */
static bool hex_digits(const char **text, unsigned digits, char end)
{
	for (; digits; digits--)
		if (!isxdigit((unsigned char)*(*text)++))
			return false;
	return *(*text)++ == end;
}

bool bdf_parse(const char *text, char bdf[BDF_MAX])
{
	const char *p = text;
	bool with_domain = strlen(text) == sizeof("0000:00:02.0") - 1;

	if (with_domain && !hex_digits(&p, 4, ':'))
		return false;
	if (strlen(p) != sizeof("00:02.0") - 1 || !hex_digits(&p, 2, ':') || *p > '1' ||
	    !hex_digits(&p, 2, '.') || *p < '0' || *p > '7')
		return false;
	snprintf(bdf, BDF_MAX, "%s%s", with_domain ? "" : "0000:", text);
	for (char *c = bdf; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return true;
}

int sysfs_open(const char *bdf, const char *name, int flags)
{
	char path[PATH_MAX];

	if (!sysfs_path(path, bdf, name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return open(path, flags | O_CLOEXEC);
}

bool file_line(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[MAX(length, 0)] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return length > 0;
}

bool sysfs_line(const char *bdf, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];

	buf[0] = '\0';
	return sysfs_path(path, bdf, name) && file_line(path, buf, size);
}

bool link_target(const char *path, char *buf, size_t size)
{
	char target[PATH_MAX];
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	const char *slash;

	buf[0] = '\0';
	if (length <= 0)
		return false;
	target[length] = '\0';
	slash = strrchr(target, '/');
	snprintf(buf, size, "%s", slash ? slash + 1 : target);
	return true;
}

bool sysfs_link(const char *bdf, const char *name, char *buf, size_t size)
{
	char path[PATH_MAX];

	buf[0] = '\0';
	return sysfs_path(path, bdf, name) && link_target(path, buf, size);
}

static int node_filter(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "card", 4) || !strncmp(entry->d_name, "renderD", 7);
}

void sysfs_nodes(const char *bdf, char *buf, size_t size)
{
	struct dirent **entries;
	char path[PATH_MAX];
	struct text text = text_begin(buf, size);
	int count;

	if (!sysfs_path(path, bdf, "drm"))
		return;
	count = scandir(path, &entries, node_filter, alphasort);
	if (count < 0)
		return;
	for (int i = 0; i < count; i++) {
		if (text.used + strlen(entries[i]->d_name) + 2 <= size)
			text_join(&text, " ", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

/* Each line of what may be several files of debugfs. */
static void list_lines(const char *pattern, gsc_file_fn *each, void *context)
{
	char line[200];
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *file = fopen(found.gl_pathv[i], "re");

		while (file && fgets(line, sizeof(line), file)) {
			line[strcspn(line, "\n")] = '\0';
			if (*line)
				each(context, DRIVER_LIST, line);
		}
		if (file)
			fclose(file);
	}
	globfree(&found);
}

void device_files(const struct device *device, gsc_file_fn *each, void *context)
{
	/*
	 * Those of each GT come before those of all together. Not min_freq and max_freq of xe: it
	 * asks the GuC for them, which may hang.
	 */
	static const char *const files[] = {
		"drm/card*/gt/gt*/rps_*_freq_mhz", "drm/card*/gt/gt*/throttle_reason_*",
		"drm/card*/gt/gt*/rc6_residency_ms", "drm/card*/gt_*_freq_mhz",
		"drm/card*/power/rc6_residency_ms", "tile*/gt*/freq0/[acr]*_freq",
		"tile*/gt*/freq0/throttle/reason_*", "tile*/gt*/gtidle/idle_*",
		"hwmon/hwmon*/power*_*", "hwmon/hwmon*/energy*_input",
	};
	static const char *const lists[] = {
		"gt*/workarounds", "gt*/tunings", "gt*/register-save-restore", "workarounds",
		"i915_wa_registers",
	};
	size_t front = strlen(SYSFS_PCI) + strlen(device->bdf) + 2;
	char path[PATH_MAX], nodes[128] = "", value[64];
	unsigned card;
	glob_t found;

	/* Reading some of them would wake it. */
	for (size_t i = 0; i < ARRAY_SIZE(files) && !sysfs_suspended(device->bdf); i++) {
		if (!sysfs_path(path, device->bdf, files[i]) || glob(path, 0, NULL, &found))
			continue;
		for (size_t k = 0; k < found.gl_pathc; k++)
			if (file_line(found.gl_pathv[k], value, sizeof(value)))
				each(context, found.gl_pathv[k] + front, value);
		globfree(&found);
	}
	sysfs_nodes(device->bdf, nodes, sizeof(nodes));
	if (sscanf(nodes, "card%u", &card) == 1) {
		string_set(path, DEBUGFS_DRI "/%u/i915_wedged", card);
		if (file_line(path, value, sizeof(value)))
			each(context, "i915_wedged", value);
		for (size_t i = 0; i < ARRAY_SIZE(lists) && !sysfs_suspended(device->bdf); i++) {
			string_set(path, DEBUGFS_DRI "/%u/%s", card, lists[i]);
			list_lines(path, each, context);
		}
	}
	string_set(value, "%llu", LL(device->aperture.size));
	if (device->layout.flags & GSC_PLATFORM_LMEM && device->aperture.size)
		each(context, "resource2", value);
}

bool sysfs_removed(const char *bdf)
{
	char path[PATH_MAX];

	return sysfs_path(path, bdf, "") && access(path, F_OK) && errno == ENOENT;
}

bool sysfs_suspended(const char *bdf)
{
	char status[32];

	sysfs_line(bdf, "power/runtime_status", status, sizeof(status));
	return !strcmp(status, "suspended") || !strcmp(status, "suspending");
}
