/* SPDX-License-Identifier: MIT */
/*
 * A page of a bug tracker, or a thread of mails: a log, a dump, lspci's rows in one text, with
 * prose between. Lines that only one format has say where its stretch begins; what follows belongs
 * to it until another one does. Each format's stretches become a part of their own, in which all
 * other lines are empty: numbers of lines stay what they are.
 */
#include "formats/dump.h"
#include "formats/inteltool.h"
#include "formats/kernel-log.h"
#include "formats/readers.h"
#include "text/lines.h"
#include "open/open.h"

#include <stdio.h>

#define NAMED_MOST 3			/* stretches that a part's name gives */
#define HANG "GPU HANG: ecode "

/* The other parts of a text; PASTED_PROSE is what nobody reads. */
enum pasted {
	PASTED_PROSE, PASTED_LOG, PASTED_STATE, PASTED_COREDUMP, PASTED_CONFIG, PASTED_REGISTERS,
	PASTED_VTD, PASTED_INTELTOOL, PASTED_KINDS
};

static const struct {
	enum pasted pasted;
	const char *words;		/* that a line begins with, after blanks */
} beginnings[] = {
	{ PASTED_STATE, HANG }, { PASTED_STATE, "PCI ID: 0x" },
	{ PASTED_STATE, "EIR: 0x" }, { PASTED_STATE, "PGTBL_ER: 0x" },
	{ PASTED_STATE, "DERRMR: 0x" }, { PASTED_STATE, "Active process (on ring" },
	{ PASTED_STATE, "fence[0] = " }, { PASTED_STATE, "IPEHR: 0x" },
	{ PASTED_STATE, "render command stream:" }, { PASTED_STATE, "rcs0 command stream:" },
	{ PASTED_COREDUMP, "**** Xe Device Coredump ****" }, { PASTED_COREDUMP, "**** GuC " },
	{ PASTED_COREDUMP, "**** Job ****" }, { PASTED_COREDUMP, "**** HW Engines ****" },
	{ PASTED_COREDUMP, "**** VM state ****" }, { PASTED_COREDUMP, "**** Contexts ****" },
	{ PASTED_COREDUMP, "**** GT #" },
	{ PASTED_REGISTERS, "# gpu-regdump " }, { PASTED_INTELTOOL, "CPU: ID 0x" },
	{ PASTED_INTELTOOL, "Northbridge: 8086:" }, { PASTED_INTELTOOL, "IGD: 8086:" },
};

/* Lines that two formats have: xe prints registers and the PCI id by i915's names. */
static bool is_part_of(enum pasted current, enum pasted found, struct slice line)
{
	line = slice_trim(line);
	return (current == PASTED_COREDUMP && found == PASTED_STATE && !slice_begins(line, HANG) &&
		!slice_begins(line, "Active process (on ring")) ||
	       (current == PASTED_INTELTOOL &&
		(found == PASTED_CONFIG || found == PASTED_REGISTERS));
}

static bool is_row_of_config(struct slice text)
{
	uint64_t byte;

	if (take_digits(&text, 2, &byte) != 2 || !take_text(&text, ":"))
		return false;
	for (unsigned i = 0; i < 16; i++)
		if (!take_text(&text, " ") || take_digits(&text, 2, &byte) != 2)
			return false;
	return true;
}

/* "00:02.0 VGA compatible controller: ", "0000:00:02.0 ..." */
static bool is_function(struct slice text)
{
	uint64_t number;

	if (slice_length(text) > 13 && text.at[4] == ':')
		text.at += 5;
	return slice_length(text) > 10 && take_digits(&text, 2, &number) == 2 &&
	       take_text(&text, ":") && take_digits(&text, 2, &number) == 2 &&
	       take_text(&text, ".") && is_digit(*text.at++) && take_text(&text, " ") &&
	       *text.at >= 'A' && *text.at <= 'Z';
}

/* "   DSPACNTR (0x00070180): 0x58000000" */
static bool is_register(struct slice text)
{
	const char *open = slice_find(slice_first(text, 80), " (0x");
	struct slice rest = { open ? open : text.end, text.end };

	return slice_find(slice_first(rest, 32), "): 0x");
}

static enum pasted classify(struct slice text)
{
	struct slice front;

	if (text.at == text.end)
		return PASTED_PROSE;
	if (kernel_log_line(text))
		return PASTED_LOG;
	take_blanks(&text);
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (slice_begins(text, beginnings[i].words))
			return beginnings[i].pasted;
	if (is_row_of_config(text) || is_function(text))
		return PASTED_CONFIG;
	if (is_register(text))
		return PASTED_REGISTERS;
	if (inteltool_heading(text))
		return PASTED_INTELTOOL;
	front = slice_first(text, 80);
	if (slice_find(front, "command stream:"))
		return PASTED_STATE;
	if (slice_find(front, " (physical), logical instance="))
		return PASTED_COREDUMP;
	return slice_find(front, "Root Table Address:") ? PASTED_VTD : PASTED_PROSE;
}

const char pasted_kind[] = "pasted text";

/*
 * "GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]" heads an error state, where the driver writes
 * about the kernel and the time in the next lines; alone it is out of a log.
 */
static bool heads_state(struct lines line)
{
	static const char *const next[] = {
		"Kernel:", "Driver:", "Time:", "Boottime:", "Uptime:", "Capture:", "Epoch:",
		"Active process", "Reset count:", "Suspend count:", "Platform:", "Subplatform:",
	};
	struct slice words;

	do {
		if (!lines_next(&line))
			return false;
	} while (line.text.at == line.text.end);
	words = slice_trim(line.text);
	for (size_t i = 0; i < ARRAY_SIZE(next); i++)
		if (slice_begins(words, next[i]))
			return true;
	return classify(line.text) == PASTED_STATE && !slice_begins(words, HANG);
}

/* ---- the stretches -------------------------------------------------------------------------- */

struct stretch {
	enum pasted pasted;
	size_t at, end;			/* bytes */
	size_t first, last;		/* lines */
};

typedef VEC(struct stretch) stretch_vec;

/* Prose after a blank line ends what has no lines but its own. */
static bool ends_here(enum pasted current, bool blank, struct slice line)
{
	return blank && (current == PASTED_LOG || current == PASTED_CONFIG) &&
	       !is_blank(*line.at);
}

static bool find_stretches(const struct blob *blob, stretch_vec *stretches)
{
	struct lines line = { .data = blob->data, .size = (size_t)blob->size };
	enum pasted current = PASTED_PROSE;
	bool blank = false;
	size_t at;

	for (at = 0; lines_next(&line); at = line.at) {
		enum pasted found = classify(line.text);
		bool empty = line.text.at == line.text.end;
		struct stretch *stretch;

		if (found == PASTED_STATE && slice_begins(slice_trim(line.text), HANG) &&
		    !heads_state(line))
			found = PASTED_LOG;
		if (found == PASTED_PROSE && !empty && ends_here(current, blank, line.text))
			current = PASTED_PROSE;
		blank = empty;
		if (found != PASTED_PROSE && !is_part_of(current, found, line.text))
			current = found;
		if (current == PASTED_PROSE || empty)
			continue;
		stretch = stretches->count ? &stretches->items[stretches->count - 1] : NULL;
		if (!stretch || stretch->pasted != current) {
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

static size_t kinds_of(const stretch_vec *stretches, bool has[PASTED_KINDS])
{
	size_t count = 0;

	memset(has, 0, PASTED_KINDS * sizeof(*has));
	for (size_t i = 0; i < stretches->count; i++) {
		count += !has[stretches->items[i].pasted];
		has[stretches->items[i].pasted] = true;
	}
	return count;
}

/* ---- parts of it ---------------------------------------------------------------------------- */

/* "thread.txt: lines 12-80, 95" */
static void name_part(char *name, size_t size, const struct blob *blob,
		      const stretch_vec *stretches, enum pasted pasted)
{
	struct text text = text_begin(name, size);
	size_t named = 0;

	text_add(&text, "%.200s: lines ", blob->name);
	for (size_t i = 0; i < stretches->count; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->pasted != pasted)
			continue;
		if (named == NAMED_MOST) {
			text_add(&text, ", ...");
			return;
		}
		text_add(&text, s->first == s->last ? "%s%zu" : "%s%zu-%zu", named++ ? ", " : "",
			 s->first, s->last);
	}
}

/* All of the text but what is not of the kind: of that only the ends of its lines are left. */
static char *lines_of(const struct blob *blob, const stretch_vec *stretches, enum pasted pasted,
		      size_t *size)
{
	const char *text = (const char *)blob->data;
	char *out = malloc((size_t)blob->size + 1), *to = out;
	size_t at = 0;

	for (size_t i = 0; out && i < stretches->count; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->pasted != pasted)
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

static enum gsc_status add_part(struct gsc_source *source, size_t owner,
				const stretch_vec *stretches, enum pasted pasted,
				const struct reader *reader, struct gsc_error *err)
{
	/* Parts move where one is added. */
	const struct blob blob = source->parts.items[owner].blob;
	char name[280], *text;
	size_t size;

	name_part(name, sizeof(name), &blob, stretches, pasted);
	text = lines_of(&blob, stretches, pasted, &size);
	if (!text)
		return err_memory(err);
	if (!reader)
		reader = source_reader((const uint8_t *)text, size);
	if (!reader || (reader != &reader_kernel_log &&
			!reader->score((const uint8_t *)text, size))) {
		free(text);
		return GSC_OK;
	}
	return source_add_text(source, owner, name, text, size, reader, err);
}

/* What no reader takes of it is no damage to the rest. */
static enum gsc_status add_or_note(struct gsc_source *source, size_t owner,
				   const stretch_vec *stretches, enum pasted pasted,
				   const struct reader *reader, struct gsc_error *err)
{
	struct gsc_error own = { 0 };
	enum gsc_status status = add_part(source, owner, stretches, pasted, reader, &own);

	if (!status)
		return GSC_OK;
	if (err_is_memory(&own))
		return err_memory(err);
	source_note(source, "%s: %s", own.what, own.why);
	return GSC_OK;
}

/* ---- parts that are not of one machine ------------------------------------------------------ */

/* "sed -n '12,80p;95p' thread.txt | gpu-fault -" */
static void name_command(char *command, size_t size, const char *file,
			 const stretch_vec *stretches, enum pasted pasted)
{
	struct text text = text_begin(command, size);

	text_add(&text, "sed -n '");
	for (size_t i = 0; i < stretches->count && text.used + 60 < size; i++) {
		const struct stretch *s = &stretches->items[i];

		if (s->pasted == pasted)
			text_add(&text, "%zu,%zup;", s->first, s->last);
	}
	text.used--;
	text_add(&text, "' %s | gpu-fault -", name_to_paste(file));
}

/* What a reader is after, first: the dump of a hang, and of several the first in the text. */
static unsigned rank_of(const struct part *part)
{
	if (!part->dump || part->form == GSC_SOURCE_LOG)
		return 0;
	for (size_t i = 0; i < part->dump->properties.count; i++)
		if (slice_is(part->dump->properties.items[i].key, "Kernel") ||
		    slice_is(part->dump->properties.items[i].key, "GPU HANG"))
			return 3;
	return part->form == GSC_SOURCE_ERROR_STATE ? 2 : 1;
}

/* Where each part of a text begins. */
struct added {
	enum pasted pasted[PASTED_KINDS];
	size_t line[PASTED_KINDS];
	size_t count;
};

/* `count`: of the parts that there are now. */
static void note_added(struct added *added, size_t count, const stretch_vec *stretches,
		       enum pasted pasted)
{
	if (count <= added->count)
		return;
	added->pasted[added->count] = pasted;
	for (size_t i = stretches->count; i-- > 0;)
		if (stretches->items[i].pasted == pasted)
			added->line[added->count] = stretches->items[i].first;
	added->count++;
}

static size_t anchor_of(const struct gsc_source *source, size_t first, const struct added *added)
{
	size_t best = 0;

	for (size_t i = 1; i < added->count; i++) {
		unsigned rank = rank_of(&source->parts.items[first + i]);
		unsigned most = rank_of(&source->parts.items[first + best]);

		if (rank > most || (rank == most && rank && added->line[i] < added->line[best]))
			best = i;
	}
	return best;
}

/* A thread may have dumps of several machines: those that disagree with the first are named. */
static void separate(struct gsc_source *source, size_t first, const struct blob *blob,
		     const stretch_vec *stretches, struct added *added)
{
	size_t anchor = added->count ? anchor_of(source, first, added) : 0;
	char command[400], why[200];

	for (size_t i = added->count; i-- > 0;) {
		const struct part *part = &source->parts.items[first + i];

		if (i == anchor || part->form == GSC_SOURCE_LOG ||
		    parts_agree(source->db, &source->parts.items[first + anchor], part, why,
				sizeof(why)))
			continue;
		name_command(command, sizeof(command), blob->name, stretches, added->pasted[i]);
		source_note(source,
			    "%.120s: of another machine or hang (%s), left out; to read it: %s",
			    part->name, why, command);
		source_drop_part(source, first + i);
		anchor -= i < anchor;
	}
}

/* A log may hold the lines of a dump: then it is both. */
static const struct reader *inside_log(const struct blob *blob, const stretch_vec *stretches)
{
	const struct reader *reader;
	size_t size;
	char *text = lines_of(blob, stretches, PASTED_LOG, &size);

	if (!text)
		return NULL;
	reader = source_reader((const uint8_t *)text, size);
	free(text);
	return reader == &reader_kernel_log ? NULL : reader;
}

static bool is_readable(const struct blob *blob, const stretch_vec *stretches, enum pasted pasted)
{
	const struct reader *reader;
	size_t size;
	char *text;

	if (pasted == PASTED_LOG)
		return true;
	text = lines_of(blob, stretches, pasted, &size);
	reader = text ? source_reader((const uint8_t *)text, size) : NULL;
	free(text);
	return reader && reader != &reader_kernel_log;
}

bool pasted_is_several(const struct blob *blob)
{
	stretch_vec stretches = { 0 };
	bool has[PASTED_KINDS];
	size_t readable = 0;

	if (find_stretches(blob, &stretches) && kinds_of(&stretches, has) > 1)
		for (int i = PASTED_LOG; i < PASTED_KINDS; i++)
			readable += has[i] && is_readable(blob, &stretches, (enum pasted)i);
	vec_free(&stretches);
	return readable > 1;
}

enum gsc_status pasted_open(struct gsc_source *source, size_t owner,
			    struct gsc_error *err)
{
	const struct blob blob = source->parts.items[owner].blob;
	bool whole = source->parts.items[owner].kind != pasted_kind, has[PASTED_KINDS];
	const struct reader *inside;
	size_t first = source->parts.count;
	struct added added = { .count = 0 };
	stretch_vec stretches = { 0 };
	enum gsc_status status = GSC_OK;

	if (!find_stretches(&blob, &stretches))
		status = err_memory(err);
	kinds_of(&stretches, has);
	/* Somebody has read all of it: only its log is not known yet. */
	for (int i = PASTED_KINDS - 1; i > PASTED_LOG && !whole && !status; i--)
		if (has[i]) {
			status = add_or_note(source, owner, &stretches, (enum pasted)i, NULL, err);
			note_added(&added, source->parts.count - first, &stretches,
				   (enum pasted)i);
		}
	if (!status && has[PASTED_LOG] && !whole) {
		inside = inside_log(&blob, &stretches);
		if (inside)
			status = add_or_note(source, owner, &stretches, PASTED_LOG, inside, err);
		note_added(&added, source->parts.count - first, &stretches, PASTED_LOG);
	}
	separate(source, first, &blob, &stretches, &added);
	if (!status && has[PASTED_LOG])
		status = add_or_note(source, owner, &stretches, PASTED_LOG,
				     &reader_kernel_log, err);
	vec_free(&stretches);
	return status;
}

