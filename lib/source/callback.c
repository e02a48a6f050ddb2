/* SPDX-License-Identifier: MIT */
/* Bytes that a function of the caller reads, and the pages of them that are kept. */
#include "source/callback.h"

#define PAGE 4096u
#define PAGES_KEPT 512u			/* 2 MB; one not used takes no memory */
#define ASKED_MOST (16 * PAGE)		/* in one call */

/* One page, or the part of it that lies in an extent; or why it could not be read. */
struct kept {
	uint64_t age;			/* that of the callbacks when it was read; 0: empty */
	uint64_t start;
	uint32_t size;
	uint8_t space, status;
	uint8_t bytes[PAGE];
};

/* What pieces read through: its place in the array says the space. */
struct callback_space {
	struct packed packed;
	struct callbacks *callbacks;
	bool bounded;			/* it has extents, and nothing is outside them */
};

struct callbacks {
	struct gsc_callbacks user;
	piece_vec extents;		/* sorted and disjoint; with a status, without bytes */
	struct callback_space spaces[GSC_SPACES];
	uint64_t table_at, table_bytes;	/* of the GGTT's entries among the registers */
	uint64_t age;
	struct kept *kept;
};

/* A stretch that is there or is not as a whole; `last` is its last byte. */
struct window {
	uint64_t start, last;
	enum gsc_read status;
};

static bool can_read(const struct callbacks *c, enum gsc_space space)
{
	return c->user.spaces >> space & 1;
}

/* ---- the caller's answers ------------------------------------------------------------------- */

/* `buf` is a copy that nobody else sees: a failed read may have changed it. */
static enum gsc_read ask(const struct callbacks *c, enum gsc_space space, uint64_t address,
			 void *buf, size_t size)
{
	enum gsc_read status = c->user.read(c->user.context, space, address, buf, size);

	return (unsigned)status < GSC_READS ? status : GSC_READ_ABSENT;
}

static enum gsc_read ask_value(const struct callbacks *c, enum gsc_space space, uint64_t address,
			       unsigned size, uint64_t *value)
{
	uint8_t bytes[8] = { 0 };
	enum gsc_read status = ask(c, space, address, bytes, size);

	if (status == GSC_READ_OK)
		*value = load_le(bytes, size);
	return status;
}

/* A register of 64 bits, which many a caller can read only in halves, as a 32-bit kernel does. */
static enum gsc_read ask_register(const struct callbacks *c, enum gsc_space space, uint64_t address,
				  unsigned size, uint64_t *value)
{
	enum gsc_read status = ask_value(c, space, address, size, value);
	uint64_t low, high;

	if (status != GSC_READ_ABSENT || size < 8)
		return status;
	status = ask_value(c, space, address, 4, &low);
	if (status == GSC_READ_OK)
		status = ask_value(c, space, address + 4, 4, &high);
	if (status == GSC_READ_OK)
		*value = low | high << 32;
	return status;
}

/* ---- extents -------------------------------------------------------------------------------- */

/* What contains a place, or the gap there: GSC_READ_ABSENT. */
static struct window window_at(const struct callbacks *c, enum gsc_space space, uint64_t place)
{
	struct window window = { 0, UINT64_MAX, GSC_READ_OK };
	const struct piece *extents = c->extents.items;
	size_t at;

	if (!c->spaces[space].bounded)
		return window;
	window.status = GSC_READ_ABSENT;
	at = SEEK(i, 0, c->extents.count, extents[i].space < space ||
		  (extents[i].space == space && extents[i].start + extents[i].length <= place));
	if (at < c->extents.count && extents[at].space == space) {
		const struct piece *p = &extents[at];

		if (p->start <= place)
			return (struct window){ p->start, p->start + (p->length - 1), p->status };
		window.last = p->start - 1;
	}
	window.start = place;
	return window;
}

bool callbacks_open(const struct callbacks *c, enum gsc_space space)
{
	if (can_read(c, space))
		return !c->spaces[space].bounded;
	/* By its other name: the GGTT's entries are among the registers. */
	if (space == GSC_GGTT || space == GSC_MMIO) {
		enum gsc_space other = space == GSC_GGTT ? GSC_MMIO : GSC_GGTT;

		return c->table_bytes && can_read(c, other) && !c->spaces[other].bounded;
	}
	return false;
}

bool callbacks_touch(const struct callbacks *c)
{
	return !c->user.harmless && c->user.spaces & ((2u << GSC_SIDEBAND) - 1);
}

/* ---- pages ---------------------------------------------------------------------------------- */

void callbacks_forget(struct callbacks *c)
{
	c->age++;
}

static struct kept *kept_slot(const struct callbacks *c, enum gsc_space space, uint64_t start)
{
	/* Fibonacci hashing: tables tend to follow each other at the same distance. */
	uint64_t number = (start / PAGE * GSC_SPACES + space) * UINT64_C(0x9e3779b97f4a7c15);

	return &c->kept[(number >> 32) % PAGES_KEPT];
}

/* What is known of the page of an address, as far as the window reaches; NULL: nothing. */
static const struct kept *page_known(const struct callbacks *c, enum gsc_space space,
				     uint64_t address, const struct window *window)
{
	uint64_t start = MAX(address - address % PAGE, window->start);
	const struct kept *slot = kept_slot(c, space, start);

	return slot->age == c->age && slot->space == space && slot->start == start ? slot : NULL;
}

static const struct kept *page_ask(struct callbacks *c, enum gsc_space space, uint64_t address,
				   const struct window *window)
{
	uint64_t start = MAX(address - address % PAGE, window->start);
	uint64_t last = MIN(address | (PAGE - 1), window->last), age = c->age;
	size_t size = (size_t)(last - start) + 1;
	uint8_t bytes[PAGE] = { 0 };
	enum gsc_read status = ask(c, space, start, bytes, size);
	struct kept *slot = kept_slot(c, space, start);

	/*
	 * If the caller has had the pages forgotten meanwhile, this one is as old as they. What is
	 * asleep or refused may be there next time.
	 */
	slot->age = status == GSC_READ_OK || status == GSC_READ_ABSENT ? age : 0;
	slot->start = start;
	slot->size = (uint32_t)size;
	slot->space = (uint8_t)space;
	slot->status = (uint8_t)status;
	memcpy(slot->bytes, bytes, size);
	return slot;
}

/* The page of an address, asking the caller if need be. It stays until that is asked again. */
static const struct kept *page_get(struct callbacks *c, enum gsc_space space, uint64_t address,
				   const struct window *window)
{
	const struct kept *known = page_known(c, space, address, window);

	return known ? known : page_ask(c, space, address, window);
}

static enum gsc_read read_memory(struct callbacks *c, enum gsc_space space, uint64_t address,
				 unsigned size, const struct window *window, uint64_t *value)
{
	const struct kept *page = page_get(c, space, address, window);
	uint64_t at = address - page->start;

	/* Less than a page may be there; and a value need not lie in one. */
	if (page->status == GSC_READ_ABSENT || page->size - at < size)
		return ask_value(c, space, address, size, value);
	if (page->status != GSC_READ_OK)
		return (enum gsc_read)page->status;
	*value = load_le(page->bytes + at, size);
	return GSC_READ_OK;
}

/* ---- reading -------------------------------------------------------------------------------- */

static enum gsc_read read_named(struct callbacks *c, enum gsc_space space, uint64_t address,
				unsigned size, uint64_t *value)
{
	struct window window;
	uint64_t place;

	if (!can_read(c, space) || !space_place(space, address, &place))
		return GSC_READ_ABSENT;
	window = window_at(c, space, place);
	if (window.status != GSC_READ_OK)
		return window.status;
	if (window.last - place < size - 1)
		return GSC_READ_ABSENT;
	if (space_has_registers(space))
		return ask_register(c, space, address, size, value);
	return read_memory(c, space, address, size, &window, value);
}

void callbacks_place_table(struct callbacks *c, uint64_t at, uint64_t bytes)
{
	c->table_at = at;
	c->table_bytes = bytes;
}

enum gsc_read callbacks_read(struct callbacks *c, enum gsc_space space, uint64_t address,
			     unsigned size, uint64_t *value)
{
	enum gsc_read status = read_named(c, space, address, size, value);
	bool entry = space == GSC_GGTT;
	uint64_t from = entry ? 0 : c->table_at, to = entry ? c->table_at : 0;

	if (status != GSC_READ_ABSENT || (!entry && space != GSC_MMIO) || address < from ||
	    address - from >= c->table_bytes || c->table_bytes - (address - from) < size)
		return status;
	return read_named(c, entry ? GSC_MMIO : GSC_GGTT, address - from + to, size, value);
}

size_t callbacks_block(struct callbacks *c, enum gsc_space space, uint64_t address, void *buf,
		       size_t size, uint64_t *next)
{
	struct window window = window_at(c, space, address);
	uint64_t left = window.last - address;		/* one less, which fits */
	const struct kept *page;
	size_t here;

	*next = address;
	if (space_has_registers(space) || !size)
		return 0;
	if (!can_read(c, space)) {
		*next = callbacks_open(c, space) ? address : UINT64_MAX;
		return 0;
	}
	if (window.status != GSC_READ_OK) {
		*next = window.last == UINT64_MAX ? UINT64_MAX : window.last + 1;
		return 0;
	}
	if (size - 1 > left)
		size = (size_t)left + 1;
	here = MIN(size, (size_t)ASKED_MOST) / PAGE * PAGE;
	if (address % PAGE == 0 && here > PAGE && !page_known(c, space, address, &window) &&
	    ask(c, space, address, buf, here) == GSC_READ_OK)
		return here;
	page = page_get(c, space, address, &window);
	here = MIN(size, (size_t)(page->size - (address - page->start)));
	if (page->status == GSC_READ_OK) {
		memcpy(buf, page->bytes + (address - page->start), here);
		return here;
	}
	/* Less than a page may be there, and be all that is wanted. */
	if (page->status == GSC_READ_ABSENT && here < page->size &&
	    ask(c, space, address, buf, here) == GSC_READ_OK)
		return here;
	*next = address + here;
	return 0;
}

/* ---- pieces --------------------------------------------------------------------------------- */

/* What is in an extent, for those who go by pieces: captures. */
static size_t read_piece(struct packed *packed, uint64_t offset, void *buf, size_t size)
{
	const struct callback_space *s = (const struct callback_space *)packed;
	enum gsc_space space = (enum gsc_space)(s - s->callbacks->spaces);
	uint64_t next, value;
	size_t done = 0;

	if (!space_has_registers(space))
		return callbacks_block(s->callbacks, space, offset, buf, size, &next);
	while (done < size) {
		unsigned width = (offset + done) % 4 || size - done < 4 ? 1 : 4;
		uint64_t address = space == GSC_SIDEBAND ? (offset + done) / 4 : offset + done;

		if (callbacks_read(s->callbacks, space, address, width, &value))
			break;
		memcpy((uint8_t *)buf + done, &value, width);
		done += width;
	}
	return done;
}

static bool add_extent(struct callbacks *c, const struct gsc_piece *extent)
{
	struct piece *added = extent->length ? vec_add(&c->extents) : NULL;

	if (added)
		*added = (struct piece){ extent->space, extent->status, extent->start,
					 extent->length, NULL, &c->spaces[extent->space].packed,
					 extent->start, -1 };
	c->spaces[extent->space].bounded = true;
	return added || !extent->length;
}

static enum gsc_status check_extent(const struct part *part, const struct callbacks *c,
				    const struct gsc_piece *extent, struct gsc_error *err)
{
	if ((unsigned)extent->space >= GSC_SPACES || !can_read(c, extent->space))
		return err_set(err, GSC_USAGE, part->name, "an extent is in a space that the "
			       "callback does not read");
	if ((unsigned)extent->status >= GSC_READS || !range_fits(extent->start, extent->length))
		return err_set(err, GSC_USAGE, part->name, "an extent of %s ends past the 64-bit "
			       "address space, or has no valid status",
			       gsc_space_name(extent->space));
	return GSC_OK;
}

/* ---- making --------------------------------------------------------------------------------- */

static void callbacks_free(void *data)
{
	struct callbacks *c = data;

	vec_free(&c->extents);
	free(c->kept);
	free(c);
}

/* As a dump of the config space says it. */
static void identify(struct callbacks *c, struct part *part)
{
	uint8_t config[16];
	uint64_t value;

	for (unsigned at = 0; at < sizeof(config); at += 4) {
		if (callbacks_read(c, GSC_CONFIG, at, 4, &value))
			return;
		memcpy(config + at, &value, 4);
	}
	part_set_config(part, config, sizeof(config));
}

enum gsc_status callbacks_new(struct part *part, const struct gsc_callbacks *from,
			      struct gsc_error *err)
{
	struct callbacks *c = calloc(1, sizeof(*c));
	enum gsc_status status = GSC_OK;

	if (!c || !part_own(part, c, callbacks_free))
		return err_memory(err);
	if (!from->read || !from->spaces || from->spaces >> GSC_SPACES)
		return err_set(err, GSC_USAGE, part->name, "the callback reads no known space");
	c->user = *from;
	c->user.extents = NULL;
	c->age = 1;
	c->kept = calloc(PAGES_KEPT, sizeof(*c->kept));
	if (!c->kept)
		return err_memory(err);
	for (unsigned space = 0; space < GSC_SPACES; space++)
		c->spaces[space] = (struct callback_space){ { .read = read_piece }, c, false };
	for (size_t i = 0; !status && i < from->extent_count; i++) {
		status = check_extent(part, c, &from->extents[i], err);
		if (!status && !add_extent(c, &from->extents[i]))
			status = err_memory(err);
	}
	if (status)
		return status;
	if (!pieces_resolve(&c->extents) || !vec_reserve(&part->pieces, c->extents.count))
		return err_memory(err);
	for (size_t i = 0; i < c->extents.count; i++)
		part->pieces.items[part->pieces.count++] = c->extents.items[i];
	part->callbacks = c;
	identify(c, part);
	return GSC_OK;
}
