/* SPDX-License-Identifier: MIT */
/* Reads a kernel's log, from one event to the next. */
#include "db/view.h"
#include "log/log.h"

#include "text/clean.h"
#include "text/front.h"
#include "formats/kernel-log.h"

#define LINE_BEFORE 256			/* bytes of a line before the match that are considered, */
#define LINE_AFTER 1024			/* and after it */
#define LINE_LONGEST 1024		/* bytes of a line that may belong to others */
#define NEEDED_LONGEST 40		/* "stuck on video enhancement ring" */
#define EMPTY_MOST 64			/* lines in between, of fields or joined ones */

/* ---- what an event says --------------------------------------------------------------------- */

bool log_meaning(const struct gsc_db *db, enum gsc_kind kind, const char *name, const char *field,
		 uint64_t value, struct gsc_value *meaning)
{
	struct gsc_field_iter it;
	struct gsc_match match;
	struct gsc_field f;
	struct gsc_item item;
	bool found = false;

	if (kind == GSC_REGISTER)
		found = gsc_db_find(db, name, &match, 1) &&
			gsc_item_by_def(db, kind, match.def, &item);
	else
		for (size_t i = 0; !found && gsc_item_at(db, kind, i, &item); i++)
			found = !name_compare(item.name, name);
	if (!found)
		return false;
	gsc_item_fields(db, NULL, &item, NULL, 0, &it);
	while (gsc_field_next(&it, &f)) {
		if (!f.name || strcmp(f.name, field))
			continue;
		for (size_t i = 0; gsc_field_value(&it, i, meaning); i++)
			if (value >= meaning->lo && value <= meaning->hi)
				return true;
	}
	return false;
}

bool log_add_bits(const struct log *log, struct gsc_event *event, const char *engine,
		  const char *name, int index, uint64_t value)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;
	unsigned count = 0;

	if (!log->view || !value || !view_find(log->view, engine, name, index, &reg))
		return false;
	gsc_reg_fields(log->view, &reg, value, &it);
	while (gsc_field_next(&it, &field))
		if (field.name && field.value && field.hi == field.lo)
			log_add(event, "%s%s", count++ ? ", " : "", field.name);
	return count;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static const char *line_end(const char *at, const char *end)
{
	const char *found = memchr(at, '\n', (size_t)(end - at));

	return found ? found : end;
}

static struct slice without_end(struct slice line)
{
	while (line.end > line.at &&
	       (line.end[-1] == '\r' || line.end[-1] == ' ' || line.end[-1] == '\t'))
		line.end--;
	return line;
}

/*
 * Every byte is counted once, however long a line is. Web pages, JSON and people put several
 * messages into one line: what precedes the words begins after the last one.
 */
static void go_to(struct log *log, const char *hit)
{
	while (log->line_end < hit) {
		log->number++;
		log->line_start = log->line_end + 1;
		log->line_end = line_end(log->line_start, log->end);
	}
	log->line.at = hit - MIN(hit - log->line_start, LINE_BEFORE);
	log->line.end = hit + MIN(log->line_end - hit, LINE_AFTER);
	log->whole = log->line.at == log->line_start && log->line.end == log->line_end;
	log->line = without_end(log->line);
	log->line.end = MAX(log->line.end, hit);
	log->line.at = MAX(log->line.at, log->message);
	log->prefix = (struct slice){ log->line.at, hit };
}

/*
 * Another message in the line begins where a time or a driver does, or after a quotation mark that
 * closes what was open in front of the words.
 */
static void cut_line(struct log *log, const char *rest)
{
	for (const char *at = rest; at < log->line.end; at++)
		if (((*at == '"' || *at == '`') && slice_char(log->prefix, *at)) ||
		    ((*at == '[' || !is_word(at[-1])) &&
		     kernel_log_front((struct slice){ at, log->line.end }))) {
			log->line.end = at;
			log->whole = false;
			return;
		}
}

/* The line before another one. A long line belongs to no message: then there is none. */
bool log_line_before(const struct log *log, const char *start, struct slice *line)
{
	const char *from, *newline;

	if (start == log->text)
		return false;
	for (unsigned i = 0; i < EMPTY_MOST && start - log->text > 1 && start[-2] == '\n'; i++)
		start--;
	line->end = start - 1;
	from = line->end - MIN(line->end - log->text, LINE_LONGEST);
	newline = memrchr(from, '\n', (size_t)(line->end - from));
	line->at = newline ? newline + 1 : from;
	return newline || from == log->text;
}

bool log_line_after(const struct log *log, const char *end, struct slice *line)
{
	const char *to;

	for (unsigned i = 0; i < EMPTY_MOST && log->end - end > 1 && end[1] == '\n'; i++)
		end++;
	if (end == log->end)
		return false;
	line->at = end + 1;
	to = line->at + MIN(log->end - line->at, LINE_LONGEST);
	line->end = line_end(line->at, to);
	return line->end < to || to == log->end;
}

/* Where the driver's name and a function are next to each other: *rest is what follows the name. */
static bool take_device(struct slice text, const char *driver, char device[16], struct slice *rest)
{
	char words[24];

	string_set(words, "%s ", driver);
	while (text_after(text, words, &text)) {
		*rest = text;
		if (text_function(slice_first(text, 14), device, 16))
			return true;
	}
	return false;
}

/* "i915 0000:00:02.0: ", "xe 0000:03:00.0: " */
void log_device(struct slice prefix, struct gsc_event *event)
{
	struct slice rest;

	for (size_t i = 0; i < LOG_DRIVERS; i++)
		if (take_device(prefix, log_drivers[i], event->device, &rest)) {
			string_set(event->driver, "%s", log_drivers[i]);
			return;
		}
}

void log_begin_at(struct slice line, struct gsc_event *event)
{
	/* Where lines were joined, empty ones are left. */
	for (const char *at = line.at; at < event->log; at++) {
		event->line -= *at == '\n';
		event->lines += *at == '\n';
	}
	event->log = line.at;
	event->log_length = (size_t)(without_end(line).end - line.at);
}

/*
 * What precedes its first line precedes all of it; or the heading does: the first line of a long
 * message may say only whose it is.
 */
static void take_front(const struct log *log, struct slice block, struct gsc_event *event)
{
	struct slice line = { event->log, event->log + event->log_length }, heading;
	struct gsc_event front = { .line = 0 };

	text_time(line, &front);
	log_device(line, &front);
	if (!*front.driver && log_line_before(log, block.at, &line)) {
		heading = without_end(line);
		if (slice_ends(heading, "]") || slice_ends(heading, ":"))
			log_device(line, &front);
		if (*front.driver) {
			text_time(line, &front);
			log_begin_at(line, event);
		}
	}
	if (*front.driver) {
		memcpy(event->driver, front.driver, sizeof(event->driver));
		memcpy(event->device, front.device, sizeof(event->device));
	}
	if (*front.stamp) {
		memcpy(event->stamp, front.stamp, sizeof(event->stamp));
		event->has_time = front.has_time;
		event->time = front.time;
	}
}

struct slice log_block(struct log *log, const char *head, const char *tail, struct gsc_event *event)
{
	struct slice block = log->line, line;
	unsigned most = BLOCK_MOST;

	if (!log->whole) {
		log->next = MAX(log->next, block.end);
		return block;
	}
	while (most-- && log_line_before(log, block.at, &line) && text_has_any(line, head)) {
		block.at = line.at;
		log_begin_at(line, event);
	}
	most = BLOCK_MOST;
	block.end = log->line_end;
	while (most-- && log_line_after(log, block.end, &line) && text_has_any(line, tail)) {
		block.end = line.end;
		event->lines++;
	}
	take_front(log, block, event);
	log->next = MAX(log->next, block.end);
	return block;
}

/* ---- which devices -------------------------------------------------------------------------- */

#define GPUS_MOST 64

static bool has_gpu(const struct log *log, const char *function)
{
	for (size_t i = 0; i < log->gpus.count; i++)
		if (!strcmp(log->gpus.items[i].function, function))
			return true;
	return false;
}

static void know_gpus(struct log *log)
{
	for (size_t i = 0; i < LOG_DRIVERS && !log->gpus_known; i++) {
		struct slice rest = { log->text, log->end };
		struct log_gpu found = { .driver = log_drivers[i] }, *gpu;

		while (log->gpus.count < GPUS_MOST &&
		       take_device(rest, log_drivers[i], found.function, &rest)) {
			gpu = has_gpu(log, found.function) ? NULL : vec_add(&log->gpus);
			if (gpu)
				*gpu = found;
		}
	}
	log->gpus_known = true;
}

bool log_is_gpu(struct log *log, const char *function)
{
	if (!strcmp(function, "0000:00:02.0"))
		return true;
	know_gpus(log);
	return has_gpu(log, function);
}

const char *log_driver(struct log *log)
{
	know_gpus(log);
	return log->gpus.count ? log->gpus.items[0].driver : "i915";
}

/* ---- plain messages ------------------------------------------------------------------------- */

/* Older i915 prints only "[drm]". */
static bool looks_like(struct slice prefix, const char *driver, const struct gsc_event *event)
{
	struct slice rest;
	/* "GT0: " is how xe begins. */
	bool has_gt = text_after(prefix, "GT", &rest) && slice_has_form(rest, "9:");

	if (*event->driver)
		return !driver || !strcmp(event->driver, driver);
	if (driver && !strcmp(driver, "xe"))
		return has_gt;
	return !log_others(prefix) &&
	       (text_has_any(prefix, "i915|drm|*ERROR*") || (!driver && has_gt));
}

void log_say_words(const struct log *log, struct gsc_event *event)
{
	const char *text = log->words.text, *engine = strstr(text, "ENGINE");

	if (engine)
		log_say(event, "%.*s%s%s", (int)(engine - text), text,
			*event->fault.engine ? event->fault.engine : "an engine",
			engine + strlen("ENGINE"));
	else
		log_say(event, "%s", text);
}

bool log_take_words(struct log *log, struct gsc_event *event)
{
	const struct gsc_message *words = &log->words;
	struct slice line = log->line;

	if (words->use == MESSAGE_SHARED &&
	    !looks_like(log->prefix, *words->driver ? words->driver : NULL, event))
		return false;
	if (words->use == MESSAGE_ANYONE) {
		log_say_words(log, event);
		return true;
	}
	if (!*event->driver)
		string_set(event->driver, "%s", *words->driver ? words->driver : log_driver(log));
	if (words->needs_engine)
		line = slice_first((struct slice){ log->prefix.end, line.end }, NEEDED_LONGEST);
	if (!text_engine(line, event->fault.engine, sizeof(event->fault.engine)) &&
	    words->needs_engine)
		return false;
	log_say_words(log, event);
	return true;
}

bool log_value(struct gsc_event *event, const char *name, uint64_t value)
{
	if (event->value_count == GSC_EVENT_VALUES)
		return false;
	event->values[event->value_count].name = name;
	event->values[event->value_count++].value = value;
	return true;
}

uint64_t log_value_of(const struct gsc_event *event, const char *name)
{
	for (unsigned i = 0; i < event->value_count; i++)
		if (!strcmp(event->values[i].name, name))
			return event->values[i].value;
	return 0;
}

/* ---- events in a row ------------------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* If time goes back, another boot begins. */
static bool same_event(const struct gsc_event *a, const struct gsc_event *b)
{
	const struct gsc_fault *x = &a->fault, *y = &b->fault;

	if (a->has_time && b->has_time && b->time < a->time)
		return false;
	return a->kind == b->kind && !strcmp(a->driver, b->driver) &&
	       !strcmp(a->device, b->device) &&
	       (!*a->gt || !*b->gt || !strcmp(a->gt, b->gt)) &&
	       !strcmp(a->process, b->process) && !strcmp(x->engine, y->engine) &&
	       !strcmp(x->text, y->text) &&
	       same_text(x->type, y->type) && same_text(x->access, y->access) &&
	       same_text(x->space, y->space) && x->has_address == y->has_address &&
	       x->address == y->address && x->source_id == y->source_id && a->code == b->code &&
	       a->asid == b->asid && a->pasid == b->pasid && a->reason == b->reason;
}

struct gsc_event *log_last(struct log *log)
{
	return log->recents ? &log->recent[log->recents - 1].event : NULL;
}

static void tell_oldest(struct log *log)
{
	if (!log->recents)
		return;
	*log->out = log->recent[0].event;
	log->out = NULL;
	log->recents--;
	memmove(log->recent, log->recent + 1, log->recents * sizeof(*log->recent));
}

#define FLOOD_LINES 16			/* errors so near to each other are one flood, */
#define FLOOD_SECONDS 60.0		/* and in so short a time */

/* Whether it is a recent one again: the last one, or of a flood of errors, which alternate. */
static bool comes_again(struct log *log, const struct gsc_event *event, size_t message)
{
	for (unsigned i = log->recents; i-- > 0;) {
		struct log_recent *r = &log->recent[i];
		bool near = event->line <= r->line + FLOOD_LINES &&
			    (!event->has_time || event->time - r->time < FLOOD_SECONDS);
		bool last = i + 1 == log->recents;
		unsigned row = 0;

		if (!same_event(&r->event, event) || (!last && !near)) {
			/* Errors after a hang belong to that one. */
			if (event->kind != GSC_EVENT_ERROR || r->event.kind != GSC_EVENT_ERROR)
				return false;
			continue;
		}
		while (near && row < RECENT_ROWS && r->rows[row].count &&
		       r->rows[row].message != message)
			row++;
		r->event.rank = MIN(r->event.rank, event->rank);
		if (!*r->event.gt)
			memcpy(r->event.gt, event->gt, sizeof(event->gt));
		if (row && last)
			r->event.lines = event->line + event->lines - r->event.line;
		row = MIN(row, RECENT_ROWS - 1u);
		r->rows[row].message = message;
		r->event.repeats = MAX(r->event.repeats, r->rows[row].count);
		r->rows[row].count++;
		r->line = event->line;
		r->time = event->time;
		return true;
	}
	return false;
}

/* i915 up to 4.9 names the engine in a separate line before the hang's code or place. */
static bool completes(const struct gsc_event *a, const struct gsc_event *b)
{
	return a->kind == GSC_EVENT_HANG && b->kind == GSC_EVENT_HANG && *a->fault.engine &&
	       !a->has_code && (b->has_code || b->fault.type) && !strcmp(a->driver, b->driver) &&
	       same_text(a->fault.type, "stuck") &&
	       b->line <= a->line + a->lines + FOLLOWS &&
	       (!*b->fault.engine || !strcmp(a->fault.engine, b->fault.engine));
}

static void take_event(struct log *log, struct gsc_event *event)
{
	struct gsc_event *last = log_last(log);
	size_t message = same_text(event->fault.type, LOG_REPORT) ? SIZE_MAX : log->found;

	if (log->only_harmless != (event->rank == GSC_EVENT_HARMLESS))
		return;
	/* The first line of a longer message was quoted before its rule saw the others. */
	if (last && last->line >= event->line && same_text(last->fault.type, LOG_REPORT)) {
		log->recents--;
		last = log_last(log);
	}
	if (comes_again(log, event, message))
		return;
	if (last && completes(last, event)) {
		memcpy(event->fault.engine, last->fault.engine, sizeof(event->fault.engine));
		event->lines += event->line - last->line;
		event->line = last->line;
		event->log = last->log;
		event->log_length = last->log_length;
		log->recents--;
	}
	if (log->recents == RECENT)
		tell_oldest(log);
	log->recent[log->recents++] = (struct log_recent){
		.event = *event, .line = event->line, .time = event->time,
		.rows[0] = { message, 1 },
	};
}

/* ---- dumps ---------------------------------------------------------------------------------- */

/* "/sys/class/drm/card1/error", here or in the lines after it: which card "cardN" is. */
static void name_card(const struct log *log, struct gsc_event *event)
{
	const char *name = strstr(event->fault.text, "cardN");
	struct slice line = log->line, rest;
	char tail[sizeof(event->fault.text)];
	uint64_t card;

	for (unsigned i = 0; name && i <= FOLLOWS; i++) {
		if (text_after(line, "drm/card", &rest) && take_decimal(&rest, &card)) {
			string_set(tail, "%s", name + 5);
			event->fault.text[name - event->fault.text] = 0;
			log_add(event, "card%llu%s", LL(card), tail);
			return;
		}
		if (!log_line_after(log, line.end, &line))
			return;
	}
}

/* ---- the scan ------------------------------------------------------------------------------- */

#define HANDLER(name) [ON_##name] = name,
#define DECIDES(name) [ON_##name] = true,
static log_handler *const handlers[ON_HANDLERS] = { MESSAGE_ALONE(HANDLER)
						     MESSAGE_COMPLETES(HANDLER) };
static const bool alone[ON_HANDLERS] = { MESSAGE_ALONE(DECIDES) };

struct gsc_log {
	struct log log;
	char *plain;			/* the text, if it had to be cleaned */
};

/* Finds the message of a place, and what precedes it. */
static void find_message(struct gsc_log *l, const char *hit, struct gsc_event *event)
{
	struct log *log = &l->log;

	go_to(log, hit);
	log_device(log->prefix, event);
	log->found = finder_message(log->db, hit, log->end,
			       *event->driver ? event->driver : log_driver(log));
	gsc_message_at(log->db, log->found, &log->words);
	event->kind = log->words.kind;
	event->rank = log->words.rank;
	event->wedged = log->words.wedged;
	event->fault.type = *log->words.type ? log->words.type : NULL;
}

static void look(struct gsc_log *l, const char *hit)
{
	struct gsc_event event = { .lines = 1, .fault.source_id = -1 };
	struct log *log = &l->log;
	const struct gsc_message *words = &log->words;
	struct slice rest;

	find_message(l, hit, &event);
	rest.at = MIN(hit + strlen(words->words), log->line.end);
	cut_line(log, rest.at);
	rest.end = log->line.end;
	log->next = rest.at;
	text_gt(log->line, event.gt, sizeof(event.gt));
	event.line = log->number;
	event.log = log->line.at;
	event.log_length = (size_t)(log->line.end - log->line.at);
	/* Somebody else's words may have others in them, from the next byte on. */
	if ((*words->after && !slice_find(log->prefix, words->after)) ||
	    (!alone[words->handler] && !log_take_words(log, &event))) {
		log->next = hit + 1;
		return;
	}
	if (words->handler && !handlers[words->handler](log, rest, &event))
		return;
	if (!words->handler && words->use != MESSAGE_ANYONE)
		log_add_code(&event, rest);
	if (!*event.driver)
		string_set(event.driver, "%s", words->driver);
	if (!*event.gt)
		text_gt(slice_of(event.log, event.log_length), event.gt, sizeof(event.gt));
	log->has_quote = false;
	if (!*event.stamp)
		text_time(log->prefix, &event);
	if (event.kind == GSC_EVENT_DUMP)
		name_card(log, &event);
	log->next = log->message = MAX(log->next, log->line.end);
	event.fault.valid = event.kind == GSC_EVENT_FAULT || event.kind == GSC_EVENT_DMA_FAULT;
	take_event(log, &event);
}

/* ---- the text ------------------------------------------------------------------------------- */

/* Syslogs have blocks of NULs where a machine crashed. */
static bool is_text(const uint8_t *text, size_t size)
{
	size_t control = 0, other = 0;

	size = MIN(size, 65536);
	for (size_t i = 0; i < size; i++) {
		if (text[i] >= ' ' || strchr("\t\n\r\b\f\033", text[i]))
			other += text[i] != 0;
		else
			control++;
	}
	return !size || control < other / 20 + 1;
}

struct slice log_cleaned(const struct gsc_log *log)
{
	return (struct slice){ log->log.text, log->log.end };
}

enum gsc_status gsc_log_new(struct gsc_log **out, const struct gsc_db *db,
			    const struct gsc_view *view, const void *text, size_t size,
			    struct gsc_error *err)
{
	struct gsc_log *log;

	*out = NULL;
	if (!is_text(text, size) && !text_is_wide(text, size))
		return err_set(err, GSC_FAILED, "log", "this is not text");
	log = calloc(1, sizeof(*log));
	if (!log || !text_clean(&kernel_log_words, text, size, &log->plain, &size))
		goto memory;
	/* Editors and tables put tabs where a message has blanks. */
	if (!log->plain && size && memchr(text, '\t', size)) {
		log->plain = malloc(size);
		if (!log->plain)
			goto memory;
		memcpy(log->plain, text, size);
	}
	for (size_t i = 0; log->plain && i < size; i++)
		if (log->plain[i] == '\t')
			log->plain[i] = ' ';
	log->log.db = db;
	log->log.text = log->plain ? log->plain : text;
	log->log.end = log->log.text + size;
	gsc_log_rewind(log, view);
	*out = log;
	return GSC_OK;
memory:
	gsc_log_free(log);
	return err_memory(err);
}

void gsc_log_rewind(struct gsc_log *l, const struct gsc_view *view)
{
	struct log *log = &l->log, old = *log;

	*log = (struct log){
		.db = old.db,
		.view = view,
		.text = old.text,
		.end = old.end,
		.line_start = old.text,
		.line_end = old.end > old.text ? line_end(old.text, old.end) : old.end,
		.next = old.text,
		.message = old.text,
		.number = 1,
		.gpus = old.gpus,
		.gpus_known = old.gpus_known,
		.others_known = old.others_known,
		.is_others = old.is_others,
	};
}

void gsc_log_rewind_harmless(struct gsc_log *log, const struct gsc_view *view)
{
	gsc_log_rewind(log, view);
	log->log.only_harmless = true;
}

bool gsc_log_next(struct gsc_log *l, struct gsc_event *event)
{
	struct log *log = &l->log;
	const char *hit;

	log->out = event;
	while (log->out) {
		hit = finder_next(log->db, log->next, log->end);
		/* The line of a quote has no more words of rules; these are found again. */
		if (log->has_quote && (hit == log->end || hit > log->line_end)) {
			log->has_quote = false;
			take_event(log, &log->quote);
		} else if (hit < log->end) {
			look(l, hit);
		} else {
			break;
		}
	}
	if (log->out)
		tell_oldest(log);
	return !log->out;
}

void gsc_log_free(struct gsc_log *log)
{
	if (!log)
		return;
	vec_free(&log->log.gpus);
	free(log->plain);
	free(log);
}

/* ---- whether it is a log ------------------------------------------------------------------- */

/*
 * "drm_err(&i915->drm, "Failed to reset GuC, ret = %d\n", ret);" is no message: the source of a
 * program has them.
 */
static bool is_source_code(const struct gsc_event *event)
{
	struct slice line = { event->log, event->log + event->log_length };

	for (const char *at = line.at; line.end - at > 1; at++)
		if ((*at == '%' && (is_letter(at[1]) || at[1] == '#')) ||
		    (*at == '\\' && at[1] == 'n'))
			return true;
	return false;
}

bool log_has_messages(const struct gsc_db *db, const void *text, size_t size)
{
	struct gsc_error ignored = { 0 };
	struct gsc_event event;
	struct gsc_log *log;
	bool found = false;

	/* Its comments may show messages, too. */
	if (memmem(text, size, "\n#include ", 10) ||
	    gsc_log_new(&log, db, NULL, text, size, &ignored))
		return false;
	while (!found && gsc_log_next(log, &event))
		found = !is_source_code(&event);
	gsc_log_free(log);
	return found;
}

/* ---- which platform ------------------------------------------------------------------------- */

bool gsc_log_platform(const struct gsc_log *log, struct gsc_platform *platform, int *device)
{
	return log->log.end > log->log.text &&
	       kernel_log_platform(log->log.db, (struct slice){ log->log.text, log->log.end },
				   platform, device);
}
