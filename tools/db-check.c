/* SPDX-License-Identifier: MIT */
/* gpu-db check: everything that is wrong with definition files. */
#include "db.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a line longer than this only a part is shown. */
#define LINE_SHOWN 160
#define LINE_BEFORE 100

/* The user's own files, as they would be loaded. */
static void find_own(const struct common *common, glob_t *found)
{
	const char *home = getenv("HOME");
	char pattern[4096];

	*found = (glob_t){ 0 };
	if (common->no_user_config || !home || *home != '/' ||
	    (size_t)snprintf(pattern, sizeof(pattern), "%s/.config/gpuscope/*.def", home) >=
		    sizeof(pattern))
		return;
	if (glob(pattern, 0, NULL, found))
		found->gl_pathc = 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* A file's text must not steer the terminal. */
static void put_line(struct gsc_out *out, const char *line, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		char c = line[i];

		if ((unsigned char)c < 0x20 && c != '\t')
			c = c == '\r' ? ' ' : '?';
		gsc_out_bytes(out, c == 0x7f ? "?" : &c, 1);
	}
}

/* The offending line, and a caret below the column. */
static void put_source(struct gsc_out *out, const struct gsc_finding *finding)
{
	size_t length = strlen(finding->source), column = finding->column - 1, from, to;

	if (column > length)
		column = length;
	from = column > LINE_BEFORE + LINE_SHOWN / 4 ? column - LINE_BEFORE : 0;
	to = length - from > LINE_SHOWN ? from + LINE_SHOWN : length;
	gsc_out_text(out, "    ");
	put_line(out, finding->source, from, to);
	gsc_out_end(out);
	gsc_out_text(out, "    ");
	for (size_t i = from; i < column; i++) {
		/* A character of several bytes takes one place. */
		if (((unsigned char)finding->source[i] & 0xc0) != 0x80)
			gsc_out_bytes(out, finding->source[i] == '\t' ? "\t" : " ", 1);
	}
	gsc_out_style(out, GSC_STYLE_RED);
	gsc_out_text(out, "^");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

static void put_where(const struct gsc_finding *finding, char *buf, size_t size)
{
	if (*finding->file)
		snprintf(buf, size, "%s:%u:%u", finding->file, finding->line, finding->column);
	else
		snprintf(buf, size, "-");
}

static void put_finding(struct gsc_out *out, const struct gsc_finding *finding)
{
	char where[4200];

	put_where(finding, where, sizeof(where));
	gsc_out_style(out, GSC_STYLE_BOLD);
	put_line(out, where, 0, strlen(where));
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_text(out, ": ");
	put_line(out, finding->text, 0, strlen(finding->text));
	gsc_out_end(out);
	if (finding->source && finding->column)
		put_source(out, finding);
}

static void put_count(struct gsc_out *out, size_t count, const char *one, const char *many,
		      bool *first)
{
	if (!count)
		return;
	gsc_out_format(out, "%s%zu %s", *first ? "" : ", ", count, count == 1 ? one : many);
	*first = false;
}

/* "FILE: 3 registers, 1 command: sound" */
static void put_sound(struct gsc_out *out, const struct gsc_findings *findings, const char *path)
{
	bool first = true;

	gsc_out_text(out, path);
	gsc_out_text(out, ": ");
	put_count(out, gsc_findings_items(findings, path, GSC_REGISTER), "register", "registers",
		  &first);
	put_count(out, gsc_findings_items(findings, path, GSC_COMMAND), "command", "commands",
		  &first);
	put_count(out, gsc_findings_items(findings, path, GSC_STRUCTURE), "structure",
		  "structures", &first);
	put_count(out, gsc_findings_items(findings, path, GSC_ENTRY), "page-table entry",
		  "page-table entries", &first);
	gsc_out_text(out, first ? "sound" : ": sound");
	gsc_out_end(out);
}

static size_t print_text(const struct common *common, const struct gsc_findings *findings,
			 const char *const *paths, size_t count)
{
	const struct gsc_finding *finding;
	size_t i = 0;

	for (; (finding = gsc_finding_at(findings, i)); i++)
		put_finding(common->out, finding);
	if (i) {
		gsc_out_format(common->out, "%zu finding%s", i, i == 1 ? "" : "s");
		gsc_out_end(common->out);
	}
	for (size_t k = 0; !i && !common->quiet && k < count; k++)
		put_sound(common->out, findings, paths[k]);
	return i;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static size_t print_json(const struct common *common, const struct gsc_findings *findings,
			 const char *const *paths, size_t count)
{
	const struct gsc_finding *finding;
	struct gsc_json json;
	char where[4200];
	size_t i = 0;

	gsc_json_begin(&json, common->out, common->ndjson);
	gsc_json_head(&json, DB_SCHEMA, NULL, -1, paths, count);
	gsc_json_list(&json, "findings");
	for (; findings && (finding = gsc_finding_at(findings, i)); i++) {
		put_where(finding, where, sizeof(where));
		gsc_json_object(&json, NULL);
		gsc_json_string(&json, "rule", finding->rule);
		gsc_json_string(&json, "where", where);
		gsc_json_string(&json, "text", finding->text);
		gsc_json_null(&json, "origin");
		gsc_json_object_end(&json);
	}
	gsc_json_list_end(&json);
	gsc_json_finish(&json);
	return i;
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status not_sound(struct common *common, const char *const *paths, size_t count)
{
	char what[4200];

	if (count == 1)
		snprintf(what, sizeof(what), "%s", paths[0]);
	else
		snprintf(what, sizeof(what), "%zu files", count);
	complain(common, what, "not sound");
	return GSC_FAILED;
}

static enum gsc_status check_files(struct common *common, const char *const *paths, size_t count,
				   struct gsc_error *err)
{
	struct gsc_findings *findings = NULL;
	enum gsc_status status = gsc_check_files(&findings, common->db, paths, count, err);

	if (!status)
		status = output_open(common, !db_json(common), err);
	if (!status && (db_json(common) ? print_json : print_text)(common, findings, paths, count))
		status = not_sound(common, paths, count);
	gsc_findings_free(findings);
	return status;
}

static enum gsc_status check_nothing(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, false, err);

	if (status)
		return status;
	if (db_json(common)) {
		print_json(common, NULL, NULL, 0);
	} else if (!common->quiet) {
		gsc_out_text(common->out, "no definitions of yours in ~/.config/gpuscope; those "
			     "built in were checked when gpuscope was built");
		gsc_out_end(common->out);
	}
	return GSC_OK;
}

enum gsc_status check_run(struct common *common, struct gsc_error *err)
{
	size_t count;
	const char *const *paths = db_names(common, &count);
	enum gsc_status status = gsc_db_new(&common->db, err);
	glob_t own;

	if (status)
		return status;
	if (count)
		return check_files(common, paths, count, err);
	find_own(common, &own);
	if (own.gl_pathc)
		status = check_files(common, (const char *const *)own.gl_pathv, own.gl_pathc, err);
	else
		status = check_nothing(common, err);
	globfree(&own);
	return status;
}
