/* SPDX-License-Identifier: MIT */
/*
 * gpu-pte without a VALUE: entries from standard input, one per line, for as long as there are any.
 * Results are shown as soon as the input pauses.
 */
#include "pte.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHUNK (64u << 10)
#define TOLD_MAX 19			/* of bad lines, one more says how many there are */

struct stream {
	struct pte *pte;
	char data[2 * CHUNK];
	size_t size;
	uint64_t line, good, bad;
	bool skip;			/* the rest of a line that is too long */
};

static void complain_line(struct stream *s, const char *what, const char *why)
{
	char where[160];

	if (++s->bad > TOLD_MAX)
		return;
	snprintf(where, sizeof(where), "standard input:%llu: %.100s", LL(s->line), what);
	complain(&s->pte->common, GSC_PARTIAL, where, why);
}

static char *trim(char *line)
{
	size_t length;

	line += strspn(line, " \t\r");
	length = strlen(line);
	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = 0;
	return line;
}

/* Blank lines and comments are skipped. */
static void take_line(struct stream *s, char *line, size_t length)
{
	struct gsc_entry entry;
	struct gsc_error err;

	s->line++;
	if (s->skip || memchr(line, 0, length)) {
		s->skip = false;
		complain_line(s, "a line", "too long, or not text");
		return;
	}
	line[length] = 0;
	line = trim(line);
	if (!*line || *line == '#')
		return;
	if (pte_decode(s->pte, line, &entry, &err)) {
		complain_line(s, err.what, err.why);
		return;
	}
	if (!s->good++)
		pte_begin(s->pte);
	pte_show(s->pte, &entry);
}

static void take_chunk(struct stream *s)
{
	char *at = s->data, *end = s->data + s->size, *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
		take_line(s, at, (size_t)(newline - at));
		at = newline + 1;
	}
	s->size = (size_t)(end - at);
	memmove(s->data, at, s->size);
	if (s->size >= CHUNK) {
		s->skip = true;
		s->size = 0;
	}
}

static enum gsc_status read_all(struct stream *s, struct gsc_error *err)
{
	struct gsc_out *out = s->pte->common.out;

	while (!gsc_out_error(out)) {
		ssize_t got = read(STDIN_FILENO, s->data + s->size, CHUNK);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			*err = (struct gsc_error){ GSC_FAILED, "standard input", "" };
			snprintf(err->why, sizeof(err->why), "%s", strerror(errno));
			return GSC_FAILED;
		}
		if (!got)
			break;
		s->size += (size_t)got;
		take_chunk(s);
		if (gsc_out_flush(out, err))
			return GSC_OK;	/* reported when the output is closed */
	}
	if (s->size || s->skip)
		take_line(s, s->data, s->size);
	return GSC_OK;
}

static enum gsc_status tell_bad(struct stream *s, struct gsc_error *err)
{
	char what[60];

	if (!s->bad)
		return GSC_OK;
	if (!s->good) {
		*err = (struct gsc_error){ GSC_FAILED, "standard input",
					   "not recognised: no line is an entry" };
		return GSC_FAILED;
	}
	if (s->bad > TOLD_MAX) {
		snprintf(what, sizeof(what), "standard input: %llu more lines",
			 LL(s->bad - TOLD_MAX));
		complain(&s->pte->common, GSC_PARTIAL, what, "are not entries");
	}
	return GSC_PARTIAL;
}

enum gsc_status stream_run(struct pte *pte, struct gsc_error *err)
{
	struct stream s = { .pte = pte };
	enum gsc_status status = pte_open(pte, err);

	if (!status)
		status = read_all(&s, err);
	if (status)
		return status;
	if (!s.good && !s.bad)
		pte_begin(pte);
	if (s.good || !s.bad)
		pte_end(pte);
	return tell_bad(&s, err);
}
