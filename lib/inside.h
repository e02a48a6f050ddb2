/* SPDX-License-Identifier: MIT */
/* What the rooms share with each other and with the commands. */
#ifndef GSC_INSIDE_H
#define GSC_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GSC_API __attribute__((visibility("default")))

/* ---- results ------------------------------------------------------------------------------ */

/* What every function that can fail returns. */
enum gsc_status {
	GSC_OK = 0,
	GSC_FAILED = 1,		/* cannot open, not recognised, damaged beyond use, no GPU */
	GSC_USAGE = 2,		/* the request makes no sense */
	GSC_UNKNOWN = 3,	/* an unknown name, an address that no source holds */
	GSC_DENIED = 4,		/* the kernel refused */
	GSC_GONE = 5,		/* device asleep, suspended or removed */
	GSC_PARTIAL = 6,	/* done, but not all of it */
};

/* What went wrong. A message consists of the member `what`, a colon and the member `why`. */
struct gsc_error {
	enum gsc_status status;
	char what[256];		/* the thing: a file, an option, an address */
	char why[512];		/* the reason, and the way out if there is one */
};

/* ---- definitions -------------------------------------------------------------------------- */

/* Definitions: what bits mean, on every platform. Views are made from them. */
struct gsc_db;

/* Makes a database of the built-in definitions. */
GSC_API enum gsc_status gsc_db_new(struct gsc_db **db, struct gsc_error *err);
GSC_API void gsc_db_free(struct gsc_db *db);

/*
 * Adds a file of definitions in the language of gpuscope-def(5). It is searched before the built-in
 * definitions, and after the files added earlier. Add files before making views.
 */
GSC_API enum gsc_status gsc_db_add_file(struct gsc_db *db, const char *path, struct gsc_error *err);

/* An address space. */
enum gsc_space {
	GSC_MMIO,		/* the register part of the register BAR */
	GSC_CONFIG,		/* PCI configuration space */
	GSC_IO,			/* I/O ports; addresses below 0x3b0 are offsets in the I/O BAR */
	GSC_VGA_SR, GSC_VGA_GR, GSC_VGA_AR, GSC_VGA_CR,	/* indexed VGA registers */
	GSC_SIDEBAND,		/* IOSF port << 16 | register; each register has 32 bits */
	GSC_GGTT,		/* bytes of the entries of the GGTT */
	GSC_PHYS,		/* physical memory */
	GSC_LMEM,		/* device-local memory */
	GSC_GTTMEM,		/* memory by its GGTT address */
	GSC_PPGTTMEM,		/* memory by its PPGTT address */
	GSC_STOLEN,		/* offsets in stolen memory whose base is unknown */
	GSC_SPACES
};

/* The name of a space in selectors and captures: "mmio", "config", "phys", ... */
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
	unsigned ggtt_bar;		/* not 0: this BAR has the GGTT; ggtt_offset is bar_size */
	uint64_t ggtt_max;		/* largest GGTT, bytes */
	unsigned ggtt_entry;		/* bytes of one GGTT entry */
	unsigned address_bits;		/* of a physical address */
	unsigned virtual_bits;		/* of a graphics address; higher bits repeat its sign */
	unsigned fences;
	const struct b_property *properties;	/* for the library only */
};

/* The number of platforms, and platform number `index`; false past the last. */
GSC_API unsigned gsc_platform_count(const struct gsc_db *db);
GSC_API bool gsc_platform_at(const struct gsc_db *db, unsigned index, struct gsc_platform *p);
/* The platform of a PCI device id; *text becomes the product name of the device. */
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
	GSC_REG_VOLATILE = 1 << 0,	/* it counts or changes by itself */
	GSC_REG_MULTICAST = 1 << 1,	/* it is replicated: a read needs steering */
	GSC_REG_HAZARD_READ = 1 << 2,	/* reading changes something */
	GSC_REG_HAZARD_HANG = 1 << 3,	/* the access may hang the machine */
	GSC_REG_HAZARD_WRITE = 1 << 4,	/* writing does more than store the value */
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
	const char *wake;		/* forcewake domains, comma-separated, or NULL */
	const char *group, *group_title;
	const char *doc;
	const char *document, *section;	/* origin: key of the document, section in it */
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

/* Platforms on which something exists in some PCI revisions only, and these revisions. */
struct gsc_revisions {
	uint64_t platforms;		/* a bit for each index */
	unsigned lo, hi;
};

/*
 * Whether the view contains an item that exists on `platforms`; on the platforms named in
 * `revisions`, only in those revisions.
 */
GSC_API bool gsc_view_sees(const struct gsc_view *view, uint64_t platforms,
			   const struct gsc_revisions *revisions);

/* The number of registers in the view, and register number `i`, by space and offset. */
GSC_API size_t gsc_view_count(const struct gsc_view *view);
GSC_API void gsc_view_reg(const struct gsc_view *view, size_t i, struct gsc_reg *reg);

/* The number of the first register at or after an address; gsc_view_count() if there is none. */
GSC_API size_t gsc_view_seek(const struct gsc_view *view, enum gsc_space space, uint64_t offset);

/*
 * Writes the name with engine and index, "rcs0.NAME[3]", or the address if no register is
 * defined, and returns its length.
 */
GSC_API size_t gsc_reg_full_name(const struct gsc_reg *reg, char *buf, size_t size);

/*
 * Alias number `i` of a register, counting only aliases for this platform and engine; NULL past the
 * last.
 */
GSC_API const char *gsc_reg_alias(const struct gsc_view *view, const struct gsc_reg *reg, size_t i);

/* A property of an address range: a hazard, an alias, a null range. */
struct gsc_range {
	uint64_t start, last;
	const char *kind;		/* "hang", "read", "alias", "null", "reserved" */
	const char *why;
	const char *document, *section;
};

/* The range that contains an address, whether or not a register is there; false: none. */
GSC_API bool gsc_view_range(const struct gsc_view *view, uint64_t offset, struct gsc_range *range);

/* ---- fields ------------------------------------------------------------------------------- */

/* What a field is, besides a number. */
enum gsc_field_flag {
	GSC_FIELD_MBZ = 1 << 0,
	GSC_FIELD_MBO = 1 << 1,
	GSC_FIELD_IGNORED = 1 << 2,	/* the hardware ignores it */
	GSC_FIELD_OVERLAY = 1 << 3,	/* another meaning of bits that have one already */
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

/* A position in a list of fields. The members are for the library only. */
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
 * Begins to decode a value of a register. Each call of gsc_field_next() gives one field, highest
 * bits first, and false past the last. The text of a field is valid until the next call.
 */
GSC_API void gsc_reg_fields(const struct gsc_view *view, const struct gsc_reg *reg, uint64_t value,
			    struct gsc_field_iter *it);
GSC_API bool gsc_field_next(struct gsc_field_iter *it, struct gsc_field *field);

/* A documented value of a field, or a range of values. */
struct gsc_value {
	uint64_t lo, hi;
	const char *name, *doc;
};

/* Documented value number `i` of the field that gsc_field_next() gave last; false past the last. */
GSC_API bool gsc_field_value(const struct gsc_field_iter *it, size_t i, struct gsc_value *value);

/* ---- browsing definitions ----------------------------------------------------------------- */

/*
 * What a definition describes. The functions of this part are for browsing and exporting
 * definitions of all platforms.
 */
enum gsc_kind { GSC_REGISTER, GSC_COMMAND, GSC_STRUCTURE, GSC_ENTRY, GSC_INSTRUCTION };

/* A definition, of any kind. */
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
	uint32_t mask, value;		/* commands: these bits of dword 0 have this value */
	int length_hi, length_lo;	/* commands: bits of the length field; -1: fixed */
	unsigned length;		/* commands: dwords, or the bias of that field */
	const char *modes, *level;	/* entries: "pml4,pdp32", "pde" */
	int index_hi, index_lo;		/* entries: address bits that select one, or -1 */
	unsigned index_every;		/* entries: only each n-th slot of a table is used */
	const char *valid;		/* entries: the field that says it is valid, or NULL */
	uint64_t valid_value;		/* the value of that field then */
	unsigned opcode, sources;	/* instructions: of the EUs; how many sources */
	const char *form;		/* instructions: how the rest of it is encoded */
};

/*
 * Item number `i` of a kind, the user's files first, and the item with the number `def` from a
 * struct gsc_reg or struct gsc_item; false if there is none.
 */
GSC_API bool gsc_item_at(const struct gsc_db *db, enum gsc_kind kind, size_t i,
			 struct gsc_item *item);
GSC_API bool gsc_item_by_def(const struct gsc_db *db, enum gsc_kind kind, uint32_t def,
			     struct gsc_item *item);

/*
 * Alias number `i` of an item; NULL past the last. *platforms, unless NULL, becomes the platforms
 * that have the alias.
 */
GSC_API const char *gsc_item_alias(const struct gsc_db *db, const struct gsc_item *item, size_t i,
				   uint64_t *platforms);

/* The engine class with the number `bit`: "rcs", "bcs", ...; NULL past the last. */
GSC_API const char *gsc_engine_class(unsigned bit);

/* A place of a register, as the definition has it, not yet applied to a platform. */
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
 * Begins to list the fields of an item: with a view those of its platform, decoded from `count`
 * dwords; with NULL all defined fields, with value 0.
 */
GSC_API void gsc_item_fields(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, const uint32_t *words, size_t count,
			     struct gsc_field_iter *it);

/* How a definition says to interpret the bits of a field. */
struct gsc_form {
	const char *type;		/* hex dec bool signed float ufixed sfixed */
	const char *address;		/* the space that the address is in: "ggtt", or NULL */
	unsigned fraction;		/* bits of a fixed-point number */
	unsigned shift;			/* quantity: ((value + add) << shift) * multiply / divide */
	uint32_t add, multiply, divide;
	const char *unit, *join, *target;	/* or NULL */
	const char *to;			/* compacted instructions: the bits that it stands for */
	const char *when;		/* the field that must be when_value, or NULL */
	uint64_t when_value;
	const char *when_list;		/* "1|4..7": one of these, the bits of when_value */
	bool when_not;			/* it must have any other value */
	/* Only with a target: */
	const char *base;		/* base of the value: "dynamic", or NULL */
	struct gsc_amount {		/* the quantity of a field, or 1, times a number; or 0 */
		const char *field;
		uint32_t number;
	} count, most;
	bool in_bytes;			/* the count is in bytes */
	const char *last;		/* the field with the address of the last byte, or NULL */
	const char *only;		/* the field that must be only_value, or NULL */
	uint64_t only_value;
	bool only_not;			/* it must have any other value */
};

/* How to interpret the field that gsc_field_next() gave last. */
GSC_API void gsc_field_form(const struct gsc_field_iter *it, struct gsc_form *form);

/* A group of fields that repeats; their dwords count from the start of the group. */
struct gsc_repeat {
	const char *name;
	unsigned at, size;		/* dwords */
	bool after;			/* each follows the one before; the first is at `at` */
	unsigned count;			/* groups; 0: no fixed number */
	const char *count_field;	/* field with their number; NULL: up to the end */
};

/* Group number `i` of an item, and its fields, as gsc_item_fields() gives them. */
GSC_API bool gsc_item_repeat(const struct gsc_db *db, const struct gsc_view *view,
			     const struct gsc_item *item, size_t i, struct gsc_repeat *repeat,
			     struct gsc_field_iter *it);

/* An engine of a platform, and its MMIO base. */
struct gsc_engine_place {
	unsigned engine_class, instance;
	uint32_t base;
};

/* The name of engine number `i`, and in *engine, unless NULL, what it is; NULL past the last. */
GSC_API const char *gsc_platform_engine(const struct gsc_db *db, unsigned platform, size_t i,
					struct gsc_engine_place *engine);

/*
 * Key and title of document number `i` that origins cite; false past the last. A document may
 * occur twice if the user's files cite it too.
 */
GSC_API bool gsc_document_at(const struct gsc_db *db, size_t i, const char **key,
			     const char **title);

/* ---- sources ------------------------------------------------------------------------------ */

/* Where bytes come from: a device, a dump, a capture, or several of them combined. */
struct gsc_source;

/*
 * How to keep a device awake while it is read: by any means, through the driver, by the request
 * registers, not at all.
 */
enum gsc_wake { GSC_WAKE_AUTO, GSC_WAKE_DRIVER, GSC_WAKE_REGISTERS, GSC_WAKE_NONE };

/* Whether the registers of a device are opened. */
enum gsc_registers {
	GSC_REGISTERS_NEEDED,		/* if they are refused, opening fails */
	GSC_REGISTERS_WANTED,		/* if they are refused, gsc_source_refusal() says why */
	GSC_REGISTERS_NONE,		/* its BAR is not touched */
};

/* How sources are opened. Options that are all zero are the defaults. */
struct gsc_source_options {
	const struct gsc_db *db;
	const char *platform;		/* the platform that the user gave, or NULL */
	enum gsc_wake wake;
	enum gsc_registers registers;
	bool unsafe;			/* read also what may hang, such as a GGTT in its BAR */
	bool write;			/* registers of a device may be written */
	/*
	 * Opens an unnamed file for unpacked data, or returns -1 and sets errno. NULL: a file in
	 * TMPDIR or /tmp is used.
	 */
	int (*temporary)(void *context);
	/*
	 * Opens a file for reading, "-" being standard input, or returns -1 and sets errno. The
	 * library closes what it gets, unless it is standard input. NULL: open(2) is used.
	 */
	int (*open)(void *context, const char *path);
	void *context;
};

/*
 * Opens the sources that `specs` name, as in gpuscope-sources(7), and combines them: if two hold
 * the same address, the first wins. Without specs it opens the GPU of this machine.
 */
GSC_API enum gsc_status gsc_source_open(struct gsc_source **source, const char *const *specs,
					size_t count, const struct gsc_source_options *options,
					struct gsc_error *err);
GSC_API void gsc_source_close(struct gsc_source *source);

/*
 * What the source says about its GPU: the index of the platform, the PCI device id, the PCI
 * revision; -1 if unknown.
 */
GSC_API int gsc_source_platform(const struct gsc_source *source);
GSC_API int gsc_source_device(const struct gsc_source *source);
GSC_API int gsc_source_revision(const struct gsc_source *source);
/* Whether one of the parts is a device. */
GSC_API bool gsc_source_live(const struct gsc_source *source);
/*
 * Whether an IOMMU translates for the GPU; the addresses in its tables are then not physical.
 */
GSC_API bool gsc_source_iommu(const struct gsc_source *source);
/*
 * Releases the forcewake that GSC_WAKE_REGISTERS requested; the device may be asleep afterwards.
 * Async-signal-safe: call it before a signal ends the program, because nothing else releases it.
 */
GSC_API void gsc_source_let_sleep(struct gsc_source *source);
/*
 * Between two readings: releases all forcewake and closes the files of the driver, which would
 * block unbinding it. The next read acquires the forcewake and opens the files again. Memory that
 * callbacks have read is forgotten, and read again.
 */
GSC_API void gsc_source_rest(struct gsc_source *source);
/*
 * Why the registers of the device, and everything reached through them, cannot be read; NULL if
 * they can. Reads of them have the status of the refusal.
 */
GSC_API const struct gsc_error *gsc_source_refusal(const struct gsc_source *source);
/* The number of parts, and the name of number `i`, as it was given. */
GSC_API size_t gsc_source_count(const struct gsc_source *source);
GSC_API const char *gsc_source_name(const struct gsc_source *source, size_t i);
/* What part number `i` is, for people: "i915 error state", "bar". Programs use its form. */
GSC_API const char *gsc_source_kind(const struct gsc_source *source, size_t i);

/* What a part is, for programs: kinds that need no distinction share a form. */
enum gsc_source_form {
	GSC_SOURCE_NONE,		/* definitions only, or unknown */
	GSC_SOURCE_DEVICE,
	GSC_SOURCE_BAR,			/* bytes of a register BAR */
	GSC_SOURCE_BYTES,		/* bytes of anything else: memory, GGTT, config space */
	GSC_SOURCE_CAPTURE, GSC_SOURCE_REGISTER_TEXT, GSC_SOURCE_PORT_TRACE,
	GSC_SOURCE_CONFIG_TEXT, GSC_SOURCE_AUB, GSC_SOURCE_VTD_TEXT,
	GSC_SOURCE_ERROR_STATE,		/* of i915 */
	GSC_SOURCE_DEVCOREDUMP,		/* of xe */
	GSC_SOURCE_LOG,			/* kernel log; its text is the member GSC_MEMBER_LOG */
	GSC_SOURCE_ENGINE_DUMP,		/* registers of an engine printed by i915 */
	GSC_SOURCE_MEMORY,		/* the memory of a machine: a vmcore and the like */
	GSC_SOURCE_CALLBACKS,		/* what functions of the caller read */
};

/* What part number `i` is. */
GSC_API enum gsc_source_form gsc_source_form(const struct gsc_source *source, size_t i);
/* Whether any part is of that form. */
GSC_API bool gsc_source_has(const struct gsc_source *source, enum gsc_source_form form);

/* Note number `i` about damaged input: "FILE: what, at byte N"; NULL past the last. */
GSC_API const char *gsc_source_note(const struct gsc_source *source, size_t i);

/* The result of a read. */
enum gsc_read {
	GSC_READ_OK,
	GSC_READ_ABSENT,	/* no source holds it */
	GSC_READ_SKIPPED,	/* not read, because that is hazardous */
	GSC_READ_ASLEEP,
	GSC_READ_DENIED,
	GSC_READ_ALL_ONES,	/* all ones, which cannot be a value here */
	GSC_READ_EXCLUDED,	/* left out of a memory dump when it was written */
	GSC_READS
};

/* The word for it: "ok", "absent", "all-ones", ... */
GSC_API const char *gsc_read_word(enum gsc_read status);

/*
 * Reads 1, 2, 4 or 8 bytes at a multiple of that size; a sideband register has 4 bytes, and its
 * address is a register number, which need not be aligned. A failed read leaves *value unchanged.
 * This does not check for side effects, as gsc_gpu_read() does. A device gives a value only if the
 * forcewake domains of the address were held before and after the read; otherwise the status is
 * GSC_READ_ASLEEP.
 */
GSC_API enum gsc_read gsc_read(struct gsc_source *source, enum gsc_space space, uint64_t address,
			       unsigned size, uint64_t *value);

/*
 * A pointer to the bytes from an address on, if they are in the memory of this process; otherwise
 * NULL. The bytes of a live BAR never are.
 */
GSC_API const void *gsc_span(struct gsc_source *source, enum gsc_space space, uint64_t address,
			     size_t *length);

/*
 * The first range held by the source at or after `from`: [*start, *start + *length). Here and in
 * gsc_span() addresses count bytes: register N of the sideband is at 4 * N.
 */
GSC_API bool gsc_extent(struct gsc_source *source, enum gsc_space space, uint64_t from,
			uint64_t *start, uint64_t *length);

/* The name of the member that has the text of a kernel log. */
#define GSC_MEMBER_LOG "kernel/log"

/* A file in the archive of a capture, or a log inside a driver's dump. */
struct gsc_member {
	char name[256];
	const void *data;
	uint64_t size, held;		/* bytes that it should have, and has */
	size_t next;
};

/* The next file of part number `part`; begin with a zeroed *member. False past the last. */
GSC_API bool gsc_capture_member(const struct gsc_source *source, size_t part,
				struct gsc_member *member);

/* What a capture or a driver's dump says about itself: "platform", "created", ... */
struct gsc_property {
	char key[64], value[512];
};

/* Property number `i` of a part; false past the last. */
GSC_API bool gsc_source_property(const struct gsc_source *source, size_t part, size_t i,
				  struct gsc_property *property);

/* What a buffer of an error state or a device core dump is. */
enum gsc_buffer_kind {
	GSC_BUFFER_RING,
	GSC_BUFFER_BATCH,
	GSC_BUFFER_CONTEXT,		/* image of a logical context, its status page first */
	GSC_BUFFER_HWSP,		/* status page of an engine */
	GSC_BUFFER_WA_BATCH,		/* batch of the driver's workarounds */
	GSC_BUFFER_WA_CONTEXT,		/* batches that a context restore runs */
	GSC_BUFFER_USER,		/* what a program asked to have in the dump */
	GSC_BUFFER_OTHER,
};

/* What is known about a buffer. */
enum gsc_buffer_flag {
	GSC_BUFFER_HEAD = 1 << 0,	/* HEAD, TAIL, START, ACTHD: that member is known */
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
	char engine[16];		/* "rcs0", or "" if the dump does not say */
	char name[48];			/* what the dump calls the buffer: "HW context" */
	uint64_t address, length;
	const void *data;		/* its bytes, even if another buffer has the same address;
					   NULL: not decoded yet, gsc_read() has them */
	unsigned flags;			/* enum gsc_buffer_flag */
	uint64_t head, tail;		/* bytes from the start of the ring */
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
 * A GPU as a source shows it: the source, the definitions, the platform and its view. Three calls
 * lead from a name to a value: find the register, read it, take a field of it.
 */
struct gsc_gpu;

/*
 * Opens sources, as gsc_source_open() does, and makes a GPU of them. Without definitions in the
 * options it uses the built-in ones. GSC_USAGE: the platform is unknown.
 */
GSC_API enum gsc_status gsc_gpu_open(struct gsc_gpu **gpu, const char *const *specs, size_t count,
				     const struct gsc_source_options *options,
				     struct gsc_error *err);
/*
 * Makes a GPU of a source and a view, which still belong to the caller and must outlive it. view
 * NULL: that of the source's platform. source NULL: definitions only.
 */
GSC_API enum gsc_status gsc_gpu_new(struct gsc_gpu **gpu, struct gsc_source *source,
				    const struct gsc_view *view, struct gsc_error *err);
/*
 * Makes a GPU of a platform without a source; revision -1: the latest. The definitions must outlive
 * it.
 */
GSC_API enum gsc_status gsc_gpu_definitions(struct gsc_gpu **gpu, const struct gsc_db *db,
					    unsigned platform, int revision,
					    struct gsc_error *err);
GSC_API void gsc_gpu_close(struct gsc_gpu *gpu);

/* Its parts, which live as long as it does. The source is NULL if there is none. */
GSC_API struct gsc_source *gsc_gpu_source(const struct gsc_gpu *gpu);
GSC_API const struct gsc_view *gsc_gpu_view(const struct gsc_gpu *gpu);
GSC_API const struct gsc_platform *gsc_gpu_platform(const struct gsc_gpu *gpu);

/*
 * Finds a register by its name or alias: "NAME" (on the first engine that has it), "rcs0.NAME",
 * "NAME[3]". False: the platform does not have it.
 */
GSC_API bool gsc_gpu_find(const struct gsc_gpu *gpu, const char *name, struct gsc_reg *reg);
/*
 * Reads a register. GSC_READ_SKIPPED: reading it from a device would change something, may hang the
 * machine, or does not give its value.
 */
GSC_API enum gsc_read gsc_gpu_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
				   uint64_t *value);
/*
 * Takes a field of a register's value: its raw bits, right-justified. False: the register has no
 * such field.
 */
GSC_API bool gsc_gpu_field(const struct gsc_gpu *gpu, const struct gsc_reg *reg, uint64_t value,
			   const char *name, uint64_t *out);

/* A submission in a trace. */
struct gsc_submission {
	char engine[16];		/* "rcs0" */
	uint64_t contexts[2];		/* descriptors of the submitted contexts; 0: none */
};

/*
 * The GPU at the moment of a submission of a trace, counted from 1 as in struct gsc_run. By default
 * a GPU with a trace is at the end of the trace. The first GPU must outlive the new one. GSC_USAGE:
 * there is no trace, or no such number.
 */
GSC_API enum gsc_status gsc_gpu_at(struct gsc_gpu **moment, const struct gsc_gpu *gpu,
				   uint64_t number, struct gsc_submission *submission,
				   struct gsc_error *err);

/* ---- saving ------------------------------------------------------------------------------- */

/* A range of physical memory. */
struct gsc_memory {
	uint64_t start, length;
};

/* How a capture is compressed. */
enum gsc_packing {
	GSC_PACK_NONE, GSC_PACK_GZIP, GSC_PACK_ZSTD,
	GSC_PACK_BEST,			/* the best for which this machine has a library */
};

/*
 * A file to add to a capture. A name that begins with "stored/" is a dump that the kernel has kept,
 * and "kernel/log" is text of its log.
 */
struct gsc_extra {
	const char *name;
	const void *data;
	size_t size;
	const char *why;		/* why it could not be read; then only this is saved */
};

/* What goes into a capture. Options that are all zero are the defaults. */
struct gsc_save_options {
	bool no_ggtt;
	bool tables;			/* from a device: all page tables of all contexts */
	bool unsafe;			/* also what has side effects or may hang */
	bool redact;			/* no memory, no names, nothing that identifies a machine */
	uint64_t created;		/* seconds since 1970 */
	const struct gsc_memory *memory;	/* only these ranges of physical memory */
	size_t memory_count;		/* 0: everything that the source holds, if it is a file */
	enum gsc_packing packing;
	const struct gsc_extra *extras;
	size_t extra_count;
	void (*progress)(void *context, uint64_t done, uint64_t total);
	void *context;			/* for both functions */
	/* Called for data that was not requested and could not be read; that is not a failure. */
	void (*left_out)(void *context, const char *what, const char *why);
};

/*
 * Writes a capture of a source. From a device it saves the registers of the view that are safe to
 * read, the config space, the GGTT, and with the GGTT the memory that its engines lead to: rings,
 * batches, state, contexts. From files it saves everything they hold; an error state, core dump or
 * trace is stored as it is. GSC_PARTIAL: something could not be read; the capture says what. After
 * a failed write errno has the reason, otherwise it is 0.
 */
GSC_API enum gsc_status gsc_save(const struct gsc_gpu *gpu, int fd,
				 const struct gsc_save_options *options, struct gsc_error *err);

/*
 * Writes a source as an AUB trace of one moment: GGTT entries, memory, registers, and a submission
 * of each running context. GSC_PARTIAL: a trace has no place for some of it.
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
	int chipset;			/* the PCI id that the driver uses, or -1 */
};

/* Finds the Intel display devices of this machine; free *devices with free(). */
GSC_API enum gsc_status gsc_devices(const struct gsc_db *db, struct gsc_device **devices,
				    size_t *count, struct gsc_error *err);

/* ---- selecting and reading registers ------------------------------------------------------ */

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

/* The number of rows, and row number `i`. */
GSC_API size_t gsc_rows_count(const struct gsc_rows *rows);
GSC_API void gsc_rows_at(struct gsc_rows *rows, size_t i, struct gsc_row *row);
/* Note number `i` about the pasted lines; NULL past the last. */
GSC_API const char *gsc_rows_note(const struct gsc_rows *rows, size_t i);

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

/* ---- writing ------------------------------------------------------------------------------ */

/*
 * Writing is refused unless gsc_source_options.write was set; without it no part of a device is
 * mapped writable. Dumps are never written to.
 */
enum gsc_write_operation { GSC_WRITE_SET, GSC_WRITE_OR, GSC_WRITE_AND, GSC_WRITE_XOR };

/*
 * A write. `target` is NAME, NAME:FIELD, NAME[3], rcs0.NAME, 0xADDR or, for an entry of the GGTT,
 * ggtt:0xBYTE; PREFIX:NAME and PREFIX:0xADDR for VGA, MCHBAR and sideband. The value of a masked
 * register is its 16 bits, or these with the mask in bits 31:16.
 */
struct gsc_write {
	const char *target;
	enum gsc_write_operation operation;
	uint64_t value;
	bool force;			/* write even if the access is hazardous */
};

/*
 * An access that is part of a write. A store has the value
 * value | (there & keep) | (~there & flip), where `there` is the result of the reads before it.
 */
struct gsc_write_step {
	bool write;
	enum gsc_space space;
	uint64_t address;
	unsigned size;			/* bytes */
	bool known;			/* it depends on no read: `value` is complete */
	uint64_t value;
	uint64_t keep;			/* bits that are written back unchanged */
	uint64_t flip;			/* bits that are written inverted */
	const char *why;		/* what the access is for: "posting read", ...; or NULL */
};

/* The result of a write. */
struct gsc_written {
	char name[192];			/* "rcs0.MI_MODE", "rcs0.MI_MODE:STOP_RINGS", "0x209c" */
	struct gsc_reg reg;		/* name NULL: none is defined there */
	uint64_t old, value, back;	/* the register before, as written, and afterwards */
	bool has_old, has_back;		/* false: it cannot be read */
	bool bar_alias;			/* a port was written through its alias in the BAR */
	bool stored;			/* something was stored, whether or not it arrived */
	bool forced;
	uint64_t bits;			/* the bits to be written */
	uint64_t lost;			/* those of them that read back with another value */
	uint64_t changed;		/* undo only: bits that have changed since the write */
	int64_t time;			/* nanoseconds since 1970 */
};

/*
 * The accesses of a write, computed from the definition: masks of masked registers, no
 * read-modify-write of bits that a write of 1 clears, reserved bits kept, posting reads. It refuses
 * read-only and unknown registers, values that do not fit, names of several registers (which the
 * error lists), and hazards without `force`. If a hazard is the only objection, there is a plan for
 * display, with GSC_USAGE, which gsc_write_run() refuses. Nothing is accessed. The GPU must outlive
 * the plan.
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
	bool insist;			/* undo even if the value has changed since */
	/* Called before the first store; unless it returns GSC_OK, nothing is stored. */
	enum gsc_status (*before)(void *context, const struct gsc_written *written,
				  struct gsc_error *err);
	void *context;
};

/*
 * Runs a plan on a GPU of its platform, with forcewake held from the first access to the last.
 * GSC_PARTIAL: the value is written, but could not be read back, or reads back changed (`lost`).
 * GSC_USAGE with `changed`: this is an undo, and the value has changed since the write. GSC_GONE
 * with written->stored: the device disappeared meanwhile, so it is unknown whether the value was
 * written. After any other failure nothing is written.
 */
GSC_API enum gsc_status gsc_write_run(struct gsc_write_plan *plan, const struct gsc_gpu *gpu,
				      const struct gsc_write_options *options,
				      struct gsc_written *written, struct gsc_error *err);
/*
 * Makes a plan that restores the old value. GSC_USAGE: that is impossible; the error says why.
 * GSC_PARTIAL: there is a plan, but it cannot restore some bits; the error names them.
 */
GSC_API enum gsc_status gsc_write_undo(struct gsc_write_plan **plan, const struct gsc_gpu *gpu,
				       const struct gsc_written *written, struct gsc_error *err);

/* ---- page tables -------------------------------------------------------------------------- */

/* A kind of page tables. */
enum gsc_mode {
	GSC_MODE_GGTT,			/* the GGTT */
	GSC_MODE_FLAT,			/* Gen4 per-process: one level */
	GSC_MODE_2LEVEL,		/* Gen6 and Gen7 per-process */
	GSC_MODE_PDP32,			/* Gen8+ legacy context, 32 bits */
	GSC_MODE_PML4,			/* Gen8+ legacy context, 48 or 57 bits */
	GSC_MODE_IA32E,			/* Gen8+ advanced context */
	GSC_MODE_TRTT,			/* tiled resources, in front of another mode */
	GSC_MODE_VTD,			/* second level, and the tables that lead to it */
	GSC_MODES
};

/* Modes by their names in gpu-ptwalk(1): "ggtt", "pml4", ... */
GSC_API const char *gsc_mode_name(enum gsc_mode mode);
GSC_API bool gsc_mode_by_name(const char *name, enum gsc_mode *mode);

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

/* What a PASID entry and its context entry say about an advanced context. */
enum gsc_root_flag {
	GSC_ROOT_KNOWN = 1 << 0,		/* the other flags are known */
	GSC_ROOT_EXTENDED_ACCESS = 1 << 1,	/* EAFE: the EA bit of used entries is set */
	GSC_ROOT_WRITE_PROTECT = 1 << 2,	/* WPE */
	GSC_ROOT_NO_EXECUTE = 1 << 3,		/* NXE */
	GSC_ROOT_SUPERVISOR = 1 << 4,		/* SRE: supervisor requests are allowed */
};

/*
 * The memory type of a PAT index, from the registers of the source: "write-back, LLC
 * (PAT_INDEX[0] 0x00000007)". False: `buf` says why it is unknown.
 */
GSC_API bool gsc_memory_type(const struct gsc_gpu *gpu, unsigned pat_index, char *buf, size_t size);
/*
 * The memory type of a page by its entry: the bits themselves before Gen8, "PAT 2: ..." from Gen8
 * on. False: `buf` says why it is unknown, or is "" if such entries have no memory type.
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

/* The tables of a translation. All zero: only the GGTT. */
struct gsc_translation_options {
	struct gsc_root root;
	struct gsc_second_level vtd;
	struct gsc_tiled trtt;
};

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

/* How the pages of a range are arranged in memory. */
enum gsc_mapping_kind {
	GSC_MAPPING_LINEAR,
	GSC_MAPPING_CONSTANT,		/* all pages have the same target, such as scratch */
	GSC_MAPPING_SCATTERED,		/* runs of less than 8 contiguous pages */
	GSC_MAPPING_REPEAT,		/* a table that occurred before, at `of` */
};

/*
 * A range whose pages have the same attributes. Addresses in no range are not mapped. A repeat may
 * have gaps: `start` + x is mapped as `of` + x is; `physical` and `entry` are those of its first
 * page.
 */
struct gsc_mapping {
	uint64_t start, end;		/* graphics addresses, end exclusive */
	enum gsc_mapping_kind kind;
	enum gsc_space space;
	uint64_t physical, pages;
	uint64_t page_size;		/* 0: a repeat whose pages differ */
	uint64_t of;			/* of a repeat: where the table occurred before */
	bool stolen;
	bool readable, writable;	/* by all levels combined */
	uint64_t entry;			/* a leaf; permissions denied above it are removed */
	const char *level;		/* the level of that entry */
};

/* How ranges are divided. */
enum gsc_map_flag {
	/* One range per page, except that a constant run of more than 512 pages is one range. */
	GSC_MAP_PAGES = 1 << 0,
	GSC_MAP_ALL = 1 << 1,		/* page by page without exception */
};

/* What is missing in a map. Each table counts once, however often it occurs. */
struct gsc_map_holes {
	uint64_t missing;		/* tables that no source holds completely */
	bool lacking;			/* a table is missing because the dump has none at all */
	uint64_t reserved;		/* entries with reserved bits set: they map nothing */
	uint64_t loops;			/* tables that lead to themselves, as hardware allows */
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
 * A graphics address that reaches a physical one. A constant range of more than 512 pages is one
 * item: address + i * page_size reaches it for i < pages. Otherwise `pages` is 1. A table that
 * occurs several times is traversed each time, until a few thousand addresses were found. After
 * that, each further occurrence is a repeat, a constant range of any length is one item, and so is
 * a large page that a second level maps many times.
 */
struct gsc_reached {
	uint64_t address;		/* not set in a repeat */
	uint64_t pages, page_size;
	bool repeat;			/* [start, end) is mapped as `of` and following */
	uint64_t start, end, of;
};

/* Calls `each` for every address that reaches a physical one, until it returns false. */
typedef bool gsc_reverse_fn(void *context, const struct gsc_reached *reached);
GSC_API enum gsc_status gsc_reverse(struct gsc_translation *translation, enum gsc_space space,
				    uint64_t physical, gsc_reverse_fn *each, void *context,
				    struct gsc_map_holes *holes, struct gsc_error *err);

/* Something that breaks a rule. */
struct gsc_breach {
	const char *rule;		/* "reserved-bits", "misaligned", ... */
	bool unchecked;			/* the rule could not be checked: `text` says why */
	bool note;			/* it breaks no rule, but is noteworthy */
	char where[96], text[256];
	const char *document, *section;	/* origin of the rule, or NULL */
};

/* Takes a breach; false ends the check. */
typedef bool gsc_breach_fn(void *context, const struct gsc_breach *breach);

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

/* A range of the machine's address space that belongs to the GPU. */
struct gsc_window {
	const char *name;		/* "GTTMMADR", "GSM", "DSM", ... */
	enum gsc_read status;		/* unless GSC_READ_OK: why place or size is unknown */
	uint64_t start, length;		/* 0, 0: it does not exist; length 0: unknown */
	char from[96];			/* where this was found: "config 0x5c BDSM 0xdba00001" */
	char problem[192];		/* what is inconsistent, or "" */
};

/* The windows of a GPU; free *windows with free(). */
GSC_API enum gsc_status gsc_windows(const struct gsc_gpu *gpu, struct gsc_window **windows,
				    size_t *count, struct gsc_error *err);

/* ---- command buffers ---------------------------------------------------------------------- */

/* The commands that the engines of a platform know. */
struct gsc_commands;
/* Makes the set for the platform of a GPU, whose view must outlive it. */
GSC_API enum gsc_status gsc_commands_new(struct gsc_commands **set, const struct gsc_gpu *gpu,
					 struct gsc_error *err);
GSC_API void gsc_commands_free(struct gsc_commands *set);

/* Whether a command could be decoded. */
enum gsc_command_status {
	GSC_COMMAND_OK,
	GSC_COMMAND_UNKNOWN,
	GSC_COMMAND_TRUNCATED,		/* its end is missing */
	GSC_COMMAND_BAD_LENGTH,		/* a length that it cannot have */
};

/* The word for a status: "ok", "unknown", ... */
GSC_API const char *gsc_command_word(enum gsc_command_status status);

/* A position of an engine. */
struct gsc_mark {
	const char *name;		/* "HEAD", "TAIL", "ACTHD", "MARK" */
	uint64_t address;
};

/* A decoded command. */
struct gsc_command {
	uint64_t address;
	const uint32_t *words;
	size_t count;			/* dwords held */
	unsigned length;		/* dwords that it should have */
	enum gsc_command_status status;
	const char *name;		/* "UNKNOWN" if the command is unknown */
	const void *known;		/* its definition, or NULL */
	const struct gsc_mark *marks;	/* positions, some of them in the command */
	size_t mark_count;		/* 0: none is in the command */
};

/* Dwords to split into commands. The caller sets `set` to `count`; `at` is the position. */
struct gsc_stream {
	struct gsc_commands *set;
	unsigned engine_class;
	uint64_t address;		/* of the first dword */
	const uint32_t *words;
	size_t count, at;
};

/*
 * The next command of the dwords; false at their end. Nothing outside them is read, whatever a
 * length says.
 */
GSC_API bool gsc_stream_next(struct gsc_stream *stream, struct gsc_command *command);

/*
 * A field of a command that holds a graphics address. An offset from a base address does not count,
 * nor does a field that is unused according to the other fields.
 */
struct gsc_command_address {
	const char *name;		/* of the field */
	unsigned dword;			/* of the command, where the field begins */
	uint64_t address;		/* without its sign */
	const char *space;		/* "ggtt", "ppgtt"; NULL: the space of the run */
};

/* Address number `i` of a command, in the order of the fields; false past the last. */
GSC_API bool gsc_command_address(struct gsc_commands *set, const struct gsc_command *command,
				 size_t i, struct gsc_command_address *address);

/* ---- following commands --------------------------------------------------------------------- */

/* The kind of a run. */
enum gsc_run_kind {
	GSC_RUN_DWORDS,			/* dwords of the caller */
	GSC_RUN_RING,
	GSC_RUN_BATCH,
	GSC_RUN_SECOND_LEVEL,		/* a batch that returns to the one that started it */
};

/* How a run ended. */
enum gsc_run_end {
	GSC_RUN_ENDED,			/* at its end command; a ring: at its tail */
	GSC_RUN_OUT,			/* its dwords end without an end command */
	GSC_RUN_CHAINED,		/* it continues in another batch */
	GSC_RUN_NOWHERE,		/* no source holds what follows: see `why` */
	GSC_RUN_STOPPED,		/* a limit was reached: see `why` */
	GSC_RUN_BLANK,			/* one dword only, repeated: see `why` */
	GSC_RUN_LOOP,			/* it certainly never ends: see `why` */
};

/* Consecutive commands: a ring, or a batch. */
struct gsc_run {
	enum gsc_run_kind kind;
	char engine[16];		/* "rcs0" */
	bool process;			/* the address is a PPGTT address */
	bool privileged;
	unsigned submission;		/* its number in a trace, from 1; or 0 */
	uint64_t address;
	uint64_t from;			/* address of the command that starts it, if `started` */
	bool started;			/* by a command that is known */
	/* The following members are known once the run is over. */
	enum gsc_run_end end;
	uint64_t length, left;		/* bytes: decoded; held after its end */
	char why[256];
};

/* The words for the kind of a run ("ring", "batch") and for its end. */
GSC_API const char *gsc_run_kind_word(enum gsc_run_kind kind);
GSC_API const char *gsc_run_end_word(enum gsc_run_end end);

/* A register that a command loads or stores. */
struct gsc_register_write {
	enum {
		GSC_WRITE_VALUE, GSC_WRITE_MEMORY, GSC_WRITE_REGISTER,	/* loaded from there */
		GSC_READ_TO_MEMORY, GSC_READ_TO_REGISTER,		/* stored there */
		GSC_WRITE_RESULT,	/* loaded with a result of MI_MATH */
		GSC_READ,		/* read by MI_MATH, or polled */
	} kind;
	uint32_t offset;
	uint32_t value;			/* GSC_WRITE_VALUE */
	uint64_t from;			/* address of the memory, offset of the register */
	bool global;			/* `from` is a GGTT address */
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
	unsigned depth;			/* 0: the command points to it; 1 to 3: other state does */
	bool is_offset;			/* the address is an offset from an unknown base */
};

/* A shader program that a command starts. */
struct gsc_kernel {
	const char *stage;		/* "vs", "ps", "cs", ... */
	uint64_t address;
	const void *data;
	size_t size;
	bool cut;			/* its end was not found */
	char problem[160];		/* why there are no bytes, or no more; or "" */
	unsigned simd;			/* channels of a thread: 8, 16 or 32; 0: unknown */
};

/* An item found while following commands. Members that do not apply are NULL. */
struct gsc_followed {
	const struct gsc_run *run;
	const struct gsc_command *command;	/* NULL where a run begins or ends, or for a rule */
	const struct gsc_register_write *write;
	const struct gsc_state *state;
	const struct gsc_kernel *kernel;
	const struct gsc_breach *breach;
};

/* Takes an item; false ends everything. */
typedef bool gsc_followed_fn(void *context, const struct gsc_followed *item);

/* The functions that take each kind of item, in order. Kinds without a function cost nothing. */
struct gsc_listener {
	void *context;
	gsc_followed_fn *begin, *end;		/* for each run */
	gsc_followed_fn *command, *write, *state, *kernel, *breach;
};

/* Dwords at an address. */
struct gsc_words {
	uint64_t address;
	const uint32_t *words;
	size_t count;
};

/* How commands are followed. Options that are all zero are the defaults. */
struct gsc_follow_options {
	const char *engine;		/* whose commands; NULL: what the source says */
	bool no_follow;			/* do not follow batches that are started */
	bool past_end;			/* continue after an end command */
	const struct gsc_root *root;	/* for PPGTT addresses; NULL: what the source says */
	const struct gsc_mark *marks;
	size_t mark_count;
	const struct gsc_words *held;	/* batches may be in these, before the source is tried */
	size_t held_count;
};

/*
 * These functions follow commands to the batches that they start, the registers that they load, and
 * the state and kernels that they point to. GSC_PARTIAL: something was truncated, unknown or led
 * nowhere.
 *
 * This one follows dwords of the caller as if they were at `address`; batches that they start are
 * read from the GPU's source, if there is one.
 */
GSC_API enum gsc_status gsc_follow_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
					 uint64_t address, const uint32_t *words, size_t count,
					 const struct gsc_follow_options *options,
					 const struct gsc_listener *listener,
					 struct gsc_error *err);
/* Follows a batch at a GGTT or PPGTT address. */
GSC_API enum gsc_status gsc_follow_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
					   uint64_t address, bool process,
					   const struct gsc_follow_options *options,
					   const struct gsc_listener *listener,
					   struct gsc_error *err);
/* Follows all rings and batches of the source, in a trace by submission. GSC_UNKNOWN: none. */
GSC_API enum gsc_status gsc_follow_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
				       const struct gsc_follow_options *options,
				       const struct gsc_listener *listener, struct gsc_error *err);

/* ---- programs of the execution units -------------------------------------------------------- */

/* The instruction set of a platform. */
struct gsc_eu;
/* The view must outlive it. GSC_USAGE: no definition says how its instructions are encoded. */
GSC_API enum gsc_status gsc_eu_new(struct gsc_eu **eu, const struct gsc_view *view,
				   struct gsc_error *err);
GSC_API void gsc_eu_free(struct gsc_eu *eu);

/* The syntax of instructions' text. */
enum gsc_eu_syntax {
	GSC_EU_MESA,			/* as Mesa's assemblers accept it; the default */
	GSC_EU_IGA,			/* as Intel's own takes it */
};
/*
 * Sets the syntax for programs that are made from now on. GSC_USAGE: the syntax does not support
 * the instructions of this platform.
 */
GSC_API enum gsc_status gsc_eu_set_syntax(struct gsc_eu *eu, enum gsc_eu_syntax syntax,
					  struct gsc_error *err);

/* Consecutive instructions. */
struct gsc_program;
/*
 * Finds the jumps of a program, and begins to read it. The set and the bytes must outlive it.
 * GSC_USAGE: more than 4 GB.
 */
GSC_API enum gsc_status gsc_program_new(struct gsc_program **program, struct gsc_eu *eu,
					const void *data, size_t size, struct gsc_error *err);
GSC_API void gsc_program_free(struct gsc_program *program);

/* An instruction. */
struct gsc_instruction {
	uint64_t offset;		/* in the program */
	unsigned size;			/* bytes: 16, or 8 if it is compacted */
	const char *opcode;		/* "mov"; NULL: unknown */
	unsigned exec_size;		/* channels */
	uint32_t raw[4];		/* its bytes */
	uint32_t words[4];		/* what a compacted one stands for; else the same */
	int64_t label;			/* of the label by which jumps refer to it, or -1 */
	const char *label_word;		/* the word before that number: "LABEL" */
	bool ends;			/* it ends the thread */
	bool has_jip, has_uip;
	int64_t jip, uip;		/* offsets in the program that it may jump to */
};

/*
 * The next instruction; false at the end, or if fewer bytes are left than an instruction has. A
 * label may still be at that offset.
 */
GSC_API bool gsc_program_next(struct gsc_program *program, struct gsc_instruction *instruction);
/*
 * The text of the instruction that gsc_program_next() gave last, and its length. In the text,
 * "LABEL2" stands for the instruction that has label 2.
 */
GSC_API size_t gsc_program_text(const struct gsc_program *program, char *buf, size_t size);
/*
 * What the message of this instruction asks of a shared function, and the length of the text: "" if
 * it sends none. Then gsc_program_message_next() gives the fields of the descriptor (dword 0) and
 * the extended descriptor (dword 1), as far as they are in the instruction.
 */
GSC_API size_t gsc_program_message(struct gsc_program *program, char *buf, size_t size);
GSC_API bool gsc_program_message_next(struct gsc_program *program, struct gsc_field *field);
/*
 * The next field of this instruction, and the structure that it is of; false past the last. Bits
 * count from the beginning of its words.
 */
GSC_API bool gsc_program_field_next(struct gsc_program *program, const char **structure,
				    struct gsc_field *field);
/*
 * Calls `each` for every instruction that breaks a rule of the documents, until it returns false.
 * `address` is the address of the program; the `where` of each breach is computed from it.
 */
GSC_API enum gsc_status gsc_program_lint(const struct gsc_program *program, uint64_t address,
					 gsc_breach_fn *each, void *context, struct gsc_error *err);

/* ---- what went wrong ------------------------------------------------------------------------ */

/* What went wrong: faults, errors, what each engine was doing, fences, and a sentence about it. */
struct gsc_hang;

/* How to examine a hang. Options that are all zero are the defaults. */
struct gsc_hang_options {
	bool no_walk;			/* do not translate the faulting addresses */
	bool now;			/* read a live GPU twice, to see whether it moves */
};

/* Collects what a source shows about a hang. It clears nothing. The GPU must outlive it. */
GSC_API enum gsc_status gsc_hang_new(struct gsc_hang **hang, const struct gsc_gpu *gpu,
				     const struct gsc_hang_options *options, struct gsc_error *err);
GSC_API void gsc_hang_free(struct gsc_hang *hang);

/* A fault recorded by a register or a line of a log; or a register without a fault. */
struct gsc_fault {
	struct gsc_reg reg;		/* name NULL: it is from a log */
	uint64_t value;			/* of the register */
	bool valid;			/* false: only an address, perhaps of an older fault */
	char engine[16];		/* the engine that made the access, or "" */
	bool has_address;
	uint64_t address;
	const char *space;		/* "ggtt", "ppgtt", "dma", or NULL */
	const char *type;		/* "invalid PTE", or NULL */
	const char *access;		/* "read", "write", "atomic", or NULL */
	int source_id;			/* number of the unit that made the access, or -1 */
	const char *level;		/* the level without a valid entry: "pte", or NULL */
	char text[512];			/* what it means */
};

/* The walk of a faulting address through the tables of the source. False: `why` there is none. */
GSC_API bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
			   const struct gsc_translation **translation, char *why, size_t size);

/* The command that used a faulting address. */
struct gsc_cause {
	struct gsc_run run;		/* the ring or batch that it is in */
	struct gsc_command command;	/* its words live as long as the hang */
	bool stopped;			/* the engine stopped in it, not after it */
	bool in_state;			/* the address is in state that the command points to */
	uint64_t state;			/* address of that state */
	char field[96];			/* "ADDRESS"; in state "NAME.FIELD", or "NAME" */
	unsigned dword;			/* of the command or the state, where the field begins */
	uint64_t value;			/* the address that the field holds */
};

/*
 * The command that used the address of a fault: the last one before the engine stopped that holds
 * an address in the same page or, if there is none, points to state that does. The first call
 * searches the commands of the source. False: none is known, or memory is exhausted.
 */
GSC_API bool gsc_hang_cause(struct gsc_hang *hang, size_t fault, struct gsc_cause *cause);

/* A fence register: a tiled range of the aperture that looks linear to the processor. */
struct gsc_fence {
	unsigned index;
	uint64_t raw;
	bool valid;
	uint64_t start, end;		/* graphics addresses, end exclusive */
	unsigned pitch;			/* bytes */
	char tiling;			/* 'X' or 'Y' */
	char problem[128];		/* why this cannot be a surface, or "" */
	uint64_t reserved;		/* set bits that belong to no field */
};

/* Decodes the value of a fence register. */
GSC_API void gsc_fence_decode(const struct gsc_view *view, unsigned index, uint64_t raw,
			      struct gsc_fence *fence);

/* Reports broken rules about the whole state, and observations that make the state doubtful. */
GSC_API enum gsc_status gsc_hang_check(struct gsc_hang *hang, gsc_breach_fn *each, void *context,
				       struct gsc_error *err);

/*
 * The signature, "snb/rcs0/3DSTATE_INDEX_BUFFER/ppgtt-fault", which is the same for hangs of one
 * kind, and the verdict, a sentence.
 */
GSC_API const char *gsc_hang_signature(const struct gsc_hang *hang);
GSC_API const char *gsc_hang_verdict(const struct gsc_hang *hang);

/* A dump of a hang that the kernel has kept, on a live device or in a capture. */
struct gsc_stored {
	char path[128];			/* on a live device gsc_source_open() takes it */
	const char *kind;		/* "i915 error state", "Xe devcoredump" */
	int64_t saved;			/* when the capture was made, seconds since 1970; or -1 */
	enum gsc_source_form form;	/* the same, for programs */
};

/* Stored dump number `i`; false past the last. Only opening it shows whether it is readable. */
GSC_API bool gsc_stored(const struct gsc_source *source, size_t i, struct gsc_stored *stored);
/* Opens stored dump number `i` as a source of its own. The first source must outlive it. */
GSC_API enum gsc_status gsc_stored_open(struct gsc_source **out, const struct gsc_source *source,
					size_t i, const struct gsc_source_options *options,
					struct gsc_error *err);

/* What an event of a kernel log is. */
enum gsc_event_kind {
	GSC_EVENT_FAULT,		/* in the GPU's own tables */
	GSC_EVENT_DMA_FAULT,		/* in the IOMMU */
	GSC_EVENT_ERROR,		/* EIR, PGTBL_ER, a firmware that does not answer, ... */
	GSC_EVENT_HANG,
	GSC_EVENT_RESET,
	GSC_EVENT_DUMP,			/* a dump was kept, or engines were printed */
	GSC_EVENT_KINDS
};

GSC_API const char *gsc_event_word(enum gsc_event_kind kind);	/* "fault", "dma-fault", ... */

/* How serious an event is: only GSC_EVENT_MAIN can stop work. */
enum gsc_event_rank {
	GSC_EVENT_MAIN,
	GSC_EVENT_LESSER,		/* something does not work, such as saving power */
	GSC_EVENT_ASIDE,		/* flicker, advice, other GPUs and code */
};

/* The maximum number of register values in an event. */
#define GSC_EVENT_VALUES 10

/* An event of a log: lines that belong together. */
struct gsc_event {
	enum gsc_event_kind kind;
	enum gsc_event_rank rank;
	size_t line, lines;		/* number of its first line, from 1; number of lines */
	/*
	 * The first line, `log_length` bytes, without its end; it lives as long as the log. Other
	 * strings in here live as long as the definitions.
	 */
	const char *log;
	size_t log_length;
	bool has_time;
	double time;			/* seconds since boot, from the log */
	char stamp[40];			/* time or date as the log writes it, or "" */
	char driver[16];		/* "i915", "xe", "DMAR", other GPUs' "amdgpu" */
	char device[16];		/* "0000:00:02.0", or "" */
	struct gsc_fault fault;		/* unless kind is a fault: engine, type, text only */
	char process[64];		/* whose work it was: "Xorg [1981]", or "" */
	uint32_t asid;			/* xe only */
	bool has_asid, has_pasid, has_reason, has_code;
	uint32_t pasid, reason;		/* DMAR only */
	uint32_t code;			/* i915's code of a hang */
	uint64_t platforms;		/* possible platforms, a bit for each index; 0: all */
	bool wedged;			/* the driver has given up on the GPU */
	struct {
		const char *name;	/* "EIR" */
		uint64_t value;
	} values[GSC_EVENT_VALUES];	/* registers and values in the lines */
	unsigned value_count;
	unsigned repeats;		/* how often it recurs with no other event between */
};

/* A kernel log, with any prefix before the messages. */
struct gsc_log;

/*
 * Begins to read a log. The text must outlive it. The view may be NULL; what depends on the
 * platform is then missing. GSC_FAILED: this is not text.
 */
GSC_API enum gsc_status gsc_log_new(struct gsc_log **log, const struct gsc_db *db,
				    const struct gsc_view *view, const void *text, size_t size,
				    struct gsc_error *err);
GSC_API void gsc_log_free(struct gsc_log *log);
/* The next event of a log; false past the last. */
GSC_API bool gsc_log_next(struct gsc_log *log, struct gsc_event *event);
/* Back to its beginning, with the view of the platform that is known by now. */
GSC_API void gsc_log_rewind(struct gsc_log *log, const struct gsc_view *view);
/* The GPU of a log, by its driver's words first; *device: its id, -1 if only firmware names it. */
GSC_API bool gsc_log_platform(const struct gsc_log *log, struct gsc_platform *platform,
			      int *device);

/* A summary of the events of a log, and where the addresses in them lead. */
struct gsc_log_summary;

/*
 * Makes a summary without events. Source and GPU may be NULL; what depends on them is then missing.
 * They must outlive it.
 */
GSC_API enum gsc_status gsc_log_summary_new(struct gsc_log_summary **summary,
				      const struct gsc_db *db,
				      struct gsc_source *source, const struct gsc_gpu *gpu,
				      const struct gsc_hang_options *options,
				      struct gsc_error *err);
GSC_API void gsc_log_summary_free(struct gsc_log_summary *summary);
/* Adds an event. */
GSC_API void gsc_log_summary_add(struct gsc_log_summary *summary, const struct gsc_event *event);
/*
 * The walk of the address of an event through the tables of the source. They are kept for the next
 * event; the walk is valid until the next call. Returns NULL if there is no walk; `why` then says
 * why, or is "" if the event has no address.
 */
GSC_API const struct gsc_walk *gsc_log_summary_walk(struct gsc_log_summary *summary,
					      const struct gsc_event *event,
					      const struct gsc_translation **translation,
					      char *why, size_t size);
/* Signature and verdict of the events so far, as for a hang; valid until the next call. */
GSC_API const char *gsc_log_summary_signature(struct gsc_log_summary *summary);
GSC_API const char *gsc_log_summary_verdict(struct gsc_log_summary *summary);

/*
 * A structure that hardware keeps in memory: a status page, the image of a context, performance
 * reports, a ring. It has parts, in the order of their offsets; a part has fields, or registers, or
 * commands.
 */
struct gsc_image;

/* The kind of an image. */
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
	 * The layout. OA: its name with or without OA_REPORT_; NULL: what the registers say.
	 * Context: "lrc" (a status page first), "state" (no status page), "pphwsp", "probe-list";
	 * NULL: guess from the contents.
	 */
	const char *format;
	const struct gsc_gpu *gpu;	/* its registers explain the image; or NULL */
	const void *data;		/* the bytes; NULL: those of the source */
	size_t size;
};

/*
 * Makes an image, which keeps a copy of the bytes. Set and source must outlive it. GSC_USAGE: no
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
	uint64_t size;			/* bytes that were decoded */
	char cut[160];			/* where the image breaks off, or "" */
	struct gsc_mark marks[3];	/* places in a ring */
	size_t mark_count;
};

/* What the image is, and where it comes from. */
GSC_API void gsc_image_about(const struct gsc_image *image, struct gsc_image_about *about);
/* Note number `i` about the image: the fill of a ring, the page-table root; NULL past the last. */
GSC_API const char *gsc_image_note(const struct gsc_image *image, size_t i);

/* A part of an image. */
struct gsc_image_part {
	const char *name;		/* name of its structure or command: "CONTEXT_STATUS" */
	int index;			/* in its array, or -1 */
	bool aside;			/* registers from the source, not part of the image */
	uint64_t offset, size;		/* bytes from the image's start, bytes it should have */
	const uint32_t *words;		/* dwords held */
	size_t count;			/* of words */
	bool commands;			/* the words are commands, for gsc_follow_words() */
	size_t registers;		/* number of registers for gsc_image_register() */
	const char *text;		/* what the part means as a whole, or "" */
	const char *problem;		/* what is wrong with it, or "" */
};

/* Part number `i`; false past the last. */
GSC_API bool gsc_image_part(const struct gsc_image *image, size_t i, struct gsc_image_part *part);
/* The fields of a part, as far as it has words; dwords count from its first. False: none. */
GSC_API bool gsc_image_fields(const struct gsc_image *image, size_t i, struct gsc_field_iter *it);
/* Register number `j` of a part, with its value in the image. */
GSC_API bool gsc_image_register(const struct gsc_image *image, size_t i, size_t j,
				struct gsc_row *row);

/* ---- tiled surfaces ----------------------------------------------------------------------- */

/* How a surface is tiled. */
enum gsc_tiling {
	GSC_TILING_LINEAR, GSC_TILING_X, GSC_TILING_Y, GSC_TILING_W, GSC_TILING_YF, GSC_TILING_YS,
	GSC_TILING_4, GSC_TILING_64,
	GSC_TILINGS
};

/* Tilings by their names in gpu-tile(1): "x", "yf", "tile64", ... */
GSC_API const char *gsc_tiling_name(enum gsc_tiling tiling);
GSC_API bool gsc_tiling_by_name(const char *name, enum gsc_tiling *tiling);

/*
 * Bit 6 of an address may be exclusive-ored with higher bits. A swizzle is the set of these bits,
 * for example 1 << 9 | 1 << 10. Returns its name: "none", "9", "9/10", "9/11", "9/10/11", "9/17",
 * "9/10/17"; NULL: no GPU has this swizzle.
 */
GSC_API const char *gsc_swizzle_name(uint32_t swizzle);
/*
 * The swizzle of a tiling, from the registers of a GPU if it has a source. `why` says where it was
 * found. False: it is unknown, and *swizzle is 0.
 */
GSC_API bool gsc_swizzle_find(const struct gsc_gpu *gpu, enum gsc_tiling tiling, uint32_t *swizzle,
			      char *why, size_t size);
/*
 * Applies or undoes, for bytes of a page that start at a multiple of 128, the part of a swizzle
 * that bit 17 contributes. It depends on the physical address, which a layout does not know.
 */
GSC_API void gsc_swizzle_17(uint64_t physical, void *bytes, size_t size);

/* The properties of a surface on which the place of its elements depends. */
struct gsc_surface {
	enum gsc_tiling tiling;
	unsigned bits;			/* of an element: 8, 16, 32, 64, 128; linear: n * 8 */
	unsigned samples;		/* 1, 2, 4, 8 or 16 */
	unsigned dimensions;		/* 2, or 3 for tiles with depth */
	uint64_t pitch;			/* bytes */
	uint64_t rows;			/* of a slice, if there are several slices of tiles; or 0 */
	uint32_t swizzle;
};

/* The layout of a surface in memory: a permutation of address bits, tile by tile. */
struct gsc_layout {
	struct gsc_surface surface;
	unsigned tile_bits;		/* a tile has 1 << tile_bits bytes */
	uint32_t x, y, z, sample;	/* the bits of an offset in a tile that hold each */
	unsigned width, height, depth;	/* bytes, rows, slices of a tile */
	unsigned samples;		/* in a tile; others are in further slices */
	const char *document, *section;	/* origin of the order */
};

/* An element; `byte` is a place inside it. */
struct gsc_point {
	uint64_t x, y, z;
	unsigned sample, byte;
};

/* GSC_USAGE: the platform has no such surface, or no document describes it; see *err. */
GSC_API enum gsc_status gsc_layout_init(struct gsc_layout *layout, const struct gsc_platform *p,
					const struct gsc_surface *surface, struct gsc_error *err);
/*
 * Converts an element to its offset, and back. False: the surface has no such element, or the
 * number would be too large.
 */
GSC_API bool gsc_layout_offset(const struct gsc_layout *layout, const struct gsc_point *point,
			       uint64_t *offset);
GSC_API void gsc_layout_point(const struct gsc_layout *layout, uint64_t offset,
			      struct gsc_point *point);
/* The size of this many rows in bytes, rounded up to whole tiles; UINT64_MAX: too large. */
GSC_API uint64_t gsc_layout_bytes(const struct gsc_layout *layout, uint64_t rows);

/* Elements of one sample and one slice. */
struct gsc_rectangle {
	uint64_t x, y, width, height;
	uint64_t z;
	unsigned sample;
};

/*
 * gsc_detile() copies a rectangle from a surface to rows that are `pitch` bytes apart; gsc_tile()
 * copies it from such rows to a surface.
 */
GSC_API enum gsc_status gsc_detile(const struct gsc_layout *layout, const void *tiled, size_t size,
				   const struct gsc_rectangle *rectangle, void *linear,
				   size_t pitch, struct gsc_error *err);
GSC_API enum gsc_status gsc_tile(const struct gsc_layout *layout, void *tiled, size_t size,
				 const struct gsc_rectangle *rectangle, const void *linear,
				 size_t pitch, struct gsc_error *err);

/*
 * What the processor reaches at an address in the range of a fence: byte x of row y, at *offset
 * from the start of the range. If the last row of tiles is incomplete, that may be past the end of
 * the range.
 */
GSC_API enum gsc_status gsc_fence_translate(const struct gsc_platform *p,
					    const struct gsc_fence *fence, uint32_t swizzle,
					    uint64_t address, struct gsc_point *point,
					    uint64_t *offset, struct gsc_error *err);

/* Who uses a surface, other than the processor through a fence. */
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
	uint64_t width, height;		/* elements; 0: unknown */
	const struct gsc_fence *fences;	/* the fences that the processor uses for it */
	size_t fence_count;
};

/* Reports every rule of the documents that a placement breaks. */
GSC_API void gsc_placement_check(const struct gsc_platform *p,
				 const struct gsc_placement *placement, gsc_breach_fn *each,
				 void *context);

/*
 * An entry of the auxiliary table (Gen12), which finds the auxiliary data of a graphics address. It
 * has three levels; its tables have graphics addresses too.
 */
struct gsc_aux_step {
	unsigned level, index;		/* 3, 2, 1 */
	uint64_t table, address;	/* of the table, of the entry */
	uint64_t entry;
};

/* The walk of a graphics address through these tables. */
struct gsc_aux_walk {
	uint64_t address;		/* in its 48-bit form if it has one */
	bool mapped;
	enum gsc_status status;		/* if not mapped: GSC_UNKNOWN, or why the read failed */
	uint64_t covers, size;		/* bytes of the surface, and of its auxiliary data */
	uint64_t auxiliary;		/* graphics address of the auxiliary data */
	enum gsc_stop stop;		/* not canonical, not present, or no memory */
	char why[256];			/* if not mapped */
	/* From the last entry; Gen12.5 and later ignore these members: */
	bool has_format;
	unsigned format, depth, tile_mode;
	bool chroma;
	size_t count;
	struct gsc_aux_step steps[3];
};

/*
 * The table that the register of an engine points to; NULL: the first engine that has one. `from`
 * says which register. GSC_USAGE: the platform or the engine has no such tables. If no register
 * points to one, the status is about the first register: GSC_UNKNOWN, it is 0 or not in the source;
 * GSC_DENIED or GSC_GONE, it cannot be read.
 */
GSC_API enum gsc_status gsc_aux_root(const struct gsc_gpu *gpu, const char *engine, uint64_t *root,
				     char *from, size_t size, struct gsc_error *err);
/*
 * Walks the auxiliary table. `root` is the address of the first table: a multiple of 8, of 48 bits;
 * other bits are ignored. GSC_USAGE: the platform has no such tables. GSC_FAILED: out of memory.
 * The walk says why an address is not mapped.
 */
GSC_API enum gsc_status gsc_aux_walk(struct gsc_translation *translation, uint64_t root,
				     uint64_t address, struct gsc_aux_walk *walk,
				     struct gsc_error *err);

/* The elements of a surface format. */
struct gsc_format {
	unsigned bits;			/* of an element */
	unsigned width, height;		/* pixels of an element; compressed: of a block */
};

/* A decoded RENDER_SURFACE_STATE, in elements of its format. */
struct gsc_surface_state {
	struct gsc_surface surface;	/* bits 0: the format is unknown */
	char type[16], format[64];	/* "2D"; "B8G8R8A8_UNORM", or "" */
	struct gsc_format element;	/* bits 0: the format is unknown */
	uint64_t base;			/* graphics address */
	uint64_t width, height;		/* of a slice, with all samples that are side by side */
	uint64_t x, y;			/* the element at which the surface begins */
	uint64_t slices, first;		/* their number, and the first one of the array */
	uint64_t apart;			/* rows from slice to slice; 0: unknown */
	unsigned samples, layers;	/* layers: slices in memory for each slice */
	bool side_by_side;		/* samples are elements */
	char notes[6][160];		/* what is not obvious */
	size_t note_count;
};

/* The maximum size of a surface state. */
#define GSC_SURFACE_STATE_MAX 64

/*
 * The size of a surface state, at most GSC_SURFACE_STATE_MAX, and in *step its alignment. 0: the
 * platform has none, and *step is unchanged.
 */
GSC_API size_t gsc_surface_state_size(const struct gsc_view *view, unsigned *step);
/*
 * Decodes a surface state. GSC_USAGE: the platform has none, or there are too few words.
 * GSC_FAILED: the words are not a surface state, or not of a surface with rows.
 */
GSC_API enum gsc_status gsc_surface_of_state(const struct gsc_view *view, const uint32_t *words,
					     size_t count, struct gsc_surface_state *state,
					     struct gsc_error *err);

#endif
