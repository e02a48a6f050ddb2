/* SPDX-License-Identifier: MIT */
/* Writing: the library's plan is shown, or executed and reported. */
#include "sh.h"

#include "expr.h"
#include "util/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void report(struct shell *shell, const struct deed *deed, size_t number)
{
	if (wants_json(&shell->common))
		event_deed(shell, deed, number);
	else
		written_report(&shell->common, &deed->written);
}

/* ---- writing -------------------------------------------------------------------------------- */

struct write_work {
	struct shell *shell;
	struct gsc_write_plan *plan;
	const struct deed *deed;
	bool insist;
	struct gsc_written written;
	enum gsc_status status;
	struct gsc_error err;
};

static enum gsc_status record(void *context, const struct gsc_written *written,
			      struct gsc_error *err)
{
	const struct write_work *work = context;
	const struct deed *deed = work->deed;
	char *sources = session_sources(work->shell), change[450], line[WRITTEN_LINE_SIZE];
	enum gsc_status status;
	struct record journal;

	if (deed->undoes)
		snprintf(change, sizeof(change), "# undo of %zu, %.191s", deed->undoes,
			 written->name);
	else
		snprintf(change, sizeof(change), "%.191s %s %.200s", written->name,
			 operation_word(deed->operation), deed->word);
	written_line(&work->shell->common, written, change, getppid(), sources ? sources : "", line,
		     sizeof(line));
	free(sources);
	record_open(&work->shell->common, &journal);
	status = record_write(&journal, line, err);
	record_close(&journal);
	return status;
}

static void work_write(struct shell *shell, void *context)
{
	struct write_work *work = context;
	struct gsc_write_options options = { .insist = work->insist, .before = record,
					     .context = work };
	struct gsc_gpu *gpu;

	work->status = session_open(shell, true, &gpu, &work->err);
	if (!work->status)
		work->status = gsc_write_run(work->plan, gpu, &options, &work->written,
					     &work->err);
	session_close(gpu);
}

static enum gsc_status run_plan(struct shell *shell, struct gsc_write_plan *plan,
				const struct deed *deed, bool insist, struct gsc_written *written,
				struct gsc_error *err)
{
	struct write_work *work = child_context(sizeof(*work));
	enum gsc_status status;

	*written = (struct gsc_written){ 0 };
	if (!work)
		return err_memory(err);
	work->shell = shell;
	work->plan = plan;
	work->deed = deed;
	work->insist = insist;
	if (!child_work(shell, !session_live(shell), work_write, work)) {
		work->status = work->err.status = GSC_GONE;
		snprintf(work->err.what, sizeof(work->err.what), "%s", gsc_write_plan_name(plan));
		snprintf(work->err.why, sizeof(work->err.why), "%s",
			 work->written.stored ? "the device went away during the write, which may "
						"or may not have reached it"
					      : "not written: the device went away");
	}
	status = work->status;
	*written = work->written;
	if (status)
		*err = work->err;
	child_context_free(work, sizeof(*work));
	return status;
}

KEYS(dryRun, "--dry-run: what a write would take, in this order; nothing is accessed.")
void plan_shown(struct shell *shell, const struct gsc_write_plan *plan)
{
	struct gsc_json *json;

	if (!wants_json(&shell->common)) {
		plan_print(shell->common.out, plan);
		return;
	}
	json = event_begin(shell);
	KEY(text, "event", "dry-run", ONE_OF("dry-run"));
	gsc_json_write_plan(json, plan);
	event_end(shell);
}

/* Nothing is claimed about a store to a device that then disappeared, but it is in the journal. */
enum gsc_status write_plan(struct shell *shell, struct gsc_write_plan *plan, struct deed *deed,
			   bool insist, struct gsc_error *err)
{
	enum gsc_status status;
	bool added;

	if (shell->dry_run) {
		plan_shown(shell, plan);
		return GSC_OK;
	}
	status = run_plan(shell, plan, deed, insist, &deed->written, err);
	if (!deed->written.stored)
		return status;
	if (status && !deed->problem)
		deed->problem = strdup(err->why);
	added = journal_add(shell, deed);
	if (!status || status == GSC_PARTIAL || wants_json(&shell->common))
		report(shell, added ? &shell->deeds[shell->deed_count - 1] : deed,
		       added ? shell->deed_count : 0);
	return added ? status : err_memory(err);
}

void deed_free(struct deed *deed)
{
	free(deed->target);
	free(deed->word);
	free(deed->sources);
	free(deed->problem);
}

/* A value's name may have several words: "invalid PDE". */
static enum gsc_status join_value(char *text, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, text, err);
	char *to = text;

	for (size_t i = 0; !status && i < words.count; i++) {
		size_t length = strlen(words.items[i]);

		if (i)
			*to++ = ' ';
		memmove(to, words.items[i], length);
		to += length;
	}
	if (!status)
		*to = 0;
	words_free(&words);
	return status;
}

/* The journal keeps the value of an expression. */
static enum gsc_status keep_value(struct deed *deed, uint64_t value, struct gsc_error *err)
{
	char *word;

	if (asprintf(&word, "0x%llx", (unsigned long long)value) < 0)
		return err_memory(err);
	free(deed->word);
	deed->word = word;
	return GSC_OK;
}

static enum gsc_status find_value(struct shell *shell, struct deed *deed, uint64_t *value,
				  struct gsc_error *err)
{
	struct target target;
	enum gsc_status status;
	uint64_t word;
	bool is_word = false;

	if (gsc_parse_number(deed->word, value))
		return GSC_OK;
	status = target_open(&shell->common, deed->target, &target, err);
	if (!status)
		is_word = target.has_field &&
			  word_value(&shell->common, &target, deed->word, &word);
	if (!status)
		status = target_value(shell, &target, deed->word, value, err);
	if (!status && !is_word)
		status = keep_value(deed, *value, err);
	target_close(&target);
	return status;
}

/* "rcs0.MI_MODE.STOP_RINGS" */
static enum gsc_status find_target(struct shell *shell, struct deed *deed, struct gsc_error *err)
{
	char buf[EXPR_NAME_MAX];
	const char *text = colon_text(&shell->common, deed->target, buf, sizeof(buf));
	char *copy = text == deed->target ? deed->target : strdup(text);

	if (!copy)
		return err_memory(err);
	if (copy != deed->target)
		free(deed->target);
	deed->target = copy;
	return GSC_OK;
}

/* Would the same write be refused without force? Whether an entry is valid is seen only later. */
static bool needs_force(const struct shell *shell, const struct gsc_write *write,
			const struct target *target)
{
	struct gsc_write calm = *write;
	struct gsc_write_plan *plan = NULL;
	struct gsc_error ignored;
	bool needs;

	calm.force = false;
	needs = gsc_write_plan_new(&plan, shell->common.gpu, &calm, &ignored) ||
		target->row.reg.space == GSC_GGTT;
	gsc_write_plan_free(plan);
	return write->force && needs;
}

/* If it would be refused as a hazard, its accesses are shown in a dry run: why follows. */
static enum gsc_status plan_deed(struct shell *shell, struct deed *deed,
				 struct gsc_write_plan **plan, struct gsc_error *err)
{
	struct gsc_write write = { NULL, deed->operation, 0, shell->force };
	enum gsc_status status = join_value(deed->word, err);
	struct gsc_error ignored;
	struct target target;

	*plan = NULL;
	if (!status)
		status = session_need(shell, err);
	if (!status)
		status = find_target(shell, deed, err);
	write.target = deed->target;
	if (!status)
		status = find_value(shell, deed, &write.value, err);
	if (!status)
		status = gsc_write_plan_new(plan, shell->common.gpu, &write, err);
	if (status && *plan && shell->dry_run)
		plan_shown(shell, *plan);
	if (!status && !target_open(&shell->common, deed->target, &target, &ignored)) {
		deed->forced = needs_force(shell, &write, &target);
		target_close(&target);
	}
	return status;
}

static enum gsc_status write_deed(struct shell *shell, struct deed *deed, struct gsc_error *err)
{
	struct gsc_write_plan *plan;
	enum gsc_status status = plan_deed(shell, deed, &plan, err);

	if (!status)
		status = write_plan(shell, plan, deed, false, err);
	gsc_write_plan_free(plan);
	return status;
}

enum gsc_status write_check(struct shell *shell, const char *target,
			    enum gsc_write_operation operation, const char *value,
			    struct gsc_error *err)
{
	struct deed deed = { strdup(target), strdup(value), operation };
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status;

	if (deed.target && deed.word)
		status = plan_deed(shell, &deed, &plan, err);
	else
		status = err_memory(err);
	gsc_write_plan_free(plan);
	deed_free(&deed);
	return status;
}

enum gsc_status write_line(struct shell *shell, const char *text, bool *is, struct gsc_error *err)
{
	struct deed deed = { 0 };
	enum gsc_status status;

	*is = assignment_read(text, &deed.target, &deed.operation, &deed.word);
	if (!*is)
		return GSC_OK;
	if (!deed.target || !deed.word)
		status = err_memory(err);
	else if (shell->dry_run)
		status = write_deed(shell, &deed, err);
	else if (shell->from.count && !session_need(shell, err) && !session_live(shell))
		status = usage_error(err, deed.target, NOT_WRITTEN_DUMP);
	else if (!shell->writes)
		status = usage_error(err, deed.target, "not written: start gpu-sh with --write");
	else
		status = write_deed(shell, &deed, err);
	if (status && !deed.written.stored && deed.target && deed.word)
		event_refused(shell, deed.target, operation_word(deed.operation), deed.word,
			      status, err);
	deed_free(&deed);
	return status;
}
