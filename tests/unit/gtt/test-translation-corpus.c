/* SPDX-License-Identifier: MIT */
/* Real traces and tables (GPUSCOPE_CORPUS) with every known translation. */
#include "aub-helpers.h"
#include "gtt/context.h"
#include "gpu-for.h"
#include "gtt/windows.h"
#include "source-helpers.h"
#include "text/lines.h"
#include "test.h"
#include "gtt/gtt.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------- */

static const char *corpus_folder(void)
{
	const char *folder = getenv("GPUSCOPE_CORPUS");

	if (folder && *folder)
		return folder;
	printf("no corpus given, skipped ");
	return NULL;
}

/* Calls `each` for every aub/NAME`suffix`, with the path without the suffix. */
static void for_each(const char *suffix, void (*each)(const char *stem))
{
	const char *folder = corpus_folder();
	char pattern[512];
	glob_t found;

	if (!folder)
		return;
	snprintf(pattern, sizeof(pattern), "%s/aub/*%s", folder, suffix);
	CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *stem = strndup(found.gl_pathv[i],
				     strlen(found.gl_pathv[i]) - strlen(suffix));

		each(stem);
		free(stem);
	}
	globfree(&found);
}

/* Text of a file; lines of at most 1 KiB. */
struct text_file {
	struct blob blob;
	struct lines lines;
	char line[1024];
};

static bool text_try(struct text_file *t, const char *stem, const char *suffix)
{
	struct gsc_error err;
	char path[512];

	snprintf(path, sizeof(path), "%s%s", stem, suffix);
	if (blob_open(&t->blob, path, NULL, NULL, &err))
		return false;
	t->lines = (struct lines){ .data = t->blob.data, .size = t->blob.size };
	return true;
}

static void text_open(struct text_file *t, const char *stem, const char *suffix)
{
	CU_ASSERT_FATAL(text_try(t, stem, suffix));
}

static const char *text_next(struct text_file *t)
{
	if (!lines_next(&t->lines))
		return NULL;
	slice_copy(slice_first(t->lines.text, sizeof(t->line) - 1), t->line, sizeof(t->line));
	return t->line;
}

static struct gsc_source *open_trace(const char *stem)
{
	return open_spec("%s.aub", stem, NULL);
}

static void complain(const char *stem, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(const char *stem, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "\n%s: ", strrchr(stem, '/') + 1);
	vfprintf(stderr, format, args);
	va_end(args);
	CU_FAIL("differs from the corpus");
}

/* ---- maps ----------------------------------------------------------------------------------- */

struct row {
	uint64_t va, physical, entry;
};

typedef VEC(struct row) row_vec;

static void add_row(row_vec *rows, uint64_t va, uint64_t entry)
{
	struct row *row = vec_add(rows);

	CU_ASSERT_PTR_NOT_NULL_FATAL(row);
	*row = (struct row){ va, entry & UINT64_C(0x7ffffff000), entry };
}

static row_vec map_rows(const char *stem, const char *suffix)
{
	row_vec rows = { 0 };
	struct text_file text;
	const char *line;

	text_open(&text, stem, suffix);
	while ((line = text_next(&text))) {
		unsigned long long a, b, entry;

		if (sscanf(line, "%lli %lli %lli", (long long *)&a, (long long *)&b,
			   (long long *)&entry) != 3)
			continue;
		if (strstr(suffix, "ggtt-map.tsv") == suffix + 1)
			add_row(&rows, b, entry);
		else
			add_row(&rows, a, entry);
		if (strstr(suffix, "ppgtt-map.tsv"))
			CU_ASSERT_EQUAL(rows.items[rows.count - 1].physical, b);
	}
	blob_close(&text.blob);
	CU_ASSERT(rows.count > 0);
	return rows;
}

static uint64_t step_value(const struct gsc_step *step)
{
	return (uint64_t)step->entry.words[1] << 32 | step->entry.words[0];
}

static void check_row(const char *stem, struct gsc_translation *translation,
		      const struct row *row, struct gsc_walk *walk)
{
	gsc_walk(translation, row->va, GSC_INTENT_READ, walk);
	if (!walk->mapped || walk->space != GSC_PHYS || walk->physical != row->physical ||
	    walk->page_size != 4096 || !walk->count ||
	    step_value(&walk->steps[walk->count - 1]) != row->entry)
		complain(stem, "0x%llx: %s 0x%llx, not 0x%llx (%s)", (unsigned long long)row->va,
			 walk->mapped ? "mapped to" : "not mapped",
			 (unsigned long long)walk->physical, (unsigned long long)row->physical,
			 walk->stop_text);
}

static bool has_row(const row_vec *rows, uint64_t va)
{
	size_t low = 0, high = rows->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->items[middle].va == va)
			return true;
		if (rows->items[middle].va < va)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Around each row, at every distance that another table decides. */
static void check_others(const char *stem, struct gsc_translation *translation,
			 const row_vec *rows, uint64_t end, struct gsc_walk *walk)
{
	for (size_t i = 0; i < rows->count; i++) {
		for (unsigned bit = 12; bit < 48; bit += 3) {
			uint64_t va = rows->items[i].va ^ UINT64_C(1) << bit;

			if (va >= end || has_row(rows, va))
				continue;
			gsc_walk(translation, va, GSC_INTENT_READ, walk);
			if (walk->mapped || walk->stop != GSC_STOP_NOT_PRESENT ||
			    !walk->stop_level[0])
				complain(stem, "0x%llx: mapped %d, stop %s at \"%s\"",
					 (unsigned long long)va, walk->mapped,
					 gsc_stop_word(walk->stop), walk->stop_level);
		}
	}
}

/* What the whole map of a translation is compared with, row by row. */
struct expected {
	const char *stem;
	const row_vec *rows;
	size_t next;
};

static bool next_mapping(void *context, const struct gsc_mapping *m)
{
	struct expected *e = context;

	for (uint64_t i = 0; i < m->pages; i++, e->next++) {
		const struct row *row = &e->rows->items[e->next];

		if (e->next >= e->rows->count || row->va != m->start + i * m->page_size ||
		    row->physical != m->physical + i * m->page_size || m->page_size != 4096) {
			complain(e->stem, "row %zu: 0x%llx to 0x%llx", e->next,
				 (unsigned long long)(m->start + i * m->page_size),
				 (unsigned long long)(m->physical + i * m->page_size));
			return false;
		}
	}
	return true;
}

static void check_map(const char *stem, struct gsc_translation *translation, const row_vec *rows)
{
	struct expected expected = { stem, rows, 0 };
	struct gsc_map_holes holes = { 0 };
	struct gsc_error err;

	CU_ASSERT_EQUAL(gsc_map(translation, GSC_MAP_ALL, next_mapping, &expected, &holes, &err),
			GSC_OK);
	CU_ASSERT_EQUAL(expected.next, rows->count);
	CU_ASSERT_EQUAL(holes.missing + holes.reserved + holes.loops, 0);
}

/* Every row, nothing else, and the same as a whole. */
static void check_rows(const char *stem, struct gsc_source *source, const struct gsc_root *root,
		       const row_vec *rows, uint64_t end)
{
	struct gsc_view *view = view_of(source);
	struct gsc_translation *translation = translation_of(source, view, root);
	struct gsc_walk walk;

	for (size_t i = 0; i < rows->count; i++)
		check_row(stem, translation, &rows->items[i], &walk);
	check_others(stem, translation, rows, end, &walk);
	check_map(stem, translation, rows);
	gsc_translation_free(translation);
	gsc_view_free(view);
}

static void ggtt_map(const char *stem)
{
	struct gsc_source *source = open_trace(stem);
	row_vec rows = map_rows(stem, ".ggtt-map.tsv");

	CU_ASSERT_EQUAL(gsc_source_note_count(source), 0);
	check_rows(stem, source, NULL, &rows, UINT64_C(1) << 32);
	vec_free(&rows);
	gsc_source_close(source);
}

static void ggtt_maps(void)
{
	for_each(".ggtt-map.tsv", ggtt_map);
}

static void ppgtt_map(const char *stem)
{
	struct gsc_source *source = open_trace(stem);
	row_vec rows = map_rows(stem, ".ppgtt-map.tsv");
	struct gsc_view *view = view_of(source);
	struct gsc_root root;
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(gsc_root_engine(gpu_for(source, view), NULL, &root, &err), GSC_OK);
	CU_ASSERT_EQUAL(root.mode, GSC_MODE_PML4);
	check_rows(stem, source, &root, &rows, UINT64_C(1) << 48);
	vec_free(&rows);
	gsc_view_free(view);
	gsc_source_close(source);
}

static void ppgtt_maps(void)
{
	for_each(".ppgtt-map.tsv", ppgtt_map);
}

/* "gen8-chv-22b3": the last word is the PCI id. */
static struct gsc_source *open_image(const char *stem)
{
	char spec[512], device[16];
	const char *specs[] = { spec };

	snprintf(spec, sizeof(spec), "mem:%s.physmem.bin", stem);
	snprintf(device, sizeof(device), "0x%s", strrchr(stem, '-') + 1);
	return open_specs(specs, 1, device);
}

static void image_map(const char *stem)
{
	struct gsc_source *source = open_image(stem);
	row_vec rows = map_rows(stem, ".ppgtt-map.tsv");
	struct gsc_root root;
	struct gsc_error err;

	CU_ASSERT_EQUAL_FATAL(gsc_root_parse(GSC_MODE_PML4, "0", &root, &err), GSC_OK);
	check_rows(stem, source, &root, &rows, UINT64_C(1) << 48);
	vec_free(&rows);
	gsc_source_close(source);
}

static void image_maps(void)
{
	for_each(".physmem.bin", image_map);
}

/* The memory at the end of the trace is the image; it holds only zeros besides. */
static void image_bytes(const char *stem)
{
	struct gsc_source *trace = open_trace(stem), *image;
	uint64_t at = 0, start, length;
	size_t held, size;
	const uint8_t *all;

	image = open_spec("mem:%s.physmem.bin", stem, NULL);
	all = gsc_span(image, GSC_PHYS, 0, &size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	for (; gsc_extent(trace, GSC_PHYS, at, &start, &length); at = start + length) {
		for (; at < start; at++)
			if (at < size && all[at])
				complain(stem, "0x%llx is not held", (unsigned long long)at);
		for (; length; start += held, length -= held) {
			const uint8_t *bytes = gsc_span(trace, GSC_PHYS, start, &held);

			CU_ASSERT_FATAL(bytes && start + held <= size);
			if (memcmp(bytes, all + start, held))
				complain(stem, "0x%llx differs", (unsigned long long)start);
		}
	}
	gsc_source_close(image);
	gsc_source_close(trace);
}

static void images(void)
{
	for_each(".physmem.bin", image_bytes);
}

/* ---- chains --------------------------------------------------------------------------------- */

struct chain {
	const char *stem;
	struct gsc_source *source;
	struct gsc_view *view;
	struct aub_submission last;
	struct context_image image;
	size_t written;			/* register writes seen */
};

static void chain_mmio(struct chain *c, const char *name, const char *value)
{
	const struct aub *trace = source_aub(c->source);
	const struct aub_event *event = &trace->events.items[c->written++];

	CU_ASSERT_FATAL(c->written <= trace->events.count);
	CU_ASSERT_EQUAL(event->address, strtoull(name, NULL, 16));
	CU_ASSERT_EQUAL(event->data, strtoull(value, NULL, 16));
}

static void chain_image(struct chain *c, const char *name, const char *value)
{
	static const struct {
		const char *name;
		uint32_t offset;
	} names[] = {
		{ "CTX_CONTEXT_CONTROL", 0x244 }, { "RING_HEAD", 0x34 }, { "RING_TAIL", 0x30 },
		{ "RING_START", 0x38 }, { "RING_CTL", 0x3c }, { "BB_ADDR_U", 0x168 },
		{ "BB_ADDR", 0x140 }, { "PDP3_UDW", 0x28c }, { "PDP0_UDW", 0x274 },
		{ "PDP0_LDW", 0x270 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t got = 0;

		if (strcmp(name, names[i].name))
			continue;
		CU_ASSERT(context_value(&c->image, names[i].offset, &got));
		CU_ASSERT_EQUAL(got, strtoull(value, NULL, 16));
		return;
	}
	complain(c->stem, "context_image %s: no test of it", name);
}

static void chain_ring(struct chain *c, const char *value)
{
	struct gsc_translation *ggtt = translation_of(c->source, c->view, NULL);
	uint32_t start = 0, dword;
	char *end = (char *)(uintptr_t)value;

	CU_ASSERT(context_value(&c->image, 0x38, &start));
	for (unsigned i = 0; i < 12; i++) {
		CU_ASSERT_EQUAL(gsc_translated_read(ggtt, start + 4 * i, &dword, 4), 4);
		CU_ASSERT_EQUAL(dword, strtoull(end, &end, 16));
	}
	gsc_translation_free(ggtt);
}

static uint64_t value_named(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	CU_ASSERT_PTR_NOT_NULL_FATAL(at);
	return strtoull(at + strlen(name), NULL, 16);
}

static void chain_batch(struct chain *c, const char *value)
{
	struct gsc_walk walk;
	struct gsc_translation *ppgtt;
	struct gsc_error err;
	struct gsc_root root;
	uint32_t dword = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_root_context(gpu_for(c->source, c->view), c->last.descriptor[0],
					       &root, &err), GSC_OK);
	ppgtt = translation_of(c->source, c->view, &root);
	gsc_walk(ppgtt, value_named(value, "va="), GSC_INTENT_READ, &walk);
	CU_ASSERT(walk.mapped);
	CU_ASSERT_EQUAL(walk.address, value_named(value, "va48="));
	CU_ASSERT_EQUAL(walk.physical, value_named(value, " pa="));
	CU_ASSERT_EQUAL(step_value(&walk.steps[walk.count - 1]), value_named(value, "pte="));
	CU_ASSERT_EQUAL(gsc_translated_read(ppgtt, walk.address, &dword, 4), 4);
	CU_ASSERT_EQUAL(dword, value_named(value, "first_dw="));
	gsc_translation_free(ppgtt);
}

static void chain_row(struct chain *c, const char *type, const char *name, const char *value)
{
	if (!strcmp(type, "mmio_write")) {
		chain_mmio(c, name, value);
	} else if (!strcmp(type, "context_image")) {
		chain_image(c, name, value);
	} else if (!strcmp(type, "derived") && !strcmp(name, "LRCA_ggtt")) {
		CU_ASSERT_EQUAL(c->image.address, strtoull(value, NULL, 16));
	} else if (!strcmp(type, "ring")) {
		chain_ring(c, value);
	} else if (!strcmp(type, "batch")) {
		chain_batch(c, value);
	} else if (type[0] != '#') {
		complain(c->stem, "%s: no test of this type", type);
	}
}

static void chain(const char *stem)
{
	struct chain *c = calloc(1, sizeof(*c));
	struct gsc_error err;
	struct text_file text;
	const char *line;

	c->stem = stem;
	c->source = open_trace(stem);
	c->view = view_of(c->source);
	c->last = submission_at(c->source, submissions_of(c->source) - 1);
	CU_ASSERT_EQUAL(c->last.descriptor[0], 0x2339);
	CU_ASSERT_EQUAL_FATAL(context_read(gpu_for(c->source, c->view), c->last.descriptor[0],
					   &c->image, &err), GSC_OK);
	text_open(&text, stem, ".chain.tsv");
	while ((line = text_next(&text))) {
		char *type = text.line, *name = strchr(type, '\t'), *value;

		value = name ? strchr(name + 1, '\t') : NULL;
		CU_ASSERT_PTR_NOT_NULL_FATAL(value);
		*name = *value = 0;
		chain_row(c, type, name + 1, value + 1);
	}
	CU_ASSERT_EQUAL(c->written, source_aub(c->source)->events.count);
	blob_close(&text.blob);
	gsc_view_free(c->view);
	gsc_source_close(c->source);
	free(c);
}

static void chains(void)
{
	for_each(".chain.tsv", chain);
}

/* ---- replay --------------------------------------------------------------------------------- */

/* A text of aubinator, instruction by instruction, beside the trace at that submission. */
struct replay {
	const char *stem;
	struct gsc_source *source, *at;
	struct gsc_view *view;
	struct gsc_translation *ring, *batch;
	struct aub_submission submission;
	size_t submissions, lines[8];
	bool in_ring;
};

static void replay_close(struct replay *r)
{
	gsc_translation_free(r->ring);
	gsc_translation_free(r->batch);
	gsc_source_close(r->at);
	r->ring = r->batch = NULL;
	r->at = NULL;
}

static void replay_next(struct replay *r)
{
	struct gsc_root root;
	struct gsc_error err;

	replay_close(r);
	r->submission = submission_at(r->source, r->submissions);
	r->at = source_at(r->source, r->submissions++);
	r->ring = translation_of(r->at, r->view, NULL);
	if (r->submission.way != AUB_EXECLIST)
		return;
	CU_ASSERT_EQUAL_FATAL(gsc_root_context(gpu_for(r->at, r->view), r->submission.descriptor[0],
					       &root, &err), GSC_OK);
	r->batch = translation_of(r->at, r->view, &root);
}

/* Classic traces have what is at a graphics address, which their table also maps. */
static bool replay_read(struct replay *r, uint64_t address, uint32_t *dword)
{
	enum gsc_space space;
	uint64_t physical, length, value;

	if (r->submission.way == AUB_EXECLIST)
		return gsc_translated_read(r->in_ring ? r->ring : r->batch, address, dword, 4) == 4;
	if (r->in_ring)
		address += r->submission.ring;
	if (gsc_resolve(r->ring, address, &space, &physical, &length) ||
	    physical != 0x200000 + address || gsc_read(r->at, GSC_GTTMEM, address, 4, &value))
		return false;
	*dword = (uint32_t)value;
	return true;
}

static void replay_line(struct replay *r, uint64_t address, uint32_t dword, const char *name)
{
	bool start = !strcmp(name, "MI_BATCH_BUFFER_START");
	uint32_t got = ~dword;

	if (r->in_ring && start)
		replay_next(r);
	CU_ASSERT_FATAL(r->submissions > 0 && r->submissions <= ARRAY_SIZE(r->lines));
	r->lines[r->submissions - 1]++;
	if (!replay_read(r, address, &got) || got != dword)
		complain(r->stem, "submission %zu, 0x%llx: 0x%08x, not 0x%08x", r->submissions - 1,
			 (unsigned long long)address, got, dword);
	if (r->in_ring && start)
		r->in_ring = false;
	else if (!strcmp(name, "MI_BATCH_BUFFER_END"))
		r->in_ring = true;
}

static void replay_counts(const struct replay *r)
{
	static const struct {
		const char *name;
		size_t lines[2];
	} known[] = {
		{ "snb", { 283, 0 } }, { "ivb", { 404, 14 } }, { "bdw", { 402, 12 } },
		{ "chv", { 408, 14 } }, { "skl", { 620, 15 } }, { "icl", { 575, 14 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (!strstr(strrchr(r->stem, '/'), known[i].name))
			continue;
		CU_ASSERT_EQUAL(r->lines[0], known[i].lines[0]);
		CU_ASSERT_EQUAL(r->lines[1], known[i].lines[1]);
	}
}

static void replay(const char *stem)
{
	struct replay r = { .stem = stem, .in_ring = true };
	struct text_file text;
	const char *line;

	r.source = open_trace(stem);
	r.view = view_of(r.source);
	text_open(&text, stem, ".aubinator.txt");
	while ((line = text_next(&text))) {
		unsigned long long address;
		char name[64];
		unsigned dword;

		if (sscanf(line, "0x%llx:  0x%8x:  %63s", &address, &dword, name) == 3 &&
		    strncmp(line, "0x", 2) == 0)
			replay_line(&r, address, dword, name);
	}
	replay_counts(&r);
	CU_ASSERT_EQUAL(r.submissions, submissions_of(r.source));
	replay_close(&r);
	blob_close(&text.blob);
	gsc_view_free(r.view);
	gsc_source_close(r.source);
}

static void replays(void)
{
	for_each(".aubinator.txt", replay);
}

/* The first bytes of a classic trace's batches. */
static void batch(const char *stem)
{
	const char *at = strstr(stem, "-batch"), *address = strstr(stem, "-at-");
	struct gsc_source *source, *moment;
	unsigned long number;
	uint64_t start;
	char *trace;
	struct text_file text;

	CU_ASSERT_FATAL(at && address);
	number = strtoul(at + 6, NULL, 10);
	start = strtoull(address + 4, NULL, 16);
	trace = strndup(stem, (size_t)(at - stem));
	source = open_trace(trace);
	moment = source_at(source, number);
	text_open(&text, stem, ".bin");
	for (size_t i = 0; i < text.blob.size; i += 4)
		if (value_at(moment, GSC_GTTMEM, start + i, 4) !=
		    load_le(text.blob.data + i, 4))
			complain(stem, "byte 0x%zx differs", i);
	blob_close(&text.blob);
	gsc_source_close(moment);
	gsc_source_close(source);
	free(trace);
}

static void batches(void)
{
	const char *folder = corpus_folder();
	char pattern[512];
	glob_t found;

	if (!folder)
		return;
	snprintf(pattern, sizeof(pattern), "%s/aub/*-batch*-at-*.bin", folder);
	CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *stem = strndup(found.gl_pathv[i], strlen(found.gl_pathv[i]) - 4);

		batch(stem);
		free(stem);
	}
	globfree(&found);
}

/* ---- a table written by a video BIOS -------------------------------------------------------- */

static void bios_table(void)
{
	const char *folder = corpus_folder();
	struct gsc_translation *translation;
	struct gsc_source *source;
	struct gsc_view *view;

	if (!folder)
		return;
	source = open_spec("%s/mmio-trace/ivb-8086-0166-vbios-ioport-trace.txt", folder, NULL);
	view = view_of(source);
	translation = translation_of(source, view, NULL);
	for (unsigned i = 0; i < 8191; i++) {
		enum gsc_space space;
		uint64_t physical, length;

		if (gsc_resolve(translation, i * UINT64_C(4096) + 5, &space, &physical, &length) ||
		    space != GSC_PHYS || physical != 0xada00000 + i * UINT64_C(4096) + 5)
			CU_FAIL("an entry differs");
	}
	gsc_translation_free(translation);
	gsc_view_free(view);
	gsc_source_close(source);
}

/* ---- windows -------------------------------------------------------------------------------- */

static void window_is(const char *file, const char *name, uint64_t start, uint64_t length)
{
	const char *folder = corpus_folder();
	struct gsc_window *windows;
	size_t count;
	struct gsc_source *source;
	struct gsc_view *view;
	bool found = false;
	char spec[512];
	const char *specs[] = { spec };

	if (!folder)
		return;
	snprintf(spec, sizeof(spec), "%s%s/%s", strstr(file, "mmio-trace") ? "" : "config:", folder,
		 file);
	source = open_specs(specs, 1, NULL);
	view = view_of(source);
	CU_ASSERT_EQUAL(gsc_windows(gpu_for(source, view), &windows, &count, NULL), GSC_OK);
	for (size_t i = count; i-- > 0;)
		found |= !strcmp(windows[i].name, name) && windows[i].start == start &&
			 windows[i].length == length && (!length || !*windows[i].problem);
	free(windows);
	CU_ASSERT(found);
	if (!found)
		fprintf(stderr, "\n%s: %s\n", file, name);
	gsc_view_free(view);
	gsc_source_close(source);
}

static void windows(void)
{
	static const char snb[] = "pci-config/snb-8086-0126-lspci-xxx.txt";
	static const char whl[] = "pci-config/whl-8086-3ea0-gpu-and-3e34-hostbridge.txt";
	static const char gm45[] = "pci-config/gm45-8086-2a42-header64.txt";
	static const char ivb[] = "mmio-trace/ivb-8086-0166-vbios-ioport-trace.txt";

	window_is(snb, "GTTMMADR", 0xf0000000, 4 << 20);
	window_is(snb, "GMADR", 0xe0000000, 256 << 20);
	window_is(snb, "GSM", 0xdb800000, 2 << 20);
	window_is(snb, "DSM", 0xdba00000, 64 << 20);
	window_is(whl, "GTTMMADR", 0xc0000000, 16 << 20);
	window_is(whl, "GMADR", 0xb0000000, 256 << 20);
	window_is(whl, "GSM", 0x8b000000, 8 << 20);
	window_is(whl, "DSM", 0x8b800000, 64 << 20);
	window_is(gm45, "GTTMMADR", 0xd0000000, 4 << 20);
	window_is(gm45, "GMADR", 0xc0000000, 0);
	window_is(gm45, "DSM", 0, 0);
	window_is(ivb, "GSM", 0xad800000, 2 << 20);
	window_is(ivb, "DSM", 0xada00000, 32 << 20);
}

SUITE(translation_corpus,
	{ "GGTT maps", ggtt_maps },
	{ "PPGTT maps", ppgtt_maps },
	{ "PPGTT maps in images of memory", image_maps },
	{ "what traces leave in memory", images },
	{ "from a submission to its batch", chains },
	{ "every instruction at its submission", replays },
	{ "classic batches", batches },
	{ "a table of a video BIOS", bios_table },
	{ "windows of real machines", windows })
