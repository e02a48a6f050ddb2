/* SPDX-License-Identifier: MIT */
#include "gpu-for.h"
#include "dbc/files.h"
#include "source/source.h"
#include "walk-helpers.h"

#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GGTT_BYTES 0x800000
#define LOCAL_BYTES 0x100000

void world_begin(struct world *w, const char *platform, const char *definitions)
{
	struct gsc_error err = { 0 };
	int device;

	memset(w, 0, sizeof(*w));
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&w->db, &err), GSC_OK);
	if (definitions) {
		char *path = temporary_file(definitions, strlen(definitions));

		if (gsc_db_add_file(w->db, path, &err)) {
			fprintf(stderr, "\n%s: %s\n", err.what, err.why);
			CU_FAIL_FATAL("definitions");
		}
		drop_file(path);
	}
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(w->db, platform, &w->platform, &device, &err),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&w->view, w->db, w->platform.index, -1, &err), GSC_OK);
	w->memory = calloc(1, MEMORY_BYTES);
	w->local = calloc(1, LOCAL_BYTES);
	w->ggtt = calloc(1, GGTT_BYTES);
}

static void store(uint8_t *bytes, uint64_t offset, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

void put(struct world *w, enum gsc_space space, uint64_t address, unsigned size, uint64_t value)
{
	if (space == GSC_PHYS)
		store(w->memory, address - MEMORY, size, value);
	else
		store(space == GSC_LMEM ? w->local : w->ggtt, address, size, value);
}

void put_register(struct world *w, uint32_t offset, uint32_t value)
{
	size_t used = strlen(w->registers);

	snprintf(w->registers + used, sizeof(w->registers) - used, "0x%08x 0x%08x\n", offset,
		 value);
}

void put_config(struct world *w, uint32_t offset, unsigned size, uint64_t value)
{
	store(w->config, 0, 4, 0x19128086);
	store(w->config, offset, size, value);
	w->has_config = true;
}

/* ---- opening ------------------------------------------------------------------------------- */

struct files {
	char *paths[5], specs[5][128];
	const char *list[5];
	size_t count;
};

static void add_file(struct files *files, const char *format, const void *data, size_t size)
{
	size_t i = files->count++;

	files->paths[i] = temporary_file(data, size);
	snprintf(files->specs[i], sizeof(files->specs[i]), "%s%s", format, files->paths[i]);
	files->list[i] = files->specs[i];
}

static void close_source(struct world *w)
{
	gsc_translation_free(w->translation);
	gsc_source_close(w->source);
	w->translation = NULL;
	w->source = NULL;
}

static void open_source(struct world *w)
{
	struct files files = { .count = 0 };
	size_t used;

	add_file(&files, "ggtt:", w->ggtt, w->platform.ggtt_max);
	add_file(&files, "lmem:", w->local, LOCAL_BYTES);
	add_file(&files, "mem:", w->memory, MEMORY_BYTES);
	used = strlen(files.specs[2]);
	snprintf(files.specs[2] + used, sizeof(files.specs[2]) - used, "@0x%llx",
		 (unsigned long long)MEMORY);
	if (w->registers[0])
		add_file(&files, "", w->registers, strlen(w->registers));
	if (w->has_config)
		add_file(&files, "config:", w->config, sizeof(w->config));
	w->source = open_specs(files.list, files.count, w->platform.name);
	for (size_t i = 0; i < files.count; i++)
		drop_file(files.paths[i]);
}

void world_open_roots(struct world *w, enum gsc_mode mode, const uint64_t *roots, unsigned count)
{
	struct gsc_error err = { 0 };

	close_source(w);
	open_source(w);
	w->options.root.mode = mode;
	w->options.root.count = count;
	memcpy(w->options.root.value, roots, count * sizeof(*roots));
	if (gsc_translation_new(&w->translation, gpu_for(w->source, w->view), &w->options, &err)) {
		fprintf(stderr, "\n%s: %s\n", err.what, err.why);
		CU_FAIL_FATAL("no translation");
	}
}

void world_open(struct world *w, enum gsc_mode mode, uint64_t root)
{
	world_open_roots(w, mode, &root, 1);
}

void world_end(struct world *w)
{
	close_source(w);
	gsc_view_free(w->view);
	gsc_db_free(w->db);
	free(w->memory);
	free(w->local);
	free(w->ggtt);
}

/* ---- expectations -------------------------------------------------------------------------- */

static void join_flags(struct world *w, char *out, size_t size)
{
	char buf[64];
	const char *flag;
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; (flag = gsc_walk_flag(w->translation, &w->walk, i, buf, sizeof(buf)));
	     i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", flag);
}

static void tell(const struct world *w, const char *what)
{
	fprintf(stderr, "\n0x%llx: %s: %s 0x%llx size 0x%llx, %s at \"%s\": %s (%s)\n",
		(unsigned long long)w->walk.address, what, gsc_space_name(w->walk.space),
		(unsigned long long)w->walk.physical, (unsigned long long)w->walk.page_size,
		gsc_stop_word(w->walk.stop), w->walk.stop_level, w->walk.stop_text, w->walk.note);
}

/* Eight bytes there, if the source holds them, are the same either way. */
static void check_read(struct world *w, uint64_t address, enum gsc_space space, uint64_t physical)
{
	uint8_t bytes[8] = { 0 };
	uint64_t value, read = 0;

	if (physical % 8 || gsc_read(w->source, space, physical, 8, &value))
		return;
	CU_ASSERT_EQUAL(gsc_translated_read(w->translation, address, bytes, 8), 8);
	for (unsigned i = 0; i < 8; i++)
		read |= (uint64_t)bytes[i] << 8 * i;
	CU_ASSERT_EQUAL(read, value);
}

static void check_resolve(struct world *w, uint64_t address, enum gsc_space space,
			  uint64_t physical)
{
	enum gsc_space found = GSC_SPACES;
	uint64_t at = 0, length = 0;

	CU_ASSERT_EQUAL(gsc_resolve(w->translation, address, &found, &at, &length),
			GSC_STOP_NONE);
	CU_ASSERT_EQUAL(found, w->walk.null ? GSC_SPACES : space);
	CU_ASSERT_EQUAL(at, physical);
	CU_ASSERT_TRUE(length >= 1 && length <= w->walk.page_size);
}

void lands(struct world *w, uint64_t address, enum gsc_space space, uint64_t physical,
	   uint64_t page_size, const char *flags)
{
	char words[256];

	gsc_walk(w->translation, address, GSC_INTENT_READ, &w->walk);
	join_flags(w, words, sizeof(words));
	if (!w->walk.mapped || w->walk.space != space || w->walk.physical != physical ||
	    w->walk.page_size != page_size || strcmp(words, flags)) {
		tell(w, words);
		CU_FAIL("it lands elsewhere");
	}
	CU_ASSERT_EQUAL(w->walk.stop, GSC_STOP_NONE);
	check_resolve(w, address, space, physical);
	check_read(w, address, space, physical);
}

void stops_intent(struct world *w, uint64_t address, enum gsc_intent intent, enum gsc_stop stop,
		  const char *level, const char *text)
{
	enum gsc_stop resolved;
	enum gsc_space space;
	uint64_t physical, length;

	gsc_walk(w->translation, address, intent, &w->walk);
	if (w->walk.mapped || w->walk.stop != stop || strcmp(w->walk.stop_level, level) ||
	    !strstr(w->walk.stop_text, text)) {
		tell(w, "wanted another end");
		CU_FAIL("it does not stop so");
	}
	/* Resolving alone does not check permissions. */
	resolved = gsc_resolve(w->translation, address, &space, &physical, &length);
	CU_ASSERT_EQUAL(resolved, stop == GSC_STOP_NOT_PERMITTED ? GSC_STOP_NONE : stop);
}

void stops(struct world *w, uint64_t address, enum gsc_stop stop, const char *level,
	   const char *text)
{
	stops_intent(w, address, GSC_INTENT_READ, stop, level, text);
}

void stepped(struct world *w, size_t i, const char *level, unsigned index, enum gsc_space space,
	     uint64_t table, uint64_t raw)
{
	const struct gsc_step *step = &w->walk.steps[i];

	CU_ASSERT_FATAL(i < w->walk.count);
	CU_ASSERT_STRING_EQUAL(step->entry.level, level);
	CU_ASSERT_EQUAL(step->index, index);
	CU_ASSERT_EQUAL(step->space, space);
	CU_ASSERT_EQUAL(step->table, table);
	CU_ASSERT_EQUAL(step->address, table + (uint64_t)index * step->entry.bytes);
	CU_ASSERT_EQUAL(step->entry.words[0] | (uint64_t)step->entry.words[1] << 32, raw);
	CU_ASSERT_EQUAL(step->depth, 0);
}

void noted(const struct world *w, const char *text)
{
	if (!strstr(w->walk.note, text) || (!*text && w->walk.note[0])) {
		tell(w, text);
		CU_FAIL("not noted");
	}
}
