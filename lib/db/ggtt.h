/* SPDX-License-Identifier: MIT */
/*
 * Entries of the global table as plain arithmetic, for code that reaches memory through it before
 * there is a view. A test compares it with the definitions.
 */
#ifndef GSC_DB_GGTT_H
#define GSC_DB_GGTT_H

#include "db/platform.h"

/* Where an entry of a platform points, and whether it does. */
bool ggtt_entry_valid(uint64_t entry);
uint64_t ggtt_entry_address(const struct gsc_platform *platform, uint64_t entry);
/* Is that an address of device memory, or of BAR 2 on parts that use it for stolen memory? */
bool ggtt_entry_local(const struct gsc_platform *platform, uint64_t entry);

#endif
