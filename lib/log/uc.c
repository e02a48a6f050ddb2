/* SPDX-License-Identifier: MIT */
/*
 * What i915 and xe say about the firmware: the GuC, which schedules work, the HuC and the GSC. If a
 * load fails there are two lines or more:
 *   GT0: GUC: load failed: status = 0x400000A0, time = 3ms, freq = 2400MHz, ret = 0
 *   GT0: GUC: load failed: status: Reset = 0, BootROM = 0x50, UKernel = 0x00, MIA = 0x00, ...
 *   GT0: GUC: firmware signature verification failed
 * Origin of all messages: i915, the files of gt/uc/; xe_guc*.c, xe_uc_fw.c, xe_huc.c, xe_gsc.c.
 */
#include "log/log.h"

#include <ctype.h>
#include <stdio.h>

/* ---- which firmware ------------------------------------------------------------------------- */

/* Firmware of several platforms. Origin: i915 gt/uc/intel_uc_fw.c, display/intel_dmc.c. */
static const struct {
	const char *name, *platforms[3];
} users[] = {
	{ "kbl_", { "kbl", "cfl", "cml" } }, { "icl_", { "icl", "ehl", "jsl" } },
	{ "ehl_", { "ehl", "jsl" } }, { "adls_", { "adls", "rpls" } },
	{ "adlp_", { "adlp", "adln", "rplp" } }, { "mtl_", { "mtl", "arl" } },
};

static uint64_t platforms_of(const struct gsc_db *db, struct slice name)
{
	struct gsc_platform platform;
	uint64_t found = 0;
	int stepping;

	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		for (size_t j = 0; j < 3 && users[i].platforms[j]; j++)
			if (slice_begins(name, users[i].name) &&
			    !gsc_platform_find(db, users[i].platforms[j], &platform, &stepping,
					       NULL))
				found |= UINT64_C(1) << platform.index;
	return found;
}

/* "GuC firmware i915/mtl_guc_70.bin version 70.36.0": no event, but it says what the GPU may be. */
static bool handle_loaded(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t platforms = platforms_of(log->db, rest);

	if (platforms) {
		log->platforms = platforms;
		memcpy(log->firmware_device, event->device, sizeof(log->firmware_device));
	}
	return false;
}

/* "i915/skl_guc_70.1.1.bin" */
static void add_path(const struct log *log, struct slice line, struct gsc_event *event)
{
	static const char *const folders[] = { "i915/", "xe/" };
	struct slice rest;
	int length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		if (!text_after(line, folders[i], &rest))
			continue;
		while (length < 60 && rest.at + length < rest.end && rest.at[length] > ' ' &&
		       !strchr(",:;()\"'", rest.at[length]))
			length++;
		while (length && rest.at[length - 1] == '.')
			length--;
		log_add(event, ", %s%.*s", folders[i], length, rest.at);
		event->platforms = platforms_of(log->db, rest);
		return;
	}
}

/* "70.5.1" in a text, which is advanced past it. */
static bool take_version(struct slice *text, struct slice *version)
{
	for (const char *at = text->at; at < text->end; at++) {
		const char *to = at;
		unsigned dots = 0;

		if (!is_digit(*at) ||
		    (at > text->at && isalnum((unsigned char)at[-1]) && at[-1] != 'v'))
			continue;
		while (to < text->end && to - at < 20 &&
		       (is_digit(*to) ||
			(*to == '.' && to + 1 < text->end && is_digit(to[1]))))
			dots += *to++ == '.';
		if (dots) {
			*version = (struct slice){ at, to };
			text->at = to;
			return true;
		}
	}
	return false;
}

#define CHOSEN_BEFORE 4096		/* bytes in front of a message */

/*
 * What was to be loaded, which the driver says some lines earlier:
 *   GT0: GuC firmware i915/dg2_guc_70.bin version 70.5.1
 *   GT0: Using GuC firmware from xe/bmg_guc_70.bin version 70.44.1
 */
static void add_chosen(const struct log *log, struct gsc_event *event)
{
	const char *start = log->line_start;
	struct slice rest = { start - MIN(start - log->text, CHOSEN_BEFORE), start };
	struct slice chosen = { NULL, NULL }, line, version;

	while (text_after(rest, "GuC firmware ", &rest)) {
		const char *from = memrchr(log->text, '\n', (size_t)(rest.at - log->text));

		line.at = from ? from + 1 : log->text;
		line.end = memchr(rest.at, '\n', (size_t)(rest.end - rest.at)) ?: rest.end;
		if (text_has(line, event->device))
			chosen = (struct slice){ rest.at, line.end };
	}
	if (!chosen.at || !text_after(chosen, " version ", &version))
		return;
	add_path(log, chosen, event);
	if (take_version(&version, &chosen))
		log_add(event, " (%.*s)", SLICE(chosen));
}

/* ---- the state in which it did not start ---------------------------------------------------- */

/* In the order in which the load goes through them. */
static const struct {
	const char *field, *words, *title;
	unsigned shift, mask;		/* in GUC_STATUS */
} stages[] = {
	{ "BOOTROM", "BootROM = ", "boot ROM", 1, 0x7f },
	{ "UKERNEL", "UKernel = ", "firmware", 8, 0xff },
	{ "AUTH_STATUS", "Auth = ", "authentication", 30, 3 },
};

static bool handle_load(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const none[] = { NULL };
	static const char *const tail[] = {
		"load failed: status", "firmware signature verification failed",
		"firmware production part check failure", "invalid key requested",
		"firmware exception", "illegal ", "invalid w/a KLV", "still extracting hwconfig",
		NULL,
	};
	struct slice block;
	struct gsc_value meaning;
	uint64_t status, value;
	const char *join = ": ";
	bool whole;

	if (!log_plain(log, rest, event))
		return false;
	block = log_block(log, none, tail, event);
	whole = text_hex(block, "status = ", &status) && status <= UINT32_MAX;
	log_say(event, "the GuC firmware did not load");
	add_chosen(log, event);
	if (whole) {
		log_value(event, "GUC_STATUS", status);
		log_add(event, ", GUC_STATUS 0x%08llx", (unsigned long long)status);
	}
	for (size_t i = 0; i < ARRAY_SIZE(stages); i++) {
		if (whole)
			value = status >> stages[i].shift & stages[i].mask;
		else if (!text_hex(block, stages[i].words, &value))
			continue;
		log_add(event, "%s%s 0x%02llx", join, stages[i].title, (unsigned long long)value);
		if (log_meaning(log->db, GSC_REGISTER, "GUC_STATUS", stages[i].field, value,
				&meaning))
			log_add(event, " (%s)", meaning.name);
		join = ", ";
	}
	return true;
}

/* ---- requests ------------------------------------------------------------------------------- */

static void add_named(const struct log *log, struct gsc_event *event, const char *structure,
		      const char *field, uint64_t value)
{
	struct gsc_value meaning;

	log_add(event, " 0x%llx", (unsigned long long)value);
	if (log_meaning(log->db, GSC_STRUCTURE, structure, field, value, &meaning))
		log_add(event, " (%s%s%s)", meaning.name, meaning.doc ? ": " : "",
			meaning.doc ? meaning.doc : "");
}

static void add_error(const struct log *log, struct gsc_event *event, uint64_t error)
{
	log_add(event, ": error");
	add_named(log, event, "GUC_HXG_FAILURE", "ERROR", error);
}

/* The status is the first dword of the answer. Origin: i915 gt/uc/abi/guc_messages_abi.h. */
#define HXG_TYPE(status) ((unsigned)(status) >> 28 & 7)
#define HXG_FAILURE 6
#define HXG_ERROR(status) ((status) & 0xffff)

static bool take_status(struct slice rest, uint64_t *status)
{
	struct slice number;

	if (!text_after(rest, "status=", &rest))
		return false;
	rest = slice_first(rest, 20);
	number = take_until(&rest, " \t,;\r\n");
	return take_hex(&number, status) && *status;
}

/* "0x4509:": text_hex() wants a number alone. */
static bool take_request(struct slice rest, uint64_t *action)
{
	take_blanks(&rest);
	return take_hex(&rest, action);
}

/*
 * Each begins with the request:
 *   CT: Sending action 0x550b failed (-EIO) status=0XE000000A
 *   CT: No response for request 0x5503 (fence 168)
 *   mmio request 0x5507: no reply 5507           mmio request 0x4509: failure 306/0
 *   GuC mmio request 0x4509: failure 0x306 hint 0x0
 *   H2G request 0x1001 failed: error 0x30 hint 0x0
 *   Timed out wait for G2H, fence 5, action 1001, done no
 */
static bool handle_request(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = rest;
	uint64_t action, status, error;
	bool has_error;

	if (!log_plain(log, rest, event))
		return false;
	has_error = text_hex(rest, "failure ", &error) || text_hex(rest, "failed: error ", &error);
	if (!has_error && text_after(rest, "failure ", &line)) {
		line = take_until(&line, "/");
		has_error = take_hex(&line, &error);
	}
	if (!has_error && take_status(rest, &status) && HXG_TYPE(status) == HXG_FAILURE) {
		error = HXG_ERROR(status);
		has_error = true;
	}
	log_say(event, has_error ? "the GuC firmware refused a request:" :
				 "the GuC firmware did not answer a request:");
	if (!take_request(rest, &action) && !text_hex(rest, "action ", &action))
		return false;
	add_named(log, event, "GUC_HXG_REQUEST", "ACTION", action);
	if (has_error)
		add_error(log, event, error);
	return true;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Whose firmware a line is about. */
static const char *firmware_of(struct slice line)
{
	static const struct {
		const char *words, *name;
	} names[] = {
		{ "GuC", "GuC" }, { "GUC", "GuC" }, { "_guc", "GuC" }, { "guc_", "GuC" },
		{ "HuC", "HuC" }, { "HUC", "HuC" }, { "_huc", "HuC" }, { "GSC", "GSC" },
		{ "_gsc", "GSC" }, { "DMC", "DMC" }, { "_dmc", "DMC" }, { "CSR", "DMC" },
		{ "_csr", "DMC" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_find(line, names[i].words))
			return names[i].name;
	return NULL;
}

/* "... v70.20.0! v70.29.2 or newer is required", "... version 0.0.0 != 7.10.0" */
static void add_versions(struct slice rest, struct gsc_event *event)
{
	struct slice found, wanted;

	if (!take_version(&rest, &found))
		return;
	log_add(event, ": it is %.*s", SLICE(found));
	if (take_version(&rest, &wanted))
		log_add(event, ", and %.*s%s is needed", SLICE(wanted),
			text_has(rest, "or newer") ? " or newer" : "");
}

/*
 * Without that of the DMC the display saves no power, without that of the HuC some video does not
 * work.
 */
static void lesser_firmware(const char *name, struct gsc_event *event)
{
	if (strcmp(name, "GuC"))
		event->rank = MAX(event->rank, GSC_EVENT_LESSER);
}

/* "CT: Failed to process request 6000 (-EOPNOTSUPP)": of the GuC to the driver. */
static bool handle_unknown(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice number = take_until(&rest, " ");
	uint64_t action;

	if (!take_hex(&number, &action) || !log_plain(log, rest, event))
		return false;
	log_say(event, "the driver could not handle a message of the GuC firmware, 0x%llx",
		(unsigned long long)action);
	log_add_code(event, rest);
	return true;
}

/* The words of the table say what became of it. */
static bool handle_file(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *name = firmware_of(log->line);

	if (!name || !log_plain(log, rest, event))
		return false;
	lesser_firmware(name, event);
	log_say(event, "the %s firmware %s", name, log->words->text);
	add_path(log, log->line, event);
	log_add_code(event, rest);
	if (text_has(log->line, "runtime power management"))
		log_add(event, "; the driver does not power the GPU down at run time");
	return true;
}

/* "Unsupported GuC v70.20.0! v70.29.2 or newer is required" */
static bool handle_version(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (!handle_file(log, rest, event))
		return false;
	add_versions(rest, event);
	return true;
}

/* "GuC firmware (70.19.2) is recommended, but only (70.5.1) was found in i915/tgl_guc_70.bin" */
static bool handle_older(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *name = firmware_of(log->line);
	struct slice front, wanted, found;

	if (!name || !log_plain(log, rest, event))
		return false;
	log_say(event, "the %s firmware is older than the driver recommends", name);
	add_path(log, log->line, event);
	if (text_after(log->prefix, " firmware ", &front) && take_version(&front, &wanted) &&
	    take_version(&rest, &found))
		log_add(event, ": it is %.*s, not %.*s", SLICE(found), SLICE(wanted));
	return true;
}

/* "Direct firmware load for i915/skl_dmc_ver1_27.bin failed with error -2" */
static bool handle_direct(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (!slice_begins(rest, "i915/") && !slice_begins(rest, "xe/"))
		return false;
	return handle_file(log, rest, event);
}

/* "Failed to save VF7 state (-EPROTO)" */
static bool handle_vf(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t number;

	if (!log_plain(log, rest, event))
		return false;
	if (take_decimal(&rest, &number))
		log_add(event, ", VF%llu", (unsigned long long)number);
	log_add_code(event, rest);
	return true;
}

/* "HuC: timed out waiting for MEI GSC": it may come later. */
static bool handle_late(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line;

	if (!log_plain(log, rest, event))
		return false;
	for (unsigned i = 0; i < BLOCK_MOST && log_line_after(log, line.end, &line) &&
			     !slice_find(line, log->words->words); i++)
		if (text_has(line, "HuC: authenticated") && text_has(line, event->device)) {
			log_add(event, "; it was authenticated later");
			break;
		}
	return true;
}

/* "Failed to load DMC firmware i915/...", not that of a network card. */
static bool handle_named(struct log *log, struct slice rest, struct gsc_event *event)
{
	return firmware_of(slice_first(rest, 3)) && handle_file(log, rest, event);
}

#define BOTH(type, words, text) { words, NULL, GSC_EVENT_ERROR, "", text, true, 0, type }
#define LESSER(type, words, text)                                                                  \
	{ words, NULL, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_LESSER, type }
#define ASIDE(type, words, text)                                                                   \
	{ words, NULL, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_ASIDE, type }
#define CALL(type, words, handler, text)                                                           \
	{ words, handler, GSC_EVENT_ERROR, "", text, true, 0, type }
#define NO_START(words, text) BOTH("guc-load", words, text)
#define FILE_(words, text) CALL("firmware-file", words, handle_file, text)
#define REQUEST(words) CALL("guc-request", words, handle_request, NULL)
#define TALKS(words) BOTH("guc-messages", words, "communication with the GuC firmware failed")
#define STUCK(words)                                                                               \
	BOTH("tlb", words,                                                                         \
	     "the GuC firmware did not invalidate the TLBs in time: stale translations may be used")
#define CLOCKS(words)                                                                              \
	LESSER("guc-clocks", words, "the GuC firmware failed to manage the clocks")
#define HUC_BAD(words) LESSER("huc", words, "the HuC firmware failed to be authenticated")
#define VF(words, text)                                                                            \
	{ words, handle_vf, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_LESSER, "vf" }
#define LATE(words, text)                                                                          \
	{ words, handle_late, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_LESSER, "huc" }
#define PROXY(words) LESSER("gsc-proxy", words, "the GSC firmware failed to reach the CSME")
#define PLACE "the GuC firmware has no place in protected memory"
#define REFUSED "the GuC firmware failed to load: "
#define UNREAD "is missing, or cannot be read"
#define DAMAGED "is damaged, or has an unknown format"

const struct log_words log_uc[] = {
	{ .words = "firmware i915/", .handler = handle_loaded },
	CALL("guc-load", "load failed: status", handle_load, NULL),
	BOTH("guc-load", "firmware signature verification failed",
	     REFUSED "its signature is bad"),
	BOTH("guc-load", "firmware production part check failure",
	     REFUSED "its key is not one for this part (production or pre-production)"),
	BOTH("guc-load", "invalid key requested", REFUSED "the boot ROM has no such key"),
	BOTH("guc-crash", "firmware exception. EIP",
	     "the GuC firmware failed with an exception"),
	BOTH("guc-load", "still extracting hwconfig",
	     REFUSED "it was still reading the configuration table"),
	BOTH("guc-load", "illegal init/ADS data", REFUSED "it rejects the driver's data"),
	BOTH("guc-load", "illegal register in save/restore",
	     REFUSED "it refused the driver's list of registers"),
	BOTH("guc-load", "illegal workaround KLV",
	     REFUSED "it refused a workaround of the driver"),
	BOTH("guc-load", "invalid w/a KLV", REFUSED "it refused a workaround of the driver"),
	BOTH("guc-load", "illegal feature flag", REFUSED "it refused a feature of the driver"),
	ASIDE("guc-slow", "excessive init time", "the GuC firmware took long to start"),
	NO_START("GuC initialization failed", "the driver could not start the GuC firmware"),
	NO_START("GuC init failed", "the driver could not start the GuC firmware"),
	NO_START("Enabling uc failed", "the driver could not start the firmware (GuC, HuC)"),
	NO_START("initialize uC (", "the driver could not start the firmware (GuC, HuC)"),
	BOTH("guc-reset", "Failed to reset GuC",
	     "the GuC did not reset: its firmware cannot be started again"),
	BOTH("guc-reset", "GuC reset timed out",
	     "the GuC did not reset in time: its firmware cannot be started"),
	BOTH("guc-load", "Unsuccessful WOPCM partitioning", PLACE),
	BOTH("guc-load", "init uC WOPCM registers", PLACE),
	FILE_(": fetch failed", UNREAD),
	{ "Direct firmware load for ", handle_direct, GSC_EVENT_ERROR, "", UNREAD, false,
	  GSC_EVENT_LESSER, "firmware-file" },
	FILE_("ailed to fetch firmware ", UNREAD),
	FILE_("firmware: failed to load ", UNREAD),	/* Debian's patch */
	FILE_("could not load binary firmware ", UNREAD),	/* FreeBSD */
	FILE_("ailed to load firmware ", "did not load"),
	FILE_("firmware load failed", "did not load"),
	CALL("firmware-file", "ailed to load ", handle_named, "did not load"),
	CALL("firmware-file", "ailed to parse ", handle_named, DAMAGED),
	FILE_(" fw failed, DMA_CTRL", "could not be copied to its place"),
	CALL("firmware-version", ": unexpected version", handle_version,
	     "is of an unexpected version"),
	CALL("firmware-version", "firmware version mismatch", handle_version,
	     "is of an unexpected version"),
	CALL("firmware-version", "Unsupported GuC v", handle_version,
	     "failed to load: its version is not supported"),
	FILE_(": unexpected header size", DAMAGED),
	FILE_(": invalid size: ", DAMAGED),
	{ "is recommended, but only", handle_older, GSC_EVENT_ERROR, "", NULL, true,
	  GSC_EVENT_ASIDE, "firmware-version" },
	ASIDE("guc-unused", "GuC is uninitialized",
	      "the GuC is not used: its firmware was not loaded"),

	REQUEST("Sending action "), REQUEST("No response for request "), REQUEST("mmio request "),
	REQUEST("H2G request "), REQUEST("H2G action "), REQUEST("Timed out wait for G2H"),
	CALL("guc-messages", "ailed to process request ", handle_unknown, NULL),
	BOTH("guc-messages", "Communication stalled for ",
	     "the GuC firmware no longer reads the driver's messages"),
	TALKS("Corrupted descriptor head"), TALKS("CTB is dead"), TALKS("CTB receive failed"),
	TALKS("CT dequeue failed"), TALKS("Failed to process CT message"),
	TALKS("Failed to handle HXG message"), TALKS("ailed to enable CTB"),
	TALKS("ailed to enable GuC CT"), TALKS("reset required"), TALKS("unexpected G2H action"),
	TALKS("G2H action 0x"), TALKS("orrupted descriptor status"), TALKS("nexpected event type"),
	TALKS("H2G channel broken"), TALKS("CT: Failed to open channels"),
	BOTH("guc-messages", "failed to respond", "the GuC firmware did not answer"),
	STUCK("invalidation response timed out"), STUCK("invalidation fence timeout"),
	STUCK("TLB invalidation did not complete"), STUCK("Global invalidation timeout"),
	STUCK("TLB invalidation fence timeout"),
	BOTH("guc-crash", "rash dump notification", "the GuC firmware crashed"),
	BOTH("guc-crash", "rash notification: 0x", "the GuC firmware crashed"),
	BOTH("guc-crash", "xception notification", "the GuC firmware failed with an exception"),
	CLOCKS("SLPC not enabled"), CLOCKS("Failed to query task state"),
	CLOCKS("GuC PC Start failed"), CLOCKS("GuC PC reset failed"),
	CLOCKS("GuC PC query task state failed"), CLOCKS("GuC RC enable mode"),
	VF("ailed to save VF", "the GuC firmware failed to save the state of a virtual function"),
	VF("ailed to restore VF",
	   "the GuC firmware failed to restore the state of a virtual function"),
	LESSER("vf", "ailed to push configurations",
	       "the GuC firmware failed to take the configuration of the virtual functions"),
	HUC_BAD("firmware not verified"), HUC_BAD("HuC authentication failed"),
	HUC_BAD("HuC: authentication "), HUC_BAD("auth failed with GSC error"),
	LESSER("huc", "load failed with GSC error",
	       "the HuC firmware did not load: the GSC refused it"),
	LATE("timed out waiting for MEI",
	     "the HuC firmware had to wait: the MEI driver of the GSC did not come in time"),
	LATE("MEI GSC init failed",
	     "the HuC firmware had to wait: the MEI driver of the GSC did not start"),
	LESSER("gsc", "Failed to wait for GSC load", "the GSC firmware did not load in time"),
	LESSER("gsc", "emit GSC FW upload", "the GSC firmware did not load"),
	LESSER("gsc", "GSC ER timed out", "the GSC did not reset in time"),
	LESSER("gsc", "GSC init failed", "the driver could not start the GSC firmware"),
	PROXY("GSC proxy component "), PROXY("proxy init not complete"), PROXY("GSC proxy error"),
	PROXY("gsc proxy rq"), PROXY("CSME proxy message"), PROXY("GSC proxy handler failed"),
	LESSER("gsc-proxy", "nit GSC proxy due to missing",
	       "the GSC firmware cannot reach the CSME: a module of the MEI driver is missing"),
};

const size_t log_uc_count = ARRAY_SIZE(log_uc);
