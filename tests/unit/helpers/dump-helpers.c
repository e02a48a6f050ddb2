/* SPDX-License-Identifier: MIT */
#include "dump-helpers.h"

#include "open/open.h"
#include "source-helpers.h"
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *sheet_room(struct sheet *text, size_t more)
{
	if (text->size + more > text->room) {
		text->room = (text->size + more) * 2;
		text->data = realloc(text->data, text->room);
	}
	return text->data + text->size;
}

void sheet_add(struct sheet *text, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	va_start(args, format);
	vsnprintf(sheet_room(text, (size_t)length + 1), (size_t)length + 1, format, args);
	va_end(args);
	text->size += (size_t)length;
}

static void sheet_group(struct sheet *text, uint32_t dword)
{
	char *at = sheet_room(text, 5);

	if (!dword) {
		*at = 'z';
		text->size++;
		return;
	}
	for (int i = 4; i >= 0; i--, dword /= 85)
		at[i] = (char)('!' + dword % 85);
	text->size += 5;
}

void sheet_dwords(struct sheet *text, uint32_t first, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sheet_group(text, first + (uint32_t)i);
}

static void put(uint8_t *bytes, size_t *at, uint32_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[(*at)++] = (uint8_t)(value >> 8 * i);
}

/* One stored block (RFC 1951, 3.2.4) with the frame of RFC 1950: zlib without zlib. */
void sheet_zlib(struct sheet *text, uint32_t first, size_t count)
{
	size_t length = count * 4, size = 0, total = length + 11;
	uint8_t *bytes = calloc(1, total + 4);
	uint32_t a = 1, b = 0;

	put(bytes, &size, 0x0178, 2);
	put(bytes, &size, 1, 1);
	put(bytes, &size, (uint32_t)length, 2);
	put(bytes, &size, ~(uint32_t)length, 2);
	for (size_t i = 0; i < count; i++)
		put(bytes, &size, first + (uint32_t)i, 4);
	for (size_t i = 7; i < size; i++) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	b = b << 16 | a;
	put(bytes, &size, __builtin_bswap32(b), 4);
	sheet_add(text, ":");
	for (size_t i = 0; i < size; i += 4)
		sheet_group(text, bytes[i] | (uint32_t)bytes[i + 1] << 8 |
				 (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24);
	free(bytes);
}

void sheet_free(struct sheet *text)
{
	free(text->data);
	*text = (struct sheet){ .size = 0 };
}

struct gsc_source *open_text(const struct sheet *text, const char *platform)
{
	char *path = temporary_file(text->data, text->size);
	struct gsc_source *source = open_spec("%s", path, platform);

	drop_file(path);
	return source;
}

struct sheet text_changed(const char *text, size_t size, const char *front, const char *end)
{
	struct sheet changed = { .size = 0 };

	while (size) {
		const char *newline = memchr(text, '\n', size);
		size_t length = newline ? (size_t)(newline - text) : size;

		sheet_add(&changed, "%s%.*s%s", front, (int)length, text, end);
		length += newline != NULL;
		text += length;
		size -= length;
	}
	return changed;
}

void survive_cuts(const char *data, size_t size)
{
	const char *line = data, *end = data + size;

	while (line < end) {
		const char *next = memchr(line, '\n', (size_t)(end - line));

		next = next ? next + 1 : end;
		survive("%s", data, (size_t)(next - data));
		survive("%s", data, (size_t)(line - data) + (size_t)(next - line) / 2);
		survive("%s", line, (size_t)(end - line));
		line = next;
	}
}

void expect_dwords(struct gsc_source *source, enum gsc_space space, uint64_t address,
		   uint32_t first, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (value_at(source, space, address + 4 * i, 4) == first + i)
			continue;
		fprintf(stderr, "\n%s:0x%llx is not 0x%x\n", gsc_space_name(space),
			(unsigned long long)(address + 4 * i), first + (unsigned)i);
		CU_FAIL("another dword");
		return;
	}
}

const char *property_of(const struct gsc_source *source, const char *key)
{
	static struct gsc_property property;

	for (size_t i = 0; gsc_source_property(source, 0, i, &property); i++)
		if (!strcmp(property.key, key))
			return property.value;
	return NULL;
}

struct gsc_buffer_origin buffer_of(const struct gsc_source *source, enum gsc_buffer_kind kind,
				   size_t i)
{
	struct gsc_buffer_origin buffer = { .address = 0 };

	for (size_t at = 0; gsc_source_buffer(source, 0, at, &buffer); at++)
		if (buffer.kind == kind && !i--)
			return buffer;
	CU_FAIL("no such buffer");
	return (struct gsc_buffer_origin){ .address = 0 };
}

size_t buffer_count(const struct gsc_source *source)
{
	struct gsc_buffer_origin buffer;
	size_t count = 0;

	while (gsc_source_buffer(source, 0, count, &buffer))
		count++;
	return count;
}
