/* SPDX-License-Identifier: MIT */
/*
 * The GuC's log: the states of its parts and what they hold, the registers that it captured before
 * it reset an engine, and the file that xe makes of the log (LFD). What an entry of the log means
 * is not public: entries are raw rows.
 */
#include "image/image.h"

#include "db/engine.h"
#include "guc/guc.h"
#include "util/text.h"

#define ROW_BYTES 32u			/* of raw contents */

static const char *const part_names[GUC_LOG_PARTS] = {
	[GUC_LOG_EVENTS] = "EVENTS", [GUC_LOG_CRASH] = "CRASH_DUMP",
	[GUC_LOG_CAPTURE] = "STATE_CAPTURE",
};

/* ---- raw contents ---------------------------------------------------------------------------- */

/* "12345678 12345678 ...": rows that are not zero. */
static bool add_rows(struct gsc_image *image, const char *name, uint64_t from, uint64_t to)
{
	for (; from < to && from / 4 < image->count; from += ROW_BYTES) {
		struct gsc_image_part *part;
		char row[ROW_BYTES / 4 * 9 + 1] = "";
		struct text text = text_of(row);

		part = image_add(image, name, -1, from, MIN(ROW_BYTES, to - from));
		if (!part)
			return false;
		if (bytes_are_zero(part->words, part->count * 4)) {
			image->parts.count--;
			continue;
		}
		for (size_t i = 0; i < part->count; i++)
			text_add(&text, "%s%08x", i ? " " : "", part->words[i]);
		if (!image_say(image, &part->text, "%s", row))
			return false;
	}
	return true;
}

/* What the GuC has written into a part since the driver read it; all of it, if that is nothing. */
static bool add_contents(struct gsc_image *image, const char *name,
			 const struct guc_log_state *s)
{
	if (s->read < s->write)
		return add_rows(image, name, s->start + s->read, s->start + s->write);
	return add_rows(image, name, s->start + s->read, s->start + s->size) &&
	       add_rows(image, name, s->start, s->start + s->write);
}

/* ---- the log --------------------------------------------------------------------------------- */

#define LIC_MAGIC 0x8086900du		/* Linux guc_lic_abi.h GUC_LIC_MAGIC */
#define LIC_DWORDS 3u
#define VERSION "%u.%u.%u"
#define VERSION_OF(value) (value) >> 16 & 0xff, (value) >> 8 & 0xff, (value) & 0xff

/* "GUC_VERSION 0x462c01": what the GuC says about itself, if it does. */
static bool note_config(struct gsc_image *image)
{
	const uint32_t *w = image->words + GUC_LOG_PARTS * GUC_STATE_BYTES / 4;
	static const char *const keys[] = { NULL, "GuC version", "device id", "time stamps in kHz",
					    "GMD_ID", "build platform" };
	char line[200] = "";
	struct text text = text_of(line);
	uint32_t end = MIN(w[2], 64);

	if (w[0] != LIC_MAGIC)
		return true;
	for (uint32_t i = 0; i + 1 < end; i += 1 + (w[LIC_DWORDS + i] & 0xffff)) {
		uint32_t key = w[LIC_DWORDS + i] >> 16, value = w[LIC_DWORDS + i + 1];

		if (key == 1)
			text_add(&text, ", %s " VERSION, keys[key], VERSION_OF(value));
		else if (key && key < ARRAY_SIZE(keys))
			text_add(&text, key == 3 ? ", %s %u" : ", %s 0x%x", keys[key], value);
	}
	return !*line || image_note(image, "%s", line + 2);
}

enum gsc_status image_guc_log(struct gsc_image *image, struct gsc_error *err)
{
	struct guc_log_state states[GUC_LOG_PARTS];
	enum gsc_status status = guc_log_read(states, image->words, image->bytes, err);
	bool ok;

	if (status)
		return status;
	if (!view_structure(image->gpu.view, "GUC_LOG_BUFFER_STATE", &image->item))
		return err_set(err, GSC_UNKNOWN, "guc-log", "its layout is not defined");
	ok = image_note(image, "the meaning of entries is not public: they are dwords") &&
	     note_config(image);
	if (ok && (!states[GUC_LOG_EVENTS].size || !states[GUC_LOG_CRASH].size))
		ok = image_note(image, "how long a part is, its state does not say, or it goes "
				"beyond the end: its contents are left out");
	for (unsigned i = 0; ok && i < GUC_LOG_PARTS; i++)
		ok = image_add_fields(image, part_names[i], IMAGE_OWN, -1, i * GUC_STATE_BYTES,
				      GUC_STATE_BYTES);
	for (unsigned i = 0; ok && i < GUC_LOG_CAPTURE; i++)
		ok = add_contents(image, part_names[i], &states[i]);
	return image_done(ok, err);
}

/* ---- captured registers ---------------------------------------------------------------------- */

static bool add_list(struct gsc_image *image, const struct guc_captures *captures,
		     const struct guc_capture *list)
{
	static const char *const names[] = { "GLOBAL", "ENGINE_CLASS", "ENGINE_INSTANCE" };
	static const char *const classes[] = {
		"render", "video", "video enhancement", "blitter", "compute", "gsc", "unknown",
	};
	const char *class = classes[MIN(list->class, ARRAY_SIZE(classes) - 1)];
	char engine[ENGINE_NAME] = "";
	struct gsc_image_part *part;
	struct gsc_row row;
	uint32_t base = 0;
	bool found;

	part = image_add(image, names[list->type], (int)list->group, list->offset,
			 20 + list->count * sizeof(struct guc_captured));
	if (!part)
		return false;
	found = guc_engine(image->gpu.view, list, engine, &base);
	if (!*engine)
		string_set(engine, "class %u", list->class);
	if (list->type == GUC_CAPTURE_CLASS &&
	    !image_say(image, &part->text, "class %s", class))
		return false;
	if (list->type == GUC_CAPTURE_INSTANCE &&
	    !image_say(image, &part->text, "%s%s, context %u, LRCA 0x%x", engine,
		       found ? "" : ", which the platform does not have: its addresses are offsets",
		       list->context, list->lrca))
		return false;
	if (list->partial && !image_say(image, &part->problem, "the GuC had no room for all"))
		return false;
	for (size_t i = 0; i < list->count; i++) {
		const struct guc_captured *r = &captures->registers.items[list->first + i];
		uint32_t address = guc_register_address(&image->gpu.platform, list, r, base);

		image_row(image, address, r->value, &row);
		if (GUC_STEERED(r->flags))
			row.steering = (struct gsc_steering){
				.selector = "the GuC", .known = true, .slices = true,
				.group = GUC_STEERING_GROUP(r->flags),
				.instance = GUC_STEERING_INSTANCE(r->flags) };
		if (!image_add_row(image, &row))
			return false;
	}
	return true;
}

enum gsc_status image_guc_capture(struct gsc_image *image, struct gsc_error *err)
{
	struct guc_log_state states[GUC_LOG_PARTS];
	struct guc_captures captures = { .gap = 0 };
	enum gsc_status status = guc_log_read(states, image->words, image->bytes, err);
	bool ok;

	if (status)
		return status;
	if (!states[GUC_LOG_CAPTURE].size)
		return err_set(err, GSC_UNKNOWN, "guc-capture", states[GUC_LOG_CAPTURE].cut ?
			       "the log ends before the last registers that were captured" :
			       "the log says nothing about where captured registers are");
	ok = guc_captures_read(&captures, &states[GUC_LOG_CAPTURE], image->words);
	if (ok && !captures.lists.count)
		status = err_set(err, GSC_UNKNOWN, "guc-capture",
				 "the GuC has captured no registers");
	if (ok && states[GUC_LOG_CAPTURE].cut)
		ok = image_note(image, "the log is cut: the oldest groups may be missing");
	if (ok && captures.gap)
		ok = image_note(image, "%u bytes of overwritten groups", captures.gap * 4);
	for (size_t i = 0; ok && i < captures.lists.count; i++)
		ok = add_list(image, &captures, &captures.lists.items[i]);
	guc_captures_free(&captures);
	return ok ? status : err_memory(err);
}

/* ---- the file of xe -------------------------------------------------------------------------- */

/* Linux xe_guc_log.c GUC_LFD_DRIVER_KEY_STREAMING, GUC_LFD_DATA_HEADER_MAGIC. */
#define LFD_MAGIC UINT64_C(0x8086aaaa474c5346)
#define LFD_BLOCK_MAGIC 0x8086u
#define LFD_HEADER 12u
#define LFD_VERSION 1u
#define LFD_OS_ID 0x4000u
#define LFD_COMMENT 0x6001u

/* The text in a block that has one, else its only dword. */
static bool say_block(struct gsc_image *image, struct gsc_image_part *part, uint32_t type)
{
	size_t first = type == LFD_OS_ID ? 3 : 2;

	if ((type == LFD_OS_ID || type == LFD_COMMENT) && part->count > first)
		return image_say(image, &part->text, "%.*s", (int)((part->count - first) * 4),
				 (const char *)(part->words + first));
	if (type == LFD_VERSION && part->count == 3)
		return image_say(image, &part->text, VERSION, VERSION_OF(part->words[2]));
	return part->count != 3 || image_say(image, &part->text, "0x%x", part->words[2]);
}

enum gsc_status image_guc_lfd(struct gsc_image *image, struct gsc_error *err)
{
	uint64_t at = LFD_HEADER, magic = 0;
	bool ok = true;

	if (image->bytes >= LFD_HEADER)
		memcpy(&magic, image->words, sizeof(magic));
	if (magic != LFD_MAGIC || !view_structure(image->gpu.view, "GUC_LFD_BLOCK", &image->item))
		return err_set(err, GSC_FAILED, "guc-lfd", "not a log file of the GuC: it begins "
			       "with 0x%llx", LL(LFD_MAGIC));
	while (ok && at + 8 <= image->bytes) {
		const uint32_t *w = image->words + at / 4;
		uint64_t size = 8 + (uint64_t)w[1] * 4;
		struct gsc_image_part *part;

		if ((w[0] & 0xffff) != LFD_BLOCK_MAGIC) {
			ok = image_note(image, "from 0x%llx on there are no blocks", LL(at));
			break;
		}
		part = image_add_fields(image, "BLOCK", IMAGE_OWN, -1, at, size);
		ok = part && say_block(image, part, w[0] >> 16) &&
		     (w[0] >> 16 != 0x2000 || add_rows(image, "EVENTS", at + 12, at + size)) &&
		     (w[0] >> 16 != 0x2001 || add_rows(image, "CRASH_DUMP", at + 8, at + size));
		at += size;
		image_cut(image, at);
	}
	if (ok && at < image->bytes && at + 8 > image->bytes)
		ok = image_note(image, "%zu bytes at the end are no block",
				(size_t)(image->bytes - at));
	return image_done(ok, err);
}
