/* SPDX-License-Identifier: MIT */
/* Memory that is freed together: of an item, until the next one; of an object, until its end. */
#include "api/api.h"

#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES 4000

struct keep_block {
	struct keep_block *older;
	size_t used, room;
	/* Every kind of member of the header is aligned by this. */
	uint64_t bytes[];
};

void *keep_bytes(struct keep *keep, size_t size)
{
	struct keep_block *block = keep->blocks;
	size_t rounded = (size + 7) & ~(size_t)7, room;
	void *bytes;

	if (!block || block->room - block->used < rounded) {
		room = MAX(rounded, (size_t)BLOCK_BYTES);
		block = rounded < size || room > SIZE_MAX - sizeof(*block)
			? NULL : malloc(sizeof(*block) + room);
		keep->failed |= !block;
		if (!block)
			return NULL;
		*block = (struct keep_block){ .older = keep->blocks, .room = room };
		keep->blocks = block;
	}
	bytes = (uint8_t *)block->bytes + block->used;
	block->used += rounded;
	return memset(bytes, 0, rounded);
}

void *keep_sized(struct keep *keep, size_t size)
{
	size_t *made = keep_bytes(keep, size);

	if (made)
		*made = size;
	return made;
}

const void *keep_copy(struct keep *keep, const void *data, size_t size)
{
	void *bytes = keep_bytes(keep, size);

	return bytes && size ? memcpy(bytes, data, size) : bytes;
}

const char *keep_text(struct keep *keep, const char *text)
{
	return text && *text ? keep_copy(keep, text, strlen(text) + 1) : NULL;
}

const char *keep_format(struct keep *keep, const char *format, ...)
{
	va_list list;
	char *text;
	int length;

	va_start(list, format);
	length = vsnprintf(NULL, 0, format, list);
	va_end(list);
	text = length < 0 ? NULL : keep_bytes(keep, (size_t)length + 1);
	if (!text)
		return NULL;
	va_start(list, format);
	vsnprintf(text, (size_t)length + 1, format, list);
	va_end(list);
	return text;
}

const uint64_t *keep_number(struct keep *keep, bool known, uint64_t number)
{
	return known ? keep_copy(keep, &number, sizeof(number)) : NULL;
}

void pointers_add(struct keep *keep, pointer_vec *pointers, const void *item)
{
	const void **slot = item ? vec_add(pointers) : NULL;

	keep->failed |= !slot;
	if (slot)
		*slot = item;
}

const void *pointers_end(struct keep *keep, pointer_vec *pointers)
{
	const void **array = keep_bytes(keep, (pointers->count + 1) * sizeof(*array));

	if (array && pointers->count)
		memcpy(array, pointers->items, pointers->count * sizeof(*array));
	vec_free(pointers);
	return array;
}

void keep_clear(struct keep *keep)
{
	struct keep_block *newest = keep->blocks;

	keep->failed = false;
	if (!newest)
		return;
	keep->blocks = newest->older;
	keep_free(keep);
	newest->older = NULL;
	newest->used = 0;
	keep->blocks = newest;
}

void keep_free(struct keep *keep)
{
	struct keep_block *older;

	for (struct keep_block *block = keep->blocks; block; block = older) {
		older = block->older;
		free(block);
	}
	keep->blocks = NULL;
}
