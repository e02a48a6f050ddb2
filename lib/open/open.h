/* SPDX-License-Identifier: MIT */
/*
 * open/: from the words of a user to a source: what a spec names and which reader of formats/ gets
 * it (open.c), the hangs that gpu-collect has stored (hang.c), texts of several formats (pasted.c),
 * dumps inside captures (inside.c), whether all are from one machine (agree.c), and what is no
 * source at all (no-source.c). opening.h is the inside. Enter at gsc_source_open() (open.c): each
 * spec becomes a part, is cleaned, and is loaded by the most certain reader; agree.c settles the
 * platform; only then dump_place() makes pieces, and lookups_build() joins the parts.
 */
#ifndef GSC_OPEN_H
#define GSC_OPEN_H

#include "formats/contents.h"
#include "source/source.h"

/*
 * Opens the sources that `specs` name, as in gpuscope-sources(7), and combines them: if two hold
 * the same address, the first wins. Without specs it opens the GPU of this machine.
 */
GSC_API enum gsc_status gsc_source_open(struct gsc_source **source, const char *const *specs,
					size_t count, const struct gsc_source_options *options,
					struct gsc_error *err);

/*
 * One part of a source: what a name stands for; with `data`, bytes of the caller, as if they were
 * those of the file that the name names ("core.gz", "mem:ram@0x1000"), which is not opened; with
 * `callbacks`, what they read, and the name is only that.
 */
struct gsc_input {
	const char *spec;
	const void *data;		/* must outlive the source; NULL: none */
	size_t size;
	const struct gsc_callbacks *callbacks;	/* copied; NULL: none */
};

/* Like gsc_source_open(), which see, with parts that need not be files. */
GSC_API enum gsc_status gsc_source_open_inputs(struct gsc_source **source,
					       const struct gsc_input *inputs, size_t count,
					       const struct gsc_source_options *options,
					       struct gsc_error *err);

/*
 * Why the registers of the device, and everything reached through them, cannot be read; NULL if
 * they can. Reads of them have the status of the refusal.
 */
GSC_API const struct gsc_error *gsc_source_refusal(const struct gsc_source *source);

/* The next file of part number `part`; begin with a zeroed *member. False past the last. */
GSC_API bool gsc_capture_member(const struct gsc_source *source, size_t part,
				struct gsc_member *member);

/*
 * Buffer number `i` of part number `part`: rings, batches, contexts, in the order of the dump;
 * false past the last.
 */
GSC_API bool gsc_source_buffer(const struct gsc_source *source, size_t part, size_t i,
			       struct gsc_buffer_origin *out);

/* Stored dump number `i`; false past the last. Only opening it shows whether it is readable. */
GSC_API bool gsc_stored(const struct gsc_source *source, size_t i, struct gsc_stored *stored);
/*
 * File number `i` in which the driver of a live GPU says something of its GuC, as
 * /sys/kernel/debug/dri/0/gt0/uc/guc_ctb; false past the last.
 */
GSC_API bool gsc_guc_file(const struct gsc_source *source, size_t i, char *path, size_t size);
/* Opens stored dump number `i` as a source of its own. The first source must outlive it. */
GSC_API enum gsc_status gsc_stored_open(struct gsc_source **out, const struct gsc_source *source,
					size_t i, const struct gsc_source_options *options,
					struct gsc_error *err);

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

/*
 * What a file is by its content, as gsc_source_open() finds it; GSC_SOURCE_NONE: nothing known.
 * Compressed files are unpacked, pipes are not read. *sure: more than a guess from lines of two
 * numbers.
 */
GSC_API enum gsc_source_form gsc_file_form(const char *path, bool *sure);

/* What part number `part` of a source consists of: its pieces, sorted and disjoint. */
GSC_API bool gsc_source_piece(const struct gsc_source *source, size_t part, size_t i,
			      struct gsc_piece *piece);

/* Values of a driver's dump whose register has no known address: they become its properties. */
GSC_API size_t gsc_source_unplaced(const struct gsc_source *source);

#endif
