/* SPDX-License-Identifier: MIT */
/* What a line can begin with. */
#include "sh.h"

#include <string.h>

#define READS (VERB_FROM | VERB_WAKE)

static const struct verb verbs[] = {
	{ .name = "read", .usage = "read [OPTIONS] [SELECTOR...]",
	  .help = "read and decode registers; the word read may be omitted",
	  .more = "rcs0.RING_TAIL\n@fault\nRING_BUFFER_CONTROL:BUFFER_LENGTH\n0x2030-0x203f\n"
		  "read --unsafe 0x4f100",
	  .command = &regdump_command, .flags = READS, .adapt = selector_words,
	  .value = "REGISTER" },
	{ .name = "list", .often = true, .usage = "list [SELECTOR...]",
	  .help = "find registers and fields by name, without reading",
	  .more = "list *TAIL*\nlist *STOP*\nlist @ring\nlist rcs0.RING_*",
	  .command = &regdump_command, .before = "--list",
	  .flags = VERB_FROM, .adapt = list_words, .value = "REGISTER" },
	{ .name = "?", .often = true, .usage = "? NAME...",
	  .help = "show the definition of a register, field, address or command",
	  .more = "? RING_TAIL\n? STOP_RINGS\n? 0x209c\n? PIPE_CONTROL",
	  .command = &db_command, .before = "show",
	  .flags = VERB_FROM, .adapt = show_words, .value = "REGISTER ITEM" },
	{ .name = "apropos", .usage = "apropos WORD",
	  .help = "search names and descriptions for a word",
	  .more = "apropos forcewake\napropos semaphore",
	  .run = apropos_run },
	{ .name = "print", .often = true, .usage = "print[/x|/d|/u|/t] EXPRESSION",
	  .help = "show the value of an expression: registers, numbers, $x",
	  .more = "print rcs0.RING_TAIL.TAIL_OFFSET * 8\nprint/t rcs0.MI_MODE\n"
		  "print rcs0.MI_MODE.STOP_RINGS == stopped\n"
		  "x: hexadecimal, d: signed, u: unsigned, t: binary; p is short for print\n"
		  "the operators are those of C: help +",
	  .run = print_run, .flags = VERB_EXPRESSION | VERB_FORMAT, .value = "REGISTER" },
	{ .name = "p", .usage = "p[/FORMAT] EXPRESSION",
	  .run = print_run, .flags = VERB_EXPRESSION | VERB_FORMAT, .value = "REGISTER" },
	{ .name = "x", .often = true, .usage = "x[/FORMAT] [OPTIONS] [SPACE:]ADDRESS",
	  .help = "memory: x/16 ggtt:0x1000",
	  .more = "x/16 ggtt:0x1000\nx/8g ppgtt:0x100020000\nx/4x rcs0.ACTHD & ~0xf\n"
		  "x/s phys:0x1000\n"
		  "FORMAT: a count, x d u t c or s, and b, h, w or g: 1, 2, 4 or 8 bytes\n"
		  "SPACE: ggtt ppgtt phys lmem; default: ppgtt if there is one, else ggtt",
	  .command = &memory_command, .flags = READS | VERB_FORMAT, .adapt = memory_words,
	  .value = "ggtt: ppgtt: phys: lmem: REGISTER" },
	{ .name = "watch", .often = true, .usage = "watch [SECONDS] [SELECTOR...]",
	  .help = "read again and again, show changes; Ctrl-C stops it",
	  .more = "watch 0.5 rcs0.RING_HEAD rcs0.RING_TAIL\nwatch 1 --count 10 @fault",
	  .command = &regdump_command, .before = "--watch",
	  .flags = READS, .adapt = selector_words, .value = "REGISTER" },
	{ .name = "wait", .usage = "wait NAME[:FIELD] ==|!=|<|>|& V [timeout TIME]",
	  .help = "wait until a register or field has a value",
	  .more = "wait rcs0.MI_MODE:RINGS_IDLE == 1 timeout 1s\n"
		  "& waits for any of these bits; TIME is 2s, 500ms or 1m, by default 10s",
	  .run = wait_run, .value = "REGISTER" },
	{ .name = "diff", .often = true, .usage = "diff A [B [SELECTOR...]]",
	  .help = "compare two sources, or one with the session's",
	  .more = "diff reset\ndiff before.tar after.tar rcs0.*",
	  .command = &regdump_command, .before = "--diff",
	  .flags = VERB_WAKE, .value = "reset SOURCE, SOURCE, REGISTER" },
	{ .name = "decode", .usage = "decode REG=VALUE...",
	  .help = "decode a given value",
	  .more = "decode RING_FAULT_REG=0x12b",
	  .command = &regdump_command, .before = "--decode",
	  .flags = VERB_FROM, .adapt = decode_words, .value = "REGISTER" },
	{ .name = "walk", .often = true, .usage = "walk [OPTIONS] ADDR...",
	  .help = "translate graphics addresses, level by level",
	  .more = "walk ggtt:0x1000\nwalk rcs0.ACTHD\nwalk --engine rcs0 0x100000000\n"
		  "walk --reverse 0x180410123\nwalk --spaces",
	  .command = &ptwalk_command, .flags = READS | VERB_NUMBERS },
	{ .name = "map", .usage = "map [OPTIONS]",
	  .help = "show every range that page tables map",
	  .more = "map\nmap --mode ggtt",
	  .command = &ptwalk_command, .before = "--map", .flags = READS },
	{ .name = "pte", .usage = "pte [OPTIONS] VALUE...",
	  .help = "decode page-table entries",
	  .more = "pte 0x1003\npte -m pml4 -l pde 0x18080008b",
	  .command = &pte_command, .flags = VERB_FROM | VERB_NUMBERS },
	{ .name = "batch", .often = true, .usage = "batch [OPTIONS] [FILE]",
	  .help = "decode rings and batches",
	  .more = "batch --headers\nbatch -e rcs0\nbatch -a ppgtt:0x100020000\nbatch -a rcs0.ACTHD",
	  .command = &batch_command, .flags = READS },
	{ .name = "eu", .usage = "eu [OPTIONS] [FILE]",
	  .help = "decode the programs of the execution units",
	  .more = "eu\neu -a 0xffffb000 --offsets",
	  .command = &eu_command, .flags = READS },
	{ .name = "fault", .often = true, .usage = "fault [OPTIONS] [FILE...]",
	  .help = "explain what went wrong",
	  .more = "fault\nfault --dmesg",
	  .command = &fault_command, .flags = READS },
	{ .name = "tile", .usage = "tile [OPTIONS] X Y...",
	  .help = "find elements of tiled surfaces, and show surfaces",
	  .more = "tile -f y --pitch 512 --bpp 32 10 20\n"
		  "tile --state 0x100001000 -o surface.png",
	  .command = &tile_command, .flags = READS },
	{ .name = "report", .often = true, .usage = "report [-o FILE]",
	  .help = "write one page about what went wrong",
	  .more = "report -o hang.html",
	  .command = &report_command, .flags = READS },
	{ .name = "snap", .often = true, .usage = "snap save [-o FILE] | snap info FILE",
	  .help = "save a capture, or show what is in one",
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
	  .help = "switch to another source; alone: show the source",
	  .more = "from live\nfrom demo:skl-hang\nfrom -p skl bar:bar0.bin",
	  .run = from_run, .value = "SOURCE" },
	{ .name = "platform", .usage = "platform NAME",
	  .help = "fail on any other platform: for scripts that write",
	  .more = "platform skl",
	  .run = platform_run, .value = "PLATFORM" },
	{ .name = "undo", .often = true, .usage = "undo [N|all]",
	  .help = "undo the last write, write N or all writes",
	  .more = "undo\nundo 2\nundo all",
	  .run = undo_run, .value = "all" },
	{ .name = "journal", .usage = "journal [save [--revert] FILE]",
	  .help = "list all writes with their time, or save them",
	  .more = "journal\njournal save again.gsh\njournal save --revert back.gsh",
	  .run = journal_run, .value = "save, --revert FILE" },
	{ .name = "replay", .usage = "replay FILE",
	  .help = "repeat the writes of a saved journal if the old values match",
	  .more = "replay again.gsh\nforce replay again.gsh: whatever the values are now",
	  .run = replay_run, .value = "FILE" },
	{ .name = "force", .usage = "force COMMAND",
	  .help = "run one command as with --force",
	  .more = "force rcs0.MI_MODE:STOP_RINGS = stopped\nset force on: for all commands",
	  .run = force_run, .flags = VERB_COMMAND, .value = "VERB" },
	{ .name = "set", .usage = "set [NAME on|off] | set $NAME = EXPRESSION",
	  .help = "set dry-run, force, undo-on-exit or a variable",
	  .more = "set dry-run on: show the accesses of a write, do none\n"
		  "set force on: write even where that is a hazard\n"
		  "set undo-on-exit on: restore what was written at the end",
	  .run = set_run, .value = "SETTING, on off" },
	{ .name = "if", .usage = "if EXPRESSION",
	  .help = "run the lines up to else or end if the value is not 0",
	  .more = "if rcs0.MI_MODE.RINGS_IDLE == idle\n  echo idle\nelse\n  batch -e rcs0\n"
		  "end",
	  .run = block_run, .flags = VERB_EXPRESSION, .value = "REGISTER" },
	{ .name = "else", .usage = "else", .run = block_run },
	{ .name = "end", .usage = "end", .run = block_run },
	{ .name = "echo", .usage = "echo TEXT",
	  .help = "show a text; $(EXPRESSION) becomes its value",
	  .more = "echo tail: $(rcs0.RING_TAIL)",
	  .run = echo_run },
	{ .name = "sleep", .usage = "sleep TIME",
	  .help = "wait for a time: 2s, 500ms, 1m",
	  .run = sleep_run },
	{ .name = "alias", .usage = "alias [NAME [= COMMAND]]",
	  .help = "name the beginning of a command",
	  .more = "alias w = walk --engine rcs0\nw 0x1000",
	  .run = alias_run, .flags = VERB_COMMAND },
	{ .name = "unalias", .usage = "unalias NAME", .run = unalias_run,
	  .flags = VERB_COMMAND },
	{ .name = "source", .usage = "source FILE [ARGUMENT...]",
	  .help = "run the commands of a file; its arguments are $1, $2",
	  .run = source_run, .value = "FILE" },
	{ .name = "repeat", .usage = "repeat N COMMAND",
	  .help = "run a command N times",
	  .more = "repeat 3 rcs0.RING_HEAD",
	  .run = repeat_run, .flags = VERB_COMMAND, .value = "VERB" },
	{ .name = "!", .usage = "! COMMANDS",
	  .help = "run commands of the system",
	  .more = "! dmesg | tail",
	  .run = system_run, .flags = VERB_COMMAND },
	{ .name = "help", .often = true, .usage = "help [all|VERB|OPERATOR]",
	  .help = "show this; all verbs; or one verb or operator",
	  .run = help_run, .flags = VERB_COMMAND, .value = "VERB all" },
	{ .name = "quit", .often = true, .usage = "quit",
	  .help = "end the session, as Ctrl-D does",
	  .run = quit_run },
	{ .name = "exit", .usage = "exit",
	  .run = quit_run },
};

const struct verb *verb_at(size_t i)
{
	return i < ARRAY_SIZE(verbs) ? &verbs[i] : NULL;
}

/* "gpu-batch", as it is typed elsewhere; x exists only here. */
static const struct verb *find_command(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].command && !verbs[i].before && verbs[i].command != &memory_command &&
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

size_t verb_length(const char *text)
{
	size_t length = *text == '?' || *text == '!' ? 1 : strcspn(text, " \t"), slash;
	const struct verb *verb;

	slash = strcspn(text, "/");
	verb = slash < length ? verb_find(text, slash) : NULL;
	return verb && verb->flags & VERB_FORMAT ? slash : length;
}

static const char *next_verb(void *context)
{
	size_t *i = context;

	return *i < ARRAY_SIZE(verbs) ? verbs[(*i)++].name : NULL;
}

/* What users of gdb and drgn type first, and what it is here. */
static const struct {
	const char *name, *use;
} elsewhere[] = {
	{ "backtrace", "fault shows what each engine was doing, batch its commands" },
	{ "bt", "fault shows what each engine was doing, batch its commands" },
	{ "disassemble", "batch -a ADDRESS shows commands, eu -a ADDRESS a shader" },
	{ "info", "list shows the registers, list NAME* some; a NAME alone reads one" },
};

enum gsc_status verb_unknown(const char *name, struct gsc_error *err)
{
	size_t i = 0;

	for (size_t j = 0; j < ARRAY_SIZE(elsewhere); j++)
		if (!strcmp(elsewhere[j].name, name))
			return usage_error(err, name, "%s", elsewhere[j].use);
	return gsc_name_unknown(name, next_verb, &i, err);
}
