/* SPDX-License-Identifier: MIT */
/* What is not part of the text itself: colours, odd blanks and quotes, HTML and its tags. */
#include "text/clean.h"

#include <ctype.h>

#define LOOKED_AT (4 << 20)
#define TAG_LONGEST 240

/* ---- what there is -------------------------------------------------------------------------- */

struct census {
	bool odd;			/* colours, bytes beyond ASCII, carriage returns */
	bool entities, tags, escapes;
};

/* What Markdown escapes: "\\[drm\\] \\*ERROR\\*". */
static bool is_escape(const char *at, const char *end)
{
	return end - at > 1 && *at == '\\' && strchr("[]_*`#~<>|", at[1]) && at[1];
}

/* If brackets or stars are escaped, every backslash begins an escape. */
static bool shows_markdown(const char *at, const char *end)
{
	size_t own = 0, bare = 0;

	for (; (at = memchr(at, '\\', (size_t)(end - at))); at++) {
		if (is_escape(at, end))
			own++;
		else
			bare++;
	}
	return own > 1 && bare * 8 <= own;
}

static bool has_odd(const char *at, const char *end)
{
	uint8_t found = 0;

	/* A sum of bytes: the compiler compares 16 at a time. */
	for (; at < end; at++)
		found |= (uint8_t)((unsigned char)*at >= 0x80) | (uint8_t)(*at == 0x1b) |
			 (uint8_t)(*at == '\r');
	return found;
}

static const struct {
	const char *name;
	char c;
} entities[] = {
	{ "amp;", '&' }, { "lt;", '<' }, { "gt;", '>' }, { "quot;", '"' }, { "apos;", '\'' },
	{ "nbsp;", ' ' }, { "ensp;", ' ' }, { "emsp;", ' ' }, { "num;", '#' }, { "lowbar;", '_' },
	{ "lbrack;", '[' }, { "rbrack;", ']' }, { "colon;", ':' }, { "Tab;", '\t' },
	{ "NewLine;", '\n' },
};

/*
 * After "&#": "39;", "x27;". Blanks beyond ASCII become blanks; other characters beyond ASCII give
 * none.
 */
static size_t numbered_entity(const char *at, const char *end, char *c)
{
	bool hex = at < end && (*at == 'x' || *at == 'X');
	const char *digit = at + hex;
	unsigned value = 0;

	for (; digit < end && digit - at < 8 && isxdigit((unsigned char)*digit); digit++) {
		unsigned d = isdigit((unsigned char)*digit) ? (unsigned)*digit - '0' :
				     ((unsigned)*digit | 32) - 'a' + 10;

		if (!hex && d > 9)
			return 0;
		value = value * (hex ? 16 : 10) + d;
	}
	if (digit == at + hex || digit == end || *digit != ';')
		return 0;
	*c = value == 0xa0 || (value >= 0x2000 && value <= 0x200a) ? ' ' :
	     value == '\t' || (value >= ' ' && value < 0x7f) ? (char)value : 0;
	return (size_t)(digit - at) + 1;
}

/* How long what follows the `&` is; *c is 0 if nothing replaces it. */
static size_t entity_length(const char *at, const char *end, char *c)
{
	size_t length;

	if (at < end && *at == '#') {
		length = numbered_entity(at + 1, end, c);
		return length ? length + 1 : 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
		if (at < end && *at != entities[i].name[0])
			continue;
		length = strlen(entities[i].name);
		*c = entities[i].c;
		if ((size_t)(end - at) >= length && !memcmp(at, entities[i].name, length))
			return length;
	}
	return 0;
}

/* If `<` and `&` are escaped, every `&` begins an escape. */
static bool shows_entities(const char *at, const char *end)
{
	size_t own = 0, bare = 0;
	char c;

	while ((at = memchr(at, '&', (size_t)(end - at)))) {
		if (entity_length(++at, end, &c))
			own++;
		else
			bare++;
	}
	return own && bare * 8 <= own;
}

static const char *const tag_names[] = {
	"pre", "code", "span", "br", "p", "div", "td", "tr", "th", "table", "tbody", "li", "ul",
	"ol", "b", "i", "a", "tt", "font", "em", "strong", "html", "head", "body", "blockquote",
	"samp", "kbd", "details", "summary", "mark", "h1", "h2", "h3", "h4", "title", "meta",
	"link", "hr", "small", "u", "s", "section", "article", "img",
};

static bool is_tag_name(const char *at, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(tag_names); i++)
		if (strlen(tag_names[i]) == length && !name_compare_n(at, tag_names[i], length))
			return true;
	return false;
}

/* "[code]", "[/quote]": how long it is, or 0. */
static size_t square_length(const char *at, const char *end)
{
	static const char *const squares[] = { "code", "/code", "quote", "/quote", "pre", "/pre" };
	const char *name = at + 1;

	for (size_t i = 0; i < ARRAY_SIZE(squares); i++) {
		size_t length = strlen(squares[i]);

		if ((size_t)(end - name) > length && name[length] == ']' &&
		    !name_compare_n(name, squares[i], length))
			return length + 2;
	}
	return 0;
}

/* "<pre>", "</span>", "<br/>", likewise; in base 85 what follows a `<` is seldom a name. */
static size_t tag_length(const char *at, const char *end)
{
	const char *name = at + 1, *after, *close;

	if (*at == '[')
		return square_length(at, end);
	end = at + MIN(end - at, TAG_LONGEST);
	name += name < end && *name == '/';
	for (after = name; after < end && isalnum((unsigned char)*after); after++)
		;
	if (after == end || (*after != '>' && *after != ' ' && *after != '/'))
		return 0;
	close = memchr(after, '>', (size_t)(end - after));
	if (!close || memchr(after, '\n', (size_t)(close - after)))
		return 0;
	return is_tag_name(name, (size_t)(after - name)) ? (size_t)(close - at) + 1 : 0;
}

/* A single one may be a word of the text: pages have many. */
static bool shows_tags(const char *start, const char *end, char open)
{
	const char *at = start;

	for (; (at = memchr(at, open, (size_t)(end - at))); at++) {
		size_t length = tag_length(at, end);

		/* In base 85 some bytes in a million look like that. */
		if (length &&
		    !text_is_dense(at - MIN(at - start, LONG_WORD),
				   at + MIN(end - at, (ptrdiff_t)length + LONG_WORD)))
			return true;
	}
	return false;
}

static void take_census(const struct cleaning *text, struct census *census)
{
	const char *head = text->at + MIN(text->size, (size_t)LOOKED_AT);

	*census = (struct census){
		.odd = has_odd(text->at, text->at + text->size),
		.entities = shows_entities(text->at, head),
		.tags = shows_tags(text->at, head, '<') || shows_tags(text->at, head, '['),
		.escapes = shows_markdown(text->at, head),
	};
}

/* ---- colours and odd bytes ------------------------------------------------------------------ */

/* "ESC [ ... m", "ESC ] ... BEL", "ESC ( B": how long, or 0. */
static size_t escape_length(const char *at, const char *end)
{
	const char *to = at + 2;

	if (end - at < 2)
		return 0;
	if (at[1] == '[') {
		while (to < end && *to >= ' ' && *to < '@')
			to++;
		return (size_t)(to - at) + (to < end && *to >= '@');
	}
	if (at[1] == ']') {
		while (to < end && to - at < TAG_LONGEST && *to != '\a' && *to != 0x1b &&
		       *to != '\n')
			to++;
		return (size_t)(to - at) + (to < end && *to == '\a');
	}
	return at[1] == '(' && end - at > 2 ? 3 : 0;
}

static const struct {
	const char *bytes;
	const char *plain;
} odd[] = {
	{ "\xc2\xa0", " " },	     { "\xc2\xad", "" },	  { "\xef\xbb\xbf", "" },
	{ "\xe2\x80\x8b", "" },	     { "\xe2\x80\x8c", "" },	  { "\xe2\x80\x8d", "" },
	{ "\xe2\x80\x8e", "" },	     { "\xe2\x80\x8f", "" },	  { "\xe2\x81\xa0", "" },
	{ "\xe2\x80\xaa", "" },	     { "\xe2\x80\xac", "" },	  { "\xe2\x80\xaf", " " },
	{ "\xe2\x80\x80", " " },     { "\xe2\x80\x81", " " },	  { "\xe2\x80\x82", " " },
	{ "\xe2\x80\x83", " " },     { "\xe2\x80\x84", " " },	  { "\xe2\x80\x85", " " },
	{ "\xe2\x80\x87", " " },     { "\xe2\x80\x88", " " },	  { "\xe2\x80\x89", " " },
	{ "\xe2\x80\x8a", " " },     { "\xe3\x80\x80", " " },	  { "\xe2\x80\x98", "'" },
	{ "\xe2\x80\x99", "'" },     { "\xe2\x80\x9c", "\"" },	  { "\xe2\x80\x9d", "\"" },
	{ "\xe2\x80\x90", "-" },     { "\xe2\x80\x91", "-" },	  { "\xe2\x80\x93", "-" },
	{ "\xe2\x88\x92", "-" },     { "\xe2\x94\x82", "|" },	  { "\xe2\x80\xa6", "..." },
};

/* Bytes beyond ASCII; *out is advanced. A blank of Latin-1 follows no other such byte. */
static size_t take_odd(const char *start, const char *at, const char *end, char **out)
{
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		size_t length = strlen(odd[i].bytes);

		if ((size_t)(end - at) < length || memcmp(at, odd[i].bytes, length) != 0)
			continue;
		memcpy(*out, odd[i].plain, strlen(odd[i].plain));
		*out += strlen(odd[i].plain);
		return length;
	}
	if ((unsigned char)*at == 0xa0 && (at == start || (unsigned char)at[-1] < 0x80))
		*(*out)++ = ' ';
	else
		*(*out)++ = *at;
	return 1;
}

/* Before the end of a line it is removed; alone, as on old consoles, it is a line end. */
static size_t take_return(const char *at, const char *end, char **out)
{
	const char *to = at;

	while (to < end && *to == '\r')
		to++;
	if (to < end && *to != '\n')
		*(*out)++ = '\n';
	return (size_t)(to - at);
}

static void drop_odd(struct cleaning *text)
{
	char *out = clean_own(text), *start = out;
	const char *at = out, *end = out + text->size;

	while (out && at < end) {
		if (*at == 0x1b && escape_length(at, end))
			at += escape_length(at, end);
		else if (*at == '\r')
			at += take_return(at, end, &out);
		else if ((unsigned char)*at >= 0x80)
			at += take_odd(at == (const char *)start ? at : at - 1, at, end, &out);
		else
			*out++ = *at++;
	}
	if (out)
		text->size = (size_t)(out - start);
}

/* ---- HTML ----------------------------------------------------------------------------------- */

static void drop_html(struct cleaning *text, const struct census *census)
{
	char *out = clean_own(text), *start = out;
	const char *at = out, *end = out + text->size;
	struct text_line line;

	while (out && text_line(at, end, &line)) {
		bool dense = text_is_dense(line.at, line.end) &&
			     !memchr(line.at, '&', (size_t)(line.end - line.at));

		while (at < line.next) {
			size_t length = 0;
			char c = 0;

			if (dense)
				length = 0;
			else if (census->tags && (*at == '<' || *at == '['))
				length = tag_length(at, end);
			else if (census->entities && *at == '&' &&
				 (length = entity_length(at + 1, end, &c)))
				length++;
			else if (census->escapes && is_escape(at, end))
				at++;
			if (!length)
				c = *at;
			if (c)
				*out++ = c;
			at += length ? length : 1;
		}
	}
	if (out)
		text->size = (size_t)(out - start);
}

void clean_bytes(struct cleaning *text)
{
	struct census census;

	take_census(text, &census);
	if (census.odd)
		drop_odd(text);
	if ((census.entities || census.tags || census.escapes) && !text->memory_out)
		drop_html(text, &census);
}
