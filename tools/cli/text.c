/* SPDX-License-Identifier: MIT */
/* Words added to a string in a buffer, and runs in words. */
#include "text.h"

#include "batch/run.h"
#include "cli.h"
#include "util/text.h"

void append_word(char *buf, size_t size, const char *between, const char *word)
{
	string_addf(buf, size, "%s%s", *buf ? between : "", word);
}

const char *run_text(const struct gsc_run *run, char *buf, size_t size)
{
	snprintf(buf, size, "%s %s at %s:0x%llx", run->engine,
		 run->kind == GSC_RUN_SECOND_LEVEL ? "second-level batch"
						   : gsc_run_kind_word(run->kind),
		 run->process ? "ppgtt" : "ggtt", LL(run->address));
	return buf;
}
