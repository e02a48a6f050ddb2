/* SPDX-License-Identifier: MIT */
/*
 * Whether parts of a source belong together: from one machine, and dumps of one hang. Two hangs
 * read as one would be a hang that nobody had.
 */
#include "open/open.h"

#include "formats/dump.h"

#include <stdio.h>

/* What a dump says once, and a dump of another hang says differently. */
static const char *const once[] = {
	"GPU HANG", "Snapshot time", "Time", "Boottime", "Uptime", "Capture",
};

static const char *platform_name(const struct gsc_db *db, int platform)
{
	struct gsc_platform p;

	return gsc_platform_at(db, (unsigned)platform, &p) ? p.name : "?";
}

/* ---- platforms ------------------------------------------------------------------------------ */

/* A log may cover everything that a machine has done: it counts if no dump names the platform. */
static const struct part *log_with_platform(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].reader == &reader_kernel_log &&
		    source->parts.items[i].platform >= 0)
			return &source->parts.items[i];
	return NULL;
}

/* The first part that names the platform counts; another may be more precise but not differ. */
enum gsc_status agree_on_platform(struct gsc_source *source, struct gsc_error *err)
{
	const struct part *teller = NULL;

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (part->platform < 0 || part->reader == &reader_kernel_log)
			continue;
		if (!teller)
			teller = part;
		if (part->platform == teller->platform)
			continue;
		return err_set(err, GSC_USAGE, part->name,
			       "is from %s, but %.200s is from %s: give -p",
			       platform_name(source->db, part->platform), teller->name,
			       platform_name(source->db, teller->platform));
	}
	teller = teller ? teller : log_with_platform(source);
	source->platform = teller ? teller->platform : -1;
	return GSC_OK;
}

/* ---- hangs ---------------------------------------------------------------------------------- */

static bool is_whole(const struct part *part)
{
	return part->dump && part->reader->hang;
}

/* The first line of that name before all blocks; empty: there is none. */
static struct slice property_of(const struct part *part, const char *key)
{
	for (size_t i = 0; part->dump && i < part->dump->properties.count; i++) {
		const struct dump_property *p = &part->dump->properties.items[i];

		if (!slice_length(p->prefix) && slice_is(p->key, key))
			return p->value;
	}
	return (struct slice){ NULL, NULL };
}

/* That of "ecode 9:1:85dffffb"; 0: the code has none. */
static unsigned code_generation(const struct part *part)
{
	struct slice code = property_of(part, "GPU HANG");
	unsigned generation = 0;

	if (!take_text(&code, "ecode "))
		return 0;
	code = slice_first(code, 2);
	for (; code.at < code.end && *code.at != ':'; code.at++)
		generation = generation * 10 + (unsigned)(*code.at - '0');
	return generation < 100 ? generation : 0;
}

static unsigned generation_of(const struct gsc_db *db, const struct part *part)
{
	struct gsc_platform p;

	if (part->platform >= 0 && gsc_platform_at(db, (unsigned)part->platform, &p))
		return p.graphics / 100;
	return code_generation(part);
}

static bool same_machine(const struct gsc_db *db, const struct part *a, const struct part *b,
			 char *why, size_t size)
{
	unsigned x = generation_of(db, a), y = generation_of(db, b);

	if (a->platform >= 0 && b->platform >= 0 && a->platform != b->platform) {
		snprintf(why, size, "platform %s, not %s", platform_name(db, b->platform),
			 platform_name(db, a->platform));
		return false;
	}
	if (a->pci_device >= 0 && b->pci_device >= 0 && a->pci_device != b->pci_device) {
		snprintf(why, size, "PCI id 0x%04x, not 0x%04x", (unsigned)b->pci_device,
			 (unsigned)a->pci_device);
		return false;
	}
	if (x && y && x != y) {
		snprintf(why, size, "generation %u, not %u", y, x);
		return false;
	}
	return true;
}

static bool same_hang(const struct part *a, const struct part *b, char *why, size_t size)
{
	if (!is_whole(a) || !is_whole(b))
		return true;
	if (a->reader != b->reader) {
		snprintf(why, size, "%s, not %s", b->reader->kind, a->reader->kind);
		return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(once); i++) {
		struct slice x = property_of(a, once[i]), y = property_of(b, once[i]);

		if (x.at == x.end || y.at == y.end || slice_same(x, y))
			continue;
		snprintf(why, size, "%s %.*s, not %.*s", once[i], SLICE(slice_first(y, 60)),
			 SLICE(slice_first(x, 60)));
		return false;
	}
	return true;
}

bool parts_agree(const struct gsc_db *db, const struct part *a, const struct part *b, char *why,
		 size_t size)
{
	return same_machine(db, a, b, why, size) && same_hang(a, b, why, size);
}

static bool is_together(const struct part *a, const struct part *b)
{
	return a->owner && b->owner && a->owner == b->owner;
}

/* Those of one text or capture were checked when that was opened. */
enum gsc_status agree_on_hang(const struct gsc_source *source, struct gsc_error *err)
{
	const struct part *first = NULL;
	char why[200];

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		if (!is_whole(part))
			continue;
		if (!first)
			first = part;
		if (is_together(first, part) ||
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
