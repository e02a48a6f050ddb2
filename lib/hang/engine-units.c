/* SPDX-License-Identifier: MIT */
/*
 * Which units of an engine are not done, one by one, and folded by what they share: "TD, EU00-02 of
 * slice 0, subslices 0-3". In a driver's dump, a register of many units has a value for each slice
 * and subslice; these are kept as "rcs0.ROW_INSTDONE[1][0]". A register that reads 0 was probably
 * not read: its units are not named in the folded form.
 */
#include "hang/engine.h"

static const char *const names[] = {
	"INSTDONE", "INSTDONE1", "SC_INSTDONE", "SC_INSTDONE_EXTRA", "SC_INSTDONE_EXTRA2",
	"INSTDONE_GEOM", "SAMPLER_INSTDONE", "ROW_INSTDONE",
};

/* The definitions describe what slices share at the first of these that a platform has. */
static const char *const slice_engines[] = { "rcs0", "ccs0" };

#define UNITS_OF_REGISTER 64
#define SLICES 64
#define FEW_UNITS 4		/* this many are named, even if they are all of their kind */
#define MOST_GROUPS 4		/* more that share places become one, with all of these */

/* More than a hang of the largest part has; a forged file may have any number. */
#define UNITS_MAX 4096

static bool keep_done(struct hang_engine *engine, const struct engine_done *done)
{
	struct engine_done *kept;

	if (engine->done.count >= UNITS_MAX)
		return true;
	kept = vec_add(&engine->done);
	if (kept)
		*kept = *done;
	return kept;
}

bool engine_read_done(struct hang_engine *engine)
{
	const struct gsc_hang *hang = engine->hang;
	struct engine_done done;
	unsigned seen = 0;		/* names with values of instances */

	for (size_t i = 0; i < hang->facts.units.count; i++) {
		const struct driver_unit *unit = &hang->facts.units.items[i];
		bool known = false;

		for (size_t n = 0; n < ARRAY_SIZE(slice_engines) && !known; n++)
			known = !strcmp(unit->engine, engine->e.name) &&
				gpu_find(hang->gpu, slice_engines[n], unit->name, -1, &done.reg);
		if (!known)
			continue;
		done.value = unit->value;
		strcpy(done.instance, unit->instance);
		for (size_t n = 0; n < ARRAY_SIZE(names); n++)
			seen |= !strcmp(names[n], done.reg.name) ? 1u << n : 0;
		if (!keep_done(engine, &done))
			return false;
	}
	*done.instance = 0;
	for (size_t n = 0; n < ARRAY_SIZE(names); n++)
		if (!(seen & 1u << n) &&
		    hang_read(hang, engine->e.name, names[n], -1, &done.reg, &done.value) &&
		    !keep_done(engine, &done))
			return false;
	return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* "VF_DONE" is the bit of VF. */
static void unit_name(const char *field, char *buf, size_t size)
{
	const char *end = strstr(field, "_DONE") ?: strstr(field, "_IDLE");

	if (end)
		snprintf(buf, size, "%.*s%s", (int)(end - field), field, end + 5);
	else
		snprintf(buf, size, "%s", field);
}

/* "[1][0]": i915's slice and subslice; "[3]": xe's subslice alone, of slice -1. */
static bool parse_place(const char *instance, int *slice, int *subslice)
{
	if (sscanf(instance, "[%3d][%3d]", slice, subslice) != 2) {
		*slice = -1;
		if (sscanf(instance, "[%3d]", subslice) != 1)
			return false;
	}
	return *slice >= -1 && *slice < SLICES && *subslice >= 0 && *subslice < 64;
}

/* "[1][0]" is " of slice 1, subslice 0". */
static const char *place_name(const char *instance, char buf[48])
{
	int slice, subslice;

	*buf = 0;
	if (parse_place(instance, &slice, &subslice) && slice < 0)
		snprintf(buf, 48, " of subslice %d", subslice);
	else if (*instance && parse_place(instance, &slice, &subslice))
		snprintf(buf, 48, " of slice %d, subslice %d", slice, subslice);
	return buf;
}

/* "EU13_DONE_SS0" is number 13 of the kind "EU" in the half "_SS0" of its subslice. */
struct unit {
	char kind[40], half[8];
	int number, digits;		/* number -1: it is the only one */
	uint64_t bit;			/* in the register */
};

/* A register, its units, and the values that the source has for it. */
struct units {
	const struct gsc_reg *reg;
	const struct engine_done *done;
	size_t done_count;
	struct unit items[UNITS_OF_REGISTER];
	size_t count;
	bool halves;			/* of both halves */
};

struct words {
	char text[480];
	unsigned dropped;		/* words that did not fit */
};

static void add(struct words *w, const char *separator, const char *word)
{
	if (w->dropped || strlen(w->text) + strlen(separator) + strlen(word) >= sizeof(w->text))
		w->dropped++;
	else
		string_add(w->text, "%s%s", *w->text ? separator : "", word);
}

/* Takes the lowest run of bits off `mask`: 0xb is 0-1, then 3. */
static bool next_run(uint64_t *mask, int *first, int *last)
{
	if (!*mask)
		return false;
	for (*first = 0; !(*mask >> *first & 1);)
		++*first;
	for (*last = *first; *last < 64 && *mask >> *last & 1; ++*last)
		*mask &= ~(UINT64_C(1) << *last);
	--*last;
	return true;
}

/* ---- units ---------------------------------------------------------------------------------- */

static void parse_units(struct units *u, const struct gsc_view *view)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	size_t length, end;
	char *half;

	gsc_reg_fields(view, u->reg, 0, &it);
	while (u->count < UNITS_OF_REGISTER && gsc_field_next(&it, &field)) {
		struct unit *unit = &u->items[u->count];

		if (!field.name || !field.text || strcmp(field.text, "busy"))
			continue;
		u->count++;
		*unit = (struct unit){ .bit = UINT64_C(1) << (field.lo & 63), .number = -1 };
		unit_name(field.name, unit->kind, sizeof(unit->kind));
		half = strstr(unit->kind, "_SS");
		if (half && strlen(half) == 4) {
			strcpy(unit->half, half);
			*half = 0;
		}
		u->halves |= !strcmp(unit->half, "_SS1");
		length = end = strlen(unit->kind);
		while (end && is_digit(unit->kind[end - 1]))
			end--;
		if (!end || end == length || length - end > 2 || atoi(unit->kind + end) > 63)
			continue;
		unit->number = atoi(unit->kind + end);
		unit->digits = (int)(length - end);
		unit->kind[end] = 0;
	}
}

/* The bits of `busy` with units of a kind, and of its half if there are two; their numbers. */
static uint64_t of_kind(const struct units *u, const struct unit *like, bool half, uint64_t busy,
			uint64_t *numbers)
{
	uint64_t bits = 0;

	*numbers = 0;
	for (size_t i = 0; i < u->count; i++) {
		const struct unit *unit = &u->items[i];

		if (!(unit->bit & busy) || unit->number < 0 || strcmp(unit->kind, like->kind) ||
		    (half && u->halves && strcmp(unit->half, like->half)))
			continue;
		bits |= unit->bit;
		*numbers |= UINT64_C(1) << unit->number;
	}
	return bits;
}

/* "all 12 EUs", "all 8 EUs of SS1" if all of them are in `busy`; else 0. */
static uint64_t add_all(const struct units *u, const struct unit *like, bool half, uint64_t busy,
			struct words *w)
{
	const char *which = half && u->halves && *like->half ? like->half + 1 : "";
	uint64_t numbers, bits = of_kind(u, like, half, UINT64_MAX, &numbers);
	int count = __builtin_popcountll(bits);
	char text[80];

	if (count <= FEW_UNITS || (bits & busy) != bits)
		return 0;
	string_set(text, "all %d %ss%s%s", count, like->kind, *which ? " of " : "", which);
	add(w, ", ", text);
	return bits;
}

/* "EU00-02, EU10" */
static uint64_t add_runs(const struct units *u, const struct unit *like, uint64_t busy,
			 struct words *w)
{
	const char *half = u->halves ? like->half : "";
	uint64_t numbers, bits = of_kind(u, like, true, busy, &numbers);
	int first, last, digits = like->digits;
	char text[80];

	while (next_run(&numbers, &first, &last)) {
		if (first == last)
			string_set(text, "%s%0*d%s", like->kind, digits, first, half);
		else
			string_set(text, "%s%0*d-%0*d%s", like->kind, digits, first,
				 digits, last, half);
		add(w, ", ", text);
	}
	return bits;
}

static void add_units(const struct units *u, uint64_t busy, struct words *w)
{
	for (size_t i = 0; i < u->count; i++) {
		const struct unit *unit = &u->items[i];
		uint64_t taken = unit->bit;

		if (!(busy & unit->bit))
			continue;
		if (unit->number < 0) {
			add(w, ", ", unit->kind);
		} else {
			taken = add_all(u, unit, false, busy, w);
			if (!taken)
				taken = add_all(u, unit, true, busy, w);
			if (!taken)
				taken = add_runs(u, unit, busy, w);
		}
		busy &= ~taken;
	}
}

/* ---- places --------------------------------------------------------------------------------- */

/* "subslices 0-3, 5" */
static void add_numbers(struct words *w, const char *separator, const char *what, uint64_t mask)
{
	int first, last;
	char text[48];

	string_set(text, mask & (mask - 1) ? "%ss " : "%s ", what);
	add(w, separator, text);
	for (separator = ""; next_run(&mask, &first, &last); separator = ", ") {
		string_set(text, first == last ? "%d" : "%d-%d", first, last);
		add(w, separator, text);
	}
}

/* " of slices 0-1, subslices 0-3 and slice 2, subslice 0", or nothing if it has no instances. */
static void add_places(const struct units *u, uint64_t units, struct words *w)
{
	uint64_t places[SLICES + 1] = { 0 };	/* subslices, by slice + 1 */
	const char *separator = " of ";

	for (size_t i = 0; i < u->done_count; i++) {
		const struct engine_done *done = &u->done[i];
		/* Any of the units, by their bits; 0: the register reads 0 there. */
		bool busy = units ? done->value && (~done->value & units) : !done->value;
		int slice, subslice;

		if (busy && !strcmp(done->reg.name, u->reg->name) &&
		    parse_place(done->instance, &slice, &subslice))
			places[slice + 1] |= UINT64_C(1) << subslice;
	}
	for (int slice = -1; slice < SLICES; slice++) {
		uint64_t subslices = places[slice + 1], slices = 0;

		if (!subslices)
			continue;
		for (int other = slice; other >= 0 && other < SLICES; other++) {
			if (places[other + 1] != subslices)
				continue;
			slices |= UINT64_C(1) << other;
			places[other + 1] = 0;
		}
		if (slices)
			add_numbers(w, separator, "slice", slices);
		add_numbers(w, slices ? ", " : separator, "subslice", subslices);
		separator = " and ";
	}
}

/* ---- a register ----------------------------------------------------------------------------- */

/* The units of `all` that are busy in the same places as the unit `one`. */
static uint64_t sharing(const struct units *u, uint64_t all, uint64_t one)
{
	for (size_t i = 0; i < u->done_count; i++)
		if (!strcmp(u->done[i].reg.name, u->reg->name) && u->done[i].value)
			all &= u->done[i].value & one ? u->done[i].value : ~u->done[i].value;
	return all;
}

/* "in part: PSD, all 8 EUs of slice 0, subslices 0-3": not every unit in every place. */
static bool say_groups(struct hang_engine *engine, const struct units *u, uint64_t busy)
{
	unsigned groups = 0;
	bool fine = true;

	for (uint64_t left = busy; left; groups++)
		left &= ~sharing(u, left, left & -left);
	while (fine && busy) {
		bool many = groups > MOST_GROUPS;
		uint64_t group = many ? busy : sharing(u, busy, busy & -busy);
		struct words w = { .dropped = 0 };

		add_units(u, group, &w);
		add_places(u, group, &w);
		fine = hang_detail(engine, GSC_DETAIL_UNITS, u->reg->name, "%s%s%s",
				   many ? "in part: " : "", w.text, w.dropped ? " ..." : "");
		busy &= ~group;
	}
	return fine;
}

static bool say_register(struct hang_engine *engine, struct units *u)
{
	uint64_t all = u->reg->bits < 64 ? (UINT64_C(1) << u->reg->bits) - 1 : UINT64_MAX;
	uint64_t named = 0, busy = 0, value = 0;
	struct words w = { .dropped = 0 };
	bool zero = false;

	parse_units(u, engine->hang->gpu->view);
	for (size_t i = 0; i < u->count; i++)
		named |= u->items[i].bit;
	for (size_t i = 0; i < u->done_count; i++) {
		const struct engine_done *done = &u->done[i];

		if (strcmp(done->reg.name, u->reg->name))
			continue;
		zero |= !done->value;
		busy |= done->value ? ~done->value & all : 0;
		value = value || !(~done->value & all) ? value : done->value;
	}
	if (!named)
		return !busy || hang_detail(engine, GSC_DETAIL_UNITS, u->reg->name, "%s 0x%08llx: "
					    "no document names its units", u->reg->name,
					    LL(value));
	if (!say_groups(engine, u, busy & named))
		return false;
	/* "every unit of slice 0, subslices 0-3: ROW_INSTDONE reads 0" */
	add(&w, "", "every unit");
	add_places(u, 0, &w);
	return !zero || hang_detail(engine, GSC_DETAIL_UNITS, u->reg->name, "%s%s: %s reads 0",
				    w.text, w.dropped ? " ..." : "", u->reg->name);
}

/* By register, those without instances first. */
static bool fold_units(struct hang_engine *engine)
{
	size_t count = engine->done.count;

	for (size_t n = 0; n < 2 * count; n++) {
		const struct engine_done *done = engine->done.items, *d = &done[n % count];
		struct units u = { .reg = &d->reg, .done = done, .done_count = count };
		size_t first = 0;

		while (strcmp(done[first].reg.name, d->reg.name))
			first++;
		if (first == n % count && (n >= count) == (*d->instance != 0) &&
		    !say_register(engine, &u))
			return false;
	}
	return true;
}

/* ---- one by one ----------------------------------------------------------------------------- */

struct busy {
	const struct hang_engine *engine;
	struct hang_engine *told;	/* the same, or NULL: its units are only counted */
	char *first;
	size_t size;
	unsigned count;			/* of units */
	bool failed;
};

/* Counts a unit, whose name it keeps if it is the first, and says more about it. */
static void tell_unit(struct busy *busy, const char *unit, const char *name, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));

static void tell_unit(struct busy *busy, const char *unit, const char *name, const char *format,
		      ...)
{
	char text[sizeof(((struct gsc_detail *)NULL)->text)];
	va_list args;

	if (!busy->count++ && busy->first)
		snprintf(busy->first, busy->size, "%s", unit);
	if (!busy->told || busy->count > UNITS_MAX)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	busy->failed |= !hang_detail(busy->told, GSC_DETAIL_BUSY, name, "%s", text);
}

static void tell_done(struct busy *busy)
{
	char unit[96], place[48], name[64];
	const struct hang_engine *engine = busy->engine;
	/* A sleeping register also reads as 0: outside a dump of a hang, that proves no work. */
	bool no_zero = !busy->told && !engine_in_dump(engine->hang);

	for (size_t i = 0; i < engine->done.count && !busy->failed; i++) {
		const struct engine_done *done = &engine->done.items[i];
		struct gsc_field_iter it;
		struct gsc_field field;
		bool named = false;

		if (no_zero && !done->value)
			continue;
		gsc_reg_fields(engine->hang->gpu->view, &done->reg, done->value, &it);
		while (!busy->failed && gsc_field_next(&it, &field)) {
			named |= field.name && field.text;
			if (!field.name || !field.text || strcmp(field.text, "busy"))
				continue;
			unit_name(field.name, unit, sizeof(unit));
			string_add(unit, "%s", place_name(done->instance, place));
			string_set(name, "%s%s:%s", done->reg.name, done->instance, field.name);
			if (busy->told)
				busy->told->busy += done->value != 0;
			tell_unit(busy, unit, name, "%s%s%s%s", unit, field.doc ? " (" : "",
				  field.doc ? field.doc : "", field.doc ? ")" : "");
		}
		/* If no document names the bits, they are shown as they are. */
		if (named || !done->value || !(~done->value & size_mask(done->reg.bits / 8)))
			continue;
		if (busy->told)
			busy->told->busy++;
		tell_unit(busy, "a unit without a published name", done->reg.name, "0x%08llx: some "
			  "units are not done; no document names the bits", LL(done->value));
	}
}

/* INSTDONE of an engine that does nothing means nothing: a GM45's video ring reads 0. */
bool engine_busy(struct hang_engine *engine)
{
	struct busy busy = { .engine = engine, .told = engine };
	size_t count = 0;

	if (engine->e.state == GSC_ENGINE_IDLE || engine->reset)
		return true;
	/* For an engine without other registers, 0 says nothing. */
	for (size_t i = 0; i < engine->done.count; i++)
		if (engine->e.known || engine->done.items[i].value)
			engine->done.items[count++] = engine->done.items[i];
	engine->done.count = count;
	tell_done(&busy);
	if (!busy.failed && busy.count > UNITS_MAX)
		busy.failed = !hang_detail(engine, GSC_DETAIL_BUSY, "more", "%u more units",
					   busy.count - UNITS_MAX);
	return !busy.failed && fold_units(engine);
}

unsigned engine_busy_count(const struct hang_engine *engine, char *first, size_t size)
{
	struct busy busy = { .engine = engine, .first = first, .size = size };

	tell_done(&busy);
	return busy.count;
}
