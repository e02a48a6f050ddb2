/* SPDX-License-Identifier: MIT */
/*
 * The sentence at the end, and the signature. Both are about the engine that is worst off: one that
 * hangs, else one that waits. They say what stopped it: a fault, else an error, else that it loops,
 * left its batch, hangs or waits. A fault that is older than what the engine does now is only
 * mentioned. If no engine hangs or waits, they are about a fault or an error on record, if any.
 */
#include "hang/engine.h"

#include "util/text.h"

#include <ctype.h>

#define say(v, ...) text_add(&(v)->s, __VA_ARGS__)

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
static const struct gsc_fault *stopping_fault(const struct hang_engine *engine)
{
	const struct gsc_fault *fault = hang_fault_of(engine->hang, engine->e.name);
	struct gsc_command_address a;

	if (!fault || !fault->has_address || !(*engine->loop || evidence(engine, "awaits")))
		return fault;
	for (size_t i = 0; gsc_command_address(engine->hang->set, &engine->e.command, i, &a); i++)
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

/* The sentence, and what it counts before it is said. */
struct verdict {
	struct text s;
	const struct gsc_hang *hang;
	bool in_dump, faults, errors;	/* a driver's dump; the source could tell of these */
	bool known;			/* registers of an engine are known */
	size_t states[GSC_ENGINE_HUNG + 1];	/* engines, by state */
	size_t still;			/* those whose registers do not show whether they move */
	const struct hang_engine *one;	/* the last of these */
	const char *dead;		/* why the driver and the GuC lost each other, or NULL */
	const char *class;		/* of the signature, if it is about the GuC, or NULL */
};

static void say_command(struct verdict *v, const struct hang_engine *engine)
{
	static const char *const jobs[] = {
		[GSC_REQUEST_UNKNOWN] = "", [GSC_REQUEST_WAITS] = " before its job began",
		[GSC_REQUEST_BEGUN] = " in a job that began but did not finish",
		[GSC_REQUEST_DONE] = ", though its jobs are done",
	};
	const struct gsc_engine *e = &engine->e;
	const struct driver_request *queue = engine_context(engine);
	const struct driver_request *request = e->known ? NULL : engine_request(engine);
	const char *space = e->run.process ? "ppgtt" : "ggtt";
	uint64_t start, end;

	if (engine->reset && !*engine->loop) {
		say(v, "%s", queue ? jobs[queue->r.state] : "");
		if (engine_job_batch(engine, &start, &end))
			say(v, ", its batch at ppgtt:0x%llx", LL(start));
		say(v, "; its registers %s", engine_why_reset(engine));
		return;
	}
	if (*engine->loop)
		say(v, " in a loop of the batch at %s:0x%llx: %s%s%s", space, LL(e->run.address),
		    engine->loop, engine->reset ? "; its registers " : "",
		    engine->reset ? engine_why_reset(engine) : "");
	else if (e->stopped)
		say(v, " %s %s at %s:0x%llx", e->agrees || !e->known ? "in" : "near",
		    e->command.name, space, LL(e->command.address));
	else if (request && *e->where)
		say(v, " %s", e->where);
	else if (e->known & GSC_KNOWN_ACTHD_RING)
		say(v, " 0x%llx bytes into its ring", LL(e->acthd_offset));
	else if (e->known & GSC_KNOWN_ACTHD)
		say(v, " at 0x%llx", LL(e->acthd));
	if (*engine->left)
		say(v, " after it left its batch: %s", engine->left);
	else if (!e->stopped && e->header)
		say(v, " in %s (by IPEHR)", e->header);
}

static void say_address(struct verdict *v, const struct gsc_fault *f)
{
	if (f->has_address)
		say(v, " at %s%s0x%llx", f->space ? f->space : "", f->space ? ":" : "",
		    LL(f->address));
}

static void say_fault(struct verdict *v, const struct gsc_fault *f)
{
	/* The table in which a walk read an entry of that level. */
	static const char *const tables[][2] = {
		{ "", "the first level" }, { "pte", "the page table" },
		{ "pde", "the page directory" }, { "pdpe", "the page-directory-pointer table" },
		{ "pml4e", "the PML4 table" }, { "pml5e", "the PML5 table" },
	};
	bool typed = f->type && strcmp(f->type, "page fault");
	const struct gsc_translation *translation;
	struct gsc_walk walk;
	const char *table;
	char why[200];

	say(v, " a page fault%s%s", f->access ? " on a " : "", f->access ? f->access : "");
	say_address(v, f);
	if (typed)
		say(v, " (%s)", f->type);
	/* What the tables say about it now is more than the register says. */
	if (!f->has_address ||
	    !gsc_hang_walk(v->hang, (size_t)(f - v->hang->faults.items), &walk, &translation, why,
			   sizeof(why))) {
		/* "invalid PTE" names the level. */
		if (f->level && !typed)
			say(v, ", without a valid %s", f->level);
		return;
	}
	if (walk.mapped) {
		say(v, ", though it is mapped now");
		return;
	}
	table = walk.stop_level;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (!strcmp(tables[i][0], walk.stop_level))
			table = tables[i][1];
	say(v, "; the walk stops at %s: %s", table, walk.stop == GSC_STOP_NOT_PRESENT
	    ? "entry not present" : gsc_stop_word(walk.stop));
}

/* `of`: " for this engine", if another engine has one. */
static void say_no_record(struct verdict *v, const char *of)
{
	if (v->faults && v->errors)
		say(v, "no fault and no error%s is on record", of);
	else if (v->errors && platform_has(&v->hang->gpu->platform, PROPERTY_FAULTS_REPORTED))
		say(v, "no error%s is on record, and no register of this platform records page "
		    "faults (the kernel log has them)", of);
	else if (v->faults || v->errors)
		say(v, "no %s%s is on record, and %s registers are not in the source",
		    v->faults ? "fault" : "error", of, v->faults ? "error" : "fault");
	else
		say(v, "fault and error registers are not in the source");
}

/* `fault`: where it stopped, or NULL. Then others that hang, and what else is on record. */
static void say_engine(struct verdict *v, const struct hang_engine *engine,
		       const struct gsc_fault *fault, const struct gsc_trouble *error)
{
	const struct gsc_hang *hang = v->hang;
	const struct gsc_engine *e = &engine->e;
	const struct gsc_detail *awaits = evidence(engine, "awaits");
	const struct gsc_fault *past = hang_fault_of(hang, e->name), *other = NULL;
	const struct gsc_trouble *trouble = NULL;

	/* The first fault that is not this engine's; the first error that is not the reason. */
	for (size_t i = 0; i < hang->faults.count && !other; i++)
		if (hang->faults.items[i].valid && strcmp(hang->faults.items[i].engine, e->name))
			other = &hang->faults.items[i];
	for (size_t i = 0; i < hang->errors.count && !trouble; i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (t->reg.engine ? strcmp(t->reg.engine, e->name) : !hang_error_of_engines(t))
			trouble = t;
	}
	say(v, "%s %s", e->name, e->state == GSC_ENGINE_HUNG ? "hangs" : "waits");
	say_command(v, engine);
	if (fault) {
		say(v, " after");
		say_fault(v, fault);
	} else if (error) {
		say(v, ", and %s reports %s", error->reg.name, error->name);
	} else if (e->state == GSC_ENGINE_WAITING) {
		/* What it waits for, or else its first evidence. */
		awaits = awaits ? awaits : evidence(engine, NULL);
		if (awaits)
			say(v, ": %s", awaits->text);
	} else {
		if (awaits)
			say(v, ", %s", awaits->text);
		/* No register records it. */
		if (!past && *hang->guc.memory)
			say(v, "; %s", hang->guc.memory);
		if (!past) {
			say(v, "; ");
			say_no_record(v, other || trouble ? " for this engine" : "");
		}
		if (engine->busy)
			say(v, "; %u hardware unit%s still busy", engine->busy,
			    engine->busy == 1 ? " is" : "s are");
	}
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *also = &hang->engines.items[i];

		if (also == engine || also->e.state != GSC_ENGINE_HUNG)
			continue;
		say(v, "; %s hangs, too,", also->e.name);
		say_command(v, also);
		if (v->s.at[v->s.used - 1] == ',')
			v->s.used--;
	}
	if (past && !fault) {
		say(v, "; it had");
		say_fault(v, past);
		say(v, "; that fault does not stop this engine: perhaps it is from an earlier "
		    "hang");
	}
	if (other) {
		say(v, "; %s had", *other->engine ? other->engine : "an unknown engine");
		say_fault(v, other);
	}
	if (trouble)
		say(v, "; %s%s%s reports %s", trouble->reg.engine ? trouble->reg.engine : "",
		    trouble->reg.engine ? "." : "", trouble->reg.name, trouble->name);
}

/* Its registers or its request are there, but do not show whether it moves. */
static bool is_still(const struct hang_engine *engine)
{
	return engine->e.state == GSC_ENGINE_UNKNOWN &&
	       (engine->e.known || engine_request(engine));
}

/* "rcs0 and bcs0": all engines with that evidence, or, without a rule, those that are still. */
static size_t say_list(struct verdict *v, const char *before, const char *rule, const char *after)
{
	const struct hang_engine *engines = v->hang->engines.items;
	size_t count = 0, said = 0;

	for (size_t i = 0; i < v->hang->engines.count; i++)
		count += rule ? evidence(&engines[i], rule) != NULL : is_still(&engines[i]);
	for (size_t i = 0; i < v->hang->engines.count; i++)
		if (rule ? evidence(&engines[i], rule) != NULL : is_still(&engines[i]))
			say(v, "%s%s", !said++ ? before : said < count ? ", " : " and ",
			    engines[i].e.name);
	if (count)
		say(v, "%s", after);
	return count;
}

/* Engines that move, and yet will never end. */
static void say_runaways(struct verdict *v)
{
	for (size_t i = 0; i < v->hang->engines.count; i++) {
		const struct hang_engine *engine = &v->hang->engines.items[i];

		if (engine->e.state != GSC_ENGINE_RUNNING || !*engine->left)
			continue;
		say(v, "; %s runs", engine->e.name);
		say_command(v, engine);
	}
}

/* Where the engines are whose registers do not show whether they move. */
static void say_still(struct verdict *v)
{
	for (size_t i = 0; i < v->hang->engines.count; i++) {
		const struct hang_engine *engine = &v->hang->engines.items[i];
		size_t before = v->s.used, place;

		if (!is_still(engine))
			continue;
		say(v, "%s %s", engine->e.name, v->in_dump ? "was" : "is");
		place = v->s.used;
		say_command(v, engine);
		if (v->s.used > place)
			say(v, "; ");
		else
			v->s.used = before;
	}
	say(v, "%s source does not show whether ", v->s.used ? "the" : "The");
	say_list(v, "", NULL, v->still == 1 ? " makes progress" : " make progress");
}

/* What the engines do, besides a fault or an error: none of them hangs or waits. */
static void say_engines(struct verdict *v)
{
	size_t unknown = v->states[GSC_ENGINE_UNKNOWN];

	if (v->still == 1)
		say_still(v);
	else if (unknown < v->hang->engines.count)
		say(v, unknown ? "no engine is known to hang" : "no engine hangs now");
	else
		say(v, v->known ? "the source does not show whether the engines make progress" :
		    "the state of the engines is not in the source");
	say_runaways(v);
}

/* The dump was written for a hang, but its registers do not show one. */
static bool say_why_dump(struct verdict *v)
{
	const char *join = "The registers of the dump do not show where its queue hangs: ";
	const char *const begin = join;

	if (!say_list(v, "The dump was written for a hang; ", "one-of-many",
		      " have work, and nothing shows which of them hung; ") &&
	    !say_list(v, "The dump blames ", "blamed-once", ", but it has no work left; ")) {
		/* The contexts whose jobs are not done: their queue is what xe's dump is about. */
		for (size_t i = 0; i < v->hang->facts.requests.count && v->known; i++) {
			const struct driver_request *h = &v->hang->facts.requests.items[i];

			if (h->kind != WORK_CONTEXT || (h->r.state != GSC_REQUEST_BEGUN &&
							h->r.state != GSC_REQUEST_WAITS))
				continue;
			say(v, "%s%s", join, h->r.text);
			join = "; ";
		}
		if (join == begin)
			return false;
		say(v, "; ");
	}
	say_no_record(v, "");
	return true;
}

/* Without the engines, the queue that xe's dump is about, or else why it was written. */
static bool say_queues(struct verdict *v)
{
	const struct driver_facts *facts = &v->hang->facts;
	size_t queues = 0;

	for (size_t i = 0; i < facts->requests.count; i++)
		queues += facts->requests.items[i].kind == WORK_CONTEXT;
	if (!queues && !*facts->reason)
		return false;
	say(v, "The state of the engines is not in this dump%s%s", *facts->cut ? ": " : "",
	    facts->cut);
	for (size_t i = 0; i < facts->requests.count; i++)
		if (facts->requests.items[i].kind == WORK_CONTEXT)
			say(v, "; %s", facts->requests.items[i].r.text);
	if (!queues)
		say(v, "; the driver wrote it because of: %s", facts->reason);
	return true;
}

static void say_unknown(struct verdict *v)
{
	const struct gsc_hang *hang = v->hang;
	const char *join = ", on ";
	bool silent = false;
	uint64_t value;

	/* If all registers read the same, the reason is not that they are missing. */
	for (size_t i = 0; i < hang->engines.count && !silent; i++)
		silent = engine_read(&hang->engines.items[i], "RING_BUFFER_CONTROL", &value);
	if (v->known) {
		say_still(v);
		say(v, "; ");
		say_no_record(v, "");
	} else if (v->dead) {
		say(v, "The driver lost the GuC: %s; the dump has no state of the engines",
		    v->dead);
	} else if (say_queues(v)) {
		return;
	} else if (engine_in_trace(hang)) {
		say(v, "No verdict: a trace records what was submitted to the engines, not what "
		    "they did with it");
	} else if (silent) {
		say(v, "No verdict: the registers of the engines read as 0 or as all ones, as when "
		    "the GPU sleeps or is gone");
	} else if (!*hang->facts.headline) {
		say(v, "No verdict: the source has no faults, no errors and no state of the "
		    "engines");
	} else {
		say(v, "The GPU hung (%s)", hang->facts.headline);
		/* ", on vcs0 or vcs2": what the code of the hang leaves. */
		for (size_t i = 0; i < hang->engines.count; i++) {
			if (!engine_perhaps_blamed(&hang->engines.items[i], NULL))
				continue;
			say(v, "%s%s", join, hang->engines.items[i].e.name);
			join = " or ";
		}
		say(v, ", but the dump has no faults, no errors and no state of the engines");
	}
}

/* No engine hangs or waits. */
static void say_rest(struct verdict *v, const struct gsc_fault *fault,
		     const struct gsc_trouble *error)
{
	const struct gsc_hang *hang = v->hang;
	bool none = v->states[GSC_ENGINE_UNKNOWN] == hang->engines.count;
	const struct gsc_fault *perhaps = NULL;

	/* An address without the register that says whether there was a fault. */
	for (size_t i = hang->faults.count; i-- > 0;)
		if (hang->faults.items[i].has_address)
			perhaps = &hang->faults.items[i];
	if (fault) {
		say(v, "%s had", *fault->engine ? fault->engine : "An engine");
		say_fault(v, fault);
		say(v, "; ");
		say_engines(v);
		return;
	}
	if (error) {
		say(v, "%s reports %s; ", error->reg.name, error->name);
		say_engines(v);
		return;
	}
	if (say_why_dump(v))
		return;
	if (none && perhaps) {
		say(v, "There may have been a page fault");
		say_address(v, perhaps);
		say(v, "; the register that would show it and the state of the engines are not in "
		    "the source");
		return;
	}
	if (none) {
		say_unknown(v);
		return;
	}
	if (v->still) {
		say_still(v);
		say(v, "; no other engine hangs; ");
		say_no_record(v, "");
	} else if (v->faults && v->errors && !v->in_dump) {
		say(v, "No fault, no error, no hang");
	} else {
		say(v, v->in_dump ? "The registers of the dump show no hang; " : "No hang; ");
		say_no_record(v, "");
	}
	say(v, ": %zu engine%s idle, %zu running", v->states[GSC_ENGINE_IDLE],
	    v->states[GSC_ENGINE_IDLE] == 1 ? "" : "s", v->states[GSC_ENGINE_RUNNING]);
	if (v->states[GSC_ENGINE_UNKNOWN])
		say(v, ", %zu unknown", v->states[GSC_ENGINE_UNKNOWN]);
	say_runaways(v);
}

/* ---- the signature -------------------------------------------------------------------------- */

static void sign(struct gsc_hang *hang, const struct verdict *v, const struct hang_engine *worst,
		 const struct gsc_fault *fault, const struct gsc_trouble *error)
{
	const char *engine = NULL, *command = NULL;
	char class[100];

	/*
	 * The only engine about which a dump has anything; if there are several, nobody knows which
	 * one it is.
	 */
	if (!worst && !fault && !error && v->still == 1 && (v->in_dump || engine_request(v->one)))
		worst = v->one;
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
	} else if (worst && *hang->guc.memory &&
		   (!*hang->guc.engine || !strcmp(hang->guc.engine, engine))) {
		strcpy(class, *hang->guc.engine ? "ppgtt-fault" : "cat");
	} else {
		strcpy(class, !worst ? v->dead ? "guc-dead" :
				       v->still && hang->facts.in_memory ? "unknown" : "none" :
		       worst->e.state == GSC_ENGINE_UNKNOWN ? "unknown" :
		       worst->e.state == GSC_ENGINE_HUNG ? "hang" : "wait");
	}
	hang_sign(hang->signature, sizeof(hang->signature), hang->gpu->platform.name,
		  v->class ? NULL : engine, v->class ? NULL : command, v->class ?: class);
}

void hang_verdict(struct gsc_hang *hang)
{
	struct verdict v = { .s = text_of(hang->verdict), .hang = hang,
			     .in_dump = engine_in_dump(hang), .faults = tells_faults(hang),
			     .errors = gsc_hang_tells_errors(hang) };
	const struct hang_engine *worst = worst_engine(hang);
	const char *name = worst ? worst->e.name : NULL;
	const struct gsc_fault *fault = worst ? stopping_fault(worst) : hang_fault_of(hang, NULL);
	const struct gsc_trouble *error, *own = NULL, *common = NULL;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];

		v.known |= engine->e.known || engine_request(engine);
		v.states[engine->e.state]++;
		v.still += is_still(engine);
		v.one = is_still(engine) ? engine : v.one;
	}
	/* xe's short dump when it and the GuC no longer understand each other. */
	for (size_t i = 0; i < hang->facts.about.count && hang->facts.guc_dead && !v.dead; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, "reason"))
			v.dead = hang->facts.about.items[i].a.text;
	/* The first of the engine, or else of the GT; an error of the display stops no engine. */
	for (size_t i = 0; i < hang->errors.count; i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (!name || (t->reg.engine && !strcmp(t->reg.engine, name)))
			own = !own || (is_vague(own) && !is_vague(t)) ? t : own;
		else if (!common && !t->reg.engine && hang_error_of_engines(t))
			common = t;
	}
	error = own && (!common || !is_vague(own)) ? own : common;
	hang->worst = worst;
	/* A crash stops everything; that it does not answer may follow from a hang. */
	if (!v.dead && (hang->guc.crashed ||
			(hang->guc.class && v.in_dump && !worst && !fault && !error))) {
		v.class = hang->guc.class;
		hang->guc.why[0] = (char)toupper((unsigned char)hang->guc.why[0]);
		say(&v, "%s%s", hang->guc.why, worst ? "; " : ". ");
	}
	if (worst)
		say_engine(&v, worst, fault, error);
	else
		say_rest(&v, fault, error);
	say(&v, ".");
	if (!worst && !fault && !error)
		hang_say_limits(hang, &v.s);
	sign(hang, &v, worst, fault, error);
}
