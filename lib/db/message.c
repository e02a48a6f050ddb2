/* SPDX-License-Identifier: MIT */
/* Messages of kernel logs in the definitions. */
#include "db/message.h"

#include "db/db.h"

#define MESSAGE_WORD(name) [ON_##name] = #name,
const char *const message_handlers[ON_HANDLERS] = { MESSAGE_ALONE(MESSAGE_WORD)
						     MESSAGE_COMPLETES(MESSAGE_WORD) };

const char *const event_kinds[GSC_EVENT_KINDS] = {
	[GSC_EVENT_FAULT] = "fault", [GSC_EVENT_DMA_FAULT] = "dma-fault",
	[GSC_EVENT_ERROR] = "error", [GSC_EVENT_HANG] = "hang",
	[GSC_EVENT_RESET] = "reset", [GSC_EVENT_DUMP] = "dump",
};

const char *const event_ranks[GSC_EVENT_RANKS] = { "main", "lesser", "aside", "harmless" };

const char *gsc_event_word(enum gsc_event_kind kind)
{
	return (unsigned)kind < GSC_EVENT_KINDS ? event_kinds[kind] : NULL;
}

const char *gsc_rank_word(enum gsc_event_rank rank)
{
	return (unsigned)rank < GSC_EVENT_RANKS ? event_ranks[rank] : NULL;
}

bool gsc_message_at(const struct gsc_db *db, size_t i, struct gsc_message *message)
{
	const struct layer *l = db_layer_of(db, B_MESSAGES, &i);
	const struct b_message *from;

	if (!l)
		return false;
	from = LAYER_ITEM(l, B_MESSAGES, struct b_message, i);
	*message = (struct gsc_message){
		.words = layer_text(l, from->words), .text = layer_text(l, from->text),
		.type = layer_text(l, from->type), .driver = layer_text(l, from->driver),
		.after = layer_text(l, from->after),
		.use = from->use, .kind = from->kind, .rank = from->rank,
		.handler = from->handler, .by = message_handlers[from->handler],
		.wedged = from->wedged, .needs_engine = from->needs_engine,
	};
	layer_origin(l, from->origin, &message->document, &message->section);
	return true;
}
