/* SPDX-License-Identifier: MIT */
/*
 * batch/: command buffers. Others use command.h and run.h. A set (set.c) is the commands that one
 * platform's engines know, each prepared on first use (plan.c); a stream (stream.c) cuts a run of
 * dwords into commands; follow.c follows the batches that they start, tracks state and finds what
 * they point to. Everything is reported as events; nothing here prints. A length that a command
 * claims is never trusted beyond the buffer.
 */
#ifndef GSC_BATCH_H
#define GSC_BATCH_H

#include "batch/command.h"
#include "db/view.h"
#include "util/text.h"
#include "util/util.h"

/* A field that the platform has, with everything needed to print it already computed. */
struct plan_field {
	const struct c_field *def;
	const struct c_form *form;
	const char *name;
	uint32_t name_length;
	uint16_t dword;			/* of its lowest bit */
	uint8_t lo, width;		/* bit in that dword; at most 64 bits */
	bool reserved;			/* shown only if it breaks its rule */
	bool conditional;		/* it depends on another field */
	uint16_t when;			/* place in the same list, or UINT16_MAX */
};

struct plan_fields {
	struct plan_field *items;	/* in order of dwords, highest bits first */
	unsigned count;
	unsigned number;		/* unique within a set: writers cache by it */
	bool leads;			/* some of them point to something that can be followed */
};

struct plan_repeat {
	const char *name;
	unsigned at, size;		/* dwords */
	bool after;			/* directly after the previous group */
	enum repeat_kind kind;
	unsigned count, field;		/* REPEAT_COUNT; REPEAT_FIELD: place in the plan's fields */
	struct plan_fields fields;
};

/* What following commands needs to know about one of them: role.c. */
enum role {
	ROLE_NONE,
	ROLE_START, ROLE_END,		/* of a batch */
	ROLE_IMMEDIATE, ROLE_FROM_MEMORY, ROLE_TO_MEMORY, ROLE_BETWEEN,	/* registers */
	ROLE_POST_SYNC, ROLE_MATH, ROLE_POLL,				/* those as well */
	ROLE_BASES,
	ROLE_DOUBT,			/* may end a batch, hold it, or skip commands of it */
	ROLES
};

#define ROLE_KEYS 6

/* How a definition looks on one platform: a command, or a structure. */
struct plan {
	const struct plan_field *key[ROLE_KEYS];	/* the fields that its role depends on */
	const struct layer *layer;
	struct plan_fields fields;
	struct plan_repeat *repeats;
	unsigned repeat_count;
};

/*
 * A command of the set. Commands that share a bucket form a chain, the most specific first.
 * Everything needed to find the next command is kept together, because each search waits for the
 * length of the command before.
 */
struct known_command {
	uint32_t mask, value;		/* of its header */
	uint32_t length_mask, length;	/* header >> length_lo & length_mask, plus length */
	uint32_t expect_lo, expect_hi;	/* documented lengths here */
	uint32_t group_at;		/* dwords: from there on, whole groups of this many */
	uint32_t group;
	uint16_t next;			/* in the bucket, or 0 */
	uint8_t length_lo;
	uint8_t role;
	uint32_t name_length;
	const char *name;
	const struct b_command *def;
	const struct layer *layer;
	struct plan *plan;		/* NULL until it is needed */
	uint32_t id;			/* definition: layer and index */
};

/*
 * The buckets of one class of engines: MI and 2D by opcode, 3D by bits 28:16, types 4 and 5 by
 * 28:26.
 */
#define BUCKETS_MI 64
#define BUCKETS_2D 128
#define BUCKETS_3D 8192
#define BUCKETS_STATE 8
#define BUCKETS_BARRIER 8
#define BUCKETS (BUCKETS_MI + BUCKETS_2D + BUCKETS_3D + BUCKETS_STATE + BUCKETS_BARRIER)

struct command_index {
	uint16_t bucket[BUCKETS + 1];	/* place in `items`, or 0; the last is always empty */
	VEC(struct known_command) items;	/* the first is not used */
};

/* A structure that commands point to, as the platform has it. */
struct known_structure {
	const char *name;
	uint32_t id;			/* definition: layer and index */
	unsigned bytes;
	const struct layer *layer;
	struct plan *plan;		/* NULL: the platform has no such structure */
};

struct gsc_commands {
	const struct gsc_view *view;
	struct command_index *index[ENGINE_CLASSES];
	unsigned numbers;		/* plan_fields numbered so far */
	bool memory_out;		/* out of memory: some commands may not have been found */
	VEC(struct known_structure *) structures;	/* looked up so far */
};

const struct known_command *command_find(struct gsc_commands *set, unsigned engine_class,
					 uint32_t header);
/* How many dwords a header asks for: of a known command, or else by the rule of its type. */
static inline unsigned known_length(const struct known_command *known, uint32_t header)
{
	return (header >> known->length_lo & known->length_mask) + known->length;
}
unsigned unknown_length(uint32_t header);
/* Made on first use; NULL on allocation failure. */
const struct plan *command_plan(struct gsc_commands *set, const struct known_command *command);
struct plan *plan_new(struct gsc_commands *set, const struct layer *layer, struct b_slice fields,
		      struct b_slice repeats);
void plan_free(struct plan *plan);

/* structure.c: NULL if the platform has no such structure, or if memory is out. */
const struct known_structure *structure_find(struct gsc_commands *set, const char *name);
void structures_free(struct gsc_commands *set);

/* The field of that name, or NULL. */
const struct plan_field *fields_named(const struct plan_fields *fields, const char *name);

/* ---- what becomes of a batch ----------------------------------------------------------------- */

/* An MI_BATCH_BUFFER_START that is executed again and again, or a command that polls. */
struct batch_loop {
	uint64_t batch;			/* where the batch that contains it begins */
	uint64_t at, to;		/* where it is, and where it leads */
	bool process;			/* all are PPGTT addresses */
};

enum batch_fate { BATCH_UNKNOWN, BATCH_LOOPS, BATCH_POLLS };

/*
 * BATCH_LOOPS: what is at an address certainly ends in a loop without a way out, without a command
 * on the way that may end the batch, wait, skip others or change them. BATCH_POLLS: the first of
 * these is one that polls memory, at loop->at in the batch at loop->batch. `why`: what is bad or
 * missing on the way, or "".
 */
#define BATCH_DOUBT 160
enum batch_fate batch_fate(struct gsc_commands *set, const struct gsc_gpu *gpu, const char *engine,
			   uint64_t address, bool process, struct batch_loop *loop,
			   char why[BATCH_DOUBT]);

/* ---- addresses in use ------------------------------------------------------------------------ */

/* Whether anything is read or written there, as far as the other fields show. */
bool access_used(const struct layer *l, const struct plan_fields *fields,
		 const struct plan_field *f, const uint32_t *words, size_t count);

/* The fields that hold graphics addresses in use: its own, then those of its groups. */
struct addresses {
	const struct plan *plan;
	const uint32_t *words;
	size_t count;
	unsigned repeat, field;		/* repeat 0: not in a group */
	size_t time, times, at;		/* of the group; dword of its first field */
};

void addresses_begin(struct addresses *a, const struct plan *plan, const uint32_t *words,
		     size_t count);
bool addresses_next(struct addresses *a, struct gsc_command_address *out);

/* ---- roles and values ------------------------------------------------------------------------ */

/* The keys of a role are fields of the command; some platforms lack some of them. */
enum { START_ADDRESS, START_PROCESS, START_SECOND_LEVEL, START_NON_PRIVILEGED, START_PREDICATED,
       START_MOVED };
enum { REGISTER, MEMORY, GLOBAL };
enum { SOURCE, DESTINATION };
enum { POST_SYNC_TO_REGISTER, POST_SYNC_ADDRESS, POST_SYNC_DATA };
enum { POLL_REGISTER, POLL_ADDRESS };

enum role role_of(const char *name);
const char *role_key(enum role role, unsigned key);	/* NULL: it has none */

/* The bits of a field; dwords past the end read zero. */
static inline uint64_t plan_value(const struct plan_field *f, const uint32_t *words, size_t count)
{
	uint64_t value = 0;
	unsigned got;

	if (f->dword >= count)
		return 0;
	value = words[f->dword] >> f->lo;
	got = 32u - f->lo;
	for (size_t at = f->dword + 1u; got < f->width && at < count; at++, got += 32)
		value |= (uint64_t)words[at] << got;
	return f->width >= 64 ? value : value & ((UINT64_C(1) << f->width) - 1);
}

/* The bits of an address that the platform has: those above them are its sign. */
static inline uint64_t graphics_address(const struct gsc_platform *platform, uint64_t address)
{
	return address & ((UINT64_C(1) << platform->virtual_bits) - 1);
}

/* How often a group of fields repeats in this many dwords, and from which dword on. */
size_t plan_times(const struct plan *plan, const struct plan_repeat *repeat, const uint32_t *words,
		  size_t count, size_t *at);
/* What an address field means: its value, shifted. */
static inline uint64_t plan_address(const struct plan_field *f, const uint32_t *words, size_t count)
{
	return plan_value(f, words, count) << f->form->shift;
}

bool plan_condition(const struct plan_fields *fields, const struct plan_field *f,
		    const uint32_t *words, size_t count);
/* Does a field apply to these dwords? */
static inline bool plan_applies(const struct plan_fields *fields, const struct plan_field *f,
				const uint32_t *words, size_t count)
{
	return !f->conditional || plan_condition(fields, f, words, count);
}

#endif
