/* SPDX-License-Identifier: MIT */
/*
 * Which command asked for the address that could not be translated: the last one up to the place
 * where the engine stopped with a field that holds an address in the same page; if there is none,
 * the last one with state that is there or has such a field. The search begins when somebody asks.
 */
#include "hang/hang.h"

#include "batch/batch.h"
#include "util/text.h"

#define PAGE_MASK (~UINT64_C(0xfff))

struct search {
	struct gsc_hang *hang;
	size_t open;			/* faults whose stopping place has not been met */
	bool no_memory;
};

/* ---- what is looked for --------------------------------------------------------------------- */

/*
 * A batch that is not privileged may not use the global tables: SNB Vol 1 Part 3, 1.2.5.1; the
 * manual contradicts itself on what happens to a command that would (1.3.8).
 */
static bool asked_for(const struct gsc_hang *hang, const struct gsc_fault *fault,
		      const struct gsc_run *run, const struct gsc_command_address *a)
{
	const char *space = a->space ? a->space : run->process ? "ppgtt" : "ggtt";

	if (run->process && !run->privileged && strcmp(space, "ppgtt"))
		return false;
	return !(graphics_address(&hang->gpu->platform, fault->address ^ a->address) & PAGE_MASK) &&
	       !(fault->space && strcmp(space, fault->space));
}

/* ---- what is found -------------------------------------------------------------------------- */

/* Replaces what was found before: the last one is what the engine worked on. */
static bool keep(struct hang_cause *found, const struct gsc_command *c,
		 const struct gsc_cause *cause)
{
	uint32_t *words = realloc(found->words, c->count * 4 + 4);

	if (!words)
		return false;
	memcpy(words, c->words, c->count * 4);
	found->words = words;
	found->known = true;
	found->c = *cause;
	found->c.run = found->engine->run;
	found->c.command = *c;
	found->c.command.words = words;
	found->c.command.marks = NULL;
	found->c.command.mark_count = 0;
	found->c.stopped = c->address == found->engine->command.address;
	return true;
}

static bool look_at(const struct gsc_hang *hang, size_t i, const struct gsc_run *run,
		    const struct gsc_command *c)
{
	const struct plan *plan = c->known ? command_plan(hang->set, c->known) : NULL;
	struct gsc_command_address address;
	struct addresses fields;

	if (!plan)
		return !c->known;
	addresses_begin(&fields, plan, c->words, c->count);
	while (addresses_next(&fields, &address)) {
		struct gsc_cause cause;

		if (!asked_for(hang, &hang->faults.items[i], run, &address))
			continue;
		cause = (struct gsc_cause){ .dword = address.dword, .value = address.address };
		string_set(cause.field, "%s", address.name);
		return keep(&hang->causes[i], c, &cause);
	}
	return true;
}

/* The state itself, or the target of one of its fields. */
static bool state_asks(const struct gsc_hang *hang, const struct gsc_fault *fault,
		       const struct gsc_run *run, const struct gsc_state *state,
		       struct gsc_cause *cause)
{
	const struct known_structure *known = structure_find(hang->set, state->name);
	struct gsc_command_address address = { .address = state->address };
	struct addresses fields;

	*cause = (struct gsc_cause){ .in_state = true, .state = state->address };
	if (!state->is_offset && asked_for(hang, fault, run, &address)) {
		cause->value = state->address;
		string_set(cause->field, "%s", state->name);
		return true;
	}
	if (!known || !known->plan || !state->words)
		return false;
	addresses_begin(&fields, known->plan, state->words, state->count);
	while (addresses_next(&fields, &address)) {
		if (!asked_for(hang, fault, run, &address))
			continue;
		cause->dword = address.dword;
		cause->value = address.address;
		string_set(cause->field, "%s.%s", state->name, address.name);
		return true;
	}
	return false;
}

/* ---- going through the commands ------------------------------------------------------------- */

static bool begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;
	struct search *s = context;

	for (size_t i = 0; i < s->hang->faults.count; i++) {
		struct hang_cause *found = &s->hang->causes[i];
		const struct gsc_run *place = found->engine ? &found->engine->run : NULL;

		found->here = place && !found->met && place->kind == run->kind &&
			      place->address == run->address && place->process == run->process &&
			      place->submission == run->submission &&
			      !strcmp(place->engine, run->engine);
	}
	return true;
}

static bool command(void *context, const struct gsc_followed *item)
{
	struct search *s = context;

	for (size_t i = 0; s->open && i < s->hang->faults.count; i++) {
		struct hang_cause *found = &s->hang->causes[i];

		/* What the previous command pointed to has been reported by now. */
		if (found->here && found->met) {
			found->here = false;
			s->open--;
		}
		if (!found->here)
			continue;
		s->no_memory |= !look_at(s->hang, i, item->run, item->command);
		found->met = item->command->address == found->engine->command.address;
	}
	return s->open && !s->no_memory;
}

static bool state(void *context, const struct gsc_followed *item)
{
	struct search *s = context;
	struct gsc_cause cause;

	for (size_t i = 0; i < s->hang->faults.count; i++) {
		struct hang_cause *found = &s->hang->causes[i];

		if (!found->here ||
		    (found->known && found->c.command.address == item->command->address) ||
		    !state_asks(s->hang, &s->hang->faults.items[i], item->run, item->state, &cause))
			continue;
		s->no_memory |= !keep(found, item->command, &cause);
	}
	return !s->no_memory;
}

/* Another run with that address may be the place. */
static bool end(void *context, const struct gsc_followed *item)
{
	struct search *s = context;

	(void)item;
	for (size_t i = 0; i < s->hang->faults.count; i++) {
		struct hang_cause *found = &s->hang->causes[i];

		if (!found->here)
			continue;
		if (found->met)
			s->open--;
		else
			found->known = false;
		found->here = false;
	}
	return s->open;
}

static void search(struct gsc_hang *hang, bool in_state)
{
	struct search s = { .hang = hang };
	const struct gsc_listener listener = { .context = &s, .begin = begin, .command = command,
					       .state = in_state ? state : NULL, .end = end };
	struct gsc_follow_options options = { .engine = NULL };
	struct gsc_error err = { .status = GSC_OK };
	bool several = false;

	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_engine *e = hang->causes[i].engine;

		s.open += !!e;
		several |= e && options.engine && strcmp(options.engine, e->name);
		options.engine = e ? e->name : options.engine;
	}
	if (!s.open)
		return;
	if (several)
		options.engine = NULL;
	if (gsc_follow_all(hang->set, hang->gpu, &options, &listener, &err))
		s.no_memory |= err_is_memory(&err);
	for (size_t i = 0; i < hang->faults.count; i++) {
		struct hang_cause *found = &hang->causes[i];

		if (!found->engine)
			continue;
		/* What was found counts only if the place came after it. */
		found->known = found->known && found->met;
		/* A buffer that nothing leads to: only the command itself is available. */
		if (!found->met && !s.no_memory)
			s.no_memory = !look_at(hang, i, &found->engine->run,
					       &found->engine->command);
		found->known &= !s.no_memory;
		/* State costs more to read than everything else: only for the rest. */
		if (found->known || !found->met)
			found->engine = NULL;
		found->met = false;
	}
	hang->causes_missed |= s.no_memory;
}

void hang_causes_free(struct gsc_hang *hang)
{
	for (size_t i = 0; hang->causes && i < hang->faults.count; i++)
		free(hang->causes[i].words);
	free(hang->causes);
}

bool gsc_hang_cause(struct gsc_hang *hang, size_t fault, struct gsc_cause *cause)
{
	if (fault >= hang->faults.count)
		return false;
	if (!hang->causes) {
		hang->causes = calloc(hang->faults.count, sizeof(*hang->causes));
		hang->causes_missed = !hang->causes;
		if (!hang->causes)
			return false;
		for (size_t i = 0; i < hang->faults.count; i++) {
			const struct gsc_fault *f = &hang->faults.items[i];

			/* Small numbers are in every command. */
			for (size_t n = 0; n < hang->engines.count && f->valid && f->has_address &&
					   f->address & PAGE_MASK; n++)
				if (!strcmp(f->engine, hang->engines.items[n].e.name) &&
				    hang->engines.items[n].e.stopped)
					hang->causes[i].engine = &hang->engines.items[n].e;
		}
		search(hang, false);
		search(hang, true);
	}
	*cause = hang->causes[fault].c;
	return hang->causes[fault].known;
}
