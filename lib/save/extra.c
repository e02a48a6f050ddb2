/* SPDX-License-Identifier: MIT */
/* What is in no space: what a capture says about itself, and the files added to it. */
#include "save/saving.h"

#include "device/device.h"
#include "hang/reach.h"
#include "open/opening.h"
#include "util/text.h"

#include <sys/utsname.h>

#define UNIQUE_SIZE 300

/* ---- which files ---------------------------------------------------------------------------- */

/*
 * A trace is more than the memory at its end, a driver's dump more than its registers, and VT-d
 * text says whose tables it has. Traces and tables are memory, which redaction leaves out.
 */
const char *save_file_name(const struct saving *s, const struct part *part)
{
	return s->options->redact && !part->dump ? NULL : part->reader->file;
}

bool save_file_alone(const struct saving *s)
{
	size_t files = 0;

	for (size_t i = 0; i < s->gpu->source->parts.count; i++) {
		const struct part *part = &s->gpu->source->parts.items[i];

		if (save_file_name(s, part))
			files++;
		else if (part->device || part->pieces.count)
			return false;
	}
	return files == 1;
}

/* What a capture has itself overrides the files in it, unless it says otherwise. */
bool save_trace_first(const struct saving *s, const struct part *part)
{
	if (!part->aub || !save_file_name(s, part))
		return false;
	for (size_t i = 0; &s->gpu->source->parts.items[i] != part; i++) {
		const struct part *before = &s->gpu->source->parts.items[i];

		if (!before->aub && (before->device || before->pieces.count))
			return false;
	}
	return true;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* The log of a capture, which with the memory of a kernel is also a part. */
static bool repeats_log(const struct gsc_source *source, const struct part *part)
{
	for (size_t i = 0; part->owner && i < source->parts.count; i++)
		if (source->parts.items[i].name == part->owner)
			return gsc_source_form(source, i) == GSC_SOURCE_CAPTURE &&
			       part->reader->form == GSC_SOURCE_LOG;
	return false;
}

/* The members of a capture that are not part of its format; dumps among them are parts by now. */
static bool next_member(const struct saving *s, size_t part, struct gsc_member *member)
{
	const struct part *of = &s->gpu->source->parts.items[part];

	if (of->dump || repeats_log(s->gpu->source, of))
		return false;
	while (gsc_capture_member(s->gpu->source, part, member))
		if (*member->name && member->name[strlen(member->name) - 1] != '/' &&
		    !capture_owns(member->name) && !has_prefix(member->name, CAPTURE_DUMPS))
			return true;
	return false;
}

/* Nobody knows which names and what memory anything else may contain. */
static bool left_out(const struct saving *s, const char *name, const void *data, size_t size)
{
	const struct reader *reader;

	if (!s->options->redact)
		return false;
	reader = has_prefix(name, CAPTURE_STORED) ? source_reader(data, size) : NULL;
	return !reader || !reader->hang;
}

static bool is_ours(const char *name)
{
	static const char *const ours[] = { CAPTURE_LOG, CAPTURE_STORED CAPTURE_ERROR_STATE,
					    CAPTURE_STORED CAPTURE_DEVCOREDUMP };

	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		if (has_prefix(name, ours[i]) &&
		    !name[strlen(ours[i]) + strspn(name + strlen(ours[i]), ".0123456789")])
			return true;
	return false;
}

/* Two captures may have members with the same name, which tar would unpack as one. */
static bool unique_name(struct saving *s, const char *name, char out[UNIQUE_SIZE])
{
	char **slot;

	snprintf(out, UNIQUE_SIZE, "%s", name);
	for (size_t i = 0, number = 2; i < s->names.count; i++)
		if (!strcmp(s->names.items[i], out)) {
			snprintf(out, UNIQUE_SIZE, "%.255s.%zu", name, number++);
			i = SIZE_MAX;
		}
	slot = vec_add(&s->names);
	if (!slot)
		return false;
	*slot = strdup(out);
	return *slot;
}

/* ---- what it says of itself ----------------------------------------------------------------- */

static void info_driver(struct saving *s, const struct device *device)
{
	char version[64];

	capture_info(&s->capture, "bdf", "%s", device_facts(device).bdf);
	if (device_driver_version(device, version, sizeof(version)))
		capture_info(&s->capture, "driver-version", "%s", version);
}

static void info_machine(struct saving *s)
{
	const struct gsc_source *source = s->gpu->source;
	time_t created = (time_t)s->options->created;
	struct gsc_property property;
	struct utsname names;
	char text[64];
	struct tm tm;

	/* A capture of a capture has the time of that one. */
	for (size_t part = 0; part < source->parts.count; part++)
		for (size_t i = 0; !source->parts.items[part].dump &&
				   gsc_source_property(source, part, i, &property); i++)
			if (!strcmp(property.key, "created"))
				created = 0;
	if (created && gmtime_r(&created, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		capture_info(&s->capture, "created", "%s", text);
	for (size_t i = 0; i < source->parts.count; i++) {
		capture_info(&s->capture, "source", "%.200s (%s)", source->parts.items[i].name,
			     source->parts.items[i].reader->kind);
		if (source->parts.items[i].device)
			info_driver(s, source->parts.items[i].device);
	}
	if (!gsc_source_live(source) || uname(&names))
		return;
	capture_info(&s->capture, "kernel", "%s", names.release);
	capture_info(&s->capture, "kernel-version", "%s, %s", names.version, names.machine);
}

/* What an earlier capture says is kept, unless it is said anew. */
static void info_before(struct saving *s, size_t part)
{
	static const char *const anew[] = { "format", "platform", "device", "revision", "tool",
					    "source", "iommu", "redacted", CAPTURE_DAMAGE,
					    CAPTURE_FIRST, SOURCE_FILE };
	struct gsc_property property;

	for (size_t i = 0; gsc_source_property(s->gpu->source, part, i, &property); i++) {
		bool old = !s->options->redact || !strcmp(property.key, "left-out") ||
			   !strcmp(property.key, CAPTURE_WATCHED);

		for (size_t k = 0; k < ARRAY_SIZE(anew); k++)
			old &= strcmp(property.key, anew[k]) != 0;
		if (old)
			capture_info(&s->capture, property.key, "%s", property.value);
	}
}

static void note_watched(void *context, const char *engine, bool moves, unsigned watched)
{
	capture_info(context, CAPTURE_WATCHED, "%s %s %u", engine, moves ? "moves" : "stands",
		     watched);
}

static void note_file(void *context, const char *name, const char *value)
{
	capture_info(context, SOURCE_FILE, "%s %s", name, value);
}

/* Names that others chose may also identify the machine. */
static void info_redacted(struct saving *s)
{
	size_t others = 0;

	for (size_t part = 0; part < s->gpu->source->parts.count; part++) {
		struct gsc_member member = { .next = 0 };
		const char *file = s->gpu->source->parts.items[part].reader->file;

		if (file && !save_file_name(s, &s->gpu->source->parts.items[part]))
			capture_info(&s->capture, "left-out", CAPTURE_DUMPS "%s: redacted", file);
		while (next_member(s, part, &member)) {
			if (!left_out(s, member.name, member.data, (size_t)member.held))
				continue;
			if (is_ours(member.name))
				capture_info(&s->capture, "left-out", "%s: redacted", member.name);
			else
				others++;
		}
	}
	if (others)
		capture_info(&s->capture, "left-out", "%zu other member%s: redacted", others,
			     others == 1 ? "" : "s");
}

/*
 * Whoever reads the file in the capture finds it again; but not that its compressed form was
 * truncated.
 */
static bool found_again(const struct saving *s, const char *note)
{
	for (size_t i = 0; i < s->gpu->source->parts.count; i++) {
		const struct part *part = &s->gpu->source->parts.items[i];
		const char *name = part->blob.name, *rest;

		if (!save_file_name(s, part) || !name || !has_prefix(note, name))
			continue;
		rest = note + strlen(name);
		if (has_prefix(rest, ": "))
			return !part->blob.damage || !has_prefix(rest + 2, part->blob.damage);
	}
	return false;
}

void save_info(struct saving *s)
{
	const struct gsc_source *source = s->gpu->source;
	struct gsc_error err;
	size_t count;

	capture_info(&s->capture, "platform", "%s", s->gpu->platform.name);
	if (source->pci_device >= 0)
		capture_info(&s->capture, "device", "0x%04x", (unsigned)source->pci_device);
	if (source->revision >= 0)
		capture_info(&s->capture, "revision", "0x%02x", (unsigned)source->revision);
	capture_info(&s->capture, "tool", "gpuscope %s", GSC_VERSION);
	if (gsc_source_iommu(source))
		capture_info(&s->capture, "iommu", "%s", CAPTURE_IOMMU);
	if (s->options->redact || source_redacted(s->gpu->source))
		capture_info(&s->capture, "redacted",
			     "no memory, no process names, nothing about the machine");
	if (!s->options->redact)
		info_machine(s);
	for (size_t part = 0; part < source->parts.count; part++)
		if (!source->parts.items[part].dump)
			info_before(s, part);
	/* One sample cannot distinguish a hang from work: what a second one gives is saved, too. */
	if (gsc_source_live(source) &&
	    hang_motion(s->gpu, note_watched, &s->capture, &err) == GSC_FAILED)
		s->capture.memory_out = true;
	source_files(source, note_file, &s->capture);
	count = gsc_source_note_count(source);
	if (s->options->redact && count)
		capture_info(&s->capture, CAPTURE_DAMAGE, "the saved dump: damaged in %zu place%s",
			     count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count && !s->options->redact; i++)
		if (!found_again(s, gsc_source_note(source, i)))
			capture_info(&s->capture, CAPTURE_DAMAGE, "%s", gsc_source_note(source, i));
	/* Also a file's name in the capture, which depends on the order of the parts. */
	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];
		char plain[64], name[UNIQUE_SIZE];

		if (!save_file_name(s, part))
			continue;
		string_set(plain, CAPTURE_DUMPS "%s", save_file_name(s, part));
		if (!unique_name(s, plain, name))
			s->capture.memory_out = true;
		else if (save_trace_first(s, part) && !save_file_alone(s))
			capture_info(&s->capture, CAPTURE_FIRST, "%s", name);
	}
	if (s->options->redact)
		info_redacted(s);
	for (size_t i = 0; i < s->options->extra_count; i++) {
		const struct gsc_extra *extra = &s->options->extras[i];

		if (extra->why)
			capture_info(&s->capture, "left-out", "%s: %s", extra->name, extra->why);
		else if (left_out(s, extra->name, extra->data, extra->size))
			capture_info(&s->capture, "left-out", "%s: redacted", extra->name);
	}
	for (size_t i = 0; i < s->refused.count; i++)
		capture_info(&s->capture, "left-out", "memory: %s", s->refused.items[i]);
	if (s->record.over)
		capture_info(&s->capture, "left-out", "memory: the engines reach more than %zu MB",
			     s->record.most * RECORD_PAGE >> 20);
}

/* ---- files ---------------------------------------------------------------------------------- */

static bool save_file(struct saving *s, const char *name, const void *data, size_t size)
{
	capture_text clean = { 0 };
	bool done;

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

/* In a redacted capture, nothing finds a dump that was stored under another name. */
static bool save_member(struct saving *s, const char *name, const void *data, size_t size)
{
	char unique[UNIQUE_SIZE], ours[64];

	if (s->options->redact && !is_ours(name)) {
		snprintf(ours, sizeof(ours), CAPTURE_STORED "%s", source_reader(data, size)->file);
		name = ours;
	}
	return unique_name(s, name, unique) && save_file(s, unique, data, size);
}

bool save_extras(struct saving *s)
{
	const struct part *kernel = save_kernel(s);
	size_t count = s->gpu->source->parts.count, file = 0;
	bool done = true;

	/* The files of a source have the names that save_info() has given them. */
	for (size_t i = 0; i < count && done; i++) {
		const struct part *part = &s->gpu->source->parts.items[i];

		if (save_file_name(s, part) && file < s->names.count)
			done = save_file(s, s->names.items[file++], part->blob.data,
					 part->blob.size);
	}
	for (size_t i = 0; i < count; i++) {
		struct gsc_member m = { .next = 0 };

		while (done && next_member(s, i, &m))
			if (!left_out(s, m.name, m.data, (size_t)m.held))
				done = save_member(s, m.name, m.data, (size_t)m.held);
	}
	if (kernel)
		capture_member(&s->capture, CAPTURE_VMCOREINFO, kernel->vmcoreinfo,
			       strlen(kernel->vmcoreinfo));
	for (size_t i = 0; i < s->options->extra_count && done; i++) {
		const struct gsc_extra *extra = &s->options->extras[i];

		if (!extra->why && !left_out(s, extra->name, extra->data, extra->size))
			done = save_member(s, extra->name, extra->data, extra->size);
	}
	return done;
}
