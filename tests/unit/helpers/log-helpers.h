/* SPDX-License-Identifier: MIT */
/* Reads a log given as text and keeps its events. */
#ifndef LOG_HELPERS_H
#define LOG_HELPERS_H

#include "log/log.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16

struct heard {
	struct gsc_event events[MOST];
	char logs[MOST][200];
	size_t count;
	enum gsc_status status;
};

/* The log in memory that ends with it, so that a read past the end is found. */
static inline struct heard read_bytes(const char *platform, const void *text, size_t size)
{
	struct heard heard = { .count = 0 };
	struct gsc_platform p;
	struct gsc_view *view = NULL;
	struct gsc_db *db;
	char *copy = malloc(size ? size : 1);
	struct gsc_event event;
	struct gsc_log *log;
	int device;

	memcpy(copy, text, size);
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	if (platform) {
		CU_ASSERT_EQUAL_FATAL(gsc_platform_find(db, platform, &p, &device, NULL), GSC_OK);
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p.index, -1, NULL), GSC_OK);
	}
	heard.status = gsc_log_new(&log, db, view, copy, size, NULL);
	while (!heard.status && gsc_log_next(log, &event)) {
		CU_ASSERT_FATAL(heard.count < MOST);
		snprintf(heard.logs[heard.count], sizeof(heard.logs[0]), "%.*s",
			 (int)(event.log_length < 199 ? event.log_length : 199), event.log);
		heard.events[heard.count++] = event;
	}
	gsc_log_free(log);
	/* Names in the definitions, which are freed: tests use the text. */
	gsc_view_free(view);
	gsc_db_free(db);
	free(copy);
	return heard;
}

static inline struct heard read_on(const char *platform, const char *text)
{
	return read_bytes(platform, text, strlen(text));
}

static inline struct heard read_text(const char *text)
{
	return read_on(NULL, text);
}

/* The one event of a log. */
static inline struct gsc_event one(const char *text)
{
	struct heard heard = read_text(text);

	CU_ASSERT_EQUAL_FATAL(heard.count, 1);
	return heard.events[0];
}

static inline bool says(const struct gsc_event *event, const char *words)
{
	if (strstr(event->fault.text, words))
		return true;
	printf("\n\"%s\" is not in \"%s\"\n", words, event->fault.text);
	return false;
}

static inline uint64_t value_of(const struct gsc_event *event, const char *name)
{
	for (unsigned i = 0; i < event->value_count; i++)
		if (!strcmp(event->values[i].name, name))
			return event->values[i].value;
	return UINT64_MAX;
}

#endif
