/* SPDX-License-Identifier: MIT */
/* What does not belong to an object. */
#include "gpuscope.h"

const char *gpuscope_version(void)
{
	return GSC_VERSION;
}
