/* SPDX-License-Identifier: MIT */
/*
 * Examines what the kernel has kept of a hang, in a child that has given up everything but reading
 * it: it fills memory that it shares with its parent, and open files.
 */
#include "collect.h"

#include "fault/fault.h"
#include "snap/snap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MOST 120		/* that a child may take; others wait for the store */
#define LINES_MOST (64u << 10)		/* of the log around a hang */

/* ---- the child ------------------------------------------------------------------------------- */

static void confine_child(struct collect *c, const char **source)
{
	struct rlimit most = { c->limits.use, c->limits.use };
	struct common *common = &c->common;

	if (c->limits.use)
		setrlimit(RLIMIT_FSIZE, &most);
	alarm(SECONDS_MOST);
	gsc_load_libraries(GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD);
	common->child = true;
	common->from = (struct strings){ source, 1 };
	common->operand_count = 0;
	common->given = 0;
	confine_to_sources(common);
}

enum gsc_status apart(struct collect *c, const char *source, apart_fn *work, void *context)
{
	const char *none = "none";
	struct gsc_error err = { 0 };
	enum gsc_status status;
	int ended = 0;
	pid_t pid = fork();

	if (!pid) {
		confine_child(c, source ? &source : &none);
		status = work(c, context, &err);
		if (status && *err.what)
			tell(&c->common, &err);
		outside_end(&c->common);
		_exit((int)status);
	}
	while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(ended))
		return (enum gsc_status)WEXITSTATUS(ended);
	warn(&c->common, source ? source : "the kernel's log",
	     pid < 0 ? strerror(errno) : strsignal(WTERMSIG(ended)));
	return GSC_FAILED;
}

struct work {
	struct look *look;
	const struct kernel_log *log;
	int file;			/* for a capture, or lines of the log */
};

/* The child may say anything; these are for the parent to say. */
static void check_hang(struct hang *hang)
{
	static const enum field own[] = { HANG_DUE, HANG_REDACTED, HANG_CAPTURE };

	for (size_t i = 0; i < FIELDS; i++) {
		hang->text[i][sizeof(hang->text[i]) - 1] = 0;
		gsc_text_clean(hang->text[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		hang_set(hang, own[i], "%s", "");
}

/* The child fills memory that both see; the result is copied once, then checked. */
static bool look_apart(struct collect *c, const char *source, apart_fn *fn, struct look *look,
		       struct work *work)
{
	struct look *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	bool done;

	if (shared == MAP_FAILED)
		return false;
	*shared = *look;
	work->look = shared;
	done = !apart(c, source, fn, work);
	*look = *shared;
	munmap(shared, sizeof(*shared));
	if (look->event_count > EVENTS_MAX)
		look->event_count = EVENTS_MAX;
	check_hang(&look->hang);
	for (size_t i = 0; i < look->event_count; i++)
		check_hang(&look->events[i]);
	return done;
}

/* ---- a dump ---------------------------------------------------------------------------------- */

/* The first of these that a dump has: its time, by which it is recognised. */
static void take_identity(const struct gsc_source *source, struct hang *hang)
{
	static const char *const keys[] = { "Time", "Snapshot time", "Boottime", "Uptime" };
	const char *place = hang->text[HANG_DUMP];
	struct gsc_property p;
	char id[160] = "";
	size_t best = ARRAY_SIZE(keys);

	for (size_t i = 0; gsc_source_property(source, 0, i, &p); i++) {
		for (size_t k = 0; k < best; k++)
			if (!strcmp(p.key, keys[k])) {
				snprintf(id, sizeof(id), "%.60s %.60s", place, p.value);
				best = k;
			}
		if (!*hang->text[HANG_CODE] && !strcmp(p.key, "GPU HANG") &&
		    !strncmp(p.value, "ecode ", 6))
			hang_set(hang, HANG_CODE, "%.*s", (int)strcspn(p.value, ","), p.value);
	}
	if (*id)
		hang_set(hang, HANG_DUMP, "%s", id);
}

/* "skl/rcs0/...": "" if the second word is missing. */
static void take_signature(struct hang *hang, const char *signature, const char *verdict)
{
	const char *engine = strchr(signature, '/');
	size_t length = engine ? strcspn(engine + 1, "/") : 0;

	hang_set(hang, HANG_SIGNATURE, "%s", signature);
	hang_set(hang, HANG_VERDICT, "%s", verdict);
	if (length > 1)
		hang_set(hang, HANG_ENGINE, "%.*s", (int)length, engine + 1);
}

static void take_hang(struct hang *hang, struct gsc_hang *found)
{
	struct gsc_about about;

	take_signature(hang, gsc_hang_signature(found), gsc_hang_verdict(found));
	for (size_t i = 0; !*hang->text[HANG_PROCESS] && gsc_hang_about(found, i, &about); i++)
		if (!strcmp(about.name, "process"))
			hang_set(hang, HANG_PROCESS, "%.*s",
				 (int)(strstr(about.text, ", on ")
					       ? strstr(about.text, ", on ") - about.text
					       : (ptrdiff_t)strlen(about.text)), about.text);
}

static void take_platform(const struct common *common, struct hang *hang)
{
	hang_set(hang, HANG_PLATFORM, "%s", platform_of(common)->name);
	if (common->device >= 0)
		hang_set(hang, HANG_PCI_ID, "0x%04x", (unsigned)common->device);
}

static enum gsc_status write_capture(struct collect *c, int fd, struct look *look,
				     struct gsc_error *err)
{
	struct gsc_save_options options = {
		.redact = c->limits.redact,
		.created = (uint64_t)c->now,
		.packing = GSC_PACK_BEST,
	};
	enum gsc_status status = gsc_save(c->common.gpu, fd, &options, err);

	look->stored = !status || status == GSC_PARTIAL;
	if (!look->stored)
		hang_set(&look->hang, HANG_WHY, "%s", errno ? strerror(errno) : err->why);
	return GSC_OK;
}

/* A dump that is truncated before it names its device belongs to the device that keeps it. */
static enum gsc_status open_dump(struct common *common, const struct hang *hang,
				 struct gsc_error *err)
{
	enum gsc_status status = common_source(common, false, err);

	if (status || gsc_source_platform(common->source) >= 0 || !*hang->text[HANG_PCI_ID])
		return status;
	source_close(common->source);
	common->source = NULL;
	common->platform_name = hang->text[HANG_PCI_ID];
	return common_source(common, false, err);
}

static enum gsc_status look_into(struct collect *c, struct look *look, struct gsc_error *err)
{
	enum gsc_source_form form;
	enum gsc_status status = open_dump(&c->common, &look->hang, err);

	if (status)
		return status;
	form = gsc_source_form(c->common.source, 0);
	if (form != GSC_SOURCE_ERROR_STATE && form != GSC_SOURCE_DEVCOREDUMP)
		return usage_error(err, gsc_source_kind(c->common.source, 0), "not a dump");
	take_identity(c->common.source, &look->hang);
	look->seen = seen_has(&c->store.seen, look->hang.text[HANG_DUMP]);
	return look->seen ? GSC_OK : common_gpu(&c->common, c->common.source, err);
}

/* Damage in a dump is recorded with the hang, and is no failure. */
static enum gsc_status dump_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct work *work = context;
	struct look *look = work->look;
	struct gsc_hang *found = NULL;
	enum gsc_status status = look_into(c, look, err);
	char why[200];

	if (!status && !look->seen)
		status = gsc_hang_new(&found, c->common.gpu, NULL, err);
	if (status)
		hang_set(&look->hang, HANG_WHY, "%s: %s", err->what,
			 refusal_reason(err, why, sizeof(why)));
	*err = (struct gsc_error){ 0 };
	look->status = status;
	if (!found)
		return GSC_OK;
	take_platform(&c->common, &look->hang);
	take_hang(&look->hang, found);
	gsc_hang_free(found);
	/* One of its kind is enough. */
	if (store_find(&c->store, HANG_SIGNATURE, look->hang.text[HANG_SIGNATURE]))
		return GSC_OK;
	return write_capture(c, work->file, look, err);
}

bool look_dump(struct collect *c, const char *path, int capture, struct look *look)
{
	struct work work = { .file = capture };

	look->status = GSC_FAILED;
	return look_apart(c, path, dump_work, look, &work);
}

/* ---- the log --------------------------------------------------------------------------------- */

/* "kern  :err   : [   36.828770] ...": seconds since the boot; -1: the line has none. */
static double time_of(const char *line, const char *end)
{
	const char *open = memchr(line, '[', (size_t)(end - line));
	char text[32] = "", *stop;
	double time;

	if (!open)
		return -1;
	memcpy(text, open + 1, (size_t)(end - open - 1) < sizeof(text) ? (size_t)(end - open - 1)
								       : sizeof(text) - 1);
	time = strtod(text, &stop);
	return *stop == ']' && memchr(text, '.', (size_t)(stop - text)) ? time : -1;
}

/* The lines later than those seen before; *uptime: of the last, -1 if no line has it. */
static struct kernel_log later_lines(const struct kernel_log *log, double seen, double *uptime)
{
	const char *end = log->text + log->size, *from = end, *next;

	*uptime = -1;
	for (const char *line = log->text; line < end; line = next) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		double time = time_of(line, stop ? stop : end);

		next = stop ? stop + 1 : end;
		*uptime = time > *uptime ? time : *uptime;
		if (time <= seen)
			continue;
		if (from == end)
			from = line;
	}
	return (struct kernel_log){ from, (size_t)(end - from) };
}

static bool same_kind(const struct hang *a, const struct hang *b)
{
	if (*a->text[HANG_CODE] || *b->text[HANG_CODE])
		return hang_same(a, b, HANG_CODE);
	return hang_same(a, b, HANG_SIGNATURE) && hang_same(a, b, HANG_PROCESS);
}

static void add_event(struct look *look, const struct hang *hang, uint64_t count)
{
	struct hang *event = NULL;

	for (size_t i = 0; i < look->event_count && !event; i++)
		if (same_kind(&look->events[i], hang))
			event = &look->events[i];
	if (!event && look->event_count < EVENTS_MAX) {
		event = &look->events[look->event_count++];
		*event = *hang;
	} else if (!event) {
		event = &look->events[EVENTS_MAX - 1];
	}
	hang_set(event, HANG_COUNT, "%llu",
		 (unsigned long long)(hang_number(event, HANG_COUNT) + count));
}

/* "GPU HANG: ecode 9:1:85dffffb, in ..." */
static void take_code(struct hang *hang, const struct gsc_event *event)
{
	static const char word[] = "ecode ";
	const char *end = event->log + event->log_length, *at;

	at = memmem(event->log, event->log_length, word, sizeof(word) - 1);
	if (!at)
		return;
	for (const char *c = at; c <= end; c++)
		if (c == end || *c == ',' || *c == '\n') {
			hang_set(hang, HANG_CODE, "%.*s", (int)(c - at < 60 ? c - at : 60), at);
			return;
		}
}

static enum gsc_status take_event(struct collect *c, struct look *look, double uptime,
				  const struct gsc_event *event, struct gsc_error *err)
{
	struct gsc_story *story;
	struct hang *hang;
	enum gsc_status status;

	if (event->kind != GSC_EVENT_HANG || event->rank != GSC_EVENT_MAIN)
		return GSC_OK;
	hang = calloc(1, sizeof(*hang));
	if (!hang)
		return memory_error(err);
	status = gsc_story_new(&story, c->common.db, NULL, c->common.gpu, NULL, err);
	if (!status) {
		gsc_story_add(story, event);
		take_signature(hang, gsc_story_signature(story), gsc_story_verdict(story));
		gsc_story_free(story);
		hang_set(hang, HANG_PROCESS, "%s", event->process);
		hang_set(hang, HANG_DRIVER, "%s", event->driver);
		hang_set(hang, HANG_DEVICE, "%s", event->device);
		hang_set(hang, HANG_UPTIME, "%.6f", uptime);
		if (*event->fault.engine)
			hang_set(hang, HANG_ENGINE, "%s", event->fault.engine);
		if (c->common.gpu)
			take_platform(&c->common, hang);
		take_code(hang, event);
		add_event(look, hang, 1 + event->repeats);
	}
	free(hang);
	return status;
}

static enum gsc_status find_platform(struct collect *c, const struct kernel_log *log,
				     struct gsc_error *err)
{
	enum gsc_status status = definitions_open(&c->common, err);
	struct gsc_platform p;

	if (!status && gsc_log_platform(c->common.db, log->text, log->size, &p, &c->common.device))
		status = common_definitions(&c->common, (int)p.index, err);
	return status;
}

static void keep_lines(struct collect *c, const struct work *work)
{
	struct log_input log = { .text = work->log->text, .size = work->log->size };
	size_t size = 0, over;
	char *text = log_pick(&c->common, &log, &size);

	over = size > LINES_MOST ? size - LINES_MOST : 0;
	if (text)
		write_whole(work->file, text + over, size - over);
	free(text);
}

static enum gsc_status log_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct work *work = context;
	double seen = c->store.seen.uptime, *last = &work->look->uptime, uptime;
	enum gsc_status status = find_platform(c, work->log, err);
	struct kernel_log later;
	struct gsc_log *log = NULL;
	struct gsc_event event;

	later = later_lines(work->log, *last > seen ? *last : seen, &uptime);
	if (!status && uptime < 0) {
		*err = (struct gsc_error){ .status = GSC_PARTIAL };
		snprintf(err->what, sizeof(err->what), "%.250s", c->log ? c->log : "/dev/kmsg");
		snprintf(err->why, sizeof(err->why), "%s",
			 "no line has seconds since the boot, as in [   36.828770]: write it with "
			 "dmesg, or journalctl -k -o short-monotonic");
		return GSC_PARTIAL;
	}
	if (!status && later.size)
		status = gsc_log_new(&log, c->common.db, view_of(&c->common), later.text,
				     later.size, err);
	while (log && !status && gsc_log_next(log, &event))
		status = take_event(c, work->look, uptime, &event, err);
	gsc_log_free(log);
	if (status)
		return status;
	*last = uptime;
	if (work->file >= 0)
		keep_lines(c, work);
	return GSC_OK;
}

bool look_log(struct collect *c, const struct kernel_log *log, int lines, struct look *look)
{
	struct work work = { .log = log, .file = lines };

	return !log->size || look_apart(c, NULL, log_work, look, &work);
}
