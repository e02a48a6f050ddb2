/* SPDX-License-Identifier: MIT */
/*
 * The store: a folder of records and captures. Whoever changes it holds a lock, and names a file
 * when all of it is written: a file with another name is a leftover of a killed process. Records
 * that change together are written into one file first, which is the commit, and only then as
 * records; if a process is killed in between, the next one writes them. A store may also be
 * somebody else's (-D): a record is checked as any other input.
 */
#include "collect.h"
#include "open/open.h"
#include "util/number.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#define LOCK ".lock"
#define COMMIT ".commit"
#define GONE "gone"			/* in a commit: no field, which has a = */
#define RECORD_NEW ".record"
#define SEEN "seen"
#define RECORD_MOST (64u << 10)
#define COMMIT_MOST (64u << 20)
#define RECORDS_MAX 1000		/* including those of expired captures */
#define NUMBER_MOST (UINT64_C(1) << 40)	/* of a record: times, counts */
#define UPTIME_MOST 1e9			/* seconds, or thirty years */
#define HOUR 3600

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

	return gsc_parse_number(hang->text[field], &number) && number < NUMBER_MOST ? number : 0;
}

double seconds_since_boot(const char *text, const char **end)
{
	double value = 0, unit = 1;

	*end = text;
	if (!isdigit((unsigned char)*text))
		return -1;
	for (; isdigit((unsigned char)*text) && value < UPTIME_MOST; text++)
		value = value * 10 + (*text - '0');
	if (*text++ != '.' || !isdigit((unsigned char)*text) || value >= UPTIME_MOST)
		return -1;
	for (; isdigit((unsigned char)*text); text++)
		value += (*text - '0') * (unit /= 10);
	*end = text;
	return value;
}

/*
 * Seconds since the boot, asleep or not, which the log's clock does not count. That one is not
 * corrected by the network's time: it may be a little ahead.
 */
static double running(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_BOOTTIME, &now) ? UPTIME_MOST : (double)now.tv_sec;
}

double latest_uptime(void)
{
	return 1.01 * running() + 60;
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

int store_file(const struct store *store, const char *name)
{
	int fd = openat(store->folder, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -1;
}

/* A small file as a string, to be freed; NULL: there is none. */
static char *read_text(const struct store *store, const char *name, size_t most)
{
	int fd = store_file(store, name);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	size_t room = size > 0 && (size_t)size < most ? (size_t)size : most, used = 0;
	char *text = fd < 0 ? NULL : calloc(1, room + 1);
	ssize_t got = 1;

	while (text && got > 0 && used < room) {
		got = pread(fd, text + used, room - used, (off_t)used);
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

/* A file, which is on the disk then; an error number, or 0. */
static int write_file(struct store *store, const char *name, const char *text, size_t size)
{
	int fd = store_make(store, RECORD_NEW), error = fd < 0 ? errno : 0;

	if (fd >= 0 && (!fd_write(fd, text, size) || fsync(fd)))
		error = errno ? errno : EIO;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	if (!error)
		return store_name(store, RECORD_NEW, name);
	unlinkat(store->folder, RECORD_NEW, 0);
	return error;
}

/* The same of what was printed, which is freed. */
static int write_out(struct store *store, const char *name, struct gsc_out *out)
{
	size_t size;
	const char *text = gsc_out_data(out, &size);
	int error = gsc_out_error(out) ? ENOMEM : write_file(store, name, text, size);

	gsc_out_free(out);
	return error;
}

static void file_name(const struct hang *hang, const char *end, char *buf, size_t size)
{
	snprintf(buf, size, "hang-%.20s%s", hang->text[HANG_NUMBER], end);
}

/* Of a hang that is gone its number, and that it is. */
static void put_record(struct gsc_out *out, const struct hang *hang)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (*hang->text[i] && (i == HANG_NUMBER || !hang->gone)) {
			gsc_out_format(out, "%s=", field_names[i]);
			gsc_out_text(out, hang->text[i]);
			gsc_out_text(out, "\n");
		}
	if (hang->gone)
		gsc_out_text(out, GONE "\n");
}

/* What follows the number in the names of the store's files; the record's is the last. */
static const char *const ends[] = { ".tar.zst", ".tar.gz", ".tar", ".log", ".fields" };
#define CAPTURE_ENDS 3

const char *store_capture(const struct hang *hang)
{
	char name[64];

	for (size_t i = 0; i < CAPTURE_ENDS; i++) {
		file_name(hang, ends[i], name, sizeof(name));
		if (!strcmp(name, hang->text[HANG_CAPTURE]))
			return hang->text[HANG_CAPTURE];
	}
	return "";
}

static bool is_file(const struct store *store, const char *name, struct stat *st)
{
	return *name && !fstatat(store->folder, name, st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(st->st_mode);
}

bool store_present(const struct store *store, const struct hang *hang)
{
	struct stat st;

	return is_file(store, store_capture(hang), &st);
}

static void remove_files(const struct store *store, const struct hang *hang, bool record)
{
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(ends) - !record; i++) {
		file_name(hang, ends[i], name, sizeof(name));
		unlinkat(store->folder, name, 0);
	}
}

void store_remove(struct store *store, struct hang *hang, bool record)
{
	remove_files(store, hang, record);
	if (!record)
		return;
	memmove(hang, hang + 1, (size_t)(store->hangs + --store->count - hang) * sizeof(*hang));
}

/* ---- what was seen --------------------------------------------------------------------------- */

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
	snprintf(seen->dumps[0], DUMP_SIZE, "%.*s", DUMP_SIZE - 1, dump);
}

/*
 * "BOOT UPTIME CLOCK RAN", and a line for each dump. The times of another boot say only what the
 * clock was.
 */
static void read_seen(struct store *store)
{
	char *text = read_text(store, SEEN, RECORD_MOST), *save = NULL, *line;
	struct seen *seen = &store->seen;
	size_t length = strlen(seen->boot);
	double uptime = -1, ran = -1;
	struct slice clock = { 0 };
	const char *at;

	line = text ? strtok_r(text, "\n", &save) : NULL;
	at = line ? strchr(line, ' ') : NULL;
	if (at)
		uptime = seconds_since_boot(at + 1, &at);
	if (uptime >= 0 && *at == ' ') {
		clock = slice_of(at + 1, strcspn(at + 1, " "));
		if (*clock.end)
			ran = seconds_since_boot(clock.end + 1, &at);
	}
	if (!slice_number(clock, &seen->clock) || seen->clock >= NUMBER_MOST)
		seen->clock = 0;
	if (line && !strncmp(line, seen->boot, length) && line[length] == ' ') {
		seen->uptime = uptime > 0 ? uptime : 0;
		seen->ran = ran;
		while ((line = strtok_r(NULL, "\n", &save)))
			seen_dump(seen, line);
	}
	free(text);
}

static void put_seen(struct gsc_out *out, const struct seen *seen)
{
	gsc_out_format(out, "%s %.6f %llu %.6f\n", seen->boot, seen->uptime,
		       LL(seen->clock), seen->ran > 0 ? seen->ran : 0);
	for (size_t i = DUMPS_MAX; i-- > 0;)
		if (*seen->dumps[i]) {
			gsc_out_text(out, seen->dumps[i]);
			gsc_out_text(out, "\n");
		}
}

int store_remember(struct store *store)
{
	struct gsc_error ignored;
	struct gsc_out *out;

	if (gsc_out_new(&out, -1, false, &ignored))
		return ENOMEM;
	put_seen(out, &store->seen);
	return write_out(store, SEEN, out);
}

/*
 * It follows the machine's clock at twice the pace at which the machine has run, by a day a boot
 * and an hour otherwise; so it soon knows of days when the machine was off, but not of a clock that
 * shows another year until the network corrects it.
 */
bool store_clock(struct store *store, time_t now)
{
	struct seen *seen = &store->seen;
	uint64_t before = seen->clock, most;
	double ran = running(), more = seen->ran < 0 ? 2 * ran + DAY : 2 * (ran - seen->ran) + HOUR;

	for (size_t i = 0; !before && i < store->count; i++) {
		uint64_t last = hang_number(&store->hangs[i], HANG_LAST);

		if (last > seen->clock && last <= (uint64_t)now)
			seen->clock = last;
	}
	if (!seen->clock)
		seen->clock = (uint64_t)now;
	most = seen->clock + (more > 0 ? (uint64_t)more : 0);
	if (seen->clock < (uint64_t)now)
		seen->clock = (uint64_t)now < most ? (uint64_t)now : most;
	seen->ran = ran;
	return store->count && seen->clock > before + HOUR;
}

/* ---- its files ------------------------------------------------------------------------------- */

/* "hang-12.fields"; 0: something else. */
static uint64_t number_of(const char *name, const char **end)
{
	struct slice text = slice_string(name);
	uint64_t number;

	*end = "";
	if (!take_text(&text, "hang-"))
		return 0;
	*end = take_while(&text, is_digit).end;
	return slice_number(slice_of(name + 5, (size_t)(*end - name) - 5), &number) &&
	       number < NUMBER_MOST ? number : 0;
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

static DIR *list_folder(const struct store *store)
{
	int fd = openat(store->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/*
 * Files that belong to no record, or to one that does not know them. A record that cannot be read
 * also counts.
 */
static bool is_leftover(const struct store *store, const char *name)
{
	const char *end;
	uint64_t number = number_of(name, &end);
	char record[40];
	struct stat st;
	size_t i = 0;

	while (i < ARRAY_SIZE(ends) - 1 && strcmp(end, ends[i]))
		i++;
	if (!number || i == ARRAY_SIZE(ends) - 1)
		return false;
	string_set(record, "hang-%llu.fields", LL(number));
	if (fstatat(store->folder, record, &st, AT_SYMLINK_NOFOLLOW))
		return true;
	for (size_t k = 0; i < CAPTURE_ENDS && k < store->count; k++)
		if (hang_number(&store->hangs[k], HANG_NUMBER) == number)
			return strcmp(store_capture(&store->hangs[k]), name) != 0;
	return false;
}

/* A commit that could not be finished needs its files. */
static void remove_leftovers(struct store *store)
{
	DIR *dir = faccessat(store->folder, COMMIT, F_OK, 0) ? list_folder(store) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_leftover(store, entry->d_name))
			unlinkat(store->folder, entry->d_name, 0);
	if (dir)
		closedir(dir);
	unlinkat(store->folder, RECORD_NEW, 0);
	unlinkat(store->folder, STORE_CAPTURE, 0);
	unlinkat(store->folder, STORE_LOG, 0);
}

/* ---- changes --------------------------------------------------------------------------------- */

/* One hang of the commit. */
static int finish_record(struct collect *c, struct hang *hang)
{
	uint64_t number = hang_number(hang, HANG_NUMBER);
	struct gsc_error ignored;
	struct gsc_out *out;
	char name[64];
	int error;

	if (!number)
		return 0;
	hang_set(hang, HANG_NUMBER, "%llu", LL(number));
	if (hang->gone) {
		remove_files(&c->store, hang, true);
		return 0;
	}
	if (gsc_out_new(&out, -1, false, &ignored))
		return ENOMEM;
	put_record(out, hang);
	file_name(hang, ".fields", name, sizeof(name));
	error = write_out(&c->store, name, out);
	if (!error)
		journal_send(c, hang);
	return error;
}

/* Does what the commit says, if there is one; it may have been done already. */
static int finish_commit(struct collect *c)
{
	struct store *store = &c->store;
	char *text = read_text(store, COMMIT, COMMIT_MOST), *save = NULL;
	char *seen = text ? strstr(text, "\n\n") : NULL;
	struct hang hang = { .gone = false };
	struct stat st;
	int error = !text && is_file(store, COMMIT, &st) ? EIO : 0;

	if (seen)
		seen[1] = 0;
	for (char *line = seen ? strtok_r(text, "\n", &save) : NULL; line && !error;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, field_names[HANG_NUMBER], strlen(field_names[HANG_NUMBER]))) {
			error = finish_record(c, &hang);
			hang = (struct hang){ .gone = false };
		}
		take_line(&hang, line);
		hang.gone |= !strcmp(line, GONE);
	}
	if (seen && !error)
		error = finish_record(c, &hang);
	if (seen && !error)
		error = write_file(store, SEEN, seen + 2, strlen(seen + 2));
	free(text);
	if (!error) {
		fsync(store->folder);
		unlinkat(store->folder, COMMIT, 0);
	}
	return error;
}

int store_commit(struct collect *c)
{
	struct store *store = &c->store;
	struct gsc_error ignored;
	struct gsc_out *out;
	int error;

	if (gsc_out_new(&out, -1, false, &ignored))
		return ENOMEM;
	for (size_t i = 0; i < store->count; i++)
		if (store->hangs[i].changed)
			put_record(out, &store->hangs[i]);
	/* No line of a record is empty. */
	gsc_out_text(out, "\n");
	put_seen(out, &store->seen);
	error = write_out(store, COMMIT, out);
	if (!error)
		error = finish_commit(c);
	for (size_t i = store->count; !error && i-- > 0;)
		if (store->hangs[i].gone)
			store_remove(store, &store->hangs[i], true);
	return error;
}

/* ---- the folder ------------------------------------------------------------------------------ */

static enum gsc_status read_records(struct store *store, struct gsc_error *err)
{
	DIR *dir = list_folder(store);
	char *boot = store->seen.boot, *text, *save = NULL;
	struct dirent *entry;
	struct hang *hang;
	const char *end;
	ssize_t got;
	int fd;

	if (!dir)
		return err_errno(err, store->path, errno);
	while ((entry = readdir(dir))) {
		uint64_t number = number_of(entry->d_name, &end);

		if (!number || strcmp(end, ".fields"))
			continue;
		store->last = MAX(store->last, number);
		if (store->count >= 2 * RECORDS_MAX)
			continue;
		text = read_text(store, entry->d_name, RECORD_MOST);
		hang = text ? grow(store) : NULL;
		for (char *line = hang ? strtok_r(text, "\n", &save) : NULL; line;
		     line = strtok_r(NULL, "\n", &save))
			take_line(hang, line);
		if (hang)
			hang_set(hang, HANG_NUMBER, "%llu", LL(number));
		free(text);
	}
	closedir(dir);
	if (store->count)
		qsort(store->hangs, store->count, sizeof(*store->hangs), compare);
	/* "" if the system does not say. */
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? 0 : read(fd, boot, sizeof(store->seen.boot) - 1);
	if (fd >= 0)
		close(fd);
	boot[got > 0 ? got : 0] = 0;
	boot[strcspn(boot, "\n")] = 0;
	store->seen.ran = -1;
	read_seen(store);
	for (size_t i = 0; i < store->count; i++)
		if (!strcmp(store->hangs[i].text[HANG_BOOT], store->seen.boot))
			seen_dump(&store->seen, store->hangs[i].text[HANG_DUMP]);
	return GSC_OK;
}

static enum gsc_status tell_folder(const struct store *store, int error, struct gsc_error *err)
{
	if (err_errno(err, store->path, error) == GSC_DENIED)
		string_add(err->why, ": run as root, or to read it as a member of group adm");
	return err->status;
}

/*
 * Of a file that is there only while somebody holds it, and that only its owner can open: whoever
 * may only read the folder could lock that. Returns an error number, or 0.
 */
static int take_lock(struct store *store)
{
	struct stat locked, named;
	int fd, error;

	for (;;) {
		fd = openat(store->folder, LOCK,
			    O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
		if (fd < 0)
			return errno;
		error = fstat(fd, &locked) ? errno : S_ISREG(locked.st_mode) ? 0 : EEXIST;
		while (!error && flock(fd, LOCK_EX))
			error = errno == EINTR ? 0 : errno;
		if (!error && !fstatat(store->folder, LOCK, &named, AT_SYMLINK_NOFOLLOW) &&
		    named.st_dev == locked.st_dev && named.st_ino == locked.st_ino) {
			store->lock = fd;
			return 0;
		}
		close(fd);
		if (error)
			return error;
	}
}

enum gsc_status store_open(struct collect *c, bool change, struct gsc_error *err)
{
	struct store *store = &c->store;
	const char *path = c->dir ? c->dir : GSC_HANGS;
	enum gsc_status status;
	int error = 0;

	store->folder = store->lock = -1;
	if ((size_t)string_set(store->path, "%s", path) >= sizeof(store->path))
		return err_errno(err, path, ENAMETOOLONG);
	if (change && mkdir(store->path, 0750) && errno != EEXIST)
		return tell_folder(store, errno, err);
	store->folder = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (store->folder < 0 && errno == ENOENT)
		return GSC_OK;
	if (store->folder < 0 || (change && faccessat(store->folder, ".", W_OK, AT_EACCESS)))
		return tell_folder(store, errno, err);
	if (change)
		error = take_lock(store);
	if (change && !error)
		error = finish_commit(c);
	if (error)
		return tell_folder(store, error, err);
	status = read_records(store, err);
	if (change && !status)
		remove_leftovers(store);
	return status;
}

void store_leave(struct store *store)
{
	if (store->folder >= 0)
		close(store->folder);
	if (store->lock >= 0)
		close(store->lock);
	store->folder = store->lock = -1;
}

void store_close(struct store *store)
{
	if (store->lock >= 0) {
		remove_leftovers(store);
		unlinkat(store->folder, LOCK, 0);
	}
	store_leave(store);
	free(store->hangs);
	*store = (struct store){ .folder = -1, .lock = -1 };
}

struct hang *store_find(const struct store *store, enum field field, const char *text)
{
	for (size_t i = store->count; *text && i-- > 0;)
		if (!store->hangs[i].gone &&
		    !strcmp(store->hangs[i].text[HANG_BOOT], store->seen.boot) &&
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

/* From the newest to the oldest; the last one stays, whatever its size. */
void store_limit(struct store *store, const struct limits *limits, uint64_t now)
{
	uint64_t used = 0, files = 0;

	for (size_t i = store->count; i-- > 0;) {
		struct hang *hang = &store->hangs[i];
		uint64_t last = hang_number(hang, HANG_LAST), size;
		bool old = limits->age && now > last && now - last > limits->age;
		struct stat st;

		if (store->count - i > RECORDS_MAX) {
			store_remove(store, hang, true);
			continue;
		}
		if (!is_file(store, store_capture(hang), &st))
			continue;
		size = (uint64_t)st.st_size;
		if (old || (files && ((limits->files && files >= limits->files) ||
				      (limits->use && used + size > limits->use)))) {
			store_remove(store, hang, false);
			continue;
		}
		used += size;
		files++;
	}
}
