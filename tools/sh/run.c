/* SPDX-License-Identifier: MIT */
/* Executing: a command, a text of them, a file of them. */
#include "sh.h"

#include "regs/regs.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#define FILE_MAX (16u << 20)

void take_place(struct shell *shell, const char *file, unsigned line)
{
	string_set(shell->place, "%s: %.200s:%u", SHELL_NAME, file, line);
}

void shell_tell(struct shell *shell, struct gsc_error *err)
{
	struct gsc_error ignored;

	if (!*err->why)
		return;
	if (shell->common.out)
		gsc_out_flush(shell->common.out, &ignored);
	tell(&shell->common, err);
	err->why[0] = 0;
}

/* ---- a command ------------------------------------------------------------------------------ */

static enum gsc_status select_one(struct shell *shell, const char *selector, struct gsc_error *err)
{
	struct gsc_selection *selection = NULL;
	enum gsc_status status = gsc_select(&selection, shell->common.gpu, GSC_SELECT_DEFINED,
					    &selector, 1, err);

	gsc_selection_free(selection);
	return status;
}

/*
 * "hlep", "tail": a name that no register has may be meant as a verb, or be a part of a name. It
 * can be a register only where there is a source.
 */
static enum gsc_status misspelt(struct shell *shell, const char *text, size_t length,
				struct gsc_error *err)
{
	struct gsc_error why;
	char word[32], pattern[40];

	if (length >= sizeof(word) || strspn(text, "abcdefghijklmnopqrstuvwxyz") < length)
		return GSC_OK;
	string_set(word, "%.*s", (int)length, text);
	if (session_need(shell, &why)) {
		err_set(err, why.status, word, "no verb, and no register without a source: "
			"%.80s: %.200s", why.what, why.why);
		return GSC_UNKNOWN;
	}
	if (select_one(shell, word, err) != GSC_UNKNOWN)
		return GSC_OK;
	if (verb_unknown(word, err) != GSC_UNKNOWN)
		return GSC_UNKNOWN;
	string_set(pattern, "*%s*", word);
	if (length >= 3 && !select_one(shell, pattern, &why))
		string_add(err->why, "%s list %s finds registers",
			   slice_ends(slice_string(err->why), "?") ? "" : ";", pattern);
	else if (!access(word, F_OK))	/* It may be a source. */
		return GSC_OK;
	else if (!strchr(err->why, '?'))
		string_add(err->why, "; help lists the verbs");
	return GSC_UNKNOWN;
}

/* "X += 1", "0x2030 == 1", "$x", "(1 + 2)": neither a write nor a list of names. */
static enum gsc_status no_name(struct shell *shell, const char *text, size_t length,
			       struct gsc_error *err)
{
	const char *after = text + length + strspn(text + length, BLANKS);
	size_t size = strspn(after, "=+-<>!&|^*/%");
	char what[64];

	string_set(what, "%.*s", (int)length, text);
	if (strchr("$(~", *text))
		return err_set(err, GSC_USAGE, what, "no variables and no expressions here: "
			       "programs use libgpuscope(3)");
	if (!size || !memchr(after, '=', size))
		return misspelt(shell, text, length, err);
	string_set(what, "%.*s", (int)size, after);
	return err_set(err, GSC_USAGE, what, "expected = |= &= or ^= to write; to compare, use "
		       "wait");
}

static bool asks_help(const char *text)
{
	return !strcmp(text, "--help") || !strcmp(text, "-h") || !strcmp(text, "--help=all");
}

enum gsc_status command_do(struct shell *shell, const char *text, struct gsc_error *err)
{
	size_t length = verb_length(text);
	const struct verb *verb = verb_find(text, length);
	const char *rest = verb ? text + length + strspn(text + length, BLANKS) : text;
	struct words words;
	enum gsc_status status;

	shell->common.verb = verb ? verb->name : "";
	if (assigns(text, NULL, NULL, NULL))
		return write_line(shell, text, err);
	status = verb ? GSC_OK : no_name(shell, text, length, err);
	if (status)
		return status;
	err->why[0] = 0;
	if (verb && verb->raw && !asks_help(rest))
		return verb->raw(shell, rest, err);
	status = words_split(&words, rest, err);
	if (!status && (!verb || verb->command))
		status = tool_run(shell, verb ? verb : verb_read(), &words, err);
	else if (!status && asks_help(rest))
		status = help_run(shell, &(struct words){ (char *[]){ (char *)verb->name }, 1 },
				  err);
	else if (!status && verb->expected && (words.count < verb->least ||
					       words.count > verb->most))
		status = usage_error(err, words.count > verb->most ? words.items[verb->most]
								   : verb->name,
				     "%s", verb->expected);
	else if (!status)
		status = verb->run(shell, &words, err);
	words_free(&words);
	return status;
}

/* Commands within commands print where those do. */
enum gsc_status line_run(struct shell *shell, const struct line *line, struct gsc_error *err)
{
	struct gsc_out *outer = shell->common.out;
	const char *verb = shell->common.verb;
	bool to_file = shell->to_file, begun = shell->json_begun;
	struct gsc_json json = shell->json;
	struct outlet_state outlet;
	enum gsc_status status, after = GSC_OK;
	int error = 0;

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
		status = command_do(shell, line->text, err);
	if (status)
		shell_tell(shell, err);
	/* What the shell itself printed; a reader that has gone is no failure. */
	if (shell->common.out) {
		events_end(shell);
		after = gsc_out_flush(shell->common.out, err);
		error = gsc_out_error(shell->common.out);
		gsc_out_free(shell->common.out);
	}
	if (error)
		after = error == EPIPE ? GSC_OK : err_set(err, GSC_FAILED, "standard output", "%s",
							   strerror(error));
	shell->common.out = outer;
	shell->json = json;
	shell->json_begun = begun;
	shell->to_file = to_file;
	if (after)
		shell_tell(shell, err);
	status = worse(status, after);
	after = outlet_close(line, &outlet, err);
	if (after)
		shell_tell(shell, err);
	shell->common.verb = verb;
	return worse(status, after);
}

/* ---- a text --------------------------------------------------------------------------------- */

enum gsc_status shell_text(struct shell *shell, const char *name, const char *text, unsigned first)
{
	enum gsc_status status = GSC_OK, now;
	char before[sizeof(shell->place)];
	struct gsc_error err = { 0 };
	struct pollfd output = { STDOUT_FILENO, 0, 0 };
	struct line line;

	memcpy(before, shell->place, sizeof(before));
	/* A partial result is no reason to stop. */
	while (*text && (!status || status == GSC_PARTIAL) && !signal_seen && !shell->quit) {
		size_t length = line_length(text);

		/* Nobody reads the output any more. */
		if (!shell->interactive && poll(&output, 1, 0) > 0 && output.revents & POLLERR)
			break;
		if (name)
			take_place(shell, name, first);
		now = line_read(&line, text, length, &err);
		if (!now && *line.text)
			now = line_run(shell, &line, &err);
		if (now)
			shell_tell(shell, &err);
		if (line.ignore && !signal_seen)
			now = GSC_OK;
		line_free(&line);
		status = status && !now ? status : now;
		first += text[length] == '\n';
		text += length + (text[length] != 0);
	}
	memcpy(shell->place, before, sizeof(before));
	return status;
}

char *script_read(const char *path, struct gsc_error *err)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(FILE_MAX) : NULL;	/* the system gives what is used */
	size_t size = text ? fread(text, 1, FILE_MAX, file) : 0;

	if (!text || ferror(file))
		err_set(err, GSC_FAILED, path, "%s", strerror(errno));
	else if (size == FILE_MAX)
		err_set(err, GSC_FAILED, path, "not a script: too large");
	else if (memchr(text, 0, size))
		err_set(err, GSC_FAILED, path, NO_SCRIPT);
	else
		text[size] = err->why[0] = 0;
	if (file)
		fclose(file);
	if (!*err->why)
		return text;
	free(text);
	return NULL;
}

enum gsc_status shell_file(struct shell *shell, const char *path, struct gsc_error *err)
{
	char *text = script_read(path, err);
	enum gsc_status status = text ? shell_text(shell, path, text, 1) : GSC_FAILED;

	free(text);
	return status;
}
