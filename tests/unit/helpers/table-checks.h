/* SPDX-License-Identifier: MIT */
/* What the checks of page tables find in a made space. */
#ifndef TABLE_CHECKS_H
#define TABLE_CHECKS_H

#include "space-builder.h"
#include "test.h"
#include "gtt/check.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define WHOLE (IMAGE_PAGES * PAGE)

static inline const struct space_kind *kind_of(const char *platform, enum gsc_mode mode)
{
	for (size_t i = 0; i < space_kind_count; i++)
		if (!strcmp(space_kinds[i].platform, platform) && space_kinds[i].mode == mode)
			return &space_kinds[i];
	abort();
}

struct found {
	struct gsc_breach breaches[64];
	size_t count;
	struct gsc_breach unchecked;	/* the last one; none if it has no rule */
	struct gsc_breach note;		/* the first one; likewise */
};

static inline bool keep_breach(void *context, const struct gsc_breach *breach)
{
	struct found *found = context;

	if (breach->unchecked)
		found->unchecked = *breach;
	else if (breach->note)
		found->note = found->note.rule ? found->note : *breach;
	else
		found->breaches[found->count++] = *breach;
	return found->count < 64;
}

static inline struct found *check_part(const struct space *space, size_t bytes,
				const struct gsc_translation_options *options)
{
	static struct found found;
	struct gsc_global_ranges *shared = NULL;
	struct space_reader reader;
	struct gsc_error err;

	memset(&found, 0, sizeof(found));
	space_open(&reader, space, bytes, options);
	CU_ASSERT_EQUAL(gsc_check_tables(reader.translation, &shared, keep_breach, &found, &err),
			GSC_OK);
	gsc_global_ranges_free(shared);
	space_close(&reader);
	return &found;
}

#endif
