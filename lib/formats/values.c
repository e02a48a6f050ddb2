/* SPDX-License-Identifier: MIT */
/* Makes pieces of single values; if there are several for one place, the last counts. */
#include "formats/values.h"

#include "text/lines.h"

bool values_add(value_vec *values, enum gsc_space space, uint64_t address, unsigned size,
		enum gsc_read status, uint64_t value)
{
	uint64_t place;

	return space_place(space, address, &place) && range_fits(place, size) &&
	       vec_push(values, (struct value){ .address = place, .value = value,
						.order = values->count, .space = (uint8_t)space,
						.status = (uint8_t)status,
						.size = (uint8_t)size });
}

void note_left_out(struct gsc_source *source, const struct part *part, const struct left_out *left,
		   const char *what)
{
	char byte[40] = "";

	if (part->dump)
		snprintf(byte, sizeof(byte), ", at byte %zu", left->at);
	if (left->count)
		source_note(source, "%s: line %zu: %s%s (%zu of this kind)", part->blob.name,
			    left->line, what, byte, left->count);
}

bool any_line(const uint8_t *data, size_t size, bool (*is)(struct slice line))
{
	struct lines line = { .data = data, .size = size };
	bool text = bytes_are_text(data, size), found = false;

	while (!found && text && lines_next(&line))
		found = is(line.text);
	return found;
}

void values_name(value_vec *values, struct slice name)
{
	struct value *last = &values->items[values->count - 1];

	last->name = name.at < name.end ? name.at : NULL;
	last->name_length = (uint16_t)MIN(slice_length(name), UINT16_MAX);
}

static int compare_place(const struct value *x, const struct value *y)
{
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->status < y->status ? -1 : x->status > y->status;
}

static int by_place(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	int difference = compare_place(x, y);

	return difference ? difference : x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* Needs the order of places. */
static bool list_values(const value_vec *values, struct part *part)
{
	struct listed *last = NULL;

	for (size_t i = 0; i < values->count; i++) {
		const struct value *v = &values->items[i];

		if (v->status != GSC_READ_OK || !space_has_registers((enum gsc_space)v->space))
			continue;
		if (last && last->row && v->row && last->space == v->space &&
		    last->unit == v->size && last->address + last->length == v->address) {
			last->length += v->size;
			continue;
		}
		last = vec_add(&part->listed);
		if (!last)
			return false;
		*last = (struct listed){ .address = v->address, .length = v->size, .name = v->name,
					 .name_length = v->name_length, .space = v->space,
					 .unit = v->size, .row = v->row };
	}
	return true;
}

static bool store(value_vec *values, struct part *part)
{
	uint64_t used = 0;
	size_t kept = 0;
	uint8_t *bytes;
	bool stored;

	if (!values->count)
		return true;
	qsort(values->items, values->count, sizeof(*values->items), by_place);
	/* Of the values for one place only the last is visible. */
	for (size_t i = 0; i < values->count; i++)
		if (i + 1 == values->count ||
		    compare_place(&values->items[i], &values->items[i + 1]))
			values->items[kept++] = values->items[i];
	values->count = kept;
	bytes = part_alloc(part, values->count * 8);
	stored = bytes && list_values(values, part);
	/* Bytes of neighbours go next to each other, so that they become one piece: by offset. */
	for (size_t i = 0; stored && i < values->count; i++) {
		struct value *v = &values->items[i];
		uint64_t value = v->value;

		v->value = used;
		for (unsigned n = 0; v->status == GSC_READ_OK && n < v->size; n++, value >>= 8)
			bytes[used++] = (uint8_t)value;
	}
	qsort(values->items, values->count, sizeof(*values->items), by_order);
	for (size_t i = 0; stored && i < values->count; i++) {
		const struct value *v = &values->items[i];
		enum gsc_space space = (enum gsc_space)v->space;
		enum gsc_read status = (enum gsc_read)v->status;

		stored = status == GSC_READ_OK ?
			part_add(part, space, v->address, v->size, bytes + v->value) :
			part_add_status(part, space, v->address, v->size, status);
	}
	return stored;
}

enum gsc_status values_end(value_vec *values, struct part *part, bool done, struct gsc_error *err)
{
	done = done && store(values, part);
	vec_free(values);
	return done ? GSC_OK : err_memory(err);
}
