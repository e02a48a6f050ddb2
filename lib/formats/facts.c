/* SPDX-License-Identifier: MIT */
/*
 * Statements of a driver's dump about the hang, the driver and each engine, and of a capture. Those
 * that matter to whoever looks for the reason, and those that match a log, are listed with their
 * meaning. Keys as i915_gpu_error.c and xe_devcoredump.c print them, from Linux 2.6.3x on.
 */
#include "formats/facts.h"

#include "formats/capture.h"
#include "formats/dump.h"
#include "formats/readers.h"

#include <ctype.h>

typedef bool say_fn(struct text *s, const struct gsc_property *p);

/* ---- how it is said ------------------------------------------------------------------------- */

static bool say_value(struct text *s, const struct gsc_property *p)
{
	text_add(s, "%s", p->value);
	return *p->value;
}

/* "1676494673 s 616282 us", "1730000000.123": seconds since 1970. */
static bool say_date(struct text *s, const struct gsc_property *p)
{
	time_t seconds = (time_t)strtoull(p->value, NULL, 10);
	char date[40];
	struct tm tm;

	if (seconds <= 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &tm))
		return say_value(s, p);
	text_put(s, date);
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
static bool say_boot(struct text *s, const struct gsc_property *p)
{
	char seconds[40];

	if (!take_seconds(p->value, seconds, sizeof(seconds)))
		return say_value(s, p);
	text_add(s, "%s s after boot: look for this time in the kernel log (an earlier one, if "
		 "the machine was suspended before)", seconds);
	return true;
}

static bool say_uptime(struct text *s, const struct gsc_property *p)
{
	char seconds[40];

	if (!take_seconds(p->value, seconds, sizeof(seconds)))
		return say_value(s, p);
	text_add(s, "%s s after the driver started", seconds);
	return true;
}

/* "4294943744 jiffies; 173135 ms ago" */
static bool say_capture(struct text *s, const struct gsc_property *p)
{
	const char *ago = strstr(p->value, "; ");
	unsigned long long ms;

	if (!ago || sscanf(ago, "; %llu ms ago", &ms) != 1)
		return say_value(s, p);
	text_add(s, "read %llu.%03llu s after it was taken", ms / 1000, ms % 1000);
	return true;
}

/*
 * "Process", "Active process (on ring vcs0)": "mpv [2658]"; "[0], context bans 0": the driver had
 * no name for it.
 */
static bool say_process(struct text *s, const struct gsc_property *p)
{
	const char *ring = strstr(p->key, "on ring "), *end = ring ? strchr(ring, ')') : NULL;
	bool named = *p->value && *p->value != '[';
	const char *front = named ? "" : "without a name in the dump";

	text_add(s, "%s%s%.400s", front, !named && *p->value ? ": " : "", p->value);
	if (ring && end)
		text_add(s, ", on %.*s", (int)MIN(end - ring - 8, 40), ring + 8);
	return true;
}

/* "ecode 9:1:8fdcfffd, in name [30804], reason: ..." */
static bool say_hung_process(struct text *s, const struct gsc_property *p)
{
	const char *in = strstr(p->value, ", in "), *close = in ? strchr(in, ']') : NULL;

	if (!close || !memchr(in, '[', (size_t)(close - in)))
		return false;
	text_add(s, "%.*s", (int)(close + 1 - in) - 5, in + 5);
	return true;
}

/* "DMC fw version"; without firmware it is 0.0 */
static bool say_dmc(struct text *s, const struct gsc_property *p)
{
	text_add(s, "%.3s version: %.200s", p->key, p->value);
	return *p->value && strcmp(p->value, "0.0");
}

/* "GuC firmware wanted: i915/tgl_guc_70.1.1.bin.version": the heading is the first part. */
static bool say_firmware(struct text *s, const struct gsc_property *p)
{
	text_add(s, "%.3s %s: %.200s", p->key, strrchr(p->key, '.') + 1, p->value);
	return *p->value;
}

/* "i915.enable_guc=3"; -1 means that the driver chooses. */
static bool say_option(struct text *s, const struct gsc_property *p)
{
	text_add(s, "%s=%s", p->key + strlen("i915."), p->value);
	return strcmp(p->value, "-1") != 0;
}

/* What is normal is not shown: "GT awake: yes". */
static bool say_unusual(struct text *s, const struct gsc_property *p)
{
	const char *usual = strstr(p->key, "suspended") ? "no" : "yes";

	text_add(s, "%s: %s", p->key, p->value);
	return strcmp(p->value, usual) != 0;
}

/* EXEC_QUEUE_STATE_... of xe_guc_submit.c, those that mean that work was cut off. */
static bool say_queue(struct text *s, const struct gsc_property *p)
{
	static const struct {
		unsigned bit;
		const char *word;
	} states[] = { { 6, "reset" }, { 7, "killed" }, { 8, "wedged" }, { 9, "banned" } };
	uint64_t state = strtoull(p->value, NULL, 16);

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (state >> states[i].bit & 1)
			text_join(s, ", ", states[i].word);
	return s->used;
}

/* "CTB is dead - 0x8002": bits CT_DEAD_... of xe_guc_ct.c, the first two being no errors. */
static bool say_reason(struct text *s, const struct gsc_property *p)
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

	text_add(s, "%s", p->value);
	if (!strncmp(p->value, dead, strlen(dead)))
		text_put_bits(s, ": ", strtoull(p->value + strlen(dead), NULL, 16), words,
			      ARRAY_SIZE(words));
	return *p->value;
}

/* GUC_CTB_STATUS_... of guc_communication_ctb_abi.h. */
static const char *const ctb_states[] = { "head or tail too large", "a message is truncated",
					  "head or tail was modified", "disabled" };

/* "guc-ct.H2G.broken": a buffer of messages, and what is said of it. */
static bool say_buffer(struct text *s, const struct gsc_property *p)
{
	uint64_t number = strtoull(p->value, NULL, 0);
	const char *what = strrchr(p->key, '.') + 1;

	text_add(s, "%s: ", strstr(p->key, ".H2G.") ? "requests to the GuC (H2G)"
							   : "messages of the GuC (G2H)");
	if (!strcmp(what, "broken")) {
		text_add(s, "broken: xe no longer uses this buffer");
	} else if (!strcmp(what, "unread")) {
		text_add(s, "%llu dwords are in the buffer that %s has not read",
			    LL(number), strstr(p->key, ".H2G.") ? "the GuC" : "xe");
	} else {
		text_add(s, "status 0x%llx", LL(number));
		text_put_bits(s, ": ", number, ctb_states, ARRAY_SIZE(ctb_states));
	}
	return number;
}

/* "raw: 0x00000000, 0x00000181/00000181, cached: ...": status, head and tail in memory. */
static bool say_i915_buffer(struct text *s, const struct gsc_property *p)
{
	unsigned status, head, tail;

	if (sscanf(p->value, "raw: 0x%8x, 0x%8x/%8x", &status, &head, &tail) != 3)
		return false;
	text_add(s, "%s: status 0x%x", strstr(p->key, "Send") ? "requests to the GuC (Send)"
		 : "messages of the GuC (Recv)", status);
	text_put_bits(s, ": ", status, ctb_states, ARRAY_SIZE(ctb_states));
	if (head != tail)
		text_add(s, "; not all are read: head 0x%x, tail 0x%x", head, tail);
	return status || head != tail;
}

static bool say_outstanding(struct text *s, const struct gsc_property *p)
{
	text_add(s, "%s answer%s of the GuC %s outstanding", p->value,
		 strcmp(p->value, "1") ? "s" : "", strcmp(p->value, "1") ? "are" : "is");
	return strtoull(p->value, NULL, 0);
}

static bool say_if_not_zero(struct text *s, const struct gsc_property *p)
{
	return strtoull(p->value, NULL, 0) && say_value(s, p);
}

/* ---- which are ------------------------------------------------------------------------------ */

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
	const char *front;		/* of what is said, or NULL */
} rows[] = {
	{ "GPU HANG", WHOLE, "hang", say_value },
	{ "collected.verdict", WHOLE, "verdict", say_value,
	  .front = "of the whole dump, before it was redacted: " },
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
	{ "wedged", WHOLE, "wedged", say_value },
	{ "Suspend count", WHOLE, "suspend", say_if_not_zero },
	{ "Missed interrupts", WHOLE, "missed", say_if_not_zero },
	{ "RPM wakelock", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "GT awake", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "PM suspended", WHOLE, "power", say_unusual, .turn = LISTED },
	{ "IOMMU enabled?", WHOLE, "iommu", say_if_not_zero },
	{ "DMC fw version", WHOLE, "fw", say_dmc, .turn = LISTED },
	{ "guc-log.GuC firmware", WHOLE, "fw", say_value, LISTED, .front = "GuC firmware: " },
	{ "GuC firmware", WHOLE, "fw", say_value, LISTED, .front = "GuC firmware: " },
	{ "HuC firmware", WHOLE, "fw", say_value, LISTED, .front = "HuC firmware: " },
	/* "70.36.0 (wanted 70.29.2)": xe_guc_log.c, xe_guc_log_snapshot_print() */
	{ "guc-log.GuC version", WHOLE, "fw", say_value, LISTED, .front = "GuC version: " },
	{ "version", FIRMWARE, "fw", say_firmware, .turn = LISTED },
	{ "status", FIRMWARE, "fw", say_firmware, .turn = LISTED },
	{ "captured", WHOLE, "guc", say_value, LISTED, .front = "registers of " },
	{ "guc-ct.H2G.broken", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.H2G.status (memory)", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.H2G.unread", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.broken", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.status (memory)", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.G2H.unread", WHOLE, "guc", say_buffer, .turn = LISTED },
	{ "guc-ct.g2h outstanding", WHOLE, "guc", say_outstanding, .turn = LISTED },
	{ "messages", WHOLE, "guc", say_value, .turn = LISTED },
	{ "memory", WHOLE, "memory", say_value, .form = GSC_SOURCE_DEVCOREDUMP },
	{ "memory", WHOLE, "memory", say_value, .form = GSC_SOURCE_MEMORY },
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
};

/* Details of the GPU: all of intel_device_info_print(), intel_sseu_dump() and xe's snapshot. */
static const char *const gpu_keys[] = {
	"Platform", "Subplatform", "graphics version", "media version", "display version", "gen",
	"gt", "memory-regions", "page-sizes", "ppgtt-size", "ppgtt-type", "dma_mask_size",
	"available engines", "slice total", "subslice total", "EU total", "EU per subslice",
	"is_*", "has_*", "require_*",
	"GT id", "Tile", "Type", "IP ver", "CS reference clock",
};

static bool matches(const struct gsc_source *source, const char *key, size_t row)
{
	const char *dot = strrchr(key, '.');
	size_t length;

	/* The block of a firmware and a key of it: "GuC firmware: i915/x.bin.status". */
	if (rows[row].match == FIRMWARE)
		return dot && !strcmp(dot + 1, rows[row].key) && strstr(key, "uC firmware");
	if ((*key | 32) != (*rows[row].key | 32))
		return false;
	length = strlen(rows[row].key);
	return !name_compare_n(key, rows[row].key, length) &&
	       (rows[row].match == BEGINS || !key[length]) &&
	       (!rows[row].form || gsc_source_has(source, rows[row].form));
}

#define SAID_MAX 64			/* by one row */

/* A new one goes to the place of its row. */
static bool list_fact(struct driver_facts *facts, size_t row, const char *name, const char *text)
{
	struct driver_fact *added = vec_add(&facts->about);

	if (!added)
		return false;
	for (; added > facts->about.items && added[-1].row > row; added--)
		added[0] = added[-1];
	*added = (struct driver_fact){ .row = row, .a = { .name = name } };
	added->a.detail = row >= ARRAY_SIZE(rows);
	snprintf(added->a.text, sizeof(added->a.text), "%s", text);
	return true;
}

static bool take_fact(struct driver_facts *facts, const struct gsc_source *source,
		      const struct gsc_property *p, bool of_capture, size_t said[])
{
	char text[sizeof(((struct gsc_about *)NULL)->text)];

	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		struct text said_so = text_of(text);

		if (!matches(source, p->key, row) ||
		    said[row] >= (rows[row].turn == ONCE ? 1 : SAID_MAX))
			continue;
		text_put(&said_so, rows[row].front ? rows[row].front : "");
		if (!rows[row].say(&said_so, p))
			continue;
		said[row]++;
		if (!list_fact(facts, row, rows[row].name, text))
			return false;
	}
	/* Only flags that are set. The source's own "platform" is no detail from a driver. */
	for (size_t i = 0; i < ARRAY_SIZE(gpu_keys) && !of_capture; i++) {
		size_t *count = &said[ARRAY_SIZE(rows) + i];

		if ((*p->key | 32) != (*gpu_keys[i] | 32) || *count >= SAID_MAX ||
		    !glob_match(gpu_keys[i], p->key) || !*p->value || !strcmp(p->value, "no"))
			continue;
		++*count;
		*text = 0;
		string_add(text, "%s: %s", p->key, p->value);
		if (!list_fact(facts, ARRAY_SIZE(rows) + i, "gpu", text))
			return false;
	}
	return true;
}

/* ---- engines -------------------------------------------------------------------------------- */

const struct driver_engine *driver_engine(const struct driver_facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->engines.count; i++)
		if (!strcmp(facts->engines.items[i].name, name))
			return &facts->engines.items[i];
	return NULL;
}

/* Texts of an engine's block that are kept as they are; the first counts. */
static const struct {
	const char *key;
	size_t member, size;
} texts[] = {
#define TEXT(key, member) { key, offsetof(struct driver_engine, member),                           \
			    sizeof(((struct driver_engine *)NULL)->member) }
	TEXT("i915 name", i915_name), TEXT("Capture_source", capture_source),
	TEXT("Coverage", coverage), TEXT("GuC-Context-Id", context_id), TEXT("LRCA", lrca),
#undef TEXT
};

/* "hung: 1", "hangcheck: hung [20]", "hangcheck action: dead", "hangcheck stall: yes". */
bool driver_blames(struct slice key, struct slice value)
{
	if (slice_named(key, "hung"))
		return slice_begins(value, "1") || slice_begins(value, "yes");
	if (slice_named(key, "hangcheck stall"))
		return slice_begins(value, "yes");
	return slice_named(key, "blamed") ||
	       (slice_named(slice_first(key, 9), "hangcheck") &&
		(slice_begins(value, "hung") || slice_begins(value, "dead")));
}

static void take_engine_key(struct driver_engine *e, const char *key, const char *value)
{
	unsigned a, b, c, d;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char *text = (char *)e + texts[i].member;

		if (!strcmp(key, texts[i].key) && !*text)
			snprintf(text, texts[i].size, "%.*s", (int)texts[i].size - 1, value);
	}
	if (!strcmp(key, "GuC-Context-Id") && !e->has_guc_id) {
		e->guc_id = (unsigned)strtoul(value, NULL, 16);
		e->has_guc_id = true;
	}
	if (!strcmp(key, "active process")) {
		snprintf(e->process, sizeof(e->process), "%.127s", value);
		e->processes++;
	}
	if (!strcmp(key, "hung")) {
		e->tells = true;
		e->hung = *value == '1';
	}
	if (!*e->blamed && driver_blames(slice_string(key), slice_string(value))) {
		if (!strcmp(key, "blamed"))
			snprintf(e->blamed, sizeof(e->blamed), "the dump was written because of "
				 "work on %s: %.120s", e->name, value);
		else
			snprintf(e->blamed, sizeof(e->blamed), "the dump says \"%s.%.64s: %.160s\"",
				 e->name, key, value);
	}
	if (!strcmp(key, "request head") && !e->has_head) {
		e->head = strtoull(value, NULL, 16);
		e->has_head = true;
	}
	if (!strcmp(key, "request tail") && !e->has_tail) {
		char *end;

		e->post = strtoull(value, &end, 16);
		e->tail = *end == ',' ? strtoull(end + 1, NULL, 16) : 0;
		e->has_tail = true;
		e->has_pair = *end == ',';
	}
	e->has_request = e->has_head && e->has_pair;
	/* "[0x00000000_10000000, 0x00000000_10001000]", as i915 prints it since Linux 4.10 */
	if (!strcmp(key, "batch") && !e->has_batch) {
		e->has_batch = true;
		if (sscanf(value, "[0x%8x_%8x, 0x%8x_%8x]", &a, &b, &c, &d) == 4) {
			e->batch = (uint64_t)a << 32 | b;
			e->batch_end = (uint64_t)c << 32 | d;
		}
	}
	if (!strcmp(key, "seqno") && !e->has_seqno) {
		e->seqno = (uint32_t)strtoull(value, NULL, 16);
		e->has_seqno = true;
	}
}

/* "rcs0.hung" */
static bool take_of_engine(struct driver_facts *facts, const struct gsc_property *p)
{
	struct slice rest = slice_string(p->key);
	char name[ENGINE_NAME];
	struct driver_engine *e;
	const char *open;
	struct driver_unit unit = { .value = 0 };
	struct slice number;

	if (!take_engine(&rest, name) || !take_text(&rest, "."))
		return true;
	e = (struct driver_engine *)driver_engine(facts, name);
	if (!e) {
		e = vec_add(&facts->engines);
		if (!e)
			return false;
		*e = (struct driver_engine){ .tells = false };
		memcpy(e->name, name, sizeof(name));
	}
	take_engine_key(e, rest.at, p->value);
	/* "ROW_INSTDONE[1][0]" */
	open = strstr(rest.at, "INSTDONE") ? strchr(rest.at, '[') : NULL;
	number = slice_string(p->value);
	if (!open || open == rest.at || strlen(open) >= sizeof(unit.instance) ||
	    !slice_copy((struct slice){ rest.at, open }, unit.name, sizeof(unit.name)) ||
	    !slice_hex(take_word(&number), &unit.value))
		return true;
	strcpy(unit.engine, name);
	strcpy(unit.instance, open);
	return vec_push(&facts->units, unit);
}

/* ---- the headline --------------------------------------------------------------------------- */

/* "hang on rcs0", "stuck on render ring"; the process before it may have any name. */
struct slice driver_named_engine(struct slice headline)
{
	static const char *const reasons[] = { "ang on ", "tuck on ", "eartbeat on " };
	struct slice named = { headline.end, headline.end };

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		for (struct slice at = headline; (at.at = slice_find(at, reasons[i]));) {
			at.at += strlen(reasons[i]);
			if (named.at == headline.end || at.at > named.at)
				named.at = at.at;
		}
	return take_while(&named, is_alphanumeric);
}

#define KERNEL(a, b) ((a) * 1000 + (b))

/*
 * A number with a reason is from Linux before 5.0, where it is the number of the first engine.
 * Linux 5.6 removed the code's "0x"; classes came after 5.10.
 */
static void take_mask(struct driver_facts *facts, const char *kernel)
{
	unsigned major = 0, minor = 0, version;
	char *end;

	if (strncmp(facts->headline, "ecode ", 6) || strstr(facts->headline, ", reason: "))
		return;
	(void)strtoull(facts->headline + 6, &end, 10);
	if (*end != ':' || !isxdigit((unsigned char)end[1]))
		return;
	facts->mask = strtoull(end + 1, &end, 16);
	if (*end != ':')
		return;
	facts->by_engine = !strncmp(end, ":0x", 3);
	facts->by_class = !facts->by_engine;
	if (facts->by_engine)
		return;
	version = sscanf(kernel, "%3u.%3u", &major, &minor) == 2 ? KERNEL(major, minor) : 0;
	/* A form newer than its kernel has been backported. */
	facts->by_engine = version < KERNEL(5, 12);
	facts->by_class = version < KERNEL(5, 6) || version > KERNEL(5, 10);
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool gsc_source_property(const struct gsc_source *source, size_t part, size_t i,
			  struct gsc_property *property)
{
	const struct part *of = &source->parts.items[part];
	const struct part_property *p;

	if (part >= source->parts.count || i >= of->properties.count)
		return false;
	p = &of->properties.items[i];
	snprintf(property->key, sizeof(property->key), "%.*s%s%.*s",
		 SLICE(slice_first(p->prefix, sizeof(property->key))),
		 slice_length(p->prefix) ? "." : "",
		 SLICE(slice_first(p->key, sizeof(property->key))));
	snprintf(property->value, sizeof(property->value), "%.*s",
		 SLICE(slice_first(p->value, sizeof(property->value))));
	return true;
}

bool driver_of_source(const struct gsc_source *source, char *buf, size_t size)
{
	struct gsc_property property;

	snprintf(buf, size, "%s", gsc_source_has(source, GSC_SOURCE_ERROR_STATE) ? "i915" :
				  gsc_source_has(source, GSC_SOURCE_ENGINE_DUMP) ? "i915" :
				  gsc_source_has(source, GSC_SOURCE_DEVCOREDUMP) ? "xe" : "");
	for (size_t part = 0; part < source->parts.count; part++)
		for (size_t i = 0; gsc_source_property(source, part, i, &property); i++)
			if (!strcmp(property.key, "driver"))
				snprintf(buf, size, "%s", property.value);
	return *buf;
}

/* What concerns the whole; the first of each counts. */
static bool take_whole(struct driver_facts *facts, const struct gsc_property *p, char kernel[64])
{
	const struct {
		const char *key;
		char *text;
		size_t size;
	} whole[] = {
		{ "GPU HANG", facts->headline, sizeof(facts->headline) },
		{ "cut", facts->cut, sizeof(facts->cut) },
		{ "Reason", facts->reason, sizeof(facts->reason) },
		{ "Kernel", kernel, 64 },
	};
	struct driver_watch watch;
	char word[8];

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!*whole[i].text && !name_compare(p->key, whole[i].key))
			snprintf(whole[i].text, whole[i].size, "%s", p->value);
	/* "rcs0 stands 200" */
	if (strcmp(p->key, CAPTURE_WATCHED) ||
	    sscanf(p->value, "%15s %7s %5u", watch.engine, word, &watch.ms) != 3)
		return true;
	watch.moved = !strcmp(word, "moves");
	return (!watch.moved && strcmp(word, "stands")) || vec_push(&facts->watched, watch);
}

static size_t row_of(const char *key)
{
	size_t row = 0;

	while (strcmp(rows[row].key, key))
		row++;
	return row;
}

/* Structs that need no words: requests, and whose are those that engines run. */
static bool take_memory(struct driver_facts *facts, const struct part *part)
{
	const struct dump *dump = part->dump;

	if (dump && part->reader->form == GSC_SOURCE_MEMORY) {
		facts->in_memory = true;
		facts->torn |= dump->torn != NULL;
	}
	for (size_t i = 0; dump && i < dump->requests.count; i++) {
		const struct driver_request *request = &dump->requests.items[i];
		char text[80];

		if (!vec_push(&facts->requests, *request))
			return false;
		if (!request->r.current || !*request->process)
			continue;
		string_set(text, "%s [%llu], on %s", request->process, LL(request->r.pid),
			   request->r.engine);
		if (!list_fact(facts, row_of("Active process (on ring "), "process", text))
			return false;
	}
	return true;
}

enum gsc_status driver_facts_read(struct driver_facts *facts, const struct gsc_source *source,
				  struct gsc_error *err)
{
	size_t said[ARRAY_SIZE(rows) + ARRAY_SIZE(gpu_keys)] = { 0 }, kept = 0;
	char kernel[64] = "";
	struct gsc_property p;
	struct slice named;

	for (size_t part = 0; part < source->parts.count; part++) {
		bool of_capture = gsc_source_form(source, part) == GSC_SOURCE_CAPTURE;

		if (!take_memory(facts, &source->parts.items[part]))
			return err_memory(err);
		for (size_t i = 0; gsc_source_property(source, part, i, &p); i++)
			if (!take_fact(facts, source, &p, of_capture, said) ||
			    !take_of_engine(facts, &p) || !driver_work(facts, &p) ||
			    !take_whole(facts, &p, kernel))
				return err_memory(err);
	}
	for (size_t i = 0; i < facts->about.count; i++) {
		const struct driver_fact *fact = &facts->about.items[i], *other;
		bool once = !fact->a.detail && rows[fact->row].turn != LISTED, repeated = false;

		/* An earlier row with the same name has shown it already. */
		for (other = facts->about.items; once && other < fact && !repeated; other++)
			repeated = other->row != fact->row && !strcmp(other->a.name, fact->a.name);
		if (!repeated)
			facts->about.items[kept++] = *fact;
	}
	facts->about.count = kept;
	named = driver_named_engine(slice_string(facts->headline));
	slice_copy(slice_first(named, sizeof(facts->named) - 1), facts->named,
		   sizeof(facts->named));
	take_mask(facts, kernel);
	facts->guc_dead = !strncmp(facts->reason, "CTB is dead", 11);
	return GSC_OK;
}

void driver_facts_free(struct driver_facts *facts)
{
	vec_free(&facts->about);
	vec_free(&facts->requests);
	vec_free(&facts->objects);
	vec_free(&facts->engines);
	vec_free(&facts->units);
	vec_free(&facts->watched);
}

/* ---- the time of the event ------------------------------------------------------------------ */

/*
 * Both drivers print the time of day (i915_gpu_error.c: "Time: S s U us"; xe_devcoredump.c:
 * "Snapshot time: S.ns"). i915's other times count from other beginnings (Boottime, Uptime), or
 * back from when the text was made (Capture).
 */
int64_t gsc_source_age(const struct gsc_source *source, int64_t now)
{
	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];
		struct slice value = part_says(part, "Time"), digits;
		uint64_t then;

		if (!slice_length(value))
			value = part_says(part, "Snapshot time");
		digits = take_while(&value, is_digit);
		/* A clock that was never set counts from 0. */
		if (part->dump && slice_length(digits) <= 12 && slice_number(digits, &then) && then)
			return MAX(now - (int64_t)then, INT64_C(0));
	}
	return -1;
}
