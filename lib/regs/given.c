/* SPDX-License-Identifier: MIT */
/*
 * Rows whose values were given instead of read: words "REG=VALUE", and pasted lines, whatever
 * program wrote the registers into a log, a mail or a bug report.
 */
#include "formats/regline.h"
#include "regs/regs.h"
#include "text/lines.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>

#define NOTES_MAX 1000

struct given_value {
	uint64_t value;
	reg_vec also;			/* other meanings of the name that decode alike */
};

/* The items of the selection and the values run in parallel. */
struct given {
	const struct gsc_view *view;
	struct gsc_selection *selection;
	VEC(struct given_value) values;
	VEC(char *) notes;
};

/* NULL, or false: memory is out. */
static struct given_value *given_add(struct given *g, struct item item, uint64_t value)
{
	struct given_value *slot = vec_add(&g->values);

	item.whole |= item.reg != NONE;
	if (!slot)
		return NULL;
	*slot = (struct given_value){ .value = value };
	return selection_add(g->selection, item) ? slot : NULL;
}

/* One register stands for all that share its definition: they decode alike. */
static bool given_add_regs(struct given *g, const reg_vec *regs, uint64_t value)
{
	for (size_t i = 0; i < regs->count; i++) {
		uint32_t def = inst_def_id(g->view, regs->items[i]);
		struct given_value *slot;
		size_t before = 0;

		while (before < i && inst_def_id(g->view, regs->items[before]) != def)
			before++;
		if (before < i)
			continue;
		slot = given_add(g, reg_item(g->view, regs->items[i]), value);
		if (!slot)
			return false;
		for (size_t k = i + 1; k < regs->count; k++)
			if (inst_def_id(g->view, regs->items[k]) == def &&
			    !reg_add(&slot->also, regs->items[k]))
				return false;
	}
	return true;
}

/* The registers that a name or an address means; none is an error. */
static enum gsc_status given_resolve(const struct given *g, const struct selector *selector,
				     reg_vec *regs, struct gsc_error *err)
{
	const char *text = selector->name.text;

	if (selector->kind == SELECTOR_NAME && !*selector->name.field)
		return selector_regs(selector, g->view, regs, err);
	if (selector->kind != SELECTOR_ADDRESS)
		return err_set(err, GSC_USAGE, text,
			       "expected the name or the address of a register");
	if (!regs_at(g->view, selector->space, selector->start, regs))
		return err_memory(err);
	return regs->count ? GSC_OK : err_set(err, GSC_UNKNOWN, text,
				     "no register is defined at this address");
}

static unsigned given_widest(const struct gsc_view *view, const reg_vec *regs)
{
	unsigned bits = 0;

	for (size_t i = 0; i < regs->count; i++)
		bits = MAX(bits, inst_traits(view, regs->items[i])->bits);
	return bits;
}

static enum gsc_status given_fit(const struct given *g, const reg_vec *regs, const char *what,
				 uint64_t value, struct gsc_error *err)
{
	unsigned bits = given_widest(g->view, regs);

	if (bits >= 64 || !(value >> bits))
		return GSC_OK;
	return err_set(err, GSC_USAGE, what, "0x%llx does not fit in %u bits", LL(value), bits);
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void given_free(struct given *g)
{
	for (size_t i = 0; i < g->notes.count; i++)
		free(g->notes.items[i]);
	for (size_t i = 0; i < g->values.count; i++)
		vec_free(&g->values.items[i].also);
	vec_free(&g->notes);
	vec_free(&g->values);
	gsc_selection_free(g->selection);
}

/* Passes everything to rows; the values are reduced to the width of their registers. */
static struct gsc_rows *given_rows(struct given *g)
{
	struct gsc_rows *rows = rows_new(g->selection, NULL);

	if (!rows)
		return NULL;
	for (size_t i = 0; i < g->values.count; i++) {
		struct given_value *given = &g->values.items[i];
		unsigned bits = item_bytes(&g->selection->items.items[i]) * 8;
		struct result *result = &rows->results[i];

		result->status = GSC_READ_OK;
		result->value = given->value & bits_below(bits);
		if (!given->also.count)
			continue;
		result->extra = calloc(1, sizeof(*result->extra));
		if (!result->extra) {
			gsc_rows_free(rows);
			return NULL;
		}
		result->extra->also = given->also;
		given->also = (reg_vec){ 0 };
	}
	rows->own = g->selection;
	rows->notes.items = g->notes.items;
	rows->notes.count = g->notes.count;
	g->selection = NULL;
	g->notes.items = NULL;
	g->notes.count = 0;
	return rows;
}

/* ---- REG=VALUE ------------------------------------------------------------------------------ */

enum gsc_status rows_given(struct gsc_rows **rows, const struct gsc_gpu *gpu,
			   const char *const *words, size_t count, struct gsc_error *err)
{
	struct given g = { .view = gpu->view, .selection = selection_new(gpu->view) };
	enum gsc_status status = g.selection ? GSC_OK : err_memory(err);

	*rows = NULL;
	for (size_t i = 0; !status && i < count; i++) {
		const char *word = words[i], *equals = strchr(word, '=');
		struct selector selector;
		reg_vec regs = { 0 };
		char name[320];
		uint64_t value;

		if (!equals || !slice_copy((struct slice){ word, equals }, name, sizeof(name)))
			status = err_set(err, GSC_USAGE, word, "expected REG=VALUE");
		else if (!gsc_parse_number(equals + 1, &value))
			status = err_set(err, GSC_USAGE, word, "expected a number after the =");
		else
			status = selector_read(&selector, g.view, name, err);
		if (!status)
			status = given_resolve(&g, &selector, &regs, err);
		if (!status)
			status = given_fit(&g, &regs, word, value, err);
		if (!status && !given_add_regs(&g, &regs, value))
			status = err_memory(err);
		vec_free(&regs);
	}
	if (!status) {
		*rows = given_rows(&g);
		status = *rows ? GSC_OK : err_memory(err);
	}
	given_free(&g);
	return status;
}

/* ---- pasted lines: notes --------------------------------------------------------------------- */

struct paste {
	struct given given;
	char engine[16];		/* the engine of the block of lines, or "" */
	size_t line;
	bool done;			/* this line gave something: a row or a note */
	bool valued;			/* or should have: it contains a value */
	bool fields;			/* below a register of our own text are its fields */
};

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

	string_set(text, "%.199s_UDW", name);
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
		snprintf(what, sizeof(what), "0x%llx", LL(address));
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
	bool fence = slice_length(pair->name) > 5 && !name_compare_n(pair->name.at, "fence[", 6);

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
		/* Values may come without a name that is known. */
		if (is_digit(*word.at))
			p->valued |= slice_has_0x(word) ||
				     (is_padded(word) && !count_digits(word).others);
		else if (paired && pair.separator != ' ' && pair.value.at < pair.value.end)
			p->valued |= is_shouted(pair.name) && is_digit(*pair.value.at);
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

/* Indented by as much as fields are. */
#define FIELD_INDENT 4

static bool take_line(struct paste *p, struct slice text)
{
	struct regline line;
	enum regline_kind kind = regline_parse(text, false, &line);
	struct slice word;

	if (kind == REGLINE_OTHER && p->fields && line.indent >= FIELD_INDENT)
		return true;
	p->fields = kind == REGLINE_OWN;
	take_quotes(&text);
	word = slice_first(text, 15);
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
		/* "render command stream:", "rcs0 command stream:" begin an engine's block. */
		word = take_while(&word, is_alphanumeric);
		return (slice_ends(text, "command stream:") &&
			slice_copy(word, p->engine, sizeof(p->engine))) || take_words(p, text);
	default:
		return true;
	}
}

enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_gpu *gpu,
				const char *text, size_t size, struct gsc_error *err)
{
	struct paste p = { .given = { .view = gpu->view,
				      .selection = selection_new(gpu->view) } };
	struct lines lines = { .data = (const uint8_t *)text, .size = size };
	bool done = p.given.selection;
	size_t lost = 0, first = 0;
	char note[120];

	/* Prose is ignored: only lines with a value count. */
	while (done && lines_next(&lines)) {
		p.line = lines.number;
		p.done = p.valued = false;
		done = take_line(&p, lines.text);
		if (p.valued && !p.done && !lost++)
			first = p.line;
	}
	/* If nothing was understood at all, the caller says so. */
	if (done && lost && (p.given.values.count || p.given.notes.count)) {
		if (lost == 1)
			string_set(note, "line %zu: it has a value, but was not understood", first);
		else
			string_set(note, "%zu lines have values, but were not understood: the "
					 "first is line %zu", lost, first);
		done = keep(&p.given, note);
	}
	*rows = done ? given_rows(&p.given) : NULL;
	given_free(&p.given);
	return *rows ? GSC_OK : err_memory(err);
}
