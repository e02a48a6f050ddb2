/* SPDX-License-Identifier: MIT */
/* The verb help: what can begin a line, and what can be in one. */
#include "sh.h"

#include <string.h>

#define VALUES "V: a number, the word of a value (stopped), or an expression (help +)"

/* Those of the short help first. */
static const char *const others[][2] = {
	{ "NAME", "read it: rcs0.RING_TAIL, RING_*, NAME:FIELD, @GROUP, 0x2030" },
	{ "NAME = V", "write it; also |= &= ^=, NAME:FIELD = V (with --write)" },
	{ "COMMAND | less", "send its output to a command of the system" },
	{ "COMMAND > FILE", "write its output to a file; >> appends" },
	{ "PREFIX:NAME", "another space: config:0x50, mmio-sr:SR01, mchbar:0x5004" },
	{ "$NAME = V", "a variable; $NAME and $(EXPRESSION) work in any command" },
};

#define OTHERS_OFTEN 4

/* What is no verb, and what it is for. */
static const struct operator_help {
	const char *words, *usage, *help, *more;
} operators[] = {
	{ "=", "NAME = V, NAME:FIELD = V, $NAME = V", "write a register or a field; set a variable",
	  "rcs0.MI_MODE:STOP_RINGS = stopped\n0x4f100 = 0x12\n$x = rcs0.RING_TAIL + 8\n"
	  VALUES },
	{ "|=", "NAME |= V", "set the bits of V, keep the others",
	  "0x4f100 |= 1 << 5\n$x |= 1\n" VALUES },
	{ "&=", "NAME &= V", "clear the bits that are not in V, keep the others",
	  "0x4f100 &= ~0x20\n$x &= 0xff\n" VALUES },
	{ "^=", "NAME ^= V", "toggle the bits of V, keep the others",
	  "0x4f100 ^= 1 << 5\n" VALUES },
	{ "+ - * / % ~ ( ) () << >>", "A + B, A - B, A * B, A / B, A % B, -A, ~A, A << N, A >> N",
	  "arithmetic as in C, on unsigned numbers of 64 bits",
	  "print 0x2000 + 4*8\nwalk ggtt:(rcs0.RING_START + 0x40)\n"
	  "* / % bind most, then + -, << >>, < <= > >=, == !=, &, ^, |, &&, ||" },
	{ "& ^", "A & B, A ^ B", "bitwise and, bitwise exclusive or",
	  "print rcs0.RING_CTL & ~0xfff" },
	{ "== != < <= > >=", "A == B, A != B, A < B, A <= B, A > B, A >= B",
	  "1 or 0, in print and if; also in wait, which has no <= and >=",
	  "if rcs0.MI_MODE.RINGS_IDLE == idle\nprint rcs0.MI_MODE.STOP_RINGS == stopped" },
	{ "&& || !", "A && B, A || B, !A", "and, or, not: 1 or 0",
	  "if $# > 0 && rcs0.RING_TAIL\na ! at the beginning of a line runs the line in sh" },
	{ "|", "COMMAND | COMMANDS", "send the output to a command of sh",
	  "list @ring | less\nin print, if, writes and parentheses, A | B is bitwise or" },
	{ "> >>", "COMMAND > FILE, COMMAND >> FILE", "write the output to a file, or append it",
	  "rcs0.RING_* > before.txt\nin print, if, wait and writes: A > B compares, A >> N "
	  "shifts" },
	{ "$ $NAME $1 $# $? $( $() $(EXPRESSION)", "$NAME, $1, $#, $?, $(EXPRESSION)",
	  "a variable, a script argument, how many, the last status, a value",
	  "$base = rcs0.RING_START\nwalk $base\necho tail: $(rcs0.RING_TAIL)\n"
	  "batch -a $(rcs0.ACTHD & ~0x3f)" },
	{ "' \" '' \"\"", "'TEXT', \"TEXT\"", "one word; in '...' a $ is an ordinary character",
	  "print RING_FAULT_REG.FAULT_TYPE == 'invalid PDE'" },
	{ ";", "COMMAND; COMMAND", "several commands in a line", NULL },
	{ "\\", "COMMAND \\", "at the end of a line: continue on the next line", NULL },
	{ "#", "# COMMENT", "a comment, up to the end of the line", NULL },
	{ "collect gpu-collect", "! gpu-collect [OPTIONS]",
	  "save the hangs of this machine when they happen: a command of its own, no verb",
	  "! gpu-collect --help" },
	{ "-", "-COMMAND", "if it fails, the script goes on", NULL },
};

static void put_line(struct gsc_out *out, const char *left, const char *right)
{
	gsc_out_format(out, "  %s", left);
	gsc_out_pad(out, 20);
	gsc_out_text(out, right);
	gsc_out_end(out);
}

/* All of it, or what fits a screen of 24 lines. */
static void help_list(struct gsc_out *out, bool all)
{
	const struct verb *verb;

	for (size_t i = 0; i < (all ? ARRAY_SIZE(others) : OTHERS_OFTEN); i++)
		put_line(out, others[i][0], others[i][1]);
	gsc_out_end(out);
	for (size_t i = 0; (verb = verb_at(i)); i++)
		if (verb->help && (all || verb->often))
			put_line(out, verb->name, verb->help);
	gsc_out_text(out, all ? "\nTab completes all of these, and names of registers, fields and "
				"their values.\nFor example, to find the tail of a ring and its "
				"value:\n  list *TAIL*\n  rcs0.RING_TAIL\n  ? RING_TAIL\n"
				"help VERB and help OPERATOR explain one; see also gpu-sh(1).\n" :
				"\nTab completes names of verbs, registers, fields and values.\n"
				"help all lists every verb; help walk and help + explain one; see "
				"also gpu-sh(1).\n");
}

static void put_help(struct gsc_out *out, const char *usage, const char *help,
		     const char *line)
{
	gsc_out_format(out, "%s", usage);
	gsc_out_end(out);
	if (help)
		gsc_out_format(out, "  %s\n", help);
	while (line && *line) {
		size_t length = strcspn(line, "\n");

		gsc_out_format(out, "    %.*s\n", (int)length, line);
		line += length + (line[length] != 0);
	}
}

/* Everything about a word; "-" is two things. False: nothing. */
static bool help_operator(struct gsc_out *out, const char *word)
{
	bool found = false;

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		const struct operator_help *operator = &operators[i];
		const char *at = operator->words;
		size_t length;

		for (; *at; at += length + strspn(at + length, " ")) {
			length = strcspn(at, " ");
			if (strlen(word) != length || memcmp(at, word, length))
				continue;
			put_help(out, operator->usage, operator->help, operator->more);
			found = true;
		}
	}
	return found;
}

static enum gsc_status help_word(struct gsc_out *out, const char *word, struct gsc_error *err)
{
	const struct verb *verb = verb_find(word, verb_length(word));
	bool found = help_operator(out, word);

	if (verb)
		put_help(out, verb->usage, verb->help, verb->more);
	if (verb && verb->command)
		gsc_out_format(out, "  %s --help lists its options\n",
			       *verb->name == '?' ? "db" : verb->name);
	return verb || found ? GSC_OK : verb_unknown(word, err);
}

enum gsc_status help_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = GSC_OK;

	/* As it is typed, \ or " is no word. */
	if (*rest && help_operator(shell->common.out, rest))
		return GSC_OK;
	status = words_split(&words, rest, err);
	if (!status && words.count > 1)
		status = usage_error(err, words.items[1], "expected all, a verb or an operator");
	else if (!status && words.count && strcmp(words.items[0], "all") != 0)
		status = help_word(shell->common.out, words.items[0], err);
	else if (!status)
		help_list(shell->common.out, words.count);
	words_free(&words);
	return status;
}
