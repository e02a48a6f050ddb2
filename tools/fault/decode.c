/* SPDX-License-Identifier: MIT */
/*
 * gpu-fault --decode: FILE is a source that has such an image, or says where it is; or else the
 * image itself, from byte OFF on.
 */
#include "fault.h"
#include "image/image.h"
#include "util/number.h"
#include "util/text.h"

#include <stdlib.h>

#define DECODE_SCHEMA "gpuscope.decode/1"

/* ---- FILE[@OFF] ----------------------------------------------------------------------------- */

struct input {
	char *path;
	bool has_offset;
	uint64_t offset;
	struct held_file file;
	const uint8_t *data;
	size_t size;
};

static enum gsc_status split(struct input *input, const char *operand, struct gsc_error *err)
{
	static const char prefixes[][8] = { "bar:", "ggtt:", "mem:", "lmem:" };
	char *at;

	input->path = strdup(operand);
	if (!input->path)
		return err_memory(err);
	at = strrchr(input->path, '@');
	/* "mem:PATH@PHYS" and similar: the number belongs to the source. */
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(operand, prefixes[i], strlen(prefixes[i])))
			at = NULL;
	if (at && gsc_parse_number(at + 1, &input->offset)) {
		*at = 0;
		input->has_offset = true;
	}
	return *input->path ? GSC_OK : usage_error(err, operand, "expected FILE[@OFF]");
}

/* Bytes in no known format are held as if they were memory; compressed ones are unpacked. */
static enum gsc_status hold(struct common *common, struct input *input, struct gsc_error *err)
{
	enum gsc_status status = held_bytes(common, input->path, &input->file, err);
	size_t size = input->file.size;
	char what[240];

	if (status)
		return status;
	input->data = input->file.data;
	if (!input->data || input->offset >= size) {
		string_set(what, "%.200s@0x%llx", input->path, (unsigned long long)input->offset);
		return err_set(err, GSC_UNKNOWN, what, "past the end: the file has %zu bytes",
			       input->data ? size : 0);
	}
	input->data += input->offset;
	input->size = size - (size_t)input->offset;
	return GSC_OK;
}

/* As a source, if it is one; otherwise the bytes of the file. */
static enum gsc_status open_input(struct common *common, struct input *input, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	if (!input->has_offset) {
		status = fault_open(common, input->path, true, err);
		if (!source_is_none(status, err))
			return status;
	}
	status = platform_open(common, err);
	return status ? status : hold(common, input, err);
}

static enum gsc_status open_all(struct common *common, struct input *input, struct gsc_error *err)
{
	enum gsc_status status;

	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "expected one FILE[@OFF]");
	if (!common->operand_count && !common->from.count)
		return usage_error(err, "--decode", "needs FILE[@OFF] or --from SOURCE");
	status = definitions_open(common, err);
	if (!status && !common->operand_count)
		return platform_open(common, err);
	if (!status)
		status = split(input, common->operands[0], err);
	return status ? status : open_input(common, input, err);
}

/* ---- output --------------------------------------------------------------------------------- */

/* What was wrong: one line each, and GSC_PARTIAL. */
static enum gsc_status tell_faults(struct common *common, const struct gsc_image *image,
				   const struct gsc_image_counts *counts, const char *what)
{
	enum gsc_status status = complain_damage(common, common->source);
	char why[160];

	if (*image->about.cut) {
		complain(common, GSC_PARTIAL, what, image->about.cut);
		status = GSC_PARTIAL;
	}
	if (!counts->unknown)
		return status;
	string_set(why, "%llu of %llu commands are unknown, the first at 0x%llx",
		 (unsigned long long)counts->unknown, (unsigned long long)counts->commands,
		 (unsigned long long)counts->first_unknown);
	complain(common, GSC_PARTIAL, what, why);
	return GSC_PARTIAL;
}

SCHEMA(fault-decode, DECODE_SCHEMA, "gpu-fault --decode --json",
       "One document. With --ndjson the first line is the document without items, and each further "
       "line one of them.", PLATFORM, FORMS(image))

static enum gsc_status put_image(struct common *common, const struct gsc_image *image,
				 const char *file, struct gsc_error *err)
{
	struct gsc_image_counts counts = { 0 };
	struct gsc_json json;
	enum gsc_status status;
	size_t count;
	const char **names = held_names(common, file, &count);

	if (!names)
		return err_memory(err);
	status = output_open(common, true, err);
	if (!status && wants_json(common)) {
		document_begin(common, DECODE_SCHEMA, names, count, &json);
		status = gsc_json_image(&json, image, &counts, err);
		gsc_json_finish(&json);
	} else if (!status) {
		title_begin(common, names, count);
		status = gsc_text_image(common->out, image, text_flags(common), &counts, err);
	}
	if (!status)
		status = tell_faults(common, image, &counts,
				     file ? file : count ? names[0] : "source");
	free(names);
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static enum gsc_status decode(struct fault *fault, const struct input *input,
			      enum gsc_image_kind kind, struct gsc_error *err)
{
	struct common *common = &fault->common;
	struct gsc_image_options options = {
		.kind = kind,
		.engine = fault->engine,
		.format = kind == GSC_IMAGE_FIRMWARE ? input->path : fault->format,
		.gpu = common->gpu,
		.data = input->data,
		.size = input->size,
	};
	struct gsc_commands *set = NULL;
	struct gsc_image *image = NULL;
	enum gsc_status status = gsc_commands_new(&set, common->gpu, err);

	if (!status)
		status = gsc_image_new(&image, set, &options, err);
	if (!status)
		status = put_image(common, image, input->data ? common->operands[0] : NULL, err);
	else if (err->status == GSC_USAGE)
		status = usage_error(err, strdupa(err->what), "%s", strdupa(err->why));
	gsc_image_free(image);
	gsc_commands_free(set);
	return status;
}

enum gsc_status image_run(struct common *common, struct gsc_error *err)
{
	struct fault *fault = (struct fault *)common;
	struct input input = { .offset = 0 };
	enum gsc_image_kind kind = 0;
	enum gsc_status status = GSC_OK;
	char what[80];

	while (kind < GSC_IMAGE_KINDS && strcmp(fault->decode, gsc_image_word(kind)))
		kind++;
	if (kind == GSC_IMAGE_KINDS) {
		string_set(what, "--decode %.40s", fault->decode);
		return usage_error(err, what, "unknown kind; expected hwsp, context, oa, "
				   "ring, guc-ct, guc-log, guc-capture, guc-lfd or firmware");
	}
	if (fault->format && kind != GSC_IMAGE_OA && kind != GSC_IMAGE_CONTEXT)
		status = usage_error(err, "--format", "needs --decode oa or context");
	if (!status)
		status = open_all(common, &input, err);
	if (!status)
		status = decode(fault, &input, kind, err);
	held_close(&input.file);
	free(input.path);
	return status;
}
