/* SPDX-License-Identifier: MIT */
/*
 * Whether an engine is idle, runs, waits or hangs: by named rules, in order. The first rule that
 * holds decides; later ones that hold are also reported, if they matter to it.
 */
#include "hang/engine.h"

#include "batch/batch.h"
#include "regs/regs.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

/* ---- helpers -------------------------------------------------------------------------------- */

#define LL(v) ((unsigned long long)(v))

static bool has_field(const struct engine_look *look, const char *name, const char *field,
		      uint64_t *value)
{
	struct gsc_reg reg;
	uint64_t bits;

	return engine_field(look->hang, look->engine, name, field, &reg, value, &bits) && bits;
}

/* The ring is empty, but its last commands are still being executed; not every unit has a bit. */
static bool is_unfinished(const struct engine_look *look)
{
	uint64_t value, idle, done;
	struct gsc_reg reg;

	return engine_is_drained(look->e) &&
	       engine_field(look->hang, look->engine, "MI_MODE", "RINGS_IDLE", &reg, &value,
			    &idle) && !idle &&
	       hang_read(look->hang, look->e->name, "INSTDONE", -1, NULL, &done) && done &&
	       engine_busy_count(look->hang, look->engine, NULL, 0);
}

static bool is_at_work(const struct engine_look *look)
{
	return engine_has_work(look->e) || is_unfinished(look);
}

static const char *work_word(const struct engine_look *look)
{
	return engine_has_work(look->e) ? "the engine has work" : "its units are busy";
}

/* ---- faults and errors ---------------------------------------------------------------------- */

/* The one that stops it comes before others. */
static const struct gsc_fault *find_fault(const struct engine_look *look)
{
	const struct gsc_fault *first = NULL;

	for (size_t i = 0; i < look->hang->faults.count; i++) {
		const struct gsc_fault *f = &look->hang->faults.items[i];

		if (!f->valid || !f->reg.name || strcmp(f->engine, look->e->name))
			continue;
		if (!first || (!hang_fault_stops(look->hang, first) &&
			       hang_fault_stops(look->hang, f)))
			first = f;
	}
	return first;
}

bool engine_faulted(const struct engine_look *look)
{
	return find_fault(look);
}

static bool faulted(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_fault *f = find_fault(look);

	if (!f || !hang_fault_stops(look->hang, f) ||
	    (!is_at_work(look) && !hang_fault_logged(f)) ||
	    (!engine_has_work(look->e) && look->blamed && !look->e->blamed))
		return false;
	snprintf(text, size, "%s 0x%llx shows a fault of this engine, and %s", f->reg.name,
		 LL(f->value), is_at_work(look) ? work_word(look) : "it waits for the page");
	return true;
}

/* What proves nothing, and why. */
static bool fault_aside(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_fault *f = find_fault(look);
	bool stops = f && hang_fault_stops(look->hang, f);
	char held[256];

	if (!f || faulted(look, held, sizeof(held)) ||
	    (engine_is_drained(look->e) && !is_at_work(look)))
		return false;
	snprintf(text, size, "%s 0x%llx shows a fault of this engine%s", f->reg.name, LL(f->value),
		 !stops ? ", which continues after a fault: a fault alone does not stop it" :
		 is_at_work(look) ? "" : "; whether it has work is unknown");
	return true;
}

/* Up to Gen5 one register has the errors of all clients: PGTBL_ER. */
static bool page_table_stops(const struct engine_look *look)
{
	const struct gsc_hang *hang = look->hang;

	if (platform_has(&hang->gpu->platform, PROPERTY_FAULTS_RECORDED))
		return true;
	for (size_t i = 0; i < hang->errors.count; i++)
		if (!strcmp(hang->errors.items[i].reg.name, "PGTBL_ER") &&
		    hang_error_of_engines(&hang->errors.items[i]))
			return true;
	return false;
}

/* A command that lacks a privilege is skipped: it stops nothing (snb-p3 1.1.7.3.1). */
static bool in_error(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_hang *hang = look->hang;

	for (size_t i = 0; i < hang->errors.count && is_at_work(look); i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (!t->reg.engine || strcmp(t->reg.engine, look->e->name) ||
		    strcmp(t->reg.name, "EIR") ||
		    (strcmp(t->name, "INSTRUCTION_ERROR") &&
		     (strcmp(t->name, "PAGE_TABLE_ERROR") || !page_table_stops(look))))
			continue;
		snprintf(text, size, "EIR 0x%llx shows %s, and %s", LL(t->value), t->name,
			 work_word(look));
		return true;
	}
	return false;
}

/* ---- what the source says by itself --------------------------------------------------------- */

static bool is_list_active(const struct engine_look *look, uint64_t *status)
{
	return has_field(look, "EXECLIST_STATUS_LO", "EXECLIST_0_ACTIVE", status) ||
	       has_field(look, "EXECLIST_STATUS_LO", "EXECLIST_1_ACTIVE", status);
}

/* That may have ended before the registers were read. */
static bool is_over(const struct engine_look *look)
{
	const struct driver_request *queue = engine_unfinished(look->hang, look->e);
	uint64_t value;

	return engine_is_drained(look->e) && !look->engine->reset &&
	       (!queue || queue->r.state != GSC_REQUEST_BEGUN) &&
	       !is_list_active(look, &value) &&
	       /* The source says which units are done, or that parser and ring arbiter are. */
	       (hang_read(look->hang, look->e->name, "INSTDONE", -1, NULL, &value) ||
		has_field(look, "MI_MODE", "RINGS_IDLE", &value)) &&
	       !engine_busy_count(look->hang, look->engine, NULL, 0);
}

static bool blamed(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!look->e->blamed || is_over(look))
		return false;
	/* Registers that read as 0 or as all ones contradict the dump; missing ones do not. */
	if (!look->e->known &&
	    hang_read(look->hang, look->e->name, "RING_BUFFER_CONTROL", -1, NULL, &value))
		return false;
	return engine_blamed(look->hang, look->engine, text, size);
}

static bool was_reset(const struct engine_look *look, char *text, size_t size)
{
	if (!look->engine->reset)
		return false;
	if (!look->e->start && !look->e->head) {
		snprintf(text, size, "HEAD, TAIL, START and CONTROL of its ring are 0: the "
			 "registers were read after the engine was reset, and no longer show where "
			 "it was");
		return true;
	}
	snprintf(text, size, "%s; the registers %s, and do not show where it was",
		 engine_ring_of_queue(look->hang, look->e) == RING_OTHER
			 ? "the job of the queue did not finish, but RING_START is not its ring"
			 : "the job of the queue did not finish, but HEAD equals TAIL",
		 engine_why_reset(look->engine));
	return true;
}

static bool blamed_once(const struct engine_look *look, char *text, size_t size)
{
	if (!look->e->blamed || !is_over(look) ||
	    !engine_blamed(look->hang, look->engine, text, size))
		return false;
	string_addf(text, size, ", but nothing is left to do");
	return true;
}

static bool perhaps_blamed(const struct engine_look *look, char *text, size_t size)
{
	return !look->e->blamed && is_at_work(look) &&
	       engine_perhaps_blamed(look->hang, look->engine, text, size);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static bool no_registers(const struct engine_look *look, char *text, size_t size)
{
	enum gsc_read read = GSC_READ_ABSENT;
	struct gsc_reg reg;
	uint64_t value = 0;

	if (look->e->known)
		return false;
	if (gpu_find(look->hang->gpu, look->e->name, "RING_BUFFER_HEAD", -1, &reg))
		read = gpu_read(look->hang->gpu, &reg, &value);
	if (read == GSC_READ_ASLEEP)
		snprintf(text, size, "registers are asleep: forcewake domain %s is not held",
			 reg.wake ? reg.wake : "of the engine");
	else if (read == GSC_READ_ABSENT && engine_in_trace(look->hang))
		snprintf(text, size, "a trace has what was submitted, not what an engine did");
	else if (read == GSC_READ_ABSENT)
		snprintf(text, size, "the source has no register of the engine's state");
	else if (read == GSC_READ_OK && !value)
		snprintf(text, size, "the ring registers, ACTHD and INSTDONE all read 0, as when "
				     "an engine sleeps or does not exist");
	else if (read == GSC_READ_OK)
		snprintf(text, size, "registers read as all ones: nothing answers there");
	else
		snprintf(text, size, "registers cannot be read: %s", gsc_read_word(read));
	return true;
}

static bool ring_off(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!(look->e->known & GSC_KNOWN_CONTROL) || look->engine->reset ||
	    has_field(look, "RING_BUFFER_CONTROL", "RING_BUFFER_ENABLE", &value))
		return false;
	snprintf(text, size, "RING_BUFFER_CONTROL 0x%llx: the ring is not enabled",
		 LL(look->e->control));
	return true;
}

/* The pointers may be equal while the streamer switches from one context to the next. */
static bool switching(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!engine_is_drained(look->e) || !is_list_active(look, &value))
		return false;
	snprintf(text, size, "EXECLIST_STATUS_LO 0x%llx: an execlist is active, although HEAD and "
		 "TAIL of the last loaded ring are equal", LL(value));
	return true;
}

static bool ring_empty(const struct engine_look *look, char *text, size_t size)
{
	if (!engine_is_drained(look->e) || look->engine->reset || is_unfinished(look))
		return false;
	snprintf(text, size, "HEAD and TAIL are both 0x%llx: no command is left",
		 LL(look->e->head_offset));
	return true;
}

/* i915 gt/intel_execlists_submission.c submits by lists alone once this mode is on. */
static bool no_list(const struct engine_look *look, char *text, size_t size)
{
	static const char *const lists[] = { "EXECLIST_0_ACTIVE", "EXECLIST_1_ACTIVE",
					     "EXECLIST_0_VALID", "EXECLIST_1_VALID" };
	uint64_t value, mode, bits;
	struct gsc_reg reg;

	if (!has_field(look, "GFX_MODE", "RUN_LIST_ENABLE", &mode))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (!engine_field(look->hang, look->engine, "EXECLIST_STATUS_LO", lists[i], &reg,
				  &value, &bits) || bits)
			return false;
	snprintf(text, size, "EXECLIST_STATUS_LO 0x%llx: no list is valid; the ring registers are "
		 "those of the context that ran last", LL(value));
	return true;
}

static bool parser_idle(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (engine_has_work(look->e) || !has_field(look, "MI_MODE", "RINGS_IDLE", &value))
		return false;
	snprintf(text, size, "MI_MODE 0x%llx: parser and ring arbiter are idle", LL(value));
	return true;
}

static bool waits_for_condition(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value, codes = 0;

	if (!has_field(look, "RING_BUFFER_HEAD", "WAIT_FOR_CONDITION_INDICATOR", &value))
		return false;
	hang_read(look->hang, look->e->name, "EXCC", -1, NULL, &codes);
	snprintf(text, size, "RING_BUFFER_HEAD 0x%llx: waits until a condition code is clear; EXCC "
		 "is 0x%llx", LL(value), LL(codes));
	return true;
}

/* Commands at which an engine waits, without a register bit that would show it. */
static const struct {
	const char *name, *only;	/* a field that must be set, or NULL */
	const char *what;
} waits[] = {
	{ "MI_SEMAPHORE_WAIT", NULL, "for a semaphore" },
	{ "MI_SEMAPHORE_MBOX", "COMPARE_SEMAPHORE", "for a semaphore" },
	{ "MI_WAIT_FOR_EVENT", NULL, "for an event" },
	{ "MI_WAIT_FOR_EVENT_2", NULL, "for an event" },
};

/* The first field of that command that is set says which event; it must be one of `only`. */
static bool header_set(const struct engine_look *look, const struct known_command *known,
		       const char *only, char *events, size_t size)
{
	uint32_t header = (uint32_t)look->e->ipehr;
	const struct gsc_view *view = look->hang->gpu->view;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item item;
	bool found = !only;

	*events = 0;
	if (!gsc_item_by_def(view->db, GSC_COMMAND, known->id, &item))
		return found;
	gsc_item_fields(view->db, view, &item, &header, 1, &it);
	while (gsc_field_next(&it, &field)) {
		if (!field.name || field.dword || !field.value)
			continue;
		if (only)
			found |= !strcmp(field.name, only);
		else if (!*events && strstr(field.name, "_WAIT"))
			snprintf(events, size, ": %s", field.name);
	}
	return found;
}

static bool waits_in_command(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_engine *e = look->e;
	const struct known_command *known;
	char events[80];

	if (!(e->known & GSC_KNOWN_IPEHR))
		return false;
	known = command_find(look->hang->set, look->engine->class, (uint32_t)e->ipehr);
	for (size_t i = 0; known && i < ARRAY_SIZE(waits); i++) {
		if (strcmp(known->name, waits[i].name) ||
		    !header_set(look, known, waits[i].only, events, sizeof(events)))
			continue;
		snprintf(text, size, "IPEHR 0x%08llx is %s: waits %s%s", LL(e->ipehr),
			 known->name, waits[i].what, events);
		return true;
	}
	return false;
}

static bool moves(const struct engine_look *look, char *text, size_t size)
{
	if (look->engine->motion != MOTION_MOVES)
		return false;
	snprintf(text, size, "HEAD, ACTHD or INSTDONE changed within %u ms",
		 look->engine->watched);
	return true;
}

static bool stands(const struct engine_look *look, char *text, size_t size)
{
	if (look->engine->motion != MOTION_STANDS)
		return false;
	snprintf(text, size, "HEAD, ACTHD and INSTDONE did not change in %u ms; a long draw or "
		 "kernel looks the same", look->engine->watched);
	return true;
}

static bool other_blamed(const struct engine_look *look, char *text, size_t size)
{
	if (!look->blamed || look->e->blamed || !is_at_work(look))
		return false;
	snprintf(text, size, "the dump blames another engine, not this one");
	return true;
}

static bool cleared(const struct engine_look *look, char *text, size_t size)
{
	if (!is_at_work(look) || !engine_cleared(look->hang, look->engine))
		return false;
	snprintf(text, size, "the dump says \"%s.hung: 0\"", look->e->name);
	return true;
}

/* Drivers write a dump because something hangs, and a waiting engine waits for something else. */
static bool is_suspect(const struct engine_look *look)
{
	return look->suspect && !look->blamed && engine_in_dump(look->hang);
}

static bool only_one(const struct engine_look *look, char *text, size_t size)
{
	if (!is_suspect(look) || look->suspects != 1)
		return false;
	snprintf(text, size, "the driver wrote the dump for a hang, and this is the only engine "
			     "that has work%s",
		 look->waiting ? " and is not waiting" : "");
	return true;
}

static bool only_fault(const struct engine_look *look, char *text, size_t size)
{
	if (!is_suspect(look) || look->faulted != 1 || !find_fault(look))
		return false;
	snprintf(text, size, "the driver wrote the dump for a hang, and this is the only engine "
		 "with work that has a fault on record");
	return true;
}

static bool one_of_many(const struct engine_look *look, char *text, size_t size)
{
	if (!is_suspect(look) || look->suspects < 2)
		return false;
	snprintf(text, size, "the driver wrote the dump for a hang; %u engines have work and do "
		 "not wait, and nothing shows which of them hung", look->suspects);
	return true;
}

static bool busy(const struct engine_look *look, char *text, size_t size)
{
	char first[96];
	unsigned count = is_at_work(look)
				 ? engine_busy_count(look->hang, look->engine, first, sizeof(first))
				 : 0;

	if (!count || engine_in_dump(look->hang))
		return false;
	snprintf(text, size, "%u unit%s busy, %s%s%s; one reading does not show whether the engine "
			     "makes progress",
		 count, count > 1 ? "s are" : " is", first, count > 1 ? " among them" : "",
		 engine_has_work(look->e) ? "" : ", although HEAD equals TAIL");
	return true;
}

static bool work_left(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_engine *e = look->e;
	char amount[32] = "";

	if (!engine_has_work(e))
		return false;
	if (e->known & GSC_KNOWN_RING)
		snprintf(amount, sizeof(amount), "%llu bytes of ", LL(e->used));
	snprintf(text, size, "%scommands are left: HEAD is 0x%llx, TAIL 0x%llx%s", amount,
		 LL(e->head_offset), LL(e->tail_offset),
		 e->state == GSC_ENGINE_UNKNOWN
			 ? "; nothing shows whether the engine makes progress" : "");
	return true;
}

static bool no_pointers(const struct engine_look *look, char *text, size_t size)
{
	unsigned both = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL;

	if ((look->e->known & both) == both || !look->e->known)
		return false;
	snprintf(text, size, "%s unknown, so commands may or may not be left",
		 look->e->known & GSC_KNOWN_HEAD ? "TAIL is" :
		 look->e->known & GSC_KNOWN_TAIL ? "HEAD is" : "HEAD and TAIL are");
	return true;
}

/* When a rule is reported: if it decides; also beside one that has decided; never to decide. */
enum voice { DECIDES, BESIDE, ASIDE };

static const struct engine_rule {
	const char *name;
	enum gsc_engine_state state;
	enum voice voice;
	bool (*holds)(const struct engine_look *look, char *text, size_t size);
	const char *reg, *field, *text;	/* if NULL: the field is not 0 */
} rules[] = {
	{ "moves", GSC_ENGINE_RUNNING, BESIDE, moves },
	{ "blamed", GSC_ENGINE_HUNG, BESIDE, blamed },
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
	{ "reset", GSC_ENGINE_UNKNOWN, ASIDE, was_reset },
	{ "blamed-once", GSC_ENGINE_UNKNOWN, ASIDE, blamed_once },
	{ "perhaps-blamed", GSC_ENGINE_UNKNOWN, ASIDE, perhaps_blamed },
	{ "fault-alone", GSC_ENGINE_UNKNOWN, ASIDE, fault_aside },
};

static bool holds(const struct engine_rule *rule, const struct engine_look *look, char text[256])
{
	uint64_t value;

	if (rule->holds)
		return rule->holds(look, text, 256);
	if (!has_field(look, rule->reg, rule->field, &value))
		return false;
	snprintf(text, 256, "%s 0x%llx: %s", rule->reg, LL(value), rule->text);
	return true;
}

bool engine_waits(const struct engine_look *look)
{
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].state == GSC_ENGINE_WAITING && holds(&rules[i], look, text))
			return true;
	return false;
}

bool engine_suspect(const struct engine_look *look)
{
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if ((rules[i].state == GSC_ENGINE_IDLE || rules[i].state == GSC_ENGINE_WAITING) &&
		    holds(&rules[i], look, text))
			return false;
	return is_at_work(look) && !engine_cleared(look->hang, look->engine);
}

bool engine_judge(struct hang_engine *engine, const struct engine_look *look)
{
	bool decided = false;
	char text[256];

	engine->e.state = GSC_ENGINE_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		enum voice voice = rules[i].voice;
		bool after = rules[i].holds == blamed || rules[i].holds == was_reset;

		/* Its registers say nothing about the work that hung. */
		if (engine->reset && !after)
			continue;
		if ((decided && (voice == DECIDES ||
				 (voice == BESIDE && engine->e.state == GSC_ENGINE_IDLE))) ||
		    !holds(&rules[i], look, text))
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
