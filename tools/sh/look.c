/* SPDX-License-Identifier: MIT */
/*
 * Reading registers behind an index or a doorbell: that writes, and so follows the rules of
 * writing. The command that reads is told that it may; the journal records that it did.
 */
#include "sh.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* getopt_long(3) accepts abbreviations. */
static bool asks_to_write(const char *word)
{
	return !strncmp(word, "--wr", 4);
}

static enum gsc_status check_words(const struct shell *shell, const struct words *words,
				   struct gsc_error *err)
{
	for (size_t i = 0; i < words->count; i++)
		if (asks_to_write(words->items[i]) && (!shell->writes || shell->dry_run))
			return usage_error(err, words->items[i],
					   shell->dry_run ? "not in a dry run"
							  : "to write, start gpu-sh with --write");
	return GSC_OK;
}

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

static bool reads(const struct verb *verb)
{
	return verb->command == &regdump_command &&
	       (!verb->before || !strcmp(verb->before, "--watch"));
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

static bool is_indirect(const struct gsc_selection *selection)
{
	struct gsc_write_plan *plan = first_plan(selection);
	bool is = plan != NULL;

	gsc_write_plan_free(plan);
	return is;
}

static enum gsc_status show_all(struct shell *shell, const struct gsc_selection *selection,
				struct gsc_error *err)
{
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status;
	size_t item = 0;

	while (!(status = gsc_read_plan_new(&plan, selection, &item, err)) && plan) {
		plan_shown(shell, plan);
		gsc_write_plan_free(plan);
	}
	return status;
}

static bool note(struct shell *shell, const struct gsc_write_plan *plan)
{
	char name[192], word[1] = "";
	struct deed deed = { .target = name, .word = word, .looked = true };
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	deed.written.time = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	strncpy(name, gsc_write_plan_name(plan), sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	memcpy(deed.written.name, name, sizeof(name));
	return journal_add(shell, &deed);
}

static enum gsc_status note_all(struct shell *shell, const struct gsc_selection *selection,
				struct gsc_error *err)
{
	struct gsc_write_plan *plan = NULL;
	enum gsc_status status;
	size_t item = 0;
	bool noted = true;

	while (noted && !(status = gsc_read_plan_new(&plan, selection, &item, err)) && plan) {
		noted = note(shell, plan);
		gsc_write_plan_free(plan);
	}
	return noted ? status : err_memory(err);
}

enum gsc_status look_allowed(const struct shell *shell, const struct gsc_selection *selection,
			     const char *name, struct gsc_error *err)
{
	struct gsc_write_plan *plan = shell->writes ? NULL : first_plan(selection);
	enum gsc_status status = GSC_OK;

	if (plan && session_live(shell))
		status = usage_error(err, name, "%s", gsc_read_plan_why(plan));
	gsc_write_plan_free(plan);
	return status;
}

enum gsc_status look_run_tool(struct shell *shell, const struct verb *verb, const char *rest,
			      struct gsc_error *err)
{
	struct gsc_selection *selection = NULL;
	struct words words;
	enum gsc_status status, after;
	bool looks;

	if (verb->command != &regdump_command)
		return child_tool(shell, verb, rest, err);
	status = words_split(&words, rest, err);
	if (!status)
		status = check_words(shell, &words, err);
	if (!status && reads(verb) && (shell->writes || shell->dry_run))
		selection = select_words(shell, &words);
	words_free(&words);
	looks = is_indirect(selection);
	/* If the platform has no way to it, that is reported before a device is looked for. */
	if (!status && !looks && selection && !shell->identity)
		status = show_all(shell, selection, err);
	if (!status && looks && shell->dry_run) {
		status = show_all(shell, selection, err);
	} else if (!status) {
		shell->looks = looks;
		status = child_tool(shell, verb, rest, err);
		shell->looks = false;
		after = GSC_OK;
		if (looks && (!status || status == GSC_PARTIAL))
			after = note_all(shell, selection, err);
		status = after ? after : status;
	}
	gsc_selection_free(selection);
	return status;
}
