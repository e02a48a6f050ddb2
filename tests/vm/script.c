/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "definitions.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOOT_LIMIT 120
#define GUEST_MEMORY 256

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

/* ---- directives that act -------------------------------------------------------------------- */

static bool fail_library(struct session *s, const struct gsc_error *err)
{
	return fail(s, "%s: %s", err->what, err->why);
}

static bool parse_platforms(struct session *s, char *list, struct boot *boot)
{
	char *save;

	for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		const struct platform *platform = platform_find(name);

		if (!strcmp(name, "none"))
			continue;
		if (!platform || boot->count == GPUS_MAX)
			return fail(s, "no such platform, or one too many: %s", name);
		boot->platforms[boot->count++] = platform;
	}
	return true;
}

static bool mark_hazards(struct session *s)
{
	struct gsc_error err = { 0 };

	for (unsigned i = 0; i < s->machine.count; i++)
		if (!hazards_mark(s->machine.gpus[i], s->db, &err))
			return fail_library(s, &err);
	return true;
}

static void in_directory(const struct session *s, char *path, size_t size, const char *name)
{
	snprintf(path, size, "%s/%s", s->directory, name);
}

/* boot PLATFORM[,PLATFORM] [i915] [WORDS FOR THE KERNEL] */
static bool do_boot(struct session *s, char *rest)
{
	struct boot boot = { .memory = GUEST_MEMORY, .limit = BOOT_LIMIT };
	char *platforms = word(&rest);
	bool driver = !strncmp(rest, "i915", 4);
	char append[256], console[512];
	const char *problem;
	double start = seconds();

	machine_stop(&s->machine);
	if (!platforms || !parse_platforms(s, platforms, &boot))
		return false;
	snprintf(append, sizeof(append), "%s%s", driver ? "gpu-vm." : "", rest);
	in_directory(s, console, sizeof(console), "console");
	boot.append = append;
	boot.console = console;
	boot.kernel = s->kernel[driver];
	boot.initrd = s->initrd[driver];
	problem = machine_boot(&s->machine, &boot);
	if (problem)
		return fail(s, "%s; %s", problem, console);
	printf("# boot %.1f s\n", seconds() - start);
	return mark_hazards(s);
}

static bool do_run(struct session *s, char *rest)
{
	const char *problem;

	free(s->command);
	s->command = strdup(rest);
	problem = machine_run(&s->machine, rest, &s->last);
	return !problem || fail(s, "%s", problem);
}

static struct gpu *gpu(struct session *s)
{
	return s->machine.gpus[0];
}

/* set OFFSET VALUE...: dwords, behind the back of everyone */
static bool do_set(struct session *s, char *rest)
{
	uint64_t offset, value;

	if (!number(word(&rest), &offset) || offset % 4)
		return fail(s, "set OFFSET VALUE...");
	for (char *text; (text = word(&rest)); offset += 4) {
		if (!number(text, &value) || offset >= gpu(s)->platform->bar0_size)
			return fail(s, "set OFFSET VALUE...");
		gpu(s)->bar0[offset / 4] = (uint32_t)value;
	}
	return true;
}

static bool do_fault(struct session *s, char *rest)
{
	uint64_t fault = 0, data0 = 0, data1 = 0;

	if (!number(word(&rest), &fault))
		return fail(s, "fault VALUE [DATA0 DATA1]");
	number(word(&rest), &data0);
	number(word(&rest), &data1);
	register_fault(gpu(s), (uint32_t)fault, (uint32_t)data0, (uint32_t)data1);
	return true;
}

static bool do_gone(struct session *s, char *rest)
{
	gpu(s)->gone = !strcmp(rest, "on");
	return true;
}

static bool do_seed(struct session *s, char *rest)
{
	struct gsc_error err = { 0 };

	return gpu_seed(gpu(s), s->db, rest, &err) || fail_library(s, &err);
}

static bool do_dump(struct session *s, char *rest)
{
	char path[512];

	in_directory(s, path, sizeof(path), rest);
	return gpu_dump(gpu(s), path, false) || fail(s, "%s: cannot be written", path);
}

/* hold MASK: these domains are kept awake by somebody else, a bit for each of the platform's */
static bool do_hold(struct session *s, char *rest)
{
	uint64_t domains;

	if (!number(rest, &domains))
		return fail(s, "hold MASK");
	registers_hold(gpu(s), (unsigned)domains);
	return true;
}

static void show(const char *title, const struct text *text)
{
	const char *end, *line = text->bytes;

	for (int i = 0; line && *line && i < 40; line = end + (*end != 0), i++) {
		end = line + strcspn(line, "\n");
		printf("#   %s %.*s\n", title, (int)(end - line), line);
	}
}

/* For the author of a script. */
static bool do_show(struct session *s, char *rest)
{
	(void)rest;
	printf("# %s (status %d, %.2f s)\n", s->command, s->last.status, s->last.time);
	show("out:", &s->last.out);
	show("err:", &s->last.err);
	return true;
}

/* ---- directives that judge ------------------------------------------------------------------ */

static bool check_status(struct session *s, char *rest)
{
	uint64_t want;

	if (!number(rest, &want))
		return fail(s, "status N");
	return (int)want == s->last.status || fail(s, "status %d", s->last.status);
}

/* The texts are the same but for how many blanks stand between words. */
static bool begins(const char *line, const char *text)
{
	while (*text) {
		if (*text == ' ' && *line == ' ') {
			line += strspn(line, " ");
			text += strspn(text, " ");
		} else if (*text++ != *line++) {
			return false;
		}
	}
	return true;
}

static bool contains(const struct text *all, const char *text)
{
	for (size_t i = 0; i < all->length; i++)
		if (begins(all->bytes + i, text))
			return true;
	return false;
}

static bool check_out(struct session *s, char *rest)
{
	return contains(&s->last.out, rest) || fail(s, "not in stdout");
}

static bool check_not_out(struct session *s, char *rest)
{
	return !contains(&s->last.out, rest) || fail(s, "in stdout");
}

static bool check_err(struct session *s, char *rest)
{
	return contains(&s->last.err, rest) || fail(s, "not in stderr");
}

static bool check_silent(struct session *s, char *rest)
{
	const struct text *text = strcmp(rest, "err") ? &s->last.out : &s->last.err;

	return !text->length || fail(s, "not empty");
}

/* reg OFFSET VALUE: what the model holds */
static bool check_reg(struct session *s, char *rest)
{
	uint64_t offset, value;

	if (!number(word(&rest), &offset) || !number(word(&rest), &value) ||
	    offset >= gpu(s)->platform->bar0_size)
		return fail(s, "reg OFFSET VALUE");
	return gpu(s)->bar0[offset / 4] == value ||
	       fail(s, "the model holds 0x%x", gpu(s)->bar0[offset / 4]);
}

static const struct directive {
	const char *name;
	bool (*run)(struct session *session, char *rest);
	bool act;			/* if it fails, the rest of the script makes no sense */
} directives[] = {
	{ "boot", do_boot, true },	{ "run", do_run, true },
	{ "set", do_set, true },	{ "fault", do_fault, true },
	{ "gone", do_gone, true },	{ "seed", do_seed, true },
	{ "dump", do_dump, true },	{ "hold", do_hold, true },
	{ "show", do_show, true },	{ "status", check_status },
	{ "out", check_out },		{ "no-out", check_not_out },
	{ "err", check_err },		{ "silent", check_silent },
	{ "saw", check_seen },		{ "never", check_never },
	{ "loads-32", check_width },	{ "whole-entries", check_entries },
	{ "reg", check_reg },
};

/* ---- scripts -------------------------------------------------------------------------------- */

static void tell_failure(struct session *s, const char *line)
{
	printf("FAILED %s:%u: %s: %s\n", s->script, s->line, line, s->problem);
	if (s->command)
		printf("#   after: %s (status %d)\n", s->command, s->last.status);
	show("out:", &s->last.out);
	show("err:", &s->last.err);
	s->failures++;
}

static const struct directive *find(const char *name)
{
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (name && !strcmp(directives[i].name, name))
			return &directives[i];
	return NULL;
}

/* False if nothing after it makes sense. */
static bool run_line(struct session *s, char *line)
{
	char *rest = line, *copy = strdup(line);
	const struct directive *directive = find(word(&rest));
	bool done;

	rest += strspn(rest, " \t");
	if (!directive)
		done = fail(s, "no such directive");
	else if (!s->machine.qemu && directive->run != do_boot)
		done = fail(s, "nothing is booted");
	else
		done = directive->run(s, rest);
	s->checks++;
	if (!done)
		tell_failure(s, copy);
	free(copy);
	return done || (directive && !directive->act);
}

static bool is_comment(const char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '#';
}

bool script_run(struct session *s, const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned failures = s->failures;
	char line[4096];
	bool go = true;

	if (!file) {
		perror(path);
		return false;
	}
	s->script = path;
	for (s->line = 1; go && fgets(line, sizeof(line), file); s->line++) {
		line[strcspn(line, "\n")] = '\0';
		if (!is_comment(line))
			go = run_line(s, line);
	}
	fclose(file);
	machine_stop(&s->machine);
	return s->failures == failures;
}
