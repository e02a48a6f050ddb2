/* SPDX-License-Identifier: MIT */
/* Options as rows of a table: reading them, and making the help. */
#include "cli.h"
#include "db/resolve.h"
#include "util/number.h"
#include "util/text.h"

#include <ctype.h>
#include <getopt.h>
#include <strings.h>

#define OPTIONS_MAX 64
#define LONG_BASE 256
#define WIDTH 80
#define LABEL_MOST 30			/* columns; longer ones have a line of their own */

#define COMMON(member) offsetof(struct common, member)

static const struct option_row common_options[] = {
	{ 's', "from", "SOURCE", OPTION_LIST, COMMON(from),
	  "read a device, a dump or demo:NAME; repeat to combine", "SOURCE", true },
	{ 'p', "platform", "P", OPTION_STRING, COMMON(platform_name),
	  "platform name or PCI device id", "PLATFORM", true },
	{ 'j', "json", NULL, OPTION_FLAG, COMMON(json), "write one JSON document", NULL, true },
	{ 0, "ndjson", NULL, OPTION_FLAG, COMMON(ndjson), "write JSON, one element per line" },
	{ 0, "define", "FILE", OPTION_LIST, COMMON(defines),
	  "definitions to search before the built-in ones", "DEFINITIONS" },
	{ 0, "no-user-config", NULL, OPTION_FLAG, COMMON(no_user_config),
	  "ignore ~/.config/gpuscope" },
	{ 0, "wake", "auto|driver|registers|none", OPTION_CHOICE, COMMON(wake),
	  "how to hold forcewake on a live device" },
	{ 0, "color", "auto|always|never", OPTION_CHOICE, COMMON(colour), "when to use colour" },
	{ 0, "no-pager", NULL, OPTION_FLAG, COMMON(no_pager), "do not page the output" },
	{ 'v', "verbose", NULL, OPTION_COUNT, COMMON(verbose), "show more", NULL, true },
	{ 'q', "quiet", NULL, OPTION_FLAG, COMMON(quiet), "show less" },
	{ 'h', "help", NULL, OPTION_HELP, COMMON(help), "show this help; all: every option" },
	{ 'V', "version", NULL, OPTION_FLAG, COMMON(version), "show the version" },
};

static const struct option_rule common_rules[] = {
	{ "json", "ndjson", false },
};

static size_t row_count(const struct command *command)
{
	return command->option_count + ARRAY_SIZE(common_options);
}

static const struct option_row *row_at(const struct command *command, size_t i)
{
	return i < command->option_count ? &command->options[i]
					 : &common_options[i - command->option_count];
}

static size_t row_by_letter(const struct command *command, int letter)
{
	size_t i = 0;

	while (i < row_count(command) && row_at(command, i)->letter != letter)
		i++;
	return i;
}

/* A command's own option hides a common one with that name. */
static uint64_t bit_of(const struct command *command, const char *name)
{
	size_t count = row_count(command);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(row_at(command, i)->name, name))
			return UINT64_C(1) << i;
	return 0;
}

const struct option_row *option_next(const struct command *command, size_t *i)
{
	while (*i < row_count(command)) {
		const struct option_row *row = row_at(command, *i);
		bool first = bit_of(command, row->name) == UINT64_C(1) << *i;

		++*i;
		if (first && row->help)
			return row;
	}
	return NULL;
}

bool option_given(const struct common *common, const char *name)
{
	return common->given & bit_of(common->command, name);
}

const char *option_text(const struct common *common, const char *name)
{
	uint64_t bit = bit_of(common->command, name) & common->given;
	const struct option_row *row = bit ? row_at(common->command, (size_t)__builtin_ctzll(bit))
					   : NULL;

	return row ? *(const char *const *)((const char *)common + row->offset) : NULL;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum gsc_space space;
} spaces[] = {
	{ "ggtt", GSC_GTTMEM },	  { "gttmem", GSC_GTTMEM },
	{ "ppgtt", GSC_PPGTTMEM }, { "ppgttmem", GSC_PPGTTMEM },
	{ "phys", GSC_PHYS },	  { "lmem", GSC_LMEM },
	{ "stolen", GSC_STOLEN },
};

size_t address_prefix(const char *text, struct address *address)
{
	size_t length = strcspn(text, ":"), i = 0;

	*address = (struct address){ 0 };
	while (i < ARRAY_SIZE(spaces) && (strlen(spaces[i].name) != length ||
					  memcmp(spaces[i].name, text, length)))
		i++;
	if (i == ARRAY_SIZE(spaces) || !text[length])
		return 0;
	*address = (struct address){ 0, spaces[i].name, spaces[i].space };
	return length + 1;
}

bool address_read(const char *text, struct address *address)
{
	return gsc_parse_number(text + address_prefix(text, address), &address->at);
}

bool address_in(const struct address *address, enum gsc_space space)
{
	return address->name && address->space == space;
}

enum gsc_status address_graphics(const struct address *address, const char *what,
				 struct gsc_error *err)
{
	if (!address->name || address->space == GSC_GTTMEM || address->space == GSC_PPGTTMEM)
		return GSC_OK;
	return usage_error(err, what, "expected a graphics address, alone or after ggtt: or "
				      "ppgtt:");
}

/* ---- values --------------------------------------------------------------------------------- */

static enum gsc_status wrong_value(const struct option_row *row, const char *value,
				   const char *expected, struct gsc_error *err)
{
	usage_error(err, "", "expected %s", expected);
	string_set(err->what, "--%s %s", row->name, value);
	return GSC_USAGE;
}

/* "2", "0.25": at most a day, and not zero. */
static bool parse_seconds(const char *text, uint64_t *milliseconds)
{
	static const unsigned weight[] = { 100, 10, 1 };
	uint64_t whole = 0, part = 0;
	size_t digits = strspn(text, "0123456789"), places = 0;

	if (digits > 5)
		return false;
	for (size_t i = 0; i < digits; i++)
		whole = whole * 10 + (uint64_t)(text[i] - '0');
	if (text[digits] == '.') {
		const char *fraction = text + digits + 1;

		places = strspn(fraction, "0123456789");
		if (fraction[places])
			return false;
		for (size_t i = 0; i < places && i < ARRAY_SIZE(weight); i++)
			part += (uint64_t)(fraction[i] - '0') * weight[i];
	} else if (text[digits]) {
		return false;
	}
	*milliseconds = whole * 1000 + part;
	return digits + places > 0 && *milliseconds > 0;
}

static bool add_string(struct strings *strings, const char *text)
{
	const char **items = realloc(strings->items, (strings->count + 1) * sizeof(*items));

	if (!items)
		return false;
	items[strings->count++] = text;
	strings->items = items;
	return true;
}

static enum gsc_status take_value(struct common *common, const struct option_row *row,
				  const char *value, struct gsc_error *err)
{
	void *target = (char *)common + row->offset;
	const char *choices = row->argument;
	char word[40];

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)target = true;
		return GSC_OK;
	case OPTION_COUNT:
		++*(unsigned *)target;
		return GSC_OK;
	case OPTION_HELP:
		*(unsigned *)target = value ? HELP_ALL : HELP_SHORT;
		return !value || !strcmp(value, "all") ? GSC_OK
			: wrong_value(row, value, "all", err);
	case OPTION_STRING:
		*(const char **)target = value;
		return GSC_OK;
	case OPTION_LIST:
		return add_string(target, value) ? GSC_OK : err_memory(err);
	case OPTION_CHOICE:
		for (unsigned i = 0; value_next(&choices, word, sizeof(word)); i++)
			if (!strcasecmp(word, value)) {
				*(unsigned *)target = i;
				return GSC_OK;
			}
		return wrong_value(row, value, row->argument, err);
	case OPTION_NUMBER:
		return gsc_parse_number(value, target) ? GSC_OK
			: wrong_value(row, value, "a number", err);
	case OPTION_ADDRESS:
		return address_read(value, target) ? GSC_OK
			: wrong_value(row, value, "an address", err);
	case OPTION_SECONDS:
		return parse_seconds(value, target) ? GSC_OK
			: wrong_value(row, value, "seconds, such as 2 or 0.5", err);
	}
	return GSC_USAGE;
}

/* ---- what the shell hands over -------------------------------------------------------------- */

static enum gsc_status take_session(struct common *common, const struct session *session,
				    struct gsc_error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(common_options); i++) {
		const struct option_row *row = &common_options[i];
		const void *source = (const char *)session->options + row->offset;
		void *target = (char *)common + row->offset;
		const struct strings *list = source;

		/* Operands can also give sources and platform. */
		if (!strcmp(row->name, "from") || !strcmp(row->name, "platform") ||
		    (!session->wakes && !strcmp(row->name, "wake")) ||
		    !option_given(session->options, row->name))
			continue;
		if (row->kind == OPTION_FLAG)
			*(bool *)target = *(const bool *)source;
		else if (row->kind != OPTION_LIST)
			*(unsigned *)target = *(const unsigned *)source;
		for (size_t j = 0; row->kind == OPTION_LIST && j < list->count; j++)
			if (!add_string(target, list->items[j]))
				return err_memory(err);
		common->given |= bit_of(common->command, row->name);
	}
	return GSC_OK;
}

/* ---- rules ---------------------------------------------------------------------------------- */

static enum gsc_status check_rule(const struct common *common, const struct option_rule *rule,
				  struct gsc_error *err)
{
	const char *others = rule->others;
	char other[40], list[80] = "", what[60];
	bool given = false;

	if (!option_given(common, rule->name))
		return GSC_OK;
	while (!given && value_next(&others, other, sizeof(other))) {
		string_add(list, "%s--%s", *list ? " or " : "", other);
		given = option_given(common, other);
	}
	if (given == rule->needs)
		return GSC_OK;
	string_set(what, "--%s", rule->name);
	return rule->needs ? usage_error(err, what, "needs %s", list)
			   : usage_error(err, what, "cannot be combined with --%s", other);
}

/* ---- getopt --------------------------------------------------------------------------------- */

struct getopt_tables {
	struct option longs[OPTIONS_MAX + 1];
	char letters[2 * OPTIONS_MAX + 2];
};

static enum gsc_status getopt_error(const struct command *command, int code, char **argv,
				    struct gsc_error *err)
{
	struct suggestions s = { .prefix = "--" };
	const struct option_row *option;
	char what[100], near[120];
	size_t row = optopt >= LONG_BASE ? (size_t)(optopt - LONG_BASE)
					 : row_by_letter(command, optopt);

	if (optopt && optopt < LONG_BASE)
		string_set(what, "-%c", optopt);
	else if (optopt)
		string_set(what, "--%s", row_at(command, row)->name);
	else
		string_set(what, "%.*s", (int)strcspn(argv[optind - 1], "="), argv[optind - 1]);
	if (code == ':')
		return usage_error(err, what, "needs an argument");
	if (optopt >= LONG_BASE)
		return usage_error(err, what, "takes no argument");
	/* "did you mean --NAME?": of a long one only, since every letter is near another. */
	if (!strncmp(what, s.prefix, 2)) {
		s.wanted = what + 2;
		for (size_t i = 0; (option = option_next(command, &i));)
			suggest(&s, option->name);
	}
	return usage_error(err, what, "unknown option%s", suggestions_text(&s, near, sizeof(near)));
}

enum gsc_status options_read(struct common *common, int argc, char **argv, struct gsc_error *err)
{
	const struct command *command = common->command;
	struct getopt_tables tables = { 0 };
	enum gsc_status status = GSC_OK;
	int code;
	char *letter;

	if (common->session)
		status = take_session(common, common->session, err);
	if (status)
		return status;
	letter = tables.letters;
	*letter++ = ':';
	for (size_t i = 0; i < row_count(command) && i < OPTIONS_MAX; i++) {
		const struct option_row *row = row_at(command, i);

		tables.longs[i] = (struct option){
			row->name,
			row->kind == OPTION_HELP ? optional_argument
			: row->argument ? required_argument : no_argument,
			NULL, LONG_BASE + (int)i,
		};
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->argument)
			*letter++ = ':';
	}
	opterr = 0;
	optind = 0;			/* from the beginning: the shell has parsed its own */
	while ((code = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		size_t row = code >= LONG_BASE ? (size_t)(code - LONG_BASE)
					       : row_by_letter(command, code);

		if (code == '?' || code == ':')
			return getopt_error(command, code, argv, err);
		status = take_value(common, row_at(command, row), optarg, err);
		if (status)
			return status;
		common->given |= UINT64_C(1) << row;
	}
	common->operands = (const char *const *)argv + optind;
	common->operand_count = (size_t)(argc - optind);
	if (common->help || common->version)
		return GSC_OK;
	for (size_t i = 0; !status && i < command->rule_count; i++)
		status = check_rule(common, &command->rules[i], err);
	for (size_t i = 0; !status && i < ARRAY_SIZE(common_rules); i++)
		status = check_rule(common, &common_rules[i], err);
	return status;
}

void options_free(struct common *common)
{
	for (size_t i = 0; i < row_count(common->command); i++) {
		const struct option_row *row = row_at(common->command, i);

		if (row->kind == OPTION_LIST)
			free(((struct strings *)((char *)common + row->offset))->items);
	}
}

/* ---- what a value can be --------------------------------------------------------------------- */

const char *option_value(const struct option_row *row)
{
	const char *colon;

	if (row->kind == OPTION_CHOICE)
		return row->argument;
	if (!row->value || strcmp(row->value, IN_HELP))
		return row->value ? row->value : "";
	colon = strrchr(row->help, ':');
	return colon ? colon + 1 : row->help;
}

bool value_next(const char **value, char *word, size_t size)
{
	size_t length;

	*value += strspn(*value, " |");
	length = strcspn(*value, " |");
	snprintf(word, size, "%.*s", (int)length, *value);
	*value += length;
	return length;
}

/* ---- help ----------------------------------------------------------------------------------- */

static void option_label(const struct option_row *row, char *buf, size_t size)
{
	char letter[8] = "    ";

	if (row->letter)
		string_set(letter, "-%c, ", row->letter);
	snprintf(buf, size, "%s--%s%s%s", letter, row->name,
		 row->kind == OPTION_HELP ? "[=all]" : !row->argument ? ""
		 : row->kind == OPTION_CHOICE ? "=" : " ", row->argument ? row->argument : "");
}

/* The next row of the help. */
static const struct option_row *help_next(const struct command *command, bool all, size_t *i)
{
	const struct option_row *row;

	while ((row = option_next(command, i)) && !all && !row->often)
		;
	return row;
}

/* In lines that fit a terminal. */
void help_write(struct gsc_out *out, const struct command *command, bool all)
{
	const char *const *usage = command->usage;
	const struct option_row *row;
	unsigned column = 0, width = out->width;
	bool own = false;
	char label[100];

	for (size_t i = 0; usage[i] && (all || *usage[i]); i++)
		if (*usage[i])
			gsc_out_format(out, "%s %s %s\n", i ? "      " : "Usage:", command->name,
				       usage[i]);
	gsc_out_format(out, "\n%c%s.\n", toupper((unsigned char)*command->purpose),
		       command->purpose + 1);
	gsc_out_end(out);
	for (size_t i = 0; (row = help_next(command, all, &i));) {
		option_label(row, label, sizeof(label));
		if (strlen(label) <= LABEL_MOST)
			column = MAX(column, (unsigned)strlen(label) + 3);
	}
	for (size_t i = 0; (row = help_next(command, all, &i)); own = i <= command->option_count) {
		if (all && own && i > command->option_count)
			gsc_out_end(out);
		option_label(row, label, sizeof(label));
		gsc_out_format(out, " %s", label);
		if (strlen(label) > LABEL_MOST)
			gsc_out_end(out);
		out->width = WIDTH;
		text_wrapped(out, column, column, "", row->help);
		out->width = width;
	}
	if (!all)
		gsc_out_format(out, "\nAll options: %s --help=all. ", command->name);
	else
		gsc_out_text(out, "\nSOURCE is a device (live, 00:02.0, /dev/dri/card0), a dump "
				  "(PATH or -),\nbar:PATH, ggtt:PATH, mem:PATH, lmem:PATH, "
				  "elf:PATH, config:PATH,\nguc-capture:PATH, hang:N, demo:NAME or "
				  "none; demo: lists the demos.\n\n");
	gsc_out_format(out, "See also %s(1) and gpuscope(7).\n", command->name);
}
