/* SPDX-License-Identifier: MIT */
/* One line of register text, in any of the forms people have. */
#ifndef GSC_REGLINE_H
#define GSC_REGLINE_H

#include "db/words.h"
#include "util/text.h"

#define REGLINE_VALUES 8

enum regline_kind {
	REGLINE_OTHER,		/* none of these */
	REGLINE_BLANK,		/* nothing, or a comment */
	REGLINE_HEADER,		/* # gpu-regdump 1.0 platform skl device 0x1912 revision 0x06 */
	REGLINE_OWN,		/* 0x002030  0x00000150  rcs0.TAIL; config:0x50  0x0211 */
	REGLINE_RAW,		/* 0x002030: 0x00000000 0x00000001, up to eight dwords */
	REGLINE_FOLD,		/* between two raw lines: zeros from the first to the second */
	REGLINE_RANGE,		/* 0x002040-0x00204f  absent: status[0] from address to last */
	REGLINE_PLAIN,		/* 2030 150: two numbers, hexadecimal even without 0x */
	REGLINE_INTEL,		/* NAME (0x00002030): 0x00000150 (text), as intel_reg dump prints */
	REGLINE_TRACE,		/* W 0x2030: 0x150; i915_reg_rw: write reg=0x2030, ... */
	REGLINE_TRACE_NAMED,	/* an i915_reg_rw line with a name in place of the address */
	REGLINE_TRACE_BAD,	/* a damaged one */
};

struct regline {
	enum regline_kind kind;
	bool write;		/* of a trace: what was written, not what was read */
	bool bare;		/* the address has no 0x */
	unsigned indent;	/* columns */
	enum gsc_space space;
	uint64_t address, last;
	unsigned size, count;	/* bytes of a value; values, one after the other */
	enum gsc_read status[REGLINE_VALUES];
	uint64_t value[REGLINE_VALUES];
	struct slice name;	/* empty: the line has none */
};

/*
 * `exact`: the number of digits of a value gives its size (2, 4, 8, 16 digits: 8, 16, 32, 64 bits),
 * as in gpu-regdump's own text. Otherwise a value is 32 bits wide unless it is larger.
 */
enum regline_kind regline_parse(struct slice text, bool exact, struct regline *line);

/* Would it be taken for a name if it followed a value? */
bool regline_is_name(struct slice text);

/* What a header says; platform is "" and the numbers are -1 if it does not say. */
struct regline_header {
	char platform[32];
	int device, revision;
};

void regline_header_parse(struct slice text, struct regline_header *header);

#endif
