/* SPDX-License-Identifier: MIT */
/*
 * A page of a bug tracker, or a thread of mails: a log, a dump, lspci's rows in one text, with
 * prose in between. A line that only one format has begins its stretch; what follows belongs to it
 * until another format begins. The stretches of each format become a separate part, in which all
 * other lines are empty, so that line numbers do not change.
 */
#include "formats/dump.h"
#include "formats/kernel-log.h"
#include "formats/readers.h"
#include "text/lines.h"
#include "open/opening.h"

#include <stdio.h>

#define NAMED_MOST 3			/* stretches that a part's name lists */
#define HANG "GPU HANG: ecode "

const struct reader reader_pasted = { "pasted text", GSC_SOURCE_NONE };

/* Which format has such lines, or NULL: prose. */
static const struct reader *format_of(struct lines line)
{
	if (line.text.at == line.text.end)
		return NULL;
	if (kernel_log_line(line.text))
		return &reader_kernel_log;
	take_blanks(&line.text);
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->begins && readers[i]->begins(&line))
			return readers[i];
	return slice_begins(line.text, HANG) ? &reader_kernel_log : NULL;
}

/* ---- the stretches -------------------------------------------------------------------------- */

struct stretch {
	const struct reader *format;	/* the format of its lines; not always that of the reader */
	size_t at, end;			/* bytes */
	size_t first, last;		/* lines */
};

typedef VEC(struct stretch) stretch_vec;

static bool find_stretches(const struct blob *blob, stretch_vec *stretches)
{
	struct lines line = { .data = blob->data, .size = (size_t)blob->size };
	const struct reader *current = NULL;
	bool blank = false;
	size_t at;

	for (at = 0; lines_next(&line); at = line.at) {
		const struct reader *found = format_of(line);
		bool empty = line.text.at == line.text.end;
		struct stretch *stretch;
		struct lines inner = line;

		/* Prose after a blank line ends a format whose lines are all its own. */
		if (!found && !empty && blank && !is_blank(*line.text.at) &&
		    (current == &reader_kernel_log || current == &reader_config_text))
			current = NULL;
		blank = empty;
		take_blanks(&inner.text);
		if (found && !(current && current->includes && current->includes(found, &inner)))
			current = found;
		if (!current || empty)
			continue;
		stretch = stretches->count ? &stretches->items[stretches->count - 1] : NULL;
		if (!stretch || stretch->format != current) {
			stretch = vec_add(stretches);
			if (!stretch)
				return false;
			*stretch = (struct stretch){ current, at, at, line.number, line.number };
		}
		stretch->end = MIN(line.at, (size_t)blob->size);
		stretch->last = line.number;
	}
	return true;
}

static bool has_format(const stretch_vec *stretches, const struct reader *format)
{
	for (size_t i = 0; i < stretches->count; i++)
		if (stretches->items[i].format == format)
			return true;
	return false;
}

/* ---- parts of it ---------------------------------------------------------------------------- */

/* "thread.txt: lines 12-80, 95" */
static void name_part(char *name, size_t size, const struct blob *blob,
		      const stretch_vec *stretches, const struct reader *format)
{
	struct text text = text_begin(name, size);
	size_t named = 0;

	text_add(&text, "%.200s: lines ", blob->name);
	for (size_t i = 0; i < stretches->count; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->format != format)
			continue;
		if (named == NAMED_MOST) {
			text_add(&text, ", ...");
			return;
		}
		text_add(&text, s->first == s->last ? "%s%zu" : "%s%zu-%zu", named++ ? ", " : "",
			 s->first, s->last);
	}
}

/* All of the text except what is not of the kind: of that, only the line ends are left. */
static char *lines_of(const struct blob *blob, const stretch_vec *stretches,
		      const struct reader *format, size_t *size)
{
	const char *text = (const char *)blob->data;
	char *out = malloc((size_t)blob->size + 1), *to = out;
	size_t at = 0;

	for (size_t i = 0; out && i < stretches->count; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->format != format)
			continue;
		for (; at < s->at; at++)
			if (text[at] == '\n')
				*to++ = '\n';
		memcpy(to, text + s->at, s->end - s->at);
		to += s->end - s->at;
		at = s->end;
	}
	*size = (size_t)(to - out);
	return out;
}

/* What no reader accepts is no damage to the rest. */
static enum gsc_status add_part(struct gsc_source *source, size_t owner,
				const stretch_vec *stretches, const struct reader *format,
				const struct reader *reader, struct gsc_error *err)
{
	/* Parts move when one is added. */
	const struct blob blob = source->parts.items[owner].blob;
	struct gsc_error own = { 0 };
	char name[280], *text;
	size_t size;

	name_part(name, sizeof(name), &blob, stretches, format);
	text = lines_of(&blob, stretches, format, &size);
	if (!text)
		return err_memory(err);
	if (!reader)
		reader = source_reader((const uint8_t *)text, size);
	if (!reader || (reader != &reader_kernel_log &&
			!reader->score((const uint8_t *)text, size))) {
		free(text);
		return GSC_OK;
	}
	if (!source_add_text(source, owner, name, text, size, reader, &own))
		return GSC_OK;
	if (err_is_memory(&own))
		return err_memory(err);
	source_note(source, "%s: %s", own.what, own.why);
	return GSC_OK;
}

/* ---- parts that are not of one machine ------------------------------------------------------ */

/* "sed -n '12,80p;95p' thread.txt | gpu-fault -" */
static void name_command(char *command, size_t size, const char *file,
			 const stretch_vec *stretches, const struct reader *format)
{
	struct text text = text_begin(command, size);

	text_add(&text, "sed -n '");
	for (size_t i = 0; i < stretches->count && text.used + 60 < size; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->format == format)
			text_add(&text, "%zu,%zup;", s->first, s->last);
	}
	text.used--;
	text_add(&text, "' %s | gpu-fault -", name_to_paste(file));
}

/* What a reader looks for first: the dump of a hang, and among several the first in the text. */
static unsigned rank_of(const struct part *part)
{
	if (!part->dump || part->reader == &reader_kernel_log)
		return 0;
	if (slice_length(part_says(part, "Kernel")) || slice_length(part_says(part, "GPU HANG")))
		return 3;
	return part->reader->hang ? 2 : 1;
}

/* Where each part of a text begins. */
struct added {
	const struct reader *format[READER_COUNT];
	size_t line[READER_COUNT];
	size_t count;
};

/* `count`: of the parts that there are now. */
static void note_added(struct added *added, size_t count, const stretch_vec *stretches,
		       const struct reader *format)
{
	if (count <= added->count)
		return;
	added->format[added->count] = format;
	for (size_t i = stretches->count; i-- > 0;)
		if (stretches->items[i].format == format)
			added->line[added->count] = stretches->items[i].first;
	added->count++;
}

/* A thread may have dumps of several machines: those that disagree with the first are named. */
static void separate(struct gsc_source *source, size_t first, const struct blob *blob,
		     const stretch_vec *stretches, struct added *added)
{
	const struct part *parts = source->parts.items + first;
	char command[400], why[200];
	size_t anchor = 0;

	for (size_t i = 1; i < added->count; i++) {
		unsigned rank = rank_of(&parts[i]), most = rank_of(&parts[anchor]);

		if (rank > most || (rank == most && rank && added->line[i] < added->line[anchor]))
			anchor = i;
	}
	for (size_t i = added->count; i-- > 0;) {
		const struct part *part = &parts[i];

		if (i == anchor || part->reader == &reader_kernel_log ||
		    parts_agree(source->db, &parts[anchor], part, why, sizeof(why)))
			continue;
		name_command(command, sizeof(command), blob->name, stretches, added->format[i]);
		source_note(source,
			    "%.120s: from another machine or hang (%s), left out; to read it: %s",
			    part->name, why, command);
		source_drop_part(source, first + i);
		anchor -= i < anchor;
	}
}

/* The reader of a dump that takes the lines of a format; NULL: none does. */
static const struct reader *reader_of(const struct blob *blob, const stretch_vec *stretches,
				      const struct reader *format)
{
	const struct reader *reader;
	size_t size;
	char *text = lines_of(blob, stretches, format, &size);

	reader = text ? source_reader((const uint8_t *)text, size) : NULL;
	free(text);
	return reader == &reader_kernel_log ? NULL : reader;
}

bool pasted_is_several(struct part *part)
{
	const struct blob *blob = &part->blob;
	stretch_vec stretches = { 0 };
	size_t count = 0, readable = 0;

	if (find_stretches(blob, &stretches)) {
		part->no_log = !has_format(&stretches, &reader_kernel_log);
		for (size_t i = 0; readers[i]; i++)
			count += has_format(&stretches, readers[i]);
		for (size_t i = 0; count > 1 && readers[i]; i++)
			readable += has_format(&stretches, readers[i]) &&
				    (readers[i] == &reader_kernel_log ||
				     reader_of(blob, &stretches, readers[i]));
	}
	vec_free(&stretches);
	return readable > 1;
}

enum gsc_status pasted_open(struct gsc_source *source, size_t owner, struct gsc_error *err)
{
	const struct blob blob = source->parts.items[owner].blob;
	bool whole = source->parts.items[owner].reader != &reader_pasted, log;
	const struct reader *format, *inside;
	size_t first = source->parts.count;
	struct added added = { .count = 0 };
	stretch_vec stretches = { 0 };
	enum gsc_status status = GSC_OK;

	if (!find_stretches(&blob, &stretches))
		status = err_memory(err);
	log = has_format(&stretches, &reader_kernel_log);
	/* A reader has taken all of it: only its log is not known yet. */
	for (size_t i = READER_COUNT; i-- > 0 && !whole && !status;) {
		format = readers[i];
		if (format == &reader_kernel_log || !has_format(&stretches, format))
			continue;
		status = add_part(source, owner, &stretches, format, NULL, err);
		note_added(&added, source->parts.count - first, &stretches, format);
	}
	if (!status && log && !whole) {
		format = &reader_kernel_log;
		/* A log may contain the lines of a dump: then it is both. */
		inside = reader_of(&blob, &stretches, format);
		if (inside)
			status = add_part(source, owner, &stretches, format, inside, err);
		note_added(&added, source->parts.count - first, &stretches, format);
	}
	separate(source, first, &blob, &stretches, &added);
	if (!status && log)
		status = add_part(source, owner, &stretches, &reader_kernel_log,
				  &reader_kernel_log, err);
	vec_free(&stretches);
	return status;
}
