/* SPDX-License-Identifier: MIT */
/* gpu-collect: its configuration, its options, and its subcommands. */
#include "collect.h"
#include "tools.h"
#include "open/open.h"

#include <ctype.h>
#include <errno.h>
#include <strings.h>

/* ---- /etc/gpuscope/collect.conf, in the form of systemd's ------------------------------------ */

#define CONFIG "/etc/gpuscope/collect.conf"

struct unit {
	const char *name;
	uint64_t times;
};

static const struct unit sizes[] = {
	{ "", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 }, { "T", UINT64_C(1) << 40 },
	{ NULL, 0 },
};
static const struct unit times[] = {
	{ "", 1 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "day", 86400 },
	{ "days", 86400 }, { "w", 604800 }, { "week", 604800 }, { "weeks", 604800 },
	{ "month", 2629800 }, { "months", 2629800 }, { "y", 31557600 }, { "year", 31557600 },
	{ "years", 31557600 }, { NULL, 0 },
};
static const struct unit counts[] = { { "", 1 }, { NULL, 0 } };

/* "3month", "1G" */
static bool parse(const char *text, const struct unit *units, uint64_t *value)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t number = 0;

	if (!digits || digits > 12)
		return false;
	for (size_t i = 0; i < digits; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	text += digits;
	text += strspn(text, " ");
	for (; units->name; units++)
		if (!strcasecmp(text, units->name)) {
			*value = number * units->times;
			return number <= UINT64_MAX / units->times;
		}
	return false;
}

static bool take(struct limits *limits, const char *key, const char *text)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
	const struct {
		const char *key;
		const struct unit *units;
		uint64_t *value;
		bool *word;
	} keys[] = {
		{ "MaxUse", sizes, &limits->use, NULL }, { "MaxAge", times, &limits->age, NULL },
		{ "MaxFiles", counts, &limits->files, NULL },
		{ "Redact", NULL, NULL, &limits->redact },
		{ "Release", NULL, NULL, &limits->release },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key))
			continue;
		limits->release_given |= keys[i].word == &limits->release;
		if (keys[i].units)
			return parse(text, keys[i].units, keys[i].value);
		for (size_t k = 0; k < ARRAY_SIZE(words); k++)
			if (!strcasecmp(text, words[k])) {
				*keys[i].word = k % 2;
				return true;
			}
	}
	return false;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text + strspn(text, " \t");
}

/* For what cannot be read, the default is used, with a message. */
void limits_read(struct collect *c)
{
	const char *path = c->config ? c->config : CONFIG;
	FILE *file = fopen(path, "re");
	char line[512], what[600];
	unsigned number = 0;

	c->limits = (struct limits){ .use = 256 << 20, .age = 3 * UINT64_C(2629800), .files = 100,
				     .redact = true };
	if (!file && (errno != ENOENT || c->config))
		warn(&c->common, path, strerror(errno));
	while (file && fgets(line, sizeof(line), file)) {
		char *key = trim(line), *equals = strchr(key, '=');

		number++;
		if (!*key || strchr("#;[", *key))
			continue;
		if (equals) {
			*equals = 0;
			if (take(&c->limits, trim(key), trim(equals + 1)))
				continue;
		}
		string_set(what, "%s:%u", path, number);
		warn(&c->common, what, "not understood, ignored");
	}
	if (file)
		fclose(file);
	if (!c->limits.release_given)
		c->limits.release = !c->limits.redact;
}

/* ---- the command ----------------------------------------------------------------------------- */

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
