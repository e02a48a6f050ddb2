/* SPDX-License-Identifier: MIT */
/*
 * vmcore/: GPUs in the memory of a machine. vmcore.c finds them on the PCI buses of its kernel;
 * each becomes a part of its own, "FILE: i915 0000:00:02.0", filled by the file about its driver,
 * such as i915.c. Registers are not in memory, but what the driver knows is: its engines, all
 * requests, the processes and where their page tables begin, rings, the GGTT, stored dumps. Each
 * goes into the part as a struct (facts.h). After an allocation failure, gpu->r.memory_out, nothing
 * more is added.
 */
#ifndef GSC_VMCORE_H
#define GSC_VMCORE_H

#include "db/platform.h"
#include "formats/dump.h"
#include "formats/facts.h"
#include "kernel/kernel.h"

/* A hostile dump gives at most so much. */
#define VMCORE_OBJECTS 65536		/* elements of lists */
#define VMCORE_BYTES (64u << 20)	/* GGTT entries and stored dumps */

struct vmcore_gpu;

struct vmcore_driver {
	const char *name;		/* "i915", also of the module whose types they are */
	const char *type;		/* "drm_i915_private": what dev.driver_data points to */
	void (*fill)(struct vmcore_gpu *gpu);
};

extern const struct vmcore_driver vmcore_i915, vmcore_xe;

struct vmcore_gpu {
	struct kernel *kernel;
	const struct vmcore_driver *driver;
	struct kobj pci, device;	/* struct pci_dev; of the driver's type */
	struct dump_reading r;		/* the part that is filled */
	bool has_platform;		/* by the PCI id */
	struct gsc_platform platform;
	size_t objects;			/* elements of lists, and */
	uint64_t bytes;			/* bytes, that may still be taken */
	bool surplus;			/* there were more */
	uint64_t caching;		/* bits of entries of the buffer that is taken */
};

/* Before each element of a list; false: there were too many, or memory is out. */
bool vmcore_take(struct vmcore_gpu *gpu);
bool vmcore_take_bytes(struct vmcore_gpu *gpu, uint64_t size);
/* After a list of requests: if it ended too early, some may be missing. */
void vmcore_list_end(struct vmcore_gpu *gpu, const struct klist *list);

/* ---- what the driver knows ------------------------------------------------------------------- */

void vmcore_request(struct vmcore_gpu *gpu, const struct driver_request *request);
void vmcore_space(struct vmcore_gpu *gpu, const struct driver_space *space);
void vmcore_ring(struct vmcore_gpu *gpu, const struct driver_ring *ring);
void vmcore_queue(struct vmcore_gpu *gpu, const struct driver_queue *queue);
void vmcore_range(struct vmcore_gpu *gpu, const struct driver_range *range);
/* An engine that the GPU has; "" is none. */
void vmcore_engine(struct vmcore_gpu *gpu, const char *name);
/* One that runs a request in the space. */
void vmcore_works_in(struct driver_space *space, const char *engine);
/* process.c: a process, made at first, has that much more. */
void vmcore_client(struct vmcore_gpu *gpu, const char *process, uint32_t pid, uint64_t objects,
		   uint64_t bytes);
/* Those that have the GPU open, whatever its driver is. */
void vmcore_clients(struct vmcore_gpu *gpu);
/* "key: value", as gpu-snap info shows it. The prefix and the key must stay. */
void vmcore_say(struct vmcore_gpu *gpu, const char *prefix, const char *key, const char *format,
		...) __attribute__((format(printf, 4, 5)));
/*
 * A dump that the driver has stored: text from malloc(), which then belongs to the part. gpu-fault
 * reads it as it reads that of a device.
 */
void vmcore_stored(struct vmcore_gpu *gpu, const char *name, char *text, size_t size);

/* i915-error.c: the error state that i915 has stored, as the text that it prints. */
void vmcore_i915_error(struct vmcore_gpu *gpu);

/* ---- the GGTT -------------------------------------------------------------------------------- */

/* The table itself is not in memory that dumps have: these are its entries by the driver. */
void vmcore_ggtt_entries(struct vmcore_gpu *gpu, uint64_t address, const uint64_t *entries,
			 size_t count);
/* The pages of a struct sg_table, from a graphics address on, at most `size` bytes. */
void vmcore_ggtt(struct vmcore_gpu *gpu, uint64_t address, uint64_t size, struct kobj sg_table,
		 uint64_t (*encode)(const struct vmcore_gpu *gpu, uint64_t dma));

/* ---- the search, for open/ ------------------------------------------------------------------- */

struct vmcore_search;

enum gsc_status vmcore_begin(struct vmcore_search **search, struct kernel *kernel,
			     struct gsc_error *err);
/* The next GPU, as "i915 0000:00:02.0"; false: there are no more. */
bool vmcore_next(struct vmcore_search *search, char *name, size_t size);
/* Fills the part with it. */
enum gsc_status vmcore_fill(void *search, struct gsc_source *source, struct part *part,
			    struct gsc_error *err);
void vmcore_end(struct vmcore_search *search);

extern const struct reader reader_vmcore_gpu;

/* Who uses the GPUs in the memory of a machine; NULL: a part is no such GPU. */
GSC_API const struct dump *gsc_source_memory(const struct gsc_source *source, size_t part);
/* Why a source has none that uses the GPU. False: the machine may have had some. */
GSC_API bool gsc_no_processes(const struct gsc_source *source, char *buf, size_t size);

#endif
