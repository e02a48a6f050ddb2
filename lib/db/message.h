/* SPDX-License-Identifier: MIT */
/*
 * Messages of kernel logs, as definitions say them: the words by which a line is found, and what it
 * means. log/ finds them; more about one, such as its numbers, only code can read: its handler.
 */
#ifndef GSC_MESSAGE_H
#define GSC_MESSAGE_H

#include "db/words.h"

struct gsc_db;

/* What an event of a kernel log is. */
enum gsc_event_kind {
	GSC_EVENT_FAULT,		/* in the GPU's own tables */
	GSC_EVENT_DMA_FAULT,		/* in the IOMMU */
	GSC_EVENT_ERROR,		/* EIR, PGTBL_ER, a firmware that does not answer, ... */
	GSC_EVENT_HANG,
	GSC_EVENT_RESET,
	GSC_EVENT_DUMP,			/* a dump was kept, or engines were printed */
	GSC_EVENT_KINDS
};

/* How serious an event is: only GSC_EVENT_MAIN can stop work. */
enum gsc_event_rank {
	GSC_EVENT_MAIN,
	GSC_EVENT_LESSER,		/* something does not work, such as saving power */
	GSC_EVENT_ASIDE,		/* flicker, advice, other GPUs and code */
	GSC_EVENT_HARMLESS,		/* known to be no trouble */
	GSC_EVENT_RANKS
};

#define MESSAGE_SHORTEST 8		/* bytes of words: log/find.c moves so far at once */
#define MESSAGE_LONGEST 60

/*
 * The index by which the words of all messages are found in one pass over a text, after Wu and
 * Manber: the last two bytes of a window as long as the shortest words say how far it can move
 * without missing any of them; or, from MESSAGE_SHORTEST on, the number of the first message whose
 * words may begin where it does.
 */
#define MESSAGE_PAIRS 16384
#define MESSAGE_PAIR_AT (MESSAGE_SHORTEST - 2)

static inline unsigned message_pair(const char *at)
{
	return (at[0] & 127u) | (at[1] & 127u) << 7;
}

/* Who says whether a line with the words is one of a driver. */
enum message_use {
	MESSAGE_SHARED,			/* it is if it looks like the driver's */
	MESSAGE_CERTAIN,		/* nobody else has such words */
	MESSAGE_ANYONE,			/* a program says it, not a driver */
	MESSAGE_USES
};

/* The handlers of log/, which definitions name: these decide alone what a line is, */
#define MESSAGE_ALONE(X)                                                                           \
	X(i915_fault) X(i915_fault_head) X(i915_hang) X(i915_hangcheck) X(i915_hung_in)            \
	X(i915_resetting) X(i915_context) X(i915_error) X(i915_wait) X(i915_hung_context)          \
	X(xe_fault) X(hw_probe) X(hw_suppressed) X(hw_hardware)                       \
	X(dmar_request) X(dmar_page_request) X(crash_warn) X(crash_oops) X(crash_code)             \
	X(crash_blocked) X(crash_panic) X(engine_registers) X(other_gpu) X(quote_line)             \
	X(log_harmless)
/* and these complete what the definition says. */
#define MESSAGE_COMPLETES(X)                                                                       \
	X(i915_interrupt) X(i915_wedge_dump) X(i915_guc_reset) X(xe_job) X(xe_whose_job)           \
	X(xe_engine_reset) X(xe_reset) X(uc_load) X(uc_request) X(uc_unknown) X(uc_file)           \
	X(uc_version) X(uc_older) X(uc_direct) X(uc_vf) X(uc_late) X(uc_named) X(hw_underrun)      \
	X(hw_underrun_info)                                                                        \
	X(hw_plane) X(hw_pipe) X(hw_pcode) X(hw_forcewake) X(other_refused) X(other_lost)

#define MESSAGE_ON(name) ON_##name,
enum message_handler { ON_NONE, MESSAGE_ALONE(MESSAGE_ON) MESSAGE_COMPLETES(MESSAGE_ON)
		       ON_HANDLERS };
#undef MESSAGE_ON

/* The words of by=, kind= and rank=. */
extern const char *const message_handlers[ON_HANDLERS];
extern const char *const event_kinds[GSC_EVENT_KINDS];
extern const char *const event_ranks[GSC_EVENT_RANKS];

GSC_API const char *gsc_event_word(enum gsc_event_kind kind);	/* "fault", "dma-fault", ... */
GSC_API const char *gsc_rank_word(enum gsc_event_rank rank);	/* "main", ... */

struct gsc_message {
	const char *words;
	const char *text;		/* what they mean, with ENGINE, or why that is no trouble */
	const char *type;		/* what a signature calls it; "": by its kind */
	const char *driver;		/* unless the line names it; "": that of the log */
	const char *after;		/* what precedes the words in the line, or "" */
	enum message_use use;
	enum gsc_event_kind kind;
	enum gsc_event_rank rank;
	enum message_handler handler;
	const char *by;			/* the name of the handler, or NULL */
	bool wedged;			/* the driver gives up the GPU */
	bool needs_engine;		/* words of many, unless an engine follows them */
	const char *document, *section;	/* its origin */
};

/* Message number i, those of the user first; false past the last. */
GSC_API bool gsc_message_at(const struct gsc_db *db, size_t i, struct gsc_message *message);

#endif
