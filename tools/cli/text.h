/* SPDX-License-Identifier: MIT */
/* Text for people, assembled in a buffer. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A word of a list, with the separator before it. */
void append_word(char *buf, size_t size, const char *between, const char *word);

struct gsc_run;
/* "rcs0 batch at ppgtt:0x1000" */
const char *run_text(const struct gsc_run *run, char *buf, size_t size);

#endif
