/* SPDX-License-Identifier: MIT */
/*
 * The bodies of mails (RFC 2045): quoted-printable, if a header says it or the text shows it, and
 * base 64, if a header says it.
 */
#include "text/clean.h"

#include <strings.h>

#define LOOKED_AT (1 << 20)

enum coding { CODING_NONE, CODING_PRINTABLE, CODING_BASE64 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* How many bytes the line end there has, or 0. */
static size_t end_length(const char *at, const char *end)
{
	if (at < end && *at == '\n')
		return 1;
	return end - at > 1 && at[0] == '\r' && at[1] == '\n' ? 2 : 0;
}

/* Every `=` of such text begins an escape: itself is "=3D". */
static bool shows_escapes(const char *at, const char *end)
{
	size_t own = 0, others = 0, bare = 0;

	end = at + MIN(end - at, LOOKED_AT);
	while ((at = memchr(at, '=', (size_t)(end - at)))) {
		at++;
		if (end - at >= 2 && hex_digit(at[0]) >= 0 && hex_digit(at[1]) >= 0) {
			own += (at[0] == '3' && at[1] == 'D') ||
			       (at[0] == '2' && at[1] == '0' && end_length(at + 2, end));
			others++;
		} else if (end_length(at, end)) {
			own++;
		} else {
			bare++;
		}
	}
	return own && bare * 16 <= own + others;
}

/* Resolves the escapes; the line ends that they remove come back where a line ends. */
static char *decode_printable(char *out, const char *at, const char *end)
{
	size_t joined = 0;

	while (at < end) {
		if (*at == '=' && end_length(at + 1, end)) {
			at += 1 + end_length(at + 1, end);
			joined++;
		} else if (*at == '=' && end - at > 2 && hex_digit(at[1]) >= 0 &&
			   hex_digit(at[2]) >= 0) {
			*out++ = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
			at += 3;
		} else {
			*out++ = *at;
			for (; *at == '\n' && joined; joined--)
				*out++ = '\n';
			at++;
		}
	}
	while (joined--)
		*out++ = '\n';
	return out;
}

static int digit64(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

static bool is_base64(const char *at, const char *end)
{
	for (; at < end; at++)
		if (digit64(*at) < 0 && !strchr("=\r\n \t", *at))
			return false;
	return true;
}

/* Line ends are added until there are as many as in the encoded text. */
static char *decode_base64(char *out, const char *at, const char *end)
{
	uint32_t bits = 0;
	unsigned count = 0;
	size_t before = 0, after = 0;

	for (; at < end; at++) {
		int digit = digit64(*at);

		before += *at == '\n';
		if (digit < 0)
			continue;
		bits = bits << 6 | (uint32_t)digit;
		count += 6;
		if (count < 8)
			continue;
		count -= 8;
		*out = (char)(bits >> count);
		after += *out++ == '\n';
	}
	for (; after < before; after++)
		*out++ = '\n';
	return out;
}

static bool begins(struct text_line line, const char *words)
{
	size_t length = strlen(words);

	return (size_t)(line.end - line.at) >= length && !strncasecmp(line.at, words, length);
}

/* "Content-Transfer-Encoding: base64" */
static bool header_coding(struct text_line line, enum coding *coding)
{
	static const char key[] = "content-transfer-encoding:";

	while (line.at < line.end && (*line.at == ' ' || *line.at == '\t'))
		line.at++;
	if (!begins(line, key))
		return false;
	for (line.at += sizeof(key) - 1; line.at < line.end && *line.at == ' '; line.at++)
		;
	*coding = begins(line, "base64") ? CODING_BASE64 :
		  begins(line, "quoted-printable") ? CODING_PRINTABLE : CODING_NONE;
	return true;
}

/* A body ends where another part or mail begins. */
static const char *body_end(const char *at, const char *end)
{
	struct text_line line;
	bool blank = false;

	for (; text_line(at, end, &line); at = line.next) {
		if ((begins(line, "--") && line.end - line.at > 10 &&
		     !memchr(line.at, ' ', (size_t)(line.end - line.at))) ||
		    (blank && (begins(line, "From ") || begins(line, "Return-Path: "))))
			break;
		blank = line.at == line.end;
	}
	return at;
}

static char *decode_body(enum coding coding, char *out, const char *at, const char *end)
{
	if (coding == CODING_BASE64 && is_base64(at, end))
		return decode_base64(out, at, end);
	if (coding == CODING_PRINTABLE)
		return decode_printable(out, at, end);
	memmove(out, at, (size_t)(end - at));
	return out + (end - at);
}

/* All mails of the text, and all their parts; in place, because decoded text is not longer. */
static void decode_mails(struct cleaning *text)
{
	char *out = clean_own(text), *start = out;
	const char *at = out, *end = out + text->size;
	enum coding coding = CODING_NONE;
	struct text_line line;

	if (!out)
		return;
	while (text_line(at, end, &line)) {
		bool body = line.at == line.end && coding != CODING_NONE;
		const char *stop;

		header_coding(line, &coding);
		memmove(out, at, (size_t)(line.next - at));
		out += line.next - at;
		at = line.next;
		if (!body)
			continue;
		stop = body_end(at, end);
		out = decode_body(coding, out, at, stop);
		at = stop;
		coding = CODING_NONE;
	}
	text->size = (size_t)(out - start);
}

/* Headers are at the beginning, or after a few lines of another program. */
static bool has_header(const struct cleaning *text)
{
	const char *end = text->at + MIN(text->size, (size_t)LOOKED_AT);
	enum coding coding = CODING_NONE;
	struct text_line line;

	for (const char *at = text->at; text_line(at, end, &line); at = line.next)
		if (header_coding(line, &coding) && coding != CODING_NONE)
			return true;
	return false;
}

void clean_mail(struct cleaning *text)
{
	char *own;

	if (has_header(text)) {
		decode_mails(text);
		return;
	}
	if (!shows_escapes(text->at, text->at + text->size))
		return;
	own = clean_own(text);
	if (own)
		text->size = (size_t)(decode_printable(own, own, own + text->size) - own);
}
