/* SPDX-License-Identifier: MIT */
/* The bytes of tables, in place or as a copy. */
#include "gtt/gtt.h"

#include "source/part.h"

static enum gsc_read gather(struct gsc_source *source, enum gsc_space space, uint64_t address,
			    size_t bytes, struct table *table)
{
	table->data = table->copy;
	table->bytes = source_block(source, space, address, table->copy, bytes);
	table->ended = GSC_READ_OK;
	while (table->bytes < bytes) {
		enum gsc_read status;
		unsigned size = 8;
		uint64_t value;

		/* As wide as address and length allow: entries must not be read in halves. */
		while (size > 1 && (size > bytes - table->bytes || (address + table->bytes) % size))
			size /= 2;
		status = gsc_read(source, space, address + table->bytes, size, &value);
		/* Before a hole there may be half of a read: an entry of 4 bytes. */
		if (status && size == 8)
			status = gsc_read(source, space, address + table->bytes, size = 4, &value);
		table->ended = status;
		if (status)
			return table->bytes ? GSC_READ_OK : status;
		for (unsigned i = 0; i < size; i++)
			table->copy[table->bytes++] = (uint8_t)(value >> 8 * i);
	}
	return GSC_READ_OK;
}

enum gsc_read table_get(struct gsc_source *source, enum gsc_space space, uint64_t address,
			size_t bytes, struct table *table)
{
	size_t length;

	table->bytes = 0;
	table->data = NULL;
	table->ended = GSC_READ_ABSENT;
	if (!bytes || bytes - 1 > UINT64_MAX - address)
		return GSC_READ_ABSENT;
	table->data = gsc_span(source, space, address, &length);
	if (table->data && length >= bytes) {
		table->bytes = bytes;
		table->ended = GSC_READ_OK;
		return GSC_READ_OK;
	}
	return gather(source, space, address, MIN(bytes, (size_t)TABLE_BYTES), table);
}
