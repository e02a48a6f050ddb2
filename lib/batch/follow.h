/* SPDX-License-Identifier: MIT */
/*
 * Following commands: memory.c reads what is at a graphics address at one moment of a source;
 * follow.c goes from command to command and from batch to batch and calls a listener; rings.c knows
 * where the rings and batches of a source begin, and goes from one to the next; writes.c, state.c
 * and lint.c examine each command for what else the listener wants to know.
 */
#ifndef GSC_FOLLOW_H
#define GSC_FOLLOW_H

#include "batch/batch.h"
#include "batch/run.h"
#include "gpu/gpu.h"
#include "source/part.h"

/* ---- memory by graphics addresses ------------------------------------------------------------ */

/* What graphics addresses mean. Any of it may be missing. */
struct graphics_memory {
	const struct gsc_gpu *gpu;	/* NULL: without a source */
	struct gsc_translation *global, *process;
	bool aliasing;			/* per-process addresses are also global ones */
};

/*
 * root NULL: per-process addresses mean nothing, unless the source holds memory by such addresses.
 */
enum gsc_status graphics_open(struct graphics_memory *memory, const struct gsc_gpu *gpu,
			      const struct gsc_root *root, struct gsc_error *err);
void graphics_close(struct graphics_memory *memory);
/* Bytes from an address on, as many as there are. */
size_t graphics_read(struct graphics_memory *memory, bool process, uint64_t address, void *buf,
		     size_t size);
/* The tables are there, and do not map it. */
bool graphics_unmapped(struct graphics_memory *memory, bool process, uint64_t address);
/* Why there is nothing at an address. */
void graphics_why(struct graphics_memory *memory, bool process, uint64_t address, char *buf,
		  size_t size);

/* ---- runs ------------------------------------------------------------------------------------ */

/* Where state is, according to the commands so far. */
struct bases {
	unsigned known;			/* a bit for each */
	uint64_t base[BASES];
	uint64_t bytes[BASES];		/* 0: no bound is known */
	uint64_t bound[BASES];		/* up to Gen7 an address instead: the first one beyond */
	enum { CONSTANT_UNKNOWN, CONSTANT_RELATIVE, CONSTANT_ABSOLUTE } constant;
	bool wide_tables;		/* offsets of binding tables count in units of 256 bytes */
};

/* A bit of a masked register that says how bases are used; mask 0: the platform has none. */
struct mode_bit {
	uint32_t offset, mask;
};

/* A run to follow, and the state in force at its first command. */
struct pending {
	struct gsc_run run;
	const uint32_t *words;		/* its dwords, or NULL: they are read from memory */
	size_t count;
	uint64_t ring, ring_bytes;	/* ring_bytes 0: it does not wrap */
	uint64_t limit;			/* bytes, or UINT64_MAX */
	bool active_only;		/* of a ring: only into batches between HEAD and TAIL */
	bool done;			/* of a ring without work: its memory may be gone */
	uint64_t head, tail;		/* addresses */
	struct bases bases;
};

struct follower;

/* The dwords of a run, as they are in hand or in memory. */
struct buffer_reader {
	struct follower *f;
	const struct pending *p;
	struct gsc_stream stream;
	uint64_t done;			/* bytes before the stream's first dword */
	uint64_t left;			/* bytes that may still be taken after the stream */
	uint32_t word;			/* without a limit: the first dword of the last command */
	uint64_t same;			/* bytes of commands in a row with the same first dword */
};

/* The run that is being shown, and the place in it. */
struct telling {
	struct pending p;
	struct buffer_reader reader;
	struct gsc_command command;
	struct pending last;		/* the batch started last before HEAD */
	bool has_last;
	bool begun;			/* the run has begun and not ended */
	bool over;			/* nothing in this run follows this command */
	size_t next;			/* place of the next run in the queue */
};

/* Runs that need not be followed again, found by their address. */
struct seen {
	VEC(struct gsc_run) items;
	VEC(uint32_t) next;		/* of each: an older one in its bucket, from 1; or 0 */
	uint32_t *buckets;		/* the newest, counted from 1; or 0 */
	size_t bucket_count;
};

/* Given dwords by address, disjoint: where several overlap, the first in order counts. */
struct held_words {
	piece_vec pieces;		/* `fd` is the index of a stretch in the options */
};

struct lint;

struct follower {
	struct gsc_commands *set;
	const struct gsc_follow_options *options;
	const struct gsc_listener *listener;
	struct graphics_memory *memory;
	const struct pending *hand;	/* given dwords that may contain batches, or NULL */
	size_t hand_left;		/* how many of those, and of held ones, may be repeated */
	unsigned engine_class;
	uint64_t engine_base;		/* of the registers of its engine */
	struct mode_bit constants, tables;
	const struct gsc_mark *marks;
	size_t mark_count;
	VEC(struct pending) queue;
	struct telling telling;
	struct seen seen;
	struct held_words held;
	uint32_t *window;
	struct lint *lint;
	uint64_t budget;		/* dwords that may still be shown */
	uint64_t patience;		/* dwords that may still be followed without being shown */
	uint64_t proof;			/* the same, to find out whether a loop has a way out */
	char doubt[BATCH_DOUBT];	/* what is bad or missing on the way there, or "" */
	enum gsc_status status;		/* GSC_PARTIAL: something was wrong */
	unsigned dropped;		/* runs beyond the limit */
	bool enough;			/* the listener wants no more */
	bool no_memory;
};

enum gsc_status follower_init(struct follower *f, struct gsc_commands *set,
			      const struct gsc_follow_options *options,
			      const struct gsc_listener *listener, struct gsc_error *err);
void follower_free(struct follower *f);
/* The engine whose commands come next: "rcs0". */
enum gsc_status follower_engine(struct follower *f, const char *engine, struct gsc_error *err);
/*
 * This run and everything that it starts, in steps: each begins a run, shows a command, or ends a
 * run. Between steps the follower may be left. f->status is what was wrong with the runs.
 */
bool follow_begin(struct follower *f, const struct pending *first);	/* false: memory is out */
bool follow_step(struct follower *f);	/* false: there is nothing left to do */
/* It fails only if memory was out. */
enum gsc_status follow_end(struct follower *f, struct gsc_error *err);
/* What an MI_BATCH_BUFFER_START of a run starts; false if that is unknown. */
bool follow_started(struct follower *f, const struct pending *p, const struct gsc_command *command,
		    struct pending *next);
enum batch_fate follow_fate(struct follower *f, const struct pending *first,
			    struct batch_loop *loop);

/* ---- runs that were followed, dwords that were given ----------------------------------------- */

bool seen_add(struct seen *seen, const struct gsc_run *run);
/* The newest one that begins where this run does, or NULL. */
struct gsc_run *seen_find(const struct seen *seen, const struct gsc_run *run);
/* The same on its engine, among those from `first` on. */
struct gsc_run *seen_of_engine(const struct seen *seen, const struct gsc_run *run, size_t first);
/* Takes time in proportion to the number of runs. */
void seen_clear(struct seen *seen);
void seen_free(struct seen *seen);

bool held_init(struct held_words *held, const struct gsc_words *words, size_t count);
void held_free(struct held_words *held);
/* The stretch that contains the dword at an address, or NULL. */
const struct gsc_words *held_find(const struct held_words *held, const struct gsc_words *words,
				  uint64_t address);

/* ---- what a command means: false if the listener wants no more ------------------------------- */

bool writes_tell(struct follower *f, const struct gsc_run *run, const struct gsc_command *command);
/* With all byte writes disabled MI_LOAD_REGISTER_IMM writes nothing (snb-p3, 1.3.4). */
static inline bool writes_disabled(const struct gsc_command *command)
{
	return (command->words[0] >> 8 & 0xf) == 0xf;
}

/* What the offsets of an MI_LOAD_REGISTER_IMM count from. */
uint32_t writes_base(const struct follower *f, const struct gsc_command *command);
/* Whether constants are offsets, and in what unit offsets of binding tables count. */
void bases_modes(const struct gsc_view *view, struct mode_bit *constants, struct mode_bit *tables);
/* What a command does to the bases. */
void bases_change(struct follower *f, struct bases *bases, const struct gsc_command *command);
bool state_tell(struct follower *f, const struct gsc_run *run, const struct bases *bases,
		const struct gsc_command *command);

struct lint *lint_new(const struct gsc_view *view, const struct gsc_listener *listener);
void lint_free(struct lint *lint);
void lint_begin(struct follower *f, const struct gsc_run *run);
bool lint_tell(struct follower *f, const struct gsc_run *run, const struct gsc_command *command);
bool lint_end(struct follower *f, const struct gsc_run *run);

#endif
