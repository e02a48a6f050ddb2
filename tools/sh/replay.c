/* SPDX-License-Identifier: MIT */
/*
 * Repeats the writes of a saved journal. It is no script: its lines are writes of plain values,
 * reads, the platform and comments, and nothing else in it is executed. A write says what was there
 * before, "# was 0x11, of 0xff". All lines are checked before the first write.
 */
#include "sh.h"

#include "util/number.h"

#define WHITE " \t\r"

/* What a line does. */
struct step {
	char *target, *value;		/* value NULL: it is only read */
	enum gsc_write_operation operation;
	bool forced;			/* it was written with force */
	bool has_old;
	uint64_t old, bits;
	unsigned line;
};

/* Bits that earlier writes have set no longer have the old value. */
struct seen {
	enum gsc_space space;
	uint64_t offset, bits;
};

struct replay {
	struct shell *shell;
	const char *path;
	VEC(struct step) steps;
	VEC(struct seen) seen;
};

/* ---- lines ---------------------------------------------------------------------------------- */

/* A command of another kind, with the way to execute it all the same. */
static enum gsc_status no_journal(const struct replay *r, const char *line, struct gsc_error *err)
{
	char what[64];

	string_set(what, "%s", line);
	return err_set(err, GSC_USAGE, what, "not what journal save writes: nothing was replayed; "
		       "to run a script: source %.200s", r->path);
}

static bool take_keyword(char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) || !(*text)[length] || !strchr(WHITE, (*text)[length]))
		return false;
	*text += length + strspn(*text + length, WHITE);
	return true;
}

/* A write of a number, or of the word of a field's value; or a register to be read. */
static enum gsc_status read_step(struct replay *r, char *line, struct step *step,
				 struct gsc_error *err)
{
	struct common *common = &r->shell->common;
	struct target target;
	enum gsc_status status;
	const char *value;
	char *text = line;
	uint64_t number;
	size_t length;

	step->forced = take_keyword(&text, "force");
	if (assigns(text, &length, &step->operation, &value))
		step->value = strdup(value);
	else if (!step->forced && !text[strcspn(text, WHITE)])
		length = strlen(text);
	else
		return no_journal(r, line, err);
	step->target = strndup(text, length);
	if (!step->target)
		return err_memory(err);
	status = target_open(common, step->target, &target, err);
	if (status)
		return step->value ? status : no_journal(r, line, err);
	if (step->value && !gsc_parse_number(step->value, &number) &&
	    !(target.has_field && word_value(common, &target, step->value, &number)))
		status = no_journal(r, line, err);
	target_close(&target);
	return status;
}

static enum gsc_status read_line(struct replay *r, char *line, unsigned number,
				 struct gsc_error *err)
{
	struct step *step;
	size_t end = comment_start(line);
	unsigned long long was, of;
	struct words platform;
	enum gsc_status status;
	char *text = line + strspn(line, WHITE);
	bool known = sscanf(line + end, "# was 0x%llx, of 0x%llx", &was, &of) == 2;

	take_place(r->shell, r->path, number);
	while (end && strchr(WHITE, line[end - 1]))
		end--;
	line[end] = 0;
	if (text >= line + end)
		return GSC_OK;
	if (take_keyword(&text, "platform")) {
		status = words_split(&platform, text, err);
		if (!status)
			status = platform_run(r->shell, &platform, err);
		words_free(&platform);
		return status;
	}
	step = vec_add(&r->steps);
	if (!step)
		return err_memory(err);
	*step = (struct step){ .line = number, .has_old = known };
	if (known) {
		step->old = was;
		step->bits = of;
	}
	return read_step(r, text, step, err);
}

/* ---- checks --------------------------------------------------------------------------------- */

/* With force it is only a warning. */
static enum gsc_status object(struct replay *r, const struct step *step, const char *why,
			      struct gsc_error *err)
{
	bool force = r->shell->force;

	err_set(err, GSC_USAGE, step->target, "%.250s: %s%.200s", why,
		force ? "written anyway" : "nothing was replayed; to go on: force replay ",
		force ? "" : r->path);
	if (!force)
		return GSC_USAGE;
	warn(&r->shell->common, err->what, err->why);
	err->why[0] = 0;
	return GSC_OK;
}

static enum gsc_status check_old(struct replay *r, const struct step *step,
				 const struct target *target, struct gsc_error *err)
{
	const struct gsc_reg *reg = &target->row.reg;
	struct seen *seen = r->seen.items, *end = seen + r->seen.count;
	uint64_t bits, now;
	char why[300];

	while (seen < end && (seen->space != reg->space || seen->offset != reg->offset))
		seen++;
	if (seen == end) {
		seen = vec_add(&r->seen);
		if (!seen)
			return err_memory(err);
		*seen = (struct seen){ .space = reg->space, .offset = reg->offset };
	}
	bits = step->bits & ~seen->bits;
	seen->bits |= bits;
	if (!step->has_old)
		return object(r, step, "has no old value (# was), which is compared", err);
	if (!bits)
		return GSC_OK;
	if (register_read(r->shell, target, step->target, &now, err)) {
		if (err_is_memory(err))
			return err->status;
		string_set(why, "cannot be compared: %.250s", err->why);
	} else if ((now ^ step->old) & bits) {
		string_set(why, "it was 0x%llx and is 0x%llx",
			   LL(step->old & bits), LL(now & bits));
	} else {
		return GSC_OK;
	}
	return object(r, step, why, err);
}

static enum gsc_status check_write(struct replay *r, const struct step *step, struct gsc_error *err)
{
	struct target target;
	enum gsc_status status = target_open(&r->shell->common, step->target, &target, err);

	if (status)
		return status;
	if (step->forced && !r->shell->force)
		status = object(r, step, "was written with force", err);
	if (!status)
		status = check_old(r, step, &target, err);
	if (!status) {
		status = write_check(r->shell, step->target, step->operation, step->value, err);
		if (status)
			string_add(err->why, "; nothing was replayed");
	}
	target_close(&target);
	return status;
}

static enum gsc_status check_steps(struct replay *r, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < r->steps.count && !signal_seen; i++) {
		const struct step *step = &r->steps.items[i];

		take_place(r->shell, r->path, step->line);
		if (!step->value)
			continue;
		status = check_write(r, step, err);
		if (status)
			event_refused(r->shell, step->target, operation_word(step->operation),
				      step->value, status, err);
	}
	return status;
}

/* ---- the writes ----------------------------------------------------------------------------- */

/* What is written although it reads back changed is no reason to stop. */
static enum gsc_status run_steps(struct replay *r, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK, now;

	for (size_t i = 0; i < r->steps.count && (!status || status == GSC_PARTIAL) &&
	     !signal_seen; i++) {
		const struct step *step = &r->steps.items[i];
		struct line line = { 0 };

		take_place(r->shell, r->path, step->line);
		if (asprintf(&line.text, "%s%s%s%s%s", step->target, step->value ? " " : "",
			     step->value ? operation_word(step->operation) : "",
			     step->value ? " " : "", step->value ? step->value : "") < 0)
			return err_memory(err);
		now = line_run(r->shell, &line, err);
		free(line.text);
		status = status && !now ? status : now;
	}
	return status;
}

enum gsc_status replay_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	struct replay r = { .shell = shell };
	char place[sizeof(shell->place)], full[4096], *text, *at;
	enum gsc_status status;
	unsigned number = 1;

	if (!shell->writes && !shell->dry_run)
		return usage_error(err, words->items[0], "not replayed: start gpu-sh with --write");
	r.path = path_home(words->items[0], full, sizeof(full));
	text = script_read(r.path, err);
	if (!text)
		return GSC_FAILED;
	memcpy(place, shell->place, sizeof(place));
	status = session_need(shell, err);
	for (at = text; !status && *at && !signal_seen; number++) {
		size_t length = strcspn(at, "\n");
		char *line = strndup(at, length);

		status = line ? read_line(&r, line, number, err) : err_memory(err);
		free(line);
		at += length + (at[length] != 0);
	}
	if (!status)
		status = check_steps(&r, err);
	if (!status && !signal_seen)
		status = run_steps(&r, err);
	if (status)
		shell_tell(shell, err);
	memcpy(shell->place, place, sizeof(place));
	for (size_t i = 0; i < r.steps.count; i++) {
		free(r.steps.items[i].target);
		free(r.steps.items[i].value);
	}
	vec_free(&r.steps);
	vec_free(&r.seen);
	free(text);
	return signal_seen ? GSC_FAILED : status;
}
