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
	{ MILLIWATTS_ALLOWED, "*/power?_max", { NULL }, NULL },
	{ MILLIWATTS_RATED, "*/power?_rated_max", { NULL }, NULL },
	{ BYTES_IN_BAR, "resource2", { NULL }, NULL },
	{ BYTES_OF_MEMORY, "", { "SG_TILE_ADDR_RANGE" }, "SIZE" },
	{ WEDGED, "i915_wedged", { NULL }, NULL },
	{ SLEEP_STATE, "", { "MIRROR_TARGET_WP1", "MEDIA_GT_MIRROR_TARGET_WP1" }, "CC" },
	{ SLEEP_STATE, "", { "GT_CORE_STATUS" }, "RCN" },
};

#define REASONS "GT0_PERF_LIMIT_REASONS"	/* the media GT's has the same bits */

/* ---- files and registers -------------------------------------------------------------------- */

static void take_file(void *context, const char *name, const char *text)
{
	struct gsc_hang *hang = context;
	const char *at = strstr(name, "reason_"), *reason = at ? at + strlen("reason_") : "";
	char full[40], power[24];
	uint32_t bits = 0;
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
	/* "pl1" is POWER_LIMIT_1, "soc_thermal" SOC_THERMAL_LIMIT. */
	string_set(power, "power_limit_%s", reason + 2 * !strncmp(reason, "pl", 2));
	string_set(full, "%s_limit", reason);
	for (size_t i = 0; *reason && i < hang->reason_count; i++)
		if (!strcasecmp(hang->reasons[i].name, reason) ||
		    !strcasecmp(hang->reasons[i].name, full) ||
		    !strcasecmp(hang->reasons[i].name, power))
			bits |= 1u << hang->reasons[i].lo;
	l->unclear |= value && (glob_match("*throttle_reason_status", name) ||
				glob_match("*throttle/status", name));
	l->tells |= bits != 0;
	l->now |= value ? bits : 0;
	if (!strcmp(name, "i915_wedged"))
		value = value ? IS_WEDGED : NOT_WEDGED;
	else if (glob_match("hwmon/*", name))
		value /= 1000;		/* microwatts */
	/* Of several the first: of a GT before that of all, of the card before the package. */
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		enum hang_number which = sources[i].number;

		if (l->of[which] || !glob_match(sources[i].file, name) ||
		    (which == MHZ_ACTUAL && l->asleep))
			continue;
		l->of[which] = value + (which == RC6_MILLISECONDS);
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
	const struct gsc_view *view = hang->gpu->view;
	bool silent = false;
	struct gsc_reg reg;
	uint64_t value, since = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		enum hang_number which = sources[i].number;

		if (!l->of[which] && (which != MHZ_ACTUAL || !l->asleep) &&
		    read_named(hang, sources[i].registers[media], &reg, &value) &&
		    (which == SLEEP_STATE ? reg_field : reg_bytes)(view, &reg, value,
								   sources[i].field, &l->of[which]))
			silent |= which == MHZ_ACTUAL && !l->of[which];
	}
	/* A GT in RC6 runs at 0 MHz; if nothing is known of it, it may be that nothing was read. */
	l->asleep |= silent && l->of[MHZ_RP0];
	/* C6 and RC6 are 3; what comes after them is deeper. */
	l->asleep |= l->of[SLEEP_STATE] >= 3;
	l->asleep &= !l->of[MHZ_ACTUAL];
	l->of[SLEEP_STATE] = 0;
	if (!read_named(hang, media ? "MEDIA_PERF_LIMIT_REASONS" : REASONS, &reg, &value))
		return;
	l->tells = true;
	l->latches = reg_field(view, &reg, value, "LOG", &since);
	for (size_t i = 0; i < hang->reason_count; i++) {
		l->now |= (uint32_t)value & 1u << hang->reasons[i].lo;
		l->since |= (uint32_t)since & 1u << hang->reasons[i].lo;
	}
}

void hang_limits(struct gsc_hang *hang)
{
	static const struct hang_limits nothing;
	struct gsc_field_iter it;
	struct gsc_field *field;
	struct gsc_reg reg;

	if (gpu_find(hang->gpu, NULL, REASONS, -1, &reg)) {
		gsc_reg_fields(hang->gpu->view, &reg, 0, &it);
		while (hang->reason_count < HANG_REASONS &&
		       gsc_field_next(&it, field = &hang->reasons[hang->reason_count]))
			hang->reason_count += field->lo < 16 && field->hi == field->lo;
	}
	source_files(hang->gpu->source, take_file, hang);
	read_registers(hang, &hang->limits[0], false);
	if (platform_has(&hang->gpu->platform, PROPERTY_MEDIA_GT))
		read_registers(hang, &hang->limits[1], true);
	/* xe gives a queue up only with the whole GPU (xe_guc_submit.c, xe_guc_submit_wedge()). */
	for (size_t i = 0; i < hang->facts.about.count; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, "queue") &&
		    strstr(hang->facts.about.items[i].a.text, "wedged"))
			hang->limits[0].of[WEDGED] = IS_WEDGED;
	for (size_t i = 0; i < HANG_GTS; i++)
		if (memcmp(&hang->limits[i], &nothing, sizeof(nothing)))
			hang->limits[i].known = hang->limits[0].known = true;
}

/* ---- in words ------------------------------------------------------------------------------- */

static void say_reasons(struct text *s, const struct gsc_hang *hang, const char *before,
			uint32_t bits)
{
	for (size_t i = 0; i < hang->reason_count; i++) {
		const struct gsc_field *f = &hang->reasons[i];

		if (!(bits >> f->lo & 1))
			continue;
		text_add(s, f->doc ? "%s%s (%s)" : "%s%s", before, f->doc ? f->doc : f->name,
			 f->name);
		before = ", ";
	}
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
		else if (actual && l->tells && !l->now && !l->unclear)
			text_put(s, before ? "; nothing limits it now" : "; nothing limits it");
		say_reasons(s, hang, l->now ? "; since boot also: " : "; since boot limited by: ",
			    before);
		text_put(s, ".");
	}
	if (gpu[BYTES_IN_BAR] && gpu[BYTES_IN_BAR] < gpu[BYTES_OF_MEMORY])
		text_add(s, " BAR 2 shows %llu of %llu MB of its memory: enable Resizable BAR in "
			 "the firmware's setup.", LL(gpu[BYTES_IN_BAR] >> 20),
			 LL(gpu[BYTES_OF_MEMORY] >> 20));
	/* "%g": 28.5 W, 150 W */
	if (gpu[MILLIWATTS_ALLOWED] && gpu[MILLIWATTS_ALLOWED] < gpu[MILLIWATTS_RATED])
		text_add(s, " Its power is limited to %g of %g W.",
			 (double)gpu[MILLIWATTS_ALLOWED] / 1000,
			 (double)gpu[MILLIWATTS_RATED] / 1000);
	if (gpu[WEDGED] == IS_WEDGED)
		text_put(s, " The driver has given the GPU up (wedged).");
}
