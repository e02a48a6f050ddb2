/* SPDX-License-Identifier: MIT */
/* A write as its user sees it: its accesses, what it changed, and its line in the journal. */
#include "writing.h"
#include "regs/write.h"
#include "util/text.h"

/* ---- --dry-run ------------------------------------------------------------------------------ */

static void put_part(struct gsc_out *out, const char *before, uint64_t bits, unsigned size)
{
	if (!bits)
		return;
	gsc_out_text(out, before);
	gsc_out_hex(out, bits, 2 * size);
	gsc_out_text(out, ")");
}

void plan_print(struct gsc_out *out, const struct gsc_write_plan *plan)
{
	struct gsc_write_step step;

	for (size_t i = 0; gsc_write_step_at(plan, i, &step); i++) {
		gsc_out_text(out, step.write ? "write  " : "read   ");
		if (step.space != GSC_MMIO)
			gsc_out_format(out, "%s:", gsc_space_name(step.space));
		gsc_out_hex(out, step.address, 6);
		if (step.write) {
			gsc_out_text(out, " = ");
			gsc_out_hex(out, step.value, 2 * step.size);
			put_part(out, " | (read & ", step.keep, step.size);
			put_part(out, " | (~read & ", step.flip, step.size);
		}
		if (step.size != 4)
			gsc_out_format(out, "  %u bytes", step.size);
		if (step.why)
			gsc_out_format(out, "  (%s)", step.why);
		gsc_out_end(out);
	}
}

/* ---- the report ----------------------------------------------------------------------------- */

static void put_value(struct gsc_out *out, bool known, uint64_t value, unsigned bits)
{
	if (known)
		gsc_out_hex(out, value, bits / 4);
	else
		gsc_out_text(out, "unread");
}

void written_print(struct gsc_out *out, const struct gsc_written *written)
{
	unsigned bits = written->reg.bits ? written->reg.bits : 32;

	gsc_out_format(out, "%s  ", written->name);
	put_value(out, written->has_old, written->old, bits);
	gsc_out_text(out, " -> ");
	put_value(out, true, written->value, bits);
	gsc_out_text(out, " -> ");
	put_value(out, written->has_back, written->back, bits);
}

void written_report(const struct common *common, const struct gsc_written *written)
{
	struct gsc_row row = { .reg = written->reg, .status = GSC_READ_OK };
	struct gsc_difference difference = { row, row, written->old ^ written->back };
	struct gsc_error ignored;
	const char *text, *below;
	struct gsc_out *out;
	size_t size;

	written_print(common->out, written);
	gsc_out_end(common->out);
	if (common->quiet)
		return;
	/* The fields that changed, as in gpu-regdump --diff, below its first line. */
	difference.a.value = written->old;
	difference.b.value = written->back;
	if (written->reg.name && written->has_old && written->has_back && difference.bits &&
	    !gsc_out_new(&out, -1, false, &ignored)) {
		gsc_text_difference(out, view_of(common), &difference, 0);
		text = gsc_out_data(out, &size);
		below = memchr(text, '\n', size);
		if (below)
			gsc_out_bytes(common->out, below + 1, size - (size_t)(below + 1 - text));
		gsc_out_free(out);
	}
	if (written->lost)
		gsc_out_format(common->out, "    not as written: bits 0x%llx\n", LL(written->lost));
}

/* "2026-11-21T20:28:38.123Z", or NULL */
static const char *time_text(int64_t nanoseconds, char *buf, size_t size)
{
	time_t seconds = (time_t)(nanoseconds / 1000000000);
	char day[32];
	struct tm tm;

	if (!nanoseconds || !gmtime_r(&seconds, &tm) ||
	    !strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm))
		return NULL;
	snprintf(buf, size, "%s.%03uZ", day, (unsigned)(nanoseconds / 1000000 % 1000));
	return buf;
}

KEYS()
void json_time(struct gsc_json *json, const struct gsc_written *written)
{
	char text[48];

	KEY(text, "time", time_text(written->time, text, sizeof(text)),
	    PATTERN("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"));
}

/* "0x4f100 = 0x12  # 2024-05-01T12:00:00Z, process 711, skl, live: was 0x00000011" */
void written_line(const struct common *common, const struct gsc_written *written,
		  const char *change, pid_t process, const char *sources, char *line, size_t size)
{
	time_t seconds = (time_t)(written->time / 1000000000);
	char old[32] = "unread", when[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (written->has_old)
		string_set(old, "0x%0*llx", (int)written->reg.bits / 4, LL(written->old));
	snprintf(line, size, "%.450s  # %s, process %d, %s, %.1000s: was %s\n", change, when,
		 (int)process, platform_of(common)->name, sources, old);
}
