/* SPDX-License-Identifier: MIT */
/* Events of kernel logs, and the faults that they, or registers, report. */
#ifndef GSC_LOG_EVENT_H
#define GSC_LOG_EVENT_H

#include "db/message.h"
#include "db/view.h"

/* A fault recorded by a register or a line of a log; or a register without a fault. */
struct gsc_fault {
	struct gsc_reg reg;		/* name NULL: it is from a log */
	uint64_t value;			/* of the register */
	bool valid;			/* false: only an address, perhaps of an older fault */
	char engine[16];		/* the engine that made the access, or "" */
	bool has_address;
	uint64_t address;
	const char *space;		/* "ggtt", "ppgtt", "dma", or NULL */
	const char *type;		/* "invalid PTE", or NULL */
	const char *access;		/* "read", "write", "atomic", or NULL */
	int source_id;			/* number of the unit that made the access, or -1 */
	const char *level;		/* the level without a valid entry: "pte", or NULL */
	char text[512];			/* what it means */
};

/* The maximum number of register values in an event. */
#define GSC_EVENT_VALUES 10

/* An event of a log: lines that belong together. */
struct gsc_event {
	enum gsc_event_kind kind;
	enum gsc_event_rank rank;
	size_t line, lines;		/* number of its first line, from 1; number of lines */
	/*
	 * The first line, `log_length` bytes, without its end; it lives as long as the log. Other
	 * strings in here live as long as the definitions.
	 */
	const char *log;
	size_t log_length;
	bool has_time;
	double time;			/* seconds since boot, from the log */
	char stamp[40];			/* time or date as the log writes it, or "" */
	char driver[16];		/* "i915", "xe", "DMAR", other GPUs' "amdgpu" */
	char device[16];		/* "0000:00:02.0", or "" */
	char gt[16];			/* "GT1", "Tile1 GT0": of the line, or "" */
	struct gsc_fault fault;		/* unless kind is a fault: engine, type, text only */
	char process[64];		/* whose work it was: "Xorg [1981]", or "" */
	uint32_t asid;			/* xe only */
	bool has_asid, has_pasid, has_reason, has_code;
	uint32_t pasid, reason;		/* DMAR only */
	uint32_t code;			/* i915's code of a hang */
	uint64_t platforms;		/* possible platforms, a bit for each index; 0: all */
	bool wedged;			/* the driver has given up on the GPU */
	struct {
		const char *name;	/* "EIR" */
		uint64_t value;
	} values[GSC_EVENT_VALUES];	/* registers and values in the lines */
	unsigned value_count;
	unsigned repeats;		/* how often it recurs, with few others in between */
};

/* A kernel log, with any prefix before the messages. */
struct gsc_log;

/*
 * Begins to read a log. The text must outlive it. The view may be NULL; what depends on the
 * platform is then missing. GSC_FAILED: this is not text.
 */
GSC_API enum gsc_status gsc_log_new(struct gsc_log **log, const struct gsc_db *db,
				    const struct gsc_view *view, const void *text, size_t size,
				    struct gsc_error *err);
GSC_API void gsc_log_free(struct gsc_log *log);
/* The next event of a log; false past the last. */
GSC_API bool gsc_log_next(struct gsc_log *log, struct gsc_event *event);
/* Back to its beginning, with the view of the platform that is known by now. */
GSC_API void gsc_log_rewind(struct gsc_log *log, const struct gsc_view *view);
/* The same, but gsc_log_next() then gives what is known and no trouble, and nothing else. */
GSC_API void gsc_log_rewind_harmless(struct gsc_log *log, const struct gsc_view *view);
/* The GPU of a log, by its driver's words first; *device: its id, -1 if only firmware names it. */
GSC_API bool gsc_log_platform(const struct gsc_log *log, struct gsc_platform *platform,
			      int *device);

#endif
