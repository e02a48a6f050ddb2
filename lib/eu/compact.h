/* SPDX-License-Identifier: MIT */
/* How compacted instructions expand: isa.c loads it, and expand.c uses it. */
#ifndef GSC_EU_COMPACT_H
#define GSC_EU_COMPACT_H

#include "db/view.h"
#include "eu/eu.h"

#define EU_COMPACT_FIELDS 20
#define EU_COMPACT_PIECES 64
#define EU_TABLE 64

/* Bits of a value, from its highest on, and where they go. */
struct eu_piece { uint8_t at, width; };

struct eu_compact {
	unsigned fields, pieces;
	struct {
		uint8_t at, width;	/* in the compacted instruction */
		uint8_t first, pieces;	/* where the field, or what the table has for it, goes */
		uint8_t bits;		/* of all pieces */
		bool table, immediate, second;	/* second: of source 1, if that is no immediate */
		uint64_t value[EU_TABLE];
	} field[EU_COMPACT_FIELDS];
	struct eu_piece piece[EU_COMPACT_PIECES];
};

/* If a structure is EU_COMPACT_..., loads what it says. False: memory is out. */
bool eu_load_compact(struct eu_isa *isa, const struct gsc_db *db, const struct gsc_item *item);

#endif
