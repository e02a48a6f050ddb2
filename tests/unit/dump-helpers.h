/* SPDX-License-Identifier: MIT */
/* Texts as kernel drivers write them after a hang. */
#ifndef DUMP_HELPERS_H
#define DUMP_HELPERS_H

#include "gpuscope.h"

struct text {
	char *data;
	size_t size, room;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Dwords first, first + 1, ... in base 85; `zlib`: packed, behind a `:`. */
void text_dwords(struct text *text, uint32_t first, size_t count);
void text_zlib(struct text *text, uint32_t first, size_t count);
void text_free(struct text *text);

struct gsc_source *open_text(const struct text *text, const char *platform);
/* Each line with something in front and another end. */
struct text text_changed(const char *text, size_t size, const char *front, const char *end);
/* Survives being cut behind each line, and in the middle of each. */
void survive_cuts(const char *data, size_t size);

/* The dwords there are `first` and so on. */
void expect_dwords(struct gsc_source *source, enum gsc_space space, uint64_t address,
		   uint32_t first, size_t count);
/* The value that a dump has of a key, or NULL. */
const char *property_of(const struct gsc_source *source, const char *key);
/* Buffer number i of a kind; fails if there is none. */
struct gsc_buffer_origin buffer_of(const struct gsc_source *source, enum gsc_buffer_kind kind,
				   size_t i);
size_t buffer_count(const struct gsc_source *source);

#endif
