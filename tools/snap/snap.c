/* SPDX-License-Identifier: MIT */
/* gpu-snap: captures of a GPU's state. */
#include "snap.h"
#include "tools.h"
#include "open/open.h"

static const char *const usage[] = {
	"[options] save [-o FILE|-] [SOURCE]",
	"[options] info [FILE]",
	"[options] extract [FILE] PART [-o OUT|-]",
	"[options] convert [FILE] --to capture|aub|bar -o OUT",
	NULL,
};

#define MEMBER(member) offsetof(struct snap, member)

static const struct option_row options[] = {
	{ 'o', "output", "FILE", OPTION_STRING, MEMBER(output),
	  "where to write; - is standard output", "FILE", true },
	{ 0, "redact", NULL, OPTION_FLAG, MEMBER(redact),
	  "leave out memory, names and what identifies the machine", NULL, true },
	{ 0, "no-ggtt", NULL, OPTION_FLAG, MEMBER(no_ggtt),
	  "leave out the GGTT and all memory found through it", NULL, true },
	{ 0, "mem", "A+LEN", OPTION_LIST, MEMBER(memory),
	  "save this range of physical memory; repeat for more", NULL, true },
	{ 0, "tables", NULL, OPTION_FLAG, MEMBER(tables),
	  "save the complete page tables of all contexts", NULL, true },
	{ 0, "to", "FORMAT", OPTION_STRING, MEMBER(to), "convert to capture, aub or bar",
	  "capture aub bar", true },
	{ 0, "compress", "auto|zstd|gzip|none", OPTION_CHOICE, MEMBER(compress),
	  "how to compress a capture (auto: by file name)" },
	UNSAFE_OPTION,
};

/* The first operand is a FILE, unless --from says what to read. */
static const struct subcommand subcommands[] = {
	{ "save", "save the state of a GPU", "SOURCE", save_run, 0, 0, 0,
	  "output no-ggtt mem tables redact compress unsafe" },
	{ "info", "show what is in a capture", "SOURCE", info_run, 1, 1, 0, "" },
	{ "extract", "take a part out of a capture", "SOURCE", extract_run, 2, 2, 0, "output" },
	{ "convert", "write a capture in another form", "SOURCE", convert_run, 1, 1, 0,
	  "output to no-ggtt mem redact compress unsafe" },
};

/* After save a file may be meant for writing. */
static unsigned take(const struct common *common)
{
	const struct subcommand *sub =
		common->operand_count ? subcommand_find(common->command, common->operands[0])
				      : NULL;

	/* If -o names that, the other file is the one to save. */
	if (sub && !sub->least && ((const struct snap *)common)->output)
		return TAKE_SPECS | TAKE_FILES;
	if (!sub || !sub->least)
		return TAKE_SPECS;
	return common->operand_count > sub->least ? TAKE_ALONE : 0;
}

/* FILE counts as --from; the rest are the other operands. */
static enum gsc_status check_operands(struct common *common, const struct subcommand *sub,
				      struct gsc_error *err)
{
	size_t count = common->operand_count;
	char quoted[300];

	if (!sub->least && !count)
		return GSC_OK;
	/* A file may be meant for reading or for writing. */
	if (!sub->least)
		return usage_error(err, common->operands[0],
				   "unexpected: to write it, use -o; to read it, try: -s %s",
				   shell_quoted(common->operands[0], quoted, sizeof(quoted)));
	if (common->from.count && count == sub->least)
		return usage_error(err, "--from", "expected --from or a FILE, not both");
	if (count + (common->from.count > 0) != sub->least)
		return usage_error(err, sub->name, sub->least > 1
				   ? "expected FILE and PART, or --from and PART"
				   : "expected one FILE or --from");
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
	const struct subcommand *sub = subcommand_find(common->command, word);
	static const char expected[] = "expected save, info, extract or convert";
	enum gsc_status status;
	char quoted[300];
	bool sure;

	if (!sub && !gsc_file_form(word, &sure) && strncmp(word, "demo:", 5))
		return usage_error(err, word, "%s", expected);
	/* "gpu-snap FILE" */
	if (!sub)
		return usage_error(err, word, "%s; try: %s info %s", expected,
				   common->verb ? "snap" : common->command->name,
				   shell_quoted(word, quoted, sizeof(quoted)));
	common->operands++;
	common->operand_count--;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (option_given(common, options[i].name) &&
		    !glob_list(sub->options, options[i].name))
			return usage_error(err, sub->name, "cannot be combined with --%s",
					   options[i].name);
	status = check_operands(common, sub, err);
	return status ? status : sub->run(common, err);
}

const struct command snap_command = {
	.name = "gpu-snap",
	.purpose = "save the state of an Intel GPU into one file",
	.size = sizeof(struct snap),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.subcommands = subcommands,
	.subcommand_count = ARRAY_SIZE(subcommands),
	.saves = "save",
	.take = take,
};
