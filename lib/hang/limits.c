/* SPDX-License-Identifier: MIT */
/*
 * How fast the GPU runs, and what keeps it from running faster: files of the driver, and registers
 * for what they do not say. What neither has is not known, and never 0.
 */
#include "hang/engine.h"

#include "source/part.h"
#include "util/number.h"
#include "util/text.h"

/* What a file's name contains; the registers of the first GT and of the media GT, their field. */
static const struct {
	enum hang_frequency frequency;
	const char *file, *registers[2], *field;
} sources[] = {
	{ MHZ_REQUESTED, "cur_freq", { "RPNSWREQ", "MEDIA_GT_RPNSWREQ" }, "FREQUENCY" },
	{ MHZ_ACTUAL, "act_freq", { "MIRROR_TARGET_WP1", "MEDIA_GT_MIRROR_TARGET_WP1" }, "CAGF" },
	{ MHZ_ACTUAL, NULL, { "RPSTAT1" }, "CAGF" },
	{ MHZ_MIN, "min_freq", { NULL }, NULL },
	{ MHZ_MAX, "max_freq", { NULL }, NULL },
	{ MHZ_RP0, "rp0_freq", { "RP_STATE_CAP", "MEDIAP_STATE_CAP" }, "RP0_CAP" },
	{ MHZ_RPN, "rpn_freq", { "RP_STATE_CAP", "MEDIAP_STATE_CAP" }, "RPN_CAP" },
};

#define REASONS "GT0_PERF_LIMIT_REASONS"	/* the media GT's has the same bits */
#define WATT 1000000				/* hwmon counts microwatts */

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
	struct hang_limits *limits = &hang->limits;
	const char *at = strstr(name, "reason_"), *reason = at ? at + strlen("reason_") : "";
	uint32_t bits = *reason ? reason_bits(hang, 0xffff, reason) : 0;
	unsigned gt = 0;			/* also of what concerns all */
	struct hang_speed *speed;
	uint64_t value;

	if (sscanf(name, "tile%*u/gt%1u/", &gt) != 1)
		sscanf(name, "drm/card%*u/gt/gt%1u/", &gt);
	if (gt >= HANG_GTS)
		return;
	speed = &limits->gts[gt];
	speed->asleep |= !strcmp(text, "gt-c6");
	if (!gsc_parse_number(text, &value))
		return;
	speed->tells |= bits != 0;
	speed->now |= value ? bits : 0;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		uint64_t *mhz = &speed->mhz[sources[i].frequency];
		bool actual = sources[i].frequency == MHZ_ACTUAL;

		if (!sources[i].file || !strcasestr(name, sources[i].file) || *mhz ||
		    (actual && speed->asleep))
			continue;
		*mhz = value;
		speed->asleep |= actual && !value;
	}
	/* Of several the first: of a GT before that of all, of the card before the package. */
	if (strstr(name, "residency") && !speed->rc6)
		speed->rc6 = value;
	else if (glob_match("*/power?_max", name) && !limits->power)
		limits->power = value / WATT;
	else if (glob_match("*/power?_rated_max", name) && !limits->rated)
		limits->rated = value / WATT;
	else if (!strcmp(name, "resource2"))
		limits->bar = value;
	else if (!strcmp(name, "i915_wedged"))
		limits->wedged = value ? HANG_WEDGED : HANG_NOT_WEDGED;
}

/* All ones: it is gone, or was never read. */
static bool read_named(const struct gsc_hang *hang, const char *name, struct gsc_reg *reg,
		       uint64_t *value)
{
	return name && !gpu_read_named(hang->gpu, NULL, name, -1, reg, value) &&
	       *value != UINT32_MAX;
}

static void read_speed(const struct gsc_hang *hang, struct hang_speed *speed, bool media)
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
		enum hang_frequency which = sources[i].frequency;

		if (!speed->mhz[which] && (which != MHZ_ACTUAL || !speed->asleep) &&
		    read_named(hang, sources[i].registers[media], &reg, &value) &&
		    reg_bytes(view, &reg, value, sources[i].field, &speed->mhz[which]))
			silent |= which == MHZ_ACTUAL && !speed->mhz[which];
	}
	/* A GT in RC6 runs at 0 MHz; if nothing is known of it, it may be that nothing was read. */
	speed->asleep |= silent && speed->mhz[MHZ_RP0];
	/* C6 and RC6 are 3; what comes after them is deeper. */
	for (size_t i = 0; i < ARRAY_SIZE(sleeps) && !speed->mhz[MHZ_ACTUAL]; i++)
		if (read_named(hang, sleeps[i].registers[media], &reg, &value) &&
		    reg_field(view, &reg, value, sleeps[i].field, &part))
			speed->asleep |= part >= 3;
	speed->asleep &= !speed->mhz[MHZ_ACTUAL];
	if (!read_named(hang, media ? "MEDIA_PERF_LIMIT_REASONS" : REASONS, &reg, &value))
		return;
	speed->tells = true;
	speed->now |= reason_bits(hang, value, "");
	speed->latches = reg_field(view, &reg, value, "LOG", &part);
	speed->since = speed->latches ? reason_bits(hang, part, "") : 0;
}

void hang_limits(struct gsc_hang *hang)
{
	static const struct hang_limits nothing;
	struct hang_limits *limits = &hang->limits;
	struct gsc_reg reg;
	uint64_t value;

	source_files(hang->gpu->source, take_file, hang);
	read_speed(hang, &limits->gts[0], false);
	if (platform_has(&hang->gpu->platform, PROPERTY_MEDIA_GT))
		read_speed(hang, &limits->gts[1], true);
	if (read_named(hang, "SG_TILE_ADDR_RANGE", &reg, &value))
		reg_bytes(hang->gpu->view, &reg, value, "SIZE", &limits->memory);
	/* xe gives a queue up only with the whole GPU (xe_guc_submit.c, xe_guc_submit_wedge()). */
	for (size_t i = 0; i < hang->facts.about.count; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, "queue") &&
		    strstr(hang->facts.about.items[i].a.text, "wedged"))
			limits->wedged = HANG_WEDGED;
	for (size_t i = 0; i < HANG_GTS; i++)
		limits->gts[i].known = memcmp(&limits->gts[i], nothing.gts,
					      sizeof(*nothing.gts)) != 0;
	limits->known = memcmp(limits, &nothing, sizeof(nothing)) != 0;
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

static void say_speed(struct text *s, const struct gsc_hang *hang, const struct hang_speed *speed)
{
	uint64_t actual = speed->mhz[MHZ_ACTUAL], most = speed->mhz[MHZ_RP0];
	uint32_t before = speed->since & ~speed->now;

	if (actual && most)
		text_add(s, " runs at %llu of %llu MHz", LL(actual), LL(most));
	else if (actual)
		text_add(s, " runs at %llu MHz", LL(actual));
	else
		text_put(s, speed->asleep ? " is asleep (RC6)" : " is slowed down");
	if (actual && speed->mhz[MHZ_REQUESTED] > actual)
		text_add(s, ", %llu MHz requested", LL(speed->mhz[MHZ_REQUESTED]));
	say_reasons(s, hang, ", limited by: ", speed->now);
	if (speed->mhz[MHZ_MAX] && speed->mhz[MHZ_MAX] < most)
		text_add(s, "; the driver allows %llu MHz", LL(speed->mhz[MHZ_MAX]));
	else if (actual && speed->tells && !speed->now)
		text_put(s, before ? "; nothing limits it now" : "; nothing limits it");
	say_reasons(s, hang, speed->now ? "; since boot also: " : "; since boot limited by: ",
		    before);
	text_put(s, ".");
}

void hang_say_limits(const struct gsc_hang *hang, struct text *s)
{
	const struct hang_limits *l = &hang->limits;

	for (size_t i = 0; i < HANG_GTS; i++) {
		const struct hang_speed *speed = &l->gts[i];

		/* What else a source may have does not show that anything is slow. */
		if (!speed->now && (i || (!speed->mhz[MHZ_ACTUAL] && !speed->asleep)))
			continue;
		text_add(s, i ? " GT %zu" : " The GPU", i);
		say_speed(s, hang, speed);
	}
	if (l->bar && l->bar < l->memory)
		text_add(s, " BAR 2 shows %llu of %llu MB of its memory: enable Resizable BAR in "
			 "the firmware's setup.", LL(l->bar >> 20), LL(l->memory >> 20));
	if (l->power && l->power < l->rated)
		text_add(s, " Its power is limited to %llu of %llu W.", LL(l->power),
			 LL(l->rated));
	if (l->wedged == HANG_WEDGED)
		text_put(s, " The driver has given the GPU up (wedged).");
}
