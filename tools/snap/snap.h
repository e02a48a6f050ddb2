/* SPDX-License-Identifier: MIT */
/* gpu-snap: its options, and its subcommands. */
#ifndef SNAP_H
#define SNAP_H

#include "cli/input.h"

struct gsc_memory;

#define SNAP_SCHEMA "gpuscope.snap/1"

struct snap {
	struct common common;
	const char *output;		/* -o, or NULL */
	const char *to;			/* of convert, or NULL */
	struct strings memory;		/* A+LEN */
	bool no_ggtt, redact, tables;
	unsigned compress;		/* enum compress */
	time_t created;
	struct extract *part;		/* of extract */
};

/* --compress, in the order of its words. */
enum compress { COMPRESS_AUTO, COMPRESS_ZSTD, COMPRESS_GZIP, COMPRESS_NONE };

run_fn save_run, info_run, extract_run, convert_run;

/* Writes a capture of common->source; GSC_PARTIAL: not all of it was available. */
enum gsc_status capture_write(struct common *common, int fd, const char *path,
			      struct gsc_error *err);

/* What a file of firmware is; of any other the error why it is no source, which *err is. */
enum gsc_status firmware_info(struct common *common, const char *name, struct gsc_error *err);

/* "A+LEN" */
bool parse_stretch(const char *text, struct gsc_memory *memory);

/* Bytes of a space that have no value. */
struct missing {
	uint64_t bytes, first;
};

/* A stretch of a space to a file; zeros, and holes if possible, for what has no value. */
bool stretch_write(struct common *common, int fd, enum gsc_space space, uint64_t start,
		   uint64_t length, struct missing *missing);

/* ---- gather.c: what lies in no space of a device --------------------------------------------- */

struct gathered {
	struct gsc_extra *items;
	struct held_file *files;	/* of each, which may be none */
	char *log;
	size_t count;
};

enum gsc_status gather(struct common *common, struct gathered *gathered, struct gsc_error *err);
void gathered_free(struct gathered *gathered);
/* The lines of a kernel's log that are about graphics, to be freed; NULL: memory is out. */
char *log_pick(struct common *common, const struct log_input *log, size_t *size);

#endif
