/* SPDX-License-Identifier: MIT */
/* How devices and other sources are opened, what parts of a source are, and stored dumps. */
#ifndef GSC_DEVICE_OPTIONS_H
#define GSC_DEVICE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct gsc_db;

/*
 * How to keep a device awake while it is read: by any means, through the driver, by the request
 * registers, not at all.
 */
enum gsc_wake { GSC_WAKE_AUTO, GSC_WAKE_DRIVER, GSC_WAKE_REGISTERS, GSC_WAKE_NONE };

/* Whether the registers of a device are opened. */
enum gsc_registers {
	GSC_REGISTERS_NEEDED,		/* if they are refused, opening fails */
	GSC_REGISTERS_WANTED,		/* if they are refused, gsc_source_refusal() says why */
	GSC_REGISTERS_NONE,		/* its BAR is not touched */
};

/* How sources are opened. Options that are all zero are the defaults. */
struct gsc_source_options {
	const struct gsc_db *db;
	const char *platform;		/* the platform that the user gave, or NULL */
	enum gsc_wake wake;
	enum gsc_registers registers;
	bool unsafe;			/* read also what may hang, such as a GGTT in its BAR */
	bool write;			/* registers of a device may be written */
	bool guc;			/* also what its driver says of the GuC's messages */
	/*
	 * Opens an unnamed file for unpacked data, or returns -1 and sets errno. NULL: a file in
	 * TMPDIR or /tmp is used.
	 */
	int (*temporary)(void *context);
	/*
	 * Opens a file for reading, "-" being standard input, or returns -1 and sets errno. The
	 * library closes what it gets, unless it is standard input. NULL: open(2) is used.
	 */
	int (*open)(void *context, const char *path);
	void *context;
};

/* What a part is, for programs: kinds that need no distinction share a form. */
enum gsc_source_form {
	GSC_SOURCE_NONE,		/* definitions only, or unknown */
	GSC_SOURCE_DEVICE,
	GSC_SOURCE_BAR,			/* bytes of a register BAR */
	GSC_SOURCE_BYTES,		/* bytes of anything else: memory, GGTT, config space */
	GSC_SOURCE_CAPTURE, GSC_SOURCE_REGISTER_TEXT, GSC_SOURCE_PORT_TRACE,
	GSC_SOURCE_CONFIG_TEXT, GSC_SOURCE_AUB, GSC_SOURCE_VTD_TEXT,
	GSC_SOURCE_ERROR_STATE,		/* of i915 */
	GSC_SOURCE_DEVCOREDUMP,		/* of xe */
	GSC_SOURCE_LOG,			/* kernel log; its text is the member GSC_MEMBER_LOG */
	GSC_SOURCE_ENGINE_DUMP,		/* registers of an engine printed by i915 */
	GSC_SOURCE_MEMORY,		/* the memory of a machine: a vmcore and the like */
	GSC_SOURCE_CALLBACKS,		/* what functions of the caller read */
};

/* Where drivers list their workarounds, each line is given with this as the name of its file. */
#define DRIVER_LIST "driver-list"

/* A dump of a hang that the kernel has kept, on a live device or in a capture. */
struct gsc_stored {
	char path[128];			/* on a live device gsc_source_open() takes it */
	const char *kind;		/* "i915 error state", "Xe devcoredump" */
	int64_t saved;			/* when the capture was made, seconds since 1970; or -1 */
	enum gsc_source_form form;	/* the same, for programs */
};

#endif
