/* SPDX-License-Identifier: MIT */
/* Finding things: fields by list and ?, and apropos. */
#include "sh.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 4			/* registers that have a field, shown in full */

static enum gsc_status select_one(struct shell *shell, const char *text,
				  struct gsc_selection **selection, struct gsc_error *err)
{
	return gsc_select(selection, shell->common.gpu, GSC_SELECT_DEFINED, &text, 1, err);
}

static bool means(struct shell *shell, const char *text)
{
	struct gsc_selection *selection;
	struct gsc_error ignored;
	bool does = !select_one(shell, text, &selection, &ignored);

	gsc_selection_free(selection);
	return does;
}

/* ---- list ----------------------------------------------------------------------------------- */

static bool add(struct words *words, const char *text)
{
	return words_add(words, text, strlen(text));
}

/* "*STOP*" is also "*:*STOP*"; each of them only if it means something. */
static bool add_pattern(struct shell *shell, struct words *made, const char *word)
{
	char fields[256] = "*:";

	if (*word == '-' || !strpbrk(word, "*?") || strpbrk(word, ":@.[") || !strcmp(word, "*") ||
	    strlen(word) >= sizeof(fields) - 2)
		return add(made, word);
	strcat(fields, word);
	if (!means(shell, fields))
		return add(made, word);
	return (!means(shell, word) || add(made, word)) && add(made, fields);
}

enum gsc_status list_words(struct shell *shell, const struct verb *verb, struct words *words,
			   struct gsc_error *err)
{
	struct words made = { 0 };
	bool ok = true;

	(void)verb;
	if (session_need(shell, err))
		return GSC_OK;		/* the command says why */
	for (size_t i = 0; ok && i < words->count; i++)
		ok = add_pattern(shell, &made, words->items[i]);
	words_free(words);
	*words = made;
	return ok ? GSC_OK : err_memory(err);
}

/* ---- ? -------------------------------------------------------------------------------------- */

static bool is_item(const struct shell *shell, const char *word)
{
	static const enum gsc_kind kinds[] = { GSC_COMMAND, GSC_STRUCTURE, GSC_ENTRY,
					       GSC_INSTRUCTION };
	struct gsc_item item;

	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; gsc_item_at(shell->common.db, kinds[k], i, &item); i++)
			if (!fnmatch(word, item.name, FNM_CASEFOLD))
				return true;
	return false;
}

/* The registers of a selection by their names, each definition once. */
static enum gsc_status add_names(struct words *made, const char *word,
				 const struct gsc_selection *selection, struct gsc_error *err)
{
	size_t shown = 0, before;
	struct gsc_rows *rows;
	struct gsc_row row, other;
	enum gsc_status status = gsc_rows_read(&rows, selection, NULL, NULL, err);
	char why[160];

	for (size_t i = 0; !status && i < gsc_rows_count(rows); i++) {
		gsc_rows_at(rows, i, &row);
		for (before = 0; before < i; before++) {
			gsc_rows_at(rows, before, &other);
			if (other.reg.def == row.reg.def)
				break;
		}
		if (before < i || !row.reg.name)
			continue;
		if (shown < SHOWN_MAX && !add(made, row.reg.name))
			status = err_memory(err);
		shown++;
	}
	gsc_rows_free(rows);
	if (status || shown <= SHOWN_MAX)
		return status;
	snprintf(why, sizeof(why), "a field of %zu registers; these show them: list *:%.60s",
		 shown, word);
	return usage_error(err, word, "%s", why);
}

static enum gsc_status show_word(struct shell *shell, struct words *made, const char *word,
				 struct gsc_error *err)
{
	struct gsc_selection *selection = NULL;
	struct gsc_error ignored;
	enum gsc_status status = GSC_OK;
	char field[256];

	if (*word == '-' || *word == '@' || isdigit((unsigned char)*word) ||
	    is_item(shell, word) || means(shell, word) ||
	    (size_t)snprintf(field, sizeof(field), "*:%s", word) >= sizeof(field) ||
	    select_one(shell, field, &selection, &ignored))
		status = add(made, word) ? GSC_OK : err_memory(err);
	else
		status = add_names(made, word, selection, err);
	gsc_selection_free(selection);
	return status;
}

enum gsc_status show_words(struct shell *shell, const struct verb *verb, struct words *words,
			   struct gsc_error *err)
{
	struct words made = { 0 };
	enum gsc_status status = GSC_OK;

	(void)verb;
	if (session_need(shell, err))
		return GSC_OK;
	for (size_t i = 0; !status && i < words->count; i++)
		status = show_word(shell, &made, words->items[i], err);
	words_free(words);
	*words = made;
	return status;
}

/* ---- apropos -------------------------------------------------------------------------------- */

static bool has(const char *text, const char *word)
{
	return text && strcasestr(text, word);
}

struct search {
	struct shell *shell;
	const char *word;
	struct words shown;		/* a register may have several definitions */
};

static bool is_shown(struct search *s, const char *name)
{
	for (size_t i = 0; i < s->shown.count; i++)
		if (!strcmp(s->shown.items[i], name))
			return true;
	add(&s->shown, name);
	return false;
}

/* "MI_MODE:STOP_RINGS  doc"; false: that was shown already. */
static bool put_match(struct search *s, const char *name, const char *field, const char *doc)
{
	struct gsc_out *out = s->shell->common.out;
	char full[256];

	snprintf(full, sizeof(full), "%s%s%s", name, *field ? ":" : "", field);
	if (is_shown(s, full))
		return false;
	gsc_out_text(out, full);
	gsc_out_pad(out, 34);
	gsc_out_format(out, "%.*s", (int)strcspn(doc ? doc : "", "\n"), doc ? doc : "");
	gsc_out_end(out);
	return true;
}

static size_t search_item(struct search *search, const struct gsc_item *item)
{
	static const uint32_t words[GSC_ENTRY_WORDS];
	const struct common *common = &search->shell->common;
	const char *word = search->word;
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t found = has(item->name, word) || has(item->doc, word);

	if (found)
		put_match(search, item->name, "", item->doc);
	gsc_item_fields(common->db, NULL, item, words, ARRAY_SIZE(words), &it);
	while (fields_next(&search->shell->common, &it, &field))
		if (!(field.flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO)) &&
		    (has(field.name, word) || has(field.doc, word)))
			found += put_match(search, item->name, field.name, field.doc);
	return found;
}

static size_t search_verbs(struct search *search)
{
	const struct verb *verb;
	size_t found = 0;

	for (size_t i = 0; (verb = verb_at(i)); i++)
		if (verb->help && (has(verb->name, search->word) ||
				   has(verb->help, search->word)))
			found += put_match(search, verb->name, "", verb->help);
	return found;
}

enum gsc_status apropos_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	static const enum gsc_kind kinds[] = { GSC_REGISTER, GSC_COMMAND, GSC_STRUCTURE };
	struct common *common = &shell->common;
	struct words words;
	struct gsc_item item;
	enum gsc_status status = words_split(&words, rest, err);
	const char *word = words.count ? words.items[0] : "";
	struct search search = { .shell = shell, .word = word };
	size_t found = 0;

	if (!status && (words.count != 1 || strlen(word) < 2))
		status = usage_error(err, "apropos", "expected one word of two letters or more");
	if (!status)
		status = session_need(shell, err);
	if (!status)
		found = search_verbs(&search);
	for (size_t k = 0; !status && k < ARRAY_SIZE(kinds); k++)
		for (size_t i = 0; !signal_seen() && gsc_item_at(common->db, kinds[k], i, &item);
		     i++)
			if (gsc_view_sees(view_of(common), item.platforms, &item.revisions))
				found += search_item(&search, &item);
	if (!status && !found) {
		*err = (struct gsc_error){ .status = GSC_UNKNOWN };
		snprintf(err->what, sizeof(err->what), "%.100s", word);
		snprintf(err->why, sizeof(err->why), "in no name or description on %s",
			 platform_of(common)->name);
		status = GSC_UNKNOWN;
	}
	words_free(&search.shown);
	words_free(&words);
	return status;
}
