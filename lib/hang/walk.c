/* SPDX-License-Identifier: MIT */
#include "hang/hang.h"

bool gsc_hang_walk(const struct gsc_hang *hang, size_t fault, struct gsc_walk *walk,
		   const struct gsc_translation **translation, char *why, size_t size)
{
	(void)hang;
	(void)fault;
	(void)walk;
	(void)translation;
	(void)why;
	(void)size;
	return false;
}
