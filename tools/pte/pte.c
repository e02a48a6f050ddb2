/* SPDX-License-Identifier: MIT */
/* gpu-pte: decode page-table entries. */
#include "cli/text.h"
#include "pte.h"
#include "tools.h"
#include "gtt/gtt.h"
#include "util/number.h"
#include "util/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const usage[] = {
	"[options] [-m MODE] [-l LEVEL] [SOURCE] VALUE...",
	"[options] [-m MODE] [-l LEVEL] [SOURCE] < FILE",
	NULL,
};

#define MEMBER(member) offsetof(struct pte, member)

static const struct option_row options[] = {
	{ 'm', "mode", "MODE", OPTION_STRING, MEMBER(mode_name),
	  "ggtt flat 2level pdp32 pml4 ia32e vtd trtt", IN_HELP, true },
	{ 'l', "level", "LEVEL", OPTION_STRING, MEMBER(level),
	  "pte pde pdpe pml4e pte64k pde2m ...", "LEVEL", true },
};

static unsigned take(const struct common *common)
{
	(void)common;
	return TAKE_BESIDE_NUMBERS & ~TAKE_STDIN;
}

static bool reads_none(const struct common *common)
{
	(void)common;
	return true;
}

/* ---- mode and level ------------------------------------------------------------------------- */

static bool starts(const char *text, const char *with)
{
	return !strncasecmp(text, with, strlen(with));
}

/* Some levels belong to one mode only. */
static bool implied_mode(const char *level, enum gsc_mode *mode)
{
	if (!starts(level, "trtt-") && !starts(level, "vtd-"))
		return false;
	*mode = starts(level, "vtd-") ? GSC_MODE_VTD : GSC_MODE_TRTT;
	return true;
}

/* One that is too long is invalid, and shown as it was given. */
static void lower_level(struct pte *pte)
{
	const char *level = pte->level ? pte->level : "pte";

	pte->level = level;
	if (strlen(level) >= sizeof(pte->level_name))
		return;
	for (size_t i = 0; level[i]; i++)
		pte->level_name[i] = (char)tolower((unsigned char)level[i]);
	pte->level = pte->level_name;
}

static enum gsc_status choose_mode(struct pte *pte, struct gsc_error *err)
{
	enum gsc_mode implied;
	char what[120];

	lower_level(pte);
	if (pte->mode_name && !gsc_mode_by_name(pte->mode_name, &pte->mode)) {
		snprintf(what, sizeof(what), "--mode %s", *pte->mode_name ? pte->mode_name : "''");
		return usage_error(err, what, "expected ggtt, flat, 2level, pdp32, pml4 or ia32e");
	}
	if (!implied_mode(pte->level, &implied))
		return GSC_OK;
	if (pte->mode_name && pte->mode != implied) {
		snprintf(what, sizeof(what), "--level %s", pte->level);
		return usage_error(err, what, "no level of that mode");
	}
	pte->mode = implied;
	return GSC_OK;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Quadwords from the highest down, into dwords from the lowest up. */
static bool parse_words(const char *text, uint32_t *words, size_t *count)
{
	uint64_t quads[GSC_ENTRY_WORDS / 2];
	size_t length = strlen(text), used = 0;
	char copy[200], *rest = copy, *part;

	if (!length || length >= sizeof(copy) || text[length - 1] == ':')
		return false;
	memcpy(copy, text, length + 1);
	while ((part = strsep(&rest, ":"))) {
		if (used == ARRAY_SIZE(quads) || !gsc_parse_number(part, &quads[used]))
			return false;
		used++;
	}
	for (size_t i = 0; i < used; i++) {
		words[2 * i] = (uint32_t)quads[used - 1 - i];
		words[2 * i + 1] = (uint32_t)(quads[used - 1 - i] >> 32);
	}
	*count = 2 * used;
	return true;
}

static void tell_modes(const struct pte *pte, struct gsc_error *err)
{
	const struct common *common = &pte->common;

	snprintf(err->what, sizeof(err->what), "--mode %s", gsc_mode_name(pte->mode));
	snprintf(err->why, sizeof(err->why), "%s has no such mode; it has",
		 platform_of(common)->name);
	for (unsigned mode = 0; mode < GSC_MODES; mode++)
		if (gsc_mode_level(view_of(common), (enum gsc_mode)mode, 0))
			string_addf(err->why, sizeof(err->why), " %s",
			       gsc_mode_name((enum gsc_mode)mode));
}

/* What is wrong with an entry of zeros is the level's fault. */
static enum gsc_status check_level(const struct pte *pte, struct gsc_error *err)
{
	static const uint32_t nothing[2];
	struct gsc_entry entry;
	enum gsc_status status;

	status = gsc_entry_decode(view_of(&pte->common), pte->mode, pte->level, nothing, 2, &entry,
				  err);
	if (!status)
		return GSC_OK;
	if (!strcmp(err->what, pte->level))
		snprintf(err->what, sizeof(err->what), "--level %.100s",
			 *pte->level ? pte->level : "''");
	else if (!strcmp(err->what, gsc_mode_name(pte->mode)))
		tell_modes(pte, err);
	return status;
}

enum gsc_status pte_decode(const struct pte *pte, const char *text, struct gsc_entry *entry,
			   struct gsc_error *err)
{
	uint32_t words[GSC_ENTRY_WORDS];
	enum gsc_status status;
	size_t count;

	if (!parse_words(text, words, &count))
		return usage_error(err, text, "expected a number, or HIGH:...:LOW quadwords");
	status = gsc_entry_decode(view_of(&pte->common), pte->mode, pte->level, words, count,
				  entry, err);
	if (status)
		snprintf(err->what, sizeof(err->what), "%.100s", text);
	return status;
}

/* ---- output --------------------------------------------------------------------------------- */

static void put_title(struct common *common, const struct pte *pte)
{
	gsc_out_format(common->out, "# gpu-pte 1.0 platform %s mode %s level %s",
		       platform_of(common)->name, gsc_mode_name(pte->mode), pte->level);
	gsc_out_end(common->out);
}

enum gsc_status pte_open(struct pte *pte, struct gsc_error *err)
{
	return output_open(&pte->common, pte->common.operand_count > 0, err);
}

SCHEMA(pte, PTE_SCHEMA, "gpu-pte --json",
       "One document. With --ndjson the first line is the document without entries, and each "
       "further line one of them.", PLATFORM, FORMS(entries))

KEYS(entries)
void pte_begin(struct pte *pte)
{
	struct common *common = &pte->common;
	struct gsc_json *json = &pte->json;

	if (wants_json(common)) {
		source_document(common, PTE_SCHEMA, json);
		KEY_LIST("entries", OF(entry));
	} else if (!common->quiet && !common->session) {
		put_title(common, pte);
	}
}

/* A source that is named may have the registers for it. */
static void put_memory_type(struct common *common, const struct gsc_entry *entry)
{
	char text[256];

	if (!common->verbose || !common->from.count || !entry->valid || !entry->leaf)
		return;
	gsc_entry_memory_type(common->gpu, entry, text, sizeof(text));
	if (!*text)
		return;
	gsc_out_format(common->out, "    memory type: %s", text);
	gsc_out_end(common->out);
}

void pte_show(struct pte *pte, const struct gsc_entry *entry)
{
	struct common *common = &pte->common;
	struct gsc_json *json = &pte->json;

	if (!wants_json(common)) {
		gsc_text_entry(common->out, view_of(common), entry, text_flags(common));
		put_memory_type(common, entry);
		return;
	}
	ITEM(gsc_json_entry(json, view_of(common), entry));
}

void pte_end(struct pte *pte)
{
	if (!wants_json(&pte->common))
		return;
	gsc_json_list_end(&pte->json);
	gsc_json_finish(&pte->json);
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status operands_run(struct pte *pte, struct gsc_error *err)
{
	struct common *common = &pte->common;
	struct gsc_entry *entries = calloc(common->operand_count, sizeof(*entries));
	enum gsc_status status = entries ? GSC_OK : err_memory(err);

	for (size_t i = 0; !status && i < common->operand_count; i++)
		status = pte_decode(pte, common->operands[i], &entries[i], err);
	if (!status)
		status = pte_open(pte, err);
	if (!status)
		pte_begin(pte);
	for (size_t i = 0; !status && i < common->operand_count; i++)
		pte_show(pte, &entries[i]);
	if (!status)
		pte_end(pte);
	free(entries);
	return status;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct pte *pte = (struct pte *)common;
	enum gsc_status status = choose_mode(pte, err);

	if (!status)
		status = common_open_platform(common, err);
	if (!status)
		status = check_level(pte, err);
	if (!status)
		status = common->operand_count ? operands_run(pte, err) : stream_run(pte, err);
	return status;
}

const struct command pte_command = {
	.name = "gpu-pte",
	.purpose = "decode page-table entries of an Intel GPU",
	.size = sizeof(struct pte),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.take = take,
	.reads_none = reads_none,
};
