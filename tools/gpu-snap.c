/* SPDX-License-Identifier: MIT */
/* gpu-snap: captures of a GPU's state. */
#include "snap.h"
#include "tools.h"

#include <stdio.h>
#include <string.h>

static const char *const usage[] = {
	"[options] save [-o FILE|-] [--no-ggtt] [--mem A+LEN] [--tables] [--redact]",
	"[options] info FILE",
	"[options] extract FILE PART [-o OUT|-]",
	"[options] convert FILE --to capture|aub|bar -o OUT",
	NULL,
};

#define MEMBER(member) offsetof(struct snap, member)

static const struct option_row options[] = {
	{ 'o', "output", "FILE", OPTION_STRING, MEMBER(output),
	  "where to save; - is standard output" },
	{ 0, "no-ggtt", NULL, OPTION_FLAG, MEMBER(no_ggtt),
	  "leave out the GGTT, and what is found through it" },
	{ 0, "mem", "A+LEN", OPTION_LIST, MEMBER(memory),
	  "of memory save this stretch only; may be repeated" },
	{ 0, "tables", NULL, OPTION_FLAG, MEMBER(tables),
	  "save the page tables of all contexts, whole" },
	{ 0, "redact", NULL, OPTION_FLAG, MEMBER(redact),
	  "leave out memory, names, what tells of the machine" },
	{ 0, "to", "FORMAT", OPTION_STRING, MEMBER(to), "convert to capture, aub or bar" },
	{ 0, "compress", "auto|zstd|gzip|none", OPTION_CHOICE, MEMBER(compress),
	  "how a capture is packed (auto: as its name says)" },
	UNSAFE_OPTION,
};

const struct command snap_command = {
	.name = "gpu-snap",
	.purpose = "Save the state of an Intel GPU into one file.",
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
};

static const struct verb {
	const char *name;
	size_t operands;
	const char *expected;
	const char *options;		/* those of the table that go with it */
	run_fn *run;
} verbs[] = {
	{ "save", 0, "", "output no-ggtt mem tables redact compress unsafe", save_run },
	{ "info", 1, "expected one FILE after it", "", info_run },
	{ "extract", 2, "expected FILE and PART after it", "output", extract_run },
	{ "convert", 1, "expected one FILE after it",
	  "output to no-ggtt mem redact compress unsafe", convert_run },
};

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

static enum gsc_status check_options(const struct common *common, const struct verb *verb,
				     struct gsc_error *err)
{
	char why[64];

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (!option_given(common, options[i].name) ||
		    has_word(verb->options, options[i].name))
			continue;
		snprintf(why, sizeof(why), "does not go with --%s", options[i].name);
		return usage_error(err, verb->name, why);
	}
	return GSC_OK;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	const char *word = common->operand_count ? common->operands[0] : "";
	enum gsc_status status;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct verb *verb = &verbs[i];

		if (strcmp(word, verb->name))
			continue;
		status = check_options(common, verb, err);
		if (status)
			return status;
		if (!verb->operands && common->operand_count > 1)
			return usage_error(err, common->operands[1],
					   "not expected here: the file goes with -o");
		if (common->operand_count != verb->operands + 1)
			return usage_error(err, word, verb->expected);
		if (verb->operands && common->from.count)
			return usage_error(err, "--from",
					   "goes with save only: the others take a FILE");
		common->operands++;
		common->operand_count--;
		return verb->run(common, err);
	}
	return usage_error(err, word, "expected save, info, extract or convert");
}

int snap_main(int argc, char **argv)
{
	struct snap snap = { 0 };

	return command_run(&snap_command, &snap.common, argc, argv, run);
}
