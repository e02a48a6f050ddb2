/* SPDX-License-Identifier: MIT */
/* What sources say and hold besides registers and memory: identity, files, buffers, dumps. */
#include "api/api.h"

#include "db/words.h"
#include "device/device.h"
#include "open/open.h"
#include "save/save.h"

#include <string.h>
#include <time.h>

/* ---- words ----------------------------------------------------------------------------------- */

_Static_assert((int)GPUSCOPE_SPACE_MMIO == (int)GSC_MMIO &&
	       (int)GPUSCOPE_SPACE_CONFIG == (int)GSC_CONFIG &&
	       (int)GPUSCOPE_SPACE_IO == (int)GSC_IO &&
	       (int)GPUSCOPE_SPACE_VGA_SR == (int)GSC_VGA_SR &&
	       (int)GPUSCOPE_SPACE_VGA_GR == (int)GSC_VGA_GR &&
	       (int)GPUSCOPE_SPACE_VGA_AR == (int)GSC_VGA_AR &&
	       (int)GPUSCOPE_SPACE_VGA_CR == (int)GSC_VGA_CR &&
	       (int)GPUSCOPE_SPACE_SIDEBAND == (int)GSC_SIDEBAND &&
	       (int)GPUSCOPE_SPACE_GGTT == (int)GSC_GGTT &&
	       (int)GPUSCOPE_SPACE_PHYS == (int)GSC_PHYS &&
	       (int)GPUSCOPE_SPACE_LMEM == (int)GSC_LMEM &&
	       (int)GPUSCOPE_SPACE_GTTMEM == (int)GSC_GTTMEM &&
	       (int)GPUSCOPE_SPACE_PPGTTMEM == (int)GSC_PPGTTMEM &&
	       (int)GPUSCOPE_SPACE_STOLEN == (int)GSC_STOLEN &&
	       (int)GPUSCOPE_SPACE_STOLEN + 1 == GSC_SPACES, "enum gpuscope_space");

_Static_assert((int)GPUSCOPE_STATE_OK == (int)GSC_READ_OK &&
	       (int)GPUSCOPE_STATE_ABSENT == (int)GSC_READ_ABSENT &&
	       (int)GPUSCOPE_STATE_SKIPPED == (int)GSC_READ_SKIPPED &&
	       (int)GPUSCOPE_STATE_ASLEEP == (int)GSC_READ_ASLEEP &&
	       (int)GPUSCOPE_STATE_DENIED == (int)GSC_READ_DENIED &&
	       (int)GPUSCOPE_STATE_ALL_ONES == (int)GSC_READ_ALL_ONES &&
	       (int)GPUSCOPE_STATE_EXCLUDED == (int)GSC_READ_EXCLUDED &&
	       (int)GPUSCOPE_STATE_EXCLUDED + 1 == GSC_READS, "enum gpuscope_state");

const char *gpuscope_space_word(enum gpuscope_space space)
{
	return (unsigned)space <= GPUSCOPE_SPACE_STOLEN
		       ? gsc_space_name((enum gsc_space)space) : NULL;
}

const char *gpuscope_state_word(enum gpuscope_state state)
{
	return (unsigned)state <= GPUSCOPE_STATE_EXCLUDED
		       ? gsc_read_word((enum gsc_read)state) : NULL;
}

static const char *buffer_word(enum gsc_buffer_kind kind)
{
	static const char *const words[] = {
		[GSC_BUFFER_RING] = "ring",
		[GSC_BUFFER_BATCH] = "batch",
		[GSC_BUFFER_CONTEXT] = "context",
		[GSC_BUFFER_HWSP] = "status page",
		[GSC_BUFFER_WA_BATCH] = "workaround batch",
		[GSC_BUFFER_WA_CONTEXT] = "workaround context",
		[GSC_BUFFER_USER] = "user",
		[GSC_BUFFER_OTHER] = "other",
	};

	return words[kind];
}

/* ---- what sources say ------------------------------------------------------------------------ */

static const struct gpuscope_part *part_new(struct keep *keep, const struct gsc_source *source,
					    size_t i)
{
	struct gpuscope_part *part = keep_new(keep, struct gpuscope_part);
	pointer_vec properties = { 0 };
	struct gsc_property from;

	for (size_t p = 0; gsc_source_property(source, i, p, &from); p++) {
		struct gpuscope_property *property = keep_new(keep, struct gpuscope_property);

		if (property) {
			property->key = keep_text(keep, from.key);
			property->value = keep_text(keep, from.value);
		}
		pointers_add(keep, &properties, property);
	}
	if (part) {
		part->name = keep_text(keep, gsc_source_name(source, i));
		part->kind = gsc_source_kind(source, i);
		part->properties = pointers_end(keep, &properties);
	}
	return part;
}

static struct gpuscope_info *info_new(struct gpuscope_gpu *gpu)
{
	struct gpuscope_info *info = keep_new(&gpu->keep, struct gpuscope_info);
	struct gsc_source *source = gpu->source;
	pointer_vec parts = { 0 }, notes = { 0 };
	const struct gsc_error *refusal = source ? gsc_source_refusal(source) : NULL;
	struct keep *keep = &gpu->keep;
	int device = source ? gsc_source_device(source) : -1;
	int revision = source ? gsc_source_revision(source) : -1;
	const char *note;

	for (size_t i = 0; source && i < gsc_source_count(source); i++)
		pointers_add(keep, &parts, part_new(keep, source, i));
	for (size_t i = 0; source && (note = gsc_source_note(source, i)); i++)
		pointers_add(keep, &notes, keep_text(keep, note));
	gpu->info_notes = notes.count;
	if (info) {
		info->platform = gpu->unnamed ? NULL : known_platform(gpu->db,
								      gpu->gpu->platform.index);
		info->device = keep_number(keep, device >= 0, (uint64_t)device);
		info->revision = keep_number(keep, revision >= 0, (uint64_t)revision);
		info->live = source && gsc_source_live(source);
		info->iommu = source && gsc_source_iommu(source);
		info->refusal = refusal ? keep_text(keep, refusal->why) : NULL;
		info->parts = pointers_end(keep, &parts);
		info->notes = pointers_end(keep, &notes);
	}
	return info && (info->platform || gpu->unnamed) ? info : NULL;
}

const struct gpuscope_info *gpuscope_gpu_info(struct gpuscope_gpu *gpu)
{
	size_t notes = gpu->source ? gsc_source_note_count(gpu->source) : 0;

	/* Reading may have found more damage. */
	if (!gpu->info || gpu->info_notes != notes) {
		gpu->keep.failed = false;
		gpu->info = info_new(gpu);
		if (gpu->keep.failed)
			gpu->info = NULL;
	}
	return gpu->info;
}

/* ---- devices --------------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_devices(struct gpuscope_db *db, struct gpuscope_list **out)
{
	struct gpuscope_error *error = db_hold(db, &db);
	struct gsc_device *devices;
	struct made_list *list;
	struct gsc_platform p;
	enum gsc_status status;
	struct gsc_error err;
	struct keep *keep;
	size_t count;

	*out = NULL;
	if (error)
		return error;
	status = gsc_devices(db->db, &devices, &count, &err);
	list = made_list_new(NULL, db);
	keep = list ? made_list_keep(list) : NULL;
	for (size_t i = 0; list && !status && i < count; i++) {
		struct gpuscope_device *device = keep_new(keep, struct gpuscope_device);
		const struct gsc_device *from = &devices[i];

		if (device) {
			device->name = keep_text(keep, from->bdf);
			device->device = from->device;
			device->revision = from->revision;
			device->platform = from->platform >= 0 &&
				gsc_platform_at(db->db, (unsigned)from->platform, &p)
				? p.name : NULL;
			device->driver = keep_text(keep, from->driver);
			device->nodes = keep_text(keep, from->nodes);
			device->power = keep_text(keep, from->power);
		}
		made_list_add(list, device);
	}
	free(devices);
	gpuscope_db_free(db);
	return made_list_done(list, status, &err, out);
}

/* ---- lists of what the parts have ------------------------------------------------------------ */

/* A position: item number `i` of part number `part`. */
struct parts_list {
	struct gpuscope_list list;
	size_t part, i;
	struct gsc_member member;	/* of files: the last one */
};

static struct gpuscope_error *parts_list_new(struct gpuscope_gpu *gpu,
					     const void *(*next)(struct gpuscope_list *list),
					     struct gpuscope_list **out)
{
	*out = list_new(sizeof(struct parts_list), next, NULL, gpu, NULL);
	return *out ? NULL : error_memory();
}

static const void *file_next(struct gpuscope_list *list)
{
	struct parts_list *at = (struct parts_list *)list;
	const struct gsc_source *source = list->gpu->source;
	struct gpuscope_file *file;

	while (source && at->part < gsc_source_count(source)) {
		if (!gsc_capture_member(source, at->part, &at->member)) {
			at->part++;
			at->member = (struct gsc_member){ .data = NULL };
			continue;
		}
		file = keep_new(&list->keep, struct gpuscope_file);
		if (!file)
			return NULL;
		file->name = keep_text(&list->keep, at->member.name);
		file->data = at->member.data;
		file->length = (size_t)at->member.held;
		file->full_length = at->member.size;
		return file;
	}
	return NULL;
}

struct gpuscope_error *gpuscope_files(struct gpuscope_gpu *gpu, struct gpuscope_list **list)
{
	return parts_list_new(gpu, file_next, list);
}

static const void *buffer_next(struct gpuscope_list *list)
{
	struct parts_list *at = (struct parts_list *)list;
	const struct gsc_source *source = list->gpu->source;
	struct gsc_buffer_origin from;
	struct gpuscope_buffer *buffer;

	while (source && at->part < gsc_source_count(source)) {
		if (!gsc_source_buffer(source, at->part, at->i++, &from)) {
			at->part++;
			at->i = 0;
			continue;
		}
		buffer = keep_new(&list->keep, struct gpuscope_buffer);
		if (!buffer)
			return NULL;
		buffer->kind = buffer_word(from.kind);
		buffer->name = keep_text(&list->keep, from.name);
		buffer->engine = keep_text(&list->keep, from.engine);
		buffer->space = (enum gpuscope_space)from.space;
		buffer->address = from.address;
		buffer->length = from.length;
		buffer->data = from.data;
		buffer->hung = from.flags & GSC_BUFFER_HUNG;
		return buffer;
	}
	return NULL;
}

struct gpuscope_error *gpuscope_buffers(struct gpuscope_gpu *gpu, struct gpuscope_list **list)
{
	return parts_list_new(gpu, buffer_next, list);
}

static const void *stored_next(struct gpuscope_list *list)
{
	struct parts_list *at = (struct parts_list *)list;
	struct gpuscope_stored *stored;
	struct gsc_stored from;

	if (!list->gpu->source || !gsc_stored(list->gpu->source, at->i++, &from))
		return NULL;
	stored = keep_new(&list->keep, struct gpuscope_stored);
	if (!stored)
		return NULL;
	stored->path = keep_text(&list->keep, from.path);
	stored->kind = from.kind;
	return stored;
}

struct gpuscope_error *gpuscope_stored(struct gpuscope_gpu *gpu, struct gpuscope_list **list)
{
	return parts_list_new(gpu, stored_next, list);
}

/* ---- saving ---------------------------------------------------------------------------------- */

struct gpuscope_error *gpuscope_save(struct gpuscope_gpu *gpu, int fd,
				     const struct gpuscope_save_options *given)
{
	struct gsc_save_options inner = { .created = (uint64_t)time(NULL) };
	struct gpuscope_save_options options;
	struct gpuscope_error *error = options_copy(&options, sizeof(options), given, "options");
	struct gsc_error err;

	if (error)
		return error;
	if (!gpu->source)
		return error_make(GPUSCOPE_STATUS_USAGE, "capture", "there is no source to save");
	inner.no_ggtt = options.no_ggtt;
	inner.tables = options.tables;
	inner.unsafe = options.unsafe;
	inner.redact = options.redact;
	inner.packing = options.uncompressed ? GSC_PACK_NONE : GSC_PACK_BEST;
	return error_of(gsc_save(gpu->gpu, fd, &inner, &err), &err);
}
