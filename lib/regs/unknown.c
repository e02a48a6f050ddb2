/* SPDX-License-Identifier: MIT */
#include "regs/regs.h"

enum gsc_status gsc_name_unknown(const char *name, const char *(*next)(void *context),
				 void *context, struct gsc_error *err)
{
	struct suggestions s = { .wanted = name };
	const char *candidate;
	char near[400];

	while ((candidate = next(context)))
		suggest(&s, candidate);
	return err_set(err, GSC_UNKNOWN, name, "unknown name%s",
		       suggestions_text(&s, near, sizeof(near)));
}
