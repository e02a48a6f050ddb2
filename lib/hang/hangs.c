/* SPDX-License-Identifier: MIT */
/*
 * All that a source has about hangs: registers, dumps that the kernel has kept, a log, and which of
 * them the verdict rests on. After a hang the driver resets the GPU, whose registers then look
 * healthy: what the kernel has kept comes first.
 */
#include "hang/hang.h"

#include "formats/dump.h"
#include "log/ecode.h"
#include "open/open.h"
#include "util/text.h"

/* ---- what the kernel has kept --------------------------------------------------------------- */

static void kept_close(struct gsc_kept *kept)
{
	gsc_hang_free(kept->hang);
	gsc_gpu_close(kept->gpu);
	gsc_source_close(kept->source);
	*kept = (struct gsc_kept){ .age = -1 };
}

static enum gsc_status kept_open(struct gsc_kept *kept, const struct gsc_gpu *gpu, size_t i,
				 const struct gsc_hangs_options *options, struct gsc_error *err)
{
	struct gsc_hang_options inner = { .no_walk = options->no_walk };
	enum gsc_status status = gsc_stored_open(&kept->source, gpu->source, i, options->source,
						 err);

	if (!status)
		status = gsc_gpu_new(&kept->gpu, kept->source, gpu->view, err);
	return status ? status : gsc_hang_new(&kept->hang, kept->gpu, &inner, err);
}

/* Everything that can be opened; the rest is reported. */
static void open_kept(struct gsc_hangs *hangs, const struct gsc_gpu *gpu,
		      const struct gsc_hangs_options *options)
{
	struct gsc_stored stored;

	for (size_t i = 0; hangs->count < GSC_KEPT_MAX && gsc_stored(gpu->source, i, &stored);
	     i++) {
		struct gsc_kept *kept = &hangs->kept[hangs->count];
		struct gsc_error err = { 0 };

		string_set(kept->path, "%s", stored.path);
		kept->kind = stored.kind;
		if (kept_open(kept, gpu, i, options, &err)) {
			kept_close(kept);
			if (options->lost)
				options->lost(options->context, stored.path, &err);
			continue;
		}
		kept->age = gsc_source_age(kept->source,
					   stored.saved < 0 ? time(NULL) : stored.saved);
		hangs->count++;
	}
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool gsc_hang_tells(const struct gsc_hang *hang)
{
	return hang->errors.count || (hang->faults.count && hang->faults.items[0].valid) ||
	       hang->worst;
}

bool gsc_hang_is_none(const struct gsc_hang *hang)
{
	return !gsc_hang_tells(hang) && !strcmp(strrchr(hang->signature, '/'), "/none");
}

enum gsc_status gsc_hangs_open(struct gsc_hangs *hangs, const struct gsc_gpu *gpu,
			       const struct gsc_hangs_options *options, struct gsc_error *err)
{
	struct gsc_hang_options inner = { .no_walk = options->no_walk,
					  .now = gsc_source_live(gpu->source) };
	const struct gsc_error *refusal = gsc_source_refusal(gpu->source);
	enum gsc_status status = GSC_OK;

	*hangs = (struct gsc_hangs){ .count = 0 };
	if (!refusal)
		status = gsc_hang_new(&hangs->now, gpu, &inner, err);
	if (status)
		return status;
	open_kept(hangs, gpu, options);
	/* What was kept, if it shows something; else the registers, if they do. */
	for (size_t i = 0; i < hangs->count && !hangs->main; i++)
		if (gsc_hang_tells(hangs->kept[i].hang))
			hangs->main = hangs->kept[i].hang;
	if (!hangs->main)
		hangs->main = hangs->count && !(hangs->now && gsc_hang_tells(hangs->now))
			? hangs->kept[0].hang : hangs->now;
	if (hangs->main)
		return GSC_OK;
	*err = *refusal;
	return refusal->status;
}

void gsc_hangs_close(struct gsc_hangs *hangs)
{
	gsc_hang_free(hangs->now);
	for (size_t i = 0; i < hangs->count; i++)
		kept_close(&hangs->kept[i]);
	*hangs = (struct gsc_hangs){ .count = 0 };
}

/* ---- its log -------------------------------------------------------------------------------- */

const char *gsc_source_log(const struct gsc_source *source, size_t *size)
{
	for (size_t part = 0; part < gsc_source_count(source); part++) {
		struct gsc_member member = { .next = 0 };

		while (gsc_capture_member(source, part, &member)) {
			if (strcmp(member.name, GSC_MEMBER_LOG))
				continue;
			*size = (size_t)member.held;
			return member.data;
		}
	}
	return NULL;
}

bool gsc_source_is_log(const struct gsc_source *source)
{
	size_t count = gsc_source_count(source), logs = 0;

	for (size_t i = 0; i < count; i++) {
		if (gsc_source_form(source, i) == GSC_SOURCE_LOG)
			logs++;
		else if (gsc_source_form(source, i) != GSC_SOURCE_NONE)
			return false;
	}
	return logs;
}

bool gsc_hangs_only_log(const struct gsc_hangs *hangs, const struct gsc_source *source)
{
	return gsc_source_has(source, GSC_SOURCE_LOG) && !hangs->count && hangs->now &&
	       !gsc_hang_reads(hangs->now, GSC_READ_OK) && !hangs->now->facts.about.count;
}

/* ---- its platform --------------------------------------------------------------------------- */

uint64_t gsc_hang_platforms(const struct gsc_source *source, char *why, size_t size)
{
	uint64_t platforms = gsc_source_platforms(source, why, size);
	struct gsc_ecode ecode;
	struct gsc_property p;
	bool coded = false;
	size_t next;

	for (size_t part = 0; !coded && part < gsc_source_count(source); part++)
		for (size_t i = 0; !coded && gsc_source_property(source, part, i, &p); i++)
			coded = !strcmp(p.key, "GPU HANG");
	if (!coded || !gsc_ecode_read(source->db, NULL, p.value, strlen(p.value), &ecode, &next) ||
	    !ecode.has_generation || !ecode.platforms ||
	    (platforms && !(platforms & ecode.platforms)))
		return platforms;
	if (!platforms)
		snprintf(why, size, "hang code");
	else if ((platforms & ecode.platforms) != platforms)
		string_addf(why, size, " and hang code");
	return platforms ? platforms & ecode.platforms : ecode.platforms;
}
