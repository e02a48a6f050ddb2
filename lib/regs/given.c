/* SPDX-License-Identifier: MIT */
/* Rows whose values were given instead of read: "REG=VALUE" words. */
#include "regs/given.h"
#include "util/number.h"

#include <string.h>

struct given_value *given_add(struct given *g, struct item item, uint64_t value)
{
	struct given_value *slot = vec_add(&g->values);

	item.whole |= item.reg != NONE;
	if (!slot)
		return NULL;
	*slot = (struct given_value){ .value = value };
	return selection_add(g->selection, item) ? slot : NULL;
}

/* One register stands for all that share its definition: they decode alike. */
bool given_add_regs(struct given *g, const reg_vec *regs, uint64_t value)
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

enum gsc_status given_resolve(const struct given *g, const struct selector *selector,
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
	return regs->count ? GSC_OK
			   : err_set(err, GSC_UNKNOWN, text,
				     "no register is defined at this address");
}

unsigned given_widest(const struct gsc_view *view, const reg_vec *regs)
{
	unsigned bits = 0;

	for (size_t i = 0; i < regs->count; i++)
		bits = MAX(bits, inst_traits(view, regs->items[i])->bits);
	return bits;
}

enum gsc_status given_fit(const struct given *g, const reg_vec *regs, const char *what,
			  uint64_t value, struct gsc_error *err)
{
	unsigned bits = given_widest(g->view, regs);

	if (bits >= 64 || !(value >> bits))
		return GSC_OK;
	return err_set(err, GSC_USAGE, what, "0x%llx does not fit in %u bits",
		       (unsigned long long)value, bits);
}

/* ---- REG=VALUE ------------------------------------------------------------------------------ */

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
		status = given_resolve(g, &selector, &regs, err);
	if (!status)
		status = given_fit(g, &regs, word, value, err);
	if (!status && !given_add_regs(g, &regs, value))
		status = err_memory(err);
	vec_free(&regs);
	return status;
}

/* ---- rows ----------------------------------------------------------------------------------- */

void given_free(struct given *g)
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
struct gsc_rows *given_rows(struct given *g)
{
	struct gsc_rows *rows = rows_new(g->selection, NULL);

	if (!rows)
		return NULL;
	for (size_t i = 0; i < g->values.count; i++) {
		struct given_value *given = &g->values.items[i];
		unsigned bits = item_bytes(&g->selection->items.items[i]) * 8;
		struct result *result = &rows->results[i];

		result->status = GSC_READ_OK;
		result->value = given->value;
		if (bits < 64)
			result->value &= (UINT64_C(1) << bits) - 1;
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

enum gsc_status gsc_rows_given(struct gsc_rows **rows, const struct gsc_gpu *gpu,
			       const char *const *words, size_t count, struct gsc_error *err)
{
	struct given g = { .view = gpu->view, .selection = selection_new(gpu->view) };
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
