/* SPDX-License-Identifier: MIT */
/* Prefixes of addresses and names: the space that they mean, and the way to it. */
#ifndef GSC_WAY_H
#define GSC_WAY_H

#include "db/words.h"

struct way {
	const char *name;
	enum gsc_space space;
	unsigned bits;			/* of an access, 0: the usual width there */
	bool alias;			/* what a port reaches, through the register BAR */
	bool mchbar;			/* addresses count from the mirror of MCHBAR */
	unsigned unit;			/* of the sideband: its IOSF port */
};

/* A register of a unit of the sideband; one number is one register of 32 bits. */
#define SIDEBAND_LAST 0xffff

static inline uint64_t sideband_base(unsigned unit)
{
	return (uint64_t)unit << 16;
}

/* Without regard to case. */
const struct way *way_find(const char *name, size_t length);

/*
 * Prefixes of addresses and names ("punit", "mmio-sr", "mchbar"), before a colon: each selects a
 * space and a way to reach it. NULL past the last.
 */
GSC_API const char *gsc_prefix_at(size_t i);

#endif
