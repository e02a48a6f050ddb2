/* SPDX-License-Identifier: MIT */
/*
 * One pass over all tables of a translation, for maps, reverse lookups and checks. A table is
 * examined once for each level at which it is met: what is below it is remembered, so that a space
 * of 2^48 bytes costs only what its tables cost. Nothing is ever found by trying addresses.
 */
#ifndef GSC_SCAN_H
#define GSC_SCAN_H

#include "gtt/gtt.h"

#include <string.h>

#define SCAN_LEVELS 32
#define SCAN_DEPTH 8
#define CHUNK_ENTRIES 512

/* A format, prepared for rows of its entries. */
struct scan_level {
	const struct format *format;
	unsigned id;
	uint64_t span;			/* of graphics addresses for each entry */
	unsigned slots;			/* entries that count */
	unsigned stride;		/* bytes from one of them to the next */
	uint64_t check_mask, check_value;	/* valid, and nothing reserved set */
	uint64_t attributes;		/* bits that pages of one run have in common */
	bool direct;			/* 64 bits, adjacent, the address in place */
};

/* A bit for each entry of a chunk; all but `valid` are about it and the previous one. */
struct bits {
	uint64_t valid[CHUNK_ENTRIES / 64];
	uint64_t same[CHUNK_ENTRIES / 64];	/* both valid, with equal attributes */
	uint64_t equal[CHUNK_ENTRIES / 64];	/* and with one target */
	uint64_t linear[CHUNK_ENTRIES / 64];	/* and this target follows that one */
};

struct compare;				/* bits.c: what the processor can */

/* Entries that map pages, adjacent in one table. */
struct chunk {
	const struct scan_level *level;
	const uint8_t *data;
	unsigned count;
	enum gsc_space space;		/* where the entries are */
	uint64_t address;
	uint64_t va;			/* of the first */
	unsigned denied;
	const struct compare *compare;
	const uint8_t *ahead;		/* a page of bytes needed next, or NULL */
	bool mixed;			/* the previous block was not all alike */
	struct bits bits;
	uint64_t pages;			/* how many matter; a visitor may say that none does */
};

/* What is known about all pages below a table. */
struct summary {
	uint64_t pages;			/* 0: there is nothing of interest below */
	uint64_t covered;		/* bytes of graphics addresses */
	uint64_t entry;			/* the first leaf entry */
	const struct scan_level *leaf;	/* its level */
	unsigned denied;
	bool uniform;			/* all pages are like the first */
	bool sizes;			/* the number of different pages */
	const char *unread;		/* why the table itself could not be read, or NULL */
};

/* A table that was met: 32 bytes. */
struct node {
	uint64_t address, va, entry;
	uint64_t pages : 46, level : 5, local : 1, denied : 4;
	uint64_t constant : 1, sizes : 1, leaf : 5, leaf_denied : 4, unread : 1;
};

/*
 * Nodes in the order in which they came; slots, a power of two, find them (counted from 1) by hash.
 */
struct memo {
	VEC(struct node) nodes;
	uint32_t *slot;
	size_t slots;
};

/* An entry that maps no page, as a visitor sees it. */
struct scan_entry {
	const struct scan_level *level;
	enum gsc_space space;
	uint64_t address, va, raw;
	unsigned count;			/* this many consecutive ones are equal */
	uint64_t table;			/* that it leads to */
};

/* A table and its place. */
struct scan_table {
	const struct scan_level *level;
	enum gsc_space space;
	uint64_t address, va;
	unsigned denied, depth;
	uint32_t groups;		/* which groups of 16 entries count */
	bool tiled;			/* of tiled resources */
	bool graphics;			/* their `address` is a graphics address, at first */
	bool piece;			/* of a table longer than a page */
	bool zeros;			/* there is no memory, it reads as zero */
};

/* ---- runs: pages in order of addresses, merged into as few ranges as possible ---------------- */

/* A stretch of graphics addresses whose pages have all attributes in common. */
struct run {
	uint64_t va, length;		/* bytes */
	enum gsc_mapping_kind kind;
	enum gsc_space space;
	uint64_t physical;
	uint64_t of;			/* of a repeat; of a tile the address that it leads to */
	bool stolen;
	const struct scan_level *leaf;
	uint64_t entry;			/* the first leaf entry */
	uint64_t size;			/* of a page as it is reported */
	uint64_t step;			/* what an entry maps: less, if several form a page */
	unsigned denied;
	uint64_t pages;			/* of a repeat */
	bool sizes;			/* of a repeat: its pages differ in size */
	unsigned runs;			/* of scattered ones: 1, or more linear ones */
};

struct fold {
	unsigned flags;			/* enum gsc_map_flag */
	bool apart;			/* nothing is called scattered: each run is separate */
	bool (*each)(void *context, const struct run *run);
	void *context;
	struct run last;		/* may still grow */
	struct run short_ones;		/* adjacent ones before it */
	bool has_last, has_short;
};

/*
 * A run of SHORT_PAGES pages or more is reported by itself; adjacent shorter ones with equal
 * attributes are one scattered range. Two pages with one target are a constant range.
 */
#define SHORT_PAGES 8

/* Constant ranges up to this are still reported page by page (GSC_MAP_PAGES). */
#define CONSTANT_PAGES 512

/* False: `each` wants no more. */
bool fold_add(struct fold *fold, const struct run *run);
bool fold_end(struct fold *fold);
/* Between two pieces: tells what is held back, unless it may become one longer constant range. */
bool fold_pause(struct fold *fold);

/* ---- a pass --------------------------------------------------------------------------------- */

struct scan;

/*
 * What a pass is for. All may be NULL: then pages are folded, repeats left out, and nothing is
 * said; false ends the pass.
 */
struct scan_visitor {
	bool (*chunk)(struct scan *scan, struct chunk *chunk);
	bool (*run)(struct scan *scan, const struct run *run);
	/* This many bytes of addresses, all pages like this one. */
	bool (*constant)(struct scan *scan, uint64_t va, uint64_t length,
			 const struct summary *page);
	/* [va, va + length) is as [of, of + length). */
	bool (*repeat)(struct scan *scan, uint64_t va, uint64_t length, uint64_t of,
		       const struct summary *below);
	/* A valid entry that leads to a table. */
	bool (*entry)(struct scan *scan, const struct scan_entry *entry);
	/* Valid, but bits are set that must not be. */
	bool (*reserved)(struct scan *scan, const struct scan_entry *entry);
	/* A table that no source holds, or only in part; or that leads to itself. */
	bool (*missing)(struct scan *scan, const struct scan_table *table);
	bool (*loop)(struct scan *scan, const struct scan_table *table);
};

struct scan {
	struct gsc_translation *t;
	const struct scan_visitor *visitor;
	void *context;
	struct fold fold;		/* of the pages that the visitor leaves to it */
	const struct compare *compare;
	bool expand;			/* repeats are traversed, not reported */
	bool again;			/* in a table that was met before: nothing is counted */
	bool failed;			/* out of memory */
	bool ended;			/* a visitor wants no more */
	struct gsc_map_holes holes;
	uint64_t from, to;		/* only these addresses, and the fold goes on; 0, 0: all */
	uint64_t window_start, window_end;
	struct scan_level levels[SCAN_LEVELS];
	unsigned level_count;
	struct memo memo;
	struct {
		enum gsc_space space;
		uint64_t address;
	} path[SCAN_DEPTH];
	uint64_t guest_start, guest_length, guest_host;	/* the range resolved last */
	enum gsc_stop guest_stop;	/* if there is nothing */
	unsigned guest_denied;		/* what the second level takes away there */
	const char *why;		/* the last table could not be read */
	bool lacking;			/* ... because the dump has none at all */
	bool unread;			/* it exists, but nobody holds it or lets us read it */
	bool gone;			/* ... because the device disappeared */
	bool partial;			/* the current table is incomplete */
	struct blanks *blanks;		/* where to record what maps nothing, or NULL */
	uint64_t stolen_start, stolen_length;
	const uint8_t *ahead;
	bool mixed;
};

/*
 * A translation's whole space in order of addresses. Also GSC_OK if a visitor ended it. The scan
 * keeps what it knows about tables until scan_free().
 */
enum gsc_status scan_run(struct scan *scan, struct gsc_translation *t,
			 const struct scan_visitor *visitor, void *context, struct gsc_error *err);
void scan_free(struct scan *scan);

/* Addresses in tables are guest-physical. */
static inline bool scan_nested(const struct scan *scan)
{
	return scan->t->options.vtd.on && scan->t->mode != GSC_MODE_VTD;
}

/* The level of a format; NULL if there is none or there are too many. */
const struct scan_level *scan_level(struct scan *scan, const struct format *f);

/* The table and everything below it. */
bool scan_below(struct scan *scan, const struct scan_table *table, struct summary *summary);
/*
 * Reports `count` pieces of this size from va on, all like the one at `of`; or they must be
 * traversed.
 */
bool scan_alike(struct scan *scan, uint64_t va, uint64_t count, uint64_t size, uint64_t of,
		const struct summary *sum, bool *traverse);
/* Where a guest-physical address is, and how far that holds; without a second level: itself. */
bool scan_host(struct scan *scan, uint64_t guest, uint64_t *host, uint64_t *length);
/* The size of the second level's page there, which may be less than what is in one piece. */
uint64_t scan_guest_page(struct scan *scan, uint64_t guest);
/* For how many bytes there is nothing, if scan_host() said so and left that `length`. */
uint64_t scan_step_over(uint64_t guest, uint64_t length, uint64_t left);
/* "pte table at guest:0x1000, for 0x2000"; for the global table what is missing from where on. */
void scan_table_text(const struct scan *scan, const struct scan_table *table, uint64_t va,
		     char *buf, size_t size);

/* runs.c: folds the pages of a chunk; targets go through the second level if there is one. */
bool runs_of_chunk(struct scan *scan, struct chunk *chunk);
/* The same for one run; for so many bytes of pages like one. */
bool runs_add(struct scan *scan, const struct run *run);
bool runs_constant(struct scan *scan, uint64_t va, uint64_t length, const struct summary *page);
bool run_is_stolen(const struct scan *scan, const struct run *run);
/* Its pages are where another level of tables says. */
bool run_is_nested(const struct scan *scan, const struct run *run);
/* This many bytes of pages like the one that a summary describes. */
struct run run_of_summary(const struct scan *scan, const struct summary *page, uint64_t va,
			  uint64_t length);

void summary_add(struct summary *sum, const struct summary *more, uint64_t times);
/* scan-read.c: this many bytes from va on, as far as they are examined, map nothing. */
void scan_blank(struct scan *scan, enum blank_kind kind, uint64_t va, uint64_t length,
		const char *why);
/*
 * scan-read.c: as much of a table as is held, with zeros in its holes; *gap is where the first
 * begins. False: nothing, and scan->why.
 */
bool scan_read(struct scan *scan, const struct scan_table *table, size_t bytes, struct table *held,
	       size_t *gap);
/* The next slots that are held, from *to on, become [*from, *to). */
bool scan_next_part(const struct scan_level *l, const struct table *held, unsigned *from,
		    unsigned *to);
/* tiled.c: the range [va, va + 2^44) through the tables of tiled resources. */
bool scan_tiled(struct scan *scan, uint64_t va);
/* Sets the address of a table. */
bool scan_place_tiled(struct scan *scan, struct scan_table *table);
bool scan_tiles(struct scan *scan, const struct scan_table *table, const uint8_t *data,
		unsigned from, unsigned to, struct summary *sum);

/* bits.c: compares the entries of a chunk. Returns how many are valid and without reserved bits. */
unsigned bits_of_chunk(struct chunk *chunk);
const struct compare *compare_functions(void);
unsigned bits_next_set(const uint64_t *words, unsigned from, unsigned count);
unsigned bits_next_clear(const uint64_t *words, unsigned from, unsigned count);

/* Valid, with no bit set that must not be. */
static inline bool scan_level_valid(const struct scan_level *level, uint64_t raw)
{
	const struct format *f = level->format;

	return (raw & level->check_mask) == level->check_value &&
	       (!f->any_mask || raw & f->any_mask);
}

/* Where a leaf entry points to: null is one target, whatever its address is. */
static inline uint64_t leaf_target(const struct scan_level *level, uint64_t raw)
{
	const struct format *f = level->format;

	return raw & f->null_mask ? 0 : format_address(f, raw) & ~(level->span - 1);
}

static inline bool bits_test(const uint64_t *words, unsigned i)
{
	return words[i / 64] >> (i % 64) & 1;
}

static inline uint64_t entry_load(const struct scan_level *level, const uint8_t *data)
{
	uint64_t wide;
	uint32_t narrow;

	if (level->format->bytes >= sizeof(wide)) {
		memcpy(&wide, data, sizeof(wide));
		return wide;
	}
	memcpy(&narrow, data, sizeof(narrow));
	return narrow;
}

static inline struct scan_entry chunk_entry(const struct chunk *chunk, unsigned i)
{
	const struct scan_level *l = chunk->level;
	size_t offset = (size_t)i * l->stride;

	return (struct scan_entry){ l, chunk->space, chunk->address + offset,
				    chunk->va + i * l->span, entry_load(l, chunk->data + offset),
				    1, 0 };
}

#endif
