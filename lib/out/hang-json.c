/* SPDX-License-Identifier: MIT */
/* What went wrong, and what a line of a kernel's log says, as members of an object. */
#include "gtt/cache.h"
#include "hang/known.h"
#include "hang/log-summary.h"
#include "hang/workaround.h"
#include "out/keys.h"
#include "out/out.h"

#include <stdlib.h>

KEYS(about)
static void json_about(struct gsc_json *json, const struct gsc_about *about)
{
	KEY(text, "name", about->name,
	    ONE_OF("hang", "reason", "process", "time", "boot", "uptime", "capture", "kernel",
		   "resets", "suspend", "missed", "power", "iommu", "fw", "guc", "queue", "option",
		   "cut", "gpu", "code"));
	KEY(text, "text", about->text);
}

/* ---- faults and errors ---------------------------------------------------------------------- */

static const char *run_space(const struct gsc_run *run)
{
	return run->process ? "ppgtt" : "ggtt";
}

KEYS(cause, "A command, up to the place where the engine stopped. stopped: the engine stopped in "
     "this command. buffer: the ring or batch that contains it. field: a field of it, or, with "
     "`state` (an address), NAME.FIELD or NAME of the state that it points to. dword: where the "
     "field begins. value: an address in the page of the fault.")
static void json_cause(struct gsc_json *json, const struct gsc_cause *cause)
{
	KEY(text, "command", cause->command.name);
	KEY(hex, "address", cause->command.address);
	KEY(text, "space", run_space(&cause->run), ONE_OF(run_space));
	KEY(hex, "buffer", cause->run.address);
	KEY(flag, "stopped", cause->stopped);
	KEY(text, "field", cause->field);
	KEY(number, "dword", cause->dword);
	KEY(hex, "value", cause->value);
	KEY_OR_NULL(cause->in_state, hex, "state", cause->state);
}

KEYS(fault, "A register that records faults. valid: it records one; otherwise an address may still "
     "be there, from an unknown fault. level: the level without a valid entry. cause: the command "
     "that used the address, null if unknown. not_walked: why walk is null.",
     RULE("'if': {'properties': {'valid': {'const': false}}},"
	  "'then': {'properties': {'walk': {'type': 'null'}}}"))
/* `cause` may be NULL, and `walk`, for which `why` is then the reason. */
static void json_fault(struct gsc_json *json, const struct gsc_fault *fault,
		       const struct gsc_cause *cause, const struct gsc_translation *translation,
		       const struct gsc_walk *walk, const char *why)
{
	char text[640];

	KEY(some_text, "engine", fault->engine, PATTERN("^[a-z]+[0-9]*$"));
	KEY(text_or_null, "register", fault->reg.name);
	KEY_OR_NULL(fault->reg.name, hex, "value", fault->value);
	KEY(flag, "valid", fault->valid);
	KEY_OR_NULL(fault->has_address, hex, "address", fault->address);
	KEY(text_or_null, "space", fault->space, ONE_OF("ggtt", "ppgtt", "dma"));
	KEY(text_or_null, "type", fault->type);
	KEY(text_or_null, "access", fault->access, ONE_OF("read", "write", "atomic", "execute"));
	KEY_OR_NULL(fault->source_id >= 0, number, "source_id", (uint64_t)fault->source_id);
	KEY(text_or_null, "level", fault->level);
	KEY(some_text, "text", fault->text);
	KEY_OR_NULL(cause, object, "cause", json_cause(json, cause));
	KEY_OR_NULL(translation, object, "walk", gsc_json_walk(json, translation, walk));
	KEY(some_text, "not_walked", translation ? NULL : why);
	KEY(some_text, "older_entry", fault->valid && translation
	    ? gsc_cache_older(translation, walk, fault->engine, text, sizeof(text)) : NULL,
	    "What invalidates the TLBs; they may hold an older entry than the valid one of walk.");
}

KEYS()
static void json_faults(struct gsc_json *json, struct gsc_hang *hang)
{
	const struct gsc_translation *translation;
	struct gsc_cause found, *cause;
	struct gsc_walk walk;
	char why[640];

	KEY_ARRAY("faults", OF(fault, event));
	for (size_t i = 0; i < hang->faults.count; i++) {
		*why = 0;
		cause = gsc_hang_cause(hang, i, &found) ? &found : NULL;
		if (!gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why)))
			translation = NULL;
		ITEM(json_fault(json, &hang->faults.items[i], cause, translation, &walk, why));
	}
	gsc_json_array_end(json);
}

KEYS(error, "A field of a register that reports an error: its bits hi to bit.")
static void json_error(struct gsc_json *json, const struct gsc_trouble *error)
{
	KEY(text_or_null, "engine", error->reg.engine, PATTERN("^[a-z]+[0-9]*$"));
	KEY(text, "register", error->reg.name);
	KEY(hex, "value", error->value);
	KEY(number, "bit", error->lo, MAX(63));
	KEY(number, "hi", error->hi, MAX(63));
	KEY(text, "name", error->name);
	KEY(some_text, "text", error->text);
}

/* ---- engines -------------------------------------------------------------------------------- */

KEYS(detail)
static void json_detail(struct gsc_json *json, const struct gsc_detail *detail)
{
	KEY(text, "name", detail->name);
	KEY(some_text, "text", detail->text);
}

static void json_details(struct gsc_json *json, const char *key, const struct hang_engine *engine,
			 enum gsc_detail_kind kind)
{
	gsc_json_array(json, key);
	for (size_t i = 0; i < engine->details.count; i++)
		if (engine->details.items[i].kind == kind)
			ITEM(json_detail(json, &engine->details.items[i]));
	gsc_json_array_end(json);
}

KEYS(ring, "In bytes.")
static void json_ring(struct gsc_json *json, const struct gsc_engine *e)
{
	KEY(number, "size", e->ring_bytes);
	KEY(hex, "head", e->head_offset);
	KEY(hex, "tail", e->tail_offset);
	KEY(number, "used", e->used);
	KEY(number, "free", e->free);
	KEY(number, "wraps", e->wraps);
}

KEYS(engine, "head to ipehr: as its registers have them, null if the source does not. command: "
     "that it stopped in; agrees: it begins with IPEHR, null if the source does not have that; "
     "space: of its address; where: the same in words, or why it is not known. blamed: the dump "
     "says that it hangs. evidence: the rules that gave state. busy: units that are not done, one "
     "by one; units: the same, folded by what they share. witnesses: what else its registers "
     "tell.")
static void json_engine(struct gsc_json *json, struct gsc_command_json *commands,
			const struct hang_engine *engine)
{
	const struct gsc_engine *e = &engine->e;

	KEY(text, "name", e->name, PATTERN("^[a-z]+[0-9]+$"));
	KEY(text, "state", gsc_engine_state_word(e->state), ONE_OF(gsc_engine_state_word));
	KEY(flag, "blamed", e->blamed);
	KEY_OR_NULL(e->known & GSC_KNOWN_HEAD, hex, "head", e->head);
	KEY_OR_NULL(e->known & GSC_KNOWN_TAIL, hex, "tail", e->tail);
	KEY_OR_NULL(e->known & GSC_KNOWN_START, hex, "start", e->start);
	KEY_OR_NULL(e->known & GSC_KNOWN_CONTROL, hex, "control", e->control);
	KEY_OR_NULL(e->known & GSC_KNOWN_ACTHD, hex, "acthd", e->acthd);
	KEY_OR_NULL(e->known & GSC_KNOWN_IPEHR, hex, "ipehr", e->ipehr);
	KEY_OR_NULL(e->known & GSC_KNOWN_RING, object, "ring", json_ring(json, e));
	KEY_OR_NULL(e->stopped, object, "command", command_json_members(commands, &e->command));
	KEY_OR_NULL(e->stopped && e->known & GSC_KNOWN_IPEHR, flag, "agrees", e->agrees);
	KEY_OR_NULL(e->stopped, text, "space", run_space(&e->run), ONE_OF(run_space));
	KEY(some_text, "where", e->where);
	json_details(json, KEY_NAME(array, "evidence", OF(detail)), engine, GSC_DETAIL_EVIDENCE);
	json_details(json, KEY_NAME(array, "busy", OF(detail)), engine, GSC_DETAIL_BUSY);
	json_details(json, KEY_NAME(array, "units", OF(detail)), engine, GSC_DETAIL_UNITS);
	json_details(json, KEY_NAME(array, "witnesses", OF(detail)), engine, GSC_DETAIL_WITNESS);
}

/* ---- the rest ------------------------------------------------------------------------------- */

KEYS(fence, "start to end (exclusive) of graphics addresses; pitch in bytes.")
static void json_fence(struct gsc_json *json, const struct gsc_fence *fence)
{
	char tiling[] = { fence->tiling, 0 };

	KEY(number, "index", fence->index, MAX(31));
	KEY(hex, "raw", fence->raw);
	KEY(flag, "valid", fence->valid);
	KEY_OR_NULL(fence->valid, hex, "start", fence->start);
	KEY_OR_NULL(fence->valid, hex, "end", fence->end);
	KEY_OR_NULL(fence->valid, number, "pitch", fence->pitch);
	KEY_OR_NULL(fence->valid, text, "tiling", tiling, ONE_OF("X", "Y"));
	KEY(some_text, "problem", fence->problem);
}

KEYS(request, "What the driver had given to an engine, as its dump lists it: a request of i915, a "
     "context of xe or a job in it. current: HEAD is in it. context: number of i915's, descriptor "
     "of xe's. head, post, tail: bytes into the ring, where it begins, reports that it is done, "
     "and ends. From a memory dump: process, batch, where its batch begins, and age, milliseconds "
     "since it was submitted.")
static void json_request(struct gsc_json *json, const struct driver_request *request)
{
	const struct gsc_request *r = &request->r;

	KEY(some_text, "engine", r->engine);
	KEY(text, "name", r->name);
	KEY(text, "state", gsc_request_state_word(r->state), ONE_OF(gsc_request_state_word));
	KEY(flag, "current", r->current);
	KEY_OR_NULL(r->known & GSC_REQUEST_CONTEXT, hex, "context", r->context);
	KEY_OR_NULL(r->known & GSC_REQUEST_SEQNO, hex, "seqno", r->seqno);
	KEY_OR_NULL(r->known & GSC_REQUEST_PID, number, "pid", r->pid);
	KEY_OR_NULL(r->known & GSC_REQUEST_HEAD, hex, "head", r->head);
	KEY_OR_NULL(r->known & GSC_REQUEST_POST, hex, "post", r->post);
	KEY_OR_NULL(r->known & GSC_REQUEST_TAIL, hex, "tail", r->tail);
	KEY(some_text, "process", request->process);
	KEY_OR_NULL(request->has_batch, hex, "batch", request->batch);
	KEY_OR_NULL(request->milliseconds, number, "age", request->milliseconds);
	KEY(some_text, "text", r->text);
}

KEYS(object, "Memory that the dump lists without its contents: an object of i915's lists, a range "
     "of xe's VM.")
static void json_object(struct gsc_json *json, const struct gsc_object *o)
{
	KEY(text, "list", o->list);
	KEY(hex, "start", o->start);
	KEY(number, "size", o->size);
	KEY(text, "text", o->text);
}

KEYS(knownProblem, "A problem that was reported in public and looks like this one. fixed: the "
     "versions that are reported to have a fix, or null.")
static void json_known(struct gsc_json *json, const struct gsc_known *known)
{
	KEY(text, "name", known->item.name);
	KEY(text, "title", known->item.doc);
	KEY(text, "says", known->is[KNOWN_SAYS]);
	KEY(text_or_null, "fixed", known->is[KNOWN_FIXED]);
	KEY(text, "link", known->is[KNOWN_LINK]);
}

KEYS(firmware, "A file of firmware that a log or dump names. wanted: the version that the driver "
     "wants, by its own words or by platform and kernel, or the path of another file. package: "
     "those that have such files.")
static void json_file(struct gsc_json *json, const struct gsc_firmwares *all, size_t i)
{
	const struct gsc_firmware *f = &all->items[i];

	KEY(text, "kind", firmware_words[f->kind], ONE_OF("guc", "huc", "gsc", "dmc"));
	KEY(some_text, "path", f->path);
	KEY(some_text, "found", f->found);
	KEY(some_text, "wanted", f->wanted);
	KEY(text, "state", f->state,
	    ONE_OF("as wanted", "too old", "newer than wanted", "too new", "missing", "unknown"));
	KEY(some_text, "driver", f->driver);
	KEY(some_text, "kernel", f->kernel);
	KEY(some_text, "package", all->packages);
}

KEYS()
static void json_firmware(struct gsc_json *json, const struct gsc_firmwares *all)
{
	KEY_EACH(object, "firmware", for (size_t i = 0; i < all->count; i++),
		 json_file(json, all, i));
}

static void json_reasons(struct gsc_json *json, const char *key, const struct gsc_hang *hang,
			 bool known, uint32_t bits)
{
	(known ? gsc_json_array : gsc_json_null)(json, key);
	for (size_t i = 0; known && i < hang->reason_count; i++)
		if (bits >> hang->reasons[i].lo & 1)
			gsc_json_string(json, NULL, hang->reasons[i].name);
	if (known)
		gsc_json_array_end(json);
}

KEYS(speed, "Frequencies in MHz, null if not known: what was requested, what the GT runs at, what "
     "the driver allows (min, max), what the hardware can do (rp0, rpn). asleep: in RC6, and so "
     "without a frequency. reasons: fields of GT0_PERF_LIMIT_REASONS that hold it down now; since: "
     "those that did since the boot, or since software cleared them. rc6_residency: milliseconds "
     "asleep.")
static void json_speed(struct gsc_json *json, const struct gsc_hang *hang,
		       const struct hang_limits *l)
{
	const uint64_t *of = l->of;

	KEY_OR_NULL(of[MHZ_REQUESTED], number, "requested", of[MHZ_REQUESTED]);
	KEY_OR_NULL(of[MHZ_ACTUAL], number, "actual", of[MHZ_ACTUAL]);
	KEY_OR_NULL(of[MHZ_MIN], number, "min", of[MHZ_MIN]);
	KEY_OR_NULL(of[MHZ_MAX], number, "max", of[MHZ_MAX]);
	KEY_OR_NULL(of[MHZ_RP0], number, "rp0", of[MHZ_RP0]);
	KEY_OR_NULL(of[MHZ_RPN], number, "rpn", of[MHZ_RPN]);
	KEY_OR_NULL(l->asleep || of[MHZ_ACTUAL], flag, "asleep", l->asleep);
	json_reasons(json, KEY_NAME(array, "reasons", OF(text), OR_NULL), hang, l->tells, l->now);
	json_reasons(json, KEY_NAME(array, "since", OF(text), OR_NULL), hang, l->latches,
		     l->since);
	KEY_OR_NULL(of[RC6_MILLISECONDS], number, "rc6_residency", of[RC6_MILLISECONDS] - 1);
}

KEYS(limits, "What limits the speed of the GPU: of its first GT, and of others. bar, memory: bytes "
     "of local memory that BAR 2 shows, and all of it. power_limit, power_rated: in watts. wedged: "
     "the driver has given the GPU up.")
static void json_limits(struct gsc_json *json, const struct gsc_hang *hang)
{
	const struct hang_limits *l = hang->limits;
	uint64_t bar = l->of[BYTES_IN_BAR], memory = l->of[BYTES_OF_MEMORY];

	KEYS_OF(speed);
	json_speed(json, hang, l);
	KEY_EACH(object, "other_gts", for (size_t i = 1; i < HANG_GTS; i++) if (l[i].known),
		 json_speed(json, hang, &l[i]), OF(speed));
	KEY_OR_NULL(bar, number, "bar", bar);
	KEY_OR_NULL(memory, number, "memory", memory);
	KEY_OR_NULL(bar && memory, flag, "small_bar", bar < memory);
	KEY_OR_NULL(l->of[MILLIWATTS_ALLOWED], thousandths, "power_limit",
		    l->of[MILLIWATTS_ALLOWED]);
	KEY_OR_NULL(l->of[MILLIWATTS_RATED], thousandths, "power_rated",
		    l->of[MILLIWATTS_RATED]);
	KEY_OR_NULL(l->of[WEDGED], flag, "wedged", l->of[WEDGED] == IS_WEDGED);
}

KEYS(workaroundSummary, "Of the driver: how many are missing, different, ...; wrong: those two.")
static void json_wrong(struct gsc_json *json, const struct gsc_hang *hang,
		       struct gsc_workarounds *all)
{
	gsc_json_workaround_counts(json, all);
	KEY_EACH(object, "wrong",
		 for (size_t i = 0; i < all->checks.count; i++)
			 if (all->checks.items[i].state <= GSC_WORKAROUND_DIFFERENT),
		 gsc_json_workaround(json, hang->gpu->view, &all->checks.items[i]));
	gsc_workarounds_free(all);
}

struct doubting {
	struct gsc_json *json;
	const struct gsc_db *db;
};

static bool doubt_json(void *context, const struct gsc_breach *breach)
{
	struct doubting *d = context;
	struct gsc_json *json = d->json;

	if (breach->unchecked)
		return true;
	ITEM(gsc_json_breach(json, d->db, breach, breach->where));
	return true;
}

KEYS(hang, "What a source tells of a hang. signature: platform/engine/command/class, equal for "
     "hangs of one kind; of a source whose log tells of something, and nothing else does, "
     "signature and verdict are those of the log. about: what the driver said of the hang when it "
     "wrote the dump; gpu: what it knows of the GPU.")
enum gsc_status gsc_json_hang(struct gsc_json *json, struct gsc_hang *hang,
			      struct gsc_log_summary *log, struct gsc_error *err)
{
	struct doubting doubting = { json, hang->gpu->view->db };
	const struct driver_facts *facts = &hang->facts;
	struct gsc_workarounds all;
	struct gsc_knowns knowns;
	struct gsc_command_json *commands;
	enum gsc_status status = gsc_command_json_new(&commands, json, hang->set, err);

	KEY_EACH(object, "about", for (size_t i = 0; i < facts->about.count; i++),
		 json_about(json, &facts->about.items[i].a));
	json_faults(json, hang);
	KEY_EACH(object, "errors", for (size_t i = 0; i < hang->errors.count; i++),
		 json_error(json, &hang->errors.items[i]));
	if (!status) {
		KEY_EACH(object, "engines", for (size_t i = 0; i < hang->engines.count; i++),
			 json_engine(json, commands, &hang->engines.items[i]));
		gsc_command_json_free(commands);
	}
	KEY_EACH(object, "fences", for (size_t i = 0; i < hang->fences.count; i++),
		 json_fence(json, &hang->fences.items[i]));
	KEY_EACH(object, "requests", for (size_t i = 0; i < facts->requests.count; i++),
		 json_request(json, &facts->requests.items[i]));
	KEY_EACH(object, "objects", for (size_t i = 0; i < facts->objects.count; i++),
		 json_object(json, &facts->objects.items[i]));
	json_firmware(json, log ? gsc_log_summary_firmware(log) : &hang->firmware);
	KEY_ARRAY("findings", OF(finding));
	if (!status)
		status = gsc_hang_check(hang, doubt_json, &doubting, err);
	gsc_json_array_end(json);
	KEY_OR_NULL(hang->limits->known, object, "limits", json_limits(json, hang));
	KEY_OR_NULL(hang_workarounds(hang, &all), object, "workarounds",
		    json_wrong(json, hang, &all),
		    "Null unless some are missing or different, and the dump names its driver.");
	gsc_hang_known(hang, &knowns);
	knowns = log ? *gsc_log_summary_known(log) : knowns;
	KEY_EACH(object, "known", for (size_t i = 0; i < knowns.count; i++),
		 json_known(json, &knowns.items[i]));
	KEY(text_or_null, "signature", log ? gsc_log_summary_signature(log) : hang->signature);
	KEY(text_or_null, "verdict", log ? gsc_log_summary_verdict(log) : hang->verdict);
	return status;
}

/* Except those named, separated by commas. */
static void json_empty_lists(struct gsc_json *json, const char *but)
{
	static const char *const lists[] = {
		"about", "faults", "errors", "engines", "fences", "requests", "objects",
		"findings", "known", "firmware",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (list_has(but, lists[i]))
			continue;
		gsc_json_array(json, lists[i]);
		gsc_json_array_end(json);
	}
	gsc_json_null(json, "limits");
}

void gsc_json_hang_none(struct gsc_json *json)
{
	json_empty_lists(json, "");
	gsc_json_null(json, "workarounds");
	gsc_json_null(json, "signature");
	gsc_json_null(json, "verdict");
}

/* ---- events of a log ------------------------------------------------------------------------ */

KEYS(loggedValue)
static void json_value(struct gsc_json *json, const struct gsc_event *event, size_t i)
{
	KEY(text, "register", event->values[i].name);
	KEY(hex, "value", event->values[i].value);
}

KEYS(event, "An event of a log, with everything that its lines say, whether or not it is a fault; "
     "register and value are null. time: as in the log; repeats: how many more times it "
     "occurs; reason and pasid: from the IOMMU; code: of a hang, IPEHR xor INSTDONE; values: of "
     "registers. cause is null.")
void gsc_json_event(struct gsc_json *json, const struct gsc_event *event,
		    struct gsc_log_summary *summary)
{
	const struct gsc_translation *translation = NULL;
	char why[640];
	const struct gsc_walk *walk = gsc_log_summary_walk(summary, event, &translation, why,
							   sizeof(why));

	KEYS_OF(fault);
	json_fault(json, &event->fault, NULL, walk ? translation : NULL, walk, why);
	KEY(text, "kind", gsc_event_word(event->kind), ONE_OF(gsc_event_word));
	KEY(text, "rank", gsc_rank_word(event->rank), ONE_OF(gsc_rank_word));
	KEY(number, "line", event->line, MIN(1));
	KEY(number, "lines", event->lines, MIN(1));
	KEY(number, "repeats", event->repeats);
	KEY(some_text, "time", event->stamp);
	KEY(some_text, "driver", event->driver);
	KEY(some_text, "device", event->device);
	KEY(some_text, "gt", event->gt);
	KEY(some_text, "process", event->process);
	KEY_OR_NULL(event->has_asid, number, "asid", event->asid);
	KEY_OR_NULL(event->has_pasid, hex, "pasid", event->pasid);
	KEY_OR_NULL(event->has_reason, number, "reason", event->reason);
	KEY_OR_NULL(event->has_code, hex, "code", event->code);
	KEY_EACH(object, "values", for (size_t i = 0; i < event->value_count; i++),
		 json_value(json, event, i));
}

void gsc_json_log_summary(struct gsc_json *json, struct gsc_log_summary *summary)
{
	const struct gsc_knowns *knowns = gsc_log_summary_known(summary);

	json_empty_lists(json, "faults,findings,known,firmware");
	gsc_json_array(json, "known");
	for (size_t i = 0; i < knowns->count; i++)
		ITEM(json_known(json, &knowns->items[i]));
	gsc_json_array_end(json);
	json_firmware(json, gsc_log_summary_firmware(summary));
	gsc_json_null(json, "workarounds");
	gsc_json_string(json, "signature", gsc_log_summary_signature(summary));
	gsc_json_string(json, "verdict", gsc_log_summary_verdict(summary));
}
