/* SPDX-License-Identifier: MIT */
/* What a line can begin with: the table of verbs, help about it, and the smallest verbs. */
#include "sh.h"

#include "regs/regs.h"

#define DEPTH_MAX 16

static enum gsc_status force_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	bool before = shell->force;
	enum gsc_status status;

	if (!*rest)
		return usage_error(err, "force", "needs a command; for all commands: set force on");
	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, "force", "nested too deeply");
	shell->depth++;
	shell->force = true;
	status = command_do(shell, rest, err);
	shell->force = before;
	shell->depth--;
	return status;
}

static enum gsc_status source_run(struct shell *shell, const struct words *words,
				  struct gsc_error *err)
{
	enum gsc_status status;
	char path[4096];

	if (*words->items[0] == '-' && words->items[0][1])
		return usage_error(err, words->items[0], "unknown option");
	if (shell->depth >= DEPTH_MAX)
		return usage_error(err, words->items[0], "files nested too deeply");
	shell->depth++;
	status = shell_file(shell, path_home(words->items[0], path, sizeof(path)), err);
	shell->depth--;
	return status;
}

static enum gsc_status system_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	return *rest ? child_system(shell, rest, err)
		     : usage_error(err, "!", "expected a command after it");
}

static enum gsc_status quit_run(struct shell *shell, const struct words *words,
				struct gsc_error *err)
{
	(void)words, (void)err;
	shell->quit = true;
	return GSC_OK;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define READS (VERB_FROM | VERB_WAKE)

static const struct verb verbs[] = {
	{ .name = "read", .usage = "read [OPTIONS] [SELECTOR...]",
	  .help = "read and decode registers; the word read may be omitted",
	  .more = "rcs0.RING_TAIL\n@fault\nRING_BUFFER_CONTROL:BUFFER_LENGTH\n0x2030-0x203f\n"
		  "read --unsafe 0x4f100",
	  .command = &regdump_command, .flags = READS, .value = "REGISTER" },
	{ .name = "list", .often = true, .usage = "list [SELECTOR...]",
	  .help = "find registers by name, without reading",
	  .more = "list *TAIL*\nlist *:*STOP*: by the name of a field\nlist @ring\n"
		  "list rcs0.RING_*",
	  .command = &regdump_command, .before = "--list",
	  .flags = VERB_FROM, .value = "REGISTER" },
	{ .name = "?", .often = true, .usage = "? NAME...",
	  .help = "show the definition of a register, address or command",
	  .more = "? RING_TAIL\n? 0x209c\n? PIPE_CONTROL",
	  .command = &db_command, .before = "show",
	  .flags = VERB_FROM, .value = "REGISTER ITEM" },
	{ .name = "x", .often = true, .usage = "x[/FORMAT] [OPTIONS] [SPACE:]ADDRESS",
	  .help = "memory: x/16 ggtt:0x1000",
	  .more = "x/16 ggtt:0x1000\nx/8g ppgtt:0x100020000\nx/4g ggtt:0x8000\n"
		  "x/s phys:0x1000\n"
		  "FORMAT: a count, x d u t c or s, and b, h, w or g: 1, 2, 4 or 8 bytes\n"
		  "SPACE: ggtt ppgtt phys lmem; default: ppgtt if there is one, else ggtt",
	  .command = &memory_command, .flags = READS,
	  .value = "ggtt: ppgtt: phys: lmem:" },
	{ .name = "watch", .often = true, .usage = "watch [SECONDS] [SELECTOR...]",
	  .help = "read again and again, show changes; Ctrl-C stops it",
	  .more = "watch 0.5 rcs0.RING_HEAD rcs0.RING_TAIL\nwatch 1 --count 10 @fault",
	  .command = &regdump_command, .before = "--watch",
	  .flags = READS, .value = "REGISTER" },
	{ .name = "wait", .usage = "wait NAME[:FIELD] ==|!=|<|>|& V [timeout TIME]",
	  .help = "wait until a register or field has a value",
	  .more = "wait rcs0.MI_MODE:RINGS_IDLE == idle timeout 1s\n"
		  "& waits for any of these bits; TIME is 2s, 500ms or 1m, by default 10s",
	  .run = wait_run, .value = "REGISTER" },
	{ .name = "diff", .often = true, .usage = "diff A [B [SELECTOR...]]",
	  .help = "compare two sources, or one with the session's",
	  .more = "diff reset\ndiff before.tar after.tar rcs0.*",
	  .command = &regdump_command, .before = "--diff",
	  .flags = VERB_WAKE, .value = "reset SOURCE, SOURCE, REGISTER" },
	{ .name = "decode", .usage = "decode REG=VALUE...", .help = "decode a given value",
	  .more = "decode RING_FAULT_REG=0x12b",
	  .command = &regdump_command, .before = "--decode",
	  .flags = VERB_FROM, .value = "REGISTER" },
	{ .name = "walk", .often = true, .usage = "walk [OPTIONS] ADDR...",
	  .help = "translate graphics addresses, level by level",
	  .more = "walk ggtt:0x1000\nwalk --engine rcs0 0x100000000\n"
		  "walk --reverse 0x180410123\nwalk --spaces",
	  .command = &ptwalk_command, .flags = READS },
	{ .name = "map", .usage = "map [OPTIONS]", .help = "show every range that page tables map",
	  .more = "map\nmap --mode ggtt",
	  .command = &ptwalk_command, .before = "--map", .flags = READS },
	{ .name = "pte", .usage = "pte [OPTIONS] VALUE...", .help = "decode page-table entries",
	  .more = "pte 0x1003\npte -m pml4 -l pde 0x18080008b",
	  .command = &pte_command, .flags = VERB_FROM },
	{ .name = "batch", .often = true, .usage = "batch [OPTIONS] [FILE]",
	  .help = "decode rings and batches",
	  .more = "batch --headers\nbatch -e rcs0\nbatch -a ppgtt:0x100020000",
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
		  "tile --surface 0x100001000 -o surface.png",
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
	  .command = &db_command, .flags = VERB_FROM },
	{ .name = "devices", .usage = "devices", .help = "the GPUs of this machine",
	  .command = &regdump_command, .before = "--devices" },
	{ .name = "from", .usage = "from [[-p PLATFORM] SOURCE...]",
	  .help = "switch to another source; alone: show the source",
	  .more = "from live\nfrom demo:skl-hang\nfrom -p skl bar:bar0.bin",
	  .run = from_run, .value = "SOURCE" },
	{ .name = "platform", .usage = "platform NAME",
	  .help = "fail on any other platform: for scripts that write",
	  .more = "platform skl",
	  .run = platform_run, .least = 1, .most = 1, .expected = "expected one name",
	  .value = "PLATFORM" },
	{ .name = "undo", .often = true, .usage = "undo [N|all]",
	  .help = "undo the last write, write N or all writes",
	  .more = "undo\nundo 2\nundo all",
	  .run = undo_run, .most = 1, .expected = "unexpected argument", .value = "all" },
	{ .name = "journal", .usage = "journal [save [--revert] FILE]",
	  .help = "list all writes with their time, or save them",
	  .more = "journal\njournal save again.gsh\njournal save --revert back.gsh",
	  .run = journal_run, .value = "save, --revert FILE" },
	{ .name = "replay", .usage = "replay FILE",
	  .help = "repeat the writes of a saved journal if the old values match",
	  .more = "replay again.gsh\nforce replay again.gsh: whatever the values are now",
	  .run = replay_run, .least = 1, .most = 1,
	  .expected = "expected a file that journal save wrote", .value = "FILE" },
	{ .name = "force", .usage = "force COMMAND", .help = "run one command as with --force",
	  .more = "force rcs0.MI_MODE:STOP_RINGS = stopped\nset force on: for all commands",
	  .raw = force_run, .value = "VERB" },
	{ .name = "set", .usage = "set [NAME on|off]", .help = "set dry-run, force or undo-on-exit",
	  .more = "set dry-run on: show the accesses of a write, do none\n"
		  "set force on: write even where that is a hazard\n"
		  "set undo-on-exit on: restore what was written at the end",
	  .run = set_run, .value = "dry-run force undo-on-exit, on off" },
	{ .name = "source", .usage = "source FILE", .help = "run the commands of a file",
	  .run = source_run, .least = 1, .most = 1, .expected = "expected a file",
	  .value = "FILE" },
	{ .name = "!", .usage = "! COMMANDS", .help = "run commands of the system",
	  .more = "! dmesg | tail",
	  .raw = system_run },
	{ .name = "help", .often = true, .usage = "help [all|VERB]",
	  .help = "show this; all verbs; or one verb",
	  .run = help_run, .most = 1, .expected = "expected all or a verb", .value = "VERB all" },
	{ .name = "quit", .often = true, .usage = "quit", .help = "end the session, as Ctrl-D does",
	  .run = quit_run, .expected = "unexpected argument" },
	{ .name = "exit", .usage = "exit", .run = quit_run, .expected = "unexpected argument" },
};

const struct verb *verb_at(size_t i)
{
	return i < ARRAY_SIZE(verbs) ? &verbs[i] : NULL;
}

/* Also "gpu-batch", as it is typed elsewhere; x exists only here. */
const struct verb *verb_find(const char *name, size_t length)
{
	const struct verb *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct verb *verb = &verbs[i];
		const char *command = verb->command && !verb->before &&
				      verb->command != &memory_command ? verb->command->name : "";

		if (strlen(verb->name) == length && !memcmp(verb->name, name, length))
			return verb;
		if (length && strlen(command) == length && !memcmp(command, name, length))
			found = verb;
	}
	return found;
}

const struct verb *verb_read(void)
{
	return &verbs[0];
}

bool verb_forces(const struct verb *verb)
{
	return verb->raw == force_run;
}

bool verb_waits(const struct verb *verb)
{
	return verb->run == wait_run;
}

size_t verb_length(const char *text)
{
	if (*text == '?' || *text == '!')
		return 1;
	return !strncmp(text, "x/", 2) ? 1 : strcspn(text, BLANKS);
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

/* ---- help ----------------------------------------------------------------------------------- */

/* What is no verb. Those of the short help first. */
static const char *const others[][2] = {
	{ "NAME", "read it: rcs0.RING_TAIL, RING_*, NAME:FIELD, @GROUP, 0x2030" },
	{ "NAME = V", "write it; also |= &= ^=, NAME:FIELD = V (with --write)" },
	{ "COMMAND | less", "send its output to a command of the system" },
	{ "COMMAND > FILE", "write its output to a file; >> appends" },
	{ "PREFIX:NAME", "another space: config:0x50, mmio-sr:SR01, mchbar:0x5004" },
	{ "COMMAND; COMMAND", "several commands in a line; # begins a comment" },
	{ "-COMMAND", "if it fails, the script goes on" },
};

#define OTHERS_OFTEN 4

static void put_line(struct gsc_out *out, const char *left, const char *right)
{
	gsc_out_format(out, "  %s", left);
	gsc_out_pad(out, 20);
	gsc_out_text(out, right);
	gsc_out_end(out);
}

enum gsc_status help_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	struct gsc_out *out = shell->common.out;
	bool all = words->count;

	if (words->count && strcmp(words->items[0], "all") != 0) {
		const struct verb *verb = verb_find(words->items[0], verb_length(words->items[0]));
		const char *line;

		if (!verb)
			return verb_unknown(words->items[0], err);
		gsc_out_format(out, "%s\n", verb->usage);
		if (verb->help)
			gsc_out_format(out, "  %s\n", verb->help);
		for (line = verb->more; line && *line;
		     line += strcspn(line, "\n"), line += *line != 0)
			gsc_out_format(out, "    %.*s\n", (int)strcspn(line, "\n"), line);
		if (verb->command)
			gsc_out_format(out, "  %s --help lists its options\n",
				       *verb->name == '?' ? "db" : verb->name);
		return GSC_OK;
	}
	/* All of it, or what fits a screen of 24 lines. */
	for (size_t i = 0; i < (all ? ARRAY_SIZE(others) : OTHERS_OFTEN); i++)
		put_line(out, others[i][0], others[i][1]);
	gsc_out_end(out);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (verbs[i].help && (all || verbs[i].often))
			put_line(out, verbs[i].name, verbs[i].help);
	gsc_out_text(out, all ? "\nTab completes all of these, and names of registers, fields and "
				"their values.\nFor example, to find the tail of a ring and its "
				"value:\n  list *TAIL*\n  rcs0.RING_TAIL\n  ? RING_TAIL\n"
				"help VERB explains one; see also gpu-sh(1).\n" :
				"\nTab completes names of verbs, registers, fields and values.\n"
				"help all lists every verb; help walk explains one; see also "
				"gpu-sh(1).\n");
	return GSC_OK;
}
