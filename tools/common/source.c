/* SPDX-License-Identifier: MIT */
/* Definitions, source and platform as the options say. */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* There is no GPU here: there are dumps to read. */
static void name_demo(const struct common *common, struct gsc_error *err)
{
	size_t used = strlen(err->why);

	snprintf(err->why + used, sizeof(err->why) - used, "%s", common->verb ?
		 "; from FILE reads a dump, for example: from demo:skl-hang" :
		 "; name a dump with -s FILE, or try -s demo:skl-hang");
}

/* Opening writes nothing to a device: it is early enough to say afterwards what to put right. */
enum gsc_status source_open(struct common *common, const char *const *specs, size_t count,
			    bool identity_only, struct gsc_source **source, struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = common->db,
		.platform = common->platform_name,
		.wake = (enum gsc_wake)common->wake,
		.no_bar = identity_only,
		.unsafe = common->unsafe,
		.write = common->write,
		.temporary = outside_temporary,
		.context = common,
	};
	enum gsc_status status;

	for (size_t i = 0; i < count; i++)
		if (!*specs[i])
			return usage_error(err, "''", "an empty source");
	status = gsc_source_open(source, specs, count, &options, err);
	if (status == GSC_FAILED && !strcmp(err->what, "live"))
		name_demo(common, err);
	common->live |= !status && gsc_source_live(*source);
	if (!status && common->wake == GSC_WAKE_REGISTERS && !stop_add(let_sleep, *source)) {
		gsc_source_close(*source);
		*source = NULL;
		return memory_error(err);
	}
	return status;
}

enum gsc_status view_open(struct common *common, int platform, struct gsc_error *err)
{
	bool known = platform >= 0 &&
		     gsc_platform_at(common->db, (unsigned)platform, &common->platform);
	struct gsc_platform near;
	uint16_t id;
	char why[160];

	if (!known && common->device >= 0) {
		int used = snprintf(why, sizeof(why),
				    "which one? PCI id 0x%04x is not known: give -p",
				    (unsigned)common->device);

		if (gsc_platform_near(common->db, (uint16_t)common->device, &near, &id))
			snprintf(why + used, sizeof(why) - (size_t)used,
				 "; the nearest, 0x%04x, is of %s", id, near.name);
		return usage_error(err, "platform", why);
	}
	if (!known)
		return usage_error(err, "platform", "which one? nothing tells it: give -p");
	return gsc_view_new(&common->view, common->db, (unsigned)platform, common->revision, err);
}

enum gsc_status common_view(struct common *common, const struct gsc_source *source,
			    struct gsc_error *err)
{
	common->device = gsc_source_device(source);
	common->revision = gsc_source_revision(source);
	return view_open(common, gsc_source_platform(source), err);
}

enum gsc_status common_open(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);

	if (!status)
		status = source_open(common, common->from.items, common->from.count, false,
				     &common->source, err);
	return status ? status : common_view(common, common->source, err);
}

/* Without a word about it, it is the platform of this machine's GPU; the lack of one is no failure
 * of ours. */
static enum gsc_status platform_of_machine(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = source_open(common, NULL, 0, true, &common->source, err);

	if (status == GSC_FAILED)
		return usage_error(err, "platform", common->verb ?
			"which one? there is no GPU here: give -p, or name a dump: from FILE" :
			"which one? there is no GPU here: give -p, or a dump with -s FILE");
	return status ? status : common_view(common, common->source, err);
}

enum gsc_status platform_open(struct common *common, struct gsc_error *err)
{
	enum gsc_status status;

	if (common->from.count) {
		status = source_open(common, common->from.items, common->from.count, true,
				     &common->source, err);
		return status ? status : common_view(common, common->source, err);
	}
	if (!common->platform_name)
		return platform_of_machine(common, err);
	status = gsc_platform_find(common->db, common->platform_name, &common->platform,
				   &common->device, err);
	return status ? status : view_open(common, (int)common->platform.index, err);
}

enum gsc_status common_open_platform(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = definitions_open(common, err);

	return status ? status : platform_open(common, err);
}

enum gsc_status complain_damage(struct common *common, const struct gsc_source *source)
{
	const char *note;
	size_t i = 0;

	for (; source && (note = gsc_source_note(source, i)); i++)
		complain(common, GSC_PARTIAL, "", note);
	return i ? GSC_PARTIAL : GSC_OK;
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
