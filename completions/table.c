/* SPDX-License-Identifier: MIT */
/*
 * Run by the build: writes what completes the commands in a shell, a script whose @TABLE@ becomes a
 * line for each option and word of every command, and @COMMANDS@ their names. Lines are
 *	COMMAND|WORD|LETTER|ARGUMENT|OTHERS|VALUE|HELP
 * WORD is "--from", a subcommand, or nothing: what operands can be. OTHERS are options that do not
 * go with it; "*": it can be repeated. VALUE is that of struct option_row.
 */
#include "tools.h"
#include "tile/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In single quotes, which every shell ends and begins again alike. */
static void put(const char *text)
{
	if (strpbrk(text, "|\\\n"))
		abort();
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
	}
}

/* Of every platform. */
static void put_levels(void)
{
	const char *names[64], *name;
	size_t count = 0, k;
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_error err;

	if (gsc_db_new(&db, &err))
		abort();
	for (unsigned i = 0; i < gsc_platform_count(db); i++) {
		if (gsc_view_new(&view, db, i, -1, &err))
			abort();
		for (unsigned mode = 0; mode < GSC_MODES; mode++)
			for (size_t n = 0; (name = gsc_mode_level(view, mode, n)); n++) {
				for (k = 0; k < count && strcmp(names[k], name); k++)
					;
				if (k < count)
					continue;
				if (count == ARRAY_SIZE(names))
					abort();
				names[count++] = name;
			}
		gsc_view_free(view);
	}
	for (k = 0; k < count; k++)
		printf(" %s", names[k]);
	gsc_db_free(db);
}

/* What is known as well now as when it is asked for is looked up now. */
static void put_value(const char *value)
{
	const struct gsc_pixel_format *format;
	char word[64];

	while (value_next(&value, word, sizeof(word))) {
		if (!strcmp(word, "LEVEL")) {
			put_levels();
		} else if (!strcmp(word, "PIXELS")) {
			for (size_t i = 0; (format = gsc_pixel_format_at(i)); i++)
				printf(" %s", format->name);
		} else {
			printf(" ");
			put(word);
		}
	}
}

/* By the rules: those that go before its own, and those in it. */
static void put_others(const struct command *command, const struct option_row *row)
{
	char word[64];

	if (row->kind == OPTION_LIST || row->kind == OPTION_COUNT)
		printf("*");
	for (size_t i = 0; i < command->rule_count; i++) {
		const struct option_rule *rule = &command->rules[i];
		bool own = !strcmp(rule->name, row->name);

		for (const char *at = rule->others;
		     !rule->needs && value_next(&at, word, sizeof(word));) {
			if (own || !strcmp(word, row->name))
				printf(" --%s", own ? word : rule->name);
		}
	}
}

static void put_option(const struct command *command, const struct option_row *row)
{
	char letter[3] = { '-', row->letter };

	printf("%s|--%s|%s|", command->name, row->name, row->letter ? letter : "");
	put(!row->argument ? "" : row->kind == OPTION_CHOICE ? row->name : row->argument);
	printf("|");
	put_others(command, row);
	printf("|");
	put_value(option_value(row));
	printf("|");
	put(row->help);
	printf("\n");
}

static void put_command(const struct command *command)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_next(command, &i));)
		put_option(command, row);
	for (size_t i = 0; i < command->subcommand_count; i++) {
		const struct subcommand *sub = &command->subcommands[i];

		printf("%s|%s||||%s|%s\n", command->name, sub->name, sub->value, sub->help);
	}
	printf("%s|||||%s|\n", command->name, command->value ? command->value : "");
}

static void put_line(const char *line)
{
	static const char table[] = "@TABLE@", names[] = "@COMMANDS@";
	const char *at;

	if ((at = strstr(line, table))) {
		printf("%.*s\n", (int)(at - line), line);
		for (size_t i = 0; all_commands[i]; i++)
			put_command(all_commands[i]);
		printf("%s", at + strlen(table));
	} else if ((at = strstr(line, names))) {
		printf("%.*s", (int)(at - line), line);
		for (size_t i = 0; all_commands[i]; i++)
			printf("%s%s", i ? " " : "", all_commands[i]->name);
		printf("%s", at + strlen(names));
	} else {
		printf("%s", line);
	}
}

int main(int argc, char **argv)
{
	FILE *script = argc == 2 ? fopen(argv[1], "r") : NULL;
	char line[1000];

	if (!script)
		return GSC_USAGE;
	while (fgets(line, sizeof(line), script))
		put_line(line);
	fclose(script);
	return fflush(stdout) ? GSC_FAILED : GSC_OK;
}
