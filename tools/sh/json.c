/* SPDX-License-Identifier: MIT */
/*
 * What the shell itself tells, as JSON: a document for each command, as its tools print one, with
 * a list of what happened: writes, undoes, accesses that a write would take, waits.
 */
#include "sh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void events_begin(struct shell *shell)
{
	struct common *common = &shell->common;
	const char **names;
	size_t count;

	if (shell->json_begun)
		return;
	names = session_names(shell, &count);
	document_begin(common, "gpuscope.sh/1", names, count, &shell->json);
	gsc_json_list(&shell->json, "events");
	shell->json_begun = true;
	free(names);
}

struct gsc_json *event_begin(struct shell *shell, const char *event)
{
	events_begin(shell);
	gsc_json_object(&shell->json, NULL);
	gsc_json_string(&shell->json, "event", event);
	return &shell->json;
}

void event_end(struct shell *shell)
{
	gsc_json_object_end(&shell->json);
}

void events_end(struct shell *shell)
{
	if (!shell->json_begun)
		return;
	gsc_json_list_end(&shell->json);
	gsc_json_finish(&shell->json);
	shell->json_begun = false;
}

/* "2026-11-21T20:28:38.123Z" */
static void put_time(struct gsc_json *json, int64_t nanoseconds)
{
	time_t seconds = (time_t)(nanoseconds / 1000000000);
	char day[32], text[48];
	struct tm tm;

	if (!nanoseconds || !gmtime_r(&seconds, &tm) ||
	    !strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm)) {
		gsc_json_null(json, "time");
		return;
	}
	snprintf(text, sizeof(text), "%s.%03uZ", day, (unsigned)(nanoseconds / 1000000 % 1000));
	gsc_json_string(json, "time", text);
}

static void number_or_null(struct gsc_json *json, const char *key, size_t number)
{
	if (number)
		gsc_json_number(json, key, number);
	else
		gsc_json_null(json, key);
}

static void put_deed(struct shell *shell, struct gsc_json *json, const struct deed *deed)
{
	char *sources = session_sources(shell);
	bool here = sources && deed->sources && !strcmp(sources, deed->sources);

	gsc_json_string(json, "operation",
			deed->undoes ? NULL : operation_word(deed->operation));
	gsc_json_string(json, "given", deed->undoes ? NULL : deed->word);
	number_or_null(json, "undoes", deed->undoes);
	gsc_json_bool(json, "undone", deed->undone);
	gsc_json_written(json, here ? shell->common.view : NULL, &deed->written);
	gsc_json_string(json, "problem", deed->problem);
	free(sources);
}

/* What was only looked at, by writing an index, has no more than a name. */
void event_deed(struct shell *shell, const struct deed *deed, size_t number)
{
	struct gsc_json *json = event_begin(shell, deed->looked ? "look"
						   : deed->undoes ? "undo" : "write");

	number_or_null(json, "number", number);
	gsc_json_string(json, "at", deed->sources);
	put_time(json, deed->written.time);
	if (deed->looked)
		gsc_json_string(json, "name", deed->written.name);
	else
		put_deed(shell, json, deed);
	event_end(shell);
}

void event_refused(struct shell *shell, const char *name, const char *operation, const char *given,
		   enum gsc_status status, const struct gsc_error *err)
{
	struct gsc_json *json;

	if (!wants_json(&shell->common))
		return;
	json = event_begin(shell, "refused");
	gsc_json_string(json, "name", name);
	gsc_json_string(json, "operation", operation);
	gsc_json_string(json, "given", given);
	gsc_json_string(json, "reason", err->why);
	gsc_json_number(json, "exit_status", (uint64_t)status);
	event_end(shell);
}
