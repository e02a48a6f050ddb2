/* SPDX-License-Identifier: MIT */
/* I/O ports by number, for the rooms that access them and those that name them. */
#ifndef GSC_PORTS_H
#define GSC_PORTS_H

/* The VGA ports; lower addresses are in the I/O BAR. */
#define PORT_FIRST 0x3b0
#define PORT_LAST 0x3df

/* Miscellaneous output, for reading: its bit 0 says where the ports are that can move. */
#define PORT_MSR 0x3cc

#endif
