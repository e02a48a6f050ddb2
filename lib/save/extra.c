/* SPDX-License-Identifier: MIT */
/* What lies in no space: what a capture says of itself, and the files that go along. */
#include "save/save.h"

#include "device/device.h"
#include "source/aub.h"
#include "source/dump.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

/* ---- which files ---------------------------------------------------------------------------- */

static bool is_file(const struct part *part)
{
	return part->dump || part->aub;
}

/* A trace is more than the memory that it leaves, a driver's dump more than its registers. */
const struct part *save_as_file(const struct saving *s)
{
	const struct part *file = NULL;

	for (size_t i = 0; i < s->source->parts.count; i++) {
		const struct part *part = &s->source->parts.items[i];

		if (is_file(part) && file)
			return NULL;
		if (is_file(part))
			file = part;
		else if (part->device || part->pieces.count)
			return NULL;
	}
	if (file && file->aub && (s->options->redact || s->options->memory_count))
		return NULL;
	return file;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* The members of a capture that are no part of its format; those of dumps are parts by now. */
static bool next_member(const struct saving *s, size_t part, struct gsc_member *member)
{
	if (s->source->parts.items[part].dump)
		return false;
	while (gsc_capture_member(s->source, part, member))
		if (*member->name && member->name[strlen(member->name) - 1] != '/' &&
		    !capture_owns(member->name) && !has_prefix(member->name, CAPTURE_DUMPS))
			return true;
	return false;
}

static bool is_dump(const void *data, size_t size)
{
	const char *kind = source_kind(data, size);

	return kind && (!strcmp(kind, reader_error_state.kind) ||
			!strcmp(kind, reader_devcoredump.kind));
}

/* Nobody knows what names and what memory there may be in anything else. */
static bool left_out(const struct saving *s, const char *name, const void *data, size_t size)
{
	return s->options->redact &&
	       !(has_prefix(name, CAPTURE_STORED) && is_dump(data, size));
}

/* ---- what it says of itself ----------------------------------------------------------------- */

static void info_driver(struct saving *s, const struct device *device)
{
	struct gsc_gpu *gpus;
	size_t count;

	capture_info(&s->capture, "bdf", "%s", device_bdf(device));
	if (gsc_gpus(s->source->db, &gpus, &count, NULL))
		return;
	for (size_t i = 0; i < count; i++) {
		char version[64];

		if (strcmp(gpus[i].bdf, device_bdf(device)) || !*gpus[i].driver)
			continue;
		capture_info(&s->capture, "driver", "%s", gpus[i].driver);
		if (device_driver_version(device, version, sizeof(version)))
			capture_info(&s->capture, "driver-version", "%s", version);
	}
	free(gpus);
}

/* A capture of a capture was made when that was. */
static bool has_property(const struct saving *s, const char *key)
{
	struct gsc_property property;

	for (size_t part = 0; part < s->source->parts.count; part++)
		for (size_t i = 0; !s->source->parts.items[part].dump &&
				   gsc_capture_property(s->source, part, i, &property); i++)
			if (!strcmp(property.key, key))
				return true;
	return false;
}

static void info_created(struct saving *s)
{
	time_t created = (time_t)s->options->created;
	struct tm tm;
	char text[64];

	if (!has_property(s, "created") && created && gmtime_r(&created, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		capture_info(&s->capture, "created", "%s", text);
}

static void info_machine(struct saving *s)
{
	const struct gsc_source *source = s->source;
	struct utsname names;

	info_created(s);
	for (size_t i = 0; i < source->parts.count; i++) {
		capture_info(&s->capture, "source", "%.200s (%s)", source->parts.items[i].name,
			     source->parts.items[i].kind);
		if (source->parts.items[i].device)
			info_driver(s, source->parts.items[i].device);
	}
	if (!gsc_source_live(source) || uname(&names))
		return;
	capture_info(&s->capture, "kernel", "%s", names.release);
	capture_info(&s->capture, "kernel-version", "%s, %s", names.version, names.machine);
}

/* What an earlier capture has said stays said, but for what is said anew. */
static void info_before(struct saving *s, size_t part)
{
	static const char *const anew[] = { "format", "platform", "device", "revision", "tool",
					    "source", "iommu", "redacted" };
	struct gsc_property property;

	for (size_t i = 0; gsc_capture_property(s->source, part, i, &property); i++) {
		bool old = !s->options->redact || !strcmp(property.key, "left-out");

		for (size_t k = 0; k < ARRAY_SIZE(anew); k++)
			old &= strcmp(property.key, anew[k]) != 0;
		if (old)
			capture_info(&s->capture, property.key, "%s", property.value);
	}
}

static void info_left_out(struct saving *s)
{
	for (size_t part = 0; part < s->source->parts.count; part++) {
		struct gsc_member member = { .next = 0 };

		while (s->options->redact && next_member(s, part, &member))
			if (left_out(s, member.name, member.data, (size_t)member.held))
				capture_info(&s->capture, "left-out", "%s: redacted", member.name);
	}
	for (size_t i = 0; i < s->options->extra_count; i++) {
		const struct gsc_extra *extra = &s->options->extras[i];

		if (extra->why)
			capture_info(&s->capture, "left-out", "%s: %s", extra->name, extra->why);
		else if (left_out(s, extra->name, extra->data, extra->size))
			capture_info(&s->capture, "left-out", "%s: redacted", extra->name);
	}
	if (s->record.over)
		capture_info(&s->capture, "left-out",
			     "memory: what the engines reach is more than %zu MiB",
			     s->record.most * RECORD_PAGE >> 20);
}

void save_info(struct saving *s)
{
	const struct gsc_source *source = s->source;

	capture_info(&s->capture, "platform", "%s", s->platform.name);
	if (source->pci_device >= 0)
		capture_info(&s->capture, "device", "0x%04x", (unsigned)source->pci_device);
	if (source->revision >= 0)
		capture_info(&s->capture, "revision", "0x%02x", (unsigned)source->revision);
	capture_info(&s->capture, "tool", "gpuscope %s", gsc_version());
	if (gsc_source_iommu(source))
		capture_info(&s->capture, "iommu", "%s", CAPTURE_IOMMU);
	if (s->options->redact || has_property(s, "redacted"))
		capture_info(&s->capture, "redacted",
			     "no memory, no names of processes, nothing of the machine");
	if (!s->options->redact)
		info_machine(s);
	for (size_t part = 0; part < source->parts.count; part++)
		if (!source->parts.items[part].dump)
			info_before(s, part);
	info_left_out(s);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool save_file(struct saving *s, const char *name, const void *data, size_t size)
{
	capture_text clean = { 0 };
	bool done = true;

	if (!s->options->redact) {
		capture_member(&s->capture, name, data, size);
		return true;
	}
	done = redact_dump(data, size, &clean);
	if (done)
		capture_member(&s->capture, name, clean.items, clean.count);
	vec_free(&clean);
	return done;
}

/* The files that a source is made of. Traces go along only where they are all there is. */
static bool save_parts(struct saving *s)
{
	const struct part *alone = save_as_file(s);
	bool done = true;
	size_t count = 0;

	for (size_t i = 0; i < s->source->parts.count && done; i++) {
		const struct part *part = &s->source->parts.items[i];
		char name[64], number[16] = "";

		if (part != alone && !part->dump)
			continue;
		if (count++)
			snprintf(number, sizeof(number), ".%zu", count);
		snprintf(name, sizeof(name), CAPTURE_DUMPS "%s%s",
			 part->aub ? "trace.aub" : strcmp(part->kind, reader_devcoredump.kind)
				   ? "error-state" : "devcoredump", number);
		done = save_file(s, name, part->blob.data, part->blob.size);
	}
	return done;
}

static bool save_members(struct saving *s, size_t part)
{
	struct gsc_member member = { .next = 0 };
	bool done = true;

	while (done && next_member(s, part, &member))
		if (!left_out(s, member.name, member.data, (size_t)member.held))
			done = save_file(s, member.name, member.data, (size_t)member.held);
	return done;
}

bool save_extras(struct saving *s)
{
	bool done = save_parts(s);

	for (size_t part = 0; part < s->source->parts.count && done; part++)
		done = save_members(s, part);
	for (size_t i = 0; i < s->options->extra_count && done; i++) {
		const struct gsc_extra *extra = &s->options->extras[i];

		if (!extra->why && !left_out(s, extra->name, extra->data, extra->size))
			done = save_file(s, extra->name, extra->data, extra->size);
	}
	return done;
}
