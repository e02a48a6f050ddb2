/* SPDX-License-Identifier: MIT */
/*
 * guc/: what the GuC firmware and its driver leave in memory. ct.c takes apart the two rings of the
 * command transport (CT), log.c the log and the registers that the GuC captured in it. What the
 * messages and entries hold is defined in structures/guc-*.def.
 */
#ifndef GSC_GUC_H
#define GSC_GUC_H

#include "db/engine.h"
#include "db/view.h"
#include "util/util.h"

#include <string.h>

static inline uint32_t guc_dword(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* ---- the command transport ------------------------------------------------------------------- */

/* To the GuC (H2G), and from it (G2H). */
enum guc_direction { GUC_SENT, GUC_RECEIVED, GUC_DIRECTIONS };

/* What a message is: bits 30:28 of its first dword. */
enum guc_type {
	GUC_REQUEST, GUC_EVENT, GUC_FAST_REQUEST, GUC_BUSY, GUC_RETRY = 5, GUC_FAILURE, GUC_SUCCESS
};

/* A ring of messages and its descriptor; offsets are in dwords. */
struct guc_ring {
	uint32_t start, size;		/* in the image */
	uint32_t head, tail, status;	/* read up to here, written up to here */
	uint32_t gap;			/* dwords of messages that are partly overwritten */
	bool wrapped;			/* the oldest messages are gone */
	bool lost;			/* they are, or some cannot be read */
};

struct guc_message {
	enum guc_direction direction;
	enum guc_type type;
	bool unread;			/* the other side has not taken it out of the ring */
	uint16_t action, fence;
	uint32_t offset;		/* of its header, in dwords of the image */
	size_t first, count;		/* its dwords after the header, in guc_ct.words */
	size_t other;			/* the answer to a request, the request of an answer */
};

#define GUC_NONE SIZE_MAX			/* there is no other */

/* All messages, oldest first: both rings are in order, and no answer precedes its request. */
struct guc_ct {
	struct guc_ring rings[GUC_DIRECTIONS];
	VEC(uint32_t) words;
	VEC(struct guc_message) messages;
	size_t lost;			/* to requests before this one the answer may be lost */
};

/* Takes an image of both rings apart. GSC_FAILED: it is none. */
enum gsc_status guc_ct_read(struct guc_ct *ct, const void *image, size_t size,
			    struct gsc_error *err);
void guc_ct_free(struct guc_ct *ct);

/* What a field of a structure calls its value: the action of GUC_HXG_REQUEST. */
bool guc_named(const struct gsc_view *view, const char *structure, const char *field,
	       const uint32_t *words, size_t count, struct gsc_value *value);
/* Whether a message replies to a page fault. */
bool guc_answers_fault(const struct guc_ct *ct, const struct guc_message *message,
		       const struct guc_message *fault);
/*
 * How many captures the GuC has reported since the last context with a number was gone, if there
 * was one: no older one is of the context that has it now.
 */
size_t guc_captures_of(const struct guc_ct *ct, uint32_t context);
/* Whether a context was reset before the driver wanted to stop it. */
bool guc_resets_alone(const struct guc_ct *ct, const struct guc_message *reset);
/* A request that should have been answered by now; or whose answer, if any, cannot be read. */
bool guc_unanswered(const struct guc_ct *ct, const struct guc_message *message);
bool guc_answer_lost(const struct guc_ct *ct, const struct guc_message *message);

/* ---- the log --------------------------------------------------------------------------------- */

/* Events of the firmware, what it left when it crashed, registers of engines that it reset. */
enum guc_log_part { GUC_LOG_EVENTS, GUC_LOG_CRASH, GUC_LOG_CAPTURE, GUC_LOG_PARTS };

#define GUC_STATE_BYTES 36u		/* of GUC_LOG_BUFFER_STATE, one after the other */

struct guc_log_state {
	uint32_t read, write;		/* bytes in the part */
	uint64_t start, size;		/* of the part, in the log; size 0: not known */
	bool cut;			/* the log ends in the part */
};

enum gsc_status guc_log_read(struct guc_log_state states[GUC_LOG_PARTS], const void *log,
			     size_t size, struct gsc_error *err);

/* ---- captured registers ---------------------------------------------------------------------- */

enum guc_capture_type { GUC_CAPTURE_GLOBAL, GUC_CAPTURE_CLASS, GUC_CAPTURE_INSTANCE };

/* As in GUC_CAPTURED_REGISTER. */
struct guc_captured {
	uint32_t offset, value, flags, mask;
};

#define GUC_STEERED(flags) ((flags) >> 1 & 1)
#define GUC_STEERING_GROUP(flags) ((flags) >> 12 & 0x1f)
#define GUC_STEERING_INSTANCE(flags) ((flags) >> 20 & 0xf)

/* A list of registers of one group: all that was captured at one reset. */
struct guc_capture {
	size_t group;			/* from 0, oldest first */
	bool partial;			/* the GuC had no room for all lists of the group */
	enum guc_capture_type type;
	unsigned class, instance;	/* as the GuC counts */
	uint32_t lrca, context;		/* of what hung, in lists of an instance */
	uint32_t offset;		/* of the list in the log, in bytes */
	size_t first, count;		/* its registers, in guc_captures.registers */
};

struct guc_captures {
	VEC(struct guc_capture) lists;
	VEC(struct guc_captured) registers;
	uint32_t gap;			/* dwords of groups that are partly overwritten */
};

/* Of the state GUC_LOG_CAPTURE of a log. False: memory is out. */
bool guc_captures_read(struct guc_captures *captures, const struct guc_log_state *state,
		       const void *log);
void guc_captures_free(struct guc_captures *captures);
/* The engine of a list, and its registers' base. False: the platform has none such. */
bool guc_engine(const struct gsc_view *view, const struct guc_capture *list,
		char name[ENGINE_NAME], uint32_t *base);
/* The address of a register of it, as the processor sees it. */
uint32_t guc_register_address(const struct gsc_platform *platform,
			      const struct guc_capture *list, const struct guc_captured *captured,
			      uint32_t base);

#endif
