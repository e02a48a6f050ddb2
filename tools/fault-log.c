/* SPDX-License-Identifier: MIT */
/* gpu-fault --dmesg: what a kernel's log tells, and how its addresses are translated. */
#include "fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the story ------------------------------------------------------------------------------ */

struct telling {
	struct fault *fault;
	struct common *common;
	struct log_input log;
	struct gsc_json json;
	struct gsc_event first;			/* that is no dump */
	bool has_first;
	uint64_t counts[GSC_EVENT_KINDS];	/* with what was repeated */
	struct gsc_walk walk;
	const char *why;			/* nothing can be walked, or NULL */
	bool shown;
};

static bool count_event(void *context, const struct gsc_event *event)
{
	struct telling *t = context;

	t->counts[event->kind] += 1 + (uint64_t)event->repeats;
	if (!t->has_first && event->kind != GSC_EVENT_DUMP) {
		t->first = *event;
		t->has_first = true;
	}
	return true;
}

static void add(char *text, size_t size, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, size - length, "%s", more);
}

/* "2 faults, 1 hang and 3 resets" of what came after the first. */
static void add_rest(const struct telling *t, char *text, size_t size)
{
	static const char *const names[GSC_EVENT_DUMP] = {
		[GSC_EVENT_FAULT] = "page fault", [GSC_EVENT_DMA_FAULT] = "DMA fault",
		[GSC_EVENT_ERROR] = "error", [GSC_EVENT_HANG] = "hang",
		[GSC_EVENT_RESET] = "reset",
	};
	uint64_t counts[GSC_EVENT_DUMP];
	unsigned kinds = 0, told = 0;
	char one[60];

	for (unsigned i = 0; i < GSC_EVENT_DUMP; i++) {
		counts[i] = t->counts[i] - (i == t->first.kind);
		kinds += counts[i] != 0;
	}
	for (unsigned i = 0; i < GSC_EVENT_DUMP; i++) {
		if (!counts[i])
			continue;
		snprintf(one, sizeof(one), "%s%llu %s%s",
			 !told ? "; then came " : told + 1 < kinds ? ", " : " and ",
			 (unsigned long long)counts[i], names[i], counts[i] == 1 ? "" : "s");
		add(text, size, one);
		told++;
	}
	if (!told)
		add(text, size, "; nothing followed");
}

static void verdict_of(const struct telling *t, char *text, size_t size)
{
	const struct gsc_event *first = &t->first;

	if (!t->has_first) {
		snprintf(text, size, "no fault, hang or reset of a GPU in this log%s",
			 t->counts[GSC_EVENT_DUMP] ? ", but a dump that the kernel has kept" : "");
		return;
	}
	snprintf(text, size, "first (line %zu%s%s): %s", first->line, *first->stamp ? ", " : "",
		 first->stamp, first->fault.text);
	add_rest(t, text, size);
	if (t->counts[GSC_EVENT_DUMP])
		add(text, size, "; the kernel has kept a dump, which tells more");
}

/* "skl/rcs0/-/ppgtt-fault" */
static void signature_of(const struct telling *t, char *text, size_t size)
{
	const struct gsc_event *first = &t->first;
	const struct gsc_fault *fault = &first->fault;
	char class[40];

	snprintf(class, sizeof(class), "%s", t->has_first ? gsc_event_word(first->kind) : "none");
	if (t->has_first && fault->valid)
		snprintf(class, sizeof(class), "%s-fault", fault->space ? fault->space : "page");
	snprintf(text, size, "%s/%s/-/%s", t->common->view ? t->common->platform.name : "-",
		 t->has_first && *fault->engine ? fault->engine : "-", class);
}

/* ---- walks ---------------------------------------------------------------------------------- */

/* What the IOMMU was asked goes by the tables of its domain, the rest by those of the GPU. */
static bool root_of(struct telling *t, const struct gsc_event *event, struct gsc_root *root,
		    struct gsc_error *err)
{
	struct common *common = t->common;
	const struct gsc_fault *fault = &event->fault;
	struct gsc_root *roots = NULL;
	size_t count = 0;
	bool found = false;

	*root = (struct gsc_root){ .mode = GSC_MODE_GGTT };
	if (fault->space && !strcmp(fault->space, "ggtt"))
		return true;
	if (event->kind != GSC_EVENT_DMA_FAULT)
		return !gsc_root_engine(common->source, common->view,
					*fault->engine ? fault->engine : NULL, root, err);
	if (gsc_roots(common->source, common->view, &roots, &count, err))
		return false;
	for (size_t i = 0; !found && i < count; i++) {
		found = roots[i].mode == GSC_MODE_VTD;
		if (found)
			*root = roots[i];
	}
	free(roots);
	if (!found)
		snprintf(err->why, sizeof(err->why), "no source has the second-level tables of %s "
			 "(domain_translation_struct of the IOMMU's debug files)", event->device);
	return found;
}

static enum gsc_intent intent_of(const struct gsc_fault *fault)
{
	if (!fault->access)
		return GSC_INTENT_READ;
	return !strcmp(fault->access, "write") ? GSC_INTENT_WRITE :
	       !strcmp(fault->access, "atomic") ? GSC_INTENT_ATOMIC : GSC_INTENT_READ;
}

static struct gsc_translation *walk_event(struct telling *t, const struct gsc_event *event,
					  struct gsc_error *err)
{
	struct gsc_translation_options options = { .root = { .mode = GSC_MODE_GGTT } };
	struct gsc_translation *translation = NULL;

	*err = (struct gsc_error){ .status = GSC_OK };
	if (!event->fault.has_address || t->fault->no_walk)
		return NULL;
	if (t->why) {
		snprintf(err->why, sizeof(err->why), "%s", t->why);
		return NULL;
	}
	if (!root_of(t, event, &options.root, err) ||
	    gsc_translation_new(&translation, t->common->source, t->common->view, &options, err))
		return NULL;
	gsc_walk(translation, event->fault.address, intent_of(&event->fault), &t->walk);
	return translation;
}

/* ---- output --------------------------------------------------------------------------------- */

static bool show_event(void *context, const struct gsc_event *event)
{
	struct telling *t = context;
	struct common *common = t->common;
	struct gsc_error err;
	struct gsc_translation *translation = walk_event(t, event, &err);

	if (wants_json(common)) {
		gsc_json_object(&t->json, NULL);
		gsc_json_event(&t->json, event, translation, &t->walk, err.why);
		gsc_json_object_end(&t->json);
	} else {
		if (t->shown)
			gsc_out_end(common->out);
		gsc_text_event(common->out, event, translation, &t->walk,
			       common->source ? err.why : NULL, text_flags(common));
	}
	t->shown = true;
	gsc_translation_free(translation);
	return !gsc_out_error(common->out);
}

static const char **names_of(const struct telling *t, size_t *count)
{
	const char **names, **sources = source_names(t->common->source, count);

	names = calloc(*count + 1, sizeof(*names));
	if (names) {
		names[0] = t->log.name;
		for (size_t i = 0; i < *count; i++)
			names[i + 1] = sources[i];
		++*count;
	}
	free(sources);
	return names;
}

static void empty_array(struct gsc_json *json, const char *key)
{
	gsc_json_array(json, key);
	gsc_json_array_end(json);
}

static void json_begin(struct telling *t, const char *const *names, size_t count)
{
	struct gsc_json *json = &t->json;
	char text[700];

	document_begin(t->common, FAULT_SCHEMA, names, count, json);
	empty_array(json, "errors");
	empty_array(json, "engines");
	empty_array(json, "fences");
	empty_array(json, "findings");
	empty_array(json, "about");
	signature_of(t, text, sizeof(text));
	gsc_json_string(json, "signature", text);
	verdict_of(t, text, sizeof(text));
	gsc_json_string(json, "verdict", text);
	empty_array(json, "stored");
	gsc_json_null(json, "now");
	gsc_json_null(json, "error");
	gsc_json_list(json, "faults");
}

static enum gsc_status read_log(struct telling *t, gsc_event_fn *each, struct gsc_error *err)
{
	enum gsc_status status = gsc_log_read(t->common->db, t->common->view, t->log.text,
					      t->log.size, each, t, err);

	if (status)
		snprintf(err->what, sizeof(err->what), "%.200s", t->log.name);
	return status;
}

static enum gsc_status show_json(struct telling *t, const char *const *names, size_t count,
				 struct gsc_error *err)
{
	enum gsc_status status;

	json_begin(t, names, count);
	status = read_log(t, show_event, err);
	gsc_json_list_end(&t->json);
	gsc_json_finish(&t->json);
	return status;
}

static enum gsc_status show_text(struct telling *t, const char *const *names, size_t count,
				 struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_out *out = t->common->out;
	char verdict[700];

	title_begin(t->common, names, count);
	if (!t->common->quiet)
		status = read_log(t, show_event, err);
	if (t->shown)
		gsc_out_end(out);
	verdict_of(t, verdict, sizeof(verdict));
	gsc_text_log_verdict(out, verdict, text_flags(t->common));
	return status;
}

static enum gsc_status show(struct telling *t, struct gsc_error *err)
{
	const char **names;
	size_t count;
	enum gsc_status status = output_open(t->common, !wants_json(t->common), err);

	if (status)
		return status;
	names = names_of(t, &count);
	if (!names)
		return memory_error(err);
	status = wants_json(t->common) ? show_json(t, names, count, err) :
					 show_text(t, names, count, err);
	free(names);
	return status ? status : complain_damage(t->common, t->common->source);
}

/* ---- platform and source -------------------------------------------------------------------- */

static enum gsc_status open_source(struct common *common, struct gsc_error *err)
{
	return source_open(common, common->from.items, common->from.count, false, &common->source,
			   err);
}

/* The user's word counts, then the source's, then the log's. */
static enum gsc_status choose_platform(struct telling *t, struct gsc_error *err)
{
	struct common *common = t->common;
	struct gsc_platform platform;
	enum gsc_status status = GSC_OK;
	int device = -1;
	bool told = common->platform_name;

	if (common->from.count) {
		status = open_source(common, err);
		if (status)
			return status;
		told = gsc_source_platform(common->source) >= 0;
	}
	if (told)
		return common->from.count ? common_view(common, common->source, err) :
					    platform_open(common, err);
	if (!gsc_log_platform(common->db, t->log.text, t->log.size, &platform, &device))
		return GSC_OK;
	common->platform_name = platform.name;
	if (!common->from.count) {
		common->platform = platform;
		common->device = device;
		return gsc_view_new(&common->view, common->db, platform.index, -1, err);
	}
	source_close(common->source);
	common->source = NULL;
	status = open_source(common, err);
	if (!status)
		status = common_view(common, common->source, err);
	if (common->device < 0)
		common->device = device;
	return status;
}

static enum gsc_status tell(struct telling *t, struct gsc_error *err)
{
	enum gsc_status status = choose_platform(t, err);

	if (status)
		return status;
	if (!t->common->source)
		t->why = "no source of page tables is given (-s)";
	else if (!t->common->view)
		t->why = "nothing tells the platform: give -p";
	status = read_log(t, count_event, err);
	return status ? status : show(t, err);
}

enum gsc_status log_run(struct common *common, struct gsc_error *err)
{
	struct telling *t;
	enum gsc_status status;

	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "one log at a time");
	t = calloc(1, sizeof(*t));
	if (!t)
		return memory_error(err);
	t->fault = (struct fault *)common;
	t->common = common;
	common->device = common->revision = -1;
	status = definitions_open(common, err);
	if (!status)
		status = log_open(common, common->operand_count ? common->operands[0] : NULL,
				  &t->log, err);
	if (!status)
		status = tell(t, err);
	log_close(&t->log);
	free(t);
	return status;
}
