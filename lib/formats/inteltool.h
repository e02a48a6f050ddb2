/* SPDX-License-Identifier: MIT */
/* The logs of coreboot's inteltool. */
#ifndef GSC_INTELTOOL_H
#define GSC_INTELTOOL_H

#include "util/text.h"

/* A line that heads one of its sections. */
bool inteltool_heading(struct slice line);

#endif
