/* SPDX-License-Identifier: MIT */
/*
 * A FILE that is a source of any kind, or else bytes that are no source. Standard input is kept in
 * memory, so that it can be read more than once.
 */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD 4096

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
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
		.context = common,
	};
	const char *spec;
	enum gsc_status status;
	char text[4200];

	snprintf(text, sizeof(text), "mem:%s@0", path);
	spec = text;
	status = gsc_source_open(&file->holder, &spec, 1, &options, err);
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
		return memory_error(err);
	specs[0] = path;
	for (size_t i = 0; i < common->from.count; i++)
		specs[i + 1] = common->from.items[i];
	status = source_open(common, specs, common->from.count + 1, false, &common->source, err);
	free(specs);
	return status;
}

/* Standard input again. */
static enum gsc_status rewind_input(const char *path, struct gsc_error *err)
{
	*err = (struct gsc_error){ 0 };
	if (!strcmp(path, "-") && lseek(STDIN_FILENO, 0, SEEK_SET))
		return file_error(err, input_name(path), errno);
	return GSC_OK;
}

enum gsc_status held_open(struct common *common, const char *path, held_is_fn *is_own,
			  bool as_source, struct held_file *file, struct gsc_error *err)
{
	char kept[64] = "";
	enum gsc_status status = file_reopenable(path, kept, sizeof(kept), err);
	const char *name = *kept ? kept : path;

	*file = (struct held_file){ .holder = NULL };
	if (!status && (is_own || !as_source))
		status = hold(common, name, file, err);
	if (status || !as_source || (is_own && is_own(file->data, file->size)))
		return status;
	gsc_source_close(file->holder);
	*file = (struct held_file){ .holder = NULL };
	status = rewind_input(path, err);
	if (status)
		return status;
	status = open_as_source(common, name, err);
	if (!status) {
		hints_set(common, path, false);
		return refuse_log(common, err);
	}
	if (status != GSC_FAILED || !strstr(err->why, "not recognised"))
		return status;
	status = rewind_input(path, err);
	return status ? status : hold(common, name, file, err);
}
