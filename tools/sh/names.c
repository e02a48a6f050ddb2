/* SPDX-License-Identifier: MIT */
/* Variables, the arguments of scripts, aliases; and lines that contain them. */
#include "sh.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define NESTING_MAX 16
#define LINE_MAX_BYTES (1u << 20)

/* ---- a list of names ------------------------------------------------------------------------ */

size_t name_size(const char *text)
{
	size_t length = 0;

	if (!isalpha((unsigned char)*text) && *text != '_')
		return 0;
	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

static struct named *find(const struct named_list *list, const char *name, size_t length)
{
	for (size_t i = 0; i < list->count; i++)
		if (strlen(list->items[i].name) == length &&
		    !memcmp(list->items[i].name, name, length))
			return &list->items[i];
	return NULL;
}

/* Takes the text, which may be NULL. */
static bool define(struct named_list *list, const char *name, size_t length, uint64_t value,
		   char *text)
{
	struct named *named = find(list, name, length), *grown;

	if (!named) {
		grown = realloc(list->items, (list->count + 1) * sizeof(*grown));
		if (!grown)
			return false;
		list->items = grown;
		named = &grown[list->count];
		*named = (struct named){ .name = strndup(name, length) };
		if (!named->name)
			return false;
		list->count++;
	}
	free(named->text);
	named->text = text;
	named->value = value;
	return true;
}

static void undefine(struct named_list *list, struct named *named)
{
	free(named->name);
	free(named->text);
	*named = list->items[--list->count];
}

void named_free(struct named_list *list)
{
	while (list->count)
		undefine(list, &list->items[0]);
	free(list->items);
}

/* ---- $NAME, $1, $(EXPRESSION) --------------------------------------------------------------- */

struct expansion {
	struct shell *shell;
	char *text;
	size_t size, room;
	unsigned depth;
	bool quoted;			/* between " */
	struct gsc_error *err;
};

static enum gsc_status put(struct expansion *x, const char *text, size_t length)
{
	char *grown;

	if (length > LINE_MAX_BYTES - x->size)
		return usage_error(x->err, "$", "the expanded line is longer than 1 MB");
	if (x->size + length >= x->room) {
		grown = realloc(x->text, 2 * (x->size + length) + 64);
		if (!grown)
			return err_memory(x->err);
		x->text = grown;
		x->room = 2 * (x->size + length) + 64;
	}
	memcpy(x->text + x->size, text, length);
	x->size += length;
	x->text[x->size] = 0;
	return GSC_OK;
}

static enum gsc_status put_number(struct expansion *x, uint64_t value)
{
	char text[32];

	return put(x, text, (size_t)snprintf(text, sizeof(text), "0x%llx",
					     (unsigned long long)value));
}

/* Its value stays one word, and is no command. */
static enum gsc_status put_quoted(struct expansion *x, const char *text)
{
	enum gsc_status status = *text || x->quoted ? GSC_OK : put(x, "''", 2);

	for (; !status && *text; text++) {
		if (x->quoted ? strchr("\"\\", *text) != NULL
			      : !isalnum((unsigned char)*text) && !strchr("_./:@=,+-[]", *text))
			status = put(x, "\\", 1);
		if (!status)
			status = put(x, text, 1);
	}
	return status;
}

/* "$1" */
static enum gsc_status put_argument(struct expansion *x, const char *digits, size_t length)
{
	const struct strings *arguments = &x->shell->arguments;
	char what[16], why[80];
	uint64_t number = 0;

	snprintf(what, sizeof(what), "%.*s", (int)length, digits);
	if (gsc_parse_number(what, &number) && number && number <= arguments->count)
		return put_quoted(x, arguments->items[number - 1]);
	snprintf(what, sizeof(what), "$%.*s", (int)(length < 8 ? length : 8), digits);
	snprintf(why, sizeof(why), "the script was given %zu argument%s", arguments->count,
		 arguments->count == 1 ? "" : "s");
	return usage_error(x->err, what, "%s", why);
}

static enum gsc_status put_variable(struct expansion *x, const char *name, size_t length)
{
	const struct named *named = find(&x->shell->variables, name, length);
	char what[80];

	if (named)
		return put_number(x, named->value);
	snprintf(what, sizeof(what), "$%.*s", (int)(length < 70 ? length : 70), name);
	return usage_error(x->err, what, "no such variable; quote a $ with '");
}

static enum gsc_status expand_into(struct expansion *x, const char *text);

/* "$(EXPRESSION)"; *end is past it. */
static enum gsc_status put_expression(struct expansion *x, const char *text, const char **end)
{
	struct expansion inner = { .shell = x->shell, .depth = x->depth + 1, .err = x->err };
	enum gsc_status status;
	uint64_t value = 0;
	char *copy;

	*end = past_piece(text + 1);
	if (!*end || (*end)[-1] != ')' || *end == text + 2)
		return usage_error(x->err, "$(", "expected an expression and a )");
	if (inner.depth > NESTING_MAX)
		return usage_error(x->err, "$(", "nested too deeply");
	copy = strndup(text + 2, (size_t)(*end - text) - 3);
	status = copy ? expand_into(&inner, copy) : err_memory(x->err);
	if (!status)
		status = value_of(x->shell, inner.text, &value, x->err);
	free(inner.text);
	free(copy);
	return status ? status : put_number(x, value);
}

/* What follows a $; *end is past it. */
static enum gsc_status put_dollar(struct expansion *x, const char *text, const char **end)
{
	size_t length = strspn(text + 1, "0123456789");

	*end = text + 1 + length;
	if (length)
		return put_argument(x, text + 1, length);
	*end = text + 2;
	if (text[1] == '(')
		return put_expression(x, text, end);
	if (text[1] == '#')
		return put_number(x, x->shell->arguments.count);
	if (text[1] == '?')
		return put_number(x, x->shell->last);
	length = name_size(text + 1);
	*end = text + 1 + length;
	return length ? put_variable(x, text + 1, length) : put(x, text, 1);
}

static enum gsc_status expand_into(struct expansion *x, const char *text)
{
	enum gsc_status status = put(x, "", 0);

	while (!status && *text) {
		const char *end = text + 1;

		if (*text == '\\' && text[1])
			end = text + 2;
		else if (*text == '\'' && !x->quoted && strchr(end, '\''))
			end = strchr(end, '\'') + 1;
		if (*text == '$') {
			status = put_dollar(x, text, &end);
		} else {
			x->quoted ^= *text == '"';
			status = put(x, text, (size_t)(end - text));
		}
		text = end;
	}
	return status;
}

enum gsc_status expand(struct shell *shell, const char *text, char **expanded,
		       struct gsc_error *err)
{
	struct expansion x = { .shell = shell, .err = err };
	enum gsc_status status = expand_into(&x, text);

	*expanded = x.text;
	return status;
}

/* ---- variables ------------------------------------------------------------------------------ */

enum gsc_status expanded_value(struct shell *shell, const char *text, uint64_t *value,
			       struct gsc_error *err)
{
	char *expanded = NULL;
	enum gsc_status status = expand(shell, text, &expanded, err);

	if (!status)
		status = value_of(shell, expanded, value, err);
	free(expanded);
	return status;
}

static uint64_t operated(enum gsc_write_operation operation, uint64_t old, uint64_t value)
{
	switch (operation) {
	case GSC_WRITE_OR:
		return old | value;
	case GSC_WRITE_AND:
		return old & value;
	case GSC_WRITE_XOR:
		return old ^ value;
	default:
		return value;
	}
}

enum gsc_status variable_set(struct shell *shell, const char *target,
			     enum gsc_write_operation operation, const char *text,
			     struct gsc_error *err)
{
	const struct named *old = find(&shell->variables, target + 1, strlen(target + 1));
	enum gsc_status status = GSC_OK;
	uint64_t value;

	if (!old && operation != GSC_WRITE_SET)
		status = usage_error(err, target, "no such variable");
	if (!status)
		status = expanded_value(shell, text, &value, err);
	if (!status && !define(&shell->variables, target + 1, strlen(target + 1),
			       operated(operation, old ? old->value : 0, value), NULL))
		status = err_memory(err);
	return status;
}

/* ---- aliases -------------------------------------------------------------------------------- */

static const char *alias_text(const struct shell *shell, const char *name, size_t length)
{
	const struct named *named = find(&shell->aliases, name, length);

	return named ? named->text : NULL;
}

static void show_alias(struct shell *shell, const struct named *named)
{
	gsc_out_format(shell->common.out, "alias %s = %s", named->name, named->text);
	gsc_out_end(shell->common.out);
}

/* "alias w=walk", "alias w = walk -q", "alias w='walk -q'" */
static enum gsc_status define_alias(struct shell *shell, const char *name, size_t length,
				    const char *text, struct gsc_error *err)
{
	size_t size = strlen(text);
	char *copy;

	if (size > 1 && strchr("'\"", *text) && past_piece(text) == text + size) {
		text++;
		size -= 2;
	}
	if (verb_find(name, length))
		return usage_error(err, "alias", "is already a verb");
	if (!size || memchr(text, ';', size))
		return usage_error(err, "alias", "an alias is the beginning of one command");
	copy = strndup(text, size);
	if (copy && define(&shell->aliases, name, length, 0, copy))
		return GSC_OK;
	free(copy);
	return err_memory(err);
}

enum gsc_status alias_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	size_t length = name_size(rest);
	const char *after = rest + length + strspn(rest + length, BLANKS);
	const struct named *named;

	for (size_t i = 0; !*rest && i < shell->aliases.count; i++)
		show_alias(shell, &shell->aliases.items[i]);
	if (!*rest)
		return GSC_OK;
	if (length && *after == '=')
		return define_alias(shell, rest, length, after + 1 + strspn(after + 1, BLANKS),
				    err);
	named = find(&shell->aliases, rest, length);
	if (!length || *after)
		return usage_error(err, "alias", "expected NAME = COMMAND");
	if (!named)
		return usage_error(err, rest, "no such alias");
	show_alias(shell, named);
	return GSC_OK;
}

enum gsc_status unalias_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct named *named = find(&shell->aliases, rest, strlen(rest));

	if (!named)
		return usage_error(err, *rest ? rest : "unalias", "no such alias");
	undefine(&shell->aliases, named);
	return GSC_OK;
}

/*
 * A copy of a command with the meaning of its first word; each alias once, so that "alias walk2 =
 * walk2 -q" ends. NULL: memory is out.
 */
char *alias_expand(const struct shell *shell, const char *text, size_t length)
{
	char *copy = strndup(text, length), *made;
	const char *before[NESTING_MAX];
	size_t count = 0;

	while (copy && count < NESTING_MAX) {
		size_t start = strspn(copy, BLANKS "\r-"), size = name_size(copy + start);
		const char *stands = alias_text(shell, copy + start, size);
		bool again = copy[start + size] && !strchr(BLANKS "/;|>\r", copy[start + size]);

		for (size_t i = 0; i < count; i++)
			again |= before[i] == stands;
		if (!size || !stands || again)
			break;
		before[count++] = stands;
		if (asprintf(&made, "%.*s%s%s", (int)start, copy, stands, copy + start + size) < 0)
			made = NULL;
		free(copy);
		copy = made;
	}
	return copy;
}
