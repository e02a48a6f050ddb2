/* SPDX-License-Identifier: MIT */
/*
 * What kernel drivers write about a hang: i915's error states (error-state.c) and engines that it
 * prints (engine-dump.c), xe's device core dumps (devcoredump.c). The readers split lines and fill
 * an index (dump.c): registers by the driver's names, buffers with their bytes, anything else that
 * is "key: value", and texts and logs as members. open/ settles the platform, then calls
 * dump_place(), which knows which register the driver means and makes pieces of it.
 */
#ifndef GSC_DUMP_H
#define GSC_DUMP_H

#include "formats/contents.h"
#include "formats/facts.h"
#include "formats/values.h"
#include "source/inflate.h"
#include "source/part.h"
#include "text/lines.h"
#include "util/text.h"

struct gsc_platform;

/* Engines are counted from 1; 0: no engine. What they were doing is in their buffers. */
struct dump_engine {
	char name[16];
	uint64_t head, tail, start, acthd;
	unsigned flags;			/* enum gsc_buffer_flag */
};

struct dump_register {
	struct slice key, text;		/* "ACTHD", "GTIER[3]", "SC_INSTDONE[1][0]"; its value */
	struct slice block;		/* "Plane [1]", if the register belongs to one, or empty */
	uint64_t value, upper;		/* "0xUPPER 0xVALUE" */
	uint8_t engine;
	bool pair;			/* it has an upper half */
	bool relative;			/* the offset counts from the engine's base */
	bool shared;			/* its address is that of many units, if it has an offset */
	uint32_t offset;		/* if the driver gives one, else UINT32_MAX */
};

struct dump_buffer {
	enum gsc_buffer_kind kind;
	char name[48];
	uint8_t engine;
	bool process;			/* a PPGTT address, if the process has its own space */
	enum gsc_space space;		/* once it has a place */
	unsigned flags;
	uint64_t address, length;
	const uint8_t *data;		/* NULL: not decoded or unpacked yet */
	uint64_t packed;		/* then: offset in the dump's packed memory */
};

/* Base 85 that nobody has read yet, or a zlib stream. */
struct dump_text {
	uint64_t start, length;		/* of its bytes, in the dump's packed memory */
	struct slice text;
	size_t line;			/* where it is */
	bool decoded;
	byte_vec bytes;			/* then; fewer if the text is damaged */
	byte_vec zlib;			/* or this, */
	uint64_t from;			/* and `bytes` are some of its bytes, from there on */
};

enum dump_ppgtt { PPGTT_UNTOLD = -1, PPGTT_NONE, PPGTT_ALIASING, PPGTT_FULL };

struct dump {
	struct packed packed;		/* first: all texts, one after the other, as memory */
	VEC(struct dump_text) texts;
	struct gsc_source *source;	/* for notes about them, and the name of the input */
	const char *name;
	bool memory_out;		/* there was not enough of it to decode one */
	struct unpacker *unpacker;	/* of zlib streams, when first needed */
	struct dump_text *stream;	/* the one that it unpacks, */
	size_t fed;			/* and how much of it it has got */
	uint64_t whole_max;		/* bytes that may still stay when asked for as a whole */
	uint64_t unpacked;		/* others that streams have now, */
	/* In all since loading: each step back in a stream unpacks it from its beginning. */
	uint64_t again, again_max;
	VEC(struct dump_engine) engines;
	VEC(struct dump_register) registers;
	VEC(struct dump_buffer) buffers;
	VEC(struct gsc_member) members;
	enum dump_ppgtt ppgtt;
	/* Of a GPU in the memory of a machine. */
	char engine_names[200];		/* those that the driver has: "rcs0,bcs0"; "": unknown */
	VEC(struct driver_request) requests;
	VEC(struct driver_space) spaces;
	VEC(struct driver_ring) rings;
	VEC(struct driver_queue) queues;
	VEC(struct driver_client) clients;
	VEC(struct driver_range) ranges;
	const char *torn;		/* why requests may be missing; NULL: these are all */
	size_t unplaced;		/* registers without a known address, now properties */
};

/* ---- a dump being read ----------------------------------------------------------------------- */

/* A reader at work. After an allocation failure all calls fail. */
struct dump_reading {
	struct gsc_source *source;
	struct part *part;
	struct dump *dump;
	struct lines lines;
	struct slice line;		/* without quoting, the log's prefix and leading blanks */
	unsigned quotes;		/* `>` in front of it */
	bool logged;			/* it had a log's prefix */
	bool indented;
	bool memory_out;
	uint64_t unpacked_max;		/* bytes that zlib streams may still produce */
	/* And that may still be kept when they are counted: of buffers, and of those needed. */
	uint64_t kept_max, whole_max;
	bool no_unpacker;
	struct left_out text, packed;	/* damaged: base 85; zlib */
	struct left_out bomb, left;	/* more than unpacked_max; than whole_max */
	struct left_out cut;		/* a buffer whose end is missing */
	struct left_out part_of_line;	/* the last one, of a truncated file */
	struct left_out surplus;	/* more lines of a kind than any driver prints */
	struct left_out other;		/* where a second dump begins: reading ends there */
	struct slice told[4];		/* what shows it */
};

bool dump_begin(struct dump_reading *reading, struct gsc_source *source, struct part *part);
/* Notes what was damaged; the status of the whole. */
enum gsc_status dump_end(struct dump_reading *reading, struct gsc_error *err);

/* The next non-empty line. */
bool dump_line(struct dump_reading *reading);
void dump_damage(struct dump_reading *reading, struct left_out *damage);

/* The engine with which a text begins ("render ring", "Blitter", "rcs'0"), or 0. */
uint8_t dump_engine(struct dump_reading *reading, struct slice text);
void dump_property(struct dump_reading *reading, struct slice prefix, struct slice key,
		   struct slice value);
void dump_register(struct dump_reading *reading, const struct dump_register *reg);
struct dump_buffer *dump_add_buffer(struct dump_reading *reading, struct slice name,
				    uint64_t address);
void dump_add_member(struct dump_reading *reading, const char *name, const uint8_t *data,
		     size_t size, size_t held);
/* The platform's engine of that name, with the base of its registers, which may be NULL. */
bool dump_platform_has(const struct gsc_db *db, unsigned platform, const char *engine,
		       uint32_t *base);
struct slice dump_engine_words(const struct dump *dump, uint8_t engine);

/* "key: value" or "key = value", both without surrounding blanks. */
bool dump_split(struct slice line, struct slice *key, struct slice *value);
/* "0x1", "0x1 2", "0x1_2", "0x1 0x2": one number, or two. Anything may follow. */
bool dump_number(struct slice value, struct dump_register *reg);
/* The identity lines that both drivers print. */
void dump_identity(struct dump_reading *reading, struct slice key, struct slice value);

/* ---- bytes in a text ------------------------------------------------------------------------ */

/* A buffer whose bytes are being read: base 85, perhaps compressed, or single dwords. */
struct dump_bytes {
	byte_vec bytes, packed;
	size_t fed;			/* of what is packed */
	uint64_t dropped;		/* unpacked bytes that are counted, not kept */
	struct ascii85 decoder;
	bool open, zlib, ended, damaged;
	bool whole;			/* they must be in memory */
	unsigned quotes;		/* in front of the first line */
	bool logged;
	size_t length, line, at;	/* of the last line used, and where it is */
	uint64_t expected;		/* bytes in all, or 0 if unknown */
};

/* Zeroed at first. Text that is not base 85 ends it. */
void dump_bytes_begin(struct dump_reading *reading, struct dump_bytes *bytes, bool zlib,
		      uint64_t expected);
void dump_bytes_text(struct dump_reading *reading, struct dump_bytes *bytes, struct slice text);
void dump_bytes_dword(struct dump_reading *reading, struct dump_bytes *bytes, uint32_t dword);
/* Takes the line if it continues the bytes, as where mail or a log has broken lines. */
bool dump_bytes_continue(struct dump_reading *reading, struct dump_bytes *bytes);
/* How many there are so far. */
uint64_t dump_bytes_count(const struct dump_bytes *bytes);
/*
 * Passes the bytes to the part; *length is how many. The flags say what is wrong with them. NULL
 * with a length: zlib streams are more than is kept, and this one is unpacked when it is read.
 */
const uint8_t *dump_bytes_end(struct dump_reading *reading, struct dump_bytes *bytes,
			      uint64_t *length, unsigned *flags, uint64_t *packed);

/*
 * Most of a device core dump is memory that no question needs: a text of exactly the expected
 * bytes, on one line, is kept as it is, and decoded when somebody reads it. False: it is not one.
 */
bool dump_bytes_later(struct dump_reading *reading, struct slice text, uint64_t expected,
		      uint64_t *packed);
/*
 * The bytes of a buffer, decoded now if need be; if they are damaged, it gets shorter. NULL: it has
 * none, or dump->memory_out, or they are not all in memory: dump_buffer_read() has them.
 */
const uint8_t *dump_buffer_data(struct dump *dump, struct dump_buffer *buffer);
/* How many could be read, in one go. */
size_t dump_buffer_read(struct dump *dump, const struct dump_buffer *buffer, uint64_t offset,
			void *buf, size_t size);

/* ---- its platform, and where its registers are ----------------------------------------------- */

/* What a dump says of its platform besides the PCI id, if that is one platform. */
void dump_identify(const struct gsc_source *source, struct part *part);

/*
 * Registers that the GuC captured before the hung engine was reset replace those that the driver
 * read later; with part->capture, they are the only ones. The view is NULL without a platform.
 */
enum gsc_status dump_capture(struct gsc_source *source, struct part *part,
			     const struct gsc_view *view, const struct gsc_platform *platform,
			     struct gsc_error *err);

/* Makes pieces of the dump, once the platform is settled. */
enum gsc_status dump_place(struct gsc_source *source, struct part *part, struct gsc_error *err);

/* Seconds since the time in a driver's dump; -1: it has no time. */
GSC_API int64_t gsc_source_age(const struct gsc_source *source, int64_t now);

/*
 * The platforms, a bit each, that a source with a driver's dump can be of if nothing names its
 * platform, and why: "GuC firmware i915/tgl_guc_70.bin". 0: nothing shows it.
 */
GSC_API uint64_t gsc_source_platforms(const struct gsc_source *source, char *why, size_t size);

#endif
