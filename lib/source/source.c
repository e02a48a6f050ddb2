/* SPDX-License-Identifier: MIT */
/* An open source: what its parts are, what they say, and what it says about itself. */
#include "source/part.h"

#include "db/view.h"
#include "device/device.h"
#include "source/callback.h"

#define NOTES_MAX 200

/* ---- helpers for readers ------------------------------------------------------------------ */

void source_note(struct gsc_source *source, const char *format, ...)
{
	char text[512], *copy, **slot;
	va_list args;

	if (source->notes.count >= NOTES_MAX)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	copy = strdup(source->notes.count == NOTES_MAX - 1 ? "more damage is not listed" : text);
	slot = copy ? vec_add(&source->notes) : NULL;
	if (slot)
		*slot = copy;
	else
		free(copy);
}

void part_set_platform(struct gsc_source *source, struct part *part, const char *name)
{
	struct gsc_platform p;
	int device;

	if (!source->db)
		return;
	if (gsc_platform_find(source->db, name, &p, &device, NULL) != GSC_OK) {
		source_note(source, "%s: unknown platform %.40s", part->blob.name, name);
		return;
	}
	part->platform = (int)p.index;
	if (device >= 0)
		part->pci_device = device;
}

void part_set_config(struct part *part, const uint8_t *config, size_t size)
{
	if (size < 16 || load_le(config, 2) != 0x8086)
		return;
	part->pci_device = (int)load_le(config + 2, 2);
	part->revision = config[8];
}

/* ---- closing ------------------------------------------------------------------------------ */

static void part_close(struct part *part)
{
	if (part->device)
		device_close(part->device);
	vec_free(&part->pieces);
	blob_close(&part->blob);
	for (size_t i = 0; i < part->owned.count; i++)
		part->owned.items[i].free(part->owned.items[i].data);
	vec_free(&part->owned);
	vec_free(&part->domains);
	vec_free(&part->kernel);
	vec_free(&part->listed);
	vec_free(&part->properties);
	free(part->name);
}

void source_drop_part(struct gsc_source *source, size_t i)
{
	part_close(&source->parts.items[i]);
	source->parts.count--;
	memmove(&source->parts.items[i], &source->parts.items[i + 1],
		(source->parts.count - i) * sizeof(struct part));
}

void gsc_source_close(struct gsc_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->lookups.count; i++)
		lookup_free(&source->lookups.items[i]);
	for (size_t i = 0; i < source->parts.count; i++)
		part_close(&source->parts.items[i]);
	for (size_t i = 0; i < source->notes.count; i++)
		free(source->notes.items[i]);
	vec_free(&source->lookups);
	vec_free(&source->parts);
	vec_free(&source->notes);
	vec_free(&source->listed);
	free(source->listed_names);
	gsc_view_free(source->view);
	free(source);
}

enum gsc_status source_view(struct gsc_source *source, const struct gsc_view **view,
			    struct gsc_error *err)
{
	enum gsc_status status = source->view ? GSC_OK :
		gsc_view_new(&source->view, source->db, (unsigned)source->platform,
			     source->revision, err);

	*view = source->view;
	return status;
}

/* ---- what a source tells ------------------------------------------------------------------ */

int gsc_source_platform(const struct gsc_source *source)
{
	return source->platform;
}

int gsc_source_told(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].platform >= 0 &&
		    source->parts.items[i].reader->form != GSC_SOURCE_LOG)
			return source->parts.items[i].platform;
	return -1;
}

int gsc_source_device(const struct gsc_source *source)
{
	return source->pci_device;
}

int gsc_source_revision(const struct gsc_source *source)
{
	return source->revision;
}

bool source_is_hardware(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (part->device || part->reader->form == GSC_SOURCE_BAR ||
		    (part->callbacks && callbacks_touch(part->callbacks)))
			return true;
	}
	return false;
}

/* The first; NULL if there is none. */
static struct device *live_device(const struct gsc_source *source, size_t *count)
{
	struct device *found = NULL;

	*count = 0;
	for (size_t i = 0; i < source->parts.count; i++) {
		struct device *device = source->parts.items[i].device;

		if (device && !(*count)++)
			found = device;
	}
	return found;
}

bool gsc_source_live(const struct gsc_source *source)
{
	return live_device(source, &(size_t){ 0 });
}

bool gsc_source_iommu(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (part->device ? device_iommu_translates(part->device) : part->iommu)
			return true;
	}
	return false;
}

bool source_redacted(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].redacted)
			return true;
	return false;
}

void source_files(const struct gsc_source *source, gsc_file_fn *each, void *context)
{
	char name[128], value[256];

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (part->device)
			device_files(part->device, each, context);
		for (size_t k = 0; k < part->properties.count; k++) {
			struct slice text = part->properties.items[k].value;

			if (slice_is(part->properties.items[k].key, SOURCE_FILE) &&
			    slice_copy(take_word(&text), name, sizeof(name)) &&
			    slice_copy(slice_trim(text), value, sizeof(value)))
				each(context, name, value);
		}
	}
}

void gsc_source_let_sleep(struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].device)
			device_let_sleep(source->parts.items[i].device);
}

void gsc_source_rest(struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++) {
		if (source->parts.items[i].device)
			device_rest(source->parts.items[i].device);
		if (source->parts.items[i].callbacks)
			callbacks_forget(source->parts.items[i].callbacks);
	}
}

enum gsc_status gsc_source_there(struct gsc_source *source, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < source->parts.count; i++)
		if (source->parts.items[i].device)
			status = device_there(source->parts.items[i].device, err);
	return status;
}

size_t gsc_source_count(const struct gsc_source *source)
{
	return source->parts.count;
}

const char *gsc_source_name(const struct gsc_source *source, size_t i)
{
	return i < source->parts.count ? source->parts.items[i].name : NULL;
}

const char *gsc_source_kind(const struct gsc_source *source, size_t i)
{
	return i < source->parts.count ? source->parts.items[i].reader->kind : NULL;
}

enum gsc_source_form gsc_source_form(const struct gsc_source *source, size_t i)
{
	return i < source->parts.count ? source->parts.items[i].reader->form : GSC_SOURCE_NONE;
}

bool gsc_source_has(const struct gsc_source *source, enum gsc_source_form form)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].reader->form == form)
			return true;
	return false;
}

bool source_has_hang(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].reader->hang && !source->parts.items[i].any_time)
			return true;
	return false;
}

size_t gsc_source_note_count(const struct gsc_source *source)
{
	return source->notes.count;
}

const char *gsc_source_note(const struct gsc_source *source, size_t i)
{
	return i < source->notes.count ? source->notes.items[i] : NULL;
}

/* ---- writing ------------------------------------------------------------------------------ */

bool source_writes(const struct gsc_source *source)
{
	struct device *device = live_device(source, &(size_t){ 0 });

	return device && device_facts(device).writes;
}

enum gsc_status source_store_open(const struct gsc_source *source,
				  enum gsc_space space, uint64_t address, unsigned size,
				  struct gsc_error *err)
{
	size_t count;
	struct device *device = live_device(source, &count);

	if (!device)
		return err_set(err, GSC_USAGE,
			       source->parts.count ? source->parts.items[0].name : "no source",
			       "a dump cannot be written, only a device can");
	if (count > 1)
		return err_set(err, GSC_USAGE, device_facts(device).bdf,
			       "the source has more than one device (%zu): name the one to write "
			       "to", count);
	return device_store_open(device, space, address, size, err);
}

void source_store(const struct gsc_source *source, enum gsc_space space,
		  uint64_t address, unsigned size, uint64_t value)
{
	device_store(live_device(source, &(size_t){ 0 }), space, address, size, value);
}

enum gsc_read source_load(const struct gsc_source *source, enum gsc_space space,
			  uint64_t address, unsigned size, uint64_t *value)
{
	return device_read(live_device(source, &(size_t){ 0 }), space, address, size, value);
}
