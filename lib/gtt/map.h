/* SPDX-License-Identifier: MIT */
/* All addresses of a translation at once: maps, and reverse lookups. */
#ifndef GSC_GTT_MAP_H
#define GSC_GTT_MAP_H

#include "db/words.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gsc_translation;

/* How the pages of a range are arranged in memory. */
enum gsc_mapping_kind {
	GSC_MAPPING_LINEAR,
	GSC_MAPPING_CONSTANT,		/* all pages have the same target, such as scratch */
	GSC_MAPPING_SCATTERED,		/* runs of less than 8 contiguous pages */
	GSC_MAPPING_REPEAT,		/* a table that occurred before, at `of` */
};

/* "linear", "scattered", ... */
GSC_API const char *gsc_mapping_word(enum gsc_mapping_kind kind);

/*
 * A range whose pages have the same attributes. Addresses in no range are not mapped. A repeat may
 * have gaps: `start` + x is mapped as `of` + x is; `physical` and `entry` are those of its first
 * page.
 */
struct gsc_mapping {
	uint64_t start, end;		/* graphics addresses, end exclusive */
	enum gsc_mapping_kind kind;
	enum gsc_space space;
	uint64_t physical, pages;
	uint64_t page_size;		/* 0: a repeat whose pages differ */
	uint64_t of;			/* of a repeat: where the table occurred before */
	bool stolen;
	bool readable, writable;	/* by all levels combined */
	uint64_t entry;			/* a leaf; permissions denied above it are removed */
	const char *level;		/* the level of that entry */
};

/* How ranges are divided. */
enum gsc_map_flag {
	/* One range per page, except that a constant run of more than 512 pages is one range. */
	GSC_MAP_PAGES = 1 << 0,
	GSC_MAP_ALL = 1 << 1,		/* page by page without exception */
};

/* What is missing in a map. Each table counts once, however often it occurs. */
struct gsc_map_holes {
	uint64_t missing;		/* tables that no source holds completely */
	bool lacking;			/* a table is missing because the dump has none at all */
	uint64_t reserved;		/* entries with reserved bits set: they map nothing */
	uint64_t loops;			/* tables that lead to themselves, as hardware allows */
	uint64_t first_missing;		/* graphics address */
	char first_table[96], first_why[96];	/* "pte table at guest:0x60000, for 0x600000" */
};

/* Calls `each` for every mapped range, in order, until it returns false. */
typedef bool gsc_mapping_fn(void *context, const struct gsc_mapping *mapping);
GSC_API enum gsc_status gsc_map(struct gsc_translation *translation, unsigned flags,
				gsc_mapping_fn *each, void *context, struct gsc_map_holes *holes,
				struct gsc_error *err);
/* Attribute number `i` of the pages of a range; NULL past the last. */
GSC_API const char *gsc_mapping_flag(const struct gsc_translation *translation,
				     const struct gsc_mapping *mapping, size_t i, char *buf,
				     size_t size);

/* ---- reverse lookups ------------------------------------------------------------------------ */

/*
 * A graphics address that reaches a physical one. A constant range of more than 512 pages is one
 * item: address + i * page_size reaches it for i < pages. Otherwise `pages` is 1. A table that
 * occurs several times is traversed each time, until a few thousand addresses were found. After
 * that, each further occurrence is a repeat, a constant range of any length is one item, and so is
 * a large page that a second level maps many times.
 */
struct gsc_reached {
	uint64_t address;		/* not set in a repeat */
	uint64_t pages, page_size;
	bool repeat;			/* [start, end) is mapped as `of` and following */
	uint64_t start, end, of;
};

/* Calls `each` for every address that reaches a physical one, until it returns false. */
typedef bool gsc_reverse_fn(void *context, const struct gsc_reached *reached);
GSC_API enum gsc_status gsc_reverse(struct gsc_translation *translation, enum gsc_space space,
				    uint64_t physical, gsc_reverse_fn *each, void *context,
				    struct gsc_map_holes *holes, struct gsc_error *err);

/*
 * Doubt number `i` about a map: tables that could not be read, if there are any; then what
 * was read, but may not mean what it says. False past the last.
 */
GSC_API bool gsc_map_doubt(const struct gsc_map_holes *holes, size_t i, struct gsc_error *doubt);

/*
 * The same ranges as from gsc_map(), in pieces: each call tells those of one more. If pages are
 * told one by one, a piece is a GB of addresses, or a longer constant range, so that no map takes
 * much memory. *more is false after the last. `each` takes all of a piece, or its result does not
 * matter.
 */
struct map_pieces;
struct map_pieces *map_pieces_new(struct gsc_translation *translation, unsigned flags);
enum gsc_status map_piece(struct map_pieces *pieces, gsc_mapping_fn *each, void *context,
			  bool *more, struct gsc_error *err);
/* What is missing in the whole map; known after the first piece. */
const struct gsc_map_holes *map_pieces_holes(const struct map_pieces *pieces);
void map_pieces_free(struct map_pieces *pieces);

#endif
