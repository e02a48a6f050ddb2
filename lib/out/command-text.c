/* SPDX-License-Identifier: MIT */
/*
 * Commands as text: one line per dword, below it the fields that begin there. The constant part of
 * a field's line is made once, because batches have millions of them.
 */
#include "out/out.h"
#include "out/ready.h"
#include "util/number.h"

struct gsc_command_text {
	struct gsc_out *out;
	struct gsc_commands *set;
	unsigned flags;
	struct ready_set ready;
	const struct gsc_command *marked;	/* the command, if it contains marks */
};

static char *text_lead(char *at, const struct plan_field *f)
{
	return put_field_lead(at, f->lo + f->width - 1u, f->lo, f->name, f->name_length);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* "0x00001000:  0x7a000004" */
static char *put_dword(char *at, uint64_t address, uint32_t word)
{
	at = address >> 32 ? number_hex(at, address) : number_hex_dword(at, (uint32_t)address);
	at = put_piece(at, ":  ", 3);
	return number_hex_dword(at, word);
}

/* "  <- ACTHD", where an engine was: in so many bytes from there on. */
static void put_marks(struct gsc_out *out, const struct gsc_command *c, uint64_t address,
		      uint64_t bytes)
{
	for (size_t i = 0; i < c->mark_count; i++) {
		uint64_t offset = c->marks[i].address - address;

		if (offset >= bytes)
			continue;
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_format(out, "  <- %s", c->marks[i].name);
		if (offset)
			gsc_out_format(out, " at dword %u", (unsigned)(offset / 4));
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
}

static void dword_line(struct gsc_command_text *text, uint64_t address, uint32_t word)
{
	char *at = out_room(text->out, 2 * NUMBER_MAX + 8);

	if (!at)
		return;
	at = put_dword(at, address, word);
	if (!text->marked) {
		out_line_end(text->out, at);
		return;
	}
	out_used(text->out, at);
	put_marks(text->out, text->marked, address, 1);
	gsc_out_end(text->out);
}

/* A value that has not been written yet, or is one of too many to keep. */
static void new_field_line(struct ready_set *set, const struct layer *l,
			   const struct ready_field *r, uint64_t value)
{
	struct gsc_out *out = set->out;
	const struct c_field *def = r->plan->def;
	const char *problem = r->plan->reserved ? field_problem(l, def, value) : NULL;
	char text[FIELD_TEXT_MAX], *line, *at;
	const char *meaning = r->kind == READY_OTHER ? field_meaning(l, def, value, text) : NULL;

	line = at = out_room(out, r->lead_length + READY_BLOCK + FIELD_TEXT_COLUMN +
				  2 * NUMBER_MAX + GAP_BLOCK + (meaning ? strlen(meaning) : 0));
	if (!line)
		return;
	at = number_hex(ready_put(at, r->lead, r->lead_length), value);
	if (r->kind == READY_NUMBER)
		at = number_decimal(put_gap(at, line, FIELD_TEXT_COLUMN), value);
	else if (r->kind == READY_ADDRESS)
		at = number_hex(put_gap(at, line, FIELD_TEXT_COLUMN), ready_address(r, value));
	else if (meaning && *meaning)
		at = stpcpy(put_gap(at, line, FIELD_TEXT_COLUMN), meaning);
	ready_keep(set, r, value, meaning && meaning != text, line, (size_t)(at - line));
	if (!problem) {
		out_line_end(out, at);
		return;
	}
	out_used(out, at);
	gsc_out_pad(out, FIELD_TEXT_COLUMN);
	gsc_out_text(out, problem);
	gsc_out_end(out);
}

/* Dwords [from, to) of a group of fields, each with the fields that begin in it. */
static void dwords(struct gsc_command_text *text, const struct layer *l, const struct ready *ready,
		   const struct gsc_command *c, size_t base, size_t from, size_t to)
{
	const uint32_t *words = c->words + base;
	size_t count = c->count - base;
	bool all = text->flags & GSC_TEXT_VERBOSE;
	const char *kept;
	unsigned f = 0;
	size_t length;
	char *at;

	while (f < ready->plan->count && ready->fields[f].dword < from)
		f++;
	for (size_t d = from; d < to && d < count; d++) {
		if (base + d)
			dword_line(text, c->address + (base + d) * 4, words[d]);
		for (; f < ready->plan->count && ready->fields[f].dword <= d; f++) {
			const struct ready_field *r = &ready->fields[f];
			uint64_t value = ready_value(r, words, count);

			if (!(value || !r->quiet || all) ||
			    (r->conditional && !plan_condition(ready->plan, r->plan, words, count)))
				continue;
			kept = ready_kept(&text->ready, r, value, &length);
			at = kept ? out_room(text->out, length + READY_BLOCK) : NULL;
			if (at)
				out_line_end(text->out, ready_put(at, kept, length));
			else
				new_field_line(&text->ready, l, r, value);
		}
	}
}

/* One block is enough for nearly all names; after each, at least its definition follows. */
#define NAME_BLOCK 48u

_Static_assert(sizeof(struct b_command) >= NAME_BLOCK, "NAME_BLOCK bytes of a name are readable");

static void head_line(const struct gsc_command_text *text, const struct gsc_command *c)
{
	struct gsc_out *out = text->out;
	const struct known_command *known = c->known;
	size_t length = known ? known->name_length : strlen(c->name);
	char *at = out_room(out, 2 * NUMBER_MAX + 8 + length + NAME_BLOCK);

	if (!at)
		return;
	at = put_piece(put_dword(at, c->address, c->words[0]), ":  ", 3);
	/* There is only the name of the command to show. */
	if (text->flags & GSC_TEXT_BARE || (!out->colour && !out->width && !c->mark_count &&
					    c->status == GSC_COMMAND_OK)) {
		if (known && length <= NAME_BLOCK)
			memcpy(at, c->name, NAME_BLOCK);
		else
			memcpy(at, c->name, length);
		out_line_end(out, at + length);
		return;
	}
	out_used(out, at);
	gsc_out_style(out, c->status == GSC_COMMAND_OK ? GSC_STYLE_BOLD : GSC_STYLE_RED);
	gsc_out_bytes(out, c->name, length);
	if (c->status == GSC_COMMAND_TRUNCATED ||
	    (c->status != GSC_COMMAND_OK && c->count < c->length))
		gsc_out_format(out, "  truncated: %zu of %u dwords", c->count, c->length);
	else if (c->status == GSC_COMMAND_BAD_LENGTH)
		gsc_out_format(out, "  bad length: %u dword%s", c->length, &"s"[c->length == 1]);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	/* The other dwords may have no line. */
	put_marks(out, c, c->address, text->flags & GSC_TEXT_QUIET ? (uint64_t)c->count * 4 : 1);
	gsc_out_end(out);
}

/*
 * The fields of the command itself come before, between and after those that repeat. `own` is a
 * copy: preparing others moves them all.
 */
static void all_dwords(struct gsc_command_text *text, const struct plan *plan,
		       const struct ready own, const struct gsc_command *c)
{
	size_t done = 0;

	for (unsigned i = 0; i < plan->repeat_count; i++) {
		const struct plan_repeat *r = &plan->repeats[i];
		const struct ready *ready = ready_get(&text->ready, &r->fields);
		size_t at, times = plan_times(plan, r, c->words, c->count, &at);

		dwords(text, plan->layer, &own, c, 0, done, at);
		for (size_t n = 0; ready && n < times; n++)
			dwords(text, plan->layer, ready, c, at + n * r->size, 0, r->size);
		done = MAX(done, at + times * r->size);
	}
	dwords(text, plan->layer, &own, c, 0, done, c->count);
}

void gsc_command_text(struct gsc_command_text *text, const struct gsc_command *c)
{
	const struct plan *plan;
	const struct ready *ready;

	text->marked = c->mark_count ? c : NULL;
	head_line(text, c);
	if (text->flags & (GSC_TEXT_QUIET | GSC_TEXT_BARE))
		return;
	if (text->out->html)
		text->out->html->inside = true;
	ready = ready_command(&text->ready, text->set, c, &plan);
	if (ready)
		all_dwords(text, plan, *ready, c);
	for (size_t i = 1; !ready && i < c->count; i++)
		dword_line(text, c->address + i * 4, c->words[i]);
	if (text->out->html)
		text->out->html->inside = false;
}

enum gsc_status gsc_command_text_new(struct gsc_command_text **text, struct gsc_out *out,
				     struct gsc_commands *set, unsigned flags,
				     struct gsc_error *err)
{
	*text = calloc(1, sizeof(**text));
	if (!*text)
		return err_memory(err);
	(*text)->out = out;
	(*text)->set = set;
	(*text)->flags = flags;
	(*text)->ready.out = out;
	(*text)->ready.lead = text_lead;
	return GSC_OK;
}

void gsc_command_text_free(struct gsc_command_text *text)
{
	if (!text)
		return;
	ready_free(&text->ready);
	free(text);
}
