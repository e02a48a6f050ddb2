/* SPDX-License-Identifier: MIT */
/*
 * Whether an engine is idle, runs, waits or hangs: by named rules, in order. The first rule that
 * holds decides; later ones that hold are also reported, if they matter to it. A rule that holds
 * says why. They are no findings (db/rule.h): each is the reason for a state, breaks nothing, and
 * counts only beside the others.
 */
#include "hang/engine.h"

#include "batch/batch.h"
#include "regs/regs.h"

/* ---- helpers -------------------------------------------------------------------------------- */

static bool has_field(const struct hang_engine *engine, const char *name, const char *field,
		      uint64_t *value)
{
	struct gsc_reg reg;
	uint64_t bits;

	return engine_field(engine, name, field, &reg, value, &bits) && bits;
}

/* The ring is empty, but its last commands are still being executed; not every unit has a bit. */
static bool is_unfinished(const struct hang_engine *engine)
{
	uint64_t value, idle, done;
	struct gsc_reg reg;

	return engine_is_drained(&engine->e) &&
	       engine_field(engine, "MI_MODE", "RINGS_IDLE", &reg, &value, &idle) && !idle &&
	       engine_read(engine, "INSTDONE", &done) && done && engine_busy_count(engine, NULL, 0);
}

static bool is_at_work(const struct hang_engine *engine)
{
	return engine_has_work(&engine->e) || is_unfinished(engine);
}

static const char *work_word(const struct hang_engine *engine)
{
	return engine_has_work(&engine->e) ? "the engine has work" : "its units are busy";
}

/* ---- faults and errors ---------------------------------------------------------------------- */

static bool faulted(const struct hang_engine *engine, struct text *s)
{
	const struct gsc_hang *hang = engine->hang;
	const struct gsc_fault *f = hang_fault_of(hang, engine->e.name);

	return f && hang_fault_stops(hang, f) && (is_at_work(engine) || hang_fault_logged(f)) &&
	       (engine_has_work(&engine->e) || !hang->blamed || engine->e.blamed) &&
	       engine_says(s, "%s 0x%llx shows a fault of this engine, and %s", f->reg.name,
			   LL(f->value), is_at_work(engine) ? work_word(engine)
							    : "it waits for the page");
}

/* What proves nothing, and why. */
static bool fault_aside(const struct hang_engine *engine, struct text *s)
{
	const struct gsc_fault *f = hang_fault_of(engine->hang, engine->e.name);

	if (!f || faulted(engine, NULL) || (engine_is_drained(&engine->e) && !is_at_work(engine)))
		return false;
	return engine_says(s, "%s 0x%llx shows a fault of this engine%s", f->reg.name, LL(f->value),
			   !hang_fault_stops(engine->hang, f) ?
			   ", which continues after a fault: a fault alone does not stop it" :
			   is_at_work(engine) ? "" : "; whether it has work is unknown");
}

/*
 * A command that lacks a privilege is skipped: it stops nothing (snb-p3 1.1.7.3.1). Up to Gen5 one
 * register has the errors of all clients: PGTBL_ER.
 */
static bool in_error(const struct hang_engine *engine, struct text *s)
{
	const struct gsc_hang *hang = engine->hang;
	bool stops = platform_has(&hang->gpu->platform, PROPERTY_FAULTS_RECORDED);
	const struct gsc_trouble *t = hang->errors.items, *end = t + hang->errors.count;

	for (size_t i = 0; i < hang->errors.count; i++)
		stops |= !strcmp(t[i].reg.name, "PGTBL_ER") && hang_error_of_engines(&t[i]);
	for (; t < end && is_at_work(engine); t++)
		if (t->reg.engine && !strcmp(t->reg.engine, engine->e.name) &&
		    !strcmp(t->reg.name, "EIR") &&
		    (!strcmp(t->name, "INSTRUCTION_ERROR") ||
		     (!strcmp(t->name, "PAGE_TABLE_ERROR") && stops)))
			return engine_says(s, "EIR 0x%llx shows %s, and %s", LL(t->value), t->name,
					   work_word(engine));
	return false;
}

/* ---- what the source says by itself --------------------------------------------------------- */

static bool is_list_active(const struct hang_engine *engine, uint64_t *status)
{
	return has_field(engine, "EXECLIST_STATUS_LO", "EXECLIST_0_ACTIVE", status) ||
	       has_field(engine, "EXECLIST_STATUS_LO", "EXECLIST_1_ACTIVE", status);
}

/* That may have ended before the registers were read. */
static bool is_over(const struct hang_engine *engine)
{
	const struct driver_request *queue = engine_unfinished(engine);
	uint64_t value;

	return engine_is_drained(&engine->e) && !engine->reset &&
	       (!queue || queue->r.state != GSC_REQUEST_BEGUN) && !is_list_active(engine, &value) &&
	       /* The source says which units are done, or that parser and ring arbiter are. */
	       (engine_read(engine, "INSTDONE", &value) ||
		has_field(engine, "MI_MODE", "RINGS_IDLE", &value)) &&
	       !engine_busy_count(engine, NULL, 0);
}

/* Registers that read as 0 or as all ones contradict the dump; missing ones do not. */
static bool blamed(const struct hang_engine *engine, struct text *s)
{
	uint64_t value;

	return engine->e.blamed && !is_over(engine) &&
	       (engine->e.known || !engine_read(engine, "RING_BUFFER_CONTROL", &value)) &&
	       engine_blamed(engine, s);
}

static bool was_reset(const struct hang_engine *engine, struct text *s)
{
	if (!engine->reset)
		return false;
	if (!engine->e.start && !engine->e.head)
		return engine_says(s, "HEAD, TAIL, START and CONTROL of its ring are 0: the "
				   "registers were read after the engine was reset, and no longer "
				   "show where it was");
	return engine_says(s, "the job of the queue did not finish, but %s; the registers %s, and "
			   "do not show where it was",
			   engine_ring_of_queue(engine) == RING_OTHER ? "RING_START is not its ring"
								      : "HEAD equals TAIL",
			   engine_why_reset(engine));
}

static bool blamed_once(const struct hang_engine *engine, struct text *s)
{
	return engine->e.blamed && is_over(engine) && engine_blamed(engine, s) &&
	       engine_says(s, ", but nothing is left to do");
}

static bool perhaps_blamed(const struct hang_engine *engine, struct text *s)
{
	return !engine->e.blamed && is_at_work(engine) && engine_perhaps_blamed(engine, s);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* The memory of a machine has what its driver knows. */
static bool request_begun(const struct hang_engine *engine, struct text *s)
{
	const struct driver_request *request = engine_request(engine);
	char age[REQUEST_AGE], pid[24] = "";

	if (!request)
		return false;
	if (request->r.pid)
		string_set(pid, " [%llu]", LL(request->r.pid));
	return engine_says(s, "a request of %s%s%s, began and is not done%s",
			   *request->process ? request->process : "the kernel", pid,
			   request_age(request, age), engine->e.known ? "" :
			   "; where the engine is, only registers show");
}

static bool only_request(const struct hang_engine *engine, struct text *s)
{
	return !engine->e.known && request_begun(engine, s);
}

static bool also_request(const struct hang_engine *engine, struct text *s)
{
	return engine->e.known && request_begun(engine, s);
}

static bool no_request(const struct hang_engine *engine, struct text *s)
{
	return !engine->e.known && engine_has_no_request(engine) &&
	       engine_says(s, "the driver has no request for it that is not done");
}

static bool no_registers(const struct hang_engine *engine, struct text *s)
{
	const struct gsc_gpu *gpu = engine->hang->gpu;
	enum gsc_read read = GSC_READ_ABSENT;
	struct gsc_reg reg;
	uint64_t value = 0;

	if (engine->e.known || engine_request(engine))
		return false;
	if (gpu_find(gpu, engine->e.name, "RING_BUFFER_HEAD", -1, &reg))
		read = gsc_gpu_read(gpu, &reg, &value);
	if (read == GSC_READ_ASLEEP)
		return engine_says(s, "registers are asleep: forcewake domain %s is not held",
				   reg.wake ? reg.wake : "of the engine");
	if (read == GSC_READ_ABSENT)
		return engine_says(s, engine_in_trace(engine->hang) ?
				   "a trace has what was submitted, not what an engine did" :
				   "the source has no register of the engine's state");
	if (read != GSC_READ_OK)
		return engine_says(s, "registers cannot be read: %s", gsc_read_word(read));
	return engine_says(s, value ? "registers read as all ones: nothing answers there" :
			   "the ring registers, ACTHD and INSTDONE all read 0, as when an engine "
			   "sleeps or does not exist");
}

static bool ring_off(const struct hang_engine *engine, struct text *s)
{
	uint64_t value;

	return engine->e.known & GSC_KNOWN_CONTROL && !engine->reset &&
	       !has_field(engine, "RING_BUFFER_CONTROL", "RING_BUFFER_ENABLE", &value) &&
	       engine_says(s, "RING_BUFFER_CONTROL 0x%llx: the ring is not enabled",
			   LL(engine->e.control));
}

/* The pointers may be equal while the streamer switches from one context to the next. */
static bool switching(const struct hang_engine *engine, struct text *s)
{
	uint64_t value;

	return engine_is_drained(&engine->e) && is_list_active(engine, &value) &&
	       engine_says(s, "EXECLIST_STATUS_LO 0x%llx: an execlist is active, although HEAD and "
			   "TAIL of the last loaded ring are equal", LL(value));
}

static bool ring_empty(const struct hang_engine *engine, struct text *s)
{
	return engine_is_drained(&engine->e) && !engine->reset && !is_unfinished(engine) &&
	       engine_says(s, "HEAD and TAIL are both 0x%llx: no command is left",
			   LL(engine->e.head_offset));
}

/* i915 gt/intel_execlists_submission.c submits by lists alone once this mode is on. */
static bool no_list(const struct hang_engine *engine, struct text *s)
{
	static const char *const lists[] = { "EXECLIST_0_ACTIVE", "EXECLIST_1_ACTIVE",
					     "EXECLIST_0_VALID", "EXECLIST_1_VALID" };
	uint64_t value, mode, bits;
	struct gsc_reg reg;

	if (!has_field(engine, "GFX_MODE", "RUN_LIST_ENABLE", &mode))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (!engine_field(engine, "EXECLIST_STATUS_LO", lists[i], &reg, &value, &bits) ||
		    bits)
			return false;
	return engine_says(s, "EXECLIST_STATUS_LO 0x%llx: no list is valid; the ring registers are "
			   "those of the context that ran last", LL(value));
}

static bool parser_idle(const struct hang_engine *engine, struct text *s)
{
	uint64_t value;

	return !engine_has_work(&engine->e) && has_field(engine, "MI_MODE", "RINGS_IDLE", &value) &&
	       engine_says(s, "MI_MODE 0x%llx: parser and ring arbiter are idle", LL(value));
}

static bool waits_for_condition(const struct hang_engine *engine, struct text *s)
{
	uint64_t value, codes = 0;

	if (!has_field(engine, "RING_BUFFER_HEAD", "WAIT_FOR_CONDITION_INDICATOR", &value))
		return false;
	engine_read(engine, "EXCC", &codes);
	return engine_says(s, "RING_BUFFER_HEAD 0x%llx: waits until a condition code is clear; "
			   "EXCC is 0x%llx", LL(value), LL(codes));
}

/*
 * A command at which an engine waits, without a register bit that would show it. The first field
 * of its header that is set says for which event.
 */
static bool waits_in_command(const struct hang_engine *engine, struct text *s)
{
	static const struct {
		const char *name, *only;	/* a field that must be set, or NULL */
		const char *what;
	} waits[] = {
		{ "MI_SEMAPHORE_WAIT", NULL, "for a semaphore" },
		{ "MI_SEMAPHORE_MBOX", "COMPARE_SEMAPHORE", "for a semaphore" },
		{ "MI_WAIT_FOR_EVENT", NULL, "for an event" },
		{ "MI_WAIT_FOR_EVENT_2", NULL, "for an event" },
	};
	const struct gsc_view *view = engine->hang->gpu->view;
	uint32_t header = (uint32_t)engine->e.ipehr;
	const struct known_command *known = NULL;
	const char *event = NULL;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item item;
	bool holds;
	size_t i = 0;

	if (engine->e.known & GSC_KNOWN_IPEHR)
		known = command_find(engine->hang->set, engine->class, header);
	while (known && i < ARRAY_SIZE(waits) && strcmp(known->name, waits[i].name))
		i++;
	if (!known || i == ARRAY_SIZE(waits))
		return false;
	holds = !waits[i].only;
	if (gsc_item_by_def(view->db, GSC_COMMAND, known->id, &item)) {
		gsc_item_fields(view->db, view, &item, &header, 1, &it);
		while (gsc_field_next(&it, &field)) {
			if (!field.name || field.dword || !field.value)
				continue;
			holds |= waits[i].only && !strcmp(field.name, waits[i].only);
			if (!waits[i].only && !event && strstr(field.name, "_WAIT"))
				event = field.name;
		}
	}
	return holds && engine_says(s, "IPEHR 0x%08llx is %s: waits %s%s%s", LL(engine->e.ipehr),
				    known->name, waits[i].what, event ? ": " : "",
				    event ? event : "");
}

static bool moves(const struct hang_engine *engine, struct text *s)
{
	return engine->motion == MOTION_MOVES &&
	       engine_says(s, "HEAD, ACTHD or INSTDONE changed within %u ms", engine->watched);
}

static bool stands(const struct hang_engine *engine, struct text *s)
{
	return engine->motion == MOTION_STANDS &&
	       engine_says(s, "HEAD, ACTHD and INSTDONE did not change in %u ms; a long draw or "
			   "kernel looks the same", engine->watched);
}

static bool other_blamed(const struct hang_engine *engine, struct text *s)
{
	return engine->hang->blamed && !engine->e.blamed && is_at_work(engine) &&
	       engine_says(s, "the dump blames another engine, not this one");
}

static bool cleared(const struct hang_engine *engine, struct text *s)
{
	return is_at_work(engine) && engine_cleared(engine) &&
	       engine_says(s, "the dump says \"%s.hung: 0\"", engine->e.name);
}

/* Drivers write a dump because something hangs, and a waiting engine waits for something else. */
static bool is_suspect(const struct hang_engine *engine)
{
	return engine->suspect && !engine->hang->blamed && engine_in_dump(engine->hang);
}

static bool only_one(const struct hang_engine *engine, struct text *s)
{
	return is_suspect(engine) && engine->hang->suspects == 1 &&
	       engine_says(s, "the driver wrote the dump for a hang, and this is the only engine "
			   "that has work%s",
			   engine->hang->waiting ? " and is not waiting" : "");
}

static bool only_fault(const struct hang_engine *engine, struct text *s)
{
	return is_suspect(engine) && engine->hang->faulted == 1 &&
	       hang_fault_of(engine->hang, engine->e.name) &&
	       engine_says(s, "the driver wrote the dump for a hang, and this is the only engine "
			   "with work that has a fault on record");
}

static bool one_of_many(const struct hang_engine *engine, struct text *s)
{
	return is_suspect(engine) && engine->hang->suspects > 1 &&
	       engine_says(s, "the driver wrote the dump for a hang; %u engines have work and do "
			   "not wait, and nothing shows which of them hung",
			   engine->hang->suspects);
}

static bool busy(const struct hang_engine *engine, struct text *s)
{
	char first[96];
	unsigned count = is_at_work(engine) ? engine_busy_count(engine, first, sizeof(first)) : 0;

	return count && !engine_in_dump(engine->hang) &&
	       engine_says(s, "%u unit%s busy, %s%s%s; one reading does not show whether the "
			   "engine makes progress", count, count > 1 ? "s are" : " is", first,
			   count > 1 ? " among them" : "",
			   engine_has_work(&engine->e) ? "" : ", although HEAD equals TAIL");
}

static bool work_left(const struct hang_engine *engine, struct text *s)
{
	const struct gsc_engine *e = &engine->e;
	char amount[32] = "";

	if (e->known & GSC_KNOWN_RING)
		string_set(amount, "%llu bytes of ", LL(e->used));
	return engine_has_work(e) &&
	       engine_says(s, "%scommands are left: HEAD is 0x%llx, TAIL 0x%llx%s", amount,
			   LL(e->head_offset), LL(e->tail_offset),
			   e->state == GSC_ENGINE_UNKNOWN && !engine_request(engine) ?
			   "; nothing shows whether the engine makes progress" : "");
}

static bool no_pointers(const struct hang_engine *engine, struct text *s)
{
	unsigned known = engine->e.known & (GSC_KNOWN_HEAD | GSC_KNOWN_TAIL);

	return known != (GSC_KNOWN_HEAD | GSC_KNOWN_TAIL) && engine->e.known &&
	       engine_says(s, "%s unknown, so commands may or may not be left",
			   known == GSC_KNOWN_HEAD ? "TAIL is" :
			   known == GSC_KNOWN_TAIL ? "HEAD is" : "HEAD and TAIL are");
}

/* When a rule is reported: if it decides; also beside one that has decided; never to decide. */
enum voice { DECIDES, BESIDE, ASIDE };

static const struct engine_rule {
	const char *name;
	enum gsc_engine_state state;
	enum voice voice;
	bool (*holds)(const struct hang_engine *engine, struct text *s);
	const char *reg, *field, *text;	/* if NULL: the field is not 0 */
} rules[] = {
	{ "moves", GSC_ENGINE_RUNNING, BESIDE, moves },
	{ "blamed", GSC_ENGINE_HUNG, BESIDE, blamed },
	{ "begun", GSC_ENGINE_UNKNOWN, BESIDE, only_request },
	{ "no-request", GSC_ENGINE_IDLE, BESIDE, no_request },
	{ "no-registers", GSC_ENGINE_UNKNOWN, BESIDE, no_registers },
	{ "ring-off", GSC_ENGINE_IDLE, BESIDE, ring_off },
	{ "fault", GSC_ENGINE_HUNG, BESIDE, faulted },
	{ "error", GSC_ENGINE_HUNG, BESIDE, in_error },
	{ "switching", GSC_ENGINE_RUNNING, BESIDE, switching },
	{ "ring-empty", GSC_ENGINE_IDLE, BESIDE, ring_empty },
	{ "no-list", GSC_ENGINE_IDLE, BESIDE, no_list },
	{ "parser-idle", GSC_ENGINE_IDLE, DECIDES, parser_idle },
	{ "semaphore", GSC_ENGINE_WAITING, BESIDE, NULL,
	  "RING_BUFFER_CONTROL", "SEMAPHORE_WAIT", "stopped at a semaphore" },
	{ "event", GSC_ENGINE_WAITING, BESIDE, NULL,
	  "RING_BUFFER_CONTROL", "RB_WAIT", "stopped in a wait for an event" },
	{ "condition-code", GSC_ENGINE_WAITING, BESIDE, waits_for_condition },
	{ "wait-command", GSC_ENGINE_WAITING, BESIDE, waits_in_command },
	{ "stopped-rings", GSC_ENGINE_WAITING, BESIDE, NULL,
	  "MI_MODE", "STOP_RINGS", "software has stopped the rings (STOP_RINGS)" },
	{ "stands-still", GSC_ENGINE_HUNG, BESIDE, stands },
	{ "other-blamed", GSC_ENGINE_UNKNOWN, DECIDES, other_blamed },
	{ "not-blamed", GSC_ENGINE_UNKNOWN, DECIDES, cleared },
	{ "only-one-at-work", GSC_ENGINE_HUNG, DECIDES, only_one },
	{ "only-fault", GSC_ENGINE_HUNG, DECIDES, only_fault },
	{ "one-of-many", GSC_ENGINE_UNKNOWN, DECIDES, one_of_many },
	{ "busy", GSC_ENGINE_UNKNOWN, DECIDES, busy },
	{ "work-left", GSC_ENGINE_UNKNOWN, BESIDE, work_left },
	{ "no-pointers", GSC_ENGINE_UNKNOWN, DECIDES, no_pointers },
	{ "begun", GSC_ENGINE_UNKNOWN, ASIDE, also_request },
	{ "reset", GSC_ENGINE_UNKNOWN, ASIDE, was_reset },
	{ "blamed-once", GSC_ENGINE_UNKNOWN, ASIDE, blamed_once },
	{ "perhaps-blamed", GSC_ENGINE_UNKNOWN, ASIDE, perhaps_blamed },
	{ "fault-alone", GSC_ENGINE_UNKNOWN, ASIDE, fault_aside },
};

static bool holds(const struct engine_rule *rule, const struct hang_engine *engine, struct text *s)
{
	uint64_t value;

	if (rule->holds)
		return rule->holds(engine, s);
	return has_field(engine, rule->reg, rule->field, &value) &&
	       engine_says(s, "%s 0x%llx: %s", rule->reg, LL(value), rule->text);
}

/* By a rule for that state. */
static bool is_in(const struct hang_engine *engine, enum gsc_engine_state state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].state == state && holds(&rules[i], engine, NULL))
			return true;
	return false;
}

void engines_count(struct gsc_hang *hang)
{
	for (size_t i = 0; i < hang->engines.count; i++) {
		struct hang_engine *engine = &hang->engines.items[i];
		bool waits = is_in(engine, GSC_ENGINE_WAITING);

		engine->suspect = !waits && !is_in(engine, GSC_ENGINE_IDLE) && is_at_work(engine) &&
				  !engine_cleared(engine);
		engine->e.blamed = engine_blamed(engine, NULL);
		engine->reset = engine_was_reset(engine);
		engine->other = engine->reset && engine_has_work(&engine->e);
		if (engine->reset)
			engine->e.known &= ~(unsigned)(GSC_KNOWN_RING | GSC_KNOWN_ACTHD_RING);
		hang->blamed += engine->e.blamed;
		hang->suspects += engine->suspect;
		hang->faulted += engine->suspect && hang_fault_of(hang, engine->e.name);
		hang->waiting += engine_has_work(&engine->e) && waits;
	}
}

bool engine_judge(struct hang_engine *engine)
{
	bool decided = false;
	char text[256];

	engine->e.state = GSC_ENGINE_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		enum voice voice = rules[i].voice;
		bool after = rules[i].holds == blamed || rules[i].holds == was_reset;
		struct text s = text_of(text);

		/* Its registers say nothing about the work that hung. */
		if (engine->reset && !after)
			continue;
		if ((decided && (voice == DECIDES ||
				 (voice == BESIDE && engine->e.state == GSC_ENGINE_IDLE))) ||
		    !holds(&rules[i], engine, &s))
			continue;
		if (!decided && voice != ASIDE) {
			engine->e.state = rules[i].state;
			decided = true;
		}
		if (!hang_detail(engine, GSC_DETAIL_EVIDENCE, rules[i].name, "%s", text))
			return false;
	}
	return true;
}
