/* SPDX-License-Identifier: MIT */
/*
 * Files with the memory of a machine: what their readers have in common. makedumpfile can write any
 * of them flattened, to a pipe: as records, each with the offset that its bytes belong to.
 */
#ifndef GSC_CORE_H
#define GSC_CORE_H

#include "source/part.h"

struct core {
	const char *name;		/* of the file */
	uint64_t file_size;
	piece_vec places;		/* where the bytes of the dump are: sorted, disjoint */
};

bool core_is_flat(const uint8_t *data, size_t size);

/* The part must outlive it. */
enum gsc_status core_open(struct core *core, struct gsc_source *source, const struct part *part,
			  struct gsc_error *err);
void core_close(struct core *core);

/* Whole reads only. */
bool core_read(const struct core *core, uint64_t offset, void *buf, size_t size);
/* What is missing is zero, because a flattened header is not written to its end. */
void core_read_header(const struct core *core, uint64_t offset, void *buf, size_t size);
/* How many bytes there are from an offset on, at most `length`. */
uint64_t core_held(const struct core *core, uint64_t offset, uint64_t length);

/* Adds these bytes to the part as physical memory; false: memory is out. */
bool core_add(const struct core *core, struct part *part, uint64_t address, uint64_t offset,
	      uint64_t length);

/* Keeps the lines of a VMCOREINFO, and adds what they say about the kernel. */
enum gsc_status core_vmcoreinfo(const struct core *core, struct part *part, uint64_t offset,
				uint64_t size, struct gsc_error *err);
/* The same of one that was found in the memory itself; unless it has one. */
enum gsc_status core_add_vmcoreinfo(struct part *part, const char *text, struct gsc_error *err);

#endif
