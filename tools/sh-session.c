/* SPDX-License-Identifier: MIT */
/* Where the session reads, and what it heeds. */
#include "sh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- sources -------------------------------------------------------------------------------- */

static void close_session(struct shell *shell)
{
	struct common *common = &shell->common;

	gsc_view_free(common->view);
	source_close(common->source);
	common->view = NULL;
	common->source = NULL;
	common->device = common->revision = -1;
	shell->opened = false;
}

void session_free(struct shell *shell)
{
	close_session(shell);
	words_free(&shell->from);
	free(shell->platform);
	shell->platform = NULL;
}

/* Its identity is all that is held between two commands: no forcewake, no BAR. */
enum gsc_status session_need(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	enum gsc_status status;

	if (shell->opened)
		return GSC_OK;
	common->platform_name = shell->platform;
	if (shell->platform && !shell->from.count)
		status = platform_open(common, err);
	else
		status = source_open(common, (const char *const *)shell->from.items,
				     shell->from.count, true, &common->source, err);
	if (!status && !common->view)
		status = common_view(common, common->source, err);
	if (status)
		close_session(shell);
	shell->opened = !status;
	return status;
}

enum gsc_status session_open(struct shell *shell, bool write, struct gsc_source **source,
			     struct gsc_error *err)
{
	struct common *common = &shell->common;
	enum gsc_status status;

	common->platform_name = shell->platform;
	common->write = write;
	status = source_open(common, (const char *const *)shell->from.items, shell->from.count,
			     false, source, err);
	common->write = false;
	return status;
}

char *session_sources(const struct shell *shell)
{
	size_t length = 1;
	char *text;

	if (!shell->from.count)
		return strdup("live");
	for (size_t i = 0; i < shell->from.count; i++)
		length += strlen(shell->from.items[i]) + 1;
	text = calloc(1, length);
	for (size_t i = 0; text && i < shell->from.count; i++) {
		strcat(text, i ? " " : "");
		strcat(text, shell->from.items[i]);
	}
	return text;
}

static enum gsc_status copy_specs(struct shell *shell, const char *const *specs, size_t count,
				  const char *platform, struct gsc_error *err)
{
	bool ok = true;

	shell->from = (struct words){ 0 };
	shell->platform = platform ? strdup(platform) : NULL;
	for (size_t i = 0; ok && i < count; i++)
		ok = words_add(&shell->from, specs[i], strlen(specs[i]));
	return ok && (!platform || shell->platform) ? GSC_OK : memory_error(err);
}

static enum gsc_status check_specs(const char *const *specs, size_t count, struct gsc_error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(specs[i], "-"))
			return usage_error(err, "-", "standard input can be read once, and a "
						     "session reads again: save it in a file");
	return GSC_OK;
}

enum gsc_status session_switch(struct shell *shell, const char *const *specs, size_t count,
			       const char *platform, struct gsc_error *err)
{
	struct shell before = *shell;
	enum gsc_status status = check_specs(specs, count, err);

	if (status)
		return status;
	shell->common.view = NULL;
	shell->common.source = NULL;
	shell->opened = false;
	status = copy_specs(shell, specs, count, platform, err);
	if (!status)
		status = session_need(shell, err);
	if (status) {
		session_free(shell);
		*shell = before;
	} else {
		session_free(&before);
	}
	return status;
}

void session_tell(struct shell *shell)
{
	struct common *common = &shell->common;
	struct gsc_out *out = common->out;
	size_t count = common->source ? gsc_source_count(common->source) : 0;

	if (wants_json(common)) {
		events_begin(shell);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const char *name = gsc_source_name(common->source, i);
		const char *kind = gsc_source_kind(common->source, i);

		gsc_out_text(out, name);
		if (kind && *kind && strcmp(kind, name))
			gsc_out_format(out, " (%s)", kind);
		gsc_out_text(out, ", ");
	}
	gsc_out_format(out, "%s: %s", common->platform.name, common->platform.title);
	if (common->device >= 0)
		gsc_out_format(out, ", device 0x%04x", (unsigned)common->device);
	gsc_out_end(out);
}

static bool is_platform_option(const char *word)
{
	return !strcmp(word, "-p") || !strcmp(word, "--platform");
}

enum gsc_status from_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	const char *platform = NULL;
	size_t first = 0;

	if (!status && words.count > 1 && is_platform_option(words.items[0])) {
		platform = words.items[1];
		first = 2;
	}
	if (status || (words.count && *words.items[0] == '-' && !first && words.items[0][1])) {
		if (!status)
			status = usage_error(err, words.items[0], "expected -p PLATFORM or a "
								  "source");
	} else if (words.count == 1 && !strcmp(words.items[0], "demo:")) {
		demos_write(shell->common.out);
	} else if (words.count && shell->undo_on_exit && journal_pending(shell)) {
		status = usage_error(err, words.items[0], "writes are to be undone at the end: "
							      "undo all first");
	} else if (words.count) {
		status = session_switch(shell, (const char *const *)words.items + first,
					words.count - first, platform, err);
	} else {
		status = session_need(shell, err);
	}
	if (!status && shell->opened && (!words.count || shell->interactive) &&
	    !(words.count == 1 && !strcmp(words.items[0], "demo:")))
		session_tell(shell);
	words_free(&words);
	return status;
}

/* For scripts: what follows is of one platform, and harms another. */
enum gsc_status platform_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	char why[100];

	if (!status && words.count != 1)
		status = usage_error(err, "platform", "expected one name");
	if (!status)
		status = session_need(shell, err);
	if (!status && strcasecmp(words.items[0], shell->common.platform.name)) {
		snprintf(why, sizeof(why), "this is %s, and what follows is not for it",
			 shell->common.platform.name);
		status = usage_error(err, words.items[0], why);
	}
	words_free(&words);
	return status;
}

/* ---- settings ------------------------------------------------------------------------------- */

const char *setting_at(struct shell *shell, size_t i, bool **value)
{
	bool *const places[] = { &shell->dry_run, &shell->force, &shell->undo_on_exit };
	static const char *const names[] = { "dry-run", "force", "undo-on-exit" };

	if (i >= ARRAY_SIZE(names))
		return NULL;
	*value = places[i];
	return names[i];
}

static enum gsc_status set_one(struct shell *shell, const char *name, const char *value,
			       struct gsc_error *err)
{
	bool on = !strcmp(value, "on");
	const char *known;
	bool *place;

	if (!strcmp(name, "write"))
		return usage_error(err, name, "only the option --write begins a session that "
					      "writes");
	for (size_t i = 0; (known = setting_at(shell, i, &place)); i++) {
		if (strcmp(known, name))
			continue;
		if (!on && strcmp(value, "off"))
			return usage_error(err, value, "expected on or off");
		*place = on;
		return GSC_OK;
	}
	return usage_error(err, name, "expected dry-run, force or undo-on-exit");
}

static void put_setting(struct shell *shell, const char *name, bool on)
{
	struct gsc_out *out = shell->common.out;

	if (wants_json(&shell->common)) {
		struct gsc_json *json = event_begin(shell, "setting");

		gsc_json_string(json, "name", name);
		gsc_json_bool(json, "on", on);
		event_end(shell);
		return;
	}
	gsc_out_text(out, name);
	gsc_out_pad(out, 16);
	gsc_out_text(out, on ? "on" : "off");
	gsc_out_end(out);
}

enum gsc_status set_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	const char *name;
	bool *place;

	if (!status && !words.count) {
		for (size_t i = 0; (name = setting_at(shell, i, &place)); i++)
			put_setting(shell, name, *place);
	} else if (!status) {
		status = words.count == 2
				 ? set_one(shell, words.items[0], words.items[1], err)
				 : usage_error(err, "set", "expected a name, and on or off");
	}
	words_free(&words);
	return status;
}
