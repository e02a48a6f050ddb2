/* SPDX-License-Identifier: MIT */
/* Files and links of a PCI function in sysfs. */
#include "device/internal.h"

#include "util/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
