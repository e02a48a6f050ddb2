/* SPDX-License-Identifier: MIT */
/* Waiting for the value of a register; and reading one, which is to wait for any value. */
#include "sh.h"

#include "regs/regs.h"
#include "util/number.h"

#define TIMEOUT_DEFAULT 10000
#define POLL_NANOSECONDS 1000000

/* What the child is asked is not taken from it again: it may have read untrusted bytes. */
struct waiting {
	struct target target;
	char name[TARGET_MAX];
	const char *comparison;		/* NULL: any value will do */
	uint64_t value, timeout;	/* milliseconds */
	struct waited {
		bool met;
		uint64_t last, passed;
		enum gsc_read read;
		enum gsc_status status;
		struct gsc_error err;
	} result;
};

static bool compare(const struct waiting *w, uint64_t value)
{
	switch (w->comparison ? *w->comparison : 0) {
	case '=':
		return value == w->value;
	case '!':
		return value != w->value;
	case '<':
		return value < w->value;
	case '>':
		return value > w->value;
	case '&':
		return value & w->value;
	default:
		return true;
	}
}

static void poll_value(struct waiting *w, const struct gsc_gpu *gpu)
{
	const struct gsc_rows_options options = { .unsafe = true, .keep = true };
	const struct timespec pause = { 0, POLL_NANOSECONDS };
	uint64_t start = milliseconds_now();
	struct waited *result = &w->result;
	struct gsc_rows *rows;
	struct gsc_row row;

	for (;;) {
		result->read = GSC_READ_ABSENT;
		if (!gsc_rows_read(&rows, w->target.selection, gpu, &options, &result->err)) {
			gsc_rows_at(rows, 0, &row);
			result->read = row.status;
			result->last = w->comparison && w->target.has_field ?
					       field_bits(&w->target.field, row.value) : row.value;
			gsc_rows_free(rows);
		}
		result->passed = milliseconds_now() - start;
		result->met = result->read == GSC_READ_OK && compare(w, result->last);
		if (result->met || result->passed >= w->timeout)
			return;
		if (signal_seen) {
			result->status = GSC_FAILED;
			result->err.why[0] = 0;
			return;
		}
		nanosleep(&pause, NULL);
	}
}

static void work_wait(struct shell *shell, void *context)
{
	struct waiting *w = context;
	struct gsc_gpu *gpu;

	w->result.status = session_open(shell, shell->writes && !shell->dry_run, &gpu,
					&w->result.err);
	if (!w->result.status)
		poll_value(w, gpu);
	session_close(gpu);
}

/* In a child that sees a copy of what it is asked. */
static enum gsc_status do_wait(struct shell *shell, struct waiting *w, struct gsc_error *err)
{
	struct waiting *asked = shared_new(sizeof(*asked));
	bool ended;

	if (!asked)
		return err_memory(err);
	*asked = *w;
	ended = child_work(shell, true, work_wait, asked);
	w->result = asked->result;
	shared_free(asked, sizeof(*asked));
	if (!ended)
		return err_set(err, GSC_GONE, w->name, "the source has gone away");
	return child_error(&w->result.err, w->result.status, err);
}

enum gsc_status register_read(struct shell *shell, const struct target *target, const char *name,
			      uint64_t *value, struct gsc_error *err)
{
	struct waiting w = { .target = *target };
	enum gsc_status status;

	string_set(w.name, "%s", name);
	status = do_wait(shell, &w, err);
	*value = w.result.last;
	if (status || w.result.met)
		return status;
	return err_set(err, GSC_UNKNOWN, name, "%s", gsc_read_word(w.result.read));
}

/* ---- the verb ------------------------------------------------------------------------------- */

/* "1s", "500ms", "2m"; seconds without a unit */
static bool parse_time(const char *text, uint64_t *milliseconds)
{
	static const struct {
		const char *unit;
		double milliseconds;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "m", 60000 }, { "", 1000 } };
	double number;
	char *end;

	if (!*text || !strchr("0123456789.", *text))
		return false;
	number = strtod(text, &end);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit) && number * units[i].milliseconds < 1e9) {
			*milliseconds = (uint64_t)(number * units[i].milliseconds);
			return true;
		}
	return false;
}

/* "NAME:FIELD == V timeout 1s" */
static enum gsc_status read_words(struct shell *shell, const struct words *words,
				  struct waiting *w, struct gsc_error *err)
{
	static const char *const comparisons[] = { "==", "!=", "<", ">", "&" };
	bool timed = words->count > 4 && !strcmp(words->items[words->count - 2], "timeout");
	const struct target *target = &w->target;
	enum gsc_status status;
	size_t known = 0;
	unsigned width;
	char *value;

	if (words->count < 3)
		return usage_error(err, "wait", "expected NAME == V [timeout 1s]");
	string_set(w->name, "%s", words->items[0]);
	w->comparison = words->items[1];
	w->timeout = TIMEOUT_DEFAULT;
	while (known < ARRAY_SIZE(comparisons) && strcmp(comparisons[known], w->comparison))
		known++;
	if (known == ARRAY_SIZE(comparisons))
		return usage_error(err, w->comparison, "expected == != < > or &");
	if (timed && !parse_time(words->items[words->count - 1], &w->timeout))
		return usage_error(err, words->items[words->count - 1],
				   "expected a time such as 1s or 500ms");
	status = target_open(&shell->common, w->name, &w->target, err);
	if (!status)
		status = read_allowed(shell, w->target.selection, w->name, err);
	value = status ? NULL : words_join(words, 2, words->count - (timed ? 2 : 0));
	if (!status && !value)
		status = err_memory(err);
	/* A number, or the word for a value of the field, which may be several words; it fits. */
	if (!status && !gsc_parse_number(value, &w->value) &&
	    !(target->has_field && word_value(&shell->common, target, value, &w->value)))
		status = not_a_value(&shell->common, target, value, err);
	width = target->has_field ? target->field.hi - target->field.lo + 1 : target->row.reg.bits;
	if (!status && width && width < 64 && w->value >> width)
		status = err_set(err, GSC_USAGE, value, "does not fit: the %s has %u bit%s",
				 target->has_field ? "field" : "register", width,
				 width == 1 ? "" : "s");
	free(value);
	return status;
}

KEYS(wait, "value, last: of the field, where one is named. last: what was read last; null where "
     "status is not ok. after: seconds.",
     RULE("'if': {'properties': {'status': {'const': 'ok'}}},"
	  "'then': {'properties': {'last': {'type': 'string'}}},"
	  "'else': {'properties': {'last': {'type': 'null'}, 'met': {'const': false}}}"))
static void put_event(struct shell *shell, const struct waiting *w)
{
	const struct gsc_reg *reg = &w->target.row.reg;
	const struct waited *result = &w->result;
	struct gsc_json *json = event_begin(shell);

	KEY(text, "event", "wait", ONE_OF("wait"));
	KEY(text, "name", w->name, MIN_LENGTH(1));
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(number, "size", reg->bits / 8, ONE_OF(1, 2, 4, 8));
	KEY(text, "comparison", w->comparison, ONE_OF("==", "!=", "<", ">", "&"));
	KEY(hex, "value", w->value);
	KEY(flag, "met", result->met);
	KEY(text, "status", gsc_read_word(result->read), ONE_OF(gsc_read_word));
	KEY_OR_NULL(result->read == GSC_READ_OK, hex, "last", result->last);
	KEY(thousandths, "after", result->passed);
	event_end(shell);
}

static enum gsc_status put_wait(struct shell *shell, const struct waiting *w, struct gsc_error *err)
{
	const struct waited *result = &w->result;
	unsigned long long milliseconds = result->met ? result->passed : w->timeout;
	char what[TARGET_MAX + 30], time[40], last[30];

	string_set(what, "%.100s %s 0x%llx", w->name, w->comparison, LL(w->value));
	string_set(time, "%llu.%03u s", milliseconds / 1000, (unsigned)(milliseconds % 1000));
	string_set(last, "0x%llx", LL(result->last));
	if (wants_json(&shell->common))
		put_event(shell, w);
	else if (result->met && !shell->common.quiet)
		gsc_out_format(shell->common.out, "%s after %s\n", what, time);
	return result->met ? GSC_OK :
	       err_set(err, GSC_UNKNOWN, what, "not within %s, it is %s", time,
		       result->read == GSC_READ_OK ? last : gsc_read_word(result->read));
}

enum gsc_status wait_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	struct waiting w = { 0 };
	enum gsc_status status = session_need(shell, err);

	if (!status)
		status = read_words(shell, words, &w, err);
	if (!status)
		status = do_wait(shell, &w, err);
	if (!status)
		status = put_wait(shell, &w, err);
	target_close(&w.target);
	return status;
}
