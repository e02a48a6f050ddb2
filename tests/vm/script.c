/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "util/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 9			/* that `include` passes on */

bool fail(struct session *s, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(s->problem, sizeof(s->problem), format, list);
	va_end(list);
	return false;
}

char *word(char **text)
{
	char *start = *text + strspn(*text, " \t");

	if (!*start)
		return NULL;
	*text = start + strcspn(start, " \t");
	if (**text)
		*(*text)++ = '\0';
	return start;
}

bool number(const char *text, uint64_t *value)
{
	return text && gsc_parse_number(text, value);
}

struct gpu *first_gpu(struct session *s)
{
	return s->machine.gpus[0];
}

void show_text(const char *title, const struct text *text)
{
	const char *end, *line = text->bytes;

	for (int i = 0; line && *line && i < 12; line = end + (*end != 0), i++) {
		end = line + strcspn(line, "\n");
		printf("#   %s %.*s\n", title, (int)(end - line), line);
	}
}

/* ---- scripts -------------------------------------------------------------------------------- */

static void tell_failure(struct session *s, const char *line)
{
	printf("FAILED %s:%u: %s: %s\n", s->script, s->line, line, s->problem);
	if (s->command)
		printf("#   after: %s (status %d)\n", s->command, s->last.status);
	if (!s->last.shown) {
		show_text("out:", &s->last.out);
		show_text("err:", &s->last.err);
	}
	s->last.shown = true;
	s->failures++;
}

static const struct directive *find(const struct directive *directives, const char *name)
{
	for (; directives->name; directives++)
		if (!strcmp(directives->name, name))
			return directives;
	return NULL;
}

static bool needs_machine(const char *name)
{
	return strcmp(name, "boot") && strcmp(name, "snapshot");
}

static bool run_file(struct session *s, const char *path, char *const words[WORDS]);

/* False if nothing after it makes sense. */
static bool run_line(struct session *s, char *line)
{
	char *rest = line, *copy = strdup(line), *name = word(&rest);
	const struct directive *act = find(acts, name), *check = find(printed_checks, name);
	bool done;

	check = check ? check : find(seen_checks, name);
	rest += strspn(rest, " \t");
	if (!act && !check)
		done = fail(s, "no such directive");
	else if (needs_machine(name) && !s->machine.qemu)
		done = fail(s, "nothing is booted");
	else
		done = act ? act->run(s, rest) : check->run(s, rest);
	s->checks++;
	if (!done)
		tell_failure(s, copy);
	free(copy);
	return done || !act;
}

static bool is_comment(const char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '#';
}

/* The line with $1 to $9 replaced by the words of `include`. */
static void fill_in(char *line, size_t size, const char *from, char *const words[WORDS])
{
	size_t used = 0;

	for (; *from && used + 1 < size; from++) {
		const char *put = *from == '$' && from[1] > '0' && from[1] <= '9'
					  ? words[from[1] - '1'] : NULL;

		if (put)
			used += (size_t)snprintf(line + used, size - used, "%s", put), from++;
		else
			line[used++] = *from;
	}
	line[used < size ? used : size - 1] = '\0';
}

/* As word(), or what stands between two quotes. */
static char *quoted(char **text)
{
	char *start = *text + strspn(*text, " \t") + 1;

	if (start[-1] != '\'')
		return word(text);
	*text = start + strcspn(start, "'");
	if (**text)
		*(*text)++ = '\0';
	return start;
}

/* include NAME [WORD...]: the lines of a script in the same folder, with $1 to $9 in them */
static bool include(struct session *s, char *rest)
{
	const char *including = s->script, *slash = strrchr(including, '/'), *name = word(&rest);
	char *words[WORDS] = { NULL }, *path;
	unsigned line = s->line;
	bool go;

	for (unsigned i = 0; i < WORDS && (words[i] = quoted(&rest));)
		i++;
	if (asprintf(&path, "%.*s%s", slash ? (int)(slash + 1 - including) : 0, including, name) < 0)
		return false;
	go = run_file(s, path, words);
	free(path);
	s->script = including;
	s->line = line;
	return go;
}

static bool run_file(struct session *s, const char *path, char *const words[WORDS])
{
	FILE *file = fopen(path, "re");
	char line[4096], filled[8192];
	bool go = true;

	if (!file) {
		printf("FAILED %s: %s\n", path, strerror(errno));
		s->failures++;
		return false;
	}
	s->script = path;
	for (s->line = 1; go && fgets(line, sizeof(line), file); s->line++) {
		line[strcspn(line, "\n")] = '\0';
		fill_in(filled, sizeof(filled), line, words);
		if (!strncmp(filled, "include ", 8))
			go = include(s, filled + 8);
		else if (!is_comment(filled))
			go = run_line(s, filled);
	}
	fclose(file);
	return go;
}

void script_run(struct session *s, const char *path)
{
	static char *const none[WORDS];

	run_file(s, path, none);
	machine_stop(&s->machine);
}
