/* SPDX-License-Identifier: MIT */
/* What the checks of tables share: findings, and the ranges that are compared at the end. */
#ifndef GSC_CHECK_H
#define GSC_CHECK_H

#include "db/rule.h"
#include "gtt/fold.h"

/* Of each rule so many findings are told one by one; the rest are counted. */
#define FINDINGS_MOST 100
/* And so many of what is legal. */
#define NOTES_MOST 8
/* Where there are more than these, no more are looked for. */
#define FINDINGS_COUNTED 100000

/* So many ranges are compared with each other. */
#define RANGES_MOST (512 * 1024)

/* A row a rule: whether it is worth a note only, being legal; and its head. */
#define TABLE_RULES(R)                                                                             \
	R(RESERVED, false, "reserved-bits")                                                        \
	R(MISALIGNED, false, "misaligned")                                                         \
	R(OUTSIDE, false, "outside-memory")                                                        \
	R(MISSING, false, "missing-table")                                                         \
	R(LOOP, false, "self-reference")                                                           \
	R(IGNORED, false, "ignored-entry")                                                         \
	R(MEMORY_TYPE, false, "memory-type")                                                       \
	R(TABLE_MAPPED, false, "page-table-mapped")                                                \
	R(GGTT_ALIAS, true, "ggtt-alias")                                                          \
	R(SAME_ADDRESS, false, "same-address", "same-address", "snb-p2",                           \
	  "1.3.4 PPGTT vs GGTT limitation")                                                        \
	R(GTT_CACHE, false, "gtt-cache", NULL, "icl-vol6", "GTT Cache")                            \
	R(64K_HINT, false, "64k-hint", NULL, "i915", "gt/gen8_ppgtt.c xehp_ppgtt_insert_huge")     \
	R(GSM_MAPPED, false, "gsm-mapped")                                                         \
	R(TABLE_STOLEN, false, "table-stolen")

#define RULE_ENUM(id, ...) RULE_##id,
enum table_rule { TABLE_RULES(RULE_ENUM) RULES };
#undef RULE_ENUM

/* Pages in a row, and in memory as well. */
struct range {
	uint64_t start, end, va;	/* of memory; where in the address space */
	uint64_t entry;
	const struct scan_level *leaf;
	enum gsc_space space;
	unsigned denied;
	bool constant;			/* many pages of one target */
};

typedef VEC(struct range) range_vec;

struct checker {
	gsc_breach_fn *each;
	void *context;
	struct gsc_translation *t;
	struct fold fold;
	range_vec ranges;		/* in order of va, then of memory */
	bool too_many, failed, ended;
	bool large;			/* pages of 2 MB or more */
	uint64_t held[GSC_SPACES];	/* of memory held in one piece from 0 on, or 0 */
	const char *unsure[GSC_SPACES];	/* why it is not known what memory there is, or NULL */
	uint64_t inside[GSC_SPACES], outside[GSC_SPACES];	/* pages in it, and past it */
	uint64_t told[RULES];
};

/* check-report.c: false if no more findings are wanted. */
bool check_tell(struct checker *checker, enum table_rule rule, const char *where,
		const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Of an entry, whose definition states the rule. */
bool check_tell_entry(struct checker *checker, enum table_rule rule,
		      const struct scan_entry *entry, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
bool check_tell_rest(struct checker *checker);
/* That nothing was found does not say that there is nothing. */
bool check_tell_unchecked(struct checker *checker, enum table_rule rule, const char *where,
			  const char *why);
bool check_applies(const struct checker *checker, enum table_rule rule);

/* check-ranges.c: what ranges say when held against each other, the tables and the GGTT. */
bool check_ranges(struct checker *checker, struct scan *scan, struct gsc_global_ranges **shared);

/* check.c: every range of a translation, nothing else being looked at. */
enum gsc_status check_collect(struct checker *checker, struct scan *scan,
			      struct gsc_translation *t, struct gsc_error *err);

#endif
