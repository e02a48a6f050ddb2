/* SPDX-License-Identifier: MIT */
/* Reading and printing rows, and the modes that only do that. */
#include "regdump.h"
#include "cli/input.h"
#include "hang/workaround.h"
#include "open/open.h"
#include "util/text.h"

#include <stdlib.h>

/* ---- exit status ---------------------------------------------------------------------------- */

/* What a row without a value says; even --unsafe does not read some as they are. */
static void miss_reason(const struct common *common, const struct gsc_row *row, char *buf,
			size_t size)
{
	const unsigned ways = GSC_RO | GSC_RW | GSC_WO | GSC_W1C | GSC_RC;
	bool takes_write = (row->reg.space >= GSC_VGA_SR && row->reg.space <= GSC_SIDEBAND) ||
			   (row->reg.access & ways) == GSC_WO;
	const char *why = gsc_row_why(row, buf, size);
	char reason[ROW_WHY_MAX], where[ADDRESS_TEXT_MAX];

	string_set(reason, "%s", why ? why : "");
	if (row->status == GSC_READ_SKIPPED)
		snprintf(buf, size, "skipped: %s%s", reason,
			 takes_write ? "" : " (--unsafe reads it)");
	else if (row->status == GSC_READ_ASLEEP)
		snprintf(buf, size, "asleep: %s%s", reason, row->why ? "" : " (see --wake)");
	else
		snprintf(buf, size, "%s", reason);
	if (!row->reg.name && row->reg.space == GSC_MMIO)
		string_addf(buf, size, "; no register, %s",
			    gsc_address_text(view_of(common), row->reg.offset, where,
					     sizeof(where)));
}

/* One line for all rows of a status. */
static void complain_rows(struct common *common, struct gsc_rows *rows,
			  const struct gsc_tally *tally, enum gsc_read read,
			  enum gsc_status status, const char *where)
{
	static const char *const several[GSC_READS] = {
		[GSC_READ_ABSENT] = "no source holds them",
		[GSC_READ_ASLEEP] = "asleep: forcewake is not held (see --wake)",
		[GSC_READ_SKIPPED] = "skipped: reading has side effects (--unsafe reads them)",
	};
	char label[256], name[192], why[1000], what[600];
	size_t count = tally->count[read];
	struct gsc_row row;

	gsc_rows_at(rows, tally->first[read], &row);
	gsc_reg_full_name(&row.reg, name, sizeof(name));
	if (count > 1)
		string_set(label, "%zu of %zu %s", count, tally->total,
			   row.raw ? "addresses" : "registers");
	else if (row.reg.name && !row.raw)
		string_set(label, "%s (0x%llx)", name, LL(row.reg.offset));
	else
		string_set(label, "%s%s0x%llx",
			   row.reg.space == GSC_MMIO ? "" : gsc_space_name(row.reg.space),
			   row.reg.space == GSC_MMIO ? "" : ":", LL(row.reg.offset));
	miss_reason(common, &row, why, sizeof(why));
	if (count > 1 && several[read])
		string_set(why, "%s", several[read]);
	string_set(what, "%s%s%s", where, *where ? ": " : "", label);
	complain(common, status, what, why);
}

enum gsc_status rows_status(struct common *common, struct gsc_rows *rows, bool asked,
			    const char *where)
{
	static const struct {
		enum gsc_read read;
		enum gsc_status status;	/* if nothing has a value */
	} misses[] = {
		{ GSC_READ_DENIED, GSC_DENIED },
		{ GSC_READ_ASLEEP, GSC_GONE },
		{ GSC_READ_ALL_ONES, GSC_GONE },
		{ GSC_READ_EXCLUDED, GSC_UNKNOWN },
		{ GSC_READ_ABSENT, GSC_UNKNOWN },
	};
	enum gsc_status status = GSC_OK;
	struct gsc_tally tally;
	bool nothing;

	gsc_rows_tally(rows, &tally);
	nothing = !tally.count[GSC_READ_OK];
	for (size_t i = 0; i < ARRAY_SIZE(misses); i++) {
		enum gsc_read read = misses[i].read;
		enum gsc_status now = nothing ? misses[i].status : GSC_PARTIAL;

		if (!tally.count[read] || (read == GSC_READ_ABSENT && !asked && !nothing))
			continue;
		complain_rows(common, rows, &tally, read, now, where);
		status = worse(status, now);
	}
	if (asked && nothing && tally.count[GSC_READ_SKIPPED])
		complain_rows(common, rows, &tally, GSC_READ_SKIPPED, GSC_OK, where);
	if (status == GSC_PARTIAL)
		complain_refusal(common);
	return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

enum gsc_status rows_read(struct regdump *dump, const struct gsc_selection *selection,
			  const struct gsc_gpu *gpu, struct gsc_rows **rows, struct gsc_error *err)
{
	struct gsc_rows_options options = {
		.unsafe = dump->common.unsafe,
		.keep = dump->watch != 0,
		.context = &dump->common,
	};
	enum gsc_status status;

	if (gpu && gsc_source_live(gsc_gpu_source(gpu)))
		options.progress = progress_show;
	status = gsc_rows_read(rows, selection, gpu, &options, err);
	progress_clear(&dump->common);
	return status;
}

/* ---- printing ------------------------------------------------------------------------------- */

SCHEMA(regdump, REGDUMP_SCHEMA, "gpu-regdump --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of that list.",
       FORMS(registers, watch, list, diff, devices, writes, workarounds))

KEYS(registers, "Reading, and --decode.")
static void json_registers(struct gsc_json *json)
{
	KEY_LIST("registers", OF(register));
}

KEYS(list, "--list: without status and value. One register at least: a selector that means none "
     "is an error.")
static void json_listed(struct gsc_json *json)
{
	KEY_LIST("registers", OF(listed), MIN_ITEMS(1));
}

enum gsc_status rows_print(struct regdump *dump, struct gsc_rows *rows, unsigned flags,
			   struct gsc_error *err)
{
	struct common *common = &dump->common;
	struct gsc_json document, *json = &document;
	enum gsc_status status = output_open(common, !wants_json(common) && !dump->watch, err);
	size_t count, shown;
	const char **sources;
	struct gsc_row row;

	if (status)
		return status;
	sources = source_names(common->source, &count);
	if (wants_json(common)) {
		document_begin(common, REGDUMP_SCHEMA, sources, count, json);
		(flags & GSC_TEXT_LIST ? json_listed : json_registers)(json);
		for (size_t i = 0; i < gsc_rows_count(rows) && !gsc_out_error(common->out); i++) {
			gsc_rows_at(rows, i, &row);
			ITEM(gsc_json_row(json, view_of(common), &row, flags));
		}
		gsc_json_finish(json);
		free(sources);
		return GSC_OK;
	}
	/* Without its head a dump could not be loaded again: it stays with -q, too. */
	if (!(flags & GSC_TEXT_LIST) && !common->session && !(dump->decode && common->quiet)) {
		shown = dump->decode ? 0 : count;
		gsc_text_title(common->out, "gpu-regdump", platform_of(common)->name,
			       common->device, common->revision, sources, shown);
		for (size_t i = 0; common->verbose && !common->quiet && i < shown; i++) {
			gsc_out_text(common->out, "# ");
			gsc_out_clean(common->out, sources[i]);
			gsc_out_text(common->out, " is read as: ");
			gsc_out_text(common->out, gsc_source_kind(common->source, i));
			gsc_out_end(common->out);
		}
	}
	gsc_text_rows(common->out, rows, flags | text_flags(common));
	free(sources);
	return GSC_OK;
}

bool rows_have_value(struct gsc_rows *rows)
{
	struct gsc_tally tally;

	gsc_rows_tally(rows, &tally);
	return tally.count[GSC_READ_OK] > 0;
}

/* ---- modes ---------------------------------------------------------------------------------- */

enum gsc_status dump_run(struct common *common, struct gsc_error *err)
{
	struct regdump *dump = (struct regdump *)common;
	bool asked = common->operand_count, json = wants_json(common);
	struct gsc_selection *selection = NULL;
	struct gsc_rows *rows = NULL;
	enum gsc_status status;
	char hint[HINT_SIZE];
	size_t unplaced;

	common->without_registers = true;
	status = common_open(common, err);
	if (!status)
		status = gsc_select(&selection, common->gpu, GSC_SELECT_LISTED, common->operands,
				    common->operand_count, err);
	if (!status)
		status = rows_read(dump, selection, common->gpu, &rows, err);
	/* If nothing else was named, registers were requested. */
	if (!status && !(asked && rows_have_value(rows)))
		status = refused(common, err);
	if (!status && (json || rows_have_value(rows)))
		status = rows_print(dump, rows, asked ? GSC_TEXT_ABSENT : GSC_TEXT_GROUPS, err);
	/* What a driver has printed about unknown registers. */
	unplaced = !status && common->out ? gsc_source_unplaced(common->source) : 0;
	if (unplaced && !common->quiet && !json && !asked)
		gsc_out_format(common->out, "\n# %zu value%s of the dump without a known address; "
			       "to list them: %s\n", unplaced, unplaced == 1 ? "" : "s",
			       hint_command(common, "snap info", hint, sizeof(hint)));
	if (!status)
		status = worse(rows_status(common, rows, asked, ""),
			       complain_damage(common, common->source));
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	return status;
}

enum gsc_status list_run(struct common *common, struct gsc_error *err)
{
	struct regdump *dump = (struct regdump *)common;
	struct gsc_selection *selection = NULL;
	struct gsc_rows *rows = NULL;
	enum gsc_status status = common_open_platform(common, err);

	if (!status)
		status = gsc_select(&selection, common->gpu, GSC_SELECT_DEFINED, common->operands,
				    common->operand_count, err);
	if (!status)
		status = rows_read(dump, selection, NULL, &rows, err);
	if (!status)
		status = rows_print(dump, rows, GSC_TEXT_LIST |
				    (common->operand_count ? 0 : GSC_TEXT_GROUPS), err);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	return status;
}

/* ---- --decode ------------------------------------------------------------------------------- */

enum gsc_status decode_run(struct common *common, struct gsc_error *err)
{
	struct regdump *dump = (struct regdump *)common;
	struct held_file file = { .data = NULL };
	struct gsc_rows *rows = NULL;
	enum gsc_status status, noted;
	const char *note;

	if (!common->operand_count)
		return usage_error(err, "--decode", "expected REG=VALUE, or - for standard input");
	status = common_open_platform(common, err);
	if (!status && common->operand_count == 1 && !strcmp(common->operands[0], "-")) {
		status = held_bytes(common, "-", &file, err);
		if (!status)
			status = gsc_rows_pasted(&rows, common->gpu, (const char *)file.data,
						 file.size, err);
		if (!status && !gsc_rows_count(rows) && !gsc_rows_note(rows, 0))
			status = err_set(err, GSC_FAILED, "standard input",
					 "not recognised: no line is a register and its value");
	} else if (!status) {
		status = rows_given(&rows, common->gpu, common->operands, common->operand_count,
				    err);
	}
	if (!status && (gsc_rows_count(rows) || wants_json(common)))
		status = rows_print(dump, rows, GSC_TEXT_ABSENT, err);
	if (!status) {
		noted = gsc_rows_count(rows) ? GSC_PARTIAL : GSC_UNKNOWN;
		for (size_t i = 0; (note = gsc_rows_note(rows, i)); i++)
			complain(common, noted, "", note);
		status = worse(gsc_rows_note(rows, 0) ? noted : GSC_OK, held_damage(common, &file));
	}
	held_close(&file);
	gsc_rows_free(rows);
	return status;
}

/* ---- --check-workarounds -------------------------------------------------------------------- */

KEYS(workarounds, "--check-workarounds.")
static void workarounds_json(struct common *common, const struct gsc_workarounds *all)
{
	struct gsc_json document, *json = &document;

	source_document(common, REGDUMP_SCHEMA, json);
	gsc_json_workaround_counts(json, all);
	KEY_LIST("workarounds", OF(workaroundCheck));
	for (size_t i = 0; i < all->checks.count && !gsc_out_error(common->out); i++)
		ITEM(gsc_json_workaround(json, view_of(common), &all->checks.items[i]));
	gsc_json_finish(json);
}

enum gsc_status workarounds_run(struct common *common, struct gsc_error *err)
{
	struct gsc_workarounds all = { .assumed = false };
	enum gsc_status status;
	size_t absent = 0, compared = 0;
	char why[60];

	if (common->operand_count)
		return usage_error(err, common->operands[0], "unexpected with --check-workarounds");
	status = common_open(common, err);
	if (!status)
		status = gsc_workarounds_check(&all, common->gpu, err);
	absent = all.counts[GSC_WORKAROUND_ABSENT] + all.counts[GSC_WORKAROUND_UNLISTED];
	if (!status)
		compared = all.checks.count - absent - all.counts[GSC_WORKAROUND_UNREADABLE];
	if (!status && !compared)
		status = refused(common, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common)) {
		workarounds_json(common, &all);
	} else if (!status) {
		source_title(common);
		gsc_text_workarounds(common->out, view_of(common), &all, text_flags(common));
	}
	if (!status && !compared) {
		string_set(why, "%zu of %zu registers", all.checks.count, all.checks.count);
		complain(common, GSC_UNKNOWN, why, absent == all.checks.count
			 ? "no source holds them" : "none can be read (-v shows why)");
		status = GSC_UNKNOWN;
	}
	if (!status && all.wrong) {
		string_set(why, "%zu missing or different", all.wrong);
		complain(common, GSC_PARTIAL, "--check-workarounds", why);
		status = GSC_PARTIAL;
	}
	gsc_workarounds_free(&all);
	return status ? status : complain_damage(common, common->source);
}
