/* SPDX-License-Identifier: MIT */
/*
 * What the driver had given to the engines, as its dump lists it (formats/work.c): which request an
 * engine is in, which jobs of a queue are done, and which object or range holds an address.
 */
#include "hang/engine.h"

#include "db/engine.h"
#include "db/resolve.h"
#include "util/text.h"

#define BLAMED_REQUEST "blamed request"	/* if no list has it */

/* ---- whose they are ------------------------------------------------------------------------- */

/*
 * Before the engines are judged: whether a job is done says more than registers after a reset. A
 * queue of xe is of the engine that the dump blames, or of the only one of its class.
 */
enum gsc_status hang_requests(struct gsc_hang *hang, struct gsc_error *err)
{
	const char *queue = "";

	(void)err;
	for (size_t i = 0; i < hang->facts.requests.count; i++) {
		struct driver_request *h = &hang->facts.requests.items[i];
		const char *word = "";
		size_t count = 0;
		bool blamed = false;

		queue = h->kind == WORK_CONTEXT ? "" : queue;
		for (size_t n = 0; n < hang->engines.count; n++) {
			const struct hang_engine *engine = &hang->engines.items[n];
			const char *name = engine->e.name;

			/* "render" is an engine of the platform. */
			if (!*word && engine_meant(h->r.engine, name))
				word = name;
			if (h->kind != WORK_CONTEXT || blamed ||
			    (h->class && engine_class_of(name) != engine_class_of(h->class)))
				continue;
			blamed = engine_blamed(engine, NULL);
			queue = blamed || !count++ ? name : "";
		}
		if (h->kind != WORK_REQUEST)
			string_set(h->r.engine, "%s", queue);
		else if (h->number)
			string_set(h->r.engine, "%s", word);
	}
	return GSC_OK;
}

/* ---- queues of xe --------------------------------------------------------------------------- */

static void say_context(struct driver_request *c)
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
		string_set(done, "%d", (int)r->seqno);
	if (r->known & GSC_REQUEST_SEQNO && c->has_start && !c->start && r->seqno == XE_SEQNO_NONE)
		string_set(seqno, ", no job has begun");
	else if (r->known & GSC_REQUEST_SEQNO && c->has_start)
		string_set(seqno, ", last job to begin %d (the first is -127), last "
			 "to finish %s", (int)c->start, done);
	string_set(r->text, "%s%s%s%s: LRC head 0x%llx, tail 0x%llx%s: %s", r->name,
		 c->class ? " (" : "", c->class ? c->class : "", c->class ? ")" : "", LL(r->head),
		 LL(r->tail), seqno, verdicts[r->state]);
}

const struct driver_request *engine_context(const struct hang_engine *engine)
{
	for (size_t i = 0; i < engine->hang->facts.requests.count; i++) {
		const struct driver_request *h = &engine->hang->facts.requests.items[i];

		if (h->kind == WORK_CONTEXT && !strcmp(h->r.engine, engine->e.name))
			return h;
	}
	return NULL;
}

const struct driver_request *engine_unfinished(const struct hang_engine *engine)
{
	for (size_t i = 0; i < engine->hang->facts.requests.count; i++) {
		const struct driver_request *h = &engine->hang->facts.requests.items[i];

		if (h->kind == WORK_CONTEXT && !strcmp(h->r.engine, engine->e.name) &&
		    (h->r.state == GSC_REQUEST_BEGUN || h->r.state == GSC_REQUEST_WAITS))
			return h;
	}
	return NULL;
}

/* By the structs of the driver: an engine that others of its class may stand for has no request. */
static bool may_run(const struct hang_engine *engine, const struct driver_request *h)
{
	return !*h->r.engine || !strcmp(h->r.engine, engine->e.name) ||
	       (h->class && engine_class_of(h->class) == engine_class_of(engine->e.name));
}

const struct driver_request *engine_request(const struct hang_engine *engine)
{
	for (size_t i = 0; i < engine->hang->facts.requests.count; i++) {
		const struct driver_request *h = &engine->hang->facts.requests.items[i];

		if (h->in_memory && h->r.current && !strcmp(h->r.engine, engine->e.name))
			return h;
	}
	return NULL;
}

bool engine_has_no_request(const struct hang_engine *engine)
{
	const struct driver_facts *facts = &engine->hang->facts;

	for (size_t i = 0; i < facts->requests.count; i++) {
		const struct driver_request *h = &facts->requests.items[i];

		if (h->in_memory && h->r.state != GSC_REQUEST_DONE && may_run(engine, h))
			return false;
	}
	return facts->in_memory && !facts->torn;
}

enum engine_ring engine_ring_of_queue(const struct hang_engine *engine)
{
	const struct gsc_engine *e = &engine->e;
	enum engine_ring found = RING_UNTOLD;

	for (size_t i = 0; i < engine->hang->facts.requests.count && e->known & GSC_KNOWN_START;
	     i++) {
		const struct driver_request *h = &engine->hang->facts.requests.items[i];

		if (h->kind != WORK_CONTEXT || !h->ring || strcmp(h->r.engine, e->name))
			continue;
		if (h->ring == (e->start & ~UINT64_C(0xfff)))
			return RING_OWN;
		found = RING_OTHER;
	}
	return found;
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

	if (!(e->known & GSC_KNOWN_HEAD) && !e->stopped)
		return "";
	if (e->stopped ? e->run.kind != GSC_RUN_RING
		       : e->known & GSC_KNOWN_ACTHD && !(e->known & GSC_KNOWN_ACTHD_RING))
		return ", in its batch";
	if (r->known & GSC_REQUEST_POST && at >= ahead(e, r->head, r->post))
		return ", after its batch, where it reports that it is done";
	if (engine->ring_seen && engine->has_start && ahead(e, r->head, engine->start_at) < at)
		return ", after its batch";
	if (engine->ring_seen)
		return ", before its batch";
	return r->known & GSC_REQUEST_POST ? ", before it reports that it is done" : "";
}

const char *request_age(const struct driver_request *request, char *text)
{
	unsigned long long tenths = (request->milliseconds + 50ull) / 100;

	*text = '\0';
	if (request->milliseconds)
		snprintf(text, REQUEST_AGE, ", submitted %llu.%llu s before the dump", tenths / 10,
			 tenths % 10);
	return text;
}

static void say_request(const struct hang_engine *engine, struct driver_request *h)
{
	char seqno[64] = "", pid[64] = "", place[48] = "", age[REQUEST_AGE];
	struct gsc_request *r = &h->r;

	if (r->known & GSC_REQUEST_CONTEXT && r->known & GSC_REQUEST_SEQNO)
		string_set(seqno, ", seqno %llx:%llx", LL(r->context), LL(r->seqno));
	else if (r->known & GSC_REQUEST_SEQNO)
		string_set(seqno, ", seqno 0x%llx", LL(r->seqno));
	if (r->known & GSC_REQUEST_PID)
		string_set(pid, ", pid %llu", LL(r->pid));
	if (*h->process)
		string_set(pid, ", of %s [%llu]", h->process, LL(r->pid));
	if (r->known & GSC_REQUEST_HEAD)
		string_set(place, ", 0x%llx to 0x%llx", LL(r->head), LL(r->tail));
	else if (r->known & GSC_REQUEST_TAIL)
		string_set(place, ", up to 0x%llx", LL(r->tail));
	/* Those in memory have no names but their seqnos. */
	string_set(r->text, "%s%s%s%s%s%s", h->in_memory ? "" : r->name,
		   seqno + (h->in_memory && *seqno ? 2 : 0), pid, place, request_age(h, age),
		   r->current ? part_of(engine, r) : "");
}

/* The rows of i915's lists for an engine, from number *i on; NULL: no more. */
static struct driver_request *next_row(struct gsc_hang *hang, const struct hang_engine *engine,
				       size_t *i)
{
	while (*i < hang->facts.requests.count) {
		struct driver_request *h = &hang->facts.requests.items[(*i)++];

		if (h->kind != WORK_CONTEXT && h->r.tail && !strcmp(h->r.engine, engine->e.name))
			return h;
	}
	return NULL;
}

/* Old lists: by the seqno that the engine has reported last, or else by the position of HEAD. */
static void judge_old(struct gsc_hang *hang, const struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct gsc_engine *e = &engine->e;
	struct driver_request *row, *current = NULL;
	enum gsc_request_state state = GSC_REQUEST_DONE;
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; (row = next_row(hang, engine, &i));) {
		uint64_t left = ahead(e, e->head_offset, row->r.tail);

		if (own->has_seqno ? !current && (int32_t)(row->r.seqno - own->seqno) > 0
				   : e->known & GSC_KNOWN_HEAD && left && left < least) {
			current = row;
			least = left;
		}
	}
	if (!own->has_seqno && !current)
		return;
	for (size_t i = 0; (row = next_row(hang, engine, &i));) {
		row->r.state = row == current ? GSC_REQUEST_BEGUN : state;
		if (row == current)
			state = GSC_REQUEST_WAITS;
	}
	if (current)
		current->r.current = true;
}

static void judge_new(struct gsc_hang *hang, const struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct gsc_engine *e = &engine->e;
	struct driver_request *row;

	for (size_t i = 0; (row = next_row(hang, engine, &i));) {
		struct gsc_request *r = &row->r;

		if (r->state == GSC_REQUEST_DONE || !holds_head(e, r) ||
		    (own->has_request && r->tail != own->tail))
			continue;
		r->current = true;
		r->state = e->head_offset == r->head ? GSC_REQUEST_WAITS : GSC_REQUEST_BEGUN;
		if (own->has_request) {
			r->post = own->post;
			r->known |= GSC_REQUEST_POST;
		}
		return;
	}
}

/* The request that the driver blames, if no list has it. False: memory is out. */
static bool add_hung(struct gsc_hang *hang, const struct hang_engine *engine)
{
	const struct driver_engine *own = engine_facts(engine);
	const struct gsc_engine *e = &engine->e;
	struct driver_request *added;
	struct gsc_request r = {
		.name = BLAMED_REQUEST, .head = own->head, .post = own->post, .tail = own->tail,
		.known = GSC_REQUEST_HEAD | GSC_REQUEST_POST | GSC_REQUEST_TAIL,
	};

	if (!own->has_request || !own->tail)
		return true;
	for (size_t i = 0; i < hang->facts.requests.count; i++) {
		const struct driver_request *h = &hang->facts.requests.items[i];

		if (h->kind != WORK_CONTEXT && !strcmp(h->r.engine, e->name) &&
		    h->r.tail == own->tail && h->r.known & GSC_REQUEST_TAIL)
			return true;
	}
	string_set(r.engine, "%s", e->name);
	r.current = holds_head(e, &r);
	if (r.current)
		r.state = e->head_offset == r.head ? GSC_REQUEST_WAITS : GSC_REQUEST_BEGUN;
	added = vec_add(&hang->facts.requests);
	if (added)
		*added = (struct driver_request){ .r = r };
	return added;
}

/* What is reported for an engine: the request that it is in, and how many wait. */
static bool tell_engine(struct gsc_hang *hang, struct hang_engine *engine)
{
	const struct gsc_request *current = NULL, *blamed = NULL;
	size_t waiting = 0;
	char more[48] = "";

	for (size_t i = 0; i < hang->facts.requests.count; i++) {
		const struct driver_request *h = &hang->facts.requests.items[i];

		if (strcmp(h->r.engine, engine->e.name))
			continue;
		if (h->kind == WORK_CONTEXT &&
		    !hang_detail(engine, GSC_DETAIL_EVIDENCE, "job", "%s", h->r.text))
			return false;
		waiting += h->kind != WORK_CONTEXT && h->r.state == GSC_REQUEST_WAITS &&
			   !h->r.current;
		if (h->r.current)
			current = &h->r;
		if (!strcmp(h->r.name, BLAMED_REQUEST))
			blamed = &h->r;
	}
	if (waiting)
		string_set(more, "; %zu more never began", waiting);
	if (!current && blamed && engine->e.known & GSC_KNOWN_HEAD)
		return hang_detail(engine, GSC_DETAIL_WITNESS, "request", "HEAD is not in the "
				   "request that the driver blames, 0x%llx to 0x%llx",
				   LL(blamed->head), LL(blamed->tail));
	return !current || hang_detail(engine, GSC_DETAIL_WITNESS, "request", "%s%s",
				       current->text, more);
}

enum gsc_status hang_places(struct gsc_hang *hang, struct gsc_error *err)
{
	for (size_t n = 0; n < hang->engines.count; n++) {
		const struct hang_engine *engine = &hang->engines.items[n];
		struct driver_request *row;
		bool heads = false;

		if (!add_hung(hang, engine))
			return err_memory(err);
		for (size_t i = 0; (row = next_row(hang, engine, &i));)
			heads |= (row->r.known & GSC_REQUEST_HEAD) != 0;
		if (heads)
			judge_new(hang, engine);
		else
			judge_old(hang, engine);
		for (size_t i = 0; (row = next_row(hang, engine, &i));)
			say_request(engine, row);
	}
	for (size_t i = 0; i < hang->facts.requests.count; i++)
		if (hang->facts.requests.items[i].kind == WORK_CONTEXT)
			say_context(&hang->facts.requests.items[i]);
	for (size_t i = 0; i < hang->engines.count; i++)
		if (!tell_engine(hang, &hang->engines.items[i]))
			return err_memory(err);
	return GSC_OK;
}

/* ---- objects and ranges --------------------------------------------------------------------- */

static const struct gsc_object *object_at(const struct gsc_hang *hang, uint64_t address,
					  bool global)
{
	for (size_t i = 0; i < hang->facts.objects.count; i++) {
		const struct gsc_object *o = &hang->facts.objects.items[i];

		if (address - o->start < o->size && !(global && !strcmp(o->list, "vm")))
			return o;
	}
	return NULL;
}

enum gsc_status hang_objects(struct gsc_hang *hang, struct gsc_error *err)
{
	const struct gsc_object *o;

	for (size_t i = 0; i < hang->faults.count; i++) {
		struct gsc_fault *f = &hang->faults.items[i];
		bool global = f->space && !strcmp(f->space, "ggtt");
		size_t used = strlen(f->text);

		o = f->has_address ? object_at(hang, f->address, global) : NULL;
		if (o && sizeof(f->text) - used > sizeof(o->text) + 32)
			string_add(f->text, "%s0x%llx is in %s", used ? "; " : "", LL(f->address),
				   o->text);
	}
	for (size_t i = 0; i < hang->engines.count; i++) {
		struct hang_engine *engine = &hang->engines.items[i];
		const struct gsc_engine *e = &engine->e;

		if (!(e->known & GSC_KNOWN_ACTHD) || e->known & GSC_KNOWN_ACTHD_RING ||
		    e->state == GSC_ENGINE_IDLE || engine->reset)
			continue;
		o = object_at(hang, e->acthd & ~UINT64_C(3), false);
		if (o && !hang_detail(engine, GSC_DETAIL_WITNESS, "object", "ACTHD is in %s",
				      o->text))
			return err_memory(err);
	}
	return GSC_OK;
}

const char *gsc_request_state_word(enum gsc_request_state state)
{
	static const char *const words[] = {
		[GSC_REQUEST_UNKNOWN] = "unknown", [GSC_REQUEST_WAITS] = "never began",
		[GSC_REQUEST_BEGUN] = "began, not done", [GSC_REQUEST_DONE] = "done",
	};

	return (unsigned)state < ARRAY_SIZE(words) ? words[state] : NULL;
}
