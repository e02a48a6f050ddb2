/* SPDX-License-Identifier: MIT */
/*
 * Rows from pasted lines, whatever program wrote the registers into a log, a mail or a bug report.
 */
#include "regs/given.h"

#include "text/lines.h"
#include "formats/regline.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NOTES_MAX 1000

struct paste {
	struct given given;
	char engine[16];		/* the engine of the block of lines, or "" */
	size_t line;
	bool done;			/* this line gave something: a row or a note */
	bool valued;			/* or should have: it contains a value */
	bool fields;			/* below a register of our own text are its fields */
	size_t lost, first_lost;	/* lines with a value that gave nothing */
};

/* ---- notes ---------------------------------------------------------------------------------- */

static bool keep(struct given *g, const char *text)
{
	char *copy = strdup(text), **slot = copy ? vec_add(&g->notes) : NULL;

	if (slot)
		*slot = copy;
	else
		free(copy);
	return slot;
}

static bool note(struct paste *p, const char *what, const char *why)
{
	char buf[900];
	struct text text = text_of(buf);
	size_t prefix;

	p->done = true;
	text_add(&text, "line %zu", p->line);
	prefix = text.used;
	text_add(&text, ": %s: %s", what, why);
	/* Each thing once, however often it comes. */
	for (size_t i = 0; i < p->given.notes.count; i++)
		if (!strcmp(strchr(p->given.notes.items[i], ':'), buf + prefix))
			return true;
	return p->given.notes.count >= NOTES_MAX || keep(&p->given, buf);
}

/* ---- names ---------------------------------------------------------------------------------- */

static enum gsc_status resolve_text(const struct given *g, const char *text, reg_vec *regs,
				    struct gsc_error *err)
{
	struct selector selector;
	enum gsc_status status = selector_read(&selector, g->view, text, err);

	/* Most words of a paste are no names: it is not worth searching for similar ones. */
	if (!status && !reg_name_known(g->view->db, selector.name.name))
		return err_set(err, GSC_UNKNOWN, text, "unknown register");
	return status ? status : given_resolve(g, &selector, regs, err);
}

/*
 * "rcs0.RING_TAIL" from TAIL in a line of that engine's block, or "FENCE[3]"; such a line may still
 * be about a register of the whole device. At last, drivers have keys that are no names.
 */
static enum gsc_status resolve_name(const struct paste *p, const char *engine, struct slice name,
				    char *text, size_t size, reg_vec *regs, struct gsc_error *err)
{
	struct slice rest = name, base = take_until(&rest, "[");
	enum gsc_status status = GSC_UNKNOWN;
	const struct driver_key *key;
	char plain[144];
	uint64_t address;

	base = slice_first(base, sizeof(plain) - 1);
	slice_copy(base, plain, sizeof(plain));
	rest = slice_first((struct slice){ base.end, name.end }, 12);
	key = driver_key(plain);
	for (unsigned i = *engine ? 0 : 1; i < 2 && status == GSC_UNKNOWN; i++) {
		struct text out = text_begin(text, size);

		regs->count = 0;
		text_add(&out, "%s%s%s%.*s", i ? "" : engine, i ? "" : ".",
			 key ? key->name : plain, SLICE(rest));
		status = resolve_text(&p->given, text, regs, err);
	}
	if (status != GSC_UNKNOWN)
		return status;
	regs->count = 0;
	if (slice_copy(name, plain, sizeof(plain)) &&
	    print_find(p->given.view, engine, plain, &address) &&
	    regs_at(p->given.view, GSC_MMIO, address, regs) && regs->count)
		return GSC_OK;
	return status;
}

/* Registers are written in capitals; "seqno: 0x17" is prose. */
static bool has_capital(struct slice name)
{
	for (; name.at < name.end; name.at++)
		if (isupper((unsigned char)*name.at))
			return true;
	return false;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* A value in halves for a register of 32 bits: the upper half is a separate register. */
static bool add_value(struct paste *p, const reg_vec *regs, const char *name, uint64_t value,
		      bool halves)
{
	struct given *g = &p->given;
	reg_vec upper = { 0 };
	struct gsc_error err;
	char text[208];
	bool done;

	snprintf(text, sizeof(text), "%.199s_UDW", name);
	if ((halves || value > UINT32_MAX) && given_widest(g->view, regs) == 32 &&
	    !resolve_text(g, text, &upper, &err)) {
		done = given_add_regs(g, regs, value & UINT32_MAX) &&
		       given_add_regs(g, &upper, value >> 32);
		p->done = true;
	} else if (given_fit(g, regs, name, value, &err)) {
		done = note(p, err.what, err.why);
	} else {
		done = given_add_regs(g, regs, value);
		p->done = true;
	}
	vec_free(&upper);
	return done;
}

static bool add_named(struct paste *p, const char *engine, struct slice name, uint64_t value)
{
	struct gsc_error err;
	reg_vec regs = { 0 };
	char text[200];
	bool done = true;

	if (!resolve_name(p, engine, name, text, sizeof(text), &regs, &err))
		done = add_value(p, &regs, text, value, false);
	else if (has_capital(name))
		done = note(p, err.what, err.why);
	vec_free(&regs);
	return done;
}

/*
 * One value of a line that gives its address. In a row of several, those without definition are not
 * reported. A remark may follow the value, and a word of it may be a name.
 */
static bool add_cell(struct paste *p, const struct regline *line, uint64_t address, uint64_t value)
{
	struct item item = { .reg = NONE, .space = line->space, .start = address,
			     .last = reg_last(line->space, address, line->size * 8u) };
	struct slice name = line->name;
	struct given *g = &p->given;
	reg_vec regs = { 0 };
	struct gsc_error err;
	bool done = regs_at(g->view, line->space, address, &regs);
	char what[24];

	if (line->kind == REGLINE_OWN)
		name = take_until(&name, " ");
	if (done && regs.count && given_fit(g, &regs, "line", value, &err)) {
		done = note(p, err.what, err.why);
	} else if (regs.count) {
		for (size_t r = 0; done && r < regs.count; r++)
			done = given_add(g, reg_item(g->view, regs.items[r]), value);
	} else if (done && line->count == 1 && line->kind != REGLINE_PLAIN && name.at < name.end) {
		done = add_named(p, p->engine, name, value);
	} else if (done && line->count == 1) {
		snprintf(what, sizeof(what), "0x%llx", (unsigned long long)address);
		done = note(p, what, "no register is defined at this address") &&
		       given_add(g, item, value);
	}
	vec_free(&regs);
	return done;
}

static bool add_addressed(struct paste *p, const struct regline *line)
{
	p->done = true;
	for (unsigned i = 0; i < line->count; i++) {
		uint64_t address = line->address + (uint64_t)i * line->size;

		if (line->status[i] == GSC_READ_OK && address >= line->address &&
		    !add_cell(p, line, address, line->value[i]))
			return false;
	}
	return true;
}

/* ---- values --------------------------------------------------------------------------------- */

struct pair {
	struct slice name, value;
	char separator;			/* ':', '=' or ' ' */
	bool tight;			/* "NAME=VALUE", as on a command line */
};

enum reading { READ_NOT, READ_VALUE, READ_EITHER };

struct digits {
	size_t decimal, letters, others;	/* letters: of hexadecimal digits */
};

static struct digits count_digits(struct slice t)
{
	struct digits d = { 0 };

	for (; t.at < t.end; t.at++) {
		if (is_digit(*t.at))
			d.decimal++;
		else if (is_hex(*t.at))
			d.letters++;
		else
			d.others++;
	}
	return d;
}

/* As %08x and %016llx print. */
static bool is_padded(struct slice t)
{
	return slice_length(t) == 8 || slice_length(t) == 16;
}

/* Digits without letters: a single one is the same number in both bases. */
static enum reading read_decimals(const struct pair *pair, uint64_t *value)
{
	struct slice t = pair->value;
	bool fence = slice_length(pair->name) > 5 &&
		     !name_compare_n(pair->name.at, "fence[", 6);

	if (pair->separator == ' ' && !is_padded(t))
		return READ_NOT;
	if (slice_length(t) > 1 &&
	    ((is_padded(t) && *t.at == '0') || (fence && slice_length(t) >= 8)))
		return slice_hex(t, value) ? READ_VALUE : READ_NOT;
	if (!slice_number(t, value))
		return READ_NOT;
	return *value < 10 || (pair->tight && !is_padded(t)) ? READ_VALUE : READ_EITHER;
}

/* Without 0x it is taken for hexadecimal if it can be nothing else: "1e5" is a power of ten. */
static enum reading read_value(const struct pair *pair, uint64_t *value)
{
	struct slice t = pair->value;
	struct digits d = count_digits(t);
	const char *e = slice_char(t, 'e');
	bool power = e && e > t.at && d.letters == 1;

	if (slice_has_0x(t))
		return slice_number(t, value) ? READ_VALUE : READ_NOT;
	if (t.at == t.end)
		return READ_NOT;
	if (!d.others && !d.letters)
		return read_decimals(pair, value);
	if (!d.others && (is_padded(t) || (pair->separator != ' ' && d.decimal && !power)) &&
	    slice_hex(t, value))
		return READ_VALUE;
	return d.decimal && pair->separator == '=' && slice_number(t, value) ? READ_VALUE
									    : READ_NOT;
}

/* "0x00000001 0002003c", as error states write 64 bits: the lower half follows. */
static bool take_low_half(struct slice high, const char *end, uint64_t *value)
{
	struct slice rest = { high.end, end };
	uint64_t low;

	take_blanks(&rest);
	if (slice_length(high) != 10 || rest.at == high.end || slice_length(rest) < 8 ||
	    *value > UINT32_MAX || (slice_length(rest) > 8 && !is_blank(rest.at[8])) ||
	    !slice_hex(slice_first(rest, 8), &low))
		return false;
	*value = *value << 32 | low;
	return true;
}

/* ---- names and their values ----------------------------------------------------------------- */

/* Longest argument or index of a name. */
#define ARGUMENT_MAX 32

static bool in_argument(char c)
{
	return is_word(c) || c == '*';
}

/* "NAME", "rcs0.NAME", "NAME[3]", "NAME(A)" */
static struct slice take_name(struct slice *line)
{
	const char *start = line->at;
	struct slice rest, argument;
	char open;

	take_while(line, is_word);
	if (slice_length(*line) > 1 && *line->at == '.' && is_word(line->at[1])) {
		line->at++;
		take_while(line, is_word);
	}
	rest = *line;
	open = rest.at < rest.end ? *rest.at : 0;
	if (take_text(&rest, "[") || take_text(&rest, "(")) {
		argument = slice_first(rest, ARGUMENT_MAX - 1);
		rest.at = take_while(&argument, in_argument).end;
		if (take_text(&rest, open == '[' ? "]" : ")"))
			*line = rest;
	}
	return (struct slice){ start, line->at };
}

static bool pair_at(struct slice line, struct pair *pair)
{
	const char *end, *after;

	pair->name = take_name(&line);
	end = line.at;
	take_blanks(&line);
	after = line.at;
	pair->separator = line.at < line.end && (*line.at == ':' || *line.at == '=') ? *line.at :
										      ' ';
	if (pair->separator != ' ') {
		line.at++;
		take_blanks(&line);
	} else if (line.at == end) {
		return false;
	}
	pair->tight = pair->separator == '=' && after == end && line.at == after + 1;
	pair->value = take_while(&line, is_word);
	/* What follows must end it, or it is part of something else: "3.2.0", "0x10-0x1f". */
	if (take_text(&line, "."))
		return line.at == line.end || is_blank(*line.at);
	return line.at == line.end || is_blank(*line.at) || strchr(",;)]\"'", *line.at);
}

/* "IIR: 10" is a value, "Time: 10" may be anything. */
static bool is_shouted(struct slice name)
{
	size_t capitals = 0;

	for (; name.at < name.end; name.at++) {
		if (islower((unsigned char)*name.at))
			return false;
		capitals += isupper((unsigned char)*name.at) != 0;
	}
	return capitals > 1;
}

/* *used: it is a name and its value. */
static bool take_pair(struct paste *p, const struct pair *pair, const char *engine, bool first,
		      const char *end, bool *used)
{
	enum reading reading;
	struct gsc_error err;
	reg_vec regs = { 0 };
	char text[200], why[120];
	uint64_t value;
	bool done = true;

	*used = false;
	reading = read_value(pair, &value);
	if (reading == READ_NOT || (!first && !has_capital(pair->name)))
		return true;
	if (resolve_name(p, engine, pair->name, text, sizeof(text), &regs, &err)) {
		/* A name without register is reported if it cannot be another word. */
		if (reading == READ_VALUE && has_capital(pair->name) &&
		    (slice_has_0x(pair->value) || is_shouted(pair->name)) &&
		    (first || slice_char(pair->name, '_')))
			done = note(p, err.what, err.why);
	} else if (reading == READ_EITHER) {
		struct slice shown = slice_first(pair->value, 20);

		snprintf(why, sizeof(why),
			 "%.*s may be decimal or hexadecimal: if it is hexadecimal, write 0x%.*s",
			 SLICE(shown), SLICE(shown));
		done = note(p, text, why);
	} else {
		bool halves = take_low_half(pair->value, end, &value);

		done = add_value(p, &regs, text, value, halves);
		*used = true;
	}
	vec_free(&regs);
	return done;
}

/* Values may come without a name that is known. */
static bool looks_like_value(struct slice word, const struct pair *pair, bool paired)
{
	struct digits d = count_digits(word);

	if (is_digit(*word.at))
		return slice_has_0x(word) || (is_padded(word) && !d.others);
	return paired && pair->separator != ' ' && pair->value.at < pair->value.end &&
	       is_shouted(pair->name) && is_digit(*pair->value.at);
}

/* Names and their values, at any position; anything in another form is prose. */
static bool take_words(struct paste *p, struct slice line)
{
	char engine[sizeof(p->engine)], text[sizeof(p->engine)];
	const char *start, *known;

	memcpy(engine, p->engine, sizeof(engine));
	take_blanks(&line);
	start = line.at;
	while (line.at < line.end) {
		struct slice rest = line, word = take_while(&rest, is_word);
		bool paired, used = false;
		struct gsc_error err;
		struct pair pair = { .separator = 0 };

		if (word.at == word.end) {
			line.at++;
			continue;
		}
		paired = !is_digit(*word.at) && pair_at(line, &pair);
		p->valued |= looks_like_value(word, &pair, paired);
		if (paired && !take_pair(p, &pair, engine, line.at == start, line.end, &used))
			return false;
		if (used) {
			line.at = pair.value.end;
			continue;
		}
		/* "rcs0 RING_HEAD: 0x1234", "vcs1: TAIL 0x10" */
		if (is_digit(word.end[-1]) && slice_copy(word, text, sizeof(text)) &&
		    !engine_by_name(p->given.view, text, &known, &err))
			memcpy(engine, text, sizeof(engine));
		take_name(&line);
	}
	return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The end of a word before an address or a value: "reg 0x2030", "val=(0x150, 0x0)". */
static bool after_key(struct slice *line, const char *key)
{
	struct slice rest = *line;

	while ((rest.at = slice_find(rest, key))) {
		bool whole = rest.at == line->at || !is_word(rest.at[-1]);

		rest.at += strlen(key);
		take_while(&rest, is_letter);
		while (rest.at < rest.end && strchr(" \t=:[(", *rest.at))
			rest.at++;
		if (whole && slice_length(rest) > 2 && slice_begins(rest, "0x")) {
			*line = rest;
			return true;
		}
	}
	return false;
}

/* "write reg 0x2030, val 0x150", as in drivers' traces and complaints. */
static bool parse_access(struct slice text, struct regline *line)
{
	struct slice reg = text, val, low, high = { NULL, NULL };
	uint64_t upper = 0;
	bool halves;

	if (!after_key(&reg, "reg"))
		return false;
	val = reg;
	if (!after_key(&val, "val"))
		return false;
	halves = val.at[-1] == '(';
	low = take_while(&val, is_word);
	if (halves && slice_length(val) > 2) {
		val.at += 2;
		high = take_while(&val, is_word);
	}
	if (!slice_number(take_while(&reg, is_word), &line->address) ||
	    !slice_number(low, &line->value[0]))
		return false;
	if (high.at < high.end && slice_number(high, &upper) && upper <= UINT32_MAX &&
	    line->value[0] <= UINT32_MAX)
		line->value[0] |= upper << 32;
	line->count = 1;
	line->size = line->value[0] > UINT32_MAX ? 8 : 4;
	line->status[0] = GSC_READ_OK;
	line->space = GSC_MMIO;
	line->name = (struct slice){ NULL, NULL };
	return line->address % 4 == 0;
}

/* "render command stream:", "rcs0 command stream:" begin an engine's block in an error state. */
static bool take_block(struct paste *p, struct slice text)
{
	struct slice word = slice_first(text, 15);

	if (!slice_ends(text, "command stream:"))
		return false;
	return slice_copy(take_while(&word, is_alphanumeric), p->engine, sizeof(p->engine));
}

/* Indented by as much as fields are. */
#define FIELD_INDENT 4

static bool take_line(struct paste *p, struct slice text)
{
	struct regline line;
	enum regline_kind kind = regline_parse(text, false, &line);

	if (kind == REGLINE_OTHER && p->fields && line.indent >= FIELD_INDENT)
		return true;
	p->fields = kind == REGLINE_OWN;
	take_quotes(&text);
	switch (kind) {
	case REGLINE_OWN:
	case REGLINE_RAW:
	case REGLINE_PLAIN:
	case REGLINE_INTEL:
	case REGLINE_TRACE:
		/* Two bare numbers may be anything: "12 34". */
		return line.bare ? take_words(p, text) : add_addressed(p, &line);
	case REGLINE_TRACE_NAMED:
		return add_named(p, p->engine, line.name, line.value[0]);
	case REGLINE_TRACE_BAD:
		p->valued = true;
		return true;
	case REGLINE_OTHER:
		if (parse_access(text, &line))
			return add_addressed(p, &line);
		return take_block(p, text) || take_words(p, text);
	default:
		return true;
	}
}

/* Prose is ignored: only lines with a value count. */
static bool take_lines(struct paste *p, const char *text, size_t size)
{
	struct lines lines = { .data = (const uint8_t *)text, .size = size };

	while (lines_next(&lines)) {
		p->line = lines.number;
		p->done = p->valued = false;
		if (!take_line(p, lines.text))
			return false;
		if (!p->valued || p->done)
			continue;
		if (!p->lost++)
			p->first_lost = p->line;
	}
	return true;
}

/* If nothing was understood at all, the caller says so. */
static bool note_lost(struct paste *p)
{
	struct given *g = &p->given;
	char text[120];

	if (!p->lost || (!g->values.count && !g->notes.count))
		return true;
	if (p->lost == 1)
		snprintf(text, sizeof(text), "line %zu: it has a value, but was not understood",
			 p->first_lost);
	else
		snprintf(text, sizeof(text),
			 "%zu lines have values, but were not understood: the first is line %zu",
			 p->lost, p->first_lost);
	return keep(g, text);
}

enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_gpu *gpu,
				const char *text, size_t size, struct gsc_error *err)
{
	struct paste p = { .given = { .view = gpu->view,
				      .selection = selection_new(gpu->view) } };

	*rows = NULL;
	if (p.given.selection && take_lines(&p, text, size) && note_lost(&p))
		*rows = given_rows(&p.given);
	given_free(&p.given);
	return *rows ? GSC_OK : err_memory(err);
}
