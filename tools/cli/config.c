/* SPDX-License-Identifier: MIT */
/* Files of configuration: which are trusted; the definitions of the user in ~/.config/gpuscope. */
#include "cli.h"
#include "dbc/files.h"
#include "util/text.h"

#include <dirent.h>
#include <pwd.h>
#include <unistd.h>

#define FOLDER "/.config/gpuscope"

bool another_user(void)
{
	return getenv("SUDO_UID") || getenv("PKEXEC_UID") || geteuid() != getuid();
}

bool calling_id(const char *variable, uint32_t *id)
{
	struct slice text = slice_string(getenv(variable) ? getenv(variable) : "");
	uint64_t value;

	if (!take_decimal(&text, &value) || text.at < text.end || value >= UINT32_MAX)
		return false;
	*id = (uint32_t)value;
	return true;
}

const struct passwd *calling_user(void)
{
	uint32_t uid;

	return calling_id(getenv("SUDO_UID") ? "SUDO_UID" : "PKEXEC_UID", &uid) ? getpwuid(uid)
										: NULL;
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

static int is_definitions(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 && !strcmp(entry->d_name + length - 4, ".def");
}

void user_definitions_list(struct common *common, void (*take)(void *context, const char *path),
			   void *context)
{
	const char *home = getenv("HOME");
	char folder[4096], path[4096];
	struct dirent **entries;
	int count;

	if (common->no_user_config || !home || *home != '/' || another_user() ||
	    (size_t)string_set(folder, "%s" FOLDER, home) >= sizeof(folder))
		return;
	count = scandir(folder, &entries, is_definitions, versionsort);
	if (count < 0)
		return;
	take(context, folder);
	for (int i = 0; i < count; i++) {
		if ((size_t)string_set(path, "%s/%s", folder, entries[i]->d_name) < sizeof(path))
			take(context, path);
		free(entries[i]);
	}
	free(entries);
}

struct adding {
	struct common *common;
	bool trusted;			/* their folder, which comes first */
	bool inside;
};

static void add_file(void *context, const char *path)
{
	struct adding *adding = context;
	struct common *common = adding->common;
	struct gsc_error err;
	char what[sizeof(err.what) + 16];
	struct stat st;
	bool exists = !stat(path, &st);

	if (!adding->inside) {
		adding->trusted = exists && config_trusted(common, path, &st);
		adding->inside = true;
		return;
	}
	if (!adding->trusted || (exists && !config_trusted(common, path, &st)) ||
	    gsc_db_add_file(common->db, path, &err) == GSC_OK)
		return;
	string_set(what, "warning: %s", err.what);
	warn(common, what, err.why);
}

void user_definitions(struct common *common)
{
	struct adding adding = { .common = common };

	user_definitions_list(common, add_file, &adding);
}
