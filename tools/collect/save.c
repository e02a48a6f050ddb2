/* SPDX-License-Identifier: MIT */
/*
 * gpu-collect save and watch: what the kernel has kept and logged about hangs that are not in the
 * store yet. Whoever calls it, and however often: a line of the log and a dump count once.
 */
#include "collect.h"

#include "cli/input.h"
#include "device/device.h"
#include "save/save.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SETTLED 300000000		/* ns: a driver logs and keeps several things of a hang */
#define AGAIN 60000			/* ms: xe deletes a dump after minutes */

/* ---- counting -------------------------------------------------------------------------------- */

/* Is what the log reports this hang? */
static bool is_event_of(const struct hang *hang, const struct hang *event)
{
	struct slice process = slice_string(hang->text[HANG_PROCESS]);
	struct slice its_process = slice_string(event->text[HANG_PROCESS]);
	struct slice engine = slice_string(hang->text[HANG_ENGINE]);
	struct slice its_engine = slice_string(event->text[HANG_ENGINE]), class, its_class;

	if (*hang->text[HANG_CODE] && *event->text[HANG_CODE])
		return hang_same(hang, event, HANG_CODE);
	if (!hang_same(hang, event, HANG_DRIVER) ||
	    (*hang->text[HANG_DEVICE] && *event->text[HANG_DEVICE] &&
	     !hang_same(hang, event, HANG_DEVICE)))
		return false;
	/* "rcs" and "rcs0": a log may name the class alone. */
	class = take_until(&engine, "0123456789");
	its_class = take_until(&its_engine, "0123456789");
	if (*hang->text[HANG_ENGINE] && *event->text[HANG_ENGINE] &&
	    !(slice_same(class, its_class) && (slice_same(engine, its_engine) ||
					       !slice_length(engine) || !slice_length(its_engine))))
		return false;
	/* "hang-xe" and "hang-xe [159]" */
	process.end = slice_find(process, " [") ?: process.end;
	its_process.end = slice_find(its_process, " [") ?: its_process.end;
	return !*hang->text[HANG_PROCESS] || !*event->text[HANG_PROCESS] ||
	       slice_same(process, its_process);
}

/* In this boot the last one that hung which it may be, with a number in that field. */
static struct hang *hang_of_event(struct store *store, const struct hang *event, enum field field)
{
	struct hang *best = NULL;
	double latest = -1;

	for (size_t i = store->count; i-- > 0;) {
		struct hang *hang = &store->hangs[i];
		const char *end;
		double uptime = seconds_since_boot(hang->text[HANG_UPTIME], &end);

		uptime = uptime > 0 ? uptime : 0;
		if (uptime <= latest || strcmp(hang->text[HANG_BOOT], store->seen.boot) ||
		    hang->gone || !hang_number(hang, field) || !is_event_of(hang, event))
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

struct place {
	char path[PATH_MAX];		/* of the dump */
	char device[PATH_MAX];		/* a link to what failed */
	const char *name, *driver;
};

struct saving_hang {
	struct collect *c;
	struct look *look;
	bool captured, logged;		/* STORE_CAPTURE is one; STORE_LOG is */
	bool read;			/* the log was */
	bool changed;
	bool held;			/* the kernel still keeps a dump that was saved before */
	VEC(struct place) saved;	/* dumps that the kernel may release */
	enum gsc_status status;		/* GSC_PARTIAL: the log could not be read */
	int error;			/* the first one in writing to the store, or 0 */
};

static void failed(struct saving_hang *s, int error)
{
	if (!s->error)
		s->error = error;
}

/* One more of its kind, or a new one; it is in the store with the commit. */
static bool store_hang(struct saving_hang *s, struct hang *known, const struct hang *found)
{
	static const char *const ends[] = { [GSC_PACK_NONE] = ".tar", [GSC_PACK_GZIP] = ".tar.gz",
					    [GSC_PACK_ZSTD] = ".tar.zst" };
	struct store *store = &s->c->store;
	struct hang *hang = known ? known : store_add(store);
	char number[32], name[64];
	struct utsname names;
	int error;

	if (!hang) {
		failed(s, ENOMEM);
		return false;
	}
	string_set(number, "%.20s", hang->text[HANG_NUMBER]);
	if (known) {
		count(s->c, known, found);
	} else {
		*hang = *found;
		hang_set(hang, HANG_NUMBER, "%s", number);
		hang_set(hang, HANG_TIME, "%lld", (long long)s->c->now);
		hang_set(hang, HANG_LAST, "%lld", (long long)s->c->now);
		hang_set(hang, HANG_BOOT, "%s", store->seen.boot);
		if (!uname(&names))
			hang_set(hang, HANG_KERNEL, "%s", names.release);
		string_set(name, "hang-%.20s.log", number);
		if (s->logged && linkat(store->folder, STORE_LOG, store->folder, name, 0))
			failed(s, errno);
	}
	if (s->captured && !*hang->text[HANG_CAPTURE]) {
		string_set(name, "hang-%.20s%s", number, ends[gsc_packing_best()]);
		error = store_name(store, STORE_CAPTURE, name);
		failed(s, error);
		hang_set(hang, HANG_CAPTURE, "%s", error ? "" : name);
		hang_set(hang, HANG_WHY, "%s", error ? strerror(error) : "");
		hang_set(hang, HANG_REDACTED, "%s", s->c->limits.redact ? "yes" : "");
		s->captured = false;
	}
	hang->changed = s->changed = true;
	return true;
}

/* ---- dumps ----------------------------------------------------------------------------------- */

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
	due->changed = true;
	add_number(due, HANG_DUE, -1);
	add_number(due, HANG_COUNT, -1);
	for (size_t i = 0; !known && !*due->text[HANG_DUMP] && i < ARRAY_SIZE(fields); i++)
		hang_set(due, fields[i], "%s", dump->text[fields[i]]);
	due->gone = !hang_number(due, HANG_COUNT) && !hang_same(due, dump, HANG_SIGNATURE);
}

/* Adds the hangs that it reports since it was last read. */
static void collect_log(struct saving_hang *s, struct gsc_error *err)
{
	struct collect *c = s->c;
	const struct look *look = s->look;
	struct kernel_log lines;
	struct log_input log;
	int fd;

	s->read = true;
	s->status = log_open(&c->common, c->log, &log, err) ? GSC_PARTIAL : GSC_OK;
	lines = (struct kernel_log){ log.text, log.size };
	if (!s->status)
		s->status = look_log(c, &lines, s->look, err) ? GSC_PARTIAL : GSC_OK;
	/* The log of a hang, as it is when the hang is stored. */
	if (!s->status && look->line_size) {
		fd = store_make(&c->store, STORE_LOG);
		s->logged = fd >= 0 && fd_write(fd, look->lines, look->line_size);
		if (!s->logged)
			failed(s, errno);
		if (fd >= 0 && close(fd)) {
			failed(s, errno);
			s->logged = false;
		}
	}
	log_close(&log);
}

/* A capture, if the store needs one; returns an error number, or 0. */
static int look_and_capture(struct saving_hang *s, const struct place *place, bool *looked)
{
	/* They may be different next time; a limit of the store is not. */
	static const int passing[] = { ENOSPC, EDQUOT, EIO, EROFS, ENOMEM, ENFILE };
	int fd = store_make(&s->c->store, STORE_CAPTURE), error = fd < 0 ? errno : 0;

	*looked = look_dump(s->c, place->path, fd, s->look);
	if (fd >= 0 && fsync(fd))
		error = errno;
	if (fd >= 0 && close(fd) && !error)
		error = errno;
	if (error)
		hang_set(&s->look->hang, HANG_WHY, "%s", strerror(error));
	s->captured = s->look->stored && !error;
	for (size_t i = 0; !error && !s->captured && i < ARRAY_SIZE(passing); i++)
		if (s->look->error == passing[i])
			return passing[i];
	return error;
}

static void collect_dump(struct saving_hang *s, const struct place *place, struct gsc_error *err)
{
	struct hang *hang = &s->look->hang;
	char device[64], path[PATH_MAX + 16], id[16];
	bool looked, saved = true;
	int error;

	*hang = (struct hang){ .gone = false };
	hang_set(hang, HANG_DUMP, "%s", place->name);
	hang_set(hang, HANG_DRIVER, "%s", place->driver);
	link_target(place->device, device, sizeof(device));
	hang_set(hang, HANG_DEVICE, "%s", device);
	hang_set(hang, HANG_COUNT, "1");
	string_set(path, "%s/device", place->device);
	file_line(path, id, sizeof(id));
	hang_set(hang, HANG_PCI_ID, "%s", id);
	error = look_and_capture(s, place, &looked);
	if (seen_has(&s->c->store.seen, hang->text[HANG_DUMP])) {
		/* While it exists, no line that is read has a separate dump. */
		collect_log(s, err);
		s->held |= !access(place->path, F_OK);
		return;
	}
	/* Whoever released it has counted it; other hangs are in the log. */
	if (s->look->status && access(place->path, F_OK) && errno == ENOENT)
		return;
	/* A dump that is damaged, or gone before it was read, is also a hang. */
	if (!looked || s->look->status || !*hang->text[HANG_SIGNATURE]) {
		if (!*hang->text[HANG_WHY])
			hang_set(hang, HANG_WHY, "decoding it failed");
		hang_set(hang, HANG_SIGNATURE, "%s/unreadable-dump", hang->text[HANG_DRIVER]);
		hang_set(hang, HANG_VERDICT, "The dump of the kernel cannot be read: %s.",
			 hang->text[HANG_WHY]);
	}
	/* A driver logs a hang before it keeps the dump: its line is here, or was read before. */
	collect_log(s, err);
	if (!take_events(s->c, s->look, hang))
		settle_due(s, hang);
	/* Without what it needs it is tried again, as long as the kernel keeps the dump. */
	if (error) {
		failed(s, error);
		hang_set(hang, HANG_DUMP, "%s", "");
		add_number(hang, HANG_DUE, 1);
		saved = false;
	}
	if (!store_hang(s, store_find(&s->c->store, HANG_SIGNATURE, hang->text[HANG_SIGNATURE]),
			hang))
		return;
	seen_dump(&s->c->store.seen, hang->text[HANG_DUMP]);
	/* It can be released as soon as all of it is in the store. */
	if (looked && !s->look->status && saved && s->c->limits.release)
		(void)vec_push(&s->saved, *place);
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
	char folder[PATH_MAX - 100], path[PATH_MAX + 10], other[64];
	int found;

	if ((size_t)string_set(folder, "%s/class/%s", sysfs, class) >= sizeof(folder))
		return;
	found = scandir(folder, &entries, is_place, versionsort);
	for (int i = 0; i < found; i++) {
		place.name = entries[i]->d_name;
		string_set(place.path, "%s/%.30s/%s", folder, place.name, file);
		string_set(place.device, "%s/%.30s/%s", folder, place.name, device);
		string_set(path, "%s/driver", place.device);
		/* Dumps of other drivers are ignored here. */
		if ((!link_target(path, other, sizeof(other)) || !strcmp(other, driver)) &&
		    dump_held(place.path) == DUMP_HELD)
			collect_dump(s, &place, err);
		s->captured = false;		/* whatever its child says of the next one's */
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Returns an error number, or 0. */
static int commit(struct saving_hang *s)
{
	struct collect *c = s->c;
	bool moved = store_clock(&c->store, c->now);
	int error = s->changed ? store_commit(c) : moved ? store_remember(&c->store) : 0;

	if (error)
		return error;
	/* The kernel can keep the next one. */
	for (size_t i = 0; i < s->saved.count; i++) {
		const char *path = s->saved.items[i].path;
		int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

		if (fd < 0)
			continue;
		if (write(fd, "1", 1) < 0)
			warn(&c->common, path, strerror(errno));
		close(fd);
	}
	store_limit(&c->store, &c->limits, c->store.seen.clock);
	return 0;
}

static enum gsc_status collect_all(struct collect *c, struct gsc_error *err)
{
	enum gsc_status status = clock_now(&c->now, err);
	struct saving_hang s = { .c = c, .look = calloc(1, sizeof(*s.look)) };

	if (!status && !s.look)
		status = err_memory(err);
	if (!status)
		status = store_open(c, true, err);
	if (!status) {
		collect_dumps(&s, "drm", "error", "device", "i915", err);
		collect_dumps(&s, "devcoredump", "data", "failing_device", "xe", err);
		if (!s.read)
			collect_log(&s, err);
		/* Hangs for which the kernel has kept no dump, or still has that of another one. */
		for (size_t i = 0; i < s.look->event_count; i++) {
			struct hang *event = &s.look->events[i];

			if (!hang_number(event, HANG_COUNT))
				continue;
			hang_set(event, HANG_WHY, "the kernel %s",
				 s.held ? "still keeps the dump of an earlier hang; Release=yes "
					  "releases it"
					: "has kept no dump of it");
			if (!s.held)
				hang_set(event, HANG_DUE, "%s", event->text[HANG_COUNT]);
			store_hang(&s, hang_of_event(&s.c->store, event, HANG_COUNT), event);
		}
		failed(&s, commit(&s));
		status = s.error ? err_errno(err, c->store.path, s.error) : s.status;
	}
	store_close(&c->store);
	vec_free(&s.saved);
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

/*
 * Each poll waits for the next message: nothing happens until then, unless the disk was full, which
 * may change while the kernel still keeps a dump.
 */
enum gsc_status hang_watch_run(struct common *common, struct gsc_error *err)
{
	static const char kmsg[] = "/dev/kmsg";
	const struct timespec settled = { .tv_nsec = SETTLED };
	struct collect *c = (struct collect *)common;
	char record[8192];
	enum gsc_status status = GSC_OK;
	struct pollfd log;
	int fd;

	if (common->operand_count)
		return usage_error(err, common->operands[0], "unexpected argument");
	fd = open(kmsg, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lseek(fd, 0, SEEK_END) < 0)
		return err_errno(err, kmsg, errno);
	limits_read(c);
	log = (struct pollfd){ .fd = fd, .events = POLLIN };
	for (bool due = true;;) {
		ssize_t got;

		if (due) {
			struct gsc_error told = { 0 };

			status = collect_all(c, &told);
			if (status && *told.what)
				tell(common, &told);
			due = false;
		}
		/* Otherwise the store could not be written. */
		if (!poll(&log, 1, !status || status == GSC_PARTIAL ? -1 : AGAIN)) {
			due = true;
			continue;
		}
		got = read(fd, record, sizeof(record));
		if (got > 0 && tells_hang(record, (size_t)got)) {
			nanosleep(&settled, NULL);
			lseek(fd, 0, SEEK_END);
			due = true;
		} else if (got <= 0 && errno != EPIPE && errno != EINTR) {
			return err_errno(err, kmsg, errno);
		}
	}
}
