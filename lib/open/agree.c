/* SPDX-License-Identifier: MIT */
/*
 * Whether parts of a source belong together: from one machine, and dumps of one hang. Two hangs
 * read as one would be a hang that nobody had.
 */
#include "open/opening.h"

#include "db/platform.h"
#include "formats/dump.h"

#include <stdio.h>

static const char *platform_name(const struct gsc_db *db, int platform)
{
	struct gsc_platform p;

	return gsc_platform_at(db, (unsigned)platform, &p) ? p.name : "?";
}

/* ---- platforms ------------------------------------------------------------------------------ */

/*
 * The first part that names the platform counts; another may be more precise but not differ. A log
 * may cover everything that a machine has done: it counts if no dump names the platform.
 */
enum gsc_status agree_on_platform(struct gsc_source *source, struct gsc_error *err)
{
	const struct part *dump = NULL, *log = NULL;

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (part->platform < 0)
			continue;
		if (part->reader == &reader_kernel_log) {
			log = log ? log : part;
			continue;
		}
		dump = dump ? dump : part;
		if (part->platform != dump->platform)
			return err_set(err, GSC_USAGE, part->name,
				       "is from %s, but %.200s is from %s: give -p",
				       platform_name(source->db, part->platform), dump->name,
				       platform_name(source->db, dump->platform));
	}
	source->platform = dump ? dump->platform : log ? log->platform : -1;
	return GSC_OK;
}

/* ---- hangs ---------------------------------------------------------------------------------- */

static bool is_whole(const struct part *part)
{
	return part->dump && part->reader->hang;
}

/* That of the platform, or of "ecode 9:1:85dffffb"; 0: unknown. */
static unsigned generation_of(const struct gsc_db *db, const struct part *part)
{
	struct slice code = part_says(part, "GPU HANG");
	struct gsc_platform p;
	uint64_t generation;

	if (part->platform >= 0 && gsc_platform_at(db, (unsigned)part->platform, &p))
		return p.graphics / 100;
	return take_text(&code, "ecode ") && take_decimal(&code, &generation) &&
	       slice_begins(code, ":") && generation < 100 ? (unsigned)generation : 0;
}

bool parts_agree(const struct gsc_db *db, const struct part *a, const struct part *b, char *why,
		 size_t size)
{
	/* What a dump says once, and a dump of another hang says differently. */
	static const char once[][16] = {
		"GPU HANG", "Snapshot time", "Time", "Boottime", "Uptime", "Capture",
	};
	unsigned x = generation_of(db, a), y = generation_of(db, b);

	*why = 0;
	if (a->platform >= 0 && b->platform >= 0 && a->platform != b->platform)
		snprintf(why, size, "platform %s, not %s", platform_name(db, b->platform),
			 platform_name(db, a->platform));
	else if (a->pci_device >= 0 && b->pci_device >= 0 && a->pci_device != b->pci_device)
		snprintf(why, size, "PCI id 0x%04x, not 0x%04x", (unsigned)b->pci_device,
			 (unsigned)a->pci_device);
	else if (x && y && x != y)
		snprintf(why, size, "generation %u, not %u", y, x);
	else if (is_whole(a) && is_whole(b) && a->reader != b->reader)
		snprintf(why, size, "%s, not %s", b->reader->kind, a->reader->kind);
	for (size_t i = 0; i < ARRAY_SIZE(once) && !*why && is_whole(a) && is_whole(b); i++) {
		struct slice before = part_says(a, once[i]), after = part_says(b, once[i]);

		if (before.at < before.end && after.at < after.end && !slice_same(before, after))
			snprintf(why, size, "%s %.*s, not %.*s", once[i],
				 SLICE(slice_first(after, 60)), SLICE(slice_first(before, 60)));
	}
	return !*why;
}

enum gsc_status agree_on_hang(const struct gsc_source *source, struct gsc_error *err)
{
	const struct part *first = NULL;
	char why[200];

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (!is_whole(part))
			continue;
		first = first ? first : part;
		/* Those of one text or capture were checked when that was opened. */
		if ((first->owner && first->owner == part->owner) ||
		    parts_agree(source->db, first, part, why, sizeof(why)))
			continue;
		return err_set(err, GSC_USAGE, part->name,
			       "a different hang from %.200s (%s): read each one alone: gpu-fault "
			       "%s %s", first->name, why,
			       name_to_paste(first->owner ? first->owner : first->name),
			       name_to_paste(part->owner ? part->owner : part->name));
	}
	return GSC_OK;
}
