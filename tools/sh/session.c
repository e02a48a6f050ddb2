/* SPDX-License-Identifier: MIT */
/* What the session reads, with which definitions, and its settings. */
#include "sh.h"

#include "db/db.h"
#include "open/open.h"

#include <errno.h>
#include <limits.h>
#include <strings.h>
#include <unistd.h>

/* ---- definitions ----------------------------------------------------------------------------- */

/*
 * Those of --define and of ~/.config/gpuscope. They may be a stranger's, and the shell is not
 * confined: a confined child compiles them, and the shell takes only what a compiler can have made.
 */
#define COMPILED_MAX (64u << 20)
#define FILES_MAX 256

struct compiled {
	enum gsc_status status;
	struct gsc_error err;
	uint32_t count, sizes[FILES_MAX];
	uint8_t bytes[COMPILED_MAX];	/* file after file; only pages in use take memory */
};

/* In the child. Its warnings have been printed; definitions that it could not keep are an error. */
static void compile(struct shell *shell, void *context)
{
	struct common *common = &shell->common;
	struct compiled *c = context;
	size_t used = 0;

	c->status = definitions_open(common, &c->err);
	confine(common);
	for (size_t i = 0; !c->status && i + 1 < db_layer_count(common->db); i++) {
		const struct blob_header *blob = db_layer(common->db, i)->header;

		if (c->count == FILES_MAX || blob->size > COMPILED_MAX - used) {
			c->status = GSC_FAILED;
			c->err = (struct gsc_error){ GSC_FAILED, "definitions",
						     "too many for the shell" };
			return;
		}
		memcpy(c->bytes + used, blob, blob->size);
		c->sizes[c->count++] = blob->size;
		used += blob->size;
	}
}

/* Nobody can write to its bytes any more, but they are only read once anyway. */
static enum gsc_status take(struct common *common, const struct compiled *c, struct gsc_error *err)
{
	enum gsc_status status = child_error(&c->err, c->status, err);
	size_t used = 0;

	for (uint32_t i = 0, count = c->count; !status && i < count; i++) {
		size_t size = i < FILES_MAX ? c->sizes[i] : SIZE_MAX;

		if (size > COMPILED_MAX - used)
			return err_set(err, GSC_FAILED, "definitions",
				       "the process that compiles them gave too many");
		status = db_add_blob(common->db, c->bytes + used, size, err);
		used += size;
	}
	return status;
}

static void note_file(void *context, const char *path)
{
	(void)path;
	*(bool *)context = true;
}

enum gsc_status session_definitions(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	bool any = common->defines.count;
	enum gsc_status status;
	struct compiled *c;

	user_definitions_list(common, note_file, &any);
	if (!any)
		return definitions_open(common, err);
	c = shared_new(sizeof(*c));
	if (!c || !words_add(&shell->from, "none", 4))	/* the child reads no device */
		return err_memory(err);
	if (child_work(shell, true, compile, c))
		status = gsc_db_new(&common->db, err);
	else
		status = err_set(err, GSC_FAILED, "definitions",
				 "the process that compiles them ended");
	words_free(&shell->from);
	if (!status)
		status = take(common, c, err);
	shared_free(c, sizeof(*c));
	return status;
}

/* ---- sources -------------------------------------------------------------------------------- */

#define PARTS_MAX 256

/*
 * What is known about sources between two commands: no source is held open, nor any of its bytes.
 */
struct identity {
	enum gsc_status status;
	struct gsc_error err;
	int platform, device, revision;
	bool live;
	size_t count;
	struct part_name {
		char name[PATH_MAX], kind[100];
	} parts[PARTS_MAX];
};

static void forget(struct shell *shell)
{
	struct common *common = &shell->common;

	common_gpu_close(common);
	if (shell->identity)
		shared_free(shell->identity, sizeof(*shell->identity));
	shell->identity = NULL;
	common->device = common->revision = -1;
	shell->opened = false;
}

void session_free(struct shell *shell)
{
	forget(shell);
	words_free(&shell->from);
	free(shell->platform);
	shell->platform = NULL;
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
	confine(&shell->common);
	id->platform = gsc_source_platform(source);
	id->device = gsc_source_device(source);
	id->revision = gsc_source_revision(source);
	id->live = gsc_source_live(source);
	for (; id->count < PARTS_MAX && id->count < gsc_source_count(source); id->count++) {
		const char *kind = gsc_source_kind(source, id->count);

		string_set(id->parts[id->count].name, "%s", gsc_source_name(source, id->count));
		string_set(id->parts[id->count].kind, "%s", kind ? kind : "");
	}
	source_close(source);
}

static enum gsc_status session_identify(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	struct identity *id = shared_new(sizeof(*id));
	enum gsc_status status;

	if (!id)
		return err_memory(err);
	shell->identity = id;
	if (!child_work(shell, true, identify, id))
		return err_set(err, GSC_FAILED, "from", "the process that reads the source ended");
	/* It comes from a process that has read untrusted bytes: every text is bounded. */
	id->count = MIN(id->count, PARTS_MAX);
	for (size_t i = 0; i < id->count; i++) {
		id->parts[i].name[sizeof(id->parts->name) - 1] = 0;
		id->parts[i].kind[sizeof(id->parts->kind) - 1] = 0;
	}
	common->device = id->device;
	common->revision = id->revision;
	status = child_error(&id->err, id->status, err);
	return status ? status : common_definitions(common, id->platform, err);
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
	shell->opened = true;
	if (status)
		forget(shell);
	return status;
}

bool session_live(const struct shell *shell)
{
	return shell->identity ? shell->identity->live : !shell->from.count;
}

const char **session_names(const struct shell *shell, size_t *count)
{
	const char **names;

	*count = shell->identity ? shell->identity->count : 0;
	names = calloc(*count + 1, sizeof(*names));
	if (!names)
		*count = 0;
	for (size_t i = 0; i < *count; i++)
		names[i] = shell->identity->parts[i].name;
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
	confine(common);
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
	return shell->from.count ? words_join(&shell->from, 0, shell->from.count) : strdup("live");
}

/* A pipe is kept for the commands of the session, as it is: nothing of it is parsed here. */
static enum gsc_status keep_pipe(struct shell *shell, const char *spec, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	char *path = NULL;
	int fd;

	if (!strcmp(spec, "-"))
		return usage_error(err, "-", "standard input can be read only once, but a session "
					     "reads again: save it to a file");
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

enum gsc_status session_switch(struct shell *shell, const char *const *specs, size_t count,
			       const char *platform, bool now, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct shell before;
	bool copied = true;

	for (size_t i = 0; !status && i < count; i++)
		status = keep_pipe(shell, specs[i], err);
	if (status)
		return status;
	before = *shell;
	shell->common.gpu = NULL;
	shell->identity = NULL;
	shell->opened = false;
	shell->from = (struct words){ 0 };
	shell->platform = platform ? strdup(platform) : NULL;
	for (size_t i = 0; copied && i < count; i++)
		copied = words_add(&shell->from, specs[i], strlen(specs[i]));
	if (!copied || (platform && !shell->platform))
		status = err_memory(err);
	else if (now)
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

	if (wants_json(common)) {
		events_begin(shell);
		return;
	}
	for (size_t i = 0; id && i < id->count; i++) {
		const struct part_name *part = &id->parts[i];

		gsc_out_clean(out, part->name);
		if (*part->kind && strcmp(part->kind, part->name))
			gsc_out_format(out, " (%s)", part->kind);
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

enum gsc_status from_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	const char *const *specs = (const char *const *)words->items;
	const char *first = words->count ? *specs : NULL, *platform = NULL;
	size_t count = words->count;
	enum gsc_status status;

	if (count > 1 && is_platform_option(first)) {
		platform = specs[1];
		specs += 2;
		count -= 2;
	} else if (first && *first == '-' && first[1]) {
		return usage_error(err, first, "expected -p PLATFORM or a source");
	}
	if (count == 1 && !platform && !strcmp(first, "demo:")) {
		demos_write(shell->common.out);
		return GSC_OK;
	}
	if (first && shell->undo_on_exit && journal_pending(shell))
		return usage_error(err, first, "undo-on-exit would lose these writes: undo all "
				   "first");
	status = first ? session_switch(shell, specs, count, platform, true, err)
		       : session_need(shell, err);
	if (!status && (!first || shell->interactive))
		session_tell(shell);
	return status;
}

/* For scripts: what follows is for one platform, and harms another. */
enum gsc_status platform_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	enum gsc_status status;
	const char *name;

	status = session_need(shell, err);
	if (status)
		return status;
	name = platform_of(&shell->common)->name;
	return strcasecmp(words->items[0], name) ?
		       err_set(err, GSC_USAGE, words->items[0], "this is %s: the rest is for "
			       "another platform", name) : GSC_OK;
}

/* ---- settings ------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	size_t offset;
} settings[] = {
	{ "dry-run", offsetof(struct shell, dry_run) },
	{ "force", offsetof(struct shell, force) },
	{ "undo-on-exit", offsetof(struct shell, undo_on_exit) },
};

KEYS(setting)
static void put_setting(struct shell *shell, const char *name, bool on)
{
	struct gsc_out *out = shell->common.out;
	struct gsc_json *json;

	if (!wants_json(&shell->common)) {
		gsc_out_text(out, name);
		gsc_out_pad(out, 16);
		gsc_out_text(out, on ? "on" : "off");
		gsc_out_end(out);
		return;
	}
	json = event_begin(shell);
	KEY(text, "event", "setting", ONE_OF("setting"));
	KEY(text, "name", name, ONE_OF("dry-run", "force", "undo-on-exit"));
	KEY(flag, "on", on);
	event_end(shell);
}

enum gsc_status set_run(struct shell *shell, const struct words *words, struct gsc_error *err)
{
	const char *name = words->count ? words->items[0] : "", *value;

	if (words->count && words->count != 2)
		return usage_error(err, "set", "expected a name, and on or off");
	if (!strcmp(name, "write"))
		return usage_error(err, name, "to write, start gpu-sh with --write");
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		bool *place = (bool *)((char *)shell + settings[i].offset);

		if (!words->count) {
			put_setting(shell, settings[i].name, *place);
		} else if (!strcmp(settings[i].name, name)) {
			value = words->items[1];
			if (strcmp(value, "on") && strcmp(value, "off"))
				return usage_error(err, value, "expected on or off");
			*place = !strcmp(value, "on");
			return GSC_OK;
		}
	}
	return words->count ? usage_error(err, name, "expected dry-run, force or undo-on-exit")
			    : GSC_OK;
}
