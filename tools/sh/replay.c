/* SPDX-License-Identifier: MIT */
/*
 * Executes a saved journal again. Its lines say what was there before each write, "# was 0x11, of
 * 0xff": if that is not there now, nothing at all is written.
 */
#include "sh.h"

#include "expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAS "# was "

/* Bits of a register that earlier writes have set no longer have the old value. */
struct seen {
	char *name;
	uint64_t bits;
};

struct replay {
	struct shell *shell;
	struct seen *seen;
	size_t count;
	bool any;			/* a line had an old value */
};

static struct seen *find_seen(struct replay *r, const char *name)
{
	struct seen *grown;

	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->seen[i].name, name))
			return &r->seen[i];
	grown = realloc(r->seen, (r->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	r->seen = grown;
	grown[r->count] = (struct seen){ .name = strdup(name) };
	return grown[r->count].name ? &grown[r->count++] : NULL;
}

/* "# was 0x11, of 0xff" */
static bool read_was(const char *line, uint64_t *old, uint64_t *bits)
{
	unsigned long long was, of;

	if (sscanf(line + comment_start(line), WAS "0x%llx, of 0x%llx", &was, &of) != 2)
		return false;
	*old = was;
	*bits = of;
	return true;
}

static enum gsc_status differs(const struct replay *r, const char *name, const char *line,
			       uint64_t old, uint64_t now, struct gsc_error *err)
{
	enum gsc_write_operation operation = GSC_WRITE_SET;
	const char *given = "";
	char word[64];

	assigns(line, &operation, &given);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(given, " \t#"), given);
	*err = (struct gsc_error){ .status = GSC_USAGE };
	snprintf(err->what, sizeof(err->what), "%.150s", name);
	snprintf(err->why, sizeof(err->why), "it was 0x%llx and is 0x%llx: %s",
		 (unsigned long long)old, (unsigned long long)now,
		 r->shell->force ? "written anyway"
				 : "nothing was replayed; to go on: force replay FILE");
	if (!r->shell->force)
		event_refused(r->shell, name, operation_word(operation), word, GSC_USAGE, err);
	return GSC_USAGE;
}

/* The last colon separates a field; what is compared is the register. */
static enum gsc_status check_write(struct replay *r, const char *line, const char *name,
				   uint64_t old, uint64_t bits, struct gsc_error *err)
{
	char reg[EXPR_NAME_MAX];
	enum gsc_status status;
	struct target target;
	struct seen *seen;
	uint64_t now;

	status = target_open(r->shell, name, &target, err);
	if (status)
		return status;
	snprintf(reg, sizeof(reg), "%s", name);
	if (target.has_field)
		*strrchr(reg, ':') = 0;
	target_close(&target);
	seen = find_seen(r, reg);
	if (!seen)
		return memory_error(err);
	bits &= ~seen->bits;
	seen->bits |= bits;
	/* A name such as 0x4f100 is a number in an expression. */
	if (!bits)
		return GSC_OK;
	status = register_value(r->shell, reg, &now, err);
	if (status || !((now ^ old) & bits))
		return status;
	return differs(r, name, line, old & bits, now & bits, err);
}

static enum gsc_status check_line(struct replay *r, const char *line, struct gsc_error *err)
{
	enum gsc_write_operation operation;
	char *target = NULL, *value = NULL;
	enum gsc_status status = GSC_OK;
	uint64_t old, bits;

	if (!read_was(line, &old, &bits) || !assignment_read(line, &target, &operation, &value))
		return GSC_OK;
	r->any = true;
	if (!target || !value)
		status = memory_error(err);
	else if (strlen(target) >= EXPR_NAME_MAX)
		status = usage_error(err, target, "too long for a name");
	else
		status = check_write(r, line, target, old, bits, err);
	free(target);
	free(value);
	if (!status || !r->shell->force || is_memory_error(err))
		return status;
	warn(&r->shell->common, err->what, err->why);
	err->why[0] = 0;
	return GSC_OK;
}

static enum gsc_status check_text(struct replay *r, const char *path, const char *text,
				  struct gsc_error *err)
{
	enum gsc_status status = session_need(r->shell, err);
	unsigned number = 1;

	for (; !status && *text && !signal_seen(); number++) {
		size_t length = strcspn(text, "\n");
		char *line = strndup(text, length);

		snprintf(r->shell->place, sizeof(r->shell->place), "%s: %.200s:%u", SHELL_NAME,
			 path, number);
		status = line ? check_line(r, line, err) : memory_error(err);
		free(line);
		text += length + (text[length] != 0);
	}
	if (!status && !r->any && !r->shell->force)
		status = usage_error(err, path, "has no old values, as a file of journal save "
						"has; to run it unchecked: source FILE");
	return status;
}

static enum gsc_status check_file(struct shell *shell, const char *path, struct gsc_error *err)
{
	struct replay r = { .shell = shell };
	char place[sizeof(shell->place)];
	char *text = script_read(path, err);
	enum gsc_status status;

	if (!text)
		return GSC_FAILED;
	err->why[0] = 0;
	memcpy(place, shell->place, sizeof(place));
	status = check_text(&r, path, text, err);
	if (status && *err->why)
		tell(&shell->common, err);
	err->why[0] = 0;
	memcpy(shell->place, place, sizeof(place));
	for (size_t i = 0; i < r.count; i++)
		free(r.seen[i].name);
	free(r.seen);
	free(text);
	return signal_seen() ? GSC_FAILED : status;
}

enum gsc_status replay_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	const struct strings none = { 0 };
	bool force = shell->force;
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	const char *path;
	char full[4096];

	if (!status && words.count != 1)
		status = usage_error(err, "replay", "expected a file that journal save wrote");
	else if (!status && !shell->writes && !shell->dry_run)
		status = usage_error(err, words.items[0], "not replayed: start gpu-sh with "
							  "--write");
	if (!status) {
		path = path_home(words.items[0], full, sizeof(full));
		status = check_file(shell, path, err);
		if (!status)
			status = shell_file(shell, path, &none, err);
	}
	shell->force = force;		/* the file may have set it */
	words_free(&words);
	return status;
}
