/* SPDX-License-Identifier: MIT */
/* Marks of a picture: for each kind the code that knows it, the most important ones first. */
#include "marks.h"

#include "cli/text.h"
#include "gtt/windows.h"
#include "util/text.h"
#include "hang/hang.h"

#include <stdlib.h>

#define PAGE_MASK (~UINT64_C(0xfff))

struct marking {
	struct gsc_picture *picture;
	struct gsc_hang *hang;
	const struct gsc_gpu *gpu;
	const struct gsc_root *here;
	bool global;
};

static void mark(struct marking *m, enum gsc_note_kind kind, uint64_t start, uint64_t end,
		 const char *text)
{
	struct gsc_picture_note note = { .kind = kind, .start = start, .end = end };

	snprintf(note.text, sizeof(note.text), "%s", text);
	gsc_picture_note(m->picture, &note);
}

static bool is_here(const struct marking *m, const struct gsc_root *root)
{
	if (root->mode != m->here->mode || root->count != m->here->count)
		return false;
	return m->global || !memcmp(root->value, m->here->value,
				    root->count * sizeof(*root->value));
}

/* ---- faults and engines --------------------------------------------------------------------- */

static void mark_engines(struct marking *m)
{
	char text[96], size[40];
	struct gsc_error err;
	struct gsc_root root;

	for (size_t i = 0; i < m->hang->engines.count; i++) {
		const struct gsc_engine *e = &m->hang->engines.items[i].e;

		if (!e->stopped || e->run.process == m->global ||
		    (!m->global &&
		     (gsc_root_engine(m->gpu, e->name, &root, &err) || !is_here(m, &root))))
			continue;
		string_set(text, "%s is here: 0x%llx %s", e->name, LL(e->command.address),
			   e->command.name);
		mark(m, GSC_NOTE_PLACE, e->command.address, 0, text);
	}
	/* If a ring is not enabled, the registers have the values after a reset. */
	for (size_t i = 0; m->global && i < m->hang->engines.count; i++) {
		const struct gsc_engine *e = &m->hang->engines.items[i].e;

		if (!(e->known & GSC_KNOWN_START) || !(e->known & GSC_KNOWN_RING) ||
		    (e->known & GSC_KNOWN_CONTROL && !e->enabled))
			continue;
		string_set(text, "ring of %s, %s", e->name,
			   size_text(e->ring_bytes, size, sizeof(size)));
		mark(m, GSC_NOTE_PLACE, e->start & PAGE_MASK, 0, text);
	}
}

/* ---- what registers point to ---------------------------------------------------------------- */

/* The address in the global table that a register holds; false: none, or an invalid one. */
static bool points_to(const struct gsc_view *view, const struct gsc_row *row, uint64_t *address)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	bool found = false;

	if (row->status != GSC_READ_OK || !row->value)
		return false;
	gsc_reg_fields(view, &row->reg, row->value, &it);
	while (gsc_field_next(&it, &field)) {
		gsc_field_form(&it, &form);
		if (!strcmp(field.name, "VALID") && !field.value)
			return false;
		if (!form.address || strcmp(form.address, "ggtt") || found)
			continue;
		*address = field.value << form.shift;
		found = true;
	}
	return found;
}

static void mark_register(struct marking *m, const char *name, const char *what)
{
	struct gsc_rows_options options = { 0 };
	struct gsc_selection *selection = NULL;
	struct gsc_rows *rows = NULL;
	struct gsc_row row;
	struct gsc_error err;
	uint64_t address;
	char text[96];

	if (!gsc_select(&selection, m->gpu, 0, &name, 1, &err) &&
	    !gsc_rows_read(&rows, selection, m->gpu, &options, &err))
		for (size_t i = 0; i < gsc_rows_count(rows); i++) {
			gsc_rows_at(rows, i, &row);
			if (!row.reg.engine || !points_to(gsc_gpu_view(m->gpu), &row, &address))
				continue;
			snprintf(text, sizeof(text), "%s of %s", what, row.reg.engine);
			mark(m, GSC_NOTE_PLACE, address, 0, text);
		}
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

/* ---- fences and the aperture ---------------------------------------------------------------- */

static void mark_fences(struct marking *m)
{
	char text[96];

	for (size_t i = 0; i < m->hang->fences.count; i++) {
		const struct gsc_fence *fence = &m->hang->fences.items[i];

		if (!fence->valid)
			continue;
		string_set(text, "fence %u: %c tiles, pitch %u bytes", fence->index, fence->tiling,
			   fence->pitch);
		mark(m, GSC_NOTE_FENCE, fence->start, fence->end, text);
	}
}

static void mark_aperture(struct marking *m)
{
	struct gsc_window *windows;
	char text[96], size[40];
	size_t count;

	gsc_windows(m->gpu, &windows, &count, NULL);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(windows[i].name, "GMADR") || windows[i].status || !windows[i].length)
			continue;
		snprintf(text, sizeof(text), "aperture: the first %s, visible to the processor",
			 size_text(windows[i].length, size, sizeof(size)));
		mark(m, GSC_NOTE_APERTURE, 0, windows[i].length, text);
		break;
	}
	free(windows);
}

void map_marks(struct gsc_picture *picture, struct gsc_hang *hang, const struct gsc_gpu *gpu,
	       const struct gsc_translation *translation)
{
	const struct gsc_root *here = gsc_translation_root(translation);
	struct marking m = { picture, hang, gpu, here, here->mode == GSC_MODE_GGTT };
	struct gsc_walk walk;
	const struct gsc_translation *t;
	char text[96], why[200];

	for (size_t i = 0; i < m.hang->faults.count; i++) {
		const struct gsc_fault *fault = &m.hang->faults.items[i];

		if (!fault->has_address ||
		    !gsc_hang_walk(m.hang, i, &walk, &t, why, sizeof(why)) ||
		    !is_here(&m, gsc_translation_root(t)))
			continue;
		string_set(text, "%s: 0x%llx%s%s", fault->valid ? "fault" : "perhaps a fault",
			   LL(fault->address), *fault->engine ? ", " : "", fault->engine);
		mark(&m, GSC_NOTE_FAULT, walk.address, 0, text);
	}
	if (m.global)
		mark_aperture(&m);
	mark_engines(&m);
	if (!m.global)
		return;
	mark_register(&m, "CCID", "context");
	mark_register(&m, "HWS_PGA", "status page");
	mark_fences(&m);
}
