/* SPDX-License-Identifier: MIT */
/* Commands followed to batches, registers, state and kernels: what is found, and for whom. */
#ifndef GSC_BATCH_RUN_H
#define GSC_BATCH_RUN_H

#include "batch/command.h"
#include "db/item.h"

struct gsc_breach;
struct gsc_root;

/* The kind of a run. */
enum gsc_run_kind {
	GSC_RUN_DWORDS,			/* dwords of the caller */
	GSC_RUN_RING,
	GSC_RUN_BATCH,
	GSC_RUN_SECOND_LEVEL,		/* a batch that returns to the one that started it */
};

/* How a run ended. */
enum gsc_run_end {
	GSC_RUN_ENDED,			/* at its end command; a ring: at its tail */
	GSC_RUN_OUT,			/* its dwords end without an end command */
	GSC_RUN_CHAINED,		/* it continues in another batch */
	GSC_RUN_NOWHERE,		/* no source holds what follows: see `why` */
	GSC_RUN_STOPPED,		/* a limit was reached: see `why` */
	GSC_RUN_BLANK,			/* one dword only, repeated: see `why` */
	GSC_RUN_LOOP,			/* it certainly never ends: see `why` */
};

/* Consecutive commands: a ring, or a batch. */
struct gsc_run {
	enum gsc_run_kind kind;
	char engine[16];		/* "rcs0" */
	bool process;			/* the address is a PPGTT address */
	bool privileged;
	unsigned submission;		/* its number in a trace, from 1; or 0 */
	uint64_t address;
	uint64_t from;			/* address of the command that starts it, if `started` */
	bool started;			/* by a command that is known */
	/* The following members are known once the run is over. */
	enum gsc_run_end end;
	uint64_t length, left;		/* bytes: decoded; held after its end */
	char why[256];
};

/* The words for the kind of a run ("ring", "batch") and for its end. */
GSC_API const char *gsc_run_kind_word(enum gsc_run_kind kind);
GSC_API const char *gsc_run_end_word(enum gsc_run_end end);

/* A register that a command loads or stores. */
struct gsc_register_write {
	enum {
		GSC_WRITE_VALUE, GSC_WRITE_MEMORY, GSC_WRITE_REGISTER,	/* loaded from there */
		GSC_READ_TO_MEMORY, GSC_READ_TO_REGISTER,		/* stored there */
		GSC_WRITE_RESULT,	/* loaded with a result of MI_MATH */
		GSC_READ,		/* read by MI_MATH, or polled */
	} kind;
	uint32_t offset;
	uint32_t value;			/* GSC_WRITE_VALUE */
	uint64_t from;			/* address of the memory, offset of the register */
	bool global;			/* `from` is a GGTT address */
	unsigned dword;			/* of the command, where the offset is */
};

/* State that a command points to. */
struct gsc_state {
	const char *name;		/* of the structure: "SAMPLER_STATE" */
	struct gsc_item item;		/* its definition, for gsc_item_fields() with `words` */
	unsigned index;			/* in an array */
	uint64_t address;
	const uint32_t *words;
	size_t count;
	char problem[160];		/* why there are no words, or what is wrong; or "" */
	unsigned depth;			/* 0: the command points to it; 1 to 3: other state does */
	bool is_offset;			/* the address is an offset from an unknown base */
};

/* A shader program that a command starts. */
struct gsc_kernel {
	const char *stage;		/* "vs", "ps", "cs", ... */
	uint64_t address;
	const void *data;
	size_t size;
	bool cut;			/* its end was not found */
	char problem[160];		/* why there are no bytes, or no more; or "" */
	unsigned simd;			/* channels of a thread: 8, 16 or 32; 0: unknown */
};

/*
 * The program at an address, in a per-process space or the global one. The caller frees its bytes.
 * If there are none, the kernel has the reason.
 */
GSC_API enum gsc_status gsc_kernel_read(struct gsc_kernel *kernel, const struct gsc_gpu *gpu,
					const char *engine, bool process, uint64_t address,
					struct gsc_error *err);

/* An item found while following commands. Members that do not apply are NULL. */
struct gsc_followed {
	const struct gsc_run *run;
	const struct gsc_command *command;	/* NULL where a run begins or ends, or for a rule */
	const struct gsc_register_write *write;
	const struct gsc_state *state;
	const struct gsc_kernel *kernel;
	const struct gsc_breach *breach;
};

/* Takes an item; false ends everything. */
typedef bool gsc_followed_fn(void *context, const struct gsc_followed *item);

/* The functions that take each kind of item, in order. Kinds without a function cost nothing. */
struct gsc_listener {
	void *context;
	gsc_followed_fn *begin, *end;		/* for each run */
	gsc_followed_fn *command, *write, *state, *kernel, *breach;
};

/* Dwords at an address. */
struct gsc_words {
	uint64_t address;
	const uint32_t *words;
	size_t count;
};

/* How commands are followed. Options that are all zero are the defaults. */
struct gsc_follow_options {
	const char *engine;		/* whose commands; NULL: what the source says */
	bool no_follow;			/* do not follow batches that are started */
	bool past_end;			/* continue after an end command */
	const struct gsc_root *root;	/* for PPGTT addresses; NULL: what the source says */
	const struct gsc_mark *marks;
	size_t mark_count;
	const struct gsc_words *held;	/* batches may be in these, before the source is tried */
	size_t held_count;
};

/*
 * These functions follow commands to the batches that they start, the registers that they load, and
 * the state and kernels that they point to. GSC_PARTIAL: something was truncated, unknown or led
 * nowhere.
 *
 * This one follows dwords of the caller as if they were at `address`; batches that they start are
 * read from the GPU's source, if there is one.
 */
GSC_API enum gsc_status gsc_follow_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
					 uint64_t address, const uint32_t *words, size_t count,
					 const struct gsc_follow_options *options,
					 const struct gsc_listener *listener,
					 struct gsc_error *err);
/* Follows a batch at a GGTT or PPGTT address. */
GSC_API enum gsc_status gsc_follow_address(struct gsc_commands *set, const struct gsc_gpu *gpu,
					   uint64_t address, bool process,
					   const struct gsc_follow_options *options,
					   const struct gsc_listener *listener,
					   struct gsc_error *err);
/* Follows all rings and batches of the source, in a trace by submission. GSC_UNKNOWN: none. */
GSC_API enum gsc_status gsc_follow_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
				       const struct gsc_follow_options *options,
				       const struct gsc_listener *listener, struct gsc_error *err);
/* All steps of gsc_following_held(). */
GSC_API enum gsc_status gsc_follow_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
					const struct gsc_follow_options *options,
					const struct gsc_listener *listener, struct gsc_error *err);

/* ---- in steps -------------------------------------------------------------------------------- */

struct following;

/*
 * Where following begins; NULL: memory is out. Any other error is the status after the first step.
 * The options and the listener are copied; the set, the GPU, and what options and listener point to
 * must outlive the following.
 */
GSC_API struct following *gsc_following_all(struct gsc_commands *set, const struct gsc_gpu *gpu,
					    const struct gsc_follow_options *options,
					    const struct gsc_listener *listener);
GSC_API struct following *gsc_following_address(struct gsc_commands *set,
						const struct gsc_gpu *gpu, uint64_t address,
						bool process,
						const struct gsc_follow_options *options,
						const struct gsc_listener *listener);
GSC_API struct following *gsc_following_words(struct gsc_commands *set, const struct gsc_gpu *gpu,
					      uint64_t address, const uint32_t *words,
					      size_t count,
					      const struct gsc_follow_options *options,
					      const struct gsc_listener *listener);
/*
 * All dwords in the options, one stretch after the other, except those that an earlier one has
 * started as a batch.
 */
GSC_API struct following *gsc_following_held(struct gsc_commands *set, const struct gsc_gpu *gpu,
					     const struct gsc_follow_options *options,
					     const struct gsc_listener *listener);
/*
 * One step: it goes to the next place where commands begin, begins a run, shows one command and
 * what belongs to it, or ends a run. A step may show nothing. The run and the command that it shows
 * are valid until the next step. False: the end.
 */
GSC_API bool gsc_following_step(struct following *following);
/* How it ended. GSC_PARTIAL: something was truncated, unknown or led nowhere. */
GSC_API enum gsc_status gsc_following_status(const struct following *following,
					     struct gsc_error *err);
GSC_API void gsc_following_free(struct following *following);

#endif
