/* SPDX-License-Identifier: MIT */
/*
 * What is saved along with a device: dumps that the kernel has kept, and its log; of a machine's
 * memory, the dumps that are in it.
 */
#include "cli/input.h"
#include "log/event.h"
#include "open/open.h"
#include "save/save.h"
#include "snap.h"
#include "text/clean.h"

#define EXTRAS_MAX 12
#define GUC_MAX 32
#define LOG_MOST ((size_t)1 << 20)	/* its end, if there is more */

static bool add(struct gathered *g, const char *name, const void *data, size_t size,
		const char *why)
{
	struct gsc_extra *extra = &g->items[g->count];

	*extra = (struct gsc_extra){ .name = strdup(name), .why = why ? strdup(why) : NULL,
				     .data = data, .size = size };
	g->count++;
	return extra->name && (extra->why || !why);
}

void gathered_free(struct gathered *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free((void *)(uintptr_t)g->items[i].name);
		free((void *)(uintptr_t)g->items[i].why);
		held_close(&g->files[i]);
	}
	free(g->log);
	free(g->items);
	free(g->files);
}

/* ---- dumps ---------------------------------------------------------------------------------- */

static bool gather_dump(struct common *common, struct gathered *g, const struct gsc_stored *stored,
			size_t number)
{
	struct held_file *file = &g->files[g->count];
	struct gsc_error err;
	char name[64];

	string_set(name, "stored/%s",
		   stored->form == GSC_SOURCE_DEVCOREDUMP ? "devcoredump" : "error-state");
	if (number)
		string_add(name, ".%zu", number + 1);
	if (held_bytes(common, stored->path, file, &err)) {
		held_close(file);
		return add(g, name, NULL, 0, err.why);
	}
	return add(g, name, file->data, file->size, file->blob.damage);
}

/*
 * What the driver says of the GuC: its messages become a dump of the capture, which all commands
 * read; the rest is for --decode, and for people.
 */
static bool gather_guc(struct common *common, struct gathered *g)
{
	char path[200], name[220];
	struct gsc_error err;
	bool done = true;

	for (size_t i = 0; done && i < GUC_MAX &&
	     gsc_guc_file(common->source, i, path, sizeof(path)); i++) {
		struct held_file *file = &g->files[g->count];
		const char *gt = strstr(path, "/gt");
		bool messages = slice_ends(slice_string(path), "/guc_ctb");

		string_set(name, "%s%s", messages ? "dump" : "driver", gt ? gt : path);
		if (held_bytes(common, path, file, &err) || !file->size)
			held_close(file);
		else
			done = add(g, name, file->data, file->size, NULL);
	}
	return done;
}

/* ---- the log -------------------------------------------------------------------------------- */

/* The relevant lines; if there are too many, the last ones. */
char *log_pick(struct common *common, const struct log_input *log, size_t *size)
{
	/* Of GPUs, or what begins and ends the report of a crash and names its process. */
	static const char *const words[] = { "i915", "xe 0000:", "[drm", "drm:", "DMAR",
					     "GPU HANG", "intel_gtt", "intel-gtt", "agpgart-intel",
					     "IOMMU", "[ cut here ]", "---[ end trace", " Comm: " };
	struct slice text = slice_of(log->text, log->size), whole;
	size_t count = 0, used = 0, number = 0, over;
	struct text_line line;
	struct gsc_log *reader;
	struct gsc_event event;
	bool *wanted;
	char *out;

	while (take_line(&text, &line))
		count++;
	wanted = calloc(count + 1, sizeof(*wanted));
	out = malloc(log->size + 1);
	if (!wanted || !out) {
		free(wanted);
		free(out);
		return NULL;
	}
	if (!gsc_log_new(&reader, common->db, view_of(common), log->text, log->size, NULL))
		while (gsc_log_next(reader, &event))
			for (size_t i = 0; i < event.lines && event.line - 1 + i < count; i++)
				wanted[event.line - 1 + i] = true;
	gsc_log_free(reader);
	for (text.at = log->text; take_line(&text, &line); number++) {
		whole = (struct slice){ line.text.at, line.next };
		for (size_t i = 0; !wanted[number] && i < ARRAY_SIZE(words); i++)
			wanted[number] = slice_find(whole, words[i]);
		if (!wanted[number])
			continue;
		memcpy(out + used, whole.at, slice_length(whole));
		used += slice_length(whole);
	}
	free(wanted);
	over = used > LOG_MOST ? used - LOG_MOST : 0;
	if (over)
		memmove(out, out + over, used - over);
	*size = used - over;
	return out;
}

/* The dumps that drivers had stored are in the memory of the machine. */
static bool gather_memory(struct common *common, struct gathered *g)
{
	bool done = true;

	for (size_t part = 0; part < gsc_source_count(common->source); part++) {
		struct gsc_member member = { .next = 0 };

		if (gsc_source_form(common->source, part) != GSC_SOURCE_MEMORY)
			continue;
		while (done && g->count < EXTRAS_MAX &&
		       gsc_capture_member(common->source, part, &member))
			if (!strncmp(member.name, "stored/", strlen("stored/")))
				done = add(g, member.name, member.data, (size_t)member.held, NULL);
	}
	return done;
}

enum gsc_status gather(struct common *common, struct gathered *g, struct gsc_error *err)
{
	const struct snap *snap = (const struct snap *)common;
	struct gsc_error why = { 0 };
	struct gsc_stored stored;
	struct log_input log;
	size_t size;
	bool done = true;

	*g = (struct gathered){ .items = calloc(EXTRAS_MAX + GUC_MAX, sizeof(*g->items)),
				.files = calloc(EXTRAS_MAX + GUC_MAX, sizeof(*g->files)) };
	if (!g->items || !g->files)
		return err_memory(err);
	if (!gsc_source_live(common->source))
		return gather_memory(common, g) ? GSC_OK : err_memory(err);
	for (size_t i = 0;
	     done && i < EXTRAS_MAX - 1 && gsc_stored(common->source, i, &stored); i++)
		done = gather_dump(common, g, &stored, i);
	if (done && !snap->redact)
		done = gather_guc(common, g);
	if (done && snap->redact)
		return add(g, GSC_MEMBER_LOG, NULL, 0, "redacted") ? GSC_OK : err_memory(err);
	if (done && log_open(common, NULL, &log, &why)) {
		done = add(g, GSC_MEMBER_LOG, NULL, 0, why.why);
		log_close(&log);
	} else if (done) {
		g->log = log_pick(common, &log, &size);
		done = g->log && add(g, GSC_MEMBER_LOG, g->log, size, NULL);
		log_close(&log);
	}
	return done ? GSC_OK : err_memory(err);
}
