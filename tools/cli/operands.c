/* SPDX-License-Identifier: MIT */
/*
 * Operands that are plainly sources stand for --from: "gpu-regdump demo:skl-hang RING_*". The
 * command says what else operands can be.
 */
#include "cli.h"
#include "db/engine.h"
#include "db/resolve.h"
#include "device/device.h"
#include "open/open.h"
#include "util/number.h"
#include "util/text.h"

#include <errno.h>
#include <unistd.h>

const struct subcommand *subcommand_find(const struct command *command, const char *word)
{
	for (size_t i = 0; i < command->subcommand_count; i++)
		if (!strcmp(command->subcommands[i].name, word))
			return &command->subcommands[i];
	return NULL;
}

/* "bar:PATH": it adds to other sources. */
static bool is_addition(const char *word)
{
	size_t prefix = strcspn(word, ":");
	const char *name;
	char *path;
	uint64_t number;
	bool is = gsc_spec_kind(word, &path) == GSC_SPEC_FILE && path && strcmp(path, word);

	/* "lmem:0x1000" is an address, "config:PCICMD" a register: also prefixes of sources. */
	for (size_t i = 0; is && (name = gsc_prefix_at(i)); i++)
		if (strlen(name) == prefix && !strncmp(name, word, prefix)) {
			is = !gsc_parse_number(path, &number) && !access(path, F_OK);
			break;
		}
	free(path);
	return is;
}

static bool is_source(const char *word, unsigned take)
{
	enum gsc_spec_kind kind;
	uint64_t number;
	char *path;
	bool sure;

	if (!strcmp(word, "-"))
		return take & TAKE_STDIN;
	kind = gsc_spec_kind(word, &path);
	free(path);
	if (take & TAKE_SPECS && (kind == GSC_SPEC_DEVICE || kind == GSC_SPEC_HANG ||
				  !strncmp(word, "demo:", 5) || is_addition(word)))
		return true;
	if (gsc_parse_number(word, &number))
		return false;
	if (take & TAKE_ALL || (take & TAKE_PATHS && strchr(word, '/')))
		return true;
	if (access(word, F_OK))
		return false;
	if (take & TAKE_FILES || (take & TAKE_PATHS && file_is_pipe(word)))
		return true;
	return take & (TAKE_KNOWN | TAKE_SURE) && gsc_file_form(word, &sure) &&
	       (sure || take & TAKE_KNOWN);
}

/*
 * A misspelled file, "dmp.tar": what precedes the dot of a name is an engine. Taken for a name, it
 * would let the GPU of this machine be read.
 */
static enum gsc_status check_name(const struct common *common, const char *word, unsigned take,
				  struct gsc_error *err)
{
	const char *dot = strchr(word, '.');
	char before[24];
	int instance;

	if (common->from.count || common->session || common->command->subcommand_count ||
	    !(take & TAKE_KNOWN) || !dot || strpbrk(word, "*?[(=:"))
		return GSC_OK;
	string_set(before, "%.*s", (int)(dot - word), word);
	if (gsc_engine_parse(before, &instance) >= 0 || !access(word, F_OK))
		return GSC_OK;
	return err_errno(err, word, ENOENT);
}

/* A register has such a name, or one of the family. */
static enum gsc_status find_name(const struct gsc_db *db, const char *word, struct gsc_error *err)
{
	bool known = reg_name_known(db, word);
	struct suggestions s = { .wanted = word };
	struct gsc_item item;
	char near[200];

	for (size_t i = 0; !known && gsc_item_at(db, GSC_REGISTER, i, &item); i++) {
		const char *name = item.name;

		for (size_t k = 0; name && !known; name = gsc_item_alias(db, &item, k++, NULL)) {
			known = name_is_member(word, name);
			suggest(&s, name);
		}
	}
	if (known)
		return GSC_OK;
	usage_error(err, word, "neither a register nor a file%s",
		    suggestions_text(&s, near, sizeof(near)));
	return err->status = GSC_UNKNOWN;
}

/* "dump": if there is no source, the GPU of this machine would be opened only to tell that. */
static enum gsc_status check_names(struct common *common, const char *const *words, size_t count,
				   unsigned take, struct gsc_error *err)
{
	const struct command *command = common->command;
	enum gsc_status status = GSC_OK;

	if (common->session || command->subcommand_count || !(take & TAKE_PATHS) ||
	    take & (TAKE_FILES | TAKE_ALL) || (command->reads_none && command->reads_none(common)))
		return GSC_OK;
	for (size_t i = 0; !status && i < count; i++)
		if (is_letter(*words[i]) && !strpbrk(words[i], "*?[(=:.")) {
			status = definitions_open(common, err);
			if (!status)
				status = find_name(common->db, words[i], err);
		}
	return status;
}

/* The operands that are sources go to the end of `sources`, the others stay in `words`. */
static enum gsc_status sort_out(struct common *common, unsigned take, const char **words,
				struct strings *sources, struct gsc_error *err)
{
	char first[160], second[160];
	const char *whole = NULL;
	enum gsc_status status = GSC_OK;
	size_t left = 0;

	for (size_t i = 0; !status && i < common->operand_count; i++) {
		const char *word = common->operands[i];

		if ((!i && common->command->subcommand_count) || !is_source(word, take)) {
			words[left++] = word;
			status = check_name(common, word, take, err);
			continue;
		}
		sources->items[sources->count++] = word;
		/* If two dumps hold a register, the first one wins: that must be intended. */
		if (whole && !is_addition(word))
			status = usage_error(err, word, "a second source; to combine them, try: "
					     "-s %s -s %s",
					     shell_quoted(whole, first, sizeof(first)),
					     shell_quoted(word, second, sizeof(second)));
		else if (!is_addition(word))
			whole = word;
	}
	common->operands = words;
	common->operand_count = left;
	if (!status && !sources->count && !common->from.count)
		status = check_names(common, words, left, take, err);
	return status;
}

enum gsc_status operands_take(struct common *common, struct gsc_error *err)
{
	unsigned take = common->command->take ? common->command->take(common) : 0;
	const struct session *session = common->session;
	size_t count = common->operand_count, given = common->from.count;
	size_t most = count + given + (session ? session->from.count : 0) + 2;
	struct strings sources = { calloc(most, sizeof(*sources.items)), 0 };
	enum gsc_status status;

	common->words = calloc(count + 2, sizeof(*common->words));
	if (!common->words || !sources.items) {
		free(sources.items);
		return err_memory(err);
	}
	status = sort_out(common, take, common->words, &sources, err);
	for (size_t i = 0; i < given; i++)
		sources.items[sources.count++] = common->from.items[i];
	if (take & TAKE_KCORE)
		sources.items[sources.count++] = KCORE;
	free(common->from.items);
	common->from = sources;
	if (!session || sources.count || take & TAKE_ALONE)
		return status;
	/* If the command names no source, those of the session. */
	for (size_t i = 0; i < session->from.count; i++)
		common->from.items[common->from.count++] = session->from.items[i];
	common->in_session = true;
	if (!common->platform_name)
		common->platform_name = session->platform;
	return status;
}
