/* SPDX-License-Identifier: MIT */
/* Files that are no source: what they are, by their beginning, and what to do about it. */
#include "open/opening.h"

#include "text/lines.h"

#define FIRMWARE "firmware: not recognised as a dump", "", "gpu-snap info FILE"
#define HEAD 16384u			/* how much of a text is examined */

/* "RING_HEAD: 0x1234": which address that is depends on the platform. */
static bool is_named_values(const struct blob *blob)
{
	struct lines lines = { .data = blob->data, .size = MIN(blob->size, HEAD) };
	size_t named = 0, lines_seen = 0;

	while (lines_next(&lines)) {
		struct slice line = lines.text, name, value;
		uint64_t number;

		lines_seen += line.at < line.end;
		take_blanks(&line);
		name = take_until(&line, " \t:=");
		value = line;
		while (value.at < value.end && strchr(" \t:=", *value.at))
			value.at++;
		named += slice_length(name) > 3 && *name.at >= 'A' && *name.at <= 'Z' &&
			 value.at > line.at && slice_has_0x(value) &&
			 slice_number(slice_trim(value), &number);
	}
	return named * 2 > lines_seen;
}

bool is_foreign(const struct blob *blob, struct gsc_error *err)
{
	static const struct {
		char bytes[17];
		uint8_t length;
		char kind[52], way[12];	/* how to unpack it; "": it cannot be read */
		char instead[40];
	} foreign[] = {
		{ "\3757zXZ", 6, "an xz file", "xz -dc", "" },
		{ "BZh", 3, "a bzip2 file", "bzip2 -dc", "" },
		{ "\4\"M\30", 4, "an lz4 file", "lz4 -dc", "" },
		{ "PK\3\4", 4, "a zip archive", "unzip -p", "" },
		{ "7z\274\257\47\34", 6, "a 7z archive", "7z x -so", "" },
		{ "\211PNG", 4, "a picture", "", "" },
		{ "\377\330\377", 3, "a picture", "", "" },
		{ "%PDF", 4, "a PDF", "", "" },
		{ "\6\0\0\0\241\0\0\0\0\0\1", 12, FIRMWARE },
		{ "\6\0\0\0\341\0\0\0\0\0\1", 12, FIRMWARE },
		{ "\11\0\0\0 \0\0\0\0\0\1", 12, FIRMWARE },
		{ "$CPD", 4, FIRMWARE },
		{ "$FPT", 4, FIRMWARE },
		{ "QEVM", 4, "a saved virtual machine, not a dump of its memory", "",
		  "virsh dump --memory-only DOMAIN FILE" },
		{ "LibvirtQemudSave", 16, "a saved virtual machine, not a dump of its memory", "",
		  "virsh dump --memory-only DOMAIN FILE" },
		{ "AVML", 4, "a compressed AVML dump", "", "avml-convert FILE OUT.lime" },
	};
	/* The driver's file in sysfs and debugfs. Origin: i915_gpu_error.c. */
	static const char no_error[] = "o error state collected";
	const char *name = name_to_paste(blob->name);

	if (blob->size <= 200 && memmem(blob->data, blob->size, no_error, strlen(no_error))) {
		err_set(err, GSC_UNKNOWN, blob->name, "no error on record: the driver had no error "
			"state when this was read");
		return true;
	}
	if (is_named_values(blob)) {
		err_set(err, GSC_FAILED, blob->name, "not recognised: registers by name, without "
			"addresses; try: gpu-regdump -p PLATFORM --decode - < %s", name);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(foreign); i++) {
		if (blob->size < foreign[i].length ||
		    memcmp(blob->data, foreign[i].bytes, foreign[i].length) != 0)
			continue;
		if (*foreign[i].way)
			err_set(err, GSC_FAILED, blob->name, "%s; try: %s %s | gpu-fault -",
				foreign[i].kind, foreign[i].way, name);
		else if (*foreign[i].instead)
			err_set(err, GSC_FAILED, blob->name, "%s; try: %s", foreign[i].kind,
				foreign[i].instead);
		else
			err_set(err, GSC_FAILED, blob->name, "%s: only text can be decoded",
				foreign[i].kind);
		return true;
	}
	return false;
}
