/* SPDX-License-Identifier: MIT */
/* gpu-eu: the programs of the execution units. */
#include "gpu-eu.h"
#include "batch/run.h"
#include "eu/program.h"
#include "tools.h"

static const char *const usage[] = {
	"[options] -p PLATFORM FILE",
	"[options] SOURCE",
	"[options] -a ADDR SOURCE",
	NULL,
};

#define MEMBER(member) offsetof(struct eu, member)

static const struct option_row options[] = {
	{ 'a', "address", "ADDR", OPTION_ADDRESS, MEMBER(place),
	  "graphics address of the program to show, or of FILE", NULL, true },
	{ 'e', "engine", "NAME", OPTION_STRING, MEMBER(engine),
	  "show only programs of this engine: rcs0 ccs0 ...", "ENGINE", true },
	{ 0, "syntax", "mesa|iga", OPTION_CHOICE, MEMBER(syntax),
	  "syntax of Mesa's or of Intel's own assembler" },
	{ 0, "offsets", NULL, OPTION_FLAG, MEMBER(offsets),
	  "show the address of each instruction", NULL, true },
	{ 0, "raw", NULL, OPTION_FLAG, MEMBER(raw), "show the bytes of each instruction", NULL,
	  true },
	{ 0, "fields", NULL, OPTION_FLAG, MEMBER(fields), "show every field of each instruction",
	  NULL, true },
	{ 0, "cfg", NULL, OPTION_FLAG, MEMBER(cfg), "show the basic blocks and where they jump" },
	{ 0, "svg", NULL, OPTION_FLAG, MEMBER(svg), "draw the basic blocks" },
	{ 0, "lint", NULL, OPTION_FLAG, MEMBER(lint), "show only violations of documented rules" },
	{ 0, "format", "auto|text|bin", OPTION_CHOICE, MEMBER(format),
	  "FILE is text (hexadecimal words) or bytes" },
	UNSAFE_OPTION,
};

static const struct option_rule rules[] = {
	{ "offsets", "json ndjson", false },
	{ "raw", "json ndjson", false },
	{ "fields", "json ndjson", false },
	{ "cfg", "json ndjson offsets raw fields", false },
	{ "svg", "cfg", true },
	{ "lint", "offsets raw fields cfg", false },
};

/* A FILE of words may look like a dump of registers. */
static unsigned take(const struct common *common)
{
	return ((const struct eu *)common)->format == EU_AUTO ? TAKE_SPECS | TAKE_SURE : TAKE_SPECS;
}

static enum gsc_status show_input(struct eu *eu, struct gsc_error *err)
{
	const struct gsc_kernel kernel = {
		.stage = "",
		.address = eu->address,
		.data = eu->input.data,
		.size = eu->input.size,
	};
	const struct shown shown = {
		.name = input_name(eu->common.operands[0]),
		.kernel = &kernel,
		.placed = option_given(&eu->common, "address"),
		.process = address_in(&eu->place, GSC_PPGTTMEM),
	};
	enum gsc_status status = eu_show(eu, &shown, err);

	if (!status && eu->input.damaged)
		status = GSC_PARTIAL;
	return status && status != GSC_PARTIAL
		       ? status
		       : worse(status, held_damage(&eu->common, &eu->input.file));
}

static enum gsc_status eu_run(struct common *common, struct gsc_error *err)
{
	struct eu *eu = (struct eu *)common;
	enum gsc_status status = address_graphics(&eu->place, "--address", err);
	bool empty = false;
	char what[100], why[60];

	eu->address = eu->place.at;
	if (eu->address % 8)
		return usage_error(err, "--address", "not a multiple of 8");
	if (!status)
		status = common_open_file(common, eu_input_open, "instructions", true, err);
	if (!status)
		status = gsc_eu_new(&eu->set, view_of(common), err);
	if (!status)
		status = gsc_eu_set_syntax(eu->set, (enum gsc_eu_syntax)eu->syntax, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status) {
		status = eu->has_input ? show_input(eu, err) : eu_kernels(eu, err);
		/* A source without programs is a document without programs. */
		empty = status == GSC_UNKNOWN && wants_json(common);
	}
	if (!status || status == GSC_PARTIAL || eu->programs || empty)
		eu_show_end(eu);
	if ((!status || status == GSC_PARTIAL) && eu->unknown) {
		string_set(what, "%llu of %llu instructions", LL(eu->unknown),
			   LL(eu->instructions));
		string_set(why, "unknown opcode, the first at 0x%08llx", LL(eu->first_unknown));
		complain(common, GSC_PARTIAL, what, why);
		status = GSC_PARTIAL;
	}
	if ((!status || status == GSC_PARTIAL) && eu->findings) {
		string_set(why, "%llu finding%s", LL(eu->findings), &"s"[eu->findings == 1]);
		complain(common, GSC_PARTIAL, "--lint", why);
		status = GSC_PARTIAL;
	}
	gsc_eu_free(eu->set);
	eu_input_close(&eu->input);
	return status;
}

const struct command eu_command = {
	.name = "gpu-eu",
	.purpose = "decode the programs of an Intel GPU's execution units",
	.size = sizeof(struct eu),
	.run = eu_run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
};
