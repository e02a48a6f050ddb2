/* SPDX-License-Identifier: MIT */
/*
 * Lines of gpu-sh, as far as nothing is executed: words, verbs and their options, selectors, dry
 * runs of writes, completion.
 */
#include "sh/sh.h"
#include "fuzz.h"
#include "db/resolve.h"
#include "gtt/gtt.h"
#include "util/number.h"

#include <getopt.h>
#include <string.h>

#define COMMON_MAX 65536	/* of the largest struct that begins with a common */

static void read_options(const struct verb *verb, const struct words *words)
{
	struct common *common = calloc(1, COMMON_MAX);
	struct gsc_error err = { 0 };
	char *argv[34];
	size_t argc = 0;

	FUZZ_REQUIRE(common);
	while (argc < words->count && argc < 32) {
		argv[argc] = words->items[argc];
		argc++;
	}
	argv[argc] = NULL;
	/* getopt starts again: each command has a separate process. */
	optind = 0;
	common->command = verb->command;
	if (options_read(common, (int)argc, argv, &err))
		fuzz_check_error(&err, err.status);
	options_free(common);
	free(common);
}

static void select_words(struct shell *shell, const struct words *words)
{
	const char *const *list = (const char *const *)words->items;
	struct gsc_selection *selection;
	struct gsc_error err = { 0 };
	struct gsc_rows *rows;

	if (gsc_select(&selection, shell->common.gpu, 0, list, words->count, &err))
		fuzz_check_error(&err, err.status);
	else
		gsc_selection_free(selection);
	err = (struct gsc_error){ 0 };
	if (rows_given(&rows, shell->common.gpu, list, words->count, &err))
		fuzz_check_error(&err, err.status);
	else
		gsc_rows_free(rows);
}

static void parse_word(const char *word)
{
	struct spellings spellings;
	struct gsc_error err = { 0 };
	struct gsc_root root;
	uint64_t value;

	gsc_parse_number(word, &value);
	reg_spellings(word, &spellings);
	for (size_t i = 0; i < spellings.count; i++)
		FUZZ_REQUIRE(memchr(spellings.items[i].name, 0, sizeof(spellings.items[i].name)));
	for (unsigned mode = 0; mode < GSC_MODES; mode++)
		if (gsc_root_parse((enum gsc_mode)mode, word, &root, &err))
			fuzz_check_error(&err, err.status);
}

static void use_words(struct shell *shell, const struct words *words)
{
	const struct verb *verb = verb_find(words->items[0], strlen(words->items[0]));

	if (!verb || (verb->value && strstr(verb->value, "REGISTER")))
		select_words(shell, words);
	if (verb && verb->command)
		read_options(verb, words);
	for (size_t i = 0; i < words->count && i < 4; i++)
		parse_word(words->items[i]);
}

static void use_command(struct shell *shell, const char *text, size_t length)
{
	struct gsc_error err = { 0 };
	struct words words;
	struct line line;
	bool is = false;

	if (line_read(&line, text, length, &err)) {
		fuzz_check_error(&err, err.status);
		line_free(&line);
		return;
	}
	FUZZ_REQUIRE(strlen(line.text) <= length);
	FUZZ_REQUIRE(comment_start(line.text) <= strlen(line.text));
	is = assigns(line.text, NULL, NULL, NULL);
	if (is && write_line(shell, line.text, &err))
		fuzz_check_error(&err, err.status);
	err = (struct gsc_error){ 0 };
	if (words_split(&words, line.text, &err))
		fuzz_check_error(&err, err.status);
	else if (words.count && !is)
		use_words(shell, &words);
	words_free(&words);
	line_free(&line);
}

static void complete_line(struct shell *shell, const char *text)
{
	size_t end = strcspn(text, "\n"), start = end;
	struct words found;
	bool files;

	while (start && !strchr(" \t", text[start - 1]))
		start--;
	complete(shell, text, start, end, &found, &files);
	words_free(&found);
}

static void use_text(struct shell *shell, const char *text)
{
	while (*text) {
		size_t length = line_length(text);

		FUZZ_REQUIRE(length <= strlen(text));
		complete_line(shell, text);
		use_command(shell, text, length);
		text += length + (text[length] != 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct shell shell = { .dry_run = true, .opened = true };
	struct common *common = &shell.common;
	struct gsc_platform platform;
	struct gsc_error err;
	char *text;

	FUZZ_REQUIRE(!gsc_platform_find(fuzz_db(), size & 1 ? "skl" : "snb", &platform,
					&common->device, &err));
	common->db = (struct gsc_db *)fuzz_db();
	common->gpu = (struct gsc_gpu *)fuzz_gpu(NULL, fuzz_view(platform.index));
	common->out = fuzz_out();
	text = strndup((const char *)data, size);
	FUZZ_REQUIRE(text);
	use_text(&shell, text);
	free(text);
	fuzz_out_end(common->out);
	return 0;
}
