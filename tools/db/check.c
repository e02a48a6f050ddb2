/* SPDX-License-Identifier: MIT */
/* gpu-db check: everything that is wrong with definition files. */
#include "gpu-db.h"
#include "dbc/files.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a line longer than this only a part is shown. */
#define LINE_SHOWN 160
#define LINE_BEFORE 100

/* Files that belong together, and what is wrong with them. */
struct set {
	const char *const *paths;
	size_t count;
	struct gsc_findings *findings;
};

struct sets {
	struct set *items;
	size_t count;
};

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

/* A file's text must not control the terminal. */
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
		/* A character of several bytes takes one column. */
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

	gsc_out_clean(out, path);
	gsc_out_text(out, ": ");
	put_count(out, gsc_findings_items(findings, path, GSC_REGISTER), "register", "registers",
		  &first);
	put_count(out, gsc_findings_items(findings, path, GSC_COMMAND), "command", "commands",
		  &first);
	put_count(out, gsc_findings_items(findings, path, GSC_STRUCTURE), "structure",
		  "structures", &first);
	put_count(out, gsc_findings_items(findings, path, GSC_ENTRY), "page-table entry",
		  "page-table entries", &first);
	put_count(out, gsc_findings_items(findings, path, GSC_INSTRUCTION), "instruction",
		  "instructions", &first);
	gsc_out_text(out, first ? "sound" : ": sound");
	gsc_out_end(out);
}

static size_t print_text(const struct common *common, const struct sets *sets)
{
	const struct gsc_finding *finding;
	size_t found = 0;

	for (size_t s = 0; s < sets->count; s++) {
		const struct set *set = &sets->items[s];
		size_t i = 0;

		for (; (finding = gsc_finding_at(set->findings, i)); i++)
			put_finding(common->out, finding);
		for (size_t k = 0; !i && !common->quiet && k < set->count; k++)
			put_sound(common->out, set->findings, set->paths[k]);
		found += i;
	}
	if (found) {
		gsc_out_format(common->out, "%zu finding%s", found, found == 1 ? "" : "s");
		gsc_out_end(common->out);
	}
	return found;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

KEYS(ruleBreach, "where: FILE:LINE:COLUMN.")
static void json_finding(struct gsc_json *json, const struct gsc_finding *finding)
{
	char where[4200];

	put_where(finding, where, sizeof(where));
	KEY(text, "rule", finding->rule);
	KEY(text, "where", where);
	KEY(text, "text", finding->text);
	KEY(text_or_null, "origin", NULL);
}

KEYS(check, "source: the files.")
static size_t print_json(const struct common *common, const struct sets *sets,
			 const char *const *paths, size_t count)
{
	const struct gsc_finding *finding;
	struct gsc_json document, *json = &document;
	size_t found = 0;

	gsc_json_begin(json, common->out, common->ndjson);
	gsc_json_head(json, DB_SCHEMA, NULL, -1, paths, count);
	KEY_LIST("findings", OF(ruleBreach));
	for (size_t s = 0; s < sets->count; s++) {
		for (size_t i = 0; (finding = gsc_finding_at(sets->items[s].findings, i)); i++) {
			ITEM(json_finding(json, finding));
			found++;
		}
	}
	gsc_json_list_end(json);
	gsc_json_finish(json);
	return found;
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status not_sound(struct common *common, const struct sets *sets)
{
	char what[4200];
	size_t unsound = 0;

	for (size_t s = 0; s < sets->count; s++) {
		const struct set *set = &sets->items[s];

		if (!gsc_finding_at(set->findings, 0))
			continue;
		unsound += set->count;
		snprintf(what, sizeof(what), "%s", set->paths[0]);
	}
	if (unsound > 1)
		snprintf(what, sizeof(what), "%zu files", unsound);
	complain(common, GSC_FAILED, what, unsound > 1 ? "have errors in their definitions"
							: "has errors in its definitions");
	return GSC_FAILED;
}

static enum gsc_status check_sets(struct common *common, const struct sets *sets,
				  const char *const *paths, size_t count, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	size_t found;

	for (size_t s = 0; s < sets->count && !status; s++) {
		struct set *set = &sets->items[s];

		status = gsc_check_files(&set->findings, common->db, set->paths, set->count, err);
	}
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status)
		return status;
	found = wants_json(common) ? print_json(common, sets, paths, count)
				: print_text(common, sets);
	return found ? not_sound(common, sets) : GSC_OK;
}

/* The files of the user do not know each other: each is a set. */
static enum gsc_status check_own(struct common *common, char **paths, size_t count,
				 struct gsc_error *err)
{
	struct sets sets = { calloc(count + 1, sizeof(*sets.items)), count };
	const char *const *names = (const char *const *)paths;
	enum gsc_status status;

	if (!sets.items)
		return err_memory(err);
	for (size_t i = 0; i < count; i++)
		sets.items[i] = (struct set){ .paths = names + i, .count = 1 };
	status = check_sets(common, &sets, names, count, err);
	for (size_t i = 0; i < count; i++)
		gsc_findings_free(sets.items[i].findings);
	free(sets.items);
	if (!status && !count && !wants_json(common) && !common->quiet) {
		gsc_out_text(common->out, "you have no definitions in ~/.config/gpuscope; the "
					  "built-in ones were checked when gpuscope was built");
		gsc_out_end(common->out);
	}
	return status;
}

enum gsc_status db_check_run(struct common *common, struct gsc_error *err)
{
	struct set set = { 0 };
	struct sets sets = { &set, 1 };
	enum gsc_status status = gsc_db_new(&common->db, err);
	glob_t own;

	set.paths = db_names(common, &set.count);
	if (status)
		return status;
	if (set.count) {
		status = check_sets(common, &sets, set.paths, set.count, err);
		gsc_findings_free(set.findings);
		return status;
	}
	find_own(common, &own);
	status = check_own(common, own.gl_pathv, own.gl_pathc, err);
	globfree(&own);
	return status;
}
