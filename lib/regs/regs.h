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
#include "source/way.h"
#include "util/util.h"

/* A set of registers and ranges, in the order of the selectors. */
struct gsc_selection;

/* How selectors are interpreted. */
enum gsc_select_flag {
	GSC_SELECT_DEFINED = 1 << 0,	/* addresses and ranges mean what is defined there */
	GSC_SELECT_LISTED = 1 << 1,	/* also values in the source that no register covers */
};

/*
 * Selects registers, in the order of the selectors and each once: NAME, a glob, NAME[3], rcs0.NAME,
 * NAME:FIELD, @GROUP, 0xADDR, 0xA-0xB (inclusive), 0xA+LEN (bytes), PREFIX:NAME, PREFIX:0xADDR.
 * Without selectors: every register, group by group, then values that no register covers. The GPU
 * must outlive the selection.
 */
GSC_API enum gsc_status gsc_select(struct gsc_selection **selection, const struct gsc_gpu *gpu,
				   unsigned flags, const char *const *selectors, size_t count,
				   struct gsc_error *err);
GSC_API void gsc_selection_free(struct gsc_selection *selection);

/* gsc_select() with GSC_SELECT_LISTED for two dumps that are compared; a NULL is left out. */
GSC_API enum gsc_status gsc_select_both(struct gsc_selection **selection, const struct gsc_gpu *a,
					const struct gsc_gpu *b, const char *const *selectors,
					size_t count, struct gsc_error *err);

/* ---- rows ----------------------------------------------------------------------------------- */

/* Which copy of a replicated register a read returns. */
struct gsc_steering {
	const char *selector;		/* the register that steers reads, or NULL */
	bool known;			/* the source holds the selector */
	unsigned group, instance;
	bool slices;			/* group and instance are slice and subslice */
};

/* A register as it was read, or one dword of a range. */
struct gsc_row {
	struct gsc_reg reg;		/* name NULL: nothing is defined there */
	const char *dump_name;		/* name in the dump, if nothing is defined; or NULL */
	bool raw;			/* a dword of a range, at reg.offset, not decoded */
	bool part;			/* only bits part_hi to part_lo of a wider register */
	unsigned part_hi, part_lo;
	enum gsc_read status;
	uint64_t value;			/* 0 unless status is GSC_READ_OK */
	const char *why;		/* why it was skipped or is asleep, or NULL */
	const char *const *fields;	/* those selected by NAME:FIELD */
	size_t field_count;		/* 0: all fields */
	const uint32_t *also;		/* numbers of other registers that the value is for */
	size_t also_count;
	struct gsc_steering steering;
};

/* How rows are read. Options that are all zero are the defaults. */
struct gsc_rows_options {
	bool unsafe;			/* also what has side effects or may hang */
	bool keep;			/* copy the values; later reads do not change them */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* The result of reading a selection. */
struct gsc_rows;

/*
 * Reads the registers of a selection from a GPU of its platform; with gpu NULL the rows have
 * definitions only. Selection and GPU must outlive the rows.
 *
 * To read some registers of a device, an index or a doorbell has to be written first. If the source
 * was opened without `write`, such registers are GSC_READ_SKIPPED when a pattern or a group selects
 * them. If such a register is named, or the selection has no other registers, the result is
 * GSC_USAGE and nothing is read. Without selectors they are always GSC_READ_ABSENT, and so are I/O
 * ports.
 */
GSC_API enum gsc_status gsc_rows_read(struct gsc_rows **rows, const struct gsc_selection *selection,
				      const struct gsc_gpu *gpu,
				      const struct gsc_rows_options *options,
				      struct gsc_error *err);

/*
 * Makes rows from pasted lines: "NAME (0xADDR): 0xVALUE", "0xADDR: 0xVALUE", names and values with
 * ":", "=" or a blank between them, after any other text, "reg 0xADDR, val 0xVALUE", lines of an
 * i915 error state. Prose is ignored. An unknown name becomes a note; the last note is the number
 * of other lines with a value.
 */
GSC_API enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_gpu *gpu,
					const char *text, size_t size, struct gsc_error *err);
GSC_API void gsc_rows_free(struct gsc_rows *rows);
/*
 * Rows with values given in words "REG=VALUE", REG a name or an address. Registers of one name that
 * share a definition, as those of the engines do, are one row.
 */
GSC_API enum gsc_status rows_given(struct gsc_rows **rows, const struct gsc_gpu *gpu,
				   const char *const *words, size_t count, struct gsc_error *err);

/* The number of rows, and row number `i`. */
GSC_API size_t gsc_rows_count(const struct gsc_rows *rows);
GSC_API void gsc_rows_at(struct gsc_rows *rows, size_t i, struct gsc_row *row);
/* Note number `i` about the pasted lines; NULL past the last. */
GSC_API const char *gsc_rows_note(const struct gsc_rows *rows, size_t i);
/* Why a row has no value, which may be in `buf`; NULL: it has one. */
#define ROW_WHY_MAX 256
GSC_API const char *gsc_row_why(const struct gsc_row *row, char *buf, size_t size);

/* How many rows have each status, and which is the first. */
struct gsc_tally {
	size_t total, count[GSC_READS], first[GSC_READS];
};

GSC_API void gsc_rows_tally(struct gsc_rows *rows, struct gsc_tally *tally);

/* The register that steers reads of another one; false: there is none. */
GSC_API bool gsc_reg_steering(const struct gsc_view *view, const struct gsc_reg *reg,
			      struct gsc_reg *selector);

/* ---- differences ---------------------------------------------------------------------------- */

/* The differences between two readings of a selection. NULL means the documented reset values. */
struct gsc_diff;
GSC_API enum gsc_status gsc_diff_new(struct gsc_diff **diff, struct gsc_rows *a,
				     struct gsc_rows *b, struct gsc_error *err);
GSC_API void gsc_diff_free(struct gsc_diff *diff);

/* A register that differs, or has a value in only one of the readings. */
struct gsc_difference {
	struct gsc_row a, b;
	uint64_t bits;
};

/* The number of differences, and number `i`, in the order of the selection. */
GSC_API size_t gsc_diff_count(const struct gsc_diff *diff);
GSC_API void gsc_diff_at(struct gsc_diff *diff, size_t i, struct gsc_difference *difference);

/* ---- the form of one SELECTOR ---------------------------------------------------------------- */

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

/* ---- the inside of a selection --------------------------------------------------------------- */

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

/* ---- the inside of rows ---------------------------------------------------------------------- */

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

/* ---- which copy of a replicated register answered -------------------------------------------- */

void steering_read(struct gsc_rows *rows);
void steering_row(struct gsc_rows *rows, struct gsc_row *row);

/* ---- items and stretches of rows ------------------------------------------------------------- */

/* The item to which a row belongs. */
size_t rows_item(struct gsc_rows *rows, size_t row);

/* The stretch of a range that contains an address of it. */
const struct stretch *rows_stretch(struct gsc_rows *rows, size_t item, uint64_t address);

/* ---- fields that differ ---------------------------------------------------------------------- */

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

#endif
