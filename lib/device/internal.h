/* SPDX-License-Identifier: MIT */
/* What the files of device/ share. */
#ifndef GSC_DEVICE_INTERNAL_H
#define GSC_DEVICE_INTERNAL_H

#include "db/db.h"
#include "device/device.h"
#include "util/util.h"

/* ---- sysfs.c: files of a PCI function ------------------------------------------------------ */

#define SYSFS_PCI "/sys/bus/pci/devices"
#define BDF_MAX 16

/* "00:02.0" or "0000:00:02.0" to the long form; false on anything else. */
bool bdf_parse(const char *text, char bdf[BDF_MAX]);

/* -1 and errno, as open(2). */
int sysfs_open(const char *bdf, const char *name, int flags);
/* The first line of a file; false, and "", if there is none. */
bool sysfs_line(const char *bdf, const char *name, char *buf, size_t size);
/* The last component of what a link points to. */
bool link_target(const char *path, char *buf, size_t size);
bool sysfs_link(const char *bdf, const char *name, char *buf, size_t size);
/* "card0 renderD128" */
void sysfs_nodes(const char *bdf, char *buf, size_t size);
/* Asking for this never wakes the device. */
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
	uint64_t start, size;
};

enum gsc_status pci_begin(struct pci_library **library, struct gsc_error *err);
enum gsc_status pci_scan(struct pci_library *library, pci_function_vec *found,
			 struct gsc_error *err);
/* Where the register BAR lies. Reads config space: not of a device that is suspended. */
enum gsc_status pci_register_bar(struct pci_library *library, const struct pci_function *function,
				 struct bar *bar, struct gsc_error *err);
void pci_end(struct pci_library *library);

/* ---- drm.c, find.c ------------------------------------------------------------------------- */

/* The PCI function behind /dev/dri/card0 and the like. */
enum gsc_status drm_node_bdf(const char *path, char bdf[BDF_MAX], struct gsc_error *err);

/* The function that a name means, out of those found. */
enum gsc_status find_function(const pci_function_vec *found, const char *name,
			      const struct pci_function **function, struct gsc_error *err);

/* ---- map.c: stretches of the register BAR --------------------------------------------------- */

struct window {
	volatile uint8_t *base;
	uint64_t length;
};

/*
 * Maps [offset, offset + length) of the BAR as far as BAR and file go; a window of no length is
 * none. Read-only unless `writable`.
 */
enum gsc_status window_map(struct window *window, const char *bdf, const struct bar *bar,
			   uint64_t offset, uint64_t length, bool writable, struct gsc_error *err);
void window_unmap(struct window *window);

/* address + size lies within. */
bool window_holds(const struct window *window, uint64_t address, unsigned size);

/* Aligned loads of exactly this width; the compiler neither joins nor splits nor repeats them. */
uint32_t window_load32(const struct window *window, uint64_t address);
uint64_t window_load64(const struct window *window, uint64_t address);
void window_store32(const struct window *window, uint64_t address, uint32_t value);

/* ---- refusal.c ------------------------------------------------------------------------------ */

/* Why the kernel refused to map the register BAR (an errno), and the way out. */
enum gsc_status refusal_explain(struct gsc_error *err, const char *bdf, const struct bar *bar,
				int number);

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
};

struct wake {
	enum gsc_wake mode;
	const char *bdf;
	const struct window *registers;
	uint32_t bit;				/* ours in a masked request register */
	bool driver_tried;
	int driver_fd;				/* open: the driver holds all domains for us */
	VEC(struct wake_page) pages;
	VEC(struct wake_request) requests;	/* the platform's domains */
	VEC(struct wake_request *) held;	/* in the order taken */
};

/* Through the driver, now: false if it has no such file or does not let us. */
bool wake_by_driver(struct wake *wake);

/* The domains, and for GSC_WAKE_REGISTERS the pages to write to. Nothing is written yet. */
enum gsc_status wake_prepare(struct wake *wake, const struct gsc_db *db, unsigned platform,
			     const struct bar *bar, struct gsc_error *err);
struct wake_request *wake_find(struct wake *wake, const char *domain);
/* Wakes a domain as far as the mode allows; true if it is held awake. */
bool wake_take(struct wake *wake, struct wake_request *request);
/* What its acknowledge register says; all ones if it cannot be read. */
uint32_t wake_acknowledged(const struct wake *wake, const struct wake_request *request);
void wake_release(struct wake *wake);

#endif
