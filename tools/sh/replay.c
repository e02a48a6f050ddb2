/* SPDX-License-Identifier: MIT */
/*
 * Repeats the writes of a saved journal. It is no script: its lines are writes of plain values,
 * reads, the platform and comments, and nothing else in it is executed. A write says what was there
 * before, "# was 0x11, of 0xff". All lines are checked before the first write.
 */
#include "sh.h"

#include "expr.h"
#include "util/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"
#define WAS "# was "
#define FORCE "force"

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
	struct step *steps;
	struct seen *seen;
	size_t count, seen_count;
};

static void take_place(struct replay *r, unsigned line)
{
	snprintf(r->shell->place, sizeof(r->shell->place), "%s: %.200s:%u", SHELL_NAME, r->path,
		 line);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* "0x11, of 0xff" */
static void read_was(const char *comment, struct step *step)
{
	unsigned long long was, of;

	if (sscanf(comment, WAS "0x%llx, of 0x%llx", &was, &of) != 2)
		return;
	step->has_old = true;
	step->old = was;
	step->bits = of;
}

/* A command of another kind, with the way to execute it all the same. */
static enum gsc_status no_journal(const struct replay *r, const char *line, struct gsc_error *err)
{
	char what[64], why[320];

	snprintf(what, sizeof(what), "%s", line);
	snprintf(why, sizeof(why), "not what journal save writes: nothing was replayed; to run a "
				   "script: source %.200s", r->path);
	return usage_error(err, what, "%s", why);
}

static bool is_word(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length) || !(*text)[length] || !strchr(BLANKS, (*text)[length]))
		return false;
	*text += length + strspn(*text + length, BLANKS);
	return true;
}

/* A number, or the word of a field's value; never an expression. */
static bool is_plain(struct shell *shell, const struct step *step, const struct target *target)
{
	uint64_t value;

	return gsc_parse_number(step->value, &value) ||
	       (target->has_field && word_value(&shell->common, target, step->value, &value));
}

static enum gsc_status open_step(const struct replay *r, const struct step *step,
				 struct target *target, struct gsc_error *err)
{
	if (strlen(step->target) >= EXPR_NAME_MAX)
		return usage_error(err, step->target, "too long for a name");
	return target_open(&r->shell->common, step->target, target, err);
}

static enum gsc_status read_step(struct replay *r, const char *line, struct step *step,
				 struct gsc_error *err)
{
	struct target target;
	enum gsc_status status;
	const char *text = line;

	step->forced = is_word(&text, FORCE);
	if (!assignment_read(text, &step->target, &step->operation, &step->value) &&
	    !step->forced && !text[strcspn(text, BLANKS)])
		step->target = strdup(text);
	else if (!step->target)
		return no_journal(r, line, err);
	if (!step->target)
		return err_memory(err);
	status = open_step(r, step, &target, err);
	if (status)
		return step->value ? status : no_journal(r, line, err);
	if (step->value && !is_plain(r->shell, step, &target))
		status = no_journal(r, line, err);
	target_close(&target);
	return status;
}

static enum gsc_status add_step(struct replay *r, const char *line, const struct step *made,
				struct gsc_error *err)
{
	struct step *grown = realloc(r->steps, (r->count + 1) * sizeof(*grown));

	if (!grown)
		return err_memory(err);
	r->steps = grown;
	grown[r->count] = *made;
	return read_step(r, line, &grown[r->count++], err);
}

static enum gsc_status read_line(struct replay *r, char *line, unsigned number,
				 struct gsc_error *err)
{
	struct step step = { .line = number };
	size_t end = comment_start(line);
	const char *text;

	take_place(r, number);
	read_was(line + end, &step);
	while (end && strchr(BLANKS, line[end - 1]))
		end--;
	line[end] = 0;
	text = line + strspn(line, BLANKS);
	if (!*text)
		return GSC_OK;
	return is_word(&text, "platform") ? platform_run(r->shell, text, err)
					  : add_step(r, text, &step, err);
}

static enum gsc_status read_text(struct replay *r, const char *text, struct gsc_error *err)
{
	enum gsc_status status = session_need(r->shell, err);

	for (unsigned number = 1; !status && *text && !signal_seen(); number++) {
		size_t length = strcspn(text, "\n");
		char *line = strndup(text, length);

		status = line ? read_line(r, line, number, err) : err_memory(err);
		free(line);
		text += length + (text[length] != 0);
	}
	return status;
}

/* ---- checks --------------------------------------------------------------------------------- */

static struct seen *find_seen(struct replay *r, const struct gsc_reg *reg)
{
	struct seen *grown;

	for (size_t i = 0; i < r->seen_count; i++)
		if (r->seen[i].space == reg->space && r->seen[i].offset == reg->offset)
			return &r->seen[i];
	grown = realloc(r->seen, (r->seen_count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	r->seen = grown;
	grown[r->seen_count] = (struct seen){ .space = reg->space, .offset = reg->offset };
	return &grown[r->seen_count++];
}

/* With force it is only a warning. */
static enum gsc_status object(struct replay *r, const struct step *step, const char *why,
			      struct gsc_error *err)
{
	bool force = r->shell->force;

	*err = (struct gsc_error){ .status = GSC_USAGE };
	snprintf(err->what, sizeof(err->what), "%.150s", step->target);
	snprintf(err->why, sizeof(err->why), "%.250s: %s%.200s", why,
		 force ? "written anyway" : "nothing was replayed; to go on: force replay ",
		 force ? "" : r->path);
	if (!force)
		return GSC_USAGE;
	warn(&r->shell->common, err->what, err->why);
	err->why[0] = 0;
	return GSC_OK;
}

/* The register without the field, whose bits are known. */
static enum gsc_status read_now(struct replay *r, const struct step *step,
				const struct target *target, uint64_t *now, struct gsc_error *err)
{
	char buf[EXPR_NAME_MAX], name[EXPR_NAME_MAX], *colon;

	snprintf(name, sizeof(name), "%s",
		 colon_text(&r->shell->common, step->target, buf, sizeof(buf)));
	colon = target->has_field ? strrchr(name, ':') : NULL;
	if (colon)
		*colon = 0;
	return register_value(r->shell, name, now, err);
}

static enum gsc_status check_old(struct replay *r, const struct step *step,
				 const struct target *target, struct gsc_error *err)
{
	struct seen *seen = find_seen(r, &target->row.reg);
	uint64_t bits, now;
	enum gsc_status status;
	char why[300];

	if (!seen)
		return err_memory(err);
	bits = step->bits & ~seen->bits;
	seen->bits |= bits;
	if (!step->has_old)
		return object(r, step, "has no old value (# was), which is compared", err);
	if (!bits)
		return GSC_OK;
	status = read_now(r, step, target, &now, err);
	if (err_is_memory(err))
		return status;
	if (status)
		snprintf(why, sizeof(why), "cannot be compared: %.250s", err->why);
	else if ((now ^ step->old) & bits)
		snprintf(why, sizeof(why), "it was 0x%llx and is 0x%llx",
			 (unsigned long long)(step->old & bits), (unsigned long long)(now & bits));
	else
		return GSC_OK;
	return object(r, step, why, err);
}

static enum gsc_status check_write(struct replay *r, const struct step *step,
				   struct gsc_error *err)
{
	struct target target;
	enum gsc_status status = open_step(r, step, &target, err);
	size_t used;

	if (status)
		return status;
	if (step->forced && !r->shell->force)
		status = object(r, step, "was written with force", err);
	if (!status)
		status = check_old(r, step, &target, err);
	if (!status) {
		status = write_check(r->shell, step->target, step->operation, step->value, err);
		used = strlen(err->why);
		if (status)
			snprintf(err->why + used, sizeof(err->why) - used,
				 "; nothing was replayed");
	}
	target_close(&target);
	return status;
}

static enum gsc_status check_steps(struct replay *r, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < r->count && !signal_seen(); i++) {
		const struct step *step = &r->steps[i];

		take_place(r, step->line);
		status = step->value ? check_write(r, step, err) : GSC_OK;
		if (status)
			event_refused(r->shell, step->target, operation_word(step->operation),
				      step->value, status, err);
	}
	return status;
}

/* ---- the writes ----------------------------------------------------------------------------- */

static enum gsc_status run_step(struct replay *r, const struct step *step, struct gsc_error *err)
{
	enum gsc_status status;
	char *text;

	take_place(r, step->line);
	if (asprintf(&text, "%s%s%s%s%s", step->target, step->value ? " " : "",
		     step->value ? operation_word(step->operation) : "", step->value ? " " : "",
		     step->value ? step->value : "") < 0)
		return err_memory(err);
	status = shell_line(r->shell, text, err);
	free(text);
	return status;
}

/* What is written although it reads back changed is no reason to stop. */
static enum gsc_status run_steps(struct replay *r, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK, now;

	for (size_t i = 0; i < r->count && (!status || status == GSC_PARTIAL) && !signal_seen();
	     i++) {
		now = run_step(r, &r->steps[i], err);
		status = status && !now ? status : now;
	}
	return status;
}

static enum gsc_status replay_text(struct replay *r, const char *text, struct gsc_error *err)
{
	struct shell *shell = r->shell;
	char place[sizeof(shell->place)];
	enum gsc_status status;

	memcpy(place, shell->place, sizeof(place));
	status = read_text(r, text, err);
	if (!status)
		status = check_steps(r, err);
	if (!status && !signal_seen())
		status = run_steps(r, err);
	if (status && *err->why)
		shell_tell(shell, err);
	err->why[0] = 0;
	memcpy(shell->place, place, sizeof(place));
	for (size_t i = 0; i < r->count; i++) {
		free(r->steps[i].target);
		free(r->steps[i].value);
	}
	free(r->steps);
	free(r->seen);
	return signal_seen() ? GSC_FAILED : status;
}

static enum gsc_status replay_file(struct shell *shell, const char *path, struct gsc_error *err)
{
	struct replay r = { .shell = shell, .path = path };
	char *text = script_read(path, err);
	enum gsc_status status;

	if (!text)
		return GSC_FAILED;
	err->why[0] = 0;
	status = replay_text(&r, text, err);
	free(text);
	return status;
}

enum gsc_status replay_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	char full[4096];

	if (!status && words.count != 1)
		status = usage_error(err, "replay", "expected a file that journal save wrote");
	else if (!status && !shell->writes && !shell->dry_run)
		status = usage_error(err, words.items[0], "not replayed: start gpu-sh with "
							  "--write");
	if (!status)
		status = replay_file(shell, path_home(words.items[0], full, sizeof(full)), err);
	words_free(&words);
	return status;
}
