/* SPDX-License-Identifier: MIT */
/* Executing: a command, a text of them, a file of them. */
#include "sh.h"

#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX (16u << 20)
#define DEPTH_MAX 16
#define REPEAT_MAX 1000000000
#define BLANKS " \t"

/* ---- a command ------------------------------------------------------------------------------ */

static bool asks_help(const char *text)
{
	static const char *const words[] = { "--help", "-h", "--help=all" };
	size_t i = 0;

	while (i < ARRAY_SIZE(words) && strcmp(text, words[i]))
		i++;
	return i < ARRAY_SIZE(words);
}

static enum gsc_status run_verb(struct shell *shell, const struct verb *verb, const char *rest,
				struct gsc_error *err)
{
	if (verb->command)
		return look_run_tool(shell, verb, rest, err);
	return asks_help(rest) ? help_run(shell, verb->name, err) : verb->run(shell, rest, err);
}

static enum gsc_status select_one(struct shell *shell, const char *selector, struct gsc_error *err)
{
	struct gsc_selection *selection = NULL;
	enum gsc_status status = gsc_select(&selection, shell->common.gpu, GSC_SELECT_DEFINED,
					    &selector, 1, err);

	gsc_selection_free(selection);
	return status;
}

/* "tail" from someone who does not know the names yet. */
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

/* It can be a register only where there is one. */
static bool no_source(const char *word, struct gsc_error *err)
{
	struct gsc_error why = *err;

	snprintf(err->what, sizeof(err->what), "%s", word);
	snprintf(err->why, sizeof(err->why), "no verb, and no register without a source: %.80s: "
					     "%.200s", why.what, why.why);
	return true;
}

/* "hlep": an unknown register name may be meant as a verb, or as a part of a name. */
static bool is_misspelt(struct shell *shell, const char *text, size_t length,
			struct gsc_error *err)
{
	char word[32];

	if (length >= sizeof(word) ||
	    strspn(text, "abcdefghijklmnopqrstuvwxyz") < length)
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)length, text);
	if (session_need(shell, err))
		return no_source(word, err);
	if (select_one(shell, word, err) != GSC_UNKNOWN)
		return false;
	if (verb_unknown(word, err) != GSC_UNKNOWN)
		return true;
	return add_list(shell, word, err) || strstr(err->why, "did you mean") ||
	       (!shell->from.count && access(word, F_OK));
}

/* "X += 1", "0x2030 == 1": neither a write nor a list of names. */
static bool is_no_write(const char *text, size_t length, struct gsc_error *err)
{
	const char *after = text + length + strspn(text + length, " \t");
	size_t size = strspn(after, "=+-<>!&|^*/%");

	if (!size || !memchr(after, '=', size) || verb_find(text, length))
		return false;
	err->status = GSC_USAGE;
	snprintf(err->what, sizeof(err->what), "%.*s", (int)(size < 20 ? size : 20), after);
	snprintf(err->why, sizeof(err->why),
		 "expected = |= &= or ^= to write; to compare, use print, if or wait");
	return true;
}

/*
 * "0x2000 + 4*8", "X == 1", "(1 << 5)", "~0": no list of registers. In "0x2030 == 1" the register
 * at that address may be meant.
 */
static bool is_value(const char *text)
{
	const char *second = past_word(text), *operator;
	size_t length = strcspn(second, BLANKS);

	if (strchr("(~", *text))
		return true;
	for (size_t i = 0; (operator = expr_operator(i)); i++)
		if (strlen(operator) == length && !memcmp(operator, second, length))
			return !isdigit((unsigned char)*text) || !strchr(operator, '=');
	return false;
}

static enum gsc_status run_verb_line(struct shell *shell, const char *text, struct gsc_error *err)
{
	size_t length = verb_length(text);
	const struct verb *verb;
	bool is;
	enum gsc_status status;

	status = write_line(shell, text, &is, err);
	if (is)
		return status;
	verb = verb_find(text, length);
	if (!verb && is_value(text))
		return print_run(shell, text, err);
	if (is_no_write(text, length, err))
		return GSC_USAGE;
	if (!verb && is_misspelt(shell, text, length, err))
		return GSC_UNKNOWN;
	err->why[0] = 0;
	if (!verb)
		return look_run_tool(shell, verb_read(), text, err);
	text += length;
	shell->common.verb = verb->name;
	return run_verb(shell, verb, text + strspn(text, BLANKS), err);
}

/* "$x = V", "set $x = V" */
static bool is_variable_line(const char *text)
{
	size_t length = *text == '$' ? 1 + name_size(text + 1) : 0;

	return length > 1 && assigns(text, NULL, NULL) && strchr(BLANKS "=|&^", text[length]);
}

static enum gsc_status set_variable(struct shell *shell, const char *text, struct gsc_error *err)
{
	enum gsc_write_operation operation;
	char *target = NULL, *value = NULL;
	enum gsc_status status;

	shell->common.verb = "$";
	assignment_read(text, &target, &operation, &value);
	status = target && value ? variable_set(shell, target, operation, value, err)
				 : err_memory(err);
	free(target);
	free(value);
	return status;
}

static enum gsc_status run_text(struct shell *shell, const char *text, struct gsc_error *err)
{
	const struct verb *verb = verb_find(text, verb_length(text));
	const char *after = verb && verb->run == set_run ? past_word(text) : text;
	enum gsc_status status;
	char *expanded = NULL;

	shell->common.verb = verb ? verb->name : "";
	if (is_variable_line(after))
		return set_variable(shell, after, err);
	if (verb && verb->flags & VERB_COMMAND)
		return run_verb_line(shell, text, err);
	status = expand(shell, text, &expanded, err);
	if (!status) {
		shell->common.verb = "";
		status = run_verb_line(shell, expanded, err);
	}
	free(expanded);
	return status;
}

/* What the shell itself printed; a reader that has gone is no failure. */
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

void shell_tell(struct shell *shell, const struct gsc_error *err)
{
	struct gsc_error ignored;

	if (shell->common.out)
		gsc_out_flush(shell->common.out, &ignored);
	tell(&shell->common, err);
}

static void tell_failure(struct shell *shell, enum gsc_status status, struct gsc_error *err)
{
	if (status && *err->why)
		shell_tell(shell, err);
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
	status = outlet_open(shell, line, &outlet, err);
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

enum gsc_status shell_line(struct shell *shell, const char *text, struct gsc_error *err)
{
	struct line line = { .text = strdup(text) };
	enum gsc_status status = line.text ? run_line(shell, &line, err) : err_memory(err);

	line_free(&line);
	return status;
}

/* ---- if, else, end -------------------------------------------------------------------------- */

static bool is_skipped(const struct shell *shell)
{
	return shell->block_count && !shell->blocks[shell->block_count - 1].runs;
}

static enum gsc_status block_if(struct shell *shell, const char *rest, struct gsc_error *err)
{
	bool skipped = is_skipped(shell);
	enum gsc_status status = GSC_OK;
	struct block *block;
	uint64_t value = 0;

	if (shell->block_count == BLOCKS_MAX)
		return usage_error(err, "if", "more than 16 nested");
	if (!skipped)
		status = expanded_value(shell, rest, &value, err);
	if (status && !shell->interactive)
		return status;
	/* What is typed after a failure is not part of the `if`. */
	block = &shell->blocks[shell->block_count++];
	*block = (struct block){ .runs = value, .taken = value || skipped || status };
	memcpy(block->place, shell->place, sizeof(block->place));
	return status;
}

static enum gsc_status block_else(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct block *block = &shell->blocks[shell->block_count - 1];

	if (*rest)
		return usage_error(err, rest, "unexpected after else");
	if (block->otherwise)
		return usage_error(err, "else", "this if already has one");
	block->otherwise = true;
	block->runs = !block->taken;
	return GSC_OK;
}

static enum gsc_status block_end(struct shell *shell, const char *rest, struct gsc_error *err)
{
	if (*rest)
		return usage_error(err, rest, "unexpected after end");
	shell->block_count--;
	return GSC_OK;
}

/* is: there is nothing else to do, because it is one of these, or they skip it. */
static enum gsc_status block_line(struct shell *shell, char *text, bool *is,
				  struct gsc_error *err)
{
	static const struct {
		const char *word;
		enum gsc_status (*run)(struct shell *shell, const char *rest,
				       struct gsc_error *err);
	} words[] = { { "if", block_if }, { "else", block_else }, { "end", block_end } };
	size_t length, end;

	text += strspn(text, BLANKS "\r");
	length = strcspn(text, BLANKS "(\r");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i].word) != length || memcmp(text, words[i].word, length))
			continue;
		text += length + strspn(text + length, BLANKS);
		if (asks_help(text))
			break;
		*is = true;
		shell->common.verb = words[i].word;
		end = comment_start(text);
		while (end && strchr(BLANKS "\r", text[end - 1]))
			end--;
		text[end] = 0;
		if (i && shell->block_count <= shell->block_base)
			return usage_error(err, words[i].word, "no if before it");
		return words[i].run(shell, text, err);
	}
	*is = is_skipped(shell);
	return GSC_OK;
}

enum gsc_status block_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	(void)rest;
	return usage_error(err, shell->common.verb, "must begin a line");
}

enum gsc_status blocks_end(struct shell *shell, enum gsc_status status, size_t base,
			   struct gsc_error *err)
{
	size_t count = shell->block_count;

	shell->block_count = base;
	if (count <= base || (status && status != GSC_PARTIAL) || shell->quit)
		return status;
	memcpy(shell->place, shell->blocks[count - 1].place, sizeof(shell->place));
	shell->common.verb = "if";
	return usage_error(err, "if", "has no end");
}

/* One command, with its failure reported; `alone`: it is not part of another one. */
static enum gsc_status shell_command(struct shell *shell, const char *text, size_t length,
				     bool alone)
{
	struct gsc_error err = { 0 };
	struct line line = { 0 };
	char *copy = line_copy(text, length), *command = NULL;
	const char *verb = shell->common.verb;
	bool is_block = false;
	enum gsc_status status = GSC_OK;

	if (copy && alone)
		status = block_line(shell, copy, &is_block, &err);
	if (copy && !is_block)
		command = alias_expand(shell, copy, strlen(copy));
	if (!copy || (!is_block && !command))
		status = err_memory(&err);
	if (command)
		status = line_read(&line, command, strlen(command), &err);
	if (command && !status && *line.text)
		status = run_line(shell, &line, &err);
	if (!is_block || status)
		shell->last = status;
	tell_failure(shell, status, &err);
	shell->common.verb = verb;
	if (line.ignore && !signal_seen())
		status = GSC_OK;
	line_free(&line);
	free(command);
	free(copy);
	return status;
}

/* ---- a text --------------------------------------------------------------------------------- */

/* Of a pipe: its reader has gone. */
static bool output_unread(void)
{
	struct pollfd output = { STDOUT_FILENO, 0, 0 };

	return poll(&output, 1, 0) > 0 && output.revents & POLLERR;
}

/* A partial result is no reason to stop; the lack of any reader is one. */
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
		now = shell_command(shell, text, length, true);
		status = status && !now ? status : now;
		while (length--)
			number += *text++ == '\n';
		number += *text == '\n';
		text += *text != 0;
	}
	memcpy(shell->place, before, sizeof(before));
	if (signal_seen())
		shell->block_count = shell->block_base;
	return status;
}

char *script_read(const char *path, struct gsc_error *err)
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

enum gsc_status shell_file(struct shell *shell, const char *path,
			   const struct strings *arguments, struct gsc_error *err)
{
	struct strings before = shell->arguments;
	size_t base = shell->block_base;
	char place[sizeof(shell->place)];
	enum gsc_status status;
	char *text;

	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, path, "files nested too deeply");
	text = script_read(path, err);
	if (!text)
		return GSC_FAILED;
	err->why[0] = 0;
	memcpy(place, shell->place, sizeof(place));
	shell->depth++;
	shell->arguments = *arguments;
	shell->block_base = shell->block_count;
	status = shell_text(shell, path, text, 1);
	status = blocks_end(shell, status, shell->block_base, err);
	if (*err->why)
		tell(&shell->common, err);
	err->why[0] = 0;
	shell->block_base = base;
	shell->arguments = before;
	shell->depth--;
	memcpy(shell->place, place, sizeof(place));
	free(text);
	return status;
}

/* ---- verbs ---------------------------------------------------------------------------------- */

enum gsc_status source_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	char path[4096];
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	struct strings arguments;

	if (!status && !words.count)
		status = usage_error(err, "source", "expected a file");
	else if (!status && *words.items[0] == '-' && words.items[0][1])
		status = usage_error(err, words.items[0], "unknown option");
	if (!status) {
		arguments = (struct strings){ (const char **)words.items + 1, words.count - 1 };
		status = shell_file(shell, path_home(words.items[0], path, sizeof(path)),
				    &arguments, err);
	}
	words_free(&words);
	return status;
}

enum gsc_status repeat_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	size_t length = strcspn(rest, BLANKS);
	enum gsc_status status = GSC_OK, now;
	uint64_t count = 0;
	char number[100];

	snprintf(number, sizeof(number), "%.*s", (int)(length < 99 ? length : 99), rest);
	if (!*number || !rest[length])
		return usage_error(err, "repeat", "expected a number and a command");
	status = expanded_value(shell, number, &count, err);
	if (status == GSC_UNKNOWN)
		return usage_error(err, number, "expected a number and a command");
	if (!status && count > REPEAT_MAX)
		status = usage_error(err, number,
				     "expected 0 to 1000000000; to repeat until Ctrl-C, "
				     "use watch, and until a value is there, wait");
	if (!status && shell->depth >= DEPTH_MAX)
		status = usage_error(err, "repeat", "repeats nested too deeply");
	if (status)
		return status;
	rest = past_word(rest);
	shell->depth++;
	for (uint64_t i = 0; i < count && goes_on(shell, status); i++) {
		now = shell_command(shell, rest, strlen(rest), false);
		status = status && !now ? status : now;
	}
	shell->depth--;
	return status;
}

enum gsc_status force_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	bool before = shell->force;
	enum gsc_status status;

	if (!*rest)
		return usage_error(err, "force", "needs a command; for all commands: set force on");
	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, "force", "nested too deeply");
	shell->depth++;
	shell->force = true;
	status = shell_command(shell, rest, strlen(rest), false);
	shell->force = before;
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
		return usage_error(err, rest, "unexpected argument");
	shell->quit = true;
	return GSC_OK;
}
