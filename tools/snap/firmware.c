/* SPDX-License-Identifier: MIT */
/* gpu-snap info of a file of firmware: what it is, who wants it, what it contains. */
#include "snap.h"
#include "image/image.h"
#include "util/text.h"

KEYS(firmwareFile)
static void json_firmware(struct gsc_json *json, const struct gsc_image *image,
			  enum gsc_status *status, struct gsc_error *err)
{
	const struct image_firmware *says = &image->firmware;

	KEY(some_text, "firmware", says->name, "guc, huc, gsc or dmc; of others the "
	    "name of their partition.");
	KEY(some_text, "version", says->version);
	KEY(some_text, "interface", says->submission, "The version of the GuC's interface.");
	KEY(some_text, "date", says->date);
	KEY(some_text, "made_for", says->device, "The platforms that the header names.");
	KEYS_OF(image);
	*status = gsc_json_image(json, image, NULL, err);
}

/* Its definitions are those of a platform that wants the file, or else of the newest. */
static enum gsc_status open_view(struct common *common, const char *path, struct gsc_error *err)
{
	uint64_t platforms = firmware_platforms(common->db, slice_string(path));
	struct gsc_platform named = { .index = 0 };
	enum gsc_status status = GSC_OK;

	while (named.index + 1 < gsc_platform_count(common->db) && !(platforms >> named.index & 1))
		named.index++;
	common->platform_guessed = !platforms && !common->platform_name;
	if (common->platform_name)
		status = gsc_platform_find(common->db, common->platform_name, &named,
					   &common->device, err);
	return status ? status : common_definitions(common, (int)named.index, err);
}

static enum gsc_status show(struct common *common, const struct held_file *file, const char *name,
			    struct gsc_error *err)
{
	struct gsc_image_options options = {
		.kind = GSC_IMAGE_FIRMWARE, .data = file->data, .size = file->size, .format = name,
	};
	struct gsc_commands *set = NULL;
	struct gsc_image *image = NULL;
	struct gsc_json json;
	enum gsc_status status = open_view(common, name, err);

	if (!status)
		status = gsc_commands_new(&set, common->gpu, err);
	if (!status)
		status = gsc_image_new(&image, set, &options, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common)) {
		document_begin(common, SNAP_SCHEMA, &name, 1, &json);
		json_firmware(&json, image, &status, err);
		gsc_json_finish(&json);
	} else if (!status) {
		title_begin(common, &name, 1);
		status = gsc_text_image(common->out, image, common->verbose ? 0 : GSC_TEXT_QUIET,
					NULL, err);
	}
	if (!status && *image->about.cut) {
		complain(common, GSC_PARTIAL, name, image->about.cut);
		status = GSC_PARTIAL;
	}
	gsc_image_free(image);
	gsc_commands_free(set);
	return status;
}

enum gsc_status firmware_info(struct common *common, const char *name, struct gsc_error *err)
{
	struct held_file file = { .data = NULL };
	struct gsc_error ignored = { 0 };
	enum gsc_status status = err->status;

	if (!held_bytes(common, name, &file, &ignored) && gsc_is_firmware(file.data, file.size)) {
		*err = (struct gsc_error){ 0 };
		status = show(common, &file, name, err);
	}
	held_close(&file);
	return status;
}
