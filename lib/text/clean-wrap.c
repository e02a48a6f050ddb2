/* SPDX-License-Identifier: MIT */
/*
 * Lines that a mail program or a terminal broke. If the first word of a line would not have fitted
 * in the previous line, and it does not look like the beginning of a record, it continues that
 * line. Messages that ran together in one paragraph are separated again. In a log it is known
 * where records begin: if one width explains all other lines of a paragraph, they continue.
 */
#include "text/clean.h"
#include "text/front.h"

#include <ctype.h>

#define WIDTH_LEAST 56
#define WIDTH_MOST 200
#define MAIL_LEAST 60			/* widths of mail, where one broken line is enough */
#define MAIL_MOST 82
#define MAIL_LINES 200			/* of at most this many lines */
#define BROKEN_LEAST 3			/* lines, for any other text */
#define LOG_LEAST 40			/* of the longest line of a log */
#define HARD_LEAST 6			/* lines of the same length that a terminal leaves */
#define HARD_NARROW 40			/* the narrowest of them */
#define SEEN 4				/* messages that recur, one after the other */
#define NEAR 12				/* a word at the end of a line that did not fit there */
#define KEY_LONGEST 40
#define WORD_LONGEST 40			/* of prose and messages */
#define SAMPLE (1 << 20)		/* bytes that show whether lines were broken */
#define FUNCTION "%%%%:%%:%%.9"		/* the form of a PCI function */

struct shape {
	const struct clean_words *words;
	size_t width;			/* of the longest line that has several words, or 0 */
	bool hard;			/* broken anywhere, as terminals do */
	bool stamped;			/* records begin with a time */
	bool wrapped;			/* it is certain that lines were broken */
	size_t margin;			/* of the width: what was removed in front */
	size_t lines;
};

static size_t length_of(struct text_line line)
{
	return slice_length(line.text);
}

static bool is_empty(struct text_line line)
{
	return line.text.at == line.text.end;
}

/* With the blanks at its end. */
static size_t raw_length(struct text_line line)
{
	const char *end = line.next;

	while (end > line.text.end && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	return (size_t)(end - line.text.at);
}

static struct slice without_blanks(struct slice s)
{
	take_blanks(&s);
	return s;
}

/* Words may be as long as a dump. */
static struct slice first_word(struct slice s)
{
	s.end = slice_char(s, ' ') ?: s.end;
	s.end = slice_char(s, '\t') ?: s.end;
	return s;
}

/* ---- what begins a record ------------------------------------------------------------------- */

/* "i915 0000:00:02.0: ", or the words of a driver. */
static bool is_message(const struct clean_words *words, struct slice s)
{
	struct slice rest = { first_word(s).end, s.end };

	return text_begins_any(s, words->begins) ||
	       slice_has_form(without_blanks(rest), FUNCTION ":");
}

/* "IPEHR: 0x", "fence[0] = ", "render command stream:": a key has no comma. */
static bool is_key(struct slice s)
{
	const char *end = s.at + MIN(s.end - s.at, KEY_LONGEST);

	if (slice_has_form(s, FUNCTION))
		return false;
	if (first_word(s).end == s.end && slice_char(s, '='))
		return true;
	for (const char *at = s.at; at < end; at++) {
		if (*at == ',' || *at == ';')
			return false;
		if (*at == ':' && at > s.at && (at + 1 == end || is_blank(at[1])))
			return true;
		if (*at == '=' && at > s.at && at[-1] == ' ')
			return true;
	}
	return false;
}

/* Rows of numbers: "00: 86 80", "0x00002030: 0x", "00000000 :  7a000003", "00002030 00000000" */
static bool is_row(struct slice s)
{
	struct slice rest = s, digits;

	if (slice_has_form(s, FUNCTION))
		return false;
	if (slice_find(first_word(s), ":0x") || (s.at < s.end && *s.at && strchr("(:~*#", *s.at)))
		return true;
	take_text(&rest, "0x");
	digits.at = s.at;
	take_while(&rest, is_hex);
	digits.end = rest.at;
	if (slice_length(digits) < 2 || rest.at == rest.end)
		return false;
	if (*rest.at == ':' || *rest.at == '-')
		return true;
	/* "0x01a030  asleep": a column follows; text that was wrapped has single blanks. */
	if (slice_has_0x(s) && slice_begins(rest, "  "))
		return true;
	take_blanks(&rest);
	if (slice_begins(rest, ":") || slice_begins(rest, "|"))
		return true;
	take_text(&rest, "0x");
	return slice_has_form(rest, "%%%%%%%%");
}

static bool begins_record(const struct shape *shape, struct slice line)
{
	static const char marks[] = "--|==|```|**|- |@@";	/* of mails, pages and lists */
	struct slice s = without_blanks(line);

	if (is_stamp(s) || text_begins_any(s, marks))
		return true;
	return !shape->stamped && (s.at > line.at || is_message(shape->words, s) || is_key(s) ||
				   is_row(s));
}

/* ---- which lines were broken ---------------------------------------------------------------- */

/* Rows, keys and headings begin differently. */
static bool begins_low(struct slice line)
{
	return islower((unsigned char)*line.at) || *line.at == '[' || *line.at == '(' ||
	       is_digit(*line.at);
}

/* Mail breaks no words: those that are too long stay on a line of their own. */
static bool has_words(struct text_line line)
{
	return first_word(without_blanks(line.text)).end < line.text.end;
}

/* `joined`: the previous line was joined to others, which shows that it was broken. */
static bool goes_on(const struct shape *shape, struct text_line before, bool joined,
		    struct text_line line)
{
	size_t full = shape->hard ? raw_length(before) : length_of(before), word;
	struct slice s = line.text, tail = before.text;
	bool stays, colon = slice_ends(tail, ":"), flowed;
	const char *last = tail.end;

	/* Base 85: a terminal breaks it anywhere, mail nowhere, whatever its characters are. */
	while (last > tail.at && !is_blank(last[-1]))
		last--;
	if (!is_empty(line) && tail.end - last >= WORD_LONGEST && !has_words(line))
		return shape->hard && full == shape->width;
	if (is_empty(line) || !full || *tail.at == '#' || is_stamp(s))
		return false;
	/* A line that ends in a comma or a function continues. */
	tail.at = tail.end - MIN(slice_length(tail), 13u);
	stays = slice_ends(tail, ",") || slice_has_form(tail, FUNCTION ":") || (joined && colon);
	if (stays && colon && *s.at == '[' && text_begins_any(s, shape->words->begins))
		return true;
	if (shape->wrapped && begins_low(s) && (shape->stamped || (joined && stays)))
		return shape->stamped || !begins_record(shape, s);
	/* Mail keeps the blank at which it broke a line, however long that is (RFC 3676). */
	flowed = before.next - tail.end >= 2 && tail.end[0] == ' ' &&
		 (tail.end[1] == '\n' || tail.end[1] == '\r');
	if (shape->wrapped && !shape->hard && flowed && begins_low(s) && !begins_record(shape, s))
		return true;
	word = slice_length(first_word(s));
	if (shape->hard ? full != shape->width : full + shape->margin + 1 + word <= shape->width ||
						 full > shape->width)
		return false;
	return !begins_record(shape, s) || (stays && !is_message(shape->words, s));
}

/* A message that recurs has the same length each time. */
static bool same_end(struct text_line a, struct text_line b)
{
	return length_of(a) >= 8 && length_of(b) >= 8 && !memcmp(a.text.end - 8, b.text.end - 8, 8);
}

/* Digits, or the rest of a number in brackets: "Xorg [19" and "81]", "0x8d90" and "0000". */
static bool is_split(struct slice before, struct slice line)
{
	const char *from = before.end, *to = line.at;
	bool digits = true;

	while (from > before.at && is_hex(from[-1]))
		digits &= is_digit(*--from);
	while (to < line.end && is_hex(*to))
		digits &= is_digit(*to++);
	if (from - before.at > 1 && from[-1] == 'x' && from[-2] == '0')
		return to > line.at && (to == line.end || !is_alphanumeric(*to));
	return digits && from > before.at && from[-1] == '[' && to < line.end && *to == ']';
}

/* Words of the drivers, which mail would have left whole. */
static bool is_word_split(const struct clean_words *words, struct slice before, struct slice line)
{
	struct slice right = take_while(&line, is_word), left = { before.end, before.end };
	char word[24];

	while (left.at > before.at && is_word(left.at[-1]))
		left.at--;
	if (left.at == left.end || right.at == right.end ||
	    slice_length(left) + slice_length(right) >= sizeof(word))
		return false;
	string_set(word, "%.*s%.*s", SLICE(left), SLICE(right));
	return text_is_any(slice_string(word), words->whole);
}

/* A break that mail does not make: at a blank that it left, or inside a word. */
static bool is_sure(const struct shape *shape, struct text_line before, struct text_line line)
{
	return length_of(before) < raw_length(before) || is_split(before.text, line.text) ||
	       is_word_split(shape->words, before.text, line.text) || length_of(line) < 3 ||
	       (*line.text.at == ' ' && length_of(line) > 1 && line.text.at[1] != ' ');
}

/* ---- the shape of a text -------------------------------------------------------------------- */

struct widths {
	size_t lines[WIDTH_MOST + 2];	/* of each length; the last: of all beyond */
	size_t count;
};

static void add_width(struct widths *widths, size_t length)
{
	widths->lines[MIN(length, (size_t)WIDTH_MOST + 1)]++;
	widths->count++;
}

/* That of the longest; among hundreds, a few longer ones were written by somebody else. */
static size_t width_of(const struct widths *widths)
{
	size_t width = WIDTH_MOST + 1, beyond = 0;

	while (width > MAIL_MOST && !widths->lines[width])
		width--;
	while (width > MAIL_MOST && beyond + widths->lines[width] <= widths->count / 50)
		beyond += widths->lines[width--];
	while (width && !widths->lines[width])
		width--;
	return width;
}

/* Words broken anywhere leave many lines of the same length; if all have it, it is a table. */
static bool has_full_lines(const struct shape *shape, struct slice text, size_t width)
{
	struct text_line line, other = { { text.at, text.at }, text.at };
	size_t full = 0;

	while (take_line(&text, &line)) {
		/* A blank at the end shows that a mail program broke the line. */
		if (length_of(line) != width ||
		    (line.text.end < line.next && *line.text.end == ' '))
			continue;
		full += !full || !same_end(line, other);
		other = line;
	}
	return full >= HARD_LEAST && full * 8 >= shape->lines && full * 4 <= shape->lines * 3;
}

/* Full lines of a width continue, and shorter ones do not. */
static bool fits_hard(const struct shape *shape, struct slice text, size_t width)
{
	struct text_line line, before = { { text.at, text.at }, text.at }, other = before;
	size_t full = 0, near = 0, stop = 0;
	bool sure = false;

	for (; take_line(&text, &line); before = line) {
		size_t length = raw_length(before);
		struct slice rest = line.text;

		if (is_empty(line) || length + NEAR < width || text_is_dense(line.text) ||
		    text_is_dense(before.text))
			continue;
		take_text(&rest, " ");
		if (is_stamp(without_blanks(line.text)) ||
		    (!shape->stamped && begins_record(shape, rest))) {
			stop += length == width;
			continue;
		}
		near += length + 1 < width;
		if (length != width)
			continue;
		full += !full || !same_end(before, other);
		other = before;
		sure |= is_sure(shape, before, line);
	}
	return (shape->stamped || (sure && shape->lines <= MAIL_LINES)) && near * 2 <= full &&
	       stop * 2 <= full && (full >= HARD_LEAST || (full && sure));
}

/* How wide the text is, and whether its records have times. */
static void find_shape(struct shape *shape, struct slice text)
{
	struct widths all = { .count = 0 }, logged = { .count = 0 };
	size_t stamped = 0, longest = 0, raw = 0;
	struct slice rest = text;
	struct text_line line;
	bool after = false;

	while (take_line(&rest, &line)) {
		bool stamp = is_stamp(without_blanks(line.text));

		longest = MAX(longest, length_of(line));
		raw = MAX(raw, raw_length(line));
		if (is_empty(line))
			continue;
		shape->lines++;
		stamped += stamp;
		if (has_words(line)) {
			add_width(&all, length_of(line));
			if (stamp || after)
				add_width(&logged, length_of(line));
		}
		after = stamp;
	}
	shape->stamped = stamped * 4 >= shape->lines && stamped;
	shape->width = width_of(shape->stamped ? &logged : &all);
	if (longest >= WIDTH_LEAST && longest <= WIDTH_MOST &&
	    has_full_lines(shape, text, longest)) {
		shape->hard = true;
		shape->width = longest;
	} else if (raw >= HARD_NARROW && raw <= WIDTH_MOST && fits_hard(shape, text, raw)) {
		shape->hard = true;
		shape->width = raw;
	} else if (shape->width < WIDTH_LEAST || shape->width > WIDTH_MOST) {
		shape->width = 0;
	}
}

/* ---- paragraphs of a log -------------------------------------------------------------------- */

struct paragraph {
	const char *end;
	bool logged;			/* it begins with a record */
	bool broken;			/* what begins no record continues the line before it */
	size_t hard;			/* the width, if words were broken too, or 0 */
};

static bool begins_logged(const struct shape *shape, struct text_line line)
{
	struct slice s = without_blanks(line.text);

	return is_stamp(s) || is_message(shape->words, s);
}

/* A terminal fills each line that it breaks; lines of mail are of one length only by chance. */
static size_t hard_width(const struct shape *shape, struct slice text)
{
	struct text_line line, before = { { text.at, text.at }, text.at };
	struct text_line seen[SEEN] = { before };
	struct slice rest = text;
	size_t width = 0, full = 0;
	bool sure = false;

	while (take_line(&rest, &line))
		width = MAX(width, raw_length(line));
	for (; take_line(&text, &line); before = line) {
		if (begins_logged(shape, line))
			continue;
		if (raw_length(before) + 1 < width)
			return 0;
		sure |= is_sure(shape, before, line);
		for (size_t i = 0; i <= SEEN; i++) {
			if (i == SEEN)
				seen[full++ % SEEN] = before;
			else if (seen[i].text.at && same_end(before, seen[i]))
				break;
		}
	}
	return sure || full >= HARD_LEAST ? width : 0;
}

/*
 * All lines up to an empty one, or to the first record. They were broken at one width if no line is
 * longer than what any break left too little room for. A line may follow a record by chance: it
 * continues that only if records begin with times, or if lines begin like the middle of a sentence.
 */
static struct paragraph find_paragraph(const struct shape *shape, struct slice text)
{
	struct text_line line, before = { { text.at, text.at }, text.at };
	size_t longest = 0, room = SIZE_MAX, broken = 0, low = 0;
	bool stamped = true, fits;
	struct slice rest = text;
	const char *at = text.at;

	for (; take_line(&rest, &line) && !is_empty(line); at = line.next, before = line) {
		struct slice first = without_blanks(line.text);
		bool stamp = is_stamp(first);

		if (length_of(line) > longest && has_words(line))
			longest = length_of(line);
		if (longest > WIDTH_MOST) {
			at = slice_find((struct slice){ line.text.end, text.end }, "\n\n") ?:
			     text.end;
			break;
		}
		if (stamp || is_message(shape->words, first)) {
			if (!room)
				break;
			stamped &= stamp;
		} else if (is_empty(before) || !room) {
			room = 0;
		} else {
			broken++;
			low += !isupper((unsigned char)*first.at);
			room = MIN(room, length_of(before) + 1 + slice_length(first_word(first)));
		}
	}
	fits = broken && longest < room && longest <= WIDTH_MOST &&
	       (stamped ? longest >= LOG_LEAST : longest >= WIDTH_LEAST && low * 2 >= broken);
	return (struct paragraph){
		at, room && longest <= WIDTH_MOST, fits,
		fits ? hard_width(shape, (struct slice){ text.at, at }) : 0,
	};
}

/* ---- joining -------------------------------------------------------------------------------- */

struct reading {
	const struct shape *shape;
	struct paragraph paragraph;
	struct text_line before;
	bool joined;
};

/* Whether the line goes on from the previous one. */
static bool read_line(struct reading *r, const char *end, struct text_line line)
{
	const struct shape *shape = r->shape;

	if (line.text.at >= r->paragraph.end)
		r->paragraph = find_paragraph(shape, (struct slice){ line.text.at, end });
	if (r->paragraph.broken) {
		r->joined = !is_empty(line) && !begins_logged(shape, line);
	} else {
		struct slice word = first_word(line.text);
		const char *at = word.at;

		/* "to GPU hang": no record begins like the middle of a sentence, of any width. */
		while (at < word.end && islower((unsigned char)*at))
			at++;
		r->joined = (r->paragraph.logged && word.at < word.end && at == word.end &&
			     word.end < line.text.end && !begins_logged(shape, line)) ||
			    (shape->width && goes_on(shape, r->before, r->joined, line));
	}
	r->before = line;
	return r->joined;
}

struct joining {
	const struct clean_words *words;
	char *out;
	char *from;			/* where the record began in the output */
	size_t joined;			/* by how many lines it was longer */
};

/*
 * "... guc_id=0 xe 0000:00:02.0: [drm] ...": a message that ran into the previous one; not after a
 * time: "[    9.123456]", "Nov  3 10:11:12", "2025-11-03T10:11:12+01:00".
 */
static void part_messages(struct joining *j)
{
	for (char *at = j->from + 1; at < j->out && j->joined; at++) {
		struct slice rest = { at + 1, j->out };
		struct slice before = without_blanks((struct slice){ j->from, at });
		size_t length = slice_length(before);

		if (*at != ' ' || !text_is_any(first_word(rest), j->words->drivers) ||
		    !slice_has_form((struct slice){ first_word(rest).end, rest.end },
				    " " FUNCTION ": ") ||
		    at[-1] == ':' || at - j->from < 4 ||
		    (length >= 7 && slice_has_form(slice_from(before, length - 7), "999999]")) ||
		    (length >= 8 && slice_has_form(slice_from(before, length - 8), "99:99:99")) ||
		    (first_word(before).end == before.end && is_stamp(before)))
			continue;
		*at = '\n';
		j->joined--;
	}
}

static void end_record(struct joining *j, bool newline)
{
	if (j->joined)
		part_messages(j);
	for (size_t i = 0; i < j->joined + newline; i++)
		*j->out++ = '\n';
	j->joined = 0;
	j->from = j->out;
}

static void join(const struct shape *shape, struct cleaning *text, char *out)
{
	struct slice rest = clean_text(text);
	struct text_line line, before = { { rest.at, rest.at }, rest.at };
	struct reading reading = { .shape = shape, .paragraph.end = rest.at, .before = before };
	struct joining j = { .words = shape->words, .out = out, .from = out };
	bool any = false, newline = false;

	while (take_line(&rest, &line)) {
		if (read_line(&reading, rest.end, line)) {
			size_t hard = reading.paragraph.broken ? reading.paragraph.hard :
				      shape->hard ? shape->width : 0;
			size_t blanks = raw_length(before) - length_of(before);

			/* Programs may have removed the blank at which a line was broken. */
			if (!hard || raw_length(before) < hard)
				blanks = 1;
			memset(j.out, ' ', blanks);
			j.out += blanks;
			if (!hard)
				take_blanks(&line.text);
			j.joined++;
		} else if (any) {
			end_record(&j, newline);
		}
		memcpy(j.out, line.text.at, length_of(line));
		j.out += length_of(line);
		newline = line.next > line.text.at && line.next[-1] == '\n';
		before = line;
		any = true;
	}
	end_record(&j, newline);
	clean_replace(text, out, (size_t)(j.out - out));
}

/* Lines that go on from the one before; *shape becomes that of the text. */
static size_t count_joined(struct shape *shape, struct slice all)
{
	struct text_line line, before = { { all.at, all.at }, all.at };
	struct reading reading = { .shape = shape, .paragraph.end = all.at, .before = before };
	size_t joined = 0, broken = 0;
	struct slice rest = all;
	bool goes = false;

	find_shape(shape, all);
	for (struct slice s = all; shape->width && take_line(&s, &line); before = line) {
		goes = goes_on(shape, before, goes, line);
		broken += goes;
	}
	/* A single long line may be the longest of them. */
	shape->wrapped = broken && (shape->hard || broken >= BROKEN_LEAST ||
				    (shape->width >= MAIL_LEAST && shape->width <= MAIL_MOST &&
				     shape->lines <= MAIL_LINES));
	if (!shape->wrapped)
		shape->width = 0;
	while (take_line(&rest, &line)) {
		joined += read_line(&reading, all.end, line);
		if (!shape->width && !reading.paragraph.logged)
			rest.at = MAX(rest.at, reading.paragraph.end);
	}
	return joined;
}

void clean_wrap(struct cleaning *text)
{
	struct shape shape = { .words = text->words, .margin = text->margin }, sample = shape;
	struct slice all = clean_text(text), first = slice_first(all, SAMPLE);
	size_t joined;
	char *out;

	/* Whoever breaks the lines of a long text breaks some of its beginning. */
	while (first.end < all.end && first.end > all.at && first.end[-1] != '\n')
		first.end--;
	if (first.end < all.end && first.end > all.at && !count_joined(&sample, first))
		return;
	joined = count_joined(&shape, all);
	if (!joined)
		return;
	out = text->size < SIZE_MAX / 2 ? malloc(text->size + joined + 1) : NULL;
	text->memory_out |= !out;
	if (out)
		join(&shape, text, out);
}
