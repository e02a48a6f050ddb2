/* SPDX-License-Identifier: MIT */
/*
 * gtt/: where graphics addresses land. How an entry is laid out is data; format.c turns it into
 * masks, and everything else reads entries through these. Tables come from a source (table.c), a
 * step at a time (walk, and what lies before and below it: trtt, vtd) or all at once (map, fold,
 * reverse, check); roots are what registers, contexts and PASID tables say (root, context, pasid).
 * Nothing here prints; no address of a table is trusted, no loop depends on what a table says.
 */
#ifndef GSC_GTT_H
#define GSC_GTT_H

#include "gpuscope.h"
#include "util/util.h"

/* ---- format.c: entry definitions as masks ------------------------------------------------- */

#define FORMAT_PARTS 4
#define FORMAT_NEXTS 3

/* A stretch of address bits: (raw & mask), moved to the left or, if negative, to the right. */
struct format_part {
	uint64_t mask;
	int shift;
};

/* An entry as one platform sees it; only the first 64 bits of wider ones have masks. */
struct format {
	struct gsc_item item;
	const char *level;
	enum gsc_mode mode;
	unsigned bytes;			/* of an entry */
	unsigned index_hi, index_lo;	/* address bits that choose the entry */
	unsigned every;			/* only each such slot counts */
	uint64_t valid_mask, valid_value;
	struct format_part part[FORMAT_PARTS];
	unsigned parts;
	uint64_t address_mask;		/* of all parts; where one part with shift 0: in place */
	uint64_t local_mask;		/* the page is local memory if set; all ones: always */
	bool tables_local;		/* the table below lies in local memory */
	/* Attributes, each 0 where the entry has none. */
	uint64_t null_mask, write_mask, user_mask, no_execute_mask;
	uint64_t accessed_mask, dirty_mask, extended_mask;
	uint64_t zero_mask, one_mask;	/* reserved bits */
	uint64_t flags_mask;		/* what a run of pages must have in common */
	enum { FORMAT_TABLE, FORMAT_PAGE, FORMAT_EITHER } leaf;
	uint64_t leaf_mask, leaf_value;	/* FORMAT_EITHER: a page if (raw & mask) == value */
	uint64_t page_size;
	const char *leaf_level;		/* whose definition then reads it, or NULL */
	struct {
		const char *level;
		uint64_t mask, value;	/* the first with (raw & mask) == value */
	} next[FORMAT_NEXTS];
};

/* NULL: the platform has no such level. The formats of a set live as long as it. */
struct formats;
struct formats *formats_new(const struct gsc_view *view);
void formats_free(struct formats *formats);
const struct format *format_get(struct formats *formats, enum gsc_mode mode, const char *level);
/* The level that a root points to: "pml4e", "pde", ... NULL if the platform lacks the mode. */
const char *format_top(struct formats *formats, enum gsc_mode mode);

static inline uint64_t format_address(const struct format *f, uint64_t raw)
{
	uint64_t address = 0;

	for (unsigned i = 0; i < f->parts; i++) {
		uint64_t bits = raw & f->part[i].mask;
		int shift = f->part[i].shift;

		address |= shift >= 0 ? bits << shift : bits >> -shift;
	}
	return address;
}

static inline bool format_valid(const struct format *f, uint64_t raw)
{
	return (raw & f->valid_mask) == f->valid_value;
}

static inline bool format_is_page(const struct format *f, uint64_t raw)
{
	return f->leaf == FORMAT_PAGE ||
	       (f->leaf == FORMAT_EITHER && (raw & f->leaf_mask) == f->leaf_value);
}

static inline bool format_local(const struct format *f, uint64_t raw)
{
	return raw & f->local_mask || f->local_mask == UINT64_MAX;
}

/* The level of the table that an entry points to, or NULL. */
const char *format_next(const struct format *f, uint64_t raw);

/* ---- table.c: bytes of tables ------------------------------------------------------------- */

#define TABLE_BYTES 4096

/* A table, or the stretch of one that a source holds from its beginning on. */
struct table {
	const uint8_t *data;
	size_t bytes;
	uint8_t copy[TABLE_BYTES];	/* where the source has no bytes to point at */
};

/*
 * Up to `bytes` of a table. GSC_READ_OK even if fewer are held (table->bytes tells); else why
 * there are none. Never reads more than it is asked for: live sources are slow.
 */
enum gsc_read table_get(struct gsc_source *source, enum gsc_space space, uint64_t address,
			size_t bytes, struct table *table);

/* ---- walk.c ------------------------------------------------------------------------------- */

struct gsc_translation {
	struct gsc_source *source;
	const struct gsc_view *view;
	struct gsc_platform platform;
	struct formats *formats;
	struct gsc_translation_options options;
	enum gsc_mode mode;
	bool iommu;			/* live, behind a translating one, and no --vtd */
	unsigned haw;			/* host address width */
	unsigned va_bits;		/* of the mode: 31, 32, 48, 57 */
	uint64_t ggtt_bytes;		/* of the global table: as the source tells */
	uint64_t stolen_start, stolen_end;	/* equal: not known */
};

/* Adds a step; NULL when the walk is full, and it is stopped then. */
struct gsc_step *walk_step(struct gsc_walk *walk);
void walk_stop(struct gsc_walk *walk, enum gsc_stop stop, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Reads one entry as a step of `depth`: through the second level where there is one (its steps go
 * in front, one deeper). False: the walk is stopped.
 */
bool walk_entry(struct gsc_translation *t, struct gsc_walk *walk, const struct format *format,
		unsigned depth, uint64_t table, uint64_t address, unsigned index,
		struct gsc_step **step);
/* The tables of the mode, for an address that is no tiled one; steps get `depth`. */
bool walk_tables(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
		 unsigned depth, uint64_t *physical);

/* vtd.c: guest-physical to physical; steps get `depth`. False: the walk is stopped. */
bool vtd_walk(struct gsc_translation *t, struct gsc_walk *walk, uint64_t guest, unsigned depth,
	      enum gsc_intent intent, uint64_t *physical, uint64_t *page_size);
/* Silently; GSC_STOP_NONE and how many bytes from there on follow in one piece. */
enum gsc_stop vtd_resolve(struct gsc_translation *t, uint64_t guest, uint64_t *physical,
			  uint64_t *length);

/* trtt.c: is the address a tiled one; what lies behind it, as another graphics address. */
bool trtt_holds(const struct gsc_tiled *tiled, uint64_t address);
bool trtt_walk(struct gsc_translation *t, struct gsc_walk *walk, uint64_t address,
	       uint64_t *target);

/* The words of a page's attributes, from its leaf entry. */
const char *entry_flag(const struct gsc_view *view, const struct format *format, uint64_t raw,
		       size_t i, char *buf, size_t size);

/* Sign-extended or 48-bit: in its 48-bit (57-bit) form. False: not canonical. */
bool address_canonical(uint64_t *address, unsigned bits);

#endif
