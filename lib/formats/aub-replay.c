/* SPDX-License-Identifier: MIT */
/* What a trace submits, and sources for the moments when it does. */
#include "formats/aub.h"

#include "db/engine.h"
#include "db/view.h"
#include "formats/contents.h"

/* ---- finding submissions -------------------------------------------------------------------- */

#define ELEMENTS 2			/* descriptors of a submission that count */

/* The registers through which an engine gets its work; NO_PLACE if the platform lacks one. */
#define NO_PLACE UINT64_MAX

struct port {
	const char *engine;
	unsigned engine_class, engine_instance;
	uint64_t submit;		/* takes four dwords: element 1 high, low, element 0 */
	uint64_t queue[ELEMENTS];	/* where descriptors wait */
	uint64_t load;			/* loads the queue */
	uint64_t tail;			/* of the ring, if none of the above exists */
	uint32_t dwords[4];
	unsigned count;
	uint64_t queued[ELEMENTS];
};

typedef VEC(struct port) port_vec;

static uint64_t place_of(const struct gsc_view *view, const char *engine, const char *name,
			 int index)
{
	struct gsc_reg reg;

	return view_find(view, engine, name, index, &reg) ? reg.offset : NO_PLACE;
}

static bool find_ports(port_vec *ports, const struct gsc_view *view)
{
	for (size_t i = 0; ; i++) {
		struct port port = { 0 };
		struct gsc_engine_place engine;

		port.engine = gsc_platform_engine(view->db, view->platform, i, &engine);
		if (!port.engine)
			return true;
		port.engine_class = engine.engine_class;
		port.engine_instance = engine.instance;
		port.submit = place_of(view, port.engine, "EXECLIST_SUBMIT_PORT", -1);
		for (int n = 0; n < ELEMENTS; n++)
			port.queue[n] = place_of(view, port.engine, "EXECLIST_SQ_CONTENTS", n);
		port.load = place_of(view, port.engine, "EXECLIST_CONTROL", -1);
		port.tail = port.submit == NO_PLACE && port.load == NO_PLACE ?
			place_of(view, port.engine, "RING_BUFFER_TAIL", -1) : NO_PLACE;
		if (!vec_push(ports, port))
			return false;
	}
}

static bool add_submission(aub_submission_vec *found, const struct port *port,
			   const struct aub_event *event, struct aub_submission submission)
{
	submission.engine = port->engine;
	submission.engine_class = port->engine_class;
	submission.engine_instance = port->engine_instance;
	submission.record = event->record;
	submission.at = event->at;
	submission.writes = event->writes;
	return vec_push(found, submission);
}

static bool register_event(aub_submission_vec *found, struct port *port,
			   const struct aub_event *event)
{
	const uint32_t *d = port->dwords;

	if (event->address == port->submit) {
		port->dwords[port->count++] = (uint32_t)event->data;
		if (port->count < ARRAY_SIZE(port->dwords))
			return true;
		port->count = 0;
		return add_submission(found, port, event, (struct aub_submission){
			.way = AUB_EXECLIST,
			.descriptor = { (uint64_t)d[2] << 32 | d[3],
					(uint64_t)d[0] << 32 | d[1] } });
	}
	if (event->address == port->load && event->data & 1)
		return add_submission(found, port, event, (struct aub_submission){
			.way = AUB_EXECLIST,
			.descriptor = { port->queued[0], port->queued[1] } });
	if (event->address == port->tail)
		return add_submission(found, port, event,
				      (struct aub_submission){ .way = AUB_TAIL });
	/* A half of a descriptor in the queue, or all of it. */
	for (unsigned n = 0; n < ELEMENTS; n++) {
		uint64_t *slot = &port->queued[n];

		if (port->queue[n] == NO_PLACE)
			continue;
		if (event->address == port->queue[n])
			*slot = (*slot & ~UINT64_C(0xffffffff)) | (uint32_t)event->data;
		else if (event->address == port->queue[n] + 4)
			*slot = (uint32_t)*slot | event->data << 32;
		else
			continue;
		break;
	}
	return true;
}

enum gsc_status aub_submissions(const struct aub *aub, const struct gsc_view *view,
				aub_submission_vec *found, struct gsc_error *err)
{
	port_vec ports = { 0 };
	bool done = find_ports(&ports, view);

	*found = (aub_submission_vec){ 0 };
	for (size_t i = 0; done && i < aub->events.count; i++) {
		const struct aub_event *event = &aub->events.items[i];
		const char *engine = engine_by_number(ENGINE_AUB, event->ring) ?: "rcs0";

		for (size_t p = 0; done && p < ports.count; p++) {
			struct port *port = &ports.items[p];

			if (!event->bytes)
				done = register_event(found, port, event);
			else if (!strcmp(port->engine, engine))
				done = add_submission(found, port, event, (struct aub_submission){
					.way = AUB_COMMANDS, .ring = event->address,
					.ring_bytes = event->bytes, .ring_data = event->data });
		}
	}
	vec_free(&ports);
	if (done)
		return GSC_OK;
	vec_free(found);
	return err_memory(err);
}

const struct aub *source_aub(const struct gsc_source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		if (source->parts.items[i].aub)
			return source->parts.items[i].aub;
	return NULL;
}

/* ---- the source of a moment ----------------------------------------------------------------- */

/* The copy's bytes remain those of the first; a trace is replayed. */
static bool copy_part(struct gsc_source *out, const struct part *part, bool replayed)
{
	struct part *copy = vec_add(&out->parts);
	struct aub_memory *memory;

	if (!copy)
		return false;
	*copy = (struct part){ .reader = part->reader, .platform = part->platform,
			       .pci_device = part->pci_device, .revision = part->revision };
	copy->blob = (struct blob){ .name = part->blob.name, .data = part->blob.data,
				    .size = part->blob.size, .fd = -1 };
	copy->name = strdup(part->name);
	if (!copy->name)
		return false;
	if (!replayed) {
		if (!vec_reserve(&copy->pieces, part->pieces.count))
			return false;
		if (part->pieces.count)
			memcpy(copy->pieces.items, part->pieces.items,
			       part->pieces.count * sizeof(*part->pieces.items));
		copy->pieces.count = part->pieces.count;
		return true;
	}
	memory = aub_memory_new(part->aub);
	copy->moment = (struct moment){ memory, aub_memory_run };
	return memory && part_own(copy, memory, aub_memory_free);
}

enum gsc_status aub_source_move(struct gsc_source *moment,
				const struct aub_submission *submission, struct gsc_error *err)
{
	for (size_t i = 0; i < moment->parts.count; i++) {
		struct aub_memory *memory = moment->parts.items[i].moment.data;

		if (memory && !aub_memory_move(memory, submission->writes))
			return err_memory(err);
	}
	return GSC_OK;
}

enum gsc_status aub_source_at(const struct gsc_source *source,
			      const struct aub_submission *submission, struct gsc_source **out,
			      struct gsc_error *err)
{
	struct gsc_source *copy = calloc(1, sizeof(*copy));
	enum gsc_status status;
	bool copied = true;

	*out = NULL;
	if (!copy)
		return err_memory(err);
	copy->db = source->db;
	copy->platform = source->platform;
	copy->pci_device = source->pci_device;
	copy->revision = source->revision;
	for (size_t i = 0; i < source->parts.count && copied; i++) {
		const struct part *part = &source->parts.items[i];

		copied = part->device ||
			 copy_part(copy, part, part->aub && part->aub == source_aub(source));
	}
	status = copied ? lookups_build(copy, err) : err_memory(err);
	if (!status)
		status = aub_source_move(copy, submission, err);
	if (status) {
		gsc_source_close(copy);
		return status;
	}
	*out = copy;
	return GSC_OK;
}

enum gsc_status aub_source_of(const struct gsc_source *source, const struct gsc_view *view,
			      uint64_t number, struct gsc_source **moment,
			      struct gsc_submission *submission, struct gsc_error *err)
{
	const struct aub *aub = source_aub(source);
	const struct aub_submission *s;
	aub_submission_vec found;
	enum gsc_status status;

	*moment = NULL;
	if (!aub)
		return err_set(err, GSC_USAGE, "submission", "the source has no trace");
	status = aub_submissions(aub, view, &found, err);
	if (status)
		return status;
	if (!number || number > found.count) {
		status = err_set(err, GSC_USAGE, "submission",
				 found.count ? "expected 1 to %zu" : "the trace has none",
				 found.count);
	} else {
		s = &found.items[number - 1];
		*submission = (struct gsc_submission){ .contexts = { s->descriptor[0],
								      s->descriptor[1] } };
		snprintf(submission->engine, sizeof(submission->engine), "%s", s->engine);
		status = aub_source_at(source, s, moment, err);
	}
	vec_free(&found);
	return status;
}
