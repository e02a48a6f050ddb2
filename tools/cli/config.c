/* SPDX-License-Identifier: MIT */
/* Files of configuration: which are trusted; the definitions of the user in ~/.config/gpuscope. */
#include "cli.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/.config/gpuscope"

bool another_user(void)
{
	return getenv("SUDO_UID") || getenv("PKEXEC_UID") || geteuid() != getuid();
}

bool config_trusted(const struct common *common, const char *path, const struct stat *st)
{
	if (st->st_uid != geteuid() && st->st_uid != 0)
		return false;
	if (!(st->st_mode & (S_IWGRP | S_IWOTH)))
		return true;
	warn(common, path, "not read: other users can write it (chmod go-w)");
	return false;
}

static bool is_definitions(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 && !strcmp(entry->d_name + length - 4, ".def");
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static char **list_files(DIR *dir, size_t *count)
{
	char **names = NULL, **grown;
	struct dirent *entry;

	*count = 0;
	while ((entry = readdir(dir))) {
		if (!is_definitions(entry))
			continue;
		grown = realloc(names, (*count + 1) * sizeof(*names));
		if (!grown)
			break;
		names = grown;
		names[*count] = strdup(entry->d_name);
		if (!names[*count])
			break;
		++*count;
	}
	if (*count)
		qsort(names, *count, sizeof(*names), compare);
	return names;
}

static void add_file(struct common *common, const char *folder, const char *name)
{
	struct gsc_error err;
	char path[4096], what[sizeof(err.what) + 16];
	struct stat st;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path) ||
	    (!stat(path, &st) && !config_trusted(common, path, &st)))
		return;
	if (gsc_db_add_file(common->db, path, &err) == GSC_OK)
		return;
	snprintf(what, sizeof(what), "warning: %s", err.what);
	warn(common, what, err.why);
}

/* False: nothing is read from it. */
static bool user_folder(const struct common *common, char *folder, size_t size)
{
	const char *home = getenv("HOME");

	return !common->no_user_config && home && *home == '/' && !another_user() &&
	       (size_t)snprintf(folder, size, "%s" FOLDER, home) < size;
}

void user_definitions_list(struct common *common, void (*take)(void *context, const char *path),
			   void *context)
{
	char folder[4096], path[4096];
	struct dirent *entry;
	DIR *dir;

	if (!user_folder(common, folder, sizeof(folder)))
		return;
	dir = opendir(folder);
	if (!dir)
		return;
	take(context, folder);
	while ((entry = readdir(dir)))
		if (is_definitions(entry) && (size_t)snprintf(path, sizeof(path), "%s/%s", folder,
							      entry->d_name) < sizeof(path))
			take(context, path);
	closedir(dir);
}

void user_definitions(struct common *common)
{
	char folder[4096];
	struct stat st;
	char **names;
	size_t count;
	DIR *dir;

	if (!user_folder(common, folder, sizeof(folder)))
		return;
	dir = opendir(folder);
	if (!dir)
		return;
	if (!fstat(dirfd(dir), &st) && config_trusted(common, folder, &st)) {
		names = list_files(dir, &count);
		for (size_t i = 0; i < count; i++) {
			add_file(common, folder, names[i]);
			free(names[i]);
		}
		free(names);
	}
	closedir(dir);
}
