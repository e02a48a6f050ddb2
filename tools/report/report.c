/* SPDX-License-Identifier: MIT */
/* gpu-report: what a source shows, as one page to attach to a bug. */
#include "report.h"
#include "tools.h"
#include "hang/hang.h"

#include <errno.h>

static const char *const usage[] = {
	"[options] [-o report.html] [SOURCE]",
	NULL,
};

static const struct option_row options[] = {
	{ 'o', "output", "FILE", OPTION_STRING, offsetof(struct report, output),
	  "where to write the page; - is standard output", "FILE", true },
	UNSAFE_OPTION,
	{ 'j', "json", NULL, OPTION_FLAG, offsetof(struct report, fault.common.json), NULL },
	{ 0, "ndjson", NULL, OPTION_FLAG, offsetof(struct report, fault.common.ndjson), NULL },
};

static unsigned take(const struct common *common)
{
	(void)common;
	return TAKE_ANY;
}

/* ---- where it goes -------------------------------------------------------------------------- */

static enum gsc_status write_to(struct common *common, int fd, const char *path,
				struct gsc_error *err)
{
	const struct report *r = (const struct report *)common;
	int error;

	errno = 0;
	if (fd_write(fd, r->out->data, r->out->size))
		return GSC_OK;
	error = errno;
	err_errno(err, path, error);
	errno = error;
	return err->status;
}

static enum gsc_status deliver(struct report *r, struct gsc_error *err)
{
	struct common *common = report_common(r);
	enum gsc_status status, told;
	char name[160];

	if (r->output)
		return file_save(common, r->output, FILE_PRIVATE, write_to, err);
	clock_name(common, r->now, ".html", name, sizeof(name));
	status = file_save(common, name, FILE_PRIVATE, write_to, err);
	if (common->quiet || (status && status != GSC_PARTIAL))
		return status;
	told = output_open(common, false, err);
	if (!told)
		gsc_out_format(common->out, "%s\n", name);
	return told ? told : status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum gsc_status report_gather(struct report *r, enum gsc_status *worst, struct gsc_error *err)
{
	struct common *common = report_common(r);
	enum gsc_status status = hangs_open(common, &r->hangs, worst, err);

	if (status)
		return status;
	/* The page is about what the verdict rests on. */
	for (size_t i = 0; i < r->hangs.count; i++)
		if (r->hangs.kept[i].hang == r->hangs.main)
			r->kept = &r->hangs.kept[i];
	common->hides_folders = true;
	if (r->kept && common->live)
		hints_set(common, r->kept->path, true);
	r->hang = r->hangs.main;
	r->source = r->kept ? r->kept->source : common->source;
	r->gpu = r->kept ? r->kept->gpu : common->gpu;
	r->view = gsc_gpu_view(r->gpu);
	return listings_gather(r) ? GSC_OK : err_memory(err);
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct report *r = (struct report *)common;
	enum gsc_status worst = GSC_OK, status;

	if (wants_json(common))
		return usage_error(err, "--json", "a page is for people: gpu-fault --json has "
				   "what went wrong");
	if (common->operand_count)
		return usage_error(err, common->operands[0], "expected a source, not a number");
	if (r->output && !*r->output)
		return usage_error(err, "--output", "expected a file name");
	if (r->output && file_is_terminal(r->output))
		return usage_error(err, "standard output", "is a terminal: give a file with -o");
	common->without_registers = common->guc = true;
	status = clock_now(&r->now, err);
	if (!status)
		status = common_open(common, err);
	if (!status)
		status = report_gather(r, &worst, err);
	if (!status)
		status = report_write(r, err);
	if (!status && r->empty) {
		status = GSC_UNKNOWN;
		complain(common, status, "registers, commands and tables", "none in this dump");
	} else if (!status) {
		worst = worse(worst, complain_missed(common, &r->hangs, NULL));
		status = deliver(r, err);
	}
	return worse(status, worst);
}

void report_free(struct report *r)
{
	listings_free(r);
	gsc_hangs_close(&r->hangs);
	gsc_out_free(r->out);
}

static enum gsc_status run_and_clear(struct common *common, struct gsc_error *err)
{
	struct report *r = (struct report *)common;
	enum gsc_status status = run(common, err);

	report_free(r);
	return status;
}

const struct command report_command = {
	.name = "gpu-report",
	.purpose = "write an HTML report about a hang of an Intel GPU",
	.size = sizeof(struct report),
	.run = run_and_clear,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.saves = "",
	.take = take,
};
