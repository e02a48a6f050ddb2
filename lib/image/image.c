/* SPDX-License-Identifier: MIT */
/* Images as such: their parts, and questions about them. */
#include "image/image.h"

#include "batch/batch.h"
#include "batch/run.h"
#include "db/resolve.h"

const char *gsc_image_word(enum gsc_image_kind kind)
{
	static const char *const words[GSC_IMAGE_KINDS] = {
		[GSC_IMAGE_HWSP] = "hwsp", [GSC_IMAGE_CONTEXT] = "context",
		[GSC_IMAGE_OA] = "oa", [GSC_IMAGE_RING] = "ring",
		[GSC_IMAGE_GUC_CT] = "guc-ct", [GSC_IMAGE_GUC_LOG] = "guc-log",
		[GSC_IMAGE_GUC_CAPTURE] = "guc-capture", [GSC_IMAGE_GUC_LFD] = "guc-lfd",
		[GSC_IMAGE_FIRMWARE] = "firmware",
	};

	return (unsigned)kind < GSC_IMAGE_KINDS ? words[kind] : NULL;
}

/* ---- parts ---------------------------------------------------------------------------------- */

struct gsc_image_part *image_add(struct gsc_image *image, const char *name, int index,
				 uint64_t offset, uint64_t size)
{
	struct gsc_image_part *part = vec_add(&image->parts);
	size_t first = (size_t)MIN(offset / 4, image->count);

	if (!part)
		return NULL;
	*part = (struct gsc_image_part){
		.name = name,
		.index = index,
		.offset = offset,
		.size = size,
		.words = image->words + first,
		.text = "",
		.problem = "",
		.group = IMAGE_NONE,
		.first_row = image->rows.count,
	};
	part->count = (size_t)MIN(size / 4, image->count - first);
	return part;
}

struct gsc_image_part *image_add_fields(struct gsc_image *image, const char *name, int group,
					int index, uint64_t offset, uint64_t size)
{
	struct gsc_image_part *part = image_add(image, name, index, offset, size);

	if (part)
		part->group = group;
	return part;
}

bool image_add_row(struct gsc_image *image, const struct gsc_row *row)
{
	if (!vec_push(&image->rows, *row))
		return false;
	image->parts.items[image->parts.count - 1].registers++;
	return true;
}

void image_row(const struct gsc_image *image, uint32_t offset, uint32_t value, struct gsc_row *row)
{
	uint32_t from = offset & ~UINT32_C(7);
	size_t i = gsc_view_seek(image->gpu.view, GSC_MMIO, from);

	*row = (struct gsc_row){ .status = GSC_READ_OK, .value = value };
	for (; i < gsc_view_count(image->gpu.view); i++) {
		gsc_view_reg(image->gpu.view, i, &row->reg);
		if (row->reg.space != GSC_MMIO || row->reg.offset > offset)
			break;
		if (offset - row->reg.offset >= row->reg.bits / 8)
			continue;
		row->raw = row->part = row->reg.bits == 64;
		row->part_lo = (unsigned)(offset - row->reg.offset) * 8;
		row->part_hi = row->part_lo + 31;
		row->reg.offset = offset;
		return;
	}
	row->raw = true;
	row->reg = (struct gsc_reg){ .index = -1, .space = GSC_MMIO, .offset = offset, .bits = 32 };
}

bool image_loads(const struct gsc_image *image, const char *name, int index, uint64_t *value)
{
	struct gsc_reg reg;
	bool found = false;

	if (!view_find(image->gpu.view, image->about.engine, name, index, &reg))
		return false;
	for (size_t i = 0; i < image->parts.count; i++) {
		const struct gsc_image_part *part = &image->parts.items[i];

		for (size_t j = 0; !part->aside && j < part->registers; j++) {
			const struct gsc_row *row = &image->rows.items[part->first_row + j];

			if (row->reg.offset != reg.offset || row->part)
				continue;
			*value = row->value;
			found = true;
		}
	}
	return found;
}

bool image_note(struct gsc_image *image, const char *format, ...)
{
	char **note = vec_add(&image->notes);
	va_list args;

	if (!note)
		return false;
	va_start(args, format);
	if (vasprintf(note, format, args) < 0)
		*note = NULL;
	va_end(args);
	return *note;
}

bool image_say(struct gsc_image *image, const char **text, const char *format, ...)
{
	char **own = vec_add(&image->texts);
	va_list args;

	if (!own)
		return false;
	va_start(args, format);
	if (vasprintf(own, format, args) < 0)
		*own = NULL;
	va_end(args);
	if (*own)
		*text = *own;
	return *own;
}

void image_cut(struct gsc_image *image, uint64_t wanted)
{
	if (image->bytes < wanted && !*image->about.cut)
		snprintf(image->about.cut, sizeof(image->about.cut), "ends at byte 0x%zx of 0x%llx",
			 image->bytes, LL(wanted));
}

/* ---- definitions ---------------------------------------------------------------------------- */

bool image_slots(struct gsc_image *image, int group, const char *names, size_t from, size_t first,
		 size_t last)
{
	const struct gsc_view *view = image->gpu.view;
	struct gsc_item slots;
	bool named = view_structure(image->gpu.view, names, &slots);

	for (size_t i = first; i < last && from + i < image->count; i++) {
		struct gsc_image_part *part;
		struct gsc_field_iter it;
		struct gsc_field field;

		if (!image->words[from + i])
			continue;
		part = image_add_fields(image, "SOFTWARE", group, (int)i, (from + i) * 4, 4);
		if (!part)
			return false;
		/* The field that begins there, if there is one. */
		if (named)
			gsc_item_fields(view->db, view, &slots, NULL, 0, &it);
		while (named && gsc_field_next(&it, &field)) {
			if (field.dword != i)
				continue;
			if (!image_say(image, &part->text,
				       "used by the driver, not by the hardware: %s, %s",
				       field.name, field.doc ? field.doc : ""))
				return false;
			break;
		}
	}
	return true;
}

bool image_engine(struct gsc_image *image, const char *name)
{
	const struct gsc_view *view = image->gpu.view;
	struct gsc_engine_place engine;
	const char *found;

	for (size_t i = 0; (found = gsc_platform_engine(view->db, view->platform, i, &engine)); i++)
		if (!strcmp(found, name)) {
			image->class = engine.engine_class;
			image->base = engine.base;
			snprintf(image->about.engine, sizeof(image->about.engine), "%s", found);
			return true;
		}
	return false;
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum gsc_status gsc_image_new(struct gsc_image **out, struct gsc_commands *set,
			      const struct gsc_image_options *options, struct gsc_error *err)
{
	static enum gsc_status (*const decoders[GSC_IMAGE_KINDS])(struct gsc_image *,
								  struct gsc_error *) = {
		[GSC_IMAGE_HWSP] = image_hwsp, [GSC_IMAGE_CONTEXT] = image_context,
		[GSC_IMAGE_OA] = image_oa, [GSC_IMAGE_RING] = image_ring,
		[GSC_IMAGE_GUC_CT] = image_guc_ct, [GSC_IMAGE_GUC_LOG] = image_guc_log,
		[GSC_IMAGE_GUC_CAPTURE] = image_guc_capture, [GSC_IMAGE_GUC_LFD] = image_guc_lfd,
		[GSC_IMAGE_FIRMWARE] = image_firmware,
	};
	struct gsc_image *image;
	enum gsc_status status;
	const char *engine;

	*out = NULL;
	if (!options || (unsigned)options->kind >= GSC_IMAGE_KINDS)
		return err_set(err, GSC_USAGE, "kind", "no such kind of image");
	image = calloc(1, sizeof(*image));
	if (!image)
		return err_memory(err);
	image->set = set;
	image->gpu = options->gpu ? *options->gpu : gpu_of(NULL, set->view);
	image->format = options->format;
	image->about.kind = options->kind;
	image->engine_given = options->engine;
	status = engine_by_name(image->gpu.view, options->engine, &engine, err);
	if (!status && !image_engine(image, engine))
		status = err_set(err, GSC_UNKNOWN, engine, "no such engine");
	if (!status)
		status = options->data ? image_copy(image, options->data, options->size, err)
				       : image_find(image, err);
	if (!status)
		status = decoders[image->about.kind](image, err);
	if (!status && image->gpu.source)
		status = image_done(image_aside(image), err);
	if (status) {
		gsc_image_free(image);
		return status;
	}
	/* Those of a GuC belong to no engine. */
	if (image->about.kind >= GSC_IMAGE_GUC_CT)
		*image->about.engine = 0;
	image->about.size = image->bytes;
	*out = image;
	return GSC_OK;
}

void gsc_image_free(struct gsc_image *image)
{
	if (!image)
		return;
	for (size_t i = 0; i < image->notes.count; i++)
		free(image->notes.items[i]);
	for (size_t i = 0; i < image->texts.count; i++)
		free(image->texts.items[i]);
	for (size_t i = 0; i < image->actions.count; i++)
		free(image->actions.items[i]);
	vec_free(&image->actions);
	guc_ct_free(&image->ct);
	vec_free(&image->texts);
	vec_free(&image->notes);
	vec_free(&image->rows);
	vec_free(&image->parts);
	free(image->words);
	free(image);
}

/* ---- what was found ------------------------------------------------------------------------- */

bool gsc_image_part(const struct gsc_image *image, size_t i, struct gsc_image_part *part)
{
	if (i >= image->parts.count)
		return false;
	*part = image->parts.items[i];
	return true;
}

bool gsc_image_fields(const struct gsc_image *image, size_t i, struct gsc_field_iter *it)
{
	const struct gsc_image_part *part;
	struct gsc_repeat repeat;

	if (i >= image->parts.count || image->parts.items[i].group == IMAGE_NONE)
		return false;
	part = &image->parts.items[i];
	if (part->group == IMAGE_OWN) {
		gsc_item_fields(image->gpu.view->db, image->gpu.view,
				part->item ? part->item : &image->item, part->words, part->count,
				it);
		return true;
	}
	if (!gsc_item_repeat(image->gpu.view->db, image->gpu.view, &image->item,
			     (size_t)part->group, &repeat, it))
		return false;
	it->words = part->words;
	it->count = part->count;
	return true;
}

bool gsc_image_register(const struct gsc_image *image, size_t i, size_t j, struct gsc_row *row)
{
	if (i >= image->parts.count || j >= image->parts.items[i].registers)
		return false;
	*row = image->rows.items[image->parts.items[i].first_row + j];
	return true;
}

enum gsc_status image_follow(const struct gsc_image *image, size_t i,
			     const struct gsc_listener *listener, struct gsc_error *err)
{
	const struct gsc_image_about *about = &image->about;
	struct gsc_gpu alone = gpu_of(NULL, image->set->view);
	struct gsc_follow_options options = {
		.engine = about->engine, .no_follow = true, .past_end = true,
		.marks = about->marks, .mark_count = about->mark_count,
	};
	const struct gsc_image_part *part;
	enum gsc_status status;

	if (i >= image->parts.count || !image->parts.items[i].commands)
		return err_set(err, GSC_USAGE, "part", "it has no commands");
	part = &image->parts.items[i];
	status = gsc_follow_words(image->set, &alone, about->address + part->offset, part->words,
				  part->count, &options, listener, err);
	return status == GSC_PARTIAL ? GSC_OK : status;
}
