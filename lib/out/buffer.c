/* SPDX-License-Identifier: MIT */
/*
 * The buffer behind every form of output; an error of the descriptor is kept and checked once.
 * Paragraphs of text, and long lines, within a screen. Foreign text: on a terminal it must not send
 * control codes, in JSON it must be UTF-8.
 */
#include "out/out.h"

#include "util/number.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum gsc_status gsc_out_new(struct gsc_out **out, int fd, bool colour, struct gsc_error *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return err_memory(err);
	(*out)->fd = fd;
	(*out)->colour = colour;
	return GSC_OK;
}

void gsc_out_free(struct gsc_out *out)
{
	if (!out)
		return;
	if (out->html)
		vec_free(&out->html->line);
	free(out->html);
	free(out->data);
	free(out);
}

int gsc_out_error(const struct gsc_out *out)
{
	return out->error;
}

/* Folded, it could not be pasted. */
void out_command(struct gsc_out *out, const char *name)
{
	out->whole = true;
	gsc_out_format(out, "%s%s%s%s", out->prefix ? out->prefix : "gpu-", name,
		       out->options && *out->options ? " " : "", out->options ? out->options : "");
}

const char *gsc_out_data(const struct gsc_out *out, size_t *size)
{
	*size = out->size;
	return out->data;
}

__attribute__((noinline)) bool out_grow(struct gsc_out *out, size_t more)
{
	/* More than a little will be much: this avoids a copy at each doubling. */
	size_t least = out->room && out->fd >= 0 ? OUT_FLUSH_AT : 4096;

	if (vec_grow((void **)&out->data, &out->room, out->size, MAX(more, least), 1))
		return true;
	out->error = out->error ? out->error : ENOMEM;
	return false;
}

static void write_all(struct gsc_out *out)
{
	struct pollfd writable = { .fd = out->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < out->size && !out->error) {
		ssize_t wrote = write(out->fd, out->data + done, out->size - done);

		if (wrote > 0)
			done += (size_t)wrote;
		else if (wrote == 0)
			out->error = EIO;
		else if (errno != EINTR && (errno != EAGAIN ||
			 (poll(&writable, 1, -1) <= 0 && errno != EINTR)))
			out->error = errno;
	}
	for (size_t i = 0; out->width && i < out->size; i++)
		out->lines += out->data[i] == '\n';
	out->size = out->line = 0;
}

size_t gsc_out_lines(struct gsc_out *out)
{
	write_all(out);
	return out->lines;
}

enum gsc_status gsc_out_flush(struct gsc_out *out, struct gsc_error *err)
{
	if (out->fd >= 0)
		write_all(out);
	return out->error ? err_errno(err, "output", out->error) : GSC_OK;
}

void gsc_out_bytes(struct gsc_out *out, const void *data, size_t size)
{
	char *at = size ? out_room(out, size) : NULL;

	if (!at)
		return;
	memcpy(at, data, size);
	out_used(out, at + size);
}

void gsc_out_text(struct gsc_out *out, const char *text)
{
	gsc_out_bytes(out, text, strlen(text));
}

void gsc_out_format(struct gsc_out *out, const char *format, ...)
{
	char text[1024];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (length > 0)
		gsc_out_bytes(out, text, MIN((size_t)length, sizeof(text) - 1));
}

void gsc_out_hex(struct gsc_out *out, uint64_t value, unsigned digits)
{
	char *at = out_room(out, NUMBER_MAX);

	if (!at)
		return;
	if (digits > 16 || (digits < 16 && value >> digits * 4))
		out_used(out, number_hex(at, value));
	else
		out_used(out, number_hex_padded(at, value, digits));
}

void gsc_out_decimal(struct gsc_out *out, uint64_t value)
{
	char *at = out_room(out, NUMBER_MAX);

	if (at)
		out_used(out, number_decimal(at, value));
}

void gsc_out_pad(struct gsc_out *out, unsigned column)
{
	size_t width = out->size - out->line - out->hidden;
	size_t blanks = column >= width + 2 || !width ? column - width : 2;
	char *at = out_room(out, blanks);

	if (!at)
		return;
	memset(at, ' ', blanks);
	out_used(out, at + blanks);
}

/* ---- long lines on a terminal --------------------------------------------------------------- */

#define CELL_LEAST 24			/* columns worth keeping a table's last column for */

/* Parts of a colour, and further bytes of a character, take none. */
static unsigned columns_of(const char *line, const char *end)
{
	unsigned columns = 0;
	bool escape = false;

	for (const char *at = line; at < end; at++) {
		if (*at == '\033')
			escape = true;
		else if (escape && *at == 'm')
			escape = false;
		else if (!escape && ((unsigned char)*at & 0xc0) != 0x80)
			columns++;
	}
	return columns;
}

/* The first word of the rest, with the blanks before it. */
static const char *word_end(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	while (at < end && *at != ' ')
		at++;
	return at;
}

/*
 * The line continues under its last column, or slightly indented. A short last cell moves towards
 * the others instead.
 */
static void fold_line(struct gsc_out *out, const char *line, const char *end)
{
	unsigned excess = columns_of(line, end) - out_columns(out), column, others, longest = 0;
	const char *cell = end, *gap, *next;

	/* Where the last column of a table's row begins, after two blanks or more; or the text. */
	while (cell - line > 2 && !(cell[-1] == ' ' && cell[-2] == ' '))
		cell--;
	if (cell - line <= 2)
		cell = line + strspn(line, " ");
	gap = cell;
	while (gap > line && gap[-1] == ' ')
		gap--;
	column = columns_of(line, cell);
	for (const char *at = cell; at < end; at = next) {
		at = MIN(at + strspn(at, " "), end);
		next = word_end(at, end);
		longest = MAX(longest, columns_of(at, next));
	}
	others = gap > line && column + MAX(CELL_LEAST, longest) <= out_columns(out) ? column :
		 (unsigned)strspn(line, " ") + 4;
	if (gap > line && others != column && cell - gap >= 2 + (ptrdiff_t)excess) {
		gsc_out_bytes(out, line, (size_t)(cell - excess - line));
		gsc_out_bytes(out, cell, (size_t)(end - cell));
		return;
	}
	column = 0;
	for (const char *at = line; at < end; at = next) {
		unsigned width;

		next = word_end(at, end);
		width = columns_of(at, next);
		if (at > line && column + width > out_columns(out)) {
			at += strspn(at, " ");
			width = others + columns_of(at, next);
			column = 0;
			gsc_out_bytes(out, "\n", 1);
			for (unsigned i = 0; i < others + out->indent; i++)
				gsc_out_bytes(out, " ", 1);
		}
		gsc_out_bytes(out, at, (size_t)(next - at));
		column += width;
	}
}

static void fold(struct gsc_out *out)
{
	size_t size = out->size - out->line;
	bool whole = out->whole;
	char *lines;

	out->whole = false;
	if (whole || size <= out_columns(out))
		return;
	lines = malloc(size);
	if (!lines)
		return;
	memcpy(lines, out->data + out->line, size);
	out->size = out->line;
	for (const char *at = lines, *all = lines + size, *end; at < all; at = end + 1) {
		end = memchr(at, '\n', (size_t)(all - at));
		if (!end)
			end = all;
		if (columns_of(at, end) > out_columns(out))
			fold_line(out, at, end);
		else
			gsc_out_bytes(out, at, (size_t)(end - at));
		if (end < all)
			gsc_out_bytes(out, "\n", 1);
	}
	free(lines);
}

/* ---- ends of lines -------------------------------------------------------------------------- */

static void line_begins(struct gsc_out *out)
{
	char *at = out->indent ? out_room(out, out->indent) : NULL;

	if (at)
		out_used(out, (char *)memset(at, ' ', out->indent) + out->indent);
	else
		out->indent = 0;
	out->line = out->size;
	out->hidden = 0;
}

void gsc_out_end(struct gsc_out *out)
{
	/* Nearly all lines of a file or pipe. */
	if (!out->width && !out->indent && out->size < out->room) {
		out_line_end(out, out->data + out->size);
		return;
	}
	if (out->html) {
		out_html_line(out);
	} else {
		if (out->width)
			fold(out);
		gsc_out_bytes(out, "\n", 1);
		if (out->fd >= 0 && out->size >= OUT_FLUSH_AT)
			write_all(out);
	}
	line_begins(out);
}

void out_indent(struct gsc_out *out, unsigned columns)
{
	out->size -= out->indent;
	out->indent = columns;
	line_begins(out);
}

void out_spill(struct gsc_out *out)
{
	if (out->fd >= 0 && out->size >= OUT_FLUSH_AT)
		write_all(out);
}

void gsc_out_style(struct gsc_out *out, enum gsc_style style)
{
	static const char *const codes[] = {
		[GSC_STYLE_PLAIN] = "\033[0m", [GSC_STYLE_BOLD] = "\033[1m",
		[GSC_STYLE_DIM] = "\033[2m",   [GSC_STYLE_RED] = "\033[31m",
		[GSC_STYLE_YELLOW] = "\033[33m", [GSC_STYLE_CYAN] = "\033[36m",
	};

	if (!out->colour || (unsigned)style >= ARRAY_SIZE(codes))
		return;
	if (out->html)
		out_byte(out, (char)(OUT_STYLE_BYTE + style));
	else
		gsc_out_text(out, codes[style]);
	out->hidden += out->html ? 1 : strlen(codes[style]);
}

/* ---- foreign text --------------------------------------------------------------------------- */

size_t utf8_take(const char *text, unsigned *point)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	size_t length = byte[0] < 0x80 ? 1 : byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
	unsigned code = length == 1 ? byte[0] : byte[0] & (0x7f >> length);

	if (length > 1 && (byte[0] < 0xc2 || byte[0] > 0xf4))
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (byte[i] & 0x3f);
	}
	*point = code;
	return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
											   : length;
}

/*
 * Control characters, and those of Unicode's category Cf (format): they reverse, join or split the
 * text around them, or stand for invisible text. Also line and paragraph separators.
 */
bool point_is_steering(unsigned point)
{
	static const struct {
		unsigned first, last;
	} steering[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x600, 0x605 },
		{ 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f }, { 0x890, 0x891 },
		{ 0x8e2, 0x8e2 }, { 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0x110bd, 0x110bd },
		{ 0x110cd, 0x110cd }, { 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steering) && point >= steering[i].first; i++)
		if (point <= steering[i].last)
			return true;
	return false;
}

size_t harmless_length(const char *text)
{
	unsigned point;
	size_t length = utf8_take(text, &point);

	return length && point_is_steering(point) ? 0 : length;
}

void gsc_text_clean(char *text)
{
	while (*text) {
		size_t length = harmless_length(text);

		if (!length)
			*text = '?';
		text += length ? length : 1;
	}
}

/* For a part of a text, which ends in a zero, and beyond which no character extends. */
static void out_clean_bytes(struct gsc_out *out, const char *text, size_t size)
{
	for (const char *end = text + size; text < end;) {
		size_t length = harmless_length(text);

		gsc_out_bytes(out, length ? text : "?", length ? length : 1);
		text += length ? length : 1;
	}
}

void gsc_out_clean(struct gsc_out *out, const char *text)
{
	out_clean_bytes(out, text, strlen(text));
}

/* ---- paragraphs, and headings of parts ------------------------------------------------------ */

void text_wrapped(struct gsc_out *out, unsigned first, unsigned others, const char *label,
		  const char *text)
{
	size_t column = first + strlen(label), width = out->width ? out_columns(out) : SIZE_MAX;

	if (out->html)
		out->html->others = others + out->indent;
	gsc_out_pad(out, first);
	gsc_out_text(out, label);
	for (bool begun = false; *text; begun = true) {
		size_t length = strcspn(text, " ");

		if (begun && column + 1 + length > width) {
			gsc_out_end(out);
			gsc_out_pad(out, others);
			column = others;
		} else if (begun) {
			gsc_out_text(out, " ");
			column++;
		}
		out_clean_bytes(out, text, length);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	gsc_out_end(out);
}

void text_styled(struct gsc_out *out, enum gsc_style style, const char *text)
{
	gsc_out_style(out, style);
	gsc_out_text(out, text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void out_part(struct gsc_out *out, unsigned level, const char *text)
{
	if (out->html) {
		out_html_part(out, level, text);
		return;
	}
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void text_part(struct gsc_out *out, const char *text)
{
	out_part(out, 2, text);
	gsc_out_end(out);
}

void gsc_text_legend(struct gsc_out *out, const char *text)
{
	if (!out->width)
		return;
	gsc_out_style(out, GSC_STYLE_DIM);
	gsc_out_format(out, "# %s", text);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}
