/* SPDX-License-Identifier: MIT */
/* What is not part of the text itself: colours, odd blanks and quotes, HTML and its tags. */
#include "text/clean.h"

#define LOOKED_AT (4 << 20)
#define TAG_LONGEST 240

/* ---- what there is -------------------------------------------------------------------------- */

struct census {
	bool entities, tags, escapes;
};

/* What Markdown escapes: "\\[drm\\] \\*ERROR\\*". */
static bool is_escape(struct slice s)
{
	return slice_length(s) > 1 && *s.at == '\\' && s.at[1] && strchr("[]_*`#~<>|", s.at[1]);
}

/*
 * After "&#": "39;", "x27;". Blanks beyond ASCII become blanks; other characters beyond ASCII give
 * none.
 */
static size_t numbered_entity(struct slice s, char *c)
{
	struct slice rest = s, digits;
	bool hex = take_text(&rest, "x") || take_text(&rest, "X");
	uint64_t value;

	digits = slice_first(rest, hex ? 7 : 8);
	digits = take_while(&digits, hex ? is_hex : is_digit);
	rest.at = digits.end;
	if (!(hex ? slice_hex : slice_number)(digits, &value) || !take_text(&rest, ";"))
		return 0;
	*c = value == 0xa0 || (value >= 0x2000 && value <= 0x200a) ? ' ' :
	     value == '\t' || (value >= ' ' && value < 0x7f) ? (char)value : 0;
	return (size_t)(rest.at - s.at);
}

/* How long what follows the `&` is; *c is 0 if nothing replaces it. */
static size_t entity_length(struct slice s, char *c)
{
	static const struct {
		char name[9], c;
	} entities[] = {
		{ "amp;", '&' }, { "lt;", '<' }, { "gt;", '>' }, { "quot;", '"' },
		{ "apos;", '\'' }, { "nbsp;", ' ' }, { "ensp;", ' ' }, { "emsp;", ' ' },
		{ "num;", '#' }, { "lowbar;", '_' }, { "lbrack;", '[' }, { "rbrack;", ']' },
		{ "colon;", ':' }, { "Tab;", '\t' },
		{ "NewLine;", '\n' },
	};
	size_t length;

	if (slice_begins(s, "#")) {
		length = numbered_entity(slice_from(s, 1), c);
		return length ? length + 1 : 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(entities); i++)
		if (slice_begins(s, entities[i].name)) {
			*c = entities[i].c;
			return strlen(entities[i].name);
		}
	return 0;
}

/* If brackets, stars, `<` or `&` are escaped, every sign that begins an escape does. */
static bool shows_escaped(struct slice s, char sign, size_t least)
{
	size_t own = 0, bare = 0;
	char c;

	for (; (s.at = slice_char(s, sign)); s.at++)
		if (sign == '&' ? entity_length(slice_from(s, 1), &c) != 0 : is_escape(s))
			own++;
		else
			bare++;
	return own >= least && bare * 8 <= own;
}

/* "<pre>", "</span>", "<br/>", "[code]", "[/quote]": how long it is, or 0. */
static size_t tag_length(struct slice s)
{
	static const char square[] = "code|quote|pre";
	static const char angle[] =
		"pre|code|span|br|p|div|td|tr|th|table|tbody|li|ul|ol|b|i|a|tt|font|em|strong|"
		"html|head|body|blockquote|samp|kbd|details|summary|mark|h1|h2|h3|h4|title|meta|"
		"link|hr|small|u|s|section|article|img";
	bool is_square = *s.at == '[';
	struct slice rest = slice_from(slice_first(s, TAG_LONGEST), 1), name;
	char lower[12];
	size_t length;

	take_text(&rest, "/");
	name = take_while(&rest, is_alphanumeric);
	length = slice_length(name);
	/* In base 85 what follows a `<` is seldom a name. */
	if (!length || length >= sizeof(lower) || rest.at == rest.end ||
	    (is_square ? *rest.at != ']' :
			 *rest.at != '>' && *rest.at != ' ' && *rest.at != '/'))
		return 0;
	rest.end = slice_char(rest, is_square ? ']' : '>');
	if (!rest.end || slice_char(rest, '\n'))
		return 0;
	for (size_t i = 0; i < length; i++)
		lower[i] = (char)(is_letter(name.at[i]) ? name.at[i] | 32 : name.at[i]);
	return text_is_any(slice_of(lower, length), is_square ? square : angle) ?
	       (size_t)(rest.end + 1 - s.at) : 0;
}

/* A single one may be a word of the text: pages have many. */
static bool shows_tags(struct slice text, char open)
{
	struct slice s = text;

	for (; (s.at = slice_char(s, open)); s.at++) {
		size_t length = tag_length(s);

		/* In base 85 some bytes in a million look like that. */
		if (length && !text_is_dense((struct slice){
				      s.at - MIN(s.at - text.at, LONG_WORD),
				      s.at + MIN(s.end - s.at, (ptrdiff_t)length + LONG_WORD) }))
			return true;
	}
	return false;
}

/* ---- colours and odd bytes ------------------------------------------------------------------ */

/* "ESC [ ... m", "ESC ] ... BEL", "ESC ( B": how long, or 0. */
static size_t escape_length(struct slice s)
{
	const char *to = s.at + 2, *end = s.end;

	if (slice_length(s) < 2)
		return 0;
	if (s.at[1] == '[') {
		while (to < end && *to >= ' ' && *to < '@')
			to++;
		return (size_t)(to - s.at) + (to < end && *to >= '@');
	}
	if (s.at[1] == ']') {
		while (to < end && to - s.at < TAG_LONGEST && *to != '\a' && *to != 0x1b &&
		       *to != '\n')
			to++;
		return (size_t)(to - s.at) + (to < end && *to == '\a');
	}
	return s.at[1] == '(' && slice_length(s) > 2 ? 3 : 0;
}

/* Bytes beyond ASCII; *out is advanced. */
static size_t take_odd(char before, struct slice s, char **out)
{
	static const struct {
		char bytes[4], plain[4];
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

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++)
		if (slice_begins(s, odd[i].bytes)) {
			*out = clean_copy(*out, slice_string(odd[i].plain));
			return strlen(odd[i].bytes);
		}
	/* A blank of Latin-1 follows no other such byte. */
	*(*out)++ = (unsigned char)*s.at == 0xa0 && (unsigned char)before < 0x80 ? ' ' : *s.at;
	return 1;
}

static void drop_odd(struct cleaning *text)
{
	char *out = clean_own(text), *start = out;
	struct slice s = clean_text(text);

	while (out && s.at < s.end) {
		size_t length = *s.at == 0x1b ? escape_length(s) : 0;

		if (length) {
			s.at += length;
		} else if (*s.at == '\r') {
			/* Before a line end it is removed; alone, as on old consoles, it is one. */
			while (take_text(&s, "\r"))
				;
			if (s.at < s.end && *s.at != '\n')
				*out++ = '\n';
		} else if ((unsigned char)*s.at >= 0x80) {
			s.at += take_odd(s.at == start ? 0 : s.at[-1], s, &out);
		} else {
			*out++ = *s.at++;
		}
	}
	if (out)
		text->size = (size_t)(out - start);
}

/* ---- HTML ----------------------------------------------------------------------------------- */

static void drop_html(struct cleaning *text, const struct census *census)
{
	char *out = clean_own(text), *start = out;
	struct slice s = clean_text(text), rest = s;
	struct text_line line;

	while (out && take_line(&rest, &line)) {
		bool dense = text_is_dense(line.text) && !slice_char(line.text, '&');

		while (s.at < line.next) {
			size_t length = 0;
			char c = 0;

			if (dense)
				length = 0;
			else if (census->tags && (*s.at == '<' || *s.at == '['))
				length = tag_length(s);
			else if (census->entities && *s.at == '&' &&
				 (length = entity_length(slice_from(s, 1), &c)))
				length++;
			else if (census->escapes && is_escape(s))
				s.at++;
			if (!length)
				c = *s.at;
			if (c)
				*out++ = c;
			s.at += length ? length : 1;
		}
	}
	if (out)
		text->size = (size_t)(out - start);
}

void clean_bytes(struct cleaning *text)
{
	struct slice all = clean_text(text), head = slice_first(all, LOOKED_AT);
	uint8_t odd = 0;
	struct census census = {
		.entities = shows_escaped(head, '&', 1),
		.tags = shows_tags(head, '<') || shows_tags(head, '['),
		.escapes = shows_escaped(head, '\\', 2),
	};

	/* A sum of bytes: the compiler compares 16 at a time. */
	for (const char *at = all.at; at < all.end; at++)
		odd |= (uint8_t)((unsigned char)*at >= 0x80) | (uint8_t)(*at == 0x1b) |
		       (uint8_t)(*at == '\r');
	/* Colours, bytes beyond ASCII, carriage returns. */
	if (odd)
		drop_odd(text);
	if ((census.entities || census.tags || census.escapes) && !text->memory_out)
		drop_html(text, &census);
}
