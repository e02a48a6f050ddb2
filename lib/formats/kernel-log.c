/* SPDX-License-Identifier: MIT */
/*
 * A kernel's log as a source: it has no bytes of any space, but is kept for those who read its
 * messages (log/log.c), as the member GSC_MEMBER_LOG.
 */
#include "formats/kernel-log.h"

#include "text/lines.h"
#include "source/source.h"
#include "util/number.h"

#include <ctype.h>

#define FRONT 160			/* bytes of a line that a prefix of it lies in */
#define SCORE_BYTES (16 << 20)

/* "[   12.345678] ": where it ends, or NULL. */
static const char *after_time(const char *at, const char *end)
{
	const char *dot;

	for (at++; at < end && *at == ' '; at++)
		;
	for (dot = at; dot < end && isdigit((unsigned char)*dot); dot++)
		;
	if (dot == at || end - dot < 3 || *dot != '.')
		return NULL;
	for (at = dot + 1; at < end && isdigit((unsigned char)*at); at++)
		;
	return at > dot + 1 && at < end && (*at == ']' || *at == '[') ? at + 1 : NULL;
}

static bool begins_with(const char *text, size_t length, const char *words)
{
	return length >= strlen(words) && !memcmp(text, words, strlen(words));
}

/* "0000:00:02.0: " */
static bool has_device(const char *text, size_t length)
{
	return length > 14 && text[4] == ':' && text[7] == ':' && text[10] == '.' &&
	       text[12] == ':' && isxdigit((unsigned char)text[0]);
}

/* "6,1234,20279445,-;" of /dev/kmsg */
static bool is_record(const char *at, const char *end)
{
	for (unsigned i = 0; i < 3; i++) {
		const char *digits = at;

		while (at < end && isdigit((unsigned char)*at))
			at++;
		if (at == digits || at == end || *at++ != ',')
			return false;
	}
	return memchr(at, ';', MIN((size_t)(end - at), (size_t)32));
}

/*
 * What a driver says, after whatever a log, a journal or a person puts in front of it: times of
 * any form, hosts, levels, callers.
 */
static bool is_message(const char *at, const char *end)
{
	static const char *const words[] = {
		"DMAR: ", "[drm] ", "[drm:", "drm/i915: ", "dmar_fault: ",
	};
	size_t length = (size_t)(end - at);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (begins_with(at, length, words[i]))
			return true;
	return (begins_with(at, length, "i915 ") && has_device(at + 5, length - 5)) ||
	       (begins_with(at, length, "xe ") && has_device(at + 3, length - 3));
}

bool kernel_log_line(const char *text, size_t length)
{
	const char *end = text + length, *front;

	while (text < end && is_blank(*text))
		text++;
	front = text + MIN(end - text, FRONT);
	/* A date in any language may stand in front, cut or not. */
	if (is_record(text, end) || memmem(text, (size_t)(front - text), " kernel: ", 9))
		return true;
	for (const char *at = text; at < front; at++) {
		if (*at == '[' && after_time(at, end))
			return true;
		if (at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
			continue;
		/* At the beginning of a line it may be that of an error state. */
		if (is_message(at, end) ||
		    (at > text && begins_with(at, (size_t)(end - at), "GPU HANG: ecode ")))
			return true;
	}
	return false;
}

/* It may hold dumps, whose readers are surer. */
static unsigned score(const uint8_t *data, size_t size)
{
	struct lines line = { .data = data, .size = MIN(size, (size_t)SCORE_BYTES) };
	size_t logged = 0, others = 0;

	if (!bytes_are_text(data, size))
		return 0;
	while (lines_next(&line)) {
		while (line.length && is_blank(*line.text)) {
			line.text++;
			line.length--;
		}
		if (!line.length)
			continue;
		if (kernel_log_line(line.text, line.length))
			logged++;
		else if (begins_with(line.text, line.length, "GPU HANG: ecode "))
			logged++;
		else
			others++;
	}
	return !logged ? 0 : logged >= others ? 25 : 20;
}

/* ---- which GPU ------------------------------------------------------------------------------ */

/* Words before a device id; `also` has to stand after it in the line. */
static const struct {
	const char *words, *also;
} id_words[] = {
	{ "(device ID ", NULL },	/* i915 and xe: "Found tigerlake/uy (device ID 9a49) ..." */
	{ "pciid: 0x", NULL },		/* i915 with debugging */
	{ "[8086:", "class 0x03" },	/* the PCI core: "pci 0000:00:02.0: [8086:1912] type ..." */
};

static bool is_id(const struct gsc_db *db, const char *text, size_t length, const char *also,
		  int *device)
{
	const char *end = memchr(text, '\n', MIN(length, (size_t)200));
	struct gsc_platform platform;
	size_t digits = 0;
	uint64_t id;

	length = end ? (size_t)(end - text) : MIN(length, (size_t)200);
	while (digits < length && digits < 5 && isxdigit((unsigned char)text[digits]))
		digits++;
	if (!number_parse_hex(text, digits, &id) || id > UINT16_MAX ||
	    (also && !memmem(text, length, also, strlen(also))) ||
	    !gsc_platform_by_id(db, (uint16_t)id, &platform, NULL))
		return false;
	*device = (int)id;
	return true;
}

/* The PCI id of the first GPU that the log names and the database knows, or -1. */
static int kernel_log_device(const struct gsc_db *db, const char *text, size_t size)
{
	int device = -1;

	for (size_t i = 0; i < ARRAY_SIZE(id_words) && db; i++) {
		const char *at = text, *end = text + size;

		while ((at = memmem(at, (size_t)(end - at), id_words[i].words,
				    strlen(id_words[i].words)))) {
			at += strlen(id_words[i].words);
			if (is_id(db, at, (size_t)(end - at), id_words[i].also, &device))
				return device;
		}
	}
	return device;
}

/*
 * Files of firmware that the driver loads, or tries to, on one platform only: it takes those of kbl
 * for cfl, too, those of icl for ehl, of adlp for adln and rplp, of mtl for arl, tgl's GuC for rkl.
 * Origin: i915 gt/uc/intel_uc_fw.c and display/intel_dmc.c; xe_uc_fw.c.
 */
static const struct {
	const char *file, *platform;
} firmware_files[] = {
	{ " i915/skl_", "skl" }, { " i915/bxt_", "bxt" }, { " i915/glk_", "glk" },
	{ " i915/tgl_dmc", "tgl" }, { " i915/rkl_dmc", "rkl" }, { " i915/dg1_", "dg1" },
	{ " i915/dg2_", "dg2" }, { " xe/lnl_", "lnl" }, { " xe/bmg_", "bmg" },
};

/* Other programs have lists of files: the drivers say "firmware i915/x", "firmware from xe/x". */
static bool is_firmware(const char *text, const char *at)
{
	static const char *const words[] = { "firmware", "firmware from", "firmware load for",
					     "Finished loading" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t length = strlen(words[i]);

		if ((size_t)(at - text) >= length && !memcmp(at - length, words[i], length))
			return true;
	}
	return false;
}

static bool by_firmware(const struct gsc_db *db, const char *text, size_t size,
			struct gsc_platform *platform)
{
	const char *end = text + size;
	int none;

	for (size_t i = 0; i < ARRAY_SIZE(firmware_files); i++) {
		const char *file = firmware_files[i].file, *at = text;

		while ((at = memmem(at, (size_t)(end - at), file, strlen(file)))) {
			if (is_firmware(text, at))
				return !gsc_platform_find(db, firmware_files[i].platform, platform,
							  &none, NULL);
			at += strlen(file);
		}
	}
	return false;
}

bool kernel_log_platform(const struct gsc_db *db, const char *text, size_t size,
			 struct gsc_platform *platform, int *device)
{
	*device = kernel_log_device(db, text, size);
	if (*device >= 0 && gsc_platform_by_id(db, (uint16_t)*device, platform, NULL))
		return true;
	return db && by_firmware(db, text, size, platform);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct gsc_platform platform;

	(void)err;
	if (kernel_log_platform(source->db, (const char *)part->blob.data, (size_t)part->blob.size,
				&platform, &part->pci_device))
		part->platform = (int)platform.index;
	return GSC_OK;
}

const struct reader reader_kernel_log = { "kernel log", GSC_SOURCE_LOG, score, load };
