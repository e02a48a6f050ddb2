/* SPDX-License-Identifier: MIT */
/* Writing: the library's plan is shown, or executed and reported. */
#include "sh.h"

#include "cli/text.h"
#include "expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- --dry-run ------------------------------------------------------------------------------ */

static void put_address(struct gsc_out *out, const struct gsc_write_step *step)
{
	if (step->space != GSC_MMIO)
		gsc_out_format(out, "%s:", gsc_space_name(step->space));
	gsc_out_hex(out, step->address, 6);
}

static void put_part(struct gsc_out *out, const char *before, uint64_t bits, unsigned size)
{
	if (!bits)
		return;
	gsc_out_text(out, before);
	gsc_out_hex(out, bits, 2 * size);
	gsc_out_text(out, ")");
}

static void put_step(struct gsc_out *out, const struct gsc_write_step *step)
{
	gsc_out_text(out, step->write ? "write  " : "read   ");
	put_address(out, step);
	if (step->write) {
		gsc_out_text(out, " = ");
		gsc_out_hex(out, step->value, 2 * step->size);
	}
	put_part(out, " | (read & ", step->write ? step->keep : 0, step->size);
	put_part(out, " | (~read & ", step->write ? step->flip : 0, step->size);
	if (step->size != 4)
		gsc_out_format(out, "  %u bytes", step->size);
	if (step->why)
		gsc_out_format(out, "  (%s)", step->why);
	gsc_out_end(out);
}

static void put_plan(struct gsc_out *out, const struct gsc_write_plan *plan)
{
	struct gsc_write_step step;

	for (size_t i = 0; gsc_write_step_at(plan, i, &step); i++)
		put_step(out, &step);
}

/* ---- the report ----------------------------------------------------------------------------- */

static void put_value(struct gsc_out *out, bool known, uint64_t value, unsigned bits)
{
	if (known)
		gsc_out_hex(out, value, bits / 4);
	else
		gsc_out_text(out, "unread");
}

void deed_print(struct gsc_out *out, const struct gsc_written *written)
{
	unsigned bits = written->reg.bits ? written->reg.bits : 32;

	gsc_out_format(out, "%s  ", written->name);
	put_value(out, written->has_old, written->old, bits);
	gsc_out_text(out, " -> ");
	put_value(out, true, written->value, bits);
	gsc_out_text(out, " -> ");
	put_value(out, written->has_back, written->back, bits);
}

/* The fields that changed, as in gpu-regdump --diff, below its first line. */
static void put_fields(struct shell *shell, const struct gsc_written *written)
{
	struct gsc_row row = { .reg = written->reg, .status = GSC_READ_OK };
	struct gsc_difference difference = { .a = row, .b = row };
	struct gsc_error ignored;
	const char *text, *below;
	struct gsc_out *out;
	size_t size;

	difference.a.value = written->old;
	difference.b.value = written->back;
	difference.bits = written->old ^ written->back;
	if (!written->reg.name || !written->has_old || !written->has_back || !difference.bits ||
	    gsc_out_new(&out, -1, false, &ignored))
		return;
	gsc_text_difference(out, view_of(&shell->common), &difference, 0);
	text = gsc_out_data(out, &size);
	below = memchr(text, '\n', size);
	if (below)
		gsc_out_bytes(shell->common.out, below + 1, size - (size_t)(below + 1 - text));
	gsc_out_free(out);
}

static void report(struct shell *shell, const struct deed *deed, size_t number)
{
	const struct gsc_written *written = &deed->written;
	struct gsc_out *out = shell->common.out;

	if (wants_json(&shell->common)) {
		event_deed(shell, deed, number);
		return;
	}
	deed_print(out, written);
	gsc_out_end(out);
	if (shell->common.quiet)
		return;
	put_fields(shell, written);
	if (written->lost)
		gsc_out_format(out, "    not as written: bits 0x%llx\n",
			       (unsigned long long)written->lost);
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

/* "0x4f100 = 0x12  # 2024-05-01T12:00:00Z, process 711, skl, live: was 0x00000011" */
static enum gsc_status record(void *context, const struct gsc_written *written,
			      struct gsc_error *err)
{
	const struct write_work *work = context;
	const struct deed *deed = work->deed;
	const struct common *common = &work->shell->common;
	time_t seconds = (time_t)(written->time / 1000000000);
	char line[2000], old[32] = "unread", when[32] = "";
	char *sources = session_sources(work->shell);
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (written->has_old)
		snprintf(old, sizeof(old), "0x%0*llx", (int)written->reg.bits / 4,
			 (unsigned long long)written->old);
	if (deed->undoes)
		snprintf(line, sizeof(line), "# undo of %zu, %.191s", deed->undoes, written->name);
	else
		snprintf(line, sizeof(line), "%.191s %s %.200s", written->name,
			 operation_word(deed->operation), deed->word);
	append(line, sizeof(line), "  # %s, process %d, %s, %.1000s: was %s\n", when,
	       (int)getppid(), platform_of(common)->name, sources ? sources : "", old);
	free(sources);
	return record_add(common, line, err);
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
		return memory_error(err);
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
		put_plan(shell->common.out, plan);
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
	return added ? status : memory_error(err);
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
		return memory_error(err);
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
	status = target_open(shell, deed->target, &target, err);
	if (!status)
		is_word = target.has_field && word_value(shell, &target, deed->word, &word);
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
	const char *text = colon_text(shell, deed->target, buf, sizeof(buf));
	char *copy = text == deed->target ? deed->target : strdup(text);

	if (!copy)
		return memory_error(err);
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
	if (!status && !target_open(shell, deed->target, &target, &ignored)) {
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
		status = memory_error(err);
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
		status = memory_error(err);
	else if (shell->dry_run)
		status = write_deed(shell, &deed, err);
	else if (shell->from.count && !session_need(shell, err) && !session_live(shell))
		status = usage_error(err, deed.target, "not written: a dump cannot be written; "
						       "--dry-run shows what a write takes");
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
