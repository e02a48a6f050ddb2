/* SPDX-License-Identifier: MIT */
/* gpu-snap: captures of a GPU's state. */
#include "snap.h"
#include "tools.h"

#include <string.h>

static const char *const usage[] = {
	"[options] save [-o FILE|-] [--no-ggtt] [--mem A+LEN] [--redact]",
	"[options] info FILE",
	NULL,
};

#define MEMBER(member) offsetof(struct snap, member)

static const struct option_row options[] = {
	{ 'o', "output", "FILE", OPTION_STRING, MEMBER(output),
	  "where to save; - is standard output" },
	{ 0, "no-ggtt", NULL, OPTION_FLAG, MEMBER(no_ggtt), "leave out the GGTT" },
	{ 0, "mem", "A+LEN", OPTION_LIST, MEMBER(memory),
	  "of physical memory save this stretch only; may be repeated" },
	{ 0, "redact", NULL, OPTION_FLAG, MEMBER(redact),
	  "leave out what tells of the machine and who saved it" },
	UNSAFE_OPTION,
};

const struct command snap_command = {
	.name = "gpu-snap",
	.purpose = "Save the state of an Intel GPU into one file.",
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
};

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	const char *word = common->operand_count ? common->operands[0] : "";

	if (!strcmp(word, "save")) {
		if (common->operand_count > 1)
			return usage_error(err, common->operands[1],
					   "not expected here: the file goes with -o");
		return save_run(common, err);
	}
	if (!strcmp(word, "info")) {
		if (option_given(common, "output") || option_given(common, "mem"))
			return usage_error(err, "info", "-o and --mem go with save only");
		if (common->operand_count != 2)
			return usage_error(err, "info", "expected one FILE after it");
		return info_run(common, err);
	}
	return usage_error(err, word, "expected save or info");
}

int snap_main(int argc, char **argv)
{
	struct snap snap = { 0 };

	return command_run(&snap_command, &snap.common, argc, argv, run);
}
