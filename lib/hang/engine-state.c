/* SPDX-License-Identifier: MIT */
/*
 * Whether an engine is idle, runs, waits or hangs: by named rules, in order. The first that holds
 * decides; those after it that hold as well are told, too, as far as they bear on it.
 */
#include "hang/engine.h"

#include "batch/batch.h"
#include "regs/regs.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- what the source says by itself --------------------------------------------------------- */

/* As the readers of dumps call themselves. */
static const char *const dump_kinds[] = { "i915 error state", "Xe devcoredump" };

bool engine_in_dump(const struct gsc_hang *hang)
{
	for (size_t part = 0; part < gsc_source_count(hang->source); part++)
		for (size_t i = 0; i < ARRAY_SIZE(dump_kinds); i++)
			if (!strcmp(gsc_source_kind(hang->source, part), dump_kinds[i]))
				return true;
	return false;
}

/* "ecode 12:1:85dffffb, in chrome [123]"; "ecode 9:0:0x85dffffb, hang on rcs0, action: reset" */
static bool named_by_headline(const struct hang_engine *engine, const char *headline)
{
	const char *on = strstr(headline, " on ");
	char word[32];
	size_t length = 0;

	if (!on)
		return false;
	on += 4;
	while (isalnum((unsigned char)on[length]) && length < sizeof(word) - 1)
		length++;
	memcpy(word, on, length);
	word[length] = 0;
	return length && engine_meant(word, engine->e.name);
}

/* "hung: 1", "hangcheck: hung [20]", "hangcheck action: dead" in the block of an engine. */
static bool named_in_block(const char *key, const char *value)
{
	if (!name_compare(key, "hung"))
		return *value == '1' || !name_compare_n(value, "yes", 3);
	return !name_compare_n(key, "hangcheck", 9) &&
	       (!strncmp(value, "hung", 4) || !strncmp(value, "dead", 4));
}

static bool blamed_by_property(const struct hang_engine *engine, const struct gsc_property *p)
{
	size_t length = strlen(engine->e.name);

	if (!strcmp(p->key, "GPU HANG"))
		return named_by_headline(engine, p->value);
	return !strncmp(p->key, engine->e.name, length) && p->key[length] == '.' &&
	       named_in_block(p->key + length + 1, p->value);
}

bool engine_blamed(const struct gsc_hang *hang, const struct hang_engine *engine, char *text,
		   size_t size)
{
	struct gsc_buffer_origin b;
	struct gsc_property p;

	for (size_t part = 0; part < gsc_source_count(hang->source); part++) {
		for (size_t i = 0; gsc_capture_property(hang->source, part, i, &p); i++) {
			if (!blamed_by_property(engine, &p))
				continue;
			if (text)
				snprintf(text, size, "the dump says \"%s: %.160s\"", p.key,
					 p.value);
			return true;
		}
		for (size_t i = 0; gsc_source_buffer(hang->source, part, i, &b); i++) {
			if (!(b.flags & GSC_BUFFER_HUNG) || strcmp(b.engine, engine->e.name))
				continue;
			if (text)
				snprintf(text, size, "the dump was written because of work of %s",
					 engine->e.name);
			return true;
		}
	}
	return false;
}

/* ---- helpers -------------------------------------------------------------------------------- */

#define LL(v) ((unsigned long long)(v))

static bool has_field(const struct engine_look *look, const char *name, const char *field,
		      uint64_t *value)
{
	struct gsc_reg reg;
	uint64_t bits;

	return engine_field(look->hang, look->engine, name, field, &reg, value, &bits) && bits;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static bool blamed(const struct engine_look *look, char *text, size_t size)
{
	return look->e->blamed && engine_blamed(look->hang, look->engine, text, size);
}

static bool no_registers(const struct engine_look *look, char *text, size_t size)
{
	enum gsc_read read = GSC_READ_ABSENT;
	struct gsc_reg reg;
	uint64_t value;

	if (look->e->known)
		return false;
	if (view_find(look->hang->view, look->e->name, "RING_BUFFER_HEAD", -1, &reg))
		read = gsc_read_gated(look->hang->source, reg.wake, reg.space, reg.offset, 4,
				      &value);
	if (read == GSC_READ_ASLEEP)
		snprintf(text, size, "its registers are asleep: forcewake domain %s is not held",
			 reg.wake ? reg.wake : "of the engine");
	else if (read == GSC_READ_ABSENT)
		snprintf(text, size, "the source has none of its registers");
	else
		snprintf(text, size, "its registers cannot be read: %s", gsc_read_word(read));
	return true;
}

static bool faulted(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_hang *hang = look->hang;

	for (size_t i = 0; i < hang->faults.count && !engine_is_drained(look->e); i++) {
		const struct gsc_fault *f = &hang->faults.items[i];

		if (!f->valid || strcmp(f->engine, look->e->name))
			continue;
		snprintf(text, size, "%s 0x%llx has a fault of this engine, and it has work",
			 f->reg.name ? f->reg.name : "a register", LL(f->value));
		return true;
	}
	return false;
}

/* A command that lacks a privilege is passed over: it stops nothing (snb-p3 1.1.7.3.1). */
static bool in_error(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_hang *hang = look->hang;

	for (size_t i = 0; i < hang->errors.count && !engine_is_drained(look->e); i++) {
		const struct gsc_trouble *t = &hang->errors.items[i];

		if (!t->reg.engine || strcmp(t->reg.engine, look->e->name) ||
		    strcmp(t->reg.name, "EIR") || strstr(t->name, "PRIVILEGE"))
			continue;
		snprintf(text, size, "EIR 0x%llx shows %s, and the engine has work", LL(t->value),
			 t->name);
		return true;
	}
	return false;
}

static bool ring_off(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!(look->e->known & GSC_ENGINE_CONTROL) ||
	    has_field(look, "RING_BUFFER_CONTROL", "RING_BUFFER_ENABLE", &value))
		return false;
	snprintf(text, size, "RING_BUFFER_CONTROL 0x%llx: the ring is not enabled",
		 LL(look->e->control));
	return true;
}

/* The pointers may meet while the streamer goes from one context to the next. */
static bool switching(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!engine_is_drained(look->e) ||
	    (!has_field(look, "EXECLIST_STATUS_LO", "EXECLIST_0_ACTIVE", &value) &&
	     !has_field(look, "EXECLIST_STATUS_LO", "EXECLIST_1_ACTIVE", &value)))
		return false;
	snprintf(text, size, "EXECLIST_STATUS_LO 0x%llx: a list is active, though HEAD and TAIL of "
		 "the ring loaded last meet", LL(value));
	return true;
}

static bool ring_empty(const struct engine_look *look, char *text, size_t size)
{
	if (!engine_is_drained(look->e))
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

static bool waits_at_semaphore(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!has_field(look, "RING_BUFFER_CONTROL", "SEMAPHORE_WAIT", &value))
		return false;
	snprintf(text, size, "RING_BUFFER_CONTROL 0x%llx: stopped at a semaphore", LL(value));
	return true;
}

static bool waits_for_event(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!has_field(look, "RING_BUFFER_CONTROL", "RB_WAIT", &value))
		return false;
	snprintf(text, size, "RING_BUFFER_CONTROL 0x%llx: stopped in a wait for an event",
		 LL(value));
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

/* Commands at which an engine waits, without a bit of a register that would say so. */
static const struct {
	const char *name, *only;	/* a field that has to be set, or NULL */
	const char *what;
} waits[] = {
	{ "MI_SEMAPHORE_WAIT", NULL, "for a semaphore" },
	{ "MI_SEMAPHORE_MBOX", "COMPARE_SEMAPHORE", "for a semaphore" },
	{ "MI_WAIT_FOR_EVENT", NULL, "for an event" },
	{ "MI_WAIT_FOR_EVENT_2", NULL, "for an event" },
};

/* The first field of that command that is set says which event; `only` has to be among them. */
static bool header_set(const struct engine_look *look, const struct known_command *known,
		       const char *only, char *events, size_t size)
{
	uint32_t header = (uint32_t)look->e->ipehr;
	const struct gsc_view *view = look->hang->view;
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

	if (!(e->known & GSC_ENGINE_IPEHR))
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

static bool stopped(const struct engine_look *look, char *text, size_t size)
{
	uint64_t value;

	if (!has_field(look, "MI_MODE", "STOP_RINGS", &value))
		return false;
	snprintf(text, size, "MI_MODE 0x%llx: software has stopped the rings (STOP_RINGS)",
		 LL(value));
	return true;
}

static bool moves(const struct engine_look *look, char *text, size_t size)
{
	if (look->motion != MOTION_MOVES)
		return false;
	snprintf(text, size, "HEAD, ACTHD or INSTDONE changed within %u ms", look->watched);
	return true;
}

static bool stands(const struct engine_look *look, char *text, size_t size)
{
	if (look->motion != MOTION_STANDS)
		return false;
	snprintf(text, size, "HEAD, ACTHD and INSTDONE did not change in %u ms; a long draw or "
		 "kernel looks the same", look->watched);
	return true;
}

static bool other_blamed(const struct engine_look *look, char *text, size_t size)
{
	if (!look->blamed || look->e->blamed || !engine_has_work(look->e))
		return false;
	snprintf(text, size, "the dump blames another engine, not this one");
	return true;
}

/* Drivers write a dump because something hangs: only one can be it. */
static bool only_one(const struct engine_look *look, char *text, size_t size)
{
	if (look->blamed || look->working != 1 || !engine_has_work(look->e) ||
	    !engine_in_dump(look->hang))
		return false;
	snprintf(text, size, "the driver wrote the dump for a hang, and no other engine has work");
	return true;
}

static bool busy(const struct engine_look *look, char *text, size_t size)
{
	char first[96];
	unsigned count = engine_has_work(look->e)
				 ? engine_busy_count(look->hang, look->engine, first, sizeof(first))
				 : 0;

	if (!count)
		return false;
	snprintf(text, size, "%u unit%s busy, %s%s; one reading does not tell whether it moves",
		 count, count > 1 ? "s are" : " is", first, count > 1 ? " among them" : "");
	return true;
}

static bool work_left(const struct engine_look *look, char *text, size_t size)
{
	const struct gsc_engine *e = look->e;
	char amount[32] = "";

	if (!engine_has_work(e))
		return false;
	if (e->known & GSC_ENGINE_RING)
		snprintf(amount, sizeof(amount), "%llu bytes of ", LL(e->used));
	snprintf(text, size, "%scommands are left: HEAD is 0x%llx, TAIL 0x%llx%s", amount,
		 LL(e->head_offset), LL(e->tail_offset),
		 e->state == GSC_ENGINE_UNKNOWN ? "; nothing tells whether it moves" : "");
	return true;
}

static bool no_pointers(const struct engine_look *look, char *text, size_t size)
{
	unsigned both = GSC_ENGINE_HEAD | GSC_ENGINE_TAIL;

	if ((look->e->known & both) == both || !look->e->known)
		return false;
	snprintf(text, size, "%s not known, so whether commands are left is not either",
		 look->e->known & GSC_ENGINE_HEAD ? "TAIL is" :
		 look->e->known & GSC_ENGINE_TAIL ? "HEAD is" : "HEAD and TAIL are");
	return true;
}

/* `beside`: also told where another rule has decided; the others only where they decide. */
static const struct {
	const char *name;
	enum gsc_engine_state state;
	bool beside;
	bool (*holds)(const struct engine_look *look, char *text, size_t size);
} rules[] = {
	{ "blamed", GSC_ENGINE_HUNG, true, blamed },
	{ "no-registers", GSC_ENGINE_UNKNOWN, true, no_registers },
	{ "fault", GSC_ENGINE_HUNG, true, faulted },
	{ "error", GSC_ENGINE_HUNG, true, in_error },
	{ "ring-off", GSC_ENGINE_IDLE, true, ring_off },
	{ "switching", GSC_ENGINE_RUNNING, true, switching },
	{ "ring-empty", GSC_ENGINE_IDLE, true, ring_empty },
	{ "no-list", GSC_ENGINE_IDLE, true, no_list },
	{ "parser-idle", GSC_ENGINE_IDLE, false, parser_idle },
	{ "semaphore", GSC_ENGINE_WAITING, true, waits_at_semaphore },
	{ "event", GSC_ENGINE_WAITING, true, waits_for_event },
	{ "condition-code", GSC_ENGINE_WAITING, true, waits_for_condition },
	{ "wait-command", GSC_ENGINE_WAITING, true, waits_in_command },
	{ "stopped-rings", GSC_ENGINE_WAITING, true, stopped },
	{ "moves", GSC_ENGINE_RUNNING, true, moves },
	{ "stands-still", GSC_ENGINE_HUNG, true, stands },
	{ "other-blamed", GSC_ENGINE_RUNNING, false, other_blamed },
	{ "only-one-at-work", GSC_ENGINE_HUNG, false, only_one },
	{ "busy", GSC_ENGINE_RUNNING, false, busy },
	{ "work-left", GSC_ENGINE_UNKNOWN, true, work_left },
	{ "no-pointers", GSC_ENGINE_UNKNOWN, false, no_pointers },
};

bool engine_judge(struct hang_engine *engine, const struct engine_look *look)
{
	bool decided = false;
	char text[256];

	engine->e.state = GSC_ENGINE_UNKNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if ((decided && (!rules[i].beside || engine->e.state == GSC_ENGINE_IDLE)) ||
		    !rules[i].holds(look, text, sizeof(text)))
			continue;
		if (!decided)
			engine->e.state = rules[i].state;
		decided = true;
		if (!hang_detail(engine, GSC_DETAIL_EVIDENCE, rules[i].name, "%s", text))
			return false;
	}
	return true;
}
