/* SPDX-License-Identifier: MIT */
/* What is saved along with a device: dumps that the kernel has kept, and its log. */
#include "cli/log-input.h"
#include "snap.h"

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

struct lines {
	const char *text;
	size_t size, count;
	bool *wanted;
};

/* Of GPUs, or what begins and ends the report of a crash and names its process. */
static bool matters(const char *line, size_t length)
{
	static const char *const words[] = { "i915", "xe 0000:", "[drm", "drm:", "DMAR",
					     "GPU HANG", "intel_gtt", "intel-gtt", "agpgart-intel",
					     "IOMMU", "[ cut here ]", "---[ end trace", " Comm: " };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (memmem(line, length, words[i], strlen(words[i])))
			return true;
	return false;
}

static size_t line_length(const struct lines *lines, size_t at)
{
	const char *end = memchr(lines->text + at, '\n', lines->size - at);

	return end ? (size_t)(end - lines->text) + 1 - at : lines->size - at;
}

static size_t count_lines(const struct lines *lines)
{
	size_t count = 0;

	for (size_t at = 0; at < lines->size; at += line_length(lines, at))
		count++;
	return count;
}

/* The relevant lines; if there are too many, the last ones. */
static char *pick(const struct lines *lines, size_t *size)
{
	char *out = malloc(lines->size + 1);
	size_t used = 0, number = 0, over;

	for (size_t at = 0, length; out && at < lines->size; at += length, number++) {
		length = line_length(lines, at);
		if (!lines->wanted[number] && !matters(lines->text + at, length))
			continue;
		memcpy(out + used, lines->text + at, length);
		used += length;
	}
	over = used > LOG_MOST ? used - LOG_MOST : 0;
	if (over)
		memmove(out, out + over, used - over);
	*size = used - over;
	return out;
}

char *log_pick(struct common *common, const struct log_input *log, size_t *size)
{
	struct lines lines = { .text = log->text, .size = log->size };
	struct gsc_log *reader;
	struct gsc_event event;
	char *text;

	lines.count = count_lines(&lines);
	lines.wanted = calloc(lines.count + 1, sizeof(*lines.wanted));
	if (!lines.wanted)
		return NULL;
	if (!gsc_log_new(&reader, common->db, view_of(common), log->text, log->size, NULL))
		while (gsc_log_next(reader, &event))
			for (size_t i = 0; i < event.lines && event.line - 1 + i < lines.count; i++)
				lines.wanted[event.line - 1 + i] = true;
	gsc_log_free(reader);
	text = pick(&lines, size);
	free(lines.wanted);
	return text;
}

static bool add_log(struct common *common, struct gathered *g, const struct log_input *log)
{
	struct gsc_extra *extra = add(g, GSC_MEMBER_LOG);

	if (extra)
		extra->data = log_pick(common, log, &extra->size);
	return extra && extra->data;
}

static bool gather_log(struct common *common, struct gathered *g)
{
	struct gsc_error err = { 0 };
	struct log_input log;
	bool done;

	if (log_open(common, NULL, &log, &err))
		done = add_why(g, GSC_MEMBER_LOG, err.why);
	else
		done = add_log(common, g, &log);
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
