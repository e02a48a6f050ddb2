/* SPDX-License-Identifier: MIT */
/* Pages of a memory dump, each compressed separately. */
#ifndef GSC_PAGE_H
#define GSC_PAGE_H

#include "util/error.h"

#include <stddef.h>
#include <stdint.h>

enum packing { PACKING_ZLIB, PACKING_LZO, PACKING_SNAPPY, PACKING_ZSTD, PACKINGS };

struct page_unpacker;

/* Loads the library that a compression needs, if any. */
enum gsc_status page_unpacker_new(struct page_unpacker **unpacker, enum packing packing,
				  struct gsc_error *err);
void page_unpacker_free(struct page_unpacker *unpacker);
/* False: the data is damaged, or does not make a page of exactly that size. */
bool page_unpack(const struct page_unpacker *unpacker, const uint8_t *data, size_t size,
		 uint8_t *page, size_t page_size);

#endif
