/* SPDX-License-Identifier: MIT */
/* Where two readings of one selection differ, down to the fields. */
#include "regs/regs.h"

#include <string.h>

struct difference {
	size_t row;
	uint64_t mask;			/* bits that are compared */
};

struct gsc_diff {
	struct gsc_rows *a, *b;		/* a NULL: the documented reset values */
	VEC(struct difference) list;
};

static void rows_pair(const struct gsc_diff *diff, size_t i, struct gsc_row *a, struct gsc_row *b)
{
	bool known;

	gsc_rows_at(diff->b, i, b);
	if (diff->a) {
		gsc_rows_at(diff->a, i, a);
		return;
	}
	/* As the documentation says it is after reset; without a documented value it is absent. */
	known = b->reg.flags & GSC_REG_HAS_RESET && !b->raw;
	*a = *b;
	a->why = NULL;
	a->status = known ? GSC_READ_OK : GSC_READ_ABSENT;
	a->value = known ? b->reg.reset & b->reg.reset_mask : 0;
}

static bool compare_row(struct gsc_diff *diff, size_t row)
{
	struct field_difference field;
	struct difference_iter it;
	struct gsc_difference d;

	rows_pair(diff, row, &d.a, &d.b);
	/* All bits if only one has a value. */
	d.bits = d.a.raw ? UINT32_MAX : bits_below(d.a.reg.bits);
	if (d.a.status == d.b.status)
		d.bits &= (d.a.value ^ d.b.value) & (diff->a ? UINT64_MAX : d.a.reg.reset_mask);
	if (!d.bits || (d.a.status != GSC_READ_OK && d.b.status != GSC_READ_OK))
		return true;
	/* If fields were requested, only those count. */
	if (d.b.field_count && d.a.status == d.b.status) {
		difference_fields(diff->b->selection->view, &d, &it);
		if (!difference_next(&it, &field))
			return true;
	}
	return vec_push(&diff->list, (struct difference){ row, d.bits });
}

/* Rows of a range from this one on that are equal, found without making rows of them. */
static size_t equal_rows(const struct gsc_diff *diff, size_t row)
{
	size_t i = rows_item(diff->b, row), equal = 0, count;
	const struct item *item = &diff->b->selection->items.items[i];
	const struct stretch *a, *b;
	uint64_t at;

	if (!item->range || !diff->a)
		return 0;
	at = item->start + (uint64_t)(row - diff->b->results[i].first_row) * 4;
	a = rows_stretch(diff->a, i, at);
	b = rows_stretch(diff->b, i, at);
	count = (size_t)((MIN(a->last, b->last) - at) / 4 + 1);
	if (a->status != GSC_READ_OK && b->status != GSC_READ_OK)
		return count;
	if (a->status != b->status)
		return 0;
	while (equal < count && !memcmp(a->data + (at - a->start) + equal * 4,
					b->data + (at - b->start) + equal * 4, 4))
		equal++;
	return equal;
}

enum gsc_status gsc_diff_new(struct gsc_diff **out, struct gsc_rows *a, struct gsc_rows *b,
			     struct gsc_error *err)
{
	struct gsc_diff *diff = calloc(1, sizeof(*diff));
	size_t count = gsc_rows_count(b), row = 0;
	bool done = diff != NULL;

	*out = diff;
	if (diff)
		*diff = (struct gsc_diff){ .a = a, .b = b };
	while (done && row < count) {
		row += equal_rows(diff, row);
		if (row < count)
			done = compare_row(diff, row++);
	}
	if (done)
		return GSC_OK;
	gsc_diff_free(diff);
	*out = NULL;
	return err_memory(err);
}

void gsc_diff_free(struct gsc_diff *diff)
{
	if (!diff)
		return;
	vec_free(&diff->list);
	free(diff);
}

size_t gsc_diff_count(const struct gsc_diff *diff)
{
	return diff->list.count;
}

void gsc_diff_at(struct gsc_diff *diff, size_t i, struct gsc_difference *difference)
{
	rows_pair(diff, diff->list.items[i].row, &difference->a, &difference->b);
	difference->bits = diff->list.items[i].mask;
}

/* ---- fields --------------------------------------------------------------------------------- */

void difference_fields(const struct gsc_view *view, const struct gsc_difference *difference,
			   struct difference_iter *it)
{
	const struct gsc_row *a = &difference->a, *b = &difference->b;
	bool decoded = a->status == GSC_READ_OK && b->status == GSC_READ_OK && a->reg.name &&
		       !a->part;

	*it = (struct difference_iter){ .difference = difference, .rest = difference->bits };
	if (!decoded)
		return;
	gsc_reg_fields(view, &a->reg, a->value, &it->a);
	gsc_reg_fields(view, &b->reg, b->value, &it->b);
	it->pass_a = it->pass_b = true;
}

/*
 * Both iterators walk the same definitions, and each shows what applies to its value: the one that
 * is behind shows a field which the other does not have. The result of the last call is passed only
 * now, because its texts had to last until here.
 */
bool difference_next(struct difference_iter *it, struct field_difference *field)
{
	const struct gsc_row *a = &it->difference->a, *b = &it->difference->b;

	for (;;) {
		const struct gsc_field *from;
		bool in_a, in_b, wanted;
		uint64_t mask;

		if (it->pass_a)
			it->more_a = gsc_field_next(&it->a, &it->field_a);
		if (it->pass_b)
			it->more_b = gsc_field_next(&it->b, &it->field_b);
		it->pass_a = it->pass_b = false;
		if (!it->more_a && !it->more_b)
			return false;
		in_a = it->more_a && (!it->more_b || it->a.next <= it->b.next);
		in_b = it->more_b && (!it->more_a || it->b.next <= it->a.next);
		it->pass_a = in_a;
		it->pass_b = in_b;
		from = in_a ? &it->field_a : &it->field_b;
		mask = bits_below(from->hi - from->lo + 1);
		*field = (struct field_difference){
			.name = from->name,
			.hi = from->hi,
			.lo = from->lo,
			.a = a->value >> from->lo & mask,
			.b = b->value >> from->lo & mask,
			.text_a = in_a ? it->field_a.text : NULL,
			.text_b = in_b ? it->field_b.text : NULL,
		};
		it->rest &= ~(mask << from->lo);
		wanted = !a->field_count;
		for (size_t i = 0; !wanted && i < a->field_count; i++)
			wanted = !name_compare(a->fields[i], from->name);
		if (wanted && it->difference->bits >> from->lo & mask)
			return true;
	}
}
