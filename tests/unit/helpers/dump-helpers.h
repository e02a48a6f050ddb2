/* SPDX-License-Identifier: MIT */
/* Texts as kernel drivers write them after a hang. */
#ifndef DUMP_HELPERS_H
#define DUMP_HELPERS_H

#include "db/words.h"
#include "formats/contents.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheet {
	char *data;
	size_t size, room;
};

void sheet_add(struct sheet *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Dwords first, first + 1, ... in base 85; `zlib`: compressed, after a `:`. */
void sheet_dwords(struct sheet *text, uint32_t first, size_t count);
void sheet_zlib(struct sheet *text, uint32_t first, size_t count);
void sheet_free(struct sheet *text);

struct gsc_source *open_text(const struct sheet *text, const char *platform);
/* Each line with something in front and another end. */
struct sheet text_changed(const char *text, size_t size, const char *front, const char *end);
/* Survives truncation after each line, and in the middle of each. */
void survive_cuts(const char *data, size_t size);

/* The dwords there are `first` and so on. */
void expect_dwords(struct gsc_source *source, enum gsc_space space, uint64_t address,
		   uint32_t first, size_t count);
/* The value of a key in a dump, or NULL. */
const char *property_of(const struct gsc_source *source, const char *key);
/* Buffer number i of a kind; fails if there is none. */
struct gsc_buffer_origin buffer_of(const struct gsc_source *source, enum gsc_buffer_kind kind,
				   size_t i);
size_t buffer_count(const struct gsc_source *source);

/* ---- dump-ages.c: error states of every age ------------------------------------------------- */

enum dump_age_index {
	AGE_2_6_38, AGE_3_2, AGE_3_10, AGE_4_4, AGE_4_18, AGE_5_4, AGE_5_15, AGE_6_8_GUC, AGE_6_12,
};

struct dump_age {
	const char *name, *platform;
	unsigned device, graphics;
	enum dump_age_index index;
};

/* A name of NULL ends them. */
extern const struct dump_age dump_ages[];

#define DUMP_ENGINES 12
#define DUMP_EXPECTED 1024

/* A register that the text has: at UINT64_MAX if the platform has no such engine. */
struct dump_expected {
	char key[48];
	uint64_t address;
	uint32_t value;
};

struct dump_expected_buffer {
	uint64_t address;
	uint32_t first;			/* dword; each of the next is one more */
	size_t count;
	unsigned kind;			/* 0 batch, 1 ring, 2 context */
};

struct dump_state {
	const struct dump_age *age;
	struct sheet text;
	struct dump_expected expected[DUMP_EXPECTED];
	struct dump_expected_buffer buffers[3 * DUMP_ENGINES];
	size_t count, buffer_count;
	unsigned engine;		/* how many engines it has */
};

/* At most `count` engines: as many as the age has names for. */
void dump_state_make(struct dump_state *state, const struct dump_age *age, unsigned count);
void dump_state_free(struct dump_state *state);

#endif
