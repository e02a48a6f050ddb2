/* SPDX-License-Identifier: MIT */
/*
 * A kernel's log as a source: it has no bytes of any space, but is kept for those who read its
 * messages (log/log.c), as the member GSC_MEMBER_LOG.
 */
#include "formats/readers.h"
#include "formats/dump.h"
#include "formats/kernel-log.h"

#include "db/firmware.h"
#include "text/front.h"
#include "text/lines.h"

#define FRONT 160			/* bytes of a line in which its prefix must end */
#define SCORE_BYTES (16 << 20)
#define HEAD (1 << 20)			/* bytes of a paste, or of the beginning of a log */

const struct clean_words kernel_log_words = {
	.drivers = "i915|xe",
	.begins = "DMAR:|[drm|drm/|Fence expiration |Asynchronous wait ",
	.whole = "HANG|ecode|Resetting|reset|context|heartbeat|hang|engine|Engine|memory|error|"
		 "ERROR|failed|Failed|firmware|request|Request|device|fault|reason|Timedout|guc_id|"
		 "class|logical_mask|flags|seqno|response|action|stopped|preemption|kernel|access|"
		 "rcs0|bcs0|vcs0|vcs1|vecs0|ccs0|drm|i915|render|ring",
	/* i915_gpu_error.c, error_print_context() and err_print_gt(); xe_devcoredump.c. */
	.names = "GPU HANG: ecode|Active process (on ring|Active context:|Process:",
};

static bool is_time(struct slice text)
{
	struct slice number;

	return take_seconds(&text, &number) && (*text.at == ']' || *text.at == '[');
}

bool kernel_log_front(struct slice text)
{
	if (text.at < text.end && *text.at == '[')
		return is_time(text);
	/* "0000:00:02.0: " */
	return (take_text(&text, "i915 ") || take_text(&text, "xe ")) && slice_length(text) > 14 &&
	       text.at[4] == ':' && text.at[7] == ':' && text.at[10] == '.' &&
	       text.at[12] == ':' && is_hex(text.at[0]);
}

bool kernel_log_line(struct slice line)
{
	static const char *const words[] = {
		"DMAR: ", "[drm] ", "[drm:", "drm/i915: ", "dmar_fault: ",
	};
	struct slice front, at;
	unsigned level;
	uint64_t time;

	take_blanks(&line);
	front = at = slice_first(line, FRONT);
	/* A date in any language may precede it, truncated or not. */
	if ((take_record(&at, &level, &time) && slice_char(slice_first(at, 32), ';')) ||
	    slice_find(front, " kernel: "))
		return true;
	for (at = line; at.at < front.end; at.at++) {
		if (*at.at == '[' && is_time(at))
			return true;
		if (at.at > line.at && is_word(at.at[-1]))
			continue;
		/*
		 * A driver's message, after whatever a log, a journal or a person puts in front of
		 * it: times of any form, hosts, levels, callers.
		 */
		if (slice_begins_any(at, words, ARRAY_SIZE(words)) ||
		    (*at.at != '[' && kernel_log_front(at)))
			return true;
		/* At the beginning of a line it may belong to an error state. */
		if (at.at > line.at && slice_begins(at, "GPU HANG: ecode "))
			return true;
	}
	return false;
}

/* It may contain dumps, whose readers are more certain. */
static unsigned score(const uint8_t *data, size_t size)
{
	struct lines line = { .data = data, .size = MIN(size, (size_t)SCORE_BYTES) };
	size_t logged = 0, others = 0;

	if (!bytes_are_text(data, size))
		return 0;
	while (lines_next(&line)) {
		take_blanks(&line.text);
		if (line.text.at == line.text.end)
			continue;
		if (kernel_log_line(line.text) || slice_begins(line.text, "GPU HANG: ecode "))
			logged++;
		else
			others++;
	}
	return !logged ? 0 : logged >= others ? 25 : 20;
}

/* ---- which GPU ------------------------------------------------------------------------------ */

/*
 * Words before a device id; `also` is in the same line. The driver's come first: they are about the
 * GPU that it drives, while the others list all GPUs of the machine.
 */
static const struct {
	const char *words, *also;
	bool head;			/* other programs' lists: near the beginning only */
} id_words[] = {
	{ "(device ID ", NULL, false },	/* i915 and xe: "Found tigerlake/uy (device ID 9a49) ..." */
	{ "graphics device ", "is not officially supported", false },	/* xe and i915 */
	{ "unsupported Device ID ", NULL, false },	/* i915 and xe: "Force probing ..." */
	{ "pciid: 0x", NULL, false },	/* i915 with debugging */
	{ "[8086:", "class 0x03", false },	/* the PCI core: "[8086:1912] type 00 class 0x03" */
	{ "[8086:", "[03", true },	/* lspci -nn */
	{ " 0300: 8086:", NULL, true },	/* lspci -n */
	{ " 0380: 8086:", NULL, true },
	{ " device=0x", NULL, true },	/* FreeBSD's pciconf -l */
	{ " chip=0x", NULL, true },	/* ... before FreeBSD 12: "chip=0x9bca8086" */
	{ ") 8086:", "PCI:", true },	/* X: "PCI:*(0@0:2:0) 8086:9bca:1043:8694" */
	{ "chip-ID: 8086:", NULL, true },	/* inxi */
	{ ") (0x", "Intel(R)", true },	/* Mesa: "Mesa Intel(R) UHD Graphics (CML GT2) (0x9bca)" */
};

#define FUNCTION "%%%%:%%:%%.9"		/* the form of a PCI function */

/* "0000:03:00.0" in a line; NULL: it has none. */
static const char *function_of(struct slice line)
{
	while (line.at < line.end && !slice_has_form(line, FUNCTION))
		line.at++;
	return line.at < line.end ? line.at : NULL;
}

/* Of several GPUs, the first that hangs counts, or else the first with an error. NULL: none. */
static const char *troubled(struct slice log)
{
	static const char *const words[] = { "GPU HANG: ecode ", "Timedout job: ", "*ERROR* " };
	const char *found, *at, *from;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct slice rest = log;

		while ((at = slice_find(rest, words[i]))) {
			from = memrchr(rest.at, '\n', (size_t)(at - rest.at)) ?: rest.at;
			found = function_of((struct slice){ from, at });
			if (found && (slice_ends((struct slice){ from, found }, "i915 ") ||
				      slice_ends((struct slice){ from, found }, "xe ")))
				return found;
			rest.at = at + 1;
		}
	}
	return NULL;
}

/* Whether a line is about another GPU. */
static bool is_other(struct slice line, const char *gpu)
{
	const char *function = function_of(line);

	return gpu && function && memcmp(function, gpu, strlen("0000:00:02.0"));
}

/* `at`: the number, in a line of the log; `gpu`: whose, unless that is NULL. */
static bool is_id(const struct gsc_db *db, struct slice log, const char *at, const char *also,
		  const char *gpu, int *device)
{
	struct slice rest = slice_first((struct slice){ at, log.end }, 200), line;
	struct gsc_platform platform;
	unsigned digits;
	uint64_t id;

	line.at = at - MIN(at - log.at, 200);
	line.at = memrchr(line.at, '\n', (size_t)(at - line.at)) ?: line.at;
	line.end = slice_char(rest, '\n') ?: rest.end;
	digits = take_digits(&rest, 9, &id);
	if (digits == 8 && (id & 0xffff) == 0x8086)
		id >>= 16;
	else if (digits > 4)
		return false;
	if (!digits || (also && !slice_find(line, also)) || is_other(line, gpu) ||
	    !gsc_platform_by_id(db, (uint16_t)id, &platform, NULL))
		return false;
	*device = (int)id;
	return true;
}

#define PATH_LONGEST 128

/* Other programs also list files: the drivers write "firmware i915/x", "firmware from xe/x". */
bool kernel_log_firmware(struct slice log, struct slice *rest, struct slice *path)
{
	static const char *const words[] = { "firmware ", "firmware from ", "firmware load for ",
					     "Finished loading ", "was found in ", "but only " };

	while ((path->at = slice_find(*rest, ".bin"))) {
		rest->at = path->end = path->at + strlen(".bin");
		while (path->at > log.at && path->end - path->at < PATH_LONGEST &&
		       (is_word(path->at[-1]) || path->at[-1] == '/' || path->at[-1] == '.'))
			path->at--;
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (slice_ends((struct slice){ log.at, path->at }, words[i]))
				return true;
	}
	return false;
}

bool kernel_log_platform(const struct gsc_db *db, struct slice log, struct gsc_platform *platform,
			 int *device)
{
	const char *found, *gpu;
	struct slice rest, front, path;
	uint64_t platforms;

	*device = -1;
	gpu = db ? troubled(log) : NULL;
	/* By the first of the words that have a PCI id that the database knows. */
	for (size_t i = 0; i < ARRAY_SIZE(id_words) && db; i++) {
		rest = id_words[i].head ? slice_first(log, HEAD) : log;
		while ((found = slice_find(rest, id_words[i].words))) {
			/* "vendor=0x10de device=0x1912" is of another maker. */
			front = (struct slice){ found - MIN(found - log.at, 13), found };
			rest.at = found + strlen(id_words[i].words);
			if ((!take_text(&front, "vendor=0x") || slice_is(front, "8086")) &&
			    is_id(db, log, rest.at, id_words[i].also, gpu, device))
				return gsc_platform_by_id(db, (uint16_t)*device, platform, NULL);
		}
	}
	/* By the first file that is for one platform only. */
	rest = log;
	while (db && kernel_log_firmware(log, &rest, &path)) {
		front.at = path.at - MIN(path.at - log.at, 200);
		front.at = memrchr(front.at, '\n', (size_t)(path.at - front.at)) ?: front.at;
		if (is_other((struct slice){ front.at, path.at }, gpu))
			continue;
		platforms = slice_begins(path, "i915/") || slice_begins(path, "xe/") ?
			firmware_platforms(db, path) : 0;
		if (platforms && !(platforms & (platforms - 1)))
			return gsc_platform_at(db, (unsigned)__builtin_ctzll(platforms), platform);
	}
	return false;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct gsc_platform platform;

	(void)err;
	if (kernel_log_platform(source->db,
				slice_of((const char *)part->blob.data, (size_t)part->blob.size),
				&platform, &part->pci_device))
		part->platform = (int)platform.index;
	return GSC_OK;
}

const struct reader reader_kernel_log = { "kernel log", GSC_SOURCE_LOG, score, load };
