/* SPDX-License-Identifier: MIT */
/*
 * Which platforms a dump can be of that has no PCI id, or an unknown one: by the IP version that
 * xe prints for each GT, by the file of the GuC's firmware, and by the names of its engines. A
 * text around the dump may name the firmware, too.
 */
#include "db/firmware.h"
#include "db/rule.h"
#include "formats/dump.h"
#include "formats/kernel-log.h"
#include "formats/readers.h"

/*
 * The version of GMD_ID, major * 100 + minor (xe_pci.c, graphics_ips and media_ips). Platforms
 * without that register print 0.
 */
static const struct {
	unsigned version;
	const char *only;
	bool media;
} versions[] = {
	{ 1270, "mtl,arl" }, { 1271, "mtl,arl" }, { 1274, "arl" }, { 2001, "bmg" },
	{ 2002, "bmg" }, { 2004, "lnl" }, { 3000, "ptl" }, { 3001, "ptl" }, { 3003, "ptl" },
	{ 3004, "nvls" }, { 3005, "nvls" }, { 3510, "nvlp" }, { 3511, "cri" },
	{ 1300, "mtl,arl", true }, { 1301, "bmg", true }, { 2000, "lnl", true },
	{ 3000, "ptl", true }, { 3002, "ptl", true }, { 3500, "nvls,nvlp", true },
	{ 3503, "cri", true },
};

/* The platforms that a dump can be of, by its form and a register in it. */
static const struct {
	const struct reader *reader;
	const char *key, *only, *why;	/* the register, or NULL; the platforms */
	bool names;			/* its engines are called as in the database */
} drivers[] = {
	{ &reader_devcoredump, NULL, "gen12+,!xehpsdv", "driver xe", true },
	{ &reader_engine_dump, "EL_STAT_LO", "gen8+,!pvc,!gen20+", "driver i915 with execlists" },
};

struct guess {
	const struct gsc_db *db;
	uint64_t platforms;		/* a bit each; 0: nothing known */
	char why[160];
};

static uint64_t platforms_of(const struct gsc_db *db, const char *only)
{
	struct gsc_platform p;
	uint64_t platforms = 0;

	for (unsigned i = 0; i < 64 && gsc_platform_at(db, i, &p); i++)
		platforms |= (uint64_t)platform_is(&p, only) << i;
	return platforms;
}

/* What contradicts something more certain is left out. */
static void narrow(struct guess *g, uint64_t platforms, const char *what, struct slice value)
{
	uint64_t left = g->platforms ? g->platforms & platforms : platforms;
	size_t used = strlen(g->why);

	if (!left)
		return;
	if (!g->platforms || left != g->platforms)
		snprintf(g->why + used, sizeof(g->why) - used, "%s%s%s%.*s", used ? " and " : "",
			 what, slice_length(value) ? " " : "", SLICE(slice_first(value, 48)));
	g->platforms = left;
}

static void by_version(struct guess *g, bool of_media, uint64_t version, struct slice value)
{
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
		if (versions[i].media == of_media && versions[i].version == version)
			narrow(g, platforms_of(g->db, versions[i].only),
			       of_media ? "media IP version" : "IP version", value);
}

/* "20.4.0": major, minor, stepping */
static bool take_version(struct slice text, uint64_t *version)
{
	struct slice major = take_while(&text, is_digit), minor;
	uint64_t number;

	if (!slice_number(major, version) || !take_text(&text, "."))
		return false;
	minor = take_while(&text, is_digit);
	if (!slice_number(minor, &number) || *version > 99 || number > 99)
		return false;
	*version = *version * 100 + number;
	return true;
}

/* "i915/tgl_guc_70.bin", "bmg_guc_70.bin"; a file of the user's may have any name. */
static void by_firmware(struct guess *g, struct slice path)
{
	if (slice_find(path, "_guc_"))
		narrow(g, firmware_platforms(g->db, path), "GuC firmware", path);
}

static void by_dump(struct guess *g, const struct part *part)
{
	bool of_media = false;
	uint64_t version;

	for (size_t i = 0; i < part->properties.count; i++) {
		const struct part_property *p = &part->properties.items[i];

		if (slice_is(p->key, "Type"))
			of_media = slice_is(p->value, "media");
		else if (slice_is(p->key, "IP ver") && take_version(p->value, &version))
			by_version(g, of_media, version, p->value);
		/* Bits 31:22 and 21:14 (xe_gt_regs.h). */
		else if (slice_is(p->key, "GMD_ID") && slice_number(p->value, &version))
			by_version(g, of_media, (version >> 22 & 0x3ff) * 100 +
				   (version >> 14 & 0xff), p->value);
	}
	for (size_t i = 0; i < part->properties.count; i++)
		if (slice_is(part->properties.items[i].key, "GuC firmware"))
			by_firmware(g, part->properties.items[i].value);
}

static void by_driver(struct guess *g, const struct part *part)
{
	const struct dump *dump = part->dump;

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
		bool has = !drivers[i].key;

		for (size_t n = 0; n < dump->registers.count && !has; n++)
			has = slice_is(dump->registers.items[n].key, drivers[i].key);
		if (part->reader != drivers[i].reader || !has)
			continue;
		narrow(g, platforms_of(g->db, drivers[i].only), drivers[i].why, slice_string(""));
		for (size_t n = 0; n < dump->engines.count && drivers[i].names; n++) {
			const char *name = dump->engines.items[n].name;
			uint64_t platforms = 0;

			for (unsigned p = 0; p < 64; p++)
				if (g->platforms >> p & 1 &&
				    dump_platform_has(g->db, p, name, NULL))
					platforms |= UINT64_C(1) << p;
			narrow(g, platforms, "engine", slice_string(name));
		}
	}
}

void dump_identify(const struct gsc_source *source, struct part *part)
{
	struct guess g = { .db = source->db };
	struct gsc_platform p;

	if (!part->dump || part->platform >= 0 || !g.db)
		return;
	by_dump(&g, part);
	if (!g.platforms || g.platforms & (g.platforms - 1) ||
	    !gsc_platform_at(g.db, (unsigned)__builtin_ctzll(g.platforms), &p))
		return;
	part->platform = (int)p.index;
	part_say(part, "", "identified", "%s, by its %s: %s", p.name, g.why,
		 part->pci_device < 0 ? "the dump has no PCI id" : "its PCI id is unknown");
}

uint64_t gsc_source_platforms(const struct gsc_source *source, char *why, size_t size)
{
	struct guess g = { .db = source->db };
	bool dumps = false;

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		dumps |= part->dump != NULL;
		if (part->dump)
			by_dump(&g, part);
	}
	for (size_t i = 0; i < source->parts.count && dumps; i++) {
		const struct blob *blob = &source->parts.items[i].blob;
		struct slice text = slice_of((const char *)blob->data, (size_t)blob->size);
		struct slice rest = text, path;

		if (source->parts.items[i].reader != &reader_kernel_log)
			continue;
		/* The first file of the GuC's firmware that a log names. */
		while (kernel_log_firmware(text, &rest, &path) && !slice_find(path, "_guc_"))
			;
		if (path.at)
			by_firmware(&g, path);
	}
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].dump)
			by_driver(&g, &source->parts.items[i]);
	snprintf(why, size, "%s", g.why);
	return g.platforms;
}
