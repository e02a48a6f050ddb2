/* SPDX-License-Identifier: MIT */
/* gpu-snap: captures of a GPU's state. */
#include "snap.h"
#include "tools.h"

#include <stdio.h>
#include <string.h>

static const char *const usage[] = {
	"[options] save [-o FILE|-] [--no-ggtt] [--mem A+LEN] [--tables] [--redact] [SOURCE]",
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

static const struct verb {
	const char *name;
	size_t operands;		/* the first is a FILE, unless --from says what to read */
	const char *expected;
	const char *options;		/* those of the table that go with it */
	run_fn *run;
} verbs[] = {
	{ "save", 0, "", "output no-ggtt mem tables redact compress unsafe", save_run },
	{ "info", 1, "expected one FILE or --from", "", info_run },
	{ "extract", 2, "expected FILE and PART after it, or --from and PART", "output",
	  extract_run },
	{ "convert", 1, "expected one FILE or --from",
	  "output to no-ggtt mem redact compress unsafe", convert_run },
};

static const struct verb *find_verb(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, word))
			return &verbs[i];
	return NULL;
}

/* After save a file may be meant to be written. */
static unsigned take(const struct common *common)
{
	const struct verb *verb =
		common->operand_count ? find_verb(common->operands[0]) : NULL;

	/* Where -o names that, another file is what is saved. */
	if (verb && !verb->operands && ((const struct snap *)common)->output)
		return TAKE_SPECS | TAKE_FILES;
	if (!verb || !verb->operands)
		return TAKE_SPECS;
	return common->operand_count > verb->operands ? TAKE_ALONE : 0;
}

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

/* A file may be meant to be read or to be written. */
static enum gsc_status tell_save(const char *file, struct gsc_error *err)
{
	char why[400], quoted[300];

	snprintf(why, sizeof(why), "not expected here: to write it, -o; to read it, try: -s %s",
		 shell_quoted(file, quoted, sizeof(quoted)));
	return usage_error(err, file, why);
}

/* "gpu-snap FILE" */
static enum gsc_status tell_verbs(const struct common *common, const char *word,
				  struct gsc_error *err)
{
	static const char expected[] = "expected save, info, extract or convert";
	char why[400], quoted[300];
	bool sure;

	if (!gsc_file_form(word, &sure) && strncmp(word, "demo:", 5))
		return usage_error(err, word, expected);
	snprintf(why, sizeof(why), "%s; try: %s info %s", expected,
		 common->verb ? "snap" : common->command->name,
		 shell_quoted(word, quoted, sizeof(quoted)));
	return usage_error(err, word, why);
}

/* FILE goes for --from; what is left are the other operands. */
static enum gsc_status check_operands(struct common *common, const struct verb *verb,
				      struct gsc_error *err)
{
	size_t count = common->operand_count;

	if (!verb->operands)
		return count ? tell_save(common->operands[0], err) : GSC_OK;
	if (common->from.count && count == verb->operands)
		return usage_error(err, "--from", "and a FILE: expected one of them");
	if (count + (common->from.count > 0) != verb->operands)
		return usage_error(err, verb->name, verb->expected);
	if (common->from.count)
		return GSC_OK;
	common->from.items[common->from.count++] = common->operands[0];
	common->operands++;
	common->operand_count--;
	return GSC_OK;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	const char *word = common->operand_count ? common->operands[0] : "";
	const struct verb *verb = find_verb(word);
	enum gsc_status status;

	if (!verb)
		return tell_verbs(common, word, err);
	common->operands++;
	common->operand_count--;
	status = check_options(common, verb, err);
	if (!status)
		status = check_operands(common, verb, err);
	return status ? status : verb->run(common, err);
}

const struct command snap_command = {
	.name = "gpu-snap",
	.purpose = "Save the state of an Intel GPU into one file.",
	.size = sizeof(struct snap),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.verbs = true,
	.saves = "save",
	.take = take,
};
