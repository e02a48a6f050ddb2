/* SPDX-License-Identifier: MIT */
/*
 * The sentence at the end, and the signature: by which engine is worst off, and by the first of
 * these that holds: it faulted, it reports an error, it hangs, it waits.
 */
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>

struct sentence {
	char *text;
	size_t used, size;
};

static void say(struct sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct sentence *s, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(s->text + s->used, s->size - s->used, format, args);
	va_end(args);
	if (length > 0)
		s->used = MIN(s->used + (size_t)length, s->size - 1);
}

/* ---- who it was ----------------------------------------------------------------------------- */

static const struct gsc_fault *fault_of(const struct gsc_hang *hang, const char *engine)
{
	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *f = &hang->faults.items[i];

		if (f->valid && (!engine || !*f->engine || !strcmp(f->engine, engine)))
			return f;
	}
	return NULL;
}

static const struct gsc_trouble *error_of(const struct gsc_hang *hang, const char *engine)
{
	for (size_t i = 0; i < hang->errors.count; i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (!engine || !t->reg.engine || !strcmp(t->reg.engine, engine))
			return t;
	}
	return NULL;
}

/* Hung before waiting before the rest; of equals the one that faulted, then the one blamed. */
static unsigned rank(const struct gsc_hang *hang, const struct gsc_engine *e)
{
	static const unsigned ranks[] = { [GSC_ENGINE_HUNG] = 16, [GSC_ENGINE_WAITING] = 8 };
	unsigned state = e->state < ARRAY_SIZE(ranks) ? ranks[e->state] : 0;
	const struct gsc_fault *fault = fault_of(hang, e->name);

	return state + (fault && *fault->engine ? 4 : 0) + (e->blamed ? 2 : 0) + e->stopped;
}

static const struct gsc_engine *worst_engine(const struct gsc_hang *hang)
{
	const struct gsc_engine *worst = NULL;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct gsc_engine *e = &hang->engines.items[i].e;

		if ((e->state == GSC_ENGINE_HUNG || e->state == GSC_ENGINE_WAITING) &&
		    (!worst || rank(hang, e) > rank(hang, worst)))
			worst = e;
	}
	return worst;
}

static size_t count_state(const struct gsc_hang *hang, enum gsc_engine_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < hang->engines.count; i++)
		count += hang->engines.items[i].e.state == state;
	return count;
}

/* ---- the sentence --------------------------------------------------------------------------- */

static void say_command(struct sentence *s, const struct gsc_engine *e)
{
	if (e->stopped)
		say(s, " %s %s at %s:0x%llx", e->agrees ? "in" : "near", e->command.name,
		    e->run.process ? "ppgtt" : "ggtt", (unsigned long long)e->command.address);
	else if (e->known & GSC_ENGINE_ACTHD)
		say(s, " at 0x%llx", (unsigned long long)e->acthd);
}

static void say_address(struct sentence *s, const struct gsc_fault *f)
{
	if (f->has_address)
		say(s, " at %s%s0x%llx", f->space ? f->space : "", f->space ? ":" : "",
		    (unsigned long long)f->address);
}

/* What the tables say of it now is more than the register says. */
static void say_walk(struct sentence *s, const struct gsc_hang *hang, const struct gsc_fault *f)
{
	struct gsc_walk *walk = malloc(sizeof(*walk));
	const struct gsc_translation *translation;
	char why[200];

	if (walk && f->has_address &&
	    gsc_hang_walk(hang, (size_t)(f - hang->faults.items), walk, &translation, why,
			  sizeof(why))) {
		if (walk->mapped)
			say(s, ", though it is mapped now");
		else
			say(s, ", %s at %s", gsc_stop_word(walk->stop),
			    *walk->stop_level ? walk->stop_level : "the first level");
	} else if (f->level) {
		say(s, ", without a valid %s", f->level);
	}
	free(walk);
}

static void say_fault(struct sentence *s, const struct gsc_hang *hang, const struct gsc_fault *f)
{
	say(s, " a page fault%s%s", f->access ? " of a " : "", f->access ? f->access : "");
	say_address(s, f);
	if (f->type && strcmp(f->type, "page fault"))
		say(s, " (%s)", f->type);
	say_walk(s, hang, f);
}

/* What a waiting engine awaits, or else its first evidence. */
static void say_evidence(struct sentence *s, const struct gsc_engine *e)
{
	const struct hang_engine *engine = (const struct hang_engine *)e;
	const struct gsc_detail *best = NULL;

	for (size_t i = 0; i < engine->details.count; i++) {
		const struct gsc_detail *d = &engine->details.items[i];

		if (d->kind == GSC_DETAIL_EVIDENCE && (!best || !strcmp(d->name, "awaits")))
			best = d;
	}
	if (best)
		say(s, ": %s", best->text);
}

static void say_busy(struct sentence *s, const struct gsc_engine *e)
{
	const struct hang_engine *engine = (const struct hang_engine *)e;
	size_t count = 0;

	for (size_t i = 0; i < engine->details.count; i++)
		count += engine->details.items[i].kind == GSC_DETAIL_BUSY;
	if (count)
		say(s, "; %zu unit%s not done", count, count == 1 ? " is" : "s are");
}

static void say_engine(struct sentence *s, const struct gsc_hang *hang, const struct gsc_engine *e)
{
	const struct gsc_fault *fault = fault_of(hang, e->name);
	const struct gsc_trouble *error = error_of(hang, e->name);

	say(s, "%s %s", e->name, e->state == GSC_ENGINE_HUNG ? "hangs" : "waits");
	say_command(s, e);
	if (fault) {
		say(s, " after");
		say_fault(s, hang, fault);
	} else if (error) {
		say(s, ", and %s reports %s", error->reg.name, error->name);
	} else if (e->state == GSC_ENGINE_WAITING) {
		say_evidence(s, e);
	} else {
		say(s, "; no fault and no error is on record");
		say_busy(s, e);
	}
}

/* An address without the register that says whether there was a fault. */
static bool say_perhaps(struct sentence *s, const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *f = &hang->faults.items[i];

		if (!f->has_address)
			continue;
		say(s, "There may have been a page fault");
		say_address(s, f);
		say(s, "; the register that would say so, and what the engines do, are not in "
		    "the source");
		return true;
	}
	return false;
}

static void say_rest(struct sentence *s, const struct gsc_hang *hang, const struct gsc_fault *fault,
		     const struct gsc_trouble *error)
{
	size_t unknown = count_state(hang, GSC_ENGINE_UNKNOWN), all = hang->engines.count;

	if (fault) {
		say(s, "%s had", *fault->engine ? fault->engine : "An engine");
		say_fault(s, hang, fault);
		say(s, unknown == all ? "; what the engines do is not in the source"
				      : "; no engine hangs now");
	} else if (error) {
		say(s, "%s reports %s; %s", error->reg.name, error->name,
		    unknown == all ? "what the engines do is not in the source"
				   : "no engine hangs");
	} else if (unknown == all && say_perhaps(s, hang)) {
		return;
	} else if (unknown == all) {
		say(s, "Nothing can be said: the source has neither faults nor errors nor what the "
		    "engines do");
	} else {
		say(s, "No fault, no error, no hang: %zu engine%s idle, %zu running",
		    count_state(hang, GSC_ENGINE_IDLE),
		    count_state(hang, GSC_ENGINE_IDLE) == 1 ? "" : "s",
		    count_state(hang, GSC_ENGINE_RUNNING));
		if (unknown)
			say(s, ", %zu unknown", unknown);
	}
}

/* ---- the signature -------------------------------------------------------------------------- */

static const char *class_of(const struct gsc_engine *e, const struct gsc_fault *fault,
			    const struct gsc_trouble *error, char *buf, size_t size)
{
	if (fault) {
		snprintf(buf, size, "%s-fault", fault->space ? fault->space : "page");
		return buf;
	}
	if (error) {
		snprintf(buf, size, "error-%s", error->name);
		return buf;
	}
	if (!e)
		return "none";
	return e->state == GSC_ENGINE_HUNG ? "hang" : "wait";
}

static void sign(struct gsc_hang *hang, const struct gsc_engine *e, const struct gsc_fault *fault,
		 const struct gsc_trouble *error)
{
	const char *engine = e ? e->name : fault && *fault->engine ? fault->engine : "-";
	char class[100];

	snprintf(hang->signature, sizeof(hang->signature), "%s/%s/%s/%s", hang->platform.name,
		 engine, e && e->stopped ? e->command.name : "-",
		 class_of(e, fault, error, class, sizeof(class)));
}

void hang_verdict(struct gsc_hang *hang)
{
	struct sentence s = { hang->verdict, 0, sizeof(hang->verdict) - 1 };
	const struct gsc_engine *e = worst_engine(hang);
	const struct gsc_fault *fault = fault_of(hang, e ? e->name : NULL);
	const struct gsc_trouble *error = error_of(hang, e ? e->name : NULL);

	if (e)
		say_engine(&s, hang, e);
	else
		say_rest(&s, hang, fault, error);
	say(&s, ".");
	sign(hang, e, fault, error);
}
