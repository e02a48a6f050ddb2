/* SPDX-License-Identifier: MIT */
/*
 * A dump that does not name its platform, but has something that few platforms have: the code of a
 * hang contains the generation, firmware has the name of a platform. It is read as the first of
 * them; whether the others give the same verdict is found by trying.
 */
#include "cli/text.h"
#include "fault.h"
#include "hang/hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum gsc_status open_as(struct common *common, const char *const *specs, size_t count,
			       const char *platform, struct gsc_source **source,
			       struct gsc_error *err)
{
	enum gsc_status status;

	common->platform_name = platform;
	status = source_open(common, specs, count, false, source, err);
	common->platform_name = NULL;
	return status;
}

/* Whether all platforms give the same verdict. */
static bool compare(struct common *common, const char *const *specs, size_t count,
		    uint64_t platforms)
{
	struct gsc_hang_options options = { .no_walk = true };
	char verdict[sizeof(((struct gsc_hang *)NULL)->verdict)] = "";
	struct gsc_error ignored = { 0 };
	struct gsc_platform platform;
	bool same = true;

	for (unsigned i = 0; gsc_platform_at(common->db, i, &platform); i++) {
		struct gsc_source *source = NULL;
		struct gsc_gpu *gpu = NULL;
		struct gsc_hang *hang = NULL;

		if (!(platforms >> i & 1))
			continue;
		if (!open_as(common, specs, count, platform.name, &source, &ignored) &&
		    !gsc_gpu_new(&gpu, source, NULL, &ignored))
			gsc_hang_new(&hang, gpu, &options, &ignored);
		if (*verdict)
			same &= hang && !strcmp(verdict, hang->verdict);
		else if (hang)
			string_set(verdict, "%s", hang->verdict);
		gsc_hang_free(hang);
		gsc_gpu_close(gpu);
		source_close(source);
	}
	return same && *verdict;
}

enum gsc_status guess_platform(struct common *common, const char *const *specs, size_t count,
			       struct gsc_error *err)
{
	char list[200], by[160], why[480];
	struct gsc_platform first;
	uint64_t platforms;
	bool same;

	if (common->platform_name || gsc_source_live(common->source) ||
	    gsc_source_platform(common->source) >= 0)
		return GSC_OK;
	platforms = gsc_hang_platforms(common->source, by, sizeof(by));
	if (!platforms ||
	    !gsc_platform_at(common->db, (unsigned)__builtin_ctzll(platforms), &first))
		return GSC_OK;
	same = compare(common, specs, count, platforms);
	gsc_platforms_text(common->db, platforms, ", ", list, sizeof(list));
	string_set(why,
		 "not in the dump; its %s fit%s %s. It is read as %s%s; give -p to choose", by,
		 strstr(by, " and ") ? "" : "s", list, first.name,
		 !(platforms & (platforms - 1)) ? ""
		 : same ? ", with which the others agree" : ", but the others do not all agree");
	complain(common, GSC_OK, "warning: platform", why);
	common->platform_guessed = true;
	source_close(common->source);
	common->source = NULL;
	return open_as(common, specs, count, first.name, &common->source, err);
}
