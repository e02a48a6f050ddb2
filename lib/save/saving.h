/* SPDX-License-Identifier: MIT */
/* A capture being written: what the files of the room share. */
#ifndef GSC_SAVING_H
#define GSC_SAVING_H

#include "formats/capture.h"
#include "regs/regs.h"
#include "save/pack.h"
#include "save/save.h"
#include "source/record.h"

#define CHUNK (64u << 10)
#define PAGE 4096u
#define PCI_CONFIG_MAX 4096

/* No more memory than this is gathered into one piece. */
#define PIECE (16u << 20)

/* Files in CAPTURE_DUMPS and others, each with a different name. */
typedef VEC(char *) name_vec;

/* What may have no value. */
enum missed { MISSED_REGISTERS, MISSED_CONFIG, MISSED_ENTRIES, MISSED_MEMORY, MISSED_KINDS };

struct saving {
	const struct gsc_gpu *gpu;
	struct gsc_source *held;	/* the same, or `rest` */
	struct gsc_source rest;		/* without traces that win over all: they go whole */
	const struct gsc_save_options *options;
	struct capture capture;
	struct packer *packer;		/* between the capture and the outlet */
	struct outlet outlet;
	span_vec hazards;		/* of the register space; none unless careful */
	bool careful;
	struct record record;		/* memory of a device that its analysis reaches */
	bool quiet;			/* what cannot be read now is recorded, not counted */
	memory_vec asked;		/* requested memory: sorted, disjoint */
	name_vec refused;		/* why memory was not available */
	name_vec names;			/* of members so far */
	uint64_t done, total;		/* bytes */
	size_t missed[MISSED_KINDS][GSC_READS];
	uint64_t memory_missed;		/* bytes */
	uint8_t chunk[CHUNK];
};

/* save.c */
void save_step(struct saving *s, uint64_t bytes);
uint64_t save_end(const struct saving *s, enum gsc_space space);
void save_status(struct saving *s, enum gsc_space space, uint64_t start, uint64_t end,
		 enum gsc_read status);
bool save_hazardous(const struct saving *s, uint64_t address, unsigned size);
static inline bool is_memory(enum gsc_space space)
{
	return space == GSC_PHYS || space == GSC_LMEM || space == GSC_GTTMEM ||
	       space == GSC_PPGTTMEM;
}

/* The memory whose kernel knows about GPUs, or NULL. Redaction leaves it out. */
const struct part *save_kernel(const struct saving *s);

/* device.c */
void save_device(struct saving *s);

/* extra.c */
/* The file's name after CAPTURE_DUMPS if the part is included as a file; or NULL. */
const char *save_file_name(const struct saving *s, const struct part *part);
/* There is only this one file. */
bool save_file_alone(const struct saving *s);
/* An included trace whose bytes override those of all other parts. */
bool save_trace_first(const struct saving *s, const struct part *part);
void save_info(struct saving *s);
/* False: memory is out. */
bool save_extras(struct saving *s);

/* redact.c: the lines of a driver's dump that cannot contain a name or memory. */
bool redact_dump(const uint8_t *text, size_t size, capture_text *out);

#endif
