/* SPDX-License-Identifier: MIT */
/* The journal: every write with its time, undone, and saved as scripts. */
#include "sh.h"
#include "util/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FORCE "force "			/* before a write that was forced */

bool journal_add(struct shell *shell, const struct deed *deed)
{
	struct deed *grown = realloc(shell->deeds, (shell->deed_count + 1) * sizeof(*grown));
	struct deed *added;

	if (!grown)
		return false;
	shell->deeds = grown;
	added = &grown[shell->deed_count];
	*added = *deed;
	added->target = strdup(deed->target);
	added->word = strdup(deed->word);
	added->sources = session_sources(shell);
	added->problem = deed->problem ? strdup(deed->problem) : NULL;
	if (!added->target || !added->word || !added->sources) {
		deed_free(added);
		return false;
	}
	shell->deed_count++;
	return true;
}

/* ---- showing -------------------------------------------------------------------------------- */

static void put_time(struct gsc_out *out, int64_t nanoseconds)
{
	time_t seconds = (time_t)(nanoseconds / 1000000000);
	struct tm tm;
	char text[32];

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%H:%M:%S", &tm);
	gsc_out_format(out, "%s.%03u", text, (unsigned)(nanoseconds / 1000000 % 1000));
}

static void show(struct shell *shell)
{
	struct gsc_out *out = shell->common.out;

	if (wants_json(&shell->common)) {
		events_begin(shell);
		for (size_t i = 0; i < shell->deed_count; i++)
			event_deed(shell, &shell->deeds[i], i + 1);
		return;
	}
	for (size_t i = 0; i < shell->deed_count; i++) {
		const struct deed *deed = &shell->deeds[i];

		gsc_out_format(out, "%3zu  ", i + 1);
		put_time(out, deed->written.time);
		gsc_out_text(out, "  ");
		if (deed->looked)
			gsc_out_format(out, "%s  was read", deed->target);
		else
			written_print(out, &deed->written);
		if (deed->undoes)
			gsc_out_format(out, "  undoes %zu", deed->undoes);
		if (deed->undone)
			gsc_out_text(out, "  undone");
		gsc_out_end(out);
		if (deed->problem)
			gsc_out_format(out, "     %s\n", deed->problem);
	}
}

/* ---- undo ----------------------------------------------------------------------------------- */

/* It is undone where it was written, and nowhere else. */
static enum gsc_status check_sources(struct shell *shell, const struct deed *deed,
				     struct gsc_error *err)
{
	char *sources = session_sources(shell), why[300];
	bool same = sources && !strcmp(sources, deed->sources);

	free(sources);
	if (same)
		return GSC_OK;
	snprintf(why, sizeof(why), "was written to %.200s: first go back there with from",
		 deed->sources);
	return usage_error(err, deed->written.name, "%s", why);
}

/* If somebody else has changed it since, only a user who sees that decides. */
static bool insists(const struct shell *shell, const struct deed *deed)
{
	char question[400];

	if (deed->written.stored || !deed->written.changed || !shell->interactive || signal_seen())
		return false;
	snprintf(question, sizeof(question), "%s: it has changed since, to 0x%llx: restore the "
					     "value from before the write?", deed->written.name,
		 (unsigned long long)deed->written.old);
	return ask(question);
}

static enum gsc_status run_undo(struct shell *shell, size_t i, struct gsc_write_plan *plan,
				const char *problem, struct gsc_error *err)
{
	struct deed deed = shell->deeds[i];
	enum gsc_status status;

	deed.undoes = i + 1;
	deed.written = (struct gsc_written){ 0 };
	deed.problem = *problem ? strdup(problem) : NULL;
	status = write_plan(shell, plan, &deed, shell->force, err);
	if (status == GSC_USAGE && insists(shell, &deed)) {
		err->why[0] = 0;
		status = write_plan(shell, plan, &deed, true, err);
	}
	if (deed.written.stored && status != GSC_GONE)
		shell->deeds[i].undone = true;
	free(deed.problem);
	return status;
}

static enum gsc_status undo_one(struct shell *shell, size_t i, struct gsc_error *err)
{
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status = check_sources(shell, &shell->deeds[i], err), after;
	size_t before = shell->deed_count;
	char problem[sizeof(err->why)] = "";

	if (!status)
		status = session_need(shell, err);
	if (!status)
		status = gsc_write_undo(&plan, shell->common.gpu, &shell->deeds[i].written, err);
	if (plan) {
		if (status) {
			shell_tell(shell, err);
			memcpy(problem, err->why, sizeof(problem));
		}
		err->why[0] = 0;
		after = run_undo(shell, i, plan, problem, err);
		status = worse(after, status);
	}
	if (status && !(plan && shell->dry_run) && shell->deed_count == before)
		event_refused(shell, shell->deeds[i].written.name, "undo", NULL, status, err);
	gsc_write_plan_free(plan);
	return status;
}

static bool can_undo(const struct deed *deed)
{
	return !deed->undoes && !deed->undone && !deed->looked;
}

bool journal_pending(const struct shell *shell)
{
	for (size_t i = 0; i < shell->deed_count; i++)
		if (can_undo(&shell->deeds[i]))
			return true;
	return false;
}

/* What cannot be restored does not prevent the rest. */
enum gsc_status undo_all(struct shell *shell, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK, now;

	for (size_t i = shell->deed_count; i-- > 0;) {
		if (!can_undo(&shell->deeds[i]))
			continue;
		now = undo_one(shell, i, err);
		if (now && *err->why)
			shell_tell(shell, err);
		err->why[0] = 0;
		status = worse(status, now);
	}
	return status;
}

static enum gsc_status undo_last(struct shell *shell, struct gsc_error *err)
{
	enum gsc_status status;
	size_t used;
	bool here;

	for (size_t i = shell->deed_count; i-- > 0;) {
		if (!can_undo(&shell->deeds[i]))
			continue;
		here = !check_sources(shell, &shell->deeds[i], err);
		status = undo_one(shell, i, err);
		used = strlen(err->why);
		if (status == GSC_USAGE && used && here)
			snprintf(err->why + used, sizeof(err->why) - used,
				 "; undo N undoes another write of the journal");
		return status;
	}
	return usage_error(err, "undo", "no write to undo");
}

static enum gsc_status undo_number(struct shell *shell, const char *word, struct gsc_error *err)
{
	uint64_t number;

	if (!gsc_parse_number(word, &number) || !number || number > shell->deed_count)
		return usage_error(err, word, "expected all, or the number of a write in the "
					      "journal");
	if (!can_undo(&shell->deeds[number - 1]))
		return usage_error(err, word, shell->deeds[number - 1].undone
						      ? "is already undone"
						      : shell->deeds[number - 1].looked
						      ? "was only read"
						      : "is an undo itself");
	return undo_one(shell, (size_t)number - 1, err);
}

enum gsc_status undo_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);

	if (!status && words.count > 1)
		status = usage_error(err, words.items[1], "unexpected argument");
	else if (!status && !words.count)
		status = undo_last(shell, err);
	else if (!status && !strcmp(words.items[0], "all"))
		status = undo_all(shell, err);
	else if (!status)
		status = undo_number(shell, words.items[0], err);
	words_free(&words);
	return status;
}

/* ---- scripts -------------------------------------------------------------------------------- */

/* "  # was 0x11, of 0x20": replay looks for that. Nothing if it is not known. */
static void put_was(FILE *file, const struct gsc_written *before, uint64_t old)
{
	if (before->has_old)
		fprintf(file, "  # was 0x%llx, of 0x%llx", (unsigned long long)old,
			(unsigned long long)before->bits);
	fprintf(file, "\n");
}

static void put_write(FILE *file, bool forced, const struct gsc_written *written,
		      const char *operation, uint64_t value)
{
	fprintf(file, "%s%s %s 0x%llx", forced ? FORCE : "", written->name, operation,
		(unsigned long long)value);
}

/* Restores some bits of a register and leaves the others unchanged. */
static void put_bits(FILE *file, const struct deed *deed, const struct gsc_written *before,
		     unsigned width)
{
	const struct gsc_written *written = &deed->written;
	uint64_t all = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
	uint64_t old = written->old & written->bits, rest = all & ~written->bits;

	put_write(file, deed->forced, written, rest ? "&=" : "=", rest ? rest : old);
	put_was(file, before, before->old);
	if (!rest || !old)
		return;
	put_write(file, deed->forced, written, "|=", old);
	put_was(file, before, before->old & ~written->bits);
}

/* The bits that a write changed, as they were, in the shell's words; `before`: before that. */
static void put_old(struct shell *shell, FILE *file, const struct deed *deed,
		    const struct gsc_written *before)
{
	const struct gsc_written *written = &deed->written;
	uint64_t mask = written->bits & 0xffff;
	struct target target;
	struct gsc_error err;

	if (target_open(&shell->common, written->name, &target, &err)) {
		put_bits(file, deed, before, written->reg.name ? written->reg.bits : 32);
		return;
	}
	if (target.has_field || target.row.reg.access & GSC_MASKED) {
		put_write(file, deed->forced, written, "=",
			  target.has_field ? field_bits(&target.field, written->old)
					   : mask << 16 | (written->old & mask));
		put_was(file, before, before->old);
	} else {
		put_bits(file, deed, before, target.row.reg.bits);
	}
	target_close(&target);
}

static void script_revert(struct shell *shell, FILE *file, const struct deed *deed,
			  const struct gsc_written *before)
{
	struct gsc_write_plan *plan = NULL;
	struct gsc_error err;

	if (gsc_write_undo(&plan, shell->common.gpu, &deed->written, &err))
		fprintf(file, "# %s: %s\n", deed->written.name, err.why);
	if (plan)
		put_old(shell, file, deed, before);
	gsc_write_plan_free(plan);
}

static void script_write(FILE *file, const struct deed *deed)
{
	const struct gsc_written *written = &deed->written;

	fprintf(file, "%s%s %s %s", deed->forced ? FORCE : "", written->name,
		operation_word(deed->operation), deed->word);
	put_was(file, written, written->old);
}

static void script_replay(struct shell *shell, FILE *file)
{
	for (size_t i = 0; i < shell->deed_count; i++) {
		const struct deed *deed = &shell->deeds[i];

		if (deed->looked)
			fprintf(file, "%s\n", deed->target);
		else if (deed->undoes)
			script_revert(shell, file, &shell->deeds[deed->undoes - 1],
				      &deed->written);
		else
			script_write(file, deed);
	}
}

/* A write whose undo came next leaves nothing to revert, nor do such pairs in between. */
static void revert_all(struct shell *shell, FILE *file)
{
	size_t *left = calloc(shell->deed_count + 1, sizeof(*left)), count = 0;

	for (size_t i = 0; left && i < shell->deed_count; i++) {
		const struct deed *deed = &shell->deeds[i];

		if (deed->looked)
			continue;
		if (count && deed->undoes == left[count - 1] + 1 && !deed->problem)
			count--;
		else
			left[count++] = i;
	}
	while (count--) {
		const struct deed *deed = &shell->deeds[left[count]];
		struct gsc_written now = deed->written;

		now.has_old = true;
		now.old = now.has_back ? now.back : now.value;
		script_revert(shell, file, deed, &now);
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

	for (size_t i = 0; !status && i < shell->deed_count; i++)
		status = check_sources(shell, &shell->deeds[i], err);
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
			script_replay(shell, file);
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

enum gsc_status journal_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	bool revert = words.count == 3 && !strcmp(words.items[1], "--revert");
	const char *path = words.count ? words.items[words.count - 1] : "";
	char full[4096];

	if (status) {
		words_free(&words);
		return status;
	}
	if (!words.count)
		show(shell);
	else if (strcmp(words.items[0], "save") || (words.count != 2 && !revert) || *path == '-')
		status = usage_error(err, "journal", "expected nothing, or save [--revert] FILE");
	else
		status = save(shell, path_home(path, full, sizeof(full)), revert, err);
	words_free(&words);
	return status;
}
