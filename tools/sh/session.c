/* SPDX-License-Identifier: MIT */
/* What the session reads, and its settings. */
#include "sh.h"
#include "open/open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- sources -------------------------------------------------------------------------------- */

#define NAMES_MAX (64u << 10)

/*
 * What is known about sources between two commands: no source is held open, nor any of its bytes.
 */
struct identity {
	enum gsc_status status;
	struct gsc_error err;
	int platform, device, revision;
	bool live;
	size_t count, used;
	char names[NAMES_MAX];		/* for each its name and its kind */
};

static void close_session(struct shell *shell)
{
	struct common *common = &shell->common;

	common_gpu_close(common);
	if (shell->identity)
		child_context_free(shell->identity, sizeof(*shell->identity));
	shell->identity = NULL;
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

static bool put_name(struct identity *id, const char *text)
{
	size_t size = strlen(text) + 1;

	if (size > NAMES_MAX - id->used)
		return false;
	memcpy(id->names + id->used, text, size);
	id->used += size;
	return true;
}

/* In a confined child: sources are read there. */
static void identify(struct shell *shell, void *context)
{
	struct gsc_source *source = NULL;
	struct identity *id = context;

	id->status = source_open(&shell->common, (const char *const *)shell->from.items,
				 shell->from.count, true, &source, &id->err);
	if (id->status)
		return;
	id->platform = gsc_source_platform(source);
	id->device = gsc_source_device(source);
	id->revision = gsc_source_revision(source);
	id->live = gsc_source_live(source);
	for (size_t i = 0; i < gsc_source_count(source); i++) {
		const char *kind = gsc_source_kind(source, i);

		if (!put_name(id, gsc_source_name(source, i)) || !put_name(id, kind ? kind : ""))
			break;
		id->count++;
	}
	source_close(source);
}

static const char *after(const char *text)
{
	return text + strlen(text) + 1;
}

/* It comes from a process that has read untrusted bytes: every text is bounded. */
static void check_identity(struct identity *id)
{
	const char *at = id->names, *end = id->names + NAMES_MAX;
	size_t count = 0;

	id->err.what[sizeof(id->err.what) - 1] = id->err.why[sizeof(id->err.why) - 1] = 0;
	id->names[NAMES_MAX - 1] = 0;
	while (count < id->count && at < end && (at = after(at)) < end) {
		at = after(at);
		count++;
	}
	id->count = count;
}

static enum gsc_status session_identify(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	struct identity *id = child_context(sizeof(*id));

	if (!id)
		return err_memory(err);
	shell->identity = id;
	if (!child_work(shell, true, identify, id)) {
		*err = (struct gsc_error){ GSC_FAILED, "from", "the process that reads the source "
			"ended" };
		return GSC_FAILED;
	}
	check_identity(id);
	*err = id->err;
	common->device = id->device;
	common->revision = id->revision;
	return id->status ? id->status : common_definitions(common, id->platform, err);
}

enum gsc_status session_need(struct shell *shell, struct gsc_error *err)
{
	enum gsc_status status;

	if (shell->opened)
		return GSC_OK;
	shell->common.platform_name = shell->platform;
	if (shell->platform && !shell->from.count)
		status = platform_open(&shell->common, err);
	else
		status = session_identify(shell, err);
	if (status)
		close_session(shell);
	shell->opened = !status;
	return status;
}

bool session_live(const struct shell *shell)
{
	return shell->identity ? shell->identity->live : !shell->from.count;
}

const char **session_names(const struct shell *shell, size_t *count)
{
	const char *at = shell->identity ? shell->identity->names : NULL, **names;

	*count = shell->identity ? shell->identity->count : 0;
	names = calloc(*count + 1, sizeof(*names));
	if (!names)
		*count = 0;
	for (size_t i = 0; i < *count; i++, at = after(after(at)))
		names[i] = at;
	return names;
}

enum gsc_status session_open(struct shell *shell, bool write, struct gsc_gpu **gpu,
			     struct gsc_error *err)
{
	struct common *common = &shell->common;
	struct gsc_source *source = NULL;
	enum gsc_status status;

	*gpu = NULL;
	common->platform_name = shell->platform;
	common->write = write;
	status = source_open(common, (const char *const *)shell->from.items, shell->from.count,
			     false, &source, err);
	common->write = false;
	if (!status)
		status = gsc_gpu_new(gpu, source, view_of(common), err);
	if (status)
		source_close(source);
	return status;
}

void session_close(struct gsc_gpu *gpu)
{
	if (gpu)
		source_close(gsc_gpu_source(gpu));
	gsc_gpu_close(gpu);
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
	return ok && (!platform || shell->platform) ? GSC_OK : err_memory(err);
}

/* A pipe is kept for the commands of the session, as it is: nothing of it is parsed here. */
static enum gsc_status keep_pipe(struct shell *shell, const char *spec, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	char *path = NULL;
	int fd;

	gsc_spec_kind(spec, &path);
	if (path && file_is_pipe(path)) {
		shell->common.rereads = true;
		fd = file_open(&shell->common, path);
		if (fd < 0)
			status = file_opened(&shell->common, err_errno(err, path, errno), err);
		else
			close(fd);
	}
	free(path);
	return status;
}

static enum gsc_status check_specs(struct shell *shell, const char *const *specs, size_t count,
				   struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;

	for (size_t i = 0; !status && i < count; i++) {
		if (!strcmp(specs[i], "-"))
			return usage_error(err, "-", "standard input can be read only once, but a "
						     "session reads again: save it to a file");
		status = keep_pipe(shell, specs[i], err);
	}
	return status;
}

enum gsc_status session_keep(struct shell *shell, const char *const *specs, size_t count,
			     struct gsc_error *err)
{
	enum gsc_status status = check_specs(shell, specs, count, err);

	return status ? status : copy_specs(shell, specs, count, NULL, err);
}

enum gsc_status session_switch(struct shell *shell, const char *const *specs, size_t count,
			       const char *platform, struct gsc_error *err)
{
	enum gsc_status status = check_specs(shell, specs, count, err);
	struct shell before = *shell;

	if (status)
		return status;
	shell->common.gpu = NULL;
	shell->identity = NULL;
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
	const struct identity *id = shell->identity;
	const char *name = id ? id->names : NULL, *kind;

	if (wants_json(common)) {
		events_begin(shell);
		return;
	}
	for (size_t i = 0; id && i < id->count; i++, name = after(kind)) {
		kind = after(name);
		gsc_out_clean(out, name);
		if (*kind && strcmp(kind, name))
			gsc_out_format(out, " (%s)", kind);
		gsc_out_text(out, ", ");
	}
	gsc_out_format(out, "%s: %s", platform_of(common)->name, platform_of(common)->title);
	if (common->device >= 0)
		gsc_out_format(out, ", device 0x%04x", (unsigned)common->device);
	gsc_out_end(out);
}

bool is_platform_option(const char *word)
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
		status = usage_error(err, words.items[0], "undo-on-exit would lose these writes: "
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

/* For scripts: what follows is for one platform, and harms another. */
enum gsc_status platform_run(struct shell *shell, const char *rest, struct gsc_error *err)
{
	struct words words;
	enum gsc_status status = words_split(&words, rest, err);
	char why[100];

	if (!status && words.count != 1)
		status = usage_error(err, "platform", "expected one name");
	if (!status)
		status = session_need(shell, err);
	if (!status && strcasecmp(words.items[0], platform_of(&shell->common)->name)) {
		snprintf(why, sizeof(why), "this is %s: the rest is for another platform",
			 platform_of(&shell->common)->name);
		status = usage_error(err, words.items[0], "%s", why);
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
		return usage_error(err, name, "to write, start gpu-sh with --write");
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

KEYS(setting)
static void json_setting(struct gsc_json *json, const char *name, bool on)
{
	KEY(text, "event", "setting", ONE_OF("setting"));
	KEY(text, "name", name, ONE_OF("dry-run", "force", "undo-on-exit"));
	KEY(flag, "on", on);
}

static void put_setting(struct shell *shell, const char *name, bool on)
{
	struct gsc_out *out = shell->common.out;

	if (wants_json(&shell->common)) {
		json_setting(event_begin(shell), name, on);
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
