/* SPDX-License-Identifier: MIT */
/*
 * What the driver has said of a hang when it wrote the dump, and of itself: the properties that
 * matter to whoever looks for the reason, and those by which a log is matched. Keys as
 * i915_gpu_error.c and xe_devcoredump.c print them, from Linux 2.6.3x on.
 */
#include "hang/hang.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef bool say_fn(char *text, size_t size, const char *key, const char *value);

/* ---- how it is said ------------------------------------------------------------------------- */

static bool say_value(char *text, size_t size, const char *key, const char *value)
{
	(void)key;
	snprintf(text, size, "%s", value);
	return *value;
}

/* "1676494673 s 616282 us", "1730000000.123": seconds since 1970. */
static bool say_date(char *text, size_t size, const char *key, const char *value)
{
	time_t seconds = (time_t)strtoull(value, NULL, 10);
	struct tm tm;

	if (seconds <= 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm))
		return say_value(text, size, key, value);
	return true;
}

/* "276 s 592007 us", "133.873992566" */
static bool take_seconds(const char *value, unsigned long long *seconds, unsigned long long *rest)
{
	*rest = 0;
	return sscanf(value, "%llu s %6llu us", seconds, rest) == 2 ||
	       sscanf(value, "%llu.%6llu", seconds, rest) == 2;
}

/* Lines of the log count from the boot as well, but not while the machine sleeps. */
static bool say_boot(char *text, size_t size, const char *key, const char *value)
{
	unsigned long long seconds, rest;

	if (!take_seconds(value, &seconds, &rest))
		return say_value(text, size, key, value);
	snprintf(text, size, "%llu.%06llu s after the boot: the time of the log, unless the "
		 "machine slept", seconds, rest);
	return true;
}

static bool say_uptime(char *text, size_t size, const char *key, const char *value)
{
	unsigned long long seconds, rest;

	if (!take_seconds(value, &seconds, &rest))
		return say_value(text, size, key, value);
	snprintf(text, size, "%llu.%06llu s after the driver had begun", seconds, rest);
	return true;
}

/* "4294943744 jiffies; 173135 ms ago" */
static bool say_capture(char *text, size_t size, const char *key, const char *value)
{
	const char *ago = strstr(value, "; ");
	unsigned long long ms;

	if (!ago || sscanf(ago, "; %llu ms ago", &ms) != 1)
		return say_value(text, size, key, value);
	snprintf(text, size, "read %llu.%03llu s after it was taken", ms / 1000, ms % 1000);
	return true;
}

/* "Active process (on ring vcs0)": "mpv [2658]" */
static bool say_process(char *text, size_t size, const char *key, const char *value)
{
	const char *ring = strstr(key, "on ring "), *end = ring ? strchr(ring, ')') : NULL;

	if (!*value)
		return false;
	if (ring && end)
		snprintf(text, size, "%s, on %.*s", value, (int)(end - ring) - 8, ring + 8);
	else
		snprintf(text, size, "%s", value);
	return true;
}

/* "ecode 9:1:8fdcfffd, in name [30804], reason: ..." */
static bool say_hung_process(char *text, size_t size, const char *key, const char *value)
{
	const char *in = strstr(value, ", in "), *close = in ? strchr(in, ']') : NULL;

	(void)key;
	if (!close || !memchr(in, '[', (size_t)(close - in)))
		return false;
	snprintf(text, size, "%.*s", (int)(close + 1 - in) - 5, in + 5);
	return true;
}

/* "DMC fw version"; without any it is 0.0 */
static bool say_dmc(char *text, size_t size, const char *key, const char *value)
{
	snprintf(text, size, "%.3s version: %.200s", key, value);
	return *value && strcmp(value, "0.0");
}

/* "GuC firmware wanted: i915/tgl_guc_70.1.1.bin.version": the heading is the first part. */
static bool say_firmware(char *text, size_t size, const char *key, const char *value)
{
	snprintf(text, size, "%.3s %s: %.200s", key, strrchr(key, '.') + 1, value);
	return *value;
}

static bool say_if_not_zero(char *text, size_t size, const char *key, const char *value)
{
	return strtoull(value, NULL, 0) && say_value(text, size, key, value);
}

/* ---- which are ------------------------------------------------------------------------------ */

enum match { WHOLE, BEGINS, FIRMWARE };

/* Of rows of one name those after the first that says something are silent, but where `each`. */
static const struct {
	const char *key;
	enum match match;
	const char *name;		/* ours */
	say_fn *say;
	bool each;
	enum gsc_source_form form;	/* whose key it is, where others mean something else by it */
} rows[] = {
	{ "GPU HANG", WHOLE, "hang", say_value },
	{ "Reason", WHOLE, "reason", say_value },
	{ "Process", WHOLE, "process", say_value },
	{ "Active process (on ring ", BEGINS, "process", say_process, .each = true },
	{ "GPU HANG", WHOLE, "process", say_hung_process },
	{ "Time", WHOLE, "time", say_date },
	{ "Snapshot time", WHOLE, "time", say_date },
	{ "Boottime", WHOLE, "boot", say_boot },
	{ "Uptime", WHOLE, "boot", say_boot, .form = GSC_SOURCE_DEVCOREDUMP },
	{ "Uptime", WHOLE, "uptime", say_uptime, .form = GSC_SOURCE_ERROR_STATE },
	{ "Capture", WHOLE, "capture", say_capture },
	{ "Kernel", WHOLE, "kernel", say_value },
	{ "kernel", WHOLE, "kernel", say_value },
	{ "Reset count", WHOLE, "resets", say_value },
	{ "Suspend count", WHOLE, "suspend", say_if_not_zero },
	{ "DMC fw version", WHOLE, "fw", say_dmc, .each = true },
	{ "version", FIRMWARE, "fw", say_firmware, .each = true },
	{ "status", FIRMWARE, "fw", say_firmware, .each = true },
	{ "cut", WHOLE, "cut", say_value },
};

/* The block of a firmware and a key of it: "GuC firmware: i915/x.bin.status". */
static bool is_firmware(const char *key, const char *which)
{
	const char *dot = strrchr(key, '.');

	return dot && !strcmp(dot + 1, which) && strstr(key, "uC firmware");
}

static bool matches(const struct gsc_hang *hang, const char *key, size_t row)
{
	size_t length = strlen(rows[row].key);

	if (rows[row].form && !gsc_source_has(hang->source, rows[row].form))
		return false;
	if (rows[row].match == FIRMWARE)
		return is_firmware(key, rows[row].key);
	return !name_compare_n(key, rows[row].key, length) &&
	       (rows[row].match == BEGINS || !key[length]);
}

#define SAID_MAX 16			/* by one row */

/* Takes the place of its row; what comes first of a row stays first. */
static bool add(struct gsc_hang *hang, size_t row, const char *text)
{
	struct hang_about *added = vec_add(&hang->about);

	if (!added)
		return false;
	for (; added > hang->about.items && added[-1].row > row; added--)
		added[0] = added[-1];
	*added = (struct hang_about){ .row = row, .a = { .name = rows[row].name } };
	snprintf(added->a.text, sizeof(added->a.text), "%s", text);
	return true;
}

/* A row before of the same name has told it already. */
static bool is_repeated(const struct gsc_hang *hang, size_t i)
{
	const struct hang_about *items = hang->about.items;

	for (size_t n = 0; n < i && strcmp(items[i].a.name, "fw"); n++)
		if (items[n].row != items[i].row &&
		    !strcmp(items[n].a.name, items[i].a.name))
			return true;
	return false;
}

enum gsc_status hang_about(struct gsc_hang *hang, struct gsc_error *err)
{
	char text[sizeof(((struct gsc_about *)NULL)->text)];
	size_t said[ARRAY_SIZE(rows)] = { 0 }, kept = 0;
	struct gsc_property p;

	for (size_t part = 0; part < gsc_source_count(hang->source); part++) {
		for (size_t i = 0; gsc_capture_property(hang->source, part, i, &p); i++) {
			for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
				if (said[row] >= (rows[row].each ? SAID_MAX : 1) ||
				    !matches(hang, p.key, row) ||
				    !rows[row].say(text, sizeof(text), p.key, p.value))
					continue;
				said[row]++;
				if (!add(hang, row, text))
					return err_memory(err);
			}
		}
	}
	for (size_t i = 0; i < hang->about.count; i++)
		if (!is_repeated(hang, i))
			hang->about.items[kept++] = hang->about.items[i];
	hang->about.count = kept;
	return GSC_OK;
}

bool gsc_hang_about(const struct gsc_hang *hang, size_t i, struct gsc_about *about)
{
	if (i >= hang->about.count)
		return false;
	*about = hang->about.items[i].a;
	return true;
}
