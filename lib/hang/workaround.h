/* SPDX-License-Identifier: MIT */
/* Whether the registers of a source have what the driver writes into them. */
#ifndef GSC_HANG_WORKAROUND_H
#define GSC_HANG_WORKAROUND_H

#include "formats/driver-list.h"
#include "hang/hang.h"

#define WORKAROUNDS_FROM "Linux 7.2"	/* whose drivers data/workarounds/ is of */

/* The worst first. */
enum gsc_workaround_state {
	GSC_WORKAROUND_MISSING,		/* none of the bits is right, or one is not set */
	GSC_WORKAROUND_DIFFERENT,	/* other bits are wrong */
	GSC_WORKAROUND_MAYBE,		/* wrong, but perhaps its condition is not met */
	GSC_WORKAROUND_UNCHECKED,	/* wrong, but the driver does not verify it either */
	GSC_WORKAROUND_UNREADABLE,
	GSC_WORKAROUND_ABSENT,		/* the source does not have the register */
	GSC_WORKAROUND_UNLISTED,	/* the driver's own list does not have it */
	GSC_WORKAROUND_RIGHT,
	GSC_WORKAROUND_STATES
};

/* The word for it: "missing", ..., "ok". */
GSC_API const char *gsc_workaround_word(enum gsc_workaround_state state);

/* One write: a register of a workaround, for one engine. */
struct gsc_workaround_check {
	enum gsc_workaround_state state;
	struct gsc_item item;		/* without reg: only the driver's list has it */
	struct gsc_reg reg;
	const char *engine;		/* of a whitelist and a context: whose, or NULL */
	bool in_image;			/* the value is that in the context image */
	bool unlisted;			/* the driver's lists are there, and do not have it */
	bool no_slot;			/* a whitelist: no slot of the engine has the register */
	const char *why;		/* there is no value: "asleep", "unused", ... */
	uint64_t value;			/* of the register; of a whitelist, of its slot */
};

struct gsc_workarounds {
	char driver[32];		/* whose workarounds they are */
	bool assumed;			/* the source does not say that it is this driver */
	VEC(struct gsc_workaround_check) checks;
	size_t counts[GSC_WORKAROUND_STATES], wrong;	/* wrong: missing or different */
	struct driver_lists lists;	/* of the driver; their names that no definition has */
};

/*
 * Checks the workarounds of the platform: those of the driver, and those in files of the user. What
 * the driver lists in the source settles which are needed, and adds others. The caller frees them.
 */
GSC_API enum gsc_status gsc_workarounds_check(struct gsc_workarounds *all,
					      const struct gsc_gpu *gpu, struct gsc_error *err);

GSC_API void gsc_workarounds_free(struct gsc_workarounds *all);

/*
 * The same of the dump of a hang; false, with nothing to free, unless it says which driver it is
 * and something is missing or different.
 */
bool hang_workarounds(const struct gsc_hang *hang, struct gsc_workarounds *all);

#endif
