/* SPDX-License-Identifier: MIT */
/* An image as gpu-fault --decode prints it. */
#ifndef FAULT_IMAGE_H
#define FAULT_IMAGE_H

#include "fault.h"

#define DECODE_SCHEMA "gpuscope.decode/1"

struct image_output {
	struct common *common;
	struct gsc_commands *set;
	struct gsc_image *image;
	struct gsc_image_about about;

	/* Of commands: what was met, and MI_NOOP in a row that nobody has printed. */
	struct gsc_command_text *text;
	struct gsc_command_json *json;
	uint64_t commands, unknown, first_unknown;
	uint64_t noops, noops_at;
};

/* `file` is the name of the bytes if they are no source's. GSC_PARTIAL is complained about. */
enum gsc_status image_write(struct image_output *output, const char *file, struct gsc_error *err);

/* Tells a listener of the commands of a part. */
enum gsc_status image_commands(struct image_output *output, const struct gsc_image_part *part,
			       const struct gsc_listener *listener, struct gsc_error *err);
bool image_counts(struct image_output *output, const struct gsc_command *command);

/* ---- fault-image-json.c --------------------------------------------------------------------- */

enum gsc_status image_json(struct image_output *output, const char *const *names, size_t count,
			   struct gsc_error *err);

#endif
