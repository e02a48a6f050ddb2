/* SPDX-License-Identifier: MIT */
/*
 * Examines what the kernel has kept of a hang, in a child that has given up everything but reading
 * it: it fills memory that it shares with its parent, and open files.
 */
#include "collect.h"

#include "cli/input.h"
#include "hang/hang.h"
#include "hang/log-summary.h"
#include "save/save.h"
#include "snap/snap.h"
#include "text/clean.h"
#include "util/dynlib.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_MOST 120		/* that a child may take; others wait for the store */
#define COUNT_MOST 1000000		/* hangs of a kind in one log */

/* ---- the child ------------------------------------------------------------------------------- */

/* It must not outlive its parent, nor hold the store's lock then. */
static void confine_child(struct collect *c, pid_t parent, const char **source)
{
	struct rlimit most = { c->limits.use, c->limits.use };
	struct common *common = &c->common;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(GSC_FAILED);
	store_leave(&c->store);
	if (c->limits.use)
		setrlimit(RLIMIT_FSIZE, &most);
	gsc_load_libraries(GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD);
	common->given = 0;
	child_confine(common, source, 1);
}

enum gsc_status apart(struct collect *c, const char *source, apart_fn *work, void *context)
{
	struct timespec now, left = { .tv_sec = SECONDS_MOST };
	const char *none = "none", *why = NULL;
	struct gsc_error err = { 0 };
	pid_t pid, parent = getpid(), got = 0;
	sigset_t of_child, before;
	enum gsc_status status;
	int ended = 0;
	time_t most;

	sigemptyset(&of_child);
	sigaddset(&of_child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &of_child, &before);
	pid = fork();
	if (!pid) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		confine_child(c, parent, source ? &source : &none);
		status = work(c, context, &err);
		if (status && *err.what)
			tell(&c->common, &err);
		outside_end(&c->common);
		_exit((int)status);
	}
	why = pid < 0 ? strerror(errno) : NULL;
	clock_gettime(CLOCK_MONOTONIC, &now);
	most = now.tv_sec + SECONDS_MOST;
	while (pid > 0 && !(got = waitpid(pid, &ended, WNOHANG)) && left.tv_sec > 0) {
		sigtimedwait(&of_child, NULL, &left);
		clock_gettime(CLOCK_MONOTONIC, &now);
		left.tv_sec = most - now.tv_sec;
	}
	/* It does not end itself in time: if it was taken over, it can ignore its own signals. */
	if (pid > 0 && !got) {
		kill(pid, SIGKILL);
		while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
			;
		why = "decoding it takes too long";
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!why && WIFEXITED(ended) && WEXITSTATUS(ended) <= GSC_PARTIAL)
		return (enum gsc_status)WEXITSTATUS(ended);
	if (!why)
		why = WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended)) : "decoding it failed";
	warn(&c->common, source ? source : "the kernel's log", why);
	return GSC_FAILED;
}

struct work {
	struct look *look;
	const struct kernel_log *log;	/* all of it, and the lines that were not read before */
	struct kernel_log later;
	int file;			/* for a capture */
};

/* ---- what the child says --------------------------------------------------------------------- */

/* Texts without an end or with control characters do not get further; other fields are ours. */
static void take_fields(struct hang *hang, const struct hang *told, const enum field *fields,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		hang_set(hang, fields[i], "%.*s", FIELD_SIZE - 1, told->text[fields[i]]);
}

/* "0x1912" */
static bool is_pci_id(const char *text)
{
	return !strncmp(text, "0x", 2) && strlen(text) == 6 &&
	       strspn(text + 2, "0123456789abcdef") == 4;
}

/* Whole lines, each without control characters. */
static void take_lines(struct look *look, const struct look *told)
{
	char *line = look->lines;

	look->line_size = told->line_size < LINES_MOST ? told->line_size : LINES_MOST;
	memcpy(line, told->lines, look->line_size);
	for (size_t i = 0; i < look->line_size; i++)
		if (!line[i])
			line[i] = '?';
	line[look->line_size] = 0;
	while (*line) {
		size_t length = strcspn(line, "\n\t");
		char stop = line[length];

		line[length] = 0;
		gsc_text_clean(line);
		line[length] = stop;
		line += length + (stop != 0);
	}
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
				string_set(id, "%.60s %.60s", place, p.value);
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

static void take_platform(const struct common *common, struct hang *hang)
{
	hang_set(hang, HANG_PLATFORM, "%s", platform_of(common)->name);
	if (common->device >= 0)
		hang_set(hang, HANG_PCI_ID, "0x%04x", (unsigned)common->device);
}

/* Damage in a dump is recorded with the hang, and is no failure. */
static enum gsc_status dump_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct work *work = context;
	struct look *look = work->look;
	struct hang *hang = &look->hang;
	struct common *common = &c->common;
	enum gsc_status status = common_source(common, false, err);
	enum gsc_source_form form;
	struct gsc_hang *found = NULL;
	const struct driver_facts *facts;
	struct gsc_save_options options = { .packing = GSC_PACK_BEST };
	const struct hang *known;
	bool seen = false;
	char why[200];

	/* If it is truncated before it names its device, it belongs to the one that keeps it. */
	if (!status && gsc_source_platform(common->source) < 0 && *hang->text[HANG_PCI_ID]) {
		source_close(common->source);
		common->source = NULL;
		common->platform_name = hang->text[HANG_PCI_ID];
		status = common_source(common, false, err);
	}
	confine(common);
	form = status ? GSC_SOURCE_NONE : gsc_source_form(common->source, 0);
	if (!status && form != GSC_SOURCE_ERROR_STATE && form != GSC_SOURCE_DEVCOREDUMP)
		status = usage_error(err, gsc_source_kind(common->source, 0), "not a dump");
	if (!status) {
		take_identity(common->source, hang);
		seen = seen_has(&c->store.seen, hang->text[HANG_DUMP]);
	}
	if (!status && !seen)
		status = common_gpu(common, common->source, err);
	if (!status && !seen)
		status = gsc_hang_new(&found, c->common.gpu, NULL, err);
	if (status)
		hang_set(hang, HANG_WHY, "%s: %s", err->what,
			 refusal_reason(err, why, sizeof(why)));
	*err = (struct gsc_error){ 0 };
	look->status = status;
	if (!found)
		return GSC_OK;
	take_platform(common, hang);
	take_signature(hang, found->signature, found->verdict);
	facts = &found->facts;
	for (size_t i = 0; !*hang->text[HANG_PROCESS] && i < facts->about.count; i++) {
		struct slice text = slice_string(facts->about.items[i].a.text), process = text;

		if (strcmp(facts->about.items[i].a.name, "process"))
			continue;
		process.end = slice_find(text, ", on ") ?: text.end;
		hang_set(hang, HANG_PROCESS, "%.*s", SLICE(process));
	}
	gsc_hang_free(found);
	/* One of its kind is enough. */
	known = store_find(&c->store, HANG_SIGNATURE, hang->text[HANG_SIGNATURE]);
	if ((known && *known->text[HANG_CAPTURE]) || work->file < 0)
		return GSC_OK;
	options.redact = c->limits.redact;
	options.created = (uint64_t)c->now;
	errno = 0;
	status = gsc_save(common->gpu, work->file, &options, err);
	look->stored = !status || status == GSC_PARTIAL;
	look->error = look->stored ? 0 : errno;
	if (!look->stored)
		hang_set(hang, HANG_WHY, "%s", errno ? strerror(errno) : err->why);
	return GSC_OK;
}

bool look_dump(struct collect *c, const char *path, int capture, struct look *look)
{
	struct look *shared = shared_new(sizeof(*shared));
	struct work work = { .look = shared, .file = capture };
	bool done;
	static const enum field fields[] = { HANG_SIGNATURE, HANG_VERDICT, HANG_PLATFORM,
					     HANG_ENGINE, HANG_PROCESS, HANG_CODE, HANG_WHY };
	static const enum field checked[] = { HANG_DUMP, HANG_PCI_ID };
	const char *place;
	struct hang other = { .gone = false };

	look->status = GSC_FAILED;
	look->stored = look->error = 0;
	if (!shared)
		return false;
	shared->hang = look->hang;
	done = !apart(c, path, dump_work, &work);
	if (done) {
		look->status = shared->status ? GSC_FAILED : GSC_OK;
		look->stored = shared->stored == 1;
		look->error = shared->error;
	}
	/* A dump is one of its own place: one that lies must not make another one known. */
	place = look->hang.text[HANG_DUMP];
	take_fields(&look->hang, &shared->hang, fields, ARRAY_SIZE(fields));
	take_fields(&other, &shared->hang, checked, ARRAY_SIZE(checked));
	if (!strncmp(other.text[HANG_DUMP], place, strlen(place)) &&
	    other.text[HANG_DUMP][strlen(place)] == ' ' &&
	    strlen(other.text[HANG_DUMP]) < DUMP_SIZE)
		hang_set(&look->hang, HANG_DUMP, "%s", other.text[HANG_DUMP]);
	if (!*look->hang.text[HANG_PCI_ID] && is_pci_id(other.text[HANG_PCI_ID]))
		hang_set(&look->hang, HANG_PCI_ID, "%s", other.text[HANG_PCI_ID]);
	shared_free(shared, sizeof(*shared));
	return done;
}

/* ---- the log --------------------------------------------------------------------------------- */

/*
 * "[   36.828770] ...", after "<3>", "kern  :err   : " or "Nov 23 12:00:00 host kernel: ". -1: the
 * line does not begin with a time.
 */
static double time_of(struct slice line)
{
	const char *open = slice_char(line, '['), *stop;
	struct slice before, time;
	char text[32] = "";
	double seconds;

	if (!open)
		return -1;
	before = (struct slice){ line.at, open };
	if (!slice_ends(before, " kernel: "))
		for (; before.at < before.end; before.at++)
			if (!islower((unsigned char)*before.at) && !is_digit(*before.at) &&
			    !memchr(" :<>", *before.at, 4))
				return -1;
	time = slice_trim((struct slice){ open + 1, line.end });
	memcpy(text, time.at, MIN(slice_length(time), sizeof(text) - 1));
	seconds = seconds_since_boot(text, &stop);
	return *stop == ']' ? seconds : -1;
}

/* The lines later than those seen before; *uptime: of the last, -1 if no line has it. */
static struct kernel_log later_lines(const struct kernel_log *log, double seen, double *uptime)
{
	struct slice all = slice_of(log->text, log->size), rest = all;
	double most = latest_uptime(), first = -1;
	const char *from = all.end;
	struct text_line line;

	/*
	 * A process can have a line of its own in a log, with a time of its choice; but not the
	 * first one, unless all of the log is of another boot.
	 */
	while (first < 0 && take_line(&rest, &line))
		first = time_of(line.text);
	if (first > most)
		most = HUGE_VAL;
	*uptime = -1;
	seen = seen > most ? 0 : seen;
	for (rest = all; take_line(&rest, &line);) {
		double time = time_of(line.text);

		if (time > most)
			continue;
		*uptime = time > *uptime ? time : *uptime;
		if (time > seen && from == all.end)
			from = line.text.at;
	}
	return (struct kernel_log){ from, (size_t)(all.end - from) };
}

/* One more of its kind, or a new one. */
static void add_event(struct look *look, const struct hang *hang, uint64_t count)
{
	struct hang *event = look->events, *end = event + look->event_count;
	bool coded = *hang->text[HANG_CODE];

	while (event < end && (coded || *event->text[HANG_CODE] ? !hang_same(event, hang, HANG_CODE)
			       : !hang_same(event, hang, HANG_SIGNATURE) ||
				 !hang_same(event, hang, HANG_PROCESS)))
		event++;
	if (event == end && look->event_count < EVENTS_MAX) {
		*event = *hang;
		look->event_count++;
	} else if (event == end) {
		event--;
	}
	hang_set(event, HANG_COUNT, "%llu", LL(hang_number(event, HANG_COUNT) + count));
}

static enum gsc_status take_event(struct collect *c, struct look *look,
				  const struct gsc_event *event, struct gsc_error *err)
{
	struct slice code = slice_of(event->log, event->log_length);
	struct gsc_log_summary *summary;
	struct hang *hang;
	enum gsc_status status;

	if (event->kind != GSC_EVENT_HANG || event->rank != GSC_EVENT_MAIN)
		return GSC_OK;
	hang = calloc(1, sizeof(*hang));
	if (!hang)
		return err_memory(err);
	status = gsc_log_summary_new(&summary, c->common.db, NULL, c->common.gpu, NULL, err);
	if (!status) {
		gsc_log_summary_add(summary, event);
		take_signature(hang, gsc_log_summary_signature(summary),
			       gsc_log_summary_verdict(summary));
		gsc_log_summary_free(summary);
		hang_set(hang, HANG_PROCESS, "%s", event->process);
		hang_set(hang, HANG_DRIVER, "%s", event->driver);
		hang_set(hang, HANG_DEVICE, "%s", event->device);
		if (*event->fault.engine)
			hang_set(hang, HANG_ENGINE, "%s", event->fault.engine);
		if (c->common.gpu)
			take_platform(&c->common, hang);
		/* "GPU HANG: ecode 9:1:85dffffb, in ..." */
		code.at = slice_find(code, "ecode ") ?: code.end;
		code = slice_first(take_until(&code, ",\n"), 60);
		hang_set(hang, HANG_CODE, "%.*s", SLICE(code));
		add_event(look, hang, 1 + event->repeats);
	}
	free(hang);
	return status;
}

static enum gsc_status log_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct work *work = context;
	const struct kernel_log *all = work->log;
	struct log_input input = { .text = all->text, .size = all->size };
	enum gsc_status status = definitions_open(&c->common, err);
	struct gsc_log *log = NULL;
	struct gsc_platform p;
	struct gsc_event event;
	size_t size = 0, over = 0;
	char *text;

	confine(&c->common);
	/* Its first lines may name the platform. */
	if (!status)
		status = gsc_log_new(&log, c->common.db, NULL, all->text, all->size, err);
	if (!status && gsc_log_platform(log, &p, &c->common.device))
		status = common_definitions(&c->common, (int)p.index, err);
	gsc_log_free(log);
	log = NULL;
	if (!status && work->later.size)
		status = gsc_log_new(&log, c->common.db, view_of(&c->common), work->later.text,
				     work->later.size, err);
	while (log && !status && gsc_log_next(log, &event))
		status = take_event(c, work->look, &event, err);
	gsc_log_free(log);
	if (status)
		return status;
	text = log_pick(&c->common, &input, &size);
	if (text && size > LINES_MOST) {
		over = size - LINES_MOST;
		while (over < size && text[over - 1] != '\n')
			over++;
	}
	if (text)
		memcpy(work->look->lines, text + over, size - over);
	work->look->line_size = text ? size - over : 0;
	free(text);
	return GSC_OK;
}

enum gsc_status look_log(struct collect *c, const struct kernel_log *log, struct look *look,
			 struct gsc_error *err)
{
	static const enum field fields[] = { HANG_COUNT, HANG_SIGNATURE, HANG_VERDICT,
					     HANG_PLATFORM, HANG_ENGINE, HANG_PROCESS, HANG_DEVICE,
					     HANG_PCI_ID, HANG_DRIVER, HANG_CODE };
	uint64_t count;
	double uptime;
	struct work work = { .log = log, .later = later_lines(log, c->store.seen.uptime, &uptime) };

	look->line_size = 0;
	if (!log->size)
		return GSC_OK;
	if (uptime < 0)
		return err_set(err, GSC_PARTIAL, c->log ? c->log : "/dev/kmsg",
			       "no line has seconds since the boot, as in [   36.828770]: write it "
			       "with dmesg, or journalctl -k -o short-monotonic");
	work.look = shared_new(sizeof(*work.look));
	if (!work.look)
		return err_memory(err);
	*work.look = *look;
	if (apart(c, NULL, log_work, &work)) {
		shared_free(work.look, sizeof(*work.look));
		return GSC_PARTIAL;	/* the child has said why */
	}
	look->event_count = work.look->event_count < EVENTS_MAX ? work.look->event_count
								: EVENTS_MAX;
	for (size_t i = 0; i < look->event_count; i++) {
		struct hang *event = &look->events[i];

		*event = (struct hang){ .gone = false };
		take_fields(event, &work.look->events[i], fields, ARRAY_SIZE(fields));
		count = hang_number(event, HANG_COUNT);
		hang_set(event, HANG_COUNT, "%llu", LL(MIN(count, COUNT_MOST)));
		hang_set(event, HANG_UPTIME, "%.6f", uptime);
		if (!is_pci_id(event->text[HANG_PCI_ID]))
			hang_set(event, HANG_PCI_ID, "%s", "");
	}
	take_lines(look, work.look);
	shared_free(work.look, sizeof(*work.look));
	c->store.seen.uptime = uptime;
	return GSC_OK;
}
