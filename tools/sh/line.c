/* SPDX-License-Identifier: MIT */
/* Lines and words: quotes as in sh, and nothing else from there. */
#include "sh.h"

/* ---- words ---------------------------------------------------------------------------------- */

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct words){ 0 };
}

bool words_add(struct words *words, const char *text, size_t length)
{
	char **grown = realloc(words->items, (words->count + 2) * sizeof(*grown));

	if (!grown)
		return false;
	words->items = grown;
	grown[words->count] = strndup(text, length);
	if (!grown[words->count])
		return false;
	grown[++words->count] = NULL;
	return true;
}

/* Past a quoted stretch or a plain character; NULL: the quote has no end. */
static const char *past_piece(const char *p)
{
	char quote = *p;

	if (quote == '\\')
		return p[1] ? p + 2 : p + 1;
	if (quote != '\'' && quote != '"')
		return p + 1;
	for (p++; *p && *p != quote; p++)
		if (quote == '"' && *p == '\\' && p[1])
			p++;
	return *p ? p + 1 : NULL;
}

enum gsc_status words_split(struct words *words, const char *text, struct gsc_error *err)
{
	char *word = malloc(strlen(text) + 1), *to;
	bool ok = word;

	*words = (struct words){ 0 };
	for (text += strspn(text, BLANKS); ok && *text; text += strspn(text, BLANKS)) {
		for (to = word; *text && !strchr(BLANKS, *text);) {
			const char *end = past_piece(text), quote = *text;

			if (!end) {
				free(word);
				return usage_error(err, text, "a quote without an end");
			}
			/* The piece without its quotes. */
			if (strchr("\\'\"", quote)) {
				text++;
				end -= quote != '\\';
			}
			for (; text < end; text++) {
				if (quote == '"' && *text == '\\' && strchr("\"\\", text[1]))
					text++;
				*to++ = *text;
			}
			text = end + (quote == '\'' || quote == '"');
		}
		ok = words_add(words, word, (size_t)(to - word));
	}
	free(word);
	return ok ? GSC_OK : err_memory(err);
}

char *words_join(const struct words *words, size_t first, size_t end)
{
	size_t size = 1;
	char *text;

	for (size_t i = first; i < end; i++)
		size += strlen(words->items[i]) + 1;
	text = calloc(1, size);
	for (size_t i = first; text && i < end; i++) {
		strcat(text, i > first ? " " : "");
		strcat(text, words->items[i]);
	}
	return text;
}

/* ---- commands of a line --------------------------------------------------------------------- */

static bool begins_comment(const char *text, const char *p)
{
	return *p == '#' && (p == text || strchr(BLANKS ";", p[-1]));
}

size_t comment_start(const char *text)
{
	const char *p = text;

	while (p && *p && !begins_comment(text, p))
		p = past_piece(p);
	return p ? (size_t)(p - text) : strlen(text);
}

/* Text passed to sh unchanged has its own quotes, semicolons and comments. */
static bool is_for_sh(const char *text)
{
	text += strspn(text, BLANKS "-");
	return *text == '!';
}

size_t line_length(const char *text)
{
	size_t whole = strcspn(text, "\n");
	const char *p = text, *next;

	if (is_for_sh(text))
		return whole;
	while (p < text + whole && *p != ';') {
		next = begins_comment(text, p) ? NULL : past_piece(p);
		p = next && next <= text + whole ? next : text + whole;
	}
	return (size_t)(p - text);
}

const char *inner_command(const char *text)
{
	const struct verb *verb;

	while ((verb = verb_find(text, strcspn(text, BLANKS))) && verb_forces(verb)) {
		text += strcspn(text, BLANKS);
		text += strspn(text, BLANKS);
	}
	return text;
}

/* In a write both belong to the value, which refuses them: a part of it is never written. */
const char *outlet_find(const char *text)
{
	const char *inner = inner_command(text), *p = text;
	const struct verb *verb = verb_find(inner, verb_length(inner));
	bool writes = assigns(inner, NULL, NULL, NULL);

	for (; p && *p && !begins_comment(text, p); p = past_piece(p))
		if (!writes && (*p == '|' || (*p == '>' && !(verb && verb_waits(verb)))))
			return p;
	return p ? p : text + strlen(text);
}

static enum gsc_status read_outlet(struct line *line, const char *at, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status;

	line->outlet = *at == '|' ? OUTLET_PIPE : at[1] == '>' ? OUTLET_APPEND : OUTLET_FILE;
	at += line->outlet == OUTLET_APPEND ? 2 : 1;
	at += strspn(at, BLANKS);
	if (line->outlet == OUTLET_PIPE) {
		if (!*at)
			return usage_error(err, "|", "expected a command after it");
		line->target = strdup(at);
		return line->target ? GSC_OK : err_memory(err);
	}
	status = words_split(&words, at, err);
	if (!status && words.count != 1)
		status = usage_error(err, ">", "expected one file after it");
	if (!status) {
		line->target = words.items[0];
		words.items[0] = NULL;
	}
	words_free(&words);
	return status;
}

enum gsc_status line_read(struct line *line, const char *text, size_t length, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	char *copy = strndup(text, length);
	const char *start = copy, *outlet, *end;

	*line = (struct line){ 0 };
	if (!copy)
		return err_memory(err);
	start += strspn(start, BLANKS "\r");
	if (*start == '-') {
		line->ignore = true;
		start++;
		start += strspn(start, BLANKS);
	}
	copy[strcspn(copy, "\r")] = 0;
	outlet = end = is_for_sh(start) ? start + strlen(start) : outlet_find(start);
	while (end > start && strchr(BLANKS, end[-1]))
		end--;
	line->text = strndup(start, (size_t)(end - start));
	if (!line->text)
		status = err_memory(err);
	else if (*outlet == '|' || *outlet == '>')
		status = read_outlet(line, outlet, err);
	free(copy);
	return status;
}

void line_free(struct line *line)
{
	free(line->text);
	free(line->target);
}

/* ---- writes --------------------------------------------------------------------------------- */

static const char *const operations[] = { [GSC_WRITE_SET] = "=", [GSC_WRITE_OR] = "|=",
					  [GSC_WRITE_AND] = "&=", [GSC_WRITE_XOR] = "^=" };

const char *operation_word(enum gsc_write_operation operation)
{
	return operations[operation];
}

bool assigns(const char *text, size_t *length, enum gsc_write_operation *operation,
	     const char **value)
{
	size_t target = strcspn(text, BLANKS "=|&^'\"<>!($");
	const char *at = text + target + strspn(text + target, BLANKS);

	if (!target || verb_find(text, target))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		size_t size = strlen(operations[i]);

		if (strncmp(at, operations[i], size) || at[size] == '=')
			continue;
		if (!length)
			return true;
		*length = target;
		*operation = (enum gsc_write_operation)i;
		*value = at + size + strspn(at + size, BLANKS);
		return true;
	}
	return false;
}
