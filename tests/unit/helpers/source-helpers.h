/* SPDX-License-Identifier: MIT */
/* Opening sources in tests. */
#ifndef SOURCE_HELPERS_H
#define SOURCE_HELPERS_H

#include "db/platform.h"
#include "db/words.h"

/* Each must open; `platform` may be NULL. Close the result before the next is opened. */
struct gsc_source *open_specs(const char *const *specs, size_t count, const char *platform);
/* The one %s of `format` is the path. */
struct gsc_source *open_spec(const char *format, const char *path, const char *platform);
/* A file of these bytes, recognised by content. */
struct gsc_source *open_bytes(const void *data, size_t size);

/* Parts that need not be files (open/open.h). */
struct gsc_input;
enum gsc_status try_inputs(struct gsc_source **source, const struct gsc_input *inputs,
			   size_t count, const char *platform, struct gsc_error *err);
struct gsc_source *open_inputs(const struct gsc_input *inputs, size_t count, const char *platform);

/* Must fail in this way, with `why` in the reason. */
void refuse_specs(const char *const *specs, size_t count, const char *platform,
		  enum gsc_status status, const char *why);
void refuse_spec(const char *spec, enum gsc_status status, const char *why);

/* Opens the bytes, whatever they are, reads all over the place, and only has to survive. */
void survive(const char *format, const void *data, size_t size);
/* The same for every truncation (in steps) and for flipped bits of some bytes. */
void survive_damage(const char *format, const void *data, size_t size, size_t step);

/* One set of definitions serves all sources that are open at the same time: tests open one. */
struct gsc_db *shared_definitions(void);
struct gsc_platform platform_of(const char *name);
bool note_has(const struct gsc_source *source, size_t i, const char *text);
/* The value, or ~0 and a failed assertion if there is none. */
uint64_t value_at(struct gsc_source *source, enum gsc_space space, uint64_t address, unsigned size);
enum gsc_read read_status(struct gsc_source *source, enum gsc_space space, uint64_t address,
			  unsigned size);
/* Bytes that show where they are; to be freed. */
uint8_t *pattern(size_t size);
uint32_t next_random(uint32_t *seed);
void drop_file(char *path);

#endif
