/* SPDX-License-Identifier: MIT */
/* The attributes of a page as words, the most important first. */
#include "gtt/gtt.h"

#include "db/view.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Counts down to the requested word. */
struct words {
	size_t skip;
	const char *found;
	char *buf;
	size_t size;
};

static void word(struct words *w, bool holds, const char *text)
{
	if (holds && !w->found && w->skip-- == 0) {
		snprintf(w->buf, w->size, "%s", text);
		w->found = w->buf;
	}
}

static void numbered(struct words *w, bool holds, const char *text, unsigned number)
{
	char buf[32];

	if (!holds)
		return;
	snprintf(buf, sizeof(buf), "%s%u", text, number);
	word(w, true, buf);
}

/* "write-back, LLC, age 3": write-back-llc-age-3. */
static void slug(char *out, size_t size, const char *text)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++) {
		if (!strncmp(text, " and ", 5)) {
			out[used++] = '+';
			text += 4;
		} else if (*text == ' ') {
			out[used++] = '-';
		} else if (*text != ',') {
			out[used++] = (char)tolower((unsigned char)*text);
		}
	}
	out[used] = 0;
}

/*
 * What a field says about the memory of the page. `top`: the cacheability has this many more bits.
 */
static void field_word(struct words *w, const struct gsc_field *field, unsigned top)
{
	static const struct {
		const char *field, *word;
	} flags[] = {
		{ "GRAPHICS_DATA_TYPE", "gfdt" }, { "SNOOPED", "snooped" }, { "SNOOP", "snooped" },
		{ "ATOMIC_ENABLE", "atomic" }, { "GLOBAL", "global" },
	};
	char text[64];

	if (!strcmp(field->name, "CACHEABILITY_CONTROL") || !strcmp(field->name, "MAPPING_TYPE")) {
		if (field->text && strcmp(field->text, "not a documented value"))
			slug(text, sizeof(text), field->text);
		else
			snprintf(text, sizeof(text), "cache%u", (unsigned)field->value + top);
		word(w, true, text);
	}
	if (!field->value)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		word(w, !strcmp(field->name, flags[i].field), flags[i].word);
	numbered(w, !strcmp(field->name, "VF"), "vf", (unsigned)field->value);
}

static void field_words(struct words *w, const struct gsc_view *view, const struct format *f,
			uint64_t raw)
{
	uint32_t halves[2] = { (uint32_t)raw, (uint32_t)(raw >> 32) };
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	unsigned pat = 0, top = 0;
	bool has_pat = false;

	gsc_item_fields(view->db, view, &f->item, halves, 2, &it);
	while (!w->found && gsc_field_next(&it, &field)) {
		/* The parts of the PAT index are in scattered bits. */
		gsc_field_form(&it, &form);
		if (form.join && !strcmp(form.join, "PAT_INDEX") && form.shift <= 31) {
			pat |= (unsigned)field.value << form.shift;
			has_pat = true;
		}
		if (!strcmp(field.name, "CACHEABILITY_CONTROL_3"))
			top = field.value ? 8 : 0;
		field_word(w, &field, top);
	}
	numbered(w, has_pat, "pat", pat);
}

/* If no entry says anything, everything is permitted, and that has no word. */
const char *page_flag(const struct gsc_view *view, const struct format *format, uint64_t raw,
		      struct access access, size_t i, char *buf, size_t size)
{
	struct words w = { .skip = i, .buf = buf, .size = size };
	const struct format *f = format->page;
	bool readable = access.readable && !(~raw & format_read_mask(f));
	bool writable = access.writable && !(~raw & f->write_mask);

	word(&w, f->write_mask || !access.readable || !access.writable,
	     !readable ? "wo" : writable ? "rw" : "ro");
	word(&w, f->user_mask, raw & f->user_mask ? "user" : "supervisor");
	word(&w, raw & f->no_execute_mask, "xd");
	word(&w, raw & f->null_mask, "null");
	word(&w, f->local_mask && format_local(f, raw), "local");
	word(&w, raw & f->stolen_mask, "stolen");
	field_words(&w, view, f, raw);
	return w.found;
}

const char *entry_flag(const struct gsc_view *view, const struct format *format, uint64_t raw,
		       size_t i, char *buf, size_t size)
{
	return page_flag(view, format, raw, (struct access){ true, true }, i, buf, size);
}

static uint64_t composed(uint64_t raw, uint64_t mask, bool set)
{
	return set ? raw | mask : raw & ~mask;
}

/* The page's own entry, without what the levels above it and below take away. */
const char *gsc_walk_flag(const struct gsc_translation *t, const struct gsc_walk *walk, size_t i,
			  char *buf, size_t size)
{
	const struct gsc_step *step = walk_page(walk);
	const struct format *f;
	uint64_t raw;

	/* With the second level alone, its last entry maps the page. */
	if (t->mode == GSC_MODE_VTD && walk->count)
		step = &walk->steps[walk->count - 1];
	if (!walk->mapped || !step)
		return NULL;
	f = format_get(t->formats, step->entry.mode, t->mode == GSC_MODE_VTD ?
		       step->entry.item.level : step->entry.level);
	if (!f)
		return NULL;
	f = f->page;
	raw = entry_raw(&step->entry);
	raw = composed(raw, f->write_mask, walk->writable);
	raw = composed(raw, f->user_mask, walk->user);
	raw = composed(raw, f->no_execute_mask, !walk->executable);
	return page_flag(t->gpu->view, f, raw,
			 (struct access){ walk->readable, walk->writable }, i, buf, size);
}
