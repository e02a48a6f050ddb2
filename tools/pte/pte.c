/* SPDX-License-Identifier: MIT */
/*
 * gpu-pte: decode page-table entries. Without a VALUE they come from standard input, one per line,
 * for as long as there are any; results are shown as soon as the input pauses.
 */
#include "cli/text.h"
#include "tools.h"
#include "gtt/walk.h"
#include "util/number.h"
#include "util/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

struct pte {
	struct common common;
	const char *mode_name, *level;
	enum gsc_mode mode;
	struct gsc_mocs mocs;
	char level_name[32];		/* the level in lower case */
	struct gsc_json json;
};

#define PTE_SCHEMA "gpuscope.pte/1"

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
	{ 0, "mocs", "N", OPTION_NUMBER, MEMBER(mocs.index),
	  "with -v, the page as an access with this MOCS index sees it" },
};

static const struct option_rule rules[] = { { "mocs", "verbose json ndjson", true } };

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

/* A level that is too long is invalid, and shown as it was given. Some belong to one mode only. */
static enum gsc_status choose_mode(struct pte *pte, struct gsc_error *err)
{
	const char *level = pte->level ? pte->level : "pte";
	bool vtd = !strncasecmp(level, "vtd-", 4);
	enum gsc_mode implied = vtd ? GSC_MODE_VTD : GSC_MODE_TRTT;
	char what[120];

	pte->level = level;
	if (strlen(level) < sizeof(pte->level_name)) {
		for (size_t i = 0; level[i]; i++)
			pte->level_name[i] = (char)tolower((unsigned char)level[i]);
		pte->level = pte->level_name;
	}
	if (pte->mode_name && !gsc_mode_by_name(pte->mode_name, &pte->mode)) {
		string_set(what, "--mode %s", *pte->mode_name ? pte->mode_name : "''");
		return usage_error(err, what, "expected ggtt, flat, 2level, pdp32, pml4 or ia32e");
	}
	if (!vtd && strncasecmp(level, "trtt-", 5))
		return GSC_OK;
	if (pte->mode_name && pte->mode != implied) {
		string_set(what, "--level %s", pte->level);
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

/* What is wrong with an entry of zeros is the level's fault. */
static enum gsc_status check_level(const struct pte *pte, struct gsc_error *err)
{
	static const uint32_t nothing[2];
	const struct gsc_view *view = view_of(&pte->common);
	const char *mode = gsc_mode_name(pte->mode);
	struct gsc_entry entry;
	enum gsc_status status;

	status = gsc_entry_decode(view, pte->mode, pte->level, nothing, 2, &entry, err);
	if (status && !strcmp(err->what, pte->level)) {
		string_set(err->what, "--level %.100s", *pte->level ? pte->level : "''");
	} else if (status && !strcmp(err->what, mode)) {
		string_set(err->what, "--mode %s", mode);
		string_set(err->why, "%s has no such mode; it has",
			   platform_of(&pte->common)->name);
		for (unsigned i = 0; i < GSC_MODES; i++)
			if (gsc_mode_level(view, (enum gsc_mode)i, 0))
				string_add(err->why, " %s", gsc_mode_name((enum gsc_mode)i));
	}
	return status;
}

/* "0x1f" or "HIGH:...:LOW" as an entry of the requested level; *err is reported. */
static enum gsc_status decode(const struct pte *pte, const char *text, struct gsc_entry *entry,
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

SCHEMA(pte, PTE_SCHEMA, "gpu-pte --json",
       "One document. With --ndjson the first line is the document without entries, and each "
       "further line one of them.", PLATFORM, FORMS(entries))

KEYS(entries)
static void show_begin(struct pte *pte)
{
	struct common *common = &pte->common;
	struct gsc_json *json = &pte->json;

	if (wants_json(common)) {
		source_document(common, PTE_SCHEMA, json);
		KEY_LIST("entries", OF(entry));
	} else if (!common->quiet && !common->session) {
		gsc_out_format(common->out, "# gpu-pte 1.0 platform %s mode %s level %s",
			       platform_of(common)->name, gsc_mode_name(pte->mode), pte->level);
		gsc_out_end(common->out);
	}
}

static void show(struct pte *pte, const struct gsc_entry *entry)
{
	struct common *common = &pte->common;
	struct gsc_json *json = &pte->json;

	/* A source that is named may have the registers that decide how the page is accessed. */
	if (wants_json(common))
		ITEM(gsc_json_entry(json, common->gpu, entry, &pte->mocs));
	else
		gsc_text_entry(common->out, common->gpu, entry, &pte->mocs, text_flags(common));
}

static void show_end(struct pte *pte)
{
	if (!wants_json(&pte->common))
		return;
	gsc_json_finish(&pte->json);
}

/* ---- standard input -------------------------------------------------------------------------- */

#define CHUNK (64u << 10)
#define TOLD_MAX 19			/* of bad lines, one more says how many there are */

struct stream {
	struct pte *pte;
	char data[2 * CHUNK];
	size_t size;
	uint64_t line, good, bad;
	bool skip;			/* the rest of a line that is too long */
};

static void complain_line(struct stream *s, const char *what, const char *why)
{
	char where[160];

	if (++s->bad > TOLD_MAX)
		return;
	snprintf(where, sizeof(where), "standard input:%llu: %.100s", LL(s->line), what);
	complain(&s->pte->common, GSC_PARTIAL, where, why);
}

/* Blank lines and comments are skipped. */
static void take_line(struct stream *s, char *line, size_t length)
{
	struct gsc_entry entry;
	struct gsc_error err;

	s->line++;
	if (s->skip || memchr(line, 0, length)) {
		s->skip = false;
		complain_line(s, "a line", "too long, or not text");
		return;
	}
	line[length] = 0;
	line += strspn(line, " \t\r");
	for (length = strlen(line); length && strchr(" \t\r", line[length - 1]);)
		line[--length] = 0;
	if (!*line || *line == '#')
		return;
	if (decode(s->pte, line, &entry, &err)) {
		complain_line(s, err.what, err.why);
		return;
	}
	if (!s->good++)
		show_begin(s->pte);
	show(s->pte, &entry);
}

static enum gsc_status read_all(struct stream *s, struct gsc_error *err)
{
	struct gsc_out *out = s->pte->common.out;
	ssize_t got = 1;

	while (!gsc_out_error(out) && got) {
		char *at = s->data, *end, *newline;

		got = read(STDIN_FILENO, s->data + s->size, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, GSC_FAILED, "standard input", "%s", strerror(errno));
		end = s->data + s->size + (size_t)got;
		while (got && (newline = memchr(at, '\n', (size_t)(end - at)))) {
			take_line(s, at, (size_t)(newline - at));
			at = newline + 1;
		}
		s->size = (size_t)(end - at);
		memmove(s->data, at, s->size);
		if (s->size >= CHUNK) {
			s->skip = true;
			s->size = 0;
		}
		if (got && gsc_out_flush(out, err))
			return GSC_OK;	/* reported when the output is closed */
	}
	if (s->size || s->skip)
		take_line(s, s->data, s->size);
	return GSC_OK;
}

static enum gsc_status stream_run(struct pte *pte, struct gsc_error *err)
{
	struct stream s = { .pte = pte };
	enum gsc_status status = read_all(&s, err);
	char what[60];

	if (status)
		return status;
	if (!s.good && !s.bad)
		show_begin(pte);
	if (s.good || !s.bad)
		show_end(pte);
	if (s.bad && !s.good)
		return err_set(err, GSC_FAILED, "standard input",
			       "not recognised: no line is an entry");
	if (s.bad > TOLD_MAX) {
		string_set(what, "standard input: %llu more lines", LL(s.bad - TOLD_MAX));
		complain(&pte->common, GSC_PARTIAL, what, "are not entries");
	}
	return s.bad ? GSC_PARTIAL : GSC_OK;
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum gsc_status operands_run(struct pte *pte, struct gsc_entry *entries,
				    struct gsc_error *err)
{
	struct common *common = &pte->common;
	enum gsc_status status = entries ? GSC_OK : err_memory(err);

	for (size_t i = 0; !status && i < common->operand_count; i++)
		status = decode(pte, common->operands[i], &entries[i], err);
	if (!status)
		status = output_open(common, true, err);
	if (status)
		return status;
	show_begin(pte);
	for (size_t i = 0; i < common->operand_count; i++)
		show(pte, &entries[i]);
	show_end(pte);
	return GSC_OK;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct pte *pte = (struct pte *)common;
	enum gsc_status status = choose_mode(pte, err);
	struct gsc_entry *entries;

	pte->mocs.given = option_given(common, "mocs");
	if (!status)
		status = common_open_platform(common, err);
	if (!status)
		status = check_level(pte, err);
	if (!status && !common->operand_count) {
		status = output_open(common, false, err);
		return status ? status : stream_run(pte, err);
	}
	if (!status) {
		entries = calloc(common->operand_count, sizeof(*entries));
		status = operands_run(pte, entries, err);
		free(entries);
	}
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
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
	.value = "SOURCE",
	.take = take,
	.reads_none = reads_none,
};
