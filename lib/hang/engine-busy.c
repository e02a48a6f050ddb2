/* SPDX-License-Identifier: MIT */
/*
 * Which units of an engine are not done. In a driver's dump, a register of many units has a value
 * for each slice and subslice; these are kept as "rcs0.ROW_INSTDONE[1][0]".
 */
#include "hang/engine.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	"INSTDONE", "INSTDONE1", "SC_INSTDONE", "SC_INSTDONE_EXTRA", "SC_INSTDONE_EXTRA2",
	"INSTDONE_GEOM", "SAMPLER_INSTDONE", "ROW_INSTDONE",
};

/* The definitions describe what slices share at the first of these that a platform has. */
static const char *const slice_engines[] = { "rcs0", "ccs0" };

typedef bool done_fn(void *context, const struct engine_done *done);

/* Which of `names` have values of instances: a bit each. False: enough. */
static bool tell_instances(const struct gsc_hang *hang, const char *engine, unsigned *seen,
			   done_fn *each, void *context)
{
	for (size_t i = 0; i < hang->facts.units.count; i++) {
		const struct driver_unit *unit = &hang->facts.units.items[i];
		struct engine_done done = { .value = unit->value };
		bool known = false;

		for (size_t n = 0; n < ARRAY_SIZE(slice_engines) && !known; n++)
			known = !strcmp(unit->engine, engine) &&
				gpu_find(hang->gpu, slice_engines[n], unit->name, -1, &done.reg);
		if (!known)
			continue;
		strcpy(done.instance, unit->instance);
		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			*seen |= !strcmp(names[n], done.reg.name) ? 1u << n : 0;
		if (!each(context, &done))
			return false;
	}
	return true;
}

static void tell_values(const struct gsc_hang *hang, const char *engine, done_fn *each,
			void *context)
{
	struct engine_done done = { .instance = "" };
	unsigned seen = 0;

	if (!tell_instances(hang, engine, &seen, each, context))
		return;
	for (size_t n = 0; n < ARRAY_SIZE(names); n++)
		if (!(seen & 1u << n) &&
		    hang_read(hang, engine, names[n], -1, &done.reg, &done.value) &&
		    !each(context, &done))
			return;
}

/* ---- units ---------------------------------------------------------------------------------- */

/* More than a hang of the largest part has; a forged file may have any number. */
#define UNITS_MAX 4096

struct busy {
	const struct gsc_hang *hang;
	struct hang_engine *engine;	/* NULL: they are only counted */
	char *first;
	size_t size;
	unsigned count;			/* of units */
	VEC(struct engine_done) done;	/* the registers' values, if `engine` */
	bool failed;
};

void engine_unit_name(const char *field, char *buf, size_t size)
{
	size_t length = strlen(field);
	const char *end = strstr(field, "_DONE");

	if (!end)
		end = strstr(field, "_IDLE");
	if (!end)
		end = field + length;
	snprintf(buf, size, "%.*s%s", (int)(end - field), field,
		 end < field + length ? end + 5 : "");
}

static bool tell_unit(struct busy *busy, const struct engine_done *done,
		      const struct gsc_field *field)
{
	char unit[48], place[48], name[64];

	engine_unit_name(field->name, unit, sizeof(unit));
	engine_place(done->instance, place, sizeof(place));
	if (!busy->count++ && busy->first)
		snprintf(busy->first, busy->size, "%s%s", unit, place);
	if (busy->engine)
		busy->engine->busy += done->value != 0;
	if (!busy->engine || busy->count > UNITS_MAX)
		return true;
	snprintf(name, sizeof(name), "%s%s:%s", done->reg.name, done->instance, field->name);
	busy->failed |= !hang_detail(busy->engine, GSC_DETAIL_BUSY, name, "%s%s%s%s%s", unit, place,
				     field->doc ? " (" : "", field->doc ? field->doc : "",
				     field->doc ? ")" : "");
	return !busy->failed;
}

/* If no document names the bits, they are shown as they are. */
static bool tell_unnamed(struct busy *busy, const struct engine_done *done)
{
	uint64_t open = ~done->value & (done->reg.bits < 64 ? (UINT64_C(1) << done->reg.bits) - 1
							    : UINT64_MAX);

	if (!open || !done->value)
		return true;
	if (busy->engine)
		busy->engine->busy++;
	if (busy->engine && busy->count >= UNITS_MAX) {
		busy->count++;
		return true;
	}
	if (!busy->count++ && busy->first)
		snprintf(busy->first, busy->size, "a unit without a published name");
	if (busy->engine)
		busy->failed |= !hang_detail(busy->engine, GSC_DETAIL_BUSY, done->reg.name,
					     "0x%08llx: some units are not done; no document "
					     "names the bits", (unsigned long long)done->value);
	return !busy->failed;
}

static bool tell_done(void *context, const struct engine_done *done)
{
	struct busy *busy = context;
	struct gsc_field_iter it;
	struct gsc_field field;
	bool named = false;

	/* A sleeping register also reads as 0: outside a dump of a hang, that proves no work. */
	if (!busy->engine && !done->value && !engine_in_dump(busy->hang))
		return true;
	/* For an engine without other registers, 0 says nothing. */
	if (busy->engine && !busy->engine->e.known && !done->value)
		return true;
	if (busy->engine && busy->done.count < UNITS_MAX) {
		struct engine_done *kept = vec_add(&busy->done);

		busy->failed |= !kept;
		if (!kept)
			return false;
		*kept = *done;
	}
	gsc_reg_fields(busy->hang->gpu->view, &done->reg, done->value, &it);
	while (gsc_field_next(&it, &field)) {
		named |= field.name && field.text;
		if (field.name && field.text && !strcmp(field.text, "busy") &&
		    !tell_unit(busy, done, &field))
			return false;
	}
	return named || tell_unnamed(busy, done);
}

/* INSTDONE of an engine that does nothing means nothing: a GM45's video ring reads 0. */
bool engine_busy(const struct gsc_hang *hang, struct hang_engine *engine)
{
	struct busy busy = { .hang = hang, .engine = engine };

	if (engine->e.state != GSC_ENGINE_IDLE && !engine->reset)
		tell_values(hang, engine->e.name, tell_done, &busy);
	if (!busy.failed && busy.count > UNITS_MAX)
		busy.failed = !hang_detail(engine, GSC_DETAIL_BUSY, "more", "%u more units",
					   busy.count - UNITS_MAX);
	if (!busy.failed)
		busy.failed = !engine_units(hang, engine, busy.done.items, busy.done.count);
	vec_free(&busy.done);
	return !busy.failed;
}

unsigned engine_busy_count(const struct gsc_hang *hang, const struct hang_engine *engine,
			   char *first, size_t size)
{
	struct busy busy = { .hang = hang, .first = first, .size = size };

	tell_values(hang, engine->e.name, tell_done, &busy);
	return busy.count;
}
