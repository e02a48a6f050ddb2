/* SPDX-License-Identifier: MIT */
/* Commands that are printed for pasting: with the options that name what this one reads. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

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

static void put_word(FILE *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";
	const char *before = *word == '-' ? "./" : "";	/* it must not be read as an option */
	bool escaped = false;

	if (is_gone(word)) {
		fputs("FILE", to);
		return;
	}
	if (*word && !word[strspn(word, plain)]) {
		fprintf(to, "%s%s", before, word);
		return;
	}
	for (const char *at = word; *at; at++)
		escaped |= is_control(at);
	fprintf(to, "%s'%s", escaped ? "$" : "", before);
	for (const char *at = word; *at; at++)
		if (escaped && (is_control(at) || (unsigned char)*at >= 0x80))
			fprintf(to, "\\%03o", (unsigned char)*at);
		else if (escaped)
			fprintf(to, strchr("'\\", *at) ? "\\%c" : "%c", *at);
		else if (*at == '\'')
			fputs("'\\''", to);
		else
			putc(*at, to);
	putc('\'', to);
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

/* "bar:PATH" has a path after its prefix. */
static void put_file(FILE *to, const struct common *common, const char *option, const char *word)
{
	const char *colon = strchr(word, ':');
	size_t prefix = colon && !strchr("/-", *word) ? (size_t)(colon + 1 - word) : 0;
	const char *path = word + prefix, *slash = strrchr(path, '/');
	char *whole;

	/* System files have no folders to hide. */
	if (common->hides_folders && slash && strncmp(path, "/dev/", 5) &&
	    strncmp(path, "/sys/", 5) && strncmp(path, "/proc/", 6))
		path = slash + 1;
	fprintf(to, "%s%s ", ftell(to) ? " " : "", option);
	if (asprintf(&whole, "%.*s%s", (int)prefix, word, is_gone(path) ? "FILE" : path) < 0)
		return;
	put_word(to, whole);
	free(whole);
}

/* In the shell a command reads what the session does, with its definitions. */
static char *make_options(const struct common *common, const char *first, bool alone)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
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
	fclose(to);
	return text;
}

void hints_set(struct common *common, const char *first, bool alone)
{
	free(common->hints);
	common->hints = make_options(common, first, alone);
	if (!common->out)
		return;
	common->out->prefix = common->verb ? "" : NULL;
	common->out->options = common->hints;
}

void hints_inside(struct common *common, const char *first, const char *part)
{
	char *outer = make_options(common, first, false), *own = make_options(common, NULL, true);
	char *extract = NULL, *reads = NULL;
	size_t size;
	FILE *to = outer && own ? open_memstream(&extract, &size) : NULL;

	if (to) {
		fprintf(to, "%ssnap extract %s%s", common->verb ? "" : "gpu-", outer,
			*outer ? " " : "");
		put_word(to, part);
		fputs(" | gpu-", to);
		if (fclose(to) || asprintf(&reads, "-s -%s%s", *own ? " " : "", own) < 0)
			reads = NULL;
	}
	hints_set(common, first, false);
	free(outer);
	free(own);
	free(common->extract);
	common->extract = extract;
	if (!reads)
		return;
	free(common->hints);
	common->hints = reads;
	if (!common->out)
		return;
	common->out->prefix = extract;
	common->out->options = reads;
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
