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

/* Each thing once, however often it comes. */
static bool noted(const struct given *g, const char *text)
{
	for (size_t i = 0; i < g->notes.count; i++)
		if (!strcmp(strchr(g->notes.items[i], ':'), text))
			return true;
	return false;
}

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
	return p->given.notes.count >= NOTES_MAX || noted(&p->given, buf + prefix) ||
	       keep(&p->given, buf);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* What error states call the registers of an engine. */
static const char *plain_name(const char *name)
{
	static const struct {
		const char *name, *plain;
	} names[] = {
		{ "START", "RING_START" }, { "HEAD", "RING_HEAD" },    { "TAIL", "RING_TAIL" },
		{ "CTL", "RING_CTL" },	   { "MODE", "RING_MI_MODE" }, { "HWS", "RING_HWS_PGA" },
		{ "FADDR", "RING_DMA_FADD" }, { "RC PSMI", "RING_PSMI_CTL" },
		{ "FAULT_REG", "RING_FAULT_REG" }, { "GFX_MODE", "RING_MODE_GEN7" },
		{ "PP_DIR_BASE", "RING_PP_DIR_BASE" }, { "fence", "FENCE" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, name))
			return names[i].plain;
	return name;
}

/* "rcs0.RING_TAIL" from TAIL in a line of that engine's block; or "FENCE[3]". */
static void selector_text(const char *engine, struct slice name, char *out, size_t size)
{
	struct slice rest = name, base = take_until(&rest, "[");
	char plain[144];

	base = slice_first(base, sizeof(plain) - 1);
	slice_copy(base, plain, sizeof(plain));
	rest.at = base.end;
	snprintf(out, size, "%s%s%s%.*s", engine, *engine ? "." : "", plain_name(plain),
		 SLICE(slice_first(rest, 12)));
}

static bool is_known(const struct gsc_db *db, const char *name)
{
	struct gsc_spelling s;

	if (gsc_db_find(db, name, NULL, 0))
		return true;
	for (size_t i = 0; gsc_name_spelling(name, i, &s); i++)
		if (*s.name && !s.family && gsc_db_find(db, s.name, NULL, 0))
			return true;
	return false;
}

static enum gsc_status resolve_text(const struct given *g, const char *text, reg_vec *regs,
				    struct gsc_error *err)
{
	struct selector selector;
	enum gsc_status status = selector_read(&selector, g->view, text, err);

	/* Most words of a paste are no names: it is not worth searching for similar ones. */
	if (!status && !is_known(g->view->db, selector.name))
		return err_set(err, GSC_UNKNOWN, text, "unknown register");
	return status ? status : given_resolve(g, &selector, regs, err);
}

/* A line in an engine's block may still be about a register of the whole device. */
static enum gsc_status resolve_name(const struct paste *p, const char *engine, struct slice name,
				    char *text, size_t size, reg_vec *regs, struct gsc_error *err)
{
	const char *const engines[] = { engine, "" };
	enum gsc_status status = GSC_UNKNOWN;

	for (size_t i = 0; i < ARRAY_SIZE(engines) && status == GSC_UNKNOWN; i++) {
		if (i && !*engine)
			break;
		selector_text(engines[i], name, text, size);
		status = resolve_text(&p->given, text, regs, err);
	}
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

static bool add_regs(struct paste *p, const reg_vec *regs, uint64_t value)
{
	p->done = true;
	return given_add_regs(&p->given, regs, value);
}

/* A value in halves for a register of 32 bits: the upper half is a separate register. */
static bool add_halves(struct paste *p, const reg_vec *regs, const char *name, uint64_t value,
		       bool *done)
{
	reg_vec upper = { 0 };
	struct gsc_error err;
	char text[208];
	bool found;

	snprintf(text, sizeof(text), "%.199s_UDW", name);
	found = given_widest(p->given.view, regs) == 32 &&
		!resolve_text(&p->given, text, &upper, &err);
	if (found)
		*done = add_regs(p, regs, value & UINT32_MAX) && add_regs(p, &upper, value >> 32);
	vec_free(&upper);
	return found;
}

static bool add_value(struct paste *p, const reg_vec *regs, const char *name, uint64_t value,
		      bool halves)
{
	struct gsc_error err;
	bool done = true;

	if ((halves || value > UINT32_MAX) && add_halves(p, regs, name, value, &done))
		return done;
	if (given_fit(&p->given, regs, name, value, &err))
		return note(p, err.what, err.why);
	return add_regs(p, regs, value);
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

static bool add_unknown(struct paste *p, enum gsc_space space, uint64_t address, unsigned size,
			uint64_t value)
{
	char what[24];

	snprintf(what, sizeof(what), "0x%llx", (unsigned long long)address);
	return note(p, what, "no register is defined at this address") &&
	       given_add(&p->given, (struct item){ .reg = NONE, .space = space, .start = address,
						   .last = reg_last(space, address, size * 8) },
			 value);
}

/* The name in a line: a remark may follow the value, and a word of it may be a name. */
static struct slice line_name(const struct regline *line)
{
	struct slice name = line->name;

	if (line->kind == REGLINE_PLAIN)
		return (struct slice){ NULL, NULL };
	return line->kind == REGLINE_OWN ? take_until(&name, " ") : name;
}

/*
 * One value of a line that gives its address. In a row of several, those without definition are not
 * reported.
 */
static bool add_cell(struct paste *p, const struct regline *line, uint64_t address, uint64_t value)
{
	reg_vec regs = { 0 };
	struct slice name = line_name(line);
	struct gsc_error err;
	bool done = given_at(p->given.view, line->space, address, &regs);

	if (done && regs.count && given_fit(&p->given, &regs, "line", value, &err))
		done = note(p, err.what, err.why);
	else
		for (size_t r = 0; done && r < regs.count; r++)
			done = given_add_reg(&p->given, regs.items[r], value);
	if (done && !regs.count && line->count == 1)
		done = name.at < name.end ? add_named(p, p->engine, name, value)
				   : add_unknown(p, line->space, address, line->size, value);
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

/* "1e5" may be a power of ten. */
static bool is_power(struct slice t)
{
	const char *e = slice_char(t, 'e');

	return e && e > t.at && count_digits(t).letters == 1;
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

/* A number without 0x is taken for hexadecimal if it can be nothing else. */
static enum reading read_value(const struct pair *pair, uint64_t *value)
{
	struct slice t = pair->value;
	struct digits d = count_digits(t);
	bool hex = is_padded(t) || (pair->separator != ' ' && d.decimal && !is_power(t));

	if (slice_has_0x(t))
		return slice_number(t, value) ? READ_VALUE : READ_NOT;
	if (t.at == t.end)
		return READ_NOT;
	if (!d.others && !d.letters)
		return read_decimals(pair, value);
	if (!d.others && hex && slice_hex(t, value))
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

/*
 * What follows a value must end it, otherwise it is part of something else: "3.2.0", "0x10-0x1f".
 */
static bool ends_value(struct slice rest)
{
	if (take_text(&rest, "."))
		return rest.at == rest.end || is_blank(*rest.at);
	return rest.at == rest.end || is_blank(*rest.at) || strchr(",;)]\"'", *rest.at);
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
	return ends_value(line);
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

/* A name without register is reported if it cannot be another word. */
static bool is_told(const struct pair *pair, bool first)
{
	return has_capital(pair->name) && (slice_has_0x(pair->value) || is_shouted(pair->name)) &&
	       (first || slice_char(pair->name, '_'));
}

static bool note_either(struct paste *p, const char *name, struct slice value)
{
	char why[120];

	value = slice_first(value, 20);
	snprintf(why, sizeof(why),
		 "%.*s may be decimal or hexadecimal: if it is hexadecimal, write 0x%.*s",
		 SLICE(value), SLICE(value));
	return note(p, name, why);
}

/* *used: it is a name and its value. */
static bool take_pair(struct paste *p, const struct pair *pair, const char *engine, bool first,
		      const char *end, bool *used)
{
	enum reading reading;
	struct gsc_error err;
	reg_vec regs = { 0 };
	char text[200];
	uint64_t value;
	bool done = true;

	*used = false;
	reading = read_value(pair, &value);
	if (reading == READ_NOT || (!first && !has_capital(pair->name)))
		return true;
	if (resolve_name(p, engine, pair->name, text, sizeof(text), &regs, &err)) {
		if (reading == READ_VALUE && is_told(pair, first))
			done = note(p, err.what, err.why);
	} else if (reading == READ_EITHER) {
		done = note_either(p, text, pair->value);
	} else {
		bool halves = take_low_half(pair->value, end, &value);

		done = add_value(p, &regs, text, value, halves);
		*used = true;
	}
	vec_free(&regs);
	return done;
}

/* "rcs0 RING_HEAD: 0x1234", "vcs1: TAIL 0x10" */
static void take_line_engine(const struct paste *p, struct slice name, char *engine, size_t size)
{
	struct gsc_error err;
	const char *known;
	char text[16];

	if (!is_digit(name.end[-1]) || !slice_copy(name, text, sizeof(text)))
		return;
	if (!engine_by_name(p->given.view, text, &known, &err))
		snprintf(engine, size, "%s", text);
}

/* Values may come without a name that is known. */
static void look_for_value(struct paste *p, struct slice word, const struct pair *pair, bool paired)
{
	struct digits d = count_digits(word);

	if (is_digit(*word.at))
		p->valued |= slice_has_0x(word) || (is_padded(word) && !d.others);
	else if (paired && pair->separator != ' ' && pair->value.at < pair->value.end)
		p->valued |= is_shouted(pair->name) && is_digit(*pair->value.at);
}

/* Names and their values, at any position; anything in another form is prose. */
static bool take_words(struct paste *p, struct slice line)
{
	const char *start;
	char engine[16];

	memcpy(engine, p->engine, sizeof(engine));
	take_blanks(&line);
	start = line.at;
	while (line.at < line.end) {
		struct slice rest = line, word = take_while(&rest, is_word);
		struct pair pair;
		bool paired, used = false;

		if (word.at == word.end) {
			line.at++;
			continue;
		}
		paired = !is_digit(*word.at) && pair_at(line, &pair);
		look_for_value(p, word, &pair, paired);
		if (paired && !take_pair(p, &pair, engine, line.at == start, line.end, &used))
			return false;
		if (used) {
			line.at = pair.value.end;
			continue;
		}
		take_line_engine(p, word, engine, sizeof(engine));
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

/*
 * "render command stream:", "rcs0 command stream:" begin the block of an engine in an error state.
 */
static bool take_engine(struct paste *p, struct slice text)
{
	struct slice word = slice_first(text, 15);

	if (!slice_ends(text, "command stream:"))
		return false;
	word = take_while(&word, is_alphanumeric);
	snprintf(p->engine, sizeof(p->engine), "%.*s", SLICE(word));
	return true;
}

static bool take_other(struct paste *p, struct regline *line, struct slice text)
{
	if (parse_access(text, line))
		return add_addressed(p, line);
	return take_engine(p, text) || take_words(p, text);
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
		return take_other(p, &line, text);
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
