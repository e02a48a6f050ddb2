/* SPDX-License-Identifier: MIT */
/*
 * gtt/: where graphics addresses land. Others use root.h, walk.h, map.h, windows.h and check.h;
 * this is the inside. The layout of entries is data; format.c turns it into masks, and everything
 * else reads entries through these. Tables come from a source (table.c). One address goes through
 * them in descend: walk keeps its steps, resolve does not. All addresses go through them at once in
 * scan.h (map, runs, reverse, check). Roots are what registers, contexts and PASID tables say
 * (root, context, pasid). In addition: how a page is accessed, and facts (memtype); which caches
 * keep an entry (cache.h); and which ranges of the machine's addresses belong to the GPU (windows).
 * Nothing here prints; no address in a table is trusted, and no loop depends on what a table says.
 */
#ifndef GSC_GTT_H
#define GSC_GTT_H

#include "gpu/gpu.h"
#include "gtt/map.h"
#include "gtt/root.h"
#include "gtt/walk.h"
#include "util/util.h"

struct text;

/* ---- formats: definitions of entries as masks ------------------------------------------------ */

#define FORMAT_PARTS 4
#define FORMAT_NEXTS 3

/* A range of address bits: (raw & mask), shifted to the left or, if negative, to the right. */
struct format_part {
	uint64_t mask;
	int shift;
};

/* The level of the table that an entry points to, if (raw & mask) == value. */
struct format_next {
	const char *level;
	uint64_t mask, value;
	const struct format *format;	/* of its entries; NULL: it is not defined */
};

/* An entry as one platform sees it; only the first 64 bits of wider ones have masks. */
struct format {
	struct gsc_item item;
	const char *level;
	enum gsc_mode mode;
	unsigned bytes;			/* of an entry */
	unsigned index_hi, index_lo;	/* address bits that select the entry */
	unsigned every;			/* only every such slot counts */
	uint64_t valid_mask, valid_value;
	uint64_t any_mask;		/* and, if it is not 0, one of these set */
	struct format_part part[FORMAT_PARTS];
	unsigned parts;
	uint64_t address_mask;		/* of all parts; if it is one part with shift 0: in place */
	bool graphics;			/* it is a graphics address */
	uint64_t local_mask;		/* the page is local memory if set; all ones: always */
	uint64_t stolen_mask;		/* the address is an offset in stolen memory if set */
	bool tables_local;		/* the table below is in local memory */
	/* Attributes, each 0 if the entry has none. */
	uint64_t null_mask, write_mask, user_mask, no_execute_mask;
	uint64_t accessed_mask, dirty_mask, atomic_mask;
	uint64_t hint_mask;		/* 16 such entries map a piece of 64 KB */
	uint64_t zero_mask, one_mask;	/* reserved bits */
	uint64_t flags_mask;		/* what a run of pages must have in common */
	enum { FORMAT_TABLE, FORMAT_PAGE, FORMAT_EITHER } leaf;
	uint64_t leaf_mask, leaf_value;	/* FORMAT_EITHER: a page if (raw & mask) == value */
	uint64_t page_size;
	const char *leaf_level;		/* of `page`, or NULL */
	struct format_next next[FORMAT_NEXTS];
	const struct format *page;	/* reads an entry which is a page: often another one */
};

/* The formats of a set live as long as the set. */
struct formats;
/* Those of a view, made once and kept with it; NULL: out of memory. */
struct formats *formats_of(const struct gsc_view *view);
/* A different one if no entry leads to this level: `next` after it applies instead. */
struct formats *formats_without(const struct gsc_view *view, const char *level);
void formats_free(struct formats *formats);
/* NULL: the platform has no such level. */
const struct format *format_get(struct formats *formats, enum gsc_mode mode, const char *level);
/* That of the entries that a root points to. NULL if the platform lacks the mode. */
const struct format *format_top(struct formats *formats, enum gsc_mode mode);
/* Number i of a mode, the one next to the page first; NULL after the last. */
const struct format *format_at(struct formats *formats, enum gsc_mode mode, size_t i);

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
	return (raw & f->valid_mask) == f->valid_value && (!f->any_mask || raw & f->any_mask);
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

/* The bit that allows reading a page, if that is not implied. */
static inline uint64_t format_read_mask(const struct format *f)
{
	return f->any_mask & ~f->write_mask;
}

/* The first that holds, or NULL. */
static inline const struct format_next *format_next(const struct format *f, uint64_t raw)
{
	for (int i = 0; i < FORMAT_NEXTS && f->next[i].level; i++)
		if ((raw & f->next[i].mask) == f->next[i].value)
			return &f->next[i];
	return NULL;
}

/* Which entry of a table an address selects, counted in entries of the table. */
static inline unsigned format_index(const struct format *f, uint64_t address)
{
	unsigned width = f->index_hi - f->index_lo + 1;

	return (unsigned)(address >> f->index_lo & UINT64_MAX >> (64 - width)) * f->every;
}

/* The size in bytes of a table of this level. */
static inline uint64_t format_table_bytes(const struct format *f)
{
	return (UINT64_C(2) << (f->index_hi - f->index_lo)) * f->every * f->bytes;
}

/* ---- bytes of tables ------------------------------------------------------------------------- */

#define TABLE_BYTES 4096

/* A table, or as much of it, from its beginning, as a source holds. */
struct table {
	const uint8_t *data;
	size_t bytes;
	enum gsc_read ended;		/* why there are no more; OK: none were requested */
	bool in_parts;			/* has holes: `parts` says which slots are held */
	uint8_t parts[TABLE_BYTES / 4 / 8];
	uint8_t copy[TABLE_BYTES];	/* if the source has no bytes to point at */
};

/*
 * Up to `bytes` of a table. GSC_READ_OK even if fewer are held (table->bytes); otherwise why there
 * are none. Never reads more than requested: live sources are slow.
 */
enum gsc_read table_get(struct gsc_source *source, enum gsc_space space, uint64_t address,
			size_t bytes, struct table *table);

/* ---- the state of a translation -------------------------------------------------------------- */

/* A stretch of memory from which entries were last read. */
struct held {
	enum gsc_space space;
	uint64_t start, bytes;
	const uint8_t *data;
};

#define LEVELS_MAX 8

/* The tables that an address goes through, one kind after the other: any may be missing. */
enum stage {
	STAGE_TILES,			/* tiled resources: to another graphics address */
	STAGE_TABLES,			/* the mode's own: to memory, or guest-physical */
	STAGE_GUEST,			/* the second level: guest-physical to memory */
	STAGES
};

/* The pages found last, by a hash of their number. */
#define RECENT_PAGES 16

struct recent {
	enum gsc_space space;
	uint64_t start, bytes, physical;	/* bytes 0: none */
};

/* ---- what pictures show where nothing is mapped ---------------------------------------------- */

enum blank_kind {
	BLANK_UNKNOWN,			/* the table could not be read */
	BLANK_NULL_TILE, BLANK_INVALID_TILE,
};

struct blank {
	uint64_t start, end;
	enum blank_kind kind;
	const char *why;		/* of an unknown one */
};

struct blanks {
	struct blank *items;		/* mostly in order of addresses */
	size_t count, room;
	uint64_t left_out;		/* there are more than are kept */
};

/* The next entry. */
struct cursor {
	enum stage stage;
	uint64_t address;		/* what is translated; virtual ones in their 48-bit form */
	const struct format *format;
	enum gsc_space space;		/* GSC_GTTMEM: the table has a graphics address */
	uint64_t table;
	unsigned index;
	unsigned level;			/* how many there were before it */
};

/* Why a descent ended without a page, recorded for walk.c, which puts it into words. */
struct ending {
	enum {
		END_BEFORE,		/* there is no table for the address */
		END_MEMORY,		/* our own memory ran out */
		END_READ,		/* the entry at `address` could not be read */
		END_ENTRY,		/* the last step's entry leads no further */
	} how;
	enum gsc_stop stop;		/* GSC_STOP_NONE: it did not end yet */
	struct cursor cursor;
	enum gsc_space space;
	uint64_t address;
	enum gsc_read read;
	unsigned lacks;			/* what is needed, and not permitted */
};

/* ---- a translation ------------------------------------------------------------------------ */

struct gsc_translation {
	const struct gsc_gpu *gpu;
	struct formats *formats;
	struct formats *own_formats;	/* or NULL: they belong to the view */
	struct gsc_translation_options options;
	enum gsc_mode mode;
	bool iommu;			/* live, below a translating IOMMU, and no --vtd */
	unsigned haw;			/* host address width */
	unsigned va_bits;		/* of the mode: 30, 31, 32, 48, 57 */
	uint64_t ggtt_bytes;		/* of the global table: what the source says */
	uint64_t stolen_start, stolen_end;	/* equal: unknown */
	uint64_t gsm_start, gsm_end;	/* stolen memory for the global table; likewise */
	/* Where walks begin: tables of `top` entries; the address bits above theirs select one. */
	const struct format *top;
	enum gsc_space root_space;
	uint64_t root_table[4];
	unsigned roots;
	uint64_t limit;			/* the first graphics address past the tables */
	uint32_t groups;		/* 2level: which groups of 16 directory entries count */
	bool unsure_64k;		/* the source does not say whether IPS is enabled */
	uint32_t gtt_cache;		/* GTT_CACHE_EN; also 0 if the source does not say */
	enum gsc_stop broken;		/* the root itself is invalid, and why */
	char broken_text[128];
	char note[192];			/* a note for every walk */
	const struct format *tile_top;	/* of the first table of tiles; NULL: there is none */
	const struct format *guest_top;	/* of the second level; NULL: not looked up yet */
	struct held cache[STAGES][LEVELS_MAX];
	struct recent recent[RECENT_PAGES];
	bool moving;			/* an entry was read from a source that may change */
	VEC(struct gsc_step) steps;	/* of the last walk, */
	struct ending ending;		/* and why it led nowhere */
	struct blanks blanks;		/* of the last map */
};

/* From Meteor Lake on GSM is this large, and the data of stolen memory follows it. */
#define GSM_BYTES (UINT64_C(8) << 20)

/* Where the page of an entry is: offsets in stolen memory count from GSM on, if that is known. */
static inline enum gsc_space page_space(const struct gsc_translation *t, const struct format *f,
					uint64_t raw)
{
	if (raw & f->stolen_mask)
		return t->gsm_start ? GSC_PHYS : GSC_STOLEN;
	return format_local(f, raw) ? GSC_LMEM : GSC_PHYS;
}

static inline uint64_t page_base(const struct gsc_translation *t, const struct format *f,
				 uint64_t raw)
{
	return raw & f->stolen_mask && !(raw & f->null_mask) ? t->gsm_start : 0;
}

/* windows.c: a base of stolen memory; for one of 32 bits the upper half is enough. */
enum gsc_read stolen_base_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
			       uint64_t *value);

/* ---- where tables begin ---------------------------------------------------------------------- */

/* The permissions that entries take away. */
enum {
	DENIED_WRITE = 1 << 0, DENIED_USER = 1 << 1, DENIED_EXECUTE = 1 << 2, DENIED_READ = 1 << 3,
	DENIED_ALL = DENIED_READ | DENIED_WRITE,
};

/* The end of a stage: the page, and the byte of it that was requested. */
struct page {
	enum gsc_space space;
	uint64_t address, size;		/* of the byte; of the whole page */
	uint64_t left;			/* bytes from there on in one piece; or without a mapping */
	uint64_t within;		/* the address bits that the page keeps */
	uint64_t entry;
	const struct format *format;	/* of the entry */
	unsigned denied;		/* by entries above; in the second level also by its own */
	bool null;
	bool direct;			/* there is no second level below it */
};

/* A table that the root names. */
struct top {
	const struct format *format;
	enum gsc_space space;
	bool guest;			/* the address is guest-physical */
	uint64_t address, bytes, va;	/* va: the first address that goes through it */
	uint32_t groups;		/* 2level: which groups of 16 directory entries count */
};

/* How many there are; 0 if the root is broken. */
unsigned walk_tops(struct gsc_translation *t, struct top tops[4]);
enum gsc_stop tables_begin(struct gsc_translation *t, enum stage stage, uint64_t address,
			   struct cursor *cursor);

/* Where it is. */
static inline uint64_t cursor_entry(const struct cursor *cursor)
{
	return cursor->table + (uint64_t)cursor->index * cursor->format->bytes;
}

/* If the PASID entry is known, it says whether XD counts. */
static inline bool root_execute_counts(const struct gsc_root *root)
{
	return !(root->flags & GSC_ROOT_KNOWN) || root->flags & GSC_ROOT_NO_EXECUTE;
}

/* What an entry takes away. */
static inline unsigned entry_denied(const struct gsc_translation *t, const struct format *f,
				    uint64_t raw)
{
	unsigned denied = 0;

	if (~raw & format_read_mask(f))
		denied |= DENIED_READ;
	if (f->write_mask && !(raw & f->write_mask))
		denied |= DENIED_WRITE;
	if (f->user_mask && !(raw & f->user_mask))
		denied |= DENIED_USER;
	if (raw & f->no_execute_mask && root_execute_counts(&t->options.root))
		denied |= DENIED_EXECUTE;
	return denied;
}

/* One that leads to a table matters only in advanced contexts and the second level. */
static inline unsigned table_denied(const struct gsc_translation *t, const struct format *f,
				    uint64_t raw)
{
	return f->mode == GSC_MODE_IA32E || f->mode == GSC_MODE_VTD ? entry_denied(t, f, raw) : 0;
}

#define TRTT_TILE UINT64_C(0x10000)
/* Whether the address is a tiled one. */
bool trtt_holds(const struct gsc_tiled *tiled, uint64_t address);
/* Where the first table of tiles is: a graphics address, or guest-physical. */
uint64_t trtt_table(const struct gsc_translation *t);
/* What an entry of the last table of tiles means by itself. A value that means both is null. */
enum gsc_stop trtt_tile(const struct gsc_tiled *tiled, uint64_t raw);

/* The first 64 bits of an entry. */
static inline uint64_t entry_raw(const struct gsc_entry *entry)
{
	return entry->words[0] | (uint64_t)entry->words[1] << 32;
}

/* ---- through the tables ---------------------------------------------------------------------- */

/* Who goes through the tables. */
struct walker {
	struct gsc_walk *walk;		/* gets a step for each entry that is read; NULL: none */
	unsigned depth;			/* of these steps */
	unsigned needs;			/* what the second level must permit */
};

/*
 * From the address to the page that one stage has for it, with everything needed to read the
 * tables. Without a walk the tables are remembered if the source has their bytes in memory.
 */
enum gsc_stop descend(struct gsc_translation *t, enum stage stage, uint64_t address,
		      const struct walker *walker, struct page *page);
/* Finds the page of the mode's tables in memory, by the second level if there is one. */
enum gsc_stop descend_guest(struct gsc_translation *t, const struct walker *walker,
			    struct page *page);

/* ---- walks and entries in words -------------------------------------------------------------- */

/* The step that found the page, or NULL. */
const struct gsc_step *walk_page(const struct gsc_walk *walk);
/* Adds to walk->note. */
void walk_note(struct gsc_walk *walk, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Why a table could not be read. */
const char *read_failure(enum gsc_read status);
/* The same for a space; NULL unless a dump has nothing of it at all. */
const char *space_failure(struct gsc_source *source, enum gsc_space space, enum gsc_read status);

/* The remaining permissions of a page. */
struct access {
	bool readable, writable;
};

/* The words of a page's attributes, from its leaf entry. */
const char *page_flag(const struct gsc_view *view, const struct format *format, uint64_t raw,
		      struct access access, size_t i, char *buf, size_t size);
const char *entry_flag(const struct gsc_view *view, const struct format *format, uint64_t raw,
		       size_t i, char *buf, size_t size);

/* An entry of a format from its words. */
void entry_fill(struct gsc_entry *entry, const struct format *format, const uint32_t *words,
		size_t count);

/* Sign-extended or of so many bits: in the latter form. False: not canonical. */
bool address_canonical(uint64_t *address, unsigned bits);
unsigned canonical_bits(const struct gsc_translation *t);

#endif
