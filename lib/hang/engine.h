/* SPDX-License-Identifier: MIT */
/*
 * What the files on engines share. engine.c reads the registers of their rings, blame.c finds which
 * engine the dump blames, engine-state.c judges by named rules, engine-units.c says which units are
 * busy, stopped.c and semaphore.c examine commands.
 */
#ifndef GSC_HANG_ENGINE_H
#define GSC_HANG_ENGINE_H

#include "hang/hang.h"
#include "util/text.h"

/* A register of the engine. */
static inline bool engine_read(const struct hang_engine *engine, const char *name, uint64_t *value)
{
	return hang_read(engine->hang, engine->e.name, name, -1, NULL, value);
}

/* Adds to a text, unless that is NULL; true, so that a condition can end with its words. */
bool engine_says(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* HEAD and TAIL are known, and differ, or are equal. */
static inline bool engine_has_work(const struct gsc_engine *e)
{
	unsigned both = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL;

	return (e->known & both) == both && e->head_offset != e->tail_offset;
}

static inline bool engine_is_drained(const struct gsc_engine *e)
{
	unsigned both = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL;

	return (e->known & both) == both && e->head_offset == e->tail_offset;
}

/* What the dump says about it: all empty if it says nothing. */
const struct driver_engine *engine_facts(const struct hang_engine *engine);
/* Does the source itself say that this engine hangs? In which words. */
bool engine_blamed(const struct hang_engine *engine, struct text *text);
/* Does it say that this one does not hang? */
bool engine_cleared(const struct hang_engine *engine);
/* It may say so, but uncertainly: why. */
bool engine_perhaps_blamed(const struct hang_engine *engine, struct text *text);
/* Whether RING_START is the ring of the queue that xe's dump is about. */
enum engine_ring { RING_UNTOLD, RING_OWN, RING_OTHER };
enum engine_ring engine_ring_of_queue(const struct hang_engine *engine);
/* The context of a queue of this engine, or NULL; of one with a job that is not done, or NULL. */
const struct driver_request *engine_context(const struct hang_engine *engine);
const struct driver_request *engine_unfinished(const struct hang_engine *engine);
/* The request that it is in, and whether it has none left, by the memory of the machine. */
const struct driver_request *engine_request(const struct hang_engine *engine);
/* ", submitted 2.1 s before the dump", or "": `text` has REQUEST_AGE bytes. */
#define REQUEST_AGE 56
const char *request_age(const struct driver_request *request, char *text);
bool engine_has_no_request(const struct hang_engine *engine);
/* What is said of the registers of an engine that was reset. */
const char *engine_why_reset(const struct hang_engine *engine);
/* Its ring reads as after a reset, though the dump says that it hangs. */
bool engine_was_reset(const struct hang_engine *engine);
/* A driver wrote the source because something hung. */
bool engine_in_dump(const struct gsc_hang *hang);
/* A trace, with no dump beside it. */
bool engine_in_trace(const struct gsc_hang *hang);

/* xe says where the batch of the job begins, and its dump has the mapping that contains it. */
bool engine_job_batch(const struct hang_engine *engine, uint64_t *start, uint64_t *end);

/* What the dump and the rules say about each engine, before it is compared with the others. */
void engines_count(struct gsc_hang *hang);
/* Sets e.state and adds the evidence for it. False: memory is out. */
bool engine_judge(struct hang_engine *engine);

/* Reads the rings of a live GPU, and watches those with work for a while: engine->motion. */
enum gsc_status engines_watch(struct gsc_hang *hang, struct gsc_error *err);

/* A field of a register of the engine: its raw bits, if the source has them. */
bool engine_field(const struct hang_engine *engine, const char *name, const char *field,
		  struct gsc_reg *reg, uint64_t *value, uint64_t *bits);

/*
 * How many bytes into a ring, which begins at *ring (NULL: unknown), ACTHD may be. No public
 * document says whether it is an offset or an address there; on Gen5 to Gen7 it has HEAD's count of
 * wraps above the offset: up to ENGINE_RING_PLACES fit.
 */
#define ENGINE_RING_PLACES 3
unsigned engine_ring_places(const struct gsc_engine *e, const uint64_t *ring,
			    uint64_t places[ENGINE_RING_PLACES]);

/* Fills engine->done: which units are done. False: memory is out. */
bool engine_read_done(struct hang_engine *engine);
/* Adds GSC_DETAIL_BUSY and GSC_DETAIL_UNITS details. False: memory is out. */
bool engine_busy(struct hang_engine *engine);
/* How many units are not done, and the name of one. */
unsigned engine_busy_count(const struct hang_engine *engine, char *first, size_t size);

/*
 * What the command where an engine stopped waits for, in words; false if it is no such command.
 * *unmet: memory shows that it still waits.
 */
bool semaphore_wait(const struct hang_engine *engine, char *text, size_t size, bool *unmet);

#endif
