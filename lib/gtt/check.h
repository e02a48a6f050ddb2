/* SPDX-License-Identifier: MIT */
/* What the checks of tables share: findings, and the ranges that are compared at the end. */
#ifndef GSC_CHECK_H
#define GSC_CHECK_H

#include "gtt/fold.h"

/* Of each rule so many findings are told one by one; the rest are counted. */
#define FINDINGS_MOST 100
/* And so many of what is legal. */
#define NOTES_MOST 8
/* Where there are more than these, no more are looked for. */
#define FINDINGS_COUNTED 100000

/* So many ranges are compared with each other. */
#define RANGES_MOST (512 * 1024)

enum rule {
	RULE_RESERVED, RULE_MISALIGNED, RULE_OUTSIDE, RULE_MISSING, RULE_LOOP, RULE_IGNORED,
	RULE_MEMORY_TYPE, RULE_TABLE_MAPPED, RULE_GGTT_ALIAS, RULE_SAME_ADDRESS,
	RULE_GTT_CACHE, RULE_64K_HINT, RULE_GSM_MAPPED, RULE_TABLE_STOLEN,
	RULES
};

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

/* check-report.c: false if no more findings are wanted. `f`: whose definition states the rule. */
bool check_tell(struct checker *checker, enum rule rule, const struct format *f, const char *where,
		const char *format, ...) __attribute__((format(printf, 5, 6)));
bool check_tell_rest(struct checker *checker);
/* That nothing was found does not say that there is nothing. */
bool check_tell_unchecked(struct checker *checker, enum rule rule, const char *where,
			  const char *why);
/* "pte 5 at 0x12028, for 0x5000". */
void check_where(char *buf, size_t size, const struct scan_entry *entry);

/* check-ranges.c: what ranges say when held against each other, the tables and the GGTT. */
bool check_ranges(struct checker *checker, struct scan *scan, struct gsc_global_ranges **shared);

/* check.c: every range of a translation, nothing else being looked at. */
enum gsc_status check_collect(struct checker *checker, struct scan *scan,
			      struct gsc_translation *t, struct gsc_error *err);

#endif
