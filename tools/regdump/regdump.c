/* SPDX-License-Identifier: MIT */
/* gpu-regdump: read and decode registers. */
#include "regdump.h"
#include "tools.h"

#include <string.h>

static const char *const usage[] = {
	"[options] [SOURCE] [SELECTOR...]",
	"[options] --list [SOURCE] [SELECTOR...]",
	"[options] --decode [SOURCE] REG=VALUE... | -",
	"[options] --diff A B [SELECTOR...]",
	"[options] --watch SECONDS [--count N] [SOURCE] [SELECTOR...]",
	"[options] --write [SOURCE] NAME[:FIELD]=VALUE...",
	"[options] --check-workarounds [SOURCE]",
	"[options] --devices",
	NULL,
};

#define MEMBER(member) offsetof(struct regdump, member)

static const struct option_row options[] = {
	{ 0, "list", NULL, OPTION_FLAG, MEMBER(list), "show definitions, read nothing", NULL,
	  true },
	{ 0, "decode", NULL, OPTION_FLAG, MEMBER(decode),
	  "decode given values, or lines of standard input", NULL, true },
	{ 0, "diff", NULL, OPTION_FLAG, MEMBER(diff),
	  "compare two sources; A may be \"reset\": the reset values",
	  "reset SOURCE REGISTER", true },
	{ 0, "watch", "SECONDS", OPTION_SECONDS, MEMBER(watch),
	  "read every SECONDS, show what changed", NULL, true },
	{ 0, "count", "N", OPTION_NUMBER, MEMBER(count), "stop watching after N readings" },
	{ 0, "devices", NULL, OPTION_FLAG, MEMBER(devices), "show the GPUs of this machine",
	  "NONE", true },
	{ 0, "check-workarounds", NULL, OPTION_FLAG, MEMBER(workarounds),
	  "compare with what the driver writes because of errata", "SOURCE" },
	UNSAFE_OPTION,
	{ 0, "write", NULL, OPTION_FLAG, MEMBER(write),
	  "write registers; or allow reads that first write an index", "REGISTER", true },
	{ 'n', "dry-run", NULL, OPTION_FLAG, MEMBER(dry_run),
	  "show the accesses of a write without doing them", "REGISTER" },
	{ 0, "force", NULL, OPTION_FLAG, MEMBER(force), "write even where that is a hazard" },
};

static const struct option_rule rules[] = {
	{ "list", "decode diff watch devices unsafe wake write", false },
	{ "decode", "diff watch devices unsafe wake write", false },
	{ "diff", "watch devices from", false },
	{ "watch", "devices json", false },
	{ "check-workarounds", "list decode diff watch devices unsafe write dry-run", false },
	{ "count", "watch", true },
	{ "devices", "from platform unsafe wake write", false },
	{ "dry-run", "list decode diff watch devices", false },
	{ "force", "write dry-run", true },
};

static unsigned take(const struct common *common)
{
	const struct regdump *dump = (const struct regdump *)common;

	if (dump->diff || dump->devices)
		return 0;
	if (dump->workarounds)
		return TAKE_ANY;
	return dump->decode ? TAKE_BESIDE_NAMES & ~TAKE_STDIN : TAKE_BESIDE_NAMES;
}

static bool reads_none(const struct common *common)
{
	const struct regdump *dump = (const struct regdump *)common;

	return dump->list || dump->decode || dump->dry_run;
}

/* The operand that is one, or NULL; in the shell its own lines write. */
static const char *assignment(const struct common *common)
{
	for (size_t i = 0; !common->session && i < common->operand_count; i++)
		if (strchr(common->operands[i], '='))
			return common->operands[i];
	return NULL;
}

static void prepare(struct common *common)
{
	struct regdump *dump = (struct regdump *)common;

	if (dump->write && !dump->dry_run && assignment(common))
		record_open(common, &dump->journal);
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct regdump *dump = (struct regdump *)common;

	const char *assigned = assignment(common);

	common->write = dump->write && !dump->dry_run;
	if (option_given(common, "count") && !dump->count)
		return usage_error(err, "--count 0", "expected 1 or more");
	if (dump->devices)
		return devices_run(common, err);
	if (dump->workarounds)
		return workarounds_run(common, err);
	if (dump->list)
		return list_run(common, err);
	if (dump->decode)
		return decode_run(common, err);
	if (dump->diff)
		return diff_run(common, err);
	if (dump->watch)
		return watch_run(common, err);
	if (dump->dry_run || (dump->write && assigned))
		return write_run(common, err);
	if (assigned)
		return usage_error(err, assigned, "--decode shows what a value means, --write "
						  "writes it");
	return dump_run(common, err);
}

const struct command regdump_command = {
	.name = "gpu-regdump",
	.purpose = "read and decode the registers of an Intel GPU",
	.size = sizeof(struct regdump),
	.prepare = prepare,
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE REGISTER",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
	.reads_none = reads_none,
};
