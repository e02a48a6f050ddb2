/* SPDX-License-Identifier: MIT */
/*
 * Cases as SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"): what went wrong in a
 * source is a result, of a rule by its kind; a source that cannot be read is a notification of the
 * run. The signature is the fingerprint by which a server knows the same hang again.
 */
#include "out/case.h"

#include "open/open.h"
#include "util/text.h"

#include <stdlib.h>

#define SCHEMA_URI \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define EVENTS_MOST 20

/* ---- rules ---------------------------------------------------------------------------------- */

/* By the class of the signature, the first that fits; gpu-fault(1) explains the classes. */
static const struct kind {
	const char *id, *classes, *level, *text;
} kinds[] = {
	{ "page-fault", "*-fault cat", "error",
	  "An access failed in the page tables of the GPU or of the IOMMU" },
	{ "reported-error", "error-* hardware poison parity eir command", "error",
	  "The hardware reports an error" },
	{ "endless-loop", "loop", "error", "An engine hangs in a batch that loops" },
	{ "left-batch", "left", "error", "An engine hangs after it left its batch" },
	{ "hang", "hang dump", "error", "An engine hangs, without a fault or an error" },
	{ "wait", "wait stuck-wait interrupt", "error", "An engine waits, or a fence timed out" },
	{ "unclear-dump", "unknown none", "warning",
	  "The driver wrote a dump that does not show what hangs" },
	{ "reset", "reset reset-tried reset-failed requested", "error",
	  "The driver reset the GPU or an engine, or failed to" },
	{ "lost-work", "work-cancelled banned wedged", "error",
	  "The driver discarded work, or gave up on the GPU" },
	{ "firmware", "guc-* huc gsc gsc-proxy vf tlb firmware-*", "error",
	  "A firmware of the GPU did not load, or does not answer" },
	{ "device", "bus mmio forcewake pcode grdom lmem bar stolen survivability", "error",
	  "The GPU cannot be reached, or a part of it does not answer" },
	{ "kernel-crash", "oops-* lockup-* blocked-* warn-*", "error",
	  "The kernel crashed, is stuck or failed a check in the driver" },
	{ "display", "plane flip power-well frame-late link port unclaimed", "warning",
	  "The display, or a register that does not exist" },
	{ "driver-message", "*", "error", "The driver reports an error" },
};

static size_t kind_of(const struct gsc_case *c)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(kinds) && !glob_list(kinds[i].classes, case_class(c)))
		i++;
	return i;
}

/* Rules of findings come after them. */
static size_t rule_index(const char *name)
{
	const struct rule *rule;
	size_t i = 0;

	while ((rule = gsc_hang_rule(i)) && strcmp(rule->name, name))
		i++;
	return ARRAY_SIZE(kinds) + i;
}

static void put_text(struct gsc_json *json, const char *key, const char *text)
{
	gsc_json_object(json, key);
	gsc_json_string(json, "text", text);
	gsc_json_object_end(json);
}

/* "[text](target)" would be a link (3.11.6), and "{0}", unless doubled, an argument (3.11.5). */
static void put_message(struct gsc_json *json, const char *text)
{
	struct gsc_out message = { .fd = -1 };

	for (; *text; text++) {
		if (strchr("{}", *text))
			out_byte(&message, *text);
		out_byte(&message, *text);
		if (text[0] == ']' && text[1] == '(')
			out_byte(&message, ' ');
	}
	gsc_out_bytes(&message, "", 1);
	put_text(json, "message", message.error ? "" : message.data);
	free(message.data);
}

static void put_rule(struct gsc_json *json, const char *id, const char *text, const char *level,
		     const char *help)
{
	gsc_json_object(json, NULL);
	gsc_json_string(json, "id", id);
	put_text(json, "shortDescription", text);
	gsc_json_object(json, "defaultConfiguration");
	gsc_json_string(json, "level", level);
	gsc_json_object_end(json);
	put_text(json, "help", help);
	gsc_json_object_end(json);
}

/* ---- places --------------------------------------------------------------------------------- */

/*
 * The name of a source as a URI. A demo's is one already; a colon in the name of a file would make
 * one of it.
 */
static void put_uri(struct gsc_json *json, const char *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~/";
	struct gsc_out uri = { .fd = -1 };
	char *path;
	bool file = gsc_spec_kind(name, &path) == GSC_SPEC_FILE;

	free(path);
	if (*name == '/')
		gsc_out_text(&uri, "file://");
	for (; *name; name++) {
		if (strchr(plain, *name) || (*name == ':' && !file))
			out_byte(&uri, *name);
		else
			gsc_out_format(&uri, "%%%02X", (unsigned char)*name);
	}
	gsc_out_bytes(&uri, "", 1);
	gsc_json_string(json, "uri", uri.error ? "" : uri.data);
	free(uri.data);
}

/* GitHub shows no result without a line: that of a dump is the first. */
static void put_place(struct gsc_json *json, const char *name, size_t line)
{
	gsc_json_object(json, "physicalLocation");
	gsc_json_object(json, "artifactLocation");
	put_uri(json, name);
	gsc_json_object_end(json);
	gsc_json_object(json, "region");
	gsc_json_number(json, "startLine", line ? line : 1);
	gsc_json_object_end(json);
	gsc_json_object_end(json);
}

/* `inside`: an engine, a register, or "". */
static void put_locations(struct gsc_json *json, const char *name, size_t line, const char *inside)
{
	gsc_json_array(json, "locations");
	gsc_json_object(json, NULL);
	put_place(json, name, line);
	if (*inside) {
		gsc_json_array(json, "logicalLocations");
		gsc_json_object(json, NULL);
		gsc_json_string(json, "name", inside);
		gsc_json_object_end(json);
		gsc_json_array_end(json);
	}
	gsc_json_object_end(json);
	gsc_json_array_end(json);
}

/* ---- results -------------------------------------------------------------------------------- */

static void result_begin(struct gsc_json *json, const char *rule, size_t index, const char *level,
			 const char *message)
{
	gsc_json_object(json, NULL);
	gsc_json_string(json, "ruleId", rule);
	gsc_json_number(json, "ruleIndex", index);
	gsc_json_string(json, "level", level);
	put_message(json, message);
}

static void put_fingerprint(struct gsc_json *json, const char *name, const char *text)
{
	gsc_json_object(json, "partialFingerprints");
	gsc_json_string(json, name, text);
	gsc_json_object_end(json);
}

static void put_some(struct gsc_json *json, const char *key, const char *text)
{
	if (*text)
		gsc_json_string(json, key, text);
}

static void put_verdict(struct gsc_cases *cases, const struct gsc_case *c)
{
	struct gsc_json *json = &cases->json;
	const struct kind *kind = &kinds[kind_of(c)];
	const struct gsc_fault *fault = case_fault(c);
	const char *engine = c->hang && c->hang->worst && !c->log_first ? c->hang->worst->e.name :
			     fault ? fault->engine : "";
	static const char *const names[] = { "platform", "engine", "command" };
	const char *rest;
	const struct gsc_engine *e;
	char text[160];

	result_begin(json, kind->id, kind_of(c), kind->level, case_verdict(c));
	put_locations(json, c->name, case_line(c), engine);
	if (c->log && case_line(c)) {
		struct gsc_event event;

		/* The events of a log that can stop work. */
		gsc_json_array(json, "relatedLocations");
		gsc_log_rewind(c->log, c->view);
		for (size_t i = 0; i < EVENTS_MOST && case_event(c, &event); i++) {
			gsc_json_object(json, NULL);
			gsc_json_number(json, "id", i);
			put_place(json, c->name, event.line);
			put_message(json, event.fault.text);
			gsc_json_object_end(json);
		}
		gsc_json_array_end(json);
	}
	put_fingerprint(json, "signature/v1", case_signature(c));
	/* The platform, the engine and the command are parts of the signature; "-" is none. */
	rest = case_signature(c);
	e = c->hang && c->hang->worst && !c->log_first ? &c->hang->worst->e : NULL;
	gsc_json_object(json, "properties");
	gsc_json_string(json, "signature", case_signature(c));
	gsc_json_string(json, "class", case_class(c));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t length = strcspn(rest, "/");

		string_set(text, "%.*s", (int)length, rest);
		if (strcmp(text, "-"))
			put_some(json, names[i], text);
		rest += length + (rest[length] == '/');
	}
	put_some(json, "address", case_address(case_fault(c), text, sizeof(text)));
	if (e && e->known & GSC_KNOWN_ACTHD)
		gsc_json_hex(json, "acthd", plain_address(e->acthd));
	if (e && e->known & GSC_KNOWN_IPEHR)
		gsc_json_hex(json, "ipehr", e->ipehr);
	put_some(json, "driver", case_driver(c, text, sizeof(text)));
	gsc_json_object_end(json);
	gsc_json_object_end(json);
}

struct finding_of {
	struct gsc_cases *cases;
	const struct gsc_case *c;
};

static bool put_finding(void *context, const struct gsc_breach *breach)
{
	const struct finding_of *of = context;
	struct gsc_json *json = &of->cases->json;
	char text[sizeof(breach->where) + sizeof(breach->text) + 4];

	string_set(text, "%s: %s", breach->where, breach->text);
	result_begin(json, breach->rule, rule_index(breach->rule),
		     breach->unchecked || breach->note ? "note" : "warning", text);
	put_locations(json, of->c->name, 0, breach->where);
	string_set(text, "%s/%s", breach->rule, breach->where);
	put_fingerprint(json, "finding/v1", text);
	gsc_json_object_end(json);
	return true;
}

/* ---- the run -------------------------------------------------------------------------------- */

void gsc_sarif_begin(struct gsc_cases *cases)
{
	struct gsc_json *json = &cases->json;
	const struct rule *rule;

	cases->later = (struct gsc_out){ .fd = -1 };
	gsc_json_begin(json, cases->out, false);
	gsc_json_string(json, "$schema", SCHEMA_URI);
	gsc_json_string(json, "version", "2.1.0");
	gsc_json_array(json, "runs");
	gsc_json_object(json, NULL);
	gsc_json_object(json, "tool");
	gsc_json_object(json, "driver");
	gsc_json_string(json, "name", "gpu-fault");
	gsc_json_string(json, "version", GSC_VERSION);
	gsc_json_string(json, "semanticVersion", GSC_VERSION);
	gsc_json_array(json, "rules");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		put_rule(json, kinds[i].id, kinds[i].text, kinds[i].level,
			 "gpu-fault(1) explains the classes of signatures; gpu-fault FILE shows "
			 "the evidence.");
	for (size_t i = 0; (rule = gsc_hang_rule(i)); i++)
		put_rule(json, rule->name, rule->text, "warning",
			 "A reason to doubt the state; gpu-db list --rules has the origin of the "
			 "rule.");
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	gsc_json_object_end(json);
	gsc_json_array(json, "results");
}

/* Notifications come after the results, in an array of their own. */
static void put_notification(struct gsc_cases *cases, const struct gsc_case *c)
{
	struct gsc_json later = { .out = &cases->later, .more = cases->later.size };

	cases->errors += c->error != NULL;
	gsc_json_object(&later, NULL);
	gsc_json_string(&later, "level", c->error ? "error" : "note");
	put_message(&later, c->error ? c->error : case_verdict(c));
	put_locations(&later, c->name, 0, "");
	gsc_json_object_end(&later);
}

void gsc_sarif_case(struct gsc_cases *cases, const struct gsc_case *c)
{
	if (c->error || case_unclear(c))
		put_notification(cases, c);
	else if (case_failed(c))
		put_verdict(cases, c);
	if (cases->findings && !c->error)
		case_findings(c, put_finding, &(struct finding_of){ cases, c });
}

void gsc_sarif_end(struct gsc_cases *cases)
{
	struct gsc_json *json = &cases->json;

	gsc_json_array_end(json);
	gsc_json_array(json, "invocations");
	gsc_json_object(json, NULL);
	gsc_json_bool(json, "executionSuccessful", !cases->errors);
	gsc_json_array(json, "toolExecutionNotifications");
	gsc_out_bytes(cases->out, cases->later.data, cases->later.size);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	gsc_json_array_end(json);
	gsc_json_finish(json);
	cases->out->error = cases->out->error ? cases->out->error : cases->later.error;
	free(cases->later.data);
}
