/* SPDX-License-Identifier: MIT */
/* gpu-db: browse and check the definitions. */
#include "cli/text.h"
#include "gpu-db.h"
#include "tools.h"
#include "util/text.h"

static const char *const usage[] = {
	"[options] list [SOURCE] [NAME...]",
	"[options] list --platforms|--groups|--commands|--ids|... [NAME...]",
	"[options] show [SOURCE] NAME...",
	"[options] which [SOURCE] NAME...",
	"[options] search WORD...",
	"[options] stats [SOURCE]",
	"[options] export [SOURCE]",
	"[options] check [FILE...]",
	NULL,
};

#define MEMBER(member) offsetof(struct db, member)

static const struct option_row options[] = {
	{ 0, "platforms", NULL, OPTION_FLAG, MEMBER(lists), "list platforms", NULL, true },
	{ 0, "properties", NULL, OPTION_FLAG, MEMBER(lists), "list properties of platforms" },
	{ 0, "groups", NULL, OPTION_FLAG, MEMBER(lists), "list groups of registers", NULL, true },
	{ 0, "commands", NULL, OPTION_FLAG, MEMBER(lists), "list commands", NULL, true },
	{ 0, "structures", NULL, OPTION_FLAG, MEMBER(lists),
	  "list structures and page-table entries", NULL, true },
	{ 0, "instructions", NULL, OPTION_FLAG, MEMBER(lists),
	  "list instructions of execution units" },
	{ 0, "topics", NULL, OPTION_FLAG, MEMBER(lists),
	  "list what has notes but is no register, command or structure" },
	{ 0, "documents", NULL, OPTION_FLAG, MEMBER(lists), "list the documents cited" },
	{ 0, "ids", NULL, OPTION_FLAG, MEMBER(lists), "list PCI device ids", NULL, true },
	{ 0, "workarounds", NULL, OPTION_FLAG, MEMBER(lists),
	  "list workarounds: what drivers write into registers" },
	{ 0, "rules", NULL, OPTION_FLAG, MEMBER(lists), "list the rules that commands check" },
	{ 0, "ranges", NULL, OPTION_FLAG, MEMBER(lists),
	  "list ranges of addresses and whose they are" },
	{ 0, "tlbs", NULL, OPTION_FLAG, MEMBER(lists), "list TLBs and other caches" },
	{ 0, "invalidations", NULL, OPTION_FLAG, MEMBER(lists), "list what invalidates caches" },
	{ 0, "messages", NULL, OPTION_FLAG, MEMBER(lists),
	  "list messages of kernel logs, and what they mean" },
	{ 0, "known", NULL, OPTION_FLAG, MEMBER(lists),
	  "list problems that were reported in public" },
	{ 0, "firmware", NULL, OPTION_FLAG, MEMBER(lists),
	  "list the firmware that drivers want, by kernel, and packages that have it" },
	{ 0, "revision", "N", OPTION_NUMBER, MEMBER(revision),
	  "PCI revision of the device, where it matters" },
};

#define LISTINGS                                                                                   \
	"platforms properties groups commands structures instructions topics documents ids rules " \
	"ranges tlbs invalidations messages workarounds known firmware"

#define ANY SIZE_MAX
#define NAMES "SOURCE REGISTER ITEM"

static const struct subcommand subcommands[] = {
	{ "check", "find errors in definitions", "DEFINITIONS", db_check_run, 0, ANY, TAKE_SPECS },
	{ "list", "list definitions", NAMES, db_list_run, 0, ANY, TAKE_BESIDE_NAMES, LISTINGS },
	{ "show", "show definitions in full", NAMES, show_run, 1, ANY, TAKE_BESIDE_NAMES },
	{ "which", "say which variant applies", NAMES, which_run, 1, ANY, TAKE_BESIDE_NAMES },
	{ "search", "find words in definitions", "WORD", search_run, 1, ANY, TAKE_SPECS },
	{ "stats", "count definitions", "SOURCE", stats_run, 0, 0, TAKE_BESIDE_NUMBERS },
	{ "export", "write all definitions", "SOURCE", export_run, 0, 0, TAKE_BESIDE_NUMBERS },
};

static unsigned take(const struct common *common)
{
	const struct subcommand *sub =
		common->operand_count ? subcommand_find(common->command, common->operands[0])
				      : NULL;

	return sub ? sub->take : 0;
}

static bool reads_none(const struct common *common)
{
	(void)common;
	return true;
}

/* ---- the platform --------------------------------------------------------------------------- */

static enum gsc_status find_revision(struct db *db, struct gsc_error *err)
{
	const struct gsc_platform *platform = platform_of(&db->common);
	const char *name;
	char what[100], list[200] = "";
	unsigned revision;

	for (size_t i = 0; (name = gsc_platform_stepping(db->common.db, platform->index, i,
							 &revision)); i++) {
		if (!strcasecmp(name, db->stepping)) {
			db->revision = revision;
			return GSC_OK;
		}
		append_word(list, sizeof(list), ", ", name);
	}
	string_set(what, "%s:%s", platform->name, db->stepping);
	if (!*list)
		return err_set(err, GSC_UNKNOWN, what,
			       "its steppings are unknown: give --revision");
	return err_set(err, GSC_UNKNOWN, what, "unknown stepping; %s has %s", platform->name, list);
}

enum gsc_status db_open(struct common *common, bool needed, struct gsc_error *err)
{
	struct db *db = (struct db *)common;
	bool given = option_given(common, "revision");
	const char *text = common->platform_name, *colon = text ? strchr(text, ':') : NULL;
	enum gsc_status status;

	/* "snb:b2"; but "8086:9a49" is a PCI id. */
	if (colon && strncmp(text, "8086:", 5)) {
		if (given)
			return usage_error(err, text, "names one stepping, --revision another");
		if ((size_t)(colon - text) >= sizeof(db->platform) || !colon[1] ||
		    strlen(colon + 1) >= sizeof(db->stepping))
			return usage_error(err, text, "expected PLATFORM:STEPPING");
		string_set(db->platform, "%.*s", (int)(colon - text), text);
		string_set(db->stepping, "%s", colon + 1);
		common->platform_name = db->platform;
	}
	if (!needed && !given && !common->platform_name && !common->from.count)
		return definitions_open(common, err);
	status = common_open_platform(common, err);
	if (!status && *db->stepping)
		status = find_revision(db, err);
	if (status || (!given && !*db->stepping))
		return status;
	if (db->revision > UINT8_MAX)
		return usage_error(err, "--revision", "expected 0 to 255");
	common->revision = (int)db->revision;
	return common_definitions(common, (int)platform_of(common)->index, err);
}

/* ---- main ----------------------------------------------------------------------------------- */

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	const struct db *db = (const struct db *)common;
	const struct subcommand *sub = NULL;
	const char *listings = LISTINGS;
	char word[24], what[28] = "";

	while (value_next(&listings, word, sizeof(word))) {
		if (!option_given(common, word))
			continue;
		if (*what)
			return usage_error(err, what, "cannot be combined with --%s", word);
		string_set(what, "--%s", word);
	}
	if (common->operand_count)
		sub = subcommand_find(common->command, common->operands[0]);
	if (!sub)
		return usage_error(err, common->operand_count ? common->operands[0] : "command",
				   "expected check, list, show, which, search, stats or export");
	if (common->operand_count - 1 < sub->least)
		return usage_error(err, sub->name, "needs a %s",
				   sub->run == search_run ? "WORD" : "NAME");
	if (common->operand_count - 1 > sub->most)
		return usage_error(err, common->operands[1], "unexpected argument");
	if (!sub->options && db->lists)
		return usage_error(err, sub->name, "only list takes an option that says what to "
						   "list");
	return sub->run(common, err);
}

const struct command db_command = {
	.name = "gpu-db",
	.purpose = "browse and check the definitions of gpuscope",
	.size = sizeof(struct db),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.subcommands = subcommands,
	.subcommand_count = ARRAY_SIZE(subcommands),
	.take = take,
	.reads_none = reads_none,
};
