/* SPDX-License-Identifier: MIT */
/*
 * hang/: what a source shows about something that went wrong. Enter at hangs.c for all that is in a
 * source, also the dumps that a kernel has kept, and at hang.c for one dump. hang.c asks in this
 * order: facts, faults, errors, requests, engines, where each stopped, its endless loop, objects,
 * side registers, limits of speed, the verdict. fault.c reads the registers that latch page faults,
 * error.c those that report errors, engine.c what each engine was doing, by named rules, stopped.c
 * the command where it stopped, cause.c the command that asked for a faulting address,
 * side-registers.c smaller traces of a cause (engine.h lists the others), guc.c what the GuC said,
 * limits.c why the GPU is slow. What a driver says comes as structs from formats/facts.h; request.c
 * finds engines in it. walk.c walks the addresses of faults; check.c doubts the whole; verdict.c
 * chooses the worst engine by rank and says it in a sentence; log-summary.c does so for the events
 * of a kernel log (log/); reach.h says which memory all this reads. cause.c, check.c and
 * workaround.c (what a driver writes into registers) answer only when asked, so showing a hang may
 * read memory; all else is ready when gsc_hang_new() returns. A rule about what went wrong belongs
 * here. Facts about registers come from the definitions; nothing here reads a register in a way
 * that changes it, and nothing prints.
 */
#ifndef GSC_HANG_H
#define GSC_HANG_H

#include "batch/run.h"
#include "db/rule.h"
#include "formats/facts.h"
#include "gpu/gpu.h"
#include "gtt/walk.h"
#include "hang/firmware.h"
#include "log/event.h"
#include "open/open.h"
#include "tile/tile.h"
#include "util/util.h"

#include <stdio.h>
#include <string.h>

/* What went wrong: faults, errors, what each engine was doing, fences, and a sentence about it. */
struct gsc_hang;

/* How to examine a hang. Options that are all zero are the defaults. */
struct gsc_hang_options {
	bool no_walk;			/* do not translate the faulting addresses */
	bool now;			/* read a live GPU twice, to see whether it moves */
};

/* Collects what a source shows about a hang. It clears nothing. The GPU must outlive it. */
GSC_API enum gsc_status gsc_hang_new(struct gsc_hang **hang, const struct gsc_gpu *gpu,
				     const struct gsc_hang_options *options, struct gsc_error *err);
GSC_API void gsc_hang_free(struct gsc_hang *hang);

/* The walk of a faulting address through the tables of the source. False: `why` there is none. */
GSC_API bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
			   const struct gsc_translation **translation, char *why, size_t size);

/* The command that used a faulting address. */
struct gsc_cause {
	struct gsc_run run;		/* the ring or batch that it is in */
	struct gsc_command command;	/* its words live as long as the hang */
	bool stopped;			/* the engine stopped in it, not after it */
	bool in_state;			/* the address is in state that the command points to */
	uint64_t state;			/* address of that state */
	char field[96];			/* "ADDRESS"; in state "NAME.FIELD", or "NAME" */
	unsigned dword;			/* of the command or the state, where the field begins */
	uint64_t value;			/* the address that the field holds */
};

/*
 * The command that used the address of a fault: the last one before the engine stopped that holds
 * an address in the same page or, if there is none, points to state that does. The first call
 * searches the commands of the source. False: none is known, or memory is exhausted.
 */
GSC_API bool gsc_hang_cause(struct gsc_hang *hang, size_t fault, struct gsc_cause *cause);

/* Reports broken rules about the whole state, and observations that make the state doubtful. */
GSC_API enum gsc_status gsc_hang_check(struct gsc_hang *hang, gsc_breach_fn *each, void *context,
				       struct gsc_error *err);
/* Rule number `i` of gsc_hang_check(), for `gpu-db list --rules`; NULL past the last. */
GSC_API const struct rule *gsc_hang_rule(size_t i);

/*
 * The signature, "snb/rcs0/3DSTATE_INDEX_BUFFER/ppgtt-fault", which is the same for hangs of one
 * kind, and the verdict, a sentence.
 */
GSC_API const char *gsc_hang_signature(const struct gsc_hang *hang);
GSC_API const char *gsc_hang_verdict(const struct gsc_hang *hang);

/* Whether the source holds error registers; if not, the absence of errors proves nothing. */
GSC_API bool gsc_hang_tells_errors(const struct gsc_hang *hang);

/*
 * How many reads of registers gave a value, were absent, asleep, ... If some sleep, a value counts
 * only if its register could sleep, too.
 */
GSC_API size_t gsc_hang_reads(const struct gsc_hang *hang, enum gsc_read status);

/* A bit, or a field, that reports an error. */
struct gsc_trouble {
	struct gsc_reg reg;
	uint64_t value;			/* of the register */
	unsigned hi, lo;
	const char *name;		/* of the field */
	char text[320];			/* its meaning and its consequence */
};

/* What an engine was doing. */
enum gsc_engine_state {
	GSC_ENGINE_UNKNOWN,		/* its registers are missing, or do not show its state */
	GSC_ENGINE_IDLE,
	GSC_ENGINE_RUNNING,
	GSC_ENGINE_WAITING,		/* for a semaphore, an event, a scan line */
	GSC_ENGINE_HUNG,
};

/* The word for it: "idle", "hung", ... */
GSC_API const char *gsc_engine_state_word(enum gsc_engine_state state);

/* Which members of a struct gsc_engine are known. */
enum gsc_engine_known {
	GSC_KNOWN_HEAD = 1 << 0, GSC_KNOWN_TAIL = 1 << 1, GSC_KNOWN_START = 1 << 2,
	GSC_KNOWN_CONTROL = 1 << 3, GSC_KNOWN_ACTHD = 1 << 4, GSC_KNOWN_IPEHR = 1 << 5,
	GSC_KNOWN_RING = 1 << 6,	/* ring_bytes, head_offset, ..., wraps */
	GSC_KNOWN_ACTHD_PROCESS = 1 << 7,	/* acthd is a PPGTT address */
	GSC_KNOWN_ACTHD_RING = 1 << 8,	/* acthd is in the ring, at acthd_offset */
};

/* An engine: its state, its pointers, and the command in which it stopped. */
struct gsc_engine {
	const char *name;		/* "rcs0" */
	enum gsc_engine_state state;
	bool blamed;			/* the dump itself says that it hangs */
	unsigned known;			/* which of the members below are: enum gsc_engine_known */
	uint64_t head, tail, start, control, acthd, ipehr;	/* register values */
	const char *header;		/* the command whose first dword ipehr may be, or NULL */
	uint64_t ring_bytes, head_offset, tail_offset, used, free, wraps;	/* of the ring */
	/* Where the engine stopped: */
	bool stopped;			/* `command` and `run` are known */
	bool agrees;			/* the command's first dword is IPEHR */
	struct gsc_command command;	/* its words live as long as the hang */
	struct gsc_run run;		/* ring or batch of the command */
	uint64_t offset;		/* bytes from the command's first dword to ACTHD */
	char where[256];		/* where it stopped, in words, or why that is unknown */
	bool enabled;			/* `control` says that the ring is enabled */
	uint64_t acthd_offset;		/* bytes from the start of the ring */
};

/* The kind of a detail. */
enum gsc_detail_kind {
	GSC_DETAIL_EVIDENCE,		/* why the state is what it is */
	GSC_DETAIL_BUSY,		/* a unit that is not done, by INSTDONE or similar */
	GSC_DETAIL_UNITS,		/* several such units: "all 12 EUs" */
	GSC_DETAIL_WITNESS,		/* what other registers say */
};

/* A detail of the state of an engine. */
struct gsc_detail {
	enum gsc_detail_kind kind;
	bool minor;			/* it says little about most hangs */
	char name[64];			/* name of a register, unit or rule */
	char text[512];
};

/* The word for it: "never began", "done", ... */
GSC_API const char *gsc_request_state_word(enum gsc_request_state state);

/* ---- all that a source has ----------------------------------------------------------------- */

/* A dump that the kernel has kept, and what it shows. */
struct gsc_kept {
	struct gsc_source *source;
	struct gsc_gpu *gpu;
	struct gsc_hang *hang;
	const char *kind;
	char path[128];
	int64_t age;			/* seconds, or -1 */
};

#define GSC_KEPT_MAX 8

/* The registers of a source, and what the kernel has kept from the same GPU. */
struct gsc_hangs {
	struct gsc_kept kept[GSC_KEPT_MAX];
	size_t count;
	struct gsc_hang *now;		/* NULL: they are not available */
	struct gsc_hang *main;		/* the one that the verdict rests on */
};

struct gsc_hangs_options {
	bool no_walk;
	const struct gsc_source_options *source;	/* how dumps are opened */
	/* Takes the path of one that cannot be opened; or NULL. */
	void (*lost)(void *context, const char *path, const struct gsc_error *err);
	void *context;
};

/* *err: the refusal of the registers, if nothing was kept either. The GPU must outlive them. */
GSC_API enum gsc_status gsc_hangs_open(struct gsc_hangs *hangs, const struct gsc_gpu *gpu,
				       const struct gsc_hangs_options *options,
				       struct gsc_error *err);
GSC_API void gsc_hangs_close(struct gsc_hangs *hangs);
/* Does it show anything that went wrong? A truncated dump may not. */
GSC_API bool gsc_hang_tells(const struct gsc_hang *hang);
/* Does its signature say that nothing is wrong? Then a log that tells of something counts. */
GSC_API bool gsc_hang_is_none(const struct gsc_hang *hang);
/* The text of the kernel log in a source, which lives as long as the source; NULL: none. */
GSC_API const char *gsc_source_log(const struct gsc_source *source, size_t *size);
/* Is it a kernel log, and nothing else that is known? */
GSC_API bool gsc_source_is_log(const struct gsc_source *source);
/* The same for one with other parts that have no registers of faults and engines: lspci's rows. */
GSC_API bool gsc_hangs_only_log(const struct gsc_hangs *hangs, const struct gsc_source *source);
/*
 * The platforms, a bit each, that a source can be of if nothing names its platform, by the code of
 * its hang and its firmware, and which of these it was. 0: nothing shows it.
 */
GSC_API uint64_t gsc_hang_platforms(const struct gsc_source *source, char *why, size_t size);

/* ---- the inside of the room ----------------------------------------------------------------- */

/* Whether an engine moved while it was watched: now, or when a capture was made. */
enum engine_motion { MOTION_UNKNOWN, MOTION_MOVES, MOTION_STANDS };

/* One value of a register that says which units are done. */
struct engine_done {
	struct gsc_reg reg;
	uint64_t value;
	char instance[16];		/* "[1][0]", or "" */
};

struct hang_engine {
	const struct gsc_hang *hang;	/* that it belongs to */
	struct gsc_engine e;
	enum engine_motion motion;
	unsigned watched;		/* milliseconds */
	unsigned class, instance;
	uint32_t base;
	VEC(struct gsc_detail) details;
	VEC(struct engine_done) done;
	uint32_t *words;		/* of e.command */
	unsigned busy;			/* units, except those of registers that read 0 */
	char loop[136];			/* how its batch loops, or "" */
	char left[160];			/* how it left its batch, or "" */
	uint64_t lead;			/* if e.stopped: the command with which a listing begins */
	bool reset;			/* its registers are not those of the work that hung: */
	bool other;			/* another queue's, else those after a reset */
	bool suspect;			/* it has work, and does not wait */
	bool ring_seen, has_start;	/* commands of its ring; that start a batch before HEAD: */
	uint64_t start_at;		/* the last of these, bytes into the ring */
};

/* How reading registers went, by enum gsc_read. */
struct hang_tally {
	size_t of[GSC_READS];
	size_t woken;			/* values of registers that can sleep */
	VEC(uint64_t) asked;		/* their offsets, unless they are absent */
};

/* Tables in which a faulting address is looked up: the global ones, an engine's, a function's. */
struct hang_space {
	const char *name;		/* as gsc_fault.space */
	char owner[16];			/* "rcs0"; of "dma" the PCI function; of others "" */
	struct gsc_translation *translation;	/* NULL: `error` says why */
	struct gsc_error error;
};

struct hang_tables {
	const struct gsc_gpu *gpu;
	VEC(struct hang_space) spaces;	/* without duplicates */
};

/* What is known about the command that asked for a fault's address. */
struct hang_cause {
	const struct gsc_engine *engine;	/* that stopped; NULL: no search */
	bool here, met;			/* the place is in this run; it has been met */
	bool known;
	struct gsc_cause c;
	uint32_t *words;		/* of c.command */
};

/* What is known of a GT's speed, and, with the first GT, of the whole GPU. */
enum hang_number {
	MHZ_REQUESTED, MHZ_ACTUAL, MHZ_MIN, MHZ_MAX, MHZ_RP0, MHZ_RPN,
	RC6_MILLISECONDS, MILLIWATTS_ALLOWED, MILLIWATTS_RATED, BYTES_IN_BAR, BYTES_OF_MEMORY,
	SLEEP_STATE, WEDGED, HANG_NUMBERS
};

struct hang_limits {
	bool known;			/* any of it; with the first GT, of all */
	uint64_t of[HANG_NUMBERS];	/* 0: not known; RC6_MILLISECONDS is 1 too many */
	bool asleep;			/* and so has no frequency */
	bool tells, latches;		/* `now`, `since` are known */
	bool unclear;			/* something limits it, says the driver, but not what */
	uint32_t now, since;		/* bits of GT0_PERF_LIMIT_REASONS */
};

/* What the messages and the log of a GuC say about the hang. */
struct hang_guc {
	const char *class;		/* of the signature if no engine hangs, or NULL */
	char why[160];			/* the same in words */
	bool crashed;
	char memory[256];		/* an access that failed, or "": of this engine, or of */
	char engine[ENGINE_NAME];	/* that with the hung context */
};

#define HANG_GTS 4
#define HANG_REASONS 16
enum { NOT_WEDGED = 1, IS_WEDGED };

struct gsc_hang {
	const struct gsc_gpu *gpu;
	struct gsc_hang_options options;
	struct gsc_commands *set;	/* the engine whose commands they are */
	VEC(struct gsc_fault) faults;
	struct hang_cause *causes;	/* one for each fault; NULL: nobody has asked */
	bool causes_missed;		/* memory ran out while they were searched for */
	struct hang_tables tables;	/* the tables that the faults name */
	VEC(struct gsc_trouble) errors;
	VEC(struct hang_engine) engines;
	/* Engines: blamed by the dump; suspect; suspect with a fault; waiting. */
	unsigned blamed, suspects, faulted, waiting;
	VEC(struct gsc_fence) fences;
	struct driver_facts facts;	/* what the driver says; objects, requests; about itself */
	struct gsc_firmwares firmware;	/* what it loaded */
	struct hang_guc guc;
	struct hang_limits limits[HANG_GTS];
	struct gsc_field reasons[HANG_REASONS];	/* bits of hang_limits.now */
	size_t reason_count;
	struct hang_tally *tally;
	const struct hang_engine *worst;	/* the engine of the verdict, or NULL */
	char signature[160], verdict[640];
};

/* ---- registers ------------------------------------------------------------------------------- */

/*
 * The value of a register, if the source has it and reading it changes nothing. *reg, which may be
 * NULL, is set in any case if the platform has the register.
 */
bool hang_read(const struct gsc_hang *hang, const char *engine, const char *name, int index,
	       struct gsc_reg *reg, uint64_t *value);
/* The same for a register that has already been found. */
bool hang_read_reg(const struct gsc_hang *hang, const struct gsc_reg *reg, uint64_t *value);

/* ---- the steps of an examination ------------------------------------------------------------- */

/* Each fills its list, and fails if memory is out; hang.c calls them in order. */
enum gsc_status hang_faults(struct gsc_hang *hang, struct gsc_error *err);
enum gsc_status hang_errors(struct gsc_hang *hang, struct gsc_error *err);
enum gsc_status hang_engines(struct gsc_hang *hang, struct gsc_error *err);
/* The commands in which the engines stopped. Sets stopped, agrees, command, run, offset, where. */
enum gsc_status hang_stopped(struct gsc_hang *hang, struct gsc_error *err);
/* The same for engines that were reset, if their job, which is known by then, cannot end. */
enum gsc_status hang_endless(struct gsc_hang *hang, struct gsc_error *err);
/* Adds GSC_DETAIL_WITNESS details. */
enum gsc_status hang_side_registers(struct gsc_hang *hang, struct hang_engine *engine,
			       struct gsc_error *err);
/* Whose requests the driver lists; then where they are, and objects: adds details to engines. */
enum gsc_status hang_requests(struct gsc_hang *hang, struct gsc_error *err);
enum gsc_status hang_places(struct gsc_hang *hang, struct gsc_error *err);
enum gsc_status hang_objects(struct gsc_hang *hang, struct gsc_error *err);
/* What a GuC reported and left unanswered: facts. */
enum gsc_status hang_guc(struct gsc_hang *hang, struct gsc_error *err);
/* What limits the speed of the GPU; a sentence about it, or nothing. */
void hang_limits(struct gsc_hang *hang);
void hang_say_limits(const struct gsc_hang *hang, struct text *s);
void hang_verdict(struct gsc_hang *hang);

/* The first fault of an engine, or of all (NULL); of two, the one that stops it. */
const struct gsc_fault *hang_fault_of(const struct gsc_hang *hang, const char *engine);
/* Does the engine stop at such a fault? */
bool hang_fault_stops(const struct gsc_hang *hang, const struct gsc_fault *fault);
/* Is it from Gen6's log of faults? */
static inline bool hang_fault_logged(const struct gsc_fault *fault)
{
	return fault->reg.name && !strncmp(fault->reg.name, "PP_PF", 5);
}
/* Whether an error can stop an engine, unlike one of the display or of the host. */
bool hang_error_of_engines(const struct gsc_trouble *trouble);

bool hang_detail(struct hang_engine *engine, enum gsc_detail_kind kind, const char *name,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The buffers of all parts of a source, one after the other. */
struct hang_buffers {
	const struct gsc_source *source;
	size_t part, next;		/* the part of `b`, and what comes after it */
	struct gsc_buffer_origin b;
};

static inline bool hang_buffer_next(struct hang_buffers *at)
{
	for (; at->part < gsc_source_count(at->source); at->part++, at->next = 0)
		if (gsc_source_buffer(at->source, at->part, at->next, &at->b)) {
			at->next++;
			return true;
		}
	return false;
}

/* walk.c: the tables of one more fault; in the space "dma" the function is "0000:00:02.0". */
enum gsc_status hang_tables_open(struct hang_tables *tables, const struct gsc_fault *fault,
				 const char *function, struct gsc_error *err);
void hang_tables_free(struct hang_tables *tables);
/* Like gsc_hang_walk(), with tables that have been opened. */
bool hang_tables_walk(const struct hang_tables *tables, const struct gsc_fault *fault,
		      const char *function, struct gsc_walk *walk,
		      const struct gsc_translation **translation, char *why, size_t size);
/* A doubt about a fault, and its words. */
#define HANG_MAPPED_NOW "mapped-now"
#define HANG_MAPPED_TEXT                                                                           \
	"0x%llx is mapped now: its table was changed after the fault, or another one was in force"
/* Do the tables of the source lead from a fault's address to a page? */
bool hang_fault_mapped(const struct gsc_hang *hang, const struct gsc_fault *fault);

/* cause.c */
void hang_causes_free(struct gsc_hang *hang);

/* The root of an engine's per-process addresses, as far as the source shows it. */
bool hang_root(const struct gsc_hang *hang, const char *engine, struct gsc_root *root);

/* ---- signatures ----------------------------------------------------------------------------- */

/* "snb/rcs0/3DPRIMITIVE/ppgtt-fault"; what is NULL or empty is unknown. */
static inline void hang_sign(char *buf, size_t size, const char *platform, const char *engine,
			     const char *command, const char *class)
{
	snprintf(buf, size, "%s/%s/%s/%s", platform && *platform ? platform : "-",
		 engine && *engine ? engine : "-", command && *command ? command : "-", class);
}

static inline void hang_fault_class(const struct gsc_fault *fault, char *buf, size_t size)
{
	snprintf(buf, size, "%s-fault", fault->space ? fault->space : "page");
}

#endif
