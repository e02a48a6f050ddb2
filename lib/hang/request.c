/* SPDX-License-Identifier: MIT */
/*
 * What the driver had given to the engines, as its dump lists it. i915: "ELSP[0]: pid 12, seqno
 * 8:00000012, prio 0, head 00000000, tail 000000b8", lists under "rcs0 --- 2 requests", and in
 * brackets after HEAD and TAIL the request that hangs (i915_gpu_error.c, error_print_request(),
 * error_print_engine()). xe: the context of the queue and its jobs (xe_lrc.c,
 * xe_lrc_snapshot_print(); xe_guc_submit.c, xe_guc_exec_queue_snapshot_print()).
 */
#include "hang/engine.h"

#include "db/engine.h"
#include "regs/regs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LL(v) ((unsigned long long)(v))
#define BLAMED_REQUEST "blamed request"	/* if no list has it */

struct listing {
	struct gsc_hang *hang;
	unsigned guc_id;
	const char *class;		/* of xe's context; NULL: unknown */
	bool no_memory;
};

/* ---- numbers in a text ---------------------------------------------------------------------- */

/* "head 00000000", "seqno=-127": what follows the word; NULL: the word is missing. */
static const char *behind(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += length)
		if (at == text || !isalnum((unsigned char)at[-1]))
			return at + length + strspn(at + length, " ");
	return NULL;
}

static bool number_of(const char *text, const char *word, int base, uint64_t *value)
{
	const char *at = behind(text, word);
	char *end;

	if (!at)
		return false;
	*value = base == 10 ? (uint64_t)strtoll(at, &end, 10) : strtoull(at, &end, base);
	return end != at;
}

/* ---- the list ------------------------------------------------------------------------------- */

static struct hang_request *add(struct listing *l, const char *engine, const char *name)
{
	struct hang_request *added = vec_add(&l->hang->requests);

	l->no_memory |= !added;
	if (!added)
		return NULL;
	*added = (struct hang_request){ .is_context = false };
	snprintf(added->r.engine, sizeof(added->r.engine), "%s", engine);
	snprintf(added->r.name, sizeof(added->r.name), "%s", name);
	return added;
}

static void take_seqno(struct gsc_request *r, const char *text)
{
	const char *at = behind(text, "seqno");
	uint64_t value;
	char *end;

	if (!at)
		return;
	value = strtoull(at, &end, 16);
	if (end == at)
		return;
	if (*end == ':') {
		r->context = value;
		r->known |= GSC_REQUEST_CONTEXT;
		value = strtoull(end + 1, &end, 16);
	}
	r->seqno = (uint32_t)value;
	r->known |= GSC_REQUEST_SEQNO;
	/* DMA_FENCE_FLAG_SIGNALED_BIT */
	if (*end == '!')
		r->state = GSC_REQUEST_DONE;
}

static void take_request(struct gsc_request *r, const char *text)
{
	take_seqno(r, text);
	if (number_of(text, "pid", 10, &r->pid) && r->pid)
		r->known |= GSC_REQUEST_PID;
	if (number_of(text, "head", 16, &r->head))
		r->known |= GSC_REQUEST_HEAD;
	if (number_of(text, "tail", 16, &r->tail))
		r->known |= GSC_REQUEST_TAIL;
}

/* "rcs0.ELSP[0]" */
static bool take_port(struct listing *l, const struct gsc_property *p)
{
	const char *dot = strstr(p->key, ".ELSP[");
	struct hang_request *added;
	char engine[16];

	if (!dot || (size_t)(dot - p->key) >= sizeof(engine))
		return false;
	snprintf(engine, sizeof(engine), "%.*s", (int)(dot - p->key), p->key);
	added = add(l, engine, dot + 1);
	if (added)
		take_request(&added->r, p->value);
	return true;
}

/* From "render ring --- 23 requests.seqno" */
static const char *engine_of(const struct gsc_hang *hang, const char *words)
{
	const char *end = strstr(words, " --- ");
	char word[32];

	snprintf(word, sizeof(word), "%.*s", (int)(end - words), words);
	if (strstr(word, " ring"))
		*strstr(word, " ring") = 0;
	for (size_t i = 0; i < hang->engines.count; i++)
		if (engine_meant(word, hang->engines.items[i].e.name))
			return hang->engines.items[i].e.name;
	return "";
}

static bool take_row(struct listing *l, const struct gsc_property *p)
{
	const char *key = strstr(p->key, " requests.");
	char name[32], text[sizeof(p->key) + sizeof(p->value)];
	const struct hang_request *last = l->hang->requests.count
		? &l->hang->requests.items[l->hang->requests.count - 1] : NULL;
	struct hang_request *added;
	const char *engine;
	unsigned number = 1;

	if (!key || !strstr(p->key, " --- "))
		return false;
	engine = engine_of(l->hang, p->key);
	if (last && !strcmp(last->r.engine, engine))
		number = last->number + 1;
	snprintf(name, sizeof(name), "request %u", number);
	added = add(l, engine, name);
	if (!added)
		return true;
	added->number = number;
	snprintf(text, sizeof(text), "%s %s", key + strlen(" requests."), p->value);
	take_request(&added->r, text);
	return true;
}

/* ---- xe ------------------------------------------------------------------------------------- */

/* The engine that the dump blames, or the only one of the class. */
static const char *engine_of_class(const struct gsc_hang *hang, const char *class)
{
	const char *only = "";
	size_t count = 0;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct gsc_engine *e = &hang->engines.items[i].e;

		if (class && engine_class_of(e->name) != engine_class_of(class))
			continue;
		if (engine_blamed(hang, &hang->engines.items[i], NULL, 0))
			return e->name;
		only = count++ ? "" : e->name;
	}
	return only;
}

static struct hang_request *last_context(const struct listing *l)
{
	for (size_t i = l->hang->requests.count; i-- > 0;)
		if (l->hang->requests.items[i].is_context)
			return &l->hang->requests.items[i];
	return NULL;
}

static void begin_context(struct listing *l, const char *value)
{
	struct hang_request *added;
	char name[32];

	snprintf(name, sizeof(name), "context %u", l->guc_id);
	added = add(l, engine_of_class(l->hang, l->class), name);
	if (!added)
		return;
	added->is_context = true;
	added->class = l->class;
	added->r.context = strtoull(value, NULL, 16);
	added->r.known = GSC_REQUEST_CONTEXT;
}

static void take_job(struct listing *l, const char *value)
{
	const struct hang_request *context = last_context(l);
	uint64_t seqno, fence = 0, finished = 0;
	struct hang_request *added;
	struct hang_request of;

	if (!context || !number_of(value, "seqno=", 10, &seqno))
		return;
	of = *context;
	added = add(l, of.r.engine, "job");
	if (!added)
		return;
	added->r.seqno = (uint32_t)seqno;
	added->r.known = GSC_REQUEST_SEQNO;
	number_of(value, "fence=", 10, &fence);
	number_of(value, "finished=", 10, &finished);
	if (fence || finished)
		added->r.state = GSC_REQUEST_DONE;
	else if (of.has_start && of.r.state != GSC_REQUEST_UNKNOWN)
		added->r.state = of.r.state == GSC_REQUEST_BEGUN &&
				 (int32_t)(of.start - added->r.seqno) >= 0 ? GSC_REQUEST_BEGUN
								: GSC_REQUEST_WAITS;
}

/*
 * A job writes its seqno where it begins and where it ends. Seqnos of a new context begin with
 * -127, before which one place has -128 and the other 0 (xe_hw_fence.h, XE_FENCE_INITIAL_SEQNO).
 */
#define XE_SEQNO_NONE ((uint32_t)-128)

static void judge_context(struct hang_request *c)
{
	const unsigned ends = GSC_REQUEST_HEAD | GSC_REQUEST_TAIL;
	uint32_t lead = c->start - c->r.seqno;
	bool none = c->r.seqno == XE_SEQNO_NONE && !c->start;

	if (!c->has_start || !(c->r.known & GSC_REQUEST_SEQNO))
		return;
	if (lead == 1 && !none)
		c->r.state = GSC_REQUEST_BEGUN;
	else if ((!lead || none) && (c->r.known & ends) == ends)
		c->r.state = c->r.head == c->r.tail ? GSC_REQUEST_DONE : GSC_REQUEST_WAITS;
}

static bool take_context(struct listing *l, const struct gsc_property *p)
{
	struct hang_request *c = last_context(l);
	const char *key = p->key + strlen("context.");
	uint64_t value = 0;

	if (strncmp(p->key, "context.", strlen("context.")))
		return false;
	if (!strcmp(key, "GuC ID")) {
		l->guc_id = (unsigned)strtoul(p->value, NULL, 10);
		l->class = NULL;
	} else if (!strcmp(key, "Class")) {
		l->class = engine_by_number(ENGINE_XE, strtoull(p->value, NULL, 10));
	} else if (!strcmp(key, "HW Context Desc")) {
		begin_context(l, p->value);
	} else if (!strcmp(key, "Job")) {
		take_job(l, p->value);
	} else if (c && !strcmp(key, "HW Ring address")) {
		c->ring = strtoull(p->value, NULL, 16) & ~UINT64_C(0xfff);
	} else if (c && !strcmp(key, "Schedule State")) {
		/* EXEC_QUEUE_STATE_RESET of xe_guc_submit.c */
		c->reset = strtoull(p->value, NULL, 16) >> 6 & 1;
	} else if (!c || !number_of(p->value, "(memory)", 10, &value)) {
		return true;
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
		judge_context(c);
	}
	return true;
}

static void say_context(struct hang_request *c)
{
	static const char *const verdicts[] = {
		[GSC_REQUEST_UNKNOWN] = "whether a job is in progress is unknown",
		[GSC_REQUEST_WAITS] = "the last submission never began",
		[GSC_REQUEST_BEGUN] = "a job began but did not finish",
		[GSC_REQUEST_DONE] = "all its jobs are done",
	};
	struct gsc_request *r = &c->r;
	char seqno[96] = "", done[16] = "none";

	if (r->seqno != XE_SEQNO_NONE)
		snprintf(done, sizeof(done), "%d", (int)r->seqno);
	if (r->known & GSC_REQUEST_SEQNO && c->has_start && !c->start &&
	    r->seqno == XE_SEQNO_NONE)
		snprintf(seqno, sizeof(seqno), ", no job has begun");
	else if (r->known & GSC_REQUEST_SEQNO && c->has_start)
		snprintf(seqno, sizeof(seqno), ", last job to begin %d (the first is -127), last "
			 "to finish %s", (int)c->start, done);
	snprintf(r->text, sizeof(r->text), "%s%s%s%s: LRC head 0x%llx, tail 0x%llx%s: %s", r->name,
		 c->class ? " (" : "", c->class ? c->class : "", c->class ? ")" : "", LL(r->head),
		 LL(r->tail), seqno, verdicts[r->state]);
}

const struct hang_request *engine_unfinished(const struct gsc_hang *hang,
					     const struct gsc_engine *e)
{
	for (size_t i = 0; i < hang->requests.count; i++) {
		const struct hang_request *h = &hang->requests.items[i];

		if (h->is_context && !strcmp(h->r.engine, e->name) &&
		    (h->r.state == GSC_REQUEST_BEGUN || h->r.state == GSC_REQUEST_WAITS))
			return h;
	}
	return NULL;
}

enum engine_ring engine_ring_of_queue(const struct gsc_hang *hang, const struct gsc_engine *e)
{
	enum engine_ring found = RING_UNTOLD;

	for (size_t i = 0; i < hang->requests.count && e->known & GSC_KNOWN_START; i++) {
		const struct hang_request *h = &hang->requests.items[i];

		if (!h->is_context || !h->ring || strcmp(h->r.engine, e->name))
			continue;
		if (h->ring == (e->start & ~UINT64_C(0xfff)))
			return RING_OWN;
		found = RING_OTHER;
	}
	return found;
}

bool engine_left_job(const struct gsc_hang *hang, const struct gsc_engine *e)
{
	const struct hang_request *queue = engine_unfinished(hang, e);
	enum engine_ring ring = engine_ring_of_queue(hang, e);

	if (!queue || ring == RING_OTHER)
		return queue;
	/* At the end of the queue's ring, without a reset, its last commands may be what hangs. */
	return queue->r.state == GSC_REQUEST_BEGUN && engine_is_drained(e) &&
	       (ring != RING_OWN || queue->reset || e->tail_offset != queue->r.tail);
}

const char *engine_why_reset(const struct hang_engine *engine)
{
	return engine->other ? "are those of another queue" : "were read after the reset";
}

/* ---- where HEAD is -------------------------------------------------------------------------- */

/* The distance from one place in the ring to another, in its direction. */
static uint64_t ahead(const struct gsc_engine *e, uint64_t from, uint64_t to)
{
	uint64_t size = e->ring_bytes;

	return size ? (to % size + size - from % size) % size : to - from;
}

/* Property "ENGINE.request head" and "request tail": in brackets after HEAD and TAIL. */
static bool hung_request(const struct gsc_hang *hang, const struct gsc_engine *e,
			 struct gsc_request *r)
{
	char key[40], text[64], *end;

	snprintf(key, sizeof(key), "%s.request head", e->name);
	if (!hang_property(hang, key, text, sizeof(text)))
		return false;
	r->head = strtoull(text, NULL, 16);
	snprintf(key, sizeof(key), "%s.request tail", e->name);
	if (!hang_property(hang, key, text, sizeof(text)))
		return false;
	r->post = strtoull(text, &end, 16);
	if (*end != ',')
		return false;
	r->tail = strtoull(end + 1 + strspn(end + 1, " "), NULL, 16);
	r->known = GSC_REQUEST_HEAD | GSC_REQUEST_POST | GSC_REQUEST_TAIL;
	return r->tail;
}

static bool holds_head(const struct gsc_engine *e, const struct gsc_request *r)
{
	const unsigned ends = GSC_REQUEST_HEAD | GSC_REQUEST_TAIL;

	return (r->known & ends) == ends && e->known & GSC_KNOWN_HEAD &&
	       ahead(e, r->head, e->head_offset) < ahead(e, r->head, r->tail);
}

/* Before, in or after the batch of the request where HEAD is. */
static const char *part_of(const struct hang_engine *engine, const struct gsc_request *r)
{
	const struct gsc_engine *e = &engine->e;
	uint64_t at = ahead(e, r->head, e->head_offset);

	if (e->stopped ? e->run.kind != GSC_RUN_RING
		       : e->known & GSC_KNOWN_ACTHD && !(e->known & GSC_KNOWN_ACTHD_RING))
		return ", in its batch";
	if (r->known & GSC_REQUEST_POST && at >= ahead(e, r->head, r->post))
		return ", after its batch, where it reports that it is done";
	if (engine->ring_seen && engine->has_start &&
	    ahead(e, r->head, engine->start_at) < at)
		return ", after its batch";
	if (engine->ring_seen)
		return ", before its batch";
	return r->known & GSC_REQUEST_POST ? ", before it reports that it is done" : "";
}

static void say_request(const struct hang_engine *engine, struct gsc_request *r)
{
	char seqno[64] = "", pid[32] = "", place[48] = "";

	if (r->known & GSC_REQUEST_CONTEXT && r->known & GSC_REQUEST_SEQNO)
		snprintf(seqno, sizeof(seqno), ", seqno %llx:%llx", LL(r->context),
			 LL(r->seqno));
	else if (r->known & GSC_REQUEST_SEQNO)
		snprintf(seqno, sizeof(seqno), ", seqno 0x%llx", LL(r->seqno));
	if (r->known & GSC_REQUEST_PID)
		snprintf(pid, sizeof(pid), ", pid %llu", LL(r->pid));
	if (r->known & GSC_REQUEST_HEAD)
		snprintf(place, sizeof(place), ", 0x%llx to 0x%llx", LL(r->head), LL(r->tail));
	else if (r->known & GSC_REQUEST_TAIL)
		snprintf(place, sizeof(place), ", up to 0x%llx", LL(r->tail));
	snprintf(r->text, sizeof(r->text), "%s%s%s%s%s", r->name, seqno, pid, place,
		 r->current ? part_of(engine, r) : "");
}

/* Old lists: by the seqno that the engine has reported last, or else by the position of HEAD. */
static void judge_old(const struct gsc_hang *hang, const struct gsc_engine *e,
		      struct hang_request **rows, size_t count)
{
	uint64_t least = UINT64_MAX;
	uint32_t seqno = 0;
	char key[32], text[40];
	size_t current = count;
	bool reported;

	snprintf(key, sizeof(key), "%s.seqno", e->name);
	reported = hang_property(hang, key, text, sizeof(text));
	if (reported)
		seqno = (uint32_t)strtoull(text, NULL, 16);
	for (size_t i = 0; i < count; i++) {
		const struct gsc_request *r = &rows[i]->r;
		uint64_t left = ahead(e, e->head_offset, r->tail);

		if (reported ? current == count && (int32_t)(r->seqno - seqno) > 0
			     : e->known & GSC_KNOWN_HEAD && left && left < least) {
			current = i;
			least = left;
		}
	}
	for (size_t i = 0; i < count && (reported || current < count); i++)
		rows[i]->r.state = i < current ? GSC_REQUEST_DONE :
				   i > current ? GSC_REQUEST_WAITS : GSC_REQUEST_BEGUN;
	if (current < count)
		rows[current]->r.current = true;
}

static void judge_new(const struct gsc_engine *e, const struct gsc_request *hung,
		      struct hang_request **rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct gsc_request *r = &rows[i]->r;

		if (r->state == GSC_REQUEST_DONE || !holds_head(e, r) ||
		    (hung->known && (r->tail != hung->tail)))
			continue;
		r->current = true;
		r->state = e->head_offset == r->head ? GSC_REQUEST_WAITS : GSC_REQUEST_BEGUN;
		if (hung->known) {
			r->post = hung->post;
			r->known |= GSC_REQUEST_POST;
		}
		return;
	}
}

/* The request that the driver blames, if no list has it. */
static void add_hung(struct listing *l, const struct gsc_engine *e, const struct gsc_request *hung)
{
	struct hang_request *added = add(l, e->name, BLAMED_REQUEST);

	if (!added)
		return;
	added->r.known = hung->known;
	added->r.head = hung->head;
	added->r.post = hung->post;
	added->r.tail = hung->tail;
	added->r.current = holds_head(e, &added->r);
	if (added->r.current)
		added->r.state = e->head_offset == hung->head ? GSC_REQUEST_WAITS
							      : GSC_REQUEST_BEGUN;
}

static bool is_hung(const struct hang_request *h, const char *engine, uint64_t tail)
{
	return !h->is_context && !strcmp(h->r.engine, engine) && h->r.tail == tail &&
	       h->r.known & GSC_REQUEST_TAIL;
}

static void judge_engine(struct listing *l, const struct hang_engine *engine)
{
	struct hang_request **rows;
	struct gsc_request hung = { .known = 0 };
	bool listed = false, heads = false;
	size_t count = 0;

	if (hung_request(l->hang, &engine->e, &hung)) {
		for (size_t i = 0; i < l->hang->requests.count; i++)
			listed |= is_hung(&l->hang->requests.items[i], engine->e.name, hung.tail);
		if (!listed)
			add_hung(l, &engine->e, &hung);
	}
	rows = calloc(l->hang->requests.count + 1, sizeof(struct hang_request *));
	l->no_memory |= !rows;
	for (size_t i = 0; rows && i < l->hang->requests.count; i++) {
		struct hang_request *h = &l->hang->requests.items[i];

		if (h->is_context || strcmp(h->r.engine, engine->e.name) || !h->r.tail)
			continue;
		heads |= (h->r.known & GSC_REQUEST_HEAD) != 0;
		rows[count++] = h;
	}
	if (rows && heads)
		judge_new(&engine->e, &hung, rows, count);
	else if (rows)
		judge_old(l->hang, &engine->e, rows, count);
	for (size_t i = 0; rows && i < count; i++)
		say_request(engine, &rows[i]->r);
	free(rows);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* What is reported for an engine: the request that it is in, and how many wait. */
static bool tell_engine(struct gsc_hang *hang, struct hang_engine *engine)
{
	const struct gsc_request *current = NULL, *blamed = NULL;
	size_t waiting = 0;
	char more[48] = "";

	for (size_t i = 0; i < hang->requests.count; i++) {
		const struct hang_request *h = &hang->requests.items[i];

		if (strcmp(h->r.engine, engine->e.name))
			continue;
		if (h->is_context && !hang_detail(engine, GSC_DETAIL_EVIDENCE, "job", "%s",
						  h->r.text))
			return false;
		waiting += !h->is_context && h->r.state == GSC_REQUEST_WAITS && !h->r.current;
		if (h->r.current)
			current = &h->r;
		if (!strcmp(h->r.name, BLAMED_REQUEST))
			blamed = &h->r;
	}
	if (waiting)
		snprintf(more, sizeof(more), "; %zu more never began", waiting);
	if (!current && blamed && engine->e.known & GSC_KNOWN_HEAD)
		return hang_detail(engine, GSC_DETAIL_WITNESS, "request", "HEAD is not in the "
				   "request that the driver blames, 0x%llx to 0x%llx",
				   LL(blamed->head), LL(blamed->tail));
	return !current || hang_detail(engine, GSC_DETAIL_WITNESS, "request", "%s%s",
				       current->text, more);
}

/* Before the engines are judged: whether a job is done says more than registers after a reset. */
enum gsc_status hang_requests(struct gsc_hang *hang, struct gsc_error *err)
{
	struct listing l = { .hang = hang, .class = NULL };
	struct gsc_property p;

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++)
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &p); i++)
			(void)(take_port(&l, &p) || take_row(&l, &p) || take_context(&l, &p));
	return l.no_memory ? err_memory(err) : GSC_OK;
}

enum gsc_status hang_places(struct gsc_hang *hang, struct gsc_error *err)
{
	struct listing l = { .hang = hang, .class = NULL };

	for (size_t i = 0; i < hang->engines.count; i++)
		judge_engine(&l, &hang->engines.items[i]);
	for (size_t i = 0; i < hang->requests.count; i++)
		if (hang->requests.items[i].is_context)
			say_context(&hang->requests.items[i]);
	for (size_t i = 0; i < hang->engines.count && !l.no_memory; i++)
		l.no_memory = !tell_engine(hang, &hang->engines.items[i]);
	return l.no_memory ? err_memory(err) : GSC_OK;
}

bool gsc_hang_request(const struct gsc_hang *hang, size_t i, struct gsc_request *request)
{
	if (i >= hang->requests.count)
		return false;
	*request = hang->requests.items[i].r;
	return true;
}

const char *gsc_request_state_word(enum gsc_request_state state)
{
	static const char *const words[] = {
		[GSC_REQUEST_UNKNOWN] = "unknown", [GSC_REQUEST_WAITS] = "never began",
		[GSC_REQUEST_BEGUN] = "began, not done", [GSC_REQUEST_DONE] = "done",
	};

	return (unsigned)state < ARRAY_SIZE(words) ? words[state] : NULL;
}
