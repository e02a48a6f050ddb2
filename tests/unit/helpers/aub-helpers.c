/* SPDX-License-Identifier: MIT */
#include "aub-helpers.h"

#include "gpu-for.h"
#include "gtt/walk.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>

void trace_data(struct trace_bytes *t, const void *data, size_t size)
{
	CU_ASSERT_FATAL(vec_reserve(&t->bytes, size + 4));
	if (size)
		memcpy(t->bytes.items + t->bytes.count, data, size);
	t->bytes.count += size;
	while (t->bytes.count % 4)
		t->bytes.items[t->bytes.count++] = 0;
}

void trace_word(struct trace_bytes *t, uint32_t word)
{
	const uint8_t bytes[] = { (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
				  (uint8_t)(word >> 24) };

	trace_data(t, bytes, sizeof(bytes));
}

static uint32_t dwords(size_t bytes)
{
	return (uint32_t)((bytes + 3) / 4);
}

void trace_version(struct trace_bytes *t, const char *text)
{
	trace_word(t, 0xf70e0000 | (4 + dwords(strlen(text))));
	trace_word(t, 1);
	for (unsigned i = 0; i < 3; i++)
		trace_word(t, 0);
	trace_data(t, text, strlen(text));
}

void trace_register(struct trace_bytes *t, uint32_t offset, uint32_t value)
{
	trace_word(t, 0xf7030005);
	trace_word(t, offset);
	trace_word(t, 0x00020000);
	trace_word(t, 0xffffffff);
	trace_word(t, 0);
	trace_word(t, value);
}

void trace_memory(struct trace_bytes *t, unsigned space, uint64_t address, const void *data,
		  uint32_t size)
{
	trace_word(t, 0xf7060000 | (4 + dwords(size)));
	trace_word(t, (uint32_t)address);
	trace_word(t, (uint32_t)(address >> 32));
	trace_word(t, space << 28);
	trace_word(t, size);
	trace_data(t, data, size);
}

void trace_entry(struct trace_bytes *t, uint64_t gpu_address, uint64_t entry)
{
	trace_memory(t, 4, gpu_address / 4096 * 8, &entry, 8);
}

void trace_dword(struct trace_bytes *t, unsigned space, uint64_t address, uint32_t value)
{
	trace_memory(t, space, address, &value, 4);
}

void trace_header(struct trace_bytes *t, const char *text)
{
	trace_word(t, 0xe0850000 | (11 + dwords(strlen(text))));
	trace_word(t, 0x04000000);
	for (unsigned i = 0; i < 10; i++)
		trace_word(t, 0);
	trace_word(t, (uint32_t)strlen(text));
	trace_data(t, text, strlen(text));
}

void trace_block(struct trace_bytes *t, uint32_t what, uint32_t address, const void *data,
		 uint32_t size)
{
	trace_word(t, 0xe0c10003);
	trace_word(t, what);
	trace_word(t, 0);
	trace_word(t, address);
	trace_word(t, size);
	trace_data(t, data, size);
}

struct gsc_source *trace_open(struct trace_bytes *t)
{
	struct gsc_source *source = open_bytes(t->bytes.items, t->bytes.count);

	vec_free(&t->bytes);
	return source;
}

struct gsc_view *view_of(const struct gsc_source *source)
{
	struct gsc_db *db = (struct gsc_db *)(uintptr_t)source->db;
	struct gsc_view *view;
	struct gsc_error err;

	CU_ASSERT_FATAL(source->platform >= 0);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, (unsigned)source->platform, source->revision,
					   &err), GSC_OK);
	return view;
}

static void find_submissions(const struct gsc_source *source, aub_submission_vec *found)
{
	struct gsc_view *view = view_of(source);
	struct gsc_error err;

	CU_ASSERT_PTR_NOT_NULL_FATAL(source_aub(source));
	CU_ASSERT_EQUAL_FATAL(aub_submissions(source_aub(source), view, found, &err), GSC_OK);
	gsc_view_free(view);
}

size_t submissions_of(const struct gsc_source *source)
{
	aub_submission_vec found;
	size_t count;

	find_submissions(source, &found);
	count = found.count;
	vec_free(&found);
	return count;
}

struct aub_submission submission_at(const struct gsc_source *source, size_t i)
{
	struct aub_submission submission;
	aub_submission_vec found;

	find_submissions(source, &found);
	CU_ASSERT_FATAL(i < found.count);
	submission = found.items[i];
	vec_free(&found);
	return submission;
}

struct gsc_source *source_at(const struct gsc_source *source, size_t i)
{
	struct aub_submission submission = submission_at(source, i);
	struct gsc_source *at;
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(aub_source_at(source, &submission, &at, &err), GSC_OK);
	return at;
}

struct gsc_translation *translation_of(struct gsc_source *source, const struct gsc_view *view,
				       const struct gsc_root *root)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_translation *translation;
	struct gsc_error err;

	if (root)
		options.root = *root;
	if (gsc_translation_new(&translation, gpu_for(source, view), &options, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		CU_FAIL_FATAL("no translation");
	}
	return translation;
}
