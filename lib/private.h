/* SPDX-License-Identifier: MIT */
/*
 * What our own commands use of the library besides gpuscope.h: words of command lines, what
 * gpu-db lists, what gpu-snap keeps. The library exports it as GPUSCOPE_PRIVATE, for commands of
 * the same version; it is not installed, and other programs should not use it.
 */
#ifndef GSC_PRIVATE_H
#define GSC_PRIVATE_H

#include "gpuscope.h"

/* ---- results ------------------------------------------------------------------------------ */

/* "0x1f", "31", "0b11", "16K", "1_000": the number form of the command line. */
GSC_API bool gsc_parse_number(const char *text, uint64_t *value);

/* ---- definitions -------------------------------------------------------------------------- */

/* Finds a space by the first `length` characters of a name; false if there is none. */
GSC_API bool gsc_space_by_name(const char *name, size_t length, enum gsc_space *space);

/*
 * Prefixes of addresses and names ("punit", "mmio-sr", "mchbar"), before a colon: each selects a
 * space and a way to reach it. NULL past the last.
 */
GSC_API const char *gsc_prefix_at(size_t i);

/* A property of platforms, as data/properties.def says; value 0: the platform does not have it. */
struct gsc_platform_property {
	const char *name;		/* "execlists" */
	const char *text;		/* what it means */
	unsigned value;
	const char *document, *section;
};

/* False after the last. */
GSC_API bool gsc_platform_property(const struct gsc_db *db, unsigned index, size_t i,
				   struct gsc_platform_property *property);

/* The other names of a platform, and all known PCI ids in order; NULL or false at the end. */
GSC_API const char *gsc_platform_alias(const struct gsc_db *db, unsigned index, size_t i);
GSC_API bool gsc_platform_id(const struct gsc_db *db, size_t i, uint16_t *device,
			     unsigned *platform, const char **text);

/* Whether this applies to a revision of a platform; -1: the latest. */
GSC_API bool gsc_revision_fits(const struct gsc_revisions *revisions, unsigned platform,
			       int revision);

/* What a name stands for: a definition, perhaps on some platforms or engines only. */
struct gsc_match {
	uint32_t def;
	uint64_t platforms;		/* a bit for each index */
	struct gsc_revisions revisions;
	unsigned engines;		/* a bit for each gsc_engine_class(); 0: all */
	int instance;			/* of the engine, or -1 */
};

/* The registers of a name or alias on any platform: how many, which may be more than `room`. */
GSC_API size_t gsc_db_find(const struct gsc_db *db, const char *name, struct gsc_match *matches,
			   size_t room);

/* The first register of a definition from register `i` on; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_next(const struct gsc_view *view, size_t i, uint32_t def);

/* A name as i915 writes it, as our definitions may spell it; "" if they cannot. */
struct gsc_spelling {
	char name[144];
	int index;			/* in an array, or -1 */
	uint64_t base;			/* of the engine that it is on, or 0 */
	bool family;			/* the beginning of the names of several */
};

/* Number i of the spellings; false after the last. A name that is known unchanged comes first. */
GSC_API bool gsc_name_spelling(const char *name, size_t i, struct gsc_spelling *spelling);

/* ---- definitions as such ------------------------------------------------------------------ */

/*
 * The bit of an engine's class, *instance being its number or -1: any; -1 if there is no such
 * engine. "vcs1" and, as users may write it, "bsd1".
 */
GSC_API int gsc_engine_parse(const char *text, int *instance);
GSC_API const char *gsc_engine_title(const char *engine);	/* "render engine" of "rcs0" */

/* The name of a register in drivers' dumps, which is not its name elsewhere. */
struct gsc_print {
	const char *key;		/* "IER", "GTIER[3]", "Pipe A CONF" */
	uint64_t platforms;
	struct gsc_revisions revisions;
	bool placed;			/* the drivers read this place; else that of the register */
	bool relative;			/* to the MMIO base of each engine */
	uint64_t offset;
};

/* Number i of a register; false after the last. */
GSC_API bool gsc_item_print(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			    struct gsc_print *print);

/* Where a page-table entry leads, if it is valid: the first whose condition is true counts. */
struct gsc_lead {
	const char *field;		/* only if this field has that value; NULL: always */
	uint64_t value;
	uint64_t page_size;		/* bytes, or 0: to a table */
	const char *level;		/* of the table; of a page: that then reads it, or NULL */
};

GSC_API bool gsc_item_lead(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			   struct gsc_lead *lead);

/* A documented length of a command, in dwords, and where. */
struct gsc_lengths {
	unsigned lo, hi;
	uint64_t platforms;
	struct gsc_revisions revisions;
};

GSC_API bool gsc_item_length(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			     struct gsc_lengths *lengths);

/* Why an access to a register is not harmless, and where. */
struct gsc_hazard {
	unsigned flag;			/* one of GSC_REG_HAZARD_* */
	const char *why;
	uint64_t bits;			/* bits that a write must be meant for; 0: any */
	uint64_t platforms;
	struct gsc_revisions revisions;
};

GSC_API bool gsc_item_hazard(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			     struct gsc_hazard *hazard);

/* Structure number `i` that bits of an instruction may follow: "EU_SOURCE0"; NULL past the last. */
GSC_API const char *gsc_instruction_part(const struct gsc_item *item, size_t i);

/* The names of the steppings of a platform, with their PCI revision; NULL past the last. */
GSC_API const char *gsc_platform_stepping(const struct gsc_db *db, unsigned platform, size_t i,
					  unsigned *revision);

/* "; did you mean A, B or C?": the nearest of the names that `next` gives until NULL, or "". */
GSC_API const char *gsc_names_near(const char *name, const char *(*next)(void *context),
				   void *context, char *buf, size_t size);
/* GSC_UNKNOWN, with the nearest of the names that `next` gives one by one until NULL. */
GSC_API enum gsc_status gsc_name_unknown(const char *name, const char *(*next)(void *context),
					 void *context, struct gsc_error *err);

/* Something wrong with a file of definitions. */
struct gsc_finding {
	const char *file;		/* "" if it concerns no single file */
	unsigned line, column;
	const char *rule;		/* "syntax", "address", "field-overlap", ... */
	const char *text;		/* what is there, and what was expected */
	const char *source;		/* the line, or NULL */
};

/*
 * Everything wrong with definition files that are used beside the built-in ones. Read with
 * gsc_finding_at() until NULL.
 */
struct gsc_findings;
GSC_API enum gsc_status gsc_check_files(struct gsc_findings **findings, const struct gsc_db *db,
					const char *const *paths, size_t count,
					struct gsc_error *err);
GSC_API const struct gsc_finding *gsc_finding_at(const struct gsc_findings *findings, size_t i);
/* How many definitions of a kind one of the files has. */
GSC_API size_t gsc_findings_items(const struct gsc_findings *findings, const char *path,
				  enum gsc_kind kind);
GSC_API void gsc_findings_free(struct gsc_findings *findings);

/* ---- sources ------------------------------------------------------------------------------ */

enum gsc_spec_kind {
	GSC_SPEC_FILE,
	GSC_SPEC_DEVICE,
	GSC_SPEC_HANG,			/* stored by gpu-collect: *path is its folder */
	GSC_SPEC_OTHER,			/* built in, standard input, nothing */
};

/* Where gpu-collect stores hangs; "hang:" is the last of them. */
#define GSC_HANGS "/var/lib/gpuscope"

/*
 * What the name of a source stands for. *path: its file, to be freed; NULL: none, or memory is out.
 */
GSC_API enum gsc_spec_kind gsc_spec_kind(const char *spec, char **path);

/* Libraries that are loaded when needed. */
enum gsc_libraries {
	GSC_LIBRARY_ZLIB = 1 << 0,
	GSC_LIBRARY_ZSTD = 1 << 1,
	GSC_LIBRARIES_DEVICE = 1 << 2,	/* libpciaccess, libdrm */
};

/*
 * Those that unpacking a file may need, by its bytes: the first 512 for an image, otherwise all of
 * them. The bytes are compared, nothing in them is followed.
 */
GSC_API unsigned gsc_libraries_wanted(const void *data, size_t size);
/* Loads them now, for a program that gives up opening files. A missing one is reported later. */
GSC_API void gsc_load_libraries(unsigned libraries);
/* An open file without a name in TMPDIR or /tmp; or -1, and errno. */
GSC_API int gsc_temporary(void);

/* The upper half of a register of 32 bits, if it is a register of its own: of ACTHD, ACTHD_UDW. */
GSC_API bool gsc_gpu_upper(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
			   struct gsc_reg *upper);

/* The platform that the source itself names, whatever the options say. */
GSC_API int gsc_source_told(const struct gsc_source *source);
/* A request of forcewake was left set by a process that does not run any more; NULL: none. */
GSC_API const struct gsc_error *gsc_source_left_awake(const struct gsc_source *source);
/* GSC_GONE and why, if a device of it is gone. */
GSC_API enum gsc_status gsc_source_there(struct gsc_source *source, struct gsc_error *err);

/*
 * What a file is by its content, as gsc_source_open() finds it; GSC_SOURCE_NONE: nothing known.
 * Compressed files are unpacked, pipes are not read. *sure: more than a guess from lines of two
 * numbers.
 */
GSC_API enum gsc_source_form gsc_file_form(const char *path, bool *sure);

/* How many lines gsc_source_note() has. */
GSC_API size_t gsc_source_note_count(const struct gsc_source *source);

/*
 * The status of an operation that depends on this read: GSC_DENIED; GSC_GONE for asleep or all
 * ones; else GSC_UNKNOWN. GSC_OK for a read that gave a value.
 */
GSC_API enum gsc_status gsc_read_status(enum gsc_read status);

/* What part number `part` of a source consists of: its pieces, sorted and disjoint. */
struct gsc_piece {
	enum gsc_space space;
	enum gsc_read status;		/* other than GSC_READ_OK: it has no bytes */
	uint64_t start, length;
};

GSC_API bool gsc_source_piece(const struct gsc_source *source, size_t part, size_t i,
			      struct gsc_piece *piece);

/* Values of a driver's dump whose register has no known address: they become its properties. */
GSC_API size_t gsc_source_unplaced(const struct gsc_source *source);

/* ---- a GPU ---------------------------------------------------------------------------------- */

/* GSC_USAGE, and why a PCI device id, or -1, does not give the platform. */
GSC_API enum gsc_status gsc_platform_unknown(const struct gsc_db *db, int device,
					     struct gsc_error *err);

/* ---- saving ------------------------------------------------------------------------------- */

/* What GSC_PACK_BEST is on this machine. */
GSC_API enum gsc_packing gsc_packing_best(void);

/* The built-in captures. */
struct gsc_demo { const char *name, *title; };

GSC_API bool gsc_demo_at(size_t i, struct gsc_demo *demo);

/* ---- devices ------------------------------------------------------------------------------ */

/* "none", "integrity", "confidentiality", or "" if unknown. */
GSC_API void gsc_lockdown(char *buf, size_t size);

/* ---- selecting and reading registers ------------------------------------------------------ */

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
GSC_API enum gsc_status gsc_rows_given(struct gsc_rows **rows, const struct gsc_gpu *gpu,
				       const char *const *words, size_t count,
				       struct gsc_error *err);

/* How many rows have each status, and which is the first. */
struct gsc_tally {
	size_t total, count[GSC_READS], first[GSC_READS];
};

GSC_API void gsc_rows_tally(struct gsc_rows *rows, struct gsc_tally *tally);

/* ---- page tables -------------------------------------------------------------------------- */

/* gsc_entry_decode() for many entries; the reader must outlive them. */
GSC_API enum gsc_status gsc_entry_reader_new(struct gsc_entry_reader **reader,
					     const struct gsc_view *view, struct gsc_error *err);
GSC_API void gsc_entry_reader_free(struct gsc_entry_reader *reader);
GSC_API enum gsc_status gsc_entry_read(struct gsc_entry_reader *reader, enum gsc_mode mode,
				       const char *level, const uint32_t *words, size_t count,
				       struct gsc_entry *entry, struct gsc_error *err);

/*
 * Facts about the entries of a level that none of their bits shows: sizes of the TLBs that hold
 * them, when these forget, rules for the caches. Number i; false after the last.
 */
struct gsc_fact {
	const char *text;
	const char *document, *section;	/* origin */
};

GSC_API bool gsc_fact(const struct gsc_view *view, enum gsc_mode mode, const char *level, size_t i,
		      struct gsc_fact *fact);

/* "refused"; "unknown", if the source lacks what would say; else "not mapped". */
GSC_API const char *gsc_stop_outcome(enum gsc_stop stop);

/* "linear", "scattered", ... */
GSC_API const char *gsc_mapping_word(enum gsc_mapping_kind kind);

/*
 * What breaks a rule in the tables, which rule could not be checked, and what is worth a note.
 * `shared` keeps what the checks of several roots of one source and view have in common: NULL at
 * first; free it at the end.
 */
struct gsc_global_ranges;
GSC_API void gsc_global_ranges_free(struct gsc_global_ranges *shared);
GSC_API enum gsc_status gsc_check_tables(struct gsc_translation *translation,
					 struct gsc_global_ranges **shared, gsc_breach_fn *each,
					 void *context, struct gsc_error *err);

/* "0x…", or four of them with commas for pdp32: what --root takes. */
GSC_API enum gsc_status gsc_root_parse(enum gsc_mode mode, const char *text, struct gsc_root *root,
				       struct gsc_error *err);
/* The same in the other direction, into buf; NULL if a mode has none. */
GSC_API const char *gsc_root_text(const struct gsc_root *root, char *buf, size_t size);
/* The tables of a function's domain, in a source with the text of the IOMMU's debug files. */
GSC_API enum gsc_status gsc_root_function(struct gsc_source *source, unsigned function,
					  struct gsc_root *root, struct gsc_error *err);

/* ---- following commands --------------------------------------------------------------------- */

/*
 * Follows all dwords in the options, one stretch after the other, except those that an earlier one
 * has started as a batch.
 */
GSC_API enum gsc_status gsc_follow_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
					const struct gsc_follow_options *options,
					const struct gsc_listener *listener,
					struct gsc_error *err);
/*
 * The program at an address, in a per-process space or the global one. The caller frees its bytes.
 * If there are none, the kernel has the reason.
 */
GSC_API enum gsc_status gsc_kernel_read(struct gsc_kernel *kernel, const struct gsc_gpu *gpu,
					const char *engine, bool process, uint64_t address,
					struct gsc_error *err);
/* A graphics address without its sign: bits 63:48 of a sign-extended one carry no information. */
GSC_API uint64_t gsc_plain_address(uint64_t address);

/* ---- what went wrong ------------------------------------------------------------------------ */

/* Whether the source holds error registers; if not, the absence of errors proves nothing. */
GSC_API bool gsc_hang_tells_errors(const struct gsc_hang *hang);

/*
 * How many reads of registers gave a value, were absent, asleep, ... If some sleep, a value counts
 * only if its register could sleep, too.
 */
GSC_API size_t gsc_hang_reads(const struct gsc_hang *hang, enum gsc_read status);
/* The set to which the commands of its engines belong. */
GSC_API struct gsc_commands *gsc_hang_commands(const struct gsc_hang *hang);

/* Seconds since the time in a driver's dump; -1: it has no time. */
GSC_API int64_t gsc_source_age(const struct gsc_source *source, int64_t now);

/*
 * The code that i915 gives a hang, "9:1:85dffffb": INSTDONE xor IPEHR of the engine. Neither of the
 * two can be computed from it, but few commands leave a possible INSTDONE.
 */
struct gsc_ecode {
	bool has_generation, has_code;
	bool no_engine;			/* it says that no engine was found hung */
	unsigned generation;
	uint32_t code;
	unsigned classes;		/* possible classes: a bit for each gsc_engine_class() */
	char engine[16];		/* "rcs0", "rcs"; "" if unknown */
	char process[64];		/* "Xorg [1981]", or "" */
	uint64_t platforms;		/* possible platforms: a bit for each index */
};

/*
 * The platforms, a bit each, that a source with a driver's dump can be of if nothing names its
 * platform, and why: "GuC firmware i915/tgl_guc_70.bin". 0: nothing shows it.
 */
GSC_API uint64_t gsc_source_platforms(const struct gsc_source *source, char *why, size_t size);

#define GSC_ECODE_GUESSES 6

struct gsc_ecode_guess {
	const char *command;		/* NULL: no command, a header of all ones */
	uint32_t header, instdone;	/* their xor is the code */
	char busy[128];			/* units that are not done then: "CS, VFE" */
};

/*
 * The first code in a text, and where the text after it begins; the text may be just a code, or
 * lines of a log. A view limits the platforms to its own. False: there is none.
 */
GSC_API bool gsc_ecode_read(const struct gsc_db *db, const struct gsc_view *view, const char *text,
			    size_t size, struct gsc_ecode *ecode, size_t *next);
/* The commands that fit, the best first; 0: none does, or too many do. */
GSC_API size_t gsc_ecode_guess(const struct gsc_db *db, const struct gsc_ecode *ecode,
			       struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES]);
/* What the code says, in words. */
GSC_API void gsc_ecode_text(const struct gsc_db *db, const struct gsc_ecode *ecode, char *buf,
			    size_t size);

/* What makes an event doubtful; false: nothing. */
GSC_API bool gsc_story_doubt(struct gsc_story *story, const struct gsc_event *event,
			     struct gsc_breach *breach);

/* ---- tiled surfaces ----------------------------------------------------------------------- */

/* By a name from gsc_swizzle_name(). */
GSC_API bool gsc_swizzle_by_name(const char *name, uint32_t *swizzle);

/* What sampling returns, by whether the tiles of a surface and of its auxiliary one are mapped. */
struct gsc_aux_response {
	const char *aux;		/* "hiz", "ccs", "mcs" */
	bool surface, auxiliary;	/* mapped */
	const char *response, *text;	/* "normal", "null", "undefined"; why */
	const char *document, *section;
};

GSC_API bool gsc_aux_response_at(size_t i, struct gsc_aux_response *response);

/* A word for 8 of `depth`, 4 of `tile_mode`: "32 bits", "y"; NULL: reserved. */
GSC_API const char *gsc_aux_depth_word(unsigned depth);
GSC_API const char *gsc_aux_tile_mode_word(unsigned tile_mode);

/* How colours are arranged in an element. */
struct gsc_pixel_format {
	const char *name;		/* "B8G8R8A8", as surface formats begin */
	unsigned bits;
	struct gsc_channel {
		unsigned char lo, bits;	/* 0 bits: there is none */
	} red, green, blue, alpha;
};

GSC_API const struct gsc_pixel_format *gsc_pixel_format_at(size_t i);	/* NULL past the last */
/* "B8G8R8A8_UNORM_SRGB", "r8": in any case, with or without what follows the bits. */
GSC_API const struct gsc_pixel_format *gsc_pixel_format_by_name(const char *name);

#endif
