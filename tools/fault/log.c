/* SPDX-License-Identifier: MIT */
/* gpu-fault --dmesg: what a kernel's log says, and how its addresses are translated. */
#include "fault.h"
#include "hang/hang.h"
#include "hang/log-summary.h"
#include "util/text.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The log that belongs to a source, or is one: what reads it, and what was read. */
struct telling {
	struct common *common;
	struct log_input log;
	struct gsc_log_summary *summary;
	struct gsc_log *events;		/* of the log, as far as they are read */
	bool harmless;			/* these are read now */
	struct log_match match;		/* of a dump that is also in the source */
};

static enum gsc_status read_log(struct telling *t, struct gsc_error *err)
{
	enum gsc_status status;

	gsc_log_free(t->events);
	status = gsc_log_new(&t->events, t->common->db, view_of(t->common), t->log.text,
			     t->log.size, err);
	if (status && !err_is_memory(err) && t->log.name)
		string_set(err->what, "%.200s", t->log.name);
	return status;
}

static void first_event(struct telling *t)
{
	gsc_log_rewind(t->events, view_of(t->common));
	t->harmless = false;
}

/* The next event, while there is somebody to show it to; with -v the harmless ones come last. */
static bool next_event(struct telling *t, struct gsc_event *event)
{
	if (t->common->out && gsc_out_error(t->common->out))
		return false;
	if (gsc_log_next(t->events, event))
		return true;
	if (!t->common->verbose || t->harmless)
		return false;
	gsc_log_rewind_harmless(t->events, view_of(t->common));
	t->harmless = true;
	return gsc_log_next(t->events, event);
}

/* ---- output --------------------------------------------------------------------------------- */

static void events_json(struct telling *t, struct gsc_json *json)
{
	struct gsc_event event;

	first_event(t);
	while (next_event(t, &event))
		ITEM(gsc_json_event(json, &event, t->summary));
}

static void show_json(struct telling *t, const char *const *names, size_t count)
{
	struct gsc_json document, *json = &document;
	struct gsc_breach doubt;
	struct gsc_event event;
	struct gsc_error none;
	bool several = t->common->operand_count > 1;

	document_begin(t->common, FAULT_SCHEMA, names, count, json);
	gsc_json_log_summary(json, t->summary);
	gsc_json_array(json, "findings");
	first_event(t);
	while (t->common->source && next_event(t, &event))
		if (gsc_log_summary_doubt(t->summary, &event, &doubt))
			ITEM(gsc_json_breach(json, t->common->db, &doubt, doubt.where));
	gsc_json_array_end(json);
	json_kept(json, NULL, NULL, &none);
	json_error(json, NULL);
	/* Several files are one object each. */
	(several ? gsc_json_array : gsc_json_list)(json, "faults");
	events_json(t, json);
	(several ? gsc_json_array_end : gsc_json_list_end)(json);
	gsc_json_finish(json);
}

static void event_text(const struct telling *t, const struct gsc_event *event)
{
	gsc_out_end(t->common->out);
	gsc_text_event(t->common->out, event, t->summary, text_flags(t->common));
}

static void events_text(struct telling *t)
{
	struct gsc_event event;

	first_event(t);
	while (next_event(t, &event))
		event_text(t, &event);
}

/* A log alone. */
static enum gsc_status show_case(struct telling *t, struct gsc_error *err)
{
	char attach[HINT_SIZE + 80];
	struct gsc_case c = {
		.name = t->log.name, .log = t->events, .summary = t->summary,
		.attach = case_attachment(t->common, false, attach, sizeof(attach)),
	};
	enum gsc_status status = case_put(t->common, &c, err);

	return status ? status : complain_damage(t->common, t->common->source);
}

static enum gsc_status show(struct telling *t, struct gsc_error *err)
{
	struct common *common = t->common;
	enum gsc_status status = GSC_OK;
	const struct gsc_firmwares *firmware = gsc_log_summary_firmware(t->summary);
	const char **names, **more;
	char hint[HINT_SIZE];
	size_t count;

	if (wants_cases(common))
		return show_case(t, err);
	if (!common->out)
		status = report_open(common, err);
	if (status)
		return status;
	names = source_names(common->source, &count);
	more = reallocarray(names, count + 1, sizeof(*names));
	if (!more) {
		free(names);
		return err_memory(err);
	}
	if (t->log.name) {
		memmove(&more[1], more, count++ * sizeof(*more));
		more[0] = t->log.name;
	}
	if (wants_json(common)) {
		show_json(t, more, count);
		free(more);
		return complain_damage(common, common->source);
	}
	title_begin(common, more, count);
	free(more);
	gsc_text_log_summary(common->out, t->summary, text_flags(common));
	if (!common->quiet)
		gsc_text_firmware(common->out, firmware, common->verbose ? NULL :
				  gsc_log_summary_signature(t->summary));
	/* The registers in it are useless without a platform. */
	if (!common->gpu && common->source && !gsc_source_is_log(common->source))
		gsc_out_format(common->out, "to see its registers: %s -p PLATFORM (gpu-db list "
			       "--platforms lists them)\n",
			       hint_command(common, "fault", hint, sizeof(hint)));
	if (!common->quiet)
		events_text(t);
	if (verdict_left(common))
		gsc_text_log_summary(common->out, t->summary, text_flags(common));
	return complain_damage(common, common->source);
}

/* ---- platform and source -------------------------------------------------------------------- */

/* It is copied, because the source may be opened again; its text is NULL if the source has none. */
static enum gsc_status log_of_source(struct common *common, struct log_input *log,
				     struct gsc_error *err)
{
	size_t size = 0;
	const char *text = gsc_source_log(common->source, &size);

	*log = (struct log_input){ .text = NULL };
	if (!text)
		return GSC_OK;
	log->own = malloc(size + 1);
	if (!log->own)
		return err_memory(err);
	log->text = memcpy(log->own, text, size);
	log->size = size;
	return GSC_OK;
}

/* What the user says counts first, then the source, then the log. */
static enum gsc_status choose_platform(struct telling *t, struct gsc_error *err)
{
	struct common *common = t->common;
	struct gsc_platform platform;
	enum gsc_status status = GSC_OK;
	int device = -1;
	bool told = common->platform_name;

	if (common->from.count && !common->source) {
		status = common_source(common, false, err);
		if (status)
			return status;
	}
	if (common->source)
		told = gsc_source_platform(common->source) >= 0;
	if (told)
		return common->from.count ? common_gpu(common, common->source, err) :
					    platform_open(common, err);
	if (!gsc_log_platform(t->events, &platform, &device))
		return GSC_OK;
	common->platform_name = platform.name;
	if (!common->from.count) {
		common->device = device;
		return common_definitions(common, (int)platform.index, err);
	}
	source_close(common->source);
	common->source = NULL;
	status = common_source(common, false, err);
	if (!status)
		status = common_gpu(common, common->source, err);
	if (common->device < 0)
		common->device = device;
	return status;
}

static enum gsc_status begin(struct telling *t, bool choose, struct gsc_error *err)
{
	const struct common *common = t->common;
	struct gsc_hang_options options = { .no_walk = ((struct fault *)t->common)->no_walk };
	enum gsc_status status = read_log(t, err);

	if (!status && choose)
		status = choose_platform(t, err);
	return status ? status : gsc_log_summary_new(&t->summary, common->db, common->source,
						     common->gpu, &options, err);
}

static enum gsc_status write_summary(struct telling *t, struct gsc_error *err)
{
	enum gsc_status status = begin(t, true, err);

	if (status)
		return status;
	gsc_log_summary_read(t->summary, t->events);
	return show(t, err);
}

/* ---- a log that goes on --------------------------------------------------------------------- */

#define PAUSE_FIRST 2000		/* ms without a line: it will continue for longer */
#define PAUSE 100			/* ... after which what came is shown */
#define FOLLOWED_MOST (1u << 30)	/* bytes without such a pause */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

struct following {
	struct telling *t;
	VEC(char) text;
	size_t lines;			/* shown before those of `text` */
};

/* What has come, up to a pause after a whole line; *end: there will be no more. */
static enum gsc_status take_lines(struct following *f, int pause, bool *end, struct gsc_error *err)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	while (!*end) {
		bool whole = f->text.count && f->text.items[f->text.count - 1] == '\n';
		int ready = poll(&input, 1, whole ? pause : -1);
		ssize_t got = -1;

		if (!ready)
			return GSC_OK;
		if (f->text.count > FOLLOWED_MOST)
			return err_set(err, GSC_FAILED, "standard input",
				       "more than 1 GB: save it to a file and name the file");
		if (!vec_reserve(&f->text, PIPE_BUF))
			return err_memory(err);
		if (ready > 0)
			got = read(STDIN_FILENO, f->text.items + f->text.count,
				   f->text.room - f->text.count);
		if (got < 0 && errno != EINTR)
			return err_errno(err, "standard input", errno);
		*end = !got || interrupted;
		f->text.count += got > 0 ? (size_t)got : 0;
	}
	return GSC_OK;
}

static enum gsc_status tell_lines(struct following *f, struct gsc_error *err)
{
	struct telling *t = f->t;
	struct gsc_event event;
	enum gsc_status status;

	t->log.text = f->text.items;
	t->log.size = f->text.count;
	status = t->summary ? read_log(t, err) : begin(t, true, err);
	if (!status && !t->common->out) {
		status = output_open(t->common, false, err);
		if (!status)
			title_begin(t->common, &t->log.name, 1);
	}
	if (status)
		return status;
	first_event(t);
	while (next_event(t, &event)) {
		event.line += f->lines;
		gsc_log_summary_add(t->summary, &event);
		event_text(t, &event);
	}
	for (size_t i = 0; i < f->text.count; i++)
		f->lines += f->text.items[i] == '\n';
	f->text.count = 0;
	return gsc_out_flush(t->common->out, err);
}

/*
 * Whoever follows a log sees each event as it comes, and at the end what they mean together. One
 * that ends at once is shown like any other.
 */
static enum gsc_status pipe_run(struct telling *t, struct gsc_error *err)
{
	struct sigaction action = { .sa_handler = on_interrupt };
	struct following f = { .t = t };
	enum gsc_status status;
	bool end = false;

	sigaction(SIGINT, &action, NULL);
	t->log.name = "standard input";
	status = take_lines(&f, PAUSE_FIRST, &end, err);
	if (!status && end) {
		status = log_take(t->common, f.text.items, f.text.count, &t->log, err);
		if (!t->log.own)
			vec_free(&f.text);
		return status ? status : write_summary(t, err);
	}
	if (!status)
		status = tell_lines(&f, err);
	while (!status && !end && !gsc_out_error(t->common->out)) {
		status = take_lines(&f, PAUSE, &end, err);
		if (!status)
			status = tell_lines(&f, err);
	}
	if (!status) {
		gsc_out_end(t->common->out);
		gsc_text_log_summary(t->common->out, t->summary, text_flags(t->common));
	}
	vec_free(&f.text);
	return status;
}

/* ---- logs of sources ------------------------------------------------------------------------ */

static enum gsc_status begin_summary(struct telling *t, struct gsc_error *err)
{
	enum gsc_status status = log_of_source(t->common, &t->log, err);

	if (status || !t->log.text)
		return status;
	status = begin(t, false, err);
	if (!status)
		gsc_log_summary_read(t->summary, t->events);
	return status;
}

static void end_summary(struct telling *t)
{
	gsc_log_free(t->events);
	gsc_log_summary_free(t->summary);
	log_close(&t->log);
}

static void find_match(struct telling *t)
{
	struct gsc_event event;

	if (!t->log.text || !match_begin(&t->match, t->common->source))
		return;
	first_event(t);
	while (gsc_log_next(t->events, &event))
		match_event(&t->match, &event);
}

enum gsc_status log_show(struct common *common, bool alone, struct gsc_error *err)
{
	struct telling t = { .common = common };
	enum gsc_status status = begin_summary(&t, err);
	const struct log_match *m = &t.match;

	if (!status && alone) {
		status = show(&t, err);
	} else if (!status && t.log.text && common->quiet) {
		gsc_out_text(common->out, "kernel log: ");
		gsc_text_log_summary(common->out, t.summary, text_flags(common));
	} else if (!status && t.log.text) {
		gsc_out_end(common->out);
		text_styled(common->out, GSC_STYLE_BOLD, "## kernel log");
		gsc_out_end(common->out);
		find_match(&t);
		if (m->line)
			gsc_out_format(common->out, "this dump: the hang on line %zu%s%s%s, %s\n",
				       m->line, *m->stamp ? " [" : "", m->stamp,
				       *m->stamp ? "]" : "", m->why);
		else if (*m->code && m->hangs && !m->coded)
			gsc_out_format(common->out, "this dump: %s in the log\n",
				       m->hangs == 1 ? "not of the hang" : "none of the hangs");
		gsc_text_log_summary(common->out, t.summary, text_flags(common));
		events_text(&t);
	}
	end_summary(&t);
	return status;
}

enum gsc_status log_case(struct common *common, struct gsc_case *c, struct gsc_error *err)
{
	struct telling t = { .common = common };
	enum gsc_status status = GSC_OK;

	if (gsc_source_has(common->source, GSC_SOURCE_LOG))
		status = begin_summary(&t, err);
	if (!status && t.log.text) {
		c->log = t.events;
		c->summary = t.summary;
	}
	if (!status)
		status = case_put(common, c, err);
	end_summary(&t);
	return status;
}

bool log_tells(struct common *common)
{
	struct gsc_error ignored = { 0 };
	struct telling t = { .common = common };
	bool tells = false;

	if (gsc_source_has(common->source, GSC_SOURCE_LOG) && !begin_summary(&t, &ignored) &&
	    t.log.text)
		tells = gsc_log_summary_tells(t.summary);
	end_summary(&t);
	return tells;
}

enum gsc_status hang_json(struct common *common, struct gsc_json *json, struct gsc_hang *hang,
			  struct gsc_error *err)
{
	struct telling t = { .common = common };
	struct gsc_error ignored;
	enum gsc_status status;
	bool says = gsc_hang_is_none(hang) && gsc_source_has(common->source, GSC_SOURCE_LOG) &&
		    !begin_summary(&t, &ignored) && t.log.text && gsc_log_summary_tells(t.summary);

	status = gsc_json_hang(json, hang, says ? t.summary : NULL, err);
	end_summary(&t);
	return status;
}

void log_verdict(struct common *common)
{
	struct telling t = { .common = common };
	struct gsc_error ignored;

	if (!begin_summary(&t, &ignored) && t.log.text)
		gsc_text_log_summary(common->out, t.summary, text_flags(common));
	end_summary(&t);
}

KEYS()
enum gsc_status log_json(struct common *common, struct gsc_json *json, struct gsc_error *err)
{
	struct telling t = { .common = common };
	enum gsc_status status;

	if (!gsc_source_has(common->source, GSC_SOURCE_LOG))
		return GSC_OK;
	status = begin_summary(&t, err);
	if (!status && t.log.text) {
		KEY_ARRAY("log", OF(event), OPTIONAL,
			  "What the kernel log in the source says, if the source also holds a "
			  "dump; for a log alone that is in `faults`.");
		events_json(&t, json);
		gsc_json_array_end(json);
		find_match(&t);
		KEY_OR_NULL(t.match.line, number, "log_line", t.match.line, MIN(1), OPTIONAL,
			    "With `log`: the line of the log that is the hang of the dump, by its "
			    "time, or else by its code; null: none fits.");
	}
	end_summary(&t);
	return status;
}

enum gsc_status log_run(struct common *common, struct gsc_error *err)
{
	struct telling t = { .common = common };
	bool found = false;
	enum gsc_status status;
	struct stat st;

	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "one log at a time");
	status = definitions_open(common, err);
	if (!status && !common->operand_count && common->from.count) {
		status = common_source(common, false, err);
		if (!status)
			status = log_of_source(common, &t.log, err);
		found = t.log.text;
		t.log.name = "kernel log";
	}
	/* A pipe or a terminal, for a reader who sees it grow. */
	if (!status && !found && common->operand_count && !strcmp(common->operands[0], "-") &&
	    !wants_json(common) && !wants_cases(common) && !common->quiet &&
	    !fstat(STDIN_FILENO, &st) && !S_ISREG(st.st_mode)) {
		status = pipe_run(&t, err);
	} else {
		if (!status && !found)
			status = log_open(common, common->operand_count ? common->operands[0] :
					  NULL, &t.log, err);
		if (!status)
			status = write_summary(&t, err);
	}
	end_summary(&t);
	return status;
}
