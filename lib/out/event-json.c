/* SPDX-License-Identifier: MIT */
/* What a line of a kernel's log says, as members of an object. */
#include "out/keys.h"
#include "out/out.h"

KEYS(loggedValue)
static void json_value(struct gsc_json *json, const struct gsc_event *event, size_t i)
{
	KEY(text, "register", event->values[i].name);
	KEY(hex, "value", event->values[i].value);
}

static const char *rank_word(enum gsc_event_rank rank)
{
	static const char *const words[] = {
		[GSC_EVENT_MAIN] = "main", [GSC_EVENT_LESSER] = "lesser",
		[GSC_EVENT_ASIDE] = "aside",
	};

	return words[rank];
}

KEYS(event, "An event of a log, with everything that its lines say, whether or not it is a fault; "
     "register and value are null. time: as in the log; repeats: how many times in a row it "
     "recurs; reason and pasid: from the IOMMU; code: of a hang, IPEHR xor INSTDONE; values: of "
     "registers. cause is null.")
void gsc_json_event(struct gsc_json *json, const struct gsc_event *event, struct gsc_story *story)
{
	const struct gsc_translation *translation = NULL;
	char why[640];
	const struct gsc_walk *walk = gsc_story_walk(story, event, &translation, why, sizeof(why));

	KEYS_OF(fault);
	json_fault(json, &event->fault, NULL, walk ? translation : NULL, walk, why);
	KEY(text, "kind", gsc_event_word(event->kind), ONE_OF(gsc_event_word));
	KEY(text, "rank", rank_word(event->rank), ONE_OF(rank_word));
	KEY(number, "line", event->line, MIN(1));
	KEY(number, "lines", event->lines, MIN(1));
	KEY(number, "repeats", event->repeats);
	KEY(some_text, "time", event->stamp);
	KEY(some_text, "driver", event->driver);
	KEY(some_text, "device", event->device);
	KEY(some_text, "process", event->process);
	KEY_OR_NULL(event->has_asid, number, "asid", event->asid);
	KEY_OR_NULL(event->has_pasid, hex, "pasid", event->pasid);
	KEY_OR_NULL(event->has_reason, number, "reason", event->reason);
	KEY_OR_NULL(event->has_code, hex, "code", event->code);
	KEY_EACH(object, "values", for (size_t i = 0; i < event->value_count; i++),
		 json_value(json, event, i));
}

void gsc_json_story(struct gsc_json *json, struct gsc_story *story)
{
	json_empty_lists(json, "faults,findings");
	gsc_json_string(json, "signature", gsc_story_signature(story));
	gsc_json_string(json, "verdict", gsc_story_verdict(story));
}
