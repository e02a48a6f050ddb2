/* SPDX-License-Identifier: MIT */
/*
 * Which engines a driver blames in the dump that it wrote: in the block of the engine, in the
 * headline, whose words and numbers have changed their meaning over time, or, if the dump ends
 * before the engines, by naming a process on only one of them.
 */
#include "hang/engine.h"

#include "db/engine.h"
#include "db/resolve.h"
#include "source/part.h"

bool engine_in_dump(const struct gsc_hang *hang)
{
	return source_has_hang(hang->gpu->source);
}

bool engine_in_trace(const struct gsc_hang *hang)
{
	return gsc_source_has(hang->gpu->source, GSC_SOURCE_AUB) && !engine_in_dump(hang);
}

const struct driver_engine *engine_facts(const struct hang_engine *engine)
{
	static const struct driver_engine none;

	return driver_engine(&engine->hang->facts, engine->e.name) ?: &none;
}

bool engine_says(struct text *text, const char *format, ...)
{
	va_list args;
	char words[512];

	if (!text)
		return true;
	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	text_add(text, "%s", words);
	return true;
}

/*
 * xe took its core dump after the GuC had reset an engine (xe_guc_submit.c, "Engine reset") up to
 * Linux 6.13, and does so now if the GuC's own capture did not arrive: the registers of the ring
 * are cleared, which are not 0 on any engine with a context, or those of what ran next.
 */
bool engine_was_reset(const struct hang_engine *engine)
{
	const unsigned ring = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_START | GSC_KNOWN_CONTROL;
	const struct driver_request *queue = engine_unfinished(engine);
	enum engine_ring own = engine_ring_of_queue(engine);
	const struct gsc_engine *e = &engine->e;
	bool left;

	if (!e->blamed || !gsc_source_has(engine->hang->gpu->source, GSC_SOURCE_DEVCOREDUMP))
		return false;
	/*
	 * A job of the queue is not done, but the engine has another one's ring, or no work. At the
	 * end of the queue's ring, without a reset, its last commands may be what hangs.
	 */
	left = queue && (own == RING_OTHER ||
			 (queue->r.state == GSC_REQUEST_BEGUN && engine_is_drained(e) &&
			  (own != RING_OWN || queue->reset || e->tail_offset != queue->r.tail)));
	return (left && strcmp(engine_facts(engine)->capture_source, "GuC")) ||
	       ((e->known & ring) == ring && !e->head && !e->tail && !e->start && !e->control &&
		!e->acthd);
}

/* It means nothing if no engine is said to hang. */
bool engine_cleared(const struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct driver_facts *facts = &engine->hang->facts;

	if (!own->tells || own->hung)
		return false;
	for (size_t i = 0; i < facts->engines.count; i++)
		if (facts->engines.items[i].hung)
			return true;
	return false;
}

/* If blocks say for each engine whether it hung, the headline adds nothing. */
static bool blocks_tell(const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct driver_engine *block = engine_facts(&hang->engines.items[i]);

		if (block->tells || *block->blamed)
			return true;
	}
	return false;
}

enum blame { BLAME_NONE, BLAME_PERHAPS, BLAME_SURE };

static enum blame blamed_in_headline(const struct hang_engine *engine)
{
	const struct gsc_hang *hang = engine->hang;
	const struct driver_facts *facts = &hang->facts;
	size_t count = 0, working = 0;
	bool by_engine, by_class;
	unsigned number;

	if (*facts->named)
		return engine_meant(facts->named, engine->e.name) ? BLAME_SURE : BLAME_NONE;
	if (blocks_tell(hang))
		return BLAME_NONE;
	by_engine = facts->by_engine && engine_number(engine->e.name, ENGINE_ID, &number) &&
		    facts->mask >> number & 1;
	by_class = facts->by_class && engine_number(engine->e.name, ENGINE_UAPI, &number) &&
		   facts->mask >> number & 1;
	if (!by_engine && !by_class)
		return BLAME_NONE;
	/* The only engine of its class, or the only one with work, is meant by its class. */
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *other = &hang->engines.items[i];

		count += other->class == engine->class;
		working += other->class == engine->class && engine_has_work(&other->e);
	}
	if ((facts->by_engine && !by_engine) || (facts->by_class && !by_class) ||
	    (by_class && count > 1 && !(working == 1 && engine_has_work(&engine->e))))
		return BLAME_PERHAPS;
	return BLAME_SURE;
}

/*
 * In the words of its block, or by the headline; or a dump without any state of engines names a
 * process on this engine, and on no other. Its class may be in the headline's code; a code of other
 * engines contradicts it.
 */
bool engine_blamed(const struct hang_engine *engine, struct text *text)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct driver_facts *facts = &engine->hang->facts;
	enum blame blame;
	unsigned all = 0;

	if (*own->blamed)
		return engine_says(text, "%s", own->blamed);
	blame = blamed_in_headline(engine);
	if (blame == BLAME_SURE)
		return engine_says(text, "the dump says \"GPU HANG: %.159s\"", facts->headline);
	for (size_t i = 0; i < engine->hang->engines.count; i++)
		if (engine->hang->engines.items[i].e.known)
			return false;
	for (size_t i = 0; i < facts->engines.count; i++)
		all += facts->engines.items[i].processes;
	return own->processes && all == own->processes && !blocks_tell(engine->hang) &&
	       (blame != BLAME_NONE || (!*facts->named && !facts->by_engine && !facts->by_class)) &&
	       engine_says(text, "the dump has an active process on this engine alone%s%s: "
			   "%.120s%s", *own->i915_name ? ", which i915 calls " : "",
			   own->i915_name, own->process,
			   blame == BLAME_PERHAPS ? "; the class in its hang code fits" : "");
}

bool engine_perhaps_blamed(const struct hang_engine *engine, struct text *text)
{
	return blamed_in_headline(engine) == BLAME_PERHAPS &&
	       engine_says(text, "\"GPU HANG: %.119s\" may mean this engine: its second number is "
			   "a mask of engines up to Linux 5.10, and of classes of them since",
			   engine->hang->facts.headline);
}
