/* SPDX-License-Identifier: MIT */
/*
 * Address spaces made by tests: tables of every mode written entry by entry from the manuals, and
 * beside them the list of pages that they map. Shares no code with what reads them.
 */
#ifndef SPACE_BUILDER_H
#define SPACE_BUILDER_H

#include "db/words.h"

struct gsc_mapping;
struct gsc_translation;
struct gsc_translation_options;

#define SPACE_LEVELS 5
#define IMAGE_PAGES 512

/* A mode of a platform. The last level is that of 4 KB pages. */
struct space_kind {
	const char *platform;
	enum gsc_mode mode;
	unsigned levels, bytes;		/* of an entry */
	unsigned bits[SPACE_LEVELS];	/* of the index, the root first */
	unsigned va_bits;
	unsigned address_bits;		/* physical */
	bool large;			/* 2 MB and 1 GB */
	bool medium;			/* 64 KB by bit 11 of the directory entry */
};

extern const struct space_kind space_kinds[];
extern const size_t space_kind_count;

struct space_page {
	uint64_t va, size, physical;
	uint64_t entry;
};

struct space {
	const struct space_kind *kind;
	uint32_t seed;
	uint8_t *image;			/* of memory from address 0 on */
	uint8_t *ggtt;			/* if the mode needs one */
	size_t ggtt_bytes;
	bool used[IMAGE_PAGES];
	unsigned used_count;
	uint64_t roots[4];
	struct {
		uint64_t from, to, span;
	} aliases[4];
	unsigned alias_count;
	struct space_page *pages;	/* sorted, after space_sort() */
	size_t count, room;
};

void space_new(struct space *space, const struct space_kind *kind, uint32_t seed);
void space_free(struct space *space);
uint32_t space_random(struct space *space, uint32_t below);

/* A free page of the image, anywhere; 0 if there is none. */
uint64_t space_table(struct space *space);
void space_store(struct space *space, uint64_t address, uint64_t value);
uint64_t space_load(const struct space *space, uint64_t address);

/* False if something is there already or the image is full. */
bool space_map(struct space *space, uint64_t va, uint64_t size, uint64_t physical,
	       uint64_t flags);
/* Runs of all kinds, here and there. */
void space_fill(struct space *space);
/* Makes an entry of some table lead where another one of its level leads. */
void space_alias(struct space *space);
void space_sort(struct space *space);
/* Changes bits other than those of the address. */
bool space_flags_differ(const struct space *space, uint64_t a, uint64_t b);
const struct space_page *space_find(const struct space *space, uint64_t va);

/* The source, view and translation of a space; `spec` may name one more source or be NULL. */
struct space_reader {
	struct gsc_db *db;
	struct gsc_source *source;
	struct gsc_view *view;
	struct gsc_translation *translation;
};

/* `image_bytes`: only this much of the image. */
void space_open(struct space_reader *reader, const struct space *space, size_t image_bytes,
		const struct gsc_translation_options *options);
void space_close(struct space_reader *reader);

/*
 * The map in pieces has the same `count` ranges at its beginning, of which `maps`, a ring of
 * `room`, has the last ones; and no others, if `all`.
 */
void space_check_pieces(struct gsc_translation *translation, unsigned flags,
			const struct gsc_mapping *maps, size_t room, size_t count, bool all);

#endif
