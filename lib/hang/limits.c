/* SPDX-License-Identifier: MIT */
/*
 * How fast the GPU runs, and what keeps it from running faster: files of the driver, and registers
 * for what they do not say. What neither has is not known, and never 0.
 */
#include "hang/engine.h"

#include "source/part.h"
#include "util/number.h"
#include "util/text.h"

/* Files of the driver; the registers of the first GT and of the media GT, their field. */
static const struct {
	enum hang_number number;
	const char *file, *registers[2], *field;
} sources[] = {
	{ MHZ_REQUESTED, "*cur_freq*", { "RPNSWREQ", "MEDIA_GT_RPNSWREQ" }, "FREQUENCY" },
	{ MHZ_ACTUAL, "*act_freq*", { "MIRROR_TARGET_WP1", "MEDIA_GT_MIRROR_TARGET_WP1" }, "CAGF" },
	{ MHZ_ACTUAL, "", { "RPSTAT1" }, "CAGF" },
	{ MHZ_MIN, "*min_freq*", { NULL }, NULL },
	{ MHZ_MAX, "*max_freq*", { NULL }, NULL },
	{ MHZ_RP0, "*rp0_freq*", { "RP_STATE_CAP", "MEDIAP_STATE_CAP" }, "RP0_CAP" },
	{ MHZ_RPN, "*rpn_freq*", { "RP_STATE_CAP", "MEDIAP_STATE_CAP" }, "RPN_CAP" },
	{ RC6_MILLISECONDS, "*residency*", { NULL }, NULL },
	{ WATTS_ALLOWED, "*/power?_max", { NULL }, NULL },
	{ WATTS_RATED, "*/power?_rated_max", { NULL }, NULL },
	{ BYTES_IN_BAR, "resource2", { NULL }, NULL },
	{ BYTES_OF_MEMORY, "", { "SG_TILE_ADDR_RANGE" }, "SIZE" },
	{ WEDGED, "i915_wedged", { NULL }, NULL },
};

#define REASONS "GT0_PERF_LIMIT_REASONS"	/* the media GT's has the same bits */

/* ---- reasons -------------------------------------------------------------------------------- */

size_t hang_reasons(const struct gsc_hang *hang, uint64_t bits, struct gsc_field *fields)
{
	struct gsc_field_iter it;
	struct gsc_reg reg;
	size_t count = 0;

	if (!gpu_find(hang->gpu, NULL, REASONS, -1, &reg))
		return 0;
	gsc_reg_fields(hang->gpu->view, &reg, bits & 0xffff, &it);
	while (count < HANG_REASONS && gsc_field_next(&it, &fields[count]))
		count += fields[count].value && fields[count].hi == fields[count].lo;
	return count;
}

/*
 * Those of `bits` that are reasons; of them the one that a file is named after, unless that is "":
 * "pl1" is POWER_LIMIT_1, "soc_thermal" SOC_THERMAL_LIMIT.
 */
static uint32_t reason_bits(const struct gsc_hang *hang, uint64_t bits, const char *file)
{
	struct gsc_field fields[HANG_REASONS];
	uint32_t found = 0;
	char power[24];

	string_set(power, "power_limit_%s", file + 2 * !strncmp(file, "pl", 2));
	for (size_t i = hang_reasons(hang, bits, fields); i-- > 0;)
		if (!strncasecmp(fields[i].name, file, strlen(file)) ||
		    !strcasecmp(fields[i].name, power))
			found |= 1u << fields[i].lo;
	return found;
}

/* ---- files and registers -------------------------------------------------------------------- */

static void take_file(void *context, const char *name, const char *text)
{
	struct gsc_hang *hang = context;
	const char *at = strstr(name, "reason_"), *reason = at ? at + strlen("reason_") : "";
	uint32_t bits = *reason ? reason_bits(hang, 0xffff, reason) : 0;
	unsigned gt = 0;			/* also of what concerns all */
	struct hang_limits *l;
	uint64_t value;

	if (sscanf(name, "tile%*u/gt%1u/", &gt) != 1)
		sscanf(name, "drm/card%*u/gt/gt%1u/", &gt);
	if (gt >= HANG_GTS)
		return;
	l = &hang->limits[gt];
	l->asleep |= !strcmp(text, "gt-c6");
	if (!gsc_parse_number(text, &value))
		return;
	l->tells |= bits != 0;
	l->now |= value ? bits : 0;
	if (!strcmp(name, "i915_wedged"))
		value = value ? IS_WEDGED : NOT_WEDGED;
	else if (glob_match("hwmon/*", name))
		value /= 1000000;		/* microwatts */
	/* Of several the first: of a GT before that of all, of the card before the package. */
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		enum hang_number which = sources[i].number;

		if (l->of[which] || !glob_match(sources[i].file, name) ||
		    (which == MHZ_ACTUAL && l->asleep))
			continue;
		l->of[which] = value;
		l->asleep |= which == MHZ_ACTUAL && !value;
	}
}

/* All ones: it is gone, or was never read. */
static bool read_named(const struct gsc_hang *hang, const char *name, struct gsc_reg *reg,
		       uint64_t *value)
{
	return name && !gpu_read_named(hang->gpu, NULL, name, -1, reg, value) &&
	       *value != UINT32_MAX;
}

static void read_registers(const struct gsc_hang *hang, struct hang_limits *l, bool media)
{
	static const struct { const char *registers[2], *field; } sleeps[] = {
		{ { "MIRROR_TARGET_WP1", "MEDIA_GT_MIRROR_TARGET_WP1" }, "CC" },
		{ { "GT_CORE_STATUS" }, "RCN" },
	};
	const struct gsc_view *view = hang->gpu->view;
	bool silent = false;
	struct gsc_reg reg;
	uint64_t value, part;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		enum hang_number which = sources[i].number;

		if (!l->of[which] && (which != MHZ_ACTUAL || !l->asleep) &&
		    read_named(hang, sources[i].registers[media], &reg, &value) &&
		    reg_bytes(view, &reg, value, sources[i].field, &l->of[which]))
			silent |= which == MHZ_ACTUAL && !l->of[which];
	}
	/* A GT in RC6 runs at 0 MHz; if nothing is known of it, it may be that nothing was read. */
	l->asleep |= silent && l->of[MHZ_RP0];
	/* C6 and RC6 are 3; what comes after them is deeper. */
	for (size_t i = 0; i < ARRAY_SIZE(sleeps) && !l->of[MHZ_ACTUAL]; i++)
		l->asleep |= read_named(hang, sleeps[i].registers[media], &reg, &value) &&
			     reg_field(view, &reg, value, sleeps[i].field, &part) && part >= 3;
	l->asleep &= !l->of[MHZ_ACTUAL];
	if (!read_named(hang, media ? "MEDIA_PERF_LIMIT_REASONS" : REASONS, &reg, &value))
		return;
	l->tells = true;
	l->now |= reason_bits(hang, value, "");
	l->latches = reg_field(view, &reg, value, "LOG", &part);
	l->since = l->latches ? reason_bits(hang, part, "") : 0;
}

void hang_limits(struct gsc_hang *hang)
{
	static const struct hang_limits nothing;

	source_files(hang->gpu->source, take_file, hang);
	read_registers(hang, &hang->limits[0], false);
	if (platform_has(&hang->gpu->platform, PROPERTY_MEDIA_GT))
		read_registers(hang, &hang->limits[1], true);
	/* xe gives a queue up only with the whole GPU (xe_guc_submit.c, xe_guc_submit_wedge()). */
	for (size_t i = 0; i < hang->facts.about.count; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, "queue") &&
		    strstr(hang->facts.about.items[i].a.text, "wedged"))
			hang->limits[0].of[WEDGED] = IS_WEDGED;
	for (size_t i = HANG_GTS; i-- > 0;)
		hang->limits[i].known = memcmp(&hang->limits[i], &nothing, sizeof(nothing)) != 0;
	for (size_t i = 1; i < HANG_GTS; i++)
		hang->limits[0].known |= hang->limits[i].known;
}

/* ---- in words ------------------------------------------------------------------------------- */

static void say_reasons(struct text *s, const struct gsc_hang *hang, const char *before,
			uint32_t bits)
{
	struct gsc_field fields[HANG_REASONS], *f = fields;

	for (size_t count = hang_reasons(hang, bits, fields); count--; f++, before = ", ")
		text_add(s, f->doc ? "%s%s (%s)" : "%s%s", before, f->doc ? f->doc : f->name,
			 f->name);
}

void hang_say_limits(const struct gsc_hang *hang, struct text *s)
{
	const uint64_t *gpu = hang->limits[0].of;

	for (size_t i = 0; i < HANG_GTS; i++) {
		const struct hang_limits *l = &hang->limits[i];
		uint64_t actual = l->of[MHZ_ACTUAL], most = l->of[MHZ_RP0];
		uint32_t before = l->since & ~l->now;

		/* What else a source may have does not show that anything is slow. */
		if (!l->now && (i || (!actual && !l->asleep)))
			continue;
		text_add(s, i ? " GT %zu" : " The GPU", i);
		if (actual)
			text_add(s, most ? " runs at %llu of %llu MHz" : " runs at %llu MHz",
				 LL(actual), LL(most));
		else
			text_put(s, l->asleep ? " is asleep (RC6)" : " is slowed down");
		if (actual && l->of[MHZ_REQUESTED] > actual)
			text_add(s, ", %llu MHz requested", LL(l->of[MHZ_REQUESTED]));
		say_reasons(s, hang, ", limited by: ", l->now);
		if (l->of[MHZ_MAX] && l->of[MHZ_MAX] < most)
			text_add(s, "; the driver allows %llu MHz", LL(l->of[MHZ_MAX]));
		else if (actual && l->tells && !l->now)
			text_put(s, before ? "; nothing limits it now" : "; nothing limits it");
		say_reasons(s, hang, l->now ? "; since boot also: " : "; since boot limited by: ",
			    before);
		text_put(s, ".");
	}
	if (gpu[BYTES_IN_BAR] && gpu[BYTES_IN_BAR] < gpu[BYTES_OF_MEMORY])
		text_add(s, " BAR 2 shows %llu of %llu MB of its memory: enable Resizable BAR in "
			 "the firmware's setup.", LL(gpu[BYTES_IN_BAR] >> 20),
			 LL(gpu[BYTES_OF_MEMORY] >> 20));
	if (gpu[WATTS_ALLOWED] && gpu[WATTS_ALLOWED] < gpu[WATTS_RATED])
		text_add(s, " Its power is limited to %llu of %llu W.", LL(gpu[WATTS_ALLOWED]),
			 LL(gpu[WATTS_RATED]));
	if (gpu[WEDGED] == IS_WEDGED)
		text_put(s, " The driver has given the GPU up (wedged).");
}
