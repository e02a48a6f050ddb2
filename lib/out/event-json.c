/* SPDX-License-Identifier: MIT */
/* What a line of a kernel's log tells, as members of an object. */
#include "out/out.h"

static void number_if(struct gsc_json *json, const char *key, bool known, uint64_t value)
{
	if (known)
		gsc_json_number(json, key, value);
	else
		gsc_json_null(json, key);
}

static void json_values(struct gsc_json *json, const struct gsc_event *event)
{
	gsc_json_array(json, "values");
	for (unsigned i = 0; i < event->value_count; i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "register", event->values[i].name);
		gsc_json_hex(json, "value", event->values[i].value);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

void gsc_json_event(struct gsc_json *json, const struct gsc_event *event, struct gsc_story *story)
{
	static const char *const ranks[] = {
		[GSC_EVENT_MAIN] = "main", [GSC_EVENT_LESSER] = "lesser",
		[GSC_EVENT_ASIDE] = "aside",
	};
	const struct gsc_translation *translation = NULL;
	char why[640];
	const struct gsc_walk *walk = gsc_story_walk(story, event, &translation, why, sizeof(why));

	gsc_json_fault(json, &event->fault, walk ? translation : NULL, walk, why);
	gsc_json_string(json, "kind", gsc_event_word(event->kind));
	gsc_json_string(json, "rank", ranks[event->rank]);
	gsc_json_number(json, "line", event->line);
	gsc_json_number(json, "lines", event->lines);
	gsc_json_number(json, "repeats", event->repeats);
	json_known_text(json, "time", event->stamp);
	json_known_text(json, "driver", event->driver);
	json_known_text(json, "device", event->device);
	json_known_text(json, "process", event->process);
	number_if(json, "asid", event->has_asid, event->asid);
	json_known_hex(json, "pasid", event->has_pasid, event->pasid);
	number_if(json, "reason", event->has_reason, event->reason);
	json_known_hex(json, "code", event->has_code, event->code);
	json_values(json, event);
}

void gsc_json_story(struct gsc_json *json, struct gsc_story *story)
{
	json_empty_lists(json, "faults,findings");
	gsc_json_string(json, "signature", gsc_story_signature(story));
	gsc_json_string(json, "verdict", gsc_story_verdict(story));
}
