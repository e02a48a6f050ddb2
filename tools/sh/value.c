/* SPDX-License-Identifier: MIT */
/* Values: of fields by their words, and waiting for one. */
#include "sh.h"

#include "expr.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMEOUT_DEFAULT 10000
#define POLL_NANOSECONDS 1000000

/* ---- words of values ------------------------------------------------------------------------ */

/* "stop-ed", "invalid PDA": as names of values are, and no register in an expression. */
static bool is_value_word(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_- ", *text))
			return false;
	return true;
}

static unsigned target_width(const struct target *target)
{
	return target->has_field ? target->field.hi - target->field.lo + 1 : target->row.reg.bits;
}

/* As a write of it would be refused. */
static enum gsc_status check_fit(const struct target *target, const char *text, uint64_t value,
				 struct gsc_error *err)
{
	unsigned width = target_width(target);
	char why[64];

	if (!width || width >= 64 || !(value >> width))
		return GSC_OK;
	snprintf(why, sizeof(why), "does not fit: %s has %u bit%s",
		 target->has_field ? "the field" : "the register", width, width == 1 ? "" : "s");
	return usage_error(err, text, "%s", why);
}

/* The bits of ~0x20 beyond a register of 32 bits, or 16 masked ones, are only its sign. */
static uint64_t without_sign(const struct target *target, uint64_t value)
{
	unsigned width = target_width(target);
	uint64_t above;

	if (!target->has_field && target->row.reg.access & GSC_MASKED)
		width = 16;
	above = width && width < 64 ? UINT64_MAX << width : 0;
	return (value & above) == above ? value & ~above : value;
}

enum gsc_status target_value(struct shell *shell, const struct target *target, const char *text,
			     uint64_t *value, struct gsc_error *err)
{
	enum gsc_status status;

	if (gsc_parse_number(text, value) ||
	    (target->has_field && word_value(&shell->common, target, text, value)))
		return GSC_OK;
	status = *text ? value_of(shell, text, value, err) : GSC_UNKNOWN;
	/* An unknown word may be meant as a value. */
	if (status == GSC_UNKNOWN &&
	    (name_size(text) == strlen(text) || (target->has_field && is_value_word(text))))
		return not_a_value(&shell->common, target, text, err);
	if (!status)
		*value = without_sign(target, *value);
	return status;
}

/* ---- wait ----------------------------------------------------------------------------------- */

struct waiting {
	struct target target;
	char *name, *comparison;
	uint64_t value, timeout;	/* milliseconds */
	struct gsc_gpu *gpu;

	/* What came of it. */
	bool met;
	uint64_t last, passed;
	enum gsc_read read;
	enum gsc_status status;
	struct gsc_error err;
};

/* Nothing else is taken from a child that may have read untrusted bytes. */
static void take_result(struct waiting *w, const struct waiting *asked)
{
	struct waiting done = *asked;

	done.met = w->met;
	done.last = w->last;
	done.passed = w->passed;
	done.read = w->read;
	done.status = w->status;
	done.err = w->err;
	done.err.what[sizeof(done.err.what) - 1] = done.err.why[sizeof(done.err.why) - 1] = 0;
	*w = done;
}

bool parse_time(const char *text, uint64_t *milliseconds)
{
	static const struct {
		const char *unit;
		uint64_t milliseconds;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "", 1000 } };
	double number;
	char *end;

	if (!*text || !strchr("0123456789.", *text))
		return false;
	number = strtod(text, &end);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit) && number * (double)units[i].milliseconds < 1e9) {
			*milliseconds = (uint64_t)(number * (double)units[i].milliseconds);
			return true;
		}
	return false;
}

static bool compare(const struct waiting *w)
{
	uint64_t value = w->last;

	switch (*w->comparison) {
	case '=':
		return value == w->value;
	case '!':
		return value != w->value;
	case '<':
		return value < w->value;
	case '>':
		return value > w->value;
	default:
		return value & w->value;
	}
}

static void read_once(struct waiting *w)
{
	struct gsc_rows_options options = { .unsafe = true, .keep = true };
	struct gsc_rows *rows;
	struct gsc_error err;
	struct gsc_row row;

	w->read = GSC_READ_ABSENT;
	if (gsc_rows_read(&rows, w->target.selection, w->gpu, &options, &err))
		return;
	gsc_rows_at(rows, 0, &row);
	w->read = row.status;
	w->last = w->target.has_field ? field_bits(&w->target.field, row.value) : row.value;
	gsc_rows_free(rows);
}

static enum gsc_status timed_out(const struct waiting *w, struct gsc_error *err)
{
	*err = (struct gsc_error){ .status = GSC_UNKNOWN };
	snprintf(err->what, sizeof(err->what), "%.100s %s 0x%llx", w->name, w->comparison,
		 (unsigned long long)w->value);
	if (w->read == GSC_READ_OK)
		snprintf(err->why, sizeof(err->why), "not within %llu.%03u s, it is 0x%llx",
			 (unsigned long long)(w->timeout / 1000), (unsigned)(w->timeout % 1000),
			 (unsigned long long)w->last);
	else
		snprintf(err->why, sizeof(err->why), "not within %llu.%03u s, it is %s",
			 (unsigned long long)(w->timeout / 1000), (unsigned)(w->timeout % 1000),
			 gsc_read_word(w->read));
	return GSC_UNKNOWN;
}

static void poll_value(struct waiting *w)
{
	const struct timespec pause = { 0, POLL_NANOSECONDS };
	uint64_t start = milliseconds_now();

	for (;;) {
		read_once(w);
		w->passed = milliseconds_now() - start;
		w->met = w->read == GSC_READ_OK && compare(w);
		if (w->met || w->passed >= w->timeout)
			return;
		if (signal_seen()) {
			w->status = GSC_FAILED;
			return;
		}
		nanosleep(&pause, NULL);
	}
}

static void work_wait(struct shell *shell, void *context)
{
	struct waiting *w = context;

	w->status = session_open(shell, shell->writes, &w->gpu, &w->err);
	if (!w->status)
		poll_value(w);
	session_close(w->gpu);
}

KEYS(wait, "value, last: of the field, where one is named. last: what was read last; null where "
     "status is not ok. after: seconds.",
     RULE("'if': {'properties': {'status': {'const': 'ok'}}},"
	  "'then': {'properties': {'last': {'type': 'string'}}},"
	  "'else': {'properties': {'last': {'type': 'null'}, 'met': {'const': false}}}"))
static void put_event(struct shell *shell, const struct waiting *w)
{
	const struct gsc_reg *reg = &w->target.row.reg;
	struct gsc_json *json = event_begin(shell);

	KEY(text, "event", "wait", ONE_OF("wait"));
	KEY(text, "name", w->name, MIN_LENGTH(1));
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(number, "size", reg->bits / 8, ONE_OF(1, 2, 4, 8));
	KEY(text, "comparison", w->comparison, ONE_OF("==", "!=", "<", ">", "&"));
	KEY(hex, "value", w->value);
	KEY(flag, "met", w->met);
	KEY(text, "status", gsc_read_word(w->read), ONE_OF(gsc_read_word));
	KEY_OR_NULL(w->read == GSC_READ_OK, hex, "last", w->last);
	KEY(seconds, "after", w->passed);
	event_end(shell);
}

static void put_wait(struct shell *shell, const struct waiting *w)
{
	if (wants_json(&shell->common))
		put_event(shell, w);
	else if (w->met && !shell->common.quiet)
		gsc_out_format(shell->common.out, "%s %s 0x%llx after %llu.%03u s\n", w->name,
			       w->comparison, (unsigned long long)w->value,
			       (unsigned long long)(w->passed / 1000),
			       (unsigned)(w->passed % 1000));
}

static enum gsc_status do_wait(struct shell *shell, struct waiting *w, struct gsc_error *err)
{
	const struct waiting asked = *w;
	bool ended = child_work(shell, true, work_wait, w);

	take_result(w, &asked);
	if (!ended) {
		*err = (struct gsc_error){ .status = GSC_GONE };
		snprintf(err->what, sizeof(err->what), "%.100s", w->name);
		snprintf(err->why, sizeof(err->why), "the source has gone away");
		return GSC_GONE;
	}
	if (w->status) {
		*err = w->err;
		return w->status;
	}
	put_wait(shell, w);
	return w->met ? GSC_OK : timed_out(w, err);
}

/* The words of a value are one, as in a write: they are merged into the first. */
static bool join_words(struct words *words, size_t first, size_t end)
{
	size_t size = 1;
	char *joined;

	for (size_t i = first; i < end; i++)
		size += strlen(words->items[i]) + 1;
	joined = calloc(1, size);
	if (!joined)
		return false;
	for (size_t i = first; i < end; i++) {
		strcat(joined, i > first ? " " : "");
		strcat(joined, words->items[i]);
	}
	free(words->items[first]);
	words->items[first] = joined;
	return true;
}

/* "NAME:FIELD == V timeout 1s" */
static enum gsc_status read_words(struct shell *shell, struct words *words, struct waiting *w,
				  struct gsc_error *err)
{
	static const char *const comparisons[] = { "==", "!=", "<", ">", "&" };
	bool timed = words->count > 4 && !strcmp(words->items[words->count - 2], "timeout");
	bool known = false;
	enum gsc_status status;

	if (words->count < 3)
		return usage_error(err, "wait", "expected NAME == V [timeout 1s]");
	w->name = words->items[0];
	w->comparison = words->items[1];
	w->timeout = TIMEOUT_DEFAULT;
	for (size_t i = 0; i < ARRAY_SIZE(comparisons); i++)
		known |= !strcmp(comparisons[i], w->comparison);
	if (!known)
		return usage_error(err, w->comparison, "expected == != < > or &");
	if (timed && !parse_time(words->items[words->count - 1], &w->timeout))
		return usage_error(err, words->items[words->count - 1],
				   "expected a time such as 1s or 500ms");
	if (!join_words(words, 2, words->count - (timed ? 2 : 0)))
		return err_memory(err);
	status = target_open(&shell->common, w->name, &w->target, err);
	if (!status)
		status = look_allowed(shell, w->target.selection, w->name, err);
	if (!status)
		status = target_value(shell, &w->target, words->items[2], &w->value, err);
	return status ? status : check_fit(&w->target, words->items[2], w->value, err);
}

enum gsc_status wait_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct waiting *w = child_context(sizeof(*w));
	struct words words;
	enum gsc_status status;

	if (!w)
		return err_memory(err);
	status = words_split(&words, rest, err);
	if (!status)
		status = session_need(shell, err);
	if (!status)
		status = read_words(shell, &words, w, err);
	if (!status)
		status = do_wait(shell, w, err);
	target_close(&w->target);
	words_free(&words);
	child_context_free(w, sizeof(*w));
	return status;
}
