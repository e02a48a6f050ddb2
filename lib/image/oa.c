/* SPDX-License-Identifier: MIT */
/* Performance reports: the same structure again and again. */
#include "image/image.h"

#include "util/text.h"

#define PREFIX "OA_REPORT_"

/* ---- which layout --------------------------------------------------------------------------- */

static bool layout_at(const struct gsc_image *image, size_t *i, struct gsc_item *item)
{
	while (gsc_item_at(image->gpu.view->db, GSC_STRUCTURE, (*i)++, item))
		if (gsc_view_sees(image->gpu.view, item->platforms, &item->revisions) &&
		    !strncmp(item->name, PREFIX, strlen(PREFIX)))
			return true;
	return false;
}

static bool layout_named(const struct gsc_image *image, const char *name, struct gsc_item *item)
{
	for (size_t i = 0; layout_at(image, &i, item);) {
		const char *called = item->name;

		for (size_t n = 0; called;
		     called = gsc_item_alias(image->gpu.view->db, item, n++, NULL))
			if (!name_compare(called, name) ||
			    (!strncmp(called, PREFIX, strlen(PREFIX)) &&
			     !name_compare(called + strlen(PREFIX), name)))
				return true;
	}
	return false;
}

/* The format that a control register selects, by the name of its value. */
static bool selected(struct gsc_image *image, const char *control, char *name, size_t size)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value value;
	struct gsc_reg reg;
	uint64_t raw;

	if (!image_register(image, control, -1, &reg, &raw))
		return false;
	gsc_reg_fields(image->gpu.view, &reg, raw, &it);
	while (gsc_field_next(&it, &field)) {
		if (strcmp(field.name, "COUNTER_SELECT"))
			continue;
		for (size_t i = 0; gsc_field_value(&it, i, &value); i++) {
			if (field.value < value.lo || field.value > value.hi)
				continue;
			snprintf(name, size, "%s", value.name);
			return image_note(image, "%s 0x%08llx selects %s", reg.name, LL(raw), name);
		}
	}
	return false;
}

static enum gsc_status find_layout(struct gsc_image *image, struct gsc_error *err)
{
	static const char *const controls[] = { "OACONTROL", "OAG_OACONTROL", "OAR_OACONTROL" };
	struct gsc_item *item = &image->item;
	char name[64], all[300];
	struct text text = text_of(all);

	/* "A13 A29 ..." of the platform. */
	for (size_t i = 0; layout_at(image, &i, item);)
		text_join(&text, " ", item->name + strlen(PREFIX));
	if (!text.used)
		return err_set(err, GSC_UNKNOWN, "oa", "no layout of reports is known for %s",
			       image->gpu.platform.name);
	if (image->format)
		return layout_named(image, image->format, item) ? GSC_OK :
		       err_set(err, GSC_USAGE, "--format", "no layout %.60s on %s: %s",
			       image->format, image->gpu.platform.name, all);
	for (size_t i = 0; image->gpu.source && i < ARRAY_SIZE(controls); i++)
		if (selected(image, controls[i], name, sizeof(name)) &&
		    layout_named(image, name, item))
			return GSC_OK;
	return err_set(err, GSC_USAGE, "oa", "the report layout is unknown, because no register "
					     "shows it: give --format with one of %s", all);
}

/* ---- reports -------------------------------------------------------------------------------- */

enum gsc_status image_oa(struct gsc_image *image, struct gsc_error *err)
{
	size_t size, total, empty = 0;
	enum gsc_status status = find_layout(image, err);

	if (status)
		return status;
	size = image->item.bits / 8;
	if (!image->count || !size)
		return err_set(err, GSC_FAILED, "oa", "there are fewer than 4 bytes of a report");
	total = (image->bytes + size - 1) / size;
	image_cut(image, (uint64_t)total * size);
	for (size_t i = 0; i < total; i++) {
		size_t first = i * size / 4;

		if (total > 1 && first < image->count &&
		    bytes_are_zero(image->words + first,
				   MIN(size / 4, image->count - first) * 4)) {
			empty++;
			continue;
		}
		if (!image_add_fields(image, image->item.name, IMAGE_OWN, (int)i, i * size, size))
			return err_memory(err);
	}
	return image_done(!empty || image_note(image, "%zu of %zu reports are all zero", empty,
					       total), err);
}
