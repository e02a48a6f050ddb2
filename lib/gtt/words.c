/* SPDX-License-Identifier: MIT */
/* The words for reasons, and for where tables begin. */
#include "gtt/gtt.h"

#include "source/part.h"
#include "util/number.h"
#include "db/words.h"

#include <stdio.h>

static const char *const stop_words[GSC_STOPS] = {
	[GSC_STOP_NONE] = "none",
	[GSC_STOP_NOT_PRESENT] = "not-present",
	[GSC_STOP_RESERVED_BITS] = "reserved-bits",
	[GSC_STOP_NOT_CANONICAL] = "not-canonical",
	[GSC_STOP_BEYOND_TABLE] = "beyond-table",
	[GSC_STOP_NO_MEMORY] = "no-memory",
	[GSC_STOP_NULL_TILE] = "null-tile",
	[GSC_STOP_INVALID_TILE] = "invalid-tile",
	[GSC_STOP_NOT_PERMITTED] = "not-permitted",
	[GSC_STOP_IOMMU] = "iommu",
};

const char *gsc_stop_word(enum gsc_stop stop)
{
	return (unsigned)stop < GSC_STOPS ? stop_words[stop] : "?";
}

const char *gsc_stop_outcome(enum gsc_stop stop)
{
	if (stop == GSC_STOP_NOT_PERMITTED)
		return "refused";
	return stop == GSC_STOP_NO_MEMORY || stop == GSC_STOP_IOMMU ? "unknown" : "not mapped";
}

const char *read_failure(enum gsc_read status)
{
	switch (status) {
	case GSC_READ_ASLEEP:
		return "the GPU is asleep";
	case GSC_READ_DENIED:
		return "the kernel refuses to read it";
	case GSC_READ_SKIPPED:
		return "it is read only with --unsafe, because the read may hang the machine";
	case GSC_READ_ALL_ONES:
		return "the device does not answer";
	case GSC_READ_EXCLUDED:
		return "it was excluded from the dump";
	default:
		return "no source holds it";
	}
}

const char *space_failure(struct gsc_source *source, enum gsc_space space, enum gsc_read status)
{
	static const struct {
		enum gsc_space space;
		const char *why, *redacted;	/* NULL: it does not matter */
	} spaces[] = {
		{ GSC_GGTT, "the dump has no GGTT", NULL },
		{ GSC_PHYS, "the dump has no page tables",
		  "the dump is redacted, and has no page tables" },
		{ GSC_LMEM, "the dump has no local memory",
		  "the dump is redacted, and has no local memory" },
	};

	if (status != GSC_READ_ABSENT || gsc_source_live(source) || source_may_hold(source, space))
		return NULL;
	if (space == GSC_GGTT && gsc_source_has(source, GSC_SOURCE_MEMORY))
		return "a dump of memory has no GGTT; add -s bar:FILE, ggtt:FILE or a capture";
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		if (spaces[i].space == space)
			return spaces[i].redacted && source_redacted(source) ? spaces[i].redacted :
									      spaces[i].why;
	return NULL;
}

enum gsc_status gsc_walk_why(const struct gsc_translation *translation,
			     const struct gsc_walk *walk, char *buf, size_t size)
{
	struct gsc_source *source = translation->gpu->source;
	const struct gsc_step *step = walk->stop == GSC_STOP_NO_MEMORY && walk->stop_step >= 0
				      ? &walk->steps[walk->stop_step] : NULL;
	enum gsc_read read = GSC_READ_ABSENT;
	uint64_t value;

	/* What is guest-physical is read at another address, which is in no step. */
	if (walk->mapped)
		read = gsc_read(source, walk->space, walk->physical & ~UINT64_C(3), 4, &value);
	else if (step && !step->guest)
		read = gsc_read(source, step->space, step->address, 4, &value);
	if (!walk->mapped)
		snprintf(buf, size, "%s", walk->stop_text);
	else if (space_failure(source, walk->space, read))
		snprintf(buf, size, "%smapped to %s:0x%llx, but the source has no memory",
			 source_redacted(source) ? "redacted: " : "",
			 gsc_space_name(walk->space), LL(walk->physical));
	else if (read == GSC_READ_OK || read == GSC_READ_ABSENT)
		snprintf(buf, size, "mapped to %s:0x%llx, which no source holds",
			 gsc_space_name(walk->space), LL(walk->physical));
	else
		snprintf(buf, size, "mapped to %s:0x%llx: %s",
			 gsc_space_name(walk->space), LL(walk->physical), read_failure(read));
	return read == GSC_READ_OK ? GSC_UNKNOWN : gsc_read_status(read);
}

const char *gsc_root_text(const struct gsc_root *root, char *buf, size_t size)
{
	char text[ROOT_TEXT_MAX + NUMBER_MAX], *at = text;

	if (root->mode == GSC_MODE_VTD && root->count == 2) {
		snprintf(buf, size, "0x%llx/%llu", LL(root->value[0]), LL(root->value[1]));
		return buf;
	}
	for (unsigned i = 0; i < root->count && i < ARRAY_SIZE(root->value); i++) {
		if (i)
			*at++ = ',';
		at = number_hex(at, root->value[i]);
	}
	*at = 0;
	snprintf(buf, size, "%s", text);
	return root->count ? buf : NULL;
}
