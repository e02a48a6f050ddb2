/* SPDX-License-Identifier: MIT */
/* Commands that are printed for pasting: with the options that name what this one reads. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_@%+=:,./-")];
}

/* Read once, it is gone; so is a file that only this process has open. */
static bool is_gone(const char *path)
{
	return !strcmp(path, "-") || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/self/fd/", 14) || !strcmp(path, "/dev/stdin") ||
	       file_is_pipe(path);
}

/* Bytes that a terminal would obey: as $'\033', which bash, ksh, zsh and POSIX 2024 read back. */
static bool is_control(const char *at)
{
	const unsigned char *c = (const unsigned char *)at;

	return *c < ' ' || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

static bool has_control(const char *word)
{
	while (*word && !is_control(word))
		word++;
	return *word;
}

static void put_escaped(FILE *to, const char *word)
{
	fputs("$'", to);
	for (; *word; word++)
		if (is_control(word) || (unsigned char)*word >= 0x80)
			fprintf(to, "\\%03o", (unsigned char)*word);
		else
			fprintf(to, strchr("'\\", *word) ? "\\%c" : "%c", *word);
	putc('\'', to);
}

static void put_quoted(FILE *to, const char *word)
{
	putc('\'', to);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", to);
		else
			putc(*word, to);
	putc('\'', to);
}

static void put_word(FILE *to, const char *word)
{
	char *file = NULL;

	if (*word == '-' && asprintf(&file, "./%s", word) > 0 && !is_gone(word))
		word = file;		/* it must not be read as an option */
	if (is_gone(word))
		fputs("FILE", to);
	else if (has_control(word))
		put_escaped(to, word);
	else if (is_plain(word))
		fputs(word, to);
	else
		put_quoted(to, word);
	free(file);
}

const char *shell_quoted(const char *word, char *buf, size_t size)
{
	FILE *to = fmemopen(buf, size, "w");

	*buf = 0;
	if (!to)
		return buf;
	put_word(to, word);
	fclose(to);
	buf[size - 1] = 0;
	return buf;
}

/* System files have no folders to hide. */
static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || !strncmp(path, "/dev/", 5) || !strncmp(path, "/sys/", 5) ||
	    !strncmp(path, "/proc/", 6))
		return path;
	return slash + 1;
}

/* "bar:PATH" has a path after its prefix. */
static void put_file(FILE *to, const struct common *common, const char *option, const char *word)
{
	const char *colon = strchr(word, ':');
	size_t prefix = colon && !strchr("/-", *word) ? (size_t)(colon + 1 - word) : 0;
	const char *path = common->hides_folders ? without_folders(word + prefix) : word + prefix;
	char *whole;

	fprintf(to, "%s%s ", ftell(to) ? " " : "", option);
	if (asprintf(&whole, "%.*s%s", (int)prefix, word, is_gone(path) ? "FILE" : path) < 0)
		return;
	put_word(to, whole);
	free(whole);
}

/* In the shell a command reads what the session does, with its definitions. */
static void put_options(FILE *to, const struct common *common, const char *first, bool alone)
{
	if (first)
		put_file(to, common, "-s", first);
	for (size_t i = 0; !alone && !common->in_session && i < common->from.count; i++)
		put_file(to, common, "-s", common->from.items[i]);
	if (common->platform_name &&
	    !(common->session && common->platform_name == common->session->platform))
		put_file(to, common, "-p", common->platform_name);
	for (size_t i = 0; !common->verb && i < common->defines.count; i++)
		put_file(to, common, "--define", common->defines.items[i]);
	if (common->no_user_config && !common->verb)
		fprintf(to, "%s--no-user-config", ftell(to) ? " " : "");
}

static char *make_options(const struct common *common, const char *first, bool alone)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	put_options(to, common, first, alone);
	fclose(to);
	return text;
}

void hints_set(struct common *common, const char *first, bool alone)
{
	free(common->hints);
	common->hints = make_options(common, first, alone);
	if (common->out)
		gsc_out_commands(common->out, common->verb ? "" : NULL, common->hints);
}

const char *hint_command(const struct common *common, const char *name, char *buf, size_t size)
{
	char *own = common->hints ? NULL : make_options(common, NULL, false);
	const char *options = common->hints ? common->hints : own ? own : "";

	snprintf(buf, size, "%s%s%s%s", common->verb ? "" : "gpu-", name, *options ? " " : "",
		 options);
	free(own);
	return buf;
}
