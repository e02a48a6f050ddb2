/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk: where graphics addresses land, and why not. */
#include "ptwalk.h"
#include "source/source.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>

static const char *const usage[] = {
	"[options] [SOURCE] ADDR...",
	"[options] --map [--svg] [SOURCE]",
	"[options] --flat [--all] [SOURCE]",
	"[options] --reverse [SOURCE] PHYS...",
	"[options] --check [--before SOURCE] [SOURCE]",
	"[options] --spaces [SOURCE]",
	NULL,
};

#define MEMBER(member) offsetof(struct ptwalk, member)

static const struct option_row options[] = {
	{ 'm', "mode", "MODE", OPTION_STRING, MEMBER(roots.mode_name),
	  "ggtt flat 2level pdp32 pml4 ia32e vtd", IN_HELP, true },
	{ 0, "root", "VALUE", OPTION_STRING, MEMBER(roots.root),
	  "value of the mode's root register", NULL, true },
	{ 0, "context", "LRCA", OPTION_NUMBER, MEMBER(roots.context),
	  "use the root in a logical context", NULL, true },
	{ 0, "engine", "NAME", OPTION_STRING, MEMBER(roots.engine),
	  "use the root in an engine's registers", "ENGINE", true },
	{ 0, "process", "PROCESS", OPTION_STRING, MEMBER(roots.process),
	  "use the address space of a process, from a memory dump" },
	{ 0, "pasid", "N", OPTION_NUMBER, MEMBER(roots.pasid),
	  "use the root in the PASID tables" },
	{ 0, "rtaddr", "VALUE", OPTION_NUMBER, MEMBER(roots.rtaddr),
	  "RTADDR_REG, the root of the PASID tables" },
	{ 0, "bdf", "BDF", OPTION_STRING, MEMBER(roots.bdf),
	  "PCI function in the PASID tables (00:02.0)", "DEVICE" },
	{ 0, "vtd", "PHYS[/LEVELS]", OPTION_STRING, MEMBER(roots.vtd),
	  "VT-d second-level tables that translate guest-physical addresses" },
	{ 0, "trtt", "L3PTR", OPTION_STRING, MEMBER(roots.trtt),
	  "address of the L3 table of tiled resources; \"none\": use no such table", "none" },
	{ 0, "trtt-null", "V", OPTION_NUMBER, MEMBER(roots.trtt_null), "L1 entry of a null tile" },
	{ 0, "trtt-invalid", "V", OPTION_NUMBER, MEMBER(roots.trtt_invalid),
	  "L1 entry of an invalid tile" },
	{ 0, "trtt-va", "DATA", OPTION_NUMBER, MEMBER(roots.trtt_va),
	  "address bits 47:44 of tiled resources" },
	{ 0, "access", "read|write|atomic", OPTION_CHOICE, MEMBER(access),
	  "check that this access is permitted" },
	{ 0, "mocs", "N", OPTION_NUMBER, MEMBER(roots.mocs.index),
	  "with -v, the page as an access with this MOCS index sees it" },
	{ 0, "map", NULL, OPTION_FLAG, MEMBER(map), "show every mapped range", NULL, true },
	{ 0, "flat", NULL, OPTION_FLAG, MEMBER(flat), "show every page" },
	{ 0, "pages", NULL, OPTION_FLAG, MEMBER(pages), "the same as --flat" },
	{ 0, "all", NULL, OPTION_FLAG, MEMBER(all),
	  "with --flat: every page, even of long runs with one target" },
	{ 0, "reverse", NULL, OPTION_FLAG, MEMBER(reverse),
	  "show which GPU addresses reach a physical one", NULL, true },
	{ 0, "check", NULL, OPTION_FLAG, MEMBER(check), "find mistakes in the tables", NULL,
	  true },
	{ 0, "before", "SOURCE", OPTION_STRING, MEMBER(before),
	  "with --check: an earlier capture of the same GPU, to compare directories with",
	  "SOURCE" },
	{ 0, "spaces", NULL, OPTION_FLAG, MEMBER(spaces),
	  "show the device's address spaces and windows", NULL, true },
	{ 0, "svg", NULL, OPTION_FLAG, MEMBER(svg), "draw the map" },
	UNSAFE_OPTION,
};

#define ROOTS "mode root context engine process pasid vtd trtt"

static const struct option_rule rules[] = {
	{ "map", "flat pages reverse check spaces access mocs", false },
	{ "flat", "reverse check spaces svg access mocs", false },
	{ "pages", "reverse check spaces svg access mocs", false },
	{ "reverse", "check spaces svg access mocs", false },
	{ "check", "spaces svg access mocs", false },
	{ "spaces", "svg access mocs " ROOTS, false },
	{ "svg", "json ndjson access", false },
	{ "before", "check", true },
	{ "mocs", "verbose json ndjson", true },
	{ "all", "flat pages", true },
	{ "root", "context engine process pasid", false },
	{ "context", "engine process pasid", false },
	{ "engine", "process pasid", false },
	{ "process", "pasid", false },
	{ "pasid", "vtd", false },
	{ "pasid", "rtaddr", true },
	{ "rtaddr", "pasid", true },
	{ "bdf", "pasid", true },
	{ "trtt-null", "trtt", true },
	{ "trtt-invalid", "trtt", true },
	{ "trtt-va", "trtt", true },
};

static bool takes_none(const struct ptwalk *walk)
{
	return walk->map || walk->svg || walk->flat || walk->pages || walk->check || walk->spaces;
}

static unsigned take(const struct common *common)
{
	return takes_none((const struct ptwalk *)common) ? TAKE_ANY : TAKE_BESIDE_NUMBERS;
}

enum gsc_status complain_source(struct common *common)
{
	enum gsc_status status = complain_damage(common, common->source);

	if (!gsc_source_iommu(common->source))
		return status;
	complain(common, GSC_PARTIAL, "IOMMU",
		 "it translates the addresses in the tables: they are not memory addresses "
		 "(iommu=pt makes them equal)");
	return GSC_PARTIAL;
}

/* ---- operands ------------------------------------------------------------------------------- */

/* All addresses are in one space: that of the first. */
static enum gsc_status check_space(struct ptwalk *walk, size_t i, struct gsc_error *err)
{
	struct address *address = &walk->addresses[i];
	const struct address *place = &walk->roots.place;
	const char *text = walk->common.operands[i];

	if (walk->reverse) {
		if (!address->name)
			address->space = GSC_PHYS;
		/* What --reverse looks for: "0x1000", "lmem:0x1000", "stolen:0x1000". */
		return !address->name || address->space == GSC_PHYS || address->space == GSC_LMEM ||
				       address->space == GSC_STOLEN
			       ? GSC_OK
			       : usage_error(err, text, "expected a physical address");
	}
	if (address_graphics(address, text, err))
		return GSC_USAGE;
	if (i && (!address->name != !place->name ||
		  (address->name && address->space != place->space)))
		return usage_error(err, text, "is in another space than the address before it: "
					      "give each a command of its own");
	walk->roots.place = *address;
	return GSC_OK;
}

static enum gsc_status read_operands(struct ptwalk *walk, struct gsc_error *err)
{
	struct common *common = &walk->common;
	size_t count = common->operand_count;
	enum gsc_status status = GSC_OK;

	walk->addresses = calloc(count + 1, sizeof(*walk->addresses));
	if (!walk->addresses)
		return err_memory(err);
	for (size_t i = 0; !status && i < count; i++)
		status = address_read(common->operands[i], &walk->addresses[i])
				 ? check_space(walk, i, err)
				 : usage_error(err, common->operands[i],
					       "neither an address nor a file");
	return status;
}

static enum gsc_status check_operands(struct ptwalk *walk, struct gsc_error *err)
{
	size_t count = walk->common.operand_count;

	if (takes_none(walk) && count)
		return usage_error(err, walk->common.operands[0], "takes no address");
	if (!takes_none(walk) && !count)
		return usage_error(err, walk->reverse ? "PHYS" : "ADDR",
				   walk->reverse ? "expected a physical address"
						 : "expected an address, --map or another mode");
	return read_operands(walk, err);
}

static run_fn *choose_run(const struct ptwalk *walk)
{
	if (walk->reverse)
		return reverse_run;
	if (walk->check)
		return check_run;
	if (walk->spaces)
		return spaces_run;
	return takes_none(walk) ? map_run : walk_run;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct ptwalk *walk = (struct ptwalk *)common;
	enum gsc_status status = check_operands(walk, err);

	if (!status)
		status = roots_check(&walk->roots, common, err);
	if (!status)
		status = common_open(common, err);
	if (!status)
		status = choose_run(walk)(common, err);
	free(walk->addresses);
	return status;
}

const struct command ptwalk_command = {
	.name = "gpu-ptwalk",
	.purpose = "translate the addresses of an Intel GPU, level by level",
	.size = sizeof(struct ptwalk),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.take = take,
};
