/* SPDX-License-Identifier: MIT */
/* gpu-db check: everything that is wrong with definition files. */
#include "gpu-db.h"
#include "dbc/files.h"
#include "util/text.h"

#include <glob.h>

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
	text_styled(out, GSC_STYLE_RED, "^");
	gsc_out_end(out);
}

/* "FILE:LINE:COLUMN" */
#define WHERE_SIZE 4200

static const char *where_text(const struct gsc_finding *finding, char *buf)
{
	if (*finding->file)
		snprintf(buf, WHERE_SIZE, "%s:%u:%u", finding->file, finding->line,
			 finding->column);
	else
		strcpy(buf, "-");
	return buf;
}

/* "FILE: 3 registers, 1 command: sound" */
static void put_sound(struct gsc_out *out, const struct gsc_findings *findings, const char *path)
{
	static const char *const words[][2] = {
		[GSC_REGISTER] = { "register", "registers" },
		[GSC_COMMAND] = { "command", "commands" },
		[GSC_STRUCTURE] = { "structure", "structures" },
		[GSC_ENTRY] = { "page-table entry", "page-table entries" },
		[GSC_INSTRUCTION] = { "instruction", "instructions" },
		[GSC_TOPIC] = { "topic", "topics" },
		[GSC_WORKAROUND] = { "workaround", "workarounds" },
		[GSC_MESSAGE] = { "message", "messages" },
	};
	const char *between = "";

	gsc_out_clean(out, path);
	gsc_out_text(out, ": ");
	for (unsigned kind = GSC_REGISTER; kind <= GSC_MESSAGE; kind++) {
		size_t count = gsc_findings_items(findings, path, (enum gsc_kind)kind);

		if (!count)
			continue;
		gsc_out_format(out, "%s%zu %s", between, count, words[kind][count != 1]);
		between = ", ";
	}
	gsc_out_line(out, "%s", *between ? ": sound" : "sound");
}

static size_t print_text(const struct common *common, const struct sets *sets)
{
	const struct gsc_finding *finding;
	struct gsc_out *out = common->out;
	char where[WHERE_SIZE];
	size_t found = 0;

	for (size_t s = 0; s < sets->count; s++) {
		const struct set *set = &sets->items[s];
		size_t i = 0;

		for (; (finding = gsc_finding_at(set->findings, i)); i++) {
			where_text(finding, where);
			gsc_out_style(out, GSC_STYLE_BOLD);
			put_line(out, where, 0, strlen(where));
			gsc_out_style(out, GSC_STYLE_PLAIN);
			gsc_out_text(out, ": ");
			put_line(out, finding->text, 0, strlen(finding->text));
			gsc_out_end(out);
			if (finding->source && finding->column)
				put_source(out, finding);
		}
		for (size_t k = 0; !i && !common->quiet && k < set->count; k++)
			put_sound(out, set->findings, set->paths[k]);
		found += i;
	}
	if (found)
		gsc_out_line(out, "%zu finding%s", found, found == 1 ? "" : "s");
	return found;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

KEYS(ruleBreach, "where: FILE:LINE:COLUMN.")
static void json_finding(struct gsc_json *json, const struct gsc_finding *finding)
{
	char where[WHERE_SIZE];

	KEY(text, "rule", finding->rule);
	KEY(text, "where", where_text(finding, where));
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
	gsc_json_finish(json);
	return found;
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status check_sets(struct common *common, const struct sets *sets,
				  const char *const *paths, size_t count, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	char what[WHERE_SIZE] = "";
	size_t unsound = 0, found;

	for (size_t s = 0; s < sets->count && !status; s++) {
		struct set *set = &sets->items[s];

		status = gsc_check_files(&set->findings, common->db, set->paths, set->count, err);
		if (status || !gsc_finding_at(set->findings, 0))
			continue;
		unsound += set->count;
		string_set(what, "%s", set->paths[0]);
	}
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status)
		return status;
	found = wants_json(common) ? print_json(common, sets, paths, count)
				: print_text(common, sets);
	if (!found)
		return GSC_OK;
	if (unsound > 1)
		string_set(what, "%zu files", unsound);
	complain(common, GSC_FAILED, what, unsound > 1 ? "have errors in their definitions"
							: "has errors in its definitions");
	return GSC_FAILED;
}

/* The user's own files do not know each other: each is a set. */
static enum gsc_status check_own(struct common *common, struct gsc_error *err)
{
	const char *home = getenv("HOME");
	enum gsc_status status;
	char pattern[4096];
	glob_t own = { 0 };
	struct sets sets;

	if (!common->no_user_config && home && *home == '/' &&
	    (size_t)string_set(pattern, "%s/.config/gpuscope/*.def", home) < sizeof(pattern) &&
	    glob(pattern, 0, NULL, &own))
		own.gl_pathc = 0;
	sets = (struct sets){ calloc(own.gl_pathc + 1, sizeof(*sets.items)), own.gl_pathc };
	for (size_t i = 0; sets.items && i < sets.count; i++)
		sets.items[i] = (struct set){ (const char *const *)own.gl_pathv + i, 1, NULL };
	status = sets.items ? check_sets(common, &sets, (const char *const *)own.gl_pathv,
					 sets.count, err)
			    : err_memory(err);
	for (size_t i = 0; sets.items && i < sets.count; i++)
		gsc_findings_free(sets.items[i].findings);
	free(sets.items);
	if (!status && !sets.count && !wants_json(common) && !common->quiet) {
		gsc_out_text(common->out, "you have no definitions in ~/.config/gpuscope; the "
					  "built-in ones were checked when gpuscope was built");
		gsc_out_end(common->out);
	}
	globfree(&own);
	return status;
}

enum gsc_status db_check_run(struct common *common, struct gsc_error *err)
{
	struct set set = { common->operands + 1, common->operand_count - 1, NULL };
	enum gsc_status status = gsc_db_new(&common->db, err);

	if (status)
		return status;
	if (!set.count)
		return check_own(common, err);
	status = check_sets(common, &(struct sets){ &set, 1 }, set.paths, set.count, err);
	gsc_findings_free(set.findings);
	return status;
}
