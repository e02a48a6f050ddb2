/* SPDX-License-Identifier: MIT */
/* What a line can begin with, and the help made of it. */
#include "sh.h"

#include <string.h>

#define READS (VERB_FROM | VERB_WAKE)

static const struct verb verbs[] = {
	{ .name = "read", .usage = "read [OPTIONS] [SELECTOR...]",
	  .help = "read and decode registers; the word read may be left out",
	  .more = "rcs0.RING_TAIL\n@fault\nRING_BUFFER_CONTROL:BUFFER_LENGTH\n0x2030-0x203f\n"
		  "read --unsafe 0x4f100",
	  .command = &regdump_command, .flags = READS, .value = "REGISTER" },
	{ .name = "list", .usage = "list [SELECTOR...]",
	  .help = "find registers by name: definitions, nothing is read",
	  .more = "list *TAIL*\nlist @ring\nlist rcs0.RING_*",
	  .command = &regdump_command, .before = "--list",
	  .flags = VERB_FROM, .value = "REGISTER" },
	{ .name = "?", .usage = "? NAME...",
	  .help = "the definition of a register, command or structure",
	  .more = "? RING_TAIL\n? PIPE_CONTROL",
	  .command = &db_command, .before = "show",
	  .flags = VERB_FROM, .value = "REGISTER ITEM" },
	{ .name = "watch", .usage = "watch [SECONDS] [SELECTOR...]",
	  .help = "read again and again, show what changes; Ctrl-C stops it",
	  .more = "watch 0.5 rcs0.RING_HEAD rcs0.RING_TAIL\nwatch 1 --count 10 @fault",
	  .command = &regdump_command, .before = "--watch",
	  .flags = READS, .value = "REGISTER" },
	{ .name = "wait", .usage = "wait NAME[:FIELD] ==|!=|<|>|& V [timeout TIME]",
	  .help = "until a register or field has a value",
	  .more = "wait rcs0.MI_MODE:RINGS_IDLE == 1 timeout 1s\n"
		  "& asks for one of those bits; TIME is 2s, 500ms or 1m, without it 10s",
	  .run = wait_run, .value = "REGISTER" },
	{ .name = "diff", .usage = "diff A [B [SELECTOR...]]",
	  .help = "compare two sources, or one with the session's",
	  .more = "diff reset\ndiff before.tar after.tar rcs0.*",
	  .command = &regdump_command, .before = "--diff",
	  .flags = VERB_WAKE, .value = "reset SOURCE, SOURCE, REGISTER" },
	{ .name = "decode", .usage = "decode REG=VALUE...",
	  .help = "what a value would mean",
	  .more = "decode RING_FAULT_REG=0x12b",
	  .command = &regdump_command, .before = "--decode",
	  .flags = VERB_FROM, .value = "REGISTER" },
	{ .name = "walk", .usage = "walk [OPTIONS] ADDR...",
	  .help = "translate graphics addresses, level by level",
	  .more = "walk 0x1000\nwalk --engine rcs0 0x100000000\nwalk --reverse 0x180410123\n"
		  "walk --spaces",
	  .command = &ptwalk_command, .flags = READS },
	{ .name = "map", .usage = "map [OPTIONS]",
	  .help = "every range that page tables map",
	  .more = "map\nmap --mode ggtt",
	  .command = &ptwalk_command, .before = "--map", .flags = READS },
	{ .name = "pte", .usage = "pte [OPTIONS] VALUE...",
	  .help = "decode page-table entries",
	  .more = "pte 0x1003\npte -m pml4 -l pde 0x18080008b",
	  .command = &pte_command, .flags = VERB_FROM },
	{ .name = "batch", .usage = "batch [OPTIONS] [FILE]",
	  .help = "decode rings and batches",
	  .more = "batch --headers\nbatch -e rcs0\nbatch -a 0x100020000",
	  .command = &batch_command, .flags = READS },
	{ .name = "fault", .usage = "fault [OPTIONS] [FILE...]",
	  .help = "what went wrong, and why",
	  .more = "fault\nfault --dmesg",
	  .command = &fault_command, .flags = READS },
	{ .name = "tile", .usage = "tile [OPTIONS] X Y...",
	  .help = "where elements of tiled surfaces lie, and what surfaces show",
	  .more = "tile -f y --pitch 512 --bpp 32 10 20\n"
		  "tile --state 0x100001000 -o surface.png",
	  .command = &tile_command, .flags = READS },
	{ .name = "report", .usage = "report [-o FILE]",
	  .help = "one page about what went wrong, to attach to a bug",
	  .more = "report -o hang.html",
	  .command = &report_command, .flags = READS },
	{ .name = "snap", .usage = "snap save [-o FILE] | snap info FILE",
	  .help = "save a capture, or tell what is in one",
	  .more = "snap save -o before.tar",
	  .command = &snap_command, .flags = READS },
	{ .name = "db", .usage = "db list|show|which|stats|export|check [NAME...]",
	  .help = "browse the definitions",
	  .more = "db which FAULT_TLB_DATA0\ndb list --commands MI_*",
	  .command = &db_command,
	  .flags = VERB_FROM },
	{ .name = "devices", .usage = "devices",
	  .help = "the GPUs of this machine",
	  .command = &regdump_command, .before = "--devices" },
	{ .name = "from", .usage = "from [[-p PLATFORM] SOURCE...]",
	  .help = "go to another source; alone: tell which it is",
	  .more = "from live\nfrom demo:skl-hang\nfrom -p skl bar:bar0.bin",
	  .run = from_run, .value = "SOURCE" },
	{ .name = "platform", .usage = "platform NAME",
	  .help = "fails on every other one: for scripts that write",
	  .more = "platform skl",
	  .run = platform_run, .value = "PLATFORM" },
	{ .name = "undo", .usage = "undo [N|all]",
	  .help = "put back what the last write, write N or all of them changed",
	  .more = "undo\nundo 2\nundo all",
	  .run = undo_run, .value = "all" },
	{ .name = "journal", .usage = "journal [save [--revert] FILE]",
	  .help = "all writes with their time; or a script of them",
	  .more = "journal\njournal save again.gsh\njournal save --revert back.gsh",
	  .run = journal_run, .value = "save, --revert FILE" },
	{ .name = "set", .usage = "set [NAME on|off]",
	  .help = "what the shell heeds: dry-run, force, undo-on-exit",
	  .more = "set dry-run on: show the accesses of a write, do none\n"
		  "set force on: write also where that is a hazard\n"
		  "set undo-on-exit on: put back at the end what was written",
	  .run = set_run, .value = "SETTING, on off" },
	{ .name = "source", .usage = "source FILE",
	  .help = "the commands of a file",
	  .run = source_run, .value = "FILE" },
	{ .name = "repeat", .usage = "repeat N COMMAND",
	  .help = "a command again and again",
	  .more = "repeat 3 rcs0.RING_HEAD",
	  .run = repeat_run, .value = "VERB" },
	{ .name = "!", .usage = "! COMMANDS",
	  .help = "what sh makes of them",
	  .more = "! dmesg | tail",
	  .run = system_run },
	{ .name = "help", .usage = "help [VERB]",
	  .help = "this, or more about a verb",
	  .run = help_run, .value = "VERB" },
	{ .name = "quit", .usage = "quit",
	  .help = "end the session, as Ctrl-D does",
	  .run = quit_run },
	{ .name = "exit", .usage = "exit",
	  .run = quit_run },
};

const struct verb *verb_at(size_t i)
{
	return i < ARRAY_SIZE(verbs) ? &verbs[i] : NULL;
}

/* "gpu-batch", as it is typed elsewhere. */
static const struct verb *find_command(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].command && !verbs[i].before &&
		    strlen(verbs[i].command->name) == length &&
		    !memcmp(verbs[i].command->name, name, length))
			return &verbs[i];
	return NULL;
}

const struct verb *verb_find(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strlen(verbs[i].name) == length && !memcmp(verbs[i].name, name, length))
			return &verbs[i];
	return find_command(name, length);
}

const struct verb *verb_read(void)
{
	return &verbs[0];
}

/* ---- help ----------------------------------------------------------------------------------- */

static const char *const others[][2] = {
	{ "NAME", "read it: rcs0.RING_TAIL, RING_*, NAME:FIELD, @GROUP, 0x2030" },
	{ "PREFIX:NAME", "by another way: config:0x50, mmio-sr:SR01, mchbar:0x5004" },
	{ "NAME = V", "write it; also |= &= ^=, NAME:FIELD = V (with --write)" },
	{ "COMMAND | less", "what it prints to a command of the system" },
	{ "COMMAND > FILE", "or to a file; >> adds to one" },
};

static void put_line(struct gsc_out *out, const char *left, const char *right)
{
	gsc_out_format(out, "  %s", left);
	gsc_out_pad(out, 20);
	gsc_out_text(out, right);
	gsc_out_end(out);
}

static void help_all(struct gsc_out *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		put_line(out, others[i][0], others[i][1]);
	gsc_out_end(out);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].help)
			put_line(out, verbs[i].name, verbs[i].help);
	gsc_out_text(out, "\nTab completes all of these, and names of registers, fields and their "
			  "values.\nFor example, where is the tail of a ring, and what is it?\n"
			  "  list *TAIL*\n  rcs0.RING_TAIL\n  ? RING_TAIL\n"
			  "help VERB tells more, gpu-sh(1) everything.\n");
}

static void help_verb(struct gsc_out *out, const struct verb *verb)
{
	const char *line = verb->more;

	gsc_out_format(out, "%s", verb->usage);
	gsc_out_end(out);
	if (verb->help)
		gsc_out_format(out, "  %s\n", verb->help);
	while (line && *line) {
		size_t length = strcspn(line, "\n");

		gsc_out_format(out, "    %.*s\n", (int)length, line);
		line += length + (line[length] != 0);
	}
	if (verb->command)
		gsc_out_format(out, "  %s --help lists its options\n",
			       *verb->name == '?' ? "db" : verb->name);
}

static const char *next_verb(void *context)
{
	size_t *i = context;

	return *i < ARRAY_SIZE(verbs) ? verbs[(*i)++].name : NULL;
}

enum gsc_status verb_unknown(const char *name, struct gsc_error *err)
{
	size_t i = 0;

	return gsc_name_unknown(name, next_verb, &i, err);
}

enum gsc_status help_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	const struct verb *verb;
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);

	if (!status && words.count > 1)
		status = usage_error(err, words.items[1], "expected one verb");
	if (!status && !words.count) {
		help_all(shell->common.out);
	} else if (!status) {
		verb = verb_find(words.items[0], strlen(words.items[0]));
		if (verb)
			help_verb(shell->common.out, verb);
		else
			status = verb_unknown(words.items[0], err);
	}
	words_free(&words);
	return status;
}
