/* SPDX-License-Identifier: MIT */
#include "source-helpers.h"

#include "open/open.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gsc_db *shared_definitions(void)
{
	static struct gsc_db *db;
	struct gsc_error err;

	if (!db && gsc_db_new(&db, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		abort();
	}
	return db;
}

static enum gsc_status try_open(struct gsc_source **source, const char *const *specs, size_t count,
				const char *platform, struct gsc_error *err)
{
	struct gsc_source_options options = { .db = shared_definitions(), .platform = platform };

	return gsc_source_open(source, specs, count, &options, err);
}

struct gsc_source *open_specs(const char *const *specs, size_t count, const char *platform)
{
	struct gsc_source *source;
	struct gsc_error err;

	if (try_open(&source, specs, count, platform, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		CU_FAIL_FATAL("cannot open");
	}
	return source;
}

struct gsc_source *open_spec(const char *format, const char *path, const char *platform)
{
	char spec[256];
	const char *specs[] = { spec };
	const char *hole = strstr(format, "%s");

	snprintf(spec, sizeof(spec), "%.*s%s%s", (int)(hole - format), format, path, hole + 2);
	return open_specs(specs, 1, platform);
}

struct gsc_source *open_bytes(const void *data, size_t size)
{
	char *path = temporary_file(data, size);
	struct gsc_source *source = open_spec("%s", path, NULL);

	unlink(path);
	free(path);
	return source;
}

void refuse_specs(const char *const *specs, size_t count, const char *platform,
		  enum gsc_status status, const char *why)
{
	struct gsc_source *source = (struct gsc_source *)&source;
	struct gsc_error err = { 0 };
	enum gsc_status got = try_open(&source, specs, count, platform, &err);

	if (got != status || err.status != status || !err.what[0] || !strstr(err.why, why)) {
		fprintf(stderr, "\n%s: got %d \"%s\": \"%s\"\n", specs[0], got, err.what, err.why);
		CU_FAIL("not refused as expected");
	}
	CU_ASSERT_PTR_NULL(source);
	gsc_source_close(source);
}

void refuse_spec(const char *spec, enum gsc_status status, const char *why)
{
	refuse_specs(&spec, 1, NULL, status, why);
}

static void read_around(struct gsc_source *source)
{
	for (unsigned space = 0; space < GSC_SPACES; space++) {
		uint64_t from = 0, start, length, value;
		unsigned extents = 0;

		while (extents++ < 20 &&
		       gsc_extent(source, (enum gsc_space)space, from, &start, &length)) {
			const volatile uint8_t *bytes;
			size_t size = 0;

			CU_ASSERT(length && start >= from && length <= UINT64_MAX - start);
			bytes = gsc_span(source, (enum gsc_space)space, start, &size);
			if (bytes)
				CU_ASSERT(size && bytes[0] + bytes[size - 1] >= 0);
			for (unsigned step = 0; step < 8; step++)
				gsc_read(source, (enum gsc_space)space, start + step, 8, &value);
			gsc_read(source, (enum gsc_space)space, start + length - 3, 8, &value);
			from = start + length;
		}
	}
}

static void survive_path(const char *format, const char *path)
{
	char spec[256];
	const char *specs[] = { spec };
	const char *hole = strstr(format, "%s");
	struct gsc_source *source;
	struct gsc_error err;

	snprintf(spec, sizeof(spec), "%.*s%s%s", (int)(hole - format), format, path, hole + 2);
	if (try_open(&source, specs, 1, NULL, &err)) {
		CU_ASSERT(err.what[0] && err.why[0]);
		return;
	}
	read_around(source);
	gsc_source_close(source);
}

void survive(const char *format, const void *data, size_t size)
{
	char *path = temporary_file(data, size);

	survive_path(format, path);
	drop_file(path);
}

void survive_damage(const char *format, const void *data, size_t size, size_t step)
{
	uint8_t *copy = malloc(size);
	uint32_t seed = 7;

	memcpy(copy, data, size);
	for (size_t cut = 0; cut < size; cut += step)
		survive(format, copy, cut);
	for (size_t at = 0; at < size; at += step) {
		uint8_t kept = copy[at];

		copy[at] ^= (uint8_t)(1u << next_random(&seed) % 8);
		survive(format, copy, size);
		copy[at] = (uint8_t)next_random(&seed);
		survive(format, copy, size);
		copy[at] = kept;
	}
	free(copy);
}

struct gsc_platform platform_of(const char *name)
{
	struct gsc_platform p;
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(shared_definitions(), name, &p, &device, NULL), GSC_OK);
	return p;
}

bool note_has(const struct gsc_source *source, size_t i, const char *text)
{
	const char *note = gsc_source_note(source, i);

	return note && strstr(note, text);
}

uint64_t value_at(struct gsc_source *source, enum gsc_space space, uint64_t address, unsigned size)
{
	uint64_t value = UINT64_MAX;
	enum gsc_read status = gsc_read(source, space, address, size, &value);

	if (status != GSC_READ_OK) {
		fprintf(stderr, "\n%s:0x%llx: %s\n", gsc_space_name(space),
			(unsigned long long)address, gsc_read_word(status));
		CU_FAIL("no value");
	}
	return value;
}

/* Numerical Recipes' generator: the tests need the same numbers everywhere. */
uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

void drop_file(char *path)
{
	unlink(path);
	free(path);
}

enum gsc_status try_inputs(struct gsc_source **source, const struct gsc_input *inputs,
			   size_t count, const char *platform, struct gsc_error *err)
{
	struct gsc_source_options options = { .db = shared_definitions(), .platform = platform };

	return gsc_source_open_inputs(source, inputs, count, &options, err);
}

struct gsc_source *open_inputs(const struct gsc_input *inputs, size_t count, const char *platform)
{
	struct gsc_source *source;
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(try_inputs(&source, inputs, count, platform, &err), GSC_OK);
	return source;
}

enum gsc_read read_status(struct gsc_source *source, enum gsc_space space, uint64_t address,
			  unsigned size)
{
	uint64_t value;

	return gsc_read(source, space, address, size, &value);
}

uint8_t *pattern(size_t size)
{
	uint8_t *bytes = malloc(size);

	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)((uint32_t)i * 0x9e3779b1u >> 24);
	return bytes;
}
