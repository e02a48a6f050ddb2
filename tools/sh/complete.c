/* SPDX-License-Identifier: MIT */
/* What a word may become: verbs, and from the definitions names, fields and their values. */
#include "sh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BLANKS " \t"

struct completion {
	struct shell *shell;
	struct words *found;
	char word[256];			/* as far as it is there */
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

	for (size_t i = 0; (alias = gsc_reg_alias(c->shell->common.view, reg, i)); i++) {
		snprintf(full, sizeof(full), "%s%s%s", engine, *engine ? "." : "", alias);
		offer(c, full);
	}
}

/*
 * "rcs0." and names alone, until an engine is named; places in arrays, once there is a bracket;
 * names that drivers use, where no other fits.
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
	const struct gsc_view *view = c->shell->common.view;
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
	if (gsc_select(&target->selection, c->shell->common.view, GSC_SELECT_DEFINED, &text, 1,
		       &err))
		return false;
	ok = !gsc_rows_read(&rows, target->selection, NULL, NULL, &err) && gsc_rows_count(rows);
	if (ok)
		gsc_rows_at(rows, 0, &target->row);
	gsc_rows_free(rows);
	return ok;
}

static void offer_fields(struct completion *c, const char *colon)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct target target;
	char text[400];

	if (open_left(c, colon, &target)) {
		fields_begin(c->shell, &target.row.reg, &it);
		while (fields_next(c->shell, &it, &field)) {
			if (field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO))
				continue;
			snprintf(text, sizeof(text), "%.*s:%s", (int)(colon - c->word), c->word,
				 field.name);
			offer(c, text);
		}
	}
	target_close(&target);
}

/* "punit:" before a name; a name alone may also be of a register. */
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
	if (!gsc_select(&selection, c->shell->common.view, 0, &selector, 1, &ignored) &&
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
	const struct gsc_view *view = c->shell->common.view;
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
	offer_prefixes(c);
}

/* Commands and structures, which have definitions to be shown, too. */
static void offer_items(struct completion *c)
{
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE };
	struct common *common = &c->shell->common;
	struct gsc_item item;

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; gsc_item_at(common->db, kinds[k], i, &item); i++)
			if (!common->view || item.platforms >> common->platform.index & 1)
				offer(c, item.name);
}

/* The words of a field's values, behind those that are there already. */
static void offer_values(struct completion *c, const char *name, const char *said)
{
	size_t length = strlen(said);
	struct gsc_field_iter it;
	struct gsc_value value;
	struct gsc_field field;
	struct gsc_error err;
	struct target target;
	struct gsc_form form;

	if (!c->shell->common.view || target_open(c->shell, name, &target, &err))
		return;
	fields_begin(c->shell, &target.row.reg, &it);
	while (target.has_field && fields_next(c->shell, &it, &field)) {
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
	for (size_t i = 0; verb_at(i); i++)
		offer(c, verb_at(i)->name);
}

static void offer_sources(struct completion *c)
{
	static const char *const kinds[] = { "live", "none",  "bar:", "ggtt:",
					     "mem:", "lmem:", "elf:", "config:" };
	struct gsc_gpu *gpus = NULL;
	struct gsc_error err;
	struct gsc_demo demo;
	size_t count = 0;
	char text[100];

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		offer(c, kinds[i]);
	for (size_t i = 0; gsc_demo_at(i, &demo); i++) {
		snprintf(text, sizeof(text), "demo:%s", demo.name);
		offer(c, text);
	}
	if (gsc_gpus(c->shell->common.db, &gpus, &count, &err))
		return;
	for (size_t i = 0; i < count; i++)
		offer(c, gpus[i].bdf);
	free(gpus);
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

	for (size_t i = 0; common->view &&
	     (engine = gsc_platform_engine(common->db, common->platform.index, i, &class,
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

static void offer_list(struct completion *c, const char *const *list)
{
	for (; *list; list++)
		offer(c, *list);
}

/* ---- options -------------------------------------------------------------------------------- */

/* "auto|driver", "ggtt flat 2level" */
static void offer_split(struct completion *c, const char *text, const char *between)
{
	char word[64];

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t length = strcspn(text, between);

		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		offer(c, word);
		text += length;
	}
}

static void offer_levels(struct completion *c)
{
	const char *level;

	for (unsigned mode = 0; c->shell->common.view && mode < GSC_MODES; mode++)
		for (size_t i = 0; (level = gsc_mode_level(c->shell->common.view,
							   (enum gsc_mode)mode, i)); i++)
			offer(c, level);
}

/* Words that an option's help lists: "ggtt flat 2level", "decode a page of memory: hwsp oa" */
static void offer_listed(struct completion *c, const struct option_row *row)
{
	const char *colon = strrchr(row->help, ':');

	offer_split(c, colon ? colon + 1 : row->help, " ");
}

/* What an option is followed by, as --help has it. */
static void offer_argument(struct completion *c, const struct option_row *row, bool *files)
{
	const char *argument = row->argument;

	if (row->kind == OPTION_CHOICE)
		offer_split(c, argument, "|");
	else if (!strcmp(argument, "MODE") || !strcmp(argument, "KIND"))
		offer_listed(c, row);
	else if (!strcmp(argument, "LEVEL"))
		offer_levels(c);
	else if (!strcmp(argument, "P"))
		offer_platforms(c);
	else if (!strcmp(argument, "REG"))
		offer_registers(c);
	else if (!strcmp(row->name, "engine"))
		offer_engines(c);
	else if (!strcmp(argument, "SOURCE"))
		offer_sources(c);
	*files = !strcmp(argument, "SOURCE") || !strcmp(argument, "FILE") ||
		 !strcmp(argument, "DIR");
}

/* "-m", "--mode", "--mode=" */
static bool is_option(const struct option_row *row, const char *word)
{
	size_t length = strlen(row->name);

	if (word[0] == '-' && word[1] && word[1] == row->letter && !word[2])
		return true;
	return !strncmp(word, "--", 2) && !strncmp(word + 2, row->name, length) &&
	       (!word[2 + length] || !strcmp(word + 2 + length, "="));
}

/* False: the word is neither an option nor what belongs to one. */
static bool complete_option(struct completion *c, const struct command *command, const char *last,
			    bool *files)
{
	const struct option_row *row;
	char text[64];

	for (size_t i = 0; (row = option_at(command, i)); i++)
		if (row->argument && is_option(row, last)) {
			offer_argument(c, row, files);
			return true;
		}
	if (*c->word != '-')
		return false;
	for (size_t i = 0; (row = option_at(command, i)); i++) {
		snprintf(text, sizeof(text), "--%s", row->name);
		offer(c, text);
	}
	return true;
}

/* ---- where the word stands ------------------------------------------------------------------ */

/* "NAME:FIELD =", with the value to come. */
static bool assigns(struct completion *c, const char *before)
{
	enum gsc_write_operation operation;
	char *target, *value;
	bool is = assignment_read(before, &target, &operation, &value);

	if (!is)
		return false;
	if (target)
		offer_values(c, target, value ? value : "");
	free(target);
	free(value);
	return true;
}

/* "NAME == invalid PDE timeout 1s" */
static void complete_wait_value(struct completion *c, const struct words *words)
{
	char said[200] = "";

	for (size_t i = 2, used = 0; i < words->count && used < sizeof(said); i++)
		used += (size_t)snprintf(said + used, sizeof(said) - used, "%s ",
					 words->items[i]);
	offer_values(c, words->items[0], said);
}

static void complete_wait(struct completion *c, const struct words *words)
{
	static const char *const comparisons[] = { "==", "!=", "<", ">", "&", NULL };
	static const char *const timeout[] = { "timeout", NULL };
	static const char *const times[] = { "1s", "10s", "500ms", NULL };
	/* The first word is the verb. */
	const struct words rest = { words->items + 1, words->count - 1 };

	if (!rest.count) {
		offer_registers(c);
	} else if (rest.count == 1) {
		offer_list(c, comparisons);
	} else if (!strcmp(rest.items[rest.count - 1], "timeout")) {
		offer_list(c, times);
	} else {
		complete_wait_value(c, &rest);
		if (rest.count > 2 && !c->found->count)
			offer_list(c, timeout);
	}
}

static void complete_words(struct completion *c, const struct verb *verb,
			   const struct words *words, bool *files)
{
	static const char *const parts[] = { "list", "show", "which", "stats", "export", "check",
					     NULL };
	static const char *const snaps[] = { "save", "info", NULL };
	static const char *const saves[] = { "save", NULL };
	static const char *const reverts[] = { "--revert", NULL };
	static const char *const all[] = { "all", NULL };
	static const char *const states[] = { "on", "off", NULL };
	const char *last = words->items[words->count - 1];
	bool first = words->count == 1;

	if (verb->command && complete_option(c, verb->command, last, files))
		return;
	if (!strcmp(last, "-p") || !strcmp(last, "--platform"))
		offer_platforms(c);
	else if (verb->run == wait_run)
		complete_wait(c, words);
	else if (verb->run == undo_run)
		offer_list(c, all);
	else if (first && verb->command == &snap_command)
		offer_list(c, snaps);
	else if (first && verb->run == journal_run)
		offer_list(c, saves);
	else if (verb->run == journal_run && *c->word == '-')
		offer_list(c, reverts);
	else if (first && verb->command == &db_command && !verb->before)
		offer_list(c, parts);
	else if (verb->flags & VERB_SETTINGS && !first)
		offer_list(c, states);
	else if (verb->flags & VERB_SETTINGS)
		offer_settings(c);
	else if (verb->flags & VERB_REGISTERS)
		offer_registers(c);
	else if (verb->flags & VERB_SOURCES)
		offer_sources(c);
	else if (verb->flags & VERB_PLATFORMS)
		offer_platforms(c);
	else if (verb->flags & VERB_VERBS)
		offer_verbs(c);
	if (verb->command == &db_command && c->length && !(first && !verb->before))
		offer_items(c);
	*files = verb->flags & (VERB_SOURCES | VERB_FILES);
}

/* `before`: the command as far as it stands before the word. */
static void complete_command(struct completion *c, const char *before, bool *files)
{
	const struct verb *verb;
	struct gsc_error err;
	struct words words;

	while (!strncmp(before, "repeat ", 7) && *past_word(past_word(before)))
		before = past_word(past_word(before));
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
	} else if (!assigns(c, before)) {
		verb = verb_find(words.items[0], strlen(words.items[0]));
		complete_words(c, verb ? verb : verb_read(), &words, files);
	}
	words_free(&words);
}

/* The file of "> FILE". */
static bool is_outlet(const char *before)
{
	const char *last = before + strlen(before);

	while (last > before && strchr(BLANKS, last[-1]))
		last--;
	return last > before && last[-1] == '>' && strncmp(before, "wait ", 5);
}

void complete(struct shell *shell, const char *line, size_t start, size_t end,
	      struct words *found, bool *files)
{
	struct completion c = { .shell = shell, .found = found };
	char *copy = strndup(line, start), *before = copy, *semicolon;
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
	if (is_outlet(before) || *before == '!')
		*files = true;
	else if (!strchr(before, '|') || strstr(before, "|="))
		complete_command(&c, before, files);
	free(copy);
}
