/* SPDX-License-Identifier: MIT */
/*
 * The shell's own output, as JSON: a document for each command, as its tools print one, with a list
 * of what happened: writes, undoes, accesses of a write, waits.
 */
#include "sh.h"

#include <stdlib.h>
#include <string.h>

SCHEMA(sh, SH_SCHEMA, "gpu-sh --json",
       "A document for each command of the shell that writes, undoes, waits, or tells of the "
       "session; what the other commands print is as their own schemas say. With --ndjson the "
       "first line of each is the document without events, and each further line one of them.",
       FORMS(events))

KEYS(events)
void events_begin(struct shell *shell)
{
	struct common *common = &shell->common;
	struct gsc_json *json = &shell->json;
	const char **names;
	size_t count;

	if (shell->json_begun)
		return;
	names = session_names(shell, &count);
	document_begin(common, SH_SCHEMA, names, count, json);
	KEY_LIST("events", OF(write, undo, look, refused, dryRun, wait, setting, value,
			      memory));
	shell->json_begun = true;
	free(names);
}

struct gsc_json *event_begin(struct shell *shell)
{
	events_begin(shell);
	gsc_json_object(&shell->json, NULL);
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

/* The beginning of undoes and writes. */
KEYS()
static void json_when(struct gsc_json *json, const struct deed *deed)
{
	KEY(text_or_null, "at", deed->sources);
	json_time(json, &deed->written);
}

KEYS()
static void json_what(struct gsc_json *json, struct shell *shell, const struct deed *deed)
{
	char *sources = session_sources(shell);
	bool here = sources && deed->sources && !strcmp(sources, deed->sources);

	KEY(flag, "undone", deed->undone);
	gsc_json_written(json, here ? view_of(&shell->common) : NULL, &deed->written);
	KEY(text_or_null, "problem", deed->problem);
	free(sources);
}

KEYS(write, "number: in the journal. at: the source of the session then. operation, given: as "
     "typed, but the value of an expression. name may end in :FIELD; size is in bytes. old, "
     "written, back: of the whole register, before, as stored and afterwards; null where it could "
     "not be read. bits: those that were meant; lost: those of them that are not as they should "
     "be. fields: that differ between old and back; null where that is not known, or the session "
     "is elsewhere by now. problem: how it has not all gone as it should; with back null nobody "
     "may know whether it is written.")
static void json_write(struct gsc_json *json, struct shell *shell, const struct deed *deed,
		       size_t number)
{
	KEY(text, "event", "write", ONE_OF("write"));
	KEY_OR_NULL(number, number, "number", number, MIN(1));
	json_when(json, deed);
	KEY(text, "operation", operation_word(deed->operation), ONE_OF(operation_word));
	KEY(text, "given", deed->word);
	KEY(null, "undoes", 0);
	json_what(json, shell, deed);
}

KEYS(undo, "As a write; undoes: the number of the one that it puts back.")
static void json_undo(struct gsc_json *json, struct shell *shell, const struct deed *deed,
		      size_t number)
{
	KEY(text, "event", "undo", ONE_OF("undo"));
	KEY_OR_NULL(number, number, "number", number, MIN(1));
	json_when(json, deed);
	KEY(null, "operation", NULL);
	KEY(null, "given", NULL);
	KEY(number, "undoes", deed->undoes, MIN(1));
	json_what(json, shell, deed);
}

KEYS(look, "In the journal: a read that wrote an index or a doorbell first.")
static void json_look(struct gsc_json *json, const struct deed *deed, size_t number)
{
	KEY(text, "event", "look", ONE_OF("look"));
	KEY(number, "number", number, MIN(1));
	json_when(json, deed);
	KEY(text, "name", deed->written.name, MIN_LENGTH(1));
}

void event_deed(struct shell *shell, const struct deed *deed, size_t number)
{
	struct gsc_json *json = event_begin(shell);

	if (deed->looked)
		json_look(json, deed, number);
	else
		(deed->undoes ? json_undo : json_write)(json, shell, deed, number);
	event_end(shell);
}

KEYS(value, "What print makes of an expression.")
void event_value(struct shell *shell, const char *expression, uint64_t value)
{
	struct gsc_json *json = event_begin(shell);

	KEY(text, "event", "value", ONE_OF("value"));
	KEY(text, "expression", expression, MIN_LENGTH(1));
	KEY(hex, "value", value);
	event_end(shell);
}

KEYS(refused, "Nothing was written. given is null of an undo; exit_status as of the command.")
void event_refused(struct shell *shell, const char *name, const char *operation, const char *given,
		   enum gsc_status status, const struct gsc_error *err)
{
	struct gsc_json *json;

	if (!wants_json(&shell->common))
		return;
	json = event_begin(shell);
	KEY(text, "event", "refused", ONE_OF("refused"));
	KEY(text, "name", name);
	KEY(text, "operation", operation, ONE_OF("=", "|=", "&=", "^=", "undo"));
	KEY(text_or_null, "given", given);
	KEY(text, "reason", err->why, MIN_LENGTH(1));
	KEY(number, "exit_status", (uint64_t)status, MIN(1), MAX(6));
	event_end(shell);
}
