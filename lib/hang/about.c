/* SPDX-License-Identifier: MIT */
/*
 * What the driver says about a hang in the dump, and about itself: the properties that matter to
 * whoever looks for the reason, and those that match a log. Keys as i915_gpu_error.c and
 * xe_devcoredump.c print them, from Linux 2.6.3x on.
 */
#include "db/view.h"
#include "hang/hang.h"
#include "log/log.h"
#include "util/text.h"
#include "log/ecode.h"

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

static bool say_collected(char *text, size_t size, const char *key, const char *value)
{
	(void)key;
	snprintf(text, size, "of the whole dump, before it was redacted: %s", value);
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
static bool take_seconds(const char *value, char *text, size_t size)
{
	size_t whole = strspn(value, "0123456789"), rest = 0;
	unsigned long long seconds, part;

	if (sscanf(value, "%llu s %6llu us", &seconds, &part) == 2) {
		snprintf(text, size, "%llu.%06llu", seconds, part);
		return true;
	}
	if (!whole || whole > 19 || value[whole] != '.')
		return false;
	rest = strspn(value + whole + 1, "0123456789");
	snprintf(text, size, "%.*s", (int)(whole + 1 + MIN(rest, (size_t)6)), value);
	return true;
}

/* Lines of the log also count from the boot, but not while the machine sleeps. */
static bool say_boot(char *text, size_t size, const char *key, const char *value)
{
	char seconds[40];

	if (!take_seconds(value, seconds, sizeof(seconds)))
		return say_value(text, size, key, value);
	snprintf(text, size,
		 "%s s after boot: look for this time in the kernel log (an earlier one, if the "
		 "machine was suspended before)", seconds);
	return true;
}

static bool say_uptime(char *text, size_t size, const char *key, const char *value)
{
	char seconds[40];

	if (!take_seconds(value, seconds, sizeof(seconds)))
		return say_value(text, size, key, value);
	snprintf(text, size, "%s s after the driver started", seconds);
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

/*
 * "Process", "Active process (on ring vcs0)": "mpv [2658]"; "[0], context bans 0": the driver had
 * no name for it.
 */
static bool say_process(char *text, size_t size, const char *key, const char *value)
{
	const char *ring = strstr(key, "on ring "), *end = ring ? strchr(ring, ')') : NULL;
	bool named = *value && *value != '[';
	const char *front = named ? "" : "without a name in the dump";

	snprintf(text, size, "%s%s%.400s", front, !named && *value ? ": " : "", value);
	if (ring && end)
		string_addf(text, size, ", on %.*s", (int)MIN(end - ring - 8, 40), ring + 8);
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

/* "DMC fw version"; without firmware it is 0.0 */
static bool say_dmc(char *text, size_t size, const char *key, const char *value)
{
	snprintf(text, size, "%.3s version: %.200s", key, value);
	return *value && strcmp(value, "0.0");
}

/* "GuC firmware: xe/lnl_guc_70.bin" */
static bool say_file(char *text, size_t size, const char *key, const char *value)
{
	const char *dot = strrchr(key, '.');

	snprintf(text, size, "%s: %.200s", dot ? dot + 1 : key, value);
	return *value;
}

/* "70.36.0 (wanted 70.29.2)": xe_guc_log.c, xe_guc_log_snapshot_print() */
static bool say_guc(char *text, size_t size, const char *key, const char *value)
{
	(void)key;
	snprintf(text, size, "GuC version: %s", value);
	return *value;
}

/* "GuC firmware wanted: i915/tgl_guc_70.1.1.bin.version": the heading is the first part. */
static bool say_firmware(char *text, size_t size, const char *key, const char *value)
{
	snprintf(text, size, "%.3s %s: %.200s", key, strrchr(key, '.') + 1, value);
	return *value;
}

/* "i915.enable_guc=3"; -1 means that the driver chooses. */
static bool say_option(char *text, size_t size, const char *key, const char *value)
{
	snprintf(text, size, "%s=%s", key + strlen("i915."), value);
	return strcmp(value, "-1") != 0;
}

/* What is normal is not shown: "GT awake: yes". */
static bool say_unusual(char *text, size_t size, const char *key, const char *value)
{
	const char *usual = strstr(key, "suspended") ? "no" : "yes";

	snprintf(text, size, "%s: %s", key, value);
	return strcmp(value, usual) != 0;
}

/* EXEC_QUEUE_STATE_... of xe_guc_submit.c, those that mean that work was cut off. */
static bool say_queue(char *text, size_t size, const char *key, const char *value)
{
	static const struct {
		unsigned bit;
		const char *word;
	} states[] = { { 6, "reset" }, { 7, "killed" }, { 8, "wedged" }, { 9, "banned" } };
	uint64_t state = strtoull(value, NULL, 16);
	struct text words = { text, size, 0 };

	(void)key;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (state >> states[i].bit & 1)
			text_join(&words, ", ", states[i].word);
	return words.used;
}

/* The bits of `value` that have a word, after what `text` holds. */
static void add_bits(char *text, size_t size, uint64_t value, const char *const *words,
		     size_t count)
{
	const char *join = ": ";

	for (size_t i = 0; i < count; i++) {
		if (!(value >> i & 1) || !words[i])
			continue;
		string_addf(text, size, "%s%s", join, words[i]);
		join = ", ";
	}
}

/* "CTB is dead - 0x8002": bits CT_DEAD_... of xe_guc_ct.c, the first two being no errors. */
static bool say_reason(char *text, size_t size, const char *key, const char *value)
{
	static const char *const words[] = {
		NULL, NULL, "it could not be set up", "a request to the GuC could not be written",
		"its head is beyond the buffer of requests",
		"a message of the GuC could not be read",
		"a message of the GuC could not be taken from the buffer",
		"more room for answers was released than reserved",
		"the GuC read no requests for too long",
		"a message of the GuC could not be processed",
		"an urgent message of the GuC could not be processed",
		"the GuC refused a request that must not fail, or answered one that has no answer",
		"an answer of the GuC belongs to no request",
		"a message that is not from the GuC", "a message of unknown type",
		"the GuC crashed",
	};
	static const char dead[] = "CTB is dead - 0x";

	(void)key;
	snprintf(text, size, "%s", value);
	if (!strncmp(value, dead, strlen(dead)))
		add_bits(text, size, strtoull(value + strlen(dead), NULL, 16), words,
			 ARRAY_SIZE(words));
	return *value;
}

/* GUC_CTB_STATUS_... of guc_communication_ctb_abi.h. */
static const char *const ctb_states[] = { "head or tail too large", "a message is truncated",
					  "head or tail was modified", "disabled" };

/* "guc-ct.H2G.broken": a buffer of messages, and what is said of it. */
static bool say_buffer(char *text, size_t size, const char *key, const char *value)
{
	uint64_t number = strtoull(value, NULL, 0);
	const char *what = strrchr(key, '.') + 1;

	snprintf(text, size, "%s: ", strstr(key, ".H2G.") ? "requests to the GuC (H2G)"
							   : "messages of the GuC (G2H)");
	if (!strcmp(what, "broken")) {
		string_addf(text, size, "broken: xe no longer uses this buffer");
	} else if (!strcmp(what, "unread")) {
		string_addf(text, size, "%llu dwords are in the buffer that %s has not read",
			    (unsigned long long)number, strstr(key, ".H2G.") ? "the GuC" : "xe");
	} else {
		string_addf(text, size, "status 0x%llx", (unsigned long long)number);
		add_bits(text, size, number, ctb_states, ARRAY_SIZE(ctb_states));
	}
	return number;
}

/* "raw: 0x00000000, 0x00000181/00000181, cached: ...": status, head and tail in memory. */
static bool say_i915_buffer(char *text, size_t size, const char *key, const char *value)
{
	unsigned status, head, tail;

	if (sscanf(value, "raw: 0x%8x, 0x%8x/%8x", &status, &head, &tail) != 3)
		return false;
	snprintf(text, size, "%s: status 0x%x", strstr(key, "Send") ? "requests to the GuC (Send)"
		 : "messages of the GuC (Recv)", status);
	add_bits(text, size, status, ctb_states, ARRAY_SIZE(ctb_states));
	if (head != tail)
		string_addf(text, size, "; not all are read: head 0x%x, tail 0x%x", head, tail);
	return status || head != tail;
}

static bool say_outstanding(char *text, size_t size, const char *key, const char *value)
{
	(void)key;
	snprintf(text, size, "%s answer%s of the GuC %s outstanding", value,
		 strcmp(value, "1") ? "s" : "", strcmp(value, "1") ? "are" : "is");
	return strtoull(value, NULL, 0);
}

static bool say_if_not_zero(char *text, size_t size, const char *key, const char *value)
{
	return strtoull(value, NULL, 0) && say_value(text, size, key, value);
}

/* "is_mobile: yes", "EU total: 24", "gt0.Type: main"; only flags that are set. */
static bool say_gpu(char *text, size_t size, const char *key, const char *value)
{
	const char *dot = strrchr(key, '.');

	snprintf(text, size, "%s: %s", dot ? dot + 1 : key, value);
	return *value && strcmp(value, "no");
}

/* ---- which are ------------------------------------------------------------------------------ */

static const char gpu[] = "gpu";		/* the name of details */

enum match { WHOLE, BEGINS, FIRMWARE };

enum turn { ONCE, EACH, LISTED };

/* If rows have one name, only the first with a value is shown, except for LISTED ones. */
static const struct {
	const char *key;
	enum match match;
	const char *name;		/* ours */
	say_fn *say;
	enum turn turn;
	enum gsc_source_form form;	/* whose key it is, where others mean something else */
} rows[] = {
	{ "GPU HANG", WHOLE, "hang", say_value },
	{ "collected.verdict", WHOLE, "verdict", say_collected },
	{ "Reason", WHOLE, "reason", say_reason },
	{ "Process", WHOLE, "process", say_process },
	{ "Active process (on ring ", BEGINS, "process", say_process, .turn = EACH },
	{ "GPU HANG", WHOLE, "process", say_hung_process },
	{ "Time", WHOLE, "time", say_date },
	{ "Snapshot time", WHOLE, "time", say_date },
	{ "Boottime", WHOLE, "boot", say_boot },
	{ "Uptime", WHOLE, "boot", say_boot, .form = GSC_SOURCE_DEVCOREDUMP },
	{ "Uptime", WHOLE, "uptime", say_uptime, .form = GSC_SOURCE_ERROR_STATE },
	{ "Capture", WHOLE, "capture", say_capture },
	{ "Kernel", WHOLE, "kernel", say_value },
	{ "kernel", WHOLE, "kernel", say_value },
	{ "crashed", WHOLE, "crashed", say_value },
	{ "Reset count", WHOLE, "resets", say_value },
	{ "Suspend count", WHOLE, "suspend", say_if_not_zero },
	{ "Missed interrupts", WHOLE, "missed", say_if_not_zero },
	{ "RPM wakelock", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "GT awake", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "PM suspended", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "IOMMU enabled?", WHOLE, "iommu", say_if_not_zero },
	{ "DMC fw version", WHOLE, "fw", say_dmc, .turn = LISTED },
	{ "guc-log.GuC firmware", WHOLE, "fw", say_file, .turn = LISTED },
	{ "GuC firmware", WHOLE, "fw", say_file, .turn = LISTED },
	{ "HuC firmware", WHOLE, "fw", say_file, .turn = LISTED },
	{ "guc-log.GuC version", WHOLE, "fw", say_guc, .turn = LISTED },
	{ "version", FIRMWARE, "fw", say_firmware, .turn = LISTED },
	{ "status", FIRMWARE, "fw", say_firmware, .turn = LISTED },
	{ "guc-ct.H2G.broken", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.H2G.status (memory)", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.H2G.unread", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.broken", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.status (memory)", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.unread", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.g2h outstanding", WHOLE, "guc", say_outstanding, .turn = LISTED },
	{ "messages", WHOLE, "guc", say_value, .turn = LISTED },
	{ "memory", WHOLE, "memory", say_value, .form = GSC_SOURCE_DEVCOREDUMP },
	{ "GuC Send CTB", WHOLE, "guc", say_i915_buffer, .turn = LISTED },
	{ "GuC Recv CTB", WHOLE, "guc", say_i915_buffer, .turn = LISTED },
	{ "context.Schedule State", WHOLE, "queue", say_queue },
	{ "i915.enable_guc", WHOLE, "option", say_option, .turn = LISTED },
	{ "i915.enable_ppgtt", WHOLE, "option", say_option, .turn = LISTED },
	{ "i915.enable_execlists", WHOLE, "option", say_option, .turn = LISTED },
	{ "i915.semaphores", WHOLE, "option", say_option, .turn = LISTED },
	{ "i915.enable_rc6", WHOLE, "option", say_option, .turn = LISTED },
	{ "i915.reset", WHOLE, "option", say_option, .turn = LISTED },
	{ "cut", WHOLE, "cut", say_value },
	{ "identified", WHOLE, "platform", say_value },
	/* intel_device_info.c, intel_device_info_print(); gt/intel_sseu.c, intel_sseu_dump(). */
	{ "Platform", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "Subplatform", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "graphics version", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "media version", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "display version", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "gen", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "gt", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "memory-regions", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "page-sizes", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "ppgtt-size", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "ppgtt-type", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "dma_mask_size", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "available engines", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "slice total", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "subslice total", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "EU total", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "EU per subslice", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "is_", BEGINS, gpu, say_gpu, .turn = LISTED },
	{ "has_", BEGINS, gpu, say_gpu, .turn = LISTED },
	{ "require_", BEGINS, gpu, say_gpu, .turn = LISTED },
	/* xe_devcoredump.c, xe_devcoredump_snapshot's printer */
	{ "GT id", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "Tile", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "Type", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "IP ver", WHOLE, gpu, say_gpu, .turn = LISTED },
	{ "CS reference clock", WHOLE, gpu, say_gpu, .turn = LISTED },
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

	if (rows[row].form && !gsc_source_has(hang->gpu->source, rows[row].form))
		return false;
	if (rows[row].match == FIRMWARE)
		return is_firmware(key, rows[row].key);
	return !name_compare_n(key, rows[row].key, length) &&
	       (rows[row].match == BEGINS || !key[length]);
}

#define SAID_MAX 64			/* by one row */

/* Replaces its row; the first value of a row stays. */
static bool add(struct gsc_hang *hang, size_t row, const char *text)
{
	struct hang_about *added = vec_add(&hang->about);

	if (!added)
		return false;
	for (; added > hang->about.items && added[-1].row > row; added--)
		added[0] = added[-1];
	*added = (struct hang_about){ .row = row, .a = { .name = rows[row].name } };
	added->a.detail = rows[row].name == gpu;
	snprintf(added->a.text, sizeof(added->a.text), "%s", text);
	return true;
}

/* An earlier row with the same name has shown it already. */
static bool is_repeated(const struct gsc_hang *hang, size_t i)
{
	const struct hang_about *items = hang->about.items;

	for (size_t n = 0; n < i && rows[items[i].row].turn != LISTED; n++)
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

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++) {
		/* The source's own "platform" is no detail from a driver. */
		bool of_capture = gsc_source_form(hang->gpu->source, part) == GSC_SOURCE_CAPTURE;

		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &p); i++) {
			for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
				if (said[row] >= (rows[row].turn == ONCE ? 1 : SAID_MAX) ||
				    !matches(hang, p.key, row) ||
				    (of_capture && rows[row].name == gpu) ||
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

/* If no engine has IPEHR, the code of the hang is all that is known about the command. */
static bool say_code(const struct gsc_hang *hang, struct gsc_about *about)
{
	struct gsc_ecode ecode;
	size_t next;

	for (size_t i = 0; i < hang->engines.count; i++)
		if (hang->engines.items[i].e.known & GSC_KNOWN_IPEHR)
			return false;
	if (!hang_property(hang, "GPU HANG", about->text, sizeof(about->text)) ||
	    !gsc_ecode_read(hang->gpu->view->db, hang->gpu->view, about->text, strlen(about->text),
			    &ecode, &next))
		return false;
	about->name = "code";
	gsc_ecode_text(hang->gpu->view->db, &ecode, about->text, sizeof(about->text));
	return true;
}

bool gsc_hang_about(const struct gsc_hang *hang, size_t i, struct gsc_about *about)
{
	if (i >= hang->about.count)
		return i == hang->about.count && say_code(hang, about);
	*about = hang->about.items[i].a;
	return true;
}
