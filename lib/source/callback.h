/* SPDX-License-Identifier: MIT */
/*
 * A part whose bytes the caller reads: registers as wide as they are, memory and the entries of the
 * GGTT in pages, which are kept until callbacks_forget(). The function of the caller may call the
 * library again, so nothing here points into the kept pages while it runs.
 */
#ifndef GSC_CALLBACK_H
#define GSC_CALLBACK_H

#include "source/part.h"

/* The part owns them, and has a piece for each extent. GSC_USAGE: `from` makes no sense. */
enum gsc_status callbacks_new(struct part *part, const struct gsc_callbacks *from,
			      struct gsc_error *err);

/* Where the GGTT's entries are among the registers of the platform; 0 bytes: nowhere known. */
void callbacks_place_table(struct callbacks *c, uint64_t at, uint64_t bytes);

/* Like gsc_read(). */
enum gsc_read callbacks_read(struct callbacks *c, enum gsc_space space, uint64_t address,
			     unsigned size, uint64_t *value);
/*
 * As many bytes of memory as come in one go. 0: none before *next; if that is the address itself,
 * callbacks_read() says what there is.
 */
size_t callbacks_block(struct callbacks *c, enum gsc_space space, uint64_t address, void *buf,
		       size_t size, uint64_t *next);

/* It can read the space, and only that shows what is there: the caller gave no extents. */
bool callbacks_open(const struct callbacks *c, enum gsc_space space);
/* Reads of registers may reach a device, and have effects there. */
bool callbacks_touch(const struct callbacks *c);
/* The next reads of memory ask the caller. */
void callbacks_forget(struct callbacks *c);

#endif
