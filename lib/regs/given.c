/* SPDX-License-Identifier: MIT */
/* Rows whose values were given instead of read: "REG=VALUE" words and pasted lines. */
#include "regs/regs.h"

#include "source/lines.h"
#include "source/regline.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NOTES_MAX 1000

struct given {
	const struct gsc_view *view;
	struct gsc_selection *selection;
	VEC(uint64_t) values;
	VEC(char *) notes;
	char engine[16];		/* that pasted lines are about, or "" */
	size_t line;
};

static bool add(struct given *g, struct item item, uint64_t value)
{
	uint64_t *slot = vec_add(&g->values);

	if (!slot)
		return false;
	*slot = value;
	return selection_add(g->selection, item) != NULL;
}

static bool add_reg(struct given *g, uint32_t reg, uint64_t value)
{
	const struct b_inst *inst = &g->view->insts[reg];

	return add(g, (struct item){
		.reg = reg,
		.whole = true,
		.space = (enum gsc_space)inst->space,
		.start = inst->offset,
		.last = reg_last((enum gsc_space)inst->space, inst->offset,
				 inst_traits(g->view, reg)->bits),
	}, value);
}

/* One register stands for all that share its definition: they decode alike. */
static bool add_regs(struct given *g, const reg_vec *regs, uint64_t value)
{
	for (size_t i = 0; i < regs->count; i++) {
		uint32_t def = inst_def_id(g->view, regs->items[i]);
		size_t before = 0;

		while (before < i && inst_def_id(g->view, regs->items[before]) != def)
			before++;
		if (before == i && !add_reg(g, regs->items[i], value))
			return false;
	}
	return true;
}

static bool regs_at(const struct gsc_view *view, enum gsc_space space, uint64_t address,
		    reg_vec *regs)
{
	size_t i = gsc_view_seek(view, space, address);

	for (; i < view->count && view->insts[i].space == space && view->insts[i].offset == address;
	     i++) {
		uint32_t *slot = vec_add(regs);

		if (!slot)
			return false;
		*slot = (uint32_t)i;
	}
	return true;
}

static enum gsc_status resolve(const struct given *g, const struct selector *selector,
			       reg_vec *regs, struct gsc_error *err)
{
	if (selector->kind == SELECTOR_NAME && !*selector->field)
		return select_names(g->view, selector, regs, err);
	if (selector->kind != SELECTOR_ADDRESS)
		return err_set(err, GSC_USAGE, selector->text,
			       "expected the name or the address of a register");
	if (!regs_at(g->view, selector->space, selector->start, regs))
		return err_memory(err);
	return regs->count ? GSC_OK
			   : err_set(err, GSC_UNKNOWN, selector->text,
				     "no register is defined at this address");
}

/* ---- REG=VALUE ------------------------------------------------------------------------------ */

static unsigned widest(const struct gsc_view *view, const reg_vec *regs)
{
	unsigned bits = 0;

	for (size_t i = 0; i < regs->count; i++)
		bits = MAX(bits, inst_traits(view, regs->items[i])->bits);
	return bits;
}

static enum gsc_status check_fit(const struct given *g, const reg_vec *regs, const char *what,
				 uint64_t value, struct gsc_error *err)
{
	unsigned bits = widest(g->view, regs);

	if (bits >= 64 || !(value >> bits))
		return GSC_OK;
	return err_set(err, GSC_USAGE, what, "0x%llx is no value of %u bits",
		       (unsigned long long)value, bits);
}

static enum gsc_status add_word(struct given *g, const char *word, struct gsc_error *err)
{
	const char *equals = strchr(word, '=');
	struct selector selector;
	reg_vec regs = { 0 };
	enum gsc_status status;
	char name[320];
	uint64_t value;

	if (!equals || (size_t)(equals - word) >= sizeof(name))
		return err_set(err, GSC_USAGE, word, "expected REG=VALUE");
	memcpy(name, word, (size_t)(equals - word));
	name[equals - word] = 0;
	if (!gsc_parse_number(equals + 1, &value))
		return err_set(err, GSC_USAGE, word, "expected a number after the =");
	status = selector_read(&selector, g->view, name, err);
	if (!status)
		status = resolve(g, &selector, &regs, err);
	if (!status)
		status = check_fit(g, &regs, word, value, err);
	if (!status && !add_regs(g, &regs, value))
		status = err_memory(err);
	vec_free(&regs);
	return status;
}

/* ---- pasted lines --------------------------------------------------------------------------- */

/* Each thing once, however often it comes. */
static bool noted(const struct given *g, const char *text)
{
	for (size_t i = 0; i < g->notes.count; i++)
		if (!strcmp(strchr(g->notes.items[i], ':'), text))
			return true;
	return false;
}

static bool note(struct given *g, const char *what, const char *why)
{
	char text[900], *copy, **slot;
	int prefix = snprintf(text, sizeof(text), "line %zu", g->line);

	snprintf(text + prefix, sizeof(text) - (size_t)prefix, ": %s: %s", what, why);
	if (g->notes.count >= NOTES_MAX || noted(g, text + prefix))
		return true;
	copy = strdup(text);
	slot = copy ? vec_add(&g->notes) : NULL;
	if (!slot) {
		free(copy);
		return false;
	}
	*slot = copy;
	return true;
}

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
static void selector_text(const struct given *g, const char *text, size_t length, char *out,
			  size_t size)
{
	const char *open = memchr(text, '[', length);
	size_t base = open ? (size_t)(open - text) : length;
	char name[144];

	base = MIN(base, sizeof(name) - 1);
	memcpy(name, text, base);
	name[base] = 0;
	snprintf(out, size, "%s%s%s%.*s", g->engine, *g->engine ? "." : "", plain_name(name),
		 (int)MIN(length - base, 12), text + base);
}

static enum gsc_status resolve_text(const struct given *g, const char *text, reg_vec *regs,
				    struct gsc_error *err)
{
	struct selector selector;
	enum gsc_status status = selector_read(&selector, g->view, text, err);

	/* Most words of a paste are no names: those are not worth a search for similar ones. */
	if (!status && !gsc_db_find(g->view->db, selector.name, NULL, 0))
		return err_set(err, GSC_UNKNOWN, text, "unknown register");
	return status ? status : resolve(g, &selector, regs, err);
}

/* Registers are written in capitals; "seqno: 0x17" is prose. */
static bool has_capital(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (isupper((unsigned char)text[i]))
			return true;
	return false;
}

/* A value in halves of a register of 32 bits: what stands above it is a register of its own. */
static bool add_halves(struct given *g, const reg_vec *regs, const char *name, uint64_t value,
		       bool *done)
{
	reg_vec upper = { 0 };
	struct gsc_error err;
	char text[208];
	bool found;

	snprintf(text, sizeof(text), "%.199s_UDW", name);
	found = widest(g->view, regs) == 32 && !resolve_text(g, text, &upper, &err);
	if (found)
		*done = add_regs(g, regs, value & UINT32_MAX) &&
			add_regs(g, &upper, value >> 32);
	vec_free(&upper);
	return found;
}

/* A line in an engine's block may still be about a register of the whole device. */
static bool add_named(struct given *g, const char *text, size_t length, uint64_t value,
		      bool halves)
{
	char buf[200], *name = buf;
	struct gsc_error err;
	reg_vec regs = { 0 };
	enum gsc_status status;
	bool done = true;

	selector_text(g, text, length, buf, sizeof(buf));
	status = resolve_text(g, name, &regs, &err);
	if (status == GSC_UNKNOWN && *g->engine) {
		name += strlen(g->engine) + 1;
		status = resolve_text(g, name, &regs, &err);
	}
	halves = !status && (halves || value > UINT32_MAX) &&
		 add_halves(g, &regs, name, value, &done);
	if (!status && !halves)
		status = check_fit(g, &regs, name, value, &err);
	if (!status && !halves)
		done = add_regs(g, &regs, value);
	else if (!halves && has_capital(text, length))
		done = note(g, err.what, err.why);
	vec_free(&regs);
	return done;
}

static bool add_unknown(struct given *g, enum gsc_space space, uint64_t address, unsigned size,
			uint64_t value)
{
	char what[24];

	snprintf(what, sizeof(what), "0x%llx", (unsigned long long)address);
	return note(g, what, "no register is defined at this address") &&
	       add(g, (struct item){ .reg = NONE, .space = space, .start = address,
				     .last = reg_last(space, address, size * 8) }, value);
}

/*
 * One value of a line that tells its address. In a row of several those without definition are
 * nothing to speak of.
 */
static bool add_cell(struct given *g, const struct regline *line, uint64_t address, uint64_t value)
{
	reg_vec regs = { 0 };
	struct gsc_error err;
	bool done = regs_at(g->view, line->space, address, &regs);

	if (done && regs.count && check_fit(g, &regs, "line", value, &err))
		done = note(g, err.what, err.why);
	else
		for (size_t r = 0; done && r < regs.count; r++)
			done = add_reg(g, regs.items[r], value);
	if (done && !regs.count && line->count == 1)
		done = line->name ? add_named(g, line->name, line->name_length, value, false)
				  : add_unknown(g, line->space, address, line->size, value);
	vec_free(&regs);
	return done;
}

static bool add_addressed(struct given *g, const struct regline *line)
{
	for (unsigned i = 0; i < line->count; i++) {
		uint64_t address = line->address + (uint64_t)i * line->size;

		if (line->status[i] == GSC_READ_OK && address >= line->address &&
		    !add_cell(g, line, address, line->value[i]))
			return false;
	}
	return true;
}

static size_t skip_blanks(const char *text, size_t at, size_t length)
{
	while (at < length && is_blank(text[at]))
		at++;
	return at;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.[]*", c));
}

/* 0x...; after "=" also the 8 or 16 digits of a dump, or a decimal number. */
static bool parse_value(const char *text, size_t length, bool equals, uint64_t *value)
{
	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return number_parse(text, length, value);
	if (equals && length >= 8 && length <= 16)
		return number_parse_hex(text, length, value);
	return equals && number_parse(text, length, value);
}

/* "0x00000001 0002003c", as error states write 64 bits: the half below. */
static bool take_low_half(const char *text, size_t at, size_t stop, size_t length, uint64_t *value)
{
	size_t next = skip_blanks(text, stop, length);
	uint64_t low;

	if (stop - at != 10 || next == stop || length - next < 8 || *value > UINT32_MAX ||
	    (length - next > 8 && !is_blank(text[next + 8])) ||
	    !number_parse_hex(text + next, 8, &low))
		return false;
	*value = *value << 32 | low;
	return true;
}

/* "NAME=VALUE", "NAME: VALUE", "NAME VALUE"; what has another form is prose. */
static bool take_named(struct given *g, const char *text, size_t length)
{
	size_t start = skip_blanks(text, 0, length), end = start, at, stop;
	bool equals, halves;
	uint64_t value;

	while (end < length && in_name(text[end]))
		end++;
	at = skip_blanks(text, end, length);
	equals = at < length && text[at] == '=';
	if (end == start || (!equals && isdigit((unsigned char)text[start])))
		return true;
	if (at < length && (text[at] == '=' || text[at] == ':'))
		at = skip_blanks(text, at + 1, length);
	stop = at;
	while (stop < length && !is_blank(text[stop]) && text[stop] != ',')
		stop++;
	if (!parse_value(text + at, stop - at, equals, &value))
		return true;
	halves = take_low_half(text, at, stop, length, &value);
	return add_named(g, text + start, end - start, value, halves);
}

/* "render command stream:", "rcs0 command stream:" begin what an error state says of an engine. */
static bool take_engine(struct given *g, const char *text, size_t length)
{
	static const char heading[] = "command stream:";
	size_t tail = sizeof(heading) - 1, word = 0;

	if (length < tail || memcmp(text + length - tail, heading, tail))
		return false;
	while (word < length && isalnum((unsigned char)text[word]))
		word++;
	snprintf(g->engine, sizeof(g->engine), "%.*s", (int)MIN(word, 15), text);
	return true;
}

static bool take_line(struct given *g, const char *text, size_t length)
{
	struct regline line;
	size_t quote = quote_length(text, length);

	switch (regline_parse(text, length, false, &line)) {
	case REGLINE_OWN:
	case REGLINE_RAW:
	case REGLINE_PLAIN:
	case REGLINE_INTEL:
	case REGLINE_TRACE:
		/* Two bare numbers may be anything: "12 34". */
		return line.bare || add_addressed(g, &line);
	case REGLINE_OTHER:
		return take_engine(g, text + quote, length - quote) ||
		       take_named(g, text + quote, length - quote);
	default:
		return true;
	}
}

static bool take_text(struct given *g, const char *text, size_t size)
{
	struct lines lines = { .data = (const uint8_t *)text, .size = size };

	while (lines_next(&lines)) {
		g->line = lines.number;
		if (!take_line(g, lines.text, lines.length))
			return false;
	}
	return true;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void given_free(struct given *g)
{
	for (size_t i = 0; i < g->notes.count; i++)
		free(g->notes.items[i]);
	vec_free(&g->notes);
	vec_free(&g->values);
	gsc_selection_free(g->selection);
}

/* Hands all over to rows; the values are cut to their registers. */
static struct gsc_rows *given_rows(struct given *g)
{
	struct gsc_rows *rows = rows_new(g->selection, NULL);

	if (!rows)
		return NULL;
	rows->own = g->selection;
	for (size_t i = 0; i < g->values.count; i++) {
		const struct item *item = &g->selection->items.items[i];
		unsigned bits = item_bytes(item) * 8;

		rows->results[i].status = GSC_READ_OK;
		rows->results[i].value = g->values.items[i];
		if (bits < 64)
			rows->results[i].value &= (UINT64_C(1) << bits) - 1;
	}
	rows->notes.items = g->notes.items;
	rows->notes.count = g->notes.count;
	g->selection = NULL;
	g->notes.items = NULL;
	g->notes.count = 0;
	return rows;
}

enum gsc_status gsc_rows_given(struct gsc_rows **rows, const struct gsc_view *view,
			       const char *const *words, size_t count, struct gsc_error *err)
{
	struct given g = { .view = view, .selection = selection_new(view) };
	enum gsc_status status = g.selection ? GSC_OK : err_memory(err);

	*rows = NULL;
	for (size_t i = 0; !status && i < count; i++)
		status = add_word(&g, words[i], err);
	if (!status) {
		*rows = given_rows(&g);
		status = *rows ? GSC_OK : err_memory(err);
	}
	given_free(&g);
	return status;
}

enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_view *view,
				const char *text, size_t size, struct gsc_error *err)
{
	struct given g = { .view = view, .selection = selection_new(view) };

	*rows = NULL;
	if (g.selection && take_text(&g, text, size))
		*rows = given_rows(&g);
	given_free(&g);
	return *rows ? GSC_OK : err_memory(err);
}
