/* SPDX-License-Identifier: MIT */
/* Prefixes of addresses and names: the space that they mean, and the way to it. */
#ifndef GSC_WAY_H
#define GSC_WAY_H

#include "gpuscope.h"

struct way {
	const char *name;
	enum gsc_space space;
	unsigned bits;			/* of an access, 0: as it is usual there */
	bool alias;			/* what a port reaches, through the register BAR */
	bool mchbar;			/* addresses count from the mirror of MCHBAR */
	unsigned unit;			/* of the sideband: its IOSF port */
};

/* The VGA ports, and the addresses below them that are of the I/O BAR. */
#define PORT_FIRST 0x3b0
#define PORT_LAST 0x3df

/* A register of a unit of the sideband; one number is one register of 32 bits. */
#define SIDEBAND_LAST 0xffff

static inline uint64_t sideband_base(unsigned unit)
{
	return (uint64_t)unit << 16;
}

/* NULL past the last. */
const struct way *way_at(size_t i);
/* Without regard to case. */
const struct way *way_find(const char *name, size_t length);

#endif
