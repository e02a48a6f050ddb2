/* SPDX-License-Identifier: MIT */
/*
 * A child reads untrusted bytes in the place of a process that keeps its rights. What it finds is
 * in memory that both see; whatever it puts there, its parent checks.
 */
#include "cli.h"

#include <sys/mman.h>

void *shared_new(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void shared_free(void *memory, size_t size)
{
	munmap(memory, size);
}

void child_confine(struct common *common, const char **specs, size_t count)
{
	common->child = true;
	common->confined_wholly = false;
	common->from = (struct strings){ specs, count };
	common->operand_count = 0;
	confine_to_sources(common);
}

enum gsc_status child_error(const struct gsc_error *told, enum gsc_status status,
			    struct gsc_error *err)
{
	if (!status)
		return GSC_OK;
	*err = *told;
	err->what[sizeof(err->what) - 1] = err->why[sizeof(err->why) - 1] = 0;
	return err->status = (unsigned)status <= GSC_PARTIAL ? status : GSC_FAILED;
}
