/* SPDX-License-Identifier: MIT */
/* gpu-collect: its options, and its subcommands. */
#include "collect.h"
#include "tools.h"
#include "open/open.h"

#include <stdio.h>

static const char *const usage[] = {
	"[options] list [MATCH...]",
	"[options] info [MATCH...]",
	"[options] report [-o FILE|-] [MATCH...]",
	"[options] export [-o FILE|-] [MATCH...]",
	"[options] clean [--all | MATCH...]",
	"",
	"[options] save",
	"[options] watch",
	NULL,
};

#define MEMBER(member) offsetof(struct collect, member)

static const struct option_row options[] = {
	{ 'o', "output", "FILE", OPTION_STRING, MEMBER(output),
	  "where to write; - is standard output", "FILE", true },
	{ 0, "all", NULL, OPTION_FLAG, MEMBER(all), "clean: remove every hang", NULL, true },
	{ 'D', "dir", "DIR", OPTION_STRING, MEMBER(dir),
	  "where hangs are stored (" GSC_HANGS ")", "FOLDER", true },
	{ 0, "config", "FILE", OPTION_STRING, MEMBER(config),
	  "limits of the store (/etc/gpuscope/collect.conf)", "FILE" },
	{ 0, "kernel-log", "FILE", OPTION_STRING, MEMBER(log),
	  "save: read the kernel's log from FILE", "FILE" },
	{ 0, "sysfs", "DIR", OPTION_STRING, MEMBER(sysfs),
	  "save: look for dumps below DIR (/sys)", "FOLDER" },
	{ 0, "journal", "SOCKET", OPTION_STRING, MEMBER(journal),
	  "save: report to this journal (/run/systemd/journal/socket)", "FILE" },
};

static const struct subcommand subcommands[] = {
	{ "list", "list the hangs that were collected", "HANG", hang_list_run, 0, 0, 0, "" },
	{ "info", "show what is known of a hang", "HANG", hang_info_run, 0, 0, 0, "" },
	{ "report", "write a page about a hang", "HANG", hang_report_run, 0, 0, 0, "output" },
	{ "export", "write a redacted archive for a bug report", "HANG", hang_export_run, 0, 0, 0,
	  "output" },
	{ "clean", "remove hangs, or what exceeds the limits", "HANG", hang_clean_run, 0, 0, 0,
	  "all config" },
	{ "save", "collect what the kernel has kept", "NONE", hang_save_run, 0, 0, 0,
	  "config kernel-log sysfs journal" },
	{ "watch", "collect hangs as they happen", "NONE", hang_watch_run, 0, 0, 0,
	  "config sysfs journal" },
};

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	const char *word = common->operand_count ? common->operands[0] : "list";
	const struct subcommand *sub = subcommand_find(common->command, word);

	if (!sub)
		return usage_error(err, word, "expected list, info, report, export, clean, save or "
				   "watch");
	if (common->from.count)
		return usage_error(err, "--from", "gpu-collect reads a store, which is given "
				   "with --dir; other commands take -s hang:N");
	common->operands += common->operand_count > 0;
	common->operand_count -= common->operand_count > 0;
	((struct collect *)common)->store = (struct store){ .folder = -1, .lock = -1 };
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (strcmp(options[i].name, "dir") && option_given(common, options[i].name) &&
		    !glob_list(sub->options, options[i].name))
			return usage_error(err, sub->name, "cannot be combined with --%s",
					   options[i].name);
	if (wants_json(common) && sub->run != hang_list_run && sub->run != hang_info_run)
		return usage_error(err, sub->name, "cannot write JSON: only list and info can");
	return sub->run(common, err);
}

const struct command collect_command = {
	.name = "gpu-collect",
	.purpose = "collect the hangs of Intel GPUs when they happen",
	.size = sizeof(struct collect),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.opens = true,
	.subcommands = subcommands,
	.subcommand_count = ARRAY_SIZE(subcommands),
};
