/* SPDX-License-Identifier: MIT */
/*
 * What kernel drivers write down after a hang: i915's error states (error-state.c) and xe's device
 * core dumps (devcoredump.c). Both readers take lines apart and fill an index (dump.c): registers
 * by the driver's names, buffers with their bytes, whatever else is "key: value", and texts and
 * logs as members. When the platform is settled, dump-place.c makes pieces of it; dump-name.c
 * knows which register the driver means.
 */
#ifndef GSC_DUMP_H
#define GSC_DUMP_H

#include "source/inflate.h"
#include "text/lines.h"
#include "source/source.h"
#include "util/text.h"

/* Engines are counted from 1; 0: no engine. What they were doing, for their buffers. */
struct dump_engine {
	char name[16];
	uint64_t head, tail, start, acthd;
	unsigned flags;			/* enum gsc_buffer_flag */
};

struct dump_register {
	struct slice key, text;		/* "ACTHD", "GTIER[3]", "SC_INSTDONE[1][0]"; its value */
	struct slice block;		/* "Plane [1]", whose register it is, or empty */
	uint64_t value, upper;		/* "0xUPPER 0xVALUE" */
	uint8_t engine;
	bool pair;			/* upper is there */
	bool relative;			/* the key is an offset from the engine's base */
	uint32_t offset;		/* where the key is one, else UINT32_MAX */
};

struct dump_property {
	struct slice prefix, key, value;	/* "rcs0", "hung", "1" */
};

struct dump_buffer {
	enum gsc_buffer_kind kind;
	char name[48];
	uint8_t engine;
	bool process;			/* its address is the process's, where that has its own */
	enum gsc_space space;		/* once placed */
	unsigned flags;
	uint64_t address, length;
	const uint8_t *data;
};

struct dump_member {
	char name[64];
	const uint8_t *data;
	size_t size, held;
};

enum dump_ppgtt { PPGTT_UNTOLD = -1, PPGTT_NONE, PPGTT_ALIASING, PPGTT_FULL };

struct dump {
	VEC(struct dump_engine) engines;
	VEC(struct dump_register) registers;
	VEC(struct dump_property) properties;
	VEC(struct dump_buffer) buffers;
	VEC(struct dump_member) members;
	enum dump_ppgtt ppgtt;
	size_t unplaced;		/* registers without a known address, now properties */
};

/* ---- dump.c: the index ---------------------------------------------------------------------- */

/* Lines that could not be used, for one note. */
struct dump_damage {
	size_t count, line, at;
};

/* A reader at work. After an allocation failure all calls fail. */
struct dump_reading {
	struct gsc_source *source;
	struct part *part;
	struct dump *dump;
	struct lines lines;
	struct slice line;		/* without quoting, the log's prefix and blanks in front */
	unsigned quotes;		/* `>` that were in front */
	bool logged;			/* so was a log's prefix */
	bool indented;
	bool memory_out;
	uint64_t unpacked_max;		/* bytes that may still come out of zlib streams */
	struct unpacker *unpacker;
	bool no_unpacker;
	struct dump_damage text, packed, bomb;	/* base 85; zlib; more than unpacked_max */
	struct dump_damage cut;		/* a buffer whose end is missing */
	struct dump_damage part_of_line;	/* the last one, of a file that breaks off */
	struct dump_damage surplus;	/* more lines of a kind than anybody prints */
	struct dump_damage other;	/* where a second dump begins: nothing is read from there */
	struct slice told[4];		/* by which that is seen */
};

bool dump_begin(struct dump_reading *reading, struct gsc_source *source, struct part *part);
/* Notes what was damaged; the status of the whole. */
enum gsc_status dump_end(struct dump_reading *reading, struct gsc_error *err);

/* The next line that is not empty. */
bool dump_line(struct dump_reading *reading);
void dump_damage(struct dump_reading *reading, struct dump_damage *damage);
void dump_note(const struct dump_reading *reading, const struct dump_damage *damage,
	       const char *what);

/* The engine that a text begins with ("render ring", "Blitter", "rcs'0"), or 0. */
uint8_t dump_engine(struct dump_reading *reading, struct slice text);
void dump_property(struct dump_reading *reading, struct slice prefix, struct slice key,
		   struct slice value);
void dump_register(struct dump_reading *reading, const struct dump_register *reg);
struct dump_buffer *dump_add_buffer(struct dump_reading *reading, struct slice name,
				    uint64_t address);
void dump_add_member(struct dump_reading *reading, const char *name, const uint8_t *data,
		     size_t size, size_t held);
struct slice dump_engine_words(const struct dump *dump, uint8_t engine);

/* "key: value" or "key = value", both without blanks around. */
bool dump_split(struct slice line, struct slice *key, struct slice *value);
/* "0x1", "0x1 2", "0x1_2", "0x1 0x2": one number, or two. Anything may follow. */
bool dump_number(struct slice value, struct dump_register *reg);
/* The identity lines that both drivers have. */
void dump_identity(struct dump_reading *reading, struct slice key, struct slice value);

/* ---- bytes in a text ------------------------------------------------------------------------ */

/* A buffer whose bytes are being read: base 85, perhaps packed, or dwords one by one. */
struct dump_bytes {
	byte_vec bytes, packed;
	struct ascii85 decoder;
	bool open, zlib, ended, damaged;
	unsigned quotes;		/* in front of where they began */
	bool logged;
	size_t length, line, at;	/* of the last line that was taken, and where it is */
	uint64_t expected;		/* bytes in all, or 0 if not known */
};

/* Zeroed at first. Text that is not of base 85 ends it. */
void dump_bytes_begin(struct dump_reading *reading, struct dump_bytes *bytes, bool zlib,
		      uint64_t expected);
void dump_bytes_text(struct dump_reading *reading, struct dump_bytes *bytes, struct slice text);
void dump_bytes_dword(struct dump_reading *reading, struct dump_bytes *bytes, uint32_t dword);
/* Takes the line if it goes on with them, as where mail or a log has broken lines. */
bool dump_bytes_continue(struct dump_reading *reading, struct dump_bytes *bytes);
/* Hands them to the part; *length is how many. The flags say what is wrong with them. */
const uint8_t *dump_bytes_end(struct dump_reading *reading, struct dump_bytes *bytes,
			      uint64_t *length, unsigned *flags);

/* ---- dump-name.c, dump-place.c -------------------------------------------------------------- */

/* A register of a driver's dump: one place, or two where the halves are registers of their own. */
struct dump_place {
	uint64_t address[2];
	uint64_t value[2];
	unsigned size[2], count;
	bool shared;			/* by many units, each of which has its own value */
};

/* False: nothing is known by that name here. */
bool dump_find(const struct gsc_view *view, const struct gsc_platform *platform,
	       const struct dump *dump, const struct dump_register *reg, struct dump_place *place);

/* Makes pieces of the dump; the platform is settled. */
enum gsc_status dump_place(struct gsc_source *source, struct part *part, struct gsc_error *err);

#endif
