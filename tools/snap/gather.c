/* SPDX-License-Identifier: MIT */
/* What is saved along with a device: dumps that the kernel has kept, and its log. */
#include "cli/input.h"
#include "snap.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXTRAS_MAX 12
#define DUMP_MOST ((size_t)256 << 20)
#define LOG_MOST ((size_t)1 << 20)	/* its end, if there is more */

static struct gsc_extra *add(struct gathered *g, const char *name)
{
	struct gsc_extra *extra = &g->items[g->count];
	char *copy = g->count < EXTRAS_MAX ? strdup(name) : NULL;

	if (!copy)
		return NULL;
	*extra = (struct gsc_extra){ .name = copy };
	g->count++;
	return extra;
}

static bool add_why(struct gathered *g, const char *name, const char *why)
{
	struct gsc_extra *extra = add(g, name);

	return extra && (extra->why = strdup(why));
}

void gathered_free(struct gathered *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free((void *)(uintptr_t)g->items[i].name);
		free((void *)(uintptr_t)g->items[i].data);
		free((void *)(uintptr_t)g->items[i].why);
	}
	free(g->items);
}

/* ---- dumps ---------------------------------------------------------------------------------- */

/* errno of the failure, or 0. Files of sysfs do not say how long they are. */
static int read_file(const char *path, char **data, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), error = 0;
	size_t room = 0;
	ssize_t got = 1;

	*data = NULL;
	*size = 0;
	if (fd < 0)
		return errno;
	while (got && !error) {
		char *more = *size < room ? *data : realloc(*data, room = room * 2 + (1 << 16));

		if (!more || *size > DUMP_MOST) {
			error = more ? EFBIG : ENOMEM;
			break;
		}
		*data = more;
		got = read(fd, *data + *size, room - *size);
		if (got > 0)
			*size += (size_t)got;
		else if (got && errno != EINTR)
			error = errno;
	}
	close(fd);
	return error;
}

static bool gather_dump(struct gathered *g, const struct gsc_stored *stored, size_t number)
{
	struct gsc_extra *extra;
	char name[64], more[16] = "", *data;
	size_t size;
	int error;

	if (number)
		snprintf(more, sizeof(more), ".%zu", number + 1);
	snprintf(name, sizeof(name), "stored/%s%s",
		 stored->form == GSC_SOURCE_DEVCOREDUMP ? "devcoredump" : "error-state", more);
	error = read_file(stored->path, &data, &size);
	if (error) {
		free(data);
		return add_why(g, name, strerror(error));
	}
	extra = add(g, name);
	if (!extra) {
		free(data);
		return false;
	}
	extra->data = data;
	extra->size = size;
	return true;
}

/* ---- the log -------------------------------------------------------------------------------- */

/* Of GPUs, or what begins and ends the report of a crash and names its process. */
static bool matters(struct slice line)
{
	static const char *const words[] = { "i915", "xe 0000:", "[drm", "drm:", "DMAR",
					     "GPU HANG", "intel_gtt", "intel-gtt", "agpgart-intel",
					     "IOMMU", "[ cut here ]", "---[ end trace", " Comm: " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (memmem(line.at, slice_length(line), words[i], strlen(words[i])))
			return true;
	return false;
}

/* With its end. */
static struct slice take_line(struct slice *text)
{
	const char *end = memchr(text->at, '\n', slice_length(*text));
	struct slice line = { text->at, end ? end + 1 : text->end };

	text->at = line.end;
	return line;
}

/* The relevant lines; if there are too many, the last ones. */
char *log_pick(struct common *common, const struct log_input *log, size_t *size)
{
	struct slice text = slice_of(log->text, log->size), line;
	size_t count = 0, used = 0, number = 0, over;
	struct gsc_log *reader;
	struct gsc_event event;
	bool *wanted;
	char *out;

	while (text.at < text.end) {
		take_line(&text);
		count++;
	}
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
	for (text.at = log->text; text.at < text.end; number++) {
		line = take_line(&text);
		if (!wanted[number] && !matters(line))
			continue;
		memcpy(out + used, line.at, slice_length(line));
		used += slice_length(line);
	}
	free(wanted);
	over = used > LOG_MOST ? used - LOG_MOST : 0;
	if (over)
		memmove(out, out + over, used - over);
	*size = used - over;
	return out;
}

static bool gather_log(struct common *common, struct gathered *g)
{
	struct gsc_error err = { 0 };
	struct gsc_extra *extra = NULL;
	struct log_input log;
	bool done;

	if (log_open(common, NULL, &log, &err)) {
		done = add_why(g, GSC_MEMBER_LOG, err.why);
	} else {
		extra = add(g, GSC_MEMBER_LOG);
		if (extra)
			extra->data = log_pick(common, &log, &extra->size);
		done = extra && extra->data;
	}
	log_close(&log);
	return done;
}

enum gsc_status gather(struct common *common, struct gathered *g, struct gsc_error *err)
{
	const struct snap *snap = (const struct snap *)common;
	struct gsc_stored stored;
	bool done = true;

	*g = (struct gathered){ .items = calloc(EXTRAS_MAX, sizeof(*g->items)) };
	if (!g->items)
		return err_memory(err);
	if (!gsc_source_live(common->source))
		return GSC_OK;
	for (size_t i = 0;
	     done && i < EXTRAS_MAX - 1 && gsc_stored(common->source, i, &stored); i++)
		done = gather_dump(g, &stored, i);
	if (done)
		done = snap->redact ? add_why(g, GSC_MEMBER_LOG, "redacted")
				    : gather_log(common, g);
	return done ? GSC_OK : err_memory(err);
}
