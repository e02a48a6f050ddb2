/* SPDX-License-Identifier: MIT */
/*
 * The buffer behind every form of output; an error of the descriptor is kept and checked once.
 * Foreign text: on a terminal it must not send control codes, in JSON it must be UTF-8.
 */
#include "out/out.h"

#include "util/number.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
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
		out_html_free(out);
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
	if (out->html) {
		out_html_line(out);
	} else {
		if (out->width)
			out_fold(out);
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

void out_clean_bytes(struct gsc_out *out, const char *text, size_t size)
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
