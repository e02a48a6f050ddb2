/* SPDX-License-Identifier: MIT */
/* gpu-fault --ecode: what the codes that i915 gives hangs mean, as they are pasted from a log. */
#include "fault.h"
#include "log/ecode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ECODE_SCHEMA "gpuscope.ecode/1"
#define COLUMN 11
#define WIDTH 80

/*
 * The value of the option and the operands, as if nothing had split them; and tidied, if they were
 * typed from a picture: "9 : 1 : 85dffffb", "0X85DFFFFB".
 */
static char *join(const struct fault *fault)
{
	const struct common *common = &fault->common;
	size_t length = strlen(fault->ecode) + 1;
	char *text, *out, *end;

	for (size_t i = 0; i < common->operand_count; i++)
		length += strlen(common->operands[i]) + 1;
	text = out = malloc(length);
	if (!text)
		return NULL;
	end = stpcpy(text, fault->ecode);
	for (size_t i = 0; i < common->operand_count; i++) {
		*end++ = ' ';
		end = stpcpy(end, common->operands[i]);
	}
	for (const char *at = text; *at; at++) {
		bool after_digit = out > text && isdigit((unsigned char)out[-1]);
		bool after_colon = out > text + 1 && out[-1] == ':' &&
				   isdigit((unsigned char)out[-2]);

		/* A blank next to the colon of a code. */
		if (*at == ' ' && (at[1] == ':' ? after_digit :
				   after_colon && isxdigit((unsigned char)at[1])))
			continue;
		*out = *at == 'X' && out > text && out[-1] == '0' ? 'x' : *at;
		out++;
	}
	*out = 0;
	return text;
}

struct code {
	size_t index;
	struct gsc_ecode ecode;
	struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES];
	size_t count;
	char text[400];
};

typedef void code_fn(struct common *common, const struct code *code, struct gsc_json *json);

/* How many there are. */
static size_t each_code(struct common *common, const char *text, code_fn *each,
			struct gsc_json *json)
{
	size_t size = strlen(text), next, count = 0;
	struct code code;

	for (; gsc_ecode_read(common->db, view_of(common), text, size, &code.ecode, &next);
	     count++) {
		code.index = count;
		code.count = gsc_ecode_guess(common->db, &code.ecode, code.guesses);
		gsc_ecode_text(common->db, &code.ecode, code.text, sizeof(code.text));
		if (each)
			each(common, &code, json);
		text += next;
		size -= next;
	}
	return count;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* In as many lines as they need. */
static void put_platforms(struct common *common, const struct gsc_ecode *ecode)
{
	struct gsc_platform platform;
	size_t column = COLUMN;

	gsc_out_text(common->out, "platform");
	gsc_out_pad(common->out, COLUMN);
	for (unsigned i = 0; gsc_platform_at(common->db, i, &platform); i++) {
		if (!ecode->has_generation || !(ecode->platforms >> i & 1))
			continue;
		if (column + strlen(platform.name) + 1 >= WIDTH) {
			gsc_out_end(common->out);
			gsc_out_pad(common->out, COLUMN);
			column = COLUMN;
		} else if (column > COLUMN) {
			gsc_out_text(common->out, " ");
			column++;
		}
		gsc_out_text(common->out, platform.name);
		column += strlen(platform.name);
	}
	if (!ecode->has_generation)
		gsc_out_text(common->out, "the code has no generation: give -p");
	else if (!ecode->platforms)
		gsc_out_text(common->out, "none known");
	gsc_out_end(common->out);
}

static void put_code(struct common *common, const struct code *code, struct gsc_json *json)
{
	const struct gsc_ecode *ecode = &code->ecode;
	struct gsc_out *out = common->out;

	(void)json;
	if (code->index)
		gsc_out_end(out);
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_format(out, "code       0x%08x", (unsigned)ecode->code);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (ecode->has_generation)
		gsc_out_format(out, "  generation %u", ecode->generation);
	if (*ecode->engine)
		gsc_out_format(out, "  %s", ecode->engine);
	if (*ecode->process) {
		gsc_out_text(out, "  ");
		gsc_out_clean(out, ecode->process);
	}
	gsc_out_end(out);
	if (!code->count) {
		gsc_out_pad(out, COLUMN);
		gsc_out_text(out, code->text);
		gsc_out_end(out);
	}
	for (size_t i = 0; i < code->count; i++) {
		const struct gsc_ecode_guess *guess = &code->guesses[i];

		gsc_out_text(out, i ? "or" : "fits");
		gsc_out_pad(out, COLUMN);
		gsc_out_text(out, guess->command ? guess->command : "none");
		gsc_out_pad(out, COLUMN + 36);
		gsc_out_format(out, "header 0x%08x", (unsigned)guess->header);
		gsc_out_end(out);
		gsc_out_pad(out, COLUMN + 2);
		gsc_out_format(out, "INSTDONE 0x%08x%s%s", (unsigned)guess->instdone,
			       *guess->busy ? ", not done: " : "", guess->busy);
		gsc_out_end(out);
	}
	if (!common->gpu)
		put_platforms(common, ecode);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

SCHEMA(fault-ecode, ECODE_SCHEMA, "gpu-fault --ecode --json",
       "One document. With --ndjson the first line is the document without codes, and each further "
       "line one of them.", FORMS(codes))

KEYS(guess)
static void json_guess(struct gsc_json *json, const struct gsc_ecode_guess *guess)
{
	KEY(some_text, "name", guess->command);
	KEY(hex, "header", guess->header);
	KEY(hex, "instdone", guess->instdone);
	KEY(some_text, "busy", guess->busy);
}

KEYS(code, "code: INSTDONE xor IPEHR. platforms: those that it can be of. commands: those that "
     "fit, the best first; name null: a header of all ones, no command. header xor instdone is the "
     "code; busy: units that are not done in it.")
static void json_members(struct gsc_json *json, struct common *common, const struct code *code)
{
	const struct gsc_ecode *ecode = &code->ecode;
	struct gsc_platform platform;

	KEY(hex, "code", ecode->code);
	KEY_OR_NULL(ecode->has_generation, number, "generation", ecode->generation);
	KEY(some_text, "engine", ecode->engine);
	KEY(some_text, "process", ecode->process);
	KEY_EACH(text, "platforms",
		 for (unsigned i = 0; gsc_platform_at(common->db, i, &platform); i++)
			 if (ecode->platforms >> i & 1),
		 platform.name);
	KEY_EACH(object, "commands", for (size_t i = 0; i < code->count; i++),
		 json_guess(json, &code->guesses[i]));
	KEY(text, "text", code->text);
}

static void json_code(struct common *common, const struct code *code, struct gsc_json *json)
{
	ITEM(json_members(json, common, code));
}

/*
 * A line may be pasted without quotes, and then has commas; anything else that is no code is a
 * mistake.
 */
static enum gsc_status check_operands(struct common *common, struct gsc_error *err)
{
	const char *before = ((struct fault *)common)->ecode;
	char why[400], file[160];
	bool line = false;

	for (size_t i = 0; i < common->operand_count; i++) {
		const char *word = common->operands[i];

		line |= strchr(before, ',') || !each_code(common, before, NULL, NULL);
		before = word;
		if (!line && !access(word, F_OK)) {
			string_set(why, "not a hang code; to read a file, try: gpu-fault %s",
				   shell_quoted(word, file, sizeof(file)));
			return usage_error(err, word, "%s", why);
		}
		if (!line && !each_code(common, word, NULL, NULL))
			return usage_error(err, word, "not a hang code, such as 9:1:85dffffb");
	}
	return GSC_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

KEYS(codes)
static void show(struct common *common, const char *text)
{
	struct gsc_json document, *json = &document;

	if (!wants_json(common)) {
		title_begin(common, NULL, 0);
		each_code(common, text, put_code, NULL);
		return;
	}
	document_begin(common, ECODE_SCHEMA, NULL, 0, json);
	KEY_LIST("codes", OF(code));
	each_code(common, text, json_code, json);
	gsc_json_finish(json);
}

enum gsc_status ecode_run(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);
	char *text;

	common->device = common->revision = -1;
	if (!status && (common->platform_name || common->from.count))
		status = platform_open(common, err);
	if (status)
		return status;
	text = join((struct fault *)common);
	if (!text)
		return err_memory(err);
	status = check_operands(common, err);
	if (!status && !each_code(common, text, NULL, NULL))
		status = usage_error(err, ((struct fault *)common)->ecode,
				     "not a hang code, such as 9:1:85dffffb");
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		show(common, text);
	free(text);
	return status;
}
