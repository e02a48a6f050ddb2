/* SPDX-License-Identifier: MIT */
/* One address through the tables; the entries that it meets. */
#ifndef GSC_GTT_WALK_H
#define GSC_GTT_WALK_H

#include "db/item.h"
#include "db/view.h"
#include "gtt/root.h"

/* ---- entries -------------------------------------------------------------------------------- */

#define GSC_ENTRY_WORDS 16		/* dwords of the widest entry */

/* A page-table entry, decoded by its definition. */
struct gsc_entry {
	struct gsc_item item;		/* for gsc_item_fields(), with `words` */
	enum gsc_mode mode;
	const char *level;		/* its actual level: "pde" may become "pde2m" */
	uint32_t words[GSC_ENTRY_WORDS];
	unsigned bytes;			/* of the entry; 0: it could not be read */
	bool valid, leaf;
	const char *next;		/* level of the table that it points to, or NULL */
	enum gsc_space space;		/* space of the address */
	uint64_t address, page_size;	/* page_size 0: not a page */
};

/*
 * Decodes an entry of a level ("pte", "pde2m", "vtd-root", ...) of a mode from its dwords, lowest
 * first. GSC_USAGE: the platform has no such level; the error lists its levels.
 */
GSC_API enum gsc_status gsc_entry_decode(const struct gsc_view *view, enum gsc_mode mode,
					 const char *level, const uint32_t *words, size_t count,
					 struct gsc_entry *entry, struct gsc_error *err);
/* Problem number `i` of an entry; false past the last. */
GSC_API bool gsc_entry_problem(const struct gsc_view *view, const struct gsc_entry *entry, size_t i,
			       char *buf, size_t size);
/* Level number `i` of a mode on a platform, from the page upwards; NULL past the last. */
GSC_API const char *gsc_mode_level(const struct gsc_view *view, enum gsc_mode mode, size_t i);

/* A field of an entry by its name, with all its parts; 0, and *has false, if it has none. */
uint64_t gsc_entry_value(const struct gsc_view *view, const struct gsc_entry *entry,
			 const char *name, bool *has);

/* The next fact of a level, whatever its condition, from *at on, which begins as 0. */
GSC_API bool gsc_fact(const struct gsc_view *view, enum gsc_mode mode, const char *level,
		      size_t *at, struct gsc_fact *fact);

/* What decides how a page is accessed: an entry, a structure, or a part of a register. */
struct gsc_decider {
	bool there;
	struct gsc_reg reg;		/* without a name it is no register */
	unsigned hi, lo;		/* its part */
	uint64_t value;
	enum gsc_read status;
	struct gsc_field_iter fields;
};

enum { BY_ENTRY, BY_PAT, BY_MOCS, BY_L3, BYS };

/* The facts about one entry whose conditions hold; not to be copied. */
struct gsc_facts {
	const struct gsc_gpu *gpu;
	const struct gsc_entry *entry;
	struct gsc_decider by[BYS];
	bool page, has_pat;		/* it maps memory; it selects an entry of the PAT */
	uint64_t pat;
	uint32_t state;			/* a MOCS that is no index */
	unsigned turn;			/* registers, then what facts are about */
	size_t next;
	char mocs[32], text[440];
};

/*
 * Lists them: what the entry and its registers say of the memory type, and of the MOCS if one is
 * given; then facts, first those with an `about`, of each the first that holds. If a register that
 * decides could not be read, the text says that.
 */
GSC_API void gsc_facts_begin(struct gsc_facts *facts, const struct gsc_gpu *gpu,
			     const struct gsc_entry *entry, const struct gsc_mocs *mocs);
/* The texts live until the next call. */
GSC_API bool gsc_facts_next(struct gsc_facts *facts, struct gsc_fact *fact);

/* ---- walks ---------------------------------------------------------------------------------- */

struct gsc_translation;

/*
 * Makes a translation from a root, with second-level tables below and tables of tiled resources
 * in front if the options have them. Without a root it is the GGTT. The GPU must outlive it.
 */
GSC_API enum gsc_status gsc_translation_new(struct gsc_translation **translation,
					    const struct gsc_gpu *gpu,
					    const struct gsc_translation_options *options,
					    struct gsc_error *err);
GSC_API void gsc_translation_free(struct gsc_translation *translation);
GSC_API const struct gsc_root *gsc_translation_root(const struct gsc_translation *translation);

/* Why an address is not mapped. */
enum gsc_stop {
	GSC_STOP_NONE,
	GSC_STOP_NOT_PRESENT,
	GSC_STOP_RESERVED_BITS,
	GSC_STOP_NOT_CANONICAL,
	GSC_STOP_BEYOND_TABLE,
	GSC_STOP_NO_MEMORY,		/* no source holds the table */
	GSC_STOP_NULL_TILE,
	GSC_STOP_INVALID_TILE,
	GSC_STOP_NOT_PERMITTED,
	GSC_STOP_IOMMU,			/* addresses in entries are not physical */
	GSC_STOPS
};

/* The word for it: "not-present", "reserved-bits", ... */
GSC_API const char *gsc_stop_word(enum gsc_stop stop);
/* "refused"; "unknown", if the source lacks what would say; else "not mapped". */
GSC_API const char *gsc_stop_outcome(enum gsc_stop stop);

/* The kind of access to check for. */
enum gsc_intent { GSC_INTENT_READ, GSC_INTENT_WRITE, GSC_INTENT_ATOMIC };

/* An entry that a walk has read. */
struct gsc_step {
	/*
	 * 0: a level of the walk itself. Otherwise part of a nested walk (second level, tiled
	 * resources) that leads to the next step with less depth or, at the end, to the page.
	 */
	unsigned depth;
	unsigned index;
	enum gsc_space space;
	bool guest;			/* the addresses are guest-physical */
	uint64_t table, address;	/* of the table, of the entry */
	struct gsc_entry entry;
};

/* The walk of an address. */
struct gsc_walk {
	uint64_t address;		/* in its 48-bit form */
	enum gsc_mode mode;
	bool mapped;
	enum gsc_space space;		/* GSC_PHYS or GSC_LMEM */
	uint64_t physical, page_size;
	bool stolen;			/* the page is graphics stolen memory */
	bool null;			/* a null page: reads give zero */
	bool readable, writable, executable, user;
	enum gsc_stop stop;
	int stop_step;			/* the step where it stopped; -1: before the first */
	char stop_level[16];
	char stop_text[192];
	char written[192];		/* what the hardware writes back into entries, or "" */
	char note[640];			/* a remark, or "" */
	/* Owned by the translation; valid until its next walk. */
	const struct gsc_step *steps;
	size_t count;
};

/* Translates an address. Each entry that it reads is a step. */
GSC_API void gsc_walk(struct gsc_translation *translation, uint64_t address,
		      enum gsc_intent intent, struct gsc_walk *walk);
/* Attribute number `i` of the page: "rw", "llc", "pat3", "null"; NULL past the last. */
GSC_API const char *gsc_walk_flag(const struct gsc_translation *translation,
				  const struct gsc_walk *walk, size_t i, char *buf, size_t size);
/*
 * Why there are no bytes at the address: why the walk stops, or that no source holds the page. The
 * status is that of the failed read; GSC_UNKNOWN if no read failed.
 */
GSC_API enum gsc_status gsc_walk_why(const struct gsc_translation *translation,
				     const struct gsc_walk *walk, char *buf, size_t size);

/*
 * As gsc_walk(), without steps: where an address lands, and for how many bytes that holds. *space
 * is GSC_SPACES for a null page. Permissions are not checked. Tables in files are cached, and
 * assumed not to change.
 */
GSC_API enum gsc_stop gsc_resolve(struct gsc_translation *translation, uint64_t address,
				  enum gsc_space *space, uint64_t *physical, uint64_t *length);
/*
 * Reads bytes at a graphics address, up to the first one that is missing, and returns how many;
 * null pages give zeros. For a GGTT address, some sources hold the memory only under the GGTT
 * address, not under a physical one.
 */
GSC_API size_t gsc_translated_read(struct gsc_translation *translation, uint64_t address,
				   void *buf, size_t size);

#endif
