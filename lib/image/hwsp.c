/* SPDX-License-Identifier: MIT */
/*
 * The status page of an engine. Before Gen8 its fields are the interrupt status and the reported
 * head; from Gen8 on the context switches of execlists, as a ring of entries.
 */
#include "image/image.h"

#include "util/text.h"

#define PAGE 4096u

/* i915 writes all ones over an entry once it has read it (csb_read()). */
static bool entry_text(struct gsc_image *image, struct gsc_image_part *part, bool last)
{
	const uint32_t *w = part->words;
	struct gsc_repeat repeat;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	char events[160] = "";
	struct text text = text_of(events);
	const char *state = events;

	if (part->count < 2) {
		state = "incomplete";
	} else if (w[0] == UINT32_MAX && w[1] == UINT32_MAX) {
		state = "all ones: empty, or read by the driver";
	} else if (!w[0] && !w[1]) {
		return image_say(image, &part->text, "never written");
	} else {
		/* "PREEMPTED, WAIT_ON_SEMAPHORE": the flags of an entry that are set. */
		gsc_item_repeat(image->gpu.view->db, image->gpu.view, &image->item,
				(size_t)part->group, &repeat, &it);
		it.words = part->words;
		it.count = part->count;
		while (gsc_field_next(&it, &field)) {
			gsc_field_form(&it, &form);
			if (field.value && !strcmp(form.type, "bool"))
				text_join(&text, ", ", field.name);
		}
	}
	return image_say(image, &part->text, "%s%s%s", last ? "written last" : "",
			 last && *state ? "; " : "", state);
}

/* What the page as a whole says about its entries; *known: number `last` was written last. */
static bool entries_text(struct gsc_image *image, const struct gsc_repeat *r, bool *known,
			 uint64_t *last)
{
	struct gsc_image_part *own = &image->parts.items[0];
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t at;
	bool any = false;

	*known = false;
	gsc_image_fields(image, 0, &it);
	while (!*known && gsc_field_next(&it, &field)) {
		*known = !strcmp(field.name, "LAST_WRITTEN_STATUS_OFFSET") &&
			 field.dword + field.hi / 32 < image->count;
		*last = field.value;
	}
	for (at = r->at; at < image->count && at < r->at + (uint64_t)r->count * r->size; at++)
		any |= image->words[at] != 0;
	if (!*known)
		return true;
	if (*last >= r->count)
		return image_say(image, &own->problem,
				 "LAST_WRITTEN_STATUS_OFFSET is 0x%llx, there are %u entries",
				 (unsigned long long)*last, r->count);
	if (!any)
		return image_say(image, &own->text, "none of %u entries was ever written",
				 r->count);
	at = r->at + *last * r->size;
	if (at + 1 < image->count && !image->words[at] && !image->words[at + 1])
		return image_say(image, &own->problem, "LAST_WRITTEN_STATUS_OFFSET is 0x%llx, "
				 "but that entry was never written", (unsigned long long)*last);
	return image_say(image, &own->text, "entry %llu of %u was written last",
			 (unsigned long long)*last, r->count);
}

static bool status_entries(struct gsc_image *image, int group, const struct gsc_repeat *r)
{
	uint64_t last = 0;
	bool known;

	if (!entries_text(image, r, &known, &last))
		return false;
	for (unsigned i = 0; i < r->count && r->at + i * r->size < image->count; i++) {
		struct gsc_image_part *part;

		part = image_add_fields(image, r->name, group, (int)i,
					(uint64_t)(r->at + i * r->size) * 4, r->size * 4);
		if (!part || !entry_text(image, part, known && last == i))
			return false;
	}
	return true;
}

enum gsc_status image_hwsp(struct gsc_image *image, struct gsc_error *err)
{
	struct gsc_field_iter it;
	struct gsc_repeat repeat;
	bool done;

	if (!view_structure(image->gpu.view, "HARDWARE_STATUS_PAGE", &image->item))
		return err_set(err, GSC_UNKNOWN, "hwsp", "the layout on %s is not known",
			       image->gpu.platform.name);
	if (!image->count)
		return err_set(err, GSC_FAILED, "hwsp", "there are fewer than 4 bytes");
	image_cut(image, PAGE);
	done = image_add_fields(image, image->item.name, IMAGE_OWN, -1, 0, PAGE);
	for (int i = 0; done && gsc_item_repeat(image->gpu.view->db, image->gpu.view, &image->item,
						(size_t)i, &repeat, &it); i++) {
		if (!repeat.size)
			continue;
		if (!strcmp(repeat.name, "CONTEXT_STATUS"))
			done = status_entries(image, i, &repeat);
		else
			done = image_slots(image, i, "DRIVER_STATUS_SLOTS", 0, repeat.at,
					   MIN(PAGE / 4, repeat.at + repeat.count));
	}
	return image_done(done, err);
}
