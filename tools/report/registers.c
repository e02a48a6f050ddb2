/* SPDX-License-Identifier: MIT */
/*
 * Every register that has a value, in the groups of gpu-regdump, with its fields; what differs from
 * the documented reset value is marked. A page that grows too long first loses fields, then rows,
 * and says so.
 */
#include "report.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the whole page. */
#define FIELDS_UNTIL (3u << 20)
#define ROWS_UNTIL (4u << 20)
#define NAMES_UNTIL (9u << 19)

struct group {
	const char *title;
	size_t first, end, shown, changed, asleep;
};

struct registers {
	struct report *r;
	struct gsc_rows *rows;
	size_t no_fields, no_row;
};

static bool is_changed(const struct gsc_row *row)
{
	return row->status == GSC_READ_OK && !row->part && row->reg.flags & GSC_REG_HAS_RESET &&
	       (row->value ^ row->reg.reset) & row->reg.reset_mask;
}

/* A counter, or something else that changes by itself: that it has changed means nothing. */
static bool moves(const struct gsc_row *row)
{
	return row->reg.flags & GSC_REG_VOLATILE;
}

/* ---- one register --------------------------------------------------------------------------- */

static bool is_reserved(const struct gsc_field *field)
{
	return field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED) &&
	       !field->problem;
}

/* Its bits in the reset value, if that is known for all of them. */
static bool field_changed(const struct gsc_row *row, const struct gsc_field *field)
{
	unsigned width = field->hi - field->lo + 1;
	uint64_t mask;

	if (!is_changed(row) || moves(row) || field->lo > 63 || width > 64)
		return false;
	mask = (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1) << field->lo;
	return (row->value ^ row->reg.reset) & row->reg.reset_mask & mask;
}

static void put_fields(struct registers *g, const struct gsc_row *row)
{
	struct html *h = &g->r->html;
	struct gsc_field_iter it;
	struct gsc_field field;
	bool begun = false;

	gsc_reg_fields(g->r->view, &row->reg, row->value, &it);
	while (gsc_field_next(&it, &field)) {
		if (is_reserved(&field))
			continue;
		html_put(h, begun ? "" : "<ul>");
		begun = true;
		html_put(h, field_changed(row, &field) ? "<li class=\"ch\"><i>" : "<li><i>");
		if (field.hi == field.lo)
			html_format(h, "%u", field.lo);
		else
			html_format(h, "%u:%u", field.hi, field.lo);
		html_put(h, "</i> ");
		html_text(h, field.name);
		html_put(h, " <b>");
		html_format(h, "0x%llx", LL(field.value));
		html_put(h, "</b>");
		if (field.text || field.problem)
			html_format(h, " (%s%s%s)", field.text ? field.text : "",
				    field.text && field.problem ? ", " : "",
				    field.problem ? field.problem : "");
		html_put(h, "</li>");
	}
	html_put(h, begun ? "</ul>" : "");
}

static void put_row(struct registers *g, const struct gsc_row *row)
{
	struct html *h = &g->r->html;
	bool changed = is_changed(row) && !moves(row);
	char name[192];

	if (row->reg.name)
		gsc_reg_full_name(&row->reg, name, sizeof(name));
	else
		snprintf(name, sizeof(name), "%s", row->dump_name ? row->dump_name : "");
	html_put(h, changed ? "<tr class=\"ch\"><td>" : "<tr><td>");
	if (row->reg.space != GSC_MMIO)
		html_format(h, "%s:", gsc_space_name(row->reg.space));
	html_format(h, "0x%0*llx", row->reg.space == GSC_MMIO ? 6 : 2, LL(row->reg.offset));
	html_put(h, "</td><th scope=\"row\">");
	html_text(h, name);
	if (row->part)
		html_format(h, " bits %u:%u only", row->part_hi, row->part_lo);
	html_put(h, "</th><td>");
	html_format(h, "0x%0*llx", (int)(row->raw ? 32 : row->reg.bits) / 4, LL(row->value));
	if (changed) {
		html_put(h, " <span class=\"flag\">≠ reset ");
		html_format(h, "0x%llx", LL(row->reg.reset));
		html_put(h, "</span>");
	}
	html_put(h, "</td><td>");
	if (html_size(h) < FIELDS_UNTIL && row->reg.name && !row->part)
		put_fields(g, row);
	else if (html_size(h) >= FIELDS_UNTIL)
		g->no_fields++;
	html_put(h, "</td></tr>\n");
}

/* ---- a group -------------------------------------------------------------------------------- */

static const char *title_of(const struct gsc_row *row)
{
	if (row->reg.group_title)
		return row->reg.group_title;
	return row->reg.name && !row->part ? "others"
					   : "no definition: values as the dump names them";
}

static void survey(struct registers *g, struct group *group)
{
	struct gsc_row row;

	for (size_t i = group->first; i < gsc_rows_count(g->rows); i++) {
		gsc_rows_at(g->rows, i, &row);
		if (strcmp(title_of(&row), group->title))
			break;
		group->end = i + 1;
		group->shown += row.status == GSC_READ_OK;
		group->changed += is_changed(&row) && !moves(&row);
		group->asleep += row.status != GSC_READ_OK && row.status != GSC_READ_ABSENT;
	}
}

/* There, but without a value, and why. */
static void put_silent(struct registers *g, const struct group *group)
{
	static const enum gsc_read kinds[] = { GSC_READ_ASLEEP, GSC_READ_DENIED,
					       GSC_READ_ALL_ONES, GSC_READ_SKIPPED };
	struct html *h = &g->r->html;
	struct gsc_row row;
	char name[192];

	for (size_t k = 0; group->asleep && k < ARRAY_SIZE(kinds); k++) {
		bool begun = false;

		for (size_t i = group->first; i < group->end; i++) {
			gsc_rows_at(g->rows, i, &row);
			if (row.status != kinds[k] || html_size(h) > NAMES_UNTIL)
				continue;
			if (!begun)
				html_put(h, "<p class=\"none\">");
			html_format(h, begun ? ", " : "No value, %s: ", gsc_read_word(kinds[k]));
			gsc_reg_full_name(&row.reg, name, sizeof(name));
			html_text(h, name);
			begun = true;
		}
		html_put(h, begun ? ".</p>\n" : "");
	}
}

static void put_group(struct registers *g, const struct group *group)
{
	struct html *h = &g->r->html;
	struct gsc_row row;

	html_put(h, "<details class=\"group\"><summary><h3>");
	html_text(h, group->title);
	html_put(h, "</h3> <small>");
	html_format(h, "%zu", group->shown);
	if (group->changed)
		html_format(h, ", %zu changed from reset", group->changed);
	if (group->asleep)
		html_format(h, ", %zu without a value", group->asleep);
	html_put(h, "</small></summary>\n");
	if (group->shown) {
		html_table(h, group->title, "offset|register|value|fields");
		for (size_t i = group->first; i < group->end; i++) {
			gsc_rows_at(g->rows, i, &row);
			if (row.status != GSC_READ_OK)
				continue;
			if (html_size(h) < ROWS_UNTIL)
				put_row(g, &row);
			else
				g->no_row++;
		}
		html_table_end(h);
	}
	put_silent(g, group);
	html_put(h, "</details>\n");
}

static void put_groups(struct registers *g)
{
	size_t count = gsc_rows_count(g->rows);
	struct gsc_row row;

	for (size_t i = 0; i < count;) {
		struct group group = { .first = i, .end = i + 1 };

		gsc_rows_at(g->rows, i, &row);
		group.title = title_of(&row);
		survey(g, &group);
		if (group.shown || group.asleep)
			put_group(g, &group);
		i = group.end;
	}
}

static void put_left_out(const struct registers *g)
{
	struct html *h = &g->r->html;
	char hint[HINT_SIZE];

	hint_command(report_common(g->r), "regdump", hint, sizeof(hint));
	if (g->no_row)
		html_none(h, "%zu registers are left out, so that this page does not become too "
			  "long; to see all: %s", g->no_row, hint);
	if (g->no_fields)
		html_none(h, "The fields of %zu registers are left out, so that this page does "
			  "not become too long; to see all: %s", g->no_fields, hint);
}

static void put_all(struct registers *g, const struct gsc_tally *tally)
{
	struct html *h = &g->r->html;

	html_open(h, "p", NULL);
	html_format(h, "%zu register%s a value", tally->count[GSC_READ_OK],
		    tally->count[GSC_READ_OK] == 1 ? " has" : "s have");
	if (tally->count[GSC_READ_ASLEEP])
		html_format(h, "; %zu were asleep when the dump was made, which does not mean zero",
			    tally->count[GSC_READ_ASLEEP]);
	if (tally->count[GSC_READ_ABSENT])
		html_format(h, "; %zu more of this platform are not in this dump",
			    tally->count[GSC_READ_ABSENT]);
	html_text(h, ". “≠ reset” marks values that differ from the documented reset "
		  "value; counters are not marked.");
	html_close(h);
	put_groups(g);
	put_left_out(g);
}

/* False: none has a value, or is known to be asleep. */
static bool put_registers(struct report *r)
{
	struct registers g = { .r = r };
	struct gsc_rows_options options = { .unsafe = report_common(r)->unsafe };
	struct gsc_selection *selection = NULL;
	struct gsc_error err = { 0 };
	struct gsc_tally tally = { 0 };
	enum gsc_status status;

	status = gsc_select(&selection, r->gpu, GSC_SELECT_LISTED, NULL, 0, &err);
	if (!status)
		status = gsc_rows_read(&g.rows, selection, r->gpu, &options, &err);
	if (part_had(r, status, &err)) {
		gsc_rows_tally(g.rows, &tally);
		put_all(&g, &tally);
	} else {
		html_none(&r->html, "The registers could not be read: %s.", err.why);
	}
	gsc_rows_free(g.rows);
	gsc_selection_free(selection);
	return status || tally.count[GSC_READ_OK] || tally.count[GSC_READ_ASLEEP];
}

void section_registers(struct report *r)
{
	bool any = put_registers(r);

	if (has_afterwards(r)) {
		go_afterwards(r);
		html_element(&r->html, "p", "class=\"note\"", "The registers above are those of "
			     "the dump; the following were read afterwards.");
		any |= put_registers(r);
		go_back(r);
	}
	if (!any)
		section_nothing(r, "this dump has no value of a register");
}
