/* SPDX-License-Identifier: MIT */
/* gpu-fault --processes: who uses the GPU, and what waits for what. */
#include "fault.h"
#include "cli/text.h"
#include "formats/dump.h"
#include "util/text.h"
#include "vmcore/vmcore.h"

#define PROCESSES_SCHEMA "gpuscope.processes/1"

/* All that has that number of a process in a list of the dump. */
#define EACH_OF(item, list, number)                                                                \
	for (size_t i = 0; i < dump->list.count; i++)                                              \
		for (item = &dump->list.items[i]; item && item->number == client->pid; item = NULL)

/* "hang-xe [174]", "the kernel" */
static const char *process_text(const char *name, uint64_t pid, char *buf, size_t size)
{
	if (pid)
		snprintf(buf, size, "%s [%llu]", *name ? name : "gone", LL(pid));
	else
		snprintf(buf, size, "the kernel");
	return buf;
}

/* ---- what waits for what --------------------------------------------------------------------- */

static bool is_end_of(const struct driver_request *r, const struct driver_fence *fence)
{
	const unsigned both = GSC_REQUEST_CONTEXT | GSC_REQUEST_SEQNO;

	return (r->finished.context == fence->context && r->finished.seqno == fence->seqno) ||
	       ((r->r.known & both) == both && r->r.context == fence->context &&
		r->r.seqno == (uint32_t)fence->seqno);
}

/* The end of another one, or that of the one that its engine runs; NULL: nothing known. */
static const char *wait_text(const struct dump *dump, const struct driver_request *request,
			     char *buf, size_t size)
{
	const struct driver_fence *fence = &request->waits;
	const struct driver_request *other = NULL, *r = dump->requests.items;
	char process[48];

	if (!fence->context && (request->r.state != GSC_REQUEST_WAITS || !*request->r.engine))
		return NULL;
	for (size_t i = 0; i < dump->requests.count && !other; i++, r++)
		if (fence->context ? is_end_of(r, fence)
				   : r->r.current && !strcmp(r->r.engine, request->r.engine))
			other = r;
	if (other)
		snprintf(buf, size, "%s of %s%s%s, seqno 0x%x", other->r.name,
			 process_text(other->process, other->r.pid, process, sizeof(process)),
			 *other->r.engine ? " on " : "", other->r.engine, other->r.seqno);
	else if (fence->context)
		snprintf(buf, size, "fence %llu:%llu, %s", LL(fence->context), LL(fence->seqno),
			 dump->torn ? "which may be of a request that is missing here" :
				      "which is not of this GPU");
	return other || fence->context ? buf : NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_space(struct common *common, const struct dump *dump, size_t number)
{
	const struct driver_space *space = &dump->spaces.items[number];
	char size[40];

	gsc_out_format(common->out, "  address space, %s root ", gsc_mode_name(space->mode));
	for (unsigned i = 0; i < space->count; i++)
		gsc_out_format(common->out, "%s0x%llx", i ? "," : "", LL(space->root[i]));
	gsc_out_line(common->out, "%s%s%s", *space->engines ? ", in which " : "", space->engines,
		     !*space->engines ? "" : strchr(space->engines, ',') ? " work" : " works");
	for (size_t i = 0; i < dump->ranges.count && common->verbose; i++) {
		const struct driver_range *range = &dump->ranges.items[i];

		if (range->space != number)
			continue;
		gsc_out_format(common->out, "    ppgtt:0x%llx  %s", LL(range->start),
			       size_text(range->size, size, sizeof(size)));
		gsc_out_pad(common->out, 32);
		gsc_out_text(common->out, range->place);
		if (range->has_page)
			gsc_out_format(common->out, ", from phys:0x%llx on", LL(range->page));
		gsc_out_end(common->out);
	}
}

static void put_queue(struct common *common, const struct driver_queue *queue)
{
	char size[40];

	gsc_out_format(common->out, "  %s%s%s: ring ggtt:0x%llx of %s, TAIL 0x%llx", queue->name,
		       *queue->engine ? " of " : "", queue->engine, LL(queue->ring),
		       size_text(queue->bytes, size, sizeof(size)), LL(queue->tail));
	if (queue->descriptor)
		gsc_out_format(common->out, ", descriptor 0x%llx", LL(queue->descriptor));
	gsc_out_line(common->out, "%s%s", *queue->state ? ", " : "", queue->state);
}

static void put_request(struct common *common, const struct dump *dump,
			const struct driver_request *request)
{
	const struct gsc_request *r = &request->r;
	char wait[160];

	gsc_out_format(common->out, "  %s%s%s", r->name, *r->engine ? " on " : "", r->engine);
	if (r->known & GSC_REQUEST_SEQNO)
		gsc_out_format(common->out, ", seqno 0x%x", r->seqno);
	if (request->has_batch)
		gsc_out_format(common->out, ", batch ppgtt:0x%llx", LL(request->batch));
	gsc_out_format(common->out, ": %s", gsc_request_state_word(r->state));
	if (request->milliseconds)
		gsc_out_format(common->out, ", submitted %u.%03u s before the dump",
			       request->milliseconds / 1000, request->milliseconds % 1000);
	if (wait_text(dump, request, wait, sizeof(wait))) {
		gsc_out_text(common->out, "; waits for the ");
		gsc_out_clean(common->out, wait);
	}
	gsc_out_end(common->out);
}

static void put_client(struct common *common, const struct dump *dump,
		       const struct driver_client *client)
{
	const struct driver_request *request;
	const struct driver_space *space;
	const struct driver_queue *queue;
	char text[48], size[40];

	gsc_out_style(common->out, GSC_STYLE_BOLD);
	gsc_out_clean(common->out, process_text(client->process, client->pid, text, sizeof(text)));
	gsc_out_style(common->out, GSC_STYLE_PLAIN);
	gsc_out_line(common->out, ": %llu buffer%s, %s", LL(client->objects),
		     client->objects == 1 ? "" : "s", size_text(client->bytes, size, sizeof(size)));
	EACH_OF(space, spaces, pid)
		put_space(common, dump, i);
	EACH_OF(queue, queues, pid)
		put_queue(common, queue);
	EACH_OF(request, requests, r.pid)
		put_request(common, dump, request);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

SCHEMA(fault-processes, PROCESSES_SCHEMA, "gpu-fault --processes --json",
       "One document. With --ndjson the first line is the document without processes, and each "
       "further line one of them.", PLATFORM, FORMS(processes))

KEYS(process_range, "place: in which memory; page: where its first page is.")
static void json_range(struct gsc_json *json, const struct driver_range *range)
{
	KEY(hex, "start", range->start);
	KEY(number, "size", range->size);
	KEY(some_text, "place", range->place);
	KEY_OR_NULL(range->has_page, hex, "page", range->page);
}

KEYS(process_space, "engine: which now runs a request in it; several: with commas.")
static void json_space(struct gsc_json *json, const struct dump *dump, size_t number)
{
	const struct driver_space *space = &dump->spaces.items[number];

	KEY(text, "mode", gsc_mode_name(space->mode));
	KEY_EACH(hex, "root", for (unsigned i = 0; i < space->count; i++), space->root[i]);
	KEY(some_text, "engine", space->engines);
	KEY_EACH(object, "ranges",
		 for (size_t i = 0; i < dump->ranges.count; i++)
			 if (dump->ranges.items[i].space == number),
		 json_range(json, &dump->ranges.items[i]));
}

KEYS(process_queue, "ring: its address in the GGTT.")
static void json_queue(struct gsc_json *json, const struct driver_queue *queue)
{
	KEY(text, "name", queue->name);
	KEY(some_text, "engine", queue->engine);
	KEY_OR_NULL(queue->descriptor, hex, "descriptor", queue->descriptor);
	KEY(hex, "ring", queue->ring);
	KEY(number, "ring_bytes", queue->bytes);
	KEY(hex, "tail", queue->tail);
	KEY(some_text, "state", queue->state);
}

KEYS(process_request, "batch: a PPGTT address. milliseconds: since it was submitted.")
static void json_request(struct gsc_json *json, const struct dump *dump,
			 const struct driver_request *request)
{
	char wait[160];

	KEY(text, "name", request->r.name);
	KEY(some_text, "engine", request->r.engine);
	KEY(text, "state", gsc_request_state_word(request->r.state),
	    ONE_OF(gsc_request_state_word));
	KEY_OR_NULL(request->r.known & GSC_REQUEST_CONTEXT, hex, "context", request->r.context);
	KEY_OR_NULL(request->r.known & GSC_REQUEST_SEQNO, hex, "seqno", request->r.seqno);
	KEY_OR_NULL(request->has_batch, hex, "batch", request->batch);
	KEY_OR_NULL(request->milliseconds, number, "milliseconds", request->milliseconds);
	KEY(text_or_null, "waits_for", wait_text(dump, request, wait, sizeof(wait)));
}

KEYS(process, "process and pid are null for the kernel itself.")
static void json_client(struct gsc_json *json, const struct dump *dump,
			const struct driver_client *client)
{
	const struct driver_request *request;
	const struct driver_space *space;
	const struct driver_queue *queue;

	KEY(some_text, "process", client->process);
	KEY_OR_NULL(client->pid, number, "pid", client->pid);
	KEY(number, "buffers", client->objects);
	KEY(number, "bytes", client->bytes);
	KEY_EACH(object, "spaces", EACH_OF(space, spaces, pid), json_space(json, dump, i));
	KEY_EACH(object, "queues", EACH_OF(queue, queues, pid), json_queue(json, queue));
	KEY_EACH(object, "requests", EACH_OF(request, requests, r.pid),
		 json_request(json, dump, request));
}

/* ---- the whole ------------------------------------------------------------------------------- */

KEYS(processes)
enum gsc_status processes_run(struct common *common, struct gsc_error *err)
{
	struct gsc_json document, *json = &document;
	enum gsc_status status = definitions_open(common, err);
	const struct dump *dump;
	bool any = false;
	char why[200];

	if (!status)
		status = fault_open(common, common->operand_count ? common->operands[0] : NULL,
				    false, err);
	for (size_t part = 0; !status && !any && part < gsc_source_count(common->source); part++)
		any = (dump = gsc_source_memory(common->source, part)) && dump->clients.count;
	if (!status && !any && !gsc_no_processes(common->source, why, sizeof(why))) {
		complain_damage(common, common->source);
		return err_set(err, GSC_UNKNOWN, "--processes", "%s", why);
	}
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status)
		return status;
	if (wants_json(common)) {
		source_document(common, PROCESSES_SCHEMA, json);
		KEY_LIST("processes", OF(process));
	} else if (!common->quiet) {
		source_title(common);
		if (!any)
			gsc_out_line(common->out, "%s", why);
	}
	for (size_t part = 0; part < gsc_source_count(common->source); part++) {
		dump = gsc_source_memory(common->source, part);
		for (size_t i = 0; dump && i < dump->clients.count; i++)
			if (wants_json(common))
				ITEM(json_client(json, dump, &dump->clients.items[i]));
			else
				put_client(common, dump, &dump->clients.items[i]);
	}
	if (wants_json(common))
		gsc_json_finish(json);
	return complain_damage(common, common->source);
}
