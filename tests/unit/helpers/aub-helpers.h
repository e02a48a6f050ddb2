/* SPDX-License-Identifier: MIT */
/* Traces made record by record, and what tests check about sources of them. */
#ifndef AUB_HELPERS_H
#define AUB_HELPERS_H

#include "formats/aub.h"

struct gsc_root;

struct trace_bytes {
	VEC(uint8_t) bytes;
};

void trace_word(struct trace_bytes *t, uint32_t word);
void trace_data(struct trace_bytes *t, const void *data, size_t size);	/* padded to dwords */

/* Records of a memory trace. */
void trace_version(struct trace_bytes *t, const char *text);
void trace_register(struct trace_bytes *t, uint32_t offset, uint32_t value);
void trace_memory(struct trace_bytes *t, unsigned space, uint64_t address, const void *data,
		  uint32_t size);
void trace_entry(struct trace_bytes *t, uint64_t gpu_address, uint64_t entry);	/* of 8 bytes */
void trace_dword(struct trace_bytes *t, unsigned space, uint64_t address, uint32_t value);

/* Records of a classic trace. */
void trace_header(struct trace_bytes *t, const char *text);
void trace_block(struct trace_bytes *t, uint32_t what, uint32_t address, const void *data,
		 uint32_t size);

/* Opens it, and empties it. */
struct gsc_source *trace_open(struct trace_bytes *t);

/* The view of a source's platform. */
struct gsc_view *view_of(const struct gsc_source *source);
/* The one of that number of the submissions of a source. */
struct aub_submission submission_at(const struct gsc_source *source, size_t i);
size_t submissions_of(const struct gsc_source *source);
struct gsc_source *source_at(const struct gsc_source *source, size_t i);
/* NULL: the global table. */
struct gsc_translation *translation_of(struct gsc_source *source, const struct gsc_view *view,
				       const struct gsc_root *root);

#endif
