/* SPDX-License-Identifier: MIT */
/*
 * save/: what of a source is worth keeping, and files of it. saving.h is the inside. For a capture
 * save.c has the overall order and the contents of files, device.c the contents of a device,
 * extra.c everything that is in no space: included files, and what a capture says about itself;
 * redact.c removes private data, pack.c compresses. aub.c writes a trace instead. The layout of a
 * file is in its reader's header (formats/capture.h); how results look is decided in out/. Nothing
 * here opens files.
 */
#ifndef GSC_SAVE_H
#define GSC_SAVE_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gsc_gpu;
struct gsc_memory;

/* How a capture is compressed. */
enum gsc_packing {
	GSC_PACK_NONE, GSC_PACK_GZIP, GSC_PACK_ZSTD,
	GSC_PACK_BEST,			/* the best for which this machine has a library */
};

/* What GSC_PACK_BEST is on this machine. */
GSC_API enum gsc_packing gsc_packing_best(void);

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

#endif
