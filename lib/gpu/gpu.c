/* SPDX-License-Identifier: MIT */
/* Makes a GPU of its parts, and provides the three steps to the value of a field. */
#include "gpu/gpu.h"

#include "db/resolve.h"
#include "formats/aub.h"
#include "open/open.h"
#include "util/number.h"
#include "util/text.h"

#include <stdio.h>

/* ---- making one ---------------------------------------------------------------------------- */

struct gsc_gpu gpu_of(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_gpu gpu = { .view = view, .source = source };

	gsc_platform_at(view->db, view->platform, &gpu.platform);
	return gpu;
}

static enum gsc_status new_gpu(struct gsc_gpu **out, struct gsc_source *source,
			       const struct gsc_view *view, struct gsc_error *err)
{
	*out = malloc(sizeof(**out));
	if (!*out)
		return err_memory(err);
	**out = gpu_of(source, view);
	return GSC_OK;
}

bool gsc_view_at(const struct gsc_view *view, uint64_t offset, struct gsc_reg *reg)
{
	size_t i = gsc_view_seek(view, GSC_MMIO, offset);

	if (i == gsc_view_count(view))
		return false;
	gsc_view_reg(view, i, reg);
	return reg->space == GSC_MMIO && reg->offset == offset;
}

enum gsc_status gsc_platform_unknown(const struct gsc_db *db, int device, struct gsc_error *err)
{
	/* Before the G33, and not supported. Origin: Linux include/drm/intel/pciids.h. */
	static const struct {
		int device;
		const char *name;
	} older[] = {
		{ 0x3577, "830M" }, { 0x2562, "845G" }, { 0x3582, "855GM" }, { 0x358e, "854" },
		{ 0x2572, "865G" }, { 0x2582, "915G" }, { 0x258a, "E7221" }, { 0x2592, "915GM" },
		{ 0x2772, "945G" }, { 0x27a2, "945GM" }, { 0x27ae, "945GME" },
	};
	struct gsc_platform near;
	char hint[64] = "";
	uint16_t id;

	if (device < 0)
		return err_set(err, GSC_USAGE, "platform", "unknown: give -p");
	for (size_t i = 0; i < ARRAY_SIZE(older); i++)
		if (older[i].device == device)
			return err_set(err, GSC_USAGE, "platform",
				       "PCI id 0x%04x is an Intel %s, older than the oldest "
				       "supported (G33): give -p to read it as another",
				       (unsigned)device, older[i].name);
	if (db && platform_nearest(db, (uint16_t)device, &near, &id))
		snprintf(hint, sizeof(hint), "; the nearest id, 0x%04x, is %s", id, near.name);
	return err_set(err, GSC_USAGE, "platform",
		       "unknown PCI id 0x%04x: give -p%s", (unsigned)device, hint);
}

enum gsc_status gsc_gpu_new(struct gsc_gpu **out, struct gsc_source *source,
			    const struct gsc_view *view, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	*out = NULL;
	if (!view && !source)
		return err_set(err, GSC_USAGE, "GPU", "neither a source nor a view");
	if (!view && source->platform < 0) {
		status = gsc_platform_unknown(source->db, source->pci_device, err);
		/* What says it in a memory dump may have been cut off. */
		if (err && gsc_source_has(source, GSC_SOURCE_MEMORY) &&
		    gsc_source_note_count(source))
			string_add(err->why, "; %.200s", gsc_source_note(source, 0));
		return status;
	}
	if (!view)
		status = source_view(source, &view, err);
	return status ? status : new_gpu(out, source, view, err);
}

enum gsc_status gsc_gpu_definitions(struct gsc_gpu **out, const struct gsc_db *db,
				    unsigned platform, int revision, struct gsc_error *err)
{
	struct gsc_view *view;
	enum gsc_status status = gsc_view_new(&view, db, platform, revision, err);

	*out = NULL;
	if (!status)
		status = new_gpu(out, NULL, view, err);
	if (status)
		gsc_view_free(view);
	else
		(*out)->own_view = view;
	return status;
}

enum gsc_status gsc_gpu_open(struct gsc_gpu **out, const char *const *specs, size_t count,
			     const struct gsc_source_options *options, struct gsc_error *err)
{
	struct gsc_source_options own = options ? *options
					        : (struct gsc_source_options){ .db = NULL };
	struct gsc_source *source = NULL;
	struct gsc_db *db = NULL;
	enum gsc_status status = own.db ? GSC_OK : gsc_db_new(&db, err);

	*out = NULL;
	if (db)
		own.db = db;
	if (!status)
		status = gsc_source_open(&source, specs, count, &own, err);
	if (!status)
		status = gsc_gpu_new(out, source, NULL, err);
	if (status) {
		gsc_source_close(source);
		gsc_db_free(db);
		return status;
	}
	(*out)->own_source = source;
	(*out)->own_db = db;
	return GSC_OK;
}

enum gsc_status gsc_gpu_at(struct gsc_gpu **moment, const struct gsc_gpu *gpu, uint64_t number,
			   struct gsc_submission *submission, struct gsc_error *err)
{
	struct gsc_source *source;
	enum gsc_status status;

	*moment = NULL;
	if (!gpu->source)
		return err_set(err, GSC_USAGE, "submission", "there is no source");
	status = aub_source_of(gpu->source, gpu->view, number, &source, submission, err);
	if (!status)
		status = new_gpu(moment, source, gpu->view, err);
	if (status)
		gsc_source_close(source);
	else
		(*moment)->own_source = source;
	return status;
}

void gsc_gpu_close(struct gsc_gpu *gpu)
{
	if (!gpu)
		return;
	gsc_source_close(gpu->own_source);
	gsc_view_free(gpu->own_view);
	gsc_db_free(gpu->own_db);
	free(gpu);
}

struct gsc_source *gsc_gpu_source(const struct gsc_gpu *gpu)
{
	return gpu->source;
}

const struct gsc_view *gsc_gpu_view(const struct gsc_gpu *gpu)
{
	return gpu->view;
}

const struct gsc_platform *gsc_gpu_platform(const struct gsc_gpu *gpu)
{
	return &gpu->platform;
}

/* ---- find, read, take a field --------------------------------------------------------------- */

bool gsc_gpu_find(const struct gsc_gpu *gpu, const char *name, struct gsc_reg *reg)
{
	struct reg_name parts;

	return !reg_name_parse(&parts, name) && !parts.group && !*parts.field &&
	       gpu_find(gpu, *parts.engine ? parts.engine : NULL, parts.name, parts.index, reg) &&
	       (!*parts.engine || reg->engine);
}

enum gsc_read gsc_gpu_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg, uint64_t *value)
{
	if (!gpu->source)
		return GSC_READ_ABSENT;
	if (source_is_hardware(gpu->source) && hazard_of_read(gpu->view, reg))
		return GSC_READ_SKIPPED;
	return gsc_read(gpu->source, reg->space, reg->offset, reg->bits / 8, value);
}

enum gsc_read gpu_read_named(const struct gsc_gpu *gpu, const char *engine, const char *name,
			     int index, struct gsc_reg *reg, uint64_t *value)
{
	struct gsc_reg own;

	reg = reg ? reg : &own;
	return gpu_find(gpu, engine, name, index, reg) ? gsc_gpu_read(gpu, reg, value)
						       : GSC_READ_ABSENT;
}

bool gsc_gpu_field(const struct gsc_gpu *gpu, const struct gsc_reg *reg, uint64_t value,
		   const char *name, uint64_t *out)
{
	return reg_field(gpu->view, reg, value, name, out);
}
