/* SPDX-License-Identifier: MIT */
/* What dumps and captures hold besides values: files, statements about themselves, buffers. */
#ifndef GSC_CONTENTS_H
#define GSC_CONTENTS_H

#include "db/words.h"

struct gsc_source;

/* The name of the member that has the text of a kernel log. */
#define GSC_MEMBER_LOG "kernel/log"

/* A file in the archive of a capture, or a log inside a driver's dump. */
struct gsc_member {
	char name[256];
	const void *data;
	uint64_t size, held;		/* bytes that it should have, and has */
	size_t next;
};

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

/* A submission in a trace. */
struct gsc_submission {
	char engine[16];		/* "rcs0" */
	uint64_t contexts[2];		/* descriptors of the submitted contexts; 0: none */
};

#endif
