/* SPDX-License-Identifier: MIT */
/*
 * libgpuscope: decode the registers and memory structures of Intel GPUs, live or from a dump.
 *
 * There is no global state.
 */
#ifndef GPUSCOPE_H
#define GPUSCOPE_H

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- results ------------------------------------------------------------------------------ */

/* The version of the library that runs: "1.0.0". */
const char *gpuscope_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
