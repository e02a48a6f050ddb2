/* SPDX-License-Identifier: MIT */
/*
 * Registers as text. formats/register-text.c reads this back: a line that begins with an address is
 * a value, and what belongs to a register follows it, indented by four blanks.
 */
#include "out/out.h"

#include "formats/regline.h"
#include "util/number.h"
#include "util/text.h"

#define NAME_COLUMN 22
#define DOC_COLUMN 56
#define ALSO_COLUMNS 66

/* ---- what every form of output asks about a row ---------------------------------------------- */

bool origin_text(const struct gsc_view *view, const struct gsc_reg *reg, char *buf, size_t size)
{
	const struct layer *l;
	const struct b_origin *origin;
	const struct b_document *document;
	uint32_t index;

	if (!reg->document)
		return false;
	l = def_layer(view->db, reg->def);
	index = reg_origin(LAYER_ITEM(l, B_REGS, struct c_reg, def_index(reg->def)));
	origin = LAYER_ITEM(l, B_ORIGINS, struct b_origin, index);
	document = LAYER_ITEM(l, B_DOCUMENTS, struct b_document, origin->document);
	snprintf(buf, size, "%s, %s", layer_text(l, document->title),
		 layer_text(l, origin->section));
	return true;
}

const char *row_reason(const struct gsc_row *row, char *buf, size_t size)
{
	if (row->status == GSC_READ_ASLEEP && row->reg.wake) {
		snprintf(buf, size, "forcewake domain %s is not held", row->reg.wake);
		return buf;
	}
	return row->status == GSC_READ_OK ? NULL : row->why;
}

bool row_shows(const struct gsc_row *row, const struct gsc_field *field)
{
	for (size_t i = 0; i < row->field_count; i++)
		if (!name_compare(row->fields[i], field->name))
			return true;
	return !row->field_count;
}

bool row_decodes(const struct gsc_row *row)
{
	return row->status == GSC_READ_OK && row->reg.name && !row->part;
}

bool within_next(const struct gsc_view *view, const struct gsc_row *row, size_t *next,
		 struct gsc_field *field, char *name, size_t size)
{
	uint64_t start = row->reg.offset;
	struct gsc_reg reg;

	if (!row->raw || row->reg.name || *next >= view->count)
		return false;
	gsc_view_reg(view, *next, &reg);
	if (reg.space != row->reg.space || reg.offset + reg.bits / 8 > start + 4)
		return false;
	++*next;
	gsc_reg_full_name(&reg, name, size);
	*field = (struct gsc_field){ .name = name, .lo = (unsigned)(reg.offset - start) * 8 };
	field->hi = field->lo + reg.bits - 1;
	field->value = row->value >> field->lo & ((UINT64_C(1) << reg.bits) - 1);
	return true;
}

void definition_fields(const struct gsc_view *view, const struct gsc_reg *reg,
		       struct gsc_field_iter *it)
{
	struct gsc_item item;

	if (reg->name && gsc_item_by_def(view->db, GSC_REGISTER, reg->def, &item))
		gsc_item_fields(view->db, NULL, &item, NULL, 0, it);
	else
		*it = (struct gsc_field_iter){ 0 };
}

bool definition_next(const struct gsc_view *view, struct gsc_field_iter *it,
		     struct gsc_field *field)
{
	while (gsc_field_next(it, field))
		if (!view || gsc_view_sees(view, field->platforms, &field->revisions))
			return true;
	return false;
}

/* ---- parts of a line ------------------------------------------------------------------------ */

void text_address(struct gsc_out *out, enum gsc_space space, uint64_t address)
{
	if (space != GSC_MMIO) {
		gsc_out_text(out, gsc_space_name(space));
		gsc_out_bytes(out, ":", 1);
	}
	gsc_out_hex(out, address, space == GSC_MMIO ? 6 : 2);
}

/* A value as wide as its register, or the word for why there is none. */
static void text_value(struct gsc_out *out, const struct gsc_row *row)
{
	if (row->status == GSC_READ_OK) {
		gsc_out_hex(out, row->value, (row->raw ? 32 : row->reg.bits) / 4);
		return;
	}
	text_styled(out, GSC_STYLE_YELLOW, gsc_read_word(row->status));
}

/* The name of a row's register, and which bits of it the row has, if not all. */
static void text_name(struct gsc_out *out, const struct gsc_row *row)
{
	char *at;

	gsc_out_style(out, GSC_STYLE_BOLD);
	at = out_room(out, REG_NAME_MAX);
	if (at)
		out_used(out, put_reg_name(at, &row->reg));
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (row->part)
		gsc_out_format(out, "  bits %u:%u only", row->part_hi, row->part_lo);
}

/* Bit numbers end before this column. */
#define BITS_END 9

/*
 * A number below 100, right-aligned in two columns: without branches, which are predicted badly
 * here.
 */
static inline void put_bit(char *at, unsigned bit)
{
	unsigned tens = bit * 103 >> 10;

	at[0] = (char)(tens ? '0' + tens : ' ');
	at[1] = (char)('0' + bit - tens * 10);
}

/* "     20:3   ", "       15   " */
static inline char *put_bits(char *line, unsigned hi, unsigned lo)
{
	char *colon = line + BITS_END - (lo < 10 ? 2 : 3), text[24];

	if (hi >= 100) {
		string_set(text, hi == lo ? "%u" : "%u:%u", hi, lo);
		return line + sprintf(line, "%*.8s   ", BITS_END, text);
	}
	memset(line, ' ', FIELD_NAME_COLUMN);
	put_bit(line + BITS_END - 2, lo);
	if (hi != lo) {
		*colon = ':';
		put_bit(colon - 2, hi);
	}
	return line + FIELD_NAME_COLUMN;
}

static void text_bits(struct gsc_out *out, unsigned hi, unsigned lo)
{
	char *at = out_room(out, FIELD_NAME_COLUMN + 2);

	if (at)
		out_used(out, put_bits(at, hi, lo));
}

/* ---- fields --------------------------------------------------------------------------------- */

bool field_reserved(const struct gsc_field *field)
{
	return field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED) ||
	       (field->name[0] == 'R' && !strcmp(field->name, "RESERVED"));
}

char *put_field_lead(char *at, unsigned hi, unsigned lo, const char *name, size_t length)
{
	char *line = at;

	return put_gap(put_piece(put_bits(at, hi, lo), name, length), line, FIELD_VALUE_COLUMN);
}

/* The line of a field, in one go: a dump consists of these. */
static void text_field_line(struct gsc_out *out, const struct gsc_field *field)
{
	const char *text = field->text ? field->text : "";
	const char *problem = field->problem ? field->problem : "";
	size_t name_length = strlen(field->name), text_length = strlen(text);
	size_t problem_length = strlen(problem);
	char *line = out_room(out, FIELD_TEXT_COLUMN + 2 * NUMBER_MAX + GAP_BLOCK + name_length +
				   text_length + problem_length);
	char *at;

	if (!line)
		return;
	at = put_field_lead(line, field->hi, field->lo, field->name, name_length);
	at = number_hex(at, field->value);
	if (text_length || problem_length)
		at = put_piece(put_gap(at, line, FIELD_TEXT_COLUMN), text, text_length);
	if (text_length && problem_length)
		at = put_piece(at, "  ", 2);
	if (problem_length)
		at = put_piece(at, problem, problem_length);
	out_used(out, at);
}

void gsc_text_field(struct gsc_out *out, const struct gsc_field *field)
{
	bool styled = out->colour && (field->problem || field_reserved(field));

	if (styled)
		gsc_out_style(out, field->problem ? GSC_STYLE_RED : GSC_STYLE_DIM);
	text_field_line(out, field);
	if (styled)
		gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

static void text_fields(struct gsc_out *out, const struct gsc_view *view,
			const struct gsc_row *row, bool verbose)
{
	uint64_t rest = row->value;
	struct gsc_field_iter it;
	struct gsc_field field;
	bool any = false;

	gsc_reg_fields(view, &row->reg, row->value, &it);
	while (gsc_field_next(&it, &field)) {
		any = true;
		rest &= ~(UINT64_MAX >> (63 - (field.hi - field.lo)) << field.lo);
		if (row_shows(row, &field) && (verbose || field.problem || !field_reserved(&field)))
			gsc_text_field(out, &field);
	}
	/* The upper half of a masked register enables writes; it reads as anything. */
	if (row->reg.access & GSC_MASKED)
		rest &= 0xffff;
	if (!any || !rest || row->field_count)
		return;
	gsc_out_style(out, GSC_STYLE_RED);
	gsc_out_text(out, "    bits without definition: ");
	gsc_out_hex(out, rest, 1);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

/* ---- everything known about a register ------------------------------------------------------ */

static void text_note(struct gsc_out *out, const char *label, const char *text)
{
	if (!text)
		return;
	gsc_out_text(out, "    ");
	gsc_out_text(out, label);
	gsc_out_text(out, text);
	gsc_out_end(out);
}

static void text_access(struct gsc_out *out, unsigned access)
{
	const char *before = "";

	for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1) {
		if (!(access & bit))
			continue;
		gsc_out_format(out, "%s%s", before, gsc_access_word((enum gsc_access)bit));
		before = ",";
	}
}

static void text_details(struct gsc_out *out, const struct gsc_view *view,
			 const struct gsc_row *row)
{
	const struct gsc_reg *reg = &row->reg;
	uint64_t changed = (row->value ^ reg->reset) & reg->reset_mask;
	char origin[400], owner[RANGE_TEXT_MAX];
	struct gsc_range range;
	const char *alias;

	text_note(out, "", reg->doc);
	for (size_t i = 0; (alias = gsc_reg_alias(view, reg, i)); i++) {
		gsc_out_text(out, i ? " " : "    also: ");
		gsc_out_text(out, alias);
	}
	if (gsc_reg_alias(view, reg, 0))
		gsc_out_end(out);
	gsc_out_text(out, "    access: ");
	text_access(out, reg->access);
	if (reg->flags & GSC_REG_HAS_RESET && !row->part) {
		gsc_out_text(out, "; reset ");
		gsc_out_hex(out, reg->reset, reg->bits / 4);
		if (row->status == GSC_READ_OK && changed)
			gsc_out_format(out, ", from which it differs in 0x%llx", LL(changed));
	}
	gsc_out_end(out);
	text_note(out, "sleeps outside forcewake domain ", reg->wake);
	text_note(out, "hazard: ", reg->hazard);
	if (gsc_view_range(view, RANGE_OWNED, reg->space, reg->offset, &range))
		text_note(out, "owner: ", gsc_range_text(&range, owner, sizeof(owner)));
	if (origin_text(view, reg, origin, sizeof(origin)))
		text_note(out, "origin: ", origin);
	if (reg->flags & GSC_REG_USER) {
		gsc_out_text(out, "    defined in ");
		gsc_out_clean(out, reg->file);
		gsc_out_line(out, ":%u", reg->line);
	}
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* "the same of bcs0 vcs0 vecs0", as many as fit the line: the JSON has all of them. */
static void text_also(struct gsc_out *out, const struct gsc_view *view, const struct gsc_row *row)
{
	size_t column = 16;

	if (!row->also_count)
		return;
	gsc_out_text(out, "    also applies to");
	for (size_t i = 0; i < row->also_count; i++) {
		struct gsc_reg reg;
		char name[192];
		size_t length;

		gsc_view_reg(view, row->also[i], &reg);
		length = gsc_reg_full_name(&reg, name, sizeof(name));
		if (reg.engine && reg.index < 0 && reg.def == row->reg.def)
			length = (size_t)string_set(name, "%s", reg.engine);
		column += length + 1;
		if (i && column > ALSO_COLUMNS) {
			gsc_out_format(out, " and %zu more", row->also_count - i);
			break;
		}
		gsc_out_bytes(out, " ", 1);
		gsc_out_text(out, name);
	}
	gsc_out_end(out);
}

void gsc_text_row(struct gsc_out *out, const struct gsc_view *view, const struct gsc_row *row,
		  unsigned flags)
{
	const struct gsc_steering *steering = &row->steering;
	char buf[64], where[ADDRESS_TEXT_MAX];
	const char *reason = row_reason(row, buf, sizeof(buf));

	if (flags & GSC_TEXT_LIST) {
		text_address(out, row->reg.space, row->reg.offset);
		gsc_out_pad(out, 10);
		gsc_out_decimal(out, row->reg.bits);
		gsc_out_pad(out, 13);
		text_access(out, row->reg.access);
		gsc_out_pad(out, NAME_COLUMN);
		text_name(out, row);
		if (!(flags & (GSC_TEXT_QUIET | GSC_TEXT_VERBOSE)) && row->reg.doc) {
			gsc_out_pad(out, DOC_COLUMN);
			gsc_out_text(out, row->reg.doc);
		}
		gsc_out_end(out);
		if (flags & GSC_TEXT_VERBOSE)
			text_details(out, view, row);
		if (flags & GSC_TEXT_VERBOSE || row->field_count) {
			struct gsc_field_iter it;
			struct gsc_field field;

			definition_fields(view, &row->reg, &it);
			while (definition_next(view, &it, &field)) {
				if (!row_shows(row, &field))
					continue;
				text_bits(out, field.hi, field.lo);
				gsc_out_text(out, field.name);
				if (field.doc) {
					gsc_out_pad(out, FIELD_VALUE_COLUMN);
					gsc_out_text(out, field.doc);
				}
				gsc_out_end(out);
			}
		}
		return;
	}
	text_address(out, row->reg.space, row->reg.offset);
	out_byte(out, ' ');
	out_byte(out, ' ');
	text_value(out, row);
	if (row->reg.name) {
		gsc_out_pad(out, NAME_COLUMN);
		text_name(out, row);
	} else if (row->dump_name) {
		gsc_out_pad(out, NAME_COLUMN);
		/* After a `#` if it would otherwise be read as a name again. */
		if (!regline_is_name(slice_string(row->dump_name)))
			gsc_out_text(out, "# ");
		gsc_out_text(out, row->dump_name);
	}
	if (reason) {
		gsc_out_text(out, "  ");
		gsc_out_text(out, reason);
	}
	gsc_out_end(out);
	text_also(out, view, row);
	if (flags & GSC_TEXT_QUIET)
		return;
	if (!row->reg.name && row->reg.space == GSC_MMIO &&
	    flags & (GSC_TEXT_ABSENT | GSC_TEXT_VERBOSE))
		text_note(out, "no register: ", gsc_address_text(view, row->reg.offset, where,
								 sizeof(where)));
	if (!row->reg.name)
		return;
	if (steering->selector && steering->known)
		gsc_out_line(out, "    one copy of several: %s %u, %s %u, by %s",
			     steering->slices ? "slice" : "group", steering->group,
			     steering->slices ? "subslice" : "instance", steering->instance,
			     steering->selector);
	else if (steering->selector)
		gsc_out_line(out, "    one copy of several: selected by %s, which cannot be read "
			     "here", steering->selector);
	if (flags & GSC_TEXT_VERBOSE)
		text_details(out, view, row);
	if (row_decodes(row))
		text_fields(out, view, row, flags & GSC_TEXT_VERBOSE);
	if (flags & GSC_TEXT_VERBOSE)
		text_workarounds(out, view, &row->reg);
}

static void text_heading(struct gsc_out *out, const struct gsc_reg *reg, bool first)
{
	char text[200] = "other registers";

	if (!first)
		gsc_out_end(out);
	if (!reg)
		string_set(text, "no definition: values as the dump names them");
	else if (reg->group)
		string_set(text, "%s%s%s", out->html ? "" : reg->group,
			   out->html ? "" : ": ", reg->group_title);
	out_part(out, 3, text);
	gsc_out_end(out);
}

void gsc_text_rows(struct gsc_out *out, struct gsc_rows *rows, unsigned flags)
{
	const struct gsc_selection *selection = rows->selection;
	const char *group = NULL;
	bool first = true, loose = false;

	for (size_t i = 0; i < selection->items.count && !out->error; i++) {
		struct gsc_row row;

		if (flags & GSC_TEXT_GROUPS && selection->items.items[i].reg == NONE && !loose) {
			text_heading(out, NULL, first);
			first = false;
			loose = true;
		}
		if (selection->items.items[i].range) {
			text_range(out, rows, i, flags);
			continue;
		}
		if (rows->results[i].status == GSC_READ_ABSENT &&
		    !(flags & (GSC_TEXT_ABSENT | GSC_TEXT_LIST)))
			continue;
		gsc_rows_at(rows, rows->results[i].first_row, &row);
		if (flags & GSC_TEXT_GROUPS && !loose &&
		    (first || (group != row.reg.group &&
			       strcmp(group ? group : "", row.reg.group ? row.reg.group : ""))))
			text_heading(out, &row.reg, first);
		first = false;
		group = row.reg.group;
		gsc_text_row(out, selection->view, &row, flags);
	}
}

void gsc_text_title(struct gsc_out *out, const char *tool, const char *platform, int device,
		    int revision, const char *const *sources, size_t count)
{
	gsc_out_format(out, "# %s 1.0", tool);
	if (platform)
		gsc_out_format(out, " platform %s", platform);
	if (device >= 0)
		gsc_out_format(out, " device 0x%04x", (unsigned)device);
	if (revision >= 0)
		gsc_out_format(out, " revision 0x%02x", (unsigned)revision);
	for (size_t i = 0; i < count; i++) {
		gsc_out_text(out, i ? ", " : " source ");
		gsc_out_clean(out, sources[i]);
	}
	gsc_out_end(out);
}

/* ---- where two readings differ -------------------------------------------------------------- */

void gsc_text_difference(struct gsc_out *out, const struct gsc_view *view,
			 const struct gsc_difference *d, unsigned flags)
{
	struct difference_iter it;
	struct field_difference field;

	text_address(out, d->b.reg.space, d->b.reg.offset);
	gsc_out_text(out, "  ");
	text_value(out, &d->a);
	gsc_out_text(out, " -> ");
	text_value(out, &d->b);
	if (d->b.reg.name) {
		gsc_out_text(out, "  ");
		text_name(out, &d->b);
	} else if (d->a.dump_name || d->b.dump_name) {
		gsc_out_format(out, "  %s", d->a.dump_name ? d->a.dump_name : d->b.dump_name);
	}
	gsc_out_end(out);
	if (flags & GSC_TEXT_QUIET)
		return;
	difference_fields(view, d, &it);
	while (difference_next(&it, &field)) {
		text_bits(out, field.hi, field.lo);
		gsc_out_text(out, field.name);
		gsc_out_pad(out, FIELD_VALUE_COLUMN);
		gsc_out_format(out, "0x%llx -> 0x%llx", LL(field.a), LL(field.b));
		if (field.text_a || field.text_b) {
			gsc_out_pad(out, FIELD_TEXT_COLUMN + 8);
			gsc_out_format(out, "%s -> %s", field.text_a ? field.text_a : "-",
				       field.text_b ? field.text_b : "-");
		}
		gsc_out_end(out);
	}
	if (!it.rest || !row_decodes(&d->a) || !row_decodes(&d->b))
		return;
	gsc_out_text(out, "    bits without definition: ");
	gsc_out_hex(out, it.rest, 1);
	gsc_out_end(out);
}
