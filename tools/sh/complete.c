/* SPDX-License-Identifier: MIT */
/* Completion: what the word at the cursor can become. */
#include "sh.h"

#include "cli/text.h"
#include "formats/demo.h"
#include "tile/tile.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t"

struct completion {
	struct shell *shell;
	struct words *found;
	bool files;			/* names of files are also possible */
	char word[256];			/* the part that is there */
	size_t length;
};

static void offer(struct completion *c, const char *text)
{
	if (!strncasecmp(text, c->word, c->length))
		words_add(c->found, text, strlen(text));
}

/* ---- registers ------------------------------------------------------------------------------ */

static void offer_aliases(struct completion *c, const struct gsc_reg *reg, const char *engine)
{
	const char *alias;
	char full[256];

	for (size_t i = 0; (alias = gsc_reg_alias(view_of(&c->shell->common), reg, i)); i++) {
		snprintf(full, sizeof(full), "%s%s%s", engine, *engine ? "." : "", alias);
		offer(c, full);
	}
}

/*
 * "rcs0." and names alone, until an engine is named; array indexes, once there is a bracket;
 * drivers' names, if no other fits.
 */
static void offer_register(struct completion *c, const struct gsc_reg *reg, bool aliases)
{
	bool engine = reg->engine && strchr(c->word, '.');
	char text[256];

	if (aliases) {
		offer_aliases(c, reg, engine ? reg->engine : "");
		return;
	}
	if (reg->engine && !engine && c->length) {
		snprintf(text, sizeof(text), "%s.", reg->engine);
		offer(c, text);
	}
	if (strchr(c->word, '[') && reg->index >= 0)
		snprintf(text, sizeof(text), "%s%s%s[%d]", engine ? reg->engine : "",
			 engine ? "." : "", reg->name, reg->index);
	else
		snprintf(text, sizeof(text), "%s%s%s", engine ? reg->engine : "",
			 engine ? "." : "", reg->name);
	offer(c, text);
}

static void offer_groups(struct completion *c)
{
	const struct gsc_view *view = view_of(&c->shell->common);
	const char *last = NULL;
	struct gsc_reg reg;
	char text[100];

	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		if (!reg.group || reg.group == last)
			continue;
		last = reg.group;
		snprintf(text, sizeof(text), "@%s", reg.group);
		offer(c, text);
	}
}

static bool open_left(struct completion *c, const char *end, struct target *target)
{
	const char *text;
	struct gsc_error err;
	struct gsc_rows *rows;
	char name[256];
	bool ok;

	snprintf(name, sizeof(name), "%.*s", (int)(end - c->word), c->word);
	text = name;
	*target = (struct target){ 0 };
	if (gsc_select(&target->selection, c->shell->common.gpu, GSC_SELECT_DEFINED, &text, 1,
		       &err))
		return false;
	ok = !gsc_rows_read(&rows, target->selection, NULL, NULL, &err) && gsc_rows_count(rows);
	if (ok)
		gsc_rows_at(rows, 0, &target->row);
	gsc_rows_free(rows);
	return ok;
}

/* After "rcs0.MI_MODE:", or a . instead. */
static void offer_fields(struct completion *c, const char *colon)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct target target;
	char text[400];

	if (open_left(c, colon, &target)) {
		fields_begin(&c->shell->common, &target.row.reg, &it);
		while (fields_next(&c->shell->common, &it, &field)) {
			if (field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
				continue;
			snprintf(text, sizeof(text), "%.*s%c%s", (int)(colon - c->word), c->word,
				 *colon, field.name);
			offer(c, text);
		}
	}
	target_close(&target);
}

/* "punit:" before a name; a name alone may also be a register. */
static void offer_prefixes(struct completion *c)
{
	const char *prefix;
	char text[40];

	for (size_t i = 0; c->length && (prefix = gsc_prefix_at(i)); i++) {
		snprintf(text, sizeof(text), "%s:", prefix);
		offer(c, text);
	}
}

static bool is_prefix(const struct completion *c, const char *colon)
{
	size_t length = (size_t)(colon - c->word);
	const char *prefix;

	for (size_t i = 0; (prefix = gsc_prefix_at(i)); i++)
		if (strlen(prefix) == length && !strncasecmp(prefix, c->word, length))
			return true;
	return false;
}

/* The registers that are reached by a prefix. */
static void offer_behind(struct completion *c, const char *colon)
{
	char all[64], text[256], name[200];
	const char *selector = all;
	struct gsc_selection *selection = NULL;
	struct gsc_rows *rows = NULL;
	struct gsc_error ignored;
	struct gsc_row row;

	snprintf(all, sizeof(all), "%.*s:*", (int)(colon - c->word), c->word);
	if (!gsc_select(&selection, c->shell->common.gpu, 0, &selector, 1, &ignored) &&
	    !gsc_rows_read(&rows, selection, NULL, NULL, &ignored)) {
		for (size_t i = 0; i < gsc_rows_count(rows); i++) {
			gsc_rows_at(rows, i, &row);
			gsc_reg_full_name(&row.reg, name, sizeof(name));
			snprintf(text, sizeof(text), "%.*s:%s", (int)(colon - c->word), c->word,
				 name);
			offer(c, text);
		}
	}
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

static void offer_after(struct completion *c, const char *colon)
{
	const char *next = strchr(colon + 1, ':');

	if (!is_prefix(c, colon))
		offer_fields(c, colon);
	else if (next)
		offer_fields(c, next);
	else
		offer_behind(c, colon);
}

static void offer_registers(struct completion *c)
{
	const struct gsc_view *view = view_of(&c->shell->common);
	const char *colon = strchr(c->word, ':');
	struct gsc_reg reg;

	if (!view)
		return;
	if (colon) {
		offer_after(c, colon);
		return;
	}
	if (*c->word == '@') {
		offer_groups(c);
		return;
	}
	for (int aliases = 0; aliases < 2 && !c->found->count; aliases++)
		for (size_t i = 0; i < gsc_view_count(view); i++) {
			gsc_view_reg(view, i, &reg);
			offer_register(c, &reg, aliases);
		}
	if (strchr(c->word, '.') && !c->found->count)
		offer_fields(c, strrchr(c->word, '.'));
	offer_prefixes(c);
}

/* Commands and structures: too many to list as a whole. */
static void offer_items(struct completion *c)
{
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE,
					       GSC_INSTRUCTION };
	struct common *common = &c->shell->common;
	struct gsc_item item;

	for (size_t k = 0; c->length && k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; gsc_item_at(common->db, kinds[k], i, &item); i++)
			if (!common->gpu || item.platforms >> platform_of(common)->index & 1)
				offer(c, item.name);
}

/* The words of a field's values, after those that are there already. */
static void offer_values(struct completion *c, const char *name, const char *said)
{
	size_t length = strlen(said);
	struct gsc_field_iter it;
	struct gsc_value value;
	struct gsc_field field;
	struct gsc_error err;
	struct target target;
	struct gsc_form form;

	if (!c->shell->common.gpu || target_open(&c->shell->common, name, &target, &err))
		return;
	fields_begin(&c->shell->common, &target.row.reg, &it);
	while (target.has_field && fields_next(&c->shell->common, &it, &field)) {
		if (strcmp(field.name, target.field.name) || field.hi != target.field.hi)
			continue;
		for (size_t i = 0; gsc_field_value(&it, i, &value); i++)
			if (value.name && !strncasecmp(value.name, said, length))
				offer(c, value.name + length);
		gsc_field_form(&it, &form);
		if (!length && form.type && !strcmp(form.type, "bool")) {
			offer(c, "yes");
			offer(c, "no");
		}
	}
	target_close(&target);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void offer_verbs(struct completion *c)
{
	const struct named_list *aliases = &c->shell->aliases;

	for (size_t i = 0; verb_at(i); i++)
		offer(c, verb_at(i)->name);
	for (size_t i = 0; i < aliases->count; i++)
		offer(c, aliases->items[i].name);
}

static void offer_variables(struct completion *c)
{
	const struct named_list *variables = &c->shell->variables;
	char text[256];

	for (size_t i = 0; i < variables->count; i++) {
		snprintf(text, sizeof(text), "$%s", variables->items[i].name);
		offer(c, text);
	}
}

/* What has a value: a register, once a name has begun. */
static void offer_operands(struct completion *c)
{
	if (c->length)
		offer_registers(c);
}

static void offer_devices(struct completion *c)
{
	struct gsc_device *gpus = NULL;
	struct gsc_error ignored;
	size_t count = 0;

	if (gsc_devices(c->shell->common.db, &gpus, &count, &ignored))
		return;
	for (size_t i = 0; i < count; i++)
		offer(c, gpus[i].bdf);
	free(gpus);
}

static void offer_sources(struct completion *c)
{
	static const char *const words[] = { "live", "none",  "bar:", "ggtt:",
					     "mem:", "lmem:", "elf:", "config:", "hang:" };
	struct gsc_demo demo;
	char text[100];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		offer(c, words[i]);
	for (size_t i = 0; gsc_demo_at(i, &demo); i++) {
		snprintf(text, sizeof(text), "demo:%s", demo.name);
		offer(c, text);
	}
	offer_devices(c);
}

static void offer_platforms(struct completion *c)
{
	const struct gsc_db *db = c->shell->common.db;
	struct gsc_platform platform;

	for (unsigned i = 0; i < gsc_platform_count(db) && gsc_platform_at(db, i, &platform); i++)
		offer(c, platform.name);
}

static void offer_engines(struct completion *c)
{
	struct common *common = &c->shell->common;
	unsigned class, instance;
	const char *engine;
	uint32_t base;

	for (size_t i = 0; common->gpu &&
	     (engine = gsc_platform_engine(common->db, platform_of(common)->index, i, &class,
					   &instance, &base)); i++)
		offer(c, engine);
}

static void offer_settings(struct completion *c)
{
	const char *name;
	bool *value;

	for (size_t i = 0; (name = setting_at(c->shell, i, &value)); i++)
		offer(c, name);
}

static void offer_levels(struct completion *c)
{
	const struct gsc_view *view = view_of(&c->shell->common);
	const char *level;

	for (unsigned mode = 0; view && mode < GSC_MODES; mode++)
		for (size_t i = 0; (level = gsc_mode_level(view, (enum gsc_mode)mode, i)); i++)
			offer(c, level);
}

static void offer_pixels(struct completion *c)
{
	const struct gsc_pixel_format *format;

	for (size_t i = 0; (format = gsc_pixel_format_at(i)); i++)
		offer(c, format->name);
}

/* The capitals of option_value() and verb->value; NULL: nothing but files, if anything. */
static const struct kind {
	const char *name;
	void (*offer)(struct completion *c);
	bool files;
} kinds[] = {
	{ "DEFINITIONS", NULL, true },
	{ "DEVICE", offer_devices },
	{ "ENGINE", offer_engines },
	{ "FILE", NULL, true },
	{ "FOLDER", NULL, true },
	{ "ITEM", offer_items },
	{ "LEVEL", offer_levels },
	{ "NONE" },
	{ "PIXELS", offer_pixels },
	{ "PLATFORM", offer_platforms },
	{ "REGISTER", offer_registers },
	{ "SETTING", offer_settings },
	{ "SOURCE", offer_sources, true },
	{ "VERB", offer_verbs },
};

/* "none SOURCE" */
static void offer_value(struct completion *c, const char *value)
{
	char word[64];

	while (value_next(&value, word, sizeof(word))) {
		const struct kind *kind = kinds, *end = kinds + ARRAY_SIZE(kinds);

		while (kind < end && strcmp(kind->name, word))
			kind++;
		if (kind == end)
			offer(c, word);
		else if (kind->offer)
			kind->offer(c);
		c->files |= kind < end && kind->files;
	}
}

/* ---- options -------------------------------------------------------------------------------- */

/* "-m", "--mode", "--mode=" */
static bool is_option(const struct option_row *row, const char *word)
{
	size_t length = strlen(row->name);

	if (word[0] == '-' && word[1] && word[1] == row->letter && !word[2])
		return true;
	return !strncmp(word, "--", 2) && !strncmp(word + 2, row->name, length) &&
	       (!word[2 + length] || !strcmp(word + 2 + length, "="));
}

/* False: the word is neither an option nor an option's value. */
static bool complete_option(struct completion *c, const struct command *command, const char *last)
{
	const struct option_row *row;
	char text[64];

	for (size_t i = 0; (row = option_next(command, &i));)
		if (row->argument && is_option(row, last)) {
			offer_value(c, option_value(row));
			if (takes_number(row))
				offer_operands(c);
			return true;
		}
	if (*c->word != '-')
		return false;
	for (size_t i = 0; (row = option_next(command, &i));) {
		snprintf(text, sizeof(text), "--%s", row->name);
		offer(c, text);
	}
	return true;
}

/* What operands can be after this word, or NULL. */
static const char *value_after(const struct command *command, const char *word)
{
	const struct subcommand *sub = subcommand_find(command, word);
	const struct option_row *row;

	for (size_t i = 0; (row = option_next(command, &i));)
		if (!row->argument && row->value && is_option(row, word))
			return row->value;
	return sub ? sub->value : NULL;
}

static void complete_operand(struct completion *c, const struct verb *verb,
			     const struct words *words)
{
	const struct command *command = verb->command;
	const char *value = verb->before ? value_after(command, verb->before) : NULL, *after;
	bool first = words->count == 1 && !verb->before;

	for (size_t i = 0; first && i < command->subcommand_count; i++)
		offer(c, command->subcommands[i].name);
	for (size_t i = 1; i < words->count; i++) {
		after = value_after(command, words->items[i]);
		value = after ? after : value;
	}
	value = value ? value : command->value;
	if (value)
		offer_value(c, value);
	if (verb->flags & VERB_NUMBERS)
		offer_operands(c);
}

/* ---- where the word stands ------------------------------------------------------------------ */

/* "NAME:FIELD =", with the value to follow. */
static bool offer_assigned(struct completion *c, const char *before)
{
	enum gsc_write_operation operation;
	char *target, *value;
	bool is = assignment_read(before, &target, &operation, &value);

	if (!is)
		return false;
	if (target)
		offer_values(c, target, value ? value : "");
	offer_operands(c);
	free(target);
	free(value);
	return true;
}

/* "print X.FIELD == ": what FIELD is compared with. False: that is no field with names. */
static bool offer_compared(struct completion *c, const struct words *words)
{
	static const char *const comparisons[] = { "==", "!=" };
	const char *last = words->items[words->count - 1];

	if (words->count < 2)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(comparisons); i++)
		if (!strcmp(last, comparisons[i]))
			offer_values(c, words->items[words->count - 2], "");
	return c->found->count;
}

/* "NAME == invalid PDE timeout 1s" */
static void complete_wait_value(struct completion *c, const struct words *words)
{
	char said[200] = "";

	for (size_t i = 2; i < words->count; i++)
		string_addf(said, sizeof(said), "%s ", words->items[i]);
	offer_values(c, words->items[0], said);
}

static void complete_wait(struct completion *c, const struct words *words)
{
	/* The first word is the verb. */
	const struct words rest = { words->items + 1, words->count - 1 };

	if (!rest.count) {
		offer_registers(c);
	} else if (rest.count == 1) {
		offer_value(c, "== != < > &");
	} else if (!strcmp(rest.items[rest.count - 1], "timeout")) {
		offer_value(c, "1s 10s 500ms");
	} else {
		complete_wait_value(c, &rest);
		if (rest.count > 2 && !c->found->count)
			offer_value(c, "timeout");
	}
}

/* A verb's own value has a part for each position: "SETTING, on off"; the last one repeats. */
static void complete_words(struct completion *c, const struct verb *verb,
			   const struct words *words)
{
	const char *value = verb->value ? verb->value : "", *last = words->items[words->count - 1];
	char part[64];

	if (verb->command && complete_option(c, verb->command, last))
		return;
	if (verb->run == from_run && is_platform_option(last))
		value = "PLATFORM";
	for (size_t i = 1; i < words->count && strchr(value, ','); i++)
		value = strchr(value, ',') + 1;
	snprintf(part, sizeof(part), "%.*s", (int)strcspn(value, ","), value);
	if (verb->run == wait_run)
		complete_wait(c, words);
	else if (verb->command && !verb->value)
		complete_operand(c, verb, words);
	else
		offer_value(c, part);
}

/* `before`: the command up to the word. */
static void complete_command(struct completion *c, const char *before)
{
	const struct verb *verb;
	struct gsc_error err;
	struct words words;

	before = inner_command(before);
	if (!strncmp(before, "set ", 4) && *past_word(before) == '$')
		before = past_word(before);
	if (!strncmp(before, "repeat ", 7) && *past_word(before) &&
	    strchr(BLANKS, before[strlen(before) - 1]))
		before = "";
	if (words_split(&words, before, &err)) {
		words_free(&words);
		return;
	}
	if (!words.count) {
		offer_verbs(c);
		if (c->length)
			offer_registers(c);
	} else if (!offer_assigned(c, before)) {
		verb = verb_find(words.items[0], verb_length(words.items[0]));
		if ((verb && verb->run == wait_run) || !offer_compared(c, &words))
			complete_words(c, verb ? verb : verb_read(), &words);
	}
	words_free(&words);
}

/* The file of "> FILE", the command of "| COMMAND". */
static bool is_outlet(const char *before)
{
	const char *at = before + outlet_at(before);

	return *at == '>' ? !at[strspn(at, "> \t")] : *at;
}

void complete(struct shell *shell, const char *line, size_t start, size_t end,
	      struct words *found, bool *files)
{
	struct completion c = { .shell = shell, .found = found };
	char *copy = strndup(line, start), *before = copy, *semicolon, *command;
	struct gsc_error ignored;

	*found = (struct words){ 0 };
	*files = false;
	if (!copy || end - start >= sizeof(c.word)) {
		free(copy);
		return;
	}
	snprintf(c.word, sizeof(c.word), "%.*s", (int)(end - start), line + start);
	c.length = end - start;
	if (start && strchr("\"'", copy[start - 1]))
		copy[start - 1] = 0;
	session_need(shell, &ignored);
	semicolon = strrchr(copy, ';');
	if (semicolon)
		before = semicolon + 1;
	before += strspn(before, BLANKS "-");
	command = alias_expand(shell, before, strlen(before));
	if (*c.word == '$')
		offer_variables(&c);
	else if (is_outlet(before) || *before == '!')
		c.files = true;
	else if (command && !before[outlet_at(before)])
		complete_command(&c, command);
	*files = c.files;
	free(command);
	free(copy);
}
