/* SPDX-License-Identifier: MIT */
/* Completion: what the word at the cursor can become. */
#include "sh.h"

#include "cli/text.h"
#include "device/device.h"
#include "formats/demo.h"
#include "tile/tile.h"

#include <strings.h>

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

static void offer_text(struct completion *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void offer_text(struct completion *c, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	offer(c, text);
}

/* ---- registers ------------------------------------------------------------------------------ */

/*
 * "rcs0." and names alone, until an engine is named; array indexes, once there is a bracket;
 * drivers' names, if no other fits.
 */
static void offer_register(struct completion *c, const struct gsc_reg *reg, bool aliases)
{
	const char *engine = reg->engine && strchr(c->word, '.') ? reg->engine : "";
	const char *dot = *engine ? "." : "", *alias;

	for (size_t i = 0; aliases && (alias = gsc_reg_alias(view_of(&c->shell->common), reg, i));
	     i++)
		offer_text(c, "%s%s%s", engine, dot, alias);
	if (aliases)
		return;
	if (reg->engine && !*engine && c->length)
		offer_text(c, "%s.", reg->engine);
	if (strchr(c->word, '[') && reg->index >= 0)
		offer_text(c, "%s%s%s[%d]", engine, dot, reg->name, reg->index);
	else
		offer_text(c, "%s%s%s", engine, dot, reg->name);
}

/* After "rcs0.MI_MODE:". */
static void offer_fields(struct completion *c, const char *colon)
{
	struct common *common = &c->shell->common;
	struct gsc_selection *selection = NULL;
	struct gsc_rows *rows = NULL;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_error ignored;
	struct gsc_row row;
	char name[256];
	const char *selector = name;

	string_set(name, "%.*s", (int)(colon - c->word), c->word);
	if (!gsc_select(&selection, common->gpu, GSC_SELECT_DEFINED, &selector, 1, &ignored) &&
	    !gsc_rows_read(&rows, selection, NULL, NULL, &ignored) && gsc_rows_count(rows)) {
		gsc_rows_at(rows, 0, &row);
		definition_fields(view_of(common), &row.reg, &it);
		while (definition_next(view_of(common), &it, &field))
			if (!(field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO)))
				offer_text(c, "%s:%s", name, field.name);
	}
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

static void offer_registers(struct completion *c)
{
	const struct gsc_view *view = view_of(&c->shell->common);
	const char *colon = strchr(c->word, ':'), *next = colon, *prefix, *group = NULL;
	struct gsc_reg reg;

	if (!view)
		return;
	for (size_t i = 0; colon && (prefix = gsc_prefix_at(i)); i++)
		if (strlen(prefix) == (size_t)(colon - c->word) &&
		    !strncasecmp(prefix, c->word, strlen(prefix)))
			next = strchr(colon + 1, ':');
	if (next)
		offer_fields(c, next);
	else if (colon) {
		char all[64], name[200];
		const char *selector = all;
		struct gsc_selection *selection = NULL;
		struct gsc_rows *rows = NULL;
		struct gsc_error ignored;
		struct gsc_row row;

		/* The registers that are reached by a prefix. */
		string_set(all, "%.*s:*", (int)(colon - c->word), c->word);
		if (!gsc_select(&selection, c->shell->common.gpu, 0, &selector, 1, &ignored) &&
		    !gsc_rows_read(&rows, selection, NULL, NULL, &ignored)) {
			for (size_t i = 0; i < gsc_rows_count(rows); i++) {
				gsc_rows_at(rows, i, &row);
				gsc_reg_full_name(&row.reg, name, sizeof(name));
				offer_text(c, "%.*s:%s", (int)(colon - c->word), c->word, name);
			}
		}
		gsc_rows_free(rows);
		gsc_selection_free(selection);
	}
	if (colon)
		return;
	for (size_t i = 0; *c->word == '@' && i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		if (reg.group && reg.group != group)
			offer_text(c, "@%s", reg.group);
		group = reg.group ? reg.group : group;
	}
	if (*c->word == '@')
		return;
	for (int aliases = 0; aliases < 2 && !c->found->count; aliases++)
		for (size_t i = 0; i < gsc_view_count(view); i++) {
			gsc_view_reg(view, i, &reg);
			offer_register(c, &reg, aliases);
		}
	/* "punit:" before a name; a name alone may also be a register. */
	for (size_t i = 0; c->length && (prefix = gsc_prefix_at(i)); i++)
		offer_text(c, "%s:", prefix);
}

/* Commands and structures: too many to list as a whole. */
static void offer_items(struct completion *c)
{
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE, GSC_INSTRUCTION,
					       GSC_WORKAROUND };
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
	struct common *common = &c->shell->common;
	struct gsc_field_iter it;
	struct gsc_value value;
	struct gsc_error err;
	struct target target;

	if (!common->gpu || target_open(common, name, &target, &err))
		return;
	definition_fields(view_of(common), &target.row.reg, &it);
	while (target_next(common, &target, &it)) {
		for (size_t i = 0; gsc_field_value(&it, i, &value); i++)
			if (value.name && !strncasecmp(value.name, said, length))
				offer(c, value.name + length);
		if (!length && field_is_bool(&it)) {
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

static void offer_devices(struct completion *c)
{
	struct gsc_device *gpus = NULL;
	struct gsc_error ignored;
	size_t count = 0;

	if (!gsc_devices(c->shell->common.db, &gpus, &count, &ignored))
		for (size_t i = 0; i < count; i++)
			offer(c, gpus[i].bdf);
	free(gpus);
}

static void offer_sources(struct completion *c)
{
	static const char *const words[] = { "live", "none",  "bar:", "ggtt:",
					     "mem:", "lmem:", "elf:", "config:", "guc-capture:",
					     "hang:" };
	struct gsc_demo demo;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		offer(c, words[i]);
	for (size_t i = 0; gsc_demo_at(i, &demo); i++)
		offer_text(c, "demo:%s", demo.name);
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
	const char *engine;

	for (size_t i = 0; common->gpu && (engine = gsc_platform_engine(
			   common->db, platform_of(common)->index, i, NULL)); i++)
		offer(c, engine);
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

	for (size_t i = 0; (row = option_next(command, &i));)
		if (row->argument && is_option(row, last)) {
			offer_value(c, option_value(row));
			return true;
		}
	if (*c->word != '-')
		return false;
	for (size_t i = 0; (row = option_next(command, &i));)
		offer_text(c, "--%s", row->name);
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

/* ---- where the word stands ------------------------------------------------------------------ */

/* A verb's own value has a part for each position: "PLATFORM, on off"; the last one repeats. */
static void complete_words(struct completion *c, const struct verb *verb, const struct words *words)
{
	const char *value = verb->value ? verb->value : "", *last = words->items[words->count - 1];
	const struct command *command = verb->command;
	char part[64];

	if (command && complete_option(c, command, last))
		return;
	if (verb->run == from_run && is_platform_option(last))
		value = "PLATFORM";
	for (size_t i = 1; i < words->count && strchr(value, ','); i++)
		value = strchr(value, ',') + 1;
	string_set(part, "%.*s", (int)strcspn(value, ","), value);
	if (verb_waits(verb)) {
		char said[200] = "";

		/* "wait NAME == invalid PDE timeout 1s" */
		if (words->count == 1) {
			offer_registers(c);
		} else if (words->count == 2) {
			offer_value(c, "== != < > &");
		} else if (!strcmp(words->items[words->count - 1], "timeout")) {
			offer_value(c, "1s 10s 500ms");
		} else {
			for (size_t i = 3; i < words->count; i++)
				string_add(said, "%s ", words->items[i]);
			offer_values(c, words->items[1], said);
			if (words->count > 3 && !c->found->count)
				offer_value(c, "timeout");
		}
	} else if (!command || verb->value) {
		offer_value(c, part);
	} else {
		/* As the command says, or the last of its options or subcommands that does. */
		value = verb->before ? value_after(command, verb->before) : NULL;
		for (size_t i = 0; words->count == 1 && !verb->before &&
		     i < command->subcommand_count; i++)
			offer(c, command->subcommands[i].name);
		for (size_t i = 1; i < words->count; i++)
			value = value_after(command, words->items[i]) ?: value;
		offer_value(c, value ?: command->value ?: "");
	}
}

void complete(struct shell *shell, const char *line, size_t start, size_t end,
	      struct words *found, bool *files)
{
	struct completion c = { .shell = shell, .found = found };
	char *copy = strndup(line, start), name[256];
	const char *before = copy, *inner, *outlet, *value;
	enum gsc_write_operation operation;
	const struct verb *verb;
	struct gsc_error ignored;
	struct words words = { 0 };
	size_t length;

	*found = (struct words){ 0 };
	*files = false;
	if (!copy || end - start >= sizeof(c.word)) {
		free(copy);
		return;
	}
	string_set(c.word, "%.*s", (int)(end - start), line + start);
	c.length = end - start;
	if (start && strchr("\"'", copy[start - 1]))
		copy[start - 1] = 0;
	session_need(shell, &ignored);
	if (strrchr(copy, ';'))
		before = strrchr(copy, ';') + 1;
	before += strspn(before, BLANKS "-");
	inner = inner_command(before);
	outlet = outlet_find(before);
	/* The file of "> FILE", the command of "| COMMAND". */
	if (*outlet == '>' ? !outlet[strspn(outlet, "> \t")] : *outlet || *before == '!') {
		c.files = true;
	} else if (!*outlet && assigns(inner, &length, &operation, &value)) {
		string_set(name, "%.*s", (int)MIN(length, sizeof(name) - 1), inner);
		offer_values(&c, name, value);
	} else if (!*outlet && !words_split(&words, inner, &ignored) && !words.count) {
		offer_verbs(&c);
		if (c.length)
			offer_registers(&c);
	} else if (words.count) {
		verb = verb_find(words.items[0], verb_length(words.items[0]));
		complete_words(&c, verb ? verb : verb_read(), &words);
	}
	words_free(&words);
	*files = c.files;
	free(copy);
}
