/* SPDX-License-Identifier: MIT */
/* What went wrong: the same as gpu-fault says, by the dump, the registers or the log. */
#include "api/api.h"

#include "hang/hang.h"
#include "hang/log-summary.h"
#include "log/event.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_ENGINE_STATE_UNKNOWN == (int)GSC_ENGINE_UNKNOWN &&
	       (int)GPUSCOPE_ENGINE_STATE_IDLE == (int)GSC_ENGINE_IDLE &&
	       (int)GPUSCOPE_ENGINE_STATE_RUNNING == (int)GSC_ENGINE_RUNNING &&
	       (int)GPUSCOPE_ENGINE_STATE_WAITING == (int)GSC_ENGINE_WAITING &&
	       (int)GPUSCOPE_ENGINE_STATE_HUNG == (int)GSC_ENGINE_HUNG,
	       "enum gpuscope_engine_state");

const char *gpuscope_engine_state_word(enum gpuscope_engine_state state)
{
	return gsc_engine_state_word((enum gsc_engine_state)state);
}

/* What programs see comes first. */
struct hang_kept {
	struct gpuscope_hang hang;
	struct gpuscope_gpu *gpu;	/* held */
	struct keep keep;
	struct gsc_hangs found;		/* `main` NULL: the log says all that is known */
	struct log_read log;
};

/* ---- logs ----------------------------------------------------------------------------------- */

enum gsc_status log_begin(struct log_read *log, struct gpuscope_gpu *gpu, struct gsc_error *err)
{
	const struct gsc_gpu *named = gpu->unnamed ? NULL : gpu->gpu;
	const char *text;
	size_t size = 0;
	enum gsc_status status;

	*log = (struct log_read){ .log = NULL };
	text = gpu->source ? gsc_source_log(gpu->source, &size) : NULL;
	if (!text)
		return GSC_OK;
	status = gsc_log_new(&log->log, gpu->db->db, named ? named->view : NULL, text, size, err);
	if (!status)
		status = gsc_log_summary_new(&log->summary, gpu->db->db, gpu->source, named, NULL,
					     err);
	return status;
}

void log_end(struct log_read *log)
{
	gsc_log_free(log->log);
	gsc_log_summary_free(log->summary);
}

/* ---- faults --------------------------------------------------------------------------------- */

static struct gpuscope_fault *fault_of(struct keep *keep, struct gpuscope_gpu *gpu,
				       const struct gsc_fault *fault)
{
	struct gpuscope_fault *made = keep_new(keep, struct gpuscope_fault);

	if (!made)
		return NULL;
	made->valid = fault->valid;
	made->text = keep_text(keep, fault->text);
	made->engine = keep_text(keep, fault->engine);
	made->address = keep_number(keep, fault->has_address, fault->address);
	made->space = fault->space;
	made->type = fault->type;
	made->access = fault->access;
	made->level = fault->level;
	if (fault->reg.name)
		made->reg = gpu_register_of(gpu, &fault->reg);
	made->value = keep_number(keep, fault->reg.name, fault->value);
	return made;
}

const struct gpuscope_fault *logged_fault(struct keep *keep, struct gpuscope_gpu *gpu,
					  struct gsc_log_summary *summary,
					  const struct gsc_event *event)
{
	struct gpuscope_fault *made = fault_of(keep, gpu, &event->fault);
	const struct gsc_translation *translation;
	const struct gsc_walk *walk;
	char why[640];

	if (!made)
		return NULL;
	walk = gsc_log_summary_walk(summary, event, &translation, why, sizeof(why));
	if (walk)
		made->walk = walk_of(keep, gpu, translation, walk);
	else
		made->no_walk = keep_text(keep, why);
	return made;
}

static const struct gpuscope_cause *cause_of(struct keep *keep, const struct gsc_cause *cause)
{
	struct gpuscope_cause *made = keep_new(keep, struct gpuscope_cause);

	if (!made)
		return NULL;
	made->command = cause->command.name;
	made->address = cause->command.address;
	made->field = keep_text(keep, cause->field);
	made->value = cause->value;
	made->stopped = cause->stopped;
	return made;
}

static const struct gpuscope_fault *latched_fault(struct hang_kept *kept, size_t i)
{
	struct gsc_hang *hang = kept->found.main;
	struct keep *keep = &kept->keep;
	struct gpuscope_fault *made = fault_of(keep, kept->gpu, &hang->faults.items[i]);
	const struct gsc_translation *translation;
	struct gsc_cause cause;
	struct gsc_walk walk;
	char why[640] = "";

	if (!made)
		return NULL;
	if (gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why)))
		made->walk = walk_of(keep, kept->gpu, translation, &walk);
	else
		made->no_walk = keep_text(keep, why);
	if (gsc_hang_cause(hang, i, &cause))
		made->cause = cause_of(keep, &cause);
	keep->failed |= kept->found.main->causes_missed;
	return made;
}

/* A register without a fault is left out. */
static const void *latched_faults(struct hang_kept *kept)
{
	const struct gsc_hang *hang = kept->found.main;
	pointer_vec faults = { .count = 0 };

	for (size_t i = 0; i < hang->faults.count; i++)
		if (hang->faults.items[i].valid || hang->faults.items[i].has_address)
			pointers_add(&kept->keep, &faults, latched_fault(kept, i));
	return pointers_end(&kept->keep, &faults);
}

static const void *logged_faults(struct hang_kept *kept)
{
	pointer_vec faults = { .count = 0 };
	struct gsc_event event;

	gsc_log_rewind(kept->log.log, kept->gpu->unnamed ? NULL : kept->gpu->gpu->view);
	while (gsc_log_next(kept->log.log, &event))
		if (event.kind == GSC_EVENT_FAULT || event.kind == GSC_EVENT_DMA_FAULT)
			pointers_add(&kept->keep, &faults,
				     logged_fault(&kept->keep, kept->gpu, kept->log.summary,
						  &event));
	return pointers_end(&kept->keep, &faults);
}

/* ---- engines -------------------------------------------------------------------------------- */

static const struct gpuscope_engine *engine_of(struct keep *keep, const struct hang_engine *engine)
{
	struct gpuscope_engine *made = keep_new(keep, struct gpuscope_engine);
	const struct gsc_engine *e = &engine->e;
	pointer_vec lines = { .count = 0 };

	if (!made)
		return NULL;
	made->name = e->name;
	made->state = (enum gpuscope_engine_state)e->state;
	made->blamed = e->blamed;
	made->head = keep_number(keep, e->known & GSC_KNOWN_HEAD, e->head);
	made->tail = keep_number(keep, e->known & GSC_KNOWN_TAIL, e->tail);
	made->start = keep_number(keep, e->known & GSC_KNOWN_START, e->start);
	made->acthd = keep_number(keep, e->known & GSC_KNOWN_ACTHD, e->acthd);
	made->ipehr = keep_number(keep, e->known & GSC_KNOWN_IPEHR, e->ipehr);
	made->command = e->stopped ? e->command.name : NULL;
	made->command_address = keep_number(keep, e->stopped, e->command.address);
	made->where = keep_text(keep, e->where);
	for (size_t i = 0; i < engine->details.count; i++) {
		const struct gsc_detail *detail = &engine->details.items[i];
		/* A unit has the name of its bit. */
		const char *name = detail->kind == GSC_DETAIL_UNITS ? "busy" : detail->name;

		if (detail->kind == GSC_DETAIL_EVIDENCE || detail->kind == GSC_DETAIL_UNITS)
			pointers_add(keep, &lines, keep_format(keep, *detail->text ? "%s: %s"
							       : "%s", name, detail->text));
	}
	made->evidence = pointers_end(keep, &lines);
	return made;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* If the dump shows nothing and the log does, the log is used. */
static enum gsc_status examine(struct hang_kept *kept, struct gsc_error *err)
{
	struct gpuscope_gpu *gpu = kept->gpu;
	struct gsc_source_options source = { .db = gpu->db->db };
	struct gsc_hangs_options options = { .source = &source };
	enum gsc_status status = log_begin(&kept->log, gpu, err);
	const struct gsc_hang *main;

	if (!status && kept->log.log)
		gsc_log_summary_read(kept->log.summary, kept->log.log);
	if (status || gpu->unnamed || gsc_source_is_log(gpu->source))
		return status || kept->log.log ? status : err_set(err, GSC_UNKNOWN, "hang",
								  "the log is empty");
	status = gsc_hangs_open(&kept->found, gpu->gpu, &options, err);
	if (status)
		return status;
	if (kept->log.log && gsc_hangs_only_log(&kept->found, gpu->source))
		gsc_hangs_close(&kept->found);
	main = kept->found.main;
	kept->log.says = kept->log.log &&
		(!main || (gsc_hang_is_none(main) && gsc_log_summary_tells(kept->log.summary)));
	return GSC_OK;
}

static void show(struct hang_kept *kept)
{
	const struct gsc_hang *main = kept->found.main;
	struct gpuscope_hang *hang = &kept->hang;
	struct keep *keep = &kept->keep;
	pointer_vec engines = { 0 }, errors = { 0 }, requests = { 0 }, facts = { 0 };

	hang->size = sizeof(*hang);
	if (!main || kept->log.says) {
		hang->verdict = keep_text(keep, gsc_log_summary_verdict(kept->log.summary));
		hang->signature = keep_text(keep, gsc_log_summary_signature(kept->log.summary));
	} else {
		hang->verdict = main->verdict;
		hang->signature = main->signature;
	}
	hang->faults = main ? latched_faults(kept) : logged_faults(kept);
	for (size_t i = 0; main && i < main->engines.count; i++)
		pointers_add(keep, &engines, engine_of(keep, &main->engines.items[i]));
	hang->engines = pointers_end(keep, &engines);
	for (size_t i = 0; main && i < main->errors.count; i++) {
		struct gpuscope_trouble *made = keep_new(keep, struct gpuscope_trouble);
		const struct gsc_trouble *error = &main->errors.items[i];

		if (!made)
			break;
		made->reg = gpu_register_of(kept->gpu, &error->reg);
		made->value = error->value;
		made->field = error->name;
		made->text = keep_text(keep, error->text);
		pointers_add(keep, &errors, made);
	}
	hang->errors = pointers_end(keep, &errors);
	for (size_t i = 0; main && i < main->facts.requests.count; i++) {
		struct gpuscope_request *made = keep_new(keep, struct gpuscope_request);
		const struct gsc_request *r = &main->facts.requests.items[i].r;

		if (!made)
			break;
		made->engine = keep_text(keep, r->engine);
		made->name = keep_text(keep, r->name);
		if (r->state != GSC_REQUEST_UNKNOWN)
			made->state = gsc_request_state_word(r->state);
		made->context = keep_number(keep, r->known & GSC_REQUEST_CONTEXT, r->context);
		made->seqno = keep_number(keep, r->known & GSC_REQUEST_SEQNO, r->seqno);
		made->pid = keep_number(keep, r->known & GSC_REQUEST_PID, r->pid);
		made->text = keep_text(keep, r->text);
		pointers_add(keep, &requests, made);
	}
	hang->requests = pointers_end(keep, &requests);
	for (size_t i = 0; main && i < main->facts.about.count; i++) {
		struct gpuscope_property *made = keep_new(keep, struct gpuscope_property);
		const struct gsc_about *about = &main->facts.about.items[i].a;

		if (!made)
			break;
		made->key = about->name;
		made->value = keep_text(keep, about->text);
		pointers_add(keep, &facts, made);
	}
	hang->facts = pointers_end(keep, &facts);
}

struct gpuscope_error *gpuscope_hang_new(struct gpuscope_gpu *gpu, struct gpuscope_hang **out)
{
	struct hang_kept *kept;
	struct gpuscope_error *error;
	struct gsc_error err;

	*out = NULL;
	if (!gpu->source)
		return error_make(GPUSCOPE_STATUS_USAGE, "hang", "the GPU has no source, only "
				  "definitions: open a dump, a capture, a log or a device");
	kept = calloc(1, sizeof(*kept));
	if (!kept)
		return error_memory();
	kept->gpu = gpu_hold(gpu);
	error = error_of(examine(kept, &err), &err);
	if (!error)
		show(kept);
	if (kept->keep.failed && !error)
		error = error_memory();
	if (error)
		gpuscope_hang_free(&kept->hang);
	else
		*out = &kept->hang;
	return error;
}

void gpuscope_hang_free(struct gpuscope_hang *hang)
{
	struct hang_kept *kept = (struct hang_kept *)hang;

	if (!hang)
		return;
	log_end(&kept->log);
	gsc_hangs_close(&kept->found);
	keep_free(&kept->keep);
	gpuscope_gpu_free(kept->gpu);
	free(kept);
}

struct gpuscope_error *gpuscope_hang_check(const struct gpuscope_hang *hang,
					   struct gpuscope_list **out)
{
	struct hang_kept *kept = (struct hang_kept *)hang;
	struct made_list *list = made_list_new(kept->gpu, NULL);
	enum gsc_status status = GSC_OK;
	struct gsc_breach doubt;
	struct gsc_event event;
	struct gsc_error err;

	if (list && kept->found.main)
		status = gsc_hang_check(kept->found.main, made_list_breach, list, &err);
	if (list && kept->log.log)
		gsc_log_rewind(kept->log.log, kept->gpu->unnamed ? NULL : kept->gpu->gpu->view);
	while (list && kept->log.log && gsc_log_next(kept->log.log, &event))
		if (gsc_log_summary_doubt(kept->log.summary, &event, &doubt))
			made_list_breach(list, &doubt);
	return made_list_done(list, status, &err, out);
}
