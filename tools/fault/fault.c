/* SPDX-License-Identifier: MIT */
/* gpu-fault: what went wrong. */
#include "fault.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>

static const char *const usage[] = {
	"[options] [FILE...]",
	"[options] --dmesg [FILE|-]",
	"[options] --decode KIND FILE[@OFF]",
	"[options] --processes VMCORE",
	"[options] --ecode GEN:CLASSES:CODE...",
	NULL,
};

#define MEMBER(member) offsetof(struct fault, member)

static const struct option_row options[] = {
	{ 0, "dmesg", NULL, OPTION_FLAG, MEMBER(dmesg),
	  "read a kernel log: i915, xe and DMAR lines", NULL, true },
	{ 0, "kcore", NULL, OPTION_FLAG, MEMBER(kcore),
	  "read what the driver knows from the memory of this machine" },
	{ 0, "decode", "KIND", OPTION_STRING, MEMBER(decode),
	  "decode memory: hwsp context oa ring guc-ct guc-log guc-capture guc-lfd firmware",
	  IN_HELP, true },
	{ 0, "ecode", "CODE", OPTION_STRING, MEMBER(ecode),
	  "explain a hang code (9:1:85dffffb) or log line", NULL, true },
	{ 0, "processes", NULL, OPTION_FLAG, MEMBER(processes),
	  "from a memory dump: who uses the GPU, and what waits for what", NULL, true },
	{ 0, "walk", NULL, OPTION_FLAG, MEMBER(walk),
	  "translate faulting addresses (default)" },
	{ 0, "no-walk", NULL, OPTION_FLAG, MEMBER(no_walk),
	  "do not translate faulting addresses", NULL, true },
	{ 0, "markdown", NULL, OPTION_FLAG, MEMBER(markdown),
	  "write a summary to paste into an issue", NULL, true },
	{ 0, "junit", NULL, OPTION_FLAG, MEMBER(junit),
	  "write JUnit XML, for a CI server" },
	{ 0, "sarif", NULL, OPTION_FLAG, MEMBER(sarif),
	  "write SARIF 2.1.0, for a CI server" },
	{ 0, "check", NULL, OPTION_FLAG, MEMBER(cases.findings),
	  "with --junit or --sarif: doubts are results, too" },
	{ 'e', "engine", "NAME", OPTION_STRING, MEMBER(engine),
	  "engine that the decoded page belongs to (rcs0)", "ENGINE" },
	{ 0, "format", "NAME", OPTION_STRING, MEMBER(format),
	  "layout of the OA report or the context image", "lrc state pphwsp probe-list" },
	UNSAFE_OPTION,
};

static const struct option_rule rules[] = {
	{ "walk", "no-walk decode", false },
	{ "no-walk", "decode", false },
	{ "dmesg", "decode", false },
	{ "markdown", "junit sarif json ndjson quiet verbose decode ecode", false },
	{ "junit", "sarif json ndjson quiet verbose decode ecode", false },
	{ "sarif", "json ndjson quiet verbose decode ecode", false },
	{ "check", "junit sarif", true },
	{ "ecode", "dmesg decode walk no-walk", false },
	{ "processes", "dmesg decode ecode walk no-walk markdown junit sarif", false },
	{ "kcore", "dmesg decode ecode", false },
	{ "engine", "decode", true },
	{ "format", "decode", true },
};

/* Files are dumps and logs, each alone. */
static unsigned take(const struct common *common)
{
	const struct fault *fault = (const struct fault *)common;

	return (common->operand_count ? TAKE_ALONE : 0) | (fault->dmesg ? TAKE_SPECS : 0) |
	       (fault->kcore ? TAKE_KCORE : 0);
}

static bool reads_none(const struct common *common)
{
	return ((const struct fault *)common)->ecode;
}

enum gsc_status fault_open(struct common *common, const char *file, bool identity_only,
			   struct gsc_error *err)
{
	size_t count;
	const char **specs = specs_with(common, file, &count);
	enum gsc_status status;

	if (!specs)
		return err_memory(err);
	common->rereads = true;		/* as each platform that its hang code fits */
	common->without_registers = common->guc = true;
	status = source_open(common, specs, count, identity_only, &common->source, err);
	common->platform_guessed = false;
	if (!status && !identity_only)
		status = guess_platform(common, specs, count, err);
	free(specs);
	if (status)
		return status;
	/* A log tells its story without a platform, too. */
	if (gsc_source_has(common->source, GSC_SOURCE_LOG) && !common->platform_name &&
	    gsc_source_platform(common->source) < 0)
		return GSC_OK;
	return common_gpu(common, common->source, err);
}

static enum gsc_status fault_run(struct common *common, struct gsc_error *err)
{
	struct fault *fault = (struct fault *)common;
	enum gsc_status status;

	/* It is read elsewhere, by somebody who types the whole command. */
	if (fault->markdown) {
		common->hides_folders = true;
		common->in_session = false;
		common->verb = NULL;
	}
	if (fault->decode)
		return image_run(common, err);
	if (fault->ecode)
		return ecode_run(common, err);
	if (fault->processes)
		return processes_run(common, err);
	status = fault->dmesg ? log_run(common, err) :
		 common->operand_count > 1 ? dumps_run(common, err) : report_run(common, err);
	return wants_cases(common) ? cases_end(common, status, err) : status;
}

const struct command fault_command = {
	.name = "gpu-fault",
	.purpose = "explain what went wrong with an Intel GPU",
	.size = sizeof(struct fault),
	.run = fault_run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
	.reads_none = reads_none,
};
