/* SPDX-License-Identifier: MIT */
/* Rows from pasted lines, of whatever wrote registers into a log, a mail or a bug report. */
#include "regs/given.h"

#include "text/lines.h"
#include "formats/regline.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NOTES_MAX 1000

struct paste {
	struct given given;
	char engine[16];		/* that the block of lines is about, or "" */
	size_t line;
	bool done;			/* something came of this line: a row or a note */
	bool valued;			/* or should have: a value stands in it */
	bool fields;			/* below a register of our own text stand its fields */
	size_t lost, first_lost;	/* lines with a value of which nothing came */
};

/* Part of a line, not NUL-terminated. */
struct part {
	const char *text;
	size_t length;
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
	char text[900];
	int prefix = snprintf(text, sizeof(text), "line %zu", p->line);

	p->done = true;
	snprintf(text + prefix, sizeof(text) - (size_t)prefix, ": %s: %s", what, why);
	return p->given.notes.count >= NOTES_MAX || noted(&p->given, text + prefix) ||
	       keep(&p->given, text);
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

/* "rcs0.RING_TAIL" from what a line of that engine's block calls TAIL; or "FENCE[3]". */
static void selector_text(const char *engine, struct part name, char *out, size_t size)
{
	const char *open = memchr(name.text, '[', name.length);
	size_t base = open ? (size_t)(open - name.text) : name.length;
	char plain[144];

	base = MIN(base, sizeof(plain) - 1);
	memcpy(plain, name.text, base);
	plain[base] = 0;
	snprintf(out, size, "%s%s%s%.*s", engine, *engine ? "." : "", plain_name(plain),
		 (int)MIN(name.length - base, 12), name.text + base);
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

	/* Most words of a paste are no names: those are not worth a search for similar ones. */
	if (!status && !is_known(g->view->db, selector.name))
		return err_set(err, GSC_UNKNOWN, text, "unknown register");
	return status ? status : given_resolve(g, &selector, regs, err);
}

/* A line in an engine's block may still be about a register of the whole device. */
static enum gsc_status resolve_name(const struct paste *p, const char *engine, struct part name,
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
static bool has_capital(struct part name)
{
	for (size_t i = 0; i < name.length; i++)
		if (isupper((unsigned char)name.text[i]))
			return true;
	return false;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static bool add_regs(struct paste *p, const reg_vec *regs, uint64_t value)
{
	p->done = true;
	return given_add_regs(&p->given, regs, value);
}

/* A value in halves of a register of 32 bits: what stands above it is a register of its own. */
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

static bool add_named(struct paste *p, const char *engine, struct part name, uint64_t value)
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

/* The name in a line: what stands after a value may be a remark, of which a word can be one. */
static struct part line_name(const struct regline *line)
{
	struct part name = { line->name, line->name_length };
	const char *end = memchr(name.text ? name.text : "", ' ', name.length);

	if (line->kind == REGLINE_PLAIN)
		return (struct part){ NULL, 0 };
	if (line->kind == REGLINE_OWN && end)
		name.length = (size_t)(end - name.text);
	return name;
}

/*
 * One value of a line that tells its address. In a row of several those without definition are
 * nothing to speak of.
 */
static bool add_cell(struct paste *p, const struct regline *line, uint64_t address, uint64_t value)
{
	reg_vec regs = { 0 };
	struct part name = line_name(line);
	struct gsc_error err;
	bool done = given_at(p->given.view, line->space, address, &regs);

	if (done && regs.count && given_fit(&p->given, &regs, "line", value, &err))
		done = note(p, err.what, err.why);
	else
		for (size_t r = 0; done && r < regs.count; r++)
			done = given_add_reg(&p->given, regs.items[r], value);
	if (done && !regs.count && line->count == 1)
		done = name.length ? add_named(p, p->engine, name, value)
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

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static struct part word_at(const char *text, size_t at, size_t length)
{
	struct part word = { text + at, 0 };

	while (at + word.length < length && in_word(word.text[word.length]))
		word.length++;
	return word;
}

static size_t skip_blanks(const char *text, size_t at, size_t length)
{
	while (at < length && is_blank(text[at]))
		at++;
	return at;
}

struct pair {
	struct part name, value;
	char separator;			/* ':', '=' or ' ' */
	bool tight;			/* "NAME=VALUE", as on a command line */
};

enum reading { READ_NOT, READ_VALUE, READ_EITHER };

static bool has_0x(struct part t)
{
	return t.length > 2 && t.text[0] == '0' && (t.text[1] == 'x' || t.text[1] == 'X');
}

struct digits {
	size_t decimal, letters, others;	/* letters: of hexadecimal digits */
};

static struct digits count_digits(struct part t)
{
	struct digits d = { 0 };

	for (size_t i = 0; i < t.length; i++) {
		if (isdigit((unsigned char)t.text[i]))
			d.decimal++;
		else if (isxdigit((unsigned char)t.text[i]))
			d.letters++;
		else
			d.others++;
	}
	return d;
}

/* As %08x and %016llx print. */
static bool is_padded(struct part t)
{
	return t.length == 8 || t.length == 16;
}

/* "1e5" may be a power of ten. */
static bool is_power(struct part t)
{
	const char *e = memchr(t.text, 'e', t.length);

	return e && e > t.text && count_digits(t).letters == 1;
}

/* Digits without letters: of one they are the same number in both bases. */
static enum reading read_decimals(const struct pair *pair, uint64_t *value)
{
	struct part t = pair->value;
	bool fence = pair->name.length > 5 && !name_compare_n(pair->name.text, "fence[", 6);

	if (pair->separator == ' ' && !is_padded(t))
		return READ_NOT;
	if (t.length > 1 && ((is_padded(t) && *t.text == '0') || (fence && t.length >= 8)))
		return number_parse_hex(t.text, t.length, value) ? READ_VALUE : READ_NOT;
	if (!number_parse(t.text, t.length, value))
		return READ_NOT;
	return *value < 10 || (pair->tight && !is_padded(t)) ? READ_VALUE : READ_EITHER;
}

/* A number without 0x is taken for hexadecimal where it can be nothing else. */
static enum reading read_value(const struct pair *pair, uint64_t *value)
{
	struct part t = pair->value;
	struct digits d = count_digits(t);
	bool hex = is_padded(t) || (pair->separator != ' ' && d.decimal && !is_power(t));

	if (has_0x(t))
		return number_parse(t.text, t.length, value) ? READ_VALUE : READ_NOT;
	if (!t.length)
		return READ_NOT;
	if (!d.others && !d.letters)
		return read_decimals(pair, value);
	if (!d.others && hex && number_parse_hex(t.text, t.length, value))
		return READ_VALUE;
	return d.decimal && pair->separator == '=' && number_parse(t.text, t.length, value)
		       ? READ_VALUE
		       : READ_NOT;
}

/* "0x00000001 0002003c", as error states write 64 bits: the half below. */
static bool take_low_half(struct part high, const char *end, uint64_t *value)
{
	size_t left = (size_t)(end - high.text), next = skip_blanks(high.text, high.length, left);
	uint64_t low;

	if (high.length != 10 || next == high.length || left - next < 8 || *value > UINT32_MAX ||
	    (left - next > 8 && !is_blank(high.text[next + 8])) ||
	    !number_parse_hex(high.text + next, 8, &low))
		return false;
	*value = *value << 32 | low;
	return true;
}

/* ---- names and their values ----------------------------------------------------------------- */

/* Longest argument or index of a name. */
#define ARGUMENT_MAX 32

/* "NAME", "rcs0.NAME", "NAME[3]", "NAME(A)" */
static struct part name_at(const char *text, size_t at, size_t length)
{
	struct part name = word_at(text, at, length);
	size_t end = at + name.length, close;

	if (end + 1 < length && text[end] == '.' && in_word(text[end + 1]))
		end += 1 + word_at(text, end + 1, length).length;
	close = end + 1;
	if (end < length && (text[end] == '[' || text[end] == '(')) {
		while (close < length && close - end < ARGUMENT_MAX &&
		       (in_word(text[close]) || text[close] == '*'))
			close++;
		if (close < length && text[close] == (text[end] == '[' ? ']' : ')'))
			end = close + 1;
	}
	name.length = end - at;
	return name;
}

/* What stands behind a value ends it, or it is part of something else: "3.2.0", "0x10-0x1f". */
static bool ends_value(const char *at, const char *end)
{
	if (at < end && *at == '.')
		return at + 1 == end || is_blank(at[1]);
	return at == end || is_blank(*at) || strchr(",;)]\"'", *at);
}

static bool pair_at(const char *text, size_t at, size_t length, struct pair *pair)
{
	size_t after;

	pair->name = name_at(text, at, length);
	at += pair->name.length;
	after = skip_blanks(text, at, length);
	pair->separator = after < length && (text[after] == ':' || text[after] == '=') ? text[after]
										      : ' ';
	pair->tight = after == at && pair->separator == '=';
	if (pair->separator != ' ')
		at = skip_blanks(text, after + 1, length);
	else if (after > at)
		at = after;
	else
		return false;
	pair->tight &= at == after + 1;
	pair->value = word_at(text, at, length);
	return ends_value(pair->value.text + pair->value.length, text + length);
}

/* "IIR: 10" speaks of a value, "Time: 10" may speak of anything. */
static bool is_shouted(struct part name)
{
	size_t capitals = 0;

	for (size_t i = 0; i < name.length; i++) {
		if (islower((unsigned char)name.text[i]))
			return false;
		capitals += isupper((unsigned char)name.text[i]) != 0;
	}
	return capitals > 1;
}

/* Of a name without register is spoken where it cannot be another word. */
static bool is_told(const struct pair *pair, bool first)
{
	return has_capital(pair->name) && (has_0x(pair->value) || is_shouted(pair->name)) &&
	       (first || memchr(pair->name.text, '_', pair->name.length));
}

static bool note_either(struct paste *p, const char *name, struct part value)
{
	int length = (int)MIN(value.length, 20);
	char why[120];

	snprintf(why, sizeof(why),
		 "%.*s may be decimal or hexadecimal: if it is that, write 0x%.*s", length,
		 value.text, length, value.text);
	return note(p, name, why);
}

/* *used: up to where the line is read, or 0 if this is no name and value. */
static bool take_pair(struct paste *p, const struct pair *pair, const char *engine, bool first,
		      const char *end, size_t *used)
{
	enum reading reading;
	struct gsc_error err;
	reg_vec regs = { 0 };
	char text[200];
	uint64_t value;
	bool done = true;

	*used = 0;
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
		*used = pair->value.length;
	}
	vec_free(&regs);
	return done;
}

/* "rcs0 RING_HEAD: 0x1234", "vcs1: TAIL 0x10" */
static void take_line_engine(const struct paste *p, struct part name, char *engine, size_t size)
{
	struct gsc_error err;
	const char *known;
	char text[16];

	if (name.length >= sizeof(text) || !isdigit((unsigned char)name.text[name.length - 1]))
		return;
	memcpy(text, name.text, name.length);
	text[name.length] = 0;
	if (!engine_by_name(p->given.view, text, &known, &err))
		snprintf(engine, size, "%s", text);
}

/* Values may stand without a name that is known. */
static void look_for_value(struct paste *p, struct part word, const struct pair *pair, bool paired)
{
	struct digits d = count_digits(word);

	if (isdigit((unsigned char)*word.text))
		p->valued |= has_0x(word) || (is_padded(word) && !d.others);
	else if (paired && pair->separator != ' ' && pair->value.length)
		p->valued |= is_shouted(pair->name) && isdigit((unsigned char)*pair->value.text);
}

/* Names and their values, wherever they stand; what has another form is prose. */
static bool take_words(struct paste *p, const char *text, size_t length)
{
	size_t start = skip_blanks(text, 0, length), at = start;
	char engine[16];

	memcpy(engine, p->engine, sizeof(engine));
	while (at < length) {
		struct part word = word_at(text, at, length);
		struct pair pair;
		size_t used = 0;
		bool paired;

		if (!word.length) {
			at++;
			continue;
		}
		paired = !isdigit((unsigned char)*word.text) && pair_at(text, at, length, &pair);
		look_for_value(p, word, &pair, paired);
		if (paired && !take_pair(p, &pair, engine, at == start, text + length, &used))
			return false;
		if (!used)
			take_line_engine(p, word, engine, sizeof(engine));
		at = used ? (size_t)(pair.value.text - text) + used
			  : at + name_at(text, at, length).length;
	}
	return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The end of a word that begins at an address or a value: "reg 0x2030", "val=(0x150, 0x0)". */
static const char *after_key(const char *text, const char *end, const char *key)
{
	size_t length = strlen(key);
	const char *at = text;

	while ((at = memmem(at, (size_t)(end - at), key, length))) {
		bool whole = at == text || !in_word(at[-1]);

		at += length;
		while (at < end && isalpha((unsigned char)*at))
			at++;
		while (at < end && strchr(" \t=:[(", *at))
			at++;
		if (whole && end - at > 2 && at[0] == '0' && at[1] == 'x')
			return at;
	}
	return NULL;
}

/* "write reg 0x2030, val 0x150", as drivers trace and complain. */
static bool parse_access(const char *text, size_t length, struct regline *line)
{
	const char *end = text + length, *reg = after_key(text, end, "reg"), *val;
	struct part address, low, high = { 0 };
	uint64_t upper = 0;

	val = reg ? after_key(reg, end, "val") : NULL;
	if (!val)
		return false;
	address = word_at(reg, 0, (size_t)(end - reg));
	low = word_at(val, 0, (size_t)(end - val));
	if (val[-1] == '(' && end - val > (ptrdiff_t)low.length + 2)
		high = word_at(val + low.length + 2, 0, (size_t)(end - val) - low.length - 2);
	if (!number_parse(address.text, address.length, &line->address) ||
	    !number_parse(low.text, low.length, &line->value[0]))
		return false;
	if (high.length && number_parse(high.text, high.length, &upper) && upper <= UINT32_MAX &&
	    line->value[0] <= UINT32_MAX)
		line->value[0] |= upper << 32;
	line->count = 1;
	line->size = line->value[0] > UINT32_MAX ? 8 : 4;
	line->status[0] = GSC_READ_OK;
	line->space = GSC_MMIO;
	line->name = NULL;
	return line->address % 4 == 0;
}

/* "render command stream:", "rcs0 command stream:" begin what an error state says of an engine. */
static bool take_engine(struct paste *p, const char *text, size_t length)
{
	static const char heading[] = "command stream:";
	size_t tail = sizeof(heading) - 1, word = 0;

	if (length < tail || memcmp(text + length - tail, heading, tail))
		return false;
	while (word < length && isalnum((unsigned char)text[word]))
		word++;
	snprintf(p->engine, sizeof(p->engine), "%.*s", (int)MIN(word, 15), text);
	return true;
}

static bool take_other(struct paste *p, struct regline *line, const char *text, size_t length)
{
	if (parse_access(text, length, line))
		return add_addressed(p, line);
	return take_engine(p, text, length) || take_words(p, text, length);
}

/* Indented by as much as fields are. */
#define FIELD_INDENT 4

static bool take_line(struct paste *p, const char *text, size_t length)
{
	struct regline line;
	size_t quote = quote_length(text, length);
	enum regline_kind kind = regline_parse(text, length, false, &line);

	if (kind == REGLINE_OTHER && p->fields && line.indent >= FIELD_INDENT)
		return true;
	p->fields = kind == REGLINE_OWN;
	switch (kind) {
	case REGLINE_OWN:
	case REGLINE_RAW:
	case REGLINE_PLAIN:
	case REGLINE_INTEL:
	case REGLINE_TRACE:
		/* Two bare numbers may be anything: "12 34". */
		return line.bare ? take_words(p, text + quote, length - quote)
				 : add_addressed(p, &line);
	case REGLINE_TRACE_NAMED:
		return add_named(p, p->engine, (struct part){ line.name, line.name_length },
				 line.value[0]);
	case REGLINE_TRACE_BAD:
		p->valued = true;
		return true;
	case REGLINE_OTHER:
		return take_other(p, &line, text + quote, length - quote);
	default:
		return true;
	}
}

/* Of prose nothing is expected: what counts are lines that have a value. */
static bool take_text(struct paste *p, const char *text, size_t size)
{
	struct lines lines = { .data = (const uint8_t *)text, .size = size };

	while (lines_next(&lines)) {
		p->line = lines.number;
		p->done = p->valued = false;
		if (!take_line(p, lines.text, lines.length))
			return false;
		if (!p->valued || p->done)
			continue;
		if (!p->lost++)
			p->first_lost = p->line;
	}
	return true;
}

/* Where nothing was understood at all, whoever asked says that. */
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

enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_view *view,
				const char *text, size_t size, struct gsc_error *err)
{
	struct paste p = { .given = { .view = view, .selection = selection_new(view) } };

	*rows = NULL;
	if (p.given.selection && take_text(&p, text, size) && note_lost(&p))
		*rows = given_rows(&p.given);
	given_free(&p.given);
	return *rows ? GSC_OK : err_memory(err);
}
