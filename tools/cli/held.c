/* SPDX-License-Identifier: MIT */
/*
 * A FILE that is a source of any kind, or else bytes that are no source.
 */
#include "cli.h"
#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD 4096

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

const char **held_names(const struct common *common, bool file, size_t *count)
{
	const char **names = source_names(common->source, count);
	const char **more = file && names ? reallocarray(names, *count + 1, sizeof(*names)) : NULL;

	if (!more)
		return names;
	more[(*count)++] = common->operands[0];
	return more;
}

bool is_text(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size && i < HEAD; i++)
		if ((data[i] < 0x20 && !strchr("\t\n\r", data[i])) || data[i] >= 0x7f || !data[i])
			return false;
	return size;
}

/* A file in no known format is held as if it were memory; compressed ones are unpacked. */
static enum gsc_status hold(struct common *common, const char *path, struct held_file *file,
			    struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = common->db,
		.platform = common->platform_name ? common->platform_name : "brw",
		.registers = GSC_REGISTERS_NONE,
		.temporary = outside_temporary,
		.open = file_open,
		.context = common,
	};
	const char *spec;
	enum gsc_status status;
	char text[4200];

	string_set(text, "mem:%s@0", path);
	spec = text;
	status = file_opened(common, gsc_source_open(&file->holder, &spec, 1, &options, err), err);
	if (status)
		return status;
	file->data = gsc_span(file->holder, GSC_PHYS, 0, &file->size);
	if (!file->data)
		file->size = 0;
	return GSC_OK;
}

static enum gsc_status open_as_source(struct common *common, const char *path,
				      struct gsc_error *err)
{
	const char **specs = calloc(common->from.count + 1, sizeof(*specs));
	enum gsc_status status;

	if (!specs)
		return err_memory(err);
	specs[0] = path;
	for (size_t i = 0; i < common->from.count; i++)
		specs[i + 1] = common->from.items[i];
	status = source_open(common, specs, common->from.count + 1, false, &common->source, err);
	free(specs);
	return status;
}

enum gsc_status held_open(struct common *common, const char *path, held_is_fn *is_own,
			  bool as_source, struct held_file *file, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	*file = (struct held_file){ .holder = NULL };
	common->rereads = as_source;
	if (is_own || !as_source)
		status = hold(common, path, file, err);
	if (status || !as_source || (is_own && is_own(file->data, file->size)))
		return status;
	gsc_source_close(file->holder);
	*file = (struct held_file){ .holder = NULL };
	status = open_as_source(common, path, err);
	if (!status) {
		hints_set(common, path, false);
		return refuse_log(common, err);
	}
	if (status != GSC_FAILED || !strstr(err->why, "not recognised"))
		return status;
	*err = (struct gsc_error){ 0 };
	return hold(common, path, file, err);
}
