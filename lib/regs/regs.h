/* SPDX-License-Identifier: MIT */
/*
 * regs/: which registers a user means (select, with selector for one word, and loose if a dump has
 * more than is defined), what reading them gave (read, steering), where two readings differ (diff),
 * values that were given instead of read (given), and what it takes to write one (write-plan, then
 * write-run). Names are resolved in db/, the bytes come from source/; what the
 * bits of a field mean, in words, is in db/field.c; how a row looks is decided in out/.
 */
#ifndef GSC_REGS_H
#define GSC_REGS_H

#include "db/resolve.h"
#include "gpu/gpu.h"
#include "inside.h"
#include "source/way.h"
#include "util/util.h"

/* ---- selector.c: the form of one SELECTOR --------------------------------------------------- */

enum selector_kind { SELECTOR_NAME, SELECTOR_GROUP, SELECTOR_ADDRESS, SELECTOR_RANGE };

struct selector {
	struct reg_name name;		/* of an address: only its field */
	enum selector_kind kind;
	const struct way *way;		/* its prefix, or NULL */
	enum gsc_space space;
	bool alias;			/* ports, through the register BAR */
	uint64_t base, base_last;	/* a name with a prefix belongs to a register in there */
	uint64_t start, last;		/* last: of the last byte */
	unsigned ggtt_entry;		/* bytes of the GGTT's entries, 0: it has none */
};

/* Without a view: whatever the platform. */
enum gsc_status selector_read(struct selector *selector, const struct gsc_view *view,
			      const char *text, struct gsc_error *err);
/* The registers that a name or a group means; none is an error. */
enum gsc_status selector_regs(const struct selector *selector, const struct gsc_view *view,
			      reg_vec *regs, struct gsc_error *err);

/* ---- select.c ------------------------------------------------------------------------------- */

/* A register of the view, or a range of raw dwords; a lone address without definition is one. */
struct item {
	uint32_t reg;			/* index in the view, or NONE */
	bool range, whole;
	bool alias;			/* read through the register BAR, not by port */
	bool named;			/* by its name or address, not by a pattern or a group */
	enum gsc_space space;
	uint64_t start, last;		/* of its first and last byte, see reg_last() */
	uint32_t first_field, field_count;	/* in the selection's fields */
};

/* In the sideband, where a number is a register, there are no bytes. */
static inline uint64_t reg_last(enum gsc_space space, uint64_t offset, unsigned bits)
{
	return space == GSC_SIDEBAND ? offset : offset + bits / 8 - 1;
}

static inline unsigned item_bytes(const struct item *item)
{
	return item->space == GSC_SIDEBAND ? 4 : (unsigned)(item->last - item->start + 1);
}

/* loose.c: what sources list, but no register shows: an address, or a range of them. */
struct loose {
	struct item item;
	const char *name;		/* what the dump calls it, or NULL */
	bool row;			/* one of several in a line of the dump */
	bool taken;			/* in the selection */
};

typedef VEC(struct loose) loose_vec;

#define SELECTED_SOURCES 2		/* as many as are compared; each may be NULL */

bool loose_find(loose_vec *loose, const struct gsc_view *view, struct gsc_source *const *sources);

struct pick {
	size_t item, order;
	const char *field;
};

struct gsc_selection {
	const struct gsc_view *view;
	unsigned flags;			/* enum gsc_select_flag */
	bool all;			/* no selectors were given */
	VEC(struct item) items;
	VEC(struct pick) picks;
	VEC(const char *) fields;
	uint32_t *item_of;		/* of each register of the view, or NONE */
	loose_vec loose;		/* by space and address */
	struct gsc_source *const *sources;	/* while selectors are resolved */
};

struct gsc_selection *selection_new(const struct gsc_view *view);
struct item *selection_add(struct gsc_selection *selection, struct item item);
/* An item of a register of the view. */
struct item reg_item(const struct gsc_view *view, size_t reg);

/* ---- read.c --------------------------------------------------------------------------------- */

/* What few items have. */
struct extra {
	reg_vec also;			/* other registers that a given value may belong to */
	uint32_t *dwords;		/* of a range that was read in advance, else NULL */
	uint8_t *states;
};

/* The result of reading an item. There are thousands, and their pages cost time. */
struct result {
	size_t first_row;
	uint64_t value;
	const char *why;
	struct extra *extra;		/* or NULL */
	enum gsc_read status;
};

/* A part of a range with one status. */
struct stretch {
	uint64_t start, last;
	enum gsc_read status;
	const char *why;
	const uint8_t *data;		/* of GSC_READ_OK */
};

/* Bytes of a line of a range; stretches end where lines do, if possible. */
#define RANGE_ROW 32

/* Registers that steer reads of replicated ones, see steering.c. */
#define STEERINGS 8

struct steering {
	bool sought, present;		/* in the view, which is searched once */
	bool read;			/* a row is steered by it */
	struct gsc_reg selector;
	struct gsc_steering says;	/* to each of these rows */
};

struct gsc_rows {
	const struct gsc_selection *selection;
	struct gsc_selection *own;	/* the selection, if we must free it */
	struct gsc_source *source;	/* NULL: the values were given */
	bool careful;			/* a read has its effects, which are not wanted */
	bool gone;			/* no register in the dump is anything but all ones */
	span_vec hazards;		/* none unless careful */
	struct result *results;		/* one for each item, and one more that ends the last */
	size_t item;			/* requested last */
	struct stretch stretch;		/* likewise, of range stretch_item */
	size_t stretch_item;
	uint32_t gathered[1024];	/* its bytes, if they are not contiguous in the source */
	VEC(char *) notes;
	VEC(char *) whys;		/* of single rows */
	struct steering steering[STEERINGS];
};

/* Rows before anything is read. */
struct gsc_rows *rows_new(const struct gsc_selection *selection, struct gsc_source *source);

/*
 * What a dword is: a register of its size, else a part of a wider one, else the first of those
 * within it. The number of registers in the view: nothing is defined there.
 */
size_t dword_reg(const struct gsc_view *view, enum gsc_space space, uint64_t address);

/* ---- steering.c: which copy of a replicated register answered ------------------------------- */

void steering_read(struct gsc_rows *rows);
void steering_row(struct gsc_rows *rows, struct gsc_row *row);

/* ---- read.c --------------------------------------------------------------------------------- */

/* The item to which a row belongs. */
size_t rows_item(struct gsc_rows *rows, size_t row);

/* The stretch of a range that contains an address of it. */
const struct stretch *rows_stretch(struct gsc_rows *rows, size_t item, uint64_t address);

/* ---- diff.c --------------------------------------------------------------------------------- */

struct field_difference {
	const char *name;
	unsigned hi, lo;
	uint64_t a, b;
	const char *text_a, *text_b;	/* NULL if there is none; valid until the next call */
};

struct difference_iter {
	const struct gsc_difference *difference;
	uint64_t rest;			/* differing bits that no field has shown yet */
	struct gsc_field_iter a, b;
	struct gsc_field field_a, field_b;
	bool more_a, more_b, pass_a, pass_b;
};

/* The fields that differ, in the order of the definition. */
void difference_fields(const struct gsc_view *view, const struct gsc_difference *difference,
		       struct difference_iter *it);
bool difference_next(struct difference_iter *it, struct field_difference *field);

/* gsc_select() with GSC_SELECT_LISTED for two dumps that are compared; a NULL is left out. */
GSC_API enum gsc_status gsc_select_both(struct gsc_selection **selection, const struct gsc_gpu *a,
					const struct gsc_gpu *b, const char *const *selectors,
					size_t count, struct gsc_error *err);

/* The register that steers reads of another one; false: there is none. */
GSC_API bool gsc_reg_steering(const struct gsc_view *view, const struct gsc_reg *reg,
			      struct gsc_reg *selector);

/*
 * The accesses that gsc_rows_read() makes for registers behind an index or a doorbell, for display:
 * those of the first register of a selection that needs any, from number *item on, which then moves
 * past it. *plan is NULL if there are no more.
 */
GSC_API enum gsc_status gsc_read_plan_new(struct gsc_write_plan **plan,
					  const struct gsc_selection *selection, size_t *item,
					  struct gsc_error *err);
/* Why such a plan does not read a device that was not opened for writing. */
GSC_API const char *gsc_read_plan_why(const struct gsc_write_plan *plan);

/*
 * Rows with values given in words "REG=VALUE", REG a name or an address. Registers of one name that
 * share a definition, as those of the engines do, are one row.
 */
GSC_API enum gsc_status rows_given(struct gsc_rows **rows, const struct gsc_gpu *gpu,
				   const char *const *words, size_t count, struct gsc_error *err);

/* Why a row has no value, which may be in `buf`; NULL: it has one. */
#define ROW_WHY_MAX 256
GSC_API const char *gsc_row_why(const struct gsc_row *row, char *buf, size_t size);

/* How many rows have each status, and which is the first. */
struct gsc_tally {
	size_t total, count[GSC_READS], first[GSC_READS];
};

GSC_API void gsc_rows_tally(struct gsc_rows *rows, struct gsc_tally *tally);

#endif
