/* SPDX-License-Identifier: MIT */
/* I/O ports by number, for the rooms that reach them and those that name them. */
#ifndef GSC_PORTS_H
#define GSC_PORTS_H

/* The VGA ports; addresses below them are of the I/O BAR. */
#define PORT_FIRST 0x3b0
#define PORT_LAST 0x3df

/* Miscellaneous output, to be read: its bit 0 tells where ports are that move. */
#define PORT_MSR 0x3cc

#endif
