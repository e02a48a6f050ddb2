/* SPDX-License-Identifier: MIT */
/*
 * What the driver lists in its dump. i915: "ELSP[0]: pid 12, seqno 8:00000012, prio 0, head
 * 00000000, tail 000000b8", lists under "rcs0 --- 2 requests" (i915_gpu_error.c,
 * error_print_request()), and up to Linux 5.2, under "Active [12]:" and "Pinned [3]:", address,
 * size, domains, seqnos and flags of an object (print_error_buffers()). xe: the context of the
 * queue and its jobs (xe_lrc.c, xe_lrc_snapshot_print(); xe_guc_submit.c,
 * xe_guc_exec_queue_snapshot_print()), and the ranges of the VM (xe_vm.c, xe_vm_snapshot_print(),
 * and before Linux 6.10 xe_analyze_vm()).
 */
#include "formats/dump.h"

#include <ctype.h>

/* "head 00000000", "seqno=-127": the number after the word, and what follows it. */
static const char *number_of(const char *text, const char *word, int base, uint64_t *value)
{
	size_t length = strlen(word);
	const char *at = text;
	char *end;

	while ((at = strstr(at, word)) && at != text && isalnum((unsigned char)at[-1]))
		at += length;
	if (!at)
		return NULL;
	at += length + strspn(at + length, " ");
	*value = base == 10 ? (uint64_t)strtoll(at, &end, 10) : strtoull(at, &end, base);
	return end != at ? end : NULL;
}

/* ---- requests of i915 ----------------------------------------------------------------------- */

static void take_request(struct gsc_request *r, const char *text)
{
	uint64_t value;
	const char *end = number_of(text, "seqno", 16, &value);

	if (end && *end == ':') {
		r->context = value;
		r->known |= GSC_REQUEST_CONTEXT;
		value = strtoull(end + 1, (char **)&end, 16);
	}
	if (end) {
		r->seqno = (uint32_t)value;
		r->known |= GSC_REQUEST_SEQNO;
	}
	/* DMA_FENCE_FLAG_SIGNALED_BIT */
	if (end && *end == '!')
		r->state = GSC_REQUEST_DONE;
	if (number_of(text, "pid", 10, &r->pid) && r->pid)
		r->known |= GSC_REQUEST_PID;
	if (number_of(text, "head", 16, &r->head))
		r->known |= GSC_REQUEST_HEAD;
	if (number_of(text, "tail", 16, &r->tail))
		r->known |= GSC_REQUEST_TAIL;
}

/* "rcs0.ELSP[0]"; "render ring --- 23 requests.seqno" */
static bool is_request(const struct driver_facts *facts, const struct gsc_property *p,
		       struct driver_request *request)
{
	const char *port = strstr(p->key, ".ELSP["), *dashes = strstr(p->key, " --- ");
	const char *row = dashes ? strstr(p->key, " requests.") : NULL;
	const struct driver_request *last = facts->requests.count ?
		&facts->requests.items[facts->requests.count - 1] : NULL;
	struct gsc_request *r = &request->r;
	char text[sizeof(p->key) + sizeof(p->value)], *ring;

	if (port && (size_t)(port - p->key) < sizeof(r->engine)) {
		snprintf(r->engine, sizeof(r->engine), "%.*s", (int)(port - p->key), p->key);
		snprintf(r->name, sizeof(r->name), "%.31s", port + 1);
		take_request(r, p->value);
		return true;
	}
	if (!row)
		return false;
	snprintf(r->engine, sizeof(r->engine), "%.*s", (int)(dashes - p->key), p->key);
	ring = strstr(r->engine, " ring");
	if (ring)
		*ring = 0;
	request->number = last && !strcmp(last->r.engine, r->engine) ? last->number + 1 : 1;
	snprintf(r->name, sizeof(r->name), "request %u", request->number);
	snprintf(text, sizeof(text), "%s %s", row + strlen(" requests."), p->value);
	take_request(r, text);
	return true;
}

/* ---- contexts and jobs of xe ---------------------------------------------------------------- */

/* A line about a context that has begun. */
static void take_context(struct driver_request *c, const char *key, const char *text)
{
	const unsigned ends = GSC_REQUEST_HEAD | GSC_REQUEST_TAIL;
	uint64_t value;
	uint32_t lead;
	bool none;

	if (!strcmp(key, "HW Ring address")) {
		c->ring = strtoull(text, NULL, 16) & ~UINT64_C(0xfff);
	} else if (!strcmp(key, "Schedule State")) {
		/* EXEC_QUEUE_STATE_RESET of xe_guc_submit.c */
		c->reset = strtoull(text, NULL, 16) >> 6 & 1;
	} else if (!number_of(text, "(memory)", 10, &value)) {
		return;
	} else if (!strcmp(key, "LRC Head")) {
		c->r.head = value;
		c->r.known |= GSC_REQUEST_HEAD;
	} else if (!strcmp(key, "LRC Tail")) {
		c->r.tail = value;
		c->r.known |= GSC_REQUEST_TAIL;
	} else if (!strcmp(key, "Start seqno")) {
		c->start = (uint32_t)value;
		c->has_start = true;
	} else if (!strcmp(key, "Seqno")) {
		c->r.seqno = (uint32_t)value;
		c->r.known |= GSC_REQUEST_SEQNO;
		/* A job writes it at its beginning and its end; one of both places is first 0. */
		lead = c->start - c->r.seqno;
		none = c->r.seqno == XE_SEQNO_NONE && !c->start;
		if (c->has_start && lead == 1 && !none)
			c->r.state = GSC_REQUEST_BEGUN;
		else if (c->has_start && (!lead || none) && (c->r.known & ends) == ends)
			c->r.state = c->r.head == c->r.tail ? GSC_REQUEST_DONE : GSC_REQUEST_WAITS;
	}
}

/* The lines of a queue: its number and class come before its context. */
static bool is_queue(struct driver_facts *facts, const struct gsc_property *p,
		     struct driver_request *request)
{
	struct driver_request *last = NULL;
	const char *key = p->key + strlen("context.");

	if (strncmp(p->key, "context.", strlen("context.")))
		return false;
	for (size_t i = facts->requests.count; i-- > 0 && !last;)
		if (facts->requests.items[i].kind == WORK_CONTEXT)
			last = &facts->requests.items[i];
	if (!strcmp(key, "GuC ID")) {
		facts->guc_id = (unsigned)strtoul(p->value, NULL, 10);
		facts->class = NULL;
	} else if (!strcmp(key, "Class")) {
		facts->class = engine_by_number(ENGINE_XE, strtoull(p->value, NULL, 10));
	} else if (!strcmp(key, "HW Context Desc")) {
		request->kind = WORK_CONTEXT;
		request->class = facts->class;
		request->guc_id = facts->guc_id;
		request->r.context = strtoull(p->value, NULL, 16);
		request->r.known = GSC_REQUEST_CONTEXT;
		snprintf(request->r.name, sizeof(request->r.name), "context %u", facts->guc_id);
		return true;
	} else if (!strcmp(key, "Job")) {
		uint64_t seqno, fence = 0, finished = 0;
		struct gsc_request *r = &request->r;

		/* "seqno=-127, fence=0, finished=0": of the context before it. */
		if (!last || !number_of(p->value, "seqno=", 10, &seqno))
			return false;
		request->kind = WORK_JOB;
		snprintf(r->name, sizeof(r->name), "job");
		r->seqno = (uint32_t)seqno;
		r->known = GSC_REQUEST_SEQNO;
		number_of(p->value, "fence=", 10, &fence);
		number_of(p->value, "finished=", 10, &finished);
		if (fence || finished)
			r->state = GSC_REQUEST_DONE;
		else if (last->has_start && last->r.state != GSC_REQUEST_UNKNOWN)
			r->state = last->r.state == GSC_REQUEST_BEGUN &&
				   (int32_t)(last->start - r->seqno) >= 0 ? GSC_REQUEST_BEGUN
								      : GSC_REQUEST_WAITS;
		return true;
	} else if (last) {
		take_context(last, key, p->value);
	}
	return false;
}

/* ---- objects of i915 ------------------------------------------------------------------------ */

/* After the seqnos of the last requests that read and wrote it, "[ 2d4b9 00 ] 2d4b9", "c9559 0". */
static void say_flags(struct text *s, const char *text)
{
	/* A flag that is not here is its own word: "dirty", "userptr", "(LLC)". */
	static const char *const flags[][2] = {
		{ "X", "X-tiled" }, { "Y", "Y-tiled" }, { "P", "pinned" }, { "p", "pinned" },
	};
	bool seqnos = true;
	struct slice rest = slice_string(text), word;

	while (word = take_word(&rest), word.at < word.end) {
		const char *words = NULL;

		if (*word.at == '(') {
			const char *close = slice_char((struct slice){ word.at, rest.end }, ')');

			word = (struct slice){ word.at + 1, close ? close : rest.end };
			rest.at = close ? close + 1 : rest.end;
			seqnos = false;
		}
		if (seqnos && (*word.at == '[' || *word.at == ']')) {
			rest.at = word.at + 1;
			continue;
		}
		seqnos = seqnos && strspn(word.at, "0123456789abcdef") >= slice_length(word);
		if (seqnos)
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
			if (slice_is(word, flags[i][0]))
				words = flags[i][1];
		if (words)
			text_add(s, ", %s", words);
		else
			text_add(s, ", %.*s", SLICE(word));
	}
}

/* "Active [12].00000000_02540000": "4096 0050 0000 000c9559 dirty" */
static bool is_object(const struct gsc_property *p, struct gsc_object *object)
{
	/* I915_GEM_DOMAIN_... of i915_drm.h */
	static const char *const domains[] = {
		"CPU", "render", "sampler", "command", "instruction", "vertex", "GTT", "WC",
	};
	const char *dot = strrchr(p->key, '.');
	bool active = !strncmp(p->key, "Active", 6);
	struct text s = text_of(object->text);
	uint64_t read, write;
	struct slice place;
	char *end;

	if ((!active && strncmp(p->key, "Pinned", 6)) || !dot)
		return false;
	place = slice_string(dot + 1);
	object->size = strtoull(p->value, &end, 10);
	if (!take_hex(&place, &object->start) || place.at < place.end || end == p->value ||
	    *end != ' ')
		return false;
	read = strtoull(end, &end, 16);
	write = strtoull(end, &end, 16);
	snprintf(object->list, sizeof(object->list), "%.*s", (int)(dot - p->key), p->key);
	text_add(&s, "%s object of 0x%llx bytes at 0x%llx", active ? "an active" : "a pinned",
		 LL(object->size), LL(object->start));
	text_put_bits(&s, ", read by ", read, domains, ARRAY_SIZE(domains));
	text_put_bits(&s, ", written by ", write, domains, ARRAY_SIZE(domains));
	say_flags(&s, end);
	return true;
}

/* ---- ranges of xe --------------------------------------------------------------------------- */

/* "vm.[10000000].length" makes a range, "vm.[10000000].properties" and others add to it. */
static bool is_range(const struct driver_facts *facts, const struct gsc_property *p,
		     struct gsc_object *object)
{
	struct gsc_object *last = facts->objects.count ?
		&facts->objects.items[facts->objects.count - 1] : NULL;
	char *end;

	if (strncmp(p->key, "vm.[", 4))
		return false;
	object->start = strtoull(p->key + 4, &end, 16);
	if (strncmp(end, "].", 2))
		return false;
	if (strcmp(end, "].length")) {
		if (last && last->start == object->start)
			string_add(last->text, ", %s%.160s",
				   strcmp(end, "].error") ? "" : "not copied: error ", p->value);
		return false;
	}
	object->size = strtoull(p->value, NULL, 16);
	snprintf(object->list, sizeof(object->list), "vm");
	string_add(object->text, "a VM range of 0x%llx bytes at 0x%llx", LL(object->size),
		   LL(object->start));
	return true;
}

/* ---- in the memory of a machine ------------------------------------------------------------ */

const struct driver_space *driver_space(const struct gsc_source *source, size_t i)
{
	for (size_t part = 0; part < source->parts.count; part++) {
		const struct dump *dump = source->parts.items[part].dump;

		if (dump && i < dump->spaces.count)
			return &dump->spaces.items[i];
		i -= dump ? dump->spaces.count : 0;
	}
	return NULL;
}

const struct driver_ring *driver_ring(const struct gsc_source *source, const char *engine)
{
	for (size_t part = 0; part < source->parts.count; part++) {
		const struct dump *dump = source->parts.items[part].dump;

		for (size_t i = 0; dump && i < dump->rings.count; i++)
			if (!strcmp(dump->rings.items[i].engine, engine))
				return &dump->rings.items[i];
	}
	return NULL;
}

bool driver_work(struct driver_facts *facts, const struct gsc_property *p)
{
	struct driver_request request = { .kind = WORK_REQUEST };
	struct gsc_object object = { .size = 0 };

	if (is_request(facts, p, &request) || is_queue(facts, p, &request))
		return vec_push(&facts->requests, request);
	return !(is_range(facts, p, &object) || is_object(p, &object)) ||
	       vec_push(&facts->objects, object);
}

bool driver_may_have_engine(const struct gsc_source *source, const char *engine)
{
	bool listed = false;

	for (size_t part = 0; part < source->parts.count; part++) {
		const struct dump *dump = source->parts.items[part].dump;

		if (!dump || !*dump->engine_names)
			continue;
		if (list_has(dump->engine_names, engine))
			return true;
		listed = true;
	}
	return !listed;
}
