/* SPDX-License-Identifier: MIT */
/* Sources being opened: what the files of the room share. */
#ifndef GSC_OPENING_H
#define GSC_OPENING_H

#include "formats/readers.h"
#include "open/open.h"
#include "source/part.h"

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
/* One more part without bytes of its own, which `fill` makes from those of the owner. */
typedef enum gsc_status fill_fn(void *context, struct gsc_source *source, struct part *part,
				struct gsc_error *err);
enum gsc_status source_add_filled(struct gsc_source *source, size_t owner, const char *name,
				  const struct reader *reader, fill_fn *fill, void *context,
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

#endif
