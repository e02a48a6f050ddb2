/* SPDX-License-Identifier: MIT */
/*
 * The sentence at the end, and the signature. Both are about the engine that is worst off: one that
 * hangs, else one that waits. They say what stopped it: a fault, else an error, else that it loops,
 * left its batch, hangs or waits. A fault that is older than what the engine does now is only
 * mentioned. If no engine hangs or waits, they are about a fault or an error on record, if any.
 */
#include "hang/engine.h"

#include "util/text.h"

#include <stdio.h>
#include <string.h>

#define say(s, ...) text_add(s, __VA_ARGS__)

/* ---- who it was ----------------------------------------------------------------------------- */

/* Some only say that there is another one. */
static bool is_vague(const struct gsc_trouble *t)
{
	return !strcmp(t->name, "PAGE_TABLE_ERROR") || !strncmp(t->name, "undocumented", 12);
}

/* Hung before waiting; among equals the one that faulted, then the one blamed. */
static const struct hang_engine *worst_engine(const struct gsc_hang *hang)
{
	const struct hang_engine *worst = NULL;
	unsigned rank, most = 0;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct gsc_engine *e = &hang->engines.items[i].e;

		if (e->state != GSC_ENGINE_HUNG && e->state != GSC_ENGINE_WAITING)
			continue;
		rank = (e->state == GSC_ENGINE_HUNG ? 16 : 8) + e->stopped +
		       (hang_fault_of(hang, e->name) ? 4 : 0) + (e->blamed ? 2 : 0);
		if (rank > most) {
			worst = &hang->engines.items[i];
			most = rank;
		}
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

static const struct gsc_detail *evidence(const struct hang_engine *engine, const char *rule)
{
	for (size_t i = 0; i < engine->details.count; i++) {
		const struct gsc_detail *d = &engine->details.items[i];

		if (d->kind == GSC_DETAIL_EVIDENCE && (!rule || !strcmp(d->name, rule)))
			return d;
	}
	return NULL;
}

/*
 * The fault where an engine stopped, or NULL. A loop continues and a semaphore is polled, while an
 * engine with a fault stops: that fault may be from an earlier hang, unless the command asks for
 * its address. i915 resets an engine and leaves its fault on record (gt/intel_reset.c).
 */
static const struct gsc_fault *stopping_fault(const struct gsc_hang *hang,
					       const struct hang_engine *engine)
{
	const struct gsc_fault *fault = hang_fault_of(hang, engine->e.name);
	struct gsc_command_address a;

	if (!fault || !fault->has_address || !(*engine->loop || evidence(engine, "awaits")))
		return fault;
	for (size_t i = 0; gsc_command_address(hang->set, &engine->e.command, i, &a); i++)
		if (a.address >> 12 == fault->address >> 12)
			return fault;
	return NULL;
}

/* ---- what the source could tell ------------------------------------------------------------- */

/* A fault's address without the register that says whether there was one means nothing. */
static bool tells_faults(const struct gsc_hang *hang)
{
	uint64_t value;

	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *f = &hang->faults.items[i];

		if (f->valid || (f->value != UINT32_MAX && !strstr(f->reg.name, "TLB_DATA")))
			return true;
	}
	return !platform_has(&hang->gpu->platform, PROPERTY_FAULTS_RECORDED) &&
	       hang_read(hang, NULL, "PGTBL_ER", -1, NULL, &value);
}

static bool tells(const struct gsc_hang *hang, const char *engine, const char *name)
{
	uint64_t value;

	return hang_read(hang, engine, name, -1, NULL, &value) && value != UINT32_MAX;
}

bool gsc_hang_tells_errors(const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++)
		if (tells(hang, hang->engines.items[i].e.name, "EIR") ||
		    tells(hang, hang->engines.items[i].e.name, "ESR"))
			return true;
	return hang->errors.count || tells(hang, NULL, "GFX_ARB_ERROR_RPT") ||
	       tells(hang, NULL, "PGTBL_ER");
}

/* ---- the sentence --------------------------------------------------------------------------- */

static void say_command(struct text *s, const struct hang_engine *engine)
{
	static const char *const jobs[] = {
		[GSC_REQUEST_UNKNOWN] = "", [GSC_REQUEST_WAITS] = " before its job began",
		[GSC_REQUEST_BEGUN] = " in a job that began but did not finish",
		[GSC_REQUEST_DONE] = ", though its jobs are done",
	};
	const struct gsc_engine *e = &engine->e;
	const struct driver_request *queue = engine_context(engine);
	const char *space = e->run.process ? "ppgtt" : "ggtt";
	uint64_t start, end;

	if (engine->reset && !*engine->loop) {
		say(s, "%s", queue ? jobs[queue->r.state] : "");
		if (engine_job_batch(engine, &start, &end))
			say(s, ", its batch at ppgtt:0x%llx", LL(start));
		say(s, "; its registers %s", engine_why_reset(engine));
		return;
	}
	if (*engine->loop)
		say(s, " in a loop of the batch at %s:0x%llx: %s%s%s", space,
		    LL(e->run.address), engine->loop,
		    engine->reset ? "; its registers " : "",
		    engine->reset ? engine_why_reset(engine) : "");
	else if (e->stopped)
		say(s, " %s %s at %s:0x%llx", e->agrees ? "in" : "near", e->command.name, space,
		    LL(e->command.address));
	else if (e->known & GSC_KNOWN_ACTHD_RING)
		say(s, " 0x%llx bytes into its ring", LL(e->acthd_offset));
	else if (e->known & GSC_KNOWN_ACTHD)
		say(s, " at 0x%llx", LL(e->acthd));
	if (*engine->left)
		say(s, " after it left its batch: %s", engine->left);
	else if (!e->stopped && e->header)
		say(s, " in %s (by IPEHR)", e->header);
}

static void say_address(struct text *s, const struct gsc_fault *f)
{
	if (f->has_address)
		say(s, " at %s%s0x%llx", f->space ? f->space : "", f->space ? ":" : "",
		    LL(f->address));
}

/* What the tables say about it now is more than the register says. */
static bool say_walk(struct text *s, const struct gsc_hang *hang, const struct gsc_fault *f)
{
	/* The table in which a walk read an entry of that level. */
	static const char *const tables[][2] = {
		{ "", "the first level" },
		{ "pte", "the page table" },
		{ "pde", "the page directory" },
		{ "pdpe", "the page-directory-pointer table" },
		{ "pml4e", "the PML4 table" },
		{ "pml5e", "the PML5 table" },
	};
	const struct gsc_translation *translation;
	const char *table;
	struct gsc_walk walk;
	char why[200];

	if (!f->has_address ||
	    !gsc_hang_walk(hang, (size_t)(f - hang->faults.items), &walk, &translation, why,
			   sizeof(why)))
		return false;
	if (walk.mapped) {
		say(s, ", though it is mapped now");
		return true;
	}
	table = walk.stop_level;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (!strcmp(tables[i][0], walk.stop_level))
			table = tables[i][1];
	say(s, "; the walk stops at %s: %s", table, walk.stop == GSC_STOP_NOT_PRESENT
	    ? "entry not present" : gsc_stop_word(walk.stop));
	return true;
}

static void say_fault(struct text *s, const struct gsc_hang *hang, const struct gsc_fault *f)
{
	bool typed = f->type && strcmp(f->type, "page fault");

	say(s, " a page fault%s%s", f->access ? " on a " : "", f->access ? f->access : "");
	say_address(s, f);
	if (typed)
		say(s, " (%s)", f->type);
	/* "invalid PTE" names the level. */
	if (!say_walk(s, hang, f) && f->level && !typed)
		say(s, ", without a valid %s", f->level);
}

/* `of`: " for this engine", if another engine has one. */
static void say_no_record(struct text *s, const struct gsc_hang *hang, const char *of)
{
	bool faults = tells_faults(hang), errors = gsc_hang_tells_errors(hang);

	if (faults && errors)
		say(s, "no fault and no error%s is on record", of);
	else if (faults || errors)
		say(s, "no %s%s is on record, and %s registers are not in the source",
		    faults ? "fault" : "error", of, faults ? "error" : "fault");
	else
		say(s, "fault and error registers are not in the source");
}

/* The first fault that is not this engine's. */
static const struct gsc_fault *other_fault(const struct gsc_hang *hang, const char *engine)
{
	for (size_t i = 0; i < hang->faults.count; i++)
		if (hang->faults.items[i].valid && strcmp(hang->faults.items[i].engine, engine))
			return &hang->faults.items[i];
	return NULL;
}

/* The first error that is not the reason for a hang. */
static const struct gsc_trouble *other_error(const struct gsc_hang *hang, const char *engine)
{
	for (size_t i = 0; i < hang->errors.count; i++)
		if (hang->errors.items[i].reg.engine ?
		    strcmp(hang->errors.items[i].reg.engine, engine) :
		    !hang_error_of_engines(&hang->errors.items[i]))
			return &hang->errors.items[i];
	return NULL;
}

/* Others that hang, and what else is on record. */
static void say_others(struct text *s, const struct gsc_hang *hang,
		       const struct hang_engine *worst, bool faulted)
{
	const struct gsc_fault *past = hang_fault_of(hang, worst->e.name);
	const struct gsc_fault *fault = other_fault(hang, worst->e.name);
	const struct gsc_trouble *error = other_error(hang, worst->e.name);

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];

		if (engine == worst || engine->e.state != GSC_ENGINE_HUNG)
			continue;
		say(s, "; %s hangs, too,", engine->e.name);
		say_command(s, engine);
		if (s->at[s->used - 1] == ',')
			s->used--;
	}
	if (past && !faulted) {
		say(s, "; it had");
		say_fault(s, hang, past);
		say(s, "; that fault does not stop this engine: perhaps it is from an "
		       "earlier hang");
	}
	if (fault) {
		say(s, "; %s had", *fault->engine ? fault->engine : "an unknown engine");
		say_fault(s, hang, fault);
	}
	if (error)
		say(s, "; %s%s%s reports %s", error->reg.engine ? error->reg.engine : "",
		    error->reg.engine ? "." : "", error->reg.name, error->name);
}

/* `fault`: where it stopped, or NULL. */
static void say_engine(struct text *s, const struct gsc_hang *hang,
		       const struct hang_engine *engine, const struct gsc_fault *fault,
		       const struct gsc_trouble *error)
{
	const struct gsc_engine *e = &engine->e;
	const struct gsc_detail *awaits = evidence(engine, "awaits");
	bool others = other_fault(hang, e->name) || other_error(hang, e->name);

	say(s, "%s %s", e->name, e->state == GSC_ENGINE_HUNG ? "hangs" : "waits");
	say_command(s, engine);
	if (fault) {
		say(s, " after");
		say_fault(s, hang, fault);
	} else if (error) {
		say(s, ", and %s reports %s", error->reg.name, error->name);
	} else if (e->state == GSC_ENGINE_WAITING) {
		/* What it waits for, or else its first evidence. */
		awaits = awaits ? awaits : evidence(engine, NULL);
		if (awaits)
			say(s, ": %s", awaits->text);
	} else {
		if (awaits)
			say(s, ", %s", awaits->text);
		if (!hang_fault_of(hang, e->name)) {
			say(s, "; ");
			say_no_record(s, hang, others ? " for this engine" : "");
		}
		if (engine->busy)
			say(s, "; %u hardware unit%s still busy", engine->busy,
			    engine->busy == 1 ? " is" : "s are");
	}
	say_others(s, hang, engine, fault != NULL);
}

static bool any_known(const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++)
		if (hang->engines.items[i].e.known)
			return true;
	return false;
}

typedef bool engine_is(const struct hang_engine *engine, const char *rule);

static bool has_evidence(const struct hang_engine *engine, const char *rule)
{
	return evidence(engine, rule) != NULL;
}

/* Its registers are there, but do not show whether it moves. */
static bool is_still(const struct hang_engine *engine, const char *rule)
{
	(void)rule;
	return engine->e.state == GSC_ENGINE_UNKNOWN && engine->e.known;
}

/*
 * "rcs0 and bcs0": all engines for which that is true, and how many. Without a sentence it counts.
 */
static size_t say_list(struct text *s, const struct gsc_hang *hang, engine_is *is, const char *rule)
{
	size_t count = 0, said = 0;

	for (size_t i = 0; i < hang->engines.count; i++)
		count += is(&hang->engines.items[i], rule);
	for (size_t i = 0; i < hang->engines.count && s; i++)
		if (is(&hang->engines.items[i], rule))
			say(s, "%s%s", !said++ ? "" : said < count ? ", " : " and ",
			    hang->engines.items[i].e.name);
	return count;
}

/* It moves, and yet it will never end. */
static void say_runaways(struct text *s, const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];

		if (engine->e.state != GSC_ENGINE_RUNNING || !*engine->left)
			continue;
		say(s, "; %s runs", engine->e.name);
		say_command(s, engine);
	}
}

/* Where the engines are whose registers do not show whether they move. */
static void say_still(struct text *s, const struct gsc_hang *hang)
{
	const char *was = engine_in_dump(hang) ? "was" : "is";
	size_t count;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];
		size_t before = s->used, place;

		if (!is_still(engine, NULL))
			continue;
		say(s, "%s %s", engine->e.name, was);
		place = s->used;
		say_command(s, engine);
		if (s->used > place)
			say(s, "; ");
		else
			s->used = before;
	}
	say(s, "%s source does not show whether ", s->used ? "the" : "The");
	count = say_list(s, hang, is_still, NULL);
	say(s, "%s", count == 1 ? " makes progress" : " make progress");
}

/* What the engines do, besides a fault or an error: none of them hangs or waits. */
static void say_engines(struct text *s, const struct gsc_hang *hang)
{
	size_t unknown = count_state(hang, GSC_ENGINE_UNKNOWN);

	if (say_list(NULL, hang, is_still, NULL) == 1)
		say_still(s, hang);
	else if (unknown < hang->engines.count)
		say(s, unknown ? "no engine is known to hang" : "no engine hangs now");
	else
		say(s, any_known(hang) ?
		    "the source does not show whether the engines make progress" :
		    "the state of the engines is not in the source");
	say_runaways(s, hang);
}

/* The dump was written for a hang, but its registers do not show one. */
static bool say_why_dump(struct text *s, const struct gsc_hang *hang)
{
	const char *join = "The registers of the dump do not show where its queue hangs: ";
	const char *const begin = join;

	if (say_list(NULL, hang, has_evidence, "one-of-many")) {
		say(s, "The dump was written for a hang; ");
		say_list(s, hang, has_evidence, "one-of-many");
		say(s, " have work, and nothing shows which of them hung; ");
	} else if (say_list(NULL, hang, has_evidence, "blamed-once")) {
		say(s, "The dump blames ");
		say_list(s, hang, has_evidence, "blamed-once");
		say(s, ", but it has no work left; ");
	} else {
		/* The contexts whose jobs are not done: their queue is what xe's dump is about. */
		for (size_t i = 0; i < hang->facts.requests.count && any_known(hang); i++) {
			const struct driver_request *h = &hang->facts.requests.items[i];

			if (h->kind != WORK_CONTEXT || (h->r.state != GSC_REQUEST_BEGUN &&
							h->r.state != GSC_REQUEST_WAITS))
				continue;
			say(s, "%s%s", join, h->r.text);
			join = "; ";
		}
		if (join == begin)
			return false;
		say(s, "; ");
	}
	say_no_record(s, hang, "");
	return true;
}

/* xe's short dump when it and the GuC no longer understand each other: why, or NULL. */
static const char *dead_channel(const struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->facts.about.count && hang->facts.guc_dead; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, "reason"))
			return hang->facts.about.items[i].a.text;
	return NULL;
}

/* Without the engines, the queue that xe's dump is about, or else why it was written. */
static bool say_queues(struct text *s, const struct gsc_hang *hang)
{
	const char *cut = hang->facts.cut, *reason = hang->facts.reason;
	size_t queues = 0;

	for (size_t i = 0; i < hang->facts.requests.count; i++)
		queues += hang->facts.requests.items[i].kind == WORK_CONTEXT;
	if (!queues && !*reason)
		return false;
	say(s, "The state of the engines is not in this dump%s%s", *cut ? ": " : "", cut);
	for (size_t i = 0; i < hang->facts.requests.count; i++)
		if (hang->facts.requests.items[i].kind == WORK_CONTEXT)
			say(s, "; %s", hang->facts.requests.items[i].r.text);
	if (!queues)
		say(s, "; the driver wrote it because of: %s", reason);
	return true;
}

static void say_unknown(struct text *s, const struct gsc_hang *hang)
{
	const char *join = ", on ", *dead = dead_channel(hang);
	bool silent = false;
	uint64_t value;

	/* If all registers read the same, the reason is not that they are missing. */
	for (size_t i = 0; i < hang->engines.count && !silent; i++)
		silent = hang_read(hang, hang->engines.items[i].e.name, "RING_BUFFER_CONTROL", -1,
				   NULL, &value);
	if (any_known(hang)) {
		say_still(s, hang);
		say(s, "; ");
		say_no_record(s, hang, "");
	} else if (dead) {
		say(s, "The driver lost the GuC: %s; the dump has no state of the engines", dead);
	} else if (say_queues(s, hang)) {
		return;
	} else if (engine_in_trace(hang)) {
		say(s, "No verdict: a trace records what was submitted to the engines, not what "
		       "they did with it");
	} else if (silent) {
		say(s, "No verdict: the registers of the engines read as 0 or as all ones, as "
		       "when the GPU sleeps or is gone");
	} else if (!*hang->facts.headline) {
		say(s, "No verdict: the source has no faults, no errors and no state of the "
		       "engines");
	} else {
		say(s, "The GPU hung (%s)", hang->facts.headline);
		/* ", on vcs0 or vcs2": what the code of the hang leaves. */
		for (size_t i = 0; i < hang->engines.count; i++) {
			if (!engine_perhaps_blamed(&hang->engines.items[i], NULL))
				continue;
			say(s, "%s%s", join, hang->engines.items[i].e.name);
			join = " or ";
		}
		say(s, ", but the dump has no faults, no errors and no state of the engines");
	}
}

static void say_counts(struct text *s, const struct gsc_hang *hang)
{
	size_t idle = count_state(hang, GSC_ENGINE_IDLE);
	size_t unknown = count_state(hang, GSC_ENGINE_UNKNOWN);

	if (say_list(NULL, hang, is_still, NULL)) {
		say_still(s, hang);
		say(s, "; no other engine hangs; ");
		say_no_record(s, hang, "");
	} else if (tells_faults(hang) && gsc_hang_tells_errors(hang) && !engine_in_dump(hang)) {
		say(s, "No fault, no error, no hang");
	} else {
		say(s, engine_in_dump(hang) ? "The registers of the dump show no hang; " :
					      "No hang; ");
		say_no_record(s, hang, "");
	}
	say(s, ": %zu engine%s idle, %zu running", idle, idle == 1 ? "" : "s",
	    count_state(hang, GSC_ENGINE_RUNNING));
	if (unknown)
		say(s, ", %zu unknown", unknown);
	say_runaways(s, hang);
}

/* No engine hangs or waits. */
static void say_rest(struct text *s, const struct gsc_hang *hang, const struct gsc_fault *fault,
		     const struct gsc_trouble *error)
{
	bool none = count_state(hang, GSC_ENGINE_UNKNOWN) == hang->engines.count;
	const struct gsc_fault *perhaps = NULL;

	/* An address without the register that says whether there was a fault. */
	for (size_t i = hang->faults.count; i-- > 0;)
		if (hang->faults.items[i].has_address)
			perhaps = &hang->faults.items[i];
	if (fault) {
		say(s, "%s had", *fault->engine ? fault->engine : "An engine");
		say_fault(s, hang, fault);
		say(s, "; ");
		say_engines(s, hang);
	} else if (error) {
		say(s, "%s reports %s; ", error->reg.name, error->name);
		say_engines(s, hang);
	} else if (say_why_dump(s, hang)) {
		return;
	} else if (none && perhaps) {
		say(s, "There may have been a page fault");
		say_address(s, perhaps);
		say(s, "; the register that would show it and the state of the engines are not in "
		       "the source");
	} else if (none) {
		say_unknown(s, hang);
	} else {
		say_counts(s, hang);
	}
}

/* ---- the signature -------------------------------------------------------------------------- */

static void sign(struct gsc_hang *hang, const struct hang_engine *worst,
		 const struct gsc_fault *fault, const struct gsc_trouble *error)
{
	const char *engine = NULL, *command = NULL;
	char class[100];

	/*
	 * The only engine about which a dump has anything; if there are several, nobody knows which
	 * one it is.
	 */
	if (!worst && !fault && !error && engine_in_dump(hang) &&
	    say_list(NULL, hang, is_still, NULL) == 1)
		for (size_t i = 0; i < hang->engines.count; i++)
			if (is_still(&hang->engines.items[i], NULL))
				worst = &hang->engines.items[i];
	if (worst) {
		engine = worst->e.name;
		command = worst->e.stopped ? worst->e.command.name : worst->e.header;
	} else if (fault) {
		engine = fault->engine;
	}
	if (fault) {
		hang_fault_class(fault, class, sizeof(class));
	} else if (error) {
		string_set(class, "error-%s", error->name);
	} else if (worst && (*worst->loop || *worst->left)) {
		/* Where in a loop, or outside its batch, an engine was stopped is chance. */
		command = "MI_BATCH_BUFFER_START";
		strcpy(class, *worst->loop ? "loop" : "left");
	} else {
		strcpy(class, !worst ? dead_channel(hang) ? "guc-dead" : "none" :
		       worst->e.state == GSC_ENGINE_UNKNOWN ? "unknown" :
		       worst->e.state == GSC_ENGINE_HUNG ? "hang" : "wait");
	}
	hang_sign(hang->signature, sizeof(hang->signature), hang->gpu->platform.name, engine,
		  command, class);
}

void hang_verdict(struct gsc_hang *hang)
{
	struct text s = text_of(hang->verdict);
	const struct hang_engine *worst = worst_engine(hang);
	const struct gsc_engine *e = worst ? &worst->e : NULL;
	const struct gsc_fault *fault = worst ? stopping_fault(hang, worst)
					      : hang_fault_of(hang, NULL);
	const struct gsc_trouble *error, *own = NULL, *common = NULL;

	/* The first of the engine, or else of the GT; an error of the display stops no engine. */
	for (size_t i = 0; i < hang->errors.count; i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (!e || (t->reg.engine && !strcmp(t->reg.engine, e->name)))
			own = !own || (is_vague(own) && !is_vague(t)) ? t : own;
		else if (!common && !t->reg.engine && hang_error_of_engines(t))
			common = t;
	}
	error = own && (!common || !is_vague(own)) ? own : common;
	hang->worst = worst;
	if (e)
		say_engine(&s, hang, worst, fault, error);
	else
		say_rest(&s, hang, fault, error);
	say(&s, ".");
	sign(hang, worst, fault, error);
}
