/* SPDX-License-Identifier: MIT */
/*
 * open/: from the words of a user to a source: what a spec names and which reader of formats/ gets
 * it (open.c), the hangs that gpu-collect has stored (hang.c), texts of several formats (pasted.c),
 * dumps inside captures (inside.c), whether all are from one machine (agree.c), and what is no
 * source at all (no-source.c). Enter at gsc_source_open() (open.c): each spec becomes a part, is
 * cleaned, and is loaded by the most certain reader; agree.c settles the platform; only then
 * dump_place() makes pieces, and lookups_build() joins the parts.
 */
#ifndef GSC_OPEN_H
#define GSC_OPEN_H

#include "formats/readers.h"
#include "source/source.h"

#define READER_ONE(name) + 1
enum { READER_COUNT = 0 READERS(READER_ONE) };
#undef READER_ONE
extern const struct reader *const readers[READER_COUNT + 1];	/* and NULL */

/* The most certain reader, or NULL. */
const struct reader *source_reader(const uint8_t *data, size_t size);
/* Text from malloc() as one more part, which owns it; `owner`: the part that it is from. */
enum gsc_status source_add_text(struct gsc_source *source, size_t owner, const char *name,
				char *text, size_t size, const struct reader *reader,
				struct gsc_error *err);
/* Bytes in memory as one more part, which they must outlive; compressed ones are unpacked. */
enum gsc_status source_add_bytes(struct gsc_source *source, const char *name, const void *data,
				 size_t size, struct gsc_error *err);
/* Like gsc_source_open(). */
enum gsc_status source_open_bytes(struct gsc_source **out, const char *name, const void *data,
				  size_t size, const struct gsc_source_options *options,
				  struct gsc_error *err);

/* hang.c: the folder and the file that "hang:3" stands for, to be freed; what its record has. */
#define HANG_PREFIX "hang:"
char *hang_folder(const char *name);
enum gsc_status hang_file(struct part *part, char **file, struct gsc_error *err);

/*
 * inside.c: dumps and traces that are files of captures, CAPTURE_DUMPS, become separate parts after
 * the existing parts.
 */
enum gsc_status source_open_inside(struct gsc_source *source, struct gsc_error *err);

/* pasted.c: texts of several formats; their part has this reader and holds nothing itself. */
extern const struct reader reader_pasted;
bool pasted_is_several(struct part *part);
/* Adds the parts of such a text, or the log within one that a reader has taken. */
enum gsc_status pasted_open(struct gsc_source *source, size_t owner, struct gsc_error *err);

/*
 * agree.c: the parts of a source are from one machine, and dumps among them of one hang. The first
 * that names a platform settles it; parts that disagree are an error.
 */
enum gsc_status agree_on_platform(struct gsc_source *source, struct gsc_error *err);
enum gsc_status agree_on_hang(const struct gsc_source *source, struct gsc_error *err);
/* Whether `b` can be from the machine and hang of `a`; the contradiction goes into `why`. */
bool parts_agree(const struct gsc_db *db, const struct part *a, const struct part *b, char *why,
		 size_t size);
/* no-source.c: what is no source, but known; *err says what it is, and what to do about it. */
bool is_foreign(const struct blob *blob, struct gsc_error *err);

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
