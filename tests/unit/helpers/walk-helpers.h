/* SPDX-License-Identifier: MIT */
/* A machine with nothing but tables, and the expected results of walks through them. */
#ifndef WALK_HELPERS_H
#define WALK_HELPERS_H

#include "db/platform.h"
#include "db/words.h"
#include "gtt/root.h"
#include "gtt/walk.h"

/* Its physical memory begins here, past 4 GB; local memory and the global table begin at 0. */
#define MEMORY UINT64_C(0x234500000)
#define MEMORY_BYTES 0x100000

struct world {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_source *source;
	struct gsc_translation *translation;
	struct gsc_walk walk;		/* the last one */
	struct gsc_translation_options options;
	struct gsc_platform platform;
	uint8_t *memory, *local, *ggtt;
	uint8_t config[256];
	char registers[512];		/* "ADDR VALUE" lines */
	bool has_config;
};

/* An empty machine of a platform; `definitions` is the text of a user's file, or NULL. */
void world_begin(struct world *w, const char *platform, const char *definitions);
void put(struct world *w, enum gsc_space space, uint64_t address, unsigned size, uint64_t value);
void put_register(struct world *w, uint32_t offset, uint32_t value);
void put_config(struct world *w, uint32_t offset, unsigned size, uint64_t value);
/* Opens the contents as a source, with a translation; closes the previous one. */
void world_open(struct world *w, enum gsc_mode mode, uint64_t root);
void world_open_roots(struct world *w, enum gsc_mode mode, const uint64_t *roots, unsigned count);
void world_end(struct world *w);

/* An address must land there; flags as "rw,pat4". gsc_resolve() must agree. */
void lands(struct world *w, uint64_t address, enum gsc_space space, uint64_t physical,
	   uint64_t page_size, const char *flags);
/* It must end so, with `text` in the reason; level "" before the first entry. */
void stops(struct world *w, uint64_t address, enum gsc_stop stop, const char *level,
	   const char *text);
void stops_intent(struct world *w, uint64_t address, enum gsc_intent intent, enum gsc_stop stop,
		  const char *level, const char *text);
/* Step i of the last walk. */
void stepped(struct world *w, size_t i, const char *level, unsigned index, enum gsc_space space,
	     uint64_t table, uint64_t raw);
void noted(const struct world *w, const char *text);

#endif
