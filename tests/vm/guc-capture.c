/* SPDX-License-Identifier: MIT */
/*
 * What a GuC keeps of an engine before it resets it. Lists of registers are in the memory that the
 * driver shares with it (ADS), and lead through the GGTT; values go into the third region of its
 * log (xe: xe_guc_capture.c, xe_guc_ads.c, abi/guc_log_abi.h; i915: gt/uc/intel_guc_capture.c,
 * guc_capture_fwif.h). Steered registers are read without steering, and a full region is
 * overwritten. A GuC with too little room keeps the beginning of an engine's own list, and says that
 * this is a part.
 */
#include "guc.h"

/* Parameters that the driver writes before it starts the firmware. */
enum { PARAMETER_LOG = 0xc184, PARAMETER_ADS = 0xc194 };

/* In the ADS: addresses of lists by class, and of the one for all; the first of two owners. */
enum { INSTANCE_LISTS = 4252, CLASS_LISTS = INSTANCE_LISTS + 128, GLOBAL_LIST = CLASS_LISTS + 128 };

enum type { GLOBAL, CLASS, INSTANCE };

/* The region as a ring. */
struct region {
	struct guc *guc;
	uint32_t start, size, at;
};

static void put(struct region *r, uint32_t value)
{
	guc_store_dword(r->guc, r->start + r->at, value);
	r->at = (r->at + 4) % r->size;
}

/* A list begins with the number of its registers: each has offset, a value, flags, mask. */
static uint32_t length_of(struct guc *guc, uint32_t list)
{
	return guc_load_dword(guc, list) & 0xffff;
}

static void put_list(struct region *r, uint32_t list, enum type type, const struct client *c)
{
	enum { NONE = -1, HEAD = 5, REGISTER = 16 };
	const struct engine_kind *kind = c->engine->kind;
	bool instance = type == INSTANCE, cut = instance && r->guc->gpu->guc_health == GUC_SCANTY;
	uint32_t count = length_of(r->guc, list) / (cut ? 4 : 1), head[] = {
		0, type | guc_class(kind) << 4 | kind->instance << 8,
		instance ? (uint32_t)c->descriptor & ~4095u : (uint32_t)NONE,
		instance ? c->number : (uint32_t)NONE, count,
	};

	guc_note(r->guc, "keeps a list", r->at, head, HEAD);
	for (unsigned i = 0; i < HEAD; i++)
		put(r, head[i]);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t entry = list + 4 + REGISTER * i, offset = guc_load_dword(r->guc, entry);
		const uint32_t *from = instance ? engine_register(r->guc->gpu, c->engine, offset)
						: guc_register(r->guc, offset);
		uint32_t kept[] = { (uint32_t)(from - r->guc->gpu->bar0) * 4, *from };

		guc_note(r->guc, "keeps", r->at, kept, 2);
		put(r, offset);
		put(r, kept[1]);
		put(r, guc_load_dword(r->guc, entry + 8));
		put(r, guc_load_dword(r->guc, entry + 12));
	}
}

/*
 * The log: a page with the states of its three regions, then those: events, crashes, captures.
 * In a state are the place that is written next, the size, that place again, and flags.
 */
enum { STATE_BYTES = 36, STATE_AT = 12, STATE_SIZE = 16, STATE_SAMPLED = 20, STATE_FLAGS = 28 };
enum { EVENTS, CRASHES, CAPTURES, REGIONS, VALID = 1 };

static void sizes_of(uint32_t log, uint32_t sizes[REGIONS])
{
	enum { CAPTURE_MEGABYTES = 1 << 2, LOG_MEGABYTES = 1 << 3 };
	uint32_t unit = log & LOG_MEGABYTES ? 1 << 20 : 4096;

	sizes[EVENTS] = ((log >> 6 & 15) + 1) * unit;
	sizes[CRASHES] = ((log >> 4 & 3) + 1) * unit;
	sizes[CAPTURES] = ((log >> 10 & 3) + 1) * (log & CAPTURE_MEGABYTES ? 1 << 20 : 4096);
}

void guc_begin_log(struct guc *guc)
{
	uint32_t log = *guc_register(guc, PARAMETER_LOG), sizes[REGIONS];

	sizes_of(log, sizes);
	for (uint32_t i = 0; log & VALID && i < REGIONS; i++)
		guc_store_dword(guc, (log & ~4095u) + i * STATE_BYTES + STATE_SIZE, sizes[i]);
}

static struct region region_of(struct guc *guc, uint32_t log, uint32_t state)
{
	uint32_t sizes[REGIONS];

	sizes_of(log, sizes);
	return (struct region){ .guc = guc, .size = sizes[CAPTURES],
				.start = (log & ~4095u) + 4096 + sizes[EVENTS] + sizes[CRASHES],
				.at = guc_load_dword(guc, state + STATE_AT) % sizes[CAPTURES] };
}

bool guc_capture(struct guc *guc, const struct client *c)
{
	enum { PART = 1 << 8, LISTS = 3, TO_BE_READ = 1 };
	uint32_t log = *guc_register(guc, PARAMETER_LOG);
	uint32_t ads = (*guc_register(guc, PARAMETER_ADS) >> 1 & 0x1fffff) << 12;
	uint32_t state = (log & ~4095u) + CAPTURES * STATE_BYTES, lists[LISTS];
	struct region r = region_of(guc, log, state);
	/* Render and compute share lists. */
	unsigned class = guc_class(c->engine->kind) % 4;

	if (!(log & VALID) || !ads)
		return false;
	lists[GLOBAL] = guc_load_dword(guc, ads + GLOBAL_LIST);
	lists[CLASS] = guc_load_dword(guc, ads + CLASS_LISTS + 4 * class);
	lists[INSTANCE] = guc_load_dword(guc, ads + INSTANCE_LISTS + 4 * class);
	if (!length_of(guc, lists[INSTANCE]))
		return false;
	put(&r, 0);
	put(&r, LISTS | (guc->gpu->guc_health == GUC_SCANTY ? PART : 0));
	for (enum type type = GLOBAL; type <= INSTANCE; type++)
		put_list(&r, lists[type], type, c);
	guc_store_dword(guc, state + STATE_AT, r.at);
	guc_store_dword(guc, state + STATE_SAMPLED, r.at);
	guc_store_dword(guc, state + STATE_FLAGS,
			guc_load_dword(guc, state + STATE_FLAGS) | TO_BE_READ);
	return true;
}
