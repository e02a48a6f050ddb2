/* SPDX-License-Identifier: MIT */
/*
 * libgpuscope: decode the registers and memory structures of Intel GPUs, live or from a dump.
 *
 * A struct gpuscope_gpu is a GPU as sources show it: a machine, a dump, bytes in memory, or memory
 * that only the program can read. gpuscope_open() makes one. From it come registers, the walks and
 * maps of its page tables, the commands of its rings and batches, and what went wrong.
 *
 * Errors: a function that can fail returns a struct gpuscope_error, which the caller frees, or NULL
 * if all went well. What it should have made is then NULL. The library never prints and never
 * exits.
 *
 * Objects: a structure without members is opaque. A function that ends with _free frees it, and
 * does nothing with NULL. An object keeps alive what it was made from, so the order of freeing does
 * not matter. Pass back the pointer that the library gave, never a copy of the structure: behind
 * some structures there is more than their members.
 *
 * Lists: a function that has a struct gpuscope_list as its last argument makes a list. Each call of
 * gpuscope_next() gives the next item, a pointer to the structure that the comment names, and NULL
 * at the end. An item is valid until the next call for that list. Most lists do their work when an
 * item is asked for, and may be left at any item and continued later. Some lists do their work when
 * they are made: gpuscope_registers(), gpuscope_roots(), gpuscope_reverse(), gpuscope_windows() and
 * the checks, except gpuscope_commands_check().
 *
 * Structures with members begin with their size. A structure that the library fills has as many
 * bytes as the library knows: a program that was built for a newer library compares before it reads
 * a newer member. A new member begins at or after the size that the structure had in the release
 * before. In a structure that the program fills, `size` is sizeof the structure, and zero means the
 * default for every other member. Where options are a pointer, NULL means all defaults.
 *
 * Members: a number that can be unknown is a pointer, NULL if it is. A string is NULL if nothing is
 * known. A pointer to pointers is an array that ends with NULL. All of this lives as long as the
 * structure it is in; what comes from definitions, such as names, lives as long as the GPU or the
 * database.
 *
 * Enums may grow: a newer library may give values that the program does not know. The word for a
 * value that the library does not know is NULL.
 *
 * Threads: there is no global state. Only one thread at a time may use a database, a GPU, and all
 * that was made with them; objects may be freed by any thread at any time.
 */
#ifndef GPUSCOPE_H
#define GPUSCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- errors and lists ----------------------------------------------------------------------- */

/* The version of this header. */
#define GPUSCOPE_VERSION_MAJOR 1
#define GPUSCOPE_VERSION_MINOR 0
/* The version of the library that runs: "1.0.0". */
const char *gpuscope_version(void);

/* What kind of failure it is. */
enum gpuscope_status {
	GPUSCOPE_STATUS_FAILED = 1,	/* cannot open, not recognised, damaged, no GPU */
	GPUSCOPE_STATUS_USAGE = 2,	/* the request makes no sense */
	GPUSCOPE_STATUS_UNKNOWN = 3,	/* an unknown name, an address that no source holds */
	GPUSCOPE_STATUS_DENIED = 4,	/* the kernel refused */
	GPUSCOPE_STATUS_GONE = 5,	/* the device is asleep, suspended or removed */
	GPUSCOPE_STATUS_PARTIAL = 6,	/* done, but not all of it */
	GPUSCOPE_STATUS_NO_MEMORY = 7,
};

/* Why something failed. A message consists of the texts `what` and `why`, with a colon between. */
struct gpuscope_error;
enum gpuscope_status gpuscope_error_status(const struct gpuscope_error *error);
/* The thing: a file, a name, an address. */
const char *gpuscope_error_what(const struct gpuscope_error *error);
/* The reason, and the way out if there is one. */
const char *gpuscope_error_why(const struct gpuscope_error *error);
void gpuscope_error_free(struct gpuscope_error *error);

/* Items that are made when they are asked for. */
struct gpuscope_list;
/* The next item, or NULL at the end. */
const void *gpuscope_next(struct gpuscope_list *list);
/*
 * Why the list ended early or lacks something: NULL if it is complete. The error belongs to the
 * list. Ask after gpuscope_next() has returned NULL.
 */
const struct gpuscope_error *gpuscope_list_error(const struct gpuscope_list *list);
void gpuscope_list_free(struct gpuscope_list *list);

/* ---- definitions and platforms -------------------------------------------------------------- */

/*
 * Definitions: what bits mean, on every platform. Wherever a function takes one, NULL means the
 * built-in definitions.
 */
struct gpuscope_db;
/*
 * Makes a database of files in the language of gpuscope-def(5), searched in order, and of the
 * built-in definitions after them.
 */
struct gpuscope_error *gpuscope_db_new(const char *const *files, size_t count,
				       struct gpuscope_db **db);
void gpuscope_db_free(struct gpuscope_db *db);

/* A platform. */
struct gpuscope_platform {
	size_t size;
	const char *name;		/* "skl" */
	const char *title;		/* "Skylake" */
	unsigned graphics, media, display;	/* IP version * 100: 1270 is 12.70 */
	bool discrete, local_memory;
	unsigned address_bits;		/* of a physical address */
	unsigned virtual_bits;		/* of a graphics address; the rest is its sign */
	const char *const *engines;	/* "rcs0", ... */
};

/*
 * Lists struct gpuscope_platform, the oldest first. `name` is a name, an alias or a PCI device id
 * ("0x1912"), NULL for all; if nothing has that name, the list is empty.
 */
struct gpuscope_error *gpuscope_platforms(struct gpuscope_db *db, const char *name,
					  struct gpuscope_list **list);

/* What a definition describes. */
enum gpuscope_kind {
	GPUSCOPE_KIND_REGISTER,
	GPUSCOPE_KIND_COMMAND,
	GPUSCOPE_KIND_STRUCTURE,
	GPUSCOPE_KIND_ENTRY,		/* of a page table */
	GPUSCOPE_KIND_INSTRUCTION,	/* of the execution units */
	GPUSCOPE_KIND_TOPIC,		/* statements about what is none of these */
};
/* The word for it: "register", "command", ... */
const char *gpuscope_kind_word(enum gpuscope_kind kind);

/* Bits with a definition, whose fields gpuscope_fields() lists. */
struct gpuscope_decoded;

/* A definition, for browsing. */
struct gpuscope_definition {
	size_t size;
	enum gpuscope_kind kind;
	const char *name, *doc;
	const char *group, *group_title;	/* of registers */
	const char *document, *section;	/* origin: key of the document, section in it */
	const char *const *platforms;	/* names of those that have it */
	unsigned bits;			/* width of a register, structure or entry */
	const struct gpuscope_decoded *decoded;	/* its fields, with value 0 */
};

/*
 * Lists struct gpuscope_definition. `name` is a name, an alias or a pattern with * and ?, NULL for
 * all; `platform` keeps those that this platform has, NULL for all.
 */
struct gpuscope_error *gpuscope_definitions(struct gpuscope_db *db, enum gpuscope_kind kind,
					    const char *name, const char *platform,
					    struct gpuscope_list **list);

/* What a field is, besides a number. */
enum gpuscope_field_flag {
	GPUSCOPE_FIELD_MBZ = 1 << 0,
	GPUSCOPE_FIELD_MBO = 1 << 1,
	GPUSCOPE_FIELD_IGNORED = 1 << 2,	/* the hardware ignores it */
	GPUSCOPE_FIELD_OVERLAY = 1 << 3,	/* another meaning of bits that have one already */
};

/* A field of a register, command, structure, entry or instruction. */
struct gpuscope_field {
	size_t size;
	const char *name, *doc;
	const char *structure;		/* the part of an instruction it is of, or NULL */
	unsigned dword, hi, lo;		/* bits count from the start of that dword */
	unsigned flags;			/* enum gpuscope_field_flag */
	uint64_t value;			/* raw, right-justified */
	const char *text;		/* its meaning, or NULL */
	const char *problem;		/* why the value is not allowed, or NULL */
};

/* A documented value of a field, or a range of values. */
struct gpuscope_choice {
	size_t size;
	uint64_t lo, hi;
	const char *name, *doc;
};

/* Lists struct gpuscope_field, highest bits of each dword first. */
struct gpuscope_error *gpuscope_fields(const struct gpuscope_decoded *decoded,
				       struct gpuscope_list **list);
/* Lists struct gpuscope_choice of a field. */
struct gpuscope_error *gpuscope_field_choices(const struct gpuscope_field *field,
					      struct gpuscope_list **list);

/* ---- sources and GPUs ----------------------------------------------------------------------- */

/* An address space. */
enum gpuscope_space {
	GPUSCOPE_SPACE_MMIO,		/* the register part of the register BAR */
	GPUSCOPE_SPACE_CONFIG,		/* PCI configuration space */
	GPUSCOPE_SPACE_IO,		/* I/O ports */
	GPUSCOPE_SPACE_VGA_SR,		/* indexed */
	GPUSCOPE_SPACE_VGA_GR,
	GPUSCOPE_SPACE_VGA_AR,
	GPUSCOPE_SPACE_VGA_CR,
	GPUSCOPE_SPACE_SIDEBAND,	/* IOSF port << 16 | register, of 32 bits each */
	GPUSCOPE_SPACE_GGTT,		/* bytes of the entries of the GGTT */
	GPUSCOPE_SPACE_PHYS,		/* physical memory */
	GPUSCOPE_SPACE_LMEM,		/* device-local memory */
	GPUSCOPE_SPACE_GTTMEM,		/* memory by its GGTT address */
	GPUSCOPE_SPACE_PPGTTMEM,	/* memory by its PPGTT address */
	GPUSCOPE_SPACE_STOLEN,		/* offsets in stolen memory whose base is unknown */
};
/* Its name in selectors and captures: "mmio", "config", "phys", ... */
const char *gpuscope_space_word(enum gpuscope_space space);

/* How a read went. */
enum gpuscope_state {
	GPUSCOPE_STATE_OK,
	GPUSCOPE_STATE_ABSENT,		/* no source holds it */
	GPUSCOPE_STATE_SKIPPED,		/* not read, because that is hazardous */
	GPUSCOPE_STATE_ASLEEP,		/* its part of the GPU is asleep */
	GPUSCOPE_STATE_DENIED,		/* the kernel refused */
	GPUSCOPE_STATE_ALL_ONES,	/* all ones, which cannot be a value here */
	GPUSCOPE_STATE_EXCLUDED,	/* left out of a memory dump when it was written */
};
/* The word for it: "ok", "absent", "asleep", ... */
const char *gpuscope_state_word(enum gpuscope_state state);

/* A GPU as sources show it. */
struct gpuscope_gpu;

/* Bytes of the program, used like a file. They must outlive the GPU. */
struct gpuscope_bytes {
	size_t size;
	const char *name;		/* for messages; NULL: "bytes" */
	const void *data;
	size_t length;
	/* NULL: find out, as for a file; or "bar", "ggtt", "mem", "lmem", "config", "elf" */
	const char *kind;
	uint64_t address;		/* of the first byte; for bar, ggtt, mem and lmem */
};

/* Memory and registers that the program reads for the library. */
struct gpuscope_memory {
	size_t size;
	uint64_t spaces;		/* 1 << GPUSCOPE_SPACE_PHYS and so on: those of `read` */
	/*
	 * Reads `length` bytes at an address. Any state but GPUSCOPE_STATE_OK says that they cannot
	 * be read; the library may then ask for a part. Registers are asked for by their own
	 * width, memory and the GGTT by pages of 4 KB, up to 64 KB at once. Pages are kept until
	 * gpuscope_gpu_rest().
	 */
	enum gpuscope_state (*read)(void *context, enum gpuscope_space space, uint64_t address,
				    void *buf, size_t length);
	void *context;
	uint64_t phys_length, lmem_length;	/* bytes from 0; 0: unknown, nothing scans it */
	bool harmless;			/* reads of registers change nothing: a copy */
};

/* How to keep a device awake while it is read. */
enum gpuscope_wake {
	GPUSCOPE_WAKE_AUTO,		/* by any means */
	GPUSCOPE_WAKE_DRIVER,
	GPUSCOPE_WAKE_REGISTERS,	/* by the request registers */
	GPUSCOPE_WAKE_NONE,
};

/* How a GPU is opened. */
struct gpuscope_options {
	size_t size;
	struct gpuscope_db *db;
	const char *platform;		/* what the user says, or NULL: as sources say */
	const struct gpuscope_bytes *const *bytes;	/* further sources, or NULL */
	/* One more, or NULL. It needs a platform, unless it has GPUSCOPE_SPACE_CONFIG. */
	const struct gpuscope_memory *memory;
	enum gpuscope_wake wake;
	bool unsafe;			/* read also what has side effects or may hang */
};

/*
 * Opens what `sources` name, as in gpuscope-sources(7), and the sources in the options; if two hold
 * the same address, the first wins. Without any, a platform gives a GPU with definitions only, and
 * without a platform it is the GPU of this machine, as for "live".
 */
struct gpuscope_error *gpuscope_open(const char *const *sources, size_t count,
				     const struct gpuscope_options *options,
				     struct gpuscope_gpu **gpu);
void gpuscope_gpu_free(struct gpuscope_gpu *gpu);

/* Something that a source says about itself: "created", "kernel". */
struct gpuscope_property {
	size_t size;
	const char *key, *value;
};

/* A part of the sources: a file, a device, a dump inside a capture. */
struct gpuscope_part {
	size_t size;
	const char *name;		/* as it was given */
	const char *kind;		/* "i915 error state", "bar" */
	const struct gpuscope_property *const *properties;
};

/* What the sources say about the GPU. */
struct gpuscope_info {
	size_t size;
	const struct gpuscope_platform *platform;	/* NULL: of a log that does not say it */
	const uint64_t *device, *revision;	/* PCI ids */
	bool live;			/* one of the parts is a device */
	bool iommu;			/* an IOMMU translates for the GPU */
	const char *refusal;		/* why its registers cannot be read, or NULL */
	const struct gpuscope_part *const *parts;
	/*
	 * About damaged input, "FILE: what, at byte N"; and which platform was taken if the sources
	 * only show that it is one of several.
	 */
	const char *const *notes;
};

/*
 * It lives as long as the GPU; NULL if memory is exhausted. Reading may find more damage: call it
 * again for new notes.
 */
const struct gpuscope_info *gpuscope_gpu_info(struct gpuscope_gpu *gpu);

/*
 * The GPU at the moment of submission `number` of a trace, counted from 1. Otherwise a GPU with a
 * trace is at the end of the trace.
 */
struct gpuscope_error *gpuscope_gpu_at(struct gpuscope_gpu *gpu, uint64_t number,
				       struct gpuscope_gpu **moment);
/*
 * Between two readings of a device or of the program's memory: forgets what was read, lets the
 * device sleep, and closes the driver's files, which would block unbinding it.
 */
void gpuscope_gpu_rest(struct gpuscope_gpu *gpu);

/* A display device of this machine. */
struct gpuscope_device {
	size_t size;
	const char *name;		/* "0000:00:02.0", which gpuscope_open() takes */
	unsigned device, revision;	/* PCI ids */
	const char *platform;		/* or NULL */
	const char *driver;		/* or NULL */
	const char *nodes;		/* "card0 renderD128", or NULL */
	const char *power;		/* "active", "suspended", or NULL */
};

/* Lists struct gpuscope_device: the Intel display devices of this machine. */
struct gpuscope_error *gpuscope_devices(struct gpuscope_db *db, struct gpuscope_list **list);

/* A file in a capture, or a log inside a driver's dump. */
struct gpuscope_file {
	size_t size;
	const char *name;		/* "kernel/log" */
	const void *data;
	size_t length;			/* bytes that are there */
	uint64_t full_length;		/* bytes that it should have */
};

/* Lists struct gpuscope_file. */
struct gpuscope_error *gpuscope_files(struct gpuscope_gpu *gpu, struct gpuscope_list **list);

/* A buffer of a driver's dump: a ring, a batch, the image of a context. */
struct gpuscope_buffer {
	size_t size;
	/*
	 * "ring", "batch", "context", "status page", "workaround batch", "workaround context",
	 * "user": a program asked for it; "other"
	 */
	const char *kind;
	const char *name;		/* what the dump calls it: "HW context" */
	const char *engine;		/* or NULL */
	enum gpuscope_space space;	/* GPUSCOPE_SPACE_GTTMEM or GPUSCOPE_SPACE_PPGTTMEM */
	uint64_t address, length;
	const void *data;		/* NULL: gpuscope_read_memory() has the bytes */
	bool hung;			/* the dump blames its engine or context */
};

/* Lists struct gpuscope_buffer, in the order of the dump. */
struct gpuscope_error *gpuscope_buffers(struct gpuscope_gpu *gpu, struct gpuscope_list **list);

/* A dump of a hang that the kernel has kept, on a device or in a capture. */
struct gpuscope_stored {
	size_t size;
	const char *path;
	const char *kind;		/* "i915 error state", "Xe devcoredump" */
};

/* Lists struct gpuscope_stored. Only opening one shows whether it is readable. */
struct gpuscope_error *gpuscope_stored(struct gpuscope_gpu *gpu, struct gpuscope_list **list);
/* Opens item number `i` of that list, from 0, as a GPU of its own. */
struct gpuscope_error *gpuscope_open_stored(struct gpuscope_gpu *gpu, size_t i,
					    struct gpuscope_gpu **stored);

/* What goes into a capture. */
struct gpuscope_save_options {
	size_t size;
	bool no_ggtt;
	bool tables;			/* from a device: all page tables of all contexts */
	bool unsafe;			/* also what has side effects or may hang */
	bool redact;			/* no memory, nothing that identifies a machine */
	bool uncompressed;
};

/*
 * Writes a capture, gpuscope-capture(5), to a file descriptor. GPUSCOPE_STATUS_PARTIAL: something
 * could not be read; the capture says what.
 */
struct gpuscope_error *gpuscope_save(struct gpuscope_gpu *gpu, int fd,
				     const struct gpuscope_save_options *options);

/* ---- registers ------------------------------------------------------------------------------ */

/* How software may access a register, and what else is known about it. */
enum gpuscope_register_flag {
	GPUSCOPE_REGISTER_VOLATILE = 1 << 0,	/* it counts or changes by itself */
	GPUSCOPE_REGISTER_MULTICAST = 1 << 1,	/* it is replicated: a read needs steering */
	GPUSCOPE_REGISTER_HAZARD_READ = 1 << 2,	/* reading changes something */
	GPUSCOPE_REGISTER_HAZARD_HANG = 1 << 3,	/* the access may hang the machine */
	GPUSCOPE_REGISTER_HAZARD_WRITE = 1 << 4,	/* writing does more than store */
};

/* A register of a platform, at its place. It lives as long as the GPU. */
struct gpuscope_register {
	size_t size;
	const char *name;		/* "rcs0.RING_BUFFER_HEAD", "FENCE[3]" */
	const char *plain;		/* without engine and index */
	const char *engine;		/* or NULL */
	enum gpuscope_space space;
	uint64_t address;
	unsigned bits;			/* 8, 16, 32 or 64 */
	const char *access;		/* "rw", "ro", "rw,masked" */
	unsigned flags;			/* enum gpuscope_register_flag */
	const char *hazard;		/* why an access is not harmless, or NULL */
	const char *wake;		/* forcewake domains, comma-separated, or NULL */
	const uint64_t *reset;		/* its value after a reset; NULL: not documented */
	uint64_t reset_mask;		/* bits of which that value is documented */
	const char *const *aliases;
	const char *group, *doc;
	const char *document, *section;	/* origin: key of the document, section in it */
};

/* A register as it was read. */
struct gpuscope_reading {
	size_t size;
	const char *name;		/* its own, what the dump calls it, or its address */
	const struct gpuscope_register *reg;	/* NULL: nothing is defined there */
	unsigned hi, lo;		/* bits of the register that the value has */
	enum gpuscope_space space;
	uint64_t address;
	enum gpuscope_state state;
	const uint64_t *value;		/* NULL unless the state is GPUSCOPE_STATE_OK */
	const char *why;		/* why it was not read, or NULL */
};

/*
 * Finds a register by name or alias: "NAME" (of the first engine), "rcs0.NAME", "NAME[3]". If `reg`
 * is NULL it only says whether there is one; the error then does not suggest other names.
 */
struct gpuscope_error *gpuscope_register_find(struct gpuscope_gpu *gpu, const char *name,
					      const struct gpuscope_register **reg);
/*
 * Reads a register. *value is set only if the state is GPUSCOPE_STATE_OK; otherwise *why, unless
 * `why` is NULL, becomes the reason or NULL, and is valid until the next call.
 */
enum gpuscope_state gpuscope_register_read(struct gpuscope_gpu *gpu,
					   const struct gpuscope_register *reg, uint64_t *value,
					   const char **why);
/* Lists struct gpuscope_field of a value of a register. */
struct gpuscope_error *gpuscope_register_fields(struct gpuscope_gpu *gpu,
						const struct gpuscope_register *reg,
						uint64_t value, struct gpuscope_list **list);
/*
 * Reads registers, and lists struct gpuscope_reading in the order of the selectors, which are those
 * of gpu-regdump(1): NAME, a pattern, rcs0.NAME, @GROUP, 0xADDR, 0xA-0xB. Without selectors: every
 * register, and every value of the sources that no register covers.
 */
struct gpuscope_error *gpuscope_registers(struct gpuscope_gpu *gpu, const char *const *selectors,
					  size_t count, struct gpuscope_list **list);

/* ---- memory --------------------------------------------------------------------------------- */

/*
 * Reads 1, 2, 4 or 8 bytes at a multiple of that size, whatever is defined there. *value is set
 * only if the state is GPUSCOPE_STATE_OK; *why is as for gpuscope_register_read(). Whether reading
 * has side effects is not checked.
 */
enum gpuscope_state gpuscope_read(struct gpuscope_gpu *gpu, enum gpuscope_space space,
				  uint64_t address, unsigned bytes, uint64_t *value,
				  const char **why);
/*
 * Reads bytes up to the first one that is missing, and returns its state, or GPUSCOPE_STATE_OK if
 * all are there. *got becomes their number, unless `got` is NULL; *why is about the missing one.
 */
enum gpuscope_state gpuscope_read_memory(struct gpuscope_gpu *gpu, enum gpuscope_space space,
					 uint64_t address, void *buf, size_t length, size_t *got,
					 const char **why);

/* A range that the sources hold. */
struct gpuscope_extent {
	size_t size;
	uint64_t start, length;
};

/* Lists struct gpuscope_extent of a space, in order. */
struct gpuscope_error *gpuscope_extents(struct gpuscope_gpu *gpu, enum gpuscope_space space,
					struct gpuscope_list **list);

/* A range of the machine's address space that belongs to the GPU. */
struct gpuscope_window {
	size_t size;
	const char *name;		/* "GTTMMADR", "GSM", "DSM", ... */
	enum gpuscope_state state;	/* other than GPUSCOPE_STATE_OK: place or size is unknown */
	const uint64_t *start, *length;	/* a length of 0: it does not exist */
	const char *from;		/* where this was found: "config 0x5c BDSM 0xdba00001" */
	const char *problem;		/* what is inconsistent, or NULL */
};

/* Lists struct gpuscope_window. */
struct gpuscope_error *gpuscope_windows(struct gpuscope_gpu *gpu, struct gpuscope_list **list);

/* ---- page tables ---------------------------------------------------------------------------- */

/* A kind of page tables. */
enum gpuscope_mode {
	GPUSCOPE_MODE_GGTT,
	GPUSCOPE_MODE_FLAT,		/* Gen4 per-process: one level */
	GPUSCOPE_MODE_2LEVEL,		/* Gen6 and Gen7 per-process */
	GPUSCOPE_MODE_PDP32,		/* Gen8+ legacy context, 32 bits */
	GPUSCOPE_MODE_PML4,		/* Gen8+ legacy context, 48 or 57 bits */
	GPUSCOPE_MODE_IA32E,		/* Gen8+ advanced context */
	GPUSCOPE_MODE_TRTT,		/* tiled resources, in front of another mode */
	GPUSCOPE_MODE_VTD,		/* second level, and the tables that lead to it */
};
/* Its name in gpu-ptwalk(1): "ggtt", "pml4", ... */
const char *gpuscope_mode_word(enum gpuscope_mode mode);

/* Where a translation begins. */
struct gpuscope_root {
	size_t size;
	enum gpuscope_mode mode;
	const uint64_t *values;		/* what `gpu-ptwalk --root` takes */
	size_t count;
	const char *from;		/* where it was found: "rcs0 context 0x00021000" */
};

/* Lists struct gpuscope_root: all roots that the sources show, without duplicates. */
struct gpuscope_error *gpuscope_roots(struct gpuscope_gpu *gpu, struct gpuscope_list **list);

/* Which tables translate. All zero: those of the first engine that has some, or the GGTT. */
struct gpuscope_tables_options {
	size_t size;
	const char *engine;		/* by the registers of this engine: "rcs0" */
	const char *mode;		/* "ggtt" alone; with root values, what they are of */
	const uint64_t *root;		/* the values, up to 4 */
	size_t root_count;
	const uint64_t *context;	/* by the image of a context: LRCA or descriptor */
	const uint64_t *second_level;	/* VT-d second level below: its root */
	unsigned second_levels;		/* its levels: 3, 4 or 5 */
};

/* Page tables. */
struct gpuscope_tables;
struct gpuscope_error *gpuscope_tables_new(struct gpuscope_gpu *gpu,
					   const struct gpuscope_tables_options *options,
					   struct gpuscope_tables **tables);
void gpuscope_tables_free(struct gpuscope_tables *tables);
/* Where they begin. It lives as long as the tables. */
const struct gpuscope_root *gpuscope_tables_root(const struct gpuscope_tables *tables);

/* Why an address is not mapped. */
enum gpuscope_stop {
	GPUSCOPE_STOP_NONE,
	GPUSCOPE_STOP_NOT_PRESENT,
	GPUSCOPE_STOP_RESERVED_BITS,
	GPUSCOPE_STOP_NOT_CANONICAL,
	GPUSCOPE_STOP_BEYOND_TABLE,
	GPUSCOPE_STOP_NO_MEMORY,	/* no source holds the table */
	GPUSCOPE_STOP_NULL_TILE,
	GPUSCOPE_STOP_INVALID_TILE,
	GPUSCOPE_STOP_NOT_PERMITTED,
	GPUSCOPE_STOP_IOMMU,		/* addresses in entries are not physical */
};
/* The word for it: "not-present", "reserved-bits", ...; NULL: none. */
const char *gpuscope_stop_word(enum gpuscope_stop stop);

/* The access that is checked for. */
enum gpuscope_access { GPUSCOPE_ACCESS_READ, GPUSCOPE_ACCESS_WRITE, GPUSCOPE_ACCESS_ATOMIC };

/* What a walk has read. */
struct gpuscope_walked;

/* Where an address leads. */
struct gpuscope_walk {
	size_t size;
	uint64_t address;		/* without its sign */
	enum gpuscope_mode mode;
	bool mapped;
	enum gpuscope_space space;	/* GPUSCOPE_SPACE_PHYS or GPUSCOPE_SPACE_LMEM */
	uint64_t physical;		/* if mapped, unless null */
	uint64_t page_size;		/* if mapped */
	bool stolen;			/* the page is graphics stolen memory */
	bool null;			/* a null page: reads give zero */
	bool readable, writable, executable, user;
	enum gpuscope_stop stop;
	const char *stop_level;		/* where it stopped: "pde", or NULL */
	const char *stop_text;		/* why, in words, or NULL */
	const char *note;		/* a remark, or NULL */
	const struct gpuscope_walked *walked;	/* for gpuscope_walk_entries() */
};

/*
 * Translates an address; NULL if memory is exhausted, or if there is no such access. The walk and
 * its texts are valid until the next one through these tables.
 */
const struct gpuscope_walk *gpuscope_walk(struct gpuscope_tables *tables, uint64_t address,
					  enum gpuscope_access access);
/* The attributes of its page: "rw,llc,pat3"; NULL if it is not mapped. Valid like the walk. */
const char *gpuscope_walk_flags(const struct gpuscope_walk *walk);

/* An entry of a page table. */
struct gpuscope_entry {
	size_t size;
	const char *level;		/* "pml4e", "pde2m", "pte" */
	/*
	 * 0: a level of the walk itself. Otherwise part of a nested walk (second level, tiled
	 * resources) that leads to the next entry with less depth or, at the end, to the page.
	 */
	unsigned depth;
	unsigned index;
	enum gpuscope_space space;	/* of the table */
	bool guest;			/* the table's address is guest-physical */
	uint64_t table, address;	/* of the table, of the entry */
	bool held;			/* the entry could be read */
	uint64_t entry;			/* its lower 8 bytes, if held */
	const uint32_t *words;		/* all of it: 1 to 16 dwords, lowest first */
	size_t word_count;		/* 0: it is not held */
	bool valid, leaf;
	const char *next;		/* level of the table that it points to, or NULL */
	enum gpuscope_space target_space;
	uint64_t target, page_size;	/* where it points; page_size 0: not a page */
	const char *const *problems;	/* what the documents forbid */
	const struct gpuscope_decoded *decoded;	/* its fields, if it is held */
};

/* Lists struct gpuscope_entry: the entries that a walk has read. The list may outlive the walk. */
struct gpuscope_error *gpuscope_walk_entries(const struct gpuscope_walk *walk,
					     struct gpuscope_list **list);
/*
 * Decodes an entry of a level ("pte", "pde2m", "vtd-root", ...) of a mode from its dwords, lowest
 * first. Lists one struct gpuscope_entry, without table and address.
 */
struct gpuscope_error *gpuscope_entry_decode(struct gpuscope_gpu *gpu, enum gpuscope_mode mode,
					     const char *level, const uint32_t *words,
					     size_t count, struct gpuscope_list **list);
/*
 * Translates many addresses: where each lands, or, if stops[i] is not GPUSCOPE_STOP_NONE, why it
 * does not; permissions are not checked. spaces[i] is an enum gpuscope_space. UINT64_MAX in
 * physical[i] is a null page. `spaces` and `stops` may be NULL; physical[i] of what does not land
 * is 0.
 */
void gpuscope_translate(struct gpuscope_tables *tables, const uint64_t *addresses, size_t count,
			uint64_t *physical, unsigned char *spaces, unsigned char *stops);
/* Reads bytes at graphics addresses up to the first one that is missing, and returns how many. */
size_t gpuscope_tables_read(struct gpuscope_tables *tables, uint64_t address, void *buf,
			    size_t length);

/* How a map is divided. */
enum gpuscope_map_flag {
	/* One range per page, except that a constant run of more than 512 pages is one range. */
	GPUSCOPE_MAP_PAGES = 1 << 0,
	GPUSCOPE_MAP_ALL = 1 << 1,	/* page by page without exception */
};

/* How the pages of a range are arranged in memory. */
enum gpuscope_shape {
	GPUSCOPE_SHAPE_LINEAR,
	GPUSCOPE_SHAPE_CONSTANT,	/* all pages have the same target, such as scratch */
	GPUSCOPE_SHAPE_SCATTERED,	/* runs of less than 8 contiguous pages */
	GPUSCOPE_SHAPE_REPEAT,		/* a table that occurred before, at `of` */
};
/* The word for it: "linear", "constant", ... */
const char *gpuscope_shape_word(enum gpuscope_shape shape);

/* A range whose pages have the same attributes. */
struct gpuscope_range {
	size_t size;
	uint64_t start, end;		/* graphics addresses, end exclusive */
	enum gpuscope_shape shape;
	enum gpuscope_space space;
	uint64_t physical;		/* unless null; for a repeat, that of its first page */
	uint64_t pages;
	uint64_t page_size;		/* 0: a repeat whose pages differ */
	uint64_t of;			/* of a repeat: where the table occurred before */
	bool stolen, readable, writable;
	bool null;			/* null pages: reads give zero */
	uint64_t entry;			/* a leaf; permissions denied above it are removed */
	const char *level;		/* the level of that entry */
	const char *flags;		/* the attributes of its pages: "rw,llc,pat3" */
};

/*
 * Lists struct gpuscope_range: every mapped range, in order. Addresses in no range are not mapped,
 * unless the list's error says that tables are missing.
 */
struct gpuscope_error *gpuscope_map(struct gpuscope_tables *tables, unsigned flags,
				    struct gpuscope_list **list);

/* Graphics addresses that reach a physical one: address + i * page_size, for i < pages. */
struct gpuscope_reached {
	size_t size;
	uint64_t address, pages, page_size;
	bool repeat;			/* instead: [start, end) is mapped as `of` is */
	uint64_t start, end, of;
};

/* Lists struct gpuscope_reached. */
struct gpuscope_error *gpuscope_reverse(struct gpuscope_tables *tables, enum gpuscope_space space,
					uint64_t physical, struct gpuscope_list **list);

/* Something that breaks a rule. */
struct gpuscope_finding {
	size_t size;
	const char *rule;		/* "reserved-bits", "misaligned", ... */
	bool unchecked;			/* the rule could not be checked: `text` says why */
	bool note;			/* it breaks no rule, but is noteworthy */
	const char *where, *text;
	const char *document, *section;	/* origin of the rule, or NULL */
};

/* Lists struct gpuscope_finding about page tables. */
struct gpuscope_error *gpuscope_tables_check(struct gpuscope_tables *tables,
					     struct gpuscope_list **list);

/* ---- commands ------------------------------------------------------------------------------- */

/* The kind of a run. */
enum gpuscope_run_kind {
	GPUSCOPE_RUN_KIND_DWORDS,	/* dwords of the program */
	GPUSCOPE_RUN_KIND_RING,
	GPUSCOPE_RUN_KIND_BATCH,
	GPUSCOPE_RUN_KIND_SECOND_LEVEL,	/* a batch that returns to the one that started it */
};
/* The word for it: "ring", "batch", ... */
const char *gpuscope_run_kind_word(enum gpuscope_run_kind kind);

/* How a run ended. */
enum gpuscope_run_end {
	GPUSCOPE_RUN_END_ENDED,		/* at its end command; a ring: at its tail */
	GPUSCOPE_RUN_END_OUT,		/* its dwords end without an end command */
	GPUSCOPE_RUN_END_CHAINED,	/* it continues in another batch */
	GPUSCOPE_RUN_END_NOWHERE,	/* no source holds what follows */
	GPUSCOPE_RUN_END_STOPPED,	/* a limit was reached */
	GPUSCOPE_RUN_END_BLANK,		/* one dword only, repeated */
	GPUSCOPE_RUN_END_LOOP,		/* it certainly never ends */
};
/* The word for it: "ended", "endless loop", ... */
const char *gpuscope_run_end_word(enum gpuscope_run_end end);

/* Consecutive commands: a ring, or a batch. It lives as long as the list. */
struct gpuscope_run {
	size_t size;
	enum gpuscope_run_kind kind;
	const char *engine;
	bool process;			/* its address is a PPGTT address */
	bool privileged;
	uint64_t submission;		/* its number in a trace, from 1; or 0 */
	uint64_t address;
	const uint64_t *from;		/* address of the command that starts it */
	bool over;			/* all its commands were listed; then: */
	enum gpuscope_run_end end;
	uint64_t length;		/* bytes decoded */
	const char *why;		/* about its end, or NULL */
};

/* Whether a command could be decoded. */
enum gpuscope_command_status {
	GPUSCOPE_COMMAND_STATUS_OK,
	GPUSCOPE_COMMAND_STATUS_UNKNOWN,
	GPUSCOPE_COMMAND_STATUS_TRUNCATED,	/* its end is missing */
	GPUSCOPE_COMMAND_STATUS_BAD_LENGTH,	/* a length that it cannot have */
};
/* The word for it: "ok", "unknown", ... */
const char *gpuscope_command_status_word(enum gpuscope_command_status status);

/* What a command does with a register. */
enum gpuscope_use {
	GPUSCOPE_USE_LOADS_VALUE,
	GPUSCOPE_USE_LOADS_MEMORY,	/* from there */
	GPUSCOPE_USE_LOADS_REGISTER,
	GPUSCOPE_USE_STORES_TO_MEMORY,
	GPUSCOPE_USE_STORES_TO_REGISTER,
	GPUSCOPE_USE_LOADS_RESULT,	/* of MI_MATH */
	GPUSCOPE_USE_READS,		/* MI_MATH, or a poll */
};

/* A register that a command loads, stores or reads. */
struct gpuscope_register_access {
	size_t size;
	enum gpuscope_use use;
	const struct gpuscope_register *reg;	/* or NULL: nothing is defined there */
	uint64_t address;
	const uint64_t *value;		/* if it is in the command */
	const uint64_t *from;		/* address of memory or of a register */
};

/* An address in a command. */
struct gpuscope_command_address {
	size_t size;
	const char *name;		/* of the field */
	unsigned dword;			/* of the command, where the field begins */
	uint64_t address;		/* without its sign */
	bool process;			/* a PPGTT address */
};

/* State that a command points to. */
struct gpuscope_state_object {
	size_t size;
	const char *name;		/* of the structure: "SAMPLER_STATE" */
	unsigned index;			/* in an array */
	unsigned depth;			/* 0: the command points to it; else state does */
	uint64_t address;
	bool is_offset;			/* the address is an offset from an unknown base */
	const uint32_t *words;
	size_t word_count;
	const char *problem;		/* why there are no words, or what is wrong; or NULL */
	const struct gpuscope_decoded *decoded;	/* its fields, if there are words */
};

/* A shader program that a command starts. */
struct gpuscope_kernel {
	size_t size;
	const char *stage;		/* "vs", "ps", "cs", ... */
	uint64_t address;
	const void *data;
	size_t length;
	unsigned simd;			/* channels of a thread: 8, 16 or 32; 0: unknown */
	const char *problem;		/* why there are no bytes, or no more; or NULL */
};

/* A command. */
struct gpuscope_command {
	size_t size;
	const struct gpuscope_run *run;
	uint64_t address;
	const char *name;		/* "UNKNOWN" if it is unknown */
	enum gpuscope_command_status status;
	const uint32_t *words;
	size_t word_count;		/* dwords that are there */
	unsigned length;		/* dwords that it should have */
	const struct gpuscope_decoded *decoded;	/* its fields, or NULL */
	const struct gpuscope_command_address *const *addresses;
	const struct gpuscope_register_access *const *registers;
	const struct gpuscope_state_object *const *states;	/* if they were asked for */
	const struct gpuscope_kernel *const *kernels;	/* likewise */
};

/* Which commands are listed. */
struct gpuscope_commands_options {
	size_t size;
	const char *engine;		/* NULL: all engines; for a batch: as the sources say */
	const uint64_t *address;	/* the batch there; NULL: all rings and batches */
	bool process;			/* the address is a PPGTT address */
	const uint32_t *words;		/* these dwords, as if there; they must outlive the list */
	size_t word_count;
	struct gpuscope_tables *tables;	/* for PPGTT addresses; NULL: what the sources say */
	bool no_follow;			/* not the batches that are started */
	bool past_end;			/* continue after an end command */
	bool state;			/* with states and kernels */
};

/*
 * Lists struct gpuscope_command: those of the rings and batches of the sources, or of one batch,
 * and of the batches that they start.
 */
struct gpuscope_error *gpuscope_commands(struct gpuscope_gpu *gpu,
					 const struct gpuscope_commands_options *options,
					 struct gpuscope_list **list);
/* Lists struct gpuscope_finding about the same commands. */
struct gpuscope_error *gpuscope_commands_check(struct gpuscope_gpu *gpu,
					       const struct gpuscope_commands_options *options,
					       struct gpuscope_list **list);

/* ---- programs of the execution units --------------------------------------------------------- */

/* The syntax of instructions. */
enum gpuscope_syntax {
	GPUSCOPE_SYNTAX_MESA,		/* as Mesa's assemblers accept it */
	GPUSCOPE_SYNTAX_IGA,		/* as Intel's own takes it */
};

/* An instruction. */
struct gpuscope_instruction {
	size_t size;
	uint64_t offset;		/* in the program */
	unsigned bytes;			/* 16, or 8 if it is compacted */
	const char *opcode;		/* "mov"; NULL: unknown */
	unsigned exec_size;		/* channels */
	const char *label;		/* by which jumps refer to it: "LABEL2", or NULL */
	const char *text;		/* the instruction as the syntax writes it */
	const char *message;		/* what it asks of a shared function, or NULL */
	bool ends;			/* it ends the thread */
	const uint64_t *jip, *uip;	/* offsets in the program that it may jump to */
	const struct gpuscope_decoded *decoded;	/* its fields, then those of the message */
};

/*
 * Lists struct gpuscope_instruction of a program for the GPU's platform. The bytes must outlive the
 * list.
 */
struct gpuscope_error *gpuscope_program(struct gpuscope_gpu *gpu, const void *data, size_t length,
					enum gpuscope_syntax syntax, struct gpuscope_list **list);
/* Lists struct gpuscope_finding about a program; `address` is that of its first byte. */
struct gpuscope_error *gpuscope_program_check(struct gpuscope_gpu *gpu, const void *data,
					      size_t length, uint64_t address,
					      struct gpuscope_list **list);

/* ---- what went wrong ------------------------------------------------------------------------- */

/* The command that used a faulting address. */
struct gpuscope_cause {
	size_t size;
	const char *command;		/* its name */
	uint64_t address;		/* of the command */
	const char *field;		/* "ADDRESS"; in state that it points to "NAME.FIELD" */
	uint64_t value;			/* the address that the field holds */
	bool stopped;			/* the engine stopped in this command, not after it */
};

/* A fault: an access to an address that is not mapped, or not permitted. */
struct gpuscope_fault {
	size_t size;
	bool valid;			/* false: only an address, perhaps of an older fault */
	const char *text;		/* what it means */
	const char *engine;		/* that made the access, or NULL */
	const uint64_t *address;
	const char *space;		/* "ggtt", "ppgtt", "dma", or NULL */
	const char *type;		/* "invalid PTE", or NULL */
	const char *access;		/* "read", "write", "atomic", or NULL */
	const char *level;		/* the level without a valid entry, or NULL */
	const struct gpuscope_register *reg;	/* that recorded it; NULL: a log did */
	const uint64_t *value;		/* of that register */
	const struct gpuscope_walk *walk;	/* of the address, through the sources' tables */
	const char *no_walk;		/* why there is none, or NULL */
	const struct gpuscope_cause *cause;	/* or NULL: unknown */
};

/* What an engine was doing. */
enum gpuscope_engine_state {
	GPUSCOPE_ENGINE_STATE_UNKNOWN,	/* its registers are missing, or do not show it */
	GPUSCOPE_ENGINE_STATE_IDLE,
	GPUSCOPE_ENGINE_STATE_RUNNING,
	GPUSCOPE_ENGINE_STATE_WAITING,	/* for a semaphore, an event, a scan line */
	GPUSCOPE_ENGINE_STATE_HUNG,
};
/* The word for it: "idle", "hung", ... */
const char *gpuscope_engine_state_word(enum gpuscope_engine_state state);

/* An engine. */
struct gpuscope_engine {
	size_t size;
	const char *name;		/* "rcs0" */
	enum gpuscope_engine_state state;
	bool blamed;			/* the dump itself says that it hangs */
	const uint64_t *head, *tail, *start, *acthd, *ipehr;	/* its registers */
	const char *command;		/* in which it stopped, or NULL */
	const uint64_t *command_address;
	const char *where;		/* where it stopped, in words, or why that is unknown */
	const char *const *evidence;	/* why the state is what it is; which units are busy */
};

/* An error that a register reports. */
struct gpuscope_trouble {
	size_t size;
	const struct gpuscope_register *reg;
	uint64_t value;			/* of the register */
	const char *field;		/* the bit that reports it */
	const char *text;		/* its meaning and its consequence */
};

/* Work that a driver had given to an engine: a request of i915, a job of xe. */
struct gpuscope_request {
	size_t size;
	const char *engine, *name;
	const char *state;		/* "never began", "begun", "done"; NULL: unknown */
	const uint64_t *context, *seqno, *pid;
	const char *text;		/* all of this in words */
};

/* What went wrong: a sentence about it, and all that leads to the sentence. */
struct gpuscope_hang {
	size_t size;
	const char *verdict;		/* a sentence */
	/* "snb/rcs0/3DSTATE_INDEX_BUFFER/ppgtt-fault": the same for hangs of one kind. */
	const char *signature;
	const struct gpuscope_engine *const *engines;
	const struct gpuscope_fault *const *faults;
	const struct gpuscope_trouble *const *errors;
	const struct gpuscope_request *const *requests;
	const struct gpuscope_property *const *facts;	/* of the driver: "reason" */
};

/*
 * Collects what the sources show about a hang; registers are read, nothing is cleared. If a capture
 * or device has dumps that the kernel has kept, it is about the first of them that shows something.
 * Sources that are only a kernel log give verdict, signature and faults; verdict and signature are
 * also those of the log if only the log shows something.
 */
struct gpuscope_error *gpuscope_hang_new(struct gpuscope_gpu *gpu, struct gpuscope_hang **hang);
void gpuscope_hang_free(struct gpuscope_hang *hang);
/* Lists struct gpuscope_finding about the whole state, and what makes it doubtful. */
struct gpuscope_error *gpuscope_hang_check(const struct gpuscope_hang *hang,
					   struct gpuscope_list **list);

/* What an event of a kernel log is. */
enum gpuscope_event_kind {
	GPUSCOPE_EVENT_KIND_FAULT,	/* in the GPU's own tables */
	GPUSCOPE_EVENT_KIND_DMA_FAULT,	/* in the IOMMU */
	GPUSCOPE_EVENT_KIND_ERROR,	/* EIR, a firmware that does not answer, ... */
	GPUSCOPE_EVENT_KIND_HANG,
	GPUSCOPE_EVENT_KIND_RESET,
	GPUSCOPE_EVENT_KIND_DUMP,	/* a dump was kept, or engines were printed */
};
/* The word for it: "fault", "dma-fault", ... */
const char *gpuscope_event_kind_word(enum gpuscope_event_kind kind);

/* How serious an event is: only the first rank can stop work. */
enum gpuscope_event_rank {
	GPUSCOPE_EVENT_RANK_MAIN,
	GPUSCOPE_EVENT_RANK_LESSER,	/* something does not work, such as saving power */
	GPUSCOPE_EVENT_RANK_ASIDE,	/* flicker, advice, other GPUs and code */
};

/* An event of a kernel log: lines that belong together. */
struct gpuscope_event {
	size_t size;
	enum gpuscope_event_kind kind;
	enum gpuscope_event_rank rank;
	size_t line, line_count;	/* number of its first line, from 1; number of lines */
	const char *log;		/* the first line */
	const char *stamp;		/* time or date as the log writes it, or NULL */
	const char *driver, *device;	/* "i915", "0000:00:02.0", or NULL */
	const char *process;		/* whose work it was: "Xorg [1981]", or NULL */
	const struct gpuscope_fault *fault;	/* else: engine, type, text only */
	unsigned repeats;		/* how often it recurs, with few others in between */
};

/* Lists struct gpuscope_event of the kernel log in the sources: none, if there is no log. */
struct gpuscope_error *gpuscope_events(struct gpuscope_gpu *gpu, struct gpuscope_list **list);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
