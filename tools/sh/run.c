/* SPDX-License-Identifier: MIT */
/* Carrying out: a command, a text of them, a file of them. */
#include "sh.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (16u << 20)
#define DEPTH_MAX 16

/* ---- a command ------------------------------------------------------------------------------ */

/* "?NAME" and "!cmd" need no blank. */
static size_t verb_length(const char *text)
{
	return *text == '?' || *text == '!' ? 1 : strcspn(text, " \t");
}

static enum gsc_status run_verb(struct shell *shell, const struct verb *verb, const char *rest,
				struct gsc_error *err)
{
	static const char *const asks[] = { "--help", "-h" };

	if (verb->command)
		return look_run_tool(shell, verb, rest, err);
	for (size_t i = 0; i < ARRAY_SIZE(asks); i++)
		if (!strcmp(rest, asks[i]))
			return help_run(shell, verb->name, err);
	return verb->run(shell, rest, err);
}

static enum gsc_status select_one(struct shell *shell, const char *selector, struct gsc_error *err)
{
	struct gsc_selection *selection = NULL;
	enum gsc_status status = gsc_select(&selection, shell->common.gpu, GSC_SELECT_DEFINED,
					    &selector, 1, err);

	gsc_selection_free(selection);
	return status;
}

/* "tail" of one who does not know the names yet. */
static bool add_list(struct shell *shell, const char *word, struct gsc_error *err)
{
	size_t used = strlen(err->why);
	struct gsc_error ignored;
	char pattern[40];

	snprintf(pattern, sizeof(pattern), "*%s*", word);
	if (strlen(word) < 3 || select_one(shell, pattern, &ignored))
		return false;
	snprintf(err->why + used, sizeof(err->why) - used, "%s list %s finds registers",
		 used && err->why[used - 1] == '?' ? "" : ";", pattern);
	return true;
}

/* "hlep": what is no name of a register may be meant for a verb, or for a part of a name. */
static bool is_misspelt(struct shell *shell, const char *text, size_t length,
			struct gsc_error *err)
{
	char word[32];

	if (length >= sizeof(word) ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz") < length || session_need(shell, err))
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	if (select_one(shell, word, err) != GSC_UNKNOWN || verb_unknown(word, err) != GSC_UNKNOWN)
		return false;
	return add_list(shell, word, err) || strstr(err->why, "did you mean");
}

/* "X == 1", "X += 1": neither a write nor a list of names. */
static bool is_no_write(const char *text, size_t length, struct gsc_error *err)
{
	const char *after = text + length + strspn(text + length, " \t");
	size_t size = strspn(after, "=+-<>!&|^*/%");

	if (!size || !memchr(after, '=', size) || verb_find(text, length))
		return false;
	err->status = GSC_USAGE;
	snprintf(err->what, sizeof(err->what), "%.*s", (int)(size < 20 ? size : 20), after);
	snprintf(err->why, sizeof(err->why),
		 "expected = |= &= or ^= to write; to compare is for wait");
	return true;
}

static enum gsc_status run_text(struct shell *shell, const char *text, struct gsc_error *err)
{
	size_t length = verb_length(text);
	const struct verb *verb;
	bool is;
	enum gsc_status status;

	shell->common.verb = "";
	status = write_line(shell, text, &is, err);
	if (is)
		return status;
	if (is_no_write(text, length, err))
		return GSC_USAGE;
	verb = verb_find(text, length);
	if (!verb && is_misspelt(shell, text, length, err))
		return GSC_UNKNOWN;
	err->why[0] = 0;
	if (!verb)
		return look_run_tool(shell, verb_read(), text, err);
	text += length;
	shell->common.verb = verb->name;
	return run_verb(shell, verb, text + strspn(text, " \t"), err);
}

/* What was printed by the shell itself; a reader that has gone is no failure. */
static enum gsc_status end_output(struct shell *shell, struct gsc_error *err)
{
	struct gsc_out *out = shell->common.out;
	enum gsc_status status;
	int error;

	if (!out)
		return GSC_OK;
	events_end(shell);
	status = gsc_out_flush(out, err);
	error = gsc_out_error(out);
	gsc_out_free(out);
	shell->common.out = NULL;
	if (!error || error == EPIPE)
		return status && !error ? status : GSC_OK;
	*err = (struct gsc_error){ GSC_FAILED, "standard output", "" };
	snprintf(err->why, sizeof(err->why), "%s", strerror(error));
	return GSC_FAILED;
}

static void tell_failure(struct shell *shell, enum gsc_status status, struct gsc_error *err)
{
	if (status && *err->why)
		tell(&shell->common, err);
	err->why[0] = 0;
}

/* Commands within commands print where those do. */
static enum gsc_status run_line(struct shell *shell, const struct line *line,
				struct gsc_error *err)
{
	struct gsc_out *outer = shell->common.out;
	const char *verb = shell->common.verb;
	bool to_file = shell->to_file, begun = shell->json_begun;
	struct gsc_json json = shell->json;
	struct outlet_state outlet;
	enum gsc_status status, after;

	if (outer)
		gsc_out_flush(outer, err);
	status = outlet_open(line, &outlet, err);
	if (status)
		return status;
	shell->common.out = NULL;
	shell->json_begun = false;
	shell->to_file |= line->outlet == OUTLET_FILE;
	status = output_open(&shell->common, false, err);
	if (!status)
		status = run_text(shell, line->text, err);
	tell_failure(shell, status, err);
	after = end_output(shell, err);
	shell->common.out = outer;
	shell->json = json;
	shell->json_begun = begun;
	shell->to_file = to_file;
	tell_failure(shell, after, err);
	status = worse(status, after);
	after = outlet_close(line, &outlet, err);
	tell_failure(shell, after, err);
	shell->common.verb = verb;
	return worse(status, after);
}

/* One command, told where it fails. */
static enum gsc_status shell_command(struct shell *shell, const char *text, size_t length)
{
	struct gsc_error err = { 0 };
	struct line line;
	enum gsc_status status = line_read(&line, text, length, &err);

	if (!status && *line.text)
		status = run_line(shell, &line, &err);
	tell_failure(shell, status, &err);
	if (line.ignore && !signal_seen())
		status = GSC_OK;
	line_free(&line);
	return status;
}

/* ---- a text --------------------------------------------------------------------------------- */

/* Of a pipe: whoever was to read it has gone. */
static bool output_unread(void)
{
	struct pollfd output = { STDOUT_FILENO, 0, 0 };

	return poll(&output, 1, 0) > 0 && output.revents & POLLERR;
}

/* What was done but for a part of it is no reason to stop; that nobody reads any more is one. */
static bool goes_on(const struct shell *shell, enum gsc_status status)
{
	if (!shell->interactive && output_unread())
		return false;
	return (!status || status == GSC_PARTIAL) && !signal_seen() && !shell->quit;
}

enum gsc_status shell_text(struct shell *shell, const char *name, const char *text,
			   unsigned first)
{
	enum gsc_status status = GSC_OK, now;
	char before[sizeof(shell->place)];
	unsigned number = first;

	memcpy(before, shell->place, sizeof(before));
	while (*text && goes_on(shell, status)) {
		size_t length = line_length(text);

		if (name)
			snprintf(shell->place, sizeof(shell->place), "%s: %.200s:%u", SHELL_NAME,
				 name, number);
		now = shell_command(shell, text, length);
		status = status && !now ? status : now;
		text += length;
		number += *text == '\n';
		text += *text != 0;
	}
	memcpy(shell->place, before, sizeof(before));
	return status;
}

static char *read_file(const char *path, struct gsc_error *err)
{
	FILE *file = fopen(path, "re");
	size_t room = 0, size = 0;
	char *text = NULL, *grown;

	while (file && size + 1 >= room && room < FILE_MAX) {
		room = room ? 2 * room : 4096;
		grown = realloc(text, room);
		if (!grown)
			break;
		text = grown;
		size += fread(text + size, 1, room - 1 - size, file);
	}
	*err = (struct gsc_error){ .status = GSC_FAILED };
	snprintf(err->what, sizeof(err->what), "%.250s", path);
	if (file && text && !ferror(file) && size + 1 < room && !memchr(text, 0, size)) {
		text[size] = 0;
		fclose(file);
		return text;
	}
	if (!file || !text || ferror(file))
		snprintf(err->why, sizeof(err->why), "%s", strerror(errno));
	else
		snprintf(err->why, sizeof(err->why), "%s", size + 1 < room ? NO_SCRIPT :
			 "not a script: too large");
	if (file)
		fclose(file);
	free(text);
	return NULL;
}

enum gsc_status shell_file(struct shell *shell, const char *path, struct gsc_error *err)
{
	enum gsc_status status;
	char *text;

	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, path, "files within files within files");
	text = read_file(path, err);
	if (!text)
		return GSC_FAILED;
	err->why[0] = 0;
	shell->depth++;
	status = shell_text(shell, path, text, 1);
	shell->depth--;
	free(text);
	return status;
}

/* ---- verbs ---------------------------------------------------------------------------------- */

enum gsc_status source_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	char path[4096];
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);

	if (!status)
		status = words.count == 1
				 ? shell_file(shell, path_home(words.items[0], path, sizeof(path)),
					      err)
				 : usage_error(err, "source", "expected one file");
	words_free(&words);
	return status;
}

enum gsc_status repeat_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	size_t length = strcspn(rest, " \t");
	char number[32];
	uint64_t count = 0;
	enum gsc_status status = GSC_OK, now;

	snprintf(number, sizeof(number), "%.*s", (int)(length < 31 ? length : 31), rest);
	if (!gsc_parse_number(number, &count) || !rest[length])
		return usage_error(err, "repeat", "expected a number and a command");
	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, "repeat", "repeats within repeats within repeats");
	rest = past_word(rest);
	shell->depth++;
	for (uint64_t i = 0; i < count && goes_on(shell, status); i++) {
		now = shell_command(shell, rest, strlen(rest));
		status = status && !now ? status : now;
	}
	shell->depth--;
	return status;
}

enum gsc_status system_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	if (!*rest)
		return usage_error(err, "!", "expected a command after it");
	return child_system(shell, rest, err);
}

enum gsc_status quit_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	if (*rest)
		return usage_error(err, rest, "not expected here");
	shell->quit = true;
	return GSC_OK;
}
