/* SPDX-License-Identifier: MIT */
/*
 * The code of a hang: what it is computed from, and the commands that it may stand for.
 *
 * i915_gpu_error.c computes it from the first engine that hung: INSTDONE ^ IPEHR. IPEHR is the
 * header of the last command that the streamer fetched; INSTDONE has a 1 for each unit that is
 * done, and in the bits without a unit. So for the header of each command that such an engine
 * knows, code ^ header is the INSTDONE of that moment. The costs that rank them:
 *
 * - a unit that is not done costs UNIT; the streamer's own and the bit of an enabled ring, which
 *   say little, cost OWN; a 0 where no unit is known costs RESERVED;
 * - a bit that the header may have set costs at most FLAG;
 * - a length that is not documented, or one of many, costs LENGTH;
 * - a command that neither works nor waits costs STATE: it is done at once, and is in IPEHR only
 *   while something before it holds it up;
 * - memory of all ones that was executed as commands costs ONES.
 *
 * Commands that cost more than LIMIT, or SPAN more than the cheapest, are left out. If more than
 * GSC_ECODE_GUESSES remain, none is named: the code fits too many.
 */
#include "log/log.h"

#include "db/engine.h"
#include "db/view.h"
#include "util/text.h"

#define UNIT 2
#define OWN 1
#define RESERVED 5
#define FLAG 2
#define LENGTH 3
#define STATE 3
#define ONES 5
#define LIMIT 10
#define SPAN 3
#define BITS 32
#define LENGTHS_TRIED 64
#define LENGTHS_FEW 8

/* ---- reading it ----------------------------------------------------------------------------- */

struct ecode {
	uint64_t generation, engines, code;
	bool has_generation, has_engines, has_code;
	bool classes;			/* `engines` is a mask of them, else a number */
};

/* i915 prints -1 for what it does not know. */
static bool take_id(struct slice *text, bool hexadecimal, uint64_t *value)
{
	uint64_t ignored;

	if (take_text(text, "-"))
		return take_decimal(text, &ignored) && false;
	return hexadecimal ? take_hex(text, value) : take_decimal(text, value);
}

static bool take_code(struct slice *text, uint64_t *code)
{
	return take_hex(text, code) && *code <= UINT32_MAX;
}

static struct ecode take(struct slice *text)
{
	struct ecode e = { .generation = 0 };

	if (slice_begins(*text, "0x")) {
		e.has_code = take_code(text, &e.code);
		return e;
	}
	e.has_generation = take_id(text, false, &e.generation);
	if (!take_text(text, ":"))
		return e;
	if (slice_begins(*text, "0x")) {
		e.engines = e.generation;
		e.has_engines = e.has_generation;
		e.has_generation = false;
	} else {
		e.has_engines = take_id(text, true, &e.engines);
		if (!take_text(text, ":"))
			return e;
	}
	e.classes = !slice_begins(*text, "0x");
	e.has_code = take_code(text, &e.code);
	e.classes &= e.has_code;
	return e;
}

/* ---- engines and platforms ------------------------------------------------------------------ */

static unsigned class_bit(const char *engine)
{
	enum engine_class class = engine ? engine_class_of(engine) : ENGINE_CLASSES;

	return class < ENGINE_CLASSES ? 1u << class : 0;
}

/* The classes of all bits of a mask. */
static unsigned mask_classes(uint64_t mask, enum engine_number kind)
{
	unsigned found = 0;

	for (; mask; mask &= mask - 1)
		found |= class_bit(engine_by_number(kind, (unsigned)__builtin_ctzll(mask)));
	return found;
}

static unsigned classes_of(const struct ecode *e, const char *engine, bool reason)
{
	unsigned found = class_bit(engine);
	uint64_t number = e->engines;

	if (found || !e->has_engines)
		return found;
	if (e->classes)
		return mask_classes(number, ENGINE_UAPI);
	/*
	 * A number without a reason has meant, from kernel to kernel, a ring, an engine or a mask
	 * of engines.
	 */
	found = class_bit(engine_by_number(ENGINE_RING, number)) |
		class_bit(engine_by_number(ENGINE_OLD, number));
	if (!reason && number && !(number & (number - 1)))
		found |= mask_classes(number, ENGINE_ID);
	return found;
}

static uint64_t platforms_of(const struct gsc_db *db, const struct gsc_ecode *ecode)
{
	struct gsc_platform platform;
	struct gsc_engine_place engine;
	uint64_t found = 0;

	for (unsigned i = 0; gsc_platform_at(db, i, &platform); i++) {
		bool has_engine = !ecode->classes;

		for (size_t j = 0; !has_engine && gsc_platform_engine(db, i, j, &engine); j++)
			has_engine = ecode->classes >> engine.engine_class & 1;
		if (has_engine && platform_has(&platform, PROPERTY_ERROR_CODES) &&
		    (!ecode->has_generation || platform.graphics / 100 == ecode->generation))
			found |= UINT64_C(1) << i;
	}
	return found;
}

/* With the rest of its line, and everything that follows from both. */
static void fill(const struct gsc_db *db, const struct gsc_view *view, const struct ecode *e,
		 struct slice rest, struct gsc_ecode *ecode)
{
	struct slice process, after = rest;
	const char *name = NULL;

	*ecode = (struct gsc_ecode){
		.has_generation = e->has_generation && e->generation <= UINT8_MAX,
		.generation = (unsigned)e->generation,
		.has_code = e->has_code,
		.code = e->has_code ? (uint32_t)e->code : 0,
		.no_engine = e->has_engines && e->classes && !e->engines,
	};
	text_process(rest, ", in ", ecode->process, sizeof(ecode->process));
	/* The name of the process may be anything. */
	if (text_after(rest, ", in ", &process) && !text_after(process, "], ", &after))
		after.at = after.end;
	/* By the mask of classes; by a number only in the years when the reason was "Ring hung". */
	if (!text_engine(after, ecode->engine, sizeof(ecode->engine)) && e->has_engines) {
		if (!e->classes && text_has(after, "Ring hung"))
			name = engine_by_number(ENGINE_RING, e->engines);
		else if (e->classes && e->engines && !(e->engines & (e->engines - 1)))
			name = engine_by_number(ENGINE_UAPI, (unsigned)__builtin_ctzll(e->engines));
		string_set(ecode->engine, "%s", name ? name : "");
	}
	ecode->classes = classes_of(e, ecode->engine, text_has(rest, "reason:"));
	ecode->platforms = platforms_of(db, ecode);
	if (view)
		ecode->platforms &= UINT64_C(1) << view->platform;
}

void ecode_take(const struct gsc_db *db, const struct gsc_view *view, struct slice *text,
		struct gsc_ecode *ecode)
{
	struct ecode e = take(text);

	fill(db, view, &e, *text, ecode);
}

static bool is_break(char c)
{
	return c && strchr(" \t\n\r,([\"'`=", c);
}

#define CODE_DIGITS 8			/* as drivers print it; times have fewer */

/* "12:1:84dffffb", "0:0x85dffffb", "0x85dffffb", or the digits alone. */
static bool is_code(struct slice *text, struct ecode *e)
{
	struct slice word = *text;
	const char *digits;

	*e = take(text);
	if (e->has_code) {
		for (digits = text->at; digits > word.at && is_hex(digits[-1]); digits--)
			;
		return text->at - digits == CODE_DIGITS;
	}
	*text = word;
	*e = (struct ecode){ .generation = 0 };
	e->has_code = take_code(text, &e->code);
	return e->has_code && text->at - word.at == CODE_DIGITS;
}

static bool next_code(struct slice *text, struct ecode *e, const char **start)
{
	for (const char *at = text->at; at < text->end; at++) {
		struct slice word = { at, text->end };

		if ((at > text->at && !is_break(at[-1])) || is_break(*at) || !is_code(&word, e) ||
		    (word.at < text->end && !is_break(*word.at) && !strchr(".)];", *word.at)))
			continue;
		*start = at;
		text->at = word.at;
		return true;
	}
	return false;
}

bool gsc_ecode_read(const struct gsc_db *db, const struct gsc_view *view, const char *text,
		    size_t size, struct gsc_ecode *ecode, size_t *next)
{
	struct slice rest = { text, text + size }, further;
	const char *start;
	struct ecode e, ignored;

	if (!size || !next_code(&rest, &e, &start))
		return false;
	further = rest;
	if (next_code(&further, &ignored, &start))
		rest.end = start;
	fill(db, view, &e, rest, ecode);
	*next = (size_t)(rest.end - text);
	return true;
}

/* ---- units ---------------------------------------------------------------------------------- */

/* The bits of INSTDONE, as the candidate platforms have them. */
struct units {
	uint32_t units, own;		/* the streamer, an enabled ring */
	const char *names[BITS];	/* of units; NULL for the ring */
};

static void find_units(const struct gsc_db *db, const struct gsc_ecode *ecode, struct units *units)
{
	struct gsc_match matches[BITS];
	size_t count = gsc_db_find(db, "INSTDONE", matches, BITS);
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value meaning;
	struct gsc_place place;
	struct gsc_item item;

	*units = (struct units){ 0 };
	for (size_t i = 0; i < MIN(count, BITS); i++) {
		bool wanted = false;

		if (!(matches[i].platforms & ecode->platforms) ||
		    !gsc_item_by_def(db, GSC_REGISTER, matches[i].def, &item))
			continue;
		for (size_t j = 0; !wanted && gsc_item_place(db, &item, j, &place); j++)
			wanted = place.engines & ecode->classes;
		gsc_item_fields(db, NULL, &item, NULL, 0, &it);
		while (wanted && gsc_field_next(&it, &field)) {
			uint32_t bit = UINT32_C(1) << (field.lo % BITS);
			bool unit;

			if (!field.name || field.hi != field.lo || field.lo >= BITS ||
			    !(field.platforms & ecode->platforms))
				continue;
			unit = gsc_field_value(&it, 0, &meaning) && !strcmp(meaning.name, "busy");
			if (!unit || slice_ends(slice_string(field.name), "CS_DONE"))
				units->own |= bit;
			if (!unit)
				continue;
			units->units |= bit;
			if (!units->names[field.lo])
				units->names[field.lo] = field.name;
		}
	}
}

static unsigned bit_cost(const struct units *units, unsigned bit)
{
	uint32_t mask = UINT32_C(1) << bit;

	if (units->own & mask)
		return OWN;
	/* If nobody has published the bits of an engine, each may belong to a unit. */
	return units->units & mask || !units->units ? UNIT : RESERVED;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Commands that work or wait for something; the others are done at once. */
static const char working[] =
	"3DPRIMITIVE* 3DMESH* PIPE_CONTROL MEDIA_OBJECT* MEDIA_STATE_FLUSH GPGPU_* COMPUTE_WALKER* "
	"*BSD_OBJECT* *PAK_OBJECT* *PAK_INSERT_OBJECT* *PIPE_FLUSH* HUC_START VDENC_WALKER_STATE "
	"VEBOX_DI_IECP VEB_DI_IECP XY_* *COPY_BLT COLOR_BLT MEM_* MI_FLUSH* MI_SEMAPHORE* "
	"MI_WAIT_FOR_EVENT* MI_BATCH_BUFFER* MI_NOOP MI_SET_CONTEXT";

struct match {
	struct gsc_ecode_guess guess;
	unsigned cost;
};

struct search {
	const struct gsc_db *db;
	const struct gsc_ecode *ecode;
	struct units units;
	struct match best[GSC_ECODE_GUESSES + 1];	/* one more: there are too many */
	size_t count;
};

static uint32_t bits_between(int hi, int lo)
{
	return hi < lo ? 0 : UINT32_MAX >> (BITS - 1 - (hi - lo)) << lo;
}

static unsigned weigh(const struct search *s, uint32_t flags, uint32_t *header)
{
	uint32_t wrong = ~s->ecode->code ^ *header;
	unsigned cost = 0;

	for (unsigned i = 0; i < BITS; i++) {
		unsigned unit = bit_cost(&s->units, i);

		if (!(wrong >> i & 1))
			continue;
		if (!(flags >> i & 1) || unit <= FLAG) {
			cost += unit;
			continue;
		}
		cost += FLAG;
		*header ^= UINT32_C(1) << i;
	}
	return cost;
}

static void keep(struct search *s, const struct match *match)
{
	size_t at = s->count;

	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->best[i].guess.command ? s->best[i].guess.command : "",
			    match->guess.command ? match->guess.command : "")) {
			if (s->best[i].cost <= match->cost)
				return;
			memmove(&s->best[i], &s->best[i + 1],
				(s->count - i - 1) * sizeof(*s->best));
			at = --s->count;
			break;
		}
	while (at && s->best[at - 1].cost > match->cost)
		at--;
	if (at == ARRAY_SIZE(s->best))
		return;
	s->count = MIN(s->count + 1, ARRAY_SIZE(s->best));
	memmove(&s->best[at + 1], &s->best[at], (s->count - at - 1) * sizeof(*s->best));
	s->best[at] = *match;
}

static void try_header(struct search *s, const char *command, uint32_t header, uint32_t flags,
		       unsigned cost)
{
	struct match match = { .guess.command = command };

	cost += weigh(s, flags, &header);
	if (cost > LIMIT)
		return;
	match.cost = cost;
	match.guess.header = header;
	match.guess.instdone = header ^ s->ecode->code;
	keep(s, &match);
}

/* Every documented length; if there are very many, the one that the code has, or none. */
static void try_lengths(struct search *s, const struct gsc_item *item, uint32_t flags,
			unsigned cost)
{
	uint32_t field = bits_between(item->length_hi, item->length_lo);
	uint32_t seen = (~s->ecode->code & field) >> item->length_lo;
	struct gsc_lengths lengths;
	bool documented = false;

	for (size_t i = 0; gsc_item_length(s->db, item, i, &lengths); i++) {
		unsigned lo = MAX(lengths.lo, item->length);
		unsigned hi = lengths.hi;

		if (!(lengths.platforms & s->ecode->platforms) || hi < lo)
			continue;
		documented = true;
		for (unsigned n = lo; n <= hi && n - lo < LENGTHS_TRIED; n++)
			try_header(s, item->name,
				   item->value | ((n - item->length) << item->length_lo & field),
				   flags, cost + (hi - lo < LENGTHS_FEW ? 0 : LENGTH));
	}
	if (!documented)
		try_header(s, item->name, item->value | seen << item->length_lo, flags,
			   cost + LENGTH);
}

static void try_command(struct search *s, const struct gsc_item *item)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	uint32_t flags = 0, wrong = (~s->ecode->code ^ item->value) & item->mask;
	unsigned cost = 0;

	if (!(item->platforms & s->ecode->platforms) || !(item->engines & s->ecode->classes))
		return;
	/* Most commands differ in their opcodes alone by more than the limit. */
	for (; wrong && cost <= LIMIT; wrong &= wrong - 1)
		cost += bit_cost(&s->units, (unsigned)__builtin_ctz(wrong));
	if (cost > LIMIT)
		return;
	/* The bits of its header that may be either, in addition to the length. */
	gsc_item_fields(s->db, NULL, item, NULL, 0, &it);
	while (gsc_field_next(&it, &field))
		if (field.name && !field.dword && field.hi < BITS &&
		    field.platforms & s->ecode->platforms)
			flags |= bits_between((int)field.hi, (int)field.lo);
	flags &= ~item->mask;
	cost = glob_list(working, item->name) ? 0 : STATE;
	if (item->length_hi < 0)
		try_header(s, item->name, item->value, flags, cost);
	else
		try_lengths(s, item, flags & ~bits_between(item->length_hi, item->length_lo), cost);
}

size_t gsc_ecode_guess(const struct gsc_db *db, const struct gsc_ecode *ecode,
		       struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES])
{
	struct search s = { .db = db, .ecode = ecode };
	struct gsc_item item;
	size_t count = 0;

	if (!ecode->has_code || !ecode->code || !ecode->classes || !ecode->platforms ||
	    (!ecode->has_generation && ecode->platforms & (ecode->platforms - 1)))
		return 0;
	find_units(db, ecode, &s.units);
	for (size_t i = 0; gsc_item_at(db, GSC_COMMAND, i, &item); i++)
		try_command(&s, &item);
	try_header(&s, NULL, UINT32_MAX, 0, ONES);
	while (count < s.count && s.best[count].cost <= s.best[0].cost + SPAN)
		count++;
	if (count > GSC_ECODE_GUESSES && s.best[GSC_ECODE_GUESSES].cost <= s.best[0].cost + 1)
		return 0;
	count = MIN(count, GSC_ECODE_GUESSES);
	for (size_t i = 0; i < count; i++) {
		struct text busy = text_of(guesses[i].busy);

		guesses[i] = s.best[i].guess;
		for (unsigned bit = BITS; bit--;) {
			const char *name = s.units.names[bit];
			const char *end;

			if (guesses[i].instdone >> bit & 1 || !(s.units.units >> bit & 1))
				continue;
			end = strstr(name, "_DONE") ?: strstr(name, "_IDLE") ?: strchr(name, 0);
			text_add(&busy, "%s%.*s", busy.used ? ", " : "", (int)(end - name), name);
		}
	}
	return count;
}

/* ---- in words ------------------------------------------------------------------------------- */

void gsc_ecode_text(const struct gsc_db *db, const struct gsc_ecode *ecode, char *buf, size_t size)
{
	struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES];
	size_t count = gsc_ecode_guess(db, ecode, guesses);
	struct text text = text_begin(buf, size);

	if (!ecode->has_code)
		return;
	if (!ecode->code) {
		text_add(&text, "0 means that the driver captured no registers of a hung engine%s",
			 ecode->no_engine ? ", and names no engine" : "");
		return;
	}
	text_add(&text, "0x%08x ", (unsigned)ecode->code);
	if (!ecode->platforms)
		text_add(&text, "is not a hang code of this platform");
	else if (ecode->no_engine)
		text_add(&text, "names no engine");
	else if (!count)
		text_add(&text, "does not show the command");
	else
		text_add(&text, "fits ");
	for (size_t i = 0; i < count; i++)
		text_add(&text, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ",
			 guesses[i].command ? guesses[i].command
					    : "a header of all ones, which is no command");
}
