/* SPDX-License-Identifier: MIT */
/* gpu-eu: a program as text and as JSON. */
#include "batch/run.h"
#include "cli/text.h"
#include "eu/program.h"
#include "gpu-eu.h"

/* ---- what it begins with --------------------------------------------------------------------- */

SCHEMA(eu, EU_SCHEMA, "gpu-eu --json",
       "One document. With --ndjson the first line is the document without its list, and each "
       "further line one element of that list.", PLATFORM, FORMS(programs, program_findings))

KEYS(programs)
static void list_programs(struct gsc_json *json)
{
	KEY_LIST("programs", OF(program));
}

KEYS(program_findings, "--lint.")
static void list_findings(struct gsc_json *json)
{
	KEY_LIST("findings", OF(finding));
}

static void begin(struct eu *eu)
{
	struct gsc_json *json = &eu->json;
	size_t count;
	const char **names;

	if (eu->begun)
		return;
	eu->begun = true;
	names = held_names(&eu->common, eu->has_input, &count);
	if (wants_json(&eu->common)) {
		document_begin(&eu->common, EU_SCHEMA, names, count, json);
		if (eu->lint)
			list_findings(json);
		else
			list_programs(json);
	} else {
		title_begin(&eu->common, names, count);
	}
	free(names);
}

void eu_show_end(struct eu *eu)
{
	if (eu->svg) {
		eu_drawing_end(eu);
		return;
	}
	begin(eu);
	if (eu->lint && !eu->findings && !eu->common.quiet && !wants_json(&eu->common))
		gsc_out_line(eu->common.out, "no findings");
	if (!wants_json(&eu->common))
		return;
	gsc_json_finish(&eu->json);
}

/* ---- a program ------------------------------------------------------------------------------- */

static const char *space_word(const struct shown *shown)
{
	return shown->process ? "ppgtt" : "ggtt";
}

/* "# ps SIMD16 at ppgtt:0x1040, 448 bytes, 3DSTATE_PS at 0x2000, rcs0 batch at ppgtt:0x1f00" */
static void put_heading(const struct eu *eu, const struct shown *shown)
{
	const struct gsc_kernel *kernel = shown->kernel;
	struct gsc_out *out = eu->common.out;
	char name[120];

	if (eu->common.quiet || eu->has_input)
		return;
	if (eu->programs)
		gsc_out_end(out);
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s", *kernel->stage ? kernel->stage : "program");
	if (kernel->simd)
		gsc_out_format(out, " SIMD%u", kernel->simd);
	gsc_out_format(out, " at %s:0x%llx", space_word(shown), LL(kernel->address));
	gsc_out_format(out, ", %zu bytes%s", kernel->size, kernel->cut ? ", end not found" : "");
	if (shown->command)
		gsc_out_format(out, ", %s at 0x%llx", shown->command->name,
			       LL(shown->command->address));
	if (shown->run)
		gsc_out_format(out, ", %s", run_text(shown->run, name, sizeof(name)));
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
}

KEYS(program, MORE)
static void json_program(struct eu *eu, const struct shown *shown, struct gsc_program *program,
			 struct gsc_program_counts *counts)
{
	const struct gsc_kernel *kernel = shown->kernel;
	const struct gsc_command *command = shown->command;
	struct gsc_json *json = &eu->json;

	KEY(text, "name", shown->name);
	KEY_OR_NULL(shown->placed, hex, "address", kernel->address);
	KEY(text_or_null, "space", eu->has_input ? NULL : space_word(shown));
	KEY(some_text, "stage", kernel->stage);
	KEY_OR_NULL(kernel->simd, number, "simd", kernel->simd, ONE_OF(8, 16, 32));
	KEY(text_or_null, "engine", shown->run ? shown->run->engine : NULL);
	KEY(text_or_null, "command", command ? command->name : NULL);
	KEY_OR_NULL(command, hex, "command_address", command->address);
	KEY(number, "size", kernel->size);
	KEY(some_text, "problem", kernel->problem);
	gsc_json_program(json, program, counts);
}

/* The rest of a file is less than an instruction. */
static enum gsc_status put_tail(struct eu *eu, const struct shown *shown, uint64_t end)
{
	const uint8_t *data = shown->kernel->data;
	struct gsc_out *out = eu->common.out;
	size_t left = shown->kernel->size - (size_t)end;
	char why[80];

	if (!left)
		return GSC_OK;
	if (!wants_json(&eu->common) && !eu->svg) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_format(out, "// truncated: %zu bytes:", left);
		for (size_t i = 0; i < left; i++)
			gsc_out_format(out, " %02x", data[end + i]);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
	}
	string_set(why, "truncated: ends with %zu byte%s of an instruction", left,
		   left > 1 ? "s" : "");
	complain(&eu->common, GSC_PARTIAL, shown->name, why);
	return GSC_PARTIAL;
}

static bool take_breach(void *context, const struct gsc_breach *breach)
{
	struct eu *eu = context;

	eu->findings++;
	return finding_put(&eu->common, &eu->json, breach);
}

/* Only counted: findings or blocks are shown instead. */
static void count(struct gsc_program *program, struct gsc_program_counts *counts)
{
	struct gsc_instruction in;

	*counts = (struct gsc_program_counts){ 0 };
	while (gsc_program_next(program, &in)) {
		if (!in.opcode && !counts->unknown++)
			counts->first_unknown = in.offset;
		counts->instructions++;
		counts->end = in.offset + in.size;
	}
}

enum gsc_status eu_show(struct eu *eu, const struct shown *shown, struct gsc_error *err)
{
	const struct gsc_kernel *kernel = shown->kernel;
	const struct gsc_program_style style = {
		.address = kernel->address,
		.bare = eu->common.quiet,
		.addresses = eu->offsets,
		.raw = eu->raw,
		.fields = eu->fields,
		.marked = shown->marked,
		.mark = eu->address,
	};
	struct gsc_program_counts counts;
	struct gsc_program *program;
	struct blocks blocks;
	enum gsc_status status;
	char what[100];

	status = gsc_program_new(&program, eu->set, kernel->data, kernel->size, err);
	if (status)
		return status;
	if (!eu->svg)
		begin(eu);
	if (eu->cfg) {
		status = blocks_find(&blocks, eu, kernel, err);
		if (!status && eu->svg)
			status = eu_draw_blocks(eu, &blocks, shown->name, kernel->address, err);
		if (!status && !eu->svg) {
			put_heading(eu, shown);
			eu_put_blocks(eu, &blocks, kernel->address);
		}
		blocks_free(&blocks);
		count(program, &counts);
	} else if (eu->lint) {
		status = gsc_program_lint(program, kernel->address, take_breach, eu, err);
		count(program, &counts);
	} else if (wants_json(&eu->common)) {
		gsc_json_object(&eu->json, NULL);
		json_program(eu, shown, program, &counts);
		gsc_json_object_end(&eu->json);
	} else {
		put_heading(eu, shown);
		gsc_text_program(eu->common.out, program, &style, &counts);
	}
	gsc_program_free(program);
	if (status)
		return status;
	if (counts.unknown && !eu->unknown)
		eu->first_unknown = kernel->address + counts.first_unknown;
	eu->unknown += counts.unknown;
	eu->instructions += counts.instructions;
	eu->programs++;
	if (kernel->cut) {
		string_set(what, "%s at 0x%llx", *kernel->stage ? kernel->stage : "program",
			   LL(kernel->address));
		complain(&eu->common, GSC_PARTIAL, what, kernel->problem);
		status = GSC_PARTIAL;
	}
	return gsc_out_error(eu->common.out) ? status
					     : worse(status, put_tail(eu, shown, counts.end));
}
