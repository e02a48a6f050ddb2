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
#define NEAR 12				/* a word at the end of a line that did not fit there */
#define KEY_LONGEST 40
#define WORD_LONGEST 40		/* of prose and messages */

struct shape {
	size_t width;			/* of the longest line that has several words, or 0 */
	bool hard;			/* broken anywhere, as terminals do */
	bool stamped;			/* records begin with a time */
	bool wrapped;			/* it is certain that lines were broken */
	size_t margin;			/* of the width: what was removed in front */
	size_t lines, broken;
};

static size_t length_of(struct text_line line)
{
	return (size_t)(line.end - line.at);
}

/* With the blanks at its end. */
static size_t raw_length(struct text_line line)
{
	const char *end = line.next;

	while (end > line.end && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	return (size_t)(end - line.at);
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *word_end(const char *at, const char *end)
{
	const char *space = memchr(at, ' ', (size_t)(end - at)), *tab;

	end = space ? space : end;
	tab = memchr(at, '\t', (size_t)(end - at));
	return tab ? tab : end;
}

/* ---- what begins a record ------------------------------------------------------------------- */

static bool has_form(const char *at, const char *end, const char *form)
{
	return slice_has_form((struct slice){ at, end }, form);
}

static bool is_stamped(const char *at, const char *end)
{
	return is_stamp((struct slice){ at, end });
}

/* "i915 0000:00:02.0: ", "DMAR: ", "[drm] " */
static bool is_message(const char *at, const char *end)
{
	static const char *const words[] = {
		"DMAR:", "[drm", "drm/", "Fence expiration ", "Asynchronous wait ",
	};
	const char *word = word_end(at, end);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (has_form(at, end, words[i]))
			return true;
	return has_form(skip_blanks(word, end), end, "%%%%:%%:%%.9");
}

/* "IPEHR: 0x", "fence[0] = ", "render command stream:": a key has no comma. */
static bool is_key(const char *at, const char *end)
{
	const char *start = at;

	if (has_form(at, end, "%%%%:%%:%%.9"))
		return false;
	if (word_end(at, end) == end && memchr(at, '=', (size_t)(end - at)))
		return true;
	for (end = at + MIN(end - at, KEY_LONGEST); at < end; at++) {
		if (*at == ',' || *at == ';')
			return false;
		if (*at == ':' && at > start && (at + 1 == end || at[1] == ' ' || at[1] == '\t'))
			return true;
		if (*at == '=' && at > start && at[-1] == ' ')
			return true;
	}
	return false;
}

/* Rows of numbers: "00: 86 80", "0x00002030: 0x", "00000000 :  7a000003", "00002030 00000000" */
static bool is_row(const char *at, const char *end)
{
	const char *to = at;

	if (has_form(at, end, "%%%%:%%:%%.9"))
		return false;
	if (memmem(at, (size_t)(word_end(at, end) - at), ":0x", 3))
		return true;
	if (at < end && (*at == '(' || *at == ':' || *at == '~' || *at == '*' || *at == '#'))
		return true;
	if (has_form(at, end, "0x"))
		to += 2;
	while (to < end && isxdigit((unsigned char)*to))
		to++;
	if (to - at < 2 || to == end)
		return false;
	if (*to == ':' || *to == '-')
		return true;
	to = skip_blanks(to, end);
	if (to < end && (*to == ':' || *to == '|'))
		return true;
	if (has_form(to, end, "0x"))
		to += 2;
	return has_form(to, end, "%%%%%%%%");
}

/* Marks of mails, pages and lists. */
static bool is_mark(const char *at, const char *end)
{
	return has_form(at, end, "--") || has_form(at, end, "==") || has_form(at, end, "```") ||
	       has_form(at, end, "**") || has_form(at, end, "- ") || has_form(at, end, "@@");
}

static bool begins_record(const struct shape *shape, struct text_line line)
{
	const char *at = skip_blanks(line.at, line.end);

	if (is_stamped(at, line.end) || is_mark(at, line.end))
		return true;
	return !shape->stamped && (at > line.at || is_message(at, line.end) ||
				   is_key(at, line.end) || is_row(at, line.end));
}

/* ---- which lines were broken ---------------------------------------------------------------- */

/* A line that ends like that continues. */
static bool is_open(struct text_line line)
{
	return line.end > line.at && (line.end[-1] == ',' ||
	       (length_of(line) >= 13 && has_form(line.end - 13, line.end, "%%%%:%%:%%.9:")));
}

/* Rows, keys and headings begin differently. */
static bool begins_low(struct text_line line)
{
	return islower((unsigned char)*line.at) || *line.at == '[' || *line.at == '(' ||
	       isdigit((unsigned char)*line.at);
}

/* Mail breaks no words: those that are too long stay on a line of their own. */
static bool has_words(struct text_line line)
{
	const char *first = skip_blanks(line.at, line.end);

	return word_end(first, line.end) < line.end;
}

/* Base 85: a terminal breaks it anywhere, mail nowhere, whatever its characters look like. */
static bool is_long_word(struct text_line before, struct text_line line)
{
	const char *last = before.end;

	while (last > before.at && last[-1] != ' ' && last[-1] != '\t')
		last--;
	return before.end - last >= WORD_LONGEST && !has_words(line);
}

/* Mail keeps the blank at which it broke a line, however long that is (RFC 3676). */
static bool is_flowed(struct text_line line)
{
	return line.next - line.end >= 2 && line.end[0] == ' ' &&
	       (line.end[1] == '\n' || line.end[1] == '\r');
}

/* `joined`: the previous line was joined to others, which shows that it was broken. */
static bool goes_on(const struct shape *shape, struct text_line before, bool joined,
		    struct text_line line)
{
	size_t full = shape->hard ? raw_length(before) : length_of(before), word;
	bool stays = is_open(before) || (joined && full && before.end[-1] == ':');

	if (line.at < line.end && is_long_word(before, line))
		return shape->hard && full == shape->width;
	word = (size_t)(word_end(line.at, line.end) - line.at);
	if (line.at == line.end || !full || *before.at == '#' || is_stamped(line.at, line.end))
		return false;
	if (stays && before.end[-1] == ':' && has_form(line.at, line.end, "[drm"))
		return true;
	if (shape->wrapped && begins_low(line) && (shape->stamped || (joined && stays)))
		return shape->stamped || !begins_record(shape, line);
	if (shape->wrapped && !shape->hard && is_flowed(before) && begins_low(line) &&
	    !begins_record(shape, line))
		return true;
	if (shape->hard ? full != shape->width : full + shape->margin + 1 + word <= shape->width ||
						 full > shape->width)
		return false;
	if (!begins_record(shape, line))
		return true;
	return stays && !is_message(line.at, line.end);
}

/* A message that recurs has the same length each time. */
static bool same_end(struct text_line a, struct text_line b)
{
	return length_of(a) >= 8 && length_of(b) >= 8 && !memcmp(a.end - 8, b.end - 8, 8);
}

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

static bool is_bounded(size_t width)
{
	return width >= WIDTH_LEAST && width <= WIDTH_MOST;
}

/* Words broken anywhere leave many lines of the same length; if all have it, it is a table. */
static bool has_full_lines(const struct shape *shape, const char *start, const char *end,
			   size_t width)
{
	struct text_line line, other = { start, start, start };
	size_t full = 0;

	for (const char *at = start; text_line(at, end, &line); at = line.next) {
		/* A blank at the end shows that a mail program broke the line. */
		if (length_of(line) != width || (line.end < line.next && *line.end == ' '))
			continue;
		full += !full || !same_end(line, other);
		other = line;
	}
	return full >= HARD_LEAST && full * 8 >= shape->lines && full * 4 <= shape->lines * 3;
}

/* Digits, or the rest of a number in brackets: "Xorg [19" and "81]", "0x8d90" and "0000". */
static bool is_split(struct text_line before, struct text_line line)
{
	const char *from = before.end, *to = line.at;
	bool digits = true;

	while (from > before.at && isxdigit((unsigned char)from[-1]))
		digits &= isdigit((unsigned char)*--from) != 0;
	while (to < line.end && isxdigit((unsigned char)*to))
		digits &= isdigit((unsigned char)*to++) != 0;
	if (from - before.at > 1 && from[-1] == 'x' && from[-2] == '0')
		return to > line.at && (to == line.end || !isalnum((unsigned char)*to));
	return digits && from > before.at && from[-1] == '[' && to < line.end && *to == ']';
}

/* Words of the drivers, which mail would have left whole. */
static bool is_word_split(struct text_line before, struct text_line line)
{
	static const char *const words[] = {
		"HANG", "ecode", "Resetting", "reset", "context", "heartbeat", "hang", "engine",
		"Engine", "memory", "error", "ERROR", "failed", "Failed", "firmware", "request",
		"Request", "device", "fault", "reason", "Timedout", "guc_id", "class",
		"logical_mask", "flags", "seqno", "response", "action", "stopped", "preemption",
		"kernel", "access", "rcs0", "bcs0", "vcs0", "vcs1", "vecs0", "ccs0", "drm",
		"i915", "render", "ring",
	};
	const char *from = before.end, *to = line.at;
	size_t left, right;

	while (from > before.at && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
		from--;
	while (to < line.end && (isalnum((unsigned char)*to) || *to == '_'))
		to++;
	left = (size_t)(before.end - from);
	right = (size_t)(to - line.at);
	for (size_t i = 0; i < ARRAY_SIZE(words) && left && right; i++)
		if (strlen(words[i]) == left + right && !memcmp(words[i], from, left) &&
		    !memcmp(words[i] + left, line.at, right))
			return true;
	return false;
}

/* A break that mail does not make: at a blank that it left, or inside a word. */
static bool is_sure(struct text_line before, struct text_line line)
{
	return before.end < before.at + raw_length(before) || is_split(before, line) ||
	       is_word_split(before, line) || length_of(line) < 3 ||
	       (*line.at == ' ' && line.end - line.at > 1 && line.at[1] != ' ');
}

/* Lines by what precedes them: full lines continue, and shorter ones do not. */
struct borders {
	size_t full, near, stop;	/* continues after a full, a nearly full one; does not */
	bool sure;			/* a break that mail does not make */
};

static struct borders find_borders(const struct shape *shape, const char *start, const char *end,
				   size_t width)
{
	struct text_line line, before = { start, start, start }, other = before;
	struct borders b = { .full = 0 };

	for (const char *at = start; text_line(at, end, &line); at = line.next, before = line) {
		size_t length = raw_length(before);
		struct text_line rest = line;

		if (line.at == line.end || length + NEAR < width ||
		    text_is_dense(line.at, line.end) || text_is_dense(before.at, before.end))
			continue;
		rest.at += *rest.at == ' ';
		if (is_stamped(skip_blanks(line.at, line.end), line.end) ||
		    (!shape->stamped && begins_record(shape, rest))) {
			b.stop += length == width;
			continue;
		}
		b.near += length + 1 < width;
		if (length != width)
			continue;
		b.full += !b.full || !same_end(before, other);
		other = before;
		b.sure |= is_sure(before, line);
	}
	return b;
}

static void find_hard(struct shape *shape, const char *start, const char *end)
{
	size_t longest = 0, raw = 0;
	struct text_line line;
	struct borders b;

	for (const char *at = start; text_line(at, end, &line); at = line.next) {
		longest = MAX(longest, length_of(line));
		raw = MAX(raw, raw_length(line));
	}
	if (is_bounded(longest) && has_full_lines(shape, start, end, longest)) {
		shape->hard = true;
		shape->width = longest;
		return;
	}
	if (raw < HARD_NARROW || raw > WIDTH_MOST)
		return;
	b = find_borders(shape, start, end, raw);
	shape->hard = (shape->stamped || (b.sure && shape->lines <= MAIL_LINES)) &&
		      b.near * 2 <= b.full && b.stop * 2 <= b.full &&
		      (b.full >= HARD_LEAST || (b.full && b.sure));
	if (shape->hard)
		shape->width = raw;
}

/* How wide the text is, and whether its records have times. */
static struct shape find_shape(const char *start, const char *end)
{
	struct widths all = { .count = 0 }, logged = { .count = 0 };
	struct shape shape = { .width = 0 };
	size_t stamped = 0;
	struct text_line line;
	bool after = false;

	for (const char *at = start; text_line(at, end, &line); at = line.next) {
		bool stamp = is_stamped(skip_blanks(line.at, line.end), line.end);
		bool words = has_words(line);

		if (line.at == line.end)
			continue;
		shape.lines++;
		stamped += stamp;
		if (words)
			add_width(&all, length_of(line));
		if (words && (stamp || after))
			add_width(&logged, length_of(line));
		after = stamp;
	}
	shape.stamped = stamped * 4 >= shape.lines && stamped;
	shape.width = width_of(shape.stamped ? &logged : &all);
	find_hard(&shape, start, end);
	if (!shape.hard && !is_bounded(shape.width))
		shape.width = 0;
	return shape;
}

static void count_broken(struct shape *shape, const char *at, const char *end)
{
	struct text_line line, before = { at, at, at };
	bool joined = false;

	shape->broken = 0;
	for (; text_line(at, end, &line); at = line.next) {
		joined = goes_on(shape, before, joined, line);
		shape->broken += joined;
		before = line;
	}
}

/* A single long line may be the longest of them. */
static bool is_wrapped(const struct shape *shape)
{
	if (!shape->broken)
		return false;
	return shape->hard || shape->broken >= BROKEN_LEAST ||
	       (shape->width >= MAIL_LEAST && shape->width <= MAIL_MOST &&
		shape->lines <= MAIL_LINES);
}

/* ---- paragraphs of a log -------------------------------------------------------------------- */

struct paragraph {
	const char *end;
	bool logged;			/* it begins with a record */
	bool broken;			/* what begins no record continues the line before it */
	size_t hard;			/* the width, if words were broken too, or 0 */
};

static bool begins_logged(struct text_line line)
{
	const char *at = skip_blanks(line.at, line.end);

	return is_stamped(at, line.end) || is_message(at, line.end);
}

/* "to GPU hang": no record begins like the middle of a sentence, even if no width explains it. */
static bool begins_word(struct text_line line)
{
	const char *end = word_end(line.at, line.end);

	for (const char *at = line.at; at < end; at++)
		if (!islower((unsigned char)*at))
			return false;
	return end > line.at && end < line.end && !begins_logged(line);
}

/* A terminal fills each line that it breaks; lines of mail are of one length only by chance. */
static size_t hard_width(const char *at, const char *end)
{
	struct text_line line, before = { at, at, at }, other = before;
	size_t width = 0, full = 0;
	bool sure = false;

	for (const char *from = at; text_line(from, end, &line); from = line.next)
		width = MAX(width, raw_length(line));
	for (; text_line(at, end, &line); at = line.next, before = line) {
		if (begins_logged(line))
			continue;
		if (raw_length(before) + 1 < width)
			return 0;
		sure |= is_sure(before, line);
		full += !full || !same_end(before, other);
		other = before;
	}
	return sure || full >= HARD_LEAST ? width : 0;
}

/*
 * All lines up to an empty one, or to the first record. They were broken at one width if no line is
 * longer than what any break left too little room for. A line may follow a record by chance: it
 * continues that only if records begin with times, or if lines begin like the middle of a sentence.
 */
static struct paragraph find_paragraph(const char *start, const char *end)
{
	struct text_line line, before = { start, start, start };
	size_t longest = 0, room = SIZE_MAX, broken = 0, low = 0;
	bool stamped = true, fits;
	const char *at = start;

	for (; text_line(at, end, &line) && line.at < line.end; at = line.next, before = line) {
		const char *first = skip_blanks(line.at, line.end);
		bool stamp = is_stamped(first, line.end);

		if (length_of(line) > longest && has_words(line))
			longest = length_of(line);
		if (longest > WIDTH_MOST) {
			at = memmem(line.end, (size_t)(end - line.end), "\n\n", 2) ?: end;
			break;
		}
		if (stamp || is_message(first, line.end)) {
			if (!room)
				break;
			stamped &= stamp;
		} else if (before.at == before.end || !room) {
			room = 0;
		} else {
			broken++;
			low += !isupper((unsigned char)*first);
			room = MIN(room, length_of(before) + 1 +
						 (size_t)(word_end(first, line.end) - first));
		}
	}
	fits = broken && longest < room && longest <= WIDTH_MOST &&
	       (stamped ? longest >= LOG_LEAST : longest >= WIDTH_LEAST && low * 2 >= broken);
	return (struct paragraph){ at, room && longest <= WIDTH_MOST, fits,
				   fits ? hard_width(start, at) : 0 };
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
	if (line.at >= r->paragraph.end)
		r->paragraph = find_paragraph(line.at, end);
	if (r->paragraph.broken)
		r->joined = line.at < line.end && !begins_logged(line);
	else
		r->joined = (r->paragraph.logged && begins_word(line)) ||
			    (r->shape->width && goes_on(r->shape, r->before, r->joined, line));
	r->before = line;
	return r->joined;
}

struct joining {
	char *out;
	const char *from;		/* where the record began in the output */
	size_t joined;			/* by how many lines it was longer */
};

/* "[    9.123456]", "Nov  3 10:11:12", "2025-11-03T10:11:12+01:00" */
static bool ends_time(const char *from, const char *at)
{
	from = skip_blanks(from, at);
	return (at - from >= 7 && has_form(at - 7, at, "999999]")) ||
	       (at - from >= 8 && has_form(at - 8, at, "99:99:99")) ||
	       (word_end(from, at) == at && is_stamped(from, at));
}

/* "... guc_id=0 xe 0000:00:02.0: [drm] ...": a message that ran into the previous one. */
static void part_messages(struct joining *j)
{
	static const char *const words[] = { " i915 %%%%:%%:%%.9: ", " xe %%%%:%%:%%.9: " };

	for (char *at = (char *)(uintptr_t)j->from + 1; at < j->out && j->joined; at++) {
		if (*at != ' ')
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			if (!has_form(at, j->out, words[i]) || at[-1] == ':' || at - j->from < 4 ||
			    ends_time(j->from, at))
				continue;
			*at = '\n';
			j->joined--;
			break;
		}
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

static char *put_blanks(char *out, struct text_line line)
{
	size_t count = raw_length(line) - length_of(line);

	memset(out, ' ', count);
	return out + count;
}

static void join(const struct shape *shape, struct cleaning *text, char *out)
{
	const char *at = text->at, *end = at + text->size;
	struct text_line line, before = { at, at, at };
	struct reading reading = { .shape = shape, .paragraph.end = at, .before = before };
	struct joining j = { .out = out, .from = out };
	bool any = false, newline = false;

	for (; text_line(at, end, &line); at = line.next) {
		if (read_line(&reading, end, line)) {
			size_t hard = reading.paragraph.broken ? reading.paragraph.hard :
				      shape->hard ? shape->width : 0;

			/* Programs may have removed the blank at which a line was broken. */
			if (!hard || raw_length(before) < hard)
				*j.out++ = ' ';
			else
				j.out = put_blanks(j.out, before);
			if (!hard)
				line.at = skip_blanks(line.at, line.end);
			j.joined++;
		} else if (any) {
			end_record(&j, newline);
		}
		memcpy(j.out, line.at, length_of(line));
		j.out += length_of(line);
		newline = line.next > line.at && line.next[-1] == '\n';
		before = line;
		any = true;
	}
	end_record(&j, newline);
	clean_replace(text, out, (size_t)(j.out - out));
}

static size_t count_joined(const struct shape *shape, const char *at, const char *end)
{
	struct reading reading = { .shape = shape, .paragraph.end = at, .before = { at, at, at } };
	struct text_line line;
	size_t count = 0;

	for (; text_line(at, end, &line); at = line.next) {
		count += read_line(&reading, end, line);
		if (!shape->width && !reading.paragraph.logged)
			line.next = MAX(line.next, reading.paragraph.end);
	}
	return count;
}

void clean_wrap(struct cleaning *text)
{
	const char *end = text->at + text->size;
	struct shape shape = find_shape(text->at, end);
	size_t joined;
	char *out;

	shape.margin = text->margin;
	if (shape.width)
		count_broken(&shape, text->at, end);
	shape.wrapped = is_wrapped(&shape);
	if (!shape.wrapped)
		shape.width = 0;
	joined = count_joined(&shape, text->at, end);
	if (!joined)
		return;
	out = text->size < SIZE_MAX / 2 ? malloc(text->size + joined + 1) : NULL;
	text->memory_out |= !out;
	if (out)
		join(&shape, text, out);
}
