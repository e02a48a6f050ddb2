/* SPDX-License-Identifier: MIT */
/* What the driver has said of a hang when it wrote the dump: the properties that matter. */
#include "db/view.h"
#include "hang/hang.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *key, *name;		/* of the dump; ours */
} properties[] = {
	{ "GPU HANG", "hang" },		/* i915: "ecode 9:1:..., in Xorg [123], hang on rcs0" */
	{ "Reason", "reason" },			/* xe */
	{ "Process", "process" },
	{ "Active process (on ring render)", "process" },
	{ "Active process (on ring rcs0)", "process" },
	{ "Time", "time" },
	{ "Snapshot time", "time" },
	{ "Kernel", "kernel" },
	{ "kernel", "kernel" },
	{ "Reset count", "resets" },
};

/* "[0], context bans 0": the driver had no name for it. */
static void name_missing(char *text, size_t size)
{
	char rest[sizeof(((struct gsc_about *)NULL)->text)];

	if (*text && *text != '[')
		return;
	snprintf(rest, sizeof(rest), "%s", text);
	snprintf(text, size, "without a name in the dump%s%.400s", *rest ? ": " : "", rest);
}

/* The first of those that are the same to us. */
static bool told_before(const struct gsc_hang *hang, size_t row)
{
	char text[sizeof(((struct gsc_about *)NULL)->text)];

	for (size_t i = 0; i < row; i++)
		if (!strcmp(properties[i].name, properties[row].name) &&
		    hang_property(hang, properties[i].key, text, sizeof(text)))
			return true;
	return false;
}

/* "1676494673 s 616282 us", "1730000000.123": seconds since 1970. */
static void make_date(char *text, size_t size)
{
	time_t seconds = (time_t)strtoull(text, NULL, 10);
	struct tm tm;

	if (seconds > 0 && gmtime_r(&seconds, &tm))
		strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

/* Where no engine has IPEHR the code of the hang is all that there is of the command. */
static bool say_code(const struct gsc_hang *hang, struct gsc_about *about)
{
	struct gsc_ecode ecode;
	size_t next;

	for (size_t i = 0; i < hang->engines.count; i++)
		if (hang->engines.items[i].e.known & GSC_KNOWN_IPEHR)
			return false;
	if (!hang_property(hang, "GPU HANG", about->text, sizeof(about->text)) ||
	    !gsc_ecode_read(hang->view->db, hang->view, about->text, strlen(about->text), &ecode,
			    &next))
		return false;
	about->name = "code";
	gsc_ecode_text(hang->view->db, &ecode, about->text, sizeof(about->text));
	return true;
}

bool gsc_hang_about(const struct gsc_hang *hang, size_t i, struct gsc_about *about)
{
	for (size_t row = 0; row < ARRAY_SIZE(properties); row++) {
		if (told_before(hang, row) ||
		    !hang_property(hang, properties[row].key, about->text, sizeof(about->text)))
			continue;
		about->name = properties[row].name;
		if (!strcmp(about->name, "time"))
			make_date(about->text, sizeof(about->text));
		if (!strcmp(about->name, "process"))
			name_missing(about->text, sizeof(about->text));
		if (!i--)
			return true;
	}
	return !i && say_code(hang, about);
}
