/* SPDX-License-Identifier: MIT */
/*
 * Registers in expressions, and expressions where a command takes a number. Registers are read in a
 * child, like all sources.
 */
#include "sh.h"

#include "expr.h"
#include "open/open.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READS_MAX 4			/* of a register whose upper half changes */

struct evaluation {
	struct shell *shell;
	const char *text;
	struct gsc_gpu *gpu;
	bool halves;			/* ACTHD is one register, without ACTHD_UDW */
	size_t registers;		/* number of words that it takes */

	/* The result. */
	uint64_t value;
	enum gsc_status status;
	struct gsc_error err;
};

/* ---- registers ------------------------------------------------------------------------------ */

/* "not in this dump", "asleep: ..." */
static enum gsc_status unread(const struct shell *shell, const char *name,
			      const struct gsc_row *row, struct gsc_error *err)
{
	static const struct {
		enum gsc_status status;
		const char *why;
	} meanings[] = {
		[GSC_READ_ABSENT] = { GSC_UNKNOWN, "no source holds it" },
		[GSC_READ_SKIPPED] = { GSC_USAGE, "not read without force" },
		[GSC_READ_ASLEEP] = { GSC_GONE, "asleep" },
		[GSC_READ_DENIED] = { GSC_DENIED, "refused by the kernel" },
		[GSC_READ_ALL_ONES] = { GSC_GONE, "the device answers all ones: gone or powered "
						  "down" },
		[GSC_READ_EXCLUDED] = { GSC_UNKNOWN, "excluded from the dump" },
	};
	bool dump = row->status == GSC_READ_ABSENT && !session_live(shell);

	*err = (struct gsc_error){ .status = meanings[row->status].status };
	snprintf(err->what, sizeof(err->what), "%.200s", name);
	snprintf(err->why, sizeof(err->why), "%s%s%.300s",
		 dump ? "not in this dump" : meanings[row->status].why, row->why ? ": " : "",
		 row->why ? row->why : "");
	return err->status;
}

static enum gsc_status read_row(struct evaluation *e, const char *name,
				const struct gsc_selection *selection, uint64_t *value,
				struct gsc_error *err)
{
	struct gsc_rows_options options = { .unsafe = e->shell->force, .keep = true };
	struct gsc_rows *rows = NULL;
	enum gsc_status status;
	struct gsc_row row;

	status = gsc_rows_read(&rows, selection, e->gpu, &options, err);
	if (status)
		return status;
	gsc_rows_at(rows, 0, &row);
	if (row.status == GSC_READ_OK)
		*value = row.value;
	else
		status = unread(e->shell, name, &row, err);
	gsc_rows_free(rows);
	return status;
}

/* By its name, a register means all of its value; by its address, what is there. */
static bool upper_open(const struct evaluation *e, const char *text, const struct target *target,
		       struct target *upper)
{
	const char *colon = strrchr(text, ':');
	struct gsc_error ignored;
	struct gsc_reg reg;
	char name[200];

	if (e->halves || target->has_field || isdigit((unsigned char)(colon ? colon[1] : *text)) ||
	    !gsc_gpu_upper(e->shell->common.gpu, &target->row.reg, &reg))
		return false;
	gsc_reg_full_name(&reg, name, sizeof(name));
	return !target_open(&e->shell->common, name, upper, &ignored);
}

/* "not in this dump; the lower half alone is mmio:0x2074" */
static enum gsc_status no_upper(const struct target *target, enum gsc_status status,
				struct gsc_error *err)
{
	size_t used = strlen(err->why);

	snprintf(err->why + used, sizeof(err->why) - used, "; the lower half alone: %s:0x%llx",
		 gsc_space_name(target->row.reg.space),
		 (unsigned long long)target->row.reg.offset);
	return status;
}

/* The lower half is that of the upper one, which is the same before and after. */
static enum gsc_status read_halves(struct evaluation *e, const char *name,
				   const struct target *target, const struct target *upper,
				   uint64_t *value, struct gsc_error *err)
{
	uint64_t before = 0, after, low = 0;
	enum gsc_status status;
	char full[200];

	gsc_reg_full_name(&upper->row.reg, full, sizeof(full));
	for (unsigned i = 0; i < READS_MAX; i++) {
		status = read_row(e, full, upper->selection, &after, err);
		if (status)
			return no_upper(target, status, err);
		if (i && after == before)
			break;
		before = after;
		status = read_row(e, name, target->selection, &low, err);
		if (status)
			return status;
	}
	*value = before << 32 | low;
	return GSC_OK;
}

static enum gsc_status read_target(struct evaluation *e, const char *name,
				   const struct target *target, uint64_t *value,
				   struct gsc_error *err)
{
	struct target upper;
	enum gsc_status status;

	if (upper_open(e, name, target, &upper)) {
		status = read_halves(e, name, target, &upper, value, err);
		target_close(&upper);
		return status;
	}
	status = read_row(e, name, target->selection, value, err);
	if (!status && target->has_field)
		*value = field_bits(&target->field, *value);
	return status;
}

/* "stopped", to the right of a field. */
static bool is_word(struct shell *shell, const char *left, const char *name, uint64_t *value)
{
	struct gsc_error ignored;
	struct target target;
	bool is;

	if (!left || target_open(&shell->common, left, &target, &ignored))
		return false;
	is = target.has_field && word_value(&shell->common, &target, name, value);
	target_close(&target);
	return is;
}

/* Neither a register nor a value of the field to the left: which values it has. */
static enum gsc_status not_in_field(struct shell *shell, const char *left, const char *name,
				    struct gsc_error *err)
{
	enum gsc_status status = err->status;
	struct gsc_error ignored;
	struct target target;

	if (target_open(&shell->common, left, &target, &ignored))
		return status;
	if (target.has_field)
		status = not_a_value(&shell->common, &target, name, err);
	target_close(&target);
	return status;
}

static enum gsc_status name_value(void *context, const char *name, const char *left, bool needed,
				  uint64_t *value, struct gsc_error *err)
{
	struct evaluation *e = context;
	struct target target;
	enum gsc_status status = session_need(e->shell, err);

	if (status || is_word(e->shell, left, name, value))
		return status;
	status = target_open(&e->shell->common, name, &target, err);
	if (status == GSC_UNKNOWN && left && !strpbrk(name, ".:["))
		status = not_in_field(e->shell, left, name, err);
	if (!status && !e->gpu)
		status = look_allowed(e->shell, target.selection, name, err);
	if (!status && needed)
		status = read_target(e, name, &target, value, err);
	e->registers++;
	target_close(&target);
	return status;
}

static void work_value(struct shell *shell, void *context)
{
	struct evaluation *e = context;
	const struct expr_names names = { name_value, e, false };

	e->status = session_open(shell, shell->writes && !shell->dry_run, &e->gpu, &e->err);
	if (!e->status)
		e->status = expr_value(e->text, &names, &e->value, &e->err);
	session_close(e->gpu);
}

static enum gsc_status read_value(struct shell *shell, const char *text, bool halves,
				  uint64_t *value, struct gsc_error *err)
{
	struct evaluation *e = child_context(sizeof(*e));
	enum gsc_status status;

	if (!e)
		return err_memory(err);
	e->shell = shell;
	e->text = text;
	e->halves = halves;
	if (child_work(shell, true, work_value, e)) {
		*err = e->err;
		err->what[sizeof(err->what) - 1] = err->why[sizeof(err->why) - 1] = 0;
		status = e->status;
		*value = e->value;
	} else {
		*err = (struct gsc_error){ .status = GSC_GONE };
		snprintf(err->what, sizeof(err->what), "%.200s", text);
		snprintf(err->why, sizeof(err->why), "the source has gone away");
		status = GSC_GONE;
	}
	child_context_free(e, sizeof(*e));
	return status;
}

static enum gsc_status evaluate(struct shell *shell, const char *text, bool halves,
				uint64_t *value, struct gsc_error *err)
{
	struct evaluation e = { .shell = shell };
	struct expr_names names = { name_value, &e, true };
	enum gsc_status status = expr_value(text, &names, value, err);

	names.check = false;
	if (status)
		return status;
	return e.registers ? read_value(shell, text, halves, value, err)
			   : expr_value(text, &names, value, err);
}

enum gsc_status value_of(struct shell *shell, const char *text, uint64_t *value,
			 struct gsc_error *err)
{
	return evaluate(shell, text, false, value, err);
}

enum gsc_status register_value(struct shell *shell, const char *name, uint64_t *value,
			       struct gsc_error *err)
{
	bool address = isdigit((unsigned char)*name);
	char text[EXPR_NAME_MAX + 8];

	snprintf(text, sizeof(text), "%s%s", address && !strchr(name, ':') ? "mmio:" : "", name);
	return evaluate(shell, text, true, value, err);
}

/* ---- where a command takes a number --------------------------------------------------------- */

/* "0x1000", "0x1:0x2", "3/4", "lmem:0x1000": the command understands it. */
static bool is_number(const char *word)
{
	const char *colon = strchr(word, ':');

	if (colon && !isdigit((unsigned char)*word))
		word = colon + 1;
	return isdigit((unsigned char)*word) &&
	       !word[strspn(word, "0123456789abcdefABCDEFxX_KMGkmg:,/.")];
}

/* A file, a demo, a device, a collected hang. */
static bool is_source(const char *word)
{
	char *path = NULL;
	enum gsc_spec_kind kind = gsc_spec_kind(word, &path);

	free(path);
	return !strncmp(word, "demo:", 5) || !access(word, F_OK) || kind == GSC_SPEC_DEVICE ||
	       kind == GSC_SPEC_HANG;
}

static enum gsc_status replace(struct shell *shell, char **word, size_t from, struct gsc_error *err)
{
	enum gsc_status status;
	uint64_t value;
	char *made;

	status = value_of(shell, *word + from, &value, err);
	if (status)
		return status;
	if (asprintf(&made, "%.*s0x%llx", (int)from, *word, (unsigned long long)value) < 0)
		return err_memory(err);
	free(*word);
	*word = made;
	return GSC_OK;
}

/* "--address=ppgtt:rcs0.ACTHD" */
static enum gsc_status replace_behind(struct shell *shell, char **word, size_t from,
				      struct gsc_error *err)
{
	struct address space;

	return replace(shell, word, from + address_prefix(*word + from, &space), err);
}

static enum gsc_status number_word(struct shell *shell, char **word, struct gsc_error *err)
{
	if (!**word || is_number(*word) || is_source(*word) || !strcmp(*word, "-"))
		return GSC_OK;
	return replace_behind(shell, word, 0, err);
}

static const struct option_row *row_of(const struct command *command, const char *word,
				       size_t *value)
{
	const struct option_row *row;
	size_t length;

	*value = 0;
	for (size_t i = 0; *word == '-' && (row = option_next(command, &i));) {
		length = strlen(row->name);
		if (!row->argument)
			continue;
		if (word[1] != '-' && row->letter && word[1] == row->letter) {
			*value = word[2] ? 2 : 0;
			return row;
		}
		if (!strncmp(word, "--", 2) && !strncmp(word + 2, row->name, length) &&
		    (!word[2 + length] || word[2 + length] == '=')) {
			*value = word[2 + length] ? 3 + length : 0;
			return row;
		}
	}
	return NULL;
}

/* The command explains better what is wrong with the line. */
static bool is_unknown_option(const struct command *command, const char *word)
{
	const struct option_row *row;

	if (strncmp(word, "--", 2) || !word[2])
		return false;
	for (size_t i = 0; (row = option_next(command, &i));)
		if (!strncmp(word + 2, row->name, strcspn(word + 2, "=")))
			return false;
	return true;
}

bool takes_number(const struct option_row *row)
{
	return row->kind == OPTION_NUMBER || row->kind == OPTION_ADDRESS ||
	       !strcmp(row->argument, "VALUE") || !strcmp(row->argument, "L3PTR");
}

enum gsc_status number_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < words->count; i++) {
		size_t value, next = i + 1;
		const struct option_row *row = row_of(verb->command, words->items[i], &value);

		if (is_unknown_option(verb->command, words->items[i]))
			break;
		if (!row && *words->items[i] != '-' && verb->flags & VERB_NUMBERS)
			status = number_word(shell, &words->items[i], err);
		else if (row && value && takes_number(row) && !is_number(words->items[i] + value))
			status = replace_behind(shell, &words->items[i], value, err);
		else if (row && !value && next < words->count && takes_number(row))
			status = number_word(shell, &words->items[next], err);
		i += row && !value;
	}
	return status;
}

/* "rcs0.MI_MODE.STOP_RINGS" is a selector with a colon. */
enum gsc_status selector_words(struct shell *shell, const struct verb *verb,
			       struct words *words, struct gsc_error *err)
{
	enum gsc_status status = number_words(shell, verb, words, err);
	char buf[EXPR_NAME_MAX], *copy;
	struct gsc_error ignored;

	for (size_t i = 0; !status && i < words->count; i++) {
		if (!strchr(words->items[i], '.') || *words->items[i] == '-' ||
		    session_need(shell, &ignored) ||
		    colon_text(&shell->common, words->items[i], buf, sizeof(buf)) != buf)
			continue;
		copy = strdup(buf);
		if (!copy)
			return err_memory(err);
		free(words->items[i]);
		words->items[i] = copy;
	}
	return status;
}

/* "/16xw -e rcs0 ggtt:0x1000 + 4" of x: a format, options and one expression. */
enum gsc_status memory_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err)
{
	size_t first = 0, value, used, size = 1;
	const struct option_row *row;
	enum gsc_status status;
	struct address space;
	char *text;

	if (words->count && words->items[0][0] == '/') {
		if (asprintf(&text, "--format=%s", words->items[0] + 1) < 0)
			return err_memory(err);
		free(words->items[0]);
		words->items[0] = text;
	}
	status = number_words(shell, verb, words, err);
	while (first < words->count && words->items[first][0] == '-') {
		row = row_of(verb->command, words->items[first], &value);
		first += 1 + (row && !value);
	}
	if (status || first >= words->count)
		return status;
	for (size_t i = first; i < words->count; i++)
		size += strlen(words->items[i]) + 1;
	text = calloc(1, size);
	if (!text)
		return err_memory(err);
	for (size_t i = first; i < words->count; i++) {
		used = strlen(text);
		snprintf(text + used, size - used, "%s%s", used ? " " : "", words->items[i]);
		free(words->items[i]);
	}
	words->items[first] = text;
	words->items[words->count = first + 1] = NULL;
	used = address_prefix(text, &space);
	return is_number(text + used) ? GSC_OK : replace(shell, &words->items[first], used, err);
}

/* "REG=EXPRESSION" of decode. */
enum gsc_status decode_words(struct shell *shell, const struct verb *verb, struct words *words,
			     struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	(void)verb;
	for (size_t i = 0; !status && i < words->count; i++) {
		const char *equals = strchr(words->items[i], '=');

		if (equals && *words->items[i] != '-' && !is_number(equals + 1))
			status = replace(shell, &words->items[i],
					 (size_t)(equals + 1 - words->items[i]), err);
	}
	return status;
}
