/* SPDX-License-Identifier: MIT */
/* gpu-fault for sources: for one, or for one dump after the other. */
#include "fault.h"
#include "device/device.h"
#include "formats/dump.h"
#include "hang/hang.h"
#include "open/open.h"
#include "util/text.h"

#include <stdlib.h>

/*
 * If no register of the kind has a value, a source has nothing to show, as *said says. `file`: one
 * of several, which are shown all the same.
 */
static enum gsc_status check_reads(struct common *common, const struct gsc_hang *hang,
				   const char *file, char *said, size_t size)
{
	static const char what[] = "registers of faults, errors and engines";
	static const struct {
		enum gsc_read read;
		enum gsc_status status;
		char why[44];
	} reasons[] = {
		{ GSC_READ_DENIED, GSC_DENIED, "not permitted to read them" },
		{ GSC_READ_ASLEEP, GSC_GONE, "asleep: nobody holds forcewake" },
		{ GSC_READ_ALL_ONES, GSC_GONE, "all ones: the device is suspended or gone" },
		{ GSC_READ_ABSENT, GSC_UNKNOWN, "none in this dump" },
	};
	enum gsc_status status = GSC_OK;
	char trace[HINT_SIZE + 80], hint[HINT_SIZE];
	const char *why = "";

	for (size_t i = 0; i < ARRAY_SIZE(reasons) && !status; i++)
		if (!gsc_hang_reads(hang, GSC_READ_OK) && gsc_hang_reads(hang, reasons[i].read)) {
			status = reasons[i].status;
			why = reasons[i].why;
		}
	/* The driver's own words for what its engines do are in the memory of the machine. */
	if (status == GSC_UNKNOWN && hang->facts.in_memory)
		return GSC_OK;
	if (status == GSC_UNKNOWN && gsc_source_has(common->source, GSC_SOURCE_AUB)) {
		string_set(trace, "none in this dump: a trace has what was submitted; try: %s",
			   hint_command(common, "batch", hint, sizeof(hint)));
		why = trace;
	}
	if (status == GSC_UNKNOWN && gsc_source_has(common->source, GSC_SOURCE_MEMORY))
		why = "none in this dump: a memory dump holds memory only; add an error state, a "
		      "capture or -s bar:FILE";
	if (status == GSC_GONE && gsc_hang_reads(hang, GSC_READ_ASLEEP) &&
	    gsc_source_live(common->source))
		why = "asleep: nobody holds forcewake; --wake=registers requests it";
	snprintf(said, size, "%s: %s", what, why);
	if (status && file) {
		complain(common, GSC_PARTIAL, file, said);
		return GSC_PARTIAL;
	}
	if (status)
		complain(common, status, what, why);
	return status;
}

/*
 * Registers missing from a dump do not count, because it has what its writer chose; nor do sleeping
 * ones, which are most of an idle GPU: the engines' states show what they leave open.
 */
enum gsc_status complain_missed(struct common *common, const struct gsc_hangs *hangs,
				const char *file)
{
	static const struct {
		enum gsc_read read;
		char why[44];
	} reasons[] = {
		{ GSC_READ_DENIED, "not permitted to read them" },
		{ GSC_READ_ALL_ONES, "all ones: the device is suspended or gone" },
	};
	static const char memory[] = "memory: ", stolen[] = "memory: stolen memory: ";
	enum gsc_status status = complain_refusal(common);
	const struct gsc_hang *hang = hangs->now;
	struct gsc_property property;
	size_t all = 0, count;
	char line[160], why[600];

	/*
	 * On a live device the kernel's refusal is reported: for a capture, that it was refused
	 * when that was made. Stolen memory is never accessible to the processor.
	 */
	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_property(common->source, part, i, &property); i++) {
			if (strcmp(property.key, "left-out") ||
			    strncmp(property.value, memory, strlen(memory)) ||
			    !strncmp(property.value, stolen, strlen(stolen)))
				continue;
			string_set(why, "memory could not be read when the capture was saved: %s",
				   property.value + strlen(memory));
			complain(common, GSC_PARTIAL, gsc_source_name(common->source, part), why);
			status = worse(status, GSC_PARTIAL);
		}

	/* If none has a value, that is reported instead. */
	if (!hang || !gsc_hang_reads(hang, GSC_READ_OK))
		return status;
	for (int read = GSC_READ_OK; read < GSC_READS; read++)
		if (read != GSC_READ_ABSENT)
			all += gsc_hang_reads(hang, (enum gsc_read)read);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		count = gsc_hang_reads(hang, reasons[i].read);
		if (!count)
			continue;
		string_set(line, "%zu of %zu registers of faults, errors and engines: "
			 "%s", count, all, reasons[i].why);
		complain(common, GSC_PARTIAL, file ? file : "", line);
		status = worse(status, GSC_PARTIAL);
	}
	return status;
}

/* ---- what the kernel has kept --------------------------------------------------------------- */

struct losing {
	struct common *common;
	enum gsc_status *worst;
};

static void lose(void *context, const char *path, const struct gsc_error *err)
{
	struct losing *losing = context;

	complain(losing->common, GSC_PARTIAL, path, err->why);
	*losing->worst = worse(*losing->worst, GSC_PARTIAL);
}

enum gsc_status hangs_open(struct common *common, struct gsc_hangs *f, enum gsc_status *worst,
			   struct gsc_error *err)
{
	struct losing losing = { common, worst };
	struct gsc_source_options source = {
		.db = common->db,
		.platform = common->platform_name,
		.wake = (enum gsc_wake)common->wake,
		.temporary = outside_temporary,
		.open = file_open,
		.context = common,
	};
	struct gsc_hangs_options options = {
		.no_walk = ((struct fault *)common)->no_walk,
		.source = &source,
		.lost = lose,
		.context = &losing,
	};

	return gsc_hangs_open(f, common->gpu, &options, err);
}

const char *age_text(int64_t seconds, char *buf, size_t size)
{
	static const struct {
		int64_t seconds;
		char unit[8];
	} units[] = { { 86400, "day" }, { 3600, "hour" }, { 60, "minute" }, { 1, "second" } };
	size_t i = 0;

	if (seconds < 0)
		return "of unknown age";
	if (seconds < 1)
		return "just now";
	while (seconds < units[i].seconds * 2 && i + 1 < ARRAY_SIZE(units))
		i++;
	snprintf(buf, size, "%lld %s%s old", (long long)(seconds / units[i].seconds),
		 units[i].unit, seconds / units[i].seconds == 1 ? "" : "s");
	return buf;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_part(struct gsc_out *out, const char *text)
{
	gsc_out_end(out);
	text_styled(out, GSC_STYLE_BOLD, text);
	gsc_out_end(out);
}

/* Which kept dump the verdict is about, if it is not about the registers. */
static const struct gsc_kept *main_kept(const struct gsc_hangs *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->kept[i].hang == f->main)
			return &f->kept[i];
	return NULL;
}

/*
 * Commands to type read the source of the hang: a stored dump of a device is a separate file, that
 * of another source is taken out of it.
 */
static void set_hints(struct common *common, const struct gsc_hangs *f, const struct gsc_hang *hang)
{
	const char *file = ((struct fault *)common)->file;

	for (size_t i = 0; i < f->count; i++) {
		if (f->kept[i].hang != hang)
			continue;
		if (gsc_source_live(common->source))
			hints_set(common, f->kept[i].path, true);
		else
			hints_inside(common, file, f->kept[i].path);
		return;
	}
	hints_set(common, file, false);
}

/* "## i915 error state /sys/..., 2 hours old"; a source other than the verdict's has its own. */
static void text_evidence(struct common *common, struct gsc_hangs *f, const char *title,
			  struct gsc_hang *hang)
{
	put_part(common->out, title);
	set_hints(common, f, hang);
	if (hang && hang != f->main)
		gsc_text_verdict(common->out, hang, text_flags(common));
	if (hang)
		gsc_text_hang(common->out, hang, text_flags(common));
}

/* The sentence, and its source and age, if that was kept. */
static void text_verdict(struct common *common, struct gsc_hangs *f)
{
	const struct gsc_kept *kept = main_kept(f);
	char age[60];

	if (kept && common->quiet)
		gsc_out_format(common->out, "(%s, %s) ", kept->kind,
			       age_text(kept->age, age, sizeof(age)));
	set_hints(common, f, f->main);
	gsc_text_verdict(common->out, f->main, text_flags(common));
	if (kept && !common->quiet)
		gsc_out_format(common->out, "from:   %s, %s\n", kept->path,
			       age_text(kept->age, age, sizeof(age)));
}

static void text_hangs(struct common *common, struct gsc_hangs *f)
{
	char line[240], age[60];

	text_verdict(common, f);
	if (common->quiet)
		return;
	if (!f->count) {
		gsc_text_hang(common->out, f->main, text_flags(common));
		return;
	}
	for (size_t i = 0; i < f->count; i++) {
		string_set(line, "## %s %s, %s", f->kept[i].kind, f->kept[i].path,
			 age_text(f->kept[i].age, age, sizeof(age)));
		text_evidence(common, f, line, f->kept[i].hang);
	}
	text_evidence(common, f, !f->now ? "## registers now: cannot be read" :
		      gsc_source_live(common->source) ? "## registers now" :
		      f->now->facts.in_memory ? "## the memory of the machine" :
		      "## registers when the capture was made", f->now);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

SCHEMA(fault, FAULT_SCHEMA, "gpu-fault --json", "One document a source; of several files one a "
       "line.",
       FORMS(report))

KEYS(stored)
static void json_stored(struct gsc_json *json, const struct gsc_kept *stored)
{
	KEY(text, "path", stored->path);
	KEY(text, "kind", stored->kind);
	KEY_OR_NULL(stored->age >= 0, number, "age", (uint64_t)stored->age,
		    "In seconds, null if it does not say.");
	KEY(text, "signature", stored->hang->signature);
	KEY(text, "verdict", stored->hang->verdict);
}

KEYS()
enum gsc_status json_kept(struct gsc_json *json, const struct gsc_hangs *f, const char *refused,
			  struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	KEY_EACH(object, "stored", for (size_t i = 0; f && i < f->count; i++),
		 json_stored(json, &f->kept[i]),
		 "What the kernel of a live GPU has kept; the document is about the first, and "
		 "`now` about the registers.");
	KEY(text_or_null, "refused", refused,
	    "Why the registers of the GPU cannot be read: the document is then about the first of "
	    "`stored`, and `now` is null.");
	KEY_OR_NULL(f && f->now && f->now != f->main, object, "now",
		    status = gsc_json_hang(json, f->now, NULL, err), OF(hang));
	return status;
}

KEYS()
void json_error(struct gsc_json *json, const char *why)
{
	KEY(text_or_null, "error", why,
	    "Why a file, one of several, could not be read; all lists are empty then.");
}

KEYS(report)
static enum gsc_status json_report(struct common *common, struct gsc_hangs *f,
				   struct gsc_error *err)
{
	const struct gsc_error *refusal = gsc_source_refusal(common->source);
	struct gsc_json document, *json = &document;
	enum gsc_status status;

	source_document(common, FAULT_SCHEMA, json);
	status = json_kept(json, f, refusal ? refusal->why : NULL, err);
	KEYS_OF(hang);
	if (!status)
		status = hang_json(common, json, f->main, err);
	json_error(json, NULL);
	if (!status)
		status = log_json(common, json, err);
	gsc_json_finish(json);
	return status;
}

/* ---- a case --------------------------------------------------------------------------------- */

static enum gsc_status report_case(struct common *common, struct gsc_hangs *f,
				   struct gsc_error *err)
{
	const struct gsc_kept *kept = main_kept(f);
	char attach[HINT_SIZE + 80], from[240], age[60];
	struct gsc_case c = {
		.hang = f->main,
		.attach = case_attachment(common, true, attach, sizeof(attach)),
		.log_first = !gsc_hang_tells(f->main) && log_tells(common),
	};

	if (kept) {
		string_set(from, "%s %s, %s", kept->kind, kept->path,
			   age_text(kept->age, age, sizeof(age)));
		c.from = from;
	}
	set_hints(common, f, f->main);
	return log_case(common, &c, err);
}

/* ---- one source ----------------------------------------------------------------------------- */

/* Then the verdict is repeated, which of several dumps each has its own. */
bool verdict_left(const struct common *common)
{
	if (common->quiet || common->operand_count > 1 || !output_scrolled(common))
		return false;
	gsc_out_end(common->out);
	return true;
}

/* What shows that something went wrong comes first: the dump, or else the log beside it. */
static enum gsc_status text_report(struct common *common, struct gsc_hangs *f,
				   struct gsc_error *err)
{
	bool log = gsc_source_has(common->source, GSC_SOURCE_LOG);
	bool first = log && !gsc_hang_tells(f->main) && log_tells(common);
	const struct gsc_error *refusal = gsc_source_refusal(common->source);
	const struct gsc_kept *kept = main_kept(f);
	enum gsc_status status = GSC_OK;
	char reason[240];

	if (!common->quiet)
		source_title(common);
	/* What the answer rests on, if that is not what was requested. */
	if (!common->quiet && refusal && kept)
		gsc_out_format(common->out, "# registers cannot be read: %s; this is the %s that "
			       "the driver stored\n",
			       refusal_reason(refusal, reason, sizeof(reason)), kept->kind);
	if (first) {
		status = log_show(common, false, err);
		if (!common->quiet)
			put_part(common->out, f->now && f->now->facts.in_memory ?
				 "## the memory of the machine" : "## registers");
	}
	text_hangs(common, f);
	if (log && !first)
		status = log_show(common, false, err);
	if (!verdict_left(common))
		return status;
	if (first)
		log_verdict(common);
	else
		text_verdict(common, f);
	return status;
}

/* Did memory run out while what was shown was searched for? */
static bool lacks_causes(const struct gsc_hangs *f)
{
	bool lacks = f->main->causes_missed || (f->now && f->now->causes_missed);

	for (size_t i = 0; i < f->count; i++)
		lacks |= f->kept[i].hang->causes_missed;
	return lacks;
}

static enum gsc_status report(struct common *common, const char *file, struct gsc_error *err)
{
	enum gsc_status worst = GSC_OK, status;
	char said[HINT_SIZE + 160];
	struct gsc_hangs f;
	bool shows;
	const char *own = file ? file : common->operand_count ? common->operands[0] : NULL;

	((struct fault *)common)->file = own;
	if (!common->gpu || gsc_source_is_log(common->source)) {
		hints_set(common, own, false);
		return log_show(common, true, err);
	}
	status = hangs_open(common, &f, &worst, err);
	if (status)
		return status;
	/* A log, and other sources without registers of faults and engines: lspci's rows. */
	if (gsc_hangs_only_log(&f, common->source)) {
		gsc_hangs_close(&f);
		hints_set(common, own, false);
		return log_show(common, true, err);
	}
	set_hints(common, &f, NULL);
	status = f.count || !f.now ? GSC_OK :
		 check_reads(common, f.now, file, said, sizeof(said));
	/* A dump without registers still has what the driver says besides. */
	shows = !status || gsc_source_has(common->source, GSC_SOURCE_DEVCOREDUMP) ||
		(f.main->facts.about.count && !f.main->facts.about.items[0].a.detail);
	worst = worse(worst, status);
	worst = worse(worst, complain_missed(common, &f, file));
	if (wants_cases(common) && shows)
		worst = worse(worst, report_case(common, &f, err));
	else if (wants_json(common))
		status = json_report(common, &f, err);
	else if (!wants_cases(common) && (shows || file))
		worst = worse(worst, text_report(common, &f, err));
	else if (gsc_source_has(common->source, GSC_SOURCE_LOG))
		worst = worse(worst, log_show(common, wants_cases(common), err));
	else if (wants_cases(common))
		case_put_error(common, own ? own : gsc_source_name(common->source, 0), said, err);
	for (size_t i = 0; i < f.count; i++)
		worst = worse(worst, complain_damage(common, f.kept[i].source));
	if (lacks_causes(&f))
		status = err_memory(err);
	gsc_hangs_close(&f);
	return worse(worse(status, worst), complain_damage(common, common->source));
}

enum gsc_status report_run(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);

	if (!status)
		status = fault_open(common, common->operand_count ? common->operands[0] : NULL,
				    false, err);
	if (!status)
		status = report_open(common, err);
	return status ? status : report(common, NULL, err);
}

/* ---- many dumps ----------------------------------------------------------------------------- */

/* False: it cannot be read, as its own line says, and *err. */
static bool dump_report(struct common *common, const char *file, bool first,
			enum gsc_status *worst, struct gsc_error *err)
{
	char why[sizeof(((struct gsc_error *)NULL)->what) +
		 sizeof(((struct gsc_error *)NULL)->why) + 4];
	struct gsc_error ignored = { 0 };
	enum gsc_status status;
	struct gsc_json json;
	bool opened;

	*err = (struct gsc_error){ 0 };
	status = fault_open(common, file, false, err);
	opened = !status;
	if (opened) {
		if (!first && !common->quiet && !wants_json(common) && !wants_cases(common))
			gsc_out_end(common->out);
		if (common->quiet && !wants_json(common)) {
			gsc_out_clean(common->out, file);
			gsc_out_text(common->out, ": ");
		}
		status = report(common, file, err);
	}
	if (*err->why) {
		string_set(why, "%s%s%s", strcmp(err->what, file) ? err->what : "",
			 strcmp(err->what, file) ? ": " : "", err->why);
		complain(common, GSC_PARTIAL, file, why);
		status = GSC_PARTIAL;
	}
	/* An unreadable one costs one row, and no other row. */
	if (*err->why && wants_cases(common))
		case_put_error(common, file, err->why, &ignored);
	if (*err->why && wants_json(common)) {
		document_begin(common, FAULT_SCHEMA, &file, 1, &json);
		json_kept(&json, NULL, NULL, NULL);
		gsc_json_hang_none(&json);
		json_error(&json, err->why);
		gsc_json_finish(&json);
	}
	*worst = worse(*worst, status);
	common_gpu_close(common);
	source_close(common->source);
	common->source = NULL;
	common->device = common->revision = -1;
	return opened;
}

/* They are opened one after the other, and so while others are decoded. */
static void find_devices(struct common *common, const char *const *specs, size_t count)
{
	char *path;

	for (size_t i = 0; i < count; i++) {
		common->live |= gsc_spec_kind(specs[i], &path) == GSC_SPEC_DEVICE;
		free(path);
	}
}

enum gsc_status dumps_run(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err), worst = GSC_OK;
	struct gsc_error lost = { 0 }, why;
	size_t opened = 0;

	find_devices(common, common->operands, common->operand_count);
	find_devices(common, common->from.items, common->from.count);
	if (!status)
		status = report_open(common, err);
	if (status)
		return status;
	common->ndjson = wants_json(common);
	for (size_t i = 0; i < common->operand_count && !gsc_out_error(common->out); i++) {
		if (dump_report(common, common->operands[i], !i, &worst, &why))
			opened++;
		else if (!lost.status)
			lost = why;
	}
	if (opened || !lost.status)
		return worst;
	*err = (struct gsc_error){ .status = lost.status };
	string_set(err->what, "%zu dumps", common->operand_count);
	string_set(err->why, "none can be read: %.200s: %.200s", lost.what, lost.why);
	return lost.status;
}
