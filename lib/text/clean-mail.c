/* SPDX-License-Identifier: MIT */
/*
 * The bodies of mails (RFC 2045): quoted-printable, if a header says it or the text shows it, and
 * base 64, if a header says it.
 */
#include "text/clean.h"

#define LOOKED_AT (1 << 20)

enum coding { CODING_NONE, CODING_PRINTABLE, CODING_BASE64 };

/* "3D": a byte, or -1. */
static int hex_byte(struct slice s)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *high = slice_length(s) < 2 || !s.at[0] ? NULL : strchr(digits, s.at[0]);
	const char *low = high && s.at[1] ? strchr(digits, s.at[1]) : NULL;

	return low ? (int)((high - digits) << 4 | (low - digits)) : -1;
}

/* How many bytes the line end there has, or 0. */
static size_t end_length(struct slice s)
{
	return slice_begins(s, "\n") ? 1 : slice_begins(s, "\r\n") ? 2 : 0;
}

/* Every `=` of such text begins an escape: itself is "=3D". */
static bool shows_escapes(struct slice text)
{
	size_t own = 0, others = 0, bare = 0;
	int byte;

	for (text = slice_first(text, LOOKED_AT); (text.at = slice_char(text, '='));) {
		text.at++;
		byte = hex_byte(text);
		if (byte >= 0) {
			own += byte == '=' || (byte == ' ' && end_length(slice_from(text, 2)));
			others++;
		} else if (end_length(text)) {
			own++;
		} else {
			bare++;
		}
	}
	return own && bare * 16 <= own + others;
}

/* Resolves the escapes; the line ends that they remove come back where a line ends. */
static char *decode_printable(char *out, struct slice s)
{
	size_t joined = 0;

	while (s.at < s.end) {
		struct slice rest = slice_from(s, 1);

		if (*s.at == '=' && end_length(rest)) {
			s.at = rest.at + end_length(rest);
			joined++;
		} else if (*s.at == '=' && hex_byte(rest) >= 0) {
			*out++ = (char)hex_byte(rest);
			s.at = rest.at + 2;
		} else {
			*out++ = *s.at;
			for (; *s.at == '\n' && joined; joined--)
				*out++ = '\n';
			s = rest;
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

static bool is_base64(struct slice s)
{
	for (; s.at < s.end; s.at++)
		if (digit64(*s.at) < 0 && !strchr("=\r\n \t", *s.at))
			return false;
	return true;
}

/* Line ends are added until there are as many as in the encoded text. */
static char *decode_base64(char *out, struct slice s)
{
	uint32_t bits = 0;
	unsigned count = 0;
	size_t before = 0, after = 0;

	for (; s.at < s.end; s.at++) {
		int digit = digit64(*s.at);

		before += *s.at == '\n';
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

static bool begins(struct slice s, const char *words)
{
	return slice_named(slice_first(s, strlen(words)), words);
}

/* "Content-Transfer-Encoding: base64" */
static bool header_coding(struct slice line, enum coding *coding)
{
	static const char key[] = "content-transfer-encoding:";

	take_blanks(&line);
	if (!begins(line, key))
		return false;
	line = slice_from(line, strlen(key));
	take_blanks(&line);
	*coding = begins(line, "base64") ? CODING_BASE64 :
		  begins(line, "quoted-printable") ? CODING_PRINTABLE : CODING_NONE;
	return true;
}

/* A body ends where another part or mail begins. */
static const char *body_end(struct slice rest)
{
	struct text_line line;
	bool blank = false;

	while (take_line(&rest, &line)) {
		if ((begins(line.text, "--") && slice_length(line.text) > 10 &&
		     !slice_char(line.text, ' ')) ||
		    (blank && (begins(line.text, "From ") || begins(line.text, "Return-Path: "))))
			return line.text.at;
		blank = line.text.at == line.text.end;
	}
	return rest.end;
}

/* All mails of the text, and all their parts; in place, because decoded text is not longer. */
static void decode_mails(struct cleaning *text)
{
	char *out = clean_own(text), *start = out;
	struct slice rest = clean_text(text), body;
	enum coding coding = CODING_NONE;
	struct text_line line;

	while (out && take_line(&rest, &line)) {
		header_coding(line.text, &coding);
		out = clean_copy(out, (struct slice){ line.text.at, line.next });
		if (line.text.at < line.text.end || coding == CODING_NONE)
			continue;
		body = (struct slice){ rest.at, body_end(rest) };
		rest.at = body.end;
		out = coding == CODING_BASE64 && is_base64(body) ? decode_base64(out, body) :
		      coding == CODING_PRINTABLE ? decode_printable(out, body) :
						   clean_copy(out, body);
		coding = CODING_NONE;
	}
	if (out)
		text->size = (size_t)(out - start);
}

void clean_mail(struct cleaning *text)
{
	struct slice head = slice_first(clean_text(text), LOOKED_AT);
	enum coding coding = CODING_NONE;
	struct text_line line;
	char *own;

	/* Headers are at the beginning, or after a few lines of another program. */
	while (coding == CODING_NONE && take_line(&head, &line))
		header_coding(line.text, &coding);
	if (coding != CODING_NONE) {
		decode_mails(text);
	} else if (shows_escapes(clean_text(text)) && (own = clean_own(text))) {
		text->size = (size_t)(decode_printable(own, clean_text(text)) - own);
	}
}
