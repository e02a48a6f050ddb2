/* SPDX-License-Identifier: MIT */
/* Definitions, source and platform as the options say. */
#include "cli.h"
#include "dbc/files.h"
#include "hang/hang.h"
#include "open/open.h"
#include "text.h"
#include "util/text.h"

enum gsc_status definitions_open(struct common *common, struct gsc_error *err)
{
	enum gsc_status status;

	if (common->db)
		return GSC_OK;
	status = gsc_db_new(&common->db, err);
	for (size_t i = 0; !status && i < common->defines.count; i++)
		status = gsc_db_add_file(common->db, common->defines.items[i], err);
	if (!status)
		user_definitions(common);
	return status;
}

static void let_sleep(void *source)
{
	gsc_source_let_sleep(source);
}

void source_close(struct gsc_source *source)
{
	if (!source)
		return;
	gsc_source_let_sleep(source);
	stop_remove(source);
	gsc_source_close(source);
}

/* -p overrides what a dump says, which may be intended, or a mistake. */
static void warn_platform(struct common *common, const struct gsc_source *source)
{
	struct gsc_platform told;
	char why[160];

	if (!common->platform_name || common->platform_warned || gsc_source_told(source) < 0 ||
	    gsc_source_told(source) == gsc_source_platform(source) ||
	    !gsc_platform_at(common->db, (unsigned)gsc_source_told(source), &told))
		return;
	string_set(why, "the source is from %s, but -p reads it as %.40s",
		   told.name, common->platform_name);
	complain(common, GSC_OK, "warning: platform", why);
	common->platform_warned = true;
}

const char **specs_with(const struct common *common, const char *file, size_t *count)
{
	const char **specs = calloc(common->from.count + 1, sizeof(*specs));

	*count = 0;
	if (specs && file)
		specs[(*count)++] = file;
	for (size_t i = 0; specs && i < common->from.count; i++)
		specs[(*count)++] = common->from.items[i];
	return specs;
}

/* Opening writes nothing to a device: what to clean up can still be registered afterwards. */
enum gsc_status source_open(struct common *common, const char *const *specs, size_t count,
			    bool identity_only, struct gsc_source **source, struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = common->db,
		.platform = common->platform_name,
		.wake = (enum gsc_wake)common->wake,
		.registers = identity_only ? GSC_REGISTERS_NONE :
			     common->without_registers ? GSC_REGISTERS_WANTED :
			     GSC_REGISTERS_NEEDED,
		.unsafe = common->unsafe,
		.write = common->write,
		.guc = common->guc,
		.temporary = outside_temporary,
		.open = file_open,
		.context = common,
	};
	enum gsc_status status;

	for (size_t i = 0; i < count; i++)
		if (!*specs[i])
			return usage_error(err, "''", "names no source");
	status = file_opened(common, gsc_source_open(source, specs, count, &options, err), err);
	/* There is no GPU here: there are dumps to read. */
	if (status == GSC_FAILED && !strcmp(err->what, "live"))
		string_add(err->why, "%s", common->verb ?
			   "; to read a dump: from FILE, for example from demo:skl-hang" :
			   "; name a dump with -s FILE, or try -s demo:skl-hang");
	if (!status)
		warn_platform(common, *source);
	common->live |= !status && gsc_source_live(*source);
	if (!status && common->wake == GSC_WAKE_REGISTERS && !stop_add(let_sleep, *source)) {
		gsc_source_close(*source);
		*source = NULL;
		return err_memory(err);
	}
	return status;
}

void common_gpu_close(struct common *common)
{
	gsc_gpu_close(common->gpu);
	common->gpu = NULL;
}

enum gsc_status common_definitions(struct common *common, int platform, struct gsc_error *err)
{
	common_gpu_close(common);
	return platform < 0 ? gsc_platform_unknown(common->db, common->device, err)
			    : gsc_gpu_definitions(&common->gpu, common->db, (unsigned)platform,
						  common->revision, err);
}

enum gsc_status common_gpu(struct common *common, struct gsc_source *source, struct gsc_error *err)
{
	common_gpu_close(common);
	common->device = gsc_source_device(source);
	common->revision = gsc_source_revision(source);
	return gsc_gpu_new(&common->gpu, source, NULL, err);
}

enum gsc_status refuse_log(struct common *common, struct gsc_error *err)
{
	char hint[HINT_SIZE];

	if (!gsc_source_is_log(common->source))
		return GSC_OK;
	return err_set(err, GSC_UNKNOWN, gsc_source_name(common->source, 0),
		       "a kernel log: it has no registers, tables or batches; try: %.400s",
		       hint_command(common, "fault", hint, sizeof(hint)));
}

enum gsc_status common_source(struct common *common, bool identity_only, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);

	return status ? status : source_open(common, common->from.items, common->from.count,
					     identity_only, &common->source, err);
}

enum gsc_status common_open(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = common_source(common, false, err);

	if (!status)
		status = refuse_log(common, err);
	return status ? status : common_gpu(common, common->source, err);
}

enum gsc_status platform_open(struct common *common, struct gsc_error *err)
{
	struct gsc_platform named;
	enum gsc_status status;

	if (common->from.count) {
		status = common_source(common, true, err);
		return status ? status : common_gpu(common, common->source, err);
	}
	if (common->platform_name) {
		status = gsc_platform_find(common->db, common->platform_name, &named,
					   &common->device, err);
		return status ? status : common_definitions(common, (int)named.index, err);
	}
	/* That of this machine's GPU; the lack of one is not our failure. */
	status = common_source(common, true, err);
	if (status == GSC_FAILED)
		return usage_error(err, "platform", common->verb ?
			"unknown, and no GPU here: give -p, or name a dump: from FILE" :
			"unknown, and no GPU here: give -p, or a dump with -s FILE");
	if (status)
		return status;
	common->device = gsc_source_device(common->source);
	common->revision = gsc_source_revision(common->source);
	return common_definitions(common, gsc_source_platform(common->source), err);
}

enum gsc_status common_open_file(struct common *common, run_fn *open, const char *content,
				 bool identity_only, struct gsc_error *err)
{
	enum gsc_status status;

	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "expected one FILE");
	if (!common->operand_count)
		return common_open(common, err);
	status = definitions_open(common, err);
	if (!status)
		status = open(common, err);
	if (status)
		return status;
	if (common->source)
		return common_gpu(common, common->source, err);
	if (!common->from.count && !common->platform_name)
		return usage_error(err, "platform",
				   "unknown, as a file of %s does not name it: give -p", content);
	if (!common->from.count)
		return platform_open(common, err);
	status = common_source(common, identity_only, err);
	return status ? status : common_gpu(common, common->source, err);
}

enum gsc_status common_open_platform(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);

	return status ? status : platform_open(common, err);
}

enum gsc_status complain_damage(struct common *common, const struct gsc_source *source)
{
	const struct gsc_error *left = source ? gsc_source_left_awake(source) : NULL;
	const char *note;
	size_t i = 0;

	for (; source && (note = gsc_source_note(source, i)); i++)
		complain(common, GSC_PARTIAL, "", note);
	/* Nothing that was requested is missing because of it. */
	if (left)
		complain(common, GSC_OK, left->what, left->why);
	return i ? GSC_PARTIAL : GSC_OK;
}

enum gsc_status complain_refusal(struct common *common)
{
	const struct gsc_error *refusal = gsc_source_refusal(common->source);

	if (!refusal)
		return GSC_OK;
	complain(common, GSC_PARTIAL, refusal->what, refusal->why);
	return GSC_PARTIAL;
}

enum gsc_status refused(const struct common *common, struct gsc_error *err)
{
	const struct gsc_error *refusal = gsc_source_refusal(common->source);

	if (refusal)
		*err = *refusal;
	return refusal ? refusal->status : GSC_OK;
}

const char *refusal_reason(const struct gsc_error *refusal, char *buf, size_t size)
{
	const char *end = strstr(refusal->why, ": ");

	snprintf(buf, size, "%.*s", end ? (int)(end - refusal->why) : (int)strlen(refusal->why),
		 refusal->why);
	return buf;
}

const char **source_names(const struct gsc_source *source, size_t *count)
{
	const char **names;

	*count = source ? gsc_source_count(source) : 0;
	names = calloc(*count + 1, sizeof(*names));
	if (!names)
		*count = 0;
	for (size_t i = 0; i < *count; i++)
		names[i] = gsc_source_name(source, i);
	return names;
}
