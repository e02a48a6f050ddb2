/* SPDX-License-Identifier: MIT */
/*
 * The store: a folder of records and captures. Whoever changes it holds a lock, and names a file
 * when all of it is written: a file with another name is a leftover of a killed process.
 */
#include "collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_NEW ".record"
#define SEEN "seen"
#define RECORD_MOST (64u << 10)
#define RECORDS_MAX 1000		/* including those of expired captures */

const char *const field_names[FIELDS] = {
	"GPU_HANG", "GPU_TIME", "GPU_LAST", "GPU_COUNT", "GPU_SIGNATURE", "GPU_VERDICT",
	"GPU_PLATFORM", "GPU_ENGINE", "GPU_PROCESS", "GPU_DEVICE", "GPU_PCI_ID", "GPU_DRIVER",
	"GPU_KERNEL", "GPU_BOOT_ID", "GPU_UPTIME", "GPU_CODE", "GPU_DUMP", "GPU_DUE",
	"GPU_REDACTED", "GPU_CAPTURE", "GPU_WHY",
};

/* ---- a hang ---------------------------------------------------------------------------------- */

void hang_set(struct hang *hang, enum field field, const char *format, ...)
{
	char *text = hang->text[field];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(hang->text[field]), format, args);
	va_end(args);
	gsc_text_clean(text);
}

uint64_t hang_number(const struct hang *hang, enum field field)
{
	uint64_t number;

	return gsc_parse_number(hang->text[field], &number) ? number : 0;
}

static void take_line(struct hang *hang, char *line)
{
	char *value = strchr(line, '=');

	if (!value)
		return;
	*value++ = 0;
	for (size_t i = 0; i < FIELDS; i++)
		if (!strcmp(line, field_names[i]))
			hang_set(hang, (enum field)i, "%s", value);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A small file as a string, to be freed; NULL: there is none. */
static char *read_text(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = fd < 0 ? NULL : calloc(1, RECORD_MOST + 1);
	size_t used = 0;
	ssize_t got = 1;

	while (text && got > 0 && used < RECORD_MOST) {
		got = read(fd, text + used, RECORD_MOST - used);
		used += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	return text;
}

int store_make(struct store *store, const char *temporary)
{
	struct stat st;
	int fd;

	unlinkat(store->folder, temporary, 0);
	fd = openat(store->folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0640);
	/* Whoever may read the folder may read it. */
	if (fd >= 0 && !fstat(store->folder, &st) && !fchown(fd, (uid_t)-1, st.st_gid))
		fchmod(fd, 0640);
	return fd;
}

int store_name(struct store *store, const char *temporary, const char *name)
{
	int error = renameat(store->folder, temporary, store->folder, name) ? errno : 0;

	if (error)
		unlinkat(store->folder, temporary, 0);
	return error;
}

static int write_text(struct store *store, const char *name, const char *text, size_t size)
{
	int fd = store_make(store, RECORD_NEW), error = fd < 0 ? errno : 0;

	if (fd >= 0 && (!write_whole(fd, text, size) || fsync(fd)))
		error = errno ? errno : EIO;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	if (!error)
		return store_name(store, RECORD_NEW, name);
	unlinkat(store->folder, RECORD_NEW, 0);
	return error;
}

static void file_name(const struct hang *hang, const char *end, char *buf, size_t size)
{
	snprintf(buf, size, "hang-%.20s%s", hang->text[HANG_NUMBER], end);
}

int store_record(struct store *store, const struct hang *hang)
{
	struct gsc_error ignored;
	struct gsc_out *out;
	const char *data;
	char name[64];
	size_t size;
	int error;

	if (gsc_out_new(&out, -1, false, &ignored))
		return ENOMEM;
	for (size_t i = 0; i < FIELDS; i++)
		if (*hang->text[i])
			gsc_out_format(out, "%s=%s\n", field_names[i], hang->text[i]);
	data = gsc_out_data(out, &size);
	file_name(hang, ".fields", name, sizeof(name));
	error = gsc_out_error(out) ? ENOMEM : write_text(store, name, data, size);
	gsc_out_free(out);
	return error;
}

bool store_present(const struct store *store, const struct hang *hang)
{
	return *hang->text[HANG_CAPTURE] && !strchr(hang->text[HANG_CAPTURE], '/') &&
	       !faccessat(store->folder, hang->text[HANG_CAPTURE], F_OK, 0);
}

/* What follows the number in the names of the store's files; the record's is the last. */
static const char *const ends[] = { ".tar.zst", ".tar.gz", ".tar", ".log", ".fields" };

void store_remove(struct store *store, struct hang *hang, bool record)
{
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(ends) - !record; i++) {
		file_name(hang, ends[i], name, sizeof(name));
		unlinkat(store->folder, name, 0);
	}
	if (!record)
		return;
	memmove(hang, hang + 1, (size_t)(store->hangs + --store->count - hang) * sizeof(*hang));
}

/* ---- what was seen --------------------------------------------------------------------------- */

/* "" if the system does not say. */
static void boot_id(char *buf, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[got > 0 ? got : 0] = 0;
	buf[strcspn(buf, "\n")] = 0;
}

bool seen_has(const struct seen *seen, const char *dump)
{
	for (size_t i = 0; i < DUMPS_MAX; i++)
		if (!strcmp(seen->dumps[i], dump))
			return true;
	return false;
}

void seen_dump(struct seen *seen, const char *dump)
{
	if (!*dump || seen_has(seen, dump))
		return;
	memmove(seen->dumps[1], seen->dumps[0], sizeof(seen->dumps) - sizeof(seen->dumps[0]));
	snprintf(seen->dumps[0], sizeof(seen->dumps[0]), "%.159s", dump);
}

static void see(struct seen *seen, const struct hang *hang)
{
	double uptime = strtod(hang->text[HANG_UPTIME], NULL);

	if (strcmp(hang->text[HANG_BOOT], seen->boot))
		return;
	seen_dump(seen, hang->text[HANG_DUMP]);
	seen->uptime = uptime > seen->uptime ? uptime : seen->uptime;
}

/* "BOOT UPTIME", and a line for each dump. */
static void read_seen(struct store *store)
{
	char *text = read_text(store->folder, SEEN), *save = NULL, *line;
	size_t length = strlen(store->seen.boot);

	line = text ? strtok_r(text, "\n", &save) : NULL;
	if (line && !strncmp(line, store->seen.boot, length) && line[length] == ' ') {
		store->seen.uptime = strtod(line + length, NULL);
		while ((line = strtok_r(NULL, "\n", &save)))
			seen_dump(&store->seen, line);
	}
	free(text);
}

int store_remember(struct store *store)
{
	char text[DUMPS_MAX * 161 + 120];
	size_t used;

	used = (size_t)snprintf(text, sizeof(text), "%s %.6f\n", store->seen.boot,
				store->seen.uptime);
	for (size_t i = DUMPS_MAX; i-- > 0;)
		if (*store->seen.dumps[i])
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s\n",
						 store->seen.dumps[i]);
	return write_text(store, SEEN, text, used);
}

/* ---- the folder ------------------------------------------------------------------------------ */

/* "hang-12.fields"; 0: something else. */
static uint64_t number_of(const char *name, const char **end)
{
	uint64_t number = 0;

	*end = "";
	if (strncmp(name, "hang-", 5))
		return 0;
	for (name += 5; *name >= '0' && *name <= '9' && number < UINT32_MAX; name++)
		number = number * 10 + (uint64_t)(*name - '0');
	*end = name;
	return number;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = hang_number(a, HANG_NUMBER), y = hang_number(b, HANG_NUMBER);

	return (x > y) - (x < y);
}

static struct hang *grow(struct store *store)
{
	struct hang *grown = realloc(store->hangs, (store->count + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	store->hangs = grown;
	grown += store->count++;
	memset(grown, 0, sizeof(*grown));
	return grown;
}

static bool read_record(struct store *store, const char *name, uint64_t number)
{
	char *text = read_text(store->folder, name), *save = NULL;
	struct hang *hang = text ? grow(store) : NULL;

	for (char *line = hang ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(hang, line);
	if (hang)
		hang_set(hang, HANG_NUMBER, "%llu", (unsigned long long)number);
	free(text);
	return hang;
}

static const struct hang *find_number(const struct store *store, uint64_t number)
{
	for (size_t i = 0; i < store->count; i++)
		if (hang_number(&store->hangs[i], HANG_NUMBER) == number)
			return &store->hangs[i];
	return NULL;
}

static DIR *list_folder(const struct store *store)
{
	int fd = openat(store->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

static bool is_leftover(const char *end)
{
	for (size_t i = 0; i < ARRAY_SIZE(ends) - 1; i++)
		if (!strcmp(end, ends[i]))
			return true;
	return false;
}

/* Files that belong to no record. A record that cannot be read also counts. */
static void remove_leftovers(struct store *store)
{
	DIR *dir = list_folder(store);
	struct dirent *entry;
	const char *end;

	while (dir && (entry = readdir(dir))) {
		uint64_t number = number_of(entry->d_name, &end);
		char record[40];
		struct stat st;

		snprintf(record, sizeof(record), "hang-%llu.fields", (unsigned long long)number);
		if (number && is_leftover(end) && !find_number(store, number) &&
		    fstatat(store->folder, record, &st, AT_SYMLINK_NOFOLLOW))
			unlinkat(store->folder, entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
	unlinkat(store->folder, RECORD_NEW, 0);
	unlinkat(store->folder, STORE_CAPTURE, 0);
	unlinkat(store->folder, STORE_LOG, 0);
}

static enum gsc_status read_records(struct store *store, struct gsc_error *err)
{
	DIR *dir = list_folder(store);
	struct dirent *entry;
	const char *end;

	if (!dir)
		return file_error(err, store->path, errno);
	while ((entry = readdir(dir))) {
		uint64_t number = number_of(entry->d_name, &end);

		if (!number || strcmp(end, ".fields"))
			continue;
		store->last = number > store->last ? number : store->last;
		if (store->count < 2 * RECORDS_MAX)
			read_record(store, entry->d_name, number);
	}
	closedir(dir);
	if (store->count)
		qsort(store->hangs, store->count, sizeof(*store->hangs), compare);
	boot_id(store->seen.boot, sizeof(store->seen.boot));
	read_seen(store);
	for (size_t i = 0; i < store->count; i++)
		see(&store->seen, &store->hangs[i]);
	return GSC_OK;
}

static enum gsc_status tell_folder(const struct store *store, int error, struct gsc_error *err)
{
	file_error(err, store->path, error);
	if (err->status == GSC_DENIED)
		snprintf(err->why, sizeof(err->why),
			 "%s: run as root, or to read it as a member of group adm",
			 strerror(error));
	return err->status;
}

enum gsc_status store_open(struct collect *c, bool change, struct gsc_error *err)
{
	struct store *store = &c->store;

	snprintf(store->path, sizeof(store->path), "%s", c->dir ? c->dir : GSC_HANGS);
	store->folder = -1;
	if (change && mkdir(store->path, 0750) && errno != EEXIST)
		return tell_folder(store, errno, err);
	store->folder = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->folder < 0 && errno == ENOENT)
		return GSC_OK;
	if (store->folder < 0 || (change && faccessat(store->folder, ".", W_OK, AT_EACCESS)) ||
	    (change && flock(store->folder, LOCK_EX)))
		return tell_folder(store, errno, err);
	return read_records(store, err);
}

void store_close(struct store *store)
{
	if (store->folder >= 0)
		close(store->folder);
	free(store->hangs);
	*store = (struct store){ .folder = -1 };
}

struct hang *store_find(const struct store *store, enum field field, const char *text)
{
	for (size_t i = store->count; *text && i-- > 0;)
		if (!strcmp(store->hangs[i].text[HANG_BOOT], store->seen.boot) &&
		    !strcmp(store->hangs[i].text[field], text))
			return &store->hangs[i];
	return NULL;
}

struct hang *store_add(struct store *store)
{
	struct hang *hang = grow(store);

	if (hang)
		hang_set(hang, HANG_NUMBER, "%llu", (unsigned long long)++store->last);
	return hang;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Of its capture. */
static uint64_t size_of(const struct store *store, const struct hang *hang)
{
	struct stat st;

	return *hang->text[HANG_CAPTURE] &&
	       !fstatat(store->folder, hang->text[HANG_CAPTURE], &st, AT_SYMLINK_NOFOLLOW)
		       ? (uint64_t)st.st_size : 0;
}

/* From the newest to the oldest; the last one stays, whatever its size. */
void store_limit(struct store *store, const struct limits *limits, time_t now)
{
	uint64_t used = 0, files = 0;

	remove_leftovers(store);
	for (size_t i = store->count; i-- > 0;) {
		struct hang *hang = &store->hangs[i];
		uint64_t last = hang_number(hang, HANG_LAST);
		bool old = limits->age && (uint64_t)now > last && now - last > limits->age;

		if (store->count - i > RECORDS_MAX) {
			store_remove(store, hang, true);
			continue;
		}
		if (!store_present(store, hang))
			continue;
		if (old || (files && ((limits->files && files >= limits->files) ||
				      (limits->use &&
				       used + size_of(store, hang) > limits->use)))) {
			store_remove(store, hang, false);
			continue;
		}
		used += size_of(store, hang);
		files++;
	}
}
