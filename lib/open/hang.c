/* SPDX-License-Identifier: MIT */
/*
 * hang:[DIR/][N]: a hang that gpu-collect has stored. A record, hang-N.fields, makes it one; next
 * to it is the capture, or the lines of the kernel's log if the kernel kept no more.
 */
#include "open/opening.h"

#include "util/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The store may be somebody else's: no link out of it, and no pipe that nobody fills. */
static bool find_file(const char *folder, uint64_t number, char path[PATH_MAX])
{
	static const char *const ends[] = { ".tar.zst", ".tar.gz", ".tar", ".log" };
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (snprintf(path, PATH_MAX, "%s/hang-%llu%s", folder, LL(number),
			     ends[i]) < PATH_MAX && !lstat(path, &st) && S_ISREG(st.st_mode))
			return true;
	return false;
}

/* The greatest number that has a file, or this one, or 0; *there: it has a record. */
static uint64_t find_hang(const char *folder, DIR *dir, uint64_t wanted, bool *there)
{
	char path[PATH_MAX];
	uint64_t best = 0;
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		struct slice name = slice_string(entry->d_name);
		uint64_t number;

		if (!take_text(&name, "hang-") || !take_decimal(&name, &number) ||
		    !slice_is(name, ".fields") || !number || number < best ||
		    (wanted && number != wanted))
			continue;
		*there = true;
		if (find_file(folder, number, path))
			best = number;
	}
	return best;
}

/* A redacted dump may not be enough for a verdict: the record has that of the whole dump. */
static enum gsc_status add_verdict(struct part *part, const char *folder, uint64_t number,
				   struct gsc_error *err)
{
	char path[PATH_MAX], *line = NULL, verdict[1000] = "";
	bool redacted = false, added;
	size_t size = 0;
	FILE *file;
	int fd;

	snprintf(path, sizeof(path), "%s/hang-%llu.fields", folder, LL(number));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	file = fd < 0 ? NULL : fdopen(fd, "r");
	for (ssize_t got; file && (got = getline(&line, &size, file)) > 0;) {
		struct slice text = slice_string(line);

		text.end -= line[got - 1] == '\n';
		if (take_text(&text, "GPU_VERDICT="))
			snprintf(verdict, sizeof(verdict), "%.*s", SLICE(text));
		redacted |= slice_is(text, "GPU_REDACTED=yes");
	}
	free(line);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	added = !redacted || !*verdict || part_say(part, "", "collected.verdict", "%s", verdict);
	return added ? GSC_OK : err_memory(err);
}

static enum gsc_status tell_folder(const char *folder, int number, struct gsc_error *err)
{
	if (number == EACCES)
		return err_set(err, GSC_DENIED, folder,
			       "Permission denied: run as root, or as a member of group adm");
	if (number != ENOENT)
		return err_errno(err, folder, number);
	return err_set(err, GSC_UNKNOWN, folder, "no hang was collected: is package "
		       "gpuscope-collect installed? try: systemctl status gpuscope-collect");
}

char *hang_folder(const char *name)
{
	const char *rest = name + strlen(HANG_PREFIX), *slash = strrchr(rest, '/');

	if (!slash)
		return strdup(GSC_HANGS);
	return slash == rest ? strdup("/") : strndup(rest, (size_t)(slash - rest));
}

static enum gsc_status find_in(const char *name, const char *folder, uint64_t *number,
			       struct gsc_error *err)
{
	const char *rest = name + strlen(HANG_PREFIX), *slash = strrchr(rest, '/');
	const char *word = slash ? slash + 1 : rest;
	bool there = false;
	uint64_t wanted = 0;
	DIR *dir;

	if (*word && (!slice_number(slice_string(word), &wanted) || !wanted))
		return err_set(err, GSC_USAGE, name, "expected hang: (the last), hang:N or "
			       "hang:DIRECTORY/N; gpu-collect list shows the numbers");
	dir = opendir(folder);
	if (!dir)
		return tell_folder(folder, errno, err);
	*number = find_hang(folder, dir, wanted, &there);
	closedir(dir);
	if (*number)
		return GSC_OK;
	if (there)
		return err_set(err, GSC_UNKNOWN, name, "its capture has expired; to see what is "
			       "known of it: gpu-collect info %s", word);
	return wanted ? err_set(err, GSC_UNKNOWN, name,
				"no such hang; gpu-collect list shows those that were collected")
		      : tell_folder(folder, ENOENT, err);
}

enum gsc_status hang_file(struct part *part, char **file, struct gsc_error *err)
{
	char *folder = hang_folder(part->name), path[PATH_MAX];
	uint64_t number;
	enum gsc_status status = folder ? find_in(part->name, folder, &number, err)
					: err_memory(err);

	*file = NULL;
	if (!status)
		status = add_verdict(part, folder, number, err);
	if (!status && find_file(folder, number, path))
		*file = strdup(path);
	free(folder);
	return status || *file ? status : err_memory(err);
}
