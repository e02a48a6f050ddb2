/* SPDX-License-Identifier: MIT */
/* Reading: the parts merged into sorted lists, which are searched in the given order. */
#include "db/platform.h"
#include "device/device.h"
#include "source/callback.h"
#include "source/record.h"
#include "source/part.h"

/* ---- building ----------------------------------------------------------------------------- */

static bool append(piece_vec *out, struct piece piece)
{
	return vec_push(out, piece);
}

/* The part of a piece within [from, to), moved so that `from` is at `base` of another space. */
static bool append_alias(piece_vec *out, struct piece piece, uint64_t from, uint64_t to,
			 enum gsc_space space, uint64_t base)
{
	uint64_t start = MAX(piece.start, from), end = MIN(piece.start + piece.length, to);

	if (start >= end)
		return true;
	if (piece.data)
		piece.data += start - piece.start;
	piece.offset += start - piece.start;
	piece.space = space;
	piece.start = start - from + base;
	piece.length = end - start;
	return append(out, piece);
}

/*
 * Pieces with bytes or those without, in the order in which the earlier part wins. The GGTT entry
 * array is the upper part of the register BAR: either can serve reads of both, but what a part has
 * under its own name comes last, and so wins.
 */
static bool append_parts(piece_vec *out, const struct part *parts, size_t count, bool with_bytes,
			 const struct gsc_platform *p)
{
	uint64_t table = p ? p->ggtt_offset : 0, bar = p ? p->bar_size : 0;

	for (size_t step = 2 * count; step-- > 0;) {
		const piece_vec *pieces = &parts[step / 2].pieces;
		bool alias = step % 2, done = true;

		for (size_t i = 0; done && i < pieces->count; i++) {
			const struct piece *piece = &pieces->items[i];

			if ((piece->status == GSC_READ_OK) != with_bytes)
				continue;
			if (!alias)
				done = append(out, *piece);
			else if (bar > table && piece->space == GSC_MMIO)
				done = append_alias(out, *piece, table, bar, GSC_GGTT, 0);
			else if (bar > table && piece->space == GSC_GGTT)
				done = append_alias(out, *piece, 0, bar - table, GSC_MMIO, table);
		}
		if (!done)
			return false;
	}
	return true;
}

/* A part that could not read an address does not hold it: another one's bytes come first. */
static bool lookup_merge(struct lookup *lookup, const struct part *parts, size_t count,
			 const struct gsc_platform *p)
{
	piece_vec *pieces = &lookup->pieces;
	size_t next = 0;

	if (!append_parts(pieces, parts, count, false, p) ||
	    !append_parts(pieces, parts, count, true, p) || !pieces_resolve(pieces))
		return false;
	for (unsigned space = 0; space < GSC_SPACES; space++) {
		lookup->first[space] = lookup->last[space] = next;
		while (next < pieces->count && pieces->items[next].space == space)
			next++;
	}
	lookup->first[GSC_SPACES] = next;
	return true;
}

void lookup_free(struct lookup *lookup)
{
	vec_free(&lookup->pieces);
}

/* Not merged with others: what it holds is not known in advance. */
static bool stands_alone(const struct part *part)
{
	return part->device || part->moment.run || part->callbacks;
}

enum gsc_status lookups_build(struct gsc_source *source, struct gsc_error *err)
{
	const struct part *parts = source->parts.items;
	struct gsc_platform platform;
	const struct gsc_platform *p = NULL;

	if (source->platform >= 0 &&
	    gsc_platform_at(source->db, (unsigned)source->platform, &platform))
		p = &platform;
	for (size_t i = 0, end; i < source->parts.count; i = end) {
		struct lookup *lookup = vec_add(&source->lookups);

		if (!lookup)
			return err_memory(err);
		*lookup = (struct lookup){ .device = parts[i].device, .moment = parts[i].moment,
					   .callbacks = parts[i].callbacks };
		if (p && p->bar_size > p->ggtt_offset) {
			lookup->table_at = p->ggtt_offset;
			lookup->table_bytes = p->bar_size - p->ggtt_offset;
		}
		end = i + 1;
		if (lookup->callbacks)
			callbacks_place_table(lookup->callbacks, lookup->table_at,
					      lookup->table_bytes);
		else if (stands_alone(&parts[i]))
			continue;
		while (!lookup->callbacks && end < source->parts.count &&
		       !stands_alone(&parts[end]))
			end++;
		if (!lookup_merge(lookup, parts + i, end - i, p))
			return err_memory(err);
	}
	return GSC_OK;
}

/* ---- a trace at a moment -------------------------------------------------------------------- */

/* The entries among the registers, or as a separate space: the other of both names. */
static bool table_alias(struct lookup *lookup, enum gsc_space space, uint64_t address,
			struct moment_run *run)
{
	bool is_entry = space == GSC_GGTT;
	uint64_t from = is_entry ? 0 : lookup->table_at, other = is_entry ? lookup->table_at : 0;
	uint64_t at = MAX(address, from), end = from + lookup->table_bytes;

	if ((!is_entry && space != GSC_MMIO) || at >= end ||
	    !lookup->moment.run(lookup->moment.data, is_entry ? GSC_MMIO : GSC_GGTT,
				at - from + other, run))
		return false;
	run->start = run->start - other + from;
	if (run->start >= end)
		return false;
	run->length = MIN(run->length, end - run->start);
	return true;
}

/* As in struct moment. What was written under its own name comes first. */
static bool moment_run(struct lookup *lookup, enum gsc_space space, uint64_t address,
		       struct moment_run *run)
{
	bool own = lookup->moment.run(lookup->moment.data, space, address, run);
	struct moment_run alias;

	if ((own && run->start == address) || !table_alias(lookup, space, address, &alias) ||
	    (own && alias.start >= run->start))
		return own;
	if (own)
		alias.length = MIN(alias.length, run->start - alias.start);
	*run = alias;
	return true;
}

static enum gsc_read moment_gather(struct lookup *lookup, enum gsc_space space, uint64_t address,
				   unsigned size, uint64_t *value)
{
	uint8_t bytes[8];
	unsigned done = 0;

	while (done < size) {
		uint64_t at = address + done, here;
		struct moment_run run;

		if (at < address || !moment_run(lookup, space, at, &run) || run.start != at)
			return GSC_READ_ABSENT;
		here = MIN(run.length, (uint64_t)(size - done));
		memcpy(bytes + done, run.data, here);
		done += (unsigned)here;
	}
	*value = load_le(bytes, size);
	return GSC_READ_OK;
}

/* ---- searching ---------------------------------------------------------------------------- */

static bool piece_holds(const struct piece *piece, uint64_t address)
{
	return address >= piece->start && address - piece->start < piece->length;
}

/* Index of the piece that contains an address, else of the next one of the space, or its end. */
static size_t lookup_find(struct lookup *lookup, enum gsc_space space, uint64_t address)
{
	const struct piece *pieces = lookup->pieces.items;
	size_t high = lookup->first[space + 1], last = lookup->last[space];

	if (last < high && piece_holds(&pieces[last], address))
		return last;
	return lookup->last[space] = SEEK(i, lookup->first[space], high,
					  pieces[i].start + pieces[i].length <= address);
}

/* A value may span pieces; the first of them that has no bytes says why. */
static enum gsc_read lookup_gather(struct lookup *lookup, enum gsc_space space, uint64_t address,
				   unsigned size, uint64_t *value)
{
	size_t i = lookup_find(lookup, space, address), end = lookup->first[space + 1];
	const struct piece *first = lookup->pieces.items + i;
	uint8_t bytes[8];
	unsigned done = 0;

	/* Most lie within one piece in memory. */
	if (i < end && first->status == GSC_READ_OK && first->data && address >= first->start &&
	    address - first->start < first->length &&
	    first->length - (address - first->start) >= size) {
		*value = load_le(first->data + (address - first->start), size);
		return GSC_READ_OK;
	}
	while (done < size) {
		uint64_t at = address + done, here;
		const struct piece *piece;

		if (i == end || at < address)
			return GSC_READ_ABSENT;
		piece = &lookup->pieces.items[i];
		if (!piece_holds(piece, at))
			return GSC_READ_ABSENT;
		if (piece->status != GSC_READ_OK)
			return piece->status;
		here = MIN(piece->length - (at - piece->start), (uint64_t)(size - done));
		here = piece_read(piece, at, bytes + done, (size_t)here);
		if (!here)
			return GSC_READ_ABSENT;
		done += (unsigned)here;
		i += at + here == piece->start + piece->length;
	}
	*value = load_le(bytes, size);
	return GSC_READ_OK;
}

static void note_read(struct gsc_source *source, const struct lookup *lookup, enum gsc_space space,
		      uint64_t address, size_t size)
{
	if (source->record && (lookup->device || source->record->dump))
		record_note(source->record, space, address, size);
}

enum gsc_read gsc_read(struct gsc_source *source, enum gsc_space space, uint64_t address,
		       unsigned size, uint64_t *value)
{
	enum gsc_read why = GSC_READ_ABSENT;
	uint64_t place;
	const struct gsc_error *problem;

	if ((unsigned)space >= GSC_SPACES || (size != 1 && size != 2 && size != 4 && size != 8))
		return GSC_READ_ABSENT;
	for (size_t i = 0; i < source->lookups.count; i++) {
		struct lookup *lookup = &source->lookups.items[i];
		enum gsc_read status = GSC_READ_ABSENT;

		if (lookup->device)
			status = device_read(lookup->device, space, address, size, value);
		else if (lookup->callbacks)
			status = callbacks_read(lookup->callbacks, space, address, size, value);
		else if (space_place(space, address, &place))
			status = lookup->moment.run
					 ? moment_gather(lookup, space, place, size, value)
					 : lookup_gather(lookup, space, place, size, value);
		note_read(source, lookup, space, address, size);
		if (status == GSC_READ_OK)
			return status;
		if (why == GSC_READ_ABSENT)
			why = status;
	}
	/* Why a device or a damaged dump could not give what no other part has either. */
	for (size_t i = 0; i < source->parts.count; i++) {
		struct packed *packed = source->parts.items[i].packed;

		if (!packed || !packed->problem.status)
			continue;
		source_note(source, "%s: %s", packed->problem.what, packed->problem.why);
		packed->problem.status = GSC_OK;
	}
	for (size_t i = 0; i < source->lookups.count; i++) {
		struct device *device = source->lookups.items[i].device;

		while (device && (problem = device_problem(device)))
			source_note(source, "%s: %s", problem->what, problem->why);
	}
	return why;
}

/* The first bytes of one lookup within one piece, at or after an address. */
static bool lookup_run(struct lookup *lookup, enum gsc_space space, uint64_t from,
		       uint64_t *start, uint64_t *length)
{
	const struct piece *pieces = lookup->pieces.items;
	struct moment_run run;
	size_t i, end;

	if (lookup->device)
		return device_extent(lookup->device, space, from, start, length);
	if (lookup->callbacks && callbacks_open(lookup->callbacks, space))
		return false;
	if (lookup->moment.run) {
		if (!moment_run(lookup, space, from, &run))
			return false;
		*start = run.start;
		*length = run.length;
		return true;
	}
	end = lookup->first[space + 1];
	i = lookup_find(lookup, space, from);
	while (i < end && pieces[i].status != GSC_READ_OK)
		i++;
	if (i == end)
		return false;
	*start = MAX(from, pieces[i].start);
	*length = pieces[i].start + pieces[i].length - *start;
	return true;
}

/* The nearest stretch that any lookup has at or after an address. */
static bool nearest_extent(struct gsc_source *source, enum gsc_space space, uint64_t from,
			   uint64_t *start, uint64_t *length)
{
	bool found = false;

	for (size_t i = 0; i < source->lookups.count; i++) {
		struct lookup *lookup = &source->lookups.items[i];
		uint64_t at, bytes, next, more;

		if (!lookup_run(lookup, space, from, &at, &bytes))
			continue;
		/* With the adjacent pieces after it. */
		while (!lookup->device && range_fits(at, bytes) &&
		       lookup_run(lookup, space, at + bytes, &next, &more) && next == at + bytes)
			bytes += more;
		if (bytes && (!found || at < *start || (at == *start && bytes > *length))) {
			*start = at;
			*length = bytes;
			found = true;
		}
	}
	return found;
}

bool gsc_extent(struct gsc_source *source, enum gsc_space space, uint64_t from, uint64_t *start,
		uint64_t *length)
{
	uint64_t at, bytes;

	if ((unsigned)space >= GSC_SPACES || !nearest_extent(source, space, from, start, length))
		return false;
	while (source->lookups.count > 1 && range_fits(*start, *length) &&
	       nearest_extent(source, space, *start + *length, &at, &bytes) &&
	       at == *start + *length && range_fits(at, bytes))
		*length += bytes;
	return true;
}

bool source_may_hold(struct gsc_source *source, enum gsc_space space)
{
	uint64_t start, length;

	for (size_t i = 0; i < source->lookups.count; i++)
		if (source->lookups.items[i].callbacks &&
		    callbacks_open(source->lookups.items[i].callbacks, space))
			return true;
	return gsc_extent(source, space, 0, &start, &length);
}

/* How far a span of a later lookup may go before an earlier one holds something. */
static uint64_t lookup_next(struct lookup *lookup, enum gsc_space space, uint64_t address)
{
	uint64_t start, length;

	if (lookup->callbacks && callbacks_open(lookup->callbacks, space))
		return address;
	return lookup_run(lookup, space, address, &start, &length) ? start : UINT64_MAX;
}

/* Where its bytes at an address are in memory, and how many of them, or NULL. */
static const uint8_t *lookup_data(struct lookup *lookup, enum gsc_space space, uint64_t address,
				  uint64_t *length, bool *held)
{
	const struct piece *piece;
	struct moment_run run;
	size_t at;

	*held = false;
	if (lookup->device || lookup->callbacks)
		return NULL;
	if (lookup->moment.run) {
		*held = moment_run(lookup, space, address, &run) && run.start == address;
		*length = run.length;
		return *held ? run.data : NULL;
	}
	at = lookup_find(lookup, space, address);
	piece = lookup->pieces.items + at;
	*held = at < lookup->first[space + 1] && piece_holds(piece, address) &&
		piece->status == GSC_READ_OK;
	if (!*held)
		return NULL;
	return piece_data(piece, address, length);
}

const void *gsc_span(struct gsc_source *source, enum gsc_space space, uint64_t address,
		     size_t *length)
{
	uint64_t limit = UINT64_MAX;

	/* A span is read without further notice. */
	if ((unsigned)space >= GSC_SPACES || (source->record && source->record->dump))
		return NULL;
	for (size_t i = 0; i < source->lookups.count && limit > address; i++) {
		struct lookup *lookup = &source->lookups.items[i];
		const uint8_t *data;
		uint64_t here;
		bool held;

		data = lookup_data(lookup, space, address, &here, &held);
		if (held) {
			*length = (size_t)MIN(here, limit - address);
			return data;
		}
		limit = MIN(limit, lookup_next(lookup, space, address));
	}
	return NULL;
}

/* What one lookup has from an address on; *next: where it has something, if not there. */
static size_t lookup_block(struct lookup *lookup, enum gsc_space space, uint64_t address,
			   void *buf, size_t size, uint64_t *next)
{
	const uint8_t *data;
	uint64_t length = 0;
	bool held;

	if (lookup->callbacks)
		return callbacks_block(lookup->callbacks, space, address, buf, size, next);
	data = lookup_data(lookup, space, address, &length, &held);
	*next = held ? address : lookup_next(lookup, space, address);
	if (*next != address)
		return 0;
	if (lookup->device)
		return device_block(lookup->device, space, address, buf, size);
	size = MIN(size, length);
	if (data) {
		memcpy(buf, data, size);
		return size;
	}
	return piece_read(lookup->pieces.items + lookup_find(lookup, space, address), address, buf,
			  size);
}

size_t source_block(struct gsc_source *source, enum gsc_space space, uint64_t address, void *buf,
		    size_t size)
{
	for (size_t i = 0; i < source->lookups.count; i++) {
		uint64_t next;
		size_t got = lookup_block(&source->lookups.items[i], space, address, buf, size,
					  &next);

		note_read(source, &source->lookups.items[i], space, address, got);
		if (got || next == address)
			return got;
		size = MIN(size, next - address);
	}
	return 0;
}

/* Registers are read as dwords, memory in the widest reads that fit. */
size_t source_copy(struct gsc_source *source, enum gsc_space space, uint64_t address, void *buf,
		   size_t size, enum gsc_read *missing)
{
	unsigned widest = space_has_registers(space) ? 4 : 8;
	/* Nothing is read beyond the last address. */
	bool beyond = size > UINT64_MAX - address;
	enum gsc_read state = beyond ? GSC_READ_ABSENT : GSC_READ_OK, read;
	uint8_t *out = buf;
	size_t done = 0;

	size = beyond ? (size_t)(UINT64_MAX - address) : size;
	while (done < size) {
		size_t got = source_block(source, space, address + done, out + done, size - done);
		unsigned width = widest;
		uint64_t value;

		done += got;
		if (got)
			continue;
		while (width > 1 && (width > size - done || (address + done) % width))
			width /= 2;
		read = gsc_read(source, space, address + done, width, &value);
		if (read) {
			state = read;
			break;
		}
		memcpy(out + done, &value, width);
		done += width;
	}
	if (missing)
		*missing = state;
	return done;
}
