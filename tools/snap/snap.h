/* SPDX-License-Identifier: MIT */
/* gpu-snap: its options, and its subcommands. */
#ifndef SNAP_H
#define SNAP_H

#include "cli/cli.h"

#define SNAP_SCHEMA "gpuscope.snap/1"

struct snap {
	struct common common;
	const char *output;		/* -o, or NULL */
	const char *to;			/* of convert, or NULL */
	struct strings memory;		/* A+LEN */
	bool no_ggtt, redact, tables;
	unsigned compress;		/* enum compress */
	time_t created;
	struct part *part;		/* of extract */
};

/* --compress, in the order of its words. */
enum compress { COMPRESS_AUTO, COMPRESS_ZSTD, COMPRESS_GZIP, COMPRESS_NONE };

run_fn save_run, info_run, extract_run, convert_run;

/* Writes a capture of common->source; GSC_PARTIAL: not all of it was available. */
enum gsc_status capture_write(struct common *common, int fd, const char *path,
			      struct gsc_error *err);

/* "A+LEN" */
bool parse_stretch(const char *text, struct gsc_memory *memory);

/* Bytes of a space that have no value. */
struct missing {
	uint64_t bytes, first;
};

/*
 * As many as are in one piece, at most `size`; zeros for missing ones, which are counted unless
 * that is NULL.
 */
size_t space_take(struct gsc_source *source, enum gsc_space space, uint64_t address, uint8_t *buf,
		  size_t size, struct missing *missing);

/* ---- gather.c: what lies in no space of a device --------------------------------------------- */

struct gathered {
	struct gsc_extra *items;
	size_t count;
};

enum gsc_status gather(struct common *common, struct gathered *gathered, struct gsc_error *err);
void gathered_free(struct gathered *gathered);
/* The lines of a kernel's log that are about graphics, to be freed; NULL: memory is out. */
struct log_input;
char *log_pick(struct common *common, const struct log_input *log, size_t *size);

#endif
