/* SPDX-License-Identifier: MIT */
/* What the checks of tables share: findings, and the ranges that are compared at the end. */
#ifndef GSC_CHECK_H
#define GSC_CHECK_H

#include "db/rule.h"
#include "gtt/scan.h"

/* This many findings of each rule are reported one by one; the rest are counted. */
#define FINDINGS_MOST 100
/* And this many notes about what is legal. */
#define NOTES_MOST 8
/* After more than this the search ends. */
#define FINDINGS_COUNTED 100000

/* This many ranges are compared with each other. */
#define RANGES_MOST (512 * 1024)

/* A rule: whether its breach is legal and only worth a note; and the head of its row. */
#define TABLE_RULES(R)                                                                     \
	R(RESERVED, false, "reserved-bits", .text = "reserved bits are not what they must be")\
	R(MISALIGNED, false, "misaligned", .text = "a page is not aligned as its size requires")\
	R(OUTSIDE, false, "outside-memory", .text = "an address is beyond memory")         \
	R(MISSING, false, "missing-table", .text = "a table is in no memory of the source")\
	R(LOOP, false, "self-reference", .text = "a table leads to itself")                \
	R(IGNORED, false, "ignored-entry", .text = "an entry inside a larger page differs")\
	R(MEMORY_TYPE, false, "memory-type", .text = "memory is mapped with two ways of caching")\
	R(TABLE_MAPPED, false, "page-table-mapped", .text = "the GPU can write to a page table")\
	R(GGTT_ALIAS, true, "ggtt-alias", .text = "memory is mapped here and in the GGTT") \
	R(SAME_ADDRESS, false, "same-address", "same-address", "snb-p2",                   \
	  "1.3.4 PPGTT vs GGTT limitation", "an address leads elsewhere in the GGTT")      \
	R(DIRECTORY, false, "directory-changed", "gen6..gen7", "snb-p2",                   \
	  "1.3.1 PPGTT Directory Entries (PDEs)",                                          \
	  "an entry of the directory of a running context has changed")                    \
	R(GTT_CACHE, false, "gtt-cache", NULL, "icl-vol6", "GTT Cache",                    \
	  "the GTT cache is on with pages of 2 MB or 1 GB, or an advanced context")        \
	R(64K_HINT, false, "64k-hint", NULL, "i915", "gt/gen8_ppgtt.c xehp_ppgtt_insert_huge",\
	  "PAGE_64K_HINT is set, but the entries are not one page of 64 KB")               \
	R(GSM_MAPPED, false, "gsm-mapped", .text = "the GPU can write to the global table")\
	R(TABLE_STOLEN, false, "table-stolen", .text = "a table is in stolen memory of others")

#define RULE_ENUM(id, ...) RULE_##id,
enum { TABLE_RULES(RULE_ENUM) TABLE_RULE_COUNT };
#undef RULE_ENUM

struct table_rule {
	struct rule rule;
	bool note;			/* what breaks it is legal */
};

extern const struct table_rule table_rules[TABLE_RULE_COUNT];

/* Rule number `i` about page tables; NULL past the last. */
GSC_API const struct rule *gsc_table_rule(size_t i);

/* Consecutive pages that are also consecutive in memory. */
struct range {
	uint64_t start, end, va;	/* in memory; in the address space */
	uint64_t entry;
	const struct scan_level *leaf;
	enum gsc_space space;
	unsigned denied;
	bool constant;			/* many pages with one target */
};

typedef VEC(struct range) range_vec;

struct checker {
	struct findings findings;
	struct gsc_translation *t;
	range_vec ranges;		/* by va, then by memory */
	bool too_many, failed;
	bool large;			/* pages of 2 MB or more */
	uint64_t held[GSC_SPACES];	/* of memory held in one piece from 0 on, or 0 */
	const char *unsure[GSC_SPACES];	/* why the extent of memory is unknown, or NULL */
	uint64_t inside[GSC_SPACES], outside[GSC_SPACES];	/* pages in it, and beyond it */
	uint64_t found[TABLE_RULE_COUNT];
};

/*
 * check.c: tells of an entry, whose definition states the rule, or of another place; false if no
 * more findings are wanted.
 */
bool check_found(struct checker *checker, unsigned rule, const struct scan_entry *entry,
		 const char *where, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* No finding does not mean that there is none. */
bool check_impossible(struct checker *checker, unsigned rule, const char *where, const char *why);
/* The ranges of a translation, without anything else; `checks` is NULL then. */
enum gsc_status check_scan(struct checker *checker, struct scan *scan, struct gsc_translation *t,
			   const struct scan_visitor *checks, struct gsc_error *err);

struct gsc_global_ranges;

/* check-ranges.c: compares the ranges with each other, the tables and the GGTT. */
bool check_ranges(struct checker *checker, struct scan *scan, struct gsc_global_ranges **shared);

/*
 * What breaks a rule in the tables, which rule could not be checked, and what is worth a note.
 * `shared` keeps what the checks of several roots of one source and view have in common: NULL at
 * first; free it at the end.
 */
GSC_API void gsc_global_ranges_free(struct gsc_global_ranges *shared);
GSC_API enum gsc_status gsc_check_tables(struct gsc_translation *translation,
					 struct gsc_global_ranges **shared, gsc_breach_fn *each,
					 void *context, struct gsc_error *err);

#endif
