/* SPDX-License-Identifier: MIT */
/*
 * Reads what was selected. Registers are read at once, because the output depends on whether
 * anything at all has a value; a range of a dump is read where it is, one of a live device is read
 * once and kept.
 */
#include "regs/write.h"
#include "source/part.h"

#include <stdio.h>

#define PROGRESS_DWORDS 4096

/* ---- items and rows ------------------------------------------------------------------------- */

static size_t item_rows(const struct item *item)
{
	return item->range ? (size_t)((item->last - item->start) / 4 + 1) : 1;
}

struct gsc_rows *rows_new(const struct gsc_selection *selection, struct gsc_source *source)
{
	struct gsc_rows *rows = calloc(1, sizeof(*rows));
	size_t items = selection->items.count, row = 0;

	if (!rows)
		return NULL;
	rows->results = calloc(items + 1, sizeof(*rows->results));
	if (!rows->results) {
		free(rows);
		return NULL;
	}
	rows->selection = selection;
	rows->source = source;
	rows->stretch_item = SIZE_MAX;
	for (size_t i = 0; i < items; i++) {
		rows->results[i].first_row = row;
		rows->results[i].status = GSC_READ_ABSENT;
		row += item_rows(&selection->items.items[i]);
	}
	rows->results[items].first_row = row;
	return rows;
}

void gsc_rows_free(struct gsc_rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->selection->items.count; i++) {
		struct extra *extra = rows->results[i].extra;

		if (!extra)
			continue;
		free(extra->dwords);
		free(extra->states);
		vec_free(&extra->also);
		free(extra);
	}
	for (size_t i = 0; i < rows->notes.count; i++)
		free(rows->notes.items[i]);
	for (size_t i = 0; i < rows->whys.count; i++)
		free(rows->whys.items[i]);
	free(rows->results);
	vec_free(&rows->hazards);
	vec_free(&rows->notes);
	vec_free(&rows->whys);
	gsc_selection_free(rows->own);
	free(rows);
}

size_t gsc_rows_count(const struct gsc_rows *rows)
{
	return rows->results[rows->selection->items.count].first_row;
}

size_t rows_item(struct gsc_rows *rows, size_t row)
{
	size_t lo = 0, hi = rows->selection->items.count - 1;

	if (row >= rows->results[rows->item].first_row) {
		if (row < rows->results[rows->item + 1].first_row)
			return rows->item;
		lo = rows->item + 1;
		if (row < rows->results[lo + 1].first_row)
			return rows->item = lo;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo + 1) / 2;

		if (rows->results[mid].first_row <= row)
			lo = mid;
		else
			hi = mid - 1;
	}
	return rows->item = lo;
}

/* The status of a read, if the dump is of a device that was gone. */
static enum gsc_read seen(const struct gsc_rows *rows, enum gsc_space space, enum gsc_read status)
{
	return rows->gone && space == GSC_MMIO && status == GSC_READ_OK ? GSC_READ_ALL_ONES
									 : status;
}

/* ---- stretches of a range ------------------------------------------------------------------- */

/*
 * Dwords that are not contiguous in memory here, read one by one: as long as the status is the
 * same, and, if they have a value, as many as there is room for.
 */
static void gather_stretch(struct gsc_rows *rows, const struct item *item, struct stretch *s,
			   uint64_t limit)
{
	uint64_t value, held, length, most = limit;
	size_t count = 0;

	s->status = gsc_read(rows->source, item->space, s->start, 4, &value);
	if (s->status == GSC_READ_OK) {
		s->data = (const uint8_t *)rows->gathered;
		rows->gathered[count++] = (uint32_t)value;
		most = MIN(limit, s->start + (sizeof(rows->gathered) - 1));
	} else if (gsc_extent(rows->source, item->space, s->start, &held, &length)) {
		most = MIN(limit, (held & ~UINT64_C(3)) - 1);
	}
	s->last = s->start + 3;
	while (s->last < most &&
	       gsc_read(rows->source, item->space, s->last + 1, 4, &value) == s->status) {
		if (s->data)
			rows->gathered[count++] = (uint32_t)value;
		s->last += 4;
	}
}

static void held_stretch(struct gsc_rows *rows, const struct item *item, uint64_t address,
			 struct stretch *s)
{
	const struct span *hazard = item->space == GSC_MMIO ?
				    span_from(&rows->hazards, address) : NULL;
	uint64_t limit = item->last, bytes = 0;
	size_t length;

	*s = (struct stretch){ .start = address };
	if (!rows->source) {
		s->status = GSC_READ_ABSENT;
		s->last = limit;
		return;
	}
	if (hazard && (hazard->start & ~UINT64_C(3)) <= address) {
		s->status = GSC_READ_SKIPPED;
		s->why = hazard->text;
		s->last = MIN(limit, hazard->last | 3);
		return;
	}
	if (hazard)
		limit = MIN(limit, (hazard->start & ~UINT64_C(3)) - 1);
	s->data = gsc_span(rows->source, item->space, address, &length);
	if (s->data && length > limit - address) {
		bytes = limit - address + 1;
	} else if (s->data) {
		/* Bytes that fill rows of the range. */
		bytes = (address - item->start + length) / RANGE_ROW * RANGE_ROW;
		bytes -= MIN(bytes, address - item->start);
	}
	s->last = address + bytes - 1;
	if (bytes)
		return;
	s->data = NULL;
	gather_stretch(rows, item, s, limit);
}

static void kept_stretch(const struct gsc_rows *rows, const struct item *item,
			 const struct extra *read, uint64_t address, struct stretch *s)
{
	size_t at = (size_t)((address - item->start) / 4), end = at + 1, count = item_rows(item);

	while (end < count && read->states[end] == read->states[at])
		end++;
	*s = (struct stretch){
		.start = address,
		.last = item->start + (uint64_t)end * 4 - 1,
		.status = (enum gsc_read)read->states[at],
		.data = (const uint8_t *)&read->dwords[at],
	};
	if (s->status == GSC_READ_SKIPPED) {
		const struct span *hazard = span_from(&rows->hazards, address);

		s->last = hazard ? MIN(s->last, hazard->last | 3) : s->last;
		s->why = hazard ? hazard->text : NULL;
	}
}

const struct stretch *rows_stretch(struct gsc_rows *rows, size_t i, uint64_t address)
{
	const struct item *item = &rows->selection->items.items[i];
	const struct extra *read = rows->results[i].extra;
	struct stretch *s = &rows->stretch;

	if (rows->stretch_item == i && address >= s->start && address <= s->last)
		return s;
	rows->stretch_item = i;
	if (read && read->dwords) {
		kept_stretch(rows, item, read, address, s);
	} else {
		held_stretch(rows, item, address, s);
		s->status = seen(rows, item->space, s->status);
	}
	return s;
}

/* ---- dwords --------------------------------------------------------------------------------- */

/* 3: exactly this dword, 2: more than it, 1: less, 0: none of it. */
static unsigned fit(const struct gsc_view *view, size_t reg, uint64_t address)
{
	uint64_t start = view->insts[reg].offset, end = start + inst_traits(view, reg)->bits / 8;

	if (end <= address)
		return 0;
	if (start > address || end < address + 4)
		return 1;
	return start == address && end == address + 4 ? 3 : 2;
}

size_t dword_reg(const struct gsc_view *view, enum gsc_space space, uint64_t address)
{
	size_t i = gsc_view_seek(view, space, address < 4 ? 0 : address - 4), found = view->count;
	unsigned best = 0;

	for (; i < view->count && view->insts[i].space == space &&
	       view->insts[i].offset < address + 4; i++) {
		unsigned now = fit(view, i, address);

		if (now > best) {
			best = now;
			found = i;
		}
	}
	return found;
}

/* Registers that share a dword do not name it: which ones there are can be looked up. */
static void dword_row(const struct gsc_view *view, struct gsc_row *row, enum gsc_space space,
		      uint64_t address)
{
	size_t i = dword_reg(view, space, address);
	unsigned how = i == view->count ? 0 : fit(view, i, address);

	row->raw = true;
	row->reg = (struct gsc_reg){ .index = -1, .space = space, .offset = address, .bits = 32,
				     .wake = view_wake(view, space, address) };
	if (how < 2 || hazard_of_write_only(view, i))
		return;
	gsc_view_reg(view, i, &row->reg);
	row->part = how == 2;
	row->part_lo = (unsigned)(address - row->reg.offset) * 8;
	row->part_hi = row->part_lo + 31;
	row->reg.offset = address;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
	struct gsc_rows *rows;
	const struct gsc_rows_options *options;
	bool live;
	uint64_t done;
	const char *port_why;		/* ports cannot be read, or NULL */
	size_t near;			/* the hazard found last, or their count */
};

static void step(struct reading *r, uint64_t more)
{
	r->done += more;
	if (r->options->progress)
		r->options->progress(r->options->context, r->done, gsc_rows_count(r->rows));
}

/* By a dump: for a device, nothing in these spaces is known before it is read. */
static bool is_held(const struct reading *r, const struct item *item)
{
	uint64_t place, start, length;

	return space_place(item->space, item->start, &place) &&
	       gsc_extent(r->rows->source, item->space, place, &start, &length) && start == place;
}

/* A device has it, and no dump beside it does. */
static bool is_indirect(const struct reading *r, const struct item *item)
{
	return space_is_indirect(item->space) && !is_held(r, item);
}

/* It may make no sense on this platform, whether or not it is permitted. */
static enum gsc_status check_item(const struct reading *r, const struct item *item,
				  struct gsc_error *err)
{
	struct gsc_write_plan *plan;
	enum gsc_status status = look_plan(&plan, r->rows->selection->view, item, err);

	if (!status && !source_writes(r->rows->source))
		status = err_set(err, GSC_USAGE, gsc_write_plan_name(plan), "%s",
				 indirect_why(item->space));
	gsc_write_plan_free(plan);
	return status;
}

/* If what was named cannot be read, nothing is; for a pattern, anything will do. */
static enum gsc_status check_indirect(const struct reading *r, struct gsc_error *err)
{
	const struct gsc_selection *selection = r->rows->selection;
	enum gsc_status status = GSC_OK;
	size_t count = 0, first = 0;

	for (size_t i = 0; !status && !selection->all && i < selection->items.count; i++) {
		const struct item *item = &selection->items.items[i];

		if (!is_indirect(r, item))
			continue;
		if (!count++)
			first = i;
		if (item->named)
			status = check_item(r, item, err);
	}
	if (status || !count || count < selection->items.count)
		return status;
	return check_item(r, &selection->items.items[first], err);
}

static const char *hazard_at(struct reading *r, const struct item *item)
{
	const span_vec *hazards = &r->rows->hazards;
	const struct span *at;

	if (!r->rows->careful)
		return NULL;
	if (item->space != GSC_MMIO)
		return item->reg == NONE ? NULL
					 : hazard_of_reg(r->rows->selection->view, item->reg);
	/* Registers mostly come by address: it is often the hazard found before. */
	at = r->near < hazards->count ? &hazards->items[r->near] : NULL;
	if (!at || at->last < item->start || (r->near && at[-1].last >= item->start)) {
		at = span_from(hazards, item->start);
		r->near = at ? (size_t)(at - hazards->items) : hazards->count;
	}
	return at && at->start <= item->last ? at->text : NULL;
}

/* By writing others first; dumps beside the device may have it. */
static void read_indirect(struct reading *r, const struct item *item, struct result *result)
{
	struct gsc_source *source = r->rows->source;
	struct gsc_write_plan *plan;
	struct gsc_error err;
	enum gsc_status status;
	char **slot;

	result->status = gsc_read(source, item->space, item->start, item_bytes(item),
				  &result->value);
	if (!result->status)
		return;
	status = look_plan(&plan, r->rows->selection->view, item, &err);
	if (!status)
		status = look_run(plan, source, &result->value, &err);
	gsc_write_plan_free(plan);
	result->status = !status ? GSC_READ_OK : status == GSC_DENIED ? GSC_READ_DENIED
			 : status == GSC_GONE	? GSC_READ_ASLEEP : GSC_READ_ABSENT;
	slot = status ? vec_add(&r->rows->whys) : NULL;
	if (slot)
		result->why = *slot = strdup(err.why);
}

static void read_item(struct reading *r, const struct item *item, struct result *result)
{
	const struct gsc_view *view = r->rows->selection->view;
	struct gsc_source *source = r->rows->source;
	size_t notes = gsc_source_note_count(source);
	enum gsc_space space = item->space;

	/* If all registers were selected, those that need more than a load are not read. */
	if (r->live && r->rows->selection->all && (space == GSC_IO || space_is_indirect(space)) &&
	    !is_held(r, item))
		return;
	result->why = hazard_at(r, item);
	if (!result->why && r->live && item->reg != NONE)
		result->why = hazard_of_write_only(view, item->reg);
	if (!result->why && r->live && is_indirect(r, item) && !source_writes(source))
		result->why = indirect_why(space);
	if (result->why) {
		result->status = GSC_READ_SKIPPED;
		return;
	}
	if (r->live && space_is_indirect(space)) {
		read_indirect(r, item, result);
		return;
	}
	if (r->live && space == GSC_IO && item->alias && !is_held(r, item))
		space = GSC_MMIO;
	result->status = gsc_read(source, space, item->start, item_bytes(item), &result->value);
	if (r->live && item->space == GSC_IO) {
		/* Why a port that was named cannot be read is reported: a source gives it once. */
		if (gsc_source_note_count(source) > notes)
			r->port_why = gsc_source_note(source, notes);
		if (result->status == GSC_READ_ABSENT || result->status == GSC_READ_DENIED)
			result->why = r->port_why;
		return;
	}
	result->status = seen(r->rows, space, result->status);
	if (item->reg == NONE)
		return;
	/* A capture leaves out what a device is not read for. */
	if (result->status == GSC_READ_SKIPPED)
		result->why = hazard_of_reg(view, item->reg);
	/* A value at this address in a dump belongs to another register, or to none. */
	if (!result->status && hazard_of_write_only(view, item->reg)) {
		result->status = GSC_READ_SKIPPED;
		result->why = hazard_of_write_only(view, item->reg);
	}
}

static bool read_range(struct reading *r, const struct item *item, struct result *result)
{
	struct extra *read = result->extra = calloc(1, sizeof(*read));
	size_t count = item_rows(item);

	if (!read)
		return false;
	read->dwords = calloc(count, sizeof(*read->dwords));
	read->states = calloc(count, 1);
	if (!read->dwords || !read->states)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t address = item->start + (uint64_t)i * 4, value = 0;
		const struct span *hazard = item->space == GSC_MMIO ?
					    span_from(&r->rows->hazards, address) : NULL;
		enum gsc_read status = GSC_READ_SKIPPED;

		if (!hazard || hazard->start > address + 3)
			status = seen(r->rows, item->space, gsc_read(r->rows->source, item->space,
								     address, 4, &value));
		read->states[i] = (uint8_t)status;
		read->dwords[i] = (uint32_t)value;
		if (i % PROGRESS_DWORDS == PROGRESS_DWORDS - 1)
			step(r, PROGRESS_DWORDS);
	}
	return true;
}

static bool ones_at(struct gsc_source *source, uint64_t address)
{
	uint64_t value;

	return gsc_read(source, GSC_MMIO, address, 4, &value) == GSC_READ_OK && value == UINT32_MAX;
}

/*
 * A dump of a device that was gone. The render ring's head, start and status page hold addresses,
 * which are never all ones: a list of a few masks proves nothing.
 */
static bool is_gone(const struct reading *r)
{
	static const uint32_t places[] = { 0x2034, 0x2038, 0x2080 };
	struct gsc_source *source = r->rows->source;
	uint64_t at = 0, start, length;
	struct gsc_platform platform;

	if (r->live || gsc_source_has(source, GSC_SOURCE_CALLBACKS))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!ones_at(source, places[i]))
			return false;
	gsc_platform_at(r->rows->selection->view->db, r->rows->selection->view->platform,
			&platform);
	while (at < platform.register_bytes && gsc_extent(source, GSC_MMIO, at, &start, &length) &&
	       start < platform.register_bytes) {
		at = start + MIN(length, platform.register_bytes - start);
		for (uint64_t dword = (start + 3) & ~UINT64_C(3); dword + 4 <= at; dword += 4)
			if (!ones_at(source, dword))
				return false;
	}
	return true;
}

static bool read_all(struct reading *r)
{
	const struct gsc_selection *selection = r->rows->selection;
	bool keep = r->live || r->options->keep;
	uint64_t first = UINT64_MAX, last = 0;

	/* As far as the selection reaches: a start with one register does not examine all. */
	for (size_t i = 0; r->rows->careful && i < selection->items.count; i++) {
		const struct item *item = &selection->items.items[i];

		if (item->space == GSC_MMIO) {
			first = MIN(first, item->start);
			last = MAX(last, item->last | 3);
		}
	}
	if (first <= last && !hazards_find(&r->rows->hazards, selection->view, first, last))
		return false;
	for (size_t i = 0; i < selection->items.count; i++) {
		const struct item *item = &selection->items.items[i];

		if (!item->range) {
			read_item(r, item, &r->rows->results[i]);
			step(r, 1);
		} else if (keep && !read_range(r, item, &r->rows->results[i])) {
			return false;
		}
	}
	return true;
}

enum gsc_status gsc_rows_read(struct gsc_rows **out, const struct gsc_selection *selection,
			      const struct gsc_gpu *gpu, const struct gsc_rows_options *options,
			      struct gsc_error *err)
{
	struct gsc_source *source = gpu ? gpu->source : NULL;
	static const struct gsc_rows_options none;
	struct reading r = {
		.rows = rows_new(selection, source),
		.options = options ? options : &none,
	};
	enum gsc_status status;

	*out = r.rows;
	if (!r.rows)
		return err_memory(err);
	if (!source)
		return GSC_OK;
	r.live = gsc_source_live(source);
	r.rows->careful = !r.options->unsafe && source_is_hardware(source);
	r.rows->gone = is_gone(&r);
	status = r.live ? check_indirect(&r, err) : GSC_OK;
	if (!status && !read_all(&r))
		status = err_memory(err);
	if (status) {
		gsc_rows_free(r.rows);
		*out = NULL;
		return status;
	}
	steering_read(r.rows);
	return GSC_OK;
}

/* ---- one row -------------------------------------------------------------------------------- */

void gsc_rows_at(struct gsc_rows *rows, size_t index, struct gsc_row *row)
{
	const struct gsc_view *view = rows->selection->view;
	size_t i = rows_item(rows, index);
	const struct item *item = &rows->selection->items.items[i];
	const struct result *result = &rows->results[i];
	unsigned bits = item_bytes(item) * 8;

	*row = (struct gsc_row){ .field_count = item->field_count, .status = result->status,
				 .why = result->why, .value = result->value };
	if (item->field_count)
		row->fields = rows->selection->fields.items + item->first_field;
	if (item->range) {
		uint64_t address = item->start + (uint64_t)(index - result->first_row) * 4;
		const struct stretch *s = rows_stretch(rows, i, address);

		dword_row(view, row, item->space, address);
		row->status = s->status;
		row->why = s->why;
		if (!s->status)
			row->value = load_le(s->data + (address - s->start), 4);
	} else if (item->reg != NONE) {
		gsc_view_reg(view, item->reg, &row->reg);
	} else if (bits == 32 && item->space != GSC_SIDEBAND) {
		dword_row(view, row, item->space, item->start);
	} else {
		row->reg = (struct gsc_reg){ .index = -1, .space = item->space,
					     .offset = item->start, .bits = bits,
					     .wake = view_wake(view, item->space, item->start) };
	}
	if (!item->range && result->extra) {
		row->also = result->extra->also.items;
		row->also_count = result->extra->also.count;
	}
	if (row->status) {
		row->value = 0;
		return;
	}
	if (!item->range)
		steering_row(rows, row);
	if (!row->reg.name && rows->source)
		row->dump_name = listed_name(rows->source, row->reg.space, row->reg.offset);
}

const char *gsc_row_why(const struct gsc_row *row, char *buf, size_t size)
{
	static const char *const plain[GSC_READS] = {
		[GSC_READ_ABSENT] = "no source holds this address",
		[GSC_READ_SKIPPED] = "reading has side effects",
		[GSC_READ_DENIED] = "not permitted",
		[GSC_READ_ALL_ONES] = "the device reads as all ones: gone or powered down",
		[GSC_READ_EXCLUDED] = "excluded from the dump",
	};

	if (row->why || row->status != GSC_READ_ASLEEP)
		return row->why && row->status ? row->why : plain[row->status];
	snprintf(buf, size, "forcewake%s%s is not held", row->reg.wake ? " domain " : "",
		 row->reg.wake ? row->reg.wake : "");
	return buf;
}

void gsc_rows_tally(struct gsc_rows *rows, struct gsc_tally *tally)
{
	*tally = (struct gsc_tally){ 0 };
	for (size_t i = 0; i < rows->selection->items.count; i++) {
		const struct item *item = &rows->selection->items.items[i];
		enum gsc_read status = rows->results[i].status;
		size_t row = rows->results[i].first_row, end = rows->results[i + 1].first_row;

		for (size_t count = 1; row < end; row += count) {
			if (item->range) {
				uint64_t at = item->start +
					      (uint64_t)(row - rows->results[i].first_row) * 4;
				const struct stretch *s = rows_stretch(rows, i, at);

				status = s->status;
				count = (size_t)((s->last - at) / 4 + 1);
			}
			if (!tally->count[status])
				tally->first[status] = row;
			tally->count[status] += count;
			tally->total += count;
		}
	}
}

const char *gsc_rows_note(const struct gsc_rows *rows, size_t i)
{
	return i < rows->notes.count ? rows->notes.items[i] : NULL;
}
