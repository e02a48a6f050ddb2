/* SPDX-License-Identifier: MIT */
/* What went wrong, as members of an object. */
#include "hang/hang.h"
#include "out/out.h"

#include <stdlib.h>

static void json_about(struct gsc_json *json, const struct gsc_hang *hang)
{
	struct gsc_about about;

	gsc_json_array(json, "about");
	for (size_t i = 0; gsc_hang_about(hang, i, &about); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "name", about.name);
		gsc_json_string(json, "text", about.text);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

/* ---- faults and errors ---------------------------------------------------------------------- */

static void json_cause(struct gsc_json *json, const struct gsc_cause *cause)
{
	if (!cause) {
		gsc_json_null(json, "cause");
		return;
	}
	gsc_json_object(json, "cause");
	gsc_json_string(json, "command", cause->command.name);
	gsc_json_hex(json, "address", cause->command.address);
	gsc_json_string(json, "space", cause->run.process ? "ppgtt" : "ggtt");
	gsc_json_hex(json, "buffer", cause->run.address);
	gsc_json_bool(json, "stopped", cause->stopped);
	gsc_json_string(json, "field", cause->field);
	gsc_json_number(json, "dword", cause->dword);
	gsc_json_hex(json, "value", cause->value);
	json_known_hex(json, "state", cause->in_state, cause->state);
	gsc_json_object_end(json);
}

static void json_fault(struct gsc_json *json, const struct gsc_fault *fault,
		       const struct gsc_cause *cause, const struct gsc_translation *translation,
		       const struct gsc_walk *walk, const char *why)
{
	bool has_register = fault->reg.name;

	json_known_text(json, "engine", fault->engine);
	gsc_json_string(json, "register", fault->reg.name);
	json_known_hex(json, "value", has_register, fault->value);
	gsc_json_bool(json, "valid", fault->valid);
	json_known_hex(json, "address", fault->has_address, fault->address);
	gsc_json_string(json, "space", fault->space);
	gsc_json_string(json, "type", fault->type);
	gsc_json_string(json, "access", fault->access);
	if (fault->source_id >= 0)
		gsc_json_number(json, "source_id", (uint64_t)fault->source_id);
	else
		gsc_json_null(json, "source_id");
	gsc_json_string(json, "level", fault->level);
	json_known_text(json, "text", fault->text);
	json_cause(json, cause);
	if (translation) {
		gsc_json_object(json, "walk");
		gsc_json_walk(json, translation, walk);
		gsc_json_object_end(json);
	} else {
		gsc_json_null(json, "walk");
	}
	json_known_text(json, "not_walked", translation ? NULL : why);
}

void gsc_json_fault(struct gsc_json *json, const struct gsc_fault *fault,
		    const struct gsc_translation *translation, const struct gsc_walk *walk,
		    const char *why)
{
	json_fault(json, fault, NULL, translation, walk, why);
}

static enum gsc_status json_faults(struct gsc_json *json, struct gsc_hang *hang,
				   struct gsc_error *err)
{
	struct gsc_walk *walk = malloc(sizeof(*walk));
	const struct gsc_translation *translation;
	struct gsc_cause found, *cause;
	struct gsc_fault fault;
	char why[640];

	if (!walk)
		return err_memory(err);
	gsc_json_array(json, "faults");
	for (size_t i = 0; gsc_hang_fault(hang, i, &fault); i++) {
		*why = 0;
		cause = gsc_hang_cause(hang, i, &found) ? &found : NULL;
		gsc_json_object(json, NULL);
		if (gsc_hang_walk(hang, i, walk, &translation, why, sizeof(why)))
			json_fault(json, &fault, cause, translation, walk, NULL);
		else
			json_fault(json, &fault, cause, NULL, NULL, why);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
	free(walk);
	return GSC_OK;
}

static void json_errors(struct gsc_json *json, const struct gsc_hang *hang)
{
	struct gsc_trouble error;

	gsc_json_array(json, "errors");
	for (size_t i = 0; gsc_hang_error(hang, i, &error); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "engine", error.reg.engine);
		gsc_json_string(json, "register", error.reg.name);
		gsc_json_hex(json, "value", error.value);
		gsc_json_number(json, "bit", error.lo);
		gsc_json_number(json, "hi", error.hi);
		gsc_json_string(json, "name", error.name);
		json_known_text(json, "text", error.text);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

/* ---- engines -------------------------------------------------------------------------------- */

static void json_details(struct gsc_json *json, const struct gsc_hang *hang, size_t engine,
			 const char *key, enum gsc_detail_kind kind)
{
	struct gsc_detail detail;

	gsc_json_array(json, key);
	for (size_t i = 0; gsc_hang_detail(hang, engine, i, &detail); i++) {
		if (detail.kind != kind)
			continue;
		gsc_json_object(json, NULL);
		gsc_json_string(json, "name", detail.name);
		json_known_text(json, "text", detail.text);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_ring(struct gsc_json *json, const struct gsc_engine *e)
{
	if (!(e->known & GSC_KNOWN_RING)) {
		gsc_json_null(json, "ring");
		return;
	}
	gsc_json_object(json, "ring");
	gsc_json_number(json, "size", e->ring_bytes);
	gsc_json_hex(json, "head", e->head_offset);
	gsc_json_hex(json, "tail", e->tail_offset);
	gsc_json_number(json, "used", e->used);
	gsc_json_number(json, "free", e->free);
	gsc_json_number(json, "wraps", e->wraps);
	gsc_json_object_end(json);
}

static void json_command(struct gsc_json *json, struct gsc_command_json *commands,
			 const struct gsc_engine *e)
{
	if (!e->stopped) {
		gsc_json_null(json, "command");
		return;
	}
	gsc_json_object(json, "command");
	gsc_command_json_members(commands, &e->command);
	gsc_json_object_end(json);
}

static void json_engine(struct gsc_json *json, const struct gsc_hang *hang, size_t i,
			struct gsc_command_json *commands, const struct gsc_engine *e)
{
	gsc_json_object(json, NULL);
	gsc_json_string(json, "name", e->name);
	gsc_json_string(json, "state", gsc_engine_state_word(e->state));
	gsc_json_bool(json, "blamed", e->blamed);
	json_known_hex(json, "head", e->known & GSC_KNOWN_HEAD, e->head);
	json_known_hex(json, "tail", e->known & GSC_KNOWN_TAIL, e->tail);
	json_known_hex(json, "start", e->known & GSC_KNOWN_START, e->start);
	json_known_hex(json, "control", e->known & GSC_KNOWN_CONTROL, e->control);
	json_known_hex(json, "acthd", e->known & GSC_KNOWN_ACTHD, e->acthd);
	json_known_hex(json, "ipehr", e->known & GSC_KNOWN_IPEHR, e->ipehr);
	json_ring(json, e);
	json_command(json, commands, e);
	if (e->stopped) {
		gsc_json_bool(json, "agrees", e->agrees);
		gsc_json_string(json, "space", e->run.process ? "ppgtt" : "ggtt");
	} else {
		gsc_json_null(json, "agrees");
		gsc_json_null(json, "space");
	}
	json_known_text(json, "where", e->where);
	json_details(json, hang, i, "evidence", GSC_DETAIL_EVIDENCE);
	json_details(json, hang, i, "busy", GSC_DETAIL_BUSY);
	json_details(json, hang, i, "units", GSC_DETAIL_UNITS);
	json_details(json, hang, i, "witnesses", GSC_DETAIL_WITNESS);
	gsc_json_object_end(json);
}

static enum gsc_status json_engines(struct gsc_json *json, struct gsc_hang *hang,
				    struct gsc_error *err)
{
	struct gsc_command_json *commands;
	struct gsc_engine e;
	enum gsc_status status = gsc_command_json_new(&commands, json, gsc_hang_commands(hang),
						      err);

	if (status)
		return status;
	gsc_json_array(json, "engines");
	for (size_t i = 0; gsc_hang_engine(hang, i, &e); i++)
		json_engine(json, hang, i, commands, &e);
	gsc_json_array_end(json);
	gsc_command_json_free(commands);
	return GSC_OK;
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void json_fences(struct gsc_json *json, const struct gsc_hang *hang)
{
	struct gsc_fence fence;

	gsc_json_array(json, "fences");
	for (size_t i = 0; gsc_hang_fence(hang, i, &fence); i++) {
		gsc_json_object(json, NULL);
		gsc_json_number(json, "index", fence.index);
		gsc_json_hex(json, "raw", fence.raw);
		gsc_json_bool(json, "valid", fence.valid);
		json_known_hex(json, "start", fence.valid, fence.start);
		json_known_hex(json, "end", fence.valid, fence.end);
		if (fence.valid)
			gsc_json_number(json, "pitch", fence.pitch);
		else
			gsc_json_null(json, "pitch");
		gsc_json_string(json, "tiling", fence.valid ? (char[]){ fence.tiling, 0 } : NULL);
		json_known_text(json, "problem", fence.problem);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_requests(struct gsc_json *json, const struct gsc_hang *hang)
{
	struct gsc_request r;

	gsc_json_array(json, "requests");
	for (size_t i = 0; gsc_hang_request(hang, i, &r); i++) {
		gsc_json_object(json, NULL);
		json_known_text(json, "engine", r.engine);
		gsc_json_string(json, "name", r.name);
		gsc_json_string(json, "state", gsc_request_state_word(r.state));
		gsc_json_bool(json, "current", r.current);
		json_known_hex(json, "context", r.known & GSC_REQUEST_CONTEXT, r.context);
		json_known_hex(json, "seqno", r.known & GSC_REQUEST_SEQNO, r.seqno);
		if (r.known & GSC_REQUEST_PID)
			gsc_json_number(json, "pid", r.pid);
		else
			gsc_json_null(json, "pid");
		json_known_hex(json, "head", r.known & GSC_REQUEST_HEAD, r.head);
		json_known_hex(json, "post", r.known & GSC_REQUEST_POST, r.post);
		json_known_hex(json, "tail", r.known & GSC_REQUEST_TAIL, r.tail);
		json_known_text(json, "text", r.text);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

static void json_objects(struct gsc_json *json, const struct gsc_hang *hang)
{
	struct gsc_object o;

	gsc_json_array(json, "objects");
	for (size_t i = 0; gsc_hang_object(hang, i, &o); i++) {
		gsc_json_object(json, NULL);
		gsc_json_string(json, "list", o.list);
		gsc_json_hex(json, "start", o.start);
		gsc_json_number(json, "size", o.size);
		gsc_json_string(json, "text", o.text);
		gsc_json_object_end(json);
	}
	gsc_json_array_end(json);
}

struct doubting {
	struct gsc_json *json;
	const struct gsc_db *db;
};

static bool doubt_json(void *context, const struct gsc_breach *breach)
{
	struct doubting *d = context;

	if (breach->unchecked)
		return true;
	gsc_json_object(d->json, NULL);
	gsc_json_breach(d->json, d->db, breach, breach->where);
	gsc_json_object_end(d->json);
	return true;
}

enum gsc_status gsc_json_hang(struct gsc_json *json, struct gsc_hang *hang, struct gsc_error *err)
{
	struct doubting doubting = { json, hang->view->db };
	enum gsc_status status;

	json_about(json, hang);
	status = json_faults(json, hang, err);
	json_errors(json, hang);
	if (!status)
		status = json_engines(json, hang, err);
	json_fences(json, hang);
	json_requests(json, hang);
	json_objects(json, hang);
	gsc_json_array(json, "findings");
	if (!status)
		status = gsc_hang_check(hang, doubt_json, &doubting, err);
	gsc_json_array_end(json);
	gsc_json_string(json, "signature", gsc_hang_signature(hang));
	gsc_json_string(json, "verdict", gsc_hang_verdict(hang));
	return status;
}

void json_empty_lists(struct gsc_json *json, const char *but)
{
	static const char *const lists[] = {
		"about", "faults", "errors", "engines", "fences", "requests", "objects",
		"findings",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		if (list_has(but, lists[i]))
			continue;
		gsc_json_array(json, lists[i]);
		gsc_json_array_end(json);
	}
}

void gsc_json_hang_none(struct gsc_json *json)
{
	json_empty_lists(json, "");
	gsc_json_null(json, "signature");
	gsc_json_null(json, "verdict");
}
