/* SPDX-License-Identifier: MIT */
/* --write NAME[:FIELD]=VALUE...: all of them are planned before the first is done. */
#include "regdump.h"
#include "regs/write.h"
#include "source/source.h"
#include "util/number.h"
#include "util/text.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct assignment {
	struct regdump *dump;
	const char *given, *word;	/* word: of the value, in it */
	struct gsc_write_plan *plan;
	enum gsc_status refused;	/* as a hazard, which a dry run shows */
	struct gsc_error err;
};

KEYS(writes, "--write NAME=VALUE, and the same with --dry-run.")
static void json_writes(struct gsc_json *json)
{
	KEY_LIST("writes", OF(written, planned, unwritten), MIN_ITEMS(1));
}

KEYS(written, "old, written, back: of the whole register, before, as stored and afterwards; null "
     "where it could not be read. bits: those that were meant; lost: those of them that are not as "
     "they should be. fields: that differ between old and back. problem: how it has not all gone "
     "as it should; with back null nobody may know whether it is written.")
static void json_written(struct gsc_json *json, const struct assignment *a,
			 const struct gsc_written *written, const char *problem)
{
	KEY(text, "given", a->given);
	json_time(json, written);
	gsc_json_written(json, view_of(&a->dump->common), written);
	KEY(text_or_null, "problem", problem);
}

KEYS(planned, "--dry-run: what the write would take, in this order; nothing is accessed. refused: "
     "why it is not done without --force, or null.")
static void json_planned(struct gsc_json *json, const struct assignment *a)
{
	KEY(text, "given", a->given);
	KEY_OR_NULL(a->refused, text, "refused", a->err.why);
	gsc_json_write_plan(json, a->plan);
}

KEYS(unwritten, "Nothing was written.")
static void json_unwritten(struct gsc_json *json, const struct assignment *a, const char *reason)
{
	KEY(text, "given", a->given);
	KEY(text, "reason", reason, MIN_LENGTH(1));
}

/* ---- plans ---------------------------------------------------------------------------------- */

static enum gsc_status plan(struct assignment *a, struct gsc_error *err)
{
	struct common *common = &a->dump->common;
	const char *equals = strchr(a->given, '=');
	struct gsc_write write = { .operation = GSC_WRITE_SET, .force = a->dump->force };
	char name[TARGET_MAX], buf[TARGET_MAX];
	enum gsc_status status = GSC_OK;
	struct target target;

	if (!equals || equals == a->given ||
	    !slice_copy((struct slice){ a->given, equals }, name, sizeof(name)))
		return usage_error(err, a->given, "expected NAME=VALUE");
	a->word = equals + 1;
	write.target = colon_text(common, name, buf, sizeof(buf));
	/* A number, or a word of the field. */
	if (!gsc_parse_number(a->word, &write.value)) {
		status = target_open(common, write.target, &target, err);
		if (!status && !(target.has_field &&
				 word_value(common, &target, a->word, &write.value)))
			status = not_a_value(common, &target, a->word, err);
		target_close(&target);
	}
	return status ? status : gsc_write_plan_new(&a->plan, common->gpu, &write, err);
}

/* A dry run goes on after hazards, whose accesses it shows; *err is about the first. */
static enum gsc_status plan_all(struct assignment *all, size_t count, struct gsc_error *err)
{
	enum gsc_status refused = GSC_OK;

	for (struct assignment *a = all; a < all + count; a++) {
		bool shown;

		a->refused = plan(a, &a->err);
		shown = a->plan && a->dump->dry_run;
		if (a->refused && (!refused || !shown)) {
			refused = a->refused;
			*err = a->err;
		}
		if (a->refused && !shown)
			break;
	}
	return refused;
}

/* ---- writes --------------------------------------------------------------------------------- */

static enum gsc_status record(void *context, const struct gsc_written *written,
			      struct gsc_error *err)
{
	const struct assignment *a = context;
	const struct common *common = &a->dump->common;
	char change[450], line[WRITTEN_LINE_SIZE];

	snprintf(change, sizeof(change), "%.191s = %.200s", written->name, a->word);
	written_line(common, written, change, getpid(), gsc_source_name(common->source, 0), line,
		     sizeof(line));
	return record_write(&a->dump->journal, line, err);
}

/* A write is several accesses: a signal waits for the last of them. */
static enum gsc_status run(struct assignment *a, struct gsc_written *written, struct gsc_error *err)
{
	const struct gsc_write_options options = { .before = record, .context = a };
	enum gsc_status status;
	sigset_t all, open;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigprocmask(SIG_BLOCK, &all, &open);
	status = gsc_write_run(a->plan, a->dump->common.gpu, &options, written, err);
	sigprocmask(SIG_SETMASK, &open, NULL);
	return status;
}

/* Nothing is claimed about a store to a device that then disappeared; JSON says so. */
static enum gsc_status write_one(struct gsc_json *json, struct assignment *a, struct gsc_error *err)
{
	struct common *common = &a->dump->common;
	struct gsc_written written = { .stored = false };
	enum gsc_status status = run(a, &written, err);
	struct gsc_error ignored;

	if (wants_json(common) && written.stored)
		ITEM(json_written(json, a, &written, status ? err->why : NULL));
	else if (wants_json(common))
		ITEM(json_unwritten(json, a, err->why));
	else if (!status || status == GSC_PARTIAL)
		written_report(common, &written);
	gsc_out_flush(common->out, &ignored);
	return status;
}

static enum gsc_status write_all(struct gsc_json *json, struct assignment *all, size_t count,
				 struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	size_t i, used;

	for (i = 0; i < count && !status; i++)
		status = write_one(json, &all[i], err);
	used = strlen(err->why);
	if (i < count)
		snprintf(err->why + used, sizeof(err->why) - used, "; not written after that: %s%s",
			 all[i].given, i + 1 < count ? " ..." : "");
	for (; wants_json(&all->dump->common) && i < count; i++)
		ITEM(json_unwritten(json, &all[i], "one before it failed"));
	return status;
}

static enum gsc_status write_or_show(struct assignment *all, size_t count, struct gsc_error *err)
{
	struct common *common = &all->dump->common;
	enum gsc_status planned = plan_all(all, count, err), status;
	struct gsc_json document, *json = &document;
	struct gsc_error ignored;

	if (planned && !(all->dump->dry_run && all[count - 1].plan))
		return planned;
	status = output_open(common, false, planned ? &ignored : err);
	if (status)
		return status;
	if (wants_json(common)) {
		source_document(common, REGDUMP_SCHEMA, json);
		json_writes(json);
	}
	if (!all->dump->dry_run)
		status = write_all(json, all, count, err);
	for (size_t i = 0; all->dump->dry_run && i < count; i++)
		if (wants_json(common))
			ITEM(json_planned(json, &all[i]));
		else
			plan_print(common->out, all[i].plan);
	if (wants_json(common))
		gsc_json_finish(json);
	return worse(planned, status);
}

enum gsc_status write_run(struct common *common, struct gsc_error *err)
{
	struct regdump *dump = (struct regdump *)common;
	size_t count = common->operand_count;
	struct assignment *all;
	enum gsc_status status;

	if (!count)
		return usage_error(err, "--dry-run", "expected NAME=VALUE");
	status = dump->dry_run ? common_open_platform(common, err) : common_open(common, err);
	if (!status && !dump->dry_run && !gsc_source_live(common->source))
		status = usage_error(err, common->operands[0], NOT_WRITTEN_DUMP);
	if (status)
		return status;
	all = calloc(count, sizeof(*all));
	if (!all)
		return err_memory(err);
	for (size_t i = 0; i < count; i++)
		all[i] = (struct assignment){ .dump = dump, .given = common->operands[i] };
	status = write_or_show(all, count, err);
	for (size_t i = 0; i < count; i++)
		gsc_write_plan_free(all[i].plan);
	free(all);
	return worse(status, complain_damage(common, dump->dry_run ? NULL : common->source));
}
