/* SPDX-License-Identifier: MIT */
/* What logs put in front of messages, by its form: times and levels. */
#ifndef GSC_FRONT_H
#define GSC_FRONT_H

#include "util/text.h"

/* In the form `9` is any digit, `%` any hexadecimal one, `?` any letter. */
bool slice_has_form(struct slice text, const char *form);

/* "[   12.345678", "[  +0.000010" since the line before; the number without a sign. */
bool take_seconds(struct slice *text, struct slice *number);
/* "6,1234,20279445," of /dev/kmsg: the level of syslog, and microseconds since the boot. */
bool take_record(struct slice *text, unsigned *level, uint64_t *time);
/* Any time or date begins there, after a level or not. */
bool is_stamp(struct slice text);

#endif
