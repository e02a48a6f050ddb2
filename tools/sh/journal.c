/* SPDX-License-Identifier: MIT */
/* The journal: every write with its time, as text and JSON, undone, and saved as scripts. */
#include "sh.h"

#include "regs/regs.h"
#include "util/number.h"

#include <errno.h>
#include <unistd.h>

#define FORCE "force "			/* before a write that was forced */

void write_record_free(struct write_record *record)
{
	free(record->target);
	free(record->word);
	free(record->sources);
	free(record->problem);
}

bool journal_add(struct shell *shell, const struct write_record *record)
{
	struct write_record *added = vec_add(&shell->journal);

	if (!added)
		return false;
	*added = *record;
	added->target = strdup(record->target);
	added->word = strdup(record->word);
	added->sources = session_sources(shell);
	added->problem = record->problem ? strdup(record->problem) : NULL;
	if (added->target && added->word && added->sources)
		return true;
	write_record_free(added);
	shell->journal.count--;
	return false;
}

/* ---- showing -------------------------------------------------------------------------------- */

static void show(struct shell *shell)
{
	struct gsc_out *out = shell->common.out;

	if (wants_json(&shell->common))
		events_begin(shell);
	for (size_t i = 0; i < shell->journal.count; i++) {
		const struct write_record *record = &shell->journal.items[i];
		int64_t time = record->written.time;
		time_t seconds = (time_t)(time / 1000000000);
		char clock[32];
		struct tm tm;

		if (wants_json(&shell->common)) {
			event_record(shell, record, i + 1);
			continue;
		}
		localtime_r(&seconds, &tm);
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
		gsc_out_format(out, "%3zu  %s.%03u  ", i + 1, clock,
			       (unsigned)(time / 1000000 % 1000));
		if (record->was_read)
			gsc_out_format(out, "%s  was read", record->target);
		else
			written_print(out, &record->written);
		if (record->undoes)
			gsc_out_format(out, "  undoes %zu", record->undoes);
		if (record->undone)
			gsc_out_text(out, "  undone");
		gsc_out_end(out);
		if (record->problem)
			gsc_out_format(out, "     %s\n", record->problem);
	}
}

/* ---- undo ----------------------------------------------------------------------------------- */

/* It is undone where it was written, and nowhere else. */
static enum gsc_status check_sources(struct shell *shell, const struct write_record *record,
				     struct gsc_error *err)
{
	char *sources = session_sources(shell);
	bool same = sources && !strcmp(sources, record->sources);

	free(sources);
	return same ? GSC_OK : err_set(err, GSC_USAGE, record->written.name, "was written to "
				       "%.200s: first go back there with from", record->sources);
}

static enum gsc_status undo_one(struct shell *shell, size_t i, struct gsc_error *err)
{
	struct write_record undo = shell->journal.items[i];
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status = check_sources(shell, &undo, err), after;
	size_t before = shell->journal.count;
	char problem[sizeof(err->why)] = "", question[400];

	if (!status)
		status = session_need(shell, err);
	if (!status)
		status = gsc_write_undo(&plan, shell->common.gpu, &undo.written, err);
	if (plan) {
		/* Only a part can be restored: why, and then that part. */
		if (status) {
			memcpy(problem, err->why, sizeof(problem));
			shell_tell(shell, err);
		}
		undo.undoes = i + 1;
		undo.problem = *problem ? problem : NULL;
		after = write_plan(shell, plan, &undo, shell->force, err);
		/* If somebody else has changed it since, only a user who sees that decides. */
		string_set(question, "%s: it has changed since, to 0x%llx: restore the value from "
				     "before the write?", undo.written.name, LL(undo.written.old));
		if (after == GSC_USAGE && !undo.written.stored && undo.written.changed &&
		    shell->interactive && !signal_seen && ask(question)) {
			err->why[0] = 0;
			after = write_plan(shell, plan, &undo, true, err);
		}
		if (undo.written.stored && after != GSC_GONE)
			shell->journal.items[i].undone = true;
		if (undo.problem != problem)
			free(undo.problem);
		status = worse(after, status);
	}
	if (status && !(plan && shell->dry_run) && shell->journal.count == before)
		event_refused(shell, shell->journal.items[i].written.name, "undo", NULL, status,
			      err);
	gsc_write_plan_free(plan);
	return status;
}

static bool can_undo(const struct write_record *record)
{
	return !record->undoes && !record->undone && !record->was_read;
}

bool journal_pending(const struct shell *shell)
{
	for (size_t i = 0; i < shell->journal.count; i++)
		if (can_undo(&shell->journal.items[i]))
			return true;
	return false;
}

/* What cannot be restored does not prevent the rest. */
enum gsc_status undo_all(struct shell *shell, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK, now;

	for (size_t i = shell->journal.count; i-- > 0;) {
		if (!can_undo(&shell->journal.items[i]))
			continue;
		now = undo_one(shell, i, err);
		if (now)
			shell_tell(shell, err);
		status = worse(status, now);
	}
	return status;
}

enum gsc_status undo_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	const char *word = words->count ? words->items[0] : "";
	const struct write_record *record;
	struct gsc_error ignored;
	enum gsc_status status;
	uint64_t number;

	for (size_t i = words->count ? 0 : shell->journal.count; i-- > 0;) {
		record = &shell->journal.items[i];
		if (!can_undo(record))
			continue;
		status = undo_one(shell, i, err);
		record = &shell->journal.items[i];
		if (status == GSC_USAGE && *err->why && !check_sources(shell, record, &ignored))
			string_add(err->why, "; undo N undoes another write of the journal");
		return status;
	}
	if (!words->count)
		return usage_error(err, "undo", "no write to undo");
	if (!strcmp(word, "all"))
		return undo_all(shell, err);
	if (!gsc_parse_number(word, &number) || !number || number > shell->journal.count)
		return usage_error(err, word, "expected all, or the number of a write in the "
					      "journal");
	record = &shell->journal.items[number - 1];
	if (!can_undo(record))
		return usage_error(err, word, record->undone ? "is already undone" :
				   record->was_read ? "was only read" : "is an undo itself");
	return undo_one(shell, (size_t)number - 1, err);
}

/* ---- scripts -------------------------------------------------------------------------------- */

/*
 * "NAME = 0x1  # was 0x11, of 0x20": replay looks for that. Nothing if it is not known; `before`:
 * what was there then.
 */
static void put_write(FILE *file, const struct write_record *record, const char *operation,
		      uint64_t value, const struct gsc_written *before, uint64_t old)
{
	fprintf(file, "%s%s %s 0x%llx", record->forced ? FORCE : "", record->written.name,
		operation, LL(value));
	if (before->has_old)
		fprintf(file, "  # was 0x%llx, of 0x%llx", LL(old), LL(before->bits));
	fprintf(file, "\n");
}

/* The bits that a write changed, as they were, in the shell's words; `before`: before that. */
static void script_revert(struct shell *shell, FILE *file, const struct write_record *record,
			  const struct gsc_written *before)
{
	const struct gsc_written *written = &record->written;
	unsigned width = written->reg.name ? written->reg.bits : 32;
	uint64_t mask = written->bits & 0xffff, all, old, rest;
	struct gsc_write_plan *plan = NULL;
	struct target target = { 0 };
	struct gsc_error err;

	if (gsc_write_undo(&plan, shell->common.gpu, written, &err))
		fprintf(file, "# %s: %s\n", written->name, err.why);
	if (!plan)
		return;
	gsc_write_plan_free(plan);
	if (!target_open(&shell->common, written->name, &target, &err))
		width = target.row.reg.bits;
	if (target.has_field || target.row.reg.access & GSC_MASKED) {
		put_write(file, record, "=", target.has_field
			  ? field_bits(&target.field, written->old)
			  : mask << 16 | (written->old & mask), before, before->old);
	} else {
		/* Bits of a register; the others stay as they are. */
		all = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
		old = written->old & written->bits;
		rest = all & ~written->bits;
		put_write(file, record, rest ? "&=" : "=", rest ? rest : old, before, before->old);
		if (rest && old)
			put_write(file, record, "|=", old, before, before->old & ~written->bits);
	}
	target_close(&target);
}

/* A write whose undo came next leaves nothing to revert, nor do such pairs in between. */
static void revert_all(struct shell *shell, FILE *file)
{
	size_t *left = calloc(shell->journal.count + 1, sizeof(*left)), count = 0;

	for (size_t i = 0; left && i < shell->journal.count; i++) {
		const struct write_record *record = &shell->journal.items[i];

		if (record->was_read)
			continue;
		if (count && record->undoes == left[count - 1] + 1 && !record->problem)
			count--;
		else
			left[count++] = i;
	}
	while (count--) {
		const struct write_record *record = &shell->journal.items[left[count]];
		struct gsc_written now = record->written;

		now.has_old = true;
		now.old = now.has_back ? now.back : now.value;
		script_revert(shell, file, record, &now);
	}
	free(left);
}

static enum gsc_status save(struct shell *shell, const char *path, bool revert,
			    struct gsc_error *err)
{
	enum gsc_status status = session_need(shell, err);
	const char *platform;
	FILE *file;
	int fd, error = 0, failed;

	for (size_t i = 0; !status && i < shell->journal.count; i++)
		status = check_sources(shell, &shell->journal.items[i], err);
	if (status)
		return status;
	platform = gsc_gpu_platform(shell->common.gpu)->name;
	/* A link that somebody else has put there is not followed. */
	status = outside_save(&shell->common, path, FILE_SHARED, &fd, err);
	if (status)
		return status;
	file = fdopen(fd, "w");
	if (file) {
		fprintf(file, "# %s a session of gpu-sh on %s: gpu-sh --write %s%s%s\n",
			revert ? "Reverts" : "Replays", platform,
			revert ? "" : "-c 'replay ", path, revert ? "" : "'");
		fprintf(file, "platform %s\n", platform);
		if (revert)
			revert_all(shell, file);
		else
			for (size_t i = 0; i < shell->journal.count; i++) {
				const struct write_record *record = &shell->journal.items[i];
				const struct gsc_written *written = &record->written;

				if (record->was_read) {
					fprintf(file, "%s\n", record->target);
				} else if (record->undoes) {
					script_revert(shell, file,
						      &shell->journal.items[record->undoes - 1],
						      written);
				} else {
					fprintf(file, "%s%s %s %s", record->forced ? FORCE : "",
						written->name, operation_word(record->operation),
						record->word);
					if (written->has_old)
						fprintf(file, "  # was 0x%llx, of 0x%llx",
							LL(written->old), LL(written->bits));
					fprintf(file, "\n");
				}
			}
		if (ferror(file) | fflush(file))
			error = errno ? errno : EIO;
		fclose(file);
	} else {
		error = errno;
		close(fd);
	}
	failed = outside_end_file(&shell->common, !error);
	error = error ? error : failed;
	return error ? err_errno(err, path, error) : GSC_OK;
}

enum gsc_status journal_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	bool revert = words->count == 3 && !strcmp(words->items[1], "--revert");
	const char *path = words->count ? words->items[words->count - 1] : "";
	char full[4096];

	if (!words->count)
		show(shell);
	else if (strcmp(words->items[0], "save") || (words->count != 2 && !revert) || *path == '-')
		return usage_error(err, "journal", "expected nothing, or save [--revert] FILE");
	else
		return save(shell, path_home(path, full, sizeof(full)), revert, err);
	return GSC_OK;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

SCHEMA(sh, SH_SCHEMA, "gpu-sh --json",
       "A document for each command of the shell that writes, undoes, waits, or tells of the "
       "session; what the other commands print is as their own schemas say. With --ndjson the "
       "first line of each is the document without events, and each further line one of them.",
       FORMS(events))

KEYS(events)
void events_begin(struct shell *shell)
{
	struct common *common = &shell->common;
	struct gsc_json *json = &shell->json;
	const char **names;
	size_t count;

	if (shell->json_begun)
		return;
	names = session_names(shell, &count);
	document_begin(common, SH_SCHEMA, names, count, json);
	KEY_LIST("events", OF(write, undo, look, refused, dryRun, wait, setting, memory));
	shell->json_begun = true;
	free(names);
}

struct gsc_json *event_begin(struct shell *shell)
{
	events_begin(shell);
	gsc_json_object(&shell->json, NULL);
	return &shell->json;
}

void event_end(struct shell *shell)
{
	gsc_json_object_end(&shell->json);
}

void events_end(struct shell *shell)
{
	if (!shell->json_begun)
		return;
	gsc_json_finish(&shell->json);
	shell->json_begun = false;
}

/* The beginning of undoes and writes. */
KEYS()
static void json_when(struct gsc_json *json, const struct write_record *record)
{
	KEY(text_or_null, "at", record->sources);
	json_time(json, &record->written);
}

KEYS()
static void json_what(struct gsc_json *json, struct shell *shell, const struct write_record *record)
{
	char *sources = session_sources(shell);
	bool here = sources && record->sources && !strcmp(sources, record->sources);

	KEY(flag, "undone", record->undone);
	gsc_json_written(json, here ? view_of(&shell->common) : NULL, &record->written);
	KEY(text_or_null, "problem", record->problem);
	free(sources);
}

KEYS(write, "number: in the journal. at: the source of the session then. operation, given: as "
     "typed. name may end in :FIELD; size is in bytes. old, "
     "written, back: of the whole register, before, as stored and afterwards; null where it could "
     "not be read. bits: those that were meant; lost: those of them that are not as they should "
     "be. fields: that differ between old and back; null where that is not known, or the session "
     "is elsewhere by now. problem: how it has not all gone as it should; with back null nobody "
     "may know whether it is written.")
static void json_write(struct gsc_json *json, struct shell *shell,
		       const struct write_record *record, size_t number)
{
	KEY(text, "event", "write", ONE_OF("write"));
	KEY_OR_NULL(number, number, "number", number, MIN(1));
	json_when(json, record);
	KEY(text, "operation", operation_word(record->operation), ONE_OF(operation_word));
	KEY(text, "given", record->word);
	KEY(null, "undoes", 0);
	json_what(json, shell, record);
}

KEYS(undo, "As a write; undoes: the number of the one that it puts back.")
static void json_undo(struct gsc_json *json, struct shell *shell, const struct write_record *record,
		      size_t number)
{
	KEY(text, "event", "undo", ONE_OF("undo"));
	KEY_OR_NULL(number, number, "number", number, MIN(1));
	json_when(json, record);
	KEY(null, "operation", NULL);
	KEY(null, "given", NULL);
	KEY(number, "undoes", record->undoes, MIN(1));
	json_what(json, shell, record);
}

KEYS(look, "In the journal: a read that wrote an index or a doorbell first.")
static void json_look(struct gsc_json *json, const struct write_record *record, size_t number)
{
	KEY(text, "event", "look", ONE_OF("look"));
	KEY(number, "number", number, MIN(1));
	json_when(json, record);
	KEY(text, "name", record->written.name, MIN_LENGTH(1));
}

void event_record(struct shell *shell, const struct write_record *record, size_t number)
{
	struct gsc_json *json = event_begin(shell);

	if (record->was_read)
		json_look(json, record, number);
	else
		(record->undoes ? json_undo : json_write)(json, shell, record, number);
	event_end(shell);
}

KEYS(refused, "Nothing was written. given is null of an undo; exit_status as of the command.")
void event_refused(struct shell *shell, const char *name, const char *operation, const char *given,
		   enum gsc_status status, const struct gsc_error *err)
{
	struct gsc_json *json;

	if (!wants_json(&shell->common))
		return;
	json = event_begin(shell);
	KEY(text, "event", "refused", ONE_OF("refused"));
	KEY(text, "name", name);
	KEY(text, "operation", operation, ONE_OF("=", "|=", "&=", "^=", "undo"));
	KEY(text_or_null, "given", given);
	KEY(text, "reason", err->why, MIN_LENGTH(1));
	KEY(number, "exit_status", (uint64_t)status, MIN(1), MAX(6));
	event_end(shell);
}
