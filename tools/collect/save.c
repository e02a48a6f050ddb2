/* SPDX-License-Identifier: MIT */
/*
 * gpu-collect save and watch: what the kernel has kept and logged about hangs that are not in the
 * store yet. Whoever calls it, and however often: a line of the log and a dump count once.
 */
#include "collect.h"

#include "fault/fault.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define SETTLED 300000000		/* ns: a driver logs and keeps several things of a hang */

/* ---- counting -------------------------------------------------------------------------------- */

static bool same_or_unknown(const struct hang *a, const struct hang *b, enum field field)
{
	return !*a->text[field] || !*b->text[field] || hang_same(a, b, field);
}

/* "hang-xe" and "hang-xe [159]" */
static bool same_process(const struct hang *a, const struct hang *b)
{
	const char *x = a->text[HANG_PROCESS], *y = b->text[HANG_PROCESS];
	const char *x_end = strstr(x, " ["), *y_end = strstr(y, " [");
	size_t length = x_end ? (size_t)(x_end - x) : strlen(x);

	return !*x || !*y || (length == (y_end ? (size_t)(y_end - y) : strlen(y)) &&
			      !strncmp(x, y, length));
}

/* Is what the log reports this hang? */
static bool is_event_of(const struct hang *hang, const struct hang *event)
{
	if (*hang->text[HANG_CODE] && *event->text[HANG_CODE])
		return hang_same(hang, event, HANG_CODE);
	return hang_same(hang, event, HANG_DRIVER) && same_or_unknown(hang, event, HANG_DEVICE) &&
	       same_or_unknown(hang, event, HANG_ENGINE) && same_process(hang, event);
}

/* In this boot the last one that hung which it may be, with a number in that field. */
static struct hang *hang_of_event(struct store *store, const struct hang *event, enum field field)
{
	struct hang *best = NULL;
	double latest = -1;

	for (size_t i = store->count; i-- > 0;) {
		struct hang *hang = &store->hangs[i];
		double uptime = strtod(hang->text[HANG_UPTIME], NULL);

		if (uptime <= latest || strcmp(hang->text[HANG_BOOT], store->seen.boot) ||
		    !hang_number(hang, field) || !is_event_of(hang, event))
			continue;
		best = hang;
		latest = uptime;
	}
	return best;
}

static void add_number(struct hang *hang, enum field field, int64_t more)
{
	int64_t sum = (int64_t)hang_number(hang, field) + more;

	hang_set(hang, field, "%lld", (long long)(sum > 0 ? sum : 0));
}

static void count(struct collect *c, struct hang *hang, const struct hang *more)
{
	add_number(hang, HANG_COUNT, (int64_t)hang_number(more, HANG_COUNT));
	add_number(hang, HANG_DUE, (int64_t)hang_number(more, HANG_DUE));
	hang_set(hang, HANG_LAST, "%lld", (long long)c->now);
	for (size_t i = HANG_UPTIME; i <= HANG_DUMP; i++)
		if (*more->text[i])
			hang_set(hang, (enum field)i, "%s", more->text[i]);
}

/*
 * What the log says about it: how often, when, and who it was; whether it says anything. The dump
 * is of one of these; those of the others may come later.
 */
static bool take_events(struct collect *c, struct look *look, struct hang *hang)
{
	bool first = true;

	for (size_t i = 0; i < look->event_count; i++) {
		struct hang *event = &look->events[i];

		if (!hang_number(event, HANG_COUNT) || !is_event_of(hang, event))
			continue;
		if (first)
			hang_set(hang, HANG_COUNT, "0");
		first = false;
		count(c, hang, event);
		if (strlen(event->text[HANG_PROCESS]) > strlen(hang->text[HANG_PROCESS]))
			hang_set(hang, HANG_PROCESS, "%s", event->text[HANG_PROCESS]);
		hang_set(event, HANG_COUNT, "0");
	}
	if (!first)
		add_number(hang, HANG_DUE, (int64_t)hang_number(hang, HANG_COUNT) - 1);
	return !first;
}

/* ---- storing --------------------------------------------------------------------------------- */

struct saving_hang {
	struct collect *c;
	struct look *look;
	bool captured, logged;		/* STORE_CAPTURE is one; STORE_LOG is */
	bool read;			/* the log was */
	bool changed;
	bool held;			/* the kernel still keeps a dump that was saved before */
	enum gsc_status status;		/* GSC_PARTIAL: the log could not be read */
	int error;			/* of the last record that could not be written, or 0 */
};

static void name_capture(struct saving_hang *s, struct hang *hang)
{
	static const char *const ends[] = { [GSC_PACK_NONE] = ".tar", [GSC_PACK_GZIP] = ".tar.gz",
					    [GSC_PACK_ZSTD] = ".tar.zst" };
	char name[64];
	int error;

	if (!s->captured)
		return;
	snprintf(name, sizeof(name), "hang-%.20s%s", hang->text[HANG_NUMBER],
		 ends[gsc_packing_best()]);
	error = store_name(&s->c->store, STORE_CAPTURE, name);
	hang_set(hang, HANG_CAPTURE, "%s", error ? "" : name);
	hang_set(hang, HANG_WHY, "%s", error ? strerror(error) : "");
	hang_set(hang, HANG_REDACTED, "%s", s->c->limits.redact ? "yes" : "");
	s->captured = false;
}

static void name_log(struct saving_hang *s, const struct hang *hang)
{
	int folder = s->c->store.folder;
	char name[64];

	snprintf(name, sizeof(name), "hang-%.20s.log", hang->text[HANG_NUMBER]);
	if (s->logged && linkat(folder, STORE_LOG, folder, name, 0))
		s->logged = false;
}

static struct hang *add_hang(struct saving_hang *s, const struct hang *found)
{
	struct store *store = &s->c->store;
	struct hang *hang = store_add(store);
	struct utsname names;
	char number[32];

	if (!hang)
		return NULL;
	snprintf(number, sizeof(number), "%.20s", hang->text[HANG_NUMBER]);
	*hang = *found;
	hang_set(hang, HANG_NUMBER, "%s", number);
	hang_set(hang, HANG_TIME, "%lld", (long long)s->c->now);
	hang_set(hang, HANG_LAST, "%lld", (long long)s->c->now);
	hang_set(hang, HANG_BOOT, "%s", store->seen.boot);
	if (!uname(&names))
		hang_set(hang, HANG_KERNEL, "%s", names.release);
	name_log(s, hang);
	return hang;
}

/* One more of its kind, or a new one. */
static bool store_hang(struct saving_hang *s, struct hang *known, const struct hang *found)
{
	struct hang *hang = known ? known : add_hang(s, found);
	struct hang before = known ? *known : *found;

	if (!hang) {
		s->error = ENOMEM;
		return false;
	}
	if (known)
		count(s->c, known, found);
	if (!known || !*known->text[HANG_CAPTURE])
		name_capture(s, hang);
	s->error = store_record(&s->c->store, hang);
	s->changed = true;
	if (!s->error) {
		journal_send(s->c, hang);
		return true;
	}
	if (!known) {
		store_remove(&s->c->store, hang, true);
		return false;
	}
	if (!hang_same(hang, &before, HANG_CAPTURE))
		unlinkat(s->c->store.folder, hang->text[HANG_CAPTURE], 0);
	*known = before;
	return false;
}

/* ---- dumps ----------------------------------------------------------------------------------- */

struct place {
	char path[PATH_MAX];		/* of the dump */
	char device[PATH_MAX];		/* a link to what failed */
	const char *name, *driver;
};

/* "0x1912" */
static void take_pci_id(struct hang *hang, const struct place *place)
{
	char path[PATH_MAX + 16], text[16];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/device", place->device);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[length > 0 ? length : 0] = 0;
	hang_set(hang, HANG_PCI_ID, "%.*s", (int)strcspn(text, "\n"), text);
}

static const char *link_name(const char *path, char buf[PATH_MAX])
{
	ssize_t length = readlink(path, buf, PATH_MAX - 1);
	char *slash;

	buf[length > 0 ? length : 0] = 0;
	slash = strrchr(buf, '/');
	return slash ? slash + 1 : buf;
}

/* i915 says so if it has kept none; dumps of other drivers are ignored here. */
static bool holds_dump(const struct place *place)
{
	static const char none[] = "o error state collected";
	char text[PATH_MAX], link[PATH_MAX];
	const char *driver;
	ssize_t length;
	int fd;

	if ((size_t)snprintf(text, sizeof(text), "%s/driver", place->device) >= sizeof(text))
		return false;
	driver = link_name(text, link);
	if (*driver && strcmp(driver, place->driver))
		return false;
	fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	length = fd < 0 ? 0 : read(fd, text, 64);
	if (fd >= 0)
		close(fd);
	return length > 0 && !memmem(text, (size_t)length, none, sizeof(none) - 1);
}

/* The kernel can keep the next one. */
static void release(const struct collect *c, const struct place *place)
{
	int fd = c->limits.release ? open(place->path, O_WRONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (write(fd, "1", 1) < 0)
		warn(&c->common, place->path, strerror(errno));
	close(fd);
}

/*
 * The log may have reported it before the dump existed: then it is in the store, and counted. Only
 * the dump has its signature; a record with only the log's becomes this hang.
 */
static void settle_due(struct saving_hang *s, const struct hang *dump)
{
	static const enum field fields[] = { HANG_SIGNATURE, HANG_VERDICT, HANG_PLATFORM,
					     HANG_ENGINE, HANG_PCI_ID };
	struct store *store = &s->c->store;
	bool known = store_find(store, HANG_SIGNATURE, dump->text[HANG_SIGNATURE]);
	struct hang as_told = *dump, *due;

	hang_set(&as_told, HANG_ENGINE, "%s", "");	/* xe's log does not name it */
	due = hang_of_event(store, &as_told, HANG_DUE);
	if (!due)
		return;
	add_number(due, HANG_DUE, -1);
	add_number(due, HANG_COUNT, -1);
	for (size_t i = 0; !known && !*due->text[HANG_DUMP] && i < ARRAY_SIZE(fields); i++)
		hang_set(due, fields[i], "%s", dump->text[fields[i]]);
	if (!hang_number(due, HANG_COUNT) && !hang_same(due, dump, HANG_SIGNATURE))
		store_remove(store, due, true);
	else
		s->error = store_record(store, due);
}

/* Adds the hangs that it reports since it was last read. */
static void collect_log(struct saving_hang *s, struct gsc_error *err)
{
	struct collect *c = s->c;
	struct kernel_log lines;
	struct log_input log;
	int fd = -1;

	s->read = true;
	s->status = GSC_OK;
	if (!log_open(&c->common, c->log, &log, err))
		fd = store_make(&c->store, STORE_LOG);
	else
		s->status = GSC_PARTIAL;
	lines = (struct kernel_log){ log.text, log.size };
	if (!s->status && !look_log(c, &lines, fd, s->look))
		s->status = GSC_PARTIAL;	/* the child has said why */
	s->logged = !s->status && fd >= 0 && lseek(fd, 0, SEEK_END) > 0;
	if (fd >= 0)
		close(fd);
	log_close(&log);
}

/* A dump that is damaged, or gone before it was read, is also a hang. */
static void tell_unreadable(struct hang *hang)
{
	hang_set(hang, HANG_SIGNATURE, "%s/unreadable-dump", hang->text[HANG_DRIVER]);
	hang_set(hang, HANG_VERDICT, "The dump of the kernel cannot be read: %s.",
		 hang->text[HANG_WHY]);
}

static void collect_dump(struct saving_hang *s, const struct place *place, struct gsc_error *err)
{
	struct collect *c = s->c;
	struct hang *hang = &s->look->hang;
	char link[PATH_MAX];
	int fd = store_make(&c->store, STORE_CAPTURE);
	bool looked;

	*hang = (struct hang){ 0 };
	s->look->stored = s->look->seen = false;
	hang_set(hang, HANG_DUMP, "%s", place->name);
	hang_set(hang, HANG_DRIVER, "%s", place->driver);
	hang_set(hang, HANG_DEVICE, "%s", link_name(place->device, link));
	hang_set(hang, HANG_COUNT, "1");
	take_pci_id(hang, place);
	if (fd < 0)
		hang_set(hang, HANG_WHY, "%s", strerror(errno));
	looked = look_dump(c, place->path, fd, s->look);
	if (fd >= 0 && (fsync(fd) | close(fd)) && s->look->stored) {
		s->look->stored = false;
		hang_set(hang, HANG_WHY, "%s", strerror(errno));
	}
	s->captured = s->look->stored;
	if (!looked)
		hang_set(hang, HANG_WHY, "decoding it failed");
	if (seen_has(&c->store.seen, hang->text[HANG_DUMP])) {
		/* While it exists, no line that is read has a separate dump. */
		collect_log(s, err);
		s->held |= !access(place->path, F_OK);
		return;
	}
	/* Whoever released it has counted it; other hangs are in the log. */
	if (s->look->status && access(place->path, F_OK) && errno == ENOENT)
		return;
	if (!looked || s->look->status)
		tell_unreadable(hang);
	/* A driver logs a hang before it keeps the dump: its line is here, or was read before. */
	collect_log(s, err);
	if (!take_events(c, s->look, hang))
		settle_due(s, hang);
	if (!store_hang(s, store_find(&c->store, HANG_SIGNATURE, hang->text[HANG_SIGNATURE]),
			hang))
		return;
	seen_dump(&c->store.seen, hang->text[HANG_DUMP]);
	if (looked && !s->look->status)
		release(c, place);
}

static int by_version(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

/* "card0", "devcd3" */
static int is_place(const struct dirent *entry)
{
	const char *name = entry->d_name;
	size_t letters = strcspn(name, "0123456789");

	return name[letters] && !name[letters + strspn(name + letters, "0123456789")] &&
	       strlen(name) < 24 && (!strncmp(name, "card", letters) ||
				     !strncmp(name, "devcd", letters));
}

static void collect_dumps(struct saving_hang *s, const char *class, const char *file,
			  const char *device, const char *driver, struct gsc_error *err)
{
	const char *sysfs = s->c->sysfs ? s->c->sysfs : "/sys";
	struct place place = { .driver = driver };
	struct dirent **entries;
	char folder[PATH_MAX - 100];
	int found;

	if ((size_t)snprintf(folder, sizeof(folder), "%s/class/%s", sysfs, class) >= sizeof(folder))
		return;
	found = scandir(folder, &entries, is_place, by_version);
	for (int i = 0; i < found; i++) {
		place.name = entries[i]->d_name;
		snprintf(place.path, sizeof(place.path), "%s/%.30s/%s", folder, place.name, file);
		snprintf(place.device, sizeof(place.device), "%s/%.30s/%s", folder, place.name,
			 device);
		if (holds_dump(&place))
			collect_dump(s, &place, err);
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Hangs for which the kernel has kept no dump, or still has that of another one. */
static void collect_events(struct saving_hang *s)
{
	for (size_t i = 0; i < s->look->event_count; i++) {
		struct hang *event = &s->look->events[i];

		if (!hang_number(event, HANG_COUNT))
			continue;
		hang_set(event, HANG_WHY, "the kernel %s", s->held
			 ? "still keeps the dump of an earlier hang; Release=yes releases it"
			 : "has kept no dump of it");
		if (!s->held)
			hang_set(event, HANG_DUE, "%s", event->text[HANG_COUNT]);
		store_hang(s, hang_of_event(&s->c->store, event, HANG_COUNT), event);
	}
}

static enum gsc_status collect_all(struct collect *c, struct gsc_error *err)
{
	enum gsc_status status = clock_now(&c->now, err);
	struct saving_hang s = { .c = c, .look = calloc(1, sizeof(*s.look)) };

	if (!status && !s.look)
		status = memory_error(err);
	if (!status)
		status = store_open(c, true, err);
	if (!status) {
		collect_dumps(&s, "drm", "error", "device", "i915", err);
		collect_dumps(&s, "devcoredump", "data", "failing_device", "xe", err);
		if (!s.read)
			collect_log(&s, err);
		collect_events(&s);
		store_limit(&c->store, &c->limits, c->now);
		if (s.changed)
			store_remember(&c->store);
		status = s.error ? file_error(err, c->store.path, s.error) : s.status;
	}
	store_close(&c->store);
	free(s.look);
	return status;
}

enum gsc_status hang_save_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;

	if (common->operand_count)
		return usage_error(err, common->operands[0], "unexpected argument");
	limits_read(c);
	return collect_all(c, err);
}

/* ---- watching -------------------------------------------------------------------------------- */

/* Among the drivers' messages, those that come with every hang. */
static bool tells_hang(const char *record, size_t length)
{
	static const char *const words[] = { "GPU HANG", "Timedout job", "job timed out",
					     "job timeout", "coredump has been created" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (memmem(record, length, words[i], strlen(words[i])))
			return true;
	return false;
}

static void collect_and_tell(struct collect *c)
{
	struct gsc_error err = { 0 };

	if (collect_all(c, &err) && *err.what)
		tell(&c->common, &err);
}

/* Each read waits for the next message: nothing happens until then. */
enum gsc_status hang_watch_run(struct common *common, struct gsc_error *err)
{
	static const char kmsg[] = "/dev/kmsg";
	const struct timespec settled = { .tv_nsec = SETTLED };
	struct collect *c = (struct collect *)common;
	char record[8192];
	int fd;

	if (common->operand_count)
		return usage_error(err, common->operands[0], "unexpected argument");
	fd = open(kmsg, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lseek(fd, 0, SEEK_END) < 0)
		return file_error(err, kmsg, errno);
	limits_read(c);
	collect_and_tell(c);
	for (;;) {
		ssize_t got = read(fd, record, sizeof(record));

		if (got > 0 && tells_hang(record, (size_t)got)) {
			nanosleep(&settled, NULL);
			lseek(fd, 0, SEEK_END);
			collect_and_tell(c);
		} else if (got <= 0 && errno != EPIPE && errno != EINTR) {
			return file_error(err, kmsg, errno);
		}
	}
}
