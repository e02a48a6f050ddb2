/* SPDX-License-Identifier: MIT */
/* Page tables, as gpu-ptwalk reads and shows them: walks, maps and pictures of maps, checks. */
#include "fuzz.h"
#include "gtt/check.h"
#include "gtt/windows.h"
#include "tile/tile.h"

#include <string.h>

#define ROOTS_MAX 4
#define MAPPINGS_MAX 20000
#define SHOWN_MAX 256
#define SAMPLES_MAX 16
#define STEPS_MOST 120			/* tables of tiles, each entry by tables and a second level */

/* Text and JSON of one translation; a map, and what it is drawn as. */
struct tables {
	struct gsc_translation *translation;
	const struct gsc_view *view;
	struct gsc_out *out;
	struct gsc_json json;
	struct gsc_picture *picture;
	struct gsc_mapping_words words, pages, members;
	struct gsc_mapping samples[SAMPLES_MAX];
	size_t count;
	uint64_t end;
};

/* ---- walks ---------------------------------------------------------------------------------- */

static void check_aux(struct tables *t, uint64_t address)
{
	struct gsc_error err = { 0 };
	struct gsc_aux_walk walk;
	enum gsc_status status = gsc_aux_walk(t->translation, address & ~UINT64_C(0x7fff), address,
					      &walk, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	FUZZ_REQUIRE(walk.mapped == (walk.stop == GSC_STOP_NONE) && walk.mapped == !walk.why[0]);
	FUZZ_REQUIRE(walk.count <= 3 && (!walk.mapped || walk.count == 3));
}

static void check_walk(struct tables *t, uint64_t address)
{
	struct gsc_walk walk;
	enum gsc_space space;
	uint64_t physical, length;
	enum gsc_stop stop;
	char why[256];

	gsc_walk(t->translation, address, GSC_INTENT_WRITE, &walk);
	FUZZ_REQUIRE(walk.count <= STEPS_MOST && walk.mapped == (walk.stop == GSC_STOP_NONE));
	gsc_text_walk(t->out, t->translation, &walk, GSC_TEXT_VERBOSE);
	gsc_json_object(&t->json, NULL);
	gsc_json_walk(&t->json, t->translation, &walk);
	gsc_json_object_end(&t->json);
	FUZZ_REQUIRE(walk.mapped || gsc_walk_why(t->translation, &walk, why, sizeof(why)));
	stop = gsc_resolve(t->translation, address, &space, &physical, &length);
	if (stop == GSC_STOP_NONE)
		FUZZ_REQUIRE(length);
}

static void check_walks(struct tables *t)
{
	static const uint64_t asked[] = { 0, 0x1000, 0x201000, 0x40000123, 0x8000000000,
					  0x7fffffffffff, 0xffff800000000000, UINT64_MAX };

	gsc_json_array(&t->json, "walks");
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		check_walk(t, asked[i]);
		check_aux(t, asked[i]);
	}
	for (size_t i = 0; i < SAMPLES_MAX && i < t->count; i++)
		check_walk(t, t->samples[i].start);
	gsc_json_array_end(&t->json);
}

/* ---- maps ----------------------------------------------------------------------------------- */

static void show_mapping(struct tables *t, const struct gsc_mapping *mapping)
{
	gsc_text_mapping(t->out, t->translation, mapping, &t->words);
	gsc_text_pages(t->out, t->translation, mapping, &t->pages);
	gsc_json_object(&t->json, NULL);
	gsc_json_mapping(&t->json, t->translation, mapping, &t->members);
	gsc_json_object_end(&t->json);
}

static bool take_mapping(void *context, const struct gsc_mapping *mapping)
{
	struct tables *t = context;

	FUZZ_REQUIRE(mapping->start < mapping->end && mapping->start >= t->end);
	t->end = mapping->end;
	if (t->count < SAMPLES_MAX)
		t->samples[t->count] = *mapping;
	FUZZ_REQUIRE(gsc_picture_add(t->picture, mapping));
	if (t->count < SHOWN_MAX)
		show_mapping(t, mapping);
	return ++t->count < MAPPINGS_MAX;
}

/* What a map says about a range, a walk says about its first page. */
static void check_mapping(struct tables *t, const struct gsc_mapping *mapping)
{
	enum gsc_space space;
	uint64_t physical, length;
	uint8_t bytes[64];

	gsc_translated_read(t->translation, mapping->start, bytes, sizeof(bytes));
	if (mapping->kind == GSC_MAPPING_REPEAT || mapping->kind == GSC_MAPPING_SCATTERED)
		return;
	if (gsc_resolve(t->translation, mapping->start, &space, &physical, &length) ||
	    space == GSC_SPACES)
		return;
	FUZZ_REQUIRE(space == mapping->space && physical == mapping->physical);
}

static bool take_reached(void *context, const struct gsc_reached *reached)
{
	size_t *count = context;

	FUZZ_REQUIRE(reached->pages);
	return ++*count < MAPPINGS_MAX;
}

static void check_map(struct tables *t)
{
	struct gsc_map_holes holes = { 0 };
	struct gsc_error err = { 0 };
	enum gsc_status status;
	size_t reached = 0;

	gsc_json_array(&t->json, "ranges");
	status = gsc_map(t->translation, 0, take_mapping, t, &holes, &err);
	gsc_json_array_end(&t->json);
	if (status)
		fuzz_check_error(&err, status);
	for (size_t i = 0; i < SAMPLES_MAX && i < t->count; i++)
		check_mapping(t, &t->samples[i]);
	if (t->count)
		gsc_reverse(t->translation, t->samples[0].space, t->samples[0].physical,
			    take_reached, &reached, &holes, &err);
}

/* ---- pictures ------------------------------------------------------------------------------- */

/*
 * The picture also shows what the tables say about themselves: at their addresses, and full of
 * markup.
 */
static void mark_picture(struct tables *t)
{
	struct gsc_picture_note note = { .text = "<text>\" & '\x1b" };

	for (size_t i = 0; i < SAMPLES_MAX && i < t->count; i++) {
		const struct gsc_mapping *mapping = &t->samples[i];

		note.kind = (enum gsc_note_kind)(mapping->entry >> 12 & 3);
		note.start = mapping->start + (mapping->entry >> 8 & 0xfff000);
		note.end = note.start + (mapping->pages << 12);
		if (!gsc_picture_note(t->picture, &note))
			return;
	}
}

static void draw(struct tables *t, const char *id)
{
	struct gsc_out *out = fuzz_out();
	const char *text;
	size_t size;

	gsc_picture_write(out, t->picture, t->translation, "a <title> & \x1b\"more\"", id);
	FUZZ_REQUIRE(!gsc_out_error(out));
	text = gsc_out_data(out, &size);
	fuzz_markup(text, size);
	fuzz_out_end(out);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bool show_breach(void *context, const struct gsc_breach *breach)
{
	struct tables *t = context;

	gsc_text_breach(t->out, breach);
	gsc_json_object(&t->json, NULL);
	gsc_json_breach(&t->json, fuzz_db(), breach, breach->where);
	gsc_json_object_end(&t->json);
	return true;
}

static void check_tables(struct tables *t)
{
	struct gsc_error err = { 0 };
	struct gsc_global_ranges *shared = NULL;
	enum gsc_status status;

	gsc_json_array(&t->json, "breaches");
	status = gsc_check_tables(t->translation, &shared, show_breach, t, &err);
	gsc_global_ranges_free(shared);
	gsc_json_array_end(&t->json);
	if (status)
		fuzz_check_error(&err, status);
}

void fuzz_tables(struct gsc_source *source, const struct gsc_view *view,
		 const struct gsc_translation_options *options)
{
	struct tables t = { .view = view };
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_translation_new(&t.translation, fuzz_gpu(source, view),
						     options, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	FUZZ_REQUIRE(!gsc_picture_new(&t.picture, &err));
	t.out = fuzz_out();
	gsc_json_begin(&t.json, t.out, false);
	gsc_text_root(t.out, t.translation);
	gsc_json_root(&t.json, t.translation);
	check_map(&t);
	check_walks(&t);
	check_tables(&t);
	gsc_json_finish(&t.json);
	fuzz_out_end(t.out);
	mark_picture(&t);
	draw(&t, t.count & 1 ? NULL : "m1");
	gsc_picture_free(t.picture);
	gsc_translation_free(t.translation);
}

void fuzz_roots(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_error err = { 0 };
	struct gsc_root *roots;
	size_t count;

	if (gsc_roots(fuzz_gpu(source, view), &roots, &count, &err))
		return;
	for (size_t i = 0; i < count && i < ROOTS_MAX; i++) {
		options.root = roots[i];
		fuzz_tables(source, view, &options);
	}
	free(roots);
}

void fuzz_pasid(struct gsc_source *source, const struct gsc_view *view, uint64_t rtaddr,
		unsigned function, uint32_t pasid)
{
	struct gsc_translation_options options = { .vtd.on = false };
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_root_pasid(fuzz_gpu(source, view), rtaddr, function, pasid,
						&options, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	FUZZ_REQUIRE(options.root.count && options.root.from[0]);
	fuzz_tables(source, view, &options);
}

void fuzz_windows(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_out *out = fuzz_out();
	struct gsc_window *windows;
	struct gsc_json json;
	struct gsc_error err;
	size_t count;

	FUZZ_REQUIRE(!gsc_windows(fuzz_gpu(source, view), &windows, &count, &err));
	gsc_json_begin(&json, out, false);
	gsc_json_array(&json, "windows");
	for (size_t i = 0; i < count; i++) {
		gsc_json_object(&json, NULL);
		gsc_json_window(&json, &windows[i]);
		gsc_json_object_end(&json);
	}
	gsc_json_array_end(&json);
	gsc_json_finish(&json);
	gsc_text_windows(out, windows, count);
	free(windows);
	fuzz_out_end(out);
}
