/* SPDX-License-Identifier: MIT */
/*
 * libgpuscope: decode the registers and memory structures of Intel GPUs, live or from a dump.
 *
 * A struct gsc_gpu is a GPU as a source shows it: the source (where bytes come from), the
 * definitions (what bits mean), the platform, and the view (the definitions as that platform sees
 * them). A program begins with gsc_gpu_open() and ends with gsc_gpu_close(). In between,
 * gsc_gpu_find() finds a register, gsc_gpu_read() reads it and gsc_gpu_field() takes a field of the
 * value. Everything else is made from a GPU or from its parts.
 *
 * Errors: a function that can fail returns enum gsc_status and fills a struct gsc_error, unless
 * `err` is NULL. The library never prints and never exits.
 *
 * Objects: a structure without members is opaque. The function that makes one stores it through its
 * first argument, and stores NULL if it fails. The function with the same name and _free or _close
 * frees it, and does nothing with NULL. An object must outlive what was made from it. Nothing else
 * is to be freed, except where free() is mentioned. Strings in structures live as long as the
 * definitions, unless a comment says otherwise.
 *
 * Lists: the caller loops. A function with an index `i` that returns bool or a pointer gives item
 * `i`, from 0, and false or NULL past the last:
 * for (i = 0; gsc_hang_fault(hang, i, &fault); i++). A function named _next gives the item after
 * the one that it gave last, and false at the end. A short list that is made at one go is an array
 * with its count, to be freed with free().
 *
 * Walks: what comes of going through tables and commands, which lead to one another, is given to a
 * function of the caller, one item a call and in order: bool fn(void *context, const struct ITEM
 * *item). The walk ends when that returns false.
 *
 * Texts: a function with `buf` and `size` writes a text that always ends with a NUL, truncated if
 * it does not fit. Where one without an index returns false, the text says why.
 *
 * Structures with members are the caller's. Their layout is fixed: libraries of one soname agree on
 * it. In options zero is the default, and a pointer to options may be NULL. A set of platforms is
 * a number with a bit for each index.
 *
 * Threads: there is no global state. An object, and what was made from it, is for one thread at a
 * time.
 */
#ifndef GPUSCOPE_H
#define GPUSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GSC_API __attribute__((visibility("default")))

/* ---- results ------------------------------------------------------------------------------ */

/* What every function returns that can fail. */
enum gsc_status {
	GSC_OK = 0,
	GSC_FAILED = 1,		/* cannot open, not recognised, damaged beyond use, no GPU */
	GSC_USAGE = 2,		/* the request makes no sense */
	GSC_UNKNOWN = 3,	/* a name nobody knows, an address nothing holds */
	GSC_DENIED = 4,		/* the kernel refused */
	GSC_GONE = 5,		/* device asleep, suspended or removed */
	GSC_PARTIAL = 6,	/* done, but not all of it */
};

/* What went wrong: `what` and `why` together make a line of text. */
struct gsc_error {
	enum gsc_status status;
	char what[256];		/* the thing: a file, an option, an address */
	char why[512];		/* the reason, and the way out where there is one */
};

/* The version of the library that runs: "1.0.0". */
GSC_API const char *gsc_version(void);

/* ---- definitions -------------------------------------------------------------------------- */

/* Definitions: what bits mean, on every platform. Views are made from them. */
struct gsc_db;

/* Makes the built-in definitions. */
GSC_API enum gsc_status gsc_db_new(struct gsc_db **db, struct gsc_error *err);
GSC_API void gsc_db_free(struct gsc_db *db);

/*
 * Adds a file of definitions in the language of gpuscope-def(5). It is searched before the built-in
 * definitions, and after those files that were added earlier. Add files before making views.
 */
GSC_API enum gsc_status gsc_db_add_file(struct gsc_db *db, const char *path, struct gsc_error *err);

/* An address space. */
enum gsc_space {
	GSC_MMIO,		/* the register part of the register BAR */
	GSC_CONFIG,		/* PCI configuration space */
	GSC_IO,			/* I/O ports; below 0x3b0 places in the I/O BAR */
	GSC_VGA_SR, GSC_VGA_GR, GSC_VGA_AR, GSC_VGA_CR,	/* VGA registers behind an index port */
	GSC_SIDEBAND,		/* IOSF port << 16 | register: each number is one of 32 bits */
	GSC_GGTT,		/* bytes of the GGTT entry array */
	GSC_PHYS,		/* physical memory */
	GSC_LMEM,		/* device-local memory */
	GSC_GTTMEM,		/* memory named by its graphics (GGTT) address */
	GSC_PPGTTMEM,		/* memory named by its per-process graphics address */
	GSC_STOLEN,		/* offsets in stolen memory whose base is unknown */
	GSC_SPACES
};

/* "mmio", "config", "phys", ...: the words that selectors and dumps have. */
GSC_API const char *gsc_space_name(enum gsc_space space);

/* What kind of GPU a platform is. */
enum gsc_platform_flag {
	GSC_PLATFORM_ATOM = 1 << 0,
	GSC_PLATFORM_DISCRETE = 1 << 1,
	GSC_PLATFORM_LMEM = 1 << 2,
};

/* A platform. Its index counts the platforms in order of age. */
struct gsc_platform {
	unsigned index;
	const char *name;		/* "skl" */
	const char *title;		/* "Skylake" */
	unsigned graphics, media, display;	/* IP version * 100: 1270 is 12.70 */
	unsigned flags;
	uint64_t bar_size, register_bytes, ggtt_offset;	/* of BAR0 */
	unsigned ggtt_bar;		/* not 0: it is all GGTT; ggtt_offset is bar_size */
	uint64_t ggtt_max;		/* largest GGTT, bytes */
	unsigned ggtt_entry;		/* bytes of one GGTT entry */
	unsigned address_bits;		/* of a physical address */
	unsigned virtual_bits;		/* of a graphics address; above them is its sign */
	unsigned fences;
	const struct b_property *properties;	/* the library's own */
};

/* How many platforms there are, and platform number `index`; false past the last. */
GSC_API unsigned gsc_platform_count(const struct gsc_db *db);
GSC_API bool gsc_platform_at(const struct gsc_db *db, unsigned index, struct gsc_platform *p);
/* The platform of a PCI device id; *text becomes the name that the device is sold by. */
GSC_API bool gsc_platform_by_id(const struct gsc_db *db, uint16_t device, struct gsc_platform *p,
				const char **text);

/* A platform by its name, an alias or a PCI device id. *device is that id, or -1 for a name. */
GSC_API enum gsc_status gsc_platform_find(const struct gsc_db *db, const char *name,
					  struct gsc_platform *p, int *device,
					  struct gsc_error *err);

/* How software may access a register or a field. */
enum gsc_access {
	GSC_RO = 1 << 0, GSC_RW = 1 << 1, GSC_WO = 1 << 2, GSC_W1C = 1 << 3,
	GSC_RC = 1 << 4,		/* a read clears */
	GSC_MASKED = 1 << 5,		/* bits 31:16 enable writes of 15:0 */
	GSC_STICKY = 1 << 6,		/* latches the first event */
};

/* The word for one bit: "ro", "w1c", "masked", ... */
GSC_API const char *gsc_access_word(enum gsc_access bit);

/* What else is known about a register. */
enum gsc_reg_flag {
	GSC_REG_VOLATILE = 1 << 0,	/* it counts or moves by itself */
	GSC_REG_MULTICAST = 1 << 1,	/* it is replicated: a read needs steering */
	GSC_REG_HAZARD_READ = 1 << 2,	/* reading changes something */
	GSC_REG_HAZARD_HANG = 1 << 3,	/* the access may hang */
	GSC_REG_HAZARD_WRITE = 1 << 4,	/* writing does more than write */
	GSC_REG_HAS_RESET = 1 << 5,
	GSC_REG_USER = 1 << 6,		/* from a file of the user */
};

/* The definitions as one platform sees them: its registers, at their places. */
struct gsc_view;

/* One register of a platform, at its place. Strings live as long as the definitions. */
struct gsc_reg {
	const char *name;		/* without engine and index: "RING_HEAD" */
	const char *engine;		/* "rcs0", or NULL */
	unsigned engine_class, engine_instance;
	int index;			/* in its array, or -1 */
	enum gsc_space space;
	uint64_t offset;
	unsigned bits;			/* 8, 16, 32 or 64 */
	unsigned access;		/* enum gsc_access */
	unsigned flags;			/* enum gsc_reg_flag */
	uint64_t reset, reset_mask;
	const char *hazard;		/* why an access is not harmless, or NULL */
	const char *wake;		/* forcewake domains, by commas, or NULL */
	const char *group, *group_title;
	const char *doc;
	const char *document, *section;	/* origin: the document's key, a place in it */
	const char *file;
	unsigned line;
	uint32_t def;			/* the definition, the same for all its instances */
};

/*
 * Makes the view of a platform in a PCI revision; revision -1 is the latest one. The definitions
 * have to outlive it.
 */
GSC_API enum gsc_status gsc_view_new(struct gsc_view **view, const struct gsc_db *db,
				     unsigned platform, int revision, struct gsc_error *err);
GSC_API void gsc_view_free(struct gsc_view *view);
GSC_API unsigned gsc_view_platform(const struct gsc_view *view);

/* The platforms where something is there in some PCI revisions only, and these. */
struct gsc_revisions {
	uint64_t platforms;		/* a bit for each index */
	unsigned lo, hi;
};

/*
 * Whether something that is on these platforms, in some revisions of some of them only, is in the
 * view.
 */
GSC_API bool gsc_view_sees(const struct gsc_view *view, uint64_t platforms,
			   const struct gsc_revisions *revisions);

/* How many registers the view has, and register number `i`, in order of space and offset. */
GSC_API size_t gsc_view_count(const struct gsc_view *view);
GSC_API void gsc_view_reg(const struct gsc_view *view, size_t i, struct gsc_reg *reg);

/* The number of the first register at or after an address; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_seek(const struct gsc_view *view, enum gsc_space space, uint64_t offset);

/*
 * Writes the name with engine and index, "rcs0.NAME[3]", or the address where no register is
 * defined, and returns its length.
 */
GSC_API size_t gsc_reg_full_name(const struct gsc_reg *reg, char *buf, size_t size);

/*
 * Other name number `i` of a register, as far as it holds on this platform and engine; NULL past
 * the last.
 */
GSC_API const char *gsc_reg_alias(const struct gsc_view *view, const struct gsc_reg *reg, size_t i);

/* An address range with something to know about it: hazards, aliases, null ranges. */
struct gsc_range {
	uint64_t start, last;
	const char *kind;		/* "hang", "read", "alias", "null", "reserved" */
	const char *why;
	const char *document, *section;
};

/* What is known about an address, whether or not a register is there; false: nothing. */
GSC_API bool gsc_view_range(const struct gsc_view *view, uint64_t offset, struct gsc_range *range);

/* ---- fields ------------------------------------------------------------------------------- */

/* What a field is, besides a number. */
enum gsc_field_flag {
	GSC_FIELD_MBZ = 1 << 0,
	GSC_FIELD_MBO = 1 << 1,
	GSC_FIELD_IGNORED = 1 << 2,	/* the hardware does not look at it */
	GSC_FIELD_OVERLAY = 1 << 3,	/* another reading of bits that have one */
};

/* A field of a register, command, structure or page-table entry. */
struct gsc_field {
	const char *name, *doc;
	unsigned dword, hi, lo;		/* bits count from the start of that dword */
	unsigned access;		/* 0: that of the register */
	unsigned flags;
	uint64_t platforms;		/* those that have this field */
	struct gsc_revisions revisions;
	uint64_t value;			/* raw, right-justified */
	const char *text;		/* its meaning, or NULL; lives until the next call */
	const char *problem;		/* why the value is not allowed, or NULL */
};

/* The place in a list of fields. Its members are for the library alone. */
struct gsc_field_iter {
	const struct gsc_view *view;
	const void *blob;
	uint32_t next, end;
	unsigned bits;
	const uint32_t *words;
	size_t count;
	uint64_t value;
	uint32_t first;
	char text[128];
};

/*
 * Begins to decode a value of a register. gsc_field_next() gives one field a call, highest bits
 * first, and false past the last. The text of a field is valid until the next call.
 */
GSC_API void gsc_reg_fields(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
			    struct gsc_field_iter *it);
GSC_API bool gsc_field_next(struct gsc_field_iter *it, struct gsc_field *field);

/* One documented value, or range of values, of the field last given; false past the last. */
struct gsc_value {
	uint64_t lo, hi;
	const char *name, *doc;
};

/* Documented value number `i` of the field that gsc_field_next() gave last; false past the last. */
GSC_API bool gsc_field_value(const struct gsc_field_iter *it, size_t i, struct gsc_value *value);

/* ---- definitions as such ------------------------------------------------------------------ */

/*
 * What a definition is of. Definitions as such, whatever platform they are for, are there for
 * browsing and exporting.
 */
enum gsc_kind { GSC_REGISTER, GSC_COMMAND, GSC_STRUCTURE, GSC_ENTRY };

/* A definition: what all kinds have, and what some of them have. */
struct gsc_item {
	enum gsc_kind kind;
	uint32_t def;			/* the number that gsc_reg.def has */
	const char *name, *doc;
	const char *group, *group_title;	/* registers only, or NULL */
	const char *document, *section;	/* origin, or NULL */
	const char *file;
	unsigned line;
	uint64_t platforms;		/* a bit for each index */
	struct gsc_revisions revisions;
	unsigned bits;			/* width of a register, structure or entry */
	unsigned access;		/* registers only: enum gsc_access */
	unsigned flags;			/* enum gsc_reg_flag; other kinds: GSC_REG_USER only */
	uint64_t reset, reset_mask;
	unsigned engines;		/* commands: a bit for each gsc_engine_class() */
	uint32_t mask, value;		/* commands: what dword 0 has */
	int length_hi, length_lo;	/* commands: bits of the length field; -1: fixed */
	unsigned length;		/* commands: dwords, or what is added to that field */
	const char *modes, *level;	/* entries: "pml4,pdp32", "pde" */
	int index_hi, index_lo;		/* entries: address bits that choose one, or -1 */
	unsigned index_every;		/* entries: only every such slot of a table counts */
	const char *valid;		/* entries: the field that makes one valid, or NULL */
	uint64_t valid_value;		/* what that field has then */
};

/*
 * Item number `i` of a kind, the user's files first, and the item that `def` of a struct gsc_reg or
 * struct gsc_item stands for; false if there is none.
 */
GSC_API bool gsc_item_at(const struct gsc_db *db, enum gsc_kind kind, size_t i,
			 struct gsc_item *item);
GSC_API bool gsc_item_by_def(const struct gsc_db *db, enum gsc_kind kind, uint32_t def,
			     struct gsc_item *item);

/*
 * Other name number `i` of an item; NULL past the last. *platforms, unless NULL, becomes the
 * platforms on which the name holds.
 */
GSC_API const char *gsc_item_alias(const struct gsc_db *db, const struct gsc_item *item, size_t i,
				   uint64_t *platforms);

/* The engine class with the number `bit`: "rcs", "bcs", ...; NULL past the last. */
GSC_API const char *gsc_engine_class(unsigned bit);

/* A place of a register, as written: before it is applied to platforms. */
struct gsc_place {
	enum gsc_space space;
	uint64_t offset;
	bool relative;			/* the offset counts from the MMIO base of each engine */
	unsigned engines;
	int instance;			/* of the engine, or -1: any */
	unsigned count;			/* elements of an array, or 0 */
	unsigned stride;
	unsigned run, run_stride;	/* elements of a run, or 0; bytes from run to run */
	uint64_t platforms;
	struct gsc_revisions revisions;
};

/* Place number `i` of a register; false past the last. */
GSC_API bool gsc_item_place(const struct gsc_db *db, const struct gsc_item *item, size_t i,
			    struct gsc_place *place);

/*
 * Begins to go through the fields of an item: with a view those that its platform has, decoded from
 * `count` dwords; with NULL all that are written down, with value 0.
 */
GSC_API void gsc_item_fields(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, const uint32_t *words, size_t count,
			     struct gsc_field_iter *it);

/* How the bits of the field last given are written down to be read. */
struct gsc_form {
	const char *type;		/* hex dec bool signed float ufixed sfixed */
	const char *address;		/* the space that the address is in: "ggtt", or NULL */
	unsigned fraction;		/* bits of a fixed-point number */
	unsigned shift;			/* meaning = ((value + add) << shift) * multiply / divide */
	uint32_t add, multiply, divide;
	const char *unit, *join, *target;	/* or NULL */
	const char *when;		/* the field that must be when_value, or NULL */
	uint64_t when_value;
	bool when_not;			/* it must be anything else */
	/* Only with a target: */
	const char *base;		/* base of the value: "dynamic", or NULL */
	struct gsc_amount {		/* the meaning of a field, or 1, times a number; or 0 */
		const char *field;
		uint32_t number;
	} count, most;
	bool in_bytes;			/* the count is one of bytes */
	const char *last;		/* the field with the address of the last byte, or NULL */
	const char *only;		/* the field that must be only_value, or NULL */
	uint64_t only_value;
	bool only_not;			/* it must be anything else */
};

/* How the field that gsc_field_next() gave last is to be read. */
GSC_API void gsc_field_form(const struct gsc_field_iter *it, struct gsc_form *form);

/* A group of fields that comes again and again; their dwords count from its beginning. */
struct gsc_repeat {
	const char *name;
	unsigned at, size;		/* dwords */
	bool after;			/* each follows the one before; the first is at `at` */
	unsigned count;			/* groups; 0: no fixed number */
	const char *count_field;	/* field with their number; NULL: up to the end */
};

/* Group number i of an item, and its fields as gsc_item_fields() gives those of the item. */
GSC_API bool gsc_item_repeat(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, size_t i, struct gsc_repeat *repeat,
			     struct gsc_field_iter *it);

/* Engine number `i` of a platform: its name, class, instance and MMIO base; NULL past the last. */
GSC_API const char *gsc_platform_engine(const struct gsc_db *db, unsigned platform, size_t i,
					unsigned *engine_class, unsigned *instance, uint32_t *base);

/*
 * Document number `i` that origins cite: key and title; false past the last. One that the user's
 * files cite as well may be there twice.
 */
GSC_API bool gsc_document_at(const struct gsc_db *db, size_t i, const char **key,
			     const char **title);

/* ---- sources ------------------------------------------------------------------------------ */

/* Where bytes come from: a device, a dump, a capture, or several of them combined. */
struct gsc_source;

/*
 * Who keeps a device awake while it is read: whatever works, the driver, the request registers,
 * nobody.
 */
enum gsc_wake { GSC_WAKE_AUTO, GSC_WAKE_DRIVER, GSC_WAKE_REGISTERS, GSC_WAKE_NONE };

/* What of a device is opened besides its identity, config space and memory. */
enum gsc_registers {
	GSC_REGISTERS_NEEDED,		/* where they are refused, opening fails */
	GSC_REGISTERS_WANTED,		/* where they are refused, gsc_source_refusal() says why */
	GSC_REGISTERS_NONE,		/* its BAR is not touched */
};

/* How sources are opened. Options that are all zero are the defaults. */
struct gsc_source_options {
	const struct gsc_db *db;
	const char *platform;		/* what the user says it is, or NULL */
	enum gsc_wake wake;
	enum gsc_registers registers;
	bool unsafe;			/* read also what may hang, such as a GGTT in its BAR */
	bool write;			/* registers of a device may be written */
	/*
	 * Opens a file without a name for what is unpacked, or returns -1 with errno; NULL: one in
	 * TMPDIR or /tmp.
	 */
	int (*temporary)(void *context);
	void *context;
};

/*
 * Opens the sources that `specs` name, in the words of gpuscope-sources(7), and combines them:
 * where two hold an address, the first wins. With none it opens the GPU of this machine.
 */
GSC_API enum gsc_status gsc_source_open(struct gsc_source **source, const char *const *specs,
					size_t count, const struct gsc_source_options *options,
					struct gsc_error *err);
GSC_API void gsc_source_close(struct gsc_source *source);

/*
 * What the source shows of its GPU: the index of the platform, the PCI device id, the PCI revision;
 * -1 if unknown.
 */
GSC_API int gsc_source_platform(const struct gsc_source *source);
GSC_API int gsc_source_device(const struct gsc_source *source);
GSC_API int gsc_source_revision(const struct gsc_source *source);
/* Whether a device is among the parts. */
GSC_API bool gsc_source_live(const struct gsc_source *source);
/*
 * Whether the GPU is behind an IOMMU that translates: its addresses are then not those of memory.
 */
GSC_API bool gsc_source_iommu(const struct gsc_source *source);
/*
 * Takes back the forcewake that GSC_WAKE_REGISTERS requested; later reads find a device that may
 * sleep. Async-signal-safe: call it before a signal ends the program, as nobody else releases it.
 */
GSC_API void gsc_source_let_sleep(struct gsc_source *source);
/*
 * Between two readings: releases all forcewake and closes the files of the driver, which would hold
 * up whoever unbinds it. The next read takes both again.
 */
GSC_API void gsc_source_rest(struct gsc_source *source);
/*
 * Why the registers of the device, and what is reached through them, cannot be read; NULL if they
 * can. Reads of them have the status of the refusal.
 */
GSC_API const struct gsc_error *gsc_source_refusal(const struct gsc_source *source);
/* The parts: how many, and the name of number `i`, as it was given. */
GSC_API size_t gsc_source_count(const struct gsc_source *source);
GSC_API const char *gsc_source_name(const struct gsc_source *source, size_t i);
/* What part number `i` is, for people: "i915 error state", "bar". Programs ask for its form. */
GSC_API const char *gsc_source_kind(const struct gsc_source *source, size_t i);

/* What a part is, for programs: several kinds have one form where nothing depends on which. */
enum gsc_source_form {
	GSC_SOURCE_NONE,		/* definitions only; or nothing that is known */
	GSC_SOURCE_DEVICE,
	GSC_SOURCE_BAR,			/* bytes of a register BAR */
	GSC_SOURCE_BYTES,		/* of anything else: memory, GGTT, config space */
	GSC_SOURCE_CAPTURE, GSC_SOURCE_REGISTER_TEXT, GSC_SOURCE_PORT_TRACE,
	GSC_SOURCE_CONFIG_TEXT, GSC_SOURCE_AUB, GSC_SOURCE_VTD_TEXT,
	GSC_SOURCE_ERROR_STATE,		/* of i915 */
	GSC_SOURCE_DEVCOREDUMP,		/* of xe */
	GSC_SOURCE_LOG,			/* of a kernel; its text is the member GSC_MEMBER_LOG */
	GSC_SOURCE_ENGINE_DUMP,		/* what i915 prints of an engine, in a log or a file */
};

/* What part number `i` is. */
GSC_API enum gsc_source_form gsc_source_form(const struct gsc_source *source, size_t i);
/* Whether any part is of that form. */
GSC_API bool gsc_source_has(const struct gsc_source *source, enum gsc_source_form form);

/* Damage met while opening or reading, number i: "FILE: what, at byte N"; NULL past the last. */
GSC_API const char *gsc_source_note(const struct gsc_source *source, size_t i);

/* What a read gave. */
enum gsc_read {
	GSC_READ_OK,
	GSC_READ_ABSENT,	/* no source holds it */
	GSC_READ_SKIPPED,	/* not read: hazardous */
	GSC_READ_ASLEEP,
	GSC_READ_DENIED,
	GSC_READ_ALL_ONES,	/* the device answered all ones where that cannot be a value */
};

/* The word for it: "ok", "absent", "all-ones", ... */
GSC_API const char *gsc_read_word(enum gsc_read status);

/*
 * Reads 1, 2, 4 or 8 bytes at a multiple of that; a register of the sideband has 4 and any number.
 * A read that fails leaves *value untouched. Nothing here asks whether a read has side effects:
 * gsc_gpu_read() does. A device gives a value only if the forcewake domains of the address were
 * held before and after the read; otherwise it is asleep.
 */
GSC_API enum gsc_read gsc_read(struct gsc_source *source, enum gsc_space space, uint64_t address,
			       unsigned size, uint64_t *value);

/*
 * The bytes from an address on, if they lie in memory, which those of a live BAR never do; else
 * NULL.
 */
GSC_API const void *gsc_span(struct gsc_source *source, enum gsc_space space, uint64_t address,
			     size_t *length);

/*
 * The first stretch that is held at or after `from`: [*start, *start + *length). These are bytes,
 * here and in gsc_span(): register N of the sideband is at 4 * N.
 */
GSC_API bool gsc_extent(struct gsc_source *source, enum gsc_space space, uint64_t from,
			uint64_t *start, uint64_t *length);

/* The name of the member that is the text of a kernel's log. */
#define GSC_MEMBER_LOG "kernel/log"

/* A file in the archive that a capture is, or a log inside a driver's dump. */
struct gsc_member {
	char name[256];
	const void *data;
	uint64_t size, held;		/* bytes it should have, and has */
	size_t next;
};

/* The next file of part number `part`, from a zeroed *member on; false past the last. */
GSC_API bool gsc_capture_member(const struct gsc_source *source, size_t part,
				struct gsc_member *member);

/* What a capture or a driver's dump says of itself: "platform", "created", "rcs0.hung", ... */
struct gsc_property {
	char key[64], value[512];
};

/* Property number `i` of a part; false past the last. */
GSC_API bool gsc_capture_property(const struct gsc_source *source, size_t part, size_t i,
				  struct gsc_property *property);

/* What a buffer of an error state or a device core dump is. */
enum gsc_buffer_kind {
	GSC_BUFFER_RING,
	GSC_BUFFER_BATCH,
	GSC_BUFFER_CONTEXT,		/* image of a logical context, its per-process page first */
	GSC_BUFFER_HWSP,		/* status page of an engine */
	GSC_BUFFER_WA_BATCH,		/* batch of the driver's workarounds */
	GSC_BUFFER_WA_CONTEXT,		/* batches that a context restore runs */
	GSC_BUFFER_USER,		/* what a program wanted to have in the dump */
	GSC_BUFFER_OTHER,
};

/* What is known about a buffer. */
enum gsc_buffer_flag {
	GSC_BUFFER_HEAD = 1 << 0,	/* which of the members below are known */
	GSC_BUFFER_TAIL = 1 << 1,
	GSC_BUFFER_START = 1 << 2,
	GSC_BUFFER_ACTHD = 1 << 3,
	GSC_BUFFER_HUNG = 1 << 4,	/* the dump blames this engine or context */
	GSC_BUFFER_CUT = 1 << 5,	/* the end is damaged or missing */
};

/* A buffer of a dump: what it is, whose, and where. */
struct gsc_buffer_origin {
	enum gsc_buffer_kind kind;
	enum gsc_space space;		/* GSC_GTTMEM or GSC_PPGTTMEM */
	char engine[16];		/* "rcs0", or "" where the dump does not say */
	char name[48];			/* what the dump calls the buffer: "HW context" */
	uint64_t address, length;
	const void *data;		/* the bytes, even where another buffer hides them */
	unsigned flags;			/* enum gsc_buffer_flag */
	uint64_t head, tail;		/* bytes from the beginning of the ring */
	uint64_t start;			/* address of the ring */
	uint64_t acthd;			/* where the engine was, in ring or batch */
};

/*
 * Buffer number `i` of part number `part`: rings, batches, contexts, in the order of the dump;
 * false past the last.
 */
GSC_API bool gsc_source_buffer(const struct gsc_source *source, size_t part, size_t i,
			       struct gsc_buffer_origin *out);

/* ---- a GPU ---------------------------------------------------------------------------------- */

/*
 * A GPU as a source shows it: the source, the definitions, the platform and its view. From a name
 * to a meaning it takes three calls: find the register, read it, take a field of it.
 */
struct gsc_gpu;

/*
 * Opens sources, as gsc_source_open() does, and all that belongs to them. With no definitions in
 * the options the GPU has the built-in ones. GSC_USAGE: the platform is unknown.
 */
GSC_API enum gsc_status gsc_gpu_open(struct gsc_gpu **gpu, const char *const *specs, size_t count,
				     const struct gsc_source_options *options,
				     struct gsc_error *err);
/*
 * Makes a GPU of a source and a view that stay the caller's and have to outlive it. view NULL: that
 * of the source's platform. source NULL: definitions only.
 */
GSC_API enum gsc_status gsc_gpu_new(struct gsc_gpu **gpu, struct gsc_source *source,
				    const struct gsc_view *view, struct gsc_error *err);
/*
 * Makes a GPU of a platform, with nothing to read from; revision -1: any. The definitions have to
 * outlive it.
 */
GSC_API enum gsc_status gsc_gpu_definitions(struct gsc_gpu **gpu, const struct gsc_db *db,
					    unsigned platform, int revision,
					    struct gsc_error *err);
GSC_API void gsc_gpu_close(struct gsc_gpu *gpu);

/* Its parts, which live as long as it does. The source is NULL if there is none. */
GSC_API const struct gsc_db *gsc_gpu_db(const struct gsc_gpu *gpu);
GSC_API struct gsc_source *gsc_gpu_source(const struct gsc_gpu *gpu);
GSC_API const struct gsc_view *gsc_gpu_view(const struct gsc_gpu *gpu);
GSC_API const struct gsc_platform *gsc_gpu_platform(const struct gsc_gpu *gpu);

/*
 * Finds a register by its name or alias: "NAME" (the first that has it), "rcs0.NAME", "NAME[3]".
 * False: the platform has none.
 */
GSC_API bool gsc_gpu_find(const struct gsc_gpu *gpu, const char *name, struct gsc_reg *reg);
/*
 * Reads a register. GSC_READ_SKIPPED: the read of a device would change something, may hang, or
 * gives no value of the register.
 */
GSC_API enum gsc_read gsc_gpu_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
				   uint64_t *value);
/*
 * Takes a field of a register's value: its raw bits, right-justified. False: the register has no
 * such field.
 */
GSC_API bool gsc_gpu_field(const struct gsc_gpu *gpu, const struct gsc_reg *reg, uint64_t value,
			   const char *name, uint64_t *out);

/* What an engine was given at one moment of a trace. */
struct gsc_submission {
	char engine[16];		/* "rcs0" */
	uint64_t contexts[2];		/* descriptors of those that ran; 0: none */
};

/*
 * The GPU at the moment of a submission of a trace, counted from 1 as in struct gsc_run; otherwise
 * a GPU with a trace is at the end of that. The first GPU has to outlive it. GSC_USAGE: there is no
 * trace, or no such number.
 */
GSC_API enum gsc_status gsc_gpu_at(struct gsc_gpu **moment, const struct gsc_gpu *gpu,
				   uint64_t number, struct gsc_submission *submission,
				   struct gsc_error *err);

/* ---- saving ------------------------------------------------------------------------------- */

/* A stretch of physical memory. */
struct gsc_memory {
	uint64_t start, length;
};

/* How a capture is compressed. */
enum gsc_packing {
	GSC_PACK_NONE, GSC_PACK_GZIP, GSC_PACK_ZSTD,
	GSC_PACK_BEST,			/* of those that this machine has a library for */
};

/*
 * What goes along in a capture though no space holds it. A name that begins with "stored/" is a
 * dump that the kernel has kept, and "kernel/log" is text of its log.
 */
struct gsc_extra {
	const char *name;
	const void *data;
	size_t size;
	const char *why;		/* why it could not be read: only this is saved */
};

/* What goes into a capture. Options that are all zero are the defaults. */
struct gsc_save_options {
	bool no_ggtt;
	bool tables;			/* of a device: the page tables of all contexts, whole */
	bool unsafe;			/* also what has a side effect on read or may hang */
	bool redact;			/* no memory or names: nothing of one machine alone */
	uint64_t created;		/* seconds since 1970 */
	const struct gsc_memory *memory;	/* only these stretches of physical memory */
	size_t memory_count;		/* 0: all that files hold */
	enum gsc_packing packing;
	const struct gsc_extra *extras;
	size_t extra_count;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
	/* Called for what could not be read and was not asked for by name: that is no failure. */
	void (*left_out)(void *context, const char *what, const char *why);
};

/*
 * Writes a capture of all that a source can give. Of a device that is the registers of the view,
 * as far as they are safe to read, its config space and its GGTT, and unless that is to be left out
 * the memory that the analysis of its engines reaches: rings, batches, state, contexts. Of files it
 * is everything they hold, an error state, core dump or trace alone as the file that it is.
 * GSC_PARTIAL if something could not be read; what, is written down in the capture. After a failed
 * write errno tells why, else it is 0.
 */
GSC_API enum gsc_status gsc_save(const struct gsc_gpu *gpu, int fd,
				 const struct gsc_save_options *options, struct gsc_error *err);

/*
 * Writes what a source holds as an AUB trace of one moment: GGTT entries, memory, registers, and a
 * submission of each context that runs. GSC_PARTIAL: some of it has no place in a trace.
 */
GSC_API enum gsc_status gsc_save_trace(const struct gsc_gpu *gpu, int fd, struct gsc_error *err);

/* ---- devices ------------------------------------------------------------------------------ */

/* A display device of this machine. */
struct gsc_device {
	char bdf[16];			/* "0000:00:02.0" */
	uint16_t device;
	uint8_t revision;
	int platform;			/* index, or -1 if unknown */
	char driver[32];		/* "" if none is bound */
	char nodes[128];		/* "card0 renderD128" */
	char power[16];			/* runtime status: "active", "suspended", or "" */
	char iommu[16];			/* group type: "identity", "DMA", ... or "" */
	int chipset;			/* the PCI id that the driver goes by, or -1 */
};

/* Finds the Intel display devices of this machine; free *devices with free(). */
GSC_API enum gsc_status gsc_devices(const struct gsc_db *db, struct gsc_device **devices,
				    size_t *count, struct gsc_error *err);

/* ---- selecting and reading registers ------------------------------------------------------ */

/* A set of registers and ranges, in the order in which they were asked for. */
struct gsc_selection;

/* How selectors are understood. */
enum gsc_select_flag {
	GSC_SELECT_DEFINED = 1 << 0,	/* addresses and ranges mean what is defined there */
	GSC_SELECT_LISTED = 1 << 1,	/* also what the source lists and no register shows */
};

/*
 * What SELECTORs name, in that order and each register once: NAME, a glob, NAME[3], rcs0.NAME,
 * NAME:FIELD, @GROUP, 0xADDR, 0xA-0xB (inclusive), 0xA+LEN (bytes), PREFIX:NAME, PREFIX:0xADDR. No
 * selectors: every register, group by group, and then what is only listed. The GPU has to outlive
 * the selection.
 */
GSC_API enum gsc_status gsc_select(struct gsc_selection **selection, const struct gsc_gpu *gpu,
				   unsigned flags, const char *const *selectors, size_t count,
				   struct gsc_error *err);
GSC_API void gsc_selection_free(struct gsc_selection *selection);

/* Which copy of a replicated register answers reads, by the register that steers them. */
struct gsc_steering {
	const char *selector;		/* the register that steers; NULL: none does */
	bool known;			/* the source holds the selector */
	unsigned group, instance;
	bool slices;			/* group and instance are slice and subslice */
};

/* A register as it was read, or one dword of a range. */
struct gsc_row {
	struct gsc_reg reg;		/* name NULL: nothing is defined there */
	const char *dump_name;		/* what the dump calls what is not defined, or NULL */
	bool raw;			/* a dword of a range, at reg.offset, whatever lies there */
	bool part;			/* it is bits part_hi to part_lo of a wider register */
	unsigned part_hi, part_lo;
	enum gsc_read status;
	uint64_t value;			/* 0 unless status is GSC_READ_OK */
	const char *why;		/* why it was skipped or is asleep, or NULL */
	const char *const *fields;	/* those asked for by NAME:FIELD */
	size_t field_count;		/* 0: all fields */
	const uint32_t *also;		/* numbers of others that the value is for */
	size_t also_count;
	struct gsc_steering steering;
};

/* How rows are read. Options that are all zero are the defaults. */
struct gsc_rows_options {
	bool unsafe;			/* also what has a side effect on read or may hang */
	bool keep;			/* keep the values of this moment, whatever comes later */
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;
};

/* What reading a selection gave. */
struct gsc_rows;

/*
 * Reads the registers of a selection from a GPU of its platform; with gpu NULL the rows have
 * definitions only. Selection and GPU have to outlive the rows.
 *
 * Registers of a device that are read through an index or a doorbell take a write first. Unless the
 * source was opened with `write`, those that a pattern or a group selects are GSC_READ_SKIPPED;
 * GSC_USAGE, with nothing read, if one is named or the selection has nothing else. With no
 * selectors they are GSC_READ_ABSENT in any case, and so are I/O ports.
 */
GSC_API enum gsc_status gsc_rows_read(struct gsc_rows **rows, const struct gsc_selection *selection,
				      const struct gsc_gpu *gpu,
				      const struct gsc_rows_options *options,
				      struct gsc_error *err);

/*
 * Makes rows of pasted lines: "NAME (0xADDR): 0xVALUE", "0xADDR: 0xVALUE", names and values with
 * ":", "=" or a blank between them, whatever comes before them, "reg 0xADDR, val 0xVALUE", lines of
 * an i915 error state. Prose is ignored. A name that nobody knows becomes a note; the last note is
 * the number of other lines with a value.
 */
GSC_API enum gsc_status gsc_rows_pasted(struct gsc_rows **rows, const struct gsc_gpu *gpu,
					const char *text, size_t size, struct gsc_error *err);
GSC_API void gsc_rows_free(struct gsc_rows *rows);

/* How many rows there are, and row number `i`. */
GSC_API size_t gsc_rows_count(const struct gsc_rows *rows);
GSC_API void gsc_rows_at(struct gsc_rows *rows, size_t i, struct gsc_row *row);
/* Note number `i` on the pasted lines; NULL past the last. */
GSC_API const char *gsc_rows_note(const struct gsc_rows *rows, size_t i);

/* Where two readings of one selection differ. NULL stands for the documented reset values. */
struct gsc_diff;
GSC_API enum gsc_status gsc_diff_new(struct gsc_diff **diff, struct gsc_rows *a,
				     struct gsc_rows *b, struct gsc_error *err);
GSC_API void gsc_diff_free(struct gsc_diff *diff);

/* A register that differs, or that only one of the readings has a value of. */
struct gsc_difference {
	struct gsc_row a, b;
	uint64_t bits;
};

/* How many registers differ, and number `i` of them, in the order of the selection. */
GSC_API size_t gsc_diff_count(const struct gsc_diff *diff);
GSC_API void gsc_diff_at(struct gsc_diff *diff, size_t i, struct gsc_difference *difference);

/* ---- writing ------------------------------------------------------------------------------ */

/*
 * Writing is refused unless gsc_source_options.write was set: without it nothing of a device is
 * mapped writable. Only a device is written to, never a dump.
 */
enum gsc_write_operation { GSC_WRITE_SET, GSC_WRITE_OR, GSC_WRITE_AND, GSC_WRITE_XOR };

/*
 * What is asked for: `target` is NAME, NAME:FIELD, NAME[3], rcs0.NAME, 0xADDR or, for an entry of
 * the GGTT, ggtt:0xBYTE; PREFIX:NAME and PREFIX:0xADDR for the ways to VGA, MCHBAR and sideband. A
 * masked register takes its 16 bits, or the mask in bits 31:16 beside them.
 */
struct gsc_write {
	const char *target;
	enum gsc_write_operation operation;
	uint64_t value;
	bool force;			/* write whatever hazard the access has */
};

/*
 * One access of those that a write consists of, in their order. A write stores
 * value | (there & keep) | (~there & flip), `there` being what the reads before have given.
 */
struct gsc_write_step {
	bool write;
	enum gsc_space space;
	uint64_t address;
	unsigned size;			/* bytes */
	bool known;			/* a write that depends on no read: `value` is all */
	uint64_t value;
	uint64_t keep;			/* bits that are written back as they were */
	uint64_t flip;			/* bits that are written as they were not */
	const char *why;		/* what the access is for: "posting read", ...; or NULL */
};

/* What became of a write. */
struct gsc_written {
	char name[192];			/* "rcs0.MI_MODE", "rcs0.MI_MODE:STOP_RINGS", "0x209c" */
	struct gsc_reg reg;		/* name NULL: none is defined there */
	uint64_t old, value, back;	/* the register before, as written, and afterwards */
	bool has_old, has_back;		/* false: it cannot be read */
	bool bar_alias;			/* a port was written by its alias in the register BAR */
	bool stored;			/* something was stored, whether or not it has arrived */
	bool forced;
	uint64_t bits;			/* those that were meant to be written */
	uint64_t lost;			/* those of them that did not read back as they should */
	uint64_t changed;		/* undo only: bits no longer as the write left them */
	int64_t time;			/* nanoseconds since 1970 */
};

/*
 * The accesses that a write takes, computed from the definition: masks of masked registers, no
 * read-modify-write of bits that a write of 1 clears, reserved bits kept, posting reads. Refused:
 * read-only and unknown registers, values that do not fit, names of several registers (GSC_USAGE
 * tells them), hazards without `force`: if they are the only objection, a plan is still made for
 * display; the status is GSC_USAGE and gsc_write_run() refuses it. Nothing is accessed. The GPU
 * has to outlive the plan.
 */
struct gsc_write_plan;
GSC_API enum gsc_status gsc_write_plan_new(struct gsc_write_plan **plan,
					   const struct gsc_gpu *gpu,
					   const struct gsc_write *write, struct gsc_error *err);
GSC_API void gsc_write_plan_free(struct gsc_write_plan *plan);
GSC_API const char *gsc_write_plan_name(const struct gsc_write_plan *plan);
GSC_API bool gsc_write_step_at(const struct gsc_write_plan *plan, size_t i,
			       struct gsc_write_step *step);

/* How a plan is run. Options that are all zero are the defaults. */
struct gsc_write_options {
	bool insist;			/* undo also what has changed since */
	/* Right before the first store; not GSC_OK: nothing is stored. */
	enum gsc_status (*before)(void *context, const struct gsc_written *written,
				  struct gsc_error *err);
	void *context;
};

/*
 * Runs a plan on a GPU of its platform, with forcewake held from the first access to the last.
 * GSC_PARTIAL: the value is written, but could not be read back or reads back otherwise: `lost`.
 * GSC_USAGE with `changed`: this is an undo, and the register no longer has the value that the
 * write left. GSC_GONE with written->stored: the device went away meanwhile, so it is unknown
 * whether the value is written. Any other failure comes before anything is written.
 */
GSC_API enum gsc_status gsc_write_run(struct gsc_write_plan *plan, const struct gsc_gpu *gpu,
				      const struct gsc_write_options *options,
				      struct gsc_written *written, struct gsc_error *err);
/*
 * Makes a plan that puts back what was there. GSC_USAGE: that is impossible, and why. GSC_PARTIAL:
 * there is a plan, but some bits it cannot put back, and which.
 */
GSC_API enum gsc_status gsc_write_undo(struct gsc_write_plan **plan, const struct gsc_gpu *gpu,
				       const struct gsc_written *written, struct gsc_error *err);

/* ---- page tables -------------------------------------------------------------------------- */

/* A kind of page tables. */
enum gsc_mode {
	GSC_MODE_GGTT,			/* the global table */
	GSC_MODE_FLAT,			/* Gen4 per-process: one level */
	GSC_MODE_2LEVEL,		/* Gen6 and Gen7 per-process */
	GSC_MODE_PDP32,			/* Gen8+ legacy context, 32 bits */
	GSC_MODE_PML4,			/* Gen8+ legacy context, 48 bits; 57 from Xe2 on */
	GSC_MODE_IA32E,			/* Gen8+ advanced context */
	GSC_MODE_TRTT,			/* tiled resources, in front of another mode */
	GSC_MODE_VTD,			/* second level, and the tables that lead to it */
	GSC_MODES
};

/* Modes by the words that gpu-ptwalk(1) has: "ggtt", "pml4", ... */
GSC_API const char *gsc_mode_name(enum gsc_mode mode);
GSC_API bool gsc_mode_by_name(const char *name, enum gsc_mode *mode);

#define GSC_ENTRY_WORDS 16		/* dwords of the widest entry */

struct gsc_entry_reader;

/* One table entry, read by its definition. */
struct gsc_entry {
	struct gsc_item item;		/* for gsc_item_fields(), with `words` */
	enum gsc_mode mode;
	const char *level;		/* the level it turned out to be: "pde" may be "pde2m" */
	uint32_t words[GSC_ENTRY_WORDS];
	unsigned bytes;			/* of the entry; 0: it could not be read */
	bool valid, leaf;
	const char *next;		/* level of the table that it points to, or NULL */
	enum gsc_space space;		/* space of the address */
	uint64_t address, page_size;	/* page_size 0: no page */
	struct gsc_entry_reader *reader;	/* what read it and has to outlive it, or NULL */
};

/*
 * An entry of a level ("pte", "pde2m", "vtd-root", ...) of a mode from its dwords, lowest first.
 * GSC_USAGE if the platform has no such level, with the levels that it has.
 */
GSC_API enum gsc_status gsc_entry_decode(const struct gsc_view *view, enum gsc_mode mode,
					 const char *level, const uint32_t *words, size_t count,
					 struct gsc_entry *entry, struct gsc_error *err);
/* What is wrong with it, number i; false past the last. */
GSC_API bool gsc_entry_problem(const struct gsc_view *view, const struct gsc_entry *entry, size_t i,
			       char *buf, size_t size);
/* The levels of a mode on a platform, the one next to the page first; NULL past the last. */
GSC_API const char *gsc_mode_level(const struct gsc_view *view, enum gsc_mode mode, size_t i);

/* What a PASID entry and its context entry say of an advanced context. */
enum gsc_root_flag {
	GSC_ROOT_KNOWN = 1 << 0,		/* the others are what the tables say */
	GSC_ROOT_EXTENDED_ACCESS = 1 << 1,	/* EAFE: entries used get their EA bit set */
	GSC_ROOT_WRITE_PROTECT = 1 << 2,	/* WPE */
	GSC_ROOT_NO_EXECUTE = 1 << 3,		/* NXE */
	GSC_ROOT_SUPERVISOR = 1 << 4,		/* SRE: supervisor requests are allowed */
};

/*
 * The memory type of a PAT index, as the registers of the source set it up: "write-back, LLC
 * (PAT_INDEX[0] 0x00000007)". False: `buf` says why it is not known.
 */
GSC_API bool gsc_memory_type(const struct gsc_gpu *gpu, unsigned pat_index, char *buf, size_t size);
/* The same of a MOCS index; engine NULL: the first one that has a table. */
GSC_API bool gsc_mocs_type(const struct gsc_gpu *gpu, const char *engine, unsigned index, char *buf,
			   size_t size);
/*
 * What the entry of a page says of its memory type: the bits themselves before Gen8, afterwards
 * "PAT 2: ...". False: `buf` says why it is not known, "" if such entries say nothing of it.
 */
GSC_API bool gsc_entry_memory_type(const struct gsc_gpu *gpu, const struct gsc_entry *entry,
				   char *buf, size_t size);

/* Where a translation begins. */
struct gsc_root {
	enum gsc_mode mode;
	uint64_t value[4];		/* the numbers that `gpu-ptwalk --root` takes */
	unsigned count;
	unsigned flags;			/* enum gsc_root_flag */
	bool no_64k;			/* ia32e: FL64KPE is 0 in the PASID entry, IPS is ignored */
	char from[192];			/* its place: "rcs0 context 0x00021000", or "" */
};

/* VT-d second-level tables below everything, tiled-resource tables in front. */
struct gsc_second_level {
	bool on;
	uint64_t root;
	unsigned levels;		/* 3, 4 or 5 */
};

/* Tables of tiled resources (TR-TT), which translate an address before the others do. */
struct gsc_tiled {
	bool on;
	uint64_t l3;			/* graphics address of the L3 table */
	uint32_t null, invalid;		/* values of L1 entries that mean this */
	bool has_null, has_invalid;
	bool physical;			/* TRTTE bit 1 is 0: the tables are guest-physical */
	uint32_t va;			/* TRVADR: mask 7:4, data 3:0, of address bits 47:44 */
	char from[64];			/* where that was found: "rcs0 TR-TT registers", or "" */
};

/* The tables of a translation. All zero: the global table alone. */
struct gsc_translation_options {
	struct gsc_root root;
	struct gsc_second_level vtd;
	struct gsc_tiled trtt;
};

struct gsc_translation;

/*
 * Makes a translation of a root, with second-level tables below it and tables of tiled resources
 * before it where there are any. Options without a root mean the global table. The GPU has to
 * outlive it.
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
	GSC_STOP_IOMMU,			/* entries are no physical addresses here */
	GSC_STOPS
};

/* The word for it: "not-present", "reserved-bits", ... */
GSC_API const char *gsc_stop_word(enum gsc_stop stop);

/* The access that is asked about. */
enum gsc_intent { GSC_INTENT_READ, GSC_INTENT_WRITE, GSC_INTENT_ATOMIC };

/* The entry read at one level. */
struct gsc_step {
	/*
	 * 0: a level of the address asked for. Otherwise part of a nested walk (second level, tiled
	 * resources) that leads to the next step of less depth or, at the end, to the page.
	 */
	unsigned depth;
	unsigned index;
	enum gsc_space space;
	bool guest;			/* the addresses are guest-physical */
	uint64_t table, address;	/* of the table, of the entry */
	struct gsc_entry entry;
};

/* What became of one address. */
struct gsc_walk {
	uint64_t address;		/* in its 48-bit form */
	enum gsc_mode mode;
	bool mapped;
	enum gsc_space space;		/* GSC_PHYS or GSC_LMEM */
	uint64_t physical, page_size;
	bool stolen;			/* the page is graphics stolen memory */
	bool null;			/* the page is mapped to nothing: reads give zero */
	bool readable, writable, executable, user;
	enum gsc_stop stop;
	int stop_step;			/* the step that it stopped at; -1: before the first */
	char stop_level[16];
	char stop_text[192];
	char written[192];		/* what the hardware writes back into entries, or "" */
	char note[640];			/* what else one should know, or "" */
	/* They belong to the translation, and live until its next walk. */
	const struct gsc_step *steps;
	size_t count;
};

/* Translates an address. Every entry that was read is a step. */
GSC_API void gsc_walk(struct gsc_translation *translation, uint64_t address,
		      enum gsc_intent intent, struct gsc_walk *walk);
/* Attribute number `i` of the page: "rw", "llc", "pat3", "null"; NULL past the last. */
GSC_API const char *gsc_walk_flag(const struct gsc_translation *translation,
				  const struct gsc_walk *walk, size_t i, char *buf, size_t size);
/*
 * Why the walk ends in no bytes: why it stops, or that nothing holds what the address is mapped to.
 * The status is that of the read which fails; GSC_UNKNOWN if none does.
 */
GSC_API enum gsc_status gsc_walk_why(const struct gsc_translation *translation,
				     const struct gsc_walk *walk, char *buf, size_t size);

/*
 * As gsc_walk(), without the steps: where an address lands, and how far that holds. *space is
 * GSC_SPACES for a null page. Whether an access is permitted is not asked. Tables in files are
 * remembered, and taken not to change.
 */
GSC_API enum gsc_stop gsc_resolve(struct gsc_translation *translation, uint64_t address,
				  enum gsc_space *space, uint64_t *physical, uint64_t *length);
/*
 * Bytes at a graphics address, as many as are there from its start on; null pages give zeros. A
 * source may hold the memory of a global address by that address alone.
 */
GSC_API size_t gsc_translated_read(struct gsc_translation *translation, uint64_t address,
				   void *buf, size_t size);

/* How the pages of a range lie in memory. */
enum gsc_mapping_kind {
	GSC_MAPPING_LINEAR,
	GSC_MAPPING_CONSTANT,		/* all pages one target, such as scratch */
	GSC_MAPPING_SCATTERED,		/* short runs of less than 8 pages side by side */
	GSC_MAPPING_REPEAT,		/* a table met before at this level: `of` is where */
};

/*
 * A range whose pages have all attributes in common; what is not covered by one is not mapped. Of a
 * repeat `physical` and `entry` are those of its first page, and it may have gaps: start + x is
 * mapped as of + x is.
 */
struct gsc_mapping {
	uint64_t start, end;		/* graphics addresses, end exclusive */
	enum gsc_mapping_kind kind;
	enum gsc_space space;
	uint64_t physical, pages;
	uint64_t page_size;		/* 0: a repeat whose pages differ */
	uint64_t of;			/* of a repeat: where the table was met before */
	bool stolen;
	bool readable, writable;	/* by all levels together */
	uint64_t entry;			/* a leaf entry, without what the levels above deny */
	const char *level;		/* the level of that entry */
};

/* How ranges are divided. */
enum gsc_map_flag {
	GSC_MAP_PAGES = 1 << 0,		/* page by page, but constant runs over 512 pages as one */
	GSC_MAP_ALL = 1 << 1,		/* page by page without exception */
};

/* What a map could not tell. What is wrong with a table counts once, however often it is met. */
struct gsc_map_holes {
	uint64_t missing;		/* tables that no source holds, or not all of */
	bool lacking;			/* a table is missing because the dump has none at all */
	uint64_t reserved;		/* entries with reserved bits set: they map nothing */
	uint64_t loops;			/* tables that lead to themselves, as hardware lets them */
	uint64_t first_missing;		/* graphics address */
	char first_table[96], first_why[96];	/* "pte table at guest:0x60000, for 0x600000" */
};

/* Calls `each` for every mapped range, in order, until it returns false. */
typedef bool gsc_mapping_fn(void *context, const struct gsc_mapping *mapping);
GSC_API enum gsc_status gsc_map(struct gsc_translation *translation, unsigned flags,
				gsc_mapping_fn *each, void *context, struct gsc_map_holes *holes,
				struct gsc_error *err);
/* Attribute number `i` of the pages of a range; NULL past the last. */
GSC_API const char *gsc_mapping_flag(const struct gsc_translation *translation,
				     const struct gsc_mapping *mapping, size_t i, char *buf,
				     size_t size);

/*
 * Graphics addresses that reach a physical one. Of a constant range of more than 512 pages only the
 * first address is told, and how many pages there are: address + i * page_size reaches it, too, for
 * i < pages. Otherwise `pages` is 1. Tables that are met again are gone through again until there
 * are some thousand addresses; after that they are repeats, constant ranges of any length are told
 * like long ones, and a large page that a second level maps many times is told once.
 */
struct gsc_reached {
	uint64_t address;		/* not set in a repeat */
	uint64_t pages, page_size;
	bool repeat;			/* pages in [start, end) as those from `of` on */
	uint64_t start, end, of;
};

/* Calls `each` for every address that reaches a physical one, until it returns false. */
typedef bool gsc_reverse_fn(void *context, const struct gsc_reached *reached);
GSC_API enum gsc_status gsc_reverse(struct gsc_translation *translation, enum gsc_space space,
				    uint64_t physical, gsc_reverse_fn *each, void *context,
				    struct gsc_map_holes *holes, struct gsc_error *err);

/* Something that breaks a rule, and where. */
struct gsc_breach {
	const char *rule;		/* "reserved-bits", "misaligned", ... */
	bool unchecked;			/* the rule could not be checked: `text` says why */
	bool note;			/* it breaks no rule, but is worth knowing */
	char where[96], text[256];
	const char *document, *section;	/* origin of the rule, or NULL */
};

/* Takes what breaks a rule; false ends the check. */
typedef bool gsc_breach_fn(void *context, const struct gsc_breach *breach);

/* What an engine's registers say; NULL: the first engine that says anything. */
GSC_API enum gsc_status gsc_root_engine(const struct gsc_gpu *gpu, const char *engine,
					struct gsc_root *root, struct gsc_error *err);
/* The bits of a context descriptor, or of CCID, that are the address of the image. */
#define GSC_LRCA UINT64_C(0xfffff000)
/*
 * What the image of a logical context says; LRCA or a whole context descriptor, whose lowest bits
 * say the mode. Those of CCID do not: they are to be cleared.
 */
GSC_API enum gsc_status gsc_root_context(const struct gsc_gpu *gpu, uint64_t descriptor,
					 struct gsc_root *root, struct gsc_error *err);
/* Through RTADDR_REG, context and PASID tables of a function: bus << 8 | device << 3 | function. */
GSC_API enum gsc_status gsc_root_pasid(const struct gsc_gpu *gpu, uint64_t rtaddr,
				       unsigned function, uint32_t pasid,
				       struct gsc_translation_options *options,
				       struct gsc_error *err);
/* Every root that the source has, each once; free *roots with free(). */
GSC_API enum gsc_status gsc_roots(const struct gsc_gpu *gpu, struct gsc_root **roots, size_t *count,
				  struct gsc_error *err);
/* Tiled resources as an engine's registers set them up; `on` is false if they do not. */
GSC_API void gsc_root_tiled(const struct gsc_gpu *gpu, const char *engine, struct gsc_tiled *tiled);

/* A stretch of the machine's address space with a meaning for the GPU. */
struct gsc_window {
	const char *name;		/* "GTTMMADR", "GSM", "DSM", ... */
	enum gsc_read status;		/* not GSC_READ_OK: why place or size is unknown */
	uint64_t start, length;		/* 0, 0: it is not there; length 0: unknown */
	char from[96];			/* what says so: "config 0x5c BDSM 0xdba00001" */
	char problem[192];		/* what is inconsistent, or "" */
};

/* The windows of a GPU; free *windows with free(). */
GSC_API enum gsc_status gsc_windows(const struct gsc_gpu *gpu, struct gsc_window **windows,
				    size_t *count, struct gsc_error *err);

/* ---- command buffers ---------------------------------------------------------------------- */

/* The commands that the engines of a platform know. */
struct gsc_commands;
/* Makes the set of the platform of a GPU, whose view has to outlive it. */
GSC_API enum gsc_status gsc_commands_new(struct gsc_commands **set, const struct gsc_gpu *gpu,
					 struct gsc_error *err);
GSC_API void gsc_commands_free(struct gsc_commands *set);

/* Whether a command could be decoded. */
enum gsc_command_status {
	GSC_COMMAND_OK,
	GSC_COMMAND_UNKNOWN,
	GSC_COMMAND_TRUNCATED,		/* its end is not there */
	GSC_COMMAND_BAD_LENGTH,		/* not a length that it can have */
};

/* The word for a status: "ok", "unknown", ... */
GSC_API const char *gsc_command_word(enum gsc_command_status status);

/* A place that an engine was at. */
struct gsc_mark {
	const char *name;		/* "HEAD", "TAIL", "ACTHD", "MARK" */
	uint64_t address;
};

/* A command, as its dwords are decoded. */
struct gsc_command {
	uint64_t address;
	const uint32_t *words;
	size_t count;			/* dwords held */
	unsigned length;		/* dwords that it should have */
	enum gsc_command_status status;
	const char *name;		/* "UNKNOWN" if no command is known */
	const void *known;		/* its definition, or NULL */
	const struct gsc_mark *marks;	/* places, some of which are within the command */
	size_t mark_count;		/* 0: none is */
};

/* Dwords to be cut into commands: `set` to `count` are given, `at` says how far it is. */
struct gsc_stream {
	struct gsc_commands *set;
	unsigned engine_class;
	uint64_t address;		/* of the first dword */
	const uint32_t *words;
	size_t count, at;
};

/*
 * The next command of the dwords; false at their end. Nothing beyond them is read, whatever a
 * length says.
 */
GSC_API bool gsc_stream_next(struct gsc_stream *stream, struct gsc_command *command);

/*
 * A field of a command that holds a graphics address; one that counts from a base does not. Those
 * that are not used, by what the fields beside them say, are left out.
 */
struct gsc_command_address {
	const char *name;		/* of the field */
	unsigned dword;			/* of the command, where the field begins */
	uint64_t address;		/* without its sign */
	const char *space;		/* "ggtt", "ppgtt"; NULL: the space of the run */
};

/* Number i of them, in the order of the fields. */
GSC_API bool gsc_command_address(struct gsc_commands *set, const struct gsc_command *command,
				 size_t i, struct gsc_command_address *address);

/* ---- following commands --------------------------------------------------------------------- */

/* What kind of commands a run has. */
enum gsc_run_kind {
	GSC_RUN_DWORDS,			/* what was given as such */
	GSC_RUN_RING,
	GSC_RUN_BATCH,
	GSC_RUN_SECOND_LEVEL,		/* a batch that returns to the one that started it */
};

/* How a run ended. */
enum gsc_run_end {
	GSC_RUN_ENDED,			/* at its end command; a ring: at its tail */
	GSC_RUN_OUT,			/* its dwords end without an end command */
	GSC_RUN_CHAINED,		/* it goes on in another batch */
	GSC_RUN_NOWHERE,		/* no source has what follows: see `why` */
	GSC_RUN_STOPPED,		/* it is more than anyone will read: see `why` */
	GSC_RUN_BLANK,			/* one dword only, again and again: see `why` */
};

/* Commands that lie in a row: a ring, or a batch. */
struct gsc_run {
	enum gsc_run_kind kind;
	char engine[16];		/* "rcs0" */
	bool process;			/* the address is a per-process one */
	bool privileged;
	unsigned submission;		/* of a trace, from 1; or 0 */
	uint64_t address;
	uint64_t from;			/* address of the command that starts it, if `started` */
	bool started;
	/* Known once the run is over: */
	enum gsc_run_end end;
	uint64_t length, left;		/* bytes: decoded; held after its end */
	char why[256];
};

/* The words for the kind of a run, "ring", "batch", and for its end. */
GSC_API const char *gsc_run_kind_word(enum gsc_run_kind kind);
GSC_API const char *gsc_run_end_word(enum gsc_run_end end);

/* A register that a command loads or stores. */
struct gsc_register_write {
	enum {
		GSC_WRITE_VALUE, GSC_WRITE_MEMORY, GSC_WRITE_REGISTER,	/* loaded from there */
		GSC_READ_TO_MEMORY, GSC_READ_TO_REGISTER,		/* stored there */
		GSC_WRITE_RESULT,	/* loaded with what the ALU of MI_MATH has */
		GSC_READ,		/* by that ALU, or polled */
	} kind;
	uint32_t offset;
	uint32_t value;			/* GSC_WRITE_VALUE */
	uint64_t from;			/* address of the memory, offset of the register */
	bool global;			/* `from` is a global address */
	unsigned dword;			/* of the command, where the offset is */
};

/* State that a command points to. */
struct gsc_state {
	const char *name;		/* of the structure: "SAMPLER_STATE" */
	struct gsc_item item;		/* its definition, for gsc_item_fields() with `words` */
	unsigned index;			/* in an array */
	uint64_t address;
	const uint32_t *words;
	size_t count;
	char problem[160];		/* why there are no words, or what is wrong; or "" */
	unsigned depth;			/* 0: the command points to it; 1: what does, ... up to 3 */
	bool is_offset;			/* the address is an offset from an unknown base */
};

/* A program that a command starts. */
struct gsc_kernel {
	const char *stage;		/* "vs", "ps", "cs", ... */
	uint64_t address;
	const void *data;
	size_t size;
	bool cut;			/* its end was not found */
	char problem[160];		/* why there are no bytes, or no more; or "" */
};

/* What following commands comes to: members are NULL that do not belong to it. */
struct gsc_followed {
	const struct gsc_run *run;
	const struct gsc_command *command;	/* NULL where a run begins or ends, or of a rule */
	const struct gsc_register_write *write;
	const struct gsc_state *state;
	const struct gsc_kernel *kernel;
	const struct gsc_breach *breach;
};

/* Takes one of them; false ends it all. */
typedef bool gsc_followed_fn(void *context, const struct gsc_followed *item);

/* The functions that take each sort of them, in order. What no function takes costs nothing. */
struct gsc_listener {
	void *context;
	gsc_followed_fn *begin, *end;		/* of each run */
	gsc_followed_fn *command, *write, *state, *kernel, *breach;
};

/* Dwords that lie at an address. */
struct gsc_words {
	uint64_t address;
	const uint32_t *words;
	size_t count;
};

/* How commands are followed. Options that are all zero are the defaults. */
struct gsc_follow_options {
	const char *engine;		/* whose commands; NULL: what the source says */
	bool no_follow;			/* do not follow batches that are started */
	bool past_end;			/* go on after an end command */
	const struct gsc_root *root;	/* of per-process addresses; NULL: what the source says */
	const struct gsc_mark *marks;
	size_t mark_count;
	const struct gsc_words *held;	/* batches may lie in these, whatever the source has */
	size_t held_count;
};

/*
 * Follows commands, into the batches that they start, to the registers that they load, to the
 * state and the kernels that they point to. GSC_PARTIAL: something was cut, unknown or led
 * nowhere.
 *
 * Follows dwords of the caller as if they lay at `address`; batches that they start are read from
 * the GPU's source, if there is one.
 */
GSC_API enum gsc_status gsc_follow_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
					 uint64_t address, const uint32_t *words, size_t count,
					 const struct gsc_follow_options *options,
					 const struct gsc_listener *listener,
					 struct gsc_error *err);
/* A batch at a global or per-process address. */
GSC_API enum gsc_status gsc_follow_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
					   uint64_t address, bool process,
					   const struct gsc_follow_options *options,
					   const struct gsc_listener *listener,
					   struct gsc_error *err);
/* Every ring and batch of the source, traces submission by submission. GSC_UNKNOWN: none. */
GSC_API enum gsc_status gsc_follow_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
				       const struct gsc_follow_options *options,
				       const struct gsc_listener *listener, struct gsc_error *err);

/* ---- what went wrong ------------------------------------------------------------------------ */

/* What went wrong: faults, errors, what each engine was doing, fences, and a sentence about it. */
struct gsc_hang;

/* How a hang is looked at. Options that are all zero are the defaults. */
struct gsc_hang_options {
	bool no_walk;			/* do not translate the faulting addresses */
	bool now;			/* a live GPU may be asked twice, to see whether it moves */
};

/* Collects all that a source shows of a hang. It clears nothing. The GPU has to outlive it. */
GSC_API enum gsc_status gsc_hang_new(struct gsc_hang **hang, const struct gsc_gpu *gpu,
				     const struct gsc_hang_options *options, struct gsc_error *err);
GSC_API void gsc_hang_free(struct gsc_hang *hang);

/* What the driver has said of the hang when it wrote the dump: reason, process, time, kernel. */
struct gsc_about {
	const char *name;		/* "reason" */
	char text[256];
	bool detail;			/* about the GPU rather than the hang: shown on request */
};

/* Statement number `i` of the driver; false past the last. */
GSC_API bool gsc_hang_about(const struct gsc_hang *hang, size_t i, struct gsc_about *about);

/* A fault that a register, or a line of a log, has recorded; or a register that has none. */
struct gsc_fault {
	struct gsc_reg reg;		/* name NULL: it is from a log */
	uint64_t value;			/* of the register */
	bool valid;			/* else only the address counts, perhaps an older fault's */
	char engine[16];		/* whose access it was, or "" */
	bool has_address;
	uint64_t address;
	const char *space;		/* "ggtt", "ppgtt", "dma", or NULL */
	const char *type;		/* "invalid PTE", or NULL */
	const char *access;		/* "read", "write", "atomic", or NULL */
	int source_id;			/* number of the unit that asked, or -1 */
	const char *level;		/* the level without a valid entry: "pte", or NULL */
	char text[512];			/* what it means */
};

/* Registers that can record one come in the order of their engines; those with one first. */
GSC_API bool gsc_hang_fault(const struct gsc_hang *hang, size_t i, struct gsc_fault *fault);
/* How the faulting address is translated by the tables of the source. False: why it is not. */
GSC_API bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
			   const struct gsc_translation **translation, char *why, size_t size);

/* A bit, or a field, that reports an error. */
struct gsc_trouble {
	struct gsc_reg reg;
	uint64_t value;			/* of the register */
	unsigned hi, lo;
	const char *name;		/* of the field */
	char text[320];			/* what it means, and what becomes of it */
};

/* Error number `i`; false past the last. */
GSC_API bool gsc_hang_error(const struct gsc_hang *hang, size_t i, struct gsc_trouble *error);

/* What an engine was doing. */
enum gsc_engine_state {
	GSC_ENGINE_UNKNOWN,		/* its registers are not there, or do not say */
	GSC_ENGINE_IDLE,
	GSC_ENGINE_RUNNING,
	GSC_ENGINE_WAITING,		/* for a semaphore, an event, a scan line */
	GSC_ENGINE_HUNG,
};

/* The word for it: "idle", "hung", ... */
GSC_API const char *gsc_engine_state_word(enum gsc_engine_state state);

/* Which members of a struct gsc_engine are known. */
enum gsc_engine_known {
	GSC_KNOWN_HEAD = 1 << 0, GSC_KNOWN_TAIL = 1 << 1, GSC_KNOWN_START = 1 << 2,
	GSC_KNOWN_CONTROL = 1 << 3, GSC_KNOWN_ACTHD = 1 << 4, GSC_KNOWN_IPEHR = 1 << 5,
	GSC_KNOWN_RING = 1 << 6,	/* ring_bytes, head_offset, ..., wraps */
	GSC_KNOWN_ACTHD_PROCESS = 1 << 7,	/* acthd is a per-process address */
	GSC_KNOWN_ACTHD_RING = 1 << 8,	/* acthd is in the ring, at acthd_offset */
};

/* An engine: its state, its pointers, and the command that it stopped in. */
struct gsc_engine {
	const char *name;		/* "rcs0" */
	enum gsc_engine_state state;
	bool blamed;			/* the dump itself says that it hangs */
	unsigned known;			/* which of the members below are: enum gsc_engine_known */
	uint64_t head, tail, start, control, acthd, ipehr;	/* register values */
	const char *header;		/* the command whose first dword ipehr may be, or NULL */
	uint64_t ring_bytes, head_offset, tail_offset, used, free, wraps;
	/* Where the engine stopped: */
	bool stopped;			/* `command` and `run` are known */
	bool agrees;			/* the command's first dword is IPEHR */
	struct gsc_command command;	/* its words live as long as the hang */
	struct gsc_run run;		/* ring or batch of the command */
	uint64_t offset;		/* bytes from the command's first dword to ACTHD */
	char where[256];		/* where it stopped in words, or why that is not known */
	bool enabled;			/* `control` says that the ring is enabled */
	uint64_t acthd_offset;		/* bytes from the beginning of the ring */
};

/* Engine number `i`; false past the last. */
GSC_API bool gsc_hang_engine(const struct gsc_hang *hang, size_t i, struct gsc_engine *engine);

/* The command that asked for a faulting address: it holds one of that page. */
struct gsc_cause {
	struct gsc_run run;		/* the ring or batch that it is in */
	struct gsc_command command;	/* its words live as long as the hang */
	bool stopped;			/* the engine stopped in it, not after it */
	bool in_state;			/* state that the command points to has the address */
	uint64_t state;			/* address of that state */
	char field[96];			/* "ADDRESS"; in state "NAME.FIELD", or "NAME": all of it */
	unsigned dword;			/* of the command or the state, where the field begins */
	uint64_t value;			/* the address that the field holds */
};

/*
 * The command that asked for the address of a fault: the last one before the engine stopped that
 * holds an address of the same page or, if there is none, points to state that does. The first call
 * goes through the commands of the source. False: none is known, or there is no memory.
 */
GSC_API bool gsc_hang_cause(struct gsc_hang *hang, size_t fault, struct gsc_cause *cause);

/* What a detail of an engine is. */
enum gsc_detail_kind {
	GSC_DETAIL_EVIDENCE,		/* why the state is what it is */
	GSC_DETAIL_BUSY,		/* a unit that is not done, by INSTDONE and its like */
	GSC_DETAIL_UNITS,		/* several such units: "all 12 EUs" */
	GSC_DETAIL_WITNESS,		/* what else its registers say */
};

/* A detail of the state of an engine. */
struct gsc_detail {
	enum gsc_detail_kind kind;
	bool minor;			/* it says little about most hangs */
	char name[64];			/* name of a register, unit or rule */
	char text[512];
};

/* Number `detail` of engine i, by kind. */
GSC_API bool gsc_hang_detail(const struct gsc_hang *hang, size_t i, size_t detail,
			     struct gsc_detail *out);

/* A fence register: memory of the aperture that is seen untiled. */
struct gsc_fence {
	unsigned index;
	uint64_t raw;
	bool valid;
	uint64_t start, end;		/* graphics addresses, end exclusive */
	unsigned pitch;			/* bytes */
	char tiling;			/* 'X' or 'Y' */
	char problem[128];		/* why no surface can be like this, or "" */
	uint64_t reserved;		/* bits that are set and belong to no field */
};

/* Fence number `i`; false past the last. */
GSC_API bool gsc_hang_fence(const struct gsc_hang *hang, size_t i, struct gsc_fence *fence);
/* Decodes the value of a fence register. */
GSC_API void gsc_fence_decode(const struct gsc_view *view, unsigned index, uint64_t raw,
			      struct gsc_fence *fence);

/* How far a request got. */
enum gsc_request_state {
	GSC_REQUEST_UNKNOWN,
	GSC_REQUEST_WAITS,		/* the request never began */
	GSC_REQUEST_BEGUN,		/* it began, and is not done */
	GSC_REQUEST_DONE,
};

/* Which members of a struct gsc_request are known. */
enum gsc_request_known {
	GSC_REQUEST_CONTEXT = 1 << 0, GSC_REQUEST_SEQNO = 1 << 1, GSC_REQUEST_PID = 1 << 2,
	GSC_REQUEST_HEAD = 1 << 3, GSC_REQUEST_POST = 1 << 4, GSC_REQUEST_TAIL = 1 << 5,
};

/* What a driver had given to an engine, as its dump lists it: a request of i915, a job of xe. */
struct gsc_request {
	char engine[16];		/* "rcs0", or "" where the dump does not say */
	char name[32];			/* "ELSP[0]", "request 3", "context 5" */
	enum gsc_request_state state;
	bool current;			/* HEAD is in this request */
	unsigned known;			/* which of the members below are: enum gsc_request_known */
	uint64_t context;		/* i915: its number; xe: its descriptor */
	uint32_t seqno;
	uint64_t pid;
	uint64_t head, tail;		/* offsets in the ring: where it begins and ends */
	uint64_t post;			/* offset where it reports that it is done */
	char text[256];			/* the same in words */
};

/* Request number `i`; false past the last. */
GSC_API bool gsc_hang_request(const struct gsc_hang *hang, size_t i, struct gsc_request *request);

/* The word for it: "never began", "done", ... */
GSC_API const char *gsc_request_state_word(enum gsc_request_state state);

/* Memory that a dump lists without its contents: objects of i915, ranges of xe's VM. */
struct gsc_object {
	char list[48];			/* "Active [12]", "Pinned (global) [3]", "vm" */
	uint64_t start, size;
	char text[256];			/* "active object of 0x1000 bytes at 0x2540000, ..." */
};

/* Object number `i`; false past the last. */
GSC_API bool gsc_hang_object(const struct gsc_hang *hang, size_t i, struct gsc_object *object);

/* What about the state as a whole breaks a rule, or makes it doubtful. */
GSC_API enum gsc_status gsc_hang_check(struct gsc_hang *hang, gsc_breach_fn *each, void *context,
				       struct gsc_error *err);

/*
 * A signature that hangs of one kind share, "snb/rcs0/3DSTATE_INDEX_BUFFER/page-fault", and a
 * sentence.
 */
GSC_API const char *gsc_hang_signature(const struct gsc_hang *hang);
GSC_API const char *gsc_hang_verdict(const struct gsc_hang *hang);

/* What the kernel has kept of a hang of a live source's GPU, or a capture of what it had kept. */
struct gsc_stored {
	char path[128];			/* on a live device: gsc_source_open() takes it */
	const char *kind;		/* "i915 error state", "Xe devcoredump" */
	int64_t saved;			/* when the capture was made, seconds since 1970; or -1 */
	enum gsc_source_form form;	/* the same as a number */
};

/* Number i; false past the last. Whether it can be read is seen by opening it. */
GSC_API bool gsc_stored(const struct gsc_source *source, size_t i, struct gsc_stored *stored);
/* Opens number i as a source of its own, which the first one has to outlive. */
GSC_API enum gsc_status gsc_stored_open(struct gsc_source **out, const struct gsc_source *source,
					size_t i, const struct gsc_source_options *options,
					struct gsc_error *err);

/* What lines of a kernel log that belong together tell of: a fault, a hang, a reset. */
enum gsc_event_kind {
	GSC_EVENT_FAULT,		/* of the GPU's own tables */
	GSC_EVENT_DMA_FAULT,		/* of the IOMMU */
	GSC_EVENT_ERROR,		/* EIR, PGTBL_ER, a firmware that does not answer, ... */
	GSC_EVENT_HANG,
	GSC_EVENT_RESET,
	GSC_EVENT_DUMP,			/* the kernel has kept a dump of it */
	GSC_EVENT_KINDS
};

GSC_API const char *gsc_event_word(enum gsc_event_kind kind);	/* "fault", "dma-fault", ... */

/* What an event is worth: only the first can stop work. */
enum gsc_event_rank {
	GSC_EVENT_MAIN,
	GSC_EVENT_LESSER,		/* something does not work, such as saving power */
	GSC_EVENT_ASIDE,		/* a flicker, advice */
};

/* The most values of registers that an event has. */
#define GSC_EVENT_VALUES 10

/* An event of a log. */
struct gsc_event {
	enum gsc_event_kind kind;
	enum gsc_event_rank rank;
	size_t line, lines;		/* number of its first line, from 1; how many it has */
	/*
	 * The first of them, `log_length` bytes, without its end; lives as long as the log. Other
	 * names in here live as long as the definitions.
	 */
	const char *log;
	size_t log_length;
	bool has_time;
	double time;			/* seconds since boot, from the log */
	char stamp[40];			/* time or date as the log writes it, or "" */
	char driver[16];		/* "i915", "xe", "DMAR" */
	char device[16];		/* "0000:00:02.0", or "" */
	struct gsc_fault fault;		/* of other kinds than faults: engine and text only */
	char process[64];		/* the process whose work it was: "Xorg [1981]", or "" */
	uint32_t asid;			/* xe only */
	bool has_asid, has_pasid, has_reason, has_code;
	uint32_t pasid, reason;		/* DMAR only */
	uint32_t code;			/* the code that i915 gives a hang */
	uint64_t platforms;		/* those it can be of, a bit for each index; 0: all */
	bool wedged;			/* the driver has given up the GPU */
	struct {
		const char *name;	/* "EIR" */
		uint64_t value;
	} values[GSC_EVENT_VALUES];	/* registers with values in the lines */
	unsigned value_count;
	unsigned repeats;		/* how often it comes again with no other in between */
};

/* A kernel's log, whatever comes before the messages on its lines. */
struct gsc_log;

/*
 * Begins to read a log. The text has to outlive it. The view may be NULL: then what depends on the
 * platform is missing. GSC_FAILED: this is no text.
 */
GSC_API enum gsc_status gsc_log_new(struct gsc_log **log, const struct gsc_db *db,
				    const struct gsc_view *view, const void *text, size_t size,
				    struct gsc_error *err);
GSC_API void gsc_log_free(struct gsc_log *log);
/* The next event of a log; false past the last. */
GSC_API bool gsc_log_next(struct gsc_log *log, struct gsc_event *event);
/* The GPU that a log names first; *device is its id, or -1 if only its firmware names it. */
GSC_API bool gsc_log_platform(const struct gsc_db *db, const void *text, size_t size,
			      struct gsc_platform *platform, int *device);

/* A summary of the events of a log, and where the addresses in them lead. */
struct gsc_story;

/*
 * Makes a summary without events. Source and GPU may be NULL; what depends on them is then missing.
 * All of them have to outlive it.
 */
GSC_API enum gsc_status gsc_story_new(struct gsc_story **story, const struct gsc_db *db,
				      struct gsc_source *source, const struct gsc_gpu *gpu,
				      const struct gsc_hang_options *options,
				      struct gsc_error *err);
GSC_API void gsc_story_free(struct gsc_story *story);
/* Takes one more event. */
GSC_API void gsc_story_add(struct gsc_story *story, const struct gsc_event *event);
/*
 * How the address of an event is translated by the tables of the source, which are kept for the
 * next; the walk lives until the next call. NULL: why it is not, or "" if there is no address.
 */
GSC_API const struct gsc_walk *gsc_story_walk(struct gsc_story *story,
					      const struct gsc_event *event,
					      const struct gsc_translation **translation,
					      char *why, size_t size);
/* Signature and sentence of the events so far, as those of a hang; valid until the next call. */
GSC_API const char *gsc_story_signature(struct gsc_story *story);
GSC_API const char *gsc_story_verdict(struct gsc_story *story);

/*
 * What hardware writes to memory for others to read, or to read again itself: a status page, the
 * image of a context, performance reports, a ring. An image is told in parts, in the order of their
 * offsets; one part has fields, or registers, or commands.
 */
struct gsc_image;

/* What an image is of. */
enum gsc_image_kind {
	GSC_IMAGE_HWSP,
	GSC_IMAGE_CONTEXT,
	GSC_IMAGE_OA,			/* performance reports, one or many */
	GSC_IMAGE_RING,
	GSC_IMAGE_KINDS
};

GSC_API const char *gsc_image_word(enum gsc_image_kind kind);	/* "hwsp", ... */

/* What an image is made from. */
struct gsc_image_options {
	enum gsc_image_kind kind;
	const char *engine;		/* NULL: the one that the source blames, or "rcs0" */
	/*
	 * The layout. OA: its name with or without OA_REPORT_, NULL: what the registers say.
	 * Context: "lrc" (a status page first), "state" (none), "pphwsp", "probe-list", NULL: as
	 * it looks.
	 */
	const char *format;
	const struct gsc_gpu *gpu;	/* its registers explain the image; NULL: there are none */
	const void *data;		/* the bytes; NULL: those of the source */
	size_t size;
};

/*
 * Makes an image, which keeps a copy of the bytes. Set and source have to outlive it. GSC_USAGE: no
 * options.
 */
GSC_API enum gsc_status gsc_image_new(struct gsc_image **image, struct gsc_commands *set,
				      const struct gsc_image_options *options,
				      struct gsc_error *err);
GSC_API void gsc_image_free(struct gsc_image *image);

/* What an image is, and where it comes from. */
struct gsc_image_about {
	enum gsc_image_kind kind;
	char engine[16];
	char from[96];			/* "HW Status of rcs0", "rcs0.HWS_PGA 0x00001000", or "" */
	bool placed;			/* the address is known */
	uint64_t address;		/* graphics address of the first byte */
	uint64_t size;			/* bytes that were looked at */
	char cut[160];			/* where the image breaks off, or "" */
	struct gsc_mark marks[3];	/* places in a ring */
	size_t mark_count;
};

/* What the image is, and where it comes from. */
GSC_API void gsc_image_about(const struct gsc_image *image, struct gsc_image_about *about);
/* What the whole of it says: the arithmetic of a ring, the root of the page tables; or NULL. */
GSC_API const char *gsc_image_note(const struct gsc_image *image, size_t i);

/* A part of an image. */
struct gsc_image_part {
	const char *name;		/* name of its structure or command: "CONTEXT_STATUS" */
	int index;			/* in its array, or -1 */
	bool aside;			/* registers of the source, not part of the image */
	uint64_t offset, size;		/* bytes from the image's beginning, bytes it should have */
	const uint32_t *words;		/* dwords held */
	size_t count;			/* of words */
	bool commands;			/* the words are commands, for gsc_follow_words() */
	size_t registers;		/* how many gsc_image_register() gives */
	const char *text;		/* what the part means as a whole, or "" */
	const char *problem;		/* what is wrong with it, or "" */
};

/* Part number `i`; false past the last. */
GSC_API bool gsc_image_part(const struct gsc_image *image, size_t i, struct gsc_image_part *part);
/* Its fields, as far as its words go; their dwords count from the part's first. False: none. */
GSC_API bool gsc_image_fields(const struct gsc_image *image, size_t i, struct gsc_field_iter *it);
/* Register number j of a part, with the value that the image gives it. */
GSC_API bool gsc_image_register(const struct gsc_image *image, size_t i, size_t j,
				struct gsc_row *row);

/* ---- tiled surfaces ----------------------------------------------------------------------- */

/* How a surface is tiled. */
enum gsc_tiling {
	GSC_TILING_LINEAR, GSC_TILING_X, GSC_TILING_Y, GSC_TILING_W, GSC_TILING_YF, GSC_TILING_YS,
	GSC_TILING_4, GSC_TILING_64,
	GSC_TILINGS
};

/* Tilings by the words that gpu-tile(1) has: "x", "yf", "tile64", ... */
GSC_API const char *gsc_tiling_name(enum gsc_tiling tiling);
GSC_API bool gsc_tiling_by_name(const char *name, enum gsc_tiling *tiling);

/*
 * Bit 6 of an address may be exchanged by the parity of others: a swizzle is the set of these,
 * 1 << 9 | 1 << 10. "none", "9", "9/10", "9/11", "9/10/11", "9/17", "9/10/17".
 */
GSC_API const char *gsc_swizzle_name(uint32_t swizzle);		/* NULL: no GPU does that */
/*
 * The swizzle of a tiling, by the registers of a source, which may be NULL. `why` says where that
 * is from; false: it is not known, and *swizzle is 0.
 */
GSC_API bool gsc_swizzle_find(const struct gsc_gpu *gpu, enum gsc_tiling tiling, uint32_t *swizzle,
			      char *why, size_t size);
/*
 * What bit 17 adds to a swizzle: it is one of the physical address, which no layout knows. Makes
 * the bytes of a page, from a multiple of 128 on, what they are without it, or the other way round.
 */
GSC_API void gsc_swizzle_17(uint64_t physical, void *bytes, size_t size);

/* A surface in memory, as far as the place of its elements depends on it. */
struct gsc_surface {
	enum gsc_tiling tiling;
	unsigned bits;			/* of an element: 8, 16, 32, 64, 128; linear: n * 8 */
	unsigned samples;		/* 1, 2, 4, 8 or 16 */
	unsigned dimensions;		/* 2, or 3 for tiles with depth */
	uint64_t pitch;			/* bytes */
	uint64_t rows;			/* of a slice of tiles, if there are several; or 0 */
	uint32_t swizzle;
};

/* How the elements of a surface lie in memory: a permutation of address bits, tile by tile. */
struct gsc_layout {
	struct gsc_surface surface;
	unsigned tile_bits;		/* a tile has 1 << tile_bits bytes */
	uint32_t x, y, z, sample;	/* the bits of an offset in a tile that count each */
	unsigned width, height, depth;	/* bytes, rows, slices of a tile */
	unsigned samples;		/* in a tile; further samples lie in further slices */
	const char *document, *section;	/* origin of the order */
};

/* One element; `byte` is a place inside of it. */
struct gsc_point {
	uint64_t x, y, z;
	unsigned sample, byte;
};

/* GSC_USAGE: the platform or no document has such a surface, and *err says what it does have. */
GSC_API enum gsc_status gsc_layout_init(struct gsc_layout *layout, const struct gsc_platform *p,
					const struct gsc_surface *surface, struct gsc_error *err);
/*
 * From an element to its offset, and back. False: the surface has no such element, or the number
 * would be too large.
 */
GSC_API bool gsc_layout_offset(const struct gsc_layout *layout, const struct gsc_point *point,
			       uint64_t *offset);
GSC_API void gsc_layout_point(const struct gsc_layout *layout, uint64_t offset,
			      struct gsc_point *point);
/* Bytes of so many rows, in whole tiles; UINT64_MAX: too many to count. */
GSC_API uint64_t gsc_layout_bytes(const struct gsc_layout *layout, uint64_t rows);

/* Elements of one sample and one slice. */
struct gsc_rectangle {
	uint64_t x, y, width, height;
	uint64_t z;
	unsigned sample;
};

/*
 * Copies a rectangle out of a surface into rows that are `pitch` bytes apart, or into the surface.
 */
GSC_API enum gsc_status gsc_detile(const struct gsc_layout *layout, const void *tiled, size_t size,
				   const struct gsc_rectangle *rectangle, void *linear,
				   size_t pitch, struct gsc_error *err);
GSC_API enum gsc_status gsc_tile(const struct gsc_layout *layout, void *tiled, size_t size,
				 const struct gsc_rectangle *rectangle, const void *linear,
				 size_t pitch, struct gsc_error *err);

/*
 * What the processor reaches at an address in a fence's range: the byte x of row y, at *offset from
 * the beginning of the range. In the last row of tiles, where it is cut short, that may be past
 * the range's end.
 */
GSC_API enum gsc_status gsc_fence_translate(const struct gsc_platform *p,
					    const struct gsc_fence *fence, uint32_t swizzle,
					    uint64_t address, struct gsc_point *point,
					    uint64_t *offset, struct gsc_error *err);

/* Who uses a surface, besides the processor through a fence. */
enum gsc_client {
	GSC_CLIENT_ANY, GSC_CLIENT_DISPLAY, GSC_CLIENT_RENDER, GSC_CLIENT_DEPTH,
	GSC_CLIENT_STENCIL, GSC_CLIENT_SAMPLER, GSC_CLIENT_BLITTER, GSC_CLIENT_SPARSE,
	GSC_CLIENTS
};

/* A surface at its place, with its user. */
struct gsc_placement {
	struct gsc_surface surface;
	enum gsc_client client;
	bool has_base;
	uint64_t base;			/* graphics address */
	uint64_t width, height;		/* elements; 0: not known */
	const struct gsc_fence *fences;	/* those that the processor uses for it */
	size_t fence_count;
	bool remapped;			/* the processor uses another table than the client */
};

/* Every rule of the documents that a placement breaks. */
GSC_API void gsc_placement_check(const struct gsc_platform *p,
				 const struct gsc_placement *placement, gsc_breach_fn *each,
				 void *context);

/*
 * Where the auxiliary data of a graphics address is (Gen12): a table of three levels, whose tables
 * lie at graphics addresses too.
 */
struct gsc_aux_step {
	unsigned level, index;		/* 3, 2, 1 */
	uint64_t table, address;	/* of the table, of the entry */
	uint64_t entry;
};

/* What became of a graphics address in these tables. */
struct gsc_aux_walk {
	uint64_t address;		/* in its 48-bit form where it has one */
	bool mapped;
	enum gsc_status status;		/* not mapped: GSC_UNKNOWN, or why the read failed */
	uint64_t covers, size;		/* bytes of the surface, and of its auxiliary data */
	uint64_t auxiliary;		/* graphics address of the auxiliary data */
	enum gsc_stop stop;		/* not canonical, not present, or no memory */
	char why[256];
	/* From the last entry; Gen12.5 and later ignore these: */
	bool has_format;
	unsigned format, depth, tile_mode;
	bool chroma;
	size_t count;
	struct gsc_aux_step steps[3];
};

/*
 * The table that an engine's register names, NULL: the first engine that has any. `from` says which
 * that is. GSC_USAGE: the platform has no such tables, or the engine none. If no register names
 * one, the first of them says why: GSC_UNKNOWN, it is 0 or not in the source; GSC_DENIED or
 * GSC_GONE, it cannot be read.
 */
GSC_API enum gsc_status gsc_aux_root(const struct gsc_gpu *gpu, const char *engine, uint64_t *root,
				     char *from, size_t size, struct gsc_error *err);
/*
 * `root` is the address of the first table, in units of 8 bytes and of 48 bits: what is more is not
 * looked at. GSC_USAGE: the platform has none. GSC_FAILED: memory is out. Why an address is not
 * mapped is told by the walk.
 */
GSC_API enum gsc_status gsc_aux_walk(struct gsc_translation *translation, uint64_t root,
				     uint64_t address, struct gsc_aux_walk *walk,
				     struct gsc_error *err);

/* What a surface format makes of memory. */
struct gsc_format {
	unsigned bits;			/* of an element */
	unsigned width, height;		/* pixels of an element; compressed: of a block */
};

/* What a RENDER_SURFACE_STATE says, in elements of its format. */
struct gsc_surface_state {
	struct gsc_surface surface;	/* bits 0: the format is not known */
	char type[16], format[64];	/* "2D"; "B8G8R8A8_UNORM", or "" */
	struct gsc_format element;	/* bits 0: the format is not known */
	uint64_t base;			/* graphics address */
	uint64_t width, height;		/* of a slice, with all samples that lie side by side */
	uint64_t x, y;			/* the element that the surface begins at */
	uint64_t slices, first;		/* how many, and the first one of the array */
	uint64_t apart;			/* rows from slice to slice; 0: it does not say */
	unsigned samples, layers;	/* layers: slices in memory for each one */
	bool side_by_side;		/* samples are elements */
	char notes[6][160];		/* what one might overlook */
	size_t note_count;
};

/* The most bytes of a surface state. */
#define GSC_SURFACE_STATE_MAX 64

/*
 * Bytes of a surface state, at most GSC_SURFACE_STATE_MAX, and of what its address is a multiple;
 * 0: the platform has none, and *step is left as it was.
 */
GSC_API size_t gsc_surface_state_size(const struct gsc_view *view, unsigned *step);
/*
 * GSC_USAGE: the platform has no surface states, or there are too few words. GSC_FAILED: these are
 * none, or of no surface with rows.
 */
GSC_API enum gsc_status gsc_surface_of_state(const struct gsc_view *view, const uint32_t *words,
					     size_t count, struct gsc_surface_state *state,
					     struct gsc_error *err);

#ifdef __cplusplus
}
#endif
#endif
