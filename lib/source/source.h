/* SPDX-License-Identifier: MIT */
/*
 * source/: where bytes come from. part.h is the inside. Every source except the live device and
 * what the caller reads (callback.c) is a set of pieces: stretches of an address space whose bytes
 * are in memory here, plus what is known about stretches that could not be read. Combining
 * (piece.c, lookup.c) and reading (lookup.c) are written once, and so is the unpacking of whole
 * files (blob.c, inflate.c) and of pages (page.c). formats/ has the readers, one file each: a
 * reader recognises its format and adds pieces. It need not know what registers mean, but a dump
 * that names registers needs the definitions to find their addresses (dump-place, aub-replay).
 * open/ chooses the reader. This room does not decode values, and does not print.
 */
#ifndef GSC_SOURCE_H
#define GSC_SOURCE_H

#include "db/words.h"
#include "device/options.h"
#include "util/error.h"
#include "util/util.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where bytes come from: a device, a dump, a capture, or several of them combined. */
struct gsc_source;
GSC_API void gsc_source_close(struct gsc_source *source);

/*
 * What the source says about its GPU: the index of the platform, the PCI device id, the PCI
 * revision; -1 if unknown.
 */
GSC_API int gsc_source_platform(const struct gsc_source *source);
GSC_API int gsc_source_device(const struct gsc_source *source);
GSC_API int gsc_source_revision(const struct gsc_source *source);
/* The platform that the source itself names, whatever the options say. */
GSC_API int gsc_source_told(const struct gsc_source *source);
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
/* A request of forcewake was left set by a process that does not run any more; NULL: none. */
GSC_API const struct gsc_error *gsc_source_left_awake(const struct gsc_source *source);
/* GSC_GONE and why, if a device of it is gone. */
GSC_API enum gsc_status gsc_source_there(struct gsc_source *source, struct gsc_error *err);
/* The number of parts, and the name of number `i`, as it was given. */
GSC_API size_t gsc_source_count(const struct gsc_source *source);
GSC_API const char *gsc_source_name(const struct gsc_source *source, size_t i);
/* What part number `i` is, for people: "i915 error state", "bar". Programs use its form. */
GSC_API const char *gsc_source_kind(const struct gsc_source *source, size_t i);

/* What part number `i` is. */
GSC_API enum gsc_source_form gsc_source_form(const struct gsc_source *source, size_t i);
/* Whether any part is of that form. */
GSC_API bool gsc_source_has(const struct gsc_source *source, enum gsc_source_form form);

/* Note number `i` about damaged input: "FILE: what, at byte N"; NULL past the last. */
GSC_API const char *gsc_source_note(const struct gsc_source *source, size_t i);
/* How many lines gsc_source_note() has. */
GSC_API size_t gsc_source_note_count(const struct gsc_source *source);

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

/* A range of physical memory. */
struct gsc_memory {
	uint64_t start, length;
};
typedef VEC(struct gsc_memory) memory_vec;

/* A range of an address space: what a source holds there. */
struct gsc_piece {
	enum gsc_space space;
	enum gsc_read status;		/* other than GSC_READ_OK: it has no bytes */
	uint64_t start, length;
};

/*
 * Memory that only the caller can read: a debugger's, a simulator's, a hypervisor's. `read` gives
 * GSC_READ_OK if all bytes are in `buf`, otherwise the reason, GSC_READ_ABSENT if nothing is there.
 * Registers (the spaces up to GSC_SIDEBAND) are read each time, 1, 2, 4 or 8 bytes at a multiple of
 * that size; the address in GSC_SIDEBAND is the number of a register. Memory and the entries of the
 * GGTT are read in whole pages of 4 KB, up to 16 in a call, clipped to the extents; if that is
 * absent, page by page, and last exactly what was wanted. Pages are kept, as is that one is absent,
 * until gsc_source_rest().
 */
struct gsc_callbacks {
	enum gsc_read (*read)(void *context, enum gsc_space space, uint64_t address, void *buf,
			      size_t size);
	void *context;			/* must outlive the source */
	uint32_t spaces;		/* 1 << enum gsc_space: what `read` may be asked for */
	/*
	 * Nothing is outside the extents of a space; in bytes, register N of the sideband at 4 * N.
	 * A space without extents may be asked for anything, but scans for what there is see
	 * nothing of it.
	 */
	const struct gsc_piece *extents;
	size_t extent_count;
	bool harmless;			/* reading registers changes nothing, as on a simulator */
};

#endif
