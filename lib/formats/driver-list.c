/* SPDX-License-Identifier: MIT */
/*
 * What a driver says that it writes because of errata: xe's debugfs files "workarounds", "tunings"
 * (xe_wa_gt_dump(), xe_tuning_dump()) and "register-save-restore" (xe_reg_sr_dump()), and i915's
 * "i915_wa_registers". That is what it wants: none of it is the value of a register.
 */
#include "formats/driver-list.h"

#include "db/view.h"
#include "formats/readers.h"
#include "formats/values.h"
#include "text/lines.h"

#define APPLIED "Workarounds applied: "	/* i915 */
#define MEDIA_GSI UINT32_C(0x380000)	/* registers of a media GT, which prints them without */
#define GSI_BYTES UINT32_C(0x40000)

/* The first line of each list, and what the lines below it are. */
static const struct heading {
	const char *text;
	enum driver_list list;
	enum workaround_kind when;
} headings[] = {
	{ "GT", LIST_WRITES, WORKAROUND_GT },
	{ "Engine", LIST_WRITES, WORKAROUND_ENGINE },
	{ "LRC", LIST_WRITES, WORKAROUND_CONTEXT },
	{ "Whitelist", LIST_WRITES, WORKAROUND_WHITELIST },
	{ "GT Workarounds", LIST_NAMES, 0 }, { "Engine Workarounds", LIST_NAMES, 0 },
	{ "LRC Workarounds", LIST_NAMES, 0 }, { "OOB Workarounds", LIST_NAMES, 0 },
	{ "Device OOB Workarounds", LIST_NAMES, 0 },
	{ "GT Tunings", LIST_TUNINGS, 0 }, { "Engine Tunings", LIST_TUNINGS, 0 },
	{ "LRC Tunings", LIST_TUNINGS, 0 },
};

struct listing {
	struct driver_lists *lists;
	const struct heading *heading;	/* NULL: none yet */
	char engine[ENGINE_NAME];
	bool media_gt;			/* the platform has one */
	bool primary;			/* engines of the other GT were seen */
	size_t start;			/* of the writes of this GT */
	bool failed;
};

static const struct heading *heading_of(struct slice line)
{
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++)
		if (slice_is(line, headings[i].text))
			return &headings[i];
	return NULL;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool take_32(struct slice *line, uint32_t *value)
{
	uint64_t number;

	if (!take_hex(line, &number) || number > UINT32_MAX)
		return false;
	*value = (uint32_t)number;
	return true;
}

/* "REG[0x20e4] clr=0x00000010 set=0x00000010 masked=yes mcr=no" */
static bool take_xe(struct slice line, struct driver_write *write)
{
	return take_text(&line, "REG[") && take_32(&line, &write->offset) &&
	       take_text(&line, "] clr=") && take_32(&line, &write->mask) &&
	       take_text(&line, " set=") && take_32(&line, &write->value);
}

/* "REG[0x2600-0x263f]: allow read access": the access bits of RING_FORCE_TO_NONPRIV */
static bool take_open(struct slice line, struct driver_write *write)
{
	uint32_t last, bytes;

	if (!take_text(&line, "REG[") || !take_32(&line, &write->offset) ||
	    !take_text(&line, "-") || !take_32(&line, &last) || !take_text(&line, "]: "))
		return false;
	bytes = last - write->offset + 1;
	write->value = bytes == 16 ? 1 : bytes == 64 ? 2 : bytes == 256 ? 3 : 0;
	write->mask = 0x70000003;
	write->value |= take_text(&line, "deny ") ? 1u << 30 : 0;
	take_text(&line, "allow ");
	write->value |= slice_begins(line, "read") ? 1u << 28 : slice_begins(line, "write") ?
						     2u << 28 : 0;
	return true;
}

/* "0x7018: 0x20002000, mask: 0x00000000"; of a register with a mask that is in its bits 31:16. */
static bool take_i915(struct slice line, struct driver_write *write)
{
	uint32_t high;

	if (!take_32(&line, &write->offset) || !take_text(&line, ": ") ||
	    !take_32(&line, &write->value) || !take_text(&line, ", mask: ") ||
	    !take_32(&line, &write->mask))
		return false;
	high = write->value >> 16;
	if (high && !((write->mask | (write->value & 0xffff)) & ~high)) {
		write->mask = high;
		write->value &= 0xffff;
	}
	write->mask |= write->value;
	return true;
}

static void end_gt(struct listing *l)
{
	struct driver_write *write = l->lists->writes.items;

	for (size_t i = l->start; i < l->lists->writes.count && l->media_gt && !l->primary; i++)
		write[i].offset += write[i].offset < GSI_BYTES ? MEDIA_GSI : 0;
	l->start = l->lists->writes.count;
	l->primary = false;
}

/* "rcs0", "rcs0: Workarounds applied: 14"; before Linux 5.0 without the engine */
static bool take_list_engine(struct listing *l, struct slice line)
{
	static const struct heading contexts = { "", LIST_CONTEXTS, WORKAROUND_CONTEXT };
	bool i915 = slice_find(line, APPLIED);
	char name[ENGINE_NAME] = "rcs0";

	if (!take_engine(&line, name) && !i915)
		return false;
	if (i915) {
		l->heading = &contexts;
		l->lists->count[LIST_CONTEXTS]++;
	}
	l->primary |= !strncmp(name, "rcs", 3) || !strncmp(name, "bcs", 3) ||
		      !strncmp(name, "ccs", 3);
	memcpy(l->engine, name, sizeof(name));
	return i915 || line.at == line.end;
}

static void take_line(void *context, const char *name, const char *text)
{
	struct listing *l = context;
	struct slice line = slice_trim(slice_string(text));
	const struct heading *heading = heading_of(line);
	struct driver_write write = { .offset = 0 };
	struct driver_name *named;

	if (strcmp(name, DRIVER_LIST) || l->failed)
		return;
	if (heading) {
		bool first = heading == headings || !strcmp(heading->text, "GT Workarounds") ||
			     !strcmp(heading->text, "GT Tunings") ||
			     (heading == headings + 1 && l->heading != headings);

		/* The list of a GT has no "GT" if nothing is in that part. */
		if (first)
			end_gt(l);
		l->lists->count[heading->list] += first;
		l->heading = heading;
		*l->engine = '\0';
	} else if (l->heading && l->heading->list > LIST_CONTEXTS) {
		named = vec_add(&l->lists->names);
		if (named)
			*named = (struct driver_name){ .known = false };
		l->failed |= !named;
		if (named)
			slice_copy(slice_first(line, sizeof(named->name) - 1), named->name,
				   sizeof(named->name));
	} else if (!take_list_engine(l, line) && l->heading &&
		   (take_xe(line, &write) || take_open(line, &write) || take_i915(line, &write))) {
		write.when = l->heading->when;
		write.left = write.mask;
		memcpy(write.engine, l->engine, sizeof(write.engine));
		l->failed |= !vec_push(&l->lists->writes, write);
	}
}

bool driver_lists_read(struct driver_lists *lists, const struct gsc_source *source, bool media_gt)
{
	struct listing l = { .lists = lists, .media_gt = media_gt };

	source_files(source, take_line, &l);
	end_gt(&l);
	return !l.failed;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static bool is_ours(struct slice line)
{
	struct driver_write write;
	const struct heading *heading;

	line = slice_trim(line);
	heading = heading_of(line);
	return (heading && heading->list > LIST_CONTEXTS) || take_xe(line, &write) ||
	       take_open(line, &write) || slice_find(slice_first(line, 40), APPLIED);
}

static unsigned score(const uint8_t *data, size_t size)
{
	return any_line(data, size, is_ours) ? 80 : 0;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct lines line = { .data = part->blob.data, .size = part->blob.size };

	bool i915 = false, done = true;

	(void)source;
	while (done && lines_next(&line)) {
		i915 |= slice_find(slice_first(line.text, 40), APPLIED) != NULL;
		if (line.text.at < line.text.end)
			done = part_say(part, "", SOURCE_FILE, DRIVER_LIST " %.*s",
					SLICE(slice_first(line.text, 200)));
	}
	return done && part_say(part, "", "driver", i915 ? "i915" : "xe") ? GSC_OK
									  : err_memory(err);
}

const struct reader reader_driver_list = {
	"list of a driver's workarounds", GSC_SOURCE_REGISTER_TEXT, score, load,
};
