/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share: definitions and views that are made once, input split into numbers,
 * files that are never on disk, and a look at everything that an open source shows. Only the public
 * interface is used, as by the commands.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "out/out.h"

#include <stdio.h>
#include <stdlib.h>

struct gsc_listener;
struct gsc_translation_options;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input is. */
#define FUZZ_REQUIRE(condition)                                                                    \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__,           \
				#condition);                                                       \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

const struct gsc_db *fuzz_db(void);
/* Any number gives a platform. */
unsigned fuzz_platform(uint64_t number);
const struct gsc_view *fuzz_view(unsigned platform);
struct gsc_commands *fuzz_commands(unsigned platform);
/* One of these parts, as long as no dozen others have been requested; view NULL: NULL. */
const struct gsc_gpu *fuzz_gpu(struct gsc_source *source, const struct gsc_view *view);
/* demo:skl-hang, for targets that need a source beside their input. */
struct gsc_source *fuzz_demo(void);

/* Input, read from its beginning; missing bytes are zeros. */
struct fuzz_input {
	const uint8_t *data;
	size_t size;
};

uint64_t fuzz_take(struct fuzz_input *in, unsigned bytes);

#define FUZZ_FILES 4
#define FUZZ_SAVED 3			/* the one in which something is saved */

/* File number 0 to FUZZ_FILES - 1 has these bytes now; its path. */
const char *fuzz_file(unsigned number, const void *data, size_t size);
const char *fuzz_path(unsigned number);
/* It is empty now. */
int fuzz_new_file(unsigned number);

/*
 * Registers of a GPU from records: two bytes for which one, and four for its value; zeros end them.
 */
#define FUZZ_REGISTERS 0x200000
void fuzz_registers(struct fuzz_input *in, const struct gsc_view *view, uint8_t *registers);

/* NULL: refused, and the error says what and why. platform may be NULL. */
struct gsc_source *fuzz_open(const char *const *specs, size_t count, const char *platform);
/* One file of these bytes, by a spec that begins like this: "", "elf:". */
struct gsc_source *fuzz_open_bytes(const char *prefix, const void *data, size_t size,
				   const char *platform);

/* Text or JSON for nobody: its bytes are checked when it ends. */
struct gsc_out *fuzz_out(void);
void fuzz_out_end(struct gsc_out *out);
void fuzz_check_error(const struct gsc_error *err, enum gsc_status status);

/* markup.c: every tag is closed and one of ours, and none comes from an input. */
void fuzz_markup(const char *text, size_t size);

/* Everything that a source says about itself; about what went wrong, about memory and batches. */
void fuzz_look(struct gsc_source *source);
void fuzz_hang(struct gsc_source *source, const struct gsc_view *view);
void fuzz_tables(struct gsc_source *source, const struct gsc_view *view,
		 const struct gsc_translation_options *options);
void fuzz_roots(struct gsc_source *source, const struct gsc_view *view);
/* From the tables of a function to those of a process. */
void fuzz_pasid(struct gsc_source *source, const struct gsc_view *view, uint64_t rtaddr,
		unsigned function, uint32_t pasid);
void fuzz_windows(struct gsc_source *source, const struct gsc_view *view);
void fuzz_follow(struct gsc_source *source, const struct gsc_view *view);
/* Registers, all that are defined, and how they differ from their reset values. */
void fuzz_rows(struct gsc_source *source, const struct gsc_view *view);
/* A capture, redacted and compressed in some way; a trace. */
void fuzz_save(struct gsc_source *source, const struct gsc_view *view, unsigned how);
void fuzz_save_trace(struct gsc_source *source, const struct gsc_view *view);
/* As much of that as the input selects; the source, which may be NULL, is closed. */
void fuzz_explore(struct gsc_source *source, const void *data, size_t size);

/* A listener that reads, and prints, everything that is reported to it. */
struct fuzz_told {
	struct gsc_out *out;
	const struct gsc_view *view;
	struct gsc_commands *set;
	struct gsc_command_text *text;
	struct gsc_command_json *writer;
	struct gsc_json json;
	size_t commands;
	uint64_t seen;
};

void fuzz_told_begin(struct fuzz_told *told, struct gsc_listener *listener,
		     const struct gsc_view *view, struct gsc_commands *set);
void fuzz_told_end(struct fuzz_told *told);

#endif
