/* SPDX-License-Identifier: MIT */
/* What the files of device/ share. */
#ifndef GSC_DEVICE_INTERNAL_H
#define GSC_DEVICE_INTERNAL_H

#include "db/db.h"
#include "device/device.h"
#include "util/util.h"

#include <endian.h>

struct gsc_reg;

/* ---- sysfs.c: files of a PCI function ------------------------------------------------------ */

/* In config space. */
#define CONFIG_VENDOR 0x00
#define CONFIG_COMMAND 0x04

#define SYSFS_PCI "/sys/bus/pci/devices"
#define DEBUGFS_DRI "/sys/kernel/debug/dri"
#define BDF_MAX 16

/* "00:02.0" or "0000:00:02.0" to the long form; false on anything else. */
bool bdf_parse(const char *text, char bdf[BDF_MAX]);

/* -1 and errno, as open(2). */
int sysfs_open(const char *bdf, const char *name, int flags);
/* The first line of a file; false, and "", if there is none. */
bool sysfs_line(const char *bdf, const char *name, char *buf, size_t size);
/* The last component of what a link points to. */
bool sysfs_link(const char *bdf, const char *name, char *buf, size_t size);
/* "card0 renderD128" */
void sysfs_nodes(const char *bdf, char *buf, size_t size);
/* Removed since it was opened: its folder is gone. */
bool sysfs_removed(const char *bdf);
/* Asking this never wakes the device. */
bool sysfs_suspended(const char *bdf);

/* ---- pci.c: libpciaccess ------------------------------------------------------------------- */

struct pci_library;
struct pci_device;

struct pci_function {
	char bdf[BDF_MAX];
	uint16_t id;
	uint8_t revision, number;
	struct pci_device *handle;		/* until pci_end() */
};

/* Intel display functions in the order of their addresses. */
typedef VEC(struct pci_function) pci_function_vec;

struct bar {
	unsigned number;
	uint64_t start, size;			/* size 0: there is none */
};

enum gsc_status pci_begin(struct pci_library **library, struct gsc_error *err);
enum gsc_status pci_scan(struct pci_library *library, pci_function_vec *found,
			 struct gsc_error *err);
/*
 * The addresses of BAR 0, of BAR 2 if there is one, and of the BAR in table->number. Reads config
 * space: not for a suspended device.
 */
enum gsc_status pci_bars(struct pci_library *library, const struct pci_function *function,
			 struct bar *registers, struct bar *aperture, struct bar *table,
			 struct gsc_error *err);
void pci_end(struct pci_library *library);

/* ---- drm.c, find.c ------------------------------------------------------------------------- */

/* The PCI function behind /dev/dri/card0 and the like. */
enum gsc_status drm_node_bdf(const char *path, char bdf[BDF_MAX], struct gsc_error *err);

/*
 * What the driver says about itself and the device, if it can be asked. Not for a suspended device.
 */
void drm_describe(struct gsc_device *gpu);

/* The function that a name means, among those found. */
enum gsc_status find_function(const pci_function_vec *found, const char *name,
			      const struct pci_function **function, struct gsc_error *err);

/* ---- map.c: stretches of a BAR -------------------------------------------------------------- */

struct window {
	volatile uint8_t *base;
	uint64_t length;
};

/*
 * Maps [offset, offset + length) of the BAR as far as BAR and file extend; a window without length
 * has no mapping. Read-only unless `writable`.
 */
enum gsc_status window_map(struct window *window, const char *bdf, const struct bar *bar,
			   uint64_t offset, uint64_t length, bool writable, struct gsc_error *err);
void window_unmap(struct window *window);

/* address + size is inside. */
static inline bool window_holds(const struct window *window, uint64_t address, unsigned size)
{
	return size <= window->length && address <= window->length - size;
}

/* Aligned loads of exactly this width; the compiler does not join, split or repeat them. */
static inline uint32_t window_load32(const struct window *window, uint64_t address)
{
	return le32toh(*(const volatile uint32_t *)(window->base + address));
}

static inline uint64_t window_load64(const struct window *window, uint64_t address)
{
	return le64toh(*(const volatile uint64_t *)(window->base + address));
}

/* With one load: of 64 bits, or of the dword that contains it. */
static inline uint64_t window_load(const struct window *window, uint64_t address, unsigned size)
{
	if (size == 8)
		return window_load64(window, address);
	return window_load32(window, address & ~UINT64_C(3)) >> (address & 3) * 8 & size_mask(size);
}

/* Stores of 8, 4 or 1 bytes: one byte, and nothing else of its dword, is the alias of a port. */
static inline void window_store(const struct window *window, uint64_t address, uint64_t value,
				unsigned size)
{
	if (size == 8)
		*(volatile uint64_t *)(window->base + address) = htole64(value);
	else if (size == 4)
		*(volatile uint32_t *)(window->base + address) = htole32((uint32_t)value);
	else
		window->base[address] = (uint8_t)value;
}

/* With aligned loads of 64 bits, as many as fit; returns how many bytes that were. */
size_t window_copy(const struct window *window, uint64_t address, void *buf, size_t size);

/* ---- iomem.c: /proc/iomem ------------------------------------------------------------------- */

/* "  fd000000-fd7fffff : i915" */
struct iomem_line {
	unsigned depth;
	uint64_t start, last;
	char name[64];
};

typedef VEC(struct iomem_line) iomem_vec;

/* A range inside another follows it. False, and errno, if the file cannot be opened. */
bool iomem_read(const char *path, iomem_vec *lines);

/* ---- refusal.c ------------------------------------------------------------------------------ */

/* Why the kernel refused to map a BAR (an errno), and what to do about it. */
enum gsc_status refusal_explain(struct gsc_error *err, const char *bdf, const struct bar *bar,
				int number);

/* Why the driver's forcewake is not available (an errno), and what to do about it. */
enum gsc_status refusal_wake(struct gsc_error *err, const char *bdf, int number);

/* Why parts of the device that are opened on first use are not available. */
struct problems {
	VEC(struct gsc_error) list;
	size_t told;
};

/* Each is stored once. */
void problem_add(struct problems *problems, const struct gsc_error *why);
/* The same for a read, which returns this. */
enum gsc_read problem_read(struct problems *problems, const struct gsc_error *why);

/* ---- wake.c: forcewake ---------------------------------------------------------------------- */

/* A page of the BAR, writable, that holds request registers. */
struct wake_page {
	uint64_t start;
	struct window window;
};

struct wake_request {
	struct wake_domain domain;
	size_t page;				/* of wake.pages, if we write */
	bool tried, held;
	volatile bool asked;			/* set before it is written, for signal handlers */
};

struct wake {
	enum gsc_wake mode;
	const char *bdf;
	const struct window *registers;
	uint32_t bit;				/* our bit in a masked request register */
	bool waits_thread;			/* the acknowledgement alone is not enough here */
	bool has_fifo;				/* writes to the GT may meet a full queue */
	int driver_fd;				/* open: the driver holds all domains for us */
	int driver_error;			/* errno from opening it; 0: not tried, or open */
	int lock_fd;				/* see wake_find_left(); or -1 */
	VEC(struct wake_page) pages;
	VEC(struct wake_request) requests;	/* the platform's domains */
	span_vec sleeping;			/* and the ranges that sleep in them */
};

/* Through the driver, now: false if it has no such file or denies access. */
bool wake_by_driver(struct wake *wake);

/* The domains, and for GSC_WAKE_REGISTERS the pages to write to. Nothing is written yet. */
enum gsc_status wake_prepare(struct wake *wake, const struct gsc_db *db, unsigned platform,
			     uint8_t revision, const struct bar *bar, struct gsc_error *err);
/*
 * Whoever writes request registers shares a lock on the BAR's file until the process ends, in
 * whatever way: a bit that is set while nobody holds that lock is left over. GSC_WAKE_REGISTERS
 * clears it, and takes the lock. *left: what there is to report, or unchanged.
 */
void wake_find_left(struct wake *wake, const struct bar *bar, struct gsc_error *left);
/* The domains that an address sleeps in: a bit for each of wake.requests. */
uint32_t wake_domains(const struct wake *wake, uint64_t address);
/* Wakes domains as far as the mode allows; wake_held() says whether they are awake. */
void wake_take(struct wake *wake, uint32_t domains);
/* Some were taken and are no longer held: they must be taken again. */
bool wake_lost(struct wake *wake, uint32_t domains);
/* All of them are acknowledged, no matter for whom. */
bool wake_held(const struct wake *wake, uint32_t domains);
/* Waits until the queue of writes to the GT has room, if there is one, but not for ever. */
void wake_wait_fifo(const struct wake *wake);
/* Takes back all requests that we have written; a signal handler may call this at any time. */
void wake_give_back(struct wake *wake);
/* The driver's file as well; the next read takes everything again. */
void wake_rest(struct wake *wake);
void wake_release(struct wake *wake);

/* ---- memory.c: physical memory as far as the kernel gives it -------------------------------- */

struct memory_paths {
	const char *iomem, *kcore, *mem;
};

enum memory_kind { MEMORY_NONE, MEMORY_RAM, MEMORY_FIRMWARE };

struct memory_stretch {
	uint64_t start, last;
	enum memory_kind kind;
	uint64_t offset;			/* of RAM that can be read: in the file */
};

/* Sorted and disjoint. */
typedef VEC(struct memory_stretch) memory_stretch_vec;

struct memory_file {
	int fd;
	struct gsc_error error;			/* why it is not open, or of no use */
};

struct memory {
	struct memory_paths paths;
	struct problems *problems;
	bool loaded, mem_tried;
	memory_stretch_vec areas;
	memory_stretch_vec ram;			/* what the kernel lets us read of it */
	struct memory_file kcore, mem;
	struct gsc_error map_error;
};

void memory_begin(struct memory *memory, const struct memory_paths *paths,
		  struct problems *problems);
void memory_end(struct memory *memory);
enum memory_kind memory_kind(struct memory *memory, uint64_t address);
enum gsc_read memory_read(struct memory *memory, uint64_t address, unsigned size, uint64_t *value);
/* As many bytes in one go as there are; 0: memory_read() says why. */
size_t memory_block(struct memory *memory, uint64_t address, void *buf, size_t size);
/* The first stretch of a kind that can be read at or after an address. */
bool memory_extent(struct memory *memory, enum memory_kind kind, uint64_t from, uint64_t *start,
		   uint64_t *last);

/* ---- the device ----------------------------------------------------------------------------- */

#define GPU_PAGE UINT64_C(4096)
#define FENCES_MAX 32

/* A range of the aperture that reads as linear. */
struct fence {
	uint64_t start, last;
};

/*
 * Graphics data is at [start, start + size); from `closed` on there is the table of the GGTT. The
 * CPU can read neither.
 */
struct stolen {
	bool asked;
	enum gsc_read status;			/* of finding it; no size: there is none */
	uint64_t closed, start, size;
	uint64_t table;				/* bytes of the GGTT, 0 if GGC does not give it */
	bool direct;				/* BAR 2 is this memory, including the table */

	bool aperture_tried;
	enum gsc_read aperture_status;
	struct window aperture;
	uint32_t *slots;			/* for each page its GGTT entry, plus 1 */
	int64_t scanned;			/* when, by CLOCK_MONOTONIC */
	uint64_t visited;			/* page whose fences have been checked, plus 1 */
	uint32_t fence_at[FENCES_MAX];		/* the registers; 0: not yet found */
	unsigned fence_bytes;			/* of each */
	struct fence fences[FENCES_MAX];
	size_t fence_count;
};

/* The memory of a discrete part, as far as BAR 2 shows it. */
struct local {
	bool tried;
	enum gsc_read status;
	struct window window;
};

struct device {
	char bdf[BDF_MAX];
	uint16_t id;
	uint8_t revision;
	int platform;				/* by its id */
	const struct gsc_db *db;
	struct gsc_view *view;			/* device_find() */
	struct gsc_platform layout;		/* of its BAR; zero if unknown */
	bool laid_out, unsafe, write;
	struct bar bar, aperture, table;	/* table: may be `bar` */
	struct window registers, ggtt;
	struct window writable, ggtt_page;	/* from the first store on */
	uint64_t ggtt_page_start;
	bool ggtt_tried;
	enum gsc_read ggtt_status;
	bool iommu_asked, iommu;
	struct wake wake;
	struct memory memory;
	struct stolen stolen;
	struct local local;
	struct problems problems;
	struct gsc_error refusal;		/* of its registers */
	enum gsc_read refused;			/* GSC_READ_OK: they are not */
	struct gsc_error left_awake;		/* its `why` is empty: there is none */
	int ports[2][2];			/* of VGA, of the I/O BAR; to read, to write */
};

/*
 * How one address space is read and written: a file each. What a space lacks is NULL; device.c
 * takes care of what all have in common.
 */
struct door {
	bool in_bar;			/* it needs a BAR, which may be refused */
	enum gsc_read (*read)(struct device *device, uint64_t address, unsigned size,
			      uint64_t *value);
	size_t (*block)(struct device *device, uint64_t address, void *buf, size_t size);
	/* The first stretch at or after an address that can be read. */
	bool (*extent)(struct device *device, uint64_t from, uint64_t *start, uint64_t *last);
	/*
	 * Keeps awake what a store needs, and maps it writable: any refusal comes before the first
	 * store.
	 */
	enum gsc_status (*store_hold)(struct device *device, uint64_t address,
				      struct gsc_error *err);
	enum gsc_status (*store_open)(struct device *device, uint64_t address, unsigned size,
				      struct gsc_error *err);
	void (*store)(struct device *device, uint64_t address, unsigned size, uint64_t value);
};

extern const struct door config_door, register_door, port_door, ggtt_door, gttmem_door, phys_door,
			 local_door;

/* What there is from `from` on of a space that ends at `end`. */
static inline bool extent_of(uint64_t end, uint64_t from, uint64_t *start, uint64_t *last)
{
	*start = from;
	*last = end - 1;
	return from < end;
}

/* A register by the definitions of device->view; false also for an unknown BAR. */
bool device_find(struct device *device, const char *name, int index, struct gsc_reg *reg);
/* Its registers answer all ones where that is impossible: no device answers. */
bool registers_all_ones(const struct device *device);
/* A value was loaded; all ones may be valid, if the device answers otherwise elsewhere. */
enum gsc_read device_believe(const struct device *device, uint64_t loaded, unsigned size,
			     uint64_t *value);
/* The same for many bytes of a window; those from invalid all ones on are left out. */
size_t device_copy(const struct device *device, const struct window *window, uint64_t address,
		   void *buf, size_t size);

/* ---- ggtt.c --------------------------------------------------------------------------------- */

/* Why reading the GGTT or stolen memory through a BAR may hang this platform, or NULL. */
const char *ggtt_hazard(const struct device *device);
/* Maps it on first use. */
enum gsc_read ggtt_open(struct device *device);
uint64_t ggtt_count(const struct device *device);
/* Entry i of those; after ggtt_open(). */
uint64_t ggtt_load(const struct device *device, uint64_t i);

/* ---- stolen.c ------------------------------------------------------------------------------- */

/* Asks the device on first use. */
const struct stolen *stolen_ask(struct device *device);
enum gsc_read stolen_read(struct device *device, uint64_t address, unsigned size, uint64_t *value);
/* By offset in BAR 2; ABSENT if that is beyond it, or inside a fence. */
enum gsc_read aperture_read(struct device *device, uint64_t at, unsigned size, uint64_t *value);
size_t stolen_block(struct device *device, uint64_t address, void *buf, size_t size);
/* The first stretch that can be read at or after an address. */
bool stolen_extent(struct device *device, uint64_t from, uint64_t *start, uint64_t *last);
void stolen_release(struct stolen *stolen);

/* ---- local.c -------------------------------------------------------------------------------- */

/* By offset in the device's memory. */
enum gsc_read local_read(struct device *device, uint64_t address, unsigned size, uint64_t *value);

/* ---- ports.c -------------------------------------------------------------------------------- */

void ports_close(struct device *device);

/* ---- phys.c: who answers at a physical address ---------------------------------------------- */

enum gsc_read phys_read(struct device *device, uint64_t address, unsigned size, uint64_t *value);

#endif
