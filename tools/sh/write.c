/* SPDX-License-Identifier: MIT */
/*
 * Writing: the library's plan is shown, or executed and reported. Registers behind an index or a
 * doorbell are read by writing first, and so follow the same rules: the command that reads is told
 * that it may, and the journal records that it did.
 */
#include "sh.h"

#include "regs/regs.h"
#include "util/number.h"

#include <unistd.h>

/* ---- a plan --------------------------------------------------------------------------------- */

/* What the child that writes shares with the shell. */
struct write_work {
	struct shell *shell;
	struct gsc_write_plan *plan;
	const struct write_record *record;
	bool insist;
	struct gsc_written written;
	enum gsc_status status;
	struct gsc_error err;
};

/* Before the first store: a line of the journal on the disk. */
static enum gsc_status keep_record(void *context, const struct gsc_written *written,
				   struct gsc_error *err)
{
	const struct write_work *work = context;
	const struct write_record *record = work->record;
	char *sources = session_sources(work->shell), change[450], line[WRITTEN_LINE_SIZE];
	enum gsc_status status;
	struct record journal;

	if (record->undoes)
		string_set(change, "# undo of %zu, %.191s", record->undoes, written->name);
	else
		string_set(change, "%.191s %s %.200s", written->name,
			   operation_word(record->operation), record->word);
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
	struct gsc_write_options options = { .insist = work->insist, .before = keep_record,
					     .context = work };
	struct gsc_gpu *gpu;

	work->status = session_open(shell, true, &gpu, &work->err);
	if (!work->status)
		work->status = gsc_write_run(work->plan, gpu, &options, &work->written, &work->err);
	session_close(gpu);
}

KEYS(dryRun, "--dry-run: what a write would take, in this order; nothing is accessed.")
static void show_plan(struct shell *shell, const struct gsc_write_plan *plan)
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
enum gsc_status write_plan(struct shell *shell, struct gsc_write_plan *plan,
			   struct write_record *record, bool insist, struct gsc_error *err)
{
	struct write_work *work;
	enum gsc_status status;
	bool added;

	if (shell->dry_run) {
		show_plan(shell, plan);
		return GSC_OK;
	}
	record->written = (struct gsc_written){ 0 };
	work = shared_new(sizeof(*work));
	if (!work)
		return err_memory(err);
	*work = (struct write_work){ shell, plan, record, insist };
	if (!child_work(shell, !session_live(shell), work_write, work))
		work->status = err_set(&work->err, GSC_GONE, gsc_write_plan_name(plan), "%s",
				       work->written.stored ?
				       "the device went away during the write, which may or may "
				       "not have reached it" :
				       "not written: the device went away");
	status = child_error(&work->err, work->status, err);
	record->written = work->written;
	shared_free(work, sizeof(*work));
	if (!record->written.stored)
		return status;
	if (status && !record->problem)
		record->problem = strdup(err->why);
	added = journal_add(shell, record);
	if (wants_json(&shell->common) && added)
		event_record(shell, &shell->journal.items[shell->journal.count - 1],
			     shell->journal.count);
	else if (wants_json(&shell->common))
		event_record(shell, record, 0);
	else if (!status || status == GSC_PARTIAL)
		written_report(&shell->common, &record->written);
	return added ? status : err_memory(err);
}

/* ---- "NAME = V" ----------------------------------------------------------------------------- */

/* If it would be refused as a hazard, its accesses are shown in a dry run: why follows. */
static enum gsc_status plan_record(struct shell *shell, struct write_record *record,
				   struct gsc_write_plan **plan, struct gsc_error *err)
{
	struct gsc_write write = { record->target, record->operation, 0, shell->force };
	struct gsc_write calm = write;
	struct target target = { 0 };
	enum gsc_status status = session_need(shell, err);
	struct gsc_write_plan *calm_plan = NULL;
	struct gsc_error ignored;
	bool opened;

	*plan = NULL;
	if (status)
		return status;
	opened = !target_open(&shell->common, record->target, &target, err);
	if (!gsc_parse_number(record->word, &write.value)) {
		if (!opened)
			return err->status;
		if (!target.has_field ||
		    !word_value(&shell->common, &target, record->word, &write.value))
			status = not_a_value(&shell->common, &target, record->word, err);
	}
	if (!status)
		status = gsc_write_plan_new(plan, shell->common.gpu, &write, err);
	if (status && *plan && shell->dry_run)
		show_plan(shell, *plan);
	/* Would it be refused without force? Whether an entry is valid is seen only later. */
	if (!status && opened && write.force) {
		calm.value = write.value;
		calm.force = false;
		record->forced = gsc_write_plan_new(&calm_plan, shell->common.gpu, &calm,
						    &ignored) || target.row.reg.space == GSC_GGTT;
		gsc_write_plan_free(calm_plan);
	}
	target_close(&target);
	return status;
}

enum gsc_status write_check(struct shell *shell, const char *target,
			    enum gsc_write_operation operation, const char *value,
			    struct gsc_error *err)
{
	struct write_record record = { (char *)target, (char *)value, operation };
	struct gsc_write_plan *plan;
	enum gsc_status status = plan_record(shell, &record, &plan, err);

	gsc_write_plan_free(plan);
	return status;
}

enum gsc_status write_line(struct shell *shell, const char *text, struct gsc_error *err)
{
	struct write_record record = { 0 };
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status;
	struct words words;
	const char *value;
	size_t length = 0;

	assigns(text, &length, &record.operation, &value);
	status = words_split(&words, value, err);
	/* A value's name may have several words: "invalid PDE". */
	record.target = strndup(text, length);
	record.word = words_join(&words, 0, words.count);
	words_free(&words);
	if (!record.target || !record.word)
		status = err_memory(err);
	else if (!status && shell->from.count && !shell->dry_run && !session_need(shell, err) &&
		 !session_live(shell))
		status = usage_error(err, record.target, NOT_WRITTEN_DUMP);
	else if (!status && !shell->dry_run && !shell->writes)
		status = usage_error(err, record.target, "not written: start gpu-sh with --write");
	else if (!status)
		status = plan_record(shell, &record, &plan, err);
	if (plan && !status)
		status = write_plan(shell, plan, &record, false, err);
	if (status && !record.written.stored && record.target && record.word)
		event_refused(shell, record.target, operation_word(record.operation), record.word,
			      status, err);
	gsc_write_plan_free(plan);
	write_record_free(&record);
	return status;
}

/* ---- reads that write ----------------------------------------------------------------------- */

/* What a line reads from the session's device; the command reports what is no selector. */
static struct gsc_selection *select_words(struct shell *shell, const struct words *words)
{
	const struct common *common = &shell->common;
	const char **selectors = calloc(words->count + 1, sizeof(*selectors));
	struct gsc_selection *selection = NULL;
	struct gsc_error ignored;
	size_t count = 0;

	for (size_t i = 0; selectors && i < words->count; i++)
		if (*words->items[i] != '-')
			selectors[count++] = words->items[i];
	/* Accesses can be shown without a device, but a dump has none. */
	if (count && !session_need(shell, &ignored) &&
	    (shell->identity ? session_live(shell) : shell->dry_run))
		gsc_select(&selection, common->gpu, 0, selectors, count, &ignored);
	free(selectors);
	return selection;
}

/* NULL: none of it is behind an index or a doorbell. */
static struct gsc_write_plan *first_plan(const struct gsc_selection *selection)
{
	struct gsc_write_plan *plan = NULL;
	struct gsc_error ignored;
	size_t item = 0;

	if (selection)
		gsc_read_plan_new(&plan, selection, &item, &ignored);
	return plan;
}

enum gsc_status read_allowed(const struct shell *shell, const struct gsc_selection *selection,
			     const char *name, struct gsc_error *err)
{
	struct gsc_write_plan *plan = shell->writes ? NULL : first_plan(selection);
	enum gsc_status status = GSC_OK;

	if (plan && session_live(shell))
		status = usage_error(err, name, "%s", gsc_read_plan_why(plan));
	gsc_write_plan_free(plan);
	return status;
}

/* Shows what each of these reads takes, or notes in the journal that it was done. */
static enum gsc_status each_plan(struct shell *shell, const struct gsc_selection *selection,
				 bool note, struct gsc_error *err)
{
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status;
	size_t item = 0;

	while (!(status = gsc_read_plan_new(&plan, selection, &item, err)) && plan) {
		struct write_record record = { .word = "", .was_read = true };

		if (note) {
			record.written.time = clock_ns(CLOCK_REALTIME);
			string_set(record.written.name, "%s", gsc_write_plan_name(plan));
			record.target = record.written.name;
			if (!journal_add(shell, &record))
				status = err_memory(err);
		} else {
			show_plan(shell, plan);
		}
		gsc_write_plan_free(plan);
		if (status)
			break;
	}
	return status;
}

enum gsc_status tool_run(struct shell *shell, const struct verb *verb, const struct words *words,
			 struct gsc_error *err)
{
	bool reads = verb->command == &regdump_command &&
		     (!verb->before || !strcmp(verb->before, "--watch")), indexes;
	struct gsc_selection *selection = NULL;
	struct gsc_write_plan *plan;
	enum gsc_status status = GSC_OK, after;

	/* getopt_long(3) accepts abbreviations. */
	for (size_t i = 0; verb->command == &regdump_command && i < words->count; i++)
		if (!strncmp(words->items[i], "--wr", 4) && (!shell->writes || shell->dry_run))
			return usage_error(err, words->items[i], "%s",
					   shell->dry_run ? "not in a dry run"
							  : "to write, start gpu-sh with --write");
	if (reads && (shell->writes || shell->dry_run))
		selection = select_words(shell, words);
	plan = first_plan(selection);
	indexes = plan;
	gsc_write_plan_free(plan);
	/* If the platform has no way to it, that is reported before a device is looked for. */
	if (selection && (indexes ? shell->dry_run : !shell->identity))
		status = each_plan(shell, selection, false, err);
	if (!status && !(indexes && shell->dry_run)) {
		shell->indexes = indexes;
		status = child_tool(shell, verb, words, err);
		shell->indexes = false;
		after = GSC_OK;
		if (indexes && (!status || status == GSC_PARTIAL))
			after = each_plan(shell, selection, true, err);
		status = after ? after : status;
	}
	gsc_selection_free(selection);
	return status;
}
