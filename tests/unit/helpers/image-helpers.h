/* SPDX-License-Identifier: MIT */
/* Decodes words as an image of a platform. */
#ifndef IMAGE_HELPERS_H
#define IMAGE_HELPERS_H

#include "batch-helpers.h"
#include "dump-helpers.h"
#include "gpu-for.h"
#include "image/image.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
	struct kit kit;
	struct gsc_image *image;
	struct gsc_image_about about;
	struct gsc_error err;
	uint32_t words[0x9000 / 4];
};

static inline struct bench *bench_new(const char *platform)
{
	struct bench *b = calloc(1, sizeof(*b));

	CU_ASSERT_FATAL(b != NULL);
	kit_open(&b->kit, platform);
	return b;
}

static inline void bench_free(struct bench *b)
{
	gsc_image_free(b->image);
	kit_close(&b->kit);
	free(b);
}

static inline enum gsc_status try_options(struct bench *b, const struct gsc_image_options *options)
{
	enum gsc_status status;

	gsc_image_free(b->image);
	b->image = NULL;
	status = gsc_image_new(&b->image, b->kit.set, options, &b->err);
	if (!status)
		b->about = b->image->about;
	return status;
}

static inline enum gsc_status try_decode(struct bench *b, enum gsc_image_kind kind, const char *engine,
				  const char *format, size_t size)
{
	struct gsc_image_options options = {
		.kind = kind, .engine = engine, .format = format, .data = b->words, .size = size,
	};

	return try_options(b, &options);
}

static inline void decode(struct bench *b, enum gsc_image_kind kind, const char *format, size_t size)
{
	CU_ASSERT_EQUAL_FATAL(try_decode(b, kind, NULL, format, size), GSC_OK);
}

/* The place of a part by name and index. */
static inline size_t part_of(const struct bench *b, const char *name, int index,
		      struct gsc_image_part *part)
{
	for (size_t i = 0; gsc_image_part(b->image, i, part); i++)
		if (!strcmp(part->name, name) && part->index == index)
			return i;
	CU_FAIL_FATAL("no such part");
	return 0;
}

static inline size_t parts_of(const struct bench *b, const char *name)
{
	struct gsc_image_part part;
	size_t count = 0;

	for (size_t i = 0; gsc_image_part(b->image, i, &part); i++)
		count += !strcmp(part.name, name);
	return count;
}

static inline uint64_t field_of(const struct bench *b, const char *part_name, int index, const char *name)
{
	struct gsc_image_part part;
	struct gsc_field_iter it;
	struct gsc_field field;

	CU_ASSERT_FATAL(gsc_image_fields(b->image, part_of(b, part_name, index, &part), &it));
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, name))
			return field.value;
	CU_FAIL_FATAL("no such field");
	return 0;
}

/* "rcs0.NAME[1]=0x5" of each register of a list, with blanks between. */
static inline void expect_registers(const struct bench *b, int list, const char *wanted)
{
	char text[2000] = "", name[100];
	struct gsc_image_part part;
	struct gsc_row row;
	size_t i = part_of(b, "MI_LOAD_REGISTER_IMM", list, &part), used = 0;

	for (size_t j = 0; gsc_image_register(b->image, i, j, &row); j++) {
		gsc_reg_full_name(&row.reg, name, sizeof(name));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s=0x%llx",
					 j ? " " : "", name, (unsigned long long)row.value);
	}
	CU_ASSERT_EQUAL(part.registers * 2 + 1, part.count);
	if (strcmp(text, wanted))
		printf("got '%s', not '%s' ", text, wanted);
	CU_ASSERT_STRING_EQUAL(text, wanted);
}

static inline bool has_note(const struct bench *b, const char *text)
{
	for (size_t i = 0; i < b->image->notes.count; i++)
		if (strstr(b->image->notes.items[i], text))
			return true;
	return false;
}

#endif
