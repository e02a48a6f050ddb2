/* SPDX-License-Identifier: MIT */
/* Roots: where page tables begin, as registers, contexts, PASID tables and users say. */
#ifndef GSC_GTT_ROOT_H
#define GSC_GTT_ROOT_H

#include "db/words.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gsc_gpu;
struct gsc_source;

/* What a PASID entry and its context entry say about an advanced context. */
enum gsc_root_flag {
	GSC_ROOT_KNOWN = 1 << 0,		/* the other flags are known */
	GSC_ROOT_EXTENDED_ACCESS = 1 << 1,	/* EAFE: the EA bit of used entries is set */
	GSC_ROOT_WRITE_PROTECT = 1 << 2,	/* WPE */
	GSC_ROOT_NO_EXECUTE = 1 << 3,		/* NXE */
	GSC_ROOT_SUPERVISOR = 1 << 4,		/* SRE: supervisor requests are allowed */
};

/* Where a translation begins. */
struct gsc_root {
	enum gsc_mode mode;
	uint64_t value[4];		/* the numbers that `gpu-ptwalk --root` takes */
	unsigned count;
	unsigned flags;			/* enum gsc_root_flag */
	char engine[16];		/* whose it is: "rcs0", or "" */
	bool no_64k;			/* ia32e: FL64KPE is 0 in the PASID entry, IPS is ignored */
	char from[192];			/* where it was found: "rcs0 context 0x00021000", or "" */
};

/* VT-d second-level tables, which translate the addresses in all other tables. */
struct gsc_second_level {
	bool on;
	uint64_t root;
	unsigned levels;		/* 3, 4 or 5 */
};

/* Tables of tiled resources (TR-TT), which translate an address before the others do. */
struct gsc_tiled {
	bool on;
	uint64_t l3;			/* graphics address of the L3 table */
	uint32_t null, invalid;		/* the L1 entries that mean a null or invalid tile */
	bool has_null, has_invalid;
	bool physical;			/* TRTTE bit 1 is 0: the tables are guest-physical */
	uint32_t va;			/* TRVADR: mask 7:4, data 3:0, of address bits 47:44 */
	char from[64];			/* where they were found: "rcs0 TR-TT registers", or "" */
};

/* The control state of a command or surface: an index; before Gen9 the state itself. */
struct gsc_mocs {
	bool given;
	uint64_t index;
	const char *engine;		/* whose table; NULL: rcs0 */
};

/* The tables of a translation. All zero: only the GGTT. */
struct gsc_translation_options {
	struct gsc_root root;
	struct gsc_second_level vtd;
	struct gsc_tiled trtt;
	const struct gsc_gpu *before;	/* an earlier capture, for checks; NULL: there is none */
	struct gsc_mocs mocs;		/* with which pages are accessed */
};

/* The root in the registers of an engine; NULL: of the first engine that has one. */
GSC_API enum gsc_status gsc_root_engine(const struct gsc_gpu *gpu, const char *engine,
					struct gsc_root *root, struct gsc_error *err);
/* The bits of a context descriptor, or of CCID, that have the address of the image. */
#define GSC_LRCA UINT64_C(0xfffff000)
/*
 * The root in the image of a logical context. `descriptor` is the LRCA or a whole context
 * descriptor, whose lowest bits give the mode. If the value is from CCID, clear its lowest bits,
 * which mean something else there.
 */
GSC_API enum gsc_status gsc_root_context(const struct gsc_gpu *gpu, uint64_t descriptor,
					 struct gsc_root *root, struct gsc_error *err);
/* The address space of a process, by its name or number, in the memory of a machine. */
GSC_API enum gsc_status gsc_root_process(const struct gsc_gpu *gpu, const char *process,
					 struct gsc_root *root, struct gsc_error *err);
/* The root in the PASID tables of a function: bus << 8 | device << 3 | function. */
GSC_API enum gsc_status gsc_root_pasid(const struct gsc_gpu *gpu, uint64_t rtaddr,
				       unsigned function, uint32_t pasid,
				       struct gsc_translation_options *options,
				       struct gsc_error *err);
/* All roots in the source, without duplicates; free *roots with free(). */
GSC_API enum gsc_status gsc_roots(const struct gsc_gpu *gpu, struct gsc_root **roots, size_t *count,
				  struct gsc_error *err);
/* Tiled resources as the registers of an engine set them up; `on` is false if they are off. */
GSC_API void gsc_root_tiled(const struct gsc_gpu *gpu, const char *engine, struct gsc_tiled *tiled);

/* The tables of a function's domain, in a source with the text of the IOMMU's debug files. */
GSC_API enum gsc_status gsc_root_function(struct gsc_source *source, unsigned function,
					  struct gsc_root *root, struct gsc_error *err);
/* "0x…", or four of them with commas for pdp32: what --root takes. */
GSC_API enum gsc_status gsc_root_parse(enum gsc_mode mode, const char *text, struct gsc_root *root,
				       struct gsc_error *err);
/* A root of these values; `text` is what an error is about. */
enum gsc_status gsc_root_values(enum gsc_mode mode, const uint64_t *values, size_t count,
				const char *text, struct gsc_root *root, struct gsc_error *err);
/* What gsc_root_text() writes at most. */
#define ROOT_TEXT_MAX (4 * 20)
/* The same in the other direction, into buf; NULL if a mode has none. */
GSC_API const char *gsc_root_text(const struct gsc_root *root, char *buf, size_t size);

/* ---- which tables are meant ------------------------------------------------------------------ */

/* What somebody says about it: any may be missing, and the source then decides. */
struct gsc_choice {
	bool has_mode;
	enum gsc_mode mode;
	const struct gsc_root *root;	/* the values themselves */
	const char *engine;		/* by its registers */
	const char *process;		/* by what the driver knows of it */
	const uint64_t *context;	/* by the image of a context: LRCA or descriptor */
	const uint32_t *pasid;		/* by the PASID tables of a function */
	uint64_t rtaddr;
	unsigned function;
	uint64_t running;		/* descriptor of the context that runs at this moment */
	struct gsc_second_level second;
	struct gsc_tiled tiled;
	bool no_tiled;			/* not even those that registers name */
	bool tiled_place;		/* tiled.va was said */
};

/* The mode that a user can choose by this name. */
GSC_API enum gsc_status gsc_mode_parse(const char *text, enum gsc_mode *mode,
				       struct gsc_error *err);
/* Addresses of 32 bits and of the global table are never tiled resources. */
GSC_API bool gsc_mode_can_be_tiled(enum gsc_mode mode);
/* In one place: as was said, otherwise as the source says, otherwise in the global table. */
GSC_API enum gsc_status gsc_choose(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
				   struct gsc_translation_options *options, struct gsc_error *err);
/* Everywhere that the source says, the global table first; free *options with free(). */
GSC_API enum gsc_status gsc_choose_all(const struct gsc_gpu *gpu, const struct gsc_choice *choice,
				       struct gsc_translation_options **options, size_t *count,
				       struct gsc_error *err);
/* Why nothing in the tables of a mode can be checked; NULL if something may. */
GSC_API const char *gsc_tables_absence(struct gsc_source *source, enum gsc_mode mode);

#endif
