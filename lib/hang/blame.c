/* SPDX-License-Identifier: MIT */
/*
 * Which engines a driver blames in the dump that it wrote: in the block of the engine, in the
 * headline, whose words and numbers have changed their meaning over time, or, if the dump ends
 * before the engines, by naming a process on only one of them.
 */
#include "hang/engine.h"

#include "db/engine.h"
#include "db/resolve.h"
#include "source/source.h"

#include <stdio.h>
#include <string.h>

bool engine_in_dump(const struct gsc_hang *hang)
{
	return source_has_hang(hang->gpu->source);
}

bool engine_in_trace(const struct gsc_hang *hang)
{
	return gsc_source_has(hang->gpu->source, GSC_SOURCE_AUB) && !engine_in_dump(hang);
}

const struct driver_engine *engine_facts(const struct gsc_hang *hang, const struct gsc_engine *e)
{
	static const struct driver_engine none;
	const struct driver_engine *found = driver_engine(&hang->facts, e->name);

	return found ? found : &none;
}

/*
 * xe took its core dump after the GuC had reset an engine (xe_guc_submit.c, "Engine reset") up to
 * Linux 6.13, and does so now if the GuC's own capture did not arrive: the registers of the ring
 * are cleared, which are not 0 on any engine with a context, or those of what ran next.
 */
bool engine_was_reset(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	const unsigned ring = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_START | GSC_KNOWN_CONTROL;
	const struct gsc_engine *e = &engine->e;

	if (!e->blamed || !gsc_source_has(hang->gpu->source, GSC_SOURCE_DEVCOREDUMP))
		return false;
	return (engine_left_job(hang, e) && strcmp(engine_facts(hang, e)->capture_source, "GuC")) ||
	       ((e->known & ring) == ring && !e->head && !e->tail && !e->start && !e->control &&
		!e->acthd);
}

/* It means nothing if no engine is said to hang. */
bool engine_cleared(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(hang, &engine->e);

	if (!own->tells || own->hung)
		return false;
	for (size_t i = 0; i < hang->facts.engines.count; i++)
		if (hang->facts.engines.items[i].hung)
			return true;
	return false;
}

/* If blocks say for each engine whether it hung, the headline adds nothing. */
static bool blocks_tell(const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct driver_engine *block = engine_facts(hang, &hang->engines.items[i].e);

		if (block->tells || *block->blamed)
			return true;
	}
	return false;
}

/* The only engine of its class, or the only one with work. */
static bool is_alone(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	size_t count = 0, working = 0;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *other = &hang->engines.items[i];

		if (other->class != engine->class)
			continue;
		count++;
		working += engine_has_work(&other->e);
	}
	return count == 1 || (working == 1 && engine_has_work(&engine->e));
}

enum blame { BLAME_NONE, BLAME_PERHAPS, BLAME_SURE };

static enum blame blamed_in_headline(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	const struct driver_facts *facts = &hang->facts;
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
	if ((facts->by_engine && !by_engine) || (facts->by_class && !by_class) ||
	    (by_class && !is_alone(hang, engine)))
		return BLAME_PERHAPS;
	return BLAME_SURE;
}

/*
 * A dump without any state of engines names a process on this engine, and on no other. Its class
 * may be in the headline's code; a code of other engines contradicts it.
 */
static bool blamed_by_process(const struct gsc_hang *hang, const struct hang_engine *engine,
			      enum blame headline)
{
	const struct driver_facts *facts = &hang->facts;
	unsigned own = engine_facts(hang, &engine->e)->processes, all = 0;

	for (size_t i = 0; i < hang->engines.count; i++)
		if (hang->engines.items[i].e.known)
			return false;
	for (size_t i = 0; i < facts->engines.count; i++)
		all += facts->engines.items[i].processes;
	return own && all == own && !blocks_tell(hang) &&
	       (headline != BLAME_NONE ||
		(!*facts->named && !facts->by_engine && !facts->by_class));
}

bool engine_blamed(const struct gsc_hang *hang, const struct hang_engine *engine, char *text,
		   size_t size)
{
	const struct driver_engine *own = engine_facts(hang, &engine->e);
	enum blame blame;

	if (*own->blamed) {
		if (text)
			snprintf(text, size, "%s", own->blamed);
		return true;
	}
	blame = blamed_in_headline(hang, engine);
	if (blame == BLAME_SURE) {
		if (text)
			snprintf(text, size, "the dump says \"GPU HANG: %.159s\"",
				 hang->facts.headline);
		return true;
	}
	if (!blamed_by_process(hang, engine, blame))
		return false;
	if (text)
		snprintf(text, size, "the dump has an active process on this engine alone%s%s: "
			 "%.120s%s", *own->i915_name ? ", which i915 calls " : "", own->i915_name,
			 own->process,
			 blame == BLAME_PERHAPS ? "; the class in its hang code fits" : "");
	return true;
}

bool engine_perhaps_blamed(const struct gsc_hang *hang, const struct hang_engine *engine,
			   char *text, size_t size)
{
	if (blamed_in_headline(hang, engine) != BLAME_PERHAPS)
		return false;
	snprintf(text, size, "\"GPU HANG: %.119s\" may mean this engine: its second number is a "
		 "mask of engines up to Linux 5.10, and of classes of them since",
		 hang->facts.headline);
	return true;
}
