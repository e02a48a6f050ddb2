/* SPDX-License-Identifier: MIT */
/* Firmware that drivers load, and the packages that have it. */
#include "dbc/build.h"

#include "db/firmware.h"

/* "70.44.1", all of it; and none. */
static bool is_version(const char *text, size_t length)
{
	struct slice s = slice_of(text, length), version;

	return !length || (firmware_version(&s, &version) && version.at == text && s.at == s.end);
}

/*
 * firmware PATH [driver=WORD] [wants=VERSION] [least=VERSION] [kernel=VERSION[..VERSION]] [on=]
 * ["only where"]
 * package NAME [kernel=WORD] "of which system"
 */
void parse_firmware(struct build *b, const struct line *line, struct scope *scope)
{
	static const struct attribute words[] = {
		STRING_OF("driver", struct b_firmware, driver),
		STRING_OF("wants", struct b_firmware, wants),
		STRING_OF("least", struct b_firmware, least),
		STRING_OF("kernel", struct b_firmware, kernel),
		TEXT_OF(struct b_firmware, text), { 0 },
	};
	struct b_firmware f = { .name = word_string(b, word_at(line, 1)), .line = line->number,
				.origin = scope->origin, .file = file_string(b),
				.kind = FIRMWARE_PACKAGE };
	const char *from, *to;
	struct scope own = *scope;

	parse_attributes(b, word_at(line, 2), words, &f, &own,
			 "driver=, wants=, least=, kernel=, on= or a \"text\"");
	f.where = own.where;
	if (word_is(line->word, "firmware"))
		f.kind = firmware_kind(slice_string(build_text(b, f.name)));
	from = build_text(b, f.kernel);
	to = strstr(from, "..");
	to = to ? to + 2 : from;
	if (f.kind == FIRMWARE_KINDS)
		expected(b, word_at(line, 1), "a path such as i915/tgl_guc_70.bin");
	else if (f.kind == FIRMWARE_PACKAGE ? !f.text || f.wants || f.least || f.driver : !f.kernel)
		expected(b, word_at(line, line->count),
			 f.kind == FIRMWARE_PACKAGE ? "the \"system\", and kernel= alone"
						    : "kernel=VERSIONS");
	else if (!is_version(build_text(b, f.wants), strlen(build_text(b, f.wants))) ||
		 !is_version(build_text(b, f.least), strlen(build_text(b, f.least))) ||
		 (f.kind != FIRMWARE_PACKAGE && (!*to || !is_version(to, strlen(to)) ||
		  !is_version(from, (size_t)(to > from ? to - from - 2 : 0)))))
		expected(b, word_at(line, 2), "versions such as 70.44.1, or 6.12..7.3");
	else if (f.origin == NONE)
		finding_at(b, "origin", line->number, line->word->column,
			   "%s has no origin, expected an `origin` line before it",
			   build_text(b, f.name));
	else
		build_add(b, firmwares, f);
}
