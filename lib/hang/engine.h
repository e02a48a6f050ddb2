/* SPDX-License-Identifier: MIT */
/*
 * What the files on engines share. engine.c reads the registers of their rings, blame.c finds which
 * engine the dump blames, engine-state.c judges by named rules, engine-busy.c lists units,
 * engine-units.c folds them, stopped.c and semaphore.c examine commands.
 */
#ifndef GSC_HANG_ENGINE_H
#define GSC_HANG_ENGINE_H

#include "hang/hang.h"

/* An engine as the rules see it. */
struct engine_look {
	const struct gsc_hang *hang;
	const struct hang_engine *engine;
	const struct gsc_engine *e;
	bool suspect;			/* it has work, and does not wait */
	/* Engines: blamed by the dump; suspect; suspect with a fault; waiting. */
	unsigned blamed, suspects, faulted, waiting;
};

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
const struct driver_engine *engine_facts(const struct gsc_hang *hang, const struct gsc_engine *e);
/* Does the source itself say that this engine hangs? In which words, into `text`. */
bool engine_blamed(const struct gsc_hang *hang, const struct hang_engine *engine, char *text,
		   size_t size);
/* Does it say that this one does not hang? */
bool engine_cleared(const struct gsc_hang *hang, const struct hang_engine *engine);
/* It may say so, but uncertainly: why, into `text`. */
bool engine_perhaps_blamed(const struct gsc_hang *hang, const struct hang_engine *engine,
			   char *text, size_t size);
/* Whether RING_START is the ring of the queue that xe's dump is about. */
enum engine_ring { RING_UNTOLD, RING_OWN, RING_OTHER };
enum engine_ring engine_ring_of_queue(const struct gsc_hang *hang, const struct gsc_engine *e);
/* The context of a queue of this engine, or NULL; */
const struct driver_request *engine_context(const struct gsc_hang *hang,
					    const struct gsc_engine *e);
/* of one that has a job that is not done, or NULL. */
const struct driver_request *engine_unfinished(const struct gsc_hang *hang,
					     const struct gsc_engine *e);
/* A job of that queue is not done, but the engine has another one's ring, or no work. */
bool engine_left_job(const struct gsc_hang *hang, const struct gsc_engine *e);
/* What is said of the registers of an engine that was reset. */
const char *engine_why_reset(const struct hang_engine *engine);
/* Its ring reads as after a reset, though the dump says that it hangs. */
bool engine_was_reset(const struct gsc_hang *hang, const struct hang_engine *engine);
/* A driver wrote the source because something hung. */
bool engine_in_dump(const struct gsc_hang *hang);
/* A trace, with no dump beside it. */
bool engine_in_trace(const struct gsc_hang *hang);

/* xe says where the batch of the job begins, and its dump has the mapping that contains it. */
bool engine_job_batch(const struct gsc_hang *hang, const struct gsc_engine *e, uint64_t *start,
		      uint64_t *end);

/* What the rules say about an engine alone, before it is compared with the others. */
bool engine_suspect(const struct engine_look *look);
bool engine_waits(const struct engine_look *look);
bool engine_faulted(const struct engine_look *look);
/* Sets e.state and adds the evidence for it. False: memory is out. */
bool engine_judge(struct hang_engine *engine, const struct engine_look *look);

/* Reads the rings of a live GPU, and watches those with work for a while: engine->motion. */
enum gsc_status engines_watch(struct gsc_hang *hang, struct gsc_error *err);

/* A field of a register of the engine: its raw bits, if the source has them. */
bool engine_field(const struct gsc_hang *hang, const struct hang_engine *engine,
		  const char *name, const char *field, struct gsc_reg *reg, uint64_t *value,
		  uint64_t *bits);

/*
 * How many bytes into a ring, which begins at *ring (NULL: unknown), ACTHD may be. No public
 * document says whether it is an offset or an address there; on Gen5 to Gen7 it has HEAD's count of
 * wraps above the offset: up to ENGINE_RING_PLACES fit.
 */
#define ENGINE_RING_PLACES 3
unsigned engine_ring_places(const struct gsc_engine *e, const uint64_t *ring,
			    uint64_t places[ENGINE_RING_PLACES]);

/* One value of a register that says which units are done. */
struct engine_done {
	struct gsc_reg reg;
	uint64_t value;
	char instance[16];		/* "[1][0]", or "" */
};

/* "VF_DONE" is the bit of VF; "[1][0]" is " of slice 1, subslice 0". */
void engine_unit_name(const char *field, char *buf, size_t size);
void engine_place(const char *instance, char *buf, size_t size);
/* Adds GSC_DETAIL_UNITS details, by `count` values. False: memory is out. */
bool engine_units(const struct gsc_hang *hang, struct hang_engine *engine,
		  const struct engine_done *done, size_t count);
/* Adds GSC_DETAIL_BUSY and GSC_DETAIL_UNITS details. False: memory is out. */
bool engine_busy(const struct gsc_hang *hang, struct hang_engine *engine);
/* How many units are not done, and the name of one. */
unsigned engine_busy_count(const struct gsc_hang *hang, const struct hang_engine *engine,
			   char *first, size_t size);

/* What a waiting command is waiting for, in words; false if it is no such command. */
bool semaphore_wait(const struct gsc_hang *hang, const struct hang_engine *engine,
		    const struct gsc_command *command, bool process, char *text, size_t size);

#endif
