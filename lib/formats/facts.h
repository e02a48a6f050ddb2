/* SPDX-License-Identifier: MIT */
/*
 * What a source says in words about a hang, as structs: each "key: value" of a driver's dump or of
 * a capture is read here, once, and nobody above this room parses it again. facts.c has one table
 * for statements that are shown as they are, and one for the state of engines; work.c has the
 * lists: requests, contexts and jobs, objects and ranges.
 */
#ifndef GSC_FACTS_H
#define GSC_FACTS_H

#include "db/engine.h"
#include "formats/contents.h"
#include "util/text.h"
#include "util/util.h"

/* What the driver wrote about the hang into the dump: reason, process, time, kernel. */
struct gsc_about {
	const char *name;		/* "reason" */
	char text[256];
	bool detail;			/* about the GPU, not the hang: shown on request */
};

/* How far a request got. */
enum gsc_request_state {
	GSC_REQUEST_UNKNOWN,
	GSC_REQUEST_WAITS,		/* the request never began */
	GSC_REQUEST_BEGUN,		/* it began, but is not done */
	GSC_REQUEST_DONE,
};

/* Which members of a struct gsc_request are known. */
enum gsc_request_known {
	GSC_REQUEST_CONTEXT = 1 << 0, GSC_REQUEST_SEQNO = 1 << 1, GSC_REQUEST_PID = 1 << 2,
	GSC_REQUEST_HEAD = 1 << 3, GSC_REQUEST_POST = 1 << 4, GSC_REQUEST_TAIL = 1 << 5,
};

/* Work that a driver had given to an engine, from its dump: a request of i915, a job of xe. */
struct gsc_request {
	char engine[16];		/* "rcs0", or "" if the dump does not say */
	char name[32];			/* "ELSP[0]", "request 3", "context 5" */
	enum gsc_request_state state;
	bool current;			/* HEAD is in this request */
	unsigned known;			/* which of the members below are: enum gsc_request_known */
	uint64_t context;		/* i915: its number; xe: its descriptor */
	uint32_t seqno;
	uint64_t pid;
	uint64_t head, tail;		/* offsets in the ring: where it begins and ends */
	uint64_t post;			/* offset where it reports that it is done */
	char text[256];			/* all of this in words */
};

#define TASK_NAME 16			/* TASK_COMM_LEN */

/* An address space of a process, or one of the kernel, in the memory of a machine. */
struct driver_space {
	char process[TASK_NAME];	/* "" and 0: the kernel */
	uint32_t pid;
	char engines[64];		/* that run requests in it: "rcs0,bcs0", or "" */
	enum gsc_mode mode;
	uint64_t root[4];		/* as registers would have it: PDP0 to PDP3, PP_DIR_BASE */
	unsigned count;
};

/* The ring of the request that an engine runs, from the same memory. */
struct driver_ring {
	char engine[ENGINE_NAME];
	uint64_t start, bytes;		/* in the GGTT */
	uint64_t head, tail;		/* where the oldest request that is not done begins; TAIL */
};

/* A fence by its context and its number in that; context 0: none. */
struct driver_fence {
	uint64_t context, seqno;
};

/* Through what a process submits, in the memory of a machine: a queue of xe. */
struct driver_queue {
	char process[TASK_NAME];	/* "" and 0: the kernel */
	uint32_t pid;
	char engine[ENGINE_NAME];	/* "": several can run it */
	char name[24];			/* "queue 3" */
	char state[40];			/* "banned", or "" */
	uint64_t descriptor;		/* of its context */
	uint64_t ring, bytes, tail;	/* in the GGTT, 0: nowhere; TAIL */
};

/* A process that has the GPU open, or the kernel, and its buffers. */
struct driver_client {
	char process[TASK_NAME];
	uint32_t pid;
	uint64_t objects, bytes;
};

/* A range of an address space with a buffer. */
struct driver_range {
	size_t space;			/* number of the struct driver_space */
	uint64_t start, size;
	const char *place;		/* "system memory", or "" */
	bool has_page;
	uint64_t page;			/* physical, of its first */
};

/* Memory that a dump lists without its contents: objects of i915, ranges of xe's VM. */
struct gsc_object {
	char list[48];			/* "Active [12]", "Pinned (global) [3]", "vm" */
	uint64_t start, size;
	char text[256];			/* "active object of 0x1000 bytes at 0x2540000, ..." */
};

struct driver_fact {
	size_t row;			/* of the table that names it */
	struct gsc_about a;
};

/* A request of i915; the context of a queue of xe, and the jobs of the context before them. */
enum driver_work { WORK_REQUEST, WORK_CONTEXT, WORK_JOB };

struct driver_request {
	struct gsc_request r;
	enum driver_work kind;
	unsigned number;		/* in its list */
	const char *class;		/* "rcs", of xe's contexts, or NULL */
	unsigned guc_id;		/* of these: what the GuC calls it */
	uint64_t ring;			/* its GGTT address, of newer ones, or 0 */
	bool reset;			/* the GuC has reset its queue */
	bool has_start;
	uint32_t start;			/* seqno of the job that began last */
	/* Of those in the memory of a machine: */
	char process[TASK_NAME];	/* whose it is, or "" */
	bool in_memory, has_batch;
	uint64_t batch;			/* a PPGTT address */
	unsigned milliseconds;		/* since it was submitted; 0: unknown */
	struct driver_fence finished, waits;	/* another one of its end; what it waits for */
};

/* Seqnos of a new context begin with -127 (xe_hw_fence.h, XE_FENCE_INITIAL_SEQNO). */
#define XE_SEQNO_NONE ((uint32_t)-128)

/* What the block of an engine says, besides registers. "" and 0: nothing. */
struct driver_engine {
	char name[ENGINE_NAME];
	char blamed[272];		/* in which words it says that the engine hangs */
	bool tells, hung;		/* it has "hung: 1" or "hung: 0" */
	char i915_name[ENGINE_NAME];	/* what i915 calls it, if that is something else */
	char process[128];		/* whose work is active on it, */
	unsigned processes;		/* and how many lines say so */
	/* The request that hangs, in brackets after HEAD and TAIL; of several lines the first. */
	bool has_head, has_tail, has_pair;	/* has_pair: the tail with what precedes it */
	bool has_request;
	uint64_t head, post, tail;
	bool has_batch;			/* also if its line cannot be read */
	uint64_t batch, batch_end;	/* its batch */
	bool has_seqno;			/* the last one that it has reported */
	uint32_t seqno;
	char capture_source[32], coverage[40], context_id[40], lrca[40];
	bool has_guc_id;
	unsigned guc_id;		/* the number in context_id */
};

/* "rcs0.SC_INSTDONE[1][0]": a register that each of many units has, for one of them. */
struct driver_unit {
	char engine[ENGINE_NAME], name[48];
	char instance[16];		/* "[1][0]" */
	uint64_t value;
};

/* Whether an engine moved when a capture was made. */
struct driver_watch {
	char engine[ENGINE_NAME];
	bool moved;
	unsigned ms;
};

struct driver_facts {
	VEC(struct driver_fact) about;
	VEC(struct driver_request) requests;
	VEC(struct gsc_object) objects;
	VEC(struct driver_engine) engines;
	VEC(struct driver_unit) units;
	VEC(struct driver_watch) watched;
	char headline[200];		/* what follows "GPU HANG: " */
	char named[32];			/* "rcs0", "render": the engine that the headline blames */
	/*
	 * "ecode 12:1:85dffffb" has a bit for each engine, or each class of engines
	 * (i915_gpu_error.c, error_msg()): it may be one of these.
	 */
	bool by_engine, by_class;
	uint64_t mask;
	char cut[120];			/* why the dump has no more */
	char reason[200];
	bool in_memory;			/* the source has the requests of a driver in memory, */
	bool torn;			/* but perhaps not all of them */
	bool guc_dead;			/* xe and the GuC no longer understand each other */
	unsigned guc_id;		/* while it is read: of the last queue, */
	const char *class;		/* and the class of its engines, or NULL */
};

enum gsc_status driver_facts_read(struct driver_facts *facts, const struct gsc_source *source,
				  struct gsc_error *err);
void driver_facts_free(struct driver_facts *facts);

/*
 * The driver of the GPU, by its name: a device, or a capture of one, names it; otherwise the form
 * of the dump does. False: neither.
 */
bool driver_of_source(const struct gsc_source *source, char *buf, size_t size);

/* What the dump says about an engine, or NULL. */
const struct driver_engine *driver_engine(const struct driver_facts *facts, const char *name);

/* Whether a line of an engine's block says that it hangs. */
bool driver_blames(struct slice key, struct slice value);
/* The engine that a headline blames by its name, "rcs0" or "render"; empty: none. */
struct slice driver_named_engine(struct slice headline);

/* An address space, by its number in a source; the ring of an engine. NULL: none. */
GSC_API const struct driver_space *driver_space(const struct gsc_source *source, size_t i);
const struct driver_ring *driver_ring(const struct gsc_source *source, const char *engine);
/* False: the driver, in the memory of a machine, lists its engines without this one. */
bool driver_may_have_engine(const struct gsc_source *source, const char *engine);

/* work.c: takes what belongs to a list. False: memory is out. */
bool driver_work(struct driver_facts *facts, const struct gsc_property *p);

#endif
