/* SPDX-License-Identifier: MIT */
/*
 * Dumps in captures, and the parts of pasted texts, opened as separate parts, and those that a
 * kernel has kept; and the contents of a source, for those who want to see them instead of reading
 * from it: pieces, members, properties, buffers.
 */
#include "open/opening.h"

#include "device/device.h"
#include "formats/capture.h"
#include "formats/core.h"
#include "vmcore/vmcore.h"

#include <stdio.h>
#include <time.h>

bool gsc_source_piece(const struct gsc_source *source, size_t part, size_t i,
		      struct gsc_piece *piece)
{
	const struct piece *from;

	if (part >= source->parts.count || i >= source->parts.items[part].pieces.count)
		return false;
	from = &source->parts.items[part].pieces.items[i];
	*piece = (struct gsc_piece){ from->space, from->status, from->start, from->length };
	return true;
}

static const struct blob *capture_blob(const struct gsc_source *source, size_t part)
{
	const struct part *p = source->parts.items + part;

	return part < source->parts.count && p->reader == &reader_capture ? &p->blob : NULL;
}

static const struct dump *dump_of(const struct gsc_source *source, size_t part)
{
	return part < source->parts.count ? source->parts.items[part].dump : NULL;
}

bool gsc_capture_member(const struct gsc_source *source, size_t part, struct gsc_member *member)
{
	const struct blob *blob = capture_blob(source, part);
	const struct dump *dump = dump_of(source, part);
	struct tar_reader tar = { .offset = member->next };
	size_t next = member->next;
	struct tar_member found;

	_Static_assert(sizeof(member->name) >= sizeof(found.name), "a name of the archive fits");
	if (dump) {
		if (next >= dump->members.count)
			return false;
		*member = dump->members.items[next];
		member->next = next + 1;
		return true;
	}
	/* What a log is as a source, and a file in a capture. */
	if (gsc_source_form(source, part) == GSC_SOURCE_LOG) {
		blob = &source->parts.items[part].blob;
		*member = (struct gsc_member){ GSC_MEMBER_LOG, blob->data, blob->size, blob->size,
					       1 };
		return !next;
	}
	if (!blob || member->next > blob->size)
		return false;
	tar.data = blob->data;
	tar.size = blob->size;
	if (tar_next(&tar, &found) != TAR_MEMBER)
		return false;
	memcpy(member->name, found.name, sizeof(found.name));
	member->data = found.data;
	member->size = found.size;
	member->held = found.held;
	member->next = tar.offset;
	return true;
}

/* ---- files in captures ---------------------------------------------------------------------- */

#define DUMPS_MAX 16

/* A file there; folders have names that end in a slash. */
static bool lies_in(const char *name, const char *folder)
{
	return !strncmp(name, folder, strlen(folder)) && name[strlen(name) - 1] != '/';
}

/* What no reader accepts is damage to the capture, and no more. */
static enum gsc_status open_dump(struct gsc_source *source, size_t capture,
				 const struct gsc_member *member, struct gsc_error *err)
{
	struct gsc_error own = { 0 };
	char name[sizeof(member->name) + 256];
	int told = source->platform, platform = source->parts.items[capture].platform;
	struct gsc_property property;
	enum gsc_status status;
	struct part *part;

	snprintf(name, sizeof(name), "%.250s: %s", source->parts.items[capture].name, member->name);
	if (told < 0)
		source->platform = platform;
	status = source_add_bytes(source, name, member->data, (size_t)member->held, &own);
	source->platform = told;
	if (status && err_is_memory(&own))
		return err_memory(err);
	part = &source->parts.items[source->parts.count - 1];
	part->owner = source->parts.items[capture].name;
	for (size_t i = 0; gsc_source_property(source, capture, i, &property); i++)
		part->first |= !strcmp(property.key, CAPTURE_FIRST) &&
			       !strcmp(property.value, member->name);
	/* It was read as what the capture calls it, whatever it calls itself. */
	if (platform >= 0 && part->platform != platform) {
		if (part->platform >= 0)
			part->pci_device = part->revision = -1;
		part->platform = platform;
	}
	if (status)
		source_note(source, "%s: %s", own.what, own.why);
	return GSC_OK;
}

/* Each with its capture, because earlier parts win. */
static enum gsc_status put_in_order(struct gsc_source *source, size_t captures,
				    struct gsc_error *err)
{
	struct part *from = source->parts.items;
	struct part *parts = calloc(source->parts.count, sizeof(*parts));
	size_t count = 0;

	if (!parts)
		return err_memory(err);
	for (size_t owner = 0; owner < captures; owner++) {
		for (size_t i = captures; i < source->parts.count; i++)
			if (from[i].owner == from[owner].name && from[i].first)
				parts[count++] = from[i];
		parts[count++] = from[owner];
		for (size_t i = captures; i < source->parts.count; i++)
			if (from[i].owner == from[owner].name && !from[i].first)
				parts[count++] = from[i];
	}
	memcpy(from, parts, count * sizeof(*parts));
	free(parts);
	return GSC_OK;
}

static bool saved_log(const struct gsc_source *source, size_t capture, struct gsc_member *member)
{
	member->next = 0;
	while (gsc_capture_member(source, capture, member))
		if (!strcmp(member->name, CAPTURE_LOG))
			return true;
	return false;
}

/* That of a capture is not in its memory, but a member. */
static enum gsc_status open_log(struct gsc_source *source, size_t owner, struct kernel *kernel,
				struct gsc_error *err)
{
	char name[300], *text = NULL;
	enum gsc_status status = GSC_OK;
	struct gsc_member member;
	size_t size;

	if (!capture_blob(source, owner))
		status = kernel_log(kernel, &text, &size, err);
	else if (saved_log(source, owner, &member)) {
		size = (size_t)member.held;
		text = malloc(size + 1);
		if (!text)
			return err_memory(err);
		memcpy(text, member.data, size);
	}

	if (status || !text)
		return status;
	snprintf(name, sizeof(name), "%.250s: kernel log", source->parts.items[owner].name);
	return source_add_text(source, owner, name, text, size, &reader_kernel_log, err);
}

/* The dumps that a driver had stored are members of the capture, too. */
static void drop_stored(struct dump *dump)
{
	size_t kept = 0;

	for (size_t i = 0; i < dump->members.count; i++)
		if (!lies_in(dump->members.items[i].name, CAPTURE_STORED))
			dump->members.items[kept++] = dump->members.items[i];
	dump->members.count = kept;
}

/* What its drivers know about each of its GPUs. */
static enum gsc_status open_gpus(struct gsc_source *source, size_t owner, struct kernel *kernel,
				 struct gsc_error *err)
{
	const char *lacks = kernel_lacks(kernel);
	size_t before = source->parts.count;
	struct vmcore_search *search;
	char gpu[64], name[330];
	enum gsc_status status;

	if (lacks)
		return part_say(&source->parts.items[owner], "", "memory", "what the driver knows "
				"is not read: %s", lacks) ? GSC_OK : err_memory(err);
	status = vmcore_begin(&search, kernel, err);
	while (!status && vmcore_next(search, gpu, sizeof(gpu))) {
		snprintf(name, sizeof(name), "%.250s: %s", source->parts.items[owner].name, gpu);
		status = source_add_filled(source, owner, name, &reader_vmcore_gpu, vmcore_fill,
					   search, err);
		if (!status && capture_blob(source, owner))
			drop_stored(source->parts.items[source->parts.count - 1].dump);
	}
	vmcore_end(search);
	if (!status && source->parts.count > before &&
	    !kernel_used(kernel, &source->parts.items[owner].kernel))
		return err_memory(err);
	return !status && kernel_starved(kernel) ? err_memory(err) : status;
}

/* What is in the memory of a machine, or in what a capture has kept of it. */
static enum gsc_status open_kernel(struct gsc_source *source, size_t owner, struct gsc_error *err)
{
	struct kernel *kernel;
	enum gsc_status status = kernel_open(&kernel, source, owner, err);
	struct part *part = &source->parts.items[owner];
	bool repeated = false;

	if (status)
		return status;
	/* With one it is that of an earlier part, or of no kernel that we can read. */
	if (!kernel)
		return part->vmcoreinfo || part->reader->form != GSC_SOURCE_MEMORY ||
		       part_say(part, "", "memory", "what the driver knows is not read: no "
				"VMCOREINFO was found%s", part->reader == &reader_kdump ?
				" among the first 256 MB" : "")
		       ? GSC_OK : err_memory(err);
	/* That of an earlier part, such as a capture of this memory, where no note said so. */
	for (size_t i = 0; i < owner; i++)
		repeated |= source->parts.items[i].vmcoreinfo &&
			    !strcmp(source->parts.items[i].vmcoreinfo, kernel_info(kernel));
	status = core_add_vmcoreinfo(part, kernel_info(kernel), err);
	if (!status && !repeated)
		status = open_log(source, owner, kernel, err);
	if (!status && !repeated)
		status = open_gpus(source, owner, kernel, err);
	kernel_close(kernel);
	return status;
}

enum gsc_status source_open_inside(struct gsc_source *source, struct gsc_error *err)
{
	size_t captures = source->parts.count;
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; i < captures && !status; i++) {
		struct gsc_member member = { .next = 0 };
		const struct part *part;

		while (!status && source->parts.count - captures < DUMPS_MAX &&
		       capture_blob(source, i) && gsc_capture_member(source, i, &member))
			if (lies_in(member.name, CAPTURE_DUMPS))
				status = open_dump(source, i, &member, err);
		if (status)
			break;
		/* A text has a log besides what its reader has taken, or is nothing else. */
		part = &source->parts.items[i];
		status = part->blob.data && (part->reader == &reader_pasted ||
					     (part->reader->holds_log && !part->no_log))
			 ? pasted_open(source, i, err) : open_kernel(source, i, err);
	}
	return status || source->parts.count == captures ? status
							 : put_in_order(source, captures, err);
}

static bool stored_member(const struct gsc_source *source, size_t i, size_t *part,
			  struct gsc_member *member)
{
	for (*part = 0; *part < source->parts.count; ++*part) {
		*member = (struct gsc_member){ .next = 0 };
		while (gsc_capture_member(source, *part, member))
			if (lies_in(member->name, CAPTURE_STORED) && !i--)
				return true;
	}
	return false;
}

static struct device *device_of(const struct gsc_source *source)
{
	for (size_t part = 0; part < source->parts.count; part++)
		if (source->parts.items[part].device)
			return source->parts.items[part].device;
	return NULL;
}

const struct gsc_error *gsc_source_refusal(const struct gsc_source *source)
{
	struct device *device = device_of(source);

	return device ? device_facts(device).refusal : NULL;
}

const struct gsc_error *gsc_source_left_awake(const struct gsc_source *source)
{
	struct device *device = device_of(source);

	return device ? device_facts(device).left_awake : NULL;
}

bool gsc_stored(const struct gsc_source *source, size_t i, struct gsc_stored *stored)
{
	struct device *device = device_of(source);
	const struct reader *reader;
	struct gsc_property property;
	struct gsc_member member;
	struct tm tm = { 0 };
	const char *end = NULL;
	size_t part;

	*stored = (struct gsc_stored){ .saved = -1 };
	if (device)
		return device_stored(device, i, stored);
	if (!stored_member(source, i, &part, &member))
		return false;
	snprintf(stored->path, sizeof(stored->path), "%.*s", (int)sizeof(stored->path) - 1,
		 member.name);
	reader = source_reader(member.data, (size_t)member.held);
	stored->form = reader ? reader->form : GSC_SOURCE_NONE;
	stored->kind = reader ? reader->kind : "unknown";
	/* When the capture was made, as it says itself: "2024-05-01T12:00:00Z". */
	for (size_t n = 0; !end && gsc_source_property(source, part, n, &property); n++)
		if (!strcmp(property.key, "created"))
			end = strptime(property.value, "%Y-%m-%dT%H:%M:%SZ", &tm) ?: "?";
	if (end && !*end)
		stored->saved = (int64_t)timegm(&tm);
	return true;
}

enum gsc_status gsc_stored_open(struct gsc_source **out, const struct gsc_source *source, size_t i,
				const struct gsc_source_options *options, struct gsc_error *err)
{
	struct gsc_stored stored;
	struct gsc_member member;
	const char *spec;
	size_t part;

	*out = NULL;
	if (!gsc_stored(source, i, &stored))
		return err_set(err, GSC_UNKNOWN, "stored dumps", "no dump of that number");
	spec = stored.path;
	if (device_of(source))
		return gsc_source_open(out, &spec, 1, options, err);
	if (!stored_member(source, i, &part, &member))
		return err_set(err, GSC_UNKNOWN, stored.path, "has gone");
	return source_open_bytes(out, stored.path, member.data, (size_t)member.held, options, err);
}

bool gsc_guc_file(const struct gsc_source *source, size_t i, char *path, size_t size)
{
	const struct device *device = device_of(source);

	return device && device_guc_file(device, i, path, size);
}

/* ---- what they say -------------------------------------------------------------------------- */

size_t gsc_source_unplaced(const struct gsc_source *source)
{
	size_t count = 0;

	for (size_t i = 0; i < source->parts.count; i++)
		if (dump_of(source, i))
			count += dump_of(source, i)->unplaced;
	return count;
}

bool gsc_source_buffer(const struct gsc_source *source, size_t part, size_t i,
		       struct gsc_buffer_origin *out)
{
	const struct dump *dump = dump_of(source, part);
	const struct dump_engine *engine;
	const struct dump_buffer *from;

	if (!dump || i >= dump->buffers.count)
		return false;
	from = &dump->buffers.items[i];
	*out = (struct gsc_buffer_origin){
		.kind = from->kind, .space = from->space, .address = from->address,
		.length = from->length, .data = from->data, .flags = from->flags,
	};
	memcpy(out->name, from->name, sizeof(out->name));
	if (!from->engine)
		return true;
	engine = &dump->engines.items[from->engine - 1];
	memcpy(out->engine, engine->name, sizeof(out->engine));
	out->flags |= engine->flags;
	out->head = engine->head;
	out->tail = engine->tail;
	out->start = engine->start;
	out->acthd = engine->acthd;
	return true;
}
